//! A Ractor: a heap, the code made ready in it, and its threads.
//!
//! # Heaps
//! A Ractor allocates in its own heap. Who may use an object does not depend on whose heap it lies in: messages are copied
//! by their sender and then belong to the receiver, and shareable objects are everybody's. So a collection looks at the
//! heaps of all Ractors, and stops them first: see [`crate::world`].
//!
//! # Not here
//! Starting and ending: `life`. Messages: `port`. What blocks may reach: `isolation`, `shareable`.

use crate::concurrency::thread::Wake;
use crate::ec::Ec;
use crate::run::code::CodeData;
use carat_heap::Heap;
use carat_layout::{Header, Value};
use carat_sync::{Mutex, MutexGuard};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Told, after marking, how to ask whether a value is alive.
pub(crate) type AfterMark = Box<dyn FnMut(&dyn Fn(Value) -> bool)>;

pub struct Ractor {
    pub id: u32,
    pub(crate) heap: Heap,
    /// Code of method entries and of other Ractors' shareable procs, in Ractors other than the main one.
    codes: RefCell<FxHashMap<Value, &'static CodeData>>,
    /// Contexts of this Ractor's threads and resting fibers; touched by the thread whose turn it is.
    pub(crate) contexts: RefCell<Vec<*mut Ec>>,
    /// System calls on descriptors that its threads are in; counted by the thread whose turn it is.
    pub(crate) calls_on_descriptors: Cell<usize>,
    pub(crate) method_cache: crate::model::lookup::MethodCache,
    pub(crate) kind_cache: crate::model::lookup::KindCache,
    pub(crate) constant_cache: crate::model::lookup::ConstantCache,
    pub(crate) site_cache: crate::run::polymorphic::SiteCache,
    pub(crate) spare_variants: crate::run::code::SpareVariants,
    pub(crate) global_cache: crate::model::globals::GlobalCache,
    pub(crate) spare_stacks: RefCell<crate::run::stack::SpareStacks>,
    pub(crate) machine_code: crate::compiled::Memory,
    /// Those of calls of machine code.
    pub(crate) call_counters: std::sync::Arc<carat_sync::Mutex<crate::compiled::Counters>>,
    /// Made with the first compilation; `None`: there is no memory for them.
    pub(crate) machine_stubs: std::cell::OnceCell<Option<crate::compiled::Stubs>>,
    pub(crate) compile_times: crate::compiled::Times,
    pub(crate) unfinished: crate::compiled::Unfinished,
    pub(crate) machine_room: crate::compiled::Room,
    pub shared: Arc<RactorShared>,
    main_thread: AtomicU64,
    /// Finalizers and weak tables register what to do after marking.
    pub(crate) after_mark: RefCell<Vec<AfterMark>>,
    /// Live slices that may keep more than they need, found by the collection in progress, or by those that have ended since the
    /// pages of dead objects began to wait.
    pub(crate) slices: RefCell<Vec<NonNull<Header>>>,
    /// Objects of the heap that C code writes to without write barriers.
    pub(crate) unprotected: RefCell<Vec<NonNull<Header>>>,
    /// What it has allocated where, once somebody asked: see [`crate::recorder`].
    pub(crate) recorder: RefCell<Option<Box<crate::inspect::recorder::Recorder>>>,
    /// The same of samples.
    pub(crate) sampler: RefCell<Option<Box<crate::inspect::recorder::Sampler>>>,
    /// Who stores references in objects that somebody watches.
    pub(crate) watch: RefCell<Option<std::rc::Rc<crate::inspect::recorder::writers::Watch>>>,
    /// Allocations are recorded until the next sample is taken.
    pub(crate) waits_for_sample: Cell<bool>,
    /// The `Ractor` object, nil until somebody asks for the main one's.
    pub(crate) object: Cell<Value>,
    /// Where characters of long strings lie.
    pub(crate) positions: RefCell<crate::value::positions::Positions>,
    pub(crate) keys: crate::value::hash::keys::Keys,
    /// `Ractor.current[name]`, a Hash or nil.
    pub(crate) locals: Cell<Value>,
    /// A hash from symbols to the procs that `&:name` made of them, or nil.
    pub(crate) symbol_procs: Cell<Value>,
    /// What `rand` draws from, once somebody has drawn: the type is another crate's.
    pub generator: RefCell<Option<Box<dyn std::any::Any + Send>>>,
    /// `$stdin`, `$stdout` and `$stderr` of a Ractor other than the main one, or nil.
    pub(crate) streams: [Cell<Value>; 3],
    pub(crate) trace: crate::inspect::trace::RactorTrace,
}

/// A Ractor as the VM's list has it.
pub(crate) struct RactorEntry {
    pub(crate) shared: Arc<RactorShared>,
    /// Freed only when the world stands still, or by whoever takes an ended one out of the list.
    pub(crate) pointer: *const Ractor,
    /// Its last thread is gone; only its heap is left.
    pub(crate) has_ended: bool,
}

/// A Ractor that has left the VM's list. Nothing else refers to it.
pub(crate) struct Ended(*const Ractor);

impl RactorEntry {
    pub(crate) fn into_ended(self) -> Ended {
        debug_assert!(self.has_ended, "a Ractor that runs stays in the list");
        Ended(self.pointer)
    }
}

impl Ended {
    fn into_ractor(self) -> Box<Ractor> {
        // SAFETY: the Ractor was boxed when it started, its threads are gone, and only the list knew it.
        unsafe { Box::from_raw(self.0.cast_mut()) }
    }
}

// SAFETY: the pointer is followed by the Ractor's own threads, and by others while these stand still or are gone.
unsafe impl Send for RactorEntry {}

/// What other threads may touch of a Ractor.
pub struct RactorShared {
    pub id: u32,
    turn: Mutex<Turn>,
    /// Interrupt words of the threads' contexts.
    pub(crate) pollers: Mutex<Vec<PollHandle>>,
    /// How to reach the main thread inside a system call.
    main_wake: Mutex<Option<Arc<Wake>>>,
    /// What the limits last counted of it.
    pub(crate) counted_bytes: AtomicUsize,
}

/// How often whoever stops all Ractors asks again.
const URGENT_PATIENCE: Duration = Duration::from_micros(500);

/// A thread that waits for its turn.
struct Waiting {
    number: u64,
    thread: std::thread::Thread,
    /// How long it waits before the running thread is asked, and since when.
    patience: Duration,
    since: Instant,
}

/// Who runs, and who comes next.
#[derive(Default)]
struct Turn {
    is_taken: bool,
    /// Those who wait, in the order in which they asked.
    queue: VecDeque<Waiting>,
    last_number: u64,
    /// The number that has the turn, and since when if that waited for it.
    granted: u64,
    granted_at: Option<Instant>,
    /// The number of the one who waits that keeps time for all who do, or 0 if nobody waits: thousands that each woke up now and
    /// then would leave no time for anything else.
    keeper: u64,
    /// The number of what its thread does meanwhile without needing it, or 0: see [`RactorShared::lend`].
    lent: u64,
}

impl Turn {
    /// Gives the turn to whoever asked first. Who that is, and who keeps time from now on if that one did.
    fn grant(&mut self) -> Option<(std::thread::Thread, Option<std::thread::Thread>)> {
        let next = self.queue.pop_front()?;
        (self.granted, self.granted_at) = (next.number, Some(Instant::now()));
        let is_keeper = self.keeper == next.number;
        let keeper = self.queue.back().filter(|_| is_keeper);
        if is_keeper {
            // Whoever came last keeps time for longest.
            self.keeper = keeper.map_or(0, |last| last.number);
        }
        Some((next.thread, keeper.map(|last| last.thread.clone())))
    }

    /// How long it is until the first who waits has waited for so long that the running thread is to be asked.
    fn is_due_in(&self) -> Duration {
        let Some(first) = self.queue.front() else { return PATIENCE };
        let since = self.granted_at.map_or(first.since, |granted_at| granted_at.max(first.since));
        first.patience.saturating_sub(since.elapsed())
    }
}

fn tell(granted: Option<(std::thread::Thread, Option<std::thread::Thread>)>) {
    if let Some((next, keeper)) = granted {
        next.unpark();
        keeper.into_iter().for_each(|keeper| keeper.unpark());
    }
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
        RactorShared {
            id,
            turn: Mutex::default(),
            pollers: Mutex::default(),
            main_wake: Mutex::default(),
            counted_bytes: AtomicUsize::new(0),
        }
    }

    fn turn(&self) -> MutexGuard<'_, Turn> {
        self.turn.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Waits until it is this thread's turn, and takes it.
    pub(crate) fn acquire(&self, patience: Duration) {
        if let Some(number) = self.take_or_queue(patience) {
            self.wait_for_turn(number);
        }
        // Whoever had the turn before may have written machine code.
        carat_asm::see_code_of_others();
    }

    /// Takes the turn if it is free; otherwise the thread's number in the queue. Who is urgent comes first, and keeps time.
    fn take_or_queue(&self, patience: Duration) -> Option<u64> {
        let mut turn = self.turn();
        if !turn.is_taken {
            turn.is_taken = true;
            return None;
        }
        turn.last_number += 1;
        let number = turn.last_number;
        let waiting = Waiting { number, thread: std::thread::current(), patience, since: Instant::now() };
        let is_urgent = patience == URGENT_PATIENCE;
        if is_urgent {
            turn.queue.push_front(waiting);
        } else {
            turn.queue.push_back(waiting);
        }
        if is_urgent || turn.keeper == 0 {
            turn.keeper = number;
        }
        Some(number)
    }

    /// Takes the turn before everybody who waits for it: the caller belongs to another Ractor and stops this one.
    pub(crate) fn acquire_urgently(&self) {
        if let Some(number) = self.take_or_queue(URGENT_PATIENCE) {
            self.arm_all(crate::ec::interrupt::YIELD);
            self.wait_for_turn(number);
        }
    }

    fn wait_for_turn(&self, number: u64) {
        let mut turn = self.turn();
        while turn.granted != number {
            if turn.keeper != number {
                drop(turn);
                std::thread::park();
                turn = self.turn();
                continue;
            }
            let left = turn.is_due_in();
            if !left.is_zero() {
                drop(turn);
                std::thread::park_timeout(left.min(PATIENCE));
                turn = self.turn();
                continue;
            }
            if std::mem::take(&mut turn.lent) != 0 {
                let granted = turn.grant();
                drop(turn);
                tell(granted);
                turn = self.turn();
                continue;
            }
            if let Some(first) = turn.queue.front_mut() {
                first.since = Instant::now();
            }
            drop(turn);
            self.arm_all(crate::ec::interrupt::YIELD);
            turn = self.turn();
        }
    }

    /// The running thread does without its turn for what takes no time as a rule. Nobody is told, since two changes of
    /// threads cost more than that takes; whoever has waited for so long that it would ask for the turn takes it. The
    /// answer is for [`RactorShared::take_back`].
    pub(crate) fn lend(&self) -> u64 {
        let mut turn = self.turn();
        turn.last_number += 1;
        turn.lent = turn.last_number;
        turn.lent
    }

    /// Whether the thread that lent its turn has it still.
    pub(crate) fn take_back(&self, lent: u64) -> bool {
        let mut turn = self.turn();
        let is_there = turn.lent == lent;
        if is_there {
            turn.lent = 0;
        }
        is_there
    }

    /// Passes the turn to whoever asked first.
    pub(crate) fn release(&self) {
        let mut turn = self.turn();
        let granted = turn.grant();
        turn.is_taken = granted.is_some();
        drop(turn);
        tell(granted);
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
            turn.keeper = 0;
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

impl carat_os::signal::Receiver for RactorShared {
    fn signals_came(&self) {
        self.arm_all(crate::ec::interrupt::SIGNAL);
        self.kick_main();
    }
}

impl Ractor {
    /// The stream that `$stdin`, `$stdout` or `$stderr`, by descriptor, is in this Ractor. Nil in the main one, and in others
    /// until it is asked for.
    pub fn stream(&self, descriptor: usize) -> Value {
        self.streams[descriptor].get()
    }

    pub fn set_stream(&self, descriptor: usize, stream: Value) {
        self.streams[descriptor].set(stream);
    }

    pub(crate) fn new(id: u32, config: &crate::vm::Config) -> Ractor {
        Ractor {
            id,
            heap: Heap::new(),
            codes: RefCell::default(),
            contexts: RefCell::default(),
            calls_on_descriptors: Cell::default(),
            method_cache: crate::model::lookup::MethodCache::new(),
            kind_cache: crate::model::lookup::KindCache::new(),
            constant_cache: Default::default(),
            site_cache: crate::run::polymorphic::SiteCache::default(),
            spare_variants: Default::default(),
            global_cache: crate::model::globals::GlobalCache::new(),
            spare_stacks: RefCell::default(),
            machine_code: crate::compiled::new_memory(config),
            call_counters: Default::default(),
            machine_stubs: std::cell::OnceCell::new(),
            unfinished: Default::default(),
            compile_times: Default::default(),
            machine_room: Default::default(),
            shared: Arc::new(RactorShared::new(id)),
            after_mark: RefCell::default(),
            slices: RefCell::default(),
            unprotected: RefCell::default(),
            recorder: RefCell::default(),
            sampler: RefCell::default(),
            watch: RefCell::default(),
            waits_for_sample: Cell::new(false),
            main_thread: AtomicU64::new(Value::NIL.bits()),
            object: Cell::new(Value::NIL),
            positions: RefCell::default(),
            keys: Default::default(),
            locals: Cell::new(Value::NIL),
            symbol_procs: Cell::new(Value::NIL),
            generator: RefCell::default(),
            streams: [const { Cell::new(Value::NIL) }; 3],
            trace: Default::default(),
        }
    }

    /// Everything that the Ractor itself refers to, its threads excepted.
    pub(crate) fn references(&self, mark: &mut dyn FnMut(Value)) {
        self.codes.borrow().iter().for_each(|(of, code)| {
            mark(*of);
            mark(code.this);
        });
        let held = [self.object.get(), self.locals.get(), self.symbol_procs.get(), self.main_thread()];
        held.into_iter().for_each(&mut *mark);
        self.streams.iter().for_each(|s| mark(s.get()));
        self.trace.references(mark);
        if let Ok(recorder) = self.recorder.try_borrow() {
            recorder.iter().for_each(|r| r.references(mark));
        }
        self.watch.borrow().iter().for_each(|w| w.references(mark));
        if let Ok(sampler) = self.sampler.try_borrow() {
            sampler.iter().for_each(|s| s.references(mark));
        }
    }

    /// A Ractor that goes on in the heap of one that has ended.
    pub(crate) fn succeeding(id: u32, config: &crate::vm::Config, ended: Ended) -> Ractor {
        let Ractor { heap, after_mark, unprotected, recorder, sampler, waits_for_sample, .. } = *ended.into_ractor();
        let successor =
            Ractor { heap, after_mark, unprotected, recorder, sampler, waits_for_sample, ..Ractor::new(id, config) };
        successor.heap.end_watch();
        successor.hear_of_samples();
        successor
    }

    /// Takes over what a Ractor that has ended leaves behind.
    pub(crate) fn adopt(&self, ended: Ended) {
        let ended = ended.into_ractor();
        self.after_mark.borrow_mut().append(&mut ended.after_mark.into_inner());
        self.unprotected.borrow_mut().append(&mut ended.unprotected.into_inner());
        if let Some(theirs) = ended.recorder.into_inner()
            && let Some(ours) = self.recorder.borrow_mut().as_mut()
        {
            ours.adopt(*theirs);
        }
        if let Some(ours) = self.sampler.borrow_mut().as_mut() {
            ours.skip(ended.heap.total_allocated_bytes());
            ended.sampler.into_inner().into_iter().for_each(|theirs| ours.adopt(*theirs));
        }
        self.heap.adopt(ended.heap);
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

    /// One call more or less of those that wait for a descriptor, -1 being none.
    pub(crate) fn count_call_on(&self, fd: i32, change: isize) {
        if fd >= 0 {
            self.calls_on_descriptors.set(self.calls_on_descriptors.get().wrapping_add_signed(change));
        }
    }

    pub(crate) fn set_code(&self, method: Value, code: &'static CodeData) {
        self.codes.borrow_mut().insert(method, code);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lent_turn_stays_unless_somebody_has_waited_for_long() {
        let shared = RactorShared::new(1);
        shared.acquire(PATIENCE);
        let lent = shared.lend();
        assert!(shared.take_back(lent));
        std::thread::scope(|scope| {
            let (has_it, is_taken) = std::sync::mpsc::channel();
            let lent = shared.lend();
            let shared = &shared;
            scope.spawn(move || {
                shared.acquire(PATIENCE);
                let own = shared.lend();
                assert!(!shared.take_back(lent) && shared.take_back(own));
                has_it.send(()).expect("somebody waits");
                shared.release();
            });
            is_taken.recv().expect("the turn was taken");
            assert!(!shared.take_back(lent));
            shared.acquire(PATIENCE);
            assert!(!shared.has_waiters());
            shared.release();
        });
    }
}
