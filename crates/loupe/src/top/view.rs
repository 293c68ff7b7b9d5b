//! The picture of `loupe top`: what was measured, as lines of text.

use super::screen::Key;
use crate::attach;
use crate::report::Report;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// Lines above the list.
pub(crate) const HEAD_LINES: usize = 7;
/// Measurements of which the resident memory is drawn.
const HISTORY: usize = 60;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum View {
    Sites,
    Gems,
    Classes,
}

impl View {
    pub(crate) const ALL: [(&'static str, View); 3] =
        [("sites", View::Sites), ("gems", View::Gems), ("classes", View::Classes)];

    fn name(self) -> &'static str {
        View::ALL.iter().find(|(_, view)| *view == self).map_or("", |(name, _)| name)
    }
}

/// What the process says of itself; times in seconds, but for `collecting`, in milliseconds.
#[derive(Deserialize, Clone)]
pub(super) struct Status {
    pub(super) program: String,
    pub(super) process: u32,
    pub(super) resident: Option<u64>,
    pub(super) threads: u64,
    pub(super) time: f64,
    pub(super) processor: f64,
    pub(super) collections: u64,
    pub(super) full_collections: u64,
    pub(super) collecting: f64,
    pub(super) allocated: u64,
    pub(super) living: u64,
}

/// Name, objects, bytes.
#[derive(Deserialize, Clone)]
pub(super) struct ClassRow(pub(super) String, pub(super) u64, pub(super) u64);

/// What was measured at one moment; samples are of the time since the one before.
pub(super) struct Figures {
    pub(super) status: Status,
    pub(super) samples: Report,
    pub(super) classes: Vec<ClassRow>,
}

/// What is shown, and how.
pub(super) struct State {
    pub(super) view: View,
    pub(super) interval: Duration,
    pub(super) is_paused: bool,
    /// Sums since the beginning, or of the last interval.
    is_total: bool,
    is_help: bool,
    scroll: usize,
    last: Option<Status>,
    /// The last interval's rates.
    now: Option<Rates>,
    resident: Vec<u64>,
    sites: Sums,
    gems: Sums,
    /// Living objects by class, and bytes when they were counted first.
    classes: Vec<ClassRow>,
    first_classes: BTreeMap<String, u64>,
}

#[derive(Default)]
struct Sums {
    seconds: f64,
    total: BTreeMap<String, u64>,
    interval: BTreeMap<String, u64>,
    interval_seconds: f64,
}

impl Sums {
    fn add(&mut self, sums: impl Iterator<Item = (String, u64)>, seconds: f64) {
        self.interval = BTreeMap::new();
        for (name, bytes) in sums {
            *self.total.entry(name.clone()).or_default() += bytes;
            *self.interval.entry(name).or_default() += bytes;
        }
        self.seconds += seconds;
        self.interval_seconds = seconds;
    }
}

struct Rates {
    processor: f64,
    bytes: f64,
    objects: f64,
    collections: f64,
    collecting: f64,
}

impl State {
    pub(super) fn new(view: View, interval: Duration) -> State {
        State {
            view,
            interval,
            is_paused: false,
            is_total: false,
            is_help: false,
            scroll: 0,
            last: None,
            now: None,
            resident: Vec::new(),
            sites: Sums::default(),
            gems: Sums::default(),
            classes: Vec::new(),
            first_classes: BTreeMap::new(),
        }
    }

    pub(super) fn add(&mut self, figures: Figures) {
        let Figures { status, samples, classes } = figures;
        if let Some(last) = &self.last {
            let seconds = (status.time - last.time).max(1e-3);
            let rate = |now: u64, before: u64| now.saturating_sub(before) as f64 / seconds;
            self.now = Some(Rates {
                processor: (status.processor - last.processor) / seconds,
                bytes: samples.allocated.bytes as f64 / seconds,
                objects: rate(status.allocated, last.allocated),
                collections: rate(status.collections, last.collections),
                collecting: (status.collecting - last.collecting) / 1000.0 / seconds,
            });
            if let Some(stacks) = &samples.stacks {
                self.sites.add(attach::by_line(stacks).into_iter(), seconds);
                self.gems.add(attach::by_gem(stacks).into_iter(), seconds);
            }
        }
        self.resident.extend(status.resident);
        let surplus = self.resident.len().saturating_sub(HISTORY);
        self.resident.drain(..surplus);
        if !classes.is_empty() {
            if self.first_classes.is_empty() {
                self.first_classes = classes.iter().map(|row| (row.0.clone(), row.2)).collect();
            }
            self.classes = classes;
        }
        self.last = Some(status);
    }

    pub(super) fn press(&mut self, key: Key) {
        let was_help = std::mem::take(&mut self.is_help);
        match key {
            Key::Up => self.scroll = self.scroll.saturating_sub(1),
            Key::Down => self.scroll += 1,
            Key::PageUp => self.scroll = self.scroll.saturating_sub(10),
            Key::PageDown => self.scroll += 10,
            Key::Home => self.scroll = 0,
            Key::Letter('s') => self.look_at(View::Sites),
            Key::Letter('g') => self.look_at(View::Gems),
            Key::Letter('c') => self.look_at(View::Classes),
            Key::Letter('t') => self.is_total = !self.is_total,
            Key::Letter('p') => self.is_paused = !self.is_paused,
            Key::Letter('r') => self.reset(),
            Key::Letter('+') => self.interval = (self.interval * 2).min(Duration::from_secs(60)),
            Key::Letter('-') => self.interval = (self.interval / 2).max(Duration::from_millis(250)),
            Key::Letter('h' | '?') => self.is_help = !was_help,
            Key::Quit | Key::Letter(_) => {}
        }
    }

    fn look_at(&mut self, view: View) {
        (self.view, self.scroll) = (view, 0);
    }

    fn reset(&mut self) {
        (self.sites, self.gems) = (Sums::default(), Sums::default());
        self.first_classes.clear();
        self.resident.clear();
    }

    /// The picture, of at most so many columns and lines.
    pub(super) fn lines(&self, width: usize, height: usize) -> Vec<String> {
        let mut lines = self.head();
        lines.extend(if self.is_help { help() } else { self.list(height.saturating_sub(HEAD_LINES)) });
        lines.truncate(height);
        lines.iter().map(|line| line.chars().take(width).collect()).collect()
    }

    fn head(&self) -> Vec<String> {
        let Some(status) = &self.last else { return Vec::new() };
        let paused = if self.is_paused { "  paused" } else { "" };
        let mut lines = vec![format!(
            "{}  process {}  {} threads  every {:.2} s{paused}",
            status.program,
            status.process,
            status.threads,
            self.interval.as_secs_f64()
        )];
        let resident = status.resident.map_or_else(|| "not told".into(), |bytes| scaled(bytes as f64));
        lines.push(format!("resident   {resident:>9}  {}", bars(&self.resident)));
        lines.push(format!(
            "objects    {:>9}  {} collections, {} of them full",
            grouped(status.living),
            grouped(status.collections),
            grouped(status.full_collections)
        ));
        lines.push(self.now.as_ref().map_or_else(String::new, |now| {
            format!(
                "allocates  {:>9}/s  {} objects/s  {:.1} collections/s ({:.1} % of the time)  processor {:.0} %",
                scaled(now.bytes),
                grouped(now.objects as u64),
                now.collections,
                now.collecting * 100.0,
                now.processor * 100.0
            )
        }));
        lines.push(
            "keys: s sites  g gems  c classes  t total or interval  p pause  r reset  + - interval  h help  q quit"
                .into(),
        );
        lines.push(String::new());
        lines.push(self.title());
        lines
    }

    fn title(&self) -> String {
        match self.view {
            View::Classes => {
                format!("{:>10} {:>12} {:>12}  class, of all living objects", "bytes", "since first", "objects")
            }
            view if self.is_total => format!("{:>10} {:>7}  {}, since the beginning", "bytes", "share", view.name()),
            view => format!("{:>10} {:>7}  {}, of the last interval", "bytes/s", "share", view.name()),
        }
    }

    fn list(&self, count: usize) -> Vec<String> {
        let rows = match self.view {
            View::Classes => self.class_rows(),
            View::Sites => rows_of(&self.sites, self.is_total),
            View::Gems => rows_of(&self.gems, self.is_total),
        };
        let from = self.scroll.min(rows.len().saturating_sub(1));
        rows.into_iter().skip(from).take(count).collect()
    }

    fn class_rows(&self) -> Vec<String> {
        let row = |ClassRow(name, objects, bytes): &ClassRow| {
            let more = *bytes as f64 - self.first_classes.get(name).copied().unwrap_or(0) as f64;
            let sign = if more > 0.0 { "+" } else { "" };
            let more = if more == 0.0 { "=".to_string() } else { format!("{sign}{}", scaled(more)) };
            format!("{:>10} {more:>12} {:>12}  {name}", scaled(*bytes as f64), grouped(*objects))
        };
        self.classes.iter().map(row).collect()
    }
}

fn rows_of(sums: &Sums, is_total: bool) -> Vec<String> {
    let (of, seconds) = if is_total { (&sums.total, 1.0) } else { (&sums.interval, sums.interval_seconds) };
    let all: u64 = of.values().sum();
    let mut list: Vec<(&String, &u64)> = of.iter().collect();
    list.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
    let row = |(name, bytes): (&String, &u64)| {
        let share = *bytes as f64 * 100.0 / all.max(1) as f64;
        format!("{:>10} {share:>5.1} %  {name}", scaled(*bytes as f64 / seconds.max(1e-3)))
    };
    list.into_iter().map(row).collect()
}

fn help() -> Vec<String> {
    [
        "s  where the program allocates: estimates, of one sample for so many bytes",
        "g  the same by gem",
        "c  living objects by class; counting them stops the process for some milliseconds",
        "t  sums since the beginning, or the rate of the last interval",
        "r  begin anew",
        "p  pause",
        "+  look half as often      -  look twice as often",
        "up, down, page up, page down, home   move the list",
        "q  quit; the process goes on without samples",
    ]
    .map(|line| format!("  {line}"))
    .to_vec()
}

/// A history as blocks, from the least to the most.
fn bars(values: &[u64]) -> String {
    const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let (Some(low), Some(high)) = (values.iter().min(), values.iter().max()) else { return String::new() };
    let bar = |value: &u64| BLOCKS[((value - low) * 7).checked_div(high - low).unwrap_or(0) as usize];
    format!("{} {} to {}", values.iter().map(bar).collect::<String>(), scaled(*low as f64), scaled(*high as f64))
}

fn scaled(bytes: f64) -> String {
    let (amount, unit) = match bytes.abs() {
        size if size >= 1e9 => (bytes / 1e9, "GB"),
        size if size >= 1e6 => (bytes / 1e6, "MB"),
        size if size >= 1e3 => (bytes / 1e3, "kB"),
        _ => return format!("{bytes:.0} B"),
    };
    format!("{amount:.1} {unit}")
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(time: f64) -> Status {
        Status {
            program: "app.rb".into(),
            process: 7,
            resident: Some(20_000_000 + time as u64 * 1_000_000),
            threads: 2,
            time,
            processor: time / 2.0,
            collections: time as u64 * 10,
            full_collections: 1,
            collecting: time * 20.0,
            allocated: time as u64 * 1_000,
            living: 1_234,
        }
    }

    fn state() -> State {
        let mut state = State::new(View::Classes, Duration::from_secs(1));
        for time in [1.0, 2.0, 3.0] {
            let classes = vec![ClassRow("String".into(), 10, 500 + time as u64 * 500), ClassRow("Array".into(), 1, 40)];
            state.add(Figures { status: status(time), samples: Report::default(), classes });
        }
        state
    }

    #[test]
    fn a_picture_tells_memory_rates_and_classes() {
        let lines = state().lines(100, 30);
        let text = lines.join("\n");
        for part in [
            "app.rb  process 7  2 threads  every 1.00 s",
            "resident     23.0 MB  ▁▄█ 21.0 MB to 23.0 MB",
            "1,000 objects/s  10.0 collections/s (2.0 % of the time)  processor 50 %",
            "    2.0 kB      +1.0 kB           10  String",
            "      40 B            =            1  Array",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert_eq!(lines.len(), HEAD_LINES + 2);
    }

    #[test]
    fn keys_choose_what_is_shown() {
        let mut state = state();
        state.press(Key::Letter('h'));
        assert!(state.lines(100, 30).join("\n").contains("  q  quit"));
        state.press(Key::Letter('s'));
        state.press(Key::Letter('t'));
        assert!(state.lines(100, 30).join("\n").contains("sites, since the beginning"));
        state.press(Key::Letter('c'));
        state.press(Key::Down);
        assert!(!state.lines(100, 30).join("\n").contains("String"));
        assert_eq!(state.lines(20, 3).len(), 3);
        assert!(state.lines(20, 3).iter().all(|line| line.chars().count() <= 20));
    }
}
