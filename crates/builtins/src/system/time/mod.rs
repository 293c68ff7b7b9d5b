//! `Time`: nanoseconds since 1970, fractions of them, and the clock they are read on.
//!
//! # Code map
//! `calendar` knows dates and the process's zone, `zone` offsets and zone objects, `make` the constructors, `parse` the strings
//! they take, `arithmetic` sums and order, `span` those of moderate numbers, `text` formatting, `date` that of dates, `marshal` what a dump holds. Accessors are here.

mod arithmetic;
mod calendar;
mod date;
mod julian;
mod make;
mod marshal;
mod parse;
mod span;
mod text;
mod zone;

use calendar::{Civil, LocalZone, civil};
use carat_text::number::Int;
use carat_text::number::exact::{Ratio, float_to_ratio};
use carat_vm::leaf::{Leaf, LeafOf, LeafRow};
use carat_vm::{Array, Class, Data, Ec, Hash, HeapType, NativeData, Result, Str, Value, methods, primitives, sym};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

use span::Span;

const BILLION: i64 = 1_000_000_000;
/// Dates and weekdays come again after 400 years of so many seconds.
const CYCLE: i64 = 146_097 * 86_400;

/// The clock a time is read on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Clock {
    Utc,
    /// The process's, before anybody asked what it shows: a later change of TZ counts.
    Local,
    Fixed(Offset),
    Zone(Zone),
}

/// How far east of Greenwich: whole seconds, and a part of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Offset {
    seconds: i32,
    rest: Fraction,
}

impl From<i32> for Offset {
    fn from(seconds: i32) -> Offset {
        Offset { seconds, rest: Fraction::ZERO }
    }
}

/// What a zone says about the moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Zone {
    /// `Time#zone`: an abbreviation, or the zone object.
    name: Value,
    offset: i32,
    is_dst: bool,
    kind: ZoneKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ZoneKind {
    /// The process's own.
    Process,
    /// An object with `utc_to_local`, which other moments ask again.
    Object,
    /// What a dump said.
    Loaded,
}

#[derive(Clone, Copy)]
pub(crate) struct Time {
    /// Since 1970. Of a moment that is too far for that, what is left of it within the cycles of 400 years: the calendar and
    /// the rules of zones are asked with this number, [`Time::cycles`] says how many years to add.
    seconds: i64,
    nanoseconds: u32,
    /// The rest, as a fraction of a nanosecond below one. What 64 bits do not hold is cut off.
    rest: Fraction,
    clock: Clock,
    /// Nanoseconds since 1970, an Integer or a Rational, where `seconds` and `rest` do not hold all of it; otherwise nil.
    /// False before `initialize`.
    exact: Value,
}

impl Time {
    fn new(seconds: i64, nanoseconds: u32, rest: Fraction, clock: Clock) -> Time {
        Time { seconds, nanoseconds, rest, clock, exact: Value::NIL }
    }

    /// Whole seconds since 1970.
    fn since_1970(&self, ec: &Ec) -> Int {
        if self.exact.is_nil() {
            return Int::Small(self.seconds);
        }
        let (seconds, ..) = split_nanoseconds(&total(ec, self));
        Int::from(seconds)
    }

    /// By how many times 400 years it is further off than `seconds` says.
    fn cycles(&self, ec: &Ec) -> BigInt {
        match self.since_1970(ec) {
            Int::Small(seconds) if seconds == self.seconds => BigInt::zero(),
            seconds => (seconds.into_big() - self.seconds) / CYCLE,
        }
    }

    /// Seconds since 1970 where only 64 bits will do.
    fn near_seconds(&self, ec: &mut Ec) -> Result<i64> {
        match self.since_1970(ec) {
            Int::Small(seconds) => Ok(seconds),
            Int::Big(_) => Err(ec.range_error("bignum too big to convert into 'long'")),
        }
    }
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

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        if let Clock::Zone(zone) = self.clock {
            mark(zone.name);
        }
        mark(self.exact);
    }
}

pub(crate) type TimeRef = Data<Time>;

fn new_time(ec: &Ec, class: Class, time: Time) -> Value {
    Data::new(ec, class, time).value()
}

/// A time of class Time on the local clock.
pub(crate) fn local_time(ec: &mut Ec, seconds: i64, nanoseconds: i64) -> Result {
    let time = Time::new(seconds, nanoseconds as u32, Fraction::ZERO, Clock::Local);
    Ok(new_time(ec, ec.vm().known().time, time))
}

/// Forgets what was known of TZ.
pub(crate) fn zone_changed(ec: &Ec) {
    ec.vm().extension::<LocalZone>().forget();
}

/// Seconds and nanoseconds of a Time or a number.
pub(crate) fn seconds_and_nanoseconds(ec: &mut Ec, value: Value) -> Result<(i64, i64)> {
    let time = match TimeRef::from_value(value) {
        Some(time) => *time.get(ec),
        None => {
            let total = nanoseconds_of(ec, value, "can't convert {} into exact number")?;
            from_nanoseconds(ec, &total, Clock::Utc)
        }
    };
    Ok((time.near_seconds(ec)?, i64::from(time.nanoseconds)))
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
    if let Some(exact) = exact_number(ec, value)? {
        return ratio_of(ec, exact, message);
    }
    let class = ec.class_of(value).real().value();
    let class = ec.to_s(class)?.to_text(ec);
    Err(ec.type_error(&message.replace("{}", &class)))
}

/// By `to_r`, which strings and times have too: only what has `to_int` as well is a number.
fn exact_number(ec: &mut Ec, value: Value) -> Result<Option<Value>> {
    if !value.is_heap() || Str::from_value(value).is_some() || TimeRef::from_value(value).is_some() {
        return Ok(None);
    }
    let Some(exact) = ec.call_if_responds(value, sym::TO_R, &[])? else {
        let integer = ec.call_if_responds(value, sym::TO_INT, &[])?;
        return Ok(integer.filter(|number| ec.to_bigint(*number).is_some()));
    };
    let is_number = exact.is_type(HeapType::Rational) || ec.to_bigint(exact).is_some();
    Ok((is_number && ec.respond_to(value, sym::TO_INT, false)?).then_some(exact))
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

fn from_nanoseconds(ec: &Ec, total: &Ratio, clock: Clock) -> Time {
    let (seconds, nanoseconds, rest) = split_nanoseconds(total);
    let near = near(&seconds);
    let fits = near.is_some() && rest.is_some();
    let exact = if fits { Value::NIL } else { ratio_value(ec, total.clone()) };
    let seconds = near.unwrap_or_else(|| within_cycle(&seconds));
    Time { seconds, nanoseconds, rest: rest.unwrap_or(Fraction::ZERO), clock, exact }
}

/// So many seconds since 1970, if a time holds them without more ado.
fn near(seconds: &BigInt) -> Option<i64> {
    seconds.to_i64().filter(|seconds| near_1970(*seconds))
}

fn near_1970(seconds: i64) -> bool {
    seconds.unsigned_abs() < 1 << 60
}

/// A moment of the same date and weekday, in the years to come or in those before any rule of a zone.
fn within_cycle(seconds: &BigInt) -> i64 {
    let rest = seconds.mod_floor(&BigInt::from(CYCLE)).to_i64().unwrap_or(0);
    if seconds.sign() == num_bigint::Sign::Minus { rest - 5 * CYCLE } else { rest }
}

/// Seconds, nanoseconds and the rest of one, if it fits.
fn split_nanoseconds(total: &Ratio) -> (BigInt, u32, Option<Fraction>) {
    let (whole, rest) = total.numerator.div_mod_floor(&total.denominator);
    let rest = match (rest.to_u64(), total.denominator.to_u64()) {
        (Some(numerator), Some(denominator)) => Some(Fraction { numerator, denominator }),
        _ => None,
    };
    let (seconds, nanoseconds) = whole.div_mod_floor(&BigInt::from(BILLION));
    (seconds, nanoseconds.to_u32().unwrap_or(0), rest)
}

/// Nanoseconds since 1970.
fn total(ec: &Ec, time: &Time) -> Ratio {
    if !time.exact.is_nil() {
        return exact_ratio(ec, time.exact);
    }
    let whole = BigInt::from(time.seconds) * BILLION + time.nanoseconds;
    plus_ratio(&Ratio::from_integer(whole), &time.rest.ratio())
}

/// The part of a nanosecond.
fn part(ec: &Ec, time: &Time) -> Ratio {
    if time.exact.is_nil() {
        return time.rest.ratio();
    }
    let exact = exact_ratio(ec, time.exact);
    reduced(exact.numerator.mod_floor(&exact.denominator), exact.denominator)
}

/// An Integer or a Rational of integers.
fn exact_ratio(ec: &Ec, value: Value) -> Ratio {
    let (numerator, denominator) = ec.pair_of(value, HeapType::Rational).unwrap_or((value, Value::len(1)));
    match (ec.to_bigint(numerator), ec.to_bigint(denominator)) {
        (Some(numerator), Some(denominator)) => Ratio { numerator, denominator },
        _ => Ratio::from_integer(BigInt::zero()),
    }
}

/// An Integer if it is whole, otherwise a Rational.
fn ratio_value(ec: &Ec, ratio: Ratio) -> Value {
    let numerator = ec.bigint(ratio.numerator);
    if ratio.denominator.is_one() {
        return numerator;
    }
    let denominator = ec.bigint(ratio.denominator);
    ec.new_rational(numerator, denominator)
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
    /// To the nearest second.
    offset: i32,
    is_dst: bool,
    zone: ZoneName,
}

/// The abbreviation of a clock's zone, its zone object or nil.
enum ZoneName {
    Utc,
    Is(Value),
}

impl ZoneName {
    /// A string is the caller's own.
    fn value(self, ec: &Ec) -> Value {
        match self {
            ZoneName::Utc => Str::from_ascii(ec, b"UTC").value(),
            ZoneName::Is(value) => Str::from_value(value).map_or(value, |name| name.duplicate(ec).value()),
        }
    }
}

/// What the clock shows. A time on the process's clock keeps it, unless it is frozen and others may be reading it.
fn reading(ec: &mut Ec, this: TimeRef) -> Reading {
    if this.get(ec).clock == Clock::Local && !ec.is_frozen(this.value()) {
        let zone = zone::process_zone(ec, this.get(ec).seconds);
        this.get_mut(ec).clock = Clock::Zone(zone);
        ec.wrote(this.value());
    }
    read_clock(ec, this.get(ec))
}

fn read_clock(ec: &Ec, time: &Time) -> Reading {
    match time.clock {
        Clock::Utc => Reading { civil: civil(time.seconds), offset: 0, is_dst: false, zone: ZoneName::Utc },
        Clock::Local => read_zone(time, &zone::process_zone(ec, time.seconds)),
        Clock::Zone(zone) => read_zone(time, &zone),
        Clock::Fixed(offset) => {
            let reading = time.seconds + i64::from(offset.seconds) + i64::from(carries(ec, time, offset.rest));
            let rounded = offset.seconds + i32::from(offset.rest.numerator * 2 >= offset.rest.denominator);
            Reading { civil: civil(reading), offset: rounded, is_dst: false, zone: ZoneName::Is(Value::NIL) }
        }
    }
}

fn read_zone(time: &Time, zone: &Zone) -> Reading {
    let civil = civil(time.seconds + i64::from(zone.offset));
    Reading { civil, offset: zone.offset, is_dst: zone.is_dst, zone: ZoneName::Is(zone.name) }
}

/// Whether the time's part of a second and the offset's make one together.
fn carries(ec: &Ec, time: &Time, rest: Fraction) -> bool {
    if rest.is_zero() {
        return false;
    }
    let part = plus_ratio(&Ratio::from_integer(time.nanoseconds.into()), &part(ec, time));
    let offset = reduced(rest.ratio().numerator * BILLION, rest.ratio().denominator);
    let sum = plus_ratio(&part, &offset);
    sum.numerator >= sum.denominator * BILLION
}

/// What the clock shows, if it is known what it shows at that moment.
#[inline]
fn shown(ec: &Ec, this: TimeRef) -> Option<Civil> {
    let time = this.get(ec);
    let offset = match time.clock {
        Clock::Utc => 0,
        Clock::Zone(zone) => zone.offset,
        Clock::Fixed(offset) if offset.rest.is_zero() => offset.seconds,
        Clock::Fixed(_) | Clock::Local => return None,
    };
    Some(civil(time.seconds + i64::from(offset)))
}

macro_rules! leaf {
    ($name:literal, $civil:ident $answer:expr) => {
        (LeafOf::Method(METHODS, $name), Leaf::new(|ec: &mut Ec, this: TimeRef| {
            let $civil = shown(ec, this)?;
            Some($answer)
        }))
    };
    ($name:literal, $field:ident) => {
        leaf!($name, civil Value::len(usize::from(civil.$field)))
    };
}

pub(crate) static LEAVES: &[LeafRow] = &[
    (
        LeafOf::Method(METHODS, "year"),
        Leaf::new(|ec: &mut Ec, this: TimeRef| {
            let civil = shown(ec, this).filter(|_| this.get(ec).exact.is_nil())?;
            Some(ec.int(civil.year))
        }),
    ),
    leaf!("month", month),
    leaf!("mon", month),
    leaf!("day", day),
    leaf!("mday", day),
    leaf!("hour", hour),
    leaf!("min", minute),
    leaf!("sec", second),
    leaf!("wday", weekday),
    leaf!("yday", yday),
    leaf!("sunday?", civil Value::bool(civil.weekday == 0)),
    leaf!("monday?", civil Value::bool(civil.weekday == 1)),
    leaf!("tuesday?", civil Value::bool(civil.weekday == 2)),
    leaf!("wednesday?", civil Value::bool(civil.weekday == 3)),
    leaf!("thursday?", civil Value::bool(civil.weekday == 4)),
    leaf!("friday?", civil Value::bool(civil.weekday == 5)),
    leaf!("saturday?", civil Value::bool(civil.weekday == 6)),
    (
        LeafOf::Method(METHODS, "at"),
        Leaf::new(|ec: &mut Ec, class: Class, seconds: i64| {
            let time = Time::new(seconds, 0, Fraction::ZERO, Clock::Local);
            near_1970(seconds).then(|| new_time(ec, class, time))
        }),
    ),
    (LeafOf::Method(METHODS, "nsec"), Leaf::of(nsec)),
    (LeafOf::Method(METHODS, "usec"), Leaf::of(usec)),
    (LeafOf::Method(METHODS, "utc?"), Leaf::of(is_utc)),
    (LeafOf::Method(METHODS, "to_i"), Leaf::of(to_i)),
    (LeafOf::Method(METHODS, "to_f"), Leaf::of(to_f)),
    (LeafOf::Method(METHODS, "hash"), Leaf::of(arithmetic::hash)),
];

macro_rules! accessors {
    ($($name:ident($reading:ident) $answer:expr;)+) => {$(
        fn $name(ec: &mut Ec, this: TimeRef) -> i64 {
            let $reading = reading(ec, this);
            i64::from($answer)
        }
    )+};
}

accessors! {
    month(r) r.civil.month; day(r) r.civil.day; hour(r) r.civil.hour; minute(r) r.civil.minute;
    second(r) r.civil.second; weekday(r) r.civil.weekday; yday(r) r.civil.yday;
}

macro_rules! weekdays {
    ($($name:ident $number:literal;)+) => {$(
        fn $name(ec: &mut Ec, this: TimeRef) -> bool {
            reading(ec, this).civil.weekday == $number
        }
    )+};
}

weekdays! { is_sunday 0; is_monday 1; is_tuesday 2; is_wednesday 3; is_thursday 4; is_friday 5; is_saturday 6; }

/// The year that the clock shows.
fn year_shown(ec: &mut Ec, this: TimeRef) -> Int {
    let year = reading(ec, this).civil.year;
    match this.get(ec) {
        time if time.exact.is_nil() => Int::Small(year),
        time => Int::from(time.cycles(ec) * 400 + year),
    }
}

fn year(ec: &mut Ec, this: TimeRef) -> Value {
    match year_shown(ec, this) {
        Int::Small(year) => ec.int(year),
        Int::Big(year) => ec.bigint(year),
    }
}

fn nsec(ec: &mut Ec, this: TimeRef) -> i64 {
    i64::from(this.get(ec).nanoseconds)
}

fn usec(ec: &mut Ec, this: TimeRef) -> i64 {
    i64::from(this.get(ec).nanoseconds / 1000)
}

fn subsec(ec: &mut Ec, this: TimeRef) -> Value {
    let time = *this.get(ec);
    let rest = part(ec, &time);
    let is_whole = rest.numerator.is_zero();
    if time.nanoseconds == 0 && is_whole {
        return Value::len(0);
    }
    match Span::of_nanoseconds(time.nanoseconds.into()).to_rational(ec).filter(|_| is_whole) {
        Some(exact) => exact,
        None => rational(ec, &plus_ratio(&Ratio::from_integer(time.nanoseconds.into()), &rest)),
    }
}

fn to_i(ec: &mut Ec, this: TimeRef) -> Value {
    match this.get(ec).since_1970(ec) {
        Int::Small(seconds) => ec.int(seconds),
        Int::Big(seconds) => ec.bigint(seconds),
    }
}

fn to_f(ec: &mut Ec, this: TimeRef) -> f64 {
    let time = this.get(ec);
    if let Some(seconds) = Span::since_1970(time).and_then(Span::to_f64) {
        return seconds;
    }
    let total = total(ec, time);
    crate::number::integer::ratio_to_f64(&total.numerator, &(total.denominator * BILLION))
}

fn to_r(ec: &mut Ec, this: TimeRef) -> Value {
    let time = this.get(ec);
    let near = Span::since_1970(time).and_then(|span| span.to_rational(ec));
    near.unwrap_or_else(|| rational(ec, &total(ec, time)))
}

fn is_dst(ec: &mut Ec, this: TimeRef) -> bool {
    reading(ec, this).is_dst
}

fn is_utc(ec: &mut Ec, this: TimeRef) -> bool {
    this.get(ec).clock == Clock::Utc
}

fn zone_of(ec: &mut Ec, this: TimeRef) -> Value {
    reading(ec, this).zone.value(ec)
}

/// `Primitive.time_parts(time, names)`: a Hash of the parts with these names, without what is no name of one.
fn parts(ec: &mut Ec, this: TimeRef, names: Array) -> Result<Hash> {
    let Reading { civil, is_dst, .. } = reading(ec, this);
    let parts = Hash::new(ec);
    for at in 0..names.len(ec) {
        let name = names.at(ec, at);
        let Some(symbol) = name.as_symbol() else { continue };
        let part = match ec.vm().symbol_name(symbol).bytes {
            b"year" => year(ec, this),
            b"month" => Value::len(usize::from(civil.month)),
            b"day" => Value::len(usize::from(civil.day)),
            b"yday" => Value::len(usize::from(civil.yday)),
            b"wday" => Value::len(usize::from(civil.weekday)),
            b"hour" => Value::len(usize::from(civil.hour)),
            b"min" => Value::len(usize::from(civil.minute)),
            b"sec" => Value::len(usize::from(civil.second)),
            b"subsec" => subsec(ec, this),
            b"dst" => Value::bool(is_dst),
            b"zone" => zone_of(ec, this),
            _ => continue,
        };
        parts.store(ec, name, part)?;
    }
    Ok(parts)
}

/// Seconds, a Rational when they are no whole ones.
fn utc_offset(ec: &mut Ec, this: TimeRef) -> Value {
    match this.get(ec).clock {
        Clock::Fixed(offset) if !offset.rest.is_zero() => {
            let exact = plus_ratio(&Ratio::from_integer(offset.seconds.into()), &offset.rest.ratio());
            let (n, d) = (ec.bigint(exact.numerator), ec.bigint(exact.denominator));
            ec.new_rational(n, d)
        }
        _ => {
            let offset = reading(ec, this).offset;
            ec.int(i64::from(offset))
        }
    }
}

fn to_a(ec: &mut Ec, this: TimeRef) -> Array {
    let r = reading(ec, this);
    let c = r.civil;
    let [second, minute, hour, day, month] = [c.second, c.minute, c.hour, c.day, c.month].map(|n| ec.int(i64::from(n)));
    let (year, zone) = (year(ec, this), r.zone.value(ec));
    let (weekday, yday) = (ec.int(i64::from(c.weekday)), ec.int(i64::from(c.yday)));
    let shown = [second, minute, hour, day, month, year, weekday, yday, Value::bool(r.is_dst), zone];
    Array::from_slice(ec, &shown)
}

/// Only what was just allocated may be initialized.
fn check_fresh(ec: &mut Ec, this: TimeRef) -> Result<()> {
    if ec.is_frozen(this.value()) {
        return Err(ec.frozen_error(this.value()));
    }
    if this.get(ec).exact == Value::FALSE {
        return Ok(());
    }
    let class = ec.class_of(this.value()).real().to_text(ec);
    Err(ec.type_error(&format!("already initialized {class}")))
}

fn initialize_copy(ec: &mut Ec, this: TimeRef, other: TimeRef) -> Result {
    if this.value() == other.value() {
        return Ok(this.value());
    }
    check_fresh(ec, this)?;
    let copy = *other.get(ec);
    *this.get_mut(ec) = copy;
    ec.wrote(this.value());
    Ok(this.value())
}

methods! {
    METHODS {
        static "now" => make::now; static "at" => make::at; static "utc" => make::utc; static alias "gm" of "utc" => make::utc;
        static "local" => make::local; static alias "mktime" of "local" => make::local;
        private "initialize" => make::initialize;
        private "initialize_copy" => initialize_copy;
        "year" => year; "month" => month; "mon" => month; "day" => day; "mday" => day; "hour" => hour; "min" => minute; "sec" => second;
        "wday" => weekday; "yday" => yday; "nsec" => nsec; "tv_nsec" => nsec; "usec" => usec; "tv_usec" => usec; "subsec" => subsec;
        "to_i" => to_i; "tv_sec" => to_i; "to_f" => to_f; "to_r" => to_r; "to_a" => to_a; "zone" => zone_of;
        "utc_offset" => utc_offset; "gmt_offset" => utc_offset; "gmtoff" => utc_offset; "dst?" => is_dst; "isdst" => is_dst;
        "utc?" => is_utc; "gmt?" => is_utc; "sunday?" => is_sunday; "monday?" => is_monday; "tuesday?" => is_tuesday;
        "wednesday?" => is_wednesday; "thursday?" => is_thursday; "friday?" => is_friday; "saturday?" => is_saturday;
        "+" => arithmetic::plus; "-" => arithmetic::minus; "<=>" => arithmetic::compare; "eql?" => arithmetic::is_eql;
        "hash" => arithmetic::hash; "round" => arithmetic::round; "floor" => arithmetic::floor; "ceil" => arithmetic::ceil;
        "utc" => zone::to_utc; "gmtime" => zone::to_utc; "localtime" => zone::localtime;
        "getutc" => zone::getutc; "getgm" => zone::getutc; "getlocal" => zone::getlocal;
        borrowing "strftime" => text::strftime; "to_s" => text::to_s; "inspect" => text::inspect;
        "ctime" => text::ctime; "asctime" => text::ctime; "xmlschema" => text::xmlschema; alias "iso8601" of "xmlschema" => text::xmlschema;
        private "_dump" => marshal::dump; static "_load" => marshal::load;
    }
}

primitives! {
    PRIMITIVES {
        "time_parts" => parts;
        "date_strftime" => date::strftime;
        "date_strptime" => date::strptime;
        "date_text" => date::text;
        "date_jd" => julian::jd;
        "date_civil" => julian::civil;
        "date_valid_jd" => julian::valid_jd;
        "date_first_of_year" => julian::first_of_year;
    }
}

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    known.time.set_allocator(Some(|ec, class| {
        let time = Time::new(0, 0, Fraction::ZERO, Clock::Local);
        Ok(new_time(ec, class, Time { exact: Value::FALSE, ..time }))
    }));
    known.time.include(ec, known.comparable);
    known.time.define_methods(ec, METHODS);
}
