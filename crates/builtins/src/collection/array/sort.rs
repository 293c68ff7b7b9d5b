//! Sorting what can be compared without calling Ruby.

use carat_vm::method::MethodKind;
use carat_vm::{Array, Ec, Result, Str, Value, sym};
use std::cmp::Ordering;

/// As many elements are sorted at a stretch: some milliseconds.
const PIECE: usize = 1 << 16;
/// So few pairs of keys and elements are sorted where they need no memory.
const FEW: usize = 32;

/// Integers of at most this size are exact as doubles.
const EXACT: i64 = 1 << 53;

/// `Primitive.array_sort!`: sorts numbers, strings, symbols, or arrays of such; false if there is anything else. What interrupts it leaves the array as
/// it was.
pub(super) fn sort(ec: &mut Ec, array: Array) -> Result<bool> {
    if sort_at_once(ec, array) {
        return Ok(true);
    }
    let elements = array.duplicate(ec);
    let Some(order) = order_of(ec, elements)? else { return Ok(false) };
    arrange(ec, array, elements, &order)?;
    Ok(true)
}

/// `Primitive.array_sort_at_once!`: sorts small integers, or strings, of which there are no more than are sorted at a stretch, so that
/// nobody sees the array half sorted; false, having touched nothing, if there is anything else.
pub(super) fn sort_at_once(ec: &mut Ec, array: Array) -> bool {
    if array.len(ec) > PIECE {
        return false;
    }
    if is_all(ec, array, Value::is_fixnum) {
        array.slice_mut(ec).sort_unstable_by_key(|v| v.as_fixnum());
        return true;
    }
    let Some(strings) = all_strings(ec, array) else { return false };
    let mut sorted = strings.to_vec();
    sorted.sort_by(|a, b| a.bytes(ec).cmp(b.bytes(ec)));
    array.slice_mut(ec).iter_mut().zip(sorted).for_each(|(place, string)| *place = string.value());
    true
}

/// `Primitive.array_least`: the `wanted` least elements in order, or the greatest, greatest first; nil if there is anything but
/// fixnums, or more of them than are sorted at a stretch.
pub(super) fn least(ec: &mut Ec, array: Array, wanted: i64, downwards: bool) -> Option<Array> {
    if array.len(ec) > PIECE || !is_all(ec, array, Value::is_fixnum) {
        return None;
    }
    let wanted = usize::try_from(wanted).unwrap_or(0).min(array.len(ec));
    let mut words: Vec<i64> = array.slice_of(ec).iter().filter_map(|v| v.as_fixnum()).collect();
    let order = |a: &i64, b: &i64| if downwards { b.cmp(a) } else { a.cmp(b) };
    if 0 < wanted && wanted < words.len() {
        words.select_nth_unstable_by(wanted - 1, order);
    }
    words[..wanted].sort_unstable_by(order);
    Some(Array::collect(ec, wanted, words[..wanted].iter().map(|word| Value::fixnum_unchecked(*word))))
}

/// `Primitive.array_narrow`: moves the `wanted` least keys, or the greatest, to the front of the buffer that they fill, each with its
/// value. The place of a key that none of them is behind; nil if there is anything but fixnums, or floats, or strings. The passes are
/// those of `Core::Selection`, which takes over then.
pub(super) fn narrow(ec: &mut Ec, keys: Array, values: Array, wanted: i64, downwards: bool) -> Option<usize> {
    let wanted = usize::try_from(wanted).ok().filter(|wanted| (1..keys.len(ec)).contains(wanted))?;
    if keys.len(ec) > PIECE || keys.len(ec) != values.len(ec) {
        return None;
    }
    let float = |ec: &Ec, value: Value| ec.float_of(value).filter(|f| !f.is_nan());
    let upwards: fn(&Ec, Value, Value) -> Ordering = if is_all(ec, keys, Value::is_fixnum) {
        |_, a, b| a.as_fixnum().cmp(&b.as_fixnum())
    } else if all_strings(ec, keys).is_some() {
        |ec, a, b| Str::expect(a).bytes(ec).cmp(Str::expect(b).bytes(ec))
    } else if is_all(ec, keys, |value| float(ec, value).is_some()) {
        |ec, a, b| ec.float_of(a).partial_cmp(&ec.float_of(b)).unwrap_or(Ordering::Equal)
    } else {
        return None;
    };
    let swap = |ec: &mut Ec, a: usize, b: usize| {
        keys.slice_mut(ec).swap(a, b);
        values.slice_mut(ec).swap(a, b);
    };
    let (mut left, mut right) = (0, keys.len(ec) - 1);
    loop {
        swap(ec, left + (right - left) / 2, right);
        let pivot = keys.at(ec, right);
        let (mut pivots, mut below, mut at) = (1, left, left);
        while at + pivots <= right {
            let order = upwards(ec, keys.at(ec, at), pivot);
            match if downwards { order.reverse() } else { order } {
                Ordering::Equal => {
                    swap(ec, at, right - pivots);
                    pivots += 1;
                    continue;
                }
                Ordering::Less => {
                    swap(ec, at, below);
                    below += 1;
                }
                Ordering::Greater => {}
            }
            at += 1;
        }
        // The pivots go from the end to where the lesser ones end.
        let (mut from, mut to) = (right, below);
        while right < from + pivots && to < from {
            swap(ec, to, from);
            (to, from) = (to + 1, from - 1);
        }
        if (below..=below + pivots).contains(&wanted) {
            return Some(below);
        }
        (left, right) = if wanted < below { (left, below - 1) } else { (below + pivots, right) };
    }
}

/// `Primitive.array_sort_keys!`: sorts the second array, and perhaps both, by the first.
pub(super) fn sort_by_keys(ec: &mut Ec, keys: Array, values: Array) -> Result<bool> {
    if keys.len(ec) != values.len(ec) {
        return Ok(false);
    }
    if keys.len(ec) <= FEW && is_all(ec, keys, Value::is_fixnum) {
        let mut pairs = [(0, Value::NIL); FEW];
        let pairs = &mut pairs[..keys.len(ec)];
        for (at, pair) in pairs.iter_mut().enumerate() {
            *pair = (keys.at(ec, at).as_fixnum().unwrap_or(0), values.at(ec, at));
        }
        pairs.sort_by_key(|(key, _)| *key);
        pairs.iter().enumerate().for_each(|(at, (_, value))| values.set(ec, at, *value));
        return Ok(true);
    }
    if keys.len(ec) <= PIECE && is_all(ec, keys, Value::is_fixnum) {
        let mut places: Vec<(i64, usize)> = keys.slice_of(ec).iter().map(|key| key.fixnum_value()).zip(0..).collect();
        places.sort_unstable();
        let elements = values.duplicate(ec);
        places.iter().enumerate().for_each(|(to, (_, from))| values.set(ec, to, elements.at(ec, *from)));
        return Ok(true);
    }
    let (sorted, elements) = (keys.duplicate(ec), values.duplicate(ec));
    let Some(order) = order_of(ec, sorted)? else { return Ok(false) };
    arrange(ec, keys, sorted, &order)?;
    arrange(ec, values, elements, &order)?;
    Ok(true)
}

/// Whether all elements pass, and their order is one that nobody redefined.
pub(super) fn is_all(ec: &Ec, array: Array, test: impl Fn(Value) -> bool) -> bool {
    let elements = array.slice_of(ec);
    elements.iter().all(|v| test(*v) && may_have_core_order(ec, *v)) && plain_have_core_order(ec, elements)
}

/// The elements, if all of them are strings whose order nobody redefined.
pub(super) fn all_strings(ec: &Ec, array: Array) -> Option<&[Str]> {
    let elements = array.slice_of(ec);
    let strings = Str::all(elements, |value| may_have_core_order(ec, value))?;
    plain_have_core_order(ec, elements).then_some(strings)
}

#[inline(always)]
fn is_plain(ec: &Ec, value: Value) -> bool {
    !value.is_heap() || ec.is_plain_core(value)
}

/// For objects of the core classes themselves one answers for all: see [`plain_have_core_order`].
#[inline(always)]
fn may_have_core_order(ec: &Ec, value: Value) -> bool {
    is_plain(ec, value) || has_core_order(ec, value)
}

fn plain_have_core_order(ec: &Ec, elements: &[Value]) -> bool {
    elements.iter().find(|value| is_plain(ec, **value)).is_none_or(|value| has_core_order(ec, *value))
}

/// Whether `<=>` of the value is native, so that nobody can tell it was not called.
fn has_core_order(ec: &Ec, value: Value) -> bool {
    ec.find_method(value, sym::CMP).is_some_and(|method| matches!(method.kind, MethodKind::Native(..)))
}

/// Indexes of the elements in ascending order; `None` if some cannot be compared natively. Nobody else knows the array.
fn order_of(ec: &mut Ec, array: Array) -> Result<Option<Vec<u32>>> {
    let Ok(len) = u32::try_from(array.len(ec)) else { return Ok(None) };
    let mut order: Vec<u32> = (0..len).collect();
    if let Some(strings) = all_strings(ec, array) {
        match strings.len() <= PIECE {
            true => order.sort_by_key(|i| strings[*i as usize].bytes(ec)),
            false => sort_pieces(ec, &mut order, |ec, a, b| bytes_at(ec, array, a).cmp(bytes_at(ec, array, b)))?,
        }
        return Ok(Some(order));
    }
    if is_all(ec, array, Value::is_fixnum) {
        sort_pieces(ec, &mut order, |ec, a, b| fixnum_at(ec, array, a).cmp(&fixnum_at(ec, array, b)))?;
        return Ok(Some(order));
    }
    let elements = array.slice_of(ec);
    let Some(numbers) = elements.iter().map(|v| number(ec, *v)).collect::<Option<Vec<f64>>>() else {
        return super::order::sorted_indexes(ec, array, len);
    };
    if !elements.iter().all(|v| has_core_order(ec, *v)) {
        return Ok(None);
    }
    let compare = |_: &Ec, a: u32, b: u32| numbers[a as usize].partial_cmp(&numbers[b as usize]);
    sort_pieces(ec, &mut order, |ec, a, b| compare(ec, a, b).unwrap_or(Ordering::Equal))?;
    Ok(Some(order))
}

fn bytes_at(ec: &Ec, array: Array, index: u32) -> &[u8] {
    Str::expect(array.at(ec, index as usize)).bytes(ec)
}

fn fixnum_at(ec: &Ec, array: Array, index: u32) -> Option<i64> {
    array.at(ec, index as usize).as_fixnum()
}

/// A stable sort in pieces, between which interrupts are served, and merges.
fn sort_pieces(ec: &mut Ec, order: &mut Vec<u32>, compare: impl Fn(&Ec, u32, u32) -> Ordering) -> Result<()> {
    for piece in order.chunks_mut(PIECE) {
        ec.check_ints()?;
        piece.sort_by(|a, b| compare(ec, *a, *b));
    }
    let mut width = PIECE;
    while width < order.len() {
        let mut merged = Vec::with_capacity(order.len());
        for pair in order.chunks(2 * width) {
            merge(ec, pair.split_at(width.min(pair.len())), &mut merged, &compare)?;
        }
        *order = merged;
        width *= 2;
    }
    Ok(())
}

fn merge(
    ec: &mut Ec,
    (mut left, mut right): (&[u32], &[u32]),
    merged: &mut Vec<u32>,
    compare: impl Fn(&Ec, u32, u32) -> Ordering,
) -> Result<()> {
    while let (Some(&a), Some(&b)) = (left.first(), right.first()) {
        ec.check_ints()?;
        if compare(ec, a, b).is_gt() {
            merged.push(b);
            right = &right[1..];
        } else {
            merged.push(a);
            left = &left[1..];
        }
    }
    merged.extend_from_slice(left);
    merged.extend_from_slice(right);
    Ok(())
}

/// A number as a double that is exactly it; not NaN.
pub(super) fn number(ec: &Ec, value: Value) -> Option<f64> {
    match value.as_fixnum() {
        #[expect(clippy::cast_precision_loss, reason = "the integer is small enough")]
        Some(i) => (-EXACT..=EXACT).contains(&i).then_some(i as f64),
        None => ec.float_of(value).filter(|f| !f.is_nan()),
    }
}

/// Fills `array` with the elements in their order.
fn arrange(ec: &mut Ec, array: Array, elements: Array, order: &[u32]) -> Result<()> {
    ec.ensure_memory(size_of_val(order) * 2)?;
    let sorted = Array::new(ec, order.len());
    order.iter().for_each(|i| sorted.push(ec, elements.at(ec, *i as usize)));
    array.replace(ec, sorted);
    Ok(())
}
