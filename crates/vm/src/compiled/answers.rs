//! Native methods whose answer follows from the shape of the receiver and constant arguments, for units of the optimizing compiler.
//!
//! # Invariants
//! An answer holds as long as its counters stand still, for all receivers of the shape.

use crate::ec::Ec;
use crate::model::class::{Class, Visibility};
use crate::model::method::{MethodEntry, MethodKind};
use crate::model::shape::ROOT_INTEGER;
use crate::model::symbol::sym;
use crate::run::code::CodeData;
use carat_iseq::Op;
use carat_jit::{Answer, Epoch, Given, InPlace, OfShape};
use carat_layout::{ShapeId, SymbolId, Value};
use std::sync::atomic::{AtomicU32, Ordering};

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    Itself,
    /// That of receivers of the class that has the method, but not of derived ones.
    ItselfIfPlain,
    InPlace(InPlace),
    IsNil(bool),
    Class,
    IsA,
    IsInstanceOf,
    RespondsTo,
}

/// What the native method of a code asks, if that is one of these.
pub(super) fn question(ec: &Ec, code: &CodeData) -> Option<Question> {
    let entry = MethodEntry::from_value(ec, code.method)?.resolved(ec);
    let MethodKind::Native(def) = entry.kind else { return None };
    let (known, owner) = (ec.vm().known(), entry.owner_value());
    let is = |class: Class| owner == class.value();
    Some(match def.name {
        "itself" if is(known.kernel) => Question::Itself,
        "class" if is(known.kernel) => Question::Class,
        "is_a?" | "kind_of?" if is(known.kernel) => Question::IsA,
        "instance_of?" if is(known.kernel) => Question::IsInstanceOf,
        "respond_to?" if is(known.kernel) => Question::RespondsTo,
        "nil?" if is(known.kernel) => Question::IsNil(false),
        "nil?" if is(known.nil_class) => Question::IsNil(true),
        "block_given?" if is(known.kernel) => Question::InPlace(InPlace::IsBlockGiven),
        "equal?" if is(known.basic_object) => Question::InPlace(InPlace::IsSame),
        "to_i" | "to_int" | "ord" if is(known.integer) => Question::Itself,
        "even?" if is(known.integer) => Question::InPlace(InPlace::IsEven),
        "odd?" if is(known.integer) => Question::InPlace(InPlace::IsOdd),
        "zero?" if is(known.integer) => Question::InPlace(InPlace::IsZero),
        "succ" | "next" if is(known.integer) => Question::InPlace(InPlace::Next),
        "pred" if is(known.integer) => Question::InPlace(InPlace::Previous),
        "~" if is(known.integer) => Question::InPlace(InPlace::Complement),
        "div" if is(known.integer) => Question::InPlace(InPlace::Quotient),
        "modulo" if is(known.integer) => Question::InPlace(InPlace::Remainder),
        "divmod" if is(known.integer) => Question::InPlace(InPlace::QuotientAndRemainder),
        "abs" | "magnitude" if is(known.integer) => Question::InPlace(InPlace::Magnitude),
        "to_f" if is(known.float) => Question::Itself,
        "to_sym" if is(known.symbol) => Question::Itself,
        "to_s" | "to_str" if is(known.string) => Question::ItselfIfPlain,
        "to_a" if is(known.array) => Question::ItselfIfPlain,
        "to_ary" if is(known.array) => Question::Itself,
        "to_hash" if is(known.hash) => Question::Itself,
        "first" if is(known.array) => Question::InPlace(InPlace::First),
        "last" if is(known.array) => Question::InPlace(InPlace::Last),
        _ => return None,
    })
}

/// Whether the native method of a code is `Module#===`.
pub(super) fn asks_class(ec: &Ec, code: &CodeData) -> bool {
    MethodEntry::from_value(ec, code.method).map(|entry| entry.resolved(ec)).is_some_and(|entry| {
        let is_it = matches!(entry.kind, MethodKind::Native(def) if def.name == "===");
        is_it && entry.owner_value() == ec.vm().known().module.value()
    })
}

/// What `nil?`, or `!`, says of heap objects of the shape of one.
pub(super) fn is_nil_or_falsy(ec: &Ec, op: Op, object: Value) -> Option<OfShape> {
    let (name, owner) = match op {
        Op::opt_nil_p => (sym::NIL_P, ec.vm().known().kernel),
        _ => (sym::NOT, ec.vm().known().basic_object),
    };
    // What is defined after this has counted.
    let epochs = vec![epoch(ec.vm().method_epoch(name))];
    let shape = object.header()?.shape();
    let is_plain = !ec.vm().may_be_refined(name) && ec.responds_with(object, name, owner);
    is_plain.then(|| OfShape { shape: shape.0, word: Value::FALSE.bits(), epochs })
}

/// Whether heap objects of the shape of one are equal to themselves alone, as `==` or `!=` asks. The word is of no interest.
pub(super) fn is_identity(ec: &Ec, op: Op, object: Value) -> Option<OfShape> {
    let names = match op {
        Op::opt_neq | Op::cmp_neq => &[sym::NEQ, sym::EQ][..],
        _ => &[sym::EQ],
    };
    // What is defined after this has counted.
    let epochs = names.iter().map(|name| epoch(ec.vm().method_epoch(*name))).collect();
    let shape = object.header()?.shape();
    let owner = ec.vm().known().basic_object;
    let is_plain = |name: &SymbolId| !ec.vm().may_be_refined(*name) && ec.responds_with(object, *name, owner);
    names.iter().all(is_plain).then(|| OfShape { shape: shape.0, word: Value::FALSE.bits(), epochs })
}

/// What `===` of a class says of fixnums, or of objects of the shape of one.
pub(super) fn class_match(ec: &Ec, class: Value, value: Value) -> Option<OfShape> {
    let class = Class::from_value(class)?;
    let shape = match value.header() {
        Some(header) => header.shape(),
        None if value.is_fixnum() => ROOT_INTEGER,
        None => return None,
    };
    // A class among the ancestors stays there, and none comes.
    let ancestry = (!class.is_class()).then(|| epoch(&ec.vm().ancestry_epoch));
    let epochs = [epoch(ec.vm().method_epoch(sym::EQQ))].into_iter().chain(ancestry).collect();
    let is_plain = !ec.vm().may_be_refined(sym::EQQ) && class.has_plain_match(ec);
    is_plain.then(|| OfShape { shape: shape.0, word: Value::bool(ec.is_a(value, class)).bits(), epochs })
}

/// Whether the native method of a code is `String#getbyte`, for which units have code.
pub(super) fn reads_byte(ec: &Ec, code: &CodeData) -> bool {
    MethodEntry::from_value(ec, code.method).map(|entry| entry.resolved(ec)).is_some_and(|entry| {
        let is_it = matches!(entry.kind, MethodKind::Native(def) if def.name == "getbyte");
        is_it && entry.owner_value() == ec.vm().known().string.value()
    })
}

/// The answer for receivers of a shape, if the arguments that are known suffice.
pub(super) fn answer(ec: &Ec, question: Question, shape: u32, arguments: &[Option<Value>]) -> Option<Answer> {
    let class = Class::expect(ec.vm().shapes.class_of(ShapeId(shape)));
    let itself = Answer { given: Given::Receiver, epochs: Vec::new() };
    let argument = || if let [Some(argument)] = arguments { Some(*argument) } else { None };
    let word = |value: Value| Answer { given: Given::Word(value.bits()), epochs: Vec::new() };
    let boolean = |is: bool| word(Value::bool(is));
    match question {
        Question::Itself => arguments.is_empty().then_some(itself),
        Question::ItselfIfPlain => {
            let known = ec.vm().known();
            let is_plain = [known.string, known.array].contains(&class);
            (arguments.is_empty() && is_plain).then_some(itself)
        }
        Question::InPlace(what) => {
            let is_full = arguments.len() == what.argument_count();
            is_full.then(|| Answer { given: Given::InPlace(what), epochs: Vec::new() })
        }
        Question::IsNil(is) => arguments.is_empty().then(|| boolean(is)),
        Question::Class if arguments.is_empty() => Some(word(class.real().value())),
        Question::Class => None,
        Question::IsA => {
            let other = Class::from_value(argument()?)?;
            // A class among the ancestors stays there, and none comes.
            let epochs = if other.is_class() { Vec::new() } else { vec![epoch(&ec.vm().ancestry_epoch)] };
            Some(Answer { epochs, ..boolean(class.is_or_inherits(other)) })
        }
        Question::IsInstanceOf => Class::from_value(argument()?).map(|other| boolean(class.real() == other)),
        Question::RespondsTo => responds_to(ec, class, argument()?.as_symbol()?),
    }
}

fn responds_to(ec: &Ec, class: Class, name: SymbolId) -> Option<Answer> {
    let vm = ec.vm();
    if vm.may_be_refined(name) {
        return None;
    }
    let mut epochs = vec![epoch(vm.method_epoch(name))];
    let found = class.cached_method(ec, name).filter(|method| method.visibility == Visibility::Public);
    let is_there = match found {
        Some(method) => method.is_implemented(ec),
        None => {
            let missing = class.cached_method(ec, sym::RESPOND_TO_MISSING)?;
            if missing.owner_value() != vm.known().kernel.value() || !missing.is_core(ec) {
                return None;
            }
            epochs.push(epoch(vm.method_epoch(sym::RESPOND_TO_MISSING)));
            false
        }
    };
    Some(Answer { given: Given::Word(Value::bool(is_there).bits()), epochs })
}

pub(super) fn epoch(counter: &AtomicU32) -> Epoch {
    Epoch { address: std::ptr::from_ref(counter).expose_provenance() as u64, value: counter.load(Ordering::Acquire) }
}
