//! `round`, `floor`, `ceil` and `truncate`, and their arguments, which Integer shares.

use crate::number::integer::operand::{float_domain_error, integer_value, to_c_int};
use crate::text::string::check_ascii_compatible;
use carat_text::number::round::{Rounded, Rounding, round_float};
use carat_vm::{Ec, Keywords, Result, Str, Value, sym};

/// The whole number that a float is rounded to, if a double has digits behind the point there. To even neighbours is no matter of this.
pub(super) fn whole_number(f: f64, mode: Rounding) -> Option<i64> {
    let whole = match mode {
        _ if f.abs() >= (1_u64 << (f64::MANTISSA_DIGITS - 1)) as f64 || f.is_nan() => return None,
        Rounding::HalfUp => f.round(),
        Rounding::Floor => f.floor(),
        Rounding::Ceil => f.ceil(),
        Rounding::Truncate => f.trunc(),
        _ => return None,
    };
    Some(whole as i64)
}

/// The number of digits to keep.
pub(crate) fn digits_of(ec: &mut Ec, digits: Option<Value>) -> Result<i32> {
    digits.map_or(Ok(0), |d| to_c_int(ec, d))
}

/// The same as a value that `digits_of` reads: it is converted before the mode is looked at.
pub(crate) fn whole_digits(ec: &mut Ec, digits: Option<Value>) -> Result<Option<Value>> {
    digits.map(|digits| to_c_int(ec, digits).map(|digits| Value::fixnum_unchecked(i64::from(digits)))).transpose()
}

/// The `half:` keyword.
pub(crate) fn rounding_mode(ec: &mut Ec, keywords: Keywords) -> Result<Rounding> {
    if keywords.is_empty(ec) {
        return Ok(Rounding::HalfUp);
    }
    keywords.check(ec, &[sym::HALF])?;
    let half = keywords.get(ec, sym::HALF).unwrap_or(Value::NIL);
    mode_of(ec, half)
}

/// Where ties go: up, down, to the even neighbour. Nil is up.
pub(crate) fn mode_of(ec: &mut Ec, half: Value) -> Result<Rounding> {
    if half.is_nil() {
        return Ok(Rounding::HalfUp);
    }
    let text = match half.as_symbol() {
        Some(name) => Some(ec.symbol_to_str(name)),
        None => ec.check_string(half)?,
    };
    if let Some(text) = text {
        check_ascii_compatible(ec, text)?;
    }
    match text.map(|t| t.bytes(ec).to_ascii_lowercase()).as_deref() {
        Some(b"up") => Ok(Rounding::HalfUp),
        Some(b"down") => Ok(Rounding::HalfDown),
        Some(b"even") => Ok(Rounding::HalfEven),
        _ => Err(invalid_mode(ec, text, half)),
    }
}

fn invalid_mode(ec: &mut Ec, text: Option<Str>, half: Value) -> carat_vm::Unwind {
    match text.map_or_else(|| ec.to_s(half), Ok) {
        Ok(text) => {
            let shown = text.to_text(ec);
            ec.argument_error(&format!("invalid rounding mode: {shown}"))
        }
        Err(unwind) => unwind,
    }
}

/// `Primitive.rounding_mode`: the mode of Rational#round as a Symbol.
pub(super) fn mode_symbol(ec: &mut Ec, half: Value) -> Result {
    let name = match mode_of(ec, half)? {
        Rounding::HalfDown => "down",
        Rounding::HalfEven => "even",
        _ => "up",
    };
    Ok(Value::symbol(ec.vm().intern(name)))
}

pub(super) fn round(ec: &mut Ec, this: Value, digits: Option<Value>, keywords: Keywords) -> Result {
    let digits = whole_digits(ec, digits)?;
    let mode = rounding_mode(ec, keywords)?;
    rounded(ec, this, digits, mode)
}

/// A Float rounded to so many digits behind the point, one at least.
pub(super) fn with_digits(ec: &mut Ec, number: Value, digits: i32, mode: Rounding) -> Option<Value> {
    match round_float(ec.float_of(number)?, digits, mode)? {
        Rounded::Float(f) => Some(ec.float(f)),
        Rounded::Integer(_) => None,
    }
}

crate::number::rounding_methods!(rounded);

fn rounded(ec: &mut Ec, this: Value, digits: Option<Value>, mode: Rounding) -> Result {
    if let (Some(f), None) = (ec.float_of(this), digits)
        && let Some(whole) = whole_number(f, mode)
    {
        return Ok(ec.int(whole));
    }
    let digits = digits_of(ec, digits)?;
    let f = ec.float_of(this).unwrap_or(f64::NAN);
    match round_float(f, digits, mode) {
        Some(Rounded::Float(f)) => Ok(ec.float(f)),
        Some(Rounded::Integer(i)) => Ok(integer_value(ec, i)),
        None => Err(float_domain_error(ec, f)),
    }
}
