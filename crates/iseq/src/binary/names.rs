//! The names of a part while it is written: each stands once.

/// Names behind their lengths, and where each is.
#[derive(Default)]
pub(super) struct Names {
    pub(super) bytes: Vec<u8>,
    /// Open addressing: positions plus one, 0 where nothing is. A power of two, at most half full.
    slots: Vec<u32>,
    count: usize,
}

impl Names {
    /// The position of a name; it is added if it is new.
    pub(super) fn position(&mut self, name: &[u8]) -> u32 {
        if self.count * 2 >= self.slots.len() {
            self.grow();
        }
        let slot = self.slot(name);
        if self.slots[slot] == 0 {
            let position = u32::try_from(self.bytes.len()).expect("less than four gigabytes of names");
            super::writer::number(&mut self.bytes, name.len() as u64);
            self.bytes.extend_from_slice(name);
            self.slots[slot] = position + 1;
            self.count += 1;
        }
        self.slots[slot] - 1
    }

    /// Where a name is, or would be.
    fn slot(&self, name: &[u8]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(name) as usize & mask;
        while self.slots[slot] != 0 && super::reader::name_at(&self.bytes, self.slots[slot] - 1) != name {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(64);
        let old = std::mem::replace(&mut self.slots, vec![0; size]);
        for position in old.into_iter().filter(|position| *position != 0) {
            let mut slot = hash(super::reader::name_at(&self.bytes, position - 1)) as usize & (size - 1);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = position;
        }
    }
}

/// Eight bytes at a time, multiplied by a large odd number; the high half is the well mixed one.
fn hash(name: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut chunks = name.chunks_exact(8);
    let mut hash = name.len() as u64;
    let mut mix = |word: u64| hash = (hash.rotate_left(5) ^ word).wrapping_mul(FACTOR);
    chunks.by_ref().for_each(|chunk| mix(u64::from_le_bytes(chunk.try_into().expect("eight bytes"))));
    let mut rest = [0; 8];
    rest[..chunks.remainder().len()].copy_from_slice(chunks.remainder());
    mix(u64::from_le_bytes(rest));
    hash >> 32
}
