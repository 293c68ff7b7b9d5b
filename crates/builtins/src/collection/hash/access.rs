//! Reading, storing and removing entries.

use carat_vm::{Array, Class, Ec, Hash, Rest, Result, Value, sym};

/// `Hash[…]`: from a hash, from an array of pairs, or from keys and values in turn.
pub(super) fn new_of_pairs(ec: &mut Ec, class: Class, given: Rest) -> Result<Hash> {
    let hash = Hash::new_of(ec, class);
    if let (1, Some(only)) = (given.len(), given.get(0)) {
        if let Some(from) = ec.check_hash(only)? {
            hash.store_all(ec, from)?;
            return Ok(hash);
        }
        if let Some(pairs) = ec.check_array(only)? {
            store_pairs(ec, hash, pairs)?;
            return Ok(hash);
        }
    }
    if given.len() % 2 == 1 {
        return Err(ec.argument_error("odd number of arguments for Hash"));
    }
    for index in (0..given.len()).step_by(2) {
        let (Some(key), Some(value)) = (given.get(index), given.get(index + 1)) else { break };
        ec.check_ints()?;
        hash.store(ec, key, value)?;
    }
    Ok(hash)
}

fn store_pairs(ec: &mut Ec, hash: Hash, pairs: Array) -> Result<()> {
    let mut index = 0;
    while let Some(element) = pairs.get(ec, index) {
        ec.check_ints()?;
        let Some(pair) = ec.check_array(element)? else {
            let class = ec.describe_for_type_error(element);
            return Err(ec.argument_error(&format!("wrong element type {class} at {index} (expected array)")));
        };
        let count = pair.len(ec);
        if !(1..=2).contains(&count) {
            return Err(ec.argument_error(&format!("invalid number of elements ({count} for 1..2)")));
        }
        hash.store(ec, pair.at(ec, 0), pair.at(ec, 1))?;
        index += 1;
    }
    Ok(())
}

/// The pairs of an array as a hash: `Array#to_h`.
pub(super) fn hash_of_pairs(ec: &mut Ec, pairs: Array) -> Result<Hash> {
    let hash = Hash::with_capacity(ec, pairs.len(ec));
    let mut index = 0;
    while let Some(element) = pairs.get(ec, index) {
        ec.check_ints()?;
        hash_set_pair(ec, hash, element, Value::len(index))?;
        index += 1;
    }
    Ok(hash)
}

/// Stores an element that has to be a pair. A complaint names the index, if it is given.
pub(super) fn hash_set_pair(ec: &mut Ec, hash: Hash, element: Value, index: Value) -> Result<Hash> {
    let Some(pair) = ec.check_array(element)? else {
        let is_placed = !index.is_undef();
        let class =
            if is_placed { ec.class_of(element).real().to_text(ec) } else { ec.describe_for_type_error(element) };
        let place = place_text(index);
        return Err(ec.type_error(&format!("wrong element type {class}{place} (expected array)")));
    };
    let count = pair.len(ec);
    if count != 2 {
        let wrong = if index.is_undef() { "element has wrong array length" } else { "wrong array length" };
        let place = place_text(index);
        return Err(ec.argument_error(&format!("{wrong}{place} (expected 2, was {count})")));
    }
    hash.store(ec, pair.at(ec, 0), pair.at(ec, 1))?;
    Ok(hash)
}

fn place_text(index: Value) -> String {
    index.as_fixnum().map_or_else(String::new, |index| format!(" at {index}"))
}

/// `Primitive.tally_add`: counts a value once more. Strings are not copied, as CRuby does not either.
pub(super) fn tally_add(ec: &mut Ec, counts: Hash, value: Value) -> Result<()> {
    if let Some(done) = counts.count_at_once(ec, value) {
        return done;
    }
    let count = match counts.get(ec, value)? {
        None => Value::len(1),
        Some(count) if count.is_fixnum() => ec.int(count.as_fixnum().unwrap_or(0) + 1),
        Some(count) if ec.is_integer(count) => ec.call(count, sym::PLUS, &[Value::len(1)])?,
        Some(count) => {
            let class = ec.class_of(count).real().to_text(ec);
            return Err(ec.type_error(&format!("wrong argument type {class} (expected Integer)")));
        }
    };
    counts.set(ec, value, count)
}

/// Stores the entries of other hashes.
pub(super) fn hash_merge_all(ec: &mut Ec, hash: Hash, others: Array) -> Result<Hash> {
    let mut index = 0;
    while let Some(other) = others.get(ec, index) {
        let other = ec.to_hash(other)?;
        if !other.is_empty(ec) {
            hash.check_frozen(ec)?;
            hash.store_all(ec, other)?;
        }
        index += 1;
    }
    Ok(hash)
}

/// `Primitive.hash_merge`: such a copy with the entries of the others.
pub(super) fn hash_merge(ec: &mut Ec, this: Hash, others: Array) -> Result<Hash> {
    let copy = hash_dup(ec, this, others)?;
    hash_merge_all(ec, copy, others)
}

/// `Primitive.hash_dup`: a copy as `merge` begins with: of the same class, with the same default, but not made by `dup`. The
/// others, where they are hashes, are going to be added.
pub(super) fn hash_dup(ec: &mut Ec, this: Hash, others: Array) -> Result<Hash> {
    let more = others.slice_of(ec).iter().filter_map(|other| Hash::from_value(*other)).map(|other| other.len(ec)).sum();
    copy_with_room(ec, this, more)
}

/// A copy of the same class with the same instance variables and default.
pub(crate) fn copy_of(ec: &mut Ec, this: Hash) -> Result<Hash> {
    copy_with_room(ec, this, 0)
}

fn copy_with_room(ec: &mut Ec, this: Hash, more: usize) -> Result<Hash> {
    let is_plain = ec.is_plain_core(this.value());
    let class = if is_plain { ec.vm().known().hash } else { ec.class_of(this.value()).real() };
    let copy = this.duplicate_with_room(ec, class, more)?;
    if !is_plain {
        ec.copy_fields(this.value(), copy.value());
    }
    copy.set_default(ec, this.default(ec), this.has_default_proc());
    Ok(copy)
}

pub(super) fn try_convert(ec: &mut Ec, _class: Class, value: Value) -> Result<Option<Hash>> {
    ec.check_hash(value)
}

/// The argument is taken only if it is a Hash, without conversion.
fn expect_hash(ec: &mut Ec, value: Value) -> Result<Hash> {
    Hash::from_value(value).ok_or(()).map_err(|()| ec.wrong_type(value, "Hash"))
}

pub(super) fn is_ruby2_keywords_hash(ec: &mut Ec, _class: Class, value: Value) -> Result<bool> {
    expect_hash(ec, value).map(Hash::is_ruby2_keywords)
}

pub(super) fn ruby2_keywords_hash(ec: &mut Ec, _class: Class, value: Value) -> Result<Hash> {
    let given = expect_hash(ec, value)?;
    let copy = copy_of(ec, given)?;
    copy.set_ruby2_keywords();
    Ok(copy)
}

pub(super) fn store(ec: &mut Ec, this: Hash, key: Value, value: Value) -> Result {
    this.check_frozen(ec)?;
    this.store(ec, key, value)?;
    Ok(value)
}

pub(super) fn has_key(ec: &mut Ec, this: Hash, key: Value) -> Result<bool> {
    Ok(this.get(ec, key)?.is_some())
}

pub(super) fn keys_of(ec: &mut Ec, this: Hash) -> Array {
    this.keys(ec)
}

pub(super) fn values_of(ec: &mut Ec, this: Hash) -> Array {
    this.values(ec)
}

pub(super) fn length(ec: &mut Ec, this: Hash) -> usize {
    this.len(ec)
}

pub(super) fn is_empty(ec: &mut Ec, this: Hash) -> bool {
    this.is_empty(ec)
}

pub(super) fn clear(ec: &mut Ec, this: Hash) -> Result<Hash> {
    this.check_frozen(ec)?;
    this.clear(ec);
    Ok(this)
}

/// Takes on the entries, the identity mode and the default of another hash.
pub(super) fn replace(ec: &mut Ec, this: Hash, other: Value) -> Result<Hash> {
    this.check_frozen(ec)?;
    let other = ec.to_hash(other)?;
    this.check_frozen(ec)?;
    if this == other {
        return Ok(this);
    }
    refuse_iterating(ec, this, "can't replace hash during iteration")?;
    this.replace(ec, other)?;
    this.set_default(ec, other.default(ec), other.has_default_proc());
    Ok(this)
}

fn refuse_iterating(ec: &mut Ec, hash: Hash, message: &str) -> Result<()> {
    if hash.is_iterating(ec) { Err(ec.runtime_error(message)) } else { Ok(()) }
}

/// Removes the first entry and returns it as a pair; nil if there is none.
pub(super) fn shift(ec: &mut Ec, this: Hash) -> Result<Option<Array>> {
    this.check_frozen(ec)?;
    let Some(next) = this.next(ec, 0) else { return Ok(None) };
    let pair = Array::pair(ec, this.key_at(ec, next - 1), this.value_at(ec, next - 1));
    this.delete_at(ec, next - 1);
    Ok(Some(pair))
}

pub(super) fn rehash(ec: &mut Ec, this: Hash) -> Result<Hash> {
    refuse_iterating(ec, this, "rehash during iteration")?;
    this.check_frozen(ec)?;
    this.rehash(ec)?;
    Ok(this)
}

pub(super) fn compare_by_identity(ec: &mut Ec, this: Hash) -> Result<Hash> {
    if this.compares_by_identity() {
        return Ok(this);
    }
    this.check_frozen(ec)?;
    refuse_iterating(ec, this, "compare_by_identity during iteration")?;
    // What interrupts this leaves the hash as it was.
    let entries = Hash::new(ec);
    entries.set_compare_by_identity();
    entries.store_all(ec, this)?;
    refuse_iterating(ec, this, "compare_by_identity during iteration")?;
    this.replace(ec, entries)?;
    Ok(this)
}

pub(super) fn compares_by_identity(_ec: &mut Ec, this: Hash) -> bool {
    this.compares_by_identity()
}

pub(super) fn itself(_ec: &mut Ec, this: Hash) -> Hash {
    this
}

pub(super) fn freeze(ec: &mut Ec, this: Hash) -> Hash {
    ec.freeze(this.value());
    this
}
