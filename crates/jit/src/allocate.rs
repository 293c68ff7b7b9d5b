//! Machine registers by linear scan.
//!
//! A value has one place for all its life: from where it is defined to its last use, in the order of the blocks, wherever it is alive
//! at the end of a block to that block's end. Where registers run out, what is used least goes to memory: values that came from the frame
//! and still lie there stay there.

use crate::Refusal;
use crate::emit::KEPT;
use crate::graph::{BlockId, Graph, Inst, Node};
use crate::tables::{Bits, Map, Set};

/// Where a value is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Location {
    /// A general register, by its number in [`crate::emit::WORDS`].
    Register(u8),
    Xmm(u8),
    /// A place of the frame.
    Frame(i32),
    /// A word of memory.
    Spilled(u8),
}

pub(crate) struct Allocation {
    pub(crate) locations: Map<Node, Location>,
    /// Of each leaf, and each double that becomes a word, registers that are to have the same before and after.
    pub(crate) through: Map<Node, Vec<Location>>,
    pub(crate) registers_used: u8,
}

/// General registers, doubles, and words of memory.
pub(crate) const REGISTERS: u8 = 10;
const DOUBLES: u8 = 14;
/// The VM stack has room for some words above each frame: `vm`'s `stack`. Doubles that live while a leaf runs are kept there too,
/// behind the others.
const SPILLS: u8 = 80 - DOUBLES;
pub(crate) const DOUBLES_AT: i32 = SPILLS as i32;

struct Interval {
    node: Node,
    from: u32,
    to: u32,
    weight: u64,
    /// The part of the weight that is its definition's.
    defined: u64,
}

pub(crate) fn allocate(graph: &Graph) -> Result<Allocation, Refusal> {
    let Lives { mut intervals, leaves, boxes } = intervals(graph);
    intervals.sort_by_key(|interval| (interval.from, interval.node));
    let mut locations = Map::default();
    let lives = intervals.iter().map(|interval| (interval.node, interval.from, interval.to)).collect::<Vec<_>>();
    let (words, doubles): (Vec<_>, Vec<_>) = intervals.into_iter().partition(|i| !graph.is_double(i.node));
    scan(graph, doubles, DOUBLES, &leaves, &mut locations, true)?;
    scan(graph, words, REGISTERS, &leaves, &mut locations, false)?;
    let used = locations.values().filter_map(|l| if let Location::Register(n) = l { Some(n + 1) } else { None }).max();
    let mut through: Map<Node, Vec<Location>> = Map::default();
    for (leaf, at) in leaves.into_iter().chain(boxes) {
        // What its exit stores is needed behind it.
        let lives_on = lives.iter().filter(|(_, from, to)| *from < at && at <= *to);
        let places = lives_on.filter_map(|(node, ..)| locations.get(node).copied());
        through.insert(leaf, places.collect());
    }
    Ok(Allocation { locations, through, registers_used: used.unwrap_or(0) })
}

fn scan(
    graph: &Graph,
    intervals: Vec<Interval>,
    count: u8,
    leaves: &[(Node, u32)],
    locations: &mut Map<Node, Location>,
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
        // What leaves leave alone, for values that live while one runs.
        let lives_through = leaves.iter().any(|(_, at)| interval.from < *at && *at <= interval.to);
        let first = if lives_through && !is_double { KEPT } else { 0 };
        let free = |register: &u8| !taken.contains(register);
        let Some(register) = (first..count).chain(0..first).find(free) else {
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
fn places_kept(graph: &Graph) -> Set<i32> {
    let kept = |value: &crate::graph::Value| if let Inst::Keep(place, _) = value.inst { Some(place) } else { None };
    graph.values.iter().filter_map(kept).collect()
}

/// Memory for an interval that has no register. Words of it are not used again.
fn spilled(graph: &Graph, interval: &Interval, kept: &Set<i32>, spills: &mut Vec<u32>) -> Result<Location, Refusal> {
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

/// Where values live, where leaves are, and where doubles become words.
struct Lives {
    intervals: Vec<Interval>,
    leaves: Vec<(Node, u32)>,
    boxes: Vec<(Node, u32)>,
}

fn intervals(graph: &Graph) -> Lives {
    let order = graph.reachable();
    let outs = live_out(graph, &order);
    let mut found: Vec<Option<Interval>> = Vec::new();
    found.resize_with(graph.values.len(), || None);
    let mut position = 0;
    let (mut leaves, mut boxes) = (Vec::new(), Vec::new());
    let mut touch = |node: Node, at: u32, weight: u64| {
        if is_constant(graph, node) {
            return;
        }
        let new = || Interval { node, from: at, to: at, weight: 0, defined: 0 };
        let interval = found[node.0 as usize].get_or_insert_with(new);
        interval.from = interval.from.min(at);
        interval.to = interval.to.max(at);
        interval.weight += weight;
    };
    for (id, out) in order.iter().zip(&outs) {
        let block = graph.block(*id);
        let weight = weight_of(block.depth);
        let start = position;
        block.params.iter().for_each(|param| touch(*param, start, weight));
        for node in &block.body {
            position += 2;
            touch(*node, position, weight);
            let mut inst = graph.value(*node).inst;
            if inst.may_call_leaf() {
                leaves.push((*node, position));
            }
            if let Inst::Boxed(_) = inst {
                boxes.push((*node, position));
            }
            inst.operands(&mut |operand| touch(*operand, position, weight));
            graph.visit_uses(*node, &mut |used| touch(used, position, 0));
        }
        position += 2;
        block.end.uses(graph).into_iter().for_each(|used| touch(used, position, weight));
        let mut through = out.clone();
        block.params.iter().chain(&block.body).for_each(|node| through.remove(node.0 as usize));
        for node in out.iter() {
            touch(Node(node as u32), position + 1, 0);
        }
        for node in through.iter() {
            touch(Node(node as u32), start, 0);
        }
        position += 2;
    }
    for id in order {
        let block = graph.block(id);
        for node in block.params.iter().chain(&block.body) {
            if let Some(interval) = &mut found[node.0 as usize] {
                interval.defined = weight_of(block.depth);
            }
        }
    }
    // What is alive at the beginning of a block and dies in it was touched there: its last use is behind its definition.
    Lives { intervals: found.into_iter().flatten().collect(), leaves, boxes }
}

fn weight_of(depth: u32) -> u64 {
    8_u64.pow(depth.min(8))
}

/// Values alive at the end of each block, in the order given.
fn live_out(graph: &Graph, order: &[BlockId]) -> Vec<Bits> {
    let empty = Bits::new(graph.values.len());
    let mut numbers_of = vec![0; graph.blocks.len()];
    order.iter().enumerate().for_each(|(number, id)| numbers_of[id.0 as usize] = number);
    // What each block reads from before, and what it defines.
    let mut reads = vec![empty.clone(); order.len()];
    let mut defines = vec![empty.clone(); order.len()];
    for (number, id) in order.iter().enumerate() {
        let block = graph.block(*id);
        let defined = block.params.iter().chain(&block.body);
        defined.for_each(|node| _ = defines[number].insert(node.0 as usize));
        let mut read = |node: Node| {
            if !defines[number].has(node.0 as usize) && !is_constant(graph, node) {
                reads[number].insert(node.0 as usize);
            }
        };
        block.body.iter().for_each(|node| graph.visit_uses(*node, &mut read));
        block.end.uses(graph).into_iter().for_each(read);
    }
    let mut ins = reads.clone();
    let mut outs = vec![empty; order.len()];
    loop {
        let mut has_changed = false;
        for (number, id) in order.iter().enumerate().rev() {
            let out = &mut outs[number];
            for next in graph.block(*id).end.successors() {
                out.add(ins[numbers_of[next.0 as usize]].words());
            }
            let mut live = out.clone();
            live.take_away(&defines[number]);
            live.add(reads[number].words());
            if ins[number] != live {
                ins[number] = live;
                has_changed = true;
            }
        }
        if !has_changed {
            return outs;
        }
    }
}
