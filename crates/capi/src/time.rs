//! Times.

use crate::boundary::{Outcome, fetch, store};
use carat_vm::{Ec, Result, Value, sym};
use std::ffi::c_int;

/// `struct timespec`, and `struct timeval` with microseconds.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Moment {
    seconds: i64,
    part: i64,
}

impl Outcome for Moment {
    type C = Moment;
    fn outcome(self) -> Result<Moment> {
        Ok(self)
    }
}

fn time_class(ec: &Ec) -> Value {
    ec.vm().known().time.value()
}

fn at(ec: &mut Ec, seconds: i64, part: i64, unit: &str) -> Result {
    let (seconds, part, unit) = (ec.int(seconds), ec.int(part), Value::symbol(ec.vm().intern(unit)));
    ec.call(time_class(ec), name!(ec, "at"), &[seconds, part, unit])
}

/// Seconds and nanoseconds of a number.
fn parts(ec: &mut Ec, number: Value, is_interval: bool) -> Result<Moment> {
    let what = if is_interval { "time interval" } else { "time" };
    if !ec.is_a(number, ec.vm().known().numeric) {
        let shown = ec.describe_for_type_error(number);
        let shown = if number.is_heap() { ec.class_of(number).real().to_text(ec) } else { shown };
        return Err(ec.type_error(&format!(
            "can't convert {shown} into {}",
            if is_interval { "time interval" } else { "exact number" }
        )));
    }
    let pair = ec.call(number, name!(ec, "divmod"), &[Value::fixnum_unchecked(1)])?;
    let pair = crate::boundary::array(ec, pair)?;
    let (whole, rest) = (pair.at(ec, 0), pair.at(ec, 1));
    let seconds = ec.to_long(whole)?;
    if seconds < 0 && is_interval {
        return Err(ec.argument_error(&format!("{what} must not be negative")));
    }
    let nanoseconds = ec.call(rest, sym::MULT, &[Value::fixnum_unchecked(1_000_000_000)])?;
    let part = ec.to_int(nanoseconds)?;
    Ok(Moment { seconds, part: part.as_fixnum().unwrap_or(0) })
}

fn moment(ec: &mut Ec, value: Value) -> Result<Moment> {
    if !ec.is_a(value, ec.vm().known().time) {
        return parts(ec, value, false);
    }
    let (seconds, part) = (ec.call(value, sym::TO_I, &[])?, ec.call(value, name!(ec, "nsec"), &[])?);
    Ok(Moment { seconds: ec.to_long(seconds)?, part: part.as_fixnum().unwrap_or(0) })
}

fn in_microseconds(moment: Moment) -> Moment {
    Moment { part: moment.part / 1000, ..moment }
}

api! {
    fn rb_time_new(ec, seconds: i64, microseconds: i64) -> Result {
        at(ec, seconds, microseconds, "microsecond")
    }

    fn rb_time_nano_new(ec, seconds: i64, nanoseconds: i64) -> Result {
        at(ec, seconds, nanoseconds, "nanosecond")
    }

    fn rb_time_timespec_new(ec, place: *const Moment, offset: c_int) -> Result {
        let Moment { seconds, part } = fetch(place);
        if !(-86400 < offset && offset < 86400) && offset != i32::MAX && offset != i32::MAX - 1 {
            return Err(ec.argument_error("utc_offset out of range"));
        }
        let made = at(ec, seconds, part, "nanosecond")?;
        match offset {
            i32::MAX => Ok(made),
            offset if offset == i32::MAX - 1 => ec.call(made, name!(ec, "utc"), &[]),
            offset => ec.call(made, name!(ec, "localtime"), &[Value::fixnum_unchecked(offset.into())]),
        }
    }

    fn rb_time_num_new(ec, seconds: Value, offset: Value) -> Result {
        let made = ec.call(time_class(ec), name!(ec, "at"), &[seconds])?;
        if offset.is_nil() { Ok(made) } else { ec.call(made, name!(ec, "localtime"), &[offset]) }
    }

    fn rb_time_interval(ec, number: Value) -> Result<Moment> {
        if ec.is_a(number, ec.vm().known().time) {
            return Err(ec.type_error("can't convert Time into time interval"));
        }
        Ok(in_microseconds(parts(ec, number, true)?))
    }

    fn rb_time_timespec_interval(ec, number: Value) -> Result<Moment> {
        parts(ec, number, true)
    }

    fn rb_time_timeval(ec, value: Value) -> Result<Moment> {
        Ok(in_microseconds(moment(ec, value)?))
    }

    fn rb_time_timespec(ec, value: Value) -> Result<Moment> {
        moment(ec, value)
    }

    fn rb_timespec_now(_ec, place: *mut Moment) {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        store(place, Moment { seconds: now.as_secs() as i64, part: now.subsec_nanos().into() });
    }
}

calls! {
    rb_time_utc_offset(time) => "utc_offset";
}
