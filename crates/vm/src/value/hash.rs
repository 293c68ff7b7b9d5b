//! Hashes: insertion-ordered tables from values to values; and sets, which are hashes of keys alone.
//!
//! # Code map
//! `storage` is how entries are held: in the slot, in a small block, in a [`table`]; `hashing` is what makes two keys one,
//! `keyed` the hash of a string's bytes, `keys` where string keys come from.
//!
//! # Invariants
//! * While an iteration is under way entries never move, so positions stay valid.
//! * Keys compare by `eql?` and `hash`, which may run Ruby code: no borrow is held across them, and a lookup that called Ruby
//!   starts over if the entries changed meanwhile.

mod hashing;
pub(crate) mod keyed;
pub(crate) mod keys;
mod storage;
mod table;

use crate::ec::{Ec, Result};
use crate::model::class::Class;
use crate::value::array::Array;
use crate::value::object::Mold;
use crate::value::string::Str;
use carat_layout::{Header, HeapType, PoolIndex, RHash, RSet, SymbolId, Value, flags, pool_for};
pub use hashing::hash_mix;
pub(crate) use hashing::is_equal_by_identity;
use hashing::{StringKey, identity_hash_strict, is_plain, is_plain_and_frozen};
use table::{Table, fold};

/// Entries that are found by looking at each.
const LINEAR_MAX: usize = 8;

/// Entries of the first table that is larger.
const FIRST_TABLE: usize = 2 * LINEAR_MAX;

/// About what an entry of a table takes, with its place in the index.
const ENTRY_BYTES: usize = 32;

/// A Hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct Hash(Value);

impl Hash {
    #[inline]
    pub fn from_value(value: Value) -> Option<Hash> {
        value.is_type(HeapType::Hash).then_some(Hash(value))
    }

    /// A set as a hash of keys alone, whose values are true. For what knows both: methods of hashes must not meet one.
    #[inline]
    pub fn from_set(value: Value) -> Option<Hash> {
        value.is_type(HeapType::Set).then_some(Hash(value))
    }

    /// The handle of a value that is known to be a Hash or a Set. Another one is a mistake of ours, and ends the process.
    #[inline]
    #[track_caller]
    pub fn expect(value: Value) -> Hash {
        match Hash::from_value(value).or_else(|| Hash::from_set(value)) {
            Some(handle) => handle,
            None => crate::bug::wrong_type(value, "a Hash or a Set"),
        }
    }

    /// As [`Hash::expect`], without a look at the value.
    ///
    /// # Safety
    /// It is a Hash or a Set.
    #[inline]
    pub(crate) unsafe fn from_value_unchecked(value: Value) -> Hash {
        debug_assert!(
            value.is_type(HeapType::Hash) || value.is_type(HeapType::Set),
            "{value:?} is neither Hash nor Set"
        );
        Hash(value)
    }

    #[inline]
    pub fn value(self) -> Value {
        self.0
    }

    pub fn new(ec: &Ec) -> Hash {
        Hash::with_capacity(ec, 0)
    }

    /// An empty hash of the core class, with room for `capacity` entries.
    pub fn with_capacity(ec: &Ec, capacity: usize) -> Hash {
        Hash::with_capacity_of(ec, ec.vm().known().hash, capacity)
    }

    /// One that gets so many entries now, and some more soon, which are made room for if the slot can have all of them.
    pub(crate) fn with_room_for(ec: &Ec, count: usize, more: usize) -> Hash {
        Hash::with_capacity(ec, if count + more <= LINEAR_MAX { count + more } else { count })
    }

    fn with_capacity_of(ec: &Ec, class: Class, capacity: usize) -> Hash {
        let mold = Mold::of(class);
        if capacity > LINEAR_MAX {
            let hash = Hash::new_in(ec, mold, EMPTY_HASH, flags::HASH_NONE);
            // Without memory for it now, it grows when entries come.
            hash.move_to_table(ec, capacity);
            return hash;
        }
        match capacity {
            0 => Hash::new_in(ec, mold, EMPTY_HASH, flags::HASH_NONE),
            _ => Hash::new_in(ec, mold, EMBEDDED_HASHES[capacity], flags::HASH_EMBEDDED),
        }
    }

    pub fn new_of(ec: &Ec, class: Class) -> Hash {
        Hash::new_in(ec, Mold::of(class), EMPTY_HASH, flags::HASH_NONE)
    }

    /// An empty set.
    pub fn new_set(ec: &Ec, class: Class) -> Hash {
        let slot = ec.new_slot_in(HeapType::Set, SET_SLOT, Mold::of(class), flags::HASH_EMBEDDED);
        // SAFETY: the slot is initialised: none of the entries inside is in use.
        Hash(unsafe { Value::from_heap(slot) })
    }

    fn new_in(ec: &Ec, mold: Mold, pool: PoolIndex, storage: u64) -> Hash {
        let slot = ec.new_slot_in(HeapType::Hash, pool, mold, storage);
        // SAFETY: the slot is fresh and holds an RHash.
        unsafe { (*slot.cast::<RHash>().as_ptr()).default = Value::NIL };
        // SAFETY: the slot is initialised.
        Hash(unsafe { Value::from_heap(slot) })
    }

    fn raw(self) -> *mut RHash {
        debug_assert!(!self.is_set());
        // SAFETY: a Hash that is no set is a live RHash.
        unsafe { self.0.as_ptr() }
    }

    fn header<'a>(self) -> &'a Header {
        // SAFETY: a Hash is a live heap object.
        unsafe { &*self.0.as_ptr::<Header>() }
    }

    pub fn len(self, _ec: &Ec) -> usize {
        self.live()
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
    pub fn next(self, _ec: &Ec, position: usize) -> Option<usize> {
        let entries = self.entries();
        let from = position.max(self.first_live());
        (from..entries.used).find(|i| !entries.key(*i).is_undef()).map(|i| i + 1)
    }

    /// The next live entry at or after `position`, after the position behind it.
    pub fn next_entry(self, _ec: &Ec, position: usize) -> Option<(usize, Value, Value)> {
        let entries = self.entries();
        let from = position.max(self.first_live());
        let index = (from..entries.used).find(|i| !entries.key(*i).is_undef())?;
        Some((index + 1, entries.key(index), entries.value(index)))
    }

    /// Whether a function says so of all keys.
    pub fn all_keys(self, is_it: impl Fn(Value) -> bool) -> bool {
        let entries = self.entries();
        (self.first_live()..entries.used).map(|number| entries.key(number)).all(|key| key.is_undef() || is_it(key))
    }

    /// Key of the entry at a position that `next` gave (less one); undef if it was deleted since.
    pub fn key_at(self, _ec: &Ec, index: usize) -> Value {
        let entries = self.entries();
        if index < entries.used { entries.key(index) } else { Value::UNDEF }
    }

    pub fn value_at(self, _ec: &Ec, index: usize) -> Value {
        let entries = self.entries();
        if index < entries.used { entries.value(index) } else { Value::NIL }
    }

    pub fn set_value_at(self, ec: &Ec, index: usize, value: Value) {
        self.write_value(index, value);
        ec.heap().barrier(self.0, value);
    }

    /// From here until the matching `leave_iteration` no key can be added.
    pub fn enter_iteration(self, ec: &Ec) {
        // What is empty cannot be changed by an iteration over it; what is frozen cannot be changed, and may be shared.
        if self.entries().used > 0 && !ec.is_frozen(self.0) {
            self.set_iterations(ec, self.iterations() + 1);
        }
    }

    pub fn leave_iteration(self, ec: &Ec) {
        let count = self.iterations();
        if count > 0 && !ec.is_frozen(self.0) {
            self.set_iterations(ec, count - 1);
        }
    }

    pub fn is_iterating(self, _ec: &Ec) -> bool {
        self.iterations() > 0
    }

    /// All keys and values as a flat array `[k, v, k, v, …]`; safe to walk while Ruby code runs.
    pub fn to_flat_array(self, ec: &Ec) -> crate::Array {
        let entries = self.entries();
        let both = |number| [entries.key(number), entries.value(number)];
        if self.live() == entries.used {
            return crate::Array::collect(ec, entries.used * 2, (0..entries.used).flat_map(both));
        }
        crate::Array::collect(ec, self.live() * 2, self.live_entries().flat_map(both))
    }

    /// The keys in order.
    pub fn keys(self, ec: &Ec) -> crate::Array {
        let entries = self.entries();
        if self.live() == entries.used {
            return crate::Array::collect(ec, entries.used, (0..entries.used).map(|number| entries.key(number)));
        }
        crate::Array::collect(ec, self.live(), self.live_entries().map(|number| entries.key(number)))
    }

    /// The values in order.
    pub fn values(self, ec: &Ec) -> crate::Array {
        let entries = self.entries();
        if self.live() == entries.used {
            return crate::Array::collect(ec, entries.used, (0..entries.used).map(|number| entries.value(number)));
        }
        crate::Array::collect(ec, self.live(), self.live_entries().map(|number| entries.value(number)))
    }

    /// Numbers of the entries that were not deleted.
    fn live_entries(self) -> impl Iterator<Item = usize> {
        let entries = self.entries();
        (self.first_live()..entries.used).filter(move |number| !entries.key(*number).is_undef())
    }

    // ---- lookup ----

    /// Value of a key, or `None`. May call `hash` and `eql?`; no default applies.
    #[inline]
    pub fn get(self, ec: &mut Ec, key: Value) -> Result<Option<Value>> {
        if self.is_found_by_bits(key) {
            return Ok(self.get_identical(ec, key));
        }
        if let Some(string) = Str::from_value(key)
            && let Some(found) = self.get_string(ec, string)
        {
            return Ok(found);
        }
        if self.is_empty(ec) {
            return Ok(None);
        }
        let number = self.locate(ec, key)?.number;
        Ok(number.map(|n| self.value_at(ec, n)))
    }

    /// As [`Hash::get`], if that needs no Ruby code.
    #[inline]
    pub fn get_at_once(self, ec: &mut Ec, key: Value) -> Option<Option<Value>> {
        if self.is_found_by_bits(key) {
            return Some(self.get_identical(ec, key));
        }
        match Str::from_value(key) {
            Some(key) => self.get_string(ec, key),
            None if key.is_heap() => None,
            None => self.get(ec, key).ok(),
        }
    }

    /// Value of a string key, if that can be said without Ruby code.
    #[inline]
    pub fn get_string(self, ec: &Ec, key: Str) -> Option<Option<Value>> {
        let place = self.locate_string(ec, key)?;
        Some(place.number.map(|number| self.entries().value(number)))
    }

    /// Whether a key that equals nothing but itself is there.
    pub(crate) fn has_identical(self, ec: &Ec, key: Value) -> bool {
        self.find_identical(ec, key).is_some()
    }

    /// Value of a symbol key: calls no Ruby code.
    pub fn get_symbol(self, ec: &Ec, key: SymbolId) -> Option<Value> {
        self.get_identical(ec, Value::symbol(key))
    }

    /// Whether a key passes the test.
    pub fn has_key_that(self, test: impl Fn(Value) -> bool) -> bool {
        let entries = self.entries();
        self.live_entries().any(|number| test(entries.key(number)))
    }

    fn get_identical(self, ec: &Ec, key: Value) -> Option<Value> {
        self.find_identical(ec, key).map(|number| self.entries().value(number))
    }

    /// Whether a key equals nothing but itself in this hash, and is hashed by its word.
    #[inline]
    fn is_found_by_bits(self, key: Value) -> bool {
        is_equal_by_identity(key) || self.compares_by_identity() && !key.is_type(HeapType::Float)
    }

    /// Number of the entry of such a key.
    #[inline]
    fn find_identical(self, ec: &Ec, key: Value) -> Option<usize> {
        if let Some(table) = self.table() {
            return table.find_identical(ec, key);
        }
        let entries = self.entries();
        (0..entries.used).find(|i| entries.key(*i) == key)
    }

    /// Where a key is, if it is there, and its hash, if that was needed to see it.
    fn locate(self, ec: &mut Ec, key: Value) -> Result<Location> {
        if self.is_found_by_bits(key) {
            return Ok(Location { number: self.find_identical(ec, key), hash: None });
        }
        if let Some(string) = Str::from_value(key)
            && let Some(place) = self.locate_string(ec, string)
        {
            return Ok(place);
        }
        if self.is_table() {
            // Hashes decide, below.
        } else if self.compares_by_identity() {
            let number = self.find_linear(|stored| ec.is_identical_key(stored, key));
            return Ok(Location { number, hash: None });
        } else if is_plain(key) {
            let number = self.find_linear(|stored| ec.is_same_plain_key(stored, key));
            return Ok(Location { number, hash: None });
        }
        let hash = self.hash_of(ec, key)?;
        Ok(Location { number: self.find(ec, fold(hash), key)?, hash: Some(hash) })
    }

    /// As [`Hash::locate`] for a string. `None`: by identity, or a key that is no string has the same hash and must be asked.
    #[inline]
    fn locate_string(self, ec: &Ec, key: Str) -> Option<Location> {
        if self.compares_by_identity() {
            return None;
        }
        let wanted = StringKey::of(ec, key);
        let Some(table) = self.table() else {
            return Some(Location { number: self.find_linear(|stored| wanted.is(ec, stored)), hash: None });
        };
        let hash = key.hash_value(ec);
        let number = table.find_hashed(fold(hash), |stored| !stored.is_type(HeapType::String) || wanted.is(ec, stored));
        match number {
            Some(number) if !table.key(number).is_type(HeapType::String) => None,
            _ => Some(Location { number, hash: Some(hash) }),
        }
    }

    /// Number of the entry of a plain key, in a hash of plain keys that does not compare by identity.
    fn find_plain(self, ec: &Ec, key: Value) -> Option<usize> {
        if is_equal_by_identity(key) {
            return self.find_identical(ec, key);
        }
        let is_it = |stored: Value| ec.is_same_plain_key(stored, key);
        match self.table() {
            Some(table) => table.find_hashed(fold(self.hash_without_ruby(ec, key)), is_it),
            None => self.find_linear(is_it),
        }
    }

    #[inline]
    fn find_linear(self, is_it: impl Fn(Value) -> bool) -> Option<usize> {
        let entries = self.entries();
        (0..entries.used).find(|i| is_it(entries.key(*i)))
    }

    fn hash_of(self, ec: &mut Ec, key: Value) -> Result<u64> {
        if self.compares_by_identity() {
            return Ok(identity_hash_strict(ec, key));
        }
        ec.hash_value(key)
    }

    /// The hash of a key that a small hash may have.
    fn hash_without_ruby(self, ec: &Ec, key: Value) -> u64 {
        if self.compares_by_identity() {
            return identity_hash_strict(ec, key);
        }
        ec.plain_hash(key).expect("a small hash has plain keys")
    }

    /// Number of the entry whose key equals `key`. Restarts whenever Ruby code changed the entries.
    fn find(self, ec: &mut Ec, hash: u32, key: Value) -> Result<Option<usize>> {
        'restart: loop {
            let version = self.version();
            let mut cursor = None;
            while let Some((number, next)) = self.candidate(ec, hash, cursor) {
                cursor = Some(next);
                let stored = self.key_at(ec, number);
                let answer = match self.compares_by_identity() {
                    true => Some(ec.is_identical_key(stored, key)),
                    false => ec.eql_at_once(stored, key),
                };
                let is_same = match answer {
                    Some(answer) => answer,
                    None => {
                        let answer = ec.eql(key, stored)?;
                        if self.version() != version {
                            continue 'restart;
                        }
                        answer
                    }
                };
                if is_same {
                    return Ok(Some(number));
                }
            }
            return Ok(None);
        }
    }

    /// The next entry whose hash is `hash`, and a cursor to go on from.
    fn candidate(self, ec: &Ec, hash: u32, cursor: Option<usize>) -> Option<(usize, usize)> {
        if let Some(table) = self.table() {
            return table.candidate(hash, cursor);
        }
        let entries = self.entries();
        let is_it = |key: Value| !key.is_undef() && fold(self.hash_without_ruby(ec, key)) == hash;
        let found = (cursor.unwrap_or(0)..entries.used).find(|i| is_it(entries.key(*i)))?;
        Some((found, found + 1))
    }

    // ---- writing ----

    /// Stores a value. String keys are the caller's business: see [`Hash::store`].
    pub fn set(self, ec: &mut Ec, key: Value, value: Value) -> Result<()> {
        self.set_before(ec, key, value, 0)
    }

    /// As [`Hash::set`], when up to `more` new keys are going to follow: if this one needs room, theirs is made with it.
    fn set_before(self, ec: &mut Ec, key: Value, value: Value, more: usize) -> Result<()> {
        if is_equal_by_identity(key) {
            if self.put_identical(ec, key, value).is_some() {
                return Ok(());
            }
            return match self.find_identical(ec, key) {
                Some(number) => {
                    self.set_value_at(ec, number, value);
                    Ok(())
                }
                None => self.insert_new(ec, None, key, value, more),
            };
        }
        let place = self.locate(ec, key)?;
        match place.number {
            Some(number) => self.overwrite(ec, number, value),
            None => self.insert_new(ec, place.hash.map(fold), key, value, more),
        }
    }

    /// Gives a key that was found another value. As [`Hash::insert_new`] says, finding it may have done something to the hash.
    fn overwrite(self, ec: &mut Ec, number: usize, value: Value) -> Result<()> {
        self.check_frozen(ec)?;
        self.set_value_at(ec, number, value);
        Ok(())
    }

    /// `hash`, folded, may be missing for a plain key only.
    ///
    /// The keys' `hash` and `eql?` may have frozen the hash, or moved it to another Ractor.
    fn insert_new(self, ec: &mut Ec, hash: Option<u32>, key: Value, value: Value, more: usize) -> Result<()> {
        self.check_can_grow(ec)?;
        let may_be_linear = self.compares_by_identity() || is_plain_and_frozen(key);
        if self.is_table() || !may_be_linear || !self.append_linear(ec, key, value, more) {
            let hash = hash.unwrap_or_else(|| fold(self.hash_without_ruby(ec, key)));
            if self.hash_again_past_eight(ec)? {
                if let Some(number) = self.find(ec, hash, key)? {
                    return self.overwrite(ec, number, value);
                }
                self.check_can_grow(ec)?;
            }
            self.make_room(ec, more)?;
            self.table().expect("room was made in a table").push(hash, key, value);
        }
        ec.heap().barrier(self.0, key);
        ec.heap().barrier(self.0, value);
        Ok(())
    }

    fn check_can_grow(self, ec: &mut Ec) -> Result<()> {
        self.check_frozen(ec)?;
        if self.is_iterating(ec) {
            let what = if self.is_set() { "item into set" } else { "key into hash" };
            return Err(ec.runtime_error(&format!("can't add a new {what} during iteration")));
        }
        Ok(())
    }

    /// Asks the keys for their hashes once more if the ninth entry is about to come, as CRuby does when a hash leaves the form of
    /// up to eight entries: keys whose hashes changed are found by their new ones from there on. Whether they were asked, which
    /// may have done anything to the hash.
    fn hash_again_past_eight(self, ec: &mut Ec) -> Result<bool> {
        if !self.hashes_again_next() {
            return Ok(false);
        }
        let version = self.version();
        let mut hashes = [0; LINEAR_MAX];
        for (number, hash) in hashes.iter_mut().enumerate() {
            *hash = fold(ec.hash_value(self.key_at(ec, number))?);
            if self.version() != version {
                return Ok(true);
            }
        }
        // The entries may lie in another table by now, which has as many.
        if let Some(table) = self.small_table().filter(|table| table.head().used as usize == LINEAR_MAX) {
            table.set_hashes(&hashes);
        }
        Ok(true)
    }

    /// A new key is the ninth, and others of them may have changed.
    fn hashes_again_next(self) -> bool {
        self.small_table().is_some() && self.live() == LINEAR_MAX && !self.is_set() && !self.compares_by_identity()
    }

    /// A table without bins.
    fn small_table(self) -> Option<Table> {
        self.table().filter(|table| table.capacity() <= LINEAR_MAX)
    }

    /// As [`Hash::set`] for a plain, frozen key, in a hash that only the implementation knows.
    pub(crate) fn set_plain(self, ec: &Ec, key: Value, value: Value) {
        match self.find_plain(ec, key) {
            Some(number) => self.set_value_at(ec, number, value),
            None => self.insert_plain(ec, key, value),
        }
    }

    fn insert_plain(self, ec: &Ec, key: Value, value: Value) {
        if self.is_table() || !self.append_linear(ec, key, value, 0) {
            let is_full = self.table().is_none_or(Table::is_full);
            if is_full && !self.move_to_table(ec, (self.live() * 2).max(FIRST_TABLE)) {
                std::alloc::handle_alloc_error(std::alloc::Layout::new::<Value>());
            }
            self.table().expect("made just now").push(fold(self.hash_without_ruby(ec, key)), key, value);
        }
        ec.heap().barrier(self.0, key);
        ec.heap().barrier(self.0, value);
    }

    /// As [`Hash::delete`] for a key that compares by identity.
    pub(crate) fn delete_identical(self, ec: &Ec, key: Value) -> Option<Value> {
        let number = self.find_identical(ec, key)?;
        let value = self.value_at(ec, number);
        self.remove(number);
        Some(value)
    }

    /// Room for `capacity` entries in all, or `NoMemoryError`. A few need none of their own.
    pub fn reserve(self, ec: &mut Ec, capacity: usize) -> Result<()> {
        if capacity <= LINEAR_MAX || capacity <= self.capacity() {
            return Ok(());
        }
        ec.ensure_memory(capacity.saturating_mul(ENTRY_BYTES))?;
        if self.move_to_table(ec, capacity) { Ok(()) } else { Err(ec.no_memory()) }
    }

    /// Room for one more entry, if the entries are in a table, or `NoMemoryError`.
    pub(crate) fn make_room_in_table(self, ec: &mut Ec) -> Result<()> {
        if self.is_table() { self.make_room(ec, 0) } else { Ok(()) }
    }

    /// A table with room for one more entry, and if it has to be made for `more` besides.
    fn make_room(self, ec: &mut Ec, more: usize) -> Result<()> {
        let live = self.live();
        let grown = match self.table() {
            Some(table) if !table.is_full() => return Ok(()),
            Some(table) if live <= table.capacity() / 2 => table.capacity(),
            Some(table) if live < LINEAR_MAX => (table.capacity() * 2).min(LINEAR_MAX),
            Some(table) => (table.capacity() * 2).max(FIRST_TABLE),
            None if live < LINEAR_MAX / 2 => LINEAR_MAX / 2,
            None if live < LINEAR_MAX => LINEAR_MAX,
            None => FIRST_TABLE,
        };
        let capacity = grown.max(live.saturating_add(more).saturating_add(1));
        if self.move_to_table(ec, capacity) {
            return Ok(());
        }
        ec.collect_garbage(true);
        if self.move_to_table(ec, capacity) { Ok(()) } else { Err(ec.no_memory()) }
    }

    /// `hash[key] = value`: of a String as key that is not frozen a frozen copy is kept.
    pub fn store(self, ec: &mut Ec, key: Value, value: Value) -> Result<()> {
        match Str::from_value(key) {
            Some(s) if !s.is_frozen() && !self.compares_by_identity() => self.store_string(ec, s, value),
            _ => self.set(ec, key, value),
        }
    }

    /// Adds the elements of an array to a set. Their `hash` and `eql?` may change the array.
    pub fn add_elements(self, ec: &mut Ec, elements: Array) -> Result<()> {
        let mut index = 0;
        while let Some(element) = elements.get(ec, index) {
            ec.check_ints()?;
            index += 1;
            let count = elements.len(ec);
            match Str::from_value(element) {
                Some(_) => self.store(ec, element, Value::TRUE)?,
                // Of many elements most may be equal, so that room for all of them could be far too much.
                None if count <= LINEAR_MAX => {
                    self.set_before(ec, element, Value::TRUE, count.saturating_sub(index))?
                }
                None => self.set(ec, element, Value::TRUE)?,
            }
        }
        Ok(())
    }

    /// As [`Hash::store`] for a string, or a key that equals nothing but itself, if that needs no Ruby code. `None`, with nothing
    /// done, otherwise.
    pub fn store_at_once(self, ec: &mut Ec, key: Value, value: Value) -> Option<Result<()>> {
        if self.hashes_again_next() {
            return None;
        }
        if self.is_found_by_bits(key) {
            return Some(self.set(ec, key, value));
        }
        let string = Str::from_value(key)?;
        let place = self.locate_string(ec, string)?;
        Some(self.store_string_at(ec, place, string, value))
    }

    fn store_string(self, ec: &mut Ec, key: Str, value: Value) -> Result<()> {
        let place = self.locate(ec, key.value())?;
        self.store_string_at(ec, place, key, value)
    }

    fn store_string_at(self, ec: &mut Ec, place: Location, key: Str, value: Value) -> Result<()> {
        match place.number {
            Some(number) => self.overwrite(ec, number, value),
            None => {
                let hash = place.hash.unwrap_or_else(|| key.hash_value(ec));
                let kept = if key.is_frozen() { key } else { key.kept_key(ec, hash) };
                self.insert_new(ec, Some(fold(hash)), kept.value(), value, 0)
            }
        }
    }

    /// As [`Hash::store`] for a key and its value that stood in another hash as entry `number`: the hash that the key had there
    /// is its hash here. Up to `more` new keys are going to follow.
    pub fn store_from(
        self,
        ec: &mut Ec,
        other: Hash,
        number: usize,
        (key, value): (Value, Value),
        more: usize,
    ) -> Result<()> {
        let is_alike = self.compares_by_identity() == other.compares_by_identity();
        match other.table().filter(|_| is_alike && !is_equal_by_identity(key)) {
            // The entry may have been removed since.
            Some(table) if number < other.entries().used && table.key(number) == key => {
                let hash = table.hash(number);
                let found = match self.is_table() || !is_plain(key) {
                    true => self.find(ec, hash, key)?,
                    false => self.locate(ec, key)?.number,
                };
                match found {
                    Some(number) => self.overwrite(ec, number, value),
                    None => self.insert_new(ec, Some(hash), key, value, more),
                }
            }
            _ if is_alike => self.set_before(ec, key, value, more),
            _ => self.store(ec, key, value),
        }
    }

    /// As [`Hash::store_from`], into a hash of nothing but entries in front of that one: no key is there already.
    pub fn append_from(self, ec: &mut Ec, other: Hash, number: usize, (key, value): (Value, Value)) -> Result<()> {
        let hash = match other.table() {
            None => None,
            // The entry may have been removed since.
            Some(table) if number < other.entries().used && table.key(number) == key => Some(table.hash(number)),
            Some(_) => return self.store_from(ec, other, number, (key, value), 0),
        };
        self.check_can_grow(ec)?;
        let may_be_linear = self.compares_by_identity() || is_plain_and_frozen(key);
        let more = self.expected_from(other, number);
        if self.is_table() || !may_be_linear || !self.append_linear(ec, key, value, more) {
            let hash = hash.unwrap_or_else(|| fold(self.hash_without_ruby(ec, key)));
            self.make_room(ec, more)?;
            self.table().expect("room was made in a table").push(hash, key, value);
        }
        ec.heap().barrier(self.0, key);
        ec.heap().barrier(self.0, value);
        Ok(())
    }

    /// How many of another hash's entries behind entry `number` are going to come, if as many come as did so far. Of a few one
    /// cannot tell.
    fn expected_from(self, other: Hash, number: usize) -> usize {
        let (came, left) = (self.live(), other.entries().used.saturating_sub(number + 1));
        if came < LINEAR_MAX / 2 {
            left.min(LINEAR_MAX / 2 - 1 - came)
        } else {
            left.saturating_mul(came) / (number + 1)
        }
    }

    /// Counts a string, or a key that equals nothing but itself, once more, if that needs no Ruby code. `None`, with nothing done,
    /// otherwise, and where something else than a small number stands. As [`Hash::set`] does, it keeps a string as it is.
    pub fn count_at_once(self, ec: &mut Ec, key: Value) -> Option<Result<()>> {
        if self.hashes_again_next() {
            return None;
        }
        let string = Str::from_value(key).filter(|_| !self.compares_by_identity());
        let place = match string {
            Some(string) => self.locate_string(ec, string)?,
            None if self.is_found_by_bits(key) => Location { number: self.find_identical(ec, key), hash: None },
            None => return None,
        };
        match (place.number, string) {
            (Some(number), _) => {
                let count = Value::fixnum(self.value_at(ec, number).as_fixnum()?.checked_add(1)?)?;
                Some(self.overwrite(ec, number, count))
            }
            (None, _) => Some(self.insert_new(ec, place.hash.map(fold), key, Value::len(1), 0)),
        }
    }

    /// Adds a key to a set, or a hash of keys whose values are true, if that needs no Ruby code: whether it is new. `None`, with
    /// nothing done, otherwise.
    #[inline]
    pub fn add_at_once(self, ec: &mut Ec, key: Value) -> Option<bool> {
        if is_equal_by_identity(key)
            && let Some(is_new) = self.put_identical(ec, key, Value::TRUE)
        {
            return Some(is_new);
        }
        if ec.is_frozen(self.0) || self.is_iterating(ec) {
            return None;
        }
        let before = self.live();
        self.store_at_once(ec, key, Value::TRUE)?.ok()?;
        Some(self.live() > before)
    }

    /// Stores all entries of another hash, to which none can be added meanwhile.
    pub fn store_all(self, ec: &mut Ec, other: Hash) -> Result<()> {
        if self.entries().used == 0 && self.compares_by_identity() == other.compares_by_identity() {
            return self.replace(ec, other);
        }
        if self.store_identical(ec, other) {
            return Ok(());
        }
        other.enter_iteration(ec);
        let done = self.store_each(ec, other);
        other.leave_iteration(ec);
        done
    }

    /// Stores the entries of another small hash as long as their keys equal nothing but themselves and there is room for them. No
    /// Ruby code runs. False if some are left.
    fn store_identical(self, ec: &Ec, other: Hash) -> bool {
        if self.is_table() || other.is_table() || self.is_iterating(ec) || ec.is_frozen(self.0) || self == other {
            return false;
        }
        let entries = other.entries();
        for number in 0..entries.used {
            let (key, value) = (entries.key(number), entries.value(number));
            if key.is_undef() {
                continue;
            }
            if !is_equal_by_identity(key) {
                return false;
            }
            match self.find_linear(|stored| stored == key) {
                Some(number) => self.set_value_at(ec, number, value),
                None if self.append_linear(ec, key, value, entries.used - number - 1) => {
                    ec.heap().barrier(self.0, key);
                    ec.heap().barrier(self.0, value);
                }
                None => return false,
            }
        }
        true
    }

    fn store_each(self, ec: &mut Ec, other: Hash) -> Result<()> {
        let (mut position, mut left) = (0, other.live());
        while let Some(next) = other.next(ec, position) {
            ec.check_ints()?;
            let (key, value) = (other.key_at(ec, next - 1), other.value_at(ec, next - 1));
            left = left.saturating_sub(1);
            self.store_from(ec, other, next - 1, (key, value), left)?;
            position = next;
        }
        Ok(())
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
        let Some(number) = self.locate(ec, key)?.number else { return Ok(None) };
        self.check_frozen(ec)?;
        let value = self.value_at(ec, number);
        self.remove(number);
        Ok(Some(value))
    }

    /// Removes the entry at a position that `next` gave (less one).
    pub fn delete_at(self, ec: &Ec, index: usize) {
        if !self.key_at(ec, index).is_undef() {
            self.remove(index);
        }
    }

    /// As [`Hash::delete`] for a key that equals nothing but itself: undef if it is not there. `None` for other keys, and where an
    /// entry would have to go from a frozen hash.
    pub fn delete_at_once(self, ec: &Ec, key: Value) -> Option<Value> {
        if !self.is_found_by_bits(key) {
            return None;
        }
        let Some(number) = self.find_identical(ec, key) else { return Some(Value::UNDEF) };
        if ec.is_frozen(self.0) {
            return None;
        }
        let value = self.value_at(ec, number);
        self.remove(number);
        Some(value)
    }

    fn remove(self, number: usize) {
        match self.table() {
            Some(table) => table.remove(number),
            None => self.remove_linear(number),
        }
    }

    pub fn clear(self, ec: &Ec) {
        if !self.is_iterating(ec) {
            return self.forget_entries(ec);
        }
        for number in 0..self.entries().used {
            self.delete_at(ec, number);
        }
    }

    /// Takes on another hash's entries (not its default).
    pub fn replace(self, ec: &mut Ec, other: Hash) -> Result<()> {
        if self == other {
            return Ok(());
        }
        if !self.copy_entries(ec, other) {
            ec.collect_garbage(true);
            if !self.copy_entries(ec, other) {
                return Err(ec.no_memory());
            }
        }
        self.header().replace(flags::HASH_BY_IDENTITY, other.header().bits() & flags::HASH_BY_IDENTITY);
        ec.wrote(self.0);
        Ok(())
    }

    /// A copy of the core class Hash, without default.
    pub fn duplicate(self, ec: &mut Ec) -> Result<Hash> {
        self.duplicate_as(ec, ec.vm().known().hash)
    }

    /// A copy of a class of hashes, without default.
    pub fn duplicate_as(self, ec: &mut Ec, class: Class) -> Result<Hash> {
        self.duplicate_with_room(ec, class, 0)
    }

    /// The same, to which up to `more` entries are going to be added. The room is made if a slot has it.
    pub fn duplicate_with_room(self, ec: &mut Ec, class: Class, more: usize) -> Result<Hash> {
        let total = self.len(ec).saturating_add(more);
        let room = if total <= LINEAR_MAX { total } else { self.len(ec) };
        let copy = Hash::with_capacity_of(ec, class, if self.is_table() { 0 } else { room });
        copy.replace(ec, self)?;
        Ok(copy)
    }

    /// A plain copy of a small hash in one slot, with room for an entry more if it can be. `None` if it is no small one, or compares
    /// by identity.
    pub(crate) fn copy_for_literal(self, ec: &Ec) -> Option<Hash> {
        if self.is_table() || self.compares_by_identity() || self.is_empty(ec) {
            return None;
        }
        let copy = Hash::with_capacity(ec, (self.live() + 1).min(LINEAR_MAX));
        copy.copy_entries(ec, self).then_some(copy)
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
        self.replace(ec, fresh)
    }

    /// Bytes of the entries outside the slot.
    pub fn table_bytes(self, _ec: &Ec) -> usize {
        self.outside_bytes()
    }

    /// Calls `visit` with everything that a hash or set refers to.
    pub(crate) fn each_reference(self, _ec: &Ec, visit: &mut dyn FnMut(Value)) {
        if !self.is_set() {
            // SAFETY: the object is a live RHash.
            visit(unsafe { (*self.raw()).default });
        }
        let entries = self.entries();
        for number in 0..entries.used {
            visit(entries.key(number));
            visit(entries.value(number));
        }
    }
}

/// Answer of a lookup.
struct Location {
    number: Option<usize>,
    hash: Option<u64>,
}

/// The slot of a hash that has none of its entries there.
const EMPTY_HASH: PoolIndex = pool_for(size_of::<RHash>()).expect("fits a slot");

/// Elements that a set holds in its slot. Most sets of two or three stay there; a block for them would be a call of the allocator
/// when it is made and another when the set dies, and 32 or 48 bytes beside the slot.
const EMBEDDED_SET: usize = 3;

/// The slot of a set.
const SET_SLOT: PoolIndex =
    pool_for(std::mem::offset_of!(RSet, tail) + EMBEDDED_SET * size_of::<Value>()).expect("fits a slot");

/// The slots of hashes with up to eight entries inside.
const EMBEDDED_HASHES: [PoolIndex; LINEAR_MAX + 1] = {
    let mut pools = [EMPTY_HASH; LINEAR_MAX + 1];
    let mut capacity = 1;
    while capacity <= LINEAR_MAX {
        pools[capacity] = pool_for(std::mem::offset_of!(RHash, tail) + 16 * capacity).expect("fits a slot");
        capacity += 1;
    }
    pools
};
