//! `puts`, `print`, `p` and their kin: all through what `$stdout` refers to.

use crate::text::text_builder::inspected;
use carat_vm::{Ec, Rest, Result, Str, Value, methods, sym};

methods! {
    METHODS {
        module_function "puts" => puts;
        module_function "print" => print;
        module_function "p" => p;
        module_function "putc" => putc;
        "display" => display;
    }
}

fn stdout(ec: &mut Ec) -> Result {
    ec.global(sym::STDOUT)
}

/// Calls `puts` of what `$stdout` is. If that has none of its own, this is the method it finds, and `write` is called.
fn puts(ec: &mut Ec, this: Value, values: Rest) -> Result {
    let out = stdout(ec)?;
    if out == this {
        return crate::system::io::puts_to(ec, out, values);
    }
    let list = values.to_array(ec);
    ec.call_with_shared_array(out, sym::PUTS, list, Default::default())
}

/// Calls `write` of what `$stdout` is, whatever its `print` does. Without arguments prints `$_`.
fn print(ec: &mut Ec, _this: Value, values: Rest) -> Result {
    let out = stdout(ec)?;
    crate::system::io::print_to(ec, out, values)
}

/// What `p` writes to a file is there at once: it is for debugging.
fn flush_file(ec: &mut Ec) -> Result<()> {
    let out = stdout(ec)?;
    let (io, flush) = (ec.vm().known().io, ec.vm().intern("flush"));
    if let Some(file) = crate::system::io::IoRef::from_value(out).filter(|_| ec.responds_with(out, flush, io)) {
        crate::system::io::flush(ec, file)?;
    } else if ec.is_a(out, io) {
        ec.call(out, flush, &[])?;
    }
    Ok(())
}

/// Prints what `inspect` gives, each value on a line, and returns the values.
fn p(ec: &mut Ec, _this: Value, values: Rest) -> Result {
    let newline = Str::from_text(ec, "\n").value();
    for index in 0..values.len() {
        let text = inspected(ec, values.get(index).unwrap_or(Value::NIL))?;
        let out = stdout(ec)?;
        ec.holding_interrupts(|ec| crate::system::io::write_both(ec, out, text.value(), newline))?;
    }
    if !values.is_empty() {
        ec.holding_interrupts(flush_file)?;
    }
    Ok(match values.len() {
        0 => Value::NIL,
        1 => values.get(0).unwrap_or(Value::NIL),
        _ => values.to_array(ec).value(),
    })
}

fn putc(ec: &mut Ec, this: Value, value: Value) -> Result {
    let out = stdout(ec)?;
    if out == this {
        return crate::system::io::putc_to(ec, out, value);
    }
    let name = ec.vm().intern("putc");
    ec.call(out, name, &[value])
}

fn display(ec: &mut Ec, this: Value, port: Option<Value>) -> Result<()> {
    let out = match port {
        Some(port) => port,
        None => stdout(ec)?,
    };
    let text = ec.to_s(this)?;
    ec.call(out, sym::WRITE, &[text.value()])?;
    Ok(())
}
