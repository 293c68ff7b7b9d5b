//! Calls that copy a string in which they find nothing to replace.

use super::tree::{At, Tree, arguments, is_repeatable, range_of};
use super::{Change, Edited};
use crate::report::Advice;
use ruby_prism as pm;

/// `text.gsub(x, y)` as `(text.match?(x) ? text.gsub(x, y) : text)`, `tr` and `delete` by `count`.
pub(super) fn look_first(tree: &Tree<'_>, advice: &Advice) -> Edited {
    let name = advice.method.as_deref().ok_or("the finding names no method")?;
    let calls = tree.calls(advice.line, name);
    let mut changes = Vec::new();
    for at in &calls {
        changes.extend(one(tree, *at)?);
    }
    if changes.is_empty() { Err(format!("its line has no `{name}`").into()) } else { Ok(changes) }
}

fn one(tree: &Tree<'_>, at: At) -> Result<Vec<Change>, String> {
    let call = tree.call(at).filter(|call| !call.is_safe_navigation()).ok_or("it may be called on nil")?;
    let receiver = call.receiver().ok_or("it has no receiver")?;
    if is_written_to(tree, at) {
        return Err("its result is written to, and so would be the text itself".into());
    }
    let test = test(tree, &call)?;
    let whole = tree.range(at);
    let has_parentheses = call.closing_loc().is_some() || arguments(&call).is_empty();
    if !is_repeatable(&receiver) {
        return with_then(tree, &call, &receiver, &test);
    }
    let text = tree.text(&receiver)?;
    if let Some(assigned) = assignment_to_itself(tree, at, text) {
        return Ok(vec![Change::insert(tree.range(assigned).end, format!(" if {text}{test}"))]);
    }
    if !has_parentheses {
        return Err("its arguments stand without parentheses".into());
    }
    Ok(vec![Change::insert(whole.start, format!("({text}{test} ? ")), Change::insert(whole.end, format!(" : {text})"))])
}

/// `text = text.gsub(…)` whose value nobody uses.
fn assignment_to_itself(tree: &Tree<'_>, at: At, text: &str) -> Option<At> {
    let parent = tree.parent(at)?;
    let node = tree.node(parent);
    let name = match node {
        pm::Node::LocalVariableWriteNode { .. } => node.as_local_variable_write_node()?.name(),
        pm::Node::InstanceVariableWriteNode { .. } => node.as_instance_variable_write_node()?.name(),
        _ => return None,
    };
    (name.as_slice() == text.as_bytes() && tree.is_unused(parent)).then_some(parent)
}

/// Methods that write to a string, besides those with a `!`.
const WRITING: &[&[u8]] = &[
    b"<<",
    b"concat",
    b"replace",
    b"insert",
    b"prepend",
    b"[]=",
    b"clear",
    b"setbyte",
    b"force_encoding",
    b"append_as_bytes",
];

fn writes(call: &pm::CallNode<'_>) -> bool {
    let name = call.name();
    WRITING.contains(&name.as_slice()) || name.as_slice().len() > 1 && name.as_slice().ends_with(b"!")
}

/// Whether the method writes to the result, or to the variable that it is given to.
fn is_written_to(tree: &Tree<'_>, at: At) -> bool {
    let Some(parent) = tree.parent(at) else { return false };
    let is_receiver = |call: &pm::CallNode<'_>| {
        call.receiver().is_some_and(|receiver| range_of(&receiver.location()) == tree.range(at))
    };
    if tree.call(parent).is_some_and(|call| is_receiver(&call) && writes(&call)) {
        return true;
    }
    let node = tree.node(parent);
    let local = node.as_local_variable_write_node().map(|write| write.name().as_slice().to_vec());
    let field = node.as_instance_variable_write_node().map(|write| write.name().as_slice().to_vec());
    let Some(name) = local.or(field) else { return false };
    let scope = tree.around(at).find(|around| tree.node(*around).as_def_node().is_some());
    let inside = scope.map_or(0..tree.source.len(), |scope| tree.range(scope));
    let mut calls =
        tree.all().filter(|(at, _)| inside.contains(&tree.range(*at).start)).filter_map(|(at, _)| tree.call(at));
    calls.any(|call| {
        let receiver = call.receiver().filter(is_repeatable);
        receiver.is_some_and(|receiver| tree.source[range_of(&receiver.location())] == name[..]) && writes(&call)
    })
}

/// What tells whether the call would find something, behind the receiver.
fn test(tree: &Tree<'_>, call: &pm::CallNode<'_>) -> Result<String, String> {
    let list = arguments(call);
    let first = list.first().ok_or("it has no arguments")?;
    let is_set = matches!(call.name().as_slice(), b"tr" | b"tr_s" | b"delete");
    let is_text = matches!(first, pm::Node::StringNode { .. });
    let is_pattern = matches!(first, pm::Node::RegularExpressionNode { .. });
    let is_constant = is_repeatable(first) || first.as_constant_path_node().is_some();
    let argument = tree.text(first)?;
    match () {
        () if argument.contains("<<") => Err("its pattern may be a heredoc".into()),
        () if is_set && call.name().as_slice() == b"delete" && list.len() > 1 => Err("it has several sets".into()),
        () if is_set && (is_text || is_constant) => Ok(format!(".count({argument}) > 0")),
        () if is_text => Ok(format!(".include?({argument})")),
        () if is_pattern => Ok(format!(".match?({argument})")),
        // A pattern or a text.
        () if is_constant => Ok(format!(".index({argument})")),
        () => Err("its pattern may be another one the second time".into()),
    }
}

/// `a.b.gsub(x, y)` as `a.b.then { |text| text.match?(x) ? text.gsub(x, y) : text }`.
fn with_then(
    tree: &Tree<'_>,
    call: &pm::CallNode<'_>,
    receiver: &pm::Node<'_>,
    test: &str,
) -> Result<Vec<Change>, String> {
    const NAME: &str = "text";
    let (start, end) = (range_of(&receiver.location()).end, range_of(&call.location()).end);
    let rest = std::str::from_utf8(&tree.source[start..end]).map_err(|_| "the source is no UTF-8")?;
    let has_parentheses = call.closing_loc().is_some();
    if rest.contains(NAME) || !has_parentheses || rest.trim_start() != rest {
        return Err("its receiver may be another one the second time".into());
    }
    let named = format!(".then {{ |{NAME}| {NAME}{test} ? {NAME}{rest} : {NAME} }}");
    Ok(vec![Change::replace(start..end, named)])
}
