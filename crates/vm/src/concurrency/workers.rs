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
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Builder;
use std::time::Duration;

/// Runs a context on its thread to its end. The thread still has the turn of the Ractor that it returns.
type Life = fn(Start) -> Arc<RactorShared>;

/// How long a native thread waits for work.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a VM that goes away waits for its threads.
const CLOSING: Duration = Duration::from_secs(1);
/// Most native threads that wait.
const MOST_IDLE: usize = 128;
/// What a waiting thread keeps committed of its stack, below where it waits.
const KEPT_BYTES: usize = 16 << 10;

/// The native threads that wait for work; the one that came last goes first.
#[derive(Default)]
pub(crate) struct Workers {
    idle: Mutex<Vec<Arc<Worker>>>,
    /// Native threads that there are, and what tells that one has ended.
    living: Mutex<usize>,
    ended: Condvar,
    /// The VM is going away: nobody waits for work.
    is_closed: AtomicBool,
}

#[derive(Default)]
struct Worker {
    next: Mutex<Option<(Start, Life)>>,
    given: Condvar,
}

impl Workers {
    fn idle(&self) -> MutexGuard<'_, Vec<Arc<Worker>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lives a context's life on a native thread, or gives it back with what the system says.
    pub(crate) fn begin(self: &Arc<Workers>, start: Start, life: Life) -> Result<(), (Start, std::io::Error)> {
        let waiting = self.idle().pop();
        if let Some(worker) = waiting {
            *worker.next() = Some((start, life));
            worker.given.notify_all();
            return Ok(());
        }
        let (workers, given) = (self.clone(), Arc::new(Mutex::new(Some(start))));
        let taken = given.clone();
        *self.living() += 1;
        let body = move || {
            work(&workers, take_start(&taken), life);
            *workers.living() -= 1;
            workers.ended.notify_all();
        };
        let begun = carat_os::thread::spawn(Builder::new().stack_size(NATIVE_BYTES), body);
        begun.map(drop).map_err(|error| {
            *self.living() -= 1;
            (take_start(&given), error)
        })
    }

    fn living(&self) -> MutexGuard<'_, usize> {
        self.living.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the threads that wait, and waits for those that end; one that is stuck in the system for a moment only.
    pub(crate) fn close(&self) {
        self.is_closed.store(true, Ordering::SeqCst);
        for worker in std::mem::take(&mut *self.idle()) {
            drop(worker.next());
            worker.given.notify_all();
        }
        drop(self.ended.wait_timeout_while(self.living(), CLOSING, |living| *living > 0));
    }

    /// Forks while nobody changes the list or the count.
    pub(crate) fn fork_locked<R>(&self, fork: impl FnOnce() -> R, is_child: impl FnOnce(&R) -> bool) -> R {
        let mut idle = self.idle();
        let mut living = self.living();
        let result = fork();
        if is_child(&result) {
            // Their threads are gone, which would have let go of them.
            std::mem::take(&mut *idle).into_iter().for_each(std::mem::forget);
            *living = 0;
        }
        result
    }

    /// Enters a thread that is about to wait, unless enough of them do.
    fn enter(&self, worker: &Arc<Worker>) -> bool {
        let mut idle = self.idle();
        let has_room = idle.len() < MOST_IDLE && !self.is_closed.load(Ordering::SeqCst);
        if has_room {
            idle.push(worker.clone());
        }
        has_room
    }

    /// What a thread in the list is to do next; `None` if nobody wants it.
    fn wait(&self, worker: &Arc<Worker>) -> Option<(Start, Life)> {
        let is_needed = |next: &mut Option<_>| next.is_none() && !self.is_closed.load(Ordering::SeqCst);
        drop(worker.given.wait_timeout_while(worker.next(), PATIENCE, is_needed));
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
        if self.is_closed.load(Ordering::SeqCst) {
            return None;
        }
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

/// The context that was left for a native thread, to be taken once: by the thread, or by whoever could not start it.
fn take_start(given: &Mutex<Option<Start>>) -> Start {
    given.lock().unwrap_or_else(PoisonError::into_inner).take().expect("one of two takes it")
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
    let (first, last) = pages_to_give_back(base, carat_os::page_bytes());
    // SAFETY: whole pages of this thread's stack, whose size the thread was started with. They lie below the running frame,
    // which is near `base`, and below what signal handlers may use meanwhile.
    unsafe { libc::madvise(std::ptr::with_exposed_provenance_mut(first), last - first, libc::MADV_DONTNEED) };
}

/// Where the pages begin and end. The system rounds a length up: an end within a page would take the rest of it, too.
fn pages_to_give_back(base: usize, page_bytes: usize) -> (usize, usize) {
    ((base - STACK_BYTES).next_multiple_of(page_bytes), (base - KEPT_BYTES) / page_bytes * page_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_waiting_thread_keeps_is_kept_whatever_the_size_of_pages() {
        for page_bytes in [4 << 10, 16 << 10, 64 << 10] {
            for base in [STACK_BYTES + (64 << 20), STACK_BYTES + (64 << 20) + 0x3ff8] {
                let (first, last) = pages_to_give_back(base, page_bytes);
                assert!(first.is_multiple_of(page_bytes) && last.is_multiple_of(page_bytes));
                assert!(base - STACK_BYTES <= first && first < last && last <= base - KEPT_BYTES);
            }
        }
    }
}
