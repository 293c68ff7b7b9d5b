//! MatchData: a match and its parts.

use super::object::{self, Regexp};
use super::pattern::Pattern;
use super::spans::Spans;
use crate::collection::range::range_parts;
use carat_text::chars;
use carat_text::encoding::EncodingIndex;
use carat_vm::Visibility;
use carat_vm::method::MethodKind;
use carat_vm::{
    Array, Class, CodeRange, Data, Ec, Hash, Keywords, NativeData, Rest, Result, Str, SymbolId, Unwind, Value, methods,
    sym,
};
use std::sync::Arc;

/// What a MatchData carries.
pub(crate) struct MatchData {
    /// The frozen copy of the string; nil when there was no match to begin with.
    string: Value,
    /// Nil for a match of a plain string until somebody asks for it.
    regexp: Value,
    pattern: Option<Arc<Pattern>>,
    spans: Spans,
}

impl NativeData for MatchData {
    const NAME: &'static str = "MatchData";
    const IS_SHAREABLE: bool = true;

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.string);
        mark(self.regexp);
    }

    fn memsize(&self) -> usize {
        size_of::<Self>() + self.spans.heap_bytes()
    }
}

methods! {
    METHODS {
        private "initialize_copy" => initialize_copy;
        "regexp" => regexp;
        "names" => names;
        "size" => size;
        "length" => size;
        "offset" => offset;
        "byteoffset" => byteoffset;
        "bytebegin" => bytebegin;
        "byteend" => byteend;
        "begin" => begin;
        "end" => end;
        "match" => match_;
        "match_length" => match_length;
        "to_a" => to_a;
        "captures" => captures;
        alias "deconstruct" of "captures" => captures;
        "named_captures" => named_captures;
        "deconstruct_keys" => deconstruct_keys;
        "[]" => aref;
        "values_at" => values_at;
        "pre_match" => pre_match;
        "post_match" => post_match;
        "to_s" => to_s;
        "inspect" => inspect;
        "string" => string;
        "hash" => hash;
        "==" => equal;
        "eql?" => equal;
    }
}

pub(super) fn init(ec: &mut Ec, class: Class) {
    // `dup` needs an allocator; Ruby code makes no MatchData.
    class.set_allocator(Some(allocate));
    class.define_methods(ec, METHODS);
    let singleton = ec.singleton_class_of(class.value()).expect("classes have singleton classes");
    for name in [sym::NEW, sym::ALLOCATE] {
        singleton.add_method(ec, name, MethodKind::Undefined, Visibility::Public, Value::NIL);
    }
}

fn allocate(ec: &mut Ec, class: Class) -> Result {
    let empty = MatchData { string: Value::NIL, regexp: Value::NIL, pattern: None, spans: Spans::of_range(0, 0) };
    Ok(Data::new(ec, class, empty).value())
}

impl MatchData {
    pub(super) fn create(ec: &Ec, string: Str, regexp: Value, pattern: Option<Arc<Pattern>>, spans: Spans) -> Value {
        Data::new(ec, ec.vm().known().match_data, MatchData { string: string.value(), regexp, pattern, spans }).value()
    }

    pub(super) fn span(&self, group: usize) -> Option<(usize, usize)> {
        self.spans.span(group)
    }
}

type Match = Data<MatchData>;

fn string_of(ec: &mut Ec, this: Match) -> Result<Str> {
    Str::from_value(this.get(ec).string).ok_or_else(|| ec.type_error("uninitialized MatchData"))
}

/// The text of a group; nil if it took no part.
fn group(ec: &mut Ec, this: Match, group: usize) -> Result {
    let s = string_of(ec, this)?;
    match this.get(ec).span(group) {
        Some((start, end)) => Ok(s.share(ec, start, end - start).value()),
        None => Ok(Value::NIL),
    }
}

/// `Regexp.last_match(n)`
pub(super) fn nth(ec: &mut Ec, last: Value, which: Value) -> Result {
    let Some(this) = Match::from_value(last) else { return Ok(Value::NIL) };
    match group_argument(ec, this, which)? {
        Ok(number) => group(ec, this, number),
        Err(_) => Ok(Value::NIL),
    }
}

/// The numbers of the groups that took part in a match; of none for nil.
pub(crate) fn groups_that_matched(ec: &Ec, last: Value) -> Vec<usize> {
    let Some(this) = Match::from_value(last) else { return Vec::new() };
    let spans = &this.get(ec).spans;
    (1..spans.len()).filter(|number| spans.span(*number).is_some()).collect()
}

// ---- which group ----

fn undefined_group(ec: &mut Ec, name: &GroupName) -> Unwind {
    let message = [b"undefined group name reference: ", &name.bytes[..]].concat();
    let message = Str::new(ec, &message, name.encoding, CodeRange::Unknown);
    ec.error_with(ec.vm().known().index_error, message)
}

/// Of the groups of a name, the last that took part in the match.
fn pick(spans: &Spans, groups: &[u32]) -> usize {
    let matched = groups.iter().rev().find(|n| spans.span(**n as usize).is_some());
    *matched.or(groups.last()).unwrap_or(&0) as usize
}

/// The group of a name; `None` if there is no such name.
fn named_group(pattern: Option<&Pattern>, spans: &Spans, name: &[u8]) -> Option<usize> {
    pattern?.groups_named(name).map(|groups| pick(spans, groups))
}

struct GroupName {
    bytes: Box<[u8]>,
    encoding: EncodingIndex,
}

impl GroupName {
    /// The group; `None` if no group has the name, or a pattern in another encoding has it.
    fn group(&self, pattern: Option<&Pattern>, spans: &Spans) -> Option<usize> {
        let pattern = pattern.filter(|p| self.bytes.is_ascii() || p.encoding == self.encoding);
        named_group(pattern, spans, &self.bytes)
    }
}

/// The name that a symbol or string gives.
fn name_of(ec: &Ec, value: Value) -> Option<GroupName> {
    if let Some(symbol) = value.as_symbol() {
        let name = ec.vm().symbol_name(symbol);
        return Some(GroupName { bytes: name.bytes.into(), encoding: name.encoding });
    }
    Str::from_value(value).map(|s| GroupName { bytes: s.bytes(ec).into(), encoding: s.encoding() })
}

/// A group number that may count from the end, where the whole match cannot be reached.
fn from_either_end(number: i64, count: usize) -> Option<usize> {
    match usize::try_from(number) {
        Ok(number) => Some(number),
        Err(_) => count.checked_sub(usize::try_from(number.unsigned_abs()).ok()?).filter(|n| *n > 0),
    }
}

/// A group given by name or number. Numbers are as they were given: negative or too large ones are `Err`.
fn group_argument(ec: &mut Ec, this: Match, which: Value) -> Result<std::result::Result<usize, i64>> {
    if let Some(name) = name_of(ec, which) {
        let data = this.get(ec);
        return match name.group(data.pattern.as_deref(), &data.spans) {
            Some(group) => Ok(Ok(group)),
            None => Err(undefined_group(ec, &name)),
        };
    }
    let number = ec.to_long(which)?;
    let count = this.get(ec).spans.len() as i64;
    Ok(from_either_end(number, count as usize).filter(|n| (*n as i64) < count).ok_or(number))
}

/// A group for `begin`, `end` and the like: they take no negative numbers.
fn strict_group(ec: &mut Ec, this: Match, which: Value) -> Result<usize> {
    string_of(ec, this)?;
    if name_of(ec, which).is_some() {
        return Ok(group_argument(ec, this, which)?.unwrap_or(0));
    }
    let number = ec.to_long(which)?;
    let count = this.get(ec).spans.len();
    match usize::try_from(number).ok().filter(|group| *group < count) {
        Some(group) => Ok(group),
        None => Err(ec.index_error(&format!("index {number} out of matches"))),
    }
}

/// For `String#[regexp, group]`: `None` if a number is out of range.
pub(super) fn group_number(ec: &mut Ec, regexp: Data<Regexp>, spans: &Spans, which: Value) -> Result<Option<usize>> {
    if let Some(name) = name_of(ec, which) {
        let pattern = object::pattern_of(ec, regexp)?;
        return match name.group(Some(&pattern), spans) {
            Some(group) => Ok(Some(group)),
            None => Err(undefined_group(ec, &name)),
        };
    }
    Ok(from_either_end(ec.to_long(which)?, spans.len()))
}

// ---- hooks ----

/// Hook: `$&` (1), `` $` `` (2), `$'` (3), `$+` (4) and, from 16 on, the groups.
pub(crate) fn match_part(ec: &mut Ec, last: Value, kind: i32) -> Result {
    let Some(this) = Match::from_value(last) else { return Ok(Value::NIL) };
    match kind {
        1 => group(ec, this, 0),
        2 => pre_match(ec, this).map(|s| s.value()),
        3 => post_match(ec, this).map(|s| s.value()),
        4 => {
            let data = this.get(ec);
            let last = (1..data.spans.len()).rev().find(|n| data.span(*n).is_some());
            last.map_or(Ok(Value::NIL), |n| group(ec, this, n))
        }
        16.. => group(ec, this, (kind - 16) as usize),
        _ => Ok(Value::NIL),
    }
}

/// Hook: a named group, nil if there is none.
pub(crate) fn match_named(ec: &mut Ec, last: Value, name: SymbolId) -> Result {
    let Some(this) = Match::from_value(last) else { return Ok(Value::NIL) };
    let name = ec.vm().symbol_name(name).bytes;
    let data = this.get(ec);
    match named_group(data.pattern.as_deref(), &data.spans, name) {
        Some(number) => group(ec, this, number),
        None => Ok(Value::NIL),
    }
}

// ---- properties ----

fn initialize_copy(ec: &mut Ec, this: Match, other: Match) -> Result {
    if ec.is_frozen(this.value()) && this.value() != other.value() {
        return Err(ec.frozen_error(this.value()));
    }
    let data = other.get(ec);
    let copy = MatchData {
        string: data.string,
        regexp: data.regexp,
        pattern: data.pattern.clone(),
        spans: data.spans.clone(),
    };
    *this.get_mut(ec) = copy;
    ec.wrote(this.value());
    Ok(this.value())
}

/// The Regexp; a match of a plain string gets one of its text.
fn regexp(ec: &mut Ec, this: Match) -> Result {
    string_of(ec, this)?;
    let known = this.get(ec).regexp;
    if !known.is_nil() {
        return Ok(known);
    }
    let text = group(ec, this, 0)?;
    let source = super::class::quote(ec, Str::expect(text))?;
    let made = object::create_plain(ec, source, 0)?.value();
    if !ec.is_marked_shareable(this.value()) {
        this.get_mut(ec).regexp = made;
        ec.wrote(this.value());
    }
    Ok(made)
}

pub(super) fn names_of(ec: &Ec, pattern: &Pattern) -> Array {
    let names = Array::new(ec, pattern.names.len());
    for (name, _) in &pattern.names {
        names.push(ec, Str::new(ec, name, pattern.encoding, CodeRange::Unknown).value());
    }
    names
}

fn names(ec: &mut Ec, this: Match) -> Result<Array> {
    string_of(ec, this)?;
    match this.get(ec).pattern.clone() {
        Some(pattern) => Ok(names_of(ec, &pattern)),
        None => Ok(Array::new(ec, 0)),
    }
}

fn size(ec: &mut Ec, this: Match) -> Result<usize> {
    string_of(ec, this)?;
    Ok(this.get(ec).spans.len())
}

fn string(ec: &mut Ec, this: Match) -> Result<Str> {
    string_of(ec, this)
}

fn hash(ec: &mut Ec, this: Match) -> Result {
    let s = string_of(ec, this)?;
    let regexp = regexp(ec, this)?;
    let seed = ec.hash_value(regexp)? ^ s.hash_value(ec);
    let spans = &this.get(ec).spans;
    let bits = (0..spans.len())
        .filter_map(|n| spans.span(n))
        .fold(seed, |h, (a, b)| h.rotate_left(5) ^ (a as u64) ^ (b as u64) << 32);
    Ok(ec.int((bits as i64) >> 2))
}

fn equal(ec: &mut Ec, this: Match, other: Value) -> Result<bool> {
    if this.value() == other {
        return Ok(true);
    }
    let Some(other) = Match::from_value(other) else { return Ok(false) };
    let (Some(a), Some(b)) = (Str::from_value(this.get(ec).string), Str::from_value(other.get(ec).string)) else {
        return Ok(false);
    };
    if !a.eql(ec, b) || this.get(ec).spans != other.get(ec).spans {
        return Ok(false);
    }
    let (a, b) = (regexp(ec, this)?, regexp(ec, other)?);
    ec.equal(a, b)
}

// ---- positions ----

/// Byte positions of a group that must exist.
fn byte_span(ec: &mut Ec, this: Match, which: Value) -> Result<Option<(usize, usize)>> {
    let group = strict_group(ec, this, which)?;
    Ok(this.get(ec).span(group))
}

/// Character positions of a group.
fn char_span(ec: &mut Ec, this: Match, which: Value) -> Result<Option<(usize, usize)>> {
    let Some((start, end)) = byte_span(ec, this, which)? else { return Ok(None) };
    let s = string_of(ec, this)?;
    if s.is_ascii(ec) {
        return Ok(Some((start, end)));
    }
    let text = s.as_text(ec);
    let from = s.char_index(ec, start);
    Ok(Some((from, from + chars::count(text.part(start..end)))))
}

fn pair(ec: &Ec, span: Option<(usize, usize)>) -> Array {
    let value = |n: Option<usize>| n.map_or(Value::NIL, Value::len);
    Array::pair(ec, value(span.map(|s| s.0)), value(span.map(|s| s.1)))
}

fn offset(ec: &mut Ec, this: Match, which: Value) -> Result<Array> {
    let span = char_span(ec, this, which)?;
    Ok(pair(ec, span))
}

fn byteoffset(ec: &mut Ec, this: Match, which: Value) -> Result<Array> {
    let span = byte_span(ec, this, which)?;
    Ok(pair(ec, span))
}

fn bytebegin(ec: &mut Ec, this: Match, which: Value) -> Result<Option<usize>> {
    Ok(byte_span(ec, this, which)?.map(|s| s.0))
}

fn byteend(ec: &mut Ec, this: Match, which: Value) -> Result<Option<usize>> {
    Ok(byte_span(ec, this, which)?.map(|s| s.1))
}

fn begin(ec: &mut Ec, this: Match, which: Value) -> Result<Option<usize>> {
    Ok(char_span(ec, this, which)?.map(|s| s.0))
}

fn end(ec: &mut Ec, this: Match, which: Value) -> Result<Option<usize>> {
    Ok(char_span(ec, this, which)?.map(|s| s.1))
}

fn match_(ec: &mut Ec, this: Match, which: Value) -> Result {
    let number = strict_group(ec, this, which)?;
    group(ec, this, number)
}

fn match_length(ec: &mut Ec, this: Match, which: Value) -> Result<Option<usize>> {
    Ok(char_span(ec, this, which)?.map(|(start, end)| end - start))
}

// ---- parts ----

fn groups_from(ec: &mut Ec, this: Match, first: usize) -> Result<Array> {
    string_of(ec, this)?;
    let count = this.get(ec).spans.len();
    let groups = Array::new(ec, count - first);
    for number in first..count {
        let text = group(ec, this, number)?;
        groups.push(ec, text);
    }
    Ok(groups)
}

fn to_a(ec: &mut Ec, this: Match) -> Result<Array> {
    groups_from(ec, this, 0)
}

fn captures(ec: &mut Ec, this: Match) -> Result<Array> {
    groups_from(ec, this, 1)
}

fn aref(ec: &mut Ec, this: Match, which: Value, length: Option<Value>) -> Result {
    string_of(ec, this)?;
    if let Some(length) = length {
        let all = to_a(ec, this)?;
        return ec.call(all.value(), sym::AREF, &[which, length]);
    }
    if which.is_fixnum() || name_of(ec, which).is_some() {
        return match group_argument(ec, this, which)? {
            Ok(number) => group(ec, this, number),
            Err(_) => Ok(Value::NIL),
        };
    }
    let all = to_a(ec, this)?;
    ec.call(all.value(), sym::AREF, &[which])
}

fn values_at(ec: &mut Ec, this: Match, which: Rest) -> Result<Array> {
    string_of(ec, this)?;
    let found = Array::new(ec, which.len());
    for selector in which.iter() {
        if range_parts(ec, selector)?.is_some() {
            let all = to_a(ec, this)?;
            let values_at = ec.vm().intern("values_at");
            let part = ec.call(all.value(), values_at, &[selector])?;
            found.push_all(ec, Array::expect(part));
        } else {
            let text = aref(ec, this, selector, None)?;
            found.push(ec, text);
        }
    }
    Ok(found)
}

/// Names with the texts of their groups.
fn named(ec: &mut Ec, this: Match, as_symbols: bool) -> Result<Hash> {
    string_of(ec, this)?;
    let hash = Hash::new(ec);
    let Some(pattern) = this.get(ec).pattern.clone() else { return Ok(hash) };
    for (name, groups) in &pattern.names {
        let number = pick(&this.get(ec).spans, groups);
        let text = group(ec, this, number)?;
        if as_symbols {
            let key = ec.vm().intern_bytes(name, pattern.encoding);
            hash.set_symbol(ec, key, text);
        } else {
            let key = Str::new(ec, name, pattern.encoding, CodeRange::Unknown);
            hash.store(ec, key.value(), text)?;
        }
    }
    Ok(hash)
}

fn named_captures(ec: &mut Ec, this: Match, keywords: Keywords) -> Result<Hash> {
    let symbolize_names = ec.vm().intern("symbolize_names");
    keywords.check(ec, &[symbolize_names])?;
    let as_symbols = keywords.get(ec, symbolize_names).is_some_and(|v| v.truthy());
    named(ec, this, as_symbols)
}

fn deconstruct_keys(ec: &mut Ec, this: Match, keys: Value) -> Result<Hash> {
    if keys.is_nil() {
        return named(ec, this, true);
    }
    let Some(keys) = Array::from_value(keys) else { return Err(ec.wrong_type(keys, "Array")) };
    let hash = Hash::new(ec);
    let Some(pattern) = this.get(ec).pattern.clone() else { return Ok(hash) };
    if keys.len(ec) > pattern.names.len() {
        return Ok(hash);
    }
    for index in 0..keys.len(ec) {
        let key = keys.at(ec, index);
        let Some(symbol) = key.as_symbol() else { return Err(ec.wrong_type(key, "Symbol")) };
        let data = this.get(ec);
        let Some(number) = named_group(Some(&pattern), &data.spans, ec.vm().symbol_name(symbol).bytes) else { break };
        let text = group(ec, this, number)?;
        hash.set_symbol(ec, symbol, text);
    }
    Ok(hash)
}

fn pre_match(ec: &mut Ec, this: Match) -> Result<Str> {
    let s = string_of(ec, this)?;
    let start = this.get(ec).spans.whole().0;
    Ok(s.share(ec, 0, start))
}

fn post_match(ec: &mut Ec, this: Match) -> Result<Str> {
    let s = string_of(ec, this)?;
    let end = this.get(ec).spans.whole().1;
    Ok(s.share(ec, end, s.len(ec) - end))
}

fn to_s(ec: &mut Ec, this: Match) -> Result {
    group(ec, this, 0)
}

fn inspect(ec: &mut Ec, this: Match) -> Result<Str> {
    if this.get(ec).string.is_nil() {
        return Ok(ec.any_to_s(this.value()));
    }
    let out = Str::from_text(ec, "#<");
    let class = ec.class_of(this.value()).real().to_text(ec);
    out.push_bytes(ec, class.as_bytes());
    for number in 0..this.get(ec).spans.len() {
        out.push_bytes(ec, b" ");
        if number > 0 {
            let label = label(this.get(ec), number);
            out.push_bytes(ec, &label);
            out.push_bytes(ec, b":");
        }
        let text = group(ec, this, number)?;
        let shown = ec.inspect(text)?;
        out.push_str(ec, shown);
    }
    out.push_bytes(ec, b">");
    Ok(out)
}

/// The name of a group, or its number.
fn label(data: &MatchData, number: usize) -> Vec<u8> {
    let names = data.pattern.as_ref().map_or(&[][..], |p| &p.names[..]);
    let name = names.iter().find(|(_, groups)| groups.contains(&(number as u32)));
    name.map_or_else(|| number.to_string().into_bytes(), |(name, _)| name.to_vec())
}
