//! Any bytes as a dump: loading them gives an object or an exception.
//!
//!     cargo fuzz run marshal
#![no_main]

use carat_vm::{Config, MainVm, Str};
use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;

/// What the fuzzer's thread certainly has of native stack.
const STACK_BYTES: usize = 4 << 20;

thread_local! {
    static VM: RefCell<Option<MainVm>> = const { RefCell::new(None) };
}

fuzz_target!(|dump: &[u8]| {
    let marker = 0u8;
    let base = std::ptr::from_ref(&marker).addr();
    VM.with_borrow_mut(|vm| {
        let config = Config { gc_stress: None, frozen_string_literal: None };
        let vm = vm.get_or_insert_with(|| carat_builtins::boot(config, (base, STACK_BYTES)));
        let ec = vm.ec();
        let marshal = ec.vm().known().object.own_constant(ec.vm().intern("Marshal")).expect("a core module").value;
        let source = Str::binary(ec, dump).value();
        // An exception is as good as an object.
        let _ = ec.call(marshal, ec.vm().intern("load"), &[source]);
    });
});
