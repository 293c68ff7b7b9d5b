//! Allocation, roots, and what C code says to the collector.
//!
//! `xmalloc` is libc's `malloc`: C code mixes `free` and `xfree`. What it takes counts towards the next collection.

use crate::boundary::{CValue, class, current, is_in_c, jump, kernel_call};
use crate::data::{is_marking, report};
use carat_vm::foreign::CData;
use carat_vm::{Ec, Result, Str, Value};
use std::cell::Cell;
use std::ffi::c_void;

/// A collection is due when C code has taken so many bytes since the last one.
const BYTES_TO_COLLECT: isize = 32 << 20;

thread_local! {
    static TAKEN: Cell<isize> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    let taken = TAKEN.get().saturating_add(bytes).max(0);
    if taken < BYTES_TO_COLLECT || !is_in_c() {
        return TAKEN.set(taken);
    }
    TAKEN.set(0);
    current().heap().request_collection();
}

/// What `allocate` gives, or `NoMemoryError`.
fn taken(bytes: Option<usize>, allocate: impl FnOnce(usize) -> *mut c_void) -> *mut c_void {
    let memory = bytes.map_or(std::ptr::null_mut(), |bytes| {
        count(isize::try_from(bytes).unwrap_or(isize::MAX));
        allocate(bytes.max(1))
    });
    if memory.is_null() && is_in_c() {
        let ec = current();
        ec.no_memory();
        jump(ec);
    }
    memory
}

#[unsafe(no_mangle)]
extern "C" fn ruby_xmalloc(bytes: usize) -> *mut c_void {
    // SAFETY: any size may be asked for.
    taken(Some(bytes), |bytes| unsafe { libc::malloc(bytes) })
}

#[unsafe(no_mangle)]
extern "C" fn ruby_xmalloc2(number: usize, size: usize) -> *mut c_void {
    // SAFETY: as above.
    taken(number.checked_mul(size), |bytes| unsafe { libc::malloc(bytes) })
}

#[unsafe(no_mangle)]
extern "C" fn ruby_xcalloc(number: usize, size: usize) -> *mut c_void {
    // SAFETY: as above.
    taken(number.checked_mul(size), |bytes| unsafe { libc::calloc(1, bytes) })
}

#[unsafe(no_mangle)]
extern "C" fn ruby_xrealloc(memory: *mut c_void, bytes: usize) -> *mut c_void {
    // SAFETY: C passes memory of these functions, or none.
    taken(Some(bytes), |bytes| unsafe { libc::realloc(memory, bytes) })
}

#[unsafe(no_mangle)]
extern "C" fn ruby_xrealloc2(memory: *mut c_void, number: usize, size: usize) -> *mut c_void {
    // SAFETY: as above.
    taken(number.checked_mul(size), |bytes| unsafe { libc::realloc(memory, bytes) })
}

#[unsafe(no_mangle)]
extern "C" fn ruby_xfree(memory: *mut c_void) {
    // SAFETY: as above.
    unsafe { libc::free(memory) };
}

#[unsafe(no_mangle)]
extern "C" fn rb_gc_mark(value: CValue) {
    report(value.word());
}

#[unsafe(no_mangle)]
extern "C" fn rb_gc_mark_maybe(value: CValue) {
    report(value.word());
}

#[unsafe(no_mangle)]
extern "C" fn rb_gc_mark_movable(value: CValue) {
    report(value.word());
}

#[unsafe(no_mangle)]
extern "C" fn rb_gc_mark_locations(first: *const CValue, end: *const CValue) {
    let mut next = first;
    while next < end {
        // SAFETY: C passes the bounds of mapped memory.
        report(unsafe { next.read_volatile() }.word());
        next = next.wrapping_add(1);
    }
}

#[unsafe(no_mangle)]
extern "C" fn rb_gc_location(value: CValue) -> CValue {
    value
}

#[unsafe(no_mangle)]
extern "C" fn rb_during_gc() -> i32 {
    is_marking().into()
}

#[unsafe(no_mangle)]
extern "C" fn rb_gc_writebarrier(object: CValue, stored: CValue) {
    if is_in_c() {
        current().heap().barrier(object.value(), stored.value());
    }
}

#[unsafe(no_mangle)]
extern "C" fn rb_gc_writebarrier_unprotect(object: CValue) {
    if is_in_c() {
        current().heap().barrier_many(object.value());
    }
}

api! {
    fn rb_gc_register_address(ec, place: *mut CValue) {
        ec.add_foreign_root(place.expose_provenance());
    }

    fn rb_global_variable(ec, place: *mut CValue) {
        ec.add_foreign_root(place.expose_provenance());
    }

    fn rb_gc_unregister_address(ec, place: *mut CValue) {
        ec.remove_foreign_root(place.addr());
    }

    fn rb_gc_register_mark_object(ec, value: Value) {
        ec.vm().keep(value);
    }

    fn rb_gc(ec) {
        ec.collect_garbage(true);
    }

    fn rb_gc_start(ec) -> Value {
        ec.collect_garbage(true);
        Value::NIL
    }

    fn rb_gc_enable(ec) -> Result {
        ec.call(ec.vm().known().gc.value(), name!(ec, "enable"), &[])
    }

    fn rb_gc_disable(ec) -> Result {
        ec.call(ec.vm().known().gc.value(), name!(ec, "disable"), &[])
    }

    fn rb_gc_count(ec) -> Result<u64> {
        let count = ec.call(ec.vm().known().gc.value(), name!(ec, "count"), &[])?;
        Ok(ec.to_long(count)? as u64)
    }

    fn rb_gc_stat(ec, key: Value) -> Result<u64> {
        let stat = ec.call(ec.vm().known().gc.value(), name!(ec, "stat"), &[key])?;
        Ok(stat.as_fixnum().unwrap_or(0) as u64)
    }

    fn rb_gc_latest_gc_info(ec, key: Value) -> Result {
        ec.call(ec.vm().known().gc.value(), name!(ec, "latest_gc_info"), &[key])
    }

    fn rb_gc_adjust_memory_usage(_ec, bytes: i64) {
        count(bytes as isize);
    }

    fn rb_gc_update_tbl_refs(_ec, _table: *const c_void) {}

    fn rb_define_finalizer(ec, object: Value, block: Value) -> Result {
        let space = ec.vm().known().object_space.value();
        ec.call(space, name!(ec, "define_finalizer"), &[object, block])?;
        Ok(block)
    }

    fn rb_undefine_finalizer(ec, object: Value) -> Result {
        let space = ec.vm().known().object_space.value();
        ec.call(space, name!(ec, "undefine_finalizer"), &[object])
    }

    fn rb_obj_hide(ec, object: Value) -> Value {
        if let Some(data) = CData::from_value(object) {
            data.hide(ec);
        }
        object
    }

    fn rb_obj_reveal(ec, object: Value, owner: Value) -> Result {
        if let Some(data) = CData::from_value(object) {
            data.reveal(class(ec, owner)?);
        }
        Ok(object)
    }

    fn rb_alloc_tmp_buffer(ec, place: *mut CValue, bytes: i64) -> Result<*mut c_void> {
        temporary(ec, place, bytes.max(0) as usize)
    }

    fn rb_alloc_tmp_buffer_with_count(ec, place: *mut CValue, bytes: usize, _count: usize) -> Result<*mut c_void> {
        temporary(ec, place, bytes)
    }

    fn rb_memerror(ec) -> Result<()> {
        Err(ec.no_memory())
    }

    fn ruby_malloc_size_overflow(ec, number: usize, size: usize) -> Result<()> {
        Err(ec.argument_error(&format!("malloc: possible integer overflow ({number}*{size})")))
    }

    fn rb_mem_clear(_ec, first: *mut CValue, count: i64) {
        for index in 0..count.max(0) as usize {
            // SAFETY: C passes as many words as it says.
            unsafe { first.add(index).write(CValue::of(Value::NIL)) };
        }
    }

    fn rb_p(ec, value: Value) -> Result<()> {
        kernel_call(ec, name!(ec, "p"), &[value]).map(drop)
    }
}

/// Memory that lives as long as the object in C's variable, whose words may be values.
fn temporary(ec: &mut Ec, place: *mut CValue, bytes: usize) -> Result<*mut c_void> {
    // SAFETY: any size may be asked for.
    let memory = unsafe { libc::calloc(1, bytes.max(8) + 8) };
    if memory.is_null() {
        return Err(ec.no_memory());
    }
    // SAFETY: the block begins with the number of words behind it.
    unsafe { memory.cast::<usize>().write(bytes / 8) };
    let object = carat_vm::foreign::CData::new(
        ec,
        None,
        mark_temporary as *const c_void,
        free_temporary as *const () as usize,
        memory,
        false,
    );
    crate::boundary::store(place, CValue::of(object.value()));
    // SAFETY: the block is that large.
    Ok(unsafe { memory.byte_add(8) })
}

unsafe extern "C" fn mark_temporary(memory: *mut c_void) {
    let words = memory.cast::<u64>();
    // SAFETY: `temporary` made the block.
    unsafe {
        for index in 0..*words as usize {
            report(*words.add(1 + index));
        }
    }
}

unsafe extern "C" fn free_temporary(memory: *mut c_void) {
    // SAFETY: `temporary` made the block.
    unsafe { libc::free(memory) };
}

#[unsafe(no_mangle)]
extern "C" fn rb_free_tmp_buffer(place: *mut CValue) {
    let value = crate::boundary::fetch(place);
    if let Some(object) = carat_vm::foreign::CData::from_value(value.value()) {
        // SAFETY: the object came from `temporary`.
        unsafe {
            libc::free((*object.raw()).data);
            (*object.raw()).data = std::ptr::null_mut();
        }
    }
    crate::boundary::store(place, CValue::from_word(0));
}

/// Strings that C code fills have a code range that nobody knows.
pub(crate) fn fillable(ec: &Ec, len: usize) -> Str {
    Str::filled(ec, len, carat_vm::EncodingIndex::ASCII_8BIT, carat_vm::CodeRange::Unknown, |_| ())
}
