//! Primitives of `Rational` and `Complex`: their two fields, and reading them from text.

use crate::number::float::convert::rational;
use crate::number::integer::convert::check_ascii_compatible;
use crate::number::integer::operand::{big_to_f64, integer_value};
use crate::text::string::parse;
use carat_text::number::exact::Ratio;
use carat_text::number::parse_complex::{self, Complex, ComplexError, Part};
use carat_text::number::parse_rational::{self, RatioError};
use carat_vm::{Ec, HeapType, Result, Str, Unwind, Value, primitives};
use num_integer::Integer;

primitives! {
    PRIMITIVES {
        "rational_new" => rational_new;
        "rational_num" => rational_num;
        "rational_den" => rational_den;
        "rational_plus" => rational_plus;
        "rational_minus" => rational_minus;
        "rational_times" => rational_times;
        "rational_parse" => rational_parse;
        "complex_new" => complex_new;
        "complex_real" => complex_real;
        "complex_imag" => complex_imag;
        "complex_parse" => complex_parse;
    }
}

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    crate::number::integer::undefine_new(ec, known.rational);
    crate::number::integer::undefine_new(ec, known.complex);
}

fn rational_new(ec: &mut Ec, numerator: Value, denominator: Value) -> Value {
    ec.new_rational(numerator, denominator)
}

fn complex_new(ec: &mut Ec, real: Value, imaginary: Value) -> Value {
    ec.new_complex(real, imaginary)
}

fn fields(ec: &Ec, value: Value, kind: HeapType) -> (Value, Value) {
    ec.pair_of(value, kind).unwrap_or((Value::NIL, Value::NIL))
}

fn rational_num(ec: &mut Ec, value: Value) -> Value {
    fields(ec, value, HeapType::Rational).0
}

fn rational_den(ec: &mut Ec, value: Value) -> Value {
    fields(ec, value, HeapType::Rational).1
}

fn complex_real(ec: &mut Ec, value: Value) -> Value {
    fields(ec, value, HeapType::Complex).0
}

fn complex_imag(ec: &mut Ec, value: Value) -> Value {
    fields(ec, value, HeapType::Complex).1
}

// ---- small numbers ----

/// Numerator and denominator of an Integer or Rational in 64 bits.
fn small_parts(ec: &Ec, value: Value) -> Option<(i128, i128)> {
    if let Some(number) = value.as_fixnum() {
        return Some((i128::from(number), 1));
    }
    let (numerator, denominator) = ec.pair_of(value, HeapType::Rational)?;
    Some((i128::from(numerator.as_fixnum()?), i128::from(denominator.as_fixnum()?)))
}

/// In lowest terms, if that fits 64 bits.
fn small_rational(ec: &Ec, numerator: i128, denominator: i128) -> Option<Value> {
    let common = match (u64::try_from(numerator.unsigned_abs()), u64::try_from(denominator)) {
        (Ok(n), Ok(d)) => i128::from(n.gcd(&d)),
        _ => numerator.gcd(&denominator),
    };
    let numerator = i64::try_from(numerator / common).ok()?;
    let denominator = i64::try_from(denominator / common).ok()?;
    Some(ec.new_rational(ec.int(numerator), ec.int(denominator)))
}

/// `Primitive.rational_plus`: the sum, or nil unless both are Integers or Rationals of small Integers.
fn rational_plus(ec: &mut Ec, a: Value, b: Value) -> Option<Value> {
    let ((n, d), (other_n, other_d)) = (small_parts(ec, a)?, small_parts(ec, b)?);
    small_rational(ec, n * other_d + other_n * d, d * other_d)
}

/// `Primitive.rational_minus`: the difference, or nil as above.
fn rational_minus(ec: &mut Ec, a: Value, b: Value) -> Option<Value> {
    let ((n, d), (other_n, other_d)) = (small_parts(ec, a)?, small_parts(ec, b)?);
    small_rational(ec, n * other_d - other_n * d, d * other_d)
}

/// `Primitive.rational_times`: the product, or nil as above.
fn rational_times(ec: &mut Ec, a: Value, b: Value) -> Option<Value> {
    let ((n, d), (other_n, other_d)) = (small_parts(ec, a)?, small_parts(ec, b)?);
    small_rational(ec, n * other_n, d * other_d)
}

/// `Primitive.rational_parse`: the Rational that text is (strict) or begins with; nil when it is none.
fn rational_parse(ec: &mut Ec, text: Str, strict: bool) -> Result {
    check_ascii_compatible(ec, text)?;
    let parser = if strict { parse_rational::parse_strict } else { parse_rational::to_r };
    match parse(ec, text, &parser)? {
        Ok(ratio) => Ok(rational(ec, ratio)),
        Err(RatioError::Invalid) => Ok(Value::NIL),
        Err(RatioError::ZeroDivision) => Err(ec.zero_division()),
        Err(RatioError::Infinite | RatioError::GivenUp) => Err(infinite(ec)),
    }
}

fn infinite(ec: &mut Ec) -> Unwind {
    crate::number::integer::operand::float_domain_error(ec, f64::INFINITY)
}

/// `Primitive.complex_parse`: the Complex that text is (strict) or begins with; nil when it is none.
fn complex_parse(ec: &mut Ec, text: Str, strict: bool) -> Result {
    check_ascii_compatible(ec, text)?;
    let parser = if strict { parse_complex::parse_strict } else { parse_complex::to_c };
    match parse(ec, text, &parser)? {
        Ok(complex) => Ok(complex_value(ec, complex)),
        Err(ComplexError::Invalid) => Ok(Value::NIL),
        Err(ComplexError::NullByte) => Err(ec.argument_error("string contains null byte")),
        Err(ComplexError::ZeroDivision) => Err(ec.zero_division()),
        Err(ComplexError::Infinite | ComplexError::GivenUp) => Err(infinite(ec)),
    }
}

fn complex_value(ec: &Ec, complex: Complex) -> Value {
    match complex {
        Complex::Rectangular(real, imaginary) => ec.new_complex(part_value(ec, real), part_value(ec, imaginary)),
        Complex::Polar(radius, angle) => {
            let (distance, turned) = (part_f64(&radius), part_f64(&angle));
            if distance == 0.0 || turned == 0.0 {
                return ec.new_complex(part_value(ec, radius), ec.float(0.0));
            }
            ec.new_complex(ec.float(distance * turned.cos()), ec.float(distance * turned.sin()))
        }
    }
}

fn part_value(ec: &Ec, part: Part) -> Value {
    match part {
        Part::Integer(integer) => integer_value(ec, integer),
        Part::Float(f) => ec.float(f),
        Part::Ratio(ratio) => rational(ec, ratio),
    }
}

fn part_f64(part: &Part) -> f64 {
    match part {
        Part::Integer(integer) => integer.to_f64(),
        Part::Float(f) => *f,
        Part::Ratio(Ratio { numerator, denominator }) if denominator.bits() <= 53 && numerator.bits() <= 53 => {
            big_to_f64(numerator) / big_to_f64(denominator)
        }
        Part::Ratio(Ratio { numerator, denominator }) => crate::number::integer::ratio_to_f64(numerator, denominator),
    }
}
