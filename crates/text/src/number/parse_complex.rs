//! Text to complex numbers: `String#to_c` and `Kernel#Complex`.
//!
//! The forms are `a`, `bi`, `a+bi` and `r@t`. Each part is an integer, a float (it has a point or an exponent) or a ratio
//! (it has a slash). Where the text goes wrong, the lenient form keeps what it had by then.

use super::exact::Ratio;
use super::large::Ask;
use super::parse_float::{decimal_value as float_value, exponent_len};
use super::parse_integer::digits_value_asking;
use super::parse_rational::{Decimal, RatioError};
use super::{Int, digits_len, is_space, skip_spaces};

/// One part of a complex number.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    Integer(Int),
    Float(f64),
    Ratio(Ratio),
}

impl Part {
    const ZERO: Part = Part::Integer(Int::ZERO);
}

/// A complex number as it was written.
#[derive(Clone, Debug, PartialEq)]
pub enum Complex {
    Rectangular(Part, Part),
    /// Radius and angle. When either is zero the result is the radius and an imaginary part of 0.0.
    Polar(Part, Part),
}

/// Why there is no complex number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComplexError {
    /// `invalid value for convert(): INSPECT`; only of the strict form.
    Invalid,
    /// `string contains null byte`; only of the strict form.
    NullByte,
    /// ZeroDivisionError, `divided by 0`.
    ZeroDivision,
    /// FloatDomainError, `Infinity`.
    Infinite,
    /// Somebody asked to.
    GivenUp,
}

impl From<RatioError> for ComplexError {
    fn from(error: RatioError) -> ComplexError {
        match error {
            RatioError::Invalid => ComplexError::Invalid,
            RatioError::ZeroDivision => ComplexError::ZeroDivision,
            RatioError::Infinite => ComplexError::Infinite,
            RatioError::GivenUp => ComplexError::GivenUp,
        }
    }
}

/// `String#to_c`: the number at the front, or zero.
pub fn to_c(text: &[u8], ask: Ask<'_>) -> Result<Complex, ComplexError> {
    let mut cursor = Cursor { rest: skip_spaces(text), complete: true, ask };
    cursor.complex()
}

/// `Complex(text)`: the whole text must be one number.
pub fn parse_strict(text: &[u8], ask: Ask<'_>) -> Result<Complex, ComplexError> {
    if text.contains(&0) {
        return Err(ComplexError::NullByte);
    }
    let mut cursor = Cursor { rest: skip_spaces(text), complete: true, ask };
    let complex = cursor.complex()?;
    let ended = cursor.rest.iter().all(|b| is_space(*b));
    if cursor.complete && ended { Ok(complex) } else { Err(ComplexError::Invalid) }
}

/// Reads forward through the text. `complete` turns false when something that began a form did not finish it.
struct Cursor<'a> {
    rest: &'a [u8],
    complete: bool,
    ask: Ask<'a>,
}

impl Cursor<'_> {
    fn complex(&mut self) -> Result<Complex, ComplexError> {
        let negative = self.sign().unwrap_or(false);
        if self.take_unit() {
            return Ok(imaginary(one(negative)));
        }
        let first = self.part(negative)?;
        if !self.complete {
            return Ok(real(first));
        }
        if self.take_unit() {
            return Ok(imaginary(first));
        }
        match self.rest.first() {
            Some(b'@') => self.polar(first),
            Some(b'+' | b'-') => self.rectangular(first),
            _ => Ok(real(first)),
        }
    }

    fn polar(&mut self, radius: Part) -> Result<Complex, ComplexError> {
        self.rest = &self.rest[1..];
        let negative = self.sign().unwrap_or(false);
        let angle = self.part(negative)?;
        Ok(if self.complete { Complex::Polar(radius, angle) } else { real(radius) })
    }

    fn rectangular(&mut self, first: Part) -> Result<Complex, ComplexError> {
        let negative = self.sign().unwrap_or(false);
        if self.take_unit() {
            return Ok(Complex::Rectangular(first, one(negative)));
        }
        let second = self.part(negative)?;
        self.complete &= self.take_unit();
        Ok(if self.complete { Complex::Rectangular(first, second) } else { real(first) })
    }

    fn sign(&mut self) -> Option<bool> {
        let negative = match self.rest.first()? {
            b'-' => true,
            b'+' => false,
            _ => return None,
        };
        self.rest = &self.rest[1..];
        Some(negative)
    }

    fn take_unit(&mut self) -> bool {
        let found = matches!(self.rest, [b'i' | b'I' | b'j' | b'J', ..]);
        self.rest = &self.rest[usize::from(found)..];
        found
    }

    /// One number. Where it breaks off, `complete` is cleared and the value is that of the sound beginning.
    fn part(&mut self, negative: bool) -> Result<Part, ComplexError> {
        let text = self.rest;
        let whole = digits_len(text);
        let mut end = whole;
        if text.get(whole) == Some(&b'.') {
            match digits_len(&text[whole + 1..]) {
                0 => self.complete = false,
                fraction => end = whole + 1 + fraction,
            }
        }
        if end == 0 {
            self.complete = false;
            return Ok(Part::ZERO);
        }
        let exponent = exponent_len(&text[end..], b'e');
        if matches!(text.get(end), Some(b'e' | b'E')) && exponent == 0 {
            self.complete = false;
        }
        self.rest = &text[end + exponent..];
        let ask = self.ask;
        match self.denominator() {
            Some(digits) => ratio(text, whole, end, digits, negative, ask),
            None if end + exponent == whole => {
                integer(&text[..whole], negative, ask).map(Part::Integer).ok_or(ComplexError::GivenUp)
            }
            None => Ok(Part::Float(float(&text[..end + exponent], negative))),
        }
    }

    /// The digits behind a slash, which are all a denominator may have.
    fn denominator(&mut self) -> Option<&[u8]> {
        if !self.complete || self.rest.first() != Some(&b'/') {
            return None;
        }
        let text = self.rest;
        let len = digits_len(&text[1..]);
        self.complete = len > 0;
        if len > 0 {
            self.rest = &text[1 + len..];
        }
        (len > 0).then(|| &text[1..=len])
    }
}

fn ratio(
    text: &[u8],
    whole: usize,
    end: usize,
    digits: &[u8],
    negative: bool,
    ask: Ask<'_>,
) -> Result<Part, ComplexError> {
    let (mut number, _) = Decimal::with_exponent(text, whole, end);
    number.divide_by_digits(digits);
    if negative {
        number.negate();
    }
    Ok(Part::Ratio(number.ratio(ask)?))
}

fn integer(digits: &[u8], negative: bool, ask: Ask<'_>) -> Option<Int> {
    let value = digits_value_asking(digits, 10, ask)?.into_big();
    Some(Int::from(if negative { -value } else { value }))
}

fn float(text: &[u8], negative: bool) -> f64 {
    let value = float_value(text);
    if negative { -value } else { value }
}

fn one(negative: bool) -> Part {
    Part::Integer(Int::Small(if negative { -1 } else { 1 }))
}

fn real(part: Part) -> Complex {
    Complex::Rectangular(part, Part::ZERO)
}

fn imaginary(part: Part) -> Complex {
    Complex::Rectangular(Part::ZERO, part)
}
