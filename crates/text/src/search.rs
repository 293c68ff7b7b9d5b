//! Finding one string in another.
//!
//! Bytes are searched, by vector instructions, and a hit counts only where a character starts. Valid UTF-8 needs no such
//! check, because no valid needle begins inside a character. The needle is in a compatible encoding: the caller has seen to
//! that. Offsets are in bytes.
//!
//! # References
//! CRuby `rb_strseq_index`, `rb_str_rindex`, `rb_str_start_with`, `str_casecmp`.

use crate::chars::{is_boundary, iter, right_adjust};
use crate::encoding::{EncodingIndex, Kind};
use crate::text::Text;
use memchr::memmem;
use std::cmp::Ordering;

/// Whether every place where the needle's bytes stand is a place where its characters stand.
fn is_self_synchronising(text: Text<'_>, needle: Text<'_>) -> bool {
    text.is_single_byte() || (text.encoding.is_utf8() && needle.bytes.first().is_some_and(|byte| byte & 0xC0 != 0x80))
}

/// The first occurrence of `needle` at or after byte `from`; nothing contains a broken needle.
pub fn index(text: Text<'_>, needle: Text<'_>, from: usize) -> Option<usize> {
    if needle.is_broken() || from > text.bytes.len() {
        return None;
    }
    if needle.bytes.is_empty() {
        return Some(from);
    }
    let is_sound = is_self_synchronising(text, needle);
    let mut start = from;
    loop {
        // A broken text may end within a character.
        let at = start + find(text.bytes.get(start..)?, needle.bytes)?;
        if is_sound || is_boundary(text, at) {
            return Some(at);
        }
        start = at + 1;
    }
}

/// A searcher is not worth building for one byte.
fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    match needle {
        [byte] => memchr::memchr(*byte, bytes),
        _ => memmem::find(bytes, needle),
    }
}

/// The last occurrence of `needle` that starts at or before byte `from`.
pub fn rindex(text: Text<'_>, needle: Text<'_>, from: usize) -> Option<usize> {
    if needle.is_broken() {
        return None;
    }
    if needle.bytes.is_empty() {
        return Some(from.min(text.bytes.len()));
    }
    let is_sound = is_self_synchronising(text, needle);
    let mut end = text.bytes.len().min(from.saturating_add(needle.bytes.len()));
    loop {
        let at = memmem::rfind(&text.bytes[..end], needle.bytes)?;
        if is_sound || is_boundary(text, at) {
            return Some(at);
        }
        end = at + needle.bytes.len() - 1;
    }
}

/// Every occurrence from the left, none overlapping another; `needle` is not empty.
pub fn occurrences<'a>(text: Text<'a>, needle: Text<'a>) -> impl Iterator<Item = usize> + 'a {
    let is_sound = is_self_synchronising(text, needle);
    let hits = memmem::find_iter(text.bytes, needle.bytes);
    let mut sound = is_sound.then_some(hits);
    let mut from = 0;
    std::iter::from_fn(move || match &mut sound {
        Some(hits) => hits.next(),
        None => {
            let at = index(text, needle, from)?;
            from = at + needle.bytes.len();
            Some(at)
        }
    })
}

/// `String#start_with?` for one string: the prefix must end where a character does.
pub fn starts_with(text: Text<'_>, prefix: Text<'_>) -> bool {
    let len = prefix.bytes.len();
    // A character that reaches beyond the prefix spoils it, a byte that belongs to none does not.
    text.bytes.starts_with(prefix.bytes) && right_adjust(text, len) == len
}

/// `String#end_with?` for one string: the suffix must start where a character does.
pub fn ends_with(text: Text<'_>, suffix: Text<'_>) -> bool {
    let is_end = text.bytes.ends_with(suffix.bytes);
    is_end && (suffix.bytes.is_empty() || is_boundary(text, text.bytes.len() - suffix.bytes.len()))
}

/// `String#delete_prefix`: bytes to drop from the front.
pub fn prefix_to_delete(text: Text<'_>, prefix: Text<'_>) -> usize {
    // What a valid text begins with is not broken.
    let is_possible = !prefix.is_broken() || text.is_broken();
    if is_possible && starts_with(text, prefix) { prefix.bytes.len() } else { 0 }
}

/// `String#delete_suffix`: bytes to drop from the end.
pub fn suffix_to_delete(text: Text<'_>, suffix: Text<'_>) -> usize {
    if !suffix.is_broken() && ends_with(text, suffix) { suffix.bytes.len() } else { 0 }
}

/// `String#casecmp`: ASCII letters compare without their case, everything else by its bytes.
pub fn casecmp(left: Text<'_>, right: Text<'_>) -> Ordering {
    let are_bytes = |text: Text<'_>| text.is_single_byte() || text.is_valid_utf8();
    if are_bytes(left) && are_bytes(right) {
        return cmp_ignoring_case(left.bytes, right.bytes);
    }
    let is_wide = left.encoding.min_len() > 1 && left.encoding == right.encoding;
    let cmp = |a: &[u8], b: &[u8]| match is_wide {
        true => lowered(a, left.encoding).cmp(&lowered(b, left.encoding)),
        false => cmp_chars(a, b),
    };
    let by_char = iter(left).zip(iter(right)).map(|(a, b)| cmp(a, b));
    by_char.into_iter().find(|order| order.is_ne()).unwrap_or_else(|| left.bytes.len().cmp(&right.bytes.len()))
}

fn cmp_ignoring_case(left: &[u8], right: &[u8]) -> Ordering {
    const BLOCK: usize = 32;
    let differ = |(a, b): &(&[u8; BLOCK], &[u8; BLOCK])| {
        a.iter().zip(*b).fold(0, |seen, (a, b)| seen | (a.to_ascii_lowercase() ^ b.to_ascii_lowercase())) != 0
    };
    let blocks = left.as_chunks().0.iter().zip(right.as_chunks().0);
    let alike = blocks.take_while(|pair| !differ(pair)).count() * BLOCK;
    let (left, right) = (&left[alike..], &right[alike..]);
    left.iter().map(u8::to_ascii_lowercase).cmp(right.iter().map(u8::to_ascii_lowercase))
}

/// A trail byte that looks like a letter is none.
fn cmp_chars(left: &[u8], right: &[u8]) -> Ordering {
    match (left, right) {
        ([left], [right]) => left.to_ascii_lowercase().cmp(&right.to_ascii_lowercase()),
        _ => left.cmp(right),
    }
}

/// A character of an encoding with units of several bytes, its letter of ASCII in lower case.
fn lowered(unit: &[u8], encoding: EncodingIndex) -> Vec<u8> {
    let mut out = unit.to_vec();
    let is_little = matches!(encoding.kind(), Kind::Utf16Le | Kind::Utf32Le);
    let (letter, zeros) = if is_little { (0, 1..unit.len()) } else { (unit.len() - 1, 0..unit.len() - 1) };
    if unit[zeros].iter().all(|byte| *byte == 0) {
        out[letter].make_ascii_lowercase();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::EncodingIndex;

    fn sjis(bytes: &[u8]) -> Text<'_> {
        Text::of(bytes, EncodingIndex::SHIFT_JIS)
    }

    #[test]
    fn index_finds_characters_only() {
        assert_eq!(index(Text::utf8("aあいあ"), Text::utf8("あ"), 0), Some(1));
        assert_eq!(index(Text::utf8("aあいあ"), Text::utf8("あ"), 2), Some(7));
        assert_eq!(index(Text::utf8("あ"), Text::of(b"\xE3", EncodingIndex::UTF_8), 0), None);
        assert_eq!(index(sjis(b"\x83\x41A"), sjis(b"A"), 0), Some(2));
        assert_eq!(index(Text::utf8("abc"), Text::utf8(""), 3), Some(3));
        assert_eq!(index(Text::utf8("abc"), Text::utf8(""), 4), None);
        let half = Text::of(b"\x07", EncodingIndex::UTF_32BE);
        assert_eq!(index(half, Text::of(b"", EncodingIndex::UTF_32BE), 1), Some(1), "nothing is in broken text too");
    }

    #[test]
    fn rindex_starts_at_or_before() {
        let text = Text::utf8("abcabc");
        assert_eq!(rindex(text, Text::utf8("abc"), 6), Some(3));
        assert_eq!(rindex(text, Text::utf8("abc"), 3), Some(3));
        assert_eq!(rindex(text, Text::utf8("abc"), 2), Some(0));
        assert_eq!(rindex(text, Text::utf8(""), 6), Some(6));
        assert_eq!(rindex(sjis(b"A\x83\x41"), sjis(b"A"), 3), Some(0));
    }

    #[test]
    fn occurrences_do_not_overlap() {
        let at: Vec<_> = occurrences(Text::utf8("aaaaa"), Text::utf8("aa")).collect();
        assert_eq!(at, [0, 2]);
        let at: Vec<_> = occurrences(sjis(b"A\x83\x41A"), sjis(b"A")).collect();
        assert_eq!(at, [0, 3]);
    }

    #[test]
    fn affixes_end_at_characters() {
        let broken = Text::of(b"\xE3", EncodingIndex::UTF_8);
        assert!(!starts_with(Text::utf8("あ"), broken));
        assert!(!ends_with(Text::utf8("あ"), Text::of(b"\x81\x82", EncodingIndex::UTF_8)));
        assert!(starts_with(Text::utf8("あい"), Text::utf8("あ")) && ends_with(Text::utf8("あい"), Text::utf8("い")));
        assert!(!ends_with(sjis(b"\x83\x41"), sjis(b"A")));
        assert_eq!(prefix_to_delete(Text::utf8("あ"), broken), 0);
        assert_eq!(suffix_to_delete(Text::utf8("foo.rb"), Text::utf8(".rb")), 3);
    }

    #[test]
    fn casecmp_folds_ascii_alone() {
        assert_eq!(casecmp(Text::utf8("aBc"), Text::utf8("AbC")), Ordering::Equal);
        assert_eq!(casecmp(Text::utf8("a"), Text::utf8("B")), Ordering::Less);
        assert_eq!(casecmp(Text::utf8("é"), Text::utf8("É")), Ordering::Greater);
        assert_eq!(casecmp(sjis(b"\x83\x41"), sjis(b"\x83\x61")), Ordering::Less);
        assert_eq!(casecmp(Text::utf8("ab"), Text::utf8("A")), Ordering::Greater);
    }
}
