//! `Fiber.set_scheduler`, `Fiber.schedule` and what asks for the scheduler. See `carat_vm::scheduler`.

use carat_vm::call::Passing;
use carat_vm::{Block, Class, Ec, Keywords, Rest, Result, Value, methods};

methods! {
    METHODS {
        static "set_scheduler" => set;
        static "scheduler" => of_thread;
        static "current_scheduler" => current;
        static "schedule" => schedule;
    }
}

const REQUIRED: [&str; 4] = ["block", "unblock", "kernel_sleep", "io_wait"];

/// Replaces the thread's scheduler; the one before runs to its end first.
fn set(ec: &mut Ec, _class: Class, scheduler: Value) -> Result {
    if !scheduler.is_nil() {
        check(ec, scheduler)?;
    }
    close(ec)?;
    ec.set_scheduler(scheduler);
    Ok(scheduler)
}

fn check(ec: &mut Ec, scheduler: Value) -> Result<()> {
    for name in REQUIRED {
        let method = ec.vm().intern(name);
        if !ec.respond_to(scheduler, method, false)? {
            return Err(ec.argument_error(&format!("Scheduler must implement #{name}")));
        }
    }
    let interrupt = ec.vm().intern("fiber_interrupt");
    if !ec.respond_to(scheduler, interrupt, false)? {
        ec.warn("Scheduler should implement #fiber_interrupt")?;
    }
    Ok(())
}

/// Lets the thread's scheduler run to its end, and takes it away.
pub(crate) fn close(ec: &mut Ec) -> Result<()> {
    let Some(scheduler) = ec.scheduler() else { return Ok(()) };
    let (own, general) = (ec.vm().intern("scheduler_close"), ec.vm().intern("close"));
    let closed = match ec.call_if_responds(scheduler, own, &[]) {
        Ok(None) => ec.call_if_responds(scheduler, general, &[]),
        closed => closed,
    };
    ec.set_scheduler(Value::NIL);
    closed.map(drop)
}

fn of_thread(ec: &mut Ec, _class: Class) -> Option<Value> {
    ec.scheduler()
}

fn current(ec: &mut Ec, _class: Class) -> Option<Value> {
    ec.current_scheduler()
}

/// `Fiber.schedule { … }`: a new fiber, as the scheduler makes it.
fn schedule(ec: &mut Ec, _class: Class, args: Rest, keywords: Keywords, block: Option<Block>) -> Result {
    let Some(scheduler) = ec.scheduler() else { return Err(ec.runtime_error("No scheduler is available!")) };
    let block = block.map(|b| b.to_proc(ec));
    let fiber = ec.vm().intern("fiber");
    let args = args.to_array(ec);
    let args = args.slice_of(ec).to_vec().into_boxed_slice();
    ec.call_with(scheduler, fiber, &args, Passing { keywords: keywords.0, block })
}
