//! Powers modulo a number that is not large, by Montgomery's multiplication: what is multiplied is `n * 2**(64 * limbs)` modulo the
//! modulus for each number `n`, of whose products the lowest limbs are cancelled by multiples of the modulus, without a division.
//!
//! That takes an odd modulus. Of an even one the power modulo its odd factor and the power modulo its power of two are put together.
//!
//! # References
//! Montgomery, "Modular Multiplication Without Trial Division" (1985); Koç, Acar and Kaliski, "Analyzing and Comparing Montgomery
//! Multiplication Algorithms" (1996), the coarsely integrated scanning; Menezes, van Oorschot and Vanstone, "Handbook of Applied
//! Cryptography", algorithm 14.85, for the windows.

use super::from_limbs;
use num_bigint::BigUint;
use num_traits::One;

/// `base ** exponent % modulus` for an exponent that is not zero. It cannot be given up.
pub fn quick_modular_power(base: &BigUint, exponent: &BigUint, modulus: &BigUint) -> BigUint {
    let twos = modulus.trailing_zeros().unwrap_or(0);
    if twos == 0 {
        return odd_modular_power(base, exponent, modulus);
    }
    let odd = modulus >> twos;
    let of_odd = odd_modular_power(base, exponent, &odd);
    let mask = (BigUint::one() << twos) - 1_u32;
    let of_twos = power_of_low_bits(base, exponent, twos, &mask);
    // The multiple of the odd factor that makes the one into the other modulo the power of two.
    let difference = (of_twos + &mask + 1_u32 - (&of_odd & &mask)) & &mask;
    let multiple = (difference * inverse(&odd, twos, &mask)) & &mask;
    of_odd + odd * multiple
}

/// The power modulo `2**bits`, whose remainders `mask` leaves.
fn power_of_low_bits(base: &BigUint, exponent: &BigUint, bits: u64, mask: &BigUint) -> BigUint {
    if !base.bit(0) && exponent >= &BigUint::from(bits) {
        return BigUint::ZERO;
    }
    if bits <= 64 {
        let base = base.iter_u64_digits().next().unwrap_or(0);
        let power = (0..exponent.bits()).rev().fold(1_u64, |power, bit| {
            let square = power.wrapping_mul(power);
            if exponent.bit(bit) { square.wrapping_mul(base) } else { square }
        });
        return BigUint::from(power) & mask;
    }
    let base = base & mask;
    (0..exponent.bits()).rev().fold(BigUint::one(), |power, bit| {
        let square = (&power * &power) & mask;
        if exponent.bit(bit) { (square * &base) & mask } else { square }
    })
}

/// What an odd number times this is 1 with, modulo `2**bits`: each step makes twice as many bits right.
fn inverse(odd: &BigUint, bits: u64, mask: &BigUint) -> BigUint {
    let low = odd.iter_u64_digits().next().unwrap_or(0);
    let (mut inverse, mut right) = (BigUint::from(inverse_of_limb(low)), 64);
    while right < bits {
        let product = (odd * &inverse) & mask;
        inverse = (inverse * (mask + 3_u32 - product)) & mask;
        right *= 2;
    }
    inverse & mask
}

/// The same of a limb, modulo `2**64`; three bits are right to begin with.
fn inverse_of_limb(odd: u64) -> u64 {
    (0..5).fold(odd, |inverse, _| inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse))))
}

/// An odd number, by which products are taken.
struct Modulus {
    limbs: Vec<u64>,
    /// What the lowest limb times this is -1 with, modulo `2**64`.
    negative_inverse: u64,
}

fn odd_modular_power(base: &BigUint, exponent: &BigUint, modulus: &BigUint) -> BigUint {
    let (limbs, bits) = (Modulus::of(modulus), exponent.bits());
    let count = limbs.limbs.len();
    let converted = ((base % modulus) << (64 * count)) % modulus;
    let table = limbs.odd_powers(&converted, window_bits(bits));
    let (mut power, mut spare) = (vec![0; count], vec![0; count]);
    let mut multiply = |power: &mut Vec<u64>, by: Option<&[u64]>| {
        limbs.multiply(power, by.unwrap_or(power), &mut spare);
        std::mem::swap(power, &mut spare);
    };
    let (mut left, mut is_first) = (bits, true);
    while left > 0 {
        if !exponent.bit(left - 1) {
            multiply(&mut power, None);
            left -= 1;
            continue;
        }
        let (len, odd) = window(exponent, left, window_bits(bits));
        left -= len;
        let factor = &table[odd / 2];
        if std::mem::take(&mut is_first) {
            power.copy_from_slice(factor);
            continue;
        }
        (0..len).for_each(|_| multiply(&mut power, None));
        multiply(&mut power, Some(factor));
    }
    let mut one = vec![0; count];
    one[0] = 1;
    multiply(&mut power, Some(&one));
    from_limbs(&power)
}

/// Bits of the exponent that are multiplied at a time: more of them take fewer products and a larger table.
fn window_bits(exponent_bits: u64) -> u64 {
    match exponent_bits {
        0..25 => 2,
        25..80 => 3,
        80..240 => 4,
        240..680 => 5,
        _ => 6,
    }
}

/// The length and the value of the longest window that begins below bit `end`, which is set, and ends with one that is set.
fn window(exponent: &BigUint, end: u64, longest: u64) -> (u64, usize) {
    let (mut len, mut odd, mut value) = (1, 1, 1);
    for next in 2..=longest.min(end) {
        value = value << 1 | usize::from(exponent.bit(end - next));
        if value & 1 == 1 {
            (len, odd) = (next, value);
        }
    }
    (len, odd)
}

impl Modulus {
    fn of(modulus: &BigUint) -> Modulus {
        let limbs = modulus.to_u64_digits();
        let negative_inverse = inverse_of_limb(limbs[0]).wrapping_neg();
        Modulus { limbs, negative_inverse }
    }

    /// The first, third, fifth … power that windows need.
    fn odd_powers(&self, base: &BigUint, window_bits: u64) -> Vec<Vec<u64>> {
        let count = self.limbs.len();
        let mut first = base.to_u64_digits();
        first.resize(count, 0);
        let mut square = vec![0; count];
        self.multiply(&first, &first, &mut square);
        let mut table = vec![first];
        for _ in 1..1 << (window_bits - 1) {
            let mut next = vec![0; count];
            self.multiply(&table[table.len() - 1], &square, &mut next);
            table.push(next);
        }
        table
    }

    /// The product of two numbers below the modulus, by `2**(64 * limbs)`, modulo the modulus.
    fn multiply(&self, x: &[u64], y: &[u64], product: &mut [u64]) {
        let modulus = &self.limbs[..];
        let count = modulus.len();
        let (x, product) = (&x[..count], &mut product[..count]);
        product.fill(0);
        let mut top = 0;
        for &digit in &y[..count] {
            top = step(x, digit, modulus, self.negative_inverse, product, top);
        }
        if top != 0 || product.iter().rev().cmp(modulus.iter().rev()).is_ge() {
            subtract(product, modulus);
        }
    }
}

/// Adds `x * digit` and the multiple of the modulus that makes the lowest limb zero, which goes. The result is the highest limb.
#[inline(always)]
fn step(x: &[u64], digit: u64, modulus: &[u64], negative_inverse: u64, product: &mut [u64], top: u64) -> u64 {
    let wide = |a: u64, b: u64, c: u64| u128::from(a) * u128::from(b) + u128::from(c);
    let count = product.len();
    let (x, modulus) = (&x[..count], &modulus[..count]);
    let sum = wide(x[0], digit, product[0]);
    let multiple = (sum as u64).wrapping_mul(negative_inverse);
    let mut carry = (sum >> 64) as u64;
    let mut other_carry = (wide(modulus[0], multiple, sum as u64) >> 64) as u64;
    for at in 1..count {
        let sum = wide(x[at], digit, product[at]) + u128::from(carry);
        carry = (sum >> 64) as u64;
        let sum = wide(modulus[at], multiple, sum as u64) + u128::from(other_carry);
        other_carry = (sum >> 64) as u64;
        product[at - 1] = sum as u64;
    }
    let sum = u128::from(top) + u128::from(carry) + u128::from(other_carry);
    product[count - 1] = sum as u64;
    (sum >> 64) as u64
}

fn subtract(from: &mut [u64], other: &[u64]) {
    let mut borrow = false;
    for (limb, &other) in from.iter_mut().zip(other) {
        let (rest, is_below) = limb.overflowing_sub(other);
        let (rest, is_below_again) = rest.overflowing_sub(u64::from(borrow));
        (*limb, borrow) = (rest, is_below || is_below_again);
    }
}
