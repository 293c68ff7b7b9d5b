//! Errors of system calls as exceptions of `Errno`'s classes.

use carat_vm::{Ec, EncodingIndex, Str, Unwind, Value, sym};

/// Raises the `Errno` class of a system error; `function` and `detail` as in "No such file or directory @ rb_sysopen - x".
pub(crate) fn errno_at(ec: &mut Ec, error: &std::io::Error, function: &str, detail: &[u8]) -> Unwind {
    errno_in(ec, error, function, (detail, EncodingIndex::UTF_8))
}

/// The same of a path in some encoding, which the message has then.
pub(crate) fn errno_in(
    ec: &mut Ec,
    error: &std::io::Error,
    function: &str,
    (detail, encoding): (&[u8], EncodingIndex),
) -> Unwind {
    let Some(code) = error.raw_os_error() else {
        return ec.argument_error("string contains null byte");
    };
    let class = ec.vm().known().system_call_error.value();
    let message = Str::new(ec, detail, encoding, carat_vm::CodeRange::Unknown).value();
    let (code, at) = (ec.int(i64::from(code)), ec.str(function));
    let args = [message, code, at];
    raise_new(ec, class, if function.is_empty() { &args[..2] } else { &args })
}

pub(crate) fn raise_new(ec: &mut Ec, class: Value, args: &[Value]) -> Unwind {
    match ec.call(class, sym::NEW, args) {
        Ok(exception) => ec.raise(exception),
        Err(unwind) => unwind,
    }
}

pub fn errno(ec: &mut Ec, error: &std::io::Error, detail: &[u8]) -> Unwind {
    errno_at(ec, error, "", detail)
}

/// A system error without further words.
pub(crate) fn errno_bare(ec: &mut Ec, error: &std::io::Error) -> Unwind {
    let Some(code) = error.raw_os_error() else { return ec.argument_error("string contains null byte") };
    let (class, code) = (ec.vm().known().system_call_error.value(), ec.int(i64::from(code)));
    raise_new(ec, class, &[Value::NIL, code])
}

/// A path as Ruby sees it: in the file system's encoding.
pub(crate) fn path_str(ec: &Ec, path: &[u8]) -> Str {
    Str::new(ec, path, EncodingIndex::UTF_8, carat_vm::CodeRange::Unknown)
}
