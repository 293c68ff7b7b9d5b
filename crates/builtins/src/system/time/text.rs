//! Times as text.

use super::{BILLION, Clock, TimeRef, ZoneKind, new_time, part, plus_ratio, reading, reduced, year_shown};
use carat_text::number::Int;
use carat_text::number::exact::Ratio;
use carat_text::strftime::{Dialect, MAX_WIDTH, StrftimeError, TimeFields, strftime as format_time};
use carat_vm::{CodeRange, Ec, EncodingIndex, Result, Str, Value};
use num_traits::Zero;

/// What `%Z` writes: an abbreviation as it is, of a zone object what it answers to `abbr`, `strftime` or `name`.
fn zone_text(ec: &mut Ec, this: TimeRef) -> Result<Option<Vec<u8>>> {
    let zone = reading(ec, this).zone.value(ec);
    let Clock::Zone(super::Zone { kind: ZoneKind::Object, .. }) = this.get(ec).clock else {
        return Ok(Str::from_value(zone).map(|zone| zone.bytes(ec).to_vec()));
    };
    let utc = super::Time { clock: Clock::Utc, ..*this.get(ec) };
    let moment = new_time(ec, ec.vm().known().time, utc);
    let (abbr, strftime, name) = (ec.vm().intern("abbr"), ec.vm().intern("strftime"), ec.vm().intern("name"));
    let format = ec.str("%Z");
    let mut text = ec.call_if_responds(zone, abbr, &[moment])?;
    if text.is_none() {
        text = ec.call_if_responds(zone, strftime, &[format, moment])?;
    }
    if text.is_none() {
        text = ec.call_if_responds(zone, name, &[])?;
    }
    let text = ec.to_s(text.unwrap_or(Value::NIL))?;
    Ok(Some(text.bytes(ec).to_vec()))
}

fn formatted(
    ec: &mut Ec,
    this: TimeRef,
    format: &[u8],
    zone: Option<&[u8]>,
) -> std::result::Result<Vec<u8>, StrftimeError> {
    let r = reading(ec, this);
    let time = *this.get(ec);
    let c = r.civil;
    let rest = (!time.exact.is_nil() || !time.rest.is_zero()).then(|| part(ec, &time));
    let fields = TimeFields {
        year: if time.exact.is_nil() { Int::Small(c.year) } else { year_shown(ec, this) },
        month: c.month,
        day: c.day,
        hour: c.hour,
        minute: c.minute,
        second: c.second,
        nanosecond: time.nanoseconds,
        sub_nanosecond: rest.as_ref().filter(|rest| !rest.numerator.is_zero()),
        weekday: c.weekday,
        yday: c.yday,
        utc_offset: r.offset,
        is_utc: time.clock == Clock::Utc,
        zone,
        epoch: time.since_1970(ec),
    };
    let mut out = Vec::with_capacity(2 * format.len());
    format_time(format, &fields, Dialect::Time, &mut out).map(|()| out)
}

pub(super) fn strftime(ec: &mut Ec, this: TimeRef, format: Str) -> Result<Str> {
    if format.is_empty(ec) {
        ec.warn_verbose("strftime called with empty format string")?;
    }
    let bytes = format_bytes(ec, format)?;
    let zone = if bytes.contains(&b'Z') { zone_text(ec, this)? } else { None };
    let out = formatted(ec, this, &bytes, zone.as_deref());
    result(ec, format, &bytes, out)
}

/// A copy, because what runs while the fields are read may change the format.
pub(super) fn format_bytes(ec: &mut Ec, format: Str) -> Result<Vec<u8>> {
    if !format.encoding().is_ascii_compatible() {
        return Err(ec.argument_error("format should have ASCII compatible encoding"));
    }
    format.owned_bytes(ec)
}

/// What was formatted, in the format's encoding.
pub(super) fn result(
    ec: &mut Ec,
    format: Str,
    bytes: &[u8],
    out: std::result::Result<Vec<u8>, StrftimeError>,
) -> Result<Str> {
    match out {
        Ok(out) => Ok(Str::new(ec, &out, format.encoding(), CodeRange::Unknown)),
        Err(StrftimeError::InvalidFormat) => {
            Err(ec.argument_error(&format!("invalid format: {}", String::from_utf8_lossy(bytes))))
        }
        Err(StrftimeError::TooLong) => {
            Err(crate::system::errno::errno(ec, &std::io::Error::from_raw_os_error(carat_os::c::ERANGE), bytes))
        }
    }
}

/// A format of our own, which is valid and has no zone.
fn shown(ec: &mut Ec, this: TimeRef, format: &str) -> Str {
    let out = formatted(ec, this, format.as_bytes(), None).unwrap_or_default();
    Str::new(ec, &out, EncodingIndex::US_ASCII, CodeRange::Unknown)
}

fn offset_format(ec: &Ec, this: TimeRef) -> &'static str {
    if this.get(ec).clock == Clock::Utc { " UTC" } else { " %z" }
}

/// Date, `between`, the time of day and what follows, unless the year has more or less than four digits.
fn shown_plainly(ec: &mut Ec, this: TimeRef, between: u8, behind: impl FnOnce(i32, &mut Vec<u8>)) -> Option<Str> {
    let r = reading(ec, this);
    let c = r.civil;
    if !this.get(ec).exact.is_nil() || !(0..10_000).contains(&c.year) {
        return None;
    }
    let [[a, b], [d, e]] = [c.year / 100, c.year % 100].map(|part| two_digits(part as u32));
    let parts = [c.month, c.day, c.hour, c.minute, c.second].map(|part| two_digits(u32::from(part)));
    let mut out = Vec::with_capacity(40);
    out.extend([a, b, d, e]);
    for (part, before) in parts.into_iter().zip([b'-', b'-', between, b':', b':']) {
        out.extend([before, part[0], part[1]]);
    }
    behind(r.offset, &mut out);
    Some(Str::new(ec, &out, EncodingIndex::US_ASCII, CodeRange::SevenBit))
}

fn two_digits(number: u32) -> [u8; 2] {
    [b'0' + (number / 10 % 10) as u8, b'0' + (number % 10) as u8]
}

/// "+09:00"
fn push_offset(offset: i32, colon: &[u8], out: &mut Vec<u8>) {
    let minutes = offset.unsigned_abs() / 60;
    out.push(if offset < 0 { b'-' } else { b'+' });
    out.extend(two_digits(minutes / 60));
    out.extend(colon);
    out.extend(two_digits(minutes % 60));
}

pub(super) fn to_s(ec: &mut Ec, this: TimeRef) -> Str {
    let is_utc = this.get(ec).clock == Clock::Utc;
    let plain = shown_plainly(ec, this, b' ', |offset, out| match is_utc {
        true => out.extend(b" UTC"),
        false => {
            out.push(b' ');
            push_offset(offset, b"", out);
        }
    });
    if let Some(plain) = plain {
        return plain;
    }
    shown(ec, this, if is_utc { "%Y-%m-%d %H:%M:%S UTC" } else { "%Y-%m-%d %H:%M:%S %z" })
}

/// With the fraction of a second: as decimals down to nanoseconds, otherwise as a Rational.
pub(super) fn inspect(ec: &mut Ec, this: TimeRef) -> Str {
    let time = *this.get(ec);
    let rest = part(ec, &time);
    let is_whole = rest.numerator.is_zero();
    let fraction = match time.nanoseconds {
        0 if is_whole => String::new(),
        n if is_whole => format!(".{}", format!("{n:09}").trim_end_matches('0')),
        n => {
            let exact = plus_ratio(&Ratio::from_integer(n.into()), &rest);
            let seconds = reduced(exact.numerator, exact.denominator * BILLION);
            format!(" {}/{}", seconds.numerator, seconds.denominator)
        }
    };
    let offset = match reading(ec, this).offset % 60 {
        0 => offset_format(ec, this).to_owned(),
        seconds => format!(" %z{:02}", seconds.abs()),
    };
    let format = format!("%Y-%m-%d %H:%M:%S{fraction}{offset}");
    shown(ec, this, &format)
}

pub(super) fn ctime(ec: &mut Ec, this: TimeRef) -> Str {
    shown(ec, this, "%a %b %e %H:%M:%S %Y")
}

pub(super) fn xmlschema(ec: &mut Ec, this: TimeRef, digits: Option<i64>) -> Result<Str> {
    let digits = usize::try_from(digits.unwrap_or(0)).unwrap_or(0);
    ec.ensure_memory(digits.saturating_mul(2))?;
    let is_utc = this.get(ec).clock == Clock::Utc;
    let nanoseconds = this.get(ec).nanoseconds;
    if digits <= 9
        && let Some(plain) = shown_plainly(ec, this, b'T', |offset, out| {
            if digits > 0 {
                out.push(b'.');
                let places = (1..=9).map(|place| b'0' + (nanoseconds / 10_u32.pow(9 - place) % 10) as u8);
                out.extend(places.take(digits));
            }
            if is_utc { out.push(b'Z') } else { push_offset(offset, b":", out) }
        })
    {
        return Ok(plain);
    }
    let format = match digits {
        0 if is_utc => return Ok(shown(ec, this, "%Y-%m-%dT%H:%M:%SZ")),
        0 => return Ok(shown(ec, this, "%Y-%m-%dT%H:%M:%S%:z")),
        _ => {
            // Those that a format has no width for are zeros: no moment is known to as many places.
            let zeros = "0".repeat(digits.saturating_sub(MAX_WIDTH));
            let zone = if is_utc { "Z" } else { "%:z" };
            format!("%Y-%m-%dT%H:%M:%S.%{}N{zeros}{zone}", digits - zeros.len())
        }
    };
    Ok(shown(ec, this, &format))
}
