//! The native half of `lib/oj.rb`, a replacement for what programs reach for in the gem of that name: the stream writer, and the
//! parser that calls a handler.

mod sc_parse;
mod writer;

use carat_vm::Ec;

/// `require "oj.so"`
pub(crate) fn init(ec: &mut Ec) {
    let Some(module) = ec.vm().known().object.nested(ec, "Oj") else { return };
    sc_parse::define(ec, module);
    writer::define(ec, module);
}
