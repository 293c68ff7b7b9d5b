//! Callouts for Ruby's absent operator `(?~X)`: the longest text without an occurrence of X, then the shorter ones.
//!
//! The engine's own operator ends where an occurrence begins, Ruby's at most a character before the end of one. The translator of
//! patterns writes the operator as a loop over characters, and these functions keep how far it may go:
//!
//! ```text
//! (?:(*absent_start[T])(?:(?!(?>X(*absent_found{T}))(?!))(?m:.)(*absent_step{T}))*(*absent_end{T}))
//! ```
//!
//! Before each character X is tried, with whatever end is not beyond the limit, and lowers the limit to the beginning of its last
//! character. What the loop goes through is given up a character at a time from the end, so the limit is only asked on the
//! way up and need not be restored. X that is empty where the operator begins leaves nothing to match but the end of the text.
//!
//! # References
//! Onigmo `regexec.c`, `OP_ABSENT`. There X sees no text behind the limit; here a look-ahead within X does.

use super::Engine;
use onig_sys::{
    ONIG_NORMAL, OnigCalloutArgs, OnigCalloutFunc, OnigCalloutIn_ONIG_CALLOUT_IN_PROGRESS as IN_PROGRESS,
    OnigCalloutResult_ONIG_CALLOUT_FAIL as FAIL, OnigCalloutResult_ONIG_CALLOUT_SUCCESS as SUCCESS,
    OnigCalloutType_ONIG_CALLOUT_TYPE_SINGLE as SINGLE, OnigType_ONIG_TYPE_LONG as LONG, OnigType_ONIG_TYPE_TAG as TAG,
    OnigValue,
};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;

/// What is kept for an operator: positions in bytes from the beginning of the text, one less than none for before it.
#[derive(Clone, Copy)]
enum Slot {
    Start,
    Limit,
}

/// What the engine tells a callout.
struct Call(*mut OnigCalloutArgs);

impl Call {
    /// Position of the search in bytes.
    fn at(&self) -> i64 {
        // SAFETY: the engine made the arguments for this call; both pointers are into the text that is searched.
        unsafe {
            let start = onig_sys::onig_get_string_by_callout_args(self.0);
            onig_sys::onig_get_current_by_callout_args(self.0).offset_from(start) as i64
        }
    }

    /// Where the search ends.
    fn end(&self) -> i64 {
        // SAFETY: as in `at`.
        unsafe {
            let start = onig_sys::onig_get_string_by_callout_args(self.0);
            onig_sys::onig_get_string_end_by_callout_args(self.0).offset_from(start) as i64
        }
    }

    /// Where the character before the position begins.
    fn before(&self) -> i64 {
        // SAFETY: as in `at`; the pattern lives through the search.
        unsafe {
            let start = onig_sys::onig_get_string_by_callout_args(self.0);
            let at = onig_sys::onig_get_current_by_callout_args(self.0);
            let encoding = onig_sys::onig_get_encoding(onig_sys::onig_get_regex_by_callout_args(self.0));
            let before = onig_sys::onigenc_get_prev_char_head(encoding, start, at);
            if before.is_null() { -1 } else { before.cast_const().offset_from(start) as i64 }
        }
    }

    /// The number of the callout that keeps what the operator knows: the first argument, or this one itself.
    fn keeper(&self) -> c_int {
        let mut value = OnigValue { l: 0 };
        // SAFETY: as in `at`; a callout that takes an argument takes a tag.
        unsafe {
            if onig_sys::onig_get_passed_args_num_by_callout_args(self.0) == 0 {
                return onig_sys::onig_get_callout_num_by_callout_args(self.0);
            }
            onig_sys::onig_get_arg_by_callout_args(self.0, 0, null_mut(), &raw mut value);
            value.tag
        }
    }

    /// `None` if the operator has not begun.
    fn get(&self, slot: Slot) -> Option<i64> {
        let (keeper, slot, mut value) = (self.keeper(), slot as c_int, OnigValue { l: 0 });
        // SAFETY: as in `at`; a slot is a number or empty.
        unsafe {
            let code =
                onig_sys::onig_get_callout_data_by_callout_args(self.0, keeper, slot, null_mut(), &raw mut value);
            (code == ONIG_NORMAL as c_int).then_some(value.l)
        }
    }

    fn set(&self, slot: Slot, position: i64) {
        let (keeper, slot, mut value) = (self.keeper(), slot as c_int, OnigValue { l: position });
        // SAFETY: as in `at`; the engine copies the value.
        unsafe { onig_sys::onig_set_callout_data_by_callout_args(self.0, keeper, slot, LONG, &raw mut value) };
    }
}

fn answer(goes_on: bool) -> c_int {
    (if goes_on { SUCCESS } else { FAIL }) as c_int
}

unsafe extern "C" fn start(args: *mut OnigCalloutArgs, _: *mut c_void) -> c_int {
    let call = Call(args);
    call.set(Slot::Start, call.at());
    call.set(Slot::Limit, call.end());
    answer(true)
}

/// Behind X.
unsafe extern "C" fn found(args: *mut OnigCalloutArgs, _: *mut c_void) -> c_int {
    let call = Call(args);
    let Some(limit) = call.get(Slot::Limit).filter(|limit| call.at() <= *limit) else { return answer(false) };
    call.set(Slot::Limit, limit.min(call.before()));
    answer(true)
}

/// Behind a character.
unsafe extern "C" fn step(args: *mut OnigCalloutArgs, _: *mut c_void) -> c_int {
    let call = Call(args);
    answer(call.get(Slot::Limit).is_some_and(|limit| call.at() <= limit))
}

/// Behind the loop. Other rounds of the operator may have begun meanwhile, none of them before this position.
unsafe extern "C" fn end(args: *mut OnigCalloutArgs, _: *mut c_void) -> c_int {
    let call = Call(args);
    let (Some(start), Some(limit)) = (call.get(Slot::Start), call.get(Slot::Limit)) else { return answer(false) };
    let at = call.at();
    answer(at != start || limit >= start || at == call.end())
}

/// Names the callouts in all encodings that patterns are compiled for.
///
/// # Safety
/// No pattern is being compiled.
pub(super) unsafe fn register() {
    let callouts: [(&str, OnigCalloutFunc, usize); 4] = [
        ("absent_start", Some(start), 0),
        ("absent_found", Some(found), 1),
        ("absent_step", Some(step), 1),
        ("absent_end", Some(end), 1),
    ];
    for engine in Engine::all() {
        for (name, function, arguments) in callouts {
            let mut name = engine.spell(name);
            let bounds = name.as_mut_ptr_range();
            let mut types = [TAG];
            // SAFETY: the caller's contract; the engine copies the name and the types.
            let id = unsafe {
                onig_sys::onig_set_callout_of_name(
                    engine.raw(),
                    SINGLE,
                    bounds.start,
                    bounds.end,
                    IN_PROGRESS as c_int,
                    function,
                    None,
                    arguments as c_int,
                    types.as_mut_ptr(),
                    0,
                    null_mut(),
                )
            };
            assert!(id >= 0, "the engine takes the names of callouts");
        }
    }
}
