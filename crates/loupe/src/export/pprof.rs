//! Go's profile format (`profile.proto`), without compression, which its tools read as well: a sample for each stack with objects
//! and bytes of each of the sums.

use super::protobuf::Message;
use super::{Mode, Unit};
use crate::report::{Report, Stacks};
use std::collections::HashMap;

/// Field numbers of the messages.
mod profile {
    pub(super) const SAMPLE_TYPE: u64 = 1;
    pub(super) const SAMPLE: u64 = 2;
    pub(super) const LOCATION: u64 = 4;
    pub(super) const FUNCTION: u64 = 5;
    pub(super) const STRING_TABLE: u64 = 6;
    pub(super) const DURATION_NANOS: u64 = 10;
    pub(super) const COMMENT: u64 = 13;
    pub(super) const DEFAULT_SAMPLE_TYPE: u64 = 14;
}
mod value_type {
    pub(super) const TYPE: u64 = 1;
    pub(super) const UNIT: u64 = 2;
}
mod sample {
    pub(super) const LOCATION_ID: u64 = 1;
    pub(super) const VALUE: u64 = 2;
}
mod location {
    pub(super) const ID: u64 = 1;
    pub(super) const LINE: u64 = 4;
}
mod line {
    pub(super) const FUNCTION_ID: u64 = 1;
    pub(super) const LINE: u64 = 2;
}
mod function {
    pub(super) const ID: u64 = 1;
    pub(super) const NAME: u64 = 2;
    pub(super) const FILENAME: u64 = 4;
}

/// Texts, each once; the first is empty.
struct Texts {
    list: Vec<String>,
    numbers: HashMap<String, u64>,
}

impl Texts {
    fn new() -> Texts {
        Texts { list: vec![String::new()], numbers: HashMap::from([(String::new(), 0)]) }
    }

    fn number(&mut self, text: &str) -> u64 {
        if let Some(known) = self.numbers.get(text) {
            return *known;
        }
        let number = self.list.len() as u64;
        self.list.push(text.to_string());
        self.numbers.insert(text.to_string(), number);
        number
    }
}

fn name_of(mode: Mode, unit: Unit) -> String {
    format!("{}_{}", mode.name(), unit.name())
}

/// `mode` and `unit` are what tools show first.
pub(crate) fn profile(report: &Report, stacks: &Stacks, mode: Mode, unit: Unit) -> Vec<u8> {
    let (mut out, mut texts) = (Message::default(), Texts::new());
    let kinds: Vec<(Mode, Unit)> = Mode::ALL.into_iter().flat_map(|mode| Unit::ALL.map(|unit| (mode, unit))).collect();
    for (mode, unit) in &kinds {
        let mut kind = Message::default();
        kind.integer(value_type::TYPE, texts.number(&name_of(*mode, *unit)));
        kind.integer(value_type::UNIT, texts.number(if *unit == Unit::Bytes { "bytes" } else { "count" }));
        out.message(profile::SAMPLE_TYPE, kind);
    }
    for (index, node) in stacks.nodes.iter().enumerate() {
        let values: Vec<u64> = kinds.iter().map(|(mode, unit)| unit.of(node.amount(*mode))).collect();
        if values.iter().any(|value| *value > 0) {
            let mut sample = Message::default();
            // The innermost comes first, and no number is zero.
            sample.packed(
                sample::LOCATION_ID,
                stacks.frames_of(index).into_iter().rev().map(|frame| u64::from(frame) + 1),
            );
            sample.packed(sample::VALUE, values);
            out.message(profile::SAMPLE, sample);
        }
    }
    add_locations(&mut out, &mut texts, stacks);
    out.integer(profile::DURATION_NANOS, (report.seconds * 1e9) as u64);
    let comment = texts.number(&format!("loupe run {}", report.program));
    out.integer(profile::COMMENT, comment);
    let shown_first = texts.number(&name_of(mode, unit));
    out.integer(profile::DEFAULT_SAMPLE_TYPE, shown_first);
    texts.list.iter().for_each(|text| out.bytes(profile::STRING_TABLE, text.as_bytes()));
    out.into_bytes()
}

/// A location for each frame; lines of one method are of one function. A function has no other name in the system: of those that
/// are the same in both, the tool takes `<main>` for a parameter of a C++ template and drops it.
fn add_locations(out: &mut Message, texts: &mut Texts, stacks: &Stacks) {
    let mut functions: HashMap<(&str, &str), u64> = HashMap::new();
    for (index, frame) in stacks.frames.iter().enumerate() {
        let next = functions.len() as u64 + 1;
        let function = *functions.entry((&frame.name, &frame.file)).or_insert_with(|| {
            let (name, file) = (texts.number(&frame.name), texts.number(&frame.file));
            let mut function = Message::default();
            function.integer(function::ID, next);
            function.integer(function::NAME, name);
            function.integer(function::FILENAME, file);
            out.message(profile::FUNCTION, function);
            next
        });
        let (mut line, mut location) = (Message::default(), Message::default());
        line.integer(line::FUNCTION_ID, function);
        line.integer(line::LINE, u64::try_from(frame.line).unwrap_or(0));
        location.integer(location::ID, index as u64 + 1);
        location.message(location::LINE, line);
        out.message(profile::LOCATION, location);
    }
}
