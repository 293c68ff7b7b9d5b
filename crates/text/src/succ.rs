//! `String#succ` and what `String#upto` needs to know.
//!
//! The rightmost letter or digit is raised and carries to the next one on the left; a string without any has its last
//! character raised. The next character is found by counting in bytes, skipping what is no character.
//!
//! # References
//! CRuby `str_succ`, `enc_succ_char`, `enc_succ_alnum_char`, `rb_str_upto_each`.

use crate::chars;
use crate::ctype::{is_alpha, is_digit};
use crate::encoding::{Char, EncodingIndex, char_len, codepoint, encode_codepoint};
use crate::text::Text;
use std::ops::Range;

/// The longest character of any encoding.
type Bytes = Vec<u8>;

/// What counting made of a character.
enum Step {
    /// The next character.
    Found,
    /// Counting came round; the bytes are the first of their length.
    Wrapped,
    NotChar,
}

/// A direction to count in: where a byte turns over, and what it turns to.
struct Direction {
    last: u8,
    first: u8,
    add: u8,
}

const UP: Direction = Direction { last: 0xFF, first: 0x00, add: 1 };
const DOWN: Direction = Direction { last: 0x00, first: 0xFF, add: 0xFF };

/// The successor of `text`; `None` if `is_asked` told now and then that something else has to be done first.
pub fn succ(text: Text<'_>, is_asked: &dyn Fn() -> bool) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.bytes.len() + 1);
    bytes.extend(text.bytes);
    let Some(last) = bytes.last_mut() else { return Some(bytes) };
    // Nothing is carried, and the byte is a character.
    if matches!(*last, b'0'..=b'8' | b'a'..=b'y' | b'A'..=b'Y') && (text.is_single_byte() || text.encoding.is_utf8()) {
        *last += 1;
        return Some(bytes);
    }
    let bounds = boundaries(text, is_asked)?;
    let carry = match raise_alnum(text, &bounds, &mut bytes, is_asked)? {
        Raised::Nothing => raise_last(text, &bounds, &mut bytes, is_asked)?,
        Raised::Carrying(carry) => Some(carry),
        Raised::Done => None,
    };
    if let Some(Carry { at, char }) = carry {
        bytes.splice(at..at, char);
    }
    Some(bytes)
}

/// What became of the letters and digits.
enum Raised {
    /// There are none.
    Nothing,
    Done,
    /// All came round.
    Carrying(Carry),
}

/// Characters between two questions: some hundred microseconds.
const ASK_EVERY: usize = 1 << 14;

fn is_time_to_ask(index: usize) -> bool {
    index.is_multiple_of(ASK_EVERY)
}

/// A character to insert because everything to its right came round.
struct Carry {
    at: usize,
    char: Bytes,
}

/// The characters as byte ranges.
fn boundaries(text: Text<'_>, is_asked: &dyn Fn() -> bool) -> Option<Vec<Range<usize>>> {
    let mut bounds = Vec::new();
    let mut start = 0;
    for char in chars::iter(text) {
        if is_time_to_ask(bounds.len()) && is_asked() {
            return None;
        }
        bounds.push(start..start + char.len());
        start += char.len();
    }
    Some(bounds)
}

fn is_char(encoding: EncodingIndex, bytes: &[u8]) -> bool {
    char_len(encoding, bytes) == Char::Valid(bytes.len() as u8)
}

/// Raises the rightmost letters and digits.
fn raise_alnum(
    text: Text<'_>,
    bounds: &[Range<usize>],
    bytes: &mut [u8],
    is_asked: &dyn Fn() -> bool,
) -> Option<Raised> {
    let mut last_alnum: Option<usize> = None;
    let mut raised = Raised::Nothing;
    let mut is_gap = false;
    for (index, range) in bounds.iter().enumerate().rev() {
        if is_time_to_ask(index) && is_asked() {
            return None;
        }
        if is_gap && last_alnum.is_some_and(|last| changes_class(bytes[last], bytes[range.start])) {
            break;
        }
        let char = &mut bytes[range.clone()];
        if !is_char(text.encoding, char) {
            continue;
        }
        match succ_alnum(text.encoding, char) {
            Alnum::Neither => is_gap = true,
            Alnum::Found => return Some(Raised::Done),
            Alnum::Wrapped(first) => {
                is_gap = false;
                last_alnum = Some(range.start);
                raised = Raised::Carrying(Carry { at: range.start, char: first });
            }
        }
    }
    Some(raised)
}

/// A letter and a digit with something else between them do not carry into each other ("1.9" carries, "a-9" does not).
fn changes_class(right: u8, left: u8) -> bool {
    right.is_ascii_alphabetic() && left.is_ascii_digit() || right.is_ascii_digit() && left.is_ascii_alphabetic()
}

enum Alnum {
    Found,
    /// The character went back to the first of its kind; the one to carry.
    Wrapped(Bytes),
    Neither,
}

/// Raises a letter to the next letter or a digit to the next digit.
fn succ_alnum(encoding: EncodingIndex, char: &mut [u8]) -> Alnum {
    if let [byte] = char
        && encoding.is_ascii_compatible()
        && byte.is_ascii_alphanumeric()
    {
        return succ_ascii(byte);
    }
    let Some((code, _)) = codepoint(encoding, char) else { return Alnum::Neither };
    let is_number = is_digit(encoding, code);
    if !is_number && !is_alpha(encoding, code) {
        return Alnum::Neither;
    }
    let class = if is_number { is_digit } else { is_alpha };
    let is_in_class = |char: &[u8]| codepoint(encoding, char).is_some_and(|(code, _)| class(encoding, code));
    // One gap is skipped: U+03A2 is missing among the Greek capitals.
    let mut next = char.to_vec();
    for _ in 0..2 {
        if matches!(step(encoding, &mut next, &UP), Step::Found) && is_in_class(&next) {
            char.copy_from_slice(&next);
            return Alnum::Found;
        }
    }
    wrap_alnum(encoding, char, is_in_class, is_number)
}

fn succ_ascii(byte: &mut u8) -> Alnum {
    // "9" becomes "10", but "z" becomes "aa".
    let (first, carry) = match *byte {
        b'9' => (b'0', b'1'),
        b'z' => (b'a', b'a'),
        b'Z' => (b'A', b'A'),
        _ => {
            *byte += 1;
            return Alnum::Found;
        }
    };
    *byte = first;
    Alnum::Wrapped(vec![carry])
}

/// Goes back to the first character of the run of the same class. A run of one cannot be raised.
fn wrap_alnum(encoding: EncodingIndex, char: &mut [u8], is_in_class: impl Fn(&[u8]) -> bool, is_digit: bool) -> Alnum {
    let mut first = char.to_vec();
    loop {
        let mut before = first.clone();
        if !matches!(step(encoding, &mut before, &DOWN), Step::Found) || !is_in_class(&before) {
            break;
        }
        first = before;
    }
    if first == char {
        return Alnum::Neither;
    }
    char.copy_from_slice(&first);
    if is_digit {
        step(encoding, &mut first, &UP);
    }
    Alnum::Wrapped(first)
}

/// Raises the last character, and those before it as long as they come round; the carry if all did.
fn raise_last(
    text: Text<'_>,
    bounds: &[Range<usize>],
    bytes: &mut [u8],
    is_asked: &dyn Fn() -> bool,
) -> Option<Option<Carry>> {
    let mut carry = Carry { at: 0, char: encoded_one(text.encoding) };
    for (index, range) in bounds.iter().enumerate().rev() {
        if is_time_to_ask(index) && is_asked() {
            return None;
        }
        let mut char = bytes[range.clone()].to_vec();
        if !is_char(text.encoding, &char) {
            continue;
        }
        match step(text.encoding, &mut char, &UP) {
            Step::Found => {
                bytes[range.clone()].copy_from_slice(&char);
                return Some(None);
            }
            Step::Wrapped => {
                // Zeros, which may be no character of that length; the first that is one follows.
                if !is_char(text.encoding, &char) {
                    step(text.encoding, &mut char, &UP);
                }
                bytes[range.clone()].copy_from_slice(&char);
            }
            Step::NotChar => {}
        }
        carry.at = range.start;
    }
    Some(Some(carry))
}

/// What is put in front when nothing is left to carry into.
fn encoded_one(encoding: EncodingIndex) -> Bytes {
    let mut bytes = Vec::new();
    let _ = encode_codepoint(encoding, 1, &mut bytes);
    bytes
}

/// Counts to the neighbouring character of the same length.
fn step(encoding: EncodingIndex, char: &mut [u8], direction: &Direction) -> Step {
    if encoding.min_len() > 1 { step_wide(encoding, char, direction) } else { step_bytes(encoding, char, direction) }
}

fn step_wide(encoding: EncodingIndex, char: &mut [u8], direction: &Direction) -> Step {
    let Some((code, _)) = codepoint(encoding, char) else { return Step::NotChar };
    let next = if direction.add == 1 { code.checked_add(1) } else { code.checked_sub(1) };
    let mut bytes = Vec::new();
    match next.and_then(|code| encode_codepoint(encoding, code, &mut bytes).ok()) {
        Some(len) if len == char.len() => {
            char.copy_from_slice(&bytes);
            Step::Found
        }
        Some(_) => Step::Wrapped,
        None => Step::NotChar,
    }
}

fn step_bytes(encoding: EncodingIndex, char: &mut [u8], direction: &Direction) -> Step {
    loop {
        let Some(at) = turn_over(char, direction) else { return Step::Wrapped };
        char[at] = char[at].wrapping_add(direction.add);
        match char_len(encoding, char) {
            Char::Valid(len) if len as usize == char.len() => return Step::Found,
            Char::Valid(len) => char[len as usize..].fill(direction.last),
            Char::Invalid if at < char.len() - 1 => {
                // The bytes after the longest beginning of a character can only be counted through.
                let is_started = |len: &usize| char_len(encoding, &char[..*len]) != Char::Invalid;
                let started = (1..char.len()).rev().find(is_started).unwrap_or(0);
                char[started + 1..].fill(direction.last);
            }
            _ => {}
        }
    }
}

/// Turns over the bytes at the end that are at their last value; the place of the one to count on.
fn turn_over(char: &mut [u8], direction: &Direction) -> Option<usize> {
    let at = char.iter().rposition(|&byte| byte != direction.last);
    char[at.map_or(0, |at| at + 1)..].fill(direction.first);
    at
}

/// How `String#upto` goes from one string to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Upto {
    /// Both are one ASCII character: through the bytes.
    Ascii { from: u8, to: u8 },
    /// Both are ASCII digits: by number, at least `width` digits wide.
    Digits { width: usize },
    /// By [`succ`] until the end or a longer string is reached.
    Succ,
}

/// Chooses the way for [`Upto`].
pub fn upto(from: Text<'_>, to: Text<'_>) -> Upto {
    match (from.bytes, to.bytes) {
        (&[from @ ..0x80], &[to @ ..0x80]) => Upto::Ascii { from, to },
        (start, end) if are_digits(start) && are_digits(end) => Upto::Digits { width: start.len() },
        _ => Upto::Succ,
    }
}

fn are_digits(bytes: &[u8]) -> bool {
    !bytes.is_empty() && bytes.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(bytes: &[u8], encoding: EncodingIndex) -> Vec<u8> {
        succ(Text::of(bytes, encoding), &|| false).unwrap()
    }

    #[test]
    fn who_asks_is_answered_first() {
        assert_eq!(succ(Text::utf8("az"), &|| true), None);
    }

    #[test]
    fn alphanumerics_carry() {
        for (from, to) in [
            ("z", "aa"),
            ("Zz", "AAa"),
            ("a9", "b0"),
            ("Az", "Ba"),
            ("zZ9", "aaA0"),
            ("1.9.9", "2.0.0"),
            ("a-", "b-"),
            ("<<koala>>", "<<koalb>>"),
            ("-9", "-10"),
            ("9", "10"),
            ("az-z", "ba-a"),
            ("a-9", "a-10"),
            ("1.9", "2.0"),
            ("", ""),
            ("a!", "b!"),
        ] {
            assert_eq!(String::from_utf8(next(from.as_bytes(), EncodingIndex::UTF_8)).unwrap(), to, "{from}");
        }
    }

    #[test]
    fn letters_beyond_ascii_count() {
        for (from, to) in [
            ("あ", "ぃ"),
            ("ん", "ゔ"),
            ("Zzあ", "Zzぃ"),
            ("é", "ê"),
            ("zé", "zê"),
            ("Ω", "Ϊ"),
            ("zÿ", "zĀ"),
            ("a\u{10ffff}", "b\u{10ffff}"),
        ] {
            assert_eq!(String::from_utf8(next(from.as_bytes(), EncodingIndex::UTF_8)).unwrap(), to, "{from}");
        }
    }

    #[test]
    fn other_characters_count_by_code() {
        let utf8 = |text: &str| String::from_utf8(next(text.as_bytes(), EncodingIndex::UTF_8)).unwrap();
        assert_eq!(utf8("***"), "**+");
        assert_eq!(utf8("-"), ".");
        assert_eq!(utf8("~"), "\u{7f}");
        assert_eq!(utf8("\u{d7ff}"), "\u{e000}");
        assert_eq!(utf8("\u{7f}"), "\u{1}\0");
        assert_eq!(next(b"\xFF", EncodingIndex::BINARY), b"\x01\x00");
        assert_eq!(next(b"\xFF\xFF", EncodingIndex::BINARY), b"\x01\x00\x00");
        assert_eq!(next(b"\xFFz", EncodingIndex::UTF_8), b"\xFFaa");
        assert_eq!(next(b"a\xFF", EncodingIndex::UTF_8), b"b\xFF");
        assert_eq!(next(b"\xFF", EncodingIndex::UTF_8), b"\x01\xFF");
        assert_eq!(next("\u{10ffff}".as_bytes(), EncodingIndex::UTF_8), b"\x01\xF0\x90\x80\x80");
    }

    #[test]
    fn upto_goes_three_ways() {
        let way = |from, to| upto(Text::utf8(from), Text::utf8(to));
        assert_eq!(way("a", "e"), Upto::Ascii { from: b'a', to: b'e' });
        assert_eq!(way("09", "11"), Upto::Digits { width: 2 });
        assert_eq!(way("a", "aa"), Upto::Succ);
        assert_eq!(way("9", "é"), Upto::Succ);
    }
}
