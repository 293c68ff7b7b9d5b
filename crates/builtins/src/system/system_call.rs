//! System calls that may block, and what interrupts them.

use carat_os::c;
use carat_vm::thread::ThreadStatus;
use carat_vm::{Ec, Result, interrupt};
use std::io;

/// Runs a blocking system call without the turn; interrupts are served before it and when they interrupt it.
pub fn system_call<R>(ec: &mut Ec, call: impl FnMut() -> io::Result<R>) -> Result<io::Result<R>> {
    system_call_on(ec, -1, call)
}

/// As [`system_call`], for what takes no time as a rule: the thread counts as running.
pub(crate) fn short_system_call<R>(ec: &mut Ec, mut call: impl FnMut() -> io::Result<R>) -> Result<io::Result<R>> {
    ec.check_interrupts_blocking()?;
    loop {
        match ec.blocking_as(ThreadStatus::Running, -1, &mut call) {
            Err(e) if e.raw_os_error() == Some(c::EINTR) => check_interrupts(ec)?,
            result => return Ok(result),
        }
    }
}

/// As [`system_call`], for what does not wait: no other thread runs meanwhile unless it takes long after all.
pub fn quick_system_call<R>(ec: &mut Ec, call: impl FnMut() -> io::Result<R>) -> Result<io::Result<R>> {
    quick_system_call_on(ec, -1, call)
}

/// The same for one that concerns a descriptor: closing it ends the call if it takes long after all.
pub(crate) fn quick_system_call_on<R>(
    ec: &mut Ec,
    fd: i32,
    mut call: impl FnMut() -> io::Result<R>,
) -> Result<io::Result<R>> {
    call_on(ec, fd, &mut |ec| ec.hardly_blocking(fd, &mut call))
}

/// As [`system_call`], for one that waits for a descriptor: closing it ends the call.
pub fn system_call_on<R>(ec: &mut Ec, fd: i32, mut call: impl FnMut() -> io::Result<R>) -> Result<io::Result<R>> {
    call_on(ec, fd, &mut |ec| ec.blocking(fd, &mut call))
}

/// Runs a call that opens descriptors. When none is left, the streams and folders that nothing refers to give theirs back, and the
/// call is made once more. May collect.
pub fn opening<R>(ec: &mut Ec, mut call: impl FnMut() -> io::Result<R>) -> io::Result<R> {
    let result = call();
    if result.as_ref().is_err_and(lacks_descriptors) {
        ec.collect_garbage(true);
        return call();
    }
    result
}

/// The process has as many descriptors as it may, or the system has.
pub(crate) fn lacks_descriptors(error: &io::Error) -> bool {
    [c::EMFILE, c::ENFILE].map(Some).contains(&error.raw_os_error())
}

fn call_on<R>(ec: &mut Ec, fd: i32, call: &mut dyn FnMut(&mut Ec) -> io::Result<R>) -> Result<io::Result<R>> {
    ec.check_interrupts_blocking()?;
    let mut has_collected = false;
    loop {
        match call(ec) {
            Err(e) if e.raw_os_error() == Some(c::EINTR) => check_interrupts(ec)?,
            Err(e) if lacks_descriptors(&e) && !std::mem::replace(&mut has_collected, true) => ec.collect_garbage(true),
            result => {
                // Whoever closes the stream may come when the call has ended, before the thread has its turn: the error is this
                // call's, and nobody else's.
                if fd >= 0 && ec.has_pending_interrupt() {
                    check_interrupts(ec)?;
                }
                return Ok(result);
            }
        }
    }
}

/// Before a blocking system call, and after an interrupted one: signal handlers run, what came for the thread is delivered.
fn check_interrupts(ec: &mut Ec) -> Result<()> {
    ec.run_interrupt_hook(interrupt::SIGNAL)?;
    ec.check_interrupts_blocking()
}
