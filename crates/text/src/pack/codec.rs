//! The text formats inside packed strings: bits and nibbles, base64, uuencode, quoted-printable, BER integers, and UTF-8
//! in its original range of 31 bits.

use num_bigint::{BigInt, Sign};

use super::PackError;
use crate::number::Int;
use crate::number::decimal::DIGITS;

/// Asked now and then, and for every [`PART`] bytes at least, whether to go on.
pub type Check<'a, E> = &'a mut dyn FnMut() -> Result<(), E>;

/// A multiple of every unit that text comes in here.
const PART: usize = 3 << 16;

// Bits and nibbles.

/// Appends characters as bits, eight a byte; a character's lowest bit counts.
pub fn push_bits(out: &mut Vec<u8>, digits: &[u8], high_first: bool) {
    for chunk in digits.chunks(8) {
        let place = |index: usize| if high_first { 7 - index } else { index };
        out.push(chunk.iter().enumerate().fold(0, |byte, (index, digit)| byte | (digit & 1) << place(index)));
    }
}

/// Appends characters as nibbles, two a byte. Letters count from 9 up without bound, other characters by their low bits.
pub fn push_nibbles(out: &mut Vec<u8>, digits: &[u8], high_first: bool) {
    let nibble = |digit: u8| if digit.is_ascii_alphabetic() { ((digit & 15) + 9) & 15 } else { digit & 15 };
    for chunk in digits.chunks(2) {
        let (first, second) = (nibble(chunk[0]), chunk.get(1).map_or(0, |digit| nibble(*digit)));
        out.push(if high_first { first << 4 | second } else { second << 4 | first });
    }
}

/// The first `count` bits of `bytes` as digits.
pub fn bits<E>(bytes: &[u8], count: usize, high_first: bool, check: Check<'_, E>) -> Result<Vec<u8>, E> {
    let place = |index: usize| if high_first { 7 - index % 8 } else { index % 8 };
    digits(count, check, |index| b'0' + (bytes[index / 8] >> place(index) & 1))
}

/// The first `count` nibbles of `bytes` as hexadecimal digits.
pub fn nibbles<E>(bytes: &[u8], count: usize, high_first: bool, check: Check<'_, E>) -> Result<Vec<u8>, E> {
    let digit = |nibble: u8| DIGITS[usize::from(nibble & 15)];
    let pair = |byte: u8| {
        let pair = [digit(byte >> 4), digit(byte)];
        if high_first { pair } else { [pair[1], pair[0]] }
    };
    let mut out = vec![0; count];
    for (out, bytes) in out.chunks_mut(2 * PART).zip(bytes.chunks(PART)) {
        check()?;
        let (pairs, last) = out.as_chunks_mut::<2>();
        pairs.iter_mut().zip(bytes).for_each(|(out, byte)| *out = pair(*byte));
        if let ([out], Some(byte)) = (last, bytes.last()) {
            *out = pair(*byte)[0];
        }
    }
    Ok(out)
}

fn digits<E>(count: usize, check: Check<'_, E>, digit: impl Fn(usize) -> u8) -> Result<Vec<u8>, E> {
    let mut out = Vec::with_capacity(count);
    for start in (0..count).step_by(PART) {
        check()?;
        out.extend((start..count.min(start + PART)).map(&digit));
    }
    Ok(out)
}

// Base64 and uuencode: three bytes in four characters.

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Values of base64 digits; 64 for other bytes.
static BASE64_VALUES: [u8; 256] = {
    let mut values = [64; 256];
    let mut value = 0;
    while value < 64 {
        values[BASE64[value] as usize] = value as u8;
        value += 1;
    }
    values
};

/// Four six-bit values for up to three bytes.
fn sextets(chunk: &[u8]) -> [u8; 4] {
    let byte = |index: usize| chunk.get(index).map_or(0, |b| u32::from(*b));
    let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
    [18, 12, 6, 0].map(|shift| (bits >> shift & 63) as u8)
}

/// Up to three bytes for four six-bit values.
fn octets(sextets: [u8; 4]) -> [u8; 3] {
    let [a, b, c, d] = sextets;
    [a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d]
}

/// Four digits for three bytes.
fn base64_digits([first, second, third]: [u8; 3]) -> [u8; 4] {
    let bits = u32::from_be_bytes([0, first, second, third]);
    let digit = |shift: u32| BASE64[(bits >> shift & 63) as usize];
    [digit(18), digit(12), digit(6), digit(0)]
}

/// Appends base64 without line ends.
pub fn push_base64(out: &mut Vec<u8>, bytes: &[u8]) {
    let start = out.len();
    out.resize(start + bytes.len().div_ceil(3) * 4, b'=');
    let (groups, rest) = bytes.as_chunks::<3>();
    let (digits, last) = out[start..].split_at_mut(groups.len() * 4);
    for (digits, group) in digits.as_chunks_mut::<4>().0.iter_mut().zip(groups) {
        *digits = base64_digits(*group);
    }
    if !rest.is_empty() {
        let group = [rest[0], rest.get(1).copied().unwrap_or(0), 0];
        last[..=rest.len()].copy_from_slice(&base64_digits(group)[..=rest.len()]);
    }
}

/// Appends one uuencoded line: its length, its groups, a line end.
pub fn push_uu_line(out: &mut Vec<u8>, bytes: &[u8]) {
    // A backquote stands for zero, which would be a space.
    let digit = |sextet: u8| if sextet == 0 { b'`' } else { sextet + b' ' };
    out.push(b' '.wrapping_add(bytes.len() as u8));
    for chunk in bytes.chunks(3) {
        let start = out.len();
        out.extend_from_slice(&sextets(chunk).map(digit));
        out[start + chunk.len() + 1..].fill(b'`');
    }
    out.push(b'\n');
}

/// Decodes what there is of base64, skipping other bytes, up to the first padding behind two digits. Also says how many
/// bytes were read.
pub fn decode_base64<E>(text: &[u8], check: Check<'_, E>) -> Result<(Vec<u8>, usize), E> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let mut group = [0; 4];
    let mut len = 0;
    let (mut index, mut unchecked) = (0, 0);
    while let Some(byte) = text.get(index) {
        if index >= unchecked {
            check()?;
            unchecked = index + PART;
        }
        if len == 0 {
            let read = push_whole_groups(&mut out, &text[index..text.len().min(unchecked)]);
            if read > 0 {
                index += read;
                continue;
            }
        }
        let value = BASE64_VALUES[usize::from(*byte)];
        if value < 64 {
            group[len] = value;
            len += 1;
        } else if *byte == b'=' && len >= 2 {
            break;
        }
        if len == 4 {
            out.extend_from_slice(&octets(group));
            (group, len) = ([0; 4], 0);
        }
        index += 1;
    }
    // Two digits carry one byte, three carry two; one alone carries none.
    out.extend_from_slice(&octets(group)[..len.saturating_sub(1)]);
    Ok((out, index))
}

/// Appends what groups of four digits stand for, up to the first group that has another byte; how many bytes were read.
fn push_whole_groups(out: &mut Vec<u8>, text: &[u8]) -> usize {
    let value = |byte: u8| BASE64_VALUES[usize::from(byte)];
    // 64 stands for what is no digit.
    let is_whole = |&[a, b, c, d]: &[u8; 4]| value(a) | value(b) | value(c) | value(d) < 64;
    let groups = text.as_chunks::<4>().0;
    let whole = groups.iter().position(|group| !is_whole(group)).unwrap_or(groups.len());
    let start = out.len();
    out.resize(start + whole * 3, 0);
    for (out, group) in out[start..].as_chunks_mut::<3>().0.iter_mut().zip(groups) {
        let [a, b, c, d] = *group;
        *out = octets([value(a), value(b), value(c), value(d)]);
    }
    whole * 4
}

/// Decodes base64 as RFC 4648 wants it: nothing but digits and correct padding, no bits left over.
pub fn decode_strict_base64<E>(text: &[u8], check: Check<'_, E>) -> Result<Option<Vec<u8>>, E> {
    if !text.len().is_multiple_of(4) {
        return Ok(None);
    }
    let padding = text.iter().rev().take(2).take_while(|b| **b == b'=').count();
    let (digits, _) = text.split_at(text.len() - padding);
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let whole = digits.len() / 4 * 4;
    for part in digits[..whole].chunks(PART) {
        check()?;
        if push_whole_groups(&mut out, part) < part.len() {
            return Ok(None);
        }
    }
    for chunk in digits[whole..].chunks(4) {
        let mut group = [0; 4];
        for (slot, byte) in group.iter_mut().zip(chunk) {
            *slot = BASE64_VALUES[usize::from(*byte)];
            if *slot == 64 {
                return Ok(None);
            }
        }
        let octets = octets(group);
        // A chunk of one digit cannot be: the text is whole groups, of which at most two digits are padding.
        let (kept, left_over) = octets.split_at(chunk.len() - 1);
        if left_over.iter().any(|b| *b != 0) {
            return Ok(None);
        }
        out.extend_from_slice(kept);
    }
    Ok(Some(out))
}

/// Decodes uuencoded lines, and says how many bytes were read. Lines that promise more than there is are cut short.
pub fn decode_uu<E>(text: &[u8], check: Check<'_, E>) -> Result<(Vec<u8>, usize), E> {
    let capacity = text.len() * 3 / 4;
    let mut out = Vec::with_capacity(capacity);
    let mut cursor = UuCursor { text, position: 0 };
    while let Some(length) = cursor.peek().filter(|b| (b'!'..b'a').contains(b)) {
        check()?;
        cursor.position += 1;
        let line = usize::from((length - b' ') & 63).min(capacity - out.len());
        let end = out.len() + line;
        while out.len() < end {
            let group = std::array::from_fn(|_| cursor.sextet());
            let len = (end - out.len()).min(3);
            out.extend_from_slice(&octets(group)[..len]);
        }
        cursor.end_line();
    }
    Ok((out, cursor.position))
}

struct UuCursor<'a> {
    text: &'a [u8],
    position: usize,
}

impl UuCursor<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.position).copied()
    }

    fn sextet(&mut self) -> u8 {
        match self.peek() {
            Some(byte @ b' '..b'a') => {
                self.position += 1;
                (byte - b' ') & 63
            }
            _ => 0,
        }
    }

    /// Skips a checksum byte, if there is one, and the line end.
    fn end_line(&mut self) {
        if self.peek().is_some_and(|b| b != b'\r' && b != b'\n') {
            self.position += 1;
        }
        for end in [b'\r', b'\n'] {
            self.position += usize::from(self.peek() == Some(end));
        }
    }
}

// Quoted-printable.

/// Writes quoted-printable text with soft line breaks after lines of more than `line` characters.
pub struct QuotedPrintable {
    line: usize,
    column: usize,
    previous: u8,
}

impl QuotedPrintable {
    pub fn new(line: usize) -> QuotedPrintable {
        QuotedPrintable { line, column: 0, previous: 0 }
    }

    /// Appends the next part of a text.
    pub fn push(&mut self, out: &mut Vec<u8>, part: &[u8]) {
        for &byte in part {
            self.push_byte(out, byte);
            if self.column > self.line {
                out.extend_from_slice(b"=\n");
                (self.column, self.previous) = (0, b'\n');
            }
        }
    }

    fn push_byte(&mut self, out: &mut Vec<u8>, byte: u8) {
        match byte {
            b'\n' => {
                // Blanks before a line end would be lost in transport.
                if matches!(self.previous, b' ' | b'\t') {
                    out.extend_from_slice(b"=\n");
                }
                out.push(b'\n');
                (self.column, self.previous) = (0, b'\n');
            }
            b'\t' | b' '..=b'<' | b'>'..=b'~' => {
                out.push(byte);
                self.column += 1;
                self.previous = byte;
            }
            _ => {
                out.push(b'=');
                out.extend([byte >> 4, byte & 15].map(|nibble| b"0123456789ABCDEF"[usize::from(nibble)]));
                self.column += 3;
                self.previous = 0;
            }
        }
    }

    /// Appends what follows the text.
    pub fn end(self, out: &mut Vec<u8>) {
        if self.column > 0 {
            out.extend_from_slice(b"=\n");
        }
    }
}

/// Decodes quoted-printable text, and says how many bytes were understood; from an escape that is none on, everything is
/// kept as it is.
pub fn decode_quoted_printable<E>(text: &[u8], check: Check<'_, E>) -> Result<(Vec<u8>, usize), E> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        if out.len().is_multiple_of(PART) {
            check()?;
        }
        if byte != b'=' {
            out.push(byte);
            rest = after;
            continue;
        }
        rest = match after {
            [b'\n', after @ ..] | [b'\r', b'\n', after @ ..] => after,
            [high, low, after @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                let nibble = |digit: u8| char::from(digit).to_digit(16).unwrap_or(0) as u8;
                out.push(nibble(*high) << 4 | nibble(*low));
                after
            }
            _ => {
                out.extend_from_slice(rest);
                let half = usize::from(after.first().is_some_and(u8::is_ascii_hexdigit));
                return Ok((out, text.len() - after.len() + half));
            }
        };
    }
    Ok((out, text.len()))
}

// BER-compressed integers: seven bits a byte, the highest first, the top bit of all but the last set.

/// Appends a number that is not negative.
pub fn push_ber(out: &mut Vec<u8>, n: &Int) {
    let start = out.len();
    match n {
        Int::Small(n) => {
            let groups = (64 - n.leading_zeros()).div_ceil(7).max(1);
            out.extend((0..groups).rev().map(|group| (*n >> (7 * group)) as u8 | 0x80));
        }
        Int::Big(n) => {
            let (_, groups) = n.to_radix_be(128);
            out.extend(groups.iter().map(|group| group | 0x80));
        }
    }
    debug_assert!(out.len() > start);
    if let Some(last) = out.last_mut() {
        *last &= 0x7f;
    }
}

/// The number in bytes of which only the last has its top bit clear.
pub fn read_ber(bytes: &[u8]) -> Int {
    // Nine groups of seven bits fit an i64.
    if bytes.len() <= 9 {
        return Int::Small(bytes.iter().fold(0, |n, byte| n << 7 | i64::from(byte & 0x7f)));
    }
    let groups: Vec<u8> = bytes.iter().map(|byte| byte & 0x7f).collect();
    Int::from(BigInt::from_radix_be(Sign::Plus, &groups, 128).unwrap_or_default())
}

// UTF-8 as first defined, up to six bytes.

/// Six bytes carry 31 bits.
pub const MAX_CODEPOINT: u32 = 0x7fff_ffff;

/// The least code that needs so many bytes.
const LEAST_CODES: [u32; 7] = [0, 0, 0x80, 0x800, 0x1_0000, 0x20_0000, 0x400_0000];

/// Appends a code of at most [`MAX_CODEPOINT`], surrogates and all.
pub fn push_codepoint(out: &mut Vec<u8>, code: u32) {
    if code < 0x80 {
        return out.push(code as u8);
    }
    let len = (2..=6).rev().find(|len| code >= LEAST_CODES[*len]).unwrap_or(2);
    let lead = !(0xff_u8 >> len) | (code >> (6 * (len - 1))) as u8;
    out.push(lead);
    out.extend((0..len - 1).rev().map(|group| 0x80 | (code >> (6 * group)) as u8 & 0x3f));
}

/// The code at the front of `bytes`, which are not empty, and its length.
pub fn read_codepoint(bytes: &[u8]) -> Result<(u32, usize), PackError> {
    let lead = bytes[0];
    let len = match lead.leading_ones() as usize {
        0 => return Ok((u32::from(lead), 1)),
        len @ 2..=6 => len,
        _ => return Err(PackError::MalformedUtf8),
    };
    if len > bytes.len() {
        return Err(PackError::TruncatedUtf8 { expected: len, given: bytes.len() });
    }
    let mut code = u32::from(lead & (0x7f >> len));
    for byte in &bytes[1..len] {
        if byte & 0xc0 != 0x80 {
            return Err(PackError::MalformedUtf8);
        }
        code = code << 6 | u32::from(byte & 0x3f);
    }
    if code < LEAST_CODES[len] { Err(PackError::RedundantUtf8) } else { Ok((code, len)) }
}
