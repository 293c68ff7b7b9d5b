//! Natives behind `core/ractor.rb`: what only the VM knows of blocks and objects.

use carat_vm::{Array, Ec, HeapType, Proc, Value, primitives};

primitives! {
    PRIMITIVES {
        "ractor_outer_variables" => outer_variables;
        "ractor_outer_values" => outer_values;
        "ractor_is_immediate" => is_immediate;
        "ractor_parts" => parts;
        "ractor_has_native_state" => has_native_state;
    }
}

pub(crate) fn init(_ec: &mut Ec) {}

/// Names of the outer variables that a block uses.
fn outer_variables(ec: &mut Ec, block: Value) -> Array {
    let names = Proc::from_value(block).map(|b| b.outer_variables(ec)).unwrap_or_default();
    let array = Array::new(ec, names.len());
    for name in names {
        array.push(ec, Value::symbol(name));
    }
    array
}

/// Their values, or nil if the block assigns to one of them.
fn outer_values(ec: &mut Ec, block: Value) -> Value {
    let Some(block) = Proc::from_value(block) else { return Value::NIL };
    let (values, is_written) = block.outer_values(ec);
    if is_written { Value::NIL } else { values.value() }
}

/// Whether an object is shareable whatever it refers to: immediates, numbers without parts, classes, code.
fn is_immediate(_ec: &mut Ec, value: Value) -> bool {
    let Some(header) = value.header() else { return true };
    matches!(header.heap_type(), HeapType::Class | HeapType::Module | HeapType::Bignum | HeapType::Float)
}

/// The values of an object's fields, hidden ones included, and of what its type holds itself: both ends of a range.
fn parts(ec: &mut Ec, value: Value) -> Array {
    let parts = Array::new(ec, 0);
    for kind in [HeapType::Range, HeapType::Rational, HeapType::Complex] {
        if let Some((first, second)) = ec.pair_of(value, kind) {
            parts.push(ec, first);
            parts.push(ec, second);
        }
    }
    for name in ec.instance_variable_names(value) {
        if let Some(part) = ec.field(value, name) {
            parts.push(ec, part);
        }
    }
    parts
}

/// Whether an object is native data: it cannot be copied or shared unless its class says so.
fn has_native_state(_ec: &mut Ec, value: Value) -> bool {
    value.header().is_some_and(|h| matches!(h.heap_type(), HeapType::Data | HeapType::Proc))
}
