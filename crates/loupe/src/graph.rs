//! Who refers to whom in a heap dump, in few bytes an object.
//!
//! # Layout
//! Objects have numbers in the order of their addresses. `starts[n]..starts[n + 1]` are the places of the references of object `n`
//! in `edges`. References to what is not in the dump are left out. An object refers to its class, too.

use crate::dump::{self, Record};
use crate::failure::Failure;
use rustc_hash::FxHashMap;

/// Number of an object.
pub(crate) type Node = u32;

/// No object.
pub(crate) const NONE: Node = Node::MAX;

#[derive(Default)]
pub(crate) struct Graph {
    addresses: Vec<u64>,
    sizes: Vec<u64>,
    starts: Vec<u32>,
    edges: Vec<Node>,
    /// Objects that roots refer to, with the roots' categories.
    roots: Vec<(Node, u16)>,
    categories: Vec<String>,
}

/// What is read, in the order of the dump.
#[derive(Default)]
struct Reading {
    addresses: Vec<u64>,
    sizes: Vec<u64>,
    starts: Vec<u32>,
    references: Vec<u64>,
    roots: Vec<(u64, u16)>,
    categories: Vec<String>,
    is_too_large: bool,
}

impl Reading {
    fn add(&mut self, record: &Record<'_>) {
        let references = record.references.iter().filter_map(|r| dump::parse_address(r));
        if record.kind() == "ROOT" {
            let category = self.category(record.root.as_deref().unwrap_or("root"));
            return self.roots.extend(references.map(|address| (address, category)));
        }
        let Some(address) = record.address().filter(|_| record.is_object()) else { return };
        let Ok(start) = u32::try_from(self.references.len()) else {
            self.is_too_large = true;
            return;
        };
        self.addresses.push(address);
        self.sizes.push(record.memsize);
        self.starts.push(start);
        self.references.extend(record.class());
        self.references.extend(references);
    }

    fn category(&mut self, name: &str) -> u16 {
        let known = self.categories.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.categories.push(name.into());
            self.categories.len() - 1
        }) as u16
    }

    fn references(&self, at: usize) -> &[u64] {
        let end = self.starts.get(at + 1).map_or(self.references.len(), |end| *end as usize);
        &self.references[self.starts[at] as usize..end]
    }
}

/// Finds objects by their addresses: pages of addresses, and in each a short search.
struct Index<'a> {
    addresses: &'a [u64],
    pages: FxHashMap<u64, u32>,
}

const PAGE_BITS: u32 = 12;

impl<'a> Index<'a> {
    fn new(addresses: &'a [u64]) -> Index<'a> {
        let mut pages = FxHashMap::default();
        for (number, address) in addresses.iter().enumerate() {
            pages.entry(address >> PAGE_BITS).or_insert(number as u32);
        }
        Index { addresses, pages }
    }

    fn find(&self, address: u64) -> Option<Node> {
        let start = *self.pages.get(&(address >> PAGE_BITS))? as usize;
        let rest = &self.addresses[start..self.addresses.len().min(start + (1 << PAGE_BITS))];
        rest.binary_search(&address).ok().map(|at| (start + at) as Node)
    }
}

impl Graph {
    pub(crate) fn read(path: &str) -> Result<Graph, Failure> {
        let mut reading = Reading::default();
        dump::read(path, &mut |record| reading.add(record))?;
        if reading.is_too_large {
            return Err(Failure::new(format!("{path}: more than four thousand million references")));
        }
        let mut graph = Graph::of(reading);
        graph.edges.shrink_to_fit();
        Ok(graph)
    }

    fn of(reading: Reading) -> Graph {
        let mut order: Vec<u32> = (0..reading.addresses.len() as u32).collect();
        order.sort_by_key(|at| reading.addresses[*at as usize]);
        order.dedup_by_key(|at| reading.addresses[*at as usize]);
        let addresses: Vec<u64> = order.iter().map(|at| reading.addresses[*at as usize]).collect();
        let sizes = order.iter().map(|at| reading.sizes[*at as usize]).collect();
        let index = Index::new(&addresses);
        let (mut starts, mut edges) =
            (Vec::with_capacity(order.len() + 1), Vec::with_capacity(reading.references.len()));
        for at in &order {
            starts.push(edges.len() as u32);
            edges.extend(reading.references(*at as usize).iter().filter_map(|address| index.find(*address)));
        }
        starts.push(edges.len() as u32);
        let roots = reading.roots.iter().filter_map(|(address, category)| Some((index.find(*address)?, *category)));
        let roots = roots.collect();
        drop(index);
        Graph { addresses, sizes, starts, edges, roots, categories: reading.categories }
    }

    pub(crate) fn len(&self) -> usize {
        self.addresses.len()
    }

    pub(crate) fn address(&self, node: Node) -> u64 {
        self.addresses[node as usize]
    }

    pub(crate) fn find(&self, address: u64) -> Option<Node> {
        self.addresses.binary_search(&address).ok().map(|at| at as Node)
    }

    pub(crate) fn size(&self, node: Node) -> u64 {
        self.sizes[node as usize]
    }

    pub(crate) fn references(&self, node: Node) -> &[Node] {
        let at = node as usize;
        &self.edges[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    pub(crate) fn roots(&self) -> impl Iterator<Item = Node> {
        self.roots.iter().map(|(node, _)| *node)
    }

    pub(crate) fn has_roots(&self) -> bool {
        !self.roots.is_empty()
    }

    /// The shortest ways from roots to all objects. Constants and globals say more than what a method cache or a stack happens to
    /// hold: what has a way from those gets no other.
    pub(crate) fn ways(&self) -> Ways<'_> {
        let mut ways = Ways { graph: self, came_from: vec![NONE; self.len()], is_root: FxHashMap::default() };
        for rank in 0..=LAST_RANK {
            let is_next = |category: u16| rank_of(&self.categories[usize::from(category)]) == rank;
            let mut waiting = Vec::new();
            for (node, category) in self.roots.iter().filter(|(_, category)| is_next(*category)) {
                if ways.came_from[*node as usize] == NONE {
                    ways.came_from[*node as usize] = *node;
                    ways.is_root.insert(*node, *category);
                    waiting.push(*node);
                }
            }
            self.go_on(waiting, &mut ways.came_from);
        }
        ways
    }

    fn go_on(&self, mut waiting: Vec<Node>, came_from: &mut [Node]) {
        // Round by round, so that the shortest way comes first.
        while !waiting.is_empty() {
            let mut next = Vec::new();
            for node in waiting {
                for reference in self.references(node) {
                    let came_from = &mut came_from[*reference as usize];
                    if *came_from == NONE {
                        *came_from = node;
                        next.push(*reference);
                    }
                }
            }
            waiting = next;
        }
    }
}

const LAST_RANK: u8 = 2;

/// Roots of a lower rank come first.
fn rank_of(category: &str) -> u8 {
    match category {
        "machine_context" => LAST_RANK,
        "ractor" => 1,
        _ => 0,
    }
}

pub(crate) struct Ways<'a> {
    graph: &'a Graph,
    /// Who leads to an object: itself for one that a root refers to.
    came_from: Vec<Node>,
    is_root: FxHashMap<Node, u16>,
}

impl Ways<'_> {
    /// The root's category, and the objects from the root to this one. `None` if nothing leads there.
    pub(crate) fn to(&self, node: Node) -> Option<(&str, Vec<Node>)> {
        let mut path = vec![node];
        let mut first = node;
        loop {
            match self.came_from[first as usize] {
                NONE => return None,
                before if before == first => break,
                before => {
                    path.push(before);
                    first = before;
                }
            }
        }
        path.reverse();
        Some((&self.graph.categories[usize::from(*self.is_root.get(&first)?)], path))
    }
}

#[cfg(test)]
impl Graph {
    /// A graph of objects of one byte, by pairs; roots refer to `roots`.
    pub(crate) fn of_pairs(count: u32, pairs: &[(Node, Node)], roots: &[Node]) -> Graph {
        let address = |node: Node| u64::from(node) * 16;
        let mut reading = Reading { categories: vec!["vm".into()], ..Reading::default() };
        for node in 0..count {
            reading.addresses.push(address(node));
            reading.sizes.push(1);
            reading.starts.push(reading.references.len() as u32);
            reading.references.extend(pairs.iter().filter(|(from, _)| *from == node).map(|(_, to)| address(*to)));
        }
        reading.roots = roots.iter().map(|node| (address(*node), 0)).collect();
        Graph::of(reading)
    }

    /// Each object refers to the next one, and the roots to the first.
    pub(crate) fn of_list(count: u32) -> Graph {
        let addresses: Vec<u64> = (0..u64::from(count)).map(|node| node * 16).collect();
        let reading = Reading {
            references: addresses[1..].to_vec(),
            sizes: vec![1; count as usize],
            starts: (0..count).collect(),
            roots: vec![(0, 0)],
            categories: vec!["vm".into()],
            addresses,
            is_too_large: false,
        };
        Graph::of(reading)
    }
}
