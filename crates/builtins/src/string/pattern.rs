//! Where a pattern stands in the place of an index: the calls into `regexp`.

use carat_vm::{Ec, Result, Str, Value, sym};
use std::ops::Range;

pub(super) fn is_regexp(ec: &Ec, value: Value) -> bool {
    value.is_heap() && ec.is_a(value, ec.vm().known().regexp)
}

/// `string[regexp]`, `string[regexp, capture]`
pub(super) fn aref(ec: &mut Ec, this: Str, regexp: Value, capture: Option<Value>) -> Result {
    let found = ec.call(regexp, sym::MATCH, &[this.value()])?;
    if found.is_nil() {
        return Ok(Value::NIL);
    }
    ec.call(found, sym::AREF, &[capture.unwrap_or(Value::fixnum_unchecked(0))])
}

/// The bytes that the match or one of its groups covers.
pub(super) fn find_place(
    ec: &mut Ec,
    this: Str,
    regexp: Value,
    capture: Option<Value>,
) -> Result<Option<Range<usize>>> {
    let found = ec.call(regexp, sym::MATCH, &[this.value()])?;
    if found.is_nil() {
        return Ok(None);
    }
    let name = ec.vm().intern("byteoffset");
    let offsets = ec.call(found, name, &[capture.unwrap_or(Value::fixnum_unchecked(0))])?;
    let offsets = ec.to_ary(offsets)?;
    let end = |i| offsets.at(ec, i).as_fixnum().and_then(|i| usize::try_from(i).ok());
    Ok(end(0).zip(end(1)).map(|(from, to)| from..to))
}

/// The same where there must be one.
pub(super) fn place(ec: &mut Ec, this: Str, regexp: Value, capture: Option<Value>) -> Result<Range<usize>> {
    match find_place(ec, this, regexp, capture)? {
        Some(place) => Ok(place),
        None => Err(ec.index_error("regexp not matched")),
    }
}

/// Whether the pattern matches right at the start.
pub(super) fn matches_at_start(ec: &mut Ec, this: Str, regexp: Value) -> Result<bool> {
    Ok(find_place(ec, this, regexp, None)?.is_some_and(|place| place.start == 0))
}
