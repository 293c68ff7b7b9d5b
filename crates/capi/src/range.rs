//! Ranges and arithmetic sequences.

use crate::boundary::{CValue, store};
use carat_vm::{Ec, Result, Value, sym};
use std::ffi::c_int;

/// Begin, end and whether the end is left out, of a range or of what behaves like one.
fn parts(ec: &mut Ec, value: Value) -> Result<Option<(Value, Value, bool)>> {
    if let Some((first, last, excludes)) = ec.range_of(value) {
        let set = |part: Value| if part.is_undef() { Value::NIL } else { part };
        return Ok(Some((set(first), set(last), excludes)));
    }
    if !ec.is_a(value, ec.vm().known().range) {
        let is_like =
            [sym::BEGIN, sym::END, sym::EXCLUDE_END].into_iter().all(|name| ec.find_method(value, name).is_some());
        if !is_like || is_sequence(ec, value)? {
            return Ok(None);
        }
    }
    let (first, last) = (ec.call(value, sym::BEGIN, &[])?, ec.call(value, sym::END, &[])?);
    let excludes = ec.call(value, sym::EXCLUDE_END, &[])?.truthy();
    Ok(Some((first, last, excludes)))
}

fn is_sequence(ec: &mut Ec, value: Value) -> Result<bool> {
    let class = crate::boundary::constant(ec, "Enumerator::ArithmeticSequence")?;
    let class = crate::boundary::class(ec, class)?;
    Ok(ec.is_a(value, class))
}

fn long(ec: &mut Ec, value: Value, otherwise: i64) -> Result<i64> {
    if value.is_nil() { Ok(otherwise) } else { ec.to_long(value) }
}

/// Where a range lies in so many elements, `None` if it does not; with `error` 1 it may go beyond them.
fn beg_len(ec: &mut Ec, range: (Value, Value, bool), len: i64, error: c_int) -> Result<Option<(i64, i64)>> {
    let (first, last, excludes) = range;
    let (given_first, given_last) = (long(ec, first, 0)?, long(ec, last, -1)?);
    let excludes = excludes && !last.is_nil();
    let mut start = given_first;
    if start < 0 {
        start += len;
    }
    if start < 0 || (error == 0 || error == 2) && start > len {
        return Ok(None);
    }
    let mut end = if given_last < 0 { given_last + len } else { given_last };
    if !excludes {
        end += 1;
    }
    if error == 0 || error == 2 {
        end = end.min(len);
    }
    Ok(Some((start, (end - start).max(0))))
}

fn out_of_range(ec: &mut Ec, range: Value) -> carat_vm::Unwind {
    match ec.inspect(range) {
        Ok(text) => {
            let text = text.to_text(ec);
            ec.range_error(&format!("{text} out of range"))
        }
        Err(unwind) => unwind,
    }
}

#[repr(C)]
struct Components {
    first: CValue,
    last: CValue,
    step: CValue,
    excludes_end: c_int,
}

api! {
    fn rb_range_new(ec, first: Value, last: Value, excludes_end: c_int) -> Result {
        let class = ec.vm().known().range.value();
        ec.call(class, sym::NEW, &[first, last, Value::bool(excludes_end != 0)])
    }

    fn rb_range_values(ec, value: Value, first: *mut CValue, last: *mut CValue, excludes_end: *mut c_int) -> Result<c_int> {
        let Some((begin, end, excludes)) = parts(ec, value)? else { return Ok(0) };
        store(first, CValue::of(begin));
        store(last, CValue::of(end));
        store(excludes_end, c_int::from(excludes));
        Ok(1)
    }

    fn rb_range_beg_len(ec, value: Value, start: *mut i64, count: *mut i64, len: i64, error: c_int) -> Result {
        let Some(range) = parts(ec, value)? else { return Ok(Value::FALSE) };
        let Some((begin, size)) = beg_len(ec, range, len, error)? else {
            return if error == 0 { Ok(Value::NIL) } else { Err(out_of_range(ec, value)) };
        };
        store(start, begin);
        store(count, size);
        Ok(Value::TRUE)
    }

    fn rb_arithmetic_sequence_extract(ec, value: Value, components: *mut Components) -> Result<c_int> {
        let Some((first, last, step, excludes)) = sequence(ec, value)? else { return Ok(0) };
        store(components, Components {
            first: CValue::of(first),
            last: CValue::of(last),
            step: CValue::of(step),
            excludes_end: c_int::from(excludes),
        });
        Ok(1)
    }

    fn rb_arithmetic_sequence_beg_len_step(
        ec, value: Value, start: *mut i64, count: *mut i64, step: *mut i64, len: i64, error: c_int,
    ) -> Result {
        let Some((mut first, mut last, by, mut excludes)) = sequence(ec, value)? else { return Ok(Value::FALSE) };
        let by = long(ec, by, 1)?;
        store(step, by);
        if by < 0 {
            if excludes && !last.is_nil() {
                let end = ec.to_long(last)?;
                last = Value::fixnum_unchecked(end + 1);
                excludes = false;
            }
            std::mem::swap(&mut first, &mut last);
        }
        let is_checked = error == 0 && !(-1..=1).contains(&by);
        if is_checked {
            let begins = long(ec, first, 0)?;
            if begins > len || begins < -len {
                return Err(out_of_range(ec, value));
            }
        }
        let Some((begin, size)) = beg_len(ec, (first, last, excludes), len, error)? else { return Ok(Value::NIL) };
        store(start, begin);
        store(count, size);
        Ok(Value::TRUE)
    }
}

/// Begin, end, step and whether the end is left out.
fn sequence(ec: &mut Ec, value: Value) -> Result<Option<(Value, Value, Value, bool)>> {
    if is_sequence(ec, value)? {
        let (first, last) = (ec.call(value, sym::BEGIN, &[])?, ec.call(value, sym::END, &[])?);
        let step = ec.call(value, sym::STEP, &[])?;
        let excludes = ec.call(value, sym::EXCLUDE_END, &[])?.truthy();
        return Ok(Some((first, last, step, excludes)));
    }
    let one = Value::fixnum_unchecked(1);
    Ok(parts(ec, value)?.map(|(first, last, excludes)| (first, last, one, excludes)))
}
