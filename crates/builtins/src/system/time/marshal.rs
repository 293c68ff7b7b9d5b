//! `Time#_dump` and `Time._load`: eight bytes of UTC down to the microsecond, and instance variables for the rest.
//!
//! # Layout
//! Two little-endian words, from the highest bit: 1, whether UTC, year since 1900 (16 bits), month (4), day (5), hour (5);
//! minute (6), second (6), microsecond (20). A year that does not fit is the nearest that does, and how far it is off
//! follows: a size as Marshal writes numbers, and that many bytes.
//!
//! # References
//! CRuby `time_mdump`, `time_mload`.

use super::calendar::{civil, days};
use super::{
    BILLION, CYCLE, Clock, Time, TimeRef, Zone, ZoneKind, from_nanoseconds, new_time, part, plus_ratio, read_clock,
    reduced, zone,
};
use carat_text::number::exact::Ratio;
use carat_vm::{Class, Ec, Result, Str, Value};
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::ToPrimitive;

const FIRST_YEAR: i64 = 1900;
/// Years beyond these take bytes of their own.
const YEARS: i64 = 0xFFFF;

fn set(ec: &Ec, object: Value, name: &str, value: Value) {
    ec.set_field(object, ec.vm().intern(name), value);
}

/// The string, with variables `offset`, `zone` and the parts of the fraction.
pub(super) fn dump(ec: &mut Ec, this: TimeRef, _limit: Option<Value>) -> Result<Str> {
    let time = *this.get(ec);
    let c = civil(time.seconds);
    let (year, far) = year_bytes(&(time.cycles(ec) * 400 + c.year));
    let is_utc = u32::from(time.clock == Clock::Utc);
    let high = 1 << 31
        | is_utc << 30
        | year << 14
        | (u32::from(c.month) - 1) << 10
        | u32::from(c.day) << 5
        | u32::from(c.hour);
    let low = u32::from(c.minute) << 26 | u32::from(c.second) << 20 | (time.nanoseconds / 1000);
    let mut bytes = [high.to_le_bytes(), low.to_le_bytes()].concat();
    bytes.extend(far);
    let dump = Str::binary(ec, &bytes);
    for name in ec.instance_variable_names(this.value()) {
        let value = ec.field(this.value(), name).unwrap_or(Value::NIL);
        ec.set_field(dump.value(), name, value);
    }
    fraction(ec, dump.value(), &time);
    let reading = read_clock(ec, &time);
    if time.clock != Clock::Utc {
        set(ec, dump.value(), OFFSET, ec.int(i64::from(reading.offset)));
    }
    let zone = match time.clock {
        // A zone object goes by its name.
        Clock::Zone(Zone { kind: ZoneKind::Object, name, .. }) => ec.call(name, ec.vm().intern("name"), &[])?,
        _ => reading.zone.value(ec),
    };
    set(ec, dump.value(), ZONE, zone);
    Ok(dump)
}

/// Names in the dump, as fields that a program does not see.
const OFFSET: &str = "offset";
const ZONE: &str = "zone";

/// Years since 1900 as 16 bits, and the bytes behind the words of one that is further off.
fn year_bytes(year: &BigInt) -> (u32, Vec<u8>) {
    let years = year - FIRST_YEAR;
    let near = years.clone().clamp(BigInt::ZERO, YEARS.into());
    let distance = (years - &near).magnitude().to_bytes_le();
    let near = near.to_u32().unwrap_or(0);
    match &distance[..] {
        [0] => (near, Vec::new()),
        // Marshal writes numbers up to 122 as themselves and five.
        bytes => (near, [&[(bytes.len() as u8).saturating_add(5)][..], bytes].concat()),
    }
}

/// The year, less the cycles of 400 years that come first.
fn loaded_year(near: u32, far: &[u8]) -> (BigInt, i64) {
    let near = i64::from(near);
    let Some((size, bytes)) = far.split_first() else { return (BigInt::ZERO, near + FIRST_YEAR) };
    let len = usize::from(size.saturating_sub(5)).min(bytes.len());
    let distance = BigInt::from_bytes_le(Sign::Plus, &bytes[..len]);
    let year = BigInt::from(FIRST_YEAR) + if near == 0 { -distance } else { distance + near };
    let (cycles, year) = year.div_mod_floor(&BigInt::from(400));
    (cycles, year.to_i64().unwrap_or(0))
}

/// Nanoseconds below the microsecond, and their leading digits once more as packed decimals.
fn fraction(ec: &mut Ec, dump: Value, time: &Time) {
    let nanoseconds = time.nanoseconds % 1000;
    let rest = part(ec, time);
    if nanoseconds == 0 && rest.numerator == BigInt::ZERO {
        return;
    }
    let exact = plus_ratio(&Ratio::from_integer(nanoseconds.into()), &rest);
    let (n, d) = (ec.bigint(exact.numerator), ec.bigint(exact.denominator));
    set(ec, dump, "nano_num", n);
    set(ec, dump, "nano_den", d);
    let digits = [nanoseconds / 100, nanoseconds / 10 % 10, nanoseconds % 10].map(|d| d as u8);
    let packed = [digits[0] << 4 | digits[1], digits[2] << 4];
    let len = if digits[2] == 0 { 1 } else { 2 };
    set(ec, dump, "submicro", Str::binary(ec, &packed[..len]).value());
}

/// A time from what [`dump`] made.
pub(super) fn load(ec: &mut Ec, class: Class, dump: Str) -> Result {
    let bytes = dump.bytes(ec).to_vec();
    let Some(words) = bytes.first_chunk::<8>().map(|b| u64::from_le_bytes(*b)) else {
        return Err(ec.type_error("marshaled time format differ"));
    };
    let (high, low) = (words as u32, (words >> 32) as u32);
    let (cycles, seconds, microseconds, is_utc) = if high >> 31 == 1 {
        let month = i64::from(high >> 10 & 15);
        let (cycles, year) = loaded_year(high >> 14 & 0xFFFF, &bytes[8..]);
        let day = days(year + month / 12, month % 12 + 1, i64::from(high >> 5 & 31));
        let hour = day * 24 + i64::from(high & 31);
        let minute = hour * 60 + i64::from(low >> 26);
        (cycles, minute * 60 + i64::from(low >> 20 & 63), low & 0xF_FFFF, high >> 30 & 1 == 1)
    } else {
        // The format of old: seconds and microseconds since 1970.
        (BigInt::ZERO, i64::from(high), low, false)
    };
    let total = (cycles * CYCLE + seconds) * BILLION + i64::from(microseconds) * 1000;
    let total = plus_ratio(&Ratio::from_integer(total), &loaded_fraction(ec, dump));
    let time = from_nanoseconds(ec, &total, if is_utc { Clock::Utc } else { Clock::Local });
    let clock = if is_utc { Clock::Utc } else { loaded_clock(ec, class, dump, &time)? };
    let loaded = new_time(ec, class, Time { clock, ..time });
    for name in ec.instance_variable_names(dump.value()) {
        let value = ec.field(dump.value(), name).unwrap_or(Value::NIL);
        ec.set_field(loaded, name, value);
    }
    Ok(loaded)
}

fn variable(ec: &Ec, dump: Str, name: &str) -> Value {
    ec.field(dump.value(), ec.vm().intern(name)).unwrap_or(Value::NIL)
}

/// Nanoseconds below the microsecond, as far as they make sense.
fn loaded_fraction(ec: &Ec, dump: Str) -> Ratio {
    let parts = (ec.to_bigint(variable(ec, dump, "nano_num")), ec.to_bigint(variable(ec, dump, "nano_den")));
    match parts {
        (Some(numerator), Some(denominator)) => reduced(numerator, denominator),
        _ => Ratio::from_integer(decimals(ec, dump).into()),
    }
}

/// Nanoseconds as packed decimals, which is all that dumps of old have.
fn decimals(ec: &Ec, dump: Str) -> u32 {
    let packed = Str::from_value(variable(ec, dump, "submicro")).map_or(&[][..], |packed| packed.bytes(ec));
    let digit = |index: usize| u32::from(packed.get(index / 2).map_or(0, |byte| byte >> (4 - 4 * (index % 2)) & 15));
    digit(0) * 100 + digit(1) * 10 + digit(2)
}

/// A clock at the dump's offset, whose zone goes by the dump's name; of a class that finds zones the one that it found.
fn loaded_clock(ec: &mut Ec, class: Class, dump: Str, time: &Time) -> Result<Clock> {
    let offset = variable(ec, dump, OFFSET).as_fixnum().and_then(|o| i32::try_from(o).ok());
    let Some(offset) = offset.filter(|o| o.abs() < 86_400) else { return Ok(Clock::Local) };
    let name = variable(ec, dump, ZONE);
    if Str::from_value(name).is_none() {
        return Ok(Clock::Fixed(offset.into()));
    }
    let found = match zone::find_timezone(ec, class, name) {
        Err(_) if ec.is_unwinding_with(ec.vm().known().standard_error) => None,
        found => found?,
    };
    if let Some(zone) = found
        && let Some(clock) = zone::utc_to_local(ec, zone, time)?
    {
        return Ok(clock);
    }
    Ok(Clock::Zone(Zone { name, offset, is_dst: false, kind: ZoneKind::Loaded }))
}
