//! The hash of bytes, keyed by a secret of the VM: who chooses the keys of a program's hashes cannot choose where they fall.

use carat_text::encoding::EncodingIndex;
use foldhash::SharedSeed;
use foldhash::fast::FoldHasher;
use std::hash::Hasher;

/// The key of one VM's hashes.
#[derive(Clone)]
pub(crate) struct BytesHash {
    seed: u64,
    shared: SharedSeed,
}

impl BytesHash {
    pub(crate) fn new(seed: u64) -> BytesHash {
        BytesHash { seed, shared: SharedSeed::from_u64(seed.rotate_left(32)) }
    }

    #[inline]
    pub(crate) fn of(&self, bytes: &[u8]) -> u64 {
        self.salted(bytes, 0)
    }

    /// The hash of a name or of a unique frozen string in its table.
    pub(crate) fn of_name(&self, bytes: &[u8], encoding: EncodingIndex) -> u64 {
        self.salted(bytes, u64::from(encoding.0) + 1)
    }

    #[inline]
    fn salted(&self, bytes: &[u8], salt: u64) -> u64 {
        let mut hasher = FoldHasher::with_seed(self.seed ^ salt, &self.shared);
        hasher.write(bytes);
        hasher.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Strings that collide under one key, found by trying, collide under another one no more often than any others.
    #[test]
    fn collisions_depend_on_the_key() {
        let (known, secret) = (BytesHash::new(1), BytesHash::new(2));
        let texts: Vec<String> = (0..200_000).map(|i| format!("key{i}")).collect();
        let low = |hash: u64| hash & 0xFFF;
        let colliding: Vec<&String> = texts.iter().filter(|t| low(known.of(t.as_bytes())) == 7).collect();
        let still =
            colliding.iter().filter(|t| low(secret.of(t.as_bytes())) == low(secret.of(colliding[0].as_bytes())));
        assert!(colliding.len() > 20);
        assert!(still.count() < 5);
    }

    #[test]
    fn names_are_told_apart_by_encoding() {
        let hash = BytesHash::new(3);
        assert_ne!(hash.of_name(b"a", EncodingIndex::UTF_8), hash.of_name(b"a", EncodingIndex::BINARY));
    }
}
