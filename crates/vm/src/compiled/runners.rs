//! How instructions are run that units of the optimizing compiler leave alone: by the stubs of the first tier, which a unit jumps to
//! or calls as templates do, or by their handlers.

use super::helpers::Helper;
use super::stubs::{Stub, Stubs};
use super::templates::helper_of;
use crate::ec::Ec;
use crate::run::code::CodeData;
use crate::run::interp::{Handler, ops};
use carat_iseq::{Insn, Op};
use carat_jit::{Operand, Runner};
use carat_layout::Value;

const NOTHING: [Operand; 2] = [Operand::None; 2];

/// How the instruction at a word is run.
pub(super) fn runner(ec: &Ec, stubs: &Stubs, code: &CodeData, word: u32) -> Runner {
    let insn = code.linked().iseq.insns[word as usize];
    let Insn { op, a, b, c, .. } = insn;
    let jump = |stub: Stub| Runner::Jump { address: stubs.of(stub) as u64 };
    let call = |stub: Stub| Runner::Call { address: stubs.of(stub) as u64, operands: NOTHING, has_result: true };
    let helper = |helper: Helper, operands: [Operand; 2], has_result| Runner::Call {
        address: stubs.helper(helper) as u64,
        operands,
        has_result,
    };
    let register = Operand::Register;
    match op {
        Op::send_simple | Op::send_self | Op::send_block => send(code, insn).map_or_else(jump, call),
        Op::send => jump(Stub::Send),
        Op::invokesuper => jump(Stub::Super),
        Op::opt_new => jump(Stub::New),
        Op::invokeblock if code.kind.is_block() => jump(Stub::BlockYield),
        Op::invokeblock => jump(Stub::Yield),
        Op::invokeblock_one if code.kind.is_block() => jump(Stub::BlockYieldOne),
        Op::invokeblock_one => jump(Stub::YieldOne),
        Op::invokeprimitive if primitive(code, insn).is_some() => call(Stub::Primitive),
        Op::getconstant => call(Stub::Constant),
        Op::opt_length | Op::opt_size => helper(Helper::Length, [register(b), Operand::None], true),
        Op::opt_empty_p => helper(Helper::IsEmpty, [register(b), Operand::None], true),
        // Which is no element of anything: the handler calls it.
        Op::opt_aref if calls_method_object(code, word) => {
            Runner::Jump { address: ec.plain[op as usize].get() as usize as u64 }
        }
        Op::opt_aref => helper(Helper::Aref, [register(b), register(c)], true),
        Op::opt_aref_imm => {
            let index = Value::fixnum_unchecked(i64::from(c as i16)).bits();
            helper(Helper::ArefImm, [register(b), Operand::Word(index)], true)
        }
        Op::opt_aset => helper(Helper::Aset, [register(a), register(b)], false),
        Op::opt_not => helper(Helper::Not, NOTHING, true),
        op if op.compares() => helper(Helper::Compare, NOTHING, true),
        Op::getinstancevariable => helper(Helper::Getinstancevariable, [Operand::Register(0), Operand::None], true),
        Op::getfield => helper(Helper::Getfield, [register(b), Operand::None], true),
        Op::setinstancevariable => helper(Helper::Setinstancevariable, [Operand::Register(0), Operand::None], false),
        Op::setfield => helper(Helper::Setfield, [register(b), Operand::None], false),
        _ => match helper_of(op) {
            Some(found) => helper(found, NOTHING, true),
            None => Runner::Jump { address: ec.plain[op as usize].get() as usize as u64 },
        },
    }
}

/// The stub of a call by what its cell says now: to be called, or to be jumped to.
fn send(code: &CodeData, insn: Insn) -> Result<Stub, Stub> {
    // SAFETY: the code has the cell, and its Ractor has its turn.
    let key = unsafe { (*code.caches.add(usize::from(insn.c))).key };
    let calls = |handler: Handler| key == handler as usize as u64;
    let (native, native_block): (Handler, Handler) = (ops::invoke_native, ops::invoke_native_block);
    let is_own = insn.op == Op::send_self;
    match insn.op {
        Op::send_block if calls(native_block) => Ok(Stub::NativeBlock),
        Op::send_block => Err(Stub::SendBlock),
        _ if calls(native) => Ok(if is_own { Stub::NativeSelf } else { Stub::Native }),
        _ if calls(ops::handed_on::invoke_send) || calls(ops::handed_on::invoke_public_send) => {
            Ok(if is_own { Stub::SentSelf } else { Stub::Sent })
        }
        _ if calls(ops::invoke_reader) => Ok(if is_own { Stub::ReaderSelf } else { Stub::Reader }),
        _ if calls(ops::invoke_writer) && !is_own => Ok(Stub::Writer),
        _ => Err(if is_own { Stub::SendSelf } else { Stub::Send }),
    }
}

/// Whether the operator at a word calls method objects, as far as its cell knows.
pub(super) fn calls_method_object(code: &CodeData, word: u32) -> bool {
    let call = code.linked().iseq.insns[word as usize + 1];
    let called: Handler = ops::handed_on::invoke_method_object;
    // SAFETY: the code has the cell, and its Ractor has its turn.
    call.op == Op::ext && unsafe { (*code.caches.add(usize::from(call.c))).key } == called as usize as u64
}

fn primitive(code: &CodeData, insn: Insn) -> Option<usize> {
    code.linked().primitives.get(usize::from(insn.c)).copied().flatten().map(|function| function as usize)
}

/// The word in front of a record: where the block of a call is kept, or a primitive's function.
pub(super) fn in_front(code: &CodeData, word: u32) -> u64 {
    let insn = code.linked().iseq.insns[word as usize];
    match insn.op {
        Op::send_block => {
            let block = code.linked().call_site(usize::from(insn.c)).block.unwrap_or(0);
            code.child_place(usize::from(block)) as u64
        }
        Op::invokeprimitive => primitive(code, insn).unwrap_or(0) as u64,
        _ => 0,
    }
}
