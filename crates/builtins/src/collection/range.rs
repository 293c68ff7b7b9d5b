//! `Range`: its three fields; the rest is in `core/range.rb`.

use crate::collection::generic::hash_mix;
use crate::text::string::order;
use carat_vm::leaf::{Leaf, LeafOf, LeafRow};
use carat_vm::{Array, Ec, HeapType, Result, Str, Value, methods, primitives, sym};
use std::cmp::Ordering;

methods! {
    METHODS {
        private "initialize_copy" => initialize_copy;
    }
}

primitives! {
    PRIMITIVES {
        "range_begin" => range_begin;
        "range_end" => range_end;
        "range_excl?" => range_excludes_end;
        "range_init" => range_init;
        "range_last" => range_last;
        "range_core_each?" => has_core_each;
        "range_holds" => range_holds;
        "range_covers" => range_covers;
        "range_integers" => range_integers;
    }
}

pub(crate) static LEAVES: &[LeafRow] = &[
    (LeafOf::Primitive("range_begin"), Leaf::total(|ec: &mut Ec, range: Value| Some(range_begin(ec, range)))),
    (LeafOf::Primitive("range_end"), Leaf::total(|ec: &mut Ec, range: Value| Some(range_end(ec, range)))),
    (
        LeafOf::Primitive("range_excl?"),
        Leaf::total(|ec: &mut Ec, range: Value| Some(Value::bool(range_excludes_end(ec, range)))),
    ),
    (LeafOf::Primitive("range_holds"), Leaf::new(holds_at_once)),
    (LeafOf::Primitive("range_covers"), Leaf::new(covers_at_once)),
    (LeafOf::Core("Range", "==="), Leaf::new(covers_at_once)),
    (LeafOf::Core("Range", "include?"), Leaf::new(holds_at_once)),
    (LeafOf::Core("Range", "member?"), Leaf::new(holds_at_once)),
    (LeafOf::Core("Range", "cover?"), Leaf::new(covers_at_once)),
    (LeafOf::Core("Range", "overlap?"), Leaf::new(overlap_at_once)),
    (LeafOf::Core("Range", "min"), Leaf::new(|ec: &mut Ec, range: Value| Some(least_and_greatest(ec, range)?.0))),
    (LeafOf::Core("Range", "max"), Leaf::new(|ec: &mut Ec, range: Value| Some(least_and_greatest(ec, range)?.1))),
    (LeafOf::Core("Range", "size"), Leaf::new(small_size)),
    (LeafOf::Core("Range", "count"), Leaf::new(small_size)),
    (
        LeafOf::Core("Range", "hash"),
        Leaf::new(|ec: &mut Ec, range: Value| {
            let (begin, end, excludes_end) = ec.range_of(range)?;
            let (begin, end) = (hash_at_once(ec, begin)?, hash_at_once(ec, end)?);
            let hash = hash_mix(ec, i64::from(excludes_end), begin);
            let hash = hash_mix(ec, hash, end);
            Some(ec.int(hash))
        }),
    ),
];

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    known.range.include(ec, known.enumerable);
    known.range.set_allocator(Some(|ec, class| Ok(ec.new_range_of(class))));
    known.range.define_methods(ec, METHODS);
}

/// A range made by `allocate` alone has no begin yet.
fn defined(value: Value) -> Value {
    if value.is_undef() { Value::NIL } else { value }
}

fn range_begin(ec: &mut Ec, range: Value) -> Value {
    ec.range_of(range).map_or(Value::NIL, |(begin, ..)| defined(begin))
}

fn range_end(ec: &mut Ec, range: Value) -> Value {
    ec.range_of(range).map_or(Value::NIL, |(_, end, _)| end)
}

fn range_excludes_end(ec: &mut Ec, range: Value) -> bool {
    ec.range_of(range).is_some_and(|(_, _, excludes_end)| excludes_end)
}

/// Begin, end and whether the end is excluded: of a Range, or of what answers as one. CRuby: `rb_range_values`.
pub(crate) fn range_parts(ec: &mut Ec, value: Value) -> Result<Option<(Value, Value, bool)>> {
    if let Some(parts) = ec.range_of(value) {
        return Ok(Some(parts));
    }
    let is_other = value.is_type(HeapType::Range) || Str::from_value(value).is_some() || !value.is_heap();
    if is_other || crate::collection::array::access::is_sequence(ec, value)? {
        return Ok(None);
    }
    let Some(begin) = ec.call_if_responds(value, sym::BEGIN, &[])? else { return Ok(None) };
    let Some(end) = ec.call_if_responds(value, sym::END, &[])? else { return Ok(None) };
    let excludes_end = ec.call_if_responds(value, sym::EXCLUDE_END, &[])?;
    Ok(excludes_end.map(|excludes_end| (begin, end, excludes_end.truthy())))
}

/// Both limits as small Integers, the last one as the last that belongs to the range.
fn small_limits(ec: &Ec, range: Value) -> Option<(i64, i64)> {
    let (begin, end, excludes_end) = ec.range_of(range)?;
    Some((begin.as_fixnum()?, end.as_fixnum()? - i64::from(excludes_end)))
}

/// Whether two ranges have something in common, whose limits are small Integers or missing.
fn overlap_at_once(ec: &mut Ec, range: Value, other: Value) -> Option<Value> {
    let (ours, theirs) = (open_limits(ec, range)?, open_limits(ec, other)?);
    let is_core = ec.has_core_operator(sym::CMP);
    let lies_within = |first: i64, last: i64| first <= last;
    let answer = lies_within(ours.0, theirs.1)
        && lies_within(theirs.0, ours.1)
        && (ours.0 == theirs.0 || lies_within(ours.0, ours.1) && lies_within(theirs.0, theirs.1));
    is_core.then(|| Value::bool(answer))
}

/// Both limits of a range of small Integers, the last one as the last that belongs to it; what is missing is out of reach.
fn open_limits(ec: &Ec, range: Value) -> Option<(i64, i64)> {
    let (begin, end, excludes_end) = ec.range_of(range)?;
    let begin = if begin.is_nil() { i64::MIN } else { begin.as_fixnum()? };
    let end = if end.is_nil() { i64::MAX } else { end.as_fixnum()? - i64::from(excludes_end) };
    Some((begin, end))
}

/// The least and the greatest element of a range of small Integers; nil if it is empty.
fn least_and_greatest(ec: &mut Ec, range: Value) -> Option<(Value, Value)> {
    let (first, last) = small_limits(ec, range)?;
    Some(if first <= last { (ec.int(first), ec.int(last)) } else { (Value::NIL, Value::NIL) })
}

/// The hash of a small Integer, as long as that is the original one.
fn hash_at_once(ec: &mut Ec, limit: Value) -> Option<i64> {
    limit.as_fixnum().and_then(|_| ec.public_hash(limit))?;
    ec.part_hash(limit).ok()
}

/// How many elements a range of small Integers has.
fn small_size(ec: &mut Ec, range: Value) -> Option<Value> {
    let (first, last) = small_limits(ec, range)?;
    Some(ec.int((last - first).saturating_add(1).max(0)))
}

/// `Primitive.range_core_each?`: whether the range's `each` is the original one.
fn has_core_each(ec: &mut Ec, range: Value) -> bool {
    crate::collection::array::has_core_each_of(ec, range, ec.vm().known().range)
}

/// `Primitive.range_last`: the last value of a range of small Integers whose `each` is the original one; nil for anything else.
fn range_last(ec: &mut Ec, object: Value) -> Option<i64> {
    let (_, last) = small_limits(ec, object)?;
    crate::collection::array::has_core_each_of(ec, object, ec.vm().known().range).then_some(last)
}

/// `Primitive.range_holds`: whether a number lies between two others, all of them small Integers or all Floats; nil for other limits
/// and values.
fn range_holds(ec: &mut Ec, range: Value, value: Value) -> Option<bool> {
    if !ec.has_core_operator(sym::CMP) {
        return None;
    }
    if let Some(value) = value.as_fixnum() {
        let (first, last) = small_limits(ec, range)?;
        return Some((first..=last).contains(&value));
    }
    let (begin, end, excludes_end) = ec.range_of(range)?;
    let (value, begin, end) = (ec.float_of(value)?, ec.float_of(begin)?, ec.float_of(end)?);
    Some(is_within(value.partial_cmp(&begin)?, value.partial_cmp(&end)?, excludes_end))
}

/// `Primitive.range_covers`: as `range_holds`, and for Strings by their order.
fn range_covers(ec: &mut Ec, range: Value, value: Value) -> Option<bool> {
    let Some(string) = plain_string(ec, value) else { return range_holds(ec, range, value) };
    let (begin, end, excludes_end) = ec.range_of(range).filter(|_| ec.has_core_operator(sym::CMP))?;
    let (begin, end) = (plain_string(ec, begin)?, plain_string(ec, end)?);
    Some(is_within(order(ec, string, begin), order(ec, string, end), excludes_end))
}

/// A String of no subclass, so that its order is the core's.
fn plain_string(ec: &Ec, value: Value) -> Option<Str> {
    Str::from_value(value).filter(|_| ec.class_of(value) == ec.vm().known().string)
}

fn is_within(beside_begin: Ordering, beside_end: Ordering, excludes_end: bool) -> bool {
    beside_begin.is_ge() && if excludes_end { beside_end.is_lt() } else { beside_end.is_le() }
}

fn holds_at_once(ec: &mut Ec, range: Value, value: Value) -> Option<Value> {
    range_holds(ec, range, value).map(Value::bool)
}

fn covers_at_once(ec: &mut Ec, range: Value, value: Value) -> Option<Value> {
    range_covers(ec, range, value).map(Value::bool)
}

/// `Primitive.range_integers`: an array of the Integers from `first` to `last`.
fn range_integers(ec: &mut Ec, first: i64, last: i64) -> Result<Array> {
    /// More are not reserved ahead.
    const RESERVED_MOST: usize = 1 << 20;
    let count = usize::try_from(last.saturating_sub(first).saturating_add(1)).unwrap_or(0);
    let integers = Array::new(ec, count.min(RESERVED_MOST));
    for number in first..=last {
        ec.check_ints()?;
        integers.push(ec, ec.int(number));
    }
    Ok(integers)
}

/// Sets the fields, once. Ranges are frozen from then on; instances of subclasses are not.
fn range_init(ec: &mut Ec, range: Value, begin: Value, end: Value, excludes_end: bool) -> Result {
    check_fresh(ec, range)?;
    ec.initialize_range(range, begin, end, excludes_end);
    if ec.class_of(range) == ec.vm().known().range {
        ec.freeze(range);
    }
    Ok(range)
}

/// Gives a fresh range the ends of another, as `initialize` would.
pub(crate) fn fill_from(ec: &mut Ec, range: Value, other: Value) -> Result<()> {
    if let Some((begin, end, excludes_end)) = ec.range_of(other) {
        range_init(ec, range, begin, end, excludes_end)?;
    }
    Ok(())
}

fn check_fresh(ec: &mut Ec, range: Value) -> Result<()> {
    if ec.is_frozen(range) {
        return Err(ec.frozen_error(range));
    }
    let is_fresh = ec.range_of(range).is_some_and(|(begin, ..)| begin.is_undef());
    if is_fresh { Ok(()) } else { Err(ec.name_error("'initialize' called twice", range, sym::INITIALIZE)) }
}

fn initialize_copy(ec: &mut Ec, this: Value, other: Value) -> Result {
    check_fresh(ec, this)?;
    if !other.is_type(HeapType::Range) {
        return Err(ec.type_error("initialize_copy should take same class object"));
    }
    if let Some((begin, end, excludes_end)) = ec.range_of(other) {
        ec.initialize_range(this, begin, end, excludes_end);
    }
    Ok(this)
}
