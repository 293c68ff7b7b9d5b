//! Any bytes as a dump: loading them gives an object or an exception.
//!
//!     cargo fuzz run marshal
#![no_main]

mod vm;

use carat_vm::Str;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|dump: &[u8]| {
    vm::with_vm(|ec| {
        let marshal = vm::constant(ec, "Marshal");
        let source = Str::binary(ec, dump).value();
        vm::call(ec, marshal, "load", &[source]);
    });
});
