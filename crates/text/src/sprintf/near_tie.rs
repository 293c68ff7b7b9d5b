//! Where CRuby rounds decimals to even although the float lies a little off the middle.
//!
//! CRuby prints up to fourteen digits with floating-point arithmetic when its error bound allows. When the rest after the
//! last digit is one half to within that bound, it rounds half to even instead of looking closer: `"%.1f" % 0.35` is 0.4
//! though the float is less than 0.35, and `"%.1f" % 99999.85` is 99999.8 though that one is more. The standard library
//! always looks closer, so those cases are found here, with the same arithmetic.
//!
//! # References
//! David Gay's `dtoa`, "Correctly Rounded Binary-Decimal and Decimal-Binary Conversions" (1990), and CRuby's copy of it.

use crate::number::exact::normalise;

/// How many digits are asked for.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    /// So many in all.
    Significant(usize),
    /// So many behind the point.
    Fraction(usize),
}

/// Digits with a value of `d.ddd * 10**exponent`.
pub(super) struct Rounded {
    pub(super) digits: Vec<u8>,
    pub(super) exponent: i32,
    /// The last digit was odd and went up.
    is_up: bool,
}

/// More digits than this are always printed exactly.
const MAX_QUICK_DIGITS: i64 = 14;

/// Powers of ten that are exact floats.
const TENS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// `10**(16 << n)`.
const BIG_TENS: [f64; 5] = [1e16, 1e32, 1e64, 1e128, 1e256];

/// The digits of the positive float `f` rounded half to even, if to CRuby it is so near the middle that it does that.
pub(super) fn near_tie(f: f64, wanted: Wanted) -> Option<Rounded> {
    if f == 0.0 {
        return None;
    }
    let (mut exponent, is_estimate) = decimal_exponent(f);
    let mut count = match wanted {
        Wanted::Significant(count) => count as i64,
        Wanted::Fraction(count) => count as i64 + 1 + i64::from(exponent),
    };
    if !(1..=MAX_QUICK_DIGITS).contains(&count) {
        return None;
    }
    let (mut scaled, mut operations) = scale_to_one_digit(f, exponent);
    if is_estimate && scaled < 1.0 {
        count -= i64::from(matches!(wanted, Wanted::Fraction(_)));
        exponent -= 1;
        scaled *= 10.0;
        operations += 1.0;
        if count == 0 {
            return None;
        }
    }
    let error = (operations * scaled + 7.0) * f64::EPSILON * TENS[count as usize - 1];
    let digits = take_digits(scaled, count as usize, error)?;
    Some(round_to_even(digits, exponent))
}

/// Does `%g` leave the zeros that `count` digits of `f` end in? CRuby forgets to drop them when it rounded down to a zero
/// what the exact digits would have rounded up, and never drops them from whole numbers of up to fifteen digits.
pub(super) fn keeps_zeros(f: f64, count: usize) -> bool {
    let stayed_zero = |rounded: Rounded| !rounded.is_up && rounded.digits.last() == Some(&b'0');
    let is_small_integer = f < 1e15 && f.fract() == 0.0;
    near_tie(f, Wanted::Significant(count)).is_some_and(stayed_zero) && (is_small_integer || is_above_middle(f, count))
}

/// Is what follows the first `count` digits of `f` more than half a unit of the last one?
fn is_above_middle(f: f64, count: usize) -> bool {
    // No float has more than 767 significant digits; one stands before the point.
    let exact = format!("{f:.766e}");
    let mantissa = exact.split('e').next().unwrap_or_default();
    let rest = mantissa.bytes().filter(u8::is_ascii_digit).skip(count).collect::<Vec<_>>();
    match rest.split_first() {
        Some((b'5', rest)) => rest.iter().any(|d| *d != b'0'),
        Some((first, _)) => *first > b'5',
        None => false,
    }
}

/// The decimal exponent of `f`, and whether it is an estimate that may be one too high.
#[expect(clippy::approx_constant, reason = "dtoa's digits of log10(2), not the nearest float, give its estimates")]
fn decimal_exponent(f: f64) -> (i32, bool) {
    let (mantissa, exponent) = normalise(f);
    // The tangent of log10 at 1.5, as in dtoa, whose estimates have to be met.
    let fraction = mantissa as f64 / (1_u64 << 52) as f64;
    let log =
        (fraction - 1.5) * 0.289_529_654_602_168 + 0.176_091_259_055_8 + f64::from(exponent) * 0.301_029_995_663_981;
    let estimate = log.floor() as i32;
    match usize::try_from(estimate).ok().and_then(|k| TENS.get(k)) {
        Some(ten) => (estimate - i32::from(f < *ten), false),
        None => (estimate, true),
    }
}

/// `f / 10**exponent`, computed step by step, and the number of steps that counts for the error.
fn scale_to_one_digit(f: f64, exponent: i32) -> (f64, f64) {
    let mut operations = 2.0;
    let magnitude = exponent.unsigned_abs() as usize;
    let mut high = magnitude >> 4;
    let mut scaled = f;
    if exponent < 0 {
        scaled *= TENS[magnitude & 15];
        for ten in (0..5).filter(|bit| high >> bit & 1 == 1).map(|bit| BIG_TENS[bit]) {
            operations += 1.0;
            scaled *= ten;
        }
        return (scaled, operations);
    }
    if high & 16 != 0 {
        // Dividing at once by more than 10**256 could overflow the divisor.
        high &= 15;
        scaled /= BIG_TENS[4];
        operations += 1.0;
    }
    let mut divisor = TENS[magnitude & 15];
    for ten in (0..4).filter(|bit| high >> bit & 1 == 1).map(|bit| BIG_TENS[bit]) {
        operations += 1.0;
        divisor *= ten;
    }
    (scaled / divisor, operations)
}

/// The first `count` digits of `scaled`, if the rest is half a unit to within `error`.
fn take_digits(mut scaled: f64, count: usize, error: f64) -> Option<Vec<u8>> {
    let mut digits = Vec::with_capacity(count + 1);
    loop {
        let digit = scaled.trunc();
        scaled -= digit;
        digits.push(b'0' + digit as u8);
        if scaled == 0.0 {
            return None;
        }
        if digits.len() == count {
            return ((0.5 - error..=0.5 + error).contains(&scaled)).then_some(digits);
        }
        scaled *= 10.0;
    }
}

fn round_to_even(mut digits: Vec<u8>, exponent: i32) -> Rounded {
    let is_odd = digits.last().is_some_and(|d| d & 1 == 1);
    if is_odd && increment(&mut digits) {
        // All nines: one and as many zeros, one place higher.
        digits[0] = b'1';
        return Rounded { digits, exponent: exponent + 1, is_up: true };
    }
    Rounded { digits, exponent, is_up: is_odd }
}

/// Adds one in the last place; true when that carried out of the first, leaving zeros.
fn increment(digits: &mut [u8]) -> bool {
    for digit in digits.iter_mut().rev() {
        if *digit < b'9' {
            *digit += 1;
            return false;
        }
        *digit = b'0';
    }
    true
}
