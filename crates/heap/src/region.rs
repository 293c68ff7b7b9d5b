//! Regions of 2 MiB, the pages in them, and the bits kept about each slot.
//!
//! # Layout
//! ```text
//! region (aligned to 2 MiB)
//! 0        metadata page: mark bits (one per 16 bytes of the region), then 31 page descriptors
//! 64 KiB   page 0: slots of one size from its first byte on
//! ...      page 30
//! ```
//! Every slot is at least 16 bytes, so its start lies in a granule of its own and needs no division to find its mark
//! bit. Free and owning bits are indexed by slot, because allocation and release go from bit to slot.
//!
//! # Invariants
//! Memory of a page is touched as its slots are taken, and the metadata as pages are: a small heap stays small.
//! A mapping begins as zeroes, which is a valid [`Region`] without pages in use.
//! * A slot is *allocated* if its free bit is clear, its pool does not hold it in its open mask and, in a page that is
//!   still to be swept, its mark bit is set.
//! * In a slot that is free the header is whatever the last object left there; in one never used it is zero. Builds with
//!   debug assertions overwrite freed slots when they are swept.

use carat_layout::{Header, POOL_SIZES, PoolIndex, Value};
use std::cell::Cell;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering::Relaxed};

pub(crate) const REGION_BYTES: usize = 2 << 20;
/// All slots of a page are of one size.
pub const PAGE_BYTES: usize = 64 << 10;
pub(crate) const PAGES: usize = REGION_BYTES / PAGE_BYTES - 1;
const GRANULE_BYTES: usize = 16;
const MARK_WORDS: usize = REGION_BYTES / GRANULE_BYTES / 64;
const PAGE_MARK_WORDS: usize = PAGE_BYTES / GRANULE_BYTES / 64;
/// Words of a bit map with a bit for each slot of the smallest pool.
const SLOT_WORDS: usize = PAGE_BYTES / 16 / 64;
const ALL_PAGES_FREE: u32 = (1 << PAGES) - 1;

/// What the first page of a region holds.
#[repr(C)]
pub(crate) struct Region {
    marks: [Cell<u64>; MARK_WORDS],
    pages: [Page; PAGES],
    /// Pages that no pool has.
    free_pages: Cell<u32>,
    /// Free pages whose memory was used and not given back.
    dirty_pages: Cell<u32>,
}

const _: () = assert!(size_of::<Region>() <= PAGE_BYTES);

/// Describes one page. Without slots (`slots == 0`) while no pool has the page.
#[repr(C)]
pub(crate) struct Page {
    pool: Cell<u8>,
    /// Set by marking; the free masks are stale until [`Page::sweep`].
    unswept: Cell<bool>,
    /// It holds aged objects, and was not filed since they became so.
    pub(crate) has_aged: Cell<bool>,
    /// Slots that the last marking found live.
    live: Cell<u32>,
    slots: Cell<u32>,
    slot_bytes: Cell<u32>,
    /// 2^32 / `slot_bytes`, rounded up: turns a division of an offset below 2^16 into a multiplication.
    inverse: Cell<u32>,
    memory: Cell<*mut u8>,
    /// Pointers to the side blocks of the slots, or null while none has one.
    pub(crate) side: AtomicPtr<AtomicPtr<Value>>,
    free: [Cell<u64>; SLOT_WORDS],
    owning: [AtomicU64; SLOT_WORDS],
}

/// A page of a mapped region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PageRef(NonNull<Page>);

impl std::ops::Deref for PageRef {
    type Target = Page;

    #[inline]
    fn deref(&self) -> &Page {
        // SAFETY: a heap drops every reference to a page before it unmaps the region.
        unsafe { self.0.as_ref() }
    }
}

/// A mapped region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct RegionRef(NonNull<Region>);

impl std::ops::Deref for RegionRef {
    type Target = Region;

    #[inline]
    fn deref(&self) -> &Region {
        // SAFETY: a heap drops every reference to a region before it unmaps it.
        unsafe { self.0.as_ref() }
    }
}

impl RegionRef {
    /// Maps a region, or `None` if the system refuses. With `huge` one page of memory may back all of it.
    pub(crate) fn map(huge: bool) -> Option<RegionRef> {
        let base = crate::os::map_aligned(REGION_BYTES)?;
        // SAFETY: the mapping is fresh.
        unsafe { crate::os::advise_huge(base, REGION_BYTES, huge) };
        let region = RegionRef(base.cast());
        region.free_pages.set(ALL_PAGES_FREE);
        Some(region)
    }

    /// Lets the system back a region with one page of memory that was mapped without.
    pub(crate) fn become_huge(self) {
        // SAFETY: the region is mapped; the advice changes no contents.
        unsafe { crate::os::advise_huge(self.0.cast(), REGION_BYTES, true) };
    }

    /// # Safety
    /// Nothing refers to the region or its slots any more.
    pub(crate) unsafe fn unmap(self) {
        // SAFETY: the mapping was made by `map` with this size; the caller gives it up.
        unsafe { crate::os::unmap(self.0.cast(), REGION_BYTES) }
    }

    /// The region around an address inside a mapped one.
    ///
    /// # Safety
    /// `address` lies in a mapped region.
    #[inline]
    pub(crate) unsafe fn around(address: usize) -> RegionRef {
        let base = std::ptr::with_exposed_provenance_mut(address & !(REGION_BYTES - 1));
        // SAFETY: regions are aligned to their size and no region lies at zero.
        RegionRef(unsafe { NonNull::new_unchecked(base) })
    }

    #[inline]
    pub(crate) fn address(self) -> usize {
        self.0.as_ptr().expose_provenance()
    }

    fn page_ref(self, index: usize) -> PageRef {
        PageRef(NonNull::from(&self.pages[index]))
    }

    fn page_memory(self, index: usize) -> *mut u8 {
        // SAFETY: page `index` lies inside the mapping, one page behind the metadata.
        unsafe { self.0.as_ptr().cast::<u8>().add((index + 1) * PAGE_BYTES) }
    }

    /// The page that `address`, inside this region, lies in, if a pool has it.
    #[inline]
    pub(crate) fn page_at(self, address: usize) -> Option<PageRef> {
        let index = ((address & (REGION_BYTES - 1)) / PAGE_BYTES).checked_sub(1)?;
        let page = self.page_ref(index);
        (page.slots.get() != 0).then_some(page)
    }

    pub(crate) fn has_free_page(self) -> bool {
        self.free_pages.get() != 0
    }

    pub(crate) fn is_empty(self) -> bool {
        self.free_pages.get() == ALL_PAGES_FREE
    }

    pub(crate) fn free_page_count(self) -> usize {
        self.free_pages.get().count_ones() as usize
    }

    pub(crate) fn dirty_page_count(self) -> usize {
        self.dirty_pages.get().count_ones() as usize
    }

    /// Gives a page to `pool`; all its slots are free. Pages already backed by memory go first.
    pub(crate) fn take_page(self, pool: PoolIndex) -> Option<PageRef> {
        let dirty = self.dirty_pages.get();
        let choice = if dirty != 0 { dirty } else { self.free_pages.get() };
        if choice == 0 {
            return None;
        }
        let index = choice.trailing_zeros() as usize;
        self.free_pages.set(self.free_pages.get() & !(1 << index));
        self.dirty_pages.set(dirty & !(1 << index));
        let page = self.page_ref(index);
        page.open(pool, self.page_memory(index));
        Some(page)
    }

    /// Takes a page without live slots back from its pool.
    pub(crate) fn return_page(self, page: PageRef) {
        let index = (page.memory.get().addr() & (REGION_BYTES - 1)) / PAGE_BYTES - 1;
        page.close();
        self.free_pages.set(self.free_pages.get() | 1 << index);
        self.dirty_pages.set(self.dirty_pages.get() | 1 << index);
    }

    /// Gives the memory of one free page back to the system; false if all have been.
    pub(crate) fn discard_page(self) -> bool {
        let dirty = self.dirty_pages.get();
        if dirty == 0 {
            return false;
        }
        let index = 31 - dirty.leading_zeros() as usize;
        self.dirty_pages.set(dirty & !(1 << index));
        // SAFETY: no pool has the page, so nothing refers to its memory.
        unsafe { crate::os::discard(self.page_memory(index), PAGE_BYTES) };
        true
    }

    /// The pages that pools have.
    pub(crate) fn pages(self) -> impl Iterator<Item = PageRef> {
        (0..PAGES).map(move |index| self.page_ref(index)).filter(|page| page.slots.get() != 0)
    }

    pub(crate) fn clear_marks(self) {
        self.pages().for_each(|page| page.marks().iter().for_each(|word| word.set(0)));
    }
}

/// The word of mark bits for the slot at `address`, and its bit.
///
/// # Safety
/// `address` is the start of a slot in a mapped region.
#[inline(always)]
pub(crate) unsafe fn mark_word(address: usize) -> (*const Cell<u64>, u64) {
    let granule = (address & (REGION_BYTES - 1)) / GRANULE_BYTES;
    let base = std::ptr::with_exposed_provenance::<Cell<u64>>(address & !(REGION_BYTES - 1));
    // SAFETY: the mark bits lie at the start of the region; a granule of the region has its bit among them.
    (unsafe { base.add(granule / 64) }, 1 << (granule % 64))
}

/// Sets the mark bit of a slot; true if it was clear.
///
/// # Safety
/// `address` is the start of a slot of a heap that this thread uses.
#[inline(always)]
pub(crate) unsafe fn set_mark(address: usize) -> bool {
    // SAFETY: the caller's contract; only the heap's thread touches its mark bits.
    let (word, bit) = unsafe { mark_word(address) };
    // SAFETY: as above.
    let word = unsafe { &*word };
    let old = word.get();
    word.set(old | bit);
    old & bit == 0
}

/// # Safety
/// As for [`set_mark`].
pub(crate) unsafe fn clear_mark(address: usize) {
    // SAFETY: the caller's contract.
    let (word, bit) = unsafe { mark_word(address) };
    // SAFETY: as above.
    let word = unsafe { &*word };
    word.set(word.get() & !bit);
}

/// # Safety
/// As for [`set_mark`].
#[inline(always)]
pub(crate) unsafe fn is_marked(address: usize) -> bool {
    // SAFETY: the caller's contract.
    let (word, bit) = unsafe { mark_word(address) };
    // SAFETY: as above.
    unsafe { (*word).get() & bit != 0 }
}

impl Page {
    fn open(&self, pool: PoolIndex, memory: *mut u8) {
        let slot_bytes = pool.slot_bytes();
        self.pool.set(pool.0);
        self.unswept.set(false);
        self.has_aged.set(false);
        self.live.set(0);
        self.slots.set((PAGE_BYTES / slot_bytes) as u32);
        self.slot_bytes.set(slot_bytes as u32);
        self.inverse.set(((1u64 << 32) / slot_bytes as u64 + 1) as u32);
        self.memory.set(memory);
        (0..self.words()).for_each(|word| self.free[word].set(self.slots_of_word(word)));
    }

    fn close(&self) {
        crate::side::drop_array(self);
        self.slots.set(0);
    }

    pub(crate) fn pool(&self) -> PoolIndex {
        PoolIndex(self.pool.get())
    }

    pub(crate) fn slot_count(&self) -> usize {
        self.slots.get() as usize
    }

    pub(crate) fn is_unswept(&self) -> bool {
        self.unswept.get()
    }

    pub(crate) fn set_unswept(&self) {
        self.unswept.set(true);
    }

    /// Words of the page's free and owning bits.
    #[inline]
    pub(crate) fn words(&self) -> usize {
        self.slot_count().div_ceil(64)
    }

    /// A bit for each slot that word `word` of the bit maps stands for.
    #[inline]
    pub(crate) fn slots_of_word(&self, word: usize) -> u64 {
        let slots = self.slot_count() - word * 64;
        if slots >= 64 { u64::MAX } else { (1 << slots) - 1 }
    }

    #[inline]
    pub(crate) fn free_word(&self, word: usize) -> u64 {
        self.free[word].get()
    }

    #[inline]
    pub(crate) fn set_free_word(&self, word: usize, bits: u64) {
        self.free[word].set(bits);
    }

    #[inline]
    pub(crate) fn slot_index(&self, address: usize) -> usize {
        (((address % PAGE_BYTES) as u64 * self.inverse.get() as u64) >> 32) as usize
    }

    #[inline]
    pub(crate) fn slot(&self, index: usize) -> NonNull<Header> {
        // SAFETY: slot `index` lies inside the page's memory, which is not at address zero.
        unsafe { NonNull::new_unchecked(self.memory.get().add(index * self.slot_bytes.get() as usize).cast()) }
    }

    /// `contended` if another thread may set a bit of the same word meanwhile.
    #[inline]
    pub(crate) fn set_owning(&self, index: usize, contended: bool) {
        let (word, bit) = (&self.owning[index / 64], 1 << (index % 64));
        if contended {
            word.fetch_or(bit, Relaxed);
        } else {
            word.store(word.load(Relaxed) | bit, Relaxed);
        }
    }

    pub(crate) fn owning_word(&self, word: usize) -> u64 {
        self.owning[word].load(Relaxed)
    }

    pub(crate) fn clear_owning(&self, word: usize, bits: u64, contended: bool) {
        if contended {
            self.owning[word].fetch_and(!bits, Relaxed);
        } else {
            self.owning[word].store(self.owning[word].load(Relaxed) & !bits, Relaxed);
        }
    }

    pub(crate) fn owns_anything(&self) -> bool {
        self.owning[..self.words()].iter().any(|word| word.load(Relaxed) != 0)
    }

    /// The mark bits of the page's granules.
    pub(crate) fn marks(&self) -> &[Cell<u64>] {
        // SAFETY: the page's memory starts a granule word of its mapped region, whose mark bits live as long.
        unsafe {
            let (first, _) = mark_word(self.memory.get().expose_provenance());
            std::slice::from_raw_parts(first, PAGE_MARK_WORDS)
        }
    }

    /// Counts the marked slots, once per marking: later marks would count objects made since.
    pub(crate) fn count_live(&self) -> usize {
        let live = self.marks().iter().map(|word| word.get().count_ones()).sum();
        self.live.set(live);
        live as usize
    }

    pub(crate) fn live(&self) -> usize {
        self.live.get() as usize
    }

    /// The mark bits of the slots of word `word`, one bit a slot.
    pub(crate) fn marked_word(&self, word: usize) -> u64 {
        GATHER[self.pool.get() as usize](self.marks(), word)
    }

    /// Brings the free masks of word `word` up to date with the marks.
    pub(crate) fn sweep(&self) {
        for word in 0..self.words() {
            let free = self.slots_of_word(word) & !self.marked_word(word);
            if cfg!(debug_assertions) {
                self.poison(word, free & !self.free_word(word));
            }
            self.set_free_word(word, free);
        }
        self.unswept.set(false);
    }

    /// Makes use of freed slots fail soon: the header reads `Free` and every other word is no address.
    fn poison(&self, word: usize, bits: u64) {
        for index in bits_of(bits) {
            let slot = self.slot(word * 64 + index).cast::<u64>();
            for i in 0..self.slot_bytes.get() as usize / 8 {
                // SAFETY: the slot is free and `i` inside it.
                unsafe { slot.add(i).write(if i == 0 { 0 } else { 0x6b6b_6b6b_6b6b_6b68 }) };
            }
        }
    }
}

type Gather = fn(&[Cell<u64>], usize) -> u64;

/// For each pool what turns a page's bits per granule into bits per slot. Sweeping is mostly this, hence a copy for each
/// size: its shifts are constants.
const GATHER: [Gather; POOL_SIZES.len()] = [
    |marks, word| marks[word].get(),
    gather::<{ POOL_SIZES[1] as usize }>,
    gather::<{ POOL_SIZES[2] as usize }>,
    gather::<{ POOL_SIZES[3] as usize }>,
    gather::<{ POOL_SIZES[4] as usize }>,
    gather::<{ POOL_SIZES[5] as usize }>,
    gather::<{ POOL_SIZES[6] as usize }>,
    gather::<{ POOL_SIZES[7] as usize }>,
    gather::<{ POOL_SIZES[8] as usize }>,
    gather::<{ POOL_SIZES[9] as usize }>,
    gather::<{ POOL_SIZES[10] as usize }>,
    gather::<{ POOL_SIZES[11] as usize }>,
    gather::<{ POOL_SIZES[12] as usize }>,
    gather::<{ POOL_SIZES[13] as usize }>,
];

const _: () = assert!(POOL_SIZES[0] as usize == GRANULE_BYTES);

/// The bits of 64 slots. Their first one begins at a multiple of 32 granules, so each word of marks needed is one of
/// the map or the halves of two. Granules behind the page have no slots.
fn gather<const SLOT_BYTES: usize>(marks: &[Cell<u64>], word: usize) -> u64 {
    let first = word * 64 * SLOT_BYTES / GRANULE_BYTES;
    let at = |i: usize| marks.get(first / 64 + i).map_or(0, Cell::get);
    let aligned = |i: usize| if first.is_multiple_of(64) { at(i) } else { at(i) >> 32 | at(i + 1) << 32 };
    let (mut bits, mut current, mut window) = (0, 0, aligned(0));
    for slot in 0..64 {
        let granule = slot * SLOT_BYTES / GRANULE_BYTES;
        if granule / 64 != current {
            current = granule / 64;
            window = aligned(current);
        }
        bits |= (window >> (granule % 64) & 1) << slot;
    }
    bits
}

/// Indices of the set bits, lowest first.
pub(crate) fn bits_of(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let index = bits.trailing_zeros() as usize;
        let any = bits != 0;
        bits &= bits.wrapping_sub(1);
        any.then_some(index)
    })
}
