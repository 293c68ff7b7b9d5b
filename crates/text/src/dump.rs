//! `String#dump` and `String#undump`.
//!
//! # References
//! CRuby `rb_str_dump`, `str_undump`.

use crate::encoding::{EncodingIndex, codepoint};
use crate::inspect::{control_letter, push_hex, push_unicode};
use crate::number::large::Ask;
use crate::text::Text;

/// Appends a literal in ASCII that evaluates to the string again; its encoding is the string's own, or ASCII where that
/// is not ASCII-compatible.
pub fn dump(text: Text<'_>, out: &mut Vec<u8>) {
    out.push(b'"');
    dump_part(text, out);
    push_end(text.encoding, out);
}

/// The characters alone. A part ends as one for [`inspect`](crate::inspect::end_of_part) does.
pub fn dump_part(text: Text<'_>, out: &mut Vec<u8>) {
    let mut at = 0;
    while at < text.bytes.len() {
        at += dump_char(text, at, out);
    }
}

/// What follows the characters.
pub fn push_end(encoding: EncodingIndex, out: &mut Vec<u8>) {
    out.push(b'"');
    if !encoding.is_ascii_compatible() {
        out.extend(format!(".dup.force_encoding(\"{}\")", encoding.name()).as_bytes());
    }
}

/// The bytes dumped: a whole character where it goes by its Unicode number.
fn dump_char(text: Text<'_>, at: usize, out: &mut Vec<u8>) -> usize {
    let byte = text.bytes[at];
    let next = text.bytes.get(at + 1);
    match byte {
        b'"' | b'\\' => out.extend([b'\\', byte]),
        b'#' if matches!(next, Some(b'$' | b'@' | b'{')) => out.extend(b"\\#"),
        b' '..=b'~' => out.push(byte),
        0x80.. if text.encoding == EncodingIndex::UTF_8 => return dump_utf8(text, at, out),
        _ => match control_letter(byte) {
            Some(letter) => out.extend([b'\\', letter]),
            None => push_hex(byte, out),
        },
    }
    1
}

fn dump_utf8(text: Text<'_>, at: usize, out: &mut Vec<u8>) -> usize {
    match codepoint(text.encoding, &text.bytes[at..]) {
        Some((code, len)) => {
            push_unicode(code, out);
            len
        }
        None => {
            push_hex(text.bytes[at], out);
            1
        }
    }
}

/// Why a string is no dump: the message of the `RuntimeError`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UndumpError(pub &'static str);

const NOT_WRAPPED: UndumpError =
    UndumpError("invalid dumped string; not wrapped with '\"' nor '\"...\".force_encoding(\"...\")' form");
/// No message of CRuby's: nobody waits for the result any more.
const GIVEN_UP: UndumpError = UndumpError("given up");
const MIXED: UndumpError = UndumpError("hex escape and Unicode escape are mixed");
const BAD_UNICODE: UndumpError = UndumpError("invalid Unicode escape");

/// What a dump turned out to hold.
#[derive(Default)]
struct Undumper {
    bytes: Vec<u8>,
    has_unicode: bool,
    has_binary: bool,
}

/// The string a dump stands for and its encoding; `None` once `ask` says to give up.
pub fn undump(text: Text<'_>, ask: Ask<'_>) -> Option<Result<(Vec<u8>, EncodingIndex), UndumpError>> {
    match read_dump(text, ask) {
        Err(GIVEN_UP) => None,
        done => Some(done),
    }
}

fn read_dump(text: Text<'_>, ask: Ask<'_>) -> Result<(Vec<u8>, EncodingIndex), UndumpError> {
    if !text.is_ascii_only() {
        return Err(UndumpError("non-ASCII character detected"));
    }
    if text.bytes.contains(&0) {
        return Err(UndumpError("string contains null byte"));
    }
    let [b'"', body @ ..] = text.bytes else { return Err(NOT_WRAPPED) };
    if body.is_empty() {
        return Err(NOT_WRAPPED);
    }
    let mut undumper = Undumper::default();
    let suffix = undumper.run(body, ask)?;
    let encoding = undumper.encoding(suffix, text.encoding)?;
    Ok((undumper.bytes, encoding))
}

impl Undumper {
    /// Reads up to the closing quote; what follows it.
    fn run<'a>(&mut self, mut rest: &'a [u8], ask: Ask<'_>) -> Result<&'a [u8], UndumpError> {
        loop {
            if ask() {
                return Err(GIVEN_UP);
            }
            rest = match rest {
                [] => return Err(UndumpError("unterminated dumped string")),
                [b'"', suffix @ ..] => return Ok(suffix),
                [b'\\', escape @ ..] => self.escape(escape)?,
                [byte, rest @ ..] => {
                    self.bytes.push(*byte);
                    rest
                }
            };
        }
    }

    /// Reads an escape whose backslash is already read. An unknown one stands for itself.
    fn escape<'a>(&mut self, escape: &'a [u8]) -> Result<&'a [u8], UndumpError> {
        let (&letter, rest) = escape.split_first().ok_or(UndumpError("invalid escape"))?;
        match letter {
            b'\\' | b'"' | b'#' => self.bytes.push(letter),
            b'u' => return self.unicode(rest),
            b'x' => return self.hex(rest),
            _ => match (7..=0x1B).find(|&control| control_letter(control) == Some(letter)) {
                Some(control) => self.bytes.push(control),
                None => self.bytes.extend([b'\\', letter]),
            },
        }
        Ok(rest)
    }

    fn hex<'a>(&mut self, rest: &'a [u8]) -> Result<&'a [u8], UndumpError> {
        let (value, len) = scan_hex(rest, 2);
        if len != 2 {
            return Err(UndumpError("invalid hex escape"));
        }
        if value >= 0x80 {
            self.has_binary = true;
            if self.has_unicode {
                return Err(MIXED);
            }
        }
        self.bytes.push(value as u8);
        Ok(&rest[2..])
    }

    fn unicode<'a>(&mut self, rest: &'a [u8]) -> Result<&'a [u8], UndumpError> {
        if rest.is_empty() {
            return Err(BAD_UNICODE);
        }
        if self.has_binary {
            return Err(MIXED);
        }
        self.has_unicode = true;
        if let [b'{', rest @ ..] = rest {
            return self.unicode_list(rest);
        }
        let (value, len) = scan_hex(rest, 4);
        if len != 4 {
            return Err(BAD_UNICODE);
        }
        self.push_char(value)?;
        Ok(&rest[4..])
    }

    /// `\u{…}`: any number of code points between white space.
    fn unicode_list<'a>(&mut self, mut rest: &'a [u8]) -> Result<&'a [u8], UndumpError> {
        loop {
            match rest {
                [] => return Err(UndumpError("unterminated Unicode escape")),
                [b'}', rest @ ..] => return Ok(rest),
                [byte, after @ ..] if crate::ctype::is_space(*byte) => rest = after,
                _ => {
                    let (value, len) = scan_hex(rest, rest.len());
                    if !(1..=6).contains(&len) {
                        return Err(BAD_UNICODE);
                    }
                    self.push_char(value)?;
                    rest = &rest[len..];
                }
            }
        }
    }

    fn push_char(&mut self, code: u32) -> Result<(), UndumpError> {
        if code > 0x10FFFF {
            return Err(UndumpError("invalid Unicode codepoint (too large)"));
        }
        let c = char::from_u32(code).ok_or(UndumpError("invalid Unicode codepoint"))?;
        self.bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(())
    }

    /// The result's encoding: UTF-8 where a Unicode escape says so, the one the suffix forces, else the dump's own.
    fn encoding(&self, suffix: &[u8], own: EncodingIndex) -> Result<EncodingIndex, UndumpError> {
        if suffix.is_empty() {
            return Ok(if self.has_unicode { EncodingIndex::UTF_8 } else { own });
        }
        let call = suffix.strip_prefix(b".dup").unwrap_or(suffix);
        let argument = call.strip_prefix(b".force_encoding(\"").ok_or(NOT_WRAPPED)?;
        if self.has_unicode {
            return Err(UndumpError("dumped string contained Unicode escape but used force_encoding"));
        }
        let name = argument.strip_suffix(b"\")").filter(|name| !name.contains(&b'"')).ok_or(NOT_WRAPPED)?;
        EncodingIndex::find_by_name(name).ok_or(UndumpError("dumped string has unknown encoding name"))
    }
}

/// The number at most `max` hexadecimal digits make and how many there are; more than eight do not fit, and no caller
/// takes that many.
fn scan_hex(bytes: &[u8], max: usize) -> (u32, usize) {
    let digits = bytes.iter().take(max).map_while(|&byte| (byte as char).to_digit(16));
    digits.fold((0, 0), |(value, len), digit| (value << 4 | digit, len + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::large::never;

    fn dumped(bytes: &[u8], encoding: EncodingIndex) -> String {
        let mut out = Vec::new();
        dump(Text::of(bytes, encoding), &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn dump_is_ascii() {
        let utf8 = |text: &str| dumped(text.as_bytes(), EncodingIndex::UTF_8);
        assert_eq!(utf8("あ\u{1}\0é\u{1b}#{}#a\"\\"), r##""\u3042\x01\x00\u00E9\e\#{}#a\"\\""##);
        assert_eq!(utf8("\u{1F600}\u{80}"), r#""\u{1F600}\u0080""#);
        assert_eq!(dumped("あ\u{0}".as_bytes(), EncodingIndex::BINARY), r#""\xE3\x81\x82\x00""#);
        assert_eq!(dumped(b"\xE3\x81\x82\xFF", EncodingIndex::UTF_8), r#""\u3042\xFF""#);
        assert_eq!(dumped(b"a\0\xE9\0", EncodingIndex::UTF_16LE), r#""a\x00\xE9\x00".dup.force_encoding("UTF-16LE")"#);
        assert_eq!(dumped(b"\xA4\xA2", EncodingIndex::EUC_JP), r#""\xA4\xA2""#);
    }

    fn undumped(dump: &str) -> Result<(String, EncodingIndex), &'static str> {
        let (bytes, encoding) = read_dump(Text::utf8(dump), &never).map_err(|error| error.0)?;
        Ok((String::from_utf8_lossy(&bytes).into_owned(), encoding))
    }

    #[test]
    fn undump_reverses() {
        let text = |dump| undumped(dump).unwrap().0;
        assert_eq!(text(r##""\u3042\x41\101\n\#{""##), "あA\\101\n#{");
        assert_eq!(text(r#""\u{3042 41}\u{}""#), "あA");
        assert_eq!(text(r#""\xe3\x81\x82""#), "あ");
        assert_eq!(text(r#""\q\"\M-a\c\e""#), "\\q\"\\M-a\\c\u{1b}");
        let forced = undumped(r#""a\x00".dup.force_encoding("UTF-16LE")"#);
        assert_eq!(forced, Ok(("a\0".to_owned(), EncodingIndex::UTF_16LE)));
        let own = read_dump(Text::of(b"\"a\"", EncodingIndex::BINARY), &never).unwrap().1;
        assert_eq!(own, EncodingIndex::BINARY);
        assert_eq!(read_dump(Text::of(br#""\u3042""#, EncodingIndex::BINARY), &never).unwrap().1, EncodingIndex::UTF_8);
    }

    #[test]
    fn undump_refuses_what_is_no_dump() {
        for (dump, message) in [
            (r#""a"#, "unterminated dumped string"),
            ("a", NOT_WRAPPED.0),
            (r#""a"b"#, NOT_WRAPPED.0),
            (r#""\x61".foo"#, NOT_WRAPPED.0),
            (r#""\x61".dup.force_encoding("UTF-8""#, NOT_WRAPPED.0),
            (r#""\x61".dup.force_encoding("nope")"#, "dumped string has unknown encoding name"),
            (r#""\u3042\xff""#, "hex escape and Unicode escape are mixed"),
            (r#""\xff\u3042""#, "hex escape and Unicode escape are mixed"),
            (r#""\u{110000}""#, "invalid Unicode codepoint (too large)"),
            (r#""\ud800""#, "invalid Unicode codepoint"),
            (r#""\xg""#, "invalid hex escape"),
            (r#""\u12""#, "invalid Unicode escape"),
            (r#""\u{3042""#, "invalid Unicode escape"),
            (r#""\u{1234567}""#, "invalid Unicode escape"),
            ("\"\\", "invalid escape"),
            ("\"あ\"", "non-ASCII character detected"),
            ("\"a\0\"", "string contains null byte"),
        ] {
            assert_eq!(undumped(dump), Err(message), "{dump}");
        }
    }
}
