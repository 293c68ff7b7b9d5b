//! What a missing key gives, and `Hash.new`, which says so.

use carat_vm::{Block, Ec, Hash, Keywords, Proc, Result, Value, sym};

/// More than this is not reserved, whatever a program says that it is going to put in.
const TRUSTED_CAPACITY: usize = 1 << 24;

/// `Hash.new(default = nil, capacity: 0)`, or with a block `Hash.new(capacity: 0) { |hash, key| … }`.
pub(super) fn initialize(
    ec: &mut Ec,
    this: Hash,
    default: Option<Value>,
    keywords: Keywords,
    block: Option<Block>,
) -> Result<Hash> {
    this.check_frozen(ec)?;
    keywords.check(ec, &[sym::CAPACITY])?;
    if let Some(capacity) = keywords.get(ec, sym::CAPACITY) {
        let capacity = ec.to_long(capacity)?;
        this.reserve(ec, usize::try_from(capacity).unwrap_or(0).min(TRUSTED_CAPACITY))?;
    }
    let Some(block) = block else {
        this.set_default(ec, default.unwrap_or(Value::NIL), false);
        return Ok(this);
    };
    if default.is_some() {
        return Err(ec.arity_error(1, 0, Some(0)));
    }
    let proc = block.to_proc(ec);
    check_arity(ec, proc)?;
    this.set_default(ec, proc.value(), true);
    Ok(this)
}

/// A lambda must take two arguments.
fn check_arity(ec: &mut Ec, proc: Proc) -> Result<()> {
    let arity = proc.arity(ec);
    if !proc.is_lambda() || arity == 2 || (-3..0).contains(&arity) {
        return Ok(());
    }
    let takes = if arity < 0 { -arity - 1 } else { arity };
    Err(ec.type_error(&format!("default_proc takes two arguments (2 for {takes})")))
}

pub(super) fn aref(ec: &mut Ec, this: Hash, key: Value) -> Result {
    match this.get(ec, key)? {
        Some(value) => Ok(value),
        None => missing(ec, this, key),
    }
}

/// The value for a key that is not there; a redefined `default` decides if there is one.
fn missing(ec: &mut Ec, hash: Hash, key: Value) -> Result {
    if ec.responds_with(hash.value(), sym::DEFAULT, ec.vm().known().hash) {
        return default(ec, hash, Some(key));
    }
    ec.call(hash.value(), sym::DEFAULT, &[key])
}

pub(super) fn default(ec: &mut Ec, this: Hash, key: Option<Value>) -> Result {
    let default = this.default(ec);
    if !this.has_default_proc() {
        return Ok(default);
    }
    match key {
        Some(key) => ec.call_proc(Proc::expect(default), &[this.value(), key]),
        None => Ok(Value::NIL),
    }
}

pub(super) fn set_default(ec: &mut Ec, this: Hash, default: Value) -> Result {
    this.check_frozen(ec)?;
    this.set_default(ec, default, false);
    Ok(default)
}

pub(super) fn default_proc(ec: &mut Ec, this: Hash) -> Value {
    if this.has_default_proc() { this.default(ec) } else { Value::NIL }
}

pub(super) fn set_default_proc(ec: &mut Ec, this: Hash, given: Value) -> Result {
    this.check_frozen(ec)?;
    if given.is_nil() {
        this.set_default(ec, Value::NIL, false);
        return Ok(given);
    }
    let converted = if Proc::from_value(given).is_some() {
        given
    } else {
        ec.call_if_responds(given, sym::TO_PROC, &[])?.unwrap_or(Value::NIL)
    };
    let Some(proc) = Proc::from_value(converted) else {
        let class = ec.class_of(given).real().to_text(ec);
        return Err(ec.type_error(&format!("wrong default_proc type {class} (expected Proc)")));
    };
    check_arity(ec, proc)?;
    this.check_frozen(ec)?;
    this.set_default(ec, proc.value(), true);
    Ok(proc.value())
}
