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

/// The Kahan-Babuska sum; `None` if there is something that is neither a float nor a fixnum.
fn float_sum(ec: &Ec, start: f64, elements: &[Value]) -> Option<f64> {
    let (mut sum, mut compensation) = (start, 0.0);
    for element in elements {
        #[expect(clippy::cast_precision_loss, reason = "as Ruby converts integers among floats")]
        let x = element.as_fixnum().map(|i| i as f64).or_else(|| ec.float_of(*element))?;
        if !x.is_finite() || sum.is_infinite() {
            sum += if x.is_infinite() && sum.is_infinite() && x != sum { f64::NAN } else { x };
            continue;
        }
        let total = sum + x;
        compensation += if sum.abs() >= x.abs() { (sum - total) + x } else { (x - total) + sum };
        sum = total;
    }
    Some(sum + compensation)
}
