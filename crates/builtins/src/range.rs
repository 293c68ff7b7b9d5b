//! `Range`: its three fields; the rest is in `core/range.rb`.

use carat_vm::{Ec, HeapType, Result, Value, methods, primitives, sym};

methods! {
    METHODS {
        private "initialize_copy" => initialize_copy;
    }
}

primitives! {
    PRIMITIVES {
        "range_begin" => range_begin;
        "range_end" => range_end;
        "range_excl?" => range_excludes_end;
        "range_init" => range_init;
    }
}

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    known.range.include(ec, known.enumerable);
    known.range.set_allocator(Some(|ec, class| Ok(ec.new_range_of(class))));
    ec.define_methods(known.range, METHODS);
}

/// A range made by `allocate` alone has no begin yet.
fn defined(value: Value) -> Value {
    if value.is_undef() { Value::NIL } else { value }
}

fn range_begin(ec: &mut Ec, range: Value) -> Value {
    ec.range_of(range).map_or(Value::NIL, |(begin, ..)| defined(begin))
}

fn range_end(ec: &mut Ec, range: Value) -> Value {
    ec.range_of(range).map_or(Value::NIL, |(_, end, _)| end)
}

fn range_excludes_end(ec: &mut Ec, range: Value) -> bool {
    ec.range_of(range).is_some_and(|(_, _, excludes_end)| excludes_end)
}

/// Sets the fields, once. Ranges are frozen from then on; instances of subclasses are not.
fn range_init(ec: &mut Ec, range: Value, begin: Value, end: Value, excludes_end: bool) -> Result {
    check_fresh(ec, range)?;
    ec.initialize_range(range, begin, end, excludes_end);
    if ec.class_of(range) == ec.vm().known().range {
        ec.freeze(range);
    }
    Ok(range)
}

/// Gives a fresh range the ends of another, as `initialize` would.
pub(crate) fn fill_from(ec: &mut Ec, range: Value, other: Value) -> Result<()> {
    if let Some((begin, end, excludes_end)) = ec.range_of(other) {
        range_init(ec, range, begin, end, excludes_end)?;
    }
    Ok(())
}

fn check_fresh(ec: &mut Ec, range: Value) -> Result<()> {
    if ec.is_frozen(range) {
        return Err(ec.frozen_error(range));
    }
    let is_fresh = ec.range_of(range).is_some_and(|(begin, ..)| begin.is_undef());
    if is_fresh { Ok(()) } else { Err(ec.name_error("'initialize' called twice", range, sym::INITIALIZE)) }
}

fn initialize_copy(ec: &mut Ec, this: Value, other: Value) -> Result {
    check_fresh(ec, this)?;
    if !other.is_type(HeapType::Range) {
        return Err(ec.type_error("initialize_copy should take same class object"));
    }
    if let Some((begin, end, excludes_end)) = ec.range_of(other) {
        ec.initialize_range(this, begin, end, excludes_end);
    }
    Ok(this)
}
