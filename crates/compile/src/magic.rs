//! What a source's magic comment says of its encoding.
//!
//! The comment is the first line, or the second one behind a `#!` that names Ruby. It has one of three forms, looked for in this order:
//! * pairs between two `-*-`: `# -*- mode: ruby; coding: utf-8 -*-`;
//! * one pair and nothing else: `# encoding: utf-8`. A pair of another name says nothing of the encoding;
//! * `coding` anywhere, and `:` or `=` behind it: `# vim: set fileencoding=utf-8`.
//!
//! # References
//! CRuby's `parse.y`: `parser_magic_comment`, `set_file_encoding`, `parser_encode_length`.

/// The name that the comment gives, without the ending that editors add for kinds of line ends.
pub(crate) fn encoding(source: &[u8]) -> Option<String> {
    let mut lines = source.split(|&byte| byte == b'\n');
    let first = lines.next()?;
    let names_ruby = first.starts_with(b"#!") && first.windows(4).any(|window| window == b"ruby");
    let line = if names_ruby { lines.next()? } else { first };
    let comment = trim_start(line).strip_prefix(b"#")?;
    let name = match between_marks(comment) {
        Some(pairs) => among_pairs(pairs)?,
        None => match read_pair(comment) {
            Pair::Read { key, value, rest } if trim_start(rest).is_empty() => value_of_coding(key, value)?,
            _ => behind_coding(comment)?,
        },
    };
    Some(String::from_utf8_lossy(without_line_ends(name)).into_owned())
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

fn trim_start(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|&byte| !is_space(byte)).unwrap_or(text.len());
    &text[start..]
}

fn between_marks(comment: &[u8]) -> Option<&[u8]> {
    let mark = |text: &[u8]| text.windows(3).position(|window| window == b"-*-");
    let inside = &comment[mark(comment)? + 3..];
    Some(&inside[..mark(inside)?])
}

/// The value of the last pair that is about the encoding.
fn among_pairs(mut text: &[u8]) -> Option<&[u8]> {
    let mut name = None;
    loop {
        text = match read_pair(text) {
            Pair::Read { key, value, rest } => {
                name = value_of_coding(key, value).or(name);
                rest
            }
            Pair::NoColon { rest } => rest,
            Pair::End => return name,
        }
    }
}

fn value_of_coding<'s>(key: &[u8], value: &'s [u8]) -> Option<&'s [u8]> {
    (key.eq_ignore_ascii_case(b"coding") || key.eq_ignore_ascii_case(b"encoding")).then_some(value)
}

enum Pair<'s> {
    Read {
        key: &'s [u8],
        value: &'s [u8],
        rest: &'s [u8],
    },
    /// A word that no colon follows.
    NoColon {
        rest: &'s [u8],
    },
    End,
}

/// Reads `key: value`; the value may stand in double quotes.
fn read_pair(text: &[u8]) -> Pair<'_> {
    let is_mark = |byte: u8| matches!(byte, b'\'' | b'"' | b':' | b';');
    let Some(start) = text.iter().position(|&byte| !is_mark(byte) && !is_space(byte)) else { return Pair::End };
    let text = &text[start..];
    let (key, rest) = split(text, |byte| is_mark(byte) || is_space(byte));
    let rest = trim_start(rest);
    let Some(value) = rest.strip_prefix(b":") else { return Pair::NoColon { rest } };
    let value = trim_start(value);
    let (value, rest) = match value.strip_prefix(b"\"") {
        Some(quoted) => split(quoted, |byte| byte == b'"'),
        None => split(value, |byte| matches!(byte, b'"' | b';') || is_space(byte)),
    };
    Pair::Read { key, value, rest: rest.strip_prefix(b"\"").unwrap_or(rest) }
}

fn split(text: &[u8], is_end: impl Fn(u8) -> bool) -> (&[u8], &[u8]) {
    text.split_at(text.iter().position(|&byte| is_end(byte)).unwrap_or(text.len()))
}

/// The name behind the first `coding` that ends a word; `:` or `=` stands between them.
fn behind_coding(comment: &[u8]) -> Option<&[u8]> {
    let places = comment.windows(6).enumerate().filter(|(_, window)| window.eq_ignore_ascii_case(b"coding"));
    let mut ends = places.map(|(at, _)| &comment[at + 6..]);
    let rest = ends.find(|rest| rest.first().is_some_and(|&byte| is_space(byte) || matches!(byte, b':' | b'=')))?;
    let rest = trim_start(rest);
    let name = rest.strip_prefix(b":").or_else(|| rest.strip_prefix(b"="))?;
    Some(split(trim_start(name), |byte| !(byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))).0)
}

/// `utf-8-unix` is `utf-8`; `utf8-mac` is an encoding of its own.
fn without_line_ends(name: &[u8]) -> &[u8] {
    if name.eq_ignore_ascii_case(b"utf8-mac") {
        return name;
    }
    let ends_with = |end: &&&[u8]| name.len() > end.len() && name[name.len() - end.len()..].eq_ignore_ascii_case(end);
    let ending = [&b"-unix"[..], b"-dos", b"-mac"].iter().find(ends_with).map_or(0, |end| end.len());
    &name[..name.len() - ending]
}
