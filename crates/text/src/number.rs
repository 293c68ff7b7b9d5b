//! Numbers as text and text as numbers, exactly as Ruby does both.
//!
//! Everything here is a pure function over bytes, `i64`, `f64` and [`BigInt`]. Integers travel as [`Int`], which keeps
//! the common machine-sized case away from the allocator.
//!
//! * [`decimal`]: integers to digits, in any radix
//! * [`float_text`]: `Float#to_s` and the digit string behind it
//! * [`round`]: `round`, `floor`, `ceil` and `truncate` with a digit count
//! * [`parse_integer`], [`parse_float`], [`parse_rational`], [`parse_complex`]: the lenient forms (`String#to_i` and
//!   friends) and the strict ones (`Kernel#Integer` and friends)
//! * [`large`]: arithmetic of large integers, which can be given up
//! * [`exact`]: floats as exact ratios, and comparison of floats with integers without rounding either
//!
//! # Not here
//! Messages that quote the offending string with `inspect`: the callers own `inspect`.

pub mod decimal;
pub mod exact;
pub mod float_text;
pub mod large;
pub mod parse_complex;
pub mod parse_float;
pub mod parse_integer;
pub mod parse_rational;
pub mod round;

use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;

/// An integer of any size.
///
/// `Big` never holds a value that fits an `i64`, so derived equality is numeric equality. Build one with `Int::from`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Int {
    Small(i64),
    Big(BigInt),
}

impl Int {
    pub const ZERO: Int = Int::Small(0);

    pub fn is_negative(&self) -> bool {
        match self {
            Int::Small(n) => *n < 0,
            Int::Big(n) => n.sign() == Sign::Minus,
        }
    }

    pub fn to_big(&self) -> BigInt {
        match self {
            Int::Small(n) => BigInt::from(*n),
            Int::Big(n) => n.clone(),
        }
    }

    pub fn into_big(self) -> BigInt {
        match self {
            Int::Small(n) => BigInt::from(n),
            Int::Big(n) => n,
        }
    }

    /// The nearest float, ties to even; infinite when out of range.
    pub fn to_f64(&self) -> f64 {
        match self {
            Int::Small(n) => *n as f64,
            Int::Big(n) => n.to_f64().unwrap_or(f64::NAN),
        }
    }
}

impl From<i64> for Int {
    fn from(n: i64) -> Int {
        Int::Small(n)
    }
}

impl From<u64> for Int {
    fn from(n: u64) -> Int {
        i64::try_from(n).map_or_else(|_| Int::Big(BigInt::from(n)), Int::Small)
    }
}

impl From<BigInt> for Int {
    fn from(n: BigInt) -> Int {
        n.to_i64().map_or(Int::Big(n), Int::Small)
    }
}

/// What Ruby's numeric parsers skip on either side: the C locale's `isspace`.
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// `bytes` without leading whitespace.
pub(crate) fn skip_spaces(bytes: &[u8]) -> &[u8] {
    &bytes[bytes.iter().take_while(|b| is_space(**b)).count()..]
}

/// Splits an optional sign off the front: is it negative, and what follows.
pub(crate) fn split_sign(bytes: &[u8]) -> (bool, &[u8]) {
    match bytes {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, bytes),
    }
}

/// The length of the run of decimal digits at the front, single underscores between digits allowed.
pub(crate) fn digits_len(bytes: &[u8]) -> usize {
    digits_len_by(bytes, |b| b.is_ascii_digit())
}

/// As [`digits_len`], for the digits that `is_digit` accepts.
pub(crate) fn digits_len_by(bytes: &[u8], is_digit: impl Fn(u8) -> bool) -> usize {
    let mut len = 0;
    while let Some(&b) = bytes.get(len) {
        let joins = b == b'_' && len > 0 && bytes.get(len + 1).is_some_and(|&next| is_digit(next));
        // After an underscore the next byte is known to be a digit, so two underscores never get through.
        if !is_digit(b) && !joins {
            break;
        }
        len += 1;
    }
    len
}

#[cfg(test)]
mod tests;
