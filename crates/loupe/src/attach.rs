//! `loupe attach`: samples of a process that runs, which it takes itself: see `lib/loupe/listen.rb`.

use crate::arguments::AttachOptions;
use crate::failure::Failure;
use crate::report::{FORMAT, Report, Stacks};
use carat::Ended;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How much longer than the samples an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) fn run(options: &AttachOptions) -> Result<Ended, Failure> {
    if let Some(path) = &options.json {
        std::fs::OpenOptions::new().append(true).create(true).open(path).map_err(|e| Failure::of_file(path, &e))?;
    }
    let answer = ask(options)?;
    let (first, rest) = answer.split_once('\n').unwrap_or((&answer, ""));
    if first != "ok" {
        let message = first.strip_prefix("error ").unwrap_or("it gave no answer");
        return Err(Failure::new(format!("process {}: {message}", options.process)));
    }
    let report: Report = serde_json::from_str(rest)
        .map_err(|error| Failure::new(format!("process {}: its samples are no report: {error}", options.process)))?;
    let stacks = report.stacks.as_ref().filter(|stacks| report.loupe == FORMAT && stacks.complaint().is_none());
    let Some(stacks) = stacks else {
        return Err(Failure::new(format!("process {}: its samples are of another version", options.process)));
    };
    if let Some(path) = &options.json {
        std::fs::write(path, rest).map_err(|error| Failure::of_file(path, &error))?;
    }
    crate::print(&summary(&report, stacks, options.top))
}

fn ask(options: &AttachOptions) -> Result<String, Failure> {
    let AttachOptions { process, seconds, every, .. } = options;
    let path = socket(*process)?;
    let failure = |error: std::io::Error| Failure::of_file(&path.to_string_lossy(), &error);
    let mut stream = UnixStream::connect(&path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::ConnectionRefused => Failure::new(format!(
            "process {process} does not listen: start it with carat -r loupe/listen, or have it require \"loupe/listen\""
        )),
        _ => failure(error),
    })?;
    stream.set_read_timeout(Some(Duration::from_secs_f64(*seconds) + PATIENCE)).map_err(failure)?;
    stream.write_all(format!("sample {seconds} {every}\n").as_bytes()).map_err(failure)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).map_err(failure)?;
    Ok(answer)
}

/// Where a process listens: in a folder that is the user's alone.
fn socket(process: u32) -> Result<PathBuf, Failure> {
    let own = std::fs::metadata("/proc/self").map(|own| own.uid()).unwrap_or(0);
    let folder = match std::env::var_os("XDG_RUNTIME_DIR") {
        Some(folder) => Path::new(&folder).join("loupe"),
        None => PathBuf::from(format!("/tmp/loupe-{own}")),
    };
    match std::fs::symlink_metadata(&folder) {
        Ok(found) if found.uid() != own => {
            Err(Failure::new(format!("{}: the folder is somebody else's", folder.display())))
        }
        _ => Ok(folder.join(format!("{process}.sock"))),
    }
}

/// The lines with most bytes.
fn summary(report: &Report, stacks: &Stacks, top: usize) -> String {
    let mut sums: BTreeMap<String, u64> = BTreeMap::new();
    for (index, node) in stacks.nodes.iter().enumerate().filter(|(_, node)| node.allocated.bytes > 0) {
        // What the core library makes belongs to the line that calls it.
        let frames = stacks.frames_of(index);
        let line =
            frames.iter().rev().map(|frame| &stacks.frames[*frame as usize]).find(|frame| !frame.file.is_empty());
        let name = line.map_or_else(|| "nowhere".into(), |frame| format!("{}:{}", frame.file, frame.line));
        let sum = sums.entry(name).or_default();
        *sum = sum.saturating_add(node.allocated.bytes);
    }
    let mut sums: Vec<(String, u64)> = sums.into_iter().collect();
    sums.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let mut text = format!(
        "{}: about {} bytes in {:.2} s, from {} samples\n",
        report.program, report.allocated.bytes, report.seconds, report.allocated.objects
    );
    for (name, bytes) in sums.iter().take(top) {
        let _ = writeln!(text, "{bytes:>14}  {name}");
    }
    text
}
