//! What both assemblers have: bytes that are put together, and places in them.

/// A place in the code, known or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label(u32);

const UNKNOWN: u32 = u32::MAX;

/// Bytes that are put together: instructions, and data between them.
#[derive(Default)]
pub struct Code {
    pub(crate) bytes: Vec<u8>,
    labels: Vec<u32>,
    /// Where what seldom runs begins, if it may lie elsewhere.
    pub(crate) cut: Option<u32>,
}

impl Code {
    /// Bytes so far.
    pub fn position(&self) -> usize {
        self.bytes.len()
    }

    pub fn label(&mut self) -> Label {
        self.labels.push(UNKNOWN);
        Label(self.labels.len() as u32 - 1)
    }

    /// The label is `offset` bytes from the beginning.
    pub fn bind_at(&mut self, label: Label, offset: usize) {
        self.labels[label.0 as usize] = offset as u32;
    }

    /// Where a label is that was bound.
    pub fn offset_of(&self, label: Label) -> usize {
        self.bound(label).expect("a label that was bound")
    }

    /// The same if it was.
    pub fn bound(&self, label: Label) -> Option<usize> {
        let offset = self.labels[label.0 as usize];
        (offset != UNKNOWN).then_some(offset as usize)
    }

    /// How many bytes lie together, and how many elsewhere: see [`CodeMemory::take`](crate::CodeMemory::take).
    pub fn parts(&self) -> (usize, usize) {
        let often = self.cut.map_or(self.position(), |cut| cut as usize);
        (often, self.position() - often)
    }

    /// Bytes up to a multiple of `to`.
    pub fn align(&mut self, to: usize) {
        self.bytes.resize(self.bytes.len().next_multiple_of(to), 0);
    }

    pub fn data(&mut self, word: u64) {
        self.bytes.extend_from_slice(&word.to_le_bytes());
    }

    pub fn set_data(&mut self, at: usize, word: u64) {
        self.bytes[at..at + 8].copy_from_slice(&word.to_le_bytes());
    }
}
