//! Any bytes as source: they give an error, or code that passes the verifier.
//!
//!     cargo fuzz run iseq
#![no_main]

use carat_compile::{Options, drafts, verify};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|source: &[u8]| {
    if let Ok(drafts) = drafts(source, &Options::file("fuzzed.rb")) {
        assert_eq!(drafts.iter().try_for_each(verify), Ok(()));
    }
});
