//! `loupe attach`: samples of a process that runs, which it takes itself: see `lib/loupe/session.rb`.

use crate::arguments::AttachOptions;
use crate::channel::Channel;
use crate::failure::Failure;
use crate::report::{FORMAT, Frame, Report, Stacks};
use carat::Ended;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

pub(crate) fn run(options: &AttachOptions) -> Result<Ended, Failure> {
    if let Some(path) = &options.json {
        std::fs::OpenOptions::new().append(true).create(true).open(path).map_err(|e| Failure::of_file(path, &e))?;
    }
    let mut channel = Channel::to(options.process)?;
    let line = format!("sample {} {}", options.seconds, options.every);
    let answer = channel.ask_text(&line, Duration::from_secs_f64(options.seconds))?;
    let report = report(&channel, &answer)?;
    if let Some(path) = &options.json {
        std::fs::write(path, &answer).map_err(|error| Failure::of_file(path, &error))?;
    }
    crate::print(&summary(&report, options.top))
}

/// Samples as the process tells them.
pub(crate) fn report(channel: &Channel, text: &str) -> Result<Report, Failure> {
    let report: Report =
        serde_json::from_str(text).map_err(|error| channel.failure(&format!("its samples are no report: {error}")))?;
    match &report.stacks {
        Some(stacks) if report.loupe == FORMAT && stacks.complaint().is_none() => Ok(report),
        _ => Err(channel.failure("its samples are of another version")),
    }
}

/// Bytes by line, most first.
pub(crate) fn by_line(stacks: &Stacks) -> Vec<(String, u64)> {
    sums(stacks, &|frame| format!("{}:{}", frame.file, frame.line))
}

/// Bytes by gem, most first.
pub(crate) fn by_gem(stacks: &Stacks) -> Vec<(String, u64)> {
    sums(stacks, &|frame| frame.gem.clone())
}

fn sums(stacks: &Stacks, name_of: &dyn Fn(&Frame) -> String) -> Vec<(String, u64)> {
    let mut sums: BTreeMap<String, u64> = BTreeMap::new();
    for (index, node) in stacks.nodes.iter().enumerate().filter(|(_, node)| node.allocated.bytes > 0) {
        // What the core library makes belongs to the line that calls it.
        let frames = stacks.frames_of(index);
        let line =
            frames.iter().rev().map(|frame| &stacks.frames[*frame as usize]).find(|frame| !frame.file.is_empty());
        let sum = sums.entry(line.map_or_else(|| "nowhere".into(), name_of)).or_default();
        *sum = sum.saturating_add(node.allocated.bytes);
    }
    let mut sums: Vec<(String, u64)> = sums.into_iter().collect();
    sums.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    sums
}

/// The lines with most bytes.
fn summary(report: &Report, top: usize) -> String {
    let sums = report.stacks.as_ref().map(by_line).unwrap_or_default();
    let mut text = format!(
        "{}: about {} bytes in {} objects in {:.2} s, from {} samples\n",
        report.program,
        report.allocated.bytes,
        report.allocated.objects,
        report.seconds,
        report.samples.unwrap_or(0)
    );
    for (name, bytes) in sums.iter().take(top) {
        let _ = writeln!(text, "{bytes:>14}  {name}");
    }
    text
}
