//! New arrays made of the receiver and others.

use super::change::rotation;
use super::text::join_with;
use carat_vm::array::MAX_LEN;
use carat_vm::{Array, Ec, Hash, Int, Rest, Result, Value};

/// Up to this many elements a search looks at each; above, a Hash is made.
const SMALL: usize = 16;

/// A longer array is gone through with an ear for interrupts.
const SHORT: usize = 1 << 14;

pub(super) fn compact(ec: &mut Ec, this: Array) -> Result<Array> {
    if this.len(ec) < SHORT {
        let kept = this.slice_of(ec).iter().filter(|value| !value.is_nil());
        return Ok(match kept.clone().count() == this.len(ec) {
            true => this.slice(ec, 0, this.len(ec)),
            false => Array::collect(ec, kept.clone().count(), kept.copied()),
        });
    }
    ec.ensure_memory(this.len(ec).saturating_mul(size_of::<Value>()))?;
    let result = Array::new(ec, this.len(ec));
    let mut index = 0;
    while index < this.len(ec) {
        ec.check_ints()?;
        let rest = this.slice_of(ec).get(index..).unwrap_or_default();
        for value in rest.iter().take(SHORT).filter(|value| !value.is_nil()) {
            result.push(ec, *value);
        }
        index += SHORT;
    }
    Ok(result)
}

/// `Primitive.array_arrays?`: whether all elements are arrays.
pub(super) fn are_arrays(ec: &mut Ec, list: Array) -> bool {
    list.slice_of(ec).iter().all(|value| Array::from_value(*value).is_some())
}

/// `Primitive.array_tuple`: the elements at an index of this array and of the others; nil if one of the others is no array.
pub(super) fn tuple(ec: &mut Ec, this: Array, others: Array, index: i64) -> Option<Array> {
    let (sources, index) = (others.slice_of(ec), usize::try_from(index).ok()?);
    if !sources.iter().all(|source| Array::from_value(*source).is_some()) {
        return None;
    }
    let columns = sources.iter().map(|source| Array::expect(*source).at(ec, index));
    Some(Array::collect(ec, sources.len() + 1, std::iter::once(this.at(ec, index)).chain(columns)))
}

/// What `zip` answers without a block; nil if one of the others is no array.
pub(super) fn zip(ec: &mut Ec, this: Array, others: Array) -> Result<Option<Array>> {
    let Some(sources) = others.slice_of(ec).iter().map(|v| Array::from_value(*v)).collect::<Option<Vec<Array>>>()
    else {
        return Ok(None);
    };
    let width = sources.len() + 1;
    ec.ensure_memory(this.len(ec).saturating_mul(width * size_of::<Value>()))?;
    let result = Array::new(ec, this.len(ec));
    let mut index = 0;
    while let Some(first) = this.get(ec, index) {
        ec.check_ints()?;
        let tuple = Array::new(ec, width);
        tuple.push(ec, first);
        sources.iter().for_each(|source| tuple.push(ec, source.at(ec, index)));
        result.push(ec, tuple.value());
        index += 1;
    }
    Ok(Some(result))
}

pub(super) fn reverse(ec: &mut Ec, this: Array) -> Array {
    let result = Array::from_slice(ec, this.slice_of(ec));
    result.slice_mut(ec).reverse();
    result
}

pub(super) fn rotate(ec: &mut Ec, this: Array, count: Option<Int>) -> Array {
    let result = Array::from_slice(ec, this.slice_of(ec));
    if let Some(shift) = rotation(this.len(ec), count.unwrap_or(1)) {
        result.slice_mut(ec).rotate_left(shift);
    }
    result
}

pub(super) fn plus(ec: &mut Ec, this: Array, other: Array) -> Result<Array> {
    let len = this.len(ec) + other.len(ec);
    ec.ensure_memory(len * size_of::<Value>())?;
    let result = Array::new(ec, len);
    result.push_all(ec, this);
    result.push_all(ec, other);
    Ok(result)
}

/// Repeats the elements, or joins them with a string.
pub(super) fn times(ec: &mut Ec, this: Array, factor: Value) -> Result {
    if let Some(separator) = ec.check_string(factor)? {
        return join_with(ec, this, Some(separator)).map(|s| s.value());
    }
    let count = ec.to_long(factor)?;
    let Ok(count) = usize::try_from(count) else { return Err(ec.argument_error("negative argument")) };
    let Some(size) = this.len(ec).checked_mul(count).filter(|n| *n <= MAX_LEN) else {
        return Err(ec.argument_error("argument too big"));
    };
    ec.ensure_memory(size.saturating_mul(size_of::<Value>()))?;
    let result = Array::new(ec, size);
    let once = if count > 1 { this.duplicate(ec) } else { this };
    // Of nothing there is no need to make copies.
    for _ in 0..if size == 0 { 0 } else { count } {
        ec.check_ints()?;
        result.push_all(ec, once);
    }
    Ok(result.value())
}

// ---- sets ----

/// What membership is asked of: the array itself while it is short, else a Hash of its elements.
enum Members {
    Few(Array),
    Many(Hash),
}

impl Members {
    fn of(ec: &mut Ec, array: Array) -> Result<Members> {
        if array.len(ec) <= SMALL { Ok(Members::Few(array)) } else { key_hash(ec, array).map(Members::Many) }
    }

    fn has(&self, ec: &mut Ec, value: Value) -> Result<bool> {
        match self {
            Members::Few(array) => includes(ec, *array, value),
            Members::Many(hash) => Ok(hash.get(ec, value)?.is_some()),
        }
    }
}

/// Most keys that room is made for beforehand: of many elements most may be equal.
const FORESEEN: usize = 512;

/// A Hash with the elements as keys; the first of several that are `eql?` stays.
fn key_hash(ec: &mut Ec, array: Array) -> Result<Hash> {
    let hash = Hash::with_capacity(ec, array.len(ec).min(FORESEEN));
    add_keys(ec, hash, array)?;
    Ok(hash)
}

/// The keys of a Hash that was made for nothing else.
fn keys_of(ec: &Ec, hash: Hash) -> Array {
    let keys = hash.keys(ec);
    hash.clear(ec);
    keys
}

fn add_keys(ec: &mut Ec, hash: Hash, array: Array) -> Result<()> {
    let mut index = 0;
    while let Some(value) = array.get(ec, index) {
        ec.check_ints()?;
        hash.set(ec, value, Value::TRUE)?;
        index += 1;
    }
    Ok(())
}

/// Whether an element is `eql?` to the value; the elements are few.
fn includes(ec: &mut Ec, array: Array, value: Value) -> Result<bool> {
    let mut index = 0;
    while let Some(rest) = array.slice_of(ec).get(index..)
        && let Some(place) = rest.iter().position(|element| ec.eql_at_once(value, *element) != Some(false))
    {
        let element = rest[place];
        ec.check_ints()?;
        if ec.eql(value, element)? {
            return Ok(true);
        }
        index += place + 1;
    }
    Ok(false)
}

/// The same where no method need be asked.
fn includes_at_once(ec: &Ec, elements: &[Value], value: Value) -> Option<bool> {
    for element in elements {
        if ec.eql_at_once(value, *element)? {
            return Some(true);
        }
    }
    Some(false)
}

/// The elements at the places of the bits that are set, of an array of at most 64.
fn picked(ec: &Ec, array: Array, bits: u64) -> Array {
    let elements = array.slice_of(ec);
    if bits.count_ones() as usize == elements.len() {
        return array.slice(ec, 0, elements.len());
    }
    let places = (0..elements.len()).filter(|place| bits >> place & 1 != 0);
    Array::collect(ec, bits.count_ones() as usize, places.map(|place| elements[place]))
}

/// What [`filter`] answers, where it has few elements to look at and no method to ask.
fn filter_at_once(ec: &Ec, this: Array, members: &Members, wanted: bool) -> Option<Array> {
    let (Members::Few(few), true) = (members, this.len(ec) <= SMALL) else { return None };
    let mut bits = 0;
    for (place, value) in this.slice_of(ec).iter().enumerate() {
        bits |= u64::from(includes_at_once(ec, few.slice_of(ec), *value)? == wanted) << place;
    }
    Some(picked(ec, this, bits))
}

/// The elements whose membership is as wanted.
fn filter(ec: &mut Ec, this: Array, members: &Members, wanted: bool) -> Result<Array> {
    if let Some(result) = filter_at_once(ec, this, members, wanted) {
        return Ok(result);
    }
    let result = Array::new(ec, 0);
    let mut index = 0;
    while let Some(value) = this.get(ec, index) {
        ec.check_ints()?;
        if members.has(ec, value)? == wanted {
            result.push(ec, value);
        }
        index += 1;
    }
    Ok(result)
}

/// `Primitive.array_distinct`: the elements without repetitions, as told by `hash` and `eql?`.
pub(super) fn without_repetitions(ec: &mut Ec, array: Array) -> Result<Array> {
    let hash = key_hash(ec, array)?;
    Ok(keys_of(ec, hash))
}

/// The same; of a few elements only `eql?` is asked.
fn distinct(ec: &mut Ec, array: Array) -> Result<Array> {
    if array.len(ec) > SMALL {
        let hash = key_hash(ec, array)?;
        return Ok(keys_of(ec, hash));
    }
    if let Some(result) = distinct_at_once(ec, array) {
        return Ok(result);
    }
    let result = Array::new(ec, array.len(ec));
    append_distinct(ec, result, array)?;
    Ok(result)
}

/// Where no method need be asked; the elements are few.
fn distinct_at_once(ec: &Ec, array: Array) -> Option<Array> {
    let (elements, mut bits) = (array.slice_of(ec), 0);
    for (place, value) in elements.iter().enumerate() {
        bits |= u64::from(!includes_at_once(ec, &elements[..place], *value)?) << place;
    }
    Some(picked(ec, array, bits))
}

fn append_distinct(ec: &mut Ec, result: Array, array: Array) -> Result<()> {
    let mut index = 0;
    while let Some(value) = array.get(ec, index) {
        if !includes(ec, result, value)? {
            result.push(ec, value);
        }
        index += 1;
    }
    Ok(())
}

pub(super) fn minus(ec: &mut Ec, this: Array, other: Array) -> Result<Array> {
    let members = Members::of(ec, other)?;
    filter(ec, this, &members, false)
}

pub(super) fn and(ec: &mut Ec, this: Array, other: Array) -> Result<Array> {
    let members = Members::of(ec, other)?;
    let common = filter(ec, this, &members, true)?;
    distinct(ec, common)
}

pub(super) fn or(ec: &mut Ec, this: Array, other: Array) -> Result<Array> {
    let both = plus(ec, this, other)?;
    distinct(ec, both)
}

pub(super) fn difference(ec: &mut Ec, this: Array, others: Rest) -> Result<Array> {
    let mut result = Array::from_slice(ec, this.slice_of(ec));
    for other in others.iter() {
        let other = ec.to_ary(other)?;
        result = minus(ec, result, other)?;
    }
    Ok(result)
}

pub(super) fn intersection(ec: &mut Ec, this: Array, others: Rest) -> Result<Array> {
    let mut result = distinct(ec, this)?;
    for other in others.iter() {
        let other = ec.to_ary(other)?;
        result = and(ec, result, other)?;
    }
    Ok(result)
}

pub(super) fn union(ec: &mut Ec, this: Array, others: Rest) -> Result<Array> {
    let mut all = this;
    for other in others.iter() {
        let other = ec.to_ary(other)?;
        if all == this {
            all = plus(ec, this, other)?;
        } else {
            all.push_all(ec, other);
        }
    }
    distinct(ec, all)
}

pub(super) fn intersects(ec: &mut Ec, this: Array, other: Array) -> Result<bool> {
    let (short, long) = if this.len(ec) > other.len(ec) { (other, this) } else { (this, other) };
    let members = Members::of(ec, short)?;
    let mut index = 0;
    while let Some(value) = long.get(ec, index) {
        ec.check_ints()?;
        if members.has(ec, value)? {
            return Ok(true);
        }
        index += 1;
    }
    Ok(false)
}

/// So many empty arrays, with room for `rows` elements each.
fn columns(ec: &mut Ec, width: usize, rows: usize) -> Result<Array> {
    ec.ensure_memory(width.saturating_mul(rows + 1).saturating_mul(size_of::<Value>()))?;
    let columns = Array::new(ec, width);
    (0..width).for_each(|_| columns.push(ec, Array::new(ec, rows).value()));
    Ok(columns)
}

/// Rows become columns.
pub(super) fn transpose(ec: &mut Ec, this: Array) -> Result<Array> {
    let rows = this.len(ec);
    let mut result = Array::new(ec, 0);
    let mut index = 0;
    while index < rows {
        let row = this.at(ec, index);
        let row = ec.to_ary(row)?;
        let len = row.len(ec);
        if index == 0 {
            result = columns(ec, len, rows)?;
        }
        let width = result.len(ec);
        if len != width {
            return Err(ec.index_error(&format!("element size differs ({len} should be {width})")));
        }
        for column in 0..len {
            ec.check_ints()?;
            let cell = row.at(ec, column);
            Array::expect(result.at(ec, column)).push(ec, cell);
        }
        index += 1;
    }
    Ok(result)
}
