//! Conversions between Unicode's forms and ISO-8859-1 of text without mistakes, a whole string at a time: what [`super::Converter`] does
//! character by character, ready to stop at each, takes three to four times as long. [`prefix`] is what it does with text that has a
//! mistake somewhere, or comes in pieces.

use crate::encoding::EncodingIndex as E;
use crate::text::Text;

/// Appends the text in its new encoding; false, and nothing appended, if there is no direct way or a character stops it.
pub(super) fn convert(text: Text<'_>, destination: E, out: &mut Vec<u8>) -> bool {
    let start = out.len();
    let done = match (text.encoding, destination) {
        (E::UTF_8, E::UTF_16LE) => from_utf8(text.bytes, |text| append_utf16(text, u16::to_le_bytes, out)),
        (E::UTF_8, E::UTF_16BE) => from_utf8(text.bytes, |text| append_utf16(text, u16::to_be_bytes, out)),
        (E::UTF_8, E::UTF_32LE) => from_utf8(text.bytes, |text| append_utf32(text, u32::to_le_bytes, out)),
        (E::UTF_8, E::UTF_32BE) => from_utf8(text.bytes, |text| append_utf32(text, u32::to_be_bytes, out)),
        (E::UTF_8, E::ISO_8859_1) => from_utf8(text.bytes, |text| append_latin1(text, out)),
        (E::UTF_16LE, E::UTF_8) => utf16_to_utf8(text.bytes, u16::from_le_bytes, out),
        (E::UTF_16BE, E::UTF_8) => utf16_to_utf8(text.bytes, u16::from_be_bytes, out),
        (E::UTF_32LE, E::UTF_8) => utf32_to_utf8(text.bytes, u32::from_le_bytes, out),
        (E::UTF_32BE, E::UTF_8) => utf32_to_utf8(text.bytes, u32::from_be_bytes, out),
        (E::ISO_8859_1, E::UTF_8) => {
            out.reserve(text.bytes.len());
            append_chars(text.bytes.iter().map(|&byte| Some(char::from(byte))), out)
        }
        _ => false,
    };
    if !done {
        out.truncate(start);
    }
    done
}

/// Appends what stands before the first mistake, and tells how many bytes that was: 0 where there is no direct way. Only between forms
/// that have all characters, so that no text is looked through once for each that one lacks.
pub(super) fn prefix(bytes: &[u8], source: E, destination: E, out: &mut Vec<u8>) -> usize {
    match (source, destination) {
        (E::UTF_8, E::UTF_16LE | E::UTF_16BE | E::UTF_32LE | E::UTF_32BE) => {
            let good = simdutf8::compat::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
            let done = good > 0 && convert(Text::of(&bytes[..good], source), destination, out);
            if done { good } else { 0 }
        }
        (E::UTF_16LE, E::UTF_8) => utf16_prefix(bytes, u16::from_le_bytes, out),
        (E::UTF_16BE, E::UTF_8) => utf16_prefix(bytes, u16::from_be_bytes, out),
        _ => 0,
    }
}

fn utf16_prefix(bytes: &[u8], unit_of: fn([u8; 2]) -> u16, out: &mut Vec<u8>) -> usize {
    let (units, _) = bytes.as_chunks::<2>();
    out.reserve(units.len());
    let mut read = 0;
    append_chars(
        char::decode_utf16(units.iter().map(|&unit| unit_of(unit))).map(Result::ok).inspect(|c| {
            read += c.map_or(0, |c| 2 * c.len_utf16());
        }),
        out,
    );
    read
}

fn from_utf8(bytes: &[u8], append: impl FnOnce(&str) -> bool) -> bool {
    simdutf8::basic::from_utf8(bytes).is_ok_and(append)
}

fn append_utf16(text: &str, bytes_of: fn(u16) -> [u8; 2], out: &mut Vec<u8>) -> bool {
    out.reserve(2 * text.len());
    text.encode_utf16().for_each(|unit| out.extend_from_slice(&bytes_of(unit)));
    true
}

fn append_utf32(text: &str, bytes_of: fn(u32) -> [u8; 4], out: &mut Vec<u8>) -> bool {
    out.reserve(4 * text.len());
    text.chars().for_each(|c| out.extend_from_slice(&bytes_of(u32::from(c))));
    true
}

fn append_latin1(text: &str, out: &mut Vec<u8>) -> bool {
    out.reserve(text.len());
    text.chars().all(|c| u8::try_from(u32::from(c)).map(|byte| out.push(byte)).is_ok())
}

fn utf16_to_utf8(bytes: &[u8], unit_of: fn([u8; 2]) -> u16, out: &mut Vec<u8>) -> bool {
    let (units, rest) = bytes.as_chunks::<2>();
    out.reserve(units.len());
    rest.is_empty() && append_chars(char::decode_utf16(units.iter().map(|&unit| unit_of(unit))).map(Result::ok), out)
}

fn utf32_to_utf8(bytes: &[u8], code_of: fn([u8; 4]) -> u32, out: &mut Vec<u8>) -> bool {
    let (codes, rest) = bytes.as_chunks::<4>();
    out.reserve(codes.len());
    rest.is_empty() && append_chars(codes.iter().map(|&code| char::from_u32(code_of(code))), out)
}

/// Appends characters until one is none.
fn append_chars(mut chars: impl Iterator<Item = Option<char>>, out: &mut Vec<u8>) -> bool {
    chars.all(|c| {
        let Some(c) = c else { return false };
        if c.is_ascii() {
            out.push(c as u8);
        } else {
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
        true
    })
}
