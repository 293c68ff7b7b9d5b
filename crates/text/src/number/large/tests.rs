//! Every operation against the crate's own, and that each can be given up.

use super::*;
use num_integer::{Integer, Roots};
use std::cell::Cell;

/// A number of so many bits that no operation could have made.
fn number(bits: u64, seed: u64) -> BigUint {
    let mut state = seed | 1;
    let digits = (0..bits.div_ceil(32)).map(|_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    });
    let n = BigUint::new(digits.collect()) | BigUint::one() << (bits - 1);
    n & ((BigUint::one() << bits) - 1_u32)
}

#[test]
fn products_are_those_of_the_crate() {
    for (x, y) in [(70_000, 70_000), (70_000, 200_003), (300_000, 1_000), (131_072, 131_072)] {
        let (x, y) = (number(x, 1), number(y, 2));
        assert_eq!(multiply(&x, &y, &never), Some(&x * &y));
        assert_eq!(multiply(&x, &x, &never), Some(&x * &x));
    }
    let ones = (BigUint::one() << 262_144_u32) - 1_u32;
    assert_eq!(multiply(&ones, &ones, &never), Some(&ones * &ones));
}

#[test]
fn quotients_are_those_of_the_crate() {
    for (x, y) in [(200_000, 90_000), (400_000, 8_200), (70_000, 69_000), (300_000, 64), (262_144, 131_072)] {
        let (x, y) = (number(x, 3), number(y, 4));
        assert_eq!(div_rem(&x, &y, &never), Some(x.div_rem(&y)));
        let product = &x * &y;
        assert_eq!(div_rem(&product, &y, &never), Some((x.clone(), BigUint::ZERO)));
        assert_eq!(div_rem(&(product - 1_u32), &y, &never).map(|(q, _)| q), Some(x - 1_u32));
    }
    let power = BigUint::one() << 300_000_u32;
    let below = &power - 1_u32;
    assert_eq!(div_rem(&(&below * &below), &below, &never), Some((below.clone(), BigUint::ZERO)));
    assert_eq!(div_rem(&(&below << 100_000_u32), &power, &never), Some((&below << 100_000_u32).div_rem(&power)));
}

#[test]
fn roots_are_those_of_the_crate() {
    for bits in [40_000, 100_001, 131_072, 131_073] {
        let n = number(bits, 5);
        assert_eq!(sqrt(&n, &never), Some(Roots::sqrt(&n)));
        let square = &n * &n;
        assert_eq!(sqrt(&square, &never).as_ref(), Some(&n));
        assert_eq!(sqrt(&(square - 1_u32), &never), Some(n - 1_u32));
    }
}

#[test]
fn divisors_are_those_of_the_crate() {
    let common = number(9_000, 6);
    for (x, y) in [(20_000, 15_000), (5_000, 5_000), (30_000, 70)] {
        let (x, y) = (number(x, 7) * &common, number(y, 8) * &common);
        assert_eq!(gcd(&x, &y, &never), Some(x.gcd(&y)));
    }
    assert_eq!(gcd(&common, &BigUint::ZERO, &never), Some(common.clone()));
    assert_eq!(gcd(&common, &BigUint::one(), &never), Some(BigUint::one()));
}

/// Euclid's algorithm, step by step.
fn divisor(mut x: BigUint, mut y: BigUint) -> BigUint {
    while y != BigUint::ZERO {
        (x, y) = (y.clone(), x % y);
    }
    x
}

#[test]
fn divisors_are_those_of_euclid() {
    let check = |x: &BigUint, y: &BigUint| {
        let expected = Some(divisor(x.clone(), y.clone()));
        assert_eq!(gcd(x, y, &never), expected, "{x} {y}");
        assert_eq!(gcd(y, x, &never), expected, "{y} {x}");
    };
    for seed in 1..400 {
        let sizes = number(64, seed).to_u64_digits()[0];
        let size = |place: u32| (sizes >> (place * 10) & 0x3FF) + 1;
        let common = number(size(0), seed + 1);
        let (x, y) = (number(size(1), seed + 2), number(size(2), seed + 3));
        check(&x, &y);
        check(&(&x * &common), &(&y * &common));
        check(&(&x * &common), &common);
        check(&(&x + 1_u32), &x);
        check(&((&x << 64_u32) + &y), &x);
    }
    for bits in [63_u32, 64, 65, 127, 128, 129, 192, 256, 1000] {
        let power = BigUint::one() << bits;
        for other in [&power - 1_u32, &power + 1_u32, &power >> 1_u32, &power >> 64_u32, (&power - 1_u32) << 64_u32] {
            check(&power, &other);
            check(&(&power - 1_u32), &other);
        }
    }
    // Every quotient of these is 1.
    let (mut x, mut y) = (BigUint::one(), BigUint::one());
    for _ in 0..1500 {
        check(&x, &y);
        (x, y) = (&x + &y, x);
    }
}

/// Limbs at which guesses of digits are wrong most often.
#[test]
fn rests_are_those_of_the_crate() {
    const LIMBS: [u64; 7] = [0, 1, u64::MAX, u64::MAX - 1, 1 << 63, (1 << 63) - 1, (1 << 63) + 1];
    let mut choices = number(64 * 30_000, 13).to_u64_digits().into_iter().map(|limb| limb >> 20);
    let mut limb = || LIMBS[choices.next().unwrap_or(2) as usize % LIMBS.len()];
    for round in 0..4_000 {
        let mut b: Vec<u64> = (0..3 + round % 3).map(|_| limb()).collect();
        b.push(limb() | 1);
        let mut a: Vec<u64> = (0..b.len() + round % 4).map(|_| limb()).collect();
        a.push(u64::MAX);
        let expected = (from_limbs(&a) % from_limbs(&b)).to_u64_digits();
        assert_eq!(gcd::rest_of(&a, &b), expected, "{a:x?} {b:x?}");
    }
}

#[test]
fn powers_are_those_of_the_crate() {
    let seven = BigUint::from(7_u32);
    assert_eq!(power(&seven, 40_001, &never), Some(seven.pow(40_001)));
    let (exponent, modulus) = (number(300, 9), number(70_000, 10));
    assert_eq!(modular_power(&seven, &exponent, &modulus, &never), Some(seven.modpow(&exponent, &modulus)));
}

#[test]
fn quick_modular_powers_are_those_of_the_crate() {
    let check = |base: &BigUint, exponent: &BigUint, modulus: &BigUint| {
        let expected = base.modpow(exponent, modulus);
        assert_eq!(quick_modular_power(base, exponent, modulus), expected, "{base} {exponent} {modulus}");
    };
    for seed in 1..200 {
        let sizes = number(64, seed).to_u64_digits()[0];
        let size = |place: u32| (sizes >> (place * 10) & 0x3FF) + 1;
        let (base, exponent) = (number(size(0), seed + 1), number(size(1), seed + 2));
        let modulus = number(size(2), seed + 3);
        check(&base, &exponent, &modulus);
        check(&base, &exponent, &(&modulus | BigUint::one()));
        check(&base, &exponent, &(&modulus << (size(3) / 4)));
        check(&base, &exponent, &(BigUint::one() << size(3)));
    }
    for bits in [1_u32, 2, 63, 64, 65, 128, 192, 1000] {
        let ones = (BigUint::one() << bits) - 1_u32;
        for base in [BigUint::ZERO, BigUint::one(), &ones - 1_u32, ones.clone(), &ones + 1_u32, &ones << 70_u32] {
            for exponent in [1_u32, 2, 3, 4, 255, 256, 65_535] {
                let exponent = BigUint::from(exponent);
                check(&base, &exponent, &ones);
                check(&base, &exponent, &(&ones + 1_u32));
                check(&base, &exponent, &(&ones << 3_u32));
            }
        }
    }
}

#[test]
fn digits_are_those_of_the_crate() {
    for radix in [3, 10, 16, 36] {
        for n in [number(100_000, 11), number(5_000, 12), BigUint::from(radix).pow(30_000)] {
            let digits = n.to_str_radix(radix).into_bytes();
            assert_eq!(to_digits(&n, radix, &never), Some(digits.clone()));
            assert_eq!(from_digits(&digits, radix, &never), Some(n));
        }
    }
}

#[test]
fn everything_can_be_given_up() {
    let (x, y) = (number(400_000, 13), number(150_000, 14));
    let digits = x.to_str_radix(10).into_bytes();
    let operations: [&dyn Fn(Ask<'_>) -> bool; 7] = [
        &|ask| multiply(&x, &y, ask).is_none(),
        &|ask| div_rem(&x, &y, ask).is_none(),
        &|ask| sqrt(&x, ask).is_none(),
        &|ask| gcd(&x, &y, ask).is_none(),
        &|ask| power(&y, 5, ask).is_none(),
        &|ask| to_digits(&x, 10, ask).is_none(),
        &|ask| from_digits(&digits, 10, ask).is_none(),
    ];
    for (index, operation) in operations.iter().enumerate() {
        let asked = Cell::new(0);
        assert!(
            !operation(&|| {
                asked.set(asked.get() + 1);
                false
            }),
            "{index}"
        );
        let half = asked.get() / 2;
        asked.set(0);
        assert!(
            operation(&|| {
                asked.set(asked.get() + 1);
                asked.get() > half
            }),
            "{index}"
        );
    }
}
