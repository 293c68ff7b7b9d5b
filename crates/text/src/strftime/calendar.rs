//! Names and week numbers.

use super::{TimeFields, modulo};
use crate::number::Int;

pub(super) const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// 1 is Monday, 7 Sunday.
pub(super) fn iso_weekday(weekday: u8) -> u8 {
    if weekday == 0 { 7 } else { weekday }
}

/// `%U`: the first Sunday begins week 1.
pub(super) fn week_from_sunday(time: &TimeFields<'_>) -> u16 {
    (time.yday + 6 - u16::from(time.weekday)) / 7
}

/// `%W`: the first Monday begins week 1.
pub(super) fn week_from_monday(time: &TimeFields<'_>) -> u16 {
    (time.yday + 7 - u16::from(iso_weekday(time.weekday))) / 7
}

/// ISO 8601: by how many years the week's year differs, and the week. A week belongs to the year of its Thursday.
pub(super) fn iso_week(time: &TimeFields<'_>) -> (i64, u16) {
    let year = modulo(&time.year, 400);
    let thursday = i64::from(time.yday) + 4 - i64::from(iso_weekday(time.weekday));
    let (difference, yday) = match () {
        () if thursday < 1 => (-1, thursday + days_in_year(year - 1)),
        () if thursday > days_in_year(year) => (1, thursday - days_in_year(year)),
        () => (0, thursday),
    };
    (difference, ((yday + 6) / 7) as u16)
}

/// `%G`.
pub(super) fn iso_year(time: &TimeFields<'_>) -> Int {
    match (&time.year, iso_week(time).0) {
        (Int::Small(year), difference) if year.checked_add(difference).is_some() => Int::Small(year + difference),
        (year, difference) => Int::from(year.to_big() + difference),
    }
}

fn days_in_year(year: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if is_leap { 366 } else { 365 }
}
