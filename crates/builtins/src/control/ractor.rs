//! Natives behind `core/ractor.rb`: Ractors, their ports, and what only the VM knows of blocks and objects.

use carat_vm::port::Port;
use carat_vm::ractor_object::{Outcome, RactorObject};
use carat_vm::recorder::Passing;
use carat_vm::{Array, Class, Data, Ec, Hash, HeapType, Proc, Result, Value, primitives};

primitives! {
    PRIMITIVES {
        "ractor_current" => current;
        "ractor_main" => main_object;
        "ractor_is_main" => is_main;
        "ractor_count" => count;
        "ractor_was_started" => was_started;
        "ractor_start" => start;
        "ractor_number" => number;
        "ractor_name" => name;
        "ractor_place" => place;
        "ractor_port" => default_port;
        "ractor_outcome" => outcome;
        "ractor_take" => take;
        "ractor_monitor" => monitor;
        "ractor_unmonitor" => unmonitor;
        "ractor_locals" => locals;
        "ractor_require" => require;
        "ractor_port_initialize" => initialize_port;
        "ractor_port_put" => put;
        "ractor_port_receive" => receive;
        "ractor_port_close" => close;
        "ractor_port_is_closed" => is_closed;
        "ractor_port_is_own" => is_own;
        "ractor_port_owner" => owner;
        "ractor_port_number" => port_number;
        "ractor_outer_variables" => outer_variables;
        "ractor_outer_values" => outer_values;
        "ractor_yields" => yields;
        "ractor_share_proc" => share_proc;
        "ractor_share_symbol_proc" => share_symbol_proc;
        "ractor_become_proc" => become_proc;
        "ractor_shareable" => shareable;
        "ractor_share" => share;
        "ractor_share_plain" => share_plain;
        "ractor_shareable_type" => shareable_type;
        "ractor_is_immediate" => is_immediate;
        "ractor_is_frozen" => is_frozen;
        "ractor_parts" => parts;
        "ractor_field_count" => field_count;
        "ractor_field" => field;
        "ractor_set_field" => set_field;
        "ractor_set_pair" => set_pair;
        "ractor_is_copyable" => is_copyable;
        "ractor_has_native_state" => has_native_state;
        "ractor_become_moved" => become_moved;
        "ractor_note_message" => note_message;
    }
}

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    known.ractor.set_allocator(None);
    known.ractor_port.set_allocator(Some(|ec, class| Ok(ec.allocate_port(class).value())));
    known.ractor_moved_object.set_allocator(None);
}

// ---- Ractors ----

fn current(ec: &mut Ec) -> Value {
    ec.ractor_object().value()
}

fn main_object(ec: &mut Ec) -> Value {
    ec.main_ractor_object().value()
}

fn is_main(ec: &mut Ec) -> bool {
    ec.ractor().is_main()
}

fn count(ec: &mut Ec) -> usize {
    ec.living_ractors()
}

fn was_started(ec: &mut Ec) -> bool {
    ec.vm().has_started_ractors()
}

/// Starts a Ractor with arguments that are its own already.
fn start(ec: &mut Ec, class: Class, name: Value, place: Value, args: Array, block: Value) -> Result {
    let block = Proc::from_value(block).expect("`Ractor.new` checked the block");
    Ok(ec.start_ractor(class, name, place, block, args)?.value())
}

fn number(ec: &mut Ec, this: Data<RactorObject>) -> i64 {
    i64::from(this.get(ec).number)
}

fn name(ec: &mut Ec, this: Data<RactorObject>) -> Value {
    this.get(ec).name
}

fn place(ec: &mut Ec, this: Data<RactorObject>) -> Value {
    this.get(ec).place
}

fn default_port(ec: &mut Ec, this: Data<RactorObject>) -> Value {
    this.get(ec).port
}

/// `:exited`, `:aborted`, or nil while it lives.
fn outcome(ec: &mut Ec, this: Data<RactorObject>) -> Value {
    this.get(ec).outcome().map_or(Value::NIL, |outcome| outcome.message(ec))
}

/// In an array, the value or the exception that it ended with; nil if that is another Ractor's.
fn take(ec: &mut Ec, this: Data<RactorObject>) -> Value {
    match this.get(ec).take_value(ec.ractor_number()) {
        Some(value) => Array::from_slice(ec, &[value]).value(),
        None => Value::NIL,
    }
}

/// Whether the Ractor lives and the port will be told of its end. Otherwise it is told now.
fn monitor(ec: &mut Ec, this: Data<RactorObject>, port: Data<Port>) -> Result<bool> {
    check_port(ec, port)?;
    let ended: Option<Outcome> = this.get(ec).monitor(port.value());
    ec.wrote(this.value());
    if let Some(outcome) = ended {
        port.get(ec).put(outcome.message(ec));
    }
    Ok(ended.is_none())
}

fn unmonitor(ec: &mut Ec, this: Data<RactorObject>, port: Data<Port>) -> Result<()> {
    check_port(ec, port)?;
    this.get(ec).unmonitor(port.value());
    Ok(())
}

/// The running Ractor's own variables.
fn locals(ec: &mut Ec) -> Hash {
    ec.ractor_locals()
}

/// Has the main Ractor require a feature: what `require` returned there, or the exception that it raised.
fn require(ec: &mut Ec, feature: Value) -> Result {
    ec.require_in_main_ractor(feature)
}

// ---- ports ----

/// Makes a port the running Ractor's. One that belongs to a Ractor already stays what it is.
fn initialize_port(ec: &mut Ec, port: Data<Port>) -> Value {
    if port.get(ec).owner.is_nil() {
        let owner = ec.ractor_object().value();
        ec.initialize_port(port, owner);
    }
    port.value()
}

/// Refuses a port whose `initialize` did not run.
fn check_port(ec: &mut Ec, port: Data<Port>) -> Result<()> {
    if !port.get(ec).owner.is_nil() {
        return Ok(());
    }
    let class = ec.class_of(port.value()).real().to_text(ec);
    Err(ec.type_error(&format!("uninitialized {class}")))
}

/// False if the port is closed.
fn put(ec: &mut Ec, port: Data<Port>, message: Value) -> Result<bool> {
    check_port(ec, port)?;
    let is_taken = !port.is_closed(ec) && port.get(ec).put(message);
    ec.wrote(port.value());
    Ok(is_taken)
}

/// Index of the first of the running Ractor's ports that has a message, and the message; the index alone if it is closed.
fn receive(ec: &mut Ec, ports: Array) -> Result<Array> {
    let ports: Vec<Data<Port>> = ports.slice_of(ec).iter().filter_map(|p| Data::from_value(*p)).collect();
    let (index, message) = ec.receive_from(&ports)?;
    let found = Array::from_slice(ec, &[Value::len(index)]);
    message.into_iter().for_each(|m| found.push(ec, m));
    Ok(found)
}

fn close(ec: &mut Ec, port: Data<Port>) -> Result<bool> {
    check_port(ec, port)?;
    Ok(port.get(ec).close())
}

fn is_closed(ec: &mut Ec, port: Data<Port>) -> Result<bool> {
    check_port(ec, port)?;
    Ok(port.is_closed(ec))
}

fn is_own(ec: &mut Ec, port: Data<Port>) -> Result<bool> {
    check_port(ec, port)?;
    Ok(port.is_owned(ec))
}

fn owner(ec: &mut Ec, port: Data<Port>) -> Result {
    check_port(ec, port)?;
    Ok(port.get(ec).owner)
}

fn port_number(ec: &mut Ec, port: Data<Port>) -> Result<i64> {
    check_port(ec, port)?;
    Ok(port.get(ec).id as i64)
}

// ---- blocks ----

/// Names of the outer variables that a block uses; with `may_change`, of those alone that several places give a value.
fn outer_variables(ec: &mut Ec, block: Value, may_change: bool) -> Array {
    let names = Proc::from_value(block).map(|b| b.outer_variables(ec, may_change)).unwrap_or_default();
    let array = Array::new(ec, names.len());
    for name in names {
        array.push(ec, Value::symbol(name));
    }
    array
}

/// Their values, or nil if the block assigns to one of them.
fn outer_values(ec: &mut Ec, block: Value) -> Value {
    let Some(block) = Proc::from_value(block) else { return Value::NIL };
    let (values, is_written) = block.outer_values(ec);
    if is_written { Value::NIL } else { values.value() }
}

/// Whether a block yields to the block of the method around it.
fn yields(_ec: &mut Ec, block: Value) -> bool {
    Proc::from_value(block).is_some_and(Proc::yields_outside)
}

/// A shareable copy of a block with `receiver` as self.
fn share_proc(ec: &mut Ec, block: Value, receiver: Value, is_lambda: bool) -> Value {
    let block = Proc::from_value(block).expect("the caller has a block");
    block.to_shareable(ec, receiver, is_lambda).value()
}

/// Makes the proc of a symbol shareable: true, or false for what else has no scope. nil for a block of a program.
fn share_symbol_proc(ec: &mut Ec, block: Value) -> Value {
    let Some(proc) = Proc::from_value(block).filter(|proc| proc.scope().is_none()) else { return Value::NIL };
    let is_symbol = proc.native_target().is_some_and(Value::is_symbol);
    if is_symbol {
        ec.freeze(block);
        ec.share(block);
    }
    Value::bool(is_symbol)
}

/// Makes a block shareable: it becomes what its copy is.
fn become_proc(ec: &mut Ec, block: Value, copy: Value) -> Value {
    if let (Some(block), Some(copy)) = (Proc::from_value(block), Proc::from_value(copy)) {
        block.become_shareable(ec, copy);
    }
    block
}

// ---- objects ----

fn shareable(ec: &mut Ec, value: Value) -> bool {
    ec.is_shareable(value)
}

/// Lets Ractors share an object whose methods see to it that they may.
fn share(ec: &mut Ec, value: Value) -> Value {
    ec.share(value);
    value
}

/// Freezes strings, arrays and hashes and makes them shareable. False if something in them has to be asked.
fn share_plain(ec: &mut Ec, value: Value) -> bool {
    ec.share_plain(value)
}

/// Whether an object is native data that may be shared once it is frozen.
fn shareable_type(ec: &mut Ec, value: Value) -> bool {
    ec.is_shareable_type(value)
}

/// What `frozen?` says, whatever a class makes of it.
fn is_frozen(ec: &mut Ec, object: Value) -> bool {
    ec.is_frozen(object)
}

/// Whether an object is shareable whatever it refers to: immediates, numbers without parts, classes, code.
fn is_immediate(_ec: &mut Ec, value: Value) -> bool {
    let Some(header) = value.header() else { return true };
    matches!(header.heap_type(), HeapType::Class | HeapType::Module | HeapType::Bignum | HeapType::Float)
}

/// The values of an object's fields, hidden ones included, and of what its type holds itself: both ends of a range.
fn parts(ec: &mut Ec, value: Value) -> Array {
    let parts = Array::new(ec, 0);
    for kind in [HeapType::Range, HeapType::Rational, HeapType::Complex] {
        if let Some((first, second)) = ec.pair_of(value, kind) {
            parts.push(ec, first);
            parts.push(ec, second);
        }
    }
    for index in 0..ec.field_count(value) as i64 {
        let part = field(ec, value, index);
        parts.push(ec, part);
    }
    ec.each_foreign_reference(value, &mut |part| parts.push(ec, part));
    parts
}

/// Number of an object's fields, hidden ones included.
fn field_count(ec: &mut Ec, value: Value) -> usize {
    ec.field_count(value)
}

/// Field number `index`; nil if it was removed.
fn field(ec: &mut Ec, value: Value, index: i64) -> Value {
    Some(ec.field_at(value, index as usize)).filter(|v| !v.is_undef()).unwrap_or(Value::NIL)
}

fn set_field(ec: &mut Ec, value: Value, index: i64, stored: Value) -> Value {
    ec.set_field_at(value, index as usize, stored);
    stored
}

/// Gives a copy of a range, rational or complex number its own parts.
fn set_pair(ec: &mut Ec, value: Value, first: Value, second: Value) -> Value {
    ec.set_pair(value, first, second);
    value
}

/// Whether `clone` makes a copy that, but for its fields and elements, shares nothing with the original.
fn is_copyable(ec: &mut Ec, value: Value) -> bool {
    let kind = value.header().map(|h| h.heap_type());
    let has_own_copies = ec.is_a(value, ec.vm().known().io)
        || crate::number::random::is_generator(value)
        || crate::control::thread::is_mutex(value);
    match kind {
        Some(HeapType::Data) => {
            has_own_copies || ec.is_shareable_type(value) && crate::object::method::method_data(value).is_none()
        }
        Some(HeapType::Proc) => false,
        _ => !ec.is_a(value, ec.vm().known().enumerator),
    }
}

/// Whether an object is native data: it cannot be copied or shared unless its class says so.
fn has_native_state(_ec: &mut Ec, value: Value) -> bool {
    value.header().is_some_and(|h| matches!(h.heap_type(), HeapType::Data | HeapType::CData | HeapType::Proc))
}

/// Leaves a husk of an object that was moved: any method raises.
fn become_moved(ec: &mut Ec, value: Value) -> Value {
    crate::system::io::abandon(ec, value);
    ec.become_moved(value);
    Value::NIL
}

/// A message is passed: itself, or copies, by what they are copies of.
fn note_message(ec: &mut Ec, copies: Value, is_moved: Value) -> Value {
    let copies = Hash::from_value(copies);
    let passing = match copies {
        None => Passing::Shared,
        Some(_) if is_moved.truthy() => Passing::Moved,
        Some(_) => Passing::Copied,
    };
    ec.note_message(passing, copies);
    Value::NIL
}
