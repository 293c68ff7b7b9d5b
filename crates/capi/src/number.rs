//! Numbers.

use crate::boundary::{Id, Text, bytes_at, constant, kernel_call, store, string};
use carat_vm::{CodeRange, Ec, EncodingIndex, Result, Str, Value, sym};
use num_bigint::BigInt;
use std::ffi::c_int;

/// An integer of any kind of number, as `NUM2LONG` has it.
fn integer(ec: &mut Ec, value: Value) -> Result<BigInt> {
    if value.is_nil() {
        return Err(ec.type_error("no implicit conversion from nil to integer"));
    }
    if value.is_true() || value.is_false() {
        let shown = if value.is_true() { "true" } else { "false" };
        return Err(ec.type_error(&format!("no implicit conversion of {shown} into Integer")));
    }
    if let Some(float) = ec.float_of(value) {
        return float_integer(ec, float);
    }
    let value = ec.to_int(value)?;
    Ok(ec.to_bigint(value).unwrap_or_default())
}

fn float_integer(ec: &mut Ec, float: f64) -> Result<BigInt> {
    match whole_part(float) {
        Some(number) => Ok(number),
        None => {
            let shown = float_text(float);
            Err(ec.error(ec.vm().known().float_domain_error, &shown))
        }
    }
}

fn float_text(float: f64) -> String {
    if float.is_nan() {
        return "NaN".into();
    }
    if float > 0.0 { "Infinity" } else { "-Infinity" }.into()
}

/// The whole part of a float; `None` for what has none.
fn whole_part(float: f64) -> Option<BigInt> {
    if !float.is_finite() {
        return None;
    }
    let (bits, is_negative) = (float.abs().to_bits(), float < 0.0);
    let exponent = (bits >> 52) as i32 - 1075;
    let mantissa = bits & ((1 << 52) - 1) | 1 << 52;
    let whole = if exponent >= 0 {
        BigInt::from(mantissa) << exponent
    } else if exponent > -64 {
        BigInt::from(mantissa >> -exponent)
    } else {
        BigInt::ZERO
    };
    Some(if is_negative { -whole } else { whole })
}

/// An integer that must fit a type of C; `bignum` says how the message speaks of a large one.
fn fitting<T: TryFrom<BigInt>>(ec: &mut Ec, value: Value, kind: &str) -> Result<T> {
    let (float, number) = (ec.float_of(value), integer(ec, value)?);
    match T::try_from(number) {
        Ok(number) => Ok(number),
        Err(_) => Err(out_of_range(ec, value, float, kind)),
    }
}

fn out_of_range(ec: &mut Ec, _value: Value, float: Option<f64>, kind: &str) -> carat_vm::Unwind {
    match float {
        Some(float) => ec.float_out_of_range(float),
        None => ec.range_error(&format!("bignum too big to convert into '{kind}'")),
    }
}

fn long(ec: &mut Ec, value: Value) -> Result<i64> {
    if let Some(number) = value.as_fixnum() {
        return Ok(number);
    }
    match large_signed(ec, value) {
        Some(number) => Ok(number),
        None => fitting(ec, value, "long"),
    }
}

/// A large Integer that is no larger than a word of C.
fn large_signed(ec: &Ec, value: Value) -> Option<i64> {
    match large(ec, value)? {
        (amount, false) => i64::try_from(amount).ok(),
        (amount, true) => (amount <= 1 << 63).then(|| (amount as i64).wrapping_neg()),
    }
}

/// The amount of a large Integer that has no more than a word of it, and whether it is below zero.
fn large(ec: &Ec, value: Value) -> Option<(u64, bool)> {
    let number = ec.bignum_of(value)?;
    let mut digits = number.iter_u64_digits();
    let amount = digits.next()?;
    (digits.len() == 0).then_some((amount, number.sign() == num_bigint::Sign::Minus))
}

/// As an unsigned word; negative numbers that fit a signed one count as such.
fn unsigned(ec: &mut Ec, value: Value, kind: &str) -> Result<u64> {
    if let Some(number) = value.as_fixnum() {
        return Ok(number as u64);
    }
    match large(ec, value) {
        Some((digits, false)) => return Ok(digits),
        Some((digits, true)) if digits <= 1 << 63 => return Ok(digits.wrapping_neg()),
        _ => {}
    }
    let (float, number) = (ec.float_of(value), integer(ec, value)?);
    if let Ok(number) = u64::try_from(number.clone()) {
        return Ok(number);
    }
    match i64::try_from(number) {
        Ok(number) => Ok(number as u64),
        Err(_) => Err(out_of_range(ec, value, float, kind)),
    }
}

/// A number that must lie between two bounds.
fn bounded(ec: &mut Ec, value: Value, least: i64, greatest: i64, kind: &str) -> Result<i64> {
    let number = long(ec, value)?;
    if (least..=greatest).contains(&number) {
        return Ok(number);
    }
    let size = if number < least { "small" } else { "big" };
    Err(ec.range_error(&format!("integer {number} too {size} to convert to '{kind}'")))
}

/// What both operands are after `coerce`.
fn coerced(ec: &mut Ec, a: Value, b: Value, is_strict: bool) -> Result<Option<(Value, Value)>> {
    let pair = match ec.call_if_responds(b, sym::COERCE, &[a])? {
        Some(pair) => pair,
        None if !is_strict => return Ok(None),
        None => {
            let (shown, class) = (ec.describe_for_type_error(b), ec.class_of(a).real().to_text(ec));
            return Err(ec.type_error(&format!("{shown} can't be coerced into {class}")));
        }
    };
    if pair.is_nil() && !is_strict {
        return Ok(None);
    }
    match carat_vm::Array::from_value(pair).filter(|pair| pair.len(ec) == 2) {
        Some(pair) => Ok(Some((pair.at(ec, 0), pair.at(ec, 1)))),
        None => Err(ec.type_error("coerce must return [x, y]")),
    }
}

fn text_value(ec: &Ec, text: Text) -> Value {
    Str::new(ec, text.bytes(), EncodingIndex::UTF_8, CodeRange::Unknown).value()
}

/// `Integer(text, base)` or `text.to_i(base)`.
fn to_integer(ec: &mut Ec, text: Value, base: c_int, is_strict: bool) -> Result {
    let base = if base < 0 { -base } else { base };
    let base_value = Value::fixnum_unchecked(base.into());
    if is_strict {
        return kernel_call(ec, name!(ec, "Integer"), &[text, base_value]);
    }
    if base != 0 {
        return ec.call(text, sym::TO_I, &[base_value]);
    }
    // A prefix says which base, as far as the digits go.
    let lenient = string(ec, text)?;
    let bytes = lenient.owned_bytes(ec)?;
    let (number, _) = crate::pack::parse(&bytes, 0, true);
    Ok(number.map_or(Value::fixnum_unchecked(0), |number| ec.bigint(number)))
}

fn to_double(ec: &mut Ec, text: Value, is_strict: bool) -> Result<f64> {
    let made = if is_strict { kernel_call(ec, name!(ec, "Float"), &[text])? } else { ec.call(text, sym::TO_F, &[])? };
    Ok(ec.float_of(made).unwrap_or(0.0))
}

fn new_int(ec: &mut Ec, number: i64) -> Value {
    ec.collect_if_due();
    ec.int(number)
}

fn new_uint(ec: &mut Ec, number: u64) -> Value {
    ec.collect_if_due();
    ec.uint(number)
}

fn new_bigint(ec: &mut Ec, number: BigInt) -> Value {
    ec.collect_if_due();
    ec.bigint(number)
}

api! {
    fn rb_num2long(ec, value: Value) -> Result<i64> { long(ec, value) }

    fn rb_num2ulong(ec, value: Value) -> Result<u64> { unsigned(ec, value, "unsigned long") }

    fn rb_num2ll(ec, value: Value) -> Result<i64> {
        if Str::from_value(value).is_some() {
            return Err(ec.type_error("no implicit conversion from string"));
        }
        if let Some(number) = value.as_fixnum().or_else(|| large_signed(ec, value)) {
            return Ok(number);
        }
        fitting(ec, value, "long long")
    }

    fn rb_num2ull(ec, value: Value) -> Result<u64> {
        if Str::from_value(value).is_some() {
            return Err(ec.type_error("no implicit conversion from string"));
        }
        unsigned(ec, value, "unsigned long long")
    }

    fn rb_num2int(ec, value: Value) -> Result<i64> { bounded(ec, value, i32::MIN.into(), i32::MAX.into(), "int") }

    fn rb_fix2int(ec, value: Value) -> Result<i64> { bounded(ec, value, i32::MIN.into(), i32::MAX.into(), "int") }

    fn rb_num2uint(ec, value: Value) -> Result<u64> {
        let number = bounded(ec, value, i32::MIN.into(), u32::MAX.into(), "unsigned int")?;
        Ok(number as u64)
    }

    fn rb_fix2uint(ec, value: Value) -> Result<u64> {
        let number = bounded(ec, value, i32::MIN.into(), u32::MAX.into(), "unsigned int")?;
        Ok(number as u64)
    }

    fn rb_num2short(ec, value: Value) -> Result<i16> {
        Ok(bounded(ec, value, i16::MIN.into(), i16::MAX.into(), "short")? as i16)
    }

    fn rb_fix2short(ec, value: Value) -> Result<i16> {
        Ok(bounded(ec, value, i16::MIN.into(), i16::MAX.into(), "short")? as i16)
    }

    fn rb_num2ushort(ec, value: Value) -> Result<u16> {
        Ok(bounded(ec, value, i16::MIN.into(), u16::MAX.into(), "unsigned short")? as u16)
    }

    fn rb_long2int(ec, number: i64) -> Result<c_int> {
        match c_int::try_from(number) {
            Ok(number) => Ok(number),
            Err(_) => {
                let size = if number < 0 { "small" } else { "big" };
                Err(ec.range_error(&format!("integer {number} too {size} to convert to 'int'")))
            }
        }
    }

    fn rb_num2fix(ec, value: Value) -> Result {
        let number = long(ec, value)?;
        match Value::fixnum(number) {
            Some(value) => Ok(value),
            None => Err(ec.range_error(&format!("integer {number} out of range of fixnum"))),
        }
    }

    fn rb_num2dbl(ec, value: Value) -> Result<f64> {
        if let Some(number) = ec.float_of(value) {
            return Ok(number);
        }
        let is_special = !value.is_heap() && !value.is_fixnum();
        if is_special || Str::from_value(value).is_some() {
            return Err(ec.no_implicit_conversion(value, "Float"));
        }
        let is_number = !value.is_heap() || ec.is_a(value, ec.vm().known().numeric);
        if !is_number && let Some(made) = ec.call_if_responds(value, sym::TO_F, &[])? {
            return ec.to_float(made);
        }
        ec.to_float(value)
    }

    fn rb_int2big(ec, number: i64) -> Value { new_int(ec, number) }

    fn rb_uint2big(ec, number: u64) -> Value { new_uint(ec, number) }

    fn rb_int2inum(ec, number: i64) -> Value { new_int(ec, number) }

    fn rb_uint2inum(ec, number: u64) -> Value { new_uint(ec, number) }

    fn rb_ll2inum(ec, number: i64) -> Value { new_int(ec, number) }

    fn rb_ull2inum(ec, number: u64) -> Value { new_uint(ec, number) }

    fn rb_float_new(ec, number: f64) -> Value {
        if let Some(made) = Value::flonum(number) {
            return made;
        }
        ec.collect_if_due();
        ec.float(number)
    }

    fn rb_float_value(ec, value: Value) -> f64 { ec.float_of(value).unwrap_or(0.0) }

    fn rb_fix2str(ec, value: Value, base: c_int) -> Result {
        ec.call(value, sym::TO_S, &[Value::fixnum_unchecked(base.into())])
    }

    fn rb_big2str(ec, value: Value, base: c_int) -> Result {
        ec.call(value, sym::TO_S, &[Value::fixnum_unchecked(base.into())])
    }

    fn rb_num_coerce_bin(ec, a: Value, b: Value, operator: Id) -> Result {
        let pair = coerced(ec, a, b, true)?;
        let (a, b) = pair.unwrap_or((a, b));
        ec.call(a, operator.0, &[b])
    }

    fn rb_num_coerce_bit(ec, a: Value, b: Value, operator: Id) -> Result {
        let pair = coerced(ec, a, b, true)?;
        let (a, b) = pair.unwrap_or((a, b));
        ec.call(a, operator.0, &[b])
    }

    fn rb_num_coerce_cmp(ec, a: Value, b: Value, operator: Id) -> Result {
        match coerced(ec, a, b, false)? {
            Some((a, b)) => ec.call(a, operator.0, &[b]),
            None => Ok(Value::NIL),
        }
    }

    fn rb_num_coerce_relop(ec, a: Value, b: Value, operator: Id) -> Result {
        let result = match coerced(ec, a, b, false)? {
            Some((x, y)) => ec.call(x, operator.0, &[y])?,
            None => Value::NIL,
        };
        if result.is_nil() { Err(ec.comparison_failed(a, b)) } else { Ok(result) }
    }

    fn rb_int_positive_pow(ec, base: i64, exponent: u64) -> Value {
        new_bigint(ec, BigInt::from(base).pow(exponent as u32))
    }

    fn rb_dbl_cmp(_ec, a: f64, b: f64) -> Value {
        a.partial_cmp(&b).map_or(Value::NIL, |order| Value::fixnum_unchecked(order as i64))
    }

    fn rb_dbl2big(ec, number: f64) -> Result {
        let whole = float_integer(ec, number)?;
        Ok(new_bigint(ec, whole))
    }

    fn rb_big2dbl(ec, value: Value) -> Result<f64> {
        let made = ec.call(value, sym::TO_F, &[])?;
        let float = ec.float_of(made).unwrap_or(0.0);
        if float.is_infinite() {
            ec.warn_verbose("out of Float range")?;
        }
        Ok(float)
    }

    fn rb_big2long(ec, value: Value) -> Result<i64> { long(ec, value) }

    fn rb_big2ulong(ec, value: Value) -> Result<u64> { unsigned(ec, value, "unsigned long") }

    fn rb_big2ll(ec, value: Value) -> Result<i64> { fitting(ec, value, "long long") }

    fn rb_big2ull(ec, value: Value) -> Result<u64> { unsigned(ec, value, "unsigned long long") }

    fn rb_big_norm(_ec, value: Value) -> Value { value }

    fn rb_big_sign(ec, value: Value) -> bool {
        ec.to_bigint(value).is_some_and(|number| number.sign() != num_bigint::Sign::Minus)
    }

    fn rb_cstr_to_inum(ec, text: Text, base: c_int, is_strict: c_int) -> Result {
        let text = text_value(ec, text);
        to_integer(ec, text, base, is_strict != 0)
    }

    fn rb_cstr2inum(ec, text: Text, base: c_int) -> Result {
        let text = text_value(ec, text);
        to_integer(ec, text, base, base == 0 || base == 2)
    }

    fn rb_str_to_inum(ec, text: Value, base: c_int, is_strict: c_int) -> Result {
        to_integer(ec, text, base, is_strict != 0)
    }

    fn rb_str2inum(ec, text: Value, base: c_int) -> Result {
        to_integer(ec, text, base, base == 0 || base == 2)
    }

    fn rb_cstr_to_dbl(ec, text: Text, is_strict: c_int) -> Result<f64> {
        let text = text_value(ec, text);
        to_double(ec, text, is_strict != 0)
    }

    fn rb_str_to_dbl(ec, text: Value, is_strict: c_int) -> Result<f64> {
        to_double(ec, text, is_strict != 0)
    }

    fn rb_int_parse_cstr(
        ec, text: *const u8, len: i64, end: *mut *const u8, digits: *mut usize, base: c_int, _flags: c_int,
    ) -> Value {
        let bytes = if len < 0 { crate::boundary::bytes_of_text(text) } else { bytes_at(text, len) };
        let (number, taken) = crate::pack::parse(bytes, base as u32, true);
        store(end, text.wrapping_add(taken));
        store(digits, taken);
        number.map_or(Value::NIL, |number| new_bigint(ec, number))
    }

    // ---- rational and complex ----

    fn rb_Rational(ec, numerator: Value, denominator: Value) -> Result {
        kernel_call(ec, name!(ec, "Rational"), &[numerator, denominator])
    }

    fn rb_rational_new(ec, numerator: Value, denominator: Value) -> Result {
        kernel_call(ec, name!(ec, "Rational"), &[numerator, denominator])
    }

    fn rb_rational_raw(ec, numerator: Value, denominator: Value) -> Result {
        kernel_call(ec, name!(ec, "Rational"), &[numerator, denominator])
    }

    fn rb_Complex(ec, real: Value, imaginary: Value) -> Result {
        kernel_call(ec, name!(ec, "Complex"), &[real, imaginary])
    }

    fn rb_complex_new(ec, real: Value, imaginary: Value) -> Result {
        let class = ec.vm().known().complex.value();
        ec.call(class, name!(ec, "rectangular"), &[real, imaginary])
    }

    fn rb_complex_raw(ec, real: Value, imaginary: Value) -> Result {
        let class = ec.vm().known().complex.value();
        ec.call(class, name!(ec, "rectangular"), &[real, imaginary])
    }

    fn rb_dbl_complex_new(ec, real: f64, imaginary: f64) -> Result {
        let (class, real, imaginary) = (ec.vm().known().complex.value(), ec.float(real), ec.float(imaginary));
        ec.call(class, name!(ec, "rectangular"), &[real, imaginary])
    }

    fn rb_complex_new_polar(ec, absolute: Value, angle: Value) -> Result {
        let class = ec.vm().known().complex.value();
        ec.call(class, name!(ec, "polar"), &[absolute, angle])
    }

    // ---- random ----

    fn rb_random_real(ec, random: Value) -> Result<f64> {
        let made = ec.call(random, name!(ec, "rand"), &[])?;
        Ok(ec.float_of(made).unwrap_or(0.0))
    }

    fn rb_genrand_real(ec) -> Result<f64> {
        let made = kernel_call(ec, name!(ec, "rand"), &[])?;
        Ok(ec.float_of(made).unwrap_or(0.0))
    }

    fn rb_genrand_int32(ec) -> Result<u32> {
        let made = kernel_call(ec, name!(ec, "rand"), &[Value::fixnum_unchecked(1 << 32)])?;
        Ok(made.as_fixnum().unwrap_or(0) as u32)
    }

    fn rb_random_int32(ec, random: Value) -> Result<u32> {
        let made = ec.call(random, name!(ec, "rand"), &[Value::fixnum_unchecked(1 << 32)])?;
        Ok(made.as_fixnum().unwrap_or(0) as u32)
    }

    fn rb_random_bytes(ec, random: Value, count: i64) -> Result {
        ec.call(random, name!(ec, "bytes"), &[Value::fixnum_unchecked(count)])
    }

    fn rb_genrand_ulong_limited(ec, limit: u64) -> Result<u64> {
        let limit = ec.uint(limit.saturating_add(1));
        let made = kernel_call(ec, name!(ec, "rand"), &[limit])?;
        unsigned(ec, made, "unsigned long")
    }

    fn rb_random_ulong_limited(ec, random: Value, limit: u64) -> Result<u64> {
        let limit = ec.uint(limit.saturating_add(1));
        let made = ec.call(random, name!(ec, "rand"), &[limit])?;
        unsigned(ec, made, "unsigned long")
    }

    fn rb_random_real_value(ec, random: Value) -> Result {
        ec.call(random, name!(ec, "rand"), &[])
    }

    fn rb_reset_random_seed(ec) -> Result<()> {
        let random = constant(ec, "Random")?;
        ec.call(random, name!(ec, "srand"), &[]).map(drop)
    }
}

calls! {
    rb_big_cmp(a, b) => "<=>";
    rb_big_eq(a, b) => "==";
    rb_big_eql(a, b) => "eql?";
    rb_big_plus(a, b) => "+";
    rb_big_minus(a, b) => "-";
    rb_big_mul(a, b) => "*";
    rb_big_div(a, b) => "/";
    rb_big_idiv(a, b) => "div";
    rb_big_modulo(a, b) => "%";
    rb_big_divmod(a, b) => "divmod";
    rb_big_pow(a, b) => "**";
    rb_big_and(a, b) => "&";
    rb_big_or(a, b) => "|";
    rb_big_xor(a, b) => "^";
    rb_big_lshift(a, b) => "<<";
    rb_big_rshift(a, b) => ">>";
    rb_big_hash(a) => "hash";
    rb_rational_num(rational) => "numerator";
    rb_rational_den(rational) => "denominator";
    rb_flt_rationalize(float) => "rationalize";
    rb_flt_rationalize_with_prec(float, precision) => "rationalize";
    rb_complex_real(complex) => "real";
    rb_complex_imag(complex) => "imaginary";
    rb_complex_plus(a, b) => "+";
    rb_complex_minus(a, b) => "-";
    rb_complex_mul(a, b) => "*";
    rb_complex_div(a, b) => "/";
    rb_complex_pow(a, b) => "**";
    rb_complex_uminus(complex) => "-@";
    rb_complex_conjugate(complex) => "conjugate";
    rb_complex_abs(complex) => "abs";
    rb_complex_arg(complex) => "arg";
}
