//! The instruction handlers, by family. Each is named after its instruction.
//!
//! Safety of every handler: `pc`, `fp` and `caches` belong to one live frame on the stack of `ec`, and the instruction's
//! operands fit that frame, which the compiler's verifier checked.
#![allow(clippy::missing_safety_doc, reason = "one contract for all handlers, stated above")]

pub(crate) mod arith;
pub(crate) mod basic;
pub(crate) mod bind;
pub(crate) mod build;
pub(crate) mod call;
pub(crate) mod compare;
pub(crate) mod control;
pub(crate) mod define;
pub(crate) mod handed_on;
pub(crate) mod literal_calls;
pub(crate) mod literals;
pub(crate) mod strings;
pub(crate) mod sum;
pub(crate) mod variables;

pub(crate) use crate::compiled::{count_entry, enter_compiled};
pub(crate) use arith::*;
pub(crate) use basic::*;
pub(crate) use bind::*;
pub(crate) use build::*;
pub(crate) use call::*;
pub(crate) use compare::*;
pub(crate) use control::*;
pub(crate) use define::*;
pub(crate) use literal_calls::{opt_freeze, opt_newarray_send};
pub(crate) use literals::copyliterals;
pub(crate) use strings::*;
pub(crate) use variables::*;

/// Declares a handler. `next n` goes on n words further.
macro_rules! handler {
    ($(#[$meta:meta])* $name:ident ($pc:ident, $fp:ident, $ec:ident, $caches:ident) $body:block) => {
        $(#[$meta])*
        #[allow(unused_variables, reason = "every handler takes the whole state")]
        pub(crate) unsafe extern "C-unwind" fn $name(
            $pc: *const carat_iseq::Insn,
            $fp: *mut carat_layout::Value,
            $ec: *mut $crate::ec::Ec,
            $caches: *mut $crate::run::code::CacheCell,
        ) -> usize {
            // SAFETY: see the module.
            unsafe { $body }
        }
    };
}
pub(crate) use handler;

use crate::ec::{Ec, Result};
use crate::run::interp::slow;
use carat_iseq::Insn;
use carat_layout::Value;

/// Ends a handler: stores what a slow path computed and goes on behind `words` words, or unwinds.
#[inline(always)]
pub(crate) unsafe fn conclude(
    result: Result,
    pc: *const Insn,
    words: usize,
    fp: *mut Value,
    ec: *mut Ec,
    caches: *mut crate::run::code::CacheCell,
) -> usize {
    // SAFETY: see the module.
    unsafe {
        match result {
            Ok(value) => {
                *fp.add(usize::from((*pc).a)) = value;
                crate::run::interp::dispatch(pc.add(words), fp, ec, caches)
            }
            Err(_) => slow::unwind(pc, fp, ec, caches),
        }
    }
}

/// As [`conclude`] for instructions without result.
#[inline(always)]
pub(crate) unsafe fn conclude_unit(
    result: Result<()>,
    pc: *const Insn,
    words: usize,
    fp: *mut Value,
    ec: *mut Ec,
    caches: *mut crate::run::code::CacheCell,
) -> usize {
    // SAFETY: see the module.
    unsafe {
        match result {
            Ok(()) => crate::run::interp::dispatch(pc.add(words), fp, ec, caches),
            Err(_) => slow::unwind(pc, fp, ec, caches),
        }
    }
}
