//! `to_json` of the core classes.

use super::generate;
use super::state::Options;
use carat_vm::method::MethodDef;
use carat_vm::method::MethodKind;
use carat_vm::{Class, Data, Ec, Result, Str, Value, methods};

methods! {
    /// Of every class.
    METHODS {
        "to_json" => to_json;
    }
}

/// Modules that the library includes into the classes of these names.
const MODULES: [&str; 9] =
    ["Object", "Hash", "Array", "Integer", "Float", "String", "TrueClass", "FalseClass", "NilClass"];

pub(super) fn define(ec: &mut Ec, generator: Class) {
    let Some(methods) = generator.nested(ec, "GeneratorMethods") else { return };
    for name in MODULES {
        if let Some(module) = methods.nested(ec, name) {
            module.define_methods(ec, METHODS);
        }
    }
}

/// `to_json(state = nil)`
fn to_json(ec: &mut Ec, this: Value, state: Option<Value>) -> Result<Str> {
    let state = state.unwrap_or(Value::NIL);
    match Data::<Options>::from_value(state) {
        Some(state) => {
            let options = *state.get(ec);
            generate::generate_own(ec, this, options, Some(state))
        }
        None => {
            let options = if carat_vm::Hash::from_value(state).is_some() { state } else { Value::NIL };
            let options = Options::from_hash(ec, options)?;
            generate::generate_own(ec, this, options, None)
        }
    }
}

/// Whether the program defined `to_json` for an object, so that it has to be asked.
pub(super) fn has_own_to_json(ec: &Ec, value: Value) -> bool {
    let method = ec.find_method(value, ec.vm().intern("to_json"));
    let is_ours = |def: &'static MethodDef| std::ptr::eq(def, &METHODS[0]);
    !method.is_some_and(|method| matches!(method.kind, MethodKind::Native(def) if is_ours(def)))
}
