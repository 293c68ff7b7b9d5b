//! `Fiber`. The switching itself is the VM's: see `carat_vm::fiber`.

mod scheduler;

pub(crate) use scheduler::close as close_scheduler;

use carat_vm::backtrace::Location;
use carat_vm::fiber::{Fiber, FiberStatus, allocate};
use carat_vm::{
    Args, Array, Block, Class, Data, Ec, Hash, Keywords, Name, Rest, Result, Str, Value, methods, primitives,
};

type FiberData = Data<Fiber>;

methods! {
    METHODS {
        private "initialize" => initialize;
        "resume" => resume;
        "transfer" => transfer;
        "raise" => raise;
        "kill" => kill;
        "backtrace" => backtrace;
        "backtrace_locations" => backtrace_locations;
        "alive?" => is_alive;
        "blocking?" => is_blocking;
        "storage" => storage;
        "storage=" => set_storage;
        alias "inspect" of "to_s" => inspect;
        "to_s" => inspect;
        static "yield" => fiber_yield;
        static "current" => current;
        static "[]" => storage_at;
        static "[]=" => storage_set;
        static "blocking?" => current_blocking;
        static "blocking" => with_blocking;
    }
}

primitives! {
    PRIMITIVES {}
}

pub(crate) fn init(ec: &mut Ec) {
    let class = ec.vm().known().fiber;
    class.set_allocator(Some(allocate));
    class.define_methods(ec, METHODS);
    class.define_methods(ec, scheduler::METHODS);
}

/// `Fiber.new(blocking: false, storage: true) { |*args| … }`
/// Takes any arguments, as CRuby does, unless there are keywords: a class below it may be made as a Thread is.
fn initialize(ec: &mut Ec, this: FiberData, args: Rest, keywords: Keywords, block: Option<Block>) -> Result {
    if !keywords.is_empty(ec) && !args.is_empty() {
        return Err(ec.arity_error(args.len(), 0, Some(0)));
    }
    let (blocking, storage, pool) = (ec.vm().intern("blocking"), ec.vm().intern("storage"), ec.vm().intern("pool"));
    keywords.check(ec, &[blocking, pool, storage])?;
    if this.get(ec).is_initialized() {
        return Err(ec.runtime_error("cannot initialize twice"));
    }
    let Some(block) = block else { return Err(ec.argument_error("tried to create Proc object without a block")) };
    let is_blocking = keywords.get(ec, blocking).is_some_and(Value::truthy);
    let storage = match keywords.get(ec, storage) {
        None | Some(Value::TRUE) => inherited_storage(ec)?,
        Some(given) => checked_storage(ec, given)?,
    };
    let body = block.to_proc(ec);
    this.initialize(ec, body, is_blocking, storage);
    Ok(Value::NIL)
}

fn backtrace(ec: &mut Ec, this: FiberData, start: Option<Value>, length: Option<Value>) -> Result<Option<Array>> {
    let part = backtrace_part(ec, this, start, length)?;
    Ok(part.map(|locations| carat_vm::backtrace::to_array(ec, &locations)))
}

fn backtrace_locations(
    ec: &mut Ec,
    this: FiberData,
    start: Option<Value>,
    length: Option<Value>,
) -> Result<Option<Array>> {
    let part = backtrace_part(ec, this, start, length)?;
    Ok(part.map(|locations| crate::object::exception::location::to_array(ec, locations)))
}

/// The lines that the arguments ask for, as those of `caller` do. Of a fiber that did not begin or has ended there are none.
fn backtrace_part(
    ec: &mut Ec,
    this: FiberData,
    start: Option<Value>,
    length: Option<Value>,
) -> Result<Option<Vec<Location>>> {
    let locations = this.locations(ec);
    let is_empty = locations.is_empty();
    let part = crate::object::kernel::part_of_backtrace(ec, locations, start.unwrap_or(Value::len(0)), length)?;
    Ok(part.or(is_empty.then(Vec::new)))
}

/// A copy of the running fiber's storage.
pub(crate) fn inherited_storage(ec: &mut Ec) -> Result {
    let current = ec.current_fiber();
    let storage = current.get(ec).storage();
    Hash::from_value(storage).map_or(Ok(Value::NIL), |hash| Ok(hash.duplicate(ec)?.value()))
}

/// A copy of a storage that the program gave.
fn checked_storage(ec: &mut Ec, given: Value) -> Result {
    if given.is_nil() {
        return Ok(Value::NIL);
    }
    let Some(hash) = Hash::from_value(given) else { return Err(ec.type_error("storage must be a hash")) };
    if ec.is_frozen(given) {
        return Err(ec.error(ec.vm().known().frozen_error, "storage must not be frozen"));
    }
    let mut position = 0;
    while let Some(next) = hash.next(ec, position) {
        position = next;
        let key = hash.key_at(ec, next - 1);
        storage_key(ec, key)?;
    }
    Ok(hash.duplicate(ec)?.value())
}

fn storage_key(ec: &mut Ec, key: Value) -> Result<()> {
    if key.is_symbol() { Ok(()) } else { Err(ec.wrong_type(key, "Symbol")) }
}

fn resume(ec: &mut Ec, this: FiberData, args: Rest, keywords: Keywords) -> Result {
    this.resume(ec, args, keywords.0)
}

fn transfer(ec: &mut Ec, this: FiberData, args: Rest, keywords: Keywords) -> Result {
    this.transfer(ec, args, keywords.0)
}

fn fiber_yield(ec: &mut Ec, _class: Class, args: Rest) -> Result {
    ec.fiber_yield(args)
}

fn raise(ec: &mut Ec, this: FiberData, args: Args) -> Result {
    let exception = crate::object::kernel::exception_to_deliver(ec, args)?;
    this.raise(ec, exception)
}

fn kill(ec: &mut Ec, this: FiberData) -> Result {
    this.kill(ec)?;
    Ok(this.value())
}

fn is_alive(ec: &mut Ec, this: FiberData) -> Result<bool> {
    this.check_initialized(ec)?;
    Ok(this.get(ec).is_alive())
}

fn is_blocking(ec: &mut Ec, this: FiberData) -> bool {
    this.get(ec).is_blocking()
}

fn current(ec: &mut Ec, _class: Class) -> Value {
    ec.current_fiber().value()
}

/// `Fiber.blocking?`: 1 if the running fiber blocks, else false.
fn current_blocking(ec: &mut Ec, _class: Class) -> Value {
    let current = ec.current_fiber();
    if current.get(ec).is_blocking() { Value::len(1) } else { Value::FALSE }
}

/// `Fiber.blocking { |fiber| … }`: runs the block in the current fiber, made blocking.
fn with_blocking(ec: &mut Ec, _class: Class, block: Option<Block>) -> Result {
    let Some(block) = block else { return Err(ec.local_jump_error("no block given (yield)", "noreason", Value::NIL)) };
    let current = ec.current_fiber();
    let was = current.get(ec).is_blocking();
    current.set_blocking(ec, true);
    let result = ec.yield_block(block, &[current.value()]);
    current.set_blocking(ec, was);
    result
}

// ---- storage ----

fn check_own(ec: &mut Ec, fiber: FiberData) -> Result<()> {
    let is_own = ec.current_fiber().value() == fiber.value();
    if is_own {
        Ok(())
    } else {
        Err(ec.argument_error("Fiber storage can only be accessed from the Fiber it belongs to"))
    }
}

fn storage(ec: &mut Ec, this: FiberData) -> Result {
    check_own(ec, this)?;
    inherited_storage(ec)
}

fn set_storage(ec: &mut Ec, this: FiberData, given: Value) -> Result {
    check_own(ec, this)?;
    let storage = checked_storage(ec, given)?;
    this.set_storage(ec, storage);
    Ok(given)
}

fn storage_at(ec: &mut Ec, _class: Class, key: Name) -> Result {
    let key = Value::symbol(key.0);
    let current = ec.current_fiber();
    match Hash::from_value(current.get(ec).storage()) {
        Some(hash) => Ok(hash.get(ec, key)?.unwrap_or(Value::NIL)),
        None => Ok(Value::NIL),
    }
}

fn storage_set(ec: &mut Ec, _class: Class, key: Name, value: Value) -> Result {
    let key = Value::symbol(key.0);
    let current = ec.current_fiber();
    let hash = match Hash::from_value(current.get(ec).storage()) {
        Some(hash) => hash,
        None if value.is_nil() => return Ok(value),
        None => {
            let hash = Hash::new(ec);
            current.set_storage(ec, hash.value());
            hash
        }
    };
    if value.is_nil() {
        hash.delete(ec, key)?;
    } else {
        hash.set(ec, key, value)?;
    }
    Ok(value)
}

/// `#<Fiber:0x… t.rb:1 (created)>`
fn inspect(ec: &mut Ec, this: FiberData) -> Str {
    let status = match this.get(ec).status() {
        FiberStatus::Created => "created",
        FiberStatus::Resumed => "resumed",
        FiberStatus::Suspended => "suspended",
        FiberStatus::Terminated => "terminated",
    };
    let body = carat_vm::Proc::from_value(this.get(ec).body());
    let place = body
        .and_then(carat_vm::Proc::iseq)
        .map(|l| format!(" {}:{}", l.iseq.path(), l.iseq.first_line))
        .unwrap_or_default();
    let text = ec.any_to_s(this.value()).to_text(ec);
    Str::from_text(ec, &format!("{}{place} ({status})>", text.trim_end_matches('>')))
}
