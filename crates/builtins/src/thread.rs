//! `Thread`.

use carat_vm::{Ec, Keywords, Rest, Result, Str, Value, methods, primitives, sym};

methods! {
    METHODS {}
}

primitives! {
    PRIMITIVES {}
}

pub(crate) fn init(_ec: &mut Ec) {
    let _ = METHODS;
}

/// The exception that the arguments of `Thread#raise` and `Fiber#raise` name.
pub(crate) fn exception_of(ec: &mut Ec, args: Rest, keywords: Keywords) -> Result {
    let Some(first) = args.get(0) else {
        return Ok(ec.new_exception(ec.vm().known().runtime_error, "unhandled exception"));
    };
    if Str::from_value(first).is_some() && args.len() == 1 {
        return Ok(ec.new_exception_with(ec.vm().known().runtime_error, first));
    }
    let name = ec.vm().intern("exception");
    let message = args.get(1);
    let made = match message {
        Some(message) => ec.call_if_responds(first, name, &[message])?,
        None => ec.call_if_responds(first, name, &[])?,
    };
    let exception = made.filter(|e| ec.is_a(*e, ec.vm().known().exception));
    let Some(exception) = exception else { return Err(ec.type_error("exception class/object expected")) };
    if let Some(backtrace) = args.get(2) {
        let set = ec.vm().intern("set_backtrace");
        ec.call(exception, set, &[backtrace])?;
    }
    let cause = ec.vm().intern("cause");
    if let Some(cause) = keywords.get(ec, cause) {
        ec.set_field(exception, sym::CAUSE_IVAR, cause);
    }
    Ok(exception)
}
