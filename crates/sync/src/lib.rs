//! The standard library's locks, or, for ThreadSanitizer, ones whose every step it sees.
//!
//! The sanitizer knows of the order between threads only what instrumented code does, and the standard library comes
//! compiled without: a lock taken after waiting, or a value initialised once, would look like a race of whatever they
//! protect. `--cfg carat_tsan` puts spinning locks of the same interface in their place.
//!
//! [`OncePointer`] and [`OnceBool`] are our own: values that are made once, smaller than the standard library has them.
//!
//! # Not here
//! `Arc`, whose counts are inlined and seen; its last drop is suppressed by name: see `.ci/tsan-suppressions`.

mod once;
#[cfg(carat_tsan)]
mod seen;

pub use once::{OnceBool, OncePointer, Pointer};

#[cfg(carat_tsan)]
pub use seen::{Condvar, Mutex, MutexGuard, OnceLock, RwLock};
#[cfg(not(carat_tsan))]
pub use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, RwLock};
pub use std::sync::{PoisonError, TryLockError};
