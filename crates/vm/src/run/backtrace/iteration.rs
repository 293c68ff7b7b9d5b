//! The iteration between a core method and the block that it yields to.
//!
//! CRuby's `Enumerable` calls `each`, and an `Enumerator` the method that it stands for, so that backtraces have their frames.
//! Ours go through core classes themselves, or call helpers of the core library: what CRuby would show is found by asking the
//! receiver for its methods. A program's own `each` has a frame anyway.

use super::Captured;
use crate::ec::Ec;
use crate::model::method::{MethodEntry, MethodKind};
use crate::model::symbol::sym;
use crate::run::code::CodeData;
use crate::run::frame::Fp;
use carat_layout::{SymbolId, Value};

/// Enumerators of enumerators beyond this depth are left out.
const MOST_LEVELS: usize = 16;

/// What `Enumerable` yields behind the iteration, when it has all elements.
const YIELD_AFTERWARDS: [SymbolId; 3] = [sym::SORT, sym::REVERSE_EACH, sym::TO_SET];

/// Adds what runs above the core method of a frame, innermost first, if it iterates.
///
/// # Safety
/// The frame is live, and its code a method's.
pub(super) unsafe fn push_iteration(ec: &Ec, fp: Fp, code: &CodeData, found: &mut Vec<Captured>) {
    let Some(entry) = MethodEntry::from_value(ec, code.method) else { return };
    // SAFETY: by the caller.
    let receiver = unsafe { fp.reg(0) };
    let known = ec.vm().known();
    if entry.owner_value() == known.enumerable.value() {
        if !YIELD_AFTERWARDS.contains(&entry.name) {
            push_method(ec, receiver, sym::EACH, MOST_LEVELS, found);
        }
    } else if entry.owner_value() == known.enumerator.value()
        && let Some((receiver, method)) = enumerated(ec, receiver)
    {
        push_method(ec, receiver, method, MOST_LEVELS, found);
    }
}

/// Adds what runs when a core method yields: the method that it iterates by, and its own frame.
fn push_method(ec: &Ec, receiver: Value, name: SymbolId, levels: usize, found: &mut Vec<Captured>) {
    let Some(entry) = ec.find_method(receiver, name).map(|entry| entry.resolved(ec)).filter(|_| levels > 0) else {
        return;
    };
    let owner = entry.owner_value();
    if owner == ec.vm().known().enumerable.value() {
        push_method(ec, receiver, sym::EACH, levels - 1, found);
    } else if owner == ec.vm().known().enumerator.value()
        && let Some((receiver, method)) = enumerated(ec, receiver)
    {
        push_method(ec, receiver, method, levels - 1, found);
    }
    let is_core = match &entry.kind {
        MethodKind::Native(_) => true,
        MethodKind::Iseq(iseq) => iseq.iseq.flags.is_core,
        _ => false,
    };
    if is_core {
        found.push(Captured { code: entry.code(ec).this, word: 0 });
    }
}

/// What an enumerator calls, and on what.
fn enumerated(ec: &Ec, enumerator: Value) -> Option<(Value, SymbolId)> {
    let method = ec.field(enumerator, sym::METHOD_IVAR).and_then(Value::as_symbol)?;
    Some((ec.field(enumerator, sym::RECEIVER_IVAR)?, method))
}

/// Whether the last frame is the method of `Enumerable` that a method of the same name has called by `super`.
pub(super) fn is_super_of(ec: &Ec, code: &CodeData, found: &[Captured]) -> bool {
    let entry =
        |code: &CodeData| MethodEntry::from_value(ec, code.method).map(|entry| (entry.name, entry.owner_value()));
    let above = found.last().and_then(|last| CodeData::from_value(last.code)).and_then(entry);
    let (Some((name, _)), Some((name_above, owner_above))) = (entry(code), above) else { return false };
    name == name_above && owner_above == ec.vm().known().enumerable.value()
}
