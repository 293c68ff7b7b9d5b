//! Methods in C: definition, call, `super`, arguments.

use crate::boundary::{CValue, Function, Id, Room, Text, call_c_one, call_c_value, class, values, words};
use carat_vm::call::Passing;
use carat_vm::method::{MethodDef, MethodKind};
use carat_vm::{Args, Array, Class, Ec, Hash, Proc, Result, SymbolId, Value, Visibility};
use std::cell::Cell;

/// A row like those of native tables, and the function behind it.
#[repr(C)]
struct CMethod {
    def: MethodDef,
    function: Function,
    /// As C code gave it: -2 is an array of all arguments.
    arity: i32,
    is_ractor_safe: bool,
}

// SAFETY: the function is code, and the rest never changes.
unsafe impl Sync for CMethod {}

thread_local! {
    /// The running C function was given keywords.
    static HAS_KEYWORDS: Cell<bool> = const { Cell::new(false) };
}

/// Every method in C is this function to the VM; the definition says which C function it stands for.
fn run(ec: &mut Ec, args: Args) -> Result {
    let def = ec.running_native().expect("a native method runs");
    // SAFETY: every definition with this function is the first field of a CMethod.
    let method = unsafe { &*std::ptr::from_ref(def).cast::<CMethod>() };
    if !method.is_ractor_safe && !ec.is_main_ractor() {
        return Err(unsafe_in_ractor(ec));
    }
    let before = HAS_KEYWORDS.replace(args.has_keywords());
    let result = match method.arity {
        0.. => run_fixed(ec, method, args),
        -1 => run_list(ec, method, args),
        _ => run_array(ec, method, args),
    };
    HAS_KEYWORDS.set(before);
    result
}

#[cold]
fn unsafe_in_ractor(ec: &mut Ec) -> carat_vm::Unwind {
    ec.error(ec.vm().known().ractor_unsafe_error, "ractor unsafe method called from not main ractor")
}

#[inline]
fn run_fixed(ec: &mut Ec, method: &CMethod, args: Args) -> Result {
    let (count, wanted) = (args.len(), method.arity as usize);
    if count != wanted {
        return Err(ec.arity_error(count, wanted, Some(wanted)));
    }
    let word = |index: usize| CValue::of(args.get(index).unwrap_or(Value::NIL)).word();
    let (function, receiver) = (method.function, CValue::of(args.receiver()).word());
    match count {
        0 => call_c_one(ec, function, receiver),
        1 => call_c_value(ec, function, &[receiver, word(0)]),
        2 => call_c_value(ec, function, &[receiver, word(0), word(1)]),
        _ => run_many(ec, function, args),
    }
}

#[inline(never)]
fn run_many(ec: &mut Ec, function: Function, args: Args) -> Result {
    let mut words = [0; 17];
    words[0] = CValue::of(args.receiver()).word();
    for index in 0..args.len() {
        words[index + 1] = CValue::of(args.get(index).unwrap_or(Value::NIL)).word();
    }
    call_c_value(ec, function, &words[..=args.len()])
}

fn run_list(ec: &mut Ec, method: &CMethod, args: Args) -> Result {
    let mut room = Room::new();
    let (count, list) = words(args, &mut room);
    let receiver = CValue::of(args.receiver()).word();
    call_c_value(ec, method.function, &[count, list, receiver])
}

fn run_array(ec: &mut Ec, method: &CMethod, args: Args) -> Result {
    let list = Array::collect(ec, args.len(), (0..args.len()).filter_map(|index| args.get(index)));
    let receiver = CValue::of(args.receiver()).word();
    call_c_value(ec, method.function, &[receiver, CValue::of(list.value()).word()])
}

/// Whether a method of C code or of the program stands where the core's would.
pub(crate) fn is_replaced(ec: &Ec, receiver: Value, name: SymbolId) -> bool {
    let Some(method) = ec.find_method(receiver, name) else { return false };
    let is_c = |def: &MethodDef| std::ptr::fn_addr_eq(def.function, run as carat_vm::method::NativeFn);
    !method.is_core(ec) || method.native_def(ec).is_some_and(is_c)
}

/// Defines a method; its row lives as long as the program, as the function does.
fn define(
    ec: &mut Ec,
    class: Class,
    name: SymbolId,
    function: Function,
    arity: i32,
    visibility: Visibility,
) -> Result<()> {
    if !(-2..=15).contains(&arity) {
        return Err(ec.argument_error(&format!("arity out of range: {arity} for -2..15")));
    }
    if function == Function(rb_f_notimplement as *const std::ffi::c_void) {
        return define_unimplemented(ec, class, name, visibility);
    }
    let text: &'static str = Box::leak(ec.vm().symbol_text(name).into_boxed_str());
    let shown = arity.max(-1);
    let def = MethodDef {
        name: text,
        function: run,
        arity: shown,
        visibility,
        is_singleton: false,
        borrows: 0,
        alias_of: None,
        is_implemented: true,
    };
    let method: &'static CMethod =
        Box::leak(Box::new(CMethod { def, function, arity, is_ractor_safe: crate::load::is_ractor_safe() }));
    let visibility = if carat_vm::define::is_always_private(name) { Visibility::Private } else { visibility };
    class.define_method(ec, name, MethodKind::Native(&method.def), visibility, Value::NIL)
}

/// A method that raises, and that `respond_to?` does not know.
fn define_unimplemented(ec: &mut Ec, class: Class, name: SymbolId, visibility: Visibility) -> Result<()> {
    let text: &'static str = Box::leak(ec.vm().symbol_text(name).into_boxed_str());
    let def: &'static MethodDef = Box::leak(Box::new(MethodDef::unimplemented(text, visibility)));
    class.define_method(ec, name, MethodKind::Native(def), visibility, Value::NIL)
}

fn unimplemented_here(ec: &mut Ec) -> carat_vm::Unwind {
    let name = ec.running_method_name().map(|(name, _)| ec.vm().symbol_text(name)).unwrap_or_default();
    ec.not_implemented(&format!("{name}() function is unimplemented on this machine"))
}

fn singleton(ec: &mut Ec, object: Value) -> Result<Class> {
    match ec.exposed_singleton_class(object) {
        Some(class) => Ok(class),
        None => Err(ec.type_error("can't define singleton")),
    }
}

api! {
    fn rb_define_method(ec, owner: Value, name: Text, function: Function, arity: i32) -> Result<()> {
        let (owner, name) = (class(ec, owner)?, name.symbol(ec));
        define(ec, owner, name, function, arity, Visibility::Public)
    }

    fn rb_define_method_id(ec, owner: Value, name: Id, function: Function, arity: i32) -> Result<()> {
        let owner = class(ec, owner)?;
        define(ec, owner, name.0, function, arity, Visibility::Public)
    }

    fn rb_define_private_method(ec, owner: Value, name: Text, function: Function, arity: i32) -> Result<()> {
        let (owner, name) = (class(ec, owner)?, name.symbol(ec));
        define(ec, owner, name, function, arity, Visibility::Private)
    }

    fn rb_define_protected_method(ec, owner: Value, name: Text, function: Function, arity: i32) -> Result<()> {
        let (owner, name) = (class(ec, owner)?, name.symbol(ec));
        define(ec, owner, name, function, arity, Visibility::Protected)
    }

    fn rb_define_singleton_method(ec, object: Value, name: Text, function: Function, arity: i32) -> Result<()> {
        let (owner, name) = (singleton(ec, object)?, name.symbol(ec));
        define(ec, owner, name, function, arity, Visibility::Public)
    }

    fn rb_define_module_function(ec, module: Value, name: Text, function: Function, arity: i32) -> Result<()> {
        let (module, name) = (class(ec, module)?, name.symbol(ec));
        define(ec, module, name, function, arity, Visibility::Private)?;
        let owner = singleton(ec, module.value())?;
        define(ec, owner, name, function, arity, Visibility::Public)
    }

    fn rb_define_global_function(ec, name: Text, function: Function, arity: i32) -> Result<()> {
        let (kernel, name) = (ec.vm().known().kernel, name.symbol(ec));
        define(ec, kernel, name, function, arity, Visibility::Private)?;
        let owner = singleton(ec, kernel.value())?;
        define(ec, owner, name, function, arity, Visibility::Public)
    }

    fn rb_f_notimplement(ec, _count: i32, _list: *const CValue, _this: Value, _marker: Value) -> Result {
        Err(unimplemented_here(ec))
    }

    fn rb_define_alias(ec, owner: Value, new: Text, old: Text) -> Result<()> {
        let owner = class(ec, owner)?;
        owner.alias_method(ec, new.symbol(ec), old.symbol(ec))
    }

    fn rb_alias(ec, owner: Value, new: Id, old: Id) -> Result<()> {
        let owner = class(ec, owner)?;
        owner.alias_method(ec, new.0, old.0)
    }

    fn rb_define_attr(ec, owner: Value, name: Text, read: i32, write: i32) -> Result<()> {
        let name = name.symbol(ec);
        attribute(ec, owner, name, read != 0, write != 0)
    }

    fn rb_attr(ec, owner: Value, name: Id, read: i32, write: i32, _checks: i32) -> Result<()> {
        attribute(ec, owner, name.0, read != 0, write != 0)
    }

    fn rb_undef_method(ec, owner: Value, name: Text) -> Result<()> {
        let owner = class(ec, owner)?;
        if ec.is_frozen(owner.value()) {
            return Err(ec.frozen_class_error(owner));
        }
        let name = name.symbol(ec);
        owner.add_method(ec, name, MethodKind::Undefined, Visibility::Public, Value::NIL);
        Ok(())
    }

    fn rb_undef(ec, owner: Value, name: Id) -> Result<()> {
        let owner = class(ec, owner)?;
        owner.undef_method(ec, name.0)
    }

    fn rb_remove_method(ec, owner: Value, name: Text) -> Result {
        let name = Value::symbol(name.symbol(ec));
        ec.call(owner, name!(ec, "remove_method"), &[name])
    }

    fn rb_remove_method_id(ec, owner: Value, name: Id) -> Result {
        ec.call(owner, name!(ec, "remove_method"), &[Value::symbol(name.0)])
    }

    fn rb_method_boundp(ec, owner: Value, name: Id, excludes_private: i32) -> Result<bool> {
        let owner = class(ec, owner)?;
        let found = owner.find_method(ec, name.0).filter(|method| method.is_implemented(ec));
        Ok(found.is_some_and(|method| excludes_private == 0 || method.visibility != Visibility::Private))
    }

    fn rb_method_basic_definition_p(ec, owner: Value, name: Id) -> Result<bool> {
        let owner = class(ec, owner)?;
        Ok(owner.find_method(ec, name.0).is_some_and(|method| method.is_core(ec)))
    }

    fn rb_obj_method_arity(ec, object: Value, name: Id) -> Result<i32> {
        let method = ec.call(object, name!(ec, "method"), &[Value::symbol(name.0)])?;
        arity_of(ec, method)
    }

    fn rb_mod_method_arity(ec, module: Value, name: Id) -> Result<i32> {
        let method = ec.call(module, name!(ec, "instance_method"), &[Value::symbol(name.0)])?;
        arity_of(ec, method)
    }

    // ---- calls ----

    /// `rb_funcall`, with what the shim made a list of already as it is here.
    fn carat_funcall(ec, receiver: Value, name: Id, count: i32, list: *const Value) -> Result {
        // SAFETY: the shim passes a list of so many, which has our word for false.
        let list = unsafe { std::slice::from_raw_parts(list, count.max(0) as usize) };
        let others = |ec: &mut Ec, method| call_found(ec, receiver, name.0, method, list, false);
        ec.call_from_c(receiver, name.0, list.len(), |index| list[index], false, others)
    }

    fn rb_funcallv(ec, receiver: Value, name: Id, count: i32, list: *const CValue) -> Result {
        let count = if list.is_null() { 0 } else { count.max(0) as usize };
        let others = |ec: &mut Ec, method| call_listed(ec, receiver, name.0, method, (count, list), false);
        // SAFETY: C passes as many values as it says.
        ec.call_from_c(receiver, name.0, count, |index| unsafe { *list.add(index) }.value(), false, others)
    }

    fn rb_funcallv_kw(ec, receiver: Value, name: Id, count: i32, list: *const CValue, keywords: i32) -> Result {
        let mut room = Room::new();
        let list = values(count.into(), list, &mut room);
        call_passing(ec, receiver, name.0, list, None, keywords)
    }

    fn rb_funcallv_public(ec, receiver: Value, name: Id, count: i32, list: *const CValue) -> Result {
        let count = if list.is_null() { 0 } else { count.max(0) as usize };
        let others = |ec: &mut Ec, method| call_listed(ec, receiver, name.0, method, (count, list), true);
        // SAFETY: C passes as many values as it says.
        ec.call_from_c(receiver, name.0, count, |index| unsafe { *list.add(index) }.value(), true, others)
    }

    fn rb_funcallv_public_kw(ec, receiver: Value, name: Id, count: i32, list: *const CValue, keywords: i32) -> Result {
        let mut room = Room::new();
        let list = values(count.into(), list, &mut room);
        let (args, passing) = passing(ec, list, None, keywords)?;
        ec.call_public(receiver, name.0, args, passing)
    }

    fn rb_funcall_with_block(ec, receiver: Value, name: Id, count: i32, list: *const CValue, block: Value) -> Result {
        let mut room = Room::new();
        let list = values(count.into(), list, &mut room);
        call_public_passing(ec, receiver, name.0, list, block, 0)
    }

    fn rb_funcall_with_block_kw(
        ec, receiver: Value, name: Id, count: i32, list: *const CValue, block: Value, keywords: i32,
    ) -> Result {
        let mut room = Room::new();
        let list = values(count.into(), list, &mut room);
        call_public_passing(ec, receiver, name.0, list, block, keywords)
    }

    fn rb_funcall_passing_block(ec, receiver: Value, name: Id, count: i32, list: *const CValue) -> Result {
        let block = own_block(ec);
        let mut room = Room::new();
        let list = values(count.into(), list, &mut room);
        call_public_passing(ec, receiver, name.0, list, block, 0)
    }

    fn rb_funcall_passing_block_kw(ec, receiver: Value, name: Id, count: i32, list: *const CValue, keywords: i32) -> Result {
        let block = own_block(ec);
        let mut room = Room::new();
        let list = values(count.into(), list, &mut room);
        call_public_passing(ec, receiver, name.0, list, block, keywords)
    }

    fn rb_check_funcall(ec, receiver: Value, name: Id, count: i32, list: *const CValue) -> Result<CValue> {
        let mut room = Room::new();
        let list = values(count.into(), list, &mut room);
        Ok(ec.call_if_responds(receiver, name.0, list)?.map_or(CValue::UNDEF, CValue::of))
    }

    fn rb_check_funcall_kw(ec, receiver: Value, name: Id, count: i32, list: *const CValue, keywords: i32) -> Result<CValue> {
        if !ec.respond_to(receiver, name.0, true)? {
            return Ok(CValue::UNDEF);
        }
        let mut room = Room::new();
        let list = values(count.into(), list, &mut room);
        Ok(CValue::of(call_passing(ec, receiver, name.0, list, None, keywords)?))
    }

    fn rb_call_super(ec, count: i32, list: *const CValue) -> Result {
        let mut room = Room::new();
        let list = values(count.into(), list, &mut room);
        call_super(ec, list, i32::from(HAS_KEYWORDS.get()))
    }

    fn rb_call_super_kw(ec, count: i32, list: *const CValue, keywords: i32) -> Result {
        let mut room = Room::new();
        let list = values(count.into(), list, &mut room);
        call_super(ec, list, keywords)
    }

    fn rb_apply(ec, receiver: Value, name: Id, list: Value) -> Result {
        let list = ec.to_ary(list)?;
        ec.call_with_shared_array(receiver, name.0, list, Passing::default())
    }

    fn rb_current_receiver(ec) -> Value {
        ec.running_receiver()
    }

    fn rb_keyword_given_p(_ec) -> bool {
        HAS_KEYWORDS.get()
    }

    fn rb_frame_this_func(ec) -> u64 {
        ec.running_method_name().map_or(0, |(name, _)| Id(name).word())
    }

    fn rb_frame_method_id_and_class(ec, name: *mut u64, owner: *mut CValue) -> bool {
        let Some((symbol, class)) = ec.running_method_name() else { return false };
        crate::boundary::store(name, Id(symbol).word());
        crate::boundary::store(owner, CValue::of(class.value()));
        true
    }

    fn rb_method_call_with_block(ec, count: i32, list: *const CValue, method: Value, block: Value) -> Result {
        let mut room = Room::new();
        let list = values(count.into(), list, &mut room);
        call_public_passing(ec, method, carat_vm::sym::CALL, list, block, 0)
    }

    fn rb_method_call_with_block_kw(
        ec, count: i32, list: *const CValue, method: Value, block: Value, keywords: i32,
    ) -> Result {
        let mut room = Room::new();
        let list = values(count.into(), list, &mut room);
        call_public_passing(ec, method, carat_vm::sym::CALL, list, block, keywords)
    }

    fn rb_method_call_kw(ec, count: i32, list: *const CValue, method: Value, keywords: i32) -> Result {
        let mut room = Room::new();
        let list = values(count.into(), list, &mut room);
        call_public_passing(ec, method, carat_vm::sym::CALL, list, Value::NIL, keywords)
    }

    fn rb_frame_callee(ec) -> u64 {
        ec.running_method_name().map_or(0, |(name, _)| Id(name).word())
    }

    fn rb_error_arity(ec, count: i32, min: i32, max: i32) -> Result<()> {
        Err(ec.arity_error(count.max(0) as usize, min.max(0) as usize, usize::try_from(max).ok()))
    }

    fn rb_get_kwargs(ec, hash: Value, names: *const u64, required: i32, optional: i32, values: *mut CValue) -> Result<i32> {
        get_keywords(ec, hash, names, required, optional, values)
    }

    fn rb_extract_keywords(ec, place: *mut CValue) -> Result<CValue> {
        extract_keywords(ec, place)
    }
}

/// Calls a method that is not native, or finds out what becomes of the call of one that is not there or not public.
#[inline(never)]
fn call_found(
    ec: &mut Ec,
    receiver: Value,
    name: SymbolId,
    method: Option<Value>,
    args: &[Value],
    is_public: bool,
) -> Result {
    match method {
        Some(method) => ec.call_method(receiver, method, name, args, Passing::default()),
        None if is_public => ec.call_public(receiver, name, args, Passing::default()),
        None => ec.call(receiver, name, args),
    }
}

/// The same with arguments as C passes them.
#[inline(never)]
fn call_listed(
    ec: &mut Ec,
    receiver: Value,
    name: SymbolId,
    method: Option<Value>,
    (count, list): (usize, *const CValue),
    is_public: bool,
) -> Result {
    let mut room = Room::new();
    call_found(ec, receiver, name, method, values(count as i64, list, &mut room), is_public)
}

fn attribute(ec: &mut Ec, owner: Value, name: SymbolId, read: bool, write: bool) -> Result<()> {
    let name = Value::symbol(name);
    for (is_wanted, method) in [(read, "attr_reader"), (write, "attr_writer")] {
        if is_wanted {
            ec.call(owner, ec.vm().intern(method), &[name])?;
        }
    }
    Ok(())
}

fn arity_of(ec: &mut Ec, method: Value) -> Result<i32> {
    let arity = ec.call(method, name!(ec, "arity"), &[])?;
    Ok(ec.to_long(arity)? as i32)
}

/// The block of the running method as a Proc, or nil.
pub(crate) fn own_block(ec: &mut Ec) -> Value {
    match ec.block() {
        Some(block) => block.to_proc(ec).value(),
        None => Value::NIL,
    }
}

/// Arguments whose last one is a hash of keywords if `keywords` says so.
pub(crate) fn passing<'a>(
    ec: &mut Ec,
    args: &'a [Value],
    block: Option<Proc>,
    keywords: i32,
) -> Result<(&'a [Value], Passing)> {
    if keywords != 0
        && let Some((last, rest)) = args.split_last()
    {
        return Ok((rest, Passing { keywords: Some(ec.to_hash(*last)?), block }));
    }
    Ok((args, Passing { keywords: None, block }))
}

/// Calls a method of any visibility with a block, perhaps, and keywords.
pub(crate) fn call_passing(
    ec: &mut Ec,
    receiver: Value,
    name: SymbolId,
    args: &[Value],
    block: Option<Proc>,
    keywords: i32,
) -> Result {
    let (args, passing) = passing(ec, args, block, keywords)?;
    ec.call_with(receiver, name, args, passing)
}

fn call_public_passing(
    ec: &mut Ec,
    receiver: Value,
    name: SymbolId,
    args: &[Value],
    block: Value,
    keywords: i32,
) -> Result {
    let block = as_block(ec, block)?;
    let (args, passing) = passing(ec, args, block, keywords)?;
    ec.call_public(receiver, name, args, passing)
}

/// What `&block` passes.
pub(crate) fn as_block(ec: &mut Ec, block: Value) -> Result<Option<Proc>> {
    if block.is_nil() {
        return Ok(None);
    }
    if let Some(proc) = Proc::from_value(block) {
        return Ok(Some(proc));
    }
    let made = ec.call(block, name!(ec, "to_proc"), &[])?;
    match Proc::from_value(made) {
        Some(proc) => Ok(Some(proc)),
        None => Err(ec.wrong_type(block, "Proc")),
    }
}

fn call_super(ec: &mut Ec, args: &[Value], keywords: i32) -> Result {
    let block = ec.block().map(|block| block.to_proc(ec));
    let (args, passing) = passing(ec, args, block, keywords)?;
    ec.call_native_super(args, passing)
}

/// Takes keywords out of a hash: those that are required, then optional ones. A negative number of optional ones allows others.
fn get_keywords(
    ec: &mut Ec,
    hash: Value,
    names: *const u64,
    required: i32,
    optional: i32,
    values: *mut CValue,
) -> Result<i32> {
    let (required, allows_rest) = (required.max(0) as usize, optional < 0);
    let optional = if allows_rest { (-optional - 1) as usize } else { optional as usize };
    let hash = Hash::from_value(hash);
    let missing = Array::new(ec, 0);
    let mut found = 0;
    for index in 0..required + optional {
        // SAFETY: C passes as many names as it says.
        let name = Id::from_word(unsafe { *names.add(index) }).0;
        let value = hash.and_then(|hash| hash.get_symbol(ec, name));
        match value {
            Some(_) => found += 1,
            None if index < required => missing.push(ec, Value::symbol(name)),
            None => {}
        }
        if !values.is_null() {
            // SAFETY: and as many places for their values, if any.
            unsafe { values.add(index).write(value.map_or(CValue::UNDEF, CValue::of)) };
            if let (Some(hash), Some(_)) = (hash, value) {
                hash.delete(ec, Value::symbol(name))?;
            }
        }
    }
    if !missing.is_empty(ec) {
        return Err(keyword_error(ec, "missing", missing));
    }
    if !allows_rest && let Some(hash) = hash {
        check_unknown(ec, hash, names, required + optional, !values.is_null())?;
    }
    Ok(found)
}

/// Fails if there are other keywords than those that were named.
fn check_unknown(ec: &mut Ec, hash: Hash, names: *const u64, count: usize, took: bool) -> Result<()> {
    let keys = hash.keys(ec);
    let unknown = Array::new(ec, 0);
    for index in 0..keys.len(ec) {
        let key = keys.at(ec, index);
        // SAFETY: as in `get_keywords`.
        let is_known = |index| key == Value::symbol(Id::from_word(unsafe { *names.add(index) }).0);
        if took || !(0..count).any(is_known) {
            unknown.push(ec, key);
        }
    }
    if unknown.is_empty(ec) { Ok(()) } else { Err(keyword_error(ec, "unknown", unknown)) }
}

fn keyword_error(ec: &mut Ec, what: &str, names: Array) -> carat_vm::Unwind {
    let mut shown = Vec::new();
    for index in 0..names.len(ec) {
        match ec.inspect(names.at(ec, index)) {
            Ok(text) => shown.push(text.to_text(ec)),
            Err(unwind) => return unwind,
        }
    }
    let plural = if shown.len() == 1 { "" } else { "s" };
    ec.argument_error(&format!("{what} keyword{plural}: {}", shown.join(", ")))
}

/// Splits a hash into symbol keys, which are returned, and others, which stay.
fn extract_keywords(ec: &mut Ec, place: *mut CValue) -> Result<CValue> {
    let Some(hash) = Hash::from_value(crate::boundary::fetch(place).value()) else { return Ok(CValue::from_word(0)) };
    let (symbols, others, keys) = (Hash::new(ec), Hash::new(ec), hash.keys(ec));
    for index in 0..keys.len(ec) {
        let key = keys.at(ec, index);
        let value = hash.get(ec, key)?.unwrap_or(Value::NIL);
        let part = if key.is_symbol() { symbols } else { others };
        part.set(ec, key, value)?;
    }
    if symbols.is_empty(ec) {
        return Ok(CValue::from_word(0));
    }
    let rest = if others.is_empty(ec) { CValue::from_word(0) } else { CValue::of(others.value()) };
    crate::boundary::store(place, rest);
    Ok(CValue::of(symbols.value()))
}

pub(crate) fn is_given_keywords() -> bool {
    HAS_KEYWORDS.get()
}

/// Runs a callback of C code as if it were a method with or without keywords.
pub(crate) fn with_keywords<R>(has_keywords: bool, work: impl FnOnce() -> R) -> R {
    let before = HAS_KEYWORDS.replace(has_keywords);
    let result = work();
    HAS_KEYWORDS.set(before);
    result
}
