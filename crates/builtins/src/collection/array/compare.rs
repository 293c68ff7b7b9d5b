//! Equality and hashes.

use crate::collection::generic::{hash_mix, hash_of, same_or_equal};
use carat_vm::{Array, Ec, Result, SymbolId, Value, sym};

pub(super) fn equal(ec: &mut Ec, this: Array, other: Value) -> Result<bool> {
    if this.value() == other {
        return Ok(true);
    }
    let Some(array) = Array::from_value(other) else {
        // Something that says it is like an array decides itself.
        return Ok(ec.respond_to(other, sym::TO_ARY, false)? && ec.call(other, sym::EQ, &[this.value()])?.truthy());
    };
    all_same(ec, this, array, sym::EQ, same_or_equal)
}

pub(super) fn eql(ec: &mut Ec, this: Array, other: Value) -> Result<bool> {
    match Array::from_value(other) {
        Some(array) => all_same(ec, this, array, sym::EQL, Ec::eql),
        None => Ok(false),
    }
}

/// Whether the arrays are of one length and `is_same` for each pair; two arrays that are being compared already are.
fn all_same(
    ec: &mut Ec,
    a: Array,
    b: Array,
    key: SymbolId,
    is_same: fn(&mut Ec, Value, Value) -> Result<bool>,
) -> Result<bool> {
    if a.len(ec) != b.len(ec) {
        return Ok(false);
    }
    // What is the same object is the same for all, and takes no Ruby code; so is what lies in the same buffer.
    if std::ptr::eq(a.slice_of(ec), b.slice_of(ec)) {
        return Ok(true);
    }
    let same = a.slice_of(ec).iter().zip(b.slice_of(ec)).take_while(|(x, y)| x == y).count();
    if same == a.len(ec) {
        return Ok(true);
    }
    ec.check_native_stack()?;
    let answer = ec.guarded(key, a.value(), b.value(), |ec| {
        let mut index = same;
        while let (Some(x), Some(y)) = (a.get(ec, index), b.get(ec, index)) {
            ec.check_ints()?;
            if !is_same(ec, x, y)? {
                return Ok(false);
            }
            index += 1;
        }
        Ok(a.len(ec) == b.len(ec))
    })?;
    Ok(answer.unwrap_or(true))
}

pub(super) fn hash(ec: &mut Ec, this: Array) -> Result<i64> {
    ec.check_native_stack()?;
    let mut hash = i64::try_from(this.len(ec)).unwrap_or(0);
    let mut index = 0;
    while let Some(value) = this.get(ec, index) {
        ec.check_ints()?;
        let next = hash_of(ec, value)?;
        hash = hash_mix(ec, hash, next);
        index += 1;
    }
    Ok(hash)
}
