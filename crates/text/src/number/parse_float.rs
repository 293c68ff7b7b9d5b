//! Text to floats: `String#to_f` and `Kernel#Float`.
//!
//! Decimal text is cleaned of underscores and handed to the standard library, which rounds correctly at any length.
//! Hexadecimal floats are summed digit by digit in floating point, as C's callers of `ldexp` do.

use super::{digits_len, digits_len_by, is_space, skip_spaces, split_sign};
use crate::number::parse_integer::digit_value;

/// A float and whether the text named a number that floats cannot hold ("Float 1e400 out of range").
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParsedFloat {
    pub value: f64,
    pub out_of_range: bool,
}

/// Why `Kernel#Float` refuses a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatError {
    /// `string for Float contains null byte`
    NullByte,
    /// `invalid value for Float(): INSPECT`
    Invalid,
}

/// `String#to_f`: the number at the front, or 0.0.
pub fn to_f(text: &[u8]) -> ParsedFloat {
    let text = skip_spaces(text);
    // CRuby looks for the hexadecimal prefix before the sign only, so "0x1A" is 0.0 but "-0x1A" is -26.0.
    if has_hex_prefix(text) {
        return ParsedFloat { value: 0.0, out_of_range: false };
    }
    let (negative, unsigned) = split_sign(text);
    // A lone sign is no negative zero.
    scan(unsigned).map_or(ParsedFloat { value: 0.0, out_of_range: false }, |found| found.parsed(negative))
}

/// `Float(text)`: the whole text must be one number.
pub fn parse_strict(text: &[u8]) -> Result<ParsedFloat, FloatError> {
    if text.contains(&0) {
        return Err(FloatError::NullByte);
    }
    let (negative, unsigned) = split_sign(skip_spaces(text));
    let scanned = scan(unsigned).ok_or(FloatError::Invalid)?;
    let complete = unsigned[scanned.len..].iter().all(|b| is_space(*b));
    if complete { Ok(scanned.parsed(negative)) } else { Err(FloatError::Invalid) }
}

/// The magnitude found at the front of a text, and how many bytes it took.
struct Scanned {
    value: f64,
    out_of_range: bool,
    len: usize,
}

impl Scanned {
    fn parsed(&self, negative: bool) -> ParsedFloat {
        ParsedFloat { value: if negative { -self.value } else { self.value }, out_of_range: self.out_of_range }
    }
}

fn has_hex_prefix(text: &[u8]) -> bool {
    matches!(text, [b'0', b'x' | b'X', ..])
}

fn scan(text: &[u8]) -> Option<Scanned> {
    if has_hex_prefix(text) { scan_hex(text) } else { scan_decimal(text) }
}

fn scan_decimal(text: &[u8]) -> Option<Scanned> {
    let whole = digits_len(text);
    let mut len = whole;
    if text.get(len) == Some(&b'.') {
        let fraction = digits_len(&text[len + 1..]);
        if whole + fraction == 0 {
            return None;
        }
        // A bare trailing point counts, unless an underscore or the like makes it something else's.
        len += 1 + fraction;
    }
    if len == 0 {
        return None;
    }
    let mantissa = &text[..len];
    len += exponent_len(&text[len..], b'e');
    let value = decimal_value(&text[..len]);
    let out_of_range = value.is_infinite() || value == 0.0 && mantissa.iter().any(|b| matches!(b, b'1'..=b'9'));
    Some(Scanned { value, out_of_range, len })
}

/// The length of an exponent (letter, sign, digits) at the front; 0 when it has no digits.
pub(crate) fn exponent_len(text: &[u8], letter: u8) -> usize {
    let [first, rest @ ..] = text else { return 0 };
    if first.to_ascii_lowercase() != letter {
        return 0;
    }
    let sign = usize::from(matches!(rest.first(), Some(b'+' | b'-')));
    match digits_len(&rest[sign..]) {
        0 => 0,
        digits => 1 + sign + digits,
    }
}

/// The value of decimal text that [`scan_decimal`] measured.
pub(crate) fn decimal_value(text: &[u8]) -> f64 {
    let parse = |bytes: &[u8]| std::str::from_utf8(bytes).ok()?.parse().ok();
    if text.contains(&b'_') {
        let clean: Vec<u8> = text.iter().copied().filter(|b| *b != b'_').collect();
        return parse(&clean).unwrap_or(0.0);
    }
    parse(text).unwrap_or(0.0)
}

fn scan_hex(text: &[u8]) -> Option<Scanned> {
    let is_hex = |b: u8| b.is_ascii_hexdigit();
    let body = &text[2..];
    let whole = digits_len_by(body, is_hex);
    let mut len = whole;
    let mut fraction = 0;
    if body.get(len) == Some(&b'.') {
        fraction = digits_len_by(&body[len + 1..], is_hex);
        len += 1 + fraction;
    }
    if whole + fraction == 0 {
        return None;
    }
    let exponent = exponent_len(&body[len..], b'p');
    let (mantissa, moved) = hex_mantissa(&body[..whole], &body[len - fraction..len]);
    let value = scale(mantissa, exponent_value(&body[len..len + exponent]).saturating_add(moved));
    let out_of_range = value.is_infinite() || value == 0.0 && mantissa != 0.0;
    Some(Scanned { value, out_of_range, len: 2 + len + exponent })
}

/// As many hexadecimal digits fit a `u128`, and one more for what comes behind them.
const EXACT_DIGITS: usize = 30;

/// The number that the digits are, and the power of two that it is still to be multiplied with. Zeros at the beginning and digits
/// that no double shows only move the point.
fn hex_mantissa(whole: &[u8], fraction: &[u8]) -> (f64, i32) {
    let digits = |run: &[u8]| run.iter().filter_map(|b| digit_value(*b)).collect::<Vec<_>>();
    let (mut all, fraction) = (digits(whole), digits(fraction));
    let mut point = all.len() as i32;
    all.extend(fraction);
    let zeros = all.iter().take_while(|digit| **digit == 0).count();
    point -= zeros as i32;
    let significant = &all[zeros..];
    let (exact, rest) = significant.split_at(significant.len().min(EXACT_DIGITS));
    let value = exact.iter().fold(0_u128, |n, digit| n << 4 | u128::from(*digit));
    let has_more = rest.iter().any(|digit| *digit != 0);
    (((value << 4) | u128::from(has_more)) as f64, point.saturating_sub(exact.len() as i32 + 1).saturating_mul(4))
}

/// The exponent in `pN`, far beyond any float's when the text says so.
fn exponent_value(text: &[u8]) -> i32 {
    let (negative, digits) = split_sign(text.get(1..).unwrap_or_default());
    let value = digits.iter().filter_map(|b| digit_value(*b)).fold(0_i32, |n, d| (n * 10 + d as i32).min(100_000));
    if negative { -value } else { value }
}

/// `f * 2**exponent` with a single rounding, as C's `ldexp`.
pub fn scale(f: f64, exponent: i32) -> f64 {
    // Powers of two from 2**-1022 to 2**1023 are floats. On the way down every factor but the last leaves a number of at
    // least 2**-53 normal, so that only the last one rounds.
    let mut f = f;
    let mut rest = exponent.clamp(-4000, 4000);
    while rest > 1023 {
        f *= power_of_two(1023);
        rest -= 1023;
    }
    while rest < -1022 {
        f *= power_of_two(-1022 + 53);
        rest += 1022 - 53;
    }
    f * power_of_two(rest)
}

fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}
