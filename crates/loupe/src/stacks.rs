//! From the recorder's tree of calling contexts to the report's call stacks: frames by name, file and line, and a tree of them.
//!
//! # How
//! A context is an instruction; several of one line are one frame to a reader. A method of the core library that the program called
//! is a frame of its own below the line that calls it. What a node holds is its own, without what is below it.

use crate::findings::amount;
use crate::gem;
use crate::report::{Amount, Frame, Living, Node, Point, Stacks, Timeline};
use carat_vm::recorder::{self, Count, Ledger, Site};
use rustc_hash::FxHashMap;

/// Nodes of a report, those with most bytes; the others are sums at their callers.
pub(crate) const MOST_NODES: usize = 200_000;
/// The name of such a sum.
pub(crate) const SMALLER: &str = "(smaller)";
/// Points of a time line, and counts of what lived.
const MOST_POINTS: usize = 512;
const MOST_LIVING: usize = 64;

pub(crate) fn stacks(ledger: &Ledger, sites: &[Site]) -> Option<Stacks> {
    let within = ledger.timeline.as_ref()?.longest_interval;
    let mut tree = Tree::default();
    // By number of the context: the node of its line, or of what the line calls.
    let mut places: Vec<Option<u32>> = Vec::with_capacity(ledger.contexts.len());
    for (index, context) in ledger.contexts.iter().enumerate() {
        if index == 0 {
            places.push(None);
            continue;
        }
        let (site, parent) = (&sites[context.site.0 as usize], places[context.parent.0 as usize]);
        let mut node = tree.node(parent, FrameKey { name: &site.label, file: &site.path, line: site.line });
        if let Some(callee) = &site.callee {
            node = tree.node(Some(node), FrameKey { name: callee, file: "", line: 0 });
        }
        let sums = [context.allocated, context.retained, context.peak, context.temporary];
        tree.add(node, sums.map(amount));
        places.push(Some(node));
    }
    let mut stacks = Stacks { temporary_within: within, frames: tree.frames, nodes: tree.nodes };
    stacks.prune(MOST_NODES);
    Some(stacks)
}

#[derive(PartialEq, Eq, Hash, Clone, Copy)]
struct FrameKey<'a> {
    name: &'a str,
    file: &'a str,
    line: i32,
}

#[derive(Default)]
struct Tree<'a> {
    frames: Vec<Frame>,
    nodes: Vec<Node>,
    known_frames: FxHashMap<FrameKey<'a>, u32>,
    known_nodes: FxHashMap<(Option<u32>, u32), u32>,
}

impl<'a> Tree<'a> {
    fn frame(&mut self, key: FrameKey<'a>) -> u32 {
        *self.known_frames.entry(key).or_insert_with(|| {
            let FrameKey { name, file, line } = key;
            let gem = if file.is_empty() { "core".into() } else { gem::of_path(file).into() };
            self.frames.push(Frame { name: name.into(), file: file.into(), line, gem });
            self.frames.len() as u32 - 1
        })
    }

    fn node(&mut self, parent: Option<u32>, key: FrameKey<'a>) -> u32 {
        let frame = self.frame(key);
        *self.known_nodes.entry((parent, frame)).or_insert_with(|| {
            self.nodes.push(Node::new(parent, frame));
            self.nodes.len() as u32 - 1
        })
    }

    fn add(&mut self, node: u32, sums: [Amount; 4]) {
        self.nodes[node as usize].add(&sums);
    }
}

impl Stacks {
    /// What is at each node and below it.
    pub(crate) fn totals(&self) -> Vec<[Amount; 4]> {
        let mut totals: Vec<[Amount; 4]> = self.nodes.iter().map(|node| node.sums()).collect();
        // Parents come before their children.
        for (index, node) in self.nodes.iter().enumerate().rev() {
            if let Some(parent) = node.parent {
                let own = totals[index];
                totals[parent as usize].iter_mut().zip(own).for_each(|(sum, part)| sum.add(part));
            }
        }
        totals
    }

    /// Leaves at most about `most` nodes: those with most bytes at and below them, in any of the sums. What was at the others is
    /// at a node of its own below the nearest caller that is left.
    pub(crate) fn prune(&mut self, most: usize) {
        if self.nodes.len() <= most {
            return;
        }
        let totals = self.totals();
        let weight = |sums: &[Amount; 4]| sums.iter().map(|sum| sum.bytes).max().unwrap_or(0);
        let mut weights: Vec<u64> = totals.iter().map(weight).collect();
        weights.sort_unstable_by(|a, b| b.cmp(a));
        // A caller weighs no less than what it calls, so what is kept is a tree.
        let least = weights[most - 1].saturating_add(1);
        let smaller = self.frames.len() as u32;
        self.frames.push(Frame { name: SMALLER.into(), file: String::new(), line: 0, gem: "core".into() });
        let (mut kept, mut new): (Vec<Node>, Vec<Option<u32>>) = (Vec::new(), Vec::with_capacity(self.nodes.len()));
        let mut sums_at: FxHashMap<Option<u32>, u32> = FxHashMap::default();
        for (node, total) in self.nodes.iter().zip(&totals) {
            let parent = node.parent.and_then(|parent| new[parent as usize]);
            if weight(total) >= least {
                new.push(Some(kept.len() as u32));
                kept.push(Node { parent, ..node.clone() });
                continue;
            }
            new.push(parent);
            let at = *sums_at.entry(parent).or_insert_with(|| {
                kept.push(Node::new(parent, smaller));
                kept.len() as u32 - 1
            });
            kept[at as usize].add(&node.sums());
        }
        self.nodes = kept;
    }

    /// Leaves the frames that a node has.
    pub(crate) fn drop_unused_frames(&mut self) {
        let mut new: Vec<Option<u32>> = vec![None; self.frames.len()];
        let mut kept = Vec::new();
        for node in &mut self.nodes {
            let at = node.frame as usize;
            node.frame = *new[at].get_or_insert_with(|| {
                kept.push(self.frames[at].clone());
                kept.len() as u32 - 1
            });
        }
        self.frames = kept;
    }
}

pub(crate) fn timeline(ledger: &Ledger, sites: &[Site]) -> Option<Timeline> {
    let recorded = ledger.timeline.as_ref()?;
    let points = thinned(&recorded.points, MOST_POINTS).map(|point| Point {
        seconds: point.time.as_secs_f64(),
        full: point.is_full,
        allocated_objects: point.allocated_objects,
        heap_bytes: point.heap_bytes,
        resident_bytes: point.resident_bytes,
    });
    let living = |living: &recorder::Living| Living {
        seconds: living.time.as_secs_f64(),
        live: amount(living.live),
        classes: living.by_class.iter().map(|(class, count)| (class.to_string(), amount(*count))).collect(),
        sites: by_place(&living.by_site, sites),
    };
    Some(Timeline {
        points: points.collect(),
        living: thinned(&recorded.living, MOST_LIVING).map(living).collect(),
        peak: recorded.peak.as_ref().map(living),
    })
}

/// Several sites of a line are one place.
fn by_place(counts: &[(recorder::SiteId, Count)], sites: &[Site]) -> Vec<(String, Amount)> {
    let mut places: Vec<(String, Amount)> = Vec::new();
    for (id, count) in counts {
        let site = &sites[id.0 as usize];
        let name = format!("{}:{}", site.path, site.line);
        match places.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => sum.add(amount(*count)),
            None => places.push((name, amount(*count))),
        }
    }
    places
}

/// At most `most`, in equal steps, the last one among them.
fn thinned<T>(list: &[T], most: usize) -> impl Iterator<Item = &T> {
    let step = list.len().div_ceil(most).max(1);
    let offset = list.len().saturating_sub(1) % step;
    list.iter().skip(offset).step_by(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(parent: Option<u32>, frame: u32, bytes: u64) -> Node {
        let mut node = Node::new(parent, frame);
        node.allocated = Amount { objects: 1, bytes };
        node
    }

    #[test]
    fn pruning_keeps_the_sums() {
        let frame = |name: &str| Frame { name: name.into(), file: "a.rb".into(), line: 1, gem: "other".into() };
        let frames = ["main", "large", "small", "tiny"].map(frame).to_vec();
        let nodes = vec![
            node(None, 0, 10),
            node(Some(0), 1, 1000),
            node(Some(0), 2, 5),
            node(Some(2), 3, 4),
            node(Some(0), 3, 3),
        ];
        let mut stacks = Stacks { temporary_within: 0, frames, nodes };
        let before = stacks.totals()[0];
        stacks.prune(3);
        assert_eq!(stacks.totals()[0], before);
        let names: Vec<&str> = stacks.nodes.iter().map(|node| &*stacks.frames[node.frame as usize].name).collect();
        assert_eq!(names, ["main", "large", SMALLER]);
        assert_eq!(stacks.nodes[2].allocated, Amount { objects: 3, bytes: 12 });
    }

    #[test]
    fn what_is_thinned_ends_where_the_list_does() {
        let list: Vec<u32> = (0..1000).collect();
        let left: Vec<u32> = thinned(&list, 64).copied().collect();
        assert!(left.len() <= 64 && left.last() == Some(&999), "{left:?}");
        assert_eq!(thinned(&list[..5], 64).count(), 5);
    }
}
