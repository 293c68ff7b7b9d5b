//! `loupe heap`: a dump in a page.

use crate::dump::{self, Record};
use crate::failure::Failure;
use crate::report::Amount;
use rustc_hash::{FxHashMap, FxHasher};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::fmt::Write as _;
use std::hash::Hasher;

/// Different strings that are told apart; when there are more, those seen once are forgotten.
const MAX_STRINGS: usize = 2_000_000;
/// Characters of a string that are shown.
const SHOWN: usize = 60;

/// Sums by class: the class's address, or what a dump says of objects without a class.
#[derive(PartialEq, Eq, Hash, Clone)]
pub(crate) enum ClassKey {
    Address(u64),
    Kind(String),
}

impl ClassKey {
    /// As a dump names the class, given the names of classes by address.
    pub(crate) fn name(&self, names: &FxHashMap<u64, String>) -> String {
        match self {
            ClassKey::Kind(kind) => kind.clone(),
            ClassKey::Address(address) => names.get(address).cloned().unwrap_or_else(|| format!("class {address:#x}")),
        }
    }
}

/// What a dump adds up to. Needs memory for classes, places and different strings, not for objects.
#[derive(Default)]
pub(crate) struct Summary {
    pub(crate) total: Amount,
    classes: FxHashMap<ClassKey, Amount>,
    names: FxHashMap<u64, String>,
    pub(crate) locations: FxHashMap<String, Amount>,
    generations: BTreeMap<Option<u64>, Amount>,
    largest: BinaryHeap<Reverse<(u64, u64, String)>>,
    duplicates: FxHashMap<u64, (String, Amount)>,
    top: usize,
}

impl Summary {
    pub(crate) fn read(path: &str, top: usize) -> Result<Summary, Failure> {
        let mut summary = Summary { top, ..Summary::default() };
        dump::read(path, &mut |record| summary.add(record))?;
        Ok(summary)
    }

    fn add(&mut self, record: &Record<'_>) {
        if !record.is_object() {
            return;
        }
        let amount = Amount { objects: 1, bytes: record.memsize };
        self.total.add(amount);
        self.classes.entry(class_key(record)).or_default().add(amount);
        self.generations.entry(record.generation).or_default().add(amount);
        let name = record.name.as_ref().or(record.real_class_name.as_ref());
        if let (Some(address), Some(name)) = (record.address(), name) {
            self.names.insert(address, name.to_string());
        }
        if let Some(location) = record.location() {
            self.locations.entry(location).or_default().add(amount);
        }
        self.add_largest(record);
        self.add_duplicate(record, amount);
    }

    fn add_largest(&mut self, record: &Record<'_>) {
        let Some(address) = record.address() else { return };
        let is_small = self.largest.len() >= self.top && self.largest.peek().is_some_and(|l| l.0.0 >= record.memsize);
        if is_small {
            return;
        }
        self.largest.push(Reverse((record.memsize, address, describe(record))));
        if self.largest.len() > self.top {
            self.largest.pop();
        }
    }

    fn add_duplicate(&mut self, record: &Record<'_>, amount: Amount) {
        let text = record.value.as_deref().or(record.value_hash.as_deref()).filter(|_| record.kind() == "STRING");
        let Some(value) = text else { return };
        let mut hasher = FxHasher::default();
        hasher.write(value.as_bytes());
        let shown = || match record.value_hash {
            None => value.chars().take(SHOWN).collect(),
            Some(_) => format!("hashed: {value}"),
        };
        self.duplicates.entry(hasher.finish()).or_insert_with(|| (shown(), Amount::default())).1.add(amount);
        if self.duplicates.len() > MAX_STRINGS {
            self.duplicates.retain(|_, (_, amount)| amount.objects > 1);
        }
    }

    /// Sums by the names of classes.
    pub(crate) fn by_class(&self) -> FxHashMap<String, Amount> {
        let mut sums: FxHashMap<String, Amount> = FxHashMap::default();
        for (key, amount) in &self.classes {
            sums.entry(key.name(&self.names)).or_default().add(*amount);
        }
        sums
    }
}

pub(crate) fn class_key(record: &Record<'_>) -> ClassKey {
    match record.class() {
        Some(class) => ClassKey::Address(class),
        None => {
            let detail = record.imemo_type.as_deref().or(record.structure.as_deref());
            let kind = record.kind();
            ClassKey::Kind(detail.map_or_else(|| format!("({kind})"), |detail| format!("({kind} {detail})")))
        }
    }
}

/// Type, name or value, and where it was made.
pub(crate) fn describe(record: &Record<'_>) -> String {
    let mut text = record.kind().to_string();
    if let Some(detail) = record.name.as_deref().or(record.imemo_type.as_deref()).or(record.structure.as_deref()) {
        let _ = write!(text, " {detail}");
    }
    if let Some(value) = record.value.as_deref() {
        let shown: String = value.chars().take(SHOWN).collect();
        let _ = write!(text, " {shown:?}");
    }
    if let Some(entries) = record.size.or(record.length) {
        let _ = write!(text, " of {entries}");
    }
    if let Some(location) = record.location() {
        let _ = write!(text, " ({location})");
    }
    text
}

/// The `top` largest by bytes; equal ones in the order of their names.
pub(crate) fn largest<'a>(
    sums: impl IntoIterator<Item = (&'a String, &'a Amount)>,
    top: usize,
) -> Vec<(&'a String, Amount)> {
    let mut list: Vec<(&String, Amount)> = sums.into_iter().map(|(name, amount)| (name, *amount)).collect();
    list.sort_by(|a, b| b.1.bytes.cmp(&a.1.bytes).then_with(|| a.0.cmp(b.0)));
    list.truncate(top);
    list
}

pub(crate) fn summary(path: &str, top: usize) -> Result<String, Failure> {
    let summary = Summary::read(path, top)?;
    let mut text = format!("{path}: {} objects, {} bytes\n", summary.total.objects, summary.total.bytes);
    list(&mut text, "by class", &largest(&summary.by_class(), top));
    list(&mut text, "by location", &largest(&summary.locations, top));
    generations(&mut text, &summary);
    section(&mut text, "largest objects");
    let mut objects: Vec<_> = summary.largest.into_iter().map(|l| l.0).collect();
    objects.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    objects.iter().for_each(|(bytes, address, what)| {
        let _ = writeln!(text, "{bytes:>12}  {address:#x} {what}");
    });
    let repeated: Vec<(String, Amount)> =
        summary.duplicates.into_values().filter(|(_, a)| a.objects > 1).map(|(s, a)| (format!("{s:?}"), a)).collect();
    list(&mut text, "duplicate strings", &largest(repeated.iter().map(|(s, a)| (s, a)), top));
    Ok(text)
}

pub(crate) fn section(text: &mut String, title: &str) {
    let _ = writeln!(text, "\n{title}\n-----------------------------------");
}

pub(crate) fn list(text: &mut String, title: &str, rows: &[(&String, Amount)]) {
    if rows.is_empty() {
        return;
    }
    section(text, title);
    for (name, Amount { objects, bytes }) in rows {
        let _ = writeln!(text, "{bytes:>12}  {objects:>9}  {name}");
    }
}

fn generations(text: &mut String, summary: &Summary) {
    if summary.generations.len() < 2 {
        return;
    }
    section(text, "by generation");
    for (generation, Amount { objects, bytes }) in &summary.generations {
        let name = generation.map_or_else(|| "not recorded".into(), |g| g.to_string());
        let _ = writeln!(text, "{bytes:>12}  {objects:>9}  {name}");
    }
}
