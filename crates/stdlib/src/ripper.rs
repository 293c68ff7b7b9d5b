//! The native half of `lib/ripper`: what the parser says of a source, in bytes.

use carat_vm::{Class, CodeRange, Ec, EncodingIndex, Result, Str, Value, methods, prism};

methods! {
    RIPPER { static "__read" => read; }
}

/// From so many bytes on a source is read on a thread of its own, while others take their turns.
const LARGE: usize = 128 * 1024;
/// The parser goes down a thousand levels.
const STACK_BYTES: usize = 16 << 20;

/// `require "ripper.so"`
pub(crate) fn init(ec: &mut Ec) {
    let found = ec.vm().known().object.own_constant(ec.vm().intern("Ripper"));
    if let Some(class) = found.and_then(|constant| Class::from_value(constant.value)) {
        class.define_methods(ec, RIPPER);
    }
}

/// `Ripper.__read(source, path, first_line)`: tokens and tree, serialised.
fn read(ec: &mut Ec, _this: Value, source: Str, path: Str, first_line: i64) -> Result<Str> {
    let encoding = source.encoding().name().as_bytes().to_vec();
    let text = source.bytes(ec).to_vec();
    let path = path.bytes(ec).to_vec();
    let line = i32::try_from(first_line).unwrap_or(1);
    let work = move || prism::tokens_and_tree(&text, &path, line, &encoding);
    let is_large = source.len(ec) >= LARGE;
    let bytes = if is_large { ec.beside("ripper", STACK_BYTES, work)?.unwrap_or_default() } else { work() };
    Ok(Str::new(ec, &bytes, EncodingIndex::BINARY, CodeRange::Unknown))
}
