//! Writing.

use super::buffer::{write_bytes, write_string};
use super::{IoRef, check_writable, flush};
use crate::system::system_call::system_call;
use carat_os::c;
use carat_vm::{Array, Ec, Keywords, Rest, Result, Str, Value, sym};

/// Whether `write` on this object is the native one, so that nobody sees that it is not called.
fn has_own_write(ec: &Ec, stream: Value) -> Option<IoRef> {
    let io = IoRef::from_value(stream)?;
    let owner = ec.find_method(stream, sym::WRITE)?.owner(ec);
    (owner == ec.vm().known().io).then_some(io)
}

fn write_str(ec: &mut Ec, io: IoRef, s: Str) -> Result<usize> {
    let s = super::encodings::text_to_write(ec, io, s)?;
    let len = s.len(ec);
    if len > 0 {
        write_string(ec, io, s)?;
    }
    Ok(len)
}

/// All values go out at once, so that a packet holds them all and nothing of another thread's gets between them.
pub(super) fn write(ec: &mut Ec, io: IoRef, values: Rest) -> Result<usize> {
    match values.get(0) {
        Some(value) if values.len() == 1 => write_alone(ec, io, value),
        _ => write_values(ec, io, values.iter()),
    }
}

fn write_alone(ec: &mut Ec, io: IoRef, value: Value) -> Result<usize> {
    let s = ec.to_s(value)?;
    if s.is_empty(ec) {
        return Ok(0);
    }
    check_writable(ec, io)?;
    write_str(ec, io, s)
}

fn write_values(ec: &mut Ec, io: IoRef, values: impl Iterator<Item = Value>) -> Result<usize> {
    let mut bytes = Vec::new();
    // What the stream said after the last value that called Ruby.
    let mut is_plain = false;
    for value in values {
        if let Some(s) = Str::from_value(value).filter(|_| is_plain) {
            ec.make_room_in(&mut bytes, s.len(ec))?;
            bytes.extend_from_slice(s.bytes(ec));
            continue;
        }
        let s = ec.to_s(value)?;
        is_plain = false;
        if s.is_empty(ec) {
            continue;
        }
        check_writable(ec, io)?;
        is_plain = super::encodings::writes_as_is(ec, io);
        let s = super::encodings::text_to_write(ec, io, s)?;
        ec.make_room_in(&mut bytes, s.len(ec))?;
        bytes.extend_from_slice(s.bytes(ec));
    }
    if !bytes.is_empty() {
        write_bytes(ec, io, &bytes)?;
    }
    Ok(bytes.len())
}

/// `stream.write(s)`, through Ruby if the stream's `write` is not the native one.
fn write_to(ec: &mut Ec, stream: Value, s: Str) -> Result<()> {
    match has_own_write(ec, stream) {
        Some(io) => {
            check_writable(ec, io)?;
            write_str(ec, io, s).map(drop)
        }
        None => ec.call(stream, sym::WRITE, &[s.value()]).map(drop),
    }
}

/// `stream.write(value)`: a `write` that is not the native one gets the value as it is.
fn write_value(ec: &mut Ec, stream: Value, value: Value) -> Result<()> {
    if has_own_write(ec, stream).is_none() {
        return ec.call(stream, sym::WRITE, &[value]).map(drop);
    }
    let s = ec.to_s(value)?;
    write_to(ec, stream, s)
}

pub(super) fn append(ec: &mut Ec, stream: Value, value: Value) -> Result {
    let s = ec.to_s(value)?;
    write_to(ec, stream, s)?;
    Ok(stream)
}

pub(super) fn print(ec: &mut Ec, stream: Value, values: Rest) -> Result {
    print_to(ec, stream, values)
}

/// `print`: the values, `$,` between and `$\` after them; `$_` if there are none.
pub(crate) fn print_to(ec: &mut Ec, stream: Value, values: Rest) -> Result {
    let (between, after) = (ec.global_value(sym::LIST_SEPARATOR), ec.global_value(sym::OUTPUT_SEPARATOR));
    if values.is_empty() {
        let line = ec.last_line();
        write_value(ec, stream, line)?;
    }
    for (i, value) in values.iter().enumerate() {
        if i > 0 && !between.is_nil() {
            let s = ec.to_s(between)?;
            write_to(ec, stream, s)?;
        }
        write_value(ec, stream, value)?;
    }
    if !after.is_nil() {
        let s = ec.to_s(after)?;
        write_to(ec, stream, s)?;
    }
    Ok(Value::NIL)
}

pub(super) fn puts(ec: &mut Ec, stream: Value, values: Rest) -> Result {
    puts_to(ec, stream, values)
}

/// `puts`: each value on a line of its own, arrays element by element.
pub(crate) fn puts_to(ec: &mut Ec, stream: Value, values: Rest) -> Result {
    if values.is_empty() {
        let newline = Str::from_text(ec, "\n");
        write_to(ec, stream, newline)?;
    }
    let open = Array::new(ec, 0);
    for value in values.iter() {
        put_line(ec, stream, value, open)?;
    }
    Ok(Value::NIL)
}

/// `open` are the arrays that this one is inside of.
fn put_line(ec: &mut Ec, stream: Value, value: Value, open: Array) -> Result<()> {
    if let Some(s) = Str::from_value(value) {
        return put_str(ec, stream, s);
    }
    if !value.is_heap() {
        let s = ec.to_s(value)?;
        return put_str(ec, stream, s);
    }
    if open.slice_of(ec).contains(&value) {
        let s = Str::from_text(ec, "[...]");
        return put_str(ec, stream, s);
    }
    let Some(array) = ec.check_array(value)? else {
        let s = ec.to_s(value)?;
        return put_str(ec, stream, s);
    };
    ec.check_native_stack()?;
    open.push(ec, value);
    let mut index = 0;
    while let Some(element) = array.get(ec, index) {
        put_line(ec, stream, element, open)?;
        index += 1;
    }
    open.pop(ec);
    Ok(())
}

fn put_str(ec: &mut Ec, stream: Value, s: Str) -> Result<()> {
    let ends = carat_text::lines::ends_in(s.as_text(ec), b'\n');
    let Some(io) = has_own_write(ec, stream) else {
        return put_str_by_call(ec, stream, s, ends);
    };
    check_writable(ec, io)?;
    let s = super::encodings::text_to_write(ec, io, s)?;
    let mut bytes = Vec::with_capacity(s.len(ec) + 1);
    bytes.extend_from_slice(s.bytes(ec));
    if !ends {
        let newline = Str::from_text(ec, "\n");
        let newline = super::encodings::text_to_write(ec, io, newline)?;
        bytes.extend_from_slice(newline.bytes(ec));
    }
    write_bytes(ec, io, &bytes)
}

/// Through a `write` that is not IO's.
fn put_str_by_call(ec: &mut Ec, stream: Value, s: Str, ends: bool) -> Result<()> {
    let newline = Str::from_text(ec, "\n").value();
    match (ends, s.is_empty(ec)) {
        (true, _) => ec.call(stream, sym::WRITE, &[s.value()]).map(drop),
        (false, true) => ec.call(stream, sym::WRITE, &[newline]).map(drop),
        (false, false) => write_both(ec, stream, s.value(), newline),
    }
}

/// `stream.write(one, other)`. A `write` that takes a single argument is called twice, and its program warned if it is an IO's.
pub(crate) fn write_both(ec: &mut Ec, stream: Value, one: Value, other: Value) -> Result<()> {
    if let Some(io) = has_own_write(ec, stream) {
        return write_values(ec, io, [one, other].into_iter()).map(drop);
    }
    let is_old = ec.find_method(stream, sym::WRITE).is_some_and(|m| m.arity(ec) == 1);
    if !is_old {
        return ec.call(stream, sym::WRITE, &[one, other]).map(drop);
    }
    if stream != ec.global(sym::STDERR)? {
        let class = ec.class_of(stream).real().to_text(ec);
        ec.warn_deprecated(&format!("{class}#write is outdated interface which accepts just one argument"))?;
    }
    ec.call(stream, sym::WRITE, &[one])?;
    ec.call(stream, sym::WRITE, &[other]).map(drop)
}

pub(crate) fn putc(ec: &mut Ec, stream: Value, value: Value) -> Result {
    let s = match Str::from_value(value) {
        Some(s) => {
            let len = if s.is_empty(ec) { 0 } else { carat_text::encoding::mbclen(s.encoding(), s.bytes(ec)) };
            s.slice(ec, 0, len)
        }
        None => {
            let number = ec.to_long(value)?;
            let number = ec.to_c_int(number)?;
            Str::binary(ec, &[number as u8])
        }
    };
    write_to(ec, stream, s)?;
    Ok(value)
}

pub(super) fn printf(ec: &mut Ec, stream: Value, values: Rest) -> Result {
    if values.is_empty() {
        return Ok(Value::NIL);
    }
    let args = values.to_array(ec);
    let format = ec.vm().intern("format");
    let (kernel, copy) = (ec.vm().known().kernel.value(), args.slice_of(ec).to_vec().into_boxed_slice());
    let s = ec.call(kernel, format, &copy)?;
    let s = ec.to_s(s)?;
    write_to(ec, stream, s)?;
    Ok(Value::NIL)
}

pub(super) fn syswrite(ec: &mut Ec, io: IoRef, value: Value) -> Result<usize> {
    let s = ec.to_s(value)?;
    check_writable(ec, io)?;
    if !io.get(ec).pending.lock().unwrap_or_else(|e| e.into_inner()).bytes.is_empty() {
        ec.warn("syswrite for buffered IO")?;
    }
    flush(ec, io)?;
    let bytes = s.owned_bytes(ec)?;
    loop {
        let fd = io.get(ec).write_fd();
        match super::buffer::write_once(ec, io, fd, &bytes)? {
            Ok(n) => return Ok(n),
            Err(e) if super::buffer::would_block(&e) => super::scheduler::wait_until_ready(ec, io, c::POLLOUT)?,
            Err(e) => return Err(super::errno_of(ec, &e, io, "rb_io_syswrite")),
        }
    }
}

pub(super) fn write_nonblock(ec: &mut Ec, io: IoRef, value: Value, options: Keywords) -> Result {
    super::select::check_exception_option(ec, options)?;
    let s = ec.to_s(value)?;
    check_writable(ec, io)?;
    flush(ec, io)?;
    let fd = io.get(ec).write_fd();
    let mut is_no_socket = io.get(ec).is_no_socket;
    let written = super::select::write_at_once(&mut is_no_socket, fd, s.bytes(ec));
    io.get_mut(ec).is_no_socket = is_no_socket;
    match written {
        Ok(n) => Ok(Value::len(n)),
        Err(e) if e.raw_os_error() == Some(c::EAGAIN) => super::select::would_block(ec, options, true),
        Err(e) => Err(super::errno_of(ec, &e, io, "io_write_nonblock")),
    }
}

pub(super) fn pwrite(ec: &mut Ec, io: IoRef, value: Value, offset: i64) -> Result<usize> {
    let s = ec.to_s(value)?;
    check_writable(ec, io)?;
    let (fd, bytes) = (io.get(ec).write_fd(), s.owned_bytes(ec)?);
    let scheduled = super::scheduler::write(ec, io, &bytes, Some(offset))?;
    let result = match scheduled {
        Some(result) => result,
        None => system_call(ec, || carat_os::pwrite(fd, &bytes, offset))?,
    };
    match result {
        Ok(n) => Ok(n),
        Err(e) => Err(super::errno_of(ec, &e, io, "rb_io_pwrite")),
    }
}
