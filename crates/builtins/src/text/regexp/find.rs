//! Methods of String and Symbol that look for a pattern: `=~`, `match`, `index`, `partition` and their kin.

use super::MatchData;
use super::class;
use super::object::{self, Regexp};
use super::search::{self, Searcher, frozen_copy};
use super::spans::Spans;
use carat_text::chars;
use carat_text::compat::{compatible, incompatible_message};
use carat_text::encoding::EncodingIndex;
use carat_text::search as text_search;
use carat_text::text::Text;
use carat_vm::{Array, Block, CodeRange, Data, Ec, Rest, Result, Str, Value, methods, sym};

methods! {
    METHODS {
        "=~" => match_operator;
        "match" => match_;
        borrowing "match?" => is_match;
        borrowing "index" => index;
        borrowing "rindex" => rindex;
        borrowing "byteindex" => byteindex;
        borrowing "byterindex" => byterindex;
        "partition" => partition;
        "rpartition" => rpartition;
    }
    SYMBOL_METHODS {
        "=~" => symbol_match_operator;
        "match" => symbol_match;
        "match?" => symbol_is_match;
    }
}

/// What finds the next occurrence of a pattern, be it a Regexp or a plain string.
pub(super) enum Finder {
    Regexp(Searcher),
    Text(Str),
}

impl Finder {
    /// For a pattern argument; anything but a Regexp or what converts to a string is a `TypeError`.
    pub(super) fn new(ec: &mut Ec, pattern: Value, s: Str) -> Result<Finder> {
        if let Some(regexp) = Data::<Regexp>::from_value(pattern) {
            return Searcher::new(ec, regexp, s).map(Finder::Regexp);
        }
        let Some(text) = ec.check_string(pattern)? else { return Err(ec.wrong_type(pattern, "Regexp")) };
        if text.range(ec) == CodeRange::Broken {
            return Err(super::object::regexp_error(ec, "invalid multibyte character", text, 0));
        }
        check_compatible(ec, s, text)?;
        Ok(Finder::Text(text))
    }

    /// The first occurrence at byte `from` or behind it.
    pub(super) fn find(&mut self, ec: &mut Ec, s: Str, from: usize) -> Result<Option<(usize, usize)>> {
        match self {
            Finder::Regexp(searcher) => searcher.search(ec, s, from),
            Finder::Text(text) => {
                text.range(ec);
                let at = text_search::index(s.as_known_text(ec), text.as_text(ec), from);
                Ok(at.map(|at| (at, at + text.len(ec))))
            }
        }
    }

    /// A MatchData of the occurrence that was found last.
    pub(super) fn match_data(&self, ec: &Ec, frozen: Str, found: (usize, usize)) -> Value {
        match self {
            Finder::Regexp(searcher) => searcher.match_data(ec, frozen),
            Finder::Text(_) => MatchData::create(ec, frozen, Value::NIL, None, Spans::of_range(found.0, found.1)),
        }
    }
}

/// Fails with `Encoding::CompatibilityError` unless the strings can be compared; the encoding of both together.
pub(super) fn check_compatible(ec: &mut Ec, a: Str, b: Str) -> Result<EncodingIndex> {
    if a.encoding() == b.encoding() {
        return Ok(a.encoding());
    }
    match compatible(a.as_text(ec), b.as_text(ec)) {
        Some(encoding) => Ok(encoding),
        None => {
            let message = incompatible_message(a.encoding(), b.encoding());
            Err(ec.error(ec.vm().known().compatibility_error, &message))
        }
    }
}

// ---- matching ----

fn match_operator(ec: &mut Ec, this: Str, other: Value) -> Result {
    if let Some(regexp) = Data::<Regexp>::from_value(other) {
        return class::operator(ec, regexp, this);
    }
    if Str::from_value(other).is_some() {
        return Err(ec.type_error("type mismatch: String given"));
    }
    ec.call(other, sym::MATCH_OP, &[this.value()])
}

/// The Regexp of an argument: strings are patterns here.
fn to_regexp(ec: &mut Ec, pattern: Value) -> Result<Data<Regexp>> {
    if let Some(regexp) = Data::<Regexp>::from_value(pattern) {
        return Ok(regexp);
    }
    match ec.check_string(pattern)? {
        Some(source) => object::create_plain(ec, source, 0),
        None => Err(ec.wrong_type(pattern, "Regexp")),
    }
}

/// A pattern of a subclass may have a `match` of its own, which takes as many arguments as it likes.
fn match_(ec: &mut Ec, this: Str, pattern: Value, rest: Rest, block: Option<Block>) -> Result {
    let regexp = to_regexp(ec, pattern)?;
    let is_plain = ec.class_of(regexp.value()) == ec.vm().known().regexp;
    if is_plain && rest.len() <= 1 {
        let position = rest.get(0).map_or(Ok(0), |p| ec.to_long(p))?;
        return class::match_from(ec, regexp, this, position, block);
    }
    let arguments = Array::new(ec, rest.len() + 1);
    arguments.push(ec, this.value());
    rest.iter().for_each(|value| arguments.push(ec, value));
    let found = ec.call_with_array(regexp.value(), sym::MATCH, arguments, carat_vm::call::Passing::default())?;
    match block.filter(|_| !found.is_nil()) {
        Some(block) => ec.yield_block(block, &[found]),
        None => Ok(found),
    }
}

fn is_match(ec: &mut Ec, this: Str, pattern: Value, position: Option<i64>) -> Result<bool> {
    let regexp = to_regexp(ec, pattern)?;
    class::is_match_from(ec, regexp, this, position.unwrap_or(0))
}

fn name(ec: &Ec, symbol: Value) -> Str {
    symbol.as_symbol().map_or_else(|| Str::from_text(ec, ""), |s| ec.symbol_to_str(s))
}

fn symbol_match_operator(ec: &mut Ec, this: Value, other: Value) -> Result {
    let s = name(ec, this);
    match_operator(ec, s, other)
}

fn symbol_match(ec: &mut Ec, this: Value, pattern: Value, rest: Rest, block: Option<Block>) -> Result {
    let s = name(ec, this);
    match_(ec, s, pattern, rest, block)
}

fn symbol_is_match(ec: &mut Ec, this: Value, pattern: Value, position: Option<i64>) -> Result<bool> {
    let s = name(ec, this);
    is_match(ec, s, pattern, position)
}

// ---- positions ----

/// Forgets the last match where a search with a Regexp could not even begin.
fn no_position(ec: &mut Ec, pattern: Value) -> Result<Option<usize>> {
    if Data::<Regexp>::from_value(pattern).is_some() {
        ec.set_last_match(Value::NIL);
    }
    Ok(None)
}

/// The byte of the first occurrence at byte `start` or behind it.
fn find_from(ec: &mut Ec, s: Str, pattern: Value, start: usize) -> Result<Option<usize>> {
    if let Some(regexp) = Data::<Regexp>::from_value(pattern) {
        return search::position(ec, regexp, s, start, false);
    }
    let text = ec.to_str(pattern)?;
    check_compatible(ec, s, text)?;
    text.range(ec);
    Ok(text_search::index(s.as_known_text(ec), text.as_text(ec), start))
}

/// The byte of the last occurrence at byte `start` or before it.
fn find_back(ec: &mut Ec, s: Str, pattern: Value, start: usize) -> Result<Option<usize>> {
    if let Some(regexp) = Data::<Regexp>::from_value(pattern) {
        return search::position(ec, regexp, s, start, true);
    }
    let text = ec.to_str(pattern)?;
    check_compatible(ec, s, text)?;
    text.range(ec);
    Ok(text_search::rindex(s.as_known_text(ec), text.as_text(ec), start))
}

/// A byte offset as the number of its character.
fn as_chars(ec: &Ec, s: Str, at: Option<usize>) -> Option<usize> {
    let text = s.as_known_text(ec);
    at.map(|at| match text.coderange {
        CodeRange::Unknown => chars::count(Text::of(&text.bytes[..at], text.encoding)),
        _ => s.char_index(ec, at),
    })
}

fn index(ec: &mut Ec, this: Str, pattern: Value, position: Option<i64>) -> Result<Option<usize>> {
    let start = match position {
        None | Some(0) => Some(0),
        Some(position) => class::start_offset(ec, this, position),
    };
    match start {
        Some(start) => {
            let at = find_from(ec, this, pattern, start)?;
            Ok(as_chars(ec, this, at))
        }
        None => no_position(ec, pattern),
    }
}

fn rindex(ec: &mut Ec, this: Str, pattern: Value, position: Option<i64>) -> Result<Option<usize>> {
    this.range(ec);
    let len = this.len(ec);
    let start = match position {
        Some(position) if position >= 0 => Some(class::start_offset(ec, this, position).unwrap_or(len)),
        Some(position) => class::start_offset(ec, this, position),
        None => Some(len),
    };
    match start {
        Some(start) => {
            let at = find_back(ec, this, pattern, start)?;
            Ok(as_chars(ec, this, at))
        }
        None => no_position(ec, pattern),
    }
}

/// A byte position that may count from the end and must be at a character.
fn byte_start(ec: &mut Ec, s: Str, position: i64) -> Result<Option<usize>> {
    let len = s.len(ec) as i64;
    let from_start = if position < 0 { position + len } else { position };
    let Some(start) = usize::try_from(from_start).ok().filter(|n| *n <= s.len(ec)) else { return Ok(None) };
    s.range(ec);
    if !chars::is_boundary(s.as_text(ec), start) {
        return Err(ec.index_error(&format!("offset {from_start} does not land on character boundary")));
    }
    Ok(Some(start))
}

fn byteindex(ec: &mut Ec, this: Str, pattern: Value, position: Option<i64>) -> Result<Option<usize>> {
    match byte_start(ec, this, position.unwrap_or(0))? {
        Some(start) => find_from(ec, this, pattern, start),
        None => no_position(ec, pattern),
    }
}

fn byterindex(ec: &mut Ec, this: Str, pattern: Value, position: Option<i64>) -> Result<Option<usize>> {
    let len = this.len(ec);
    let position = position.map_or(len as i64, |p| p.min(len as i64));
    match byte_start(ec, this, position)? {
        Some(start) => find_back(ec, this, pattern, start),
        None => no_position(ec, pattern),
    }
}

// ---- partition ----

/// An occurrence, and the string that was looked for.
type Occurrence = ((usize, usize), Option<Str>);

/// Where the first or last occurrence lies. Sets `$~` for a Regexp.
fn occurrence(ec: &mut Ec, s: Str, pattern: Value, is_last: bool) -> Result<Option<Occurrence>> {
    let start = if is_last { s.len(ec) } else { 0 };
    if let Some(regexp) = Data::<Regexp>::from_value(pattern) {
        return Ok(search::search(ec, regexp, s, start, is_last)?.map(|found| (found.whole(), None)));
    }
    let Some(text) = ec.check_string(pattern)? else {
        return Err(ec.wrong_type(pattern, "Regexp"));
    };
    let at = if is_last { find_back(ec, s, text.value(), start)? } else { find_from(ec, s, text.value(), start)? };
    Ok(at.map(|at| ((at, at + text.len(ec)), Some(text))))
}

/// What lies before, at and behind an occurrence; a string that was looked for is the part in the middle itself.
fn three(ec: &mut Ec, s: Str, found: Occurrence) -> Array {
    let ((start, end), text) = found;
    let parts = Array::new(ec, 3);
    let before = s.share(ec, 0, start);
    parts.push(ec, before.value());
    let separator = text.unwrap_or_else(|| s.share(ec, start, end - start));
    parts.push(ec, separator.value());
    let after = s.share(ec, end, s.len(ec) - end);
    parts.push(ec, after.value());
    parts
}

fn empty(ec: &Ec, s: Str) -> Value {
    Str::new(ec, b"", s.encoding(), CodeRange::Unknown).value()
}

fn partition(ec: &mut Ec, this: Str, pattern: Value) -> Result<Array> {
    match occurrence(ec, this, pattern, false)? {
        Some(found) => Ok(three(ec, this, found)),
        None => {
            let whole = this.copy(ec).value();
            Ok(Array::from_slice(ec, &[whole, empty(ec, this), empty(ec, this)]))
        }
    }
}

fn rpartition(ec: &mut Ec, this: Str, pattern: Value) -> Result<Array> {
    match occurrence(ec, this, pattern, true)? {
        Some(found) => Ok(three(ec, this, found)),
        None => {
            let whole = this.copy(ec).value();
            Ok(Array::from_slice(ec, &[empty(ec, this), empty(ec, this), whole]))
        }
    }
}

/// Sets `$~` to the occurrence that was found last, or to nil.
pub(super) fn publish(ec: &mut Ec, finder: &Finder, s: Str, found: Option<(usize, usize)>) {
    if ec.wants_last_match() {
        let value = found.map_or(Value::NIL, |found| {
            let copy = frozen_copy(ec, s);
            finder.match_data(ec, copy, found)
        });
        ec.set_last_match(value);
    }
}
