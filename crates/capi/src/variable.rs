//! Variables of objects, of classes, and global ones.

use crate::boundary::{CValue, Function, Id, Room, Text, call_c, call_c_value, class, values};
use carat_vm::call::Passing;
use carat_vm::vm::GlobalVariable;
use carat_vm::{Ec, Result, SymbolId, Value, sym};
use rustc_hash::FxHashMap;
use std::sync::Mutex;

/// Global variables that C code has a hand in: where the word is, who reads it, who writes it.
#[derive(Clone, Copy)]
struct Hooked {
    word: usize,
    getter: usize,
    setter: usize,
}

static HOOKED: Mutex<Option<FxHashMap<SymbolId, Hooked>>> = Mutex::new(None);

fn hooked(name: SymbolId) -> Hooked {
    let table = HOOKED.lock().unwrap_or_else(|e| e.into_inner());
    table.as_ref().and_then(|table| table.get(&name).copied()).unwrap_or(Hooked { word: 0, getter: 0, setter: 0 })
}

fn function(address: usize) -> Function {
    Function(std::ptr::with_exposed_provenance(address))
}

fn read(ec: &mut Ec, name: SymbolId) -> Result {
    let hooked = hooked(name);
    if hooked.getter != 0 {
        return call_c_value(ec, function(hooked.getter), &[Id(name).word(), hooked.word as u64]);
    }
    // What has neither word nor function is false, as CRuby's own getter makes it.
    Ok(if hooked.word == 0 { Value::FALSE } else { word(hooked) })
}

fn word(hooked: Hooked) -> Value {
    if hooked.word == 0 {
        return Value::NIL;
    }
    crate::boundary::fetch(std::ptr::with_exposed_provenance::<CValue>(hooked.word)).value()
}

fn write(ec: &mut Ec, name: SymbolId, value: Value) -> Result<()> {
    let hooked = hooked(name);
    if hooked.setter != 0 {
        let words = [CValue::of(value).word(), Id(name).word(), hooked.word as u64];
        return call_c(ec, function(hooked.setter), &words).map(drop);
    }
    if hooked.word != 0 {
        crate::boundary::store(std::ptr::with_exposed_provenance_mut(hooked.word), CValue::of(value));
    }
    Ok(())
}

fn read_only(ec: &mut Ec, name: SymbolId, _value: Value) -> Result<()> {
    let text = ec.vm().symbol_text(name);
    let message = format!("{text} is a read-only variable");
    Err(ec.name_error(&message, Value::NIL, name))
}

fn global_name(ec: &Ec, name: Text) -> SymbolId {
    let text = name.lossy();
    if text.starts_with('$') { ec.vm().intern(&text) } else { ec.vm().intern(&format!("${text}")) }
}

fn define(ec: &mut Ec, name: Text, hooked: Hooked, is_read_only: bool) {
    let name = global_name(ec, name);
    if hooked.word != 0 {
        ec.add_foreign_root(hooked.word);
    }
    HOOKED.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert_default().insert(name, hooked);
    let mut variable = GlobalVariable::plain(Value::NIL, true);
    variable.getter = Some(read);
    variable.setter = Some(if is_read_only { read_only } else { write });
    ec.vm().define_global(name, variable);
}

/// An instance variable; Ruby code does not see one whose name it cannot write.
fn get(ec: &mut Ec, object: Value, name: SymbolId) -> Result {
    if !object.is_heap() {
        return Ok(Value::NIL);
    }
    match ec.field(object, name) {
        Some(value) => Ok(value),
        None => attribute(ec, object, name),
    }
}

/// The message and the backtrace of an exception, which are variables without `@` in CRuby.
#[cold]
fn attribute(ec: &mut Ec, object: Value, name: SymbolId) -> Result {
    if !is_exception(ec, object) {
        return Ok(Value::NIL);
    }
    if name == name!(ec, "mesg") {
        return Ok(ec.field(object, sym::MESG).unwrap_or(Value::NIL));
    }
    if name == name!(ec, "bt") { own_backtrace(ec, object) } else { Ok(Value::NIL) }
}

/// What `Exception#backtrace` gives, whatever the object's class has.
fn own_backtrace(ec: &mut Ec, object: Value) -> Result {
    let backtrace = name!(ec, "backtrace");
    let method = ec.vm().known().exception.find_method(ec, backtrace).map(|method| method.value());
    match method {
        Some(method) => ec.call_method(object, method, backtrace, &[], Passing::default()),
        None => Ok(Value::NIL),
    }
}

fn is_exception(ec: &Ec, object: Value) -> bool {
    ec.is_a(object, ec.vm().known().exception)
}

fn set(ec: &mut Ec, object: Value, name: SymbolId, value: Value) -> Result {
    let field = match name {
        _ if name == name!(ec, "mesg") && is_exception(ec, object) => sym::MESG,
        _ if name == name!(ec, "bt") && is_exception(ec, object) => sym::BT,
        _ => name,
    };
    ec.set_instance_variable(object, field, value)?;
    Ok(value)
}

/// Variables as C code sees them, in order.
fn variables(ec: &mut Ec, object: Value) -> Result<Vec<(SymbolId, Value)>> {
    let mut found = Vec::new();
    if is_exception(ec, object) {
        for name in [name!(ec, "mesg"), name!(ec, "bt")] {
            found.push((name, attribute(ec, object, name)?));
        }
    }
    for name in ec.instance_variable_names(object) {
        found.push((name, ec.field(object, name).unwrap_or(Value::NIL)));
    }
    Ok(found)
}

api! {
    fn rb_ivar_get(ec, object: Value, name: Id) -> Result {
        get(ec, object, name.0)
    }

    fn rb_attr_get(ec, object: Value, name: Id) -> Result {
        get(ec, object, name.0)
    }

    fn rb_ivar_set(ec, object: Value, name: Id, value: Value) -> Result {
        set(ec, object, name.0, value)
    }

    fn rb_ivar_defined(ec, object: Value, name: Id) -> bool_value::Truth {
        bool_value::Truth(object.is_heap() && ec.field(object, name.0).is_some())
    }

    fn rb_iv_get(ec, object: Value, name: Text) -> Result {
        let name = name.symbol(ec);
        get(ec, object, name)
    }

    fn rb_iv_set(ec, object: Value, name: Text, value: Value) -> Result {
        let name = name.symbol(ec);
        set(ec, object, name, value)
    }

    fn rb_ivar_count(ec, object: Value) -> u64 {
        if !object.is_heap() {
            return 0;
        }
        let attributes = if is_exception(ec, object) { 2 } else { 0 };
        ec.instance_variable_names(object).len() as u64 + attributes
    }

    fn rb_ivar_foreach(ec, object: Value, function: Function, argument: u64) -> Result<()> {
        if !object.is_heap() {
            return Ok(());
        }
        if let Some(class) = carat_vm::Class::from_value(object) {
            for name in class.own_class_variables() {
                let value = class.own_class_variable(name).unwrap_or(Value::NIL);
                if call_c(ec, function, &[Id(name).word(), CValue::of(value).word(), argument])? as i32 == 1 {
                    return Ok(());
                }
            }
        }
        for (name, value) in variables(ec, object)? {
            let words = [Id(name).word(), CValue::of(value).word(), argument];
            match call_c(ec, function, &words)? as i32 {
                1 => break,
                2 => drop(ec.remove_field(object, name)),
                _ => {}
            }
        }
        Ok(())
    }

    fn rb_copy_generic_ivar(ec, to: Value, from: Value) {
        if from.is_heap() && to.is_heap() {
            ec.copy_fields(from, to);
        }
    }

    fn rb_free_generic_ivar(ec, object: Value) {
        for name in ec.instance_variable_names(object) {
            ec.remove_field(object, name);
        }
    }

    fn rb_cvar_get(ec, owner: Value, name: Id) -> Result {
        let owner = class(ec, owner)?;
        owner.read_class_variable(ec, name.0)
    }

    fn rb_cvar_set(ec, owner: Value, name: Id, value: Value) -> Result<()> {
        let owner = class(ec, owner)?;
        owner.set_class_variable(ec, name.0, value)
    }

    fn rb_cvar_defined(ec, owner: Value, name: Id) -> Result<bool_value::Truth> {
        let owner = class(ec, owner)?;
        // An instance variable's name asks for the class's own.
        let is_own = !ec.vm().symbol_text(name.0).starts_with("@@");
        let is_defined = if is_own { ec.field(owner.value(), name.0).is_some() } else { owner.class_variable_holder(name.0).is_some() };
        Ok(bool_value::Truth(is_defined))
    }

    fn rb_cv_get(ec, owner: Value, name: Text) -> Result {
        let (owner, name) = (class(ec, owner)?, class_variable_name(ec, name)?);
        owner.read_class_variable(ec, name)
    }

    fn rb_cv_set(ec, owner: Value, name: Text, value: Value) -> Result<()> {
        let (owner, name) = (class(ec, owner)?, class_variable_name(ec, name)?);
        owner.set_class_variable(ec, name, value)
    }

    fn rb_define_class_variable(ec, owner: Value, name: Text, value: Value) -> Result<()> {
        let (owner, name) = (class(ec, owner)?, class_variable_name(ec, name)?);
        owner.set_class_variable(ec, name, value)
    }

    fn rb_gv_get(ec, name: Text) -> Result {
        let name = global_name(ec, name);
        ec.global(name)
    }

    fn rb_gv_set(ec, name: Text, value: Value) -> Result {
        let name = global_name(ec, name);
        ec.set_global(name, value)?;
        Ok(value)
    }

    fn rb_define_variable(ec, name: Text, word: *const CValue) {
        define(ec, name, Hooked { word: word.expose_provenance(), getter: 0, setter: 0 }, false);
    }

    fn rb_define_readonly_variable(ec, name: Text, word: *const CValue) {
        define(ec, name, Hooked { word: word.expose_provenance(), getter: 0, setter: 0 }, true);
    }

    fn rb_define_hooked_variable(ec, name: Text, word: *const CValue, getter: Function, setter: Function) {
        let hooked = Hooked {
            word: word.expose_provenance(),
            getter: if getter.is_null() { rb_gvar_var_getter as *const () as usize } else { getter.0.expose_provenance() },
            setter: setter.0.expose_provenance(),
        };
        define(ec, name, hooked, false);
    }

    fn rb_define_virtual_variable(ec, name: Text, getter: Function, setter: Function) {
        let hooked = Hooked { word: 0, getter: getter.0.expose_provenance(), setter: setter.0.expose_provenance() };
        define(ec, name, hooked, setter.is_null());
    }

    fn rb_gvar_var_getter(_ec, _name: u64, word: *const CValue) -> CValue {
        if word.is_null() { CValue::of(Value::NIL) } else { crate::boundary::fetch(word) }
    }

    fn rb_gvar_val_getter(_ec, _name: u64, word: *const CValue) -> CValue {
        CValue::from_word(word.expose_provenance() as u64)
    }

    fn rb_gvar_undef_getter(_ec, _name: u64, _word: *const CValue) -> Value {
        Value::NIL
    }

    fn rb_gvar_var_setter(_ec, value: CValue, _name: u64, word: *mut CValue) {
        crate::boundary::store(word, value);
    }

    fn rb_gvar_readonly_setter(ec, _value: CValue, name: Id, _word: *mut CValue) -> Result<()> {
        read_only(ec, name.0, Value::NIL)
    }

    fn rb_alias_variable(ec, new: Id, old: Id) {
        ec.vm().alias_global(new.0, old.0);
    }

    fn rb_f_global_variables(ec) -> Result {
        crate::boundary::kernel_call(ec, name!(ec, "global_variables"), &[])
    }

    fn rb_mod_class_variables(ec, count: i32, list: *const CValue, owner: Value) -> Result {
        ec.call(owner, name!(ec, "class_variables"), values(count.into(), list, &mut Room::new()))
    }

    fn rb_lastline_get(ec) -> Value {
        ec.last_line()
    }

    fn rb_lastline_set(ec, value: Value) {
        ec.set_last_line(value);
    }

    fn rb_backref_get(ec) -> Value {
        ec.last_match()
    }

    fn rb_backref_set(ec, value: Value) {
        ec.set_last_match(value);
    }
}

calls! {
    rb_obj_instance_variables(object) => "instance_variables";
    rb_obj_remove_instance_variable(object, name) => "remove_instance_variable";
}

fn class_variable_name(ec: &mut Ec, name: Text) -> Result<SymbolId> {
    let symbol = name.symbol(ec);
    if name.bytes().starts_with(b"@@") {
        return Ok(symbol);
    }
    let text = name.lossy();
    Err(ec.name_error(&format!("wrong class variable name {text}"), Value::NIL, symbol))
}

/// Truth as a value of Ruby.
pub(crate) mod bool_value {
    use crate::boundary::{CValue, Outcome};
    use carat_vm::{Result, Value};

    pub(crate) struct Truth(pub(crate) bool);

    impl Outcome for Truth {
        type C = CValue;
        fn outcome(self) -> Result<CValue> {
            Ok(CValue::of(Value::bool(self.0)))
        }
    }
}
