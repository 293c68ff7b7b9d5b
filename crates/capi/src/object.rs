//! What every object has: types, conversions, comparison, copies, loading.

use crate::boundary::{CValue, Id, Room, Text, kernel_call, values};
use crate::method::{as_block, call_passing, own_block};
use crate::variable::bool_value::Truth;
use carat_vm::{Class, CodeRange, Ec, EncodingIndex, HeapType, Result, Str, Value, sym};
use std::ffi::c_int;

/// `T_…`, by name, of what a value is.
fn type_number(ec: &Ec, value: Value) -> c_int {
    let Some(header) = value.header() else { return special_type(value) };
    match header.heap_type() {
        HeapType::Object => object_type(ec, value),
        HeapType::Class => 0x02,
        HeapType::Module => 0x03,
        HeapType::Float => 0x04,
        HeapType::String => 0x05,
        HeapType::Regexp => 0x06,
        HeapType::Array => 0x07,
        HeapType::Hash => 0x08,
        HeapType::Struct | HeapType::Range => 0x09,
        HeapType::Bignum => 0x0a,
        HeapType::Data => data_type(ec, value),
        HeapType::Set | HeapType::Proc | HeapType::CData => 0x0c,
        HeapType::Match => 0x0d,
        HeapType::Complex => 0x0e,
        HeapType::Rational => 0x0f,
        HeapType::IClass => 0x1c,
        HeapType::Free => 0x00,
        HeapType::Env | HeapType::MethodEntry | HeapType::Code | HeapType::Cref | HeapType::Throw => 0x1a,
    }
}

/// Classes that are written in Ruby here, and in C in CRuby: their objects, and those of their subclasses, wrap structs there, which C
/// code asks for. Enumerators are left out, because numo-narray knows their struct by heart and looks into it.
const STRUCTS: &[&str] = &[
    "Addrinfo",
    "ARGF.class",
    "Date",
    "Monitor",
    "OpenSSL::ASN1::ASN1Data",
    "OpenSSL::BN",
    "OpenSSL::Cipher",
    "OpenSSL::Digest",
    "OpenSSL::HMAC",
    "OpenSSL::PKey::PKey",
    "OpenSSL::SSL::SSLContext",
    "OpenSSL::SSL::SSLSocket",
    "OpenSSL::X509::Certificate",
    "OpenSSL::X509::Store",
    "Psych::Emitter",
    "Psych::Parser",
    "Ripper",
    "StringIO",
    "Zlib::GzipFile",
    "Zlib::ZStream",
];

fn object_type(ec: &Ec, value: Value) -> c_int {
    if has_struct(ec.class_of(value)) { 0x0c } else { 0x01 }
}

/// Whether the objects of a class are structs in CRuby.
fn has_struct(class: Class) -> bool {
    let mut classes = std::iter::successors(Some(class), |class| class.superclass());
    classes.any(|class| class.name().is_some_and(|name| STRUCTS.contains(&&*name)))
}

/// Native data of Carat that is another type in CRuby.
fn data_type(ec: &Ec, value: Value) -> c_int {
    let known = ec.vm().known();
    if ec.is_a(value, known.io) {
        0x0b
    } else if ec.is_a(value, known.regexp) {
        0x06
    } else if ec.is_a(value, known.match_data) {
        0x0d
    } else {
        0x0c
    }
}

fn special_type(value: Value) -> c_int {
    match value {
        Value::NIL => 0x11,
        Value::TRUE => 0x12,
        Value::FALSE => 0x13,
        Value::UNDEF => 0x16,
        _ if value.is_fixnum() => 0x15,
        _ if value.is_flonum() => 0x04,
        _ => 0x14,
    }
}

fn type_name(number: c_int) -> &'static str {
    const NAMES: [(c_int, &str); 19] = [
        (0x01, "Object"),
        (0x02, "Class"),
        (0x03, "Module"),
        (0x04, "Float"),
        (0x05, "String"),
        (0x06, "Regexp"),
        (0x07, "Array"),
        (0x08, "Hash"),
        (0x09, "Struct"),
        (0x0a, "Integer"),
        (0x0b, "File"),
        (0x0c, "Data"),
        (0x0d, "MatchData"),
        (0x0e, "Complex"),
        (0x0f, "Rational"),
        (0x11, "nil"),
        (0x12, "true"),
        (0x13, "false"),
        (0x14, "Symbol"),
    ];
    NAMES.iter().find(|(known, _)| *known == number).map_or("Integer", |(_, name)| name)
}

/// `convert_type`: what a method of the value gives, which must be of a type.
fn convert(ec: &mut Ec, value: Value, wanted: c_int, name: Text, method: Text, is_strict: bool) -> Result {
    // What only tries to convert does so with all structs of C code.
    if type_number(ec, value) == wanted && (is_strict || !crate::data::is_cdata(value)) {
        return Ok(value);
    }
    let symbol = method.symbol(ec);
    let made = match ec.call_if_responds(value, symbol, &[])? {
        Some(made) => made,
        None if !is_strict => return Ok(Value::NIL),
        None => return Err(no_conversion(ec, value, &name.lossy(), &method.lossy())),
    };
    if made.is_nil() && !is_strict {
        return Ok(Value::NIL);
    }
    if type_number(ec, made) == wanted {
        return Ok(made);
    }
    let (class, given) = (ec.class_of(value).real().to_text(ec), ec.class_of(made).real().to_text(ec));
    let (name, method) = (name.lossy(), method.lossy());
    Err(ec.type_error(&format!("can't convert {class} to {name} ({class}#{method} gives {given})")))
}

fn no_conversion(ec: &mut Ec, value: Value, name: &str, method: &str) -> carat_vm::Unwind {
    let is_implicit = ["to_int", "to_ary", "to_str", "to_sym", "to_hash", "to_proc", "to_io"].contains(&method);
    if is_implicit {
        return ec.no_implicit_conversion(value, name);
    }
    let shown = ec.describe_for_type_error(value);
    ec.type_error(&format!("can't convert {shown} into {name}"))
}

fn instance(ec: &mut Ec, class: Value, args: &[Value], keywords: i32) -> Result {
    let class_class = ec.vm().known().class;
    // Where C code replaced `new`, that is what asks for the instance, most likely.
    if ec.responds_with(class, sym::NEW, class_class)
        || crate::method::is_replaced(ec, class, sym::NEW)
        || ec.find_method(class, sym::NEW).is_none()
    {
        return initialized(ec, class, args, keywords);
    }
    let block = own_block(ec);
    let block = as_block(ec, block)?;
    call_passing(ec, class, sym::NEW, args, block, keywords)
}

/// What `Class#new` does.
fn initialized(ec: &mut Ec, class: Value, args: &[Value], keywords: i32) -> Result {
    let class = crate::boundary::class(ec, class)?;
    let object = ec.allocate(class)?;
    call_init(ec, object, args, keywords)?;
    Ok(object)
}

/// Freezes as Kernel does, whatever the object's class has, and the singleton class that it may have.
fn freeze(ec: &Ec, object: Value) {
    ec.freeze(object);
    let class = ec.class_of(object);
    if class.is_singleton() && class.attached() == object {
        ec.freeze(class.value());
    }
}

fn text(ec: &Ec, text: Text) -> Value {
    Str::new(ec, text.bytes(), EncodingIndex::UTF_8, CodeRange::Unknown).value()
}

api! {
    fn rb_builtin_type(ec, value: Value) -> i32 {
        type_number(ec, value)
    }

    fn rb_check_type(ec, value: Value, wanted: i32) -> Result<()> {
        let is_it = type_number(ec, value) == wanted && (wanted != 0x0c || !is_typed(value));
        if is_it {
            return Ok(());
        }
        let shown = ec.describe_for_type_error(value);
        Err(ec.type_error(&format!("wrong argument type {shown} (expected {})", type_name(wanted))))
    }

    fn rb_unexpected_type(ec, value: Value, wanted: i32) -> Result<()> {
        let shown = ec.describe_for_type_error(value);
        Err(ec.type_error(&format!("wrong argument type {shown} (expected {})", type_name(wanted))))
    }

    fn rb_obj_memsize_of(ec, object: Value) -> usize {
        ec.memsize_of(object)
    }

    fn rb_obj_alloc(ec, class: Value) -> Result {
        let class = crate::boundary::class(ec, class)?;
        ec.collect_if_due();
        ec.allocate(class)
    }

    fn rb_class_new_instance(ec, count: i32, list: *const CValue, class: Value) -> Result {
        instance(ec, class, values(count.into(), list, &mut Room::new()), 0)
    }

    fn rb_class_new_instance_kw(ec, count: i32, list: *const CValue, class: Value, keywords: i32) -> Result {
        instance(ec, class, values(count.into(), list, &mut Room::new()), keywords)
    }

    fn rb_class_new_instance_pass_kw(ec, count: i32, list: *const CValue, class: Value) -> Result {
        let keywords = i32::from(crate::method::is_given_keywords());
        instance(ec, class, values(count.into(), list, &mut Room::new()), keywords)
    }

    fn rb_obj_call_init(ec, object: Value, count: i32, list: *const CValue) -> Result<()> {
        call_init(ec, object, values(count.into(), list, &mut Room::new()), 0)
    }

    fn rb_obj_call_init_kw(ec, object: Value, count: i32, list: *const CValue, keywords: i32) -> Result<()> {
        call_init(ec, object, values(count.into(), list, &mut Room::new()), keywords)
    }

    fn rb_obj_freeze(ec, object: Value) -> Value {
        freeze(ec, object);
        object
    }

    fn rb_obj_frozen_p(ec, object: Value) -> Truth {
        Truth(!object.is_heap() || ec.is_frozen(object))
    }

    fn rb_obj_is_kind_of(ec, object: Value, class: Value) -> Result<Truth> {
        let class = crate::boundary::class(ec, class)?;
        Ok(Truth(ec.is_a(object, class)))
    }

    fn rb_obj_is_instance_of(ec, object: Value, class: Value) -> Result<Truth> {
        let class = crate::boundary::class(ec, class)?;
        Ok(Truth(ec.class_of(object).real() == class))
    }

    fn rb_obj_is_method(ec, object: Value) -> Truth {
        let known = ec.vm().known();
        Truth(ec.is_a(object, known.method) || ec.is_a(object, known.unbound_method))
    }

    fn rb_obj_is_fiber(ec, object: Value) -> Truth {
        Truth(ec.is_a(object, ec.vm().known().fiber))
    }

    fn rb_method_call(ec, count: i32, list: *const CValue, method: Value) -> Result {
        ec.call(method, sym::CALL, values(count.into(), list, &mut Room::new()))
    }

    fn rb_obj_as_string(ec, object: Value) -> Result<Str> {
        ec.to_s(object)
    }

    fn rb_any_to_s(ec, object: Value) -> Str {
        ec.any_to_s(object)
    }

    fn rb_inspect(ec, object: Value) -> Result<Str> {
        ec.inspect(object)
    }

    fn rb_equal(ec, a: Value, b: Value) -> Result<Truth> {
        Ok(Truth(a == b || ec.equal(a, b)?))
    }

    fn rb_eql(ec, a: Value, b: Value) -> Result<bool> {
        Ok(a == b || ec.call(a, sym::EQL, &[b])?.truthy())
    }

    fn rb_hash(ec, object: Value) -> Result {
        let hash = ec.call(object, sym::HASH, &[])?;
        let hash = ec.to_int(hash)?;
        match ec.bignum_of(hash) {
            Some(large) => Ok(Value::fixnum_unchecked(large.iter_u64_digits().next().unwrap_or(0) as i64 >> 2)),
            None => Ok(hash),
        }
    }

    fn rb_cmpint(ec, result: Value, a: Value, b: Value) -> Result<i32> {
        Ok(ec.compare_result(result, a, b)? as i32)
    }

    fn rb_cmperr(ec, a: Value, b: Value) -> Result<()> {
        Err(ec.comparison_failed(a, b))
    }

    fn rb_respond_to(ec, object: Value, name: Id) -> Result<bool> {
        ec.respond_to(object, name.0, false)
    }

    fn rb_obj_respond_to(ec, object: Value, name: Id, includes_private: i32) -> Result<bool> {
        ec.respond_to(object, name.0, includes_private != 0)
    }

    fn rb_obj_init_copy(ec, object: Value, original: Value) -> Result {
        crate::boundary::kernel_method(ec, object, sym::INITIALIZE_COPY, &[original])?;
        Ok(object)
    }

    fn rb_obj_instance_eval(ec, count: i32, list: *const CValue, object: Value) -> Result {
        let block = own_block(ec);
        let block = as_block(ec, block)?;
        call_passing(ec, object, sym::INSTANCE_EVAL, values(count.into(), list, &mut Room::new()), block, 0)
    }

    fn rb_obj_instance_exec(ec, count: i32, list: *const CValue, object: Value) -> Result {
        let block = own_block(ec);
        let block = as_block(ec, block)?;
        let mut room = Room::new();
        let list = values(count.into(), list, &mut room);
        call_passing(ec, object, name!(ec, "instance_exec"), list, block, 0)
    }

    fn rb_convert_type(ec, value: Value, wanted: i32, name: Text, method: Text) -> Result {
        convert(ec, value, wanted, name, method, true)
    }

    fn rb_check_convert_type(ec, value: Value, wanted: i32, name: Text, method: Text) -> Result {
        convert(ec, value, wanted, name, method, false)
    }

    fn rb_check_to_integer(ec, value: Value, method: Text) -> Result {
        if ec.is_integer(value) {
            return Ok(value);
        }
        let symbol = method.symbol(ec);
        let made = ec.call_if_responds(value, symbol, &[])?.unwrap_or(Value::NIL);
        Ok(if ec.is_integer(made) { made } else { Value::NIL })
    }

    fn rb_check_to_int(ec, value: Value) -> Result {
        if ec.is_integer(value) {
            return Ok(value);
        }
        let made = ec.call_if_responds(value, sym::TO_INT, &[])?.unwrap_or(Value::NIL);
        Ok(if ec.is_integer(made) { made } else { Value::NIL })
    }

    fn rb_check_to_float(ec, value: Value) -> Result {
        if !ec.is_a(value, ec.vm().known().numeric) {
            return Ok(Value::NIL);
        }
        let float = ec.to_float(value)?;
        Ok(ec.float(float))
    }

    fn rb_to_int(ec, value: Value) -> Result {
        ec.to_int(value)
    }

    fn rb_to_float(ec, value: Value) -> Result {
        let float = ec.to_float(value)?;
        Ok(ec.float(float))
    }

    fn rb_Integer(ec, value: Value) -> Result {
        kernel_call(ec, name!(ec, "Integer"), &[value])
    }

    fn rb_Float(ec, value: Value) -> Result {
        kernel_call(ec, name!(ec, "Float"), &[value])
    }

    fn rb_String(ec, value: Value) -> Result {
        kernel_call(ec, name!(ec, "String"), &[value])
    }

    fn rb_Array(ec, value: Value) -> Result {
        kernel_call(ec, name!(ec, "Array"), &[value])
    }

    fn rb_Hash(ec, value: Value) -> Result {
        kernel_call(ec, name!(ec, "Hash"), &[value])
    }

    fn rb_eval_string(ec, code: Text) -> Result {
        eval(ec, code)
    }

    fn rb_eval_string_protect(ec, code: Text, state: *mut i32) -> CValue {
        match eval(ec, code) {
            Ok(value) => {
                crate::boundary::store(state, 0);
                CValue::of(value)
            }
            Err(_) => {
                crate::error::hold(ec, state);
                CValue::of(Value::NIL)
            }
        }
    }

    fn rb_eval_string_wrap(ec, code: Text, state: *mut i32) -> CValue {
        match eval(ec, code) {
            Ok(value) => CValue::of(value),
            Err(_) => {
                crate::error::hold(ec, state);
                CValue::of(Value::NIL)
            }
        }
    }

    fn rb_eval_cmd_kw(ec, command: Value, list: Value, keywords: i32) -> Result {
        if Str::from_value(command).is_some() {
            let binding = ec.global(name!(ec, "$TOPLEVEL_BINDING")).unwrap_or(Value::NIL);
            let _ = binding;
            return ec.call(ec.vm().main_object(), name!(ec, "eval"), &[command]);
        }
        let list = ec.to_ary(list)?;
        let args: Box<[Value]> = list.slice_of(ec).into();
        let result = call_passing(ec, command, sym::CALL, &args, None, keywords);
        std::hint::black_box(list);
        result
    }

    fn rb_require(ec, feature: Text) -> Result {
        let feature = text(ec, feature);
        ec.call(ec.vm().main_object(), name!(ec, "require"), &[feature])
    }

    fn rb_require_string(ec, feature: Value) -> Result {
        ec.call(ec.vm().main_object(), name!(ec, "require"), &[feature])
    }

    fn rb_f_require(ec, _this: Value, feature: Value) -> Result {
        ec.call(ec.vm().main_object(), name!(ec, "require"), &[feature])
    }

    fn rb_load(ec, path: Value, wrap: i32) -> Result<()> {
        kernel_call(ec, name!(ec, "load"), &[path, Value::bool(wrap != 0)]).map(drop)
    }

    fn rb_load_protect(ec, path: Value, wrap: i32, state: *mut i32) {
        match kernel_call(ec, name!(ec, "load"), &[path, Value::bool(wrap != 0)]) {
            Ok(_) => crate::boundary::store(state, 0),
            Err(_) => crate::error::hold(ec, state),
        }
    }

    fn rb_provide(ec, feature: Text) -> Result<()> {
        let list = ec.global(name!(ec, "$LOADED_FEATURES"))?;
        let feature = text(ec, feature);
        ec.call(list, name!(ec, "push"), &[feature]).map(drop)
    }

    fn rb_provided(ec, feature: Text) -> Result<bool> {
        let list = ec.global(name!(ec, "$LOADED_FEATURES"))?;
        let feature = text(ec, feature);
        Ok(ec.call(list, sym::INCLUDE_P, &[feature])?.truthy())
    }

    fn rb_feature_provided(ec, feature: Text, _loading: *mut *const u8) -> Result<bool> {
        let list = ec.global(name!(ec, "$LOADED_FEATURES"))?;
        let feature = text(ec, feature);
        Ok(ec.call(list, sym::INCLUDE_P, &[feature])?.truthy())
    }

    fn rb_marshal_dump(ec, object: Value, io: Value) -> Result {
        let marshal = crate::boundary::constant(ec, "Marshal")?;
        let args = [object, io];
        ec.call(marshal, name!(ec, "dump"), if io.is_nil() { &args[..1] } else { &args })
    }

    fn rb_marshal_load(ec, source: Value) -> Result {
        let marshal = crate::boundary::constant(ec, "Marshal")?;
        ec.call(marshal, name!(ec, "load"), &[source])
    }

    fn rb_binding_new(ec) -> Result {
        kernel_call(ec, name!(ec, "binding"), &[])
    }
}

calls! {
    rb_obj_clone(object) => "clone";
    rb_obj_dup(object) => "dup";
    rb_obj_id(object) => "object_id";
    rb_memory_id(object) => "object_id";
    rb_obj_method(object, name) => "method";
}

/// Whether C code has no business with the struct of an object of type `T_DATA` unless it knows its type.
fn is_typed(value: Value) -> bool {
    let data = carat_vm::foreign::CData::from_value(value);
    // SAFETY: the object is an RCData.
    data.is_none_or(|data| unsafe { (*data.raw()).free_or_flag } == carat_layout::RCData::TYPED)
}

fn call_init(ec: &mut Ec, object: Value, args: &[Value], keywords: i32) -> Result<()> {
    let block = own_block(ec);
    let block = as_block(ec, block)?;
    call_passing(ec, object, sym::INITIALIZE, args, block, keywords).map(drop)
}

/// Evaluates in the main object, as the program's own file is.
fn eval(ec: &mut Ec, code: Text) -> Result {
    let code = text(ec, code);
    let binding = crate::boundary::constant(ec, "TOPLEVEL_BINDING")?;
    ec.call(binding, name!(ec, "eval"), &[code])
}
