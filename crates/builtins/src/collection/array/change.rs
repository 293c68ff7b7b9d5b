//! Methods that change the receiver.

use super::access::entry;
use super::{check_count, position};
use crate::collection::generic::{Outside, range_beg_len, range_ends};
use carat_vm::array::MAX_LEN;
use carat_vm::{Array, Ec, Int, Rest, Result, Value};

/// `[index] = value`, `[start, length] = value`, `[range] = value`
pub(super) fn aset(ec: &mut Ec, this: Array, index: Value, second: Value, third: Option<Value>) -> Result {
    this.check_frozen(ec)?;
    if let Some(value) = third {
        let start = ec.to_long(index)?;
        let len = ec.to_long(second)?;
        return replace_part(ec, this, start, len, value);
    }
    if index.as_fixnum().is_none()
        && let Some((start, len)) = range_beg_len(ec, index, this.len(ec))?
    {
        return splice(ec, this, start, len, second);
    }
    let index = ec.to_long(index)?;
    this.check_frozen(ec)?;
    let index = writable_position(ec, this, index, this.len(ec))?;
    make_room_for(ec, this, index, 1)?;
    this.set(ec, index, second);
    Ok(second)
}

/// A position to write to; `reach` is how far a negative index may count back.
fn writable_position(ec: &mut Ec, array: Array, index: i64, reach: usize) -> Result<usize> {
    let size = array.len(ec);
    let Some(index_from_start) = position(size, index) else {
        return Err(ec.index_error(&format!("index {index} too small for array; minimum: -{reach}")));
    };
    if index_from_start >= MAX_LEN {
        return Err(ec.index_error(&format!("index {index_from_start} too big")));
    }
    Ok(index_from_start)
}

/// Room for `len` elements from `start` on, or `NoMemoryError`.
fn make_room_for(ec: &mut Ec, this: Array, start: usize, len: usize) -> Result<()> {
    let needed = start.saturating_add(len);
    this.make_room(ec, needed.saturating_sub(this.len(ec)))
}

fn replace_part(ec: &mut Ec, this: Array, start: i64, len: i64, value: Value) -> Result {
    let Ok(len) = usize::try_from(len) else { return Err(ec.index_error(&format!("negative length ({len})"))) };
    let start = writable_position(ec, this, start, this.len(ec))?;
    splice(ec, this, start, len, value)
}

/// Puts `value`, or the elements of what converts to an array, in place of a part.
fn splice(ec: &mut Ec, this: Array, start: usize, len: usize, value: Value) -> Result {
    let with = ec.check_array(value)?.unwrap_or_else(|| Array::from_slice(ec, &[value]));
    this.check_frozen(ec)?;
    if start.saturating_add(with.len(ec)) >= MAX_LEN {
        return Err(ec.index_error(&format!("index {start} too big")));
    }
    put(ec, this, start, len, with)?;
    Ok(value)
}

fn put(ec: &mut Ec, this: Array, start: usize, len: usize, with: Array) -> Result<()> {
    this.make_room(ec, with.len(ec))?;
    make_room_for(ec, this, start, with.len(ec))?;
    let with = if with == this { with.duplicate(ec) } else { with };
    if start > this.len(ec) {
        this.resize(ec, start);
    }
    this.splice(ec, start, len.min(this.len(ec) - start), with);
    Ok(())
}

pub(super) fn push(ec: &mut Ec, this: Array, values: Rest) -> Result<Array> {
    this.check_frozen(ec)?;
    this.make_room(ec, values.len())?;
    values.iter().for_each(|v| this.push(ec, v));
    Ok(this)
}

pub(super) fn push_one(ec: &mut Ec, this: Array, value: Value) -> Result<Array> {
    this.check_frozen(ec)?;
    this.make_room(ec, 1)?;
    this.push(ec, value);
    Ok(this)
}

pub(super) fn pop(ec: &mut Ec, this: Array, count: Option<Int>) -> Result {
    this.check_frozen(ec)?;
    let Some(count) = count else { return Ok(this.pop(ec).unwrap_or(Value::NIL)) };
    let size = this.len(ec);
    let count = check_count(ec, count)?.min(size);
    let taken = this.share(ec, size - count, count);
    this.resize(ec, size - count);
    Ok(taken.value())
}

pub(super) fn shift(ec: &mut Ec, this: Array, count: Option<Int>) -> Result {
    this.check_frozen(ec)?;
    let size = this.len(ec);
    let Some(count) = count else {
        let first = this.at(ec, 0);
        this.drop_front(ec, size.min(1));
        return Ok(first);
    };
    let count = check_count(ec, count)?.min(size);
    let taken = this.share(ec, 0, count);
    this.drop_front(ec, count);
    Ok(taken.value())
}

pub(super) fn unshift(ec: &mut Ec, this: Array, values: Rest) -> Result<Array> {
    this.check_frozen(ec)?;
    if let Some(first) = values.get(0) {
        this.make_room(ec, values.len())?;
        if values.len() > 1 || !this.push_one_front(ec, first) {
            let values = values.to_array(ec);
            this.push_front(ec, values);
        }
    }
    Ok(this)
}

/// Inserts before the index, or behind it when it counts from the end.
pub(super) fn insert(ec: &mut Ec, this: Array, index: Value, values: Rest) -> Result<Array> {
    this.check_frozen(ec)?;
    let index = ec.to_long(index)?;
    if values.is_empty() {
        return Ok(this);
    }
    this.check_frozen(ec)?;
    let size = this.len(ec);
    let start = match index {
        -1 => size,
        i if i < 0 && position(size + 1, i).is_none() => {
            return Err(ec.index_error(&format!("index {i} too small for array; minimum: -{}", size + 1)));
        }
        i if i < 0 => position(size + 1, i).unwrap_or(0),
        i => writable_position(ec, this, i, size)?,
    };
    let values = values.to_array(ec);
    put(ec, this, start, 0, values)?;
    Ok(this)
}

/// Arguments are taken as they are before anything is appended: one may be the receiver.
pub(super) fn concat(ec: &mut Ec, this: Array, others: Rest) -> Result<Array> {
    this.check_frozen(ec)?;
    if let (1, Some(other)) = (others.len(), others.get(0).and_then(Array::from_value)) {
        this.make_room(ec, other.len(ec))?;
        this.push_all(ec, other);
        return Ok(this);
    }
    let all = Array::new(ec, 0);
    for other in others.iter() {
        let other = ec.to_ary(other)?;
        all.make_room(ec, other.len(ec))?;
        all.push_all(ec, other);
    }
    this.check_frozen(ec)?;
    this.make_room(ec, all.len(ec))?;
    this.push_all(ec, all);
    Ok(this)
}

pub(super) fn clear(ec: &mut Ec, this: Array) -> Result<Array> {
    this.check_frozen(ec)?;
    this.resize(ec, 0);
    Ok(this)
}

pub(super) fn replace(ec: &mut Ec, this: Array, other: Value) -> Result<Array> {
    this.check_frozen(ec)?;
    let other = ec.to_ary(other)?;
    this.check_frozen(ec)?;
    this.replace(ec, other);
    Ok(this)
}

pub(super) fn delete_at(ec: &mut Ec, this: Array, index: Int) -> Result {
    this.check_frozen(ec)?;
    let size = this.len(ec);
    let Some(index) = position(size, index).filter(|i| *i < size) else { return Ok(Value::NIL) };
    let removed = this.at(ec, index);
    remove(ec, this, index, 1);
    Ok(removed)
}

fn remove(ec: &Ec, this: Array, start: usize, len: usize) {
    let nothing = Array::new(ec, 0);
    this.splice(ec, start, len, nothing);
}

/// `slice!`: removes an element or a part, and returns it.
pub(super) fn slice_out(ec: &mut Ec, this: Array, index: Value, len: Option<Value>) -> Result {
    this.check_frozen(ec)?;
    if let Some(len) = len {
        let start = ec.to_long(index)?;
        let len = ec.to_long(len)?;
        this.check_frozen(ec)?;
        let size = this.len(ec);
        let (Some(start), Ok(len)) = (position(size, start), usize::try_from(len)) else { return Ok(Value::NIL) };
        return Ok(take_out(ec, this, start, len));
    }
    if index.as_fixnum().is_none()
        && let Some(ends) = range_ends(ec, index)?
    {
        this.check_frozen(ec)?;
        let found = ends.within(this.len(ec), Outside::Nothing);
        return Ok(found.map_or(Value::NIL, |(start, len)| take_out(ec, this, start, len)));
    }
    let index = ec.to_long(index)?;
    let removed = entry(ec, this, index);
    delete_at(ec, this, index)?;
    Ok(removed)
}

fn take_out(ec: &Ec, this: Array, start: usize, len: usize) -> Value {
    let size = this.len(ec);
    if start > size {
        return Value::NIL;
    }
    let len = len.min(size - start);
    let taken = this.slice(ec, start, len);
    remove(ec, this, start, len);
    taken.value()
}

/// Nil if there was nothing to remove.
pub(super) fn compact_in_place(ec: &mut Ec, this: Array) -> Result<Option<Array>> {
    this.check_frozen(ec)?;
    let elements = this.slice_mut(ec);
    let mut kept = 0;
    for index in 0..elements.len() {
        if !elements[index].is_nil() {
            elements[kept] = elements[index];
            kept += 1;
        }
    }
    let size = this.len(ec);
    this.resize(ec, kept);
    Ok((kept < size).then_some(this))
}

pub(super) fn reverse_in_place(ec: &mut Ec, this: Array) -> Result<Array> {
    this.check_frozen(ec)?;
    this.slice_mut(ec).reverse();
    Ok(this)
}

pub(super) fn rotate_in_place(ec: &mut Ec, this: Array, count: Option<Int>) -> Result<Array> {
    this.check_frozen(ec)?;
    let elements = this.slice_mut(ec);
    if let Some(shift) = rotation(elements.len(), count.unwrap_or(1)) {
        elements.rotate_left(shift);
    }
    Ok(this)
}

/// By how much to rotate to the left, if there is anything to rotate.
pub(super) fn rotation(len: usize, count: i64) -> Option<usize> {
    let len = i64::try_from(len).ok().filter(|len| *len > 0)?;
    usize::try_from(count.rem_euclid(len)).ok()
}

pub(super) fn freeze(ec: &mut Ec, this: Array) -> Array {
    ec.freeze(this.value());
    this
}
