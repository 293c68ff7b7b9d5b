//! Reading parts of a string: `[]`, bytes, lengths, single characters.

use super::{compatible, from_start, pattern, range_bounds};
use carat_text::coderange::CodeRange;
use carat_text::{chars, encoding as codes, search};
use carat_vm::leaf::{Leaf, LeafOf, LeafRow};
use carat_vm::{Ec, Result, Str, Value, methods};

methods! {
    METHODS {
        "[]" => aref;
        "slice" => aref;
        "byteslice" => byteslice;
        "getbyte" => getbyte;
        "length" => length;
        "size" => length;
        borrowing "bytesize" => bytesize;
        "empty?" => is_empty;
        "chr" => chr;
        "ord" => ord;
        borrowing "include?" => includes;
        "reverse" => reverse;
        "reverse!" => reverse_bang;
        "sum" => sum;
    }
}

pub(crate) static LEAVES: &[LeafRow] = &[
    (
        LeafOf::Method(METHODS, "getbyte"),
        Leaf::new(|ec: &mut Ec, string: Str, index: i64| {
            Some(getbyte(ec, string, index).map_or(Value::NIL, |byte| ec.int(byte)))
        }),
    ),
    (LeafOf::Method(METHODS, "bytesize"), Leaf::total(|ec: &mut Ec, string: Str| Some(Value::len(string.len(ec))))),
    (
        LeafOf::Method(METHODS, "ord"),
        Leaf::new(|ec: &mut Ec, string: Str| {
            let byte = *string.bytes(ec).first()?;
            (byte < 128 && string.encoding().is_ascii_compatible()).then(|| ec.int(i64::from(byte)))
        }),
    ),
    (LeafOf::Method(METHODS, "chr"), Leaf::of(chr)),
    (LeafOf::Method(METHODS, "length"), Leaf::of(length)),
    (LeafOf::Method(METHODS, "size"), Leaf::of(length)),
    (LeafOf::Method(METHODS, "empty?"), Leaf::of(is_empty)),
    (LeafOf::Primitive("string_bytesize"), Leaf::new(|ec: &mut Ec, string: Str| Some(Value::len(string.len(ec))))),
];

pub(super) fn length(ec: &mut Ec, this: Str) -> usize {
    char_count(ec, this)
}

/// `String#length`
pub(crate) fn char_count(ec: &Ec, this: Str) -> usize {
    this.char_count(ec)
}

fn bytesize(ec: &mut Ec, this: Str) -> usize {
    this.len(ec)
}

fn is_empty(ec: &mut Ec, this: Str) -> bool {
    this.is_empty(ec)
}

/// Characters `start ..` as a new string; `None` if the start lies outside.
pub(crate) fn substring(ec: &mut Ec, this: Str, start: i64, len: i64) -> Option<Str> {
    let len = usize::try_from(len).ok()?;
    let range = this.char_range(ec, start, len)?;
    Some(part(ec, this, range.start, range.len()))
}

/// Bytes of a string, cut between characters: what is known of the whole holds for the part.
pub(crate) fn part(ec: &mut Ec, this: Str, start: usize, len: usize) -> Str {
    this.share(ec, start, len)
}

fn char_at(ec: &mut Ec, this: Str, index: i64) -> Option<Str> {
    let text = this.as_text(ec);
    if text.is_single_byte() {
        let at = from_start(index, text.bytes.len()).filter(|&i| i < text.bytes.len())?;
        return Some(this.slice(ec, at, 1));
    }
    substring(ec, this, index, 1).filter(|s| !s.is_empty(ec))
}

pub(crate) fn aref(ec: &mut Ec, this: Str, index: Value, len: Option<Value>) -> Result<Option<Value>> {
    if let Some(i) = index.as_fixnum() {
        let found = match len {
            None => char_at(ec, this, i),
            Some(len) => {
                let len = ec.to_long(len)?;
                substring(ec, this, i, len)
            }
        };
        return Ok(found.map(Str::value));
    }
    if pattern::is_regexp(ec, index) {
        return pattern::aref(ec, this, index, len).map(Some);
    }
    if let Some(len) = len {
        let (i, len) = (ec.to_long(index)?, ec.to_long(len)?);
        return Ok(substring(ec, this, i, len).map(Str::value));
    }
    aref_by_one(ec, this, index)
}

fn aref_by_one(ec: &mut Ec, this: Str, index: Value) -> Result<Option<Value>> {
    if let Some(needle) = Str::from_value(index) {
        return Ok(holds(ec, this, needle)?.then(|| needle.copy(ec).value()));
    }
    if index.as_fixnum().is_none()
        && let Some(bounds) = range_bounds(ec, index, |ec| char_count(ec, this))?
    {
        let Some((start, len)) = bounds else { return Ok(None) };
        return Ok(substring(ec, this, start as i64, len as i64).map(Str::value));
    }
    let i = ec.to_long(index)?;
    Ok(char_at(ec, this, i).map(Str::value))
}

/// Whether `needle` occurs in the string.
fn holds(ec: &mut Ec, this: Str, needle: Str) -> Result<bool> {
    Ok(find(ec, this, needle, 0)?.is_some())
}

/// The first byte position of `needle` at or after `from`.
pub(crate) fn find(ec: &mut Ec, this: Str, needle: Str, from: usize) -> Result<Option<usize>> {
    compatible(ec, this, needle)?;
    Ok(search::index(this.as_known_text(ec), needle.as_text(ec), from))
}

fn includes(ec: &mut Ec, this: Str, needle: Str) -> Result<bool> {
    holds(ec, this, needle)
}

fn byteslice(ec: &mut Ec, this: Str, index: Value, len: Option<Value>) -> Result<Option<Str>> {
    if let Some(len) = len {
        let start = ec.to_long(index)?;
        let len = ec.to_long(len)?;
        return Ok(bytes_from(ec, this, start, len));
    }
    if let Some(bounds) = range_bounds(ec, index, |ec| this.len(ec))? {
        return Ok(bounds.map(|(start, len)| byte_part(ec, this, start, len)));
    }
    let start = ec.to_long(index)?;
    let size = this.len(ec);
    let at = from_start(start, size).filter(|&at| at < size);
    Ok(at.map(|at| byte_part(ec, this, at, 1)))
}

fn bytes_from(ec: &mut Ec, this: Str, start: i64, len: i64) -> Option<Str> {
    let size = this.len(ec);
    let len = usize::try_from(len).ok()?;
    let start = from_start(start, size).filter(|&at| at <= size)?;
    Some(byte_part(ec, this, start, len.min(size - start)))
}

/// Bytes of a string wherever characters begin.
pub(super) fn byte_part(ec: &mut Ec, this: Str, start: usize, len: usize) -> Str {
    this.share(ec, start, len)
}

fn getbyte(ec: &mut Ec, this: Str, index: i64) -> Option<i64> {
    let bytes = this.bytes(ec);
    let at = from_start(index, bytes.len())?;
    bytes.get(at).map(|&byte| i64::from(byte))
}

fn chr(ec: &mut Ec, this: Str) -> Str {
    let len = chars::offset(this.as_text(ec), 1).unwrap_or(this.len(ec));
    this.slice(ec, 0, len)
}

fn ord(ec: &mut Ec, this: Str) -> Result<i64> {
    if this.is_empty(ec) {
        return Err(ec.argument_error("empty string"));
    }
    match codes::codepoint(this.encoding(), this.bytes(ec)) {
        Some((code, _)) => Ok(i64::from(code)),
        None => Err(super::invalid_bytes(ec, this.encoding())),
    }
}

fn reversed(ec: &Ec, this: Str) -> Vec<u8> {
    let mut out = Vec::with_capacity(this.len(ec));
    chars::reverse(this.as_text(ec), &mut out);
    out
}

fn reverse(ec: &mut Ec, this: Str) -> Result<Str> {
    ec.ensure_memory(this.len(ec))?;
    let text = this.as_text(ec);
    let range = super::kept(text.coderange);
    Ok(Str::filled(ec, text.bytes.len(), text.encoding, range, |out| chars::reverse_into(text, out)))
}

fn reverse_bang(ec: &mut Ec, this: Str) -> Result<Str> {
    this.check_mutable(ec)?;
    if this.range(ec) == CodeRange::SevenBit || this.encoding().is_single_byte() {
        let range = this.known_range();
        this.bytes_mut(ec).reverse();
        this.set_range(range);
        return Ok(this);
    }
    ec.ensure_memory(this.len(ec))?;
    let (out, range) = (reversed(ec, this), super::kept(this.known_range()));
    super::put(ec, this, &out, range)?;
    Ok(this)
}

fn sum(ec: &mut Ec, this: Str, bits: Option<i64>) -> i64 {
    let bits = bits.unwrap_or(16);
    let bits = u32::try_from(bits).unwrap_or(0).min(64);
    carat_text::sum::sum(this.bytes(ec), bits) as i64
}
