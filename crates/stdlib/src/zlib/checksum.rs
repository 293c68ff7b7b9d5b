//! CRC-32 and Adler-32.

use carat_vm::{Array, Class, Ec, Result, Str, Value, methods};
use crc32fast::Hasher;

methods! {
    METHODS {
        static "crc32" => crc32;
        static "crc32_combine" => crc32_combine;
        static "adler32" => adler32;
        static "adler32_combine" => adler32_combine;
        static "crc_table" => crc_table;
    }
}

pub(super) fn define(ec: &mut Ec, module: Class) {
    module.define_methods(ec, METHODS);
}

/// As much goes into a checksum between two polls.
const PART: usize = 1 << 20;

/// The checksum of a string, or of what a stream holds, behind one that is known.
fn checksum(ec: &mut Ec, data: Value, first: u32, add: impl Fn(u32, &[u8]) -> u32) -> Result {
    let mut sum = first;
    if Str::from_value(data).is_none() && ec.respond_to(data, carat_vm::sym::READ, false)? {
        let size = Value::len(PART);
        while let Some(part) = Str::from_value(ec.call(data, carat_vm::sym::READ, &[size])?) {
            sum = add(sum, part.bytes(ec));
        }
        return Ok(ec.uint(sum.into()));
    }
    let text = ec.to_str(data)?;
    let text = if text.len(ec) > PART { text.snapshot(ec) } else { text };
    for start in (0..text.len(ec)).step_by(PART) {
        let bytes = text.bytes(ec);
        sum = add(sum, &bytes[start..bytes.len().min(start + PART)]);
        if start > 0 {
            ec.check_ints()?;
        }
    }
    Ok(ec.uint(sum.into()))
}

/// A checksum argument: its lowest 32 bits.
fn initial(ec: &mut Ec, given: Option<Value>, default: u32) -> Result<u32> {
    match given {
        Some(value) if !value.is_nil() => Ok(ec.to_long(value)? as u32),
        _ => Ok(default),
    }
}

fn crc32(ec: &mut Ec, _this: Value, data: Option<Value>, first: Option<Value>) -> Result {
    let first = initial(ec, first, 0)?;
    let Some(data) = data.filter(|d| !d.is_nil()) else { return Ok(ec.uint(first.into())) };
    checksum(ec, data, first, |sum, bytes| {
        let mut hasher = Hasher::new_with_initial(sum);
        hasher.update(bytes);
        hasher.finalize()
    })
}

/// The checksum of two texts one behind the other, of theirs and the second one's length.
fn crc32_combine(ec: &mut Ec, _this: Value, first: i64, second: i64, length: i64) -> Result {
    let mut hasher = Hasher::new_with_initial(first as u32);
    hasher.combine(&Hasher::new_with_initial_len(second as u32, length.max(0) as u64));
    Ok(ec.uint(hasher.finalize().into()))
}

const ADLER_MODULUS: u32 = 65521;

/// So many bytes may be added before the sums have to be reduced.
const ADLER_RUN: usize = 5552;

fn adler32(ec: &mut Ec, _this: Value, data: Option<Value>, first: Option<Value>) -> Result {
    let first = initial(ec, first, 1)?;
    let Some(data) = data.filter(|d| !d.is_nil()) else { return Ok(ec.uint(first.into())) };
    checksum(ec, data, first, |sum, bytes| {
        let (mut low, mut high) = (sum & 0xffff, sum >> 16);
        for run in bytes.chunks(ADLER_RUN) {
            for byte in run {
                low += u32::from(*byte);
                high += low;
            }
            (low, high) = (low % ADLER_MODULUS, high % ADLER_MODULUS);
        }
        high << 16 | low
    })
}

fn adler32_combine(ec: &mut Ec, _this: Value, first: i64, second: i64, length: i64) -> Result {
    let modulus = i64::from(ADLER_MODULUS);
    let length = length.rem_euclid(modulus);
    let (low1, high1) = (first & 0xffff, first >> 16 & 0xffff);
    let (low2, high2) = (second & 0xffff, second >> 16 & 0xffff);
    let low = (low1 + low2 - 1).rem_euclid(modulus);
    let high = (high1 + high2 + length * (low1 - 1)).rem_euclid(modulus);
    Ok(ec.int(high << 16 | low))
}

/// The checksums of the 256 bytes, before the last inversion.
fn crc_table(ec: &mut Ec, _this: Value) -> Array {
    let table = Array::new(ec, 256);
    for byte in 0..256u32 {
        let entry = (0..8).fold(byte, |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 });
        table.push(ec, ec.uint(entry.into()));
    }
    table
}
