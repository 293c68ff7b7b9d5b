//! Decimal numbers as the operations see them, and as objects carry them.

use super::whole::Whole;
use carat_text::number::exact;
use carat_text::number::float_text::ShortestDigits;
use carat_vm::{Class, Data, Ec, Hash, HeapType, NativeData, Result, Unwind, Value, sym};
use num_bigint::BigInt;

/// What a `BigDecimal` carries.
pub(crate) struct Decimal {
    kind: Kind,
    /// The exponent is that of the last digit, which lies below 64 bits where the first one is just within them.
    exponent_high: i8,
    exponent_low: u64,
    small: i128,
    /// The Integer that is the coefficient if 128 bits do not hold it; otherwise nil.
    big: Value,
}

impl NativeData for Decimal {
    const NAME: &'static str = "BigDecimal";
    const IS_SHAREABLE: bool = true;
    const IS_IMMUTABLE: bool = true;

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.big);
    }
}

impl Decimal {
    fn exponent(&self) -> i128 {
        i128::from(self.exponent_high) << 64 | i128::from(self.exponent_low)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Finite,
    Zero,
    Infinite,
    Nan,
}

/// `whole * 10**exponent`. Of a zero and of the infinite `whole` is the sign.
///
/// # Invariants
/// The last digit of a finite number's `whole` is not 0.
#[derive(Clone)]
pub(super) struct Number {
    pub kind: Kind,
    pub whole: Whole,
    pub exponent: i128,
}

/// As many digits a Float has that can be relied on.
pub(super) const DOUBLE_FIGURES: u64 = 16;
pub(super) const MORE_THAN_DOUBLE_FIGURES: u64 = DOUBLE_FIGURES + 1;

/// Where the point of a number may be at most, which is the number 0.DIGITS * 10**point; beyond it is infinite. Like the
/// smallest one it follows from words of nine digits, of which an exponent in 64 bits counts the digits.
pub(super) const MAX_POINT: i128 = i64::MAX as i128 / 9 * 9;
pub(super) const MIN_POINT: i128 = i64::MIN as i128;

pub(super) const EXCEPTION_INFINITY: u8 = 1;
pub(super) const EXCEPTION_NAN: u8 = 2;
pub(super) const EXCEPTION_UNDERFLOW: u8 = 4;
pub(super) const EXCEPTION_ZERO_DIVIDE: u8 = 16;

/// The state that `BigDecimal.mode` and `BigDecimal.limit` set, which each fiber has.
///
/// `lib/bigdecimal/mode.rb` packs it into an Integer, a local variable of the fiber: the rounding mode in bits 0 to 7, what
/// raises in bits 8 to 15, the limit above.
#[derive(Clone, Copy)]
pub(super) struct Modes {
    pub rounding: Rounding,
    pub exceptions: u8,
    /// 0 for none.
    pub limit: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rounding {
    Up,
    Down,
    HalfUp,
    HalfDown,
    Ceiling,
    Floor,
    HalfEven,
}

impl Rounding {
    /// By the number of its constant; 0 is the default.
    pub(super) fn of(number: i64) -> Rounding {
        match number {
            1 => Rounding::Up,
            2 => Rounding::Down,
            4 => Rounding::HalfDown,
            5 => Rounding::Ceiling,
            6 => Rounding::Floor,
            7 => Rounding::HalfEven,
            _ => Rounding::HalfUp,
        }
    }

    /// Whether a quotient becomes larger in magnitude: `half` compares twice its rest, which is not 0, with the divisor.
    pub(super) fn is_up(self, half: std::cmp::Ordering, is_odd: bool, is_negative: bool) -> bool {
        match self {
            Rounding::Up => true,
            Rounding::Down => false,
            Rounding::Ceiling => !is_negative,
            Rounding::Floor => is_negative,
            Rounding::HalfUp => half.is_ge(),
            Rounding::HalfDown => half.is_gt(),
            Rounding::HalfEven => half.is_gt() || half.is_eq() && is_odd,
        }
    }
}

impl Modes {
    pub(super) fn of(ec: &mut Ec) -> Modes {
        let fiber = ec.current_fiber();
        let locals = Hash::from_value(fiber.get(ec).locals());
        let packed = locals.and_then(|locals| locals.get_symbol(ec, sym::BIGDECIMAL_MODES));
        let packed = packed.and_then(Value::as_fixnum).unwrap_or(0);
        Modes {
            rounding: Rounding::of(packed & 0xff),
            exceptions: (packed >> 8) as u8,
            limit: (packed >> 16).cast_unsigned(),
        }
    }

    /// As they are, but with another limit, unless that is 0.
    pub(super) fn with_limit(ec: &mut Ec, limit: u64) -> Modes {
        let modes = Modes::of(ec);
        if limit == 0 { modes } else { Modes { limit, ..modes } }
    }
}

impl Number {
    /// `whole * 10**exponent`, without zeros at the end.
    pub(super) fn of(ec: &mut Ec, whole: Whole, exponent: i128) -> Result<Number> {
        if whole.is_zero() {
            return Ok(Number::zero(false));
        }
        let (whole, zeros) = whole.stripped(ec)?;
        let number = Number { kind: Kind::Finite, whole, exponent: exponent + i128::from(zeros) };
        // No memory holds so many digits that they would matter here.
        if number.exponent.unsigned_abs() < 1 << 62 { Ok(number) } else { number.within_range(ec) }
    }

    #[cold]
    fn within_range(self, ec: &mut Ec) -> Result<Number> {
        let (point, is_negative) = (self.point(ec)?, self.is_negative());
        match point {
            MIN_POINT..=MAX_POINT => Ok(self),
            ..MIN_POINT => underflow(ec, is_negative),
            _ => overflow(ec, is_negative),
        }
    }

    /// Where the point is: the number is 0.DIGITS * 10**point.
    pub(super) fn point(&self, ec: &mut Ec) -> Result<i128> {
        Ok(self.exponent + i128::from(self.digits(ec)?))
    }

    /// How many digits it takes to write the number without an exponent; zeros in front count behind the point.
    pub(super) fn precision(&self, ec: &mut Ec) -> Result<u64> {
        let digits = i128::from(self.digits(ec)?);
        let written = if self.exponent > 0 { self.exponent + digits } else { digits.max(-self.exponent) };
        Ok(if self.is_finite() { u64::try_from(written).unwrap_or(u64::MAX) } else { 0 })
    }

    pub(super) fn zero(is_negative: bool) -> Number {
        Number { kind: Kind::Zero, whole: Whole::Small(if is_negative { -1 } else { 1 }), exponent: 0 }
    }

    pub(super) fn is_finite(&self) -> bool {
        self.kind == Kind::Finite
    }

    pub(super) fn is_zero(&self) -> bool {
        self.kind == Kind::Zero
    }

    pub(super) fn is_nan(&self) -> bool {
        self.kind == Kind::Nan
    }

    pub(super) fn is_infinite(&self) -> bool {
        self.kind == Kind::Infinite
    }

    pub(super) fn is_negative(&self) -> bool {
        self.whole.is_negative()
    }

    /// How many digits `whole` has; 0 if the number is not finite or zero.
    pub(super) fn digits(&self, ec: &mut Ec) -> Result<u64> {
        if self.is_finite() { self.whole.digits(ec) } else { Ok(0) }
    }

    /// With the other sign, if it has one.
    pub(super) fn negated(self) -> Number {
        Number { whole: self.whole.negated(), ..self }
    }
}

/// The result of a number that is too large.
pub(super) fn overflow(ec: &mut Ec, is_negative: bool) -> Result<Number> {
    raise_if(ec, EXCEPTION_INFINITY, "Exponent overflow")?;
    Ok(Number { kind: Kind::Infinite, ..Number::zero(is_negative) })
}

/// The result of a number that is too small.
pub(super) fn underflow(ec: &mut Ec, is_negative: bool) -> Result<Number> {
    raise_if(ec, EXCEPTION_UNDERFLOW, "Exponent underflow")?;
    Ok(Number::zero(is_negative))
}

/// A `FloatDomainError`, if what happened is to raise.
pub(super) fn raise_if(ec: &mut Ec, exception: u8, message: &str) -> Result<()> {
    match Modes::of(ec).exceptions & exception {
        0 => Ok(()),
        _ => Err(ec.error(ec.vm().known().float_domain_error, message)),
    }
}

/// Raises for NaN and the infinite, where those are to raise.
pub(super) fn checked(ec: &mut Ec, number: Number) -> Result<Number> {
    match number.kind {
        Kind::Finite | Kind::Zero => Ok(number),
        Kind::Nan => nan(ec),
        Kind::Infinite => infinity(ec, number.is_negative()),
    }
}

/// NaN, unless that is to raise.
pub(super) fn nan(ec: &mut Ec) -> Result<Number> {
    if Modes::of(ec).exceptions & EXCEPTION_NAN != 0 {
        return Err(not_finite(ec, Kind::Nan, false));
    }
    Ok(Number { kind: Kind::Nan, whole: Whole::Small(0), exponent: 0 })
}

/// Infinity of either sign, unless that is to raise.
pub(super) fn infinity(ec: &mut Ec, is_negative: bool) -> Result<Number> {
    if Modes::of(ec).exceptions & EXCEPTION_INFINITY != 0 {
        return Err(not_finite(ec, Kind::Infinite, is_negative));
    }
    Ok(Number { kind: Kind::Infinite, ..Number::zero(is_negative) })
}

pub(super) fn not_finite(ec: &mut Ec, kind: Kind, is_negative: bool) -> Unwind {
    let result = match kind {
        Kind::Nan => "'NaN' (Not a Number)",
        _ if is_negative => "'-Infinity'",
        _ => "'Infinity'",
    };
    ec.error(ec.vm().known().float_domain_error, &format!("Computation results in {result}"))
}

/// A `FloatDomainError` for what has no place among the Integers.
pub(super) fn check_finite(ec: &mut Ec, number: &Number) -> Result<()> {
    match number.kind {
        Kind::Finite | Kind::Zero => Ok(()),
        kind => Err(not_finite(ec, kind, number.is_negative())),
    }
}

// ---- objects ----

pub(super) type This = Data<Decimal>;

pub(super) fn load(ec: &Ec, this: This) -> Number {
    let decimal = this.get(ec);
    let whole = match ec.bignum_of(decimal.big) {
        Some(big) => Whole::Big(big.clone()),
        None => Whole::Small(decimal.small),
    };
    Number { kind: decimal.kind, whole, exponent: decimal.exponent() }
}

pub(super) fn kind(ec: &Ec, this: This) -> Kind {
    this.get(ec).kind
}

/// Whole and exponent of a finite number whose `whole` is small.
#[inline]
pub(super) fn small_parts(ec: &Ec, this: This) -> Option<(i128, i64)> {
    let decimal = this.get(ec);
    let exponent = i64::try_from(decimal.exponent()).ok()?;
    (decimal.kind == Kind::Finite && decimal.big.is_nil()).then_some((decimal.small, exponent))
}

/// An object of the class.
pub(super) fn make(ec: &Ec, class: Class, number: Number) -> Value {
    let (small, big) = match number.whole {
        Whole::Small(small) => (small, Value::NIL),
        Whole::Big(big) => (0, ec.bigint(big)),
    };
    let (exponent_high, exponent_low) = ((number.exponent >> 64) as i8, number.exponent as u64);
    let decimal = Decimal { kind: number.kind, exponent_high, exponent_low, small, big };
    let object = Data::new(ec, class, decimal).value();
    if !big.is_nil() {
        ec.wrote(object);
    }
    ec.freeze(object);
    object
}

/// An object of the class of `this`.
pub(super) fn make_like(ec: &Ec, this: This, number: Number) -> Value {
    make(ec, ec.class_of(this.value()).real(), number)
}

// ---- other numbers ----

/// The number of a Numeric; `None` for what is none. `digits` says how many digits a Rational gets.
pub(super) fn try_convert(
    ec: &mut Ec,
    value: Value,
    digits: impl FnOnce(&mut Ec) -> Result<u64>,
) -> Result<Option<Number>> {
    if let Some(decimal) = Data::<Decimal>::from_value(value) {
        return Ok(Some(load(ec, decimal)));
    }
    if let Some(whole) = Whole::of(ec, value) {
        return Number::of(ec, whole, 0).map(Some);
    }
    if let Some(f) = ec.float_of(value) {
        return of_float(ec, f).map(Some);
    }
    if value.is_type(HeapType::Rational) {
        let digits = digits(ec)?;
        return of_rational(ec, value, digits).map(Some);
    }
    Ok(None)
}

/// With the digits that identify a Float, of which the seventeenth is left out.
pub(super) fn of_float(ec: &mut Ec, f: f64) -> Result<Number> {
    of_float_digits(ec, f, DOUBLE_FIGURES as usize)
}

/// A Float rounded to so many digits: to the nearest, and in the middle to an even one, whatever the rounding mode is.
///
/// In the middle is where the digits are that identify the Float, as long as they are few; its exact value is a little off.
pub(super) fn of_float_rounded(ec: &mut Ec, f: f64, digits: u64) -> Result<Number> {
    const FEW: u64 = 14;
    let number = of_float_digits(ec, f, usize::MAX)?;
    if digits <= FEW && digits < number.digits(ec)? || !number.is_finite() {
        return super::rounding::significant(ec, number, digits, Rounding::HalfEven);
    }
    let (mantissa, exponent) = exact::decompose(f);
    let power = |exponent: i32| Whole::from(BigInt::from(1) << exponent.unsigned_abs());
    let numerator = Whole::Small(i128::from(mantissa)).times(ec, power(exponent.max(0)))?;
    let numerator = Number::of(ec, numerator, 0)?;
    let denominator = Number::of(ec, power(exponent.min(0)), 0)?;
    super::arithmetic::rounded_quotient(ec, &numerator, &denominator, digits, Rounding::HalfEven)
}

fn of_float_digits(ec: &mut Ec, f: f64, most: usize) -> Result<Number> {
    if let Some(special) = special_float(ec, f)? {
        return Ok(special);
    }
    let shortest = ShortestDigits::of(f);
    let digits = shortest.digits();
    let digits = &digits[..digits.len().min(most)];
    let whole = Whole::from_digits(ec, digits)?.signed(f < 0.0);
    Number::of(ec, whole, i128::from(shortest.point) - digits.len() as i128)
}

fn special_float(ec: &mut Ec, f: f64) -> Result<Option<Number>> {
    if f.is_nan() {
        return nan(ec).map(Some);
    }
    if f.is_infinite() {
        return infinity(ec, f < 0.0).map(Some);
    }
    Ok((f == 0.0).then(|| Number::zero(f.is_sign_negative())))
}

/// A Rational, rounded to so many digits; with 0 to those of a quotient.
pub(super) fn of_rational(ec: &mut Ec, rational: Value, digits: u64) -> Result<Number> {
    let (numerator, denominator) = ec.pair_of(rational, HeapType::Rational).unwrap_or((Value::NIL, Value::NIL));
    let whole = |part| Whole::of(ec, part).unwrap_or(Whole::Small(0));
    let (numerator, denominator) = (whole(numerator), whole(denominator));
    let (numerator, denominator) = (Number::of(ec, numerator, 0)?, Number::of(ec, denominator, 0)?);
    super::arithmetic::quotient(ec, &numerator, &denominator, digits)
}
