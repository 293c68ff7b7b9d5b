//! The Ruby half of the core library: `core/*.rb`, compiled when the executable is built (see `build.rs`).
#![forbid(unsafe_code)]

use carat_iseq::{IseqRef, Packed, Unit};

/// Path of each file in the order of `core/load_order`, and where its code is in [`PACKED`].
const FILES: &[(&str, u32)] = include!(concat!(env!("OUT_DIR"), "/core.rs"));

/// A file of the build as a static of its own, so that the linker script can name it.
macro_rules! embedded {
    ($name:ident, $file:literal) => {
        static $name: [u8; include_bytes!(concat!(env!("OUT_DIR"), $file)).len()] =
            *include_bytes!(concat!(env!("OUT_DIR"), $file));
    };
}

embedded!(CODE, "/core.code");
embedded!(NAMES, "/core.names");
embedded!(CODE_APART, "/core.apart.code");
embedded!(NAMES_APART, "/core.apart.names");
static PACKED: Packed<'static> = Packed::embedded([&CODE, &NAMES, &CODE_APART, &NAMES_APART]);

/// Path and code of each file, in the order in which they are to run.
pub fn files() -> impl Iterator<Item = (&'static str, IseqRef)> {
    FILES.iter().map(|(path, at)| (*path, IseqRef::packed(Unit::embedded(path, PACKED), *at)))
}
