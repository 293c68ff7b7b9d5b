//! What `require "objspace"` adds: the native half of `lib/objspace.rb`.

use super::dump::{self, Output, Texts};
use super::kinds;
use crate::system::io::{self, IoRef};
use carat_vm::recorder::Allocation;
use carat_vm::{
    Array, Block, Class, CodeRange, Data, Ec, EncodingIndex, Hash, NativeData, Result, Str, Value, methods,
};
use std::collections::BTreeMap;

methods! {
    METHODS {
        module_function "memsize_of" => memsize_of;
        module_function "memsize_of_all" => memsize_of_all;
        module_function "count_objects_size" => count_objects_size;
        module_function "count_symbols" => count_symbols;
        module_function "count_tdata_objects" => count_tdata_objects;
        module_function "count_imemo_objects" => count_imemo_objects;
        module_function "count_nodes" => count_nodes;
        module_function "reachable_objects_from" => reachable_objects_from;
        module_function "reachable_objects_from_root" => reachable_objects_from_root;
        module_function "internal_class_of" => internal_class_of;
        module_function "internal_super_of" => internal_super_of;
        module_function "trace_object_allocations" => trace;
        module_function "trace_object_allocations_start" => trace_start;
        module_function "trace_object_allocations_stop" => trace_stop;
        module_function "trace_object_allocations_clear" => trace_clear;
        module_function "trace_object_allocations_debug_start" => trace_start;
        module_function "allocation_sourcefile" => allocation_sourcefile;
        module_function "allocation_sourceline" => allocation_sourceline;
        module_function "allocation_class_path" => allocation_class_path;
        module_function "allocation_method_id" => allocation_method_id;
        module_function "allocation_generation" => allocation_generation;
        module_function "_dump" => dump_object;
        module_function "_dump_all" => dump_all;
        module_function "_dump_shapes" => dump_shapes;
    }
}

methods! {
    WRAPPER {
        "type" => wrapped_type;
        "inspect" => wrapped_inspect;
        "internal_object_id" => wrapped_id;
    }
}

/// Stands for an object that programs may not touch.
struct InternalObject(Value);

impl NativeData for InternalObject {
    const NAME: &'static str = "ObjectSpace::InternalObjectWrapper";

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.0);
    }
}

/// The class of the wrappers.
#[derive(Default)]
struct WrapperClass(carat_sync::OnceLock<Class>);

/// `require "objspace.so"`
pub(crate) fn init(ec: &mut Ec) {
    let object_space = ec.vm().known().object_space;
    object_space.define_methods(ec, METHODS);
    let class = ec.new_class(ec.vm().known().object);
    class.set_allocator(None);
    class.define_methods(ec, WRAPPER);
    object_space.set_constant(ec, ec.vm().intern("InternalObjectWrapper"), class.value());
    let _ = ec.vm().extension::<WrapperClass>().0.set(class);
}

// ---- sizes and counts ----

fn memsize_of(ec: &mut Ec, _this: Value, object: Value) -> usize {
    ec.memsize_of(object)
}

/// Sizes of all objects, or of those of a class, together.
fn memsize_of_all(ec: &mut Ec, _this: Value, class: Option<Value>) -> Result<usize> {
    let wanted = match class.filter(|c| !c.is_nil()) {
        None => None,
        Some(class) => match Class::from_value(class) {
            Some(class) => Some(class),
            None => return Err(ec.wrong_type(class, "Class")),
        },
    };
    let mut total = 0;
    ec.each_object_everywhere(&mut |ec, _, object| {
        let is_wanted = wanted.is_none_or(|w| !kinds::is_internal(object) && ec.is_a(object, w));
        total += if is_wanted { ec.memsize_of(object) } else { 0 };
    });
    Ok(total)
}

/// Fills the hash that was given, or a new one, with figures by name.
fn filled(ec: &mut Ec, result: Option<Value>, figures: &[(String, usize)]) -> Result<Hash> {
    let hash = super::counted_in(ec, result)?;
    for (name, figure) in figures {
        let (name, figure) = (ec.vm().intern(name), Value::len(*figure));
        hash.set_symbol(ec, name, figure);
    }
    Ok(hash)
}

/// Sums `figure` by what `name` says of each object; objects without a name are left out.
fn summed(ec: &mut Ec, name: fn(Value) -> Option<String>, figure: fn(&Ec, Value) -> usize) -> Vec<(String, usize)> {
    let mut sums: BTreeMap<String, usize> = BTreeMap::new();
    ec.each_object_everywhere(&mut |ec, _, object| {
        if let Some(name) = name(object) {
            *sums.entry(name).or_default() += figure(ec, object);
        }
    });
    sums.into_iter().collect()
}

fn count_objects_size(ec: &mut Ec, _this: Value, result: Option<Value>) -> Result<Hash> {
    let mut sums = summed(ec, |object| Some(kinds::long_type_name(object)), Ec::memsize_of);
    let total = sums.iter().map(|(_, bytes)| bytes).sum();
    sums.push(("TOTAL".into(), total));
    filled(ec, result, &sums)
}

/// Symbols are never collected.
fn count_symbols(ec: &mut Ec, _this: Value, result: Option<Value>) -> Result<Hash> {
    let count = ec.vm().symbol_count() as usize;
    let figures = [
        ("mortal_dynamic_symbol", 0),
        ("immortal_dynamic_symbol", 0),
        ("immortal_static_symbol", count),
        ("immortal_symbol", count),
    ];
    filled(ec, result, &figures.map(|(name, figure)| (name.to_string(), figure)))
}

fn count_tdata_objects(ec: &mut Ec, _this: Value, result: Option<Value>) -> Result<Hash> {
    let sums = summed(ec, |object| kinds::struct_name(object).map(String::from), |_, _| 1);
    filled(ec, result, &sums)
}

fn count_imemo_objects(ec: &mut Ec, _this: Value, result: Option<Value>) -> Result<Hash> {
    let sums = summed(ec, |object| kinds::imemo_name(object).map(|name| format!("imemo_{name}")), |_, _| 1);
    filled(ec, result, &sums)
}

/// Syntax trees are no objects.
fn count_nodes(ec: &mut Ec, _this: Value, result: Option<Value>) -> Result<Hash> {
    filled(ec, result, &[])
}

// ---- references ----

/// An object that programs may touch is itself, another one is wrapped.
fn presentable(ec: &Ec, object: Value) -> Value {
    if !kinds::is_internal(object) {
        return object;
    }
    match ec.vm().extension::<WrapperClass>().0.get() {
        Some(class) => Data::new(ec, *class, InternalObject(object)).value(),
        None => Value::NIL,
    }
}

/// The references of an object, each once, its class among them.
fn reachable_objects_from(ec: &mut Ec, _this: Value, object: Value) -> Value {
    if object.header().is_none() {
        return Value::NIL;
    }
    let found = Array::new(ec, 0);
    ec.references_of(object, &mut |value| {
        if !found.slice_of(ec).contains(&value) {
            found.push(ec, value);
        }
    });
    wrap_internal(ec, found);
    found.value()
}

fn wrap_internal(ec: &Ec, list: Array) {
    for index in 0..list.len(ec) {
        let object = list.at(ec, index);
        list.set(ec, index, presentable(ec, object));
    }
}

/// What the VM, the Ractor and the stacks refer to: categories and arrays.
fn reachable_objects_from_root(ec: &mut Ec, _this: Value) -> Hash {
    let result = Hash::new(ec);
    for category in ["vm", "ractor", "machine_context"] {
        let found = Array::new(ec, 0);
        ec.each_root(&mut |name, value| {
            if name == category && value.header().is_some() {
                found.push(ec, value);
            }
        });
        wrap_internal(ec, found);
        let name = ec.fstring(category.as_bytes(), EncodingIndex::UTF_8);
        if result.set(ec, name.value(), found.value()).is_err() {
            break;
        }
    }
    result
}

/// The class that method calls look in first.
fn internal_class_of(ec: &mut Ec, _this: Value, object: Value) -> Value {
    match Data::<InternalObject>::from_value(object).map(|d| d.get(ec).0) {
        Some(internal) => ec.class_of(internal).value(),
        None if object.header().is_none() => Value::NIL,
        None => ec.class_of(object).value(),
    }
}

fn internal_super_of(ec: &mut Ec, _this: Value, class: Value) -> Result {
    match Class::from_value(class) {
        Some(class) => Ok(class.superclass().map_or(Value::NIL, Class::value)),
        None => Err(ec.argument_error("class or module is expected")),
    }
}

fn wrapped_type(ec: &mut Ec, this: Data<InternalObject>) -> Value {
    let name = kinds::long_type_name(this.get(ec).0);
    Value::symbol(ec.vm().intern(&name))
}

fn wrapped_inspect(ec: &mut Ec, this: Data<InternalObject>) -> Str {
    let object = this.get(ec).0;
    let name = kinds::imemo_name(object).or_else(|| kinds::struct_name(object)).unwrap_or("?");
    Str::from_text(ec, &format!("#<InternalObject:{:#x} {} {name}>", object.bits(), kinds::long_type_name(object)))
}

fn wrapped_id(ec: &mut Ec, this: Data<InternalObject>) -> i64 {
    this.get(ec).0.bits() as i64
}

// ---- where objects were made ----

/// Records while the block runs. What was recorded stays.
fn trace(ec: &mut Ec, _this: Value, block: Option<Block>) -> Result {
    let Some(block) = block else { return Err(ec.local_jump_error("no block given (yield)", "noreason", Value::NIL)) };
    ec.start_recording();
    let result = ec.yield_block(block, &[]);
    ec.stop_recording();
    result
}

fn trace_start(ec: &mut Ec, _this: Value) {
    ec.start_recording();
}

fn trace_stop(ec: &mut Ec, _this: Value) {
    ec.stop_recording();
}

fn trace_clear(ec: &mut Ec, _this: Value) {
    ec.clear_recording();
}

fn allocation(ec: &mut Ec, object: Value) -> Option<Allocation> {
    ec.allocation_of(object)
}

fn text_or_nil(ec: &Ec, text: Option<&str>) -> Value {
    text.map_or(Value::NIL, |text| Str::from_text(ec, text).value())
}

fn allocation_sourcefile(ec: &mut Ec, _this: Value, object: Value) -> Value {
    let found = allocation(ec, object);
    text_or_nil(ec, found.as_ref().map(|a| &*a.site.path))
}

fn allocation_sourceline(ec: &mut Ec, _this: Value, object: Value) -> Value {
    allocation(ec, object).map_or(Value::NIL, |a| ec.int(i64::from(a.site.line)))
}

fn allocation_class_path(ec: &mut Ec, _this: Value, object: Value) -> Value {
    let found = allocation(ec, object);
    text_or_nil(ec, found.as_ref().and_then(|a| a.site.class_path.as_deref()))
}

fn allocation_method_id(ec: &mut Ec, _this: Value, object: Value) -> Value {
    allocation(ec, object).and_then(|a| a.site.method).map_or(Value::NIL, Value::symbol)
}

fn allocation_generation(ec: &mut Ec, _this: Value, object: Value) -> Value {
    allocation(ec, object).map_or(Value::NIL, |a| ec.int(i64::from(a.generation)))
}

// ---- dumps ----

/// Where a dump goes: a string, or a stream whose own buffer is emptied first.
fn output(ec: &mut Ec, into: Value) -> Result<Output> {
    let Some(stream) = IoRef::from_value(into) else { return Ok(Output::new(None)) };
    io::check_open(ec, stream)?;
    io::check_writable(ec, stream)?;
    io::flush(ec, stream)?;
    let fd = stream.get(ec).write_fd();
    Ok(Output::new(Some(fd)))
}

/// Ends a dump: the stream, or the string with the text.
fn finished(ec: &mut Ec, into: Value, output: Output) -> Result {
    let text = match output.finish() {
        Ok(text) => text,
        Err(error) => return Err(crate::system::errno::errno_bare(ec, &error)),
    };
    if let Some(string) = Str::from_value(into) {
        string.push_bytes_with(ec, &text, CodeRange::Unknown);
    }
    Ok(into)
}

fn texts(hashes: Value) -> Texts {
    if hashes.truthy() { Texts::Hashed } else { Texts::Plain }
}

fn dump_object(ec: &mut Ec, _this: Value, object: Value, into: Value, hashes: Value) -> Result {
    let mut output = output(ec, into)?;
    let (allocation, ractor) = (ec.allocation_of(object), ec.ractor().id);
    output.push(&dump::object(ec, object, ractor, allocation, texts(hashes)));
    finished(ec, into, output)
}

/// Generation or shape number from which on things are wanted; nil and false: none is given.
fn number_from(ec: &mut Ec, value: Value) -> Result<Option<u64>> {
    if !value.truthy() {
        return Ok(None);
    }
    let number = ec.to_long(value)?;
    match u64::try_from(number) {
        Ok(number) => Ok(Some(number)),
        Err(_) => Err(ec.range_error("negative number")),
    }
}

fn dump_all(ec: &mut Ec, _this: Value, into: Value, full: Value, since: Value, shapes: Value, hashes: Value) -> Result {
    let (since, shapes) = (number_from(ec, since)?, number_from(ec, shapes)?);
    let mut output = output(ec, into)?;
    // The string that the dump becomes is no part of it; a stream is an object like others.
    let text = Str::from_value(into).map_or(Value::NIL, Str::value);
    if since.unwrap_or(0) == 0 {
        dump_roots(ec, &mut output);
    }
    if let Some(from) = shapes {
        each_shape(ec, from, &mut output);
    }
    ec.each_object_everywhere(&mut |ec, ractor, object| {
        let allocation = ec.own_allocation_of(object);
        let is_wanted = since.is_none_or(|s| allocation.as_ref().is_some_and(|a| u64::from(a.generation) >= s));
        if is_wanted && object != text {
            output.push(&dump::object(ec, object, ractor, allocation, texts(hashes)));
        }
    });
    if full == Value::TRUE {
        ec.heap().each_free_slot(&mut |address, bytes| output.push(&dump::free_slot(address, bytes)));
    }
    finished(ec, into, output)
}

fn dump_roots(ec: &Ec, output: &mut Output) {
    let mut last = None;
    ec.each_root(&mut |category, value| {
        if value.header().is_none() {
            return;
        }
        let address = dump::address(value);
        if last == Some(category) {
            return output.push(&format!(", {address}"));
        }
        let end = if last.is_some() { "]}\n" } else { "" };
        output.push(&format!("{end}{{\"type\":\"ROOT\", \"root\":\"{category}\", \"references\":[{address}"));
        last = Some(category);
    });
    if last.is_some() {
        output.push("]}\n");
    }
}

fn each_shape(ec: &Ec, from: u64, output: &mut Output) {
    let count = u64::from(ec.vm().shapes.len());
    let used =
        (from.max(1)..count).map(|number| number as u32).filter(|n| ec.vm().shapes.is_used(carat_vm::ShapeId(*n)));
    for number in used {
        output.push(&dump::shape(ec, number));
    }
}

fn dump_shapes(ec: &mut Ec, _this: Value, into: Value, since: Value) -> Result {
    let from = number_from(ec, since)?;
    let mut output = output(ec, into)?;
    if let Some(from) = from {
        each_shape(ec, from, &mut output);
    }
    finished(ec, into, output)
}
