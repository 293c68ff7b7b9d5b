//! Sums of numbers.

use carat_vm::{Array, Ec, Value, sym};

/// `Primitive.array_sum`: the sum of a fixnum and all elements if they are fixnums and floats; nil if anything else is among
/// them, or integers become too large. From the first float on the sum is compensated.
pub(super) fn sum(ec: &mut Ec, array: Array, init: Value) -> Value {
    let mut rest = array.slice_of(ec);
    let Some(mut total) = init.as_fixnum() else { return Value::NIL };
    while let Some((element, others)) = rest.split_first()
        && let Some(i) = element.as_fixnum()
    {
        let Some(sum) = total.checked_add(i) else { return Value::NIL };
        (total, rest) = (sum, others);
    }
    if rest.is_empty() {
        return ec.int(total);
    }
    #[expect(clippy::cast_precision_loss, reason = "as Ruby converts integers among floats")]
    let sum = float_sum(ec, total as f64, rest);
    sum.map_or(Value::NIL, |sum| ec.float(sum))
}

/// `Primitive.array_float_sum`: the plain sum of a Float and all elements, if they are fixnums and floats and `+` is the
/// original one; nil if anything else is among them.
pub(super) fn float_sum_from(ec: &mut Ec, array: Array, init: Value) -> Option<Value> {
    let init = ec.float_of(init).filter(|_| ec.has_core_operator(sym::PLUS))?;
    let total = array.slice_of(ec).iter().try_fold(init, |total, value| Some(total + float(ec, *value)?))?;
    Some(ec.float(total))
}

/// `Primitive.array_plus`: the sum of the fixnum `init`, if it is given, and all elements, if they are fixnums and their `+` is
/// the original one; undef if anything else is among them, or integers become too large.
pub(super) fn plus(ec: &mut Ec, array: Array, init: Value) -> Value {
    let (first, rest) = match array.slice_of(ec) {
        [first, rest @ ..] if init.is_undef() => (*first, rest),
        elements => (init, elements),
    };
    let Some(first) = first.as_fixnum().filter(|_| ec.has_core_operator(sym::PLUS)) else { return Value::UNDEF };
    let total = rest.iter().try_fold(first, |total, value| total.checked_add(value.as_fixnum()?));
    total.map_or(Value::UNDEF, |total| ec.int(total))
}

/// `Primitive.float_sum_add`: adds to a sum of floats, a pair of the sum and its compensation; false, with nothing done, if the
/// value is neither a float nor a fixnum.
pub(super) fn add(ec: &mut Ec, sum: Array, value: Value) -> bool {
    let Some(x) = float(ec, value) else { return false };
    let part = |ec: &Ec, index| ec.float_of(sum.at(ec, index)).unwrap_or_default();
    let mut kept = Compensated { sum: part(ec, 0), compensation: part(ec, 1) };
    kept.add(x);
    let (total, compensation) = (ec.float(kept.sum), ec.float(kept.compensation));
    sum.set(ec, 0, total);
    sum.set(ec, 1, compensation);
    true
}

/// The sum of floats and fixnums; `None` if there is something else.
fn float_sum(ec: &Ec, start: f64, elements: &[Value]) -> Option<f64> {
    let mut kept = Compensated { sum: start, compensation: 0.0 };
    for element in elements {
        kept.add(float(ec, *element)?);
    }
    Some(kept.sum + kept.compensation)
}

#[expect(clippy::cast_precision_loss, reason = "as Ruby converts integers among floats")]
fn float(ec: &Ec, value: Value) -> Option<f64> {
    value.as_fixnum().map(|i| i as f64).or_else(|| ec.float_of(value))
}

/// A Kahan-Babuska sum.
struct Compensated {
    sum: f64,
    compensation: f64,
}

impl Compensated {
    fn add(&mut self, x: f64) {
        let sum = self.sum;
        if !x.is_finite() || sum.is_infinite() {
            self.sum += if x.is_infinite() && sum.is_infinite() && x != sum { f64::NAN } else { x };
            return;
        }
        let total = sum + x;
        self.compensation += if sum.abs() >= x.abs() { (sum - total) + x } else { (x - total) + sum };
        self.sum = total;
    }
}
