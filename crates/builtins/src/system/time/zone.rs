//! Offsets, time zone objects, and the same moment on other clocks.
//!
//! A zone object answers `local_to_utc(reading)` and `utc_to_local(moment)`, which both get a time in UTC: what a clock in the
//! zone shows, taken for UTC, and the moment itself. Their answers count as seconds since 1970, so that the difference is the
//! zone's offset.
//!
//! # References
//! CRuby `utc_offset_arg`, `zone_timelocal`, `zone_localtime`, `time_zonelocal`.

use super::calendar::LocalZone;
use super::make::EXACT;
use super::{Clock, Fraction, Offset, Time, TimeRef, Zone, ZoneKind, new_time, ratio_of, reading};
use carat_vm::{Class, Ec, EncodingIndex, Result, Str, Unwind, Value};
use num_integer::Integer;
use num_traits::ToPrimitive;

const DAY: i64 = 86_400;

/// What the process's zone says about a moment.
pub(super) fn process_zone(ec: &Ec, seconds: i64) -> Zone {
    let found = ec.vm().extension::<LocalZone>().at(seconds);
    let name = ec.fstring(found.name.as_bytes(), EncodingIndex::US_ASCII).value();
    Zone { name, offset: found.seconds, is_dst: found.is_dst, kind: ZoneKind::Process }
}

// ---- offsets ----

/// An offset in seconds or as "+09:00", "UTC", "Z" or a military letter; `None` for a string that is none of these.
pub(super) fn offset_arg(ec: &mut Ec, zone: Value) -> Result<Option<Clock>> {
    let Some(text) = ec.check_string(zone)? else { return number_offset(ec, zone).map(Some) };
    if !text.encoding().is_ascii_compatible() {
        return Ok(None);
    }
    match parse_offset(text.bytes(ec)) {
        Some(Clock::Fixed(offset)) if i64::from(offset.seconds).abs() >= DAY => Err(out_of_range(ec)),
        clock => Ok(clock),
    }
}

fn number_offset(ec: &mut Ec, number: Value) -> Result<Clock> {
    let exact = ratio_of(ec, number, EXACT)?;
    let (seconds, rest) = exact.numerator.div_mod_floor(&exact.denominator);
    let is_below = |s: i64| -DAY < s && s < DAY || s == -DAY && rest.sign() == num_bigint::Sign::Plus;
    let seconds = seconds.to_i32().filter(|s| is_below((*s).into()));
    let rest = match (rest.to_u64(), exact.denominator.to_u64()) {
        (Some(numerator), Some(denominator)) => Fraction { numerator, denominator },
        _ => Fraction::ZERO,
    };
    match seconds {
        Some(seconds) => Ok(Clock::Fixed(Offset { seconds, rest })),
        None => Err(out_of_range(ec)),
    }
}

fn out_of_range(ec: &mut Ec) -> Unwind {
    ec.argument_error("utc_offset out of range")
}

fn invalid(ec: &mut Ec, zone: Value) -> Unwind {
    let shown = match ec.to_s(zone) {
        Ok(text) => text.to_text(ec),
        Err(unwind) => return unwind,
    };
    ec.argument_error(&format!(
        "\"+HH:MM\", \"-HH:MM\", \"UTC\" or \"A\"..\"I\",\"K\"..\"Z\" expected for utc_offset: {shown}"
    ))
}

/// The hours may be too many, which is another mistake than a text that makes no sense.
fn parse_offset(text: &[u8]) -> Option<Clock> {
    let hours = |hours: u8, sign: i32| Some(Clock::Fixed((i32::from(hours) * 3600 * sign).into()));
    match text {
        [b'Z'] => return Some(Clock::Utc),
        [letter @ b'A'..=b'I'] => return hours(letter - b'A' + 1, 1),
        [letter @ b'K'..=b'M'] => return hours(letter - b'A', 1),
        [letter @ b'N'..=b'Y'] => return hours(letter - b'M', -1),
        _ if text.eq_ignore_ascii_case(b"UTC") => return Some(Clock::Utc),
        _ => {}
    }
    let (is_east, rest) = match text {
        [b'+', rest @ ..] => (true, rest),
        [b'-', rest @ ..] => (false, rest),
        _ => return None,
    };
    let [hours, minutes, seconds] = match rest.len() {
        2 => [Some(rest), None, None],
        4 => [Some(&rest[..2]), Some(&rest[2..]), None],
        6 => [Some(&rest[..2]), Some(&rest[2..4]), Some(&rest[4..])],
        5 if rest[2] == b':' => [Some(&rest[..2]), Some(&rest[3..]), None],
        8 if rest[2] == b':' && rest[5] == b':' => [Some(&rest[..2]), Some(&rest[3..5]), Some(&rest[6..])],
        _ => return None,
    }
    .map(|part| part.map_or(Some(0), two_digits));
    let (minutes, seconds) = (minutes.filter(|m| *m < 60)?, seconds.filter(|s| *s < 60)?);
    let total = hours? * 3600 + minutes * 60 + seconds;
    match (is_east, total) {
        (false, 0) => Some(Clock::Utc),
        (true, _) => Some(Clock::Fixed(total.into())),
        (false, _) => Some(Clock::Fixed((-total).into())),
    }
}

fn two_digits(text: &[u8]) -> Option<i32> {
    match text {
        [a @ b'0'..=b'9', b @ b'0'..=b'9'] => Some(i32::from(a - b'0') * 10 + i32::from(b - b'0')),
        _ => None,
    }
}

// ---- zone objects ----

fn utc(ec: &Ec, seconds: i64) -> Value {
    let time = Time::new(seconds, 0, Fraction::ZERO, Clock::Utc);
    new_time(ec, ec.vm().known().time, time)
}

fn is_dst(ec: &mut Ec, zone: Value, moment: Value) -> Result<bool> {
    let name = ec.vm().intern("dst?");
    Ok(ec.call_if_responds(zone, name, &[moment])?.is_some_and(Value::truthy))
}

fn zone_clock(ec: &mut Ec, zone: Value, offset: i64, moment: Value) -> Result<Clock> {
    let Some(offset) = i32::try_from(offset).ok().filter(|o| i64::from(*o).abs() < DAY) else {
        return Err(out_of_range(ec));
    };
    let is_dst = is_dst(ec, zone, moment)?;
    Ok(Clock::Zone(Zone { name: zone, offset, is_dst, kind: ZoneKind::Object }))
}

/// Seconds of what a zone answered.
fn seconds_of(ec: &mut Ec, answer: Value) -> Result<i64> {
    if let Some(time) = super::TimeRef::from_value(answer) {
        return time.get(ec).clone().near_seconds(ec);
    }
    if ec.to_bigint(answer).is_some() {
        return ec.to_long(answer);
    }
    let seconds = ec.call(answer, carat_vm::sym::TO_I, &[])?;
    ec.to_long(seconds)
}

/// The clock of a zone object at a time; `None` if it is no zone.
pub(super) fn utc_to_local(ec: &mut Ec, zone: Value, time: &Time) -> Result<Option<Clock>> {
    let seconds = time.near_seconds(ec)?;
    let (moment, name) = (utc(ec, seconds), ec.vm().intern("utc_to_local"));
    let Some(answer) = ec.call_if_responds(zone, name, &[moment])? else { return Ok(None) };
    let mut local = seconds_of(ec, answer)?;
    // A time with an offset of its own means what its clock shows.
    if let Some(Clock::Fixed(offset)) = TimeRef::from_value(answer).map(|time| time.get(ec).clock) {
        local += i64::from(offset.seconds);
    }
    zone_clock(ec, zone, local - seconds, moment).map(Some)
}

/// The moment at which clocks in the zone show `reading`, and the clock; `None` if it is no zone.
pub(super) fn local_to_utc(ec: &mut Ec, zone: Value, reading: i64) -> Result<Option<(i64, Clock)>> {
    let (shown, name) = (utc(ec, reading), ec.vm().intern("local_to_utc"));
    let Some(answer) = ec.call_if_responds(zone, name, &[shown])? else { return Ok(None) };
    let seconds = seconds_of(ec, answer)?;
    let clock = zone_clock(ec, zone, reading - seconds, shown)?;
    Ok(Some((seconds, clock)))
}

/// `Time.find_timezone(name)` of a class that has it.
pub(super) fn find_timezone(ec: &mut Ec, class: Class, zone: Value) -> Result<Option<Value>> {
    let name = ec.vm().intern("find_timezone");
    Ok(ec.call_if_responds(class.value(), name, &[zone])?.filter(|found| !found.is_nil()))
}

fn may_be_zone(ec: &Ec, value: Value) -> bool {
    !value.is_nil() && Str::from_value(value).is_none() && ec.to_bigint(value).is_none()
}

/// The clock that an argument names, at a time.
pub(super) fn clock_at(ec: &mut Ec, class: Class, zone: Value, time: &Time) -> Result<Clock> {
    if may_be_zone(ec, zone)
        && let Some(clock) = utc_to_local(ec, zone, time)?
    {
        return Ok(clock);
    }
    if let Some(clock) = offset_arg(ec, zone)? {
        return Ok(clock);
    }
    if let Some(found) = find_timezone(ec, class, zone)?
        && let Some(clock) = utc_to_local(ec, found, time)?
    {
        return Ok(clock);
    }
    Err(invalid(ec, zone))
}

/// What an argument of a constructor says about a clock's reading.
pub(super) enum Named {
    Clock(Clock),
    /// A zone object's answer.
    Moment(i64, Clock),
}

pub(super) fn named(ec: &mut Ec, class: Class, zone: Value, reading: i64) -> Result<Named> {
    if may_be_zone(ec, zone)
        && let Some((seconds, clock)) = local_to_utc(ec, zone, reading)?
    {
        return Ok(Named::Moment(seconds, clock));
    }
    if let Some(clock) = offset_arg(ec, zone)? {
        return Ok(Named::Clock(clock));
    }
    if let Some(found) = find_timezone(ec, class, zone)?
        && let Some((seconds, clock)) = local_to_utc(ec, found, reading)?
    {
        return Ok(Named::Moment(seconds, clock));
    }
    Err(invalid(ec, zone))
}

// ---- the same moment on other clocks ----

fn set_clock(ec: &mut Ec, this: TimeRef, clock: Clock) -> Result {
    if this.get(ec).clock != clock {
        if ec.is_frozen(this.value()) {
            return Err(ec.frozen_error(this.value()));
        }
        this.get_mut(ec).clock = clock;
        ec.wrote(this.value());
    }
    Ok(this.value())
}

pub(super) fn to_utc(ec: &mut Ec, this: TimeRef) -> Result {
    set_clock(ec, this, Clock::Utc)
}

/// The clock for a zone argument. Without one a time on the process's clock, or a zone's, stays as it is.
fn clock_arg(ec: &mut Ec, this: TimeRef, zone: Option<Value>) -> Result<Clock> {
    let time = *this.get(ec);
    match zone.filter(|z| !z.is_nil()) {
        Some(zone) => {
            let class = ec.class_of(this.value()).real();
            clock_at(ec, class, zone, &time)
        }
        None => {
            reading(ec, this);
            match this.get(ec).clock {
                clock @ (Clock::Local | Clock::Zone(Zone { kind: ZoneKind::Process | ZoneKind::Object, .. })) => {
                    Ok(clock)
                }
                _ => Ok(Clock::Zone(process_zone(ec, time.seconds))),
            }
        }
    }
}

pub(super) fn localtime(ec: &mut Ec, this: TimeRef, zone: Option<Value>) -> Result {
    let clock = clock_arg(ec, this, zone)?;
    set_clock(ec, this, clock)
}

fn on_clock(ec: &mut Ec, this: TimeRef, clock: Clock) -> Value {
    let (time, class) = (Time { clock, ..*this.get(ec) }, ec.class_of(this.value()).real());
    new_time(ec, class, time)
}

pub(super) fn getutc(ec: &mut Ec, this: TimeRef) -> Value {
    on_clock(ec, this, Clock::Utc)
}

pub(super) fn getlocal(ec: &mut Ec, this: TimeRef, zone: Option<Value>) -> Result {
    let clock = clock_arg(ec, this, zone)?;
    Ok(on_clock(ec, this, clock))
}
