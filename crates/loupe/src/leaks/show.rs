//! The text of `loupe leaks`.

use super::live::Growth;
use super::source::Written;
use super::{Leak, Leaks, Place, Stayed};
use crate::path;
use crate::report::Amount;
use serde::Deserialize;
use std::fmt::Write as _;

/// Somebody stored something in an object that is watched: file, line, label of the frame, the core's method that was called, how often.
#[derive(Deserialize)]
pub(super) struct Writer(
    pub(super) String,
    pub(super) i32,
    pub(super) String,
    pub(super) Option<String>,
    pub(super) u64,
);

pub(super) fn head(leaks: &Leaks) -> String {
    let Amount { objects, bytes } = leaks.total;
    format!("{objects} objects, {bytes} bytes stayed\n")
}

/// What an object keeps, and the way to it.
pub(super) fn leak(text: &mut String, leak: &Leak) {
    let Amount { objects, bytes } = leak.total;
    let _ = writeln!(text, "\n{bytes} bytes in {objects} objects");
    if let Some(way) = &leak.way {
        path::show(text, &way.category, way.steps.iter().cloned());
    }
}

/// What a dump's places and the source tell.
pub(super) fn written(text: &mut String, written: &Written) {
    let _ = writeln!(text, "written at {}:{} (as the source has it): {}", written.file, written.line, written.text);
}

/// What was seen while the process ran.
pub(super) fn seen(text: &mut String, writer: &Writer) {
    let Writer(file, line, label, callee, stores) = writer;
    let _ = write!(text, "written at {file}:{line} in {label}");
    if let Some(callee) = callee {
        let _ = write!(text, " by {callee}");
    }
    let source = std::fs::read_to_string(file).unwrap_or_default();
    let source = usize::try_from(*line - 1).ok().and_then(|line| source.lines().nth(line)).unwrap_or_default().trim();
    let _ = writeln!(text, ", {stores} references{}{source}", if source.is_empty() { "" } else { ": " });
}

/// A collection had so many entries in one moment after the other.
pub(super) fn unbounded(text: &mut String, sizes: &[u64]) {
    let sizes: Vec<String> = sizes.iter().map(u64::to_string).collect();
    let _ = writeln!(text, "grows without a bound, it seems: {} entries", sizes.join(", then "));
}

pub(super) fn stayed(text: &mut String, stayed: &Stayed) {
    let _ = writeln!(text, "{}", row(stayed));
}

/// With how fast it grows.
pub(super) fn grown(text: &mut String, stayed: &Stayed, growth: &Growth, unit: &str) {
    let Growth { bytes, objects, fit } = growth;
    let _ = match *objects < SLOW {
        true => writeln!(text, "{}, does not grow", row(stayed)),
        false => writeln!(
            text,
            "{}, {bytes:.1} bytes and {objects:.2} objects more a {unit} (R\u{b2} {fit:.2})",
            row(stayed)
        ),
    };
}

fn row(stayed: &Stayed) -> String {
    let Amount { objects, bytes } = stayed.amount;
    format!("{bytes:>12}  {objects:>9}  {} {}", stayed.class, place(stayed.place.as_ref()))
}

fn place(place: Option<&Place>) -> String {
    place.map_or_else(|| "place not recorded".into(), |(file, line)| format!("{file}:{line}"))
}

/// Objects a unit that are no growth.
const SLOW: f64 = 0.005;
