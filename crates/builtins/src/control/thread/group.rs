//! `ThreadGroup`.

use carat_vm::thread::Thread;
use carat_vm::{Array, Class, Data, Ec, NativeData, Result, Value, methods};

/// Contents of a `ThreadGroup`: its threads know their group.
pub(super) struct Group {
    is_enclosed: bool,
}

impl NativeData for Group {
    const NAME: &'static str = "thgroup";

    fn mark(&self, _mark: &mut dyn FnMut(Value)) {}
}

type GroupData = Data<Group>;

methods! {
    METHODS {
        "list" => list;
        "add" => add;
        "enclose" => enclose;
        "enclosed?" => is_enclosed;
    }
}

pub(super) fn init(ec: &mut Ec) {
    let object = ec.vm().known().object;
    let class = ec.new_class(object);
    object.set_constant(ec, ec.vm().intern("ThreadGroup"), class.value());
    class.set_allocator(Some(allocate));
    class.define_methods(ec, METHODS);
    let default = Data::new(ec, class, Group { is_enclosed: false });
    class.set_constant(ec, ec.vm().intern("Default"), default.value());
    let main = ec.thread_data();
    main.get_mut(ec).group = default.value();
    ec.wrote(main.value());
}

fn allocate(ec: &mut Ec, class: Class) -> Result {
    Ok(Data::new(ec, class, Group { is_enclosed: false }).value())
}

/// `Thread#group`: nil once the thread is dead.
pub(super) fn of_thread(ec: &mut Ec, this: Data<Thread>) -> Value {
    this.get(ec).group
}

fn list(ec: &mut Ec, this: GroupData) -> Array {
    let (living, found) = (ec.living_threads(), Array::new(ec, 0));
    for i in 0..living.len(ec) {
        let thread = living.at(ec, i);
        if Data::<Thread>::from_value(thread).is_some_and(|t| t.get(ec).group == this.value()) {
            found.push(ec, thread);
        }
    }
    found
}

fn add(ec: &mut Ec, this: GroupData, thread: Data<Thread>) -> Result {
    let old = thread.get(ec).group;
    if ec.is_frozen(this.value()) {
        return Err(ec.thread_error("can't move to the frozen thread group"));
    }
    if this.get(ec).is_enclosed {
        return Err(ec.thread_error("can't move to the enclosed thread group"));
    }
    if GroupData::from_value(old).is_some_and(|g| g.get(ec).is_enclosed) {
        return Err(ec.thread_error("can't move from the enclosed thread group"));
    }
    if old.is_heap() && ec.is_frozen(old) {
        return Err(ec.thread_error("can't move from the frozen thread group"));
    }
    thread.get_mut(ec).group = this.value();
    ec.wrote(thread.value());
    Ok(this.value())
}

fn enclose(ec: &mut Ec, this: GroupData) -> Value {
    this.get_mut(ec).is_enclosed = true;
    this.value()
}

fn is_enclosed(ec: &mut Ec, this: GroupData) -> bool {
    this.get(ec).is_enclosed
}
