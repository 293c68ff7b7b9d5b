//! Checks a graph: each value is defined before its uses on every way, and ways bring what parameters want.

use crate::graph::{BlockId, Graph, Inst, Node};
use std::collections::{HashMap, HashSet};

pub(crate) fn verify(graph: &Graph) -> Result<(), String> {
    let mut defined: HashMap<BlockId, HashSet<Node>> = HashMap::from([(BlockId(0), HashSet::new())]);
    let mut work = vec![BlockId(0)];
    while let Some(id) = work.pop() {
        let block = graph.block(id);
        let mut known = defined[&id].clone();
        known.extend(&block.params);
        known.extend(&block.body);
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
