//! `Monitor`: a mutex that its holder may take again. What runs blocks is in `lib/monitor/lock.rb`, `MonitorMixin` in
//! `lib/monitor.rb`.
//!
//! The mutex is made with the monitor, and is the monitor's as long as it lives. Taking it, giving it back and `wait_for_cond` may
//! wait or run a scheduler's code, and so poll; nothing else does.

use super::mutex::{self, MutexData};
use carat_vm::{Class, Data, Ec, NativeData, Result, Value, methods, primitives};

/// Contents of a `Monitor`.
struct Monitor {
    mutex: Value,
    /// Fiber that took it last, or nil. If that ended while it held the monitor, the mutex was given back and this is left: it
    /// never runs again.
    owner: Value,
    /// How often the owner took it.
    count: usize,
}

impl NativeData for Monitor {
    const NAME: &'static str = "monitor";

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.mutex);
        mark(self.owner);
    }
}

type MonitorData = Data<Monitor>;

methods! {
    METHODS {
        "enter" => enter;
        alias "mon_enter" of "enter" => enter;
        "try_enter" => try_enter;
        alias "try_mon_enter" of "try_enter" => try_enter;
        alias "mon_try_enter" of "try_enter" => try_enter;
        "exit" => exit;
        alias "mon_exit" of "exit" => exit;
        "mon_locked?" => is_locked;
        "mon_owned?" => is_owned;
        "mon_check_owner" => check_owner;
        "wait_for_cond" => wait_for_condition;
    }
}

primitives! {
    PRIMITIVES {
        "monitor_enter" => enter;
        "monitor_exit" => exit;
    }
}

/// `require "monitor.so"`
pub(crate) fn init(ec: &mut Ec) {
    let object = ec.vm().known().object;
    let class = ec.new_class(object);
    object.set_constant(ec, ec.vm().intern("Monitor"), class.value());
    class.set_allocator(Some(allocate));
    class.define_methods(ec, METHODS);
}

/// A new one, which nobody holds. A copy is one, too.
fn allocate(ec: &mut Ec, class: Class) -> Result {
    let mutex_class = ec.vm().known().mutex;
    let mutex = mutex::allocate(ec, mutex_class)?;
    Ok(Data::new(ec, class, Monitor { mutex, owner: Value::NIL, count: 0 }).value())
}

fn mutex_of(ec: &Ec, this: MonitorData) -> MutexData {
    MutexData::from_value(this.get(ec).mutex).expect("made with the monitor")
}

fn is_owned(ec: &mut Ec, this: MonitorData) -> bool {
    let fiber = ec.current_fiber().value();
    this.get(ec).owner == fiber
}

fn check_owner(ec: &mut Ec, this: MonitorData) -> Result {
    if is_owned(ec, this) { Ok(Value::NIL) } else { Err(ec.thread_error("current fiber not owner")) }
}

/// The running fiber holds the monitor, which it took so often.
fn own(ec: &mut Ec, this: MonitorData, count: usize) {
    let owner = ec.current_fiber().value();
    let state = this.get_mut(ec);
    (state.owner, state.count) = (owner, count);
    ec.wrote(this.value());
}

fn disown(ec: &mut Ec, this: MonitorData) {
    let state = this.get_mut(ec);
    (state.owner, state.count) = (Value::NIL, 0);
}

/// `Monitor#enter`: takes the monitor, waiting for it if need be.
fn enter(ec: &mut Ec, this: MonitorData) -> Result {
    if is_owned(ec, this) {
        this.get_mut(ec).count += 1;
    } else {
        mutex::lock(ec, mutex_of(ec, this))?;
        own(ec, this, 1);
    }
    Ok(Value::NIL)
}

/// `Monitor#try_enter`: takes it if it is free, and says whether it did.
fn try_enter(ec: &mut Ec, this: MonitorData) -> bool {
    if is_owned(ec, this) {
        this.get_mut(ec).count += 1;
        return true;
    }
    let is_taken = mutex::try_lock(ec, mutex_of(ec, this));
    if is_taken {
        own(ec, this, 1);
    }
    is_taken
}

/// `Monitor#exit`: gives it back once.
fn exit(ec: &mut Ec, this: MonitorData) -> Result {
    check_owner(ec, this)?;
    let state = this.get_mut(ec);
    state.count -= 1;
    if state.count == 0 {
        disown(ec, this);
        mutex::unlock(ec, mutex_of(ec, this))?;
    }
    Ok(Value::NIL)
}

fn is_locked(ec: &mut Ec, this: MonitorData) -> bool {
    mutex::is_locked(ec, mutex_of(ec, this))
}

/// Waits for a `ConditionVariable` with the monitor given up, however often it was taken. Says whether somebody signalled in time.
fn wait_for_condition(ec: &mut Ec, this: MonitorData, condition: Value, limit: Value) -> Result<bool> {
    let (count, mutex) = (this.get(ec).count, mutex_of(ec, this));
    let was_owned = is_owned(ec, this);
    if was_owned {
        disown(ec, this);
    }
    let wait = ec.vm().intern("wait");
    let result = ec.call(condition, wait, &[mutex.value(), limit]);
    let pending = ec.pending();
    if was_owned {
        own(ec, this, count);
    }
    match result {
        Ok(signalled) => Ok(signalled.truthy()),
        Err(_) => Err(ec.unwind(pending)),
    }
}
