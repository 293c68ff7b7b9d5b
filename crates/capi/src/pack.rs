//! Integers as words of memory: `rb_integer_pack` and its like.

use crate::boundary::{bytes_at, store};
use carat_vm::{Ec, Result, Value};
use num_bigint::{BigInt, Sign};
use std::ffi::c_int;

const MSWORD_FIRST: c_int = 0x01;
const MSBYTE_FIRST: c_int = 0x10;
const TWO_COMPLEMENT: c_int = 0x80;
const NEGATIVE: c_int = 0x200;

/// How the words lie in memory.
#[derive(Clone, Copy)]
struct Layout {
    count: usize,
    size: usize,
    /// Bits of each word that are not used.
    nails: usize,
    flags: c_int,
}

impl Layout {
    fn is_big_endian(self) -> bool {
        self.flags & MSBYTE_FIRST != 0
    }

    fn bits(self) -> usize {
        self.size * 8 - self.nails
    }

    /// The place of the byte that is the nth least of the word that is the nth least.
    fn place(self, word: usize, byte: usize) -> usize {
        let word = if self.flags & MSWORD_FIRST != 0 { self.count - 1 - word } else { word };
        let byte = if self.is_big_endian() { self.size - 1 - byte } else { byte };
        word * self.size + byte
    }
}

fn number(ec: &mut Ec, value: Value) -> Result<BigInt> {
    let value = ec.to_int(value)?;
    Ok(ec.to_bigint(value).unwrap_or_default())
}

/// Bits from the least, as bytes; with two's complement, of the complement of a negative number.
fn little_endian(number: &BigInt, bits: usize, is_complement: bool) -> Vec<u8> {
    let mut bytes = number.magnitude().to_bytes_le();
    bytes.resize(bits.div_ceil(8) + 1, 0);
    if is_complement && number.sign() == Sign::Minus {
        let mut carry = true;
        for byte in &mut bytes {
            let (sum, over) = (!*byte).overflowing_add(carry.into());
            (*byte, carry) = (sum, over);
        }
    }
    bytes
}

/// Sign and fit: twice the sign if the number has more bits than there are.
fn sign_and_fit(number: &BigInt, bits: u64, is_complement: bool) -> c_int {
    let needed = number.magnitude().bits();
    let sign = match number.sign() {
        Sign::NoSign => return 0,
        Sign::Plus => 1,
        Sign::Minus => -1,
    };
    // In two's complement the most negative number is a power of two of one bit more than others have.
    let is_power = number.magnitude().trailing_zeros() == Some(needed - 1);
    let fits = needed <= bits || is_complement && sign < 0 && is_power && needed == bits + 1;
    if fits { sign } else { sign * 2 }
}

fn write(number: &BigInt, to: &mut [u8], layout: Layout) {
    let bits = layout.bits();
    let bytes = little_endian(number, bits * layout.count, layout.flags & TWO_COMPLEMENT != 0);
    let bit = |index: usize| bytes.get(index / 8).map_or(0, |byte| byte >> (index % 8) & 1);
    for word in 0..layout.count {
        for byte in 0..layout.size {
            let used = (0..8).filter(|offset| byte * 8 + offset < bits);
            let value = used.map(|offset| bit(word * bits + byte * 8 + offset) << offset).sum::<u8>();
            to[layout.place(word, byte)] = value;
        }
    }
}

fn read(from: &[u8], layout: Layout) -> BigInt {
    let bits = layout.bits();
    let mut bytes = vec![0u8; (bits * layout.count).div_ceil(8) + 1];
    for word in 0..layout.count {
        for byte in 0..layout.size {
            let value = from[layout.place(word, byte)];
            for offset in (0..8).filter(|offset| byte * 8 + offset < bits) {
                let index = word * bits + byte * 8 + offset;
                bytes[index / 8] |= (value >> offset & 1) << (index % 8);
            }
        }
    }
    let magnitude = BigInt::from_bytes_le(Sign::Plus, &bytes);
    let total = (bits * layout.count) as u64;
    let is_negative = layout.flags & NEGATIVE != 0;
    if layout.flags & TWO_COMPLEMENT == 0 {
        return if is_negative { -magnitude } else { magnitude };
    }
    let top = total > 0 && magnitude.bit(total - 1);
    if is_negative || top { magnitude - (BigInt::from(1) << total) } else { magnitude }
}

/// The number at the start of a text, and how many bytes of it; base 0 takes it from a prefix.
pub(crate) fn parse(text: &[u8], base: u32, allows_underscores: bool) -> (Option<BigInt>, usize) {
    let mut at = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let is_negative = text.get(at) == Some(&b'-');
    at += usize::from(matches!(text.get(at), Some(b'-' | b'+')));
    let mut base = base;
    let prefix = (text.get(at) == Some(&b'0')).then(|| text.get(at + 1).map(u8::to_ascii_lowercase)).flatten();
    let named = match prefix {
        Some(b'x') => Some((16, 2)),
        Some(b'b') => Some((2, 2)),
        Some(b'o') => Some((8, 2)),
        Some(b'd') => Some((10, 2)),
        Some(b'0'..=b'9' | b'_') if base == 0 => Some((8, 1)),
        _ => None,
    };
    if let Some((found, skipped)) = named.filter(|(found, _)| base == 0 || base == *found) {
        (base, at) = (found, at + skipped);
    }
    let base = if base == 0 { 10 } else { base };
    let (mut digits, start) = (Vec::new(), at);
    while let Some(byte) = text.get(at) {
        match (*byte as char).to_digit(base) {
            Some(digit) => digits.push(digit as u8),
            None if *byte == b'_' && allows_underscores && at > start && text[at - 1] != b'_' => {}
            None => break,
        }
        at += 1;
    }
    if digits.is_empty() {
        return if prefix.is_some() || text.get(start.wrapping_sub(1)) == Some(&b'0') {
            (Some(BigInt::ZERO), at)
        } else {
            (None, at)
        };
    }
    let sign = if is_negative { Sign::Minus } else { Sign::Plus };
    (BigInt::from_radix_be(sign, &digits, base), at)
}

api! {
    fn rb_integer_pack(
        ec, value: Value, words: *mut u8, count: usize, size: usize, nails: usize, flags: c_int,
    ) -> Result<c_int> {
        let number = number(ec, value)?;
        let layout = Layout { count, size, nails, flags };
        // SAFETY: C passes room for so many words of that size.
        let room = unsafe { std::slice::from_raw_parts_mut(words, count * size) };
        write(&number, room, layout);
        Ok(sign_and_fit(&number, (layout.bits() * count) as u64, flags & TWO_COMPLEMENT != 0))
    }

    fn rb_integer_unpack(ec, words: *const u8, count: usize, size: usize, nails: usize, flags: c_int) -> Value {
        let bytes = bytes_at(words, (count * size) as i64);
        if bytes.is_empty() {
            return Value::fixnum_unchecked(0);
        }
        let number = read(bytes, Layout { count, size, nails, flags });
        ec.bigint(number)
    }

    fn rb_absint_size(ec, value: Value, zeros: *mut c_int) -> Result<usize> {
        let bits = number(ec, value)?.magnitude().bits() as usize;
        let bytes = bits.div_ceil(8);
        store(zeros, (bytes * 8 - bits) as c_int);
        Ok(bytes)
    }

    fn rb_absint_numwords(ec, value: Value, word_bits: usize, zeros: *mut usize) -> Result<usize> {
        let bits = number(ec, value)?.magnitude().bits() as usize;
        let words = bits.div_ceil(word_bits);
        store(zeros, words * word_bits - bits);
        Ok(words)
    }

    fn rb_absint_singlebit_p(ec, value: Value) -> Result<bool> {
        let number = number(ec, value)?;
        let bits = number.magnitude().bits();
        Ok(bits > 0 && number.magnitude().trailing_zeros() == Some(bits - 1))
    }

    fn rb_big_pack(ec, value: Value, words: *mut u64, count: i64) -> Result<()> {
        let number = number(ec, value)?;
        let layout = Layout { count: count.max(0) as usize, size: 8, nails: 0, flags: TWO_COMPLEMENT };
        // SAFETY: C passes room for so many words.
        let room = unsafe { std::slice::from_raw_parts_mut(words.cast::<u8>(), layout.count * 8) };
        write(&number, room, layout);
        Ok(())
    }

    fn rb_big_unpack(ec, words: *const u64, count: i64) -> Value {
        let layout = Layout { count: count.max(0) as usize, size: 8, nails: 0, flags: TWO_COMPLEMENT };
        let number = read(bytes_at(words.cast(), count * 8), layout);
        ec.bigint(number)
    }
}
