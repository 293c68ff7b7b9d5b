//! `Hash`: lookup, storing, comparison and everything about defaults; what yields is in `core/hash.rb`.
//!
//! # Code map
//! `access` reads and writes entries, `defaults` has default values and procs and `new`, `search` finds values and chooses entries,
//! `compare` has equality, hashes and `inspect`. The primitives here walk entries by position; position 0 is before the first entry.

mod access;
mod compare;
mod defaults;
mod search;

use crate::collection::generic::same_or_equal;
pub(crate) use access::copy_of;
use carat_vm::leaf::{Leaf, LeafOf, LeafRow};
use carat_vm::native::FromArg;
use carat_vm::{Array, Ec, Hash, HeapType, Result, Value, methods, primitives};
pub(crate) use compare::push_inspect;
pub(crate) use search::dig_further;

methods! {
    METHODS {
        static "[]" => access::new_of_pairs;
        static "try_convert" => access::try_convert;
        static "ruby2_keywords_hash?" => access::is_ruby2_keywords_hash;
        static "ruby2_keywords_hash" => access::ruby2_keywords_hash;
        private "initialize" => defaults::initialize;
        private "initialize_copy" => access::replace;
        "[]" => defaults::aref;
        "[]=" => access::store;
        "store" => access::store;
        "key?" => access::has_key;
        "has_key?" => access::has_key;
        "include?" => access::has_key;
        "member?" => access::has_key;
        "value?" => search::has_value;
        "has_value?" => search::has_value;
        "key" => search::key;
        "assoc" => search::assoc;
        "rassoc" => search::rassoc;
        "to_a" => search::to_a;
        "values_at" => search::values_at;
        "slice" => search::slice;
        "except" => search::except;
        "compact" => search::compact;
        "compact!" => search::compact_in_place;
        "invert" => search::invert;
        "dig" => search::dig;
        "keys" => access::keys_of;
        "values" => access::values_of;
        "length" => access::length;
        "size" => access::length;
        "empty?" => access::is_empty;
        "clear" => access::clear;
        "replace" => access::replace;
        "shift" => access::shift;
        "rehash" => access::rehash;
        "compare_by_identity" => access::compare_by_identity;
        "compare_by_identity?" => access::compares_by_identity;
        "to_hash" => access::itself;
        "freeze" => access::freeze;
        "default" => defaults::default;
        "default=" => defaults::set_default;
        "default_proc" => defaults::default_proc;
        "default_proc=" => defaults::set_default_proc;
        "==" => compare::equal;
        "eql?" => compare::eql;
        "hash" => compare::hash;
        "inspect" => compare::inspect;
        alias "to_s" of "inspect" => compare::inspect;
    }
}

primitives! {
    PRIMITIVES {
        "set_scratch" => set_scratch;
        "set_nests?" => set_nests;
        "set_each?" => has_core_set_each;
        "hash_keys" => hash_keys;
        "hash_entries" => hash_entries;
        "hash_size" => hash_size;
        "hash_value_set_at" => hash_value_set_at;
        "hash_iter_enter" => hash_iter_enter;
        "hash_iter_leave" => hash_iter_leave;
        "hash_get" => hash_get;
        "hash_set" => hash_set;
        "hash_append_from" => hash_append_from;
        "hash_add" => hash_add;
        "hash_add_all" => hash_add_all;
        "hash_put_values" => hash_put_values;
        "hash_toggle_all" => hash_toggle_all;
        "hash_add_common" => hash_add_common;
        "hash_within?" => hash_is_within;
        "hash_meets?" => hash_meets;
        "hash_has_entries?" => hash_has_entries;
        "set_hash" => compare::set_hash;
        "hash_delete" => hash_delete;
        "hash_delete_at" => hash_delete_at;
        "hash_each?" => has_core_each;
        "hash_clear" => hash_clear;
        "hash_replace" => hash_replace;
        "hash_copy" => hash_copy;
        "hash_dup" => access::hash_dup;
        "hash_merge" => access::hash_merge;
        "hash_merge_all" => access::hash_merge_all;
        "hash_of_pairs" => access::hash_of_pairs;
        "hash_set_pair" => access::hash_set_pair;
        "hash_new_like" => hash_new_like;
        "tally_add" => access::tally_add;
        "hash_identity?" => hash_is_identity;
        "hash_iterating?" => hash_is_iterating;
        "hash_compare_by_identity" => hash_compare_by_identity;
    }
}

/// Whether two sets are the same, where they are one or differ in size.
fn same_set_at_once(ec: &mut Ec, one: Value, other: Value) -> Option<Value> {
    if one == other {
        return Some(Value::TRUE);
    }
    let (one, other) = (Hash::from_set(one)?, Hash::from_set(other)?);
    (one.len(ec) != other.len(ec)).then_some(Value::FALSE)
}

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    known.hash.include(ec, known.enumerable);
    known.hash.define_methods(ec, METHODS);
    known.set.set_allocator(Some(|ec, class| Ok(Hash::new_set(ec, class).value())));
}

pub(crate) static LEAVES: &[LeafRow] = &[
    (LeafOf::Method(METHODS, "key?"), Leaf::new(has_key_at_once)),
    (LeafOf::Method(METHODS, "has_key?"), Leaf::new(has_key_at_once)),
    (LeafOf::Method(METHODS, "include?"), Leaf::new(has_key_at_once)),
    (LeafOf::Method(METHODS, "member?"), Leaf::new(has_key_at_once)),
    (LeafOf::Method(METHODS, "to_hash"), Leaf::new(|_: &mut Ec, hash: Hash| Some(hash.value()))),
    (LeafOf::Core("Set", "=="), Leaf::new(same_set_at_once)),
    (
        LeafOf::Method(METHODS, "freeze"),
        Leaf::new(|ec: &mut Ec, hash: Hash| ec.is_frozen(hash.value()).then_some(hash.value())),
    ),
    (LeafOf::Method(METHODS, "compare_by_identity?"), Leaf::of(access::compares_by_identity)),
    (LeafOf::Method(METHODS, "default_proc"), Leaf::of(defaults::default_proc)),
    (
        LeafOf::Method(METHODS, "default"),
        Leaf::new(|ec: &mut Ec, hash: Hash| Some(if hash.has_default_proc() { Value::NIL } else { hash.default(ec) })),
    ),
    (LeafOf::Method(METHODS, "dig"), Leaf::new(|ec: &mut Ec, hash: Hash, key: Value| hash.get_at_once(ec, key)?)),
    (LeafOf::Core("Hash", "fetch"), Leaf::new(|ec: &mut Ec, hash: Hash, key: Value| hash.get_at_once(ec, key)?)),
    (
        LeafOf::Core("Hash", "fetch"),
        Leaf::new(|ec: &mut Ec, hash: Hash, key: Value, default: Value| {
            Some(hash.get_at_once(ec, key)?.unwrap_or(default))
        }),
    ),
    (LeafOf::Core("Hash", "any?"), Leaf::new(|ec: &mut Ec, hash: Hash| Some(Value::bool(!hash.is_empty(ec))))),
    (
        LeafOf::Core("Hash", "to_h"),
        Leaf::new(|ec: &mut Ec, hash: Hash| {
            (ec.class_of(hash.value()) == ec.vm().known().hash).then_some(hash.value())
        }),
    ),
    (
        LeafOf::Primitive("hash_get"),
        Leaf::new(|ec: &mut Ec, hash: Value, key: Value| {
            Some(Table::of(hash)?.0.get_at_once(ec, key)?.unwrap_or(Value::UNDEF))
        }),
    ),
    (
        LeafOf::Primitive("hash_set"),
        Leaf::with_effects(|ec: &mut Ec, hash: Hash, key: Value, value: Value| {
            let may_grow = !ec.is_frozen(hash.value()) && !hash.is_iterating(ec);
            may_grow.then(|| hash.store_at_once(ec, key, value))??.ok().map(|()| value)
        }),
    ),
    (
        LeafOf::Primitive("hash_add"),
        Leaf::with_effects(|ec: &mut Ec, hash: Value, key: Value| {
            Table::of(hash)?.0.add_at_once(ec, key).map(Value::bool)
        }),
    ),
    (
        LeafOf::Primitive("hash_delete"),
        Leaf::with_effects(|ec: &mut Ec, hash: Value, key: Value| Table::of(hash)?.0.delete_at_once(ec, key)),
    ),
    (
        LeafOf::Primitive("hash_size"),
        Leaf::new(|ec: &mut Ec, hash: Value| Some(Value::len(Table::of(hash)?.0.len(ec)))),
    ),
    (
        LeafOf::Primitive("hash_iterating?"),
        Leaf::new(|ec: &mut Ec, hash: Value| Some(Value::bool(Table::of(hash)?.0.is_iterating(ec)))),
    ),
    (
        LeafOf::Primitive("hash_each?"),
        Leaf::new(|ec: &mut Ec, object: Value| Some(Value::bool(has_core_each(ec, object)))),
    ),
];

fn has_key_at_once(ec: &mut Ec, hash: Hash, key: Value) -> Option<Value> {
    hash.get_at_once(ec, key).map(|found| Value::bool(found.is_some()))
}

// ---- primitives ----

/// A hash, or a set.
struct Table(Hash);

impl Table {
    fn of(value: Value) -> Option<Table> {
        Hash::from_value(value).or_else(|| Hash::from_set(value)).map(Table)
    }
}

impl FromArg for Table {
    fn from_arg(ec: &mut Ec, value: Value) -> Result<Table> {
        match Table::of(value) {
            Some(table) => Ok(table),
            None => Err(ec.wrong_type(value, "Hash")),
        }
    }
}

fn set_scratch(ec: &mut Ec) -> Hash {
    Hash::new_set(ec, ec.vm().known().set)
}

/// `Primitive.set_nests?`: whether an element is a set.
fn set_nests(_ec: &mut Ec, Table(set): Table) -> bool {
    set.has_key_that(|element| Hash::from_set(element).is_some())
}

/// `Primitive.hash_entries`: keys and values in turn.
fn hash_entries(ec: &mut Ec, hash: Hash) -> Array {
    hash.to_flat_array(ec)
}

fn hash_keys(ec: &mut Ec, Table(hash): Table) -> Array {
    hash.keys(ec)
}

fn hash_size(ec: &mut Ec, Table(hash): Table) -> usize {
    hash.len(ec)
}

/// Index of the entry at a position that the instruction `hash_next` gave.
fn entry_index(position: i64) -> usize {
    usize::try_from(position - 1).unwrap_or(usize::MAX)
}

fn hash_value_set_at(ec: &mut Ec, hash: Hash, position: i64, value: Value) -> Value {
    hash.set_value_at(ec, entry_index(position), value);
    value
}

fn hash_iter_enter(ec: &mut Ec, Table(hash): Table) {
    hash.enter_iteration(ec);
}

fn hash_iter_leave(ec: &mut Ec, Table(hash): Table) {
    hash.leave_iteration(ec);
}

fn hash_get(ec: &mut Ec, Table(hash): Table, key: Value) -> Result {
    Ok(hash.get(ec, key)?.unwrap_or(Value::UNDEF))
}

fn hash_set(ec: &mut Ec, hash: Hash, key: Value, value: Value) -> Result {
    hash.store(ec, key, value)?;
    Ok(value)
}

/// Stores what `hash_next` gave of another hash, and left the position behind, in a hash of entries that it gave before.
fn hash_append_from(ec: &mut Ec, hash: Hash, other: Hash, position: i64, key: Value, value: Value) -> Result<()> {
    hash.append_from(ec, other, entry_index(position), (key, value))
}

/// Whether the key is new. All values are true, so that storing one again changes nothing. A set keeps frozen copies of strings,
/// as a hash does; a hash that core code uses for a set, which forgets them soon, the strings themselves.
fn hash_add(ec: &mut Ec, Table(hash): Table, key: Value) -> Result<bool> {
    let before = hash.len(ec);
    match Hash::from_set(hash.value()) {
        Some(set) => set.store(ec, key, Value::TRUE)?,
        None => hash.set(ec, key, Value::TRUE)?,
    }
    Ok(hash.len(ec) > before)
}

fn hash_add_all(ec: &mut Ec, Table(set): Table, elements: Array) -> Result<()> {
    set.add_elements(ec, elements)
}

/// `hash_put_values(keys, from)`: puts values in the place of their keys, from one on to the first that is absent, whose number it
/// gives, or that of keys.
fn hash_put_values(ec: &mut Ec, Table(hash): Table, keys: Array, from: i64) -> Result<usize> {
    let mut at = usize::try_from(from).unwrap_or(0);
    while let Some(key) = keys.get(ec, at) {
        let Some(value) = hash.get(ec, key)? else { break };
        keys.set(ec, at, value);
        at += 1;
    }
    Ok(at)
}

/// Adds the elements that are not there and takes the others away.
fn hash_toggle_all(ec: &mut Ec, Table(set): Table, elements: Array) -> Result<()> {
    let mut at = 0;
    while let Some(element) = elements.get(ec, at) {
        if !hash_add(ec, Table(set), element)? {
            set.delete(ec, element)?;
        }
        at += 1;
    }
    Ok(())
}

/// Adds those of the elements that another table has.
fn hash_add_common(ec: &mut Ec, Table(set): Table, elements: Array, Table(other): Table) -> Result<()> {
    let mut at = 0;
    while let Some(element) = elements.get(ec, at) {
        if other.get(ec, element)?.is_some() {
            hash_add(ec, Table(set), element)?;
        }
        at += 1;
    }
    Ok(())
}

/// Whether every key is one of another table.
fn hash_is_within(ec: &mut Ec, Table(hash): Table, Table(other): Table) -> Result<bool> {
    hash.enter_iteration(ec);
    let answer = has_keys_of(ec, other, hash);
    hash.leave_iteration(ec);
    answer
}

/// Whether another hash has every entry.
fn hash_has_entries(ec: &mut Ec, hash: Hash, other: Hash) -> Result<bool> {
    hash.enter_iteration(ec);
    let answer = compare::all_same(ec, hash, other, same_or_equal);
    hash.leave_iteration(ec);
    answer
}

/// Whether a key is one of another table.
fn hash_meets(ec: &mut Ec, Table(hash): Table, Table(other): Table) -> Result<bool> {
    hash.enter_iteration(ec);
    let answer = has_key_of(ec, other, hash);
    hash.leave_iteration(ec);
    answer
}

fn has_key_of(ec: &mut Ec, table: Hash, other: Hash) -> Result<bool> {
    let mut position = 0;
    while let Some(next) = other.next(ec, position) {
        if table.get(ec, other.key_at(ec, next - 1))?.is_some() {
            return Ok(true);
        }
        position = next;
    }
    Ok(false)
}

fn has_keys_of(ec: &mut Ec, table: Hash, other: Hash) -> Result<bool> {
    let mut position = 0;
    while let Some(next) = other.next(ec, position) {
        if table.get(ec, other.key_at(ec, next - 1))?.is_none() {
            return Ok(false);
        }
        position = next;
    }
    Ok(true)
}

fn hash_delete(ec: &mut Ec, Table(hash): Table, key: Value) -> Result {
    Ok(hash.delete(ec, key)?.unwrap_or(Value::UNDEF))
}

/// Deletes in a loop over the hash whose block may have frozen it.
fn hash_delete_at(ec: &mut Ec, hash: Hash, position: i64) -> Result<()> {
    hash.check_frozen(ec)?;
    hash.delete_at(ec, entry_index(position));
    Ok(())
}

/// Whether the object is a Hash whose `each` is the one that it came with, so that its entries can be read without it.
fn has_core_each(ec: &mut Ec, object: Value) -> bool {
    object.is_type(HeapType::Hash) && crate::collection::array::has_core_each_of(ec, object, ec.vm().known().hash)
}

/// The same of a Set.
fn has_core_set_each(ec: &mut Ec, object: Value) -> bool {
    object.is_type(HeapType::Set) && crate::collection::array::has_core_each_of(ec, object, ec.vm().known().set)
}

fn hash_clear(ec: &mut Ec, Table(hash): Table) -> Hash {
    hash.clear(ec);
    hash
}

fn hash_replace(ec: &mut Ec, Table(hash): Table, Table(other): Table) -> Result<Hash> {
    hash.replace(ec, other)?;
    Ok(hash)
}

fn hash_copy(ec: &mut Ec, hash: Hash) -> Result<Hash> {
    hash.duplicate(ec)
}

fn hash_new_like(ec: &mut Ec, hash: Hash) -> Hash {
    let fresh = Hash::new(ec);
    if hash.compares_by_identity() {
        fresh.set_compare_by_identity();
    }
    fresh
}

fn hash_is_iterating(ec: &mut Ec, Table(hash): Table) -> bool {
    hash.is_iterating(ec)
}

fn hash_is_identity(_ec: &mut Ec, Table(hash): Table) -> bool {
    hash.compares_by_identity()
}

fn hash_compare_by_identity(_ec: &mut Ec, Table(hash): Table) -> Hash {
    hash.set_compare_by_identity();
    hash
}
