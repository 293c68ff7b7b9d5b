//! Lehmer's algorithm: many steps of Euclid's on the leading digits, then one on the whole numbers.

use super::{Ask, div_rem};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

/// Bits of the leading digits, with which the cofactors stay within 64 bits.
const LEADING_BITS: u64 = 62;

/// The greatest common divisor.
pub fn gcd(x: &BigUint, y: &BigUint, ask: Ask<'_>) -> Option<BigUint> {
    let (mut a, mut b) = if x < y { (y.clone(), x.clone()) } else { (x.clone(), y.clone()) };
    while b.bits() > LEADING_BITS {
        if ask() {
            return None;
        }
        (a, b) = match cofactors(&a, &b) {
            Some([p, q, r, s]) => (combined(&a, p, &b, q), combined(&a, r, &b, s)),
            None => {
                let rest = div_rem(&a, &b, ask)?.1;
                (b, rest)
            }
        };
    }
    if b.is_zero() {
        return Some(a);
    }
    let rest = div_rem(&a, &b, ask)?.1;
    Some(b.gcd(&rest))
}

/// `a * p + b * q`, which is not negative.
fn combined(a: &BigUint, p: i64, b: &BigUint, q: i64) -> BigUint {
    let signed = |n: &BigUint| BigInt::from(n.clone());
    (signed(a) * p + signed(b) * q).magnitude().clone()
}

/// The matrix of the quotients that the leading digits are sure about; `None` if there are none.
fn cofactors(a: &BigUint, b: &BigUint) -> Option<[i64; 4]> {
    let shift = a.bits() - LEADING_BITS.min(a.bits());
    let leading = |n: &BigUint| (n >> shift).to_i128();
    let (mut high, mut low) = (leading(a)?, leading(b)?);
    let (mut p, mut q, mut r, mut s) = (1_i128, 0_i128, 0_i128, 1_i128);
    while low + r != 0 && low + s != 0 {
        let quotient = (high + p) / (low + r);
        if quotient != (high + q) / (low + s) {
            break;
        }
        (p, r) = (r, p - quotient * r);
        (q, s) = (s, q - quotient * s);
        (high, low) = (low, high - quotient * low);
    }
    if q == 0 {
        return None;
    }
    Some([p.to_i64()?, q.to_i64()?, r.to_i64()?, s.to_i64()?])
}
