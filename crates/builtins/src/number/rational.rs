//! Primitives of `Rational` and `Complex`: their two fields, and reading them from text.

use crate::number::float::convert::rational;
use crate::number::integer::operand::{big_to_f64, integer_value};
use crate::text::string::check_ascii_compatible;
use crate::text::string::parse;
use carat_text::number::exact::{Ratio, simplest_of_small};
use carat_text::number::parse_complex::{self, Complex, ComplexError, Part};
use carat_text::number::parse_rational::{self, RatioError};
use carat_vm::leaf::{Leaf, LeafOf, LeafRow};
use carat_vm::{Class, Ec, HeapType, Result, Str, SymbolId, Unwind, Value, primitives, sym};
use num_integer::Integer;
use std::cmp::Ordering;

primitives! {
    PRIMITIVES {
        "rational_new" => rational_new;
        "rational_num" => rational_num;
        "rational_den" => rational_den;
        "rational_plus" => rational_plus;
        "rational_minus" => rational_minus;
        "rational_times" => rational_times;
        "rational_parse" => rational_parse;
        "rational_of" => rational_of;
        "rational_round" => rational_round;
        "rational_simplest" => rational_simplest;
        "complex_new" => complex_new;
        "complex_of" => complex_of;
        "complex_like" => complex_like;
        "complex_as" => complex_as;
        "complex_real" => complex_real;
        "complex_imag" => complex_imag;
        "complex_parse" => complex_parse;
        "complex_plain" => complex_plain;
        "complex_plus" => complex_plus;
        "complex_minus" => complex_minus;
        "complex_times" => complex_times;
        "complex_divide" => complex_divide;
    }
}

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    // `allocate` is undefined, but that of `Class` may be bound to them.
    known.rational.set_allocator(Some(|ec, _| Ok(ec.new_rational(ec.int(0), ec.int(1)))));
    known.complex.set_allocator(Some(|ec, class| Ok(ec.new_complex_of(class, ec.int(0), ec.int(0)))));
    crate::number::integer::undefine_new(ec, known.rational);
    crate::number::integer::undefine_new(ec, known.complex);
}

fn rational_new(ec: &mut Ec, numerator: Value, denominator: Value) -> Value {
    ec.new_rational(numerator, denominator)
}

fn complex_new(ec: &mut Ec, real: Value, imaginary: Value) -> Value {
    ec.new_complex(real, imaginary)
}

/// `Primitive.complex_of`: the same Complex as an instance of a derived class.
fn complex_of(ec: &mut Ec, class: Class, number: Value) -> Value {
    let (real, imaginary) = fields(ec, number, HeapType::Complex);
    ec.new_complex_of(class, real, imaginary)
}

/// `Primitive.complex_like`: a Complex of the class of another.
fn complex_like(ec: &mut Ec, like: Value, real: Value, imaginary: Value) -> Value {
    let class = ec.class_of(like);
    if class == ec.vm().known().complex {
        return ec.new_complex(real, imaginary);
    }
    ec.new_complex_of(class.real(), real, imaginary)
}

/// `Primitive.complex_as`: the number as an instance of the class of another.
fn complex_as(ec: &mut Ec, like: Value, number: Value) -> Value {
    let class = ec.class_of(like);
    if class == ec.vm().known().complex { number } else { complex_of(ec, class.real(), number) }
}

fn fields(ec: &Ec, value: Value, kind: HeapType) -> (Value, Value) {
    ec.pair_of(value, kind).unwrap_or((Value::NIL, Value::NIL))
}

pub(crate) static LEAVES: &[LeafRow] = &[
    (LeafOf::Primitive("rational_num"), Leaf::new(|ec: &mut Ec, value: Value| Some(rational_num(ec, value)))),
    (LeafOf::Primitive("rational_den"), Leaf::new(|ec: &mut Ec, value: Value| Some(rational_den(ec, value)))),
    (
        LeafOf::Core("Rational", "=="),
        Leaf::new(|ec: &mut Ec, one: Value, other: Value| {
            let (one, other) = (small_parts(ec, one)?, small_parts(ec, other)?);
            ec.has_core_operator(sym::EQ).then(|| Value::bool(one == other))
        }),
    ),
    (
        LeafOf::Core("Rational", "<=>"),
        Leaf::new(|ec: &mut Ec, one: Value, other: Value| {
            let ((num, den), (other_num, other_den)) = (small_parts(ec, one)?, small_parts(ec, other)?);
            let order = (num * other_den).cmp(&(other_num * den));
            let is_core = ec.has_core_operator(sym::CMP) && ec.has_core_operator(sym::MULT);
            is_core.then(|| ec.int(order as i64))
        }),
    ),
];

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

/// `Primitive.rational_of`: the ratio of small Integers; nil of others, and for a divisor of zero.
fn rational_of(ec: &mut Ec, numerator: Value, denominator: Value) -> Option<Value> {
    let (numerator, denominator) = (i128::from(numerator.as_fixnum()?), i128::from(denominator.as_fixnum()?));
    match denominator.signum() {
        0 => None,
        sign => small_rational(ec, numerator * sign, denominator * sign),
    }
}

/// A ratio as an Integer, in a mode of `Primitive.rational_round`.
fn rounded(numerator: i128, denominator: i128, mode: i64) -> i128 {
    let (floor, rest) = numerator.div_mod_floor(&denominator);
    let is_negative = numerator < 0;
    let up = match mode {
        0 => false,
        1 => rest != 0,
        2 => rest != 0 && is_negative,
        // To the nearest, and from the middle away from zero.
        _ => match (rest * 2).cmp(&denominator) {
            Ordering::Equal => !is_negative,
            order => order == Ordering::Greater,
        },
    };
    floor + i128::from(up)
}

/// `Primitive.rational_round`: a Rational of small Integers as an Integer, or with up to 18 decimals as a Rational; nil where
/// that does not do. Modes are: 0 down, 1 up,
/// 2 towards zero, 3 to the nearest and from the middle away from zero.
fn rational_round(ec: &mut Ec, this: Value, decimals: i64, mode: i64) -> Option<Value> {
    let (numerator, denominator) = small_parts(ec, this)?;
    if decimals == 0 {
        return Some(ec.int(i64::try_from(rounded(numerator, denominator, mode)).ok()?));
    }
    let scale = i128::from(10_i64.checked_pow(u32::try_from(decimals).ok()?)?);
    small_rational(ec, rounded(numerator.checked_mul(scale)?, denominator, mode), scale)
}

/// `Primitive.rational_simplest`: the Rational with the least denominator that is no further from a positive number than another
/// number; nil unless both are Integers or Rationals of small Integers.
fn rational_simplest(ec: &mut Ec, this: Value, margin: Value) -> Option<Value> {
    let ((n, d), (margin_n, margin_d)) = (small_parts(ec, this)?, small_parts(ec, margin)?);
    let common = d.checked_mul(margin_d)?;
    let (centre, reach) = (n.checked_mul(margin_d)?, margin_n.checked_mul(d)?);
    let (low, high) = (centre.checked_sub(reach)?, centre.checked_add(reach)?);
    if reach <= 0 || low <= 0 {
        return None;
    }
    let (numerator, denominator) = simplest_of_small((low, common), (high, common))?;
    small_rational(ec, numerator, denominator)
}

/// `Primitive.rational_parse`: the Rational that text is (strict) or begins with; nil when it is none.
fn rational_parse(ec: &mut Ec, text: Str, strict: bool) -> Result {
    check_ascii_compatible(ec, text)?;
    if let Some(((numerator, denominator), rest)) = parse_rational::small(text.bytes(ec))
        && (!strict || rest.is_empty())
        && let Some(number) = small_rational(ec, numerator.into(), denominator.into())
    {
        return Ok(number);
    }
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

/// `Primitive.complex_plain`: the Complex of two Integers or Floats; nil of other parts.
fn complex_plain(ec: &mut Ec, real: Value, imaginary: Value) -> Option<Value> {
    let is_plain = |value| ec.is_integer(value) || ec.is_float(value);
    (is_plain(real) && is_plain(imaginary)).then(|| ec.new_complex(real, imaginary))
}

/// The parts of two Complexes, if all are finite Floats.
fn finite_parts(ec: &Ec, a: Value, b: Value) -> Option<[f64; 4]> {
    let ((a, b), (c, d)) = (ec.pair_of(a, HeapType::Complex)?, ec.pair_of(b, HeapType::Complex)?);
    let finite = |value| ec.float_of(value).filter(|f| f.is_finite());
    Some([finite(a)?, finite(b)?, finite(c)?, finite(d)?])
}

/// `Primitive.complex_plus`: the sum of Complexes whose parts are all small Integers or all finite Floats; nil of others, and
/// where `+` is redefined.
fn complex_plus(ec: &mut Ec, this: Value, other: Value) -> Option<Value> {
    by_parts(ec, sym::PLUS, this, other, |a, c| a + c, i64::checked_add)
}

/// `Primitive.complex_minus`: the difference, or nil as above.
fn complex_minus(ec: &mut Ec, this: Value, other: Value) -> Option<Value> {
    by_parts(ec, sym::MINUS, this, other, |a, c| a - c, i64::checked_sub)
}

fn by_parts(
    ec: &mut Ec,
    operator: SymbolId,
    this: Value,
    other: Value,
    of_floats: fn(f64, f64) -> f64,
    of_integers: fn(i64, i64) -> Option<i64>,
) -> Option<Value> {
    if !ec.has_core_operator(operator) {
        return None;
    }
    if let Some([a, b, c, d]) = finite_parts(ec, this, other) {
        return Some(complex_like(ec, this, ec.float(of_floats(a, c)), ec.float(of_floats(b, d))));
    }
    let ((a, b), (c, d)) = (ec.pair_of(this, HeapType::Complex)?, ec.pair_of(other, HeapType::Complex)?);
    let real = of_integers(a.as_fixnum()?, c.as_fixnum()?)?;
    let imaginary = of_integers(b.as_fixnum()?, d.as_fixnum()?)?;
    Some(complex_like(ec, this, ec.int(real), ec.int(imaginary)))
}

/// `Primitive.complex_times`: the product of Complexes whose parts are all small Integers or all finite Floats; nil of others,
/// and where an operator is redefined.
fn complex_times(ec: &mut Ec, this: Value, other: Value) -> Option<Value> {
    if ![sym::PLUS, sym::MINUS, sym::MULT].into_iter().all(|operator| ec.has_core_operator(operator)) {
        return None;
    }
    if let Some([a, b, c, d]) = finite_parts(ec, this, other) {
        return Some(complex_like(ec, this, ec.float(a * c - b * d), ec.float(a * d + b * c)));
    }
    let ((a, b), (c, d)) = (ec.pair_of(this, HeapType::Complex)?, ec.pair_of(other, HeapType::Complex)?);
    let small = |value: Value| value.as_fixnum().map(i128::from);
    let (a, b, c, d) = (small(a)?, small(b)?, small(c)?, small(d)?);
    let part = |value: i128| i64::try_from(value).ok().map(|value| ec.int(value));
    Some(complex_like(ec, this, part(a * c - b * d)?, part(a * d + b * c)?))
}

/// `Primitive.complex_divide`: the quotient of Complexes whose parts are finite Floats, by the smaller part's ratio to the larger;
/// nil of others.
fn complex_divide(ec: &mut Ec, this: Value, other: Value) -> Option<Value> {
    let [a, b, c, d] = finite_parts(ec, this, other)?;
    let (real, imaginary) = if c.abs() > d.abs() {
        let ratio = d / c;
        let n = c * (1.0 + ratio * ratio);
        ((a + b * ratio) / n, (b - a * ratio) / n)
    } else {
        let ratio = c / d;
        let n = d * (1.0 + ratio * ratio);
        ((a * ratio + b) / n, (b * ratio - a) / n)
    };
    Some(complex_like(ec, this, ec.float(real), ec.float(imaginary)))
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
