//! Native methods whose answer follows from the shape of the receiver and constant arguments, for units of the optimizing compiler.
//!
//! # Invariants
//! An answer holds as long as its counters stand still, for all receivers of the shape.

use crate::ec::Ec;
use crate::model::class::{Class, Visibility};
use crate::model::method::{MethodEntry, MethodKind};
use crate::model::symbol::sym;
use crate::run::code::CodeData;
use carat_jit::{Answer, Epoch};
use carat_layout::{ShapeId, SymbolId, Value};
use std::sync::atomic::{AtomicU32, Ordering};

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    Itself,
    Class,
    IsA,
    IsInstanceOf,
    RespondsTo,
}

/// What the native method of a code asks, if that is one of these.
pub(super) fn question(ec: &Ec, code: &CodeData) -> Option<Question> {
    let entry = MethodEntry::from_value(ec, code.method)?.resolved(ec);
    let MethodKind::Native(def) = entry.kind else { return None };
    if entry.owner_value() != ec.vm().known().kernel.value() {
        return None;
    }
    Some(match def.name {
        "itself" => Question::Itself,
        "class" => Question::Class,
        "is_a?" | "kind_of?" => Question::IsA,
        "instance_of?" => Question::IsInstanceOf,
        "respond_to?" => Question::RespondsTo,
        _ => return None,
    })
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
    let argument = || if let [Some(argument)] = arguments { Some(*argument) } else { None };
    let boolean = |is: bool| Answer { value: Some(Value::bool(is).bits()), epochs: Vec::new() };
    match question {
        Question::Itself => arguments.is_empty().then_some(Answer { value: None, epochs: Vec::new() }),
        Question::Class if arguments.is_empty() => {
            Some(Answer { value: Some(class.real().value().bits()), epochs: Vec::new() })
        }
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
    Some(Answer { value: Some(Value::bool(is_there).bits()), epochs })
}

fn epoch(counter: &AtomicU32) -> Epoch {
    Epoch { address: std::ptr::from_ref(counter).expose_provenance() as u64, value: counter.load(Ordering::Acquire) }
}
