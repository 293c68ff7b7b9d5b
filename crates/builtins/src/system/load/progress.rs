//! Which files are being loaded, by which threads and fibers.
//!
//! A thread that requires what another one is loading waits until that is over. It looks again now and then instead of
//! being told: the other may run in another Ractor, and loading is not what a program does all day.

use super::{lock, paths};
use crate::control::thread::{OWN_FIBER, sleep};
use carat_sync::Mutex;
use carat_vm::thread::Wait;
use carat_vm::{Array, Ec, Result, Value};
use std::time::{Duration, Instant};

const PAUSE: Duration = Duration::from_millis(2);

/// A thread and its fiber, and the file that it loads or waits for.
struct Entry {
    thread: Value,
    fiber: Value,
    path: Vec<u8>,
    /// Of a file that is being loaded while there are other threads: the constants that it assigns. Whoever loads it keeps the
    /// list.
    assigned: Option<Array>,
}

#[derive(Default)]
pub(super) struct Progress {
    loading: Mutex<Vec<Entry>>,
    waiting: Mutex<Vec<Entry>>,
}

/// What became of an attempt to load a file.
#[derive(PartialEq, Eq)]
pub(super) enum Start {
    /// The running thread loads it now and must call [`Progress::end`].
    Mine,
    /// The running thread waits for this very file, perhaps through other threads.
    Circular,
    /// Another thread was at it and has ended, whether well or not.
    Ended,
}

impl Progress {
    pub(super) fn start(&self, ec: &mut Ec, path: &[u8]) -> Result<Start> {
        let (me, fiber) = (ec.current_thread(), ec.current_fiber().value());
        let own = Entry { thread: me, fiber, path: path.into(), assigned: None };
        let Some((thread, loader)) = self.loader(path) else {
            lock(&self.loading).push(own);
            return Ok(Start::Mine);
        };
        if thread == me && loader != fiber {
            return self.wait_for_fiber(ec, path).map(|()| Start::Ended);
        }
        if self.leads_to(thread, me) {
            return Ok(Start::Circular);
        }
        lock(&self.waiting).push(own);
        let result = self.wait(ec, path);
        lock(&self.waiting).retain(|entry| entry.thread != me);
        result.map(|()| Start::Ended)
    }

    pub(super) fn end(&self, path: &[u8]) {
        lock(&self.loading).retain(|entry| entry.path != path);
    }

    pub(super) fn note_list(&self, path: &[u8], assigned: Option<Array>) {
        lock(&self.loading).iter_mut().filter(|entry| entry.path == path).for_each(|entry| entry.assigned = assigned);
    }

    /// The list of a file that the running fiber is loading.
    pub(super) fn mine(&self, ec: &mut Ec, path: &[u8]) -> Option<Option<Array>> {
        let fiber = ec.current_fiber().value();
        let loading = lock(&self.loading);
        loading.iter().find(|entry| entry.path == path && entry.fiber == fiber).map(|entry| entry.assigned)
    }

    /// Forgets what other threads were loading; the lists of those files.
    pub(super) fn keep_mine(&self, ec: &Ec) -> Vec<Array> {
        let me = ec.current_thread();
        lock(&self.waiting).retain(|entry| entry.thread == me);
        let mut loading = lock(&self.loading);
        let lists = loading.iter().filter(|entry| entry.thread != me).filter_map(|entry| entry.assigned).collect();
        loading.retain(|entry| entry.thread == me);
        lists
    }

    /// Whether the running thread is loading a file of this name, in whatever folder.
    pub(super) fn may_be_loading(&self, ec: &Ec, feature: &[u8]) -> bool {
        let (me, name) = (ec.current_thread(), paths::stem(paths::name(feature)));
        lock(&self.loading).iter().any(|entry| entry.thread == me && paths::stem(paths::name(&entry.path)) == name)
    }

    fn loader(&self, path: &[u8]) -> Option<(Value, Value)> {
        lock(&self.loading).iter().find(|entry| entry.path == path).map(|entry| (entry.thread, entry.fiber))
    }

    /// Whether a thread is another one or waits for it.
    fn leads_to(&self, mut thread: Value, other: Value) -> bool {
        loop {
            if thread == other {
                return true;
            }
            let wanted = lock(&self.waiting).iter().find(|entry| entry.thread == thread).map(|e| e.path.clone());
            let Some((next, _)) = wanted.and_then(|path| self.loader(&path)) else { return false };
            thread = next;
        }
    }

    fn wait(&self, ec: &mut Ec, path: &[u8]) -> Result<()> {
        while self.loader(path).is_some() {
            ec.park(Some(Instant::now() + PAUSE), Wait::Idle)?;
        }
        Ok(())
    }

    /// Another fiber of the running thread loads the file.
    fn wait_for_fiber(&self, ec: &mut Ec, path: &[u8]) -> Result<()> {
        while self.loader(path).is_some() {
            let Some(scheduler) = ec.current_scheduler() else {
                return Err(ec.thread_error(OWN_FIBER));
            };
            let pause = ec.float(PAUSE.as_secs_f64());
            sleep::by_scheduler(ec, scheduler, Some(pause))?;
        }
        Ok(())
    }
}
