//! `+ - * / % div divmod fdiv` and the sign.

use super::large;
use super::operand::{Operand, big_to_f64, coerced, float_to_integer, warn_beyond_float};
use crate::number::float::division;
use Operand::{Big, Float, Other, Small};
use carat_vm::{Array, Ec, HeapType, Result, SymbolId, Value, sym};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};

/// An operator that doubles and both sizes of integers have; `None` for other operands.
macro_rules! exact {
    ($name:ident, $checked:ident, $op:tt) => {
        fn $name(ec: &Ec, x: Value, y: Value) -> Option<Value> {
            Some(match (Operand::of(ec, x), Operand::of(ec, y)) {
                (Small(x), Small(y)) => match x.$checked(y) {
                    Some(small) => ec.int(small),
                    None => wide_value(ec, i128::from(x) $op i128::from(y)),
                },
                (Small(x), Big(y)) => ec.bigint(x $op y),
                (Big(x), Small(y)) => ec.bigint(x $op y),
                (Big(x), Big(y)) => ec.bigint(x $op y),
                (x, Float(y)) => ec.float(x.to_f64() $op y),
                _ => return None,
            })
        }
    };
}

exact!(sum, checked_add, +);
exact!(difference, checked_sub, -);
exact!(product, checked_mul, *);

pub(super) fn plus(ec: &mut Ec, this: Value, other: Value) -> Result {
    warn_beyond_float(ec, this, other)?;
    match sum(ec, this, other) {
        Some(value) => Ok(value),
        None => commuted(ec, this, sym::PLUS, other),
    }
}

/// `x + y` and `x * y` where `y` decides: a Complex takes `x` as its operand, as CRuby has it; others are asked to coerce it.
#[cold]
fn commuted(ec: &mut Ec, x: Value, op: SymbolId, y: Value) -> Result {
    if y.is_type(HeapType::Complex) { ec.call(y, op, &[x]) } else { coerced(ec, x, op, y) }
}

pub(super) fn minus(ec: &mut Ec, this: Value, other: Value) -> Result {
    warn_beyond_float(ec, this, other)?;
    match difference(ec, this, other) {
        Some(value) => Ok(value),
        None => coerced(ec, this, sym::MINUS, other),
    }
}

pub(super) fn multiply(ec: &mut Ec, this: Value, other: Value) -> Result {
    warn_beyond_float(ec, this, other)?;
    if let Some(product) = large::product(ec, this, other) {
        return product;
    }
    match product(ec, this, other) {
        Some(value) => Ok(value),
        None => commuted(ec, this, sym::MULT, other),
    }
}

/// What a division of integers came to.
enum Divided<T> {
    By(T),
    ByZero,
    /// The divisor is no Integer.
    No,
}

/// The quotient rounded down.
pub(super) fn floor_i64(x: i64, y: i64) -> Option<i64> {
    let quotient = x.checked_div(y)?;
    Some(if x % y != 0 && (x < 0) != (y < 0) { quotient - 1 } else { quotient })
}

/// Quotient rounded down and what that leaves of a bignum, where both sides fit 128 bits.
fn wide_division(ec: &Ec, x: Value, y: Value) -> Option<(i128, i128)> {
    if x.is_fixnum() {
        return None;
    }
    let wide = |value: Value| match (value.as_fixnum(), ec.bignum_of(value)) {
        (Some(small), _) => Some(i128::from(small)),
        (None, Some(big)) if big.bits() < 128 => big.to_i128(),
        _ => None,
    };
    let (x, y) = (wide(x)?, wide(y)?);
    // The least number of 128 bits is out already, so that no quotient overflows.
    (y != 0).then(|| x.div_mod_floor(&y))
}

fn wide_value(ec: &Ec, number: i128) -> Value {
    i64::try_from(number).map_or_else(|_| ec.bigint(BigInt::from(number)), |small| ec.int(small))
}

fn quotient(ec: &Ec, x: Value, y: Value) -> Divided<Value> {
    if let Some((quotient, _)) = wide_division(ec, x, y) {
        return Divided::By(wide_value(ec, quotient));
    }
    let value = match (Operand::of(ec, x), Operand::of(ec, y)) {
        (_, Small(0)) => return Divided::ByZero,
        (Small(x), Small(y)) => match floor_i64(x, y) {
            Some(small) => ec.int(small),
            None => ec.bigint(-BigInt::from(x)),
        },
        // A fixnum is nearer to zero than any bignum.
        (Small(x), Big(y)) => ec.int(if x == 0 || (x < 0) == y.is_negative() { 0 } else { -1 }),
        (Big(x), Small(y)) => ec.bigint(x.div_floor(&BigInt::from(y))),
        (Big(x), Big(y)) => ec.bigint(x.div_floor(y)),
        _ => return Divided::No,
    };
    Divided::By(value)
}

fn rest(ec: &Ec, x: Value, y: Value) -> Divided<Value> {
    if let Some((_, rest)) = wide_division(ec, x, y) {
        return Divided::By(wide_value(ec, rest));
    }
    let value = match (Operand::of(ec, x), Operand::of(ec, y)) {
        (_, Small(0)) => return Divided::ByZero,
        (Small(x), Small(y)) => ec.int(x.mod_floor(&y)),
        (Small(i), Big(b)) if i == 0 || (i < 0) == b.is_negative() => ec.int(i),
        (Small(x), Big(y)) => ec.bigint(x + y),
        (Big(x), Small(y)) => ec.bigint(x.mod_floor(&BigInt::from(y))),
        (Big(a), Big(b)) if a.sign() == b.sign() && a.magnitude() < b.magnitude() => x,
        (Big(x), Big(y)) => ec.bigint(x.mod_floor(y)),
        _ => return Divided::No,
    };
    Divided::By(value)
}

pub(super) fn divide(ec: &mut Ec, this: Value, other: Value) -> Result {
    warn_beyond_float(ec, this, other)?;
    if let Some(division) = large::floor_division(ec, this, other) {
        return division.map(|(quotient, _)| quotient);
    }
    match quotient(ec, this, other) {
        Divided::By(value) => Ok(value),
        Divided::ByZero => Err(ec.zero_division()),
        Divided::No => match (Operand::of(ec, this), Operand::of(ec, other)) {
            (x, Float(y)) => Ok(ec.float(x.to_f64() / y)),
            _ => coerced(ec, this, sym::DIV, other),
        },
    }
}

/// Quotient and rest, of the divisor's sign, of two fixnums of which the second is not 0.
pub(super) fn small_division(x: Value, y: Value) -> Option<(i64, i64)> {
    let (x, y) = (x.as_fixnum()?, y.as_fixnum().filter(|y| *y != 0)?);
    let (quotient, rest) = (x / y, x % y);
    Some(if rest != 0 && (rest ^ y) < 0 { (quotient - 1, rest + y) } else { (quotient, rest) })
}

/// `Integer#div`: as `/`, but an Integer also of a Float.
pub(super) fn div(ec: &mut Ec, this: Value, other: Value) -> Result {
    if let Some((quotient, _)) = small_division(this, other) {
        return Ok(ec.int(quotient));
    }
    warn_beyond_float(ec, this, other)?;
    match (Operand::of(ec, this), Operand::of(ec, other)) {
        (_, Float(0.0)) => Err(ec.zero_division()),
        // CRuby rounds the quotient of a bignum towards zero.
        (Big(x), Float(y)) => float_to_integer(ec, (big_to_f64(x) / y).trunc()),
        (x, Float(y)) => float_to_integer(ec, (x.to_f64() / y).floor()),
        (_, Other) => coerced(ec, this, ec.vm().intern("div"), other),
        _ => divide(ec, this, other),
    }
}

pub(super) fn modulo(ec: &mut Ec, this: Value, other: Value) -> Result {
    warn_beyond_float(ec, this, other)?;
    if let Some(division) = large::floor_division(ec, this, other) {
        return division.map(|(_, rest)| rest);
    }
    match rest(ec, this, other) {
        Divided::By(value) => Ok(value),
        Divided::ByZero => Err(ec.zero_division()),
        Divided::No => match (Operand::of(ec, this), Operand::of(ec, other)) {
            (x, Float(y)) => division::modulo(ec, x.to_f64(), y),
            _ => coerced(ec, this, sym::MOD, other),
        },
    }
}

pub(super) fn divmod(ec: &mut Ec, this: Value, other: Value) -> Result {
    if let Some((quotient, rest)) = small_division(this, other) {
        let (quotient, rest) = (ec.int(quotient), ec.int(rest));
        return Ok(Array::pair(ec, quotient, rest).value());
    }
    warn_beyond_float(ec, this, other)?;
    if let Some(division) = large::floor_division(ec, this, other) {
        return division.map(|(quotient, rest)| Array::pair(ec, quotient, rest).value());
    }
    if let Some((quotient, rest)) = wide_division(ec, this, other) {
        return Ok(Array::pair(ec, wide_value(ec, quotient), wide_value(ec, rest)).value());
    }
    match (Operand::of(ec, this), Operand::of(ec, other)) {
        (x, Float(y)) => division::divmod(ec, x.to_f64(), y),
        (_, Other) => coerced(ec, this, ec.vm().intern("divmod"), other),
        _ => {
            let quotient = divide(ec, this, other)?;
            let rest = modulo(ec, this, other)?;
            Ok(Array::pair(ec, quotient, rest).value())
        }
    }
}

/// `Primitive.integer_remainder`: what truncating division leaves, of two Integers.
pub(super) fn remainder(ec: &mut Ec, this: Value, other: Value) -> Result {
    if other == Value::fixnum_unchecked(0) {
        return Err(ec.zero_division());
    }
    let value = match (Operand::of(ec, this), Operand::of(ec, other)) {
        (Small(x), Small(y)) => ec.int(x.wrapping_rem(y)),
        (x, y) => match (x.to_big(), y.to_big()) {
            (Some(x), Some(y)) => return large::remainder(ec, &x, &y),
            _ => Value::NIL,
        },
    };
    Ok(value)
}

/// Whether a double holds a number.
fn is_exact(number: i64) -> bool {
    number.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS
}

/// [`fdiv`] of numbers that doubles hold.
pub(super) fn fdiv_at_once(ec: &mut Ec, number: i64, other: i64) -> Option<Value> {
    (is_exact(number) && is_exact(other)).then(|| ec.float(number as f64 / other as f64))
}

/// `Integer#fdiv`
pub(super) fn fdiv(ec: &mut Ec, this: Value, other: Value) -> Result {
    let quotient = match (Operand::of(ec, this), Operand::of(ec, other)) {
        (_, Other) => {
            let quotient = coerced(ec, this, ec.vm().intern("fdiv"), other)?;
            // What a Complex gives is a Float only if it is real.
            let is_complex = ec.class_of(quotient) == ec.vm().known().complex;
            return if is_complex { ec.call(quotient, ec.vm().intern("to_f"), &[]) } else { Ok(quotient) };
        }
        (x, Float(y)) if x.to_f64().is_infinite() && !y.is_nan() => {
            let x = x.to_big().unwrap_or_default();
            return far_quotient(ec, &x, y);
        }
        (x, Float(y)) => x.to_f64() / y,
        (x, Small(0)) => x.to_f64() / 0.0,
        (Small(x), Small(y)) if is_exact(x) && is_exact(y) => x as f64 / y as f64,
        (x, y) => match (x.to_big(), y.to_big()) {
            (Some(x), Some(y)) => reduced_quotient(ec, &x, &y)?,
            _ => f64::NAN,
        },
    };
    Ok(ec.float(quotient))
}

/// A number beyond all doubles by a double, which may be within their reach.
fn far_quotient(ec: &mut Ec, x: &BigInt, y: f64) -> Result {
    if y == 0.0 {
        return Err(ec.zero_division());
    }
    if y.is_infinite() {
        return Err(ec.error(ec.vm().known().float_domain_error, if y > 0.0 { "Infinity" } else { "-Infinity" }));
    }
    let quotient = carat_text::number::exact::float_to_ratio(y)
        .map_or(f64::NAN, |divisor| ratio_to_f64(&(x * divisor.denominator), &divisor.numerator));
    Ok(ec.float(quotient))
}

/// As CRuby divides numbers without their common factor: a bignum by a fixnum as doubles, also a fixnum by one that a double
/// holds, all others exactly.
fn reduced_quotient(ec: &mut Ec, x: &BigInt, y: &BigInt) -> Result<f64> {
    let divisor = large::gcd(ec, x, y)?;
    let (x, y) = (large::divide(ec, x, &divisor)?.0, large::divide(ec, y, &divisor)?.0);
    let is_fixnum = |n: &BigInt| i64::try_from(n).is_ok_and(Value::fits_fixnum);
    let near_x = big_to_f64(&x);
    let fits_double = y.magnitude().bits() <= u64::from(f64::MANTISSA_DIGITS);
    if x.is_zero() || (is_fixnum(&y) && near_x.is_finite() && (fits_double || !is_fixnum(&x))) {
        Ok(near_x / big_to_f64(&y))
    } else {
        Ok(ratio_to_f64(&x, &y))
    }
}

/// The double nearest to a ratio of big numbers, which may themselves be far out of range; `y` is not zero.
///
/// The quotient is taken to 64 bits or one more, with the lowest bit set when anything was left over: rounding that to
/// 53 bits rounds the exact ratio.
pub(crate) fn ratio_to_f64(x: &BigInt, y: &BigInt) -> f64 {
    if x.is_zero() {
        return 0.0;
    }
    let negative = x.is_negative() != y.is_negative();
    let (x, y) = (x.magnitude(), y.magnitude());
    let shift = 65 - (x.bits() as i64 - y.bits() as i64);
    let (quotient, rest) =
        if shift >= 0 { (x << shift as u64).div_rem(y) } else { x.div_rem(&(y << shift.unsigned_abs())) };
    // Subnormal results have fewer bits: what falls off their end has to be folded into the sticky bit as well.
    let exponent = -shift;
    let lost = (-1074 - exponent).clamp(0, 70) as u64;
    let kept = &quotient >> lost;
    let is_exact = rest.is_zero() && (&kept << lost) == quotient;
    let nearest = if lost > 0 { round_half_even(&quotient, lost, rest.is_zero()) } else { big_to_odd(kept, is_exact) };
    let magnitude = scale(nearest, if lost > 0 { exponent + lost as i64 } else { exponent });
    if negative { -magnitude } else { magnitude }
}

fn big_to_odd(kept: num_bigint::BigUint, is_exact: bool) -> f64 {
    let odd = if is_exact { kept } else { kept | num_bigint::BigUint::from(1_u8) };
    num_traits::ToPrimitive::to_f64(&odd).unwrap_or(f64::INFINITY)
}

/// `n >> bits` to the nearest, for results of at most 53 bits.
fn round_half_even(n: &num_bigint::BigUint, bits: u64, is_exact: bool) -> f64 {
    let floor = n >> bits;
    let rest = n - (&floor << bits);
    let half = num_bigint::BigUint::from(1_u8) << (bits - 1);
    let up = rest > half || (rest == half && (!is_exact || floor.is_odd()));
    let floor = num_traits::ToPrimitive::to_f64(&floor).unwrap_or(0.0);
    if up { floor + 1.0 } else { floor }
}

fn scale(f: f64, exponent: i64) -> f64 {
    carat_text::number::parse_float::scale(f, exponent.clamp(-5000, 5000) as i32)
}

pub(super) fn negate(ec: &mut Ec, this: Value) -> Value {
    match Operand::of(ec, this) {
        Small(i) => ec.int(-i),
        Big(b) => ec.bigint(-b),
        _ => this,
    }
}

pub(super) fn abs(ec: &mut Ec, this: Value) -> Value {
    if super::operand::is_negative(ec, this) { negate(ec, this) } else { this }
}

pub(super) fn succ(ec: &mut Ec, this: Value) -> Value {
    sum(ec, this, Value::fixnum_unchecked(1)).unwrap_or(this)
}

pub(super) fn pred(ec: &mut Ec, this: Value) -> Value {
    difference(ec, this, Value::fixnum_unchecked(1)).unwrap_or(this)
}
