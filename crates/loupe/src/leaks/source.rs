//! The line that writes a reference, told from the program's text: dumps know where objects were made, but not who stored them.
//!
//! # How
//! Of the places where something new was made that an old object refers to, one whose line stores something (`list << x`,
//! `table[key] = x`, `@field ||= x`) is that line: Ruby copies the text that is a key there, for one. Else a variable that the line
//! gives is followed to the store that it is part of, or the only store that comes later in the same method or block is taken.

use super::Place;
use ruby_prism as pm;
use std::ops::Range;

/// Methods that store what they are given in what they are called on.
const STORES: [&[u8]; 19] = [
    b"<<",
    b"[]=",
    b"push",
    b"append",
    b"unshift",
    b"prepend",
    b"insert",
    b"concat",
    b"store",
    b"add",
    b"add?",
    b"merge!",
    b"update",
    b"replace",
    b"enq",
    b"put",
    b"compute_if_absent",
    b"put_if_absent",
    b"instance_variable_set",
];

/// A line that stores something.
#[derive(Debug, PartialEq, Eq, Clone)]
pub(super) struct Written {
    pub(super) file: String,
    pub(super) line: i32,
    /// What stands there.
    pub(super) text: String,
}

/// The line that wrote one of the objects that were made at the places.
pub(super) fn writer<'a>(places: impl Iterator<Item = &'a Place>) -> Option<Written> {
    let mut best: Option<(Sure, Written)> = None;
    for (file, line) in places {
        let Ok(source) = std::fs::read(file) else { continue };
        let Some((sure, at)) = store_of(&source, *line) else { continue };
        if best.as_ref().is_none_or(|(known, _)| sure > *known) {
            let text = source.split(|byte| *byte == b'\n').nth(at as usize - 1).unwrap_or_default();
            let text = String::from_utf8_lossy(text).trim().to_string();
            best = Some((sure, Written { file: file.clone(), line: at, text }));
        }
    }
    best.map(|(_, written)| written)
}

/// How the store was found, the least sure first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Sure {
    OnlyOne,
    ByVariable,
    OnLine,
}

/// What a file does that matters here.
#[derive(Default)]
struct Found {
    stores: Vec<Store>,
    /// Bodies of methods and blocks.
    bodies: Vec<Range<usize>>,
    /// Local variables that are given something: name, and where.
    given: Vec<(Vec<u8>, Range<usize>)>,
    /// Local variables that are read: name, and where.
    read: Vec<(Vec<u8>, usize)>,
}

struct Store {
    range: Range<usize>,
    line: i32,
}

fn store_of(source: &[u8], line: i32) -> Option<(Sure, i32)> {
    let result = pm::parse(source);
    let mut found = Found::default();
    pm::Visit::visit(&mut found, &result.node());
    let lines = line_range(source, line)?;
    let touches = |range: &Range<usize>| range.start < lines.end && lines.start < range.end;
    // The innermost one: a block with the line in it may be an argument.
    let on_line = found.stores.iter().filter(|store| touches(&store.range)).min_by_key(|store| store.range.len());
    let body = found.bodies.iter().filter(|body| touches(body)).min_by_key(|body| body.len());
    let body = body.cloned().unwrap_or(0..source.len());
    if let Some(store) = on_line.filter(|store| store.range.len() <= body.len()) {
        return Some((Sure::OnLine, store.line));
    }
    let later: Vec<&Store> =
        found.stores.iter().filter(|s| s.range.start >= lines.end && s.range.end <= body.end).collect();
    for (name, range) in found.given.iter().filter(|(_, range)| touches(range)) {
        let reads = |store: &&&Store| found.read.iter().any(|(read, at)| read == name && store.range.contains(at));
        if let Some(store) = later.iter().filter(|store| store.range.start >= range.end).find(reads) {
            return Some((Sure::ByVariable, store.line));
        }
    }
    match later.as_slice() {
        [store] => Some((Sure::OnlyOne, store.line)),
        _ => None,
    }
}

/// Where a line's text lies, without the space in front.
fn line_range(source: &[u8], line: i32) -> Option<Range<usize>> {
    let number = usize::try_from(line).ok()?.checked_sub(1)?;
    let mut start = 0;
    for (at, text) in source.split_inclusive(|byte| *byte == b'\n').enumerate() {
        if at == number {
            let indent = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            return Some(start + indent.min(text.len())..start + text.len());
        }
        start += text.len();
    }
    None
}

fn range_of(location: &pm::Location<'_>) -> Range<usize> {
    location.start() as usize..location.end() as usize
}

impl Found {
    fn store(&mut self, location: &pm::Location<'_>) {
        self.stores.push(Store { range: range_of(location), line: location.start_line() });
    }

    fn body(&mut self, body: Option<pm::Node<'_>>) {
        self.bodies.extend(body.map(|body| range_of(&body.location())));
    }

    fn enter(&mut self, node: &pm::Node<'_>) {
        if let Some(call) = node.as_call_node() {
            if call.receiver().is_some() && STORES.contains(&call.name().as_slice()) {
                self.store(&call.location());
            }
        } else if let Some(write) = node.as_local_variable_write_node() {
            self.given.push((write.name().as_slice().to_vec(), range_of(&write.location())));
        } else if let Some(read) = node.as_local_variable_read_node() {
            self.read.push((read.name().as_slice().to_vec(), read.location().start() as usize));
        } else if let Some(block) = node.as_block_node() {
            self.body(block.body());
        } else if let Some(lambda) = node.as_lambda_node() {
            self.body(lambda.body());
        } else if let Some(method) = node.as_def_node() {
            self.body(method.body());
        } else if is_store(node) {
            self.store(&node.location());
        }
    }
}

/// Whether a node gives a variable that outlives a call, or an element.
fn is_store(node: &pm::Node<'_>) -> bool {
    matches!(
        node,
        pm::Node::InstanceVariableWriteNode { .. }
            | pm::Node::InstanceVariableOrWriteNode { .. }
            | pm::Node::ClassVariableWriteNode { .. }
            | pm::Node::ClassVariableOrWriteNode { .. }
            | pm::Node::GlobalVariableWriteNode { .. }
            | pm::Node::GlobalVariableOrWriteNode { .. }
            | pm::Node::ConstantWriteNode { .. }
            | pm::Node::ConstantOrWriteNode { .. }
            | pm::Node::IndexOrWriteNode { .. }
            | pm::Node::IndexAndWriteNode { .. }
            | pm::Node::IndexOperatorWriteNode { .. }
            | pm::Node::CallOrWriteNode { .. }
    )
}

impl<'a> pm::Visit<'a> for Found {
    fn visit_branch_node_enter(&mut self, node: pm::Node<'a>) {
        self.enter(&node);
    }

    fn visit_leaf_node_enter(&mut self, node: pm::Node<'a>) {
        self.enter(&node);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_store_of_a_line_is_found() {
        let source = b"SEEN = {}
def remember(id)
  SEEN[id] = \"a\" * 100
end
def later(id)
  thing = Thing.new
  thing.touch
  OTHERS << 1
  LIST.push(thing)
end
get(\"/\") do
  made = build
  @all ||= []
  made
end
def build
  Thing.new
end
table.fetch(1) { |k|
  table[k] = [
    k,
  ]
}
";
        for (line, expected) in [
            (3, Some((Sure::OnLine, 3))),
            (6, Some((Sure::ByVariable, 9))),
            (12, Some((Sure::OnlyOne, 13))),
            (17, None),
            (21, Some((Sure::OnLine, 20))),
            (99, None),
        ] {
            assert_eq!(store_of(source, line), expected, "line {line}");
        }
    }
}
