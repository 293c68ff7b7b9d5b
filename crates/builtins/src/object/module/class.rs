//! What only classes have.

use super::run_body;
use carat_vm::{Array, Block, Class, Ec, HeapType, Result, Value, sym};

/// `Class.new(superclass) { … }`
pub(super) fn initialize(ec: &mut Ec, this: Class, superclass: Option<Value>, block: Option<Block>) -> Result {
    let basic_object = ec.vm().known().basic_object;
    if this.superclass().is_some() || this == basic_object {
        return Err(ec.type_error("already initialized class"));
    }
    let superclass = match superclass {
        None => ec.vm().known().object,
        Some(given) => checked_superclass(ec, given)?,
    };
    ec.reserve_for_class(superclass)?;
    this.initialize_superclass(ec, superclass);
    // The metaclass stands below the superclass's one, so that singleton methods are inherited.
    let _ = crate::object::any_object::singleton_class_of(ec, this.value())?;
    ec.call(superclass.value(), sym::INHERITED, &[this.value()])?;
    if let Some(block) = block {
        run_body(ec, this, block)?;
    }
    Ok(this.value())
}

fn checked_superclass(ec: &mut Ec, given: Value) -> Result<Class> {
    if !given.is_type(HeapType::Class) {
        let class = ec.describe_for_type_error(given);
        return Err(ec.type_error(&format!("superclass must be an instance of Class (given an instance of {class})")));
    }
    let superclass = Class::expect(given);
    if superclass.is_singleton() {
        return Err(ec.type_error("can't make subclass of singleton class"));
    }
    if superclass == ec.vm().known().class {
        return Err(ec.type_error("can't make subclass of Class"));
    }
    if superclass.superclass().is_none() && superclass != ec.vm().known().basic_object {
        return Err(ec.type_error("can't inherit uninitialized class"));
    }
    Ok(superclass)
}

pub(super) fn allocate(ec: &mut Ec, this: Class) -> Result {
    ec.allocate(this)
}

pub(super) fn superclass(ec: &mut Ec, this: Class) -> Result {
    match this.superclass() {
        Some(superclass) => Ok(superclass.value()),
        None if this == ec.vm().known().basic_object => Ok(Value::NIL),
        None => Err(ec.type_error("uninitialized class")),
    }
}

pub(super) fn subclasses(ec: &mut Ec, this: Class) -> Array {
    if this == ec.vm().known().system_call_error {
        crate::object::exception::make_errno_classes(ec);
    }
    let list = Array::new(ec, 4);
    this.subclasses().into_iter().rev().for_each(|c| list.push(ec, c.value()));
    list
}

pub(super) fn attached_object(ec: &mut Ec, this: Class) -> Result {
    if this.is_singleton() {
        return Ok(this.attached());
    }
    let text = format!("'{}' is not a singleton class", this.to_text(ec));
    Err(ec.type_error(&text))
}
