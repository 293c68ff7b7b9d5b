//! `Exception` and its tree: messages, backtraces, causes.
//!
//! # Layout
//! Everything an exception knows is in hidden fields: `__mesg`, `__bt` (a native backtrace, an array or nil),
//! `__cause` and what the class adds.
//!
//! # Code map
//! `kinds`: the subclasses with attributes. `errno`: `SystemCallError` and `Errno`. `report`: `full_message` and what the
//! command line prints. `explain` and `highlight`: what libraries add to messages. `location`: `Thread::Backtrace::Location`.

pub(crate) mod errno;
mod explain;
pub(crate) mod highlight;
mod kinds;
pub(crate) mod location;
mod report;
pub(crate) mod signals;

pub(crate) use errno::{class_of_number, errno_error, make_errno_classes, text as errno_text};
pub use explain::enable as enable_explanations;
pub(crate) use kinds::{exit_status, set_signal_number, signal_number};
pub(crate) use report::error_report;

use carat_vm::backtrace::{self, Backtrace};
use carat_vm::{Array, Class, Data, Ec, Keywords, Rest, Result, Str, Value, methods, primitives, sym};

methods! {
    METHODS {
        private "initialize" => initialize;
        static "exception" => exception_class;
        static "to_tty?" => is_tty;
        "exception" => exception;
        "==" => equal;
        "message" => message;
        "to_s" => to_s;
        "inspect" => inspect;
        "detailed_message" => report::detailed_message;
        "full_message" => report::full_message;
        "backtrace" => backtrace_of;
        "backtrace_locations" => backtrace_locations;
        "set_backtrace" => set_backtrace;
        "cause" => cause;
    }
}

primitives! {
    PRIMITIVES {}
}

pub(crate) fn init(ec: &mut Ec) {
    ec.vm().known().exception.define_methods(ec, METHODS);
    kinds::init(ec);
    errno::init(ec);
    location::init(ec);
}

fn initialize(ec: &mut Ec, this: Value, message: Option<Value>) {
    ec.set_field(this, sym::MESG, message.unwrap_or(Value::NIL));
}

fn exception_class(ec: &mut Ec, this: Value, args: Rest, keywords: Keywords) -> Result {
    let list = args.to_array(ec);
    let passing = carat_vm::call::Passing { keywords: keywords.0, block: None };
    ec.call_with_shared_array(this, sym::NEW, list, passing)
}

fn is_tty(_ec: &mut Ec, _this: Value) -> bool {
    use std::io::IsTerminal;
    std::io::stderr().is_terminal()
}

/// `e.exception`: itself, or a copy with another message.
fn exception(ec: &mut Ec, this: Value, message: Option<Value>) -> Result {
    let Some(message) = message.filter(|m| *m != this) else { return Ok(this) };
    let copy = ec.call(this, sym::CLONE, &[])?;
    ec.set_field(copy, sym::MESG, message);
    Ok(copy)
}

/// Same class, message and backtrace.
fn equal(ec: &mut Ec, this: Value, other: Value) -> Result<bool> {
    if this == other {
        return Ok(true);
    }
    let Some(other) = same_kind(ec, this, other)? else { return Ok(false) };
    for name in [sym::MESSAGE, sym::BACKTRACE] {
        let (mine, its) = (ec.call(this, name, &[])?, ec.call(other, name, &[])?);
        if !ec.equal(mine, its)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What an exception is compared with: another of its class, or what stands for one (a delegator).
fn same_kind(ec: &mut Ec, this: Value, other: Value) -> Result<Option<Value>> {
    let is_same = |ec: &Ec, other: Value| ec.class_of(this).real() == ec.class_of(other).real();
    if is_same(ec, other) {
        return Ok(Some(other));
    }
    let exception = ec.vm().intern("exception");
    match ec.try_convert(other, exception) {
        Ok(converted) => Ok(converted.filter(|other| is_same(ec, *other))),
        Err(unwind) => ec.pending_exception().map(|_| None).ok_or(unwind),
    }
}

fn message(ec: &mut Ec, this: Value) -> Result {
    let text = ec.call(this, sym::TO_S, &[])?;
    ec.to_s(text).map(Str::value)
}

fn to_s(ec: &mut Ec, this: Value) -> Result {
    match ec.field(this, sym::MESG).filter(|m| !m.is_nil()) {
        Some(message) => ec.to_s(message).map(Str::value),
        None => class_name(ec, this).map(Str::value),
    }
}

/// The name of the exception's class, as the class itself tells it.
fn class_name(ec: &mut Ec, this: Value) -> Result<Str> {
    let class = ec.class_of(this).real().value();
    ec.to_s(class)
}

fn inspect(ec: &mut Ec, this: Value) -> Result<Str> {
    let text = ec.to_s(this)?;
    let name = class_name(ec, this)?;
    if text.is_empty(ec) {
        return Ok(name);
    }
    let has_newline = text.bytes(ec).contains(&b'\n');
    let shown = if has_newline { ec.inspect(text.value())? } else { text };
    let out = Str::from_text(ec, "#<");
    out.push_str(ec, name);
    out.push_bytes(ec, if has_newline { b":" } else { b": " });
    out.push_str(ec, shown);
    out.push_bytes(ec, b">");
    Ok(out)
}

// ---- backtraces ----

fn backtrace_of(ec: &mut Ec, this: Value) -> Value {
    backtrace_array(ec, this).map_or(Value::NIL, Array::value)
}

/// The backtrace as strings; a native one is made strings on first sight and stays so.
pub(crate) fn backtrace_array(ec: &Ec, this: Value) -> Option<Array> {
    let stored = ec.field(this, sym::BT)?;
    if let Some(array) = Array::from_value(stored) {
        return Some(array);
    }
    let native = Data::<Backtrace>::from_value(stored)?;
    let array = backtrace::to_array(ec, native.get(ec).locations(ec));
    if ec.field(this, sym::BT_LOCATIONS).is_none() {
        ec.set_field(this, sym::BT_LOCATIONS, stored);
    }
    ec.set_field(this, sym::BT, array.value());
    Some(array)
}

fn backtrace_locations(ec: &mut Ec, this: Value) -> Value {
    let stored = [sym::BT_LOCATIONS, sym::BT].into_iter().find_map(|n| ec.field(this, n).filter(|v| !v.is_nil()));
    let Some(stored) = stored else { return Value::NIL };
    if let Some(native) = Data::<Backtrace>::from_value(stored) {
        let array = location::frames_to_array(ec, native.get(ec).lines(ec)).value();
        // The same array each time: a program may change it.
        ec.set_field(this, sym::BT_LOCATIONS, array);
        return array;
    }
    ec.field(this, sym::BT_LOCATIONS).unwrap_or(Value::NIL)
}

/// `set_backtrace`: a string, an array of strings or of locations, or nil.
pub(crate) fn set_backtrace(ec: &mut Ec, this: Value, backtrace: Value) -> Result {
    let checked = check_backtrace(ec, backtrace)?;
    if location_array(ec, checked).is_some() {
        ec.set_field(this, sym::BT_LOCATIONS, checked);
        let strings = location_strings(ec, Array::expect(checked));
        ec.set_field(this, sym::BT, strings.value());
        return Ok(checked);
    }
    let has_locations = ec.field(this, sym::BT_LOCATIONS).is_some();
    if has_locations || ec.field(this, sym::BT).is_some_and(|b| Data::<Backtrace>::from_value(b).is_some()) {
        ec.set_field(this, sym::BT_LOCATIONS, Value::NIL);
    }
    ec.set_field(this, sym::BT, checked);
    Ok(checked)
}

fn location_array(ec: &Ec, value: Value) -> Option<Array> {
    Array::from_value(value).filter(|a| a.get(ec, 0).is_some_and(location::is_location))
}

fn location_strings(ec: &Ec, locations: Array) -> Array {
    let strings = Array::new(ec, locations.len(ec));
    for index in 0..locations.len(ec) {
        let text = location::text(ec, locations.at(ec, index));
        strings.push(ec, Str::from_text(ec, &text).value());
    }
    strings
}

pub(crate) fn check_backtrace(ec: &mut Ec, value: Value) -> Result {
    if value.is_nil() {
        return Ok(value);
    }
    if Str::from_value(value).is_some() {
        return Ok(Array::from_slice(ec, &[value]).value());
    }
    let Some(array) = Array::from_value(value) else { return Err(bad_backtrace(ec)) };
    let all = |ec: &Ec, fits: fn(Value) -> bool| array.slice_of(ec).iter().all(|v| fits(*v));
    if all(ec, |v| Str::from_value(v).is_some()) || all(ec, location::is_location) {
        Ok(value)
    } else {
        Err(bad_backtrace(ec))
    }
}

fn bad_backtrace(ec: &mut Ec) -> carat_vm::Unwind {
    ec.type_error("backtrace must be an Array of String or an Array of Thread::Backtrace::Location")
}

fn cause(ec: &mut Ec, this: Value) -> Value {
    ec.field(this, sym::CAUSE_IVAR).unwrap_or(Value::NIL)
}

/// Class and message of an exception, without calling Ruby: for errors while the core library loads.
pub fn describe_exception(ec: &Ec, exception: Value) -> String {
    let class = ec.class_of(exception).to_text(ec);
    let message = ec.field(exception, sym::MESG).and_then(Str::from_value).map(|s| s.to_text(ec)).unwrap_or_default();
    let place =
        backtrace_array(ec, exception).and_then(|a| a.get(ec, 0)).and_then(Str::from_value).map(|s| s.to_text(ec));
    format!("{}: {class}: {message}", place.unwrap_or_default())
}

/// A constant of `Object` made for a class.
pub(crate) fn set_class_constant(ec: &Ec, scope: Class, name: &str, class: Class) {
    scope.set_constant(ec, ec.vm().intern(name), class.value());
}
