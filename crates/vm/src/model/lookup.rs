//! What a Ractor remembers by shape, for calls without an inline cache: what `(shape, name)` resolves to, and whether objects of a
//! shape are instances of a class or module.

use crate::ec::Ec;
use crate::model::class::Class;
use crate::model::method::MethodEntry;
use crate::model::shape::shape_of;
use carat_layout::{SymbolId, Value};
use std::cell::Cell;
use std::sync::atomic::Ordering;

const ENTRIES: usize = 1024;

#[derive(Clone, Copy)]
struct Entry {
    shape: u32,
    name: SymbolId,
    epoch: u32,
    method: *const MethodEntry,
}

const EMPTY: Entry = Entry { shape: 0, name: SymbolId(0), epoch: 0, method: std::ptr::null() };

pub(crate) struct MethodCache(Box<[Cell<Entry>]>);

impl MethodCache {
    pub(crate) fn new() -> MethodCache {
        MethodCache((0..ENTRIES).map(|_| Cell::new(EMPTY)).collect())
    }

    /// Forgets everything: numbers of shapes are given to others.
    pub(crate) fn clear(&self) {
        self.0.iter().for_each(|e| e.set(EMPTY));
    }

    fn slot(&self, shape: u32, name: SymbolId) -> &Cell<Entry> {
        &self.0[(shape.wrapping_mul(0x9E37_79B1) ^ name.0.wrapping_mul(0x85EB_CA6B)) as usize % ENTRIES]
    }
}

/// Entries of [`KindCache`].
pub(crate) const KINDS: usize = 512;

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) shape: u32,
    /// The VM's `ancestry_epoch`.
    pub(crate) epoch: u32,
    /// The class's word, which is even, and the answer as the lowest bit.
    pub(crate) answer: u64,
}

/// Factors of a [`KindCache`]'s hash: of the shape, and of the class's word without its last bits.
pub(crate) const KIND_FACTORS: (u32, u32) = (0x9E37_79B1, 0x85EB_CA6B);

/// What `is_a?` answered.
pub(crate) struct KindCache(Box<[Cell<Kind>]>);

impl KindCache {
    pub(crate) fn new() -> KindCache {
        KindCache((0..KINDS).map(|_| Cell::new(Kind { shape: 0, epoch: 0, answer: 0 })).collect())
    }

    /// Forgets everything: classes died, and others may come to their places.
    pub(crate) fn clear(&self) {
        self.0.iter().for_each(|e| e.set(Kind { shape: 0, epoch: 0, answer: 0 }));
    }

    /// Where the entries are, for machine code.
    pub(crate) fn address(&self) -> usize {
        self.0.as_ptr().expose_provenance()
    }

    fn slot(&self, shape: u32, class: u64) -> &Cell<Kind> {
        let (of_shape, of_class) = KIND_FACTORS;
        let hash = shape.wrapping_mul(of_shape) ^ ((class >> 4) as u32).wrapping_mul(of_class);
        &self.0[(hash >> 16) as usize % KINDS]
    }
}

impl Ec {
    /// `obj.is_a?(class)`.
    #[inline]
    pub fn is_a(&self, value: Value, class: Class) -> bool {
        let (shape, bits) = (shape_of(value).0, class.value().bits());
        let epoch = self.vm().ancestry_epoch.load(Ordering::Acquire);
        let slot = self.ractor().kind_cache.slot(shape, bits);
        let known = slot.get();
        if known.shape == shape && known.epoch == epoch && known.answer & !1 == bits {
            return known.answer & 1 != 0;
        }
        self.is_a_slow(value, class, epoch, slot)
    }

    #[inline(never)]
    fn is_a_slow(&self, value: Value, class: Class, epoch: u32, slot: &Cell<Kind>) -> bool {
        let found = self.class_of(value).is_or_inherits(class);
        slot.set(Kind { shape: shape_of(value).0, epoch, answer: class.value().bits() | u64::from(found) });
        found
    }

    /// The method that `receiver.name` finds, whatever its visibility. Refinements do not count.
    #[inline]
    pub fn find_method(&self, receiver: Value, name: SymbolId) -> Option<&MethodEntry> {
        self.find_cached(shape_of(receiver).0, name, || self.class_of(receiver))
    }

    #[inline]
    fn find_cached(&self, shape: u32, name: SymbolId, class: impl Fn() -> Class) -> Option<&MethodEntry> {
        let epoch = self.vm().method_epoch(name).load(Ordering::Acquire);
        let slot = self.ractor().method_cache.slot(shape, name);
        let entry = slot.get();
        if entry.shape == shape && entry.name == name && entry.epoch == epoch {
            // SAFETY: a class has this shape, or the cache would have been cleared when the number was reused; it or an ancestor has
            // the entry, or the name's epoch would be another.
            return unsafe { entry.method.as_ref() };
        }
        let found = class().find_method(self, name);
        let method = found.map_or(std::ptr::null(), std::ptr::from_ref);
        slot.set(Entry { shape, name, epoch, method });
        found
    }

    /// Whether `receiver` answers `name` with the very method that `owner` came with: nothing overrides it, and no program
    /// defined it anew.
    pub fn responds_with(&self, receiver: Value, name: SymbolId, owner: Class) -> bool {
        self.find_method(receiver, name).is_some_and(|m| m.owner_value() == owner.value() && m.is_core(self))
    }
}

impl Class {
    /// As [`Ec::find_method`], for an object of this class.
    pub fn cached_method(self, ec: &Ec, name: SymbolId) -> Option<&MethodEntry> {
        ec.find_cached(self.root_shape().0, name, || self)
    }
}
