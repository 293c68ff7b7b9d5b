//! `Kernel#sleep`, and time limits in seconds.

use carat_vm::thread::Wait;
use carat_vm::{Ec, Result, Value, methods};
use std::time::{Duration, Instant};

methods! {
    METHODS {
        module_function "sleep" => sleep;
    }
}

pub(super) fn init(ec: &mut Ec) {
    ec.vm().known().kernel.define_methods(ec, METHODS);
}

/// The moment that many seconds from now; `None` if it is too far away to matter.
pub(crate) fn deadline_after(seconds: f64) -> Option<Instant> {
    Instant::now().checked_add(Duration::try_from_secs_f64(seconds).ok()?)
}

/// A time interval as `sleep`, `IO.select` and the like take it: seconds that are not negative and fit a `time_t`.
pub(crate) fn interval(ec: &mut Ec, value: Value) -> Result<f64> {
    let seconds = if ec.is_integer(value) {
        ec.to_long(value)? as f64
    } else if let Some(seconds) = ec.float_of(value) {
        seconds
    } else {
        by_divmod(ec, value)?
    };
    if seconds < 0.0 {
        return Err(ec.argument_error("time interval must not be negative"));
    }
    if seconds.is_nan() || seconds >= -(i64::MIN as f64) && !ec.is_integer(value) {
        let shown = if seconds.is_infinite() { "Inf".to_string() } else { format!("{seconds:.6}") };
        return Err(ec.range_error(&format!("{shown} out of Time range")));
    }
    Ok(seconds)
}

/// What is neither Integer nor Float is asked for whole seconds and the rest.
fn by_divmod(ec: &mut Ec, value: Value) -> Result<f64> {
    let divmod = ec.vm().intern("divmod");
    let parts = ec.call_if_responds(value, divmod, &[Value::len(1)])?.unwrap_or(Value::NIL);
    let Some(parts) = (if parts.is_nil() { None } else { ec.check_array(parts)? }) else {
        let class = ec.class_of(value).real().to_text(ec);
        return Err(ec.type_error(&format!("can't convert {class} into time interval")));
    };
    let (whole, rest) = (parts.at(ec, 0), parts.at(ec, 1));
    Ok(ec.to_long(whole)? as f64 + ec.to_float(rest)?)
}

/// Optional limit of `pop`, `push` and the like: nil is none.
pub(super) fn deadline(ec: &mut Ec, limit: Option<Value>) -> Result<Option<Instant>> {
    match limit {
        None | Some(Value::NIL) => Ok(None),
        Some(limit) => Ok(deadline_after(ec.to_float(limit)?.max(0.0))),
    }
}

/// Sleeps as the scheduler does; always as if somebody had woken it.
pub(crate) fn by_scheduler(ec: &mut Ec, scheduler: Value, time: Option<Value>) -> Result<bool> {
    let name = ec.vm().intern("kernel_sleep");
    ec.call(scheduler, name, &[time.unwrap_or(Value::NIL)])?;
    Ok(true)
}

fn sleep(ec: &mut Ec, _this: Value, time: Option<Value>) -> Result<i64> {
    let begun = Instant::now();
    if let Some(scheduler) = ec.current_scheduler() {
        let name = ec.vm().intern("kernel_sleep");
        ec.call(scheduler, name, time.as_slice())?;
        return Ok(begun.elapsed().as_secs_f64().round() as i64);
    }
    let deadline = match time {
        None | Some(Value::NIL) => None,
        Some(time) => {
            let seconds = interval(ec, time)?;
            deadline_after(seconds)
        }
    };
    ec.park(deadline, Wait::Idle)?;
    Ok(begun.elapsed().as_secs_f64().round() as i64)
}
