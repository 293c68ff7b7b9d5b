//! Reading decimal numbers.

use super::number::{MAX_EXPONENT, Number, infinity, nan};
use super::whole::Whole;
use carat_vm::{Ec, Result};

/// What a text begins with.
pub(super) struct Scanned {
    is_negative: bool,
    has_sign: bool,
    what: What,
    /// Where it ends.
    end: usize,
}

enum What {
    Nan,
    Infinity,
    /// The digits without their point; how many of them stand behind it; the exponent.
    Digits(Vec<u8>, usize, i64),
}

struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
}

impl Scanner<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn skip_space(&mut self) {
        while is_space(self.peek(0)) {
            self.at += 1;
        }
    }

    /// Whether there was a sign, and a minus sign.
    fn sign(&mut self) -> (bool, bool) {
        let sign = self.peek(0);
        let has_sign = sign == b'+' || sign == b'-';
        self.at += usize::from(has_sign);
        (has_sign, sign == b'-')
    }

    fn word(&mut self, word: &[u8]) -> bool {
        let is_here = self.text[self.at..].starts_with(word);
        self.at += if is_here { word.len() } else { 0 };
        is_here
    }

    /// Digits, between which single underscores may stand; how many there were.
    fn digits(&mut self, mut each: impl FnMut(u8)) -> usize {
        let mut count = 0;
        loop {
            let skipped = usize::from(count > 0 && self.peek(0) == b'_');
            let digit = self.peek(skipped);
            if !digit.is_ascii_digit() {
                return count;
            }
            each(digit);
            count += 1;
            self.at += skipped + 1;
        }
    }

    /// The exponent; 0 if none follows.
    fn exponent(&mut self) -> i64 {
        let start = self.at;
        if !matches!(self.peek(0), b'e' | b'E' | b'd' | b'D') {
            return 0;
        }
        self.at += 1;
        let (_, is_negative) = self.sign();
        let mut exponent = 0_i64;
        let count = self.digits(|digit| exponent = exponent.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
        if count == 0 {
            self.at = start;
            return 0;
        }
        if is_negative { -exponent } else { exponent }
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}

/// The number at the beginning of a text, behind white space.
fn scan(text: &[u8]) -> Option<Scanned> {
    let mut scanner = Scanner { text, at: 0 };
    scanner.skip_space();
    let (has_sign, is_negative) = scanner.sign();
    let scanned = |scanner: Scanner<'_>, what| Some(Scanned { is_negative, has_sign, what, end: scanner.at });
    if scanner.word(b"Infinity") {
        return scanned(scanner, What::Infinity);
    }
    if scanner.word(b"NaN") {
        return scanned(scanner, What::Nan);
    }
    let mut digits = Vec::with_capacity(text.len() - scanner.at);
    let whole = scanner.digits(|digit| digits.push(digit));
    let mut fraction = 0;
    if scanner.peek(0) == b'.' && scanner.peek(1).is_ascii_digit() {
        scanner.at += 1;
        fraction = scanner.digits(|digit| digits.push(digit));
    }
    if whole + fraction == 0 {
        return None;
    }
    let exponent = scanner.exponent();
    scanned(scanner, What::Digits(digits, fraction, exponent))
}

/// The number that a text is; `None` for one that is none.
pub(super) fn strict(text: &[u8]) -> Option<Scanned> {
    let scanned = scan(text)?;
    let is_all = text[scanned.end..].iter().all(|byte| is_space(*byte));
    let is_signed_nan = matches!(scanned.what, What::Nan) && scanned.has_sign;
    (is_all && !is_signed_nan).then_some(scanned)
}

/// As far as the text is a number; `None` if it does not begin with one.
pub(super) fn loose(text: &[u8]) -> Option<Scanned> {
    scan(text).filter(|scanned| !(matches!(scanned.what, What::Nan) && scanned.has_sign))
}

/// Makes the number that was read.
pub(super) fn number(ec: &mut Ec, scanned: Scanned) -> Result<Number> {
    let is_negative = scanned.is_negative;
    let (digits, fraction, exponent) = match scanned.what {
        What::Nan => return nan(ec),
        What::Infinity => return infinity(ec, is_negative),
        What::Digits(digits, fraction, exponent) => (digits, fraction, exponent),
    };
    let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
    let whole = Whole::from_digits(ec, &digits[zeros..])?;
    if whole.is_zero() {
        return Ok(Number::zero(is_negative));
    }
    if exponent <= -MAX_EXPONENT {
        return Ok(Number::zero(is_negative));
    }
    if exponent >= MAX_EXPONENT {
        return infinity(ec, is_negative);
    }
    Number::of(ec, whole.signed(is_negative), exponent - fraction as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(text: &str) -> Option<usize> {
        loose(text.as_bytes()).map(|scanned| scanned.end)
    }

    #[test]
    fn a_number_ends_where_it_goes_on_no_more() {
        assert_eq!(end(" 1_000.5x"), Some(8));
        assert_eq!(end("1__0"), Some(1));
        assert_eq!(end("1."), Some(1));
        assert_eq!(end("1e"), Some(1));
        assert_eq!(end("1e+5_0"), Some(6));
        assert_eq!(end(".5"), Some(2));
        assert_eq!(end("e5"), None);
        assert_eq!(end("-"), None);
    }

    #[test]
    fn a_strict_text_holds_nothing_else() {
        for text in ["1.5 ", "\t-Infinity\n", "NaN", "1d-3"] {
            assert!(strict(text.as_bytes()).is_some(), "{text}");
        }
        for text in ["1.", "+NaN", "1 2", "", "0x1", "1_"] {
            assert!(strict(text.as_bytes()).is_none(), "{text}");
        }
    }
}
