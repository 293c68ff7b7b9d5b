//! Methods of literals that need no object of their own: `[a, b].max`, `[a, b].include?(c)`, `[1].freeze`.

use super::basic::{array_of, reg};
use super::{conclude, handler};
use crate::ec::{Ec, Result};
use crate::model::redefinition::is_redefined;
use crate::model::symbol::sym;
use crate::run::frame::Fp;
use crate::run::interp::{dispatch, publish_all, slow};
use crate::value::array::Array;
use crate::value::hash::{Hash, hash_mix};
use carat_iseq::{Insn, newarray_send};
use carat_layout::{HeapType, Value};
use std::cmp::Ordering;

handler!(opt_newarray_send(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    conclude(result_of(&mut *ec, *pc, fp), pc, 2, fp, ec, caches)
});

/// The result of an `opt_newarray_send`.
///
/// # Safety
/// An instruction of the running frame, which is published.
#[inline(never)]
pub(crate) unsafe fn result_of(ec: &mut Ec, insn: Insn, fp: *mut Value) -> Result {
    let first = usize::from(insn.b);
    // SAFETY: by contract.
    unsafe {
        let elements = Fp(fp).registers(first, usize::from(insn.c));
        match insn.n {
            newarray_send::MAX => extreme(ec, elements, Ordering::Greater),
            newarray_send::MIN => extreme(ec, elements, Ordering::Less),
            newarray_send::HASH => hash(ec, elements),
            method => {
                let wanted = reg!(fp, first + elements.len());
                if method == newarray_send::LITERALS_INCLUDE_P && may_see_elements(ec, wanted) {
                    copy_literals(ec, fp, insn);
                }
                includes(ec, elements, wanted)
            }
        }
    }
}

// With the array and a call, where one of the methods has been redefined.
handler!(#[inline(never)] call_newarray_send(pc, fp, ec, caches) {
    let insn = *pc;
    let base = fp.add(usize::from((*pc.add(1)).b));
    if insn.n == newarray_send::LITERALS_INCLUDE_P {
        copy_literals(&*ec, fp, insn);
    }
    *base = array_of(&*ec, fp, insn.b, insn.c).value();
    if newarray_send::has_argument(insn.n) {
        *base.add(1) = reg!(fp, insn.b + insn.c);
    }
    super::call::send_ext(pc.add(1), fp, ec, caches)
});

handler!(opt_freeze(pc, fp, ec, caches) {
    reg!(fp, (*pc).a) = *Fp(fp).code().literals.add((*pc).d() as usize);
    dispatch(pc.add(2), fp, ec, caches)
});

// With a copy and a call, where `freeze` or `-@` has been redefined.
handler!(#[inline(never)] call_freeze(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    let literal = *Fp(fp).code().literals.add((*pc).d() as usize);
    let Ok(copy) = copied(&mut *ec, literal) else { return slow::unwind(pc, fp, ec, caches) };
    *fp.add(usize::from((*pc.add(1)).b)) = copy;
    super::call::send_ext(pc.add(1), fp, ec, caches)
});

fn copied(ec: &mut Ec, literal: Value) -> Result {
    if literal.is_type(HeapType::String) {
        return Ok(super::arith::fresh_literal(ec, literal, false));
    }
    match Hash::from_value(literal) {
        Some(template) => template.duplicate(ec).map(Hash::value),
        None => Ok(Array::expect(literal).duplicate(ec).value()),
    }
}

/// Whether a comparison of strings with this value may run Ruby code.
fn may_see_elements(ec: &Ec, wanted: Value) -> bool {
    is_redefined(ec, sym::EQ) || wanted.is_heap() && !wanted.is_type(HeapType::String)
}

/// # Safety
/// The instruction of the running frame.
unsafe fn copy_literals(ec: &Ec, fp: *mut Value, insn: Insn) {
    for register in insn.b..insn.b + insn.c {
        // SAFETY: by the caller.
        unsafe { reg!(fp, register) = super::arith::fresh_literal(ec, reg!(fp, register), false) };
    }
}

/// The first of the greatest values, or of the least.
fn extreme(ec: &mut Ec, values: &[Value], wanted: Ordering) -> Result {
    let Some((&first, rest)) = values.split_first() else { return Ok(Value::NIL) };
    let mut best = first;
    for &value in rest {
        let order = if is_redefined(ec, sym::CMP) {
            let result = ec.call(value, sym::CMP, &[best])?;
            ec.compare_result(result, value, best)?
        } else {
            ec.compare(value, best)?
        };
        if order == wanted {
            best = value;
        }
    }
    Ok(best)
}

/// As `Array#hash`.
fn hash(ec: &mut Ec, values: &[Value]) -> Result {
    let mut hash = values.len() as i64;
    for &value in values {
        hash = hash_mix(hash, ec.part_hash(value)?);
    }
    Ok(Value::fixnum_unchecked(hash))
}

fn includes(ec: &mut Ec, values: &[Value], wanted: Value) -> Result {
    for &value in values {
        if value == wanted || ec.equal(value, wanted)? {
            return Ok(Value::TRUE);
        }
    }
    Ok(Value::FALSE)
}
