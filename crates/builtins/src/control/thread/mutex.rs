//! `Thread::Mutex`. A fiber owns it, so it is not reentrant even between fibers of one thread. `synchronize` is in
//! `core/thread.rb`.

use super::sleep;
use carat_vm::thread::{Thread, WaitList};
use carat_vm::{Class, Data, Ec, NativeData, Result, Value, methods, primitives};
use std::time::Instant;

/// Contents of a `Thread::Mutex`.
pub(super) struct Mutex {
    /// Fiber that holds it, or nil.
    owner: Value,
    /// That fiber's thread.
    thread: Value,
    /// The process, by its number of forks, in which it was taken.
    forks: u32,
    waiters: WaitList,
}

impl NativeData for Mutex {
    const NAME: &'static str = "mutex";

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.owner);
        mark(self.thread);
        self.waiters.mark(mark);
    }
}

/// What a fiber is told that would wait for another one of its thread.
pub(crate) const OWN_FIBER: &str = "deadlock; lock already owned by another fiber belonging to the same thread";

pub(super) type MutexData = Data<Mutex>;

methods! {
    METHODS {
        private "initialize" => initialize;
        "lock" => lock;
        "try_lock" => try_lock;
        "unlock" => unlock;
        "locked?" => is_locked;
        "owned?" => is_owned;
        "sleep" => mutex_sleep;
    }
}

primitives! {
    PRIMITIVES {
        "mutex_lock" => lock;
        "mutex_unlock" => unlock;
    }
}

pub(super) fn init(ec: &mut Ec) {
    let class = ec.vm().known().mutex;
    class.set_allocator(Some(allocate));
    class.define_methods(ec, METHODS);
}

/// A new one, which nobody holds. A copy is one, too.
pub(super) fn allocate(ec: &mut Ec, class: Class) -> Result {
    let mutex = Mutex { owner: Value::NIL, thread: Value::NIL, forks: 0, waiters: WaitList::default() };
    Ok(Data::new(ec, class, mutex).value())
}

fn initialize(_ec: &mut Ec, this: MutexData) -> Value {
    this.value()
}

fn take(ec: &mut Ec, this: MutexData, fiber: Value) {
    let thread = ec.current_thread();
    let state = this.get_mut(ec);
    (state.owner, state.thread, state.forks) = (fiber, thread, carat_os::process::forks());
    ec.wrote(this.value());
    ec.note_held(this.value());
}

/// The fiber that holds the lock, or nil. A forked child has only one of its parent's threads, and the others hold nothing there.
fn owner(ec: &Ec, this: MutexData) -> Value {
    let state = this.get(ec);
    let is_alive = || Data::<Thread>::from_value(state.thread).is_some_and(|thread| thread.get(ec).is_alive());
    if state.forks == carat_os::process::forks() || is_alive() { state.owner } else { Value::NIL }
}

pub(super) fn lock(ec: &mut Ec, this: MutexData) -> Result {
    check_trap(ec)?;
    let fiber = ec.current_fiber().value();
    if this.get(ec).owner == fiber {
        return Err(ec.thread_error("deadlock; recursive locking"));
    }
    while !owner(ec, this).is_nil() {
        if this.get(ec).thread == ec.current_thread() && ec.current_scheduler().is_none() {
            return Err(ec.thread_error(OWN_FIBER));
        }
        ec.wait_in(|ec| &mut this.get_mut(ec).waiters, this.value(), None)?;
    }
    take(ec, this, fiber);
    Ok(this.value())
}

/// Whom a signal handler interrupted may hold the lock, and would never give it back.
fn check_trap(ec: &mut Ec) -> Result<()> {
    if ec.is_in_trap() { Err(ec.thread_error("can't be called from trap context")) } else { Ok(()) }
}

/// Takes the mutex again after a wait, whatever interrupts come meanwhile; the last of them unwinds afterwards.
fn relock(ec: &mut Ec, this: MutexData) -> Result<()> {
    check_trap(ec)?;
    let mut interrupted = None;
    let fiber = ec.current_fiber().value();
    while !owner(ec, this).is_nil() {
        if ec.wait_in(|ec| &mut this.get_mut(ec).waiters, this.value(), None).is_err() {
            interrupted = Some(ec.pending());
        }
    }
    take(ec, this, fiber);
    interrupted.map_or(Ok(()), |pending| Err(ec.unwind(pending)))
}

pub(super) fn try_lock(ec: &mut Ec, this: MutexData) -> bool {
    let is_free = owner(ec, this).is_nil();
    if is_free {
        let fiber = ec.current_fiber().value();
        take(ec, this, fiber);
    }
    is_free
}

pub(super) fn unlock(ec: &mut Ec, this: MutexData) -> Result {
    let owner = owner(ec, this);
    if owner.is_nil() {
        return Err(ec.thread_error("Attempt to unlock a mutex which is not locked"));
    }
    // A thread that ends gives back what its fibers hold.
    if owner != ec.current_fiber().value() && (this.get(ec).thread != ec.current_thread() || ec.is_thread_running()) {
        return Err(ec.thread_error("Attempt to unlock a mutex which is locked by another thread/fiber"));
    }
    let state = this.get_mut(ec);
    (state.owner, state.thread) = (Value::NIL, Value::NIL);
    let next = state.waiters.first();
    ec.note_released(this.value());
    if let Some(next) = next {
        if Data::<Thread>::from_value(next).is_none() {
            // A fiber is told once: its scheduler may take a mutex to note it, for which the same fiber may wait.
            this.get_mut(ec).waiters.pop();
        }
        ec.wake(this.value(), next)?;
    }
    Ok(this.value())
}

pub(super) fn is_locked(ec: &mut Ec, this: MutexData) -> bool {
    !owner(ec, this).is_nil()
}

fn is_owned(ec: &mut Ec, this: MutexData) -> bool {
    let fiber = ec.current_fiber().value();
    this.get(ec).owner == fiber
}

/// `Mutex#sleep`: gives the lock up while it sleeps. Whole seconds slept, or nil if the time ran out.
fn mutex_sleep(ec: &mut Ec, this: MutexData, time: Option<Value>) -> Result {
    let limit = match time {
        None | Some(Value::NIL) => None,
        Some(time) => Some(sleep::interval(ec, time)?),
    };
    unlock(ec, this)?;
    let begun = Instant::now();
    let slept = match ec.current_scheduler() {
        Some(scheduler) => sleep::by_scheduler(ec, scheduler, time),
        None => ec.park_for(this.value(), limit.and_then(sleep::deadline_after)),
    };
    let pending = ec.pending();
    relock(ec, this)?;
    match slept {
        Err(_) => Err(ec.unwind(pending)),
        Ok(false) => Ok(Value::NIL),
        Ok(true) => Ok(ec.int(begun.elapsed().as_secs_f64().round() as i64)),
    }
}
