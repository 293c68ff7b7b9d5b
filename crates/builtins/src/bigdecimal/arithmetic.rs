//! Sums, products and quotients.

use super::number::{
    DOUBLE_FIGURES, EXCEPTION_ZERO_DIVIDE, Kind, Modes, Number, This, check_finite, infinity, load, make_like, nan,
    small_parts, try_convert,
};
use super::rounding::{integer, rounded, significant};
use super::whole::{Whole, ten_power};
use crate::integer::operand::coerce;
use carat_vm::{Array, Ec, Result, SymbolId, Unwind, Value, sym};
use std::cmp::Ordering;

/// The other operand as a decimal number. A Rational gets twice as many digits as this has.
fn operand(ec: &mut Ec, this: This, other: Value) -> Result<Option<Number>> {
    try_convert(ec, other, |ec| Ok(load(ec, this).digits(ec)?.max(DOUBLE_FIGURES) * 2))
}

/// As [`operand`]; the number of digits that a Rational gets is given, unless it is 0.
fn operand_with(ec: &mut Ec, this: This, other: Value, digits: u64) -> Result<Option<Number>> {
    if digits == 0 { operand(ec, this, other) } else { try_convert(ec, other, |_| Ok(digits)) }
}

/// What the other operand makes of the operation, for which it knows how to meet a decimal number.
#[cold]
fn coerced(ec: &mut Ec, this: This, op: SymbolId, other: Value, more: &[Value]) -> Result {
    if !ec.respond_to(other, sym::COERCE, false)? {
        return Err(not_coerced(ec, other));
    }
    let Some((a, b)) = coerce(ec, this.value(), other, true)? else { return Ok(Value::NIL) };
    let args: Vec<Value> = std::iter::once(b).chain(more.iter().copied()).collect();
    ec.call(a, op, &args)
}

pub(super) fn not_coerced(ec: &mut Ec, other: Value) -> Unwind {
    let shown = ec.describe_for_type_error(other);
    ec.type_error(&format!("{shown} can't be coerced into BigDecimal"))
}

/// An operator of two decimal numbers, and of what can become one.
macro_rules! operator {
    ($name:ident, $op:expr, $compute:expr) => {
        pub(super) fn $name(ec: &mut Ec, this: This, other: Value) -> Result {
            let Some(other) = operand(ec, this, other)? else { return coerced(ec, this, $op, other, &[]) };
            let (number, modes) = (load(ec, this), Modes::of(ec));
            let result = $compute(ec, number, other, modes)?;
            Ok(make_like(ec, this, result))
        }
    };
}

operator!(plus, sym::PLUS, sum);
operator!(minus, sym::MINUS, |ec, a, b: Number, modes| sum(ec, a, b.negated(), modes));
operator!(times, sym::MULT, product);
operator!(divide, sym::DIV, |ec, a, b, modes: Modes| quotient(ec, &a, &b, modes.limit));
operator!(modulo, sym::MOD, |ec, a, b, _| Ok(floor_division(ec, a, b)?.1));

/// `whole * 10**exponent`, within the limit of digits.
fn limited(ec: &mut Ec, whole: Whole, exponent: i64, modes: Modes) -> Result<Number> {
    let number = Number::of(ec, whole, exponent)?;
    limit(ec, number, modes)
}

fn limit(ec: &mut Ec, number: Number, modes: Modes) -> Result<Number> {
    if modes.limit == 0 { Ok(number) } else { significant(ec, number, modes.limit, modes.rounding) }
}

/// Both wholes for the smaller of the two exponents, which comes third.
fn aligned(ec: &mut Ec, a: Number, b: Number) -> Result<(Whole, Whole, i64)> {
    let low = a.exponent.min(b.exponent);
    // Exponents are less than 2**63 apart if one of them is not beyond 2**62.
    let distance = |exponent: i64| exponent.abs_diff(low);
    Ok((a.whole.shifted(ec, distance(a.exponent))?, b.whole.shifted(ec, distance(b.exponent))?, low))
}

fn sum(ec: &mut Ec, a: Number, b: Number, modes: Modes) -> Result<Number> {
    if !a.is_finite() || !b.is_finite() {
        return special_sum(ec, a, b, modes);
    }
    let (a, b, low) = aligned(ec, a, b)?;
    let sum = a.plus(b);
    if sum.is_zero() {
        return Ok(Number::zero(modes.rounding == super::number::Rounding::Floor));
    }
    limited(ec, sum, low, modes)
}

fn special_sum(ec: &mut Ec, a: Number, b: Number, modes: Modes) -> Result<Number> {
    match (a.kind, b.kind) {
        (Kind::Nan, _) | (_, Kind::Nan) => nan(ec),
        (Kind::Infinite, Kind::Infinite) if a.is_negative() != b.is_negative() => nan(ec),
        (Kind::Infinite, _) => infinity(ec, a.is_negative()),
        (_, Kind::Infinite) => infinity(ec, b.is_negative()),
        (Kind::Zero, Kind::Zero) => Ok(Number::zero(a.is_negative() && b.is_negative())),
        (Kind::Zero, _) => limit(ec, b, modes),
        _ => limit(ec, a, modes),
    }
}

fn product(ec: &mut Ec, a: Number, b: Number, modes: Modes) -> Result<Number> {
    let is_negative = a.is_negative() != b.is_negative();
    if a.is_nan() || b.is_nan() {
        return nan(ec);
    }
    if a.is_infinite() || b.is_infinite() {
        return if a.is_zero() || b.is_zero() { nan(ec) } else { infinity(ec, is_negative) };
    }
    if a.is_zero() || b.is_zero() {
        return Ok(Number::zero(is_negative));
    }
    let Some(exponent) = a.exponent.checked_add(b.exponent) else {
        return out_of_range(ec, a.exponent, is_negative);
    };
    let whole = a.whole.times(ec, b.whole)?;
    limited(ec, whole, exponent, modes)
}

/// What a number becomes whose exponent is too large, or too far below zero.
fn out_of_range(ec: &mut Ec, exponent: i64, is_negative: bool) -> Result<Number> {
    if exponent < 0 { Ok(Number::zero(is_negative)) } else { infinity(ec, is_negative) }
}

/// The quotient, rounded to so many digits. With 0: as many as both have, and then as a Float has, but at least twice as
/// many as that.
pub(super) fn quotient(ec: &mut Ec, a: &Number, b: &Number, digits: u64) -> Result<Number> {
    if !a.is_finite() || !b.is_finite() {
        return special_quotient(ec, a, b);
    }
    let (a_digits, b_digits) = (a.digits(ec)?, b.digits(ec)?);
    let digits = match digits {
        0 => (a_digits.max(b_digits) + DOUBLE_FIGURES).max(DOUBLE_FIGURES * 2),
        digits => digits,
    };
    let is_negative = a.is_negative() != b.is_negative();
    // One digit more than is wanted, or none, unless the dividend has too many as it is.
    let shift = (digits + b_digits).saturating_sub(a_digits);
    let divisor = b.whole.clone().abs();
    let (whole, rest) = a.whole.clone().abs().shifted(ec, shift)?.divided(ec, &divisor)?;
    let mode = Modes::of(ec).rounding;
    let extra = whole.digits(ec)?.saturating_sub(digits);
    let whole = if extra == 0 {
        rounded(whole, &rest, &divisor, Ordering::Equal, mode, is_negative)
    } else {
        let power = ten_power(ec, extra)?;
        let (whole, dropped) = whole.divided(ec, &power)?;
        let beyond = if rest.is_zero() { Ordering::Equal } else { Ordering::Greater };
        rounded(whole, &dropped, &power, beyond, mode, is_negative)
    };
    let exponent = i128::from(a.exponent) - i128::from(b.exponent) - i128::from(shift) + i128::from(extra);
    match i64::try_from(exponent) {
        Ok(exponent) => Number::of(ec, whole.signed(is_negative), exponent),
        Err(_) => out_of_range(ec, a.exponent, is_negative),
    }
}

fn special_quotient(ec: &mut Ec, a: &Number, b: &Number) -> Result<Number> {
    let is_negative = a.is_negative() != b.is_negative();
    match (a.kind, b.kind) {
        (Kind::Nan, _) | (_, Kind::Nan) | (Kind::Infinite, Kind::Infinite) => nan(ec),
        (Kind::Infinite, _) => infinity(ec, is_negative),
        (_, Kind::Infinite) => Ok(Number::zero(is_negative)),
        (Kind::Zero, Kind::Finite) => Ok(Number::zero(is_negative)),
        _ if Modes::of(ec).exceptions & EXCEPTION_ZERO_DIVIDE != 0 => Err(ec.zero_division()),
        (Kind::Zero, _) => nan(ec),
        _ => infinity(ec, is_negative),
    }
}

/// The quotient rounded down, and what is left.
fn floor_division(ec: &mut Ec, a: Number, b: Number) -> Result<(Number, Number)> {
    if a.is_nan() || b.is_nan() || a.is_infinite() && b.is_infinite() {
        let nan = nan(ec)?;
        return Ok((nan.clone(), nan));
    }
    if b.is_zero() {
        return Err(ec.zero_division());
    }
    let is_negative = a.is_negative() != b.is_negative();
    if a.is_infinite() {
        return Ok((infinity(ec, is_negative)?, nan(ec)?));
    }
    if a.is_zero() {
        return Ok((Number::zero(false), Number::zero(false)));
    }
    if b.is_infinite() {
        let minus_one = Number { kind: Kind::Finite, whole: Whole::Small(-1), exponent: 0 };
        return Ok(if is_negative { (minus_one, b) } else { (Number::zero(false), a) });
    }
    let (a, b, low) = aligned(ec, a, b)?;
    let is_divisor_negative = b.is_negative();
    let divisor = b.abs();
    let (mut div, mut rest) = a.abs().divided(ec, &divisor)?;
    if is_negative && !rest.is_zero() {
        div = div.plus(Whole::Small(1));
        rest = divisor.plus(rest.negated());
    }
    let div = Number::of(ec, div.signed(is_negative), 0)?;
    Ok((div, Number::of(ec, rest.signed(is_divisor_negative), low)?))
}

pub(super) fn divmod(ec: &mut Ec, this: This, other: Value) -> Result {
    let Some(other) = operand(ec, this, other)? else {
        let name = ec.vm().intern("divmod");
        return coerced(ec, this, name, other, &[]);
    };
    let number = load(ec, this);
    let (div, rest) = floor_division(ec, number, other)?;
    let (div, rest) = (make_like(ec, this, div), make_like(ec, this, rest));
    Ok(Array::pair(ec, div, rest).value())
}

/// What is left of a division that is rounded towards zero.
pub(super) fn remainder(ec: &mut Ec, this: This, other: Value) -> Result {
    let Some(b) = operand(ec, this, other)? else {
        let name = ec.vm().intern("remainder");
        return coerced(ec, this, name, other, &[]);
    };
    let a = load(ec, this);
    if a.is_nan() || b.is_nan() || a.is_infinite() || b.is_zero() {
        let nan = nan(ec)?;
        return Ok(make_like(ec, this, nan));
    }
    if b.is_infinite() || a.is_zero() {
        return Ok(this.value());
    }
    let is_negative = a.is_negative();
    let (a, b, low) = aligned(ec, a, b)?;
    let (_, rest) = a.abs().divided(ec, &b.abs())?;
    let number = Number::of(ec, rest.signed(is_negative), low)?;
    Ok(make_like(ec, this, number))
}

/// A number of digits, which is not negative.
pub(super) fn to_digits(ec: &mut Ec, digits: Value) -> Result<u64> {
    let digits = ec.to_long(digits)?;
    u64::try_from(digits).map_err(|_| ec.argument_error("negative precision"))
}

/// `div(other, digits)`: the quotient of so many digits; without their number an Integer, rounded down.
pub(super) fn div(ec: &mut Ec, this: This, other: Value, digits: Option<Value>) -> Result {
    let name = ec.vm().intern("div");
    let Some(given) = digits.filter(|digits| !digits.is_nil()) else {
        let Some(other) = operand(ec, this, other)? else { return coerced(ec, this, name, other, &[]) };
        let number = load(ec, this);
        let (div, _) = floor_division(ec, number, other)?;
        check_finite(ec, &div)?;
        return integer(ec, div);
    };
    let digits = to_digits(ec, given)?;
    let Some(other) = operand_with(ec, this, other, digits)? else { return coerced(ec, this, name, other, &[given]) };
    let digits = if digits == 0 { Modes::of(ec).limit } else { digits };
    let number = load(ec, this);
    let result = quotient(ec, &number, &other, digits)?;
    Ok(make_like(ec, this, result))
}

/// `quo(other, digits = 0)`
pub(super) fn quo(ec: &mut Ec, this: This, other: Value, digits: Option<Value>) -> Result {
    match digits {
        Some(given) if to_digits(ec, given)? != 0 => div(ec, this, other, Some(given)),
        _ => divide(ec, this, other),
    }
}

type Operation = fn(&mut Ec, Number, Number, Modes) -> Result<Number>;

/// The result of an operator without the limit, rounded to so many digits; 0 for the operator as it is.
fn to_precision(
    ec: &mut Ec,
    this: This,
    other: Value,
    digits: Value,
    (op, operation): (SymbolId, Operation),
) -> Result {
    let digits = to_digits(ec, digits)?;
    let Some(other) = operand(ec, this, other)? else { return coerced(ec, this, op, other, &[]) };
    let number = load(ec, this);
    let modes = if digits == 0 { Modes::of(ec) } else { Modes::without_limit(ec) };
    let mut result = operation(ec, number, other, modes)?;
    if digits != 0 {
        result = significant(ec, result, digits, modes.rounding)?;
    }
    Ok(make_like(ec, this, result))
}

pub(super) fn add(ec: &mut Ec, this: This, other: Value, digits: Value) -> Result {
    to_precision(ec, this, other, digits, (sym::PLUS, sum))
}

pub(super) fn sub(ec: &mut Ec, this: This, other: Value, digits: Value) -> Result {
    to_precision(ec, this, other, digits, (sym::MINUS, |ec, a, b, modes| sum(ec, a, b.negated(), modes)))
}

pub(super) fn mult(ec: &mut Ec, this: This, other: Value, digits: Value) -> Result {
    to_precision(ec, this, other, digits, (sym::MULT, product))
}

pub(super) fn negate(ec: &mut Ec, this: This) -> Value {
    let number = load(ec, this);
    if number.is_nan() { this.value() } else { make_like(ec, this, number.negated()) }
}

pub(super) fn abs(ec: &mut Ec, this: This) -> Value {
    if load(ec, this).is_negative() { negate(ec, this) } else { this.value() }
}

// ---- comparing ----

/// `None` if one of them is no number.
fn compare(ec: &mut Ec, a: &Number, b: &Number) -> Result<Option<Ordering>> {
    if a.is_nan() || b.is_nan() {
        return Ok(None);
    }
    let by_weight = weight(a).cmp(&weight(b));
    if by_weight.is_ne() || !a.is_finite() || !b.is_finite() {
        return Ok(Some(by_weight));
    }
    if a.exponent == b.exponent {
        return Ok(Some(a.whole.compare(&b.whole)));
    }
    let point = |ec: &mut Ec, number: &Number| Ok(i128::from(number.exponent) + i128::from(number.digits(ec)?));
    let by_size = point(ec, a)?.cmp(&point(ec, b)?);
    if by_size.is_ne() {
        return Ok(Some(if a.is_negative() { by_size.reverse() } else { by_size }));
    }
    let (a, b, _) = aligned(ec, a.clone(), b.clone())?;
    Ok(Some(a.compare(&b)))
}

/// Where a number stands beside zero and the infinite.
fn weight(number: &Number) -> i64 {
    match number.kind {
        Kind::Finite => number.whole.signum(),
        Kind::Zero | Kind::Nan => 0,
        Kind::Infinite => number.whole.signum() * 2,
    }
}

/// How this compares with a number; the outer `None` stands for what is none.
fn compared(ec: &mut Ec, this: This, other: Value) -> Result<Option<Option<Ordering>>> {
    if let Some(ordering) = compared_small(ec, this, other) {
        return Ok(Some(Some(ordering)));
    }
    let digits = |ec: &mut Ec| Ok(load(ec, this).digits(ec)?.max(DOUBLE_FIGURES) + DOUBLE_FIGURES);
    let Some(other) = try_convert(ec, other, digits)? else { return Ok(None) };
    let number = load(ec, this);
    compare(ec, &number, &other).map(Some)
}

/// Of two numbers in 128 bits that have nothing to be converted for.
fn compared_small(ec: &Ec, this: This, other: Value) -> Option<Ordering> {
    let (a, a_exponent) = small_parts(ec, this)?;
    let (b, b_exponent) = match other.as_fixnum() {
        Some(b) => (i128::from(b), 0),
        None => small_parts(ec, This::from_value(other)?)?,
    };
    if b == 0 {
        return Some(a.cmp(&b));
    }
    let scaled = |n: i128, by: i64| 10_i128.checked_pow(u32::try_from(by).ok()?)?.checked_mul(n);
    let difference = a_exponent.checked_sub(b_exponent)?;
    match difference {
        0 => Some(a.cmp(&b)),
        1.. => Some(scaled(a, difference)?.cmp(&b)),
        _ => Some(a.cmp(&scaled(b, -difference)?)),
    }
}

pub(super) fn order(ec: &mut Ec, this: This, other: Value) -> Result {
    if let Some(ordering) = compared(ec, this, other)? {
        return Ok(ordering.map_or(Value::NIL, |ordering| ec.int(ordering as i64)));
    }
    crate::integer::operand::coerced_order(ec, this.value(), other)
}

pub(super) fn equal(ec: &mut Ec, this: This, other: Value) -> Result<bool> {
    if let Some(ordering) = compared(ec, this, other)? {
        return Ok(ordering.is_some_and(Ordering::is_eq));
    }
    if !ec.is_a(other, ec.vm().known().numeric) {
        return Ok(false);
    }
    Ok(ec.call(other, sym::EQ, &[this.value()])?.truthy())
}

macro_rules! relation {
    ($name:ident, $op:expr, $holds:ident) => {
        pub(super) fn $name(ec: &mut Ec, this: This, other: Value) -> Result {
            if let Some(ordering) = compared(ec, this, other)? {
                return Ok(Value::bool(ordering.is_some_and(Ordering::$holds)));
            }
            crate::integer::operand::coerced_relation(ec, this.value(), $op, other)
        }
    };
}

relation!(less, sym::LT, is_lt);
relation!(less_or_equal, sym::LE, is_le);
relation!(greater, sym::GT, is_gt);
relation!(greater_or_equal, sym::GE, is_ge);
