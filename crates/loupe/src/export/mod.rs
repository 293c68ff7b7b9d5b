//! `loupe export`: the call stacks of a report in the formats of other tools.
//!
//! # Code map
//! `folded`: a line a stack. `speedscope` and `firefox`: JSON of the two viewers. `pprof`: the protocol buffer of Go's tool, whose
//! few kinds of fields `protobuf` encodes.

mod firefox;
mod folded;
mod pprof;
mod protobuf;
mod speedscope;

use crate::arguments::{ExportOptions, Format};
use crate::failure::Failure;
use crate::report::{Amount, FORMAT, Report, Stacks};
use carat::Ended;
use std::io::{IsTerminal, Read};

/// Which of a node's sums is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    Allocated,
    Retained,
    Peak,
    Temporary,
}

impl Mode {
    pub(crate) const ALL: [Mode; 4] = [Mode::Allocated, Mode::Retained, Mode::Peak, Mode::Temporary];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Mode::Allocated => "allocated",
            Mode::Retained => "retained",
            Mode::Peak => "peak",
            Mode::Temporary => "temporary",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unit {
    Bytes,
    Objects,
}

impl Unit {
    pub(crate) const ALL: [Unit; 2] = [Unit::Bytes, Unit::Objects];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Unit::Bytes => "bytes",
            Unit::Objects => "objects",
        }
    }

    pub(crate) fn of(self, amount: Amount) -> u64 {
        match self {
            Unit::Bytes => amount.bytes,
            Unit::Objects => amount.objects,
        }
    }
}

pub(crate) fn run(options: &ExportOptions) -> Result<Ended, Failure> {
    let report = read(&options.report)?;
    let Some(stacks) = &report.stacks else {
        let message = "the report has no call stacks: make it with loupe run --json, without --no-stacks";
        return Err(Failure::new(format!("{}: {message}", options.report)));
    };
    let bytes = match options.format {
        Format::Folded => folded::text(stacks, options.mode, options.unit).into_bytes(),
        Format::Speedscope => json(&speedscope::profile(&report.program, stacks))?,
        Format::Firefox => json(&firefox::profile(&report, stacks))?,
        Format::Pprof => pprof::profile(&report, stacks, options.mode, options.unit),
    };
    match &options.output {
        Some(path) => std::fs::write(path, bytes).map_err(|error| Failure::of_file(path, &error))?,
        None if options.format == Format::Pprof && std::io::stdout().is_terminal() => {
            return Err(Failure::new(
                "pprof is no text: give --output FILE, or send it into a file or another program",
            ));
        }
        None => return crate::print_bytes(&bytes),
    }
    Ok(Ended::Code(0))
}

fn json(value: &serde_json::Value) -> Result<Vec<u8>, Failure> {
    serde_json::to_vec(value).map_err(|error| Failure::new(format!("the profile: {error}")))
}

fn read(path: &str) -> Result<Report, Failure> {
    let bytes = if path == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map(|_| bytes).map_err(|error| Failure::of_file("-", &error))?
    } else {
        std::fs::read(path).map_err(|error| Failure::of_file(path, &error))?
    };
    let no_report = |why: String| Failure::new(format!("{path}: no report of loupe run --json: {why}"));
    let report: Report = serde_json::from_slice(&bytes).map_err(|error| no_report(error.to_string()))?;
    if report.loupe != FORMAT {
        return Err(no_report(format!("its version is {}, not {FORMAT}", report.loupe)));
    }
    if let Some(complaint) = report.stacks.as_ref().and_then(Stacks::complaint) {
        return Err(no_report(complaint));
    }
    Ok(report)
}

impl Stacks {
    /// What is wrong with a tree that somebody else may have written.
    pub(crate) fn complaint(&self) -> Option<String> {
        let is_wrong = |(index, node): (usize, &crate::report::Node)| {
            node.frame as usize >= self.frames.len() || node.parent.is_some_and(|parent| parent as usize >= index)
        };
        let at = self.nodes.iter().enumerate().position(is_wrong)?;
        Some(format!("node {at} of its stacks names a frame or a caller that is not there"))
    }

    /// The frames of a node's stack, outermost first.
    pub(crate) fn frames_of(&self, node: usize) -> Vec<u32> {
        let mut frames = Vec::new();
        let mut next = Some(node);
        while let Some(at) = next {
            frames.push(self.nodes[at].frame);
            next = self.nodes[at].parent.map(|parent| parent as usize);
        }
        frames.reverse();
        frames
    }
}
