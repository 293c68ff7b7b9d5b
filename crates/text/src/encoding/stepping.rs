//! The length of the character at the start of some bytes, for each kind of encoding.
//!
//! Bytes that break off inside a character are [`Char::NeedMore`]: a stream waits for the rest, everything else treats
//! them as invalid.
//!
//! # References
//! CRuby `rb_enc_precise_mbclen`, `rb_enc_mbclen`.

use super::{EncodingIndex, Kind};

/// What stands at the start of some bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Char {
    /// A character of that many bytes.
    Valid(u8),
    /// No character starts this way.
    Invalid,
    /// The beginning of a character that lacks at least that many bytes.
    NeedMore(u8),
}

use Char::{Invalid, NeedMore, Valid};

/// The character at the start of `bytes`.
#[inline]
pub fn char_len(encoding: EncodingIndex, bytes: &[u8]) -> Char {
    match (encoding.kind(), bytes) {
        (_, []) => NeedMore(1),
        (Kind::SingleByte, _) => Valid(1),
        (Kind::UsAscii, [first, ..]) => ascii(*first),
        (Kind::Utf8, _) => utf8_char_len(bytes),
        (kind, _) => multi_byte(kind, bytes),
    }
}

/// The step from one character to the next over valid and invalid bytes alike; 0 only at the end.
#[inline]
pub fn mbclen(encoding: EncodingIndex, bytes: &[u8]) -> usize {
    match char_len(encoding, bytes) {
        Valid(len) => len as usize,
        _ => encoding.min_len().min(bytes.len()),
    }
}

#[inline]
fn ascii(byte: u8) -> Char {
    if byte < 0x80 { Valid(1) } else { Invalid }
}

/// UTF-8 without surrogates and overlong forms.
#[inline]
pub fn utf8_char_len(bytes: &[u8]) -> Char {
    let Some(&first) = bytes.first() else { return NeedMore(1) };
    match first {
        0..=0x7F => Valid(1),
        0xC2..=0xDF => sequence(bytes, 2, 0x80..=0xBF, is_utf8_trail),
        0xE0 => sequence(bytes, 3, 0xA0..=0xBF, is_utf8_trail),
        0xED => sequence(bytes, 3, 0x80..=0x9F, is_utf8_trail),
        0xE1..=0xEF => sequence(bytes, 3, 0x80..=0xBF, is_utf8_trail),
        0xF0 => sequence(bytes, 4, 0x90..=0xBF, is_utf8_trail),
        0xF1..=0xF3 => sequence(bytes, 4, 0x80..=0xBF, is_utf8_trail),
        0xF4 => sequence(bytes, 4, 0x80..=0x8F, is_utf8_trail),
        _ => Invalid,
    }
}

#[inline]
fn is_utf8_trail(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// A character of `len` bytes whose second byte is in `second` and whose others satisfy `rest`.
#[inline]
fn sequence(bytes: &[u8], len: usize, second: std::ops::RangeInclusive<u8>, rest: fn(u8) -> bool) -> Char {
    let present = &bytes[..len.min(bytes.len())];
    let fits = |at: usize, byte: u8| if at == 1 { second.contains(&byte) } else { rest(byte) };
    if !present.iter().enumerate().skip(1).all(|(at, &byte)| fits(at, byte)) {
        return Invalid;
    }
    if present.len() == len { Valid(len as u8) } else { NeedMore((len - present.len()) as u8) }
}

/// Two bytes, the second of which satisfies `is_trail`.
#[inline]
fn pair(bytes: &[u8], is_trail: impl Fn(u8) -> bool) -> Char {
    match bytes.get(1) {
        None => NeedMore(1),
        Some(&trail) if is_trail(trail) => Valid(2),
        Some(_) => Invalid,
    }
}

/// The kinds that are neither single-byte nor UTF-8; `bytes` is not empty.
fn multi_byte(kind: Kind, bytes: &[u8]) -> Char {
    match kind {
        Kind::Utf16Be => utf16(bytes, 0),
        Kind::Utf16Le => utf16(bytes, 1),
        Kind::Utf32Be => utf32(bytes, u32::from_be_bytes),
        Kind::Utf32Le => utf32(bytes, u32::from_le_bytes),
        Kind::Cesu8 => cesu8(bytes),
        _ if bytes[0] < 0x80 => Valid(1),
        Kind::EucJp => euc_jp(bytes),
        Kind::ShiftJis => shift_jis(bytes),
        Kind::Big5 => high_pair(bytes, |trail| matches!(trail, 0x40..=0x7E | 0xA1..=0xFE)),
        Kind::EucKr => high_pair(bytes, is_high),
        Kind::Gbk => wide_pair(bytes, is_gbk_trail),
        Kind::Cp949 => wide_pair(bytes, |trail| matches!(trail, 0x41..=0x5A | 0x61..=0x7A | 0x81..=0xFE)),
        Kind::Gb18030 => gb18030(bytes),
        Kind::EucTw => euc_tw(bytes),
        _ => emacs_mule(bytes),
    }
}

/// `high` is the place of the more significant byte in each unit.
fn utf16(bytes: &[u8], high: usize) -> Char {
    let is_low_surrogate = |unit: u8| matches!(unit, 0xDC..=0xDF);
    if bytes.len() < 2 {
        return NeedMore(1);
    }
    match bytes[high] {
        0xD8..=0xDB => match bytes.get(2 + high) {
            Some(&unit) if !is_low_surrogate(unit) => Invalid,
            _ if bytes.len() >= 4 => Valid(4),
            _ => NeedMore((4 - bytes.len()) as u8),
        },
        unit if is_low_surrogate(unit) => Invalid,
        _ => Valid(2),
    }
}

fn utf32(bytes: &[u8], read: fn([u8; 4]) -> u32) -> Char {
    let Some(unit) = bytes.first_chunk::<4>() else { return NeedMore((4 - bytes.len()) as u8) };
    if char::from_u32(read(*unit)).is_some() { Valid(4) } else { Invalid }
}

/// A high surrogate must be followed by a low one; each is three bytes.
fn cesu8(bytes: &[u8]) -> Char {
    match bytes[0] {
        0xED if bytes.get(1).is_some_and(|&second| second >= 0xA0) => surrogate_pair(bytes),
        0xF0..=0xFF => Invalid,
        _ => utf8_char_len(bytes),
    }
}

fn surrogate_pair(bytes: &[u8]) -> Char {
    let fits = |(at, &byte): (usize, &u8)| match at {
        0 | 3 => byte == 0xED,
        1 => matches!(byte, 0xA0..=0xAF),
        4 => matches!(byte, 0xB0..=0xBF),
        _ => is_utf8_trail(byte),
    };
    let present = &bytes[..bytes.len().min(6)];
    match present.len() {
        _ if !present.iter().enumerate().all(fits) => Invalid,
        6 => Valid(6),
        len => NeedMore((6 - len) as u8),
    }
}

fn is_high(byte: u8) -> bool {
    matches!(byte, 0xA1..=0xFE)
}

fn is_gbk_trail(byte: u8) -> bool {
    matches!(byte, 0x40..=0x7E | 0x80..=0xFE)
}

fn high_pair(bytes: &[u8], is_trail: impl Fn(u8) -> bool) -> Char {
    if is_high(bytes[0]) { pair(bytes, is_trail) } else { Invalid }
}

/// GBK and CP949 take the lone byte 80 for a character.
fn wide_pair(bytes: &[u8], is_trail: impl Fn(u8) -> bool) -> Char {
    match bytes[0] {
        0x80 => Valid(1),
        0xFF => Invalid,
        _ => pair(bytes, is_trail),
    }
}

fn euc_jp(bytes: &[u8]) -> Char {
    match bytes[0] {
        0x8E => pair(bytes, is_high),
        0x8F => sequence(bytes, 3, 0xA1..=0xFE, is_high),
        _ => high_pair(bytes, is_high),
    }
}

fn shift_jis(bytes: &[u8]) -> Char {
    match bytes[0] {
        0xA1..=0xDF => Valid(1),
        0x81..=0x9F | 0xE0..=0xFC => pair(bytes, |trail| matches!(trail, 0x40..=0x7E | 0x80..=0xFC)),
        _ => Invalid,
    }
}

fn gb18030(bytes: &[u8]) -> Char {
    match bytes {
        [0x80 | 0xFF, ..] => Invalid,
        [_, 0x30..=0x39, ..] => gb18030_four(bytes),
        _ => pair(bytes, is_gbk_trail),
    }
}

fn gb18030_four(bytes: &[u8]) -> Char {
    match bytes {
        [_, _] => NeedMore(2),
        [_, _, 0x81..=0xFE] => NeedMore(1),
        [_, _, 0x81..=0xFE, 0x30..=0x39, ..] => Valid(4),
        _ => Invalid,
    }
}

fn euc_tw(bytes: &[u8]) -> Char {
    match bytes[0] {
        0x8E => sequence(bytes, 4, 0xA1..=0xB0, is_high),
        _ => high_pair(bytes, is_high),
    }
}

fn emacs_mule(bytes: &[u8]) -> Char {
    let is_trail = |byte: u8| byte >= 0xA0;
    match bytes[0] {
        0x81..=0x8F => pair(bytes, is_trail),
        0x90..=0x99 => sequence(bytes, 3, 0xA0..=0xFF, is_trail),
        0x9A | 0x9B => sequence(bytes, 3, 0xE0..=0xEF, is_trail),
        0x9C => sequence(bytes, 4, 0xF0..=0xF4, is_trail),
        0x9D => sequence(bytes, 4, 0xF5..=0xFE, is_trail),
        _ => Invalid,
    }
}
