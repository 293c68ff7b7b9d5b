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

/// A time interval as `sleep` takes it.
pub(crate) fn interval(ec: &mut Ec, value: Value) -> Result<f64> {
    let is_number = ec.is_a(value, ec.vm().known().numeric);
    if !is_number {
        let divmod = ec.vm().intern("divmod");
        if !ec.respond_to(value, divmod, false)? {
            let class = ec.class_of(value).real().to_text(ec);
            return Err(ec.type_error(&format!("can't convert {class} into time interval")));
        }
    }
    let seconds = if is_number { ec.to_float(value)? } else { by_divmod(ec, value)? };
    if seconds < 0.0 {
        return Err(ec.argument_error("time interval must not be negative"));
    }
    Ok(seconds)
}

/// Objects that only know `divmod` give whole seconds and the rest.
fn by_divmod(ec: &mut Ec, value: Value) -> Result<f64> {
    let divmod = ec.vm().intern("divmod");
    let parts = ec.call(value, divmod, &[Value::len(1)])?;
    let parts = ec.to_ary(parts)?;
    let (whole, rest) = (parts.at(ec, 0), parts.at(ec, 1));
    Ok(ec.to_float(whole)? + ec.to_float(rest)?)
}

/// Optional limit of `pop`, `push` and the like: nil is none.
pub(super) fn deadline(ec: &mut Ec, limit: Option<Value>) -> Result<Option<Instant>> {
    match limit {
        None | Some(Value::NIL) => Ok(None),
        Some(limit) => Ok(deadline_after(ec.to_float(limit)?.max(0.0))),
    }
}

/// Sleeps as the scheduler does; always as if somebody had woken it.
pub(super) fn by_scheduler(ec: &mut Ec, scheduler: Value, time: Option<Value>) -> Result<bool> {
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
