//! `String#inspect`.
//!
//! The result is in an encoding of its own, the process's internal or external one: characters of another encoding are
//! escaped, for their bytes would mean something else there.
//!
//! # References
//! CRuby `rb_str_inspect`.

use crate::chars::right_adjust;
use crate::ctype::{is_print, is_print_char};
use crate::encoding::{Char, EncodingIndex, char_len, codepoint};
use crate::text::Text;
use std::io::Write;

/// The encoding of the result, given the one the process prefers.
pub fn result_encoding(preferred: EncodingIndex) -> EncodingIndex {
    if preferred.is_ascii_compatible() { preferred } else { EncodingIndex::US_ASCII }
}

/// Appends the literal that stands for `text`; `result` is what [`result_encoding`] returned.
pub fn inspect(text: Text<'_>, result: EncodingIndex, out: &mut Vec<u8>) {
    out.reserve(text.bytes.len() + 2);
    out.push(b'"');
    inspect_part(text, result, out);
    out.push(b'"');
}

/// The same without the quotes. A part ends neither within a character nor with a hash sign.
pub fn inspect_part(text: Text<'_>, result: EncodingIndex, out: &mut Vec<u8>) {
    if text.encoding.is_ascii_compatible() {
        inspect_runs(text, result, out);
    } else {
        inspect_chars(text, 0, text.bytes.len(), result, out);
    }
}

/// The first place at a byte or behind it where a character begins and the text in front is a part of its own, or the end.
pub fn end_of_part(text: Text<'_>, from: usize) -> usize {
    let may_go_on = |end: usize| text.bytes[end.saturating_sub(4)..end].contains(&b'#');
    let mut end = from;
    while end < text.bytes.len() {
        // In broken text the end of the character in front may lie before the place.
        end = right_adjust(text, end).max(end);
        if end < text.bytes.len() && !may_go_on(end) {
            return end;
        }
        end += 1;
    }
    text.bytes.len()
}

/// Copies what needs no look at all, plain ASCII, a run at a time.
fn inspect_runs(text: Text<'_>, result: EncodingIndex, out: &mut Vec<u8>) {
    let mut at = 0;
    // Characters that stand for themselves are copied together.
    let is_shown = text.is_valid_utf8() && text.encoding == result;
    let shown = if is_shown { simdutf8::basic::from_utf8(text.bytes).unwrap_or("") } else { "" };
    while at < text.bytes.len() {
        let rest = &text.bytes[at..];
        let run = plain_len(rest);
        out.extend_from_slice(&rest[..run]);
        at += run;
        let is_beyond = text.bytes.get(at).is_some_and(|byte| !byte.is_ascii());
        let run = if is_beyond { shown.get(at..).map_or(0, printable_len) } else { 0 };
        out.extend_from_slice(&text.bytes[at..at + run]);
        at += run;
        if run == 0 && at < text.bytes.len() {
            at = inspect_chars(text, at, at + 1, result, out);
        }
    }
}

/// How many bytes at the beginning belong to characters beyond ASCII that stand for themselves.
fn printable_len(text: &str) -> usize {
    let is_last = |&(_, c): &(usize, char)| c.is_ascii() || u32::from(c) == NEXT_LINE || !is_print_char(c);
    text.char_indices().find(is_last).map_or(text.len(), |(at, _)| at)
}

/// How many bytes at the beginning are plain. Whole blocks are looked at without a branch for each byte.
fn plain_len(bytes: &[u8]) -> usize {
    const BLOCK: usize = 32;
    if bytes.first().is_none_or(|&byte| is_odd(byte) != 0) {
        return 0;
    }
    let is_block_plain = |block: &&[u8; BLOCK]| block.iter().fold(0, |odd, &byte| odd | is_odd(byte)) == 0;
    let blocks = bytes.as_chunks().0.iter().take_while(is_block_plain).count() * BLOCK;
    let rest = &bytes[blocks..];
    blocks + rest.iter().position(|&byte| is_odd(byte) != 0).unwrap_or(rest.len())
}

/// 1 for what is not plain ASCII, or a quote, a backslash or a hash sign: a number, so that many can be asked at once.
fn is_odd(byte: u8) -> u8 {
    let is_graphic = byte.wrapping_sub(b' ') <= b'~' - b' ';
    u8::from(!is_graphic) | u8::from(byte == b'"') | u8::from(byte == b'\\') | u8::from(byte == b'#')
}

/// Inspects the characters that start in `from..until`; where the next one starts.
fn inspect_chars(text: Text<'_>, from: usize, until: usize, result: EncodingIndex, out: &mut Vec<u8>) -> usize {
    let mut at = from;
    while at < until {
        let (code, len) = text.decode(at);
        let bytes = &text.bytes[at..at + len];
        at += len;
        match code {
            None => bytes.iter().for_each(|&byte| push_hex(byte, out)),
            Some(code) if needs_backslash(text, code, at) => out.extend([b'\\', code as u8]),
            Some(code) => push_char(text.encoding, code, bytes, result, out),
        }
    }
    at
}

fn has_ascii_meaning(encoding: EncodingIndex) -> bool {
    encoding.is_ascii_compatible() || encoding.is_unicode()
}

/// Quotes, backslashes, and a hash sign that would start an interpolation; `next` is where the following character is.
fn needs_backslash(text: Text<'_>, code: u32, next: usize) -> bool {
    const QUOTE: u32 = b'"' as u32;
    const BACKSLASH: u32 = b'\\' as u32;
    const HASH: u32 = b'#' as u32;
    match code {
        QUOTE | BACKSLASH => has_ascii_meaning(text.encoding),
        HASH => has_ascii_meaning(text.encoding) && starts_interpolation(text, next),
        _ => false,
    }
}

fn starts_interpolation(text: Text<'_>, at: usize) -> bool {
    let next = codepoint(text.encoding, &text.bytes[at..]);
    next.is_some_and(|(code, _)| [b'$', b'@', b'{'].map(u32::from).contains(&code))
}

/// Unicode's next line, whose number no encoding shows the character of.
const NEXT_LINE: u32 = 0x85;

fn push_char(encoding: EncodingIndex, code: u32, bytes: &[u8], result: EncodingIndex, out: &mut Vec<u8>) {
    if let Some(letter) = u8::try_from(code).ok().and_then(control_letter) {
        out.extend([b'\\', letter]);
    } else if encoding == result && is_print(encoding, code) && code != NEXT_LINE {
        out.extend(bytes);
    } else if has_ascii_meaning(encoding) && matches!(code, 0x20..0x7F) {
        out.push(code as u8);
    } else {
        push_escape(encoding, code, out);
    }
}

/// The letter that stands for a control character after a backslash.
pub(crate) fn control_letter(byte: u8) -> Option<u8> {
    Some(match byte {
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        0x0C => b'f',
        0x0B => b'v',
        0x08 => b'b',
        0x07 => b'a',
        0x1B => b'e',
        _ => return None,
    })
}

pub(crate) fn push_hex(byte: u8, out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    out.extend([b'\\', b'x', DIGITS[byte as usize >> 4], DIGITS[byte as usize & 15]]);
}

pub(crate) fn push_unicode(code: u32, out: &mut Vec<u8>) {
    let written = if code > 0xFFFF { write!(out, "\\u{{{code:X}}}") } else { write!(out, "\\u{code:04X}") };
    written.expect("a Vec takes everything");
}

/// A character that cannot be shown: by its Unicode number, or by its bytes as one number.
fn push_escape(encoding: EncodingIndex, code: u32, out: &mut Vec<u8>) {
    if encoding.is_unicode() {
        push_unicode(code, out);
    } else if let Ok(byte) = u8::try_from(code) {
        push_hex(byte, out);
    } else {
        write!(out, "\\x{{{code:X}}}").expect("a Vec takes everything");
    }
}

/// Whether every character is valid and printable.
pub(crate) fn is_printable(text: Text<'_>) -> bool {
    let mut rest = text.bytes;
    while let Some((code, len)) = codepoint(text.encoding, rest) {
        if !is_print(text.encoding, code) {
            return false;
        }
        rest = &rest[len..];
    }
    // An empty rest asks for more, a broken one is invalid or asks in vain.
    rest.is_empty() && matches!(char_len(text.encoding, rest), Char::NeedMore(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], encoding: EncodingIndex, expect: &str) {
        let mut out = Vec::new();
        inspect(Text::of(bytes, encoding), EncodingIndex::UTF_8, &mut out);
        assert_eq!(String::from_utf8_lossy(&out), expect);
    }

    #[test]
    fn control_characters_have_letters_or_numbers() {
        let bytes = b"\0\x01\x1b\x07\x08\t\n\x0b\x0c\r\x7f\x80";
        check(bytes, EncodingIndex::UTF_8, r#""\u0000\u0001\e\a\b\t\n\v\f\r\u007F\x80""#);
        check(b"\x00\x01\x7f\xe9", EncodingIndex::BINARY, r#""\x00\x01\x7F\xE9""#);
        check(b"\x01\x7f", EncodingIndex::US_ASCII, r#""\x01\x7F""#);
    }

    #[test]
    fn interpolation_is_escaped() {
        check(b"#{a} #$a #@a # #a \\ \"", EncodingIndex::UTF_8, r##""\#{a} \#$a \#@a # #a \\ \"""##);
    }

    #[test]
    fn unprintable_characters_are_numbered() {
        let text = "é\u{200b}\u{e000}\u{378}\u{10ffff}\u{85}\u{2028}\u{ad}";
        check(text.as_bytes(), EncodingIndex::UTF_8, "\"é\u{200b}\u{e000}\\u0378\\u{10FFFF}\\u0085\\u2028\u{ad}\"");
    }

    #[test]
    fn other_encodings_are_escaped() {
        check(b"\xE9", EncodingIndex::ISO_8859_1, r#""\xE9""#);
        check(b"\xA4\xA2", EncodingIndex::EUC_JP, r#""\x{A4A2}""#);
        check(b"a\0\xE9\0\n\0#\0{\0\"\0\\\0", EncodingIndex::UTF_16LE, r##""a\u00E9\n\#{\"\\""##);
        check(b"\xD8\x3D\xDE\x00", EncodingIndex::UTF_16BE, r#""\u{1F600}""#);
        check(b"\x00\xD8a\0b", EncodingIndex::UTF_16LE, r#""\x00\xD8a\x62""#);
        check(b"\xFE\xFFa", EncodingIndex::UTF_16, r#""\xFE\xFF\x61""#);
    }

    #[test]
    fn unfinished_characters_are_bytes() {
        check(b"a\xE3", EncodingIndex::UTF_8, r#""a\xE3""#);
        check(b"\xF0\x9F\x98a", EncodingIndex::UTF_8, r#""\xF0\x9F\x98a""#);
    }
}
