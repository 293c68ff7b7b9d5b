//! Waiting: `IO.select`, non-blocking calls and their errors.

use super::{IoRef, check_open, check_readable, to_io};
use crate::control::thread::sleep::interval;
use crate::system::system_call::{quick_system_call, system_call_on};
use carat_os::{Deadline, c, socket};
use carat_vm::{Array, Class, Ec, Keywords, Rest, Result, Str, Unwind, Value, sym};

/// Classes of the errors of non-blocking calls, under IO.
const WAIT_ERRORS: [(&str, &str, &str, i32); 4] = [
    ("EAGAINWaitReadable", "EAGAIN", "WaitReadable", c::EAGAIN),
    ("EAGAINWaitWritable", "EAGAIN", "WaitWritable", c::EAGAIN),
    ("EINPROGRESSWaitReadable", "EINPROGRESS", "WaitReadable", c::EINPROGRESS),
    ("EINPROGRESSWaitWritable", "EINPROGRESS", "WaitWritable", c::EINPROGRESS),
];

pub(super) fn define_wait_errors(ec: &mut Ec) {
    let known = ec.vm().known();
    let set = |ec: &Ec, name: &str, class: Class| known.io.set_constant(ec, ec.vm().intern(name), class.value());
    for name in ["WaitReadable", "WaitWritable"] {
        let module = ec.new_module();
        set(ec, name, module);
    }
    let timeout = ec.new_class(known.io_error);
    set(ec, "TimeoutError", timeout);
    for (name, _, module, number) in WAIT_ERRORS {
        let superclass = crate::object::exception::class_of_number(ec, number);
        let class = ec.new_class(superclass);
        if let Some(module) = known.io.own_constant(ec.vm().intern(module)).and_then(|m| Class::from_value(m.value)) {
            class.include(ec, module);
        }
        set(ec, name, class);
    }
    for (alias, name) in
        [("EWOULDBLOCKWaitReadable", "EAGAINWaitReadable"), ("EWOULDBLOCKWaitWritable", "EAGAINWaitWritable")]
    {
        if let Some(class) = known.io.own_constant(ec.vm().intern(name)).and_then(|m| Class::from_value(m.value)) {
            set(ec, alias, class);
        }
    }
}

pub(super) fn timed_out(ec: &mut Ec) -> Unwind {
    timeout_error(ec, "Blocking operation timed out!")
}

pub(super) fn timeout_error(ec: &mut Ec, message: &str) -> Unwind {
    let class =
        ec.vm().known().io.own_constant(ec.vm().intern("TimeoutError")).and_then(|m| Class::from_value(m.value));
    ec.error(class.unwrap_or(ec.vm().known().io_error), message)
}

pub fn set_nonblock(fd: i32) {
    if let Ok(flags) = carat_os::fcntl(fd, c::F_GETFL, 0)
        && flags & c::O_NONBLOCK == 0
    {
        let _ = carat_os::fcntl(fd, c::F_SETFL, flags | c::O_NONBLOCK);
    }
}

/// Reads what there is at once. A socket needs no mode for that, which others that share it would notice.
pub(super) fn read_at_once(io: &mut super::Io, bytes: &mut [u8]) -> std::io::Result<usize> {
    let fd = io.fd;
    if !io.is_no_socket {
        match socket::receive(fd, bytes, c::MSG_DONTWAIT) {
            Err(error) if error.raw_os_error() == Some(c::ENOTSOCK) => io.is_no_socket = true,
            received => return received.map(|(count, _)| count),
        }
    }
    set_nonblock(fd);
    carat_os::read(fd, bytes)
}

/// Writes what goes at once.
pub(super) fn write_at_once(is_no_socket: &mut bool, fd: i32, bytes: &[u8]) -> std::io::Result<usize> {
    if !*is_no_socket {
        match socket::send(fd, bytes, c::MSG_DONTWAIT, None) {
            Err(error) if error.raw_os_error() == Some(c::ENOTSOCK) => *is_no_socket = true,
            sent => return sent,
        }
    }
    set_nonblock(fd);
    carat_os::write(fd, bytes)
}

/// `exception:` must be true or false.
pub(super) fn check_exception_option(ec: &mut Ec, options: Keywords) -> Result<()> {
    let name = ec.vm().intern("exception");
    options.check(ec, &[name])?;
    match options.get(ec, name) {
        None | Some(Value::TRUE | Value::FALSE) => Ok(()),
        Some(given) => {
            let shown = ec.inspect(given)?.to_text(ec);
            Err(ec.argument_error(&format!("expected true or false as exception: {shown}")))
        }
    }
}

/// The answer of a non-blocking call that would block: a symbol with `exception: false`, or an error.
pub(super) fn would_block(ec: &mut Ec, options: Keywords, is_write: bool) -> Result {
    let (word, what) =
        if is_write { ("wait_writable", "write would block") } else { ("wait_readable", "read would block") };
    let exception = ec.vm().intern("exception");
    if options.get(ec, exception).is_some_and(Value::is_false) {
        return Ok(Value::symbol(ec.vm().intern(word)));
    }
    let name = if is_write { "EAGAINWaitWritable" } else { "EAGAINWaitReadable" };
    let class = ec.vm().known().io.own_constant(ec.vm().intern(name)).map(|c| c.value);
    let class = class.unwrap_or(ec.vm().known().io_error.value());
    let message = Str::from_text(ec, what).value();
    let error = ec.call(class, sym::NEW, &[message])?;
    Err(ec.raise(error))
}

fn list(ec: &mut Ec, value: Option<Value>) -> Result<Option<Array>> {
    match value.filter(|v| !v.is_nil()) {
        Some(v) => match Array::from_value(v) {
            Some(array) => Ok(Some(array)),
            None => Err(ec.wrong_type(v, "Array")),
        },
        None => Ok(None),
    }
}

/// `IO.select(read, write = nil, error = nil, timeout = nil)`
pub(super) fn select(
    ec: &mut Ec,
    _this: Value,
    read: Value,
    write: Option<Value>,
    error: Option<Value>,
    timeout: Option<Value>,
) -> Result {
    let args = [Some(read), write, error, timeout];
    let given = args.iter().take_while(|arg| arg.is_some()).count();
    if let Some(answer) = ec.call_scheduler("io_select", &args.map(|arg| arg.unwrap_or(Value::NIL))[..given])? {
        return Ok(answer);
    }
    let lists = [list(ec, Some(read))?, list(ec, write)?, list(ec, error)?];
    let timeout = match timeout.filter(|t| !t.is_nil()) {
        // Infinity waits as long as nil, here and nowhere else.
        Some(t) if ec.float_of(t) == Some(f64::INFINITY) => None,
        Some(t) => Some(interval(ec, t)?),
        None => None,
    };
    let mut wanted = Vec::new();
    let ready_now = Array::new(ec, 0);
    for (which, events) in [c::POLLIN, c::POLLOUT, c::POLLPRI].into_iter().enumerate() {
        let Some(list) = lists[which] else { continue };
        let mut index = 0;
        while let Some(element) = list.get(ec, index) {
            index += 1;
            let io = to_io(ec, element)?;
            check_open(ec, io)?;
            if which == 0 {
                super::flush(ec, io)?;
                if super::converted::is_ready(ec, io) {
                    ready_now.push(ec, element);
                }
            }
            wanted.push((if which == 1 { io.get(ec).write_fd() } else { io.get(ec).fd }, events));
        }
    }
    let timeout = if ready_now.is_empty(ec) { timeout } else { Some(0.0) };
    let ready = poll_all(ec, &wanted, timeout)?;
    answer(ec, lists, &ready, ready_now)
}

fn poll_all(ec: &mut Ec, wanted: &[(i32, i16)], seconds: Option<f64>) -> Result<Vec<i16>> {
    let deadline = Deadline::after(seconds);
    // Who closes the only one ends the wait.
    let closable = if let [(fd, _)] = wanted { *fd } else { -1 };
    // What is there already needs no change of threads.
    if let Ok(ready) = quick_system_call(ec, || carat_os::poll(wanted, 0))?
        && (seconds == Some(0.0) || ready.iter().any(|r| *r != 0))
    {
        return Ok(ready);
    }
    loop {
        match system_call_on(ec, closable, || carat_os::poll(wanted, deadline.milliseconds()))? {
            Ok(ready) if deadline.has_passed() || ready.iter().any(|r| *r != 0) => return Ok(ready),
            Ok(_) => {}
            Err(e) => return Err(super::errno_bare(ec, &e)),
        }
    }
}

/// Three arrays of what is ready, or nil.
fn answer(ec: &mut Ec, lists: [Option<Array>; 3], ready: &[i16], ready_now: Array) -> Result {
    let result = Array::new(ec, 3);
    let (mut at, mut any) = (0, false);
    for (which, list) in lists.into_iter().enumerate() {
        let found = Array::new(ec, 0);
        for index in 0..list.map_or(0, |l| l.len(ec)) {
            let element = list.map_or(Value::NIL, |l| l.at(ec, index));
            let is_ready =
                ready.get(at).is_some_and(|r| *r != 0) || (which == 0 && ready_now.slice_of(ec).contains(&element));
            at += 1;
            if is_ready {
                any = true;
                found.push(ec, element);
            }
        }
        result.push(ec, found.value());
    }
    Ok(if any { result.value() } else { Value::NIL })
}

/// Waits for events; the answer is those that came, or that nothing (nil), or nothing of what was asked (false), did.
fn wait(ec: &mut Ec, io: IoRef, events: i16, timeout: Value) -> Result {
    if let Some(answer) = super::scheduler::wait(ec, io, events, timeout)? {
        if !answer.truthy() {
            return Ok(Value::NIL);
        }
        let came = ec.to_long(answer)?;
        return Ok(if came & i64::from(events) != 0 { answer } else { Value::FALSE });
    }
    let seconds = match timeout {
        Value::NIL => io.get(ec).timeout,
        limit => Some(interval(ec, limit)?),
    };
    let fd = if events == c::POLLOUT { io.get(ec).write_fd() } else { io.get(ec).fd };
    let ready = poll_all(ec, &[(fd, events)], seconds)?;
    check_open(ec, io)?;
    // An error or an end of the other side is an event of whatever was asked for.
    Ok(match ready[0] {
        0 => Value::NIL,
        came if came & events == 0 => Value::len(events as usize),
        came => Value::len((came & events) as usize),
    })
}

fn wait_for_self(ec: &mut Ec, io: IoRef, events: i16, timeout: Option<Value>) -> Result {
    let came = wait(ec, io, events, timeout.unwrap_or(Value::NIL))?;
    Ok(if came.truthy() { io.value() } else { came })
}

pub(super) fn wait_readable(ec: &mut Ec, io: IoRef, timeout: Option<Value>) -> Result {
    check_readable(ec, io)?;
    if super::converted::is_ready(ec, io) {
        return Ok(Value::TRUE);
    }
    wait_for_self(ec, io, c::POLLIN, timeout)
}

pub(super) fn wait_priority(ec: &mut Ec, io: IoRef, timeout: Option<Value>) -> Result {
    check_readable(ec, io)?;
    if super::converted::is_ready(ec, io) {
        return Ok(Value::TRUE);
    }
    wait_for_self(ec, io, c::POLLPRI, timeout)
}

pub(super) fn wait_writable(ec: &mut Ec, io: IoRef, timeout: Option<Value>) -> Result {
    super::check_writable(ec, io)?;
    wait_for_self(ec, io, c::POLLOUT, timeout)
}

/// `wait(events, timeout)`, which answers events, and the older `wait(timeout = nil, mode = :read)`, which answers the stream.
pub(super) fn wait_events(ec: &mut Ec, io: IoRef, args: Rest) -> Result {
    let has_symbol = args.iter().any(Value::is_symbol);
    if let (2, false, Some(events), Some(timeout)) = (args.len(), has_symbol, args.get(0), args.get(1)) {
        let events = ec.to_long(events)?;
        let Some(events) = i16::try_from(events).ok().filter(|e| *e > 0) else {
            return Err(ec.argument_error("Events must be positive integer!"));
        };
        if events & c::POLLIN != 0 && super::converted::is_ready(ec, io) {
            return Ok(Value::len(c::POLLIN as usize));
        }
        check_open(ec, io)?;
        return wait(ec, io, events, timeout);
    }
    let (events, timeout) = mode_and_timeout(ec, args)?;
    if events & c::POLLIN != 0 && super::converted::is_ready(ec, io) {
        return Ok(Value::TRUE);
    }
    check_open(ec, io)?;
    wait_for_self(ec, io, events, timeout)
}

fn mode_and_timeout(ec: &mut Ec, args: Rest) -> Result<(i16, Option<Value>)> {
    let (mut events, mut timeout) = (0, None);
    for arg in args.iter() {
        if arg.is_symbol() {
            events |= mode_events(ec, arg)?;
        } else if timeout.is_none() {
            if !arg.is_nil() {
                interval(ec, arg)?;
            }
            timeout = Some(arg);
        } else {
            return Err(ec.argument_error("timeout given more than once"));
        }
    }
    Ok((if events == 0 { c::POLLIN } else { events }, timeout))
}

fn mode_events(ec: &mut Ec, mode: Value) -> Result<i16> {
    let name = ec.to_s(mode)?.to_text(ec);
    match name.as_str() {
        "r" | "read" | "readable" => Ok(c::POLLIN),
        "w" | "write" | "writable" => Ok(c::POLLOUT),
        "rw" | "read_write" | "readable_writable" => Ok(c::POLLIN | c::POLLOUT),
        _ => Err(ec.argument_error(&format!("unsupported mode: {name}"))),
    }
}
