//! What an object can do: lists of methods, `respond_to?`, Method objects.

use crate::object::method::{bound, bound_missing};
use crate::object::module::listing::{Listing, collect};
use carat_vm::method::MethodEntry;
use carat_vm::{Array, Class, Ec, Name, Result, SymbolId, Value, Visibility, sym};

pub(super) fn methods_of(ec: &mut Ec, this: Value, inherited: Option<bool>) -> Array {
    if inherited == Some(false) {
        return singleton_methods(ec, this, Some(false));
    }
    let class = ec.class_of(this);
    collect(ec, &class.mro(), Listing::NotPrivate)
}

/// Public and protected methods of the singleton class, with those of modules that extend the object unless `all` is false.
/// For classes those of the superclasses' singleton classes too.
pub(super) fn singleton_methods(ec: &mut Ec, this: Value, all: Option<bool>) -> Array {
    let all = all.unwrap_or(true);
    let class = ec.class_of(this);
    if !class.is_singleton() || class.attached() != this && !all {
        return Array::new(ec, 0);
    }
    let mro = class.mro();
    if !all {
        return collect(ec, &[class.value()], Listing::NotPrivate);
    }
    // The class itself begins with what is prepended to it.
    let own = mro.len() - class.real().mro().len();
    collect(ec, &mro[..own], Listing::NotPrivate)
}

fn methods_with(ec: &mut Ec, this: Value, inherited: Option<bool>, listing: Listing) -> Array {
    let class = ec.class_of(this);
    let mro = class.mro();
    if inherited != Some(false) {
        return collect(ec, &mro, listing);
    }
    // Without inherited ones: those of the singleton class, of the class and of what lies before it.
    let real = class.real();
    let count = mro.iter().position(|m| *m == real.value()).map_or(mro.len(), |i| i + 1);
    collect(ec, &mro[..count], listing)
}

pub(super) fn public_methods(ec: &mut Ec, this: Value, inherited: Option<bool>) -> Array {
    methods_with(ec, this, inherited, Listing::Only(Visibility::Public))
}

pub(super) fn private_methods(ec: &mut Ec, this: Value, inherited: Option<bool>) -> Array {
    methods_with(ec, this, inherited, Listing::Only(Visibility::Private))
}

pub(super) fn protected_methods(ec: &mut Ec, this: Value, inherited: Option<bool>) -> Array {
    methods_with(ec, this, inherited, Listing::Only(Visibility::Protected))
}

// ---- respond_to? ----

pub(super) fn does_respond_to(ec: &mut Ec, this: Value, name: Name, include_all: Option<bool>) -> Result<bool> {
    let include_all = include_all.unwrap_or(false);
    let found = ec.find_method_of_for_caller(this, name.0);
    if let Some(method) = found
        && (include_all || method.visibility == Visibility::Public)
    {
        return Ok(method.is_implemented(ec));
    }
    asks_missing(ec, this, name.0, include_all)
}

/// The same for one symbol, as far as no program is to be asked and no refinement may be at work.
pub(super) fn responds_at_once(ec: &mut Ec, this: Value, name: Value) -> Option<Value> {
    let name = name.as_symbol().filter(|name| !ec.vm().may_be_refined(*name))?;
    match ec.find_method(this, name).filter(|method| method.visibility == Visibility::Public) {
        Some(method) => Some(Value::bool(method.is_implemented(ec))),
        None => (!has_missing(ec, this)).then_some(Value::FALSE),
    }
}

/// Whether a program says what else an object responds to.
fn has_missing(ec: &Ec, this: Value) -> bool {
    !ec.responds_with(this, sym::RESPOND_TO_MISSING, ec.vm().known().kernel)
        && ec.find_method(this, sym::RESPOND_TO_MISSING).is_some()
}

/// `respond_to_missing?`, unless it is the one that always answers false.
fn asks_missing(ec: &mut Ec, this: Value, name: SymbolId, include_all: bool) -> Result<bool> {
    if !has_missing(ec, this) {
        return Ok(false);
    }
    Ok(ec.call(this, sym::RESPOND_TO_MISSING, &[Value::symbol(name), Value::bool(include_all)])?.truthy())
}

pub(super) fn respond_to_missing(_ec: &mut Ec, _this: Value, _name: Value, _include_all: Value) -> bool {
    false
}

// ---- Method objects ----

pub(super) fn method(ec: &mut Ec, this: Value, name: Name) -> Result {
    method_object(ec, this, name.0, true)
}

pub(super) fn public_method(ec: &mut Ec, this: Value, name: Name) -> Result {
    method_object(ec, this, name.0, false)
}

fn method_object(ec: &mut Ec, this: Value, name: SymbolId, with_private: bool) -> Result {
    let class = ec.class_of(this);
    let visibility = ec.find_method_for_caller(class, name).map(|m| m.visibility);
    let found = class.runnable_method(ec, name);
    match (found, visibility) {
        (Some(entry), Some(v)) if with_private || v == Visibility::Public => Ok(bound(ec, this, entry, name, class)),
        (Some(_), Some(v)) => Err(refused(ec, class, name, v)),
        _ if asks_missing(ec, this, name, with_private)? => Ok(bound_missing(ec, this, name)),
        _ => Err(ec.undefined_method_for(class, name)),
    }
}

/// `method 'x' for class 'Foo' is private`
pub(crate) fn refused(ec: &mut Ec, class: Class, name: SymbolId, visibility: Visibility) -> carat_vm::Unwind {
    let kind = class.kind_name();
    let how = if visibility == Visibility::Private { "private" } else { "protected" };
    let text = format!("method '{}' for {kind} '{}' is {how}", ec.vm().symbol_text(name), class.to_text(ec));
    ec.name_error(&text, class.value(), name)
}

pub(super) fn singleton_method(ec: &mut Ec, this: Value, name: Name) -> Result {
    let class = ec.class_of(this);
    if class.is_singleton() && class.attached() == this {
        let own =
            class.own_method(ec, name.0).filter(|m| MethodEntry::from_value(ec, *m).is_some_and(|m| !m.is_undefined()));
        let found = own.or_else(|| extension_method(ec, class, name.0));
        if found.is_some()
            && let Some(entry) = class.runnable_method(ec, name.0)
        {
            return Ok(bound(ec, this, entry, name.0, class));
        }
    }
    let shown = ec.inspect(this)?.to_text(ec);
    let text = format!("undefined singleton method '{}' for '{shown}'", ec.vm().symbol_text(name.0));
    Err(ec.name_error(&text, this, name.0))
}

/// The method of a module that extends the object.
fn extension_method(ec: &Ec, class: Class, name: SymbolId) -> Option<Value> {
    let mro = class.mro();
    let own = mro.len() - class.superclass().map_or(0, |above| above.mro().len());
    mro[..own].iter().find_map(|m| Class::expect(*m).own_method(ec, name))
}
