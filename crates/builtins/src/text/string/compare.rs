//! Comparing strings.

use super::{parts, pattern};
use carat_text::case::{self, CaseOptions, Mapping};
use carat_text::search;
use carat_vm::leaf::{Leaf, LeafOf, LeafRow};
use carat_vm::{Ec, Rest, Result, Str, Value, methods, sym};
use std::cmp::Ordering;

methods! {
    METHODS {
        "<=>" => compare;
        "==" => equal;
        "===" => equal;
        "eql?" => is_eql;
        "hash" => hash;
        borrowing "casecmp" => casecmp;
        borrowing "casecmp?" => is_casecmp;
        borrowing "start_with?" => starts_with;
        borrowing "end_with?" => ends_with;
    }
}

pub(crate) static LEAVES: &[LeafRow] = &[
    (
        LeafOf::Method(METHODS, "eql?"),
        Leaf::total(|ec: &mut Ec, string: Str, other: Value| Some(Value::bool(is_eql(ec, string, other)))),
    ),
    (
        LeafOf::Method(METHODS, "<=>"),
        Leaf::new(|ec: &mut Ec, string: Str, other: Str| Some(ec.int(order(ec, string, other) as i64))),
    ),
];

/// By bytes; strings of the same bytes that cannot be combined are told apart by encoding.
pub(crate) fn order(ec: &Ec, left: Str, right: Str) -> Ordering {
    let by_bytes = left.bytes(ec).cmp(right.bytes(ec));
    if by_bytes.is_ne() || left.compatible_encoding(ec, right).is_some() || left.is_empty(ec) {
        return by_bytes;
    }
    left.encoding().cmp(&right.encoding())
}

fn compare(ec: &mut Ec, this: Str, other: Value) -> Result {
    if let Some(other) = Str::from_value(other) {
        return Ok(ec.int(order(ec, this, other) as i64));
    }
    if !other.is_heap() {
        return Ok(Value::NIL);
    }
    ec.check_native_stack()?;
    if let Some(other) = ec.check_string(other)? {
        return Ok(ec.int(order(ec, this, other) as i64));
    }
    // The other object's `<=>`, the other way round.
    let result = ec.call_if_responds(other, sym::CMP, &[this.value()])?.unwrap_or(Value::NIL);
    if result.is_nil() {
        return Ok(Value::NIL);
    }
    let sign = ec.compare_result(result, this.value(), other)?;
    Ok(ec.int(-(sign as i64)))
}

fn equal(ec: &mut Ec, this: Str, other: Value) -> Result<bool> {
    if let Some(other) = Str::from_value(other) {
        return Ok(this.eql(ec, other));
    }
    if !other.is_heap() || !ec.respond_to(other, sym::TO_STR, false)? {
        return Ok(false);
    }
    Ok(ec.call(other, sym::EQ, &[this.value()])?.truthy())
}

fn is_eql(ec: &mut Ec, this: Str, other: Value) -> bool {
    Str::from_value(other).is_some_and(|other| this.eql(ec, other))
}

/// The encoding counts where strings of the same bytes but another one are not equal.
fn hash(ec: &mut Ec, this: Str) -> Value {
    let hash = ec.public_hash(this.value()).unwrap_or_default();
    // The same bytes in another encoding are another key.
    let is_usual = this.is_empty(ec) || this.is_ascii(ec) || this.encoding().is_utf8();
    let encoding = i64::from(this.encoding().0) + 1;
    Value::fixnum_unchecked(if is_usual { hash } else { carat_vm::hash_mix(hash, encoding) })
}

/// The other string, if it is one and can be combined with this.
fn comparable(ec: &mut Ec, this: Str, other: Value) -> Result<Option<Str>> {
    let Some(other) = ec.check_string(other)? else { return Ok(None) };
    Ok(this.compatible_encoding(ec, other).map(|_| other))
}

fn casecmp(ec: &mut Ec, this: Str, other: Value) -> Result<Option<i64>> {
    let Some(other) = comparable(ec, this, other)? else { return Ok(None) };
    Ok(Some(search::casecmp(this.as_text(ec), other.as_text(ec)) as i64))
}

fn is_casecmp(ec: &mut Ec, this: Str, other: Value) -> Result<Option<bool>> {
    let Some(other) = comparable(ec, this, other)? else { return Ok(None) };
    if this.is_ascii(ec) && other.is_ascii(ec) {
        return Ok(Some(this.bytes(ec).eq_ignore_ascii_case(other.bytes(ec))));
    }
    let (left, right) = (folded(ec, this)?, folded(ec, other)?);
    Ok(Some(left == right))
}

pub(crate) fn folded(ec: &mut Ec, s: Str) -> Result<Vec<u8>> {
    super::check_known(ec, s)?;
    let mut out = Vec::new();
    let folded = parts::each(ec, s, parts::anywhere, &mut out, |ec, part, out| {
        case::map(part.text(ec), Mapping::Fold, CaseOptions::default(), out).map(|_| ())
    })?;
    match folded {
        Ok(()) => Ok(out),
        Err(_) => Err(ec.argument_error("input string invalid")),
    }
}

pub(crate) fn starts_with(ec: &mut Ec, this: Str, prefixes: Rest) -> Result<bool> {
    for prefix in prefixes.iter() {
        let found = if pattern::is_regexp(ec, prefix) {
            pattern::matches_at_start(ec, this, prefix)?
        } else {
            let prefix = ec.to_str(prefix)?;
            super::compatible(ec, this, prefix)?;
            search::starts_with(this.as_known_text(ec), prefix.as_text(ec))
        };
        if found {
            return Ok(true);
        }
    }
    Ok(false)
}

pub(crate) fn ends_with(ec: &mut Ec, this: Str, suffixes: Rest) -> Result<bool> {
    for suffix in suffixes.iter() {
        let suffix = ec.to_str(suffix)?;
        super::compatible(ec, this, suffix)?;
        if search::ends_with(this.as_known_text(ec), suffix.as_text(ec)) {
            return Ok(true);
        }
    }
    Ok(false)
}
