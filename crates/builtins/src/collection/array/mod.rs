//! `Array`: what touches layout; what yields, searches or compares is in `core/array.rb`.
//!
//! # Code map
//! `access` reads and takes parts, `change` writes, `combine` makes new arrays of several, `compare` has equality and
//! hashes, `choose` goes through combinations, `text` has `inspect` and `join`, `flatten` and `sort` are what they say, `order` compares without Ruby.
//!
//! # Invariants
//! Whatever can call Ruby may change the array: positions are checked again after it.

pub(crate) mod access;
mod change;
mod choose;
mod combine;
mod compare;
mod flatten;
mod order;
mod search;
mod sort;
mod sum;
mod text;

pub(crate) use access::entry;
use carat_vm::leaf::{Leaf, LeafOf, LeafRow};
use carat_vm::method::MethodKind;
use carat_vm::{Array, Class, Ec, HeapType, Rest, Result, Value, methods, primitives, sym};
pub(crate) use text::push_inspect;

methods! {
    METHODS {
        static "[]" => new_of_elements;
        static "try_convert" => try_convert;
        "[]" => access::aref;
        "slice" => access::aref;
        "at" => access::at;
        "first" => access::first;
        "last" => access::last;
        "take" => access::take;
        "drop" => access::drop;
        "values_at" => access::values_at;
        "dig" => access::dig;
        "length" => access::length;
        "size" => access::length;
        "empty?" => access::is_empty;
        "to_a" => access::to_a;
        "to_ary" => access::itself;
        "deconstruct" => access::itself;
        "[]=" => change::aset;
        "push" => change::push;
        alias "append" of "push" => change::push;
        "<<" => change::push_one;
        "pop" => change::pop;
        "shift" => change::shift;
        "unshift" => change::unshift;
        alias "prepend" of "unshift" => change::unshift;
        "insert" => change::insert;
        "concat" => change::concat;
        "clear" => change::clear;
        "replace" => change::replace;
        private "initialize_copy" => change::replace;
        "delete_at" => change::delete_at;
        "slice!" => change::slice_out;
        "compact!" => change::compact_in_place;
        "reverse!" => change::reverse_in_place;
        "rotate!" => change::rotate_in_place;
        "freeze" => change::freeze;
        "compact" => combine::compact;
        "reverse" => combine::reverse;
        "rotate" => combine::rotate;
        "+" => combine::plus;
        "*" => combine::times;
        "-" => combine::minus;
        "&" => combine::and;
        "|" => combine::or;
        "difference" => combine::difference;
        "intersection" => combine::intersection;
        "intersect?" => combine::intersects;
        "union" => combine::union;
        "include?" => search::includes;
        "==" => compare::equal;
        "eql?" => compare::eql;
        "hash" => compare::hash;
        "transpose" => combine::transpose;
        "flatten" => flatten::flatten;
        "flatten!" => flatten::flatten_in_place;
        "inspect" => text::inspect;
        alias "to_s" of "inspect" => text::inspect;
        borrowing "join" => text::join;
    }
}

primitives! {
    PRIMITIVES {
        "array_size" => array_size;
        "array_at" => array_at;
        "array_set" => array_set;
        "array_push" => array_push;
        "array_new" => array_new;
        "array_resize" => array_resize;
        "array_reserve" => array_reserve;
        "array_fill" => array_fill;
        "array_fill_between" => array_fill_between;
        "array_fill_plain" => array_fill_plain;
        "array_carry" => array_carry;
        "array_slide" => array_slide;
        "array_ensure" => array_ensure;
        "array_slice" => array_slice;
        "array_copy" => array_copy;
        "array_sum" => sum::sum;
        "array_float_sum" => sum::float_sum_from;
        "float_sum_add" => sum::add;
        "array_index" => search::index;
        "array_delete" => search::delete;
        "array_rindex" => search::rindex;
        "array_assoc" => search::assoc;
        "array_least" => sort::least;
        "array_narrow" => sort::narrow;
        "array_count" => search::count;
        "array_extreme" => search::extreme;
        "array_replace" => array_replace;
        "array_zip" => combine::zip;
        "array_tuple" => combine::tuple;
        "array_arrays?" => combine::are_arrays;
        "array_distinct" => combine::without_repetitions;
        "array_combination" => choose::combination;
        "array_repeated_combination" => choose::repeated_combination;
        "array_permutation" => choose::permutation;
        "array_repeated_permutation" => choose::repeated_permutation;
        "array_choice" => choose::choice;
        "array_choices" => choose::choices;
        "array_plus" => sum::plus;
        "array_order" => order::array_order;
        "array_sort_at_once!" => sort::sort_at_once;
        "array_sort!" => sort::sort;
        "array_sort_keys!" => sort::sort_by_keys;
        "array_each?" => has_core_each;
    }
}

pub(crate) static LEAVES: &[LeafRow] = &[
    (LeafOf::Method(METHODS, "first"), Leaf::new(|ec: &mut Ec, array: Array| Some(array.at(ec, 0)))),
    (
        LeafOf::Method(METHODS, "last"),
        Leaf::new(|ec: &mut Ec, array: Array| Some(array.last(ec).unwrap_or(Value::NIL))),
    ),
    (LeafOf::Method(METHODS, "include?"), Leaf::new(search::includes_at_once)),
    (
        LeafOf::Method(METHODS, "freeze"),
        Leaf::new(|ec: &mut Ec, array: Array| ec.is_frozen(array.value()).then_some(array.value())),
    ),
    (LeafOf::Method(METHODS, "at"), Leaf::of(access::at)),
    (LeafOf::Method(METHODS, "to_ary"), Leaf::of(access::itself)),
    (
        LeafOf::Method(METHODS, "to_a"),
        Leaf::new(|ec: &mut Ec, array: Array| is_plain(ec, array).then_some(array.value())),
    ),
    (
        LeafOf::Core("Array", "fetch"),
        Leaf::new(|ec: &mut Ec, array: Array, index: i64| fetch_at_once(ec, array, index)),
    ),
    (
        LeafOf::Core("Array", "fetch"),
        Leaf::new(|ec: &mut Ec, array: Array, index: i64, default: Value| {
            Some(fetch_at_once(ec, array, index).unwrap_or(default))
        }),
    ),
    (
        LeafOf::Method(METHODS, "dig"),
        Leaf::new(|ec: &mut Ec, array: Array, index: i64| Some(access::at(ec, array, index))),
    ),
    (LeafOf::Core("Array", "count"), Leaf::new(|ec: &mut Ec, array: Array| Some(Value::len(array.len(ec))))),
    (LeafOf::Core("Array", "count"), Leaf::new(search::count_at_once)),
    (
        LeafOf::Core("Array", "index"),
        Leaf::new(|ec: &mut Ec, array: Array, object: Value| search::index_at_once(ec, array, object, 0)),
    ),
    (LeafOf::Core("Array", "rindex"), Leaf::new(search::rindex_at_once)),
    (
        LeafOf::Core("Array", "any?"),
        Leaf::new(|ec: &mut Ec, array: Array| truths(ec, array, 1).map(|true_| Value::bool(true_ > 0))),
    ),
    (
        LeafOf::Core("Array", "none?"),
        Leaf::new(|ec: &mut Ec, array: Array| truths(ec, array, 1).map(|true_| Value::bool(true_ == 0))),
    ),
    (
        LeafOf::Core("Array", "one?"),
        Leaf::new(|ec: &mut Ec, array: Array| truths(ec, array, 2).map(|true_| Value::bool(true_ == 1))),
    ),
    (
        LeafOf::Core("Array", "all?"),
        Leaf::new(|ec: &mut Ec, array: Array| {
            few(ec, array).map(|()| Value::bool(array.slice_of(ec).iter().all(|value| value.truthy())))
        }),
    ),
    (LeafOf::Core("Array", "min"), Leaf::new(|ec: &mut Ec, array: Array| extreme_at_once(ec, array, false))),
    (LeafOf::Core("Array", "max"), Leaf::new(|ec: &mut Ec, array: Array| extreme_at_once(ec, array, true))),
    (
        LeafOf::Core("Array", "minmax"),
        Leaf::new(|ec: &mut Ec, array: Array| {
            let least = extreme_at_once(ec, array, false).filter(|_| is_plain(ec, array))?;
            let greatest = extreme_at_once(ec, array, true)?;
            Some(Array::pair(ec, least, greatest).value())
        }),
    ),
    (LeafOf::Core("Array", "sum"), Leaf::new(|ec: &mut Ec, array: Array| sum_at_once(ec, array, ec.int(0)))),
    (LeafOf::Core("Array", "sum"), Leaf::new(sum_at_once)),
    (LeafOf::Method(METHODS, "push"), Leaf::with_effects(push_at_once)),
    (
        LeafOf::Method(METHODS, "pop"),
        Leaf::with_effects(|ec: &mut Ec, array: Array| {
            (!ec.is_frozen(array.value())).then(|| array.pop(ec).unwrap_or(Value::NIL))
        }),
    ),
    (
        LeafOf::Method(METHODS, "shift"),
        Leaf::with_effects(|ec: &mut Ec, array: Array| {
            if ec.is_frozen(array.value()) {
                return None;
            }
            let first = array.at(ec, 0);
            array.drop_front(ec, array.len(ec).min(1));
            Some(first)
        }),
    ),
    (
        LeafOf::Primitive("array_sum"),
        Leaf::new(|ec: &mut Ec, array: Array, init: Value| few(ec, array).map(|()| sum::sum(ec, array, init))),
    ),
    (
        LeafOf::Primitive("array_extreme"),
        Leaf::new(|ec: &mut Ec, array: Array, greatest: Value| {
            few(ec, array).map(|()| search::extreme(ec, array, greatest.truthy()))
        }),
    ),
    (LeafOf::Primitive("array_index"), Leaf::new(search::index_at_once)),
    (LeafOf::Primitive("array_rindex"), Leaf::new(search::rindex_at_once)),
    (
        LeafOf::Primitive("array_each?"),
        Leaf::new(|ec: &mut Ec, object: Value| Some(Value::bool(has_core_each(ec, object)))),
    ),
];

/// Something if machine code may go through the whole array: of many elements methods do, among which somebody may look for interrupts.
fn few(ec: &Ec, array: Array) -> Option<()> {
    const MOST: usize = 64;
    (array.len(ec) <= MOST).then_some(())
}

/// Whether it is one of class Array itself.
fn is_plain(ec: &Ec, array: Array) -> bool {
    ec.class_of(array.value()) == ec.vm().known().array
}

/// The element at an index that may be negative, if there is one.
fn fetch_at_once(ec: &mut Ec, array: Array, index: i64) -> Option<Value> {
    let index = if index < 0 { index + array.len(ec) as i64 } else { index };
    array.get(ec, usize::try_from(index).ok()?)
}

/// How many elements of a few are true, as far as so many.
fn truths(ec: &Ec, array: Array, most: usize) -> Option<usize> {
    few(ec, array).map(|()| array.slice_of(ec).iter().filter(|value| value.truthy()).take(most).count())
}

fn extreme_at_once(ec: &mut Ec, array: Array, greatest: bool) -> Option<Value> {
    if array.is_empty(ec) {
        return Some(Value::NIL);
    }
    few(ec, array).map(|()| search::extreme(ec, array, greatest)).filter(|found| !found.is_undef())
}

fn sum_at_once(ec: &mut Ec, array: Array, init: Value) -> Option<Value> {
    few(ec, array)?;
    let total = sum::sum(ec, array, init);
    if !total.is_nil() {
        return Some(total);
    }
    init.as_flonum().and_then(|_| sum::float_sum_from(ec, array, init))
}

/// Appends to an array that need not grow by much.
fn push_at_once(ec: &mut Ec, array: Array, value: Value) -> Option<Value> {
    if ec.is_frozen(array.value()) || array.needs_much_room(ec) {
        return None;
    }
    array.push(ec, value);
    Some(array.value())
}

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    known.array.include(ec, known.enumerable);
    known.array.define_methods(ec, METHODS);
}

/// `Array[…]`
fn new_of_elements(ec: &mut Ec, class: Class, elements: Rest) -> Array {
    let array = Array::new_of(ec, class, elements.len());
    let given = elements.to_array(ec);
    array.push_all(ec, given);
    array
}

fn try_convert(ec: &mut Ec, _class: Class, value: Value) -> Result<Option<Array>> {
    ec.check_array(value)
}

// ---- primitives: arguments are what core code says they are ----

fn array_size(ec: &mut Ec, array: Array) -> usize {
    array.len(ec)
}

fn array_at(ec: &mut Ec, array: Array, index: i64) -> Value {
    usize::try_from(index).map_or(Value::NIL, |i| array.at(ec, i))
}

fn array_set(ec: &mut Ec, array: Array, index: i64, value: Value) -> Result {
    if let Ok(index) = usize::try_from(index) {
        array.make_room(ec, index.saturating_add(1).saturating_sub(array.len(ec)))?;
        array.set(ec, index, value);
    }
    Ok(value)
}

/// Copies `from[at...stop]` into another array from `low` on, as far as that reaches.
fn array_carry(ec: &mut Ec, from: Array, at: i64, into: Array, low: i64, stop: i64) {
    let (at, low) = (usize::try_from(at).unwrap_or(usize::MAX), usize::try_from(low).unwrap_or(usize::MAX));
    let stop = usize::try_from(stop).unwrap_or(0).min(from.len(ec));
    for step in 0..stop.saturating_sub(at).min(into.len(ec).saturating_sub(low)) {
        into.set(ec, low + step, from.at(ec, at + step));
    }
}

/// Appends a value to the last ones, of which there are at most `size`.
fn array_slide(ec: &mut Ec, array: Array, size: i64, value: Value) {
    let len = array.len(ec);
    array.drop_front(ec, usize::from(len as i64 == size));
    array.push(ec, value);
}

/// Makes an array one of `len` times the value.
fn array_fill(ec: &mut Ec, array: Array, len: i64, value: Value) -> Result<Array> {
    let was_empty = array.is_empty(ec);
    array_resize(ec, array, len)?;
    if !was_empty || !value.is_nil() {
        array.slice_mut(ec).fill(value);
        ec.wrote(array.value());
    }
    Ok(array)
}

/// Stores the value in the elements from `start` to before `finish`.
fn array_fill_between(ec: &mut Ec, array: Array, start: i64, finish: i64, value: Value) -> Result<Array> {
    let (start, finish) = (usize::try_from(start).unwrap_or(0), usize::try_from(finish).unwrap_or(0));
    if start >= finish {
        return Ok(array);
    }
    if finish > array.len(ec) {
        ec.ensure_memory(finish.saturating_mul(size_of::<Value>()))?;
        array.resize(ec, finish);
    }
    array.slice_mut(ec)[start..finish].fill(value);
    ec.wrote(array.value());
    Ok(array)
}

/// `array_fill_plain([value, start, length])`: what `fill` does where both numbers are fixnums or nil, or left out. False, with
/// nothing done, if they have to be converted or reach beyond the elements.
fn array_fill_plain(ec: &mut Ec, array: Array, given: Array) -> Result<bool> {
    let len = array.len(ec);
    let Some(start) = plain_number(given.at(ec, 1)) else { return Ok(false) };
    let Some(count) = plain_number(given.at(ec, 2)) else { return Ok(false) };
    let start = match start.unwrap_or(0) {
        start if start < 0 => start.saturating_add(len as i64).max(0),
        start => start,
    };
    let finish = count.map_or(len as i64, |count| start.saturating_add(count.max(0)));
    let fits = finish <= len as i64;
    if fits {
        array.check_frozen(ec)?;
        array_fill_between(ec, array, start, finish, given.at(ec, 0))?;
    }
    Ok(fits)
}

/// A fixnum, or none for nil; nothing of any other value.
fn plain_number(value: Value) -> Option<Option<i64>> {
    if value.is_nil() { Some(None) } else { value.as_fixnum().map(Some) }
}

fn array_push(ec: &mut Ec, array: Array, value: Value) -> Result<Array> {
    array.make_room(ec, 1)?;
    array.push(ec, value);
    Ok(array)
}

/// Capacities beyond this are not taken at their word.
const TRUSTED_CAPACITY: usize = 1 << 24;

fn array_new(ec: &mut Ec, capacity: i64) -> Result<Array> {
    let capacity = usize::try_from(capacity).unwrap_or(0).min(TRUSTED_CAPACITY);
    ec.ensure_memory(capacity * size_of::<Value>())?;
    Ok(Array::new(ec, capacity))
}

fn array_resize(ec: &mut Ec, array: Array, len: i64) -> Result<Array> {
    let len = usize::try_from(len).unwrap_or(0);
    ec.ensure_memory(len.saturating_mul(size_of::<Value>()))?;
    array.resize(ec, len);
    Ok(array)
}

/// Room for `capacity` elements, of which none is made.
fn array_reserve(ec: &mut Ec, array: Array, capacity: i64) -> Result<()> {
    let Ok(capacity) = usize::try_from(capacity) else { return Err(ec.argument_error("negative array size")) };
    if capacity > carat_vm::array::MAX_LEN {
        return Err(ec.argument_error("array size too big"));
    }
    ec.ensure_memory(capacity * 8)?;
    array.reserve(ec, capacity);
    Ok(())
}

/// Fails if the system would not give the memory for so many elements.
fn array_ensure(ec: &mut Ec, len: i64) -> Result<()> {
    ec.ensure_memory(usize::try_from(len).unwrap_or(0).saturating_mul(size_of::<Value>()))
}

fn array_slice(ec: &mut Ec, array: Array, start: i64, len: i64) -> Array {
    let size = array.len(ec);
    let start = usize::try_from(start).unwrap_or(0).min(size);
    array.share(ec, start, usize::try_from(len).unwrap_or(0).min(size - start))
}

/// Elements of an array in one of their own, which shares no buffer: for slices of what is likely to change.
fn array_copy(ec: &mut Ec, array: Array, start: i64, len: i64) -> Array {
    let rest = array.slice_of(ec).get(usize::try_from(start).unwrap_or(0)..).unwrap_or_default();
    Array::from_slice(ec, &rest[..usize::try_from(len).unwrap_or(0).min(rest.len())])
}

fn array_replace(ec: &mut Ec, array: Array, other: Array) -> Array {
    array.replace(ec, other);
    array
}

/// Whether `each` of this object is the core library's `Array#each`.
fn has_core_each(ec: &mut Ec, object: Value) -> bool {
    object.is_type(HeapType::Array) && has_core_each_of(ec, object, ec.vm().known().array)
}

/// Whether `each` is the method of this core class that core code defined.
pub(crate) fn has_core_each_of(ec: &Ec, object: Value, class: Class) -> bool {
    ec.find_method(object, sym::EACH).is_some_and(|method| {
        method.owner(ec) == class && matches!(&method.kind, MethodKind::Iseq(iseq) if iseq.iseq.flags.is_core)
    })
}

// ---- shared ----

/// An index that may count from the end, as a position among `len` elements or behind them.
fn position(len: usize, index: i64) -> Option<usize> {
    match usize::try_from(index) {
        Ok(index) => Some(index),
        Err(_) => len.checked_sub(usize::try_from(index.unsigned_abs()).ok()?),
    }
}

/// A count of elements to take away or to keep.
fn check_count(ec: &mut Ec, count: i64) -> Result<usize> {
    usize::try_from(count).map_err(|_| ec.argument_error("negative array size"))
}
