//! `Kernel`: what every object can do.

use carat_vm::{Ec, Rest, Result, Value, methods, sym};

methods! {
    METHODS {
        private "puts" => puts;
    }
}

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    ec.define_methods(known.kernel, METHODS);
}

fn puts(ec: &mut Ec, _this: Value, values: Rest) -> Result {
    use std::io::Write;
    for value in values.iter() {
        let text = if let Some(i) = value.as_fixnum() { i.to_string() } else { ec.to_s(value)?.to_text(ec) };
        let _ = writeln!(std::io::stdout(), "{text}");
    }
    Ok(Value::NIL)
}

/// Class and message of an exception, without calling Ruby.
pub fn describe_exception(ec: &Ec, exception: Value) -> String {
    let class = ec.class_of(exception).to_text(ec);
    let message =
        ec.field(exception, sym::MESG).and_then(carat_vm::Str::from_value).map(|s| s.to_text(ec)).unwrap_or_default();
    format!("{class}: {message}")
}
