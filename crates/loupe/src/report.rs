//! What `loupe run` found: the figures behind every form of the report. Its JSON is this struct as it stands.

use crate::export::Mode;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Version of the JSON form, which `docs/loupe-report.schema.json` describes.
pub(crate) const FORMAT: u32 = 2;

#[derive(Serialize, Deserialize, Default)]
pub(crate) struct Report {
    /// [`FORMAT`]; tells a report from other JSON.
    pub(crate) loupe: u32,
    pub(crate) program: String,
    pub(crate) seconds: f64,
    pub(crate) collections: u64,
    /// How many samples the figures are estimates from; missing where everything was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) samples: Option<u64>,
    pub(crate) allocated: Amount,
    pub(crate) retained: Amount,
    pub(crate) rows: Vec<Row>,
    pub(crate) strings: Strings,
    /// What to change, what gains most first. Version 1 had none.
    #[serde(default)]
    pub(crate) advice: Vec<Advice>,
    pub(crate) findings: Findings,
    pub(crate) pools: Vec<Pool>,
    /// Missing where the system does not tell.
    #[serde(default)]
    pub(crate) process: Option<Process>,
    /// Which calls led to what was allocated; missing with `--no-stacks`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stacks: Option<Stacks>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) timeline: Option<Timeline>,
}

/// A tree of calls.
#[derive(Serialize, Deserialize, Clone, Default)]
pub(crate) struct Stacks {
    /// Temporary objects were dead at the first collection after they were made; so many objects, at most, were made between two.
    pub(crate) temporary_within: u64,
    pub(crate) frames: Vec<Frame>,
    /// Callers come before what they call.
    pub(crate) nodes: Vec<Node>,
}

#[derive(Serialize, Deserialize, Clone)]
pub(crate) struct Frame {
    /// As backtraces name it.
    pub(crate) name: String,
    /// Empty for methods of the core library.
    pub(crate) file: String,
    pub(crate) line: i32,
    pub(crate) gem: String,
}

/// A frame and what led to it, with what was allocated there and nowhere below. In JSON a list: caller, frame, then objects and
/// bytes allocated, retained, living at the peak, temporary.
#[derive(Serialize, Deserialize, Clone)]
#[serde(from = "NodeRow", into = "NodeRow")]
pub(crate) struct Node {
    pub(crate) parent: Option<u32>,
    pub(crate) frame: u32,
    pub(crate) allocated: Amount,
    pub(crate) retained: Amount,
    pub(crate) peak: Amount,
    pub(crate) temporary: Amount,
}

type NodeRow = (Option<u32>, u32, u64, u64, u64, u64, u64, u64, u64, u64);

impl From<NodeRow> for Node {
    fn from((parent, frame, ao, ab, ro, rb, po, pb, to, tb): NodeRow) -> Node {
        let [allocated, retained, peak, temporary] =
            [(ao, ab), (ro, rb), (po, pb), (to, tb)].map(|(objects, bytes)| Amount { objects, bytes });
        Node { parent, frame, allocated, retained, peak, temporary }
    }
}

impl From<Node> for NodeRow {
    fn from(node: Node) -> NodeRow {
        let [a, r, p, t] = node.sums();
        let Node { parent, frame, .. } = node;
        (parent, frame, a.objects, a.bytes, r.objects, r.bytes, p.objects, p.bytes, t.objects, t.bytes)
    }
}

impl Node {
    pub(crate) fn new(parent: Option<u32>, frame: u32) -> Node {
        let none = Amount::default();
        Node { parent, frame, allocated: none, retained: none, peak: none, temporary: none }
    }

    /// Allocated, retained, at the peak, temporary.
    pub(crate) fn sums(&self) -> [Amount; 4] {
        [self.allocated, self.retained, self.peak, self.temporary]
    }

    pub(crate) fn add(&mut self, sums: &[Amount; 4]) {
        let own = [&mut self.allocated, &mut self.retained, &mut self.peak, &mut self.temporary];
        own.into_iter().zip(sums).for_each(|(sum, part)| sum.add(*part));
    }

    pub(crate) fn amount(&self, mode: Mode) -> Amount {
        match mode {
            Mode::Allocated => self.allocated,
            Mode::Retained => self.retained,
            Mode::Peak => self.peak,
            Mode::Temporary => self.temporary,
        }
    }
}

/// What lived when, of the main Ractor's objects.
#[derive(Serialize, Deserialize, Clone, Default)]
pub(crate) struct Timeline {
    /// Collections, or every so many of them.
    pub(crate) points: Vec<Point>,
    pub(crate) living: Vec<Living>,
    /// Of what was counted, when most bytes lived.
    pub(crate) peak: Option<Living>,
}

#[derive(Serialize, Deserialize, Clone)]
pub(crate) struct Point {
    pub(crate) seconds: f64,
    pub(crate) full: bool,
    pub(crate) allocated_objects: u64,
    pub(crate) heap_bytes: u64,
    pub(crate) resident_bytes: u64,
}

/// What lived after a collection: all, and the classes and places with most bytes.
#[derive(Serialize, Deserialize, Clone)]
pub(crate) struct Living {
    pub(crate) seconds: f64,
    pub(crate) live: Amount,
    pub(crate) classes: Vec<(String, Amount)>,
    pub(crate) sites: Vec<(String, Amount)>,
}

/// What the process's resident memory was at the end, after a collection.
#[derive(Serialize, Deserialize, Clone, Default)]
pub(crate) struct Process {
    pub(crate) resident_bytes: u64,
    pub(crate) not_named_bytes: u64,
    /// All of it, what is not named last.
    pub(crate) parts: Vec<ProcessPart>,
}

#[derive(Serialize, Deserialize, Clone)]
pub(crate) struct ProcessPart {
    pub(crate) group: String,
    pub(crate) name: String,
    pub(crate) bytes: u64,
}

#[derive(Serialize, Deserialize, Clone, Copy, Default, PartialEq, Debug)]
pub(crate) struct Amount {
    pub(crate) objects: u64,
    pub(crate) bytes: u64,
}

impl Amount {
    pub(crate) fn add(&mut self, other: Amount) {
        // Figures of a report or a dump from elsewhere may be anything.
        self.objects = self.objects.saturating_add(other.objects);
        self.bytes = self.bytes.saturating_add(other.bytes);
    }
}

/// Objects of one class made at one place.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub(crate) struct Row {
    pub(crate) gem: String,
    pub(crate) file: String,
    pub(crate) line: i32,
    pub(crate) class: String,
    pub(crate) allocated: Amount,
    pub(crate) retained: Amount,
}

impl Row {
    pub(crate) fn location(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }

    pub(crate) fn amount(&self, kind: Kind) -> Amount {
        match kind {
            Kind::Allocated => self.allocated,
            Kind::Retained => self.retained,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Allocated,
    Retained,
}

/// Strings that were made most often, by their contents.
#[derive(Serialize, Deserialize, Clone, Default)]
pub(crate) struct Strings {
    pub(crate) allocated: Vec<StringRow>,
    pub(crate) retained: Vec<StringRow>,
}

#[derive(Serialize, Deserialize, Clone)]
pub(crate) struct StringRow {
    /// As `inspect` shows the first two hundred characters.
    pub(crate) text: String,
    pub(crate) count: u64,
    pub(crate) places: Vec<(String, u64)>,
}

/// A change that would save memory.
#[derive(Serialize, Deserialize, Clone)]
pub(crate) struct Advice {
    /// Its section in `docs/findings.md`.
    pub(crate) kind: String,
    pub(crate) file: String,
    pub(crate) line: i32,
    /// The text of the line, where there is a file.
    pub(crate) source: Option<String>,
    /// The gem or library that the file belongs to; nothing for the user's own.
    pub(crate) owner: Option<String>,
    pub(crate) change: String,
    /// What the line made, or what moving its objects added.
    pub(crate) gain: Amount,
    /// The literals of the file that it is about, those that made most first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) literals: Vec<LiteralPlace>,
    /// What would have sufficed: bytes of a string, elements of an array, entries of a hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) capacity: Option<u64>,
    /// The lines of the file that it is about, if they are several, those that made most first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) lines: Vec<LineGain>,
    /// The method of the core library that makes the objects, where the edit has to know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) method: Option<String>,
    /// The edit that `loupe try` would make, as a unified diff: of the first ten, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) edit: Option<String>,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub(crate) struct LineGain {
    pub(crate) line: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) method: Option<String>,
    pub(crate) gain: Amount,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub(crate) struct LiteralPlace {
    pub(crate) line: i32,
    /// The beginning of the literal, as `inspect` shows it.
    pub(crate) text: String,
    pub(crate) copies: Amount,
}

/// What Carat knows beyond memory_profiler's figures, most costly first.
#[derive(Serialize, Deserialize, Clone, Default)]
pub(crate) struct Findings {
    pub(crate) extended: Vec<Extended>,
    pub(crate) copies: Vec<Copied>,
    pub(crate) regrown: Vec<Regrown>,
    pub(crate) unwritten_literals: Vec<Literal>,
    pub(crate) written_literals: Vec<Literal>,
    pub(crate) pinned: Vec<Pinned>,
    /// Writes to frozen objects. Reports had none of these at first.
    #[serde(default)]
    pub(crate) refused: Vec<Refused>,
    /// The same.
    #[serde(default)]
    pub(crate) messages: Vec<Sent>,
    /// The same.
    #[serde(default)]
    pub(crate) ractors: Vec<Owned>,
}

/// What Ractors that began at one place allocated, and what those of them own that live.
#[derive(Serialize, Deserialize, Clone, Default, PartialEq, Debug)]
pub(crate) struct Owned {
    /// Of `Ractor.new`, or `main`.
    pub(crate) location: String,
    pub(crate) name: Option<String>,
    pub(crate) ractors: u64,
    pub(crate) living: u64,
    pub(crate) allocated: Amount,
    pub(crate) retained: Amount,
}

/// What a line passed to other Ractors.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub(crate) struct Sent {
    pub(crate) location: String,
    /// `shared`, `copied` or `moved`.
    pub(crate) passing: String,
    pub(crate) messages: u64,
    /// Objects that were made for the receivers.
    pub(crate) made: Amount,
}

/// A line that tried to write to something frozen.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub(crate) struct Refused {
    pub(crate) location: String,
    pub(crate) count: u64,
    /// What the first FrozenError there said.
    pub(crate) message: String,
}

/// Objects whose contents left their slots.
#[derive(Serialize, Deserialize, Clone)]
pub(crate) struct Extended {
    pub(crate) location: String,
    pub(crate) born: u64,
    pub(crate) grown: u64,
    pub(crate) fields_spilled: u64,
}

#[derive(Serialize, Deserialize, Clone)]
pub(crate) struct Copied {
    /// Where the objects were made, and where they were copied.
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) reason: String,
    pub(crate) amount: Amount,
}

#[derive(Serialize, Deserialize, Clone)]
pub(crate) struct Regrown {
    pub(crate) location: String,
    pub(crate) times: u64,
    pub(crate) added_bytes: u64,
    /// Bytes to reserve at the start so that nothing grows.
    pub(crate) capacity: u64,
}

#[derive(Serialize, Deserialize, Clone)]
pub(crate) struct Literal {
    pub(crate) location: String,
    /// The beginning of the literal, as `inspect` shows it.
    pub(crate) text: String,
    pub(crate) copies: Amount,
    pub(crate) written: u64,
    /// Where one was written to first.
    pub(crate) writer: Option<String>,
}

#[derive(Serialize, Deserialize, Clone)]
pub(crate) struct Pinned {
    pub(crate) location: String,
    pub(crate) slices: u64,
    pub(crate) unused_bytes: u64,
}

/// Slots of one size at the end of the program.
#[derive(Serialize, Deserialize, Clone)]
pub(crate) struct Pool {
    pub(crate) slot_bytes: usize,
    pub(crate) slots: usize,
    pub(crate) used: usize,
    pub(crate) free: usize,
    /// Bytes of the used slots that their objects do not need.
    pub(crate) wasted_bytes: usize,
    /// Reports had none at first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) pages: Option<PageFill>,
}

/// How full the pages of a pool are: a page with a few objects keeps all of its memory.
#[derive(Serialize, Deserialize, Clone, Default, PartialEq, Debug)]
pub(crate) struct PageFill {
    /// Pages without an object.
    pub(crate) empty: usize,
    /// Pages that are at most a quarter full, at most half, at most three quarters, and fuller.
    pub(crate) by_quarters: [usize; 4],
    /// Bytes without an object in the pages that are at most a quarter full.
    pub(crate) sparse_free_bytes: usize,
}

/// The `top` largest sums of rows by `name`, equal ones in the order of their names.
pub(crate) fn largest(
    report: &Report,
    kind: Kind,
    top: usize,
    name: &dyn Fn(&Row) -> String,
    figure: fn(&Amount) -> u64,
) -> Vec<(u64, String)> {
    let mut sums: BTreeMap<String, Amount> = BTreeMap::new();
    for row in report.rows.iter().filter(|row| row.amount(kind).objects > 0) {
        sums.entry(name(row)).or_default().add(row.amount(kind));
    }
    let mut list: Vec<(u64, String)> = sums.into_iter().map(|(name, sum)| (figure(&sum), name)).collect();
    list.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    list.truncate(top);
    list
}
