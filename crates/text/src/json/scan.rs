//! Reading tokens.
//!
//! Positions count bytes from the beginning of the source. One may lie behind its end, where a backslash was the last byte:
//! what is reported of it counts the byte that is not there.

use super::plain_prefix;
use memchr::{memchr, memmem};

/// What is wrong, and where; `%s` stands for what is found there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub at: usize,
    pub message: &'static str,
}

impl Fault {
    pub fn new(at: usize, message: &'static str) -> Fault {
        Fault { at, message }
    }
}

/// The byte at a position; 0 behind the end.
pub fn peek(source: &[u8], at: usize) -> u8 {
    source.get(at).copied().unwrap_or(0)
}

/// The position of the next byte that is neither white space nor part of a comment.
pub fn skip_space(source: &[u8], mut at: usize) -> Result<usize, Fault> {
    loop {
        match peek(source, at) {
            b' ' | b'\n' | b'\t' | b'\r' => at += 1,
            b'/' => at = skip_comment(source, at)?,
            _ => return Ok(at),
        }
    }
}

fn skip_comment(source: &[u8], start: usize) -> Result<usize, Fault> {
    let inside = source.get(start + 2..).unwrap_or_default();
    match peek(source, start + 1) {
        b'/' => Ok(memchr(b'\n', inside).map_or(source.len(), |end| start + 2 + end + 1)),
        b'*' => match memmem::find(inside, b"*/") {
            Some(end) => Ok(start + 2 + end + 2),
            None => Err(Fault::new(start, "unterminated comment, expected closing '*/'")),
        },
        _ => Err(Fault::new(start, "unexpected token %s")),
    }
}

/// Where the text between two quotes lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quoted {
    pub start: usize,
    pub end: usize,
    pub has_escapes: bool,
}

const CONTROL: &str = "invalid ASCII control character in string: %s";

/// The string whose opening quote is at `at`.
pub fn string(source: &[u8], at: usize) -> Result<Quoted, Fault> {
    let start = at + 1;
    let (mut end, mut has_escapes) = (start, false);
    loop {
        end += plain_prefix(source.get(end..).unwrap_or_default());
        match source.get(end) {
            Some(b'"') => return Ok(Quoted { start, end, has_escapes }),
            Some(b'\\') => {
                has_escapes = true;
                end += 2;
            }
            Some(_) => return Err(Fault::new(end, CONTROL)),
            None => return Err(Fault::new(end, "unexpected end of input, expected closing \"")),
        }
    }
}

/// Appends the text of a string, its escapes replaced.
pub fn unescape(source: &[u8], quoted: Quoted, out: &mut Vec<u8>) -> Result<(), Fault> {
    let mut run = quoted.start;
    while let Some(length) = source.get(run..quoted.end).and_then(|rest| memchr(b'\\', rest)) {
        let backslash = run + length;
        out.extend_from_slice(&source[run..backslash]);
        run = escape(source, backslash, run, quoted.end, out)?;
    }
    out.extend_from_slice(source.get(run..quoted.end).unwrap_or_default());
    Ok(())
}

/// Appends what the escape at `backslash` stands for; where it ends. `run` is where the text before it began.
fn escape(source: &[u8], backslash: usize, run: usize, end: usize, out: &mut Vec<u8>) -> Result<usize, Fault> {
    let byte = match peek(source, backslash + 1) {
        byte @ (b'"' | b'/' | b'\\') => byte,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'b' => 8,
        b'f' => 12,
        b'u' => return unicode(source, backslash, run, end, out),
        b'\n' => return Err(Fault::new(backslash, "Invalid unescaped newline character (\\n) in string: %s")),
        0..0x20 => return Err(Fault::new(backslash, CONTROL)),
        _ => return Err(Fault::new(backslash, "invalid escape character in string: %s")),
    };
    out.push(byte);
    Ok(backslash + 2)
}

const INCOMPLETE: &str = "incomplete unicode character escape sequence at %s";

/// The four digits of the escape at `backslash`.
fn hexadecimal(source: &[u8], backslash: usize) -> Result<u32, Fault> {
    let digits = source.get(backslash + 2..backslash + 6).unwrap_or_default();
    let value = |byte: &u8| char::from(*byte).to_digit(16);
    let number = digits.iter().try_fold(0, |number, digit| Some(number << 4 | value(digit)?));
    number.ok_or(Fault::new(backslash, INCOMPLETE))
}

fn unicode(source: &[u8], backslash: usize, run: usize, end: usize, out: &mut Vec<u8>) -> Result<usize, Fault> {
    if backslash + 6 > end {
        return Err(Fault::new(if run < backslash { run } else { backslash }, INCOMPLETE));
    }
    let code = hexadecimal(source, backslash)?;
    if code & 0xfc00 != 0xd800 {
        push_code(code, out);
        return Ok(backslash + 6);
    }
    let second = backslash + 6;
    if second + 6 > end || peek(source, second) != b'\\' || peek(source, second + 1) != b'u' {
        return Err(Fault::new(run, "incomplete surrogate pair at %s"));
    }
    let low = hexadecimal(source, second)?;
    if low & 0xfc00 != 0xdc00 {
        return Err(Fault::new(run, "invalid surrogate pair at %s"));
    }
    push_code(0x10000 + ((code & 0x3ff) << 10 | low & 0x3ff), out);
    Ok(second + 6)
}

/// Appends a code as UTF-8, half a surrogate pair included.
fn push_code(code: u32, out: &mut Vec<u8>) {
    match char::from_u32(code) {
        Some(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        None => out.extend([0xe0 | (code >> 12) as u8, 0x80 | (code >> 6 & 0x3f) as u8, 0x80 | (code & 0x3f) as u8]),
    }
}

/// Where a number ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    pub end: usize,
    pub is_integer: bool,
}

/// The number whose first digit or sign is at `start`.
pub fn number(source: &[u8], start: usize) -> Result<Number, Fault> {
    let invalid = Fault::new(start, "invalid number: %s");
    let first = start + usize::from(peek(source, start) == b'-');
    let mut end = digits_end(source, first);
    if end == first || (peek(source, first) == b'0' && end - first > 1) {
        return Err(invalid);
    }
    let mut is_integer = true;
    if peek(source, end) == b'.' {
        is_integer = false;
        let fraction = end + 1;
        end = digits_end(source, fraction);
        if end == fraction {
            return Err(invalid);
        }
    }
    if matches!(peek(source, end), b'e' | b'E') {
        is_integer = false;
        let exponent = end + 1 + usize::from(matches!(peek(source, end + 1), b'+' | b'-'));
        end = digits_end(source, exponent);
        if end == exponent {
            return Err(invalid);
        }
    }
    Ok(Number { end, is_integer })
}

fn digits_end(source: &[u8], from: usize) -> usize {
    let rest = source.get(from..).unwrap_or_default();
    from + rest.iter().position(|b| !b.is_ascii_digit()).unwrap_or(rest.len())
}

/// The nearest float to a number that [`number`] found.
pub fn float(text: &[u8]) -> f64 {
    std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()).unwrap_or(f64::NAN)
}

/// Line and column of a position, as json counts them: what stands in the line of the position is the column, and the lines
/// before it, but for one, the line.
pub fn place(source: &[u8], at: usize) -> (usize, usize) {
    let behind_end = (at + 1).saturating_sub(source.len());
    let seen = &source[..source.len().min(at + 1)];
    let (column, before) = match memchr::memrchr(b'\n', seen) {
        Some(newline) => (seen.len() - newline - 1, &seen[..newline]),
        None => (seen.len(), &seen[..0]),
    };
    (memchr::memchr_iter(b'\n', before).count() + 1, column + behind_end)
}

/// As much of what is wrong is shown.
const SHOWN: usize = 32;

/// What is found at a position, as messages show it: in quotes up to the next white space, without its last character if that is
/// not ASCII; what begins with white space as it is, up to a zero byte.
pub fn shown(source: &[u8], at: usize) -> Vec<u8> {
    let Some(rest) = source.get(at..).filter(|rest| !rest.is_empty()) else { return b"EOF".to_vec() };
    let is_end = |b: &u8| matches!(b, 0 | b'\n' | b' ' | b'\t' | b'\r');
    let mut length = rest.iter().take(SHOWN).position(is_end).unwrap_or(rest.len().min(SHOWN));
    if length == 0 {
        return rest[..memchr(0, rest).unwrap_or(rest.len())].to_vec();
    }
    while length > 0 && rest[length - 1] & 0xc0 == 0x80 {
        length -= 1;
    }
    length -= usize::from(length > 0 && rest[length - 1] >= 0xc0);
    [b"'", &rest[..length], b"'"].concat()
}
