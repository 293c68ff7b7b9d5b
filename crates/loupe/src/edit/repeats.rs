//! Strings that are made of the same few things over and over: kept in a table by these.

use super::tree::{At, Tree, arguments, range_of};
use super::{Change, Edited};
use crate::report::Advice;
use ruby_prism as pm;

/// Methods of strings, symbols and numbers whose results depend on nothing but receiver and arguments.
const PURE: &[&[u8]] = &[
    b"encode",
    b"to_s",
    b"upcase",
    b"downcase",
    b"capitalize",
    b"swapcase",
    b"tr",
    b"tr_s",
    b"delete",
    b"squeeze",
    b"gsub",
    b"sub",
    b"strip",
    b"lstrip",
    b"rstrip",
    b"chomp",
    b"chop",
    b"*",
    b"%",
    b"byteslice",
    b"inspect",
    b"chr",
    b"ljust",
    b"rjust",
    b"center",
    b"unicode_normalize",
    b"reverse",
    b"succ",
    b"next",
    b"delete_prefix",
    b"delete_suffix",
    b"scrub",
    b"dump",
];

/// Classes of receivers that are told apart by their values.
pub(crate) const OF_VALUES: &[&str] = &["String", "Symbol", "Integer", "Float"];

/// `name.downcase` as `(TEXTS_12[name] ||= name.downcase.freeze)`, with `TEXTS_12 = {}` in the class.
pub(super) fn keep(tree: &Tree<'_>, advice: &Advice) -> Edited {
    let name = advice.method.as_deref().unwrap_or_default();
    if !PURE.contains(&name.as_bytes()) {
        return Err("what it is made of may be another thing the second time".into());
    }
    let at = tree.only_call(advice.line, name, |at| tree.call(at).is_some_and(|call| call.receiver().is_some()))?;
    let (Some(call), Some(receiver)) = (tree.call(at), tree.call(at).and_then(|call| call.receiver())) else {
        return Err("it has no receiver".into());
    };
    if call.block().is_some() || call.is_safe_navigation() {
        return Err("it has a block, or may be called on nil".into());
    }
    let argument = argument_key(tree, &call)?;
    let method = tree.around(at).find(|around| tree.node(*around).as_def_node().is_some());
    let place = table_place(tree, method.ok_or("it is in no method")?)?;
    let table = format!("TEXTS_{}", advice.line);
    if tree.source.windows(table.len()).any(|text| text == table.as_bytes()) {
        return Err(format!("the file has {table} already").into());
    }
    let element = |key: &str| match &argument {
        Some(argument) => format!("({table}[{key}] ||= {{}})[{argument}]"),
        None => format!("{table}[{key}]"),
    };
    let change = match is_fixed(&receiver) || is_variable(&receiver) {
        true => {
            let text = tree.text(tree.node(at))?;
            let made = if is_closed(&call) { text.into() } else { format!("({text})") };
            let key =
                if is_variable(&receiver) { tree.text(&receiver)? } else { argument.as_deref().unwrap_or(":text") };
            let element = if is_variable(&receiver) { element(key) } else { format!("{table}[{key}]") };
            Change::replace(tree.range(at), format!("({element} ||= {made}.freeze)"))
        }
        false => behind_receiver(tree, at, &receiver, &element(NAME))?,
    };
    let indentation = indentation(tree, place);
    Ok(vec![Change::insert(place, format!("{table} = {{}}\n{indentation}")), change])
}

/// What a receiver is called that cannot be evaluated twice.
const NAME: &str = "text";

/// `a.b.downcase` as `a.b.then { |text| TEXTS_12[text] ||= text.downcase.freeze }`.
fn behind_receiver(tree: &Tree<'_>, at: At, receiver: &pm::Node<'_>, element: &str) -> Result<Change, String> {
    let (start, end) = (range_of(&receiver.location()).end, tree.range(at).end);
    let rest = std::str::from_utf8(&tree.source[start..end]).map_err(|_| "the source is no UTF-8")?;
    if !rest.starts_with('.') || rest.contains(NAME) || !tree.call(at).is_some_and(|call| is_closed(&call)) {
        return Err("its receiver may be another one the second time".into());
    }
    Ok(Change::replace(start..end, format!(".then {{ |{NAME}| {element} ||= {NAME}{rest}.freeze }}")))
}

/// Whether a call can follow without parentheses around the node.
fn is_closed(call: &pm::CallNode<'_>) -> bool {
    call.call_operator_loc().is_some() && (call.closing_loc().is_some() || arguments(call).is_empty())
}

/// The argument that may be another one the next time; the others have to be the same each time.
fn argument_key(tree: &Tree<'_>, call: &pm::CallNode<'_>) -> Result<Option<String>, String> {
    let mut key = None;
    for argument in arguments(call) {
        match () {
            () if is_fixed(&argument) => {}
            () if is_variable(&argument) && key.is_none() => key = Some(tree.text(&argument)?.to_string()),
            () => return Err("what it is made of may be another thing the second time".into()),
        }
    }
    Ok(key)
}

fn is_fixed(node: &pm::Node<'_>) -> bool {
    matches!(
        node,
        pm::Node::StringNode { .. }
            | pm::Node::SymbolNode { .. }
            | pm::Node::IntegerNode { .. }
            | pm::Node::RegularExpressionNode { .. }
            | pm::Node::ConstantReadNode { .. }
            | pm::Node::ConstantPathNode { .. }
    )
}

fn is_variable(node: &pm::Node<'_>) -> bool {
    matches!(node, pm::Node::LocalVariableReadNode { .. } | pm::Node::InstanceVariableReadNode { .. })
}

/// In front of the statement of the class or module that the method is in.
fn table_place(tree: &Tree<'_>, method: At) -> Result<usize, String> {
    let mut inner = method;
    for around in tree.around(method) {
        let is_class = |at: At| {
            let node = tree.node(at);
            node.as_class_node().is_some()
                || node.as_module_node().is_some()
                || node.as_singleton_class_node().is_some()
        };
        if tree.node(around).as_statements_node().is_some() && tree.parent(around).is_some_and(is_class) {
            return Ok(tree.range(inner).start);
        }
        inner = around;
    }
    Err("it is in no class that could have a table".into())
}

fn indentation(tree: &Tree<'_>, at: usize) -> String {
    let line = tree.source[..at].rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).map(|byte| char::from(*byte)).collect()
}
