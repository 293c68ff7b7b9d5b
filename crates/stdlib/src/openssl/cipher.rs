//! `OpenSSL::Cipher::Engine`: a key, a mode, and what waits for the rest of its block.

use super::cipher_error;
use super::mode::{BLOCK_BYTES, Key, Mode};
use carat_vm::{Class, Data, Ec, NativeData, Result, Str, Value, methods};

methods! {
    METHODS {
        static "new" => new_engine;
        "initialize_copy" => initialize_copy;
        "update" => update;
        "finish" => finish;
        "add_data" => add_data;
        "tag" => tag;
    }
}

#[derive(Clone)]
struct Engine {
    key: Key,
    mode: Mode,
    is_encrypting: bool,
    /// Input that is no whole block yet, or the last block, which may be padding.
    waiting: Vec<u8>,
}

impl NativeData for Engine {
    const NAME: &'static str = "OpenSSL/Cipher";

    fn mark(&self, _mark: &mut dyn FnMut(Value)) {}
}

pub(super) fn define(ec: &mut Ec, module: Class) {
    let Some(cipher) = super::constant(ec, module, "Cipher") else { return };
    let class = ec.new_class(ec.vm().known().object);
    class.set_allocator(Some(|ec, class| {
        let key = Key::new(&[0; BLOCK_BYTES]).expect("16 bytes are a key");
        let engine = Engine { key, mode: Mode::Ecb, is_encrypting: true, waiting: Vec::new() };
        Ok(Data::new(ec, class, engine).value())
    }));
    class.define_methods(ec, METHODS);
    cipher.set_constant(ec, ec.vm().intern("Engine"), class.value());
}

/// `new(mode, key, iv, is_encrypting)`
fn new_engine(ec: &mut Ec, this: Class, mode: Str, key: Str, iv: Str, is_encrypting: bool) -> Result {
    let made = Key::new(key.bytes(ec)).and_then(|key| {
        let mode = Mode::new(mode.bytes(ec), &key, iv.bytes(ec))?;
        Some(Engine { key, mode, is_encrypting, waiting: Vec::new() })
    });
    match made {
        Some(engine) => Ok(Data::new(ec, this, engine).value()),
        None => Err(cipher_error(ec, "invalid key or initialization vector")),
    }
}

fn initialize_copy(ec: &mut Ec, this: Data<Engine>, other: Data<Engine>) -> Value {
    let copy = other.get(ec).clone();
    *this.get_mut(ec) = copy;
    this.value()
}

/// As much is encrypted between two polls.
const PART: usize = 1 << 20;

/// `update(text, is_padded)`: what comes out of it. With padding the last block that is to be decrypted waits for more.
fn update(ec: &mut Ec, this: Data<Engine>, text: Str, is_padded: bool) -> Result<Str> {
    let text = if text.len(ec) > PART { text.snapshot(ec) } else { text };
    let mut out = std::mem::take(&mut this.get_mut(ec).waiting);
    ec.make_room_in(&mut out, text.len(ec))?;
    out.extend_from_slice(text.bytes(ec));
    let engine = this.get_mut(ec);
    let ready = engine.ready(out.len(), is_padded);
    engine.waiting = out.split_off(ready);
    for part in out.chunks_mut(PART) {
        this.get_mut(ec).run(part);
        if part.len() == PART {
            ec.check_ints()?;
        }
    }
    Str::try_new(ec, &out, carat_vm::EncodingIndex::ASCII_8BIT, carat_vm::CodeRange::Unknown)
}

impl Engine {
    /// Of so many bytes, how many can be worked on.
    fn ready(&self, length: usize, is_padded: bool) -> usize {
        if self.mode.is_stream() {
            return length;
        }
        let whole = length - length % BLOCK_BYTES;
        let may_be_padding = is_padded && !self.is_encrypting && whole == length;
        if may_be_padding { whole.saturating_sub(BLOCK_BYTES) } else { whole }
    }

    fn run(&mut self, text: &mut [u8]) {
        if self.is_encrypting { self.mode.encrypt(&self.key, text) } else { self.mode.decrypt(&self.key, text) }
    }

    /// What the end makes of the rest.
    fn end(&mut self, is_padded: bool) -> std::result::Result<Vec<u8>, &'static str> {
        let mut block = std::mem::take(&mut self.waiting);
        if self.mode.is_stream() || (!is_padded && block.is_empty()) {
            return Ok(block);
        }
        if !is_padded {
            return Err("wrong final block length");
        }
        if self.is_encrypting {
            let missing = BLOCK_BYTES - block.len();
            block.resize(BLOCK_BYTES, missing as u8);
            self.run(&mut block);
            return Ok(block);
        }
        if block.len() != BLOCK_BYTES {
            return Err("wrong final block length");
        }
        self.run(&mut block);
        without_padding(block).ok_or("bad decrypt")
    }
}

/// Its last byte says how long padding is, and every byte of it must. Takes the same time whatever the bytes are: whoever could
/// measure how many are right could decrypt with that.
fn without_padding(mut block: Vec<u8>) -> Option<Vec<u8>> {
    let size = *block.last()?;
    let is_wrong =
        |(index, byte): (usize, &u8)| u8::from(BLOCK_BYTES - index <= usize::from(size)) & u8::from(*byte != size);
    let wrong = block.iter().enumerate().map(is_wrong).fold(0, |sum, wrong| sum | wrong);
    let is_size = (1..=BLOCK_BYTES as u8).contains(&size);
    block.truncate(BLOCK_BYTES.saturating_sub(size.into()));
    (is_size && wrong == 0).then_some(block)
}

/// `finish(is_padded)`
fn finish(ec: &mut Ec, this: Data<Engine>, is_padded: bool) -> Result<Str> {
    match this.get_mut(ec).end(is_padded) {
        Ok(bytes) => Ok(Str::binary(ec, &bytes)),
        Err(message) => Err(cipher_error(ec, message)),
    }
}

/// `add_data(data)`: what the tag signs besides the text.
fn add_data(ec: &mut Ec, this: Data<Engine>, data: Str) -> Result {
    let bytes = data.bytes(ec).to_vec();
    let is_added = this.get_mut(ec).mode.gcm().is_some_and(|gcm| gcm.add_data(&bytes));
    if is_added { Ok(data.value()) } else { Err(cipher_error(ec, "couldn't set additional authenticated data")) }
}

/// `tag`: 16 bytes; nil unless the mode has one.
fn tag(ec: &mut Ec, this: Data<Engine>) -> Value {
    match this.get_mut(ec).mode.gcm().map(|gcm| gcm.tag()) {
        Some(tag) => Str::binary(ec, &tag).value(),
        None => Value::NIL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_says_its_size_in_every_byte() {
        let padded = |size: u8, last: u8| {
            let mut block = vec![b'a'; BLOCK_BYTES - usize::from(size)];
            block.resize(BLOCK_BYTES, last);
            without_padding(block)
        };
        assert_eq!(padded(16, 16), Some(Vec::new()));
        assert_eq!(padded(1, 1), Some(vec![b'a'; 15]));
        assert_eq!(padded(2, 3), None);
        assert_eq!(padded(3, 0), None);
        assert_eq!(padded(16, 17), None);
    }
}
