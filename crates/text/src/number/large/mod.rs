//! Arithmetic of large integers, in steps between which it can be given up.
//!
//! The crate behind [`BigUint`] takes as long as it takes, and more than the square of it to divide and to convert. Here
//! every operation falls apart into its operations on numbers below [`SMALL_WORDS`], and `ask` is called between them:
//! once it says yes, the answer is `None`.
//!
//! # References
//! Burnikel and Ziegler, "Fast Recursive Division" (1998); Zimmermann, "Karatsuba Square Root" (1999); Knuth, volume 2,
//! 4.5.2, algorithm L, for the greatest common divisor.

mod divide;
mod gcd;
mod montgomery;
mod multiply;
mod radix;

pub use divide::{div_rem, sqrt};
pub use gcd::gcd;
pub use montgomery::quick_modular_power;
pub use multiply::{multiply, product_memory};
pub use radix::{from_digits, to_digits};

use num_bigint::{BigInt, BigUint};
use num_traits::One;

/// Whether to give up. A computation that nobody interrupts passes [`never`].
pub type Ask<'a> = &'a dyn Fn() -> bool;

/// Numbers of fewer 32-bit words are left to the crate: a few milliseconds at most.
pub const SMALL_WORDS: usize = 2048;

pub fn never() -> bool {
    false
}

/// Whether an operation on this number is worth the functions here.
pub fn is_large(n: &BigInt) -> bool {
    n.bits() > 32 * SMALL_WORDS as u64
}

fn words(n: &BigUint) -> usize {
    n.bits().div_ceil(32) as usize
}

/// The number of these digits of 64 bits, the least first.
fn from_limbs(limbs: &[u64]) -> BigUint {
    let mut words = Vec::with_capacity(2 * limbs.len());
    limbs.iter().for_each(|limb| words.extend([*limb as u32, (limb >> 32) as u32]));
    BigUint::new(words)
}

/// What lies above the lowest `count` words, and those.
fn split(n: &BigUint, count: usize) -> (BigUint, BigUint) {
    let digits = n.to_u32_digits();
    let (low, high) = digits.split_at(count.min(digits.len()));
    (BigUint::from_slice(high), BigUint::from_slice(low))
}

/// `base ** exponent`
pub fn power(base: &BigUint, exponent: u64, ask: Ask<'_>) -> Option<BigUint> {
    let mut result = BigUint::one();
    for bit in (0..u64::BITS - exponent.leading_zeros()).rev() {
        result = multiply(&result, &result, ask)?;
        if exponent >> bit & 1 == 1 {
            result = multiply(&result, base, ask)?;
        }
    }
    Some(result)
}

/// `base ** exponent % modulus`
pub fn modular_power(base: &BigUint, exponent: &BigUint, modulus: &BigUint, ask: Ask<'_>) -> Option<BigUint> {
    let base = div_rem(base, modulus, ask)?.1;
    let mut result = div_rem(&BigUint::one(), modulus, ask)?.1;
    for bit in (0..exponent.bits()).rev() {
        if ask() {
            return None;
        }
        result = div_rem(&multiply(&result, &result, ask)?, modulus, ask)?.1;
        if exponent.bit(bit) {
            result = div_rem(&multiply(&result, &base, ask)?, modulus, ask)?.1;
        }
    }
    Some(result)
}

#[cfg(test)]
mod tests;
