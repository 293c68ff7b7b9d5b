//! `String`.
//!
//! # Layout
//! One file per family of methods; each has its own table. What yields is in `core/string.rb`, on the primitives of
//! [`iterate`].
//!
//! # Invariants
//! * Every result is a String of the core class, whatever the receiver's class, with its code range set where it is known.
//! * Everything that writes calls `check_mutable` first.
//!
//! # Not here
//! Methods whose argument is a pattern (`sub`, `scan`, `index`, `split`, ...): `regexp`.

mod access;
mod aset;
mod build;
mod case;
mod compare;
mod convert;
mod create;
mod crypt;
mod encode;
mod escape;
mod iterate;
pub(crate) mod parts;
mod pattern;
mod sets;
mod trim;

use crate::collection::range::range_parts;
use carat_text::coderange::CodeRange;
use carat_text::compat;
use carat_vm::{Array, Ec, EncodingIndex, Result, Str, Unwind, Value, primitives, sym};

#[allow(unused_imports, reason = "other classes use what they need")]
pub(crate) use access::LEAVES;
pub(crate) use aset::LEAVES as WRITING_LEAVES;
pub(crate) use compare::LEAVES as COMPARING_LEAVES;
pub(crate) use create::LEAVES as PLAIN_LEAVES;
pub(crate) use encode::LEAVES as ENCODING_LEAVES;

#[allow(unused_imports, reason = "other classes use what they need")]
pub(crate) use access::{aref, char_count, find, substring};
#[allow(unused_imports, reason = "as above")]
pub(crate) use aset::{is_boundary, update};
#[allow(unused_imports, reason = "as above")]
pub(crate) use build::append_str;
pub(crate) use case::mapped as map_case;
pub(crate) use compare::{ends_with, folded as fold_text, order, starts_with};
pub(crate) use convert::{PER_DIGIT, check_ascii_compatible, digits_of, integer, parse, succ, to_i};
pub(crate) use encode::{EncodeOptions, associate, encode_string, parse_options};
#[allow(unused_imports, reason = "as above")]
pub(crate) use escape::{METHODS as ESCAPE_METHODS, inspect};

primitives! {
    PRIMITIVES {
        "string_mark" => mark;
        "string_snapshot" => iterate::snapshot;
        "string_bytesize" => iterate::bytesize;
        "string_is_chilled" => iterate::is_chilled;
        "string_length" => iterate::length;
        "string_byte_at" => iterate::byte_at;
        "string_next_char" => iterate::next_char;
        "string_char_size" => iterate::char_size;
        "string_codepoint_at" => iterate::codepoint_at;
        "string_slice_bytes" => iterate::slice_bytes;
        "string_chars" => iterate::chars;
        "string_bytes" => iterate::bytes;
        "string_codepoints" => iterate::codepoints;
        "string_graphemes" => iterate::graphemes;
        "string_grapheme_count" => iterate::grapheme_count;
        "string_separator" => iterate::separator;
        "string_line_end" => iterate::line_end;
        "string_line_at" => iterate::line_at;
        "string_char_index" => iterate::char_index;
        "string_lines" => iterate::lines;
        "string_upto_kind" => iterate::upto_kind;
        "string_digits" => iterate::padded_digits;
        "string_ascii_char" => iterate::ascii_char;
        "string_invalid_piece" => encode::invalid_piece;
        "string_check_replacement" => encode::check_replacement;
        "string_scrub" => encode::scrubbed;
    }
}

pub(crate) fn init(ec: &mut Ec) {
    let string = ec.vm().known().string;
    let comparable = ec.vm().known().comparable;
    string.include(ec, comparable);
    string.set_allocator(Some(create::allocate));
    let tables = [
        create::METHODS,
        access::METHODS,
        aset::METHODS,
        build::METHODS,
        case::METHODS,
        compare::METHODS,
        convert::METHODS,
        encode::METHODS,
        escape::METHODS,
        sets::METHODS,
        trim::METHODS,
    ];
    for table in tables {
        string.define_methods(ec, table);
    }
}

/// `Primitive.string_mark`: the literal, which remembers where it was made; frozen unless it is chilled.
fn mark(ec: &mut Ec, literal: Str) -> Value {
    let (path, line) = ec.caller_place();
    let place = Array::pair(ec, ec.path_str(&path).value(), Value::fixnum_unchecked(i64::from(line)));
    ec.set_field(literal.value(), sym::CREATED_IVAR, place.value());
    if !literal.is_chilled() {
        ec.freeze(literal.value());
    }
    literal.value()
}

/// The encoding both strings can be combined in, or `Encoding::CompatibilityError`.
#[inline]
pub(crate) fn compatible(ec: &mut Ec, left: Str, right: Str) -> Result<EncodingIndex> {
    match left.compatible_encoding(ec, right) {
        Some(encoding) => Ok(encoding),
        None => Err(incompatible(ec, left.encoding(), right.encoding())),
    }
}

#[cold]
pub(crate) fn incompatible(ec: &mut Ec, left: EncodingIndex, right: EncodingIndex) -> Unwind {
    ec.error(ec.vm().known().compatibility_error, &compat::incompatible_message(left, right))
}

/// Operations that look at characters refuse the encodings that are known by name only.
pub(crate) fn check_known(ec: &mut Ec, this: Str) -> Result<()> {
    if !this.encoding().is_dummy() {
        return Ok(());
    }
    let message = format!("incompatible encoding with this operation: {}", this.encoding().name());
    Err(ec.error(ec.vm().known().compatibility_error, &message))
}

/// `ArgumentError`: invalid byte sequence in NAME.
#[cold]
pub(crate) fn invalid_bytes(ec: &mut Ec, encoding: EncodingIndex) -> Unwind {
    ec.argument_error(&format!("invalid byte sequence in {}", encoding.name()))
}

/// A String of bytes that were computed; seven-bit if both the source was and computing keeps it so.
pub(crate) fn make(ec: &mut Ec, bytes: Vec<u8>, encoding: EncodingIndex, range: CodeRange) -> Result<Str> {
    Str::try_of_vec(ec, bytes, encoding, range)
}

/// Puts computed bytes into a string that may be written.
pub(crate) fn put(ec: &mut Ec, this: Str, bytes: &[u8], range: CodeRange) -> Result<()> {
    ec.ensure_memory(bytes.len())?;
    this.check_mutable(ec)?;
    this.overwrite(ec, bytes);
    this.set_range(range);
    Ok(())
}

/// The range of something made from a string without adding anything but what `range` covers.
pub(crate) fn kept(range: CodeRange) -> CodeRange {
    if range.is_valid() { range } else { CodeRange::Unknown }
}

/// Turns a possibly negative character or byte index into a position from the start; `None` in front of it.
pub(crate) fn from_start(index: i64, len: usize) -> Option<usize> {
    let index = if index < 0 { index.checked_add(len as i64)? } else { index };
    usize::try_from(index).ok()
}

/// Start and length of a range over as many elements as `len` counts, when the ends have been converted. `None`: no range.
/// `Some(None)`: the range begins outside.
pub(crate) fn range_bounds(
    ec: &mut Ec,
    range: Value,
    len: impl FnOnce(&mut Ec) -> usize,
) -> Result<Option<Option<(usize, usize)>>> {
    let Some((begin, end, excludes_end)) = range_parts(ec, range)? else { return Ok(None) };
    let begin = if begin.is_nil() { 0 } else { ec.to_long(begin)? };
    let (end, excludes_end) = if end.is_nil() { (-1, false) } else { (ec.to_long(end)?, excludes_end) };
    let len = len(ec);
    let Some(begin) = from_start(begin, len).filter(|&b| b <= len) else { return Ok(Some(None)) };
    let end = if end < 0 { end.saturating_add(len as i64) } else { end };
    let end = if excludes_end { end } else { end.saturating_add(1) }.clamp(0, len as i64) as usize;
    Ok(Some(Some((begin, end.saturating_sub(begin)))))
}
