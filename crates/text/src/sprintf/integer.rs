//! `%d`, `%o`, `%x`, `%b` and their kin.
//!
//! A negative number without an explicit sign is shown in two's complement with infinitely many leading digits, of which
//! one is printed behind `..`: -255 is `..f01`.

use super::Spec;
use crate::number::Int;
use crate::number::decimal::{DecimalBuffer, push_i64_radix};

/// How many digits a number has at most, in whatever base.
pub(super) fn most_digits(n: &Int) -> usize {
    match n {
        Int::Small(_) => 64,
        Int::Big(big) => big.bits() as usize,
    }
}

/// Appends `n` as the directive letter `conversion` (one of `diuoxXbB`) prints it.
pub fn push(out: &mut Vec<u8>, spec: &Spec, conversion: u8, n: &Int) {
    if let (Int::Small(small), b'd' | b'i' | b'u') = (n, conversion)
        && *spec == Spec::default()
    {
        return out.extend_from_slice(DecimalBuffer::new().format(*small));
    }
    let style = Style::of(conversion);
    let signed = style.radix == 10 || spec.plus || spec.space;
    let mut digits = if !signed && n.is_negative() { complement(n, style.radix) } else { magnitude(n, style.radix) };
    if conversion == b'X' {
        digits.make_ascii_uppercase();
    }
    Layout::new(spec, &style, digits, signed, n.is_negative()).push(out);
}

struct Style {
    radix: u32,
    /// What `#` puts in front.
    prefix: &'static [u8],
    /// The digit that a negative number has infinitely many of.
    sign_digit: u8,
}

impl Style {
    fn of(conversion: u8) -> Style {
        let (radix, prefix, sign_digit): (u32, &'static [u8], u8) = match conversion {
            b'o' => (8, b"0", b'7'),
            b'x' => (16, b"0x", b'f'),
            b'X' => (16, b"0X", b'F'),
            b'b' => (2, b"0b", b'1'),
            b'B' => (2, b"0B", b'1'),
            _ => (10, b"", b'9'),
        };
        Style { radix, prefix, sign_digit }
    }
}

fn magnitude(n: &Int, radix: u32) -> Vec<u8> {
    match n {
        Int::Small(n) => unsigned_digits(n.unsigned_abs(), radix),
        Int::Big(n) => n.magnitude().to_str_radix(radix).into_bytes(),
    }
}

fn unsigned_digits(n: u64, radix: u32) -> Vec<u8> {
    let mut digits = Vec::with_capacity(24);
    match i64::try_from(n) {
        Ok(n) => push_i64_radix(&mut digits, n, radix),
        // Only the magnitude of i64::MIN and big complements come here.
        Err(_) => digits = num_bigint::BigUint::from(n).to_str_radix(radix).into_bytes(),
    }
    digits
}

/// The digits of a negative number in two's complement behind one sign digit.
///
/// `!n` is `|n| - 1`; complementing its digits one by one yields those of `n` without any redundant sign digit.
fn complement(n: &Int, radix: u32) -> Vec<u8> {
    let inverted = match n {
        Int::Small(n) => unsigned_digits(!*n as u64, radix),
        Int::Big(n) => (!n).to_str_radix(radix).into_bytes(),
    };
    let sign_digit = radix - 1;
    let mut digits = vec![sign_digit];
    if inverted != b"0" {
        digits.extend(inverted.iter().filter_map(|d| char::from(*d).to_digit(radix)).map(|d| sign_digit - d));
    }
    digits.iter().filter_map(|d| char::from_digit(*d, radix)).map(|c| c as u8).collect()
}

/// The parts of a printed integer, in this order: spaces, sign, prefix, dots, fill, digits, spaces.
struct Layout<'a> {
    spec: &'a Spec,
    sign: Option<u8>,
    prefix: &'static [u8],
    is_complement: bool,
    fill: u8,
    digits: Vec<u8>,
    /// At least this many digits, fill included.
    precision: usize,
    /// Spaces around everything else.
    padding: usize,
}

impl<'a> Layout<'a> {
    fn new(spec: &'a Spec, style: &Style, digits: Vec<u8>, signed: bool, negative: bool) -> Layout<'a> {
        let is_complement = negative && !signed;
        let sign = match () {
            () if negative && signed => Some(b'-'),
            () if spec.plus && signed => Some(b'+'),
            () if spec.space && signed => Some(b' '),
            () => None,
        };
        let fill = if is_complement { style.sign_digit } else { b'0' };
        let prefix = if spec.sharp { style.prefix } else { b"" };
        let mut layout = Layout { spec, sign, prefix, is_complement, fill, digits, precision: 0, padding: 0 };
        layout.drop_redundant_prefix();
        layout.distribute_width();
        layout
    }

    fn is_zero(&self) -> bool {
        self.digits == b"0"
    }

    /// Two dots are there in addition, but count as digits for the precision.
    fn wanted_digits(&self) -> Option<usize> {
        self.spec.precision.map(|precision| precision.saturating_sub(if self.is_complement { 2 } else { 0 }))
    }

    /// Zero needs no prefix, and octal none where a zero leads anyway.
    fn drop_redundant_prefix(&mut self) {
        if self.prefix != b"0" {
            if self.is_zero() {
                self.prefix = b"";
            }
        } else if self.is_complement {
            self.prefix = b"";
        } else if self.is_zero() {
            // The prefix is the digit.
            self.digits.clear();
        } else if self.spec.precision > Some(self.digits.len()) {
            self.prefix = b"";
        }
    }

    fn distribute_width(&mut self) {
        let around = usize::from(self.sign.is_some()) + self.prefix.len() + if self.is_complement { 2 } else { 0 };
        let width = self.spec.width.unwrap_or(0).saturating_sub(around);
        if self.spec.zero && !self.spec.minus && self.spec.precision.is_none() {
            self.precision = width;
            return;
        }
        // A precision of zero prints zero as nothing.
        if self.spec.precision == Some(0) && self.prefix.is_empty() && self.is_zero() {
            self.digits.clear();
        }
        let octal_zero = usize::from(self.prefix == b"0" && self.digits.is_empty());
        let wanted = self.wanted_digits().unwrap_or(0).saturating_sub(octal_zero);
        self.precision = wanted.max(self.digits.len());
        self.padding = width.saturating_sub(self.precision);
    }

    fn push(&self, out: &mut Vec<u8>) {
        if !self.spec.minus {
            out.resize(out.len() + self.padding, b' ');
        }
        out.extend(self.sign);
        out.extend_from_slice(self.prefix);
        if self.is_complement {
            out.extend_from_slice(b"..");
        }
        out.resize(out.len() + self.precision.saturating_sub(self.digits.len()), self.fill);
        out.extend_from_slice(&self.digits);
        if self.spec.minus {
            out.resize(out.len() + self.padding, b' ');
        }
    }
}
