//! The calendar of `lib/date`: Julian until a day of reform, Gregorian from it on, over days counted from 4713 BC.
//!
//! `lib/date/calendar.rb` has the same arithmetic for numbers of any size, and asks here first. Year, month and day are one
//! integer, the last two in nine bits.

use carat_vm::{Ec, Value};

/// Years and days below this, however they are combined, fit.
const SMALL: i64 = 1 << 40;

fn small(value: Value) -> Option<i64> {
    value.as_fixnum().filter(|number| number.abs() < SMALL)
}

fn pack(year: i64, month: i64, day: i64) -> i64 {
    year << 9 | month << 5 | day
}

fn jd_of(mut year: i64, mut month: i64, day: i64, reform: f64) -> i64 {
    if month <= 2 {
        year -= 1;
        month += 12;
    }
    let julian = (1461 * (year + 4716)).div_euclid(4) + 153 * (month + 1) / 5 + day - 1524;
    let century = year.div_euclid(100);
    let gregorian = julian + 2 - century + century.div_euclid(4);
    if (gregorian as f64) < reform { julian } else { gregorian }
}

fn civil_of(jd: i64, reform: f64) -> i64 {
    let shifted = if (jd as f64) < reform {
        jd + 1524
    } else {
        let centuries = (4 * jd - 7_468_865).div_euclid(146_097);
        jd + 1525 + centuries - centuries.div_euclid(4)
    };
    let year = (20 * shifted - 2442).div_euclid(7305);
    let rest = shifted - (1461 * year).div_euclid(4);
    let month = rest * 10_000 / 306_001;
    let day = rest - 153 * month / 5;
    if month <= 13 { pack(year - 4716, month - 1, day) } else { pack(year - 4715, month - 13, day) }
}

/// The Julian day of a date that exists.
fn valid_jd_of(year: i64, month: i64, day: i64, reform: f64) -> Option<i64> {
    let jd = jd_of(year, month, day, reform);
    (civil_of(jd, reform) == pack(year, month, day)).then_some(jd)
}

fn reform(ec: &Ec, start: Value) -> Option<f64> {
    ec.float_of(start)
}

fn or_nil(ec: &Ec, number: Option<i64>) -> Value {
    number.map_or(Value::NIL, |number| ec.int(number))
}

/// `Primitive.date_jd`: the day of year, month and day, which may lie behind the month's end; nil for numbers of absurd size.
pub(super) fn jd(ec: &mut Ec, year: Value, month: Value, day: Value, start: Value) -> Value {
    let found = || Some(jd_of(small(year)?, small(month)?, small(day)?, reform(ec, start)?));
    or_nil(ec, found())
}

/// `Primitive.date_civil`: year, month and day of a day; nil as above.
pub(super) fn civil(ec: &mut Ec, jd: Value, start: Value) -> Value {
    let found = || Some(civil_of(small(jd)?, reform(ec, start)?));
    or_nil(ec, found())
}

/// `Primitive.date_valid_jd`: the day of a date that exists, whose month and day are positive; false if it does not, nil as above
/// and for other months and days.
pub(super) fn valid_jd(ec: &mut Ec, year: Value, month: Value, day: Value, start: Value) -> Value {
    let found = || {
        let (year, month, day) = (small(year)?, small(month)?, small(day)?);
        let reform = reform(ec, start)?;
        let is_plain = (1..=12).contains(&month) && (1..=31).contains(&day);
        is_plain.then(|| valid_jd_of(year, month, day, reform).map_or(Value::FALSE, |jd| ec.int(jd)))
    };
    found().unwrap_or(Value::NIL)
}

/// `Primitive.date_first_of_year`: the reform may have taken days from the year's beginning; nil as above.
pub(super) fn first_of_year(ec: &mut Ec, year: Value, start: Value) -> Value {
    let found = || {
        let (year, reform) = (small(year)?, reform(ec, start)?);
        (1..=31).find_map(|day| valid_jd_of(year, 1, day, reform))
    };
    or_nil(ec, found())
}

/// `2024-02-29` of a year of four digits.
pub(super) fn text(packed: i64) -> Option<[u8; 10]> {
    let (year, month, day) = (packed >> 9, packed >> 5 & 15, packed & 31);
    let two = |number: i64| [b'0' + (number / 10) as u8, b'0' + (number % 10) as u8];
    let ([a, b], [c, d]) = (0..10_000).contains(&year).then(|| (two(year / 100), two(year % 100)))?;
    let ([e, f], [g, h]) = (two(month), two(day));
    Some([a, b, c, d, b'-', e, f, b'-', g, h])
}

#[cfg(test)]
mod tests {
    use super::*;

    const ITALY: f64 = 2_299_161.0;

    #[test]
    fn days_and_dates_are_inverse() {
        for reform in [ITALY, f64::INFINITY, f64::NEG_INFINITY] {
            for jd in (-800_000..4_000_000).step_by(37).chain(2_299_100..2_299_200) {
                let packed = civil_of(jd, reform);
                assert_eq!(valid_jd_of(packed >> 9, packed >> 5 & 15, packed & 31, reform), Some(jd), "{jd} {reform}");
            }
        }
    }

    #[test]
    fn known_days() {
        assert_eq!(jd_of(2001, 2, 3, ITALY), 2_451_944);
        assert_eq!(civil_of(2_299_160, ITALY), pack(1582, 10, 4));
        assert_eq!(civil_of(2_299_161, ITALY), pack(1582, 10, 15));
        assert_eq!(valid_jd_of(1582, 10, 10, ITALY), None);
        assert_eq!(valid_jd_of(2023, 2, 29, ITALY), None);
        assert_eq!(text(pack(812, 1, 31)).as_ref().map(|text| &text[..]), Some(&b"0812-01-31"[..]));
        assert_eq!(text(pack(-1, 1, 31)), None);
    }
}
