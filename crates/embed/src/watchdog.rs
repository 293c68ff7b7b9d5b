//! The thread that stops a VM at its deadline.

use carat_vm::limits::Stop;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

#[derive(Default)]
struct State {
    deadline: Option<Instant>,
    is_over: bool,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn update(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state());
        self.changed.notify_all();
    }
}

/// Ends with its owner, and before the VM does.
pub(crate) struct Watchdog {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// Little is done on it.
const STACK_BYTES: usize = 64 << 10;

impl Watchdog {
    pub(crate) fn start(vm: &'static carat_vm::Vm) -> std::io::Result<Watchdog> {
        let shared = Arc::new(Shared::default());
        let watched = shared.clone();
        let body = move || {
            carat_os::signal::block_signals();
            watch(&watched, vm);
        };
        let thread = std::thread::Builder::new().name("watchdog".into()).stack_size(STACK_BYTES).spawn(body)?;
        Ok(Watchdog { shared, thread: Some(thread) })
    }

    pub(crate) fn set(&self, deadline: Option<Instant>) {
        self.shared.update(|state| state.deadline = deadline);
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.shared.update(|state| state.is_over = true);
        self.thread.take().into_iter().for_each(|thread| drop(thread.join()));
    }
}

fn watch(shared: &Shared, vm: &'static carat_vm::Vm) {
    let mut state = shared.state();
    while !state.is_over {
        let now = Instant::now();
        match state.deadline {
            None => state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            Some(deadline) if deadline > now => {
                let waited = shared.changed.wait_timeout(state, deadline - now);
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
            // Whoever takes the deadline away waits for this lock, so no later call is stopped.
            Some(_) => {
                state.deadline = None;
                vm.stop(Stop::Deadline);
            }
        }
    }
}
