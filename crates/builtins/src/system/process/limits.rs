//! Resource limits.

use crate::system::errno::errno;
use carat_os::{c, process as os};
use carat_vm::{Array, Ec, Result, Value};

pub(super) const RESOURCES: &[(&str, i32)] = &[
    ("CPU", 0),
    ("FSIZE", 1),
    ("DATA", 2),
    ("STACK", 3),
    ("CORE", 4),
    ("RSS", 5),
    ("NPROC", 6),
    ("NOFILE", 7),
    ("MEMLOCK", 8),
    ("AS", 9),
    ("SIGPENDING", 11),
    ("MSGQUEUE", 12),
    ("NICE", 13),
    ("RTPRIO", 14),
    ("RTTIME", 15),
];

fn name_of(ec: &mut Ec, value: Value) -> Result<Option<String>> {
    if let Some(symbol) = value.as_symbol() {
        return Ok(Some(ec.vm().symbol_text(symbol)));
    }
    Ok(ec.check_string(value)?.map(|s| s.to_text(ec)))
}

/// Whether an option `rlimit_name` is one.
pub(super) fn is_resource(name: &str) -> bool {
    RESOURCES.iter().any(|(known, _)| known.to_ascii_lowercase() == name)
}

/// A resource by number or name.
pub(super) fn resource(ec: &mut Ec, value: Value) -> Result<i32> {
    match name_of(ec, value)? {
        Some(name) => match RESOURCES.iter().find(|(n, _)| n.eq_ignore_ascii_case(&name)) {
            Some((_, number)) => Ok(*number),
            None => Err(ec.argument_error(&format!("invalid resource name: {name}"))),
        },
        None => Ok(ec.to_long(value)? as i32),
    }
}

/// A limit by number or name.
pub(super) fn amount(ec: &mut Ec, value: Value) -> Result<u64> {
    match name_of(ec, value)?.as_deref() {
        Some("INFINITY" | "SAVED_MAX" | "SAVED_CUR") => Ok(c::RLIM_INFINITY),
        Some(name) => Err(ec.argument_error(&format!("invalid resource value: {name}"))),
        None => {
            let number = ec.to_int(value)?;
            Ok(ec.to_bigint(number).and_then(|n| n.try_into().ok()).unwrap_or(c::RLIM_INFINITY))
        }
    }
}

pub(super) fn getrlimit(ec: &mut Ec, _this: Value, name: Value) -> Result<Array> {
    let resource = resource(ec, name)?;
    match os::limit(resource) {
        Ok((soft, hard)) => Ok(Array::pair(ec, ec.uint(soft), ec.uint(hard))),
        Err(e) => Err(errno(ec, &e, b"getrlimit")),
    }
}

pub(super) fn setrlimit(ec: &mut Ec, _this: Value, name: Value, soft: Value, hard: Option<Value>) -> Result {
    let resource = resource(ec, name)?;
    let (soft, hard) = (amount(ec, soft)?, amount(ec, hard.unwrap_or(soft))?);
    match os::set_limit(resource, soft, hard) {
        Ok(()) => Ok(Value::NIL),
        Err(e) => Err(errno(ec, &e, b"setrlimit")),
    }
}
