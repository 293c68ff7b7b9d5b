//! Tests of `strftime`.

use super::*;
use crate::recorded::{self, Differences};

fn ascii(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

fn int(text: &str) -> Int {
    Int::from(text.parse::<BigInt>().expect("an integer"))
}

fn ratio(text: &str) -> Ratio {
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let big = |digits: &str| digits.parse::<BigInt>().expect("an integer");
    Ratio::new(big(numerator), big(denominator)).expect("not zero")
}

/// Runs `check` with the fields that the recorded table writes in one column.
fn with_fields(column: &[u8], check: impl FnOnce(&TimeFields<'_>)) {
    let fields: Vec<&str> = ascii(column).split(' ').collect();
    fn small<T: std::str::FromStr>(text: &str) -> T {
        text.parse().unwrap_or_else(|_| panic!("a small number: {text}"))
    }
    let sub_nanosecond = ratio(fields[7]);
    check(&TimeFields {
        year: int(fields[0]),
        month: small(fields[1]),
        day: small(fields[2]),
        hour: small(fields[3]),
        minute: small(fields[4]),
        second: small(fields[5]),
        nanosecond: small(fields[6]),
        sub_nanosecond: Some(&sub_nanosecond),
        weekday: small(fields[8]),
        yday: small(fields[9]),
        utc_offset: small(fields[10]),
        is_utc: fields[11] == "true",
        zone: (!fields[12].is_empty()).then_some(fields[12].as_bytes()),
        epoch: int(fields[13]),
    });
}

fn answer(format: &[u8], time: &TimeFields<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    match strftime(format, time, Dialect::Time, &mut out) {
        Ok(()) => out,
        Err(StrftimeError::InvalidFormat) => b"ArgumentError".to_vec(),
        Err(StrftimeError::TooLong) => b"Errno::ERANGE".to_vec(),
    }
}

#[test]
fn answers_equal_the_recorded_ones() {
    let mut differences = Differences::default();
    for (line, fields) in recorded::cases(include_str!("../../recorded/strftime.tsv")) {
        with_fields(&fields[0], |time| differences.compare(line, &fields, &answer(&fields[1], time)));
    }
    differences.finish(3000);
}

#[test]
fn dates_have_two_directives_more() {
    let column = b"2001 2 3 4 5 6 500000000 0 6 34 25200 false +07:00 981147906";
    with_fields(column, |time| {
        let date = |format: &[u8]| {
            let mut out = Vec::new();
            strftime(format, time, Dialect::Date, &mut out).expect("formats");
            String::from_utf8(out).expect("UTF-8")
        };
        assert_eq!(date(b"%Q"), "981147906500");
        assert_eq!(date(b"%+"), "Sat Feb  3 04:05:06 +07:00 2001");
        assert_eq!(date(b"%^+"), "SAT FEB  3 04:05:06 +07:00 2001");
        assert_eq!(date(b"%40+"), "         Sat Feb  3 04:05:06 +07:00 2001");
        assert_eq!(date(b"%v"), " 3-FEB-2001");
        assert_eq!(date(b"abc%"), "abc%");
        assert_eq!(date(b"%5"), "%5");
    });
}
