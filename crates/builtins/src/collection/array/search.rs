//! Finding elements by value, and the least and the greatest.

use super::sort::all_strings;
use crate::collection::generic::same_or_equal;
use carat_vm::{Array, Ec, Result, Str, Value, sym};
use std::cmp::Ordering;

/// Where a search that calls nothing ended.
enum Search {
    Found(usize),
    /// Only a call can tell whether the element at this place equals the object.
    Asks(usize),
    Nowhere,
}

/// Looks for the first of a few elements that is the object or equals it.
fn search(ec: &Ec, elements: &[Value], object: Value) -> Search {
    if !ec.has_core_operator(sym::EQ) {
        return if elements.is_empty() { Search::Nowhere } else { Search::Asks(0) };
    }
    if let Some(text) = Str::from_value(object) {
        return search_text(ec, elements, text);
    }
    let is_fixnum = object.is_fixnum();
    let is_plain = is_fixnum || !object.is_heap() && !object.is_flonum();
    first_known(elements, |element| {
        if element == object {
            return Some(true);
        }
        // Of what has no object only Floats equal anything but themselves, and Integers ask the other.
        if is_plain && !element.is_heap() && !element.is_flonum() && element.is_fixnum() == is_fixnum {
            return Some(false);
        }
        ec.equal_at_once(element, object)
    })
}

/// As [`search`], for a string: most others have another length.
fn search_text(ec: &Ec, elements: &[Value], text: Str) -> Search {
    let bytes = text.bytes(ec);
    first_known(elements, |element| match Str::from_value(element).filter(|_| ec.is_plain_string(element)) {
        Some(other) => Some(other.bytes(ec) == bytes && other.eql(ec, text)),
        None => ec.equal_at_once(element, text.value()),
    })
}

#[inline(always)]
fn first_known(elements: &[Value], equals: impl Fn(Value) -> Option<bool>) -> Search {
    for (place, element) in elements.iter().enumerate() {
        match equals(*element) {
            Some(true) => return Search::Found(place),
            Some(false) => {}
            None => return Search::Asks(place),
        }
    }
    Search::Nowhere
}

/// `Primitive.array_index`: the position of the first element from `start` on that equals the object.
pub(super) fn index(ec: &mut Ec, array: Array, object: Value, start: i64) -> Result<Option<usize>> {
    Ok(find(ec, array, object, start)?.map(|(index, _)| index))
}

/// Position and value of the first element from `start` on that equals the object.
fn find(ec: &mut Ec, array: Array, object: Value, start: i64) -> Result<Option<(usize, Value)>> {
    /// More elements are compared between two looks for interrupts.
    const STRETCH: usize = 1 << 10;
    let mut index = usize::try_from(start).unwrap_or(0);
    while index < array.len(ec) {
        ec.check_ints()?;
        let elements = array.slice_of(ec).get(index..).unwrap_or_default();
        let stretch = &elements[..elements.len().min(STRETCH)];
        match search(ec, stretch, object) {
            Search::Found(place) => return Ok(Some((index + place, stretch[place]))),
            Search::Nowhere => index += stretch.len(),
            Search::Asks(place) => {
                let value = stretch[place];
                index += place;
                if same_or_equal(ec, value, object)? {
                    return Ok(Some((index, value)));
                }
                index += 1;
            }
        }
    }
    Ok(None)
}

/// `Primitive.array_delete`: removes the elements that equal the object. The last of them, undef if there is none.
///
/// Calls Ruby: `==`, which may change the array.
pub(super) fn delete(ec: &mut Ec, array: Array, object: Value) -> Result {
    let Some((first, mut found)) = find(ec, array, object, 0)? else { return Ok(Value::UNDEF) };
    let (mut kept, mut index) = (first, first + 1);
    while let Some(value) = array.get(ec, index) {
        ec.check_ints()?;
        if same_or_equal(ec, value, object)? {
            found = value;
        } else {
            array.check_frozen(ec)?;
            array.set(ec, kept, value);
            kept += 1;
        }
        index += 1;
    }
    array.check_frozen(ec)?;
    if kept < array.len(ec) {
        array.resize(ec, kept);
    }
    Ok(found)
}

/// `Primitive.array_assoc`: the first element that is an array, or says that it is like one, and has the key in a column.
pub(super) fn assoc(ec: &mut Ec, array: Array, key: Value, column: i64) -> Result<Option<Array>> {
    let column = usize::try_from(column).unwrap_or(0);
    let mut index = 0;
    while let Some(element) = array.get(ec, index) {
        ec.check_ints()?;
        if let Some(row) = ec.check_array(element)?
            && let Some(value) = row.get(ec, column)
            && same_or_equal(ec, value, key)?
        {
            return Ok(Some(row));
        }
        index += 1;
    }
    Ok(None)
}

/// `Array#include?`
pub(super) fn includes(ec: &mut Ec, this: Array, object: Value) -> Result<bool> {
    Ok(index(ec, this, object, 0)?.is_some())
}

/// The same of a few elements, if they can be compared without a call.
pub(super) fn includes_at_once(ec: &mut Ec, array: Array, object: Value) -> Option<Value> {
    let found = place_at_once(ec, array.slice_of(ec).iter(), object)?;
    Some(Value::bool(found.is_some()))
}

/// As [`index`], of a few elements that can be compared without a call.
pub(super) fn index_at_once(ec: &mut Ec, array: Array, object: Value, start: i64) -> Option<Value> {
    let start = usize::try_from(start).unwrap_or(0);
    let found = place_at_once(ec, array.slice_of(ec).get(start..).unwrap_or_default().iter(), object)?;
    Some(found.map_or(Value::NIL, |place| Value::len(start + place)))
}

/// As [`count`], of a few elements that can be compared without a call.
pub(super) fn count_at_once(ec: &mut Ec, array: Array, object: Value) -> Option<Value> {
    let mut left = array.slice_of(ec);
    let mut count = 0;
    while let Some(place) = place_at_once(ec, left.iter(), object)? {
        left = &left[place + 1..];
        count += 1;
    }
    Some(Value::len(count))
}

/// As [`rindex`], of a few elements that can be compared without a call.
pub(super) fn rindex_at_once(ec: &mut Ec, array: Array, object: Value) -> Option<Value> {
    let elements = array.slice_of(ec);
    let found = place_at_once(ec, elements.iter().rev(), object)?;
    Some(found.map_or(Value::NIL, |place| Value::len(elements.len() - 1 - place)))
}

/// Which of a few elements equals the object.
#[inline]
fn place_at_once<'a>(
    ec: &Ec,
    elements: impl ExactSizeIterator<Item = &'a Value>,
    object: Value,
) -> Option<Option<usize>> {
    /// More go by the method, which looks after interrupts.
    const MOST: usize = 64;
    if elements.len() > MOST {
        return None;
    }
    for (place, element) in elements.enumerate() {
        if *element == object || ec.equal_at_once(*element, object)? {
            return Some(Some(place));
        }
    }
    Some(None)
}

/// `Primitive.array_rindex`: the position of the last element that equals the object. Comparing may shorten the array.
pub(super) fn rindex(ec: &mut Ec, array: Array, object: Value) -> Result<Option<usize>> {
    let mut left = array.len(ec);
    while left > 0 {
        ec.check_ints()?;
        left -= 1;
        if let Some(value) = array.get(ec, left)
            && same_or_equal(ec, value, object)?
        {
            return Ok(Some(left));
        }
        left = left.min(array.len(ec));
    }
    Ok(None)
}

/// `Primitive.array_count`: how many elements equal the object.
pub(super) fn count(ec: &mut Ec, array: Array, object: Value) -> Result<usize> {
    let mut count = 0;
    let mut from = 0;
    while let Some(found) = index(ec, array, object, from)? {
        count += 1;
        from = found as i64 + 1;
    }
    Ok(count)
}

/// `Primitive.array_extreme`: the first of the greatest elements, or of the least; undef if there is anything but integers,
/// floats, or strings, or if none of it can be compared without a call.
pub(super) fn extreme(ec: &mut Ec, array: Array, greatest: bool) -> Value {
    let Some(first) = array.get(ec, 0) else { return Value::UNDEF };
    let found = if (first.is_fixnum() || ec.is_float(first)) && !ec.has_core_operator(sym::CMP) {
        None
    } else if first.is_fixnum() {
        fixnum_extreme(array.slice_of(ec), greatest)
    } else if ec.is_float(first) {
        float_extreme(ec, array.slice_of(ec), if greatest { |a, b| a > b } else { |a, b| a < b })
    } else if let Some(strings) = all_strings(ec, array) {
        let wanted = if greatest { Ordering::Greater } else { Ordering::Less };
        let best =
            strings.iter().reduce(|best, next| if next.bytes(ec).cmp(best.bytes(ec)) == wanted { next } else { best });
        best.map(|string| string.value())
    } else {
        None
    };
    found.unwrap_or(Value::UNDEF)
}

/// The greatest or the least of fixnums, whose words are ordered like them. `None` if there is anything else.
fn fixnum_extreme(elements: &[Value], greatest: bool) -> Option<Value> {
    let (first, rest) = elements.split_first()?;
    let word = |value: &Value| value.bits().cast_signed();
    let (mut best, mut are_fixnums) = (word(first), first.is_fixnum());
    for value in rest {
        are_fixnums &= value.is_fixnum();
        best = if greatest { best.max(word(value)) } else { best.min(word(value)) };
    }
    are_fixnums.then(|| Value::fixnum_unchecked(best >> 1))
}

/// The first of the floats to which no other is preferred; `None` if there is anything else, or NaN.
fn float_extreme(ec: &Ec, elements: &[Value], is_better: impl Fn(f64, f64) -> bool) -> Option<Value> {
    let (mut best, mut number) = (*elements.first()?, f64::NAN);
    for value in elements {
        let next = ec.float_of(*value).filter(|next| !next.is_nan())?;
        if number.is_nan() || is_better(next, number) {
            (best, number) = (*value, next);
        }
    }
    Some(best)
}
