//! What a Ractor remembers by shape, for calls without an inline cache: what `(shape, name)` resolves to, and whether objects of a
//! shape are instances of a class or module. And by class: what a constant's name resolves to, for `const_get`.

use crate::ec::Ec;
use crate::model::class::Class;
use crate::model::method::MethodEntry;
use crate::model::shape::shape_of;
use carat_layout::{SymbolId, Value};
use std::cell::{Cell, OnceCell};
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

/// Sets of [`KindCache`], and entries of each.
pub(crate) const KIND_SETS: usize = 128;
pub(crate) const KIND_WAYS: usize = 4;

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    /// The shape, and above it the VM's `ancestry_epoch`.
    pub(crate) key: u64,
    /// The class's word, which is even, and the answer as the lowest bit.
    pub(crate) answer: u64,
}

const NO_KIND: Kind = Kind { key: 0, answer: 0 };

/// Factors of a [`KindCache`]'s hash: of the shape, and of the class's word without its last bits.
pub(crate) const KIND_FACTORS: (u32, u32) = (0x9E37_79B1, 0x85EB_CA6B);

/// What `is_a?` answered.
///
/// A set has four entries, because where classes lie differs from run to run: with one entry, one run in a few had two
/// questions of the same loop in one place, and each made the other be asked anew.
pub(crate) struct KindCache(Box<[KindSet]>);

/// A line of the processor's cache.
#[repr(C, align(64))]
struct KindSet([Cell<Kind>; KIND_WAYS]);

impl KindCache {
    pub(crate) fn new() -> KindCache {
        KindCache((0..KIND_SETS).map(|_| KindSet([const { Cell::new(NO_KIND) }; KIND_WAYS])).collect())
    }

    /// Forgets everything: classes died, and others may come to their places.
    pub(crate) fn clear(&self) {
        self.0.iter().flat_map(|set| &set.0).for_each(|kind| kind.set(NO_KIND));
    }

    /// Where the entries are, for machine code.
    pub(crate) fn address(&self) -> usize {
        self.0.as_ptr().expose_provenance()
    }

    fn set(&self, shape: u32, class: u64) -> &KindSet {
        let (of_shape, of_class) = KIND_FACTORS;
        let hash = shape.wrapping_mul(of_shape) ^ ((class >> 4) as u32).wrapping_mul(of_class);
        &self.0[(hash >> 16) as usize % KIND_SETS]
    }
}

impl KindSet {
    fn find(&self, key: u64, class: u64) -> Option<bool> {
        let found = self.0.iter().map(Cell::get).find(|kind| kind.key == key && kind.answer & !1 == class)?;
        Some(found.answer & 1 != 0)
    }

    /// The newest comes first, and the oldest goes.
    fn add(&self, kind: Kind) {
        for way in (1..KIND_WAYS).rev() {
            self.0[way].set(self.0[way - 1].get());
        }
        self.0[0].set(kind);
    }
}

const CONSTANT_ENTRIES: usize = 64;

#[derive(Clone, Copy)]
struct ConstantEntry {
    class: u64,
    name: SymbolId,
    epoch: u32,
    value: Value,
}

/// No class has this word.
const NO_CONSTANT: ConstantEntry = ConstantEntry { class: 0, name: SymbolId(0), epoch: 0, value: Value::NIL };

/// What names of constants resolved to in classes and their ancestors, while each name's epoch stood at a number. As long as it
/// stands there a class that lives keeps the value alive.
#[derive(Default)]
pub(crate) struct ConstantCache(OnceCell<Box<[Cell<ConstantEntry>]>>);

impl ConstantCache {
    /// Forgets everything: classes died, and others may come to their places.
    pub(crate) fn clear(&self) {
        self.0.get().into_iter().flatten().for_each(|entry| entry.set(NO_CONSTANT));
    }

    fn slot(&self, class: u64, name: SymbolId) -> &Cell<ConstantEntry> {
        let entries = self.0.get_or_init(|| vec![Cell::new(NO_CONSTANT); CONSTANT_ENTRIES].into());
        let hash = ((class >> 4) as u32).wrapping_mul(0x85EB_CA6B) ^ name.0.wrapping_mul(0x9E37_79B1);
        &entries[(hash >> 16) as usize % CONSTANT_ENTRIES]
    }
}

impl Class {
    /// The value of a constant of a class or its ancestors, for modules also of Object, that nothing has to be done for: nobody is to be
    /// warned of it, no file to be loaded, and all threads of the main Ractor, which alone asks, see it.
    #[inline]
    pub fn plain_constant_above(self, ec: &Ec, name: SymbolId) -> Option<Value> {
        if !ec.is_main_ractor() {
            return None;
        }
        let bits = self.value().bits();
        let epoch = ec.vm().constant_epoch(name).load(Ordering::Acquire);
        let slot = ec.ractor().constant_cache.slot(bits, name);
        let known = slot.get();
        if known.class == bits && known.name == name && known.epoch == epoch {
            return Some(known.value);
        }
        let value = self.search_plain_constant(ec, name)?;
        if ec.sees_what_all_see() {
            slot.set(ConstantEntry { class: bits, name, epoch, value });
        }
        Some(value)
    }

    #[inline(never)]
    fn search_plain_constant(self, ec: &Ec, name: SymbolId) -> Option<Value> {
        let above = self.is_module().then(|| ec.vm().known().object.scope_order());
        let holder = self.scope_order().chain(above.into_iter().flatten()).find(|class| class.has_constant(name))?;
        holder.plain_constant(name)
    }
}

impl Ec {
    /// `obj.is_a?(class)`.
    #[inline]
    pub fn is_a(&self, value: Value, class: Class) -> bool {
        let (shape, bits) = (shape_of(value).0, class.value().bits());
        let epoch = self.vm().ancestry_epoch.load(Ordering::Acquire);
        let key = u64::from(epoch) << 32 | u64::from(shape);
        let set = self.ractor().kind_cache.set(shape, bits);
        set.find(key, bits).unwrap_or_else(|| self.is_a_slow(value, class, key, set))
    }

    #[inline(never)]
    fn is_a_slow(&self, value: Value, class: Class, key: u64, set: &KindSet) -> bool {
        let found = self.class_of(value).is_or_inherits(class);
        set.add(Kind { key, answer: class.value().bits() | u64::from(found) });
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
