//! Fewer digits.

use super::number::{Modes, Number, Rounding, This, check_finite, checked, load, make_like};
use super::whole::{Whole, ten_power};
use crate::number::integer::operand::to_c_int;
use carat_vm::{Ec, Rest, Result, Value};
use std::cmp::Ordering;

/// Rounded to so many significant digits.
pub(super) fn significant(ec: &mut Ec, number: Number, digits: u64, mode: Rounding) -> Result<Number> {
    let count = number.digits(ec)?;
    if !number.is_finite() || count <= digits {
        return Ok(number);
    }
    drop_digits(ec, number, count - digits, mode)
}

/// Rounded to so many digits behind the point.
pub(super) fn behind_point(ec: &mut Ec, number: Number, digits: i64, mode: Rounding) -> Result<Number> {
    let count = -number.exponent - i128::from(digits);
    if !number.is_finite() || count <= 0 {
        return Ok(number);
    }
    let is_negative = number.is_negative();
    // Numbers are made of words of nine digits. None is rounded up to a place in front of its first word.
    if mode == Rounding::Up && words_before(number.point(ec)?) * 9 < -i128::from(digits) {
        return Ok(Number::zero(is_negative));
    }
    match u64::try_from(count) {
        Ok(count) => drop_digits(ec, number, count, mode),
        Err(_) => Ok(Number::zero(is_negative)),
    }
}

/// How many words of nine digits it takes to reach a place.
pub(super) fn words_before(place: i128) -> i128 {
    (place + 8).div_euclid(9)
}

/// Without the last `count` digits of the whole.
fn drop_digits(ec: &mut Ec, number: Number, count: u64, mode: Rounding) -> Result<Number> {
    let is_negative = number.is_negative();
    let digits = number.digits(ec)?;
    // Beyond its digits only the sign and the half matter.
    let divisor = ten_power(ec, count.min(digits + 1))?;
    let (quotient, rest) = number.whole.abs().divided(ec, &divisor)?;
    let whole = rounded(quotient, &rest, &divisor, Ordering::Equal, mode, is_negative);
    if whole.is_zero() {
        return Ok(Number::zero(is_negative));
    }
    Number::of(ec, whole.signed(is_negative), number.exponent + i128::from(count))
}

/// A quotient rounded by its rest. `beyond` is greater if the rest itself is a little more than that.
pub(super) fn rounded(
    quotient: Whole,
    rest: &Whole,
    divisor: &Whole,
    beyond: Ordering,
    mode: Rounding,
    is_negative: bool,
) -> Whole {
    if rest.is_zero() && beyond.is_eq() {
        return quotient;
    }
    let half = rest.clone().plus(rest.clone()).compare(divisor).then(beyond);
    if mode.is_up(half, quotient.is_odd(), is_negative) { quotient.plus(Whole::Small(1)) } else { quotient }
}

/// As many zeros behind it an Integer may have; `Integer#**` refuses larger powers of ten.
const MAX_ZEROS: u64 = (1 << 34) / 4;

/// How many digits stand behind the point; `None` if all of them do.
fn digits_behind(ec: &mut Ec, number: &Number) -> Result<Option<u64>> {
    let digits = number.digits(ec)?;
    Ok(u64::try_from(-number.exponent).ok().filter(|count| *count < digits))
}

/// The Integer in front of the point.
pub(super) fn integer(ec: &mut Ec, number: Number) -> Result {
    check_finite(ec, &number)?;
    if !number.is_finite() {
        return Ok(Value::fixnum_unchecked(0));
    }
    if number.exponent >= 0 {
        let Some(zeros) = u64::try_from(number.exponent).ok().filter(|zeros| *zeros <= MAX_ZEROS) else {
            return Err(ec.argument_error("exponent is too large"));
        };
        return Ok(number.whole.shifted(ec, zeros)?.value(ec));
    }
    let Some(count) = digits_behind(ec, &number)? else { return Ok(Value::fixnum_unchecked(0)) };
    let is_negative = number.is_negative();
    let divisor = ten_power(ec, count)?;
    let (quotient, _) = number.whole.abs().divided(ec, &divisor)?;
    Ok(quotient.signed(is_negative).value(ec))
}

/// The rounding mode that an argument names, of which `lib/bigdecimal/mode.rb` knows all forms.
fn named_mode(ec: &mut Ec, this: This, mode: Value) -> Result<Rounding> {
    if let Some(number @ 1..=7) = mode.as_fixnum() {
        return Ok(Rounding::of(number));
    }
    let class = ec.class_of(this.value()).real();
    let number = ec.call(class.value(), ec.vm().intern("__rounding_mode"), &[mode])?;
    Ok(Rounding::of(number.as_fixnum().unwrap_or(0)))
}

/// `round(digits = 0, mode = …)`: an Integer, unless digits behind the point or a mode are given.
pub(super) fn round(ec: &mut Ec, this: This, args: Rest) -> Result {
    if args.len() > 2 {
        return Err(ec.arity_error(args.len(), 0, Some(2)));
    }
    let (mut digits, mut mode) = (args.get(0), args.get(1));
    let mut is_integer = digits.is_none();
    if let Some(options) = digits.filter(|digits| carat_vm::Hash::from_value(*digits).is_some()) {
        (digits, mode) = (None, Some(options));
    }
    let rounding = match mode {
        None => Modes::of(ec).rounding,
        Some(mode) => named_mode(ec, this, mode)?,
    };
    let digits = digits.map_or(Ok(0), |digits| to_c_int(ec, digits))?;
    is_integer |= mode.is_none() && digits < 1;
    finish(ec, this, i64::from(digits), rounding, is_integer)
}

fn finish(ec: &mut Ec, this: This, digits: i64, mode: Rounding, is_integer: bool) -> Result {
    let number = load(ec, this);
    if is_integer {
        check_finite(ec, &number)?;
    }
    let number = behind_point(ec, number, digits, mode)?;
    if is_integer {
        return integer(ec, number);
    }
    let number = checked(ec, number)?;
    Ok(make_like(ec, this, number))
}

/// An Integer, unless the number of digits is given.
fn cut(ec: &mut Ec, this: This, digits: Option<Value>, mode: Rounding) -> Result {
    let is_integer = digits.is_none();
    let digits = digits.map_or(Ok(0), |digits| to_c_int(ec, digits))?;
    finish(ec, this, i64::from(digits), mode, is_integer)
}

pub(super) fn truncate(ec: &mut Ec, this: This, digits: Option<Value>) -> Result {
    cut(ec, this, digits, Rounding::Down)
}

pub(super) fn floor(ec: &mut Ec, this: This, digits: Option<Value>) -> Result {
    cut(ec, this, digits, Rounding::Floor)
}

pub(super) fn ceil(ec: &mut Ec, this: This, digits: Option<Value>) -> Result {
    cut(ec, this, digits, Rounding::Ceiling)
}

/// What stands before the point.
pub(super) fn fix(ec: &mut Ec, this: This) -> Result {
    finish(ec, this, 0, Rounding::Down, false)
}

/// What stands behind the point.
pub(super) fn frac(ec: &mut Ec, this: This) -> Result {
    let number = load(ec, this);
    let number = checked(ec, number)?;
    if !number.is_finite() {
        return Ok(this.value());
    }
    let is_negative = number.is_negative();
    if number.exponent >= 0 {
        return Ok(make_like(ec, this, Number::zero(is_negative)));
    }
    let Some(count) = digits_behind(ec, &number)? else { return Ok(this.value()) };
    let divisor = ten_power(ec, count)?;
    let (_, rest) = number.whole.abs().divided(ec, &divisor)?;
    let number = Number::of(ec, rest.signed(is_negative), number.exponent)?;
    Ok(make_like(ec, this, number))
}

pub(super) fn to_i(ec: &mut Ec, this: This) -> Result {
    let number = load(ec, this);
    integer(ec, number)
}

/// `_decimal_shift(digits)`: the number times so many powers of ten, with all its digits.
pub(super) fn decimal_shift(ec: &mut Ec, this: This, digits: Value) -> Result {
    let digits = ec.to_int(digits)?;
    let digits = ec.to_long(digits)?;
    let number = load(ec, this);
    let number = checked(ec, number)?;
    if !number.is_finite() || digits == 0 {
        return Ok(this.value());
    }
    let number = Number::of(ec, number.whole, number.exponent + i128::from(digits))?;
    Ok(make_like(ec, this, number))
}

/// `__significant(digits, mode)`, for the methods in Ruby.
pub(super) fn significant_method(ec: &mut Ec, this: This, digits: i64, mode: i64) -> Result {
    let number = load(ec, this);
    let number = significant(ec, number, digits.max(0).cast_unsigned(), Rounding::of(mode))?;
    Ok(make_like(ec, this, number))
}
