//! Going from one Float to another: in steps, and by halves of what is between them.

use super::double;
use crate::number::integer::operand::float_to_integer;
use carat_vm::{Ec, Result, Value};

/// A number that is ordered as Floats are, and has no gaps: their bits, mirrored for negative ones. Both zeros are one.
fn place(f: f64) -> i64 {
    let bits = f.abs().to_bits().cast_signed();
    if f < 0.0 { -bits } else { bits }
}

fn at_place(place: i64) -> f64 {
    let magnitude = f64::from_bits(place.unsigned_abs());
    if place < 0 { -magnitude } else { magnitude }
}

/// `Primitive.float_middle`: the Float with as many Floats between it and one limit as between it and the other.
pub(super) fn middle(ec: &mut Ec, low: Value, high: Value) -> f64 {
    let sum = i128::from(place(double(ec, low))) + i128::from(place(double(ec, high)));
    // Half of a sum of two numbers of 64 bits has 64 bits.
    at_place((sum >> 1) as i64)
}

/// `Primitive.float_neighbour`: the next Float (1) or the one before (-1); NaN beyond infinity.
pub(super) fn neighbour(ec: &mut Ec, this: Value, by: i64) -> f64 {
    at_place(place(double(ec, this)) + by)
}

/// `Primitive.float_step_size`: the number of steps from the first Float to the last, allowing for the rounding of the division.
pub(super) fn size(ec: &mut Ec, first: Value, last: Value, step: Value, exclude: bool) -> Result {
    let (first, last, step) = (double(ec, first), double(ec, last), double(ec, step));
    let count = size_of(first, last, step, exclude);
    if count.is_finite() { float_to_integer(ec, count) } else { Ok(ec.float(count)) }
}

fn size_of(first: f64, last: f64, step: f64, exclude: bool) -> f64 {
    if step == 0.0 {
        return f64::INFINITY;
    }
    if step.is_infinite() {
        return f64::from(u8::from(if step > 0.0 { first <= last } else { first >= last }));
    }
    let n = (last - first) / step;
    if n.is_infinite() {
        return n.max(0.0);
    }
    if n.is_nan() {
        return 0.0;
    }
    let slack = ((first.abs() + last.abs() + (last - first).abs()) / step.abs() * f64::EPSILON).min(0.5);
    if !exclude {
        return if n < 0.0 { 0.0 } else { (n + slack).floor() + 1.0 };
    }
    if n <= 0.0 {
        return 0.0;
    }
    let whole = if n < 1.0 { 0.0 } else { (n - slack).floor() };
    let beyond = (whole + 1.0) * step + first;
    let is_within = if first < last { beyond < last } else { first > last && beyond > last };
    whole + f64::from(u8::from(is_within)) + 1.0
}
