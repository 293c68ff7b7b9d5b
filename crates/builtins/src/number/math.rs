//! `Math`.
//!
//! The elementary functions are the platform's; those the standard library lacks come from `libm`.

use crate::number::integer::operand::{Operand, to_c_int};
use carat_vm::leaf::{Leaf, LeafOf, LeafRow};
use carat_vm::{Array, Ec, HeapType, Result, Unwind, Value, methods, primitives, sym};
use num_bigint::BigInt;
use std::f64::consts::{LN_2, LOG10_2};

methods! {
    METHODS {
        module_function "sin" => sin;
        module_function "cos" => cos;
        module_function "tan" => tan;
        module_function "asin" => asin;
        module_function "acos" => acos;
        module_function "atan" => atan;
        module_function "atan2" => atan2;
        module_function "sinh" => sinh;
        module_function "cosh" => cosh;
        module_function "tanh" => tanh;
        module_function "asinh" => asinh;
        module_function "acosh" => acosh;
        module_function "atanh" => atanh;
        module_function "exp" => exp;
        module_function "expm1" => expm1;
        module_function "log" => log;
        module_function "log1p" => log1p;
        module_function "log2" => log2;
        module_function "log10" => log10;
        module_function "sqrt" => sqrt;
        module_function "cbrt" => cbrt;
        module_function "hypot" => hypot;
        module_function "frexp" => frexp;
        module_function "ldexp" => ldexp;
        module_function "erf" => erf;
        module_function "erfc" => erfc;
        module_function "gamma" => gamma;
        module_function "lgamma" => lgamma;
    }
}

/// Of a Float where the function is defined.
pub(crate) static LEAVES: &[LeafRow] = &[
    (LeafOf::Method(METHODS, "sin"), Leaf::new(|ec: &mut Ec, _: Value, x: f64| Some(ec.float(x.sin())))),
    (LeafOf::Method(METHODS, "cos"), Leaf::new(|ec: &mut Ec, _: Value, x: f64| Some(ec.float(x.cos())))),
    (LeafOf::Method(METHODS, "tan"), Leaf::new(|ec: &mut Ec, _: Value, x: f64| Some(ec.float(x.tan())))),
    (LeafOf::Method(METHODS, "atan"), Leaf::new(|ec: &mut Ec, _: Value, x: f64| Some(ec.float(x.atan())))),
    (LeafOf::Method(METHODS, "exp"), Leaf::new(|ec: &mut Ec, _: Value, x: f64| Some(ec.float(x.exp())))),
    (LeafOf::Method(METHODS, "hypot"), Leaf::new(|ec: &mut Ec, _: Value, x: f64, y: f64| Some(ec.float(x.hypot(y))))),
    (LeafOf::Method(METHODS, "sqrt"), Leaf::new(|ec: &mut Ec, _: Value, x: f64| defined(ec, x, x.sqrt()))),
    (LeafOf::Method(METHODS, "log"), Leaf::new(|ec: &mut Ec, _: Value, x: f64| defined(ec, x, x.ln()))),
    (LeafOf::Method(METHODS, "log2"), Leaf::new(|ec: &mut Ec, _: Value, x: f64| defined(ec, x, x.log2()))),
    (LeafOf::Method(METHODS, "log10"), Leaf::new(|ec: &mut Ec, _: Value, x: f64| defined(ec, x, x.log10()))),
];

/// What a function of positive numbers gives.
fn defined(ec: &mut Ec, x: f64, result: f64) -> Option<Value> {
    (x > 0.0).then(|| ec.float(result))
}

primitives! {
    PRIMITIVES {}
}

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    known.math.define_methods(ec, METHODS);
    known.math.set_constant(ec, ec.vm().intern("PI"), ec.float(std::f64::consts::PI));
    known.math.set_constant(ec, ec.vm().intern("E"), ec.float(std::f64::consts::E));
    let domain_error = ec.new_class(known.standard_error);
    known.math.set_constant(ec, ec.vm().intern("DomainError"), domain_error.value());
}

/// `Math::DomainError` of a function.
pub(crate) fn domain_error(ec: &mut Ec, function: &str) -> Unwind {
    let name = ec.vm().intern("DomainError");
    let constant = ec.vm().known().math.own_constant(name).map(|c| c.value);
    let class = constant.and_then(carat_vm::Class::from_value).unwrap_or(ec.vm().known().standard_error);
    ec.error(class, &format!("Numerical argument is out of domain - {function}"))
}

/// An argument: any real number, no text.
fn double(ec: &mut Ec, value: Value) -> Result<f64> {
    match Operand::of(ec, value) {
        Operand::Other => {}
        Operand::Float(x) => return Ok(x),
        _ if !ec.has_core_operator(sym::TO_F) => return integer_to_float(ec, value),
        number => return Ok(number.to_f64()),
    }
    if ec.is_a(value, ec.vm().known().numeric) {
        return ec.to_float(value);
    }
    let class = ec.describe_for_type_error(value);
    Err(ec.type_error(&format!("can't convert {class} into Float")))
}

/// What `Integer#to_f` says, which somebody may have redefined.
#[cold]
fn integer_to_float(ec: &mut Ec, value: Value) -> Result<f64> {
    let result = ec.call(value, sym::TO_F, &[])?;
    if let Some(x) = ec.float_of(result) {
        return Ok(x);
    }
    let class = ec.describe_for_type_error(result);
    Err(ec.type_error(&format!("can't convert Integer to Float (Integer#to_f gives {class})")))
}

/// Functions that are defined for every number.
macro_rules! total {
    ($($name:ident $of:expr;)+) => {$(
        fn $name(ec: &mut Ec, _this: Value, x: Value) -> Result<f64> {
            let of: fn(f64) -> f64 = $of;
            Ok(of(double(ec, x)?))
        }
    )+};
}

total! {
    sin f64::sin;
    cos f64::cos;
    tan f64::tan;
    atan f64::atan;
    sinh f64::sinh;
    cosh f64::cosh;
    tanh f64::tanh;
    asinh libm::asinh;
    exp f64::exp;
    expm1 f64::exp_m1;
    cbrt libm::cbrt;
    erf libm::erf;
    erfc libm::erfc;
}

/// Functions that are defined for a part of the numbers; NaN passes.
macro_rules! partial {
    ($($name:ident $domain:expr, $of:expr;)+) => {$(
        fn $name(ec: &mut Ec, _this: Value, x: Value) -> Result<f64> {
            let (is_inside, of): (fn(f64) -> bool, fn(f64) -> f64) = ($domain, $of);
            let x = double(ec, x)?;
            if is_inside(x) || x.is_nan() { Ok(of(x)) } else { Err(domain_error(ec, stringify!($name))) }
        }
    )+};
}

partial! {
    asin |x| x.abs() <= 1.0, f64::asin;
    acos |x| x.abs() <= 1.0, f64::acos;
    acosh |x| x >= 1.0, libm::acosh;
    atanh |x| x.abs() <= 1.0, libm::atanh;
    log1p |x| x >= -1.0, f64::ln_1p;
    gamma is_in_gamma_domain, gamma_of;
}

fn is_in_gamma_domain(x: f64) -> bool {
    x >= 0.0 || (x.is_finite() && x != x.floor())
}

/// Factorials are exact as long as doubles hold them.
fn gamma_of(x: f64) -> f64 {
    if x == 0.0 {
        return f64::INFINITY.copysign(x);
    }
    if x == x.floor() && (1.0..=23.0).contains(&x) {
        return (2..x as u64).map(|i| i as f64).product();
    }
    libm::tgamma(x)
}

fn lgamma(ec: &mut Ec, _this: Value, x: Value) -> Result {
    let x = double(ec, x)?;
    if x == f64::NEG_INFINITY {
        return Err(domain_error(ec, "lgamma"));
    }
    let (value, sign) = if x == 0.0 {
        (f64::INFINITY, 1_i32.wrapping_sub(2 * i32::from(x.is_sign_negative())))
    } else {
        libm::lgamma_r(x)
    };
    // At the poles, where the sign changes, it counts as positive.
    let sign = if sign < 0 { -1 } else { 1 };
    Ok(Array::pair(ec, ec.float(value), ec.int(sign)).value())
}

fn atan2(ec: &mut Ec, _this: Value, y: Value, x: Value) -> Result<f64> {
    let y = double(ec, y)?;
    let x = double(ec, x)?;
    Ok(y.atan2(x))
}

fn hypot(ec: &mut Ec, _this: Value, x: Value, y: Value) -> Result<f64> {
    let x = double(ec, x)?;
    let y = double(ec, y)?;
    Ok(x.hypot(y))
}

fn sqrt(ec: &mut Ec, _this: Value, x: Value) -> Result {
    if x.is_type(HeapType::Complex) {
        let half = ec.new_rational(Value::fixnum_unchecked(1), Value::fixnum_unchecked(2));
        return ec.call(x, sym::POW, &[half]);
    }
    let x = double(ec, x)?;
    if x < 0.0 {
        return Err(domain_error(ec, "sqrt"));
    }
    // The root of -0.0 is 0.0.
    Ok(ec.float(x.sqrt().abs()))
}

fn frexp(ec: &mut Ec, _this: Value, x: Value) -> Result {
    let x = double(ec, x)?;
    let (fraction, exponent) = if x.is_finite() { libm::frexp(x) } else { (x, 0) };
    Ok(Array::pair(ec, ec.float(fraction), ec.int(exponent.into())).value())
}

fn ldexp(ec: &mut Ec, _this: Value, fraction: Value, exponent: Value) -> Result<f64> {
    let fraction = double(ec, fraction)?;
    let exponent = to_c_int(ec, exponent)?;
    Ok(carat_text::number::parse_float::scale(fraction, exponent))
}

/// A number as `fraction * 2**bits`, so that logarithms of big numbers work; negative ones are out of the domain.
fn split(ec: &mut Ec, x: Value, function: &str) -> Result<(f64, f64)> {
    let (fraction, bits) = match ec.bignum_of(x) {
        Some(b) if b.bits() >= 1024 => shifted(b),
        _ => (double(ec, x)?, 0.0),
    };
    if fraction < 0.0 { Err(domain_error(ec, function)) } else { Ok((fraction, bits)) }
}

/// A bignum out of the range of doubles as one in range and a power of two; it is cut to the bits of a double.
fn shifted(b: &BigInt) -> (f64, f64) {
    let bits = b.bits() - u64::from(f64::MANTISSA_DIGITS);
    (crate::number::integer::operand::big_to_f64(&(b >> bits)), bits as f64)
}

fn log(ec: &mut Ec, _this: Value, x: Value, base: Option<Value>) -> Result<f64> {
    let (x, bits) = split(ec, x, "log")?;
    let Some(base) = base else { return Ok(natural(x, bits)) };
    let (base, base_bits) = split(ec, base, "log")?;
    if x == 0.0 {
        return Ok(if base == 0.0 { f64::NAN } else { f64::NEG_INFINITY });
    }
    if base == 0.0 {
        return Ok(-0.0);
    }
    Ok(natural(x, bits) / natural(base, base_bits))
}

fn natural(fraction: f64, bits: f64) -> f64 {
    if bits == 0.0 { fraction.ln() } else { fraction.ln() + bits * LN_2 }
}

fn log2(ec: &mut Ec, _this: Value, x: Value) -> Result<f64> {
    let (fraction, bits) = split(ec, x, "log2")?;
    Ok(fraction.log2() + bits)
}

fn log10(ec: &mut Ec, _this: Value, x: Value) -> Result<f64> {
    let (fraction, bits) = split(ec, x, "log10")?;
    Ok(if bits == 0.0 { fraction.log10() } else { fraction.log10() + bits * LOG10_2 })
}
