//! `ObjectSpace` and `GC`.
//!
//! # Not here
//! `ObjectSpace::WeakMap` and `WeakKeyMap`: see `core/object_space.rb`.

use carat_vm::{
    Array, Block, Class, Ec, Hash, HeapType, Keywords, Proc, Result, SymbolId, Value, methods, primitives, sym,
};
use std::sync::atomic::{AtomicBool, Ordering};

methods! {
    OBJECT_SPACE {
        module_function "each_object" => each_object;
        module_function "garbage_collect" => start;
        module_function "count_objects" => count_objects;
        module_function "define_finalizer" => define_finalizer;
        module_function "undefine_finalizer" => undefine_finalizer;
    }
    GC {
        static "start" => start;
        "garbage_collect" => start;
        static "enable" => enable;
        static "disable" => disable;
        static "stress" => stress;
        static "stress=" => set_stress;
        static "count" => count;
        static "stat" => stat;
        static "compact" => compact;
        static "auto_compact" => auto_compact;
        static "auto_compact=" => compact_with;
        static "verify_compaction_references" => compact;
        static "measure_total_time" => measures_time;
        static "measure_total_time=" => set_measures_time;
        static "total_time" => total_time;
        static "config" => config;
    }
}

primitives! {
    PRIMITIVES {}
}

/// What a program asked of the collector.
#[derive(Default)]
struct Wishes {
    stress: AtomicBool,
    no_time: AtomicBool,
}

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    ec.define_methods(known.object_space, OBJECT_SPACE);
    ec.define_methods(known.gc, GC);
    let internal = Hash::new(ec);
    known.gc.set_constant(ec, ec.vm().intern("INTERNAL_CONSTANTS"), internal.value());
    let options = Array::new(ec, 0);
    known.gc.set_constant(ec, ec.vm().intern("OPTS"), options.value());
}

// ---- ObjectSpace ----

/// Whether programs can meet objects of a type.
fn is_visible(kind: HeapType) -> bool {
    !matches!(
        kind,
        HeapType::Free
            | HeapType::IClass
            | HeapType::Env
            | HeapType::MethodEntry
            | HeapType::Code
            | HeapType::Cref
            | HeapType::Throw
    )
}

fn is_internal(ec: &Ec, object: Value) -> bool {
    let hidden = carat_vm::Data::<carat_vm::backtrace::Backtrace>::from_value(object).is_some();
    hidden || Class::from_value(object).is_some_and(|c| c.is_singleton()) || ec.class_of(object).to_text(ec).is_empty()
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

fn living(ec: &Ec, wanted: Option<Class>) -> Array {
    // No page is added to what is walked: the list has room for everything before it is filled.
    let mut count = 0;
    ec.heap().each_object(&mut |_| count += 1);
    let found = Array::new(ec, count + 64);
    ec.heap().each_object(&mut |object| {
        let kind = object.header().map_or(HeapType::Free, |h| h.heap_type());
        let is_wanted = is_visible(kind)
            && is_own(ec, object)
            && object != found.value()
            && !is_internal(ec, object)
            && wanted.is_none_or(|w| ec.is_a(object, w));
        if is_wanted {
            found.push(ec, object);
        }
    });
    found
}

fn type_name(kind: HeapType) -> &'static str {
    match kind {
        HeapType::Object => "T_OBJECT",
        HeapType::Class => "T_CLASS",
        HeapType::Module => "T_MODULE",
        HeapType::Float => "T_FLOAT",
        HeapType::String => "T_STRING",
        HeapType::Regexp => "T_REGEXP",
        HeapType::Array => "T_ARRAY",
        HeapType::Hash => "T_HASH",
        HeapType::Struct | HeapType::Range => "T_STRUCT",
        HeapType::Bignum => "T_BIGNUM",
        HeapType::Data | HeapType::Proc => "T_DATA",
        HeapType::Match => "T_MATCH",
        HeapType::Complex => "T_COMPLEX",
        HeapType::Rational => "T_RATIONAL",
        HeapType::IClass => "T_ICLASS",
        HeapType::Free => "FREE",
        HeapType::Env | HeapType::MethodEntry | HeapType::Code | HeapType::Cref | HeapType::Throw => "T_IMEMO",
    }
}

/// `{TOTAL: slots, FREE: …, T_OBJECT: …}`
fn count_objects(ec: &mut Ec, _this: Value, result: Option<Hash>) -> Hash {
    let result = result.unwrap_or_else(|| Hash::new(ec));
    let mut counts: Vec<(&'static str, i64)> = Vec::new();
    ec.heap().each_object(&mut |object| {
        let name = type_name(object.header().map_or(HeapType::Free, |h| h.heap_type()));
        match counts.iter_mut().find(|(n, _)| *n == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
    });
    let stats = ec.heap().stats();
    let total: usize = stats.pools.iter().map(|p| p.slots).sum();
    let used: i64 = counts.iter().map(|(_, n)| n).sum();
    let ends = [("TOTAL", total as i64), ("FREE", total as i64 - used)];
    for (name, count) in ends.into_iter().chain(counts) {
        let (name, count) = (ec.vm().intern(name), ec.int(count));
        result.set_symbol(ec, name, count);
    }
    result
}

/// Finalizers by object id, in a hidden field of `ObjectSpace`; they run when the program ends.
fn finalizers(ec: &mut Ec) -> Hash {
    let name = ec.vm().intern("@__finalizers");
    if !ec.ractor().is_main() {
        return finalizers_of_ractor(ec, name);
    }
    let module = ec.vm().known().object_space.value();
    if let Some(hash) = ec.field(module, name).and_then(Hash::from_value) {
        return hash;
    }
    let hash = Hash::new(ec);
    ec.set_field(module, name, hash.value());
    hash
}

/// Those of another Ractor than the main one: they are its own, and end with it.
fn finalizers_of_ractor(ec: &mut Ec, name: SymbolId) -> Hash {
    let locals = ec.ractor_locals();
    if let Some(hash) = locals.get_symbol(ec, name).and_then(Hash::from_value) {
        return hash;
    }
    let hash = Hash::new(ec);
    locals.set_symbol(ec, name, hash.value());
    hash
}

fn define_finalizer(
    ec: &mut Ec,
    _this: Value,
    object: Value,
    callable: Option<Value>,
    block: Option<Block>,
) -> Result<Array> {
    let callable = match (callable, block) {
        (Some(callable), _) => callable,
        (None, Some(block)) => ec.block_to_proc(block).value(),
        (None, None) => return Err(ec.argument_error("tried to create Proc object without a block")),
    };
    if !ec.respond_to(callable, sym::CALL, true)? {
        let class = ec.class_of(callable).real().to_text(ec);
        return Err(ec.argument_error(&format!("wrong type argument {class} (should be callable)")));
    }
    if !object.is_heap() {
        let class = ec.class_of(object).real().to_text(ec);
        return Err(ec.argument_error(&format!("cannot define finalizer for {class}")));
    }
    if ec.is_frozen(object) {
        return Err(ec.frozen_error(object));
    }
    let id = ec.call(object, sym::OBJECT_ID, &[])?;
    let table = finalizers(ec);
    let list = match table.get(ec, id)?.and_then(Array::from_value) {
        Some(list) => list,
        None => {
            let list = Array::new(ec, 1);
            table.set(ec, id, list.value())?;
            list
        }
    };
    list.push(ec, callable);
    Ok(Array::pair(ec, Value::fixnum_unchecked(0), callable))
}

fn undefine_finalizer(ec: &mut Ec, _this: Value, object: Value) -> Result {
    let id = ec.call(object, sym::OBJECT_ID, &[])?;
    let table = finalizers(ec);
    table.delete(ec, id)?;
    Ok(object)
}

/// Runs all finalizers: the program has ended. What they raise has nobody to hear of it.
pub(crate) fn run_finalizers(ec: &mut Ec) {
    let table = finalizers(ec);
    let pairs = table.to_flat_array(ec);
    table.clear(ec);
    for index in (0..pairs.len(ec)).step_by(2) {
        let (id, Some(list)) = (pairs.at(ec, index), Array::from_value(pairs.at(ec, index + 1))) else { continue };
        for position in 0..list.len(ec) {
            let callable = list.at(ec, position);
            let _ = match Proc::from_value(callable) {
                Some(proc) => ec.call_proc(proc, &[id]),
                None => ec.call(callable, sym::CALL, &[id]),
            };
        }
    }
}

// ---- GC ----

fn wishes(ec: &Ec) -> std::sync::Arc<Wishes> {
    ec.vm().extension::<Wishes>()
}

fn start(ec: &mut Ec, _this: Value, keywords: Keywords) {
    let full = ec.vm().intern("full_mark");
    let full = keywords.get(ec, full).is_none_or(Value::truthy);
    ec.collect_garbage(full);
}

fn enable(ec: &mut Ec, _this: Value) -> bool {
    ec.vm().is_gc_disabled.swap(false, Ordering::Relaxed)
}

fn disable(ec: &mut Ec, _this: Value) -> bool {
    ec.vm().is_gc_disabled.swap(true, Ordering::Relaxed)
}

fn stress(ec: &mut Ec, _this: Value) -> bool {
    wishes(ec).stress.load(Ordering::Relaxed)
}

fn set_stress(ec: &mut Ec, _this: Value, value: Value) -> Value {
    wishes(ec).stress.store(value.truthy(), Ordering::Relaxed);
    value
}

fn count(ec: &mut Ec, _this: Value) -> i64 {
    ec.heap().stats().collections() as i64
}

/// CRuby's keys and what Carat's heap has to say about each.
fn figures(ec: &Ec) -> Vec<(&'static str, u64)> {
    let stats = ec.heap().stats();
    let slots: u64 = stats.pools.iter().map(|p| p.slots as u64).sum();
    let used: u64 = stats.pools.iter().map(|p| p.used as u64).sum();
    let pages: u64 = stats.pools.iter().map(|p| p.pages as u64).sum();
    let milliseconds = stats.time.as_millis() as u64;
    vec![
        ("count", stats.collections()),
        ("time", milliseconds),
        ("marking_time", milliseconds),
        ("sweeping_time", 0),
        ("heap_allocated_pages", pages),
        ("heap_empty_pages", stats.free_pages as u64),
        ("heap_allocatable_slots", 0),
        ("heap_available_slots", slots),
        ("heap_live_slots", used),
        ("heap_free_slots", slots - used.min(slots)),
        ("heap_final_slots", 0),
        ("heap_marked_slots", used),
        ("heap_eden_pages", pages),
        ("total_allocated_pages", pages + stats.free_pages as u64),
        ("total_freed_pages", stats.free_pages as u64),
        ("total_allocated_objects", stats.allocated_objects),
        ("total_freed_objects", stats.freed_objects),
        ("malloc_increase_bytes", stats.allocated_bytes as u64),
        ("malloc_increase_bytes_limit", stats.allowance_bytes as u64),
        ("minor_gc_count", stats.minor_collections),
        ("major_gc_count", stats.full_collections),
        ("compact_count", 0),
        ("read_barrier_faults", 0),
        ("total_moved_objects", 0),
        ("remembered_wb_unprotected_objects", 0),
        ("remembered_wb_unprotected_objects_limit", 0),
        ("old_objects", 0),
        ("old_objects_limit", 0),
        ("oldmalloc_increase_bytes", stats.external_bytes as u64),
        ("oldmalloc_increase_bytes_limit", stats.allowance_bytes as u64),
    ]
}

/// `GC.stat`, `GC.stat(:key)` and `GC.stat(hash)`.
fn stat(ec: &mut Ec, _this: Value, which: Option<Value>) -> Result {
    let figures = figures(ec);
    if let Some(name) = which.and_then(Value::as_symbol) {
        let text = ec.vm().symbol_text(name);
        return match figures.iter().find(|(n, _)| *n == text) {
            Some((_, figure)) => Ok(ec.int(*figure as i64)),
            None => Err(ec.argument_error(&format!("unknown key: {text}"))),
        };
    }
    let hash = match which.filter(|w| !w.is_nil()) {
        Some(given) => match Hash::from_value(given) {
            Some(hash) => hash,
            None => return Err(ec.type_error("non-hash or symbol given")),
        },
        None => Hash::new(ec),
    };
    for (name, figure) in figures {
        let (name, figure) = (ec.vm().intern(name), ec.int(figure as i64));
        hash.set_symbol(ec, name, figure);
    }
    Ok(hash.value())
}

fn compact(ec: &mut Ec, _this: Value, _options: carat_vm::Rest) -> Result {
    Err(ec.not_implemented("compact() function is unimplemented on this machine"))
}

fn compact_with(ec: &mut Ec, _this: Value, _value: Value) -> Result {
    Err(ec.not_implemented("auto_compact=() function is unimplemented on this machine"))
}

fn auto_compact(_ec: &mut Ec, _this: Value) -> bool {
    false
}

fn measures_time(ec: &mut Ec, _this: Value) -> bool {
    !wishes(ec).no_time.load(Ordering::Relaxed)
}

fn set_measures_time(ec: &mut Ec, _this: Value, value: Value) -> Value {
    wishes(ec).no_time.store(!value.truthy(), Ordering::Relaxed);
    value
}

/// Nanoseconds spent collecting.
fn total_time(ec: &mut Ec, _this: Value) -> i64 {
    ec.heap().stats().time.as_nanos() as i64
}

/// `GC.config`: which collector there is.
fn config(ec: &mut Ec, _this: Value, _changes: Option<Value>) -> Hash {
    let hash = Hash::new(ec);
    let (name, value) = (ec.vm().intern("implementation"), ec.str("carat"));
    hash.set_symbol(ec, name, value);
    hash
}
