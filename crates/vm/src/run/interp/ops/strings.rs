//! Interpolation and what strings need from instructions.

use super::basic::reg;
use super::{conclude, handler};
use crate::ec::{Ec, Result};
use crate::model::symbol::sym;
use crate::run::frame::Fp;
use crate::run::interp::{dispatch, publish_all};
use crate::value::string::{CodeRange, EncodingIndex, Joined, Str};
use carat_iseq::Insn;
use carat_layout::Value;

handler!(objtostring(pc, fp, ec, caches) {
    if let Some(value) = at_once(&*ec, reg!(fp, (*pc).b)) {
        reg!(fp, (*pc).a) = value;
        return dispatch(pc.add(2), fp, ec, caches);
    }
    super::arith::call_unary(pc, fp, ec, caches)
});

/// What needs no call of `to_s` to go into a string.
#[inline(always)]
pub(crate) fn at_once(ec: &Ec, value: Value) -> Option<Value> {
    (value.is_type(carat_layout::HeapType::String) || has_fast_form(ec, value)).then_some(value)
}

/// Integers, floats, symbols, nil, true and false whose `to_s` nobody redefined go into the result directly.
fn has_fast_form(ec: &Ec, value: Value) -> bool {
    let is_fast = value.is_fixnum()
        || value.is_symbol()
        || value.is_flonum()
        || matches!(value, Value::NIL | Value::TRUE | Value::FALSE);
    is_fast && !crate::model::redefinition::is_redefined(ec, sym::TO_S)
}

handler!(anytostring(pc, fp, ec, caches) {
    reg!(fp, (*pc).a) = any(&*ec, reg!(fp, (*pc).b), reg!(fp, (*pc).c));
    dispatch(pc.add(1), fp, ec, caches)
});

/// What `to_s` of an object gave, if that goes into a string; otherwise the form that every object has.
#[inline(always)]
pub(crate) fn any(ec: &Ec, value: Value, object: Value) -> Value {
    let is_usable = value.is_type(carat_layout::HeapType::String) || has_fast_form(ec, value) && value == object;
    if is_usable { value } else { ec.any_to_s(object).value() }
}

handler!(concatstrings(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    let result = concat_of(&mut *ec, Fp(fp), *pc);
    conclude(result, pc, 1, fp, ec, caches)
});

/// # Safety
/// A `concatstrings` of the running frame.
#[inline(always)]
pub(crate) unsafe fn concat_of(ec: &mut Ec, fp: Fp, insn: Insn) -> Result {
    let encoding = (insn.n == 1).then_some(EncodingIndex::UTF_8);
    // SAFETY: by contract.
    unsafe { concat(ec, fp, usize::from(insn.b), usize::from(insn.c), encoding) }
}

/// Longest text of a fast form that is no symbol.
const SCRATCH: usize = 32;

/// Text of an immediate, written into `scratch` unless it lies somewhere already.
fn immediate_text<'a>(ec: &Ec, value: Value, scratch: &'a mut [u8; SCRATCH]) -> (&'a [u8], EncodingIndex) {
    if let Some(i) = value.as_fixnum() {
        let mut buffer = carat_text::number::decimal::DecimalBuffer::new();
        let text = buffer.format(i);
        scratch[..text.len()].copy_from_slice(text);
        return (&scratch[..text.len()], EncodingIndex::US_ASCII);
    }
    if let Some(symbol) = value.as_symbol() {
        let name = ec.vm().symbol_name(symbol);
        return (name.bytes, name.encoding);
    }
    if let Some(f) = value.as_flonum() {
        let text = carat_text::number::float_text::float_to_string(f);
        scratch[..text.len()].copy_from_slice(&text);
        return (&scratch[..text.len()], EncodingIndex::US_ASCII);
    }
    match value {
        Value::TRUE => (b"true", EncodingIndex::US_ASCII),
        Value::FALSE => (b"false", EncodingIndex::US_ASCII),
        _ => (b"", EncodingIndex::US_ASCII),
    }
}

/// One string of `count` registers: sizes first, so that the result is allocated once, at the right size.
#[inline(never)]
unsafe fn concat(ec: &mut Ec, fp: Fp, first: usize, count: usize, encoding: Option<EncodingIndex>) -> Result {
    // SAFETY: by contract.
    if let Some(short) = unsafe { concat_short(ec, fp, first, count, encoding) } {
        return Ok(short);
    }
    let mut scratch = [0; SCRATCH];
    let mut whole = encoding.map(|encoding| Part { len: 0, encoding, range: CodeRange::SevenBit });
    for i in first..first + count {
        // SAFETY: the registers belong to the running frame.
        let value = unsafe { fp.reg(i) };
        let part = match Str::from_value(value) {
            Some(s) => Part { len: s.len(ec), encoding: s.encoding(), range: s.range(ec) },
            None => {
                let (text, encoding) = immediate_text(ec, value, &mut scratch);
                let range = if text.is_ascii() { CodeRange::SevenBit } else { CodeRange::Valid };
                Part { len: text.len(), encoding, range }
            }
        };
        whole = Some(match whole {
            None => part,
            Some(so_far) => {
                so_far.and(part).ok_or_else(|| ec.incompatible_encodings(so_far.encoding, part.encoding))?
            }
        });
    }
    let Part { len, encoding, range } =
        whole.unwrap_or(Part { len: 0, encoding: EncodingIndex::UTF_8, range: CodeRange::SevenBit });
    ec.ensure_memory(len)?;
    let mut result = Joined::new(ec, len, encoding, range);
    for i in first..first + count {
        // SAFETY: as above.
        let value = unsafe { fp.reg(i) };
        match Str::from_value(value) {
            Some(s) => result.push(s.bytes(ec)),
            None => result.push(immediate_text(ec, value, &mut scratch).0),
        }
    }
    Ok(result.finish().value())
}

/// The same of parts of valid UTF-8 or US-ASCII that are short together: they are looked at once.
#[inline(always)]
unsafe fn concat_short(
    ec: &Ec,
    fp: Fp,
    first: usize,
    count: usize,
    mut encoding: Option<EncodingIndex>,
) -> Option<Value> {
    const LONGEST: usize = 128;
    let (mut text, mut len) = ([0; LONGEST], 0);
    let mut scratch = [0; SCRATCH];
    let mut range = CodeRange::SevenBit;
    for i in first..first + count {
        // SAFETY: the registers belong to the running frame.
        let value = unsafe { fp.reg(i) };
        let (part, own) = match Str::from_value(value) {
            Some(s) => {
                match s.range(ec) {
                    CodeRange::SevenBit => {}
                    CodeRange::Valid if s.encoding() == EncodingIndex::UTF_8 => range = CodeRange::Valid,
                    _ => return None,
                }
                (s.bytes(ec), s.encoding())
            }
            None => immediate_text(ec, value, &mut scratch),
        };
        if own != EncodingIndex::US_ASCII && (own != EncodingIndex::UTF_8 || value.is_symbol() && !part.is_ascii()) {
            return None;
        }
        text.get_mut(len..len + part.len())?.copy_from_slice(part);
        len += part.len();
        // As in `Part::encoding_with`: the first one counts, but that of a part with bytes stands before US-ASCII.
        encoding = match encoding {
            Some(so_far) if so_far != EncodingIndex::US_ASCII || part.is_empty() => Some(so_far),
            _ => Some(own),
        };
    }
    let encoding = encoding.filter(|encoding| matches!(*encoding, EncodingIndex::US_ASCII | EncodingIndex::UTF_8))?;
    let mut result = Joined::new(ec, len, encoding, range);
    result.push(&text[..len]);
    Some(result.finish().value())
}

/// What is known of a text that goes into a string, or of several together.
#[derive(Clone, Copy)]
struct Part {
    len: usize,
    encoding: EncodingIndex,
    range: CodeRange,
}

impl Part {
    /// This one with `next` behind it, or `None`, for which CRuby raises `Encoding::CompatibilityError`.
    fn and(self, next: Part) -> Option<Part> {
        let range = match (self.len, next.len) {
            (_, 0) => self.range,
            (0, _) => next.range,
            _ => self.range.combine(next.range),
        };
        Some(Part { len: self.len + next.len, encoding: self.encoding_with(next)?, range })
    }

    fn encoding_with(self, next: Part) -> Option<EncodingIndex> {
        let (a, b) = (self.encoding, next.encoding);
        if a == b || next.len == 0 {
            return Some(a);
        }
        if !a.is_ascii_compatible() || !b.is_ascii_compatible() {
            return (self.len == 0).then_some(b);
        }
        match (self.range, next.range) {
            (_, CodeRange::SevenBit) if a != EncodingIndex::US_ASCII => Some(a),
            (CodeRange::SevenBit, CodeRange::SevenBit) if b == EncodingIndex::US_ASCII => Some(a),
            (CodeRange::SevenBit, _) => Some(b),
            _ => None,
        }
    }
}

impl Ec {
    pub fn incompatible_encodings(&mut self, a: EncodingIndex, b: EncodingIndex) -> crate::Unwind {
        let message = carat_text::compat::incompatible_message(a, b);
        self.error(self.vm().known().compatibility_error, &message)
    }
}

/// `a + b` for compatible strings, in one allocation. `None` if the method must decide.
pub(crate) fn plus(ec: &Ec, a: Str, b: Str) -> Option<Value> {
    let encoding = carat_text::compat::compatible(a.as_text(ec), b.as_text(ec))?;
    if a.len(ec) + b.len(ec) >= carat_os::SMALL_BYTES {
        return None;
    }
    Some(Str::sum(ec, a, &[b], encoding, a.known_range_with(b)).value())
}

/// `a << b` for strings of one encoding. `None` if the method must decide.
pub(crate) fn append(ec: &mut Ec, a: Str, b: Str) -> Option<Value> {
    if a.notices_mutation()
        || a.len(ec) + b.len(ec) >= carat_os::SMALL_BYTES
        || a.is_locked()
        || (a.encoding() != b.encoding()
            && !(b.is_ascii(ec) && a.encoding().is_ascii_compatible() && b.encoding().is_ascii_compatible()))
    {
        return None;
    }
    a.push_str(ec, b);
    Some(a.value())
}

handler!(intern(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    let symbol = Str::expect(reg!(fp, (*pc).b)).to_symbol(&mut *ec);
    conclude(symbol.map(Value::symbol), pc, 1, fp, ec, caches)
});

handler!(toregexp(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    conclude(regexp_of(&mut *ec, pc, fp), pc, 1, fp, ec, caches)
});

/// The regexp of the parts that `toregexp` names.
///
/// # Safety
/// The running instruction.
#[inline(never)]
unsafe fn regexp_of(ec: &mut Ec, pc: *const Insn, fp: *mut Value) -> Result {
    // SAFETY: by contract.
    let (parts, options) = unsafe { (super::basic::array_of(ec, fp, (*pc).b, (*pc).c), (*pc).n) };
    match ec.vm().hooks().regexp_from_parts {
        Some(make) => make(ec, parts, options),
        None => Ok(Value::NIL),
    }
}
