//! `loupe diff`: two heap dumps, or two reports, and whether what grew is within a budget.

use crate::arguments::{Budget, DiffOptions};
use crate::failure::Failure;
use crate::heap::Summary;
use crate::report::{Amount, FORMAT, Report};
use carat::Ended;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Exit status when a budget is not kept.
const OVER_BUDGET: i32 = 1;

/// One side of the comparison.
struct Side {
    total: Amount,
    classes: FxHashMap<String, Amount>,
    locations: FxHashMap<String, Amount>,
}

pub(crate) fn run(options: &DiffOptions) -> Result<Ended, Failure> {
    let (before, after) = (side(&options.before)?, side(&options.after)?);
    let mut text = String::new();
    change(&mut text, &before.total, &after.total);
    changes(&mut text, "by class", &before.classes, &after.classes, options.top);
    changes(&mut text, "by location", &before.locations, &after.locations, options.top);
    let mut is_over = false;
    for (name, budget, of) in
        [("bytes", options.bytes, (|a| a.bytes) as fn(&Amount) -> u64), ("objects", options.objects, |a| a.objects)]
    {
        let Some(budget) = budget else { continue };
        let (old, new) = (of(&before.total), of(&after.total));
        let is_kept = keeps(budget, old, new);
        is_over |= !is_kept;
        let verdict = if is_kept { "kept" } else { "NOT kept" };
        let _ = writeln!(text, "\nbudget of {name} ({}): {verdict}", show(budget));
    }
    crate::print(&text)?;
    Ok(Ended::Code(if is_over { OVER_BUDGET } else { 0 }))
}

fn keeps(budget: Budget, old: u64, new: u64) -> bool {
    let grown = new.saturating_sub(old);
    match budget {
        Budget::Amount(amount) => grown <= amount,
        Budget::Percent(percent) => grown as f64 <= old as f64 * percent / 100.0,
    }
}

fn show(budget: Budget) -> String {
    match budget {
        Budget::Amount(amount) => amount.to_string(),
        Budget::Percent(percent) => format!("{percent}%"),
    }
}

/// A report is one JSON value, a dump one a line.
fn side(path: &str) -> Result<Side, Failure> {
    match report(path)? {
        Some(report) => Ok(of_report(&report)),
        None => Summary::read(path, 0).map(|summary| Side {
            total: summary.total,
            classes: summary.by_class(),
            locations: summary.locations,
        }),
    }
}

/// The report in a file, or `None` if the file looks like a dump.
fn report(path: &str) -> Result<Option<Report>, Failure> {
    if path == "-" || !begins_as_report(path)? {
        return Ok(None);
    }
    let text = std::fs::read_to_string(path).map_err(|e| Failure::of_file(path, &e))?;
    let report: Report = serde_json::from_str(&text).map_err(|error| {
        let reason = error.to_string();
        let reason = reason.split(" at line").next().unwrap_or_default().to_string();
        Failure::at_line(path, error.line() as u64, format_args!("not a report of loupe: {reason}"))
    })?;
    match report.loupe {
        1..=FORMAT => Ok(Some(report)),
        other => Err(Failure::at_line(path, 1, format_args!("a report of another version of loupe ({other})"))),
    }
}

/// `{` alone, or followed by the key that every report begins with.
fn begins_as_report(path: &str) -> Result<bool, Failure> {
    use std::io::Read;
    let mut start = Vec::new();
    let file = std::fs::File::open(path).map_err(|e| Failure::of_file(path, &e))?;
    file.take(64).read_to_end(&mut start).map_err(|e| Failure::of_file(path, &e))?;
    let text: String = String::from_utf8_lossy(&start).split_whitespace().collect();
    Ok(text.starts_with("{\"loupe\":") || start.starts_with(b"{\n"))
}

fn of_report(report: &Report) -> Side {
    let (mut classes, mut locations) = (FxHashMap::<String, Amount>::default(), FxHashMap::<String, Amount>::default());
    for row in &report.rows {
        classes.entry(row.class.clone()).or_default().add(row.allocated);
        locations.entry(row.location()).or_default().add(row.allocated);
    }
    Side { total: report.allocated, classes, locations }
}

fn change(text: &mut String, old: &Amount, new: &Amount) {
    for (name, old, new) in [("bytes", old.bytes, new.bytes), ("objects", old.objects, new.objects)] {
        let difference = new as i128 - old as i128;
        let percent =
            if old == 0 { String::new() } else { format!(", {:+.1}%", difference as f64 * 100.0 / old as f64) };
        let _ = writeln!(text, "{name}: {old} -> {new} ({difference:+}{percent})");
    }
}

fn changes(
    text: &mut String,
    title: &str,
    old: &FxHashMap<String, Amount>,
    new: &FxHashMap<String, Amount>,
    top: usize,
) {
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let of = |sums: &FxHashMap<String, Amount>, name: &String| sums.get(name).copied().unwrap_or_default();
    let mut list: Vec<(i128, i128, &String)> = names
        .into_iter()
        .map(|name| {
            let (old, new) = (of(old, name), of(new, name));
            (new.bytes as i128 - old.bytes as i128, new.objects as i128 - old.objects as i128, name)
        })
        .filter(|(bytes, objects, _)| (*bytes, *objects) != (0, 0))
        .collect();
    if list.is_empty() {
        return;
    }
    list.sort_by_key(|(bytes, ..)| std::cmp::Reverse(bytes.abs()));
    let _ = writeln!(text, "\n{title}\n-----------------------------------");
    for (bytes, objects, name) in list.into_iter().take(top) {
        let _ = writeln!(text, "{bytes:>+12}  {objects:>+9}  {name}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_bound_growth_only() {
        assert!(keeps(Budget::Amount(10), 100, 110));
        assert!(!keeps(Budget::Amount(10), 100, 111));
        assert!(keeps(Budget::Percent(5.0), 100, 105));
        assert!(!keeps(Budget::Percent(5.0), 100, 106));
        assert!(keeps(Budget::Amount(0), 100, 1));
    }
}
