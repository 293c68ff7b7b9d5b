//! Between the buffers of an IO and the system.

use super::{IoRef, errno};
use crate::system::system_call::{quick_system_call, quick_system_call_on, system_call_on};
use carat_os::{Deadline, c};
use carat_vm::{Ec, Result, Str, StringBuffer, Value};
use std::io;

/// How much is asked of the system at a time.
const CHUNK: usize = 16 << 10;
/// A write buffer of this size is flushed.
const WRITE_LIMIT: usize = 64 << 10;
/// Longer writes are not held back: what CRuby's `IO_WBUF_CAPA_MIN` says.
const MOST_HELD: usize = 8 << 10;

/// Waits until a descriptor is ready; false if `seconds` passed before.
pub fn wait_for(ec: &mut Ec, fd: i32, events: i16, seconds: Option<f64>) -> Result<bool> {
    if let Some(is_ready) = super::scheduler::wait_for_descriptor(ec, fd, events, seconds)? {
        return Ok(is_ready);
    }
    let deadline = Deadline::after(seconds);
    if let Ok(ready) = quick_system_call(ec, || carat_os::poll(&[(fd, events)], 0))?
        && (ready[0] != 0 || seconds == Some(0.0))
    {
        return Ok(ready[0] != 0);
    }
    loop {
        match system_call_on(ec, fd, || carat_os::poll(&[(fd, events)], deadline.milliseconds()))? {
            Ok(ready) if ready[0] != 0 => return Ok(true),
            Ok(_) if deadline.has_passed() => return Ok(false),
            Ok(_) => {}
            Err(e) => return Err(errno(ec, &e, b"")),
        }
    }
}

pub(super) fn would_block(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(c::EAGAIN))
}

/// CRuby's function that fills the buffer, which names the descriptor too when it fails.
const FILL: &str = "io_fillbuf";

/// What bytes are read into.
pub(super) trait Room {
    /// As bytes that can be read: the scheduler's hooks are lent those. [`Room::filled`] tells how many were written.
    fn bytes(&mut self) -> &mut [u8];

    fn filled(&mut self, count: usize);

    /// One system call, after which no one has to tell what it read.
    fn read(&mut self, fd: i32) -> io::Result<usize>;
}

impl Room for &mut [u8] {
    fn bytes(&mut self) -> &mut [u8] {
        self
    }

    fn filled(&mut self, _count: usize) {}

    fn read(&mut self, fd: i32) -> io::Result<usize> {
        carat_os::read(fd, self)
    }
}

/// The buffer, and how much may come.
impl Room for (&mut StringBuffer, usize) {
    fn bytes(&mut self) -> &mut [u8] {
        self.0.cleared_room(self.1)
    }

    fn filled(&mut self, count: usize) {
        self.0.advance(count);
    }

    fn read(&mut self, fd: i32) -> io::Result<usize> {
        self.0.read(fd, self.1)
    }
}

/// Reads from the system into a buffer, waiting for non-blocking descriptors. 0 is the end of the file. `function` is CRuby's
/// name for what reads, which errors tell.
pub(super) fn read_some(ec: &mut Ec, io: IoRef, mut into: impl Room, function: &str) -> Result<usize> {
    loop {
        let fd = io.get(ec).fd;
        match read_once(ec, io, &mut into)? {
            Ok(n) => return Ok(n),
            Err(e) if would_block(&e) => super::scheduler::wait_until_ready(ec, io, c::POLLIN)?,
            Err(e) => {
                if function == FILL {
                    let detail = [format!("fd:{fd} ").into_bytes(), super::path_of(ec, io)].concat();
                    return Err(super::errno_at(ec, &e, function, &detail));
                }
                return Err(super::errno_of(ec, &e, io, function));
            }
        }
        super::check_open(ec, io)?;
    }
}

/// One system call, or what the scheduler has in its place.
fn read_once(ec: &mut Ec, io: IoRef, into: &mut impl Room) -> Result<io::Result<usize>> {
    if ec.current_scheduler().is_some() {
        if let Some(result) = super::scheduler::read(ec, io, into.bytes(), None)? {
            if let Ok(count) = result {
                into.filled(count);
            }
            return Ok(result);
        }
        super::scheduler::prepare(ec, io, io.get(ec).fd, c::POLLIN)?;
    } else if io.get(ec).timeout.is_some() {
        super::scheduler::wait_until_ready(ec, io, c::POLLIN)?;
    }
    let fd = io.get(ec).fd;
    transfer_call(ec, fd, c::POLLIN, || into.read(fd))
}

/// Adds to the unread bytes; false at the end of the file.
pub(super) fn fill(ec: &mut Ec, io: IoRef) -> Result<bool> {
    // Another thread may read meanwhile: the buffer stays where it is.
    let mut chunk = [0; CHUNK];
    let read = read_some(ec, io, &mut chunk[..], FILL)?;
    let contents = io.get_mut(ec);
    contents.unread.drain(..std::mem::take(&mut contents.read_at));
    if contents.unread.try_reserve(read).is_err() {
        return Err(ec.no_memory());
    }
    contents.unread.extend_from_slice(&chunk[..read]);
    Ok(read > 0)
}

/// Makes sure that something is unread; false at the end of the file.
pub(super) fn ensure_unread(ec: &mut Ec, io: IoRef) -> Result<bool> {
    Ok(io.get(ec).has_unread() || fill(ec, io)?)
}

/// Before writing: the file position goes back over what was read ahead.
pub(super) fn give_back_unread(ec: &mut Ec, io: IoRef) -> Result<()> {
    let contents = io.get_mut(ec);
    let ahead = contents.unread().len();
    if ahead == 0 || contents.write_fd() != contents.fd {
        return Ok(());
    }
    if carat_os::seek(contents.fd, -(ahead as i64), c::SEEK_CUR).is_ok() {
        contents.drop_unread();
    }
    Ok(())
}

/// Hands bytes to the write buffer, and on to the system if the stream holds nothing back: for a terminal never.
pub(super) fn write_bytes(ec: &mut Ec, io: IoRef, bytes: &[u8]) -> Result<()> {
    ec.deliver_deferred()?;
    if !is_due_with(ec, io, bytes.len()) {
        hold_back(ec, io, bytes);
        return Ok(());
    }
    write_now(ec, io, bytes)
}

/// As [`write_bytes`], of a string, which is copied only if it is held back.
pub(super) fn write_string(ec: &mut Ec, io: IoRef, s: Str) -> Result<()> {
    ec.deliver_deferred()?;
    if !is_due_with(ec, io, s.len(ec)) {
        hold_back(ec, io, s.bytes(ec));
        return Ok(());
    }
    s.with_kept_bytes(ec, |ec, bytes| write_now(ec, io, bytes))
}

/// Whether bytes go to the system as soon as so many are added.
fn is_due_with(ec: &Ec, io: IoRef, added: usize) -> bool {
    let contents = io.get(ec);
    let mut pending = contents.pending.lock().unwrap_or_else(|e| e.into_inner());
    contents.is_sync || added > MOST_HELD || pending.bytes.len() + added > WRITE_LIMIT || pending.is_for_terminal()
}

fn hold_back(ec: &Ec, io: IoRef, bytes: &[u8]) {
    io.get(ec).pending.lock().unwrap_or_else(|e| e.into_inner()).bytes.extend_from_slice(bytes);
}

fn holds_nothing(ec: &Ec, io: IoRef) -> bool {
    io.get(ec).pending.lock().unwrap_or_else(|e| e.into_inner()).bytes.is_empty()
}

/// Writes what is held back, and then these.
fn write_now(ec: &mut Ec, io: IoRef, bytes: &[u8]) -> Result<()> {
    const FUNCTION: &str = "io_write";
    if !holds_nothing(ec, io) || io.get(ec).writer != Value::NIL {
        hold_back(ec, io, bytes);
        return flush_in(ec, io, FUNCTION);
    }
    if bytes.is_empty() {
        return Ok(());
    }
    begin_writing(ec, io)?;
    let fd = io.get(ec).write_fd();
    let result = write_all(ec, io, fd, bytes, FUNCTION);
    let unwinding = ec.pending();
    end_writing(ec, io)?;
    result.map_err(|_| ec.unwind(unwinding))
}

/// Writes everything that is held back.
pub(crate) fn flush(ec: &mut Ec, io: IoRef) -> Result<()> {
    flush_in(ec, io, "rb_io_flush_raw")
}

/// As [`flush`], where CRuby's function of that name would do it.
pub(super) fn flush_in(ec: &mut Ec, io: IoRef, function: &str) -> Result<()> {
    if holds_nothing(ec, io) {
        return Ok(());
    }
    begin_writing(ec, io)?;
    let result = write_pending(ec, io, function);
    let unwinding = ec.pending();
    end_writing(ec, io)?;
    result.map_err(|_| ec.unwind(unwinding))
}

/// Bytes of one write are not mixed with those of another fiber: who writes first is waited for. What a signal handler or a
/// scheduler writes meanwhile in the same fiber goes in between.
fn begin_writing(ec: &mut Ec, io: IoRef) -> Result<()> {
    let fiber = ec.current_fiber().value();
    while io.get(ec).writer != fiber && ec.is_living_fiber(io.get(ec).writer) {
        ec.wait_in(|ec| &mut io.get_mut(ec).writers, io.value(), None)?;
    }
    io.get_mut(ec).writer = fiber;
    ec.wrote(io.value());
    Ok(())
}

fn end_writing(ec: &mut Ec, io: IoRef) -> Result<()> {
    io.get_mut(ec).writer = Value::NIL;
    match io.get(ec).writers.first() {
        Some(next) => ec.wake(io.value(), next),
        None => Ok(()),
    }
}

fn write_pending(ec: &mut Ec, io: IoRef, function: &str) -> Result<()> {
    let (fd, bytes) = {
        let mut pending = io.get(ec).pending.lock().unwrap_or_else(|e| e.into_inner());
        (pending.fd, std::mem::take(&mut pending.bytes))
    };
    write_all(ec, io, fd, &bytes, function)
}

fn write_all(ec: &mut Ec, io: IoRef, fd: i32, bytes: &[u8], function: &str) -> Result<()> {
    let mut at = 0;
    while at < bytes.len() && fd >= 0 {
        match write_once(ec, io, fd, &bytes[at..])? {
            Ok(n) => at += n,
            Err(e) if would_block(&e) => super::scheduler::wait_until_ready(ec, io, c::POLLOUT)?,
            Err(e) => {
                // What could not be written waits for another try, and for `close` to fail, too.
                if !io.get(ec).is_sync {
                    let mut pending = io.get(ec).pending.lock().unwrap_or_else(|e| e.into_inner());
                    pending.bytes.splice(..0, bytes[at..].iter().copied());
                }
                let is_broken_pipe = e.raw_os_error() == Some(c::EPIPE) && io.get(ec).ends_by_sigpipe;
                let make = if is_broken_pipe { super::broken_pipe } else { super::errno_of };
                return Err(make(ec, &e, io, function));
            }
        }
    }
    Ok(())
}

/// One system call, or what the scheduler has in its place.
pub(super) fn write_once(ec: &mut Ec, io: IoRef, fd: i32, bytes: &[u8]) -> Result<io::Result<usize>> {
    let mut bytes = bytes;
    if ec.current_scheduler().is_some() {
        if let Some(result) = super::scheduler::write(ec, io, bytes, None)? {
            return Ok(result);
        }
        super::scheduler::prepare(ec, io, fd, c::POLLOUT)?;
        if fd <= 2 {
            bytes = &bytes[..bytes.len().min(ROOM_OF_PIPE)];
        }
    } else if io.get(ec).timeout.is_some() {
        super::scheduler::wait_until_ready(ec, io, c::POLLOUT)?;
    }
    match bytes.len() <= ROOM_OF_PIPE {
        true => transfer_call(ec, fd, c::POLLOUT, || carat_os::write(fd, bytes)),
        false => system_call_on(ec, fd, || carat_os::write(fd, bytes)),
    }
}

/// A call that reads or writes. If it has no need to wait, threads that wait for their turn leave it to this one: two that change
/// places at each byte would do little else. A fiber with a scheduler has none: that waits, once the system says that the call would
/// block.
fn transfer_call<R>(ec: &mut Ec, fd: i32, events: i16, call: impl FnMut() -> io::Result<R>) -> Result<io::Result<R>> {
    if !ec.turn_has_waiters() {
        return system_call_on(ec, fd, call);
    }
    let is_ready = || carat_os::poll(&[(fd, events)], 0).is_ok_and(|ready| ready[0] != 0);
    if ec.current_scheduler().is_none() && !is_ready() {
        let _ = system_call_on(ec, fd, || carat_os::poll(&[(fd, events)], -1))?;
    }
    quick_system_call_on(ec, fd, call)
}

/// As much can be written at least when the system says that something can.
const ROOM_OF_PIPE: usize = 4096;
