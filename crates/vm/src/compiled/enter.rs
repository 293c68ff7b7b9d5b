//! Handlers between the interpreter and compiled code.

use super::{Jit, NEVER, TURNS_AS_CALLS, TURNS_BETWEEN, compile};
use crate::ec::Ec;
use crate::memory::code_pages::Tier;
use crate::run::code::{CacheCell, CodeData};
use crate::run::frame::Fp;
use crate::run::interp::ops::handler;
use crate::run::interp::{Handler, dispatch};
use carat_iseq::Insn;
use carat_layout::Value;

/// How far up in an `enter_compiled` word the address lies.
pub(super) const ADDRESS_SHIFT: u32 = 16;

// The word holds the address of machine code for this frame's place.
handler!(enter_compiled(pc, fp, ec, caches) {
    let address = *pc.cast::<u64>() >> ADDRESS_SHIFT;
    let code: Handler = std::mem::transmute::<u64, Handler>(address);
    code(pc, fp, ec, caches)
});

// In its place, and that of `count_entry`, while compiled code may not run.
handler!(leave_compiled(pc, fp, ec, caches) {
    let code = Fp(fp).code();
    dispatch(code.insns.add(code.word_of(pc) as usize), fp, ec, caches)
});

handler!(count_entry(pc, fp, ec, caches) {
    let code = Fp(fp).code();
    if code.compilation.counts_call() {
        return dispatch(code.insns, fp, ec, caches);
    }
    dispatch(counted(&*ec, code, Fp(fp)), fp, ec, caches)
});

/// Where a call begins that gives optional parameters: not at the word that counts calls, so it is counted here.
pub(crate) fn start_behind(ec: &Ec, code: &CodeData, entry: usize) -> *const Insn {
    let is_counted = ec.vm().config.jit != Jit::Off && !code.compilation.counts_call();
    if is_counted && code.compilation.is_due_after(1) {
        compile(ec, code);
        if code.compilation.is_warming() {
            code.count_calls();
        }
    }
    code.start_at(entry)
}

/// Where a call goes on that code is due after.
#[cold]
#[inline(never)]
unsafe fn counted(ec: &Ec, code: &CodeData, fp: Fp) -> *const Insn {
    if code.compilation.is_due_after(1) {
        compile(ec, code);
    }
    if ec.vm().config.jit.optimizes() {
        if code.compilation.is_warm_after(1) {
            code.start.set(code.start_at(0));
            // SAFETY: the running frame, by contract.
            if unsafe { optimize(ec, code, fp, 0) } {
                code.compilation.warm_up();
                code.count_calls();
            }
        } else if code.compilation.is_warming() {
            code.count_calls();
        }
    }
    code.start_at(0)
}

/// A back edge to `pc` that the context's period chose.
#[cold]
#[inline(never)]
pub(crate) unsafe extern "C-unwind" fn turn_counted(
    pc: *const Insn,
    fp: *mut Value,
    ec: *mut Ec,
    caches: *mut CacheCell,
) -> usize {
    // SAFETY: the running frame, and an instruction of it.
    unsafe { dispatch(turned(&*ec, Fp(fp).code(), pc, Fp(fp)), fp, ec, caches) }
}

/// Where a back edge that was counted leads. Not a part of its caller, whose hand-over would not be a jump with destructors around.
#[inline(never)]
unsafe fn turned(ec: &Ec, code: &CodeData, pc: *const Insn, fp: Fp) -> *const Insn {
    let jit = ec.vm().config.jit;
    ec.back_edges.set(jit.period());
    if jit == Jit::Off || ec.is_compiled_off.get() {
        return pc;
    }
    let word = code.word_of(pc);
    if code.compilation.is_due_after(TURNS_AS_CALLS) {
        compile(ec, code);
        if jit.optimizes() && !jit.waits() {
            code.compilation.warm_up();
        }
    }
    // Machine code of the first tier counts its turns itself.
    if jit.optimizes() && (!jit.waits() || code.compilation.compiled.get().is_none()) {
        if code.compilation.is_warm_after(TURNS_AS_CALLS) {
            code.start.set(code.start_at(0));
        }
        if code.compilation.is_warming() {
            return pc;
        }
        // SAFETY: the running frame, by contract.
        unsafe { optimize(ec, code, fp, word) };
    }
    if let Some(entry) = code.compilation.units.entry(word as usize) {
        return entry;
    }
    super::count_unreached(ec, code, word, TURNS_AS_CALLS as u32);
    match code.compilation.compiled.get() {
        Some(compiled) => compiled.entry(word as usize).unwrap_or(pc),
        None => pc,
    }
}

/// Where an error's handler begins, at a word.
pub(crate) fn handler_at(ec: &Ec, code: &CodeData, word: usize) -> *const Insn {
    super::count_unreached(ec, code, word as u32, 1);
    code.start_at(word)
}

/// Where machine code goes on at a block that was not reached when it was compiled: `pc` leads to the block's first instruction.
pub(super) unsafe extern "C-unwind" fn unreached(
    pc: *const Insn,
    fp: *mut Value,
    ec: *mut Ec,
    caches: *mut CacheCell,
) -> usize {
    // SAFETY: the running frame, and a word of its code.
    unsafe {
        let code = Fp(fp).code();
        super::count_unreached(&*ec, code, code.word_of(pc), 1);
        dispatch(pc, fp, ec, caches)
    }
}

/// Where machine code of the first tier goes on, which counted a call or the turn of a loop: `pc` leads to what comes there.
pub(super) unsafe extern "C-unwind" fn machine_counted(
    pc: *const Insn,
    fp: *mut Value,
    ec: *mut Ec,
    caches: *mut CacheCell,
) -> usize {
    // SAFETY: the running frame, and a word of its records.
    unsafe { dispatch(warmed(&*ec, Fp(fp).code(), pc, Fp(fp)), fp, ec, caches) }
}

#[inline(never)]
unsafe fn warmed(ec: &Ec, code: &CodeData, pc: *const Insn, fp: Fp) -> *const Insn {
    let word = code.word_of(pc) as usize;
    let counter = code.compilation.counter_at(word);
    let next = if word == 0 { NEVER } else { code.compilation.units.turns_until_next() };
    counter.set(next);
    if ec.is_compiled_off.get() {
        return pc;
    }
    if code.compilation.units.entry(word).is_none() {
        // SAFETY: the running frame, by contract.
        let is_put_off = unsafe { optimize(ec, code, fp, word as u32) };
        if is_put_off {
            counter.set(TURNS_BETWEEN);
        }
    }
    let Some(entry) = code.compilation.units.entry(word) else { return pc };
    if word == 0 {
        counter.set(0);
    }
    entry
}

/// Compiles the unit at a word, in the modes that have any. True: it is to be asked for again soon.
unsafe fn optimize(ec: &Ec, code: &CodeData, fp: Fp, word: u32) -> bool {
    let compile = || {
        ec.vm().fetch_compiler(Tier::Second);
        // SAFETY: the running frame, by contract.
        unsafe { super::optimized::compile(ec, code, fp, word) }
    };
    ec.vm().config.jit.optimizes() && ec.ractor().compile_times.measure(compile)
}
