//! Lehmer's algorithm: many steps of Euclid's on the leading digits, then one on the whole numbers.
//!
//! Steps are taken on the leading 64 bits, twice: the second time on what the first leaves of the leading 128. A matrix of such steps
//! has the determinant 1 or -1, so that it keeps the common divisors even where the leading digits gave a quotient that the whole
//! numbers would not have given; the result is merely a bit larger then, or negative.

use super::{Ask, div_rem, from_limbs};
use num_bigint::BigUint;
use num_integer::Integer;

/// Steps end before a rest of leading digits falls below this, so that the factors of both rounds together stay below 2**61.
const LEAST_REST: u64 = 1 << 34;

/// Numbers of more limbs are divided by what is faster for them, and can be given up.
const SCHOOLBOOK_LIMBS: usize = 32;

/// Several steps of Euclid's: `x` and `y` become `|p * x - q * y|` and `|s * y - r * x|`.
#[derive(Clone, Copy)]
struct Steps {
    p: u64,
    q: u64,
    r: u64,
    s: u64,
    /// Whether what stands between the bars is negative.
    is_odd: bool,
}

/// Digits of 64 bits, the least first and none of the last zero.
type Limbs = Vec<u64>;

/// The greatest common divisor.
pub fn gcd(x: &BigUint, y: &BigUint, ask: Ask<'_>) -> Option<BigUint> {
    let (x, y) = if x < y { (y, x) } else { (x, y) };
    let (mut a, mut b) = (x.to_u64_digits(), y.to_u64_digits());
    let (mut next_a, mut next_b) = (Limbs::with_capacity(a.len()), Limbs::with_capacity(a.len()));
    while b.len() > 1 {
        if ask() {
            return None;
        }
        let has_shrunk = Steps::of(leading(&a, &b)).is_some_and(|steps| {
            steps.apply(&a, &b, &mut next_a, &mut next_b);
            bits(&next_a) + bits(&next_b) < bits(&a) + bits(&b)
        });
        if has_shrunk {
            std::mem::swap(&mut a, &mut next_a);
            std::mem::swap(&mut b, &mut next_b);
            if is_less(&a, &b) {
                std::mem::swap(&mut a, &mut b);
            }
        } else {
            let rest = if a.len() <= SCHOOLBOOK_LIMBS {
                rest_of(&a, &b)
            } else {
                div_rem(&from_limbs(&a), &from_limbs(&b), ask)?.1.to_u64_digits()
            };
            (a, b) = (b, rest);
        }
    }
    Some(match b.first() {
        None => from_limbs(&a),
        Some(&b) => BigUint::from(b.gcd(&remainder(&a, b))),
    })
}

fn remainder(a: &[u64], b: u64) -> u64 {
    let b = u128::from(b);
    a.iter().rev().fold(0, |rest, &limb| ((u128::from(rest) << 64 | u128::from(limb)) % b) as u64)
}

/// What division leaves of `a`, digit by digit; `b` has two limbs at least, and is not larger.
///
/// # References
/// Knuth, volume 2, 4.3.1, algorithm D.
pub(super) fn rest_of(a: &[u64], b: &[u64]) -> Limbs {
    // The highest limb of `b` gets its highest bit, so that two limbs of it tell a digit or one more.
    let shift = b[b.len() - 1].leading_zeros();
    let (mut a, b) = (shifted(a, shift), shifted(b, shift));
    let b = &b[..b.len() - 1];
    for at in (0..a.len() - b.len()).rev() {
        let window = &mut a[at..=at + b.len()];
        let borrow = subtract_product(window, b, digit(window, b));
        if borrow {
            add(window, b);
        }
    }
    // The rest is below `b`: what is shifted out of its limbs was shifted in.
    a.truncate(b.len());
    let mut above = 0;
    for limb in a.iter_mut().rev() {
        (*limb, above) = (*limb >> shift | above << 1 << (63 - shift), *limb);
    }
    finish(&mut a, 0);
    a
}

/// With one limb more.
fn shifted(n: &[u64], shift: u32) -> Limbs {
    let mut below = 0;
    let limbs = n.iter().chain(&[0]).map(|&limb| {
        let shifted = limb << shift | below >> 1 >> (63 - shift);
        below = limb;
        shifted
    });
    limbs.collect()
}

/// The digit of the quotient, or one more: three limbs were looked at.
fn digit(window: &[u64], b: &[u64]) -> u64 {
    let (end, high, next) = (window.len(), b[b.len() - 1], b[b.len() - 2]);
    let high = u128::from(high);
    let (mut digit, mut rest) = if u128::from(window[end - 1]) == high {
        (u64::MAX, u128::from(window[end - 2]) + high)
    } else {
        let top = u128::from(window[end - 1]) << 64 | u128::from(window[end - 2]);
        ((top / high) as u64, top % high)
    };
    while rest >> 64 == 0 && u128::from(digit) * u128::from(next) > (rest << 64 | u128::from(window[end - 3])) {
        digit -= 1;
        rest += high;
    }
    digit
}

/// Whether the product was larger, so that the window is what is below zero.
fn subtract_product(window: &mut [u64], b: &[u64], digit: u64) -> bool {
    let mut carry = 0_i128;
    for (limb, &other) in window.iter_mut().zip(b.iter().chain(&[0])) {
        let product = u128::from(other) * u128::from(digit);
        let low = i128::from(*limb) - i128::from(product as u64) + carry;
        *limb = low as u64;
        carry = (low >> 64) - (product >> 64) as i128;
    }
    carry < 0
}

fn add(window: &mut [u64], b: &[u64]) {
    let mut carry = 0;
    for (limb, &other) in window.iter_mut().zip(b.iter().chain(&[0])) {
        let sum = u128::from(*limb) + u128::from(other) + carry;
        *limb = sum as u64;
        carry = sum >> 64;
    }
}

fn bits(limbs: &[u64]) -> usize {
    limbs.last().map_or(0, |top| limbs.len() * 64 - top.leading_zeros() as usize)
}

fn is_less(a: &[u64], b: &[u64]) -> bool {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev())).is_lt()
}

/// The 128 bits of both that begin with the highest of `a`; `a` has two limbs at least.
fn leading(a: &[u64], b: &[u64]) -> [u128; 2] {
    let end = a.len();
    let shift = a[end - 1].leading_zeros();
    [a, b].map(|n| {
        let limb = |below: usize| end.checked_sub(below).and_then(|at| n.get(at)).copied().unwrap_or(0);
        let high = u128::from(limb(1)) << 64 | u128::from(limb(2));
        high << shift | u128::from(limb(3)) >> 1 >> (63 - shift)
    })
}

impl Steps {
    /// The steps that the leading 128 bits tell; `None` if `y` is too small beside `x` to tell any.
    fn of([x, y]: [u128; 2]) -> Option<Steps> {
        let first = Steps::of_leading(x, y)?;
        let (x, y) = first.ends(x, y);
        // The first round may have gone a step too far, which a second would not mend.
        let is_sound = x as i128 > 0 && y as i128 > 0 && x >= y;
        let second = if is_sound { Steps::of_leading(x, y) } else { None };
        Some(second.map_or(first, |second| second.after(first)))
    }

    fn of_leading(x: u128, y: u128) -> Option<Steps> {
        let shift = 64_u32.saturating_sub(x.leading_zeros());
        let (mut x, mut y) = ((x >> shift) as u64, (y >> shift) as u64);
        let mut steps = Steps { p: 1, q: 0, r: 0, s: 1, is_odd: false };
        while y >= LEAST_REST {
            let (quotient, rest) = (x / y, x % y);
            if rest < LEAST_REST {
                break;
            }
            (x, y) = (y, rest);
            (steps.p, steps.r) = (steps.r, steps.p + quotient * steps.r);
            (steps.q, steps.s) = (steps.s, steps.q + quotient * steps.s);
            steps.is_odd = !steps.is_odd;
        }
        (steps.r != 0).then_some(steps)
    }

    fn after(self, first: Steps) -> Steps {
        Steps {
            p: self.p * first.p + self.q * first.r,
            q: self.p * first.q + self.q * first.s,
            r: self.r * first.p + self.s * first.r,
            s: self.r * first.q + self.s * first.s,
            is_odd: self.is_odd != first.is_odd,
        }
    }

    /// What becomes of leading digits, which the steps have made smaller by 2**27 at least: so much that the sign has room.
    fn ends(self, x: u128, y: u128) -> (u128, u128) {
        let part = |factor: u64, n: u128| n.wrapping_mul(u128::from(factor));
        let (left, right) =
            (part(self.p, x).wrapping_sub(part(self.q, y)), part(self.s, y).wrapping_sub(part(self.r, x)));
        if self.is_odd { (left.wrapping_neg(), right.wrapping_neg()) } else { (left, right) }
    }

    fn apply(self, a: &[u64], b: &[u64], next_a: &mut Limbs, next_b: &mut Limbs) {
        next_a.clear();
        next_b.clear();
        let (mut carry_a, mut carry_b) = (0, 0);
        let product = |factor: u64, limb: u64| (u128::from(factor) * u128::from(limb)) as i128;
        let filled = b.iter().copied().chain(std::iter::repeat(0));
        for (&a, b) in a.iter().zip(filled) {
            let left = product(self.p, a) - product(self.q, b) + carry_a;
            let right = product(self.s, b) - product(self.r, a) + carry_b;
            next_a.push(left as u64);
            next_b.push(right as u64);
            (carry_a, carry_b) = (left >> 64, right >> 64);
        }
        finish(next_a, carry_a);
        finish(next_b, carry_b);
    }
}

/// Makes a magnitude of what is negative if the carry says so.
fn finish(limbs: &mut Limbs, carry: i128) {
    if carry < 0 {
        let mut has_carry = true;
        for limb in limbs.iter_mut() {
            (*limb, has_carry) = (!*limb).overflowing_add(u64::from(has_carry));
        }
    }
    while limbs.last() == Some(&0) {
        limbs.pop();
    }
}
