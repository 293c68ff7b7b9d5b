//! Which object came from which place: a word for each 16 bytes of the heap, found by the object's address.
//!
//! # Layout
//! ```text
//! 63  62        32 31              0
//! [8] [generation] [place plus one ]     0: no record
//! ```
//! Slots are at least 16 bytes, so no two begin in the same 16; whether one begins in the upper eight is the first bit.

use carat_layout::{Header, Value};
use rustc_hash::FxHashMap;
use std::ptr::NonNull;

/// Bytes of memory that one block of words stands for.
const BLOCK_BYTES: usize = 256 << 10;
const GRANULE: usize = 16;
const WORDS: usize = BLOCK_BYTES / GRANULE;

/// Number of the site where an object was made, or of the calling context where those are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PlaceId(pub(crate) u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Record {
    pub(crate) place: PlaceId,
    pub(crate) generation: u32,
}

/// See the module.
type Word = u64;

const UPPER_HALF: u64 = 1 << 63;
const GENERATION_MASK: u64 = 0x7FFF_FFFF;

fn word_of(address: usize, record: Record) -> Word {
    let half = if address & 8 == 0 { 0 } else { UPPER_HALF };
    half | (u64::from(record.generation) & GENERATION_MASK) << 32 | u64::from(record.place.0 + 1)
}

fn record_of(word: Word) -> Option<Record> {
    let generation = (word >> 32 & GENERATION_MASK) as u32;
    (word != 0).then(|| Record { place: PlaceId(word as u32 - 1), generation })
}

fn address_of(number: usize, at: usize, word: Word) -> usize {
    number * BLOCK_BYTES + at * GRANULE + if word & UPPER_HALF == 0 { 0 } else { 8 }
}

/// Blocks whose index is remembered: each pool allocates in another one.
const REMEMBERED: usize = 16;

/// Words of a block that one bit of `Block::touched` stands for: records of a kilobyte of heap.
const GROUP: usize = 64;
const GROUPS: usize = WORDS / GROUP;

/// How an object has come out of a collection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fate {
    Dead,
    /// It lives; the next minor collection may find it dead.
    Young,
    Old,
}

/// The records of [`BLOCK_BYTES`] of memory.
struct Block {
    number: usize,
    words: Box<[Word; WORDS]>,
    /// Groups that got records since the table was last gone through, or have records of young objects.
    touched: [u64; GROUPS / 64],
}

impl Block {
    fn new(number: usize) -> Block {
        let words = vec![0; WORDS].into_boxed_slice();
        Block { number, words: words.try_into().expect("the block has its words"), touched: [0; GROUPS / 64] }
    }

    #[inline]
    fn set(&mut self, at: usize, word: Word) {
        self.words[at] = word;
        let group = at / GROUP;
        self.touched[group / 64] |= 1 << (group % 64);
    }

    /// The groups to go through: those with records of young objects, or all. From here on none is known to have any.
    fn take_groups(&mut self, only_touched: bool) -> [u64; GROUPS / 64] {
        let touched = std::mem::take(&mut self.touched);
        if only_touched { touched } else { [u64::MAX; GROUPS / 64] }
    }

    fn retain_in(&mut self, group: usize, fate: &mut dyn FnMut(Value, Record) -> Fate) {
        for at in group * GROUP..(group + 1) * GROUP {
            let word = self.words[at];
            let Some(record) = record_of(word) else { continue };
            match fate(object_at(address_of(self.number, at, word)), record) {
                Fate::Dead => self.words[at] = 0,
                Fate::Young => self.touched[group / 64] |= 1 << (group % 64),
                Fate::Old => {}
            }
        }
    }
}

pub(crate) struct Table {
    /// Index into `blocks` by number of the block.
    index: FxHashMap<usize, usize>,
    blocks: Vec<Block>,
    /// Numbers and indices of the blocks used lately, by number.
    remembered: [(usize, usize); REMEMBERED],
}

impl Default for Table {
    fn default() -> Table {
        Table { index: FxHashMap::default(), blocks: Vec::new(), remembered: [(usize::MAX, 0); REMEMBERED] }
    }
}

fn place(address: usize) -> (usize, usize) {
    (address / BLOCK_BYTES, address % BLOCK_BYTES / GRANULE)
}

impl Table {
    #[inline]
    pub(crate) fn set(&mut self, address: usize, record: Record) {
        let (number, at) = place(address);
        let (known, index) = self.remembered[number % REMEMBERED];
        let index = if known == number { index } else { self.block(number) };
        self.blocks[index].set(at, word_of(address, record));
    }

    #[cold]
    fn block(&mut self, number: usize) -> usize {
        let blocks = &mut self.blocks;
        let index = *self.index.entry(number).or_insert_with(|| {
            blocks.push(Block::new(number));
            blocks.len() - 1
        });
        self.remembered[number % REMEMBERED] = (number, index);
        index
    }

    pub(crate) fn get(&self, address: usize) -> Option<Record> {
        let (number, at) = place(address);
        let (known, index) = self.remembered[number % REMEMBERED];
        let index = if known == number { index } else { *self.index.get(&number)? };
        let word = self.blocks[index].words[at];
        record_of(word).filter(|_| address_of(number, at, word) == address)
    }

    /// Drops the records of dead objects, of those that were young or of all.
    pub(crate) fn retain(&mut self, only_young: bool, fate: &mut dyn FnMut(Value, Record) -> Fate) {
        for block in &mut self.blocks {
            for (at, groups) in block.take_groups(only_young).into_iter().enumerate() {
                let mut left = groups;
                while left != 0 {
                    block.retain_in(at * 64 + left.trailing_zeros() as usize, fate);
                    left &= left - 1;
                }
            }
        }
    }

    /// All records.
    pub(crate) fn each(&self, f: &mut dyn FnMut(Value, Record)) {
        for block in &self.blocks {
            for (at, word) in block.words.iter().enumerate() {
                if let Some(record) = record_of(*word) {
                    f(object_at(address_of(block.number, at, *word)), record);
                }
            }
        }
    }

    /// Takes over the records of another table, whose places have got the numbers in `places`.
    pub(crate) fn adopt(&mut self, other: Table, places: &[PlaceId]) {
        for block in other.blocks {
            for (at, word) in block.words.iter().enumerate() {
                let Some(record) = record_of(*word) else { continue };
                let place = places[record.place.0 as usize];
                self.set(address_of(block.number, at, *word), Record { place, ..record });
            }
        }
    }
}

fn object_at(address: usize) -> Value {
    let header: *mut Header = std::ptr::with_exposed_provenance_mut(address);
    // SAFETY: a record's address is that of a slot, and never zero: an object was made there, and its record goes no later
    // than the object.
    unsafe { Value::from_heap(NonNull::new_unchecked(header)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(place: u32) -> Record {
        Record { place: PlaceId(place), generation: 7 }
    }

    #[test]
    fn a_record_is_found_at_its_address_only() {
        let mut table = Table::default();
        table.set(0x7000_0000_0010, record(3));
        table.set(0x7100_0000_0000, record(0));
        assert_eq!(table.get(0x7000_0000_0010), Some(record(3)));
        assert_eq!(table.get(0x7100_0000_0000), Some(record(0)));
        assert_eq!(table.get(0x7000_0000_0018), None);
        assert_eq!(table.get(0x7200_0000_0000), None);
    }

    #[test]
    fn slots_of_odd_sizes_have_words_of_their_own() {
        let mut table = Table::default();
        let addresses = || (0..100).map(|i| 0x1000_0000 + i * 24);
        addresses().enumerate().for_each(|(i, address)| table.set(address, record(i as u32)));
        assert!(addresses().enumerate().all(|(i, address)| table.get(address) == Some(record(i as u32))));
        let mut seen = Vec::new();
        table.retain(false, &mut |object, _| {
            seen.push(object.bits() as usize);
            Fate::Old
        });
        assert!(addresses().eq(seen));
        assert_eq!(table.get(0x1000_0008), None);
    }

    #[test]
    fn what_is_not_kept_is_gone() {
        let mut table = Table::default();
        (0..10).for_each(|i| table.set(0x1000_0000 + i * 16, record(i as u32)));
        table.retain(false, &mut |_, r| if r.place.0 % 2 == 0 { Fate::Old } else { Fate::Dead });
        let left = (0..10).filter(|i| table.get(0x1000_0000 + i * 16).is_some()).count();
        assert_eq!(left, 5);
    }

    #[test]
    fn only_records_of_young_objects_are_asked_about() {
        let mut table = Table::default();
        let asked = |table: &mut Table, fate| {
            let mut seen = Vec::new();
            table.retain(true, &mut |object, _| {
                seen.push(object.bits());
                fate
            });
            seen
        };
        table.set(0x1000_0000, record(1));
        assert_eq!(asked(&mut table, Fate::Young), [0x1000_0000]);
        assert_eq!(asked(&mut table, Fate::Old), [0x1000_0000]);
        table.set(0x1002_0000, record(2));
        assert_eq!(asked(&mut table, Fate::Old), [0x1002_0000]);
        assert!(asked(&mut table, Fate::Old).is_empty());
        assert_eq!(table.get(0x1000_0000), Some(record(1)));
    }

    #[test]
    fn adopted_records_name_the_new_places() {
        let (mut ours, mut theirs) = (Table::default(), Table::default());
        ours.set(0x1000_0000, record(1));
        theirs.set(0x2000_0000, record(1));
        ours.adopt(theirs, &[PlaceId(0), PlaceId(5)]);
        assert_eq!(ours.get(0x1000_0000), Some(record(1)));
        assert_eq!(ours.get(0x2000_0000), Some(record(5)));
    }
}
