//! `libcaratembed`: [`carat_embed`] for programs in C, as `include/carat.h` declares it.
//!
//! # Layout
//! Handles are boxes. A function of the host's is called with the VM; what it does there happens in the scope that it was called
//! in, which its thread remembers in [`SCOPES`].
//!
//! # Invariants
//! * No panic leaves a function: it becomes an error, or nothing where there is none to return.
//! * A null pointer is refused, and the callers' other duties are the header's.

mod config;
mod error;
mod value;
mod vm;

#[global_allocator]
static ALLOCATOR: carat_vm::Reserving<std::alloc::System> = carat_vm::Reserving(std::alloc::System);

use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs the body of a function; its default where it panics.
fn guarded<R: Default>(body: impl FnOnce() -> R) -> R {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_default()
}

/// A pointer that is the default: null.
pub(crate) struct Out<T>(*mut T);

impl<T> Default for Out<T> {
    fn default() -> Out<T> {
        Out(std::ptr::null_mut())
    }
}

impl<T> Out<T> {
    fn of(it: T) -> Out<T> {
        Out(Box::into_raw(Box::new(it)))
    }
}

/// A text of the host's; what is no UTF-8 in it is replaced.
///
/// # Safety
/// It is null or ends with NUL.
unsafe fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: by contract.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// Bytes of the host's.
///
/// # Safety
/// They are readable, or there are none.
unsafe fn bytes<'a>(first: *const c_char, length: usize) -> &'a [u8] {
    if first.is_null() {
        return &[];
    }
    // SAFETY: by contract.
    unsafe { std::slice::from_raw_parts(first.cast(), length) }
}
