//! `loupe leaks PID`: a process that runs is looked at in several moments.
//!
//! # How
//! The process records its allocations from the first moment on, and collects at each. What it recorded before the middle one and has at
//! the last stayed; a dump, which the process writes and this reads, tells why. Then the objects that refer to what stayed, and were
//! there before, are watched: the process counts who stores something in them. Growth is the line through the moments with the least
//! squares, by requests where they can be counted, or else by seconds.

use super::figures::Figures;
use super::show::{self, Writer};
use super::{Leaks, Moments, Stayed, find, written_in};
use crate::arguments::LiveLeaksOptions;
use crate::channel::Channel;
use crate::dump::Record;
use crate::failure::Failure;
use crate::report::Amount;
use carat::Ended;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::time::Duration;

/// How often the process is asked whether the objects that are watched were written to.
const ROUNDS: u32 = 4;

#[derive(Deserialize)]
pub(super) struct Begun {
    pub(super) program: String,
    pub(super) request: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Moment {
    pub(super) time: f64,
    pub(super) requests: Option<u64>,
    pub(super) collections: u64,
    pub(super) resident: Option<u64>,
    rows: Vec<LivingRow>,
}

/// File, line, class, objects, bytes.
#[derive(Deserialize)]
struct LivingRow(String, i32, String, u64, u64);

/// Per request, or per second.
pub(super) struct Growth {
    pub(super) bytes: f64,
    pub(super) objects: f64,
    /// How much of what the moments differ by the line explains, of 1.
    pub(super) fit: f64,
}

/// An object that was watched: its entries before and afterwards, and who stored something there.
#[derive(Default)]
pub(super) struct Watched {
    before: Option<u64>,
    after: Option<u64>,
    pub(super) writers: Vec<Writer>,
}

pub(crate) fn run(options: &LiveLeaksOptions) -> Result<Ended, Failure> {
    let mut channel = Channel::to(options.process)?;
    let request = options.per.as_deref().unwrap_or("-");
    let begun: Begun = channel.ask(&format!("leaks-begin {request}"))?;
    let moments = moments(&mut channel, options)?;
    tell("reading a dump");
    let leaks = leaks_in(&mut channel, &moments, options.top)?;
    let watched = watch(&mut channel, &leaks, options)?;
    tell("");
    let (text, figures) = told(options, &begun, &moments, &leaks, &watched);
    options.json.as_deref().map_or(Ok(()), |path| figures.write(path))?;
    crate::print(&text)
}

fn moments(channel: &mut Channel, options: &LiveLeaksOptions) -> Result<Vec<Moment>, Failure> {
    let pause = Duration::from_secs_f64(options.seconds / f64::from(options.moments - 1));
    let mut found = vec![channel.ask("leaks-moment")?];
    for number in 1..options.moments {
        tell(&format!("moment {number} of {}", options.moments));
        std::thread::sleep(pause);
        found.push(channel.ask("leaks-moment")?);
    }
    Ok(found)
}

/// On a terminal, how far it has come.
fn tell(what: &str) {
    if std::io::stderr().is_terminal() {
        let _ = write!(std::io::stderr(), "\r\x1b[K{what}");
    }
}

fn leaks_in(channel: &mut Channel, moments: &[Moment], top: usize) -> Result<Leaks, Failure> {
    let path: String = channel.ask("leaks-dump")?;
    let middle = moments[moments.len() / 2].collections;
    let is_new = |record: &Record<'_>| {
        record.generation.is_some_and(|made| made < middle) && !record.file.as_deref().is_some_and(is_own)
    };
    let was_there = |record: &Record<'_>| record.generation.is_none();
    let leaks = find(&path, &Moments { is_new: &is_new, was_there: &was_there }, top);
    let _ = std::fs::remove_file(&path);
    leaks
}

/// What answers the questions is no leak of the program's.
fn is_own(file: &str) -> bool {
    ["/loupe/session.rb", "/loupe/listen.rb", "/loupe/live.rb"].iter().any(|own| file.ends_with(own))
}

/// Watches what refers to the first of what stayed, until something was stored in each or the time is over.
fn watch(channel: &mut Channel, leaks: &Leaks, options: &LiveLeaksOptions) -> Result<FxHashMap<u64, Watched>, Failure> {
    let mut addresses: Vec<u64> = leaks.list.iter().take(options.top).filter_map(|leak| leak.holder).collect();
    addresses.sort_unstable();
    addresses.dedup();
    let mut found: FxHashMap<u64, Watched> = FxHashMap::default();
    for round in 0..ROUNDS {
        let left: Vec<u64> =
            addresses.iter().copied().filter(|a| found.get(a).is_none_or(|w| w.writers.is_empty())).collect();
        if left.is_empty() {
            break;
        }
        tell(&format!("watching {} objects, {} of {ROUNDS}", left.len(), round + 1));
        let words: Vec<String> = left.iter().map(u64::to_string).collect();
        let line = format!("leaks-watch {}", words.join(" "));
        let before: Vec<Option<u64>> = channel.ask(&line)?;
        std::thread::sleep(Duration::from_secs_f64(options.seconds / f64::from(ROUNDS * 2)));
        let writers: Vec<Vec<Writer>> = channel.ask("leaks-writers")?;
        let after: Vec<Option<u64>> = channel.ask(&line)?;
        for (((address, before), after), writers) in left.into_iter().zip(before).zip(after).zip(writers) {
            found.insert(address, Watched { before, after, writers });
        }
    }
    Ok(found)
}

/// The text and the JSON.
fn told(
    options: &LiveLeaksOptions,
    begun: &Begun,
    moments: &[Moment],
    leaks: &Leaks,
    watched: &FxHashMap<u64, Watched>,
) -> (String, Figures) {
    let (first, last) = (&moments[0], &moments[moments.len() - 1]);
    let requests = last.requests.unwrap_or(0).saturating_sub(first.requests.unwrap_or(0));
    let mut text = format!(
        "{}, process {}: {} moments in {:.1} s",
        begun.program,
        options.process,
        moments.len(),
        last.time - first.time
    );
    if let Some(request) = &begun.request {
        let _ = write!(text, ", {requests} calls of {request}");
    }
    if let (Some(from), Some(to)) = (first.resident, last.resident) {
        let _ = write!(text, ", resident memory {:.1} to {:.1} MB", from as f64 / 1e6, to as f64 / 1e6);
    }
    let Amount { objects, bytes } = leaks.total;
    let _ = writeln!(text, "\n{objects} objects, {bytes} bytes made in the first half stayed");
    let unit = if requests > 0 { "request" } else { "second" };
    let mut figures = Figures::of(leaks);
    figures.set_process(options.process, begun, moments, requests > 0);
    for leak in leaks.list.iter().take(options.top) {
        show::leak(&mut text, leak);
        let seen = leak.holder.and_then(|address| watched.get(&address)).filter(|seen| !seen.writers.is_empty());
        let written = if seen.is_some() { None } else { written_in(leak) };
        written.iter().for_each(|written| show::written(&mut text, written));
        let entries = seen.map(grown_entries).unwrap_or_default();
        figures.add(leak, written.as_ref(), entries, &|stayed| Some(growth(moments, stayed, requests > 0)));
        if let Some(watched) = seen {
            show_writers(&mut text, watched);
            figures.add_writers(watched);
        }
        for stayed in leak.stayed.iter().take(options.top) {
            show::grown(&mut text, stayed, &growth(moments, stayed, requests > 0), unit);
        }
    }
    (text, figures)
}

/// Entries before and afterwards, if they became more.
fn grown_entries(watched: &Watched) -> Vec<u64> {
    match (watched.before, watched.after) {
        (Some(before), Some(after)) if after > before => vec![before, after],
        _ => Vec::new(),
    }
}

/// The places that store most.
const SHOWN_WRITERS: usize = 3;

fn show_writers(text: &mut String, watched: &Watched) {
    watched.writers.iter().take(SHOWN_WRITERS).for_each(|writer| show::seen(text, writer));
    let entries = grown_entries(watched);
    if !entries.is_empty() {
        show::unbounded(text, &entries);
    }
}

/// The line with the least squares through what lived of a place in each moment.
fn growth(moments: &[Moment], stayed: &Stayed, by_requests: bool) -> Growth {
    let points: Vec<(f64, f64, f64)> = moments
        .iter()
        .map(|moment| {
            let is_this = |row: &&LivingRow| {
                stayed.place.as_ref().is_some_and(|(file, line)| row.0 == *file && row.1 == *line)
                    && row.2 == stayed.class
            };
            let (objects, bytes) = moment
                .rows
                .iter()
                .filter(is_this)
                .fold((0, 0), |(objects, bytes), row| (objects + row.3, bytes + row.4));
            let at = if by_requests { moment.requests.unwrap_or(0) as f64 } else { moment.time };
            (at, objects as f64, bytes as f64)
        })
        .collect();
    let objects: Vec<(f64, f64)> = points.iter().map(|(at, objects, _)| (*at, *objects)).collect();
    let bytes: Vec<(f64, f64)> = points.iter().map(|(at, _, bytes)| (*at, *bytes)).collect();
    let ((bytes, fit), (objects, _)) = (line_through(&bytes), line_through(&objects));
    Growth { bytes, objects, fit }
}

/// Slope, and the share of the variance that the line explains.
fn line_through(points: &[(f64, f64)]) -> (f64, f64) {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let sum = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>();
    let (xx, xy, yy) = (sum(&|p| (p.0 - x).powi(2)), sum(&|p| (p.0 - x) * (p.1 - y)), sum(&|p| (p.1 - y).powi(2)));
    if xx == 0.0 || yy == 0.0 { (0.0, 1.0) } else { (xy / xx, xy * xy / (xx * yy)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_the_slope_of_the_line() {
        assert_eq!(line_through(&[(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]), (2.0, 1.0));
        assert_eq!(line_through(&[(0.0, 4.0), (1.0, 4.0)]), (0.0, 1.0));
        let (slope, fit) = line_through(&[(0.0, 0.0), (1.0, 2.0), (2.0, 1.0), (3.0, 3.0)]);
        assert!((slope - 0.8).abs() < 1e-9 && fit < 0.7, "{slope} {fit}");
    }
}
