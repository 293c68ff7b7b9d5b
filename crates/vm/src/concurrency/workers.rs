//! Native threads, which outlive the Ruby threads they run: one that has come to its end waits a while for the next.
//!
//! # Order
//! A native thread enters itself in the list of those that wait before it gives up its Ractor's turn, so that whoever joins its
//! Ruby thread and starts another finds it there.
//!
//! # Forks
//! A forked child has none of these threads: its list begins empty.

use crate::concurrency::ractor::RactorShared;
use crate::concurrency::thread::{NATIVE_BYTES, STACK_BYTES, Start};
use carat_sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::sync::Arc;
use std::time::Duration;

/// Runs a context on its thread to its end. The thread still has the turn of the Ractor that it returns.
type Life = fn(Start) -> Arc<RactorShared>;

/// How long a native thread waits for work.
const PATIENCE: Duration = Duration::from_secs(2);
/// Most native threads that wait.
const MOST_IDLE: usize = 128;
/// What a waiting thread keeps committed of its stack, below where it waits.
const KEPT_BYTES: usize = 16 << 10;

/// The native threads that wait for work; the one that came last goes first.
#[derive(Default)]
pub(crate) struct Workers(Mutex<Vec<Arc<Worker>>>);

#[derive(Default)]
struct Worker {
    next: Mutex<Option<(Start, Life)>>,
    given: Condvar,
}

impl Workers {
    fn idle(&self) -> MutexGuard<'_, Vec<Arc<Worker>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lives a context's life on a native thread. An error drops the context.
    pub(crate) fn begin(self: &Arc<Workers>, start: Start, life: Life) -> std::io::Result<()> {
        let waiting = self.idle().pop();
        if let Some(worker) = waiting {
            *worker.next() = Some((start, life));
            worker.given.notify_all();
            return Ok(());
        }
        let workers = self.clone();
        std::thread::Builder::new().stack_size(NATIVE_BYTES).spawn(move || work(&workers, start, life)).map(drop)
    }

    /// Forks while nobody changes the list.
    pub(crate) fn fork_locked<R>(&self, fork: impl FnOnce() -> R, is_child: impl FnOnce(&R) -> bool) -> R {
        let mut idle = self.idle();
        let result = fork();
        if is_child(&result) {
            // Their threads are gone, which would have let go of them.
            std::mem::take(&mut *idle).into_iter().for_each(std::mem::forget);
        }
        result
    }

    /// Enters a thread that is about to wait, unless enough of them do.
    fn enter(&self, worker: &Arc<Worker>) -> bool {
        let mut idle = self.idle();
        let has_room = idle.len() < MOST_IDLE;
        if has_room {
            idle.push(worker.clone());
        }
        has_room
    }

    /// What a thread in the list is to do next; `None` if nobody wants it.
    fn wait(&self, worker: &Arc<Worker>) -> Option<(Start, Life)> {
        drop(worker.given.wait_timeout_while(worker.next(), PATIENCE, |next| next.is_none()));
        let next = worker.next().take();
        if next.is_some() {
            return next;
        }
        let mut idle = self.idle();
        if let Some(position) = idle.iter().position(|w| Arc::ptr_eq(w, worker)) {
            idle.remove(position);
            return None;
        }
        drop(idle);
        // Whoever took it out of the list is about to give it something.
        let waited = worker.given.wait_while(worker.next(), |next| next.is_none());
        waited.unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Worker {
    fn next(&self) -> MutexGuard<'_, Option<(Start, Life)>> {
        self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A native thread's life.
fn work(workers: &Workers, start: Start, life: Life) {
    let marker = 0usize;
    let base = std::ptr::from_ref(&marker).addr();
    let worker = Arc::new(Worker::default());
    let mut next = Some((start, life));
    while let Some((start, life)) = next {
        let shared = life(start);
        let waits = workers.enter(&worker);
        shared.release();
        if !waits {
            return;
        }
        give_back_stack(base);
        next = workers.wait(&worker);
    }
}

/// Gives back what deep calls have committed of the running thread's stack, which began at `base`.
#[inline(never)]
fn give_back_stack(base: usize) {
    const PAGE_BYTES: usize = 4 << 10;
    let first = (base - STACK_BYTES).next_multiple_of(PAGE_BYTES);
    let last = (base - KEPT_BYTES) & !(PAGE_BYTES - 1);
    // SAFETY: whole pages of this thread's stack, whose size the thread was started with. They lie below the running frame,
    // which is near `base`, and below what signal handlers may use meanwhile.
    unsafe { libc::madvise(std::ptr::with_exposed_provenance_mut(first), last - first, libc::MADV_DONTNEED) };
}
