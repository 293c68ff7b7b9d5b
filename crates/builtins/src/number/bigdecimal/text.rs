//! Decimal numbers as texts: "0.15e1".

use super::number::{Kind, Number, This, load};
use crate::number::integer::operand::to_c_int;
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
        let Some(format) = format else { return Ok(Layout::default()) };
        let Some(format) = Str::from_value(format) else {
            let group = to_c_int(ec, format)?;
            let Some(group) = usize::try_from(group).ok().filter(|group| *group > 0) else {
                return Err(ec.argument_error("argument must be positive"));
            };
            return Ok(Layout { group, ..Layout::default() });
        };
        let bytes = format.bytes(ec);
        if bytes.contains(&0) {
            return Err(ec.argument_error("string contains null byte"));
        }
        let lead = bytes.first().copied().filter(|byte| matches!(byte, b'+' | b' '));
        let mut layout = Layout { lead, ..Layout::default() };
        for byte in bytes[usize::from(lead.is_some())..].iter().filter(|byte| !matches!(byte, b'\t'..=b'\r' | b' ')) {
            if !byte.is_ascii_digit() {
                layout.is_fixed = matches!(byte, b'F' | b'f');
                break;
            }
            layout.group = layout.group.saturating_mul(10).saturating_add(usize::from(byte - b'0'));
        }
        Ok(layout)
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
    push_groups(ec, out, &digits, group)?;
    out.push(b'e');
    // A point is within 64 bits.
    carat_text::number::decimal::push_i64(out, (number.exponent + digits.len() as i128) as i64);
    Ok(())
}

fn push_fixed(ec: &mut Ec, out: &mut Vec<u8>, number: &Number, group: usize) -> Result<()> {
    let mut digits = number.whole.text(ec)?;
    let zeros = usize::try_from(number.exponent.unsigned_abs()).unwrap_or(usize::MAX);
    ec.make_room_in(out, zeros.saturating_add(digits.len()).saturating_mul(if group == 0 { 1 } else { 3 }))?;
    if number.exponent >= 0 {
        if group == 0 {
            out.extend_from_slice(&digits);
            push_zeros(ec, out, zeros)?;
        } else {
            push_zeros(ec, &mut digits, zeros)?;
            push_whole(ec, out, &digits, group)?;
        }
        out.extend_from_slice(b".0");
        return Ok(());
    }
    if zeros < digits.len() {
        let (whole, fraction) = digits.split_at(digits.len() - zeros);
        push_whole(ec, out, whole, group)?;
        out.push(b'.');
        return push_groups(ec, out, fraction, group);
    }
    out.extend_from_slice(b"0.");
    if group == 0 {
        push_zeros(ec, out, zeros - digits.len())?;
        out.extend_from_slice(&digits);
        return Ok(());
    }
    let mut fraction = Vec::new();
    push_zeros(ec, &mut fraction, zeros - digits.len())?;
    fraction.extend_from_slice(&digits);
    push_groups(ec, out, &fraction, group)
}

/// As many bytes are written between two polls.
const STEP: usize = 1 << 20;

fn push_zeros(ec: &mut Ec, out: &mut Vec<u8>, mut count: usize) -> Result<()> {
    ec.make_room_in(out, count)?;
    while count > 0 {
        let step = count.min(STEP);
        out.resize(out.len() + step, b'0');
        count -= step;
        ec.poll()?;
    }
    Ok(())
}

/// Of what stands before the point the first group may be smaller than the others.
fn push_whole(ec: &mut Ec, out: &mut Vec<u8>, digits: &[u8], group: usize) -> Result<()> {
    let first = if group == 0 { 0 } else { digits.len() % group };
    out.extend_from_slice(&digits[..first]);
    if first > 0 && first < digits.len() {
        out.push(b' ');
    }
    push_groups(ec, out, &digits[first..], group)
}

fn push_groups(ec: &mut Ec, out: &mut Vec<u8>, digits: &[u8], group: usize) -> Result<()> {
    if group == 0 {
        out.extend_from_slice(digits);
        return Ok(());
    }
    let mut next_poll = out.len() + STEP;
    for (index, part) in digits.chunks(group).enumerate() {
        if index > 0 {
            out.push(b' ');
        }
        out.extend_from_slice(part);
        if out.len() > next_poll {
            next_poll = out.len() + STEP;
            ec.poll()?;
        }
    }
    Ok(())
}
