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

use crate::integer::convert::{check_ascii_compatible, exception_option, or_nil};
use carat_text::number::parse_float;
use carat_vm::{Array, Class, Data, Ec, HeapType, Keywords, Result, Str, Value, hash_mix, methods, sym};
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
        "frac" => rounding::frac;
        "__significant" => rounding::significant_method;
        "__integer" => integer;
        "__exponent" => own_exponent;
        static "__of" => of;
        static "__try" => try_convert;
        static "__nan" => nan;
        static "__infinity" => infinity;
        static "__zero" => zero;
        static "interpret_loosely" => interpret_loosely;
    }
    KERNEL {
        module_function "BigDecimal" => kernel_bigdecimal;
    }
}

/// Per VM: the class.
#[derive(Default)]
struct State(OnceLock<Class>);

/// `require "bigdecimal.so"`
pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    let (object, numeric, kernel) = (known.object, known.numeric, known.kernel);
    let class = ec.new_class(numeric);
    object.set_constant(ec, ec.vm().intern("BigDecimal"), class.value());
    class.set_allocator(None);
    crate::integer::undefine_new(ec, class);
    ec.define_methods(class, METHODS);
    ec.define_methods(kernel, KERNEL);
    let first = ec.vm().extension::<State>().0.set(class).is_ok();
    debug_assert!(first, "a feature is loaded once");
    for (name, kind, sign) in [("INFINITY", Kind::Infinite, 1), ("NAN", Kind::Nan, 0)] {
        let value = make(ec, class, Number { kind, whole: Whole::Small(sign), exponent: 0 });
        class.set_constant(ec, ec.vm().intern(name), value);
    }
}

/// A BigDecimal, where no object tells the class.
fn bigdecimal(ec: &mut Ec, number: Number) -> Value {
    let class = ec.vm().extension::<State>().0.get().copied();
    make(ec, class.expect("set before its methods are"), number)
}

// ---- Kernel#BigDecimal ----

/// `BigDecimal(value, digits, exception: true)`: a Float or a Rational needs the number of digits to round to.
fn kernel_bigdecimal(
    ec: &mut Ec,
    _this: Value,
    value: Value,
    digits: Option<Value>,
    keywords: Keywords,
) -> Result {
    if digits.is_none() && keywords.0.is_none() {
        return convert(ec, value, None);
    }
    let raises = exception_option(ec, keywords)?;
    let result = match digits.map(|digits| arithmetic::to_digits(ec, digits)).transpose() {
        Ok(digits) => convert(ec, value, digits),
        Err(unwind) => Err(unwind),
    };
    if raises { result } else { or_nil(ec, result) }
}

fn convert(ec: &mut Ec, value: Value, digits: Option<u64>) -> Result {
    if let Some(text) = Str::from_value(value) {
        return of_text(ec, text);
    }
    if let Some(this) = This::from_value(value) {
        return rounded_copy(ec, this, digits.unwrap_or(0));
    }
    let number = if let Some(whole) = Whole::of(ec, value) {
        Number::of(ec, whole, 0)?
    } else if let Some(f) = ec.float_of(value) {
        match digits {
            None if f.is_finite() && f != 0.0 => return Err(ec.argument_error("can't omit precision for a Float.")),
            None | Some(0) => number::of_float(ec, f)?,
            Some(digits) => number::of_float_rounded(ec, f, digits)?,
        }
    } else if value.is_type(HeapType::Rational) {
        let Some(digits) = digits else { return Err(ec.argument_error("can't omit precision for a Rational.")) };
        number::of_rational(ec, value, digits)?
    } else if let Some((real, imaginary)) = ec.pair_of(value, HeapType::Complex) {
        return of_complex(ec, real, imaginary, digits);
    } else {
        return of_other(ec, value);
    };
    Ok(bigdecimal(ec, number))
}

fn rounded_copy(ec: &mut Ec, this: This, digits: u64) -> Result {
    if digits == 0 {
        return Ok(this.value());
    }
    let rounding = number::Modes::of(ec).rounding;
    let number = load(ec, this);
    let number = rounding::significant(ec, number, digits, rounding)?;
    Ok(bigdecimal(ec, number))
}

fn of_complex(ec: &mut Ec, real: Value, imaginary: Value, digits: Option<u64>) -> Result {
    let zero = ec.vm().intern("zero?");
    if !ec.call(imaginary, zero, &[])?.truthy() {
        return Err(ec.argument_error("Unable to make a BigDecimal from non-zero imaginary number"));
    }
    convert(ec, real, digits)
}

#[cold]
fn of_other(ec: &mut Ec, value: Value) -> Result {
    if value.is_nil() {
        return Err(ec.type_error("can't convert nil into BigDecimal"));
    }
    let text = ec.try_convert(value, sym::TO_STR)?;
    match text.and_then(Str::from_value) {
        Some(text) => of_text(ec, text),
        None => {
            let class = ec.class_of(value).real().to_text(ec);
            Err(ec.type_error(&format!("can't convert {class} into BigDecimal")))
        }
    }
}

fn of_text(ec: &mut Ec, text: Str) -> Result {
    check_ascii_compatible(ec, text)?;
    let Some(scanned) = parse::strict(text.bytes(ec)) else { return Err(not_a_number(ec, text)) };
    let number = parse::number(ec, scanned)?;
    Ok(bigdecimal(ec, number))
}

#[cold]
fn not_a_number(ec: &mut Ec, text: Str) -> carat_vm::Unwind {
    if text.bytes(ec).contains(&0) {
        return ec.argument_error("string contains null byte");
    }
    match ec.inspect(text.value()) {
        Ok(shown) => {
            let shown = shown.to_text(ec);
            ec.argument_error(&format!("invalid value for BigDecimal(): {shown}"))
        }
        Err(unwind) => unwind,
    }
}

/// `BigDecimal.interpret_loosely(text)`: as far as the text is a number, as `String#to_f` reads one.
fn interpret_loosely(ec: &mut Ec, this: Class, text: Str) -> Result {
    check_ascii_compatible(ec, text)?;
    let number = match parse::loose(text.bytes(ec)) {
        Some(scanned) => parse::number(ec, scanned)?,
        None => Number::zero(false),
    };
    Ok(make(ec, this, number))
}

// ---- for the methods in Ruby ----

/// `__of(integer, exponent)`
fn of(ec: &mut Ec, this: Class, integer: Value, exponent: i64) -> Result {
    let Some(whole) = Whole::of(ec, integer) else { return Err(ec.wrong_type(integer, "Integer")) };
    let number = Number::of(ec, whole, exponent)?;
    Ok(make(ec, this, number))
}

/// `__try(value, digits)`: the number of a Numeric; nil for what is none. The digits are for a Rational.
fn try_convert(ec: &mut Ec, this: Class, value: Value, digits: i64) -> Result {
    let number = number::try_convert(ec, value, |_| Ok(digits.max(0).cast_unsigned()))?;
    Ok(number.map_or(Value::NIL, |number| make(ec, this, number)))
}

fn nan(ec: &mut Ec, this: Class) -> Result {
    let number = number::nan(ec)?;
    Ok(make(ec, this, number))
}

fn infinity(ec: &mut Ec, this: Class, is_negative: bool) -> Result {
    let number = number::infinity(ec, is_negative)?;
    Ok(make(ec, this, number))
}

fn zero(ec: &mut Ec, this: Class, is_negative: bool) -> Value {
    make(ec, this, Number::zero(is_negative))
}

/// The Integer that the power of ten is multiplied with; of a zero and the infinite it is the sign.
fn integer(ec: &mut Ec, this: This) -> Value {
    load(ec, this).whole.value(ec)
}

fn own_exponent(ec: &mut Ec, this: This) -> i64 {
    load(ec, this).exponent
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
    let number = load(ec, this);
    Ok(number.exponent.saturating_add_unsigned(number.digits(ec)?))
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
    Ok(hash_mix(hash_mix(number.kind as i64, whole), number.exponent))
}

/// `[other as a BigDecimal, self]`
fn coerce(ec: &mut Ec, this: This, other: Value) -> Result<Array> {
    let digits = |ec: &mut Ec| Ok(load(ec, this).digits(ec)?.max(number::DOUBLE_FIGURES));
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
    let point = i128::from(number.exponent) + i128::from(number.digits(ec)?);
    if point > i128::from(f64::MAX_10_EXP) + 1 {
        return Ok(sign * f64::INFINITY);
    }
    if point < i128::from(f64::MIN_10_EXP) - 20 {
        return Ok(sign * 0.0);
    }
    let mut text = number.whole.text(ec)?;
    text.push(b'e');
    carat_text::number::decimal::push_i64(&mut text, number.exponent);
    Ok(sign * parse_float::to_f(&text).value)
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
