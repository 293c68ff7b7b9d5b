//! Which methods there are.

use crate::object::any_object::refused;
use crate::object::method::unbound;
use carat_vm::method::MethodEntry;
use carat_vm::{Array, Class, Ec, Name, Result, SymbolId, Value, Visibility};
use rustc_hash::FxHashSet;

/// What a list of methods shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Listing {
    Only(Visibility),
    NotPrivate,
}

impl Listing {
    fn shows(self, visibility: Visibility) -> bool {
        match self {
            Listing::Only(wanted) => visibility == wanted,
            Listing::NotPrivate => visibility != Visibility::Private,
        }
    }
}

/// Names of the methods in the tables of `order`; what stands first decides.
pub(crate) fn collect(ec: &Ec, order: &[Value], listing: Listing) -> Array {
    let list = Array::new(ec, 16);
    let mut seen = FxHashSet::default();
    for class in order {
        for (name, entry) in Class::expect(*class).own_methods(ec) {
            let Some(entry) = MethodEntry::from_value(ec, entry) else { continue };
            if seen.insert(name) && !entry.is_undefined() && listing.shows(entry.visibility) {
                list.push(ec, Value::symbol(name));
            }
        }
    }
    list
}

fn list(ec: &Ec, this: Class, inherited: Option<bool>, listing: Listing) -> Array {
    if inherited == Some(false) {
        return collect(ec, &[this.value()], listing);
    }
    // Behind a refinement comes what it refines.
    match this.refined() {
        Some(refined) => collect(ec, &[&*this.mro(), &*refined.mro()].concat(), listing),
        None => collect(ec, &this.mro(), listing),
    }
}

pub(super) fn instance_methods(ec: &mut Ec, this: Class, inherited: Option<bool>) -> Array {
    list(ec, this, inherited, Listing::NotPrivate)
}

pub(super) fn public_instance_methods(ec: &mut Ec, this: Class, inherited: Option<bool>) -> Array {
    list(ec, this, inherited, Listing::Only(Visibility::Public))
}

pub(super) fn private_instance_methods(ec: &mut Ec, this: Class, inherited: Option<bool>) -> Array {
    list(ec, this, inherited, Listing::Only(Visibility::Private))
}

pub(super) fn protected_instance_methods(ec: &mut Ec, this: Class, inherited: Option<bool>) -> Array {
    list(ec, this, inherited, Listing::Only(Visibility::Protected))
}

pub(super) fn undefined_instance_methods(ec: &mut Ec, this: Class) -> Array {
    let list = Array::new(ec, 4);
    for (name, entry) in this.own_methods(ec) {
        if MethodEntry::from_value(ec, entry).is_some_and(MethodEntry::is_undefined) {
            list.push(ec, Value::symbol(name));
        }
    }
    list
}

pub(super) fn instance_method(ec: &mut Ec, this: Class, name: Name) -> Result {
    match this.runnable_method(ec, name.0) {
        Some(entry) => Ok(unbound(ec, entry, name.0, this)),
        None => Err(ec.undefined_method_for(this, name.0)),
    }
}

pub(super) fn public_instance_method(ec: &mut Ec, this: Class, name: Name) -> Result {
    match this.find_method(ec, name.0).map(|m| m.visibility) {
        None | Some(Visibility::Public) => instance_method(ec, this, name),
        Some(visibility) => Err(refused(ec, this, name.0, visibility)),
    }
}

fn visibility_of(ec: &Ec, this: Class, name: SymbolId, inherited: Option<bool>) -> Option<Visibility> {
    if inherited == Some(false) {
        let entry = this.own_method(ec, name)?;
        let method = MethodEntry::from_value(ec, entry).filter(|m| !m.is_undefined() && m.is_implemented(ec));
        return method.map(|m| m.visibility);
    }
    let found = if this.is_class() { this.cached_method(ec, name) } else { this.find_method(ec, name) };
    found.filter(|m| m.is_implemented(ec)).map(|m| m.visibility)
}

pub(super) fn is_method_defined(ec: &mut Ec, this: Class, name: Name, inherited: Option<bool>) -> bool {
    visibility_of(ec, this, name.0, inherited).is_some_and(|v| v != Visibility::Private)
}

pub(super) fn is_public_method_defined(ec: &mut Ec, this: Class, name: Name, inherited: Option<bool>) -> bool {
    visibility_of(ec, this, name.0, inherited) == Some(Visibility::Public)
}

pub(super) fn is_private_method_defined(ec: &mut Ec, this: Class, name: Name, inherited: Option<bool>) -> bool {
    visibility_of(ec, this, name.0, inherited) == Some(Visibility::Private)
}

pub(super) fn is_protected_method_defined(ec: &mut Ec, this: Class, name: Name, inherited: Option<bool>) -> bool {
    visibility_of(ec, this, name.0, inherited) == Some(Visibility::Protected)
}
