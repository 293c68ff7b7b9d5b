//! A graph as text.

use crate::allocate::is_constant;
use crate::graph::{Graph, Node};
use std::fmt::Write;

pub(crate) fn print(graph: &Graph) -> String {
    let mut text = format!("== ssa: {}\n", graph.name);
    for (number, value) in graph.values.iter().enumerate() {
        if is_constant(graph, Node(number as u32)) {
            let _ = writeln!(text, "  v{number}: {:?} = {:?}", value.typ, value.inst);
        }
    }
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
    for (number, exit) in graph.exits.iter().enumerate() {
        let frames: Vec<_> = exit.frames.iter().map(|frame| format!("{} at {}", frame.word, frame.base)).collect();
        let stores: Vec<_> = exit.stores.iter().map(|(place, node)| format!("{place} = v{}", node.0)).collect();
        let _ = writeln!(text, "exit {number}: words {}; {}", frames.join(", "), stores.join(", "));
        for object in &exit.objects {
            let fields = object.fields.iter().map(|(offset, node)| format!("{offset} = v{}", node.0));
            let _ = writeln!(text, "  makes v{}: {}", object.node.0, fields.collect::<Vec<_>>().join(", "));
        }
    }
    text
}

fn names(nodes: &[Node]) -> String {
    nodes.iter().map(|node| format!("v{}", node.0)).collect::<Vec<_>>().join(", ")
}
