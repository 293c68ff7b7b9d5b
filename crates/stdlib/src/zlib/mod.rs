//! The native half of `lib/zlib.rb`: the codec and the checksums. Streams, and files of gzip, are Ruby.
//!
//! # Invariants
//! While a codec runs it is out of its object, so that whoever is let in between (another thread, at a poll) finds none.

mod checksum;
mod codec;

use carat_vm::Ec;

/// `require "zlib.so"`
pub(crate) fn init(ec: &mut Ec) {
    let Some(module) = ec.vm().known().object.nested(ec, "Zlib") else { return };
    checksum::define(ec, module);
    codec::define(ec, module);
}
