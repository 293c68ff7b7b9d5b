//! `IO` and the standard streams.

use carat_vm::vm::GlobalVariable;
use carat_vm::{Ec, Rest, Result, Value, methods, primitives};
use std::io::Write;

methods! {
    METHODS {
        "write" => write;
        "print" => write;
        "puts" => puts;
        "flush" => flush;
    }
}

primitives! {
    PRIMITIVES {}
}

pub(crate) fn init(ec: &mut Ec) {
    let io = ec.vm().known().io;
    ec.define_methods(io, METHODS);
    for (variable, constant) in [("$stdout", "STDOUT"), ("$stderr", "STDERR"), ("$stdin", "STDIN")] {
        let stream = ec.new_object(io);
        ec.vm().known().object.set_constant(ec, ec.vm().intern(constant), stream);
        ec.vm().define_global(ec.vm().intern(variable), GlobalVariable::plain(stream, true));
    }
}

fn put(ec: &Ec, this: Value, bytes: &[u8]) {
    let stderr = ec.vm().known().object.own_constant(ec.vm().intern("STDERR")).map(|c| c.value);
    let _ = if stderr == Some(this) { std::io::stderr().write_all(bytes) } else { std::io::stdout().write_all(bytes) };
}

fn write(ec: &mut Ec, this: Value, values: Rest) -> Result<()> {
    for value in values.iter() {
        let text = ec.to_s(value)?;
        put(ec, this, text.bytes(ec));
    }
    Ok(())
}

fn puts(ec: &mut Ec, this: Value, values: Rest) -> Result<()> {
    if values.is_empty() {
        put(ec, this, b"\n");
    }
    for value in values.iter() {
        let text = if let Some(i) = value.as_fixnum() { i.to_string().into_bytes() } else { ec.to_s(value)?.bytes(ec).to_vec() };
        put(ec, this, &text);
        if !text.ends_with(b"\n") {
            put(ec, this, b"\n");
        }
    }
    Ok(())
}

fn flush(_ec: &mut Ec, this: Value) -> Value {
    let _ = std::io::stdout().flush();
    this
}
