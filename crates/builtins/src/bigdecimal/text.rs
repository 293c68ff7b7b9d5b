//! Decimal numbers as texts: "0.15e1".

use super::number::{Kind, Number, This, load};
use carat_vm::{Ec, Result, Str, Value};

/// How a number is to be written.
#[derive(Default)]
struct Layout {
    /// What goes before a positive number.
    lead: Option<u8>,
    /// Digits are in groups of so many, with spaces between them; 0 for no groups.
    group: usize,
    /// Without an exponent.
    is_fixed: bool,
}

impl Layout {
    /// The format is a String: "+" or " " goes before positive numbers, a number makes groups of so many digits, "F" writes
    /// without an exponent; or an Integer, for groups.
    fn of(ec: &mut Ec, format: Option<Value>) -> Result<Layout> {
        let Some(format) = format.filter(|format| !format.is_nil()) else { return Ok(Layout::default()) };
        if ec.is_integer(format) {
            let group = ec.to_long(format)?;
            return Ok(Layout { group: usize::try_from(group).unwrap_or(0), ..Layout::default() });
        }
        let format = ec.to_str(format)?;
        let bytes = format.bytes(ec);
        let digits = bytes.iter().skip_while(|byte| !byte.is_ascii_digit()).take_while(|byte| byte.is_ascii_digit());
        let add = |group: usize, digit: &u8| group.saturating_mul(10).saturating_add(usize::from(digit - b'0'));
        Ok(Layout {
            lead: bytes.first().copied().filter(|byte| matches!(byte, b'+' | b' ')),
            group: digits.fold(0, add),
            is_fixed: matches!(bytes.last(), Some(b'F' | b'f')),
        })
    }
}

/// `to_s(format = nil)`
pub(super) fn to_s(ec: &mut Ec, this: This, format: Option<Value>) -> Result<Str> {
    let layout = Layout::of(ec, format)?;
    let number = load(ec, this);
    let mut out = Vec::with_capacity(48);
    if number.is_negative() {
        out.push(b'-');
    } else if number.kind != Kind::Nan {
        out.extend(layout.lead);
    }
    match number.kind {
        Kind::Nan => out.extend_from_slice(b"NaN"),
        Kind::Infinite => out.extend_from_slice(b"Infinity"),
        Kind::Zero => out.extend_from_slice(b"0.0"),
        Kind::Finite if layout.is_fixed => push_fixed(ec, &mut out, &number, layout.group)?,
        Kind::Finite => push_scientific(ec, &mut out, &number, layout.group)?,
    }
    ec.ensure_memory(out.len())?;
    Ok(Str::from_ascii(ec, &out))
}

fn push_scientific(ec: &mut Ec, out: &mut Vec<u8>, number: &Number, group: usize) -> Result<()> {
    let digits = number.whole.text(ec)?;
    out.extend_from_slice(b"0.");
    push_groups(out, &digits, group);
    out.push(b'e');
    let exponent = i128::from(number.exponent) + digits.len() as i128;
    match i64::try_from(exponent) {
        Ok(exponent) => carat_text::number::decimal::push_i64(out, exponent),
        Err(_) => out.extend_from_slice(exponent.to_string().as_bytes()),
    }
    Ok(())
}

fn push_fixed(ec: &mut Ec, out: &mut Vec<u8>, number: &Number, group: usize) -> Result<()> {
    let mut digits = number.whole.text(ec)?;
    let room = number.exponent.unsigned_abs().saturating_mul(2) as usize;
    ec.make_room_in(out, room.saturating_add(digits.len() * 2))?;
    if let Ok(zeros) = usize::try_from(number.exponent) {
        ec.make_room_in(&mut digits, zeros)?;
        digits.resize(digits.len() + zeros, b'0');
        push_groups(out, &digits, group);
        out.extend_from_slice(b".0");
        return Ok(());
    }
    let behind = number.exponent.unsigned_abs() as usize;
    if behind < digits.len() {
        let (whole, fraction) = digits.split_at(digits.len() - behind);
        push_groups(out, whole, group);
        out.push(b'.');
        push_groups(out, fraction, group);
        return Ok(());
    }
    let mut fraction = Vec::new();
    ec.make_room_in(&mut fraction, behind)?;
    fraction.resize(behind - digits.len(), b'0');
    fraction.extend_from_slice(&digits);
    out.extend_from_slice(b"0.");
    push_groups(out, &fraction, group);
    Ok(())
}

fn push_groups(out: &mut Vec<u8>, digits: &[u8], group: usize) {
    if group == 0 {
        return out.extend_from_slice(digits);
    }
    for (index, part) in digits.chunks(group).enumerate() {
        if index > 0 {
            out.push(b' ');
        }
        out.extend_from_slice(part);
    }
}
