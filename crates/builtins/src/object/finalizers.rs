//! Finalizers: called with an object's id once it is gone, at a poll after the collection, and at the program's end.
//!
//! # Layout
//! The registry knows objects by weak reference, under a number each: an id may be used again before its finalizers run.
//! What is to be called stands in a hidden Hash of the module, number to `[id, callable…]`, which keeps it alive.

use carat_sync::{Mutex, MutexGuard};
use carat_vm::interrupt;
use carat_vm::method_object::MethodObject;
use carat_vm::{Array, Block, Data, Ec, Hash, Proc, Result, SymbolId, Value, sym};
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Default)]
struct Registry {
    state: Mutex<Finalizable>,
    /// There was one: as long as it is not set, copies of objects have nothing to look for.
    is_used: AtomicBool,
}

#[derive(Default)]
struct Finalizable {
    /// By number, so that the latest is found first. Not marked: the collector says which are dead.
    objects: BTreeMap<i64, Value>,
    /// The same, the other way round.
    numbers: HashMap<Value, i64>,
    /// Numbers of objects that are gone.
    ready: Vec<i64>,
    last_number: i64,
}

impl Finalizable {
    fn forget(&mut self, object: Value) -> Option<i64> {
        let number = self.numbers.remove(&object)?;
        self.objects.remove(&number);
        Some(number)
    }
}

impl Registry {
    fn state(&self) -> MutexGuard<'_, Finalizable> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    fn number_of(&self, object: Value) -> Option<i64> {
        self.state().numbers.get(&object).copied()
    }

    fn add(&self, object: Value) -> i64 {
        let mut state = self.state();
        state.last_number += 1;
        let number = state.last_number;
        state.objects.insert(number, object);
        state.numbers.insert(object, number);
        self.is_used.store(true, Ordering::Release);
        number
    }

    /// Moves the dead to `ready`; whether there are any.
    fn bury(&self, is_live: &dyn Fn(Value) -> bool) -> bool {
        let state = &mut *self.state();
        let (ready, numbers) = (&mut state.ready, &mut state.numbers);
        state.objects.retain(|number, object| {
            let lives = is_live(*object);
            if !lives {
                ready.push(*number);
                numbers.remove(object);
            }
            lives
        });
        !ready.is_empty()
    }
}

fn registry(ec: &Ec) -> std::sync::Arc<Registry> {
    ec.vm().extension::<Registry>()
}

pub(super) fn init(ec: &mut Ec) {
    let (registry, vm) = (registry(ec), ec.vm());
    ec.add_after_mark(Box::new(move |is_live| {
        if registry.bury(is_live) {
            vm.arm_main(interrupt::FINALIZE);
        }
    }));
}

/// Number to `[id, callable…]`. Those of another Ractor than the main one are its own, and end with it.
fn callables(ec: &mut Ec) -> Hash {
    let name = ec.vm().intern("__finalizers");
    if !ec.ractor().is_main() {
        return callables_of_ractor(ec, name);
    }
    let module = ec.vm().known().object_space.value();
    if let Some(hash) = ec.field(module, name).and_then(Hash::from_value) {
        return hash;
    }
    let hash = Hash::new(ec);
    ec.set_field(module, name, hash.value());
    hash
}

fn callables_of_ractor(ec: &mut Ec, name: SymbolId) -> Hash {
    let locals = ec.ractor_locals();
    if let Some(hash) = locals.get_symbol(ec, name).and_then(Hash::from_value) {
        return hash;
    }
    let hash = Hash::new(ec);
    locals.set_symbol(ec, name, hash.value());
    hash
}

fn list_of(ec: &mut Ec, number: i64) -> Result<Option<Array>> {
    let (table, number) = (callables(ec), ec.int(number));
    Ok(table.get(ec, number)?.and_then(Array::from_value))
}

/// The object's list, made on first demand.
fn own_list(ec: &mut Ec, object: Value) -> Result<Array> {
    if let Some(number) = registry(ec).number_of(object)
        && let Some(list) = list_of(ec, number)?
    {
        return Ok(list);
    }
    let id = ec.call(object, sym::OBJECT_ID, &[])?;
    let number = registry(ec).add(object);
    let (table, list, number) = (callables(ec), Array::from_slice(ec, &[id]), ec.int(number));
    table.set(ec, number, list.value())?;
    Ok(list)
}

fn check_finalizable(ec: &mut Ec, object: Value) -> Result<()> {
    if !object.is_heap() || ec.is_float(object) || ec.is_integer(object) {
        let class = ec.class_of(object).real().to_text(ec);
        return Err(ec.argument_error(&format!("cannot define finalizer for {class}")));
    }
    if ec.is_frozen(object) { Err(ec.frozen_error(object)) } else { Ok(()) }
}

/// `ObjectSpace.define_finalizer(object, callable)`; answers `[0, callable]`, with an equal one that was there before.
pub(super) fn define(
    ec: &mut Ec,
    _this: Value,
    object: Value,
    callable: Option<Value>,
    block: Option<Block>,
) -> Result<Array> {
    let callable = match (callable, block) {
        (Some(callable), _) => callable,
        (None, Some(block)) => block.to_proc(ec).value(),
        (None, None) => return Err(ec.argument_error("tried to create Proc object without a block")),
    };
    if !ec.respond_to(callable, sym::CALL, true)? {
        let class = ec.class_shown(ec.class_of(callable).real())?;
        return Err(ec.argument_error(&format!("wrong type argument {class} (should be callable)")));
    }
    check_finalizable(ec, object)?;
    if refers_to(ec, callable, object) {
        ec.warn("finalizer references object to be finalized")?;
    }
    let list = own_list(ec, object)?;
    for index in 1..list.len(ec) {
        let known = list.at(ec, index);
        if ec.equal(known, callable)? {
            return Ok(Array::pair(ec, Value::len(0), known));
        }
    }
    list.push(ec, callable);
    Ok(Array::pair(ec, Value::len(0), callable))
}

/// A finalizer whose `self` is the object keeps it alive for good.
fn refers_to(ec: &Ec, callable: Value, object: Value) -> bool {
    match Proc::from_value(callable) {
        Some(proc) => proc.receiver() == object,
        None => Data::<MethodObject>::from_value(callable).is_some_and(|m| m.get(ec).receiver == object),
    }
}

pub(super) fn undefine(ec: &mut Ec, _this: Value, object: Value) -> Result {
    if ec.is_frozen(object) {
        return Err(ec.frozen_error(object));
    }
    let Some(number) = registry(ec).state().forget(object) else { return Ok(object) };
    let (table, number) = (callables(ec), ec.int(number));
    table.delete(ec, number)?;
    Ok(object)
}

/// A copy of an object has the finalizers of the original.
pub(crate) fn copy(ec: &mut Ec, from: Value, to: Value) -> Result<()> {
    let registry = registry(ec);
    if !registry.is_used.load(Ordering::Acquire) {
        return Ok(());
    }
    let Some(number) = registry.number_of(from) else { return Ok(()) };
    let Some(original) = list_of(ec, number)? else { return Ok(()) };
    let list = own_list(ec, to)?;
    for index in 1..original.len(ec) {
        let callable = original.at(ec, index);
        list.push(ec, callable);
    }
    Ok(())
}

// ---- running ----

/// Runs the finalizers of objects that are gone.
pub(crate) fn run_ready(ec: &mut Ec) -> Result<()> {
    while let Some(number) = next_ready(ec) {
        run(ec, number)?;
    }
    Ok(())
}

fn next_ready(ec: &Ec) -> Option<i64> {
    registry(ec).state().ready.pop()
}

/// Runs all finalizers, those included that finalizers define: the program has ended.
pub(crate) fn run_at_exit(ec: &mut Ec) {
    // What interrupts a finalizer ends that one alone: nothing is left that it could end.
    while let Some(number) = next_ready(ec).or_else(|| next_object(ec)) {
        let _ = run(ec, number);
    }
}

fn next_object(ec: &Ec) -> Option<i64> {
    let registry = registry(ec);
    let mut state = registry.state();
    let (number, object) = state.objects.pop_last()?;
    state.numbers.remove(&object);
    Some(number)
}

/// Runs the finalizers of one object. They run in the midst of any thread: its end, an exception that another thread raises in it or a
/// signal may arrive in them, and goes on; the finalizers left run later.
fn run(ec: &mut Ec, number: i64) -> Result<()> {
    let (table, key) = (callables(ec), ec.int(number));
    let Some(list) = table.delete(ec, key)?.and_then(Array::from_value) else { return Ok(()) };
    let errinfo = ec.errinfo();
    let id = list.at(ec, 0);
    for position in 1..list.len(ec) {
        let callable = list.at(ec, position);
        let before = ec.interruptions();
        if ec.call(callable, sym::CALL, &[id]).is_ok() {
            continue;
        }
        if ec.interruptions() == before {
            report(ec, callable);
            continue;
        }
        let interruption = ec.pending();
        let left = Array::from_slice(ec, &[id]);
        (position + 1..list.len(ec)).for_each(|position| left.push(ec, list.at(ec, position)));
        table.store(ec, key, left.value())?;
        registry(ec).state().ready.push(number);
        ec.set_errinfo(errinfo);
        return Err(ec.unwind(interruption));
    }
    ec.set_errinfo(errinfo);
    Ok(())
}

/// What a finalizer raises ends nothing; it is a warning.
fn report(ec: &mut Ec, callable: Value) {
    let Some(exception) = ec.pending_exception() else { return };
    if ec.verbose().is_nil() {
        return;
    }
    let Ok(shown) = ec.inspect(callable) else { return };
    let text = shown.to_text(ec);
    let _ = ec.warn(&format!("Exception in finalizer {text}"));
    crate::object::kernel::report(ec, exception);
}
