//! Regexps that are compiled each time, and texts that are replaced step by step.

use super::tree::{At, Tree, arguments, is_repeatable, range_of};
use super::{Change, Edited, NoEdit};
use crate::report::Advice;
use ruby_prism as pm;

/// `/#{A}b/` as `/#{A}b/o`, where all that it interpolates are constants, or else kept in a table by its source.
pub(super) fn compile_once(tree: &Tree<'_>, advice: &Advice) -> Edited {
    let mut changes = Vec::new();
    for (at, node) in tree.all().filter(|(_, node)| node.location().start_line() == advice.line) {
        let Some(pattern) = node.as_interpolated_regular_expression_node() else { continue };
        let is_once = pattern.closing_loc().as_slice().contains(&b'o');
        if !is_once && pattern.parts().iter().all(|part| part.as_string_node().is_some() || is_constant_part(&part)) {
            changes.push(Change::insert(range_of(&pattern.closing_loc()).end, "o"));
        } else if !is_once && let Some(text) = kept_by_source(tree, at, &pattern)? {
            changes.push(Change::replace(tree.range(at), text));
        }
    }
    if changes.is_empty() {
        Err("what it interpolates may be another thing the second time".into())
    } else {
        Ok(changes)
    }
}

/// The only statement of `#{…}`.
fn only_statement<'a>(part: &pm::Node<'a>) -> Option<pm::Node<'a>> {
    let statements = part.as_embedded_statements_node()?.statements()?;
    let mut list = statements.body().iter();
    list.next().filter(|_| list.next().is_none())
}

/// `#{NAME}`
fn is_constant_part(part: &pm::Node<'_>) -> bool {
    matches!(only_statement(part), Some(pm::Node::ConstantReadNode { .. } | pm::Node::ConstantPathNode { .. }))
}

/// Where the regexps of an object are kept.
const TABLE: &str = "@patterns";

/// `((@patterns ||= {})["source/flags"] ||= /source/flags)`, in a method, if the parts can be evaluated twice. The key is the whole
/// source, so that two regexps with one key are the same.
fn kept_by_source(
    tree: &Tree<'_>,
    at: At,
    pattern: &pm::InterpolatedRegularExpressionNode<'_>,
) -> Result<Option<String>, String> {
    if tree.source.windows(TABLE.len()).any(|text| text == TABLE.as_bytes()) {
        return Err(format!("the file has {TABLE} already"));
    }
    let is_in_method = tree.around(at).any(|at| tree.node(at).as_def_node().is_some());
    let mut key = String::new();
    for part in &pattern.parts() {
        if let Some(text) = part.as_string_node() {
            let quoted = crate::record::inspected(text.content_loc().as_slice(), carat_vm::EncodingIndex::UTF_8);
            key.push_str(&quoted[1..quoted.len() - 1]);
        } else if only_statement(&part).is_some_and(|node| is_lasting(&node)) {
            key.push_str(tree.text(&part)?);
        } else {
            return Ok(None);
        }
    }
    let flags = String::from_utf8_lossy(&pattern.closing_loc().as_slice()[1..]).into_owned();
    let text = tree.text(tree.node(at))?;
    Ok(is_in_method.then(|| format!("(({TABLE} ||= {{}})[\"{key}/{flags}\"] ||= {text})")))
}

/// Whether a node is the same when it is evaluated again at once: what can be repeated, and elements of it by literal indexes.
fn is_lasting(node: &pm::Node<'_>) -> bool {
    let is_element = |call: pm::CallNode<'_>| {
        let list = arguments(&call);
        let is_literal = matches!(&list[..], [pm::Node::IntegerNode { .. } | pm::Node::SymbolNode { .. }]);
        call.name().as_slice() == b"[]" && is_literal && call.receiver().is_some_and(|receiver| is_lasting(&receiver))
    };
    is_repeatable(node) || node.as_constant_path_node().is_some() || node.as_call_node().is_some_and(is_element)
}

/// `out << "a#{b}c"` as `out << "a".freeze << b.to_s << "c".freeze`, for what can be evaluated in any order.
pub(super) fn append_parts(tree: &Tree<'_>, advice: &Advice) -> Edited {
    let appended = |at: At| {
        let list = arguments(&tree.call(at)?);
        let [text] = &list[..] else { return None };
        let text = text.as_interpolated_string_node()?;
        text.opening_loc().filter(|opening| opening.as_slice() == b"\"").map(|_| text)
    };
    let calls = tree.calls(advice.line, "<<").into_iter().filter(|at| appended(*at).is_some());
    let mut changes = Vec::new();
    for at in calls {
        let text = appended(at).ok_or("it appends something else")?;
        let parts: Result<Vec<String>, NoEdit> = text.parts().iter().map(|part| appended_part(tree, &part)).collect();
        changes.push(Change::replace(range_of(&text.location()), parts?.join(" << ")));
    }
    match changes.is_empty() {
        true => Err(NoEdit::Absent("its line appends no interpolated text".into())),
        false => Ok(changes),
    }
}

fn appended_part(tree: &Tree<'_>, part: &pm::Node<'_>) -> Result<String, NoEdit> {
    if part.as_string_node().is_some() {
        let text = tree.text(part)?;
        return Ok(if text.contains(['\n', '"']) { Err("its text has lines")? } else { format!("\"{text}\".freeze") });
    }
    let value = only_statement(part).ok_or("it interpolates more than a value")?;
    let text = tree.text(&value)?;
    let is_call = value
        .as_call_node()
        .is_some_and(|call| call.block().is_none() && (call.closing_loc().is_some() || arguments(&call).is_empty()));
    let is_name = !text.contains(' ') && (is_call || is_repeatable(&value));
    Ok(if is_name { format!("{text}.to_s") } else { format!("({text}).to_s") })
}

/// `gsub(x) { |text| TABLE[text] }` as `gsub(x, TABLE)`.
pub(super) fn look_up(tree: &Tree<'_>, advice: &Advice) -> Edited {
    let at = tree.only_call(advice.line, "gsub", |at| table_of(tree, at).is_some())?;
    let (Some((table, block)), Some(call)) = (table_of(tree, at), tree.call(at)) else {
        return Err("its block does more than look up".into());
    };
    let list = arguments(&call);
    let [pattern] = &list[..] else { return Err("`gsub` has a replacement".into()) };
    let table = tree.text(&table)?;
    let end = range_of(&pattern.location()).end;
    let closing = call.closing_loc().map_or(end, |closing| range_of(&closing).end);
    let behind = if call.closing_loc().is_some() { ")" } else { "" };
    let rest = range_of(&block).end;
    Ok(vec![Change::replace(end..closing.max(rest), format!(", {table}{behind}"))])
}

/// The constant in which a call's block looks up the text that it is given, and the block's place.
fn table_of<'a>(tree: &Tree<'a>, at: At) -> Option<(pm::Node<'a>, pm::Location<'a>)> {
    let block = tree.call(at)?.block()?.as_block_node()?;
    let parameters = block.parameters()?.as_block_parameters_node()?.parameters()?;
    let parameter = parameters.requireds().iter().next()?.as_required_parameter_node()?.name();
    let body: Vec<pm::Node<'a>> = block.body()?.as_statements_node()?.body().iter().collect();
    let [only] = &body[..] else { return None };
    let look_up = only.as_call_node().filter(|call| call.name().as_slice() == b"[]")?;
    let list = arguments(&look_up);
    let [key] = &list[..] else { return None };
    let is_parameter = key.as_local_variable_read_node()?.name().as_slice() == parameter.as_slice();
    let table = look_up
        .receiver()
        .filter(|table| table.as_constant_read_node().is_some() || table.as_constant_path_node().is_some());
    table.filter(|_| is_parameter).map(|table| (table, block.location()))
}

fn is_gsub(call: &pm::CallNode<'_>) -> bool {
    call.name().as_slice() == b"gsub" && !call.is_safe_navigation()
}

/// A chain of `gsub`, the first call first.
fn chain<'a>(tree: &Tree<'a>, last: At) -> Vec<pm::CallNode<'a>> {
    let mut calls: Vec<pm::CallNode<'a>> = tree.call(last).into_iter().collect();
    while let Some(before) =
        calls.last().and_then(|call| call.receiver()).and_then(|node| node.as_call_node()).filter(is_gsub)
    {
        calls.push(before);
    }
    calls.reverse();
    calls
}

/// `gsub(/&/, "&amp;").gsub(/</, "&lt;")` as one `gsub` with a table, or else the later ones as `gsub!`.
pub(super) fn join_chain(tree: &Tree<'_>, advice: &Advice) -> Edited {
    let is_last = |at: &At| {
        let outer = tree.parent(*at).and_then(|parent| tree.call(parent)).filter(is_gsub);
        let is_receiver = |outer: pm::CallNode<'_>| {
            outer.receiver().is_some_and(|receiver| range_of(&receiver.location()) == tree.range(*at))
        };
        tree.call(*at).is_some_and(|call| is_gsub(&call)) && !outer.is_some_and(is_receiver)
    };
    let touches = |at: &At| {
        let calls = chain(tree, *at);
        let lines = calls.iter().filter_map(|call| call.message_loc()).map(|place| place.start_line());
        calls.len() > 1 && lines.into_iter().any(|line| line == advice.line)
    };
    let lasts: Vec<At> = tree.all().map(|(at, _)| at).filter(|at| is_last(at) && touches(at)).collect();
    let last = super::tree::only(&lasts, "chain of `gsub`")?;
    let calls = chain(tree, last);
    let pairs: Option<Vec<(char, String)>> = calls.iter().map(|call| replaced_character(tree, call)).collect();
    match pairs.filter(|pairs| is_one_step(pairs)) {
        Some(pairs) => with_table(&calls, &pairs),
        None => in_place(tree, &calls),
    }
}

/// The character that a call replaces by a text without references to the match.
fn replaced_character(tree: &Tree<'_>, call: &pm::CallNode<'_>) -> Option<(char, String)> {
    let list = arguments(call);
    let [pattern, replacement] = &list[..] else { return None };
    let text = replacement.as_string_node().filter(|text| !text.unescaped().contains(&b'\\'))?;
    let quoted = tree.text(&text.as_node()).ok()?.to_string();
    text.opening_loc().filter(|opening| matches!(opening.as_slice(), b"\"" | b"'"))?;
    let characters = match pattern.as_string_node() {
        Some(string) => std::str::from_utf8(string.unescaped()).ok()?.to_string(),
        None => plain_pattern(pattern)?,
    };
    let mut characters = characters.chars();
    let character = characters.next()?;
    characters.next().is_none().then_some((character, quoted))
}

/// A pattern without flags that stands for itself.
fn plain_pattern(node: &pm::Node<'_>) -> Option<String> {
    let pattern = node.as_regular_expression_node()?;
    let text = std::str::from_utf8(pattern.unescaped()).ok()?;
    let is_plain = !text.contains(['\\', '.', '*', '+', '?', '^', '$', '|', '(', ')', '[', ']', '{', '}']);
    (is_plain && pattern.closing_loc().as_slice().len() == 1).then(|| text.to_string())
}

/// Whether no step replaces what an earlier one put there.
fn is_one_step(pairs: &[(char, String)]) -> bool {
    let mut earlier = pairs.iter().enumerate();
    earlier.all(|(number, (_, text))| pairs[number + 1..].iter().all(|(character, _)| !text.contains(*character)))
}

fn with_table(calls: &[pm::CallNode<'_>], pairs: &[(char, String)]) -> Edited {
    let (Some(first), Some(last)) = (calls.first(), calls.last()) else { return Err("there is no chain".into()) };
    let start = first.message_loc().map(|message| range_of(&message).start).ok_or("the call has no name")?;
    let escape = |character: &char| match character {
        '\\' | ']' | '[' | '^' | '-' | '/' | '#' => format!("\\{character}"),
        '\n' => "\\n".into(),
        '\r' => "\\r".into(),
        '\t' => "\\t".into(),
        other => other.to_string(),
    };
    let set: String = pairs.iter().map(|(character, _)| escape(character)).collect();
    let table: Vec<String> =
        pairs.iter().map(|(character, text)| format!("{:?} => {text}.freeze", character.to_string())).collect();
    let text = format!("gsub(/[{set}]/, {{ {} }})", table.join(", "));
    Ok(vec![Change::replace(start..range_of(&last.location()).end, text)])
}

/// Name of the string between the steps.
const COPY: &str = "copy";

/// `gsub(a, b).gsub(c, d)` as `gsub(a, b).tap { |copy| copy.gsub!(c, d) }`.
fn in_place(tree: &Tree<'_>, calls: &[pm::CallNode<'_>]) -> Edited {
    let [first, rest @ ..] = calls else { return Err("there is no chain".into()) };
    let start = range_of(&first.location()).end;
    let end = rest.last().map_or(start, |last| range_of(&last.location()).end);
    let source =
        |range: std::ops::Range<usize>| std::str::from_utf8(&tree.source[range]).map_err(|_| "the source is no UTF-8");
    if source(range_of(&first.location()).start..end)?.contains(COPY) {
        return Err(format!("its source has the word {COPY}").into());
    }
    let steps = rest.iter().map(|call| {
        let message = call.message_loc().ok_or("the call has no name")?;
        Ok(format!("{COPY}.gsub!{}", source(range_of(&message).end..range_of(&call.location()).end)?))
    });
    let steps: Result<Vec<String>, &str> = steps.collect();
    Ok(vec![Change::replace(start..end, format!(".tap {{ |{COPY}| {} }}", steps?.join("; ")))])
}

/// `gsub("a", "b")` as `tr("a", "b")`, `gsub(/[^a-z]/, "")` as `delete("^a-z")`.
pub(super) fn translate(tree: &Tree<'_>, advice: &Advice) -> Edited {
    let found: Vec<(At, String)> =
        tree.calls(advice.line, "gsub").into_iter().filter_map(|at| Some((at, translation(tree, at)?))).collect();
    let changes = found.iter().map(|(at, text)| {
        let message = tree.call(*at).and_then(|call| call.message_loc()).ok_or("the call has no name")?;
        Ok(Change::replace(range_of(&message).start..tree.range(*at).end, text.as_str()))
    });
    match found.is_empty() {
        true => Err("it replaces more than characters".into()),
        false => changes.collect(),
    }
}

/// The call that does the same as a `gsub` of characters.
fn translation(tree: &Tree<'_>, at: At) -> Option<String> {
    let call = tree.call(at).filter(|call| call.block().is_none() && call.closing_loc().is_some())?;
    let list = arguments(&call);
    let [pattern, replacement] = &list[..] else { return None };
    let new = replacement
        .as_string_node()
        .map(|text| text.unescaped().to_vec())
        .and_then(|text| String::from_utf8(text).ok())?;
    let set = match pattern.as_string_node() {
        Some(text) => one_of_set(std::str::from_utf8(text.unescaped()).ok()?)?,
        None => plain_pattern(pattern).and_then(|text| one_of_set(&text)).or_else(|| character_set(pattern))?,
    };
    match (new.chars().count(), one_of_set(&new)) {
        (0, _) => Some(format!("delete({set:?})")),
        (1, Some(new)) => Some(format!("tr({set:?}, {new:?})")),
        _ => None,
    }
}

/// A text of one character as `tr` takes it: `^` and `-` alone are nothing but themselves.
fn one_of_set(text: &str) -> Option<String> {
    let mut characters = text.chars();
    let (character, more) = (characters.next()?, characters.next());
    let is_plain = character.is_ascii() && (!character.is_ascii_control() || matches!(character, '\n' | '\t' | '\r'));
    (more.is_none() && is_plain && character != '\\').then(|| text.to_string())
}

/// `[^a-z_]` of letters, digits, blanks and `_` as `tr` takes it.
fn character_set(node: &pm::Node<'_>) -> Option<String> {
    let pattern = node.as_regular_expression_node().filter(|pattern| pattern.closing_loc().as_slice().len() == 1)?;
    let set = std::str::from_utf8(pattern.unescaped()).ok()?.strip_prefix('[')?.strip_suffix(']')?;
    let inner = set.strip_prefix('^').unwrap_or(set);
    let is_plain =
        |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | ' ' | '-' | ',' | '.' | ':');
    let dash_is_a_range = !inner.starts_with('-') && !inner.ends_with('-');
    (!inner.is_empty() && inner.chars().all(is_plain) && dash_is_a_range).then(|| set.to_string())
}
