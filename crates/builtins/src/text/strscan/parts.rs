//! What was matched: the whole, its groups, and what is on either side.

use super::{This, string_of};
use crate::text::regexp::Regexp;
use crate::text::regexp::scanner::{group_names, named_group};
use carat_vm::{Array, Data, Ec, Hash, Rest, Result, Str, Unwind, Value, methods};

methods! {
    METHODS {
        "matched?" => is_matched;
        "matched" => matched;
        "matched_size" => matched_size;
        borrowing "[]" => aref;
        "size" => size;
        "captures" => captures;
        "values_at" => values_at;
        "named_captures" => named_captures;
        "pre_match" => pre_match;
        "post_match" => post_match;
    }
}

/// The bytes between two places as far as they are there; nil if they begin behind the end.
pub(super) fn part(ec: &mut Ec, s: Str, from: usize, to: usize) -> Value {
    let len = s.len(ec);
    if from > len {
        return Value::NIL;
    }
    s.share(ec, from, to.min(len).saturating_sub(from)).value()
}

/// Where a group lies, counted from the beginning of the string.
fn span(ec: &Ec, this: This, group: usize) -> Option<(usize, usize)> {
    let scanner = this.get(ec);
    let (from, to) = scanner.places.borrow().region.pos(group)?;
    Some((scanner.base() + from, scanner.base() + to))
}

/// The string, and where the whole match lies if there is one.
fn whole(ec: &mut Ec, this: This) -> Result<(Str, Option<(usize, usize)>)> {
    let s = string_of(ec, this)?;
    let is_matched = this.get(ec).is_matched.get();
    Ok((s, if is_matched { span(ec, this, 0) } else { None }))
}

/// Number of groups, the whole included; nothing without a match.
fn count(ec: &mut Ec, this: This) -> Result<Option<usize>> {
    string_of(ec, this)?;
    let scanner = this.get(ec);
    Ok(scanner.is_matched.get().then(|| scanner.places.borrow().region.len()))
}

fn group(ec: &mut Ec, this: This, group: usize) -> Result {
    let s = string_of(ec, this)?;
    Ok(span(ec, this, group).map_or(Value::NIL, |(from, to)| part(ec, s, from, to)))
}

fn is_matched(ec: &mut Ec, this: This) -> Result<bool> {
    string_of(ec, this)?;
    Ok(this.get(ec).is_matched.get())
}

fn matched(ec: &mut Ec, this: This) -> Result {
    let (s, whole) = whole(ec, this)?;
    Ok(whole.map_or(Value::NIL, |(from, to)| part(ec, s, from, to)))
}

fn matched_size(ec: &mut Ec, this: This) -> Result<Option<usize>> {
    Ok(whole(ec, this)?.1.map(|(from, to)| to - from))
}

fn pre_match(ec: &mut Ec, this: This) -> Result {
    let (s, whole) = whole(ec, this)?;
    Ok(whole.map_or(Value::NIL, |(from, _)| part(ec, s, 0, from)))
}

fn post_match(ec: &mut Ec, this: This) -> Result {
    let (s, whole) = whole(ec, this)?;
    Ok(whole.map_or(Value::NIL, |(_, to)| part(ec, s, to, s.len(ec))))
}

fn size(ec: &mut Ec, this: This) -> Result<Option<usize>> {
    count(ec, this)
}

/// A group by number or name.
fn aref(ec: &mut Ec, this: This, which: Value) -> Result {
    let Some(count) = count(ec, this)? else { return Ok(Value::NIL) };
    let number = match name_of(ec, which) {
        Some(name) => number_of(ec, this, name)?,
        None => ec.to_long(which)?,
    };
    match crate::text::string::from_start(number, count) {
        Some(number) => group(ec, this, number),
        None => Ok(Value::NIL),
    }
}

/// The name that a symbol or a string gives.
fn name_of(ec: &Ec, which: Value) -> Option<Str> {
    which.as_symbol().map(|symbol| ec.symbol_to_str(symbol)).or_else(|| Str::from_value(which))
}

fn number_of(ec: &mut Ec, this: This, name: Str) -> Result<i64> {
    let scanner = this.get(ec);
    let found = Data::<Regexp>::from_value(scanner.regexp.get())
        .and_then(|regexp| named_group(ec, regexp, name.bytes(ec), &scanner.places.borrow()));
    match found {
        Some(number) => Ok(number as i64),
        None => Err(undefined(ec, name)),
    }
}

#[cold]
fn undefined(ec: &mut Ec, name: Str) -> Unwind {
    let name = name.to_text(ec);
    ec.index_error(&format!("undefined group name reference: {name}"))
}

fn captures(ec: &mut Ec, this: This) -> Result<Option<Array>> {
    let Some(count) = count(ec, this)? else { return Ok(None) };
    let list = Array::new(ec, count.saturating_sub(1));
    for number in 1..count {
        let text = group(ec, this, number)?;
        list.push(ec, text);
    }
    Ok(Some(list))
}

fn values_at(ec: &mut Ec, this: This, which: Rest) -> Result<Option<Array>> {
    if count(ec, this)?.is_none() {
        return Ok(None);
    }
    let list = Array::new(ec, which.len());
    for which in which.iter() {
        let text = aref(ec, this, which)?;
        list.push(ec, text);
    }
    Ok(Some(list))
}

/// The groups of the last Regexp by name, whether it matched or not; of several of one name the last that took part. The
/// names are bytes.
fn named_captures(ec: &mut Ec, this: This) -> Result<Hash> {
    string_of(ec, this)?;
    let captures = Hash::new(ec);
    let Some(regexp) = Data::<Regexp>::from_value(this.get(ec).regexp.get()) else { return Ok(captures) };
    let names = group_names(ec, regexp)?;
    for index in 0..names.len(ec) {
        let name = names.at(ec, index);
        let text = aref(ec, this, name)?;
        captures.set(ec, name, text)?;
    }
    Ok(captures)
}
