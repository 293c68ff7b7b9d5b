//! Characters: counting them, finding where the nth one starts, walking over them.
//!
//! Bytes and characters coincide in single-byte strings; in valid UTF-8 a character is a byte that is no continuation, so
//! both counting and finding work on blocks that the compiler vectorises. Every other string is stepped through.
//!
//! # References
//! CRuby `rb_enc_strlen_cr`, `rb_enc_nth`, `rb_str_subpos`, `rb_enc_left_char_head`.

mod adjust;
mod grapheme;
#[cfg(test)]
mod tests;

pub use adjust::{behind_char, is_boundary, left_adjust, right_adjust};
pub use grapheme::{grapheme_clusters, grapheme_count};

use crate::text::Text;
use std::ops::Range;

/// Bytes looked at at once when searching for a character; two vector registers.
const BLOCK: usize = 64;

#[inline]
fn is_lead(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

/// Characters in valid UTF-8. Blocks of at most 255 bytes keep the sums in byte lanes.
fn count_leads(bytes: &[u8]) -> usize {
    bytes.chunks(192).map(|block| block.iter().fold(0u8, |sum, &byte| sum + u8::from(is_lead(byte))) as usize).sum()
}

/// `String#length`.
pub fn count(text: Text<'_>) -> usize {
    if text.is_single_byte() {
        text.bytes.len()
    } else if text.is_valid_utf8() {
        count_leads(text.bytes)
    } else {
        iter(text).count()
    }
}

/// The byte offset at which character number `nth` starts; the end counts as a character, past it is `None`.
pub fn offset(text: Text<'_>, nth: usize) -> Option<usize> {
    if text.is_single_byte() {
        return (nth <= text.bytes.len()).then_some(nth);
    }
    if text.is_valid_utf8() { offset_utf8(text.bytes, nth) } else { offset_by_steps(text, 0, nth) }
}

fn offset_utf8(bytes: &[u8], nth: usize) -> Option<usize> {
    let mut left = nth;
    let mut at = 0;
    for block in bytes.chunks_exact(BLOCK) {
        let leads = count_leads(block);
        if leads > left {
            break;
        }
        left -= leads;
        at += BLOCK;
    }
    // `at` may stand inside a character whose lead is already counted.
    let mut leads = bytes[at..].iter().enumerate().filter(|&(_, &byte)| is_lead(byte));
    match leads.nth(left) {
        Some((found, _)) => Some(at + found),
        None => (count_leads(&bytes[at..]) == left).then_some(bytes.len()),
    }
}

fn offset_by_steps(text: Text<'_>, from: usize, nth: usize) -> Option<usize> {
    let mut at = from;
    for _ in 0..nth {
        if at >= text.bytes.len() {
            return None;
        }
        at += text.step(at);
    }
    Some(at)
}

/// The byte offset of the character `back` characters before the end; `None` when there are fewer.
pub fn offset_from_end(text: Text<'_>, back: usize) -> Option<usize> {
    let len = text.bytes.len();
    match back {
        0 => Some(len),
        _ if text.is_single_byte() => len.checked_sub(back),
        _ if text.is_valid_utf8() => {
            let mut leads = text.bytes.iter().enumerate().rev().filter(|&(_, &byte)| is_lead(byte));
            leads.nth(back - 1).map(|(at, _)| at)
        }
        _ => offset(text, count(text).checked_sub(back)?),
    }
}

/// The bytes of `len` characters from character `start`, negative counted from the end: `String#[]`. `None` when the
/// start lies outside, the end of the string counting as inside.
pub fn substring(text: Text<'_>, start: isize, len: usize) -> Option<Range<usize>> {
    let from = match usize::try_from(start) {
        Ok(start) => offset(text, start)?,
        Err(_) => offset_from_end(text, start.unsigned_abs())?,
    };
    let rest = Text { bytes: &text.bytes[from..], ..text };
    Some(from..from + offset(rest, len).unwrap_or(rest.bytes.len()))
}

/// The number of the character that starts at or before `at` bytes, for turning byte offsets into character offsets.
pub fn index_of_offset(text: Text<'_>, at: usize) -> usize {
    count(Text { bytes: &text.bytes[..at], ..text })
}

/// `String#each_char`: the bytes of each character, invalid bytes one step at a time.
pub fn iter(text: Text<'_>) -> Chars<'_> {
    Chars { text }
}

/// See [`iter`].
#[derive(Clone)]
pub struct Chars<'a> {
    text: Text<'a>,
}

impl<'a> Iterator for Chars<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        if self.text.bytes.is_empty() {
            return None;
        }
        let (first, rest) = self.text.bytes.split_at(self.text.step(0));
        self.text.bytes = rest;
        Some(first)
    }
}

/// `String#each_codepoint`: the code point of each character, or `Err` where CRuby raises `invalid byte sequence in …`.
pub fn codepoints(text: Text<'_>) -> impl Iterator<Item = Result<u32, InvalidByteSequence>> {
    iter(text).map(move |char| match crate::encoding::codepoint(text.encoding, char) {
        Some((code, _)) => Ok(code),
        None => Err(InvalidByteSequence),
    })
}

/// A character was needed where invalid bytes stand; `ArgumentError`, "invalid byte sequence in NAME".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InvalidByteSequence;

/// `String#reverse`: appends the characters in reverse order.
pub fn reverse(text: Text<'_>, out: &mut Vec<u8>) {
    if text.is_single_byte() {
        out.extend(text.bytes.iter().rev());
        return;
    }
    let start = out.len();
    out.resize(start + text.bytes.len(), 0);
    reverse_into(text, &mut out[start..]);
}

/// As [`reverse`], into as many bytes as the text has.
pub fn reverse_into(text: Text<'_>, out: &mut [u8]) {
    if text.is_single_byte() {
        out.iter_mut().zip(text.bytes.iter().rev()).for_each(|(to, byte)| *to = *byte);
    } else if text.is_valid_utf8() {
        reverse_utf8(text.bytes, out);
    } else {
        // Written front to back so that no list of boundaries is needed: each character lands before those seen so far.
        let mut end = out.len();
        for char in iter(text) {
            out[end - char.len()..end].copy_from_slice(char);
            end -= char.len();
        }
    }
}

/// Valid UTF-8, whose first bytes tell how long characters are. Copies of a fixed length need no call.
fn reverse_utf8(bytes: &[u8], out: &mut [u8]) {
    let (mut rest, mut left) = (bytes, out);
    while let Some(&lead) = rest.first() {
        (rest, left) = match lead {
            0..=0x7F => move_char::<1>(rest, left),
            0x80..=0xDF => move_char::<2>(rest, left),
            0xE0..=0xEF => move_char::<3>(rest, left),
            _ => move_char::<4>(rest, left),
        };
    }
}

#[inline(always)]
fn move_char<'a, 'b, const LEN: usize>(from: &'a [u8], to: &'b mut [u8]) -> (&'a [u8], &'b mut [u8]) {
    let (char, rest) = from.split_at(LEN);
    let (left, place) = to.split_at_mut(to.len() - LEN);
    place.copy_from_slice(char);
    (rest, left)
}
