//! Class variables.

use super::names;
use crate::object::any_object::symbols;
use carat_vm::{Array, Class, Ec, Result, SymbolId, Value};

fn checked_name(ec: &mut Ec, class: Class, name: Value) -> Result<SymbolId> {
    name_worded(ec, class, name, |name| format!("'{name}' is not allowed as a class variable name"))
}

/// The name of a class variable, or the error in these words.
fn name_worded(ec: &mut Ec, class: Class, name: Value, error: impl Fn(&str) -> String) -> Result<SymbolId> {
    let symbol = ec.to_name(name)?;
    if names::is_class_variable(ec.vm().symbol_name(symbol).bytes) {
        return Ok(symbol);
    }
    let text = ec.vm().symbol_text(symbol);
    Err(crate::object::any_object::name_error(ec, &error(&text), class.value(), name))
}

pub(super) fn class_variables(ec: &mut Ec, this: Class, inherited: Option<bool>) -> Array {
    let mut found: Vec<SymbolId> = Vec::new();
    for ancestor in this.class_variable_order() {
        if inherited != Some(false) || ancestor == this {
            ancestor.own_class_variables().into_iter().for_each(|n| {
                if !found.contains(&n) {
                    found.push(n)
                }
            });
        }
    }
    symbols(ec, &found)
}

pub(super) fn class_variable_get(ec: &mut Ec, this: Class, name: Value) -> Result {
    let name = checked_name(ec, this, name)?;
    this.read_class_variable(ec, name)
}

pub(super) fn class_variable_set(ec: &mut Ec, this: Class, name: Value, value: Value) -> Result {
    let name = checked_name(ec, this, name)?;
    ec.check_class_variable_set(this, name)?;
    this.set_class_variable(ec, name, value)?;
    Ok(value)
}

pub(super) fn is_class_variable_defined(ec: &mut Ec, this: Class, name: Value) -> Result<bool> {
    let name = checked_name(ec, this, name)?;
    Ok(this.class_variable(name).is_some())
}

pub(super) fn remove_class_variable(ec: &mut Ec, this: Class, name: Value) -> Result {
    let name = name_worded(ec, this, name, |name| format!("wrong class variable name {name}"))?;
    ec.check_class_variable_set(this, name)?;
    if ec.is_frozen(this.value()) {
        return Err(ec.frozen_class_error(this));
    }
    if let Some(value) = this.remove_class_variable(ec, name) {
        return Ok(value);
    }
    let (variable, class) = (ec.vm().symbol_text(name), this.to_text(ec));
    let text = match this.class_variable(name) {
        Some(_) => format!("cannot remove {variable} for {class}"),
        None => format!("class variable {variable} not defined for {class}"),
    };
    Err(ec.name_error(&text, this.value(), name))
}
