//! Floats without rounding: as integers, as ratios, and compared with integers.
//!
//! A finite float is `mantissa * 2**exponent` with a mantissa of at most 53 bits; everything here follows from that.

use std::cmp::Ordering;

use super::large::{Ask, div_rem, gcd, is_large};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::Int;

/// A ratio in lowest terms with a positive denominator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ratio {
    pub numerator: BigInt,
    pub denominator: BigInt,
}

impl Ratio {
    /// `numerator / denominator` reduced; `None` when the denominator is zero.
    pub fn new(numerator: BigInt, denominator: BigInt) -> Option<Ratio> {
        if denominator.is_zero() {
            return None;
        }
        if denominator.is_one() {
            return Some(Ratio { numerator, denominator });
        }
        let mut gcd = numerator.gcd(&denominator);
        if denominator.is_negative() {
            gcd = -gcd;
        }
        Some(Ratio { numerator: numerator / &gcd, denominator: denominator / &gcd })
    }

    /// As [`Ratio::new`], of a denominator that is not zero; `None` once `ask` says to give up.
    pub(crate) fn new_asking(numerator: BigInt, denominator: BigInt, ask: Ask<'_>) -> Option<Ratio> {
        if !is_large(&numerator) && !is_large(&denominator) {
            return Ratio::new(numerator, denominator);
        }
        let common = gcd(numerator.magnitude(), denominator.magnitude(), ask)?;
        let reduced = |n: BigInt| {
            let quotient = div_rem(n.magnitude(), &common, ask)?.0;
            Some(BigInt::from_biguint(n.sign(), quotient))
        };
        Some(Ratio { numerator: reduced(numerator)?, denominator: reduced(denominator)? })
    }

    pub fn from_integer(numerator: BigInt) -> Ratio {
        Ratio { numerator, denominator: BigInt::one() }
    }

    fn ceil(&self) -> BigInt {
        self.numerator.div_ceil(&self.denominator)
    }
}

/// `Math.frexp` in integers: `f == mantissa * 2**exponent`, the mantissa carrying the sign and at most 53 bits.
/// `f` must be finite.
pub fn decompose(f: f64) -> (i64, i32) {
    let bits = f.to_bits();
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let biased = (bits >> 52 & 0x7ff) as i32;
    // Subnormals have no implied leading one and share the smallest exponent.
    let (mantissa, exponent) = if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
    (if f.is_sign_negative() { -mantissa } else { mantissa }, exponent)
}

/// As [`decompose`] the magnitude of `f`, but bit 52 of the mantissa is its leading one even for subnormals, and the
/// exponent is that bit's. Zero has neither.
pub fn normalise(f: f64) -> (u64, i32) {
    let (mantissa, exponent) = decompose(f);
    let mantissa = mantissa.unsigned_abs();
    if mantissa == 0 {
        return (0, 0);
    }
    let shift = mantissa.leading_zeros() as i32 - 11;
    (mantissa << shift, exponent - shift + 52)
}

/// `Float#to_i`: towards zero. `None` for NaN and the infinities, which raise FloatDomainError.
pub fn float_to_integer(f: f64) -> Option<Int> {
    if !f.is_finite() {
        return None;
    }
    // Both bounds are exact floats; 2**63 itself does not fit.
    if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&f) {
        return Some(Int::Small(f as i64));
    }
    let (mantissa, exponent) = decompose(f);
    Some(Int::from(BigInt::from(mantissa) << exponent))
}

/// `Float#to_r`. `None` for NaN and the infinities.
pub fn float_to_ratio(f: f64) -> Option<Ratio> {
    if !f.is_finite() {
        return None;
    }
    let (mantissa, exponent) = decompose(f);
    if exponent >= 0 {
        return Some(Ratio::from_integer(BigInt::from(mantissa) << exponent));
    }
    if mantissa == 0 {
        return Some(Ratio::from_integer(BigInt::zero()));
    }
    // All factors of the denominator are two.
    let common = exponent.unsigned_abs().min(mantissa.trailing_zeros());
    Some(Ratio {
        numerator: BigInt::from(mantissa >> common),
        denominator: BigInt::one() << (exponent.unsigned_abs() - common),
    })
}

/// The same as numerator and denominator, if both fit.
pub fn float_to_small_ratio(f: f64) -> Option<(i64, i64)> {
    let (mantissa, exponent) = if f.is_finite() { decompose(f) } else { return None };
    if mantissa == 0 {
        return Some((0, 1));
    }
    if exponent >= 0 {
        return (exponent < 10).then(|| (mantissa << exponent, 1));
    }
    let common = exponent.unsigned_abs().min(mantissa.trailing_zeros());
    let denominator = 1_i64.checked_shl(exponent.unsigned_abs() - common).filter(|denominator| *denominator > 0)?;
    Some((mantissa >> common, denominator))
}

/// `Float#rationalize` without an argument: the simplest ratio that is no further from `f` than half a unit in its last
/// place. `None` for NaN and the infinities.
pub fn float_rationalize(f: f64) -> Option<Ratio> {
    let (mantissa, exponent) = if f.is_finite() { decompose(f.abs()) } else { return None };
    if mantissa == 0 || exponent >= 0 {
        return float_to_ratio(f);
    }
    // As CRuby counts them, the least Floats have as many places as others.
    let shift = mantissa.leading_zeros().saturating_sub(11);
    let (mantissa, exponent) = (mantissa << shift, exponent - shift as i32);
    let power = 1 + exponent.unsigned_abs();
    if let Some(denominator) = 1_i128.checked_shl(power).filter(|_| power < SMALL_BITS)
        && let twice = i128::from(mantissa) * 2
        && let Some((numerator, denominator)) = simplest_of_small((twice - 1, denominator), (twice + 1, denominator))
    {
        let numerator = if f.is_sign_negative() { -numerator } else { numerator };
        return Some(Ratio { numerator: numerator.into(), denominator: denominator.into() });
    }
    let twice = BigInt::from(mantissa) << 1;
    let denominator = BigInt::one() << power;
    let low = Ratio::new(&twice - 1, denominator.clone())?;
    let high = Ratio::new(twice + 1, denominator)?;
    let mut simplest = simplest_between(low, high);
    if f.is_sign_negative() {
        simplest.numerator = -simplest.numerator;
    }
    Some(simplest)
}

/// `rationalize(epsilon)`: the simplest ratio within `epsilon` of `x`.
pub fn rationalize(x: &Ratio, epsilon: &Ratio) -> Ratio {
    if x.numerator.is_negative() {
        let mirrored = Ratio { numerator: -&x.numerator, denominator: x.denominator.clone() };
        let found = rationalize(&mirrored, epsilon);
        return Ratio { numerator: -found.numerator, denominator: found.denominator };
    }
    let common = &x.denominator * &epsilon.denominator;
    let centre = &x.numerator * &epsilon.denominator;
    let reach = epsilon.numerator.abs() * &x.denominator;
    let ends = (Ratio::new(&centre - &reach, common.clone()), Ratio::new(centre + reach, common));
    match ends {
        (Some(low), Some(high)) if low != high => simplest_between(low, high),
        _ => x.clone(),
    }
}

/// Numerators and denominators of so many bits leave room for some products in 128 bits.
const SMALL_BITS: u32 = 124;

/// As [`simplest_between`], of positive numerators and denominators that need not be in lowest terms; `None` if something does not
/// fit.
pub fn simplest_of_small(mut low: (i128, i128), mut high: (i128, i128)) -> Option<(i128, i128)> {
    let (mut previous, mut current) = ((0_i128, 1_i128), (1_i128, 0_i128));
    loop {
        let ceiling = Integer::div_ceil(&low.0, &low.1);
        let last = ceiling.checked_mul(high.1)? < high.0;
        let quotient = if last { ceiling } else { ceiling - 1 };
        let next = (
            quotient.checked_mul(current.0)?.checked_add(previous.0)?,
            quotient.checked_mul(current.1)?.checked_add(previous.1)?,
        );
        if last {
            return Some(next);
        }
        (previous, current) = (current, next);
        let rest = |ratio: (i128, i128)| Some((ratio.1, ratio.0.checked_sub(quotient.checked_mul(ratio.1)?)?));
        (low, high) = (rest(high)?, rest(low)?);
    }
}

/// The ratio of smallest denominator in `low..high`, by the continued fraction both ends share (Stern and Brocot).
pub fn simplest_between(mut low: Ratio, mut high: Ratio) -> Ratio {
    let mut previous = (BigInt::zero(), BigInt::one());
    let mut current = (BigInt::one(), BigInt::zero());
    loop {
        let ceiling = low.ceil();
        let last = &ceiling * &high.denominator < high.numerator;
        let quotient = if last { ceiling } else { ceiling - 1 };
        let next = (&quotient * &current.0 + previous.0, &quotient * &current.1 + previous.1);
        if last {
            return Ratio { numerator: next.0, denominator: next.1 };
        }
        (previous, current) = (current, next);
        (low, high) = (reciprocal_of_rest(&high, &quotient), reciprocal_of_rest(&low, &quotient));
    }
}

/// `1 / (x - whole)`, whose terms stay coprime.
fn reciprocal_of_rest(x: &Ratio, whole: &BigInt) -> Ratio {
    Ratio { numerator: x.denominator.clone(), denominator: &x.numerator - whole * &x.denominator }
}

/// Compares exactly; `None` when `f` is NaN.
pub fn cmp_float_i64(f: f64, n: i64) -> Option<Ordering> {
    if f.is_nan() {
        return None;
    }
    // Outside this range the float's sign decides; inside it, its whole part is an i64.
    if f >= 9_223_372_036_854_775_808.0 {
        return Some(Ordering::Greater);
    }
    if f < -9_223_372_036_854_775_808.0 {
        return Some(Ordering::Less);
    }
    let whole = f.trunc();
    Some((whole as i64).cmp(&n).then_with(|| f.partial_cmp(&whole).unwrap_or(Ordering::Equal)))
}

/// Compares exactly; `None` when `f` is NaN.
pub fn cmp_float_big(f: f64, n: &BigInt) -> Option<Ordering> {
    if f.is_nan() {
        return None;
    }
    let Some(whole) = float_to_integer(f) else {
        return Some(if f > 0.0 { Ordering::Greater } else { Ordering::Less });
    };
    Some(whole.into_big().cmp(n).then_with(|| f.partial_cmp(&f.trunc()).unwrap_or(Ordering::Equal)))
}

/// Compares exactly; `None` when `f` is NaN.
pub fn cmp_float_int(f: f64, n: &Int) -> Option<Ordering> {
    match n {
        Int::Small(n) => cmp_float_i64(f, *n),
        Int::Big(n) => cmp_float_big(f, n),
    }
}
