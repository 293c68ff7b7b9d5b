//! Branches, returns and jumps out of blocks.

use super::basic::reg;
use super::{conclude, conclude_unit, handler};
use crate::ec::Ec;
use crate::run::frame::Fp;
use crate::run::interp::{dispatch, publish_all, slow, turn};
use carat_iseq::{Insn, Op};
use carat_layout::Value;

macro_rules! branch {
    ($($name:ident $condition:expr;)+) => {$(
        handler!($name(pc, fp, ec, caches) {
            let condition: fn(Value) -> bool = $condition;
            let offset = if condition(reg!(fp, (*pc).a)) { (*pc).d() as isize } else { 0 };
            dispatch(pc.add(1).offset(offset), fp, ec, caches)
        });
    )+};
}

branch! {
    branchif |v| v.truthy();
    branchunless |v| !v.truthy();
    branchnil |v| v.is_nil();
    branchnotnil |v| !v.is_nil();
    branchgiven |v| !v.is_undef();
    branchblock |v| v.is_undef();
}

// Proc#call is another method now: the block has to become a Proc.
handler!(#[inline(never)] branchblock_never(pc, fp, ec, caches) {
    dispatch(pc.add(1), fp, ec, caches)
});

handler!(jump(pc, fp, ec, caches) {
    dispatch(pc.add(1).offset((*pc).d() as isize), fp, ec, caches)
});

handler!(jump_back(pc, fp, ec, caches) {
    if (*ec).is_armed() {
        return slow::poll_jump(pc, fp, ec, caches);
    }
    turn(pc.add(1).offset((*pc).d() as isize), fp, ec, caches)
});

handler!(leave(pc, fp, ec, caches) {
    let value = reg!(fp, (*pc).a);
    let frame = Fp(fp);
    let ret = frame.ret_pc();
    let caller = frame.caller();
    caller.set_reg(usize::from((*ret.sub(1)).a), value);
    dispatch(ret, caller.0, ec, caller.code().caches)
});

/// Gives a value to where the frame at `fp` goes on at `pc`.
#[inline(always)]
unsafe fn give(pc: *const Insn, fp: Fp, value: Value, ec: *mut Ec) -> usize {
    // SAFETY: by the caller; the word before names the register for the result.
    unsafe {
        fp.set_reg(usize::from((*pc.sub(1)).a), value);
        dispatch(pc, fp.0, ec, fp.code().caches)
    }
}

handler!(return_from_block(pc, fp, ec, caches) {
    if crate::run::unwind::leaves_plainly(Fp(fp)) {
        return leave(pc, fp, ec, caches);
    }
    let from = crate::run::unwind::plainly_returning(&*ec, Fp(fp), pc.add(1));
    if !from.is_null() {
        return give(from.ret_pc(), from.caller(), reg!(fp, (*pc).a), ec);
    }
    publish_all(ec, pc.add(1), fp);
    crate::run::unwind::throw_return(&mut *ec, Fp(fp), reg!(fp, (*pc).a));
    slow::unwind(pc, fp, ec, caches)
});

handler!(break_from_block(pc, fp, ec, caches) {
    if crate::run::unwind::leaves_plainly(Fp(fp)) {
        return leave(pc, fp, ec, caches);
    }
    let (to, resume) = crate::run::unwind::plainly_broken(&*ec, Fp(fp), pc.add(1));
    if !to.is_null() {
        return give(resume, to, reg!(fp, (*pc).a), ec);
    }
    publish_all(ec, pc.add(1), fp);
    crate::run::unwind::throw_break(&mut *ec, Fp(fp), reg!(fp, (*pc).a));
    slow::unwind(pc, fp, ec, caches)
});

handler!(throw_jump(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    crate::run::unwind::throw_jump(&mut *ec, Fp(fp), pc.add(1).offset((*pc).d() as isize));
    slow::unwind(pc, fp, ec, caches)
});

handler!(rethrow(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    let _ = (*ec).unwind_with(reg!(fp, (*pc).a));
    slow::unwind(pc, fp, ec, caches)
});

handler!(checkrescue(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    let insn = *pc;
    let result = check_rescue(&mut *ec, reg!(fp, insn.b), reg!(fp, insn.c), insn.n == 1);
    if (*ec).traces_steps() && matches!(result, Ok(Value::TRUE)) {
        let body = rescue_body(pc.add(1));
        if let Err(unwind) = (*ec).report_rescue(Fp(fp), body, reg!(fp, insn.c)) {
            return conclude(Err(unwind), pc, 1, fp, ec, caches);
        }
    }
    conclude(result, pc, 1, fp, ec, caches)
});

/// Where the handler of an exception begins whose class was found to match, `branch` being what asks that.
unsafe fn rescue_body(branch: *const Insn) -> *const Insn {
    // SAFETY: an instruction of the running frame; so is what it jumps to.
    unsafe {
        match (*branch).op {
            Op::branchif => branch.add(1).offset((*branch).d() as isize),
            _ => branch.add(1),
        }
    }
}

#[inline(never)]
pub(crate) fn check_rescue(ec: &mut Ec, classes: Value, exception: Value, is_list: bool) -> crate::Result {
    if !is_list {
        return ec.rescue_matches(classes, exception).map(Value::bool);
    }
    let list = crate::Array::expect(classes);
    let mut index = 0;
    while index < list.len(ec) {
        if ec.rescue_matches(list.at(ec, index), exception)? {
            return Ok(Value::TRUE);
        }
        index += 1;
    }
    Ok(Value::FALSE)
}

handler!(checkmatch(pc, fp, ec, caches) {
    let insn = *pc;
    let (pattern, value) = (reg!(fp, insn.b), reg!(fp, insn.c));
    // Symbols and integers are what most `when` clauses name.
    if insn.n != 1 && (pattern.is_symbol() || pattern.both_fixnum(value)) && (*ec).matches_by_identity() {
        reg!(fp, insn.a) = Value::bool(pattern == value);
        return dispatch(pc.add(2), fp, ec, caches);
    }
    checkmatch_at_once(pc, fp, ec, caches)
});

handler!(#[inline(never)] checkmatch_at_once(pc, fp, ec, caches) {
    let insn = *pc;
    if insn.n != 1 && let Some(found) = (*ec).matches_at_once(reg!(fp, insn.b), reg!(fp, insn.c)) {
        reg!(fp, insn.a) = Value::bool(found);
        return dispatch(pc.add(2), fp, ec, caches);
    }
    if insn.n != 1 {
        return super::arith::call_binary(pc, fp, ec, caches);
    }
    checkmatch_any(pc, fp, ec, caches)
});

handler!(#[inline(never)] checkmatch_any(pc, fp, ec, caches) {
    publish_all(ec, pc.add(2), fp);
    let insn = *pc;
    conclude(match_any(&mut *ec, reg!(fp, insn.b), reg!(fp, insn.c)), pc, 2, fp, ec, caches)
});

#[inline(never)]
fn match_any(ec: &mut Ec, patterns: Value, value: Value) -> crate::Result {
    let list = crate::Array::expect(patterns);
    let mut index = 0;
    while index < list.len(ec) {
        if ec.case_matches(list.at(ec, index), value)? {
            return Ok(Value::TRUE);
        }
        index += 1;
    }
    Ok(Value::FALSE)
}

handler!(casehas(pc, fp, ec, caches) {
    let insn = *pc;
    let table = super::build::literal_hash(fp, usize::from(insn.c));
    reg!(fp, insn.a) = Value::bool((*ec).case_may_have(table, reg!(fp, insn.b)));
    dispatch(pc.add(1), fp, ec, caches)
});

handler!(raise_nomatch(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    let insn = *pc;
    conclude_unit(raise_no_match(&mut *ec, reg!(fp, insn.a), reg!(fp, insn.b), insn.n), pc, 1, fp, ec, caches)
});

#[inline(never)]
fn raise_no_match(ec: &mut Ec, message: Value, detail: Value, kind: u8) -> crate::Result<()> {
    let known = ec.vm().known();
    if kind == 0 {
        let exception = ec.new_exception_with(known.no_matching_pattern_error, message);
        return Err(ec.raise(exception));
    }
    let exception = ec.new_exception_with(known.no_matching_pattern_key_error, message);
    let detail = crate::Array::expect(detail);
    let (matchee, key) = (detail.at(ec, 0), detail.at(ec, 1));
    ec.set_field(exception, crate::model::symbol::sym::RECEIVER_IVAR, matchee);
    ec.set_field(exception, crate::model::symbol::sym::KEY_IVAR, key);
    Err(ec.raise(exception))
}

handler!(once(pc, fp, ec, caches) {
    let cell = caches.add(usize::from((*pc).c));
    if let Some(value) = known_once(cell) {
        reg!(fp, (*pc).a) = value;
        return dispatch(pc.add(1), fp, ec, caches);
    }
    publish_all(ec, pc.add(1), fp);
    conclude(run_once(&mut *ec, pc, fp, cell), pc, 1, fp, ec, caches)
});

/// What a place gave whose code has run.
///
/// # Safety
/// The cell of a place whose code runs once, of the running code.
#[inline(always)]
pub(crate) unsafe fn known_once(cell: *const crate::run::code::CacheCell) -> Option<Value> {
    // SAFETY: by contract.
    unsafe { ((*cell).shape == ONCE_DONE).then(|| Value::from_bits((*cell).target)) }
}

// States of a place whose code runs once. While it runs, `target` is the thread that runs it; then it is the value.
const ONCE_RUNS: u32 = 2;
const ONCE_DONE: u32 = 1;

fn is_living(ec: &mut Ec, thread: u64) -> bool {
    let living = ec.living_threads();
    (0..living.len(ec)).any(|index| living.at(ec, index).bits() == thread)
}

/// Another thread's run is waited for; one of its own, further down the stack, is not.
#[inline(never)]
unsafe fn run_once(
    ec: &mut Ec,
    pc: *const carat_iseq::Insn,
    fp: *mut Value,
    cell: *mut crate::run::code::CacheCell,
) -> crate::Result {
    // SAFETY: the running frame; the site is a Once.
    unsafe {
        let code = Fp(fp).code();
        let crate::run::link::LinkedSite::Once(child) = code.linked().sites[usize::from((*pc).c)] else {
            return Ok(Value::NIL);
        };
        let child = code.child(ec, usize::from(child));
        let env = Fp(fp).env();
        let receiver = env.reg(0);
        let thread = ec.thread_data().value().bits();
        loop {
            let (state, runner) = ((*cell).shape, (*cell).target);
            // After a fork nobody runs what another thread was at.
            if state != ONCE_RUNS || runner == thread || !is_living(ec, runner) {
                break;
            }
            ec.pass_turn()?;
        }
        if (*cell).shape == ONCE_DONE {
            return Ok(Value::from_bits((*cell).target));
        }
        ((*cell).target, (*cell).shape) = (thread, ONCE_RUNS);
        let value = match ec.run_toplevel(child, receiver, env) {
            Ok(value) => value,
            Err(unwind) => {
                (*cell).shape = 0;
                return Err(unwind);
            }
        };
        ec.vm().keep(value);
        (*cell).target = value.bits();
        (*cell).shape = ONCE_DONE;
        Ok(value)
    }
}

handler!(postexe(pc, fp, ec, caches) {
    let cell = caches.add(usize::from((*pc).c));
    if (*cell).shape != 1 {
        publish_all(ec, pc.add(1), fp);
        if let Err(unwind) = register_exit_block(&mut *ec, pc, Fp(fp)) {
            return conclude(Err(unwind), pc, 1, fp, ec, caches);
        }
        (*cell).shape = 1;
    }
    dispatch(pc.add(1), fp, ec, caches)
});

#[inline(never)]
unsafe fn register_exit_block(ec: &mut Ec, pc: *const carat_iseq::Insn, fp: Fp) -> crate::Result<()> {
    ec.only_in_main_ractor("can not use END{} in non-main Ractors")?;
    // SAFETY: the running frame; the site is a Once.
    unsafe {
        let code = fp.code();
        if let crate::run::link::LinkedSite::Once(child) = code.linked().sites[usize::from((*pc).c)] {
            let child = code.child(ec, usize::from(child));
            let proc = crate::run::proc::Proc::from_code(ec, child, fp.env());
            ec.vm().at_exit(proc.value());
        }
    }
    Ok(())
}

handler!(coverage(pc, fp, ec, caches) {
    if (*ec).vm().coverage.is_running() {
        crate::inspect::coverage::count(&mut *ec, *pc, Fp(fp));
    }
    dispatch(pc.add(1), fp, ec, caches)
});
