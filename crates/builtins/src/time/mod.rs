//! `Time`: nanoseconds since 1970, fractions of them, and the clock they are read on.
//!
//! # Code map
//! `calendar` knows dates and zones, `make` the constructors, `marshal` what a dump holds. Arithmetic, accessors and formatting are here.
//!
//! # Not here
//! Time zone objects: offsets and zone letters only.

mod calendar;
mod make;
mod marshal;

use calendar::{Civil, LocalZone, civil};
use carat_text::number::Int;
use carat_text::number::exact::{Ratio, float_to_ratio};
use carat_text::strftime::{Dialect, StrftimeError, TimeFields, strftime as format_time};
use carat_vm::{
    Array, Class, CodeRange, Data, Ec, EncodingIndex, HeapType, NativeData, Result, Str, Value, methods, primitives,
    sym,
};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive};

const BILLION: i64 = 1_000_000_000;

/// The clock a time is read on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Clock {
    Utc,
    Local,
    /// Seconds east of Greenwich.
    Fixed(i32),
}

#[derive(Clone, Copy)]
pub(crate) struct Time {
    seconds: i64,
    nanoseconds: u32,
    /// The rest, as a fraction of a nanosecond below one. What 64 bits do not hold is cut off.
    rest: Fraction,
    clock: Clock,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Fraction {
    numerator: u64,
    denominator: u64,
}

impl Fraction {
    const ZERO: Fraction = Fraction { numerator: 0, denominator: 1 };

    fn is_zero(self) -> bool {
        self.numerator == 0
    }

    fn ratio(self) -> Ratio {
        Ratio { numerator: self.numerator.into(), denominator: self.denominator.into() }
    }
}

impl NativeData for Time {
    const NAME: &'static str = "Time";
    const IS_SHAREABLE: bool = true;

    fn mark(&self, _mark: &mut dyn FnMut(Value)) {}
}

pub(crate) type TimeRef = Data<Time>;

fn new_time(ec: &Ec, class: Class, time: Time) -> Value {
    Data::new(ec, class, time).value()
}

/// A time of class Time on the local clock.
pub(crate) fn local_time(ec: &mut Ec, seconds: i64, nanoseconds: i64) -> Result {
    let time = Time { seconds, nanoseconds: nanoseconds as u32, rest: Fraction::ZERO, clock: Clock::Local };
    Ok(new_time(ec, ec.vm().known().time, time))
}

/// Forgets what was known of TZ.
pub(crate) fn zone_changed(ec: &Ec) {
    ec.vm().extension::<LocalZone>().forget();
}

/// Seconds and nanoseconds of a Time or a number.
pub(crate) fn seconds_and_nanoseconds(ec: &mut Ec, value: Value) -> Result<(i64, i64)> {
    if let Some(time) = TimeRef::from_value(value) {
        let time = time.get(ec);
        return Ok((time.seconds, i64::from(time.nanoseconds)));
    }
    let total = nanoseconds_of(ec, value, "can't convert {} into exact number")?;
    let time = from_nanoseconds(ec, &total, Clock::Utc)?;
    Ok((time.seconds, i64::from(time.nanoseconds)))
}

// ---- numbers ----

/// A number of seconds as an exact ratio.
fn ratio_of(ec: &mut Ec, value: Value, message: &str) -> Result<Ratio> {
    if let Some(number) = ec.to_bigint(value) {
        return Ok(Ratio::from_integer(number));
    }
    if let Some(f) = ec.float_of(value) {
        return match float_to_ratio(f) {
            Some(ratio) => Ok(ratio),
            None => {
                let text = ec.to_s(value)?.to_text(ec);
                Err(ec.error(ec.vm().known().float_domain_error, &text))
            }
        };
    }
    if let Some((numerator, denominator)) = ec.pair_of(value, HeapType::Rational) {
        let parts = (ec.to_bigint(numerator), ec.to_bigint(denominator));
        if let (Some(n), Some(d)) = parts {
            return Ok(Ratio::new(n, d).unwrap_or(Ratio::from_integer(BigInt::one())));
        }
    }
    let is_plain =
        value.is_nil() || Str::from_value(value).is_some() || TimeRef::from_value(value).is_some() || !value.is_heap();
    if !is_plain && ec.respond_to(value, sym::TO_R, false)? {
        let exact = ec.call(value, sym::TO_R, &[])?;
        if exact.is_type(HeapType::Rational) {
            return ratio_of(ec, exact, message);
        }
    }
    if !is_plain && ec.respond_to(value, sym::TO_INT, false)? {
        let integer = ec.to_int(value)?;
        return ratio_of(ec, integer, message);
    }
    let given = ec.describe_for_type_error(value);
    Err(ec.type_error(&message.replace("{}", &given)))
}

/// Exact nanoseconds.
fn nanoseconds_of(ec: &mut Ec, value: Value, message: &str) -> Result<Ratio> {
    let ratio = ratio_of(ec, value, message)?;
    Ok(reduced(ratio.numerator * BILLION, ratio.denominator))
}

fn reduced(numerator: BigInt, denominator: BigInt) -> Ratio {
    Ratio::new(numerator, denominator).unwrap_or(Ratio::from_integer(BigInt::one()))
}

fn plus_ratio(a: &Ratio, b: &Ratio) -> Ratio {
    reduced(&a.numerator * &b.denominator + &b.numerator * &a.denominator, &a.denominator * &b.denominator)
}

fn minus_ratio(a: &Ratio, b: &Ratio) -> Ratio {
    plus_ratio(a, &Ratio { numerator: -&b.numerator, denominator: b.denominator.clone() })
}

fn from_nanoseconds(ec: &mut Ec, total: &Ratio, clock: Clock) -> Result<Time> {
    let (whole, rest) = total.numerator.div_mod_floor(&total.denominator);
    let rest = match (rest.to_u64(), total.denominator.to_u64()) {
        (Some(numerator), Some(denominator)) => Fraction { numerator, denominator },
        _ => Fraction::ZERO,
    };
    let (seconds, nanoseconds) = whole.div_mod_floor(&BigInt::from(BILLION));
    match seconds.to_i64().filter(|s| s.unsigned_abs() < 1 << 60) {
        Some(seconds) => Ok(Time { seconds, nanoseconds: nanoseconds.to_u32().unwrap_or(0), rest, clock }),
        None => Err(ec.range_error("Time too far from 1970")),
    }
}

/// Nanoseconds since 1970.
fn total(time: &Time) -> Ratio {
    let whole = BigInt::from(time.seconds) * BILLION + time.nanoseconds;
    plus_ratio(&Ratio::from_integer(whole), &time.rest.ratio())
}

/// A count of nanoseconds as a Rational number of seconds.
fn rational(ec: &Ec, nanoseconds: &Ratio) -> Value {
    let ratio = reduced(nanoseconds.numerator.clone(), &nanoseconds.denominator * BILLION);
    let (n, d) = (ec.bigint(ratio.numerator), ec.bigint(ratio.denominator));
    ec.new_rational(n, d)
}

// ---- on a clock ----

struct Reading {
    civil: Civil,
    offset: i32,
    is_dst: bool,
    zone: Option<String>,
}

fn read_clock(ec: &Ec, time: &Time) -> Reading {
    let (offset, is_dst, zone) = match time.clock {
        Clock::Utc => (0, false, Some("UTC".to_owned())),
        Clock::Fixed(offset) => (offset, false, None),
        Clock::Local => {
            let found = ec.vm().extension::<LocalZone>().at(time.seconds);
            (found.seconds, found.is_dst, Some(found.name))
        }
    };
    Reading { civil: civil(time.seconds + i64::from(offset)), offset, is_dst, zone }
}

macro_rules! accessors {
    ($($name:ident($reading:ident) $answer:expr;)+) => {$(
        fn $name(ec: &mut Ec, this: TimeRef) -> i64 {
            let $reading = read_clock(ec, this.get(ec));
            i64::from($answer)
        }
    )+};
}

accessors! {
    year(r) r.civil.year; month(r) r.civil.month; day(r) r.civil.day; hour(r) r.civil.hour; minute(r) r.civil.minute;
    second(r) r.civil.second; weekday(r) r.civil.weekday; yday(r) r.civil.yday; utc_offset(r) r.offset;
}

macro_rules! weekdays {
    ($($name:ident $number:literal;)+) => {$(
        fn $name(ec: &mut Ec, this: TimeRef) -> bool {
            read_clock(ec, this.get(ec)).civil.weekday == $number
        }
    )+};
}

weekdays! { is_sunday 0; is_monday 1; is_tuesday 2; is_wednesday 3; is_thursday 4; is_friday 5; is_saturday 6; }

fn nsec(ec: &mut Ec, this: TimeRef) -> i64 {
    i64::from(this.get(ec).nanoseconds)
}

fn usec(ec: &mut Ec, this: TimeRef) -> i64 {
    i64::from(this.get(ec).nanoseconds / 1000)
}

fn subsec(ec: &mut Ec, this: TimeRef) -> Value {
    let time = this.get(ec);
    if time.nanoseconds == 0 && time.rest.is_zero() {
        return Value::len(0);
    }
    let whole = Ratio::from_integer(time.nanoseconds.into());
    rational(ec, &plus_ratio(&whole, &time.rest.ratio()))
}

fn to_i(ec: &mut Ec, this: TimeRef) -> i64 {
    this.get(ec).seconds
}

fn to_f(ec: &mut Ec, this: TimeRef) -> f64 {
    let time = this.get(ec);
    let total = total(time);
    let ratio = reduced(total.numerator, total.denominator * BILLION);
    match (ratio.numerator.to_f64(), ratio.denominator.to_f64()) {
        (Some(n), Some(d)) if n.abs() < 9e15 => n / d,
        _ => time.seconds as f64 + f64::from(time.nanoseconds) / 1e9,
    }
}

fn to_r(ec: &mut Ec, this: TimeRef) -> Value {
    rational(ec, &total(this.get(ec)))
}

fn is_dst(ec: &mut Ec, this: TimeRef) -> bool {
    read_clock(ec, this.get(ec)).is_dst
}

fn is_utc(ec: &mut Ec, this: TimeRef) -> bool {
    this.get(ec).clock == Clock::Utc
}

fn zone(ec: &mut Ec, this: TimeRef) -> Option<Str> {
    let zone = read_clock(ec, this.get(ec)).zone?;
    Some(Str::new(ec, zone.as_bytes(), EncodingIndex::US_ASCII, CodeRange::Unknown))
}

fn to_a(ec: &mut Ec, this: TimeRef) -> Array {
    let r = read_clock(ec, this.get(ec));
    let zone = r.zone.map_or(Value::NIL, |z| ec.str(&z));
    let c = r.civil;
    let numbers = [c.second, c.minute, c.hour, c.day, c.month].map(|n| ec.int(i64::from(n)));
    let array = Array::from_slice(ec, &numbers);
    for value in [ec.int(c.year), ec.int(i64::from(c.weekday)), ec.int(i64::from(c.yday)), Value::bool(r.is_dst), zone]
    {
        array.push(ec, value);
    }
    array
}

// ---- arithmetic and comparison ----

fn like(ec: &mut Ec, this: TimeRef, total: &Ratio) -> Result {
    let clock = this.get(ec).clock;
    let time = from_nanoseconds(ec, total, clock)?;
    // Of class Time, whatever the receiver's class.
    Ok(new_time(ec, ec.vm().known().time, time))
}

fn plus(ec: &mut Ec, this: TimeRef, other: Value) -> Result {
    if TimeRef::from_value(other).is_some() {
        return Err(ec.type_error("time + time?"));
    }
    let added = nanoseconds_of(ec, other, "can't convert {} into an exact number")?;
    let sum = plus_ratio(&total(this.get(ec)), &added);
    like(ec, this, &sum)
}

fn minus(ec: &mut Ec, this: TimeRef, other: Value) -> Result {
    if let Some(other) = TimeRef::from_value(other) {
        let difference = minus_ratio(&total(this.get(ec)), &total(other.get(ec)));
        let exact = rational(ec, &difference);
        return ec.call(exact, sym::TO_F, &[]);
    }
    let taken = nanoseconds_of(ec, other, "can't convert {} into an exact number")?;
    let rest = minus_ratio(&total(this.get(ec)), &taken);
    like(ec, this, &rest)
}

fn compare(ec: &mut Ec, this: TimeRef, other: Value) -> Result {
    if let Some(other) = TimeRef::from_value(other) {
        let difference = minus_ratio(&total(this.get(ec)), &total(other.get(ec)));
        return Ok(ec.int(difference.numerator.signum().to_i64().unwrap_or(0)));
    }
    // As CRuby: the other side may know better.
    let answer = ec.call_if_responds(other, sym::CMP, &[this.value()])?.unwrap_or(Value::NIL);
    match answer.as_fixnum() {
        Some(n) => Ok(ec.int(-n.signum())),
        None => Ok(Value::NIL),
    }
}

fn is_eql(ec: &mut Ec, this: TimeRef, other: Value) -> bool {
    let Some(other) = TimeRef::from_value(other) else { return false };
    let (a, b) = (this.get(ec), other.get(ec));
    (a.seconds, a.nanoseconds, a.rest) == (b.seconds, b.nanoseconds, b.rest)
}

fn hash(ec: &mut Ec, this: TimeRef) -> i64 {
    use std::hash::{Hash, Hasher};
    let mut hasher = rustc_hash::FxHasher::default();
    let time = this.get(ec);
    (time.seconds, time.nanoseconds, time.rest, ec.vm().hash_seed).hash(&mut hasher);
    (hasher.finish() >> 2) as i64
}

/// To a number of decimal places of a second.
fn rounded(ec: &mut Ec, this: TimeRef, digits: Option<i64>, how: fn(&BigInt, &BigInt) -> BigInt) -> Result {
    let digits = digits.unwrap_or(0);
    let Some(digits) = u32::try_from(digits).ok().filter(|d| *d < 10_000) else {
        return Err(ec.argument_error("negative ndigits given"));
    };
    let total = total(this.get(ec));
    // In units of the last place: numerator * 10^digits / (denominator * 10^9).
    let scale = BigInt::from(10).pow(digits);
    let count = how(&(total.numerator * &scale), &(total.denominator * BILLION));
    like(ec, this, &reduced(count * BILLION, scale))
}

fn round(ec: &mut Ec, this: TimeRef, digits: Option<i64>) -> Result {
    rounded(ec, this, digits, |n, unit| {
        let doubled: BigInt = n * 2 + unit;
        doubled.div_floor(&(unit * 2))
    })
}

fn floor(ec: &mut Ec, this: TimeRef, digits: Option<i64>) -> Result {
    rounded(ec, this, digits, |n, unit| n.div_floor(unit))
}

fn ceil(ec: &mut Ec, this: TimeRef, digits: Option<i64>) -> Result {
    rounded(ec, this, digits, |n, unit| n.div_ceil(unit))
}

// ---- other clocks ----

fn set_clock(ec: &mut Ec, this: TimeRef, clock: Clock) -> Result {
    if this.get(ec).clock != clock {
        if ec.is_frozen(this.value()) {
            return Err(ec.frozen_error(this.value()));
        }
        this.get_mut(ec).clock = clock;
    }
    Ok(this.value())
}

fn to_utc(ec: &mut Ec, this: TimeRef) -> Result {
    set_clock(ec, this, Clock::Utc)
}

fn clock_arg(ec: &mut Ec, zone: Option<Value>) -> Result<Clock> {
    match zone.filter(|z| !z.is_nil()) {
        Some(zone) => make::clock_of(ec, zone),
        None => Ok(Clock::Local),
    }
}

fn localtime(ec: &mut Ec, this: TimeRef, zone: Option<Value>) -> Result {
    let clock = clock_arg(ec, zone)?;
    set_clock(ec, this, clock)
}

fn on_clock(ec: &mut Ec, this: TimeRef, clock: Clock) -> Value {
    let (time, class) = (Time { clock, ..*this.get(ec) }, ec.class_of(this.value()).real());
    new_time(ec, class, time)
}

fn getutc(ec: &mut Ec, this: TimeRef) -> Value {
    on_clock(ec, this, Clock::Utc)
}

fn getlocal(ec: &mut Ec, this: TimeRef, zone: Option<Value>) -> Result {
    let clock = clock_arg(ec, zone)?;
    Ok(on_clock(ec, this, clock))
}

// ---- text ----

fn formatted(ec: &mut Ec, this: TimeRef, format: &[u8]) -> std::result::Result<Vec<u8>, StrftimeError> {
    let time = *this.get(ec);
    let r = read_clock(ec, &time);
    let c = r.civil;
    let rest = time.rest.ratio();
    let fields = TimeFields {
        year: Int::Small(c.year),
        month: c.month,
        day: c.day,
        hour: c.hour,
        minute: c.minute,
        second: c.second,
        nanosecond: time.nanoseconds,
        sub_nanosecond: (!time.rest.is_zero()).then_some(&rest),
        weekday: c.weekday,
        yday: c.yday,
        utc_offset: r.offset,
        is_utc: time.clock == Clock::Utc,
        zone: r.zone.as_deref().map(str::as_bytes),
        epoch: Int::Small(time.seconds),
    };
    let mut out = Vec::new();
    format_time(format, &fields, Dialect::Time, &mut out).map(|()| out)
}

fn strftime(ec: &mut Ec, this: TimeRef, format: Str) -> Result<Str> {
    if !format.encoding().is_ascii_compatible() {
        return Err(ec.argument_error("format should have ASCII compatible encoding"));
    }
    let bytes = format.bytes(ec).to_vec();
    match formatted(ec, this, &bytes) {
        Ok(out) => Ok(Str::new(ec, &out, format.encoding(), CodeRange::Unknown)),
        Err(StrftimeError::InvalidFormat) => {
            Err(ec.argument_error(&format!("invalid format: {}", String::from_utf8_lossy(&bytes))))
        }
        Err(StrftimeError::TooLong) => {
            Err(crate::io::errno(ec, &std::io::Error::from_raw_os_error(carat_vm::os::c::ERANGE), &bytes))
        }
    }
}

/// A format of our own, which is valid.
fn shown(ec: &mut Ec, this: TimeRef, format: &str) -> Str {
    let out = formatted(ec, this, format.as_bytes()).unwrap_or_default();
    Str::new(ec, &out, EncodingIndex::US_ASCII, CodeRange::Unknown)
}

fn offset_format(ec: &Ec, this: TimeRef) -> &'static str {
    if this.get(ec).clock == Clock::Utc { " UTC" } else { " %z" }
}

fn to_s(ec: &mut Ec, this: TimeRef) -> Str {
    let format = format!("%Y-%m-%d %H:%M:%S{}", offset_format(ec, this));
    shown(ec, this, &format)
}

/// With the fraction of a second: as decimals down to nanoseconds, otherwise as a Rational.
fn inspect(ec: &mut Ec, this: TimeRef) -> Str {
    let time = *this.get(ec);
    let fraction = match time.nanoseconds {
        0 if time.rest.is_zero() => String::new(),
        n if time.rest.is_zero() => format!(".{}", format!("{n:09}").trim_end_matches('0')),
        n => {
            let exact = plus_ratio(&Ratio::from_integer(n.into()), &time.rest.ratio());
            let seconds = reduced(exact.numerator, exact.denominator * BILLION);
            format!(" {}/{}", seconds.numerator, seconds.denominator)
        }
    };
    let format = format!("%Y-%m-%d %H:%M:%S{fraction}{}", offset_format(ec, this));
    shown(ec, this, &format)
}

fn ctime(ec: &mut Ec, this: TimeRef) -> Str {
    shown(ec, this, "%a %b %e %H:%M:%S %Y")
}

fn xmlschema(ec: &mut Ec, this: TimeRef, digits: Option<i64>) -> Str {
    let fraction = match digits.unwrap_or(0) {
        n if n > 0 => format!(".%{n}N"),
        _ => String::new(),
    };
    let zone = if this.get(ec).clock == Clock::Utc { "Z" } else { "%:z" };
    let year = read_clock(ec, this.get(ec)).civil.year;
    let year = if year < 0 { format!("-{:04}", -year) } else { format!("{year:04}") };
    let format = format!("{year}-%m-%dT%H:%M:%S{fraction}{zone}");
    shown(ec, this, &format)
}

fn initialize_copy(ec: &mut Ec, this: TimeRef, other: TimeRef) -> Value {
    let copy = *other.get(ec);
    *this.get_mut(ec) = copy;
    this.value()
}

methods! {
    METHODS {
        static "now" => make::now; static "at" => make::at; static "utc" => make::utc; static "gm" => make::utc;
        static "local" => make::local; static "mktime" => make::local;
        private "initialize" => make::initialize;
        private "initialize_copy" => initialize_copy;
        "year" => year; "month" => month; "mon" => month; "day" => day; "mday" => day; "hour" => hour; "min" => minute; "sec" => second;
        "wday" => weekday; "yday" => yday; "nsec" => nsec; "tv_nsec" => nsec; "usec" => usec; "tv_usec" => usec; "subsec" => subsec;
        "to_i" => to_i; "tv_sec" => to_i; "to_f" => to_f; "to_r" => to_r; "to_a" => to_a; "zone" => zone;
        "utc_offset" => utc_offset; "gmt_offset" => utc_offset; "gmtoff" => utc_offset; "dst?" => is_dst; "isdst" => is_dst;
        "utc?" => is_utc; "gmt?" => is_utc; "sunday?" => is_sunday; "monday?" => is_monday; "tuesday?" => is_tuesday;
        "wednesday?" => is_wednesday; "thursday?" => is_thursday; "friday?" => is_friday; "saturday?" => is_saturday;
        "+" => plus; "-" => minus; "<=>" => compare; "eql?" => is_eql; "hash" => hash; "round" => round; "floor" => floor; "ceil" => ceil;
        "utc" => to_utc; "gmtime" => to_utc; "localtime" => localtime; "getutc" => getutc; "getgm" => getutc; "getlocal" => getlocal;
        "strftime" => strftime; "to_s" => to_s; "inspect" => inspect; "ctime" => ctime; "asctime" => ctime;
        "xmlschema" => xmlschema; "iso8601" => xmlschema;
        private "_dump" => marshal::dump; static "_load" => marshal::load;
    }
}

primitives! {
    PRIMITIVES {}
}

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    known.time.set_allocator(Some(|ec, class| {
        Ok(new_time(ec, class, Time { seconds: 0, nanoseconds: 0, rest: Fraction::ZERO, clock: Clock::Local }))
    }));
    known.time.include(ec, known.comparable);
    ec.define_methods(known.time, METHODS);
}
