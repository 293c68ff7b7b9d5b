//! Core operators that programs redefined: the interpreter's fast paths then ask before they act.
//!
//! A bit for each (class, operator) pair lives in the VM. The handlers of `opt_*` instructions test their bit only after the
//! operator's handler was swapped: see [`crate::run::interp::refresh_table`].

use crate::ec::Ec;
use crate::model::class::Class;
use crate::model::symbol::sym;
use carat_layout::SymbolId;
use std::sync::atomic::Ordering;

/// Methods of core classes that instructions bypass, or native methods.
const WATCHED: &[SymbolId] = &[
    sym::PLUS,
    sym::MINUS,
    sym::MULT,
    sym::DIV,
    sym::MOD,
    sym::AND,
    sym::OR,
    sym::XOR,
    sym::LTLT,
    sym::GTGT,
    sym::LT,
    sym::LE,
    sym::GT,
    sym::GE,
    sym::EQ,
    sym::NEQ,
    sym::AREF,
    sym::ASET,
    sym::NOT,
    sym::UMINUS,
    sym::LENGTH,
    sym::SIZE,
    sym::EMPTY_P,
    sym::NIL_P,
    sym::SUCC,
    sym::EQQ,
    sym::TO_S,
    sym::CALL,
    sym::CMP,
    sym::MAX,
    sym::MIN,
    sym::INCLUDE_P,
    sym::FREEZE,
    sym::HASH,
    sym::DEFAULT,
    sym::TO_F,
];

/// A core class whose operators instructions bypass, or a module that stands before one. Of sets they bypass few.
fn is_watched_class(ec: &Ec, class: Class, name: SymbolId) -> bool {
    let stands_before = |core: &Class| class.is_module() && core.directly_prepended().contains(&class.value());
    let watched = watched_classes(ec);
    let is_one = |core: &Class| *core == class || stands_before(core);
    let is_of_sets = matches!(name, sym::LTLT | sym::LENGTH | sym::SIZE | sym::EMPTY_P);
    watched.iter().any(is_one) || is_of_sets && is_one(&ec.vm().known().set)
}

fn watched_classes(ec: &Ec) -> [Class; 19] {
    let k = ec.vm().known();
    [
        k.integer,
        k.float,
        k.string,
        k.symbol,
        k.array,
        k.hash,
        k.nil_class,
        k.true_class,
        k.false_class,
        k.object,
        k.basic_object,
        k.kernel,
        k.comparable,
        k.numeric,
        k.proc,
        k.range,
        k.class,
        k.module,
        k.regexp,
    ]
}

/// Instructions bypass a method of this name in this class, as long as nobody redefines it.
pub(crate) fn is_watched(ec: &Ec, class: Class, name: SymbolId) -> bool {
    ec.vm().is_booted() && WATCHED.contains(&name) && is_watched_class(ec, class, name)
}

/// A method was added to or removed from a class after boot.
pub(crate) fn note(ec: &Ec, class: Class, name: SymbolId) {
    // What a refinement defines stands before its class, wherever it is active.
    let class = class.refined().unwrap_or(class);
    if !is_watched(ec, class, name) {
        return;
    }
    ec.vm().redefined.fetch_or(bit(name), Ordering::Release);
    // Whoever found it as it was, after the name had been counted, finds another number now.
    ec.vm().method_epoch(name).fetch_add(1, Ordering::Release);
    ec.refresh_instruction_tables();
}

/// Ancestors changed: a prepended module may now stand before a core class.
pub(crate) fn recheck(ec: &Ec) {
    if !ec.vm().is_booted() {
        return;
    }
    let k = ec.vm().known();
    let classes =
        [k.integer, k.float, k.string, k.symbol, k.array, k.hash, k.nil_class, k.proc, k.true_class, k.false_class];
    for class in classes.into_iter().chain([k.set]) {
        for module in class.directly_prepended() {
            for name in Class::expect(module).own_method_names() {
                note(ec, class, name);
            }
        }
    }
}

/// The bits of names by their numbers, which are fixed for those that are watched.
const BITS: [u64; last_watched() + 1] = {
    let mut bits = [0; last_watched() + 1];
    let mut i = 0;
    while i < WATCHED.len() {
        bits[WATCHED[i].0 as usize] = 1 << i;
        i += 1;
    }
    bits
};

const fn last_watched() -> usize {
    let (mut last, mut i) = (0, 0);
    while i < WATCHED.len() {
        if WATCHED[i].0 > last {
            last = WATCHED[i].0;
        }
        i += 1;
    }
    last as usize
}

#[inline(always)]
fn bit(name: SymbolId) -> u64 {
    BITS.get(name.0 as usize).copied().unwrap_or(0)
}

/// Some core class has its own `name` now.
#[inline(always)]
/// The address of a byte, and the bit of it that says whether a method is redefined, for machine code.
pub(crate) fn flag_of(ec: &Ec, name: SymbolId) -> (usize, u8) {
    const { assert!(cfg!(target_endian = "little")) };
    let bit = bit(name).trailing_zeros() as usize;
    (std::ptr::from_ref(&ec.vm().redefined).addr() + bit / 8, 1 << (bit % 8))
}

pub(crate) fn is_redefined(ec: &Ec, name: SymbolId) -> bool {
    ec.vm().redefined.load(Ordering::Acquire) & bit(name) != 0
}

impl Ec {
    /// Nobody redefined this operator in a core class, so that what it says of numbers can be computed without it.
    pub fn has_core_operator(&self, name: SymbolId) -> bool {
        !is_redefined(self, name)
    }
}
