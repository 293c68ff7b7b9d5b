//! Moments and distances in 128 bits: sums and differences of times without large integers.
//!
//! What does not fit (fractions of nanoseconds on both sides, floats with very many places) is left to exact ratios.

use super::{BILLION, Clock, Fraction, Time, from_nanoseconds, plus_ratio};
use carat_text::number::exact::Ratio;
use carat_text::number::exact::decompose;
use carat_vm::{Ec, HeapType, Value};
use num_integer::Integer;

/// A distance, or the time since 1970, in nanoseconds: a whole number, and a part of one more.
#[derive(Clone, Copy)]
pub(super) struct Span {
    whole: i128,
    rest: Fraction,
}

/// Whether a time holds so many seconds since 1970, and what zones and calendars add to them, in 64 bits.
pub(super) fn is_near(seconds: i64) -> bool {
    seconds.unsigned_abs() < 1 << 60
}

impl Span {
    /// `None` of a time that only large integers hold.
    pub(super) fn since_1970(time: &Time) -> Option<Span> {
        let whole = i128::from(time.seconds) * i128::from(BILLION) + i128::from(time.nanoseconds);
        time.exact.is_nil().then_some(Span { whole, rest: time.rest })
    }

    /// A number of seconds, if it is an Integer, Float or Rational of moderate size.
    pub(super) fn of_number(ec: &Ec, value: Value) -> Option<Span> {
        if let Some(seconds) = value.as_fixnum() {
            return Some(Span::of_nanoseconds(i128::from(seconds) * i128::from(BILLION)));
        }
        match ec.pair_of(value, HeapType::Rational) {
            Some((numerator, denominator)) => Span::of_ratio(numerator.as_fixnum()?, denominator.as_fixnum()?),
            None => Span::of_float(ec.float_of(value)?),
        }
    }

    pub(super) fn of_nanoseconds(whole: i128) -> Span {
        Span { whole, rest: Fraction::ZERO }
    }

    fn of_ratio(numerator: i64, denominator: i64) -> Option<Span> {
        let scaled = i128::from(numerator) * i128::from(BILLION);
        let (whole, rest) = scaled.div_mod_floor(&i128::from(denominator));
        let (rest, denominator) = (u64::try_from(rest).ok()?, u64::try_from(denominator).ok()?);
        let common = rest.gcd(&denominator);
        Some(Span { whole, rest: Fraction { numerator: rest / common, denominator: denominator / common } })
    }

    /// Exact: a float is a fraction whose denominator is a power of two.
    fn of_float(seconds: f64) -> Option<Span> {
        if seconds.is_nan() || seconds.abs() >= 1e18 {
            return None;
        }
        let (mantissa, exponent) = decompose(seconds);
        // 53 bits and 30 of the factor.
        let scaled = i128::from(mantissa) * i128::from(BILLION);
        if exponent >= 0 {
            return Some(Span { whole: scaled << exponent, rest: Fraction::ZERO });
        }
        let places = exponent.unsigned_abs();
        let denominator = 1_u64.checked_shl(places)?;
        let numerator = (scaled & i128::from(denominator - 1)) as u64;
        Some(Span { whole: scaled >> places, rest: Fraction::of_power(numerator, denominator) })
    }

    pub(super) fn plus(self, other: Span) -> Option<Span> {
        let rest = match (self.rest.is_zero(), other.rest.is_zero()) {
            (_, true) => self.rest,
            (true, _) => other.rest,
            _ => return None,
        };
        Some(Span { whole: self.whole + other.whole, rest })
    }

    pub(super) fn minus(self, other: Span) -> Option<Span> {
        let Fraction { numerator, denominator } = other.rest;
        let negative = match numerator {
            0 => Span { whole: -other.whole, rest: other.rest },
            _ => Span { whole: -other.whole - 1, rest: Fraction { numerator: denominator - numerator, denominator } },
        };
        self.plus(negative)
    }

    /// In seconds, unless there are fractions of nanoseconds.
    pub(super) fn to_f64(self) -> Option<f64> {
        self.rest.is_zero().then(|| self.whole as f64 / BILLION as f64)
    }

    /// In seconds as a Rational, unless there are fractions of nanoseconds.
    pub(super) fn to_rational(self, ec: &Ec) -> Option<Value> {
        let common = self.whole.gcd(&i128::from(BILLION));
        let numerator = i64::try_from(self.whole / common).ok().filter(|_| self.rest.is_zero())?;
        let (numerator, denominator) = (ec.int(numerator), ec.int(BILLION / common as i64));
        Some(ec.new_rational(numerator, denominator))
    }

    /// The moment so long after 1970.
    pub(super) fn time(self, ec: &Ec, clock: Clock) -> Time {
        let seconds = self.whole.div_euclid(i128::from(BILLION));
        let nanoseconds = self.whole.rem_euclid(i128::from(BILLION)) as u32;
        match i64::try_from(seconds).ok().filter(|seconds| is_near(*seconds)) {
            Some(seconds) => Time::new(seconds, nanoseconds, self.rest, clock),
            None => {
                let total = plus_ratio(&Ratio::from_integer(self.whole.into()), &self.rest.ratio());
                from_nanoseconds(ec, &total, clock)
            }
        }
    }
}

impl Fraction {
    /// In lowest terms, of a denominator that is a power of two.
    fn of_power(numerator: u64, denominator: u64) -> Fraction {
        if numerator == 0 {
            return Fraction::ZERO;
        }
        let common = numerator.trailing_zeros();
        Fraction { numerator: numerator >> common, denominator: denominator >> common }
    }
}
