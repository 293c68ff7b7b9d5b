//! Ancestry: `include`, `prepend`, `extend_object`, comparison.

use super::class_or_module;
use crate::object::any_object::check_module;
use carat_vm::{Array, Class, Ec, Rest, Result, SymbolId, Value, sym};

pub(super) fn case_equal(ec: &mut Ec, this: Class, object: Value) -> bool {
    ec.is_a(object, this)
}

/// -1 if `a` is below `b`, 1 if it is above, 0 if they are one, `None` if they have nothing to do with each other.
fn order(a: Class, b: Class) -> Option<i64> {
    if a == b {
        return Some(0);
    }
    if a.is_or_inherits(b) {
        return Some(-1);
    }
    b.is_or_inherits(a).then_some(1)
}

fn compare_with(ec: &mut Ec, this: Class, other: Value) -> Result<Option<i64>> {
    let other = class_or_module(ec, other, "compared with non class/module")?;
    Ok(order(this, other))
}

fn answer(found: Option<i64>, is_true: impl Fn(i64) -> bool) -> Value {
    found.map_or(Value::NIL, |sign| Value::bool(is_true(sign)))
}

pub(super) fn is_below(ec: &mut Ec, this: Class, other: Value) -> Result {
    Ok(answer(compare_with(ec, this, other)?, |s| s < 0))
}

pub(super) fn is_below_or_same(ec: &mut Ec, this: Class, other: Value) -> Result {
    Ok(answer(compare_with(ec, this, other)?, |s| s <= 0))
}

pub(super) fn is_above(ec: &mut Ec, this: Class, other: Value) -> Result {
    Ok(answer(compare_with(ec, this, other)?, |s| s > 0))
}

pub(super) fn is_above_or_same(ec: &mut Ec, this: Class, other: Value) -> Result {
    Ok(answer(compare_with(ec, this, other)?, |s| s >= 0))
}

pub(super) fn compare(_ec: &mut Ec, this: Class, other: Value) -> Option<i64> {
    order(this, Class::from_value(other)?)
}

pub(super) fn ancestors(ec: &mut Ec, this: Class) -> Array {
    Array::from_slice(ec, &this.mro())
}

pub(super) fn included_modules(ec: &mut Ec, this: Class) -> Array {
    let list = Array::new(ec, 4);
    for ancestor in this.mro().iter() {
        if *ancestor != this.value() && Class::expect(*ancestor).is_module() {
            list.push(ec, *ancestor);
        }
    }
    list
}

pub(super) fn does_include(ec: &mut Ec, this: Class, module: Value) -> Result<bool> {
    let module = check_module(ec, module)?;
    Ok(this != module && this.is_or_inherits(module))
}

/// `include` and `prepend`: each module's hook pair, the last module first.
fn add_all(ec: &mut Ec, this: Class, modules: Rest, add: SymbolId, added: SymbolId) -> Result {
    if modules.is_empty() {
        return Err(ec.arity_error(0, 1, None));
    }
    for module in modules.iter() {
        if Class::from_value(module).is_some_and(Class::is_refinement) {
            let verb = if add == sym::APPEND_FEATURES { "include" } else { "prepend" };
            return Err(ec.type_error(&format!("Cannot {verb} refinement")));
        }
        check_module(ec, module)?;
    }
    for index in (0..modules.len()).rev() {
        let module = modules.get(index).unwrap_or(Value::NIL);
        ec.call(module, add, &[this.value()])?;
        ec.call(module, added, &[this.value()])?;
    }
    Ok(this.value())
}

pub(super) fn include(ec: &mut Ec, this: Class, modules: Rest) -> Result {
    if this.is_refinement() {
        return Err(ec.type_error("Refinement#include has been removed"));
    }
    add_all(ec, this, modules, sym::APPEND_FEATURES, sym::INCLUDED)
}

pub(super) fn prepend(ec: &mut Ec, this: Class, modules: Rest) -> Result {
    if this.is_refinement() {
        return Err(ec.type_error("Refinement#prepend has been removed"));
    }
    add_all(ec, this, modules, sym::PREPEND_FEATURES, sym::PREPENDED)
}

pub(super) fn append_features(ec: &mut Ec, this: Class, target: Value) -> Result {
    check_module(ec, this.value())?;
    let target = target_of(ec, this, target, "cyclic include detected")?;
    target.include(ec, this);
    Ok(this.value())
}

pub(super) fn prepend_features(ec: &mut Ec, this: Class, target: Value) -> Result {
    check_module(ec, this.value())?;
    let target = target_of(ec, this, target, "cyclic prepend detected")?;
    target.prepend(ec, this);
    Ok(this.value())
}

fn target_of(ec: &mut Ec, module: Class, target: Value, cycle: &str) -> Result<Class> {
    let target = match Class::from_value(target) {
        Some(target) => target,
        None => return Err(ec.wrong_type(target, "Class or Module")),
    };
    if ec.is_frozen(target.value()) {
        return Err(ec.frozen_class_error(target));
    }
    if module.is_or_inherits(target) {
        return Err(ec.argument_error(cycle));
    }
    Ok(target)
}

pub(super) fn extend_object(ec: &mut Ec, this: Class, object: Value) -> Result {
    check_module(ec, this.value())?;
    let had_one = ec.has_own_singleton_class(object);
    let class = crate::object::any_object::singleton_class_of(ec, object)?;
    if ec.is_frozen(object) && object.is_heap() {
        return Err(ec.frozen_error(object));
    }
    let is_new = !had_one && class.is_singleton() && Class::from_value(object).is_none();
    if is_new && !ec.vm().has_several_ractors() {
        class.include_first(ec, this);
    } else {
        class.include(ec, this);
    }
    Ok(object)
}
