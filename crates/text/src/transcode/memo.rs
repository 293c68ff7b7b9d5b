//! Characters that conversions have met: the bytes that they are in the source, and in the destination.
//!
//! A text uses few different ones, and finding one anew goes through tables that no processor keeps at hand. So what one conversion
//! has found is kept for the next one between the same two encodings, of whatever thread.
//!
//! # Layout
//! A [`Memo`] is a table of words, each a whole entry, so that threads read and write them without a lock:
//!
//! | bits | what |
//! |---|---|
//! | 0..32 | the bytes in the destination as a number |
//! | 32..35 | how many they are; 0 where nothing was noted |
//! | 42..64 | the bits of the character's [`spread`] key that are not the entry's place |

use super::decode::{Decoded, decode};
use super::encode::encode;
use crate::encoding::{Char, EncodingIndex as E, char_len};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

const PLACE_BITS: u32 = 10;
const TAG_SHIFT: u32 = 32 + PLACE_BITS;
const LEN_SHIFT: u32 = 32;
const LEN_MASK: u64 = 7;

/// Of several characters that share a place the last one is known. 8 KiB.
#[derive(Debug)]
pub(super) struct Memo {
    entries: Box<[AtomicU64]>,
}

/// What conversions between two encodings have met.
#[derive(Debug)]
struct Kept {
    pair: (E, E),
    memo: Memo,
}

/// As many pairs have a memo: 256 KiB in all. Programs use few; those that come after them have one for a long text only.
static KEPT: [OnceLock<Kept>; 32] = [const { OnceLock::new() }; 32];

/// The memo of a converter.
#[derive(Clone, Debug)]
pub(super) enum Held {
    Kept(&'static Memo),
    Own(Arc<Memo>),
}

impl std::ops::Deref for Held {
    type Target = Memo;

    fn deref(&self) -> &Memo {
        match self {
            Held::Kept(memo) => memo,
            Held::Own(memo) => memo,
        }
    }
}

/// The places where the memo of a pair may stand, in order.
fn places(source: E, destination: E) -> impl Iterator<Item = &'static OnceLock<Kept>> {
    let first = usize::from(source.0) * 7 + usize::from(destination.0);
    (0..KEPT.len()).map(move |step| &KEPT[(first + step) % KEPT.len()])
}

/// The memo that conversions between the two have made.
pub(super) fn kept(source: E, destination: E) -> Option<&'static Memo> {
    let made = places(source, destination).map_while(OnceLock::get);
    made.into_iter().find(|kept| kept.pair == (source, destination)).map(|kept| &kept.memo)
}

/// The memo of the pair, made now if it is the first time; `None` if there is no place for one.
pub(super) fn keep(source: E, destination: E) -> Option<&'static Memo> {
    let pair = (source, destination);
    let mut kept = places(source, destination).map(|place| place.get_or_init(|| Kept { pair, memo: Memo::new() }));
    kept.find(|kept| kept.pair == pair).map(|kept| &kept.memo)
}

/// Its bits in another order: those in which characters of one script differ become the highest.
fn spread(key: u32) -> u32 {
    key.wrapping_mul(0x9E37_79B1)
}

impl Memo {
    pub(super) fn new() -> Memo {
        Memo { entries: (0..1 << PLACE_BITS).map(|_| AtomicU64::new(0)).collect() }
    }

    /// The entry of a character, and the tag that tells it from others of the same place.
    fn place(&self, key: u32) -> (&AtomicU64, u64) {
        let spread = spread(key);
        let tag = u64::from(spread << PLACE_BITS >> PLACE_BITS);
        (&self.entries[(spread >> (32 - PLACE_BITS)) as usize], tag << TAG_SHIFT)
    }

    /// Appends what the character became when it was met.
    fn append(&self, key: u32, out: &mut Vec<u8>) -> bool {
        let (entry, tag) = self.place(key);
        let entry = entry.load(Ordering::Relaxed);
        if entry >> TAG_SHIFT != tag >> TAG_SHIFT {
            return false;
        }
        let [a, b, c, d] = (entry as u32).to_le_bytes();
        match entry >> LEN_SHIFT & LEN_MASK {
            0 => return false,
            1 => out.push(a),
            2 => out.extend_from_slice(&[a, b]),
            3 => out.extend_from_slice(&[a, b, c]),
            _ => out.extend_from_slice(&[a, b, c, d]),
        }
        true
    }

    fn note(&self, key: u32, written: &[u8]) {
        if written.is_empty() || written.len() > 4 {
            return;
        }
        let mut bytes = [0; 4];
        bytes[..written.len()].copy_from_slice(written);
        let (entry, tag) = self.place(key);
        let word = tag | (written.len() as u64) << LEN_SHIFT | u64::from(u32::from_le_bytes(bytes));
        // The word is all that there is to an entry, so no other store has to be seen before it.
        entry.store(word, Ordering::Relaxed);
    }

    /// Appends characters up to one that is wrong or that the destination lacks, and tells how many bytes they were. Neither encoding
    /// may have states.
    pub(super) fn convert(&self, source: E, destination: E, input: &[u8], out: &mut Vec<u8>) -> usize {
        let keeps_ascii = source.is_ascii_compatible() && destination.is_ascii_compatible();
        let mut at = 0;
        loop {
            let rest = &input[at..];
            if keeps_ascii && rest.first().is_some_and(u8::is_ascii) {
                let ascii = rest.iter().position(|byte| !byte.is_ascii()).unwrap_or(rest.len());
                out.extend_from_slice(&rest[..ascii]);
                at += ascii;
                continue;
            }
            let Some((key, len)) = key(source, rest) else { return at };
            if !self.append(key, out) {
                let start = out.len();
                let Decoded::Char(c, _) = decode(source, &rest[..len]) else { return at };
                if !encode(destination, c, out) {
                    return at;
                }
                self.note(key, &out[start..]);
            }
            at += len;
        }
    }
}

/// The length of the first character, and its bytes as a number; `None` if it breaks off, or is visibly wrong. Of UTF-8 only the first
/// byte is looked at: what was not met is decoded, and what was met is right.
fn key(source: E, rest: &[u8]) -> Option<(u32, usize)> {
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
