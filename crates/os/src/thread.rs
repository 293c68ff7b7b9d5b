//! Native threads that begin and end while nobody forks.
//!
//! A thread that begins or ends takes locks of the allocator's, which has nothing to let go of them in a child: the child has the
//! forking thread alone, and would wait for them for ever.
//!
//! # Not here
//! A thread that asks the system for more memory while another one forks. The threads of Ractors are at a poll then.

use carat_sync::{Condvar, Mutex, MutexGuard, OnceLock};
use libc::{c_void, pthread_key_t};
use std::io::Result;
use std::thread::{Builder, JoinHandle};

/// How many threads begin or end.
static CHANGING: Mutex<usize> = Mutex::new(0);
static CHANGED: Condvar = Condvar::new();

fn changing() -> MutexGuard<'static, usize> {
    CHANGING.lock().unwrap_or_else(|e| e.into_inner())
}

/// A thread begins or ends.
struct Change;

impl Change {
    fn new() -> Change {
        *changing() += 1;
        Change
    }
}

impl Drop for Change {
    fn drop(&mut self) {
        let mut count = changing();
        *count -= 1;
        if *count == 0 {
            CHANGED.notify_all();
        }
    }
}

/// Dropped by the running thread at the end of its body: from then on it ends, until the system has run its destructors.
struct Ends;

impl Drop for Ends {
    fn drop(&mut self) {
        let ends = Change::new();
        // SAFETY: the key is never deleted. The value tells of a thread that has something to be destroyed, no more.
        let is_set =
            last_key().is_some_and(|key| unsafe { libc::pthread_setspecific(key, (&raw const CHANGED).cast()) } == 0);
        if is_set {
            std::mem::forget(ends);
        }
    }
}

/// A key whose destructor runs when the allocator is done with the thread: its key is older, and the system takes them in their
/// order.
fn last_key() -> Option<pthread_key_t> {
    static KEY: OnceLock<Option<pthread_key_t>> = OnceLock::new();
    *KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: the key is written if the answer is 0.
        (unsafe { libc::pthread_key_create(&raw mut key, Some(has_ended)) } == 0).then_some(key)
    })
}

extern "C" fn has_ended(_: *mut c_void) {
    drop(Change);
}

/// The body with both ends of its thread told of. The allocator takes its locks for what a thread allocates first, so the thread
/// allocates before it is told to have begun.
fn counted<T>(body: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let begins = Change::new();
    move || {
        drop(std::hint::black_box(Box::new(0_u8)));
        drop(begins);
        let _ends = Ends;
        body()
    }
}

/// Starts a thread. Threads that a program starts and ends while it runs are to be started here.
pub fn spawn<T: Send + 'static>(builder: Builder, body: impl FnOnce() -> T + Send + 'static) -> Result<JoinHandle<T>> {
    builder.spawn(counted(body))
}

/// Does some work on a thread of its own with so much stack. Without such a thread, or if it panics, the answer is `None`.
pub fn on_stack<T: Send>(name: &str, bytes: usize, work: impl FnOnce() -> T + Send) -> Option<T> {
    std::thread::scope(|scope| {
        let builder = Builder::new().name(name.into()).stack_size(bytes);
        builder.spawn_scoped(scope, counted(work)).ok()?.join().ok()
    })
}

/// Forks while no thread begins or ends.
pub(crate) fn unchanged<R>(fork: impl FnOnce() -> R) -> R {
    let _unchanged = CHANGED.wait_while(changing(), |count| *count > 0).unwrap_or_else(|e| e.into_inner());
    fork()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_cannot_begin_is_not_waited_for() {
        assert!(spawn(Builder::new().stack_size(1 << 60), || ()).is_err());
        assert_eq!(on_stack("work", 1 << 60, || 1), None);
        assert_eq!(unchanged(|| 2), 2);
    }
}
