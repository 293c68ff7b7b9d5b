//! `== <=> < <= > >=`, all exact, also between Integers and Floats.

use super::operand::{Operand, asked_equal, coerced_order, coerced_relation};
use Operand::{Big, Float, Other, Small};
use carat_text::number::exact::{cmp_float_big, cmp_float_i64};
use carat_vm::{Ec, Result, Value, sym};
use num_bigint::Sign;
use std::cmp::Ordering;

/// How two numbers compare.
pub(crate) enum Compared {
    Ordered(Ordering),
    /// One of them is NaN.
    Unordered,
    /// The right one is neither Integer nor Float.
    Unknown,
}

pub(crate) fn compare(x: Operand<'_>, y: Operand<'_>) -> Compared {
    let order = match (x, y) {
        (Small(x), Small(y)) => Some(x.cmp(&y)),
        (Small(_), Big(y)) => Some(if y.sign() == Sign::Minus { Ordering::Greater } else { Ordering::Less }),
        (Big(x), Small(_)) => Some(if x.sign() == Sign::Minus { Ordering::Less } else { Ordering::Greater }),
        (Big(x), Big(y)) => Some(x.cmp(y)),
        (Float(x), Float(y)) => x.partial_cmp(&y),
        (Small(x), Float(y)) => cmp_float_i64(y, x).map(Ordering::reverse),
        (Float(x), Small(y)) => cmp_float_i64(x, y),
        (Big(x), Float(y)) => cmp_float_big(y, x).map(Ordering::reverse),
        (Float(x), Big(y)) => cmp_float_big(x, y),
        (_, Other) | (Other, _) => return Compared::Unknown,
    };
    order.map_or(Compared::Unordered, Compared::Ordered)
}

/// `==` of an Integer or Float.
pub(crate) fn equal(ec: &mut Ec, this: Value, other: Value) -> Result<bool> {
    match compare(Operand::of(ec, this), Operand::of(ec, other)) {
        Compared::Ordered(order) => Ok(order.is_eq()),
        Compared::Unordered => Ok(false),
        Compared::Unknown => asked_equal(ec, this, other),
    }
}

/// `<=>` of an Integer.
pub(super) fn order(ec: &mut Ec, this: Value, other: Value) -> Result {
    match compare(Operand::of(ec, this), Operand::of(ec, other)) {
        Compared::Ordered(order) => Ok(Value::fixnum_unchecked(order as i64)),
        Compared::Unordered => Ok(Value::NIL),
        Compared::Unknown => coerced_order(ec, this, other),
    }
}

macro_rules! relation {
    ($name:ident, $is:ident, $symbol:ident) => {
        /// A relation of an Integer or Float to another number.
        pub(crate) fn $name(ec: &mut Ec, this: Value, other: Value) -> Result {
            match compare(Operand::of(ec, this), Operand::of(ec, other)) {
                Compared::Ordered(order) => Ok(Value::bool(order.$is())),
                Compared::Unordered => Ok(Value::FALSE),
                Compared::Unknown => coerced_relation(ec, this, sym::$symbol, other),
            }
        }
    };
}

relation!(less, is_lt, LT);
relation!(less_or_equal, is_le, LE);
relation!(greater, is_gt, GT);
relation!(greater_or_equal, is_ge, GE);

/// `Integer#eql?`: an equal Integer.
pub(super) fn eql(ec: &mut Ec, this: Value, other: Value) -> bool {
    this == other || matches!((ec.bignum_of(this), ec.bignum_of(other)), (Some(x), Some(y)) if x == y)
}

/// What `Kernel#hash` answers for an Integer: equal Integers hash alike, as hash tables do without asking for fixnums.
pub(crate) fn hash(ec: &mut Ec, this: Value) -> Value {
    if let Some(hash) = ec.public_hash(this) {
        return Value::fixnum_unchecked(hash);
    }
    let bits = ec.bignum_of(this).map_or(0, |b| {
        let sign = u64::from(b.sign() == Sign::Minus);
        b.iter_u64_digits().fold(sign, |hash, digit| (hash.rotate_left(5) ^ digit).wrapping_mul(ec.vm().hash_factor))
    });
    Value::fixnum_unchecked(bits as i64 >> 2)
}
