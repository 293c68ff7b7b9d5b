//! Methods that take sets of characters: `tr`, `delete`, `squeeze`, `count`.

use super::compatible;
use super::parts;
use carat_text::coderange::CodeRange;
use carat_text::text::Text;
use carat_text::tr::{self, AsciiSet, AsciiTranslation, CharSets, Run, TrError, Translation};
use carat_vm::{Ec, EncodingIndex, Rest, Result, Str, Unwind, methods};

methods! {
    METHODS {
        borrowing "count" => count;
        borrowing "delete" => delete;
        "delete!" => delete_bang;
        borrowing "squeeze" => squeeze;
        "squeeze!" => squeeze_bang;
        borrowing "tr" => tr;
        "tr!" => tr_bang;
        borrowing "tr_s" => tr_s;
        "tr_s!" => tr_s_bang;
    }
}

fn failed(ec: &mut Ec, error: &TrError, encoding: EncodingIndex) -> Unwind {
    ec.argument_error(&error.message(encoding))
}

/// A set is read in the encoding that it and the string go together in.
fn text_in(ec: &Ec, s: Str, encoding: EncodingIndex) -> Text<'_> {
    Text { encoding, ..s.as_text(ec) }
}

/// Reads the sets given to a method.
pub(super) fn parse(ec: &mut Ec, this: Str, args: Rest) -> Result<CharSets> {
    let mut sets = CharSets::default();
    for arg in args.iter() {
        let set = ec.to_str(arg)?;
        let encoding = compatible(ec, this, set)?;
        if let Err(error) = sets.add(text_in(ec, set, encoding)) {
            return Err(failed(ec, &error, encoding));
        }
    }
    Ok(sets)
}

fn one_or_more(ec: &mut Ec, args: Rest) -> Result<()> {
    if args.is_empty() { Err(ec.argument_error("wrong number of arguments (given 0, expected 1+)")) } else { Ok(()) }
}

/// Where characters are looked up, one byte too many is found in ASCII.
fn check_ascii(ec: &mut Ec, this: Str) -> Result<()> {
    if this.encoding() == EncodingIndex::US_ASCII && this.range(ec) == CodeRange::Broken {
        return Err(super::invalid_bytes(ec, this.encoding()));
    }
    Ok(())
}

fn count(ec: &mut Ec, this: Str, args: Rest) -> Result<usize> {
    one_or_more(ec, args)?;
    check_ascii(ec, this)?;
    if let Some(byte) = single_ascii(ec, args)
        && has_plain_ascii(ec, this)
    {
        return Ok(this.bytes(ec).iter().filter(|&&b| b == byte).count());
    }
    if names_nothing(ec, this, args) {
        return Ok(0);
    }
    if let Some(set) = ascii_set(ec, this, args) {
        return Ok(set.count(this.bytes(ec)));
    }
    let sets = parse(ec, this, args)?;
    let mut count = 0;
    let counted = parts::each(ec, this, parts::anywhere, &mut Vec::new(), |ec, part, _| {
        count += tr::count(part.text(ec), &sets)?;
        Ok(())
    })?;
    counted.map(|()| count).map_err(|error| failed(ec, &error, this.encoding()))
}

/// Whether every byte of ASCII is a character.
fn has_plain_ascii(ec: &mut Ec, this: Str) -> bool {
    let encoding = this.encoding();
    encoding.is_ascii_compatible() && (encoding.is_utf8() || encoding.is_single_byte()) && this.range(ec).is_valid()
}

/// A longer string is gone through in parts.
const SHORT: usize = 1 << 16;

/// `delete` of some bytes of ASCII.
fn without_bytes(ec: &mut Ec, this: Str, is_deleted: impl Fn(u8) -> bool) -> Result<Str> {
    let bytes = this.bytes(ec);
    if !bytes.iter().any(|byte| is_deleted(*byte)) {
        return Ok(this.duplicate(ec).told_unchanged(ec));
    }
    let mut kept = Vec::new();
    tr::keep_bytes(bytes, &mut kept, |byte| !is_deleted(byte));
    super::make(ec, kept, this.encoding(), this.known_range().of_part())
}

/// `squeeze` of ASCII without a set.
fn without_repetitions(ec: &mut Ec, this: Str) -> Result<Str> {
    let mut kept = this.bytes(ec).to_vec();
    kept.dedup();
    super::make(ec, kept, this.encoding(), CodeRange::SevenBit)
}

/// The only argument, if it is one ASCII character with no meaning of its own.
fn single_ascii(ec: &Ec, args: Rest) -> Option<u8> {
    let set = args.get(0).filter(|_| args.len() == 1).and_then(Str::from_value)?;
    match set.bytes(ec) {
        [byte] if byte.is_ascii() => Some(*byte),
        _ => None,
    }
}

/// The set that the only argument writes, if it and the text, which is not long, are ASCII alone.
fn ascii_set(ec: &mut Ec, this: Str, args: Rest) -> Option<AsciiSet> {
    let set = args.get(0).filter(|_| args.len() == 1).and_then(Str::from_value)?;
    (is_short_ascii(ec, this) && set.is_ascii(ec)).then(|| AsciiSet::parse(set.bytes(ec)))?
}

/// Whether the text is ASCII and the set, which has no fault, names none of it: no caret, no range.
fn names_nothing_of(ec: &mut Ec, this: Str, set: Str) -> bool {
    this.is_ascii(ec)
        && set.encoding().is_utf8()
        && set.range(ec) == CodeRange::Valid
        && set.bytes(ec).iter().all(|byte| !byte.is_ascii())
}

/// The same of the only argument.
fn names_nothing(ec: &mut Ec, this: Str, args: Rest) -> bool {
    let set = args.get(0).filter(|_| args.len() == 1).and_then(Str::from_value);
    set.is_some_and(|set| names_nothing_of(ec, this, set))
}

/// Whether a translation leaves the text as it is, without a look at the pairs.
fn translates_nothing(ec: &mut Ec, this: Str, from: Str, to: Str) -> bool {
    names_nothing_of(ec, this, from)
        && to.encoding() == from.encoding()
        && to.range(ec).is_valid()
        && !to.bytes(ec).contains(&b'-')
}

fn is_short_ascii(ec: &mut Ec, this: Str) -> bool {
    this.len(ec) < SHORT && this.is_ascii(ec)
}

/// Does one part, knowing what the part before ended in; whether it changed anything.
type Operation = fn(Text<'_>, &CharSets, &mut Run, &mut Vec<u8>) -> std::result::Result<bool, TrError>;

fn delete_part(text: Text<'_>, sets: &CharSets, _: &mut Run, out: &mut Vec<u8>) -> std::result::Result<bool, TrError> {
    tr::delete(text, sets, out)
}

fn filtered(ec: &mut Ec, this: Str, args: Rest, operation: Operation) -> Result<(bool, Vec<u8>)> {
    let sets = parse(ec, this, args)?;
    let mut out = Vec::new();
    ec.make_room_in(&mut out, this.len(ec))?;
    let mut is_changed = false;
    let mut run = Run::default();
    let done = parts::each(ec, this, parts::anywhere, &mut out, |ec, part, out| {
        is_changed |= operation(part.text(ec), &sets, &mut run, out)?;
        Ok(())
    })?;
    match done {
        Ok(()) => Ok((is_changed, out)),
        Err(error) => Err(failed(ec, &error, this.encoding())),
    }
}

fn filter(ec: &mut Ec, this: Str, args: Rest, operation: Operation) -> Result<Str> {
    let (is_changed, out) = filtered(ec, this, args, operation)?;
    if !is_changed {
        return Ok(this.duplicate(ec).told_unchanged(ec));
    }
    super::make(ec, out, this.encoding(), this.known_range().of_part())
}

fn filter_bang(ec: &mut Ec, this: Str, args: Rest, operation: Operation) -> Result<Option<Str>> {
    this.check_mutable(ec)?;
    let (is_changed, out) = filtered(ec, this, args, operation)?;
    if is_changed {
        let range = this.known_range().of_part();
        super::put(ec, this, &out, range)?;
    }
    Ok(is_changed.then_some(this))
}

fn delete(ec: &mut Ec, this: Str, args: Rest) -> Result<Str> {
    one_or_more(ec, args)?;
    check_ascii(ec, this)?;
    if this.is_empty(ec) || names_nothing(ec, this, args) {
        return Ok(this.duplicate(ec).told_unchanged(ec));
    }
    if let Some(byte) = single_ascii(ec, args)
        && this.len(ec) < SHORT
        && has_plain_ascii(ec, this)
    {
        return without_bytes(ec, this, |found| found == byte);
    }
    match ascii_set(ec, this, args) {
        Some(set) => without_bytes(ec, this, |found| set.has(found)),
        None => filter(ec, this, args, delete_part),
    }
}

fn delete_bang(ec: &mut Ec, this: Str, args: Rest) -> Result<Option<Str>> {
    one_or_more(ec, args)?;
    check_ascii(ec, this)?;
    if this.is_empty(ec) {
        return Ok(None);
    }
    filter_bang(ec, this, args, delete_part)
}

fn squeeze(ec: &mut Ec, this: Str, args: Rest) -> Result<Str> {
    if args.is_empty() && this.len(ec) < SHORT && this.range(ec) == CodeRange::SevenBit {
        return without_repetitions(ec, this);
    }
    filter(ec, this, args, tr::squeeze_part)
}

fn squeeze_bang(ec: &mut Ec, this: Str, args: Rest) -> Result<Option<Str>> {
    filter_bang(ec, this, args, tr::squeeze_part)
}

/// The translated bytes, their encoding, and whether a character was in the set. `None`: nothing to do.
struct Translated {
    bytes: Vec<u8>,
    encoding: EncodingIndex,
    range: CodeRange,
    is_changed: bool,
}

fn translate(ec: &mut Ec, this: Str, from: Str, to: Str, squeeze: bool) -> Result<Translated> {
    check_ascii(ec, if squeeze { this } else { from })?;
    let from_encoding = compatible(ec, this, from)?;
    let to_encoding = compatible(ec, this, to)?;
    let encoding = if from_encoding == to_encoding { from_encoding } else { compatible(ec, from, to)? };
    let mut bytes = Vec::new();
    ec.make_room_in(&mut bytes, this.len(ec))?;
    let is_ascii = this.is_ascii(ec) && to.is_ascii(ec);
    let translation = match Translation::new(text_in(ec, from, encoding), text_in(ec, to, encoding), encoding) {
        Ok(translation) => translation,
        Err(error) => return Err(failed(ec, &error, encoding)),
    };
    let mut is_changed = false;
    let mut run = squeeze.then(Run::default);
    let translated = parts::each(ec, this, parts::anywhere, &mut bytes, |ec, part, bytes| {
        is_changed |= translation.apply_part(Text { encoding, ..part.text(ec) }, run.as_mut(), bytes)?;
        Ok(())
    })?;
    let range = if is_ascii { CodeRange::SevenBit } else { CodeRange::Unknown };
    match translated {
        Ok(()) => Ok(Translated { bytes, encoding, range, is_changed }),
        Err(error) => Err(failed(ec, &error, encoding)),
    }
}

/// An empty replacement deletes.
fn deleted(ec: &mut Ec, this: Str, from: Str) -> Result<Translated> {
    let encoding = compatible(ec, this, from)?;
    let sets = match CharSets::parse([text_in(ec, from, encoding)]) {
        Ok(sets) => sets,
        Err(error) => return Err(failed(ec, &error, encoding)),
    };
    let mut bytes = Vec::new();
    ec.make_room_in(&mut bytes, this.len(ec))?;
    let mut is_changed = false;
    let outcome = parts::each(ec, this, parts::anywhere, &mut bytes, |ec, part, bytes| {
        is_changed |= tr::delete(part.text(ec), &sets, bytes)?;
        Ok(())
    })?;
    match outcome {
        Ok(()) => Ok(Translated { bytes, encoding: this.encoding(), range: this.known_range().of_part(), is_changed }),
        Err(error) => Err(failed(ec, &error, encoding)),
    }
}

fn translated(ec: &mut Ec, this: Str, from: Str, to: Str, squeeze: bool) -> Result<Translated> {
    if to.is_empty(ec) {
        return deleted(ec, this, from);
    }
    if from.is_empty(ec) {
        let encoding = compatible(ec, this, from)?;
        compatible(ec, this, to)?;
        if this.range(ec) == CodeRange::Broken {
            return Err(failed(ec, &TrError::InvalidByteSequence, this.encoding()));
        }
        return Ok(Translated { bytes: Vec::new(), encoding, range: this.known_range(), is_changed: false });
    }
    translate(ec, this, from, to, squeeze)
}

/// Where text and sets are ASCII alone.
fn translated_ascii(ec: &mut Ec, this: Str, from: Str, to: Str) -> Option<Translated> {
    if !is_short_ascii(ec, this) || !from.is_ascii(ec) || !to.is_ascii(ec) {
        return None;
    }
    let translation = AsciiTranslation::parse(from.bytes(ec), to.bytes(ec))?;
    let text = this.bytes(ec);
    let mut bytes = Vec::with_capacity(text.len());
    let is_changed = translation.apply(text, &mut bytes);
    Some(Translated { bytes, encoding: this.encoding(), range: CodeRange::SevenBit, is_changed })
}

fn translate_new(ec: &mut Ec, this: Str, from: Str, to: Str, squeeze: bool) -> Result<Str> {
    if this.is_empty(ec) || translates_nothing(ec, this, from, to) {
        return Ok(this.duplicate(ec).told_unchanged(ec));
    }
    let result = match translated_ascii(ec, this, from, to).filter(|_| !squeeze) {
        Some(result) => result,
        None => translated(ec, this, from, to, squeeze)?,
    };
    if !result.is_changed {
        return Ok(this.duplicate(ec).told_unchanged(ec));
    }
    super::make(ec, result.bytes, result.encoding, result.range)
}

fn translate_bang(ec: &mut Ec, this: Str, from: Str, to: Str, squeeze: bool) -> Result<Option<Str>> {
    if this.is_empty(ec) {
        return Ok(None);
    }
    this.check_mutable(ec)?;
    let result = translated(ec, this, from, to, squeeze)?;
    if result.is_changed {
        super::put(ec, this, &result.bytes, result.range)?;
        this.set_encoding(result.encoding);
    }
    Ok(result.is_changed.then_some(this))
}

fn tr(ec: &mut Ec, this: Str, from: Str, to: Str) -> Result<Str> {
    translate_new(ec, this, from, to, false)
}

fn tr_bang(ec: &mut Ec, this: Str, from: Str, to: Str) -> Result<Option<Str>> {
    translate_bang(ec, this, from, to, false)
}

fn tr_s(ec: &mut Ec, this: Str, from: Str, to: Str) -> Result<Str> {
    translate_new(ec, this, from, to, true)
}

fn tr_s_bang(ec: &mut Ec, this: Str, from: Str, to: Str) -> Result<Option<Str>> {
    translate_bang(ec, this, from, to, true)
}
