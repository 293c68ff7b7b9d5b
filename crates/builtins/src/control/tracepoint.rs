//! `TracePoint`: who is told of which events. The VM reports them: see `carat_vm::trace`.
//!
//! # Order
//! Trace points without a target come first, then those with one; of each the latest first.
//!
//! # Ractors
//! A Ractor is told of what its own threads do, by the trace points that it made and enabled: their blocks are its own. One that
//! another Ractor made, as the value that this ended with, can be enabled and is told of nothing.

use crate::object::parameters::parameters_of;
use carat_iseq::IseqRef;
use carat_vm::eval::iseq_of_entry;
use carat_vm::link::LinkedIseq;
use carat_vm::method::{MethodEntry, MethodKind};
use carat_vm::thread::Thread;
use carat_vm::trace::{TraceEvent, event};
use carat_vm::{
    Array, Block, Class, Data, Ec, Hash, NativeData, Proc, Rest, Result, Str, SymbolId, Unwind, Value, methods,
    primitives, sym,
};
use std::sync::Arc;

methods! {
    METHODS {
        static "new" => new;
        "enabled?" => is_enabled;
        "event" => event_name;
        "path" => path;
        "lineno" => lineno;
        "method_id" => method_id;
        "callee_id" => callee_id;
        "defined_class" => defined_class;
        "self" => receiver;
        "binding" => binding;
        "parameters" => parameters;
        "return_value" => return_value;
        "raised_exception" => raised_exception;
        "eval_script" => eval_script;
        "instruction_sequence" => instruction_sequence;
        "inspect" => inspect;
    }
}

primitives! {
    PRIMITIVES {
        "tracepoint_enable" => enable;
        "tracepoint_disable" => disable;
        "tracepoint_targets" => has_target;
        "tracepoint_allow_reentry" => allow_reentry;
        "tracepoint_end_reentry" => end_reentry;
        "tracepoint_functions" => functions;
    }
}

/// Names of the events.
const EVENTS: &[(&str, u32)] = &[
    ("line", event::LINE),
    ("class", event::CLASS),
    ("end", event::END),
    ("call", event::CALL),
    ("return", event::RETURN),
    ("c_call", event::C_CALL),
    ("c_return", event::C_RETURN),
    ("raise", event::RAISE),
    ("b_call", event::B_CALL),
    ("b_return", event::B_RETURN),
    ("thread_begin", event::THREAD_BEGIN),
    ("thread_end", event::THREAD_END),
    ("fiber_switch", event::FIBER_SWITCH),
    ("script_compiled", event::SCRIPT_COMPILED),
    ("rescue", event::RESCUE),
    ("a_call", event::CALL | event::B_CALL | event::C_CALL),
    ("a_return", event::RETURN | event::B_RETURN | event::C_RETURN),
];

/// What a trace point without events is told of.
const DEFAULT_EVENTS: u32 = event::ALL & !(event::RESCUE);

struct TracePoint {
    /// The number of the Ractor that made it.
    ractor: u32,
    mask: u32,
    block: Value,
    is_enabled: bool,
    /// The code that it is confined to.
    target: Option<Target>,
    /// The thread that it is confined to, or nil.
    thread: Value,
    /// What it is being told of, by several threads if one has its turn while another's block runs; of each the last counts.
    current: Vec<Current>,
}

struct Target {
    iseqs: Vec<Arc<LinkedIseq>>,
    line: Option<i32>,
    /// The method entry, for one that a block defines, or nil. Other methods may have the same block.
    method: Value,
}

/// What the block may ask about while it runs.
struct Current {
    /// Whose event it is.
    thread: Value,
    kind: u32,
    path: Arc<str>,
    line: i32,
    method: Value,
    callee: Option<SymbolId>,
    receiver: Value,
    value: Value,
    binding: Value,
    iseq: Option<Arc<LinkedIseq>>,
    is_lambda: bool,
}

impl NativeData for TracePoint {
    const NAME: &'static str = "tracepoint";

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.block);
        mark(self.thread);
        mark(self.target.as_ref().map_or(Value::NIL, |target| target.method));
        for Current { thread, method, receiver, value, binding, .. } in &self.current {
            [*thread, *method, *receiver, *value, *binding].into_iter().for_each(&mut *mark);
        }
    }
}

impl TracePoint {
    /// What the running thread is telling it of.
    fn current(&self, ec: &Ec) -> Option<usize> {
        let thread = ec.current_thread();
        self.current.iter().rposition(|current| current.thread == thread)
    }
}

pub(crate) fn init(ec: &mut Ec) {
    let object = ec.vm().known().object;
    let class = ec.new_class(object);
    class.set_allocator(None);
    object.set_constant(ec, ec.vm().intern("TracePoint"), class.value());
    class.define_methods(ec, METHODS);
}

fn symbol_argument(ec: &mut Ec, value: Value) -> Result<SymbolId> {
    if let Some(symbol) = value.as_symbol() {
        return Ok(symbol);
    }
    match ec.try_convert(value, sym::TO_SYM)?.and_then(Value::as_symbol) {
        Some(symbol) => Ok(symbol),
        None => Err(ec.wrong_type(value, "symbol")),
    }
}

fn mask_of(ec: &mut Ec, events: Rest) -> Result<u32> {
    let mut mask = 0;
    for given in events.iter() {
        let symbol = symbol_argument(ec, given)?;
        let name = ec.vm().symbol_text(symbol);
        match EVENTS.iter().find(|(known, _)| *known == name) {
            Some((_, bits)) => mask |= bits,
            None => return Err(ec.argument_error(&format!("unknown event: {name}"))),
        }
    }
    Ok(if mask == 0 { DEFAULT_EVENTS } else { mask })
}

fn new(ec: &mut Ec, class: Class, events: Rest, block: Option<Block>) -> Result {
    let mask = mask_of(ec, events)?;
    let Some(block) = block else { return Err(ec.argument_error("must be called with a block")) };
    let block = block.to_proc(ec).value();
    let ractor = ec.ractor().id;
    let point =
        TracePoint { ractor, mask, block, is_enabled: false, target: None, thread: Value::NIL, current: Vec::new() };
    Ok(Data::new(ec, class, point).value())
}

fn is_enabled(ec: &mut Ec, this: Data<TracePoint>) -> bool {
    this.get(ec).is_enabled
}

// ---- enabling ----

fn point(ec: &mut Ec, value: Value) -> Result<Data<TracePoint>> {
    Data::from_value(value).ok_or_else(|| ec.wrong_type(value, "TracePoint"))
}

/// Tells the VM what this Ractor's enabled trace points together want to know.
fn update_mask(ec: &mut Ec) {
    let (list, ractor) = (ec.enabled_trace_points(), ec.ractor().id);
    let mut mask = 0;
    for index in 0..list.len(ec) {
        let own = Data::<TracePoint>::from_value(list.at(ec, index)).map(|p| p.get(ec));
        mask |= own.filter(|own| own.ractor == ractor).map_or(0, |own| own.mask);
    }
    ec.set_trace_mask(mask);
}

fn enable(ec: &mut Ec, this: Value, target: Value, line: Value, thread: Value) -> Result<bool> {
    let this = point(ec, this)?;
    let before = this.get(ec).is_enabled;
    if thread.truthy() && !this.get(ec).thread.is_nil() {
        return Err(ec.argument_error("can not override target_thread filter"));
    }
    if thread.truthy() && Data::<Thread>::from_value(thread).is_none() {
        return Err(ec.wrong_type(thread, "VM/thread"));
    }
    if target.is_nil() && !line.is_nil() {
        return Err(ec.argument_error("only target_line is specified"));
    }
    if (before && !target.is_nil()) || this.get(ec).target.is_some() {
        return Err(ec.argument_error("can't nest-enable a targeting TracePoint"));
    }
    let target = if target.is_nil() { None } else { Some(find_target(ec, this, target, line)?) };
    if before {
        return Ok(true);
    }
    let state = this.get_mut(ec);
    let thread = if thread.truthy() { thread } else { Value::NIL };
    (state.is_enabled, state.target, state.thread) = (true, target, thread);
    ec.wrote(this.value());
    let list = ec.enabled_trace_points();
    list.push(ec, this.value());
    update_mask(ec);
    Ok(false)
}

fn find_target(ec: &mut Ec, this: Data<TracePoint>, target: Value, line: Value) -> Result<Target> {
    let Some(iseq) = iseq_of_target(ec, target) else {
        return Err(ec.argument_error("specified target is not supported"));
    };
    let mask = this.get(ec).mask;
    let line = match line {
        Value::NIL => None,
        _ if mask & event::LINE == 0 => {
            return Err(ec.argument_error("target_line is specified, but line event is not specified"));
        }
        line => Some(i32::try_from(ec.to_long(line)?).unwrap_or(-1)),
    };
    let method = block_method(ec, target);
    let target = Target { iseqs: iseq.with_blocks(ec), line, method };
    let has_calls = !method.is_nil() && line.is_none() && mask & (event::CALL | event::RETURN) != 0;
    if has_calls || target.iseqs.iter().any(|i| has_events(i, mask, line)) {
        Ok(target)
    } else {
        Err(ec.argument_error("can not enable any hooks"))
    }
}

/// The entry of a method that a block defines; nil for anything else.
fn block_method(ec: &Ec, target: Value) -> Value {
    let Some(data) = crate::object::method::method_data(target) else { return Value::NIL };
    let Some(entry) = MethodEntry::from_value(ec, data.get(ec).entry) else { return Value::NIL };
    let entry = entry.resolved(ec);
    if matches!(entry.kind, MethodKind::Proc(_)) { entry.value() } else { Value::NIL }
}

pub(crate) fn iseq_of_target(ec: &Ec, target: Value) -> Option<Arc<LinkedIseq>> {
    match Proc::from_value(target) {
        Some(proc) => proc.iseq(),
        None => {
            iseq_of_entry(ec, MethodEntry::from_value(ec, crate::object::method::method_data(target)?.get(ec).entry)?)
        }
    }
}

/// Whether events of a mask can happen in code.
fn has_events(linked: &LinkedIseq, mask: u32, line: Option<i32>) -> bool {
    let own = match linked.iseq.kind {
        carat_iseq::IseqKind::Method => event::CALL | event::RETURN,
        _ => event::B_CALL | event::B_RETURN,
    };
    let mut starts = linked.iseq.lines().filter(|(word, _)| word & carat_iseq::LINE_EVENT != 0);
    let has_line = mask & event::LINE != 0 && starts.any(|(_, at)| line.is_none_or(|line| line == at));
    has_line || (line.is_none() && mask & own != 0)
}

fn disable(ec: &mut Ec, this: Value) -> Result<bool> {
    let this = point(ec, this)?;
    let state = this.get_mut(ec);
    let before = state.is_enabled;
    (state.is_enabled, state.target, state.thread) = (false, None, Value::NIL);
    let list = ec.enabled_trace_points();
    if let Some(index) = list.slice_of(ec).iter().position(|v| *v == this.value()) {
        list.splice(ec, index, 1, Array::new(ec, 0));
    }
    update_mask(ec);
    Ok(before)
}

fn has_target(ec: &mut Ec, this: Value) -> Result<bool> {
    Ok(point(ec, this)?.get(ec).target.is_some())
}

fn allow_reentry(ec: &mut Ec) -> Result<()> {
    if !ec.is_tracing() {
        return Err(ec.runtime_error("No need to allow reentrance."));
    }
    ec.set_tracing(false);
    Ok(())
}

fn end_reentry(ec: &mut Ec) {
    ec.set_tracing(true);
}

/// The trace points behind `set_trace_func` of this Ractor's threads.
fn functions(ec: &mut Ec) -> Hash {
    ec.trace_functions()
}

// ---- events ----

/// Hook: calls the blocks of those that want to know.
pub(crate) fn tell(ec: &mut Ec, event: &TraceEvent) -> Result<()> {
    let list = ec.enabled_trace_points().duplicate(ec);
    for is_targeted in [false, true] {
        for index in (0..list.len(ec)).rev() {
            let Some(point) = Data::<TracePoint>::from_value(list.at(ec, index)) else { continue };
            if point.get(ec).target.is_some() == is_targeted && wants(ec, point, event) {
                call(ec, point, event)?;
            }
        }
    }
    Ok(())
}

/// Whether a trace point is told of an event. Native methods of `TracePoint` itself are nobody's business.
fn wants(ec: &Ec, point: Data<TracePoint>, event: &TraceEvent) -> bool {
    let own = point.get(ec);
    let is_native = event.kind & event::NATIVE != 0;
    let is_own_method = is_native && ec.event_owner(event).is_some_and(|owner| is_trace_point_class(ec, owner));
    if !own.is_enabled || own.mask & event.kind == 0 || own.ractor != ec.ractor().id || is_own_method {
        return false;
    }
    if !own.thread.is_nil() && own.thread != ec.current_thread() {
        return false;
    }
    let Some(target) = &own.target else { return true };
    let is_call = event.kind & (event::CALL | event::RETURN) != 0;
    if is_call && !target.method.is_nil() && event.method != target.method {
        return false;
    }
    let is_inside = event.iseq.as_ref().is_some_and(|i| target.iseqs.iter().any(|t| Arc::ptr_eq(i, t)));
    is_inside && target.line.is_none_or(|line| event.kind == event::LINE && event.line == line)
}

fn is_trace_point_class(ec: &Ec, owner: Class) -> bool {
    let class = ec.vm().known().object.own_constant(ec.vm().intern("TracePoint")).map(|c| c.value);
    class.is_some_and(|class| owner.value() == class || (owner.is_singleton() && owner.attached() == class))
}

fn call(ec: &mut Ec, point: Data<TracePoint>, event: &TraceEvent) -> Result<()> {
    let current = Current {
        thread: ec.current_thread(),
        kind: event.kind,
        path: event.path.clone(),
        line: event.line,
        method: event.method,
        callee: event.callee,
        receiver: event.receiver,
        value: event.value,
        binding: event_binding(ec, event),
        iseq: event.iseq.clone(),
        is_lambda: event.is_lambda,
    };
    point.get_mut(ec).current.push(current);
    ec.wrote(point.value());
    let block = Proc::expect(point.get(ec).block);
    let result = ec.call_proc(block, &[point.value()]);
    if let Some(index) = point.get(ec).current(ec) {
        point.get_mut(ec).current.remove(index);
    }
    result.map(|_| ())
}

/// Made for every event: the frame is gone when somebody asks later.
fn event_binding(ec: &mut Ec, event: &TraceEvent) -> Value {
    match ec.event_scope(event) {
        Some(scope) => crate::object::binding::new_binding_at(ec, scope, &event.path, event.line),
        None => Value::NIL,
    }
}

fn outside(ec: &mut Ec) -> Unwind {
    ec.runtime_error("access from outside")
}

fn current(ec: &mut Ec, this: Data<TracePoint>) -> Result<&Current> {
    match this.get(ec).current(ec) {
        Some(index) => Ok(&this.get(ec).current[index]),
        None => Err(outside(ec)),
    }
}

fn name_of(kind: u32) -> &'static str {
    EVENTS.iter().find(|(_, bits)| *bits == kind).map_or("unknown", |(name, _)| name)
}

fn event_name(ec: &mut Ec, this: Data<TracePoint>) -> Result<SymbolId> {
    let kind = current(ec, this)?.kind;
    Ok(ec.vm().intern(name_of(kind)))
}

fn path(ec: &mut Ec, this: Data<TracePoint>) -> Result<Option<Str>> {
    let path = current(ec, this)?.path.clone();
    Ok((!path.is_empty()).then(|| Str::from_text(ec, &path)))
}

fn lineno(ec: &mut Ec, this: Data<TracePoint>) -> Result<i64> {
    current(ec, this).map(|c| i64::from(c.line))
}

fn method_id(ec: &mut Ec, this: Data<TracePoint>) -> Result {
    let method = current(ec, this)?.method;
    let entry = MethodEntry::from_value(ec, method);
    Ok(entry.map_or(Value::NIL, |entry| Value::symbol(entry.resolved(ec).name)))
}

fn callee_id(ec: &mut Ec, this: Data<TracePoint>) -> Result {
    Ok(current(ec, this)?.callee.map_or(Value::NIL, Value::symbol))
}

fn defined_class(ec: &mut Ec, this: Data<TracePoint>) -> Result {
    let method = current(ec, this)?.method;
    Ok(MethodEntry::from_value(ec, method).map_or(Value::NIL, |entry| entry.owner(ec).value()))
}

fn receiver(ec: &mut Ec, this: Data<TracePoint>) -> Result {
    current(ec, this).map(|c| c.receiver)
}

fn binding(ec: &mut Ec, this: Data<TracePoint>) -> Result {
    current(ec, this).map(|c| c.binding)
}

/// The value of an event of one of some kinds.
fn value_of(ec: &mut Ec, this: Data<TracePoint>, kinds: u32) -> Result {
    let (kind, value) = current(ec, this).map(|c| (c.kind, c.value))?;
    if kind & kinds == 0 {
        return Err(ec.runtime_error("not supported by this event"));
    }
    Ok(value)
}

fn return_value(ec: &mut Ec, this: Data<TracePoint>) -> Result {
    value_of(ec, this, event::RETURN | event::C_RETURN | event::B_RETURN)
}

fn raised_exception(ec: &mut Ec, this: Data<TracePoint>) -> Result {
    value_of(ec, this, event::RAISE | event::RESCUE)
}

fn eval_script(ec: &mut Ec, this: Data<TracePoint>) -> Result {
    let compiled = value_of(ec, this, event::SCRIPT_COMPILED)?;
    Ok(Array::from_value(compiled).map_or(Value::NIL, |pair| pair.at(ec, 0)))
}

fn instruction_sequence(ec: &mut Ec, this: Data<TracePoint>) -> Result {
    let compiled = value_of(ec, this, event::SCRIPT_COMPILED)?;
    Ok(Array::from_value(compiled).map_or(Value::NIL, |pair| pair.at(ec, 1)))
}

fn parameters(ec: &mut Ec, this: Data<TracePoint>) -> Result<Array> {
    let event = current(ec, this)?;
    let (kind, method, iseq, is_lambda) = (event.kind, event.method, event.iseq.clone(), event.is_lambda);
    match kind {
        event::CALL | event::RETURN | event::C_CALL | event::C_RETURN => {
            let Some(entry) = MethodEntry::from_value(ec, method) else { return Ok(Array::new(ec, 0)) };
            let object = crate::object::method::unbound(ec, method, entry.name, entry.owner(ec));
            Ok(crate::object::method::parameters_of_method(ec, object))
        }
        event::B_CALL | event::B_RETURN => {
            let Some(linked) = iseq else { return Ok(Array::new(ec, 0)) };
            Ok(parameters_of(ec, &linked.iseq, is_lambda))
        }
        _ => Err(ec.runtime_error("not supported by this event")),
    }
}

fn inspect(ec: &mut Ec, this: Data<TracePoint>) -> Result<Str> {
    let own = this.get(ec);
    let Some(event) = own.current(ec).map(|index| &own.current[index]) else {
        return Ok(Str::from_ascii(
            ec,
            if own.is_enabled { b"#<TracePoint:enabled>" } else { b"#<TracePoint:disabled>" },
        ));
    };
    let (kind, name) = (event.kind, name_of(event.kind));
    let place = format!("{}:{}", event.path, event.line);
    let text = match kind {
        event::LINE => match MethodEntry::from_value(ec, event.method) {
            Some(entry) => format!("#<TracePoint:line {place} in '{}'>", ec.vm().symbol_text(entry.name)),
            None => format!("#<TracePoint:line {place}>"),
        },
        event::CALL | event::RETURN | event::C_CALL | event::C_RETURN => {
            let method = MethodEntry::from_value(ec, event.method).map(|entry| ec.vm().symbol_text(entry.name));
            format!("#<TracePoint:{name} '{}' {place}>", method.unwrap_or_default())
        }
        event::THREAD_BEGIN | event::THREAD_END => {
            let thread = event.value;
            let shown = ec.inspect(thread)?.to_text(ec);
            format!("#<TracePoint:{name} {shown}>")
        }
        _ => format!("#<TracePoint:{name} {place}>"),
    };
    Ok(Str::from_text(ec, &text))
}

pub(crate) fn sees_scripts(ec: &Ec) -> bool {
    ec.trace_mask() & event::SCRIPT_COMPILED != 0
}

/// Tells of source that was compiled: the event's value is the text and the code.
pub(crate) fn script_compiled(ec: &mut Ec, source: &[u8], code: &IseqRef) -> Result<()> {
    if !sees_scripts(ec) {
        return Ok(());
    }
    let text = Str::new(ec, source, carat_vm::EncodingIndex::UTF_8, carat_vm::CodeRange::Unknown);
    let compiled = Array::new(ec, 2);
    compiled.push(ec, text.value());
    let code = crate::control::instruction_sequence::of_program(ec, code.clone());
    compiled.push(ec, code);
    ec.report_event(event::SCRIPT_COMPILED, compiled.value())
}
