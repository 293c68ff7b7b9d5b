//! What `lib/date.rb` leaves to native code: formatting.

use super::make::EXACT;
use super::{ratio_of, reduced, text};
use carat_text::number::Int;
use carat_text::strftime::{Dialect, TimeFields, strftime as format_time};
use carat_vm::{Ec, Result, Str, Value};
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
fn zone_name(offset: i64) -> String {
    let (sign, minutes) = (if offset < 0 { '-' } else { '+' }, offset.abs() / 60);
    format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
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
    let bytes = text::format_bytes(ec, format)?;
    let (year, jd) = (big(ec, year)?, big(ec, jd)?);
    let exact = ratio_of(ec, nanosecond, EXACT)?;
    let (nanosecond, rest) = exact.numerator.div_mod_floor(&exact.denominator);
    let rest = reduced(rest, exact.denominator);
    let zone = zone_name(offset);
    let weekday = (&jd + 1_i32).mod_floor(&BigInt::from(7));
    let fields = TimeFields {
        year: Int::from(year),
        month: (month_and_day >> 5 & 15) as u8,
        day: (month_and_day & 31) as u8,
        hour: (second / 3600) as u8,
        minute: (second / 60 % 60) as u8,
        second: (second % 60) as u8,
        nanosecond: nanosecond.to_u32().unwrap_or(0),
        sub_nanosecond: (!rest.numerator.is_zero()).then_some(&rest),
        weekday: weekday.to_u8().unwrap_or(0),
        yday: yday as u16,
        utc_offset: offset as i32,
        is_utc: false,
        zone: Some(zone.as_bytes()),
        epoch: Int::from((jd - EPOCH_JD) * 86_400 + second - offset),
    };
    let mut out = Vec::new();
    let done = format_time(&bytes, &fields, Dialect::Date, &mut out).map(|()| out);
    text::result(ec, format, &bytes, done)
}
