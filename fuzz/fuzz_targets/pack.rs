//! Any bytes as a template of `pack` and `unpack`: the first byte says how long it is, the rest is what is unpacked.
//!
//!     cargo fuzz run pack
#![no_main]

mod vm;

use carat_vm::{Array, Str, Value};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let [len, rest @ ..] = input else { return };
    let (template, data) = rest.split_at(usize::from(*len).min(rest.len()));
    if vm::has_large_number(template) {
        return;
    }
    vm::with_vm(|ec| {
        let template = Str::binary(ec, template).value();
        let source = Str::binary(ec, data).value();
        let unpacked = vm::call(ec, source, "unpack", &[template]);
        vm::call(ec, source, "unpack1", &[template]);
        if let Some(unpacked) = unpacked.filter(|v| Array::from_value(*v).is_some()) {
            vm::call(ec, unpacked, "pack", &[template]);
        }
        let list = Array::new(ec, 6);
        let float = ec.float(2.5);
        for value in [Value::fixnum_unchecked(-1), source, float, Value::NIL, Value::fixnum_unchecked(300), source] {
            list.push(ec, value);
        }
        vm::call(ec, list.value(), "pack", &[template]);
    });
});
