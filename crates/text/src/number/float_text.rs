//! `Float#to_s`: the shortest digits that read back as the same float, laid out as Ruby lays them out.

use std::io::Write;

use super::decimal::push_i64;

/// The decimal digits of a positive finite float, and where its point goes: the value is `0.DIGITS * 10**point`.
pub struct ShortestDigits {
    buffer: [u8; ShortestDigits::CAPACITY],
    len: usize,
    pub point: i32,
}

/// 2^53: below it the spacing of floats is 1 at most.
const INTEGERS_TO: f64 = 9_007_199_254_740_992.0;

/// As many digits behind the shortest ones tell a tie.
const EXACT_DIGITS: usize = 40;

impl ShortestDigits {
    /// Seventeen digits always suffice; the rest is the point and the exponent while `{:e}` is being read.
    const CAPACITY: usize = 26;

    /// The shortest digits that identify `f`, which must be finite. Zero has the single digit 0 and its point after it.
    pub fn of(f: f64) -> ShortestDigits {
        let size = f.abs();
        ShortestDigits::of_integer(size)
            .or_else(|| ShortestDigits::of_few_decimals(size))
            .unwrap_or_else(|| ShortestDigits::of_any(f))
    }

    /// Of a few places behind the point. The millionths nearest to a float below 2^29 are a whole number that a float holds with
    /// bits to spare; divided again, which rounds once, they give the float if their decimal number is read as it. Any shorter
    /// number that is read so has the same millionths.
    fn of_few_decimals(f: f64) -> Option<ShortestDigits> {
        const PLACES: i32 = 6;
        const MILLION: f64 = 1e6;
        if !(1e-3..536_870_912.0).contains(&f) {
            return None;
        }
        let millionths = (f * MILLION + 0.5) as u64;
        if millionths as f64 / MILLION != f {
            return None;
        }
        let digits = ShortestDigits::of_integer(millionths as f64)?;
        Some(ShortestDigits { point: digits.point - PLACES, ..digits })
    }

    /// Of integers that have no other one nearer than 1 the own digits are the shortest, but for zeros behind them.
    fn of_integer(f: f64) -> Option<ShortestDigits> {
        if f >= INTEGERS_TO || f.fract() != 0.0 {
            return None;
        }
        let mut left = f as u64;
        let mut digits = [0; Self::CAPACITY];
        let mut first = Self::CAPACITY;
        loop {
            first -= 1;
            digits[first] = b'0' + (left % 10) as u8;
            left /= 10;
            if left == 0 {
                break;
            }
        }
        let digits = &digits[first..];
        let len = digits.iter().rposition(|digit| *digit != b'0').map_or(1, |last| last + 1);
        let mut buffer = [0; Self::CAPACITY];
        buffer[..len].copy_from_slice(&digits[..len]);
        Some(ShortestDigits { buffer, len, point: digits.len() as i32 })
    }

    fn of_any(f: f64) -> ShortestDigits {
        let mut buffer = [0; Self::CAPACITY];
        let mut rest = &mut buffer[..];
        write!(rest, "{:e}", f.abs()).expect("17 digits, a point and an exponent of 5 bytes fit 26");
        let written = Self::CAPACITY - rest.len();
        let e = buffer[..written].iter().position(|b| *b == b'e').expect("{:e} writes an e");
        let exponent = read_exponent(&buffer[e + 1..written]);
        // "d.ddd" becomes "dddd": the digits behind the point move over it.
        let len = if e == 1 {
            1
        } else {
            buffer.copy_within(2..e, 1);
            e - 1
        };
        let mut shortest = ShortestDigits { buffer, len, point: exponent + 1 };
        shortest.settle_tie(f.abs());
        shortest
    }

    /// Of two numbers with as many digits that are equally near the one with the even last digit is meant; `{:e}` gives the larger.
    fn settle_tie(&mut self, f: f64) {
        let last = self.len - 1;
        // A tie is exact: the float has one place more behind the point, so that many halvings of a whole number give it.
        let places = self.len as i32 + 1 - self.point;
        if self.buffer[last] & 1 == 0 || self.len < 2 || halvings(f) > places {
            return;
        }
        let exact = format!("{f:.precision$e}", precision = last + EXACT_DIGITS);
        let mut digits = exact.bytes().filter(u8::is_ascii_digit).skip(last);
        let is_tie = digits.next() == Some(self.buffer[last] - 1)
            && digits.next() == Some(b'5')
            && digits.take(EXACT_DIGITS - 1).all(|digit| digit == b'0');
        if is_tie {
            self.buffer[last] -= 1;
        }
    }

    pub fn digits(&self) -> &[u8] {
        &self.buffer[..self.len]
    }
}

/// How many times a whole number is halved at least to give a positive float; below zero where a smaller number is doubled.
fn halvings(f: f64) -> i32 {
    const FRACTION_BITS: i32 = f64::MANTISSA_DIGITS as i32 - 1;
    const BIAS: i32 = f64::MAX_EXP - 1;
    let bits = f.to_bits();
    let fraction = bits & ((1 << FRACTION_BITS) - 1);
    match (bits >> FRACTION_BITS) as i32 {
        0 => BIAS - 1 + FRACTION_BITS - fraction.trailing_zeros() as i32,
        exponent => BIAS - exponent + FRACTION_BITS - (fraction | 1 << FRACTION_BITS).trailing_zeros() as i32,
    }
}

fn read_exponent(text: &[u8]) -> i32 {
    let (negative, digits) = super::split_sign(text);
    let value = digits.iter().fold(0, |n, d| n * 10 + i32::from(d - b'0'));
    if negative { -value } else { value }
}

/// Where Ruby switches to the exponential form: beyond this many digits before the point, which is also how many decimal
/// digits a float can always hold (`DBL_DIG`). One more is fixed if another digit follows behind the point.
const FIXED_MAX_POINT: i32 = 15;
/// And at this many zeros behind the point.
const FIXED_MIN_POINT: i32 = -4;

/// Appends `f` as `Float#to_s` prints it.
pub fn push_float(out: &mut Vec<u8>, f: f64) {
    if f.is_nan() {
        return out.extend_from_slice(b"NaN");
    }
    if f.is_sign_negative() {
        out.push(b'-');
    }
    if f.is_infinite() {
        return out.extend_from_slice(b"Infinity");
    }
    if f == 0.0 {
        return out.extend_from_slice(b"0.0");
    }
    let shortest = ShortestDigits::of(f);
    match shortest.point {
        point
            if point > 0
                && (point <= FIXED_MAX_POINT || point == FIXED_MAX_POINT + 1 && shortest.len > point as usize) =>
        {
            push_large(out, shortest.digits(), point as usize)
        }
        point if point > FIXED_MIN_POINT && point <= 0 => push_below_one(out, shortest.digits(), point),
        point => push_exponential(out, shortest.digits(), point - 1),
    }
}

/// `Float#to_s`.
pub fn float_to_string(f: f64) -> Vec<u8> {
    let mut out = Vec::with_capacity(ShortestDigits::CAPACITY);
    push_float(&mut out, f);
    out
}

/// Appends `f` as Marshal writes floats: the same digits without a trailing `.0`, in the exponential form where zeros would
/// have to follow them.
pub fn push_marshal_float(out: &mut Vec<u8>, f: f64) {
    if f.is_nan() {
        return out.extend_from_slice(b"nan");
    }
    if f.is_sign_negative() {
        out.push(b'-');
    }
    if f.is_infinite() {
        return out.extend_from_slice(b"inf");
    }
    if f == 0.0 {
        return out.push(b'0');
    }
    let shortest = ShortestDigits::of(f);
    let (digits, point) = (shortest.digits(), shortest.point);
    if point <= FIXED_MIN_POINT || point > digits.len() as i32 {
        let (first, rest) = digits.split_at(1);
        push_pointed(out, first, rest);
        out.push(b'e');
        push_i64(out, i64::from(point - 1));
    } else if point > 0 {
        let (whole, fraction) = digits.split_at(point as usize);
        push_pointed(out, whole, fraction);
    } else {
        push_below_one(out, digits, point);
    }
}

/// A point goes only before digits.
pub(crate) fn push_pointed(out: &mut Vec<u8>, whole: &[u8], fraction: &[u8]) {
    out.extend_from_slice(whole);
    if !fraction.is_empty() {
        out.push(b'.');
        out.extend_from_slice(fraction);
    }
}

pub(crate) fn push_below_one(out: &mut Vec<u8>, digits: &[u8], point: i32) {
    out.extend_from_slice(b"0.");
    out.resize(out.len() + point.unsigned_abs() as usize, b'0');
    out.extend_from_slice(digits);
}

/// A number of at least one: the point is among the digits, or zeros fill up to it.
pub(crate) fn push_large(out: &mut Vec<u8>, digits: &[u8], point: usize) {
    if digits.len() <= point {
        out.extend_from_slice(digits);
        out.resize(out.len() + point - digits.len(), b'0');
        return out.extend_from_slice(b".0");
    }
    out.extend_from_slice(&digits[..point]);
    out.push(b'.');
    out.extend_from_slice(&digits[point..]);
}

fn push_exponential(out: &mut Vec<u8>, digits: &[u8], exponent: i32) {
    out.extend_from_slice(&[digits[0], b'.']);
    out.extend_from_slice(if digits.len() > 1 { &digits[1..] } else { b"0" });
    out.push(b'e');
    push_exponent(out, exponent);
}

/// A sign and at least two digits, as in C.
pub(crate) fn push_exponent(out: &mut Vec<u8>, exponent: i32) {
    out.push(if exponent < 0 { b'-' } else { b'+' });
    if exponent.abs() < 10 {
        out.push(b'0');
    }
    push_i64(out, i64::from(exponent.abs()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_digits_that_are_equally_near_the_even_one_is_taken() {
        for (quarters, text) in [
            (2_737_159_776_470_981.0, "684289944117745.2"),
            (2_737_159_776_470_983.0, "684289944117745.8"),
            (2_737_159_776_470_978.0, "684289944117744.5"),
            (-2_737_159_776_470_981.0, "-684289944117745.2"),
        ] {
            assert_eq!(float_to_string(quarters / 4.0), text.as_bytes());
        }
        for (number, text) in
            [(8_596_237.0 / 16_384.0, "524.6726684570312"), (524.672_668_457_031_4, "524.6726684570314")]
        {
            assert_eq!(float_to_string(number), text.as_bytes());
        }
    }

    #[test]
    fn few_decimals_are_the_shortest() {
        let mut seed = 1_u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            seed >> 11
        };
        for round in 0..200_000 {
            let whole = (next() >> (next() % 53)) as f64;
            let f = whole / [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6, 1e7, 1e9, 3.0][round % 10];
            let near = [f, f.next_up(), f.next_down()][round / 10 % 3];
            if let Some(few) = ShortestDigits::of_few_decimals(near) {
                let any = ShortestDigits::of_any(near);
                assert_eq!((few.digits(), few.point), (any.digits(), any.point), "{near:e}");
            }
        }
        assert!(ShortestDigits::of_few_decimals(0.1).is_some() && ShortestDigits::of_few_decimals(0.1 + 0.2).is_none());
    }
}
