//! Any bytes as a format: `format` gives a string or raises, whatever it is given beside.
//!
//!     cargo fuzz run format
#![no_main]

mod vm;

use carat_vm::{Array, Value};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|template: &[u8]| {
    if vm::has_large_number(template) {
        return;
    }
    vm::with_vm(|ec| {
        let args = Array::new(ec, 8);
        let text = vm::text(ec, "é日x".as_bytes(), "UTF-8");
        let large = ec.int(i64::MAX);
        let large = vm::call(ec, large, "*", &[large]).expect("an Integer");
        let float = ec.float(-1234.5678e20);
        for value in
            [Value::fixnum_unchecked(-42), text, float, large, Value::NIL, Value::TRUE, Value::fixnum_unchecked(7)]
        {
            args.push(ec, value);
        }
        for encoding in ["UTF-8", "BINARY"] {
            let template = vm::text(ec, template, encoding);
            vm::call(ec, template, "%", &[args.value()]);
            vm::call(ec, template, "%", &[text]);
        }
    });
});
