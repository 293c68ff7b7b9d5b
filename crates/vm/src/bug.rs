//! The end of the process when the implementation itself is wrong.
#![allow(clippy::print_stderr, reason = "nothing else can be trusted here")]

use crate::ec::Ec;

/// Prints where the interpreter was and aborts.
#[cold]
pub(crate) unsafe fn stop(what: &str, ec: *mut Ec) -> ! {
    // SAFETY: the caller's context.
    let place = unsafe { crate::run::backtrace::caller_position(&*ec) };
    eprintln!("[BUG] {what} at {}:{}", place.0.as_deref().unwrap_or("?"), place.1);
    std::process::abort()
}

/// Core code named a primitive that nobody defined: a mistake of the build.
#[cold]
pub(crate) fn missing_primitive(ec: &mut Ec, symbol: usize) -> ! {
    // SAFETY: the running frame is published.
    let name = unsafe { ec.vm().symbol_text(ec.fp.code().linked().symbols[symbol]) };
    // SAFETY: as above.
    unsafe { stop(&format!("primitive {name} is not defined"), ec) }
}
