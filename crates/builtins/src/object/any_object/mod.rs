//! `BasicObject` and what `Kernel` gives every object: identity, copying, instance variables, reflection, evaluation.
//!
//! # Code map
//! `copy`: `dup`, `clone`, `freeze`. `fields`: instance variables and `inspect`. `reflect`: methods and `respond_to?`.
//! `eval`: `instance_eval`, `method_missing`, singleton methods. `singletons`: `nil`, `true`, `false` and `main`.

mod copy;
mod eval;
mod fields;
mod reflect;
mod singletons;

pub(crate) use copy::{copy_singleton_class, freeze_object, symbols};
pub(crate) use eval::{check_module, eval_string, exec_block};
pub(crate) use fields::name_error;
pub(crate) use reflect::refused;

use crate::text::text_builder::inspected;
use carat_vm::leaf::{Leaf, LeafOf, LeafRow};
use carat_vm::method::{MethodKind, OptimizedKind};
use carat_vm::{Class, Ec, Result, Str, Value, Visibility, methods, primitives, sym};
pub(crate) use singletons::LEAVES as SINGLETON_LEAVES;

methods! {
    BASIC_OBJECT {
        private "initialize" => initialize;
        "==" => same;
        "equal?" => same;
        "!" => not;
        "!=" => not_equal;
        "__id__" => object_id;
        "instance_eval" => eval::instance_eval;
        "instance_exec" => eval::instance_exec;
        private "method_missing" => eval::method_missing;
        private "singleton_method_added" => ignore;
        private "singleton_method_removed" => ignore;
        private "singleton_method_undefined" => ignore;
    }

    KERNEL {
        "nil?" => is_nil;
        "===" => case_equal;
        "!~" => does_not_match;
        "eql?" => same;
        "hash" => hash;
        "<=>" => compare;
        "class" => class;
        "singleton_class" => singleton_class;
        "frozen?" => is_frozen;
        "freeze" => copy::freeze;
        "dup" => copy::dup;
        "clone" => copy::clone;
        private "initialize_copy" => copy::initialize_copy;
        private "initialize_dup" => copy::initialize_dup;
        private "initialize_clone" => copy::initialize_clone;
        "itself" => itself;
        "to_s" => to_s;
        "inspect" => fields::inspect;
        private "instance_variables_to_inspect" => fields::instance_variables_to_inspect;
        "display" => display;
        "instance_of?" => is_instance_of;
        "kind_of?" => is_kind_of;
        "is_a?" => is_kind_of;
        "object_id" => object_id;
        "instance_variable_get" => fields::instance_variable_get;
        "instance_variable_set" => fields::instance_variable_set;
        "instance_variable_defined?" => fields::is_instance_variable_defined;
        "instance_variables" => fields::instance_variables;
        "remove_instance_variable" => fields::remove_instance_variable;
        "methods" => reflect::methods_of;
        "singleton_methods" => reflect::singleton_methods;
        "public_methods" => reflect::public_methods;
        "private_methods" => reflect::private_methods;
        "protected_methods" => reflect::protected_methods;
        "respond_to?" => reflect::does_respond_to;
        private "respond_to_missing?" => reflect::respond_to_missing;
        "method" => reflect::method;
        "public_method" => reflect::public_method;
        "singleton_method" => reflect::singleton_method;
        "define_singleton_method" => eval::define_singleton_method;
        "extend" => eval::extend;
    }
}

primitives! {
    PRIMITIVES {
        "inspect" => inspected;
    }
}

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    known.basic_object.define_methods(ec, BASIC_OBJECT);
    known.kernel.define_methods(ec, KERNEL);
    let optimized = [
        (known.basic_object, sym::__SEND__, OptimizedKind::Send),
        (known.kernel, sym::SEND, OptimizedKind::Send),
        (known.kernel, sym::PUBLIC_SEND, OptimizedKind::PublicSend),
    ];
    // The one constant of a class that does not inherit those of Object.
    known.basic_object.set_constant(ec, ec.vm().intern("BasicObject"), known.basic_object.value());
    for (class, name, kind) in optimized {
        class.add_method(ec, name, MethodKind::Optimized(kind), Visibility::Public, Value::NIL);
    }
    singletons::init(ec);
}

pub(crate) static LEAVES: &[LeafRow] = &[
    (LeafOf::Method(KERNEL, "class"), Leaf::total(|ec: &mut Ec, this: Value| Some(class(ec, this).value()))),
    (LeafOf::Method(KERNEL, "itself"), Leaf::total(|_: &mut Ec, this: Value| Some(this))),
    (LeafOf::Method(KERNEL, "frozen?"), Leaf::total(|ec: &mut Ec, this: Value| Some(Value::bool(ec.is_frozen(this))))),
    (LeafOf::Method(KERNEL, "freeze"), Leaf::new(|ec: &mut Ec, this: Value| ec.is_frozen(this).then_some(this))),
    (LeafOf::Method(KERNEL, "is_a?"), Leaf::new(is_kind_at_once)),
    (LeafOf::Method(KERNEL, "kind_of?"), Leaf::new(is_kind_at_once)),
    (
        LeafOf::Method(KERNEL, "instance_of?"),
        Leaf::new(|ec: &mut Ec, this: Value, class: Value| {
            Class::from_value(class).map(|class| Value::bool(is_instance_of(ec, this, class)))
        }),
    ),
    (LeafOf::Method(KERNEL, "respond_to?"), Leaf::new(reflect::responds_at_once)),
    (LeafOf::Method(KERNEL, "instance_variable_get"), Leaf::new(fields::get_at_once)),
    (LeafOf::Method(KERNEL, "instance_variable_defined?"), Leaf::new(fields::is_defined_at_once)),
    (LeafOf::Method(KERNEL, "singleton_class"), Leaf::new(existing_singleton_class)),
    (LeafOf::Method(BASIC_OBJECT, "equal?"), Leaf::total(|_: &mut Ec, a: Value, b: Value| Some(Value::bool(a == b)))),
];

fn is_kind_at_once(ec: &mut Ec, this: Value, class: Value) -> Option<Value> {
    Class::from_value(class).map(|class| Value::bool(ec.is_a(this, class)))
}

/// Without arguments, and doing nothing.
fn initialize(_ec: &mut Ec, _this: Value) {}

/// The hooks that a program may override.
pub(crate) fn ignore(_ec: &mut Ec, _this: Value, _what: Value) {}

fn same(_ec: &mut Ec, this: Value, other: Value) -> bool {
    this == other
}

fn not(_ec: &mut Ec, this: Value) -> bool {
    !this.truthy()
}

fn not_equal(ec: &mut Ec, this: Value, other: Value) -> Result<bool> {
    Ok(!ec.call(this, sym::EQ, &[other])?.truthy())
}

fn object_id(ec: &mut Ec, this: Value) -> i64 {
    ec.object_id(this)
}

fn is_nil(_ec: &mut Ec, _this: Value) -> bool {
    false
}

fn case_equal(ec: &mut Ec, this: Value, other: Value) -> Result<bool> {
    Ok(this == other || ec.call(this, sym::EQ, &[other])?.truthy())
}

fn does_not_match(ec: &mut Ec, this: Value, other: Value) -> Result<bool> {
    Ok(!ec.call(this, sym::MATCH_OP, &[other])?.truthy())
}

/// A number made of the object's identity, small enough to be immediate; of an Integer's or Symbol's value.
fn hash(ec: &mut Ec, this: Value) -> Value {
    if ec.bignum_of(this).is_some() {
        return crate::number::integer::compare::hash(ec, this);
    }
    match ec.public_hash(this) {
        Some(hash) if !this.is_heap() => Value::fixnum_unchecked(hash),
        _ => identity_hash(this.bits()),
    }
}

pub(crate) fn identity_hash(bits: u64) -> Value {
    Value::fixnum_unchecked((bits.wrapping_mul(0xFF51_AFD7_ED55_8CCD) >> 3) as i64)
}

fn compare(ec: &mut Ec, this: Value, other: Value) -> Result {
    let is_equal = this == other || ec.call(this, sym::EQ, &[other])?.truthy();
    Ok(if is_equal { Value::fixnum_unchecked(0) } else { Value::NIL })
}

fn class(ec: &mut Ec, this: Value) -> Class {
    ec.class_of(this).real()
}

fn singleton_class(ec: &mut Ec, this: Value) -> Result {
    singleton_class_of(ec, this)?;
    // The program gets to see it.
    Ok(ec.exposed_singleton_class(this).map_or(Value::NIL, Class::value))
}

/// That of an object which is no class has all that a program may see of it from the start.
fn existing_singleton_class(ec: &mut Ec, this: Value) -> Option<Value> {
    let is_plain = ec.has_own_singleton_class(this) && Class::from_value(this).is_none() && !ec.is_frozen(this);
    is_plain.then(|| ec.class_of(this).value())
}

/// The singleton class, frozen if the object is; or the error of values that cannot have one.
pub(crate) fn singleton_class_of(ec: &mut Ec, object: Value) -> Result<Class> {
    if let Some(string) = Str::from_value(object).filter(|s| s.is_chilled()) {
        string.check_mutable(ec)?;
    }
    if !ec.has_own_singleton_class(object) {
        ec.reserve_for_class(ec.class_of(object))?;
    }
    let Some(class) = ec.singleton_class_of(object) else {
        return Err(ec.type_error("can't define singleton"));
    };
    if object.is_heap() && ec.is_frozen(object) {
        ec.freeze(class.value());
    }
    Ok(class)
}

fn is_frozen(ec: &mut Ec, this: Value) -> bool {
    ec.is_frozen(this)
}

fn itself(_ec: &mut Ec, this: Value) -> Value {
    this
}

fn to_s(ec: &mut Ec, this: Value) -> Str {
    ec.any_to_s(this)
}

fn display(ec: &mut Ec, this: Value, port: Option<Value>) -> Result {
    let port = match port {
        Some(port) => port,
        None => ec.global(sym::STDOUT)?,
    };
    ec.call(port, sym::WRITE, &[this])?;
    Ok(Value::NIL)
}

fn is_instance_of(ec: &mut Ec, this: Value, class: Class) -> bool {
    ec.class_of(this).real() == class
}

fn is_kind_of(ec: &mut Ec, this: Value, class: Class) -> bool {
    ec.is_a(this, class)
}
