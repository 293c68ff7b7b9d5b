//! Sorting what can be compared without calling Ruby.

use carat_vm::method::MethodKind;
use carat_vm::{Array, Ec, Str, Value, sym};
use std::cmp::Ordering;

/// Integers of at most this size are exact as doubles.
const EXACT: i64 = 1 << 53;

/// `Primitive.array_sort!`: sorts numbers or strings; false if there is anything else.
pub(super) fn sort(ec: &mut Ec, array: Array) -> bool {
    if is_all(ec, array, Value::is_fixnum) {
        array.slice_mut(ec).sort_unstable_by_key(|v| v.as_fixnum());
        return true;
    }
    let Some(order) = order_of(ec, array) else { return false };
    arrange(ec, array, &order);
    true
}

/// `Primitive.array_sort_keys!`: sorts both arrays by the first.
pub(super) fn sort_by_keys(ec: &mut Ec, keys: Array, values: Array) -> bool {
    if keys.len(ec) != values.len(ec) {
        return false;
    }
    let Some(order) = order_of(ec, keys) else { return false };
    arrange(ec, keys, &order);
    arrange(ec, values, &order);
    true
}

fn is_all(ec: &Ec, array: Array, test: fn(Value) -> bool) -> bool {
    let elements = array.slice_of(ec);
    elements.iter().all(|v| test(*v)) && elements.first().is_none_or(|v| has_core_order(ec, *v))
}

/// Whether `<=>` of the value is native, so that nobody can tell it was not called.
fn has_core_order(ec: &Ec, value: Value) -> bool {
    ec.find_method(value, sym::CMP).is_some_and(|method| matches!(method.kind, MethodKind::Native(..)))
}

/// Indexes of the elements in ascending order; `None` if some cannot be compared natively.
fn order_of(ec: &Ec, array: Array) -> Option<Vec<u32>> {
    let elements = array.slice_of(ec);
    let mut order: Vec<u32> = (0..u32::try_from(elements.len()).ok()?).collect();
    if is_all(ec, array, |v| Str::from_value(v).is_some()) {
        let bytes = |i: &u32| Str::from_value_unchecked(elements[*i as usize]).bytes(ec);
        order.sort_by(|a, b| bytes(a).cmp(bytes(b)));
        return Some(order);
    }
    if is_all(ec, array, Value::is_fixnum) {
        order.sort_by_key(|i| elements[*i as usize].as_fixnum());
        return Some(order);
    }
    let numbers = elements.iter().map(|v| number(ec, *v)).collect::<Option<Vec<f64>>>()?;
    if !elements.iter().all(|v| has_core_order(ec, *v)) {
        return None;
    }
    order.sort_by(|a, b| numbers[*a as usize].partial_cmp(&numbers[*b as usize]).unwrap_or(Ordering::Equal));
    Some(order)
}

/// A number as a double that is exactly it; not NaN.
fn number(ec: &Ec, value: Value) -> Option<f64> {
    match value.as_fixnum() {
        #[expect(clippy::cast_precision_loss, reason = "the integer is small enough")]
        Some(i) => (-EXACT..=EXACT).contains(&i).then_some(i as f64),
        None => ec.float_of(value).filter(|f| !f.is_nan()),
    }
}

fn arrange(ec: &mut Ec, array: Array, order: &[u32]) {
    let sorted = Array::new(ec, order.len());
    order.iter().for_each(|i| sorted.push(ec, array.at(ec, *i as usize)));
    array.replace(ec, sorted);
}
