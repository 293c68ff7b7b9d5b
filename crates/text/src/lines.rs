//! `String#each_line`, `chomp` and `chop`.
//!
//! # References
//! CRuby `rb_str_each_line`, `chompped_length`, `chopped_length`.

use crate::chars;
use crate::encoding::{EncodingIndex, encode_codepoint};
use crate::search;
use crate::text::Text;
use std::ops::Range;

/// Where lines end.
#[derive(Clone, Copy, Debug)]
pub enum Separator<'a> {
    /// "\n"; chomping also drops a carriage return before it.
    Newline,
    /// The empty separator: paragraphs end with two or more newlines.
    Paragraph,
    /// Any other string.
    Text(Text<'a>),
}

/// Calls `emit` with the bytes of each line.
pub fn each_line(text: Text<'_>, separator: Separator<'_>, chomp: bool, mut emit: impl FnMut(Range<usize>)) {
    let mut start = 0;
    while let Some(line) = next_line(text, separator, chomp, start) {
        emit(line.shown);
        start = line.next;
    }
}

/// A line and where the one after it begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    pub shown: Range<usize>,
    pub next: usize,
}

/// The line that begins at `start`, `None` at the end of the string.
pub fn next_line(text: Text<'_>, separator: Separator<'_>, chomp: bool, start: usize) -> Option<Line> {
    if start >= text.bytes.len() {
        return None;
    }
    Some(match separator {
        Separator::Newline => newline_line(text, chomp, start),
        Separator::Paragraph => paragraph(text, chomp, start),
        Separator::Text(separator) => separated_line(text, separator, chomp, start),
    })
}

/// The character `ascii` in the encoding of `text`.
fn encoded(encoding: EncodingIndex, ascii: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    if encode_codepoint(encoding, u32::from(ascii), &mut bytes).is_err() {
        bytes.push(ascii);
    }
    bytes
}

/// The first newline at or after `from`. No trail byte is a newline in any encoding with bytes for units.
fn find_newline(text: Text<'_>, from: usize) -> Option<Range<usize>> {
    if text.encoding.min_len() == 1 {
        return memchr::memchr(b'\n', &text.bytes[from..]).map(|at| from + at..from + at + 1);
    }
    let newline = encoded(text.encoding, b'\n');
    let at = search::index(text, Text::of(&newline, text.encoding), from)?;
    Some(at..at + newline.len())
}

fn newline_line(text: Text<'_>, chomp: bool, start: usize) -> Line {
    let next = find_newline(text, start).map_or(text.bytes.len(), |newline| newline.end);
    let line = text.part(start..next);
    // Only a newline ends a line, so a carriage return at the end of the string stays.
    let drops = chomp && ends_in(line, b'\n');
    Line { shown: start..start + if drops { smart_chomp(line) } else { next - start }, next }
}

fn separated_line(text: Text<'_>, separator: Text<'_>, chomp: bool, start: usize) -> Line {
    match search::index(text, separator, start) {
        None => Line { shown: start..text.bytes.len(), next: text.bytes.len() },
        Some(at) => {
            let next = at + separator.bytes.len();
            Line { shown: start..if chomp { at } else { next }, next }
        }
    }
}

/// The newline at exactly `at`, with a carriage return before it.
fn newline_at(text: Text<'_>, at: usize) -> Option<usize> {
    let is = |at: usize, ascii: u8| text.bytes[at..].starts_with(&encoded(text.encoding, ascii));
    let unit = text.encoding.min_len();
    let newline = if is(at, b'\r') { at + unit } else { at };
    is(newline, b'\n').then_some(newline + unit)
}

fn skip_newlines(text: Text<'_>, mut at: usize) -> usize {
    while let Some(next) = newline_at(text, at) {
        at = next;
    }
    at
}

/// A paragraph shows two newlines of those that end it, chomped none; a last one that lacks them is never chomped.
fn paragraph(text: Text<'_>, chomp: bool, start: usize) -> Line {
    let mut from = start;
    while let Some(newline) = find_newline(text, from) {
        if let Some(second) = newline_at(text, newline.end) {
            let end = if chomp { start + chomp_newline(text.part(start..newline.end)) } else { second };
            return Line { shown: start..end, next: skip_newlines(text, second) };
        }
        from = newline.end;
    }
    Line { shown: start..text.bytes.len(), next: text.bytes.len() }
}

/// Whether the last character is `ascii`.
/// Whether a text ends in a character of ASCII.
pub fn ends_in(text: Text<'_>, ascii: u8) -> bool {
    match text.encoding.min_len() {
        1 => text.bytes.last() == Some(&ascii),
        _ => {
            let suffix = encoded(text.encoding, ascii);
            search::ends_with(text, Text::of(&suffix, text.encoding))
        }
    }
}

/// The length without a newline and a carriage return before it.
fn chomp_newline(text: Text<'_>) -> usize {
    let unit = text.encoding.min_len();
    let len = text.bytes.len();
    if !ends_in(text, b'\n') {
        return len;
    }
    let rest = text.part(0..len - unit);
    if ends_in(rest, b'\r') { rest.bytes.len() - unit } else { rest.bytes.len() }
}

/// The length after `chomp` without an argument: one of CR LF, LF and CR goes.
pub fn smart_chomp(text: Text<'_>) -> usize {
    let len = chomp_newline(text);
    if len == text.bytes.len() && ends_in(text, b'\r') { len - text.encoding.min_len() } else { len }
}

/// The length after `chomp("")`: every newline at the end goes, with the carriage returns that belong to them.
pub fn chomp_paragraph(text: Text<'_>) -> usize {
    let mut len = text.bytes.len();
    loop {
        let shorter = chomp_newline(text.part(0..len));
        if shorter == len {
            return len;
        }
        len = shorter;
    }
}

/// Whether a text is one character of ASCII as its encoding has it, and nothing else.
pub fn is_only(text: Text<'_>, byte: u8) -> bool {
    text.bytes.len() == text.encoding.min_len() && ends_in(text, byte)
}

/// The length after `chomp(separator)`; an empty separator and "\n" have their own meanings.
pub fn chomp(text: Text<'_>, separator: Text<'_>) -> usize {
    match separator.bytes {
        b"" => chomp_paragraph(text),
        b"\n" => smart_chomp(text),
        bytes if !separator.is_broken() && search::ends_with(text, separator) => text.bytes.len() - bytes.len(),
        _ => text.bytes.len(),
    }
}

/// The length after `chop`: CR LF goes together, else the last character.
pub fn chop(text: Text<'_>) -> usize {
    let newline = chomp_newline(text);
    if newline + 2 * text.encoding.min_len() == text.bytes.len() {
        return newline;
    }
    text.bytes.len().checked_sub(1).map_or(0, |last| chars::left_adjust(text, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, separator: &str, chomp: bool) -> Vec<String> {
        let view = Text::utf8(text);
        let separator = match separator {
            "" => Separator::Paragraph,
            "\n" => Separator::Newline,
            other => Separator::Text(Text::utf8(other)),
        };
        let mut found = Vec::new();
        each_line(view, separator, chomp, |line| found.push(text[line].to_owned()));
        found
    }

    #[test]
    fn lines_end_with_newlines() {
        assert_eq!(lines("a\nb\n\n\nc", "\n", false), ["a\n", "b\n", "\n", "\n", "c"]);
        assert_eq!(lines("a\r\nb\rc\n", "\n", true), ["a", "b\rc"]);
        assert_eq!(lines("a\r", "\n", true), ["a\r"]);
        assert!(lines("", "\n", false).is_empty());
    }

    #[test]
    fn paragraphs_end_with_two_newlines() {
        assert_eq!(lines("a\nb\n\n\nc\n\n", "", false), ["a\nb\n\n", "c\n\n"]);
        assert_eq!(lines("a\nb\n\n\n\nc\n\n\n", "", true), ["a\nb", "c"]);
        assert_eq!(lines("a\r\n\r\nb\r\n\r\n\r\nc", "", false), ["a\r\n\r\n", "b\r\n\r\n", "c"]);
        assert_eq!(lines("a\r\n\r\nb\r\n\r\n\r\nc", "", true), ["a", "b", "c"]);
        assert_eq!(lines("a\n\nb\n", "", true), ["a", "b\n"]);
        assert_eq!(lines("\n\n\na\n\nb", "", false), ["\n\n", "a\n\n", "b"]);
    }

    #[test]
    fn any_string_separates_lines() {
        assert_eq!(lines("axxbxxc", "xx", true), ["a", "b", "c"]);
        assert_eq!(lines("axxbxxc", "xx", false), ["axx", "bxx", "c"]);
    }

    #[test]
    fn wide_encodings_have_wide_newlines() {
        let text = Text::of(b"a\0\r\0\n\0b\0", EncodingIndex::UTF_16LE);
        let mut found = Vec::new();
        each_line(text, Separator::Newline, true, |line| found.push(line));
        assert_eq!(found, [0..2, 6..8]);
    }

    #[test]
    fn chomp_takes_one_line_end() {
        let chomp = |text: &str, separator: &str| text[..chomp(Text::utf8(text), Text::utf8(separator))].to_owned();
        assert_eq!(chomp("a\r\n", "\n"), "a");
        assert_eq!(chomp("a\r", "\n"), "a");
        assert_eq!(chomp("a\n\r", "\n"), "a\n");
        assert_eq!(chomp("a\n\n", ""), "a");
        assert_eq!(chomp("a\r\n\r\n", ""), "a");
        assert_eq!(chomp("a\r\r", ""), "a\r\r");
        assert_eq!(chomp("axx", "x"), "ax");
        assert_eq!(chomp("a\n", "\r\n"), "a\n");
    }

    #[test]
    fn chop_takes_one_character_or_crlf() {
        let chop = |text: &str| text[..chop(Text::utf8(text))].to_owned();
        assert_eq!(chop("a\r\n"), "a");
        assert_eq!(chop("a\n\r"), "a\n");
        assert_eq!(chop("aあ"), "a");
        assert_eq!(chop("\r\n"), "");
        assert_eq!(chop(""), "");
    }
}
