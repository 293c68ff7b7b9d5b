//! What goes at the ends of a string or is put there: `strip`, `chomp`, `chop`, affixes, `ljust`.

use super::{compatible, invalid_bytes};
use carat_text::chars::InvalidByteSequence;
use carat_text::coderange::CodeRange;
use carat_text::encoding::EncodingIndex;
use carat_text::justify::{self, Align};
use carat_text::text::Text;
use carat_text::tr::CharSets;
use carat_text::{chars, lines, search, strip};
use carat_vm::{Ec, Rest, Result, Str, Value, methods, sym};
use std::ops::Range;

methods! {
    METHODS {
        "strip" => strip;
        "lstrip" => lstrip;
        "rstrip" => rstrip;
        "strip!" => strip_bang;
        "lstrip!" => lstrip_bang;
        "rstrip!" => rstrip_bang;
        borrowing "chomp" => chomp;
        "chomp!" => chomp_bang;
        "chop" => chop;
        "chop!" => chop_bang;
        borrowing "delete_prefix" => delete_prefix;
        "delete_prefix!" => delete_prefix_bang;
        borrowing "delete_suffix" => delete_suffix;
        "delete_suffix!" => delete_suffix_bang;
        borrowing "ljust" => ljust;
        borrowing "rjust" => rjust;
        borrowing "center" => center;
    }
}

/// A part as a new string; the whole is a copy.
fn keep(ec: &mut Ec, this: Str, range: Range<usize>) -> Str {
    super::access::part(ec, this, range.start, range.len())
}

/// Cuts down to a part; nil if that is everything. The arguments' conversions may have frozen the string.
fn keep_bang(ec: &mut Ec, this: Str, range: Range<usize>) -> Result<Option<Str>> {
    this.check_mutable(ec)?;
    let len = this.len(ec);
    if range.len() == len {
        return Ok(None);
    }
    this.truncate(ec, range.end);
    if range.start > 0 {
        let known = this.known_range().of_part();
        let empty = Str::new(ec, b"", this.encoding(), CodeRange::SevenBit);
        this.splice(ec, 0, range.start, empty);
        this.set_range(known);
    }
    Ok(Some(this))
}

type Ends = std::result::Result<Range<usize>, InvalidByteSequence>;

/// The characters that go; without selectors white space does.
fn selected(ec: &mut Ec, this: Str, selectors: Rest) -> Result<Option<CharSets>> {
    if selectors.is_empty() { Ok(None) } else { super::sets::parse(ec, this, selectors).map(Some) }
}

fn ends(
    ec: &mut Ec,
    this: Str,
    sets: Option<&CharSets>,
    find: fn(carat_text::text::Text<'_>, Option<&CharSets>) -> Ends,
) -> Result<Range<usize>> {
    find(this.as_text(ec), sets).map_err(|_| invalid_bytes(ec, this.encoding()))
}

/// The right end of a string is found from behind, which no broken one bears, nor one in a dummy encoding.
fn check_from_behind(ec: &mut Ec, this: Str) -> Result<()> {
    super::check_known(ec, this)?;
    if this.range(ec) == CodeRange::Broken {
        let message = format!("invalid byte sequence in {}", this.encoding().name());
        return Err(ec.error(ec.vm().known().compatibility_error, &message));
    }
    Ok(())
}

fn both_ends(text: carat_text::text::Text<'_>, sets: Option<&CharSets>) -> Ends {
    strip::strip(text, sets)
}

fn left_end(text: carat_text::text::Text<'_>, sets: Option<&CharSets>) -> Ends {
    Ok(strip::lstrip(text, sets)?..text.bytes.len())
}

fn right_end(text: carat_text::text::Text<'_>, sets: Option<&CharSets>) -> Ends {
    Ok(0..strip::rstrip(text, sets)?)
}

/// Both ends; the left one is looked for first, and fails in its own way.
fn strip_range(ec: &mut Ec, this: Str, selectors: Rest) -> Result<Range<usize>> {
    let sets = selected(ec, this, selectors)?;
    if this.range(ec) == CodeRange::Broken && !this.encoding().is_dummy() {
        ends(ec, this, sets.as_ref(), left_end)?;
    }
    check_from_behind(ec, this)?;
    ends(ec, this, sets.as_ref(), both_ends)
}

fn lstrip_range(ec: &mut Ec, this: Str, selectors: Rest) -> Result<Range<usize>> {
    let sets = selected(ec, this, selectors)?;
    ends(ec, this, sets.as_ref(), left_end)
}

fn rstrip_range(ec: &mut Ec, this: Str, selectors: Rest) -> Result<Range<usize>> {
    let sets = selected(ec, this, selectors)?;
    check_from_behind(ec, this)?;
    ends(ec, this, sets.as_ref(), right_end)
}

fn strip(ec: &mut Ec, this: Str, selectors: Rest) -> Result<Str> {
    let range = strip_range(ec, this, selectors)?;
    Ok(keep(ec, this, range))
}

fn lstrip(ec: &mut Ec, this: Str, selectors: Rest) -> Result<Str> {
    let range = lstrip_range(ec, this, selectors)?;
    Ok(keep(ec, this, range))
}

fn rstrip(ec: &mut Ec, this: Str, selectors: Rest) -> Result<Str> {
    let range = rstrip_range(ec, this, selectors)?;
    Ok(keep(ec, this, range))
}

fn strip_bang(ec: &mut Ec, this: Str, selectors: Rest) -> Result<Option<Str>> {
    this.check_mutable(ec)?;
    let range = strip_range(ec, this, selectors)?;
    keep_bang(ec, this, range)
}

fn lstrip_bang(ec: &mut Ec, this: Str, selectors: Rest) -> Result<Option<Str>> {
    this.check_mutable(ec)?;
    let range = lstrip_range(ec, this, selectors)?;
    keep_bang(ec, this, range)
}

fn rstrip_bang(ec: &mut Ec, this: Str, selectors: Rest) -> Result<Option<Str>> {
    this.check_mutable(ec)?;
    let range = rstrip_range(ec, this, selectors)?;
    keep_bang(ec, this, range)
}

/// The length after `chomp`; without a separator `$/` says what goes.
fn chomped_len(ec: &mut Ec, this: Str, separator: Option<Value>) -> Result<usize> {
    let separator = match separator {
        Some(Value::NIL) => return Ok(this.len(ec)),
        Some(value) => ec.to_str(value)?,
        None => match default_separator(ec) {
            None => return Ok(lines::smart_chomp(this.as_known_text(ec))),
            Some(Value::NIL) => return Ok(this.len(ec)),
            Some(value) => ec.to_str(value)?,
        },
    };
    if this.is_empty(ec) {
        return Ok(0);
    }
    if lines::is_only(separator.as_text(ec), b'\n') {
        return Ok(lines::smart_chomp(this.as_known_text(ec)));
    }
    if separator.is_empty(ec) {
        return Ok(lines::chomp_paragraph(this.as_known_text(ec)));
    }
    if separator.len(ec) > this.len(ec) {
        return Ok(this.len(ec));
    }
    compatible(ec, this, separator)?;
    Ok(lines::chomp(this.as_text(ec), separator.as_text(ec)))
}

/// `$/` unless it is the newline it starts out as.
pub(super) fn default_separator(ec: &Ec) -> Option<Value> {
    let value = ec.global_value(sym::RECORD_SEPARATOR);
    match Str::from_value(value) {
        Some(s) if s.bytes(ec) == b"\n" => None,
        _ => Some(value),
    }
}

fn chomp(ec: &mut Ec, this: Str, separator: Option<Value>) -> Result<Str> {
    let len = chomped_len(ec, this, separator)?;
    Ok(keep(ec, this, 0..len))
}

fn chomp_bang(ec: &mut Ec, this: Str, separator: Option<Value>) -> Result<Option<Str>> {
    this.check_mutable(ec)?;
    let len = chomped_len(ec, this, separator)?;
    keep_bang(ec, this, 0..len)
}

fn chop(ec: &mut Ec, this: Str) -> Str {
    let len = lines::chop(this.as_known_text(ec));
    keep(ec, this, 0..len)
}

fn chop_bang(ec: &mut Ec, this: Str) -> Result<Option<Str>> {
    this.check_mutable(ec)?;
    let len = lines::chop(this.as_known_text(ec));
    keep_bang(ec, this, 0..len)
}

/// A broken prefix is looked for by its bytes where both encodings have ASCII's.
fn without_prefix(ec: &mut Ec, this: Str, prefix: Str) -> Result<Range<usize>> {
    let are_ascii = this.encoding().is_ascii_compatible() && prefix.encoding().is_ascii_compatible();
    if !(are_ascii && prefix.as_text(ec).is_broken()) {
        compatible(ec, this, prefix)?;
    }
    Ok(search::prefix_to_delete(this.as_text(ec), prefix.as_text(ec))..this.len(ec))
}

fn without_suffix(ec: &mut Ec, this: Str, suffix: Str) -> Result<Range<usize>> {
    if suffix.as_text(ec).is_broken() {
        return Ok(0..this.len(ec));
    }
    compatible(ec, this, suffix)?;
    Ok(0..this.len(ec) - search::suffix_to_delete(this.as_text(ec), suffix.as_text(ec)))
}

fn delete_prefix(ec: &mut Ec, this: Str, prefix: Str) -> Result<Str> {
    let range = without_prefix(ec, this, prefix)?;
    Ok(keep(ec, this, range))
}

fn delete_prefix_bang(ec: &mut Ec, this: Str, prefix: Value) -> Result<Option<Str>> {
    this.check_mutable(ec)?;
    let prefix = ec.to_str(prefix)?;
    let range = without_prefix(ec, this, prefix)?;
    keep_bang(ec, this, range)
}

fn delete_suffix(ec: &mut Ec, this: Str, suffix: Str) -> Result<Str> {
    let range = without_suffix(ec, this, suffix)?;
    Ok(keep(ec, this, range))
}

fn delete_suffix_bang(ec: &mut Ec, this: Str, suffix: Value) -> Result<Option<Str>> {
    this.check_mutable(ec)?;
    let suffix = ec.to_str(suffix)?;
    let range = without_suffix(ec, this, suffix)?;
    keep_bang(ec, this, range)
}

/// A string of more characters is padded step by step, so that it can be interrupted.
const WIDE: usize = 1 << 16;

/// A padding that was repeated already, so that few steps go far.
struct Padding {
    bytes: Vec<u8>,
    chars: usize,
    encoding: EncodingIndex,
}

impl Padding {
    fn new(pad: Text<'_>) -> Padding {
        let pad_chars = chars::count(pad);
        let times = WIDE.div_ceil(pad.bytes.len());
        Padding { bytes: pad.bytes.repeat(times), chars: pad_chars * times, encoding: pad.encoding }
    }

    fn fill(&self, ec: &mut Ec, count: usize, out: &mut Vec<u8>) -> Result<()> {
        for _ in 0..count / self.chars {
            ec.check_ints()?;
            ec.make_room_in(out, self.bytes.len())?;
            out.extend_from_slice(&self.bytes);
        }
        justify::fill(Text::of(&self.bytes, self.encoding), count % self.chars, out);
        Ok(())
    }
}

/// That the bytes of so many characters can be counted at all.
fn check_width(ec: &mut Ec, this: Str, width: usize, pad: Option<Str>) -> Result<()> {
    let (chars, bytes) = pad.map_or((1, 1), |pad| (super::access::char_count(ec, pad), pad.len(ec)));
    let missing = width - super::access::char_count(ec, this);
    let all = (missing / chars).checked_mul(bytes).and_then(|padding| padding.checked_add(this.len(ec)));
    match all.filter(|bytes| *bytes < i64::MAX as usize) {
        Some(_) => Ok(()),
        None => Err(ec.argument_error("argument too big")),
    }
}

/// The padding if it is one byte of ASCII.
fn ascii_byte(ec: &Ec, pad: Option<Str>) -> Option<u8> {
    match pad.map(|pad| (pad.bytes(ec), pad.encoding())) {
        None => Some(b' '),
        Some(([byte], encoding)) if byte.is_ascii() && encoding.is_ascii_compatible() => Some(*byte),
        Some(_) => None,
    }
}

/// ASCII in the midst, or at one end, of so many times the same byte.
fn justified_ascii(ec: &Ec, this: Str, width: usize, byte: u8, align: Align, encoding: EncodingIndex) -> Str {
    let missing = width - this.len(ec);
    let left = match align {
        Align::Left => 0,
        Align::Right => missing,
        Align::Center => missing / 2,
    };
    Str::filled(ec, width, encoding, CodeRange::SevenBit, |out| {
        out.fill(byte);
        out[left..left + this.len(ec)].copy_from_slice(this.bytes(ec));
    })
}

fn justified(ec: &mut Ec, this: Str, width: i64, pad: Option<Str>, align: Align) -> Result<Str> {
    // Of spaces there is no need to make a string; they are bytes, even where the encoding has others.
    let encoding = pad.map_or(Ok(this.encoding()), |pad| compatible(ec, this, pad))?;
    if pad.is_some_and(|pad| pad.is_empty(ec)) {
        return Err(ec.argument_error("zero width padding"));
    }
    let width = usize::try_from(width).unwrap_or(0);
    if width <= super::access::char_count(ec, this) {
        return Ok(this.copy(ec));
    }
    if width <= WIDE
        && this.encoding().is_ascii_compatible()
        && this.is_ascii(ec)
        && let Some(byte) = ascii_byte(ec, pad)
    {
        return Ok(justified_ascii(ec, this, width, byte, align, encoding));
    }
    check_width(ec, this, width, pad)?;
    ec.ensure_memory(width)?;
    let padding = pad.map_or(Text::new(b" ", this.encoding(), CodeRange::SevenBit), |pad| pad.as_text(ec));
    let range = this.range(ec).combine(padding.coderange);
    let mut out = Vec::new();
    if width <= WIDE {
        justify::justify(this.as_text(ec), width, padding, align, &mut out);
    } else {
        let padding = Padding::new(padding);
        let source = this.snapshot(ec);
        let (left, right) = justify::missing(source.as_text(ec), width, align);
        padding.fill(ec, left, &mut out)?;
        ec.make_room_in(&mut out, source.len(ec))?;
        out.extend_from_slice(source.bytes(ec));
        padding.fill(ec, right, &mut out)?;
    }
    super::make(ec, out, encoding, super::kept(range))
}

fn ljust(ec: &mut Ec, this: Str, width: i64, pad: Option<Str>) -> Result<Str> {
    justified(ec, this, width, pad, Align::Left)
}

fn rjust(ec: &mut Ec, this: Str, width: i64, pad: Option<Str>) -> Result<Str> {
    justified(ec, this, width, pad, Align::Right)
}

fn center(ec: &mut Ec, this: Str, width: i64, pad: Option<Str>) -> Result<Str> {
    justified(ec, this, width, pad, Align::Center)
}
