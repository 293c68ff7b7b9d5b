//! String literals among the operands of a call, which most methods of core classes only look at.

use super::handler;
use crate::ec::Ec;
use crate::model::shape::shape_of;
use crate::run::code::{CacheCell, CodeData};
use crate::run::interp::{Handler, dispatch};
use carat_iseq::Insn;
use carat_layout::Value;

handler!(copyliterals(pc, fp, ec, caches) {
    let base = fp.add(usize::from((*pc).b));
    settle(&*ec, base, (*pc).n, (*pc).a != 0, cell(pc, caches));
    dispatch(pc.add(1), fp, ec, caches)
});

/// The cache of a call's site.
///
/// # Safety
/// A running instruction that names a site.
#[inline(always)]
pub(crate) unsafe fn cell(pc: *const Insn, caches: *mut CacheCell) -> *const CacheCell {
    // SAFETY: by contract.
    unsafe { caches.add(usize::from((*pc).c)) }
}

/// Copies the literals in a window unless the method that is about to be called only looks at them.
///
/// # Safety
/// The window and the cell of a call of the running frame; bit i of `literals`: a literal is in register i.
#[inline(always)]
pub(crate) unsafe fn settle(ec: &Ec, base: *mut Value, literals: u8, is_mutable: bool, cell: *const CacheCell) {
    // SAFETY: by contract.
    unsafe {
        if !only_looks(ec, cell, *base) {
            copy(ec, base, literals, is_mutable);
        }
    }
}

/// What comes next is a call of a native method that only looks at its operands. A poll in between could redefine it.
unsafe fn only_looks(ec: &Ec, cell: *const CacheCell, receiver: Value) -> bool {
    // SAFETY: the cell belongs to the running code; what it knows for this shape is what its handler takes.
    unsafe {
        let Some(known) = (*cell).call_entry(shape_of(receiver).0) else { return false };
        let is_native = known.key == super::call::invoke_native as Handler as usize as u64;
        is_native && !ec.is_armed() && (*(known.target as *const CodeData)).borrows
    }
}

/// # Safety
/// As for [`settle`].
#[inline(never)]
pub(crate) unsafe fn copy(ec: &Ec, base: *mut Value, literals: u8, is_mutable: bool) {
    for i in (0..8).filter(|i| literals >> i & 1 != 0) {
        // SAFETY: by contract.
        unsafe { *base.add(i) = super::arith::fresh_literal(ec, *base.add(i), is_mutable) };
    }
}
