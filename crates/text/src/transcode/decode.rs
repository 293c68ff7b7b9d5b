//! Reading one character of the source.

use super::asian;
use crate::encoding::{self, Char, EncodingIndex as E, Kind, char_len};
use crate::pages;

/// What stands at the start of some bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Decoded {
    Char(char, usize),
    /// Bytes that say how to read on: a byte order mark, an escape sequence.
    Skip(usize),
    /// A character of that many bytes that Unicode does not have.
    Undefined(usize),
    /// Bytes that are wrong, and how many after them told so.
    Invalid(usize, usize),
    /// The bytes break off inside a character.
    Incomplete,
}

/// The character at the start of `bytes`, which are not empty.
pub(super) fn decode(encoding: E, bytes: &[u8]) -> Decoded {
    match encoding {
        E::BINARY => single((bytes[0] < 0x80).then_some(bytes[0] as char)),
        E::IBM037 => Decoded::Char(pages::IBM037[bytes[0] as usize] as char, 1),
        E::ISO_8859_1 => Decoded::Char(bytes[0] as char, 1),
        _ => match pages::of(encoding) {
            Some(page) => single(pages::decode(page, bytes[0])),
            None => decode_structured(encoding, bytes),
        },
    }
}

fn single(c: Option<char>) -> Decoded {
    c.map_or(Decoded::Undefined(1), |c| Decoded::Char(c, 1))
}

fn decode_structured(encoding: E, bytes: &[u8]) -> Decoded {
    if encoding == E::STATELESS_ISO_2022_JP_KDDI && bytes[0] >= 0x80 {
        return asian::decode_stateless_kddi(bytes);
    }
    let is_big5 = encoding.kind() == Kind::Big5;
    if is_big5 && let [0x81..=0xFE, 0x40..=0x7E | 0xA1..=0xFE, ..] = bytes {
        // What comes before the first row of Big5 may be a variant's.
        return decode_valid(encoding, &bytes[..2]).map_or(Decoded::Undefined(2), |c| Decoded::Char(c, 2));
    }
    match char_len(encoding, bytes) {
        // What these take for a character their tables call a mistake.
        Char::Valid(_) if matches!((encoding, bytes[0]), (E::CP949, 0x80) | (E::CP51932, 0x8F)) => {
            Decoded::Invalid(1, 0)
        }
        Char::Valid(len) => match decode_valid(encoding, &bytes[..len as usize]) {
            Some(c) => Decoded::Char(c, len as usize),
            None => Decoded::Undefined(len as usize),
        },
        Char::NeedMore(_) => Decoded::Incomplete,
        Char::Invalid if is_big5 => asian::invalid_big5(bytes),
        Char::Invalid => invalid(encoding, bytes),
    }
}

fn decode_valid(encoding: E, bytes: &[u8]) -> Option<char> {
    if let [byte @ ..0x80] = bytes {
        return Some(*byte as char);
    }
    if encoding == E::STATELESS_ISO_2022_JP {
        return if let [0x92, jis @ ..] = bytes { asian::decode(E::EUC_JP, jis) } else { None };
    }
    if encoding.is_unicode() {
        return encoding::codepoint(encoding, bytes).and_then(|(code, _)| char::from_u32(code));
    }
    asian::decode(encoding, bytes)
}

fn invalid(encoding: E, bytes: &[u8]) -> Decoded {
    match encoding.kind() {
        Kind::Utf16Be => invalid_utf16(bytes, 0),
        Kind::Utf16Le => invalid_utf16(bytes, 1),
        Kind::Utf32Be | Kind::Utf32Le => Decoded::Invalid(4, 0),
        _ => {
            // The byte that does not continue the character is read again, unless it is the first.
            let begins = |len: &usize| matches!(char_len(encoding, &bytes[..*len]), Char::NeedMore(_));
            let good = (1..bytes.len()).take_while(begins).count();
            if good == 0 { Decoded::Invalid(1, 0) } else { Decoded::Invalid(good, 1) }
        }
    }
}

/// Big-endian text shows at its first byte that a low surrogate is missing, little-endian text at the second.
fn invalid_utf16(bytes: &[u8], high: usize) -> Decoded {
    if matches!(bytes[high], 0xDC..=0xDF) { Decoded::Invalid(2, 0) } else { Decoded::Invalid(2, high + 1) }
}
