//! Errors as C sees them.

use crate::{Out, guarded, text};
use carat_embed::{Error as Inner, Kind};
use std::ffi::{CString, c_char, c_int};

/// An error with its texts as C reads them.
pub(crate) struct Error {
    pub(crate) inner: Inner,
    class: CString,
    message: CString,
    backtrace: Vec<CString>,
}

/// The text up to a NUL.
fn c_text(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}

impl Error {
    pub(crate) fn new(inner: Inner) -> Error {
        let backtrace = inner.backtrace().iter().map(|line| c_text(line)).collect();
        Error { class: c_text(inner.class()), message: c_text(inner.message()), backtrace, inner }
    }
}

/// Stores an error where the host wants it.
///
/// # Safety
/// The place is null or writable.
pub(crate) unsafe fn store(place: *mut *mut Error, error: Inner) {
    if !place.is_null() {
        // SAFETY: by contract.
        unsafe { *place = Out::of(Error::new(error)).0 };
    }
}

/// # Safety
/// The strings are null or end with NUL.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn carat_error_new(class: *const c_char, message: *const c_char) -> *mut Error {
    // SAFETY: by contract.
    guarded(|| unsafe { Out::of(Error::new(Inner::new(&text(class), text(message)))) }).0
}

/// # Safety
/// The error is null, or the caller's and not used again.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn carat_error_free(error: *mut Error) {
    // SAFETY: by contract.
    guarded(|| unsafe { drop((!error.is_null()).then(|| Box::from_raw(error))) });
}

/// # Safety
/// The error is null or alive.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn carat_error_kind(error: *const Error) -> c_int {
    // SAFETY: by contract.
    match unsafe { error.as_ref() }.map(|error| error.inner.kind()) {
        None => 0,
        Some(Kind::Exception) => 1,
        Some(Kind::Memory) => 2,
        Some(Kind::Deadline) => 3,
        Some(Kind::Fuel) => 4,
        Some(Kind::Stopped) => 5,
        Some(Kind::Exit(_)) => 6,
        Some(Kind::Host) => 7,
    }
}

/// # Safety
/// The error is null or alive.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn carat_error_status(error: *const Error) -> c_int {
    // SAFETY: by contract.
    match unsafe { error.as_ref() }.map(|error| error.inner.kind()) {
        Some(Kind::Exit(status)) => status,
        _ => 0,
    }
}

/// # Safety
/// The error is null or alive.
unsafe fn shown(error: *const Error, text: fn(&Error) -> &CString) -> *const c_char {
    // SAFETY: by contract.
    unsafe { error.as_ref() }.map_or(c"".as_ptr(), |error| text(error).as_ptr())
}

/// # Safety
/// The error is null or alive.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn carat_error_class(error: *const Error) -> *const c_char {
    // SAFETY: by contract.
    unsafe { shown(error, |error| &error.class) }
}

/// # Safety
/// The error is null or alive.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn carat_error_message(error: *const Error) -> *const c_char {
    // SAFETY: by contract.
    unsafe { shown(error, |error| &error.message) }
}

/// # Safety
/// The error is null or alive.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn carat_error_backtrace(error: *const Error, index: usize) -> *const c_char {
    // SAFETY: by contract.
    let line = unsafe { error.as_ref() }.and_then(|error| error.backtrace.get(index));
    line.map_or(std::ptr::null(), |line| line.as_ptr())
}
