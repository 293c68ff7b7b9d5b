//! `Thread`, and what threads wait for. The threads themselves are the VM's: see `carat_vm::thread`.
//!
//! # Code map
//! [`mutex`], [`queue`], [`condition`] and [`monitor`] have the classes of those names; `group` is `ThreadGroup`, `sleep` is
//! `Kernel#sleep` and time limits.

mod condition;
mod group;
pub(crate) mod monitor;
mod mutex;
mod queue;
pub(crate) mod sleep;

pub(crate) use mutex::{OWN_FIBER, PRIMITIVES};

use carat_vm::backtrace::Location;
use carat_vm::call::Passing;
use carat_vm::thread::{Thread, ThreadSettings, ThreadStatus, Wait, allocate};
use carat_vm::{
    Args, Array, Block, Class, Data, Ec, EncodingIndex, Hash, Keywords, Name, Proc, Rest, Result, Str, Value, methods,
    sym,
};
use std::sync::atomic::Ordering;

type ThreadData = Data<Thread>;

methods! {
    METHODS {
        static "new" => new;
        static "start" => start;
        static "fork" => start;
        static "current" => current;
        static "main" => main;
        static "list" => list;
        static "pass" => pass;
        static "stop" => stop;
        static "exit" => exit;
        static "kill" => kill_other;
        static "abort_on_exception" => global_aborts;
        static "abort_on_exception=" => set_global_aborts;
        static "report_on_exception" => global_reports;
        static "report_on_exception=" => set_global_reports;
        static "handle_interrupt" => handle_interrupt;
        static "pending_interrupt?" => current_pending_interrupt;
        static "each_caller_location" => each_caller_location;
        static "ignore_deadlock" => ignores_deadlock;
        static "ignore_deadlock=" => set_ignores_deadlock;
        private "initialize" => initialize;
        "join" => join;
        "value" => value;
        "status" => status;
        "alive?" => is_alive;
        "stop?" => is_stopped;
        "kill" => kill;
        "exit" => kill;
        "terminate" => kill;
        "raise" => raise;
        "wakeup" => wakeup;
        "run" => run;
        "pending_interrupt?" => pending_interrupt;
        "[]" => local_at;
        "[]=" => local_set;
        "key?" => has_local;
        "keys" => local_names;
        "fetch" => local_fetch;
        "thread_variable_get" => variable_at;
        "thread_variable_set" => variable_set;
        "thread_variable?" => has_variable;
        "thread_variables" => variable_names;
        "name" => name;
        "name=" => set_name;
        "priority" => priority;
        "priority=" => set_priority;
        "group" => group::of_thread;
        "abort_on_exception" => aborts;
        "abort_on_exception=" => set_aborts;
        "report_on_exception" => reports;
        "report_on_exception=" => set_reports;
        "backtrace" => backtrace;
        "backtrace_locations" => backtrace_locations;
        "native_thread_id" => native_thread_id;
        alias "inspect" of "to_s" => inspect;
        "to_s" => inspect;
    }
}

/// Whether an object is a `Thread::Mutex`.
pub(crate) fn is_mutex(value: Value) -> bool {
    mutex::MutexData::from_value(value).is_some()
}

/// Takes `initialize_copy` from a class whose objects somebody may be waiting for, so that none is copied.
fn undefine_copy(ec: &Ec, class: Class) {
    class.add_method(
        ec,
        sym::INITIALIZE_COPY,
        carat_vm::method::MethodKind::Undefined,
        carat_vm::Visibility::Public,
        Value::NIL,
    );
}

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    // `new` and `start` make threads; one that was only allocated could never run.
    known.thread.set_allocator(None);
    known.thread.define_methods(ec, METHODS);
    let fatal = ec.new_class(known.exception);
    fatal.set_temporary_name(Some("fatal"));
    ec.adopt_main_thread(fatal);
    sleep::init(ec);
    mutex::init(ec);
    queue::init(ec);
    condition::init(ec);
    group::init(ec);
    for (name, class) in [
        ("Mutex", known.mutex),
        ("Queue", known.queue),
        ("SizedQueue", known.sized_queue),
        ("ConditionVariable", known.condition_variable),
    ] {
        known.object.set_constant(ec, ec.vm().intern(name), class.value());
    }
}

// ---- life ----

fn new(ec: &mut Ec, class: Class, args: Rest, keywords: Keywords, block: Option<Block>) -> Result {
    let thread = allocate(ec, class)?;
    let (args, block) = (args.to_array(ec), block.map(|b| b.to_proc(ec)));
    ec.call_with_array(thread, sym::INITIALIZE, args, Passing { keywords: keywords.0, block })?;
    let is_started = ThreadData::from_value(thread).is_some_and(|t| t.get(ec).is_initialized());
    if is_started {
        return Ok(thread);
    }
    let class = class.to_text(ec);
    Err(ec.thread_error(&format!("uninitialized thread - check '{class}#initialize'")))
}

fn start(ec: &mut Ec, class: Class, args: Rest, keywords: Keywords, block: Option<Block>) -> Result {
    if block.is_none() {
        return Err(ec.argument_error("tried to create Proc object without a block"));
    }
    let thread = allocate(ec, class)?;
    let Some(data) = ThreadData::from_value(thread) else { return Ok(thread) };
    initialize(ec, data, args, keywords, block)
}

fn initialize(ec: &mut Ec, this: ThreadData, args: Rest, keywords: Keywords, block: Option<Block>) -> Result {
    let Some(block) = block else { return Err(ec.thread_error("must be called with a block")) };
    if this.get(ec).is_initialized() {
        return Err(ec.thread_error("already initialized thread"));
    }
    let group = ec.thread_data().get(ec).group;
    if !group.is_nil() && ec.is_frozen(group) {
        return Err(ec.thread_error("can't start a new thread (frozen ThreadGroup)"));
    }
    let (body, args) = (block.to_proc(ec), args.to_array(ec));
    let storage = crate::control::fiber::inherited_storage(ec)?;
    let settings = ec.vm().extension::<ThreadSettings>();
    this.get_mut(ec).reports_exception = !settings.no_report.load(Ordering::Relaxed);
    // A thread belongs to the Ractor of the one that starts it: see `core/ractor.rb`.
    let field = ec.vm().intern("__ractor");
    let parent = ec.current_thread();
    if let Some(ractor) = ec.field(parent, field) {
        ec.set_field(this.value(), field, ractor);
    }
    this.start(ec, body, args, keywords.0, storage)?;
    Ok(this.value())
}

fn current(ec: &mut Ec, _class: Class) -> Value {
    ec.current_thread()
}

fn main(ec: &mut Ec, _class: Class) -> Value {
    ec.main_thread()
}

fn list(ec: &mut Ec, _class: Class) -> Array {
    ec.living_threads()
}

fn pass(ec: &mut Ec, _class: Class) -> Result<()> {
    ec.pass_turn()
}

fn stop(ec: &mut Ec, _class: Class) -> Result<()> {
    if ec.living_threads().len(ec) == 1 {
        return Err(ec.thread_error("stopping only thread\n\tnote: use sleep to stop forever"));
    }
    ec.park(None, Wait::ForOthers).map(drop)
}

fn exit(ec: &mut Ec, _class: Class) -> Result {
    let current = ec.thread_data();
    kill(ec, current)
}

fn kill_other(ec: &mut Ec, _class: Class, thread: ThreadData) -> Result {
    kill(ec, thread)
}

fn kill(ec: &mut Ec, this: ThreadData) -> Result {
    this.kill(ec)?;
    Ok(this.value())
}

fn raise(ec: &mut Ec, this: ThreadData, args: Args) -> Result<()> {
    if !this.get(ec).is_alive() {
        return Ok(());
    }
    let exception = crate::object::kernel::exception_to_deliver(ec, args)?;
    this.raise(ec, exception)
}

fn join(ec: &mut Ec, this: ThreadData, limit: Option<Value>) -> Result {
    if this.value() == ec.current_thread() {
        return Err(ec.thread_error("Target thread must not be current thread"));
    }
    if this.value() == ec.main_thread() {
        return Err(ec.thread_error("Target thread must not be main thread"));
    }
    let deadline = match limit {
        None | Some(Value::NIL) => None,
        Some(limit) => {
            let seconds = match ec.try_convert(limit, sym::TO_F)?.filter(|_| !ec.is_a(limit, ec.vm().known().string)) {
                Some(seconds) => ec.to_float(seconds)?,
                None => ec.to_float(limit)?,
            };
            sleep::deadline_after(seconds.max(0.0))
        }
    };
    if !this.join(ec, deadline)? {
        return Ok(Value::NIL);
    }
    let error = this.get(ec).error();
    if error.is_nil() { Ok(this.value()) } else { Err(ec.raise(error)) }
}

fn value(ec: &mut Ec, this: ThreadData) -> Result {
    join(ec, this, None)?;
    Ok(this.get(ec).value())
}

fn wakeup(ec: &mut Ec, this: ThreadData) -> Result {
    if !this.get(ec).is_alive() {
        return Err(ec.thread_error("killed thread"));
    }
    this.get_mut(ec).note_woken();
    ec.wake(this.value(), this.value())?;
    Ok(this.value())
}

fn run(ec: &mut Ec, this: ThreadData) -> Result {
    wakeup(ec, this)?;
    ec.pass_turn()?;
    Ok(this.value())
}

// ---- state ----

fn status(ec: &mut Ec, this: ThreadData) -> Value {
    match this.get(ec).status() {
        ThreadStatus::Running => ec.str("run"),
        ThreadStatus::Sleeping | ThreadStatus::SleepingForever => ec.str("sleep"),
        ThreadStatus::Aborting => ec.str("aborting"),
        ThreadStatus::Dead if this.get(ec).error().is_nil() => Value::FALSE,
        ThreadStatus::Dead => Value::NIL,
    }
}

fn is_alive(ec: &mut Ec, this: ThreadData) -> bool {
    this.get(ec).status() != ThreadStatus::Dead
}

fn is_stopped(ec: &mut Ec, this: ThreadData) -> bool {
    this.get(ec).is_stopped()
}

fn name(ec: &mut Ec, this: ThreadData) -> Value {
    this.get(ec).name
}

fn set_name(ec: &mut Ec, this: ThreadData, name: Value) -> Result {
    let name = if name.is_nil() { name } else { checked_name(ec, name)? };
    this.get_mut(ec).name = name;
    ec.wrote(this.value());
    if let (Some(id), Some(text)) = (this.get(ec).native_id(), Str::from_value(name)) {
        carat_os::process::name_thread(id, text.bytes(ec));
    }
    Ok(name)
}

fn checked_name(ec: &mut Ec, name: Value) -> Result {
    let name = ec.to_str(name)?;
    let encoding = name.encoding();
    if !encoding.is_ascii_compatible() {
        return Err(ec.argument_error(&format!("ASCII-incompatible encoding ({})", encoding.name())));
    }
    if name.bytes(ec).contains(&0) {
        return Err(ec.argument_error("string contains null byte"));
    }
    Ok(name.duplicate(ec).value())
}

fn priority(ec: &mut Ec, this: ThreadData) -> i64 {
    this.get(ec).priority
}

fn set_priority(ec: &mut Ec, this: ThreadData, priority: i64) -> i64 {
    this.get_mut(ec).priority = priority.clamp(-3, 3);
    priority
}

fn aborts(ec: &mut Ec, this: ThreadData) -> bool {
    this.get(ec).aborts_on_exception
}

fn set_aborts(ec: &mut Ec, this: ThreadData, on: bool) -> bool {
    this.get_mut(ec).aborts_on_exception = on;
    on
}

fn reports(ec: &mut Ec, this: ThreadData) -> bool {
    this.get(ec).reports_exception
}

fn set_reports(ec: &mut Ec, this: ThreadData, on: bool) -> bool {
    this.get_mut(ec).reports_exception = on;
    on
}

fn global_aborts(ec: &mut Ec, _class: Class) -> bool {
    ec.vm().extension::<ThreadSettings>().aborts_on_exception.load(Ordering::Relaxed)
}

fn set_global_aborts(ec: &mut Ec, _class: Class, on: bool) -> bool {
    ec.vm().extension::<ThreadSettings>().aborts_on_exception.store(on, Ordering::Relaxed);
    on
}

fn global_reports(ec: &mut Ec, _class: Class) -> bool {
    !ec.vm().extension::<ThreadSettings>().no_report.load(Ordering::Relaxed)
}

fn set_global_reports(ec: &mut Ec, _class: Class, on: bool) -> bool {
    ec.vm().extension::<ThreadSettings>().no_report.store(!on, Ordering::Relaxed);
    on
}

fn ignores_deadlock(ec: &mut Ec, _class: Class) -> bool {
    ec.vm().extension::<ThreadSettings>().ignores_deadlock.load(Ordering::Relaxed)
}

fn set_ignores_deadlock(ec: &mut Ec, _class: Class, on: bool) -> bool {
    ec.vm().extension::<ThreadSettings>().ignores_deadlock.store(on, Ordering::Relaxed);
    on
}

fn backtrace(ec: &mut Ec, this: ThreadData, start: Option<Value>, length: Option<Value>) -> Result<Option<Array>> {
    let part = backtrace_part(ec, this, start, length)?;
    Ok(part.map(|locations| carat_vm::backtrace::to_array(ec, &locations)))
}

fn backtrace_locations(
    ec: &mut Ec,
    this: ThreadData,
    start: Option<Value>,
    length: Option<Value>,
) -> Result<Option<Array>> {
    let part = backtrace_part(ec, this, start, length)?;
    Ok(part.map(|locations| crate::object::exception::location::to_array(ec, locations)))
}

/// The lines of a thread's backtrace that the arguments ask for, as those of `caller` do.
fn backtrace_part(
    ec: &mut Ec,
    this: ThreadData,
    start: Option<Value>,
    length: Option<Value>,
) -> Result<Option<Vec<Location>>> {
    let Some(locations) = this.locations(ec) else { return Ok(None) };
    crate::object::kernel::part_of_backtrace(ec, locations, start.unwrap_or(Value::len(0)), length)
}

fn native_thread_id(ec: &mut Ec, this: ThreadData) -> Option<Value> {
    this.get(ec).native_id().map(|id| ec.int(id))
}

/// `#<Thread:0x…@name t.rb:1 run>`
fn inspect(ec: &mut Ec, this: ThreadData) -> Str {
    let status = match this.get(ec).status() {
        ThreadStatus::Running => "run",
        ThreadStatus::Sleeping => "sleep",
        ThreadStatus::SleepingForever => "sleep_forever",
        ThreadStatus::Aborting => "aborting",
        ThreadStatus::Dead => "dead",
    };
    let name = Str::from_value(this.get(ec).name).map(|n| format!("@{}", n.to_text(ec))).unwrap_or_default();
    let body = Proc::from_value(this.get(ec).body()).and_then(Proc::iseq);
    let place = body.map(|l| format!(" {}:{}", l.iseq.path(), l.iseq.first_line)).unwrap_or_default();
    let text = ec.any_to_s(this.value()).to_text(ec);
    let text = Str::from_text(ec, &format!("{}{name}{place} {status}>", text.trim_end_matches('>')));
    if text.is_ascii(ec) {
        text.set_encoding(EncodingIndex::BINARY);
    }
    text
}

/// `Thread.each_caller_location { |location| … }`, innermost caller first.
fn each_caller_location(
    ec: &mut Ec,
    _class: Class,
    level: Option<i64>,
    count: Option<Value>,
    options: Keywords,
    block: Option<Block>,
) -> Result {
    options.check(ec, &[])?;
    let Some(block) = block else { return Err(ec.local_jump_error("no block given", "noreason", Value::NIL)) };
    let name = ec.vm().intern("caller_locations");
    let main = ec.vm().main_object();
    // The first argument counts from the block's frame, below which this method's and the call's of the next line stand.
    let level = ec.int(level.unwrap_or(1).saturating_add(1));
    let locations = match count {
        Some(count) => ec.call(main, name, &[level, count])?,
        None => ec.call(main, name, &[level])?,
    };
    let Some(locations) = Array::from_value(locations) else { return Ok(Value::NIL) };
    for i in 0..locations.len(ec) {
        let location = locations.at(ec, i);
        ec.yield_block(block, &[location])?;
    }
    Ok(Value::NIL)
}

// ---- interrupts ----

/// `Thread.handle_interrupt(ErrorClass => timing) { … }`
fn handle_interrupt(ec: &mut Ec, _class: Class, mask: Hash, block: Option<Block>) -> Result {
    let Some(block) = block else { return Err(ec.argument_error("block is needed.")) };
    let mut position = 0;
    while let Some(next) = mask.next(ec, position) {
        position = next;
        let timing = mask.value_at(ec, next - 1).as_symbol().map(|s| ec.vm().symbol_text(s));
        if !matches!(timing.as_deref(), Some("immediate" | "on_blocking" | "never")) {
            return Err(ec.argument_error("unknown mask signature"));
        }
    }
    let kept = if ec.is_frozen(mask.value()) { mask } else { mask.duplicate(ec)? };
    // What was deferred so far may be let through by this mask, or by the end of it.
    ec.push_interrupt_mask(kept);
    let result = ec.poll().and_then(|()| ec.yield_block(block, &[]));
    ec.pop_interrupt_mask();
    ec.poll()?;
    result
}

fn current_pending_interrupt(ec: &mut Ec, _class: Class, class: Option<Value>) -> Result<bool> {
    let current = ec.thread_data();
    pending_interrupt(ec, current, class)
}

fn pending_interrupt(ec: &mut Ec, this: ThreadData, class: Option<Value>) -> Result<bool> {
    let Some(class) = class else { return Ok(this.get(ec).interrupts().next().is_some()) };
    let Some(class) = Class::from_value(class) else {
        return Err(ec.type_error("class or module required for rescue clause"));
    };
    Ok(this.get(ec).interrupts().any(|i| ec.is_a(i, class)))
}

// ---- fiber-local and thread-local variables ----

fn locals(ec: &mut Ec, thread: ThreadData) -> Hash {
    let fiber = thread.fiber(ec);
    fiber.locals(ec)
}

fn local_at(ec: &mut Ec, this: ThreadData, Name(name): Name) -> Value {
    let locals = locals(ec, this);
    locals.get_symbol(ec, name).unwrap_or(Value::NIL)
}

fn local_set(ec: &mut Ec, this: ThreadData, Name(name): Name, value: Value) -> Result {
    check_locals(ec, this)?;
    let locals = locals(ec, this);
    if value.is_nil() {
        locals.delete(ec, Value::symbol(name))?;
    } else {
        locals.set_symbol(ec, name, value);
    }
    Ok(value)
}

fn check_locals(ec: &mut Ec, this: ThreadData) -> Result<()> {
    if ec.is_frozen(this.value()) {
        return Err(ec.error(ec.vm().known().frozen_error, "can't modify frozen thread locals"));
    }
    Ok(())
}

fn has_local(ec: &mut Ec, this: ThreadData, Name(name): Name) -> bool {
    let locals = locals(ec, this);
    locals.get_symbol(ec, name).is_some()
}

fn local_names(ec: &mut Ec, this: ThreadData) -> Array {
    let locals = locals(ec, this);
    names_of(ec, locals)
}

fn names_of(ec: &mut Ec, hash: Hash) -> Array {
    let names = Array::new(ec, hash.len(ec));
    let mut position = 0;
    while let Some(next) = hash.next(ec, position) {
        position = next;
        let key = hash.key_at(ec, next - 1);
        names.push(ec, key);
    }
    names
}

fn local_fetch(
    ec: &mut Ec,
    this: ThreadData,
    Name(name): Name,
    default: Option<Value>,
    block: Option<Block>,
) -> Result {
    if block.is_some() && default.is_some() {
        ec.warn("block supersedes default value argument")?;
    }
    let locals = locals(ec, this);
    if let Some(found) = locals.get_symbol(ec, name) {
        return Ok(found);
    }
    if let Some(block) = block {
        return ec.yield_block(block, &[Value::symbol(name)]);
    }
    if let Some(default) = default {
        return Ok(default);
    }
    let shown = ec.inspect(Value::symbol(name))?.to_text(ec);
    let error = ec.new_exception(ec.vm().known().key_error, &format!("key not found: {shown}"));
    ec.set_field(error, sym::RECEIVER_IVAR, this.value());
    ec.set_field(error, sym::KEY_IVAR, Value::symbol(name));
    Err(ec.raise(error))
}

fn variables(ec: &mut Ec, thread: ThreadData) -> Hash {
    if let Some(variables) = Hash::from_value(thread.get(ec).variables) {
        return variables;
    }
    let variables = Hash::new(ec);
    thread.get_mut(ec).variables = variables.value();
    ec.wrote(thread.value());
    variables
}

fn variable_at(ec: &mut Ec, this: ThreadData, Name(name): Name) -> Value {
    let variables = variables(ec, this);
    variables.get_symbol(ec, name).unwrap_or(Value::NIL)
}

fn variable_set(ec: &mut Ec, this: ThreadData, Name(name): Name, value: Value) -> Result {
    check_locals(ec, this)?;
    let variables = variables(ec, this);
    if value.is_nil() {
        variables.delete(ec, Value::symbol(name))?;
    } else {
        variables.set_symbol(ec, name, value);
    }
    Ok(value)
}

fn has_variable(ec: &mut Ec, this: ThreadData, Name(name): Name) -> bool {
    let variables = variables(ec, this);
    variables.get_symbol(ec, name).is_some()
}

fn variable_names(ec: &mut Ec, this: ThreadData) -> Array {
    let variables = variables(ec, this);
    names_of(ec, variables)
}
