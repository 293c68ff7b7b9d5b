//! `Method` and `UnboundMethod`.
//!
//! Calling one is the interpreter's business: see `OptimizedKind::MethodCall`. Composition and currying are in `core/proc.rb`.

use crate::object::parameters::parameters_of;
use crate::object::signatures::{arity_of_signature, parameters_of_signature, signature};
use carat_vm::eval::iseq_of_entry;
use carat_vm::method::{MethodEntry, MethodKind, OptimizedKind};
use carat_vm::method_object::MethodObject;
use carat_vm::{
    Array, Block, Class, Data, Ec, EncodingIndex, Keywords, Proc, Rest, Result, Str, SymbolId, Value, Visibility,
    methods, primitives, sym,
};

methods! {
    BOTH {
        "==" => is_equal;
        "eql?" => is_equal;
        "hash" => hash;
        "clone" => clone;
        "dup" => dup;
        "name" => name;
        "original_name" => original_name;
        "owner" => owner;
        "arity" => arity;
        "parameters" => parameters;
        "source_location" => source_location;
        "super_method" => super_method;
        "inspect" => inspect;
        "to_s" => inspect;
    }

    METHOD {
        "receiver" => receiver;
        "unbind" => unbind;
        "box" => no_box;
        "to_proc" => to_proc;
    }

    UNBOUND {
        "bind" => bind;
        "bind_call" => bind_call;
    }
}

primitives! {
    PRIMITIVES {}
}

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    known.method.define_methods(ec, BOTH);
    known.method.define_methods(ec, METHOD);
    known.unbound_method.define_methods(ec, BOTH);
    known.unbound_method.define_methods(ec, UNBOUND);
    for name in [sym::CALL, sym::AREF, sym::EQQ] {
        known.method.add_method(
            ec,
            name,
            MethodKind::Optimized(OptimizedKind::MethodCall),
            Visibility::Public,
            Value::NIL,
        );
    }
}

type Receiver = Data<MethodObject>;

/// The contents of a Method or UnboundMethod.
pub(crate) fn method_data(value: Value) -> Option<Receiver> {
    Data::from_value(value)
}

/// A Method object.
pub(crate) fn bound(ec: &Ec, receiver: Value, entry: Value, name: SymbolId, class: Class) -> Value {
    Data::new(ec, ec.vm().known().method, MethodObject { receiver, entry, name, class: class.value() }).value()
}

/// A Method object of a method that only `respond_to_missing?` knows.
pub(crate) fn bound_missing(ec: &Ec, receiver: Value, name: SymbolId) -> Value {
    bound(ec, receiver, Value::NIL, name, ec.class_of(receiver))
}

pub(crate) fn unbound(ec: &Ec, entry: Value, name: SymbolId, class: Class) -> Value {
    let contents = MethodObject { receiver: Value::UNDEF, entry, name, class: class.value() };
    Data::new(ec, ec.vm().known().unbound_method, contents).value()
}

/// What is behind a method object, in plain values.
#[derive(Clone, Copy)]
struct Parts {
    receiver: Value,
    entry: Value,
    name: SymbolId,
    class: Class,
}

impl Parts {
    fn of(ec: &Ec, this: Receiver) -> Parts {
        let data = this.get(ec);
        Parts { receiver: data.receiver, entry: data.entry, name: data.name, class: Class::expect(data.class) }
    }

    fn entry(self, ec: &Ec) -> Option<&MethodEntry> {
        MethodEntry::from_value(ec, self.entry)
    }

    /// The entry that aliases lead to; nil for methods that are missing.
    fn definition(self, ec: &Ec) -> Value {
        self.entry(ec).map_or(Value::NIL, |m| m.resolved(ec).value())
    }

    fn owner(self, ec: &Ec) -> Class {
        self.entry(ec).map_or(self.class, |m| m.owner(ec))
    }

    /// Where the method stands that an alias is one of. What a class took over from a module is its own.
    fn definer(self, ec: &Ec) -> Class {
        self.entry(ec).map_or(self.class, |m| {
            let (owner, definer) = (m.owner(ec), m.resolved(ec).owner(ec));
            if definer.is_module() { owner } else { definer }
        })
    }
}

/// Two entries that stand for one definition: the same code, or the same field.
fn is_same_definition(ec: &Ec, a: Value, b: Value) -> bool {
    if a == b {
        return true;
    }
    let (Some(a), Some(b)) = (MethodEntry::from_value(ec, a), MethodEntry::from_value(ec, b)) else { return false };
    match (&a.kind, &b.kind) {
        (MethodKind::Iseq(x), MethodKind::Iseq(y)) => std::sync::Arc::ptr_eq(x, y),
        (MethodKind::Native(x), MethodKind::Native(y)) => {
            std::ptr::fn_addr_eq(x.function, y.function) && x.arity == y.arity
        }
        (MethodKind::Proc(x), MethodKind::Proc(y)) => x == y,
        (MethodKind::AttrReader(x), MethodKind::AttrReader(y))
        | (MethodKind::AttrWriter(x), MethodKind::AttrWriter(y)) => x == y,
        (MethodKind::Optimized(x), MethodKind::Optimized(y)) => x == y,
        _ => false,
    }
}

fn is_equal(ec: &mut Ec, this: Receiver, other: Value) -> bool {
    let Some(other_data) = method_data(other) else { return false };
    let (a, b) = (Parts::of(ec, this), Parts::of(ec, other_data));
    let is_same_kind = ec.class_of(this.value()) == ec.class_of(other);
    let is_same = is_same_kind && a.receiver == b.receiver && a.definer(ec) == b.definer(ec);
    if a.entry.is_nil() || b.entry.is_nil() {
        return is_same && a.entry == b.entry && a.name == b.name;
    }
    is_same && is_same_definition(ec, a.definition(ec), b.definition(ec))
}

fn hash(ec: &mut Ec, this: Receiver) -> Value {
    let parts = Parts::of(ec, this);
    let definition =
        MethodEntry::from_value(ec, parts.definition(ec)).map_or(u64::from(parts.name.0), |m| match &m.kind {
            MethodKind::Iseq(iseq) => std::sync::Arc::as_ptr(iseq).addr() as u64,
            MethodKind::Native(def) => def.function as usize as u64,
            MethodKind::Proc(proc) => proc.bits(),
            _ => u64::from(m.name.0),
        });
    crate::object::any_object::identity_hash(parts.receiver.bits().rotate_left(21) ^ definition)
}

/// As `dup`, and frozen if the original is.
fn clone(ec: &mut Ec, this: Receiver, keywords: Keywords) -> Result {
    let copy = dup(ec, this)?;
    crate::object::any_object::copy_singleton_class(ec, this.value(), copy)?;
    let freeze = keywords.get(ec, sym::FREEZE).unwrap_or(Value::NIL);
    if freeze.is_true() || freeze.is_nil() && ec.is_frozen(this.value()) {
        ec.freeze(copy);
    }
    Ok(copy)
}

fn dup(ec: &mut Ec, this: Receiver) -> Result {
    let parts = Parts::of(ec, this);
    let class = ec.class_of(this.value()).real();
    let contents =
        MethodObject { receiver: parts.receiver, entry: parts.entry, name: parts.name, class: parts.class.value() };
    let copy = Data::new(ec, class, contents).value();
    ec.copy_fields(this.value(), copy);
    crate::object::finalizers::copy(ec, this.value(), copy)?;
    Ok(copy)
}

fn name(ec: &mut Ec, this: Receiver) -> SymbolId {
    this.get(ec).name
}

fn original_name(ec: &mut Ec, this: Receiver) -> SymbolId {
    let parts = Parts::of(ec, this);
    MethodEntry::from_value(ec, parts.definition(ec)).map_or(parts.name, |m| m.original_name)
}

/// A method whose visibility alone was changed belongs to the class that changed it.
fn owner(ec: &mut Ec, this: Receiver) -> Class {
    let parts = Parts::of(ec, this);
    let found = parts.class.find_method(ec, parts.name).filter(|m| matches!(m.kind, MethodKind::Zsuper));
    let found = found.filter(|_| parts.class.runnable_method(ec, parts.name) == Some(parts.entry));
    found.map_or_else(|| parts.owner(ec), |m| m.owner(ec))
}

fn receiver(ec: &mut Ec, this: Receiver) -> Value {
    this.get(ec).receiver
}

fn arity(ec: &mut Ec, this: Receiver) -> i64 {
    arity_of(ec, this.value())
}

/// Arity of a method object, also behind a proc.
pub(crate) fn arity_of(ec: &Ec, method: Value) -> i64 {
    let Some(data) = method_data(method) else { return -1 };
    let parts = Parts::of(ec, data);
    match signature_of(ec, &parts) {
        Some(signature) => arity_of_signature(signature),
        None => parts.entry(ec).map_or(-1, |m| m.arity(ec)),
    }
}

/// The parameters of a core method that tells their names.
fn signature_of(ec: &Ec, parts: &Parts) -> Option<&'static str> {
    let definition = MethodEntry::from_value(ec, parts.definition(ec))?;
    let is_core = match &definition.kind {
        MethodKind::Native(_) => true,
        MethodKind::Iseq(iseq) => iseq.iseq.flags.is_core,
        _ => false,
    };
    if is_core { signature(ec, definition) } else { None }
}

/// Least and greatest number of arguments; `None` for any number.
pub(crate) fn arity_range_of(ec: &Ec, method: Value) -> (i64, Option<i64>) {
    let iseq = method_data(method).and_then(|m| Parts::of(ec, m).entry(ec).and_then(|m| iseq_of_entry(ec, m)));
    match iseq {
        Some(iseq) => crate::object::parameters::range_of(&iseq.iseq.params),
        None => {
            let arity = arity_of(ec, method);
            if arity < 0 { (-arity - 1, None) } else { (arity, Some(arity)) }
        }
    }
}

fn parameters(ec: &mut Ec, this: Receiver) -> Array {
    parameters_of_method(ec, this.value())
}

/// `Method#parameters`. Methods of the core have nameless ones, whatever they are written in, but for those that CRuby has in Ruby.
pub(crate) fn parameters_of_method(ec: &Ec, method: Value) -> Array {
    let Some(data) = method_data(method) else { return Array::new(ec, 0) };
    let parts = Parts::of(ec, data);
    let program_code = parts.entry(ec).and_then(|m| iseq_of_entry(ec, m)).filter(|iseq| !iseq.iseq.flags.is_core);
    if let Some(iseq) = program_code {
        return parameters_of(ec, &iseq.iseq, true);
    }
    if let Some(MethodKind::AttrWriter(field)) = parts.entry(ec).map(|m| &m.resolved(ec).kind)
        && !ec.vm().symbol_name(*field).bytes.starts_with(b"@")
    {
        return crate::object::parameters::member_parameters(ec);
    }
    if let Some(signature) = signature_of(ec, &parts) {
        return parameters_of_signature(ec, signature);
    }
    crate::object::parameters::nameless_parameters(ec, arity_of(ec, method))
}

fn source_location(ec: &mut Ec, this: Receiver) -> Option<Array> {
    let place = Parts::of(ec, this).entry(ec).and_then(|entry| entry.resolved(ec).attribute_place());
    match place {
        Some(place) => Some(Array::pair(ec, place.at(ec, 0), place.at(ec, 1))),
        None => location_of_method(ec, this.value()),
    }
}

/// The object that a Method is bound to.
pub(crate) fn receiver_of(ec: &Ec, method: Value) -> Option<Value> {
    let receiver = Parts::of(ec, method_data(method)?).receiver;
    (!receiver.is_undef()).then_some(receiver)
}

/// The lexical scope that a method is written in; nil for native ones.
pub(crate) fn scope_of(ec: &Ec, method: Value) -> Value {
    let entry = method_data(method).and_then(|data| Parts::of(ec, data).entry(ec));
    entry.map_or(Value::NIL, |entry| entry.resolved(ec).scope())
}

/// File and line of a method written in Ruby.
pub(crate) fn location_of_method(ec: &Ec, method: Value) -> Option<Array> {
    let data = method_data(method)?;
    let iseq = iseq_of_entry(ec, Parts::of(ec, data).entry(ec)?)?;
    crate::object::parameters::location(ec, &iseq.iseq)
}

/// `Method#box`: the `Ruby::Box` in which the method was defined; there are none.
fn no_box(_ec: &mut Ec, _this: Value) -> Value {
    Value::NIL
}

fn super_method(ec: &mut Ec, this: Receiver) -> Value {
    let parts = Parts::of(ec, this);
    let Some(entry) = parts.entry(ec) else { return Value::NIL };
    let Some(entry) = ec.behind_zsuper(parts.class, entry.resolved(ec)) else { return Value::NIL };
    let name = entry.original_name;
    let found = ec.super_method_of(parts.class, entry).filter(|found| ec.behind_zsuper(parts.class, found).is_some());
    let Some(found) = found.map(MethodEntry::value) else {
        return Value::NIL;
    };
    if parts.receiver.is_undef() {
        unbound(ec, found, name, parts.class)
    } else {
        bound(ec, parts.receiver, found, name, parts.class)
    }
}

// ---- binding ----

fn unbind(ec: &mut Ec, this: Receiver) -> Value {
    let parts = Parts::of(ec, this);
    unbound(ec, parts.entry, parts.name, parts.class)
}

fn check_bindable(ec: &mut Ec, parts: Parts, receiver: Value) -> Result<()> {
    let owner = parts.owner(ec);
    let owner = owner.refined().filter(|_| owner.is_refinement()).unwrap_or(owner);
    if owner.is_module() || ec.is_a(receiver, owner) {
        return Ok(());
    }
    if owner.is_singleton() {
        return Err(ec.type_error("singleton method called for a different object"));
    }
    let text = format!("bind argument must be an instance of {}", owner.to_text(ec));
    Err(ec.type_error(&text))
}

fn bind(ec: &mut Ec, this: Receiver, receiver: Value) -> Result {
    let parts = Parts::of(ec, this);
    check_bindable(ec, parts, receiver)?;
    Ok(bound(ec, receiver, parts.entry, parts.name, ec.class_of(receiver)))
}

fn bind_call(
    ec: &mut Ec,
    this: Receiver,
    receiver: Value,
    args: Rest,
    keywords: Keywords,
    block: Option<Block>,
) -> Result {
    let parts = Parts::of(ec, this);
    check_bindable(ec, parts, receiver)?;
    let block = block.map(|b| b.to_proc(ec));
    let passing = carat_vm::call::Passing { keywords: keywords.0, block };
    let list = args.to_array(ec);
    let args: Box<[Value]> = list.slice_of(ec).into();
    let result = ec.call_method(receiver, parts.entry, parts.name, &args, passing);
    // The array keeps the arguments alive while the method runs.
    std::hint::black_box(list);
    result
}

fn to_proc(ec: &mut Ec, this: Receiver) -> Value {
    Proc::from_native(ec, this.value()).value()
}

// ---- inspect ----

fn inspect(ec: &mut Ec, this: Receiver) -> Result<Str> {
    let parts = Parts::of(ec, this);
    let kind = ec.class_of(this.value()).real().to_text(ec);
    let target = target_text(ec, parts)?;
    let own_name = ec.vm().symbol_text(parts.name);
    let original = original_name(ec, this);
    let original = if original == parts.name { String::new() } else { format!("({})", ec.vm().symbol_text(original)) };
    let parameters = parameters_text(ec, this.value());
    let place = match source_location(ec, this) {
        Some(place) => {
            let file = ec.to_s(place.at(ec, 0))?.to_text(ec);
            format!(" {file}:{}", place.at(ec, 1).as_fixnum().unwrap_or(0))
        }
        None => String::new(),
    };
    let text = Str::from_text(ec, &format!("#<{kind}: {target}{own_name}{original}({parameters}){place}>"));
    text.set_encoding(EncodingIndex::BINARY);
    Ok(text)
}

/// `Foo#`, `Foo(Bar)#`, `Foo.`
fn target_text(ec: &mut Ec, parts: Parts) -> Result<String> {
    let owner = parts.owner(ec);
    let defined_in = MethodEntry::from_value(ec, parts.definition(ec)).map_or(owner, |m| m.owner(ec));
    if parts.receiver.is_undef() {
        return Ok(format!("{}#", ec.inspect(defined_in.value())?.to_text(ec)));
    }
    if owner.is_singleton() {
        let shown = ec.inspect(parts.receiver)?.to_text(ec);
        let attached = owner.attached();
        if attached == parts.receiver {
            return Ok(format!("{shown}."));
        }
        let home = ec.inspect(attached)?.to_text(ec);
        return Ok(format!("{shown}({home})."));
    }
    let mut class = parts.class;
    // What `super_method` found is shown as the method of its owner.
    if class.find_method(ec, parts.name).is_some_and(|m| m.owner(ec) != owner && !matches!(m.kind, MethodKind::Zsuper))
    {
        class = owner;
    }
    if class.is_singleton() && Class::from_value(class.attached()).is_none() {
        class = class.real();
    }
    let outer = if defined_in == class { String::new() } else { format!("({})", defined_in.to_text(ec)) };
    Ok(format!("{}{outer}#", class.to_text(ec)))
}

fn parameters_text(ec: &Ec, method: Value) -> String {
    let list = parameters_of_method(ec, method);
    let mut texts: Vec<String> = Vec::new();
    for pair in list.slice_of(ec) {
        let pair = Array::expect(*pair);
        let kind = pair.at(ec, 0).as_symbol().unwrap_or(sym::REQ);
        let name = pair.at(ec, 1).as_symbol().map(|n| ec.vm().symbol_text(n));
        texts.push(parameter_text(kind, name.as_deref()));
    }
    if texts.ends_with(&["*".into(), "**".into(), "&".into()]) {
        texts.truncate(texts.len() - 3);
        texts.push("...".into());
    }
    texts.join(", ")
}

fn parameter_text(kind: SymbolId, name: Option<&str>) -> String {
    let named = name.unwrap_or("_");
    match kind {
        sym::OPT => format!("{named}=..."),
        sym::KEYREQ => format!("{named}:"),
        sym::KEY => format!("{named}: ..."),
        sym::REST => format!("*{}", name.filter(|n| *n != "*").unwrap_or("")),
        sym::KEYREST => format!("**{}", name.filter(|n| *n != "**").unwrap_or("")),
        sym::BLOCK => format!("&{}", name.filter(|n| *n != "&").unwrap_or("")),
        sym::NOKEY => "**nil".into(),
        _ => named.into(),
    }
}
