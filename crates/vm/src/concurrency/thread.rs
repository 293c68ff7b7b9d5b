//! Threads: one native thread and one [`Ec`] each. Those of a Ractor take turns, so what they share needs no locks.
//!
//! # Turns
//! [`RactorShared`](crate::concurrency::ractor::RactorShared) hands the turn from one to the next in the order in which they asked. A thread
//! that wants the turn and does not get it makes the running one poll, after a while. Whatever blocks goes through
//! [`Ec::without_turn`]; whatever waits for another thread of the Ractor goes through [`Ec::park`].
//!
//! # Waiting
//! Who waits enters itself in a [`WaitList`] and parks; nothing else runs in between, so no wake-up is lost. Queues, mutexes
//! and condition variables are plain data with such lists.
//!
//! # Interrupts
//! `Thread#raise` and `#kill` put what is to be raised into the target's list and arm its poll. It is delivered at the next
//! poll, or at once if the target is parked, unless `handle_interrupt` defers it.

use crate::boot::{end_context, register_context, unregister_context};
use crate::concurrency::blocking::Blocked;
use crate::concurrency::fiber::Fiber;
use crate::concurrency::ractor::RactorShared;
use crate::ec::{Ec, Result, interrupt};
use crate::foreign::thread_event;
use crate::model::class::Class;
use crate::run::call::Passing;
use crate::run::frame::Fp;
use crate::run::proc::Proc;
use crate::value::data::{Data, NativeData};
use crate::value::hash::Hash;
use crate::{Array, Str};
use carat_layout::Value;
use carat_sync::{Condvar, Mutex, PoisonError};
use std::collections::VecDeque;
use std::mem::ManuallyDrop;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// Address space of a thread's native stack.
pub(crate) const NATIVE_BYTES: usize = 4 << 20;
/// So much of it a thread's calls may use: the rest is for the frames around them and for what the system puts at both ends.
pub(crate) const STACK_BYTES: usize = NATIVE_BYTES - (72 << 10);
/// What tools show of a native thread whose Ruby thread has no name.
const UNNAMED: &[u8] = b"carat";
/// How often the main thread, while it is parked, looks whether a signal came: a signal handler cannot wake it.
const SIGNAL_SLICE: Duration = Duration::from_millis(20);
/// Least time of a computation that is attempted again, after the first attempt was interrupted.
const SECOND_ATTEMPT: Duration = Duration::from_millis(10);
/// Stands for `Thread#kill` in a list of interrupts.
const KILL: Value = Value::len(0);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThreadStatus {
    Running,
    Sleeping,
    SleepingForever,
    /// It was killed and runs its `ensure` clauses.
    Aborting,
    Dead,
}

/// Whether a thread that waits without limit counts as one that may still go on by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wait {
    /// Only another thread can wake it: if all wait like this, that is a deadlock.
    ForOthers,
    Idle,
}

/// Contents of a `Thread` object.
pub struct Thread {
    /// Its context while it lives.
    ec: *mut Ec,
    status: ThreadStatus,
    /// Waits without limit for another thread.
    is_deadlockable: bool,
    body: Value,
    args: Value,
    keywords: Value,
    /// Fiber storage for its first fiber.
    storage: Value,
    value: Value,
    /// The exception that ended it, or nil.
    error: Value,
    /// What is to be raised in it, oldest first.
    interrupts: VecDeque<Value>,
    /// Masks of `handle_interrupt`, innermost last.
    masks: Vec<Value>,
    /// Its last fiber, once it is dead.
    last_fiber: Value,
    joiners: WaitList,
    /// Its fiber scheduler, or nil.
    scheduler: Value,
    /// Interrupts are not delivered while this is not 0.
    interrupt_holds: u32,
    /// Objects to tell when it ends: the mutexes that it holds.
    held: Vec<Value>,
    pub name: Value,
    pub group: Value,
    /// `thread_variable_get` and `thread_variable_set`, a Hash or nil.
    pub variables: Value,
    pub priority: i64,
    /// Its body is over.
    is_ending: bool,
    /// The main thread of a program that has ended, while it waits for the others.
    is_over: bool,
    /// It was killed.
    is_aborting: bool,
    /// The system's number of it; 0 before it runs.
    native_id: i64,
    pub reports_exception: bool,
    pub aborts_on_exception: bool,
    pub(super) wake: Arc<Wake>,
    /// How many waits it is in, one inside the other: a signal handler or finalizer may wait while its thread does.
    waits: u32,
    missed: Missed,
    /// It waits for what another Ractor brings about.
    pub(super) waits_for_ractor: bool,
}

/// What a wait may have missed while another one ran inside it: there is one place where a thread is woken, and the inner wait
/// takes what it finds there. It also leaves the list of waiting threads that both may stand in.
#[derive(Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Missed {
    #[default]
    Nothing,
    /// Whoever can look again whether there is something to wait for does so.
    Perhaps,
    /// Somebody had woken the thread when the inner wait began.
    WakeUp,
}

/// Threads that wait for something, first come first. None of them exists in a forked child, whose list is empty.
#[derive(Default)]
pub struct WaitList {
    threads: VecDeque<Value>,
    /// The process, by its number of forks, in which they wait.
    forks: u32,
}

/// Where a parked thread sleeps, and how one is reached that the system keeps.
#[derive(Default)]
pub(crate) struct Wake {
    state: Mutex<WakeState>,
    changed: Condvar,
    pub(super) blocked: Blocked,
}

#[derive(Default, Clone, Copy)]
struct WakeState {
    is_woken: bool,
    is_interrupted: bool,
}

/// Settings that all threads share.
#[derive(Default)]
pub struct ThreadSettings {
    /// Class `fatal`.
    fatal: AtomicU64,
    pub no_report: AtomicBool,
    pub ignores_deadlock: AtomicBool,
    pub aborts_on_exception: AtomicBool,
}

impl NativeData for Thread {
    const NAME: &'static str = "thread";

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        let values = [
            self.body,
            self.args,
            self.keywords,
            self.storage,
            self.value,
            self.error,
            self.last_fiber,
            self.name,
            self.group,
            self.variables,
            self.scheduler,
        ];
        values.into_iter().for_each(&mut *mark);
        self.interrupts.iter().chain(&self.masks).chain(&self.held).for_each(|v| mark(*v));
        self.joiners.mark(mark);
    }
}

impl WaitList {
    fn of_process(&mut self) -> &mut VecDeque<Value> {
        let forks = carat_os::process::forks();
        if self.forks != forks {
            self.threads.clear();
            self.forks = forks;
        }
        &mut self.threads
    }

    pub fn add(&mut self, thread: Value) {
        self.of_process().push_back(thread);
    }

    pub fn remove(&mut self, thread: Value) {
        self.of_process().retain(|t| *t != thread);
    }

    /// Removes what was added last of a thread or fiber that may be in the list several times.
    pub fn remove_last(&mut self, thread: Value) {
        let threads = self.of_process();
        if let Some(at) = threads.iter().rposition(|t| *t == thread) {
            threads.remove(at);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = Value> + '_ {
        let exist = self.forks == carat_os::process::forks();
        self.threads.iter().copied().filter(move |_| exist)
    }

    pub fn len(&self) -> usize {
        self.iter().count()
    }

    pub fn is_empty(&self) -> bool {
        self.first().is_none()
    }

    pub fn pop(&mut self) -> Option<Value> {
        self.of_process().pop_front()
    }

    pub fn first(&self) -> Option<Value> {
        self.iter().next()
    }

    pub fn mark(&self, mark: &mut dyn FnMut(Value)) {
        self.iter().for_each(mark);
    }
}

impl Wake {
    /// Lets the thread go on that waits, or waits next.
    pub(crate) fn wake(&self) {
        self.update(|s| s.is_woken = true);
    }

    /// Interrupts the system call that the thread is in, if it is in one.
    pub(crate) fn kick(self: &Arc<Wake>) {
        if self.blocked.kick() {
            let wake = self.clone();
            crate::concurrency::blocking::keep_kicking(move || wake.blocked.kick());
        }
    }

    fn update(&self, f: impl FnOnce(&mut WakeState)) {
        f(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }

    /// What came since the last call.
    fn take(&self) -> WakeState {
        std::mem::take(&mut *self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn peek(&self) -> WakeState {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until something comes, or for `limit`.
    fn wait(&self, limit: Option<Duration>) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_quiet = |s: &mut WakeState| !s.is_woken && !s.is_interrupted;
        match limit {
            Some(limit) => drop(self.changed.wait_timeout_while(state, limit, is_quiet)),
            None => drop(self.changed.wait_while(state, is_quiet)),
        }
    }
}

impl Thread {
    fn new() -> Thread {
        Thread {
            ec: std::ptr::null_mut(),
            status: ThreadStatus::Running,
            is_deadlockable: false,
            body: Value::NIL,
            args: Value::NIL,
            keywords: Value::NIL,
            storage: Value::NIL,
            value: Value::NIL,
            error: Value::NIL,
            interrupts: VecDeque::new(),
            masks: Vec::new(),
            last_fiber: Value::NIL,
            joiners: WaitList::default(),
            scheduler: Value::NIL,
            interrupt_holds: 0,
            held: Vec::new(),
            name: Value::NIL,
            group: Value::NIL,
            variables: Value::NIL,
            priority: 0,
            is_ending: false,
            is_over: false,
            is_aborting: false,
            native_id: 0,
            reports_exception: true,
            aborts_on_exception: false,
            wake: Arc::default(),
            waits: 0,
            missed: Missed::Nothing,
            waits_for_ractor: false,
        }
    }

    /// The first thread of a Ractor, which `ec` is the context of.
    pub(crate) fn begun_by(ec: &mut Ec) -> Thread {
        let settings = ec.vm().extension::<ThreadSettings>();
        let reports_exception = !settings.no_report.load(Ordering::Relaxed);
        Thread { ec, reports_exception, ..Thread::new() }
    }

    pub fn status(&self) -> ThreadStatus {
        match self.status {
            _ if self.is_over => ThreadStatus::Dead,
            ThreadStatus::Running if self.is_aborting => ThreadStatus::Aborting,
            status if status != ThreadStatus::Dead && self.interrupts.contains(&KILL) => ThreadStatus::Aborting,
            status => status,
        }
    }

    /// It sleeps or is dead; one that was killed may still sleep.
    pub fn is_stopped(&self) -> bool {
        self.is_over || self.status != ThreadStatus::Running
    }

    /// The program has ended: from now on the main thread counts as dead.
    pub fn note_over(&mut self) {
        self.is_over = true;
    }

    /// Another thread has woken it: it counts as running before it has its turn.
    pub fn note_woken(&mut self) {
        if matches!(self.status, ThreadStatus::Sleeping | ThreadStatus::SleepingForever) {
            self.status = ThreadStatus::Running;
        }
    }

    /// The system's number of the thread while it lives.
    pub fn native_id(&self) -> Option<i64> {
        (self.is_alive() && self.native_id != 0).then_some(self.native_id)
    }

    pub fn is_alive(&self) -> bool {
        self.status != ThreadStatus::Dead
    }

    /// It was killed and runs what the way out has for it.
    pub fn is_aborting(&self) -> bool {
        self.is_aborting
    }

    pub fn is_initialized(&self) -> bool {
        !self.ec.is_null() || !self.is_alive()
    }

    pub fn body(&self) -> Value {
        self.body
    }

    pub fn error(&self) -> Value {
        self.error
    }

    pub fn value(&self) -> Value {
        self.value
    }

    pub fn interrupts(&self) -> impl Iterator<Item = Value> {
        self.interrupts.iter().copied()
    }

    pub(crate) fn scheduler(&self) -> Value {
        self.scheduler
    }

    pub(crate) fn set_scheduler(&mut self, scheduler: Value) {
        self.scheduler = scheduler;
    }

    /// What it did before, it does again: a thread that has ended stays so, whatever it calls on its way out.
    fn set_status(&mut self, status: ThreadStatus) {
        if self.status != ThreadStatus::Dead {
            self.status = status;
        }
    }

    fn waits_for_others(&self) -> bool {
        let wake = self.wake.peek();
        self.status == ThreadStatus::SleepingForever && self.is_deadlockable && !wake.is_woken && !wake.is_interrupted
    }
}

/// Allocator of `Thread`.
pub fn allocate(ec: &mut Ec, class: Class) -> Result {
    Ok(Data::new(ec, class, Thread::new()).value())
}

/// A context on its way to its thread.
pub(crate) struct Start(pub(crate) Box<Ec>);

// SAFETY: the context goes to one thread, which uses it only while it has the Ractor's turn.
unsafe impl Send for Start {}

impl Ec {
    // ---- life ----

    /// Makes the running context a Ractor's main thread.
    pub fn adopt_main_thread(&mut self, fatal: Class) {
        let settings = self.vm().extension::<ThreadSettings>();
        settings.fatal.store(self.vm().keep(fatal.value()).bits(), Ordering::Release);
        self.make_thread_of_context();
    }

    pub(crate) fn make_thread_of_context(&mut self) -> Data<Thread> {
        let thread = Data::new(self, self.vm().known().thread, Thread::new());
        let context: *mut Ec = self;
        let state = thread.get_mut(self);
        (state.ec, state.native_id) = (context, native_id());
        self.thread = thread.value();
        self.ractor().set_main_thread(thread.value());
        self.ractor().shared.set_main_wake(thread.get(self).wake.clone());
        thread
    }

    pub fn thread_data(&self) -> Data<Thread> {
        Data::from_value(self.thread).expect("a context that runs Ruby code has a thread")
    }

    pub fn main_thread(&self) -> Value {
        self.ractor().main_thread()
    }

    /// The context of the Ractor's main thread.
    pub(crate) fn main_context(&self) -> *const Ec {
        let main = self.main_thread();
        match Data::<Thread>::from_value(main) {
            Some(thread) if main != self.thread => thread.get(self).ec,
            _ => self,
        }
    }

    pub fn thread_error(&mut self, message: &str) -> crate::Unwind {
        self.error(self.vm().known().thread_error, message)
    }

    /// `ThreadError` of a thread, or a Ractor, for which the system or the VM's limits have no room.
    pub(crate) fn no_thread(&mut self, error: &std::io::Error) -> crate::Unwind {
        self.thread_error(&format!("can't create Thread: {}", carat_os::error_text(error)))
    }

    /// Living threads of the Ractor.
    pub fn living_threads(&self) -> Array {
        let list = Array::new(self, 0);
        for context in self.ractor().contexts.borrow().iter() {
            // SAFETY: contexts in the list are alive, and their threads wait for their turn.
            let thread = unsafe { (**context).thread };
            if Data::<Thread>::from_value(thread).is_some_and(|t| t.get(self).is_alive()) {
                list.push(self, thread);
            }
        }
        list
    }

    /// Whether the Ractor has no other thread than the running one.
    pub fn is_only_thread(&self) -> bool {
        let me = self.current_thread();
        self.ractor().contexts.borrow().iter().all(|context| {
            // SAFETY: as above.
            let thread = unsafe { (**context).thread };
            thread == me || !Data::<Thread>::from_value(thread).is_some_and(|t| t.get(self).is_alive())
        })
    }

    /// Kills every other thread of the Ractor, those that begin meanwhile too, and waits until they are gone: what they have
    /// to put away may take any time. With a limit one that cannot be reached is left behind.
    pub fn terminate_threads(&mut self, limit: Option<Duration>) {
        const MOST: Duration = Duration::from_millis(5);
        let deadline = limit.map(|limit| Instant::now() + limit);
        let mut pause = Duration::from_micros(200);
        self.kill_other_threads(true);
        while self.ractor().contexts.borrow().len() > 1 && deadline.is_none_or(|d| Instant::now() < d) {
            self.without_turn(|| std::thread::sleep(pause));
            pause = (pause * 2).min(MOST);
            // Whoever interrupts this has not seen the program end: all are told once more.
            let is_interrupted = self.check_interrupts_blocking().is_err();
            self.kill_other_threads(is_interrupted);
        }
    }

    /// Asks all other threads of the Ractor to end, or only those that nobody asked yet; who was asked and waits for the
    /// system is interrupted again.
    fn kill_other_threads(&mut self, all: bool) {
        let others = self.living_threads();
        for i in 0..others.len(self) {
            let Some(thread) = Data::<Thread>::from_value(others.at(self, i)).filter(|t| t.value() != self.thread)
            else {
                continue;
            };
            let (is_asked, is_aborting) = (thread.get(self).interrupts.contains(&KILL), thread.get(self).is_aborting);
            if all || !is_asked && !is_aborting {
                thread.post_interrupt(self, KILL);
            } else if is_asked {
                thread.get(self).wake.blocked.kick();
            }
        }
    }

    // ---- waiting ----

    /// Waits until another thread wakes this one (true) or the deadline passes (false). Delivers interrupts.
    pub fn park(&mut self, deadline: Option<Instant>, wait: Wait) -> Result<bool> {
        self.park_inside(deadline, wait, false)
    }

    /// As [`Ec::park`], for those who look again at what they wait for: it may end, as if woken, after an interrupt whose
    /// handler waited, too.
    pub(crate) fn park_and_look(&mut self, deadline: Option<Instant>, wait: Wait) -> Result<bool> {
        self.park_inside(deadline, wait, true)
    }

    fn park_inside(&mut self, deadline: Option<Instant>, wait: Wait, looks_again: bool) -> Result<bool> {
        let thread = self.thread_data();
        let wake = thread.get(self).wake.clone();
        let was_woken = wake.take().is_woken;
        self.enter_wait();
        let result = self.park_with(thread, &wake, deadline, wait, looks_again);
        self.leave_wait(was_woken);
        let state = thread.get_mut(self);
        state.set_status(ThreadStatus::Running);
        state.is_deadlockable = false;
        result
    }

    fn enter_wait(&mut self) {
        let thread = self.thread_data();
        let state = thread.get_mut(self);
        state.waits += 1;
        state.missed = Missed::Nothing;
    }

    /// Tells the wait around this one, if there is one; `was_woken` is whether the thread was when this one began.
    fn leave_wait(&mut self, was_woken: bool) {
        let thread = self.thread_data();
        let state = thread.get_mut(self);
        state.waits -= 1;
        let missed = if was_woken { Missed::WakeUp } else { Missed::Perhaps };
        state.missed = if state.waits > 0 { missed } else { Missed::Nothing };
    }

    fn park_with(
        &mut self,
        thread: Data<Thread>,
        wake: &Arc<Wake>,
        deadline: Option<Instant>,
        wait: Wait,
        looks_again: bool,
    ) -> Result<bool> {
        loop {
            if self.interrupts.load(Ordering::SeqCst) != 0 {
                self.poll()?;
            }
            self.deliver_interrupts(true)?;
            let missed = std::mem::take(&mut thread.get_mut(self).missed);
            let is_missed = missed == Missed::WakeUp || missed == Missed::Perhaps && looks_again;
            if wake.take().is_woken || is_missed {
                return Ok(true);
            }
            let now = Instant::now();
            if deadline.is_some_and(|d| d <= now) {
                return Ok(false);
            }
            let state = thread.get_mut(self);
            state.set_status(if deadline.is_some() { ThreadStatus::Sleeping } else { ThreadStatus::SleepingForever });
            state.is_deadlockable = deadline.is_none() && wait == Wait::ForOthers;
            if self.is_deadlocked() {
                self.report_deadlock();
                continue;
            }
            self.sleep_until(wake, deadline);
            thread.get_mut(self).set_status(ThreadStatus::Running);
        }
    }

    /// Waits until `look` finds something, which other Ractors may bring about: they wake this thread by what `look` is
    /// given. Delivers interrupts.
    pub(crate) fn park_until<R>(&mut self, mut look: impl FnMut(&mut Ec, &Arc<Wake>) -> Option<R>) -> Result<R> {
        let thread = self.thread_data();
        let wake = thread.get(self).wake.clone();
        let mut was_woken = None;
        loop {
            // In this order: what comes after the look wakes.
            let is_woken = wake.take().is_woken;
            if let Some(found) = look(self, &wake) {
                return Ok(found);
            }
            self.enter_wait();
            thread.get_mut(self).waits_for_ractor = true;
            if self.has_requests() && self.is_main_ractor() {
                // Who does one did not do more; see `requests`.
                self.arm(interrupt::REQUEST);
            }
            let result = self.park_with(thread, &wake, None, Wait::Idle, true);
            thread.get_mut(self).waits_for_ractor = false;
            self.leave_wait(*was_woken.get_or_insert(is_woken));
            thread.get_mut(self).set_status(ThreadStatus::Running);
            result?;
        }
    }

    fn sleep_until(&mut self, wake: &Wake, deadline: Option<Instant>) {
        let is_main = self.thread == self.main_thread();
        let interrupts: *const AtomicU32 = &raw const self.interrupts;
        self.without_turn(|| {
            loop {
                let left = deadline.map(|d| d.saturating_duration_since(Instant::now()));
                let slice = if is_main { Some(left.map_or(SIGNAL_SLICE, |l| l.min(SIGNAL_SLICE))) } else { left };
                wake.wait(slice);
                let state = wake.peek();
                // SAFETY: the context outlives this call, and the word is atomic.
                let is_asked = unsafe { (*interrupts).load(Ordering::SeqCst) }
                    & (interrupt::SIGNAL | interrupt::RAISE | interrupt::REQUEST)
                    != 0;
                if state.is_woken || state.is_interrupted || is_asked || deadline.is_some_and(|d| d <= Instant::now()) {
                    return;
                }
            }
        });
    }

    /// Lets a parked thread go on, or a fiber that waits for `owner`: then its scheduler is told, and may raise.
    pub fn wake(&mut self, owner: Value, waiter: Value) -> Result<()> {
        if let Some(thread) = Data::<Thread>::from_value(waiter) {
            let wake = &thread.get(self).wake;
            wake.update(|s| s.is_woken = true);
            // C code that waits by itself is told, too.
            wake.kick();
        } else if let Some(fiber) = Data::<Fiber>::from_value(waiter) {
            return self.unblock_fiber(owner, fiber);
        }
        Ok(())
    }

    /// Runs something that no interrupt may end in the middle; what came meanwhile arrives at the next poll.
    pub fn holding_interrupts<R>(&mut self, work: impl FnOnce(&mut Ec) -> R) -> R {
        let thread = self.thread_data();
        thread.get_mut(self).interrupt_holds += 1;
        let result = work(self);
        let state = thread.get_mut(self);
        state.interrupt_holds -= 1;
        if !state.interrupts.is_empty() {
            self.arm(interrupt::RAISE);
        }
        result
    }

    /// Enters the running thread in the list that `list` finds, parks, and leaves it again.
    pub fn wait_in(
        &mut self,
        list: impl Fn(&mut Ec) -> &mut WaitList,
        owner: Value,
        deadline: Option<Instant>,
    ) -> Result<bool> {
        let me = self.waiter();
        list(self).add(me);
        self.wrote(owner);
        let result = self.park_for(owner, deadline);
        list(self).remove(me);
        if result.is_err()
            && let Some(next) = list(self).first()
        {
            // The wake-up may have been meant for whoever can use it.
            let pending = self.pending();
            self.wake(owner, next)?;
            return Err(self.unwind(pending));
        }
        result
    }

    /// Whether other threads wait for their turn.
    pub fn turn_has_waiters(&self) -> bool {
        self.ractor().shared.has_waiters()
    }

    /// Lets other threads run that wait for their turn.
    pub fn pass_turn(&mut self) -> Result<()> {
        if self.turn_has_waiters() {
            self.without_turn(|| ());
        }
        self.check_ints()
    }

    // ---- mutexes held ----

    /// Whether the running thread's body is still under way; false while it gives back what it holds.
    pub fn is_thread_running(&self) -> bool {
        !self.thread_data().get(self).is_ending
    }

    pub fn note_held(&mut self, mutex: Value) {
        let thread = self.thread_data();
        thread.get_mut(self).held.push(mutex);
        self.wrote(thread.value());
    }

    pub fn note_released(&mut self, mutex: Value) {
        let thread = self.thread_data();
        let held = &mut thread.get_mut(self).held;
        // The one taken last is mostly the first to be given back.
        if let Some(place) = held.iter().rposition(|m| *m == mutex) {
            held.remove(place);
        }
    }

    // ---- interrupts ----

    fn end_running_thread(&mut self) -> crate::Unwind {
        if self.thread == self.main_thread() && self.is_main_ractor() {
            let class = self.vm().known().system_exit.value();
            let message = crate::Str::from_text(self, "exit").value();
            return match self.call(class, crate::sym::NEW, &[message]) {
                Ok(exit) => self.raise(exit),
                Err(unwind) => unwind,
            };
        }
        let thread = self.thread_data();
        let state = thread.get_mut(self);
        state.is_aborting = true;
        // What was sent before and waits behind a mask does not arrive in a thread that ends.
        state.interrupts.clear();
        self.throw_kill()
    }

    // ---- blocking system calls ----

    /// Runs a system call that may block while other threads take their turns; the thread counts as asleep. When it is
    /// interrupted, or was before it could begin, the result is `EINTR`. `fd` is what it waits for, -1 for nothing closable.
    pub fn blocking<R>(&mut self, fd: i32, call: impl FnOnce() -> std::io::Result<R>) -> std::io::Result<R> {
        self.blocking_until(ThreadStatus::Sleeping, fd, None, call)
    }

    /// As [`Ec::blocking`]; `shown` is what the thread counts as meanwhile.
    pub fn blocking_as<R>(
        &mut self,
        shown: ThreadStatus,
        fd: i32,
        call: impl FnOnce() -> std::io::Result<R>,
    ) -> std::io::Result<R> {
        self.blocking_until(shown, fd, None, call)
    }

    /// The same; with `unblock`, that function ends the call instead of a signal.
    pub(crate) fn blocking_until<R>(
        &mut self,
        shown: ThreadStatus,
        fd: i32,
        unblock: Option<super::blocking::Unblock>,
        call: impl FnOnce() -> std::io::Result<R>,
    ) -> std::io::Result<R> {
        self.inside_call(shown, fd, unblock, call, |ec, call| ec.without_turn(call))
    }

    /// As [`Ec::blocking`], for a call that takes no time as a rule: the thread counts as running, and others take their turns
    /// only if it takes long.
    pub fn hardly_blocking<R>(&mut self, fd: i32, call: impl FnOnce() -> std::io::Result<R>) -> std::io::Result<R> {
        self.inside_call(ThreadStatus::Running, fd, None, call, |ec, call| ec.lending_turn(call))
    }

    fn inside_call<R>(
        &mut self,
        shown: ThreadStatus,
        fd: i32,
        unblock: Option<super::blocking::Unblock>,
        call: impl FnOnce() -> std::io::Result<R>,
        run: impl FnOnce(&mut Ec, &mut dyn FnMut() -> Option<std::io::Result<R>>) -> Option<std::io::Result<R>>,
    ) -> std::io::Result<R> {
        let thread = self.thread_data();
        let wake = thread.get(self).wake.clone();
        let status = std::mem::replace(&mut thread.get_mut(self).status, shown);
        let interrupts: *const AtomicU32 = &raw const self.interrupts;
        self.ractor().count_call_on(fd, 1);
        wake.blocked.enter(fd, unblock);
        // It is copied out of this frame, not taken: nothing is written here while another thread's collection may scan it.
        let mut call = ManuallyDrop::new(call);
        let result = run(self, &mut || {
            // SAFETY: the context outlives this call, and the word is atomic.
            let asked = unsafe { (*interrupts).load(Ordering::SeqCst) };
            let is_wanted = asked & (interrupt::SIGNAL | interrupt::RAISE) == 0;
            is_wanted.then(|| {
                // SAFETY: this runs once at most, and whoever is answered something takes the call for gone.
                let call = unsafe { ManuallyDrop::take(&mut call) };
                call()
            })
        });
        wake.blocked.leave();
        self.ractor().count_call_on(fd, -1);
        thread.get_mut(self).status = status;
        result.unwrap_or_else(|| {
            // SAFETY: it did not run.
            unsafe { ManuallyDrop::drop(&mut call) };
            Err(std::io::Error::from_raw_os_error(libc::EINTR))
        })
    }

    /// Computes on what no other thread can change while others take their turns. `work` asks now and then whether
    /// something came for this thread, and answers `None` if so. What came is served, and unless that raised the work
    /// begins anew; each time it may go on for longer, so that signals cannot keep it from ending.
    pub fn compute<R>(&mut self, work: impl Fn(&dyn Fn() -> bool) -> Option<R>) -> Result<R> {
        self.with_patience(|ec, is_asked| ec.without_turn(|| work(is_asked)))
    }

    /// As [`Ec::compute`], for work that looks at objects and makes some: it keeps its turn.
    pub fn compute_on_objects<R>(&mut self, work: impl Fn(&Ec, &dyn Fn() -> bool) -> Option<R>) -> Result<R> {
        self.with_patience(|ec, is_asked| work(ec, is_asked))
    }

    fn with_patience<R>(&mut self, attempt: impl Fn(&mut Ec, &dyn Fn() -> bool) -> Option<R>) -> Result<R> {
        let interrupts: *const AtomicU32 = &raw const self.interrupts;
        // When the attempt began and how long it may take at least; the first one is not timed, as most are short.
        let mut patience: Option<(Instant, Duration)> = None;
        loop {
            let is_asked = || {
                // SAFETY: the context outlives this call, and the word is atomic.
                let asked = unsafe { (*interrupts).load(Ordering::SeqCst) };
                asked & (interrupt::SIGNAL | interrupt::RAISE) != 0
                    && patience.is_none_or(|(began, least)| began.elapsed() >= least)
            };
            if let Some(result) = attempt(self, &is_asked) {
                return Ok(result);
            }
            let least = patience.map_or(SECOND_ATTEMPT, |(began, _)| began.elapsed() * 4);
            self.check_interrupts_blocking()?;
            patience = Some((Instant::now(), least));
        }
    }

    /// Runs what cannot be asked whether anybody still wants it, on a thread of its own with so much stack, while others take
    /// their turns. If what comes for this thread raises, the work is left behind: all it has is its own, and when it ends
    /// its result is dropped. Without such a thread the answer is `None`.
    pub fn beside<R: Send + 'static>(
        &mut self,
        name: &str,
        stack_bytes: usize,
        work: impl FnOnce() -> R + Send + 'static,
    ) -> Result<Option<R>> {
        Ok(self.beside_until(name, stack_bytes, None, work)?.ok())
    }

    /// As [`Ec::beside`]; the work is left behind at the deadline, too. The error says whether it was that.
    pub fn beside_until<R: Send + 'static>(
        &mut self,
        name: &str,
        stack_bytes: usize,
        deadline: Option<Instant>,
        work: impl FnOnce() -> R + Send + 'static,
    ) -> Result<std::result::Result<R, RecvTimeoutError>> {
        let (sender, receiver) = sync_channel(1);
        let builder = Builder::new().name(name.into()).stack_size(stack_bytes);
        // Nobody may be there any more.
        let begun = carat_os::thread::spawn(builder, move || drop(sender.send(work())));
        if begun.is_err() {
            return Ok(Err(RecvTimeoutError::Disconnected));
        }
        let interrupts: *const AtomicU32 = &raw const self.interrupts;
        let is_over = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        loop {
            let received = self.without_turn(|| {
                loop {
                    let received = receiver.recv_timeout(SIGNAL_SLICE);
                    // SAFETY: the context outlives this call, and the word is atomic.
                    let asked = unsafe { (*interrupts).load(Ordering::SeqCst) };
                    let is_asked = asked & (interrupt::SIGNAL | interrupt::RAISE) != 0;
                    if is_asked || !matches!(received, Err(RecvTimeoutError::Timeout)) || is_over() {
                        break received;
                    }
                }
            });
            match received {
                Err(RecvTimeoutError::Timeout) => self.check_interrupts_blocking()?,
                ended => return Ok(ended),
            }
            if is_over() {
                return Ok(Err(RecvTimeoutError::Timeout));
            }
        }
    }

    /// Delivers what came for the running thread, as a blocking operation does.
    pub fn check_interrupts_blocking(&mut self) -> Result<()> {
        self.check_ints()?;
        self.deliver_interrupts(true)
    }

    /// Whether another thread may be in a system call on a descriptor.
    pub fn others_use_descriptors(&self) -> bool {
        self.ractor().calls_on_descriptors.get() > 0
    }

    /// Raises `exception` in all other threads that wait for a descriptor, and waits until none does.
    pub fn interrupt_blocked_on(&mut self, fd: i32, exception: Value) {
        let threads = self.living_threads();
        let mut waiting = Vec::new();
        for index in 0..threads.len(self) {
            let Some(thread) = Data::<Thread>::from_value(threads.at(self, index)) else { continue };
            if thread.value() != self.thread && thread.get(self).wake.blocked.is_on(fd) {
                waiting.push(thread.get(self).wake.clone());
                thread.post_interrupt(self, exception);
            }
        }
        let deadline = Instant::now() + Duration::from_secs(1);
        while waiting.iter().any(|w| w.blocked.is_on(fd)) && Instant::now() < deadline {
            self.without_turn(|| std::thread::sleep(Duration::from_micros(100)));
        }
    }

    /// In a forked child only the running thread is left.
    pub fn forget_other_threads(&mut self) {
        self.ractor().calls_on_descriptors.set(0);
        let threads = self.living_threads();
        for index in 0..threads.len(self) {
            let Some(thread) = Data::<Thread>::from_value(threads.at(self, index)) else { continue };
            if thread.value() != self.thread {
                let context = thread.get(self).ec;
                let state = thread.get_mut(self);
                (state.status, state.ec, state.scheduler) = (ThreadStatus::Dead, std::ptr::null_mut(), Value::NIL);
                state.held.clear();
                forget_context(self, context);
            }
        }
        self.vm().forget_autoloads_but(self.thread);
        if let Some(forget_loads) = self.vm().hooks().forget_loads {
            forget_loads(self);
        }
        let only = self.thread_data();
        only.get_mut(self).scheduler = Value::NIL;
        let fiber = self.current_fiber();
        fiber.become_first(self);
        self.ractor().set_main_thread(only.value());
        self.ractor().shared.set_main_wake(only.get(self).wake.clone());
    }

    /// Delivers what `handle_interrupt` has deferred until something may block, as writing may.
    pub fn deliver_deferred(&mut self) -> Result<()> {
        let thread = Data::<Thread>::from_value(self.thread);
        if thread.is_none_or(|thread| thread.get(self).interrupts.is_empty()) {
            return Ok(());
        }
        self.deliver_interrupts(true)
    }

    /// Raises the oldest interrupt that no mask defers.
    pub(crate) fn deliver_interrupts(&mut self, is_blocking: bool) -> Result<()> {
        let Some(thread) = Data::<Thread>::from_value(self.thread) else { return Ok(()) };
        if thread.get(self).interrupt_holds > 0 {
            return Ok(());
        }
        let mut index = 0;
        while let Some(what) = thread.get(self).interrupts.get(index).copied() {
            if self.is_deferred(thread, what, is_blocking) {
                index += 1;
                continue;
            }
            thread.get_mut(self).interrupts.remove(index);
            self.interruptions += 1;
            let unwind = if what == KILL { self.end_running_thread() } else { self.raise_delivered(what) };
            if !thread.get(self).interrupts.is_empty() {
                // The next one arrives at the next poll.
                self.arm(interrupt::RAISE);
            }
            return Err(unwind);
        }
        Ok(())
    }

    /// What another thread sent is asked for an exception once more, here.
    fn raise_delivered(&mut self, what: Value) -> crate::Unwind {
        match self.call(what, crate::sym::EXCEPTION, &[]) {
            Ok(exception) if self.is_a(exception, self.vm().known().exception) => self.raise(exception),
            Ok(_) => self.type_error("exception object expected"),
            Err(unwind) => unwind,
        }
    }

    fn is_deferred(&self, thread: Data<Thread>, what: Value, is_blocking: bool) -> bool {
        let classes = self.class_of(what).mro();
        for mask in thread.get(self).masks.iter().rev().filter_map(|m| Hash::from_value(*m)) {
            for class in classes.iter() {
                if let Some(timing) = mask_of(self, mask, *class) {
                    let timing = self.vm().symbol_text(timing);
                    return timing == "never" || (timing == "on_blocking" && !is_blocking);
                }
            }
        }
        false
    }

    /// Puts an exception in the running thread's queue if a mask may defer it: false if there is none.
    pub fn interrupt_myself(&mut self, exception: Value) -> bool {
        let thread = self.thread_data();
        if thread.get(self).masks.is_empty() {
            return false;
        }
        thread.post_interrupt(self, exception);
        true
    }

    /// Pushes a mask of `handle_interrupt`; what it lets through is delivered at the next poll.
    pub fn push_interrupt_mask(&mut self, mask: Hash) {
        let thread = self.thread_data();
        let state = thread.get_mut(self);
        state.masks.push(mask.value());
        if !state.interrupts.is_empty() {
            self.arm(interrupt::RAISE);
        }
        self.wrote(thread.value());
    }

    /// Takes the innermost mask off; what it deferred is delivered at the next poll.
    pub fn pop_interrupt_mask(&mut self) {
        let thread = self.thread_data();
        let state = thread.get_mut(self);
        state.masks.pop();
        if !state.interrupts.is_empty() {
            self.arm(interrupt::RAISE);
        }
    }

    // ---- deadlock ----

    fn is_deadlocked(&self) -> bool {
        if self.vm().extension::<ThreadSettings>().ignores_deadlock.load(Ordering::Relaxed) {
            return false;
        }
        let contexts = self.ractor().contexts.borrow();
        // SAFETY: contexts in the list are alive, and their threads wait for their turn.
        contexts.iter().all(|c| unsafe {
            Data::<Thread>::from_value((**c).thread).is_some_and(|t| t.get(self).waits_for_others())
        })
    }

    /// Raises `fatal` in the main thread.
    fn report_deadlock(&mut self) {
        let settings = self.vm().extension::<ThreadSettings>();
        // SAFETY: `adopt_main_thread` stored a class, which the VM keeps alive.
        let fatal = Class::from_value(unsafe { Value::from_bits(settings.fatal.load(Ordering::Acquire)) });
        let threads = self.living_threads();
        let count = threads.len(self);
        let mut text = format!(
            "No live threads left. Deadlock?\n{count} threads, {count} sleeps current:{} main thread:{}",
            self.address_text(self.thread),
            self.address_text(self.main_thread())
        );
        for i in 0..count {
            text.push_str(&self.deadlocked_thread_text(threads.at(self, i)));
        }
        text.push('\n');
        let exception = self.new_exception(fatal.unwrap_or(self.vm().known().exception), &text);
        if let Some(main) = Data::<Thread>::from_value(self.main_thread()) {
            main.post_interrupt(self, exception);
        }
    }
}

/// Ends a context for which there was no native thread, and its thread.
pub(crate) fn never_began(ec: &mut Ec, context: Start) {
    let Start(mut context) = context;
    unregister_context(&mut context);
    let thread = context.thread_data().get_mut(ec);
    (thread.status, thread.ec) = (ThreadStatus::Dead, std::ptr::null_mut());
}

impl Data<Thread> {
    /// Starts a thread that calls `body`.
    pub fn start(self, ec: &mut Ec, body: Proc, args: Array, keywords: Option<Hash>, storage: Value) -> Result<()> {
        let mut context = match crate::boot::new_context(ec.vm(), ec.ractor) {
            Ok(context) => context,
            Err(error) => return Err(ec.no_thread(&error)),
        };
        context.learn_known_shapes();
        context.thread = self.value();
        register_context(&mut context);
        let pointer: *mut Ec = &mut *context;
        let parent = ec.thread_data();
        let (group, priority) = (parent.get(ec).group, parent.get(ec).priority);
        // What the starting thread defers, its threads defer as well.
        let masks = parent.get(ec).masks.clone();
        let state = self.get_mut(ec);
        state.masks = masks;
        (state.body, state.args, state.keywords) =
            (body.value(), args.value(), keywords.map_or(Value::NIL, Hash::value));
        (state.group, state.priority, state.ec, state.storage) = (group, priority, pointer, storage);
        ec.wrote(self.value());
        if let Err((context, error)) = ec.vm().workers.begin(Start(context), run_thread) {
            never_began(ec, context);
            return Err(ec.no_thread(&error));
        }
        Ok(())
    }

    /// The fiber whose local variables `Thread#[]` means.
    pub fn fiber(self, ec: &mut Ec) -> Data<Fiber> {
        if self.value() == ec.thread {
            return ec.current_fiber();
        }
        let state = self.get(ec);
        if state.ec.is_null() {
            return Data::from_value(state.last_fiber).unwrap_or_else(|| ec.current_fiber());
        }
        // SAFETY: a living thread's context; the thread waits for its turn.
        unsafe { (*state.ec).current_fiber() }
    }

    /// The frames of a thread, as backtraces show them; `None` if it is dead.
    pub fn locations(self, ec: &Ec) -> Option<Vec<crate::run::backtrace::Location>> {
        if self.value() == ec.thread {
            return Some(crate::run::backtrace::locations(ec, 0));
        }
        let context = self.get(ec).ec;
        // SAFETY: as above; its frames were published when it gave up its turn.
        (!context.is_null()).then(|| unsafe { crate::run::backtrace::locations(&*context, 0) })
    }

    /// Waits for a thread to end; false if the deadline comes first.
    pub fn join(self, ec: &mut Ec, deadline: Option<Instant>) -> Result<bool> {
        while self.get(ec).is_alive() {
            let woken = ec.wait_in(|ec| &mut self.get_mut(ec).joiners, self.value(), deadline)?;
            if !woken && self.get(ec).is_alive() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `Thread#raise` with an exception object.
    pub fn raise(self, ec: &mut Ec, exception: Value) -> Result<()> {
        if self.value() == ec.thread {
            // A mask holds back what a thread raises in itself, too.
            return if ec.interrupt_myself(exception) {
                ec.deliver_interrupts(false)
            } else {
                Err(ec.raise(exception))
            };
        }
        if self.get(ec).is_alive() {
            self.post_interrupt(ec, exception);
        }
        Ok(())
    }

    /// `Thread#kill`
    pub fn kill(self, ec: &mut Ec) -> Result<()> {
        if !self.get(ec).is_alive() {
            return Ok(());
        }
        if self.value() != ec.thread {
            self.post_interrupt(ec, KILL);
            return Ok(());
        }
        Err(ec.end_running_thread())
    }

    fn post_interrupt(self, ec: &mut Ec, what: Value) {
        let state = self.get_mut(ec);
        state.interrupts.push_back(what);
        let (wake, context) = (state.wake.clone(), state.ec);
        ec.wrote(self.value());
        if !context.is_null() {
            // SAFETY: a living thread's context; only its atomics are touched.
            unsafe { (*context).arm(interrupt::RAISE) };
        }
        wake.update(|s| s.is_interrupted = true);
        wake.kick();
    }
}

impl Ec {
    /// A line about a thread that waits for ever, and its backtrace.
    fn deadlocked_thread_text(&self, thread: Value) -> String {
        let shown = self.any_to_s(thread).to_text(self);
        let Some(data) = Data::<Thread>::from_value(thread) else { return format!("\n* {shown}") };
        let body = Proc::from_value(data.get(self).body()).and_then(Proc::iseq);
        let place = body.map(|l| format!(" {}:{}", l.iseq.path(), l.iseq.first_line)).unwrap_or_default();
        let mut text = format!("\n* {}{place} sleep_forever>", shown.trim_end_matches('>'));
        for location in data.locations(self).unwrap_or_default() {
            text.push_str(&format!("\n    {}", location.to_text()));
        }
        text
    }
}

/// What a mask says about a class.
fn mask_of(ec: &Ec, mask: Hash, class: Value) -> Option<carat_layout::SymbolId> {
    let mut position = 0;
    while let Some(next) = mask.next(ec, position) {
        position = next;
        if mask.key_at(ec, next - 1) == class {
            return mask.value_at(ec, next - 1).as_symbol();
        }
    }
    None
}

/// Asks a thread to end, also one of another Ractor while the world stands still. One that was asked and waits for the system is
/// interrupted again.
pub(crate) fn post_kill(ec: &Ec, thread: Data<Thread>) {
    // SAFETY: the thread does not run, and nothing borrows its contents.
    let state = unsafe { thread.contents_mut() };
    if state.ec.is_null() || state.is_aborting {
        return;
    }
    if state.interrupts.contains(&KILL) {
        state.wake.blocked.kick();
        return;
    }
    state.interrupts.push_back(KILL);
    ec.wrote(thread.value());
    // SAFETY: a living thread's context; only its atomics are touched.
    unsafe { (*state.ec).arm(interrupt::RAISE) };
    state.wake.update(|s| s.is_interrupted = true);
    state.wake.kick();
}

fn forget_context(ec: &Ec, context: *mut Ec) {
    ec.ractor().forget_context(context);
}

/// A thread's life.
fn run_thread(start: Start) -> Arc<RactorShared> {
    let Start(mut ec) = start;
    let marker = 0usize;
    let base = std::ptr::from_ref(&marker).addr();
    let shared = ec.ractor().shared.clone();
    ec.tell_of_thread(thread_event::STARTED);
    ec.tell_of_thread(thread_event::READY);
    shared.acquire(crate::concurrency::ractor::PATIENCE);
    ec.tell_of_thread(thread_event::RESUMED);
    ec.set_native_stack(base, STACK_BYTES);
    run_with_turn(&mut ec);
    ec.tell_of_thread(thread_event::SUSPENDED);
    ec.tell_of_thread(thread_event::EXITED);
    // The native thread may live on, for another Ruby thread.
    if !ec.thread_data().get(&ec).name.is_nil() {
        carat_os::process::name_thread(native_id(), UNNAMED);
    }
    end_context(ec);
    shared
}

#[inline(never)]
fn run_with_turn(ec: &mut Ec) {
    let root = ec.current_fiber();
    let thread = ec.thread_data();
    thread.get_mut(ec).native_id = native_id();
    if let Some(name) = Str::from_value(thread.get(ec).name) {
        carat_os::process::name_thread(native_id(), name.bytes(ec));
    }
    let storage = std::mem::replace(&mut thread.get_mut(ec).storage, Value::NIL);
    root.set_storage(ec, storage);
    let result = ec.deliver_interrupts(false).and_then(|()| call_body(ec, thread));
    let result = close_scheduler(ec, result);
    // A forked child has its main thread here: its end is the program's.
    if ec.is_main_ractor()
        && ec.ractor().main_thread() == thread.value()
        && let Some(end_program) = ec.vm().hooks().end_program
    {
        return end_program(ec, result);
    }
    let result = result.map_err(|_| ec.pending);
    finish(ec, thread, result);
    unregister_context(ec);
}

/// The system's number of the running thread.
fn native_id() -> i64 {
    // SAFETY: the call has no arguments and cannot fail.
    i64::from(unsafe { libc::gettid() })
}

/// `$!` in a thread that ends because it was killed: no exception, and not nil; schedulers tell by it that they must not wait.
const KILLED: Value = Value::fixnum_unchecked(8);

/// A thread's fibers run to their end before it ends. `$!` is what ends the thread.
fn close_scheduler(ec: &mut Ec, result: Result) -> Result {
    if ec.scheduler().is_none() {
        return result;
    }
    let (pending, class, name) = (ec.pending, ec.vm().known().fiber.value(), ec.vm().intern("set_scheduler"));
    if result.is_err() {
        let ending = ec.pending_exception().unwrap_or(KILLED);
        ec.set_errinfo(ending);
    }
    let closed = ec.call(class, name, &[Value::NIL]);
    ec.set_errinfo(Value::NIL);
    match result {
        Ok(value) => closed.map(|_| value),
        Err(_) => Err(ec.unwind(pending)),
    }
}

fn call_body(ec: &mut Ec, thread: Data<Thread>) -> Result {
    let state = thread.get(ec);
    let (body, args, keywords) =
        (Proc::expect(state.body), Array::expect(state.args), Hash::from_value(state.keywords));
    let env = body.env();
    // SAFETY: the environment of a proc is on the heap and lives as long as the proc, which runs as long as the thread.
    ec.thread_home = if env.is_null() { Fp::NULL } else { unsafe { env.method_env() } };
    ec.report_thread(crate::inspect::trace::event::THREAD_BEGIN)?;
    let result = ec.call_proc_with_array(body, args, keywords);
    let pending = ec.pending;
    ec.report_thread(crate::inspect::trace::event::THREAD_END)?;
    ec.pending = pending;
    result
}

/// Stores what a thread ended with and tells whoever waits for that.
pub(crate) fn finish(ec: &mut Ec, thread: Data<Thread>, result: std::result::Result<Value, Value>) {
    let error = match result {
        Ok(value) => {
            thread.get_mut(ec).value = value;
            None
        }
        Err(pending) => {
            ec.pending = pending;
            ec.pending_exception()
        }
    };
    if let Some(error) = error {
        thread.get_mut(ec).error = error;
        ec.wrote(thread.value());
    }
    // What still comes for the thread ends none of this: a mutex would stay locked, or nobody be told.
    ec.holding_interrupts(|ec| {
        if let Some(error) = error {
            escalate(ec, thread, error);
        }
        ec.pending = Value::NIL;
        let_go(ec, thread);
    });
    if others_are_stuck(ec) {
        ec.report_deadlock();
    }
}

/// Gives back what a thread holds and wakes whoever waits for its end.
fn let_go(ec: &mut Ec, thread: Data<Thread>) {
    release_held(ec, thread);
    let last_fiber = ec.root_fiber;
    if let Some(fiber) = Data::<Fiber>::from_value(last_fiber) {
        fiber.get_mut(ec).end_with_thread();
    }
    let state = thread.get_mut(ec);
    (state.status, state.last_fiber, state.ec) = (ThreadStatus::Dead, last_fiber, std::ptr::null_mut());
    state.interrupts.clear();
    while let Some(joiner) = thread.get_mut(ec).joiners.pop() {
        if ec.wake(thread.value(), joiner).is_err()
            && let Some(error) = ec.pending_exception()
        {
            thread.get_mut(ec).error = error;
        }
    }
    ec.pending = Value::NIL;
    ec.wrote(thread.value());
}

fn others_are_stuck(ec: &Ec) -> bool {
    if ec.vm().extension::<ThreadSettings>().ignores_deadlock.load(Ordering::Relaxed) {
        return false;
    }
    let me: *const Ec = ec;
    let contexts = ec.ractor().contexts.borrow();
    // SAFETY: contexts in the list are alive, and their threads wait for their turn.
    let mut others = contexts
        .iter()
        .filter(|c| !std::ptr::eq(**c, me))
        .map(|c| unsafe { Data::<Thread>::from_value((**c).thread).is_some_and(|t| t.get(ec).waits_for_others()) })
        .peekable();
    others.peek().is_some() && others.all(|is_stuck| is_stuck)
}

/// What an exception that ends a thread does besides: `exit` ends the program, others are reported or end it too.
fn escalate(ec: &mut Ec, thread: Data<Thread>, error: Value) {
    let settings = ec.vm().extension::<ThreadSettings>();
    let main = Data::<Thread>::from_value(ec.main_thread());
    let is_exit = ec.is_a(error, ec.vm().known().system_exit);
    if !is_exit && thread.get(ec).reports_exception {
        report(ec, thread, error);
    }
    let aborts = is_exit
        || ec.vm().is_debugging()
        || thread.get(ec).aborts_on_exception
        || settings.aborts_on_exception.load(Ordering::Relaxed);
    if let Some(main) = main.filter(|m| aborts && m.value() != thread.value()) {
        main.post_interrupt(ec, error);
    }
}

/// `#<Thread:… run> terminated with exception (report_on_exception is true):` and the exception, on `$stderr`.
fn report(ec: &mut Ec, thread: Data<Thread>, error: Value) {
    let Ok(shown) = ec.call(thread.value(), crate::sym::INSPECT, &[]) else { return };
    let shown = Str::from_value(shown).map(|s| s.to_text(ec)).unwrap_or_default();
    let keywords = Hash::new(ec);
    keywords.set_symbol(ec, crate::sym::HIGHLIGHT, Value::FALSE);
    let passing = Passing { keywords: Some(keywords), block: None };
    let Ok(message) = ec.call_with(error, crate::sym::FULL_MESSAGE, &[], passing) else { return };
    let message = Str::from_value(message).map(|s| s.to_text(ec)).unwrap_or_default();
    let end = if message.ends_with('\n') { "" } else { "\n" };
    let text = ec.str(&format!("{shown} terminated with exception (report_on_exception is true):\n{message}{end}"));
    if let Ok(stderr) = ec.global(crate::sym::STDERR) {
        let _ = ec.call(stderr, crate::sym::WRITE, &[text]);
    }
}

/// Unlocks the mutexes that a thread still holds.
fn release_held(ec: &mut Ec, thread: Data<Thread>) {
    let unlock = ec.vm().intern("unlock");
    thread.get_mut(ec).is_ending = true;
    while let Some(mutex) = thread.get_mut(ec).held.pop() {
        let _ = ec.call(mutex, unlock, &[]);
    }
}
