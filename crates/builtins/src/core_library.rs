//! The Ruby half of the core library: `core/*.rb`, compiled when the executable is built (see `build.rs`).

use carat_iseq::{IseqRef, Library};
use carat_vm::Ec;
use std::sync::Arc;

/// Path of each file in the order of `core/load_order`, and where its encoding ends in [`ENCODED`].
const FILES: &[(&str, usize)] = include!(concat!(env!("OUT_DIR"), "/core.rs"));
static ENCODED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/core.files"));
static METHODS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/core.methods"));

/// Defines the methods that are written in Ruby. A file that does not run is a mistake of the build.
pub(crate) fn load(ec: &mut Ec) {
    let mut start = 0;
    for (path, end) in FILES {
        let library = Arc::new(Library { path: (*path).into(), methods: METHODS });
        let file = IseqRef::encoded(&ENCODED[start..*end], library);
        start = *end;
        if ec.run_script(file).is_err() {
            let shown = ec.pending_exception().map(|e| crate::exception::describe_exception(ec, e)).unwrap_or_default();
            panic!("{path}: {shown}");
        }
    }
}
