//! Sums, products and quotients.

use super::number::{
    DOUBLE_FIGURES, EXCEPTION_INFINITY, EXCEPTION_NAN, EXCEPTION_ZERO_DIVIDE, Kind, Modes, Number, Rounding, This,
    check_finite, checked, infinity, load, make_like, nan, raise_if, small_parts, try_convert,
};
use super::rounding::{integer, rounded, significant, words_before};
use super::whole::{Whole, ten_power};
use crate::number::integer::operand::coerce;
use carat_vm::{Array, Ec, HeapType, Result, SymbolId, Unwind, Value, sym};
use std::cmp::Ordering;

/// The other operand as a decimal number. A Rational gets so many digits, with 0 as many as the words have that this is
/// made of, and at least twice as many as a Float.
fn operand(ec: &mut Ec, this: This, other: Value, digits: u64) -> Result<Option<Number>> {
    try_convert(ec, other, |ec| coerced_digits(ec, this, digits))
}

/// How many digits a Rational gets that meets a number.
pub(super) fn coerced_digits(ec: &mut Ec, this: This, digits: u64) -> Result<u64> {
    let digits = if digits == 0 { stored_digits(ec, this)? } else { digits };
    Ok(digits.max(2 * DOUBLE_FIGURES))
}

/// How many digits the words have that hold a number.
pub(super) fn stored_digits(ec: &mut Ec, this: This) -> Result<u64> {
    let number = load(ec, this);
    if !number.is_finite() {
        return Ok(9);
    }
    let words = words_before(number.point(ec)?) - number.exponent.div_euclid(9);
    Ok(words as u64 * 9)
}

/// As [`operand`], for methods that ask no other object to coerce this.
fn required_operand(ec: &mut Ec, this: This, other: Value, digits: u64) -> Result<Number> {
    match operand(ec, this, other, digits)? {
        Some(number) => Ok(number),
        None => Err(not_coerced(ec, other)),
    }
}

/// What the other operand makes of the operation, for which it knows how to meet a decimal number.
#[cold]
fn coerced(ec: &mut Ec, this: This, op: SymbolId, other: Value) -> Result {
    if !ec.respond_to(other, sym::COERCE, false)? {
        return Err(not_coerced(ec, other));
    }
    crate::number::integer::operand::coerced(ec, this.value(), op, other)
}

/// As [`coerced`], for an operator that has no symbol of the VM's own.
#[cold]
fn coerced_by_name(ec: &mut Ec, this: This, name: &str, other: Value) -> Result {
    let op = ec.vm().intern(name);
    coerced(ec, this, op, other)
}

#[cold]
pub(super) fn not_coerced(ec: &mut Ec, other: Value) -> Unwind {
    let shown = if !other.is_heap() || other.is_type(HeapType::Float) {
        match ec.inspect(other) {
            Ok(text) => text.to_text(ec),
            Err(unwind) => return unwind,
        }
    } else {
        ec.describe_for_type_error(other)
    };
    ec.type_error(&format!("{shown} can't be coerced into BigDecimal"))
}

/// An operator of two decimal numbers, and of what can become one.
macro_rules! operator {
    ($name:ident, $op:expr, $compute:expr) => {
        pub(super) fn $name(ec: &mut Ec, this: This, other: Value) -> Result {
            let Some(other) = operand(ec, this, other, 0)? else { return coerced(ec, this, $op, other) };
            let (number, modes) = (load(ec, this), Modes::of(ec));
            let result = $compute(ec, number, other, modes)?;
            Ok(make_like(ec, this, result))
        }
    };
}

operator!(plus, sym::PLUS, sum);
operator!(minus, sym::MINUS, difference);
operator!(times, sym::MULT, product);
operator!(divide, sym::DIV, |ec, a, b, _| quotient(ec, &a, &b, 0));
operator!(modulo, sym::MOD, |ec, a, b, _| rest(ec, a, b, Rounding::Floor));

/// `whole * 10**exponent`, within the limit of digits.
fn limited(ec: &mut Ec, whole: Whole, exponent: i128, modes: Modes) -> Result<Number> {
    let number = Number::of(ec, whole, exponent)?;
    limit(ec, number, modes)
}

fn limit(ec: &mut Ec, number: Number, modes: Modes) -> Result<Number> {
    if modes.limit == 0 { Ok(number) } else { significant(ec, number, modes.limit, modes.rounding) }
}

/// Both wholes for the smaller of the two exponents, which comes third.
fn aligned(ec: &mut Ec, a: Number, b: Number) -> Result<(Whole, Whole, i128)> {
    let low = a.exponent.min(b.exponent);
    let a_whole = shifted(ec, a.whole, a.exponent - low)?;
    Ok((a_whole, shifted(ec, b.whole, b.exponent - low)?, low))
}

fn shifted(ec: &mut Ec, whole: Whole, digits: i128) -> Result<Whole> {
    whole.shifted(ec, u64::try_from(digits).unwrap_or(u64::MAX))
}

// ---- results that are no numbers ----

/// NaN as the result of operands that are numbers, or infinite.
fn nan_of_operands(ec: &mut Ec) -> Result<Number> {
    raise_if(ec, EXCEPTION_NAN, "Computation results to 'NaN'")?;
    nan(ec)
}

fn infinity_of_operands(ec: &mut Ec, is_negative: bool) -> Result<Number> {
    let message = if is_negative { "Computation results to '-Infinity'" } else { "Computation results to 'Infinity'" };
    raise_if(ec, EXCEPTION_INFINITY, message)?;
    infinity(ec, is_negative)
}

// ---- sums and products ----

fn difference(ec: &mut Ec, a: Number, b: Number, modes: Modes) -> Result<Number> {
    sum(ec, a, b.negated(), modes)
}

fn sum(ec: &mut Ec, a: Number, b: Number, modes: Modes) -> Result<Number> {
    if !a.is_finite() || !b.is_finite() {
        return special_sum(ec, a, b, modes);
    }
    let (a, b) = if modes.limit == 0 { (a, b) } else { nearer(ec, a, b, modes.limit)? };
    let (a, b, low) = aligned(ec, a, b)?;
    let sum = a.plus(b);
    if sum.is_zero() {
        return Ok(Number::zero(false));
    }
    limited(ec, sum, low, modes)
}

/// Two numbers whose sum is rounded to so many digits. One that lies entirely behind those and behind the other number tells
/// nothing but the direction of the rounding: it is brought nearer.
fn nearer(ec: &mut Ec, a: Number, b: Number, digits: u64) -> Result<(Number, Number)> {
    if a.exponent.abs_diff(b.exponent) <= 2 * u128::from(digits) {
        return Ok((a, b));
    }
    let (a_point, b_point) = (a.point(ec)?, b.point(ec)?);
    let bring = |near: &Number, near_point: i128, far: Number, far_point: i128| {
        let low = near.exponent.min(near_point - i128::from(digits)) - 2;
        if far_point > low {
            return far;
        }
        Number { whole: Whole::Small(i128::from(far.whole.signum())), exponent: low, ..far }
    };
    if a_point > b_point {
        let b = bring(&a, a_point, b, b_point);
        return Ok((a, b));
    }
    let a = bring(&b, b_point, a, a_point);
    Ok((a, b))
}

fn special_sum(ec: &mut Ec, a: Number, b: Number, modes: Modes) -> Result<Number> {
    match (a.kind, b.kind) {
        (Kind::Nan, _) | (_, Kind::Nan) => nan(ec),
        (Kind::Infinite, Kind::Infinite) if a.is_negative() != b.is_negative() => nan_of_operands(ec),
        (Kind::Infinite, _) => infinity_of_operands(ec, a.is_negative()),
        (_, Kind::Infinite) => infinity_of_operands(ec, b.is_negative()),
        (Kind::Zero, Kind::Zero) => Ok(Number::zero(a.is_negative() && b.is_negative())),
        (Kind::Zero, _) => limit(ec, b, modes),
        _ => limit(ec, a, modes),
    }
}

fn product(ec: &mut Ec, a: Number, b: Number, modes: Modes) -> Result<Number> {
    let is_negative = a.is_negative() != b.is_negative();
    if a.is_nan() || b.is_nan() {
        return nan_of_operands(ec);
    }
    if a.is_infinite() || b.is_infinite() {
        let is_undefined = a.is_zero() || b.is_zero();
        return if is_undefined { nan_of_operands(ec) } else { infinity_of_operands(ec, is_negative) };
    }
    if a.is_zero() || b.is_zero() {
        return Ok(Number::zero(is_negative));
    }
    let whole = a.whole.times(ec, b.whole)?;
    limited(ec, whole, a.exponent + b.exponent, modes)
}

// ---- quotients ----

/// The quotient, rounded to so many digits. With 0: to sixteen more than it takes to write the longer of the two, but at
/// least 32, within the limit.
pub(super) fn quotient(ec: &mut Ec, a: &Number, b: &Number, digits: u64) -> Result<Number> {
    if !a.is_finite() || !b.is_finite() {
        return special_quotient(ec, a, b);
    }
    let modes = Modes::of(ec);
    let digits = if digits == 0 { quotient_digits(ec, a, b, modes.limit)? } else { digits };
    rounded_quotient(ec, a, b, digits, modes.rounding)
}

fn quotient_digits(ec: &mut Ec, a: &Number, b: &Number, limit: u64) -> Result<u64> {
    let longer = a.precision(ec)?.max(b.precision(ec)?);
    let digits = longer.saturating_add(DOUBLE_FIGURES).max(2 * DOUBLE_FIGURES);
    Ok(if limit == 0 { digits } else { digits.min(limit) })
}

pub(super) fn rounded_quotient(ec: &mut Ec, a: &Number, b: &Number, digits: u64, mode: Rounding) -> Result<Number> {
    let (a_digits, b_digits) = (a.digits(ec)?, b.digits(ec)?);
    let is_negative = a.is_negative() != b.is_negative();
    // One digit more than is wanted, or none, unless the dividend has too many as it is.
    let shift = digits.saturating_add(b_digits).saturating_sub(a_digits);
    let divisor = b.whole.clone().abs();
    let (whole, rest) = a.whole.clone().abs().shifted(ec, shift)?.divided(ec, &divisor)?;
    let extra = whole.digits(ec)?.saturating_sub(digits);
    let whole = if extra == 0 {
        rounded(whole, &rest, &divisor, Ordering::Equal, mode, is_negative)
    } else {
        let power = ten_power(ec, extra)?;
        let (whole, dropped) = whole.divided(ec, &power)?;
        let beyond = if rest.is_zero() { Ordering::Equal } else { Ordering::Greater };
        rounded(whole, &dropped, &power, beyond, mode, is_negative)
    };
    let exponent = a.exponent - b.exponent - i128::from(shift) + i128::from(extra);
    Number::of(ec, whole.signed(is_negative), exponent)
}

fn special_quotient(ec: &mut Ec, a: &Number, b: &Number) -> Result<Number> {
    let is_negative = a.is_negative() != b.is_negative();
    match (a.kind, b.kind) {
        (Kind::Nan, _) | (_, Kind::Nan) | (Kind::Infinite, Kind::Infinite) => nan_of_operands(ec),
        (Kind::Infinite, _) => infinity_of_operands(ec, is_negative),
        (_, Kind::Infinite) => {
            // The gem takes the zero for an infinity here.
            raise_if(ec, EXCEPTION_INFINITY, "Computation results to '-Infinity'")?;
            Ok(Number::zero(is_negative))
        }
        (Kind::Zero, Kind::Finite) => Ok(Number::zero(is_negative)),
        (Kind::Zero, _) => nan_of_operands(ec),
        _ => {
            raise_if(ec, EXCEPTION_ZERO_DIVIDE, "Divide by zero")?;
            infinity(ec, is_negative)
        }
    }
}

/// The quotient as an integral number, rounded down or towards zero, and what is left.
fn division(ec: &mut Ec, a: Number, b: Number, mode: Rounding) -> Result<(Number, Number)> {
    let is_negative = a.is_negative() != b.is_negative();
    if !a.is_finite() || !b.is_finite() {
        return special_division(ec, a, b, is_negative && mode == Rounding::Floor);
    }
    if a.point(ec)? < b.point(ec)? && !(is_negative && mode == Rounding::Floor) {
        return Ok((Number::zero(false), a));
    }
    let (is_dividend_negative, is_divisor_negative) = (a.is_negative(), b.is_negative());
    let (a, b, low) = aligned(ec, a, b)?;
    let divisor = b.abs();
    let (mut div, rest) = a.abs().divided(ec, &divisor)?;
    let mut rest = rest.signed(is_dividend_negative);
    if is_negative && mode == Rounding::Floor && !rest.is_zero() {
        div = div.plus(Whole::Small(1));
        rest = rest.plus(divisor.signed(is_divisor_negative));
    }
    let div = Number::of(ec, div.signed(is_negative), 0)?;
    let rest = if rest.is_zero() { Number::zero(false) } else { Number::of(ec, rest, low)? };
    Ok((div, rest))
}

/// `rounds_away` if the quotient, which is between -1 and 0, is rounded down.
fn special_division(ec: &mut Ec, a: Number, b: Number, rounds_away: bool) -> Result<(Number, Number)> {
    let undefined = Number { kind: Kind::Nan, whole: Whole::Small(0), exponent: 0 };
    if a.is_nan() || b.is_nan() || a.is_infinite() && b.is_infinite() {
        return Ok((undefined.clone(), undefined));
    }
    if b.is_zero() {
        return Err(ec.zero_division());
    }
    if a.is_infinite() {
        let sign = if a.is_negative() == b.is_negative() { 1 } else { -1 };
        return Ok((Number { whole: Whole::Small(sign), ..a }, undefined));
    }
    if rounds_away && a.is_finite() {
        return Ok((Number { kind: Kind::Finite, whole: Whole::Small(-1), exponent: 0 }, b));
    }
    Ok((Number::zero(false), a))
}

/// What a division leaves.
fn rest(ec: &mut Ec, a: Number, b: Number, mode: Rounding) -> Result<Number> {
    let (_, rest) = division(ec, a, b, mode)?;
    checked(ec, rest)
}

/// `[quotient, rest]`: the quotient is an Integer, rounded down.
pub(super) fn divmod(ec: &mut Ec, this: This, other: Value) -> Result {
    let Some(other) = operand(ec, this, other, 0)? else { return coerced_by_name(ec, this, "divmod", other) };
    let number = load(ec, this);
    let (div, rest) = division(ec, number, other, Rounding::Floor)?;
    let rest = checked(ec, rest)?;
    let div = integer(ec, div)?;
    let rest = make_like(ec, this, rest);
    Ok(Array::pair(ec, div, rest).value())
}

/// What is left of a division that is rounded towards zero.
pub(super) fn remainder(ec: &mut Ec, this: This, other: Value) -> Result {
    let Some(other) = operand(ec, this, other, 0)? else { return coerced_by_name(ec, this, "remainder", other) };
    let number = load(ec, this);
    let rest = rest(ec, number, other, Rounding::Down)?;
    Ok(make_like(ec, this, rest))
}

/// A number of digits, which is not negative.
pub(super) fn to_digits(ec: &mut Ec, digits: Value) -> Result<u64> {
    let digits = ec.to_long(digits)?;
    u64::try_from(digits).map_err(|_| ec.argument_error("negative precision"))
}

/// `div(other, digits)`: the quotient of so many digits; without their number an Integer, rounded down.
pub(super) fn div(ec: &mut Ec, this: This, other: Value, digits: Option<Value>) -> Result {
    let Some(digits) = digits.filter(|digits| !digits.is_nil()) else {
        let Some(other) = operand(ec, this, other, 0)? else { return coerced_by_name(ec, this, "div", other) };
        let number = load(ec, this);
        let (div, _) = division(ec, number, other, Rounding::Floor)?;
        check_finite(ec, &div)?;
        return integer(ec, div);
    };
    let digits = to_digits(ec, digits)?;
    let other = required_operand(ec, this, other, digits)?;
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

/// The result of an operator with another limit; 0 for the operator as it is.
fn to_precision(ec: &mut Ec, this: This, other: Value, digits: Value, operation: Operation) -> Result {
    let digits = to_digits(ec, digits)?;
    let other = required_operand(ec, this, other, digits)?;
    let (number, modes) = (load(ec, this), Modes::with_limit(ec, digits));
    let result = operation(ec, number, other, modes)?;
    Ok(make_like(ec, this, result))
}

pub(super) fn add(ec: &mut Ec, this: This, other: Value, digits: Value) -> Result {
    to_precision(ec, this, other, digits, sum)
}

pub(super) fn sub(ec: &mut Ec, this: This, other: Value, digits: Value) -> Result {
    to_precision(ec, this, other, digits, difference)
}

pub(super) fn mult(ec: &mut Ec, this: This, other: Value, digits: Value) -> Result {
    to_precision(ec, this, other, digits, product)
}

pub(super) fn negate(ec: &mut Ec, this: This) -> Result {
    let number = load(ec, this).negated();
    let number = checked(ec, number)?;
    Ok(make_like(ec, this, number))
}

pub(super) fn abs(ec: &mut Ec, this: This) -> Result {
    let number = load(ec, this);
    if number.is_negative() {
        return negate(ec, this);
    }
    checked(ec, number)?;
    Ok(this.value())
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
    let by_size = a.point(ec)?.cmp(&b.point(ec)?);
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
    let Some(other) = operand(ec, this, other, 0)? else { return Ok(None) };
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
    crate::number::integer::operand::coerced_order(ec, this.value(), other)
}

pub(super) fn equal(ec: &mut Ec, this: This, other: Value) -> Result<bool> {
    if let Some(ordering) = compared(ec, this, other)? {
        return Ok(ordering.is_some_and(Ordering::is_eq));
    }
    match coerce(ec, this.value(), other, false)? {
        Some((a, b)) => Ok(ec.call(a, sym::EQ, &[b])?.truthy()),
        None => Ok(false),
    }
}

macro_rules! relation {
    ($name:ident, $op:expr, $holds:ident) => {
        pub(super) fn $name(ec: &mut Ec, this: This, other: Value) -> Result {
            if let Some(ordering) = compared(ec, this, other)? {
                return Ok(Value::bool(ordering.is_some_and(Ordering::$holds)));
            }
            crate::number::integer::operand::coerced_relation(ec, this.value(), $op, other)
        }
    };
}

relation!(less, sym::LT, is_lt);
relation!(less_or_equal, sym::LE, is_le);
relation!(greater, sym::GT, is_gt);
relation!(greater_or_equal, sym::GE, is_ge);
