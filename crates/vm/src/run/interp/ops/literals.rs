//! String literals among the operands of a call, which most methods of core classes only look at.

use super::handler;
use crate::ec::Ec;
use crate::model::shape::shape_of;
use crate::run::code::{CacheCell, CodeData};
use crate::run::frame::Fp;
use crate::run::interp::{Handler, dispatch};
use crate::{Array, Str};
use carat_iseq::{Insn, Op};
use carat_layout::Value;

handler!(copyliterals(pc, fp, ec, caches) {
    if settle(&*ec, fp, pc.add(1), caches, (*pc).n, (*pc).a != 0) {
        return super::call::invoke_native_borrowing(pc.add(1), fp, ec, caches);
    }
    dispatch(pc.add(1), fp, ec, caches)
});

/// Copies the literals among the operands of the call at `pc`, but for those that a native method only looks at. If it leaves
/// one, the call goes on in `invoke_native_borrowing`, which runs the method that was looked up here: before a second look into
/// the cell another thread could redefine it, and what takes its place would see the literal.
///
/// # Safety
/// A call of the running frame whose window is filled; bit i of `literals`: a literal is in register i.
#[inline(always)]
pub(crate) unsafe fn settle(
    ec: &Ec,
    fp: *mut Value,
    pc: *const Insn,
    caches: *mut CacheCell,
    literals: u8,
    is_mutable: bool,
) -> bool {
    // SAFETY: by contract.
    unsafe {
        let base = fp.add(usize::from((*pc).b));
        let borrowed = literals & borrowed(ec, pc, caches, *base);
        if borrowed != literals {
            copy(ec, base, literals & !borrowed, is_mutable);
        }
        borrowed != 0
    }
}

/// Operands that the method which this call runs only looks at, as bits. Its code becomes the cell's target.
unsafe fn borrowed(ec: &Ec, pc: *const Insn, caches: *mut CacheCell, receiver: Value) -> u8 {
    // SAFETY: the cell belongs to the running code; what it knows for this shape is what its handler takes.
    unsafe {
        let cell = caches.add(usize::from((*pc).c));
        let Some(known) = (*cell).call_entry(shape_of(receiver).0) else { return 0 };
        let is_native = known.key == super::call::invoke_native as Handler as usize as u64;
        // The word behind `opt_new` is what makes its call.
        if !is_native || ec.is_armed() || (*pc).op == Op::opt_new {
            return 0;
        }
        (*cell).target = known.target;
        (*(known.target as *const CodeData)).borrows
    }
}

/// Whether a method gave back one of the strings that it says to have borrowed, or a list with one of them.
///
/// # Safety
/// The window of a native method that has just returned, and its number of arguments.
pub(crate) unsafe fn gives_operand(ec: &Ec, result: Value, borrows: u8, window: Fp, argc: usize) -> bool {
    let borrowed = (0..=argc.min(7)).filter(|i| borrows >> i & 1 != 0);
    // SAFETY: by contract.
    let strings = borrowed.filter_map(|i| unsafe { Str::from_value(window.reg(i)) });
    let is_one = |value: Value| strings.clone().any(|string| string.value() == value);
    is_one(result) || Array::from_value(result).is_some_and(|list| list.slice_of(ec).iter().any(|v| is_one(*v)))
}

/// # Safety
/// A window of the running frame; bit i of `literals`: a literal is in register i.
#[inline(never)]
pub(crate) unsafe fn copy(ec: &Ec, base: *mut Value, literals: u8, is_mutable: bool) {
    for i in (0..8).filter(|i| literals >> i & 1 != 0) {
        // SAFETY: by contract.
        unsafe { *base.add(i) = super::arith::fresh_literal(ec, *base.add(i), is_mutable) };
    }
}
