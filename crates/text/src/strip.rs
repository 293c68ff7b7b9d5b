//! `String#strip`, `lstrip` and `rstrip`.
//!
//! Without arguments white space and NUL go; with sets, the characters that are in all of them.
//!
//! # References
//! CRuby `lstrip_offset`, `rstrip_offset`.

use crate::chars::{InvalidByteSequence, left_adjust};
use crate::ctype::is_space;
use crate::text::Text;
use crate::tr::CharSets;
use std::ops::Range;

type Result<T> = std::result::Result<T, InvalidByteSequence>;

/// What remains after `strip`. Invalid bytes are an error only where they are reached from either end.
pub fn strip(text: Text<'_>, sets: Option<&CharSets>) -> Result<Range<usize>> {
    let start = lstrip(text, sets)?;
    let end = rstrip(text.part(start..text.bytes.len()).scanned(), sets)?;
    Ok(start..start + end)
}

/// Bytes to drop from the front.
pub fn lstrip(text: Text<'_>, sets: Option<&CharSets>) -> Result<usize> {
    if sets.is_none() && text.is_single_byte() {
        return Ok(text.bytes.iter().position(|&byte| !is_blank(u32::from(byte))).unwrap_or(text.bytes.len()));
    }
    let mut at = 0;
    while at < text.bytes.len() {
        let (code, len) = decode(text, at)?;
        if !goes(sets, code) {
            break;
        }
        at += len;
    }
    Ok(at)
}

/// Bytes that remain after dropping from the end.
pub fn rstrip(text: Text<'_>, sets: Option<&CharSets>) -> Result<usize> {
    let mut end = text.bytes.len();
    if sets.is_none() && text.encoding.min_len() == 1 {
        // No trail byte of any encoding is white space or NUL, so only the character that stays has to be looked at.
        let last = text.bytes.iter().rposition(|&byte| !is_blank(u32::from(byte)));
        end = last.map_or(0, |last| last + 1);
        if !text.is_broken() {
            return Ok(end);
        }
    }
    while end > 0 {
        let start = left_adjust(text, end - 1);
        let (code, _) = decode(text, start)?;
        if !goes(sets, code) {
            break;
        }
        end = start;
    }
    Ok(end)
}

fn is_blank(code: u32) -> bool {
    code == 0 || u8::try_from(code).is_ok_and(is_space)
}

fn goes(sets: Option<&CharSets>, code: u32) -> bool {
    sets.map_or_else(|| is_blank(code), |sets| sets.contains(code))
}

fn decode(text: Text<'_>, at: usize) -> Result<(u32, usize)> {
    if text.is_single_byte() {
        return Ok((u32::from(text.bytes[at]), 1));
    }
    let (code, len) = text.decode(at);
    Ok((code.ok_or(InvalidByteSequence)?, len))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::EncodingIndex;

    fn stripped(text: &str) -> &str {
        &text[strip(Text::utf8(text), None).unwrap()]
    }

    #[test]
    fn white_space_and_nul_go() {
        assert_eq!(stripped(" \0 a\0 \0"), "a");
        assert_eq!(stripped("\u{3000}a\u{3000}"), "\u{3000}a\u{3000}");
        assert_eq!(stripped(" \0\0"), "");
        assert_eq!(lstrip(Text::utf8(" \té"), None), Ok(2));
        assert_eq!(rstrip(Text::utf8("é \n"), None), Ok(2));
    }

    #[test]
    fn wide_encodings_strip_characters() {
        let text = Text::of(b" \0B0 \0\0\0", EncodingIndex::UTF_16LE);
        assert_eq!(strip(text, None), Ok(2..4));
    }

    #[test]
    fn sets_name_what_goes() {
        let sets = |sets: &[&str]| CharSets::parse(sets.iter().map(|set| Text::utf8(set))).unwrap();
        assert_eq!(strip(Text::utf8("abc"), Some(&sets(&["a-b"]))), Ok(2..3));
        assert_eq!(strip(Text::utf8("xxabcxx"), Some(&sets(&["x", "^a"]))), Ok(2..5));
        assert_eq!(rstrip(Text::utf8("héé"), Some(&sets(&["é"]))), Ok(1));
        assert_eq!(lstrip(Text::utf8("  a"), Some(&sets(&["x", " "]))), Ok(0));
    }

    #[test]
    fn invalid_bytes_matter_where_they_are_reached() {
        let broken = |bytes| Text::of(bytes, EncodingIndex::UTF_8);
        assert_eq!(rstrip(broken(b"a\xFF  "), None), Err(InvalidByteSequence));
        assert_eq!(rstrip(broken(b"a\xFFb  "), None), Ok(3));
        assert_eq!(lstrip(broken(b"\xFF  "), None), Err(InvalidByteSequence));
        assert_eq!(lstrip(broken(b"  a\xFF"), None), Ok(2));
    }
}
