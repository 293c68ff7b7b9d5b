//! `Process`, `Signal`, the methods of `Kernel` that start and end processes, and the environment.
//!
//! # Code map
//! `spawn` reads commands and options, `status` is `$?`, `signal` is `trap`, `limits` resource limits. What yields, `ENV` and
//! `IO.popen` are in `core/process.rb` and `core/env.rb`.

mod environment;
mod limits;
mod signal;
mod spawn;
mod status;

pub(crate) use signal::{call_handler, run_pending, take_exit_handler};

use crate::object::kernel::ExitStatus;
use crate::system::errno::{errno, errno_bare};
use carat_os::{c, process as os};
use carat_vm::leaf::{Leaf, LeafOf, LeafRow};
use carat_vm::{Array, Block, Ec, EncodingIndex, Rest, Result, Str, Value, methods, primitives, sym};
pub(crate) use status::{parts as status_parts, set_parts as set_status_parts};
use std::sync::atomic::{AtomicI64, Ordering};

/// What polls leave to the core classes: finalizers, then signal handlers.
fn interrupted(ec: &mut Ec, asked: u32) -> Result<()> {
    if asked & carat_vm::interrupt::FINALIZE != 0 {
        crate::object::finalizers::run_ready(ec)?;
    }
    run_pending(ec)
}

// ---- waiting ----

/// The status that a scheduler answers for a child; `None` if no scheduler is asked, nil if no child had changed.
fn wait_by_scheduler(ec: &mut Ec, pid: i32, flags: i32) -> Result<Option<Value>> {
    if flags & c::WNOHANG != 0 {
        return Ok(None);
    }
    let args = [ec.int(i64::from(pid)), ec.int(i64::from(flags))];
    ec.call_scheduler("process_wait", &args)
}

/// Waits and sets `$?`; the child's id, or `None` if none had changed.
fn wait_pid(ec: &mut Ec, pid: i32, flags: i32) -> Result<Option<i32>> {
    if let Some(status) = wait_by_scheduler(ec, pid, flags)? {
        if status.is_nil() {
            return Ok(None);
        }
        let Some(pid) = status::pid_of(ec, status) else { return Err(ec.wrong_type(status, "Process::Status")) };
        if pid == -1 {
            return Err(errno_bare(ec, &std::io::Error::from_raw_os_error(c::ECHILD)));
        }
        status::set_last(ec, status);
        return Ok(Some(pid));
    }
    match crate::system::system_call::system_call(ec, || os::wait(pid, flags))? {
        Ok((0, _)) => Ok(None),
        Ok((pid, raw)) => {
            let status = status::new(ec, pid, raw);
            status::set_last(ec, status);
            Ok(Some(pid))
        }
        Err(e) => Err(errno_bare(ec, &e)),
    }
}

/// Waits for a child of ours, which may have been waited for already.
pub(crate) fn wait_for_child(ec: &mut Ec, pid: i32) -> Result<()> {
    if let Some(status) = wait_by_scheduler(ec, pid, 0)? {
        status::set_last(ec, status);
        return Ok(());
    }
    if let Ok((pid, raw)) = crate::system::system_call::system_call(ec, || os::wait(pid, 0))? {
        let status = status::new(ec, pid, raw);
        status::set_last(ec, status);
    }
    Ok(())
}

/// The same for a child that may still run: then nobody waits for it.
pub(crate) fn reap_child(ec: &mut Ec, pid: i32) {
    if let Ok((reaped, raw)) = os::wait(pid, c::WNOHANG)
        && reaped == pid
    {
        let status = status::new(ec, pid, raw);
        status::set_last(ec, status);
    }
}

/// `Primitive.process_status_wait(pid, flags)`: a status, one without process if there is no child.
fn status_wait(ec: &mut Ec, pid: i64, flags: i64) -> Result {
    if let Some(status) = wait_by_scheduler(ec, pid as i32, flags as i32)? {
        return Ok(status);
    }
    match crate::system::system_call::system_call(ec, || os::wait(pid as i32, flags as i32))? {
        Ok((0, _)) => Ok(Value::NIL),
        Ok((pid, raw)) => Ok(status::new(ec, pid, raw)),
        Err(e) if e.raw_os_error() == Some(c::ECHILD) => Ok(status::new(ec, -1, 0)),
        Err(e) => Err(errno_bare(ec, &e)),
    }
}

fn wait(ec: &mut Ec, _this: Value, pid: Option<i64>, flags: Option<Value>) -> Result<Option<i64>> {
    let flags = match flags.filter(|f| !f.is_nil()) {
        Some(f) => ec.to_long(f)? as i32,
        None => 0,
    };
    Ok(wait_pid(ec, pid.unwrap_or(-1) as i32, flags)?.map(i64::from))
}

fn wait2(ec: &mut Ec, this: Value, pid: Option<i64>, flags: Option<Value>) -> Result {
    let Some(pid) = wait(ec, this, pid, flags)? else { return Ok(Value::NIL) };
    let status = status::last(ec, this);
    Ok(Array::pair(ec, ec.int(pid), status).value())
}

fn waitall(ec: &mut Ec, this: Value) -> Result<Array> {
    let all = Array::new(ec, 0);
    loop {
        match crate::system::system_call::system_call(ec, || os::wait(-1, 0))? {
            Ok((pid, raw)) => {
                let status = status::new(ec, pid, raw);
                status::set_last(ec, status);
                let last = status::last(ec, this);
                let pair = Array::pair(ec, ec.int(i64::from(pid)), last);
                all.push(ec, pair.value());
            }
            Err(_) => return Ok(all),
        }
    }
}

// ---- starting and ending ----

/// `Primitive.process_fork`: 0 in the child.
fn fork(ec: &mut Ec) -> Result<i64> {
    crate::system::io::flush_standard(ec)?;
    match ec.fork()? {
        Ok(0) => {
            crate::number::random::forget_default(ec);
            Ok(0)
        }
        Ok(pid) => Ok(i64::from(pid)),
        Err(e) => Err(errno(ec, &e, b"fork(2)")),
    }
}

/// `fork`: the child's id. The child runs the block and ends, whatever leaves the block, or goes on with nil.
fn fork_with_block(ec: &mut Ec, _this: Value, block: Option<Block>) -> Result {
    let (process, name) = (ec.vm().known().process.value(), ec.vm().intern("_fork"));
    let pid = ec.call(process, name, &[])?;
    let pid = ec.to_long(pid)?;
    if pid != 0 {
        return Ok(ec.int(pid));
    }
    let Some(block) = block else { return Ok(Value::NIL) };
    let result = ec.yield_block(block, &[]);
    if result.is_err()
        && let Some(jump) = ec.pending_jump()
    {
        let exit = crate::object::kernel::end_by_jump(ec, jump);
        end_program(ec, Err(exit));
    }
    end_program(ec, result)
}

/// Ends the process as a program ends, with all that has to be done and said.
pub(crate) fn end_program(ec: &mut Ec, result: Result) -> ! {
    let code = match crate::object::kernel::finish(ec, result) {
        ExitStatus::Code(code) => code,
        ExitStatus::Signal(number) => {
            carat_os::signal::die_by(number);
            128 + number
        }
    };
    os::exit_now(code)
}

fn spawn_process(ec: &mut Ec, _this: Value, args: Rest) -> Result<i64> {
    let request = spawn::request(ec, args)?;
    spawned(ec, &request)
}

/// As `spawn`, at a terminal of the program's own.
pub(super) fn spawn_at(ec: &mut Ec, terminal: std::ffi::CString, args: Rest) -> Result<i64> {
    let mut request = spawn::request(ec, args)?;
    request.program.terminal = Some(terminal);
    spawned(ec, &request)
}

fn spawned(ec: &mut Ec, request: &spawn::Request) -> Result<i64> {
    match spawn::start(ec, request)? {
        Ok(pid) => Ok(i64::from(pid)),
        Err(e) => {
            let status = status::new(ec, 0, 127 << 8);
            status::set_last(ec, status);
            Err(spawn::failure(ec, &e, request))
        }
    }
}

fn system(ec: &mut Ec, this: Value, args: Rest) -> Result {
    let request = spawn::request(ec, args)?;
    let pid = match spawn::start(ec, &request)? {
        Ok(pid) => pid,
        Err(e) if request.raises => return Err(spawn::failure(ec, &e, &request)),
        Err(_) => {
            let status = status::new(ec, 0, 127 << 8);
            status::set_last(ec, status);
            return Ok(Value::NIL);
        }
    };
    wait_pid(ec, pid, 0)?;
    let last = status::last(ec, this);
    let success = ec.vm().intern("success?");
    let is_success = ec.call(last, success, &[])?.truthy();
    if !is_success && request.raises {
        let shown = ec.to_s(last)?.to_text(ec);
        let shown = shown
            .split_once(' ')
            .and_then(|(_, rest)| rest.split_once(' '))
            .map_or(String::new(), |(_, rest)| rest.to_owned());
        let name = String::from_utf8_lossy(&request.name).into_owned();
        return Err(ec.runtime_error(&format!("Command failed with {shown}: {name}")));
    }
    Ok(Value::bool(is_success))
}

fn exec(ec: &mut Ec, _this: Value, args: Rest) -> Result {
    let request = spawn::request(ec, args)?;
    crate::system::io::flush_standard(ec)?;
    crate::object::kernel::do_last(ec);
    let error = request.program.exec();
    Err(spawn::failure(ec, &error, &request))
}

/// `` `command` ``
fn backtick(ec: &mut Ec, _this: Value, command: Str) -> Result<Str> {
    let (io, name) = (ec.vm().known().io.value(), ec.vm().intern("popen"));
    let stream = ec.call(io, name, &[command.value()])?;
    let text = ec.call(stream, sym::READ, &[])?;
    ec.call(stream, sym::CLOSE, &[])?;
    ec.to_str(text)
}

/// Ends the process at once: nothing is flushed, no handler runs.
fn exit_now(ec: &mut Ec, _this: Value, status: Option<Value>) -> Result {
    let status = match status {
        None | Some(Value::FALSE) => i32::from(status.is_some()),
        Some(Value::TRUE) => 0,
        Some(v) => ec.to_long(v)? as i32,
    };
    crate::object::kernel::do_last(ec);
    os::exit_now(status)
}

fn kill(ec: &mut Ec, _this: Value, signal: Value, pids: Rest) -> Result<usize> {
    if pids.is_empty() {
        return Err(ec.arity_error(1, 2, None));
    }
    let (signal, is_group) = signal_to_send(ec, signal)?;
    for pid in pids.iter() {
        let pid = ec.to_long(pid)? as i32;
        let is_to_self = pid == os::pid() as i32 && !is_group && signal != 0;
        if is_to_self && carat_os::signal::is_deadly(signal) {
            crate::object::kernel::do_last(ec);
            carat_os::signal::die_by(signal);
        }
        // A signal to this process has come before the call returns.
        if is_to_self && carat_os::signal::is_noted(signal) {
            carat_os::signal::note_own(signal);
            continue;
        }
        let sent = if is_group { os::kill_group(pid, signal) } else { os::kill(pid, signal) };
        if let Err(e) = sent {
            return Err(errno_bare(ec, &e));
        }
    }
    run_pending(ec)?;
    Ok(pids.len())
}

/// A negative number or a name with a minus sign goes to a process group.
fn signal_to_send(ec: &mut Ec, signal: Value) -> Result<(i32, bool)> {
    if let Some(number) = signal.as_fixnum() {
        return Ok((number.unsigned_abs() as i32, number < 0));
    }
    let text = match signal.as_symbol() {
        Some(symbol) => Some(ec.symbol_to_str(symbol)),
        None => ec.check_string(signal)?,
    };
    let Some(bytes) = text.map(|t| t.bytes(ec).to_vec()) else {
        return signal::number_of(ec, signal).map(|n| (n, false));
    };
    match bytes.strip_prefix(b"-") {
        Some(rest) => {
            let rest = Str::new(ec, rest, EncodingIndex::UTF_8, carat_vm::CodeRange::Unknown).value();
            signal::number_of(ec, rest).map(|n| (n, true))
        }
        None => signal::number_of(ec, signal).map(|n| (n, false)),
    }
}

// ---- ids ----

macro_rules! ids {
    ($($name:ident $function:path;)+) => {$(
        fn $name(_ec: &mut Ec, _this: Value) -> i64 {
            i64::from($function())
        }
    )+};
}

ids! { pid os::pid; ppid os::ppid; uid os::uid; euid os::euid; gid os::gid; egid os::egid; getpgrp os::pgrp; }

fn number_or_error(ec: &mut Ec, result: std::io::Result<i32>) -> Result<i64> {
    result.map(i64::from).map_err(|e| errno_bare(ec, &e))
}

fn getpgid(ec: &mut Ec, _this: Value, pid: i64) -> Result<i64> {
    number_or_error(ec, os::getpgid(pid as i32))
}

fn setpgid(ec: &mut Ec, _this: Value, pid: i64, group: i64) -> Result<i64> {
    number_or_error(ec, os::setpgid(pid as i32, group as i32).map(|()| 0))
}

fn setpgrp(ec: &mut Ec, _this: Value) -> Result<i64> {
    number_or_error(ec, os::setpgid(0, 0).map(|()| 0))
}

fn getsid(ec: &mut Ec, _this: Value, pid: Option<i64>) -> Result<i64> {
    number_or_error(ec, os::getsid(pid.unwrap_or(0) as i32))
}

fn setsid(ec: &mut Ec, _this: Value) -> Result<i64> {
    number_or_error(ec, os::setsid())
}

fn getpriority(ec: &mut Ec, _this: Value, which: i64, who: i64) -> Result<i64> {
    number_or_error(ec, os::getpriority(which as i32, who as u32))
}

fn setpriority(ec: &mut Ec, _this: Value, which: i64, who: i64, priority: i64) -> Result<i64> {
    number_or_error(ec, os::setpriority(which as i32, who as u32, priority as i32).map(|()| 0))
}

fn change_id(ec: &mut Ec, is_group: bool, real: u32, effective: u32, id: Value) -> Result {
    match os::set_ids(is_group, real, effective) {
        Ok(()) => Ok(id),
        Err(e) => Err(errno_bare(ec, &e)),
    }
}

/// An id, or the name of whom it belongs to.
fn id_arg(ec: &mut Ec, is_group: bool, value: Value) -> Result<i64> {
    match ec.check_string(value)? {
        Some(name) if is_group => group_id(ec, name),
        Some(name) => user_id(ec, name),
        None => ec.to_long(value),
    }
}

fn set_uid(ec: &mut Ec, _this: Value, value: Value) -> Result {
    let id = id_arg(ec, false, value)?;
    change_id(ec, false, id as u32, u32::MAX, value)
}

fn set_euid(ec: &mut Ec, _this: Value, value: Value) -> Result {
    let id = id_arg(ec, false, value)?;
    change_id(ec, false, u32::MAX, id as u32, value)
}

fn set_gid(ec: &mut Ec, _this: Value, value: Value) -> Result {
    let id = id_arg(ec, true, value)?;
    change_id(ec, true, id as u32, u32::MAX, value)
}

fn set_egid(ec: &mut Ec, _this: Value, value: Value) -> Result {
    let id = id_arg(ec, true, value)?;
    change_id(ec, true, u32::MAX, id as u32, value)
}

/// `Primitive.process_set_ids(is_group, real, effective)`
fn set_ids(ec: &mut Ec, is_group: bool, real: i64, effective: i64) -> Result {
    change_id(ec, is_group, real as u32, effective as u32, Value::NIL)
}

fn user_id(ec: &mut Ec, name: Str) -> Result<i64> {
    id_named(ec, "/etc/passwd", "user", name)
}

fn group_id(ec: &mut Ec, name: Str) -> Result<i64> {
    id_named(ec, "/etc/group", "group", name)
}

/// The third field of the line that begins with the name.
fn id_named(ec: &mut Ec, file: &str, what: &str, name: Str) -> Result<i64> {
    let name = name.to_text(ec);
    let lines = std::fs::read_to_string(file).unwrap_or_default();
    let found = lines.lines().find_map(|line| {
        let mut fields = line.split(':');
        (fields.next() == Some(&*name)).then(|| fields.nth(1)?.parse().ok()).flatten()
    });
    found.ok_or_else(|| ec.argument_error(&format!("can't find {what} for {name}")))
}

fn groups(ec: &mut Ec, _this: Value) -> Result<Array> {
    match os::groups() {
        Ok(groups) => {
            let array = Array::new(ec, groups.len());
            groups.into_iter().for_each(|g| array.push(ec, ec.int(i64::from(g))));
            Ok(array)
        }
        Err(e) => Err(errno_bare(ec, &e)),
    }
}

/// As many as the system takes; a program may want fewer.
const MAX_GROUPS: i64 = 65_536;

struct MaxGroups(AtomicI64);

impl Default for MaxGroups {
    fn default() -> MaxGroups {
        MaxGroups(AtomicI64::new(MAX_GROUPS))
    }
}

fn maxgroups(ec: &mut Ec, _this: Value) -> i64 {
    ec.vm().extension::<MaxGroups>().0.load(Ordering::Relaxed)
}

fn set_maxgroups(ec: &mut Ec, _this: Value, count: i64) -> Result<i64> {
    if count <= 0 {
        return Err(ec.argument_error(&format!("maxgroups {count} should be positive")));
    }
    ec.vm().extension::<MaxGroups>().0.store(count.min(MAX_GROUPS), Ordering::Relaxed);
    Ok(count)
}

fn set_groups(ec: &mut Ec, this: Value, list: Array) -> Result<Array> {
    let (count, limit) = (list.len(ec), maxgroups(ec, this));
    if count as i64 > limit {
        return Err(ec.argument_error(&format!("too many groups, {limit} max")));
    }
    let mut ids = Vec::new();
    for index in 0..count {
        let value = list.at(ec, index);
        ids.push(id_arg(ec, true, value)? as u32);
    }
    match os::set_groups(&ids) {
        Ok(()) => groups(ec, this),
        Err(e) => Err(errno_bare(ec, &e)),
    }
}

fn init_groups(ec: &mut Ec, this: Value, user: Str, group: Value) -> Result<Array> {
    let Ok(user) = std::ffi::CString::new(user.bytes(ec)) else {
        return Err(ec.argument_error("string contains null byte"));
    };
    let group = id_arg(ec, true, group)? as u32;
    match os::init_groups(&user, group) {
        Ok(()) => groups(ec, this),
        Err(e) => Err(errno_bare(ec, &e)),
    }
}

// ---- clocks ----

/// What a time in seconds and nanoseconds is in a unit.
fn in_unit(ec: &mut Ec, (seconds, nanoseconds): (i64, i64), unit: Option<Value>) -> Result {
    let name = match unit.filter(|u| !u.is_nil()) {
        Some(u) => match u.as_symbol() {
            Some(symbol) => ec.vm().symbol_text(symbol),
            None => String::new(),
        },
        None => "float_second".into(),
    };
    let total = i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds);
    let float = seconds as f64 + nanoseconds as f64 / 1e9;
    Ok(match name.as_str() {
        "float_second" => ec.float(float),
        "float_millisecond" => ec.float(total as f64 / 1e6),
        "float_microsecond" => ec.float(total as f64 / 1e3),
        "second" => ec.int(seconds),
        "millisecond" => ec.bigint((total.div_euclid(1_000_000)).into()),
        "microsecond" => ec.bigint((total.div_euclid(1000)).into()),
        "nanosecond" => ec.bigint(total.into()),
        _ => {
            let shown = ec.inspect(unit.unwrap_or(Value::NIL))?.to_text(ec);
            let shown = shown.trim_start_matches(':').to_owned();
            return Err(ec.argument_error(&format!("unexpected unit: {shown}")));
        }
    })
}

fn clock_id(ec: &mut Ec, id: Value) -> Result<Option<i32>> {
    if let Some(symbol) = id.as_symbol() {
        let name = ec.vm().symbol_text(symbol);
        return Ok(match name.as_str() {
            "GETTIMEOFDAY_BASED_CLOCK_REALTIME" | "TIME_BASED_CLOCK_REALTIME" => Some(c::CLOCK_REALTIME),
            "TIMES_BASED_CLOCK_MONOTONIC" => Some(c::CLOCK_MONOTONIC),
            "GETRUSAGE_BASED_CLOCK_PROCESS_CPUTIME_ID"
            | "TIMES_BASED_CLOCK_PROCESS_CPUTIME_ID"
            | "CLOCK_BASED_CLOCK_PROCESS_CPUTIME_ID" => Some(c::CLOCK_PROCESS_CPUTIME_ID),
            _ => None,
        });
    }
    Ok(i32::try_from(ec.to_long(id)?).ok())
}

fn read_clock(
    ec: &mut Ec,
    id: Value,
    unit: Option<Value>,
    read: fn(i32) -> std::io::Result<(i64, i64)>,
    name: &str,
) -> Result {
    let invalid = || std::io::Error::from_raw_os_error(c::EINVAL);
    match clock_id(ec, id)?.ok_or_else(invalid).and_then(read) {
        Ok(time) => in_unit(ec, time, unit),
        Err(e) if id.is_symbol() => {
            let shown = ec.inspect(id)?.to_text(ec);
            Err(errno(ec, &e, format!("{name}({shown})").as_bytes()))
        }
        Err(e) => Err(errno(ec, &e, name.as_bytes())),
    }
}

fn clock_gettime(ec: &mut Ec, _this: Value, id: Value, unit: Option<Value>) -> Result {
    read_clock(ec, id, unit, os::clock, "clock_gettime")
}

/// Nanoseconds between two readings of the clocks that are named after how they are read.
fn named_resolution(ec: &Ec, id: Value) -> Option<i64> {
    match ec.vm().symbol_text(id.as_symbol()?).as_str() {
        "GETTIMEOFDAY_BASED_CLOCK_REALTIME"
        | "GETRUSAGE_BASED_CLOCK_PROCESS_CPUTIME_ID"
        | "CLOCK_BASED_CLOCK_PROCESS_CPUTIME_ID" => Some(1000),
        "TIME_BASED_CLOCK_REALTIME" => Some(1_000_000_000),
        "TIMES_BASED_CLOCK_MONOTONIC" | "TIMES_BASED_CLOCK_PROCESS_CPUTIME_ID" => Some(10_000_000),
        _ => None,
    }
}

fn clock_getres(ec: &mut Ec, _this: Value, id: Value, unit: Option<Value>) -> Result {
    if let Some(nanoseconds) = named_resolution(ec, id) {
        let is_hertz = unit.and_then(Value::as_symbol).is_some_and(|s| ec.vm().symbol_text(s) == "hertz");
        if is_hertz {
            return Ok(ec.float(1e9 / nanoseconds as f64));
        }
        return in_unit(ec, (nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000), unit);
    }
    if unit.and_then(Value::as_symbol).is_some_and(|s| ec.vm().symbol_text(s) == "hertz") {
        let seconds = read_clock(ec, id, None, os::clock_resolution, "clock_getres")?;
        let hertz = 1.0 / ec.to_float(seconds)?;
        return Ok(ec.float(hertz));
    }
    read_clock(ec, id, unit, os::clock_resolution, "clock_getres")
}

/// `Primitive.process_times`: four floats.
fn times(ec: &mut Ec) -> Array {
    let ((user, system), (child_user, child_system)) = (os::usage(false), os::usage(true));
    let values = [ec.float(user), ec.float(system), ec.float(child_user), ec.float(child_system)];
    Array::from_slice(ec, &values)
}

/// The program's name as it was before anybody assigned `$0`.
fn argv0(ec: &mut Ec, _this: Value) -> Str {
    let name = ec.vm().extension::<crate::system::settings::Settings>().script_name();
    ec.fstring(name.as_bytes(), carat_vm::EncodingIndex::UTF_8)
}

/// What the system's list of processes shows. A system that does not let us is no error.
fn setproctitle(ec: &mut Ec, _this: Value, title: Str) -> Result<Str> {
    if title.bytes(ec).contains(&0) {
        return Err(ec.argument_error("string contains null byte"));
    }
    let _ = os::set_title(title.bytes(ec));
    Ok(title)
}

fn warmup(_ec: &mut Ec, _this: Value) -> bool {
    true
}

fn last_status(ec: &mut Ec, this: Value) -> Value {
    status::last(ec, this)
}

pub(crate) static LEAVES: &[LeafRow] = &[(LeafOf::Method(METHODS, "pid"), Leaf::of(pid))];

methods! {
    METHODS {
        module_function "wait" => wait; module_function "waitpid" => wait; module_function "wait2" => wait2;
        module_function "waitpid2" => wait2; module_function "waitall" => waitall; module_function "kill" => kill;
        static "fork" => fork_with_block; static "spawn" => spawn_process; static "exec" => exec; static "exit!" => exit_now; static "last_status" => last_status;
        module_function "pid" => pid; module_function "ppid" => ppid; module_function "uid" => uid; module_function "euid" => euid;
        module_function "gid" => gid; module_function "egid" => egid; module_function "uid=" => set_uid; module_function "euid=" => set_euid;
        module_function "gid=" => set_gid; module_function "egid=" => set_egid; module_function "groups" => groups;
        module_function "initgroups" => init_groups;
        module_function "groups=" => set_groups; module_function "maxgroups=" => set_maxgroups;
        module_function "maxgroups" => maxgroups; module_function "getpgrp" => getpgrp; module_function "getpgid" => getpgid;
        module_function "setpgid" => setpgid; module_function "setpgrp" => setpgrp; module_function "getsid" => getsid;
        module_function "setsid" => setsid; module_function "getpriority" => getpriority; module_function "setpriority" => setpriority;
        module_function "getrlimit" => limits::getrlimit; module_function "setrlimit" => limits::setrlimit;
        module_function "clock_gettime" => clock_gettime; module_function "clock_getres" => clock_getres;
        static "argv0" => argv0; static "setproctitle" => setproctitle; static "warmup" => warmup;
    }
    KERNEL {
        module_function "fork" => fork_with_block; module_function "spawn" => spawn_process; module_function "system" => system; module_function "exec" => exec;
        module_function "`" => backtick; module_function "exit!" => exit_now;
    }
}

primitives! {
    PRIMITIVES {
        "process_fork" => fork;
        "process_times" => times;
        "process_exit_handler" => exit_handler;
        "trappable_signal" => signal::trappable;
        "trap" => signal::trap;
        "trap_in_main_ractor" => signal::trap_in_main_ractor;
        "process_status_wait" => status_wait;
        "process_set_ids" => set_ids;
        "process_user_id" => user_id;
        "process_group_id" => group_id;
        "env_get" => environment::get;
        "env_set" => environment::set;
        "env_keys" => environment::keys;
    }
}

/// `Primitive.process_exit_handler`: what `trap("EXIT")` set, once.
fn exit_handler(ec: &mut Ec) -> Option<Value> {
    take_exit_handler(ec)
}

fn define_constants(ec: &mut Ec) {
    let process = ec.vm().known().process;
    let numbers = [
        ("WNOHANG", c::WNOHANG),
        ("WUNTRACED", c::WUNTRACED),
        ("PRIO_PROCESS", 0),
        ("PRIO_PGRP", 1),
        ("PRIO_USER", 2),
        ("CLOCK_REALTIME", c::CLOCK_REALTIME),
        ("CLOCK_MONOTONIC", c::CLOCK_MONOTONIC),
        ("CLOCK_PROCESS_CPUTIME_ID", c::CLOCK_PROCESS_CPUTIME_ID),
        ("CLOCK_THREAD_CPUTIME_ID", c::CLOCK_THREAD_CPUTIME_ID),
        ("CLOCK_MONOTONIC_RAW", c::CLOCK_MONOTONIC_RAW),
        ("CLOCK_REALTIME_COARSE", c::CLOCK_REALTIME_COARSE),
        ("CLOCK_MONOTONIC_COARSE", c::CLOCK_MONOTONIC_COARSE),
        ("CLOCK_BOOTTIME", c::CLOCK_BOOTTIME),
        ("CLOCK_REALTIME_ALARM", c::CLOCK_REALTIME_ALARM),
        ("CLOCK_BOOTTIME_ALARM", c::CLOCK_BOOTTIME_ALARM),
        ("CLOCK_TAI", c::CLOCK_TAI),
    ];
    let set = |name: &str, value: Value| process.set_constant(ec, ec.vm().intern(name), value);
    for (name, value) in numbers {
        set(name, ec.int(i64::from(value)));
    }
    for (name, value) in limits::RESOURCES {
        set(&format!("RLIMIT_{name}"), ec.int(i64::from(*value)));
    }
    for name in ["RLIM_INFINITY", "RLIM_SAVED_MAX", "RLIM_SAVED_CUR"] {
        set(name, ec.uint(c::RLIM_INFINITY));
    }
}

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    define_constants(ec);
    known.process.define_methods(ec, METHODS);
    known.kernel.define_methods(ec, KERNEL);
    status::init(ec);
    signal::init(ec);
    ec.vm().set_interrupt_hook(interrupted);
}
