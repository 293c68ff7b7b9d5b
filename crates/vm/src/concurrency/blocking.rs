//! Threads inside system calls, and how others get them out.
//!
//! A signal without effect makes the call return `EINTR`. It is lost when it comes just before the call begins, so it is sent
//! again until the thread has left.

use carat_os::signal;
use carat_sync::{Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

/// The system call that a thread is in.
#[derive(Default)]
pub(crate) struct Blocked(Mutex<Option<Call>>);

#[derive(Clone, Copy)]
struct Call {
    thread: libc::pthread_t,
    fd: i32,
    /// A function of C code that ends the call, and its argument; called once.
    unblock: Option<Unblock>,
}

/// The address of a function and the word to pass.
pub(crate) type Unblock = (usize, usize);

impl Blocked {
    fn set(&self, call: Option<Call>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = call;
    }

    /// The calling thread may be interrupted until it leaves.
    pub(crate) fn enter(&self, fd: i32, unblock: Option<Unblock>) {
        // SAFETY: asks for the calling thread's own identity.
        let thread = unsafe { libc::pthread_self() };
        self.set(Some(Call { thread, fd, unblock }));
    }

    pub(crate) fn leave(&self) {
        self.set(None);
    }

    /// Does something while nobody kicks the thread, such as a fork: the child is going to use this.
    pub(crate) fn undisturbed<R>(&self, work: impl FnOnce() -> R) -> R {
        let _place = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        work()
    }

    pub(crate) fn is_on(&self, fd: i32) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|c| c.fd == fd)
    }

    /// Sends the signal; false if there is nobody to send it to.
    pub(crate) fn kick(&self) -> bool {
        let mut place = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(call) = *place else { return false };
        if let Some((function, word)) = call.unblock {
            // SAFETY: C code gave the function for this call, which has not ended: it cannot while the lock is held.
            unsafe { std::mem::transmute::<usize, unsafe extern "C" fn(usize)>(function)(word) };
            *place = None;
            return true;
        }
        signal::prepare_kick();
        // SAFETY: the thread has not left, and cannot while the lock is held.
        unsafe { libc::pthread_kill(call.thread, signal::KICK) };
        true
    }
}

/// Kicks until there is nobody left to be kicked, or the thread has begun other calls for a while.
pub(crate) fn keep_kicking(kick: impl Fn() -> bool + Send + 'static) {
    const TIMES: u32 = 100;
    let body = move || {
        signal::block_signals();
        for count in 0..TIMES {
            std::thread::sleep(Duration::from_millis(u64::from(count.min(20)) + 1));
            if !kick() {
                return;
            }
        }
    };
    // Without a thread the first kick has to do.
    let _ = carat_os::thread::spawn(Builder::new().name("kick".into()).stack_size(64 << 10), body);
}
