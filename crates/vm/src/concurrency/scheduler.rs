//! Fiber schedulers: objects of the program that decide which fiber runs while another one waits.
//!
//! A thread may have one. Its fibers that are not blocking ask it where they would put the whole thread to sleep: `block` and
//! `unblock` for what waits for others, `kernel_sleep` for time, other hooks for streams, processes and names of hosts. Waiting
//! lists then hold fibers besides threads.
//!
//! # Not here
//! `Fiber.set_scheduler` and its kin: `builtins::fiber`. The hooks of streams: `builtins::io::scheduler`.

use crate::concurrency::fiber::Fiber;
use crate::concurrency::thread::Thread;
use crate::ec::{Ec, Result};
use crate::value::data::Data;
use carat_layout::Value;
use std::time::Instant;

impl Ec {
    fn scheduler_of(&self, thread: Value) -> Option<Value> {
        Data::<Thread>::from_value(thread).map(|t| t.get(self).scheduler()).filter(|s| !s.is_nil())
    }

    /// The running thread's scheduler.
    pub fn scheduler(&self) -> Option<Value> {
        self.scheduler_of(self.thread)
    }

    /// Gives the running thread a scheduler, or none with nil.
    pub fn set_scheduler(&mut self, scheduler: Value) {
        let thread = self.thread_data();
        thread.get_mut(self).set_scheduler(scheduler);
        self.wrote(thread.value());
    }

    /// The scheduler that the running fiber asks: none if the fiber is blocking.
    pub fn current_scheduler(&mut self) -> Option<Value> {
        let scheduler = self.scheduler()?;
        let fiber = self.current_fiber();
        (!fiber.get(self).is_blocking()).then_some(scheduler)
    }

    /// The answer of a hook that a scheduler may have; `None` if nobody is asked, or it has none.
    pub fn call_scheduler(&mut self, hook: &str, args: &[Value]) -> Result<Option<Value>> {
        let Some(scheduler) = self.current_scheduler() else { return Ok(None) };
        let hook = self.vm().intern(hook);
        self.call_if_responds(scheduler, hook, args)
    }

    /// What stands for the running code in a waiting list: its thread, or its fiber if a scheduler is asked.
    pub fn waiter(&mut self) -> Value {
        match self.current_scheduler() {
            Some(_) => self.current_fiber().value(),
            None => self.thread,
        }
    }

    /// Waits as [`Ec::park_and_look`] does, or lets the scheduler run other fibers meanwhile.
    pub fn park_for(&mut self, blocker: Value, deadline: Option<Instant>) -> Result<bool> {
        let Some(scheduler) = self.current_scheduler() else {
            return self.park_and_look(deadline, crate::concurrency::thread::Wait::ForOthers);
        };
        let limit = match deadline {
            Some(deadline) => self.float(deadline.saturating_duration_since(Instant::now()).as_secs_f64()),
            None => Value::NIL,
        };
        let block = self.vm().intern("block");
        let answer = self.call(scheduler, block, &[blocker, limit])?;
        // The time decides whether it has run out: who is woken for nothing waits again.
        Ok(answer.truthy() || deadline.is_none_or(|deadline| Instant::now() < deadline))
    }

    /// Tells the scheduler of a fiber's thread that the fiber may go on, as what it waited for is there. What ends the call
    /// in the middle could leave the fiber asleep for ever, so no interrupt does.
    pub(crate) fn unblock_fiber(&mut self, blocker: Value, fiber: Data<Fiber>) -> Result<()> {
        let thread = fiber.get(self).thread();
        let Some(scheduler) = self.scheduler_of(thread) else { return Ok(()) };
        let unblock = self.vm().intern("unblock");
        self.holding_interrupts(|ec| ec.call(scheduler, unblock, &[blocker, fiber.value()]))?;
        self.check_ints()
    }

    /// Whether a value is a fiber that may still run: not one of a thread that a fork left behind.
    pub fn is_living_fiber(&self, fiber: Value) -> bool {
        Data::<Fiber>::from_value(fiber).is_some_and(|f| {
            let is_thread_alive =
                Data::<Thread>::from_value(f.get(self).thread()).is_some_and(|t| t.get(self).is_alive());
            f.get(self).is_alive() && is_thread_alive
        })
    }
}

impl Data<Fiber> {
    /// Whether something else may run a fiber while this one waits: another thread, or this one's scheduler.
    pub fn can_be_waited_for(self, ec: &Ec) -> bool {
        self.get(ec).thread() != ec.thread
            || ec.scheduler().is_some() && !Data::<Fiber>::from_value(ec.fiber).is_none_or(|f| f.get(ec).is_blocking())
    }

    /// Asks the scheduler of a fiber's thread to raise something in it; false if it has no way to.
    pub fn interrupt_scheduled(self, ec: &mut Ec, exception: Value) -> Result<bool> {
        let thread = self.get(ec).thread();
        let Some(scheduler) = ec.scheduler_of(thread) else { return Ok(false) };
        let interrupt = ec.vm().intern("fiber_interrupt");
        let args = [self.value(), exception];
        let answer = ec.holding_interrupts(|ec| ec.call_if_responds(scheduler, interrupt, &args))?;
        ec.check_ints()?;
        Ok(answer.is_some())
    }
}
