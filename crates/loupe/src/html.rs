//! The report as one page that needs nothing else: figures, sources, style and script are all in it.
//!
//! # Limits
//! A page has to open at once however large the program was. So it has the largest rows and calls, and sums of the others; the JSON
//! has more.

use crate::failure::Failure;
use crate::report::{Amount, Findings, Report, Row, Stacks};
use crate::stacks::SMALLER;
use std::collections::{BTreeMap, BTreeSet};

const PAGE: &str = include_str!("page.html");
/// Lines of a source that are shown around one that allocates.
const AROUND: usize = 2;
/// Rows of a page, those with most bytes, and those of them whose sources it has.
const MOST_ROWS: usize = 5000;
const MOST_SOURCES: usize = 1000;
/// Calls in its flame graph, and findings of a kind.
const MOST_NODES: usize = 5000;
const MOST_FINDINGS: usize = 200;
/// Of a line of a source.
const MOST_CHARACTERS: usize = 500;

pub(crate) fn page(report: &Report) -> Result<String, Failure> {
    let failure = |error: serde_json::Error| Failure::new(format!("the page: {error}"));
    let shown = limited(report);
    let report_json = serde_json::to_string(&shown).map_err(failure)?;
    let sources = serde_json::to_string(&sources(&shown)).map_err(failure)?;
    let page = PAGE.replace("{{title}}", &escaped(&report.program));
    let (before, after) = page.split_once("{{report}}").unwrap_or((&page, ""));
    let (between, end) = after.split_once("{{sources}}").unwrap_or((after, ""));
    Ok([before, &inert(&report_json), between, &inert(&sources), end].concat())
}

/// The report, as far as a page shows it.
fn limited(report: &Report) -> Report {
    let Report { loupe, program, seconds, collections, samples, allocated, retained, strings, .. } = report;
    let pruned = |stacks: &Stacks| {
        let mut stacks = stacks.clone();
        stacks.prune(MOST_NODES);
        stacks.drop_unused_frames();
        stacks
    };
    Report {
        loupe: *loupe,
        program: program.clone(),
        seconds: *seconds,
        collections: *collections,
        samples: *samples,
        allocated: *allocated,
        retained: *retained,
        rows: limited_rows(&report.rows),
        strings: strings.clone(),
        advice: report.advice.iter().take(MOST_FINDINGS).cloned().collect(),
        findings: limited_findings(&report.findings),
        pools: report.pools.clone(),
        process: report.process.clone(),
        stacks: report.stacks.as_ref().map(pruned),
        timeline: report.timeline.clone(),
    }
}

/// The largest rows, and a row for each gem with what its others are together.
fn limited_rows(rows: &[Row]) -> Vec<Row> {
    if rows.len() <= MOST_ROWS {
        return rows.to_vec();
    }
    let mut order: Vec<&Row> = rows.iter().collect();
    order.sort_by_key(|row| std::cmp::Reverse(row.allocated.bytes.max(row.retained.bytes)));
    let mut others: BTreeMap<&str, (Amount, Amount)> = BTreeMap::new();
    for row in &order[MOST_ROWS..] {
        let (allocated, retained) = others.entry(&row.gem).or_default();
        allocated.add(row.allocated);
        retained.add(row.retained);
    }
    let sums = others.into_iter().map(|(gem, (allocated, retained))| Row {
        gem: gem.into(),
        file: SMALLER.into(),
        line: 0,
        class: SMALLER.into(),
        allocated,
        retained,
    });
    order[..MOST_ROWS].iter().map(|row| (*row).clone()).chain(sums).collect()
}

/// The first of each kind: they are sorted.
fn limited_findings(findings: &Findings) -> Findings {
    fn first<T: Clone>(list: &[T]) -> Vec<T> {
        list.iter().take(MOST_FINDINGS).cloned().collect()
    }
    Findings {
        extended: first(&findings.extended),
        copies: first(&findings.copies),
        regrown: first(&findings.regrown),
        unwritten_literals: first(&findings.unwritten_literals),
        written_literals: first(&findings.written_literals),
        pinned: first(&findings.pinned),
        refused: first(&findings.refused),
        messages: first(&findings.messages),
        ractors: first(&findings.ractors),
    }
}

/// JSON that cannot end the element it stands in.
fn inert(json: &str) -> String {
    json.replace('<', "\\u003c")
}

pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// The lines that allocate, and a few around each, of the files that can be read: by file, numbers and texts.
fn sources(report: &Report) -> BTreeMap<&str, Vec<(usize, String)>> {
    let mut wanted: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut rows: Vec<&Row> = report.rows.iter().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.allocated.bytes));
    for row in rows.into_iter().take(MOST_SOURCES) {
        wanted.entry(&row.file).or_default().push(usize::try_from(row.line).unwrap_or(0));
    }
    let read = wanted.into_iter().filter_map(|(file, lines)| {
        let text = std::fs::read(file).ok()?;
        let text = String::from_utf8_lossy(&text);
        let near: BTreeSet<usize> =
            lines.iter().flat_map(|line| line.saturating_sub(AROUND)..=line.saturating_add(AROUND)).collect();
        let numbered = text.lines().enumerate().map(|(index, line)| (index + 1, line));
        let shown = numbered.filter(|(number, _)| near.contains(number));
        Some((file, shown.map(|(number, line)| (number, line.chars().take(MOST_CHARACTERS).collect())).collect()))
    });
    read.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Frame, Node};

    #[test]
    fn a_page_of_a_large_run_is_small_and_adds_up() {
        let amount = |bytes: u64| Amount { objects: 1, bytes };
        let row = |number: u64| Row {
            gem: if number.is_multiple_of(2) { "even".into() } else { "odd".into() },
            file: format!("/nowhere/file{}.rb", number % 1000),
            line: (number / 1000) as i32,
            class: "String".into(),
            allocated: amount(number),
            retained: amount(0),
        };
        let rows: Vec<Row> = (0..100_000).map(row).collect();
        let frame = |number: u32| Frame { name: format!("m{number}"), file: "a.rb".into(), line: 1, gem: "odd".into() };
        let node = |number: u32| Node {
            allocated: amount(u64::from(number)),
            ..Node::new(number.checked_sub(1).map(|n| n / 10), number)
        };
        let (frames, nodes) = ((0..100_000).map(frame).collect(), (0..100_000).map(node).collect());
        let stacks = Stacks { temporary_within: 0, frames, nodes };
        let report = Report { rows, stacks: Some(stacks), ..Report::default() };
        let shown = limited(&report);
        let sum = |rows: &[Row]| rows.iter().map(|row| row.allocated.bytes).sum::<u64>();
        assert_eq!(sum(&shown.rows), sum(&report.rows));
        assert_eq!(shown.rows.len(), MOST_ROWS + 2);
        let total = |report: &Report| report.stacks.as_ref().map(|stacks| stacks.totals()[0][0]);
        assert_eq!(total(&shown), total(&report));
        assert!(page(&report).is_ok_and(|page| page.len() < 2 << 20));
    }
}
