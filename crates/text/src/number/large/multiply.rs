//! Multiplication by number-theoretic transforms modulo `2**64 - 2**32 + 1`.
//!
//! Numbers are polynomials in `2**16`: with up to `2**31` coefficients every coefficient of a product stays below the
//! modulus, so one transform is exact.

use super::{Ask, SMALL_WORDS, words};
use num_bigint::BigUint;

const MODULUS: u64 = 0xffff_ffff_0000_0001;
/// `2**64` modulo the modulus.
const EPSILON: u64 = 0xffff_ffff;
/// Generates the multiplicative group, whose order has the factor `2**32`.
const GENERATOR: u64 = 7;
/// Sub-transforms of this length take a fraction of a millisecond.
const UNASKED: usize = 1 << 14;

/// Transforms are of numbers up to this size, which bounds their memory.
const PIECE_WORDS: usize = 1 << 24;

/// Bytes that multiplying takes besides its operands.
pub fn product_memory(x: &BigUint, y: &BigUint) -> usize {
    let product = words(x).saturating_add(words(y));
    // Three vectors of coefficients, eight bytes for two, their number rounded up.
    product.saturating_mul(4) + product.min(2 * PIECE_WORDS).saturating_mul(96)
}

/// `x * y`; the same number twice is squared, which spares a transform.
pub fn multiply(x: &BigUint, y: &BigUint, ask: Ask<'_>) -> Option<BigUint> {
    if ask() {
        return None;
    }
    let (small, large) = if words(x) < words(y) { (x, y) } else { (y, x) };
    if words(small) < SMALL_WORDS {
        return multiply_by_pieces(large, small, SMALL_WORDS, ask);
    }
    if words(large) > PIECE_WORDS {
        return multiply_by_pieces(large, small, PIECE_WORDS, ask);
    }
    let len = 2 * (words(x) + words(y));
    let roots = roots(len.next_power_of_two(), ask)?;
    let mut a = coefficients(x, roots.len());
    forward(&mut a, &roots, ask)?;
    if x == y {
        a.iter_mut().for_each(|a| *a = times(*a, *a));
    } else {
        let mut b = coefficients(y, roots.len());
        forward(&mut b, &roots, ask)?;
        a.iter_mut().zip(&b).for_each(|(a, b)| *a = times(*a, *b));
    }
    backward(&mut a, &roots, ask)?;
    Some(carried(&a))
}

/// Piece by piece of the larger one.
fn multiply_by_pieces(large: &BigUint, small: &BigUint, piece_words: usize, ask: Ask<'_>) -> Option<BigUint> {
    if words(large) <= 2 * SMALL_WORDS {
        return Some(large * small);
    }
    let digits = large.to_u32_digits();
    let mut result = vec![0_u32; digits.len() + words(small) + 1];
    for (index, piece) in digits.chunks(piece_words).enumerate() {
        if ask() {
            return None;
        }
        let piece = BigUint::from_slice(piece);
        let product = if words(small) < SMALL_WORDS { piece * small } else { multiply(small, &piece, ask)? };
        add_at(&mut result[index * piece_words..], &product.to_u32_digits());
    }
    Some(BigUint::new(result))
}

fn add_at(to: &mut [u32], digits: &[u32]) {
    let mut carry = 0;
    for (index, to) in to.iter_mut().enumerate() {
        if index >= digits.len() && carry == 0 {
            return;
        }
        let sum = u64::from(*to) + u64::from(digits.get(index).copied().unwrap_or(0)) + carry;
        (*to, carry) = (sum as u32, sum >> 32);
    }
}

fn coefficients(n: &BigUint, len: usize) -> Vec<u64> {
    let mut coefficients = Vec::with_capacity(len);
    coefficients.extend(n.iter_u32_digits().flat_map(|d| [u64::from(d & 0xffff), u64::from(d >> 16)]));
    coefficients.resize(len, 0);
    coefficients
}

fn carried(coefficients: &[u64]) -> BigUint {
    let mut carry = 0_u128;
    let mut digit = |coefficient: u64| {
        carry += u128::from(coefficient);
        let low = carry as u32 & 0xffff;
        carry >>= 16;
        low
    };
    // The product fits: nothing is carried out of the last coefficient.
    let digits = coefficients.chunks_exact(2).map(|pair| digit(pair[0]) | digit(pair[1]) << 16).collect();
    BigUint::new(digits)
}

// ---- modulo ----

fn times(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let (low, high) = (product as u64, (product >> 64) as u64);
    // 2**96 is -1, and 2**64 is 2**32 - 1.
    let (mut result, borrowed) = low.overflowing_sub(high >> 32);
    if borrowed {
        result = result.wrapping_sub(EPSILON);
    }
    let (sum, carried) = result.overflowing_add((high & EPSILON) * EPSILON);
    let sum = if carried { sum.wrapping_add(EPSILON) } else { sum };
    if sum >= MODULUS { sum - MODULUS } else { sum }
}

fn plus(a: u64, b: u64) -> u64 {
    let (sum, carried) = a.overflowing_add(b);
    if carried || sum >= MODULUS { sum.wrapping_sub(MODULUS) } else { sum }
}

fn minus(a: u64, b: u64) -> u64 {
    let (difference, borrowed) = a.overflowing_sub(b);
    if borrowed { difference.wrapping_add(MODULUS) } else { difference }
}

fn to_the(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, base);
        }
        base = times(base, base);
        exponent >>= 1;
    }
    result
}

// ---- transforms ----

/// The powers of the roots of unity of every even order up to `len`: those of order `2 * half` lie from `half` on.
fn roots(len: usize, ask: Ask<'_>) -> Option<Vec<u64>> {
    let mut roots = vec![1; len];
    let mut half = len / 2;
    let root = to_the(GENERATOR, (MODULUS - 1) / len as u64);
    for index in 1..half {
        roots[half + index] = times(roots[half + index - 1], root);
    }
    while half > 1 {
        if ask() {
            return None;
        }
        let (lower, upper) = roots.split_at_mut(half);
        half /= 2;
        lower[half..].iter_mut().zip(upper.iter().step_by(2)).for_each(|(to, from)| *to = *from);
    }
    Some(roots)
}

/// Halves first: the coefficients come out in bit-reversed order.
fn forward(a: &mut [u64], roots: &[u64], ask: Ask<'_>) -> Option<()> {
    if a.len() < 2 {
        return Some(());
    }
    if a.len() > UNASKED && ask() {
        return None;
    }
    let half = a.len() / 2;
    let (low, high) = a.split_at_mut(half);
    for ((x, y), root) in low.iter_mut().zip(high.iter_mut()).zip(&roots[half..]) {
        (*x, *y) = (plus(*x, *y), times(minus(*x, *y), *root));
    }
    forward(low, roots, ask)?;
    forward(high, roots, ask)
}

/// Takes what `forward` left, and divides by the length.
fn backward(a: &mut [u64], roots: &[u64], ask: Ask<'_>) -> Option<()> {
    backward_halves(a, roots, ask)?;
    // The roots were not inverted, which turns the sequence around.
    a[1..].reverse();
    let inverse = to_the(a.len() as u64, MODULUS - 2);
    a.iter_mut().for_each(|a| *a = times(*a, inverse));
    Some(())
}

fn backward_halves(a: &mut [u64], roots: &[u64], ask: Ask<'_>) -> Option<()> {
    if a.len() < 2 {
        return Some(());
    }
    if a.len() > UNASKED && ask() {
        return None;
    }
    let half = a.len() / 2;
    let (low, high) = a.split_at_mut(half);
    backward_halves(low, roots, ask)?;
    backward_halves(high, roots, ask)?;
    for ((x, y), root) in low.iter_mut().zip(high.iter_mut()).zip(&roots[half..]) {
        let turned = times(*y, *root);
        (*x, *y) = (plus(*x, turned), minus(*x, turned));
    }
    Some(())
}
