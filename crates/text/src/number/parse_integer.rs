//! Text to integers: `String#to_i`, `#hex`, `#oct` and `Kernel#Integer`.
//!
//! One scanner finds the sign, the base and the run of digits. The lenient form takes what it found; the strict one also
//! requires that nothing but whitespace follows.

use num_bigint::BigInt;

use super::large::{Ask, from_digits, never};
use super::{Int, digits_len_by, is_space, skip_spaces, split_sign};

/// Why `Kernel#Integer` refuses a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerError {
    /// `invalid radix N`
    InvalidRadix(i32),
    /// `invalid value for Integer(): INSPECT`
    Invalid,
}

/// `String#to_i(base)`: the number at the front, or 0. Only a bad radix is an error.
///
/// `base` 0 lets a prefix choose and defaults to ten.
pub fn to_i(text: &[u8], base: i32) -> Result<Int, IntegerError> {
    to_i_asking(text, base, &never).unwrap_or(Err(IntegerError::Invalid))
}

/// As [`to_i`]; `None` once `ask` says to give up.
pub fn to_i_asking(text: &[u8], base: i32, ask: Ask<'_>) -> Option<Result<Int, IntegerError>> {
    if base < 0 {
        return Some(Err(IntegerError::InvalidRadix(base)));
    }
    if let Some(number) = short(text, base) {
        return Some(Ok(number));
    }
    match scan(text, base) {
        Ok(Some(scanned)) => scanned.value(ask).map(Ok),
        Ok(None) => Some(Ok(Int::ZERO)),
        Err(error) => Some(Err(error)),
    }
}

/// A negative base is a default that a prefix overrides, which is how `String#oct` reads.
fn to_i_any_base(text: &[u8], base: i32, ask: Ask<'_>) -> Option<Int> {
    if let Some(number) = short(text, base) {
        return Some(number);
    }
    match scan(text, base) {
        Ok(Some(scanned)) => scanned.value(ask),
        _ => Some(Int::ZERO),
    }
}

/// `String#hex`; `None` once `ask` says to give up.
pub fn hex(text: &[u8], ask: Ask<'_>) -> Option<Int> {
    to_i_any_base(text, 16, ask)
}

/// `String#oct`; `None` once `ask` says to give up.
pub fn oct(text: &[u8], ask: Ask<'_>) -> Option<Int> {
    to_i_any_base(text, -8, ask)
}

/// `Integer(text, base)`: the whole text must be one number. A negative `base` is a default that a prefix overrides.
pub fn parse_strict(text: &[u8], base: i32) -> Result<Int, IntegerError> {
    parse_strict_asking(text, base, &never).unwrap_or(Err(IntegerError::Invalid))
}

/// As [`parse_strict`]; `None` once `ask` says to give up.
pub fn parse_strict_asking(text: &[u8], base: i32, ask: Ask<'_>) -> Option<Result<Int, IntegerError>> {
    match scan(text, base) {
        Ok(Some(scanned)) if scanned.rest.iter().all(|b| is_space(*b)) => scanned.value(ask).map(Ok),
        Ok(_) => Some(Err(IntegerError::Invalid)),
        Err(error) => Some(Err(error)),
    }
}

/// A number found at the front of a text.
struct Scanned<'a> {
    negative: bool,
    radix: u32,
    digits: &'a [u8],
    rest: &'a [u8],
}

impl Scanned<'_> {
    fn value(&self, ask: Ask<'_>) -> Option<Int> {
        Some(match digits_value_asking(self.digits, self.radix, ask)? {
            Int::Small(n) if self.negative => Int::Small(-n),
            // Negation brings 2**63 back into range.
            Int::Big(n) if self.negative => Int::from(-n),
            n => n,
        })
    }
}

fn scan(text: &[u8], base: i32) -> Result<Option<Scanned<'_>>, IntegerError> {
    let (negative, unsigned) = split_sign(skip_spaces(text));
    let (radix, prefixed) = radix_of(unsigned, base)?;
    let len = digits_len_by(prefixed, |b| digit_value(b).is_some_and(|d| d < radix));
    let (digits, rest) = prefixed.split_at(len);
    Ok((len > 0).then_some(Scanned { negative, radix, digits, rest }))
}

/// The number at the front if it has few digits and no underscore, in one pass. Without any digit it is 0.
fn short(text: &[u8], base: i32) -> Option<Int> {
    /// 36 ** 12 is below 2 ** 63.
    const MOST: usize = 12;
    let (negative, unsigned) = split_sign(skip_spaces(text));
    let (radix, digits) = radix_of(unsigned, base).ok()?;
    let mut number = 0_i64;
    for (at, byte) in digits.iter().enumerate() {
        let digit = DIGIT_VALUES[usize::from(*byte)];
        if u32::from(digit) >= radix {
            return (*byte != b'_').then_some(Int::Small(if negative { -number } else { number }));
        }
        if at == MOST {
            return None;
        }
        number = number * i64::from(radix) + i64::from(digit);
    }
    Some(Int::Small(if negative { -number } else { number }))
}

/// What each byte is worth as a digit; 255 for what is none in any radix.
const DIGIT_VALUES: [u8; 256] = {
    let mut values = [255; 256];
    let mut digit = 0;
    while digit < 36 {
        match digit {
            0..10 => values[(b'0' + digit) as usize] = digit,
            _ => {
                values[(b'a' + digit - 10) as usize] = digit;
                values[(b'A' + digit - 10) as usize] = digit;
            }
        }
        digit += 1;
    }
    values
};

/// The radix that `base` and the text's own prefix agree on, and the text behind the prefix.
///
/// A bare leading zero selects octal but stays: it is a digit too, so that "0" alone is a number.
fn radix_of(text: &[u8], base: i32) -> Result<(u32, &[u8]), IntegerError> {
    let prefix = match text {
        [b'0', letter, ..] => prefix_radix(*letter),
        _ => None,
    };
    if base > 0 {
        let radix = valid_radix(base)?;
        return Ok(if prefix == Some(radix) { (radix, &text[2..]) } else { (radix, text) });
    }
    match prefix {
        Some(radix) => Ok((radix, &text[2..])),
        None if text.first() == Some(&b'0') && text.len() > 1 => Ok((8, text)),
        None if base < -1 => Ok((valid_radix(base.wrapping_neg())?, text)),
        None => Ok((10, text)),
    }
}

fn prefix_radix(letter: u8) -> Option<u32> {
    match letter.to_ascii_lowercase() {
        b'x' => Some(16),
        b'b' => Some(2),
        b'o' => Some(8),
        b'd' => Some(10),
        _ => None,
    }
}

fn valid_radix(base: i32) -> Result<u32, IntegerError> {
    if (2..=36).contains(&base) { Ok(base as u32) } else { Err(IntegerError::InvalidRadix(base)) }
}

/// The value of a digit in radices up to 36.
pub(crate) fn digit_value(byte: u8) -> Option<u32> {
    char::from(byte).to_digit(36)
}

/// The value of a run of valid digits and underscores; `None` once `ask` says to give up.
pub(crate) fn digits_value_asking(digits: &[u8], radix: u32, ask: Ask<'_>) -> Option<Int> {
    let small = digits
        .iter()
        .filter_map(|b| digit_value(*b))
        .try_fold(0_i64, |n, digit| n.checked_mul(i64::from(radix))?.checked_add(i64::from(digit)));
    match small {
        Some(small) => Some(Int::Small(small)),
        None => {
            let digits: Vec<u8> = digits.iter().copied().filter(|b| *b != b'_').collect();
            from_digits(&digits, radix, ask).map(|n| Int::from(BigInt::from(n)))
        }
    }
}
