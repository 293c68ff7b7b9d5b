//! Hashes and sets.

use crate::boundary::{CValue, Function, Room, call_c, hash, values};
use carat_vm::{Ec, Hash, Proc, Result, Value, sym};

const STOP: i32 = 1;
const DELETE: i32 = 2;

/// Calls a function with each pair until it says stop; it may delete the pair.
fn each(ec: &mut Ec, found: Hash, mut visit: impl FnMut(&mut Ec, Value, Value) -> Result<i32>) -> Result<()> {
    found.enter_iteration(ec);
    let result = each_pair(ec, found, &mut visit);
    found.leave_iteration(ec);
    result
}

fn each_pair(ec: &mut Ec, found: Hash, visit: &mut dyn FnMut(&mut Ec, Value, Value) -> Result<i32>) -> Result<()> {
    let mut position = 0;
    while let Some(next) = found.next(ec, position) {
        position = next;
        let (key, value) = (found.key_at(ec, next - 1), found.value_at(ec, next - 1));
        match visit(ec, key, value)? {
            STOP => break,
            DELETE => found.delete_at(ec, next - 1),
            _ => {}
        }
    }
    Ok(())
}

fn set_of(ec: &mut Ec, value: Value) -> Result<Hash> {
    match Hash::from_set(value) {
        Some(set) => Ok(set),
        None => Err(ec.wrong_type(value, "Set")),
    }
}

fn lookup(ec: &mut Ec, value: Value, key: Value) -> Result<Option<Value>> {
    hash(ec, value)?.get(ec, key)
}

/// What a hash gives for a key that is not there: `default` decides where there is one to be asked.
fn missing(ec: &mut Ec, found: Hash, key: Value) -> Result {
    let is_plain = !found.has_default_proc() && ec.responds_with(found.value(), sym::DEFAULT, ec.vm().known().hash);
    if is_plain { Ok(found.default(ec)) } else { ec.call(found.value(), sym::DEFAULT, &[key]) }
}

api! {
    fn rb_hash_new(ec) -> Hash {
        ec.collect_if_due();
        Hash::new(ec)
    }

    fn rb_hash_new_capa(ec, capacity: i64) -> Result<Hash> {
        ec.collect_if_due();
        if capacity < 0 {
            return Err(ec.runtime_error("st_table too big"));
        }
        Ok(Hash::with_capacity(ec, capacity.min(1 << 20) as usize))
    }

    fn rb_ident_hash_new(ec) -> Hash {
        let made = Hash::new(ec);
        made.set_compare_by_identity();
        made
    }

    fn rb_check_hash_type(ec, value: Value) -> Result {
        Ok(ec.check_hash(value)?.map_or(Value::NIL, Hash::value))
    }

    fn rb_hash_aref(ec, value: Value, key: Value) -> Result {
        match Hash::from_value(value) {
            Some(found) => match found.get(ec, key)? {
                Some(element) => Ok(element),
                None => missing(ec, found, key),
            },
            None => ec.call(value, sym::AREF, &[key]),
        }
    }

    fn rb_hash_aset(ec, value: Value, key: Value, element: Value) -> Result {
        let found = hash(ec, value)?;
        found.check_frozen(ec)?;
        found.store(ec, key, element)?;
        Ok(element)
    }

    fn rb_hash_lookup(ec, value: Value, key: Value) -> Result {
        Ok(lookup(ec, value, key)?.unwrap_or(Value::NIL))
    }

    fn rb_hash_lookup2(ec, value: Value, key: Value, otherwise: CValue) -> Result<CValue> {
        Ok(lookup(ec, value, key)?.map_or(otherwise, CValue::of))
    }

    fn rb_hash_delete(ec, value: Value, key: Value) -> Result {
        let found = hash(ec, value)?;
        found.check_frozen(ec)?;
        Ok(found.delete(ec, key)?.unwrap_or(Value::NIL))
    }

    fn rb_hash_freeze(ec, value: Value) -> Value {
        ec.freeze(value);
        value
    }

    fn rb_hash_delete_if(ec, value: Value) -> Result {
        let block = crate::method::own_block(ec);
        let block = crate::method::as_block(ec, block)?;
        crate::method::call_passing(ec, value, name!(ec, "delete_if"), &[], block, 0)
    }

    fn rb_hash_size_num(ec, value: Value) -> Result<usize> {
        Ok(hash(ec, value)?.len(ec))
    }

    fn rb_hash_set_ifnone(ec, value: Value, default: Value) -> Result {
        let found = hash(ec, value)?;
        found.check_frozen(ec)?;
        found.set_default(ec, default, false);
        Ok(value)
    }

    /// C code set the flag that says so in CRuby.
    fn carat_hash_default_is_proc(ec, value: Value) -> Result<()> {
        let found = hash(ec, value)?;
        let default = found.default(ec);
        if carat_vm::Proc::from_value(default).is_some() {
            found.set_default(ec, default, true);
        }
        Ok(())
    }

    fn rb_hash_set_default(ec, value: Value, default: Value) -> Result {
        let found = hash(ec, value)?;
        found.check_frozen(ec)?;
        found.set_default(ec, default, false);
        Ok(default)
    }

    fn rb_hash_set_default_proc(ec, value: Value, block: Value) -> Result {
        let found = hash(ec, value)?;
        found.set_default(ec, block, Proc::from_value(block).is_some());
        Ok(block)
    }

    fn rb_hash_bulk_insert(ec, count: i64, list: *const CValue, value: Value) -> Result<()> {
        let found = hash(ec, value)?;
        let mut room = Room::new();
        let list = values(count, list, &mut room);
        for pair in list.chunks_exact(2) {
            found.store(ec, pair[0], pair[1])?;
        }
        Ok(())
    }

    fn rb_hash_foreach(ec, value: Value, function: Function, argument: u64) -> Result<()> {
        let found = hash(ec, value)?;
        each(ec, found, |ec, key, element| {
            let words = [CValue::of(key).word(), CValue::of(element).word(), argument];
            Ok(call_c(ec, function, &words)? as i32)
        })
    }

    fn rb_hash_update_by(ec, value: Value, other: Value, _function: Function) -> Result {
        ec.call(value, name!(ec, "update"), &[other])
    }

    fn rb_hash_tbl(ec, _value: Value, _file: *const u8, _line: i32) -> Result<*const u8> {
        Err(ec.not_implemented("RHASH_TBL: Carat's hashes are no st_table"))
    }

    fn rb_env_clear(ec) -> Result {
        let env = crate::boundary::constant(ec, "ENV")?;
        ec.call(env, name!(ec, "clear"), &[])
    }

    // ---- sets ----

    fn rb_set_new(ec) -> Hash {
        let class = ec.vm().known().set;
        Hash::new_set(ec, class)
    }

    fn rb_set_new_capa(ec, _capacity: usize) -> Hash {
        let class = ec.vm().known().set;
        Hash::new_set(ec, class)
    }

    fn rb_set_add(ec, value: Value, element: Value) -> Result<bool> {
        Ok(!ec.call(value, name!(ec, "add?"), &[element])?.is_nil())
    }

    fn rb_set_delete(ec, value: Value, element: Value) -> Result<bool> {
        Ok(!ec.call(value, name!(ec, "delete?"), &[element])?.is_nil())
    }

    fn rb_set_lookup(ec, value: Value, element: Value) -> Result<bool> {
        Ok(ec.call(value, sym::INCLUDE_P, &[element])?.truthy())
    }

    fn rb_set_size(ec, value: Value) -> Result<usize> {
        Ok(set_of(ec, value)?.len(ec))
    }

    fn rb_set_foreach(ec, value: Value, function: Function, argument: u64) -> Result<()> {
        let found = set_of(ec, value)?;
        each(ec, found, |ec, key, _| Ok(call_c(ec, function, &[CValue::of(key).word(), argument])? as i32))
    }

}

calls! {
    rb_hash_fetch(hash, key) => "fetch";
    rb_hash_clear(hash) => "clear";
    rb_hash_dup(hash) => "dup";
    rb_hash_size(hash) => "size";
    rb_hash_keys(hash) => "keys";
    rb_hash_values(hash) => "values";
    rb_hash_has_key(hash, key) => "key?";
    rb_set_clear(set) => "clear";
}
