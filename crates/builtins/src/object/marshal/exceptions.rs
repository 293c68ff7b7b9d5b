//! The attributes of exceptions: hidden fields here, instance variables without `@` in a dump.

use super::intern;
use carat_vm::{Ec, Result, Str, SymbolId, Value, sym};

/// Names in a dump and the fields they stand for, besides message and backtrace.
const ATTRIBUTES: &[(&str, &str)] = &[
    ("cause", "__cause"),
    ("name", "__name"),
    ("args", "__args"),
    ("receiver", "__receiver"),
    ("key", "__key"),
    ("result", "__result"),
    ("status", "__status"),
    ("signo", "__signo"),
    ("errno", "__errno"),
    ("tag", "__tag"),
    ("value", "__value"),
    ("@reason", "__reason"),
];

/// What a dump of an exception holds, in order. Receivers are for errors about keys alone: those of others are internal.
pub(super) fn attributes(ec: &Ec, exception: Value) -> Vec<(&'static str, SymbolId)> {
    let has_receiver = ec.is_a(exception, ec.vm().known().key_error);
    let mut found = vec![("mesg", sym::MESG), ("bt", sym::BT)];
    for (name, field) in ATTRIBUTES {
        let field = intern(ec, field);
        let is_set = ec.field(exception, field).is_some_and(|v| !(*name == "cause" && v.is_nil()));
        if is_set && (*name != "receiver" || has_receiver) {
            found.push((*name, field));
        }
    }
    found
}

pub(super) fn attribute(ec: &Ec, exception: Value, field: SymbolId) -> Value {
    if field == sym::BT {
        return crate::object::exception::backtrace_array(ec, exception).map_or(Value::NIL, carat_vm::Array::value);
    }
    ec.field(exception, field).unwrap_or(Value::NIL)
}

/// Sets what a dump calls `name`; false if no attribute is called so.
pub(super) fn set_attribute(ec: &mut Ec, exception: Value, name: &str, value: Value) -> Result<bool> {
    match name {
        "mesg" => ec.set_field(exception, sym::MESG, value),
        "bt" => {
            crate::object::exception::set_backtrace(ec, exception, value)?;
        }
        "cause" if is_cause(ec, exception, value) => ec.set_cause(exception, value),
        "cause" if ec.is_a(value, ec.vm().known().exception) => return Err(ec.argument_error("circular causes")),
        "cause" => {}
        // Only that of a LocalJumpError is hidden; others are the program's.
        "@reason" if !ec.is_a(exception, ec.vm().known().local_jump_error) => return Ok(false),
        _ => match ATTRIBUTES.iter().find(|(known, _)| *known == name) {
            Some((_, field)) if fits(ec, name, value) => ec.set_field(exception, intern(ec, field), value),
            Some(_) => {}
            None => return Ok(false),
        },
    }
    Ok(true)
}

/// Numbers that native code reads are numbers.
fn fits(ec: &Ec, name: &str, value: Value) -> bool {
    !matches!(name, "status" | "signo") || value.is_nil() || ec.is_integer(value)
}

/// An exception whose own causes do not lead back.
fn is_cause(ec: &Ec, exception: Value, cause: Value) -> bool {
    let mut link = Some(cause).filter(|c| !c.is_nil());
    while let Some(next) = link {
        if next == exception || !ec.is_a(next, ec.vm().known().exception) {
            return false;
        }
        link = ec.field(next, sym::CAUSE_IVAR).filter(|c| !c.is_nil());
    }
    true
}

/// CRuby words the message of a `NameError` when it is asked for, and dumps it as an object of this private class.
pub(super) fn is_lazy_message(path: Str, ec: &Ec) -> bool {
    path.bytes(ec) == b"NameError::message"
}
