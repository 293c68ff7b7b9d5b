//! Any bytes as a pattern: it is refused, or it matches or not, in the encodings that are built differently.
//!
//! The first byte says which of the options are set, the second how much of the rest is the pattern; the remainder is searched.
//!
//!     cargo fuzz run regexp
#![no_main]

mod vm;

use carat_vm::{Value, sym};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let [options, len, rest @ ..] = input else { return };
    let (pattern, subject) = rest.split_at(usize::from(*len).min(rest.len()));
    vm::with_vm(|ec| {
        let class = vm::constant(ec, "Regexp");
        // Patterns that take for ever are no mistake.
        let timeout = ec.float(0.05);
        vm::call(ec, class, "timeout=", &[timeout]);
        for encoding in ["UTF-8", "BINARY", "EUC-JP", "Shift_JIS", "ISO-8859-1"] {
            let source = vm::text(ec, pattern, encoding);
            let options = Value::fixnum_unchecked(i64::from(options & 7));
            let Ok(regexp) = ec.call(class, sym::NEW, &[source, options]) else { continue };
            for method in ["inspect", "to_s", "names", "source"] {
                vm::call(ec, regexp, method, &[]);
            }
            vm::call(ec, class, "linear_time?", &[regexp]);
            let subject = vm::text(ec, subject, encoding);
            vm::call(ec, regexp, "match", &[subject]);
            vm::call(ec, subject, "scan", &[regexp]);
            vm::call(ec, subject, "split", &[regexp]);
        }
    });
});
