//! Polls: where collections run, threads take turns and interrupts arrive.

use crate::ec::{Ec, Result, Stress, interrupt};
use std::sync::atomic::Ordering;

impl Ec {
    /// Does whatever was asked of this thread. The running frame must be published.
    ///
    /// May collect, run other threads, and raise.
    #[cold]
    #[inline(never)]
    pub fn poll(&mut self) -> Result<()> {
        let asked = self.interrupts.swap(0, Ordering::AcqRel);
        self.disarm();
        if asked & interrupt::RELOAD != 0 {
            crate::interp::refresh_table(self);
        }
        if asked & interrupt::COLLECT != 0 || self.heap().collection_due() {
            crate::gc::collect(self, carat_heap::Collection::Full);
        }
        if self.stress_is_due() {
            crate::gc::collect(self, carat_heap::Collection::Full);
        }
        if self.stress.is_some() {
            self.arm(0);
        }
        if asked & (interrupt::YIELD | interrupt::RAISE | interrupt::SIGNAL) != 0 {
            return self.poll_others(asked);
        }
        Ok(())
    }

    fn poll_others(&mut self, asked: u32) -> Result<()> {
        if asked & interrupt::YIELD != 0 && self.ractor().shared.has_waiters() {
            self.without_turn(std::thread::yield_now);
        }
        if asked & (interrupt::RAISE | interrupt::SIGNAL) != 0
            && let Some(hook) = self.vm().interrupt_hook()
        {
            return hook(self, asked);
        }
        Ok(())
    }

    /// Runs a blocking operation while other threads of the Ractor take their turns. It must not touch Ruby objects.
    pub fn without_turn<R>(&mut self, operation: impl FnOnce() -> R) -> R {
        let shared = self.ractor().shared.clone();
        crate::gc::note_native_stack(self);
        shared.release();
        let result = operation();
        shared.acquire();
        result
    }

    fn stress_is_due(&mut self) -> bool {
        let Some(Stress { state, period }) = &mut self.stress else { return false };
        // xorshift64: any sequence does that a seed reproduces.
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        state.is_multiple_of(*period)
    }
}
