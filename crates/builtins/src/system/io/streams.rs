//! The standard streams and the special variables of input and output.

use super::{Io, Mode, Pending, flush};
use carat_os::c;
use carat_sync::{Mutex, OnceLock};
use carat_vm::vm::GlobalVariable;
use carat_vm::{Data, Ec, Result, SymbolId, Value, sym};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// `$.`
#[derive(Default)]
struct InputState {
    last_lineno: AtomicI64,
}

pub(super) fn note_lineno(ec: &Ec, lineno: i64) {
    ec.vm().extension::<InputState>().last_lineno.store(lineno, Ordering::Relaxed);
}

pub(super) fn last_lineno(ec: &mut Ec) -> i64 {
    ec.vm().extension::<InputState>().last_lineno.load(Ordering::Relaxed)
}

pub(super) fn set_last_lineno(ec: &mut Ec, lineno: i64) {
    note_lineno(ec, lineno);
}

pub(super) fn set_last_line(ec: &mut Ec, line: Value) -> Value {
    ec.set_last_line(line);
    line
}

/// `$/`
pub(super) fn record_separator(ec: &Ec) -> Value {
    ec.global_value(sym::RECORD_SEPARATOR)
}

/// Write buffers of the standard streams: those of all Ractors write to one descriptor, in order.
#[derive(Default)]
struct Buffers(OnceLock<[Arc<Mutex<Pending>>; 3]>);

const STREAMS: [(i32, i32, &str, &str, &str); 3] = [
    (0, c::O_RDONLY, "STDIN", "$stdin", "<STDIN>"),
    (1, c::O_WRONLY, "STDOUT", "$stdout", "<STDOUT>"),
    (2, c::O_WRONLY, "STDERR", "$stderr", "<STDERR>"),
];

fn open_stream(ec: &mut Ec, fd: i32, flags: i32, path: &str) -> Value {
    let io = Data::new(ec, ec.vm().known().io, Io::new(ec));
    let buffers = ec.vm().extension::<Buffers>();
    let contents = io.get_mut(ec);
    if let Some(buffers) = buffers.0.get() {
        contents.pending = buffers[fd as usize].clone();
    }
    contents.attach(fd, Mode { flags, ..Mode::default() });
    contents.path = Some(path.into());
    contents.is_sync = fd == 2;
    contents.autoclose = false;
    contents.ends_by_sigpipe = fd == 1;
    io.value()
}

fn set_stream(ec: &mut Ec, name: SymbolId, value: Value) -> Result<()> {
    if ec.find_method(value, sym::WRITE).is_none() && !ec.respond_to(value, sym::WRITE, true)? {
        let (variable, class) = (ec.vm().symbol_text(name), ec.class_of(value).real().to_text(ec));
        return Err(ec.type_error(&format!("{variable} must have write method, {class} given")));
    }
    store(ec, name, value);
    Ok(())
}

fn set_input(ec: &mut Ec, name: SymbolId, value: Value) -> Result<()> {
    store(ec, name, value);
    Ok(())
}

fn descriptor_of(name: SymbolId) -> usize {
    match name {
        sym::STDIN => 0,
        sym::STDERR => 2,
        _ => 1,
    }
}

/// The running Ractor's stream.
fn get_stream(ec: &mut Ec, name: SymbolId) -> Result {
    let descriptor = descriptor_of(name);
    if ec.ractor().is_main() {
        return Ok(ec.vm().global(name).map_or(Value::NIL, |variable| variable.get()));
    }
    if ec.ractor().stream(descriptor).is_nil() {
        let (fd, flags, _, _, path) = STREAMS[descriptor];
        let stream = open_stream(ec, fd, flags, path);
        ec.ractor().set_stream(descriptor, stream);
    }
    Ok(ec.ractor().stream(descriptor))
}

/// Replaces a variable's value behind its setter.
fn store(ec: &Ec, name: SymbolId, value: Value) {
    if !ec.ractor().is_main() {
        return ec.ractor().set_stream(descriptor_of(name), value);
    }
    if let Some(variable) = ec.vm().global(name) {
        variable.value.store(value.bits(), Ordering::Release);
    }
}

fn get_lineno(ec: &mut Ec, _name: SymbolId) -> Result {
    let lineno = last_lineno(ec);
    Ok(ec.int(lineno))
}

/// ARGF counts on from there.
fn set_lineno(ec: &mut Ec, _name: SymbolId, value: Value) -> Result<()> {
    let lineno = ec.to_long(value)?;
    note_lineno(ec, lineno);
    let argf = ec.global(ec.vm().intern("$<"))?;
    let lineno = ec.int(lineno);
    ec.call_if_responds(argf, ec.vm().intern("lineno="), &[lineno])?;
    Ok(())
}

pub(super) fn init(ec: &mut Ec) {
    let object = ec.vm().known().object;
    let mut buffers = Vec::new();
    for (fd, flags, constant, name, path) in STREAMS {
        let stream = open_stream(ec, fd, flags, path);
        buffers.extend(Data::<Io>::from_value(stream).map(|io| io.get(ec).pending.clone()));
        object.set_constant(ec, ec.vm().intern(constant), stream);
        let mut variable = GlobalVariable::plain(stream, true);
        variable.getter = Some(get_stream);
        variable.setter = Some(if fd > 0 { set_stream } else { set_input });
        ec.vm().define_global(ec.vm().intern(name), variable);
    }
    if let Ok(buffers) = buffers.try_into() {
        let _ = ec.vm().extension::<Buffers>().0.set(buffers);
    }
    ec.vm().alias_global(ec.vm().intern("$>"), ec.vm().intern("$stdout"));
    let mut lineno = GlobalVariable::plain(Value::NIL, true);
    lineno.getter = Some(get_lineno);
    lineno.setter = Some(set_lineno);
    ec.vm().define_global(ec.vm().intern("$."), lineno);
}

/// Before a fork or another program: what `$stdout` and `$stderr` hold back is written once, not twice.
pub(crate) fn flush_standard(ec: &mut Ec) -> Result<()> {
    for name in [sym::STDOUT, sym::STDERR] {
        let value = ec.global(name)?;
        if let Some(io) = Data::<Io>::from_value(value)
            && io.get(ec).write_fd() >= 0
        {
            flush(ec, io)?;
        }
    }
    Ok(())
}
