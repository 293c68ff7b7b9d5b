//! Handles of objects.

use crate::vm::{Vm, answer, within};
use crate::{Out, bytes, guarded};
use carat_embed::Error as Inner;
use std::ffi::c_char;
use std::ptr::null_mut;

pub(crate) struct Value {
    inner: carat_embed::Value,
    /// What the host was last shown of a String, and a NUL.
    shown: Vec<u8>,
}

impl Value {
    pub(crate) fn new(inner: carat_embed::Value) -> Value {
        Value { inner, shown: Vec::new() }
    }

    pub(crate) fn into_inner(self) -> carat_embed::Value {
        self.inner
    }
}

/// The objects of a list of handles.
///
/// # Safety
/// There are so many of them, each null or alive.
pub(crate) unsafe fn all(count: usize, handles: *const *const Value) -> Result<Vec<carat_embed::Value>, Inner> {
    let missing = || Inner::new("ArgumentError", "a value is missing");
    if count > 0 && handles.is_null() {
        return Err(missing());
    }
    // SAFETY: by contract.
    let handle = |index| unsafe { (*handles.add(index)).as_ref() };
    (0..count).map(|index| handle(index).map(|value| value.inner.clone()).ok_or_else(missing)).collect()
}

macro_rules! made {
    ($($name:ident($($parameter:ident: $kind:ty),*) |$scope:ident| $body:expr;)+) => {$(
        /// See `carat.h`.
        ///
        /// # Safety
        /// As the header says.
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C" fn $name(vm: *mut Vm, $($parameter: $kind),*) -> *mut Value {
            // SAFETY: the caller's contract.
            unsafe { answer(vm, null_mut(), |$scope| $body) }
        }
    )+};
}

made! {
    carat_nil() |scope| Ok(scope.nil());
    carat_bool(value: bool) |scope| scope.value(value);
    carat_int(value: i64) |scope| scope.value(value);
    carat_float(value: f64) |scope| scope.value(value);
    carat_string(first: *const c_char, length: usize) |scope| {
        scope.value(&*String::from_utf8_lossy(bytes(first, length)))
    };
    carat_array(count: usize, elements: *const *const Value) |scope| scope.value(all(count, elements)?);
    carat_at(array: *const Value, index: usize) |scope| {
        let array = all(1, &raw const array)?.remove(0);
        let elements: Vec<carat_embed::Value> = scope.get(&array)?;
        elements.get(index).cloned().ok_or_else(|| Inner::new("IndexError", "not so long"))
    };
}

/// Asks something of a value; the default where it has no answer.
///
/// # Safety
/// The handle and the VM are null or alive.
unsafe fn asked<R: Default>(
    vm: *mut Vm,
    value: *const Value,
    ask: impl FnOnce(&mut carat_embed::Scope<'_>, &carat_embed::Value) -> Result<R, Inner>,
) -> R {
    // SAFETY: by contract.
    guarded(|| unsafe {
        let Some(value) = value.as_ref() else { return R::default() };
        within(vm, |scope| ask(scope, &value.inner)).unwrap_or_default()
    })
}

/// # Safety
/// As `carat.h` says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn carat_is_nil(vm: *mut Vm, value: *const Value) -> bool {
    // SAFETY: by contract.
    unsafe { asked(vm, value, |scope, value| Ok(scope.get::<()>(value).is_ok())) }
}

/// # Safety
/// As `carat.h` says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn carat_truthy(vm: *mut Vm, value: *const Value) -> bool {
    // SAFETY: by contract.
    unsafe { asked(vm, value, |scope, value| scope.get(value)) }
}

/// # Safety
/// As `carat.h` says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn carat_get_int(vm: *mut Vm, value: *const Value, into: *mut i64) -> bool {
    // SAFETY: by contract.
    unsafe { stored(asked(vm, value, |scope, value| scope.get(value).map(Some)), into) }
}

/// # Safety
/// As `carat.h` says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn carat_get_float(vm: *mut Vm, value: *const Value, into: *mut f64) -> bool {
    // SAFETY: by contract.
    unsafe { stored(asked(vm, value, |scope, value| scope.get(value).map(Some)), into) }
}

/// # Safety
/// The place is null or writable.
unsafe fn stored<T>(found: Option<T>, into: *mut T) -> bool {
    match found {
        Some(found) if !into.is_null() => {
            // SAFETY: by contract.
            unsafe { *into = found };
            true
        }
        _ => false,
    }
}

/// # Safety
/// As `carat.h` says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn carat_get_string(vm: *mut Vm, value: *mut Value, length: *mut usize) -> *const c_char {
    // SAFETY: by contract.
    let found: Option<Box<[u8]>> = unsafe { asked(vm, value, |scope, value| scope.get(value).map(Some)) };
    let Some(found) = found else { return std::ptr::null() };
    // SAFETY: as above; the length is null or writable.
    unsafe {
        stored(Some(found.len()), length);
        (*value).shown = found.into_vec();
        (*value).shown.push(0);
        (*value).shown.as_ptr().cast()
    }
}

/// # Safety
/// The handle is null or alive.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn carat_copy(value: *const Value) -> *mut Value {
    // SAFETY: by contract.
    guarded(|| unsafe { value.as_ref() }.map_or(Out::default(), |value| Out::of(Value::new(value.inner.clone())))).0
}

/// # Safety
/// The handle is null, or the caller's and not used again.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn carat_value_free(value: *mut Value) {
    // SAFETY: by contract.
    guarded(|| unsafe { drop((!value.is_null()).then(|| Box::from_raw(value))) });
}
