//! The native half of `BigDecimal`: decimal numbers of any size, an Integer and a power of ten.
//!
//! # Code map
//! `number` is what a BigDecimal carries and what it is made of, `whole` its Integer. `arithmetic` computes and compares,
//! `rounding` drops digits, `parse` and `text` read and write. `lib/bigdecimal` has the modes, powers, roots and the functions
//! of `BigMath`.
//!
//! # Invariants
//! A BigDecimal never changes. An operation computes on copies: what it calls may run Ruby code.

mod arithmetic;
mod number;
mod parse;
mod rounding;
mod text;
mod whole;

use crate::number::integer::convert::exception_option;
use crate::text::string::check_ascii_compatible;
use carat_text::number::parse_float;
use carat_vm::{Array, Class, Data, Ec, HeapType, Keywords, Result, Str, Unwind, Value, hash_mix, methods, sym};
use number::{Kind, Number, This, kind, load, make, small_parts};
use std::sync::OnceLock;
use whole::Whole;

methods! {
    METHODS {
        "+" => arithmetic::plus;
        "-" => arithmetic::minus;
        "*" => arithmetic::times;
        "/" => arithmetic::divide;
        "%" => arithmetic::modulo;
        alias "modulo" of "%" => arithmetic::modulo;
        "quo" => arithmetic::quo;
        "div" => arithmetic::div;
        "divmod" => arithmetic::divmod;
        "remainder" => arithmetic::remainder;
        "add" => arithmetic::add;
        "sub" => arithmetic::sub;
        "mult" => arithmetic::mult;
        "+@" => itself;
        "-@" => arithmetic::negate;
        "abs" => arithmetic::abs;
        "<=>" => arithmetic::order;
        "==" => arithmetic::equal;
        alias "===" of "==" => arithmetic::equal;
        alias "eql?" of "==" => arithmetic::equal;
        "<" => arithmetic::less;
        "<=" => arithmetic::less_or_equal;
        ">" => arithmetic::greater;
        ">=" => arithmetic::greater_or_equal;
        "hash" => hash;
        "coerce" => coerce;
        "clone" => itself;
        "dup" => itself;
        "nan?" => is_nan;
        "infinite?" => infinite;
        "finite?" => is_finite;
        "zero?" => is_zero;
        "nonzero?" => nonzero;
        "negative?" => is_negative;
        "positive?" => is_positive;
        "n_significant_digits" => significant_digits;
        "exponent" => exponent;
        "to_i" => rounding::to_i;
        alias "to_int" of "to_i" => rounding::to_i;
        "to_f" => to_f;
        "to_s" => text::to_s;
        alias "inspect" of "to_s" => text::to_s;
        "round" => rounding::round;
        "truncate" => rounding::truncate;
        "floor" => rounding::floor;
        "ceil" => rounding::ceil;
        "fix" => rounding::fix;
        "_decimal_shift" => rounding::decimal_shift;
        "frac" => rounding::frac;
        "__significant" => rounding::significant_method;
        "__integer" => integer;
        "__exponent" => own_exponent;
        "__stored_digits" => stored_digits;
        static "__of" => of;
        static "__try" => try_convert;
        static "__to_int" => to_int;
        static "interpret_loosely" => interpret_loosely;
    }
    KERNEL {
        module_function "BigDecimal" => kernel_bigdecimal;
    }
}

/// Per VM: the class.
#[derive(Default)]
struct BigDecimalClass(OnceLock<Class>);

/// `require "bigdecimal.so"`
pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    let (object, numeric, kernel) = (known.object, known.numeric, known.kernel);
    let class = ec.new_class(numeric);
    object.set_constant(ec, ec.vm().intern("BigDecimal"), class.value());
    class.set_allocator(None);
    crate::number::integer::undefine_new(ec, class);
    class.define_methods(ec, METHODS);
    kernel.define_methods(ec, KERNEL);
    let first = ec.vm().extension::<BigDecimalClass>().0.set(class).is_ok();
    debug_assert!(first, "a feature is loaded once");
    for (name, kind, sign) in [("INFINITY", Kind::Infinite, 1), ("NAN", Kind::Nan, 0)] {
        let value = make(ec, class, Number { kind, whole: Whole::Small(sign), exponent: 0 });
        class.set_constant(ec, ec.vm().intern(name), value);
    }
}

/// A BigDecimal, where no object tells the class.
fn bigdecimal(ec: &mut Ec, number: Number) -> Value {
    let class = ec.vm().extension::<BigDecimalClass>().0.get().copied();
    make(ec, class.expect("set before its methods are"), number)
}

// ---- Kernel#BigDecimal ----

/// `BigDecimal(value, digits, exception: true)`: a Rational needs the number of digits to round to, a Float can have one.
fn kernel_bigdecimal(ec: &mut Ec, _this: Value, value: Value, digits: Option<Value>, keywords: Keywords) -> Result {
    let raises = exception_option(ec, keywords)?;
    let digits = match digits.map(|digits| whole_number(ec, digits)).transpose()?.map(u64::try_from) {
        Some(Err(_)) => return refused(ec, raises, |ec| ec.argument_error("negative precision")),
        Some(Ok(digits)) => Some(digits),
        None => None,
    };
    convert(ec, value, digits, raises)
}

fn whole_number(ec: &mut Ec, digits: Value) -> Result<i64> {
    let digits = ec.to_int(digits)?;
    ec.to_long(digits)
}

/// What a conversion answers that fails: nil, unless it is to raise.
fn refused(ec: &mut Ec, raises: bool, error: impl FnOnce(&mut Ec) -> Unwind) -> Result {
    if raises { Err(error(ec)) } else { Ok(Value::NIL) }
}

fn convert(ec: &mut Ec, value: Value, digits: Option<u64>, raises: bool) -> Result {
    if let Some(text) = Str::from_value(value) {
        return of_text(ec, text, raises);
    }
    if let Some(this) = This::from_value(value) {
        let number = load(ec, this);
        let number = number::checked(ec, number)?;
        return Ok(if digits.is_none() { value } else { bigdecimal(ec, number) });
    }
    let number = if let Some(whole) = Whole::of(ec, value) {
        Number::of(ec, whole, 0)?
    } else if let Some(f) = ec.float_of(value) {
        match digits.filter(|digits| *digits != 0) {
            Some(number::MORE_THAN_DOUBLE_FIGURES..) if f.is_finite() && f != 0.0 => {
                return refused(ec, raises, |ec| ec.argument_error("precision too large."));
            }
            Some(digits) => number::of_float_rounded(ec, f, digits)?,
            None => number::of_float(ec, f)?,
        }
    } else if value.is_type(HeapType::Rational) {
        let Some(digits) = digits else {
            return refused(ec, raises, |ec| ec.argument_error("can't omit precision for a Rational."));
        };
        number::of_rational(ec, value, digits)?
    } else if let Some((real, imaginary)) = ec.pair_of(value, HeapType::Complex) {
        return of_complex(ec, real, imaginary, digits, raises);
    } else {
        return of_other(ec, value, raises);
    };
    Ok(bigdecimal(ec, number))
}

fn of_complex(ec: &mut Ec, real: Value, imaginary: Value, digits: Option<u64>, raises: bool) -> Result {
    let zero = ec.vm().intern("zero?");
    if !ec.call(imaginary, zero, &[])?.truthy() {
        return Err(ec.argument_error("Unable to make a BigDecimal from non-zero imaginary number"));
    }
    convert(ec, real, digits, raises)
}

#[cold]
fn of_other(ec: &mut Ec, value: Value, raises: bool) -> Result {
    let is_constant = value.is_nil() || value == Value::TRUE || value == Value::FALSE;
    let text = if is_constant { None } else { ec.try_convert(value, sym::TO_STR)? };
    match text.and_then(Str::from_value) {
        Some(text) => of_text(ec, text, raises),
        None => refused(ec, raises, |ec| {
            let shown = ec.describe_for_type_error(value);
            ec.type_error(&format!("can't convert {shown} into BigDecimal"))
        }),
    }
}

fn of_text(ec: &mut Ec, text: Str, raises: bool) -> Result {
    check_text(ec, text)?;
    match parse::strict(text.bytes(ec)) {
        Some(scanned) => {
            let number = parse::number(ec, scanned)?;
            Ok(bigdecimal(ec, number))
        }
        None => refused(ec, raises, |ec| {
            let shown = text.to_text(ec);
            ec.argument_error(&format!("invalid value for BigDecimal(): \"{shown}\""))
        }),
    }
}

fn check_text(ec: &mut Ec, text: Str) -> Result<()> {
    check_ascii_compatible(ec, text)?;
    if text.bytes(ec).contains(&0) {
        return Err(ec.argument_error("string contains null byte"));
    }
    Ok(())
}

/// `BigDecimal.interpret_loosely(text)`: as far as the text is a number, as `String#to_f` reads one.
fn interpret_loosely(ec: &mut Ec, this: Class, text: Str) -> Result {
    check_text(ec, text)?;
    let scanned = parse::loose(text.bytes(ec));
    let number = parse::number(ec, scanned)?;
    Ok(make(ec, this, number))
}

// ---- for the methods in Ruby ----

/// `__of(integer, exponent)`
fn of(ec: &mut Ec, this: Class, integer: Value, exponent: i64) -> Result {
    let Some(whole) = Whole::of(ec, integer) else { return Err(ec.wrong_type(integer, "Integer")) };
    let number = Number::of(ec, whole, i128::from(exponent))?;
    Ok(make(ec, this, number))
}

/// `__try(value, digits)`: the number of a Numeric; nil for what is none. The digits are for a Rational.
fn try_convert(ec: &mut Ec, this: Class, value: Value, digits: i64) -> Result {
    if This::from_value(value).is_some() {
        return Ok(value);
    }
    let number = number::try_convert(ec, value, |_| Ok(digits.max(0).cast_unsigned()))?;
    Ok(number.map_or(Value::NIL, |number| make(ec, this, number)))
}

/// An argument as C's `int`.
fn to_int(ec: &mut Ec, _this: Class, value: Value) -> Result<i64> {
    crate::number::integer::operand::to_c_int(ec, value).map(i64::from)
}

/// The Integer that the power of ten is multiplied with; of a zero and the infinite it is the sign.
fn integer(ec: &mut Ec, this: This) -> Value {
    load(ec, this).whole.value(ec)
}

fn own_exponent(ec: &mut Ec, this: This) -> Value {
    let exponent = load(ec, this).exponent;
    Whole::Small(exponent).value(ec)
}

/// How many digits the words have that hold the number, which a dump says.
fn stored_digits(ec: &mut Ec, this: This) -> Result<i64> {
    Ok(arithmetic::stored_digits(ec, this)?.cast_signed())
}

// ---- questions ----

fn itself(_ec: &mut Ec, this: This) -> Value {
    this.value()
}

fn is_nan(ec: &mut Ec, this: This) -> bool {
    kind(ec, this) == Kind::Nan
}

fn infinite(ec: &mut Ec, this: This) -> Option<i64> {
    let number = load(ec, this);
    number.is_infinite().then(|| number.whole.signum())
}

fn is_finite(ec: &mut Ec, this: This) -> bool {
    matches!(kind(ec, this), Kind::Finite | Kind::Zero)
}

fn is_zero(ec: &mut Ec, this: This) -> bool {
    kind(ec, this) == Kind::Zero
}

fn nonzero(ec: &mut Ec, this: This) -> Value {
    if is_zero(ec, this) { Value::NIL } else { this.value() }
}

fn is_negative(ec: &mut Ec, this: This) -> bool {
    let number = load(ec, this);
    !number.is_zero() && number.whole.signum() < 0
}

fn is_positive(ec: &mut Ec, this: This) -> bool {
    let number = load(ec, this);
    !number.is_zero() && number.whole.signum() > 0
}

/// How many digits the Integer has.
fn significant_digits(ec: &mut Ec, this: This) -> Result<i64> {
    Ok(load(ec, this).digits(ec)?.cast_signed())
}

/// Where the point is: the number is 0.DIGITS * 10**exponent.
fn exponent(ec: &mut Ec, this: This) -> Result<i64> {
    // A point is within 64 bits.
    Ok(load(ec, this).point(ec)? as i64)
}

fn hash(ec: &mut Ec, this: This) -> Result<i64> {
    let number = load(ec, this);
    let whole = match number.whole {
        Whole::Small(small) => hash_mix(small as i64, (small >> 64) as i64),
        Whole::Big(big) => {
            let integer = ec.bigint(big);
            ec.part_hash(integer)?
        }
    };
    Ok(hash_mix(hash_mix(number.kind as i64, whole), number.exponent as i64))
}

/// `[other as a BigDecimal, self]`
fn coerce(ec: &mut Ec, this: This, other: Value) -> Result<Array> {
    let digits = |ec: &mut Ec| arithmetic::coerced_digits(ec, this, 0);
    match number::try_convert(ec, other, digits)? {
        Some(number) => {
            let number = number::make_like(ec, this, number);
            Ok(Array::pair(ec, number, this.value()))
        }
        None => Err(arithmetic::not_coerced(ec, other)),
    }
}

// ---- Float ----

fn to_f(ec: &mut Ec, this: This) -> Result<f64> {
    let number = load(ec, this);
    let sign = if number.is_negative() { -1.0 } else { 1.0 };
    match number.kind {
        Kind::Nan => return Ok(f64::NAN),
        Kind::Infinite => return Ok(sign * f64::INFINITY),
        Kind::Zero => return Ok(sign * 0.0),
        Kind::Finite => {}
    }
    if let Some(f) = small_parts(ec, this).and_then(|(whole, exponent)| exact_float(whole, exponent)) {
        return Ok(f);
    }
    // Where the point is tells what is beyond all Floats, or below.
    let point = number.point(ec)?;
    if point > i128::from(f64::MAX_10_EXP) + 1 {
        return out_of_floats(ec, number::EXCEPTION_INFINITY, sign * f64::INFINITY);
    }
    if point < i128::from(f64::MIN_10_EXP) - 20 {
        return out_of_floats(ec, number::EXCEPTION_UNDERFLOW, sign * 0.0);
    }
    let mut text = number.whole.text(ec)?;
    text.push(b'e');
    // The point and the digits are within 64 bits.
    carat_text::number::decimal::push_i64(&mut text, number.exponent as i64);
    match parse_float::to_f(&text).value {
        0.0 => out_of_floats(ec, number::EXCEPTION_UNDERFLOW, sign * 0.0),
        f64::INFINITY => out_of_floats(ec, number::EXCEPTION_INFINITY, sign * f64::INFINITY),
        f => Ok(sign * f),
    }
}

fn out_of_floats(ec: &mut Ec, exception: u8, f: f64) -> Result<f64> {
    number::raise_if(ec, exception, "BigDecimal to Float conversion")?;
    Ok(f)
}

/// The nearest double, where both the whole and the power of ten are doubles: one operation rounds once.
fn exact_float(whole: i128, exponent: i64) -> Option<f64> {
    const EXACT: i128 = 1 << 53;
    const LARGEST_POWER: i64 = 22;
    if !(-EXACT..=EXACT).contains(&whole) || !(-LARGEST_POWER..=LARGEST_POWER).contains(&exponent) {
        return None;
    }
    // 10**22 is the largest power of ten that a double holds.
    let power = 10_u128.pow(exponent.unsigned_abs() as u32) as f64;
    let whole = whole as f64;
    Some(if exponent < 0 { whole / power } else { whole * power })
}

const _: () = assert!(size_of::<Data<number::Decimal>>() == size_of::<Value>());
