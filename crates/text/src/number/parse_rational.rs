//! Text to ratios: `String#to_r` and `Kernel#Rational`.
//!
//! Both sides of the slash may be decimal fractions with exponents; the result is exact.

use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

use super::exact::Ratio;
use super::large::{Ask, multiply, power};
use super::parse_float::exponent_len;
use super::parse_integer::digits_value_asking;
use super::{Int, digits_len, is_space, skip_spaces, split_sign};

/// Why there is no ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RatioError {
    /// `invalid value for convert(): INSPECT`; only of the strict form.
    Invalid,
    /// ZeroDivisionError, `divided by 0`.
    ZeroDivision,
    /// FloatDomainError, `Infinity`: the exponent is out of reach.
    Infinite,
    /// Somebody asked to.
    GivenUp,
}

/// `String#to_r`: the number at the front, or 0/1.
pub fn to_r(text: &[u8], ask: Ask<'_>) -> Result<Ratio, RatioError> {
    scan(skip_spaces(text), ask).map(|(ratio, _)| ratio)
}

/// `Rational(text)`: the whole text must be one number.
pub fn parse_strict(text: &[u8], ask: Ask<'_>) -> Result<Ratio, RatioError> {
    let (ratio, rest) = scan(skip_spaces(text), ask)?;
    match rest {
        Some(rest) if rest.iter().all(|b| is_space(*b)) => Ok(ratio),
        _ => Err(RatioError::Invalid),
    }
}

/// Up to this many digits stand for a number below 10^18, which fits 64 bits.
const FEW_DIGITS: usize = 18;

/// A number without exponent and underscores, of few digits on both sides of the slash, at the front of text, as numerator and
/// denominator that are not reduced, and what follows it. `None` says nothing about the text.
pub fn small(text: &[u8]) -> Option<((i64, i64), &[u8])> {
    let (negative, unsigned) = split_sign(skip_spaces(text));
    let plain_len = |text: &[u8]| text.iter().position(|b| !b.is_ascii_digit()).unwrap_or(text.len());
    let value = |start: i64, digits: &[u8]| digits.iter().fold(start, |n, b| n * 10 + i64::from(b - b'0'));
    let (whole, mut rest) = unsigned.split_at(plain_len(unsigned));
    let (mut numerator, mut denominator) = (value(0, whole.get(..FEW_DIGITS.min(whole.len()))?), 1);
    let mut digits = whole.len();
    if let [b'.', fraction @ ..] = rest {
        let (fraction, after) = fraction.split_at(plain_len(fraction));
        digits += fraction.len();
        if fraction.is_empty() || digits > FEW_DIGITS {
            return None;
        }
        (numerator, denominator, rest) = (value(numerator, fraction), 10_i64.pow(fraction.len() as u32), after);
    }
    if whole.is_empty() || digits > FEW_DIGITS {
        return None;
    }
    if let [b'/', divisor @ ..] = rest {
        let (divisor, after) = divisor.split_at(plain_len(divisor));
        if divisor.is_empty() || divisor.len() > FEW_DIGITS {
            return None;
        }
        (denominator, rest) = (denominator.checked_mul(value(0, divisor))?, after);
    }
    let is_plain_end = !matches!(rest, [b'_' | b'e' | b'E' | b'.' | b'/', ..]);
    (is_plain_end && denominator != 0).then(|| ((if negative { -numerator } else { numerator }, denominator), rest))
}

/// The ratio at the front and what follows it; there is no rest where no number starts.
fn scan<'a>(text: &'a [u8], ask: Ask<'_>) -> Result<(Ratio, Option<&'a [u8]>), RatioError> {
    let (negative, unsigned) = split_sign(text);
    let Some((mut number, mut rest)) = Decimal::scan(unsigned) else {
        return Ok((Ratio::from_integer(BigInt::zero()), None));
    };
    if let [b'/', after @ ..] = rest
        && let Some((divisor, after)) = Decimal::scan(after)
    {
        number.divide(divisor);
        rest = after;
    }
    if negative {
        number.negate();
    }
    Ok((number.ratio(ask)?, Some(rest)))
}

/// `mantissa / divisor * 10**exponent`, the first two as digits.
#[derive(Debug)]
pub(crate) struct Decimal {
    is_negative: bool,
    mantissa: Vec<u8>,
    divisor: Option<Vec<u8>>,
    exponent: i64,
}

/// Powers of ten up to this are computed; ten million digits take 4 MB and a noticeable time.
const MAX_EXPONENT: i64 = 1 << 26;

impl Decimal {
    /// A number without a sign at the front of `text`, and what follows it.
    fn scan(text: &[u8]) -> Option<(Decimal, &[u8])> {
        let whole = digits_len(text);
        if text.get(whole) != Some(&b'.') {
            return (whole > 0).then(|| Decimal::with_exponent(text, whole, whole));
        }
        match digits_len(&text[whole + 1..]) {
            // A bare point ends the number: no exponent may follow it.
            0 => Some((Decimal::new(&text[..whole], b""), &text[whole + 1..])),
            fraction => Some(Decimal::with_exponent(text, whole, whole + 1 + fraction)),
        }
    }

    /// The number whose digits end at `end`, having `whole` of them before the point.
    pub(crate) fn with_exponent(text: &[u8], whole: usize, end: usize) -> (Decimal, &[u8]) {
        let mut number = Decimal::new(&text[..whole], text[whole..end].strip_prefix(b".").unwrap_or_default());
        let exponent = exponent_len(&text[end..], b'e');
        if exponent > 0 {
            number.exponent = number.exponent.saturating_add(exponent_value(&text[end + 1..end + exponent]));
        }
        (number, &text[end + exponent..])
    }

    fn new(whole: &[u8], fraction: &[u8]) -> Decimal {
        let mantissa = whole.iter().chain(fraction).copied().filter(|b| *b != b'_').collect();
        let behind = fraction.iter().filter(|b| **b != b'_').count();
        Decimal { is_negative: false, mantissa, divisor: None, exponent: -(behind as i64) }
    }

    pub(crate) fn negate(&mut self) {
        self.is_negative = !self.is_negative;
    }

    fn divide(&mut self, by: Decimal) {
        self.exponent = self.exponent.saturating_sub(by.exponent);
        self.divisor = Some(by.mantissa);
    }

    /// Divides by a plain integer, as the denominators inside complex numbers are.
    pub(crate) fn divide_by_digits(&mut self, digits: &[u8]) {
        self.divisor = Some(digits.to_vec());
    }

    pub(crate) fn ratio(self, ask: Ask<'_>) -> Result<Ratio, RatioError> {
        if self.exponent > MAX_EXPONENT {
            return Err(RatioError::Infinite);
        }
        let (mantissa, divisor) = self.parts(ask).ok_or(RatioError::GivenUp)?;
        if divisor.is_zero() {
            return Err(RatioError::ZeroDivision);
        }
        Ratio::new_asking(mantissa, divisor, ask).ok_or(RatioError::GivenUp)
    }

    /// Numerator and denominator, not reduced; `None` if it was given up.
    fn parts(&self, ask: Ask<'_>) -> Option<(BigInt, BigInt)> {
        let value = |digits: &[u8]| digits_value_asking(digits, 10, ask).map(Int::into_big);
        let divisor = self.divisor.as_deref().map_or(Some(BigInt::one()), value)?;
        if self.exponent < -MAX_EXPONENT {
            // Nothing this small matters, but a zero divisor still does.
            return Some((BigInt::zero(), divisor));
        }
        let mantissa = value(&self.mantissa)?;
        let mantissa = if self.is_negative { -mantissa } else { mantissa };
        let power = power(&BigUint::from(10_u32), self.exponent.unsigned_abs(), ask)?;
        let scaled = |n: &BigInt| Some(BigInt::from_biguint(n.sign(), multiply(n.magnitude(), &power, ask)?));
        if self.exponent < 0 { Some((mantissa, scaled(&divisor)?)) } else { Some((scaled(&mantissa)?, divisor)) }
    }
}

/// A signed run of digits, saturating.
fn exponent_value(text: &[u8]) -> i64 {
    let (negative, digits) = split_sign(text);
    let value = digits
        .iter()
        .filter(|b| **b != b'_')
        .fold(0_i64, |n, b| n.saturating_mul(10).saturating_add(i64::from(b - b'0')));
    if negative { -value } else { value }
}
