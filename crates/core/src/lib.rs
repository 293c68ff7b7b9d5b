//! The Ruby half of the core library: `core/*.rb`, compiled when the executable is built (see `build.rs`).
#![forbid(unsafe_code)]

use carat_iseq::{IseqRef, Packed, Unit};

/// Path of each file in the order of `core/load_order`, and where its code is in [`PACKED`].
const FILES: &[(&str, u32)] = include!(concat!(env!("OUT_DIR"), "/core.rs"));
static PACKED: Packed<'static> = Packed::embedded([
    include_bytes!(concat!(env!("OUT_DIR"), "/core.code")),
    include_bytes!(concat!(env!("OUT_DIR"), "/core.names")),
    include_bytes!(concat!(env!("OUT_DIR"), "/core.apart.code")),
    include_bytes!(concat!(env!("OUT_DIR"), "/core.apart.names")),
]);

/// Path and code of each file, in the order in which they are to run.
pub fn files() -> impl Iterator<Item = (&'static str, IseqRef)> {
    FILES.iter().map(|(path, at)| (*path, IseqRef::packed(Unit::embedded(path, PACKED), *at)))
}
