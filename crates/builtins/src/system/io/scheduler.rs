//! What a fiber scheduler is asked about streams, in place of putting its thread to sleep.
//!
//! `io_read`, `io_write`, `io_pread` and `io_pwrite` get the bytes as a locked `IO::Buffer` and answer how many went through, or
//! a negative error number. A scheduler that lacks them is asked to `io_wait` where the system would block.
//!
//! # Closing
//! A stream knows the fibers that are inside such a hook. Whoever closes it has the scheduler raise an error in them
//! (`fiber_interrupt`), and waits until they have left.

use super::{IoRef, errno_bare};
use crate::system::io_buffer;
use carat_os::c;
use carat_vm::fiber::Fiber;
use carat_vm::thread::WaitList;
use carat_vm::{Array, Data, Ec, Result, SymbolId, Value};
use std::io;

/// Who is inside a hook for a stream, and who waits for them to leave.
#[derive(Default)]
pub(crate) struct Visitors {
    inside: WaitList,
    closers: WaitList,
}

impl Visitors {
    pub(super) fn mark(&self, mark: &mut dyn FnMut(Value)) {
        self.inside.mark(mark);
        self.closers.mark(mark);
    }
}

/// Calls a hook, with the running fiber noted as one that waits for the stream.
fn call_inside(ec: &mut Ec, scheduler: Value, io: IoRef, hook: SymbolId, args: &[Value]) -> Result {
    let interrupt = ec.vm().intern("fiber_interrupt");
    if !ec.respond_to(scheduler, interrupt, false)? {
        return ec.call(scheduler, hook, args);
    }
    let fiber = ec.current_fiber().value();
    io.get_mut(ec).visitors.inside.add(fiber);
    ec.wrote(io.value());
    let result = ec.call(scheduler, hook, args);
    let pending = ec.pending();
    io.get_mut(ec).visitors.inside.remove_last(fiber);
    while let Some(closer) = io.get_mut(ec).visitors.closers.pop() {
        ec.wake(io.value(), closer)?;
    }
    result.map_err(|_| ec.unwind(pending))
}

/// As [`call_inside`], of a hook that a scheduler need not have.
fn call_optional(ec: &mut Ec, io: IoRef, hook: &str, args: &[Value]) -> Result<Option<Value>> {
    let Some(scheduler) = ec.current_scheduler() else { return Ok(None) };
    let hook = ec.vm().intern(hook);
    if !ec.respond_to(scheduler, hook, false)? {
        return Ok(None);
    }
    call_inside(ec, scheduler, io, hook, args).map(Some)
}

// ---- waiting ----

/// Asks the scheduler to wait: the events that came, nil or false; `None` if nobody is to be asked.
pub(super) fn wait(ec: &mut Ec, io: IoRef, events: i16, timeout: Value) -> Result<Option<Value>> {
    let Some(scheduler) = ec.current_scheduler() else { return Ok(None) };
    let hook = ec.vm().intern("io_wait");
    call_inside(ec, scheduler, io, hook, &[io.value(), Value::len(events as usize), timeout]).map(Some)
}

/// Waits until the system would not block any more, for as long as the stream allows.
pub(super) fn wait_until_ready(ec: &mut Ec, io: IoRef, events: i16) -> Result<()> {
    let timeout = io.get(ec).timeout;
    let limit = timeout.map_or(Value::NIL, |seconds| ec.float(seconds));
    match wait(ec, io, events, limit)? {
        Some(answer) if answer.truthy() => super::check_open(ec, io),
        Some(answer) if timeout.is_some() || answer.is_false() => {
            let what = if events == c::POLLOUT { "writable" } else { "readable" };
            Err(super::select::timeout_error(ec, &format!("Timed out waiting for IO to become {what}!")))
        }
        Some(_) => Err(errno_bare(ec, &io::Error::from_raw_os_error(c::EAGAIN))),
        None => {
            let fd = if events == c::POLLOUT { io.get(ec).write_fd() } else { io.get(ec).fd };
            if super::wait_for(ec, fd, events, timeout)? { Ok(()) } else { Err(super::select::timed_out(ec)) }
        }
    }
}

/// Waits for a descriptor that the library knows without its stream.
pub(super) fn wait_for_descriptor(ec: &mut Ec, fd: i32, events: i16, seconds: Option<f64>) -> Result<Option<bool>> {
    if ec.current_scheduler().is_none() {
        return Ok(None);
    }
    let class = ec.vm().known().io;
    let (for_fd, autoclose) = (ec.vm().intern("for_fd"), ec.vm().intern("autoclose="));
    let io = ec.call(class.value(), for_fd, &[Value::len(usize::try_from(fd).unwrap_or(0))])?;
    ec.call(io, autoclose, &[Value::FALSE])?;
    let Some(io) = IoRef::from_value(io) else { return Ok(None) };
    let limit = seconds.map_or(Value::NIL, |seconds| ec.float(seconds));
    Ok(wait(ec, io, events, limit)?.map(Value::truthy))
}

/// Before a system call of a fiber with a scheduler: the call must not block the thread. What is shared with the program's
/// parent stays as it is, so it is waited for instead.
pub(super) fn prepare(ec: &mut Ec, io: IoRef, fd: i32, events: i16) -> Result<()> {
    if fd > 2 {
        let is_file = carat_os::fstat(fd).is_ok_and(|stat| stat.mode & c::S_IFMT == c::S_IFREG);
        if !is_file {
            super::set_nonblock(fd);
        }
        return Ok(());
    }
    while matches!(carat_os::poll(&[(fd, events)], 0), Ok(ready) if ready[0] == 0) {
        wait_until_ready(ec, io, events)?;
    }
    Ok(())
}

// ---- reading and writing ----

/// What a hook answered: a count, or a negative error number.
fn outcome(ec: &mut Ec, answer: Value, limit: usize) -> Result<io::Result<usize>> {
    let number = ec.to_long(answer)?;
    Ok(match usize::try_from(number) {
        Ok(count) => Ok(count.min(limit)),
        Err(_) => Err(io::Error::from_raw_os_error(i32::try_from(-number).unwrap_or(c::EINVAL))),
    })
}

fn int(ec: &Ec, number: i64) -> Value {
    ec.int(number)
}

/// `io_read` or, from a place in a file, `io_pread`; `None` if there is no such hook.
pub(super) fn read(ec: &mut Ec, io: IoRef, into: &mut [u8], from: Option<i64>) -> Result<Option<io::Result<usize>>> {
    if ec.current_scheduler().is_none() {
        return Ok(None);
    }
    let buffer = io_buffer::lend(ec, vec![0; into.len()], false)?;
    let answer = call_transfer(ec, io, buffer, ["io_read", "io_pread"], from);
    let bytes = io_buffer::take_back(ec, buffer);
    let Some(answer) = answer? else { return Ok(None) };
    let result = outcome(ec, answer, bytes.len().min(into.len()))?;
    if let Ok(count) = result {
        into[..count].copy_from_slice(&bytes[..count]);
    }
    Ok(Some(result))
}

/// `io_write` or `io_pwrite`.
pub(super) fn write(ec: &mut Ec, io: IoRef, bytes: &[u8], to: Option<i64>) -> Result<Option<io::Result<usize>>> {
    if ec.current_scheduler().is_none() {
        return Ok(None);
    }
    let buffer = io_buffer::lend(ec, bytes.to_vec(), true)?;
    let answer = call_transfer(ec, io, buffer, ["io_write", "io_pwrite"], to);
    io_buffer::take_back(ec, buffer);
    match answer? {
        Some(answer) => outcome(ec, answer, bytes.len()).map(Some),
        None => Ok(None),
    }
}

/// The hook of the two that takes a place if there is one. The length of 0 asks for what one system call gives.
fn call_transfer(
    ec: &mut Ec,
    io: IoRef,
    buffer: Value,
    [plain, placed]: [&str; 2],
    place: Option<i64>,
) -> Result<Option<Value>> {
    let zero = Value::len(0);
    match place {
        None => call_optional(ec, io, plain, &[io.value(), buffer, zero, zero]),
        Some(place) => {
            let place = int(ec, place);
            call_optional(ec, io, placed, &[io.value(), buffer, place, zero, zero])
        }
    }
}

/// As `IO::Buffer#read` and its kin ask: what the hook answers is their answer.
pub(crate) fn transfer_buffer(ec: &mut Ec, hook: &str, io: Value, args: &[Value]) -> Result<Option<Value>> {
    let Some(stream) = IoRef::from_value(io) else { return Ok(None) };
    call_optional(ec, stream, hook, args)
}

// ---- closing ----

/// Ends what other fibers do with a stream that is being closed: they find an IOError.
pub(super) fn expel(ec: &mut Ec, io: IoRef) -> Result<()> {
    if io.get(ec).visitors.inside.is_empty() {
        return Ok(());
    }
    let me = ec.current_fiber().value();
    let error = ec.new_exception(ec.vm().known().io_error, "stream closed in another thread");
    let fibers = Array::new(ec, 0);
    io.get(ec).visitors.inside.iter().filter(|f| *f != me).for_each(|f| fibers.push(ec, f));
    for index in 0..fibers.len(ec) {
        if let Some(fiber) = Data::<Fiber>::from_value(fibers.at(ec, index)) {
            fiber.interrupt_scheduled(ec, error)?;
        }
    }
    // Without a scheduler nobody would run the fibers of this thread meanwhile.
    while io.get(ec).visitors.inside.iter().any(|f| f != me && must_wait_for(ec, f)) {
        ec.wait_in(|ec| &mut io.get_mut(ec).visitors.closers, io.value(), None)?;
    }
    Ok(())
}

fn must_wait_for(ec: &Ec, fiber: Value) -> bool {
    Data::<Fiber>::from_value(fiber).is_some_and(|f| f.get(ec).is_alive() && f.can_be_waited_for(ec))
}

/// Whether the scheduler closed the descriptor itself.
pub(super) fn close(ec: &mut Ec, fd: i32) -> Result<bool> {
    let answer = ec.call_scheduler("io_close", &[int(ec, i64::from(fd))])?;
    Ok(answer.is_some_and(Value::truthy))
}
