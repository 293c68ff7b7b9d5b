//! Writing tokens.

use super::{is_special, plain_prefix};
use crate::number::decimal::push_i64;
use crate::number::float_text::{ShortestDigits, push_below_one, push_large, push_pointed};

/// What is escaped besides what has to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Escaping {
    /// Everything that is not ASCII.
    pub ascii_only: bool,
    /// What ends a script or a line of one: `/`, U+2028 and U+2029.
    pub script_safe: bool,
}

/// Appends text, which is valid UTF-8, in quotes.
pub fn push_string(text: &[u8], escaping: Escaping, out: &mut Vec<u8>) {
    out.push(b'"');
    let mut rest = text;
    loop {
        let plain = if escaping == Escaping::default() { plain_prefix(rest) } else { escaping.plain_prefix(rest) };
        append(&rest[..plain], out);
        rest = &rest[plain..];
        let Some(first) = rest.first() else { break };
        let length = if first.is_ascii() { push_escaped(*first, out) } else { escaping.push_char(rest, out) };
        rest = &rest[length..];
    }
    out.push(b'"');
}

/// Appends a text word by word if it is short, as names are: cheaper than a call.
fn append(text: &[u8], out: &mut Vec<u8>) {
    const FEW_WORDS: usize = 4;
    let (words, rest) = text.as_chunks::<8>();
    if words.len() > FEW_WORDS {
        return out.extend_from_slice(text);
    }
    out.reserve(text.len());
    words.iter().for_each(|word| out.extend_from_slice(word));
    let (halves, rest) = rest.as_chunks::<4>();
    halves.iter().for_each(|half| out.extend_from_slice(half));
    rest.iter().for_each(|byte| out.push(*byte));
}

impl Escaping {
    fn plain_prefix(self, text: &[u8]) -> usize {
        let is_plain = |byte: u8| match byte {
            b'/' => !self.script_safe,
            // The first byte of U+2028 and U+2029.
            0xe2 => !self.ascii_only && !self.script_safe,
            0x80.. => !self.ascii_only,
            _ => !is_special(byte),
        };
        text.iter().position(|b| !is_plain(*b)).unwrap_or(text.len())
    }

    /// Appends the first character, which is not ASCII; how many bytes it has.
    fn push_char(self, text: &[u8], out: &mut Vec<u8>) -> usize {
        let length = match text[0] {
            0xf0.. => 4,
            0xe0.. => 3,
            _ => 2,
        };
        let bytes = &text[..length.min(text.len())];
        let c = std::str::from_utf8(bytes).ok().and_then(|text| text.chars().next());
        let ends_line = matches!(c, Some('\u{2028}' | '\u{2029}'));
        match c {
            Some(c) if self.ascii_only || self.script_safe && ends_line => {
                c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| push_unit(*unit, out));
            }
            _ => out.extend_from_slice(bytes),
        }
        bytes.len()
    }
}

/// Appends the escape of an ASCII character; its length, which is one.
fn push_escaped(byte: u8, out: &mut Vec<u8>) -> usize {
    let letter = match byte {
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        8 => b'b',
        12 => b'f',
        0..0x20 => {
            push_unit(byte.into(), out);
            return 1;
        }
        _ => byte,
    };
    out.extend([b'\\', letter]);
    1
}

fn push_unit(unit: u16, out: &mut Vec<u8>) {
    out.extend(b"\\u");
    out.extend([12, 8, 4, 0].map(|shift| b"0123456789abcdef"[usize::from(unit >> shift & 15)]));
}

/// Where a float's point may be for it to be written without an exponent; one with digits on both sides of it always is.
const FIXED_POINT: std::ops::RangeInclusive<i32> = -8..=15;

/// Appends a finite float, as json lays it out: `1e+15` where Ruby says `1.0e+15`, and up to nine zeros behind the point.
pub fn push_float(out: &mut Vec<u8>, f: f64) {
    if f.is_sign_negative() {
        out.push(b'-');
    }
    if f == 0.0 {
        return out.extend(b"0.0");
    }
    let shortest = ShortestDigits::of(f);
    let has_fraction = shortest.point > 0 && shortest.digits().len() > shortest.point as usize;
    match shortest.point {
        point if !has_fraction && !FIXED_POINT.contains(&point) => {
            push_with_exponent(out, shortest.digits(), point - 1)
        }
        point @ 1.. => push_large(out, shortest.digits(), point as usize),
        point => push_below_one(out, shortest.digits(), point),
    }
}

fn push_with_exponent(out: &mut Vec<u8>, digits: &[u8], exponent: i32) {
    push_pointed(out, &digits[..1], &digits[1..]);
    out.extend(if exponent < 0 { b"e-" } else { b"e+" });
    push_i64(out, exponent.unsigned_abs().into());
}
