//! Characters that a conversion has met: the bytes that they are in the source, and in the destination.
//!
//! A text uses few different ones, and finding one anew goes through tables that no processor keeps at hand.

use crate::encoding::{Char, EncodingIndex as E, char_len};

/// A power of two: 12 KiB in all.
const ENTRIES: usize = 1024;

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// The bytes in the source as a number.
    key: u32,
    bytes: [u8; 4],
    /// Of `bytes`; 0 where nothing was noted.
    len: u8,
}

/// Of several characters that share a place the last one is known.
#[derive(Clone, Debug)]
pub(super) struct Memo {
    entries: Box<[Entry]>,
}

impl Memo {
    pub(super) fn new() -> Memo {
        Memo { entries: vec![Entry::default(); ENTRIES].into_boxed_slice() }
    }

    fn place(key: u32) -> usize {
        (key ^ (key >> 9)) as usize % ENTRIES
    }

    /// Appends what the character became when it was met.
    pub(super) fn append(&self, key: u32, out: &mut Vec<u8>) -> bool {
        let entry = &self.entries[Memo::place(key)];
        let [a, b, c, d] = entry.bytes;
        match entry.len {
            0 => return false,
            _ if entry.key != key => return false,
            1 => out.push(a),
            2 => out.extend([a, b]),
            3 => out.extend([a, b, c]),
            _ => out.extend([a, b, c, d]),
        }
        true
    }

    pub(super) fn note(&mut self, key: u32, written: &[u8]) {
        if written.is_empty() || written.len() > 4 {
            return;
        }
        let mut bytes = [0; 4];
        bytes[..written.len()].copy_from_slice(written);
        self.entries[Memo::place(key)] = Entry { key, bytes, len: written.len() as u8 };
    }
}

/// The length of the first character, and its bytes as a number; `None` if it breaks off, or is visibly wrong. Of UTF-8 only the first
/// byte is looked at: what was not met is decoded, and what was met is right.
pub(super) fn key(source: E, rest: &[u8]) -> Option<(u32, usize)> {
    let len = match (source, *rest.first()?) {
        (E::UTF_8, 0xC2..=0xDF) => 2,
        (E::UTF_8, 0xE0..=0xEF) => 3,
        (E::UTF_8, 0xF0..=0xF4) => 4,
        _ if source.max_len() == 1 => 1,
        _ => match char_len(source, rest) {
            Char::Valid(len @ 1..=4) => usize::from(len),
            _ => return None,
        },
    };
    let bytes = rest.get(..len)?;
    Some((bytes.iter().fold(0, |key, &byte| key << 8 | u32::from(byte)), len))
}
