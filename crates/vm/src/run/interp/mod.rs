//! The interpreter: one routine an instruction, each ending in a jump to the next through the context's table.
//!
//! All state travels in arguments: `pc`, `fp`, `ec` and the running code's caches. In optimised builds every hand-over is a
//! tail call, which holds as long as no local of a handler has a destructor: whatever needs one happens in a callee that
//! returns plain words. Development builds return to a loop instead, and so do builds whose optimisation we do not choose (feature
//! `returning`): a hand-over that is a call would use up the native stack.
//!
//! # Code map
//! `ops`: the handlers, by family. `enter`: pushing frames. `construct`: `Class#new`. `slow`: calls that need more than the fast path.
//!
//! # Invariants
//! * `ec.fp`, `ec.pc` and `ec.sp` are only valid inside slow paths, which set them first (`publish`).
//! * A handler reads operands before it writes its destination.

mod construct;
mod enter;
pub(crate) mod ops;
mod slow;

pub(crate) use construct::{CONSTRUCTORS, Constructor};
pub(crate) use enter::{
    Return, enter_block_from_native, enter_eval_from_native, enter_method_from_native, run_native, run_native_plain,
};
pub(crate) use slow::{
    called_name, refined_for, refined_method, running_method, super_method, super_method_of, super_method_seen,
};
pub(crate) use slow::{invoke_bound, unwind as slow_unwind};

use crate::compiled::{leave_compiled, turn_counted};
use crate::ec::{Ec, Result, Unwind};
use crate::run::code::CacheCell;
use crate::run::frame::Fp;
use carat_iseq::{Insn, Op, for_each_insn};
use carat_layout::Value;

/// Routine of one instruction.
pub(crate) type Handler =
    unsafe extern "C-unwind" fn(pc: *const Insn, fp: *mut Value, ec: *mut Ec, caches: *mut CacheCell) -> usize;

/// What a run of the interpreter ended with.
pub(crate) const EXIT_VALUE: usize = 0;
pub(crate) const EXIT_UNWIND: usize = 1;
/// Builds that return to a loop only: go on with `ec.resume`.
#[cfg(any(debug_assertions, feature = "returning"))]
pub(crate) const CONTINUE: usize = 2;

/// Hands over to the instruction at `pc`.
///
/// # Safety
/// `pc`, `fp` and `caches` belong to one live frame of `ec`'s stack.
#[inline(always)]
pub(crate) unsafe fn dispatch(pc: *const Insn, fp: *mut Value, ec: *mut Ec, caches: *mut CacheCell) -> usize {
    #[cfg(not(any(debug_assertions, feature = "returning")))]
    // SAFETY: by contract; the table has a routine for every operation.
    unsafe {
        let handler = *(&raw const (*ec).table).cast::<Handler>().add((*pc).op as usize);
        handler(pc, fp, ec, caches)
    }
    #[cfg(any(debug_assertions, feature = "returning"))]
    // SAFETY: by contract.
    unsafe {
        (*ec).resume = (pc, fp, caches);
        CONTINUE
    }
}

/// Hands over to the instruction at `pc` by a back edge, which is counted.
///
/// # Safety
/// As [`dispatch`].
#[inline(always)]
pub(crate) unsafe fn turn(pc: *const Insn, fp: *mut Value, ec: *mut Ec, caches: *mut CacheCell) -> usize {
    // SAFETY: by contract.
    unsafe {
        if (*ec).is_turn_counted() {
            return turn_counted(pc, fp, ec, caches);
        }
        dispatch(pc, fp, ec, caches)
    }
}

/// Makes the running frame visible to slow paths: registers up to `sp` are alive.
#[inline(always)]
pub(crate) unsafe fn publish(ec: *mut Ec, pc: *const Insn, fp: *mut Value, sp: *mut Value) {
    // SAFETY: the caller's context.
    unsafe {
        (*ec).fp = Fp(fp);
        (*ec).pc = pc;
        (*ec).sp = sp;
    }
}

/// Publishes with every register of the frame alive.
#[inline(always)]
pub(crate) unsafe fn publish_all(ec: *mut Ec, pc: *const Insn, fp: *mut Value) {
    // SAFETY: a frame has `frame_size` registers.
    unsafe { publish(ec, pc, fp, fp.add(usize::from(Fp(fp).code().frame_size))) }
}

/// Runs until the boundary frame below is reached.
///
/// # Safety
/// The arguments belong to a live frame above a boundary frame.
pub(crate) unsafe fn run(ec: *mut Ec, pc: *const Insn, fp: *mut Value, caches: *mut CacheCell, boundary: Fp) -> Result {
    // SAFETY: by contract.
    unsafe {
        let (outer, place) = ((*ec).leave_c(), (*ec).trace.place());
        #[cfg(not(any(debug_assertions, feature = "returning")))]
        let exit = dispatch(pc, fp, ec, caches);
        #[cfg(any(debug_assertions, feature = "returning"))]
        let exit = {
            (*ec).resume = (pc, fp, caches);
            loop {
                let (pc, fp, caches) = (*ec).resume;
                let handler = (&(*ec).table)[(*pc).op as usize].get();
                let exit = handler(pc, fp, ec, caches);
                if exit != CONTINUE {
                    break exit;
                }
            }
        };
        (*ec).set_in_c(outer);
        (*ec).trace.returns_to(place);
        if exit == EXIT_VALUE { Ok(boundary.reg(0)) } else { Err(Unwind(())) }
    }
}

/// The code that boundary frames return to: the result goes to register 0.
static HALT: [Insn; 2] = [Insn::abc(Op::ext, 0, 0, 0), Insn::abc(Op::nop, 0, 0, 0)];

/// Where a frame above a boundary returns to. Its handler is found by address: see [`ops::control::leave`].
pub(crate) fn halt_pc() -> *const Insn {
    &raw const HALT[1]
}

macro_rules! table_of {
    ($($name:ident)+) => {
        /// The table with the fast handlers.
        pub(crate) fn handlers() -> [Handler; 256] {
            let mut table: [Handler; 256] = [ops::unknown; 256];
            $(table[Op::$name as usize] = ops::$name;)+
            table
        }
    };
}

for_each_insn!(table_of);

/// Replaces the handlers whose operators programs redefined, and all of them while the context's Ractor traces or anybody records.
pub(crate) fn refresh_table(ec: &Ec) {
    let mut fast = handlers();
    let mut is_redefined = false;
    for (name, replaced) in ops::arith::WATCHED {
        let is_called = ec.traces_native_calls() && !ops::arith::SILENT.contains(name);
        if is_called || crate::model::redefinition::is_redefined(ec, *name) {
            for op in *replaced {
                fast[*op as usize] = ops::arith::generic(*op);
                is_redefined = true;
            }
        }
    }
    let is_recorded =
        ec.vm().recordings.load(std::sync::atomic::Ordering::Acquire) > 0 || ec.ractor().waits_for_sample.get();
    let instead: Option<Handler> = match ec.traces_steps() {
        true => Some(crate::inspect::trace::traced),
        false if ec.ractor().watch.borrow().is_some() => Some(crate::inspect::recorder::writers::watched),
        false => is_recorded.then_some(crate::inspect::recorder::recorded),
    };
    for (index, handler) in fast.into_iter().enumerate() {
        ec.plain[index].set(handler);
        ec.table[index].set(instead.unwrap_or(handler));
    }
    if !ec.traces_steps() {
        let quiet = Op::ALL.iter().filter(|op| !crate::inspect::recorder::allocates(**op)).map(|op| *op as usize);
        quiet.for_each(|index| ec.table[index].set(fast[index]));
        if is_recorded {
            ec.table[Op::putstring as usize].set(ops::putstring_recorded);
        }
    }
    // Templates know nothing of all this.
    ec.is_compiled_off.set(is_redefined || instead.is_some());
    if ec.is_compiled_off.get() {
        for op in [Op::enter_compiled, Op::count_entry] {
            ec.table[op as usize].set(leave_compiled);
            ec.plain[op as usize].set(leave_compiled);
        }
    }
}

/// A heap records what code of this Ractor allocates as soon as the world goes on, and asks the context for its frame: no
/// instruction may run with a handler that does not publish it. The Ractor stands still.
pub(crate) fn refresh_tables_of(ractor: &crate::concurrency::ractor::Ractor) {
    for context in ractor.contexts.borrow().iter() {
        // SAFETY: contexts in the list are alive, and wait for their turn or are the caller's.
        refresh_table(unsafe { &**context });
    }
}

impl Ec {
    /// After a redefinition: this context's instruction table at once, the others' at their next poll.
    pub(crate) fn refresh_instruction_tables(&self) {
        refresh_table(self);
        for ractor in self.vm().ractors().iter() {
            ractor.shared.arm_all(crate::ec::interrupt::RELOAD);
        }
    }

    /// The same for this Ractor alone.
    pub(crate) fn refresh_ractor_tables(&self) {
        refresh_table(self);
        self.ractor().shared.arm_all(crate::ec::interrupt::RELOAD);
    }
}
