//! `%f`, `%e`, `%g` and `%a`.
//!
//! Digits come from the standard library, which prints exactly and rounds ties to even as C does; what it lacks (exponents
//! of two digits, `#`, `%g`, `%a`) is added here. Integers and Rationals in `%f` are printed from their exact values.

use std::io::Write;

use num_bigint::BigInt;
use num_traits::{One, Signed};

use super::fixed;
use super::near_tie::{Wanted, keeps_zeros, near_tie};
use super::{Real, Spec};
use crate::number::exact::normalise;
use crate::number::float_text::push_exponent;

/// Without a precision.
const DEFAULT_PRECISION: usize = 6;

/// CRuby prints zeros behind this many digits, which matters to a few subnormals; the standard library stops at 65,535.
const MAX_DIGITS: usize = 1026;

/// Appends a number as `%f` prints it.
pub fn push_real(out: &mut Vec<u8>, spec: &Spec, number: &Real) {
    match number {
        Real::Float(f) => push(out, spec, b'f', *f),
        Real::Integer(n) => push_ratio(out, spec, &n.to_big(), &BigInt::one()),
        Real::Rational(numerator, denominator) => push_ratio(out, spec, numerator, denominator),
    }
}

/// Appends `f` as the directive letter `conversion` (one of `feEgGaA`) prints it.
pub fn push(out: &mut Vec<u8>, spec: &Spec, conversion: u8, f: f64) {
    let negative = f.is_sign_negative() && !f.is_nan();
    if !f.is_finite() {
        // Zeros would not become these.
        let spec = Spec { zero: false, ..spec.clone() };
        return push_padded(out, &spec, negative, b"", if f.is_nan() { b"NaN" } else { b"Inf" });
    }
    let mut body = Vec::with_capacity(32);
    match conversion.to_ascii_lowercase() {
        b'e' => push_scientific(&mut body, f.abs(), spec.precision.unwrap_or(DEFAULT_PRECISION), spec.sharp),
        b'g' => push_general(&mut body, f.abs(), spec.precision.unwrap_or(DEFAULT_PRECISION).max(1), spec.sharp),
        b'a' => push_hexadecimal(&mut body, f.abs(), spec.precision, spec.sharp),
        _ => push_fixed(&mut body, f.abs(), spec.precision.unwrap_or(DEFAULT_PRECISION), spec.sharp),
    }
    if conversion.is_ascii_uppercase() {
        body.make_ascii_uppercase();
    }
    // Zeros go between the prefix of %a and its digits.
    let prefix_len = if conversion.eq_ignore_ascii_case(&b'a') { 2 } else { 0 };
    let (prefix, digits) = body.split_at(prefix_len);
    push_padded(out, spec, negative, prefix, digits);
}

/// Appends sign, prefix and digits, filled up to the width.
fn push_padded(out: &mut Vec<u8>, spec: &Spec, negative: bool, prefix: &[u8], digits: &[u8]) {
    let sign = match () {
        () if negative => Some(b'-'),
        () if spec.plus => Some(b'+'),
        () if spec.space => Some(b' '),
        () => None,
    };
    let len = usize::from(sign.is_some()) + prefix.len() + digits.len();
    let fill = spec.width.unwrap_or(0).saturating_sub(len);
    let (left, zeros, right) = match () {
        () if spec.minus => (0, 0, fill),
        () if spec.zero => (0, fill, 0),
        () => (fill, 0, 0),
    };
    out.resize(out.len() + left, b' ');
    out.extend(sign);
    out.extend_from_slice(prefix);
    out.resize(out.len() + zeros, b'0');
    out.extend_from_slice(digits);
    out.resize(out.len() + right, b' ');
}

fn write_digits(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("a Vec takes all that is written");
}

/// `%f` of a magnitude.
fn push_fixed(out: &mut Vec<u8>, f: f64, precision: usize, sharp: bool) {
    if !fixed::push(out, f, precision) {
        push_any_fixed(out, f, precision);
    }
    if sharp && precision == 0 {
        out.push(b'.');
    }
}

/// As above, without a bound.
pub(super) fn push_any_fixed(out: &mut Vec<u8>, f: f64, precision: usize) {
    match near_tie(f, Wanted::Fraction(precision)) {
        Some(rounded) => push_fixed_digits(out, &rounded.digits, rounded.exponent, precision),
        None => {
            let digits = precision.min(MAX_DIGITS);
            write_digits(out, format_args!("{f:.digits$}"));
            out.resize(out.len() + precision - digits, b'0');
        }
    }
}

/// Places the point among digits of `d.ddd * 10**exponent`, of which the last belongs `precision` places behind it.
fn push_fixed_digits(out: &mut Vec<u8>, digits: &[u8], exponent: i32, precision: usize) {
    let start = out.len();
    let leading_zeros = usize::try_from(-exponent).unwrap_or(0);
    out.resize(start + leading_zeros, b'0');
    out.extend_from_slice(digits);
    let point = start + usize::try_from(exponent).unwrap_or(0) + 1;
    out.resize(point + precision, b'0');
    if precision > 0 {
        out.insert(point, b'.');
    }
}

/// `%e` of a magnitude.
fn push_scientific(out: &mut Vec<u8>, f: f64, precision: usize, sharp: bool) {
    let exponent = push_mantissa(out, f, precision);
    if sharp && precision == 0 {
        out.push(b'.');
    }
    out.push(b'e');
    push_exponent(out, exponent);
}

/// Appends `d.ddd` with `precision` digits behind the point, and returns the exponent that belongs to it.
fn push_mantissa(out: &mut Vec<u8>, f: f64, precision: usize) -> i32 {
    if let Some(rounded) = near_tie(f, Wanted::Significant(precision + 1)) {
        out.push(rounded.digits[0]);
        if precision > 0 {
            out.push(b'.');
        }
        out.extend_from_slice(&rounded.digits[1..]);
        return rounded.exponent;
    }
    let start = out.len();
    let digits = precision.min(MAX_DIGITS);
    write_digits(out, format_args!("{f:.digits$e}"));
    let e = start + out[start..].iter().position(|b| *b == b'e').expect("{:e} writes an e");
    let exponent = std::str::from_utf8(&out[e + 1..]).ok().and_then(|text| text.parse().ok());
    out.truncate(e);
    out.resize(out.len() + precision - digits, b'0');
    exponent.expect("{:e} writes an exponent")
}

/// `%g` of a magnitude: `precision` significant digits, in whichever form is shorter.
fn push_general(out: &mut Vec<u8>, f: f64, precision: usize, sharp: bool) {
    let start = out.len();
    // The exponent after rounding decides, so the digits have to be made to see it.
    let exponent = push_mantissa(out, f, precision - 1);
    let fixed = exponent >= -4 && i64::from(exponent) < precision as i64;
    if fixed {
        let digits: Vec<u8> = out.drain(start..).filter(|byte| *byte != b'.').collect();
        push_fixed_digits(out, &digits, exponent, (precision as i64 - 1 - i64::from(exponent)) as usize);
    }
    if sharp && !out[start..].contains(&b'.') {
        out.push(b'.');
    }
    if !sharp && !keeps_zeros(f, precision) {
        drop_trailing_zeros(out, start);
    }
    if !fixed {
        out.push(b'e');
        push_exponent(out, exponent);
    }
}

/// Drops zeros behind the point, and the point if nothing else is behind it.
fn drop_trailing_zeros(out: &mut Vec<u8>, start: usize) {
    if !out[start..].contains(&b'.') {
        return;
    }
    while out.last() == Some(&b'0') {
        out.pop();
    }
    if out.last() == Some(&b'.') {
        out.pop();
    }
}

/// Binary digits behind the point of a normalised mantissa.
const FRACTION_BITS: u32 = 52;

/// `%a` of a magnitude. CRuby rounds by adding one, which costs a bit even where all thirteen digits are asked for.
///
/// The form is `0x1.` and the rest of the mantissa in hexadecimal, the exponent of two in decimal.
fn push_hexadecimal(out: &mut Vec<u8>, f: f64, precision: Option<usize>, sharp: bool) {
    let (mut mantissa, mut exponent) = normalise(f);
    if let Some(precision) = precision
        && precision <= 13
    {
        let dropped = (FRACTION_BITS - 4 * precision as u32).max(1);
        mantissa = round_half_even(mantissa, dropped) << dropped;
        // Rounding up to two renormalises.
        if mantissa >> (FRACTION_BITS + 1) != 0 {
            mantissa >>= 1;
            exponent += 1;
        }
    }
    let fraction = format!("{:013x}", mantissa & ((1 << FRACTION_BITS) - 1));
    let shown = match precision {
        Some(precision) => &fraction[..precision.min(13)],
        None => fraction.trim_end_matches('0'),
    };
    write_digits(out, format_args!("0x{}", mantissa >> FRACTION_BITS));
    if sharp || precision.unwrap_or(shown.len()) > 0 {
        out.push(b'.');
    }
    out.extend_from_slice(shown.as_bytes());
    out.resize(out.len() + precision.unwrap_or(0).saturating_sub(13), b'0');
    write_digits(out, format_args!("p{exponent:+}"));
}

fn round_half_even(n: u64, dropped: u32) -> u64 {
    let kept = n >> dropped;
    let rest = n - (kept << dropped);
    let half = 1 << (dropped - 1);
    kept + u64::from(rest > half || rest == half && kept & 1 == 1)
}

/// `%f` of `numerator / denominator`, rounded half up from its exact value.
fn push_ratio(out: &mut Vec<u8>, spec: &Spec, numerator: &BigInt, denominator: &BigInt) {
    let precision = spec.precision.unwrap_or(DEFAULT_PRECISION);
    let mut digits = if denominator.is_one() {
        let mut digits = numerator.magnitude().to_string().into_bytes();
        digits.resize(digits.len() + precision, b'0');
        digits
    } else {
        let scaled: BigInt = numerator.abs() * BigInt::from(10).pow(precision as u32) + denominator / 2;
        (scaled / denominator).to_string().into_bytes()
    };
    if digits.len() <= precision {
        // At least one digit stands before the point.
        let missing = precision + 1 - digits.len();
        digits.splice(0..0, std::iter::repeat_n(b'0', missing));
    }
    if precision > 0 {
        digits.insert(digits.len() - precision, b'.');
    }
    push_padded(out, spec, numerator.is_negative(), b"", &digits);
}
