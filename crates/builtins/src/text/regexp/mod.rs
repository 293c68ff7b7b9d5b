//! `Regexp` and `MatchData`, on Oniguruma, and the string methods that take patterns.
//!
//! # Code map
//! * `engine`: Oniguruma. `translate`: Ruby's syntax to the engine's, with the list of differences.
//! * `warnings`: what Ruby warns of in patterns.
//! * `pattern`: a compiled pattern and the cache of them; `object`: Regexp objects and how they are made.
//! * `search`: from a string and a Regexp to a match: encodings, time limits, `$~`.
//! * `class`, `text`: methods of Regexp. `match_data`: MatchData.
//! * `find`, `replace`, `scan`, `split`: methods of String. `scanner`: what `StringScanner` matches with.
//!
//! # Invariants
//! A MatchData refers to a frozen copy of the string; its parts are slices of that copy. No MatchData is made where nobody
//! can see it: [`carat_vm::Ec::wants_last_match`] tells whether the calling code reads `$~`.
//!
//! # Time
//! The engine cannot be interrupted, so it gets a budget of backtracking steps. When that is used up, interrupts and time
//! limits are looked after and the search begins anew with a larger budget: a long search costs at most a third more.

mod class;
mod engine;
mod find;
mod linear;
mod match_data;
mod object;
mod pattern;
mod replace;
mod scan;
pub(crate) mod scanner;
mod search;
mod spans;
mod split;
#[cfg(test)]
mod tests;
mod text;
mod translate;
mod warnings;

use carat_vm::{Class, Data, Ec, Result, Str, Value};
use std::ops::Range;

pub(crate) use match_data::{MatchData, groups_that_matched, match_named, match_part};
pub use object::REGEXP_CHECKS;
pub(crate) use object::{Regexp, new_regexp, regexp_from_parts};

pub(crate) const IGNORE_CASE: u8 = 1;
pub(crate) const EXTENDED: u8 = 2;
pub(crate) const MULTI_LINE: u8 = 4;
pub(crate) const FIXED_ENCODING: u8 = 16;
pub(crate) const NO_ENCODING: u8 = 32;

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    class::init(ec, known.regexp);
    match_data::init(ec, known.match_data);
    for table in [find::METHODS, replace::METHODS, scan::METHODS, split::METHODS] {
        known.string.define_methods(ec, table);
    }
    known.symbol.define_methods(ec, find::SYMBOL_METHODS);
}

// ---- for the other classes ----

/// Whether a value is a Regexp.
pub(crate) fn is_regexp(_ec: &Ec, value: Value) -> bool {
    Data::<Regexp>::from_value(value).is_some()
}

/// Source and options of a Regexp, as `Marshal` writes them.
pub(crate) fn parts_of(ec: &mut Ec, value: Value) -> Option<Result<(Str, u8)>> {
    let regexp = Data::<Regexp>::from_value(value)?;
    Some(object::source(ec, regexp).map(|source| (source, regexp.get(ec).options())))
}

/// A Regexp from its source and options.
pub(crate) fn make(ec: &mut Ec, class: Class, source: Str, options: u8) -> Result {
    object::create(ec, class, source, options)
}

/// `String#[]` and `String#slice` with a Regexp: the match or one of its groups, nil if there is none. Sets `$~`.
pub(crate) fn aref(ec: &mut Ec, s: Str, regexp: Value, capture: Option<Value>) -> Result {
    match aref_range(ec, s, regexp, capture)? {
        Some((start, end)) => Ok(s.share(ec, start, end - start).value()),
        None => Ok(Value::NIL),
    }
}

/// Where `String#[]=` and `String#slice!` with a Regexp find their part, in bytes. Sets `$~`.
pub(crate) fn aref_range(ec: &mut Ec, s: Str, regexp: Value, capture: Option<Value>) -> Result<Option<(usize, usize)>> {
    let regexp = object::expect(ec, regexp)?;
    let Some(found) = search::search(ec, regexp, s, 0, false)? else { return Ok(None) };
    let Some(capture) = capture else { return Ok(found.span(0)) };
    let group = match_data::group_number(ec, regexp, &found, capture)?;
    Ok(group.and_then(|n| found.span(n)))
}

/// Where `String#[]=` with a Regexp puts the new part; there must be one. Sets `$~`.
pub(crate) fn place(ec: &mut Ec, s: Str, regexp: Value, capture: Option<Value>) -> Result<Range<usize>> {
    let regexp = object::expect(ec, regexp)?;
    let Some(found) = search::search(ec, regexp, s, 0, false)? else {
        return Err(ec.index_error("regexp not matched"));
    };
    let capture = capture.unwrap_or(Value::fixnum_unchecked(0));
    let group = match_data::group_number(ec, regexp, &found, capture)?;
    match group.filter(|n| *n < found.len()) {
        Some(group) => match found.span(group) {
            Some((start, end)) => Ok(start..end),
            None => Err(ec.index_error(&format!("regexp group {group} not matched"))),
        },
        None => {
            let number = ec.to_long(capture)?;
            Err(ec.index_error(&format!("index {number} out of regexp")))
        }
    }
}

/// `String#start_with?` with a Regexp: a match anchored at the start. Sets `$~`; the length of the match.
pub(crate) fn start_with(ec: &mut Ec, s: Str, regexp: Value) -> Result<Option<usize>> {
    let regexp = object::expect(ec, regexp)?;
    search::match_at_start(ec, regexp, s)
}
