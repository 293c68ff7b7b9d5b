//! Methods come and go: `define_method`, attributes, aliases, removal.

use super::names;
use crate::object::method::method_data;
use carat_vm::method::{MethodEntry, MethodKind};
use carat_vm::{Array, Block, Class, Ec, Name, Proc, Rest, Result, SymbolId, Value, Visibility, sym};

pub(super) fn define_method(
    ec: &mut Ec,
    this: Class,
    name: Name,
    body: Option<Value>,
    block: Option<Block>,
) -> Result<SymbolId> {
    let (visibility, is_module_function) = ec.caller_visibility(this);
    define_body(ec, this, name.0, body, block, if is_module_function { Visibility::Private } else { visibility })?;
    if is_module_function {
        let singleton = crate::object::any_object::singleton_class_of(ec, this.value())?;
        define_body(ec, singleton, name.0, body, block, Visibility::Public)?;
    }
    Ok(name.0)
}

pub(super) fn main_define_method(
    ec: &mut Ec,
    _this: Value,
    name: Name,
    body: Option<Value>,
    block: Option<Block>,
) -> Result<SymbolId> {
    let object = ec.vm().known().object;
    define_body(ec, object, name.0, body, block, Visibility::Public)?;
    Ok(name.0)
}

/// Defines a method by a proc, a method object or a block.
pub(crate) fn define_body(
    ec: &mut Ec,
    class: Class,
    name: SymbolId,
    body: Option<Value>,
    block: Option<Block>,
    visibility: Visibility,
) -> Result<()> {
    let visibility = if carat_vm::define::is_always_private(name) { Visibility::Private } else { visibility };
    let proc = match (body, block) {
        (Some(body), _) => match Proc::from_value(body) {
            Some(proc) => proc,
            None => return define_by_method(ec, class, name, body, visibility),
        },
        (None, Some(block)) => block.to_proc(ec),
        (None, None) => return Err(ec.argument_error("tried to create Proc object without a block")),
    };
    class.define_method(ec, name, MethodKind::Proc(proc.value()), visibility, Value::NIL)
}

fn define_by_method(ec: &mut Ec, class: Class, name: SymbolId, body: Value, visibility: Visibility) -> Result<()> {
    let Some(method) = method_data(body) else {
        let given = ec.class_of(body).real().to_text(ec);
        return Err(ec.type_error(&format!("wrong argument type {given} (expected Proc/Method/UnboundMethod)")));
    };
    let entry = method.get(ec).entry;
    let Some(entry) = MethodEntry::from_value(ec, entry) else {
        // A method that only respond_to_missing? knows: its Method object is called.
        let proc = Proc::from_native(ec, body);
        return class.define_method(ec, name, MethodKind::Proc(proc.value()), visibility, Value::NIL);
    };
    let owner = entry.owner(ec);
    let fits = owner.is_module() || class.is_or_inherits(owner);
    // Of an alias, what runs: `super` in it looks for the name that it was defined by.
    let copy = entry.resolved(ec).with(ec, visibility, name, class).value();
    if !fits {
        let text = if owner.is_singleton() {
            "can't bind singleton method to a different class".to_string()
        } else {
            format!("bind argument must be a subclass of {}", owner.to_text(ec))
        };
        return Err(ec.type_error(&text));
    }
    if ec.is_frozen(class.value()) {
        return Err(ec.frozen_class_error(class));
    }
    class.put_method(ec, name, copy);
    class.method_added(ec, name)
}

pub(super) fn alias_method(ec: &mut Ec, this: Class, new: Name, old: Name) -> Result<SymbolId> {
    this.alias_method(ec, new.0, old.0)?;
    Ok(new.0)
}

pub(super) fn undef_methods(ec: &mut Ec, this: Class, names: Rest) -> Result {
    for name in names.iter() {
        let name = ec.to_name(name)?;
        this.undef_method(ec, name)?;
    }
    Ok(this.value())
}

pub(super) fn remove_methods(ec: &mut Ec, this: Class, names: Rest) -> Result {
    for name in names.iter() {
        let name = ec.to_name(name)?;
        remove_method(ec, this, name)?;
    }
    Ok(this.value())
}

fn remove_method(ec: &mut Ec, class: Class, name: SymbolId) -> Result<()> {
    if ec.is_frozen(class.value()) {
        return Err(ec.frozen_class_error(class));
    }
    ec.warn_of_risky_loss("removing", name)?;
    let own = class.own_method(ec, name).and_then(|m| MethodEntry::from_value(ec, m));
    if own.is_none_or(MethodEntry::is_undefined) {
        let text = format!("method '{}' not defined in {}", ec.vm().symbol_text(name), class.to_text(ec));
        return Err(ec.name_error(&text, class.value(), name));
    }
    class.remove_method(ec, name);
    let (receiver, hook) = if class.is_singleton() {
        (class.attached(), sym::SINGLETON_METHOD_REMOVED)
    } else {
        (class.value(), sym::METHOD_REMOVED)
    };
    ec.call(receiver, hook, &[Value::symbol(name)])?;
    Ok(())
}

// ---- attributes ----

/// Defines readers, writers or both; the names of what was defined.
fn attributes(ec: &mut Ec, class: Class, list: Rest, reads: bool, writes: bool) -> Result<Array> {
    let defined = Array::new(ec, list.len() * 2);
    let place = attribute_place(ec);
    for name in list.iter() {
        attribute(ec, class, name, reads, writes, place, defined)?;
    }
    Ok(defined)
}

/// Where attributes are being made, for `source_location`; nil in the core library.
fn attribute_place(ec: &Ec) -> Value {
    if !ec.vm().is_booted() {
        return Value::NIL;
    }
    let (path, line) = ec.caller_place();
    let path = ec.fstring(path.as_bytes(), carat_vm::EncodingIndex::UTF_8);
    let place = Array::pair(ec, path.value(), Value::fixnum_unchecked(i64::from(line)));
    ec.freeze(place.value());
    place.value()
}

fn attribute(
    ec: &mut Ec,
    class: Class,
    name: Value,
    reads: bool,
    writes: bool,
    place: Value,
    defined: Array,
) -> Result<()> {
    let name = ec.to_name(name)?;
    let text = ec.vm().symbol_name(name);
    if !names::is_attribute(text.bytes) {
        let text = format!("invalid attribute name '{}'", ec.vm().symbol_text(name));
        return Err(ec.name_error(&text, class.value(), name));
    }
    let (visibility, is_module_function) = ec.caller_visibility(class);
    if is_module_function {
        ec.warn_verbose("attribute accessor as module_function")?;
    }
    let visibility = if is_module_function { Visibility::Private } else { visibility };
    let field = ec.vm().intern_bytes(&[b"@", text.bytes].concat(), text.encoding);
    if reads {
        class.define_method(ec, name, MethodKind::AttrReader(field), visibility, place)?;
        defined.push(ec, Value::symbol(name));
    }
    if writes {
        let writer = ec.vm().intern_bytes(&[text.bytes, b"="].concat(), text.encoding);
        class.define_method(ec, writer, MethodKind::AttrWriter(field), visibility, place)?;
        defined.push(ec, Value::symbol(writer));
    }
    Ok(())
}

pub(super) fn attr_reader(ec: &mut Ec, this: Class, names: Rest) -> Result<Array> {
    attributes(ec, this, names, true, false)
}

pub(super) fn attr_writer(ec: &mut Ec, this: Class, names: Rest) -> Result<Array> {
    attributes(ec, this, names, false, true)
}

pub(super) fn attr_accessor(ec: &mut Ec, this: Class, names: Rest) -> Result<Array> {
    attributes(ec, this, names, true, true)
}

/// As `attr_reader`, but for the old form with a boolean as the second of two arguments.
pub(super) fn attr(ec: &mut Ec, this: Class, names: Rest) -> Result<Array> {
    match (names.get(0), names.get(1)) {
        (Some(name), Some(flag @ (Value::TRUE | Value::FALSE))) if names.len() == 2 => {
            ec.warn_verbose("optional boolean argument is obsoleted")?;
            let defined = Array::new(ec, 2);
            let place = attribute_place(ec);
            attribute(ec, this, name, true, flag.is_true(), place, defined)?;
            Ok(defined)
        }
        _ => attributes(ec, this, names, true, false),
    }
}

// ---- ruby2_keywords ----

/// Marks methods whose rest parameter passes keywords on as a flagged hash.
pub(super) fn ruby2_keywords(ec: &mut Ec, this: Class, names: Rest) -> Result {
    if names.is_empty() {
        return Err(ec.arity_error(0, 1, None));
    }
    if ec.is_frozen(this.value()) {
        return Err(ec.frozen_class_error(this));
    }
    for name in names.iter() {
        let name = ec.to_name(name)?;
        let known_elsewhere = |ec: &Ec| {
            let object = ec.vm().known().object;
            this.find_method(ec, name).is_some() || this.is_module() && object.find_method(ec, name).is_some()
        };
        let reason = match this.own_method(ec, name).map(|entry| ec.set_ruby2_keywords(entry)) {
            Some(Some(true)) => continue,
            Some(Some(false)) => "method accepts keywords or post arguments or method does not accept argument splat",
            Some(None) => "method not defined in Ruby",
            None if known_elsewhere(ec) => "can only set in method defining module",
            None => return Err(ec.undefined_method_for(this, name)),
        };
        let text = format!("Skipping set of ruby2_keywords flag for {} ({reason})", ec.vm().symbol_text(name));
        ec.warn(&text)?;
    }
    Ok(Value::NIL)
}

pub(super) fn main_ruby2_keywords(ec: &mut Ec, _this: Value, names: Rest) -> Result {
    let object = ec.vm().known().object;
    ruby2_keywords(ec, object, names)
}
