//! `ObjectSpace`: what lives, and what happens when it does not any more.
//!
//! # Code map
//! `library`: what `require "objspace"` adds, with `dump`, the text of dumps, and
//! `kinds`, the names of types. `weak`: the tables behind `WeakMap` and `WeakKeyMap`, whose methods are in
//! `core/object_space.rb`. The module `GC` is in `gc`.

mod dump;
mod kinds;
mod library;
mod weak;

pub(crate) use library::init as init_library;
pub(crate) use weak::PRIMITIVES;

use crate::object::finalizers;
use carat_vm::{Array, Block, Class, Ec, Hash, Result, Value, methods};

methods! {
    OBJECT_SPACE {
        module_function "each_object" => each_object;
        module_function "garbage_collect" => crate::object::gc::start;
        module_function "_id2ref" => id2ref;
        module_function "count_objects" => count_objects;
        module_function "define_finalizer" => finalizers::define;
        module_function "undefine_finalizer" => finalizers::undefine;
    }
}

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    known.object_space.define_methods(ec, OBJECT_SPACE);
    finalizers::init(ec);
    weak::init(ec);
}

/// Its class has no name, not even for `inspect`: the implementation's. A singleton class is one if what it is of is.
fn is_internal(ec: &Ec, mut object: Value) -> bool {
    while let Some(class) = Class::from_value(object).filter(|class| class.is_singleton()) {
        object = class.attached();
    }
    let class = ec.class_of(object);
    !class.is_singleton() && class.with_name(|name, _| name.is_empty()) == Some(true)
}

/// Yields every living object of a class, and counts them.
fn each_object(ec: &mut Ec, this: Value, class: Option<Value>, block: Option<Block>) -> Result {
    let class = class.filter(|c| !c.is_nil());
    let Some(block) = block else {
        let name = Value::symbol(ec.vm().intern("each_object"));
        let to_enum = ec.vm().intern("to_enum");
        return match class {
            Some(class) => ec.call(this, to_enum, &[name, class]),
            None => ec.call(this, to_enum, &[name]),
        };
    };
    let wanted = match class {
        Some(class) => {
            Some(Class::from_value(class).ok_or(()).map_err(|()| ec.type_error("class or module required"))?)
        }
        None => None,
    };
    if wanted.is_none_or(|w| ec.is_a(ec.vm().known().system_call_error.value(), w)) {
        crate::object::exception::make_errno_classes(ec);
    }
    let found = living(ec, wanted);
    for index in 0..found.len(ec) {
        ec.yield_block(block, &[found.at(ec, index)])?;
    }
    Ok(Value::len(found.len(ec)))
}

/// With several Ractors, an object of this heap may be another's unless it is shareable.
fn is_own(ec: &Ec, object: Value) -> bool {
    !ec.vm().has_several_ractors() || ec.is_marked_shareable(object)
}

/// A singleton class of a module, or one of a class that some program has seen: only then it has one itself. CRuby:
/// `rb_singleton_class_internal_p`.
fn is_seen_singleton_class(ec: &Ec, object: Value) -> bool {
    let Some(class) = Class::from_value(object).filter(|class| class.is_singleton()) else { return false };
    let own = ec.class_of(object);
    let has_own = own.is_singleton() && own.attached() == object;
    has_own || Class::from_value(class.attached()).is_some_and(Class::is_module)
}

/// What programs may meet of a class.
fn is_listed(ec: &Ec, object: Value, wanted: Option<Class>) -> bool {
    (ec.is_program_object(object) || is_seen_singleton_class(ec, object))
        && wanted.is_none_or(|w| ec.is_a(object, w))
        && is_own(ec, object)
        && !is_internal(ec, object)
}

fn living(ec: &Ec, wanted: Option<Class>) -> Array {
    // No page is added to what is walked: the list has room for everything before it is filled.
    let mut count = 0;
    ec.heap().each_object(&mut |object| count += usize::from(is_listed(ec, object, wanted)));
    let found = Array::new(ec, count + 1);
    ec.heap().each_object(&mut |object| {
        if object != found.value() && is_listed(ec, object, wanted) {
            found.push(ec, object);
        }
    });
    found
}

/// `{TOTAL: slots, FREE: …, T_OBJECT: …}`, in the hash that is given, whose other values become 0.
fn count_objects(ec: &mut Ec, _this: Value, result: Option<Value>) -> Result<Hash> {
    let result = counted_in(ec, result)?;
    result.check_frozen(ec)?;
    let mut position = 0;
    while let Some(next) = result.next(ec, position) {
        result.set_value_at(ec, next - 1, Value::len(0));
        position = next;
    }
    let counts = counts_by_type(ec);
    let stats = ec.heap().stats();
    let total: usize = stats.pools.iter().map(|p| p.slots).sum();
    let used: i64 = counts.iter().map(|(_, n)| n).sum();
    let ends = [("TOTAL".to_string(), total as i64), ("FREE".to_string(), total as i64 - used)];
    let counts = counts.into_iter().map(|(name, count)| (kinds::long_name(name), count));
    for (name, count) in ends.into_iter().chain(counts) {
        let (name, count) = (ec.vm().intern(&name), ec.int(count));
        result.set_symbol(ec, name, count);
    }
    Ok(result)
}

/// Names of types, and how many objects have them.
fn counts_by_type(ec: &Ec) -> Vec<(&'static str, i64)> {
    let mut counts: Vec<(&str, i64)> = Vec::new();
    let mut count = |name, more| match counts.iter_mut().find(|(n, _)| *n == name) {
        Some((_, count)) => *count += more,
        None => counts.push((name, more)),
    };
    // Neighbours mostly have one type, which is named once for all of them.
    let (mut before, mut run) = (Value::NIL, 0);
    ec.heap().each_object(&mut |object| {
        if !kinds::are_plainly_of_one_type(before, object) {
            count(kinds::type_name(before), run);
            (before, run) = (object, 0);
        }
        run += 1;
    });
    count(kinds::type_name(before), run);
    counts.retain(|(_, count)| *count > 0);
    counts
}

/// The hash that counts are put in: the one given or a new one.
fn counted_in(ec: &mut Ec, given: Option<Value>) -> Result<Hash> {
    match given.filter(|given| !given.is_nil()) {
        None => Ok(Hash::new(ec)),
        Some(given) => Hash::from_value(given).ok_or_else(|| ec.type_error("non-hash given")),
    }
}

/// What lives and has an id.
fn id2ref(ec: &mut Ec, _this: Value, id: Value) -> Result {
    ec.warn_deprecated("ObjectSpace._id2ref is deprecated")?;
    if !ec.is_integer(id) {
        return Err(ec.no_implicit_conversion(id, "Integer"));
    }
    let number = ec.integer_as_i64(id);
    if let Some(found) =
        number.and_then(|id| ec.value_with_id(id)).filter(|found| !found.is_heap() || is_listed(ec, *found, None))
    {
        return Ok(found);
    }
    let why = if number.is_some_and(|id| id < 0) { "a recycled object" } else { "not an id value" };
    let text = ec.to_s(id)?.to_text(ec);
    Err(ec.range_error(&format!("\"{text}\" is {why}")))
}
