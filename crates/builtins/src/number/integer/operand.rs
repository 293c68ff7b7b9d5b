//! What stands on the two sides of a numeric operator, and what happens when one of them is no Integer or Float.
//!
//! An operator looks at both sides as [`Operand`]s, which borrow a bignum instead of copying it. Where the right side is
//! `Other` it is asked to `coerce` the left one, in the three manners CRuby has: for results, for `<=>` and for relations.

use carat_vm::{Array, Ec, HeapType, Result, SymbolId, Value, sym};
use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;

/// A number as arithmetic sees it.
#[derive(Clone, Copy)]
pub(crate) enum Operand<'a> {
    Small(i64),
    Big(&'a BigInt),
    Float(f64),
    Other,
}

impl<'a> Operand<'a> {
    #[inline]
    pub(crate) fn of(ec: &'a Ec, value: Value) -> Operand<'a> {
        if let Some(i) = value.as_fixnum() {
            return Operand::Small(i);
        }
        if let Some(f) = ec.float_of(value) {
            return Operand::Float(f);
        }
        ec.bignum_of(value).map_or(Operand::Other, Operand::Big)
    }

    /// The nearest double; NaN for what is no number.
    pub(crate) fn to_f64(self) -> f64 {
        match self {
            Operand::Small(i) => i as f64,
            Operand::Big(b) => big_to_f64(b),
            Operand::Float(f) => f,
            Operand::Other => f64::NAN,
        }
    }

    /// A copy of an Integer as a big number.
    pub(crate) fn to_big(self) -> Option<BigInt> {
        match self {
            Operand::Small(i) => Some(BigInt::from(i)),
            Operand::Big(b) => Some(b.clone()),
            Operand::Float(_) | Operand::Other => None,
        }
    }
}

/// The nearest double, infinite when out of range.
pub(crate) fn big_to_f64(b: &BigInt) -> f64 {
    b.to_f64().unwrap_or(if b.sign() == Sign::Minus { f64::NEG_INFINITY } else { f64::INFINITY })
}

/// Is an Integer below zero?
pub(crate) fn is_negative(ec: &Ec, integer: Value) -> bool {
    match integer.as_fixnum() {
        Some(i) => i < 0,
        None => ec.bignum_of(integer).is_some_and(|b| b.sign() == Sign::Minus),
    }
}

/// Warns, before it meets a Float, of an Integer that no Float holds.
#[inline]
pub(super) fn warn_beyond_float(ec: &mut Ec, integer: Value, other: Value) -> Result<()> {
    if integer.is_fixnum() || other.is_fixnum() {
        return Ok(());
    }
    let is_beyond = match (Operand::of(ec, integer), Operand::of(ec, other)) {
        (Operand::Big(b), Operand::Float(_)) => big_to_f64(b).is_infinite(),
        _ => false,
    };
    if is_beyond { ec.warn_verbose("Integer out of Float range") } else { Ok(()) }
}

/// `[x, y]` as `y.coerce(x)` gives them. `None` if `y` cannot, which is an error when `must` is set.
pub(crate) fn coerce(ec: &mut Ec, x: Value, y: Value, must: bool) -> Result<Option<(Value, Value)>> {
    let Some(pair) = ec.call_if_responds(y, sym::COERCE, &[x])? else {
        return if must { Err(coerce_failed(ec, x, y)) } else { Ok(None) };
    };
    if pair.is_nil() && !must {
        return Ok(None);
    }
    match Array::from_value(pair) {
        Some(pair) if pair.len(ec) == 2 => Ok(Some((pair.at(ec, 0), pair.at(ec, 1)))),
        _ => Err(ec.type_error("coerce must return [x, y]")),
    }
}

/// `String can't be coerced into Integer`; special constants and floats are shown instead of their class.
fn coerce_failed(ec: &mut Ec, x: Value, y: Value) -> carat_vm::Unwind {
    let shown = if !y.is_heap() || y.is_type(HeapType::Float) {
        match ec.inspect(y) {
            Ok(text) => text.to_text(ec),
            Err(unwind) => return unwind,
        }
    } else {
        ec.describe_for_type_error(y)
    };
    let class = ec.describe_for_type_error(x);
    ec.type_error(&format!("{shown} can't be coerced into {class}"))
}

/// `x op y` where `y` decides how.
#[cold]
pub(crate) fn coerced(ec: &mut Ec, x: Value, op: SymbolId, y: Value) -> Result {
    let Some((x, y)) = coerce(ec, x, y, true)? else { return Ok(Value::NIL) };
    ec.call(x, op, &[y])
}

/// As [`coerced`] for the bit operators: what has none of them, or answers nil, counts as not coerced.
#[cold]
pub(crate) fn coerced_bits(ec: &mut Ec, x: Value, op: SymbolId, y: Value) -> Result {
    if let Some((a, b)) = coerce(ec, x, y, true)?
        && let Some(result) = ec.call_if_responds(a, op, &[b])?
        && !result.is_nil()
    {
        return Ok(result);
    }
    Err(coerce_failed(ec, x, y))
}

/// `x <=> y` where `y` decides, nil when it cannot.
#[cold]
pub(crate) fn coerced_order(ec: &mut Ec, x: Value, y: Value) -> Result {
    match coerce(ec, x, y, false)? {
        Some((x, y)) => ec.call(x, sym::CMP, &[y]),
        None => Ok(Value::NIL),
    }
}

/// `x < y` and the like where `y` decides; an error when it cannot.
#[cold]
pub(crate) fn coerced_relation(ec: &mut Ec, x: Value, op: SymbolId, y: Value) -> Result {
    if let Some((a, b)) = coerce(ec, x, y, false)? {
        let answer = ec.call(a, op, &[b])?;
        if !answer.is_nil() {
            return Ok(answer);
        }
    }
    Err(ec.comparison_failed(x, y))
}

/// `x == y` where `y` is no Integer or Float: equality is symmetric, so it is asked.
#[cold]
pub(crate) fn asked_equal(ec: &mut Ec, x: Value, y: Value) -> Result<bool> {
    Ok(x == y || ec.call(y, sym::EQ, &[x])?.truthy())
}

/// A digit or bit count, as C's `NUM2INT`.
pub(crate) fn to_c_int(ec: &mut Ec, value: Value) -> Result<i32> {
    let long = ec.to_long(value)?;
    match i32::try_from(long) {
        Ok(int) => Ok(int),
        Err(_) => {
            let size = if long < 0 { "small" } else { "big" };
            Err(ec.range_error(&format!("integer {long} too {size} to convert to 'int'")))
        }
    }
}

/// `FloatDomainError` for a double that no Integer or Rational equals.
pub(crate) fn float_domain_error(ec: &mut Ec, f: f64) -> carat_vm::Unwind {
    let text = if f.is_nan() {
        "NaN"
    } else if f < 0.0 {
        "-Infinity"
    } else {
        "Infinity"
    };
    ec.error(ec.vm().known().float_domain_error, text)
}

/// A double without fraction as an Integer; an error for NaN and the infinities.
pub(crate) fn float_to_integer(ec: &mut Ec, f: f64) -> Result {
    match carat_text::number::exact::float_to_integer(f) {
        Some(integer) => Ok(integer_value(ec, integer)),
        None => Err(float_domain_error(ec, f)),
    }
}

pub(crate) fn integer_value(ec: &Ec, integer: carat_text::number::Int) -> Value {
    match integer {
        carat_text::number::Int::Small(i) => ec.int(i),
        carat_text::number::Int::Big(b) => ec.bigint(b),
    }
}

/// An Integer as `carat-text` takes it.
pub(crate) fn text_int(ec: &Ec, integer: Value) -> carat_text::number::Int {
    match ec.bignum_of(integer) {
        Some(b) => carat_text::number::Int::from(b.clone()),
        None => carat_text::number::Int::Small(integer.as_fixnum().unwrap_or(0)),
    }
}
