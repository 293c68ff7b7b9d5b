//! Floats as text, ratios and hash keys, and `Kernel#Float`.

use super::double;
use crate::number::integer::convert::{exception_option, or_nil};
use crate::number::integer::operand::{Operand, float_domain_error, float_to_integer};
use crate::text::string::check_ascii_compatible;
use carat_text::number::exact::{Ratio, float_rationalize, float_to_ratio, float_to_small_ratio};
use carat_text::number::float_text::float_to_string;
use carat_text::number::parse_float::{FloatError, parse_strict};
use carat_vm::{Array, Ec, Keywords, Result, Str, Value, sym};

pub(super) fn to_s(ec: &mut Ec, this: Value) -> Str {
    Str::from_ascii(ec, &float_to_string(double(ec, this)))
}

pub(super) fn to_i(ec: &mut Ec, this: Value) -> Result {
    let f = double(ec, this);
    float_to_integer(ec, f)
}

/// A ratio of Integers as a Rational.
pub(crate) fn rational(ec: &Ec, ratio: Ratio) -> Value {
    ec.new_rational(ec.bigint(ratio.numerator), ec.bigint(ratio.denominator))
}

pub(super) fn to_r(ec: &mut Ec, this: Value) -> Result {
    let f = double(ec, this);
    if let Some((numerator, denominator)) = float_to_small_ratio(f) {
        return Ok(ec.new_rational(ec.int(numerator), ec.int(denominator)));
    }
    match float_to_ratio(f) {
        Some(ratio) => Ok(rational(ec, ratio)),
        None => Err(float_domain_error(ec, f)),
    }
}

/// `Primitive.float_rationalize`: the simplest Rational that reads as the same Float.
pub(super) fn rationalize(ec: &mut Ec, this: Value) -> Result {
    let f = double(ec, this);
    match float_rationalize(f) {
        Some(ratio) => Ok(rational(ec, ratio)),
        None => Err(float_domain_error(ec, f)),
    }
}

pub(super) fn numerator(ec: &mut Ec, this: Value) -> Value {
    if let Some((numerator, _)) = float_to_small_ratio(double(ec, this)) {
        return ec.int(numerator);
    }
    float_to_ratio(double(ec, this)).map_or(this, |ratio| ec.bigint(ratio.numerator))
}

pub(super) fn denominator(ec: &mut Ec, this: Value) -> Value {
    if let Some((_, denominator)) = float_to_small_ratio(double(ec, this)) {
        return ec.int(denominator);
    }
    float_to_ratio(double(ec, this)).map_or(Value::fixnum_unchecked(1), |ratio| ec.bigint(ratio.denominator))
}

pub(super) fn coerce(ec: &mut Ec, this: Value, other: Value) -> Result<Array> {
    let other = to_float(ec, other)?;
    Ok(Array::pair(ec, ec.float(other), this))
}

/// As `Kernel#Float`: numbers, text that is a number, and whatever has `to_f`.
pub(crate) fn to_float(ec: &mut Ec, value: Value) -> Result<f64> {
    let converted = convert(ec, value, true)?;
    Ok(ec.float_of(converted).unwrap_or(f64::NAN))
}

/// `Kernel#Float`
pub(super) fn kernel_float(ec: &mut Ec, _this: Value, value: Value, keywords: Keywords) -> Result {
    let raises = exception_option(ec, keywords)?;
    let converted = convert(ec, value, raises);
    if raises || Str::from_value(value).is_some() { converted } else { or_nil(ec, converted) }
}

/// As `Kernel#Float` makes it of one argument.
pub(crate) fn float_of(ec: &mut Ec, value: Value) -> Result {
    convert(ec, value, true)
}

fn convert(ec: &mut Ec, value: Value, raises: bool) -> Result {
    match Operand::of(ec, value) {
        Operand::Float(_) => return Ok(value),
        Operand::Other => {}
        integer => return Ok(ec.float(integer.to_f64())),
    }
    if let Some(text) = Str::from_value(value) {
        return parse(ec, text, raises);
    }
    let class = ec.describe_for_type_error(value);
    if matches!(value, Value::NIL | Value::TRUE | Value::FALSE) {
        return Err(ec.type_error(&format!("can't convert {class} into Float")));
    }
    match ec.call_if_responds(value, sym::TO_F, &[])? {
        Some(result) if ec.is_float(result) => Ok(result),
        Some(result) => {
            let given = ec.describe_for_type_error(result);
            Err(ec.type_error(&format!("can't convert {class} to Float ({class}#to_f gives {given})")))
        }
        None => Err(ec.type_error(&format!("can't convert {class} into Float"))),
    }
}

fn parse(ec: &mut Ec, text: Str, raises: bool) -> Result {
    check_ascii_compatible(ec, text)?;
    match parse_strict(text.bytes(ec)) {
        Ok(parsed) => {
            if parsed.out_of_range {
                let shown = text.to_text(ec);
                ec.warn(&format!("Float {} out of range", shown.trim()))?;
            }
            Ok(ec.float(parsed.value))
        }
        Err(_) if !raises => Ok(Value::NIL),
        Err(FloatError::NullByte) => Err(ec.argument_error("string for Float contains null byte")),
        Err(FloatError::Invalid) => {
            let shown = ec.inspect(text.value())?.to_text(ec);
            Err(ec.argument_error(&format!("invalid value for Float(): {shown}")))
        }
    }
}

/// Floats that are `eql?` hash alike; so do both zeros.
pub(super) fn hash(ec: &mut Ec, this: Value) -> Value {
    Value::fixnum_unchecked(ec.public_hash(this).unwrap_or_default())
}
