//! `String#scrub`: replacing what is not valid.
//!
//! A maximal beginning of a character counts as one invalid piece, and so does an unfinished character at the end.
//!
//! # References
//! CRuby `rb_enc_str_scrub`.

use crate::encoding::{Char, EncodingIndex, Kind, char_len};
use crate::text::Text;
use std::ops::Range;

/// The replacement when none is given: U+FFFD where there is one, else a question mark.
pub fn default_replacement(encoding: EncodingIndex) -> &'static [u8] {
    match encoding.kind() {
        Kind::Utf8 if encoding == EncodingIndex::UTF_8 => b"\xEF\xBF\xBD",
        Kind::Utf16Be => b"\xFF\xFD",
        Kind::Utf16Le => b"\xFD\xFF",
        Kind::Utf32Be => b"\x00\x00\xFF\xFD",
        Kind::Utf32Le => b"\xFD\xFF\x00\x00",
        _ => b"?",
    }
}

/// The first invalid piece at or after byte `from`, which is where a character starts.
pub fn next_invalid(text: Text<'_>, from: usize) -> Option<Range<usize>> {
    let mut at = from;
    while at < text.bytes.len() {
        let rest = &text.bytes[at..];
        match char_len(text.encoding, rest) {
            Char::Valid(len) => at += len as usize,
            Char::NeedMore(_) => return Some(at..text.bytes.len()),
            Char::Invalid => return Some(at..at + invalid_len(text.encoding, rest)),
        }
    }
    None
}

/// Bytes at the start of `bytes`, which no character starts with, that could have begun one.
pub(crate) fn invalid_len(encoding: EncodingIndex, bytes: &[u8]) -> usize {
    let unit = encoding.min_len();
    let longest = encoding.max_len().min(bytes.len());
    if longest <= unit * 2 {
        return unit.min(bytes.len());
    }
    let starts_a_character = |len: &usize| matches!(char_len(encoding, &bytes[..*len]), Char::NeedMore(_));
    (unit + 1..longest)
        .rev()
        .filter(|len| (longest - len).is_multiple_of(unit))
        .find(starts_a_character)
        .unwrap_or(unit)
}

/// Appends the string with every invalid piece replaced.
pub fn scrub(text: Text<'_>, replacement: &[u8], out: &mut Vec<u8>) {
    let mut copied = 0;
    while let Some(piece) = next_invalid(text, copied) {
        out.extend(&text.bytes[copied..piece.start]);
        out.extend(replacement);
        copied = piece.end;
    }
    out.extend(&text.bytes[copied..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(bytes: &[u8], encoding: EncodingIndex) -> String {
        let text = Text::of(bytes, encoding);
        let mut found = Vec::new();
        let mut from = 0;
        while let Some(piece) = next_invalid(text, from) {
            found.push(bytes[piece.clone()].iter().map(|byte| format!("{byte:02x}")).collect::<String>());
            from = piece.end;
        }
        found.join(" ")
    }

    #[test]
    fn a_started_character_is_one_piece() {
        let utf8 = EncodingIndex::UTF_8;
        assert_eq!(pieces(b"a\xE3\x81b\xff", utf8), "e381 ff");
        assert_eq!(pieces(b"\xF1\x80\x80a\xE3\x80\xE3\x80\x80", utf8), "f18080 e380");
        assert_eq!(pieces(b"\xE3\x81\xE3\x81", utf8), "e381 e381");
        assert_eq!(pieces(b"\xF0\x9F\xFF\xFF", utf8), "f09f ff ff");
        assert_eq!(pieces(b"\xC0\xAF", utf8), "c0 af");
    }

    #[test]
    fn other_encodings_have_their_own_starts() {
        assert_eq!(pieces(b"\x8f\xa1a\x8f", EncodingIndex::EUC_JP), "8fa1 8f");
        assert_eq!(pieces(b"\xA4a", EncodingIndex::EUC_JP), "a4");
        assert_eq!(pieces(b"\xff\x30\x81\x30", EncodingIndex::GB18030), "ff 8130");
        assert_eq!(pieces(b"\x81\x30\x81a", EncodingIndex::GB18030), "813081");
        assert_eq!(pieces(b"\xD8\x00\xD8\x00\x00a", EncodingIndex::UTF_16BE), "d800 d800");
        assert_eq!(pieces(b"\x00\xD8a\0b", EncodingIndex::UTF_16LE), "00d8 62");
    }

    #[test]
    fn scrub_replaces_each_piece() {
        let mut out = Vec::new();
        scrub(Text::of(b"a\xFFb\xE3\x81", EncodingIndex::UTF_8), b"?", &mut out);
        assert_eq!(out, b"a?b?");
    }
}
