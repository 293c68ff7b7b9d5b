//! Threads, fibers, mutexes, and C code that runs beside Ruby code.

use crate::block::{proc_of, proc_of_plain};
use crate::boundary::{CValue, Function, Id, Room, call_c, constant, current, is_in_c, jump, kernel_call, values};
use carat_os::Deadline;
use carat_vm::call::Passing;
use carat_vm::{Ec, Result, Value, sym};
use std::ffi::{c_int, c_void};

const INTERRUPTS_FAIL: c_int = 1;
const PENDING_INTERRUPTS_FAIL: c_int = 8;

/// A function of one word that knows nothing of Ruby.
type Plain = unsafe extern "C" fn(*mut c_void) -> *mut c_void;

fn plain(function: Function) -> Plain {
    // SAFETY: C code passes such a function where the header asks for one.
    unsafe { std::mem::transmute::<*const c_void, Plain>(function.0) }
}

/// Runs a function while other threads take their turns. What came for the thread is served before and after it, or makes
/// the function fail with null.
fn beside(
    ec: &mut Ec,
    function: Function,
    data: *mut c_void,
    unblock: (Function, *mut c_void),
    flags: c_int,
) -> Result<*mut c_void> {
    if flags & (INTERRUPTS_FAIL | PENDING_INTERRUPTS_FAIL) == 0 {
        ec.check_ints()?;
    } else if flags & PENDING_INTERRUPTS_FAIL != 0 && ec.has_pending_interrupt() {
        return Ok(std::ptr::null_mut());
    }
    // Without a function, or with RUBY_UBF_IO, a signal interrupts the system call that C code is in.
    let address = unblock.0.0.expose_provenance();
    let unblock = (address != 0 && address != usize::MAX).then(|| (address, unblock.1.expose_provenance()));
    let function = plain(function);
    let answer = loop {
        // SAFETY: the function touches no Ruby object, as C code promises.
        match ec.run_beside(unblock, || unsafe { function(data) }) {
            Some(answer) => break answer,
            None if flags & INTERRUPTS_FAIL != 0 => return Ok(std::ptr::null_mut()),
            None => ec.check_interrupts_blocking()?,
        }
    };
    if flags & INTERRUPTS_FAIL == 0 {
        ec.check_ints()?;
    }
    Ok(answer)
}

fn thread_call(ec: &mut Ec, name: &str) -> Result {
    let thread = ec.vm().known().thread.value();
    ec.call(thread, ec.vm().intern(name), &[])
}

fn fiber_call(ec: &mut Ec, fiber: Value, name: &str, args: &[Value], keywords: c_int) -> Result {
    crate::method::call_passing(ec, fiber, ec.vm().intern(name), args, None, keywords)
}

fn sleep(ec: &mut Ec, seconds: f64) -> Result<()> {
    let seconds = ec.float(seconds);
    kernel_call(ec, name!(ec, "sleep"), &[seconds]).map(drop)
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Interval {
    seconds: i64,
    microseconds: i64,
}

impl crate::boundary::FromC for Interval {
    type C = Interval;
    fn from_c(c: Interval) -> Interval {
        c
    }
}

/// Waits until a descriptor is ready; the events that are, or -1.
fn wait_for_fd(ec: &mut Ec, fd: c_int, events: c_int, timeout: Option<i64>) -> Result<c_int> {
    let mut wanted = 0i16;
    for (bit, flag) in [(1, libc::POLLIN), (2, libc::POLLPRI), (4, libc::POLLOUT)] {
        if events & bit != 0 {
            wanted |= flag;
        }
    }
    let mut entry = libc::pollfd { fd, events: wanted, revents: 0 };
    let deadline = Deadline::after(timeout.map(|ms| ms as f64 / 1000.0));
    loop {
        ec.check_ints()?;
        // SAFETY: one entry, which lives until the call returns.
        let done = ec.blocking(fd, || match unsafe { libc::poll(&raw mut entry, 1, deadline.milliseconds()) } {
            -1 => Err(std::io::Error::last_os_error()),
            count => Ok(count),
        });
        match done {
            Ok(0) if deadline.has_passed() => return Ok(0),
            Ok(0) => {}
            Ok(_) if entry.revents & libc::POLLNVAL != 0 => {
                // SAFETY: the thread's own errno.
                unsafe { *libc::__errno_location() = libc::EBADF };
                return Ok(-1);
            }
            Ok(_) => {
                let is = |flags: i16| entry.revents & (flags | libc::POLLHUP | libc::POLLERR) != 0;
                let ready = [(1, libc::POLLIN), (2, libc::POLLPRI), (4, libc::POLLOUT)];
                return Ok(ready.iter().filter(|(bit, flag)| events & bit != 0 && is(*flag)).map(|(bit, _)| bit).sum());
            }
            Err(error) if error.raw_os_error() == Some(libc::EINTR) => {}
            Err(_) => return Ok(-1),
        }
    }
}

pub(crate) fn wait_fd(ec: &mut Ec, fd: c_int, events: c_int, timeout_ms: Option<i64>) -> Result<c_int> {
    wait_for_fd(ec, fd, events, timeout_ms)
}

api! {
    fn rb_nogvl(ec, function: Function, data: *mut c_void, unblock: Function, word: *mut c_void, flags: c_int) -> Result<*mut c_void> {
        beside(ec, function, data, (unblock, word), flags)
    }

    fn rb_thread_call_without_gvl(
        ec, function: Function, data: *mut c_void, unblock: Function, word: *mut c_void,
    ) -> Result<*mut c_void> {
        beside(ec, function, data, (unblock, word), 0)
    }

    fn rb_thread_call_without_gvl2(
        ec, function: Function, data: *mut c_void, unblock: Function, word: *mut c_void,
    ) -> Result<*mut c_void> {
        beside(ec, function, data, (unblock, word), INTERRUPTS_FAIL)
    }

    fn rb_thread_check_ints(ec) -> Result<()> {
        ec.check_interrupts_blocking()
    }

    fn rb_thread_interrupted(ec, _thread: Value) -> bool {
        ec.has_pending_interrupt()
    }

    fn rb_thread_create(ec, function: Function, data: u64) -> Result {
        let block = proc_of_plain(ec, function, data);
        let thread = ec.vm().known().thread.value();
        ec.call_with(thread, sym::NEW, &[], Passing { keywords: None, block: Some(block) })
    }

    fn rb_thread_current(ec) -> Value {
        ec.current_thread()
    }

    fn rb_thread_main(ec) -> Value {
        ec.main_thread()
    }

    fn rb_thread_alone(ec) -> Value {
        Value::bool(ec.is_only_thread())
    }

    fn rb_thread_local_aref(ec, thread: Value, name: Id) -> Result {
        ec.call(thread, sym::AREF, &[Value::symbol(name.0)])
    }

    fn rb_thread_local_aset(ec, thread: Value, name: Id, value: Value) -> Result {
        ec.call(thread, sym::ASET, &[Value::symbol(name.0), value])
    }

    fn rb_thread_schedule(ec) -> Result<()> {
        ec.pass_turn()
    }

    fn rb_thread_stop(ec) -> Result {
        thread_call(ec, "stop")
    }

    fn rb_thread_sleep(ec, seconds: c_int) -> Result<()> {
        sleep(ec, seconds.into())
    }

    fn rb_thread_sleep_forever(ec) -> Result<()> {
        kernel_call(ec, name!(ec, "sleep"), &[]).map(drop)
    }

    fn rb_thread_sleep_deadly(ec) -> Result<()> {
        kernel_call(ec, name!(ec, "sleep"), &[]).map(drop)
    }

    fn rb_thread_wait_for(ec, time: Interval) -> Result<()> {
        sleep(ec, time.seconds as f64 + time.microseconds as f64 / 1e6)
    }

    fn rb_thread_wait_fd(ec, fd: c_int) -> Result<()> {
        wait_for_fd(ec, fd, 1, None).map(drop)
    }

    fn rb_thread_fd_writable(ec, fd: c_int) -> Result<c_int> {
        wait_for_fd(ec, fd, 4, None)?;
        Ok(1)
    }

    fn rb_thread_fd_close(_ec, _fd: c_int) {}

    fn rb_thread_atfork(_ec) {}

    fn rb_wait_for_single_fd(ec, fd: c_int, events: c_int, timeout: *const Interval) -> Result<c_int> {
        let timeout = (!timeout.is_null()).then(|| crate::boundary::fetch(timeout));
        wait_for_fd(ec, fd, events, timeout.map(|t| t.seconds * 1000 + t.microseconds / 1000))
    }

    fn rb_thread_wait_for_single_fd(ec, _thread: Value, fd: c_int, events: c_int, timeout: *const Interval) -> Result<c_int> {
        let timeout = (!timeout.is_null()).then(|| crate::boundary::fetch(timeout));
        wait_for_fd(ec, fd, events, timeout.map(|t| t.seconds * 1000 + t.microseconds / 1000))
    }

    // ---- mutexes ----

    fn rb_mutex_new(ec) -> Result {
        let class = constant(ec, "Thread::Mutex")?;
        ec.call(class, sym::NEW, &[])
    }

    fn rb_mutex_synchronize(ec, mutex: Value, function: Function, data: u64) -> Result {
        let block = proc_of_plain(ec, function, data);
        ec.call_with(mutex, name!(ec, "synchronize"), &[], Passing { keywords: None, block: Some(block) })
    }

    fn rb_mutex_sleep(ec, mutex: Value, timeout: Value) -> Result {
        ec.call(mutex, name!(ec, "sleep"), &[timeout])
    }

    // ---- fibers ----

    fn rb_fiber_new(ec, function: Function, data: u64) -> Result {
        let (block, class) = (proc_of(ec, function, data), ec.vm().known().fiber.value());
        ec.call_with(class, sym::NEW, &[], Passing { keywords: None, block: Some(block) })
    }

    fn rb_fiber_new_storage(ec, function: Function, data: u64, _storage: Value) -> Result {
        let (block, class) = (proc_of(ec, function, data), ec.vm().known().fiber.value());
        ec.call_with(class, sym::NEW, &[], Passing { keywords: None, block: Some(block) })
    }

    fn rb_fiber_resume(ec, fiber: Value, count: c_int, list: *const CValue) -> Result {
        fiber_call(ec, fiber, "resume", values(count.into(), list, &mut Room::new()), 0)
    }

    fn rb_fiber_resume_kw(ec, fiber: Value, count: c_int, list: *const CValue, keywords: c_int) -> Result {
        fiber_call(ec, fiber, "resume", values(count.into(), list, &mut Room::new()), keywords)
    }

    fn rb_fiber_transfer(ec, fiber: Value, count: c_int, list: *const CValue) -> Result {
        fiber_call(ec, fiber, "transfer", values(count.into(), list, &mut Room::new()), 0)
    }

    fn rb_fiber_transfer_kw(ec, fiber: Value, count: c_int, list: *const CValue, keywords: c_int) -> Result {
        fiber_call(ec, fiber, "transfer", values(count.into(), list, &mut Room::new()), keywords)
    }

    fn rb_fiber_yield_kw(ec, count: c_int, list: *const CValue, keywords: c_int) -> Result {
        let class = ec.vm().known().fiber.value();
        fiber_call(ec, class, "yield", values(count.into(), list, &mut Room::new()), keywords)
    }

    fn rb_fiber_raise(ec, fiber: Value, count: c_int, list: *const CValue) -> Result {
        fiber_call(ec, fiber, "raise", values(count.into(), list, &mut Room::new()), 0)
    }

    fn rb_fiber_yield(ec, count: c_int, list: *const CValue) -> Result {
        let class = ec.vm().known().fiber.value();
        fiber_call(ec, class, "yield", values(count.into(), list, &mut Room::new()), 0)
    }

    fn rb_fiber_current(ec) -> Result {
        let class = ec.vm().known().fiber.value();
        ec.call(class, name!(ec, "current"), &[])
    }
}

calls! {
    rb_thread_wakeup(thread) => "wakeup";
    rb_thread_wakeup_alive(thread) => "wakeup";
    rb_thread_run(thread) => "run";
    rb_thread_kill(thread) => "kill";
    rb_mutex_lock(mutex) => "lock";
    rb_mutex_unlock(mutex) => "unlock";
    rb_mutex_trylock(mutex) => "try_lock";
    rb_mutex_locked_p(mutex) => "locked?";
    rb_fiber_alive_p(fiber) => "alive?";
}

/// Inside a function that runs beside Ruby code: runs another one with the turn.
#[unsafe(no_mangle)]
extern "C" fn rb_thread_call_with_gvl(function: Function, data: *mut c_void) -> *mut c_void {
    let ec = current();
    let result = ec.with_turn(|ec| call_c(ec, function, &[data.expose_provenance() as u64]));
    match result {
        Ok(word) => std::ptr::with_exposed_provenance_mut(word as usize),
        Err(_) => jump(ec),
    }
}

#[unsafe(no_mangle)]
extern "C" fn ruby_native_thread_p() -> c_int {
    is_in_c().into()
}

#[unsafe(no_mangle)]
extern "C" fn ruby_thread_has_gvl_p() -> c_int {
    c_int::from(is_in_c() && current().has_turn())
}
