//! Modes of operation: what makes a cipher of texts out of AES, which is one of blocks.
//!
//! # Not here
//! Padding, and blocks that are not whole yet: see `cipher`.
//!
//! # References
//! NIST SP 800-38A (ECB, CBC, CTR), SP 800-38D (GCM).

use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use aes::{Aes128, Aes192, Aes256, Block};
use ghash::GHash;
use ghash::universal_hash::UniversalHash;

pub(super) const BLOCK_BYTES: usize = 16;

/// As many blocks are encrypted side by side.
const BATCH_BLOCKS: usize = 32;

#[derive(Clone)]
pub(super) enum Key {
    Aes128(Aes128),
    Aes192(Aes192),
    Aes256(Aes256),
}

impl Key {
    /// `None` unless it has 16, 24 or 32 bytes.
    pub(super) fn new(bytes: &[u8]) -> Option<Key> {
        match bytes.len() {
            16 => Aes128::new_from_slice(bytes).ok().map(Key::Aes128),
            24 => Aes192::new_from_slice(bytes).ok().map(Key::Aes192),
            32 => Aes256::new_from_slice(bytes).ok().map(Key::Aes256),
            _ => None,
        }
    }

    fn encrypt(&self, blocks: &mut [Block]) {
        match self {
            Key::Aes128(cipher) => cipher.encrypt_blocks(blocks),
            Key::Aes192(cipher) => cipher.encrypt_blocks(blocks),
            Key::Aes256(cipher) => cipher.encrypt_blocks(blocks),
        }
    }

    fn decrypt(&self, blocks: &mut [Block]) {
        match self {
            Key::Aes128(cipher) => cipher.decrypt_blocks(blocks),
            Key::Aes192(cipher) => cipher.decrypt_blocks(blocks),
            Key::Aes256(cipher) => cipher.decrypt_blocks(blocks),
        }
    }

    fn encrypted(&self, block: [u8; BLOCK_BYTES]) -> Block {
        let mut blocks = [Block::from(block)];
        self.encrypt(&mut blocks);
        blocks[0]
    }
}

#[derive(Clone)]
pub(super) enum Mode {
    Ecb,
    /// With the block of cipher text before.
    Cbc(Block),
    Ctr(Counter),
    Gcm(Box<Gcm>),
}

impl Mode {
    /// `None` if there is no mode of this name, or none with such an initialization vector.
    pub(super) fn new(name: &[u8], key: &Key, iv: &[u8]) -> Option<Mode> {
        let first = || <[u8; BLOCK_BYTES]>::try_from(iv).ok();
        match name {
            b"ecb" => Some(Mode::Ecb),
            b"cbc" => Some(Mode::Cbc(first()?.into())),
            b"ctr" => Some(Mode::Ctr(Counter::new(first()?, u128::MAX))),
            b"gcm" => Some(Mode::Gcm(Box::new(Gcm::new(key, iv)))),
            _ => None,
        }
    }

    /// Whether texts need not be whole blocks.
    pub(super) fn is_stream(&self) -> bool {
        matches!(self, Mode::Ctr(_) | Mode::Gcm(_))
    }

    pub(super) fn gcm(&mut self) -> Option<&mut Gcm> {
        if let Mode::Gcm(gcm) = self { Some(gcm) } else { None }
    }

    /// In place. `text` is whole blocks unless the mode takes any text.
    pub(super) fn encrypt(&mut self, key: &Key, text: &mut [u8]) {
        match self {
            Mode::Ecb => key.encrypt(Block::slice_as_chunks_mut(text).0),
            Mode::Cbc(last) => {
                for block in Block::slice_as_chunks_mut(text).0 {
                    xor(block, last);
                    key.encrypt(std::slice::from_mut(block));
                    *last = *block;
                }
            }
            Mode::Ctr(counter) => counter.apply(key, text),
            Mode::Gcm(gcm) => {
                gcm.counter.apply(key, text);
                gcm.sum.add_text(text);
            }
        }
    }

    /// In place: see `encrypt`.
    pub(super) fn decrypt(&mut self, key: &Key, text: &mut [u8]) {
        match self {
            Mode::Ecb => key.decrypt(Block::slice_as_chunks_mut(text).0),
            Mode::Cbc(last) => {
                for block in Block::slice_as_chunks_mut(text).0 {
                    let coded = *block;
                    key.decrypt(std::slice::from_mut(block));
                    xor(block, last);
                    *last = coded;
                }
            }
            Mode::Ctr(counter) => counter.apply(key, text),
            Mode::Gcm(gcm) => {
                gcm.sum.add_text(text);
                gcm.counter.apply(key, text);
            }
        }
    }
}

fn xor(text: &mut [u8], stream: &[u8]) {
    text.iter_mut().zip(stream).for_each(|(byte, mask)| *byte ^= mask);
}

/// A stream of bytes made of encrypted numbers.
#[derive(Clone)]
pub(super) struct Counter {
    next: u128,
    /// The bits that count.
    mask: u128,
    stream: Block,
    /// Bytes of `stream` that were used.
    used: usize,
}

impl Counter {
    fn new(first: [u8; BLOCK_BYTES], mask: u128) -> Counter {
        Counter { next: u128::from_be_bytes(first), mask, stream: Block::default(), used: BLOCK_BYTES }
    }

    fn take_next(&mut self) -> Block {
        let number = self.next;
        self.next = (number & !self.mask) | (number.wrapping_add(1) & self.mask);
        number.to_be_bytes().into()
    }

    fn apply(&mut self, key: &Key, text: &mut [u8]) {
        let (begun, rest) = text.split_at_mut(text.len().min(BLOCK_BYTES - self.used));
        xor(begun, &self.stream[self.used..]);
        self.used += begun.len();
        for part in rest.chunks_mut(BATCH_BLOCKS * BLOCK_BYTES) {
            let mut blocks = [Block::default(); BATCH_BLOCKS];
            let blocks = &mut blocks[..part.len().div_ceil(BLOCK_BYTES)];
            blocks.iter_mut().for_each(|block| *block = self.take_next());
            key.encrypt(blocks);
            xor(part, Block::slice_as_flattened(blocks));
            self.stream = blocks[blocks.len() - 1];
            self.used = part.len() - (blocks.len() - 1) * BLOCK_BYTES;
        }
    }
}

/// A counter, and a sum of what was encrypted.
#[derive(Clone)]
pub(super) struct Gcm {
    counter: Counter,
    sum: Sum,
    /// What the sum is encrypted with.
    tag_mask: Block,
}

impl Gcm {
    fn new(key: &Key, iv: &[u8]) -> Gcm {
        let sum = Sum::new(key);
        let first = if iv.len() == 12 {
            let mut block = [0; BLOCK_BYTES];
            block[..12].copy_from_slice(iv);
            block[15] = 1;
            block
        } else {
            let mut sum = sum.clone();
            sum.add_text(iv);
            sum.finish().into()
        };
        let mut counter = Counter::new(first, u32::MAX.into());
        counter.take_next();
        Gcm { counter, sum, tag_mask: key.encrypted(first) }
    }

    /// What is not encrypted but signed. False once there is text: it comes first.
    pub(super) fn add_data(&mut self, data: &[u8]) -> bool {
        let is_first = self.sum.text_bytes == 0;
        if is_first {
            self.sum.data_bytes += data.len() as u64;
            self.sum.add(data);
        }
        is_first
    }

    pub(super) fn tag(&self) -> [u8; BLOCK_BYTES] {
        let mut tag = self.sum.clone().finish();
        xor(&mut tag, &self.tag_mask);
        tag.into()
    }
}

#[derive(Clone)]
struct Sum {
    hash: GHash,
    /// Bytes of a block that is not whole yet.
    partial: Block,
    partial_bytes: usize,
    data_bytes: u64,
    text_bytes: u64,
}

impl Sum {
    fn new(key: &Key) -> Sum {
        let hash = GHash::new(&key.encrypted([0; BLOCK_BYTES]));
        Sum { hash, partial: Block::default(), partial_bytes: 0, data_bytes: 0, text_bytes: 0 }
    }

    fn add_text(&mut self, text: &[u8]) {
        if self.text_bytes == 0 {
            self.pad();
        }
        self.text_bytes += text.len() as u64;
        self.add(text);
    }

    fn add(&mut self, mut bytes: &[u8]) {
        if self.partial_bytes > 0 {
            let (begun, rest) = bytes.split_at(bytes.len().min(BLOCK_BYTES - self.partial_bytes));
            self.keep(begun);
            bytes = rest;
            if self.partial_bytes < BLOCK_BYTES {
                return;
            }
            self.pad();
        }
        let (blocks, rest) = Block::slice_as_chunks(bytes);
        self.hash.update(blocks);
        self.keep(rest);
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.partial[self.partial_bytes..][..bytes.len()].copy_from_slice(bytes);
        self.partial_bytes += bytes.len();
    }

    /// Ends the block that was begun.
    fn pad(&mut self) {
        if self.partial_bytes > 0 {
            self.hash.update(&[self.partial]);
            (self.partial, self.partial_bytes) = (Block::default(), 0);
        }
    }

    fn finish(mut self) -> Block {
        self.pad();
        let lengths = u128::from(self.data_bytes * 8) << 64 | u128::from(self.text_bytes * 8);
        self.hash.update(&[lengths.to_be_bytes().into()]);
        self.hash.finalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(text: &str) -> Vec<u8> {
        (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).expect("digits")).collect()
    }

    /// Case 4 of "The Galois/Counter Mode of Operation", in pieces of every size.
    #[test]
    fn gcm_gives_the_same_in_pieces() {
        let key = Key::new(&hex("feffe9928665731c6d6a8f9467308308")).expect("a key");
        let text = hex(concat!(
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72",
            "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
        ));
        let data = hex("feedfacedeadbeeffeedfacedeadbeefabaddad2");
        for size in 1..=text.len() {
            let mut mode = Mode::new(b"gcm", &key, &hex("cafebabefacedbaddecaf888")).expect("a mode");
            data.chunks(size).for_each(|part| assert!(mode.gcm().expect("GCM").add_data(part)));
            let mut coded = text.clone();
            coded.chunks_mut(size).for_each(|part| mode.encrypt(&key, part));
            assert_eq!(coded[..8], hex("42831ec221777424"));
            assert_eq!(mode.gcm().expect("GCM").tag()[..], hex("5bc94fbc3221a5db94fae95ae7121a47"));
        }
    }

    #[test]
    fn counter_wraps_around() {
        let key = Key::new(&[7; 32]).expect("a key");
        let mut whole = [0; 80];
        Counter::new([0xff; 16], u128::MAX).apply(&key, &mut whole);
        let mut second = [0; 16];
        Counter::new([0; 16], u128::MAX).apply(&key, &mut second);
        assert_eq!(whole[16..32], second);
    }
}
