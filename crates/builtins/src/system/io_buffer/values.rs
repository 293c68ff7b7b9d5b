//! Numbers in a buffer: their types go by symbols such as `:u32`. Lower case is little-endian, upper case big-endian.

use super::memory::{fetch, for_reading, for_writing, store};
use super::{BufferRef, offset_arg, size_arg};
use carat_vm::{Array, Ec, Result, Unwind, Value};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Unsigned,
    Signed,
    Float,
}

#[derive(Clone, Copy)]
struct Type {
    kind: Kind,
    size: usize,
    is_big_endian: bool,
}

fn type_arg(ec: &mut Ec, value: Value) -> Result<Type> {
    let Some(symbol) = value.as_symbol() else { return Err(ec.wrong_type(value, "Symbol")) };
    match std::str::from_utf8(ec.vm().symbol_name(symbol).bytes).ok().and_then(type_named) {
        Some(found) => Ok(found),
        None => Err(ec.argument_error("Invalid type name!")),
    }
}

fn type_named(name: &str) -> Option<Type> {
    let (letter, bits) = name.split_at_checked(1)?;
    let kind = match letter {
        "u" | "U" => Kind::Unsigned,
        "s" | "S" => Kind::Signed,
        "f" | "F" => Kind::Float,
        _ => return None,
    };
    let is_big_endian = letter.as_bytes()[0].is_ascii_uppercase();
    let size = match bits {
        // Bytes have no order, and one name only.
        "8" if kind != Kind::Float && is_big_endian => 1,
        "16" if kind != Kind::Float => 2,
        "32" => 4,
        "64" => 8,
        "128" if kind != Kind::Float => 16,
        _ => return None,
    };
    Some(Type { kind, size, is_big_endian })
}

impl Type {
    fn decode(self, ec: &Ec, bytes: &[u8]) -> Value {
        let mut word = [0; 16];
        word[..self.size].copy_from_slice(bytes);
        if self.is_big_endian {
            word[..self.size].reverse();
        }
        let (bits, unused) = (u128::from_le_bytes(word), 128 - 8 * self.size as u32);
        match (self.kind, self.size) {
            (Kind::Unsigned, ..=8) => ec.uint(bits as u64),
            (Kind::Unsigned, _) => ec.bigint(BigInt::from(bits)),
            (Kind::Signed, ..=8) => ec.int(((bits << unused).cast_signed() >> unused) as i64),
            (Kind::Signed, _) => ec.bigint(BigInt::from((bits << unused).cast_signed() >> unused)),
            (Kind::Float, 4) => ec.float(f64::from(f32::from_bits(bits as u32))),
            (Kind::Float, _) => ec.float(f64::from_bits(bits as u64)),
        }
    }

    fn encode(self, ec: &mut Ec, value: Value) -> Result<Vec<u8>> {
        let bits = match (self.kind, self.size) {
            (Kind::Float, 4) => u128::from((ec.to_float(value)? as f32).to_bits()),
            (Kind::Float, _) => u128::from(ec.to_float(value)?.to_bits()),
            _ => self.integer(ec, value)?,
        };
        let mut bytes = bits.to_le_bytes()[..self.size].to_vec();
        if self.is_big_endian {
            bytes.reverse();
        }
        Ok(bytes)
    }

    /// As C's conversions: smaller types take what an `int` holds and cut it.
    fn integer(self, ec: &mut Ec, value: Value) -> Result<u128> {
        let every =
            if self.kind == Kind::Unsigned { 0..=i64::from(i32::MAX) } else { i32::MIN.into()..=i32::MAX.into() };
        if let Some(number) = value.as_fixnum().filter(|number| every.contains(number)) {
            return Ok(i128::from(number).cast_unsigned());
        }
        let integer = ec.to_int(value)?;
        let number = ec.to_bigint(integer).unwrap_or_default();
        let (low, high) = match (self.kind, self.size) {
            (Kind::Unsigned, 16) => (BigInt::from(0), BigInt::from(u128::MAX)),
            (_, 16) => (BigInt::from(i128::MIN), BigInt::from(i128::MAX)),
            (Kind::Unsigned, 8) => (BigInt::from(i64::MIN), BigInt::from(u64::MAX)),
            (_, 8) => (BigInt::from(i64::MIN), BigInt::from(i64::MAX)),
            (Kind::Unsigned, _) => (BigInt::from(i32::MIN), BigInt::from(u32::MAX)),
            _ => (BigInt::from(i32::MIN), BigInt::from(i32::MAX)),
        };
        if number < low || number > high {
            return Err(self.out_of_range(ec, &number));
        }
        Ok(number.to_i128().map_or_else(|| number.to_u128().unwrap_or(0), i128::cast_unsigned))
    }

    fn out_of_range(self, ec: &mut Ec, number: &BigInt) -> Unwind {
        let unsigned = if self.kind == Kind::Unsigned { "unsigned " } else { "" };
        if self.size == 16 {
            let is_negative = number.sign() == num_bigint::Sign::Minus;
            let unsigned = if self.kind == Kind::Unsigned { "unsigned" } else { "signed" };
            return ec.range_error(&match is_negative && self.kind == Kind::Unsigned {
                true => "negative integer cannot be converted to unsigned 128-bit integer".to_owned(),
                false => format!("bignum too big to convert into '{unsigned} 128-bit integer'"),
            });
        }
        if self.size == 8 {
            return ec.range_error(&format!("bignum too big to convert into '{unsigned}long long'"));
        }
        if number.to_i64().is_none() {
            return ec.range_error("bignum too big to convert into 'long'");
        }
        let how = if number.sign() == num_bigint::Sign::Minus { "small" } else { "big" };
        ec.range_error(&format!("integer {number} too {how} to convert to '{unsigned}int'"))
    }
}

/// Bytes up to `end` must exist.
fn check_end(ec: &mut Ec, this: BufferRef, offset: usize, size: usize) -> Result<()> {
    let (end, limit) = (offset.saturating_add(size), this.get(ec).size);
    if end <= limit {
        return Ok(());
    }
    Err(ec.argument_error(&format!("Type extends beyond end of buffer! (offset={offset} > size={limit})")))
}

fn get(ec: &mut Ec, this: BufferRef, kind: Type, offset: usize) -> Result {
    let place = for_reading(ec, this)?;
    check_end(ec, this, offset, kind.size)?;
    let bytes = fetch(ec, place, offset, kind.size)?;
    Ok(kind.decode(ec, &bytes))
}

fn set(ec: &mut Ec, this: BufferRef, kind: Type, offset: usize, value: Value) -> Result<()> {
    check_end(ec, this, offset, kind.size)?;
    let bytes = kind.encode(ec, value)?;
    // A conversion may have run Ruby, and that may have changed the buffer.
    let place = for_writing(ec, this)?;
    check_end(ec, this, offset, kind.size)?;
    store(ec, place, offset, &bytes)
}

// ---- methods ----

pub(super) fn size_of(ec: &mut Ec, _class: Value, types: Value) -> Result<usize> {
    let Some(list) = Array::from_value(types) else { return Ok(type_arg(ec, types)?.size) };
    let (mut total, mut index) = (0, 0);
    while let Some(kind) = list.get(ec, index) {
        total += type_arg(ec, kind)?.size;
        index += 1;
    }
    Ok(total)
}

pub(super) fn get_value(ec: &mut Ec, this: BufferRef, kind: Value, offset: Value) -> Result {
    let offset = size_arg(ec, offset, "Offset")?;
    for_reading(ec, this)?;
    let kind = type_arg(ec, kind)?;
    get(ec, this, kind, offset)
}

pub(super) fn get_values(ec: &mut Ec, this: BufferRef, types: Value, offset: Value) -> Result<Array> {
    let mut offset = size_arg(ec, offset, "Offset")?;
    for_reading(ec, this)?;
    let Some(types) = Array::from_value(types) else {
        return Err(ec.argument_error("Argument buffer_types should be an array!"));
    };
    let found = Array::new(ec, types.len(ec));
    let mut index = 0;
    while let Some(kind) = types.get(ec, index) {
        let kind = type_arg(ec, kind)?;
        let value = get(ec, this, kind, offset)?;
        found.push(ec, value);
        offset += kind.size;
        index += 1;
    }
    Ok(found)
}

pub(super) fn set_value(ec: &mut Ec, this: BufferRef, kind: Value, offset: Value, value: Value) -> Result<usize> {
    let offset = size_arg(ec, offset, "Offset")?;
    for_writing(ec, this)?;
    let kind = type_arg(ec, kind)?;
    set(ec, this, kind, offset, value)?;
    Ok(offset + kind.size)
}

pub(super) fn set_values(ec: &mut Ec, this: BufferRef, types: Value, offset: Value, values: Value) -> Result<usize> {
    let Some(types) = Array::from_value(types) else {
        return Err(ec.argument_error("Argument buffer_types should be an array!"));
    };
    let Some(values) = Array::from_value(values) else {
        return Err(ec.argument_error("Argument values should be an array!"));
    };
    if types.len(ec) != values.len(ec) {
        return Err(ec.argument_error("Argument buffer_types and values should have the same length!"));
    }
    let mut offset = size_arg(ec, offset, "Offset")?;
    for_writing(ec, this)?;
    let mut index = 0;
    while let Some(kind) = types.get(ec, index) {
        let kind = type_arg(ec, kind)?;
        let value = values.at(ec, index);
        set(ec, this, kind, offset, value)?;
        offset += kind.size;
        index += 1;
    }
    Ok(offset)
}

/// `Primitive.buffer_range(buffer, type, offset, count)`: `[offset, count, size of the type]`, with defaults for what is undef.
pub(super) fn range(ec: &mut Ec, this: BufferRef, kind: Value, offset: Value, count: Value) -> Result<Array> {
    for_reading(ec, this)?;
    let is_given = |value: Value| Some(value).filter(|value| !value.is_undef());
    let kind = type_arg(ec, kind)?;
    let offset = offset_arg(ec, is_given(offset))?;
    let count = match is_given(count) {
        Some(count) => size_arg(ec, count, "Count")?,
        None => match this.get(ec).size.checked_sub(offset) {
            Some(rest) => rest / kind.size,
            None => return Err(ec.argument_error("The given offset is bigger than the buffer size!")),
        },
    };
    Ok(Array::from_slice(ec, &[offset, count, kind.size].map(Value::len)))
}

/// `Primitive.buffer_value(buffer, type, offset)`
pub(super) fn value_at(ec: &mut Ec, this: BufferRef, kind: Value, offset: i64) -> Result {
    let kind = type_arg(ec, kind)?;
    get(ec, this, kind, usize::try_from(offset).unwrap_or(usize::MAX))
}

pub(super) fn values(
    ec: &mut Ec,
    this: BufferRef,
    kind: Option<Value>,
    offset: Option<Value>,
    count: Option<Value>,
) -> Result<Array> {
    let kind = kind.unwrap_or_else(|| Value::symbol(ec.vm().intern("U8")));
    let undef = |value: Option<Value>| value.unwrap_or(Value::UNDEF);
    let bounds = range(ec, this, kind, undef(offset), undef(count))?;
    let number = |index| bounds.at(ec, index).as_fixnum().and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
    let (mut offset, count) = (number(0), number(1));
    let kind = type_arg(ec, kind)?;
    let found = Array::new(ec, count.min(this.get(ec).size));
    for _ in 0..count {
        let value = get(ec, this, kind, offset)?;
        found.push(ec, value);
        offset += kind.size;
    }
    Ok(found)
}
