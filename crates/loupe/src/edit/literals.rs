//! Literals: strings that are frozen, arrays in place of a chain of `+`.

use super::tree::{At, Tree, range_of};
use super::{Change, Edited, NoEdit};
use crate::advice::WORTH;
use crate::findings::inspected_literal;
use crate::report::Advice;
use ruby_prism as pm;

/// The text of a string literal without interpolation, of several parts perhaps.
fn text_of(node: &pm::Node<'_>) -> Option<Vec<u8>> {
    if let Some(string) = node.as_string_node() {
        return Some(string.unescaped().to_vec());
    }
    let parts = node.as_interpolated_string_node()?.parts();
    let texts: Option<Vec<Vec<u8>>> =
        parts.iter().map(|part| part.as_string_node().map(|string| string.unescaped().to_vec())).collect();
    texts.map(|texts| texts.concat())
}

/// Whether evaluating the literal makes a string, as far as the source tells.
pub(super) fn makes_string(tree: &Tree<'_>, at: At) -> bool {
    let Some(parent) = tree.parent(at) else { return true };
    let is_this = |node: pm::Node<'_>| range_of(&node.location()) == tree.range(at);
    match tree.node(parent) {
        pm::Node::InterpolatedStringNode { .. }
        | pm::Node::InterpolatedSymbolNode { .. }
        | pm::Node::InterpolatedRegularExpressionNode { .. }
        | pm::Node::InterpolatedXStringNode { .. }
        | pm::Node::WhenNode { .. }
        | pm::Node::InNode { .. }
        | pm::Node::RangeNode { .. } => false,
        node @ pm::Node::AssocNode { .. } => node.as_assoc_node().is_none_or(|pair| !is_this(pair.key())),
        node @ pm::Node::CallNode { .. } => node.as_call_node().is_none_or(|call| match call.name().as_slice() {
            b"freeze" | b"-@" => !call.receiver().is_some_and(is_this),
            // `hash["key"]` makes none.
            b"[]" => call.receiver().is_some_and(is_this) || super::tree::arguments(&call).len() > 1,
            _ => true,
        }),
        _ => true,
    }
}

/// Literals that make strings, with their texts, and the lines at which they may be said to be made: their own, and those where the
/// lists and calls around them begin.
fn literals(tree: &Tree<'_>) -> Vec<(At, Vec<i32>, String)> {
    let line_of = |at: At| tree.node(at).location().start_line();
    let found = tree.all().filter_map(|(at, node)| {
        let text = text_of(node).filter(|_| makes_string(tree, at))?;
        let around = tree.around(at).take_while(|around| tree.node(*around).as_statements_node().is_none());
        let lines = std::iter::once(at).chain(around).map(line_of).collect();
        Some((at, lines, inspected_literal(&text)))
    });
    found.collect()
}

/// The magic comment, if all literals of the file are meant and it has none; or else `.freeze` behind each that is worth it.
pub(super) fn freeze(tree: &Tree<'_>, advice: &Advice) -> Edited {
    let all = literals(tree);
    let named = |least: u64| -> Vec<At> {
        let is_named = |(_, lines, text): &&(At, Vec<i32>, String)| {
            let mut named = advice.literals.iter().filter(|literal| literal.copies.objects >= least);
            named.any(|literal| lines.contains(&literal.line) && literal.text == *text)
        };
        all.iter().filter(is_named).map(|(at, ..)| *at).collect()
    };
    let meant = named(0);
    let says = |comment: pm::MagicComment<'_>| {
        let key = String::from_utf8_lossy(comment.key()).to_ascii_lowercase();
        key.replace('-', "_") == "frozen_string_literal"
    };
    if meant.len() == all.len() && meant.len() > 2 && !tree.result.magic_comments().any(says) {
        return Ok(vec![Change::insert(first_line(tree.source), "# frozen_string_literal: true\n")]);
    }
    let meant = named(WORTH);
    match meant.is_empty() {
        true => Err("the literal is not found on its line".into()),
        false => meant.iter().map(|at| Ok(freeze_one(tree, *at, &meant)?)).collect(),
    }
}

/// Where a magic comment can stand: behind the line that names the program, and behind that of the encoding.
fn first_line(source: &[u8]) -> usize {
    let mut at = 0;
    for line in source.split_inclusive(|byte| *byte == b'\n').take(2) {
        let is_before = line.starts_with(b"#!") || line.starts_with(b"#") && line.windows(6).any(|w| w == b"coding");
        if !is_before {
            break;
        }
        at += line.len();
    }
    at
}

fn freeze_one(tree: &Tree<'_>, at: At, meant: &[At]) -> Result<Change, String> {
    let node = tree.node(at);
    let opening = match node.as_string_node() {
        Some(string) => string.opening_loc(),
        None => node.as_interpolated_string_node().and_then(|string| string.opening_loc()),
    };
    let list = tree.parent(at).filter(|_| opening.is_none() && node.as_string_node().is_some());
    if let Some(list) = list.filter(|list| tree.node(*list).as_array_node().is_some()) {
        return freeze_in_list(tree, list, meant);
    }
    let is_heredoc = opening.as_ref().is_some_and(|opening| opening.as_slice().starts_with(b"<<"));
    let end = if is_heredoc { opening.map(|opening| range_of(&opening).end) } else { None };
    Ok(Change::insert(end.unwrap_or(tree.range(at).end), ".freeze"))
}

/// `%w[a b]` as `["a".freeze, "b".freeze]`.
fn freeze_in_list(tree: &Tree<'_>, list: At, meant: &[At]) -> Result<Change, String> {
    let elements = tree.node(list).as_array_node().map(|array| array.elements());
    let elements: Vec<pm::Node<'_>> = elements.iter().flat_map(|list| list.iter()).collect();
    let written = elements.iter().map(|element| {
        let text = text_of(element).filter(|text| text.is_ascii()).ok_or("its list has more than plain words")?;
        let quoted = crate::record::inspected(&text, carat_vm::EncodingIndex::UTF_8);
        let is_meant = tree.find(element).is_some_and(|at| meant.contains(&at));
        Ok(if is_meant { format!("{quoted}.freeze") } else { quoted })
    });
    let written: Vec<String> = written.collect::<Result<_, String>>()?;
    Ok(Change::replace(tree.range(list), format!("[{}]", written.join(", "))))
}

/// `a + [b] + c` as `[*a, b, *c]`.
pub(super) fn join_arrays(tree: &Tree<'_>, advice: &Advice) -> Edited {
    let is_plus = |at: At| tree.call(at).is_some_and(|call| call.name().as_slice() == b"+");
    let is_outermost = |at: &At| tree.parent(*at).is_none_or(|parent| !is_plus(parent));
    let chains: Vec<At> = tree.calls(advice.line, "+").into_iter().filter(is_outermost).collect();
    let chain = super::tree::only(&chains, "chain of `+`")?;
    let mut parts = Vec::new();
    operands(tree, chain, &mut parts)?;
    let has_list = || parts.iter().any(|part| !part.starts_with('*'));
    if parts.len() < 3 && !has_list() {
        return Err(NoEdit::Absent("its line has no chain of `+`".into()));
    }
    parts.retain(|part| !part.is_empty());
    Ok(vec![Change::replace(tree.range(chain), format!("[{}]", parts.join(", ")))])
}

/// The operands of a chain as they stand in an array.
fn operands(tree: &Tree<'_>, at: At, parts: &mut Vec<String>) -> Result<(), String> {
    let call = tree.call(at).filter(|call| call.name().as_slice() == b"+");
    let receiver = call.as_ref().and_then(|call| call.receiver());
    let (Some(call), Some(receiver)) = (call, receiver) else {
        parts.push(in_array(tree, tree.node(at))?);
        return Ok(());
    };
    let arguments = super::tree::arguments(&call);
    let (Some(left), [right]) = (tree.find(&receiver), &arguments[..]) else {
        return Err("its chain of `+` has other calls in it".into());
    };
    operands(tree, left, parts)?;
    parts.push(in_array(tree, right)?);
    Ok(())
}

fn in_array(tree: &Tree<'_>, node: &pm::Node<'_>) -> Result<String, String> {
    let text = tree.text(node)?;
    if text.contains("<<") {
        return Err("its chain of `+` may have a heredoc in it".into());
    }
    let list = node.as_array_node().filter(|list| list.opening_loc().is_some_and(|opening| opening.as_slice() == b"["));
    Ok(match list {
        Some(_) => text[1..text.len() - 1].trim().trim_end_matches(',').into(),
        None if super::tree::is_repeatable(node) || node.as_call_node().is_some() => format!("*{text}"),
        None => format!("*({text})"),
    })
}

/// All literals of a file, as findings name them.
#[cfg(test)]
pub(super) fn named_in(tree: &Tree<'_>) -> Vec<crate::report::LiteralPlace> {
    let copies = crate::report::Amount { objects: WORTH, bytes: 100 };
    let place = |(_, lines, text): (At, Vec<i32>, String)| crate::report::LiteralPlace { line: lines[0], text, copies };
    literals(tree).into_iter().map(place).collect()
}
