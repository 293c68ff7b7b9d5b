//! `**` and `pow` with a modulus.

use super::operand::{Operand, coerced, warn_beyond_float};
use Operand::{Big, Float, Small};
use carat_vm::{Ec, Result, Value, sym};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed};

/// A power of more bits than this is refused, as by CRuby.
const MAX_BITS: u64 = 1 << 34;

pub(super) fn power(ec: &mut Ec, this: Value, exponent: Value) -> Result {
    warn_beyond_float(ec, this, exponent)?;
    match (Operand::of(ec, this), Operand::of(ec, exponent)) {
        (Small(0), Float(exponent)) if exponent.is_nan() => Ok(ec.float(0.0)),
        (base, Float(exponent)) => Ok(float_power(ec, base.to_f64(), exponent)),
        (_, Operand::Other) => coerced(ec, this, sym::POW, exponent),
        (Small(1), _) => Ok(this),
        (Small(-1), exponent) => Ok(ec.int(if is_odd(exponent) { -1 } else { 1 })),
        (_, exponent) if is_negative(exponent) => inverted(ec, this, exponent.to_big().unwrap_or_default()),
        (_, Small(0)) => Ok(ec.int(1)),
        (Small(0), _) => Ok(this),
        (Small(base), Small(exponent)) if small_power(base, exponent).is_some() => {
            Ok(ec.int(small_power(base, exponent).unwrap_or_default()))
        }
        (_, Small(exponent)) => whole_power(ec, this, exponent.cast_unsigned()),
        _ => Err(too_large(ec)),
    }
}

fn too_large(ec: &mut Ec) -> carat_vm::Unwind {
    ec.argument_error("exponent is too large")
}

fn is_odd(integer: Operand<'_>) -> bool {
    match integer {
        Small(i) => i & 1 == 1,
        Big(b) => b.is_odd(),
        _ => false,
    }
}

fn is_negative(integer: Operand<'_>) -> bool {
    match integer {
        Small(i) => i < 0,
        Big(b) => b.is_negative(),
        _ => false,
    }
}

/// A power that 64 bits hold.
fn small_power(base: i64, exponent: i64) -> Option<i64> {
    base.checked_pow(u32::try_from(exponent).ok()?)
}

fn whole_power(ec: &mut Ec, base: Value, exponent: u64) -> Result {
    let wide = base.as_fixnum().zip(u32::try_from(exponent).ok());
    if let Some(power) = wide.and_then(|(base, exponent)| i128::from(base).checked_pow(exponent)) {
        return Ok(ec.bigint(BigInt::from(power)));
    }
    let base = ec.to_bigint(base).unwrap_or_default();
    let Some(bits) = base.bits().checked_mul(exponent).filter(|bits| *bits <= MAX_BITS) else {
        return Err(too_large(ec));
    };
    ec.ensure_memory((bits / 4) as usize)?;
    // Factors of two cost no multiplication.
    let zeros = base.trailing_zeros().unwrap_or(0);
    let odd = super::large::power(ec, &(base >> zeros), exponent, bits)?;
    Ok(ec.bigint(odd << (zeros * exponent)))
}

/// A negative exponent: one over the power, as a Rational.
fn inverted(ec: &mut Ec, base: Value, exponent: BigInt) -> Result {
    if base == Value::fixnum_unchecked(0) {
        return Err(ec.zero_division());
    }
    let exponent = ec.bigint(-exponent);
    let denominator = power(ec, base, exponent)?;
    if super::operand::is_negative(ec, denominator) {
        let denominator = super::arithmetic::negate(ec, denominator);
        return Ok(ec.new_rational(Value::fixnum_unchecked(-1), denominator));
    }
    Ok(ec.new_rational(Value::fixnum_unchecked(1), denominator))
}

/// A power with a Float exponent; of a negative base with a fraction it is a Complex.
pub(crate) fn float_power(ec: &Ec, base: f64, exponent: f64) -> Value {
    if base < 0.0 && exponent.is_finite() && exponent != exponent.round() {
        return polar_pi(ec, (-base).powf(exponent), exponent);
    }
    ec.float(base.powf(exponent))
}

/// The Complex at a distance from 0 and an angle in half turns, exact where the angle allows.
fn polar_pi(ec: &Ec, distance: f64, angle: f64) -> Value {
    let (whole, fraction) = (angle.trunc(), angle.fract());
    if fraction.abs() == 0.5 {
        let turned = (whole / 2.0).fract() != 0.0;
        let up = turned != (fraction > 0.0);
        return ec.new_complex(ec.float(0.0), ec.float(if up { distance } else { -distance }));
    }
    let (sine, cosine) = (angle * std::f64::consts::PI).sin_cos();
    ec.new_complex(ec.float(distance * cosine), ec.float(distance * sine))
}

/// `Integer#pow`
pub(super) fn pow(ec: &mut Ec, this: Value, exponent: Value, modulus: Option<Value>) -> Result {
    let Some(modulus) = modulus else { return power(ec, this, exponent) };
    if !ec.is_integer(exponent) {
        return Err(ec.type_error("Integer#pow() 2nd argument not allowed unless a 1st argument is integer"));
    }
    if super::operand::is_negative(ec, exponent) {
        return Err(ec.range_error("Integer#pow() 1st argument cannot be negative when 2nd argument specified"));
    }
    if !ec.is_integer(modulus) {
        return Err(ec.type_error("Integer#pow() 2nd argument not allowed unless all arguments are integers"));
    }
    if modulus == Value::fixnum_unchecked(0) {
        return Err(ec.zero_division());
    }
    modular_power(ec, this, exponent, modulus)
}

fn modular_power(ec: &mut Ec, base: Value, exponent: Value, modulus: Value) -> Result {
    if let (Some(b), Some(e), Some(m)) = (base.as_fixnum(), exponent.as_fixnum(), modulus.as_fixnum()) {
        return Ok(ec.int(modular_power_i64(b, e as u64, m)));
    }
    let big = |v| ec.to_bigint(v).unwrap_or_default();
    let (base, exponent, modulus) = (big(base), big(exponent), big(modulus));
    if modulus.magnitude().is_one() {
        return Ok(ec.int(0));
    }
    super::large::modular_power(ec, &base, &exponent, &modulus).map(|power| ec.bigint(power))
}

/// By repeated squaring in 128 bits; the result has the sign of the modulus.
fn modular_power_i64(base: i64, mut exponent: u64, modulus: i64) -> i64 {
    if let Ok(m) = u32::try_from(modulus) {
        return modular_power_u32(base.rem_euclid(modulus) as u64, exponent, u64::from(m)) as i64;
    }
    let m = i128::from(modulus);
    let mut square = i128::from(base).mod_floor(&m);
    let mut result = 1_i128.mod_floor(&m);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = (result * square).mod_floor(&m);
        }
        square = (square * square).mod_floor(&m);
        exponent >>= 1;
    }
    result as i64
}

/// The same below a modulus of 32 bits, whose products fit 64.
fn modular_power_u32(mut square: u64, mut exponent: u64, modulus: u64) -> u64 {
    let mut result = 1 % modulus;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * square % modulus;
        }
        square = square * square % modulus;
        exponent >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modular_powers_have_the_sign_of_the_modulus() {
        assert_eq!(modular_power_i64(2, 10, 1000), 24);
        assert_eq!(modular_power_i64(2, 10, -1000), -976);
        assert_eq!(modular_power_i64(-2, 3, 5), 2);
        assert_eq!(modular_power_i64(5, 0, 1), 0);
    }
}
