//! Takes out of loops what is the same at each turn: guards, variables of environments around, and where arrays have their elements.
//!
//! # How
//! What is before a loop is run once more for each loop that is left: a guard there exits to the loop's head, with the state that the
//! interpreter finds when it comes there. So a guard may be asked that no turn would have come to; if it fails too often, the loop
//! is built without this ([`crate::world::World::is_head_unlike`]).
//!
//! # Invariants
//! * A loop that runs instructions in another way keeps everything: other code may change what it wants.
//! * Counters of names stay in loops, since other Ractors move them.
//! * What reads an object comes behind the guard that says what it is.

use crate::graph::{BlockId, End, ExitId, Graph, Inner, Inst, Node, Type};
use crate::tables::{Bits, Map};

/// A loop from whose head and entry guards may be taken out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loop {
    pub(crate) before: BlockId,
    pub(crate) head: BlockId,
    /// Leaves to the head, from the end of `before`.
    pub(crate) exit: ExitId,
    /// The shape of arrays, and what the headers of those of derived classes have, too: a mask and a key.
    pub(crate) array_shape: u32,
    pub(crate) array_type: (u64, u64),
}

pub(crate) fn hoist(graph: &mut Graph) {
    let mut replaced = Map::default();
    // Inner loops come behind those around them.
    for one in graph.loops.clone().into_iter().rev() {
        hoist_from(graph, one, &mut replaced);
    }
    if !replaced.is_empty() {
        replace(graph, &replaced);
    }
}

/// Doubles that are taken out of one loop: each has a machine register while it turns, and there are fourteen.
const MOST_DOUBLES: usize = 4;

/// What a loop may change.
#[derive(Default)]
struct Changes {
    runs: bool,
    shapes: bool,
    contents: bool,
    variables: Vec<(u16, u16)>,
}

fn hoist_from(graph: &mut Graph, one: Loop, replaced: &mut Map<Node, Node>) {
    let blocks = blocks_of(graph, one);
    let changes = changes_of(graph, &blocks);
    if changes.runs || blocks.is_empty() {
        return;
    }
    let mut inside = Bits::new(graph.values.len());
    for id in &blocks {
        let block = graph.block(*id);
        block.params.iter().chain(&block.body).for_each(|node| _ = inside.insert(node.0 as usize));
    }
    let checks_block =
        blocks.iter().flat_map(|id| &graph.block(*id).body).any(|node| graph.value(*node).inst == Inst::OwnBlock);
    let asked: Vec<Node> = blocks.iter().flat_map(|id| &graph.block(*id).body).copied().collect();
    let mut taken: Vec<Node> = Vec::new();
    for id in blocks {
        for node in graph.block(id).body.clone() {
            let inst = resolved(graph.value(node).inst, replaced);
            let is_known = |guard: Inst| taken.iter().any(|node| graph.value(*node).inst == guard);
            let is_free = match inst {
                // Those of a block are there if it is the block that is checked for.
                Inst::Outer { of, depth, register } => {
                    (of == Inner::Own || !checks_block) && !changes.variables.contains(&(depth, register))
                }
                Inst::HasShape(object, _) | Inst::HasHeader { object, .. } | Inst::HasRoom { object, .. } => {
                    // Nothing but a heap object has a header.
                    let is_heap = Inst::IsHeap(object);
                    let is_it = |node: &Node| resolved(graph.value(*node).inst, replaced) == is_heap;
                    !changes.shapes && (is_known(is_heap) || !asked.iter().any(is_it))
                }
                Inst::IsFixnum(_) | Inst::IsSpecial(_) | Inst::IsHeap(_) | Inst::IsNotHeap(_) | Inst::IsSymbol(_) => {
                    true
                }
                Inst::Unboxed(_) => {
                    let is_double = |node: &&Node| graph.is_double(**node);
                    taken.iter().filter(is_double).count() < MOST_DOUBLES
                }
                // Where an object has its block of fields, whatever it is.
                Inst::Leaf { is_pure: true, count: 1, .. } if graph.value(node).typ == Type::Raw => !changes.shapes,
                Inst::Length(array) | Inst::Elements(array) => {
                    let (mask, key) = one.array_type;
                    let is_array = || {
                        is_known(Inst::HasShape(array, one.array_shape))
                            || is_known(Inst::HasHeader { object: array, mask, key })
                    };
                    !changes.contents && !changes.shapes && is_array()
                }
                _ => false,
            };
            let mut is_same = true;
            let mut operands = inst;
            operands.operands(&mut |operand| is_same &= !inside.has(operand.0 as usize));
            if !is_free || !is_same {
                continue;
            }
            graph.block_mut(id).body.retain(|other| *other != node);
            inside.remove(node.0 as usize);
            graph.values[node.0 as usize].inst = inst;
            if graph.value(node).exit.is_some() {
                graph.values[node.0 as usize].exit = Some(one.exit);
            }
            match taken.iter().find(|taken| graph.value(**taken).inst == inst) {
                Some(other) => _ = replaced.insert(node, *other),
                None => {
                    taken.push(node);
                    graph.block_mut(one.before).body.push(node);
                }
            }
        }
    }
}

/// The blocks of a loop, in their order.
fn blocks_of(graph: &Graph, one: Loop) -> Vec<BlockId> {
    let reachable = graph.reachable();
    let mut before: Map<BlockId, Vec<BlockId>> = Map::default();
    for id in &reachable {
        graph.block(*id).end.successors().into_iter().for_each(|next| before.entry(next).or_default().push(*id));
    }
    let entries = before.get(&one.head).cloned().unwrap_or_default();
    // Other ways into it would not pass what is taken out.
    if !entries.contains(&one.before) || !matches!(graph.block(one.before).end, End::Jump(_)) {
        return Vec::new();
    }
    let mut found = vec![one.head];
    let mut work: Vec<BlockId> = entries.into_iter().filter(|id| *id != one.before).collect();
    while let Some(id) = work.pop() {
        if id == one.before {
            return Vec::new();
        }
        if !found.contains(&id) {
            found.push(id);
            work.extend(before.get(&id).into_iter().flatten());
        }
    }
    found.sort_unstable();
    found
}

fn changes_of(graph: &Graph, blocks: &[BlockId]) -> Changes {
    let mut changes = Changes::default();
    for id in blocks {
        let block = graph.block(*id);
        changes.runs |= matches!(block.end, End::Run(..));
        for node in &block.body {
            match graph.value(*node).inst {
                Inst::Store { next_shape, .. } => changes.shapes |= next_shape != 0,
                Inst::Leaf { has_effects, .. } => changes.contents |= has_effects,
                Inst::Push { .. } => changes.contents = true,
                Inst::SetOuter { depth, register, .. } => changes.variables.push((depth, register)),
                _ => {}
            }
        }
    }
    changes
}

fn resolved(mut inst: Inst, replaced: &Map<Node, Node>) -> Inst {
    inst.operands(&mut |operand| *operand = last_of(*operand, replaced));
    inst
}

fn last_of(mut node: Node, replaced: &Map<Node, Node>) -> Node {
    while let Some(other) = replaced.get(&node) {
        node = *other;
    }
    node
}

fn replace(graph: &mut Graph, replaced: &Map<Node, Node>) {
    let to = |node: &mut Node| *node = last_of(*node, replaced);
    for value in &mut graph.values {
        value.inst = resolved(value.inst, replaced);
    }
    for exit in &mut graph.exits {
        exit.stores.iter_mut().for_each(|(_, node)| to(node));
        exit.objects.iter_mut().flat_map(|object| &mut object.fields).for_each(|(_, node)| to(node));
    }
    for block in &mut graph.blocks {
        match &mut block.end {
            End::Branch(test, ..) | End::BranchUnless(test, ..) => test.operands(&mut |node| to(node)),
            End::Return(node) => to(node),
            _ => {}
        }
        for edge in block.end.edges_mut() {
            edge.args.iter_mut().for_each(to);
        }
    }
}
