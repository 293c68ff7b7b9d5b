//! Machine registers by linear scan.
//!
//! A value has one place for all its life: from where it is defined to its last use, in the order of the blocks, wherever it is alive
//! at the end of a block to that block's end. Where registers run out, what is used least goes to memory: values that came from the frame
//! and still lie there stay there.

use crate::Refusal;
use crate::graph::{BlockId, Graph, Inst, Node};
use std::collections::{HashMap, HashSet};

/// Where a value is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Location {
    /// A general register, by its number in [`crate::emit::WORDS`].
    Register(u8),
    Xmm(u8),
    /// A place of the frame.
    Frame(i32),
    /// A word below the stack pointer.
    Spilled(u8),
}

pub(crate) struct Allocation {
    pub(crate) locations: HashMap<Node, Location>,
    pub(crate) registers_used: u8,
}

/// General registers, doubles, and words of memory.
pub(crate) const REGISTERS: u8 = 10;
const DOUBLES: u8 = 14;
const SPILLS: u8 = 10;

struct Interval {
    node: Node,
    from: u32,
    to: u32,
    weight: u64,
    /// The part of the weight that is its definition's.
    defined: u64,
}

pub(crate) fn allocate(graph: &Graph) -> Result<Allocation, Refusal> {
    let mut intervals = intervals(graph);
    intervals.sort_by_key(|interval| (interval.from, interval.node));
    let mut locations = HashMap::new();
    let (words, doubles): (Vec<_>, Vec<_>) = intervals.into_iter().partition(|i| !graph.is_double(i.node));
    scan(graph, doubles, DOUBLES, &mut locations, true)?;
    scan(graph, words, REGISTERS, &mut locations, false)?;
    let used = locations.values().filter_map(|l| if let Location::Register(n) = l { Some(n + 1) } else { None }).max();
    Ok(Allocation { locations, registers_used: used.unwrap_or(0) })
}

fn scan(
    graph: &Graph,
    intervals: Vec<Interval>,
    count: u8,
    locations: &mut HashMap<Node, Location>,
    is_double: bool,
) -> Result<(), Refusal> {
    let mut active: Vec<(Interval, u8)> = Vec::new();
    let mut spills: Vec<u32> = Vec::new();
    let kept = places_kept(graph);
    for interval in intervals {
        // What is read once costs least where it is.
        if let Inst::Home(place) = graph.value(interval.node).inst
            && interval.weight <= 2 * interval.defined
            && !kept.contains(&place)
        {
            locations.insert(interval.node, Location::Frame(place));
            continue;
        }
        active.retain(|(other, _)| other.to > interval.from);
        let taken: Vec<u8> = active.iter().map(|(_, register)| *register).collect();
        let Some(register) = (0..count).find(|register| !taken.contains(register)) else {
            if is_double {
                return Err(Refusal::TooLarge);
            }
            let least = active.iter().enumerate().min_by_key(|(_, (other, _))| other.weight).map(|(at, _)| at);
            let at = least.expect("registers are taken");
            let (loser, winner) = if active[at].0.weight < interval.weight {
                let register = active[at].1;
                let loser = std::mem::replace(&mut active[at].0, interval);
                let winner = active[at].0.node;
                (loser, Some((winner, register)))
            } else {
                (interval, None)
            };
            if let Some((node, register)) = winner {
                locations.insert(node, Location::Register(register));
            }
            locations.insert(loser.node, spilled(graph, &loser, &kept, &mut spills)?);
            continue;
        };
        let location = if is_double { Location::Xmm(register + 2) } else { Location::Register(register) };
        locations.insert(interval.node, location);
        active.push((interval, register));
    }
    Ok(())
}

/// Places of the frame that the code itself writes: they do not keep what they have.
fn places_kept(graph: &Graph) -> HashSet<i32> {
    let kept = |value: &crate::graph::Value| if let Inst::Keep(place, _) = value.inst { Some(place) } else { None };
    graph.values.iter().filter_map(kept).collect()
}

/// Memory for an interval that has no register. Words of it are not used again.
fn spilled(
    graph: &Graph,
    interval: &Interval,
    kept: &HashSet<i32>,
    spills: &mut Vec<u32>,
) -> Result<Location, Refusal> {
    if let Inst::Home(place) = graph.value(interval.node).inst
        && !kept.contains(&place)
    {
        return Ok(Location::Frame(place));
    }
    if spills.len() == usize::from(SPILLS) {
        return Err(Refusal::TooLarge);
    }
    spills.push(interval.to);
    Ok(Location::Spilled(spills.len() as u8 - 1))
}

/// Constants have no place: they are written where they are needed.
pub(crate) fn is_constant(graph: &Graph, node: Node) -> bool {
    matches!(graph.value(node).inst, Inst::Word(_) | Inst::Number(_))
}

fn intervals(graph: &Graph) -> Vec<Interval> {
    let order = graph.reachable();
    let outs = live_out(graph, &order);
    let mut found: HashMap<Node, Interval> = HashMap::new();
    let mut position = 0;
    let mut touch = |node: Node, at: u32, weight: u64| {
        if is_constant(graph, node) {
            return;
        }
        let interval = found.entry(node).or_insert(Interval { node, from: at, to: at, weight: 0, defined: 0 });
        interval.from = interval.from.min(at);
        interval.to = interval.to.max(at);
        interval.weight += weight;
    };
    for id in order {
        let block = graph.block(id);
        let weight = 8_u64.pow(block.depth.min(8));
        let start = position;
        block.params.iter().for_each(|param| touch(*param, start, weight));
        for node in &block.body {
            position += 2;
            touch(*node, position, weight);
            let mut inst = graph.value(*node).inst;
            inst.operands(&mut |operand| touch(*operand, position, weight));
            graph.uses(*node).into_iter().for_each(|used| touch(used, position, 0));
        }
        position += 2;
        block.end.uses(graph).into_iter().for_each(|used| touch(used, position, weight));
        for node in &outs[&id] {
            touch(*node, position + 1, 0);
            if !block.params.contains(node) && !block.body.contains(node) {
                touch(*node, start, 0);
            }
        }
        position += 2;
    }
    for id in graph.reachable() {
        let block = graph.block(id);
        let weight = 8_u64.pow(block.depth.min(8));
        for node in block.params.iter().chain(&block.body) {
            found.entry(*node).and_modify(|interval| interval.defined = weight);
        }
    }
    // What is alive at the beginning of a block and dies in it was touched there: its last use is behind its definition.
    found.into_values().collect()
}

/// Values alive at the end of each block.
fn live_out(graph: &Graph, order: &[BlockId]) -> HashMap<BlockId, HashSet<Node>> {
    let mut ins: HashMap<BlockId, HashSet<Node>> = HashMap::new();
    let mut outs: HashMap<BlockId, HashSet<Node>> = HashMap::new();
    loop {
        let mut has_changed = false;
        for id in order.iter().rev() {
            let block = graph.block(*id);
            let mut live: HashSet<Node> = HashSet::new();
            for next in block.end.successors() {
                live.extend(ins.get(&next).into_iter().flatten());
            }
            outs.insert(*id, live.clone());
            live.extend(block.end.uses(graph));
            for node in block.body.iter().rev() {
                live.remove(node);
                live.extend(graph.uses(*node));
            }
            live.retain(|node| !block.params.contains(node));
            live.retain(|node| !is_constant(graph, *node));
            has_changed |= ins.get(id) != Some(&live);
            ins.insert(*id, live);
        }
        if !has_changed {
            return outs;
        }
    }
}
