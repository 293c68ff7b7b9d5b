//! Making times: `now`, `at`, `new`, `utc`, `local`, and the strings and options they take.

use super::calendar::{LocalZone, days};
use super::{
    BILLION, Clock, Fraction, Time, TimeRef, from_nanoseconds, nanoseconds_of, new_time, plus_ratio, ratio_of, reduced,
};
use carat_text::number::exact::Ratio;
use carat_vm::{Class, Ec, Keywords, Rest, Result, Str, Value};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::ToPrimitive;

const EXACT: &str = "can't convert {} into an exact number";

fn present(ec: &Ec, clock: Clock) -> Time {
    let _ = ec;
    let (seconds, nanoseconds) = carat_vm::os::process::clock(carat_vm::os::c::CLOCK_REALTIME).unwrap_or((0, 0));
    Time { seconds, nanoseconds: nanoseconds as u32, rest: Fraction::ZERO, clock }
}

/// The option `in:`
fn zone_option(ec: &mut Ec, options: Keywords) -> Result<Option<Clock>> {
    let name = ec.vm().intern("in");
    match options.get(ec, name).filter(|v| !v.is_nil()) {
        Some(zone) => clock_of(ec, zone).map(Some),
        None => Ok(None),
    }
}

/// An offset in seconds or as "+09:00", "UTC", "Z" or a military letter.
pub(super) fn clock_of(ec: &mut Ec, zone: Value) -> Result<Clock> {
    if let Some(text) = ec.check_string(zone)? {
        let bytes = text.bytes(ec).to_vec();
        return match parse_offset(&bytes) {
            Some(clock) => Ok(clock),
            None => Err(ec.argument_error(&format!(
                "\"+HH:MM\", \"-HH:MM\", \"UTC\" or \"A\"..\"I\",\"K\"..\"Z\" expected for utc_offset: {}",
                String::from_utf8_lossy(&bytes)
            ))),
        };
    }
    let seconds = ratio_of(ec, zone, EXACT)?;
    let seconds = seconds.numerator.div_floor(&seconds.denominator).to_i32().unwrap_or(i32::MAX);
    if seconds.abs() >= 86_400 { Err(ec.argument_error("utc_offset out of range")) } else { Ok(Clock::Fixed(seconds)) }
}

fn parse_offset(text: &[u8]) -> Option<Clock> {
    match text {
        b"UTC" | b"Z" | b"-00:00" => return Some(Clock::Utc),
        [letter @ (b'A'..=b'I')] => return Some(Clock::Fixed(i32::from(letter - b'A' + 1) * 3600)),
        [letter @ (b'K'..=b'M')] => return Some(Clock::Fixed(i32::from(letter - b'A') * 3600)),
        [letter @ (b'N'..=b'Y')] => return Some(Clock::Fixed(-i32::from(letter - b'N' + 1) * 3600)),
        _ => {}
    }
    let (sign, rest) = match text {
        [b'+', rest @ ..] => (1, rest),
        [b'-', rest @ ..] => (-1, rest),
        _ => return None,
    };
    let digits: Vec<u8> = match rest.len() {
        2 | 4 | 6 => rest.to_vec(),
        5 if rest[2] == b':' => [&rest[..2], &rest[3..]].concat(),
        8 if rest[2] == b':' && rest[5] == b':' => [&rest[..2], &rest[3..5], &rest[6..]].concat(),
        _ => return None,
    };
    let part = |i: usize| match digits.get(i..i + 2) {
        Some(d) if d.iter().all(u8::is_ascii_digit) => Some(i32::from(d[0] - b'0') * 10 + i32::from(d[1] - b'0')),
        Some(_) => None,
        None => Some(0),
    };
    let (hours, minutes, seconds) = (part(0)?, part(2)?, part(4)?);
    (hours < 24 && minutes < 60 && seconds < 60).then_some(Clock::Fixed(sign * (hours * 3600 + minutes * 60 + seconds)))
}

pub(super) fn now(ec: &mut Ec, class: Class, options: Keywords) -> Result {
    let clock = zone_option(ec, options)?.unwrap_or(Clock::Local);
    let time = present(ec, clock);
    Ok(new_time(ec, class, time))
}

pub(super) fn at(
    ec: &mut Ec,
    class: Class,
    value: Value,
    sub: Option<Value>,
    unit: Option<Value>,
    options: Keywords,
) -> Result {
    let zone = zone_option(ec, options)?;
    if let Some(other) = TimeRef::from_value(value).filter(|_| sub.is_none()) {
        let other = *other.get(ec);
        return Ok(new_time(ec, class, Time { clock: zone.unwrap_or(other.clock), ..other }));
    }
    let mut nanoseconds = nanoseconds_of(ec, value, EXACT)?;
    if let Some(sub) = sub {
        let per_unit = unit_nanoseconds(ec, unit)?;
        let ratio = ratio_of(ec, sub, EXACT)?;
        nanoseconds = plus_ratio(&nanoseconds, &reduced(ratio.numerator * per_unit, ratio.denominator));
    }
    let time = from_nanoseconds(ec, &nanoseconds, zone.unwrap_or(Clock::Local))?;
    Ok(new_time(ec, class, time))
}

fn unit_nanoseconds(ec: &mut Ec, unit: Option<Value>) -> Result<i64> {
    let Some(unit) = unit else { return Ok(1000) };
    let name = unit.as_symbol().map(|s| ec.vm().symbol_text(s)).unwrap_or_default();
    match name.as_str() {
        "millisecond" => Ok(1_000_000),
        "microsecond" | "usec" => Ok(1000),
        "nanosecond" | "nsec" => Ok(1),
        _ => {
            let shown = ec.inspect(unit)?.to_text(ec);
            Err(ec.argument_error(&format!("unexpected unit: {}", shown.trim_start_matches(':'))))
        }
    }
}

/// Year, month, day, hour, minute and second of the arguments, the second in nanoseconds.
struct Fields {
    numbers: [i64; 5],
    nanoseconds: Ratio,
}

/// An integer, or a string of one.
fn number(ec: &mut Ec, value: Value) -> Result<i64> {
    if let Some(text) = ec.check_string(value)? {
        let parsed = text.to_text(ec).trim().parse();
        return match parsed {
            Ok(n) => Ok(n),
            Err(_) => {
                let shown = ec.inspect(text.value())?.to_text(ec);
                Err(ec.argument_error(&format!("invalid value for Integer(): {shown}")))
            }
        };
    }
    ec.to_long(value)
}

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

fn month(ec: &mut Ec, value: Value) -> Result<i64> {
    if let Some(text) = ec.check_string(value)? {
        let text = text.to_text(ec).to_ascii_lowercase();
        if let Some(index) = MONTHS.iter().position(|m| *m == text) {
            return Ok(index as i64 + 1);
        }
    }
    number(ec, value)
}

fn out_of_range(ec: &mut Ec, what: &str) -> carat_vm::Unwind {
    ec.argument_error(
        if what.is_empty() { "argument out of range".into() } else { format!("{what} out of range") }.as_str(),
    )
}

fn fields(ec: &mut Ec, args: &[Option<Value>]) -> Result<Fields> {
    let mut numbers = [0, 1, 1, 0, 0];
    let limits = [(i64::MIN, i64::MAX), (1, 12), (1, 31), (0, 24), (0, 59)];
    let names = ["", "mon", "mday", "", "min"];
    for (i, slot) in numbers.iter_mut().enumerate() {
        let Some(value) = args.get(i).copied().flatten().filter(|v| !v.is_nil()) else { continue };
        *slot = if i == 1 { month(ec, value)? } else { number(ec, value)? };
        if *slot < limits[i].0 || *slot > limits[i].1 {
            return Err(out_of_range(ec, if i == 1 { names[1] } else { "" }));
        }
    }
    let mut nanoseconds = Ratio::from_integer(BigInt::default());
    if let Some(value) = args.get(5).copied().flatten().filter(|v| !v.is_nil()) {
        let value = match ec.check_string(value)? {
            Some(text) => {
                let to_r = carat_vm::sym::TO_R;
                ec.call(text.value(), to_r, &[])?
            }
            None => value,
        };
        nanoseconds = nanoseconds_of(ec, value, EXACT)?;
    }
    let zero = BigInt::default();
    if nanoseconds.numerator < zero
        || nanoseconds.numerator >= &nanoseconds.denominator * (61 * BILLION)
        || (numbers[3] == 24 && (numbers[4] > 0 || nanoseconds.numerator > zero))
    {
        return Err(out_of_range(ec, ""));
    }
    Ok(Fields { numbers, nanoseconds })
}

/// The time that the fields name on a clock.
fn resolve(ec: &mut Ec, fields: &Fields, clock: Clock) -> Result<Time> {
    let [year, month, day, hour, minute] = fields.numbers;
    if year.unsigned_abs() > 1 << 34 {
        return Err(ec.range_error("year too big"));
    }
    let reading = days(year, month, day) * 86_400 + hour * 3600 + minute * 60;
    let start = match clock {
        Clock::Utc => reading,
        Clock::Fixed(offset) => reading - i64::from(offset),
        Clock::Local => ec.vm().extension::<LocalZone>().resolve(reading),
    };
    let whole = plus_ratio(&Ratio::from_integer(BigInt::from(start) * BILLION), &fields.nanoseconds);
    from_nanoseconds(ec, &whole, clock)
}

fn from_parts(ec: &mut Ec, class: Class, args: Rest, clock: Clock) -> Result {
    if args.is_empty() || args.len() > 8 && args.len() != 10 {
        return Err(ec.arity_error(args.len(), 1, Some(8)));
    }
    let mut list = [None; 7];
    for (i, slot) in list.iter_mut().enumerate() {
        // Ten arguments come in the order of `Time#to_a`.
        *slot = if args.len() == 10 { args.get([5, 4, 3, 2, 1, 0, 10][i]) } else { args.get(i) };
    }
    let mut fields = fields(ec, &list)?;
    if let Some(micros) = list[6].filter(|v| !v.is_nil()) {
        let ratio = ratio_of(ec, micros, EXACT)?;
        let sub = reduced(ratio.numerator * 1000, ratio.denominator);
        let billion = &fields.nanoseconds.denominator * BILLION;
        let seconds = fields.nanoseconds.numerator.div_floor(&billion) * BILLION;
        fields.nanoseconds = plus_ratio(&Ratio::from_integer(seconds), &sub);
    }
    let time = resolve(ec, &fields, clock)?;
    Ok(new_time(ec, class, time))
}

pub(super) fn utc(ec: &mut Ec, class: Class, args: Rest) -> Result {
    from_parts(ec, class, args, Clock::Utc)
}

pub(super) fn local(ec: &mut Ec, class: Class, args: Rest) -> Result {
    from_parts(ec, class, args, Clock::Local)
}

pub(super) fn initialize(ec: &mut Ec, this: TimeRef, args: Rest, options: Keywords) -> Result {
    let zone = zone_option(ec, options)?;
    if args.len() > 7 {
        return Err(ec.arity_error(args.len(), 0, Some(7)));
    }
    let positional = args.get(6).filter(|v| !v.is_nil());
    if positional.is_some() && zone.is_some() {
        return Err(ec.argument_error("timezone argument given as positional and keyword arguments"));
    }
    let clock = match positional {
        Some(value) => Some(clock_of(ec, value)?),
        None => zone,
    };
    let time = match args.get(0).filter(|v| !v.is_nil()) {
        None => present(ec, clock.unwrap_or(Clock::Local)),
        Some(first) if args.len() == 1 && Str::from_value(first).is_some() => {
            parse(ec, Str::from_value_unchecked(first), clock)?
        }
        Some(_) => {
            let list: [Option<Value>; 6] = std::array::from_fn(|i| args.get(i));
            let fields = fields(ec, &list)?;
            resolve(ec, &fields, clock.unwrap_or(Clock::Local))?
        }
    };
    *this.get_mut(ec) = time;
    Ok(this.value())
}

/// Takes up to `max` digits off the front.
fn digits<'a>(text: &mut &'a [u8], max: usize) -> &'a [u8] {
    let len = text.iter().take(max).take_while(|b| b.is_ascii_digit()).count();
    let (taken, rest) = text.split_at(len);
    *text = rest;
    taken
}

fn value_of(digits: &[u8]) -> i64 {
    digits.iter().fold(0, |n, d| n * 10 + i64::from(d - b'0'))
}

/// `Time.new("2024-05-06 07:08:09.5 +09:00")`
fn parse(ec: &mut Ec, text: Str, clock: Option<Clock>) -> Result<Time> {
    let whole = text.bytes(ec).to_vec();
    let shown = String::from_utf8_lossy(&whole).into_owned();
    let mut rest = whole.trim_ascii_end();
    let year = digits(&mut rest, 18);
    if rest.is_empty() && !year.is_empty() {
        let zero = Ratio::from_integer(BigInt::default());
        let fields = Fields { numbers: [value_of(year), 1, 1, 0, 0], nanoseconds: zero };
        return resolve(ec, &fields, clock.unwrap_or(Clock::Local));
    }
    if year.len() < 4 {
        return Err(ec.argument_error(
            if year.is_empty() {
                format!("no time information in {shown:?}")
            } else {
                format!("year must be 4 or more digits: {}", String::from_utf8_lossy(year))
            }
            .as_str(),
        ));
    }
    let mut numbers = [value_of(year), 1, 1, 0, 0];
    let names = ["mon", "mday", "hour", "min", "sec"];
    let limits = [(1, 12), (1, 31), (0, 24), (0, 59), (0, 60)];
    let mut second = 0;
    for (i, name) in names.iter().enumerate() {
        let separator = rest.first().copied().unwrap_or(0);
        let fits = match i {
            0 | 1 => separator == b'-',
            2 => separator == b' ' || separator == b'T',
            _ => separator == b':',
        };
        if !fits {
            let problem = if i == 2 {
                format!("no time information in {shown:?}")
            } else {
                format!("missing {name} part: {}", String::from_utf8_lossy(rest))
            };
            return Err(ec.argument_error(&problem));
        }
        rest = &rest[1..];
        let found = digits(&mut rest, 2);
        if found.len() != 2 {
            return Err(
                ec.argument_error(&format!("two digits {name} is expected: {}", String::from_utf8_lossy(&whole)))
            );
        }
        let number = value_of(found);
        if number < limits[i].0 || number > limits[i].1 {
            return Err(out_of_range(ec, name));
        }
        if i == 4 { second = number } else { numbers[i + 1] = number }
    }
    let mut fraction_of_second = Ratio::from_integer(BigInt::default());
    if rest.first() == Some(&b'.') {
        rest = &rest[1..];
        let fraction = digits(&mut rest, usize::MAX);
        if fraction.is_empty() {
            return Err(ec.argument_error(&format!("subsecond expected after dot: {shown}")));
        }
        let fraction = &fraction[..fraction.len().min(9)];
        let numerator = BigInt::parse_bytes(fraction, 10).unwrap_or_default() * BILLION;
        fraction_of_second = reduced(numerator, BigInt::from(10).pow(fraction.len() as u32));
    }
    let zone = rest.trim_ascii_start();
    let clock = match (clock, zone.is_empty()) {
        (Some(clock), _) => clock,
        (None, true) => Clock::Local,
        (None, false) => {
            let zone = ec.str(&String::from_utf8_lossy(zone));
            clock_of(ec, zone)?
        }
    };
    let nanoseconds = plus_ratio(&Ratio::from_integer(BigInt::from(second * BILLION)), &fraction_of_second);
    resolve(ec, &Fields { numbers, nanoseconds }, clock)
}
