//! Integers as text, characters and floats, rounding to tens, and `Kernel#Integer`.

use super::operand::{Operand, float_to_integer, integer_value, is_negative, text_int, to_c_int};
use crate::number::float::rounding::{digits_of, rounding_mode, whole_digits};
use crate::text::string::check_ascii_compatible;
use carat_text::number::parse_integer::{IntegerError, parse_strict, parse_strict_asking};
use carat_text::number::round::{Rounding, round_integer};
use carat_text::number::{Int as TextInt, decimal};
use carat_vm::{Array, Ec, EncodingIndex, Keywords, Result, Str, Value, sym};

/// `Integer#to_s`
pub(super) fn to_s(ec: &mut Ec, this: Value, base: Option<Value>) -> Result<Str> {
    let base = base.map_or(Ok(10), |b| to_c_int(ec, b))?;
    if !(2..=36).contains(&base) {
        return Err(ec.argument_error(&format!("invalid radix {base}")));
    }
    if let Some(n) = ec.bignum_of(this).cloned() {
        let digits = super::large::digits(ec, &n, base as u32)?;
        return Ok(Str::from_ascii(ec, &digits));
    }
    Ok(text_of(ec, this, base as u32))
}

/// `Primitive.integer_digits`: of two fixnums, the first not negative, the second at least 2.
pub(super) fn digits(ec: &mut Ec, this: Value, base: Value) -> Array {
    let (mut rest, base) = (this.as_fixnum().unwrap_or(0), base.as_fixnum().unwrap_or(10));
    let digits = Array::new(ec, rest.checked_ilog(base).map_or(0, |n| n as usize + 1));
    while rest > 0 {
        digits.push(ec, ec.int(rest % base));
        rest /= base;
    }
    digits
}

/// `Primitive.integer_large_digits`: of a bignum that is not negative, in a base of 2 to 36.
pub(super) fn large_digits(ec: &mut Ec, this: Value, base: i64) -> Result<Array> {
    let number = ec.to_bigint(this).unwrap_or_default();
    let text = super::large::digits(ec, &number, u32::try_from(base).unwrap_or(10))?;
    let digits = Array::new(ec, text.len());
    for byte in text.iter().rev() {
        digits.push(ec, Value::len((char::from(*byte).to_digit(36)).unwrap_or(0) as usize));
    }
    Ok(digits)
}

fn text_of(ec: &Ec, integer: Value, base: u32) -> Str {
    match (integer.as_fixnum(), ec.bignum_of(integer)) {
        (Some(i), _) if base == 10 => Str::from_ascii(ec, decimal::DecimalBuffer::new().format(i)),
        (Some(i), _) => Str::from_ascii(ec, &decimal::int_to_string(&TextInt::Small(i), base)),
        (None, Some(b)) => Str::from_ascii(ec, &decimal::big_to_string(b, base)),
        _ => Str::from_ascii(ec, b""),
    }
}

/// `Integer#chr`
pub(super) fn chr(ec: &mut Ec, this: Value, encoding: Option<Value>) -> Result<Str> {
    let Some(code) = this.as_fixnum().and_then(|i| u32::try_from(i).ok()) else {
        let shown = this.as_fixnum().map_or_else(|| "bignum".to_owned(), |i| i.to_string());
        return Err(ec.range_error(&format!("{shown} out of char range")));
    };
    let encoding = match encoding {
        Some(encoding) => encoding_of(ec, encoding)?,
        None if code < 0x80 => return Ok(Str::from_ascii(ec, &[code as u8])),
        None if code <= 0xff => return Ok(Str::binary(ec, &[code as u8])),
        None => match default_internal(ec)? {
            Some(encoding) => encoding,
            None => return Err(ec.range_error(&format!("{code} out of char range"))),
        },
    };
    encoded(ec, code, encoding)
}

fn encoded(ec: &mut Ec, code: u32, encoding: EncodingIndex) -> Result<Str> {
    let mut bytes = Vec::with_capacity(4);
    match carat_text::encoding::encode_codepoint(encoding, code, &mut bytes) {
        Ok(_) => Ok(Str::new(ec, &bytes, encoding, carat_vm::CodeRange::Unknown)),
        Err(error) => Err(ec.range_error(&error.message(code, encoding))),
    }
}

fn default_internal(ec: &mut Ec) -> Result<Option<EncodingIndex>> {
    let class = ec.vm().known().encoding.value();
    let found = ec.call(class, ec.vm().intern("default_internal"), &[])?;
    if found.is_nil() { Ok(None) } else { encoding_of(ec, found).map(Some) }
}

/// An Encoding, or the one that a String names.
fn encoding_of(ec: &mut Ec, value: Value) -> Result<EncodingIndex> {
    let class = ec.vm().known().encoding;
    let encoding = if ec.is_a(value, class) {
        value
    } else {
        let name = ec.to_str(value)?.value();
        ec.call(class.value(), ec.vm().intern("find"), &[name])?
    };
    let name = ec.call(encoding, sym::NAME, &[])?;
    let name = ec.to_str(name)?;
    Ok(EncodingIndex::find_by_name(name.bytes(ec)).unwrap_or(EncodingIndex::ASCII_8BIT))
}

pub(super) fn to_f(ec: &mut Ec, this: Value) -> Result<f64> {
    let float = Operand::of(ec, this).to_f64();
    if float.is_infinite() {
        ec.warn_verbose("Integer out of Float range")?;
    }
    Ok(float)
}

/// `Integer#size`: the bytes of the number.
pub(super) fn size(ec: &mut Ec, this: Value) -> i64 {
    ec.bignum_of(this).map_or(8, |b| b.bits().div_ceil(8) as i64)
}

/// `Integer#coerce`: two Integers, or else two Floats.
pub(super) fn coerce(ec: &mut Ec, this: Value, other: Value) -> Result<Array> {
    if ec.is_integer(other) {
        return Ok(Array::pair(ec, other, this));
    }
    let first = crate::number::float::convert::to_float(ec, other)?;
    let second = Operand::of(ec, this).to_f64();
    Ok(Array::pair(ec, ec.float(first), ec.float(second)))
}

pub(super) fn round(ec: &mut Ec, this: Value, digits: Option<Value>, keywords: Keywords) -> Result {
    if digits.is_none() {
        // CRuby looks at the keyword's name, but not at the mode.
        keywords.check(ec, &[sym::HALF])?;
        return Ok(this);
    }
    let digits = whole_digits(ec, digits)?;
    let mode = rounding_mode(ec, keywords)?;
    rounded(ec, this, digits, mode)
}

crate::number::rounding_methods!(rounded);

/// A power of ten with more digits takes minutes.
const MAX_DIGITS: u32 = 10_000_000;

fn rounded(ec: &mut Ec, this: Value, digits: Option<Value>, mode: Rounding) -> Result {
    let digits = digits_of(ec, digits)?;
    if digits >= 0 {
        return Ok(this);
    }
    let is_negative = is_negative(ec, this);
    // A power of ten that is more than twice the number and its sign: 10^n has more than 3n bits.
    let bits = ec.bignum_of(this).map_or(64, |number| number.bits());
    if u64::from(digits.unsigned_abs()) * 3 > bits + 1 {
        let away = match mode {
            Rounding::Ceil => !is_negative && this != Value::fixnum_unchecked(0),
            Rounding::Floor => is_negative,
            _ => false,
        };
        if !away {
            return Ok(ec.int(0));
        }
    }
    if digits.unsigned_abs() > MAX_DIGITS {
        return Err(ec.argument_error("exponent is too large"));
    }
    let result = round_integer(&text_int(ec, this), digits, mode);
    Ok(integer_value(ec, result))
}

/// A small number rounded to a power of ten that fits, as the others are rounded.
pub(super) fn small_rounded(number: i64, digits: i64, mode: Rounding) -> Option<i64> {
    if digits >= 0 {
        return Some(number);
    }
    let power = 10_i64.checked_pow(u32::try_from(digits.checked_neg()?).ok()?)?;
    let (rest, magnitude) = (number.rem_euclid(power), number.checked_abs()?);
    match mode {
        Rounding::Floor => number.checked_sub(rest),
        Rounding::Ceil => number.checked_sub(rest)?.checked_add(if rest == 0 { 0 } else { power }),
        Rounding::Truncate => Some(number - number % power),
        Rounding::HalfUp => {
            let rounded = magnitude.checked_add(power / 2)? / power * power;
            Some(if number < 0 { -rounded } else { rounded })
        }
        _ => None,
    }
}

/// `Integer.try_convert`
pub(super) fn try_convert(ec: &mut Ec, _class: Value, value: Value) -> Result {
    if ec.is_integer(value) {
        return Ok(value);
    }
    match ec.try_convert(value, sym::TO_INT)? {
        None | Some(Value::NIL) => Ok(Value::NIL),
        Some(result) if ec.is_integer(result) => Ok(result),
        Some(result) => {
            let (class, given) = (ec.describe_for_type_error(value), ec.describe_for_type_error(result));
            Err(ec.type_error(&format!("can't convert {class} to Integer ({class}#to_int gives {given})")))
        }
    }
}

/// The `exception:` keyword of the conversion functions.
pub(crate) fn exception_option(ec: &mut Ec, keywords: Keywords) -> Result<bool> {
    keywords.check(ec, &[sym::EXCEPTION])?;
    match keywords.get(ec, sym::EXCEPTION) {
        None | Some(Value::TRUE) => Ok(true),
        Some(Value::FALSE) => Ok(false),
        Some(other) => {
            let shown = ec.inspect(other)?.to_text(ec);
            Err(ec.argument_error(&format!("expected true or false as exception: {shown}")))
        }
    }
}

/// A failed conversion counts as nil; only what is no StandardError goes on.
pub(crate) fn or_nil(ec: &mut Ec, result: Result) -> Result {
    match result {
        Err(_) if ec.is_unwinding_with(ec.vm().known().standard_error) => Ok(Value::NIL),
        other => other,
    }
}

/// `Kernel#Integer`
pub(super) fn kernel_integer(
    ec: &mut Ec,
    _this: Value,
    value: Value,
    base: Option<Value>,
    keywords: Keywords,
) -> Result {
    let raises = exception_option(ec, keywords)?;
    let base = base.map_or(Ok(0), |base| to_c_int(ec, base))?;
    if base != 0 {
        return match ec.check_string(value)? {
            Some(text) => parse(ec, text, base, raises),
            None if raises => Err(ec.argument_error("base specified for non string value")),
            None => Ok(Value::NIL),
        };
    }
    let converted = convert(ec, value, raises);
    if raises || Str::from_value(value).is_some() { converted } else { or_nil(ec, converted) }
}

/// As `Kernel#Integer` makes it of one argument.
pub(crate) fn integer_of(ec: &mut Ec, value: Value) -> Result {
    convert(ec, value, true)
}

fn convert(ec: &mut Ec, value: Value, raises: bool) -> Result {
    if ec.is_integer(value) {
        return Ok(value);
    }
    if let Some(f) = ec.float_of(value) {
        return float_to_integer(ec, f);
    }
    if let Some(text) = Str::from_value(value) {
        return parse(ec, text, 0, raises);
    }
    if value.is_nil() {
        return Err(ec.type_error("can't convert nil into Integer"));
    }
    convert_object(ec, value, raises)
}

/// `to_int`, whose errors do not count, then `to_str`, then `to_i`.
fn convert_object(ec: &mut Ec, value: Value, raises: bool) -> Result {
    let tried = ec.call_if_responds(value, sym::TO_INT, &[]).map(|found| found.unwrap_or(Value::NIL));
    let integer = or_nil(ec, tried)?;
    if ec.is_integer(integer) {
        return Ok(integer);
    }
    if let Some(text) = ec.check_string(value)? {
        return parse(ec, text, 0, raises);
    }
    let class = ec.describe_for_type_error(value);
    match ec.call_if_responds(value, sym::TO_I, &[])? {
        Some(integer) if ec.is_integer(integer) => Ok(integer),
        Some(other) => {
            let given = ec.describe_for_type_error(other);
            Err(ec.type_error(&format!("can't convert {class} to Integer ({class}#to_i gives {given})")))
        }
        None => Err(ec.type_error(&format!("can't convert {class} into Integer"))),
    }
}

/// Texts of so many bytes are read so that it can be interrupted.
pub(crate) const LONG: usize = 10_000;

fn parse(ec: &mut Ec, text: Str, base: i32, raises: bool) -> Result {
    check_ascii_compatible(ec, text)?;
    let parsed = if text.len(ec) < LONG {
        parse_strict(text.bytes(ec), base)
    } else {
        let bytes = crate::text::string::digits_of(ec, text, crate::text::string::PER_DIGIT)?;
        ec.compute(|ask| parse_strict_asking(&bytes, base, ask))?
    };
    match parsed {
        Ok(integer) => Ok(integer_value(ec, integer)),
        Err(IntegerError::InvalidRadix(radix)) => Err(ec.argument_error(&format!("invalid radix {radix}"))),
        Err(_) if !raises => Ok(Value::NIL),
        Err(_) => {
            let shown = ec.inspect(text.value())?.to_text(ec);
            Err(ec.argument_error(&format!("invalid value for Integer(): {shown}")))
        }
    }
}
