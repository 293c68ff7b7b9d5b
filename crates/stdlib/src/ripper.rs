//! The native half of `lib/ripper`: what the parser says of a source, in bytes, and its tree. See [`crate::prism`].

use crate::prism::{fields, read, run};
use carat_vm::prism::{Demand, Options};
use carat_vm::{Array, Ec, Result, Str, Value, methods};

methods! {
    RIPPER {
        static "__read" => serialize;
        static "__nodes" => read;
        static "__tokens" => tokens;
        static "__fields" => fields;
    }
}

/// `require "ripper.so"`
pub(crate) fn init(ec: &mut Ec) {
    if let Some(class) = ec.vm().known().object.nested(ec, "Ripper") {
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

/// `Ripper.__tokens(bytes, names)`: the tokens in front of a serialised tree, each as its name, first byte, size and state of the
/// lexer, and behind them the place where they end.
fn tokens(ec: &mut Ec, _this: Value, bytes: Str, names: Array) -> Result<Array> {
    let bytes = bytes.bytes(ec).to_vec();
    let mut numbers = Numbers { bytes: bytes.iter() };
    let tokens = Array::new(ec, 64);
    loop {
        let Some(kind) = numbers.next() else { return Err(ec.runtime_error("Invalid serialization")) };
        let Some(kind) = usize::try_from(kind).unwrap_or(0).checked_sub(1) else { break };
        let token = Array::new(ec, 4);
        token.push(ec, names.at(ec, kind));
        for number in numbers.by_ref().take(3) {
            token.push(ec, ec.uint(number));
        }
        tokens.push(ec, token.value());
    }
    tokens.push(ec, Value::len(bytes.len() - numbers.bytes.len()));
    Ok(tokens)
}

/// Integers of seven bits a byte.
struct Numbers<'a> {
    bytes: std::slice::Iter<'a, u8>,
}

impl Iterator for Numbers<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.bytes.next()?;
            number |= u64::from(byte & 127) << shift;
            if *byte < 128 {
                return Some(number);
            }
        }
        None
    }
}
