//! `Integer`, of any size: everything but the loops, which are in `core/integer.rb`.
//!
//! # Code map
//! `operand`: both sides of an operator, and coercion. `arithmetic`, `power`, `compare`, `bits`, `theory`: the operators.
//! `convert`: text, characters, rounding. `large`: what takes so long that it can be interrupted.

mod arithmetic;
mod bits;
pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod large;
pub(crate) mod operand;
pub(crate) mod power;
mod theory;

pub(crate) use arithmetic::ratio_to_f64;

use carat_text::number::round::Rounding;
use carat_vm::leaf::{Leaf, LeafOf, LeafRow};
use carat_vm::{Ec, Value, methods, primitives};

methods! {
    METHODS {
        "+" => arithmetic::plus;
        "-" => arithmetic::minus;
        "*" => arithmetic::multiply;
        "/" => arithmetic::divide;
        "div" => arithmetic::div;
        "%" => arithmetic::modulo;
        "modulo" => arithmetic::modulo;
        "divmod" => arithmetic::divmod;
        "fdiv" => arithmetic::fdiv;
        "-@" => arithmetic::negate;
        "abs" => arithmetic::abs;
        alias "magnitude" of "abs" => arithmetic::abs;
        "succ" => arithmetic::succ;
        "next" => arithmetic::succ;
        "pred" => arithmetic::pred;
        "**" => power::power;
        "pow" => power::pow;
        "==" => compare::equal;
        "===" => compare::equal;
        "<=>" => compare::order;
        "<" => compare::less;
        "<=" => compare::less_or_equal;
        ">" => compare::greater;
        ">=" => compare::greater_or_equal;
        "eql?" => compare::eql;
        "&" => bits::and;
        "|" => bits::or;
        "^" => bits::xor;
        "~" => bits::not;
        "<<" => bits::shift_left;
        ">>" => bits::shift_right;
        "[]" => bits::at;
        "bit_length" => bits::bit_length;
        "even?" => bits::is_even;
        "odd?" => bits::is_odd;
        "zero?" => bits::is_zero;
        "gcd" => theory::gcd;
        "lcm" => theory::lcm;
        static "sqrt" => theory::sqrt;
        static "try_convert" => convert::try_convert;
        "to_s" => convert::to_s;
        alias "inspect" of "to_s" => convert::to_s;
        "chr" => convert::chr;
        "to_f" => convert::to_f;
        "size" => convert::size;
        "coerce" => convert::coerce;
        "round" => convert::round;
        "floor" => convert::floor;
        "ceil" => convert::ceil;
        "truncate" => convert::truncate;
        "integer?" => yes;
        "to_i" => itself;
        "to_int" => itself;
        "ord" => itself;
    }
    KERNEL {
        module_function "Integer" => convert::kernel_integer;
    }
}

primitives! {
    PRIMITIVES {
        "integer_digits" => convert::digits;
        "integer_large_digits" => convert::large_digits;
        "integer_remainder" => arithmetic::remainder;
    }
}

pub(crate) static LEAVES: &[LeafRow] = &[
    (LeafOf::Method(METHODS, "even?"), Leaf::new(|_: &mut Ec, number: i64| Some(Value::bool(number & 1 == 0)))),
    (LeafOf::Method(METHODS, "odd?"), Leaf::new(|_: &mut Ec, number: i64| Some(Value::bool(number & 1 == 1)))),
    (LeafOf::Method(METHODS, "zero?"), Leaf::new(|_: &mut Ec, number: i64| Some(Value::bool(number == 0)))),
    (LeafOf::Method(METHODS, "abs"), Leaf::new(|ec: &mut Ec, number: i64| Some(ec.int(number.abs())))),
    (LeafOf::Method(METHODS, "pred"), Leaf::new(|ec: &mut Ec, number: i64| Some(ec.int(number - 1)))),
    (LeafOf::Method(METHODS, "to_f"), Leaf::new(|_: &mut Ec, number: i64| Value::flonum(number as f64))),
    (LeafOf::Method(METHODS, "to_i"), Leaf::total(|_: &mut Ec, number: Value| Some(number))),
    (LeafOf::Method(METHODS, "to_int"), Leaf::total(|_: &mut Ec, number: Value| Some(number))),
    (LeafOf::Method(METHODS, "ord"), Leaf::total(|_: &mut Ec, number: Value| Some(number))),
    (LeafOf::Method(METHODS, "size"), Leaf::new(|ec: &mut Ec, _: i64| Some(ec.int(8)))),
    (LeafOf::Method(METHODS, "bit_length"), Leaf::of(bits::bit_length)),
    (LeafOf::Method(METHODS, "succ"), Leaf::new(|ec: &mut Ec, number: i64| Some(ec.int(number + 1)))),
    (LeafOf::Method(METHODS, "integer?"), Leaf::of(yes)),
    (LeafOf::Method(METHODS, "fdiv"), Leaf::new(arithmetic::fdiv_at_once)),
    (
        LeafOf::Method(METHODS, "sqrt"),
        Leaf::new(|ec: &mut Ec, _: Value, number: i64| number.checked_isqrt().map(|root| ec.int(root))),
    ),
    (
        LeafOf::Method(METHODS, "floor"),
        Leaf::new(|ec: &mut Ec, number: i64, digits: i64| rounded(ec, number, digits, Rounding::Floor)),
    ),
    (
        LeafOf::Method(METHODS, "ceil"),
        Leaf::new(|ec: &mut Ec, number: i64, digits: i64| rounded(ec, number, digits, Rounding::Ceil)),
    ),
    (
        LeafOf::Method(METHODS, "truncate"),
        Leaf::new(|ec: &mut Ec, number: i64, digits: i64| rounded(ec, number, digits, Rounding::Truncate)),
    ),
    (
        LeafOf::Method(METHODS, "round"),
        Leaf::new(|ec: &mut Ec, number: i64, digits: i64| rounded(ec, number, digits, Rounding::HalfUp)),
    ),
    (LeafOf::Method(METHODS, "~"), Leaf::new(|ec: &mut Ec, number: i64| Some(ec.int(!number)))),
    (
        LeafOf::Method(METHODS, "[]"),
        Leaf::new(|ec: &mut Ec, number: i64, bit: i64| (bit >= 0).then(|| ec.int(number >> bit.min(63) & 1))),
    ),
    (
        LeafOf::Method(METHODS, "<=>"),
        Leaf::new(|ec: &mut Ec, number: i64, other: i64| Some(ec.int(number.cmp(&other) as i64))),
    ),
    (
        LeafOf::Method(METHODS, "div"),
        Leaf::new(|ec: &mut Ec, number: Value, other: Value| {
            arithmetic::small_division(number, other).map(|(quotient, _)| ec.int(quotient))
        }),
    ),
    (
        LeafOf::Method(METHODS, "**"),
        Leaf::new(|ec: &mut Ec, base: i64, exponent: i64| {
            let exponent = u32::try_from(exponent).ok()?;
            base.checked_pow(exponent).map(|power| ec.int(power))
        }),
    ),
];

fn rounded(ec: &mut Ec, number: i64, digits: i64, mode: Rounding) -> Option<Value> {
    convert::small_rounded(number, digits, mode).map(|number| ec.int(number))
}

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    known.integer.define_methods(ec, METHODS);
    known.kernel.define_methods(ec, KERNEL);
    undefine_new(ec, known.integer);
}

/// Numbers are not made by `new`.
pub(crate) fn undefine_new(ec: &Ec, class: carat_vm::Class) {
    let singleton = ec.singleton_class_of(class.value()).expect("classes have singleton classes");
    singleton.add_method(
        ec,
        carat_vm::sym::NEW,
        carat_vm::method::MethodKind::Undefined,
        carat_vm::Visibility::Public,
        Value::NIL,
    );
}

fn yes(_ec: &mut Ec, _this: Value) -> bool {
    true
}

fn itself(_ec: &mut Ec, this: Value) -> Value {
    this
}
