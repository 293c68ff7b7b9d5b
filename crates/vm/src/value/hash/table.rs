//! The table of a hash that is not small: entries, their hashes and an open-addressed index in one allocation.
//!
//! # Layout
//! ```text
//! [Head][entry 0][entry 1]…[hash 0][hash 1]…[bin 0][bin 1]…
//! ```
//! An entry is `stride` words: key and value, or the key alone (sets). Hashes are folded to 32 bits. Bins hold entry numbers in
//! one, two or four bytes, as few as the capacity needs; a table of a handful of entries has none and is searched in order.
//! Entries lie in the order of insertion; a deleted one keeps its place with an undef key, and its bin.

use super::{LINEAR_MAX, hashing::identity_hash};
use crate::ec::Ec;
use carat_layout::Value;
use std::alloc::{Layout, alloc, dealloc};
use std::ptr::NonNull;

#[repr(C)]
pub(super) struct Head {
    capacity: u32,
    /// Entries ever added, deleted ones included.
    pub(super) used: u32,
    pub(super) live: u32,
    /// Number of the entry before which everything is deleted.
    pub(super) first: u32,
    pub(super) iterating: u32,
    /// Changes whenever entries are added, removed or moved.
    pub(super) version: u32,
    stride: u32,
    /// The number of bins is two to the power of this; 0 is none.
    bins_log2: u32,
}

const _: () = assert!(size_of::<Head>() == 32);

/// The address of a table. Whoever holds one keeps writers and readers apart; see [`super::storage`].
#[derive(Clone, Copy)]
pub(super) struct Table(NonNull<Head>);

/// More entries than a bin can name.
const TOO_MANY: usize = u32::MAX as usize;

/// What a bin is: an entry's number, or all ones.
trait Bin: Copy {
    fn of(number: usize) -> Self;
    fn number(self) -> Option<usize>;
}

macro_rules! bins {
    ($($t:ty)+) => {
        $(impl Bin for $t {
            #[inline(always)]
            fn of(number: usize) -> $t {
                number as $t
            }

            #[inline(always)]
            fn number(self) -> Option<usize> {
                (self != <$t>::MAX).then_some(self as usize)
            }
        })+
    };
}

bins!(u8 u16 u32);

/// A hash as tables keep it.
#[inline]
pub(super) fn fold(hash: u64) -> u32 {
    (hash ^ hash >> 32) as u32
}

fn bins_log2(capacity: usize) -> u32 {
    if capacity <= LINEAR_MAX { 0 } else { (capacity * 2).next_power_of_two().trailing_zeros() }
}

fn bin_bytes(capacity: usize) -> usize {
    match capacity {
        0..=0xFF => 1,
        0x100..=0xFFFF => 2,
        _ => 4,
    }
}

fn layout(capacity: usize, stride: usize) -> Option<Layout> {
    let bins = if bins_log2(capacity) == 0 { 0 } else { (1 << bins_log2(capacity)) * bin_bytes(capacity) };
    let bytes = size_of::<Head>() + capacity * (stride * size_of::<Value>() + size_of::<u32>()) + bins;
    Layout::from_size_align(bytes, align_of::<Head>().max(align_of::<Value>())).ok()
}

impl Table {
    /// An empty table for `capacity` entries; `None` if there is no memory for it.
    pub(super) fn allocate(capacity: usize, stride: usize) -> Option<Table> {
        let capacity = capacity.max(1);
        if capacity >= TOO_MANY {
            return None;
        }
        // SAFETY: the layout is not empty.
        let block = NonNull::new(unsafe { alloc(layout(capacity, stride)?) }.cast::<Head>())?;
        let empty = Head {
            capacity: capacity as u32,
            used: 0,
            live: 0,
            first: 0,
            iterating: 0,
            version: 0,
            stride: stride as u32,
            bins_log2: bins_log2(capacity),
        };
        // SAFETY: the block is large enough and ours.
        unsafe { block.write(empty) };
        Table(block).clear_bins();
        Some(Table(block))
    }

    /// # Safety
    /// The address came from [`Table::address`], and the table was not freed.
    #[inline]
    pub(super) unsafe fn at(address: *mut Value) -> Table {
        // SAFETY: by contract.
        Table(unsafe { NonNull::new_unchecked(address.cast()) })
    }

    pub(super) fn address(self) -> *mut Value {
        self.0.as_ptr().cast()
    }

    /// # Safety
    /// Nothing refers to the table any more.
    pub(super) unsafe fn free(self) {
        // SAFETY: by contract; the layout is the one that it was made with.
        unsafe { dealloc(self.0.as_ptr().cast(), self.layout()) };
    }

    #[inline]
    pub(super) fn head<'a>(self) -> &'a Head {
        // SAFETY: the table is alive; callers keep writers away while they look.
        unsafe { self.0.as_ref() }
    }

    /// For one statement that looks at nothing else of the table.
    #[inline]
    pub(super) fn head_mut<'a>(mut self) -> &'a mut Head {
        // SAFETY: the table is alive, and callers drop the borrow at once.
        unsafe { self.0.as_mut() }
    }

    fn layout(self) -> Layout {
        layout(self.capacity(), self.head().stride as usize).expect("the layout that the table was made with")
    }

    pub(super) fn memsize(self) -> usize {
        self.layout().size()
    }

    #[inline]
    pub(super) fn capacity(self) -> usize {
        self.head().capacity as usize
    }

    #[inline]
    pub(super) fn entries(self) -> *mut Value {
        // SAFETY: the entries begin behind the head, in the same block.
        unsafe { self.0.as_ptr().add(1).cast() }
    }

    #[inline]
    fn hashes(self) -> *mut u32 {
        // SAFETY: the hashes begin behind the entries.
        unsafe { self.entries().add(self.capacity() * self.head().stride as usize).cast() }
    }

    #[inline]
    fn bins(self) -> *mut u8 {
        // SAFETY: the bins begin behind the hashes.
        unsafe { self.hashes().add(self.capacity()).cast() }
    }

    #[inline]
    pub(super) fn key(self, number: usize) -> Value {
        debug_assert!(number < self.head().used as usize);
        // SAFETY: entries that were added are initialised.
        unsafe { *self.entries().add(number * self.head().stride as usize) }
    }

    #[inline]
    pub(super) fn hash(self, number: usize) -> u32 {
        // SAFETY: as for keys.
        unsafe { *self.hashes().add(number) }
    }

    // ---- bins ----

    fn bins_bytes(self) -> usize {
        if self.head().bins_log2 == 0 { 0 } else { (1 << self.head().bins_log2) * bin_bytes(self.capacity()) }
    }

    fn clear_bins(self) {
        // SAFETY: the bins take that many bytes.
        unsafe { self.bins().write_bytes(0xFF, self.bins_bytes()) };
    }

    #[inline]
    fn home(self, hash: u32) -> usize {
        (hash.wrapping_mul(0x9E37_79B9) >> (32 - self.head().bins_log2)) as usize
    }

    /// Puts the entries from `first` on into bins.
    fn index_from(self, first: usize) {
        if self.head().bins_log2 == 0 {
            return;
        }
        match bin_bytes(self.capacity()) {
            1 => self.index_in::<u8>(first),
            2 => self.index_in::<u16>(first),
            _ => self.index_in::<u32>(first),
        }
    }

    #[inline]
    fn index_in<B: Bin>(self, first: usize) {
        let (bins, mask) = (self.bins().cast::<B>(), (1 << self.head().bins_log2) - 1);
        for number in first..self.head().used as usize {
            let mut at = self.home(self.hash(number));
            // SAFETY: the place is one of the bins, of which half are free at least.
            unsafe {
                while (*bins.add(at)).number().is_some() {
                    at = (at + 1) & mask;
                }
                *bins.add(at) = B::of(number);
            }
        }
    }

    // ---- lookup ----

    /// Number of the entry of a key that equals nothing but itself.
    #[inline]
    pub(super) fn find_identical(self, ec: &Ec, key: Value) -> Option<usize> {
        let head = self.head();
        if head.bins_log2 == 0 {
            return (head.first as usize..head.used as usize).find(|i| self.key(*i) == key);
        }
        let home = self.home(fold(identity_hash(ec, key)));
        Some(self.probe(home, |number| self.key(number) == key)?.0)
    }

    /// Number of the first entry whose hash is `hash` and whose key is it.
    #[inline]
    pub(super) fn find_hashed(self, hash: u32, is_it: impl Fn(Value) -> bool) -> Option<usize> {
        let is_live_and_it = |key: Value| !key.is_undef() && is_it(key);
        let is_entry = |number: usize| self.hash(number) == hash && is_live_and_it(self.key(number));
        if self.head().bins_log2 == 0 {
            return (self.head().first as usize..self.head().used as usize).find(|i| is_entry(*i));
        }
        Some(self.probe(self.home(hash), is_entry)?.0)
    }

    /// The next entry whose hash is `hash` and the cursor to go on from.
    pub(super) fn candidate(self, hash: u32, cursor: Option<usize>) -> Option<(usize, usize)> {
        let is_it = |number: usize| self.hash(number) == hash && !self.key(number).is_undef();
        if self.head().bins_log2 == 0 {
            let places = cursor.unwrap_or(self.head().first as usize)..self.head().used as usize;
            return places.into_iter().find(|i| is_it(*i)).map(|found| (found, found + 1));
        }
        self.probe(cursor.unwrap_or_else(|| self.home(hash)), is_it)
    }

    /// The first entry that is it in the bins from `at` to the next free one, and the place behind.
    #[inline]
    fn probe(self, at: usize, is_it: impl Fn(usize) -> bool) -> Option<(usize, usize)> {
        match bin_bytes(self.capacity()) {
            1 => self.probe_in::<u8>(at, is_it),
            2 => self.probe_in::<u16>(at, is_it),
            _ => self.probe_in::<u32>(at, is_it),
        }
    }

    #[inline]
    fn probe_in<B: Bin>(self, mut at: usize, is_it: impl Fn(usize) -> bool) -> Option<(usize, usize)> {
        let (bins, mask) = (self.bins().cast::<B>(), (1 << self.head().bins_log2) - 1);
        loop {
            // SAFETY: the place is one of the bins.
            let number = unsafe { *bins.add(at & mask) }.number()?;
            at += 1;
            if is_it(number) {
                return Some((number, at));
            }
        }
    }

    // ---- writing ----

    pub(super) fn is_full(self) -> bool {
        self.head().used == self.head().capacity
    }

    /// Adds an entry to a table that has room. A table of keys forgets the value.
    pub(super) fn push(self, hash: u32, key: Value, value: Value) {
        let number = self.head().used as usize;
        self.append(hash, key, value);
        self.index_from(number);
    }

    /// Adds an entry, without its bin.
    #[inline]
    fn append(self, hash: u32, key: Value, value: Value) {
        debug_assert!(!self.is_full());
        let number = self.head().used as usize;
        // SAFETY: there is room for the entry.
        unsafe {
            let entry = self.entries().add(number * self.head().stride as usize);
            entry.write(key);
            if self.head().stride == 2 {
                entry.add(1).write(value);
            }
            self.hashes().add(number).write(hash);
        }
        let head = self.head_mut();
        head.used += 1;
        head.live += 1;
        head.version = head.version.wrapping_add(1);
    }

    /// Stores the value of a key that equals nothing but itself: whether the key is new. `None`, with nothing done, if the table has
    /// no bins, or if a new key has no room in it or would come while somebody goes through it.
    #[inline]
    pub(super) fn put_identical(self, ec: &Ec, key: Value, value: Value) -> Option<bool> {
        if self.head().bins_log2 == 0 {
            return None;
        }
        let hash = fold(identity_hash(ec, key));
        match bin_bytes(self.capacity()) {
            1 => self.put_identical_in::<u8>(hash, key, value),
            2 => self.put_identical_in::<u16>(hash, key, value),
            _ => self.put_identical_in::<u32>(hash, key, value),
        }
    }

    #[inline]
    fn put_identical_in<B: Bin>(self, hash: u32, key: Value, value: Value) -> Option<bool> {
        let (bins, mask) = (self.bins().cast::<B>(), (1 << self.head().bins_log2) - 1);
        let mut at = self.home(hash);
        // SAFETY: the place is one of the bins.
        while let Some(number) = unsafe { *bins.add(at) }.number() {
            if self.key(number) == key {
                if self.head().stride == 2 {
                    // SAFETY: the entry was added, so it is initialised.
                    unsafe { self.entries().add(number * 2 + 1).write(value) };
                }
                return Some(false);
            }
            at = (at + 1) & mask;
        }
        if self.is_full() || self.head().iterating != 0 {
            return None;
        }
        let number = self.head().used as usize;
        self.append(hash, key, value);
        // SAFETY: as above.
        unsafe { bins.add(at).write(B::of(number)) };
        Some(true)
    }

    /// Gives the entries of a table without bins other hashes, as many as it has entries.
    pub(super) fn set_hashes(self, hashes: &[u32]) {
        debug_assert!(self.head().bins_log2 == 0 && hashes.len() == self.head().used as usize);
        for (number, hash) in hashes.iter().enumerate() {
            // SAFETY: the entry was added, so its hash is initialised.
            unsafe { self.hashes().add(number).write(*hash) };
        }
    }

    pub(super) fn remove(self, number: usize) {
        // SAFETY: the entry was added, so it is initialised.
        unsafe {
            let entry = self.entries().add(number * self.head().stride as usize);
            entry.write(Value::UNDEF);
            if self.head().stride == 2 {
                entry.add(1).write(Value::NIL);
            }
        }
        let head = self.head_mut();
        head.live -= 1;
        head.version = head.version.wrapping_add(1);
        while self.head().first < self.head().used && self.key(self.head().first as usize).is_undef() {
            self.head_mut().first += 1;
        }
        if self.head().live == 0 && self.head().iterating == 0 {
            (self.head_mut().used, self.head_mut().first) = (0, 0);
            self.clear_bins();
        }
    }

    /// A table of the live entries, with room for a few more if this one has room, because what was copied is often added to;
    /// `None` if there is no memory for it.
    pub(super) fn duplicate(self) -> Option<Table> {
        if self.head().live != self.head().capacity {
            let live = self.head().live as usize;
            let capacity = (live + live / 8 + 1).min(self.capacity());
            let copy = Table::allocate(capacity, self.head().stride as usize)?;
            self.copy_to(copy, false);
            copy.head_mut().iterating = 0;
            return Some(copy);
        }
        let layout = self.layout();
        // SAFETY: the layout is not empty.
        let block = NonNull::new(unsafe { alloc(layout) })?;
        // SAFETY: both blocks have that layout; a full table is initialised to its end.
        unsafe { std::ptr::copy_nonoverlapping(self.0.as_ptr().cast(), block.as_ptr(), layout.size()) };
        let copy = Table(block.cast());
        copy.head_mut().iterating = 0;
        Some(copy)
    }

    /// Copies the entries to another table, which is empty and has room: the live ones, or with `keeps_places` all.
    pub(super) fn copy_to(self, to: Table, keeps_places: bool) {
        let is_alike = self.head().stride == to.head().stride;
        if is_alike && (keeps_places || self.head().live == self.head().used) {
            self.copy_whole_to(to);
        } else {
            for number in (0..self.head().used as usize).filter(|i| !self.key(*i).is_undef()) {
                let stride = self.head().stride as usize;
                // SAFETY: the entry is initialised.
                let value = unsafe { *self.entries().add(number * stride + stride - 1) };
                to.push(self.hash(number), self.key(number), value);
            }
        }
        to.head_mut().version = self.head().version.wrapping_add(1);
        to.head_mut().iterating = self.head().iterating;
    }

    fn copy_whole_to(self, to: Table) {
        let (head, used) = (self.head(), self.head().used as usize);
        debug_assert!(used <= to.capacity() && head.stride == to.head().stride);
        // SAFETY: the entries and hashes in use are initialised, and the other table, which is another block, has room for them.
        unsafe {
            std::ptr::copy_nonoverlapping(self.entries(), to.entries(), used * head.stride as usize);
            std::ptr::copy_nonoverlapping(self.hashes(), to.hashes(), used);
        }
        let copy = to.head_mut();
        (copy.used, copy.live, copy.first) = (head.used, head.live, head.first);
        if head.bins_log2 == to.head().bins_log2 && bin_bytes(self.capacity()) == bin_bytes(to.capacity()) {
            // SAFETY: both have as many bytes of bins, and entries keep their numbers.
            unsafe { std::ptr::copy_nonoverlapping(self.bins(), to.bins(), self.bins_bytes()) };
        } else {
            to.index_from(0);
        }
    }
}
