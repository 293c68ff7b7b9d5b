//! Tests of `number`.

use num_bigint::BigInt;

use super::exact::{Ratio, cmp_float_int, float_rationalize, float_to_integer, float_to_ratio, rationalize};
use super::large::never;
use super::parse_complex::{Complex, ComplexError, Part};
use super::parse_float::{FloatError, ParsedFloat};
use super::parse_integer::IntegerError;
use super::parse_rational::RatioError;
use super::round::{Rounded, Rounding, round_float, round_integer};
use super::*;
use crate::recorded::{self, Differences};

fn int(field: &[u8]) -> Int {
    Int::from(BigInt::parse_bytes(field, 10).expect("an integer"))
}

fn small(field: &[u8]) -> i32 {
    std::str::from_utf8(field).expect("ASCII").parse().expect("a small integer")
}

fn rounding(field: &[u8]) -> Rounding {
    match field {
        b"up" => Rounding::HalfUp,
        b"even" => Rounding::HalfEven,
        b"down" => Rounding::HalfDown,
        b"floor" => Rounding::Floor,
        b"ceil" => Rounding::Ceil,
        b"truncate" => Rounding::Truncate,
        other => panic!("{}", other.escape_ascii()),
    }
}

fn show_int(n: &Int) -> String {
    String::from_utf8(decimal::int_to_string(n, 10)).expect("digits")
}

fn show_float(f: f64) -> String {
    if f.is_nan() { "fnan".to_owned() } else { format!("f{:016x}", f.to_bits()) }
}

fn show_ratio(ratio: &Ratio) -> String {
    format!("{}/{}", ratio.numerator, ratio.denominator)
}

fn show_part(part: &Part) -> String {
    match part {
        Part::Integer(n) => show_int(n),
        Part::Float(f) => show_float(*f),
        Part::Ratio(ratio) => show_ratio(ratio),
    }
}

fn to_float(part: &Part) -> f64 {
    match part {
        Part::Integer(n) => n.to_f64(),
        Part::Float(f) => *f,
        Part::Ratio(ratio) => {
            Int::from(ratio.numerator.clone()).to_f64() / Int::from(ratio.denominator.clone()).to_f64()
        }
    }
}

/// As `Complex.polar` computes it, for the recorded answers are rectangular.
fn show_complex(complex: &Complex) -> String {
    match complex {
        Complex::Rectangular(re, im) => format!("{},{}", show_part(re), show_part(im)),
        Complex::Polar(radius, angle) if to_float(radius) == 0.0 || to_float(angle) == 0.0 => {
            format!("{},{}", show_part(radius), show_float(0.0))
        }
        Complex::Polar(radius, angle) => {
            let (radius, angle) = (to_float(radius), to_float(angle));
            format!("{},{}", show_float(radius * angle.cos()), show_float(radius * angle.sin()))
        }
    }
}

fn show_rounded(rounded: Option<Rounded>) -> String {
    match rounded {
        Some(Rounded::Float(f)) => show_float(f),
        Some(Rounded::Integer(n)) => show_int(&n),
        None => "FloatDomainError".to_owned(),
    }
}

fn show_integer_result(result: Result<Int, IntegerError>) -> String {
    result.map_or("ArgumentError".to_owned(), |n| show_int(&n))
}

fn show_float_result(result: Result<ParsedFloat, FloatError>) -> String {
    result.map_or("ArgumentError".to_owned(), |parsed| show_float(parsed.value))
}

fn show_ratio_result(result: Result<Ratio, RatioError>) -> String {
    match result {
        Ok(ratio) => show_ratio(&ratio),
        Err(RatioError::Invalid) => "ArgumentError".to_owned(),
        Err(RatioError::ZeroDivision) => "ZeroDivisionError".to_owned(),
        Err(RatioError::Infinite | RatioError::GivenUp) => "FloatDomainError".to_owned(),
    }
}

fn show_complex_result(result: Result<Complex, ComplexError>) -> String {
    match result {
        Ok(complex) => show_complex(&complex),
        Err(ComplexError::Invalid | ComplexError::NullByte) => "ArgumentError".to_owned(),
        Err(ComplexError::ZeroDivision) => "ZeroDivisionError".to_owned(),
        Err(ComplexError::Infinite | ComplexError::GivenUp) => "FloatDomainError".to_owned(),
    }
}

fn domain(shown: Option<String>) -> String {
    shown.unwrap_or("FloatDomainError".to_owned())
}

fn answer(fields: &[Vec<u8>]) -> String {
    let argument = &fields[1][..];
    let float = || recorded::float(argument);
    match &fields[0][..] {
        b"to_s" => String::from_utf8(float_text::float_to_string(float())).expect("ASCII"),
        b"float_to_i" => domain(float_to_integer(float()).map(|n| show_int(&n))),
        b"float_to_r" => domain(float_to_ratio(float()).map(|r| show_ratio(&r))),
        b"rationalize" => domain(float_rationalize(float()).map(|r| show_ratio(&r))),
        b"round" => show_rounded(round_float(float(), small(&fields[2]), rounding(&fields[3]))),
        b"int_to_s" => {
            String::from_utf8(decimal::int_to_string(&int(argument), small(&fields[2]) as u32)).expect("digits")
        }
        b"int_round" => show_int(&round_integer(&int(argument), small(&fields[2]), rounding(&fields[3]))),
        b"compare" => {
            cmp_float_int(float(), &int(&fields[2])).map_or("nil".to_owned(), |order| (order as i8).to_string())
        }
        b"to_i" => show_integer_result(parse_integer::to_i(argument, small(&fields[2]))),
        b"Integer" => show_integer_result(parse_integer::parse_strict(argument, small(&fields[2]))),
        b"hex" => show_int(&parse_integer::hex(argument, &never).expect("nobody asks to stop")),
        b"oct" => show_int(&parse_integer::oct(argument, &never).expect("nobody asks to stop")),
        b"to_f" => show_float(parse_float::to_f(argument).value),
        b"Float" => show_float_result(parse_float::parse_strict(argument)),
        b"to_r" => show_ratio_result(parse_rational::to_r(argument, &super::large::never)),
        b"Rational" => show_ratio_result(parse_rational::parse_strict(argument, &super::large::never)),
        b"to_c" => show_complex_result(parse_complex::to_c(argument, &super::large::never)),
        b"Complex" => show_complex_result(parse_complex::parse_strict(argument, &super::large::never)),
        other => panic!("unknown operation {}", other.escape_ascii()),
    }
}

#[test]
fn answers_equal_the_recorded_ones() {
    let mut differences = Differences::default();
    for (line, fields) in recorded::cases(include_str!("../../recorded/number.tsv")) {
        differences.compare(line, &fields, answer(&fields).as_bytes());
    }
    differences.finish(3000);
}

#[test]
fn decimal_len_agrees_with_the_digits() {
    for n in [0, 9, 10, 99, 100, -1, -10, i64::MAX, i64::MIN, 999_999_999, 1_000_000_000] {
        let mut out = Vec::new();
        decimal::push_i64(&mut out, n);
        assert_eq!(out, n.to_string().into_bytes());
        assert_eq!(decimal::decimal_len(n), out.len());
    }
    assert_eq!(decimal::DecimalBuffer::new().format_unsigned(u64::MAX), b"18446744073709551615");
}

#[test]
fn rationalize_within_an_epsilon() {
    let ratio = |n: i64, d: i64| Ratio::new(BigInt::from(n), BigInt::from(d)).expect("not zero");
    assert_eq!(rationalize(&ratio(333, 1000), &ratio(1, 100)), ratio(1, 3));
    assert_eq!(rationalize(&ratio(-333, 1000), &ratio(1, 100)), ratio(-1, 3));
    assert_eq!(rationalize(&ratio(314, 100), &ratio(1, 100)), ratio(22, 7));
    assert_eq!(rationalize(&ratio(314_159, 100_000), &ratio(1, 1000)), ratio(201, 64));
    assert_eq!(rationalize(&ratio(1, 7), &ratio(0, 1)), ratio(1, 7));
}

#[test]
fn marshal_writes_floats_without_needless_zeros() {
    let cases = [
        (0.0, "0"),
        (-0.0, "-0"),
        (1.0, "1"),
        (100.0, "1e2"),
        (120.0, "1.2e2"),
        (1e15, "1e15"),
        (123_456_789.0, "123456789"),
        (12_345_678_901_234_567.0, "12345678901234568"),
        (-1.5, "-1.5"),
        (0.1, "0.1"),
        (0.0001, "0.0001"),
        (1e-5, "1e-5"),
        (1.5e100, "1.5e100"),
        (-1.25e-10, "-1.25e-10"),
        (f64::INFINITY, "inf"),
        (f64::NEG_INFINITY, "-inf"),
        (f64::NAN, "nan"),
    ];
    for (f, expected) in cases {
        let mut out = Vec::new();
        float_text::push_marshal_float(&mut out, f);
        assert_eq!(String::from_utf8(out).expect("ASCII"), expected);
    }
}

#[test]
fn integers_keep_to_their_smallest_form() {
    assert_eq!(Int::from(BigInt::from(i64::MIN)), Int::Small(i64::MIN));
    assert_eq!(Int::from(u64::MAX), Int::Big(BigInt::from(u64::MAX)));
}

#[test]
fn out_of_range_floats_say_so() {
    assert!(parse_float::to_f(b"1e400").out_of_range);
    assert!(parse_float::to_f(b"1e-400").out_of_range);
    assert!(!parse_float::to_f(b"0e-400").out_of_range);
    assert!(!parse_float::to_f(b"1e-320").out_of_range);
}
