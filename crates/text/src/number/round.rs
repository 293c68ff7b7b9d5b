//! Rounding to a number of decimal digits.
//!
//! Floats keep CRuby's arithmetic: scale by a power of ten, round, and correct by one step when the corrected candidate
//! reads back closer. That makes `0.285.round(2)` 0.29 although the float is slightly below 0.285. Beyond fourteen digits
//! the power of ten times the float is not trustworthy, and rounding to nearest goes by exact ratios. `floor` corrects its
//! candidate, `ceil` does not: `1.1.floor(2)` is 1.1 and `1.1.ceil(2)` is 1.11.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, Zero};

use super::Int;
use super::exact::{Ratio, float_to_integer, float_to_ratio};

/// Which way to go, and for `round` what to do with ties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    HalfUp,
    HalfEven,
    HalfDown,
    Floor,
    Ceil,
    Truncate,
}

/// What rounding a float yields: positive digit counts keep a float, the others make an integer.
#[derive(Clone, Debug, PartialEq)]
pub enum Rounded {
    Float(f64),
    Integer(Int),
}

/// `Float#round`, `#floor`, `#ceil` or `#truncate` with `digits`. `None` when an integer is wanted of NaN or an infinity,
/// which raises FloatDomainError.
pub fn round_float(f: f64, digits: i32, rounding: Rounding) -> Option<Rounded> {
    let rounding = match rounding {
        Rounding::Truncate if f > 0.0 => Rounding::Floor,
        Rounding::Truncate => Rounding::Ceil,
        other => other,
    };
    if digits > 0 {
        return Some(Rounded::Float(round_to_digits(f, digits, rounding)));
    }
    let whole = if digits == 0 || matches!(rounding, Rounding::Floor | Rounding::Ceil) {
        float_to_integer(round_scaled(f, 1.0, rounding))?
    } else {
        float_to_integer(f)?
    };
    Some(Rounded::Integer(if digits == 0 { whole } else { round_integer(&whole, digits, rounding) }))
}

/// Beyond this many digits `10**digits` times a float is no longer accurate.
const EXACT_DIGITS: i32 = 14;

/// Those that a float holds exactly.
const POWERS_OF_TEN: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

fn round_to_digits(f: f64, digits: i32, rounding: Rounding) -> f64 {
    if f == 0.0 || !f.is_finite() || keeps_all_digits(digits, binary_exponent(f)) {
        return f;
    }
    let away_from_zero = if f > 0.0 { Rounding::Ceil } else { Rounding::Floor };
    if rounding != away_from_zero && keeps_no_digit(digits, binary_exponent(f)) {
        return 0.0;
    }
    let power = usize::try_from(digits).ok().and_then(|digits| POWERS_OF_TEN.get(digits).copied());
    let scale = power.unwrap_or_else(|| 10_f64.powf(f64::from(digits)));
    match rounding {
        Rounding::Floor => floor_to_digits(f, scale),
        Rounding::Ceil => (f * scale).ceil() / scale,
        _ if digits > EXACT_DIGITS => round_by_ratio(f, digits, rounding),
        _ => round_scaled(f, scale, rounding) / scale,
    }
}

/// The exponent `frexp` gives: `0.5 <= |f| / 2**exponent < 1`.
fn binary_exponent(f: f64) -> i32 {
    let (mantissa, exponent) = super::exact::decompose(f);
    exponent + (64 - mantissa.unsigned_abs().leading_zeros() as i32)
}

/// Is every digit of such a float before the rounding position? 17 digits (`DBL_DIG + 2`) identify a float, and its
/// decimal exponent lies between a quarter and a third of its binary one.
fn keeps_all_digits(digits: i32, exponent: i32) -> bool {
    digits >= 17 - if exponent > 0 { exponent / 4 } else { exponent / 3 - 1 }
}

/// Is such a float smaller than half a unit of the rounding position?
fn keeps_no_digit(digits: i32, exponent: i32) -> bool {
    digits < -if exponent > 0 { exponent / 3 + 1 } else { exponent / 4 }
}

/// The largest multiple of `1 / scale` not above `f`, trusting division over multiplication.
fn floor_to_digits(f: f64, scale: f64) -> f64 {
    let steps = (f * scale).floor();
    let next = (steps + 1.0) / scale;
    if next > f { steps / scale } else { next }
}

/// `f * scale` rounded to a whole number.
fn round_scaled(f: f64, scale: f64, rounding: Rounding) -> f64 {
    let magnitude = match rounding {
        Rounding::Floor => return (f * scale).floor(),
        Rounding::Ceil => return (f * scale).ceil(),
        Rounding::Truncate => return (f * scale).trunc(),
        Rounding::HalfUp => round_half_up(f.abs(), scale),
        Rounding::HalfDown => round_half_down(f.abs(), scale),
        Rounding::HalfEven => round_half_even(f.abs(), scale),
    };
    magnitude.copysign(f)
}

fn round_half_up(x: f64, scale: f64) -> f64 {
    let rounded = (x * scale).round();
    if scale != 1.0 && (rounded + 0.5) / scale <= x { rounded + 1.0 } else { rounded }
}

fn round_half_down(x: f64, scale: f64) -> f64 {
    let rounded = (x * scale).round();
    if (rounded - 0.5) / scale >= x { rounded - 1.0 } else { rounded }
}

/// Scales the fraction apart from the whole part, which keeps the digits that scaling all of it would round off.
fn round_half_even(x: f64, scale: f64) -> f64 {
    let whole = x.trunc() * scale;
    let scaled = x.fract() * scale;
    let floor = scaled.floor();
    let rest = scaled - floor;
    let below = whole + floor;
    if rest > 0.5 {
        below + 1.0
    } else if rest == 0.5 || (below + 0.5) / scale <= x {
        below + below % 2.0
    } else {
        below
    }
}

fn round_by_ratio(f: f64, digits: i32, rounding: Rounding) -> f64 {
    let Some(ratio) = float_to_ratio(f) else { return f };
    let scale = BigInt::from(10).pow(digits.unsigned_abs());
    let scaled = Ratio { numerator: ratio.numerator * &scale, denominator: ratio.denominator };
    let steps = round_ratio(&scaled, rounding);
    // Reading decimal text rounds correctly, which dividing two big integers by way of floats would not.
    format!("{steps}e-{digits}").parse().unwrap_or(f)
}

/// A ratio to the nearest integer in the direction asked for.
pub fn round_ratio(ratio: &Ratio, rounding: Rounding) -> BigInt {
    let (floor, rest) = ratio.numerator.div_mod_floor(&ratio.denominator);
    let up = rounds_up(&floor, &rest, &ratio.denominator, ratio.numerator.is_negative(), rounding);
    if up { floor + 1 } else { floor }
}

/// `Integer#round`, `#floor`, `#ceil` or `#truncate` to the left of the point; `digits` is negative.
pub fn round_integer(n: &Int, digits: i32, rounding: Rounding) -> Int {
    if digits >= 0 {
        return n.clone();
    }
    if let (Int::Small(small), Some(unit)) = (n, 10_i64.checked_pow(digits.unsigned_abs()))
        && let Some(rounded) = round_small(*small, unit, rounding)
    {
        return Int::Small(rounded);
    }
    round_big(n, digits, rounding)
}

/// `None` when the result leaves the range of i64.
fn round_small(n: i64, unit: i64, rounding: Rounding) -> Option<i64> {
    let rest = n.rem_euclid(unit);
    let floor = n.checked_sub(rest)?;
    let up = match rounding {
        Rounding::Floor => false,
        Rounding::Ceil => rest != 0,
        Rounding::Truncate => rest != 0 && n < 0,
        // `rest <= unit / 2` cannot overflow where `2 * rest` could; units are even.
        _ if rest != unit / 2 => rest > unit / 2,
        Rounding::HalfUp => n > 0,
        Rounding::HalfDown => n < 0,
        Rounding::HalfEven => (floor / unit) & 1 == 1,
    };
    if up { floor.checked_add(unit) } else { Some(floor) }
}

fn round_big(n: &Int, digits: i32, rounding: Rounding) -> Int {
    // A number of fewer bytes than this is under half a unit, so the unit, which may be astronomical, is not needed.
    let bytes = n.to_big().bits().div_ceil(8).max(8) as f64;
    let nearest = matches!(rounding, Rounding::HalfUp | Rounding::HalfEven | Rounding::HalfDown | Rounding::Truncate);
    if nearest && 0.415_241 * f64::from(digits.unsigned_abs()) - 0.125 > bytes {
        return Int::ZERO;
    }
    let unit = BigInt::from(10).pow(digits.unsigned_abs());
    let n = n.to_big();
    let (floor, rest) = n.div_mod_floor(&unit);
    let up = rounds_up(&floor, &rest, &unit, n.is_negative(), rounding);
    Int::from((if up { floor + 1 } else { floor }) * unit)
}

/// Is `floor + rest / unit` rounded to `floor + 1`?
fn rounds_up(floor: &BigInt, rest: &BigInt, unit: &BigInt, negative: bool, rounding: Rounding) -> bool {
    let half = || (rest * 2_u32).cmp(unit);
    match rounding {
        Rounding::Floor => false,
        Rounding::Ceil => !rest.is_zero(),
        Rounding::Truncate => !rest.is_zero() && negative,
        Rounding::HalfUp => half().is_gt() || half().is_eq() && !negative,
        Rounding::HalfDown => half().is_gt() || half().is_eq() && negative,
        Rounding::HalfEven => half().is_gt() || half().is_eq() && floor.is_odd(),
    }
}
