//! Calls that make more than is used.

use super::tree::{At, Tree, arguments, is_repeatable, range_of};
use super::{Change, Edited};
use crate::report::Advice;
use ruby_prism as pm;

/// Methods that look at an array and keep none of it.
const LOOKING: &[&[u8]] = &[
    b"each",
    b"include?",
    b"any?",
    b"all?",
    b"none?",
    b"find",
    b"detect",
    b"index",
    b"map",
    b"inject",
    b"reduce",
    b"select",
    b"reject",
    b"take_while",
    b"each_with_index",
    b"first",
    b"[]",
    b"-",
    b"&",
    b"filter_map",
    b"size",
    b"find_index",
];

/// `x.class.ancestors` as `((@ancestors ||= {})[x.class] ||= x.class.ancestors)`, in a method of an instance.
pub(super) fn keep_ancestors(tree: &Tree<'_>, advice: &Advice) -> Edited {
    let at = tree.only_call(advice.line, "ancestors", |_| true)?;
    let receiver = tree.call(at).and_then(|call| call.receiver()).ok_or("it asks the class that runs")?;
    if !is_repeatable(&receiver) {
        return Err("its receiver may be another one the second time".into());
    }
    let user = tree.parent(at).and_then(|parent| tree.call(parent));
    if !user.is_some_and(|call| LOOKING.contains(&call.name().as_slice())) {
        return Err("somebody may write to the array".into());
    }
    let method = tree.around(at).find_map(|at| tree.node(at).as_def_node());
    if method.is_none_or(|method| method.receiver().is_some()) {
        return Err("it is not in a method of an object that could keep the array".into());
    }
    if tree.source.windows(10).any(|text| text == b"@ancestors") {
        return Err("the file has @ancestors already".into());
    }
    let (class, list) = (tree.text(&receiver)?, tree.text(tree.node(at))?);
    Ok(vec![Change::replace(tree.range(at), format!("((@ancestors ||= {{}})[{class}] ||= {list})"))])
}

fn rename(call: &pm::CallNode<'_>, name: &str) -> Edited {
    let message = call.message_loc().ok_or("the call has no name")?;
    Ok(vec![Change::replace(range_of(&message), name)])
}

/// `x.to_s` as `(::Symbol === x ? x.name : x.to_s)`: whoever calls `to_s` may be given something else at other times.
pub(super) fn symbol_name(tree: &Tree<'_>, advice: &Advice) -> Edited {
    let at = tree.only_call(advice.line, "to_s", |at| tree.call(at).is_some_and(|call| arguments(&call).is_empty()))?;
    let receiver = tree.call(at).filter(|call| !call.is_safe_navigation()).and_then(|call| call.receiver());
    let receiver = receiver.filter(is_repeatable).ok_or("its receiver may be another one the second time")?;
    let (symbol, call) = (tree.text(&receiver)?, tree.text(tree.node(at))?);
    Ok(vec![Change::replace(tree.range(at), format!("(::Symbol === {symbol} ? {symbol}.name : {call})"))])
}

/// `text[a, b]` as a copy of it, which lets the rest of the text go.
pub(super) fn copy_slice(tree: &Tree<'_>, advice: &Advice) -> Edited {
    let names = ["[]", "slice", "byteslice"];
    let slices: Vec<At> = names.iter().flat_map(|name| tree.calls(advice.line, name)).collect();
    let at = super::tree::only(&slices, "slice")?;
    let slice = tree.text(tree.node(at))?;
    Ok(vec![Change::replace(tree.range(at), format!("{slice}&.then {{ |part| \"#{{part}}\" }}"))])
}

/// `map { … }.flatten` as `flat_map { … }`, and the like.
pub(super) fn join_with_map(tree: &Tree<'_>, advice: &Advice, second: &str, joined: &str) -> Edited {
    let map_of = |at: At| {
        let receiver = tree.call(at)?.receiver()?;
        let map = receiver.as_call_node()?;
        let is_map = matches!(map.name().as_slice(), b"map" | b"collect") && map.block().is_some();
        (is_map && arguments(&map).is_empty()).then_some(map)
    };
    let at = tree.only_call(advice.line, second, |at| map_of(at).is_some())?;
    let (Some(map), Some(call)) = (map_of(at), tree.call(at)) else { return Err("it does not follow a `map`".into()) };
    let is_one_level = arguments(&call).iter().all(|level| tree.text(level) == Ok("1"));
    if call.is_safe_navigation() || !is_one_level {
        return Err(format!("`{second}` does more than `{joined}`").into());
    }
    let mut changes = rename(&map, joined)?;
    changes.push(Change::remove(range_of(&map.location()).end..tree.range(at).end));
    Ok(changes)
}

/// `split(x).first` as `split(x, 2).first`.
pub(super) fn limit_split(tree: &Tree<'_>, advice: &Advice) -> Edited {
    if let Some(changes) = first_match(tree, advice) {
        return Ok(changes);
    }
    let limit = |at: At| {
        let user = tree.call(tree.parent(at)?)?;
        let is_receiver = range_of(&user.receiver()?.location()) == tree.range(at);
        let part = match (user.name().as_slice(), &arguments(&user)[..]) {
            (b"first", []) => 0,
            (b"[]", [index]) => tree.text(index).ok()?.parse::<u32>().ok()?,
            _ => return None,
        };
        is_receiver.then_some(part + 2)
    };
    let at = tree.only_call(advice.line, "split", |at| limit(at).is_some())?;
    let (Some(limit), Some(call)) = (limit(at), tree.call(at)) else { return Err("it is used elsewhere".into()) };
    if call.block().is_some() {
        return Err("`split` has a block".into());
    }
    match (&arguments(&call)[..], call.opening_loc()) {
        ([separator], _) => Ok(vec![Change::insert(range_of(&separator.location()).end, format!(", {limit}"))]),
        ([], None) => Ok(vec![Change::insert(tree.range(at).end, format!("(nil, {limit})"))]),
        _ => Err("`split` has a limit".into()),
    }
}

/// Methods that a hash has as its arrays of keys or values have them, if a block takes the pair.
const OF_PAIRS: &[&[u8]] = &[b"all?", b"any?", b"none?", b"count", b"map", b"flat_map", b"filter_map", b"sum"];

/// `keys.each` as `each_key`, `keys.include?` as `key?`, `keys.all? { |k| … }` as `all? { |k, _| … }`.
pub(super) fn ask_hash(tree: &Tree<'_>, advice: &Advice) -> Edited {
    let fits = |at: At| tree.call(at).is_some_and(|call| call.receiver().is_some() && arguments(&call).is_empty());
    let keys = tree.only_call(advice.line, "keys", fits).map(|at| (at, true));
    let (at, is_keys) = keys.or_else(|_| tree.only_call(advice.line, "values", fits).map(|at| (at, false)))?;
    let user = tree.parent(at).filter(|parent| {
        let receiver = tree.call(*parent).and_then(|call| call.receiver());
        receiver.is_some_and(|receiver| range_of(&receiver.location()) == tree.range(at))
    });
    let (Some(user_at), Some(call)) = (user, tree.call(at)) else { return Err("the array itself is used".into()) };
    let (Some(user), Some(message), Some(own)) =
        (tree.call(user_at), tree.call(user_at).and_then(|c| c.message_loc()), call.message_loc())
    else {
        return Err("the array itself is used".into());
    };
    if changes_receiver(tree, &call, user_at) {
        return Err("its block changes the hash".into());
    }
    // From the name of the one to the name of the other: `keys.each`.
    let both = range_of(&own).start..range_of(&message).end;
    match user.name().as_slice() {
        b"each" if user.block().is_some() && (tree.is_void(user_at)) => {
            Ok(vec![Change::replace(both, if is_keys { "each_key" } else { "each_value" })])
        }
        b"each" => Err("what `each` returns may be used".into()),
        b"include?" | b"member?" => Ok(vec![Change::replace(both, if is_keys { "key?" } else { "value?" })]),
        name if OF_PAIRS.contains(&name) => {
            let parameter = only_parameter(&user).ok_or("its block takes other than one parameter")?;
            let name = String::from_utf8_lossy(name).into_owned();
            let range = range_of(&parameter);
            let parameter = if is_keys { Change::insert(range.end, ", _") } else { Change::insert(range.start, "_, ") };
            Ok(vec![Change::replace(both, name), parameter])
        }
        _ => Err("the array itself is used".into()),
    }
}

/// Whether something in a call's block may add to what another call is made of, or take from it.
fn changes_receiver(tree: &Tree<'_>, call: &pm::CallNode<'_>, user: At) -> bool {
    const KEEPING: &[&[u8]] =
        &[b"[]", b"fetch", b"key?", b"include?", b"has_key?", b"size", b"dig", b"keys", b"values"];
    let Some(hash) = call.receiver() else { return false };
    let whole = tree.range(user);
    let mut inside = tree.all().filter(|(_, node)| {
        let place = range_of(&node.location());
        whole.start <= place.start && place.end <= whole.end
    });
    inside.any(|(_, node)| match node {
        pm::Node::IndexOrWriteNode { .. }
        | pm::Node::IndexAndWriteNode { .. }
        | pm::Node::IndexOperatorWriteNode { .. } => true,
        node => node.as_call_node().is_some_and(|other| {
            let receiver = other.receiver().map(|receiver| tree.text(&receiver));
            receiver == Some(tree.text(&hash)) && !KEEPING.contains(&other.name().as_slice())
        }),
    })
}

/// The place of a block's parameter, if it has one that is plain.
fn only_parameter<'a>(call: &pm::CallNode<'a>) -> Option<pm::Location<'a>> {
    let block = call.block()?.as_block_node()?;
    let parameters = block.parameters()?.as_block_parameters_node()?.parameters()?;
    let required: Vec<pm::Node<'a>> = parameters.requireds().iter().collect();
    let has_more = parameters.rest().is_some()
        || parameters.optionals().iter().next().is_some()
        || parameters.posts().iter().next().is_some()
        || parameters.keywords().iter().next().is_some();
    match &required[..] {
        [only] if !has_more => only.as_required_parameter_node().map(|parameter| parameter.location()),
        _ => None,
    }
}

/// `scan` as `skip`, `check` as `match?`, where only the truth matters.
pub(super) fn match_only(tree: &Tree<'_>, advice: &Advice) -> Edited {
    for (name, instead) in
        [("scan", "skip"), ("check", "match?"), ("scan_until", "skip_until"), ("check_until", "exist?")]
    {
        if let Ok(at) = tree.only_call(advice.line, name, |at| tree.is_truth_only(at)) {
            return rename(&tree.call(at).ok_or("it is no call")?, instead);
        }
    }
    Err("the string may be used".into())
}

/// `text[0] == "x"` as `text.start_with?("x")`, `text[-1, 1] == "x"` as `text.end_with?("x")`.
pub(super) fn start_with(tree: &Tree<'_>, advice: &Advice) -> Edited {
    let parts = |at: At| {
        let comparison = tree.call(at)?;
        let index = comparison.receiver()?.as_call_node().filter(|call| call.name().as_slice() == b"[]")?;
        let (text, list) = (index.receiver()?, arguments(&comparison));
        let [character] = &list[..] else { return None };
        let method = end_asked_for(tree, &arguments(&index))?;
        let is_one = character
            .as_string_node()
            .is_some_and(|string| std::str::from_utf8(string.unescaped()).is_ok_and(|text| text.chars().count() == 1));
        is_one.then(|| (tree.text(&text), method, tree.text(character)))
    };
    let found = [("==", ""), ("!=", "!")]
        .map(|(name, negation)| tree.only_call(advice.line, name, |at| parts(at).is_some()).map(|at| (at, negation)));
    let [equal, unequal] = found;
    let (at, negation) = equal.or(unequal).map_err(|_| "it is not compared with one character")?;
    let Some((text, method, character)) = parts(at) else { return Err("it compares something else".into()) };
    Ok(vec![Change::replace(tree.range(at), format!("{negation}{}.{method}({})", text?, character?))])
}

/// `text.strip.empty?` as `!text.match?(/[^\s\0]/)`, `text.downcase == "x"` as `text.casecmp?("x")`.
pub(super) fn compare(tree: &Tree<'_>, advice: &Advice) -> Edited {
    if let Ok(at) = tree.only_call(advice.line, "empty?", |at| made_by(tree, at, b"strip").is_some()) {
        let text = made_by(tree, at, b"strip").ok_or("it compares something else")?;
        return Ok(vec![Change::replace(tree.range(at), format!("!{}.match?(/[^\\s\\0]/)", tree.text(&text)?))]);
    }
    let parts = |at: At| {
        let list = arguments(&tree.call(at)?);
        let [other] = &list[..] else { return None };
        let is_of = |name: &[u8], is_same: fn(char) -> bool| {
            let text = other.as_string_node()?;
            let text = std::str::from_utf8(text.unescaped()).ok()?;
            made_by(tree, at, name).filter(|_| text.is_ascii() && text.chars().all(is_same))
        };
        let text = is_of(b"downcase", |letter| !letter.is_ascii_uppercase())
            .or_else(|| is_of(b"upcase", |letter| !letter.is_ascii_lowercase()))?;
        Some((tree.text(&text), tree.text(other)))
    };
    let at = tree.only_call(advice.line, "==", |at| parts(at).is_some())?;
    let Some((text, other)) = parts(at) else { return Err("it compares something else".into()) };
    Ok(vec![Change::replace(tree.range(at), format!("{}.casecmp?({})", text?, other?))])
}

/// What a call's receiver is made of, if that is the method's result.
fn made_by<'a>(tree: &Tree<'a>, at: At, name: &[u8]) -> Option<pm::Node<'a>> {
    let made = tree.call(at)?.receiver()?.as_call_node()?;
    let is_plain = made.name().as_slice() == name && arguments(&made).is_empty() && made.block().is_none();
    made.receiver().filter(|_| is_plain && !made.is_safe_navigation())
}

/// What asks for the character that an index names.
fn end_asked_for(tree: &Tree<'_>, index: &[pm::Node<'_>]) -> Option<&'static str> {
    let texts: Result<Vec<&str>, String> = index.iter().map(|node| tree.text(node)).collect();
    match texts.ok()?.join(", ").as_str() {
        "0" | "0, 1" | "0..0" => Some("start_with?"),
        "-1" | "-1, 1" | "-1..-1" => Some("end_with?"),
        _ => None,
    }
}

/// `{ a: 1 }.merge(b: 2)` as `{ a: 1, b: 2 }`, `inject({}) { |h, x| h.merge(…) }` with `merge!`.
pub(super) fn join_hashes(tree: &Tree<'_>, advice: &Advice) -> Edited {
    if let Some(changes) = merge_in_place(tree, advice) {
        return Ok(changes);
    }
    let parts = |at: At| {
        let call = tree.call(at).filter(|call| call.block().is_none())?;
        let (receiver, list) = (call.receiver()?.as_hash_node()?, arguments(&call));
        let [other] = &list[..] else { return None };
        Some((receiver, inside_hash(tree, other)?))
    };
    let at = tree.only_call(advice.line, "merge", |at| parts(at).is_some())?;
    let Some((first, second)) = parts(at) else { return Err("it merges something else".into()) };
    let last = first.elements().iter().last();
    let start = match &last {
        Some(last) => range_of(&last.location()).end,
        None => range_of(&first.opening_loc()).end,
    };
    let text = if last.is_some() { format!(", {second} }}") } else { format!(" {second} }}") };
    Ok(vec![Change::replace(start..tree.range(at).end, text)])
}

/// What is merged as it stands in a literal.
fn inside_hash(tree: &Tree<'_>, other: &pm::Node<'_>) -> Option<String> {
    let range = match (other.as_hash_node(), other.as_keyword_hash_node()) {
        (Some(hash), _) => range_of(&hash.opening_loc()).end..range_of(&hash.closing_loc()).start,
        (_, Some(pairs)) => range_of(&pairs.location()),
        _ if is_repeatable(other) => return Some(format!("**{}", tree.text(other).ok()?)),
        _ => return None,
    };
    Some(std::str::from_utf8(&tree.source[range]).ok()?.trim().into())
}

/// The hash that a block is given and returns is the new one that `inject` began with: nobody else holds it.
fn merge_in_place(tree: &Tree<'_>, advice: &Advice) -> Option<Vec<Change>> {
    let merged = |at: At| {
        let call = tree.call(at).filter(|call| call.block().is_none() && !call.is_safe_navigation())?;
        let hash = call.receiver()?.as_local_variable_read_node()?;
        let block_at = tree.around(at).nth(1).filter(|at| tree.node(*at).as_block_node().is_some())?;
        let block = tree.node(block_at).as_block_node()?;
        let first = block.parameters()?.as_block_parameters_node()?.parameters()?.requireds().iter().next()?;
        let statements = block.body()?.as_statements_node()?;
        let inject = tree.parent(block_at).and_then(|at| tree.call(at))?;
        let list = arguments(&inject);
        let is_fresh = matches!(&list[..], [seed] if seed.as_hash_node().is_some_and(|hash| hash.elements().iter().next().is_none()));
        let is_inject = matches!(inject.name().as_slice(), b"inject" | b"reduce") && is_fresh;
        let is_accumulator = first.as_required_parameter_node()?.name().as_slice() == hash.name().as_slice();
        let is_all = statements.body().iter().count() == 1;
        (is_inject && is_accumulator && is_all).then(|| call.message_loc()).flatten()
    };
    let at = tree.only_call(advice.line, "merge", |at| merged(at).is_some()).ok()?;
    Some(vec![Change::replace(range_of(&merged(at)?), "merge!")])
}

/// Two methods, and the one that does the same without an array between them. The block is the first one's, if it has one.
const BETWEEN: &[(&str, &str, &str)] = &[
    ("reverse", "each", "reverse_each"),
    ("select", "first", "find"),
    ("select", "size", "count"),
    ("select", "length", "count"),
    ("select", "count", "count"),
    ("sort", "first", "min"),
    ("sort", "last", "max"),
    ("map", "sum", "sum"),
    ("map", "to_h", "to_h"),
    ("sort_by", "first", "min_by"),
    ("sort_by", "last", "max_by"),
    ("chars", "each", "each_char"),
    ("lines", "each", "each_line"),
    ("bytes", "each", "each_byte"),
    ("bytes", "size", "bytesize"),
    ("bytes", "length", "bytesize"),
    ("bytes", "first", "getbyte(0)"),
    ("chars", "size", "size"),
    ("chars", "length", "size"),
    ("chars", "count", "size"),
];

/// `sort.first` as `min`, and the like.
pub(super) fn skip_array(tree: &Tree<'_>, advice: &Advice) -> Edited {
    if let Some(changes) =
        first_character(tree, advice).or_else(|| first_codepoint(tree, advice)).or_else(|| times_map(tree, advice))
    {
        return Ok(changes);
    }
    for (first, second, instead) in BETWEEN {
        let found = tree.only_call(advice.line, second, |at| array_between(tree, at, first).is_some());
        let Ok((at, array)) = found.and_then(|at| Ok((at, array_between(tree, at, first).ok_or("")?))) else {
            continue;
        };
        let (Some(call), Some(own)) = (tree.call(at), array.message_loc()) else { continue };
        let Some(message) = call.message_loc() else { continue };
        if *second == "each" && !tree.is_void(at) {
            return Err("what `each` returns may be used".into());
        }
        let mut changes = vec![Change::replace(range_of(&own), *instead)];
        changes.push(Change::remove(range_of(&array.location()).end..range_of(&message).end));
        return Ok(changes);
    }
    Err("it does not only go through the array".into())
}

/// `text.chars.first` as `text[0]`.
fn first_character(tree: &Tree<'_>, advice: &Advice) -> Option<Vec<Change>> {
    let at = tree.only_call(advice.line, "first", |at| array_between(tree, at, "chars").is_some()).ok()?;
    let operator = array_between(tree, at, "chars")?.call_operator_loc()?;
    (operator.as_slice() == b".").then(|| vec![Change::replace(range_of(&operator).start..tree.range(at).end, "[0]")])
}

/// `text.codepoints.first` as `text.ord`, which raises for an empty text.
fn first_codepoint(tree: &Tree<'_>, advice: &Advice) -> Option<Vec<Change>> {
    let at = tree.only_call(advice.line, "first", |at| array_between(tree, at, "codepoints").is_some()).ok()?;
    let text = array_between(tree, at, "codepoints")?.receiver().filter(is_repeatable)?;
    let text = tree.text(&text).ok()?;
    Some(vec![Change::replace(tree.range(at), format!("({text}.empty? ? nil : {text}.ord)"))])
}

/// `n.times.map { … }` as `Array.new(n) { … }`.
fn times_map(tree: &Tree<'_>, advice: &Advice) -> Option<Vec<Change>> {
    let times = |at: At| {
        let map = tree.call(at).filter(|map| map.block().is_some() && arguments(map).is_empty())?;
        let times = map.receiver()?.as_call_node().filter(|times| times.name().as_slice() == b"times")?;
        let is_plain = arguments(&times).is_empty() && times.block().is_none() && !times.is_safe_navigation();
        times.receiver().filter(|_| is_plain && !map.is_safe_navigation())
    };
    let at = tree.only_call(advice.line, "map", |at| times(at).is_some()).ok()?;
    let count = tree.text(&times(at)?).ok()?;
    let end = range_of(&tree.call(at)?.message_loc()?).end;
    Some(vec![Change::replace(tree.range(at).start..end, format!("::Array.new({count})"))])
}

/// `text.scan(/x/).first` as `text[/x/]`, if the pattern has no groups.
fn first_match(tree: &Tree<'_>, advice: &Advice) -> Option<Vec<Change>> {
    let scan = |at: At| {
        let call = tree.call(at).filter(|call| arguments(call).is_empty() && call.block().is_none())?;
        let scan = call.receiver()?.as_call_node().filter(|scan| scan.name().as_slice() == b"scan")?;
        let list = arguments(&scan);
        let is_plain = matches!(&list[..], [pattern] if pattern.as_regular_expression_node().is_some_and(|pattern| !pattern.unescaped().contains(&b'(')));
        (is_plain && scan.block().is_none()).then_some(scan)
    };
    let at = tree.only_call(advice.line, "first", |at| scan(at).is_some()).ok()?;
    let scan = scan(at)?;
    let operator = scan.call_operator_loc().filter(|operator| operator.as_slice() == b".")?;
    let list = arguments(&scan);
    let pattern = tree.text(list.first()?).ok()?;
    Some(vec![Change::replace(range_of(&operator).start..tree.range(at).end, format!("[{pattern}]"))])
}

/// The call that makes the array, if the other one takes nothing from it but the array, and one of them at most has a block.
fn array_between<'a>(tree: &Tree<'a>, at: At, first: &str) -> Option<pm::CallNode<'a>> {
    let call = tree.call(at).filter(|call| arguments(call).is_empty() && !call.is_safe_navigation())?;
    let array = call.receiver()?.as_call_node().filter(|array| array.name().as_slice() == first.as_bytes())?;
    let needs_block = matches!(first, "select" | "map" | "sort_by");
    let has_block = array.block().is_some();
    let is_each = call.name().as_slice() == b"each";
    let fits = arguments(&array).is_empty() && has_block == needs_block && call.block().is_some() == is_each;
    fits.then_some(array)
}

/// `def f(a, b = {})` as `def f(a, b = {}.freeze)`.
pub(super) fn freeze_default(tree: &Tree<'_>, advice: &Advice) -> Edited {
    let is_empty = |node: &pm::Node<'_>| {
        node.as_hash_node().is_some_and(|hash| hash.elements().iter().next().is_none())
            || node.as_array_node().is_some_and(|array| array.elements().iter().next().is_none())
    };
    let defaults = tree.all().filter_map(|(_, node)| match node.as_optional_parameter_node() {
        Some(parameter) => Some(parameter.value()),
        None => node.as_optional_keyword_parameter_node().map(|parameter| parameter.value()),
    });
    let meant = defaults.filter(|value| value.location().start_line() == advice.line && is_empty(value));
    let changes: Vec<Change> = meant.map(|value| Change::insert(range_of(&value.location()).end, ".freeze")).collect();
    if changes.is_empty() { Err("its line has no empty default".into()) } else { Ok(changes) }
}
