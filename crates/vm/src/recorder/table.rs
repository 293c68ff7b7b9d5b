//! Which object came from which site: a word for each 16 bytes of the heap, found by the object's address.

use super::SiteId;
use carat_layout::{Header, Value};
use rustc_hash::FxHashMap;
use std::ptr::NonNull;

/// Bytes of memory that one block of words stands for.
const BLOCK_BYTES: usize = 256 << 10;
/// Every slot begins at a multiple of this.
const GRANULE: usize = 8;
const WORDS: usize = BLOCK_BYTES / GRANULE;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Record {
    pub(crate) site: SiteId,
    pub(crate) generation: u32,
}

/// 0, or generation above site number plus one.
type Word = u64;

fn word_of(record: Record) -> Word {
    u64::from(record.generation) << 32 | u64::from(record.site.0 + 1)
}

fn record_of(word: Word) -> Option<Record> {
    (word != 0).then(|| Record { site: SiteId(word as u32 - 1), generation: (word >> 32) as u32 })
}

#[derive(Default)]
pub(crate) struct Table {
    /// Index into `blocks` by number of the block.
    index: FxHashMap<usize, usize>,
    blocks: Vec<(usize, Box<[Word]>)>,
    /// Number and index of the block used last.
    last: Option<(usize, usize)>,
}

fn place(address: usize) -> (usize, usize) {
    (address / BLOCK_BYTES, address % BLOCK_BYTES / GRANULE)
}

impl Table {
    pub(crate) fn set(&mut self, address: usize, record: Record) {
        let (number, at) = place(address);
        let index = match self.last {
            Some((last, index)) if last == number => index,
            _ => self.block(number),
        };
        self.blocks[index].1[at] = word_of(record);
    }

    fn block(&mut self, number: usize) -> usize {
        let blocks = &mut self.blocks;
        let index = *self.index.entry(number).or_insert_with(|| {
            blocks.push((number, vec![0; WORDS].into_boxed_slice()));
            blocks.len() - 1
        });
        self.last = Some((number, index));
        index
    }

    pub(crate) fn get(&self, address: usize) -> Option<Record> {
        let (number, at) = place(address);
        record_of(self.blocks[*self.index.get(&number)?].1[at])
    }

    /// Keeps the records that `keep` wants.
    pub(crate) fn retain(&mut self, keep: &mut dyn FnMut(Value, Record) -> bool) {
        for (number, words) in &mut self.blocks {
            for (at, word) in words.iter_mut().enumerate() {
                let Some(record) = record_of(*word) else { continue };
                if !keep(object_at(*number * BLOCK_BYTES + at * GRANULE), record) {
                    *word = 0;
                }
            }
        }
    }

    /// Takes over the records of another table, whose sites have got the numbers in `sites`.
    pub(crate) fn adopt(&mut self, other: Table, sites: &[SiteId]) {
        for (number, words) in other.blocks {
            for (at, word) in words.iter().enumerate() {
                let Some(record) = record_of(*word) else { continue };
                let site = sites[record.site.0 as usize];
                self.set(number * BLOCK_BYTES + at * GRANULE, Record { site, ..record });
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

    fn record(site: u32) -> Record {
        Record { site: SiteId(site), generation: 7 }
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
    fn what_is_not_kept_is_gone() {
        let mut table = Table::default();
        (0..10).for_each(|i| table.set(0x1000_0000 + i * 16, record(i as u32)));
        table.retain(&mut |_, r| r.site.0 % 2 == 0);
        let left = (0..10).filter(|i| table.get(0x1000_0000 + i * 16).is_some()).count();
        assert_eq!(left, 5);
    }

    #[test]
    fn adopted_records_name_the_new_sites() {
        let (mut ours, mut theirs) = (Table::default(), Table::default());
        ours.set(0x1000_0000, record(1));
        theirs.set(0x2000_0000, record(1));
        ours.adopt(theirs, &[SiteId(0), SiteId(5)]);
        assert_eq!(ours.get(0x1000_0000), Some(record(1)));
        assert_eq!(ours.get(0x2000_0000), Some(record(5)));
    }
}
