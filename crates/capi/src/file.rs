//! Files and streams.
//!
//! C code that wants to see inside an `IO` gets a record of what it is at that moment. The object keeps it. What C code writes
//! there stays with it, but in a record that `MakeOpenFile` gave it: the stream is opened by that, when somebody first uses it.

use crate::boundary::{CValue, Room, Text, constant, kernel_call, values};
use crate::encoding::CEncoding;
use carat_vm::foreign::{CData, Opened};
use carat_vm::{CodeRange, Ec, EncodingIndex, Result, Str, Value, sym};
use std::ffi::{c_char, c_int, c_void};

/// `rb_io_t`
#[repr(C)]
pub(crate) struct CIo {
    this: CValue,
    stdio: *mut c_void,
    fd: c_int,
    mode: c_int,
    path: CValue,
    writer: CValue,
    lock: CValue,
    timeout: CValue,
    encoding: *const CEncoding,
    encoding2: *const CEncoding,
    flags: c_int,
    options: CValue,
    pid: c_int,
    line: c_int,
    finalize: *const c_void,
    /// What `MakeOpenFile` gave, until the stream is opened by it. C code does not see this field.
    is_made: bool,
}

/// `struct RFile`
#[repr(C)]
pub(crate) struct CFile {
    io: *mut CIo,
}

const READABLE: c_int = 1;
const WRITABLE: c_int = 2;
const BINARY: c_int = 4;
const SYNC: c_int = 8;
const TTY: c_int = 16;
const APPEND: c_int = 0x40;
const CREATE: c_int = 0x80;
const EXCL: c_int = 0x400;
const TRUNC: c_int = 0x800;
const TEXT: c_int = 0x1000;

fn ask(ec: &mut Ec, io: Value, name: &str) -> Result {
    ec.call(io, ec.vm().intern(name), &[])
}

fn is_closed(ec: &mut Ec, io: Value) -> Result<bool> {
    Ok(ask(ec, io, "closed?")?.truthy())
}

fn descriptor(ec: &mut Ec, io: Value) -> Result<c_int> {
    if !ec.is_a(io, ec.vm().known().io) {
        let number = ask(ec, io, "fileno")?;
        return Ok(ec.to_long(number)? as c_int);
    }
    let number = ask(ec, io, "fileno")?;
    Ok(number.as_fixnum().unwrap_or(-1) as c_int)
}

/// How the stream was opened, as far as the system and the object tell.
fn mode(ec: &mut Ec, io: Value, fd: c_int) -> Result<c_int> {
    // SAFETY: asks for flags of a descriptor.
    let flags = unsafe { libc::fcntl(fd, libc::F_GETFL) };
    let mut mode = match flags & libc::O_ACCMODE {
        libc::O_RDONLY => READABLE,
        libc::O_WRONLY => WRITABLE,
        _ => READABLE | WRITABLE,
    };
    if ask(ec, io, "binmode?")?.truthy() {
        mode |= BINARY;
    }
    if ask(ec, io, "sync")?.truthy() {
        mode |= SYNC;
    }
    if ask(ec, io, "isatty")?.truthy() {
        mode |= TTY;
    }
    Ok(mode)
}

/// The record that the object keeps, if C code has asked for one.
fn kept_record(ec: &Ec, io: Value) -> Option<*mut CIo> {
    let kept = ec.field(io, name!(ec, "__c_io")).and_then(CData::from_value)?;
    // SAFETY: `kept_or_new` made it, and it holds such a record.
    Some(unsafe { (*kept.raw()).data.cast() })
}

fn kept_or_new(ec: &mut Ec, io: Value) -> *mut CIo {
    if let Some(record) = kept_record(ec, io) {
        return record;
    }
    let record = Box::into_raw(Box::new(CIo {
        this: CValue::of(io),
        stdio: std::ptr::null_mut(),
        fd: -1,
        mode: 0,
        path: CValue::of(Value::NIL),
        writer: CValue::from_word(0),
        lock: CValue::of(Value::NIL),
        timeout: CValue::of(Value::NIL),
        encoding: std::ptr::null(),
        encoding2: std::ptr::null(),
        flags: 0,
        options: CValue::of(Value::NIL),
        pid: 0,
        line: 0,
        finalize: std::ptr::null(),
        is_made: false,
    }));
    let (mark, free) = (mark_record as *const c_void, free_record as *const () as usize);
    let kept = CData::new(ec, None, mark, free, record.cast(), false);
    ec.set_field(io, name!(ec, "__c_io"), kept.value());
    record
}

/// The record that the object keeps, made on first use and filled anew, unless C code has it to fill.
fn record(ec: &mut Ec, io: Value) -> Result<*mut CIo> {
    let io = match ec.is_a(io, ec.vm().known().io) {
        true => io,
        false => ec.call(io, sym::TO_IO, &[])?,
    };
    let kept = kept_or_new(ec, io);
    // SAFETY: the record lives as long as the object.
    let record = unsafe { &mut *kept };
    if record.is_made {
        return Ok(kept);
    }
    if is_closed(ec, io)? {
        record.fd = -1;
        return Ok(kept);
    }
    record.fd = descriptor(ec, io)?;
    record.mode = mode(ec, io, record.fd)?;
    let path = if ec.find_method(io, name!(ec, "path")).is_some() { ask(ec, io, "path")? } else { Value::NIL };
    record.path = CValue::of(path);
    Ok(kept)
}

/// An empty record for C code to fill; a stream that is open is closed first.
fn new_record(ec: &mut Ec, io: Value) -> Result<*mut CIo> {
    if !ec.is_a(io, ec.vm().known().io) {
        return Err(ec.wrong_type(io, "File"));
    }
    // One that was never opened says so by an exception.
    if is_closed(ec, io).is_ok_and(|is_closed| !is_closed) {
        ask(ec, io, "close")?;
    }
    let kept = kept_or_new(ec, io);
    // SAFETY: the record lives as long as the object.
    let record = unsafe { &mut *kept };
    close_stdio(record);
    (record.fd, record.mode, record.pid, record.line) = (-1, 0, 0, 0);
    (record.path, record.is_made) = (CValue::of(Value::NIL), true);
    Ok(kept)
}

/// What C code wrote in a record that it was given to fill.
pub(crate) fn opened(ec: &Ec, io: Value) -> Option<Opened> {
    // SAFETY: the record lives as long as the object.
    let record = unsafe { &mut *kept_record(ec, io)? };
    if !record.is_made {
        return None;
    }
    // Until there is a descriptor the stream is one that is closed.
    record.is_made = record.fd < 0;
    if !record.stdio.is_null() && !record.is_made {
        // C code opened the library's stream onto it, which will close its own.
        // SAFETY: copies a descriptor.
        record.fd = unsafe { libc::dup(record.fd) };
    }
    let has = |flag| record.mode & flag != 0;
    Some(Opened {
        fd: record.fd,
        is_readable: has(READABLE),
        is_writable: has(WRITABLE),
        is_append: has(APPEND),
        is_binary: has(BINARY),
        is_text: has(TEXT),
        is_sync: has(SYNC),
        path: record.path.value(),
        lineno: record.line,
        pid: (record.pid > 0).then_some(record.pid),
    })
}

unsafe extern "C" fn mark_record(record: *mut c_void) {
    // SAFETY: `record` made it.
    let record = unsafe { &*record.cast::<CIo>() };
    [record.path, record.writer, record.lock, record.timeout]
        .iter()
        .for_each(|value| crate::data::report(value.word()));
}

unsafe extern "C" fn free_record(record: *mut c_void) {
    // SAFETY: `record` boxed it, and its object is dead.
    unsafe {
        let mut record = Box::from_raw(record.cast::<CIo>());
        close_stdio(&mut record);
        if record.is_made && record.fd > 2 {
            libc::close(record.fd);
        }
    }
}

fn close_stdio(record: &mut CIo) {
    let stdio = std::mem::replace(&mut record.stdio, std::ptr::null_mut());
    if !stdio.is_null() {
        // SAFETY: `rb_io_stdio_file` opened it.
        unsafe { libc::fclose(stdio.cast()) };
    }
}

fn io_error(ec: &mut Ec, message: &str) -> carat_vm::Unwind {
    ec.error(ec.vm().known().io_error, message)
}

fn checked<'a>(ec: &mut Ec, io: *mut CIo) -> Result<&'a mut CIo> {
    if io.is_null() {
        return Err(io_error(ec, "uninitialized stream"));
    }
    // SAFETY: C code has records of `record`, whose objects it keeps alive.
    let record = unsafe { &mut *io };
    if record.fd < 0 || is_closed(ec, record.this.value())? {
        return Err(io_error(ec, "closed stream"));
    }
    Ok(record)
}

fn text(ec: &Ec, text: Text) -> Value {
    Str::new(ec, text.bytes(), EncodingIndex::UTF_8, CodeRange::Unknown).value()
}

fn as_io(ec: &mut Ec, value: Value) -> Result {
    match ec.is_a(value, ec.vm().known().io) {
        true => Ok(value),
        false => match ec.try_convert(value, sym::TO_IO)? {
            Some(io) if ec.is_a(io, ec.vm().known().io) => Ok(io),
            Some(other) => {
                let (class, given) = (ec.class_of(value).real().to_text(ec), ec.class_of(other).real().to_text(ec));
                Err(ec.type_error(&format!("can't convert {class} to IO ({class}#to_io gives {given})")))
            }
            None => Err(ec.no_implicit_conversion(value, "IO")),
        },
    }
}

/// Seconds that C code passes as a number; nil stands for the stream's own timeout.
fn milliseconds(ec: &mut Ec, io: Value, timeout: CValue) -> Result<Option<i64>> {
    let is_own = timeout == CValue::UNDEF || timeout.value().is_nil();
    let timeout = if is_own { ec.call(io, name!(ec, "timeout"), &[])? } else { timeout.value() };
    if timeout.is_nil() {
        return Ok(None);
    }
    Ok(Some((ec.to_float(timeout)? * 1000.0) as i64))
}

/// What `errno` says about whether waiting helps.
fn maybe_wait(ec: &mut Ec, number: c_int, io: Value, events: c_int, timeout: CValue) -> Result<c_int> {
    let fd = descriptor(ec, io)?;
    if number == libc::EINTR {
        ec.check_ints()?;
        return Ok(events);
    }
    if number != libc::EAGAIN && number != libc::EWOULDBLOCK {
        return Ok(0);
    }
    let timeout = milliseconds(ec, io, timeout)?;
    let ready = crate::thread::wait_fd(ec, fd, events, timeout)?;
    if ready == 0 && timeout.is_some() {
        let class = constant(ec, "IO::TimeoutError")?;
        let (class, what) = (crate::boundary::class(ec, class)?, if events & 1 != 0 { "readable" } else { "writable" });
        return Err(ec.error(class, &format!("Timed out waiting for IO to become {what}!")));
    }
    Ok(ready)
}

// ---- output: by `write`, so that what these are methods of may be any object that has it ----

fn print(ec: &mut Ec, io: Value, list: &[Value]) -> Result {
    let given = |ec: &Ec, name: &str| ec.global_value(ec.vm().intern(name));
    let last = [given(ec, "$_")];
    let list = if list.is_empty() { &last } else { list };
    for (index, value) in list.iter().enumerate() {
        let separator = given(ec, "$,");
        if index > 0 && !separator.is_nil() {
            ec.call(io, sym::WRITE, &[separator])?;
        }
        ec.call(io, sym::WRITE, &[*value])?;
    }
    let end = given(ec, "$\\");
    if !end.is_nil() {
        ec.call(io, sym::WRITE, &[end])?;
    }
    Ok(Value::NIL)
}

/// The arrays around the one whose elements are written.
struct Around<'a> {
    array: Value,
    outer: Option<&'a Around<'a>>,
}

fn puts(ec: &mut Ec, io: Value, value: Value, around: Option<&Around<'_>>) -> Result<()> {
    ec.check_native_stack()?;
    let array = match carat_vm::Array::from_value(value) {
        None if Str::from_value(value).is_none() => ec.try_convert(value, sym::TO_ARY)?,
        array => array.map(carat_vm::Array::value),
    };
    if let Some(array) = array.and_then(carat_vm::Array::from_value) {
        let is_inside =
            std::iter::successors(around, |around| around.outer).any(|around| around.array == array.value());
        if is_inside {
            let text = Str::from_text(ec, "[...]").value();
            return puts(ec, io, text, None);
        }
        let here = Around { array: array.value(), outer: around };
        let mut index = 0;
        while let Some(element) = array.get(ec, index) {
            puts(ec, io, element, Some(&here))?;
            index += 1;
        }
        return Ok(());
    }
    let text = match Str::from_value(value) {
        Some(text) => text,
        None => {
            let text = kernel_call(ec, name!(ec, "String"), &[value])?;
            ec.to_str(text)?
        }
    };
    let end = Str::from_text(ec, "\n");
    let is_ended = ec.call(text.value(), name!(ec, "end_with?"), &[end.value()])?.truthy();
    let pieces = [text.value(), end.value()];
    let pieces = match (text.len(ec), is_ended) {
        (0, _) => &pieces[1..],
        (_, true) => &pieces[..1],
        _ => &pieces,
    };
    ec.call(io, sym::WRITE, pieces)?;
    Ok(())
}

api! {
    fn carat_io(ec, io: Value) -> Result<*mut CIo> {
        record(ec, io)
    }

    fn rb_io_make_open_file(ec, io: Value) -> Result<*mut CIo> {
        new_record(ec, io)
    }

    fn carat_file(ec, io: Value) -> Result<*mut CFile> {
        // The record begins a page of its own; the address of the address of it is what C code follows.
        let record = record(ec, io)?;
        Ok(Box::into_raw(Box::new(CFile { io: record })))
    }

    fn rb_io_taint_check(ec, io: Value) -> Result {
        if ec.is_frozen(io) {
            return Err(ec.frozen_error(io));
        }
        Ok(io)
    }

    fn rb_io_check_closed(ec, io: *mut CIo) -> Result<()> {
        checked(ec, io).map(drop)
    }

    fn rb_io_check_initialized(ec, io: *mut CIo) -> Result<()> {
        if io.is_null() { Err(io_error(ec, "uninitialized stream")) } else { Ok(()) }
    }

    fn rb_io_check_readable(ec, io: *mut CIo) -> Result<()> {
        let is_it = checked(ec, io)?.mode & READABLE != 0;
        if is_it { Ok(()) } else { Err(io_error(ec, "not opened for reading")) }
    }

    fn rb_io_check_char_readable(ec, io: *mut CIo) -> Result<()> {
        let is_it = checked(ec, io)?.mode & READABLE != 0;
        if is_it { Ok(()) } else { Err(io_error(ec, "not opened for reading")) }
    }

    fn rb_io_check_byte_readable(ec, io: *mut CIo) -> Result<()> {
        let is_it = checked(ec, io)?.mode & READABLE != 0;
        if is_it { Ok(()) } else { Err(io_error(ec, "not opened for reading")) }
    }

    fn rb_io_check_writable(ec, io: *mut CIo) -> Result<()> {
        let is_it = checked(ec, io)?.mode & WRITABLE != 0;
        if is_it { Ok(()) } else { Err(io_error(ec, "not opened for writing")) }
    }

    fn rb_io_set_nonblock(ec, io: *mut CIo) -> Result<()> {
        let fd = checked(ec, io)?.fd;
        // SAFETY: changes flags of a descriptor.
        unsafe { libc::fcntl(fd, libc::F_SETFL, libc::fcntl(fd, libc::F_GETFL) | libc::O_NONBLOCK) };
        Ok(())
    }

    fn rb_io_synchronized(ec, io: *mut CIo) -> Result<()> {
        let record = checked(ec, io)?;
        record.mode |= SYNC;
        ec.call(record.this.value(), name!(ec, "sync="), &[Value::TRUE]).map(drop)
    }

    fn rb_io_read_check(_ec, _io: *mut CIo) {}

    fn rb_io_read_pending(_ec, _io: *mut CIo) -> c_int { 0 }

    fn rb_io_stdio_file(ec, io: *mut CIo) -> Result<*mut c_void> {
        let record = checked(ec, io)?;
        if record.stdio.is_null() {
            let mode: &[u8] = match record.mode & (READABLE | WRITABLE) {
                READABLE => b"r\0",
                WRITABLE => b"w\0",
                _ => b"r+\0",
            };
            // SAFETY: a copy of the descriptor, which the C library closes with the stream.
            record.stdio = unsafe { libc::fdopen(libc::dup(record.fd), mode.as_ptr().cast::<c_char>()) }.cast();
        }
        Ok(record.stdio)
    }

    fn rb_io_descriptor(ec, io: Value) -> Result<c_int> {
        descriptor(ec, io)
    }

    fn rb_io_mode(ec, io: Value) -> Result<c_int> {
        let fd = descriptor(ec, io)?;
        mode(ec, io, fd)
    }

    fn rb_io_path(ec, io: Value) -> Result {
        let path = ask(ec, io, "path")?;
        if path.is_nil() { Ok(path) } else { ec.call(path, sym::DUP, &[]) }
    }

    fn rb_io_closed_p(ec, io: Value) -> Result {
        Ok(Value::bool(is_closed(ec, io)?))
    }

    fn rb_io_get_io(ec, value: Value) -> Result {
        as_io(ec, value)
    }

    fn rb_io_check_io(ec, value: Value) -> Result {
        if ec.is_a(value, ec.vm().known().io) {
            return Ok(value);
        }
        Ok(ec.try_convert(value, sym::TO_IO)?.unwrap_or(Value::NIL))
    }

    fn rb_io_get_write_io(_ec, io: Value) -> Value { io }

    fn rb_io_set_write_io(_ec, _io: Value, _writer: Value) -> Value { Value::NIL }

    fn rb_io_printf(ec, count: c_int, list: *const CValue, io: Value) -> Result {
        let mut room = Room::new();
        let list = values(count.into(), list, &mut room);
        if list.is_empty() {
            return Err(ec.argument_error("too few arguments"));
        }
        let text = kernel_call(ec, name!(ec, "format"), list)?;
        ec.call(io, sym::WRITE, &[text])?;
        Ok(Value::NIL)
    }

    fn rb_io_print(ec, count: c_int, list: *const CValue, io: Value) -> Result {
        let mut room = Room::new();
        let list = values(count.into(), list, &mut room);
        print(ec, io, list)
    }

    fn rb_io_puts(ec, count: c_int, list: *const CValue, io: Value) -> Result {
        let mut room = Room::new();
        let list = values(count.into(), list, &mut room);
        if list.is_empty() {
            let end = Str::from_text(ec, "\n").value();
            ec.call(io, sym::WRITE, &[end])?;
        }
        for value in list {
            puts(ec, io, *value, None)?;
        }
        Ok(Value::NIL)
    }

    fn rb_io_addstr(ec, io: Value, text: Value) -> Result {
        ec.call(io, sym::WRITE, &[text])?;
        Ok(io)
    }

    fn rb_io_fdopen(ec, fd: c_int, flags: c_int, _path: Text) -> Result {
        let class = ec.vm().known().io.value();
        ec.call(class, name!(ec, "for_fd"), &[Value::fixnum_unchecked(fd.into()), Value::fixnum_unchecked(flags.into())])
    }

    fn rb_io_open_descriptor(
        ec, class: Value, fd: c_int, mode: c_int, path: Value, timeout: Value, _encoding: *const c_void,
    ) -> Result {
        let flags = match mode & (READABLE | WRITABLE) {
            READABLE => "r",
            WRITABLE => "w",
            _ => "r+",
        };
        let (flags, keywords) = (ec.str(flags), carat_vm::Hash::new(ec));
        if !path.is_nil() {
            keywords.set_symbol(ec, name!(ec, "path"), path);
        }
        let passing = carat_vm::call::Passing { keywords: Some(keywords), block: None };
        let io = ec.call_with(class, name!(ec, "for_fd"), &[Value::fixnum_unchecked(fd.into()), flags], passing)?;
        if mode & SYNC != 0 {
            ec.call(io, name!(ec, "sync="), &[Value::TRUE])?;
        }
        if !timeout.is_nil() {
            ec.call(io, name!(ec, "timeout="), &[timeout])?;
        }
        Ok(io)
    }

    fn rb_file_open(ec, path: Text, mode: Text) -> Result {
        let (path, mode) = (text(ec, path), text(ec, mode));
        ec.call(ec.vm().known().file.value(), name!(ec, "open"), &[path, mode])
    }

    fn rb_file_open_str(ec, path: Value, mode: Text) -> Result {
        let mode = text(ec, mode);
        ec.call(ec.vm().known().file.value(), name!(ec, "open"), &[path, mode])
    }

    fn rb_file_expand_path(ec, path: Value, folder: Value) -> Result {
        ec.call(ec.vm().known().file.value(), name!(ec, "expand_path"), &[path, folder])
    }

    fn rb_file_absolute_path(ec, path: Value, folder: Value) -> Result {
        ec.call(ec.vm().known().file.value(), name!(ec, "absolute_path"), &[path, folder])
    }

    fn rb_file_s_expand_path(ec, count: c_int, list: *const CValue) -> Result {
        let mut room = Room::new();
        let list = values(count.into(), list, &mut room);
        ec.call(ec.vm().known().file.value(), name!(ec, "expand_path"), list)
    }

    fn rb_file_dirname(ec, path: Value) -> Result {
        ec.call(ec.vm().known().file.value(), name!(ec, "dirname"), &[path])
    }

    fn rb_find_file(ec, path: Value) -> Result<CValue> {
        let list = ec.global(name!(ec, "$LOAD_PATH"))?;
        let found = ec.call(list, name!(ec, "resolve_feature_path"), &[path])?;
        Ok(carat_vm::Array::from_value(found).map_or(CValue::from_word(0), |pair| CValue::of(pair.at(ec, 1))))
    }

    fn rb_file_size(ec, file: Value) -> Result<i64> {
        let size = ask(ec, file, "size")?;
        ec.to_long(size)
    }

    fn rb_file_directory_p(ec, path: Value) -> Result {
        ec.call(ec.vm().known().file.value(), name!(ec, "directory?"), &[path])
    }

    fn rb_dir_getwd(ec) -> Result {
        let class = constant(ec, "Dir")?;
        ask(ec, class, "pwd")
    }

    fn rb_gets(ec) -> Result {
        crate::boundary::kernel_call(ec, name!(ec, "gets"), &[])
    }

    fn rb_io_bufwrite(ec, io: Value, bytes: *const u8, len: usize) -> Result<i64> {
        let text = Str::binary(ec, crate::boundary::bytes_at(bytes, len as i64)).value();
        let written = ec.call(io, sym::WRITE, &[text])?;
        ec.to_long(written)
    }

    fn rb_io_wait(ec, io: Value, events: Value, timeout: CValue) -> Result {
        let fiber = ec.vm().known().fiber.value();
        let scheduler = ec.call(fiber, name!(ec, "current_scheduler"), &[])?;
        if !scheduler.is_nil() {
            return ec.call(scheduler, name!(ec, "io_wait"), &[io, events, timeout.value()]);
        }
        let (io, events) = (as_io(ec, io)?, ec.to_long(events)? as c_int);
        let (fd, timeout) = (descriptor(ec, io)?, milliseconds(ec, io, timeout)?);
        match crate::thread::wait_fd(ec, fd, events, timeout)? {
            0 => Ok(Value::FALSE),
            ready => Ok(Value::fixnum_unchecked(ready.into())),
        }
    }

    fn rb_io_maybe_wait(ec, number: c_int, io: Value, events: Value, timeout: CValue) -> Result {
        let events = ec.to_long(events)? as c_int;
        match maybe_wait(ec, number, io, events, timeout)? {
            0 => Ok(Value::NIL),
            ready => Ok(Value::fixnum_unchecked(ready.into())),
        }
    }

    fn rb_io_maybe_wait_readable(ec, number: c_int, io: Value, timeout: CValue) -> Result<c_int> {
        maybe_wait(ec, number, io, 1, timeout)
    }

    fn rb_io_maybe_wait_writable(ec, number: c_int, io: Value, timeout: CValue) -> Result<c_int> {
        maybe_wait(ec, number, io, 4, timeout)
    }

    fn rb_io_wait_readable(ec, fd: c_int) -> Result<c_int> {
        Ok(c_int::from(crate::thread::wait_fd(ec, fd, 1, None)? > 0))
    }

    fn rb_io_wait_writable(ec, fd: c_int) -> Result<c_int> {
        Ok(c_int::from(crate::thread::wait_fd(ec, fd, 4, None)? > 0))
    }

    fn rb_io_set_timeout(ec, io: Value, timeout: Value) -> Result {
        ec.call(io, name!(ec, "timeout="), &[timeout])
    }

    fn rb_io_enc_t_encoding(_ec, io: *const CIo) -> *const CEncoding {
        // SAFETY: C code has records of `record`.
        unsafe { (*io).encoding }
    }

    fn rb_io_oflags_fmode(_ec, flags: c_int) -> c_int {
        let access = match flags & libc::O_ACCMODE {
            libc::O_RDONLY => READABLE,
            libc::O_WRONLY => WRITABLE,
            _ => READABLE | WRITABLE,
        };
        let others =
            [(libc::O_APPEND, APPEND), (libc::O_TRUNC, TRUNC), (libc::O_CREAT, CREATE), (libc::O_EXCL, EXCL)];
        others.iter().filter(|(flag, _)| flags & flag != 0).fold(access, |mode, (_, own)| mode | own)
    }
}

calls! {
    rb_io_write(io, text) => "write";
    rb_io_gets(io) => "gets";
    rb_io_getbyte(io) => "getbyte";
    rb_io_ungetc(io, text) => "ungetc";
    rb_io_ungetbyte(io, byte) => "ungetbyte";
    rb_io_close(io) => "close";
    rb_io_flush(io) => "flush";
    rb_io_eof(io) => "eof?";
    rb_io_binmode(io) => "binmode";
    rb_io_ascii8bit_binmode(io) => "binmode";
    rb_io_timeout(io) => "timeout";
}
