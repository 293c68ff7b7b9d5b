//! Digits to numbers and back, by halves.

use super::{Ask, div_rem, multiply};
use num_bigint::BigUint;

/// So many digits are converted by the crate.
const LEAF_DIGITS: usize = 1500;

/// The number that valid digits say, most significant first and without underscores.
pub fn from_digits(digits: &[u8], radix: u32, ask: Ask<'_>) -> Option<BigUint> {
    if radix.is_power_of_two() || digits.len() <= LEAF_DIGITS {
        return Some(BigUint::parse_bytes(digits, radix).unwrap_or_default());
    }
    let mut powers = vec![BigUint::from(radix).pow(LEAF_DIGITS as u32)];
    while LEAF_DIGITS << powers.len() < digits.len() {
        let last = &powers[powers.len() - 1];
        powers.push(multiply(last, last, ask)?);
    }
    value(digits, radix, &powers, ask)
}

fn value(digits: &[u8], radix: u32, powers: &[BigUint], ask: Ask<'_>) -> Option<BigUint> {
    let Some((power, smaller)) = powers.split_last() else {
        return Some(BigUint::parse_bytes(digits, radix).unwrap_or_default());
    };
    let low = LEAF_DIGITS << smaller.len();
    if digits.len() <= low {
        return value(digits, radix, smaller, ask);
    }
    let (high, low) = digits.split_at(digits.len() - low);
    let high = multiply(&value(high, radix, smaller, ask)?, power, ask)?;
    Some(high + value(low, radix, smaller, ask)?)
}

/// The digits of a number, most significant first.
pub fn to_digits(n: &BigUint, radix: u32, ask: Ask<'_>) -> Option<Vec<u8>> {
    let has_few_digits = n.bits() <= LEAF_DIGITS as u64 * u64::from(radix.ilog2());
    if radix.is_power_of_two() || has_few_digits {
        return Some(n.to_str_radix(radix).into_bytes());
    }
    let mut powers = vec![BigUint::from(radix).pow(LEAF_DIGITS as u32)];
    while powers[powers.len() - 1].bits() * 2 <= n.bits() + 1 {
        let last = &powers[powers.len() - 1];
        powers.push(multiply(last, last, ask)?);
    }
    let mut digits = Vec::with_capacity(LEAF_DIGITS << powers.len());
    push_digits(&mut digits, n, radix, &powers, ask)?;
    let zeros = digits.iter().take_while(|d| **d == b'0').count();
    digits.drain(..zeros);
    Some(digits)
}

/// All digits that a number below the square of the last power may have, zeros in front included.
fn push_digits(to: &mut Vec<u8>, n: &BigUint, radix: u32, powers: &[BigUint], ask: Ask<'_>) -> Option<()> {
    let Some((power, smaller)) = powers.split_last() else {
        let digits = n.to_str_radix(radix).into_bytes();
        to.resize(to.len() + LEAF_DIGITS - digits.len(), b'0');
        to.extend_from_slice(&digits);
        return Some(());
    };
    let (high, low) = div_rem(n, power, ask)?;
    push_digits(to, &high, radix, smaller, ask)?;
    push_digits(to, &low, radix, smaller, ask)
}
