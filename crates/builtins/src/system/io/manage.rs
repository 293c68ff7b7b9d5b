//! Closing, positions and settings.

use super::encodings::Pair;
use super::{IoRef, check_initialized, check_open, check_readable, errno_bare, flush as flush_io, io_error, open};
use crate::control::thread::sleep::interval;
use crate::system::system_call::system_call;
use carat_os::c;
use carat_vm::{CodeRange, Ec, EncodingIndex, Result, Str, Value};

/// Closes both descriptors and waits for a `popen` child.
pub(super) fn close(ec: &mut Ec, io: IoRef) -> Result {
    check_initialized(ec, io)?;
    let end = super::converted::end_of_writing(ec, io);
    io.get(ec).pending.lock().unwrap_or_else(|e| e.into_inner()).bytes.extend(end);
    let flushed = super::buffer::flush_in(ec, io, "fptr_finalize_flush");
    io.get(ec).pending.lock().unwrap_or_else(|e| e.into_inner()).bytes.clear();
    let contents = io.get_mut(ec);
    let (fd, write_fd) = (std::mem::replace(&mut contents.fd, -1), contents.write_fd());
    contents.set_write_fd(-1);
    contents.drop_unread();
    let pid = contents.pid.take();
    interrupt_users(ec, io, [fd, write_fd])?;
    let mut closed = Ok(());
    for fd in [fd, write_fd].iter().take(if fd == write_fd { 1 } else { 2 }) {
        // The standard descriptors stay open: child processes and the report of a last error want them.
        if *fd > 2 && io.get(ec).autoclose && !super::scheduler::close(ec, *fd)? {
            closed = closed.and(carat_os::close(*fd));
        }
    }
    if let Some(pid) = pid {
        crate::system::process::wait_for_child(ec, pid)?;
    }
    flushed?;
    match closed {
        Ok(()) => Ok(Value::NIL),
        Err(e) => Err(super::errno_of(ec, &e, io, "fptr_finalize_flush")),
    }
}

/// Closes what was moved to another Ractor: its copy there has descriptors of its own, and waits for the child.
pub(crate) fn abandon(ec: &mut Ec, value: Value) {
    let Some(io) = IoRef::from_value(value).filter(|io| io.get(ec).is_initialized) else { return };
    io.get_mut(ec).pid = None;
    // The stream's errors would concern a program that has given it away.
    let _ = close(ec, io);
}

/// Other fibers and threads that wait for the descriptors learn that they are gone.
fn interrupt_users(ec: &mut Ec, io: IoRef, descriptors: [i32; 2]) -> Result<()> {
    super::scheduler::expel(ec, io)?;
    if !ec.others_use_descriptors() {
        return Ok(());
    }
    let message = ec.str("stream closed in another thread");
    let error = ec.call(ec.vm().known().io_error.value(), carat_vm::sym::NEW, &[message])?;
    for fd in descriptors {
        if fd >= 0 {
            ec.interrupt_blocked_on(fd, error);
        }
    }
    Ok(())
}

fn is_duplex(ec: &Ec, io: IoRef) -> bool {
    io.get(ec).fd != io.get(ec).write_fd()
}

pub(super) fn close_read(ec: &mut Ec, io: IoRef) -> Result {
    if io.get(ec).fd < 0 {
        return Ok(Value::NIL);
    }
    if !io.get(ec).is_readable && io.get(ec).pid.is_some() {
        return Ok(Value::NIL);
    }
    if !io.get(ec).is_readable || (io.get(ec).is_writable && !is_duplex(ec, io)) {
        return Err(io_error(ec, "closing non-duplex IO for reading"));
    }
    if !io.get(ec).is_writable {
        return close(ec, io);
    }
    let contents = io.get_mut(ec);
    let _ = carat_os::close(contents.fd);
    contents.is_readable = false;
    contents.fd = contents.write_fd();
    Ok(Value::NIL)
}

pub(super) fn close_write(ec: &mut Ec, io: IoRef) -> Result {
    if io.get(ec).fd < 0 || (io.get(ec).is_readable && !io.get(ec).is_writable && io.get(ec).pid.is_some()) {
        return Ok(Value::NIL);
    }
    if !io.get(ec).is_writable || (io.get(ec).is_readable && !is_duplex(ec, io)) {
        return Err(io_error(ec, "closing non-duplex IO for writing"));
    }
    if !io.get(ec).is_readable {
        return close(ec, io);
    }
    flush_io(ec, io)?;
    let contents = io.get_mut(ec);
    let _ = carat_os::close(contents.write_fd());
    contents.set_write_fd(-1);
    contents.is_writable = false;
    Ok(Value::NIL)
}

pub(super) fn is_closed(ec: &mut Ec, io: IoRef) -> Result<bool> {
    check_initialized(ec, io)?;
    Ok(io.get(ec).fd < 0)
}

pub(super) fn fileno(ec: &mut Ec, io: IoRef) -> Result<i64> {
    check_open(ec, io)?;
    Ok(i64::from(io.get(ec).fd))
}

pub(super) fn to_io(_ec: &mut Ec, io: IoRef) -> Value {
    io.value()
}

pub(super) fn is_tty(ec: &mut Ec, io: IoRef) -> Result<bool> {
    check_open(ec, io)?;
    Ok(carat_os::is_tty(io.get(ec).fd))
}

pub(super) fn sync(ec: &mut Ec, io: IoRef) -> Result<bool> {
    check_open(ec, io)?;
    Ok(io.get(ec).is_sync)
}

pub(super) fn set_sync(ec: &mut Ec, io: IoRef, sync: bool) -> Result<bool> {
    check_open(ec, io)?;
    if sync {
        flush_io(ec, io)?;
    }
    io.get_mut(ec).is_sync = sync;
    Ok(sync)
}

pub(super) fn flush(ec: &mut Ec, io: IoRef) -> Result {
    check_open(ec, io)?;
    flush_io(ec, io)?;
    Ok(io.value())
}

fn sync_to_disk(ec: &mut Ec, io: IoRef, data_only: bool) -> Result<i64> {
    check_open(ec, io)?;
    flush_io(ec, io)?;
    let fd = io.get(ec).fd;
    match system_call(ec, || carat_os::sync(fd, data_only))? {
        Ok(()) => Ok(0),
        Err(e) => {
            let function = if data_only { "rb_io_fdatasync" } else { "rb_io_fsync" };
            Err(super::errno_of(ec, &e, io, function))
        }
    }
}

pub(super) fn fsync(ec: &mut Ec, io: IoRef) -> Result<i64> {
    sync_to_disk(ec, io, false)
}

pub(super) fn fdatasync(ec: &mut Ec, io: IoRef) -> Result<i64> {
    sync_to_disk(ec, io, true)
}

pub(super) fn binmode(ec: &mut Ec, io: IoRef) -> Result {
    check_open(ec, io)?;
    let contents = io.get_mut(ec);
    contents.is_binmode = true;
    contents.is_text = false;
    contents.reading = None;
    contents.newline = super::encodings::Newline::Lf;
    contents.encodings = Pair { external: Some(carat_vm::EncodingIndex::ASCII_8BIT), internal: None };
    Ok(io.value())
}

pub(super) fn is_binmode(ec: &mut Ec, io: IoRef) -> Result<bool> {
    check_open(ec, io)?;
    Ok(io.get(ec).is_binmode)
}

pub(super) fn lineno(ec: &mut Ec, io: IoRef) -> Result<i64> {
    check_readable(ec, io)?;
    Ok(io.get(ec).lineno)
}

pub(super) fn set_lineno(ec: &mut Ec, io: IoRef, lineno: Value) -> Result {
    check_readable(ec, io)?;
    let number = ec.to_long(lineno)?;
    ec.to_c_int(number)?;
    io.get_mut(ec).lineno = number;
    Ok(lineno)
}

// ---- positions ----

pub(super) fn tell(ec: &mut Ec, io: IoRef) -> Result<i64> {
    check_open(ec, io)?;
    flush_io(ec, io)?;
    match carat_os::seek(io.get(ec).fd, 0, c::SEEK_CUR) {
        Ok(at) => Ok(at - io.get(ec).unread().len() as i64),
        Err(e) => Err(super::errno_of(ec, &e, io, "rb_io_tell")),
    }
}

fn seek_to(ec: &mut Ec, io: IoRef, offset: i64, whence: i32, function: &str) -> Result<i64> {
    check_open(ec, io)?;
    flush_io(ec, io)?;
    let ahead = if whence == c::SEEK_CUR { io.get(ec).unread().len() as i64 } else { 0 };
    match carat_os::seek(io.get(ec).fd, offset - ahead, whence) {
        Ok(at) => {
            let contents = io.get_mut(ec);
            contents.drop_unread();
            Ok(at)
        }
        Err(e) => Err(super::errno_of(ec, &e, io, function)),
    }
}

fn whence_arg(ec: &mut Ec, whence: Option<Value>) -> Result<i32> {
    let Some(whence) = whence else { return Ok(c::SEEK_SET) };
    let Some(name) = whence.as_symbol() else { return Ok(ec.to_long(whence)? as i32) };
    match ec.vm().symbol_text(name).as_str() {
        "SET" => Ok(c::SEEK_SET),
        "CUR" => Ok(c::SEEK_CUR),
        "END" => Ok(c::SEEK_END),
        "DATA" => Ok(3),
        "HOLE" => Ok(4),
        name => Err(ec.argument_error(&format!("unknown whence: {name}"))),
    }
}

pub(super) fn seek(ec: &mut Ec, io: IoRef, offset: i64, whence: Option<Value>) -> Result<i64> {
    let whence = whence_arg(ec, whence)?;
    seek_to(ec, io, offset, whence, "rb_io_seek").map(|_| 0)
}

pub(super) fn set_pos(ec: &mut Ec, io: IoRef, offset: i64) -> Result<i64> {
    seek_to(ec, io, offset, c::SEEK_SET, "rb_io_set_pos")
}

pub(super) fn sysseek(ec: &mut Ec, io: IoRef, offset: i64, whence: Option<Value>) -> Result<i64> {
    let whence = whence_arg(ec, whence)?;
    check_open(ec, io)?;
    if io.get(ec).has_unread() || super::converted::has_text(ec, io) {
        return Err(io_error(ec, "sysseek for buffered IO"));
    }
    if !io.get(ec).pending.lock().unwrap_or_else(|e| e.into_inner()).bytes.is_empty() {
        ec.warn("sysseek for buffered IO")?;
    }
    seek_to(ec, io, offset, whence, "rb_io_sysseek")
}

pub(super) fn rewind(ec: &mut Ec, io: IoRef) -> Result<i64> {
    seek_to(ec, io, 0, c::SEEK_SET, "rb_io_rewind")?;
    io.get_mut(ec).lineno = 0;
    Ok(0)
}

// ---- descriptors ----

pub(super) fn fcntl(ec: &mut Ec, io: IoRef, command: i64, argument: Option<Value>) -> Result<i64> {
    let command = match ec.to_c_int(command)? {
        // No other program gets the copy either.
        c::F_DUPFD => c::F_DUPFD_CLOEXEC,
        command => command,
    };
    control(ec, io, argument, FCNTL_BYTES, &|fd, argument| carat_os::fcntl_with(fd, command, argument))
}

pub(super) fn ioctl(ec: &mut Ec, io: IoRef, command: i64, argument: Option<Value>) -> Result<i64> {
    // The numbers of newer commands tell the size of their argument.
    let bytes = if command & 0xffff_0000 == 0 { IOCTL_BYTES } else { (command as usize >> 16) & 0x3fff };
    control(ec, io, argument, bytes, &|fd, argument| carat_os::ioctl_with(fd, command, argument))
}

/// As much as a command may read or write where its number does not tell.
const FCNTL_BYTES: usize = 32;
const IOCTL_BYTES: usize = 256;

/// A call whose argument is a number, or a string that the system reads and writes.
fn control(
    ec: &mut Ec,
    io: IoRef,
    argument: Option<Value>,
    size: usize,
    call: &dyn Fn(i32, carat_os::Argument<'_>) -> std::io::Result<i32>,
) -> Result<i64> {
    check_open(ec, io)?;
    let fd = io.get(ec).fd;
    let argument = argument.unwrap_or(Value::NIL);
    let result = if let Some(buffer) = ec.check_string(argument)? {
        buffer.check_mutable(ec)?;
        let mut bytes = buffer.owned_bytes(ec)?;
        // A byte beyond them shows whether the system wrote more than was expected, and there is room for that.
        let len = bytes.len().max(size);
        bytes.resize(len, 0);
        bytes.push(SENTINEL);
        bytes.resize(len + MARGIN, 0);
        let result = call(fd, carat_os::Argument::Bytes(&mut bytes));
        bytes.truncate(len + 1);
        if bytes.pop() != Some(SENTINEL) {
            return Err(ec.argument_error("return value overflowed string"));
        }
        buffer.check_mutable(ec)?;
        buffer.clear(ec);
        buffer.push_bytes(ec, &bytes);
        result
    } else {
        let number = match argument {
            Value::NIL | Value::FALSE => 0,
            Value::TRUE => 1,
            other => ec.to_long(other)?,
        };
        call(fd, carat_os::Argument::Number(number))
    };
    match result {
        Ok(answer) => Ok(i64::from(answer)),
        Err(e) => Err(super::errno_of(ec, &e, io, "finish_narg")),
    }
}

const SENTINEL: u8 = 17;
/// More than any command writes, such as a terminal's whole font.
const MARGIN: usize = 1 << 16;

pub(super) fn pid(ec: &mut Ec, io: IoRef) -> Result<Option<i64>> {
    check_open(ec, io)?;
    Ok(io.get(ec).pid.map(i64::from))
}

/// `Primitive.io_set_pid(io, pid)`
pub(super) fn set_pid(ec: &mut Ec, io: IoRef, pid: i64) -> Value {
    io.get_mut(ec).pid = i32::try_from(pid).ok();
    io.value()
}

pub(super) fn path(ec: &mut Ec, io: IoRef) -> Result<Option<Str>> {
    open::take_if_new(ec, io)?;
    Ok(open::path_value(ec, io))
}

pub(super) fn inspect(ec: &mut Ec, io: IoRef) -> Result<Str> {
    open::take_if_new(ec, io)?;
    let class = ec.class_of(io.value()).real().to_text(ec);
    let contents = io.get(ec);
    if !contents.is_initialized {
        return Ok(ec.any_to_s(io.value()));
    }
    let name = match &contents.path {
        Some(path) => {
            let state = if contents.fd < 0 { " (closed)" } else { "" };
            return Ok(inspect_path(ec, &class, (path, contents.path_encoding), state));
        }
        None if contents.fd < 0 => String::new(),
        None => format!("fd {}", contents.fd),
    };
    let state = match (contents.fd < 0, name.is_empty()) {
        (false, _) => "",
        (true, true) => "(closed)",
        (true, false) => " (closed)",
    };
    Ok(Str::from_text(ec, &format!("#<{class}:{name}{state}>")))
}

/// What is opened by a path, in the encoding of that.
pub(crate) fn inspect_path(ec: &Ec, class: &str, (path, encoding): (&[u8], EncodingIndex), state: &str) -> Str {
    let own = if path.is_ascii() || !encoding.is_ascii_compatible() { EncodingIndex::UTF_8 } else { encoding };
    let text = [b"#<", class.as_bytes(), b":", path, state.as_bytes(), b">"].concat();
    Str::new(ec, &text, own, CodeRange::Unknown)
}

pub(super) fn autoclose(ec: &mut Ec, io: IoRef) -> Result<bool> {
    check_open(ec, io)?;
    Ok(io.get(ec).autoclose)
}

pub(super) fn set_autoclose(ec: &mut Ec, io: IoRef, autoclose: bool) -> Result<bool> {
    check_open(ec, io)?;
    io.get_mut(ec).autoclose = autoclose;
    Ok(autoclose)
}

pub(super) fn is_close_on_exec(ec: &mut Ec, io: IoRef) -> Result<bool> {
    check_open(ec, io)?;
    match carat_os::fcntl(io.get(ec).fd, c::F_GETFD, 0) {
        Ok(flags) => Ok(flags & c::FD_CLOEXEC != 0),
        Err(e) => Err(errno_bare(ec, &e)),
    }
}

pub(super) fn set_close_on_exec(ec: &mut Ec, io: IoRef, on: bool) -> Result<bool> {
    check_open(ec, io)?;
    match carat_os::fcntl(io.get(ec).fd, c::F_SETFD, if on { c::FD_CLOEXEC } else { 0 }) {
        Ok(_) => Ok(on),
        Err(e) => Err(errno_bare(ec, &e)),
    }
}

pub(super) fn timeout(ec: &mut Ec, io: IoRef) -> Result<Option<f64>> {
    Ok(io.get(ec).timeout)
}

pub(super) fn set_timeout(ec: &mut Ec, io: IoRef, timeout: Value) -> Result {
    let seconds = if timeout.truthy() { Some(interval(ec, timeout)?) } else { None };
    io.get_mut(ec).timeout = seconds;
    Ok(timeout)
}

/// Hints that the system may ignore; here it always does.
pub(super) fn advise(ec: &mut Ec, io: IoRef, advice: Value, offset: Option<i64>, len: Option<i64>) -> Result {
    const KNOWN: [&str; 6] = ["normal", "sequential", "random", "willneed", "dontneed", "noreuse"];
    let Some(name) = advice.as_symbol() else {
        let given = ec.describe_for_type_error(advice);
        return Err(ec.type_error(&format!("not a Symbol: {given}")));
    };
    check_open(ec, io)?;
    let _ = (offset, len);
    if !KNOWN.contains(&ec.vm().symbol_text(name).as_str()) {
        let shown = ec.inspect(advice)?.to_text(ec);
        return Err(ec.not_implemented(&format!("Unsupported advice: {shown}")));
    }
    Ok(Value::NIL)
}

pub(super) fn stat(ec: &mut Ec, io: IoRef) -> Result {
    check_open(ec, io)?;
    match carat_os::fstat(io.get(ec).fd) {
        Ok(stat) => Ok(crate::system::file::new_stat(ec, stat)),
        Err(e) => Err(super::errno_of(ec, &e, io, "rb_io_stat")),
    }
}
