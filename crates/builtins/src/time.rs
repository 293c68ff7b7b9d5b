//! `Time`.

use carat_vm::{Ec, Result, Value, methods, primitives};

methods! {
    METHODS {}
}

primitives! {
    PRIMITIVES {}
}

pub(crate) fn init(_ec: &mut Ec) {
    let _ = METHODS;
}

pub(crate) fn local_time(ec: &mut Ec, seconds: i64, _nanoseconds: i64) -> Result {
    Ok(ec.int(seconds))
}

pub(crate) fn seconds_and_nanoseconds(ec: &mut Ec, value: Value) -> Result<(i64, i64)> {
    Ok((ec.to_long(value)?, 0))
}

pub(crate) fn zone_changed(_ec: &mut Ec) {}
