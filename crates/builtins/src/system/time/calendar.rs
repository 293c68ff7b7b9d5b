//! The proleptic Gregorian calendar over seconds, and the rules of time zones.

use carat_sync::Mutex;
use jiff::Timestamp;
use jiff::tz::{TimeZone, TimeZoneOffsetInfo};
use std::cell::Cell;
use std::path::PathBuf;

/// Date and time of day on some clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Civil {
    pub(super) year: i64,
    pub(super) month: u8,
    pub(super) day: u8,
    pub(super) hour: u8,
    pub(super) minute: u8,
    pub(super) second: u8,
    /// 0 is Sunday.
    pub(super) weekday: u8,
    /// 1 to 366.
    pub(super) yday: u16,
}

/// Days since 1970 of a date; days beyond the month's end run on into the next.
pub(super) fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// The date and time of day of seconds since 1970 on a clock without offset. Whoever asks for the hour asks for the minute next.
#[inline]
pub(super) fn civil(seconds: i64) -> Civil {
    thread_local! {
        /// What was asked for last.
        static LAST: Cell<(i64, Civil)> = const { Cell::new((0, EPOCH)) };
    }
    let (last, known) = LAST.get();
    if last == seconds {
        return known;
    }
    let civil = civil_at(seconds);
    LAST.set((seconds, civil));
    civil
}

/// 1970 began on a Thursday.
const EPOCH: Civil = Civil { year: 1970, month: 1, day: 1, hour: 0, minute: 0, second: 0, weekday: 4, yday: 1 };

fn civil_at(seconds: i64) -> Civil {
    let (days_since, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400) as u32);
    let shifted = days_since + 719_468;
    let era = shifted.div_euclid(146_097);
    // Within 400 years everything is small: years begin in March there, with day 0.
    let day_of_era = (shifted - era * 146_097) as u32;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let is_leap = year_of_era.is_multiple_of(4) && (!year_of_era.is_multiple_of(100) || year_of_era == 0);
    // From March to December there are 306 days; January and February have 59, or 60.
    let yday = if month <= 2 { day_of_year - 305 } else { day_of_year + 60 + u32::from(is_leap) };
    Civil {
        year: era * 400 + i64::from(year_of_era) + i64::from(month <= 2),
        month: month as u8,
        day: day as u8,
        hour: (rest / 3600) as u8,
        minute: (rest / 60 % 60) as u8,
        second: (rest % 60) as u8,
        // An era, which is a whole number of weeks, begins on a Wednesday.
        weekday: ((day_of_era + 3) % 7) as u8,
        yday: yday as u16,
    }
}

/// What a zone says about a moment.
#[derive(Clone, Debug)]
pub(super) struct Offset {
    pub(super) seconds: i32,
    pub(super) is_dst: bool,
    pub(super) name: String,
}

/// The process's time zone, as TZ had it when it was last asked for.
#[derive(Default)]
pub(super) struct LocalZone(Mutex<Option<TimeZone>>);

impl LocalZone {
    pub(super) fn forget(&self) {
        *self.0.lock().unwrap_or_else(|e| e.into_inner()) = None;
    }

    /// The offset at a moment; moments that the zone's tables do not reach have that of the nearest they do.
    pub(super) fn at(&self, seconds: i64) -> Offset {
        self.ask(seconds, |info| Offset {
            seconds: info.offset().seconds(),
            is_dst: info.dst().is_dst(),
            name: info.abbreviation().to_owned(),
        })
        .unwrap_or_else(utc)
    }

    fn ask<R>(&self, seconds: i64, answer: impl FnOnce(&TimeZoneOffsetInfo<'_>) -> R) -> Option<R> {
        let mut zone = self.0.lock().unwrap_or_else(|e| e.into_inner());
        let zone = zone.get_or_insert_with(from_environment);
        let nearest = seconds.clamp(Timestamp::MIN.as_second(), Timestamp::MAX.as_second());
        let moment = Timestamp::from_second(nearest).ok()?;
        Some(answer(&zone.to_offset_info(moment)))
    }

    /// Seconds east of Greenwich at a moment.
    fn seconds_at(&self, moment: i64) -> i64 {
        self.ask(moment, |info| info.offset().seconds()).map_or(0, i64::from)
    }

    /// Seconds since 1970 of a local clock reading; of two the later, or the earlier if daylight saving time is asked for: which
    /// of them the zone calls so does not matter, as in CRuby's `find_time_t`.
    pub(super) fn resolve(&self, clock: i64, is_dst: bool) -> i64 {
        let before = clock - self.seconds_at(clock - 86_400);
        let after = clock - self.seconds_at(clock + 86_400);
        let fits = |t: i64| t + self.seconds_at(t) == clock;
        if before == after {
            // No change is near, or one that changes nothing.
            return before;
        }
        match (fits(before), fits(after)) {
            (true, true) if is_dst => before.min(after),
            (true, true) => before.max(after),
            (true, false) => before,
            (false, true) => after,
            (false, false) => before,
        }
    }
}

fn utc() -> Offset {
    Offset { seconds: 0, is_dst: false, name: "UTC".into() }
}

/// A name that nobody knows is one of UTC, as C libraries have it.
fn from_environment() -> TimeZone {
    let Ok(name) = std::env::var("TZ") else { return TimeZone::system() };
    let name = name.strip_prefix(':').unwrap_or(&name);
    if name.is_empty() {
        return TimeZone::UTC;
    }
    let unknown = || TimeZone::posix(&format!("{}0", name.split(|c: char| !c.is_ascii_alphabetic()).next()?)).ok();
    named(name).or_else(|| TimeZone::posix(name).ok()).or_else(unknown).unwrap_or(TimeZone::UTC)
}

/// Where systems keep the rules of zones; TZDIR names another folder.
const FOLDERS: [&str; 3] = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/etc/zoneinfo"];

/// Rules of a zone are a few kilobytes. What TZ names may be any file, or a device that never ends.
const MOST_BYTES: u64 = 1 << 20;

/// The zone that a file has the rules of, by the name that it has among those of the system, or by its path. (`TimeZone::get` lists the
/// folder with all that is in it, and remembers it.)
fn named(name: &str) -> Option<TimeZone> {
    let folder = std::env::var_os("TZDIR").map(PathBuf::from);
    let folders = folder.into_iter().chain(FOLDERS.map(PathBuf::from));
    let is_small =
        |path: &PathBuf| std::fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() <= MOST_BYTES);
    let path = folders.map(|folder| folder.join(name)).find(is_small)?;
    TimeZone::tzif(name, &std::fs::read(path).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_seconds_agree() {
        for (seconds, year, month, day, yday, weekday) in [
            (0, 1970, 1, 1, 1, 4),
            (-1, 1969, 12, 31, 365, 3),
            (1_709_212_800, 2024, 2, 29, 60, 4),
            (-62_135_596_800, 1, 1, 1, 1, 1),
        ] {
            let c = civil(seconds);
            assert_eq!((c.year, c.month, c.day, c.yday, c.weekday), (year, month, day, yday, weekday));
            assert_eq!(days(year, i64::from(month), i64::from(day)), seconds.div_euclid(86_400));
        }
    }

    #[test]
    fn of_two_readings_the_later_counts_unless_daylight_saving_time_is_asked_for() {
        let posix = TimeZone::posix("EST5EDT,M3.2.0,M11.1.0").expect("a zone of POSIX");
        let zone = LocalZone(Mutex::new(Some(posix)));
        // 2024-11-03 01:30:00, as a clock shows it twice; CRuby says 06:30 UTC, and 05:30 for daylight saving time.
        let clock = 1_730_597_400;
        assert_eq!(zone.resolve(clock, false) - clock, 5 * 3600);
        assert_eq!(zone.resolve(clock, true) - clock, 4 * 3600);
        // 2024-03-10 02:30:00 was on no clock, and 12:00 of that day on it once.
        assert_eq!(zone.resolve(1_710_037_800, false) - 1_710_037_800, 5 * 3600);
        assert_eq!(zone.resolve(1_710_072_000, true) - 1_710_072_000, 4 * 3600);
    }
}
