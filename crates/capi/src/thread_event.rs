//! What C code is told of threads and their turns, and what it keeps for each thread.
//!
//! Hooks run where the event happens, some while another thread has the turn: they may keep and read what belongs to a thread
//! and call the system, and nothing else. Raising in one ends the program.

use crate::boundary::{CValue, Function, current, during_collection, jump};
use carat_vm::{Ec, Value, foreign};
use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::{Mutex, PoisonError, RwLock};

/// A hook: its address is what C code knows it by.
struct Hook {
    function: Function,
    events: u32,
    data: usize,
}

// SAFETY: the function is code, and what the data is, C code knows.
unsafe impl Send for Hook {}
// SAFETY: as above; a hook never changes.
unsafe impl Sync for Hook {}

#[allow(clippy::vec_box, reason = "C code knows a hook by its address, which stays")]
static HOOKS: RwLock<Vec<Box<Hook>>> = RwLock::new(Vec::new());

/// `RB_INTERNAL_THREAD_SPECIFIC_KEY_MAX`
const MOST_KEYS: usize = 8;

/// How many keys were made, and what threads keep under them, by the thread's address.
struct Kept {
    keys: usize,
    words: Option<HashMap<u64, [usize; MOST_KEYS]>>,
}

static KEPT: Mutex<Kept> = Mutex::new(Kept { keys: 0, words: None });

/// Calls the hooks that wait for an event of a thread.
pub(crate) fn tell(ec: &Ec, event: u32, thread: Value) {
    #[repr(C)]
    struct EventData {
        thread: CValue,
    }
    type Callback = unsafe extern "C" fn(u32, *const EventData, *mut c_void);
    let data = EventData { thread: CValue::of(thread) };
    for hook in HOOKS.read().unwrap_or_else(PoisonError::into_inner).iter().filter(|hook| hook.events & event != 0) {
        // SAFETY: C code passed such a function.
        let function = unsafe { std::mem::transmute::<*const c_void, Callback>(hook.function.0) };
        // SAFETY: as above; the data outlives the call.
        during_collection(ec, || unsafe {
            function(event, &raw const data, std::ptr::with_exposed_provenance_mut(hook.data))
        });
    }
    if event == foreign::thread_event::EXITED {
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        kept.words.as_mut().and_then(|words| words.remove(&thread.bits()));
    }
}

/// Has the events reported that any hook waits for, and the end of threads if something is kept for one.
fn update(hooks: &[Box<Hook>]) {
    let keeps = KEPT.lock().unwrap_or_else(PoisonError::into_inner).keys > 0;
    let ends = if keeps { foreign::thread_event::EXITED } else { 0 };
    current().want_thread_events(hooks.iter().fold(ends, |events, hook| events | hook.events));
}

#[unsafe(no_mangle)]
extern "C" fn rb_internal_thread_add_event_hook(
    function: *const c_void,
    events: u32,
    data: *mut c_void,
) -> *const c_void {
    let hook = Box::new(Hook { function: Function(function), events, data: data.expose_provenance() });
    let address = std::ptr::from_ref(&*hook).cast();
    let mut hooks = HOOKS.write().unwrap_or_else(PoisonError::into_inner);
    hooks.push(hook);
    update(&hooks);
    address
}

#[unsafe(no_mangle)]
extern "C" fn rb_internal_thread_remove_event_hook(hook: *const c_void) -> bool {
    let mut hooks = HOOKS.write().unwrap_or_else(PoisonError::into_inner);
    let count = hooks.len();
    hooks.retain(|other| std::ptr::from_ref(&**other).cast() != hook);
    update(&hooks);
    hooks.len() < count
}

#[unsafe(no_mangle)]
extern "C" fn rb_internal_thread_specific_key_create() -> c_int {
    let key = {
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        kept.keys += 1;
        kept.keys - 1
    };
    if key >= MOST_KEYS {
        KEPT.lock().unwrap_or_else(PoisonError::into_inner).keys = MOST_KEYS;
        let ec = current();
        ec.thread_error("rb_internal_thread_specific_key_create() is called more than 8 times");
        jump(ec);
    }
    update(&HOOKS.read().unwrap_or_else(PoisonError::into_inner));
    key as c_int
}

#[unsafe(no_mangle)]
extern "C" fn rb_internal_thread_specific_get(thread: CValue, key: c_int) -> *mut c_void {
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let words = kept.words.as_ref().and_then(|words| words.get(&thread.word()));
    let word = words.and_then(|words| words.get(key as usize));
    word.map_or(null_mut(), |word| std::ptr::with_exposed_provenance_mut(*word))
}

#[unsafe(no_mangle)]
extern "C" fn rb_internal_thread_specific_set(thread: CValue, key: c_int, word: *mut c_void) {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let words = kept.words.get_or_insert_default().entry(thread.word()).or_default();
    if let Some(place) = words.get_mut(key as usize) {
        *place = word.expose_provenance();
    }
}
