//! Sums, differences, rounding and order of times.

use super::span::{Span, is_near};
use super::{
    BILLION, Clock, Fraction, Time, TimeRef, ZoneKind, from_nanoseconds, minus_ratio, nanoseconds_of, new_time,
    plus_ratio, rational, reduced, total, zone,
};
use carat_text::number::exact::Ratio;
use carat_vm::{Ec, Result, Value, sym};
use num_bigint::BigInt;
use num_integer::Integer;
use std::cmp::Ordering;

fn like(ec: &mut Ec, this: TimeRef, total: &Ratio) -> Result {
    let time = from_nanoseconds(ec, total, Clock::Utc);
    on_clock_of(ec, this, time)
}

/// A moment on the receiver's clock.
fn on_clock_of(ec: &mut Ec, this: TimeRef, mut time: Time) -> Result {
    time.clock = clock_at(ec, this.get(ec).clock, &time)?;
    // Of class Time, whatever the receiver's class.
    Ok(new_time(ec, ec.vm().known().time, time))
}

/// The same clock at another moment.
fn clock_at(ec: &mut Ec, clock: Clock, time: &Time) -> Result<Clock> {
    let Clock::Zone(known) = clock else { return Ok(clock) };
    match known.kind {
        ZoneKind::Process => Ok(Clock::Local),
        ZoneKind::Loaded => Ok(clock),
        ZoneKind::Object => Ok(zone::utc_to_local(ec, known.name, time)?.unwrap_or(Clock::Local)),
    }
}

/// The moment so many whole seconds later; `None` if 128 bits or more have to tell.
fn seconds_later(time: &Time, seconds: i64) -> Option<Time> {
    let seconds = time.seconds.checked_add(seconds).filter(|_| time.exact.is_nil());
    seconds.filter(|seconds| is_near(*seconds)).map(|seconds| Time { seconds, ..*time })
}

pub(super) fn plus(ec: &mut Ec, this: TimeRef, other: Value) -> Result {
    if let Some(sum) = other.as_fixnum().and_then(|added| seconds_later(this.get(ec), added)) {
        return on_clock_of(ec, this, sum);
    }
    if TimeRef::from_value(other).is_some() {
        return Err(ec.type_error("time + time?"));
    }
    let sum = Span::of_number(ec, other).and_then(|added| Span::since_1970(this.get(ec))?.plus(added));
    if let Some(sum) = sum {
        let time = sum.time(ec, Clock::Utc);
        return on_clock_of(ec, this, time);
    }
    let added = nanoseconds_of(ec, other, "can't convert {} into an exact number")?;
    let sum = plus_ratio(&total(ec, this.get(ec)), &added);
    like(ec, this, &sum)
}

pub(super) fn minus(ec: &mut Ec, this: TimeRef, other: Value) -> Result {
    if let Some(other) = TimeRef::from_value(other) {
        let spans = Span::since_1970(this.get(ec)).zip(Span::since_1970(other.get(ec)));
        let distance = spans.and_then(|(this, other)| this.minus(other));
        if let Some(seconds) = distance.and_then(Span::to_f64) {
            return Ok(ec.float(seconds));
        }
        let difference = minus_ratio(&total(ec, this.get(ec)), &total(ec, other.get(ec)));
        let exact = rational(ec, &difference);
        return ec.call(exact, sym::TO_F, &[]);
    }
    let taken = other.as_fixnum().and_then(i64::checked_neg);
    if let Some(rest) = taken.and_then(|taken| seconds_later(this.get(ec), taken)) {
        return on_clock_of(ec, this, rest);
    }
    let rest = Span::of_number(ec, other).and_then(|taken| Span::since_1970(this.get(ec))?.minus(taken));
    if let Some(rest) = rest {
        let time = rest.time(ec, Clock::Utc);
        return on_clock_of(ec, this, time);
    }
    let taken = nanoseconds_of(ec, other, "can't convert {} into an exact number")?;
    let rest = minus_ratio(&total(ec, this.get(ec)), &taken);
    like(ec, this, &rest)
}

fn order(ec: &Ec, a: &Time, b: &Time) -> Ordering {
    if !a.exact.is_nil() || !b.exact.is_nil() {
        let difference = minus_ratio(&total(ec, a), &total(ec, b));
        return difference.numerator.cmp(&BigInt::default());
    }
    let product = |n: Fraction, d: Fraction| u128::from(n.numerator) * u128::from(d.denominator);
    let whole = (a.seconds, a.nanoseconds).cmp(&(b.seconds, b.nanoseconds));
    whole.then_with(|| product(a.rest, b.rest).cmp(&product(b.rest, a.rest)))
}

pub(super) fn compare(ec: &mut Ec, this: TimeRef, other: Value) -> Result {
    if let Some(other) = TimeRef::from_value(other) {
        return Ok(ec.int(order(ec, this.get(ec), other.get(ec)) as i64));
    }
    // The other side may know better, unless it asks back.
    let this = this.value();
    let answer = ec.guarded(sym::CMP, this, other, |ec| ec.call(other, sym::CMP, &[this]))?;
    match answer.filter(|answer| !answer.is_nil()) {
        Some(answer) => {
            let order = ec.compare_result(answer, this, other)?.reverse();
            Ok(ec.int(order as i64))
        }
        None => Ok(Value::NIL),
    }
}

pub(super) fn is_eql(ec: &mut Ec, this: TimeRef, other: Value) -> bool {
    let Some(other) = TimeRef::from_value(other) else { return false };
    order(ec, this.get(ec), other.get(ec)).is_eq()
}

pub(super) fn hash(ec: &mut Ec, this: TimeRef) -> i64 {
    use std::hash::{Hash, Hasher};
    let mut hasher = rustc_hash::FxHasher::default();
    let time = this.get(ec);
    (time.seconds, time.nanoseconds, time.rest, ec.vm().hash_seed).hash(&mut hasher);
    if !time.exact.is_nil() {
        let total = total(ec, time);
        (total.numerator, total.denominator).hash(&mut hasher);
    }
    (hasher.finish() >> 2) as i64
}

/// Decimal places of a nanosecond.
const NANO_DIGITS: i64 = 9;

/// So many places take a few megabytes.
const MAX_DIGITS: u32 = 10_000_000;

/// Whether a fraction with this denominator has no more than so many decimal places.
fn is_decimal(denominator: &BigInt, places: i64) -> bool {
    if places <= 0 || i64::try_from(denominator.bits()).is_ok_and(|bits| bits > places.saturating_mul(4)) {
        return *denominator == BigInt::from(1) && places >= 0;
    }
    let twos = denominator.trailing_zeros().unwrap_or(0);
    let mut rest: BigInt = denominator >> twos;
    let (mut fives, five) = (0, BigInt::from(5));
    while rest.is_multiple_of(&five) {
        rest /= &five;
        fives += 1;
    }
    rest == BigInt::from(1) && i64::try_from(twos).is_ok_and(|twos| twos <= places) && fives <= places
}

/// To a number of decimal places of a second.
fn rounded(ec: &mut Ec, this: TimeRef, digits: Option<i64>, how: fn(&BigInt, &BigInt) -> BigInt) -> Result {
    let digits = digits.unwrap_or(0);
    if digits < 0 {
        return Err(ec.argument_error("negative ndigits given"));
    }
    let total = total(ec, this.get(ec));
    if is_decimal(&total.denominator, digits.saturating_sub(NANO_DIGITS)) {
        return like(ec, this, &total);
    }
    let Some(digits) = u32::try_from(digits).ok().filter(|digits| *digits <= MAX_DIGITS) else {
        return Err(ec.argument_error("exponent is too large"));
    };
    // In units of the last place: numerator * 10^digits / (denominator * 10^9).
    let scale = BigInt::from(10).pow(digits);
    let count = how(&(total.numerator * &scale), &(total.denominator * BILLION));
    like(ec, this, &reduced(count * BILLION, scale))
}

pub(super) fn round(ec: &mut Ec, this: TimeRef, digits: Option<i64>) -> Result {
    rounded(ec, this, digits, |n, unit| {
        let doubled: BigInt = n * 2 + unit;
        doubled.div_floor(&(unit * 2))
    })
}

pub(super) fn floor(ec: &mut Ec, this: TimeRef, digits: Option<i64>) -> Result {
    rounded(ec, this, digits, |n, unit| n.div_floor(unit))
}

pub(super) fn ceil(ec: &mut Ec, this: TimeRef, digits: Option<i64>) -> Result {
    rounded(ec, this, digits, |n, unit| n.div_ceil(unit))
}
