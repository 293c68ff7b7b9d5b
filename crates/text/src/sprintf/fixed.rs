//! `%f` by integer arithmetic, for numbers and precisions of everyday size.
//!
//! A float is an integer times a power of two, and so is its product with a power of ten: while that fits 128 bits its bits are the
//! digits to print and the rest to round by, exactly.

use crate::number::exact::decompose;

/// `10**19` fits 64 bits, and times 53 bits it fits 128.
const MAX_PRECISION: usize = 19;

/// How far from one half the rest must be, as a part of one, for the last of `count` digits to be rounded by it: CRuby
/// may take for a tie what is nearer (see [`super::near_tie`]; its error is below this).
fn margin(count: u32) -> f64 {
    2e-14 * 10_f64.powi(count as i32)
}

/// The positive float `f` times `10**precision`, rounded, if that is beyond doubt.
fn scaled(f: f64, precision: usize) -> Option<u64> {
    let (mantissa, exponent) = decompose(f);
    let product = u128::from(mantissa.unsigned_abs()) * u128::from(10_u64.checked_pow(precision.try_into().ok()?)?);
    let shift = u32::try_from(-exponent).ok().filter(|shift| *shift < 128)?;
    let whole = u64::try_from(product >> shift).ok().filter(|whole| *whole < u64::MAX)?;
    let rest = (product & ((1 << shift) - 1)) as f64 / (1_u128 << shift) as f64;
    let is_clear = (rest - 0.5).abs() > margin(whole.checked_ilog10().unwrap_or(0) + 1);
    is_clear.then_some(whole + u64::from(rest > 0.5))
}

/// Appends a magnitude as `%f` prints it, if this way leads there.
pub(super) fn push(out: &mut Vec<u8>, f: f64, precision: usize) -> bool {
    if precision > MAX_PRECISION {
        return false;
    }
    let Some(mut rest) = scaled(f, precision) else { return false };
    // The digits from the last one, with the point and a zero before it.
    let mut text = [b'0'; 24];
    let mut at = text.len();
    let mut place = 0;
    while rest > 0 || place <= precision {
        if place == precision && place > 0 {
            at -= 1;
            text[at] = b'.';
        }
        at -= 1;
        text[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        place += 1;
    }
    out.extend_from_slice(&text[at..]);
    true
}
