//! Takes away values that nobody uses, and parameters.

use crate::graph::{Graph, Node};
use crate::tables::{Bits, Map};

pub(crate) fn clean(graph: &mut Graph) {
    let reachable = graph.reachable();
    let mut used = Bits::new(graph.values.len());
    let mut work: Vec<Node> = Vec::new();
    // What parameters become is used if they are.
    let mut becomes: Map<Node, Vec<Node>> = Map::default();
    for id in &reachable {
        let block = graph.block(*id);
        for edge in block.end.edges() {
            for (param, arg) in graph.block(edge.to).params.iter().zip(&edge.args) {
                becomes.entry(*param).or_default().push(*arg);
            }
        }
        block.end.visit_own_uses(graph, &mut |node| work.push(node));
        work.extend(block.body.iter().filter(|node| !graph.value(**node).inst.is_pure()));
    }
    while let Some(node) = work.pop() {
        if used.insert(node.0 as usize) {
            graph.visit_uses(node, &mut |used| work.push(used));
            work.extend(becomes.get(&node).into_iter().flatten());
        }
    }
    let is_used = |node: &Node| used.has(node.0 as usize);
    for id in &reachable {
        let mut end = graph.block(*id).end.clone();
        for edge in end.edges_mut() {
            let mut params = graph.block(edge.to).params.iter();
            edge.args.retain(|_| params.next().is_some_and(is_used));
        }
        graph.block_mut(*id).end = end;
        graph.block_mut(*id).body.retain(is_used);
    }
    for id in reachable {
        graph.block_mut(id).params.retain(is_used);
    }
}
