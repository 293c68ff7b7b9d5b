//! Changing files: names, permissions, owners, times, lengths.

use crate::system::errno::{errno, errno_at, path_str};
use crate::system::io::{IoRef, check_open, check_writable, path_arg};
use crate::system::load::paths_changed;
use carat_os::c;
use carat_vm::{Ec, Rest, Result, Str, Value};

/// The error of a call with two paths: "(a, b)".
fn pair_error(ec: &mut Ec, error: &std::io::Error, function: &str, a: &[u8], b: &[u8]) -> carat_vm::Unwind {
    let detail = [b"(", a, b", ", b, b")"].concat();
    errno_at(ec, error, function, &detail)
}

fn with_two_paths(
    ec: &mut Ec,
    a: Value,
    b: Value,
    function: &str,
    call: fn(&std::ffi::OsStr, &std::ffi::OsStr) -> std::io::Result<()>,
) -> Result<i64> {
    let (a, b) = (path_arg(ec, a)?, path_arg(ec, b)?);
    let done = call(carat_os::os_str(&a), carat_os::os_str(&b));
    paths_changed(ec);
    match done {
        Ok(()) => Ok(0),
        Err(e) => Err(pair_error(ec, &e, function, &a, &b)),
    }
}

pub(super) fn rename(ec: &mut Ec, _class: Value, from: Value, to: Value) -> Result<i64> {
    with_two_paths(ec, from, to, "rb_file_s_rename", |a, b| std::fs::rename(a, b))
}

pub(super) fn link(ec: &mut Ec, _class: Value, old: Value, new: Value) -> Result<i64> {
    with_two_paths(ec, old, new, "rb_file_s_link", |a, b| std::fs::hard_link(a, b))
}

pub(super) fn symlink(ec: &mut Ec, _class: Value, old: Value, new: Value) -> Result<i64> {
    with_two_paths(ec, old, new, "rb_file_s_symlink", |a, b| std::os::unix::fs::symlink(a, b))
}

pub(super) fn readlink(ec: &mut Ec, _class: Value, path: Value) -> Result<Str> {
    use std::os::unix::ffi::OsStringExt;
    let path = path_arg(ec, path)?;
    carat_os::contact::count();
    match std::fs::read_link(carat_os::os_str(&path)) {
        Ok(target) => Ok(path_str(ec, &target.into_os_string().into_vec())),
        Err(e) => Err(errno_at(ec, &e, "rb_readlink", &path)),
    }
}

/// Calls `call` for every path; how many there were.
fn each_path(
    ec: &mut Ec,
    paths: Rest,
    from: usize,
    function: &str,
    call: impl Fn(&[u8]) -> std::io::Result<()>,
) -> Result<usize> {
    for value in paths.iter().skip(from) {
        let path = path_arg(ec, value)?;
        if let Err(e) = call(&path) {
            return Err(errno_at(ec, &e, function, &path));
        }
    }
    Ok(paths.len().saturating_sub(from))
}

pub(super) fn unlink(ec: &mut Ec, _class: Value, paths: Rest) -> Result<usize> {
    let removed = each_path(ec, paths, 0, "apply2files", |p| std::fs::remove_file(carat_os::os_str(p)));
    paths_changed(ec);
    removed
}

fn check_count(ec: &mut Ec, args: Rest, needed: usize) -> Result<()> {
    if args.len() < needed { Err(ec.arity_error(args.len(), needed, None)) } else { Ok(()) }
}

fn number(ec: &mut Ec, args: Rest, index: usize) -> Result<i64> {
    let value = args.get(index).unwrap_or(Value::NIL);
    ec.to_long(value)
}

pub(super) fn chmod(ec: &mut Ec, _class: Value, args: Rest) -> Result<usize> {
    check_count(ec, args, 1)?;
    let mode = number(ec, args, 0)? as u32;
    each_path(ec, args, 1, "apply2files", |p| carat_os::chmod(p, mode, true))
}

pub(super) fn lchmod(ec: &mut Ec, _class: Value, args: Rest) -> Result<usize> {
    check_count(ec, args, 1)?;
    let mode = number(ec, args, 0)? as u32;
    each_path(ec, args, 1, "apply2files", |p| carat_os::chmod(p, mode, false))
}

/// An owner or group: nil and -1 leave it as it is.
fn id(ec: &mut Ec, value: Value) -> Result<u32> {
    if value.is_nil() { Ok(u32::MAX) } else { Ok(ec.to_long(value)? as u32) }
}

fn change_owner(ec: &mut Ec, args: Rest, follows: bool) -> Result<usize> {
    check_count(ec, args, 2)?;
    let (uid, gid) = (id(ec, args.get(0).unwrap_or(Value::NIL))?, id(ec, args.get(1).unwrap_or(Value::NIL))?);
    each_path(ec, args, 2, "apply2files", |p| carat_os::chown(p, uid, gid, follows))
}

pub(super) fn chown(ec: &mut Ec, _class: Value, args: Rest) -> Result<usize> {
    change_owner(ec, args, true)
}

pub(super) fn lchown(ec: &mut Ec, _class: Value, args: Rest) -> Result<usize> {
    change_owner(ec, args, false)
}

fn change_times(ec: &mut Ec, args: Rest, follows: bool) -> Result<usize> {
    check_count(ec, args, 2)?;
    let mut times = [None; 2];
    for (i, time) in times.iter_mut().enumerate() {
        let value = args.get(i).unwrap_or(Value::NIL);
        if !value.is_nil() {
            *time = Some(crate::system::time::seconds_and_nanoseconds(ec, value)?);
        }
    }
    each_path(ec, args, 2, "apply2files", |p| carat_os::set_times(p, times[0], times[1], follows))
}

pub(super) fn utime(ec: &mut Ec, _class: Value, args: Rest) -> Result<usize> {
    change_times(ec, args, true)
}

pub(super) fn lutime(ec: &mut Ec, _class: Value, args: Rest) -> Result<usize> {
    change_times(ec, args, false)
}

pub(super) fn truncate(ec: &mut Ec, _class: Value, path: Value, len: i64) -> Result<i64> {
    let path = path_arg(ec, path)?;
    match carat_os::truncate(&path, len) {
        Ok(()) => Ok(0),
        Err(e) => Err(errno_at(ec, &e, "rb_file_s_truncate", &path)),
    }
}

pub(super) fn mkfifo(ec: &mut Ec, _class: Value, path: Value, mode: Option<i64>) -> Result<i64> {
    let path = path_arg(ec, path)?;
    match carat_os::mkfifo(&path, mode.unwrap_or(0o666) as u32) {
        Ok(()) => Ok(0),
        Err(e) => Err(errno_at(ec, &e, "rb_file_s_mkfifo", &path)),
    }
}

pub(super) fn umask(_ec: &mut Ec, _class: Value, mask: Option<i64>) -> i64 {
    match mask {
        Some(mask) => i64::from(carat_os::umask(mask as u32)),
        None => {
            let old = carat_os::umask(0o077);
            carat_os::umask(old);
            i64::from(old)
        }
    }
}

/// Turns a failed call on an open file into its error.
fn on_file(ec: &mut Ec, io: IoRef, result: std::io::Result<()>) -> Result<i64> {
    match result {
        Ok(()) => Ok(0),
        Err(e) => {
            let path = crate::system::io::path_of(ec, io);
            Err(errno(ec, &e, &path))
        }
    }
}

pub(super) fn own_truncate(ec: &mut Ec, io: IoRef, len: i64) -> Result<i64> {
    check_writable(ec, io)?;
    crate::system::io::flush(ec, io)?;
    let fd = io.get(ec).fd;
    on_file(ec, io, carat_os::ftruncate(fd, len))
}

pub(super) fn own_chmod(ec: &mut Ec, io: IoRef, mode: i64) -> Result<i64> {
    check_open(ec, io)?;
    let fd = io.get(ec).fd;
    on_file(ec, io, carat_os::fchmod(fd, mode as u32))
}

pub(super) fn own_chown(ec: &mut Ec, io: IoRef, owner: Value, group: Value) -> Result<i64> {
    check_open(ec, io)?;
    let (fd, uid, gid) = (io.get(ec).fd, id(ec, owner)?, id(ec, group)?);
    on_file(ec, io, carat_os::fchown(fd, uid, gid))
}

pub(super) fn flock(ec: &mut Ec, io: IoRef, operation: i64) -> Result {
    check_open(ec, io)?;
    crate::system::io::flush(ec, io)?;
    let fd = io.get(ec).fd;
    let operation = operation as i32;
    match crate::system::system_call::system_call(ec, || carat_os::flock(fd, operation))? {
        Err(e) if operation & c::LOCK_NB != 0 && e.raw_os_error() == Some(c::EWOULDBLOCK) => Ok(Value::FALSE),
        result => on_file(ec, io, result).map(|zero| ec.int(zero)),
    }
}
