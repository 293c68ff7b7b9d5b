//! `Thread::Queue` and `Thread::SizedQueue`: one native type, with or without a limit.

use super::sleep;
use carat_vm::thread::WaitList;
use carat_vm::{Array, Class, Data, Ec, Keywords, NativeData, Result, Value, methods, sym};
use std::time::Instant;

/// Contents of a queue.
pub(super) struct Queue {
    /// An Array, or nil before `initialize`.
    items: Value,
    is_closed: bool,
    /// Most items that it takes; queues that are not sized have no limit.
    max: usize,
    poppers: WaitList,
    pushers: WaitList,
}

impl NativeData for Queue {
    const NAME: &'static str = "queue";

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.items);
        self.poppers.mark(mark);
        self.pushers.mark(mark);
    }
}

type QueueData = Data<Queue>;

methods! {
    METHODS {
        private "initialize" => initialize;
        "push" => push;
        alias "<<" of "push" => push;
        alias "enq" of "push" => push;
        "pop" => pop;
        alias "shift" of "pop" => pop;
        alias "deq" of "pop" => pop;
        "close" => close;
        "closed?" => is_closed;
        "clear" => clear;
        "empty?" => is_empty;
        "length" => length;
        alias "size" of "length" => length;
        "num_waiting" => num_waiting;
        "freeze" => freeze;
        "marshal_dump" => marshal_dump;
    }
    SIZED {
        private "initialize" => initialize_sized;
        "push" => push_sized;
        alias "<<" of "push" => push_sized;
        alias "enq" of "push" => push_sized;
        "pop" => pop;
        alias "shift" of "pop" => pop;
        alias "deq" of "pop" => pop;
        "max" => max;
        "max=" => set_max;
    }
}

pub(super) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    for class in [known.queue, known.sized_queue] {
        class.set_allocator(Some(allocate));
    }
    known.queue.define_methods(ec, METHODS);
    super::undefine_copy(ec, known.queue);
    known.sized_queue.define_methods(ec, SIZED);
}

fn allocate(ec: &mut Ec, class: Class) -> Result {
    let queue = Queue {
        items: Value::NIL,
        is_closed: false,
        max: usize::MAX,
        poppers: WaitList::default(),
        pushers: WaitList::default(),
    };
    Ok(Data::new(ec, class, queue).value())
}

fn set_items(ec: &mut Ec, this: QueueData, items: Array) {
    this.get_mut(ec).items = items.value();
    ec.wrote(this.value());
}

/// `Queue.new(items = [])`
fn initialize(ec: &mut Ec, this: QueueData, initial: Option<Value>) -> Result {
    let items = match initial {
        None => Array::new(ec, 0),
        Some(initial) => {
            let made = ec.call_if_responds(initial, sym::TO_A, &[])?;
            let Some(made) = made else {
                let class = ec.class_of(initial).real().to_text(ec);
                return Err(ec.type_error(&format!("can't convert {class} into Array")));
            };
            let Some(made) = Array::from_value(made) else {
                let (class, got) = (ec.class_of(initial).real().to_text(ec), ec.class_of(made).real().to_text(ec));
                return Err(ec.type_error(&format!("can't convert {class} to Array ({class}#to_a gives {got})")));
            };
            made.duplicate(ec)
        }
    };
    set_items(ec, this, items);
    Ok(this.value())
}

fn initialize_sized(ec: &mut Ec, this: QueueData, max: i64) -> Result {
    let items = Array::new(ec, 0);
    set_items(ec, this, items);
    set_max(ec, this, max)?;
    Ok(this.value())
}

fn items(ec: &mut Ec, this: QueueData) -> Result<Array> {
    match Array::from_value(this.get(ec).items) {
        Some(items) => Ok(items),
        None => {
            let shown = ec.any_to_s(this.value()).to_text(ec);
            Err(ec.type_error(&format!("{shown} not initialized")))
        }
    }
}

fn closed_error(ec: &mut Ec) -> carat_vm::Unwind {
    ec.error(ec.vm().known().closed_queue_error, "queue closed")
}

// ---- pushing ----

fn push(ec: &mut Ec, this: QueueData, item: Value) -> Result {
    let items = items(ec, this)?;
    if this.get(ec).is_closed {
        return Err(closed_error(ec));
    }
    items.make_room(ec, 1)?;
    items.push(ec, item);
    wake_first_popper(ec, this)?;
    Ok(this.value())
}

/// `SizedQueue#push(item, non_block = false, timeout: nil)`
fn push_sized(ec: &mut Ec, this: QueueData, item: Value, non_block: Option<bool>, keywords: Keywords) -> Result {
    let items = items(ec, this)?;
    let (non_block, deadline) = limits(ec, non_block, keywords)?;
    while items.len(ec) >= this.get(ec).max && !this.get(ec).is_closed {
        if non_block {
            return Err(ec.thread_error("queue full"));
        }
        let woken = ec.wait_in(|ec| &mut this.get_mut(ec).pushers, this.value(), deadline)?;
        if !woken && items.len(ec) >= this.get(ec).max {
            return Ok(Value::NIL);
        }
    }
    push(ec, this, item)
}

fn wake_first_popper(ec: &mut Ec, this: QueueData) -> Result<()> {
    match this.get_mut(ec).poppers.pop() {
        Some(waiter) => ec.wake(this.value(), waiter),
        None => Ok(()),
    }
}

// ---- popping ----

/// Whether not to wait, and how long otherwise.
fn limits(ec: &mut Ec, non_block: Option<bool>, keywords: Keywords) -> Result<(bool, Option<Instant>)> {
    let timeout = ec.vm().intern("timeout");
    keywords.check(ec, &[timeout])?;
    let timeout = keywords.get(ec, timeout).filter(|t| !t.is_nil());
    let non_block = non_block.unwrap_or(false);
    if non_block && timeout.is_some() {
        return Err(ec.argument_error("can't set a timeout if non_block is enabled"));
    }
    Ok((non_block, sleep::deadline(ec, timeout)?))
}

/// `Queue#pop(non_block = false, timeout: nil)`
fn pop(ec: &mut Ec, this: QueueData, non_block: Option<bool>, keywords: Keywords) -> Result {
    let items = items(ec, this)?;
    let (non_block, deadline) = limits(ec, non_block, keywords)?;
    while items.is_empty(ec) {
        if non_block {
            return Err(ec.thread_error("queue empty"));
        }
        if this.get(ec).is_closed {
            return Ok(Value::NIL);
        }
        let woken = ec.wait_in(|ec| &mut this.get_mut(ec).poppers, this.value(), deadline)?;
        if !woken && items.is_empty(ec) {
            return Ok(Value::NIL);
        }
    }
    let first = items.at(ec, 0);
    items.drop_front(ec, 1);
    wake_pushers(ec, this)?;
    Ok(first)
}

/// Wakes as many pushers as there is room for.
fn wake_pushers(ec: &mut Ec, this: QueueData) -> Result<()> {
    let len = Array::from_value(this.get(ec).items).map_or(0, |a| a.len(ec));
    let room = this.get(ec).max.saturating_sub(len);
    for _ in 0..room {
        let Some(waiter) = this.get_mut(ec).pushers.pop() else { break };
        ec.wake(this.value(), waiter)?;
    }
    Ok(())
}

// ---- state ----

fn close(ec: &mut Ec, this: QueueData) -> Result {
    items(ec, this)?;
    this.get_mut(ec).is_closed = true;
    while let Some(waiter) = this.get_mut(ec).poppers.pop() {
        ec.wake(this.value(), waiter)?;
    }
    while let Some(waiter) = this.get_mut(ec).pushers.pop() {
        ec.wake(this.value(), waiter)?;
    }
    Ok(this.value())
}

fn is_closed(ec: &mut Ec, this: QueueData) -> bool {
    this.get(ec).is_closed
}

fn clear(ec: &mut Ec, this: QueueData) -> Result {
    let items = items(ec, this)?;
    items.resize(ec, 0);
    wake_pushers(ec, this)?;
    Ok(this.value())
}

fn is_empty(ec: &mut Ec, this: QueueData) -> Result<bool> {
    Ok(items(ec, this)?.is_empty(ec))
}

fn length(ec: &mut Ec, this: QueueData) -> Result<usize> {
    Ok(items(ec, this)?.len(ec))
}

fn num_waiting(ec: &mut Ec, this: QueueData) -> usize {
    let state = this.get(ec);
    state.poppers.len() + state.pushers.len()
}

fn freeze(ec: &mut Ec, this: QueueData) -> Result {
    let shown = ec.inspect(this.value())?.to_text(ec);
    Err(ec.type_error(&format!("cannot freeze {shown}")))
}

fn marshal_dump(ec: &mut Ec, this: QueueData) -> Result {
    let class = ec.class_of(this.value()).real().to_text(ec);
    Err(ec.type_error(&format!("can't dump {class}")))
}

fn max(ec: &mut Ec, this: QueueData) -> Result<usize> {
    items(ec, this)?;
    Ok(this.get(ec).max)
}

fn set_max(ec: &mut Ec, this: QueueData, max: i64) -> Result<i64> {
    let limit = usize::try_from(max).ok().filter(|m| *m > 0);
    let Some(limit) = limit else { return Err(ec.argument_error("queue size must be positive")) };
    this.get_mut(ec).max = limit;
    wake_pushers(ec, this)?;
    Ok(max)
}
