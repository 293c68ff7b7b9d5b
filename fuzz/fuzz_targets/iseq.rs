//! Any bytes as source: they give an error, or code that passes the verifier.
//!
//!     cargo fuzz run iseq
#![no_main]

use carat_compile::{Options, compile, verify};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|source: &[u8]| {
    if let Ok(program) = compile(source, &Options::file("fuzzed.rb")) {
        assert_eq!(verify(&program.iseq), Ok(()));
    }
});
