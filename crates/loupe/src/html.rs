//! The report as one page that needs nothing else: figures, sources, style and script are all in it.

use crate::failure::Failure;
use crate::report::Report;
use std::collections::BTreeMap;

const PAGE: &str = include_str!("page.html");
/// Lines of a source that are shown around one that allocates.
const AROUND: usize = 2;

pub(crate) fn page(report: &Report) -> Result<String, Failure> {
    let failure = |error: serde_json::Error| Failure::new(format!("the page: {error}"));
    let report_json = serde_json::to_string(report).map_err(failure)?;
    let sources = serde_json::to_string(&sources(report)).map_err(failure)?;
    let page = PAGE.replace("{{title}}", &escaped(&report.program));
    let (before, after) = page.split_once("{{report}}").unwrap_or((&page, ""));
    let (between, end) = after.split_once("{{sources}}").unwrap_or((after, ""));
    Ok([before, &inert(&report_json), between, &inert(&sources), end].concat())
}

/// JSON that cannot end the element it stands in.
fn inert(json: &str) -> String {
    json.replace('<', "\\u003c")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// The lines that allocate, and a few around each, of the files that can be read: by file, numbers and texts.
fn sources(report: &Report) -> BTreeMap<&str, Vec<(usize, String)>> {
    let mut wanted: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for row in &report.rows {
        wanted.entry(&row.file).or_default().push(usize::try_from(row.line).unwrap_or(0));
    }
    let read = wanted.into_iter().filter_map(|(file, lines)| {
        let text = std::fs::read(file).ok()?;
        let text = String::from_utf8_lossy(&text);
        let is_near = |number: usize| lines.iter().any(|line| line.abs_diff(number) <= AROUND);
        let numbered = text.lines().enumerate().map(|(index, line)| (index + 1, line.to_string()));
        Some((file, numbered.filter(|(number, _)| is_near(*number)).collect()))
    });
    read.collect()
}
