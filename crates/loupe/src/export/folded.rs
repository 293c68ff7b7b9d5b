//! Folded stacks: a line each, frames outermost first and separated by semicolons, then a space and the figure. Flame graph tools
//! read it.

use super::{Mode, Unit};
use crate::report::{Frame, Stacks};
use std::collections::BTreeMap;

pub(crate) fn text(stacks: &Stacks, mode: Mode, unit: Unit) -> String {
    let mut lines: BTreeMap<String, u64> = BTreeMap::new();
    let names: Vec<String> = stacks.frames.iter().map(name).collect();
    for (index, node) in stacks.nodes.iter().enumerate() {
        let figure = unit.of(node.amount(mode));
        if figure > 0 {
            let frames = stacks.frames_of(index);
            let stack: Vec<&str> = frames.iter().map(|frame| &*names[*frame as usize]).collect();
            *lines.entry(stack.join(";")).or_default() += figure;
        }
    }
    lines.into_iter().map(|(stack, figure)| format!("{stack} {figure}\n")).collect()
}

/// A semicolon would end the frame, and a line break the line.
fn name(frame: &Frame) -> String {
    let place = if frame.file.is_empty() { String::new() } else { format!(" ({}:{})", frame.file, frame.line) };
    format!("{}{place}", frame.name).replace(';', ",").replace(['\n', '\r'], " ")
}
