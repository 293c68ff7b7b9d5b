//! Ractors: what may be shared, and what each of them keeps for C code.
//!
//! A Ractor's values for C code stand among its own variables (`Ractor#[]`) under keys that no program can name. A pointer is
//! wrapped as any C struct, so that its `mark` and `free` run as theirs do.

use crate::boundary::{CValue, store};
use carat_layout::RCData;
use carat_vm::foreign::CData;
use carat_vm::{Ec, Result, Value, sym};
use std::ffi::{c_int, c_void};

/// `rb_ractor_local_storage_type`
#[repr(C)]
pub(crate) struct StorageType {
    mark: *const c_void,
    free: *const c_void,
}

/// A key lives as long as the program; its address, as a number, is the name.
pub(crate) struct Key {
    mark: *const c_void,
    free: usize,
}

fn new_key(mark: *const c_void, free: usize) -> *const Key {
    Box::leak(Box::new(Key { mark, free }))
}

fn name(ec: &Ec, key: *const Key) -> Value {
    ec.int(key.addr() as i64)
}

fn get(ec: &mut Ec, key: *const Key) -> Result<Option<Value>> {
    let name = name(ec, key);
    ec.ractor_locals().get(ec, name)
}

fn set(ec: &mut Ec, key: *const Key, value: Value) -> Result<()> {
    let name = name(ec, key);
    ec.ractor_locals().store(ec, name, value)
}

/// The object that wraps a Ractor's pointer.
fn holder(ec: &mut Ec, key: *const Key) -> Result<Option<CData>> {
    Ok(get(ec, key)?.and_then(CData::from_value))
}

api! {
    fn rb_ractor_make_shareable(ec, value: Value) -> Result {
        ec.call(ec.vm().known().ractor.value(), name!(ec, "make_shareable"), &[value])
    }

    fn rb_ractor_shareable_p(ec, value: Value) -> c_int {
        c_int::from(ec.is_shareable(value))
    }

    fn rb_ractor_stdin(ec) -> Result { ec.global(sym::STDIN) }

    fn rb_ractor_stdout(ec) -> Result { ec.global(sym::STDOUT) }

    fn rb_ractor_stderr(ec) -> Result { ec.global(sym::STDERR) }

    // ---- what each Ractor keeps ----

    fn rb_ractor_local_storage_value_newkey(_ec) -> *const Key {
        new_key(std::ptr::null(), 0)
    }

    fn rb_ractor_local_storage_value(ec, key: *const Key) -> Result {
        Ok(get(ec, key)?.unwrap_or(Value::NIL))
    }

    fn rb_ractor_local_storage_value_lookup(ec, key: *const Key, place: *mut CValue) -> Result<bool> {
        let found = get(ec, key)?;
        if let Some(value) = found {
            store(place, CValue::of(value));
        }
        Ok(found.is_some())
    }

    fn rb_ractor_local_storage_value_set(ec, key: *const Key, value: Value) -> Result<()> {
        set(ec, key, value)
    }

    fn rb_ractor_local_storage_ptr_newkey(_ec, kind: *const StorageType) -> *const Key {
        if kind.is_null() {
            return new_key(std::ptr::null(), 0);
        }
        // SAFETY: C passes a type or null.
        let kind = unsafe { &*kind };
        new_key(kind.mark, kind.free.expose_provenance())
    }

    fn rb_ractor_local_storage_ptr(ec, key: *const Key) -> Result<*mut c_void> {
        // SAFETY: the object is an RCData.
        Ok(holder(ec, key)?.map_or(std::ptr::null_mut(), |holder| unsafe { (*holder.raw()).data }))
    }

    fn rb_ractor_local_storage_ptr_set(ec, key: *const Key, pointer: *mut c_void) -> Result<()> {
        if let Some(holder) = holder(ec, key)? {
            // SAFETY: the object is an RCData.
            unsafe { (*holder.raw()).data = pointer };
            return Ok(());
        }
        // SAFETY: C passes a key that it was given.
        let Key { mark, free } = unsafe { &*key };
        let holder = CData::new(ec, None, *mark, *free, pointer, false);
        set(ec, key, holder.value())
    }
}

const _: () = assert!(RCData::TYPED != 0);
