//! A pattern as Onigmo gets it, and as its warnings show it.

use carat_text::encoding::{Char, EncodingIndex, char_len};

/// Onigmo's buffer for a warning. A pattern that might not fit is left out.
const BUFFER: usize = 256;

/// The source without comments, escapes of code points as characters.
pub(super) fn read(source: &[u8], is_extended: bool, encoding: EncodingIndex) -> Vec<u8> {
    let mut out = Vec::with_capacity(source.len());
    let (mut at, mut in_class) = (0, 0usize);
    while at < source.len() {
        let rest = &source[at..];
        at += match rest {
            [b'\\', b'u', ..] if encoding == EncodingIndex::UTF_8 || encoding == EncodingIndex::US_ASCII => {
                code_points(rest, &mut out)
            }
            [b'\\', b'c', control, ..] => control_escape(*control, &mut out),
            [b'\\', b'0', ..] => octal_escape(rest, &mut out),
            [b'\\', _, ..] => copy(rest, 2, &mut out),
            [b'(', b'?', b'#', ..] if in_class == 0 => position(rest, b')'),
            [b'#', ..] if is_extended && in_class == 0 => position(rest, b'\n'),
            [byte, ..] => {
                match byte {
                    b'[' => in_class += 1,
                    b']' => in_class = in_class.saturating_sub(1),
                    _ => {}
                }
                copy(rest, 1, &mut out)
            }
            [] => 0,
        };
    }
    out
}

fn copy(rest: &[u8], len: usize, out: &mut Vec<u8>) -> usize {
    out.extend_from_slice(&rest[..len]);
    len
}

/// Up to and with the first of these bytes, or all.
fn position(rest: &[u8], end: u8) -> usize {
    rest.iter().position(|b| *b == end).map_or(rest.len(), |n| n + 1)
}

/// `\u0061` or `\u{61 62}`; its length.
fn code_points(rest: &[u8], out: &mut Vec<u8>) -> usize {
    let (digits, len) = match rest.get(2) {
        Some(b'{') => {
            let len = position(rest, b'}');
            (&rest[3..len.max(4) - 1], len)
        }
        _ => (&rest[2..rest.len().min(6)], rest.len().min(6)),
    };
    let digits = String::from_utf8_lossy(digits);
    for c in digits.split_ascii_whitespace().filter_map(|d| u32::from_str_radix(d, 16).ok()).filter_map(char::from_u32)
    {
        if c.is_ascii() {
            out.extend_from_slice(format!("\\x{:02x}", u32::from(c)).as_bytes());
        } else {
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
    len
}

fn control_escape(letter: u8, out: &mut Vec<u8>) -> usize {
    if !letter.is_ascii_alphabetic() {
        return copy(b"\\c", 2, out);
    }
    out.extend_from_slice(format!("\\x{:02x}", letter & 0x1F).as_bytes());
    3
}

fn octal_escape(rest: &[u8], out: &mut Vec<u8>) -> usize {
    let digits = rest[1..].iter().take(3).take_while(|b| (b'0'..=b'7').contains(b));
    let (value, len) = digits.fold((0u32, 0), |(value, len), d| (value * 8 + u32::from(d - b'0'), len + 1));
    out.extend_from_slice(format!("\\x{value:02x}").as_bytes());
    1 + len
}

/// The message with the pattern behind it.
pub(super) fn with_pattern(mut message: String, text: &[u8], encoding: EncodingIndex) -> String {
    if message.len() + 4 * text.len() + 4 >= BUFFER {
        return message;
    }
    let mut shown = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let is_escape = text[at] == b'\\' && at + 1 < text.len();
        let len = usize::from(is_escape) + step(encoding, &text[at + usize::from(is_escape)..]);
        let part = &text[at..at + len];
        at += part.len();
        match part {
            b"/" => shown.extend_from_slice(b"\\/"),
            [byte] if !byte.is_ascii_graphic() && *byte != b' ' => {
                shown.extend_from_slice(format!("\\x{byte:02x}").as_bytes());
            }
            part => shown.extend_from_slice(part),
        }
    }
    message.push_str(": /");
    message.push_str(&String::from_utf8_lossy(&shown));
    message.push('/');
    message
}

fn step(encoding: EncodingIndex, rest: &[u8]) -> usize {
    match char_len(encoding, rest) {
        Char::Valid(len) => len as usize,
        _ => 1,
    }
}
