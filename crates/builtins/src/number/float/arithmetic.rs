//! Operators of doubles. An Integer on the other side becomes a double, except in comparisons, which are exact.

use super::{division, double};
use crate::number::integer::compare::{Compared, compare};
use crate::number::integer::operand::{Operand, coerced, coerced_order};
use crate::number::integer::power::float_power;
use carat_vm::{Ec, Result, Value, sym};

/// The other side as a double, unless it has to be asked.
#[inline]
fn other_double(ec: &Ec, other: Value) -> Option<f64> {
    match Operand::of(ec, other) {
        Operand::Other => None,
        number => Some(number.to_f64()),
    }
}

macro_rules! operator {
    ($name:ident, $symbol:expr, $of:expr) => {
        pub(super) fn $name(ec: &mut Ec, this: Value, other: Value) -> Result {
            let of: fn(f64, f64) -> f64 = $of;
            match other_double(ec, other) {
                Some(y) => Ok(ec.float(of(double(ec, this), y))),
                None => coerced(ec, this, $symbol, other),
            }
        }
    };
}

operator!(plus, sym::PLUS, |x, y| x + y);
operator!(minus, sym::MINUS, |x, y| x - y);
operator!(multiply, sym::MULT, |x, y| x * y);
operator!(divide, sym::DIV, |x, y| x / y);

pub(super) fn modulo(ec: &mut Ec, this: Value, other: Value) -> Result {
    match other_double(ec, other) {
        Some(y) => division::modulo(ec, double(ec, this), y),
        None => coerced(ec, this, sym::MOD, other),
    }
}

pub(super) fn divmod(ec: &mut Ec, this: Value, other: Value) -> Result {
    match other_double(ec, other) {
        Some(y) => division::divmod(ec, double(ec, this), y),
        None => coerced(ec, this, ec.vm().intern("divmod"), other),
    }
}

/// `Float#quo`: calls a `/` that a program may have redefined, even as an alias of `quo`.
pub(super) fn quo(ec: &mut Ec, this: Value, other: Value) -> Result {
    if ec.has_core_operator(sym::DIV) {
        return divide(ec, this, other);
    }
    match ec.guarded(sym::DIV, this, other, |ec| ec.call(this, sym::DIV, &[other]))? {
        Some(quotient) => Ok(quotient),
        None => {
            let message = format!("{}/{}", ec.inspect(this)?.to_text(ec), ec.inspect(other)?.to_text(ec));
            Err(ec.name_error(&message, this, sym::DIV))
        }
    }
}

pub(super) fn power(ec: &mut Ec, this: Value, other: Value) -> Result {
    match other_double(ec, other) {
        Some(y) => Ok(float_power(ec, double(ec, this), y)),
        None => coerced(ec, this, sym::POW, other),
    }
}

/// [`power`] to the power of a Float.
pub(super) fn power_at_once(ec: &mut Ec, this: f64, other: f64) -> Option<Value> {
    (this >= 0.0).then(|| float_power(ec, this, other))
}

/// [`modulo`] of two Floats.
pub(super) fn modulo_at_once(ec: &mut Ec, this: f64, other: f64) -> Option<Value> {
    carat_vm::float_modulo((this, other)).map(|rest| ec.float(rest))
}

/// [`order`] of two Floats.
pub(super) fn order_at_once(_ec: &mut Ec, this: f64, other: f64) -> Option<Value> {
    this.partial_cmp(&other).map(|order| Value::fixnum_unchecked(order as i64))
}

pub(super) fn order(ec: &mut Ec, this: Value, other: Value) -> Result {
    match compare(Operand::of(ec, this), Operand::of(ec, other)) {
        Compared::Ordered(order) => Ok(Value::fixnum_unchecked(order as i64)),
        Compared::Unordered => Ok(Value::NIL),
        Compared::Unknown if double(ec, this).is_infinite() => order_of_infinity(ec, this, other),
        Compared::Unknown => coerced_order(ec, this, other),
    }
}

/// An infinity is beyond every finite number, and asks whether the other one is infinite too.
fn order_of_infinity(ec: &mut Ec, this: Value, other: Value) -> Result {
    let Some(infinite) = ec.call_if_responds(other, ec.vm().intern("infinite?"), &[])? else {
        return coerced_order(ec, this, other);
    };
    let own = if double(ec, this) > 0.0 { 1 } else { -1 };
    let sign = if infinite.truthy() { ec.compare_result(infinite, this, other)? as i64 } else { 0 };
    Ok(Value::fixnum_unchecked(if sign == own { 0 } else { own }))
}

pub(super) fn eql(ec: &mut Ec, this: Value, other: Value) -> bool {
    ec.float_of(other).is_some_and(|y| y == double(ec, this))
}

pub(super) fn negate(ec: &mut Ec, this: Value) -> f64 {
    -double(ec, this)
}

pub(super) fn abs(ec: &mut Ec, this: Value) -> f64 {
    double(ec, this).abs()
}

/// `Float#arg`: pi for what has a minus sign, zero for the rest.
pub(super) fn arg(ec: &mut Ec, this: Value) -> Value {
    let f = double(ec, this);
    if f.is_nan() {
        this
    } else if f.is_sign_negative() {
        ec.float(std::f64::consts::PI)
    } else {
        Value::fixnum_unchecked(0)
    }
}
