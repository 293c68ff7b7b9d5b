//! Arrays, hashes and ranges; taking them apart.

use super::basic::{array_of, reg};
use super::{conclude, conclude_unit, handler};
use crate::ec::{Ec, Result};
use crate::model::symbol::sym;
use crate::run::frame::Fp;
use crate::run::interp::{dispatch, publish_all};
use crate::value::array::Array;
use crate::value::hash::Hash;
use carat_iseq::Insn;
use carat_layout::Value;

handler!(newarray(pc, fp, ec, caches) {
    reg!(fp, (*pc).a) = array_of(&*ec, fp, (*pc).b, (*pc).c).value();
    dispatch(pc.add(1), fp, ec, caches)
});

handler!(duparray(pc, fp, ec, caches) {
    let template = Array::from_value_unchecked(*Fp(fp).code().literals.add((*pc).d() as usize));
    reg!(fp, (*pc).a) = template.duplicate(&*ec).value();
    dispatch(pc.add(1), fp, ec, caches)
});

handler!(pusharray(pc, fp, ec, caches) {
    if push_at_once(&*ec, *pc, fp) {
        return dispatch(pc.add(1), fp, ec, caches);
    }
    publish_all(ec, pc.add(1), fp);
    let result = append(&mut *ec, Array::from_value_unchecked(reg!(fp, (*pc).a)), reg!(fp, (*pc).b));
    conclude_unit(result, pc, 1, fp, ec, caches)
});

/// Does what a `pusharray` is to do, unless that takes much room.
///
/// # Safety
/// An instruction of the running frame.
#[inline(always)]
pub(crate) unsafe fn push_at_once(ec: &Ec, insn: Insn, fp: *mut Value) -> bool {
    // SAFETY: by contract.
    let (to, element) = unsafe { (reg!(fp, insn.a), reg!(fp, insn.b)) };
    let is_left_out = insn.n == 1 && Hash::from_value(element).is_some_and(|hash| hash.is_empty(ec));
    if let Some(array) = Array::from_value(to).filter(|_| !is_left_out)
        && !array.append_in_place(ec, element)
    {
        if array.needs_much_room(ec) {
            return false;
        }
        array.push(ec, element);
    }
    true
}

handler!(concatarray(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    let insn = *pc;
    let result = append_splat(&mut *ec, Array::from_value_unchecked(reg!(fp, insn.a)), reg!(fp, insn.b));
    conclude_unit(result, pc, 1, fp, ec, caches)
});

handler!(splatarray(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    let insn = *pc;
    let result = splat_of(&mut *ec, reg!(fp, insn.b), insn.n == 1);
    conclude(result, pc, 1, fp, ec, caches)
});

#[inline(always)]
pub(crate) fn splat_of(ec: &mut Ec, value: Value, is_fresh: bool) -> Result {
    splat(ec, value).map(|list| if is_fresh { list.duplicate_for_more(ec).value() } else { list.value() })
}

#[inline(never)]
fn append(ec: &mut Ec, to: Array, element: Value) -> Result<()> {
    to.make_room(ec, 1)?;
    to.push(ec, element);
    Ok(())
}

#[inline(never)]
pub(crate) fn append_splat(ec: &mut Ec, to: Array, value: Value) -> Result<()> {
    let list = splat(ec, value)?;
    to.make_room(ec, list.len(ec))?;
    to.push_all(ec, list);
    Ok(())
}

/// `*value`: an array through `to_a`, or the value alone.
#[inline(never)]
fn splat(ec: &mut Ec, value: Value) -> Result<Array> {
    if let Some(array) = Array::from_value(value) {
        return Ok(array);
    }
    if value.is_nil() {
        return Ok(Array::new(ec, 0));
    }
    match ec.try_convert(value, sym::TO_A)? {
        None | Some(Value::NIL) => Ok(Array::from_slice(ec, &[value])),
        Some(list) => match Array::from_value(list) {
            Some(array) => Ok(array),
            None => {
                let class = ec.describe_for_type_error(value);
                let given = ec.describe_for_type_error(list);
                Err(ec.type_error(&format!("can't convert {class} to Array ({class}#to_a gives {given})")))
            }
        },
    }
}

handler!(newhash(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    let insn = *pc;
    conclude(hash_of(&mut *ec, Fp(fp), insn), pc, 1, fp, ec, caches)
});

#[inline(never)]
pub(crate) unsafe fn hash_of(ec: &mut Ec, fp: Fp, insn: Insn) -> Result {
    let (first, count, more) = (usize::from(insn.b), usize::from(insn.c), usize::from(insn.n));
    // SAFETY: the registers belong to the running frame.
    if let Some(hash) = Hash::of_plain_pairs(ec, unsafe { fp.registers(first, count) }, more) {
        return Ok(hash.value());
    }
    let hash = Hash::with_room_for(ec, count / 2, more);
    for pair in 0..count / 2 {
        // SAFETY: the registers belong to the running frame.
        let (key, value) = unsafe { (fp.reg(first + 2 * pair), fp.reg(first + 2 * pair + 1)) };
        hash.store(ec, key, value)?;
    }
    Ok(hash.value())
}

/// # Safety
/// A literal of the running frame's code that is a hash.
#[inline(always)]
pub(crate) unsafe fn literal_hash(fp: *mut Value, index: usize) -> Hash {
    // SAFETY: by contract.
    unsafe { Hash::from_value_unchecked(*Fp(fp).code().literals.add(index)) }
}

handler!(duphash(pc, fp, ec, caches) {
    let template = literal_hash(fp, (*pc).d() as usize);
    if let Some(copy) = template.copy_embedded(&*ec) {
        reg!(fp, (*pc).a) = copy.value();
        return dispatch(pc.add(1), fp, ec, caches);
    }
    publish_all(ec, pc.add(1), fp);
    conclude(template.duplicate(&mut *ec).map(Hash::value), pc, 1, fp, ec, caches)
});

handler!(hashset(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    let insn = *pc;
    let hash = Hash::from_value_unchecked(reg!(fp, insn.a));
    conclude_unit(hash.store(&mut *ec, reg!(fp, insn.b), reg!(fp, insn.c)), pc, 1, fp, ec, caches)
});

handler!(concathash(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    let insn = *pc;
    conclude(merge(&mut *ec, Hash::from_value_unchecked(reg!(fp, insn.a)), reg!(fp, insn.b)), pc, 1, fp, ec, caches)
});

/// A hash literal, as far as it was read, with the entries of another hash: the same object, or where nothing was read yet another
/// in its place, which has room for an entry more.
#[inline(never)]
pub(crate) fn merge(ec: &mut Ec, into: Hash, value: Value) -> Result {
    if value.is_nil() {
        return Ok(into.value());
    }
    let from = ec.to_hash(value)?;
    if into.is_empty(ec)
        && let Some(copy) = from.copy_for_literal(ec)
    {
        return Ok(copy.value());
    }
    into.store_all(ec, from)?;
    Ok(into.value())
}

handler!(newrange(pc, fp, ec, caches) {
    let insn = *pc;
    if reg!(fp, insn.b).both_fixnum(reg!(fp, insn.c)) {
        reg!(fp, insn.a) = small_range(&*ec, reg!(fp, insn.b), reg!(fp, insn.c), insn.n == 1);
        return dispatch(pc.add(1), fp, ec, caches);
    }
    publish_all(ec, pc.add(1), fp);
    conclude(range(&mut *ec, reg!(fp, insn.b), reg!(fp, insn.c), insn.n == 1), pc, 1, fp, ec, caches)
});

#[inline(never)]
fn small_range(ec: &Ec, begin: Value, end: Value, excludes_end: bool) -> Value {
    ec.new_range(begin, end, excludes_end)
}

#[inline(never)]
fn range(ec: &mut Ec, begin: Value, end: Value, excludes_end: bool) -> Result {
    ec.check_range_ends(begin, end)?;
    Ok(ec.new_range(begin, end, excludes_end))
}

impl Ec {
    /// `bad value for range` unless the ends compare.
    pub fn check_range_ends(&mut self, begin: Value, end: Value) -> Result<()> {
        if begin.both_fixnum(end) || begin.is_nil() || end.is_nil() {
            return Ok(());
        }
        match self.call(begin, sym::CMP, &[end])? {
            Value::NIL => Err(self.argument_error("bad value for range")),
            _ => Ok(()),
        }
    }
}

handler!(expandarray(pc, fp, ec, caches) {
    publish_all(ec, pc.add(2), fp);
    conclude_expand(expand(&mut *ec, pc, Fp(fp)), pc, fp, ec, caches)
});

#[inline(always)]
unsafe fn conclude_expand(
    result: Result<()>,
    pc: *const Insn,
    fp: *mut Value,
    ec: *mut Ec,
    caches: *mut crate::run::code::CacheCell,
) -> usize {
    // SAFETY: the running frame.
    unsafe { conclude_unit(result, pc, 2, fp, ec, caches) }
}

/// Does what an `expandarray` is to do.
///
/// # Safety
/// An instruction of the running frame, which is published.
#[inline(never)]
pub(crate) unsafe fn expand(ec: &mut Ec, pc: *const Insn, fp: Fp) -> Result<()> {
    // SAFETY: the running frame, and an instruction of two words.
    unsafe {
        let insn = *pc;
        let value = fp.reg(usize::from(insn.b));
        let list = ec.check_array(value)?;
        let (first, pre, post) = (usize::from(insn.a), usize::from(insn.c), usize::from((*pc.add(1)).b));
        // What is no array is taken as its only element.
        let len = list.map_or(1, |list| list.len(ec));
        let at = |i: usize| match list {
            Some(list) => list.at(ec, i),
            None => {
                if i == 0 {
                    value
                } else {
                    Value::NIL
                }
            }
        };
        (0..pre).for_each(|i| fp.set_reg(first + i, at(i)));
        let mut next = first + pre;
        let mut from = pre.min(len);
        if insn.n & 1 == 1 {
            let rest = len.saturating_sub(pre + post);
            let part = match list {
                Some(list) => list.slice(ec, from, rest),
                None => Array::from_slice(ec, &[value][..rest]),
            };
            fp.set_reg(next, part.value());
            next += 1;
            from += rest;
        }
        (0..post).for_each(|i| fp.set_reg(next + i, at(from + i)));
        Ok(())
    }
}
