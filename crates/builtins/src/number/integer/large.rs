//! Operations on integers so large that a program may want to interrupt them: see `text::number::large`.
//!
//! They compute on copies, which costs nothing beside the operation, while other threads take their turns.

use carat_text::number::large::{self, Ask, is_large};
use carat_vm::{Ec, Result, Value};
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Both magnitudes, if the operation on them is worth it: copies.
fn magnitudes(ec: &Ec, x: Value, y: Value) -> Option<(BigInt, BigInt)> {
    let (x, y) = (ec.bignum_of(x)?, ec.bignum_of(y)?);
    (is_large(x) || is_large(y)).then(|| (x.clone(), y.clone()))
}

/// Products of more bytes are computed in pieces.
const PIECE_BYTES: u64 = 128 << 20;

/// Asks for the memory that computing with numbers of so many bits takes: quotients, roots and digits are found through
/// products, of which `large::product_memory` tells this.
fn make_room(ec: &mut Ec, bits: u64) -> Result<()> {
    let bytes = bits / 8;
    ec.ensure_memory((bytes.saturating_mul(4) + bytes.min(PIECE_BYTES) * 24) as usize)
}

/// The product of two bignums; `None` if they are not that large.
pub(super) fn product(ec: &mut Ec, x: Value, y: Value) -> Option<Result> {
    let (x, y) = magnitudes(ec, x, y)?;
    Some(multiply(ec, &x, &y).map(|product| ec.bigint(product)))
}

pub(crate) fn multiply(ec: &mut Ec, x: &BigInt, y: &BigInt) -> Result<BigInt> {
    ec.ensure_memory(large::product_memory(x.magnitude(), y.magnitude()))?;
    let product = ec.compute(|ask| large::multiply(x.magnitude(), y.magnitude(), ask))?;
    Ok(BigInt::from_biguint(x.sign() * y.sign(), product))
}

/// Quotient rounded down, and what that leaves, of two bignums; `None` if they are not that large.
pub(super) fn floor_division(ec: &mut Ec, x: Value, y: Value) -> Option<Result<(Value, Value)>> {
    let (x, y) = magnitudes(ec, x, y)?;
    Some(divide(ec, &x, &y).map(|(quotient, rest)| (ec.bigint(quotient), ec.bigint(rest))))
}

/// What truncating division leaves; `y` is not zero.
pub(super) fn remainder(ec: &mut Ec, x: &BigInt, y: &BigInt) -> Result {
    make_room(ec, x.bits())?;
    let (_, rest) = ec.compute(|ask| large::div_rem(x.magnitude(), y.magnitude(), ask))?;
    Ok(ec.bigint(BigInt::from_biguint(x.sign(), rest)))
}

/// Quotient and rest; `y` is not zero.
pub(crate) fn divide(ec: &mut Ec, x: &BigInt, y: &BigInt) -> Result<(BigInt, BigInt)> {
    make_room(ec, x.bits())?;
    let (mut quotient, mut rest) = ec.compute(|ask| large::div_rem(x.magnitude(), y.magnitude(), ask))?;
    let differ = x.is_negative() != y.is_negative();
    if differ && !rest.is_zero() {
        quotient += 1_u32;
        rest = y.magnitude() - rest;
    }
    let sign = if differ { Sign::Minus } else { Sign::Plus };
    Ok((BigInt::from_biguint(sign, quotient), BigInt::from_biguint(y.sign(), rest)))
}

/// `base ** exponent`, whose magnitude has about `bits` bits.
pub(crate) fn power(ec: &mut Ec, base: &BigInt, exponent: u64, bits: u64) -> Result<BigInt> {
    if base.is_one() {
        return Ok(base.clone());
    }
    if bits <= 32 * large::SMALL_WORDS as u64 {
        return Ok(num_traits::Pow::pow(base, exponent));
    }
    make_room(ec, bits)?;
    let magnitude = ec.compute(|ask| large::power(base.magnitude(), exponent, ask))?;
    let sign = if base.is_negative() && exponent % 2 == 1 { Sign::Minus } else { Sign::Plus };
    Ok(BigInt::from_biguint(sign, magnitude))
}

/// `base ** exponent % modulus`, with the sign of the modulus.
pub(super) fn modular_power(ec: &mut Ec, base: &BigInt, exponent: &BigInt, modulus: &BigInt) -> Result<BigInt> {
    /// Up to this many bits of an exponent its squares are divided one by one: to prepare the modulus would cost more.
    const FEW_BITS: u64 = 3;
    /// Steps of the schoolbook that take about a tenth of a second.
    const QUICK: u64 = 1 << 26;
    let words = modulus.bits() / 64 + 1;
    if exponent.bits().saturating_mul(words.saturating_mul(words)) < QUICK {
        return Ok(match exponent.to_u64() {
            Some(exponent) if exponent >> FEW_BITS == 0 => stepwise_power(base, exponent, modulus),
            _ => {
                let power = large::quick_modular_power(base.magnitude(), exponent.magnitude(), modulus.magnitude());
                with_sign(power, base, exponent, modulus)
            }
        });
    }
    let power = |ask: Ask<'_>| large::modular_power(base.magnitude(), exponent.magnitude(), modulus.magnitude(), ask);
    make_room(ec, 2 * modulus.bits())?;
    Ok(with_sign(ec.compute(power)?, base, exponent, modulus))
}

/// What the magnitudes gave, as the signs want it: between zero and the modulus.
fn with_sign(power: BigUint, base: &BigInt, exponent: &BigInt, modulus: &BigInt) -> BigInt {
    let is_negative = base.is_negative() && exponent.bit(0);
    let magnitude =
        if is_negative != modulus.is_negative() && !power.is_zero() { modulus.magnitude() - power } else { power };
    BigInt::from_biguint(modulus.sign(), magnitude)
}

/// `base ** exponent % modulus`, with the sign of the modulus.
fn stepwise_power(base: &BigInt, mut exponent: u64, modulus: &BigInt) -> BigInt {
    let mut square = base.mod_floor(modulus);
    let mut power = BigInt::one().mod_floor(modulus);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = (&power * &square).mod_floor(modulus);
        }
        exponent >>= 1;
        if exponent > 0 {
            square = (&square * &square).mod_floor(modulus);
        }
    }
    power
}

pub(super) fn gcd(ec: &mut Ec, x: &BigInt, y: &BigInt) -> Result<BigInt> {
    if let (Some(x), Some(y)) = (x.magnitude().to_u128(), y.magnitude().to_u128()) {
        return Ok(BigInt::from(Integer::gcd(&x, &y)));
    }
    if !is_large(x) && !is_large(y) {
        return Ok(large::gcd(x.magnitude(), y.magnitude(), &large::never).unwrap_or_default().into());
    }
    make_room(ec, x.bits().max(y.bits()))?;
    ec.compute(|ask| large::gcd(x.magnitude(), y.magnitude(), ask)).map(BigInt::from)
}

pub(super) fn lcm(ec: &mut Ec, x: &BigInt, y: &BigInt) -> Result<BigInt> {
    let divisor = gcd(ec, x, y)?;
    if divisor.is_zero() {
        return Ok(divisor);
    }
    let (part, _) = divide(ec, &x.abs(), &divisor)?;
    multiply(ec, &part, &y.abs())
}

pub(super) fn sqrt(ec: &mut Ec, n: &BigInt) -> Result<BigInt> {
    if let Some(n) = n.to_u128() {
        return Ok(BigInt::from(n.isqrt()));
    }
    make_room(ec, n.bits())?;
    ec.compute(|ask| large::sqrt(n.magnitude(), ask)).map(BigInt::from)
}

/// The digits of a bignum with its sign.
pub(crate) fn digits(ec: &mut Ec, n: &BigInt, radix: u32) -> Result<Vec<u8>> {
    make_room(ec, n.bits())?;
    let mut text = ec.compute(|ask| large::to_digits(n.magnitude(), radix, ask))?;
    if n.is_negative() {
        text.insert(0, b'-');
    }
    Ok(text)
}

/// The number that decimal digits say.
pub(crate) fn from_digits(ec: &mut Ec, digits: &[u8]) -> Result<BigUint> {
    // A digit has fewer than four bits.
    make_room(ec, digits.len() as u64 * 4)?;
    ec.compute(|ask| large::from_digits(digits, 10, ask))
}
