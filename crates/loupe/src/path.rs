//! `loupe path`: the shortest way from what is always alive to an object.

use crate::dump;
use crate::failure::Failure;
use crate::graph::Graph;
use crate::heap::describe;
use crate::leaks::Place;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write as _;

/// An object on a way.
#[derive(Clone, Default)]
pub(crate) struct Step {
    pub(crate) address: u64,
    pub(crate) what: String,
    kind: String,
    pub(crate) place: Option<Place>,
}

/// What a dump says of a few objects.
pub(crate) struct Described {
    steps: FxHashMap<u64, Step>,
}

impl Described {
    pub(crate) fn step(&self, address: u64) -> Step {
        let unknown = || Step { address, what: "not in the dump".into(), ..Step::default() };
        self.steps.get(&address).cloned().unwrap_or_else(unknown)
    }
}

pub(crate) fn explain(path: &str, target: u64) -> Result<String, Failure> {
    if path == "-" {
        return Err(Failure::new("path reads its dump twice: give a file"));
    }
    let graph = Graph::read(path)?;
    let Some(node) = graph.find(target) else {
        return Err(Failure::new(format!("{path}: no object at {target:#x}")));
    };
    require_roots(path, &graph)?;
    let Some((category, nodes)) = graph.ways().to(node).map(|(category, nodes)| (category.to_string(), nodes)) else {
        return Ok(format!("{target:#x}: nothing in the dump leads there; it goes with the next collection\n"));
    };
    let addresses: Vec<u64> = nodes.iter().map(|node| graph.address(*node)).collect();
    let described = descriptions(path, addresses.iter().copied())?;
    let mut text = String::new();
    show(&mut text, &category, addresses.iter().map(|address| described.step(*address)));
    Ok(text)
}

pub(crate) fn require_roots(path: &str, graph: &Graph) -> Result<(), Failure> {
    match graph.has_roots() {
        true => Ok(()),
        false => Err(Failure::new(format!("{path}: the dump has no roots (it was made with since:)"))),
    }
}

/// A way from a root, an object a line.
pub(crate) fn show(text: &mut String, category: &str, steps: impl Iterator<Item = Step>) {
    let _ = writeln!(text, "root: {category}");
    for (depth, step) in steps.enumerate() {
        let _ = writeln!(text, "{:depth$}-> {:#x} {}", "", step.address, step.what, depth = 2 * depth);
    }
}

/// Only the objects on the way are described, in a second reading: the dump may be large.
pub(crate) fn descriptions(path: &str, addresses: impl Iterator<Item = u64>) -> Result<Described, Failure> {
    let wanted: FxHashSet<u64> = addresses.collect();
    let mut steps: FxHashMap<u64, Step> = FxHashMap::default();
    let (mut names, mut classes) = (FxHashMap::default(), FxHashMap::default());
    dump::read(path, &mut |record| {
        let Some(address) = record.address() else { return };
        if let Some(name) = record.name.as_deref().or(record.real_class_name.as_deref()) {
            names.insert(address, name.to_string());
        }
        if !wanted.contains(&address) {
            return;
        }
        classes.extend(record.class().map(|class| (address, class)));
        let (what, kind) = (describe(record), record.kind().to_string());
        steps.insert(address, Step { address, what, kind, place: record.place() });
    })?;
    // Of what is named by its type alone the class says more.
    for (address, step) in steps.iter_mut().filter(|(_, step)| NAMED_BY_CLASS.contains(&step.kind.as_str())) {
        if let Some(name) = classes.get(address).and_then(|class| names.get(class)) {
            step.what = step.what.replacen(&step.kind, &format!("{} {name}", step.kind), 1);
        }
    }
    Ok(Described { steps })
}

/// How many entries the collections at the addresses have.
pub(crate) fn entries(path: &str, addresses: &[u64]) -> Result<FxHashMap<u64, u64>, Failure> {
    let mut found = FxHashMap::default();
    dump::read(path, &mut |record| {
        if let Some(address) = record.address().filter(|address| addresses.contains(address)) {
            found.extend(record.size.or(record.length).map(|entries| (address, entries)));
        }
    })?;
    Ok(found)
}

const NAMED_BY_CLASS: [&str; 3] = ["OBJECT", "STRUCT", "DATA"];
