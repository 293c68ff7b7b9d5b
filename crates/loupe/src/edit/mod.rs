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
mod chains;
mod constants;
mod literals;
mod repeats;
mod texts;
mod tree;
mod unchanged;

pub(crate) use chains::NEW_STRINGS;
pub(crate) use repeats::OF_VALUES;

use crate::advice::rank;
use crate::report::{Advice, LineGain};
use ruby_prism as pm;
use std::collections::BTreeMap;
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
    ("constant", constants::freeze),
    ("unchanged", unchanged::look_first),
    ("same-text", repeats::keep),
    ("comparison", calls::compare),
    ("append-parts", texts::append_parts),
    ("in-place", chains::in_place),
    ("string-chain", chains::change_copy),
];

/// Why the other kinds have none.
const WITHOUT: &[(&str, &str)] = &[
    ("array-growth", "arrays have no capacity"),
    ("shared", "who shares it, and until when, is not in the source"),
    ("late-field", "what the field begins as is not in the source"),
    ("float", "a number cannot be made smaller"),
];

/// The edit of a finding in the text of its file.
pub(crate) fn of(advice: &Advice, source: &[u8]) -> Edited {
    let result = pm::parse(source);
    check_file(source, &result)?;
    let changes = all_lines(&Tree::of(source, &result), advice)?;
    match pm::parse(&apply(source, &changes)).errors().next() {
        None => Ok(changes),
        Some(error) => {
            Err(format!("the edited file would not parse: {}", String::from_utf8_lossy(error.message())).into())
        }
    }
}

fn check_file(source: &[u8], result: &pm::ParseResult<'_>) -> Result<(), NoEdit> {
    if result.errors().next().is_some() {
        return Err("the file does not parse".into());
    }
    if result.data_loc().is_some() && source.windows(4).any(|word| word == b"DATA") {
        return Err("what stands behind __END__ would move".into());
    }
    Ok(())
}

/// The changes of all lines that a finding is about, but for those that have no edit.
fn all_lines(tree: &Tree<'_>, advice: &Advice) -> Edited {
    if advice.lines.is_empty() {
        return one_line(tree, advice);
    }
    let of_line = |part: &LineGain| {
        let (line, method) = (part.line, part.method.clone());
        one_line(tree, &Advice { line, method, lines: Vec::new(), ..advice.clone() })
    };
    let mut changes: Vec<Change> = Vec::new();
    for part in &advice.lines {
        let new = of_line(part).unwrap_or_default();
        if new.iter().all(|change| changes.iter().all(|other| other == change || !change.touches(other))) {
            changes.extend(new);
        }
    }
    if changes.is_empty() {
        return one_line(tree, &Advice { lines: Vec::new(), ..advice.clone() });
    }
    in_order(changes)
}

fn one_line(tree: &Tree<'_>, advice: &Advice) -> Edited {
    if let Some((_, reason)) = WITHOUT.iter().find(|(kind, _)| *kind == advice.kind) {
        return Err((*reason).into());
    }
    let Some((_, make)) = MAKERS.iter().find(|(kind, _)| *kind == advice.kind) else {
        return Err(format!("nothing is known of the kind {}", advice.kind).into());
    };
    in_order(make(tree, advice)?)
}

fn in_order(mut changes: Vec<Change>) -> Edited {
    changes.sort_by_key(|change| (change.range.start, change.range.end));
    changes.dedup();
    match changes.windows(2).any(|pair| pair[0].overlaps(&pair[1])) {
        true => Err("its changes overlap".into()),
        false => Ok(changes),
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
    "constant",
    "comparison",
    "append-parts",
    "in-place",
    "string-chain",
];

/// Kinds of which all lines of a file are one finding: nobody wants to be told of each of them.
const BY_FILE: &[&str] = &[
    "append-parts",
    "array-between",
    "characters",
    "comparison",
    "constant",
    "empty-default",
    "filter-map",
    "first-character",
    "flat-map",
    "gsub-chain",
    "gsub-table",
    "in-place",
    "keys",
    "one-part",
    "pattern",
    "plus-chain",
    "same-text",
    "scanner",
    "string-chain",
    "symbol-name",
    "unchanged",
];

/// A finding without an edit stands where one with an edit stands that gains a tenth: somebody has to think first.
const WITHOUT_EDIT: u64 = 10;

/// Leaves out findings that their files do not bear out, and joins those that one edit is for, and those of one kind in one file.
/// `list` is in the order of gains.
pub(crate) fn refine(list: &mut Vec<Advice>) {
    let edits = edits_of(list);
    let mut refined: Vec<(Advice, Option<Vec<Change>>)> = Vec::new();
    for (advice, edit) in list.drain(..).zip(edits) {
        let is_from_text = FROM_TEXT.contains(&advice.kind.as_str());
        let changes = match edit {
            Err(NoEdit::Absent(_)) if is_from_text => continue,
            edit => edit.ok(),
        };
        let known = changes.as_ref().and_then(|changes| {
            refined.iter_mut().find(|(first, known)| is_joined(first, known.as_deref(), &advice, changes))
        });
        match (known, changes) {
            (Some((first, Some(known))), Some(changes)) => join(first, known, advice, changes),
            (_, changes) => refined.push((advice, changes)),
        }
    }
    *list = in_order_of_use(refined);
}

/// What gains most first. What has no edit, and what stands where the edit of a finding before it does, comes later.
fn in_order_of_use(mut refined: Vec<(Advice, Option<Vec<Change>>)>) -> Vec<Advice> {
    refined.sort_by_key(|(advice, changes)| {
        let divisor = if changes.is_some() { 1 } else { WITHOUT_EDIT };
        std::cmp::Reverse(rank(advice.gain) / divisor)
    });
    let mut taken: BTreeMap<String, Vec<Change>> = BTreeMap::new();
    let mut ordered: Vec<(u64, Advice)> = Vec::new();
    for (advice, changes) in refined {
        let changes = changes.unwrap_or_default();
        let others = taken.entry(advice.file.clone()).or_default();
        let is_free = !changes.is_empty()
            && changes.iter().all(|change| others.iter().all(|other| change == other || !change.touches(other)));
        if is_free {
            others.extend(changes);
        }
        ordered.push((rank(advice.gain) / if is_free { 1 } else { WITHOUT_EDIT }, advice));
    }
    ordered.sort_by_key(|(use_of, _)| std::cmp::Reverse(*use_of));
    ordered.into_iter().map(|(_, advice)| advice).collect()
}

/// Each finding's edit; every file is read and parsed once.
fn edits_of(list: &[Advice]) -> Vec<Edited> {
    let mut files: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    list.iter().enumerate().for_each(|(at, advice)| files.entry(&advice.file).or_default().push(at));
    let mut edits: Vec<Edited> = list.iter().map(|_| Err("its code is in no file".into())).collect();
    for (file, findings) in files {
        let Ok(source) = crate::trial::source_of(file) else { continue };
        let result = pm::parse(&source);
        let tree = Tree::of(&source, &result);
        for at in findings {
            edits[at] = check_file(&source, &result).and_then(|()| one_line(&tree, &list[at]));
        }
    }
    edits
}

/// Whether a finding is one with an earlier one: one edit is for both, or they are of one kind in one file.
fn is_joined(first: &Advice, known: Option<&[Change]>, advice: &Advice, changes: &[Change]) -> bool {
    let Some(known) = known.filter(|_| first.file == advice.file && first.kind == advice.kind) else { return false };
    let is_apart = || changes.iter().all(|change| known.iter().all(|other| !change.touches(other)));
    known == changes || BY_FILE.contains(&advice.kind.as_str()) && is_apart()
}

fn join(first: &mut Advice, known: &mut Vec<Change>, advice: Advice, changes: Vec<Change>) {
    if *known != changes {
        if first.lines.is_empty() {
            first.lines.push(LineGain { line: first.line, method: first.method.clone(), gain: first.gain });
        }
        first.lines.push(LineGain { line: advice.line, method: advice.method, gain: advice.gain });
        known.extend(changes);
    }
    first.gain.add(advice.gain);
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
