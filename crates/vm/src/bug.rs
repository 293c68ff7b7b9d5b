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

/// A value has another type than the code that holds it relies on.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn wrong_type(value: carat_layout::Value, wanted: &str) -> ! {
    panic!("{value:?} is not {wanted}")
}

/// Core code named a primitive that nobody defined: a mistake of the build.
#[cold]
pub(crate) fn missing_primitive(ec: &mut Ec, symbol: usize) -> ! {
    // SAFETY: the running frame is published.
    let name = unsafe { ec.vm().symbol_text(ec.fp.code().linked().symbols[symbol]) };
    // SAFETY: as above.
    unsafe { stop(&format!("primitive {name} is not defined"), ec) }
}

#[cfg(test)]
mod tests {
    use crate::{Array, Class, Hash, Str, Value};
    use std::panic::catch_unwind;

    #[test]
    fn a_handle_is_never_made_of_another_type() {
        let made = [
            catch_unwind(|| Str::expect(Value::NIL).value()),
            catch_unwind(|| Array::expect(Value::TRUE).value()),
            catch_unwind(|| Hash::expect(Value::FALSE).value()),
            catch_unwind(|| Class::expect(Value::NIL).value()),
            catch_unwind(|| crate::Proc::expect(Value::NIL).value()),
        ];
        assert!(made.iter().all(Result::is_err));
        assert_eq!(Str::all(&[Value::NIL], |_| true), None);
        assert_eq!(Str::all(&[], |_| true), Some(&[][..]));
    }
}
