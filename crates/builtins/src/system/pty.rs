//! The native half of the library pty: terminals that a program makes for others.

use crate::system::errno::errno;
use carat_os::terminal::Pair;
use carat_vm::{Array, Ec, Rest, Result, Str, Value, methods};
use std::ffi::CString;
use std::os::fd::IntoRawFd;

methods! {
    FUNCTIONS {
        static "open_pair" => open_pair;
        static "spawn_at" => spawn_at;
    }
}

pub(crate) fn init(ec: &mut Ec) {
    if let Some(module) = ec.vm().known().object.nested(ec, "PTY") {
        module.define_methods(ec, FUNCTIONS);
    }
}

/// The descriptors of both ends, and the path of the one that programs have.
fn open_pair(ec: &mut Ec, _this: Value) -> Result<Array> {
    let pair = Pair::open().map_err(|error| errno(ec, &error, b"can't get Master/Slave device"))?;
    let path = Str::new(ec, pair.path.as_bytes(), crate::text::encoding::locale(ec), carat_vm::CodeRange::Unknown);
    let answer = Array::new(ec, 3);
    for fd in [pair.master, pair.slave] {
        let fd = ec.int(i64::from(fd.into_raw_fd()));
        answer.push(ec, fd);
    }
    answer.push(ec, path.value());
    Ok(answer)
}

/// `spawn_at(path, command…)`: the number of a process that runs the command at the terminal.
fn spawn_at(ec: &mut Ec, _this: Value, path: Str, command: Rest) -> Result<i64> {
    let path = path.owned_bytes(ec)?;
    let path = CString::new(path).map_err(|_| ec.argument_error("string contains null byte"))?;
    super::process::spawn_at(ec, path, command)
}
