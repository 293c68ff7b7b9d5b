//! Constants of modules.

use super::names;
use carat_vm::autoload::Autoload;
use carat_vm::class::{Constant, Pending};
use carat_vm::{Array, Class, Ec, Name, Rest, Result, Str, SymbolId, Value, sym};
use rustc_hash::FxHashSet;

fn wrong_name(ec: &mut Ec, class: Class, name: SymbolId) -> carat_vm::Unwind {
    let text = format!("wrong constant name {}", ec.vm().symbol_text(name));
    ec.name_error(&text, class.value(), name)
}

fn checked_name(ec: &mut Ec, class: Class, name: Value) -> Result<SymbolId> {
    let name = ec.to_name(name)?;
    if names::is_constant_symbol(ec, name) { Ok(name) } else { Err(wrong_name(ec, class, name)) }
}

/// The parts of a path such as `A::B`; one for a symbol, whose name cannot be a path.
struct Path {
    parts: Vec<SymbolId>,
    is_absolute: bool,
}

fn path_of(ec: &mut Ec, class: Class, name: Value) -> Result<Path> {
    if name.is_symbol() {
        return Ok(Path { parts: vec![checked_name(ec, class, name)?], is_absolute: false });
    }
    let text = ec.to_str(name)?;
    let whole = text.to_symbol(ec)?;
    let text = ec.vm().symbol_name(whole);
    let is_absolute = text.bytes.starts_with(b"::");
    let relative = if is_absolute { &text.bytes[2..] } else { text.bytes };
    let mut parts = Vec::new();
    for part in split_path(relative) {
        if !names::is_constant_in(part, text.encoding) {
            // What can be looked up before the bad part decides which error comes first.
            let bad =
                if part.is_empty() || parts.is_empty() { whole } else { ec.vm().intern_bytes(part, text.encoding) };
            if parts.is_empty() || part.is_empty() {
                return Err(wrong_name(ec, class, bad));
            }
            parts.push(bad);
            return Ok(Path { parts, is_absolute });
        }
        parts.push(ec.vm().intern_bytes(part, text.encoding));
    }
    Ok(Path { parts, is_absolute })
}

fn split_path(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(bytes);
    std::iter::from_fn(move || {
        let current = rest?;
        match current.windows(2).position(|w| w == b"::") {
            Some(i) => {
                rest = Some(&current[i + 2..]);
                Some(&current[..i])
            }
            None => {
                rest = None;
                Some(current)
            }
        }
    })
}

/// `class::Name` without `const_missing`. The first part of a path also finds Object's constants.
fn find(ec: &mut Ec, class: Class, name: SymbolId, inherited: bool, is_first: bool) -> Result<Option<Value>> {
    let object = ec.vm().known().object;
    if !inherited {
        return class.own_constant_value(ec, name);
    }
    if is_first {
        return class.find_constant(ec, name, true);
    }
    for ancestor in class.scope_order().take_while(|m| *m != object || class == object) {
        if let Some(value) = ancestor.own_constant_value(ec, name)? {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

/// A path through something that is no scope.
fn not_a_module(ec: &mut Ec, parts: &[SymbolId]) -> carat_vm::Unwind {
    let names: Vec<String> = parts.iter().map(|p| ec.vm().symbol_text(*p)).collect();
    ec.type_error(&format!("{} does not refer to class/module", names.join("::")))
}

/// Of a symbol alone, and a constant that nothing has to be done for.
pub(super) fn get_at_once(ec: &mut Ec, this: Class, name: Value) -> Option<Value> {
    this.plain_constant_above(ec, name.as_symbol()?)
}

pub(super) fn is_defined_at_once(ec: &mut Ec, this: Class, name: Value) -> Option<Value> {
    get_at_once(ec, this, name).map(|_| Value::TRUE)
}

pub(super) fn const_get(ec: &mut Ec, this: Class, name: Value, inherited: Option<bool>) -> Result {
    let inherited = inherited.unwrap_or(true);
    if inherited && let Some(value) = get_at_once(ec, this, name) {
        return Ok(value);
    }
    // What there is has a proper name.
    if let Some(name) = name.as_symbol()
        && let Some(value) = find(ec, this, name, inherited, true)?
    {
        return Ok(value);
    }
    let path = path_of(ec, this, name)?;
    let mut scope = if path.is_absolute { ec.vm().known().object } else { this };
    let mut value = scope.value();
    for (i, part) in path.parts.iter().enumerate() {
        if i > 0 {
            scope = match Class::from_value(value) {
                Some(class) => class,
                None => return Err(not_a_module(ec, &path.parts)),
            };
        }
        if !names::is_constant_symbol(ec, *part) {
            return Err(wrong_name(ec, this, *part));
        }
        value = match find(ec, scope, *part, inherited, i == 0)? {
            Some(value) => value,
            None => ec.call(scope.value(), sym::CONST_MISSING, &[Value::symbol(*part)])?,
        };
    }
    Ok(value)
}

pub(super) fn is_const_defined(ec: &mut Ec, this: Class, name: Value, inherited: Option<bool>) -> Result<bool> {
    let inherited = inherited.unwrap_or(true);
    if let Some(name) = name.as_symbol()
        && (this.plain_constant(name).is_some() || holder(ec, this, name, inherited, true, is_plain).is_some())
    {
        return Ok(true);
    }
    let path = path_of(ec, this, name)?;
    let mut scope = if path.is_absolute { ec.vm().known().object } else { this };
    for (i, part) in path.parts.iter().enumerate() {
        if !names::is_constant_symbol(ec, *part) {
            return Err(wrong_name(ec, this, *part));
        }
        let is_last = i + 1 == path.parts.len();
        if holder(ec, scope, *part, inherited, i == 0, is_defined).is_none() {
            return Ok(false);
        }
        if is_last {
            return Ok(true);
        }
        let Some(value) = find(ec, scope, *part, inherited, i == 0)? else { return Ok(false) };
        scope = match Class::from_value(value) {
            Some(class) => class,
            None => return Err(not_a_module(ec, &path.parts)),
        };
    }
    Ok(true)
}

/// Which constants count.
type Look = fn(Class, &mut Ec, SymbolId) -> bool;

/// Those that nothing has to be done for.
fn is_plain(class: Class, _ec: &mut Ec, name: SymbolId) -> bool {
    class.plain_constant(name).is_some()
}

fn is_defined(class: Class, ec: &mut Ec, name: SymbolId) -> bool {
    class.defined_constant(ec, name).is_some()
}

/// The class or module in whose table a constant is; runs no autoload.
fn holder(ec: &mut Ec, class: Class, name: SymbolId, inherited: bool, with_object: bool, look: Look) -> Option<Class> {
    let object = ec.vm().known().object;
    let mut has = |c: &Class| look(*c, ec, name);
    if !inherited {
        return Some(class).filter(has);
    }
    let found = class.scope_order().take_while(|m| with_object || *m != object || class == object).find(&mut has);
    if found.is_none() && with_object && class.is_module() {
        return object.scope_order().find(&mut has);
    }
    found
}

pub(super) fn const_set(ec: &mut Ec, this: Class, name: Value, value: Value) -> Result {
    let name = checked_name(ec, this, name)?;
    ec.assign_constant(this.value(), name, value)?;
    Ok(value)
}

pub(super) fn const_missing(ec: &mut Ec, this: Class, name: Name) -> Result {
    Err(ec.uninitialized_constant(this, name.0))
}

pub(super) fn const_source_location(ec: &mut Ec, this: Class, name: Value, inherited: Option<bool>) -> Result {
    let inherited = inherited.unwrap_or(true);
    let path = path_of(ec, this, name)?;
    let mut scope = if path.is_absolute { ec.vm().known().object } else { this };
    let Some((last, outer)) = path.parts.split_last() else { return Ok(Value::NIL) };
    for (i, part) in outer.iter().enumerate() {
        let Some(value) = find(ec, scope, *part, inherited, i == 0)? else { return Ok(Value::NIL) };
        match Class::from_value(value) {
            Some(class) => scope = class,
            None => {
                let shown = ec.to_s(name)?.to_text(ec);
                return Err(ec.type_error(&format!("{shown} does not refer to class/module")));
            }
        }
    }
    let found = holder(ec, scope, *last, inherited, outer.is_empty(), |class, ec, name| {
        class.seen_constant(ec, name).is_some()
    });
    let Some(constant) = found.and_then(|c| c.seen_constant(ec, *last)) else { return Ok(Value::NIL) };
    let list = Array::new(ec, 2);
    if let Some(file) = constant.file {
        list.push(ec, ec.path_str(&file).value());
        list.push(ec, Value::fixnum_unchecked(i64::from(constant.line)));
    }
    Ok(list.value())
}

pub(super) fn remove_const(ec: &mut Ec, this: Class, name: Value) -> Result {
    let id = ec.to_name(name)?;
    if !names::is_constant_symbol(ec, id) {
        let text = format!("'{}' is not allowed as a constant name", ec.vm().symbol_text(id));
        return Err(ec.name_error(&text, this.value(), id));
    }
    if ec.is_frozen(this.value()) {
        return Err(ec.frozen_error(this.value()));
    }
    if this.own_constant(id).is_some_and(|c| c.is_deprecated) {
        let text = format!("constant {}::{} is deprecated", this.to_text(ec), ec.vm().symbol_text(id));
        ec.warn_deprecated(&text)?;
    }
    if this.own_constant(id).is_some_and(|c| c.value.is_undef() && c.is_set()) {
        this.own_constant_value(ec, id)?;
    }
    match this.remove_constant(ec, id) {
        Some(constant) => Ok(if constant.value.is_undef() { Value::NIL } else { constant.value }),
        None => Err(not_defined(ec, this, id)),
    }
}

fn not_defined(ec: &mut Ec, class: Class, name: SymbolId) -> carat_vm::Unwind {
    let text = format!("constant {}::{} not defined", class.to_text(ec), ec.vm().symbol_text(name));
    ec.name_error(&text, class.value(), name)
}

/// Own public constants, then those of ancestors up to Object, unless told otherwise.
pub(super) fn constants(ec: &mut Ec, this: Class, args: Rest) -> Result<Array> {
    if args.len() > 1 {
        return Err(ec.arity_error(args.len(), 0, Some(1)));
    }
    // `Module.constants` without arguments: what the caller's scopes see.
    if this == ec.vm().known().module && args.is_empty() {
        return Ok(visible_constants(ec));
    }
    let inherited = args.get(0).is_none_or(Value::truthy);
    Ok(list_of(ec, this, inherited))
}

fn list_of(ec: &Ec, class: Class, inherited: bool) -> Array {
    let object = ec.vm().known().object;
    let list = Array::new(ec, 8);
    let mut seen = FxHashSet::default();
    let order = class.scope_order().take_while(|m| *m != object || class == object);
    for ancestor in order.filter(|m| inherited || *m == class) {
        push_public(ec, ancestor, &mut seen, list);
    }
    list
}

fn push_public(ec: &Ec, class: Class, seen: &mut FxHashSet<SymbolId>, list: Array) {
    for (name, constant) in class.own_constants() {
        if !constant.is_private && seen.insert(name) {
            list.push(ec, Value::symbol(name));
        }
    }
}

fn visible_constants(ec: &Ec) -> Array {
    let list = Array::new(ec, 64);
    let mut seen = FxHashSet::default();
    let nesting = ec.caller_nesting();
    for scope in nesting.slice_of(ec) {
        push_public(ec, Class::expect(*scope), &mut seen, list);
    }
    let innermost = nesting.slice_of(ec).first().map_or(ec.vm().known().object, |v| Class::expect(*v));
    for ancestor in innermost.scope_order().chain(ec.vm().known().object.scope_order()) {
        push_public(ec, ancestor, &mut seen, list);
    }
    list
}

// ---- visibility and deprecation ----

fn change(ec: &mut Ec, class: Class, list: Rest, change: fn(&mut carat_vm::class::Constant)) -> Result {
    for name in list.iter() {
        let name = ec.to_name(name)?;
        if ec.is_frozen(class.value()) {
            return Err(ec.frozen_class_error(class));
        }
        if !class.update_constant(ec, name, change) {
            return Err(not_defined(ec, class, name));
        }
    }
    Ok(Value::NIL)
}

pub(super) fn private_constant(ec: &mut Ec, this: Class, names: Rest) -> Result {
    warn_without_names(ec, names, "private_constant")?;
    change(ec, this, names, |c| c.is_private = true)
}

pub(super) fn public_constant(ec: &mut Ec, this: Class, names: Rest) -> Result {
    warn_without_names(ec, names, "public_constant")?;
    change(ec, this, names, |c| c.is_private = false)
}

fn warn_without_names(ec: &mut Ec, names: Rest, method: &str) -> Result<()> {
    if names.is_empty() { ec.warn(&format!("{method} with no argument is just ignored")) } else { Ok(()) }
}

pub(super) fn deprecate_constant(ec: &mut Ec, this: Class, names: Rest) -> Result {
    change(ec, this, names, |c| c.is_deprecated = true)?;
    Ok(this.value())
}

// ---- autoload ----

/// `autoload :Name, "feature"`: nothing happens to a constant that exists.
pub(super) fn autoload(ec: &mut Ec, this: Class, name: Value, feature: Value) -> Result {
    let name = ec.to_name(name)?;
    if !names::is_constant_symbol(ec, name) {
        let text = format!("autoload must be constant name: {}", ec.vm().symbol_text(name));
        return Err(ec.name_error(&text, this.value(), name));
    }
    let feature = match Str::from_value(feature) {
        Some(text) => text,
        None => {
            let to_path = ec.call_if_responds(feature, sym::TO_PATH, &[])?.unwrap_or(feature);
            ec.to_str(to_path)?
        }
    };
    if feature.is_empty(ec) {
        return Err(ec.argument_error("empty feature name"));
    }
    if this.seen_constant(ec, name).is_some_and(|c| c.is_set()) {
        return Ok(Value::NIL);
    }
    if ec.is_frozen(this.value()) {
        return Err(ec.frozen_error(this.value()));
    }
    let (file, line) = ec.caller_position();
    let pending = Some(Pending::Autoload(Autoload::new(feature.to_text(ec).into())));
    this.put_constant(ec, name, Constant { file, line, pending, ..Constant::of_value(Value::UNDEF) });
    this.const_added(ec, name)?;
    Ok(Value::NIL)
}

/// The feature that a constant is to be loaded from, if it is not there yet.
pub(super) fn autoload_feature(ec: &mut Ec, this: Class, name: Name, inherited: Option<bool>) -> Option<Str> {
    let holder = holder(ec, this, name.0, inherited.unwrap_or(true), false, is_defined)?;
    match holder.defined_constant(ec, name.0)?.pending? {
        Pending::Autoload(autoload) => Some(Str::from_text(ec, &autoload.feature)),
        Pending::Lazy(_) => None,
    }
}
