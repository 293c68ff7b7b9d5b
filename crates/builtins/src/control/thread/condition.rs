//! `Thread::ConditionVariable`.

use carat_vm::thread::WaitList;
use carat_vm::{Class, Data, Ec, NativeData, Result, Value, methods};

/// Contents of a `Thread::ConditionVariable`.
pub(super) struct Condition {
    waiters: WaitList,
}

impl NativeData for Condition {
    const NAME: &'static str = "condvar";

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        self.waiters.mark(mark);
    }
}

type ConditionData = Data<Condition>;

methods! {
    METHODS {
        private "initialize" => initialize;
        "wait" => wait;
        "signal" => signal;
        "broadcast" => broadcast;
        "marshal_dump" => marshal_dump;
    }
}

pub(super) fn init(ec: &mut Ec) {
    let class = ec.vm().known().condition_variable;
    class.set_allocator(Some(allocate));
    class.define_methods(ec, METHODS);
    super::undefine_copy(ec, class);
}

fn allocate(ec: &mut Ec, class: Class) -> Result {
    Ok(Data::new(ec, class, Condition { waiters: WaitList::default() }).value())
}

fn initialize(_ec: &mut Ec, this: ConditionData) -> Value {
    this.value()
}

/// Sleeps in the mutex until signalled. Whoever signals holds the turn, so nothing is lost between the two.
fn wait(ec: &mut Ec, this: ConditionData, mutex: Value, limit: Option<Value>) -> Result {
    let me = ec.waiter();
    this.get_mut(ec).waiters.add(me);
    ec.wrote(this.value());
    let sleep = ec.vm().intern("sleep");
    let result = ec.call(mutex, sleep, &[limit.unwrap_or(Value::NIL)]);
    this.get_mut(ec).waiters.remove(me);
    result
}

fn signal(ec: &mut Ec, this: ConditionData) -> Result {
    if let Some(waiter) = this.get_mut(ec).waiters.pop() {
        ec.wake(this.value(), waiter)?;
    }
    Ok(this.value())
}

fn broadcast(ec: &mut Ec, this: ConditionData) -> Result {
    while let Some(waiter) = this.get_mut(ec).waiters.pop() {
        ec.wake(this.value(), waiter)?;
    }
    Ok(this.value())
}

fn marshal_dump(ec: &mut Ec, this: ConditionData) -> Result {
    let class = ec.class_of(this.value()).real().to_text(ec);
    Err(ec.type_error(&format!("can't dump {class}")))
}
