//! Putting strings together: `+`, `*`, `%`, `<<` and what grows or empties a string.

use super::compatible;
use carat_text::coderange::CodeRange;
use carat_text::encoding as codes;
use carat_vm::{Ec, EncodingIndex, Rest, Result, Str, Value, methods};

methods! {
    METHODS {
        borrowing "+" => plus;
        borrowing "*" => times;
        borrowing 0b1 "%" => crate::text::format::modulo;
        "<<" => append;
        "concat" => concat;
        "prepend" => prepend;
        "append_as_bytes" => append_as_bytes;
        "clear" => clear;
        "capacity" => capacity;
        "capacity=" => set_capacity;
    }
}

fn plus(ec: &mut Ec, this: Str, other: Str) -> Result<Str> {
    let encoding = compatible(ec, this, other)?;
    let range = this.known_range_with(other);
    // The sum may get room behind it for the next one.
    ec.ensure_memory((this.len(ec) + other.len(ec)).saturating_mul(2))?;
    Ok(Str::sum(ec, this, &[other], encoding, range))
}

/// As much is copied without a look at interrupts, in whole repetitions.
const STRETCH_BYTES: usize = 16 << 20;

fn times(ec: &mut Ec, this: Str, count: i64) -> Result<Str> {
    let Ok(count) = usize::try_from(count) else { return Err(ec.argument_error("negative argument")) };
    let Some(len) = this.len(ec).checked_mul(count).filter(|&len| isize::try_from(len).is_ok()) else {
        return Err(ec.argument_error("argument too big"));
    };
    ec.ensure_memory(len)?;
    let class = ec.vm().known().string;
    let result = Str::with_capacity_of(ec, class, len, this.encoding());
    let range = if count == 0 { CodeRange::SevenBit } else { this.known_range() };
    // Doubling what is there already takes few long copies instead of many short ones.
    if len > 0 {
        let once = this.len(ec);
        let stretch = once * (STRETCH_BYTES / once).max(1);
        result.push_str(ec, this);
        while result.len(ec) < len {
            ec.check_ints()?;
            let more = (len - result.len(ec)).min(result.len(ec)).min(stretch);
            result.push_own_front(ec, more);
        }
    }
    result.set_range(if range == CodeRange::Broken { CodeRange::Unknown } else { range });
    Ok(result)
}

/// Appends text of a compatible encoding.
pub(crate) fn append_str(ec: &mut Ec, this: Str, other: Str) -> Result<()> {
    this.make_room(ec, other.len(ec))?;
    if this.encoding() == other.encoding() {
        this.push_str(ec, other);
        return Ok(());
    }
    let encoding = compatible(ec, this, other)?;
    let other_range = other.range(ec);
    this.push_str(ec, other);
    this.set_encoding(encoding);
    if this.known_range() == CodeRange::SevenBit && other_range != CodeRange::SevenBit {
        this.set_range(CodeRange::Unknown);
    }
    Ok(())
}

fn append(ec: &mut Ec, this: Str, other: Value) -> Result<Str> {
    if let Some(other) = Str::from_value(other) {
        this.check_mutable(ec)?;
        append_str(ec, this, other)?;
        return Ok(this);
    }
    if ec.is_integer(other) {
        this.check_mutable(ec)?;
        append_codepoint(ec, this, other)?;
        return Ok(this);
    }
    let other = ec.to_str(other)?;
    this.check_mutable(ec)?;
    append_str(ec, this, other)?;
    Ok(this)
}

fn append_codepoint(ec: &mut Ec, this: Str, code: Value) -> Result<()> {
    let Some(number) = ec.integer_as_i64(code) else {
        return Err(ec.range_error("bignum out of char range"));
    };
    let Ok(code) = u32::try_from(number) else {
        return Err(ec.range_error(&format!("{number} out of char range")));
    };
    let mut encoding = this.encoding();
    if encoding == EncodingIndex::US_ASCII && code > 127 {
        // A byte beyond ASCII makes the string binary.
        if code > 255 {
            return Err(ec.range_error(&format!("{code} out of char range")));
        }
        encoding = EncodingIndex::ASCII_8BIT;
        if this.range(ec) == CodeRange::Broken {
            this.push_bytes(ec, &[code as u8]);
            return Ok(());
        }
    }
    let mut bytes = Vec::with_capacity(4);
    if let Err(error) = codes::encode_codepoint(encoding, code, &mut bytes) {
        return Err(ec.range_error(&error.message(code, encoding)));
    }
    let is_ascii = code < 0x80 && encoding.is_ascii_compatible();
    this.push_bytes_with(ec, &bytes, if is_ascii { CodeRange::SevenBit } else { CodeRange::Valid });
    this.set_encoding(encoding);
    Ok(())
}

fn concat(ec: &mut Ec, this: Str, others: Rest) -> Result<Str> {
    this.check_mutable(ec)?;
    if others.len() == 1 {
        return append(ec, this, others.get(0).unwrap_or(Value::NIL));
    }
    // The arguments as they are now, should the string be among them.
    let joined = Str::new(ec, b"", this.encoding(), CodeRange::SevenBit);
    for other in others.iter() {
        append(ec, joined, other)?;
    }
    if !others.is_empty() {
        append_str(ec, this, joined)?;
    }
    Ok(this)
}

fn prepend(ec: &mut Ec, this: Str, others: Rest) -> Result<Str> {
    this.check_mutable(ec)?;
    if others.len() == 1 {
        let other = ec.to_str(others.get(0).unwrap_or(Value::NIL))?;
        super::aset::update(ec, this, 0..0, other)?;
        return Ok(this);
    }
    let joined = Str::new(ec, b"", this.encoding(), CodeRange::SevenBit);
    for other in others.iter() {
        let other = ec.to_str(other)?;
        append_str(ec, joined, other)?;
    }
    super::aset::update(ec, this, 0..0, joined)?;
    Ok(this)
}

/// Strings by their bytes, integers by their lowest byte; encodings do not matter.
fn append_as_bytes(ec: &mut Ec, this: Str, pieces: Rest) -> Result<Str> {
    for piece in pieces.iter() {
        if Str::from_value(piece).is_none() && !ec.is_integer(piece) {
            let class = ec.class_of(piece).real().to_text(ec);
            return Err(ec.type_error(&format!("wrong argument type {class} (expected String or Integer)")));
        }
    }
    this.check_mutable(ec)?;
    for piece in pieces.iter() {
        match Str::from_value(piece) {
            Some(s) => append_raw(ec, this, s),
            None => {
                let low = ec.to_bigint(piece).map_or(0, |n| n.to_signed_bytes_le().first().copied().unwrap_or(0));
                let range = if low < 0x80 { CodeRange::SevenBit } else { CodeRange::Unknown };
                this.push_bytes_with(ec, &[low], range);
            }
        }
    }
    Ok(this)
}

fn append_raw(ec: &mut Ec, this: Str, other: Str) {
    let both_ascii = this.known_range() == CodeRange::SevenBit && other.known_range() == CodeRange::SevenBit;
    this.push_str(ec, other);
    this.set_range(if both_ascii { CodeRange::SevenBit } else { CodeRange::Unknown });
}

fn clear(ec: &mut Ec, this: Str) -> Result<Str> {
    this.check_mutable(ec)?;
    this.clear(ec);
    if !this.encoding().is_ascii_compatible() {
        this.set_range(CodeRange::Valid);
    }
    Ok(this)
}

fn capacity(ec: &mut Ec, this: Str) -> usize {
    this.capacity(ec)
}

/// Never below the length.
fn set_capacity(ec: &mut Ec, this: Str, capacity: i64) -> Result<i64> {
    this.check_mutable(ec)?;
    let Ok(wanted) = usize::try_from(capacity) else {
        return Err(ec.argument_error("negative string size (or size too big)"));
    };
    let wanted = wanted.max(this.len(ec));
    ec.ensure_memory(wanted)?;
    this.reserve(ec, wanted);
    Ok(capacity)
}
