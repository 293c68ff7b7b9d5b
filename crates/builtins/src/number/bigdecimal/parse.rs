//! Reading decimal numbers.

use super::number::{EXCEPTION_INFINITY, MAX_POINT, MIN_POINT, Number, infinity, nan, raise_if};
use super::whole::Whole;
use carat_vm::{Ec, Result};

/// What a text begins with.
pub(super) struct Scanned {
    is_negative: bool,
    what: What,
}

enum What {
    Nan,
    Infinity,
    Digits(Digits),
}

#[derive(Default)]
struct Digits {
    /// Without their point.
    digits: Vec<u8>,
    /// How many stand behind the point.
    fraction: usize,
    exponent: i128,
}

struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
}

impl Scanner<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    /// Whether nothing but white space is left.
    fn is_at_end(&self) -> bool {
        self.text[self.at..].iter().all(|byte| is_space(*byte))
    }

    /// Whether there was a minus sign.
    fn sign(&mut self) -> bool {
        let sign = self.peek(0);
        self.at += usize::from(sign == b'+' || sign == b'-');
        sign == b'-'
    }

    /// Infinity or NaN, if the text is nothing else.
    fn word(&self) -> Option<Scanned> {
        let rest = &self.text[self.at..];
        let words: [(&[u8], What, bool); 4] = [
            (b"Infinity", What::Infinity, false),
            (b"+Infinity", What::Infinity, false),
            (b"-Infinity", What::Infinity, true),
            (b"NaN", What::Nan, false),
        ];
        let (word, what, is_negative) = words.into_iter().find(|(word, ..)| rest.starts_with(word))?;
        let is_all = rest[word.len()..].iter().all(|byte| is_space(*byte));
        is_all.then_some(Scanned { is_negative, what })
    }

    /// Digits, between which single underscores may stand, and behind the last one if it `may_trail`. How many digits there
    /// were, and whether an underscore stands where none may.
    fn digits(&mut self, may_trail: bool, mut each: impl FnMut(u8)) -> (usize, bool) {
        let mut count = 0;
        loop {
            let byte = self.peek(0);
            if byte.is_ascii_digit() {
                each(byte);
                count += 1;
            } else if byte == b'_' {
                let next = self.peek(1);
                let is_trailing = may_trail && (is_space(next) || self.at + 1 == self.text.len());
                if count == 0 || !next.is_ascii_digit() && !is_trailing {
                    return (count, true);
                }
            } else {
                return (count, false);
            }
            self.at += 1;
        }
    }

    /// The exponent, 0 if none follows, and whether it is written as one.
    fn exponent(&mut self) -> (i128, bool) {
        if !matches!(self.peek(0), b'e' | b'E' | b'd' | b'D') {
            return (0, true);
        }
        self.at += 1;
        let is_negative = self.sign();
        let mut exponent = 0_i128;
        // What is larger than this is beyond all numbers, however many digits they have.
        let add = |digit: u8| exponent = (exponent * 10 + i128::from(digit - b'0')).min(1 << 96);
        let (count, is_broken) = self.digits(false, add);
        (if is_negative { -exponent } else { exponent }, count > 0 && !is_broken)
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}

/// The number at the beginning of a text, behind white space, and whether the text is nothing else.
fn scan(text: &[u8]) -> (Scanned, bool) {
    let mut scanner = Scanner { text, at: text.iter().take_while(|byte| is_space(**byte)).count() };
    if let Some(word) = scanner.word() {
        return (word, true);
    }
    // The mark was for room that a number keeps, and means nothing any more.
    scanner.at += usize::from(scanner.peek(0) == b'#');
    let mut is_negative = scanner.sign();
    let mut digits = Vec::with_capacity(text.len() - scanner.at);
    let (whole, mut is_broken) = scanner.digits(true, |digit| digits.push(digit));
    is_negative &= whole > 0 || !is_broken;
    let mut fraction = 0;
    if !is_broken && scanner.peek(0) == b'.' {
        scanner.at += 1;
        (fraction, is_broken) = scanner.digits(false, |digit| digits.push(digit));
    }
    let (exponent, is_exponent) = if is_broken { (0, false) } else { scanner.exponent() };
    let is_all = is_exponent && whole + fraction > 0 && scanner.is_at_end();
    (Scanned { is_negative, what: What::Digits(Digits { digits, fraction, exponent }) }, is_all)
}

/// The number that a text is; `None` for one that is none.
pub(super) fn strict(text: &[u8]) -> Option<Scanned> {
    let (scanned, is_all) = scan(text);
    is_all.then_some(scanned)
}

/// As far as the text is a number, which may be not at all.
pub(super) fn loose(text: &[u8]) -> Scanned {
    scan(text).0
}

/// Makes the number that was read.
pub(super) fn number(ec: &mut Ec, scanned: Scanned) -> Result<Number> {
    let is_negative = scanned.is_negative;
    let Digits { digits, fraction, exponent } = match scanned.what {
        What::Nan => return nan(ec),
        What::Infinity => return infinity(ec, is_negative),
        What::Digits(digits) => digits,
    };
    let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
    let whole = Whole::from_digits(ec, &digits[zeros..])?;
    if whole.is_zero() {
        return Ok(Number::zero(is_negative));
    }
    let point = exponent + (digits.len() - fraction).saturating_sub(zeros) as i128;
    if point < MIN_POINT {
        return Ok(Number::zero(is_negative));
    }
    if point > MAX_POINT {
        raise_if(ec, EXCEPTION_INFINITY, "exponent overflow")?;
        return infinity(ec, is_negative);
    }
    Number::of(ec, whole.signed(is_negative), exponent - fraction as i128)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The digits that a text begins with, how many of them are behind the point, and the exponent.
    fn read(text: &str) -> (String, usize, i128) {
        match loose(text.as_bytes()).what {
            What::Digits(read) => (String::from_utf8(read.digits).unwrap_or_default(), read.fraction, read.exponent),
            _ => ("no digits".to_owned(), 0, 0),
        }
    }

    #[test]
    fn a_number_ends_where_it_goes_on_no_more() {
        assert_eq!(read(" 1_000.5x"), ("10005".to_owned(), 1, 0));
        assert_eq!(read("1__0"), ("1".to_owned(), 0, 0));
        assert_eq!(read("1_.5"), ("1".to_owned(), 0, 0));
        assert_eq!(read("1."), ("1".to_owned(), 0, 0));
        assert_eq!(read("1e"), ("1".to_owned(), 0, 0));
        assert_eq!(read("1e+5_0"), ("1".to_owned(), 0, 50));
        assert_eq!(read(".5_e1"), ("5".to_owned(), 1, 0));
        assert_eq!(read("e5"), (String::new(), 0, 5));
        assert_eq!(read("Infinity!"), (String::new(), 0, 0));
    }

    #[test]
    fn a_strict_text_holds_nothing_else() {
        for text in ["1.5 ", "\t-Infinity\n", "NaN", "1d-3", "1.", "1_", "1_1_ ", "0.E-9", "#5"] {
            assert!(strict(text.as_bytes()).is_some(), "{text}");
        }
        for text in ["+NaN", "1 2", "", "0x1", "_1", "1__1", "1_.5", "1.5_", "1e", "1.e", ".", "1e5_"] {
            assert!(strict(text.as_bytes()).is_none(), "{text}");
        }
    }
}
