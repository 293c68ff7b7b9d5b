//! Constants.

use crate::boundary::{Id, Room, Text, class, values};
use carat_vm::{Class, Ec, Result, SymbolId, Value, sym};

/// A constant that code in a class sees; `const_missing` is asked for one that is not there.
fn get(ec: &mut Ec, scope: Value, name: SymbolId, with_object: bool) -> Result {
    let scope = class(ec, scope)?;
    match scope.find_constant(ec, name, with_object)? {
        Some(value) => Ok(value),
        None => ec.call(scope.value(), sym::CONST_MISSING, &[Value::symbol(name)]),
    }
}

/// A constant of a class and those above it, Object left out unless it is the class.
fn get_from(ec: &mut Ec, scope: Value, name: SymbolId) -> Result {
    let class = class(ec, scope)?;
    let is_object = class == ec.vm().known().object;
    match find_from(ec, class, name)? {
        Some(value) if is_object || !is_objects_own(class, ec, name) => Ok(value),
        _ => ec.call(scope, sym::CONST_MISSING, &[Value::symbol(name)]),
    }
}

fn find_from(ec: &mut Ec, class: Class, name: SymbolId) -> Result<Option<Value>> {
    class.find_constant(ec, name, false)
}

/// Only Object, and what it includes, has the constant.
pub(crate) fn is_objects_own(class: Class, ec: &Ec, name: SymbolId) -> bool {
    let object = ec.vm().known().object.value();
    let before = class.mro();
    !before
        .iter()
        .take_while(|ancestor| **ancestor != object)
        .any(|ancestor| Class::from_value(*ancestor).is_some_and(|ancestor| ancestor.own_constant(name).is_some()))
}

fn is_defined(ec: &mut Ec, scope: Value, name: SymbolId, inherit: bool) -> Result<bool> {
    let args = [Value::symbol(name), Value::bool(inherit)];
    Ok(ec.call(scope, name!(ec, "const_defined?"), &args)?.truthy())
}

api! {
    fn rb_const_get(ec, scope: Value, name: Id) -> Result {
        get(ec, scope, name.0, true)
    }

    fn rb_const_get_from(ec, scope: Value, name: Id) -> Result {
        get_from(ec, scope, name.0)
    }

    fn rb_const_get_at(ec, scope: Value, name: Id) -> Result {
        let class = class(ec, scope)?;
        match class.own_constant_value(ec, name.0)? {
            Some(value) => Ok(value),
            None => ec.call(scope, sym::CONST_MISSING, &[Value::symbol(name.0)]),
        }
    }

    fn rb_const_set(ec, scope: Value, name: Id, value: Value) -> Result<()> {
        let scope = class(ec, scope)?;
        if !ec.vm().symbol_name(name.0).bytes.first().is_some_and(u8::is_ascii_uppercase) {
            scope.set_constant(ec, name.0, value);
            return Ok(());
        }
        ec.assign_constant(scope.value(), name.0, value)
    }

    fn rb_const_defined(ec, scope: Value, name: Id) -> Result<bool> {
        is_defined(ec, scope, name.0, true)
    }

    fn rb_const_defined_at(ec, scope: Value, name: Id) -> Result<bool> {
        is_defined(ec, scope, name.0, false)
    }

    fn rb_const_defined_from(ec, scope: Value, name: Id) -> Result<bool> {
        let owner = class(ec, scope)?;
        Ok(is_defined(ec, scope, name.0, true)? && !is_objects_own(owner, ec, name.0))
    }

    fn rb_const_remove(ec, scope: Value, name: Id) -> Result {
        ec.call(scope, name!(ec, "remove_const"), &[Value::symbol(name.0)])
    }

    fn rb_define_const(ec, scope: Value, name: Text, value: Value) -> Result<()> {
        let name = name.symbol(ec);
        let scope = class(ec, scope)?;
        ec.vm().keep(value);
        // C code may give a constant a name that Ruby code cannot write.
        if ec.vm().symbol_name(name).bytes.first().is_some_and(u8::is_ascii_uppercase) {
            return ec.assign_constant(scope.value(), name, value);
        }
        scope.set_constant(ec, name, value);
        Ok(())
    }

    fn rb_define_global_const(ec, name: Text, value: Value) -> Result<()> {
        let (object, name) = (ec.vm().known().object.value(), name.symbol(ec));
        ec.assign_constant(object, name, value)
    }

    fn carat_deprecate_constant(ec, scope: Value, name: Text) -> Result<()> {
        let name = Value::symbol(name.symbol(ec));
        ec.call(scope, name!(ec, "deprecate_constant"), &[name]).map(drop)
    }

    fn rb_mod_remove_const(ec, scope: Value, name: Value) -> Result {
        ec.call(scope, name!(ec, "remove_const"), &[name])
    }

    fn rb_mod_constants(ec, count: i32, list: *const crate::boundary::CValue, scope: Value) -> Result {
        let mut room = Room::new();
        let list = values(count.into(), list, &mut room);
        ec.call(scope, name!(ec, "constants"), list)
    }
}
