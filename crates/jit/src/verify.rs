//! Checks a graph: each value is defined before its uses on every way, none is used behind an instruction that is run in another
//! way, and ways bring what parameters want. And its places: what is
//! used is still where it was put.

use crate::allocate::{Allocation, Location, is_constant};
use crate::graph::{BlockId, Edge, End, Graph, Inst, Node};
use std::collections::{HashMap, HashSet};

pub(crate) fn verify(graph: &Graph) -> Result<(), String> {
    let mut defined: HashMap<BlockId, HashSet<Node>> = HashMap::from([(BlockId(0), HashSet::new())]);
    let mut work = vec![BlockId(0)];
    while let Some(id) = work.pop() {
        let block = graph.block(id);
        let mut known = defined[&id].clone();
        known.extend(&block.params);
        known.extend(&block.body);
        if matches!(block.end, End::Run(..)) {
            known.clear();
        }
        for next in block.end.successors() {
            match defined.get_mut(&next) {
                Some(before) => {
                    let count = before.len();
                    before.retain(|node| known.contains(node));
                    if before.len() != count {
                        work.push(next);
                    }
                }
                None => {
                    defined.insert(next, known.clone());
                    work.push(next);
                }
            }
        }
    }
    for (id, known) in defined {
        check_block(graph, id, known)?;
    }
    Ok(())
}

fn check_block(graph: &Graph, id: BlockId, mut known: HashSet<Node>) -> Result<(), String> {
    let block = graph.block(id);
    known.extend(&block.params);
    let is_constant = |node: &Node| matches!(graph.value(*node).inst, Inst::Word(_) | Inst::Number(_));
    let check = |known: &HashSet<Node>, uses: Vec<Node>, what: String| match uses
        .iter()
        .find(|node| !known.contains(*node) && !is_constant(node))
    {
        Some(node) => Err(format!("v{} is not defined in {what} of b{}", node.0, id.0)),
        None => Ok(()),
    };
    for node in &block.body {
        check(&known, graph.uses(*node), format!("v{}", node.0))?;
        if !known.insert(*node) {
            return Err(format!("v{} is defined twice", node.0));
        }
    }
    check(&known, block.end.uses(graph), "the end".into())?;
    for edge in block.end.edges() {
        let params = &graph.block(edge.to).params;
        if params.len() != edge.args.len() {
            return Err(format!("b{} to b{}: {} for {}", id.0, edge.to.0, edge.args.len(), params.len()));
        }
        let is_alike = |(param, arg): (&Node, &Node)| graph.is_double(*param) == graph.is_double(*arg);
        if !params.iter().zip(&edge.args).all(is_alike) {
            return Err(format!("b{} to b{}: a word for a double", id.0, edge.to.0));
        }
    }
    Ok(())
}

/// What each place holds.
type Places = HashMap<Location, Node>;

/// Follows all ways through the code with what each place holds.
pub(crate) fn verify_allocation(graph: &Graph, allocation: &Allocation) -> Result<(), String> {
    let mut at_start: HashMap<BlockId, Places> = HashMap::from([(BlockId(0), Places::new())]);
    let mut work = vec![BlockId(0)];
    while let Some(id) = work.pop() {
        let mut places = at_start[&id].clone();
        let block = graph.block(id);
        block.body.iter().for_each(|node| put(allocation, *node, &mut places));
        for edge in block.end.edges() {
            let places = match block.end {
                End::Run(..) => Places::new(),
                _ => behind(graph, allocation, edge, places.clone()),
            };
            match at_start.get_mut(&edge.to) {
                Some(before) => {
                    let count = before.len();
                    before.retain(|place, node| places.get(place) == Some(node));
                    if before.len() != count {
                        work.push(edge.to);
                    }
                }
                None => {
                    at_start.insert(edge.to, places);
                    work.push(edge.to);
                }
            }
        }
    }
    for (id, places) in at_start {
        check_places(graph, allocation, id, places)?;
    }
    Ok(())
}

fn put(allocation: &Allocation, node: Node, places: &mut Places) {
    if let Some(place) = allocation.locations.get(&node) {
        places.insert(*place, node);
    }
}

/// What places hold when an edge was taken: its moves are done as if at once.
fn behind(graph: &Graph, allocation: &Allocation, edge: &Edge, mut places: Places) -> Places {
    graph.block(edge.to).params.iter().for_each(|param| put(allocation, *param, &mut places));
    places
}

fn check_places(graph: &Graph, allocation: &Allocation, id: BlockId, mut places: Places) -> Result<(), String> {
    let block = graph.block(id);
    let check = |places: &Places, uses: Vec<Node>, what: String| {
        let is_lost = |node: &&Node| {
            let place = allocation.locations.get(*node);
            !is_constant(graph, **node) && place.and_then(|place| places.get(place)) != Some(*node)
        };
        match uses.iter().find(is_lost) {
            Some(node) => {
                Err(format!("v{} is not in {:?} in {what} of b{}", node.0, allocation.locations.get(node), id.0))
            }
            None => Ok(()),
        }
    };
    for node in &block.body {
        check(&places, graph.uses(*node), format!("v{}", node.0))?;
        put(allocation, *node, &mut places);
    }
    check(&places, block.end.uses(graph), "the end".into())
}
