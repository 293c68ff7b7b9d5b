//! Buffers and tables that are made as large as they become, and strings and arrays that grow where they are.
//!
//! Classes are named from the root on: a program may have a `String` of its own, or a class that sees no constants of Object.

use super::literals::makes_string;
use super::tree::{At, Tree, arguments, only, range_of};
use super::{Change, Edited};
use crate::advice::digits;
use crate::report::Advice;
use ruby_prism as pm;

fn capacity(advice: &Advice) -> Result<String, String> {
    let capacity = advice.capacity.ok_or("the finding names no capacity")?;
    Ok(format!("capacity: {}", digits(capacity, '_')))
}

fn is_constant(node: &pm::Node<'_>, name: &str) -> bool {
    node.as_constant_read_node().is_some_and(|constant| constant.name().as_slice() == name.as_bytes())
}

/// Whether a call is `Class.new`.
fn is_new(call: &pm::CallNode<'_>, class: &str) -> bool {
    call.name().as_slice() == b"new" && call.receiver().is_some_and(|receiver| is_constant(&receiver, class))
}

/// A string that is made of nothing but a literal: the node, and the literal's place if it has one.
fn fresh_string<'a>(node: &pm::Node<'a>) -> Option<Option<pm::Node<'a>>> {
    if node.as_string_node().is_some_and(|string| string.opening_loc().is_some()) {
        return Some(None);
    }
    let call = node.as_call_node()?;
    let list = arguments(&call);
    match call.name().as_slice() {
        b"+@" | b"dup" if list.is_empty() => call.receiver().filter(|text| text.as_string_node().is_some()).map(Some),
        b"new" if is_new(&call, "String") => match list.len() {
            0 => Some(None),
            1 => list.into_iter().next().filter(|text| text.as_keyword_hash_node().is_none()).map(Some),
            _ => None,
        },
        _ => None,
    }
}

/// `+""` as `String.new("", capacity: n)`.
pub(super) fn string_capacity(tree: &Tree<'_>, advice: &Advice) -> Edited {
    let capacity = capacity(advice)?;
    let is_inner = |at: At| {
        let outer = tree.around(at).take(2).filter_map(|at| fresh_string(tree.node(at)).flatten());
        outer.into_iter().any(|literal| range_of(&literal.location()) == tree.range(at))
    };
    let on_line = tree.all().filter(|(_, node)| node.location().start_line() == advice.line);
    let fresh = on_line.filter(|(at, node)| fresh_string(node).is_some() && makes_string(tree, *at) && !is_inner(*at));
    let fresh: Vec<At> = fresh.map(|(at, _)| at).collect();
    let is_empty = |at: &&At| {
        let text = |node: &pm::Node<'_>| node.as_string_node().is_none_or(|string| string.unescaped().is_empty());
        let node = tree.node(**at);
        text(node) && fresh_string(node).flatten().is_none_or(|literal| text(&literal))
    };
    let empty: Vec<At> = fresh.iter().filter(is_empty).copied().collect();
    let at = only(if empty.is_empty() { &fresh } else { &empty }, "new string")?;
    let node = tree.node(at);
    let literal = match fresh_string(node).flatten() {
        Some(literal) => Some(literal),
        None => node.as_string_node().map(|string| string.as_node()),
    };
    let text = match literal {
        Some(literal) => format!("::String.new({}, {capacity})", tree.text(&literal)?),
        None => format!("::String.new({capacity})"),
    };
    Ok(vec![Change::replace(tree.range(at), text)])
}

/// `{}` as `Hash.new(capacity: n)`.
pub(super) fn hash_capacity(tree: &Tree<'_>, advice: &Advice) -> Edited {
    let capacity = capacity(advice)?;
    let is_empty =
        |node: &pm::Node<'_>| node.as_hash_node().is_some_and(|hash| hash.elements().iter().next().is_none());
    let is_made = |node: &pm::Node<'_>| node.as_call_node().is_some_and(|call| is_new(&call, "Hash"));
    let on_line = tree.all().filter(|(_, node)| node.location().start_line() == advice.line);
    let found: Vec<At> = on_line.filter(|(_, node)| is_empty(node) || is_made(node)).map(|(at, _)| at).collect();
    let at = only(&found, "new hash")?;
    let Some(call) = tree.call(at) else {
        return Ok(vec![Change::replace(tree.range(at), format!("::Hash.new({capacity})"))]);
    };
    match (arguments(&call).last(), call.opening_loc(), call.message_loc()) {
        (Some(last), _, _) if last.as_keyword_hash_node().is_some() => Err("its hash has a capacity already".into()),
        (Some(last), _, _) => Ok(vec![Change::insert(range_of(&last.location()).end, format!(", {capacity}"))]),
        (None, Some(opening), _) => Ok(vec![Change::insert(range_of(&opening).end, capacity)]),
        (None, None, Some(message)) => Ok(vec![Change::insert(range_of(&message).end, format!("({capacity})"))]),
        _ => Err("the hash is not made by a call".into()),
    }
}

/// `text += other` as `text << other`, `list += other` as `list.concat(other)`, for a local variable that nobody else holds.
pub(super) fn append(tree: &Tree<'_>, advice: &Advice) -> Edited {
    let writes = tree.all().filter(|(_, node)| {
        node.location().start_line() == advice.line
            && node
                .as_local_variable_operator_write_node()
                .is_some_and(|write| write.binary_operator().as_slice() == b"+")
    });
    let at = only(&writes.map(|(at, _)| at).collect::<Vec<At>>(), "`+=` of a local variable")?;
    let write = tree.node(at).as_local_variable_operator_write_node().ok_or("it is no `+=`")?;
    let is_array = own_kind(tree, at, write.name().as_slice())?;
    let operator = range_of(&write.binary_operator_loc());
    let value = write.value();
    let (name, value_text) = (String::from_utf8_lossy(write.name().as_slice()).into_owned(), tree.text(&value)?);
    let growth = match is_array {
        true => Change::replace(tree.range(at), format!("{name}.concat({value_text})")),
        false if is_one_word(&value) => Change::replace(operator, "<<"),
        false => Change::replace(tree.range(at), format!("{name} << ({value_text})")),
    };
    // What was not written to before may be frozen in a file that says so.
    let firsts = tree.all().filter_map(|(_, node)| node.as_local_variable_write_node());
    let literals = firsts.filter(|first| first.name().as_slice() == write.name().as_slice()).map(|first| first.value());
    let literals = literals.filter(|value| value.as_string_node().is_some());
    let mut changes: Vec<Change> =
        literals.map(|literal| Change::insert(range_of(&literal.location()).start, "+")).collect();
    changes.push(growth);
    Ok(changes)
}

/// Binds tighter than `<<`.
fn is_one_word(node: &pm::Node<'_>) -> bool {
    match node {
        pm::Node::StringNode { .. }
        | pm::Node::InterpolatedStringNode { .. }
        | pm::Node::LocalVariableReadNode { .. }
        | pm::Node::InstanceVariableReadNode { .. }
        | pm::Node::ConstantReadNode { .. }
        | pm::Node::ParenthesesNode { .. } => true,
        node => node.as_call_node().is_some_and(|call| {
            call.closing_loc().is_some() || call.call_operator_loc().is_some() && call.arguments().is_none()
        }),
    }
}

/// Whether the variable holds an array (or else a string) that is made in this scope and read only behind its last `+=`, and the
/// loop around that, so that nobody else can hold it while it grows.
fn own_kind(tree: &Tree<'_>, at: At, name: &[u8]) -> Result<bool, String> {
    let is_scope = |at: At| {
        let node = tree.node(at);
        node.as_def_node().is_some()
            || node.as_program_node().is_some()
            || node.as_class_node().is_some()
            || node.as_module_node().is_some()
    };
    let scope = tree.around(at).find(|at| is_scope(*at)).ok_or("it is in no scope")?;
    let range = tree.range(scope);
    let inside = tree.all().filter(|(_, node)| {
        let place = range_of(&node.location());
        range.start <= place.start && place.end <= range.end
    });
    let (mut first_kind, mut last_growth, mut reads) = (None, 0, Vec::new());
    for (here, node) in inside {
        if let Some(write) = node.as_local_variable_write_node().filter(|write| write.name().as_slice() == name) {
            first_kind = Some(kind_of(&write.value()).ok_or("the variable is given what somebody else may hold")?);
        } else if node.as_local_variable_operator_write_node().is_some_and(|write| write.name().as_slice() == name) {
            let repeated =
                tree.around(here).take_while(|around| *around != scope).filter(|around| repeats(tree.node(*around)));
            last_growth =
                last_growth.max(repeated.last().map_or(tree.range(here).end, |around| tree.range(around).end));
        } else if node.as_local_variable_read_node().is_some_and(|read| read.name().as_slice() == name)
            && !only_looks(tree, here)
        {
            reads.push(tree.range(here).start);
        }
    }
    if reads.iter().any(|read| *read < last_growth) {
        return Err("the variable is read while it grows".into());
    }
    first_kind.ok_or_else(|| "the variable is not made here".into())
}

/// Methods that look at a string or an array and keep none of it.
const LOOKING: &[&[u8]] = &[
    b"size",
    b"length",
    b"bytesize",
    b"empty?",
    b"==",
    b"!=",
    b"=~",
    b"match?",
    b"start_with?",
    b"end_with?",
    b"include?",
    b"index",
    b"rindex",
    b"count",
    b"any?",
];

/// Whether a variable is read to ask it something, or for a part of a text.
fn only_looks(tree: &Tree<'_>, read: At) -> bool {
    let asked = tree.parent(read).and_then(|parent| tree.call(parent)).filter(|call| call.block().is_none());
    asked.is_some_and(|call| {
        let is_receiver = call.receiver().is_some_and(|receiver| range_of(&receiver.location()) == tree.range(read));
        is_receiver && LOOKING.contains(&call.name().as_slice())
    })
}

/// What is inside may run several times.
fn repeats(node: &pm::Node<'_>) -> bool {
    matches!(
        node,
        pm::Node::BlockNode { .. }
            | pm::Node::LambdaNode { .. }
            | pm::Node::WhileNode { .. }
            | pm::Node::UntilNode { .. }
            | pm::Node::ForNode { .. }
    )
}

/// Whether a node makes a new array, or else a new string.
fn kind_of(node: &pm::Node<'_>) -> Option<bool> {
    match node {
        pm::Node::ArrayNode { .. } => Some(true),
        pm::Node::InterpolatedStringNode { .. } => Some(false),
        node if fresh_string(node).is_some() => Some(false),
        _ => None,
    }
}
