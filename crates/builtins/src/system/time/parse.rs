//! `Time.new("2000-01-02 03:04:05.678 +09:00")`
//!
//! A year alone will do, and so will a zone behind it; a date without a time of day will not. Messages show the text from
//! where the time of day begins.
//!
//! # References
//! CRuby `time_init_parse`.

use super::BILLION;
use super::make::{Fields, Second};
use super::reduced;
use carat_text::encoding::mbclen;
use carat_vm::{CodeRange, Ec, EncodingIndex, Keywords, Result, Str, Unwind, Value};
use num_bigint::BigInt;

/// Decimal places of the second that count.
const PRECISION: usize = 9;

/// The option `precision:`; nil is no limit, and neither is a negative number.
pub(super) fn precision(ec: &mut Ec, options: Keywords) -> Result<usize> {
    let name = ec.vm().intern("precision");
    match options.get(ec, name) {
        None => Ok(PRECISION),
        Some(Value::NIL) => Ok(usize::MAX),
        Some(places) => Ok(usize::try_from(ec.to_long(places)?).unwrap_or(usize::MAX)),
    }
}

/// The fields, and the zone if the text names one.
pub(super) fn parse(ec: &mut Ec, text: Str, precision: usize) -> Result<(Fields, Option<Value>)> {
    if !text.encoding().is_ascii_compatible() {
        return Err(ec.argument_error("time string should have ASCII compatible encoding"));
    }
    let bytes = text.owned_bytes(ec)?;
    let mut scanner = Scanner { text: &bytes, at: 0, time_at: 0, encoding: text.encoding() };
    let has_space = [bytes.first(), bytes.last()].into_iter().flatten().any(|b| is_space(*b));
    let year = if has_space { Ok(None) } else { scanner.year() };
    let Some(year) = year.map_err(|problem| complain(ec, &problem))? else {
        let shown = ec.inspect(text.value())?.to_text(ec);
        return Err(ec.argument_error(&format!("can't parse: {shown}")));
    };
    let is_whole = scanner.at == bytes.len();
    let (fields, has_time) = scanner.fields(&year, precision).map_err(|problem| complain(ec, &problem))?;
    let zone = scanner.zone().map_err(|problem| complain(ec, &problem))?;
    if !is_whole && !has_time && zone.is_empty() {
        return Err(ec.argument_error("no time information"));
    }
    let zone = (!zone.is_empty()).then(|| Str::new(ec, zone, text.encoding(), CodeRange::Unknown).value());
    Ok((fields, zone))
}

fn complain(ec: &mut Ec, problem: &[u8]) -> Unwind {
    ec.argument_error(&String::from_utf8_lossy(problem))
}

fn is_space(byte: u8) -> bool {
    byte == b' ' || (b'\t'..=b'\r').contains(&byte)
}

struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    /// Where the time of day begins.
    time_at: usize,
    encoding: EncodingIndex,
}

/// Or what is wrong with the text.
type Parsed<T> = std::result::Result<T, Vec<u8>>;

impl<'a> Scanner<'a> {
    fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }

    fn digits(&self) -> usize {
        self.text[self.at..].iter().take_while(|b| b.is_ascii_digit()).count()
    }

    fn skip_spaces(&mut self) {
        while is_space(self.peek()) {
            self.at += 1;
        }
    }

    fn year(&mut self) -> Parsed<Option<BigInt>> {
        let sign = self.peek();
        self.at += usize::from(sign == b'-' || sign == b'+');
        let len = self.digits();
        let digits = &self.text[self.at..self.at + len];
        self.at += len;
        match len {
            0 => Ok(None),
            1..4 => Err([&b"year must be 4 or more digits: "[..], digits].concat()),
            _ => {
                let year = BigInt::parse_bytes(digits, 10).unwrap_or_default();
                Ok(Some(if sign == b'-' { -year } else { year }))
            }
        }
    }

    /// What follows the year, and whether that is more than a date.
    fn fields(&mut self, year: &BigInt, precision: usize) -> Parsed<(Fields, bool)> {
        let mut numbers = [0, 1, 1, 0, 0];
        let has_time = self.date(&mut numbers)?;
        let second = if has_time { self.time(&mut numbers, precision)? } else { Second::whole(0) };
        Ok((Fields::new(year, numbers, second), has_time))
    }

    /// Month and day; whether a time of day follows.
    fn date(&mut self, numbers: &mut [i64; 5]) -> Parsed<bool> {
        for (i, name) in [(1, "mon"), (2, "mday")] {
            if self.peek() != b'-' {
                return Ok(false);
            }
            numbers[i] = self.two_digits(name)?;
        }
        let has_time = matches!(self.peek(), b' ' | b'T') && self.text.get(self.at + 1).is_some_and(u8::is_ascii_digit);
        self.time_at = self.at + 1;
        Ok(has_time)
    }

    /// Hour and minute; returns the second.
    fn time(&mut self, numbers: &mut [i64; 5], precision: usize) -> Parsed<Second> {
        numbers[3] = self.two_digits("hour")?;
        self.expect_colon("hour", "min")?;
        numbers[4] = self.two_digits("min")?;
        self.expect_colon("min", "sec")?;
        let second = self.two_digits("sec")?;
        if self.peek() != b'.' {
            return Ok(Second::whole(second));
        }
        let (numerator, scale) = self.fraction(precision)?;
        Ok(Second::of_nanoseconds(&reduced((second * &scale + numerator) * BILLION, scale)))
    }

    /// Two digits behind a separator, and no third.
    fn two_digits(&mut self, name: &str) -> Parsed<i64> {
        let separator = self.peek();
        if let [a @ b'0'..=b'9', b @ b'0'..=b'9', rest @ ..] = &self.text[self.at + 1..]
            && !rest.first().is_some_and(u8::is_ascii_digit)
        {
            self.at += 3;
            return Ok(i64::from(a - b'0') * 10 + i64::from(b - b'0'));
        }
        let after = match separator {
            b'-' | b':' => format!(" after '{}'", char::from(separator)),
            _ => String::new(),
        };
        let shown = &self.text[self.at..self.text.len().min(self.at + 11)];
        Err([format!("two digits {name} is expected{after}: ").as_bytes(), shown].concat())
    }

    fn expect_colon(&self, done: &str, next: &str) -> Parsed<()> {
        let problem = match self.peek() {
            b':' => return Ok(()),
            b'.' => format!("fraction {done} is not supported: "),
            _ => format!("missing {next} part: "),
        };
        Err([problem.as_bytes(), self.time_until(self.at + 1)].concat())
    }

    fn time_until(&self, end: usize) -> &'a [u8] {
        &self.text[self.time_at..end.min(self.text.len())]
    }

    /// As many decimals as count, over the power of ten that they are parts of.
    fn fraction(&mut self, precision: usize) -> Parsed<(BigInt, BigInt)> {
        self.at += 1;
        let len = self.digits();
        let counted = len.min(precision);
        if counted == 0 {
            let shown = self.time_until(self.at + mbclen(self.encoding, &self.text[self.at..]));
            return Err([&b"subsecond expected after dot: "[..], shown].concat());
        }
        let digits = &self.text[self.at..self.at + counted];
        self.at += len;
        let numerator = BigInt::parse_bytes(digits, 10).unwrap_or_default();
        Ok((numerator, BigInt::from(10).pow(u32::try_from(counted).unwrap_or(u32::MAX))))
    }

    /// The zone behind the time, empty if there is none.
    fn zone(&mut self) -> Parsed<&'a [u8]> {
        self.skip_spaces();
        let rest = &self.text[self.at..];
        let len = rest.iter().position(|b| is_space(*b)).unwrap_or(rest.len());
        self.at += len;
        self.skip_spaces();
        if self.at < self.text.len() {
            return Err([&b"can't parse at: "[..], &self.text[self.at..]].concat());
        }
        Ok(&rest[..len])
    }
}
