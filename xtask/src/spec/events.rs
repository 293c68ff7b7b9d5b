//! What `spec/runner.rb` wrote about one file: its examples and how the process ended.
//!
//! An example that was started and never finished is the one during which the process died; it counts as an error.
//! Descriptions repeat within a file (shared examples), so the second gets ` (2)`, and so on.

use crate::process::Outcome;
use std::collections::BTreeMap;
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Pass,
    Fail,
    Error,
}

#[derive(Debug)]
pub(super) struct Example {
    pub(super) name: String,
    pub(super) verdict: Verdict,
    pub(super) message: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    Done,
    /// A signal ended the process.
    Crashed(String),
    /// The process ended by itself before it was done.
    Aborted(String),
    Hung,
}

impl fmt::Display for End {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Done => formatter.write_str("done"),
            End::Crashed(how) => write!(formatter, "crashed ({how})"),
            End::Aborted(how) => write!(formatter, "aborted ({how})"),
            End::Hung => formatter.write_str("hung"),
        }
    }
}

/// One spec file's run.
pub(super) struct FileRun {
    pub(super) file: String,
    pub(super) examples: Vec<Example>,
    pub(super) end: End,
}

impl FileRun {
    pub(super) fn new(file: &str, events: &str, outcome: &Outcome) -> FileRun {
        let done = events.lines().any(|line| line.starts_with("done\t"));
        let end = if outcome.timed_out {
            End::Hung
        } else if outcome.status.code().is_none() {
            End::Crashed(outcome.status.to_string())
        } else if done {
            End::Done
        } else {
            End::Aborted(last_words(&outcome.stderr))
        };
        FileRun::parse(file, events, end)
    }

    pub(super) fn parse(file: &str, events: &str, end: End) -> FileRun {
        let mut run = FileRun { file: file.to_string(), examples: Vec::new(), end };
        let mut seen = BTreeMap::new();
        let mut started = None;
        for line in events.lines() {
            let mut fields = line.splitn(3, '\t');
            let (kind, name) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
            let verdict = match kind {
                "start" => {
                    started = Some(name);
                    continue;
                }
                "pass" => Verdict::Pass,
                "fail" => Verdict::Fail,
                "error" => Verdict::Error,
                _ => continue,
            };
            if started == Some(name) {
                started = None;
            }
            run.push(name, verdict, fields.next().unwrap_or_default(), &mut seen);
        }
        let unfinished = run.end.clone();
        match started {
            Some(name) => run.push(name, Verdict::Error, &unfinished.to_string(), &mut seen),
            // It died between examples or before the first.
            None if unfinished != End::Done => run.push("(file)", Verdict::Error, &unfinished.to_string(), &mut seen),
            None => {}
        }
        run
    }

    fn push(&mut self, name: &str, verdict: Verdict, message: &str, seen: &mut BTreeMap<String, usize>) {
        let count = seen.entry(name.to_string()).or_default();
        *count += 1;
        let name = if *count == 1 { name.to_string() } else { format!("{name} ({count})") };
        self.examples.push(Example { name, verdict, message: message.to_string() });
    }

    /// The folder that the file stands in.
    pub(super) fn folder(&self) -> &str {
        self.file.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    pub(super) fn passing(&self) -> impl Iterator<Item = &str> {
        self.examples.iter().filter(|example| example.verdict == Verdict::Pass).map(|example| example.name.as_str())
    }

    pub(super) fn failing(&self) -> impl Iterator<Item = &str> {
        self.examples.iter().filter(|example| example.verdict != Verdict::Pass).map(|example| example.name.as_str())
    }
}

fn last_words(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    text.lines().find(|line| !line.trim().is_empty()).unwrap_or("no message").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_descriptions_are_numbered() {
        let run = FileRun::parse("a_spec.rb", "start\tx\npass\tx\t\nstart\tx\nfail\tx\tno\ndone\t1\n", End::Done);
        assert_eq!(run.examples.iter().map(|example| example.name.as_str()).collect::<Vec<_>>(), ["x", "x (2)"]);
        assert_eq!(run.failing().collect::<Vec<_>>(), ["x (2)"]);
    }

    #[test]
    fn unfinished_example_takes_the_blame() {
        let run = FileRun::parse("a_spec.rb", "start\tx\npass\tx\t\nstart\ty\n", End::Hung);
        assert_eq!((run.examples[1].name.as_str(), run.examples[1].message.as_str()), ("y", "hung"));
    }

    #[test]
    fn death_outside_examples_fails_the_file() {
        let run = FileRun::parse("a_spec.rb", "", End::Aborted("cannot load".to_string()));
        assert_eq!(run.failing().collect::<Vec<_>>(), ["(file)"]);
    }
}
