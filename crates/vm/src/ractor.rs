//! A Ractor: a heap, the code made ready in it, and its threads.
//!
//! # Not here
//! Ports, messages and the copying of objects between Ractors: see `builtins::ractor`.

use crate::code::CodeData;
use crate::ec::Ec;
use carat_heap::Heap;
use carat_layout::Value;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::{Arc, Condvar, Mutex};

pub struct Ractor {
    pub id: u32,
    pub(crate) heap: Heap,
    /// Code of method entries, in Ractors other than the main one.
    codes: RefCell<FxHashMap<Value, &'static CodeData>>,
    /// Contexts of this Ractor's threads and resting fibers; touched by the thread whose turn it is.
    pub(crate) contexts: RefCell<Vec<*mut Ec>>,
    pub(crate) method_cache: crate::lookup::MethodCache,
    pub(crate) spare_stacks: RefCell<crate::fiber::SpareStacks>,
    pub shared: Arc<RactorShared>,
    /// Finalizers and weak tables register what to do after marking.
    pub(crate) after_mark: RefCell<Vec<Box<dyn FnMut(&dyn Fn(Value) -> bool)>>>,
}

/// What other threads may touch of a Ractor.
pub struct RactorShared {
    pub id: u32,
    turn: Mutex<Turn>,
    changed: Condvar,
    /// Interrupt words of the threads' contexts.
    pub(crate) pollers: Mutex<Vec<PollHandle>>,
}

#[derive(Default)]
struct Turn {
    is_taken: bool,
    waiting: u32,
}

/// Another thread's way to arm a context's poll.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct PollHandle(pub(crate) *const Ec);

// SAFETY: used only through `Ec::arm`, which touches atomics alone, and only while registered.
unsafe impl Send for PollHandle {}

impl RactorShared {
    pub(crate) fn new(id: u32) -> RactorShared {
        RactorShared { id, turn: Mutex::default(), changed: Condvar::new(), pollers: Mutex::default() }
    }

    /// Waits until no other thread of the Ractor runs, and takes the turn.
    pub(crate) fn acquire(&self) {
        let mut turn = self.turn.lock().unwrap_or_else(|e| e.into_inner());
        turn.waiting += 1;
        if turn.is_taken {
            self.arm_all(crate::ec::interrupt::YIELD);
        }
        while turn.is_taken {
            let (next, timeout) = self
                .changed
                .wait_timeout(turn, std::time::Duration::from_millis(10))
                .unwrap_or_else(|e| e.into_inner());
            turn = next;
            if timeout.timed_out() {
                self.arm_all(crate::ec::interrupt::YIELD);
            }
        }
        turn.waiting -= 1;
        turn.is_taken = true;
    }

    pub(crate) fn release(&self) {
        let mut turn = self.turn.lock().unwrap_or_else(|e| e.into_inner());
        turn.is_taken = false;
        drop(turn);
        self.changed.notify_one();
    }

    pub(crate) fn has_waiters(&self) -> bool {
        self.turn.lock().unwrap_or_else(|e| e.into_inner()).waiting > 0
    }

    /// Makes every thread of the Ractor poll.
    pub(crate) fn arm_all(&self, bits: u32) {
        for handle in self.pollers.lock().unwrap_or_else(|e| e.into_inner()).iter() {
            // SAFETY: a context leaves the list before it is dropped, and `arm` touches atomics only.
            unsafe { (*handle.0).arm(bits) };
        }
    }
}

impl Ractor {
    pub(crate) fn new(id: u32) -> Ractor {
        Ractor {
            id,
            heap: Heap::new(),
            codes: RefCell::default(),
            contexts: RefCell::default(),
            method_cache: crate::lookup::MethodCache::new(),
            spare_stacks: RefCell::default(),
            shared: Arc::new(RactorShared::new(id)),
            after_mark: RefCell::default(),
        }
    }

    pub fn is_main(&self) -> bool {
        self.id == 0
    }

    pub(crate) fn code_of(&self, method: Value) -> Option<&'static CodeData> {
        self.codes.borrow().get(&method).copied()
    }

    pub(crate) fn set_code(&self, method: Value, code: &'static CodeData) {
        self.codes.borrow_mut().insert(method, code);
    }

    pub(crate) fn retain_codes(&self, is_live: &dyn Fn(Value) -> bool) {
        self.codes.borrow_mut().retain(|method, _| is_live(*method));
    }

    pub(crate) fn ready_codes(&self, mark: &mut dyn FnMut(Value)) {
        self.codes.borrow().values().for_each(|c| mark(c.this));
    }
}
