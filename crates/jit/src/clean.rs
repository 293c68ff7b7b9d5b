//! Takes away values that nobody uses, and parameters.

use crate::graph::{Graph, Node};
use std::collections::HashSet;

pub(crate) fn clean(graph: &mut Graph) {
    let reachable = graph.reachable();
    let mut used: HashSet<Node> = HashSet::new();
    let mut work: Vec<Node> = Vec::new();
    for id in &reachable {
        let block = graph.block(*id);
        let mut end = block.end.clone();
        // What parameters become is used if they are.
        end.edges_mut().into_iter().for_each(|edge| edge.args.clear());
        work.extend(end.uses(graph));
        work.extend(block.body.iter().filter(|node| !graph.value(**node).inst.is_pure()));
    }
    while let Some(node) = work.pop() {
        if !used.insert(node) {
            continue;
        }
        work.extend(graph.uses(node));
        for id in &reachable {
            for edge in graph.block(*id).end.edges() {
                let params = &graph.block(edge.to).params;
                work.extend(params.iter().zip(&edge.args).filter(|(param, _)| **param == node).map(|(_, arg)| *arg));
            }
        }
    }
    for id in &reachable {
        let block = graph.block(*id).clone();
        let mut end = block.end.clone();
        for edge in end.edges_mut() {
            let mut params = graph.block(edge.to).params.iter();
            edge.args.retain(|_| params.next().is_some_and(|param| used.contains(param)));
        }
        graph.block_mut(*id).end = end;
        graph.block_mut(*id).body.retain(|node| used.contains(node));
    }
    for id in reachable {
        graph.block_mut(id).params.retain(|param| used.contains(param));
    }
}
