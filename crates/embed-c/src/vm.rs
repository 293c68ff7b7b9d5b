//! VMs, and calls in both directions.

use crate::config::Config;
use crate::error::{Error, store};
use crate::value::{Value, all};
use crate::{Out, bytes, guarded, text};
use carat_embed::{Error as Inner, Scope, StopHandle, Vm as Inside};
use std::cell::{RefCell, UnsafeCell};
use std::ffi::{c_char, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) struct Vm {
    inside: UnsafeCell<Inside>,
    stopper: StopHandle,
    /// The host has called into it and waits.
    is_entered: AtomicBool,
}

/// A scope in which a function of the host's runs, and its VM. It lies on the heap: the function may run on a fiber, whose stack
/// goes away unseen when nobody resumes it.
struct Entry {
    vm: usize,
    scope: Box<Scope<'static>>,
}

thread_local! {
    /// Scopes of this thread, the innermost last.
    static SCOPES: RefCell<Vec<Entry>> = const { RefCell::new(Vec::new()) };
}

/// As long as it lives the thread's calls into the VM happen in a scope.
struct Entered(*const Scope<'static>);

impl Entered {
    fn new(vm: usize, scope: &mut Scope<'_>) -> Entered {
        let scope = Box::new(scope.reborrow());
        // SAFETY: what it borrows is the running thread's context, which lives until the host's call into the VM returns. `within`
        // drops entries of VMs that the host is not inside of before it uses one.
        let scope: Box<Scope<'static>> = unsafe { std::mem::transmute::<Box<Scope<'_>>, Box<Scope<'static>>>(scope) };
        let entered = Entered(std::ptr::from_ref(&*scope));
        SCOPES.with_borrow_mut(|scopes| scopes.push(Entry { vm, scope }));
        entered
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        SCOPES.with_borrow_mut(|scopes| scopes.retain(|entry| !std::ptr::eq(&*entry.scope, self.0)));
    }
}

/// Says that the host is inside a VM.
struct Inhabited<'a>(&'a AtomicBool);

impl<'a> Inhabited<'a> {
    fn new(vm: *mut Vm, flag: &'a AtomicBool) -> Inhabited<'a> {
        SCOPES.with_borrow_mut(|scopes| scopes.retain(|entry| entry.vm != vm.addr()));
        flag.store(true, Ordering::SeqCst);
        Inhabited(flag)
    }
}

impl Drop for Inhabited<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::SeqCst);
    }
}

/// Works in a VM: in the scope of the function of the host's that is running, or in a call of its own.
///
/// # Safety
/// The VM is null, or alive and this thread's.
pub(crate) unsafe fn within<R>(vm: *mut Vm, work: impl FnOnce(&mut Scope<'_>) -> Result<R, Inner>) -> Result<R, Inner> {
    if vm.is_null() {
        return Err(Inner::new("ArgumentError", "no VM"));
    }
    // SAFETY: by contract.
    let shared = unsafe { &*vm };
    if !shared.is_entered.load(Ordering::SeqCst) {
        let _inhabited = Inhabited::new(vm, &shared.is_entered);
        // SAFETY: by contract; the host is not inside it, so nobody else borrows it.
        return unsafe { &mut *shared.inside.get() }.enter(work);
    }
    let innermost = |scopes: &mut Vec<Entry>| {
        let entry = scopes.iter_mut().rev().find(|entry| entry.vm == vm.addr());
        entry.map(|entry| std::ptr::from_mut(&mut *entry.scope))
    };
    match SCOPES.with_borrow_mut(innermost) {
        // SAFETY: the thread is inside the VM, so the context that the scope borrows lives; the function that was given the scope
        // waits for this call, and the entry stays until that function returns.
        Some(scope) => work(unsafe { &mut *scope }),
        None => Err(Inner::new("ThreadError", "the VM is another thread's")),
    }
}

/// As [`within`]; the answer is a handle, or null and an error.
///
/// # Safety
/// As for [`within`]; the place of the error is null or writable.
pub(crate) unsafe fn answer(
    vm: *mut Vm,
    error: *mut *mut Error,
    work: impl FnOnce(&mut Scope<'_>) -> Result<carat_embed::Value, Inner>,
) -> *mut Value {
    // SAFETY: by contract.
    guarded(|| unsafe {
        match within(vm, work) {
            Ok(value) => Out::of(Value::new(value)),
            Err(reason) => {
                store(error, reason);
                Out::default()
            }
        }
    })
    .0
}

/// # Safety
/// The config came from `carat_config_new` and is not used again; the place of the error is null or writable.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn carat_new(config: *mut Config, error: *mut *mut Error) -> *mut Vm {
    // SAFETY: by contract.
    guarded(|| unsafe {
        let builder = if config.is_null() { Inside::builder() } else { Box::from_raw(config).into_builder() };
        match builder.build() {
            Ok(vm) => {
                let stopper = vm.stop_handle();
                Out::of(Vm { inside: UnsafeCell::new(vm), stopper, is_entered: AtomicBool::new(false) })
            }
            Err(reason) => {
                store(error, reason);
                Out::default()
            }
        }
    })
    .0
}

/// # Safety
/// The VM is null, or this thread's and not used again; it runs nothing.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn carat_free(vm: *mut Vm) {
    // SAFETY: by contract.
    guarded(|| unsafe { drop((!vm.is_null()).then(|| Box::from_raw(vm))) });
}

/// # Safety
/// As `carat.h` says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn carat_eval(
    vm: *mut Vm,
    source: *const c_char,
    length: usize,
    file: *const c_char,
    error: *mut *mut Error,
) -> *mut Value {
    // SAFETY: by contract.
    unsafe {
        let (source, file) = (String::from_utf8_lossy(bytes(source, length)).into_owned(), text(file));
        answer(vm, error, |scope| scope.eval(&source, &file))
    }
}

/// # Safety
/// As `carat.h` says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn carat_call(
    vm: *mut Vm,
    receiver: *const Value,
    method: *const c_char,
    count: usize,
    arguments: *const *const Value,
    error: *mut *mut Error,
) -> *mut Value {
    // SAFETY: by contract.
    unsafe {
        answer(vm, error, |scope| {
            let receiver = all(1, &raw const receiver)?.remove(0);
            scope.call(&receiver, &text(method), &all(count, arguments)?)
        })
    }
}

/// # Safety
/// As `carat.h` says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn carat_constant(vm: *mut Vm, path: *const c_char, error: *mut *mut Error) -> *mut Value {
    // SAFETY: by contract.
    unsafe { answer(vm, error, |scope| scope.constant(&text(path))) }
}

/// # Safety
/// The VM is null or alive.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn carat_stop(vm: *mut Vm) {
    // SAFETY: by contract; only the handle is touched, which threads share.
    guarded(|| unsafe { (!vm.is_null()).then(|| (*vm).stopper.stop()) });
}

/// # Safety
/// As `carat.h` says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn carat_bytes_in_use(vm: *mut Vm) -> usize {
    // SAFETY: by contract.
    guarded(|| unsafe { within(vm, |scope| Ok(scope.bytes_in_use())).unwrap_or(0) })
}

/// # Safety
/// As `carat.h` says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn carat_collect_garbage(vm: *mut Vm) {
    // SAFETY: by contract.
    guarded(|| unsafe {
        let collected = within(vm, |scope| {
            scope.collect_garbage();
            Ok(())
        });
        // Without a VM there is nothing to collect.
        drop(collected);
    });
}

type Function = unsafe extern "C" fn(*mut Vm, *mut c_void, usize, *const *const Value, *mut *mut Error) -> *mut Value;

/// A function of the host's, what it is given, and the VM.
#[derive(Clone, Copy)]
struct Target(Function, *mut c_void, *mut Vm);

// SAFETY: the host's function may run on any thread of the VM, as `carat.h` says, and the VM outlives what it defines.
unsafe impl Send for Target {}
// SAFETY: as above.
unsafe impl Sync for Target {}

impl Target {
    fn call(&self, scope: &mut Scope<'_>, arguments: &[carat_embed::Value]) -> Result<carat_embed::Value, Inner> {
        let handles: Vec<Value> = arguments.iter().cloned().map(Value::new).collect();
        let pointers: Vec<*const Value> = handles.iter().map(std::ptr::from_ref).collect();
        let mut error = null_mut();
        let entered = Entered::new(self.2.addr(), scope);
        // SAFETY: the host's own function, with handles that live through the call.
        let result = unsafe { (self.0)(self.2, self.1, pointers.len(), pointers.as_ptr(), &raw mut error) };
        drop(entered);
        if !result.is_null() {
            // SAFETY: the function gave it away.
            return Ok(unsafe { Box::from_raw(result) }.into_inner());
        }
        if error.is_null() {
            return Ok(scope.nil());
        }
        // SAFETY: as above.
        Err(unsafe { Box::from_raw(error) }.inner)
    }
}

/// # Safety
/// As `carat.h` says.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn carat_define(
    vm: *mut Vm,
    name: *const c_char,
    function: Function,
    data: *mut c_void,
    error: *mut *mut Error,
) -> bool {
    let target = Target(function, data, vm);
    // SAFETY: by contract.
    guarded(|| unsafe {
        let name = text(name);
        let defined =
            within(vm, |scope| scope.define_function(&name, move |scope, arguments| target.call(scope, arguments)));
        defined.map_err(|reason| store(error, reason)).is_ok()
    })
}
