//! Reading bytes and characters.

use super::buffer::{ensure_unread, fill, read_some};
use super::converted::{self, Step, check_no_text, fill_text, has_text, take_text};
use super::encodings::{is_converted, read_encoding};
use super::{IoRef, check_open, check_readable, eof_error, io_error};
use crate::system::system_call::system_call;
use carat_os::c;
use carat_text::encoding::{Char, char_len};
use carat_vm::{CodeRange, Ec, EncodingIndex, Keywords, Result, Str, StringBuffer, Value};

/// Everything up to the end of the file as a string, read where it stays if nothing has to be converted.
pub(super) fn read_rest(ec: &mut Ec, io: IoRef) -> Result<Str> {
    let rest = rest_of_file(io.get(ec).fd);
    if is_converted(ec, io)? {
        let bytes = read_all_text(ec, io)?;
        return text(ec, io, &bytes);
    }
    let encoding = read_encoding(ec, io)?;
    if rest < MIN_FILLING {
        let bytes = read_all(ec, io)?;
        return Ok(Str::new(ec, &bytes, encoding, CodeRange::Unknown));
    }
    let unread = take_unread(ec, io, usize::MAX);
    // One byte more tells the end of the file from a file that has grown.
    let mut filling = StringBuffer::unwritten(ec, unread.len() + rest + 1)?;
    filling.push(&unread);
    loop {
        filling.make_room(ec)?;
        if read_some(ec, io, (&mut filling, usize::MAX), "io_fread")? == 0 {
            return Ok(filling.into_str(ec, encoding));
        }
    }
}

/// Everything up to the end of the file, converted.
pub(super) fn read_all_text(ec: &mut Ec, io: IoRef) -> Result<Vec<u8>> {
    fill_text(ec, io, Step::All)?;
    let len = io.get(ec).reading.as_ref().map_or(0, |reading| reading.unread().len());
    Ok(take_text(ec, io, len))
}

/// Text of a stream that converts.
pub(super) fn text(ec: &Ec, io: IoRef, bytes: &[u8]) -> Result<Str> {
    let encoding = converted::text_encoding(ec, io).unwrap_or(EncodingIndex::BINARY);
    Ok(Str::new(ec, bytes, encoding, CodeRange::Unknown))
}

/// Less is copied as fast.
const MIN_FILLING: usize = 4096;

/// Bytes from the position of a regular file to its end.
fn rest_of_file(fd: i32) -> usize {
    let Ok(stat) = carat_os::fstat(fd) else { return 0 };
    let at = carat_os::seek(fd, 0, c::SEEK_CUR).unwrap_or(0);
    usize::try_from(stat.size.saturating_sub(at)).unwrap_or(0)
}

/// Everything up to the end of the file.
pub(super) fn read_all(ec: &mut Ec, io: IoRef) -> Result<Vec<u8>> {
    reserve_for_rest(ec, io)?;
    while fill(ec, io)? {}
    let contents = io.get_mut(ec);
    let mut bytes = std::mem::take(&mut contents.unread);
    bytes.drain(..std::mem::take(&mut contents.read_at));
    Ok(bytes)
}

/// Room for a regular file's size at once.
fn reserve_for_rest(ec: &mut Ec, io: IoRef) -> Result<()> {
    let rest = rest_of_file(io.get(ec).fd).min(1 << 30);
    if rest > 0 && io.get_mut(ec).unread.try_reserve(rest + (16 << 10)).is_err() {
        return Err(ec.no_memory());
    }
    Ok(())
}

/// As many bytes are made room for before the first have come.
const FIRST_ROOM: usize = 1 << 20;

/// Up to `len` bytes; fewer only at the end of the file.
fn read_into(ec: &mut Ec, io: IoRef, len: usize, filling: &mut StringBuffer) -> Result<()> {
    push_unread(ec, io, len.min(FIRST_ROOM), filling);
    while filling.len() < len {
        filling.make_room(ec)?;
        let left = len - filling.len();
        if read_some(ec, io, (&mut *filling, left), "io_fread")? == 0 {
            break;
        }
    }
    Ok(())
}

/// Up to `len` bytes of what is already there.
fn push_unread(ec: &mut Ec, io: IoRef, len: usize, filling: &mut StringBuffer) {
    let contents = io.get_mut(ec);
    let n = len.min(contents.unread().len());
    filling.push(&contents.unread()[..n]);
    contents.read_at += n;
}

/// Has `read` write up to `len` bytes, or `FIRST_ROOM` at first, into the buffer given, or into a new binary string.
fn fill_target(
    ec: &mut Ec,
    target: Option<Str>,
    len: usize,
    read: impl FnOnce(&mut Ec, &mut StringBuffer) -> Result<()>,
) -> Result<Str> {
    let room = len.min(FIRST_ROOM);
    match target {
        Some(target) => {
            with_locked(ec, Some(target), |ec| target.refill(ec, room, read))?;
            Ok(target)
        }
        None => {
            let mut filling = StringBuffer::unwritten(ec, room)?;
            read(ec, &mut filling)?;
            Ok(filling.into_str(ec, EncodingIndex::BINARY))
        }
    }
}

/// Up to `len` bytes; fewer only at the end of the file.
pub(super) fn read_bytes(ec: &mut Ec, io: IoRef, len: usize) -> Result<Vec<u8>> {
    let mut out = take_unread(ec, io, len);
    while out.len() < len {
        let want = (len - out.len()).min(1 << 20);
        let old = out.len();
        if out.try_reserve(want).is_err() {
            return Err(ec.no_memory());
        }
        out.resize(old + want, 0);
        let n = read_some(ec, io, &mut out[old..], "io_fread")?;
        out.truncate(old + n);
        if n == 0 {
            break;
        }
    }
    Ok(out)
}

/// Up to `len` bytes of what is already there.
fn take_unread(ec: &mut Ec, io: IoRef, len: usize) -> Vec<u8> {
    let contents = io.get_mut(ec);
    let n = len.min(contents.unread().len());
    let taken = contents.unread()[..n].to_vec();
    contents.read_at += n;
    taken
}

/// The length argument of the read methods.
fn length(ec: &mut Ec, value: Value) -> Result<usize> {
    let len = ec.to_long(value)?;
    match usize::try_from(len) {
        Ok(len) => Ok(len),
        Err(_) => Err(ec.argument_error(&format!("negative length {len} given"))),
    }
}

/// A buffer argument, if one was given.
fn buffer_arg(ec: &mut Ec, buffer: Option<Value>) -> Result<Option<Str>> {
    match buffer.filter(|b| !b.is_nil()) {
        Some(buffer) => {
            let s = ec.to_str(buffer)?;
            s.check_mutable(ec)?;
            Ok(Some(s))
        }
        None => Ok(None),
    }
}

/// Reads while nobody else may write to the buffer.
fn with_locked<R>(ec: &mut Ec, buffer: Option<Str>, read: impl FnOnce(&mut Ec) -> Result<R>) -> Result<R> {
    let Some(buffer) = buffer.filter(|buffer| !buffer.is_locked()) else { return read(ec) };
    buffer.set_locked(true);
    let result = read(ec);
    buffer.set_locked(false);
    result
}

/// Puts the result into the buffer given, whose encoding stays, or into a new binary string. Another thread may have
/// moved the buffer away while it was read.
fn deliver(ec: &mut Ec, buffer: Option<Str>, bytes: &[u8]) -> Result {
    let Some(buffer) = buffer else { return Ok(Str::binary(ec, bytes).value()) };
    buffer.check_mutable(ec)?;
    buffer.clear(ec);
    buffer.push_bytes(ec, bytes);
    Ok(buffer.value())
}

pub(super) fn read(ec: &mut Ec, io: IoRef, len: Option<Value>, buffer: Option<Value>) -> Result {
    let len = match len.filter(|l| !l.is_nil()) {
        Some(len) => Some(length(ec, len)?),
        None => None,
    };
    let buffer = buffer_arg(ec, buffer)?;
    check_readable(ec, io)?;
    let Some(len) = len else {
        let text = read_rest(ec, io)?;
        return Ok(match buffer {
            Some(buffer) => {
                buffer.check_mutable(ec)?;
                buffer.replace(ec, text);
                buffer.value()
            }
            None => text.value(),
        });
    };
    check_no_text(ec, io)?;
    let result = fill_target(ec, buffer, len, |ec, filling| read_into(ec, io, len, filling))?;
    Ok(if result.is_empty(ec) && len > 0 { Value::NIL } else { result.value() })
}

pub(super) fn readpartial(ec: &mut Ec, io: IoRef, len: Value, buffer: Option<Value>) -> Result {
    let len = length(ec, len)?;
    let buffer = buffer_arg(ec, buffer)?;
    check_readable(ec, io)?;
    check_no_text(ec, io)?;
    let result = fill_target(ec, buffer, len, |ec, filling| {
        push_unread(ec, io, len.min(FIRST_ROOM), filling);
        if filling.is_empty() && len > 0 {
            read_some(ec, io, (filling, len), "io_getpartial")?;
        }
        Ok(())
    })?;
    if result.is_empty(ec) && len > 0 { Err(eof_error(ec)) } else { Ok(result.value()) }
}

pub(super) fn read_nonblock(ec: &mut Ec, io: IoRef, len: Value, buffer: Option<Value>, options: Keywords) -> Result {
    super::select::check_exception_option(ec, options)?;
    let len = length(ec, len)?;
    let buffer = buffer_arg(ec, buffer)?;
    check_readable(ec, io)?;
    check_no_text(ec, io)?;
    let mut bytes = take_unread(ec, io, len);
    if bytes.is_empty() && len > 0 {
        bytes.resize(len.min(1 << 20), 0);
        match super::select::read_at_once(io.get_mut(ec), &mut bytes) {
            Ok(n) => bytes.truncate(n),
            Err(e) if e.raw_os_error() == Some(c::EAGAIN) => return super::select::would_block(ec, options, false),
            Err(e) => return Err(super::errno_of(ec, &e, io, "io_read_nonblock")),
        }
    }
    let result = deliver(ec, buffer, &bytes)?;
    if !bytes.is_empty() || len == 0 {
        return Ok(result);
    }
    let name = ec.vm().intern("exception");
    if options.get(ec, name).is_some_and(Value::is_false) { Ok(Value::NIL) } else { Err(eof_error(ec)) }
}

pub(super) fn sysread(ec: &mut Ec, io: IoRef, len: Value, buffer: Option<Value>) -> Result {
    let len = length(ec, len)?;
    let buffer = buffer_arg(ec, buffer)?;
    check_readable(ec, io)?;
    check_no_text(ec, io)?;
    if io.get(ec).has_unread() {
        return Err(io_error(ec, "sysread for buffered IO"));
    }
    if len == 0 {
        return Ok(buffer.map_or_else(|| Str::binary(ec, b"").value(), Str::value));
    }
    ec.ensure_memory(len.saturating_mul(2))?;
    let mut bytes = vec![0; len];
    let n = with_locked(ec, buffer, |ec| read_some(ec, io, &mut bytes[..], "rb_io_sysread"))?;
    bytes.truncate(n);
    let result = deliver(ec, buffer, &bytes)?;
    if n == 0 && len > 0 { Err(eof_error(ec)) } else { Ok(result) }
}

pub(super) fn pread(ec: &mut Ec, io: IoRef, len: Value, offset: i64, buffer: Option<Value>) -> Result {
    let Ok(len) = usize::try_from(ec.to_long(len)?) else {
        return Err(ec.argument_error("negative string size (or size too big)"));
    };
    let buffer = buffer_arg(ec, buffer)?;
    if len == 0 {
        return Ok(buffer.map_or_else(|| Str::binary(ec, b"").value(), Str::value));
    }
    check_readable(ec, io)?;
    ec.ensure_memory(len.saturating_mul(2))?;
    let (fd, mut bytes) = (io.get(ec).fd, vec![0; len]);
    let scheduled = super::scheduler::read(ec, io, &mut bytes, Some(offset))?;
    let result = match scheduled {
        Some(result) => result,
        None => system_call(ec, || carat_os::pread(fd, &mut bytes, offset))?,
    };
    match result {
        Ok(n) => bytes.truncate(n),
        Err(e) => {
            return Err(super::errno_of(ec, &e, io, "rb_io_pread"));
        }
    }
    let result = deliver(ec, buffer, &bytes)?;
    if bytes.is_empty() && len > 0 { Err(eof_error(ec)) } else { Ok(result) }
}

/// Bytes of the next character of a stream that converts, `None` at the end of the file.
fn next_text_char(ec: &mut Ec, io: IoRef) -> Result<Option<Vec<u8>>> {
    converted::begin(ec, io)?;
    let encoding = converted::text_encoding(ec, io).unwrap_or(EncodingIndex::BINARY);
    loop {
        let unread = io.get(ec).reading.as_ref().map_or(&[][..], |reading| reading.unread());
        let known = if unread.is_empty() { Char::NeedMore(1) } else { char_len(encoding, unread) };
        let len = match known {
            Char::Valid(n) => usize::from(n),
            Char::Invalid => encoding.min_len().min(unread.len()),
            Char::NeedMore(_) if fill_text(ec, io, Step::Character)? => continue,
            Char::NeedMore(_) => {
                let left = io.get(ec).reading.as_ref().map_or(0, |reading| reading.unread().len());
                match left {
                    0 => return Ok(None),
                    left => encoding.min_len().min(left),
                }
            }
        };
        return Ok(Some(take_text(ec, io, len)));
    }
}

/// Bytes of the next character, `None` at the end of the file.
pub(super) fn next_char(ec: &mut Ec, io: IoRef) -> Result<Option<Vec<u8>>> {
    if !ensure_unread(ec, io)? {
        return Ok(None);
    }
    let encoding = read_encoding(ec, io)?;
    loop {
        match char_len(encoding, io.get(ec).unread()) {
            Char::Valid(n) => {
                return Ok(Some(take_unread(ec, io, usize::from(n))));
            }
            Char::Invalid => return Ok(Some(take_unread(ec, io, encoding.min_len()))),
            Char::NeedMore(_) if fill(ec, io)? => {}
            Char::NeedMore(_) => return Ok(Some(take_unread(ec, io, encoding.min_len()))),
        }
    }
}

pub(super) fn getc(ec: &mut Ec, io: IoRef) -> Result {
    check_readable(ec, io)?;
    if is_converted(ec, io)? {
        return match next_text_char(ec, io)? {
            Some(bytes) => text(ec, io, &bytes).map(Str::value),
            None => Ok(Value::NIL),
        };
    }
    match next_char(ec, io)? {
        Some(bytes) => {
            let encoding = read_encoding(ec, io)?;
            Ok(Str::new(ec, &bytes, encoding, CodeRange::Unknown).value())
        }
        None => Ok(Value::NIL),
    }
}

pub(super) fn readchar(ec: &mut Ec, io: IoRef) -> Result {
    let found = getc(ec, io)?;
    if found.is_nil() { Err(eof_error(ec)) } else { Ok(found) }
}

pub(super) fn getbyte(ec: &mut Ec, io: IoRef) -> Result {
    check_readable(ec, io)?;
    check_no_text(ec, io)?;
    if !ensure_unread(ec, io)? {
        return Ok(Value::NIL);
    }
    let contents = io.get_mut(ec);
    let byte = contents.unread()[0];
    contents.read_at += 1;
    Ok(Value::len(usize::from(byte)))
}

pub(super) fn readbyte(ec: &mut Ec, io: IoRef) -> Result {
    let found = getbyte(ec, io)?;
    if found.is_nil() { Err(eof_error(ec)) } else { Ok(found) }
}

pub(super) fn ungetbyte(ec: &mut Ec, io: IoRef, value: Value) -> Result {
    check_readable(ec, io)?;
    check_no_text(ec, io)?;
    if value.is_nil() {
        return Ok(Value::NIL);
    }
    let bytes = match ec.to_bigint(value) {
        Some(number) => vec![(number & num_bigint::BigInt::from(255)).try_into().unwrap_or(0u8)],
        None => {
            let s = ec.to_str(value)?;
            s.bytes(ec).to_vec()
        }
    };
    unread_bytes(ec, io, &bytes)
}

/// As much can be put back as is read at a time.
const MOST_PUT_BACK: usize = 8192;

fn unread_bytes(ec: &mut Ec, io: IoRef, bytes: &[u8]) -> Result {
    let contents = io.get(ec);
    let waiting = contents.unread().len();
    if waiting > 0 && waiting + bytes.len() > MOST_PUT_BACK.max(contents.unread.capacity()) {
        return Err(io_error(ec, "ungetbyte failed"));
    }
    io.get_mut(ec).push_back(bytes);
    Ok(Value::NIL)
}

pub(super) fn ungetc(ec: &mut Ec, io: IoRef, value: Value) -> Result {
    check_readable(ec, io)?;
    let bytes = match value.as_fixnum() {
        Some(code) => char_bytes(ec, io, code)?,
        None => {
            let s = ec.to_str(value)?;
            s.bytes(ec).to_vec()
        }
    };
    if is_converted(ec, io)? {
        converted::push_back(ec, io, &bytes)?;
        return Ok(Value::NIL);
    }
    unread_bytes(ec, io, &bytes)
}

fn char_bytes(ec: &mut Ec, io: IoRef, code: i64) -> Result<Vec<u8>> {
    let external = read_encoding(ec, io)?;
    let encoding = io.get(ec).encodings.internal.unwrap_or(external);
    let mut bytes = Vec::new();
    let code = u32::try_from(code).unwrap_or(u32::MAX);
    match carat_text::encoding::encode_codepoint(encoding, code, &mut bytes) {
        Ok(_) => Ok(bytes),
        Err(e) => Err(ec.range_error(&e.message(code, encoding))),
    }
}

pub(super) fn is_eof(ec: &mut Ec, io: IoRef) -> Result<bool> {
    check_open(ec, io)?;
    check_readable(ec, io)?;
    Ok(!has_text(ec, io) && !ensure_unread(ec, io)?)
}

/// An empty string in the encoding that text is read in.
pub(super) fn empty_text(ec: &mut Ec, io: IoRef) -> Result<Str> {
    let encoding = match io.get(ec).encodings.internal {
        Some(internal) => internal,
        None => read_encoding(ec, io)?,
    };
    Ok(Str::new(ec, b"", encoding, CodeRange::Unknown))
}
