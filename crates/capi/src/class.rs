//! Classes and modules.

use crate::boundary::{CValue, Function, Id, Room, Text, call_c_value, class, values};
use carat_vm::{Class, Ec, Result, SymbolId, Value, sym};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::ffi::c_char;
use std::sync::{Arc, Mutex};

/// Functions of C code that make instances, by class. Such a class is kept as long as the VM.
static ALLOCATORS: Mutex<Option<FxHashMap<u64, usize>>> = Mutex::new(None);

type Allocate = fn(&mut Ec, Class) -> Result;

fn allocator_of(class: Class) -> Option<(Class, Function)> {
    let known = ALLOCATORS.lock().unwrap_or_else(|e| e.into_inner());
    let known = known.as_ref()?;
    let mut next = Some(class);
    while let Some(class) = next {
        if let Some(address) = known.get(&class.value().bits()) {
            return Some((class, Function(std::ptr::with_exposed_provenance(*address))));
        }
        next = class.superclass();
    }
    None
}

/// The allocator of every class that has one in C.
fn allocate(ec: &mut Ec, class: Class) -> Result {
    match allocator_of(class) {
        Some((_, function)) => call_c_value(ec, function, &[CValue::of(class.value()).word()]),
        None => Ok(ec.new_object(class)),
    }
}

/// A constant that already holds a class or module, or a new one.
fn define_class(ec: &mut Ec, scope: Class, name: SymbolId, superclass: Option<Class>) -> Result {
    if let Some(found) = scope.own_constant_value(ec, name)? {
        return reopen(ec, scope, name, found, superclass);
    }
    let Some(superclass) = superclass else {
        let text = full_name(ec, scope, name);
        return Err(ec.argument_error(&format!("no super class for '{text}'")));
    };
    let class = superclass.inherit(ec)?;
    ec.assign_constant(scope.value(), name, class.value())?;
    ec.vm().keep(class.value());
    let owner = ec.vm().known().class;
    ec.call_hook(superclass.value(), sym::INHERITED, owner, &[class.value()])?;
    Ok(class.value())
}

fn reopen(ec: &mut Ec, scope: Class, name: SymbolId, found: Value, superclass: Option<Class>) -> Result {
    let text = full_name(ec, scope, name);
    let Some(class) = Class::from_value(found).filter(|class| class.is_class()) else {
        let kind = ec.describe_for_type_error(ec.class_of(found).real().value());
        let kind = if kind == "Class" { ec.class_of(found).real().to_text(ec) } else { kind };
        return Err(ec.type_error(&format!("{text} is not a class (found an instance of {kind})")));
    };
    let own = class.superclass().map(Class::real);
    if superclass.is_some_and(|wanted| own != Some(wanted.real())) {
        let (own, wanted) = (own.map_or_else(String::new, |c| c.to_text(ec)), superclass.map(|c| c.to_text(ec)));
        let wanted = wanted.unwrap_or_default();
        let message = if scope == ec.vm().known().object {
            format!("superclass mismatch for class {text}")
        } else {
            format!("superclass mismatch for class {text} ({wanted} is given but was {own})")
        };
        return Err(ec.type_error(&message));
    }
    ec.vm().keep(found);
    Ok(found)
}

fn full_name(ec: &Ec, scope: Class, name: SymbolId) -> String {
    let name = ec.vm().symbol_text(name);
    if scope == ec.vm().known().object { name } else { format!("{}::{name}", scope.to_text(ec)) }
}

fn define_module(ec: &mut Ec, scope: Class, name: SymbolId) -> Result {
    if let Some(found) = scope.own_constant_value(ec, name)? {
        if Class::from_value(found).is_some_and(Class::is_module) {
            ec.vm().keep(found);
            return Ok(found);
        }
        let text = full_name(ec, scope, name);
        let kind = ec.class_of(found).real().to_text(ec);
        return Err(ec.type_error(&format!("{text} is not a module (found an instance of {kind})")));
    }
    let module = ec.new_module();
    ec.assign_constant(scope.value(), name, module.value())?;
    Ok(ec.vm().keep(module.value()))
}

/// A superclass that C passes: 0 is none.
fn superclass(ec: &mut Ec, value: CValue) -> Result<Option<Class>> {
    if value.word() == 0 {
        return Ok(None);
    }
    match Class::from_value(value.value()).filter(|class| class.is_class()) {
        Some(class) => Ok(Some(class)),
        None => {
            let given = ec.class_of(value.value()).real().to_text(ec);
            Err(ec.type_error(&format!("superclass must be an instance of Class (given an instance of {given})")))
        }
    }
}

api! {
    fn rb_class_of(ec, object: Value) -> Class {
        ec.class_of(object)
    }

    fn rb_obj_class(ec, object: Value) -> Class {
        ec.class_of(object).real()
    }

    fn rb_class_real(ec, value: CValue) -> Result<CValue> {
        if value.word() == 0 {
            return Ok(value);
        }
        Ok(CValue::of(class(ec, value.value())?.real().value()))
    }

    fn rb_singleton_class(ec, object: Value) -> Result<Class> {
        match ec.exposed_singleton_class(object) {
            Some(class) => Ok(class),
            None => Err(ec.type_error("can't define singleton")),
        }
    }

    fn rb_class2name(ec, value: Value) -> Result<*const c_char> {
        let class = class(ec, value)?.real();
        Ok(lasting_text(ec, class))
    }

    fn rb_obj_classname(ec, object: Value) -> *const c_char {
        let class = ec.class_of(object).real();
        lasting_text(ec, class)
    }

    fn rb_class_name(ec, value: Value) -> Result {
        let class = class(ec, value)?.real();
        ec.call(class.value(), sym::TO_S, &[])
    }

    fn rb_class_path(ec, value: Value) -> Result {
        ec.call(value, sym::TO_S, &[])
    }

    fn rb_class_path_cached(ec, value: Value) -> Result {
        ec.call(value, sym::NAME, &[])
    }

    fn rb_set_class_path(ec, value: Value, scope: Value, name: Text) -> Result<()> {
        let (made, scope) = (class(ec, value)?, class(ec, scope)?);
        let name = ec.vm().intern(&name.lossy());
        made.set_permanent_name(&full_name(ec, scope, name));
        Ok(())
    }

    fn rb_path2class(ec, path: Text) -> Result {
        class_at_path(ec, path.bytes())
    }

    fn rb_path_to_class(ec, path: Value) -> Result {
        let path = crate::boundary::string(ec, path)?.owned_bytes(ec)?;
        class_at_path(ec, &path)
    }

    fn rb_class_new(ec, superclass: Value) -> Result<Class> {
        let superclass = class(ec, superclass)?;
        if superclass == ec.vm().known().class {
            return Err(ec.type_error("can't make subclass of Class"));
        }
        superclass.inherit(ec)
    }

    fn rb_module_new(ec) -> Class {
        ec.new_module()
    }

    fn rb_class_get_superclass(ec, value: Value) -> Result<CValue> {
        let class = class(ec, value)?;
        Ok(class.superclass().map_or(CValue::from_word(0), |class| CValue::of(class.real().value())))
    }

    fn rb_class_inherited_p(ec, value: Value, other: Value) -> Result {
        class(ec, other).map_err(|_| ec.type_error("compared with non class/module"))?;
        ec.call(value, name!(ec, "<="), &[other])
    }

    fn rb_include_module(ec, owner: Value, module: Value) -> Result<()> {
        ec.call(owner, name!(ec, "include"), &[module]).map(drop)
    }

    fn rb_prepend_module(ec, owner: Value, module: Value) -> Result<()> {
        ec.call(owner, name!(ec, "prepend"), &[module]).map(drop)
    }

    fn rb_extend_object(ec, object: Value, module: Value) -> Result<()> {
        ec.call(module, sym::EXTEND_OBJECT, &[object]).map(drop)
    }

    fn rb_define_class(ec, name: Text, above: CValue) -> Result {
        let (object, above, name) = (ec.vm().known().object, superclass(ec, above)?, name.symbol(ec));
        define_class(ec, object, name, above)
    }

    fn rb_define_class_under(ec, scope: Value, name: Text, above: CValue) -> Result {
        let (scope, above, name) = (class(ec, scope)?, superclass(ec, above)?, name.symbol(ec));
        define_class(ec, scope, name, above)
    }

    fn rb_define_class_id_under(ec, scope: Value, name: Id, above: CValue) -> Result {
        let (scope, above) = (class(ec, scope)?, superclass(ec, above)?);
        define_class(ec, scope, name.0, above)
    }

    fn rb_define_class_id(ec, _name: Id, above: CValue) -> Result<Class> {
        let above = superclass(ec, above)?.unwrap_or(ec.vm().known().object);
        above.inherit(ec)
    }

    fn rb_define_module(ec, name: Text) -> Result {
        let (object, name) = (ec.vm().known().object, name.symbol(ec));
        define_module(ec, object, name)
    }

    fn rb_define_module_under(ec, scope: Value, name: Text) -> Result {
        let (scope, name) = (class(ec, scope)?, name.symbol(ec));
        define_module(ec, scope, name)
    }

    fn rb_define_module_id_under(ec, scope: Value, name: Id) -> Result {
        let scope = class(ec, scope)?;
        define_module(ec, scope, name.0)
    }

    fn rb_define_module_id(ec, _name: Id) -> Class {
        ec.new_module()
    }

    fn rb_define_alloc_func(ec, owner: Value, function: Function) -> Result<()> {
        let owner = class(ec, owner)?;
        ec.vm().keep(owner.value());
        let mut known = ALLOCATORS.lock().unwrap_or_else(|e| e.into_inner());
        known.get_or_insert_default().insert(owner.value().bits(), function.0.expose_provenance());
        drop(known);
        owner.set_allocator(Some(allocate));
        Ok(())
    }

    fn rb_undef_alloc_func(ec, owner: Value) -> Result<()> {
        let owner = class(ec, owner)?;
        if let Some(known) = ALLOCATORS.lock().unwrap_or_else(|e| e.into_inner()).as_mut() {
            known.remove(&owner.value().bits());
        }
        owner.set_allocator(None);
        Ok(())
    }

    fn rb_get_alloc_func(ec, owner: Value) -> Result<*const std::ffi::c_void> {
        let owner = class(ec, owner)?;
        if owner.allocator().is_none() {
            return Ok(std::ptr::null());
        }
        Ok(allocator_of(owner).map_or(carat_allocate as *const std::ffi::c_void, |(_, function)| function.0))
    }

    /// `allocate` of a class without an allocator in C.
    fn carat_allocate(ec, value: Value) -> Result {
        let class = class(ec, value)?;
        let is_in_c = |class: &Class| class.allocator().is_some_and(|found| std::ptr::fn_addr_eq(found, allocate as Allocate));
        let mut above = Some(class);
        while let Some(next) = above.filter(is_in_c) {
            above = next.superclass();
        }
        match above.and_then(Class::allocator) {
            Some(allocate) => allocate(ec, class),
            None => Ok(ec.new_object(class)),
        }
    }

    fn rb_class_instance_methods(ec, count: i32, list: *const CValue, owner: Value) -> Result {
        ec.call(owner, name!(ec, "instance_methods"), values(count.into(), list, &mut Room::new()))
    }

    fn rb_class_public_instance_methods(ec, count: i32, list: *const CValue, owner: Value) -> Result {
        ec.call(owner, name!(ec, "public_instance_methods"), values(count.into(), list, &mut Room::new()))
    }

    fn rb_class_private_instance_methods(ec, count: i32, list: *const CValue, owner: Value) -> Result {
        ec.call(owner, name!(ec, "private_instance_methods"), values(count.into(), list, &mut Room::new()))
    }

    fn rb_class_protected_instance_methods(ec, count: i32, list: *const CValue, owner: Value) -> Result {
        ec.call(owner, name!(ec, "protected_instance_methods"), values(count.into(), list, &mut Room::new()))
    }

    fn rb_obj_singleton_methods(ec, count: i32, list: *const CValue, object: Value) -> Result {
        ec.call(object, name!(ec, "singleton_methods"), values(count.into(), list, &mut Room::new()))
    }

    fn rb_mod_module_eval(ec, count: i32, list: *const CValue, owner: Value) -> Result {
        let block = crate::method::own_block(ec);
        let block = crate::method::as_block(ec, block)?;
        let mut room = Room::new();
        let list = values(count.into(), list, &mut room);
        crate::method::call_passing(ec, owner, name!(ec, "module_eval"), list, block, 0)
    }
}

calls! {
    rb_mod_name(module) => "name";
    rb_class_superclass(class) => "superclass";
    rb_class_attached_object(class) => "attached_object";
    rb_class_subclasses(class) => "subclasses";
    rb_mod_ancestors(module) => "ancestors";
    rb_mod_included_modules(module) => "included_modules";
    rb_mod_include_p(module, other) => "include?";
}

/// The name in memory that is never given back: C code keeps such addresses.
/// The texts of classes' names. A name that is in it is kept, so its address stays its own.
static NAMES: Mutex<Option<Names>> = Mutex::new(None);

/// By address: the name, and its text.
type Names = FxHashMap<usize, (Arc<str>, usize)>;

thread_local! {
    /// A name whose text was asked for last, by address, and the text.
    static LAST_NAME: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

fn lasting_text(ec: &Ec, class: Class) -> *const c_char {
    let address = match class.permanent_name_address() {
        Some(address) if !class.is_refinement() => address,
        _ => return text_of_name(ec, class),
    };
    let (last, text) = LAST_NAME.get();
    if last == address {
        return std::ptr::with_exposed_provenance(text);
    }
    kept_text(ec, class)
}

#[inline(never)]
fn kept_text(ec: &Ec, class: Class) -> *const c_char {
    let Some(name) = class.name() else { return text_of_name(ec, class) };
    let mut names = NAMES.lock().unwrap_or_else(|e| e.into_inner());
    let address = name.as_ptr().addr();
    let made = || (name, text_of_name(ec, class).expose_provenance());
    let text = names.get_or_insert_default().entry(address).or_insert_with(made).1;
    LAST_NAME.set((address, text));
    std::ptr::with_exposed_provenance(text)
}

fn text_of_name(ec: &Ec, class: Class) -> *const c_char {
    let name = ec.vm().intern(&class.to_text(ec));
    crate::symbol::text_of(ec, name)
}

fn class_at_path(ec: &mut Ec, path: &[u8]) -> Result {
    let shown = String::from_utf8_lossy(path).into_owned();
    if shown.is_empty() || shown.starts_with('#') {
        return Err(ec.argument_error(&format!("can't retrieve anonymous class {shown}")));
    }
    let mut holder = ec.vm().known().object.value();
    let mut so_far = String::new();
    for part in shown.split("::") {
        so_far = if so_far.is_empty() { part.to_string() } else { format!("{so_far}::{part}") };
        let (scope, name) = (Class::expect(holder), ec.vm().intern(part));
        let is_reached = so_far == part || !crate::constant::is_objects_own(scope, ec, name);
        let Some(found) = (if is_reached { scope.find_constant(ec, name, false)? } else { None }) else {
            return Err(ec.argument_error(&format!("undefined class/module {so_far}")));
        };
        if Class::from_value(found).is_none() {
            return Err(ec.type_error(&format!("{so_far} does not refer to class/module")));
        }
        holder = found;
    }
    Ok(holder)
}
