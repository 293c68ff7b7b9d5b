//! Trace points of C code: on top of `TracePoint`, whose block calls the C function.
//!
//! What a C function is given about an event is the `TracePoint` itself. Events of the collector (`RUBY_INTERNAL_EVENT_*`)
//! have no trace points.

use crate::boundary::{CValue, Function, Id, fetch};
use carat_vm::foreign::CData;
use carat_vm::{Class, Ec, Result, Value};
use std::ffi::{c_int, c_void};
use std::sync::Mutex;

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
    if events & !0xFFFF != 0 {
        return Err(ec.not_implemented("trace points for events of the collector"));
    }
    // SAFETY: any size may be asked for.
    let memory = unsafe { libc::malloc(size_of::<Hook>()) }.cast::<Hook>();
    if memory.is_null() {
        return Err(ec.no_memory());
    }
    // SAFETY: the memory is that large.
    unsafe { memory.write(hook) };
    let free = libc::free as *const () as usize;
    let holder = CData::new(ec, None, std::ptr::null(), free, memory.cast(), true);
    let block = crate::block::proc_of(ec, Function(run_hook as *const c_void), CValue::of(holder.value()).word());
    let names: Box<[Value]> = EVENTS
        .iter()
        .filter(|(flag, _)| events & flag != 0)
        .map(|(_, name)| Value::symbol(ec.vm().intern(name)))
        .collect();
    let class = trace_point_class(ec)?;
    let new = ec.vm().intern("new");
    crate::method::call_passing(ec, class.value(), new, &names, Some(block), 0)
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
    enable(ec, point, thread)?;
    let added = Added { function: function.addr(), data: data.addr(), point };
    ADDED.lock().unwrap_or_else(|e| e.into_inner()).push(added);
    Ok(())
}

fn enable(ec: &mut Ec, point: Value, thread: Value) -> Result<()> {
    if thread.is_nil() {
        return ec.call(point, ec.vm().intern("enable"), &[]).map(drop);
    }
    let options = carat_vm::Hash::new(ec);
    options.store(ec, Value::symbol(ec.vm().intern("target_thread")), thread)?;
    crate::method::call_passing(ec, point, ec.vm().intern("enable"), &[options.value()], None, 1).map(drop)
}

/// Disables the hooks that are meant; how many they were.
fn remove(ec: &mut Ec, is_meant: impl Fn(&Added) -> bool) -> Result<c_int> {
    let mut count = 0;
    loop {
        let found = {
            let mut added = ADDED.lock().unwrap_or_else(|e| e.into_inner());
            added.iter().position(&is_meant).map(|index| added.swap_remove(index).point)
        };
        let Some(point) = found else { return Ok(count) };
        ec.call(point, ec.vm().intern("disable"), &[])?;
        count += 1;
    }
}

api! {
    fn rb_tracepoint_new(ec, thread: CValue, events: u32, function: *const c_void, data: *mut c_void) -> Result {
        let point = new_point(ec, events, Hook { function, data, takes: Takes::PointAndData })?;
        if thread.word() != 0 && !thread.value().is_nil() {
            ec.set_field(point, ec.vm().intern("target_thread"), thread.value());
        }
        Ok(point)
    }

    fn rb_tracepoint_enable(ec, point: Value) -> Result<CValue> {
        let thread = ec.field(point, ec.vm().intern("target_thread")).unwrap_or(Value::NIL);
        enable(ec, point, thread)?;
        Ok(CValue::UNDEF)
    }

    fn rb_tracepoint_disable(ec, point: Value) -> Result<CValue> {
        ec.call(point, ec.vm().intern("disable"), &[])?;
        Ok(CValue::UNDEF)
    }

    fn rb_tracearg_from_tracepoint(_ec, point: Value) -> Value {
        point
    }

    fn rb_tracearg_event_flag(ec, point: Value) -> Result<u32> {
        let event = ec.call(point, ec.vm().intern("event"), &[])?;
        let name = event.as_symbol().map(|symbol| ec.vm().symbol_text(symbol)).unwrap_or_default();
        Ok(EVENTS.iter().find(|(_, event)| *event == name).map_or(0, |(flag, _)| *flag))
    }

    // Events of objects that are made or freed are not sent, and no other event has an object: CRuby's error for those.
    fn rb_tracearg_object(ec, _point: Value) -> Result {
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
    rb_tracepoint_enabled_p(point) => "enabled?";
    rb_tracearg_event(point) => "event";
    rb_tracearg_lineno(point) => "lineno";
    rb_tracearg_path(point) => "path";
    rb_tracearg_method_id(point) => "method_id";
    rb_tracearg_callee_id(point) => "callee_id";
    rb_tracearg_defined_class(point) => "defined_class";
    rb_tracearg_binding(point) => "binding";
    rb_tracearg_self(point) => "self";
    rb_tracearg_return_value(point) => "return_value";
    rb_tracearg_raised_exception(point) => "raised_exception";
    rb_tracearg_parameters(point) => "parameters";
    rb_tracearg_eval_script(point) => "eval_script";
    rb_tracearg_instruction_sequence(point) => "instruction_sequence";
}
