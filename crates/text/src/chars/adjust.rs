//! Moving a byte offset to the start of a character.
//!
//! UTF-8 and the fixed-width units find it by looking back. In the Asian encodings a byte alone does not tell whether it
//! starts a character. Those of one and two bytes go back over what can be part of one, and from there in pairs; in broken text
//! that finds what CRuby finds, which is not always where walking from the start comes by. The rest walks from the last byte
//! below 0x30, which always is a character (GB18030's digits are trails).
//!
//! # References
//! CRuby `left_adjust_char_head` in `enc/euc_jp.c`, `enc/shift_jis.h`, `enc/cp949.c`; `onigenc_mbclen`.

use crate::encoding::{Char, Kind, char_len, mbclen};
use crate::text::Text;

/// The start of the character that the byte at `at` belongs to. The end of the string is one, but within a unit.
pub fn left_adjust(text: Text<'_>, at: usize) -> usize {
    if at >= text.bytes.len() || text.is_single_byte() {
        return at - at % text.encoding.min_len();
    }
    match text.encoding.kind() {
        Kind::Utf8 => left_adjust_utf8(text.bytes, at),
        Kind::Utf16Be => left_adjust_utf16(text.bytes, at, 0),
        Kind::Utf16Le => left_adjust_utf16(text.bytes, at, 1),
        Kind::Utf32Be | Kind::Utf32Le => at & !3,
        Kind::EucJp => in_pairs(text, at, behind_high(text.bytes, at), precise_len),
        Kind::EucKr | Kind::EucTw => in_pairs(text, at, behind_high(text.bytes, at), whole_len),
        Kind::ShiftJis => {
            let is_lead = |byte: u8| matches!(byte, 0x81..=0x9F | 0xE0..=0xFC);
            let is_trail = |byte: u8| matches!(byte, 0x40..=0x7E | 0x80..=0xFC);
            in_pairs(text, at, behind_leads(text.bytes, at, is_lead, is_trail), precise_len)
        }
        Kind::Gbk | Kind::Cp949 => {
            let is_lead = |byte: u8| matches!(byte, 0x81..=0xFE);
            let is_trail = |byte: u8| matches!(byte, 0x40..=0x7E | 0x80..=0xFE);
            in_pairs(text, at, behind_leads(text.bytes, at, is_lead, is_trail), whole_len)
        }
        _ => left_adjust_by_walking(text, at),
    }
}

/// The start of the first character at or after `at`.
pub fn right_adjust(text: Text<'_>, at: usize) -> usize {
    let left = left_adjust(text, at);
    if left == at { at } else { left + whole_len(text, left).max(1) as usize }
}

/// Behind the character at `at`, which is before the end. Searches that found nothing but a place go on there: so it is
/// always further on, where no character begins, too.
pub fn behind_char(text: Text<'_>, at: usize) -> usize {
    at + whole_len(text, at).max(1) as usize
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

/// Behind the last byte that cannot be part of a character of EUC, or at it if it is the one in question.
fn behind_high(bytes: &[u8], at: usize) -> usize {
    bytes[..=at].iter().rposition(|byte| !matches!(byte, 0xA1..=0xFE)).unwrap_or(0)
}

/// The first of the leads before a trail; a byte that is no trail stands for itself.
fn behind_leads(bytes: &[u8], at: usize, is_lead: impl Fn(u8) -> bool, is_trail: impl Fn(u8) -> bool) -> usize {
    if !is_trail(bytes[at]) {
        return at;
    }
    bytes[..at].iter().rposition(|&byte| !is_lead(byte)).map_or(0, |other| other + 1)
}

/// The start of the character at `at`, when one starts at `first` and all behind it take two bytes.
fn in_pairs(text: Text<'_>, at: usize, first: usize, len: impl Fn(Text<'_>, usize) -> isize) -> usize {
    let behind = first as isize + len(text, first);
    if at == 0 || behind > at as isize {
        return first;
    }
    (behind + ((at as isize - behind) & !1)) as usize
}

/// The length of a character; what is none steps back, by one byte and by those that it lacks.
fn precise_len(text: Text<'_>, at: usize) -> isize {
    match char_len(text.encoding, &text.bytes[at..]) {
        Char::Valid(len) => len as isize,
        Char::Invalid => -1,
        Char::NeedMore(lacking) => -1 - lacking as isize,
    }
}

/// The length of a character; what breaks off takes all that is left.
fn whole_len(text: Text<'_>, at: usize) -> isize {
    let rest = &text.bytes[at..];
    match char_len(text.encoding, rest) {
        Char::Valid(len) => len as isize,
        Char::Invalid => 1.min(rest.len() as isize),
        Char::NeedMore(_) => rest.len() as isize,
    }
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
