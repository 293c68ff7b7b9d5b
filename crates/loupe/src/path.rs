//! `loupe path`: the shortest way from what is always alive to an object.

use crate::dump::{self, Record};
use crate::failure::Failure;
use crate::heap::describe;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::fmt::Write as _;

/// Who refers to whom, by number of the object in the dump.
#[derive(Default)]
struct Graph {
    numbers: FxHashMap<u64, u32>,
    /// References, object by object; `starts` says where each one's begin.
    edges: Vec<u64>,
    starts: Vec<usize>,
    /// Roots by category.
    roots: Vec<(String, u64)>,
}

impl Graph {
    fn add(&mut self, record: &Record<'_>) {
        let references = record.references.iter().filter_map(|r| dump::parse_address(r));
        if record.kind() == "ROOT" {
            let name = record.root.as_deref().unwrap_or("root").to_string();
            return self.roots.extend(references.map(|address| (name.clone(), address)));
        }
        let Some(address) = record.address().filter(|_| record.is_object()) else { return };
        self.numbers.insert(address, self.starts.len() as u32);
        self.starts.push(self.edges.len());
        self.edges.extend(record.class());
        self.edges.extend(references);
    }

    fn references(&self, number: u32) -> &[u64] {
        let start = self.starts[number as usize];
        let end = self.starts.get(number as usize + 1).copied().unwrap_or(self.edges.len());
        &self.edges[start..end]
    }

    /// The addresses from a root to the target, and the root's category.
    fn shortest(&self, target: u64) -> Option<(&str, Vec<u64>)> {
        let mut came_from: FxHashMap<u64, Option<u64>> = FxHashMap::default();
        let mut category: FxHashMap<u64, &str> = FxHashMap::default();
        let mut waiting = VecDeque::new();
        for (name, address) in &self.roots {
            if came_from.insert(*address, None).is_none() {
                category.entry(*address).or_insert(name);
                waiting.push_back(*address);
            }
        }
        while let Some(address) = waiting.pop_front() {
            if address == target {
                let path = walk_back(&came_from, target);
                return Some((category.get(path.first()?).copied().unwrap_or("root"), path));
            }
            let Some(number) = self.numbers.get(&address) else { continue };
            for reference in self.references(*number) {
                came_from.entry(*reference).or_insert_with(|| {
                    waiting.push_back(*reference);
                    Some(address)
                });
            }
        }
        None
    }
}

fn walk_back(came_from: &FxHashMap<u64, Option<u64>>, target: u64) -> Vec<u64> {
    let mut path = vec![target];
    while let Some(Some(before)) = path.last().and_then(|last| came_from.get(last)) {
        path.push(*before);
    }
    path.reverse();
    path
}

pub(crate) fn explain(path: &str, target: u64) -> Result<String, Failure> {
    if path == "-" {
        return Err(Failure::new("path reads its dump twice: give a file"));
    }
    let mut graph = Graph::default();
    dump::read(path, &mut |record| graph.add(record))?;
    if !graph.numbers.contains_key(&target) {
        return Err(Failure::new(format!("{path}: no object at {target:#x}")));
    }
    if graph.roots.is_empty() {
        return Err(Failure::new(format!("{path}: the dump has no roots (it was made with since:)")));
    }
    let Some((category, addresses)) = graph.shortest(target) else {
        return Ok(format!("{target:#x}: nothing in the dump leads there; it goes with the next collection\n"));
    };
    let described = descriptions(path, &addresses)?;
    let mut text = format!("root: {category}\n");
    for (depth, address) in addresses.iter().enumerate() {
        let what = described.get(address).map_or("not in the dump", String::as_str);
        let _ = writeln!(text, "{:depth$}-> {address:#x} {what}", "", depth = 2 * depth);
    }
    Ok(text)
}

/// Only the objects on the way are described, in a second reading: the dump may be large.
fn descriptions(path: &str, addresses: &[u64]) -> Result<FxHashMap<u64, String>, Failure> {
    let wanted: FxHashSet<u64> = addresses.iter().copied().collect();
    let mut found = FxHashMap::default();
    dump::read(path, &mut |record| {
        if let Some(address) = record.address().filter(|a| wanted.contains(a)) {
            found.insert(address, describe(record));
        }
    })?;
    Ok(found)
}
