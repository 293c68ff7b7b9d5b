//! What `loupe run` found: the figures behind every form of the report. Its JSON is this struct as it stands.

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
}

/// What the process's resident memory was at the end, after a collection.
#[derive(Serialize, Deserialize, Default)]
pub(crate) struct Process {
    pub(crate) resident_bytes: u64,
    pub(crate) not_named_bytes: u64,
    /// All of it, what is not named last.
    pub(crate) parts: Vec<ProcessPart>,
}

#[derive(Serialize, Deserialize)]
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
#[derive(Serialize, Deserialize, Default)]
pub(crate) struct Strings {
    pub(crate) allocated: Vec<StringRow>,
    pub(crate) retained: Vec<StringRow>,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct StringRow {
    /// As `inspect` shows the first two hundred characters.
    pub(crate) text: String,
    pub(crate) count: u64,
    pub(crate) places: Vec<(String, u64)>,
}

/// A change that would save memory.
#[derive(Serialize, Deserialize)]
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
    /// The edit that `loupe try` would make, as a unified diff: of the first ten, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) edit: Option<String>,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub(crate) struct LiteralPlace {
    pub(crate) line: i32,
    /// The beginning of the literal, as `inspect` shows it.
    pub(crate) text: String,
    pub(crate) copies: Amount,
}

/// What Carat knows beyond memory_profiler's figures, most costly first.
#[derive(Serialize, Deserialize, Default)]
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
#[derive(Serialize, Deserialize)]
pub(crate) struct Extended {
    pub(crate) location: String,
    pub(crate) born: u64,
    pub(crate) grown: u64,
    pub(crate) fields_spilled: u64,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Copied {
    /// Where the objects were made, and where they were copied.
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) reason: String,
    pub(crate) amount: Amount,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Regrown {
    pub(crate) location: String,
    pub(crate) times: u64,
    pub(crate) added_bytes: u64,
    /// Bytes to reserve at the start so that nothing grows.
    pub(crate) capacity: u64,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Literal {
    pub(crate) location: String,
    /// The beginning of the literal, as `inspect` shows it.
    pub(crate) text: String,
    pub(crate) copies: Amount,
    pub(crate) written: u64,
    /// Where one was written to first.
    pub(crate) writer: Option<String>,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Pinned {
    pub(crate) location: String,
    pub(crate) slices: u64,
    pub(crate) unused_bytes: u64,
}

/// Slots of one size at the end of the program.
#[derive(Serialize, Deserialize)]
pub(crate) struct Pool {
    pub(crate) slot_bytes: usize,
    pub(crate) slots: usize,
    pub(crate) used: usize,
    pub(crate) free: usize,
    /// Bytes of the used slots that their objects do not need.
    pub(crate) wasted_bytes: usize,
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
