//! `loupe leaks`: what was made between two dumps and is still there in the last one.
//!
//! # How
//! Of the first two dumps a number is kept for each object, hashed of its address and what else does not change while it lives: type,
//! class, place and generation. So an object that took another's address is not taken for it, where dumps have places or
//! generations.

use crate::dump::{self, Record};
use crate::failure::Failure;
use crate::graph::{Graph, Node};
use crate::heap::{ClassKey, class_key};
use crate::path;
use crate::report::Amount;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};

/// Objects of one class made at one place.
#[derive(Default)]
struct Group {
    amount: Amount,
    /// The one to which the shortest way leads, and its length.
    nearest: Option<(usize, Node)>,
}

/// Class and place.
type Key = (ClassKey, Option<String>);

pub(crate) fn explain(dumps: &[String], top: usize) -> Result<String, Failure> {
    let (Some((last, earlier)), Some(first)) = (dumps.split_last(), dumps.first()) else {
        return Err(Failure::new("leaks wants two or three dumps"));
    };
    if dumps.iter().any(|dump| dump == "-") {
        return Err(Failure::new("leaks reads dumps several times: give files"));
    }
    let old = identities(first, &mut |_| true)?;
    // With three dumps, what was there in the second.
    let new = earlier.get(1).map(|second| identities(second, &mut |number| !old.contains(&number))).transpose()?;
    let is_wanted = |number: u64| new.as_ref().map_or_else(|| !old.contains(&number), |new| new.contains(&number));
    let graph = Graph::read(last)?;
    path::require_roots(last, &graph)?;
    let (groups, names) = groups(last, &graph, &is_wanted)?;
    show(last, &graph, groups, &names, top)
}

/// What tells an object from one that takes its address later.
fn identity(record: &Record<'_>) -> Option<u64> {
    let mut hasher = FxHasher::default();
    record.address().filter(|_| record.is_object())?.hash(&mut hasher);
    record.kind().hash(&mut hasher);
    (record.class(), record.file.as_deref(), record.line, record.generation).hash(&mut hasher);
    Some(hasher.finish())
}

fn identities(dump: &str, is_wanted: &mut dyn FnMut(u64) -> bool) -> Result<FxHashSet<u64>, Failure> {
    let mut found = FxHashSet::default();
    dump::read(dump, &mut |record| found.extend(identity(record).filter(|number| is_wanted(*number))))?;
    Ok(found)
}

type Groups = FxHashMap<Key, Group>;

/// What stayed, by class and place, and the names of classes.
fn groups(
    dump: &str,
    graph: &Graph,
    is_wanted: &dyn Fn(u64) -> bool,
) -> Result<(Groups, FxHashMap<u64, String>), Failure> {
    let ways = graph.ways();
    let (mut groups, mut names) = (Groups::default(), FxHashMap::default());
    dump::read(dump, &mut |record| {
        let (Some(address), Some(number)) = (record.address(), identity(record)) else { return };
        if let Some(name) = record.name.as_ref().or(record.real_class_name.as_ref()) {
            names.insert(address, name.to_string());
        }
        if !is_wanted(number) {
            return;
        }
        // What nothing leads to goes with the next collection.
        let Some((node, way)) = graph.find(address).and_then(|node| Some((node, ways.to(node)?.1.len()))) else {
            return;
        };
        let group = groups.entry((class_key(record), record.location())).or_default();
        group.amount.add(Amount { objects: 1, bytes: record.memsize });
        if group.nearest.is_none_or(|(shortest, _)| way < shortest) {
            group.nearest = Some((way, node));
        }
    })?;
    Ok((groups, names))
}

fn show(
    dump: &str,
    graph: &Graph,
    groups: Groups,
    names: &FxHashMap<u64, String>,
    top: usize,
) -> Result<String, Failure> {
    let mut list: Vec<(String, Group)> = groups
        .into_iter()
        .map(|((class, place), group)| {
            let place = place.unwrap_or_else(|| "place not recorded".into());
            (format!("{} {place}", class.name(names)), group)
        })
        .collect();
    list.sort_by(|a, b| b.1.amount.bytes.cmp(&a.1.amount.bytes).then_with(|| a.0.cmp(&b.0)));
    let mut total = Amount::default();
    list.iter().for_each(|(_, group)| total.add(group.amount));
    let mut text = format!("{} objects, {} bytes stayed\n", total.objects, total.bytes);
    let ways = graph.ways();
    let ways: Vec<Option<(&str, Vec<u64>)>> = list
        .iter()
        .take(top)
        .map(|(_, group)| {
            let (category, nodes) = ways.to(group.nearest?.1)?;
            Some((category, nodes.into_iter().map(|node| graph.address(node)).collect()))
        })
        .collect();
    let described = path::descriptions(dump, ways.iter().flatten().flat_map(|(_, way)| way.iter().copied()))?;
    for ((name, group), way) in list.iter().zip(&ways) {
        let Amount { objects, bytes } = group.amount;
        let _ = writeln!(text, "\n{bytes:>12}  {objects:>9}  {name}");
        if let Some((category, addresses)) = way {
            path::show(&mut text, category, addresses, &described);
        }
    }
    Ok(text)
}
