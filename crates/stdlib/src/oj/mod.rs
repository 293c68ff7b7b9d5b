//! The native half of `lib/oj.rb`, a replacement for what programs reach for in the gem of that name: the stream writer, and the
//! parser that calls a handler.

mod sc_parse;
mod writer;

use carat_vm::{Class, Ec};

/// `require "oj.so"`
pub(crate) fn init(ec: &mut Ec) {
    let found = ec.vm().known().object.own_constant(ec.vm().intern("Oj"));
    let Some(module) = found.and_then(|constant| Class::from_value(constant.value)) else { return };
    sc_parse::define(ec, module);
    writer::define(ec, module);
}
