//! The Ruby half of the core library: `core/*.rb`, compiled when the executable is built (see `build.rs`).

use carat_iseq::IseqRef;
use carat_vm::Ec;

/// Path and encoded iseq of each file, in the order of `core/load_order`.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/core.rs"));

/// Defines the methods that are written in Ruby. A file that does not run is a mistake of the build.
pub(crate) fn load(ec: &mut Ec) {
    for (path, bytes) in FILES {
        if ec.run_script(IseqRef::encoded(bytes, (*path).into())).is_err() {
            let shown = ec.pending_exception().map(|e| crate::exception::describe_exception(ec, e)).unwrap_or_default();
            panic!("{path}: {shown}");
        }
    }
}
