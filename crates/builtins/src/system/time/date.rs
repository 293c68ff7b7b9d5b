//! What `lib/date.rb` leaves to native code: writing dates as a format says, and reading them.

use super::make::EXACT;
use super::{julian, ratio_of, reduced, text as formatting};
use carat_text::number::Int;
use carat_text::strftime::{Dialect, StrftimeError, TimeFields, strftime as format_time};
use carat_text::strptime::Content;
use carat_vm::{Array, Ec, Hash, Result, Str, Value};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

/// The Julian day number of 1970-01-01.
const EPOCH_JD: i64 = 2_440_588;

fn big(ec: &mut Ec, value: Value) -> Result<BigInt> {
    match ec.to_bigint(value) {
        Some(number) => Ok(number),
        None => Err(ec.type_error("not an integer")),
    }
}

/// "+09:00", which is the name of a date's zone.
fn zone_name(offset: i64) -> [u8; 6] {
    let minutes = (offset.unsigned_abs() / 60) as u32;
    let digits = |number: u32| [b'0' + (number / 10 % 10) as u8, b'0' + (number % 10) as u8];
    let ([h, hh], [m, mm]) = (digits(minutes / 60), digits(minutes % 60));
    [if offset < 0 { b'-' } else { b'+' }, h, hh, b':', m, mm]
}

/// The day of the week, and the seconds since 1970 of so many on the day.
fn weekday_and_epoch(ec: &mut Ec, jd: Value, second: i64) -> Result<(u8, Int)> {
    if let Some(jd) = jd.as_fixnum()
        && let Some(seconds) = jd.checked_sub(EPOCH_JD).and_then(|days| days.checked_mul(86_400)?.checked_add(second))
    {
        return Ok(((jd + 1).rem_euclid(7) as u8, Int::from(seconds)));
    }
    let jd = big(ec, jd)?;
    let weekday = (&jd + 1_i32).mod_floor(&BigInt::from(7));
    Ok((weekday.to_u8().unwrap_or(0), Int::from((jd - EPOCH_JD) * 86_400 + second)))
}

/// `Primitive.date_text`: year, month and day as ISO 8601 writes them; nil for years of more or less than four digits.
pub(super) fn text(ec: &mut Ec, packed: Value) -> Option<Str> {
    let text = packed.as_fixnum().and_then(julian::text)?;
    Some(Str::new(ec, &text, carat_vm::EncodingIndex::US_ASCII, carat_vm::CodeRange::SevenBit))
}

/// `Primitive.date_strftime`: a day of a year, month and day and its number in the year (in one integer, as `Date` packs
/// them), with the chronological Julian day, seconds and nanoseconds there, and the offset of the clock.
#[expect(clippy::too_many_arguments, reason = "the fields of a date, without an array of them")]
pub(super) fn strftime(
    ec: &mut Ec,
    format: Str,
    year: Value,
    month_and_day: i64,
    yday: i64,
    jd: Value,
    second: i64,
    nanosecond: Value,
    offset: i64,
) -> Result<Str> {
    let bytes = formatting::format_bytes(ec, format)?;
    let (nanosecond, rest) = match nanosecond.as_fixnum() {
        Some(whole) => (whole as u32, None),
        None => {
            let exact = ratio_of(ec, nanosecond, EXACT)?;
            let (whole, rest) = exact.numerator.div_mod_floor(&exact.denominator);
            let rest = reduced(rest, exact.denominator);
            (whole.to_u32().unwrap_or(0), (!rest.numerator.is_zero()).then_some(rest))
        }
    };
    let zone = zone_name(offset);
    let (weekday, epoch) = weekday_and_epoch(ec, jd, second - offset)?;
    let fields = TimeFields {
        year: match year.as_fixnum() {
            Some(year) => Int::from(year),
            None => Int::from(big(ec, year)?),
        },
        month: (month_and_day >> 5 & 15) as u8,
        day: (month_and_day & 31) as u8,
        hour: (second / 3600) as u8,
        minute: (second / 60 % 60) as u8,
        second: (second % 60) as u8,
        nanosecond,
        sub_nanosecond: rest.as_ref(),
        weekday,
        yday: yday as u16,
        utc_offset: offset as i32,
        is_utc: false,
        zone: Some(&zone),
        epoch,
    };
    let mut out = Vec::with_capacity(2 * bytes.len());
    let done = format_time(&bytes, &fields, Dialect::Date, &mut out);
    let done = done.and(if out.len() < longest(bytes.len()) { Ok(out) } else { Err(StrftimeError::TooLong) });
    formatting::result(ec, format, &bytes, done)
}

/// As long as the text of a format may not become: CRuby doubles a buffer of 1 KB until it has as many for each byte of the format.
fn longest(format_len: usize) -> usize {
    1024 * format_len.max(1).next_power_of_two()
}

/// `Primitive.date_strptime`: puts the parts that the format names into a hash; where the rest of the text begins, nil if it does not
/// fit. Fractions are pairs of a number and how many digits it has behind the point. What belongs together, and zones, are left
/// to the caller: if there is such a thing, the answer is the place's complement.
pub(super) fn strptime(ec: &mut Ec, text: Str, format: Str, into: Hash) -> Result {
    if !format.encoding().is_ascii_compatible() {
        return Err(ec.argument_error("format should have ASCII compatible encoding"));
    }
    let Some(found) = carat_text::strptime::parse(text.bytes(ec), format.bytes(ec)) else { return Ok(Value::NIL) };
    let mut is_complete = true;
    for (name, content) in found.parts {
        is_complete &=
            matches!(content, Content::Small(_) | Content::Whole { .. }) && name != carat_text::strptime::CENTURY;
        let key = Value::symbol(ec.vm().intern(name.0));
        let value = match content {
            Content::Small(number) | Content::Half(number) => ec.int(number),
            Content::Century(_) if into.get(ec, key)?.is_some() => continue,
            Content::Century(number) => ec.int(number),
            Content::Text(range) => text.slice(ec, range.start, range.len()).value(),
            Content::Whole { digits, is_negative } => whole(ec, text, digits, is_negative)?,
            Content::Fraction { digits, is_negative } => {
                let len = Value::len(digits.len());
                let number = whole(ec, text, digits, is_negative)?;
                Array::pair(ec, number, len).value()
            }
            Content::Thousandths { digits, is_negative } => {
                let number = whole(ec, text, digits, is_negative)?;
                Array::pair(ec, number, Value::fixnum_unchecked(3)).value()
            }
        };
        into.set(ec, key, value)?;
        if name == carat_text::strptime::ZONE {
            // The caller knows zones; here is the place.
            let offset = ec.vm().intern("offset");
            into.set_symbol(ec, offset, Value::NIL);
        }
    }
    let end = found.end as i64;
    Ok(ec.int(if is_complete { end } else { !end }))
}

fn whole(ec: &mut Ec, text: Str, digits: std::ops::Range<usize>, is_negative: bool) -> Result {
    let bytes = text.bytes(ec).get(digits).unwrap_or_default();
    if bytes.len() <= 18 {
        let number = bytes.iter().fold(0, |number: i64, digit| number * 10 + i64::from(digit - b'0'));
        return Ok(ec.int(if is_negative { -number } else { number }));
    }
    let text = [if is_negative { b"-".as_slice() } else { b"" }, bytes].concat();
    let text = Str::new(ec, &text, carat_vm::EncodingIndex::US_ASCII, carat_vm::CodeRange::SevenBit).value();
    ec.call(text, ec.vm().intern("to_i"), &[])
}
