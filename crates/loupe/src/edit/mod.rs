//! From a finding to an edit of the file that it names: what `loupe try` runs a program with.
//!
//! # How
//! The file is parsed as Carat parses it. The node is sought on the finding's line by what the kind is about: a call of one
//! name, a literal of one text. Where a line has several, nobody can tell which of them the finding means, and there is no edit.
//!
//! # Invariants
//! * An edited text parses.
//! * The changes of one edit are in order and do not overlap.
//!
//! # Not here
//! Whether an edit keeps what the program does: `trial` runs it and compares. Kinds without a sure edit say why.

mod buffers;
mod calls;
mod literals;
mod texts;
mod tree;

use crate::advice::rank;
use crate::report::Advice;
use ruby_prism as pm;
use std::ops::Range;
use tree::Tree;

/// Bytes of the source, and what stands there afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) range: Range<usize>,
    pub(crate) text: Vec<u8>,
}

impl Change {
    fn replace(range: Range<usize>, text: impl Into<Vec<u8>>) -> Change {
        Change { range, text: text.into() }
    }

    fn insert(at: usize, text: impl Into<Vec<u8>>) -> Change {
        Change::replace(at..at, text)
    }

    fn remove(range: Range<usize>) -> Change {
        Change::replace(range, Vec::new())
    }

    /// Two insertions at one place overlap: nobody says which comes first.
    fn overlaps(&self, other: &Change) -> bool {
        let is_same_place = self.range.is_empty() && self.range == other.range;
        is_same_place || self.range.start < other.range.end && other.range.start < self.range.end
    }

    /// Changes of different edits that touch may be about one piece of code. What is put in front of another change is not: `.freeze`
    /// behind a literal and another call behind that.
    pub(crate) fn touches(&self, other: &Change) -> bool {
        let (own, others) = (&self.range, &other.range);
        match (own.is_empty(), others.is_empty()) {
            (true, false) => others.start < own.start && own.start <= others.end,
            (false, true) => own.start < others.start && others.start <= own.end,
            _ => own.start <= others.end && others.start <= own.end,
        }
    }
}

/// Why a finding has no edit.
#[derive(Debug)]
pub(crate) enum NoEdit {
    /// Nothing on its line is what the kind is about.
    Absent(String),
    /// What it would be is not certain.
    Unsure(String),
}

impl NoEdit {
    pub(crate) fn reason(self) -> String {
        match self {
            NoEdit::Absent(reason) | NoEdit::Unsure(reason) => reason,
        }
    }
}

impl From<String> for NoEdit {
    fn from(reason: String) -> NoEdit {
        NoEdit::Unsure(reason)
    }
}

impl From<&str> for NoEdit {
    fn from(reason: &str) -> NoEdit {
        NoEdit::Unsure(reason.into())
    }
}

/// The changes, or why there are none.
type Edited = Result<Vec<Change>, NoEdit>;

type Maker = fn(&Tree<'_>, &Advice) -> Edited;

/// What makes the edit of each kind that has one.
const MAKERS: &[(&str, Maker)] = &[
    ("literal", literals::freeze),
    ("capacity", buffers::string_capacity),
    ("hash-growth", buffers::hash_capacity),
    ("ancestors", calls::keep_ancestors),
    ("slice", calls::copy_slice),
    ("symbol-name", calls::symbol_name),
    ("flat-map", |tree, advice| calls::join_with_map(tree, advice, "flatten", "flat_map")),
    ("filter-map", |tree, advice| calls::join_with_map(tree, advice, "compact", "filter_map")),
    ("one-part", calls::limit_split),
    ("keys", calls::ask_hash),
    ("scanner", calls::match_only),
    ("first-character", calls::start_with),
    ("append", buffers::append),
    ("plus-chain", literals::join_arrays),
    ("pattern", texts::compile_once),
    ("gsub-table", texts::look_up),
    ("gsub-chain", texts::join_chain),
    ("characters", texts::translate),
    ("merge", calls::join_hashes),
    ("array-between", calls::skip_array),
    ("empty-default", calls::freeze_default),
];

/// Why the other kinds have none.
const WITHOUT: &[(&str, &str)] = &[
    ("array-growth", "arrays have no capacity"),
    ("shared", "who shares it, and until when, is not in the source"),
    ("late-field", "what the field begins as is not in the source"),
    ("float", "a number cannot be made smaller"),
    ("same-text", "whether its parts are always the same is not in the source"),
];

/// The edit of a finding in the text of its file.
pub(crate) fn of(advice: &Advice, source: &[u8]) -> Edited {
    if let Some((_, reason)) = WITHOUT.iter().find(|(kind, _)| *kind == advice.kind) {
        return Err((*reason).into());
    }
    let Some((_, make)) = MAKERS.iter().find(|(kind, _)| *kind == advice.kind) else {
        return Err(format!("nothing is known of the kind {}", advice.kind).into());
    };
    let result = pm::parse(source);
    if result.errors().next().is_some() {
        return Err("the file does not parse".into());
    }
    if result.data_loc().is_some() && source.windows(4).any(|word| word == b"DATA") {
        return Err("what stands behind __END__ would move".into());
    }
    let mut changes = make(&Tree::of(source, &result), advice)?;
    changes.sort_by_key(|change| (change.range.start, change.range.end));
    changes.dedup();
    if changes.windows(2).any(|pair| pair[0].overlaps(&pair[1])) {
        return Err("its changes overlap".into());
    }
    let edited = apply(source, &changes);
    match pm::parse(&edited).errors().next() {
        None => Ok(changes),
        Some(error) => {
            Err(format!("the edited file would not parse: {}", String::from_utf8_lossy(error.message())).into())
        }
    }
}

/// Findings of these kinds are told from a line's text, which may be about something else.
const FROM_TEXT: &[&str] = &[
    "flat-map",
    "filter-map",
    "one-part",
    "keys",
    "first-character",
    "plus-chain",
    "gsub-table",
    "gsub-chain",
    "characters",
    "merge",
    "array-between",
    "empty-default",
];

/// Leaves out findings that their files do not bear out, and joins those that one edit is for. `list` is in the order of gains.
pub(crate) fn refine(list: &mut Vec<Advice>) {
    let mut known: Vec<(usize, Vec<Change>)> = Vec::new();
    let mut refined: Vec<Advice> = Vec::new();
    for advice in list.drain(..) {
        let is_from_text = FROM_TEXT.contains(&advice.kind.as_str());
        let source = crate::trial::source_of(&advice.file).ok().filter(|_| is_from_text);
        match source.map(|source| of(&advice, &source)) {
            Some(Err(NoEdit::Absent(_))) => continue,
            Some(Ok(changes)) => {
                let is_same = |(at, other): &&(usize, Vec<Change>)| {
                    let first = &refined[*at];
                    first.file == advice.file && first.kind == advice.kind && *other == changes
                };
                if let Some((at, _)) = known.iter().find(is_same) {
                    refined[*at].gain.add(advice.gain);
                    continue;
                }
                known.push((refined.len(), changes));
            }
            _ => {}
        }
        refined.push(advice);
    }
    refined.sort_by_key(|advice| std::cmp::Reverse(rank(advice.gain)));
    *list = refined;
}

/// The source with changes, which are in order.
pub(crate) fn apply(source: &[u8], changes: &[Change]) -> Vec<u8> {
    let (mut text, mut at) = (Vec::with_capacity(source.len()), 0);
    for Change { range, text: new } in changes {
        text.extend_from_slice(&source[at..range.start]);
        text.extend_from_slice(new);
        at = range.end;
    }
    text.extend_from_slice(&source[at..]);
    text
}

#[cfg(test)]
mod tests;
