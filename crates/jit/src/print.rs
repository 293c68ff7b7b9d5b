//! A graph as text.

use crate::graph::{Graph, Node};
use std::fmt::Write;

pub(crate) fn print(graph: &Graph) -> String {
    let mut text = format!("== ssa: {}\n", graph.name);
    for id in graph.reachable() {
        let block = graph.block(id);
        let _ = writeln!(text, "b{}({}):", id.0, names(&block.params));
        for node in &block.body {
            let value = graph.value(*node);
            let exit = value.exit.map(|exit| format!(" exit {}", exit.0)).unwrap_or_default();
            let _ = writeln!(text, "  v{}: {:?} = {:?}{exit}", node.0, value.typ, value.inst);
        }
        let _ = writeln!(text, "  {:?}", block.end);
    }
    text
}

fn names(nodes: &[Node]) -> String {
    nodes.iter().map(|node| format!("v{}", node.0)).collect::<Vec<_>>().join(", ")
}
