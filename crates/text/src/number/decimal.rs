//! Integers to digits.
//!
//! Decimal output of machine integers goes through a stack buffer, two digits a step; the other radices a digit a step.

use num_bigint::BigInt;

use super::Int;
use super::large::{is_large, never, to_digits};

/// "00" to "99": one lookup yields two digits.
static PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[b'0'; 2]; 100];
    let mut n = 0;
    while n < 100 {
        pairs[n] = [b'0' + (n / 10) as u8, b'0' + (n % 10) as u8];
        n += 1;
    }
    pairs
};

/// Digits of radices up to 36.
pub const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// Room for any `i64` in decimal: `i64::MIN` has a sign and 19 digits.
#[derive(Default)]
pub struct DecimalBuffer([u8; 20]);

impl DecimalBuffer {
    pub fn new() -> DecimalBuffer {
        DecimalBuffer::default()
    }

    /// The decimal digits of `n`, right-aligned in the buffer.
    pub fn format(&mut self, n: i64) -> &[u8] {
        let mut start = self.put_digits(n.unsigned_abs());
        if n < 0 {
            start -= 1;
            self.0[start] = b'-';
        }
        &self.0[start..]
    }

    /// The decimal digits of an unsigned number, which has at most 20.
    pub fn format_unsigned(&mut self, n: u64) -> &[u8] {
        let start = self.put_digits(n);
        &self.0[start..]
    }

    fn put_digits(&mut self, mut n: u64) -> usize {
        let mut start = self.0.len();
        while n >= 100 {
            start -= 2;
            self.0[start..start + 2].copy_from_slice(&PAIRS[(n % 100) as usize]);
            n /= 100;
        }
        if n >= 10 {
            start -= 2;
            self.0[start..start + 2].copy_from_slice(&PAIRS[n as usize]);
        } else {
            start -= 1;
            self.0[start] = b'0' + n as u8;
        }
        start
    }
}

/// The number of bytes [`push_i64`] appends, for sizing a string exactly before writing it.
pub fn decimal_len(n: i64) -> usize {
    usize::from(n < 0) + n.unsigned_abs().checked_ilog10().map_or(1, |log| log as usize + 1)
}

/// Appends `n` in decimal.
pub fn push_i64(out: &mut Vec<u8>, n: i64) {
    out.extend_from_slice(DecimalBuffer::new().format(n));
}

/// Appends `n` in a radix of 2 to 36, lower case, with a minus sign when negative.
pub fn push_i64_radix(out: &mut Vec<u8>, n: i64, radix: u32) {
    if radix == 10 {
        return push_i64(out, n);
    }
    // 64 binary digits and a sign.
    let mut buffer = [0; 65];
    let mut start = buffer.len();
    let mut rest = n.unsigned_abs();
    loop {
        start -= 1;
        buffer[start] = DIGITS[(rest % u64::from(radix)) as usize];
        rest /= u64::from(radix);
        if rest == 0 {
            break;
        }
    }
    if n < 0 {
        start -= 1;
        buffer[start] = b'-';
    }
    out.extend_from_slice(&buffer[start..]);
}

/// `Integer#to_s(radix)` for big integers.
pub fn big_to_string(n: &BigInt, radix: u32) -> Vec<u8> {
    if !is_large(n) {
        return n.to_str_radix(radix).into_bytes();
    }
    let mut digits = to_digits(n.magnitude(), radix, &never).unwrap_or_default();
    if n.sign() == num_bigint::Sign::Minus {
        digits.insert(0, b'-');
    }
    digits
}

/// `Integer#to_s(radix)`.
pub fn int_to_string(n: &Int, radix: u32) -> Vec<u8> {
    match n {
        Int::Small(n) => {
            let mut out = Vec::new();
            push_i64_radix(&mut out, *n, radix);
            out
        }
        Int::Big(n) => big_to_string(n, radix),
    }
}
