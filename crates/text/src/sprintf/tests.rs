//! Tests of `sprintf`.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::*;
use crate::number::exact::float_to_integer;
use crate::number::{parse_float, parse_integer};
use crate::recorded::{self, Differences};

/// A stand-in for Ruby values, as tagged in the recorded table.
#[derive(Clone, Copy)]
struct Tagged<'a>(&'a [u8]);

/// Converts like the VM does, in UTF-8 throughout.
struct Arguments<'a>(Vec<Tagged<'a>>, Vec<Tagged<'a>>);

impl<'a> Arguments<'a> {
    /// The tagged value, of an argument or of one found under a name.
    fn tagged(&self, value: usize) -> &'a [u8] {
        self.0.iter().chain(&self.1).nth(value).expect("a value").0
    }
}

fn ascii(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

fn big(bytes: &[u8]) -> BigInt {
    BigInt::parse_bytes(bytes, 10).expect("an integer")
}

fn ratio(bytes: &[u8]) -> (BigInt, BigInt) {
    let (numerator, denominator) = ascii(bytes).split_once('/').expect("a ratio");
    (big(numerator.as_bytes()), big(denominator.as_bytes()))
}

fn divide(ratio: &(BigInt, BigInt)) -> f64 {
    ratio.0.to_f64().expect("small") / ratio.1.to_f64().expect("small")
}

fn cut_off(f: f64) -> Result<Int, Vec<u8>> {
    let name = if f.is_nan() { "NaN" } else { "Infinity" };
    float_to_integer(f).ok_or_else(|| format!("FloatDomainError: {name}").into_bytes())
}

impl Args for Arguments<'_> {
    type Value = usize;
    type Error = Vec<u8>;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&mut self, index: usize) -> usize {
        index
    }

    fn lookup(&mut self, name: &[u8], quoted: &[u8]) -> Result<Option<usize>, Vec<u8>> {
        let Tagged([b'h', ..]) = self.0[0] else { return Ok(None) };
        for pair in self.0[0].0.split(|b| *b == b'&') {
            let equals = pair.iter().position(|b| *b == b'=').expect("a pair");
            if &pair[1..equals] == name {
                // Kept apart: the arguments proper must stay one.
                self.1.push(Tagged(&pair[equals + 1..]));
                let found = self.0.len() + self.1.len() - 1;
                return Ok(Some(found));
            }
        }
        Err([b"KeyError: key", quoted, b" not found"].concat())
    }

    fn to_width(&mut self, value: usize) -> Result<i32, Vec<u8>> {
        Ok(ascii(&self.tagged(value)[1..]).parse().expect("a width"))
    }

    fn to_integer(&mut self, value: usize) -> Result<Int, Vec<u8>> {
        match self.tagged(value) {
            [b'i', digits @ ..] => Ok(Int::from(big(digits))),
            [b'f', bits @ ..] => cut_off(recorded::float(bits)),
            [b'r', text @ ..] => {
                let (numerator, denominator) = ratio(text);
                Ok(Int::from(numerator / denominator))
            }
            [b's', text @ ..] => Ok(parse_integer::parse_strict(text, 0).expect("an integer")),
            other => panic!("no integer: {}", other.escape_ascii()),
        }
    }

    fn to_real(&mut self, value: usize) -> Result<Real, Vec<u8>> {
        match self.tagged(value) {
            [b'i', digits @ ..] => Ok(Real::Integer(Int::from(big(digits)))),
            [b'r', text @ ..] => {
                let (numerator, denominator) = ratio(text);
                Ok(Real::Rational(numerator, denominator))
            }
            _ => Ok(Real::Float(self.to_float(value)?)),
        }
    }

    fn to_float(&mut self, value: usize) -> Result<f64, Vec<u8>> {
        match self.tagged(value) {
            [b'i', digits @ ..] => Ok(Int::from(big(digits)).to_f64()),
            [b'f', bits @ ..] => Ok(recorded::float(bits)),
            [b'r', text @ ..] => Ok(divide(&ratio(text))),
            [b's', text @ ..] => Ok(parse_float::parse_strict(text).expect("a float").value),
            other => panic!("no float: {}", other.escape_ascii()),
        }
    }

    fn append_text(&mut self, value: usize, request: TextRequest, out: &mut Vec<u8>) -> Result<usize, Vec<u8>> {
        let text = match self.tagged(value) {
            b"n" if request.inspect => "nil",
            b"n" => "",
            tagged => ascii(&tagged[1..]),
        };
        let shown: String = text.chars().take(request.max_chars.unwrap_or(usize::MAX)).collect();
        out.extend_from_slice(shown.as_bytes());
        Ok(shown.chars().count())
    }

    fn append_char(&mut self, value: usize, out: &mut Vec<u8>) -> Result<usize, Vec<u8>> {
        if let [b's', text @ ..] = self.tagged(value) {
            let first: String = ascii(text).chars().take(1).collect();
            out.extend_from_slice(first.as_bytes());
            return Ok(first.chars().count());
        }
        let code = ascii(&self.tagged(value)[1..]).parse::<i64>().expect("a code");
        let char = u32::try_from(code).ok().and_then(char::from_u32);
        let char = char.ok_or_else(|| self.argument_error(b"invalid character".to_vec()))?;
        out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(1)
    }

    fn argument_error(&mut self, message: Vec<u8>) -> Vec<u8> {
        [b"ArgumentError: ", &message[..]].concat()
    }

    fn too_many_arguments(&mut self) -> Result<(), Vec<u8>> {
        // Only marks the answer; CRuby says nothing unless it is verbose.
        Ok(())
    }
}

fn answer(text: &[u8], arguments: &[Vec<u8>]) -> Vec<u8> {
    let mut arguments = Arguments(arguments.iter().map(|a| Tagged(a)).collect(), Vec::new());
    let mut out = Vec::new();
    match format(text, &mut arguments, &mut out) {
        Ok(()) => out,
        Err(error) => error,
    }
}

#[test]
fn answers_equal_the_recorded_ones() {
    let mut differences = Differences::default();
    for (line, fields) in recorded::cases(include_str!("../../recorded/sprintf.tsv")) {
        let (_, question) = fields.split_last().expect("a case has fields");
        differences.compare(line, &fields, &answer(&question[0], &question[1..]));
    }
    differences.finish(4000);
}

#[test]
fn unused_arguments_are_reported_unless_used_by_number() {
    struct Strict;
    impl Args for Strict {
        type Value = usize;
        type Error = &'static str;
        fn len(&self) -> usize {
            2
        }
        fn get(&mut self, index: usize) -> usize {
            index
        }
        fn lookup(&mut self, _: &[u8], _: &[u8]) -> Result<Option<usize>, &'static str> {
            Ok(None)
        }
        fn to_width(&mut self, _: usize) -> Result<i32, &'static str> {
            Err("width")
        }
        fn to_integer(&mut self, value: usize) -> Result<Int, &'static str> {
            Ok(Int::Small(value as i64))
        }
        fn to_real(&mut self, _: usize) -> Result<Real, &'static str> {
            Err("real")
        }
        fn to_float(&mut self, _: usize) -> Result<f64, &'static str> {
            Err("float")
        }
        fn append_text(&mut self, _: usize, _: TextRequest, _: &mut Vec<u8>) -> Result<usize, &'static str> {
            Err("text")
        }
        fn append_char(&mut self, _: usize, _: &mut Vec<u8>) -> Result<usize, &'static str> {
            Err("char")
        }
        fn argument_error(&mut self, _: Vec<u8>) -> &'static str {
            "argument"
        }
        fn too_many_arguments(&mut self) -> Result<(), &'static str> {
            Err("too many")
        }
    }
    let run = |text: &[u8]| format(text, &mut Strict, &mut Vec::new());
    assert_eq!(run(b"%d"), Err("too many"));
    assert_eq!(run(b"%d %d"), Ok(()));
    assert_eq!(run(b"%1$d"), Ok(()));
    assert_eq!(run(b"%s"), Err("text"));
    assert_eq!(run(b"%*d"), Err("width"));
}

/// Numbers of everyday size: halves and quarters, prices, whole numbers, and fractions of all kinds.
#[test]
fn integer_arithmetic_prints_what_the_long_way_does() {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 11
    };
    let mut quick = 0;
    for round in 0..200_000_u32 {
        let (bits, digits) = (next(), (next() >> 20) as usize % 21);
        let f = match round % 5 {
            0 => (bits % 1_000_000) as f64 / 100.0,
            1 => (bits % 100_000) as f64 / 8.0,
            2 => bits as f64 / 10_f64.powi((bits % 25) as i32),
            3 => f64::from_bits(bits % (0x7ff << 52)),
            _ => (bits % 2_000_000) as f64 / 1e5 + 0.000_000_5,
        };
        let precision = if round % 2 == 0 { digits % 5 } else { digits };
        let (mut short, mut long) = (Vec::new(), Vec::new());
        if fixed::push(&mut short, f, precision) {
            quick += 1;
            float::push_any_fixed(&mut long, f, precision);
            assert_eq!(ascii(&short), ascii(&long), "{f:e} with {precision}");
        }
    }
    assert!(quick > 80_000, "{quick}");
}
