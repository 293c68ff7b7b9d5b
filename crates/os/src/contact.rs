//! How often this process has been in touch with the outside: asked the system, changed something in it, or come back from where it
//! waited.
//!
//! Who knows something about the outside and has not been in touch since may still answer by it: what others changed
//! meanwhile the program cannot have learned of, so no order between that change and the answer can be told.
//!
//! # Invariants
//! * Every function of this crate that asks the system or changes it counts, after the system call. Who calls the system
//!   otherwise for a program calls [`count`] itself, or has a reason not to.
//! * Memory that other processes write to is not seen here: who relies on the number lets what it knows grow old, too.

use std::sync::atomic::{AtomicU64, Ordering};

static CONTACTS: AtomicU64 = AtomicU64::new(0);

/// Counts a contact. Of two threads that count at the same moment one may count in vain: the number still changed.
#[inline]
pub fn count() {
    CONTACTS.store(CONTACTS.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
}

/// A number that is another one after each contact.
#[inline]
pub fn number() -> u64 {
    CONTACTS.load(Ordering::Relaxed)
}
