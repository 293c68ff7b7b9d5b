//! Where a pattern stands in the place of an index: the calls into `regexp`.

use crate::text::regexp;
use carat_vm::{Ec, Result, Str, Value};
use std::ops::Range;

pub(super) use regexp::{aref, is_regexp};

/// The bytes that the match or one of its groups covers.
pub(super) fn find_place(
    ec: &mut Ec,
    this: Str,
    regexp: Value,
    capture: Option<Value>,
) -> Result<Option<Range<usize>>> {
    Ok(regexp::aref_range(ec, this, regexp, capture)?.map(|(start, end)| start..end))
}

/// The same where there must be one.
pub(super) fn place(ec: &mut Ec, this: Str, regexp: Value, capture: Option<Value>) -> Result<Range<usize>> {
    regexp::place(ec, this, regexp, capture)
}

/// Whether the pattern matches right at the start.
pub(super) fn matches_at_start(ec: &mut Ec, this: Str, regexp: Value) -> Result<bool> {
    Ok(regexp::start_with(ec, this, regexp)?.is_some())
}
