//! Fiber schedulers: objects of the program that decide which fiber runs while another one waits.
//!
//! A thread may have one. Its fibers that are not blocking ask it where they would put the whole thread to sleep: `block` and
//! `unblock` for what waits for others, `kernel_sleep` for time. Waiting lists then hold fibers besides threads.
//!
//! # Not here
//! `Fiber.set_scheduler` and its kin: see `builtins::fiber`. `io_wait`: reads and writes block the thread.

use crate::data::Data;
use crate::ec::{Ec, Result};
use crate::fiber::Fiber;
use carat_layout::{SymbolId, Value};
use std::time::Instant;

impl Ec {
    fn scheduler_name(&self) -> SymbolId {
        self.vm().intern("@__scheduler")
    }

    fn scheduler_of(&self, thread: Value) -> Option<Value> {
        self.field(thread, self.scheduler_name()).filter(|s| !s.is_nil())
    }

    /// The running thread's scheduler.
    pub fn scheduler(&self) -> Option<Value> {
        self.scheduler_of(self.thread)
    }

    /// Gives the running thread a scheduler, or none with nil.
    pub fn set_scheduler(&mut self, scheduler: Value) {
        let (thread, name) = (self.thread, self.scheduler_name());
        self.set_field(thread, name, scheduler);
    }

    /// The scheduler that the running fiber asks: none if the fiber is blocking.
    pub fn current_scheduler(&mut self) -> Option<Value> {
        let scheduler = self.scheduler()?;
        let fiber = self.current_fiber();
        (!fiber.get(self).is_blocking()).then_some(scheduler)
    }

    /// What stands for the running code in a waiting list: its thread, or its fiber if a scheduler is asked.
    pub fn waiter(&mut self) -> Value {
        match self.current_scheduler() {
            Some(_) => self.current_fiber().value(),
            None => self.thread,
        }
    }

    /// Waits as [`Ec::park`] does, or lets the scheduler run other fibers meanwhile.
    pub fn park_for(&mut self, blocker: Value, deadline: Option<Instant>) -> Result<bool> {
        let Some(scheduler) = self.current_scheduler() else {
            return self.park(deadline, crate::thread::Wait::ForOthers);
        };
        let limit = match deadline {
            Some(deadline) => self.float(deadline.saturating_duration_since(Instant::now()).as_secs_f64()),
            None => Value::NIL,
        };
        let block = self.vm().intern("block");
        Ok(self.call(scheduler, block, &[blocker, limit])?.truthy())
    }

    /// Tells the scheduler of a fiber's thread that the fiber may go on.
    pub(crate) fn unblock_fiber(&mut self, fiber: Data<Fiber>) {
        let thread = fiber.get(self).thread();
        let Some(scheduler) = self.scheduler_of(thread) else { return };
        let unblock = self.vm().intern("unblock");
        // What it raises has nothing to do with whoever gives something back.
        let _ = self.call(scheduler, unblock, &[Value::NIL, fiber.value()]);
    }
}
