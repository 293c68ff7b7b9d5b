//! The report as text: first memory_profiler's, line for line, then Carat's own sections.

use crate::advice::digits;
use crate::gem;
use crate::report::{Advice, Amount, Findings, Kind, Process, Report, Row, StringRow, largest};
use std::fmt::Write as _;

const RULE: &str = "-----------------------------------";
const UNITS: [&str; 9] = ["B", "kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"];

#[derive(Clone, Copy)]
pub(crate) struct Style {
    pub(crate) top: usize,
    pub(crate) scale_bytes: bool,
    pub(crate) normalize_paths: bool,
}

/// Three digits before the unit, of a thousand each, and two behind the point.
pub(crate) fn scaled(bytes: u64) -> String {
    if bytes == 0 {
        return "0 B".into();
    }
    let step = (bytes.ilog10() / 3).min(8);
    format!("{:.2} {}", bytes as f64 / 1000f64.powi(step as i32), UNITS[step as usize])
}

/// What a list is about: its title, the name of a row, and whether that is a path.
type Grouping = (&'static str, fn(&Row) -> String, bool);

const GROUPINGS: [Grouping; 4] = [
    ("gem", |row| row.gem.clone(), false),
    ("file", |row| row.file.clone(), true),
    ("location", Row::location, true),
    ("class", |row| row.class.clone(), false),
];

pub(crate) fn render(report: &Report, style: Style) -> String {
    let mut text = String::new();
    advice(&mut text, &report.advice, style);
    totals(&mut text, report, style);
    for (kind, title) in [(Kind::Allocated, "allocated"), (Kind::Retained, "retained")] {
        for (metric, figure) in [("memory", (|a| a.bytes) as fn(&Amount) -> u64), ("objects", |a| a.objects)] {
            for (name, of_row, is_path) in GROUPINGS {
                section(&mut text, &format!("{title} {metric} by {name}"));
                let list = largest(report, kind, style.top, &of_row, figure);
                rows(&mut text, &list, metric == "memory" && style.scale_bytes, is_path && style.normalize_paths);
            }
        }
    }
    text.push('\n');
    strings(&mut text, "Allocated", &report.strings.allocated, style);
    strings(&mut text, "Retained", &report.strings.retained, style);
    findings(&mut text, &report.findings, style);
    report.process.iter().for_each(|found| process(&mut text, found, style));
    text
}

/// Findings that a report begins with.
pub(crate) const MOST_ADVICE: usize = 10;

/// What to change first, in two lines each: the place with its source, and the change with its gain.
fn advice(text: &mut String, list: &[Advice], style: Style) {
    if list.is_empty() {
        return;
    }
    let shown = list.len().min(MOST_ADVICE);
    let _ = writeln!(text, "what to change first ({shown} of {})\n{RULE}", list.len());
    for (number, advice) in (1..).zip(list.iter().take(MOST_ADVICE)) {
        let file = if style.normalize_paths { gem::normalized(&advice.file) } else { advice.file.clone() };
        let source = advice.source.as_ref().map_or_else(String::new, |line| format!("  {line}"));
        let owner = advice.owner.as_ref().map_or_else(String::new, |owner| format!("  [not your own: {owner}]"));
        let Amount { objects, bytes } = advice.gain;
        let objects = if objects > 0 { format!("{} objects, ", digits(objects, ',')) } else { String::new() };
        let _ = writeln!(text, "{number:>2}. {file}:{}{owner}{source}", advice.line);
        let lines = match advice.lines.len() {
            0 => String::new(),
            2 => format!(", and line {} alike", advice.lines[1].line),
            count => format!(", and {} other lines of the file alike", count - 1),
        };
        let _ = writeln!(text, "    {}{lines}: {objects}{} ({})", advice.change, rounded(bytes), advice.kind);
    }
    text.push('\n');
}

/// As people say it: 999 B, 160 kB, 4.2 MB.
fn rounded(bytes: u64) -> String {
    match bytes {
        0..1000 => format!("{bytes} B"),
        1000..1_000_000 => format!("{:.0} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// What the resident memory consists of, the largest parts first.
fn process(text: &mut String, found: &Process, style: Style) {
    section(text, "resident memory of the process at its end");
    let mut parts: Vec<(u64, String)> =
        found.parts.iter().map(|part| (part.bytes, format!("{}: {}", part.group, part.name))).collect();
    parts.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    rows(text, &parts, style.scale_bytes, false);
    let share = 100.0 * found.not_named_bytes as f64 / found.resident_bytes.max(1) as f64;
    let last = [(found.resident_bytes, format!("together, {share:.1} % of it not named"))];
    rows(text, &last, style.scale_bytes, false);
}

fn totals(text: &mut String, report: &Report, style: Style) {
    for (label, amount) in [("allocated:", report.allocated), ("retained: ", report.retained)] {
        let bytes = if style.scale_bytes { scaled(amount.bytes) } else { format!("{} bytes", amount.bytes) };
        let _ = writeln!(text, "Total {label} {bytes} ({} objects)", amount.objects);
    }
}

fn section(text: &mut String, title: &str) {
    let _ = writeln!(text, "\n{title}\n{RULE}");
}

fn line(text: &mut String, figure: impl std::fmt::Display, label: &str) {
    let _ = writeln!(text, "{:>10}  {label}", figure.to_string());
}

fn rows(text: &mut String, list: &[(u64, String)], scales: bool, normalizes: bool) {
    if list.is_empty() {
        text.push_str("NO DATA\n");
    }
    for (figure, label) in list {
        let label = if normalizes { gem::normalized(label) } else { label.clone() };
        if scales { line(text, scaled(*figure), &label) } else { line(text, figure, &label) }
    }
}

fn strings(text: &mut String, title: &str, list: &[StringRow], style: Style) {
    if list.is_empty() {
        return;
    }
    section(text, &format!("{title} String Report"));
    for string in list {
        line(text, string.count, &string.text);
        for (location, count) in &string.places {
            let location = if style.normalize_paths { gem::normalized(location) } else { location.clone() };
            line(text, count, &location);
        }
        text.push('\n');
    }
}

/// A section of Carat's own, unless there is nothing to say.
fn finding<T>(text: &mut String, title: &str, list: &[T], top: usize, show: impl Fn(&T) -> (u64, String)) {
    if list.is_empty() {
        return;
    }
    section(text, title);
    for item in list.iter().take(top) {
        let (figure, label) = show(item);
        line(text, figure, &label);
    }
}

fn findings(text: &mut String, found: &Findings, style: Style) {
    let top = style.top;
    let place = |path: &String| if style.normalize_paths { gem::normalized(path) } else { path.clone() };
    finding(text, "extended objects by location", &found.extended, top, |e| {
        let parts = [(e.born, "born too large"), (e.grown, "grown"), (e.fields_spilled, "fields spilled")];
        let parts = parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}"));
        let parts: Vec<String> = parts.collect();
        (e.born + e.grown + e.fields_spilled, format!("{} ({})", place(&e.location), parts.join(", ")))
    });
    finding(text, "copied bytes by location", &found.copies, top, |c| {
        let times = c.amount.objects;
        (c.amount.bytes, format!("{} -> {} ({}, {times} times)", place(&c.from), place(&c.to), c.reason))
    });
    finding(text, "regrown buffers by location", &found.regrown, top, |r| {
        let advice = format!("{} bytes added; a capacity of {} would have avoided it", r.added_bytes, r.capacity);
        (r.times, format!("{} ({advice})", place(&r.location)))
    });
    finding(text, "literals nobody wrote to (safe to freeze)", &found.unwritten_literals, top, |l| {
        (l.copies.objects, format!("{} {} ({} bytes)", place(&l.location), l.text, l.copies.bytes))
    });
    finding(text, "literals somebody wrote to (keep them mutable)", &found.written_literals, top, |l| {
        let writer = l.writer.as_ref().map_or_else(|| "unknown".into(), place);
        let (place, copies) = (place(&l.location), l.copies.objects);
        (l.written, format!("{place} {} (of {copies} copies; first written at {writer})", l.text))
    });
    finding(text, "slices that pin large buffers", &found.pinned, top, |p| {
        (p.unused_bytes, format!("{} ({} slices)", place(&p.location), p.slices))
    });
    finding(text, "messages to other Ractors, bytes by location", &found.messages, top, |m| {
        let each = m.made.bytes / m.messages.max(1);
        let cost = match m.made.objects {
            0 => m.passing.clone(),
            objects => format!("{}, {objects} objects, {each} bytes a message", m.passing),
        };
        (m.made.bytes, format!("{} ({} messages {cost})", place(&m.location), m.messages))
    });
    finding(text, "bytes by Ractor that allocated them", &found.ractors, top, |r| {
        let name = r.name.as_ref().map_or_else(String::new, |name| format!(" {name}"));
        let many = if r.ractors > 1 { format!("{} Ractors, ", r.ractors) } else { String::new() };
        let owned = match r.living {
            0 => "ended".into(),
            _ => format!("{} objects and {} bytes left", r.retained.objects, r.retained.bytes),
        };
        (r.allocated.bytes, format!("{}{name} ({many}{} objects, {owned})", place(&r.location), r.allocated.objects))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_scale_by_thousands() {
        assert_eq!(scaled(0), "0 B");
        assert_eq!(scaled(999), "999.00 B");
        assert_eq!(scaled(1000), "1.00 kB");
        assert_eq!(scaled(36_300_000), "36.30 MB");
    }

    #[test]
    fn figures_are_right_justified_to_ten() {
        let mut text = String::new();
        line(&mut text, 42, "here");
        assert_eq!(text, "        42  here\n");
    }
}
