//! The coefficients of decimal numbers: whole numbers in 128 bits, or larger.
//!
//! # Invariants
//! A number that fits 128 bits is [`Whole::Small`].

use crate::number::integer::large;
use carat_text::number::decimal::DecimalBuffer;
use carat_vm::{Ec, Result, Value};
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;

#[derive(Clone, PartialEq, Eq)]
pub(super) enum Whole {
    Small(i128),
    Big(BigInt),
}

use Whole::{Big, Small};

/// 1 to 10**38, the largest power of ten in 128 bits.
static POWERS: [u128; 39] = {
    let mut powers = [1; 39];
    let mut n = 1;
    while n < powers.len() {
        powers[n] = powers[n - 1] * 10;
        n += 1;
    }
    powers
};

/// No memory is looked for that holds a power of ten of more bits than this.
const MAX_BITS: u64 = 1 << 34;

/// log10(2), times 10**18.
const LOG_OF_TWO: u128 = 301_029_995_663_981_195;

impl From<BigInt> for Whole {
    fn from(big: BigInt) -> Whole {
        big.to_i128().map_or(Big(big), Small)
    }
}

impl Whole {
    /// The number of an Integer.
    pub(super) fn of(ec: &Ec, integer: Value) -> Option<Whole> {
        match integer.as_fixnum() {
            Some(i) => Some(Small(i128::from(i))),
            None => ec.bignum_of(integer).map(|big| Whole::from(big.clone())),
        }
    }

    pub(super) fn value(&self, ec: &Ec) -> Value {
        match self {
            Small(i) => i64::try_from(*i).map_or_else(|_| ec.bigint(BigInt::from(*i)), |i| ec.int(i)),
            Big(big) => ec.bigint(big.clone()),
        }
    }

    pub(super) fn into_big(self) -> BigInt {
        match self {
            Small(i) => BigInt::from(i),
            Big(big) => big,
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        matches!(self, Small(0))
    }

    pub(super) fn is_negative(&self) -> bool {
        match self {
            Small(i) => *i < 0,
            Big(big) => big.is_negative(),
        }
    }

    pub(super) fn is_odd(&self) -> bool {
        match self {
            Small(i) => i & 1 == 1,
            Big(big) => big.is_odd(),
        }
    }

    /// -1, 0 or 1.
    pub(super) fn signum(&self) -> i64 {
        match self {
            Small(i) => i.signum() as i64,
            Big(big) if big.is_negative() => -1,
            Big(_) => 1,
        }
    }

    pub(super) fn negated(self) -> Whole {
        match self {
            Small(i) => i.checked_neg().map_or_else(|| Big(-BigInt::from(i)), Small),
            Big(big) => Whole::from(-big),
        }
    }

    pub(super) fn abs(self) -> Whole {
        if self.is_negative() { self.negated() } else { self }
    }

    /// With a minus sign, if it is wanted.
    pub(super) fn signed(self, is_negative: bool) -> Whole {
        if is_negative { self.negated() } else { self }
    }

    pub(super) fn plus(self, other: Whole) -> Whole {
        if let (Small(a), Small(b)) = (&self, &other)
            && let Some(sum) = a.checked_add(*b)
        {
            return Small(sum);
        }
        Whole::from(self.into_big() + other.into_big())
    }

    pub(super) fn compare(&self, other: &Whole) -> Ordering {
        match (self, other) {
            (Small(a), Small(b)) => a.cmp(b),
            (Big(a), Big(b)) => a.cmp(b),
            (Big(a), Small(_)) => {
                if a.is_negative() {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
            (Small(_), Big(_)) => other.compare(self).reverse(),
        }
    }

    pub(super) fn times(self, ec: &mut Ec, other: Whole) -> Result<Whole> {
        if let (Small(a), Small(b)) = (&self, &other)
            && let Some(product) = a.checked_mul(*b)
        {
            return Ok(Small(product));
        }
        let (a, b) = (self.into_big(), other.into_big());
        let is_large = carat_text::number::large::is_large(&a) || carat_text::number::large::is_large(&b);
        let product = if is_large { large::multiply(ec, &a, &b)? } else { a * b };
        Ok(Whole::from(product))
    }

    /// `self * 10**digits`
    pub(super) fn shifted(self, ec: &mut Ec, digits: u64) -> Result<Whole> {
        if digits == 0 || self.is_zero() {
            return Ok(self);
        }
        let power = ten_power(ec, digits)?;
        self.times(ec, power)
    }

    /// Quotient and rest of two numbers, none of them negative.
    pub(super) fn divided(self, ec: &mut Ec, divisor: &Whole) -> Result<(Whole, Whole)> {
        match (self, divisor) {
            (Small(a), Small(b)) => {
                let (a, b) = (a.unsigned_abs(), b.unsigned_abs());
                let (quotient, rest) = match (u64::try_from(a), u64::try_from(b)) {
                    (Ok(a), Ok(b)) => (u128::from(a / b), u128::from(a % b)),
                    _ => (a / b, a % b),
                };
                // Both are at most as large as what was divided.
                Ok((Small(quotient.cast_signed()), Small(rest.cast_signed())))
            }
            (a @ Small(_), Big(_)) => Ok((Small(0), a)),
            (Big(a), b) => {
                let b = b.clone().into_big();
                let is_large = carat_text::number::large::is_large(&a);
                let (quotient, rest) = if is_large { large::divide(ec, &a, &b)? } else { a.div_rem(&b) };
                Ok((Whole::from(quotient), Whole::from(rest)))
            }
        }
    }

    /// How many digits the magnitude has; 1 for zero.
    pub(super) fn digits(&self, ec: &mut Ec) -> Result<u64> {
        match self {
            Small(i) => Ok(u64::from(digits_of(i.unsigned_abs()))),
            Big(big) => {
                let count = |bits: u64| (u128::from(bits) * LOG_OF_TWO / 10_u128.pow(18)) as u64;
                let (low, high) = (count(big.bits() - 1), count(big.bits()));
                let is_more = low < high && ten_power(ec, high)?.into_big().magnitude() <= big.magnitude();
                Ok(if is_more { high } else { low } + 1)
            }
        }
    }

    /// The digits of the magnitude.
    pub(super) fn text(&self, ec: &mut Ec) -> Result<Vec<u8>> {
        match self {
            Small(i) => Ok(text_of(i.unsigned_abs())),
            Big(big) if !big.is_negative() => large::digits(ec, big, 10),
            Big(big) => large::digits(ec, &-big, 10),
        }
    }

    /// Without zeros at the end, and how many there were. Not for zero.
    pub(super) fn stripped(self, ec: &mut Ec) -> Result<(Whole, u64)> {
        match self {
            Small(i) => {
                let (magnitude, zeros) = strip(i.unsigned_abs());
                Ok((Whole::from_magnitude(magnitude, i < 0), zeros))
            }
            Big(big) if !big.bit(0) => strip_big(ec, big),
            odd => Ok((odd, 0)),
        }
    }

    pub(super) fn from_magnitude(magnitude: u128, is_negative: bool) -> Whole {
        match i128::try_from(magnitude) {
            Ok(i) => Small(if is_negative { -i } else { i }),
            Err(_) => Whole::from(BigInt::from_biguint(sign(is_negative), magnitude.into())),
        }
    }

    /// The number that digits say, without a sign.
    pub(super) fn from_digits(ec: &mut Ec, digits: &[u8]) -> Result<Whole> {
        if digits.len() < POWERS.len() {
            let add = |n: i128, digit: &u8| n * 10 + i128::from(digit - b'0');
            return Ok(Small(digits.iter().fold(0, add)));
        }
        let magnitude = large::from_digits(ec, digits)?;
        Ok(Whole::from(BigInt::from_biguint(Sign::Plus, magnitude)))
    }
}

fn sign(is_negative: bool) -> Sign {
    if is_negative { Sign::Minus } else { Sign::Plus }
}

/// `10**digits`
pub(super) fn ten_power(ec: &mut Ec, digits: u64) -> Result<Whole> {
    if let Some(power) = usize::try_from(digits).ok().and_then(|digits| POWERS.get(digits)) {
        return Ok(Small(power.cast_signed()));
    }
    match digits.checked_mul(4).filter(|bits| *bits <= MAX_BITS) {
        Some(bits) => large::power(ec, &BigInt::from(10), digits, bits).map(Big),
        None => Err(ec.no_memory()),
    }
}

fn digits_of(magnitude: u128) -> u32 {
    // 1233 / 4096 is log10(2), near enough for 128 bits.
    let estimate = ((u128::BITS - magnitude.leading_zeros()) * 1233) >> 12;
    let is_more = POWERS.get(estimate as usize).is_some_and(|power| magnitude >= *power);
    (estimate + u32::from(is_more)).max(1)
}

/// 10**16, by which zeros at the end are looked for first.
const CHUNK: u128 = POWERS[16];

fn strip(mut magnitude: u128) -> (u128, u64) {
    let mut zeros = 0;
    while magnitude > u128::from(u64::MAX) && magnitude.trailing_zeros() >= 16 && magnitude.is_multiple_of(CHUNK) {
        (magnitude, zeros) = (magnitude / CHUNK, zeros + 16);
    }
    while magnitude > u128::from(u64::MAX) {
        if magnitude & 1 == 1 || !magnitude.is_multiple_of(10) {
            return (magnitude, zeros);
        }
        (magnitude, zeros) = (magnitude / 10, zeros + 1);
    }
    let mut small = magnitude as u64;
    // A number that ten divides is even.
    while small & 1 == 0 && small.is_multiple_of(10) {
        (small, zeros) = (small / 10, zeros + 1);
    }
    (u128::from(small), zeros)
}

/// By powers of ten that halve, from the largest that as many zero bits allow.
fn strip_big(ec: &mut Ec, big: BigInt) -> Result<(Whole, u64)> {
    if carat_text::number::large::is_large(&big) {
        let text = large::digits(ec, &big, 10)?;
        let zeros = text.iter().rev().take_while(|digit| **digit == b'0').count() as u64;
        let power = ten_power(ec, zeros)?.into_big();
        return Ok((Whole::from(large::divide(ec, &big, &power)?.0), zeros));
    }
    let (mut rest, mut zeros) = (big, 0);
    let mut step = rest.trailing_zeros().map_or(0, |bits| 1_u64 << bits.max(1).ilog2());
    while step > 0 {
        if rest.trailing_zeros().is_some_and(|bits| bits >= step) {
            let (quotient, remainder) = rest.div_rem(&ten_power(ec, step)?.into_big());
            if remainder.is_zero() {
                (rest, zeros) = (quotient, zeros + step);
                continue;
            }
        }
        step /= 2;
    }
    Ok((Whole::from(rest), zeros))
}

fn text_of(magnitude: u128) -> Vec<u8> {
    const LOW: u128 = POWERS[19];
    let mut buffer = DecimalBuffer::new();
    if let Ok(small) = u64::try_from(magnitude) {
        return buffer.format_unsigned(small).to_vec();
    }
    let mut text = text_of(magnitude / LOW);
    let low = buffer.format_unsigned((magnitude % LOW) as u64);
    text.resize(text.len() + 19 - low.len(), b'0');
    text.extend_from_slice(low);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_counted_around_every_power_of_ten() {
        for (zeros, power) in POWERS.iter().enumerate() {
            assert_eq!(digits_of(*power), zeros as u32 + 1);
            assert_eq!(digits_of(power - 1), (zeros as u32).max(1));
        }
        assert_eq!(digits_of(u128::MAX), 39);
    }

    #[test]
    fn zeros_at_the_end_are_stripped() {
        for (zeros, power) in POWERS.iter().enumerate().take(37) {
            assert_eq!(strip(12 * power), (12, zeros as u64));
            assert_eq!(strip(POWERS[37] + power).1, zeros as u64);
        }
    }

    #[test]
    fn texts_of_two_halves_keep_their_zeros() {
        assert_eq!(text_of(0), b"0");
        assert_eq!(text_of(POWERS[19] + 5), b"10000000000000000005");
        assert_eq!(text_of(u128::MAX), u128::MAX.to_string().into_bytes());
    }
}
