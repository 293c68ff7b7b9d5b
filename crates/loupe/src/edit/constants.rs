//! Array and hash literals without anything to evaluate in them, which are made anew each time.

use super::tree::{At, Tree, range_of};
use super::{Change, Edited, NoEdit};
use crate::report::Advice;
use ruby_prism as pm;

/// `.freeze` behind the literals of the line: the literal of the iseq itself is handed out then.
pub(super) fn freeze(tree: &Tree<'_>, advice: &Advice) -> Edited {
    let on_line = tree.all().filter(|(_, node)| node.location().start_line() == advice.line);
    let mut changes = Vec::new();
    for (at, node) in on_line {
        if is_constant(node) && is_made(tree, at) {
            changes.push(freeze_one(tree, at)?);
        }
        changes.extend(returned(tree, node)?);
    }
    if changes.is_empty() { Err(NoEdit::Absent("its line has no list of constants".into())) } else { Ok(changes) }
}

/// `return true, nil` as `return [true, nil].freeze`.
fn returned(tree: &Tree<'_>, node: &pm::Node<'_>) -> Result<Option<Change>, String> {
    let values = match node {
        pm::Node::ReturnNode { .. } => node.as_return_node().and_then(|node| node.arguments()),
        pm::Node::BreakNode { .. } => node.as_break_node().and_then(|node| node.arguments()),
        pm::Node::NextNode { .. } => node.as_next_node().and_then(|node| node.arguments()),
        _ => None,
    };
    let Some(values) = values else { return Ok(None) };
    let is_list = values.arguments().iter().count() > 1 && values.arguments().iter().all(|value| is_simple(&value));
    let list = || Ok(format!("[{}].freeze", tree.text(&values.as_node())?));
    is_list.then(|| list().map(|list| Change::replace(range_of(&values.location()), list))).transpose()
}

fn is_simple(node: &pm::Node<'_>) -> bool {
    matches!(
        node,
        pm::Node::SymbolNode { .. }
            | pm::Node::IntegerNode { .. }
            | pm::Node::FloatNode { .. }
            | pm::Node::NilNode { .. }
            | pm::Node::TrueNode { .. }
            | pm::Node::FalseNode { .. }
    )
}

fn is_constant(node: &pm::Node<'_>) -> bool {
    let is_simple_pair = |node: &pm::Node<'_>| {
        node.as_assoc_node().is_some_and(|pair| is_simple(&pair.key()) && is_simple(&pair.value()))
    };
    match node {
        pm::Node::ArrayNode { .. } => {
            node.as_array_node().is_some_and(|list| list.elements().iter().all(|element| is_simple(&element)))
        }
        pm::Node::HashNode { .. } => {
            node.as_hash_node().is_some_and(|hash| hash.elements().iter().all(|pair| is_simple_pair(&pair)))
        }
        _ => false,
    }
}

/// Whether evaluating the literal makes an object: most that only ask it something do not.
fn is_made(tree: &Tree<'_>, at: At) -> bool {
    let Some(call) = tree.parent(at).and_then(|parent| tree.call(parent)) else { return true };
    let is_receiver = call.receiver().is_some_and(|receiver| range_of(&receiver.location()) == tree.range(at));
    !is_receiver || !matches!(call.name().as_slice(), b"freeze" | b"include?" | b"hash" | b"min" | b"max" | b"pack")
}

fn freeze_one(tree: &Tree<'_>, at: At) -> Result<Change, String> {
    let is_open = tree.node(at).as_array_node().is_some_and(|list| list.opening_loc().is_none());
    Ok(match is_open {
        // `a = true, nil`
        true => Change::replace(tree.range(at), format!("[{}].freeze", tree.text(tree.node(at))?)),
        false => Change::insert(tree.range(at).end, ".freeze"),
    })
}
