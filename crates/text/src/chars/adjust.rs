//! Moving a byte offset to the start of a character.
//!
//! UTF-8 and the fixed-width units find it by looking back. In the Asian encodings a byte alone does not tell whether it
//! starts a character, but a byte below 0x30 always is one (GB18030's digits are trails), so the walk starts after the
//! last of those.

use crate::encoding::{Kind, mbclen};
use crate::text::Text;

/// The start of the character that the byte at `at` belongs to.
pub fn left_adjust(text: Text<'_>, at: usize) -> usize {
    if at >= text.bytes.len() || text.is_single_byte() {
        return at;
    }
    match text.encoding.kind() {
        Kind::Utf8 => left_adjust_utf8(text.bytes, at),
        Kind::Utf16Be => left_adjust_utf16(text.bytes, at, 0),
        Kind::Utf16Le => left_adjust_utf16(text.bytes, at, 1),
        Kind::Utf32Be | Kind::Utf32Le => at & !3,
        _ => left_adjust_by_walking(text, at),
    }
}

/// The start of the first character at or after `at`.
pub fn right_adjust(text: Text<'_>, at: usize) -> usize {
    let left = left_adjust(text, at);
    if left == at { at } else { left + text.step(left) }
}

/// Whether a character starts at `at`; the end of the string counts as one.
pub fn is_boundary(text: Text<'_>, at: usize) -> bool {
    left_adjust(text, at) == at
}

fn left_adjust_utf8(bytes: &[u8], at: usize) -> usize {
    bytes[..=at].iter().rposition(|&byte| byte & 0xC0 != 0x80).unwrap_or(0)
}

fn left_adjust_utf16(bytes: &[u8], at: usize, high: usize) -> usize {
    let unit = at & !1;
    let is =
        |unit: usize, range: std::ops::RangeInclusive<u8>| bytes.get(unit + high).is_some_and(|b| range.contains(b));
    if unit >= 2 && is(unit, 0xDC..=0xDF) && is(unit - 2, 0xD8..=0xDB) { unit - 2 } else { unit }
}

fn left_adjust_by_walking(text: Text<'_>, at: usize) -> usize {
    let mut start = text.bytes[..at].iter().rposition(|&byte| byte < 0x30).map_or(0, |sync| sync + 1);
    loop {
        let next = start + mbclen(text.encoding, &text.bytes[start..]);
        if next > at {
            return start;
        }
        start = next;
    }
}
