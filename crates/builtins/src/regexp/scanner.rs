//! The matches of a `StringScanner`, whose methods are in `lib/strscan.rb`.

use super::object::Regexp;
use super::search::Searcher;
use carat_vm::{Array, Data, Ec, Result, Str, Value};

/// `Primitive.regexp_scan(regexp, string, base, start, is_anchored)`: what is before byte `base` does not exist for the
/// pattern, and the match starts at `start`, or behind it unless it is anchored. Nil without a match; the length of the
/// match if it starts at `start` and the pattern has no groups; otherwise where each group starts and ends, counted from
/// `start`, nil and nil for one that took no part. Leaves no `$~`.
pub(super) fn scan(
    ec: &mut Ec,
    regexp: Data<Regexp>,
    s: Str,
    base: i64,
    start: i64,
    is_anchored: bool,
) -> Result<Value> {
    let place = |position: i64| usize::try_from(position).unwrap_or(0);
    let mut searcher = Searcher::new(ec, regexp, s)?.behind(place(base));
    let at = place(start - base);
    let found = if is_anchored { searcher.match_at(ec, s, at)? } else { searcher.search(ec, s, at)? };
    match found {
        None => Ok(Value::NIL),
        Some((from, to)) if from == at && searcher.group_count() == 1 => Ok(ec.int((to - from) as i64)),
        Some(_) => Ok(offsets(ec, &searcher, at).value()),
    }
}

/// `Primitive.string_at?(string, part, start)`: whether the bytes of `part` stand at byte `start`.
pub(super) fn is_at(ec: &mut Ec, s: Str, part: Str, start: i64) -> Result<bool> {
    crate::string::compatible(ec, s, part)?;
    let rest = s.bytes(ec).get(usize::try_from(start).unwrap_or(usize::MAX)..);
    Ok(rest.is_some_and(|rest| rest.starts_with(part.bytes(ec))))
}

fn offsets(ec: &Ec, searcher: &Searcher, at: usize) -> Array {
    let array = Array::new(ec, 2 * searcher.group_count());
    for group in 0..searcher.group_count() {
        let ends = searcher.group(group).map(|(from, to)| [from, to]);
        for end in ends.map_or([None; 2], |ends| ends.map(Some)) {
            // A lookbehind's group may lie before the start.
            let offset = end.map_or(Value::NIL, |end| ec.int(end as i64 - at as i64));
            array.push(ec, offset);
        }
    }
    array
}
