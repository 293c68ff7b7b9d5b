//! Code points: the number of a character in its own encoding, and back.
//!
//! In the Unicode encodings it is the Unicode scalar value, in every other one the character's bytes read as a
//! big-endian number.
//!
//! # References
//! CRuby `rb_enc_codepoint_len`, `rb_enc_uint_chr`.

use super::{Char, EncodingIndex, Kind, char_len};

/// Why a number is no character of an encoding (`Integer#chr`, `String#<<`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodepointError {
    /// "invalid codepoint 0x%X in %s"
    Invalid,
    /// "%u out of char range"
    OutOfRange,
}

impl CodepointError {
    /// The message of the `RangeError`.
    pub fn message(self, code: u32, encoding: EncodingIndex) -> String {
        match self {
            CodepointError::Invalid => format!("invalid codepoint 0x{code:X} in {}", encoding.name()),
            CodepointError::OutOfRange => format!("{code} out of char range"),
        }
    }
}

/// The code point of the character at the start of `bytes` and its length, or `None` where no valid character starts.
#[inline]
pub fn codepoint(encoding: EncodingIndex, bytes: &[u8]) -> Option<(u32, usize)> {
    let Char::Valid(len) = char_len(encoding, bytes) else { return None };
    let len = len as usize;
    Some((decode(encoding.kind(), &bytes[..len]), len))
}

/// The code point of exactly one valid character.
fn decode(kind: Kind, bytes: &[u8]) -> u32 {
    match kind {
        Kind::Utf8 => decode_utf8(bytes),
        Kind::Utf16Be => decode_utf16(bytes, u16::from_be_bytes),
        Kind::Utf16Le => decode_utf16(bytes, u16::from_le_bytes),
        Kind::Utf32Le => bytes.iter().rev().fold(0, |code, &byte| code << 8 | u32::from(byte)),
        Kind::Cesu8 if bytes.len() == 6 => from_surrogates(decode_utf8(&bytes[..3]), decode_utf8(&bytes[3..])),
        Kind::Cesu8 => decode_utf8(bytes),
        _ => bytes.iter().fold(0, |code, &byte| code << 8 | u32::from(byte)),
    }
}

/// Also decodes a lone surrogate's three bytes, which CESU-8 is made of.
fn decode_utf8(bytes: &[u8]) -> u32 {
    let first = match bytes.len() {
        1 => return u32::from(bytes[0]),
        len => u32::from(bytes[0]) & (0x7F >> len),
    };
    bytes[1..].iter().fold(first, |code, &byte| code << 6 | u32::from(byte & 0x3F))
}

fn decode_utf16(bytes: &[u8], read: fn([u8; 2]) -> u16) -> u32 {
    let unit = |at: usize| u32::from(read([bytes[at], bytes[at + 1]]));
    if bytes.len() == 4 { from_surrogates(unit(0), unit(2)) } else { unit(0) }
}

fn from_surrogates(high: u32, low: u32) -> u32 {
    0x10000 + ((high & 0x3FF) << 10 | low & 0x3FF)
}

/// Appends the character with that code point; on success, its length.
pub fn encode_codepoint(encoding: EncodingIndex, code: u32, out: &mut Vec<u8>) -> Result<usize, CodepointError> {
    let start = out.len();
    if encoding.is_unicode() {
        let c = char::from_u32(code).ok_or_else(|| unicode_error(encoding, code))?;
        encode_unicode(encoding.kind(), c, out);
    } else {
        encode_bytes(encoding, code, out)?;
    }
    Ok(out.len() - start)
}

/// The UTF-16 and UTF-32 family has no "out of range", and neither have the two numbers Oniguruma keeps for itself.
fn unicode_error(encoding: EncodingIndex, code: u32) -> CodepointError {
    let is_too_big = encoding.min_len() == 1 && (0x110000..0xFFFF_FFFE).contains(&code);
    if is_too_big { CodepointError::OutOfRange } else { CodepointError::Invalid }
}

fn encode_unicode(kind: Kind, c: char, out: &mut Vec<u8>) {
    let mut units = [0; 2];
    match kind {
        Kind::Utf16Be => c.encode_utf16(&mut units).iter().for_each(|unit| out.extend(unit.to_be_bytes())),
        Kind::Utf16Le => c.encode_utf16(&mut units).iter().for_each(|unit| out.extend(unit.to_le_bytes())),
        Kind::Utf32Be => out.extend((c as u32).to_be_bytes()),
        Kind::Utf32Le => out.extend((c as u32).to_le_bytes()),
        Kind::Cesu8 if c as u32 > 0xFFFF => {
            c.encode_utf16(&mut units).iter().for_each(|&unit| push_surrogate(unit, out))
        }
        _ => out.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}

fn push_surrogate(unit: u16, out: &mut Vec<u8>) {
    out.extend([0xE0 | (unit >> 12) as u8, 0x80 | (unit >> 6 & 0x3F) as u8, 0x80 | (unit & 0x3F) as u8]);
}

/// The big-endian bytes of `code`, if they are one valid character.
fn encode_bytes(encoding: EncodingIndex, code: u32, out: &mut Vec<u8>) -> Result<(), CodepointError> {
    let all = code.to_be_bytes();
    let used = (4 - code.leading_zeros() as usize / 8).max(1);
    if used > encoding.max_len() {
        return Err(CodepointError::OutOfRange);
    }
    let bytes = &all[4 - used..];
    if char_len(encoding, bytes) != Char::Valid(used as u8) {
        return Err(CodepointError::Invalid);
    }
    out.extend(bytes);
    Ok(())
}
