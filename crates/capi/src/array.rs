//! Arrays.

use crate::boundary::{CValue, Room, array, values};
use carat_vm::{Array, Ec, Result, Value, sym};

fn modifiable(ec: &mut Ec, value: Value) -> Result<Array> {
    let found = array(ec, value)?;
    found.check_frozen(ec)?;
    Ok(found)
}

fn int(value: i64) -> Value {
    Value::fixnum_unchecked(value)
}

fn new(ec: &mut Ec, capacity: i64) -> Result<Array> {
    if capacity < 0 {
        return Err(ec.argument_error("negative array size (or size too big)"));
    }
    ec.ensure_memory((capacity as usize).saturating_mul(8))?;
    ec.collect_if_due();
    Ok(Array::new(ec, capacity as usize))
}

api! {
    fn rb_ary_new(ec) -> Array {
        ec.collect_if_due();
        Array::new(ec, 0)
    }

    fn rb_ary_new_capa(ec, capacity: i64) -> Result<Array> {
        new(ec, capacity)
    }

    fn rb_ary_hidden_new(ec, capacity: i64) -> Result<Array> {
        new(ec, capacity)
    }

    fn rb_ary_tmp_new(ec, capacity: i64) -> Result<Array> {
        new(ec, capacity)
    }

    fn rb_ary_new_from_values(ec, count: i64, list: *const CValue) -> Array {
        ec.collect_if_due();
        Array::from_slice(ec, values(count, list, &mut Room::new()))
    }

    fn rb_assoc_new(ec, first: Value, second: Value) -> Array {
        ec.collect_if_due();
        Array::pair(ec, first, second)
    }

    fn rb_check_array_type(ec, value: Value) -> Result {
        Ok(ec.check_array(value)?.map_or(Value::NIL, Array::value))
    }

    fn rb_ary_to_ary(ec, value: Value) -> Result<Array> {
        Ok(match ec.check_array(value)? {
            Some(found) => found,
            None => Array::from_slice(ec, &[value]),
        })
    }

    fn rb_array_ptr(ec, value: Value) -> Result<*mut Value> {
        let found = array(ec, value)?;
        Ok(found.expose(ec, true))
    }

    fn rb_array_const_ptr(ec, value: Value) -> Result<*mut Value> {
        let found = array(ec, value)?;
        Ok(found.expose(ec, false))
    }

    fn rb_ary_dup(ec, value: Value) -> Result<Array> {
        let found = array(ec, value)?;
        Ok(found.duplicate(ec))
    }

    fn rb_ary_resurrect(ec, value: Value) -> Result<Array> {
        let found = array(ec, value)?;
        Ok(found.duplicate(ec))
    }

    fn rb_ary_push(ec, value: Value, element: Value) -> Result {
        let found = array(ec, value)?;
        if !found.append_in_place(ec, element) {
            found.check_frozen(ec)?;
            found.push(ec, element);
        }
        Ok(value)
    }

    fn rb_ary_pop(ec, value: Value) -> Result {
        Ok(modifiable(ec, value)?.pop(ec).unwrap_or(Value::NIL))
    }

    fn rb_ary_shift(ec, value: Value) -> Result {
        let found = modifiable(ec, value)?;
        let first = found.at(ec, 0);
        found.drop_front(ec, found.len(ec).min(1));
        Ok(first)
    }

    fn rb_ary_entry(ec, value: Value, index: i64) -> Result {
        let found = array(ec, value)?;
        let index = if index < 0 { index + found.len(ec) as i64 } else { index };
        Ok(usize::try_from(index).ok().and_then(|index| found.get(ec, index)).unwrap_or(Value::NIL))
    }

    fn rb_ary_store(ec, value: Value, index: i64, element: Value) -> Result<()> {
        let found = modifiable(ec, value)?;
        match usize::try_from(index) {
            Ok(index) if index < found.len(ec) => {
                found.set(ec, index, element);
                Ok(())
            }
            _ => ec.call(value, sym::ASET, &[int(index), element]).map(drop),
        }
    }

    fn rb_ary_cat(ec, value: Value, list: *const CValue, count: i64) -> Result {
        let found = modifiable(ec, value)?;
        values(count, list, &mut Room::new()).iter().for_each(|element| found.push(ec, *element));
        Ok(value)
    }

    fn rb_ary_subseq(ec, value: Value, start: i64, len: i64) -> Result {
        ec.call(value, sym::AREF, &[int(start), int(len)])
    }

    fn rb_ary_aref(ec, count: i32, list: *const CValue, value: Value) -> Result {
        ec.call(value, sym::AREF, values(count.into(), list, &mut Room::new()))
    }

    fn rb_ary_each(ec, value: Value) -> Result {
        let block = crate::method::own_block(ec);
        let block = crate::method::as_block(ec, block)?;
        crate::method::call_passing(ec, value, sym::EACH, &[], block, 0)
    }

    fn rb_ary_rotate(ec, value: Value, count: i64) -> Result {
        ec.call(value, name!(ec, "rotate!"), &[int(count)])
    }

    fn rb_ary_delete_at(ec, value: Value, index: i64) -> Result {
        ec.call(value, name!(ec, "delete_at"), &[int(index)])
    }

    fn rb_ary_resize(ec, value: Value, len: i64) -> Result {
        let found = modifiable(ec, value)?;
        if len < 0 {
            return Err(ec.index_error("negative array size (or size too big)"));
        }
        found.make_room(ec, (len as usize).saturating_sub(found.len(ec)))?;
        found.resize(ec, len as usize);
        Ok(value)
    }

    fn rb_ary_modify(ec, value: Value) -> Result<()> {
        modifiable(ec, value).map(drop)
    }

    fn rb_ary_freeze(ec, value: Value) -> Value {
        ec.freeze(value);
        value
    }

    fn rb_ary_free(ec, value: Value) -> Result<()> {
        let found = array(ec, value)?;
        found.resize(ec, 0);
        Ok(())
    }

    fn rb_ary_detransient(_ec, _value: Value) {}

    fn rb_ary_shared_with_p(_ec, _a: Value, _b: Value) -> Value {
        Value::FALSE
    }

    fn rb_mem_new(ec, count: i64) -> Result<Array> {
        new(ec, count)
    }
}

calls! {
    rb_ary_unshift(array, element) => "unshift";
    rb_ary_concat(array, other) => "concat";
    rb_ary_plus(array, other) => "+";
    rb_ary_replace(array, other) => "replace";
    rb_ary_join(array, separator) => "join";
    rb_ary_reverse(array) => "reverse!";
    rb_ary_sort(array) => "sort";
    rb_ary_sort_bang(array) => "sort!";
    rb_ary_to_s(array) => "to_s";
    rb_ary_includes(array, element) => "include?";
    rb_ary_delete(array, element) => "delete";
    rb_ary_clear(array) => "clear";
    rb_ary_assoc(array, key) => "assoc";
    rb_ary_rassoc(array, value) => "rassoc";
    rb_ary_cmp(array, other) => "<=>";
}
