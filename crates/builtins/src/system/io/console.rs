//! The native half of io/console: methods of IO that ask a terminal.

use super::{IoRef, check_open, errno_of};
use carat_os::terminal::{self, Settings};
use carat_vm::{Array, Data, Ec, NativeData, Result, Value, methods};

methods! {
    METHODS {
        "winsize" => size;
        private "set_console_size" => set_size;
        private "console_settings" => settings;
        private "apply_console_settings" => apply;
        private "set_raw" => set_raw;
        private "set_cooked" => set_cooked;
        private "set_echo" => set_echo;
        "echo?" => has_echo;
        "iflush" => discard_input;
        "oflush" => discard_output;
        "ioflush" => discard_all;
    }
}

/// The settings of a terminal as an object, for `console_mode` and for putting them back.
struct Mode(Settings);

impl NativeData for Mode {
    const NAME: &'static str = "console-mode";

    fn mark(&self, _mark: &mut dyn FnMut(Value)) {}
}

pub(crate) fn init(ec: &mut Ec) {
    ec.vm().known().io.define_methods(ec, METHODS);
}

/// What a terminal answers; its error names the stream's file.
fn checked<R>(ec: &mut Ec, io: IoRef, result: std::io::Result<R>) -> Result<R> {
    result.map_err(|error| errno_of(ec, &error, io, ""))
}

fn descriptor(ec: &mut Ec, io: IoRef) -> Result<i32> {
    check_open(ec, io)?;
    Ok(io.get(ec).fd)
}

/// `io.winsize`: rows and columns.
fn size(ec: &mut Ec, io: IoRef) -> Result<Array> {
    let fd = descriptor(ec, io)?;
    let (rows, columns) = checked(ec, io, terminal::size(fd))?;
    Ok(Array::pair(ec, Value::len(rows.into()), Value::len(columns.into())))
}

fn set_size(ec: &mut Ec, io: IoRef, rows: i64, columns: i64) -> Result {
    let fd = descriptor(ec, io)?;
    let short = |number: i64| u16::try_from(number).unwrap_or(0);
    checked(ec, io, terminal::set_size(fd, short(rows), short(columns)))?;
    Ok(io.value())
}

fn settings(ec: &mut Ec, io: IoRef) -> Result {
    let fd = descriptor(ec, io)?;
    let settings = checked(ec, io, Settings::of(fd))?;
    let class = ec.vm().known().object;
    Ok(Data::new(ec, class, Mode(settings)).value())
}

fn apply(ec: &mut Ec, io: IoRef, mode: Data<Mode>) -> Result {
    let fd = descriptor(ec, io)?;
    let settings = mode.get(ec).0;
    checked(ec, io, settings.apply(fd))?;
    Ok(io.value())
}

fn change(ec: &mut Ec, io: IoRef, change: impl FnOnce(&mut Settings)) -> Result {
    let fd = descriptor(ec, io)?;
    let mut settings = checked(ec, io, Settings::of(fd))?;
    change(&mut settings);
    checked(ec, io, settings.apply(fd))?;
    Ok(io.value())
}

fn set_raw(ec: &mut Ec, io: IoRef, least: i64, tenths: i64, signals: bool) -> Result {
    let byte = |number: i64| u8::try_from(number).unwrap_or(u8::MAX);
    change(ec, io, |settings| settings.make_raw(byte(least), byte(tenths), signals))
}

fn set_cooked(ec: &mut Ec, io: IoRef) -> Result {
    change(ec, io, Settings::make_cooked)
}

fn set_echo(ec: &mut Ec, io: IoRef, on: bool) -> Result {
    change(ec, io, |settings| settings.set_echo(on))
}

fn has_echo(ec: &mut Ec, io: IoRef) -> Result<bool> {
    let fd = descriptor(ec, io)?;
    checked(ec, io, Settings::of(fd)).map(|settings| settings.has_echo())
}

fn discard(ec: &mut Ec, io: IoRef, input: bool, output: bool) -> Result {
    let fd = descriptor(ec, io)?;
    checked(ec, io, terminal::discard(fd, input, output))?;
    Ok(io.value())
}

fn discard_input(ec: &mut Ec, io: IoRef) -> Result {
    discard(ec, io, true, false)
}

fn discard_output(ec: &mut Ec, io: IoRef) -> Result {
    discard(ec, io, false, true)
}

fn discard_all(ec: &mut Ec, io: IoRef) -> Result {
    discard(ec, io, true, true)
}
