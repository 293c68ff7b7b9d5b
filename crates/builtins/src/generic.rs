//! Primitives that core Ruby code uses everywhere: identity, conversions, checks.

use carat_vm::{Array, Ec, Result, Value, primitives};

primitives! {
    PRIMITIVES {
        "undef" => undef;
        "undef?" => is_undef;
        "same" => same;
        "array_size" => array_size;
        "array_at" => array_at;
    }
}

fn undef(_ec: &mut Ec) -> Value {
    Value::UNDEF
}

fn is_undef(_ec: &mut Ec, value: Value) -> bool {
    value.is_undef()
}

fn same(_ec: &mut Ec, a: Value, b: Value) -> bool {
    a == b
}

fn array_size(ec: &mut Ec, array: Value) -> Result {
    Ok(Value::len(Array::from_value_unchecked(array).len(ec)))
}

fn array_at(ec: &mut Ec, array: Value, index: i64) -> Value {
    usize::try_from(index).map_or(Value::NIL, |i| Array::from_value_unchecked(array).at(ec, i))
}
