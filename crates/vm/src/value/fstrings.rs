//! The table of unique frozen strings, read without a lock.
//!
//! # Layout
//! Open addressing. A slot holds the address of a string and, above it, the upper 16 bits of its hash; a free slot is 0, one whose
//! string died 1. The table is weak: a collection, for which all Ractors stand still, frees the slots of what died.
//!
//! # Invariants
//! Outside collections slots are only ever filled, and only by the holder of the lock, so a reader that misses the newest string
//! has merely come before it. Nothing here polls. Outgrown tables are kept until the next collection: a reader may be in one.

use crate::ec::Ec;
use crate::value::hash::keyed::BytesHash;
use crate::value::string::Str;
use carat_heap::Liveness;
use carat_layout::{Value, flags};
use carat_sync::{Mutex, PoisonError};
use carat_text::encoding::EncodingIndex;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

const FREE: u64 = 0;
const DEAD: u64 = 1;
const ADDRESS_BITS: u32 = 48;
const FIRST_SIZE: usize = 1024;

struct Table {
    slots: Box<[AtomicU64]>,
}

/// A string that is not old.
struct Young {
    string: Value,
    hash: u64,
}

#[derive(Default)]
struct Writer {
    /// Slots that are not free.
    filled: usize,
    /// Those of them whose string died.
    dead: usize,
    young: Vec<Young>,
    #[allow(clippy::vec_box, reason = "readers hold references to what the boxes hold")]
    outgrown: Vec<Box<Table>>,
}

pub(crate) struct FrozenStrings {
    table: AtomicPtr<Table>,
    writer: Mutex<Writer>,
    hash: BytesHash,
}

impl Table {
    fn of_size(size: usize) -> Box<Table> {
        Box::new(Table { slots: (0..size).map(|_| AtomicU64::new(FREE)).collect() })
    }

    /// The slots in which a string of this hash may stand, in order. Steps grow: a slot behind a long run of filled ones would
    /// else cost a hundred comparisons at each look, for as long as the process runs.
    fn probe(&self, hash: u64) -> impl Iterator<Item = &AtomicU64> {
        let mask = self.slots.len() - 1;
        (0..=mask).scan(hash as usize, move |slot, step| {
            *slot = slot.wrapping_add(step);
            Some(&self.slots[*slot & mask])
        })
    }

    fn find(&self, hash: u64, is_it: impl Fn(Str) -> bool) -> Option<Str> {
        self.probe(hash)
            .map(|slot| slot.load(Ordering::Acquire))
            .take_while(|entry| *entry != FREE)
            .filter(|entry| entry >> ADDRESS_BITS == hash >> ADDRESS_BITS)
            .filter_map(string_of)
            .find(|string| is_it(*string))
    }

    /// Fills the first slot that no string has, and tells whether one that died had it.
    fn insert(&self, hash: u64, string: Str) -> bool {
        let slot = self.probe(hash).find(|slot| slot.load(Ordering::Relaxed) <= DEAD);
        slot.is_some_and(|slot| slot.swap(entry(hash, string.value()), Ordering::Release) == DEAD)
    }

    /// Marks the slot of a string that died.
    fn bury(&self, hash: u64, string: Value) -> bool {
        let entry = entry(hash, string);
        let slot = self.probe(hash).map(|slot| (slot, slot.load(Ordering::Relaxed)));
        let found = slot.take_while(|(_, it)| *it != FREE).find(|(_, it)| *it == entry);
        found.is_some_and(|(slot, _)| {
            slot.store(DEAD, Ordering::Relaxed);
            true
        })
    }
}

fn entry(hash: u64, string: Value) -> u64 {
    hash >> ADDRESS_BITS << ADDRESS_BITS | string.bits()
}

fn string_of(entry: u64) -> Option<Str> {
    let address = entry & ((1 << ADDRESS_BITS) - 1);
    // SAFETY: what a slot holds below the hash is a live string's address, or one of the two numbers that are no address.
    (address > DEAD).then(|| Str::expect(unsafe { Value::from_bits(address) }))
}

impl FrozenStrings {
    pub(crate) fn new(hash: BytesHash) -> FrozenStrings {
        FrozenStrings {
            table: AtomicPtr::new(Box::into_raw(Table::of_size(FIRST_SIZE))),
            writer: Mutex::default(),
            hash,
        }
    }

    /// Bytes of the tables; the strings are objects.
    pub(crate) fn memsize(&self) -> usize {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let outgrown: usize = writer.outgrown.iter().map(|table| table.slots.len()).sum();
        (outgrown + self.table().slots.len()) * size_of::<AtomicU64>() + writer.young.capacity() * size_of::<Young>()
    }

    fn table(&self) -> &Table {
        // SAFETY: a table is freed when no reader can be in it: in a collection, or with all of this.
        unsafe { &*self.table.load(Ordering::Acquire) }
    }

    /// The string of this contents; `make` makes it if it is not there. It must be frozen and complete when it comes.
    pub(crate) fn unique(&self, ec: &Ec, bytes: &[u8], encoding: EncodingIndex, make: impl FnOnce() -> Str) -> Str {
        let hash = self.hash.of_name(bytes, encoding);
        let is_it = |s: Str| s.encoding() == encoding && s.bytes(ec) == bytes;
        self.table().find(hash, is_it).unwrap_or_else(|| {
            let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
            // Another thread may have added it since.
            self.table().find(hash, is_it).unwrap_or_else(|| {
                self.make_room(ec, &mut writer);
                let string = make();
                match self.table().insert(hash, string) {
                    true => writer.dead -= 1,
                    false => writer.filled += 1,
                }
                writer.young.push(Young { string: string.value(), hash });
                string
            })
        })
    }

    fn make_room(&self, ec: &Ec, writer: &mut Writer) {
        if (writer.filled + 1) * 4 > self.table().slots.len() * 3 {
            let old = self.rebuild(ec, writer);
            writer.outgrown.push(old);
        }
    }

    /// Gives the strings a table of the right size, without dead slots, and returns the one that they had.
    fn rebuild(&self, ec: &Ec, writer: &mut Writer) -> Box<Table> {
        let live = writer.filled - writer.dead;
        let next = Table::of_size((live * 2 + 2).next_power_of_two().max(FIRST_SIZE));
        for slot in &self.table().slots {
            if let Some(string) = string_of(slot.load(Ordering::Relaxed)) {
                next.insert(self.hash.of_name(string.bytes(ec), string.encoding()), string);
            }
        }
        (writer.filled, writer.dead) = (live, 0);
        let old = self.table.swap(Box::into_raw(next), Ordering::AcqRel);
        // SAFETY: it came from Box::into_raw, and this table let go of it just now.
        unsafe { Box::from_raw(old) }
    }

    /// Forgets the strings that die. To be called while all Ractors stand still, and before what dies is freed.
    pub(crate) fn prune(&self, ec: &Ec, live: &Liveness<'_>) {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let writer = &mut *writer;
        writer.outgrown.clear();
        let table = self.table();
        let is_minor = live.is_minor();
        let dead = &mut writer.dead;
        writer.young.retain(|young| {
            let is_live = live.is_live(young.string);
            *dead += usize::from(!is_live && is_minor && table.bury(young.hash, young.string));
            is_live && young.string.header().is_some_and(|header| !header.has(flags::OLD))
        });
        if is_minor {
            return;
        }
        for slot in &table.slots {
            let string = string_of(slot.load(Ordering::Relaxed));
            if string.is_some_and(|string| !live.is_live(string.value())) {
                slot.store(DEAD, Ordering::Relaxed);
                writer.dead += 1;
            }
        }
        // A table in which most slots have been for strings that are gone only scatters the rest.
        if table.slots.len() > FIRST_SIZE && (writer.filled - writer.dead) * 8 < table.slots.len() {
            drop(self.rebuild(ec, writer));
        }
    }
}

impl Drop for FrozenStrings {
    fn drop(&mut self) {
        // SAFETY: the table is borrowed mutably, so nobody reads it; it came from Box::into_raw.
        drop(unsafe { Box::from_raw(*self.table.get_mut()) });
    }
}
