//! The order of values of which nobody redefined `<=>`, and of arrays of such, found without calling Ruby.

use super::sort::number;
use crate::text::string;
use carat_vm::{Array, Ec, Result, Str, Value, sym};
use std::cmp::Ordering;

/// Arrays in arrays are compared here down to this depth, so one that contains itself is left to Ruby.
const MAX_DEPTH: usize = 4;

/// `Primitive.array_order`: the sign of `<=>`, or undef if Ruby has to be asked.
pub(super) fn array_order(ec: &mut Ec, this: Array, other: Value) -> Value {
    if !ec.has_core_operator(sym::CMP) {
        return Value::UNDEF;
    }
    plain_order(ec, this.value(), other, 0).map_or(Value::UNDEF, |order| Value::fixnum_unchecked(order as i64))
}

/// The order of two values; `None` if they may have none, or methods of their own. Nobody redefined `<=>` of a core class.
#[inline]
fn plain_order(ec: &Ec, a: Value, b: Value, depth: usize) -> Option<Ordering> {
    if let (Some(a), Some(b)) = (a.as_fixnum(), b.as_fixnum()) {
        return Some(a.cmp(&b));
    }
    if ec.is_plain_core(a) && ec.is_plain_core(b) {
        if let (Some(a), Some(b)) = (Str::from_value(a), Str::from_value(b)) {
            return Some(string::order(ec, a, b));
        }
        let (a, b) = (Array::from_value(a)?, Array::from_value(b)?);
        return if depth < MAX_DEPTH { elements_order(ec, a, b, depth + 1) } else { None };
    }
    if a.is_heap() && a.is_type(carat_vm::HeapType::String) {
        return None;
    }
    if let (Some(a), Some(b)) = (a.as_symbol(), b.as_symbol()) {
        let (left, right) = (ec.vm().symbol_name(a), ec.vm().symbol_name(b));
        let order = left.bytes.cmp(right.bytes);
        return (a == b || order.is_ne()).then_some(order);
    }
    if a == b && (a.is_nil() || a == Value::TRUE || a == Value::FALSE) {
        return Some(Ordering::Equal);
    }
    number(ec, a)?.partial_cmp(&number(ec, b)?)
}

fn elements_order(ec: &Ec, a: Array, b: Array, depth: usize) -> Option<Ordering> {
    if a == b {
        return Some(Ordering::Equal);
    }
    let (left, right) = (a.slice_of(ec), b.slice_of(ec));
    for (x, y) in left.iter().zip(right) {
        let order = plain_order(ec, *x, *y, depth)?;
        if order.is_ne() {
            return Some(order);
        }
    }
    Some(left.len().cmp(&right.len()))
}

/// Indexes of the elements of an array that nobody else knows in ascending order; `None` if some pair has to be compared by Ruby.
/// What the elements contain may change meanwhile.
pub(super) fn sorted_indexes(ec: &mut Ec, array: Array, len: u32) -> Result<Option<Vec<u32>>> {
    /// Runs that insertion sorts.
    const RUN: usize = 8;
    let at = |ec: &Ec, index: u32| array.at(ec, index as usize);
    let compare = |ec: &Ec, a: u32, b: u32| plain_order(ec, at(ec, a), at(ec, b), 0);
    let mut order: Vec<u32> = (0..len).collect();
    if !ec.has_core_operator(sym::CMP) || len > 1 && compare(ec, 0, 1).is_none() {
        return Ok(None);
    }
    for run in order.chunks_mut(RUN) {
        ec.check_ints()?;
        if insertion_sort(run, |a, b| compare(ec, a, b)).is_none() {
            return Ok(None);
        }
    }
    let mut width = RUN;
    while width < order.len() {
        let mut merged = Vec::with_capacity(order.len());
        for pair in order.chunks(2 * width) {
            if merge(ec, pair.split_at(width.min(pair.len())), &mut merged, compare)?.is_none() {
                return Ok(None);
            }
        }
        order = merged;
        width *= 2;
    }
    Ok(Some(order))
}

fn insertion_sort(run: &mut [u32], compare: impl Fn(u32, u32) -> Option<Ordering>) -> Option<()> {
    for end in 1..run.len() {
        let mut at = end;
        while at > 0 && compare(run[at - 1], run[at])?.is_gt() {
            run.swap(at - 1, at);
            at -= 1;
        }
    }
    Some(())
}

fn merge(
    ec: &mut Ec,
    (mut left, mut right): (&[u32], &[u32]),
    merged: &mut Vec<u32>,
    compare: impl Fn(&Ec, u32, u32) -> Option<Ordering>,
) -> Result<Option<()>> {
    while let (Some(&a), Some(&b)) = (left.first(), right.first()) {
        ec.check_ints()?;
        let Some(order) = compare(ec, a, b) else { return Ok(None) };
        let from = if order.is_gt() { &mut right } else { &mut left };
        merged.push(from[0]);
        *from = &from[1..];
    }
    merged.extend_from_slice(left);
    merged.extend_from_slice(right);
    Ok(Some(()))
}
