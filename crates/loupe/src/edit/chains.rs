//! Chains of calls each of which makes a string or an array that only the next one sees: the later ones can write to it.

use super::tree::{At, Tree, arguments, range_of};
use super::{Change, Edited, NoEdit};
use crate::report::Advice;
use ruby_prism as pm;

/// Methods that always make an array.
const NEW_ARRAYS: &[&[u8]] = &[
    b"map",
    b"collect",
    b"select",
    b"filter",
    b"reject",
    b"sort",
    b"sort_by",
    b"reverse",
    b"flatten",
    b"flat_map",
    b"filter_map",
    b"compact",
    b"uniq",
    b"split",
    b"scan",
    b"chars",
    b"bytes",
    b"lines",
    b"codepoints",
    b"keys",
    b"values",
    b"zip",
    b"transpose",
    b"rotate",
    b"shuffle",
    b"grep",
];

/// Methods of arrays, and those that do the same in place and return the array.
const IN_PLACE: &[(&str, &str)] = &[
    ("map", "map!"),
    ("collect", "map!"),
    ("sort", "sort!"),
    ("sort_by", "sort_by!"),
    ("reverse", "reverse!"),
    ("select", "keep_if"),
    ("filter", "keep_if"),
    ("reject", "delete_if"),
];

/// `split(x).map { … }` as `split(x).map! { … }`.
pub(super) fn in_place(tree: &Tree<'_>, advice: &Advice) -> Edited {
    let mut changes = Vec::new();
    for (name, instead) in IN_PLACE {
        for at in tree.calls(advice.line, name).into_iter().filter(|at| is_of_new_array(tree, *at)) {
            let message = tree.call(at).and_then(|call| call.message_loc()).ok_or("the call has no name")?;
            changes.push(Change::replace(range_of(&message), *instead));
        }
    }
    if changes.is_empty() { Err(NoEdit::Absent("its line has no call on a new array".into())) } else { Ok(changes) }
}

fn is_of_new_array(tree: &Tree<'_>, at: At) -> bool {
    let Some(call) = tree.call(at) else { return false };
    let made = call.receiver().and_then(|receiver| receiver.as_call_node());
    let needs_block = !matches!(call.name().as_slice(), b"sort" | b"reverse");
    let is_plain = arguments(&call).is_empty() && (call.block().is_some() || !needs_block);
    // `map` without a block makes an Enumerator, `split` with one no array.
    let is_new = |made: pm::CallNode<'_>| {
        let takes_block = matches!(
            made.name().as_slice(),
            b"map" | b"collect" | b"select" | b"filter" | b"reject" | b"sort_by" | b"flat_map" | b"filter_map"
        );
        let may_have_block = takes_block || matches!(made.name().as_slice(), b"sort" | b"uniq" | b"grep");
        let has_block = made.block().is_some();
        NEW_ARRAYS.contains(&made.name().as_slice())
            && !made.is_safe_navigation()
            && made.receiver().is_some()
            && (has_block || !takes_block)
            && (!has_block || may_have_block)
    };
    is_plain && !call.is_safe_navigation() && made.is_some_and(is_new)
}

/// Methods that always make a string and have one that does the same in place.
pub(crate) const NEW_STRINGS: &[&str] = &[
    "gsub",
    "sub",
    "tr",
    "tr_s",
    "delete",
    "squeeze",
    "strip",
    "lstrip",
    "rstrip",
    "chomp",
    "chop",
    "downcase",
    "upcase",
    "capitalize",
    "swapcase",
    "reverse",
    "delete_prefix",
    "delete_suffix",
    "scrub",
];

fn is_step(call: &pm::CallNode<'_>) -> bool {
    let has_receiver = call.receiver().is_some() && !call.is_safe_navigation();
    has_receiver && NEW_STRINGS.iter().any(|name| name.as_bytes() == call.name().as_slice())
}

/// Name of the string between the steps.
const COPY: &str = "copy";

/// `text.strip.downcase` as `text.strip.tap { |copy| copy.downcase! }`.
pub(super) fn change_copy(tree: &Tree<'_>, advice: &Advice) -> Edited {
    let lasts: Vec<At> = tree.all().map(|(at, _)| at).filter(|at| is_last_step(tree, *at, advice.line)).collect();
    let mut changes = Vec::new();
    for last in lasts {
        changes.push(steps_in_place(tree, &steps(tree, last))?);
    }
    if changes.is_empty() { Err(NoEdit::Absent("its line has no chain of calls".into())) } else { Ok(changes) }
}

/// The calls of a chain, the first one first.
fn steps<'a>(tree: &Tree<'a>, last: At) -> Vec<pm::CallNode<'a>> {
    let mut calls: Vec<pm::CallNode<'a>> = tree.call(last).into_iter().filter(is_step).collect();
    while let Some(before) =
        calls.last().and_then(|call| call.receiver()).and_then(|node| node.as_call_node()).filter(is_step)
    {
        calls.push(before);
    }
    calls.reverse();
    calls
}

fn is_last_step(tree: &Tree<'_>, at: At, line: i32) -> bool {
    let calls = steps(tree, at);
    let stands_here = |call: &pm::CallNode<'_>| call.message_loc().is_some_and(|place| place.start_line() == line);
    let outer = tree.parent(at).and_then(|parent| tree.call(parent)).filter(is_step);
    let is_receiver =
        outer.and_then(|outer| outer.receiver()).is_some_and(|inner| range_of(&inner.location()) == tree.range(at));
    calls.len() > 1 && !is_receiver && calls.iter().any(stands_here)
}

fn steps_in_place(tree: &Tree<'_>, calls: &[pm::CallNode<'_>]) -> Result<Change, String> {
    let [first, rest @ ..] = calls else { return Err("there is no chain".into()) };
    let start = range_of(&first.location()).end;
    let end = rest.last().map_or(start, |last| range_of(&last.location()).end);
    let source =
        |range: std::ops::Range<usize>| std::str::from_utf8(&tree.source[range]).map_err(|_| "the source is no UTF-8");
    let is_open = first.closing_loc().is_none() && !arguments(first).is_empty();
    if is_open || source(range_of(&first.location()).start..end)?.contains(COPY) {
        return Err("its steps cannot be taken apart".into());
    }
    let steps = rest.iter().map(|call| {
        let message = call.message_loc().ok_or("the call has no name")?;
        let name = String::from_utf8_lossy(call.name().as_slice()).into_owned();
        Ok(format!("{COPY}.{name}!{}", source(range_of(&message).end..range_of(&call.location()).end)?))
    });
    let steps: Result<Vec<String>, &str> = steps.collect();
    Ok(Change::replace(start..end, format!(".tap {{ |{COPY}| {} }}", steps?.join("; "))))
}
