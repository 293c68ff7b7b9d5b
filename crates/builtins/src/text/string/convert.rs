//! Numbers and symbols of strings, and the next string.

use crate::number::integer::convert::LONG;
use carat_text::coderange::CodeRange;
use carat_text::number::large::{Ask, never};
use carat_text::number::parse_complex::{self, Complex, ComplexError, Part};
use carat_text::number::parse_rational::RatioError;
use carat_text::number::{Int as Number, exact::Ratio, parse_float, parse_integer, parse_rational};
use carat_vm::{Ec, EncodingIndex, Result, Str, SymbolId, Value, methods, sym};

methods! {
    METHODS {
        borrowing "to_i" => to_i;
        "to_f" => to_f;
        "to_r" => to_r;
        "to_c" => to_c;
        "hex" => hex;
        "oct" => oct;
        borrowing "to_sym" => to_sym;
        "intern" => to_sym;
        "succ" => succ;
        "next" => succ;
        "succ!" => succ_bang;
        "next!" => succ_bang;
        "crypt" => crypt;
    }
}

/// A number of the text crate as an Integer.
pub(crate) fn integer(ec: &Ec, n: Number) -> Value {
    match n {
        Number::Small(i) => ec.int(i),
        Number::Big(big) => ec.bigint(big),
    }
}

/// ASCII characters can be read from it.
pub(crate) fn check_ascii_compatible(ec: &mut Ec, this: Str) -> Result<()> {
    if this.encoding().is_ascii_compatible() {
        return Ok(());
    }
    let message = format!("ASCII incompatible encoding: {}", this.encoding().name());
    Err(ec.error(ec.vm().known().compatibility_error, &message))
}

/// What becoming a number takes for each digit: a second copy, and the products of `text::number::large`.
pub(crate) const PER_DIGIT: usize = 16;

/// A copy of many digits, if there is memory for what is made of them.
pub(crate) fn digits_of(ec: &mut Ec, text: Str, per_digit: usize) -> Result<Vec<u8>> {
    ec.ensure_memory(text.len(ec).saturating_mul(per_digit))?;
    text.owned_bytes(ec)
}

pub(crate) fn to_i(ec: &mut Ec, this: Str, base: Option<i64>) -> Result {
    check_ascii_compatible(ec, this)?;
    let base = base.unwrap_or(10);
    let parsed = match i32::try_from(base) {
        Ok(base) if this.len(ec) < LONG => parse_integer::to_i(this.bytes(ec), base),
        Ok(base) => {
            let bytes = digits_of(ec, this, PER_DIGIT)?;
            ec.compute(|ask| parse_integer::to_i_asking(&bytes, base, ask))?
        }
        Err(_) => return Err(ec.argument_error(&format!("invalid radix {base}"))),
    };
    match parsed {
        Ok(n) => Ok(integer(ec, n)),
        Err(_) => Err(ec.argument_error(&format!("invalid radix {base}"))),
    }
}

fn to_f(ec: &mut Ec, this: Str) -> Result<f64> {
    check_ascii_compatible(ec, this)?;
    Ok(parse_float::to_f(this.bytes(ec)).value)
}

/// What reads a number out of a text, and can be asked to give up.
type Parser<'a, T, E> = &'a dyn Fn(&[u8], Ask<'_>) -> std::result::Result<T, E>;

/// An error that says that nobody waits for the number any more.
pub(crate) trait GivesUp {
    fn is_given_up(&self) -> bool;
}

impl GivesUp for RatioError {
    fn is_given_up(&self) -> bool {
        *self == RatioError::GivenUp
    }
}

impl GivesUp for ComplexError {
    fn is_given_up(&self) -> bool {
        *self == ComplexError::GivenUp
    }
}

/// Reads a number out of a string. Of a long one that can be interrupted.
pub(crate) fn parse<T, E: GivesUp>(
    ec: &mut Ec,
    text: Str,
    parser: Parser<'_, T, E>,
) -> Result<std::result::Result<T, E>> {
    if text.len(ec) < LONG {
        return Ok(parser(text.bytes(ec), &never));
    }
    let bytes = digits_of(ec, text, PER_DIGIT)?;
    ec.compute(|ask| match parser(&bytes, ask) {
        Err(error) if error.is_given_up() => None,
        parsed => Some(parsed),
    })
}

fn hex(ec: &mut Ec, this: Str) -> Result {
    check_ascii_compatible(ec, this)?;
    prefixed(ec, this, parse_integer::hex)
}

fn oct(ec: &mut Ec, this: Str) -> Result {
    check_ascii_compatible(ec, this)?;
    prefixed(ec, this, parse_integer::oct)
}

fn prefixed(ec: &mut Ec, this: Str, parser: fn(&[u8], Ask<'_>) -> Option<Number>) -> Result {
    let n = match this.len(ec) < LONG {
        true => parser(this.bytes(ec), &never).unwrap_or(Number::ZERO),
        false => {
            // In a base that is a power of two there are no products.
            let bytes = digits_of(ec, this, 4)?;
            ec.compute(|ask| parser(&bytes, ask))?
        }
    };
    Ok(integer(ec, n))
}

fn rational(ec: &Ec, ratio: Ratio) -> Value {
    let (numerator, denominator) = (ec.bigint(ratio.numerator), ec.bigint(ratio.denominator));
    ec.new_rational(numerator, denominator)
}

fn to_r(ec: &mut Ec, this: Str) -> Result {
    check_ascii_compatible(ec, this)?;
    match parse(ec, this, &parse_rational::to_r)? {
        Ok(ratio) => Ok(rational(ec, ratio)),
        Err(error) => Err(ratio_error(ec, error)),
    }
}

fn ratio_error(ec: &mut Ec, error: RatioError) -> carat_vm::Unwind {
    match error {
        RatioError::Infinite => ec.error(ec.vm().known().float_domain_error, "Infinity"),
        _ => ec.zero_division(),
    }
}

fn part(ec: &Ec, part: Part) -> Value {
    match part {
        Part::Integer(n) => integer(ec, n),
        Part::Float(f) => ec.float(f),
        Part::Ratio(ratio) => rational(ec, ratio),
    }
}

fn to_c(ec: &mut Ec, this: Str) -> Result {
    check_ascii_compatible(ec, this)?;
    match parse(ec, this, &parse_complex::to_c)? {
        Ok(Complex::Rectangular(real, imaginary)) => {
            let (real, imaginary) = (part(ec, real), part(ec, imaginary));
            Ok(ec.new_complex(real, imaginary))
        }
        Ok(Complex::Polar(radius, angle)) => {
            let (radius, angle) = (part(ec, radius), part(ec, angle));
            let class = ec.vm().known().complex.value();
            let name = ec.vm().intern("polar");
            ec.call(class, name, &[radius, angle])
        }
        Err(ComplexError::ZeroDivision) => Err(ec.zero_division()),
        Err(_) => Err(ec.error(ec.vm().known().float_domain_error, "Infinity")),
    }
}

fn to_sym(ec: &mut Ec, this: Str) -> Result<SymbolId> {
    this.to_symbol(ec)
}

/// Bytes that finding a successor takes for one of the string.
const SUCCESSOR_GROWTH: usize = 32;

fn successor(ec: &mut Ec, this: Str) -> Result<(Vec<u8>, CodeRange)> {
    ec.ensure_memory(this.len(ec).saturating_mul(SUCCESSOR_GROWTH))?;
    let out = ec.compute_on_objects(|ec, is_asked| carat_text::succ::succ(this.as_text(ec), is_asked))?;
    // "\x7F" of a string without letters is followed by a byte beyond ASCII.
    let is_ascii = this.known_range() == CodeRange::SevenBit && out.is_ascii();
    Ok((out, if is_ascii { CodeRange::SevenBit } else { CodeRange::Unknown }))
}

pub(crate) fn succ(ec: &mut Ec, this: Str) -> Result<Str> {
    let (out, range) = successor(ec, this)?;
    super::make(ec, out, this.encoding(), range)
}

fn succ_bang(ec: &mut Ec, this: Str) -> Result<Str> {
    this.check_mutable(ec)?;
    let (out, range) = successor(ec, this)?;
    // An interrupt may have frozen it.
    this.check_mutable(ec)?;
    super::put(ec, this, &out, range)?;
    Ok(this)
}

fn crypt(ec: &mut Ec, this: Str, salt: Str) -> Result<Str> {
    let (Some(&first), Some(&second)) = (salt.bytes(ec).first(), salt.bytes(ec).get(1)) else {
        return Err(ec.argument_error("salt too short (need >=2 bytes)"));
    };
    if first == 0 || second == 0 {
        return Err(ec.argument_error("salt too short (need >=2 bytes)"));
    }
    if this.bytes(ec).contains(&0) {
        return Err(ec.argument_error("string contains null byte"));
    }
    match super::crypt::crypt(this.bytes(ec), [first, second]) {
        Some(hash) => Ok(Str::new(ec, &hash, EncodingIndex::ASCII_8BIT, CodeRange::SevenBit)),
        None => {
            // Errno::EINVAL, by its number.
            let (what, number) = (ec.str("crypt"), ec.int(22));
            let exception = ec.call(ec.vm().known().system_call_error.value(), sym::NEW, &[what, number])?;
            Err(ec.raise(exception))
        }
    }
}
