//! The names of a part while it is written: each stands once.

/// Names behind their lengths, and where each is.
#[derive(Default)]
pub(super) struct Names {
    pub(super) bytes: Vec<u8>,
    /// Open addressing: hash and position plus one, 0 where nothing is. A power of two, at most half full.
    slots: Vec<(u32, u32)>,
    count: usize,
}

impl Names {
    /// The position of a name; it is added if it is new.
    pub(super) fn position(&mut self, name: &[u8]) -> u32 {
        if self.count * 2 >= self.slots.len() {
            self.grow();
        }
        let hash = hash(name);
        let slot = self.slot(name, hash);
        if self.slots[slot].1 == 0 {
            let position = u32::try_from(self.bytes.len()).expect("less than four gigabytes of names");
            super::writer::number(&mut self.bytes, name.len() as u64);
            self.bytes.extend_from_slice(name);
            self.slots[slot] = (hash, position + 1);
            self.count += 1;
        }
        self.slots[slot].1 - 1
    }

    /// Where a name is, or would be.
    fn slot(&self, name: &[u8], hash: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let (other, position) = self.slots[slot];
            if position == 0 || (other == hash && super::reader::name_at(&self.bytes, position - 1) == name) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(64);
        let old = std::mem::replace(&mut self.slots, vec![(0, 0); size]);
        for (hash, position) in old.into_iter().filter(|slot| slot.1 != 0) {
            let mut slot = hash as usize & (size - 1);
            while self.slots[slot].1 != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = (hash, position);
        }
    }
}

/// Eight bytes at a time, multiplied by a large odd number; the high half is the well mixed one.
fn hash(name: &[u8]) -> u32 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut chunks = name.chunks_exact(8);
    let mut hash = name.len() as u64;
    let mut mix = |word: u64| hash = (hash.rotate_left(5) ^ word).wrapping_mul(FACTOR);
    chunks.by_ref().for_each(|chunk| mix(u64::from_le_bytes(chunk.try_into().expect("eight bytes"))));
    mix(chunks.remainder().iter().fold(0, |word, byte| word << 8 | u64::from(*byte)));
    (hash >> 32) as u32
}
