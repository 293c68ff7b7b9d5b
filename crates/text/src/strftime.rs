//! `Time#strftime` and `Date#strftime`: formatting of broken-down times.
//!
//! A directive is a percent sign, flags, a width, colons or a locale letter, and a letter. One that makes no sense is
//! copied as it stands.
//!
//! # References
//! CRuby's `strftime.c` and, for the two directives that only dates have, `date_strftime.c`.

mod calendar;

use num_integer::Integer;

use crate::number::Int;
use crate::number::decimal::int_to_string;
use crate::number::exact::Ratio;
use num_bigint::BigInt;

/// A moment, broken down where its clock stands.
#[derive(Clone, Debug)]
pub struct TimeFields<'a> {
    pub year: Int,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
    pub hour: u8,
    pub minute: u8,
    /// Up to 60, for leap seconds.
    pub second: u8,
    pub nanosecond: u32,
    /// The rest, as a fraction of a nanosecond below one.
    pub sub_nanosecond: Option<&'a Ratio>,
    /// 0 is Sunday.
    pub weekday: u8,
    /// 1 to 366.
    pub yday: u16,
    /// Seconds east of Greenwich.
    pub utc_offset: i32,
    /// In UTC, not just at its offset.
    pub is_utc: bool,
    /// The zone's abbreviation.
    pub zone: Option<&'a [u8]>,
    /// Whole seconds since 1970, rounded down.
    pub epoch: Int,
}

/// Whose format it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Time,
    /// Has `%Q` and `%+`, and keeps an unfinished directive at the end.
    Date,
}

/// Why a time could not be formatted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrftimeError {
    /// ArgumentError, `invalid format: FORMAT`: the format ends within a directive.
    InvalidFormat,
    /// Errno::ERANGE, with the format: a width is out of all proportion.
    TooLong,
}

/// Appends `time` as `format` says. The format must be ASCII-compatible, which the caller checks.
pub fn strftime(
    format: &[u8],
    time: &TimeFields<'_>,
    dialect: Dialect,
    out: &mut Vec<u8>,
) -> Result<(), StrftimeError> {
    let mut rest = format;
    while let Some(percent) = memchr::memchr(b'%', rest) {
        out.extend_from_slice(&rest[..percent]);
        let body = &rest[percent + 1..];
        if body.first().is_some_and(|letter| push_plain(*letter, time, out)) {
            rest = &body[1..];
            continue;
        }
        let used = match Directive::read(body) {
            Read::Directive(directive, len) if directive.push(time, dialect, out)? => len,
            Read::Directive(_, len) | Read::Unknown(len) => {
                out.extend_from_slice(&rest[percent..=percent + len]);
                len
            }
            Read::Unfinished if dialect == Dialect::Time => return Err(StrftimeError::InvalidFormat),
            Read::Unfinished => {
                out.extend_from_slice(&rest[percent..]);
                body.len()
            }
        };
        rest = &body[used..];
    }
    out.extend_from_slice(rest);
    Ok(())
}

/// Appends what the most common directives stand for where they have no flag; false if it is another, or a year of more digits.
fn push_plain(letter: u8, time: &TimeFields<'_>, out: &mut Vec<u8>) -> bool {
    let two = |number: u8| [b'0' + number / 10, b'0' + number % 10];
    let number = match (letter, &time.year) {
        (b'm', _) => time.month,
        (b'd', _) => time.day,
        (b'H', _) => time.hour,
        (b'M', _) => time.minute,
        (b'S', _) => time.second,
        (b'Y', Int::Small(year @ 0..10_000)) => {
            out.extend_from_slice(&two((year / 100) as u8));
            (year % 100) as u8
        }
        _ => return false,
    };
    out.extend_from_slice(&two(number));
    true
}

/// A result of more bytes than this is refused.
pub const MAX_WIDTH: usize = 1 << 24;

/// What a directive is filled with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Padding {
    Unsaid,
    Zeros,
    Spaces,
}

#[derive(Clone, Copy)]
struct Directive {
    /// `-`: not filled.
    left: bool,
    /// `^`
    upper: bool,
    /// `#`: the other case.
    change_case: bool,
    padding: Padding,
    width: usize,
    colons: usize,
    letter: u8,
}

/// What stands behind a percent sign, and how many bytes of it belong to the directive.
enum Read {
    Directive(Directive, usize),
    Unknown(usize),
    Unfinished,
}

impl Directive {
    fn read(body: &[u8]) -> Read {
        let padding = Padding::Unsaid;
        let mut directive =
            Directive { left: false, upper: false, change_case: false, padding, width: 0, colons: 0, letter: 0 };
        let mut index = 0;
        while let Some(&byte) = body.get(index) {
            match byte {
                b'-' | b'^' | b'#' | b'_' if directive.width > 0 => return Read::Unknown(index + 1),
                b'-' => (directive.left, directive.padding) = (true, Padding::Unsaid),
                b'^' => directive.upper = true,
                b'#' => directive.change_case = true,
                b'_' => directive.padding = Padding::Spaces,
                b'0'..=b'9' => match directive.read_width(&body[index..]) {
                    (Some(width), len) => {
                        directive.width = width;
                        index += len - 1;
                    }
                    (None, len) => return Read::Unknown(index + len),
                },
                b'E' | b'O' => {
                    let letters: &[u8] = if byte == b'E' { b"cCxXyY" } else { b"deHkIlmMSuUVwWy" };
                    if !body.get(index + 1).is_some_and(|next| letters.contains(next)) {
                        return Read::Unknown(index + 1);
                    }
                }
                b':' => {
                    directive.colons = body[index..].iter().take_while(|b| **b == b':').count();
                    if body.get(index + directive.colons) != Some(&b'z') || directive.colons > 3 {
                        return Read::Unknown(index + directive.colons);
                    }
                    index += directive.colons - 1;
                }
                letter => {
                    directive.letter = letter;
                    return Read::Directive(directive, index + 1);
                }
            }
            index += 1;
        }
        Read::Unfinished
    }

    /// Digits, of which a leading zero is a flag too. `None` beyond an `i32`.
    fn read_width(&mut self, digits: &[u8]) -> (Option<usize>, usize) {
        if digits[0] == b'0' {
            self.padding = Padding::Zeros;
        }
        let len = digits.iter().take_while(|b| b.is_ascii_digit()).count();
        let width = digits[..len].iter().try_fold(0_i32, |n, d| n.checked_mul(10)?.checked_add(i32::from(d - b'0')));
        (width.map(|width| width as usize), len)
    }

    /// Appends what the directive stands for; false if its letter means nothing.
    fn push(&self, time: &TimeFields<'_>, dialect: Dialect, out: &mut Vec<u8>) -> Result<bool, StrftimeError> {
        if self.width > MAX_WIDTH {
            return Err(StrftimeError::TooLong);
        }
        match self.letter {
            b'A' | b'a' | b'B' | b'b' | b'h' => self.name(time, out),
            b'p' | b'P' => self.meridian(time, out),
            b'Z' => self.zone(time, out),
            b'z' => self.offset(time, out),
            b'N' => self.fraction(time, 9, out),
            b'L' => self.fraction(time, 3, out),
            b'n' => self.text(b"\n", out),
            b't' => self.text(b"\t", out),
            b'%' => self.text(b"%", out),
            b'Y' | b'G' | b'C' | b's' => self.big(time, out),
            b'Q' if dialect == Dialect::Date => self.milliseconds(time, out),
            letter => match composite(letter, dialect) {
                Some(format) => self.composite(format, time, dialect, out)?,
                None => return Ok(self.small(time, out)),
            },
        }
        Ok(true)
    }

    // Numbers.

    /// The directives that print a number of at most three digits; false if this is none of them.
    fn small(&self, time: &TimeFields<'_>, out: &mut Vec<u8>) -> bool {
        use Padding::{Spaces, Zeros};
        let twelve_hours = (time.hour + 11) % 12 + 1;
        let (padding, width, value) = match self.letter {
            b'd' => (Zeros, 2, u16::from(time.day)),
            b'e' => (Spaces, 2, u16::from(time.day)),
            b'H' => (Zeros, 2, u16::from(time.hour)),
            b'k' => (Spaces, 2, u16::from(time.hour)),
            b'I' => (Zeros, 2, u16::from(twelve_hours)),
            b'l' => (Spaces, 2, u16::from(twelve_hours)),
            b'j' => (Zeros, 3, time.yday),
            b'm' => (Zeros, 2, u16::from(time.month)),
            b'M' => (Zeros, 2, u16::from(time.minute)),
            b'S' => (Zeros, 2, u16::from(time.second)),
            b'u' => (Zeros, 1, u16::from(calendar::iso_weekday(time.weekday))),
            b'w' => (Zeros, 1, u16::from(time.weekday)),
            b'U' => (Zeros, 2, calendar::week_from_sunday(time)),
            b'W' => (Zeros, 2, calendar::week_from_monday(time)),
            b'V' => (Zeros, 2, calendar::iso_week(time).1),
            b'y' => (Zeros, 2, last_two_digits(&time.year)),
            b'g' => (Zeros, 2, last_two_digits(&calendar::iso_year(time))),
            _ => return false,
        };
        self.number(&Int::Small(i64::from(value)), padding, width, out);
        true
    }

    fn big(&self, time: &TimeFields<'_>, out: &mut Vec<u8>) {
        let (value, width) = match self.letter {
            b'Y' => (time.year.clone(), year_width(&time.year)),
            b'G' => {
                let year = calendar::iso_year(time);
                let width = year_width(&year);
                (year, width)
            }
            b'C' => (floor_divide(&time.year, 100), 2),
            _ => (time.epoch.clone(), 1),
        };
        self.number(&value, Padding::Zeros, width, out);
    }

    fn milliseconds(&self, time: &TimeFields<'_>, out: &mut Vec<u8>) {
        let milliseconds = time.epoch.to_big() * 1000 + time.nanosecond / 1_000_000;
        self.number(&Int::from(milliseconds), Padding::Zeros, 1, out);
    }

    /// A number in its own width unless another was given; the sign counts.
    fn number(&self, value: &Int, padding: Padding, width: usize, out: &mut Vec<u8>) {
        let width = match () {
            () if self.left => 1,
            () if self.width > 0 => self.width,
            () => width,
        };
        let padding = if self.padding == Padding::Unsaid { padding } else { self.padding };
        let (mut buffer, written);
        let digits = match value {
            Int::Small(n) => {
                buffer = [0; DIGITS];
                decimal(n.unsigned_abs(), &mut buffer)
            }
            Int::Big(_) => {
                written = int_to_string(value, 10);
                written.strip_prefix(b"-").unwrap_or(&written)
            }
        };
        let sign: &[u8] = if value.is_negative() { b"-" } else { b"" };
        let end = out.len() + width.saturating_sub(digits.len());
        if padding == Padding::Spaces {
            out.resize(end.saturating_sub(sign.len()).max(out.len()), b' ');
            out.extend_from_slice(sign);
        } else {
            out.extend_from_slice(sign);
            out.resize(end.max(out.len()), b'0');
        }
        out.extend_from_slice(digits);
    }

    /// `%N` and `%L`: the width is the number of digits behind the second's point.
    fn fraction(&self, time: &TimeFields<'_>, digits: usize, out: &mut Vec<u8>) {
        let digits = if self.width > 0 { self.width } else { digits };
        let (mut buffer, start) = ([0; DIGITS], out.len());
        let nanoseconds = decimal(time.nanosecond.into(), &mut buffer);
        out.resize(start + 9 - nanoseconds.len(), b'0');
        out.extend_from_slice(nanoseconds);
        out.truncate(start + digits.min(9));
        let end = out.len() + digits.saturating_sub(9);
        if let Some(rest) = time.sub_nanosecond.filter(|_| digits > 9) {
            // Digits far behind what the ratio has are zeros or of no interest.
            let places = (digits - 9).min(1000);
            let scaled = &rest.numerator * BigInt::from(10).pow(places as u32) / &rest.denominator;
            out.extend_from_slice(format!("{:0>places$}", scaled.to_string()).as_bytes());
        }
        out.resize(end, b'0');
    }

    // Text.

    fn name(&self, time: &TimeFields<'_>, out: &mut Vec<u8>) {
        let name = match self.letter {
            b'A' | b'a' => calendar::WEEKDAYS.get(usize::from(time.weekday)),
            _ => usize::from(time.month).checked_sub(1).and_then(|month| calendar::MONTHS.get(month)),
        };
        let name = name.copied().unwrap_or("?").as_bytes();
        let is_long = matches!(self.letter, b'A' | b'B');
        let shown = if is_long { name } else { &name[..name.len().min(3)] };
        if self.change_case { self.text(&shown.to_ascii_uppercase(), out) } else { self.text(shown, out) }
    }

    fn meridian(&self, time: &TimeFields<'_>, out: &mut Vec<u8>) {
        let is_lower = (self.letter == b'P') != self.change_case;
        self.text(
            match (time.hour < 12, is_lower) {
                (true, false) => b"AM",
                (false, false) => b"PM",
                (true, true) => b"am",
                (false, true) => b"pm",
            },
            out,
        );
    }

    fn zone(&self, time: &TimeFields<'_>, out: &mut Vec<u8>) {
        // Without a zone even the filling is missing.
        if let Some(zone) = time.zone.filter(|zone| !zone.is_empty()) {
            self.text(&if self.change_case { zone.to_ascii_lowercase() } else { zone.to_vec() }, out);
        }
    }

    fn text(&self, text: &[u8], out: &mut Vec<u8>) {
        if !self.left {
            self.fill(text.len(), out);
        }
        // The other case wins over upper case where there is one.
        if self.upper && !(self.change_case && matches!(self.letter, b'p' | b'Z')) {
            out.extend(text.iter().map(u8::to_ascii_uppercase));
        } else {
            out.extend_from_slice(text);
        }
    }

    fn fill(&self, len: usize, out: &mut Vec<u8>) {
        let byte = if self.padding == Padding::Zeros { b'0' } else { b' ' };
        out.resize(out.len() + self.width.saturating_sub(len), byte);
    }

    /// A directive that stands for several others.
    fn composite(
        &self,
        format: &[u8],
        time: &TimeFields<'_>,
        dialect: Dialect,
        out: &mut Vec<u8>,
    ) -> Result<(), StrftimeError> {
        let mut text = Vec::new();
        strftime(format, time, dialect, &mut text)?;
        if self.upper {
            text.make_ascii_uppercase();
        }
        self.fill(text.len(), out);
        out.extend_from_slice(&text);
        Ok(())
    }

    /// `%z` with up to three colons.
    fn offset(&self, time: &TimeFields<'_>, out: &mut Vec<u8>) {
        let negative = time.utc_offset < 0 || time.is_utc && self.left;
        let offset = time.utc_offset.unsigned_abs();
        let (hours, minutes, seconds) = (offset / 3600, offset / 60 % 60, offset % 60);
        let (has_minutes, has_seconds) = match self.colons {
            0 | 1 => (true, false),
            3 => (!offset.is_multiple_of(3600), seconds > 0),
            _ => (true, true),
        };
        let tail = [(minutes, has_minutes), (seconds, has_seconds)].into_iter().filter(|(_, is_shown)| *is_shown);
        let tail_len = tail.clone().count() * (2 + usize::from(self.colons > 0));
        let sign = if negative { b'-' } else { b'+' };
        // The width goes to the hours; spaces stand before the sign and take one digit's place, zeros behind it.
        let room = self.width.saturating_sub(tail_len).max(3);
        let mut buffer = [0; DIGITS];
        let digits = decimal(hours.into(), &mut buffer);
        let fill = (room - 1).saturating_sub(digits.len());
        if self.padding == Padding::Spaces {
            out.resize(out.len() + fill, b' ');
            out.push(sign);
        } else {
            out.push(sign);
            out.resize(out.len() + fill, b'0');
        }
        out.extend_from_slice(digits);
        for (number, _) in tail {
            if self.colons > 0 {
                out.push(b':');
            }
            out.extend_from_slice(&[b'0' + (number / 10) as u8, b'0' + (number % 10) as u8]);
        }
    }
}

/// The most digits that a number of 64 bits has.
const DIGITS: usize = 20;

/// A number's digits, at the end of the buffer.
fn decimal(mut number: u64, buffer: &mut [u8; DIGITS]) -> &[u8] {
    let mut first = DIGITS;
    loop {
        first -= 1;
        buffer[first] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return &buffer[first..];
        }
    }
}

/// The format that a letter abbreviates.
fn composite(letter: u8, dialect: Dialect) -> Option<&'static [u8]> {
    Some(match letter {
        b'c' => b"%a %b %e %H:%M:%S %Y",
        b'D' | b'x' => b"%m/%d/%y",
        b'F' => b"%Y-%m-%d",
        b'r' => b"%I:%M:%S %p",
        b'R' => b"%H:%M",
        b'T' | b'X' => b"%H:%M:%S",
        b'v' if dialect == Dialect::Date => b"%e-%^b-%Y",
        b'v' => b"%e-%^b-%4Y",
        b'+' if dialect == Dialect::Date => b"%a %b %e %H:%M:%S %Z %Y",
        _ => return None,
    })
}

/// Four digits, and room for a sign.
fn year_width(year: &Int) -> usize {
    if year.is_negative() { 5 } else { 4 }
}

fn floor_divide(n: &Int, by: i64) -> Int {
    match n {
        Int::Small(n) => Int::Small(n.div_euclid(by)),
        Int::Big(n) => Int::from(n.div_floor(&BigInt::from(by))),
    }
}

fn modulo(n: &Int, by: i64) -> i64 {
    match n {
        Int::Small(n) => n.rem_euclid(by),
        Int::Big(n) => match Int::from(n.mod_floor(&BigInt::from(by))) {
            Int::Small(rest) => rest,
            Int::Big(_) => 0,
        },
    }
}

fn last_two_digits(year: &Int) -> u16 {
    modulo(year, 100) as u16
}

#[cfg(test)]
mod tests;
