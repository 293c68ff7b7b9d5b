//! What the system says about its configuration.

use std::io::{Error, Result};

/// Calls that answer -1 for an error, with its number, and for no limit, without one.
fn limit(call: impl FnOnce() -> libc::c_long) -> Result<Option<i64>> {
    // SAFETY: the variable is this thread's own.
    unsafe { *libc::__errno_location() = 0 };
    match call() {
        -1 => match Error::last_os_error() {
            error if error.raw_os_error() == Some(0) => Ok(None),
            error => Err(error),
        },
        limit => Ok(Some(limit)),
    }
}

pub fn sysconf(name: i32) -> Result<Option<i64>> {
    // SAFETY: touches no memory.
    limit(|| unsafe { libc::sysconf(name) })
}

pub fn pathconf(fd: i32, name: i32) -> Result<Option<i64>> {
    // SAFETY: touches no memory.
    limit(|| unsafe { libc::fpathconf(fd, name) })
}

pub fn confstr(name: i32) -> Result<Option<Vec<u8>>> {
    // SAFETY: no memory is given.
    let size = limit(|| unsafe { libc::confstr(name, std::ptr::null_mut(), 0) as libc::c_long })?.unwrap_or(0);
    if size == 0 {
        return match Error::last_os_error() {
            error if error.raw_os_error() == Some(0) => Ok(None),
            error => Err(error),
        };
    }
    let mut text = vec![0u8; size as usize];
    // SAFETY: the text is writable for its length.
    unsafe { libc::confstr(name, text.as_mut_ptr().cast(), text.len()) };
    text.pop();
    Ok(Some(text))
}

unsafe extern "C" {
    fn getlogin_r(name: *mut libc::c_char, size: libc::size_t) -> libc::c_int;
}

/// The user of the terminal that this process belongs to.
pub fn login_name() -> Option<Vec<u8>> {
    let mut name = vec![0u8; 256];
    // SAFETY: the name is writable for its length.
    if unsafe { getlogin_r(name.as_mut_ptr().cast(), name.len()) } != 0 {
        return None;
    }
    let end = name.iter().position(|byte| *byte == 0)?;
    name.truncate(end);
    Some(name)
}
