//! Making times: `now`, `at`, `new`, `utc` and `local`.

use super::calendar::{LocalZone, days};
use super::span::Span;
use super::{
    BILLION, CYCLE, Clock, Fraction, Time, TimeRef, check_fresh, from_nanoseconds, minus_ratio, nanoseconds_of, near,
    new_time, parse, plus_ratio, ratio_of, reduced, split_nanoseconds, zone,
};
use carat_text::number::exact::Ratio;
use carat_text::number::parse_integer::parse_strict;
use carat_vm::{Class, Ec, Keywords, Rest, Result, Str, Unwind, Value};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

pub(super) const EXACT: &str = "can't convert {} into an exact number";

fn present(ec: &Ec, clock: Clock) -> Time {
    let _ = ec;
    let (seconds, nanoseconds) = carat_os::process::clock(carat_os::c::CLOCK_REALTIME).unwrap_or((0, 0));
    Time::new(seconds, nanoseconds as u32, Fraction::ZERO, clock)
}

/// The option `in:`
fn zone_option(ec: &mut Ec, options: Keywords) -> Option<Value> {
    options.0?;
    let name = ec.vm().intern("in");
    options.get(ec, name).filter(|zone| !zone.is_nil())
}

fn check_options(ec: &mut Ec, options: Keywords, has_precision: bool) -> Result<()> {
    if options.0.is_none() {
        return Ok(());
    }
    let names = [ec.vm().intern("in"), ec.vm().intern("precision")];
    options.check(ec, if has_precision { &names } else { &names[..1] })
}

/// The present moment, on the clock that a zone argument names.
fn present_in(ec: &mut Ec, class: Class, zone: Option<Value>) -> Result<Time> {
    let mut time = present(ec, Clock::Local);
    if let Some(zone) = zone {
        time.clock = zone::clock_at(ec, class, zone, &time)?;
    }
    Ok(time)
}

pub(super) fn now(ec: &mut Ec, class: Class, options: Keywords) -> Result {
    check_options(ec, options, false)?;
    let zone = zone_option(ec, options);
    let time = present_in(ec, class, zone)?;
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
    check_options(ec, options, false)?;
    let zone = zone_option(ec, options);
    let mut time = match TimeRef::from_value(value).filter(|_| sub.is_none()) {
        Some(other) => *other.get(ec),
        None => moment(ec, value, sub, unit)?,
    };
    if let Some(zone) = zone {
        time.clock = zone::clock_at(ec, class, zone, &time)?;
    }
    Ok(new_time(ec, class, time))
}

fn moment(ec: &mut Ec, value: Value, sub: Option<Value>, unit: Option<Value>) -> Result<Time> {
    if let Some(span) = span(ec, value, sub, unit)? {
        return Ok(span.time(ec, Clock::Local));
    }
    // A unit that is none is found before numbers that are none.
    let per_unit = unit_nanoseconds(ec, unit)?;
    let mut nanoseconds = nanoseconds_of(ec, value, EXACT)?;
    if let Some(sub) = sub {
        let ratio = ratio_of(ec, sub, EXACT)?;
        nanoseconds = plus_ratio(&nanoseconds, &reduced(ratio.numerator * per_unit, ratio.denominator));
    }
    Ok(from_nanoseconds(ec, &nanoseconds, Clock::Local))
}

/// The time since 1970, if its parts are of moderate size.
fn span(ec: &mut Ec, value: Value, sub: Option<Value>, unit: Option<Value>) -> Result<Option<Span>> {
    let whole = Span::of_number(ec, value);
    let (Some(whole), Some(sub)) = (whole, sub) else { return Ok(whole) };
    let per_unit = i128::from(unit_nanoseconds(ec, unit)?);
    let sub = sub.as_fixnum().map(|sub| Span::of_nanoseconds(i128::from(sub) * per_unit));
    Ok(sub.and_then(|sub| whole.plus(sub)))
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

/// Year, month, day, hour and minute, and the second.
pub(super) struct Fields {
    pub(super) numbers: [i64; 5],
    pub(super) second: Second,
    /// By how many times 400 years the year is further off, where it is absurd.
    cycles: BigInt,
}

impl Fields {
    pub(super) fn new(year: &BigInt, mut numbers: [i64; 5], second: Second) -> Fields {
        let near = year.to_i64().filter(|y| y.unsigned_abs() <= 1 << 34);
        let cycles = if near.is_some() { BigInt::zero() } else { Integer::div_floor(year, &BigInt::from(400)) - 5 };
        numbers[0] = near.or_else(|| (year - &cycles * 400_i64).to_i64()).unwrap_or(0);
        Fields { numbers, second, cycles }
    }
}

/// A second of a minute and its part.
#[derive(Clone)]
pub(super) struct Second {
    whole: i64,
    nanoseconds: u32,
    rest: Fraction,
    /// All of it, in nanoseconds, if a fraction of 64 bits does not hold the rest.
    exact: Option<Ratio>,
}

impl Second {
    pub(super) fn whole(whole: i64) -> Second {
        Second { whole, nanoseconds: 0, rest: Fraction::ZERO, exact: None }
    }

    /// That many nanoseconds; the whole seconds are -1 where they do not fit.
    pub(super) fn of_nanoseconds(total: &Ratio) -> Second {
        let (seconds, nanoseconds, rest) = split_nanoseconds(total);
        let exact = rest.is_none().then(|| total.clone());
        Second { whole: seconds.to_i64().unwrap_or(-1), nanoseconds, rest: rest.unwrap_or(Fraction::ZERO), exact }
    }

    fn nanoseconds(&self) -> Ratio {
        if let Some(exact) = &self.exact {
            return exact.clone();
        }
        let whole = BigInt::from(self.whole) * BILLION + self.nanoseconds;
        plus_ratio(&Ratio::from_integer(whole), &self.rest.ratio())
    }

    /// The time so long after a number of seconds since 1970, and after a number of cycles of 400 years.
    fn after(&self, ec: &Ec, start: i64, cycles: &BigInt, clock: Clock) -> Time {
        let seconds = BigInt::from(start) + cycles * CYCLE;
        match near(&(&seconds + self.whole)) {
            Some(seconds) if self.exact.is_none() => Time::new(seconds, self.nanoseconds, self.rest, clock),
            _ => {
                let total = plus_ratio(&Ratio::from_integer(seconds * BILLION), &self.nanoseconds());
                from_nanoseconds(ec, &total, clock)
            }
        }
    }
}

/// A year: an integer of any size, or a string of one.
fn year(ec: &mut Ec, value: Value) -> Result<BigInt> {
    if let Some(number) = value.as_fixnum() {
        return Ok(number.into());
    }
    let integer = match ec.check_string(value)? {
        Some(text) => match parse_strict(text.bytes(ec), 10) {
            Ok(number) => return Ok(number.into_big()),
            Err(_) => return text_number(ec, text).map(BigInt::from),
        },
        None => ec.to_int(value)?,
    };
    Ok(ec.to_bigint(integer).unwrap_or_default())
}

/// An integer, or a string of one.
fn number(ec: &mut Ec, value: Value) -> Result<i64> {
    if let Some(number) = value.as_fixnum() {
        return Ok(number);
    }
    match ec.check_string(value)? {
        Some(text) => text_number(ec, text),
        None => integer(ec, value),
    }
}

fn integer(ec: &mut Ec, value: Value) -> Result<i64> {
    let integer = ec.to_int(value)?;
    ec.to_long(integer)
}

fn text_number(ec: &mut Ec, text: Str) -> Result<i64> {
    if let Ok(carat_text::number::Int::Small(number)) = parse_strict(text.bytes(ec), 10) {
        return Ok(number);
    }
    let shown = ec.inspect(text.value())?.to_text(ec);
    Err(ec.argument_error(&format!("invalid value for Integer(): {shown}")))
}

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

fn month(ec: &mut Ec, value: Value) -> Result<i64> {
    if let Some(number) = value.as_fixnum() {
        return Ok(number);
    }
    let Some(text) = ec.check_string(value)? else { return integer(ec, value) };
    let name = text.to_text(ec).to_ascii_lowercase();
    match MONTHS.iter().position(|month| *month == name) {
        Some(index) => Ok(index as i64 + 1),
        None => text_number(ec, text),
    }
}

fn out_of_range(ec: &mut Ec, what: &str) -> Unwind {
    ec.argument_error(&format!("{what} out of range"))
}

/// An argument that CRuby keeps in so many bits: what does not fit them is an error of its own.
fn bits(ec: &mut Ec, number: i64, bits: u32) -> Result<i64> {
    if (0..1 << bits).contains(&number) { Ok(number) } else { Err(out_of_range(ec, "argument")) }
}

fn fields(ec: &mut Ec, args: &[Option<Value>]) -> Result<Fields> {
    let given = |i: usize| args.get(i).copied().flatten().filter(|value| !value.is_nil());
    let mut numbers = [0, 1, 1, 0, 0];
    let year = year(ec, args.first().copied().flatten().unwrap_or(Value::NIL))?;
    for (i, size) in [(1, 4), (2, 5), (3, 5), (4, 6)] {
        let Some(value) = given(i) else { continue };
        let found = if i == 1 { month(ec, value)? } else { number(ec, value)? };
        numbers[i] = bits(ec, found, size)?;
    }
    let second = given(5).map_or(Ok(Second::whole(0)), |value| second(ec, value))?;
    Ok(Fields::new(&year, numbers, second))
}

fn second(ec: &mut Ec, value: Value) -> Result<Second> {
    let second = match value.as_fixnum() {
        Some(number) => Second::whole(number),
        None => match ec.check_string(value)? {
            Some(text) => Second::whole(text_number(ec, text)?),
            None => {
                let total = nanoseconds_of(ec, value, EXACT)?;
                let whole = ec.bigint(split_nanoseconds(&total).0);
                ec.to_long(whole)?;
                Second::of_nanoseconds(&total)
            }
        },
    };
    bits(ec, second.whole, 6)?;
    Ok(second)
}

impl Fields {
    /// Refuses what no clock shows. An hour of 24 is midnight and nothing after it.
    pub(super) fn check(&self, ec: &mut Ec) -> Result<()> {
        let [_, month, day, hour, minute] = self.numbers;
        let is_midnight = hour == 24;
        let limits = [
            ("mon", month, 1, 12),
            ("mday", day, 1, 31),
            ("hour", hour, 0, 24),
            ("min", minute, 0, if is_midnight { 0 } else { 59 }),
            ("sec", self.second.whole, 0, if is_midnight { 0 } else { 60 }),
        ];
        match limits.iter().find(|(_, number, low, high)| number < low || number > high) {
            Some((name, ..)) => Err(out_of_range(ec, name)),
            None => Ok(()),
        }
    }

    /// The reading as seconds since 1970 on a clock without offset, without those of the minute.
    fn reading(&self) -> i64 {
        let [year, month, day, hour, minute] = self.numbers;
        days(year, month, day) * 86_400 + hour * 3600 + minute * 60
    }
}

/// The time that the fields name on a clock; of two an hour apart the later, or the earlier if that is asked for as daylight
/// saving time.
fn resolve(ec: &mut Ec, fields: &Fields, clock: Clock, is_dst: bool) -> Time {
    let reading = fields.reading();
    let mut second = fields.second.clone();
    let start = match clock {
        Clock::Fixed(offset) => {
            if !offset.rest.is_zero() {
                let rest = reduced(offset.rest.ratio().numerator * BILLION, offset.rest.ratio().denominator);
                second = Second::of_nanoseconds(&minus_ratio(&second.nanoseconds(), &rest));
            }
            reading - i64::from(offset.seconds)
        }
        Clock::Local => ec.vm().extension::<LocalZone>().resolve(reading, is_dst),
        Clock::Utc | Clock::Zone(_) => reading,
    };
    let mut time = second.after(ec, start, &fields.cycles, clock);
    if clock == Clock::Local {
        time.clock = Clock::Zone(zone::process_zone(ec, time.seconds));
    }
    time
}

/// The time that the fields name where a zone argument says, or on the process's clock.
fn resolve_in(ec: &mut Ec, class: Class, fields: &Fields, zone: Option<Value>) -> Result<Time> {
    let Some(zone) = zone else { return Ok(resolve(ec, fields, Clock::Local, false)) };
    // Which of the two times that the process's clock shows is meant.
    for (name, is_dst) in [("std", false), ("dst", true)] {
        if zone == Value::symbol(ec.vm().intern(name)) {
            return Ok(resolve(ec, fields, Clock::Local, is_dst));
        }
    }
    let whole = fields.second.whole;
    match zone::named(ec, class, zone, fields.reading() + whole)? {
        zone::Named::Clock(clock) => Ok(resolve(ec, fields, clock, false)),
        zone::Named::Moment(start, clock) => Ok(fields.second.after(ec, start - whole, &fields.cycles, clock)),
    }
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
    // With more arguments that of microseconds means nothing.
    if let Some(micros) = list[6].filter(|v| !v.is_nil() && args.len() == 7) {
        let ratio = match ec.check_string(micros)? {
            Some(text) => Ratio::from_integer(text_number(ec, text)?.into()),
            None => ratio_of(ec, micros, EXACT)?,
        };
        let sub = reduced(ratio.numerator * 1000, ratio.denominator);
        if sub.numerator < BigInt::default() || sub.numerator >= &sub.denominator * BILLION {
            return Err(out_of_range(ec, "subsecx"));
        }
        let whole = BigInt::from(fields.second.whole) * BILLION;
        fields.second = Second::of_nanoseconds(&plus_ratio(&Ratio::from_integer(whole), &sub));
    }
    fields.check(ec)?;
    let is_dst = args.len() == 10 && args.get(8).is_some_and(Value::truthy);
    let time = resolve(ec, &fields, clock, is_dst);
    Ok(new_time(ec, class, time))
}

pub(super) fn utc(ec: &mut Ec, class: Class, args: Rest) -> Result {
    from_parts(ec, class, args, Clock::Utc)
}

pub(super) fn local(ec: &mut Ec, class: Class, args: Rest) -> Result {
    from_parts(ec, class, args, Clock::Local)
}

pub(super) fn initialize(ec: &mut Ec, this: TimeRef, args: Rest, options: Keywords) -> Result {
    check_options(ec, options, true)?;
    if args.len() > 7 {
        return Err(ec.arity_error(args.len(), 0, Some(7)));
    }
    let class = ec.class_of(this.value()).real();
    let time = from_arguments(ec, class, args, options)?;
    check_fresh(ec, this)?;
    *this.get_mut(ec) = time;
    ec.wrote(this.value());
    Ok(this.value())
}

fn from_arguments(ec: &mut Ec, class: Class, args: Rest, options: Keywords) -> Result<Time> {
    let (positional, named) = (args.get(6).filter(|zone| zone.truthy()), zone_option(ec, options));
    if positional.is_some() && named.is_some() {
        return Err(ec.argument_error("timezone argument given as positional and keyword arguments"));
    }
    let zone = positional.or(named);
    let Some(first) = args.get(0) else { return present_in(ec, class, zone) };
    if args.len() == 1
        && let Some(text) = ec.check_string(first)?
    {
        let precision = parse::precision(ec, options)?;
        let (fields, own_zone) = parse::parse(ec, text, precision)?;
        fields.check(ec)?;
        return resolve_in(ec, class, &fields, own_zone.or(zone));
    }
    let list: [Option<Value>; 6] = std::array::from_fn(|i| args.get(i));
    let fields = fields(ec, &list)?;
    fields.check(ec)?;
    resolve_in(ec, class, &fields, zone)
}
