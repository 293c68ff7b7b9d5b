//! A Ractor: a heap, the code made ready in it, and its threads.
//!
//! # Not here
//! Ports, messages and the copying of objects between Ractors: see `builtins::ractor`.

use crate::code::CodeData;
use crate::ec::Ec;
use crate::thread::Wake;
use carat_heap::Heap;
use carat_layout::Value;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Told, after marking, how to ask whether a value is alive.
pub(crate) type AfterMark = Box<dyn FnMut(&dyn Fn(Value) -> bool)>;

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
    main_thread: AtomicU64,
    /// Finalizers and weak tables register what to do after marking.
    pub(crate) after_mark: RefCell<Vec<AfterMark>>,
}

/// What other threads may touch of a Ractor.
pub struct RactorShared {
    pub id: u32,
    turn: Mutex<Turn>,
    /// Interrupt words of the threads' contexts.
    pub(crate) pollers: Mutex<Vec<PollHandle>>,
    /// How to reach the main thread inside a system call.
    main_wake: Mutex<Option<Arc<Wake>>>,
}

/// Who runs, and who comes next.
#[derive(Default)]
struct Turn {
    is_taken: bool,
    /// Numbers of those who wait, with their threads, in the order in which they asked.
    queue: VecDeque<(u64, std::thread::Thread)>,
    last_number: u64,
    /// The number that has the turn.
    granted: u64,
}

/// How long a thread waits for its turn before it makes the running one poll: short after a blocking operation, so that
/// threads that mostly wait answer soon, and long for one that gave its turn up because others waited.
pub(crate) const PATIENCE: Duration = Duration::from_millis(10);
pub(crate) const LONG_PATIENCE: Duration = Duration::from_millis(50);

/// Another thread's way to arm a context's poll.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct PollHandle(pub(crate) *const Ec);

// SAFETY: used only through `Ec::arm`, which touches atomics alone, and only while registered.
unsafe impl Send for PollHandle {}

impl RactorShared {
    pub(crate) fn new(id: u32) -> RactorShared {
        RactorShared { id, turn: Mutex::default(), pollers: Mutex::default(), main_wake: Mutex::default() }
    }

    fn turn(&self) -> std::sync::MutexGuard<'_, Turn> {
        self.turn.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Waits until it is this thread's turn, and takes it.
    pub(crate) fn acquire(&self, patience: Duration) {
        let mut turn = self.turn();
        if !turn.is_taken {
            turn.is_taken = true;
            return;
        }
        turn.last_number += 1;
        let number = turn.last_number;
        turn.queue.push_back((number, std::thread::current()));
        drop(turn);
        let mut asked = Instant::now();
        loop {
            std::thread::park_timeout(patience);
            let turn = self.turn();
            if turn.granted == number {
                return;
            }
            let is_next = turn.queue.front().is_some_and(|(n, _)| *n == number);
            drop(turn);
            if is_next && asked.elapsed() >= patience {
                asked = Instant::now();
                self.arm_all(crate::ec::interrupt::YIELD);
            }
        }
    }

    /// Passes the turn to whoever asked first.
    pub(crate) fn release(&self) {
        let mut turn = self.turn();
        match turn.queue.pop_front() {
            Some((number, thread)) => {
                turn.granted = number;
                drop(turn);
                thread.unpark();
            }
            None => turn.is_taken = false,
        }
    }

    pub(crate) fn has_waiters(&self) -> bool {
        !self.turn().queue.is_empty()
    }

    pub(crate) fn set_main_wake(&self, wake: Arc<Wake>) {
        *self.main_wake.lock().unwrap_or_else(|e| e.into_inner()) = Some(wake);
    }

    /// Gets the main thread out of the system call it may be in.
    pub(crate) fn kick_main(&self) {
        let wake = self.main_wake.lock().unwrap_or_else(|e| e.into_inner()).clone();
        wake.into_iter().for_each(|w| w.kick());
    }

    /// Forks with the locks held that the child needs; there nobody waits for the turn.
    pub(crate) fn fork_locked<R>(&self, fork: impl FnOnce() -> R, is_child: impl FnOnce(&R) -> bool) -> R {
        let mut turn = self.turn();
        let pollers = self.pollers.lock().unwrap_or_else(|e| e.into_inner());
        let wake = self.main_wake.lock().unwrap_or_else(|e| e.into_inner());
        let result = fork();
        if is_child(&result) {
            turn.queue.clear();
        }
        drop((turn, pollers, wake));
        result
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
            main_thread: AtomicU64::new(Value::NIL.bits()),
        }
    }

    pub(crate) fn main_thread(&self) -> Value {
        // SAFETY: the word was a value when it was stored.
        unsafe { Value::from_bits(self.main_thread.load(Ordering::Acquire)) }
    }

    pub(crate) fn set_main_thread(&self, thread: Value) {
        self.main_thread.store(thread.bits(), Ordering::Release);
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
