//! Hashes: insertion-ordered tables from values to values.
//!
//! # Layout
//! The slot holds a pointer to a [`Table`] (null while empty) and the default. Entries lie in one vector in insertion
//! order; a deleted entry keeps its place with an undef key. Up to [`LINEAR_MAX`] entries are searched in order; above
//! that an open-addressed index of entry numbers is kept.
//!
//! # Invariants
//! * While an iteration is under way (`iterating > 0`) entries never move, so positions stay valid.
//! * Keys compare by `eql?` and `hash`, which may run Ruby code: no table borrow is held across them, and a lookup that
//!   called Ruby starts over if the table changed meanwhile.

use crate::class::Class;
use crate::ec::{Ec, Result};
use crate::string::Str;
use crate::symbol::sym;
use carat_layout::{Header, HeapType, RHash, ShapeId, SymbolId, Value, flags, pool_for};
use std::ptr::NonNull;

/// Entries that are found by looking at each.
const LINEAR_MAX: usize = 8;

const EMPTY: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Entry {
    hash: u64,
    key: Value,
    value: Value,
}

#[derive(Default)]
pub(crate) struct Table {
    entries: Vec<Entry>,
    /// Live entries.
    live: usize,
    /// Position in `entries` before which everything is deleted.
    first: usize,
    /// Entry numbers by hash, linear probing; empty while searching in order. A power of two long.
    index: Vec<u32>,
    iterating: u32,
    /// Changes whenever entries are added, removed or moved.
    version: u32,
}

impl Table {
    fn probe(&self, hash: u64) -> usize {
        (hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & (self.index.len() - 1)
    }

    /// Number of the entry of a key that equals nothing but itself.
    fn find_identical(&self, key: Value) -> Option<usize> {
        if self.index.is_empty() {
            return self.entries.iter().position(|e| e.key == key);
        }
        let mut at = self.probe(identity_hash(key));
        loop {
            let number = self.index[at];
            if number == EMPTY {
                return None;
            }
            if self.entries[number as usize].key == key {
                return Some(number as usize);
            }
            at = (at + 1) & (self.index.len() - 1);
        }
    }

    fn rebuild_index(&mut self) {
        if self.entries.len() <= LINEAR_MAX {
            self.index.clear();
            return;
        }
        let size = (self.entries.capacity().max(self.entries.len()) * 2).next_power_of_two();
        self.index.clear();
        self.index.resize(size, EMPTY);
        for number in 0..self.entries.len() {
            if !self.entries[number].key.is_undef() {
                self.index_entry(number);
            }
        }
    }

    fn index_entry(&mut self, number: usize) {
        let mask = self.index.len() - 1;
        let mut at = self.probe(self.entries[number].hash);
        while self.index[at] != EMPTY {
            at = (at + 1) & mask;
        }
        self.index[at] = number as u32;
    }

    fn push(&mut self, entry: Entry) {
        if self.entries.len() == self.entries.capacity() && self.live < self.entries.len() / 2 && self.iterating == 0 {
            self.compact();
        }
        self.entries.push(entry);
        self.live += 1;
        self.version = self.version.wrapping_add(1);
        if self.entries.len() > LINEAR_MAX {
            if self.index.len() < self.entries.len() * 2 {
                self.rebuild_index()
            } else {
                self.index_entry(self.entries.len() - 1)
            }
        }
    }

    /// Room for one more entry, the index included; false, and nothing changed, if there is no memory for it.
    fn make_room(&mut self) -> bool {
        if self.entries.len() < self.entries.capacity() && self.index.len() > self.entries.len() * 2 {
            return true;
        }
        if self.entries.try_reserve(1).is_err() {
            return false;
        }
        let size = (self.entries.capacity() * 2).next_power_of_two();
        self.index.try_reserve_exact(size.saturating_sub(self.index.len())).is_ok()
    }

    fn compact(&mut self) {
        self.entries.retain(|e| !e.key.is_undef());
        self.first = 0;
        self.rebuild_index();
    }

    fn remove(&mut self, number: usize) -> Value {
        let value = self.entries[number].value;
        self.entries[number].key = Value::UNDEF;
        self.entries[number].value = Value::NIL;
        self.live -= 1;
        self.version = self.version.wrapping_add(1);
        while self.first < self.entries.len() && self.entries[self.first].key.is_undef() {
            self.first += 1;
        }
        if self.live == 0 && self.iterating == 0 {
            self.entries.clear();
            self.first = 0;
            self.index.clear();
        }
        value
    }

    pub(crate) fn memsize(&self) -> usize {
        size_of::<Table>() + self.entries.capacity() * size_of::<Entry>() + self.index.capacity() * 4
    }
}

/// A Hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct Hash(Value);

/// Answer of a comparison that needs no Ruby code.
enum Same {
    Yes,
    No,
    AskRuby,
}

impl Hash {
    #[inline]
    pub fn from_value(value: Value) -> Option<Hash> {
        value.is_type(HeapType::Hash).then_some(Hash(value))
    }

    pub fn from_value_unchecked(value: Value) -> Hash {
        debug_assert!(value.is_type(HeapType::Hash));
        Hash(value)
    }

    #[inline]
    pub fn value(self) -> Value {
        self.0
    }

    pub fn new(ec: &Ec) -> Hash {
        Hash::new_shaped(ec, ec.vm().known().hash.root_shape())
    }

    pub fn new_of(ec: &Ec, class: Class) -> Hash {
        Hash::new_shaped(ec, class.root_shape())
    }

    fn new_shaped(ec: &Ec, shape: ShapeId) -> Hash {
        let pool = pool_for(size_of::<RHash>()).expect("fits a slot");
        let slot = ec.new_slot(HeapType::Hash, pool, shape, 0);
        // SAFETY: the slot is fresh and holds an RHash.
        unsafe {
            let hash = slot.cast::<RHash>().as_ptr();
            (*hash).table = std::ptr::null_mut();
            (*hash).default = Value::NIL;
        }
        // SAFETY: the slot is initialised.
        Hash(unsafe { Value::from_heap(slot) })
    }

    fn raw(self) -> *mut RHash {
        // SAFETY: a Hash is a live RHash.
        unsafe { self.0.as_ptr() }
    }

    fn header<'a>(self) -> &'a Header {
        // SAFETY: a Hash is a live heap object.
        unsafe { &*self.0.as_ptr::<Header>() }
    }

    fn table(self, _ec: &Ec) -> Option<&Table> {
        // SAFETY: the pointer is null or a Table that this object owns; `&Ec` excludes writers.
        unsafe { (*self.raw()).table.cast::<Table>().as_ref() }
    }

    /// The table for writing, made on first use. The caller must not call anything else meanwhile.
    #[allow(clippy::mut_from_ref, reason = "callers hold the borrow for one statement that runs no other code")]
    fn table_mut(self, ec: &Ec) -> &mut Table {
        // SAFETY: as above; the borrow lives for one statement of this module that runs no other code.
        unsafe {
            if (*self.raw()).table.is_null() {
                (*self.raw()).table = Box::into_raw(Box::<Table>::default()).cast();
                ec.heap().mark_owning(self.0.as_heap().expect("a hash is a heap object"));
            }
            &mut *(*self.raw()).table.cast::<Table>()
        }
    }

    pub fn len(self, ec: &Ec) -> usize {
        self.table(ec).map_or(0, |t| t.live)
    }

    pub fn is_empty(self, ec: &Ec) -> bool {
        self.len(ec) == 0
    }

    pub fn check_frozen(self, ec: &mut Ec) -> Result<()> {
        if self.header().has(flags::FROZEN) { Err(ec.frozen_error(self.0)) } else { Ok(()) }
    }

    // ---- default and flags ----

    pub fn default(self, _ec: &Ec) -> Value {
        // SAFETY: see `raw`.
        unsafe { (*self.raw()).default }
    }

    pub fn has_default_proc(self) -> bool {
        self.header().has(flags::HASH_PROC_DEFAULT)
    }

    /// Sets the default value, or the default proc.
    pub fn set_default(self, ec: &Ec, default: Value, is_proc: bool) {
        // SAFETY: see `raw`.
        unsafe { (*self.raw()).default = default };
        self.header().replace(flags::HASH_PROC_DEFAULT, if is_proc { flags::HASH_PROC_DEFAULT } else { 0 });
        ec.heap().barrier(self.0, default);
    }

    pub fn compares_by_identity(self) -> bool {
        self.header().has(flags::HASH_BY_IDENTITY)
    }

    /// Only for an empty hash; see `Hash#compare_by_identity`.
    pub fn set_compare_by_identity(self) {
        self.header().set(flags::HASH_BY_IDENTITY);
    }

    pub fn is_ruby2_keywords(self) -> bool {
        self.header().has(flags::RUBY2_KEYWORDS)
    }

    pub fn set_ruby2_keywords(self) {
        self.header().set(flags::RUBY2_KEYWORDS);
    }

    // ---- iteration by position ----

    /// The position behind the next live entry at or after `position`; entry `next - 1` is it.
    pub fn next(self, ec: &Ec, position: usize) -> Option<usize> {
        let table = self.table(ec)?;
        let from = position.max(table.first);
        (from..table.entries.len()).find(|i| !table.entries[*i].key.is_undef()).map(|i| i + 1)
    }

    /// Key of the entry at a position that `next` gave (less one); undef if it was deleted since.
    pub fn key_at(self, ec: &Ec, index: usize) -> Value {
        self.table(ec).and_then(|t| t.entries.get(index)).map_or(Value::UNDEF, |e| e.key)
    }

    pub fn value_at(self, ec: &Ec, index: usize) -> Value {
        self.table(ec).and_then(|t| t.entries.get(index)).map_or(Value::NIL, |e| e.value)
    }

    pub fn set_value_at(self, ec: &Ec, index: usize, value: Value) {
        if let Some(entry) = self.table_mut(ec).entries.get_mut(index) {
            entry.value = value;
        }
        ec.heap().barrier(self.0, value);
    }

    /// From here until the matching `leave_iteration` no key can be added.
    pub fn enter_iteration(self, ec: &Ec) {
        // What is empty cannot be changed by an iteration over it; what is frozen cannot be changed, and may be shared.
        if self.table(ec).is_some() && !ec.is_frozen(self.0) {
            self.table_mut(ec).iterating += 1;
        }
    }

    pub fn leave_iteration(self, ec: &Ec) {
        if self.table(ec).is_some() && !ec.is_frozen(self.0) {
            let table = self.table_mut(ec);
            table.iterating = table.iterating.saturating_sub(1);
        }
    }

    pub fn is_iterating(self, ec: &Ec) -> bool {
        self.table(ec).is_some_and(|t| t.iterating > 0)
    }

    /// All keys and values as a flat array `[k, v, k, v, …]`; safe to walk while Ruby code runs.
    pub fn to_flat_array(self, ec: &Ec) -> crate::Array {
        let flat = crate::Array::new(ec, self.len(ec) * 2);
        let mut position = 0;
        while let Some(next) = self.next(ec, position) {
            flat.push(ec, self.key_at(ec, next - 1));
            flat.push(ec, self.value_at(ec, next - 1));
            position = next;
        }
        flat
    }

    // ---- lookup ----

    /// Value of a key, or `None`. May call `hash` and `eql?`; no default applies.
    pub fn get(self, ec: &mut Ec, key: Value) -> Result<Option<Value>> {
        if is_equal_by_identity(key) {
            return Ok(self.get_identical(ec, key));
        }
        if self.is_empty(ec) {
            return Ok(None);
        }
        let hash = self.hash_of(ec, key)?;
        let number = self.find(ec, hash, key)?;
        Ok(number.map(|n| self.value_at(ec, n)))
    }

    /// Value of a symbol key: calls no Ruby code.
    pub fn get_symbol(self, ec: &Ec, key: SymbolId) -> Option<Value> {
        self.get_identical(ec, Value::symbol(key))
    }

    fn get_identical(self, ec: &Ec, key: Value) -> Option<Value> {
        let table = self.table(ec)?;
        table.find_identical(key).map(|number| table.entries[number].value)
    }

    /// The stored key equal to `key`.
    pub fn find_key(self, ec: &mut Ec, key: Value) -> Result<Option<Value>> {
        if self.is_empty(ec) {
            return Ok(None);
        }
        let hash = self.hash_of(ec, key)?;
        let number = self.find(ec, hash, key)?;
        Ok(number.map(|n| self.key_at(ec, n)))
    }

    fn hash_of(self, ec: &mut Ec, key: Value) -> Result<u64> {
        if self.compares_by_identity() {
            return Ok(identity_hash_strict(key));
        }
        ec.hash_value(key)
    }

    /// Number of the entry whose key equals `key`. Restarts whenever Ruby code changed the table.
    fn find(self, ec: &mut Ec, hash: u64, key: Value) -> Result<Option<usize>> {
        'restart: loop {
            let version = self.table(ec).map_or(0, |t| t.version);
            let mut cursor = None;
            while let Some((number, next)) = self.candidate(ec, hash, cursor) {
                cursor = Some(next);
                let stored = self.key_at(ec, number);
                match self.same_key(ec, stored, key) {
                    Same::Yes => return Ok(Some(number)),
                    Same::No => continue,
                    Same::AskRuby => {}
                }
                let is_same = ec.eql(key, stored)?;
                if self.table(ec).map_or(0, |t| t.version) != version {
                    continue 'restart;
                }
                if is_same {
                    return Ok(Some(number));
                }
            }
            return Ok(None);
        }
    }

    /// The next entry whose hash is `hash`, from a cursor (entry number or index slot) on.
    fn candidate(self, ec: &Ec, hash: u64, cursor: Option<usize>) -> Option<(usize, usize)> {
        let table = self.table(ec)?;
        if table.index.is_empty() {
            let from = cursor.unwrap_or(table.first);
            let found = (from..table.entries.len())
                .find(|i| table.entries[*i].hash == hash && !table.entries[*i].key.is_undef())?;
            return Some((found, found + 1));
        }
        let mask = table.index.len() - 1;
        let mut at = cursor.unwrap_or_else(|| table.probe(hash));
        loop {
            let number = table.index[at & mask];
            if number == EMPTY {
                return None;
            }
            at += 1;
            let entry = &table.entries[number as usize];
            if entry.hash == hash && !entry.key.is_undef() {
                return Some((number as usize, at));
            }
        }
    }

    #[inline]
    fn same_key(self, ec: &Ec, stored: Value, key: Value) -> Same {
        if stored == key {
            return Same::Yes;
        }
        if self.compares_by_identity() {
            let same_float = matches!((stored.is_type(HeapType::Float), key.is_type(HeapType::Float)), (true, true))
                && ec.float_of(stored).map(f64::to_bits) == ec.float_of(key).map(f64::to_bits);
            return if same_float { Same::Yes } else { Same::No };
        }
        if let (Some(a), Some(b)) = (Str::from_value(stored), Str::from_value(key)) {
            return if ec.str_eql(a, b) { Same::Yes } else { Same::No };
        }
        if !stored.is_heap() && !key.is_heap() { Same::No } else { Same::AskRuby }
    }

    // ---- writing ----

    /// Stores a value. String keys are the caller's business: see [`Hash::store`].
    pub fn set(self, ec: &mut Ec, key: Value, value: Value) -> Result<()> {
        if is_equal_by_identity(key) {
            let Some(number) = self.table(ec).and_then(|table| table.find_identical(key)) else {
                return self.insert_new(ec, identity_hash(key), key, value);
            };
            self.set_value_at(ec, number, value);
            return Ok(());
        }
        let hash = self.hash_of(ec, key)?;
        match self.find(ec, hash, key)? {
            Some(number) => self.set_value_at(ec, number, value),
            None => self.insert_new(ec, hash, key, value)?,
        }
        Ok(())
    }

    fn insert_new(self, ec: &mut Ec, hash: u64, key: Value, value: Value) -> Result<()> {
        if self.is_iterating(ec) {
            return Err(ec.runtime_error("can't add a new key into hash during iteration"));
        }
        let before = self.table(ec).map_or(0, Table::memsize);
        if before >= crate::os::SMALL_BYTES / 4 && !self.table_mut(ec).make_room() {
            ec.collect_garbage(true);
            if !self.table_mut(ec).make_room() {
                return Err(ec.no_memory());
            }
        }
        self.table_mut(ec).push(Entry { hash, key, value });
        let after = self.table(ec).map_or(0, Table::memsize);
        ec.heap().account(after as isize - before as isize);
        ec.heap().barrier(self.0, key);
        ec.heap().barrier(self.0, value);
        Ok(())
    }

    /// `hash[key] = value`: a string key that is not frozen is copied and frozen.
    pub fn store(self, ec: &mut Ec, key: Value, value: Value) -> Result<()> {
        let key = match Str::from_value(key) {
            Some(s) if !s.is_frozen() && !self.compares_by_identity() => self.frozen_key(ec, s)?,
            _ => key,
        };
        self.set(ec, key, value)
    }

    fn frozen_key(self, ec: &mut Ec, key: Str) -> Result {
        if let Some(existing) = self.find_key(ec, key.value())? {
            return Ok(existing);
        }
        let copy = key.duplicate(ec);
        ec.freeze(copy.value());
        Ok(copy.value())
    }

    pub fn set_symbol(self, ec: &mut Ec, key: SymbolId, value: Value) {
        let key = Value::symbol(key);
        let done = self.set(ec, key, value);
        debug_assert!(done.is_ok() || self.is_iterating(ec));
    }

    /// Removes a key; its value.
    pub fn delete(self, ec: &mut Ec, key: Value) -> Result<Option<Value>> {
        if self.is_empty(ec) {
            return Ok(None);
        }
        let hash = self.hash_of(ec, key)?;
        let found = self.find(ec, hash, key)?;
        Ok(found.map(|number| self.table_mut(ec).remove(number)))
    }

    /// Removes the entry at a position that `next` gave (less one).
    pub fn delete_at(self, ec: &Ec, index: usize) {
        if !self.key_at(ec, index).is_undef() {
            self.table_mut(ec).remove(index);
        }
    }

    pub fn clear(self, ec: &Ec) {
        let table = self.table_mut(ec);
        if table.iterating > 0 {
            for number in 0..table.entries.len() {
                if !table.entries[number].key.is_undef() {
                    table.remove(number);
                }
            }
            return;
        }
        table.version = table.version.wrapping_add(1);
        table.entries = Vec::new();
        table.index = Vec::new();
        table.live = 0;
        table.first = 0;
    }

    /// Takes on another hash's entries (not its default).
    pub fn replace(self, ec: &Ec, other: Hash) {
        if self == other {
            return;
        }
        let entries: Vec<Entry> = other
            .table(ec)
            .map_or_else(Vec::new, |t| t.entries.iter().filter(|e| !e.key.is_undef()).copied().collect());
        self.header().replace(flags::HASH_BY_IDENTITY, other.header().bits() & flags::HASH_BY_IDENTITY);
        let table = self.table_mut(ec);
        table.live = entries.len();
        table.first = 0;
        table.entries = entries;
        table.version = table.version.wrapping_add(1);
        table.rebuild_index();
        let size = table.memsize();
        ec.heap().account(size as isize);
        ec.wrote(self.0);
    }

    /// A copy of the core class Hash, without default.
    pub fn duplicate(self, ec: &Ec) -> Hash {
        let copy = Hash::new(ec);
        copy.replace(ec, self);
        copy
    }

    /// Computes all hashes anew after keys changed. What interrupts this leaves the hash as it was.
    pub fn rehash(self, ec: &mut Ec) -> Result<()> {
        let fresh = Hash::new(ec);
        if self.compares_by_identity() {
            fresh.set_compare_by_identity();
        }
        let mut position = 0;
        while let Some(next) = self.next(ec, position) {
            ec.check_ints()?;
            fresh.set(ec, self.key_at(ec, next - 1), self.value_at(ec, next - 1))?;
            position = next;
        }
        self.check_frozen(ec)?;
        if self.is_iterating(ec) {
            return Err(ec.runtime_error("rehash during iteration"));
        }
        self.replace(ec, fresh);
        Ok(())
    }

    pub fn table_bytes(self, ec: &Ec) -> usize {
        self.table(ec).map_or(0, Table::memsize)
    }

    // ---- collection ----

    pub(crate) fn references(object: NonNull<Header>, visit: &mut dyn FnMut(Value)) {
        // SAFETY: the collector asks for live hashes only, while nobody writes.
        unsafe {
            let hash = object.cast::<RHash>().as_ptr();
            visit((*hash).default);
            if let Some(table) = (*hash).table.cast::<Table>().as_ref() {
                for entry in &table.entries {
                    visit(entry.key);
                    visit(entry.value);
                }
            }
        }
    }

    /// # Safety
    /// The object is a hash that dies.
    pub(crate) unsafe fn release(object: NonNull<Header>) -> usize {
        // SAFETY: by contract; the table belongs to this object.
        unsafe {
            let table = (*object.cast::<RHash>().as_ptr()).table.cast::<Table>();
            if table.is_null() {
                return 0;
            }
            let size = (*table).memsize();
            drop(Box::from_raw(table));
            size
        }
    }
}

/// Hash of a value by its bits, for keys that compare by identity.
pub(crate) fn identity_hash(value: Value) -> u64 {
    value.bits().wrapping_mul(0xFF51_AFD7_ED55_8CCD).rotate_left(32)
}

/// A key that is equal to no other object, however hashes compare: fixnums, symbols, nil and booleans.
fn is_equal_by_identity(key: Value) -> bool {
    !key.is_heap() && !key.is_flonum()
}

fn identity_hash_strict(value: Value) -> u64 {
    if value.is_type(HeapType::Float) {
        // SAFETY: checked just now.
        let f = unsafe { (*value.as_ptr::<carat_layout::RFloat>()).value };
        return f.to_bits().wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    }
    identity_hash(value)
}

impl Ec {
    /// `key.hash` as a hash table uses it; Ruby code runs only for types without a fast form.
    pub fn hash_value(&mut self, key: Value) -> Result<u64> {
        if key.is_fixnum() || key.is_symbol() || !key.is_heap() && !key.is_flonum() {
            return Ok(identity_hash(key));
        }
        if let Some(s) = Str::from_value(key) {
            return Ok(self.str_hash(s));
        }
        if let Some(f) = self.float_of(key) {
            return Ok((if f == 0.0 { 0.0 } else { f }).to_bits().wrapping_mul(0xFF51_AFD7_ED55_8CCD).rotate_left(17));
        }
        let hash = self.call(key, sym::HASH, &[])?;
        Ok(self.hash_bits(hash))
    }

    fn hash_bits(&self, hash: Value) -> u64 {
        match hash.as_fixnum() {
            Some(i) => (i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15),
            None => self.bignum_of(hash).map_or(0, |b| b.iter_u64_digits().fold(0, |h, d| h ^ d)),
        }
    }

    /// `a.eql?(b)` with fast forms.
    pub fn eql(&mut self, a: Value, b: Value) -> Result<bool> {
        if a == b {
            return Ok(true);
        }
        if !a.is_heap() && !b.is_heap() {
            return Ok(false);
        }
        if let (Some(a), Some(b)) = (Str::from_value(a), Str::from_value(b)) {
            return Ok(self.str_eql(a, b));
        }
        Ok(self.call(a, sym::EQL, &[b])?.truthy())
    }

    /// Same bytes in comparable encodings.
    pub fn str_eql(&self, a: Str, b: Str) -> bool {
        if a.bytes(self) != b.bytes(self) {
            return false;
        }
        a.encoding() == b.encoding() || a.is_empty(self) || (a.is_ascii(self) && b.is_ascii(self))
    }

    /// Hash of a string's bytes, seeded per process; strings that are `eql?` hash alike.
    pub fn str_hash(&self, s: Str) -> u64 {
        use std::hash::Hasher;
        let mut hasher = rustc_hash::FxHasher::default();
        hasher.write_u64(self.vm().hash_seed);
        hasher.write(s.bytes(self));
        hasher.finish()
    }
}
