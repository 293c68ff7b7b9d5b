//! How a hash holds its entries.
//!
//! # Layout
//! The words behind the default (a set has none) are, by the storage bits of the header:
//! * *embedded*: the entries themselves, as many as the slot has room for;
//! * *none*: nothing yet;
//! * *linear*: the address of a block of two, four or eight entries;
//! * *table*: the address of a [`Table`].
//!
//! The first three keep their counts in the header and no hashes: while a hash is small its keys are plain and frozen (or it
//! compares by identity), and comparing them is as quick as comparing hashes. A key of another kind moves everything to a table.
//!
//! # Invariants
//! While an iteration is under way entries never move, so positions stay valid: what changes the storage then keeps the places of
//! deleted entries.

use super::hashing::{is_equal_by_identity, is_plain_and_frozen};
use super::table::{Head, Table, fold};
use super::{Hash, LINEAR_MAX};
use crate::ec::Ec;
use crate::inspect::recorder::{self, Event};
use crate::value::object::Mold;
use carat_layout::{Header, HeapType, RHash, RSet, Value, flags};
use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::ptr::NonNull;

/// The entries of any storage: `used` of them, of `stride` words each.
#[derive(Clone, Copy)]
pub(super) struct Entries {
    first: *mut Value,
    stride: usize,
    pub(super) used: usize,
}

impl Entries {
    #[inline]
    pub(super) fn key(self, number: usize) -> Value {
        debug_assert!(number < self.used);
        // SAFETY: entries in use are initialised, and nobody writes while callers look.
        unsafe { *self.first.add(number * self.stride) }
    }

    /// The value; true in a set.
    #[inline]
    pub(super) fn value(self, number: usize) -> Value {
        debug_assert!(number < self.used);
        // SAFETY: as for keys.
        if self.stride == 2 { unsafe { *self.first.add(number * 2 + 1) } } else { Value::TRUE }
    }

    /// # Safety
    /// The entry is in use, or there is room for it, and nothing borrows the entries.
    #[inline]
    unsafe fn write(self, number: usize, key: Value, value: Value) {
        // SAFETY: by contract.
        unsafe {
            self.first.add(number * self.stride).write(key);
            if self.stride == 2 {
                self.first.add(number * 2 + 1).write(value);
            }
        }
    }
}

/// What an entry adds to a header that counts them.
const ONE_MORE: u64 = 1 << flags::HASH_USED_MASK.trailing_zeros() | 1 << flags::HASH_LIVE_MASK.trailing_zeros();

fn linear_layout(capacity: usize, stride: usize) -> Layout {
    Layout::array::<Value>(capacity * stride).expect("a few words")
}

impl Hash {
    // ---- the header ----

    #[inline]
    pub(super) fn bits(self) -> u64 {
        self.header().bits()
    }

    #[inline]
    fn bits_under(self, mask: u64) -> usize {
        ((self.bits() & mask) >> mask.trailing_zeros()) as usize
    }

    fn set_bits_under(self, mask: u64, value: usize) {
        self.header().replace(mask, (value as u64) << mask.trailing_zeros());
    }

    #[inline]
    pub(super) fn is_table(self) -> bool {
        self.bits() & flags::STORAGE_MASK == flags::HASH_TABLE
    }

    #[inline]
    pub(super) fn is_set(self) -> bool {
        self.bits() & flags::TYPE_MASK == HeapType::Set as u64
    }

    /// Words of an entry.
    #[inline]
    fn stride(self) -> usize {
        if self.is_set() { 1 } else { 2 }
    }

    /// The words behind the fixed ones.
    #[inline]
    fn tail(self) -> *mut Value {
        // SAFETY: the object is a live RHash or RSet.
        unsafe {
            if self.is_set() {
                (&raw mut (*self.value().as_ptr::<RSet>()).tail).cast()
            } else {
                (&raw mut (*self.value().as_ptr::<RHash>()).tail).cast()
            }
        }
    }

    /// The address of a block or table; garbage in any other storage.
    #[inline]
    fn outside(self) -> *mut Value {
        // SAFETY: the slot has one word at least behind the fixed ones.
        unsafe { *self.tail().cast::<*mut Value>() }
    }

    // ---- reading ----

    /// The table, of a hash that has one.
    #[inline]
    pub(super) fn table(self) -> Option<Table> {
        // SAFETY: the storage bits say that the word is the address of a table, which is this hash's alone.
        self.is_table().then(|| unsafe { Table::at(self.outside()) })
    }

    #[inline]
    pub(super) fn entries(self) -> Entries {
        let stride = self.stride();
        let used = self.bits_under(flags::HASH_USED_MASK);
        match self.bits() & flags::STORAGE_MASK {
            flags::HASH_EMBEDDED => Entries { first: self.tail(), stride, used },
            flags::HASH_LINEAR => Entries { first: self.outside(), stride, used },
            flags::HASH_TABLE => {
                // SAFETY: as in `table`.
                let table = unsafe { Table::at(self.outside()) };
                Entries { first: table.entries(), stride, used: table.head().used as usize }
            }
            _ => Entries { first: self.tail(), stride, used: 0 },
        }
    }

    /// Live entries.
    #[inline]
    pub(super) fn live(self) -> usize {
        self.table().map_or_else(|| self.bits_under(flags::HASH_LIVE_MASK), |t| t.head().live as usize)
    }

    /// Number of an entry before which everything is deleted.
    #[inline]
    pub(super) fn first_live(self) -> usize {
        self.table().map_or(0, |t| t.head().first as usize)
    }

    /// A number that changes whenever entries are added, removed or moved.
    pub(super) fn version(self) -> u64 {
        let mask = flags::STORAGE_MASK | flags::HASH_USED_MASK | flags::HASH_LIVE_MASK;
        self.table().map_or(self.bits() & mask, |t| u64::from(t.head().version) << 32)
    }

    /// Entries that fit without moving.
    pub(super) fn capacity(self) -> usize {
        match self.bits() & flags::STORAGE_MASK {
            flags::HASH_EMBEDDED => self.embedded_capacity(),
            flags::HASH_LINEAR => 2 << self.bits_under(flags::HASH_SIZE_MASK),
            _ => self.table().map_or(0, Table::capacity),
        }
    }

    fn embedded_capacity(self) -> usize {
        let fixed = self.tail().addr() - self.value().bits() as usize;
        ((self.header().slot_bytes() - fixed) / (size_of::<Value>() * self.stride())).min(LINEAR_MAX)
    }

    /// Bytes outside the slot.
    pub(super) fn outside_bytes(self) -> usize {
        match self.bits() & flags::STORAGE_MASK {
            flags::HASH_LINEAR => linear_layout(self.capacity(), self.stride()).size(),
            _ => self.table().map_or(0, Table::memsize),
        }
    }

    /// Bytes of the slot that nothing is in.
    pub(crate) fn unused_slot_bytes(self, fields: usize) -> usize {
        let fixed = self.tail().addr() - self.value().bits() as usize;
        let room = self.header().slot_bytes() - fixed - fields * size_of::<Value>();
        match self.bits() & flags::STORAGE_MASK {
            flags::HASH_EMBEDDED => room - self.bits_under(flags::HASH_USED_MASK) * self.stride() * size_of::<Value>(),
            _ => room - size_of::<usize>(),
        }
    }

    // ---- iterations ----

    pub(super) fn iterations(self) -> u32 {
        self.table().map_or(self.bits_under(flags::HASH_ITERATING_MASK) as u32, |t| t.head().iterating)
    }

    /// More iterations at once than the header can count need a table.
    pub(super) fn set_iterations(self, ec: &Ec, count: u32) {
        let most = flags::HASH_ITERATING_MASK >> flags::HASH_ITERATING_MASK.trailing_zeros();
        if !self.is_table() && u64::from(count) > most && !self.move_to_table(ec, LINEAR_MAX) {
            handle_alloc_error(Layout::new::<Head>());
        }
        match self.table() {
            Some(table) => table.head_mut().iterating = count,
            None => self.set_bits_under(flags::HASH_ITERATING_MASK, count as usize),
        }
    }

    // ---- writing ----

    #[inline]
    fn set_counts(self, used: usize, live: usize) {
        let used_bits = (used as u64) << flags::HASH_USED_MASK.trailing_zeros();
        let live_bits = (live as u64) << flags::HASH_LIVE_MASK.trailing_zeros();
        self.header().replace(flags::HASH_USED_MASK | flags::HASH_LIVE_MASK, used_bits | live_bits);
    }

    /// Adds an entry to a hash that is no table. False, with nothing done, if there is no room in eight entries, for `more`
    /// besides if room has to be made.
    pub(super) fn append_linear(self, ec: &Ec, key: Value, value: Value, more: usize) -> bool {
        if self.entries().used == self.capacity() && !self.make_linear_room(ec, more) {
            return false;
        }
        let entries = self.entries();
        // SAFETY: there is room now.
        unsafe { entries.write(entries.used, key, value) };
        // Nobody shares a hash to which entries are added, and neither count passes eight.
        self.header().set_bits(self.bits() + ONE_MORE);
        true
    }

    /// Stores the value of a key that equals nothing but itself: whether the key is new. `None`, with nothing done, if the hash is
    /// frozen, or if a new key has no room as things are or would come while somebody goes through it.
    #[inline]
    pub(crate) fn put_identical(self, ec: &Ec, key: Value, value: Value) -> Option<bool> {
        debug_assert!(is_equal_by_identity(key));
        let bits = self.bits();
        if bits & flags::FROZEN != 0 {
            return None;
        }
        let stride = self.stride();
        let (first, capacity) = match bits & flags::STORAGE_MASK {
            flags::HASH_EMBEDDED => (self.tail(), self.embedded_capacity()),
            flags::HASH_LINEAR => (self.outside(), 2 << self.bits_under(flags::HASH_SIZE_MASK)),
            _ => return self.put_identical_in_table(ec, key, value),
        };
        let entries = Entries { first, stride, used: self.bits_under(flags::HASH_USED_MASK) };
        let found = (0..entries.used).find(|number| entries.key(*number) == key);
        let is_new = found.is_none();
        if is_new && (entries.used == capacity || bits & flags::HASH_ITERATING_MASK != 0) {
            return None;
        }
        // SAFETY: the entry is in use, or there is room for one more.
        unsafe { entries.write(found.unwrap_or(entries.used), key, value) };
        if is_new {
            self.header().set_bits(bits + ONE_MORE);
        }
        ec.heap().barrier(self.value(), value);
        Some(is_new)
    }

    #[inline(never)]
    fn put_identical_in_table(self, ec: &Ec, key: Value, value: Value) -> Option<bool> {
        let is_new = self.table()?.put_identical(ec, key, value)?;
        ec.heap().barrier(self.value(), value);
        Some(is_new)
    }

    /// A hash of up to eight pairs, keys and values in turn, if the keys are plain and frozen, with room for some more.
    pub fn of_plain_pairs(ec: &Ec, pairs: &[Value], more: usize) -> Option<Hash> {
        let count = pairs.len() / 2;
        if count > LINEAR_MAX || !pairs.iter().step_by(2).all(|key| is_plain_and_frozen(*key)) {
            return None;
        }
        let hash = Hash::with_room_for(ec, count, more);
        let mut entries = Entries { first: hash.tail(), stride: 2, used: 0 };
        for pair in pairs.chunks_exact(2) {
            let found = (0..entries.used).find(|number| ec.is_same_plain_key(entries.key(*number), pair[0]));
            let (number, key) = found.map_or((entries.used, pair[0]), |number| (number, entries.key(number)));
            // SAFETY: the slot has room for as many entries; a fresh object needs no barrier.
            unsafe { entries.write(number, key, pair[1]) };
            entries.used += usize::from(found.is_none());
        }
        hash.set_counts(entries.used, entries.used);
        Some(hash)
    }

    /// A new hash with the entries of one whose entries lie in its slot; `None` if they do not.
    #[inline]
    pub(crate) fn copy_embedded(self, ec: &Ec) -> Option<Hash> {
        let bits = self.bits();
        if bits & flags::STORAGE_MASK != flags::HASH_EMBEDDED {
            return None;
        }
        let kept = bits & (flags::STORAGE_MASK | flags::HASH_USED_MASK | flags::HASH_LIVE_MASK);
        let slot = ec.new_slot_in(HeapType::Hash, self.header().pool(), Mold::of(ec.vm().known().hash), kept);
        // SAFETY: the new slot is as large at least, and both hold an RHash with as many entries behind its default.
        unsafe {
            let to = slot.cast::<RHash>().as_ptr();
            (*to).default = Value::NIL;
            let words = 2 * self.bits_under(flags::HASH_USED_MASK);
            std::ptr::copy_nonoverlapping(self.tail(), (&raw mut (*to).tail).cast(), words);
            Some(Hash(Value::from_heap(slot)))
        }
    }

    #[inline(never)]
    fn make_linear_room(self, ec: &Ec, more: usize) -> bool {
        self.compact_linear();
        let used = self.entries().used;
        if used < self.capacity() {
            return true;
        }
        let needed = used.saturating_add(more).saturating_add(1);
        if needed > LINEAR_MAX {
            return false;
        }
        self.move_to_block(ec, needed);
        true
    }

    /// Closes the places of deleted entries, unless an iteration would miss entries by that.
    fn compact_linear(self) {
        let entries = self.entries();
        if self.live() == entries.used || self.iterations() > 0 {
            return;
        }
        let mut kept = 0;
        for number in 0..entries.used {
            let (key, value) = (entries.key(number), entries.value(number));
            if !key.is_undef() {
                // SAFETY: the place is in use or was until now.
                unsafe { entries.write(kept, key, value) };
                kept += 1;
            }
        }
        self.set_counts(kept, kept);
    }

    /// Moves the entries to a block that has room for `needed` of them.
    fn move_to_block(self, ec: &Ec, needed: usize) {
        let capacity = needed.next_power_of_two().max(2);
        let layout = linear_layout(capacity, self.stride());
        // SAFETY: the layout is not empty.
        let Some(block) = NonNull::new(unsafe { alloc(layout) }.cast::<Value>()) else { handle_alloc_error(layout) };
        let old = self.entries();
        // SAFETY: the block has room for more entries than there are, which are initialised; it is fresh.
        unsafe { std::ptr::copy_nonoverlapping(old.first, block.as_ptr(), old.used * old.stride) };
        self.install(ec, flags::HASH_LINEAR, block.as_ptr(), layout.size());
        self.set_bits_under(flags::HASH_SIZE_MASK, capacity.trailing_zeros() as usize - 1);
    }

    /// Moves the entries to a table with room for `capacity` of them at least. False, with nothing done, if there is no memory.
    pub(super) fn move_to_table(self, ec: &Ec, capacity: usize) -> bool {
        let keeps_places = self.iterations() > 0;
        let capacity = capacity.max(if keeps_places { self.entries().used } else { self.live() });
        if !ec.would_allocate(capacity.saturating_mul(self.stride() * size_of::<Value>())) {
            return false;
        }
        let Some(table) = Table::allocate(capacity, self.stride()) else { return false };
        match self.table() {
            Some(old) => old.copy_to(table, keeps_places),
            None => self.copy_linear_to(ec, table, keeps_places),
        }
        let bytes = table.memsize();
        if ec.is_recording() && self.live() > 0 {
            recorder::event(ec, self.value(), Event::TableGrown { from: self.outside_bytes(), to: bytes });
        }
        self.install(ec, flags::HASH_TABLE, table.address(), bytes);
        self.set_counts(0, 0);
        self.set_bits_under(flags::HASH_ITERATING_MASK, 0);
        true
    }

    fn copy_linear_to(self, ec: &Ec, table: Table, keeps_places: bool) {
        let (entries, live) = (self.entries(), self.live());
        for number in 0..entries.used {
            let key = entries.key(number);
            if keeps_places || !key.is_undef() {
                table.push(fold(self.hash_without_ruby(ec, key)), key, entries.value(number));
            }
        }
        table.head_mut().live = live as u32;
        table.head_mut().iterating = self.iterations();
    }

    /// Makes a block or table, which takes so many bytes, the storage in place of what there is.
    fn install(self, ec: &Ec, storage: u64, outside: *mut Value, bytes: usize) {
        let Some(slot) = self.value().as_heap() else { return };
        // SAFETY: the object is alive, and its storage changes here.
        let freed = unsafe { Hash::release(slot) };
        // SAFETY: the slot has a word for it behind the fixed ones.
        unsafe { self.tail().cast::<*mut Value>().write(outside) };
        self.header().replace(flags::STORAGE_MASK, storage);
        if freed == 0 {
            ec.heap().mark_owning(slot);
        }
        ec.heap().account(bytes as isize - freed as isize);
    }

    /// Frees what lies outside the slot; the entries are gone.
    fn release_storage(self, ec: &Ec) {
        if let Some(slot) = self.value().as_heap() {
            // SAFETY: the object is alive; its storage bits are changed at once.
            let freed = unsafe { Hash::release(slot) };
            ec.heap().account(-(freed as isize));
        }
    }

    /// Takes on another hash's entries in place of its own. False, with nothing done, if there is no memory.
    pub(super) fn copy_entries(self, ec: &Ec, other: Hash) -> bool {
        debug_assert!(self.stride() == other.stride());
        let Some(from) = other.table() else {
            self.copy_linear(ec, other);
            return true;
        };
        let Some(table) = from.duplicate() else { return false };
        let bytes = table.memsize();
        self.forget_entries(ec);
        self.install(ec, flags::HASH_TABLE, table.address(), bytes);
        self.set_bits_under(flags::HASH_ITERATING_MASK, 0);
        true
    }

    fn copy_linear(self, ec: &Ec, other: Hash) {
        self.forget_entries(ec);
        if other.live() > self.capacity() {
            self.move_to_block(ec, other.live());
        }
        let from = other.entries();
        if from.used > self.capacity() {
            return self.copy_linear_live(ec, from);
        }
        // SAFETY: there is room for as many entries, which are initialised, in this hash, which is another one.
        unsafe { std::ptr::copy_nonoverlapping(from.first, self.entries().first, from.used * from.stride) };
        self.set_counts(from.used, other.live());
    }

    /// The same without the places of deleted entries.
    #[cold]
    fn copy_linear_live(self, ec: &Ec, from: Entries) {
        for number in 0..from.used {
            if !from.key(number).is_undef() {
                self.append_linear(ec, from.key(number), from.value(number), 0);
            }
        }
    }

    /// Forgets all entries and gives back their memory.
    pub(super) fn forget_entries(self, ec: &Ec) {
        if self.bits() & flags::STORAGE_MASK != flags::HASH_EMBEDDED {
            self.release_storage(ec);
            self.header().replace(flags::STORAGE_MASK, flags::HASH_NONE);
        }
        self.set_counts(0, 0);
    }

    pub(super) fn remove_linear(self, number: usize) {
        // SAFETY: the entry is in use.
        unsafe { self.entries().write(number, Value::UNDEF, Value::NIL) };
        self.set_bits_under(flags::HASH_LIVE_MASK, self.live() - 1);
        if self.live() == 0 && self.iterations() == 0 {
            self.set_counts(0, 0);
        }
    }

    /// Overwrites the value of an entry, if it is in use.
    pub(super) fn write_value(self, number: usize, value: Value) {
        let entries = self.entries();
        if number < entries.used {
            // SAFETY: the entry is in use.
            unsafe { entries.write(number, entries.key(number), value) };
        }
    }

    // ---- collection ----

    /// The default, and where the words of the entries begin and how many there are.
    ///
    /// # Safety
    /// The object is a live hash or set to which nobody writes.
    #[inline]
    pub(crate) unsafe fn raw_parts(object: NonNull<Header>) -> (Value, *const Value, usize) {
        // SAFETY: by contract.
        let hash = Hash(unsafe { Value::from_heap(object) });
        let entries = hash.entries();
        // SAFETY: by contract.
        let default = if hash.is_set() { Value::NIL } else { unsafe { (*object.cast::<RHash>().as_ptr()).default } };
        (default, entries.first, entries.used * entries.stride)
    }

    /// # Safety
    /// The object is a hash or set whose storage is not looked at any more.
    pub(crate) unsafe fn release(object: NonNull<Header>) -> usize {
        // SAFETY: by contract.
        let hash = Hash(unsafe { Value::from_heap(object) });
        // SAFETY: blocks and tables were made with the layouts that header and table tell, and are this object's alone.
        unsafe {
            match hash.bits() & flags::STORAGE_MASK {
                flags::HASH_LINEAR => {
                    let capacity = 2 << hash.bits_under(flags::HASH_SIZE_MASK);
                    let layout = linear_layout(capacity, hash.stride());
                    dealloc(hash.outside().cast(), layout);
                    layout.size()
                }
                flags::HASH_TABLE => {
                    let table = Table::at(hash.outside());
                    let bytes = table.memsize();
                    table.free();
                    bytes
                }
                _ => 0,
            }
        }
    }
}
