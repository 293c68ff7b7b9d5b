//! `loupe heap --retained`: what would go with each object.

use crate::dominators::Dominators;
use crate::failure::Failure;
use crate::graph::{Graph, Node};
use crate::heap::{ClassKey, class_key, largest, list, section};
use crate::heap_page::{self, Branch, MOST_OBJECTS};
use crate::report::Amount;
use crate::{dump, path};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt::Write as _;

/// A node of the tree that is shown.
struct Shown {
    dominator: u32,
    node: Node,
    retained: u64,
}

/// The text; a page of the tree goes to `html`.
pub(crate) fn explain(file: &str, top: usize, html: Option<&str>) -> Result<String, Failure> {
    if file == "-" {
        return Err(Failure::new("heap --retained reads its dump twice: give a file"));
    }
    let graph = Graph::read(file)?;
    path::require_roots(file, &graph)?;
    let dominators = Dominators::new(&graph);
    let shown = most(&dominators, top);
    let sums = by_class(file, &graph, &dominators)?;
    let described = path::descriptions(file, shown.values().map(|shown| graph.address(shown.node)))?;
    let gone = graph.len() - dominators.len();
    let mut text = format!("{file}: {} objects, {} bytes are kept", dominators.len(), dominators.total());
    let _ = writeln!(text, "; {gone} go with the next collection");
    list(&mut text, "retained by class", &largest(&sums, top));
    section(&mut text, "retained by object, each below what it would go with");
    show_tree(&mut text, &graph, &shown, &described);
    if let Some(path) = html {
        let page = page(file, &graph, &dominators, &sums)?;
        crate::trial::write_file(path, page.as_bytes())?;
    }
    Ok(text)
}

/// Classes of a page.
const MOST_CLASSES: usize = 50;

fn page(
    file: &str,
    graph: &Graph,
    dominators: &Dominators,
    sums: &FxHashMap<String, Amount>,
) -> Result<String, Failure> {
    let shown = most(dominators, MOST_OBJECTS);
    let described = path::descriptions(file, shown.values().map(|shown| graph.address(shown.node)))?;
    let mut order: Vec<u32> = shown.keys().copied().collect();
    order.sort_by_key(|vertex| (Reverse(shown[vertex].retained), *vertex));
    let number: FxHashMap<u32, usize> = order.iter().enumerate().map(|(at, vertex)| (*vertex, at)).collect();
    let branch = |vertex: &u32| {
        let Shown { node, retained, .. } = shown[vertex];
        let step = described.step(graph.address(node));
        let place = step.place.map(|(file, line)| format!(" {file}:{line}")).unwrap_or_default();
        let what = if step.what.ends_with(&place) { step.what } else { step.what + &place };
        Branch { what: format!("{:#x} {what}", step.address), retained, own: graph.size(node), inside: Vec::new() }
    };
    let mut all: Vec<Branch> = order.iter().map(branch).collect();
    let mut roots = Vec::new();
    for (at, vertex) in order.iter().enumerate() {
        match number.get(&shown[vertex].dominator) {
            Some(above) => all[*above].inside.push(at),
            None => roots.push(at),
        }
    }
    let mut classes: Vec<(u64, u64, String)> =
        sums.iter().map(|(name, sum)| (sum.bytes, sum.objects, name.clone())).collect();
    classes.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.2.cmp(&b.2)));
    classes.truncate(MOST_CLASSES);
    let kept = Amount { objects: dominators.len() as u64, bytes: dominators.total() };
    Ok(heap_page::page(file, kept, &classes, &roots, &all))
}

/// The vertices that retain most: with one of these its dominators are there, too, for they retain more.
fn most(dominators: &Dominators, top: usize) -> FxHashMap<u32, Shown> {
    // Of two that retain the same, the dominator has the smaller number, and stays.
    let mut heap: BinaryHeap<Reverse<(u64, Reverse<u32>)>> = BinaryHeap::new();
    for (vertex, _, _, retained) in dominators.each() {
        heap.push(Reverse((retained, Reverse(vertex))));
        if heap.len() > top {
            heap.pop();
        }
    }
    let wanted: Vec<u32> = heap.into_iter().map(|Reverse((_, Reverse(vertex)))| vertex).collect();
    let is_wanted: rustc_hash::FxHashSet<u32> = wanted.into_iter().collect();
    let all = dominators.each().filter(|(vertex, ..)| is_wanted.contains(vertex));
    all.map(|(vertex, dominator, node, retained)| (vertex, Shown { dominator, node, retained })).collect()
}

fn show_tree(text: &mut String, graph: &Graph, shown: &FxHashMap<u32, Shown>, described: &path::Described) {
    let mut children: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    shown.iter().for_each(|(vertex, one)| children.entry(one.dominator).or_default().push(*vertex));
    // Those that retain most come first, and so last in what is to be shown.
    children.values_mut().for_each(|list| list.sort_by_key(|vertex| (shown[vertex].retained, Reverse(*vertex))));
    let mut waiting: Vec<(u32, usize)> = children.get(&0).into_iter().flatten().map(|vertex| (*vertex, 0)).collect();
    while let Some((vertex, depth)) = waiting.pop() {
        let Shown { node, retained, .. } = shown[&vertex];
        let (address, own) = (graph.address(node), graph.size(node));
        let what = described.step(address).what;
        let indent = 2 * depth;
        let _ = writeln!(text, "{retained:>12}  {own:>9}  {:indent$}{address:#x} {what}", "");
        waiting.extend(children.get(&vertex).into_iter().flatten().map(|child| (*child, depth + 1)));
    }
}

/// What would go with the objects of each class. An object that would go with another one of its class is not counted again.
fn by_class(file: &str, graph: &Graph, dominators: &Dominators) -> Result<FxHashMap<String, Amount>, Failure> {
    let (classes, names) = classes(file, graph)?;
    let mut sums: Vec<Amount> = vec![Amount::default(); names.len()];
    // How many objects of each class are above the one that is looked at.
    let mut above: Vec<u32> = vec![0; names.len()];
    dominators.walk(&mut |node, retained, is_entered| {
        let class = classes[node as usize] as usize;
        if !is_entered {
            above[class] -= 1;
            return;
        }
        sums[class].add(Amount { objects: 1, bytes: if above[class] == 0 { retained } else { 0 } });
        above[class] += 1;
    });
    let mut by_name: FxHashMap<String, Amount> = FxHashMap::default();
    for (name, sum) in names.into_iter().zip(sums).filter(|(_, sum)| sum.objects > 0) {
        by_name.entry(name).or_default().add(sum);
    }
    Ok(by_name)
}

/// The class of each object, and the classes' names.
fn classes(file: &str, graph: &Graph) -> Result<(Vec<u32>, Vec<String>), Failure> {
    let mut classes = vec![0; graph.len()];
    let mut keys: FxHashMap<ClassKey, u32> = FxHashMap::default();
    let mut names: FxHashMap<u64, String> = FxHashMap::default();
    dump::read(file, &mut |record| {
        let Some(address) = record.address().filter(|_| record.is_object()) else { return };
        let Some(node) = graph.find(address) else { return };
        if let Some(name) = record.name.as_ref().or(record.real_class_name.as_ref()) {
            names.insert(address, name.to_string());
        }
        let next = keys.len() as u32;
        classes[node as usize] = *keys.entry(class_key(record)).or_insert(next);
    })?;
    let mut list = vec![String::new(); keys.len()];
    for (key, number) in keys {
        list[number as usize] = key.name(&names);
    }
    Ok((classes, list))
}
