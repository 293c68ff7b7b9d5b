//! `gcd`, `lcm` and `Integer.sqrt`.

use super::large;
use super::operand::{Operand, is_negative};
use Operand::{Big, Small};
use carat_vm::{Ec, Result, Value};
use num_bigint::BigInt;
use num_integer::Integer;

fn check_integer(ec: &mut Ec, other: Value) -> Result<()> {
    if ec.is_integer(other) { Ok(()) } else { Err(ec.type_error("not an integer")) }
}

fn big(ec: &Ec, value: Value) -> BigInt {
    ec.to_bigint(value).unwrap_or_default()
}

/// What dividing by a fixnum but zero leaves.
fn small_remainder(x: &BigInt, y: i64) -> i64 {
    (x % y).try_into().unwrap_or(0)
}

/// `None` where it may not fit.
fn small_lcm(x: i64, y: i64) -> Option<i64> {
    if x == 0 || y == 0 {
        return Some(0);
    }
    (x / x.gcd(&y)).checked_mul(y)?.checked_abs()
}

// Fixnums have 62 bits, so that no magnitude overflows.

pub(super) fn gcd(ec: &mut Ec, this: Value, other: Value) -> Result {
    check_integer(ec, other)?;
    match (Operand::of(ec, this), Operand::of(ec, other)) {
        (Small(x), Small(y)) => Ok(ec.int(x.gcd(&y))),
        (Big(x), Small(y)) | (Small(y), Big(x)) if y != 0 => Ok(ec.int(y.gcd(&small_remainder(x, y)))),
        _ => {
            let (x, y) = (big(ec, this), big(ec, other));
            large::gcd(ec, &x, &y).map(|divisor| ec.bigint(divisor))
        }
    }
}

pub(super) fn lcm(ec: &mut Ec, this: Value, other: Value) -> Result {
    check_integer(ec, other)?;
    if let (Small(x), Small(y)) = (Operand::of(ec, this), Operand::of(ec, other))
        && let Some(multiple) = small_lcm(x, y)
    {
        return Ok(ec.int(multiple));
    }
    let (x, y) = (big(ec, this), big(ec, other));
    large::lcm(ec, &x, &y).map(|multiple| ec.bigint(multiple))
}

/// `Integer.sqrt`: the root rounded down.
pub(super) fn sqrt(ec: &mut Ec, _class: Value, value: Value) -> Result {
    let integer = ec.to_int(value)?;
    if is_negative(ec, integer) {
        return Err(crate::number::math::domain_error(ec, "\"isqrt\""));
    }
    match integer.as_fixnum() {
        Some(i) => Ok(ec.int(i.isqrt())),
        None => {
            let n = big(ec, integer);
            large::sqrt(ec, &n).map(|root| ec.bigint(root))
        }
    }
}
