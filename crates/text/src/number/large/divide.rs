//! Recursive division, and the square root that divides.

use super::{Ask, SMALL_WORDS, multiply, split, words};
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, Zero};

/// Divisors of fewer words are left to the crate, which divides by the schoolbook.
const SCHOOL_WORDS: usize = 256;

/// Quotient and remainder; `b` is not zero.
pub fn div_rem(a: &BigUint, b: &BigUint, ask: Ask<'_>) -> Option<(BigUint, BigUint)> {
    if ask() {
        return None;
    }
    if words(a) < SMALL_WORDS || words(a) < words(b) + SCHOOL_WORDS {
        return Some(a.div_rem(b));
    }
    // A divisor of `SCHOOL_WORDS` or fewer words, doubled some times, whose highest bit is set.
    let mut block = words(b);
    let mut doublings = 0;
    while block > SCHOOL_WORDS {
        block = block.div_ceil(2);
        doublings += 1;
    }
    block <<= doublings;
    let shift = 32 * block as u64 - b.bits();
    let (quotient, rest) = div_blocks(&(a << shift), &(b << shift), block, ask)?;
    Some((quotient, rest >> shift))
}

/// Divides block by block from the top; `b` fills a block.
fn div_blocks(a: &BigUint, b: &BigUint, block: usize, ask: Ask<'_>) -> Option<(BigUint, BigUint)> {
    let digits = a.to_u32_digits();
    let mut quotient = vec![0; digits.len().next_multiple_of(block)];
    let mut rest = BigUint::zero();
    for (index, piece) in digits.chunks(block).enumerate().rev() {
        let (part, left) = div_two_by_one(&joined(&rest, &BigUint::from_slice(piece), block), b, block, ask)?;
        let part = part.to_u32_digits();
        quotient[index * block..][..part.len()].copy_from_slice(&part);
        rest = left;
    }
    Some((BigUint::new(quotient), rest))
}

/// `high` above `count` words of `low`.
fn joined(high: &BigUint, low: &BigUint, count: usize) -> BigUint {
    if high.is_zero() {
        return low.clone();
    }
    let mut digits = low.to_u32_digits();
    digits.resize(count, 0);
    digits.extend(high.iter_u32_digits());
    BigUint::new(digits)
}

/// Divides up to `2 * n` words by `n` words with the highest bit set; the quotient has `n` words.
fn div_two_by_one(a: &BigUint, b: &BigUint, n: usize, ask: Ask<'_>) -> Option<(BigUint, BigUint)> {
    if ask() {
        return None;
    }
    if n % 2 == 1 || n <= SCHOOL_WORDS {
        return Some(a.div_rem(b));
    }
    let half = n / 2;
    let (upper, lower) = split(a, half);
    let (high, rest) = div_three_by_two(&upper, b, half, ask)?;
    let (low, rest) = div_three_by_two(&joined(&rest, &lower, half), b, half, ask)?;
    Some((joined(&high, &low, half), rest))
}

/// Divides up to `3 * half` words by `2 * half` words with the highest bit set; the quotient has `half` words.
fn div_three_by_two(a: &BigUint, b: &BigUint, half: usize, ask: Ask<'_>) -> Option<(BigUint, BigUint)> {
    let (b_high, b_low) = split(b, half);
    let (a_high, a_low) = split(a, half);
    let (mut quotient, rest) = if split(&a_high, half).0 < b_high {
        div_two_by_one(&a_high, &b_high, half, ask)?
    } else {
        // The largest quotient of `half` words.
        let quotient = (BigUint::one() << (32 * half)) - 1_u32;
        let rest = a_high + &b_high - (&b_high << (32 * half));
        (quotient, rest)
    };
    let taken = multiply(&quotient, &b_low, ask)?;
    let mut rest = joined(&rest, &a_low, half);
    // The estimate is at most two too large.
    while rest < taken {
        rest += b;
        quotient -= 1_u32;
    }
    Some((quotient, rest - taken))
}

/// The largest integer whose square is no more than `n`.
pub fn sqrt(n: &BigUint, ask: Ask<'_>) -> Option<BigUint> {
    // An even shift, so that half of it can be undone, to four parts of which the highest has one of its two highest bits.
    let part = n.bits().div_ceil(4).next_multiple_of(32);
    let shift = (4 * part - n.bits()) & !1;
    Some(sqrt_rem(&(n << shift), ask)?.0 >> (shift / 2))
}

/// Square root and what it leaves of a number whose bits are a multiple of four, of which one of the two highest is set.
fn sqrt_rem(n: &BigUint, ask: Ask<'_>) -> Option<(BigUint, BigUint)> {
    if ask() {
        return None;
    }
    let count = words(n);
    if count < SCHOOL_WORDS || !count.is_multiple_of(4) {
        let root = n.sqrt();
        let rest = n - &root * &root;
        return Some((root, rest));
    }
    let part = count / 4;
    let (upper, lower) = split(n, 2 * part);
    let (high, rest) = sqrt_rem(&upper, ask)?;
    let (middle, lowest) = split(&lower, part);
    let (low, rest) = div_rem(&joined(&rest, &middle, part), &(&high << 1_u32), ask)?;
    let mut root = (high << (32 * part)) + &low;
    let mut rest = joined(&rest, &lowest, part);
    let square = multiply(&low, &low, ask)?;
    if rest < square {
        rest += (&root << 1_u32) - 1_u32;
        root -= 1_u32;
    }
    Some((root, rest - square))
}
