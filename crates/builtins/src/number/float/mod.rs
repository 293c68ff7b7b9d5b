//! `Float`.
//!
//! # Code map
//! `arithmetic`: operators and comparisons. `division`: floored division. `rounding`: to digits. `convert`: text, ratios,
//! `Kernel#Float`. `steps`: going from one Float to another.

mod arithmetic;
pub(crate) mod convert;
pub(crate) mod division;
pub(crate) mod rounding;
mod steps;

use crate::number::integer::compare;
use carat_text::number::round::Rounding;
use carat_vm::leaf::{Leaf, LeafOf, LeafRow};
use carat_vm::{Ec, Value, methods, primitives};

methods! {
    METHODS {
        "+" => arithmetic::plus;
        "-" => arithmetic::minus;
        "*" => arithmetic::multiply;
        "/" => arithmetic::divide;
        "%" => arithmetic::modulo;
        "modulo" => arithmetic::modulo;
        "divmod" => arithmetic::divmod;
        "**" => arithmetic::power;
        "quo" => arithmetic::quo;
        "fdiv" => arithmetic::quo;
        "-@" => arithmetic::negate;
        "abs" => arithmetic::abs;
        alias "magnitude" of "abs" => arithmetic::abs;
        "arg" => arithmetic::arg;
        "angle" => arithmetic::arg;
        "phase" => arithmetic::arg;
        "<=>" => arithmetic::order;
        "eql?" => arithmetic::eql;
        "==" => compare::equal;
        "===" => compare::equal;
        "<" => compare::less;
        "<=" => compare::less_or_equal;
        ">" => compare::greater;
        ">=" => compare::greater_or_equal;
        "hash" => convert::hash;
        "to_s" => convert::to_s;
        alias "inspect" of "to_s" => convert::to_s;
        "to_i" => convert::to_i;
        "to_int" => convert::to_i;
        "to_f" => itself;
        "to_r" => convert::to_r;
        "numerator" => convert::numerator;
        "denominator" => convert::denominator;
        "coerce" => convert::coerce;
        "round" => rounding::round;
        "floor" => rounding::floor;
        "ceil" => rounding::ceil;
        "truncate" => rounding::truncate;
        "nan?" => is_nan;
        "infinite?" => infinite;
        "finite?" => is_finite;
        "zero?" => is_zero;
        "positive?" => is_positive;
        "negative?" => is_negative;
        "next_float" => next_float;
        "prev_float" => prev_float;
    }
    KERNEL {
        module_function "Float" => convert::kernel_float;
    }
}

primitives! {
    PRIMITIVES {
        "rounding_mode" => rounding::mode_symbol;
        "float_rationalize" => convert::rationalize;
        "float_negative?" => is_sign_negative;
        "float_middle" => steps::middle;
        "float_neighbour" => steps::neighbour;
        "float_step_size" => steps::size;
    }
}

/// A number with so many digits behind the point, one at least.
macro_rules! to_digits {
    ($name:literal, $mode:ident) => {
        (
            LeafOf::Method(METHODS, $name),
            Leaf::new(|ec: &mut Ec, number: Value, digits: i64| {
                let digits = i32::try_from(digits).ok().filter(|digits| *digits > 0)?;
                rounding::with_digits(ec, number, digits, Rounding::$mode)
            }),
        )
    };
}

pub(crate) static LEAVES: &[LeafRow] = &[
    (LeafOf::Method(METHODS, "to_i"), Leaf::new(to_fixnum)),
    (LeafOf::Method(METHODS, "to_int"), Leaf::new(to_fixnum)),
    (LeafOf::Method(METHODS, "to_f"), Leaf::total(|_: &mut Ec, number: Value| Some(number))),
    (LeafOf::Method(METHODS, "abs"), Leaf::new(|ec: &mut Ec, number: Value| Value::flonum(ec.float_of(number)?.abs()))),
    (LeafOf::Method(METHODS, "nan?"), Leaf::of(is_nan)),
    (LeafOf::Method(METHODS, "infinite?"), Leaf::of(infinite)),
    (LeafOf::Method(METHODS, "finite?"), Leaf::of(is_finite)),
    (LeafOf::Method(METHODS, "zero?"), Leaf::of(is_zero)),
    (LeafOf::Method(METHODS, "positive?"), Leaf::of(is_positive)),
    (LeafOf::Method(METHODS, "negative?"), Leaf::of(is_negative)),
    (LeafOf::Method(METHODS, "eql?"), Leaf::of(arithmetic::eql)),
    (LeafOf::Method(METHODS, "hash"), Leaf::of(convert::hash)),
    (LeafOf::Method(METHODS, "next_float"), Leaf::of(next_float)),
    (LeafOf::Method(METHODS, "prev_float"), Leaf::of(prev_float)),
    (LeafOf::Method(METHODS, "<=>"), Leaf::new(arithmetic::order_at_once)),
    (LeafOf::Method(METHODS, "%"), Leaf::new(arithmetic::modulo_at_once)),
    (LeafOf::Method(METHODS, "modulo"), Leaf::new(arithmetic::modulo_at_once)),
    (LeafOf::Method(METHODS, "**"), Leaf::new(arithmetic::power_at_once)),
    (LeafOf::Method(METHODS, "floor"), Leaf::new(|ec: &mut Ec, number: Value| whole(ec, number, Rounding::Floor))),
    (LeafOf::Method(METHODS, "ceil"), Leaf::new(|ec: &mut Ec, number: Value| whole(ec, number, Rounding::Ceil))),
    (LeafOf::Method(METHODS, "round"), Leaf::new(|ec: &mut Ec, number: Value| whole(ec, number, Rounding::HalfUp))),
    (
        LeafOf::Method(METHODS, "truncate"),
        Leaf::new(|ec: &mut Ec, number: Value| whole(ec, number, Rounding::Truncate)),
    ),
    to_digits!("floor", Floor),
    to_digits!("ceil", Ceil),
    to_digits!("round", HalfUp),
    to_digits!("truncate", Truncate),
];

fn whole(ec: &mut Ec, number: Value, mode: Rounding) -> Option<Value> {
    rounding::whole_number(ec.float_of(number)?, mode).map(|whole| ec.int(whole))
}

/// A number that a fixnum holds when it is cut off.
fn to_fixnum(ec: &mut Ec, number: Value) -> Option<Value> {
    let number = ec.float_of(number)?;
    (number.abs() < (1_u64 << 61) as f64).then(|| Value::fixnum_unchecked(number as i64))
}

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    known.float.define_methods(ec, METHODS);
    known.kernel.define_methods(ec, KERNEL);
    crate::number::integer::undefine_new(ec, known.float);
    define_constants(ec);
}

fn define_constants(ec: &mut Ec) {
    let integers = [
        ("RADIX", i64::from(f64::RADIX)),
        ("MANT_DIG", i64::from(f64::MANTISSA_DIGITS)),
        ("DIG", i64::from(f64::DIGITS)),
        ("MIN_EXP", i64::from(f64::MIN_EXP)),
        ("MAX_EXP", i64::from(f64::MAX_EXP)),
        ("MIN_10_EXP", i64::from(f64::MIN_10_EXP)),
        ("MAX_10_EXP", i64::from(f64::MAX_10_EXP)),
    ];
    let floats = [
        ("MIN", f64::MIN_POSITIVE),
        ("MAX", f64::MAX),
        ("EPSILON", f64::EPSILON),
        ("INFINITY", f64::INFINITY),
        ("NAN", f64::NAN),
    ];
    let class = ec.vm().known().float;
    for (name, value) in integers {
        class.set_constant(ec, ec.vm().intern(name), ec.int(value));
    }
    for (name, value) in floats {
        class.set_constant(ec, ec.vm().intern(name), ec.float(value));
    }
}

/// The double of a receiver.
#[inline]
fn double(ec: &Ec, this: Value) -> f64 {
    ec.float_of(this).unwrap_or(f64::NAN)
}

fn itself(_ec: &mut Ec, this: Value) -> Value {
    this
}

fn is_nan(ec: &mut Ec, this: Value) -> bool {
    double(ec, this).is_nan()
}

fn infinite(ec: &mut Ec, this: Value) -> Option<i64> {
    let f = double(ec, this);
    f.is_infinite().then_some(if f > 0.0 { 1 } else { -1 })
}

fn is_finite(ec: &mut Ec, this: Value) -> bool {
    double(ec, this).is_finite()
}

fn is_zero(ec: &mut Ec, this: Value) -> bool {
    double(ec, this) == 0.0
}

fn is_positive(ec: &mut Ec, this: Value) -> bool {
    double(ec, this) > 0.0
}

fn is_negative(ec: &mut Ec, this: Value) -> bool {
    double(ec, this) < 0.0
}

/// `Primitive.float_negative?`: the sign bit.
fn is_sign_negative(ec: &mut Ec, this: Value) -> bool {
    double(ec, this).is_sign_negative()
}

fn next_float(ec: &mut Ec, this: Value) -> f64 {
    double(ec, this).next_up()
}

fn prev_float(ec: &mut Ec, this: Value) -> f64 {
    double(ec, this).next_down()
}
