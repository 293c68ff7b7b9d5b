//! Texts of patterns: `escape`, `to_s`, `inspect`.
//!
//! # References
//! CRuby `rb_reg_quote`, `rb_reg_expr_str`, `rb_reg_str_with_opt`.

use super::engine::Program;
use super::translate::translate;
use super::{EXTENDED, IGNORE_CASE, MULTI_LINE, NO_ENCODING};
use carat_oniguruma::Engine;
use carat_text::chars;
use carat_text::ctype::is_print;
use carat_text::encoding::{Char, EncodingIndex, char_len, codepoint, encode_codepoint};
use carat_text::text::Text;

const EMBEDDABLE: u8 = IGNORE_CASE | EXTENDED | MULTI_LINE;

/// The letters of options, in the order of `inspect`.
pub(super) fn option_letters(options: u8) -> String {
    let letters = [(MULTI_LINE, 'm'), (IGNORE_CASE, 'i'), (EXTENDED, 'x')];
    letters.iter().filter(|(bit, _)| options & bit != 0).map(|(_, letter)| letter).collect()
}

pub(super) fn option_of_letter(letter: u8) -> Option<u8> {
    match letter {
        b'i' => Some(IGNORE_CASE),
        b'x' => Some(EXTENDED),
        b'm' => Some(MULTI_LINE),
        _ => None,
    }
}

/// The pattern as it stands between slashes, in characters that everybody can read.
pub(super) fn write_expression(source: Text<'_>, out: &mut Vec<u8>) {
    write_pattern(source, ESCAPED_SLASH, write_wide, out);
}

/// A slash between slashes.
const ESCAPED_SLASH: &[u8] = b"\\/";

fn write_pattern(
    source: Text<'_>,
    slash: &[u8],
    write_wide: impl Fn(EncodingIndex, &[u8], &mut Vec<u8>),
    out: &mut Vec<u8>,
) {
    let bytes = source.bytes;
    let mut at = 0;
    while at < bytes.len() {
        let len = match char_len(source.encoding, &bytes[at..]) {
            Char::Valid(len) => len as usize,
            _ => {
                out.extend_from_slice(format!("\\x{:02X}", bytes[at]).as_bytes());
                at += 1;
                continue;
            }
        };
        let c = &bytes[at..at + len];
        at += len;
        if c == b"\\" && at < bytes.len() {
            let next = match char_len(source.encoding, &bytes[at..]) {
                Char::Valid(len) => len as usize,
                _ => 1,
            };
            out.extend_from_slice(c);
            out.extend_from_slice(&bytes[at..at + next]);
            at += next;
        } else if c.len() == 1 && c[0] < 0x80 {
            write_ascii(c[0], slash, out);
        } else {
            write_wide(source.encoding, c, out);
        }
    }
}

fn write_ascii(byte: u8, slash: &[u8], out: &mut Vec<u8>) {
    match byte {
        b'/' => out.extend_from_slice(slash),
        byte if is_print(EncodingIndex::US_ASCII, u32::from(byte)) || matches!(byte, b'\t'..=b'\r') => out.push(byte),
        byte => out.extend_from_slice(format!("\\x{byte:02X}").as_bytes()),
    }
}

/// A character beyond ASCII: as it is in UTF-8, else by number.
fn write_wide(encoding: EncodingIndex, c: &[u8], out: &mut Vec<u8>) {
    if encoding == EncodingIndex::UTF_8 {
        out.extend_from_slice(c);
        return;
    }
    let code = codepoint(encoding, c).map_or(0, |(code, _)| code);
    let text = match code {
        _ if encoding.is_unicode() && code > 0xFFFF => format!("\\u{{{code:X}}}"),
        _ if encoding.is_unicode() => format!("\\u{code:04X}"),
        ..0x100 => format!("\\x{code:02X}"),
        _ => format!("\\x{{{code:X}}}"),
    };
    out.extend_from_slice(text.as_bytes());
}

/// `Regexp#inspect`.
pub(super) fn inspect(source: Text<'_>, options: u8) -> Vec<u8> {
    let mut out = vec![b'/'];
    if source.encoding.min_len() > 1 {
        out.extend_from_slice(source.bytes);
    } else {
        write_expression(source, &mut out);
    }
    out.push(b'/');
    out.extend_from_slice(option_letters(options).as_bytes());
    if options & NO_ENCODING != 0 {
        out.push(b'n');
    }
    out
}

/// `Regexp#to_s`: a group that keeps its options wherever it is put. Option groups around the whole source are merged.
pub(super) fn to_s(source: Text<'_>, options: u8) -> Vec<u8> {
    group(source, options, ESCAPED_SLASH)
}

/// The same as part of another source, in which slashes are like any character.
pub(super) fn as_part(source: Text<'_>, options: u8) -> Vec<u8> {
    group(source, options, b"/")
}

fn group(source: Text<'_>, options: u8, slash: &[u8]) -> Vec<u8> {
    let (options, inner) = peel(source, options & EMBEDDABLE);
    let mut out = b"(?".to_vec();
    out.extend_from_slice(option_letters(options).as_bytes());
    let off = option_letters(EMBEDDABLE & !options);
    if !off.is_empty() {
        out.push(b'-');
        out.extend_from_slice(off.as_bytes());
    }
    out.push(b':');
    if source.encoding.min_len() > 1 {
        return [&widened(source.encoding, &out), inner, &widened(source.encoding, b")")].concat();
    }
    write_pattern(Text::of(inner, source.encoding), slash, |_, c, out| out.extend_from_slice(c), &mut out);
    out.push(b')');
    out
}

/// ASCII in an encoding whose characters take several bytes, all of which have it.
fn widened(encoding: EncodingIndex, ascii: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for byte in ascii {
        let _ = encode_codepoint(encoding, u32::from(*byte), &mut out);
    }
    out
}

/// Takes off leading option groups: what is left and the options in force there.
fn peel(source: Text<'_>, given: u8) -> (u8, &[u8]) {
    let mut options = given;
    let mut rest = source.bytes;
    while let Some(inside) = rest.strip_prefix(b"(?").filter(|_| rest.len() >= 4) {
        let (changed, after) = read_options(inside, options);
        options = changed;
        match after.first() {
            Some(b')') => rest = &after[1..],
            Some(b':') if after.last() == Some(&b')') => {
                let inner = &after[1..after.len() - 1];
                return if is_pattern(inner, options, source.encoding) {
                    (options, inner)
                } else {
                    (given, source.bytes)
                };
            }
            _ => return (given, source.bytes),
        }
    }
    (options, rest)
}

fn read_options(text: &[u8], mut options: u8) -> (u8, &[u8]) {
    let mut at = 0;
    while let Some(bit) = text.get(at).copied().and_then(option_of_letter) {
        options |= bit;
        at += 1;
    }
    if text.get(at) == Some(&b'-') && at + 1 < text.len() {
        at += 1;
        while let Some(bit) = text.get(at).copied().and_then(option_of_letter) {
            options &= !bit;
            at += 1;
        }
    }
    (options, &text[at..])
}

/// Whether what a group holds is a pattern by itself, so that its parentheses belong together.
fn is_pattern(text: &[u8], options: u8, encoding: EncodingIndex) -> bool {
    translate(text, options, encoding).is_ok_and(|t| Program::compile(&t.text, options, Engine::of(encoding)).is_ok())
}

/// `Regexp.escape`.
pub(super) fn escape(text: Text<'_>, out: &mut Vec<u8>) {
    if text.encoding.min_len() > 1 {
        return chars::iter(text).for_each(|c| escape_wide(text.encoding, c, out));
    }
    for c in chars::iter(text) {
        match c {
            [byte] => escape_byte(*byte, out),
            _ => out.extend_from_slice(c),
        }
    }
}

/// A character of several bytes, which may be one of ASCII.
fn escape_wide(encoding: EncodingIndex, c: &[u8], out: &mut Vec<u8>) {
    let mut escaped = Vec::new();
    match codepoint(encoding, c).and_then(|(code, _)| u8::try_from(code).ok()).filter(u8::is_ascii) {
        Some(byte) => escape_byte(byte, &mut escaped),
        None => return out.extend_from_slice(c),
    }
    out.extend(widened(encoding, &escaped));
}

fn escape_byte(byte: u8, out: &mut Vec<u8>) {
    let letter = match byte {
        b'[' | b']' | b'{' | b'}' | b'(' | b')' | b'|' | b'-' | b'*' | b'.' | b'\\' | b'?' | b'+' | b'^' | b'$'
        | b'#' | b' ' => byte,
        b'\t' => b't',
        b'\n' => b'n',
        b'\r' => b'r',
        0x0B => b'v',
        0x0C => b'f',
        _ => return out.push(byte),
    };
    out.extend_from_slice(&[b'\\', letter]);
}

/// Options as the letters that `Regexp.new` takes, or the letters that it does not know.
pub(super) fn parse_letters(letters: &[u8]) -> Result<u8, String> {
    let mut options = 0;
    let mut is_unknown = false;
    for letter in letters {
        match option_of_letter(*letter) {
            Some(bit) => options |= bit,
            None => is_unknown = true,
        }
    }
    if is_unknown {
        return Err(format!("unknown regexp option: {}", String::from_utf8_lossy(letters)));
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str, options: u8) -> String {
        String::from_utf8(to_s(Text::utf8(source), options)).unwrap()
    }

    #[test]
    fn option_groups_are_merged() {
        assert_eq!(shown("a", 7), "(?mix:a)");
        assert_eq!(shown("(?i)a(?-i)b", 0), "(?i-mx:a(?-i)b)");
        assert_eq!(shown("(?i-m:a)", 4), "(?i-mx:a)");
        assert_eq!(shown("(?i:a)(?m:b)", 0), "(?-mix:(?i:a)(?m:b))");
        assert_eq!(shown("a/b", 0), "(?-mix:a\\/b)");
    }

    #[test]
    fn what_means_something_is_escaped() {
        let mut escaped = Vec::new();
        escape(Text::utf8("a.b*c\n[d] e-f#é"), &mut escaped);
        assert_eq!(String::from_utf8(escaped).unwrap(), "a\\.b\\*c\\n\\[d\\]\\ e\\-f\\#é");
    }

    #[test]
    fn inspect_escapes_slashes_once() {
        let shown = |source: &str| String::from_utf8(inspect(Text::utf8(source), 1)).unwrap();
        assert_eq!(shown("a/b\\/c\n"), "/a\\/b\\/c\n/i");
        assert_eq!(shown("\u{1}é"), "/\\x01é/i");
    }
}
