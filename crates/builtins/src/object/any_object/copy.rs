//! `freeze`, `dup` and `clone`.

use carat_vm::call::Passing;
use carat_vm::{Array, Class, Ec, Hash, HeapType, Keywords, Result, Str, Value, sym};

pub(super) fn freeze(ec: &mut Ec, this: Value) -> Value {
    freeze_object(ec, this);
    this
}

/// Freezes an object and the singleton class that it may have.
pub(crate) fn freeze_object(ec: &Ec, object: Value) {
    ec.freeze(object);
    let class = ec.class_of(object);
    if class.is_singleton() && class.attached() == object {
        ec.freeze(class.value());
    }
}

/// Values that are their own copy.
fn is_its_own_copy(value: Value) -> bool {
    match value.header() {
        None => true,
        Some(header) => {
            matches!(header.heap_type(), HeapType::Float | HeapType::Bignum | HeapType::Rational | HeapType::Complex)
        }
    }
}

/// An object of the same class with the same instance variables.
fn shallow_copy(ec: &mut Ec, this: Value) -> Result {
    let class = ec.class_of(this).real();
    let copy = ec.allocate(class)?;
    ec.copy_fields(this, copy);
    crate::object::finalizers::copy(ec, this, copy)?;
    if let (Some(original), Some(copy)) = (Class::from_value(this), Class::from_value(copy)) {
        crate::object::module::prepare_copy(ec, original, copy)?;
    }
    Ok(copy)
}

pub(super) fn dup(ec: &mut Ec, this: Value) -> Result {
    if is_its_own_copy(this) {
        return Ok(this);
    }
    if let Some(copy) = copy_of_container(ec, this, sym::INITIALIZE_DUP)? {
        return Ok(copy);
    }
    let copy = shallow_copy(ec, this)?;
    if !copies_plainly(ec, copy, sym::INITIALIZE_DUP) {
        ec.call(copy, sym::INITIALIZE_DUP, &[this])?;
    }
    Ok(copy)
}

/// Neither the hook nor `initialize_copy` does more than `Kernel`'s.
fn copies_plainly(ec: &Ec, copy: Value, hook: carat_vm::SymbolId) -> bool {
    let kernel = ec.vm().known().kernel;
    ec.responds_with(copy, hook, kernel) && ec.responds_with(copy, sym::INITIALIZE_COPY, kernel)
}

/// A copy of an array or hash whose class has its own hooks and `initialize_copy`: what they would fill is made at once.
fn copy_of_container(ec: &mut Ec, this: Value, hook: carat_vm::SymbolId) -> Result<Option<Value>> {
    let known = ec.vm().known();
    let is_plain = |ec: &Ec, class: Class| {
        ec.responds_with(this, hook, known.kernel) && ec.responds_with(this, sym::INITIALIZE_COPY, class)
    };
    let copy = if let Some(array) = Array::from_value(this).filter(|_| is_plain(ec, known.array)) {
        let copy = array.duplicate_as(ec, ec.class_of(this).real()).value();
        ec.copy_fields(this, copy);
        copy
    } else if let Some(hash) = Hash::from_value(this).filter(|_| is_plain(ec, known.hash)) {
        crate::collection::hash::copy_of(ec, hash)?.value()
    } else {
        return Ok(None);
    };
    crate::object::finalizers::copy(ec, this, copy)?;
    Ok(Some(copy))
}

pub(super) fn clone(ec: &mut Ec, this: Value, keywords: Keywords) -> Result {
    keywords.check(ec, &[sym::FREEZE])?;
    let freeze = keywords.get(ec, sym::FREEZE).unwrap_or(Value::NIL);
    if !matches!(freeze, Value::NIL | Value::TRUE | Value::FALSE) {
        let class = ec.shown_for_type_error(freeze)?;
        return Err(ec.argument_error(&format!("unexpected value for freeze: {class}")));
    }
    clone_object(ec, this, freeze)
}

/// `clone(freeze: …)`, with nil for "as the original".
pub(crate) fn clone_object(ec: &mut Ec, this: Value, freeze: Value) -> Result {
    if is_its_own_copy(this) {
        if freeze.is_false() {
            let class = ec.class_of(this).real().to_text(ec);
            return Err(ec.argument_error(&format!("can't unfreeze {class}")));
        }
        return Ok(this);
    }
    let container = if freeze.is_nil() { copy_of_container(ec, this, sym::INITIALIZE_CLONE)? } else { None };
    let copy = match container {
        Some(copy) => copy,
        None => shallow_copy(ec, this)?,
    };
    // Those of classes follow their superclasses': `initialize_copy` gives both.
    if Class::from_value(this).is_none() {
        copy_singleton_class(ec, this, copy)?;
    }
    let passing = match freeze {
        Value::NIL => Passing::default(),
        given => {
            let hash = Hash::new(ec);
            hash.set_symbol(ec, sym::FREEZE, given);
            Passing { keywords: Some(hash), block: None }
        }
    };
    if container.is_none() && (!freeze.is_nil() || !copies_plainly(ec, copy, sym::INITIALIZE_CLONE)) {
        ec.call_with(copy, sym::INITIALIZE_CLONE, &[this], passing)?;
    }
    if freeze.is_true() || freeze.is_nil() && ec.is_frozen(this) {
        freeze_object(ec, copy);
    } else if freeze.is_nil()
        && let (Some(original), Some(copy)) = (Str::from_value(this), Str::from_value(copy))
    {
        copy.chill_as(original);
    }
    Ok(copy)
}

/// Gives the copy a singleton class with the methods of the original's.
pub(crate) fn copy_singleton_class(ec: &mut Ec, this: Value, copy: Value) -> Result<()> {
    let own = ec.class_of(this);
    if !own.is_singleton() || own.attached() != this {
        return Ok(());
    }
    ec.reserve_for_class(ec.class_of(copy))?;
    let Some(target) = ec.singleton_class_of(copy) else { return Ok(()) };
    crate::object::module::copy_tables(ec, own, target);
    for module in own.directly_included() {
        target.include(ec, Class::expect(module));
    }
    for module in own.directly_prepended() {
        target.prepend(ec, Class::expect(module));
    }
    copy_singleton_class(ec, own.value(), target.value())
}

pub(super) fn initialize_copy(ec: &mut Ec, this: Value, original: Value) -> Result {
    if this == original {
        return Ok(this);
    }
    if ec.is_frozen(this) {
        return Err(ec.frozen_error(this));
    }
    if ec.class_of(this).real() != ec.class_of(original).real() {
        return Err(ec.type_error("initialize_copy should take same class object"));
    }
    Ok(this)
}

pub(super) fn initialize_dup(ec: &mut Ec, this: Value, original: Value) -> Result {
    ec.call(this, sym::INITIALIZE_COPY, &[original])
}

pub(super) fn initialize_clone(ec: &mut Ec, this: Value, original: Value, keywords: Keywords) -> Result {
    keywords.check(ec, &[sym::FREEZE])?;
    let freeze = keywords.get(ec, sym::FREEZE).unwrap_or(Value::NIL);
    if !matches!(freeze, Value::NIL | Value::TRUE | Value::FALSE) {
        let class = ec.shown_for_type_error(freeze)?;
        return Err(ec.argument_error(&format!("unexpected value for freeze: {class}")));
    }
    ec.call(this, sym::INITIALIZE_COPY, &[original])
}

/// Symbols as an array.
pub(crate) fn symbols(ec: &Ec, names: &[carat_vm::SymbolId]) -> Array {
    let list = Array::new(ec, names.len());
    names.iter().for_each(|n| list.push(ec, Value::symbol(*n)));
    list
}
