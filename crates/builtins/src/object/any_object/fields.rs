//! Instance variables, and `inspect`, which shows them.

use super::copy::symbols;
use crate::text::text_builder::inspected;
use carat_vm::{Array, Ec, Result, Str, SymbolId, Unwind, Value, sym};

/// The name of an instance variable, checked. Only a variable that exists makes a new symbol worth while, but symbols are
/// never freed anyway.
fn variable_name(ec: &mut Ec, object: Value, name: Value) -> Result<SymbolId> {
    let symbol = ec.to_name(name)?;
    if ec.vm().symbol_name(symbol).is_instance_variable {
        return Ok(symbol);
    }
    let text = format!("'{}' is not allowed as an instance variable name", ec.vm().symbol_text(symbol));
    Err(name_error(ec, &text, object, name))
}

/// A NameError whose `name` is what was given as one.
pub(crate) fn name_error(ec: &mut Ec, text: &str, object: Value, given: Value) -> Unwind {
    let symbol = given.as_symbol().unwrap_or_else(|| ec.vm().intern(""));
    let unwind = ec.name_error(text, object, symbol);
    if let Some(error) = ec.pending_exception() {
        ec.set_field(error, sym::NAME_IVAR, given);
    }
    unwind
}

/// The variable of a symbol, in the main Ractor, which may see every object's.
fn variable_at_once(ec: &Ec, this: Value, name: Value) -> Option<Option<Value>> {
    let name = name.as_symbol()?;
    let is_plain = ec.is_main_ractor() && ec.vm().symbol_name(name).is_instance_variable;
    is_plain.then(|| ec.field(this, name))
}

pub(super) fn get_at_once(ec: &mut Ec, this: Value, name: Value) -> Option<Value> {
    variable_at_once(ec, this, name).map(|found| found.unwrap_or(Value::NIL))
}

pub(super) fn is_defined_at_once(ec: &mut Ec, this: Value, name: Value) -> Option<Value> {
    variable_at_once(ec, this, name).map(|found| Value::bool(found.is_some()))
}

pub(super) fn instance_variable_get(ec: &mut Ec, this: Value, name: Value) -> Result {
    let name = variable_name(ec, this, name)?;
    Ok(ec.instance_variable(this, name)?.unwrap_or(Value::NIL))
}

pub(super) fn instance_variable_set(ec: &mut Ec, this: Value, name: Value, value: Value) -> Result {
    let name = variable_name(ec, this, name)?;
    ec.set_instance_variable(this, name, value)?;
    Ok(value)
}

pub(super) fn is_instance_variable_defined(ec: &mut Ec, this: Value, name: Value) -> Result<bool> {
    let name = variable_name(ec, this, name)?;
    Ok(ec.field(this, name).is_some())
}

pub(super) fn instance_variables(ec: &mut Ec, this: Value) -> Array {
    let names = ec.instance_variable_names(this);
    symbols(ec, &names)
}

pub(super) fn remove_instance_variable(ec: &mut Ec, this: Value, name: Value) -> Result {
    let name = variable_name(ec, this, name)?;
    ec.check_instance_variable_set(this, name)?;
    if ec.is_frozen(this) {
        return Err(ec.frozen_error(this));
    }
    if let Some(string) = Str::from_value(this) {
        string.check_mutable(ec)?;
    }
    match ec.remove_field(this, name) {
        Some(value) => Ok(value),
        None => {
            let text = format!("instance variable {} not defined", ec.vm().symbol_text(name));
            Err(ec.name_error(&text, this, name))
        }
    }
}

// ---- inspect ----

/// nil: every instance variable is shown.
pub(super) fn instance_variables_to_inspect(_ec: &mut Ec, _this: Value) -> Value {
    Value::NIL
}

/// `#<Foo:0x… @a=1, @b=2>`; without instance variables as `Kernel#to_s` gives it.
pub(super) fn inspect(ec: &mut Ec, this: Value) -> Result<Str> {
    let shown = variables_to_show(ec, this)?;
    if shown.is_empty(ec) {
        return Ok(ec.any_to_s(this));
    }
    let head = ec.any_to_s(this).to_text(ec);
    let head = head.trim_end_matches('>');
    if !ec.recursion_enter(sym::INSPECT, this, Value::NIL) {
        return Ok(Str::from_text(ec, &format!("{head} ...>")));
    }
    let text = Str::from_text(ec, head);
    let values = Array::new(ec, shown.len(ec));
    for index in 0..shown.len(ec) {
        let value = shown.at(ec, index).as_symbol().and_then(|name| ec.field(this, name));
        values.push(ec, value.unwrap_or(Value::NIL));
    }
    let done = show_variables(ec, shown, values, text);
    ec.recursion_leave(sym::INSPECT, this, Value::NIL);
    done?;
    text.push_bytes(ec, b">");
    Ok(text)
}

fn variables_to_show(ec: &mut Ec, this: Value) -> Result<Array> {
    let all = instance_variables(ec, this);
    let hook = ec.vm().intern("instance_variables_to_inspect");
    if all.is_empty(ec) || ec.responds_with(this, hook, ec.vm().known().kernel) || ec.find_method(this, hook).is_none()
    {
        return Ok(all);
    }
    let wanted = ec.call(this, hook, &[])?;
    if wanted.is_nil() {
        return Ok(all);
    }
    let Some(wanted) = Array::from_value(wanted) else {
        let class = ec.describe_for_type_error(wanted);
        return Err(ec.type_error(&format!(
            "Expected #instance_variables_to_inspect to return an Array or nil, but it returned {class}"
        )));
    };
    let shown = Array::new(ec, all.len(ec));
    for index in 0..all.len(ec) {
        let name = all.at(ec, index);
        if wanted.slice_of(ec).contains(&name) {
            shown.push(ec, name);
        }
    }
    Ok(shown)
}

/// Names with the values that they had before any of these was asked to show itself.
fn show_variables(ec: &mut Ec, names: Array, values: Array, text: Str) -> Result<()> {
    for index in 0..names.len(ec) {
        let Some(name) = names.at(ec, index).as_symbol() else { continue };
        let shown = inspected(ec, values.at(ec, index))?;
        text.push_bytes(ec, if index == 0 { b" " } else { b", " });
        let bytes = ec.vm().symbol_name(name).bytes;
        if bytes.is_ascii() {
            text.push_bytes(ec, bytes);
        } else {
            let name = ec.vm().symbol_text(name);
            text.push_bytes(ec, name.as_bytes());
        }
        text.push_bytes(ec, b"=");
        text.push_str(ec, shown);
    }
    Ok(())
}
