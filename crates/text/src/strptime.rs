//! `Date._strptime`: reading a text as a format says.
//!
//! Found numbers of any length stay digits of the text. What belongs together (centuries and years, halves of the day and
//! hours) is the caller's to join.
//!
//! # References
//! CRuby's `date_strptime.c`.

use std::ops::Range;

/// A part of a date or of a time of day, as the hash of the result calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name(pub &'static str);

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    Small(i64),
    /// Digits in the text, with their sign before them.
    Whole {
        digits: Range<usize>,
        is_negative: bool,
    },
    /// Digits in the text behind a decimal point.
    Fraction {
        digits: Range<usize>,
        is_negative: bool,
    },
    /// Digits in the text that count thousandths.
    Thousandths {
        digits: Range<usize>,
        is_negative: bool,
    },
    /// A part of the text.
    Text(Range<usize>),
    /// The half of the day: 0 or 12.
    Half(i64),
    /// The century that a year of two digits lies in, unless one was found.
    Century(i64),
}

/// Parts in the order in which they were found, and where the rest of the text begins.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Found {
    pub parts: Vec<(Name, Content)>,
    pub end: usize,
}

pub const ZONE: Name = Name("zone");
pub const CENTURY: Name = Name("_cent");
pub const HALF: Name = Name("_merid");

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const DAYS: [&str; 7] = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/// `None` if the text is not as the format says.
pub fn parse(text: &[u8], format: &[u8]) -> Option<Found> {
    let mut reader = StrptimeReader { text, found: Found::default() };
    reader.run(format)?;
    Some(reader.found)
}

struct StrptimeReader<'a> {
    text: &'a [u8],
    found: Found,
}

fn is_space(byte: u8) -> bool {
    byte == b' ' || (9..=13).contains(&byte)
}

/// Length of the directive behind a percent sign.
fn directive_len(rest: &[u8]) -> Option<usize> {
    let len = match rest {
        [b'E', b'c' | b'C' | b'x' | b'X' | b'y' | b'Y', ..] => 2,
        [b'O', letter, ..] if b"deHImMSuUVwWy".contains(letter) => 2,
        [b':', ..] => {
            let colons = rest.iter().take_while(|byte| **byte == b':').count();
            return (colons <= 3 && rest.get(colons) == Some(&b'z')).then_some(colons + 1);
        }
        [letter, ..] if !matches!(letter, b'E' | b'O') => 1,
        _ => return None,
    };
    b"AaBbhCcDdeFGgHIjkLlMmNnPpQRrSsTtUuVvWwXxYyZz%+".contains(&rest[len - 1]).then_some(len)
}

/// Whether what follows reads a number, which a number in front of it has to leave digits for.
fn begins_with_number(format: &[u8]) -> bool {
    let letter = match format {
        [digit, ..] if digit.is_ascii_digit() => return true,
        [b'%', b'E' | b'O', letter, ..] | [b'%', letter, ..] => letter,
        _ => return false,
    };
    letter.is_ascii_digit() || b"CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy".contains(letter)
}

impl StrptimeReader<'_> {
    fn run(&mut self, format: &[u8]) -> Option<()> {
        let mut at = 0;
        while let Some(&byte) = format.get(at) {
            if let Some(len) = (byte == b'%').then(|| directive_len(&format[at + 1..])).flatten() {
                at += 1 + len;
                self.read(format[at - 1], &format[at..])?;
            } else if is_space(byte) {
                self.skip(is_space);
                at += 1;
            } else {
                self.expect(byte)?;
                at += 1;
            }
        }
        Some(())
    }

    fn next(&self) -> Option<u8> {
        self.text.get(self.found.end).copied()
    }

    fn skip(&mut self, is_skipped: impl Fn(u8) -> bool) {
        while self.next().is_some_and(&is_skipped) {
            self.found.end += 1;
        }
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        self.next().filter(|next| *next == byte)?;
        self.found.end += 1;
        Some(())
    }

    fn put(&mut self, name: &'static str, content: Content) {
        self.found.parts.push((Name(name), content));
    }

    fn read(&mut self, letter: u8, rest: &[u8]) -> Option<()> {
        let format: &[u8] = match letter {
            b'c' => b"%a %b %e %H:%M:%S %Y",
            b'D' | b'x' => b"%m/%d/%y",
            b'F' => b"%Y-%m-%d",
            b'n' | b't' => b" ",
            b'R' => b"%H:%M",
            b'r' => b"%I:%M:%S %p",
            b'T' | b'X' => b"%H:%M:%S",
            b'v' => b"%e-%b-%Y",
            b'+' => b"%a %b %e %H:%M:%S %Z %Y",
            _ => return self.read_part(letter, rest),
        };
        self.run(format)
    }

    fn read_part(&mut self, letter: u8, rest: &[u8]) -> Option<()> {
        let width = |width| if begins_with_number(rest) { width } else { usize::MAX };
        match letter {
            b'j' => self.number("yday", 3, 1, 366),
            b'M' => self.number("min", 2, 0, 59),
            b'm' => self.number("mon", 2, 1, 12),
            b'S' => self.number("sec", 2, 0, 60),
            b'U' => self.number("wnum0", 2, 0, 53),
            b'W' => self.number("wnum1", 2, 0, 53),
            b'u' => self.number("cwday", 1, 1, 7),
            b'V' => self.number("cweek", 2, 1, 53),
            b'w' => self.number("wday", 1, 0, 6),
            b'y' => self.short_year("year"),
            b'g' => self.short_year("cwyear"),
            b'd' | b'e' => self.padded("mday", 1, 31),
            b'H' | b'k' => self.padded("hour", 0, 24),
            b'I' | b'l' => self.padded("hour", 1, 12),
            b'Y' => self.whole("year", width(4)),
            b'G' => self.whole("cwyear", width(4)),
            b'C' => self.century(width(2)),
            b'L' => self.fraction(width(3)),
            b'N' => self.fraction(width(9)),
            b'A' | b'a' => self.name("wday", &DAYS, 0),
            b'B' | b'b' | b'h' => self.name("mon", &MONTHS, 1),
            b'P' | b'p' => self.half(),
            b'Q' | b's' => self.seconds(letter == b'Q'),
            b'Z' | b'z' => self.zone(),
            _ => self.expect(b'%'),
        }
    }

    /// At most so many digits; one at least.
    fn digits(&mut self, width: usize) -> Option<Range<usize>> {
        let start = self.found.end;
        let limit = self.text.len().min(start.saturating_add(width));
        while self.found.end < limit && self.text[self.found.end].is_ascii_digit() {
            self.found.end += 1;
        }
        (self.found.end > start).then_some(start..self.found.end)
    }

    /// As above, of three digits at most.
    fn small(&mut self, width: usize, min: i64, max: i64) -> Option<i64> {
        let digits = self.digits(width)?;
        let number = self.text[digits].iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0'));
        (min..=max).contains(&number).then_some(number)
    }

    fn is_negative(&mut self) -> bool {
        let is_negative = self.next() == Some(b'-');
        self.found.end += usize::from(matches!(self.next(), Some(b'-' | b'+')));
        is_negative
    }

    fn number(&mut self, name: &'static str, width: usize, min: i64, max: i64) -> Option<()> {
        let number = self.small(width, min, max)?;
        self.put(name, Content::Small(number));
        Some(())
    }

    fn short_year(&mut self, name: &'static str) -> Option<()> {
        let number = self.small(2, 0, 99)?;
        self.put(name, Content::Small(number));
        self.put(CENTURY.0, Content::Century(if number >= 69 { 19 } else { 20 }));
        Some(())
    }

    /// Two digits, or a space and one.
    fn padded(&mut self, name: &'static str, min: i64, max: i64) -> Option<()> {
        let is_padded = self.next() == Some(b' ');
        self.found.end += usize::from(is_padded);
        self.number(name, if is_padded { 1 } else { 2 }, min, max)
    }

    fn whole(&mut self, name: &'static str, width: usize) -> Option<()> {
        let is_negative = self.is_negative();
        let digits = self.digits(width)?;
        self.put(name, Content::Whole { digits, is_negative });
        Some(())
    }

    /// Without a sign.
    fn century(&mut self, width: usize) -> Option<()> {
        let digits = self.digits(width)?;
        self.put(CENTURY.0, Content::Whole { digits, is_negative: false });
        Some(())
    }

    fn fraction(&mut self, width: usize) -> Option<()> {
        let is_negative = self.is_negative();
        let digits = self.digits(width)?;
        self.put("sec_fraction", Content::Fraction { digits, is_negative });
        Some(())
    }

    fn seconds(&mut self, in_thousandths: bool) -> Option<()> {
        let is_negative = self.expect(b'-').is_some();
        let digits = self.digits(usize::MAX)?;
        let content = match in_thousandths {
            true => Content::Thousandths { digits, is_negative },
            false => Content::Whole { digits, is_negative },
        };
        self.put("seconds", content);
        Some(())
    }

    fn has(&self, word: &[u8]) -> bool {
        let rest = &self.text[self.found.end..];
        rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
    }

    /// A whole name or its first three letters.
    fn name(&mut self, key: &'static str, names: &[&str], first: i64) -> Option<()> {
        let index = names.iter().position(|name| self.has(&name.as_bytes()[..3]))?;
        let name = names[index].as_bytes();
        self.found.end += if self.has(name) { name.len() } else { 3 };
        self.put(key, Content::Small(index as i64 + first));
        Some(())
    }

    fn half(&mut self) -> Option<()> {
        let words: [(&[u8], i64); 4] = [(b"am", 0), (b"pm", 12), (b"a.m.", 0), (b"p.m.", 12)];
        let (word, half) = words.into_iter().find(|(word, _)| self.has(word))?;
        self.found.end += word.len();
        self.put(HALF.0, Content::Half(half));
        Some(())
    }

    fn zone(&mut self) -> Option<()> {
        let len = zone_len(&self.text[self.found.end..])?;
        let start = self.found.end;
        self.found.end += len;
        self.put(ZONE.0, Content::Text(start..start + len));
        Some(())
    }
}

fn count(text: &[u8], is_counted: impl Fn(u8) -> bool) -> usize {
    text.iter().take_while(|byte| is_counted(**byte)).count()
}

/// Length of the zone at the front: an offset, a name with "standard time" or "daylight time", or a word that "dst" may follow.
fn zone_len(text: &[u8]) -> Option<usize> {
    offset_len(text).or_else(|| long_name_len(text)).or_else(|| word_len(text))
}

fn starts_with(text: &[u8], word: &[u8]) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// `[gmt|utc]+9`, `-05:30`, `+09:00:30`, `+9.5`
fn offset_len(text: &[u8]) -> Option<usize> {
    let prefixes: [&[u8]; 4] = [b"gmt", b"utc", b"ut", b""];
    let digits = |at: usize| count(&text[at.min(text.len())..], |byte| byte.is_ascii_digit());
    prefixes.into_iter().filter(|prefix| starts_with(text, prefix)).find_map(|prefix| {
        text.get(prefix.len()).filter(|sign| matches!(sign, b'+' | b'-'))?;
        let mut len = prefix.len() + 1;
        let hours = digits(len);
        if hours == 0 {
            return None;
        }
        len += hours;
        let separator = text.get(len).filter(|byte| matches!(byte, b',' | b'.' | b':'));
        if separator.is_some() && digits(len + 1) > 0 {
            len += 1 + digits(len + 1);
            if text.get(len) == Some(&b':') && digits(len + 1) > 0 {
                len += 1 + digits(len + 1);
            }
        }
        Some(len)
    })
}

fn ends_word(text: &[u8], at: usize) -> bool {
    !text.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// Letters, points and blanks before the words; the last such place counts.
fn long_name_len(text: &[u8]) -> Option<usize> {
    let reach = count(text, |byte| byte.is_ascii_alphabetic() || byte == b'.' || is_space(byte));
    (1..=reach).rev().find_map(|start| {
        let word = ["standard", "daylight"].into_iter().find(|word| starts_with(&text[start..], word.as_bytes()))?;
        let blank = start + word.len();
        text.get(blank).filter(|byte| is_space(**byte))?;
        let end = blank + 5;
        (starts_with(&text[blank + 1..], b"time") && ends_word(text, end)).then_some(end)
    })
}

fn word_len(text: &[u8]) -> Option<usize> {
    let letters = count(text, |byte| byte.is_ascii_alphabetic());
    // A shorter word would not end at its last letter.
    if letters == 0 {
        return None;
    }
    let has_dst = text.get(letters).is_some_and(|byte| is_space(*byte)) && starts_with(&text[letters + 1..], b"dst");
    if has_dst && ends_word(text, letters + 4) {
        return Some(letters + 4);
    }
    ends_word(text, letters).then_some(letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_end_where_they_should() {
        let cases: [(&str, Option<usize>); 12] = [
            ("+09:00", Some(6)),
            ("+9.5 rest", Some(4)),
            ("UTC+9", Some(5)),
            ("utc", Some(3)),
            ("EST DST x", Some(7)),
            ("EST dstx", Some(3)),
            ("E. South America Standard Time", Some(30)),
            ("a b standard timex", Some(1)),
            ("Z", Some(1)),
            ("Z1", None),
            ("+", None),
            ("", None),
        ];
        for (text, len) in cases {
            assert_eq!(zone_len(text.as_bytes()), len, "{text}");
        }
    }

    #[test]
    fn directives_with_letters_before_them() {
        assert_eq!(directive_len(b"Ey"), Some(2));
        assert_eq!(directive_len(b"Od"), Some(2));
        assert_eq!(directive_len(b"Oy%"), Some(2));
        assert_eq!(directive_len(b"::z"), Some(3));
        assert_eq!(directive_len(b"::::z"), None);
        assert_eq!(directive_len(b":Y"), None);
        assert_eq!(directive_len(b"Q"), Some(1));
        assert_eq!(directive_len(b"i"), None);
        assert_eq!(directive_len(b""), None);
    }

    #[test]
    fn years_leave_digits_to_what_follows() {
        let year = |digits| (Name("year"), Content::Whole { digits, is_negative: false });
        assert_eq!(parse(b"20240229", b"%Y%m%d").unwrap().parts[0], year(0..4));
        assert_eq!(parse(b"12345-1", b"%Y-%m").unwrap().parts[0], year(0..5));
        assert_eq!(parse(b"2024-13", b"%Y-%m"), None);
    }
}
