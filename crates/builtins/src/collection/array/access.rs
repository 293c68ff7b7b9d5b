//! Reading elements and parts.

use super::{check_count, position};
use crate::collection::generic::{Outside, range_beg_len, range_ends};
use carat_vm::native::FromArg;
use carat_vm::{Array, Ec, Int, Rest, Result, Value, sym};

pub(super) fn length(ec: &mut Ec, this: Array) -> usize {
    this.len(ec)
}

pub(super) fn is_empty(ec: &mut Ec, this: Array) -> bool {
    this.is_empty(ec)
}

/// `[index]`, `[start, length]`, `[range]`
pub(super) fn aref(ec: &mut Ec, this: Array, index: Value, len: Option<Value>) -> Result {
    if let Some(len) = len {
        let start = Int::from_arg(ec, index)?;
        let len = Int::from_arg(ec, len)?;
        return Ok(part(ec, this, start, len));
    }
    if let Some(index) = index.as_fixnum() {
        return Ok(entry(ec, this, index));
    }
    if let Some(ends) = range_ends(ec, index)? {
        let found = ends.within(this.len(ec), Outside::Nothing);
        return Ok(found.map_or(Value::NIL, |(start, len)| this.share(ec, start, len).value()));
    }
    if is_sequence(ec, index)? {
        return sequence_part(ec, this, index);
    }
    let index = ec.to_long(index)?;
    Ok(entry(ec, this, index))
}

pub(super) fn at(ec: &mut Ec, this: Array, index: Int) -> Value {
    entry(ec, this, index)
}

/// Follows an index, and then the further keys into nested objects.
pub(super) fn dig(ec: &mut Ec, this: Array, index: Int, keys: Rest) -> Result {
    let value = entry(ec, this, index);
    crate::collection::hash::dig_further(ec, value, keys)
}

pub(crate) fn entry(ec: &Ec, array: Array, index: i64) -> Value {
    position(array.len(ec), index).map_or(Value::NIL, |i| array.at(ec, i))
}

/// Elements from `start` on, or nil if that lies outside.
fn part(ec: &mut Ec, array: Array, start: i64, len: i64) -> Value {
    let size = array.len(ec);
    let (Some(start), Ok(len)) = (position(size, start), usize::try_from(len)) else { return Value::NIL };
    if start > size { Value::NIL } else { array.share(ec, start, len.min(size - start)).value() }
}

/// Whether the value is an `Enumerator::ArithmeticSequence`.
pub(crate) fn is_sequence(ec: &mut Ec, value: Value) -> Result<bool> {
    let enumerator = ec.vm().known().enumerator;
    if !value.is_heap() || !ec.is_a(value, enumerator) {
        return Ok(false);
    }
    let name = ec.vm().intern("ArithmeticSequence");
    let class = enumerator.own_constant(name).and_then(|c| carat_vm::Class::from_value(c.value));
    Ok(class.is_some_and(|class| ec.is_a(value, class)))
}

/// `array[(first..last) % step]`
fn sequence_part(ec: &mut Ec, this: Array, sequence: Value) -> Result {
    let first = ec.call(sequence, sym::BEGIN, &[])?;
    let last = ec.call(sequence, sym::END, &[])?;
    let excludes_end = ec.call(sequence, sym::EXCLUDE_END, &[])?.truthy();
    let step = ec.call(sequence, sym::STEP, &[])?;
    let step = ec.to_long(step)?;
    // Backwards the sequence runs from its end: what it selects is the range from there on, reversed. An end that is left out
    // is the place before the first.
    let (first, last, excludes_end) = match step < 0 {
        true if excludes_end && !last.is_nil() => {
            let end = ec.to_long(last)?.wrapping_add(1);
            (ec.int(end), first, false)
        }
        true => (last, first, excludes_end),
        false => (first, last, excludes_end),
    };
    let range = ec.new_range(first, last, excludes_end);
    let Some(ends) = range_ends(ec, range)? else { return Ok(Value::NIL) };
    let size = this.len(ec);
    let Some((start, len)) = ends.within(size, Outside::Nothing) else {
        if step.unsigned_abs() == 1 {
            return Ok(Value::NIL);
        }
        let shown = ec.inspect(sequence)?.to_text(ec);
        return Err(ec.range_error(&format!("{shown} out of range")));
    };
    let stride = usize::try_from(step.unsigned_abs()).unwrap_or(usize::MAX);
    let result = Array::new(ec, len / stride + 1);
    let mut offset = 0;
    while offset < len {
        let index = if step < 0 { start + len - 1 - offset } else { start + offset };
        result.push(ec, this.at(ec, index));
        offset = offset.saturating_add(stride);
    }
    Ok(result.value())
}

pub(super) fn first(ec: &mut Ec, this: Array, count: Option<Int>) -> Result {
    let Some(count) = count else { return Ok(this.at(ec, 0)) };
    let count = check_count(ec, count)?.min(this.len(ec));
    Ok(this.share(ec, 0, count).value())
}

pub(super) fn last(ec: &mut Ec, this: Array, count: Option<Int>) -> Result {
    let Some(count) = count else { return Ok(this.last(ec).unwrap_or(Value::NIL)) };
    let size = this.len(ec);
    let count = check_count(ec, count)?.min(size);
    Ok(this.share(ec, size - count, count).value())
}

pub(super) fn take(ec: &mut Ec, this: Array, count: Int) -> Result<Array> {
    let Ok(count) = usize::try_from(count) else { return Err(ec.argument_error("attempt to take negative size")) };
    Ok(this.share(ec, 0, count.min(this.len(ec))))
}

pub(super) fn drop(ec: &mut Ec, this: Array, count: Int) -> Result<Array> {
    let Ok(count) = usize::try_from(count) else { return Err(ec.argument_error("attempt to drop negative size")) };
    let size = this.len(ec);
    let start = count.min(size);
    Ok(this.share(ec, start, size - start))
}

/// Elements at the indexes and in the ranges; nil for what lies behind the end.
pub(super) fn values_at(ec: &mut Ec, this: Array, indexes: Rest) -> Result<Array> {
    let result = Array::new(ec, indexes.len());
    for index in indexes.iter() {
        if index.as_fixnum().is_none()
            && let Some((start, len)) = range_beg_len(ec, index, this.len(ec))?
        {
            if indexes.len() == 1 && start.saturating_add(len) <= this.len(ec) {
                return Ok(this.share(ec, start, len));
            }
            push_part(ec, result, this, start, len)?;
            continue;
        }
        let index = ec.to_long(index)?;
        let value = entry(ec, this, index);
        result.push(ec, value);
    }
    Ok(result)
}

/// Appends so many elements from `start` on, and nil for each that lies behind the end.
fn push_part(ec: &mut Ec, result: Array, from: Array, start: usize, len: usize) -> Result<()> {
    result.make_room(ec, len)?;
    let there = len.min(from.len(ec).saturating_sub(start));
    let part = from.slice(ec, start.min(from.len(ec)), there);
    result.push_all(ec, part);
    result.resize(ec, result.len(ec) + len - there);
    Ok(())
}

/// Self, or a plain Array of a subclass's instance.
pub(super) fn to_a(ec: &mut Ec, this: Array) -> Array {
    if ec.class_of(this.value()).real() == ec.vm().known().array { this } else { this.duplicate(ec) }
}

pub(super) fn itself(_ec: &mut Ec, this: Array) -> Array {
    this
}
