//! The native half of `lib/ripper`: what the parser says of a source, in bytes, and its tree. See [`crate::prism`].

use crate::prism::{fields, read, run};
use carat_vm::prism::{Demand, Options};
use carat_vm::{Class, Ec, Result, Str, Value, methods};

methods! {
    RIPPER {
        static "__read" => serialize;
        static "__nodes" => read;
        static "__fields" => fields;
    }
}

/// `require "ripper.so"`
pub(crate) fn init(ec: &mut Ec) {
    let found = ec.vm().known().object.own_constant(ec.vm().intern("Ripper"));
    if let Some(class) = found.and_then(|constant| Class::from_value(constant.value)) {
        class.define_methods(ec, RIPPER);
    }
}

/// `Ripper.__read(source, path, first_line)`: tokens and tree, serialised.
fn serialize(ec: &mut Ec, _this: Value, source: Str, path: Str, first_line: i64) -> Result<Str> {
    let encoding = source.encoding().name().as_bytes().to_vec();
    let path = path.bytes(ec).to_vec();
    let line = i32::try_from(first_line).unwrap_or(1);
    run(ec, Demand::TokensAndTree, source, Options::new(path, line, encoding))
}
