//! Polls: where collections run, threads take turns and interrupts arrive.

use crate::concurrency::ractor::RactorShared;
use crate::ec::{Ec, Result, Stress, interrupt};
use crate::foreign::thread_event;
use carat_heap::reserve;
use std::sync::atomic::Ordering;

/// What `builtins` answers.
const FOR_HOOK: u32 = interrupt::SIGNAL | interrupt::FINALIZE;

impl Ec {
    /// Does whatever was asked of this thread. The running frame must be published.
    ///
    /// May collect, run other threads, and raise.
    #[cold]
    #[inline(never)]
    pub fn poll(&mut self) -> Result<()> {
        // In this order: whoever arms the context between the two makes it poll once more.
        self.disarm();
        let asked = self.interrupts.swap(0, Ordering::SeqCst);
        if self.vm().limits.is_active() {
            // What was asked besides is asked again: a stop leaves the poll here.
            if let Err(stop) = self.check_limits() {
                self.arm(asked);
                return Err(stop);
            }
        }
        if asked & interrupt::RELOAD != 0 {
            crate::run::interp::refresh_table(self);
        }
        if asked & interrupt::SAMPLE != 0 {
            crate::inspect::recorder::sampler::near(self);
        }
        // All threads of the Ractor were asked: the first that comes by collects for all.
        let is_due = self.heap().collection_due();
        let is_short = reserve::is_short();
        if is_due && (is_short || !self.vm().is_gc_disabled.load(Ordering::Relaxed)) {
            crate::memory::gc::collect_due(self);
        }
        if is_due && let Err(stop) = self.check_memory() {
            self.arm(asked & !interrupt::COLLECT);
            return Err(stop);
        }
        // What another collection could not fill up is no new shortage: the program was told.
        let is_exhausted = is_due && !reserve::fill() && is_short;
        if let Some(random) = self.stress_due() {
            crate::memory::gc::collect_for_stress(self, random);
        }
        if self.stress.is_some() {
            self.arm(0);
        }
        if asked & (interrupt::YIELD | interrupt::RAISE | interrupt::REQUEST | interrupt::JOB | FOR_HOOK) != 0 {
            self.poll_others(asked)?;
        }
        if is_exhausted { Err(self.no_memory()) } else { Ok(()) }
    }

    /// For native loops, once a turn: a poll if anything was asked of this thread. Like every poll it may run other code,
    /// which may change what the loop goes over.
    #[inline(always)]
    pub fn check_ints(&mut self) -> Result<()> {
        if self.is_armed() { self.poll() } else { Ok(()) }
    }

    fn poll_others(&mut self, asked: u32) -> Result<()> {
        if asked & interrupt::YIELD != 0 && self.ractor().shared.has_waiters() {
            self.yield_turn();
        }
        // What raises leaves the rest to the next poll.
        let left = asked & (interrupt::RAISE | interrupt::REQUEST | interrupt::JOB);
        if asked & FOR_HOOK != 0 {
            self.run_interrupt_hook(asked).inspect_err(|_| {
                self.interruptions += 1;
                self.arm(left | asked & FOR_HOOK);
            })?;
        }
        if asked & interrupt::JOB != 0 {
            self.run_foreign_jobs();
        }
        if asked & interrupt::REQUEST != 0 && self.is_main_ractor() {
            self.serve_requests().inspect_err(|_| self.arm(left & !interrupt::JOB))?;
        }
        // Another thread may have asked for it while this one waited for its turn.
        self.deliver_interrupts(false)
    }

    /// Has the core classes do what an interrupt asks of them: finalizers, signal handlers.
    pub fn run_interrupt_hook(&mut self, asked: u32) -> Result<()> {
        self.vm().interrupt_hook().map_or(Ok(()), |hook| hook(self, asked))
    }

    fn yield_turn(&mut self) {
        self.without_turn_for(crate::concurrency::ractor::LONG_PATIENCE, || ());
    }

    /// Runs a blocking operation while other threads of the Ractor take their turns. It must not touch Ruby objects.
    pub fn without_turn<R>(&mut self, operation: impl FnOnce() -> R) -> R {
        self.without_turn_for(crate::concurrency::ractor::PATIENCE, operation)
    }

    /// The same for an operation that takes no time as a rule: others take their turn only if it takes long.
    pub(crate) fn lending_turn<R>(&mut self, operation: impl FnOnce() -> R) -> R {
        self.apart_from_turn(
            operation,
            |_, shared| shared.lend(),
            |ec, shared, lent| {
                if !shared.take_back(lent) {
                    ec.tell_of_thread(thread_event::SUSPENDED);
                    ec.tell_of_thread(thread_event::READY);
                    shared.acquire(crate::concurrency::ractor::PATIENCE);
                    ec.tell_of_thread(thread_event::RESUMED);
                }
            },
        )
    }

    fn without_turn_for<R>(&mut self, patience: std::time::Duration, operation: impl FnOnce() -> R) -> R {
        let result = self.apart_from_turn(
            operation,
            |ec, shared| {
                ec.tell_of_thread(thread_event::SUSPENDED);
                shared.release();
            },
            |ec, shared, ()| {
                ec.tell_of_thread(thread_event::READY);
                shared.acquire(patience);
                ec.tell_of_thread(thread_event::RESUMED);
            },
        );
        // The turn is fresh: who asked for it before has had it.
        self.interrupts.fetch_and(!interrupt::YIELD, Ordering::SeqCst);
        result
    }

    /// Runs an operation between `leave`, after which other threads may run, and `come_back`, after which none does.
    fn apart_from_turn<R, L>(
        &mut self,
        operation: impl FnOnce() -> R,
        leave: impl FnOnce(&mut Ec, &RactorShared) -> L,
        come_back: impl FnOnce(&mut Ec, &RactorShared, L),
    ) -> R {
        let shared = self.ractor().shared.clone();
        let mut steps = Some((operation, leave, come_back));
        let mut result = None;
        // All of it happens below the spilled registers: another thread's collection scans from there up.
        crate::memory::gc::with_registers_spilled(&mut |top| {
            self.native_top = top;
            // What lies above is not written while others may scan it.
            let Some((operation, leave, come_back)) = steps.take() else { return };
            let left = leave(self, &shared);
            let value = operation();
            come_back(self, &shared, left);
            result = Some(value);
        });
        // What was waited for may have come from outside.
        carat_os::contact::count();
        result.expect("the operation ran")
    }

    /// `GC.stress = true`: every poll collects.
    pub fn set_stress(&mut self, is_on: bool) {
        let configured = self.vm().config.gc_stress;
        self.stress = match (is_on, configured) {
            (true, _) => Some(Stress { state: 1, period: 1 }),
            (false, configured) => configured.map(|(seed, period)| Stress { state: seed | 1, period }),
        };
        self.arm(0);
    }

    /// A random number if stress asks for a collection at this poll.
    pub(crate) fn stress_due(&mut self) -> Option<u64> {
        let Stress { state, period } = self.stress.as_mut()?;
        // xorshift64: any sequence does that a seed reproduces.
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        state.is_multiple_of(*period).then_some(*state >> 32)
    }
}
