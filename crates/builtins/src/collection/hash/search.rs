//! Entries found by their value, and other containers made of some entries. No block is called, `==` and `hash` of keys and
//! values may be.

use super::defaults::aref;
use carat_vm::{Array, Ec, Hash, Rest, Result, Value, sym};

/// The first entry that passes the test. No key can be added meanwhile.
fn find_entry(
    ec: &mut Ec,
    hash: Hash,
    mut test: impl FnMut(&mut Ec, Value, Value) -> Result<bool>,
) -> Result<Option<(Value, Value)>> {
    hash.enter_iteration(ec);
    let found = next_entry(ec, hash, &mut test);
    hash.leave_iteration(ec);
    found
}

fn next_entry(
    ec: &mut Ec,
    hash: Hash,
    test: &mut dyn FnMut(&mut Ec, Value, Value) -> Result<bool>,
) -> Result<Option<(Value, Value)>> {
    let mut position = 0;
    while let Some(next) = hash.next(ec, position) {
        ec.check_ints()?;
        let (key, value) = (hash.key_at(ec, next - 1), hash.value_at(ec, next - 1));
        if test(ec, key, value)? {
            return Ok(Some((key, value)));
        }
        position = next;
    }
    Ok(None)
}

fn is_same_or_equal(ec: &mut Ec, a: Value, b: Value) -> Result<bool> {
    crate::collection::generic::same_or_equal(ec, a, b)
}

fn entry_with_value(ec: &mut Ec, this: Hash, value: Value) -> Result<Option<(Value, Value)>> {
    find_entry(ec, this, |ec, _, other| is_same_or_equal(ec, other, value))
}

/// A key whose value equals `value`, or nil.
pub(super) fn key(ec: &mut Ec, this: Hash, value: Value) -> Result<Option<Value>> {
    Ok(entry_with_value(ec, this, value)?.map(|(key, _)| key))
}

pub(super) fn has_value(ec: &mut Ec, this: Hash, value: Value) -> Result<bool> {
    Ok(entry_with_value(ec, this, value)?.is_some())
}

/// The first [key, value] whose value equals `value`.
pub(super) fn rassoc(ec: &mut Ec, this: Hash, value: Value) -> Result<Option<Array>> {
    let found = entry_with_value(ec, this, value)?;
    Ok(found.map(|(key, value)| Array::pair(ec, key, value)))
}

/// The first [key, value] whose key equals `key`.
pub(super) fn assoc(ec: &mut Ec, this: Hash, key: Value) -> Result<Option<Array>> {
    let found = find_entry(ec, this, |ec, other, _| is_same_or_equal(ec, other, key))?;
    Ok(found.map(|(key, value)| Array::pair(ec, key, value)))
}

/// [key, value] arrays.
pub(super) fn to_a(ec: &mut Ec, this: Hash) -> Array {
    let pairs = Array::new(ec, this.len(ec));
    let mut position = 0;
    while let Some(next) = this.next(ec, position) {
        let pair = Array::pair(ec, this.key_at(ec, next - 1), this.value_at(ec, next - 1));
        pairs.push(ec, pair.value());
        position = next;
    }
    pairs
}

/// The values for the keys, defaults for absent ones.
pub(super) fn values_at(ec: &mut Ec, this: Hash, keys: Rest) -> Result<Array> {
    let values = Array::new(ec, keys.len());
    for key in keys.iter() {
        let value = aref(ec, this, key)?;
        values.push(ec, value);
    }
    Ok(values)
}

/// The entries with these keys.
pub(super) fn slice(ec: &mut Ec, this: Hash, keys: Rest) -> Result<Hash> {
    let chosen = super::hash_new_like(ec, this);
    for key in keys.iter() {
        if let Some(value) = this.get(ec, key)? {
            chosen.store(ec, key, value)?;
        }
    }
    Ok(chosen)
}

/// The entries without these keys.
pub(super) fn except(ec: &mut Ec, this: Hash, keys: Rest) -> Result<Hash> {
    let rest = this.duplicate(ec)?;
    for key in keys.iter() {
        rest.delete(ec, key)?;
    }
    Ok(rest)
}

/// A copy without the entries whose value is nil.
pub(super) fn compact(ec: &mut Ec, this: Hash) -> Result<Hash> {
    let copy = super::copy_of(ec, this)?;
    delete_nil(ec, copy);
    Ok(copy)
}

/// Removes the entries whose value is nil; nil if there was none.
pub(super) fn compact_in_place(ec: &mut Ec, this: Hash) -> Result<Option<Hash>> {
    this.check_frozen(ec)?;
    Ok(delete_nil(ec, this).then_some(this))
}

/// Whether there were entries whose value was nil.
fn delete_nil(ec: &Ec, hash: Hash) -> bool {
    let before = hash.len(ec);
    let mut position = 0;
    while let Some(next) = hash.next(ec, position) {
        if hash.value_at(ec, next - 1).is_nil() {
            hash.delete_at(ec, next - 1);
        }
        position = next;
    }
    hash.len(ec) < before
}

/// From values to keys.
pub(super) fn invert(ec: &mut Ec, this: Hash) -> Result<Hash> {
    let inverted = Hash::with_capacity(ec, this.len(ec));
    find_entry(ec, this, |ec, key, value| inverted.store(ec, value, key).map(|()| false))?;
    Ok(inverted)
}

/// Follows a key, and then the further ones into nested objects.
pub(super) fn dig(ec: &mut Ec, this: Hash, key: Value, keys: Rest) -> Result {
    let value = aref(ec, this, key)?;
    dig_further(ec, value, keys)
}

/// Follows keys into an object. Hashes and arrays are not asked for their own `dig` unless somebody redefined it.
pub(crate) fn dig_further(ec: &mut Ec, mut value: Value, keys: Rest) -> Result {
    let known = ec.vm().known();
    for (index, key) in keys.iter().enumerate() {
        if value.is_nil() {
            break;
        }
        let hash = Hash::from_value(value).filter(|_| ec.responds_with(value, sym::DIG, known.hash));
        let array = Array::from_value(value).filter(|_| ec.responds_with(value, sym::DIG, known.array));
        value = match (hash, array) {
            (Some(hash), _) => aref(ec, hash, key)?,
            (None, Some(array)) => {
                let position = ec.to_long(key)?;
                crate::collection::array::entry(ec, array, position)
            }
            (None, None) => return dig_into(ec, value, keys, index),
        };
    }
    Ok(value)
}

/// Leaves the keys from number `index` on to an object's own `dig`.
fn dig_into(ec: &mut Ec, object: Value, keys: Rest, index: usize) -> Result {
    let further = Array::new(ec, keys.len() - index);
    keys.iter().skip(index).for_each(|key| further.push(ec, key));
    let args: Box<[Value]> = further.slice_of(ec).into();
    let found = ec.call_if_responds(object, sym::DIG, &args)?;
    // The array keeps the keys alive meanwhile.
    std::hint::black_box(further);
    match found {
        Some(value) => Ok(value),
        None => {
            let class = ec.class_of(object).real().to_text(ec);
            Err(ec.type_error(&format!("{class} does not have #dig method")))
        }
    }
}
