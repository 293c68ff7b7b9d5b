//! Bitwise operators. The mask is repeated as often as it takes.

use super::memory::{MemoryPlace, contents, for_reading, for_writing, store};
use super::{BufferRef, buffer_arg, create, error};
use carat_vm::{Ec, Result, Value};

type Operator = fn(u8, u8) -> u8;

fn mask_arg(ec: &mut Ec, mask: Value) -> Result<BufferRef> {
    let mask = buffer_arg(ec, mask)?;
    if mask.get(ec).size == 0 { Err(error(ec, "MaskError", "Zero-length mask given!")) } else { Ok(mask) }
}

fn masked(bytes: &[u8], mask: &[u8], operator: Operator) -> Vec<u8> {
    bytes.iter().zip(mask.iter().cycle()).map(|(byte, mask)| operator(*byte, *mask)).collect()
}

fn new_with(ec: &mut Ec, bytes: &[u8]) -> Result {
    let result = create::fresh(ec, bytes.len())?;
    let place = for_writing(ec, result)?;
    store(ec, place, 0, bytes)?;
    Ok(result.value())
}

fn combined(ec: &mut Ec, this: BufferRef, mask: Value, operator: Operator) -> Result {
    let mask = mask_arg(ec, mask)?;
    let (bytes, mask) = (contents(ec, this)?, contents(ec, mask)?);
    new_with(ec, &masked(&bytes, &mask, operator))
}

/// Two buffers over the same memory whose ranges overlap or touch.
fn overlap(ec: &mut Ec, a: BufferRef, b: BufferRef) -> Result<bool> {
    let sizes = (a.get(ec).size, b.get(ec).size);
    let starts = match (for_reading(ec, a)?, for_reading(ec, b)?) {
        (MemoryPlace::Own(x, i), MemoryPlace::Own(y, j)) if x.value() == y.value() => (i, j),
        (MemoryPlace::Text(x, i), MemoryPlace::Text(y, j)) if x.value() == y.value() => (i, j),
        _ => return Ok(false),
    };
    Ok(if starts.0 <= starts.1 { starts.1 <= starts.0 + sizes.0 } else { starts.0 <= starts.1 + sizes.1 })
}

fn combined_in_place(ec: &mut Ec, this: BufferRef, mask: Value, operator: Operator) -> Result {
    let mask = mask_arg(ec, mask)?;
    if overlap(ec, this, mask)? {
        return Err(error(ec, "MaskError", "Mask overlaps source buffer!"));
    }
    let place = for_writing(ec, this)?;
    let (bytes, mask) = (contents(ec, this)?, contents(ec, mask)?);
    store(ec, place, 0, &masked(&bytes, &mask, operator))?;
    Ok(this.value())
}

macro_rules! operators {
    ($($name:ident $in_place:ident $operator:expr;)+) => {$(
        pub(super) fn $name(ec: &mut Ec, this: BufferRef, mask: Value) -> Result {
            combined(ec, this, mask, $operator)
        }

        pub(super) fn $in_place(ec: &mut Ec, this: BufferRef, mask: Value) -> Result {
            combined_in_place(ec, this, mask, $operator)
        }
    )+};
}

operators! { and and_in_place |a, b| a & b; or or_in_place |a, b| a | b; xor xor_in_place |a, b| a ^ b; }

pub(super) fn not(ec: &mut Ec, this: BufferRef) -> Result {
    let bytes: Vec<u8> = contents(ec, this)?.iter().map(|byte| !byte).collect();
    new_with(ec, &bytes)
}

pub(super) fn not_in_place(ec: &mut Ec, this: BufferRef) -> Result {
    let place = for_writing(ec, this)?;
    let bytes: Vec<u8> = contents(ec, this)?.iter().map(|byte| !byte).collect();
    store(ec, place, 0, &bytes)?;
    Ok(this.value())
}
