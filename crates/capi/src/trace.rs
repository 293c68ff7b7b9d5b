//! Trace points of C code: on top of `TracePoint`, whose block calls the C function.
//!
//! What a C function is given about an event is the `TracePoint` itself.
//!
//! # Events of the collector
//! A trace point for `RUBY_INTERNAL_EVENT_*` is an object of its own, as no Ruby code can run for those: see [`tell`]. What is
//! asked of it is asked of the event that is being told of, which its thread knows.

use crate::boundary::{CValue, Function, Id, during_collection, fetch};
use carat_vm::foreign::{CData, collector_event};
use carat_vm::{Class, CodeRange, Ec, EncodingIndex, Result, Str, Value};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::sync::{Mutex, PoisonError};

/// `RUBY_EVENT_*` and what `TracePoint` calls them.
const EVENTS: [(u32, &str); 15] = [
    (0x0001, "line"),
    (0x0002, "class"),
    (0x0004, "end"),
    (0x0008, "call"),
    (0x0010, "return"),
    (0x0020, "c_call"),
    (0x0040, "c_return"),
    (0x0080, "raise"),
    (0x0100, "b_call"),
    (0x0200, "b_return"),
    (0x0400, "thread_begin"),
    (0x0800, "thread_end"),
    (0x1000, "fiber_switch"),
    (0x2000, "script_compiled"),
    (0x4000, "rescue"),
];

const CALL_OR_RETURN: u32 = 0x18;

fn class_of(point: CValue) -> Value {
    let ec = crate::boundary::current();
    ec.class_of(point.value()).real().value()
}

/// A C function that is called for events, in memory that the proc's object keeps.
#[repr(C)]
#[derive(Clone, Copy)]
struct Hook {
    function: *const c_void,
    data: *mut c_void,
    takes: Takes,
}

/// What a hook's function takes.
#[derive(Clone, Copy)]
enum Takes {
    /// What `rb_event_hook_func_t` does.
    Event,
    /// The data and the trace point: `RUBY_EVENT_HOOK_FLAG_RAW_ARG`.
    DataAndPoint,
    /// The trace point and the data: `rb_tracepoint_new`.
    PointAndData,
}

const RAW_ARG: u32 = 4;

/// A hook that `rb_remove_event_hook` can find.
struct Added {
    /// The number of the Ractor that added it, and alone removes it.
    ractor: u32,
    function: usize,
    data: usize,
    point: Value,
}

// SAFETY: the trace point is kept for good, and only threads that have their turn use it.
unsafe impl Send for Added {}

static ADDED: Mutex<Vec<Added>> = Mutex::new(Vec::new());

fn trace_point_class(ec: &mut Ec) -> Result<Class> {
    let found = crate::boundary::constant(ec, "TracePoint")?;
    crate::boundary::class(ec, found)
}

fn new_point(ec: &mut Ec, events: u32, hook: Hook) -> Result {
    if events & collector_event::ALL != 0 {
        return collector_point(ec, events, hook);
    }
    let holder = holder_of(ec, hook)?;
    let block = crate::block::proc_of(ec, Function(run_hook as *const c_void), CValue::of(holder.value()).word());
    let names: Box<[Value]> = EVENTS
        .iter()
        .filter(|(flag, _)| events & flag != 0)
        .map(|(_, name)| Value::symbol(ec.vm().intern(name)))
        .collect();
    let class = trace_point_class(ec)?;
    let new = name!(ec, "new");
    crate::method::call_passing(ec, class.value(), new, &names, Some(block), 0)
}

/// An object that keeps a hook.
fn holder_of<T>(ec: &mut Ec, hook: T) -> Result<CData> {
    // SAFETY: any size may be asked for.
    let memory = unsafe { libc::malloc(size_of::<T>()) }.cast::<T>();
    if memory.is_null() {
        return Err(ec.no_memory());
    }
    // SAFETY: the memory is that large.
    unsafe { memory.write(hook) };
    let free = libc::free as *const () as usize;
    Ok(CData::new(ec, None, std::ptr::null(), free, memory.cast(), true))
}

/// A trace point for events of the collector.
#[derive(Clone, Copy)]
struct CollectorPoint {
    hook: Hook,
    events: u32,
    /// The object that C code knows it by.
    point: Value,
}

// SAFETY: the function is code, what the data is C code knows, and the point is kept while it is enabled.
unsafe impl Send for CollectorPoint {}

/// Those that are enabled.
static COLLECTOR_POINTS: Mutex<Vec<CollectorPoint>> = Mutex::new(Vec::new());

/// What a thread is being told of.
#[derive(Clone, Copy)]
struct CollectorEvent {
    flag: u32,
    object: Value,
}

thread_local! {
    static EVENT: Cell<Option<CollectorEvent>> = const { Cell::new(None) };
}

fn collector_point(ec: &mut Ec, events: u32, hook: Hook) -> Result {
    let holder = holder_of(ec, CollectorPoint { hook, events, point: Value::NIL })?;
    Ok(holder.value())
}

/// The trace point for events of the collector that an object is, if it is one.
fn as_collector_point(point: Value) -> Option<CollectorPoint> {
    let holder = CData::from_value(point)?;
    // SAFETY: what C code may pass here is a trace point, and those that are RCData wrap this.
    Some(CollectorPoint { point, ..fetch(unsafe { (*holder.raw()).data }.cast_const().cast::<CollectorPoint>()) })
}

/// Has the events told of that any trace point waits for.
fn update(ec: &mut Ec) {
    let points = COLLECTOR_POINTS.lock().unwrap_or_else(PoisonError::into_inner);
    let events = points.iter().fold(0, |events, point| events | point.events);
    drop(points);
    ec.want_collector_events(events);
}

fn enable_collector_point(ec: &mut Ec, point: CollectorPoint) -> Result<()> {
    if point.events & !collector_event::ALL != 0 {
        return Err(ec.type_error("Can not specify normal event and internal event simultaneously."));
    }
    ec.vm().keep(point.point);
    let mut points = COLLECTOR_POINTS.lock().unwrap_or_else(PoisonError::into_inner);
    if !points.iter().any(|other| other.point == point.point) {
        points.push(point);
    }
    drop(points);
    update(ec);
    Ok(())
}

fn disable_collector_point(ec: &mut Ec, point: Value) {
    COLLECTOR_POINTS.lock().unwrap_or_else(PoisonError::into_inner).retain(|other| other.point != point);
    update(ec);
}

/// Calls what waits for an event of the collector. Nothing is collected meanwhile, and what C code makes is not told of.
pub(crate) fn tell(ec: &Ec, flag: u32, object: Value) {
    if EVENT.get().is_some() {
        return;
    }
    EVENT.set(Some(CollectorEvent { flag, object }));
    let mut index = 0;
    loop {
        // Not held meanwhile: C code may disable what runs.
        let found = COLLECTOR_POINTS.lock().unwrap_or_else(PoisonError::into_inner).get(index).copied();
        let Some(point) = found else { break };
        if point.events & flag != 0 {
            during_collection(ec, || call_hook(point, flag));
        }
        index += 1;
    }
    EVENT.set(None);
}

fn call_hook(CollectorPoint { hook: Hook { function, data, takes }, point, .. }: CollectorPoint, flag: u32) {
    let data = CValue::from_word(data.expose_provenance() as u64);
    let point = CValue::of(point);
    let nil = CValue::of(Value::NIL);
    type Plain = unsafe extern "C" fn(u32, CValue, CValue, u64, CValue);
    type Pair = unsafe extern "C" fn(CValue, CValue);
    // SAFETY: C code passed a function of this kind.
    unsafe {
        match takes {
            Takes::Event => std::mem::transmute::<*const c_void, Plain>(function)(flag, data, nil, 0, nil),
            Takes::DataAndPoint => std::mem::transmute::<*const c_void, Pair>(function)(data, point),
            Takes::PointAndData => std::mem::transmute::<*const c_void, Pair>(function)(point, data),
        }
    }
}

/// The event that a trace point stands for while it is told of; `None` for a `TracePoint`, which knows itself.
fn collector_event_of(point: Value) -> Option<CollectorEvent> {
    EVENT.get().filter(|_| CData::from_value(point).is_some())
}

/// The path of a file, for good: C code keeps it where nobody looks.
fn lasting_path(ec: &Ec, path: &str) -> Value {
    static PATHS: Mutex<Option<FxHashMap<Box<str>, u64>>> = Mutex::new(None);
    let mut paths = PATHS.lock().unwrap_or_else(PoisonError::into_inner);
    let paths = paths.get_or_insert_default();
    if let Some(bits) = paths.get(path) {
        // SAFETY: the VM keeps it.
        return unsafe { Value::from_bits(*bits) };
    }
    let made = ec.unrecorded(|| Str::new(ec, path.as_bytes(), EncodingIndex::UTF_8, CodeRange::Unknown).value());
    paths.insert(path.into(), ec.vm().keep(made).bits());
    made
}

/// What is asked of where the program is when an object is made: nothing runs Ruby code for it.
fn asked_of_place(ec: &mut Ec, event: CollectorEvent, what: &str) -> Value {
    let place = if event.flag == collector_event::MADE { ec.recorded_place() } else { None };
    let Some(place) = place else { return if what == "lineno" { ec.int(0) } else { Value::NIL } };
    match what {
        "lineno" => ec.int(place.line.into()),
        "path" => lasting_path(ec, &place.path),
        "method_id" | "callee_id" => place.method.map_or(Value::NIL, Value::symbol),
        "self" => ec.running_receiver(),
        _ => Value::NIL,
    }
}

/// Functions that ask a trace point by the method of a name.
macro_rules! asks {
    ($($function:ident => $name:literal;)*) => { api! {$(
        fn $function(ec, point: Value) -> Result {
            match collector_event_of(point) {
                Some(event) => Ok(asked_of_place(ec, event, $name)),
                None => ec.call(point, name!(ec, $name), &[]),
            }
        }
    )*} };
}

asks! {
    rb_tracearg_lineno => "lineno";
    rb_tracearg_path => "path";
    rb_tracearg_method_id => "method_id";
    rb_tracearg_callee_id => "callee_id";
    rb_tracearg_defined_class => "defined_class";
    rb_tracearg_binding => "binding";
    rb_tracearg_self => "self";
}

/// The block of a C function's trace point. It is C code itself: jumps may cross it.
extern "C" fn run_hook(point: CValue, holder: CValue, _count: c_int, _list: *const CValue, _block: CValue) -> CValue {
    let Some(holder) = CData::from_value(holder.value()) else { return CValue::of(Value::NIL) };
    // SAFETY: the object is an RCData that wraps a hook.
    let Hook { function, data, takes } = fetch(unsafe { (*holder.raw()).data }.cast_const().cast::<Hook>());
    let flag = rb_tracearg_event_flag(point);
    if flag & CALL_OR_RETURN != 0 && rb_tracearg_defined_class(point) == CValue::of(class_of(point)) {
        // `TracePoint#enable` and `disable`, which C code enables and disables with: no method is called in CRuby.
        return CValue::of(Value::NIL);
    }
    if let Takes::Event = takes {
        let (this, name) = (rb_tracearg_self(point), rb_tracearg_method_id(point));
        let id = name.value().as_symbol().map_or(0, |symbol| Id(symbol).word());
        let owner = rb_tracearg_defined_class(point);
        type Plain = unsafe extern "C" fn(u32, CValue, CValue, u64, CValue);
        // SAFETY: C code passed such a function to `rb_add_event_hook`.
        unsafe {
            std::mem::transmute::<*const c_void, Plain>(function)(flag, CValue::from_word(data as u64), this, id, owner)
        };
    } else {
        let data = CValue::from_word(data.expose_provenance() as u64);
        let (first, second) = if let Takes::PointAndData = takes { (point, data) } else { (data, point) };
        // SAFETY: C code passed such a function, and all it takes are two words.
        unsafe {
            std::mem::transmute::<*const c_void, unsafe extern "C" fn(CValue, CValue)>(function)(first, second);
        }
    }
    CValue::of(Value::NIL)
}

fn add(ec: &mut Ec, function: *const c_void, events: u32, data: *mut c_void, thread: Value, flags: u32) -> Result<()> {
    let takes = if flags & RAW_ARG != 0 { Takes::DataAndPoint } else { Takes::Event };
    let point = new_point(ec, events, Hook { function, data, takes })?;
    ec.vm().keep(point);
    match as_collector_point(point) {
        Some(collector) => enable_collector_point(ec, collector)?,
        None => enable(ec, point, thread)?,
    }
    let ractor = ec.ractor_number();
    let added = Added { ractor, function: function.addr(), data: data.addr(), point };
    ADDED.lock().unwrap_or_else(|e| e.into_inner()).push(added);
    Ok(())
}

fn enable(ec: &mut Ec, point: Value, thread: Value) -> Result<()> {
    if thread.is_nil() {
        return ec.call(point, name!(ec, "enable"), &[]).map(drop);
    }
    let options = carat_vm::Hash::new(ec);
    options.store(ec, Value::symbol(name!(ec, "target_thread")), thread)?;
    crate::method::call_passing(ec, point, name!(ec, "enable"), &[options.value()], None, 1).map(drop)
}

/// Disables the hooks that are meant; how many they were.
fn remove(ec: &mut Ec, is_meant: impl Fn(&Added) -> bool) -> Result<c_int> {
    let mut count = 0;
    loop {
        let found = {
            let mut added = ADDED.lock().unwrap_or_else(|e| e.into_inner());
            let is_meant = |one: &Added| one.ractor == ec.ractor_number() && is_meant(one);
            added.iter().position(is_meant).map(|index| added.swap_remove(index).point)
        };
        let Some(point) = found else { return Ok(count) };
        match as_collector_point(point) {
            Some(_) => disable_collector_point(ec, point),
            None => drop(ec.call(point, name!(ec, "disable"), &[])?),
        }
        count += 1;
    }
}

api! {
    fn rb_tracepoint_new(ec, thread: CValue, events: u32, function: *const c_void, data: *mut c_void) -> Result {
        let point = new_point(ec, events, Hook { function, data, takes: Takes::PointAndData })?;
        if as_collector_point(point).is_none() && thread.word() != 0 && !thread.value().is_nil() {
            ec.set_field(point, name!(ec, "target_thread"), thread.value());
        }
        Ok(point)
    }

    fn rb_tracepoint_enable(ec, point: Value) -> Result<CValue> {
        if let Some(collector) = as_collector_point(point) {
            enable_collector_point(ec, collector)?;
            return Ok(CValue::UNDEF);
        }
        let thread = ec.field(point, name!(ec, "target_thread")).unwrap_or(Value::NIL);
        enable(ec, point, thread)?;
        Ok(CValue::UNDEF)
    }

    fn rb_tracepoint_enabled_p(ec, point: Value) -> Result {
        if as_collector_point(point).is_some() {
            let points = COLLECTOR_POINTS.lock().unwrap_or_else(PoisonError::into_inner);
            return Ok(Value::bool(points.iter().any(|other| other.point == point)));
        }
        ec.call(point, name!(ec, "enabled?"), &[])
    }

    fn rb_tracepoint_disable(ec, point: Value) -> Result<CValue> {
        if as_collector_point(point).is_some() {
            disable_collector_point(ec, point);
            return Ok(CValue::UNDEF);
        }
        ec.call(point, name!(ec, "disable"), &[])?;
        Ok(CValue::UNDEF)
    }

    fn rb_tracearg_from_tracepoint(_ec, point: Value) -> Value {
        point
    }

    fn rb_tracearg_event_flag(ec, point: Value) -> Result<u32> {
        if let Some(event) = collector_event_of(point) {
            return Ok(event.flag);
        }
        let event = ec.call(point, name!(ec, "event"), &[])?;
        let name = event.as_symbol().map(|symbol| ec.vm().symbol_text(symbol)).unwrap_or_default();
        Ok(EVENTS.iter().find(|(_, event)| *event == name).map_or(0, |(flag, _)| *flag))
    }

    fn rb_tracearg_object(ec, point: Value) -> Result {
        if let Some(event) = collector_event_of(point)
            && event.flag & collector_event::OF_OBJECTS != 0
        {
            return Ok(event.object);
        }
        Err(ec.runtime_error("not supported by this event"))
    }

    fn rb_add_event_hook(ec, function: *const c_void, events: u32, data: *mut c_void) -> Result<()> {
        add(ec, function, events, data, Value::NIL, 0)
    }

    fn rb_add_event_hook2(ec, function: *const c_void, events: u32, data: *mut c_void, flags: u32) -> Result<()> {
        add(ec, function, events, data, Value::NIL, flags)
    }

    fn rb_thread_add_event_hook2(
        ec, thread: Value, function: *const c_void, events: u32, data: *mut c_void, flags: u32,
    ) -> Result<()> {
        add(ec, function, events, data, thread, flags)
    }

    fn rb_thread_add_event_hook(ec, thread: Value, function: *const c_void, events: u32, data: *mut c_void) -> Result<()> {
        add(ec, function, events, data, thread, 0)
    }

    fn rb_remove_event_hook(ec, function: *const c_void) -> Result<c_int> {
        remove(ec, |added| added.function == function.addr())
    }

    fn rb_thread_remove_event_hook(ec, _thread: Value, function: *const c_void) -> Result<c_int> {
        remove(ec, |added| added.function == function.addr())
    }

    fn rb_thread_remove_event_hook_with_data(ec, _thread: Value, function: *const c_void, data: *mut c_void) -> Result<c_int> {
        remove(ec, |added| added.function == function.addr() && added.data == data.addr())
    }

    fn rb_remove_event_hook_with_data(ec, function: *const c_void, data: *mut c_void) -> Result<c_int> {
        remove(ec, |added| added.function == function.addr() && added.data == data.addr())
    }
}

calls! {
    rb_tracearg_event(point) => "event";
    rb_tracearg_return_value(point) => "return_value";
    rb_tracearg_raised_exception(point) => "raised_exception";
    rb_tracearg_parameters(point) => "parameters";
    rb_tracearg_eval_script(point) => "eval_script";
    rb_tracearg_instruction_sequence(point) => "instruction_sequence";
}
