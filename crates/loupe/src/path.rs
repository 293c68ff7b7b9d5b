//! `loupe path`: the shortest way from what is always alive to an object.

use crate::dump;
use crate::failure::Failure;
use crate::graph::Graph;
use crate::heap::describe;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write as _;

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
    show(&mut text, &category, &addresses, &described);
    Ok(text)
}

pub(crate) fn require_roots(path: &str, graph: &Graph) -> Result<(), Failure> {
    match graph.has_roots() {
        true => Ok(()),
        false => Err(Failure::new(format!("{path}: the dump has no roots (it was made with since:)"))),
    }
}

/// A way from a root, an object a line.
pub(crate) fn show(text: &mut String, category: &str, addresses: &[u64], described: &FxHashMap<u64, String>) {
    let _ = writeln!(text, "root: {category}");
    for (depth, address) in addresses.iter().enumerate() {
        let what = described.get(address).map_or("not in the dump", String::as_str);
        let _ = writeln!(text, "{:depth$}-> {address:#x} {what}", "", depth = 2 * depth);
    }
}

/// Only the objects on the way are described, in a second reading: the dump may be large.
pub(crate) fn descriptions(
    path: &str,
    addresses: impl Iterator<Item = u64>,
) -> Result<FxHashMap<u64, String>, Failure> {
    let wanted: FxHashSet<u64> = addresses.collect();
    let mut found = FxHashMap::default();
    dump::read(path, &mut |record| {
        if let Some(address) = record.address().filter(|a| wanted.contains(a)) {
            found.insert(address, describe(record));
        }
    })?;
    Ok(found)
}
