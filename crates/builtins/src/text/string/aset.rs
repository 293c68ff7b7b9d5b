//! Writing parts of a string: `[]=`, `slice!`, `insert`, `setbyte`, `bytesplice`.

use super::{access, compatible, from_start, pattern, range_bounds};
use crate::collection::range::range_parts;
use carat_text::chars;
use carat_vm::leaf::{Leaf, LeafOf, LeafRow};
use carat_vm::{Ec, Rest, Result, Str, Value, methods};
use std::ops::Range;

methods! {
    METHODS {
        "[]=" => aset;
        "slice!" => slice_bang;
        "insert" => insert;
        "setbyte" => setbyte;
        "bytesplice" => bytesplice;
    }
}

pub(crate) static LEAVES: &[LeafRow] = &[(LeafOf::Method(METHODS, "setbyte"), Leaf::with_effects(setbyte_of_fixnum))];

/// Replaces bytes that lie between characters; the encodings must go together.
pub(crate) fn update(ec: &mut Ec, this: Str, at: Range<usize>, with: Str) -> Result<()> {
    let encoding = compatible(ec, this, with)?;
    this.check_mutable(ec)?;
    this.make_room(ec, with.len(ec))?;
    // What was converted since the place was found may have shortened the string.
    let len = this.len(ec);
    let at = at.start.min(len)..at.end.min(len);
    this.splice(ec, at.start, at.len(), with);
    this.set_encoding(encoding);
    Ok(())
}

fn aset(ec: &mut Ec, this: Str, index: Value, second: Value, third: Option<Value>) -> Result {
    let (value, (at, with)) = match third {
        Some(value) => (value, place_with_length(ec, this, index, second, value)?),
        None => (second, place(ec, this, index, second)?),
    };
    if at.end > this.len(ec) {
        return Err(ec.runtime_error("string modified"));
    }
    update(ec, this, at, with)?;
    Ok(value)
}

/// What to replace, and by what: the value is converted once, and before or after the place is looked for as CRuby does.
type Replacement = (Range<usize>, Str);

fn place_with_length(ec: &mut Ec, this: Str, index: Value, len: Value, value: Value) -> Result<Replacement> {
    if pattern::is_regexp(ec, index) {
        let at = pattern::place(ec, this, index, Some(len))?;
        return Ok((at, ec.to_str(value)?));
    }
    let (start, len) = (ec.to_long(index)?, ec.to_long(len)?);
    place_of_chars(ec, this, start, len, value)
}

fn place_of_chars(ec: &mut Ec, this: Str, start: i64, len: i64, value: Value) -> Result<Replacement> {
    let Ok(len) = usize::try_from(len) else { return Err(ec.index_error(&format!("negative length {len}"))) };
    let with = ec.to_str(value)?;
    compatible(ec, this, with)?;
    match this.char_range(ec, start, len) {
        Some(range) => Ok((range, with)),
        None => Err(ec.index_error(&format!("index {start} out of string"))),
    }
}

fn place(ec: &mut Ec, this: Str, index: Value, value: Value) -> Result<Replacement> {
    if let Some(start) = index.as_fixnum() {
        return place_of_chars(ec, this, start, 1, value);
    }
    if pattern::is_regexp(ec, index) {
        let at = pattern::place(ec, this, index, None)?;
        return Ok((at, ec.to_str(value)?));
    }
    if let Some(needle) = Str::from_value(index) {
        return match access::find(ec, this, needle, 0)? {
            Some(at) => Ok((at..at + needle.len(ec), ec.to_str(value)?)),
            None => Err(ec.index_error("string not matched")),
        };
    }
    if let Some((start, len)) = char_range(ec, this, index)? {
        return place_of_chars(ec, this, start as i64, len as i64, value);
    }
    let start = ec.to_long(index)?;
    place_of_chars(ec, this, start, 1, value)
}

/// Start and length of a range; `None` if it is none.
fn char_range(ec: &mut Ec, this: Str, range: Value) -> Result<Option<(usize, usize)>> {
    match range_bounds(ec, range, |ec| access::char_count(ec, this))? {
        None => Ok(None),
        Some(Some(bounds)) => Ok(Some(bounds)),
        Some(None) => {
            let shown = ec.inspect(range)?.to_text(ec);
            Err(ec.range_error(&format!("{shown} out of range")))
        }
    }
}

fn slice_bang(ec: &mut Ec, this: Str, index: Value, len: Option<Value>) -> Result<Option<Value>> {
    this.check_mutable(ec)?;
    let found = match place_to_cut(ec, this, index, len)? {
        Some(range) => range,
        None => return Ok(None),
    };
    let cut = match Str::from_value(index) {
        Some(text) if len.is_none() => Str::new(ec, text.bytes(ec), text.encoding(), text.known_range()),
        _ => access::part(ec, this, found.start, found.len()),
    };
    let empty = Str::new(ec, b"", this.encoding(), carat_vm::CodeRange::SevenBit);
    this.check_mutable(ec)?;
    let range = this.known_range().of_part();
    this.splice(ec, found.start, found.len(), empty);
    this.set_range(range);
    Ok(Some(cut.value()))
}

fn place_to_cut(ec: &mut Ec, this: Str, index: Value, len: Option<Value>) -> Result<Option<Range<usize>>> {
    if pattern::is_regexp(ec, index) {
        return pattern::find_place(ec, this, index, len);
    }
    if let Some(len) = len {
        let (start, len) = (ec.to_long(index)?, ec.to_long(len)?);
        return Ok(usize::try_from(len).ok().and_then(|len| this.char_range(ec, start, len)));
    }
    if let Some(needle) = Str::from_value(index) {
        let len = needle.len(ec);
        return Ok(access::find(ec, this, needle, 0)?.map(|at| at..at + len));
    }
    if let Some(bounds) = range_bounds(ec, index, |ec| access::char_count(ec, this))? {
        let Some((start, len)) = bounds else { return Ok(None) };
        return Ok(this.char_range(ec, start as i64, len));
    }
    let start = ec.to_long(index)?;
    Ok(this.char_range(ec, start, 1).filter(|r| !r.is_empty()))
}

fn insert(ec: &mut Ec, this: Str, index: i64, other: Str) -> Result<Str> {
    compatible(ec, this, other)?;
    let count = access::char_count(ec, this) as i64;
    // A negative index names the place behind its character.
    let at = if index < 0 { index + count + 1 } else { index };
    let place = usize::try_from(at).ok().and_then(|at| this.char_range(ec, at as i64, 0));
    match place {
        Some(place) => update(ec, this, place, other)?,
        None => {
            // The message names the place, which for a negative index is one further.
            let shown = if index < 0 { index + 1 } else { index };
            return Err(ec.index_error(&format!("index {shown} out of string")));
        }
    }
    Ok(this)
}

fn setbyte(ec: &mut Ec, this: Str, index: i64, byte: Value) -> Result {
    byte_index(ec, this, index)?;
    let integer = ec.to_int(byte)?;
    let low = match integer.as_fixnum() {
        Some(number) => number as u8,
        None => ec.to_bigint(integer).map_or(0, |big| low_byte(&big)),
    };
    this.check_mutable(ec)?;
    // The conversion may have shortened the string.
    let at = byte_index(ec, this, index)?;
    this.put_byte(ec, at, low);
    Ok(byte)
}

fn byte_index(ec: &mut Ec, this: Str, index: i64) -> Result<usize> {
    let len = this.len(ec);
    let at = from_start(index, len).filter(|&at| at < len);
    at.ok_or_else(|| ec.index_error(&format!("index {index} out of string")))
}

fn setbyte_of_fixnum(ec: &mut Ec, this: Str, index: i64, byte: i64) -> Option<Value> {
    let len = this.len(ec);
    let at = from_start(index, len).filter(|&at| at < len && this.is_mutable())?;
    this.put_byte(ec, at, byte as u8);
    Some(ec.int(byte))
}

fn low_byte(n: &num_bigint::BigInt) -> u8 {
    n.to_signed_bytes_le().first().copied().unwrap_or(0)
}

/// `bytesplice(index, length, str)`, `(index, length, str, str_index, str_length)`, `(range, str)`, `(range, str, str_range)`.
fn bytesplice(ec: &mut Ec, this: Str, args: Rest) -> Result<Str> {
    let argument = |i: usize| args.get(i).unwrap_or(Value::NIL);
    if args.len() == 4 {
        return Err(ec.argument_error("wrong number of arguments (given 4, expected 2, 3, or 5)"));
    }
    if !matches!(args.len(), 2 | 3 | 5) {
        return Err(ec.arity_error(args.len(), 2, Some(5)));
    }
    let (target, source, part) = if args.len() == 2 || args.len() == 3 && !ec.is_integer(argument(0)) {
        let target = byte_range(ec, this, argument(0))?;
        let source = ec.to_str(argument(1))?;
        let part = if args.len() == 3 { byte_range(ec, source, argument(2))? } else { 0..source.len(ec) };
        check_boundaries(ec, this, &target)?;
        (target, source, part)
    } else {
        // All arguments are converted before any of them is compared with its string.
        let target = (ec.to_long(argument(0))?, ec.to_long(argument(1))?);
        let source = ec.to_str(argument(2))?;
        let part = if args.len() == 5 { Some((ec.to_long(argument(3))?, ec.to_long(argument(4))?)) } else { None };
        let target = byte_span(ec, this, target)?;
        check_boundaries(ec, this, &target)?;
        let part = part.map_or(Ok(0..source.len(ec)), |part| byte_span(ec, source, part))?;
        (target, source, part)
    };
    check_boundaries(ec, source, &part)?;
    let with = source.share(ec, part.start, part.len());
    update(ec, this, target, with)?;
    Ok(this)
}

fn byte_range(ec: &mut Ec, s: Str, range: Value) -> Result<Range<usize>> {
    if range_parts(ec, range)?.is_none() {
        return Err(ec.wrong_type(range, "Range"));
    }
    match range_bounds(ec, range, |ec| s.len(ec))? {
        Some(Some((start, len))) => Ok(start..start + len),
        _ => {
            let shown = ec.inspect(range)?.to_text(ec);
            Err(ec.range_error(&format!("{shown} out of range")))
        }
    }
}

fn byte_span(ec: &mut Ec, s: Str, (index, len): (i64, i64)) -> Result<Range<usize>> {
    let size = s.len(ec);
    let Ok(len) = usize::try_from(len) else { return Err(ec.index_error(&format!("negative length {len}"))) };
    match from_start(index, size).filter(|&at| at <= size) {
        Some(start) => Ok(start..start + len.min(size - start)),
        None => Err(ec.index_error(&format!("index {index} out of string"))),
    }
}

fn check_boundaries(ec: &mut Ec, s: Str, range: &Range<usize>) -> Result<()> {
    for at in [range.start, range.end] {
        if !is_boundary(ec, s, at) {
            return Err(ec.index_error(&format!("offset {at} does not land on character boundary")));
        }
    }
    Ok(())
}

/// Whether a character starts at a byte position, or the string ends there.
pub(crate) fn is_boundary(ec: &Ec, s: Str, at: usize) -> bool {
    chars::is_boundary(s.as_text(ec), at)
}
