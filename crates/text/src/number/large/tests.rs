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

#[test]
fn powers_are_those_of_the_crate() {
    let seven = BigUint::from(7_u32);
    assert_eq!(power(&seven, 40_001, &never), Some(seven.pow(40_001)));
    let (exponent, modulus) = (number(300, 9), number(70_000, 10));
    assert_eq!(modular_power(&seven, &exponent, &modulus, &never), Some(seven.modpow(&exponent, &modulus)));
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
