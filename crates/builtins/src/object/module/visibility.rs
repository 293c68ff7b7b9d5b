//! `public`, `private`, `protected`, `module_function` and their kin.

use carat_vm::method::{MethodEntry, MethodKind};
use carat_vm::{Class, Ec, Rest, Result, SymbolId, Value, Visibility};

/// Changes the visibility of a class's method; an inherited one gets an entry that goes on to it.
pub(super) fn change(ec: &mut Ec, class: Class, name: SymbolId, visibility: Visibility) -> Result<()> {
    if ec.is_frozen(class.value()) {
        return Err(ec.frozen_class_error(class));
    }
    let found = found_behind_prepended(ec, class, name)?;
    let own = class.own_method(ec, name) == Some(found);
    let Some(entry) = MethodEntry::from_value(ec, found) else { return Ok(()) };
    if entry.visibility == visibility {
        return Ok(());
    }
    if own {
        let copy = entry.with(ec, visibility, name, class).value();
        class.put_method(ec, name, copy);
        return Ok(());
    }
    class.add_method(ec, name, MethodKind::Zsuper, visibility, Value::NIL);
    class.method_added(ec, name)
}

/// The method that a class has but for the modules prepended to it.
fn found_behind_prepended(ec: &mut Ec, class: Class, name: SymbolId) -> Result {
    if class.directly_prepended().is_empty() {
        return class.find_method_for_definition(ec, name);
    }
    let own = class.own_method(ec, name).filter(|m| MethodEntry::from_value(ec, *m).is_some_and(|m| !m.is_undefined()));
    let found = own.or_else(|| class.find_method_behind(ec, class, 0, name).map(MethodEntry::value));
    match found {
        Some(found) => Ok(found),
        None if class.is_module() => ec.vm().known().object.find_method_for_definition(ec, name),
        None => Err(ec.undefined_method_for(class, name)),
    }
}

/// The names in an argument list: each of them, or those of a single array.
fn each_name(ec: &mut Ec, names: Rest, mut act: impl FnMut(&mut Ec, SymbolId) -> Result<()>) -> Result<()> {
    let list = match names.get(0) {
        Some(only) if names.len() == 1 => ec.check_array(only)?.map_or_else(|| names.to_array(ec), |a| a.duplicate(ec)),
        _ => names.to_array(ec),
    };
    for index in 0..list.len(ec) {
        let name = ec.to_name(list.at(ec, index))?;
        act(ec, name)?;
    }
    Ok(())
}

/// What these methods answer: nil, their argument, or the arguments as an array.
fn arguments(ec: &Ec, names: Rest) -> Value {
    match names.len() {
        0 => Value::NIL,
        1 => names.get(0).unwrap_or(Value::NIL),
        _ => names.to_array(ec).value(),
    }
}

fn set(ec: &mut Ec, class: Class, names: Rest, visibility: Visibility, word: &str) -> Result {
    if names.is_empty() {
        if !ec.set_caller_visibility(visibility, false) {
            ec.warn(&format!("calling {word} without arguments inside a method may not have the intended effect"))?;
        }
        return Ok(Value::NIL);
    }
    each_name(ec, names, |ec, name| change(ec, class, name, visibility))?;
    Ok(arguments(ec, names))
}

pub(super) fn public(ec: &mut Ec, this: Class, names: Rest) -> Result {
    set(ec, this, names, Visibility::Public, "public")
}

pub(super) fn private(ec: &mut Ec, this: Class, names: Rest) -> Result {
    set(ec, this, names, Visibility::Private, "private")
}

pub(super) fn protected(ec: &mut Ec, this: Class, names: Rest) -> Result {
    set(ec, this, names, Visibility::Protected, "protected")
}

pub(super) fn main_public(ec: &mut Ec, this: Value, names: Rest) -> Result {
    let object = class_of_main(ec, this, "public")?;
    set(ec, object, names, Visibility::Public, "public")
}

/// Where methods of the top level are defined: Object, or the module that `load` wraps a script in.
fn class_of_main(ec: &mut Ec, main: Value, method: &str) -> Result<Class> {
    let Some(wrapper) = ec.script_wrapper(main) else { return Ok(ec.vm().known().object) };
    ec.warn_verbose(&format!("main.{method} in the wrapped load is effective only in wrapper module"))?;
    Ok(wrapper)
}

pub(super) fn main_private(ec: &mut Ec, this: Value, names: Rest) -> Result {
    let object = class_of_main(ec, this, "private")?;
    set(ec, object, names, Visibility::Private, "private")
}

/// Makes methods private and gives the module public copies as singleton methods.
pub(super) fn module_function(ec: &mut Ec, this: Class, names: Rest) -> Result {
    if this.is_class() {
        return Err(ec.type_error("module_function must be called for modules"));
    }
    if names.is_empty() {
        if !ec.set_caller_visibility(Visibility::Private, true) {
            ec.warn("calling module_function without arguments inside a method may not have the intended effect")?;
        }
        return Ok(Value::NIL);
    }
    each_name(ec, names, |ec, name| make_module_function(ec, this, name))?;
    Ok(arguments(ec, names))
}

fn make_module_function(ec: &mut Ec, module: Class, name: SymbolId) -> Result<()> {
    change(ec, module, name, Visibility::Private)?;
    let mut found = module.find_method_for_definition(ec, name)?;
    if let Some(entry) = module.runnable_method(ec, name) {
        found = entry;
    }
    let singleton = crate::object::any_object::singleton_class_of(ec, module.value())?;
    let Some(entry) = MethodEntry::from_value(ec, found) else { return Ok(()) };
    let copy = entry.with(ec, Visibility::Public, name, singleton).value();
    singleton.put_method(ec, name, copy);
    singleton.method_added(ec, name)
}

pub(super) fn public_class_method(ec: &mut Ec, this: Class, names: Rest) -> Result {
    change_class_methods(ec, this, names, Visibility::Public)
}

pub(super) fn private_class_method(ec: &mut Ec, this: Class, names: Rest) -> Result {
    change_class_methods(ec, this, names, Visibility::Private)
}

fn change_class_methods(ec: &mut Ec, this: Class, names: Rest, visibility: Visibility) -> Result {
    let singleton = crate::object::any_object::singleton_class_of(ec, this.value())?;
    each_name(ec, names, |ec, name| change(ec, singleton, name, visibility))?;
    Ok(this.value())
}
