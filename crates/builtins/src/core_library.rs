//! The Ruby half of the core library: `core/*.rb`, compiled when the executable is built (see `build.rs`).

use carat_iseq::{IseqRef, Packed, Unit};
use carat_vm::Ec;

/// Path of each file in the order of `core/load_order`, and where its code is in [`PACKED`].
const FILES: &[(&str, u32)] = include!(concat!(env!("OUT_DIR"), "/core.rs"));
static PACKED: Packed<'static> = Packed::embedded([
    include_bytes!(concat!(env!("OUT_DIR"), "/core.code")),
    include_bytes!(concat!(env!("OUT_DIR"), "/core.names")),
    include_bytes!(concat!(env!("OUT_DIR"), "/core.apart.code")),
    include_bytes!(concat!(env!("OUT_DIR"), "/core.apart.names")),
]);

/// Defines the methods that are written in Ruby. A file that does not run is a mistake of the build.
pub(crate) fn load(ec: &mut Ec) {
    for (path, at) in FILES {
        let file = IseqRef::packed(Unit::embedded(path, PACKED), *at);
        if ec.run_script(file).is_err() {
            let shown = ec.pending_exception().map(|e| crate::exception::describe_exception(ec, e)).unwrap_or_default();
            panic!("{path}: {shown}");
        }
    }
}
