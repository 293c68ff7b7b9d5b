//! Integers as two's complement numbers of endless width: `& | ^ ~ << >> [] bit_length`.

use super::operand::{Operand, coerced_bits, is_negative};
use crate::collection::range::range_parts;
use Operand::{Big, Small};
use carat_vm::{Ec, HeapType, Result, Value, sym};
use num_bigint::{BigInt, Sign};
use num_traits::Zero;

macro_rules! bitwise {
    ($name:ident, $symbol:ident, $op:tt) => {
        pub(super) fn $name(ec: &mut Ec, this: Value, other: Value) -> Result {
            let value = match (Operand::of(ec, this), Operand::of(ec, other)) {
                (Small(x), Small(y)) => ec.int(x $op y),
                (Small(x), Big(y)) => ec.bigint(&BigInt::from(x) $op y),
                (Big(x), Small(y)) => ec.bigint(x $op &BigInt::from(y)),
                (Big(x), Big(y)) => ec.bigint(x $op y),
                _ => return coerced_bits(ec, this, sym::$symbol, other),
            };
            Ok(value)
        }
    };
}

bitwise!(and, AND, &);
bitwise!(or, OR, |);
bitwise!(xor, XOR, ^);

pub(super) fn not(ec: &mut Ec, this: Value) -> Value {
    match Operand::of(ec, this) {
        Small(i) => ec.int(!i),
        Big(b) => ec.bigint(!b),
        _ => this,
    }
}

/// There is no memory for a number that is shifted to the left by so much or more.
const MAX_SHIFT: i64 = 1 << 32;

/// The width of a shift; what does not fit is huge either way.
fn width_of(ec: &mut Ec, value: Value) -> Result<i64> {
    let integer = ec.to_int(value)?;
    let huge = if is_negative(ec, integer) { -i64::MAX } else { i64::MAX };
    Ok(ec.integer_as_i64(integer).map_or(huge, |i| i.max(-i64::MAX)))
}

pub(super) fn shift_left(ec: &mut Ec, this: Value, width: Value) -> Result {
    let width = width_of(ec, width)?;
    shift(ec, this, width)
}

pub(super) fn shift_right(ec: &mut Ec, this: Value, width: Value) -> Result {
    let width = width_of(ec, width)?;
    shift(ec, this, -width)
}

/// `this << width`, to the right when the width is negative.
fn shift(ec: &mut Ec, this: Value, width: i64) -> Result {
    if width <= 0 {
        return Ok(shifted_right(ec, this, width.unsigned_abs()));
    }
    if this == Value::fixnum_unchecked(0) {
        return Ok(this);
    }
    if width >= MAX_SHIFT {
        return Err(ec.range_error("shift width too big"));
    }
    ec.ensure_memory((width / 8) as usize)?;
    Ok(shifted_left(ec, this, width as u64))
}

fn shifted_left(ec: &Ec, this: Value, width: u64) -> Value {
    match Operand::of(ec, this) {
        Small(i) if width < 64 && (i << width) >> width == i => ec.int(i << width),
        Small(i) => ec.bigint(BigInt::from(i) << width),
        Big(b) => ec.bigint(b << width),
        _ => this,
    }
}

fn shifted_right(ec: &Ec, this: Value, width: u64) -> Value {
    match Operand::of(ec, this) {
        Small(i) => ec.int(i >> width.min(63)),
        Big(b) if width >= b.bits() => ec.int(if b.sign() == Sign::Minus { -1 } else { 0 }),
        Big(b) => ec.bigint(b >> width),
        _ => this,
    }
}

/// The number of bits below the sign.
pub(super) fn bit_length(ec: &mut Ec, this: Value) -> i64 {
    match Operand::of(ec, this) {
        Small(i) => i64::from(64 - (if i < 0 { !i } else { i }).leading_zeros()),
        Big(b) if b.sign() == Sign::Minus => (!b).bits() as i64,
        Big(b) => b.bits() as i64,
        _ => 0,
    }
}

/// `Integer#[]`: a bit, `length` bits from an index, or the bits of a range.
pub(super) fn at(ec: &mut Ec, this: Value, index: Value, length: Option<Value>) -> Result {
    if let Some(length) = length {
        let (index, length) = (width_of(ec, index)?, width_of(ec, length)?);
        return bits_at(ec, this, index, length);
    }
    match range_parts(ec, index)? {
        Some((first, last, excludes_last)) => at_range(ec, this, first, last, excludes_last),
        None if index.is_type(HeapType::Range) => Ok(Value::NIL),
        None => bit_at(ec, this, index),
    }
}

/// The bits from `index` on, without those of a left shift that nobody can see; all of them where the length is negative.
fn bits_at(ec: &mut Ec, this: Value, index: i64, length: i64) -> Result {
    if let Small(i) = Operand::of(ec, this)
        && index >= 0
        && (0..62).contains(&length)
    {
        return Ok(ec.int(i >> index.min(63) & ((1 << length) - 1)));
    }
    if length >= 0 && index.saturating_add(length) <= 0 {
        return Ok(Value::fixnum_unchecked(0));
    }
    let shifted = shift(ec, this, index.saturating_neg())?;
    let has_no_more = length < 0 || !is_negative(ec, shifted) && bit_length(ec, shifted) <= length;
    if has_no_more {
        return Ok(shifted);
    }
    let mask = mask_of(ec, ec.int(length))?;
    and(ec, shifted, mask)
}

/// `(1 << length) - 1`
fn mask_of(ec: &mut Ec, length: Value) -> Result {
    let power = shift_left(ec, Value::fixnum_unchecked(1), length)?;
    Ok(super::arithmetic::pred(ec, power))
}

fn bit_at(ec: &mut Ec, this: Value, index: Value) -> Result {
    if index.is_nil() && matches!(Operand::of(ec, this), Big(_)) {
        return ec.to_long(index).map(Value::fixnum_unchecked);
    }
    let index = width_of(ec, index)?;
    if index < 0 {
        return Ok(Value::fixnum_unchecked(0));
    }
    let is_set = match Operand::of(ec, this) {
        Small(i) => i >> index.min(63) & 1 == 1,
        Big(b) => b.bit(index as u64),
        _ => false,
    };
    Ok(Value::fixnum_unchecked(i64::from(is_set)))
}

fn at_range(ec: &mut Ec, this: Value, first: Value, last: Value, excludes_last: bool) -> Result {
    if first.is_nil() {
        return at_beginless(ec, this, last, excludes_last);
    }
    let shifted = shift_right(ec, this, first)?;
    if last.is_nil() {
        return Ok(shifted);
    }
    let order = ec.call(first, sym::CMP, &[last])?;
    match order.as_fixnum() {
        Some(0) if excludes_last => Ok(Value::fixnum_unchecked(0)),
        Some(0) => bit_at(ec, this, first),
        Some(sign) if sign < 0 => {
            let span = ec.call(last, sym::MINUS, &[first])?;
            let length = if excludes_last { span } else { ec.call(span, sym::PLUS, &[Value::fixnum_unchecked(1)])? };
            let mask = mask_of(ec, length)?;
            and(ec, shifted, mask)
        }
        _ => Ok(shifted),
    }
}

/// Bits from minus infinity on: zero, or without end.
fn at_beginless(ec: &mut Ec, this: Value, last: Value, excludes_last: bool) -> Result {
    let last = ec.to_int(last)?;
    if is_negative(ec, last) {
        return Ok(Value::fixnum_unchecked(0));
    }
    let length = if excludes_last { last } else { super::arithmetic::succ(ec, last) };
    let mask = mask_of(ec, length)?;
    let bits = and(ec, this, mask)?;
    if bits == Value::fixnum_unchecked(0) {
        return Ok(bits);
    }
    Err(ec.argument_error("The beginless range for Integer#[] results in infinity"))
}

/// `Integer#even?`
pub(super) fn is_even(ec: &mut Ec, this: Value) -> bool {
    !is_odd(ec, this)
}

pub(super) fn is_odd(ec: &mut Ec, this: Value) -> bool {
    match Operand::of(ec, this) {
        Small(i) => i & 1 == 1,
        Big(b) => b.bit(0),
        _ => false,
    }
}

pub(super) fn is_zero(ec: &mut Ec, this: Value) -> bool {
    match Operand::of(ec, this) {
        Small(i) => i == 0,
        Big(b) => b.is_zero(),
        _ => false,
    }
}
