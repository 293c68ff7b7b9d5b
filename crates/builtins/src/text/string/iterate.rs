//! Going through a string piece by piece: what the methods of `core/string.rb` are made of.
//!
//! Positions are bytes, between characters. The functions that take one are given positions they returned themselves, on a
//! string that the caller holds unchanged (`string_snapshot`).

use super::{invalid_bytes, parts};
use crate::text::encoding::raise_transcode;
use carat_text::coderange::CodeRange;
use carat_text::lines::{self, Separator};
use carat_text::succ::Upto;
use carat_text::text::Text;
use carat_text::transcode::TranscodeError;
use carat_text::{chars, encoding as codes};
use carat_vm::{Array, Ec, EncodingIndex, Result, Str, Value};
use std::convert::Infallible;
use std::ops::Range;

/// The string itself if nobody can change it, else a copy to go through.
pub(super) fn snapshot(ec: &mut Ec, this: Str) -> Str {
    this.snapshot(ec)
}

/// `Primitive.string_is_chilled`: a change would be warned of.
pub(super) fn is_chilled(_ec: &mut Ec, string: Str) -> bool {
    string.is_chilled()
}

pub(super) fn bytesize(ec: &mut Ec, this: Str) -> usize {
    this.len(ec)
}

pub(super) fn length(ec: &mut Ec, this: Str) -> usize {
    super::access::char_count(ec, this)
}

pub(super) fn byte_at(ec: &mut Ec, this: Str, at: i64) -> Option<i64> {
    this.bytes(ec).get(at as usize).map(|&byte| i64::from(byte))
}

/// Bytes in the character at a position.
fn step(ec: &Ec, this: Str, at: usize) -> usize {
    let bytes = this.bytes(ec);
    if at >= bytes.len() {
        return 0;
    }
    let is_single = this.encoding().is_single_byte() || this.known_range() == CodeRange::SevenBit;
    if is_single { 1 } else { codes::mbclen(this.encoding(), &bytes[at..]) }
}

pub(super) fn next_char(ec: &mut Ec, this: Str, at: i64) -> Str {
    let at = at as usize;
    let len = step(ec, this, at);
    this.slice(ec, at, len)
}

pub(super) fn char_size(ec: &mut Ec, this: Str, at: i64) -> usize {
    step(ec, this, at as usize)
}

pub(super) fn codepoint_at(ec: &mut Ec, this: Str, at: i64) -> Result<i64> {
    match codes::codepoint(this.encoding(), &this.bytes(ec)[at as usize..]) {
        Some((code, _)) => Ok(i64::from(code)),
        None => Err(invalid_bytes(ec, this.encoding())),
    }
}

pub(super) fn slice_bytes(ec: &mut Ec, this: Str, start: i64, len: i64) -> Str {
    this.share(ec, start as usize, len as usize)
}

pub(super) fn chars(ec: &mut Ec, this: Str) -> Result<Array> {
    this.range(ec);
    let this = this.snapshot(ec);
    let count = super::access::char_count(ec, this);
    let list = room_for(ec, count)?;
    let mut at = 0;
    while at < this.len(ec) {
        ec.check_ints()?;
        let len = step(ec, this, at);
        let piece = this.slice(ec, at, len);
        list.push(ec, piece.value());
        at += len;
    }
    Ok(list)
}

/// An array for so many elements.
fn room_for(ec: &mut Ec, count: usize) -> Result<Array> {
    ec.ensure_memory(count.saturating_mul(size_of::<Value>()))?;
    Ok(Array::new(ec, count))
}

pub(super) fn bytes(ec: &mut Ec, this: Str) -> Result<Array> {
    let list = room_for(ec, this.len(ec))?;
    this.bytes(ec).iter().for_each(|&byte| list.push(ec, Value::len(usize::from(byte))));
    Ok(list)
}

pub(super) fn codepoints(ec: &mut Ec, this: Str) -> Result<Array> {
    let text = this.as_text(ec);
    if text.is_valid_utf8()
        && let Ok(valid) = std::str::from_utf8(text.bytes)
    {
        let count = valid.chars().count();
        ec.ensure_memory(count.saturating_mul(size_of::<Value>()))?;
        let chars = std::str::from_utf8(this.bytes(ec)).unwrap_or_default().chars();
        return Ok(Array::collect(ec, count, chars.map(|c| Value::len(c as usize))));
    }
    let list = room_for(ec, this.len(ec))?;
    if this.encoding() == EncodingIndex::US_ASCII {
        // Every byte is one, even those that are no ASCII.
        (0..this.len(ec)).for_each(|i| list.push(ec, Value::len(usize::from(this.bytes(ec)[i]))));
        return Ok(list);
    }
    let mut is_valid = true;
    for code in chars::codepoints(this.as_text(ec)) {
        match code {
            Ok(code) => list.push(ec, Value::len(code as usize)),
            Err(_) => is_valid = false,
        }
    }
    if is_valid { Ok(list) } else { Err(invalid_bytes(ec, this.encoding())) }
}

/// Two letters of ASCII are two clusters.
fn between_letters(text: Text<'_>, from: usize) -> usize {
    let len = text.bytes.len();
    if !text.encoding.is_utf8() {
        return len;
    }
    let pairs = text.bytes[from - 1..].windows(2);
    let ahead = pairs.into_iter().position(|pair| pair.iter().all(u8::is_ascii_graphic));
    ahead.map_or(len, |ahead| from + ahead)
}

/// Calls `emit` with the place of each cluster.
fn each_cluster(ec: &mut Ec, this: Str, mut emit: impl FnMut(&Ec, Str, Range<usize>)) -> Result<()> {
    let Ok(()) = parts::each(ec, this, between_letters, &mut Vec::new(), |ec, part, _| {
        let mut at = part.range.start;
        chars::grapheme_clusters(part.text(ec), |len| {
            emit(ec, part.source, at..at + len);
            at += len;
        });
        Ok::<(), Infallible>(())
    })?;
    Ok(())
}

pub(super) fn graphemes(ec: &mut Ec, this: Str) -> Result<Array> {
    let list = Array::new(ec, 0);
    each_cluster(ec, this, |ec, source, place| list.push(ec, source.slice(ec, place.start, place.len()).value()))?;
    Ok(list)
}

pub(super) fn grapheme_count(ec: &mut Ec, this: Str) -> Result<usize> {
    let mut count = 0;
    each_cluster(ec, this, |_, _, _| count += 1)?;
    Ok(count)
}

// ---- lines ----

/// What separates lines: `$/` when undefined was given, checked against the string's encoding.
pub(super) fn separator(ec: &mut Ec, this: Str, given: Value) -> Result {
    let given = if given.is_undef() { super::trim::default_separator(ec).unwrap_or(Value::UNDEF) } else { given };
    if given.is_undef() {
        return newline_of(ec, this);
    }
    if given.is_nil() {
        return Ok(Value::NIL);
    }
    let separator = ec.to_str(given)?;
    if separator.bytes(ec) == b"\n" && this.encoding().is_ascii_compatible() {
        return Ok(Value::TRUE);
    }
    super::compatible(ec, this, separator)?;
    Ok(separator.value())
}

/// `true`, or the newline of an encoding that is none really: the byte order mark that stands before it occurs nowhere else.
fn newline_of(ec: &mut Ec, this: Str) -> Result {
    let marked: &[u8] = match this.encoding().name() {
        "UTF-16" => b"\xFE\xFF\0\n",
        "UTF-32" => b"\0\0\xFE\xFF\0\0\0\n",
        name @ ("UTF-7" | "ISO-2022-JP-2") => {
            return Err(raise_transcode(ec, &TranscodeError::not_found("ASCII-8BIT", name)));
        }
        _ => return Ok(Value::TRUE),
    };
    Ok(Str::new(ec, marked, this.encoding(), CodeRange::Unknown).value())
}

/// `true` stands for a newline, "" for paragraphs.
fn line_separator<'a>(ec: &'a Ec, separator: Value) -> Separator<'a> {
    match Str::from_value(separator) {
        None => Separator::Newline,
        Some(s) if s.is_empty(ec) => Separator::Paragraph,
        Some(s) => Separator::Text(s.as_text(ec)),
    }
}

/// Where the line after the one at `start` begins, or nil at the end.
pub(super) fn line_end(ec: &mut Ec, this: Str, separator: Value, start: i64) -> Option<usize> {
    lines::next_line(this.as_text(ec), line_separator(ec, separator), false, start as usize).map(|line| line.next)
}

/// The line at `start`, as it is shown.
pub(super) fn line_at(ec: &mut Ec, this: Str, separator: Value, chomp: bool, start: i64) -> Option<Str> {
    let line = lines::next_line(this.as_text(ec), line_separator(ec, separator), chomp, start as usize)?;
    Some(this.share(ec, line.shown.start, line.shown.len()))
}

/// `Primitive.string_char_index(string, at)`: how many characters begin before byte `at`, which lies between two.
pub(super) fn char_index(ec: &mut Ec, this: Str, at: i64) -> usize {
    this.char_index(ec, at as usize)
}

pub(super) fn lines(ec: &mut Ec, this: Str, separator: Value, chomp: bool) -> Result<Array> {
    let list = Array::new(ec, 0);
    if separator.is_nil() {
        list.push(ec, this.value());
        return Ok(list);
    }
    let this = this.snapshot(ec);
    let separator = match Str::from_value(separator) {
        Some(given) => given.snapshot(ec).value(),
        None => separator,
    };
    let mut start = 0;
    while let Some(line) = lines::next_line(this.as_text(ec), line_separator(ec, separator), chomp, start) {
        let next = line.next;
        let shown = this.share(ec, line.shown.start, line.shown.len());
        ec.check_ints()?;
        list.make_room(ec, 1)?;
        list.push(ec, shown.value());
        start = next;
    }
    Ok(list)
}

// ---- upto ----

/// How to get from one string to another: 0 through ASCII characters, 1 through numbers, 2 by `succ`.
pub(super) fn upto_kind(ec: &mut Ec, from: Str, to: Str) -> Result<i64> {
    super::compatible(ec, from, to)?;
    Ok(match carat_text::succ::upto(from.as_text(ec), to.as_text(ec)) {
        Upto::Ascii { .. } => 0,
        Upto::Digits { .. } => 1,
        Upto::Succ => 2,
    })
}

/// A number in decimal, at least `width` digits wide.
pub(super) fn padded_digits(ec: &mut Ec, number: Value, width: i64) -> Result<Str> {
    let digits = ec.to_s(number)?.to_text(ec);
    let mut text = vec![b'0'; (width as usize).saturating_sub(digits.len())];
    text.extend_from_slice(digits.as_bytes());
    Ok(Str::from_ascii(ec, &text))
}

pub(super) fn ascii_char(ec: &mut Ec, code: i64, like: Str) -> Str {
    let encoding = if like.encoding().is_ascii_compatible() { like.encoding() } else { EncodingIndex::US_ASCII };
    Str::new(ec, &[code as u8], encoding, CodeRange::SevenBit)
}
