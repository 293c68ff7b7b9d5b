//! Objects that are made in a way of their own, and what a dump may set of the others.

use super::{exceptions, name};
use carat_text::number::parse_float;
use carat_vm::{Array, Class, Ec, Hash, HeapType, Result, Str, Value, methods};

methods! {
    RATIONAL {
        private "marshal_dump" => dump_rational;
    }
    COMPLEX {
        private "marshal_dump" => dump_complex;
    }
}

fn pair(ec: &Ec, number: Value, kind: HeapType) -> Array {
    let (first, second) = ec.pair_of(number, kind).unwrap_or((Value::NIL, Value::NIL));
    Array::pair(ec, first, second)
}

fn dump_rational(ec: &mut Ec, this: Value) -> Array {
    pair(ec, this, HeapType::Rational)
}

fn dump_complex(ec: &mut Ec, this: Value) -> Array {
    pair(ec, this, HeapType::Complex)
}

/// Rational or Complex, which nothing can allocate.
pub(super) fn is_number_pair(ec: &Ec, class: Class) -> bool {
    [ec.vm().known().rational, ec.vm().known().complex].into_iter().any(|number| class.is_or_inherits(number))
}

/// A Rational or Complex from the array that stands for it.
pub(super) fn number_pair(ec: &mut Ec, class: Class, parts: Value) -> Result {
    let is_rational = class.is_or_inherits(ec.vm().known().rational);
    let Some(parts) = ec.check_array(parts)? else { return Err(ec.wrong_type(parts, "Array")) };
    let count = parts.len(ec);
    if count != 2 {
        let what = if is_rational { "rational" } else { "complex" };
        return Err(ec.argument_error(&format!("marshaled {what} must have an array whose length is 2 but {count}")));
    }
    let (first, second) = (parts.at(ec, 0), parts.at(ec, 1));
    let (method, is_valid) = if is_rational {
        ("Rational", ec.is_integer(first) && ec.is_integer(second))
    } else {
        ("rect", is_real(ec, first)? && is_real(ec, second)?)
    };
    if !is_valid {
        return Err(ec.type_error(if is_rational { "not an integer" } else { "not a real" }));
    }
    let receiver = if is_rational { ec.vm().known().kernel.value() } else { class.value() };
    ec.call(receiver, ec.vm().intern(method), &[first, second])
}

fn is_real(ec: &mut Ec, value: Value) -> Result<bool> {
    if !ec.is_a(value, ec.vm().known().numeric) {
        return Ok(false);
    }
    Ok(ec.call(value, ec.vm().intern("real?"), &[])?.truthy())
}

/// Whether instances are native data in CRuby, though they are plain objects here.
pub(super) fn is_native_class(class: Class) -> bool {
    const NAMES: &[&str] = &[
        "Enumerator",
        "Enumerator::Yielder",
        "Enumerator::Generator",
        "Enumerator::Chain",
        "Enumerator::Product",
        "Enumerator::Lazy",
        "Enumerator::ArithmeticSequence",
        "ObjectSpace::WeakMap",
        "ObjectSpace::WeakKeyMap",
        "Ractor",
        "Ractor::Port",
        "ARGF.class",
    ];
    let order = class.mro();
    let mut names = order.iter().filter_map(|c| Class::from_value(*c)?.name());
    names.any(|name| NAMES.contains(&&*name))
}

/// Sets an instance variable that a dump names. Names that are no instance variable's are attributes of exceptions, or
/// nothing; hidden ones are not for dumps to set.
pub(super) fn set_variable(ec: &mut Ec, object: Value, variable: Str, value: Value) -> Result<()> {
    let text = variable.to_text(ec);
    if ec.is_frozen(object) {
        return Err(ec.frozen_error(object));
    }
    let known = ec.vm().known();
    if ec.is_a(object, known.exception) && exceptions::set_attribute(ec, object, &text, value)? {
        return Ok(());
    }
    if text == name::SET_HASH && ec.is_a(object, known.set) {
        return set_elements(ec, object, value);
    }
    let is_name = text.starts_with('@') || Str::from_value(object).is_some();
    if is_name && !text.starts_with("__") {
        let symbol = variable.to_symbol(ec)?;
        ec.set_field(object, symbol, value);
    }
    Ok(())
}

/// The elements of a set are the keys of a hash.
fn set_elements(ec: &mut Ec, set: Value, value: Value) -> Result<()> {
    let Some(source) = Hash::from_value(value) else {
        return Err(ec.type_error("can't dump set"));
    };
    let Some(elements) = Hash::from_set(set) else { return Ok(()) };
    elements.clear(ec);
    if source.compares_by_identity() {
        elements.set_compare_by_identity();
    }
    let pairs = source.to_flat_array(ec);
    for index in 0..pairs.len(ec) / 2 {
        elements.set(ec, pairs.at(ec, 2 * index), Value::TRUE)?;
    }
    Ok(())
}

// ---- text ----

/// The number that text begins with. Ruby 1.8 wrote the last bits of the mantissa behind a NUL.
pub(super) fn float_from(text: &[u8]) -> f64 {
    let end = memchr::memchr(0, text).unwrap_or(text.len());
    let (decimal, rest) = text.split_at(end);
    match decimal {
        b"nan" => f64::NAN,
        b"inf" => f64::INFINITY,
        b"-inf" => f64::NEG_INFINITY,
        _ => with_mantissa(parse_float::to_f(decimal).value, rest.get(1..).unwrap_or_default()),
    }
}

/// Adds the low bits of a mantissa to a number whose high 37 bits are right.
fn with_mantissa(number: f64, bits: &[u8]) -> f64 {
    const DECIMAL_BITS: i32 = 53 - 16;
    if bits.is_empty() || !number.is_finite() {
        return number;
    }
    let (fraction, exponent) = libm::frexp(number.abs());
    let mut mantissa = libm::trunc(libm::ldexp(fraction, DECIMAL_BITS));
    let mut scale = 0;
    for chunk in bits.chunks(4).take(2) {
        let word = chunk.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte));
        scale -= 8 * chunk.len() as i32;
        mantissa += libm::ldexp(f64::from(word), scale);
    }
    libm::ldexp(mantissa, exponent - DECIMAL_BITS).copysign(number)
}

/// Ruby 1.8 wrote escapes of letters that meant the letters themselves then; in sources without an encoding they still do.
pub(super) fn without_unknown_escapes(source: &[u8]) -> Vec<u8> {
    const UNKNOWN: &[u8] = b"ghijklmopquyEFHIJKLNOPQRSTUVXY";
    let mut out = Vec::with_capacity(source.len());
    let mut is_escaped = false;
    for byte in source {
        if is_escaped && UNKNOWN.contains(byte) {
            out.pop();
        }
        is_escaped = *byte == b'\\' && !is_escaped;
        out.push(*byte);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_of_old_dumps_have_their_last_bits() {
        assert_eq!(float_from(b"8323434.3420000002\0S\xF8"), 8323434.342);
        assert_eq!(float_from(b"1.0799999999999912\0\xE1 "), 1.0799999999999912);
        assert_eq!(float_from(b"-0").to_bits(), (-0.0_f64).to_bits());
        assert_eq!(float_from(b"-inf"), f64::NEG_INFINITY);
    }

    #[test]
    fn escapes_that_1_8_did_not_know_vanish() {
        assert_eq!(without_unknown_escapes(br"\A\h\\h\d"), br"\Ah\\h\d");
    }
}
