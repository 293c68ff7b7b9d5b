//! The heap of one Ractor: allocation by popping bits, accounting, barriers, and lookup of addresses.
//!
//! # Allocation
//! Each pool has one word of a page's free mask *open*: its bits are in [`Pool::mask`] and cleared in the page. Taking a
//! slot counts trailing zeros, clears the bit and adds. When the word is used up, the next non-zero one is opened, then
//! the next page, swept first if it has to be; then a page without a pool is taken, then a region mapped.
//!
//! # Collection
//! Nothing here collects. When the bytes allocated since the last collection pass the allowance, the request hook is
//! called, once.

use crate::buf::Counters;
use crate::mark::WorkList;
use crate::pace::Pace;
use crate::region::{PAGE_BYTES, PageRef, REGION_BYTES, RegionRef, bits_of};
use crate::reserve;
use crate::stats::{PoolStats, Stats};
use crate::steps::Phase;
use crate::watch::Watch;
use carat_layout::{Header, HeapType, POOL_SIZES, PoolIndex, Value, flags};
use std::alloc::{Layout, handle_alloc_error};
use std::cell::{Cell, RefCell};
use std::ptr::NonNull;

/// The slots of one size.
#[derive(Default)]
pub(crate) struct Pool {
    /// Free slots of the open word.
    mask: Cell<u64>,
    /// While allocations are recorded the free slots are here instead, so that taking one finds `mask` empty.
    held: Cell<u64>,
    /// Address of the slot that bit 0 stands for.
    base: Cell<usize>,
    word: Cell<usize>,
    page: Cell<Option<PageRef>>,
    /// Pages that may have free slots.
    pub(crate) pages: RefCell<Vec<PageRef>>,
    /// Pages that the last collection found full, or nearly.
    pub(crate) full: RefCell<Vec<PageRef>>,
    /// Index into `pages` of the first one not opened since the last collection.
    next: Cell<usize>,
    /// So many pages at the beginning of `pages` hold aged objects.
    with_aged: Cell<usize>,
    /// Slots ever opened, those still in the open word included.
    opened: Cell<u64>,
    /// What the last marking found live in the pages it looked at, and in the others the one before.
    live: Cell<usize>,
    /// Slots that were allocated when `live` was counted.
    counted_at: Cell<u64>,
    page_count: Cell<usize>,
}

/// One Ractor's heap. Used by one thread at a time; it is not `Send` because its hook need not be, so a VM that moves a
/// Ractor between threads has to vouch for the hook.
pub struct Heap {
    pools: [Pool; POOL_SIZES.len()],
    pub(crate) pace: Pace,
    /// Sorted by address.
    regions: RefCell<Vec<RegionRef>>,
    /// Addresses before the first and behind the last region.
    range: Cell<(usize, usize)>,
    /// One bit for each multiple of the region size in `range`, set if a region is there.
    map: RefCell<Vec<u64>>,
    /// Regions before this index have no free page.
    pub(crate) first_with_free_page: Cell<usize>,
    /// Old objects that were written to since the last collection.
    pub(crate) log: RefCell<Vec<NonNull<Header>>>,
    /// See [`Heap::watch`].
    pub(crate) watch: RefCell<Option<Watch>>,
    /// Young objects that the last minor collection found live.
    pub(crate) aged: RefCell<Vec<NonNull<Header>>>,
    /// See [`Heap::keep_once`].
    pub(crate) kept: RefCell<Vec<Value>>,
    pub(crate) collecting: Cell<bool>,
    /// All that is marked is old or aged, and what is old refers to old objects only or is in the log.
    pub(crate) minor_possible: Cell<bool>,
    /// What the last marking found live.
    pub(crate) live_objects: Cell<usize>,
    pub(crate) live_bytes: Cell<usize>,
    /// Nothing in it was marked yet, so a minor collection looks at all of it.
    pub(crate) is_fresh: Cell<bool>,
    /// The last collection took shareable objects for roots, and did not follow references to other heaps' objects.
    pub(crate) was_alone: Cell<bool>,
    /// How far the full collection in progress has come, if one is.
    pub(crate) phase: Cell<Phase>,
    pub(crate) work: RefCell<WorkList>,
    /// Pages to be swept before marking, or released after it.
    pub(crate) waiting: RefCell<Vec<PageRef>>,
    /// A full collection is among those whose dead owners wait.
    pub(crate) releases_full: Cell<bool>,
    /// Times that roots and log were looked at since marking began.
    pub(crate) rounds: Cell<u32>,
    /// See [`Heap::set_shared`].
    shared: Cell<bool>,
    /// It was so once.
    was_shared: Cell<bool>,
    buffers: Cell<Counters>,
    /// See [`Heap::set_recording`].
    recording: Cell<bool>,
    /// See [`Heap::set_until_sample`].
    until_sample: Cell<i64>,
    is_sampling: Cell<bool>,
    sample_hook: RefCell<Option<Box<dyn Fn()>>>,
    /// Memory outside the slots that was ever accounted.
    external_total: Cell<u64>,
}

/// While somebody samples, slots of an open word are handed out so many bytes at a time, so that the count is never far behind.
const SAMPLED_AT_ONCE: usize = 1024;

/// Regions from which on huge pages pay: 128 MiB. Marking a shuffled tree was a third faster with them, but a small heap
/// would hold memory that it never uses, and the system clears two megabytes while the program waits: 0.4 ms, where a minor
/// collection beside a million objects takes less than 0.1.
const HUGE_REGIONS: usize = 64;

impl Default for Heap {
    fn default() -> Heap {
        Heap::new()
    }
}

impl Heap {
    /// A heap without any memory yet.
    pub fn new() -> Heap {
        Heap {
            pools: Default::default(),
            pace: Pace::new(),
            regions: RefCell::default(),
            range: Cell::new((usize::MAX, 0)),
            map: RefCell::default(),
            first_with_free_page: Cell::new(0),
            log: RefCell::default(),
            watch: RefCell::default(),
            aged: RefCell::default(),
            kept: RefCell::default(),
            collecting: Cell::new(false),
            minor_possible: Cell::new(false),
            live_objects: Cell::new(0),
            live_bytes: Cell::new(0),
            is_fresh: Cell::new(true),
            was_alone: Cell::new(false),
            phase: Cell::default(),
            work: RefCell::default(),
            waiting: RefCell::default(),
            releases_full: Cell::new(false),
            rounds: Cell::default(),
            shared: Cell::new(false),
            was_shared: Cell::new(false),
            buffers: Cell::default(),
            recording: Cell::new(false),
            until_sample: Cell::new(i64::MAX),
            is_sampling: Cell::new(false),
            sample_hook: RefCell::default(),
            external_total: Cell::new(0),
        }
    }

    /// Objects may be handed over between this and other heaps' threads from here on: what is noted of an object beside
    /// its slot, and how many refer to a buffer, is then noted with atomic operations. To be called while nobody else uses the heap.
    pub fn set_shared(&self, shared: bool) {
        self.shared.set(shared);
        self.was_shared.set(self.was_shared.get() || shared);
    }

    /// A slot of the pool, whose contents are whatever was there. It has to be initialised before the next poll.
    #[inline(always)]
    pub fn allocate(&self, pool: PoolIndex) -> NonNull<Header> {
        self.take_slot(pool).unwrap_or_else(|| self.allocate_slow(pool))
    }

    /// As [`Heap::allocate`], as long as the open word has a free slot.
    #[inline(always)]
    pub fn take_slot(&self, pool: PoolIndex) -> Option<NonNull<Header>> {
        let open = &self.pools[pool.0 as usize];
        open.take_from(&open.mask, pool)
    }

    /// As [`Heap::allocate`], when the open word has no free slot or allocations are recorded.
    #[cold]
    #[inline(never)]
    pub fn allocate_slow(&self, pool: PoolIndex) -> NonNull<Header> {
        debug_assert!(!self.collecting.get(), "allocation while collecting");
        let open = &self.pools[pool.0 as usize];
        if open.held.get() != 0 {
            return self.take_held(open, pool);
        }
        if open.mask.get() == 0 {
            while !open.open_next_word() {
                let page = open.next_page().unwrap_or_else(|| self.new_page(pool));
                open.open_page(page);
            }
            self.pace.charge(open.mask.get().count_ones() as usize * pool.slot_bytes());
            if reserve::is_short() {
                self.pace.request();
            }
        }
        if self.recording.get() || self.is_sampling.get() {
            open.held.set(open.mask.replace(0));
            return self.take_held(open, pool);
        }
        self.take_slot(pool).expect("a word was opened")
    }

    /// A slot of the open word that was kept out of sight: alone while somebody records, with a few more while somebody samples.
    #[inline(never)]
    fn take_held(&self, open: &Pool, pool: PoolIndex) -> NonNull<Header> {
        let slot_bytes = pool.slot_bytes();
        let count = if self.recording.get() { 1 } else { (SAMPLED_AT_ONCE / slot_bytes).clamp(1, 63) };
        let held = open.held.get();
        let few = held & ((1 << count) - 1) << held.trailing_zeros();
        open.held.set(held & !few);
        open.mask.set(open.mask.get() | few);
        self.count_down(few.count_ones() as usize * slot_bytes);
        self.take_slot(pool).expect("a slot was held")
    }

    /// From here on `bytes` are counted down, of slots and of memory outside them, and the hook is called when they are used up:
    /// once, until it is set anew. `None` for never.
    pub fn set_until_sample(&self, bytes: Option<i64>) {
        self.until_sample.set(bytes.unwrap_or(i64::MAX));
        self.is_sampling.set(bytes.is_some());
    }

    /// What is left; below zero by as much as was allocated since.
    pub fn until_sample(&self) -> i64 {
        self.until_sample.get()
    }

    /// Bytes of slots that were counted down and are not taken yet.
    pub fn exposed_bytes(&self) -> u64 {
        let masks =
            self.pools.iter().zip(POOL_SIZES).map(|(pool, bytes)| pool.mask.get().count_ones() * u32::from(bytes));
        masks.map(u64::from).sum()
    }

    /// Sets what is called when the bytes until a sample are used up.
    pub fn set_sample_hook(&self, hook: Box<dyn Fn()>) {
        *self.sample_hook.borrow_mut() = Some(hook);
    }

    /// Bytes of slots and of memory outside them since the heap was made.
    pub fn total_allocated_bytes(&self) -> u64 {
        let slots = self.pools.iter().zip(POOL_SIZES).map(|(pool, bytes)| pool.allocated() * u64::from(bytes));
        slots.sum::<u64>() + self.external_total.get()
    }

    #[inline]
    fn count_down(&self, bytes: usize) {
        let before = self.until_sample.get();
        let left = before - bytes as i64;
        self.until_sample.set(left);
        if left <= 0 && before > 0 {
            self.sample_is_near();
        }
    }

    #[cold]
    fn sample_is_near(&self) {
        if let Some(hook) = &*self.sample_hook.borrow() {
            hook();
        }
    }

    /// While this is on, [`Heap::take_slot`] never succeeds: every allocation takes the slow path, where it can be
    /// recorded, and the fast path asks nothing more than it does anyway.
    pub fn set_recording(&self, recording: bool) {
        self.recording.set(recording);
        for pool in &self.pools {
            // What is held while somebody samples stays so.
            let (from, to) =
                if recording || self.is_sampling.get() { (&pool.mask, &pool.held) } else { (&pool.held, &pool.mask) };
            to.set(to.get() | from.replace(0));
        }
    }

    #[inline]
    pub fn is_recording(&self) -> bool {
        self.recording.get()
    }

    fn new_page(&self, pool: PoolIndex) -> PageRef {
        let page = self.take_free_page(pool).unwrap_or_else(|| {
            self.map_region();
            self.take_free_page(pool).expect("a new region has free pages")
        });
        let open = &self.pools[pool.0 as usize];
        open.page_count.set(open.page_count.get() + 1);
        open.pages.borrow_mut().push(page);
        open.next.set(open.pages.borrow().len());
        page
    }

    fn take_free_page(&self, pool: PoolIndex) -> Option<PageRef> {
        let regions = self.regions.borrow();
        let first = self.first_with_free_page.get();
        let index = first + regions[first..].iter().position(|region| region.has_free_page())?;
        self.first_with_free_page.set(index);
        regions[index].take_page(pool)
    }

    fn map_region(&self) {
        let count = self.regions.borrow().len();
        let Some(region) = reserve::insist(|| RegionRef::map(count >= HUGE_REGIONS)) else {
            handle_alloc_error(Layout::new::<[u8; REGION_BYTES]>())
        };
        if count == HUGE_REGIONS {
            self.regions.borrow().iter().for_each(|region| region.become_huge());
        }
        self.add_region(region);
    }

    fn add_region(&self, region: RegionRef) {
        let mut regions = self.regions.borrow_mut();
        let index = regions.partition_point(|other| *other < region);
        regions.insert(index, region);
        self.regions_changed(&regions);
    }

    fn regions_changed(&self, regions: &[RegionRef]) {
        self.first_with_free_page.set(0);
        let (Some(first), Some(last)) = (regions.first(), regions.last()) else {
            return self.range.set((usize::MAX, 0));
        };
        self.range.set((first.address(), last.address() + REGION_BYTES));
        let number = |region: &RegionRef| (region.address() - first.address()) / REGION_BYTES;
        let mut map = self.map.borrow_mut();
        map.clear();
        map.resize(number(last) / 64 + 1, 0);
        regions.iter().map(number).for_each(|number| map[number / 64] |= 1 << (number % 64));
    }

    /// Notes that the slot owns something outside: [`crate::Client::release`] is called when it is swept.
    #[inline]
    pub fn mark_owning(&self, object: NonNull<Header>) {
        let address = object.as_ptr().addr();
        // SAFETY: objects lie in mapped regions.
        if let Some(page) = unsafe { RegionRef::around(address) }.page_at(address) {
            page.set_owning(page.slot_index(address), self.shared.get());
        }
    }

    /// Counts memory outside the slots (buffers, tables) towards the next collection.
    #[inline]
    pub fn account(&self, delta_bytes: isize) {
        self.pace.account(delta_bytes);
        if let Ok(bytes) = usize::try_from(delta_bytes) {
            self.external_total.set(self.external_total.get() + bytes as u64);
            self.count_down(bytes);
        }
        if reserve::is_short() {
            self.pace.request();
        }
    }

    /// Counts memory outside the slots that will soon be garbage, such as code that runs once: a collection is worth its while
    /// earlier than for other memory.
    pub fn hurry(&self, bytes: usize) {
        self.pace.hurry(bytes);
    }

    /// Sets what is called, once per collection, when one is due.
    pub fn set_request_hook(&self, hook: Box<dyn Fn()>) {
        self.pace.set_hook(hook);
    }

    #[inline]
    pub fn collection_due(&self) -> bool {
        self.pace.is_due()
    }

    /// Whether what is due is a collection, and not a step of one.
    pub fn is_nursery_full(&self) -> bool {
        self.pace.is_nursery_full()
    }

    pub fn request_collection(&self) {
        self.pace.request();
    }

    /// To be called for every store of `stored` into `object`, before or after it.
    #[inline(always)]
    pub fn barrier(&self, object: Value, stored: Value) {
        let Some(header) = object.header() else { return };
        if header.bits() & (flags::OLD | flags::LOGGED) == flags::OLD && stored.is_heap() {
            self.log_slow(header);
        }
    }

    /// The barrier for many stores into `object` at once, whatever is stored.
    #[inline]
    pub fn barrier_many(&self, object: Value) {
        self.barrier(object, object);
    }

    /// Makes the next collection a root of `value`, which was stored where many objects share it, old ones perhaps: the
    /// barrier would have to name them all.
    pub fn keep_once(&self, value: Value) {
        if value.is_heap() {
            self.kept.borrow_mut().push(value);
        }
    }

    /// The object may lie in another heap: a shareable one, or one that was moved here.
    #[cold]
    fn log_slow(&self, header: &Header) {
        if self.tell_of_store(header) {
            return;
        }
        header.set(flags::LOGGED);
        self.log.borrow_mut().push(NonNull::from(header));
    }

    pub(crate) fn region_of(&self, address: usize) -> Option<RegionRef> {
        let (low, high) = self.range.get();
        if address < low || address >= high {
            return None;
        }
        let number = (address - low) / REGION_BYTES;
        let here = self.map.borrow()[number / 64] >> (number % 64) & 1 != 0;
        // SAFETY: the map says that a region of this heap is there.
        here.then(|| unsafe { RegionRef::around(address) })
    }

    /// The object that contains the address `word`, if it is one: interior pointers count, values in general do too.
    pub fn find(&self, word: u64) -> Option<NonNull<Header>> {
        let address = word as usize;
        let page = self.region_of(address)?.page_at(address)?;
        let index = page.slot_index(address);
        (index < page.slot_count() && self.is_allocated(page, index)).then(|| page.slot(index)).filter(is_initialised)
    }

    fn is_allocated(&self, page: PageRef, index: usize) -> bool {
        if page.is_unswept() {
            // SAFETY: the slot lies in a page of this heap.
            return unsafe { crate::region::is_marked(page.slot(index).as_ptr().addr()) };
        }
        self.allocated_word(page, index / 64) >> (index % 64) & 1 != 0
    }

    /// The allocated slots among those that word `word` of the page's bit maps stands for.
    pub(crate) fn allocated_word(&self, page: PageRef, word: usize) -> u64 {
        let open = &self.pools[page.pool().0 as usize];
        if page.is_unswept() {
            return page.marked_word(word);
        }
        let in_mask = if open.page.get() == Some(page) && open.word.get() == word { open.open_mask() } else { 0 };
        page.slots_of_word(word) & !page.free_word(word) & !in_mask
    }

    /// Calls `f` with every allocated object. Objects made meanwhile may or may not be among them. To be called at polls
    /// only: a slot that was allocated but not initialised may show what was there before.
    pub fn each_object(&self, f: &mut dyn FnMut(Value)) {
        for page in self.all_pages() {
            for word in 0..page.words() {
                let objects = bits_of(self.allocated_word(page, word)).map(|bit| page.slot(word * 64 + bit));
                // SAFETY: the slots are allocated and, as their headers say, initialised.
                objects.filter(is_initialised).for_each(|object| f(unsafe { Value::from_heap(object) }));
            }
        }
    }

    /// Bytes of the tables that lead to what objects have beside their slots.
    pub fn side_table_bytes(&self) -> usize {
        self.all_pages().iter().map(|page| crate::side::array_bytes(page)).sum()
    }

    /// First address and length in bytes of every region.
    pub fn region_ranges(&self) -> Vec<(usize, usize)> {
        self.regions.borrow().iter().map(|region| (region.address(), REGION_BYTES)).collect()
    }

    /// Calls `f` with address and size of every free slot in the pages that pools have.
    pub fn each_free_slot(&self, f: &mut dyn FnMut(usize, usize)) {
        for page in self.all_pages() {
            for word in 0..page.words() {
                let free = page.slots_of_word(word) & !self.allocated_word(page, word);
                bits_of(free).for_each(|bit| f(page.slot(word * 64 + bit).as_ptr().addr(), page.pool().slot_bytes()));
            }
        }
    }

    /// Calls `f` with every object that is not marked: before marking, the young ones, which in a full collection means
    /// all.
    pub(crate) fn each_unmarked(&self, kind: crate::Collection, f: &mut dyn FnMut(NonNull<Header>)) {
        for page in self.pools.iter().flat_map(|pool| self.changed_pages(pool, kind)) {
            for word in 0..page.words() {
                let unmarked = self.allocated_word(page, word) & !page.marked_word(word);
                bits_of(unmarked).map(|bit| page.slot(word * 64 + bit)).filter(is_initialised).for_each(&mut *f);
            }
        }
    }

    /// Calls `f` with every marked object. Needs no memory, and `f` must not ask for any from the heap.
    pub(crate) fn each_marked(&self, f: &mut dyn FnMut(NonNull<Header>)) {
        for page in self.regions.borrow().iter().flat_map(|region| region.pages()) {
            for word in 0..page.words() {
                bits_of(page.marked_word(word)).for_each(|bit| f(page.slot(word * 64 + bit)));
            }
        }
    }

    pub(crate) fn all_pages(&self) -> Vec<PageRef> {
        self.regions.borrow().iter().flat_map(|region| region.pages()).collect()
    }

    pub(crate) fn all_regions(&self) -> Vec<RegionRef> {
        self.regions.borrow().clone()
    }

    pub(crate) fn pools(&self) -> &[Pool] {
        &self.pools
    }

    /// The block of fields that found no room in the slot.
    #[inline]
    pub fn side_block(&self, object: NonNull<Header>) -> Option<NonNull<Value>> {
        crate::side::of(object)
    }

    /// Stores the block of an object and marks it owning; null takes the block away. Frees no block.
    pub fn set_side_block(&self, object: NonNull<Header>, block: *mut Value) {
        crate::side::set(object, block);
    }

    /// Takes over everything in the heap of a Ractor that has ended.
    ///
    /// The next collection is a full one: our old objects may refer to shareable objects of the other heap, which no
    /// minor collection of ours has marked.
    pub fn adopt(&self, other: Heap) {
        for (ours, theirs) in self.pools.iter().zip(&other.pools) {
            theirs.close_word();
            ours.pages.borrow_mut().append(&mut theirs.pages.borrow_mut());
            ours.full.borrow_mut().append(&mut theirs.full.borrow_mut());
            ours.opened.set(ours.opened.get() + theirs.opened.get());
            ours.live.set(ours.live.get() + theirs.live.get());
            ours.counted_at.set(ours.counted_at.get() + theirs.counted_at.get());
            ours.page_count.set(ours.page_count.get() + theirs.page_count.get());
        }
        self.forget_marking();
        self.minor_possible.set(false);
        self.is_fresh.set(false);
        self.live_objects.set(self.live_objects.get() + other.live_objects.get());
        self.live_bytes.set(self.live_bytes.get() + other.live_bytes.get());
        self.waiting.borrow_mut().append(&mut other.waiting.borrow_mut());
        if other.phase.get() == Phase::Releasing {
            self.phase.set(Phase::Releasing);
            self.releases_full.set(self.releases_full.get() || other.releases_full.get());
        }
        self.log.borrow_mut().append(&mut other.log.borrow_mut());
        self.kept.borrow_mut().append(&mut other.kept.borrow_mut());
        self.pace.adopt(&other.pace);
        self.external_total.set(self.external_total.get() + other.external_total.get());
        let regions = std::mem::take(&mut *other.regions.borrow_mut());
        regions.into_iter().for_each(|region| self.add_region(region));
    }

    /// Objects allocated since the heap was made.
    #[inline]
    pub fn total_allocated_objects(&self) -> u64 {
        self.pools.iter().map(Pool::allocated).sum()
    }

    /// Collections that have ended.
    pub fn collections(&self) -> u64 {
        self.pace.stats().collections()
    }

    /// What buffers have cost this heap.
    pub fn buffer_counters(&self) -> Counters {
        self.buffers.get()
    }

    #[inline]
    pub(crate) fn count(&self, change: impl FnOnce(&mut Counters)) {
        let mut counters = self.buffers.get();
        change(&mut counters);
        self.buffers.set(counters);
    }

    pub(crate) fn was_shared(&self) -> bool {
        self.was_shared.get()
    }

    #[inline]
    pub(crate) fn is_shared(&self) -> bool {
        self.shared.get()
    }

    pub fn stats(&self) -> Stats {
        let mut stats = self.pace.stats();
        stats.allocated_objects = self.total_allocated_objects();
        stats.regions = self.regions.borrow().len();
        stats.free_pages = self.regions.borrow().iter().map(|region| region.free_page_count()).sum();
        for (index, pool) in self.pools.iter().enumerate() {
            let figures = pool.stats(POOL_SIZES[index] as usize);
            stats.slot_bytes += figures.slots * figures.slot_bytes;
            stats.used_bytes += figures.used * figures.slot_bytes;
            stats.pools[index] = figures;
        }
        stats
    }

    /// Gives the memory of all free pages back to the system, for a program that asked for a collection by itself: it knows
    /// that what it allocates next is not like what died.
    pub fn give_back(&self) {
        self.trim(0);
    }

    /// As many free pages as the allowance until the next collection would fill.
    pub(crate) fn trim_to_allowance(&self) {
        self.trim(self.pace.stats().allowance_bytes / PAGE_BYTES);
    }

    /// Unmaps what surplus of free pages the heap has beyond `reserve`: whole regions first, then the memory of pages.
    pub(crate) fn trim(&self, reserve: usize) {
        let mut regions = self.regions.borrow_mut();
        let mut free: usize = regions.iter().map(|region| region.free_page_count()).sum();
        regions.retain(|region| {
            let surplus = region.is_empty() && free >= reserve + region.free_page_count();
            if surplus {
                free -= region.free_page_count();
                // SAFETY: no pool has a page of the region, and the vector forgets it here.
                unsafe { region.unmap() };
            }
            !surplus
        });
        let mut dirty: usize = regions.iter().map(|region| region.dirty_page_count()).sum();
        for region in regions.iter().rev() {
            while dirty > reserve && region.discard_page() {
                dirty -= 1;
            }
        }
        self.regions_changed(&regions);
    }
}

fn is_initialised(object: &NonNull<Header>) -> bool {
    // SAFETY: the slot is in a mapped page; a slot never used reads as zero, which is `Free`.
    !unsafe { object.as_ref() }.is_type(HeapType::Free)
}

impl Pool {
    fn open_next_word(&self) -> bool {
        let Some(page) = self.page.get() else { return false };
        let Some(word) = (self.word.get()..page.words()).find(|word| page.free_word(*word) != 0) else { return false };
        self.mask.set(page.free_word(word));
        page.set_free_word(word, 0);
        self.word.set(word);
        self.base.set(page.slot(word * 64).as_ptr().expose_provenance());
        self.opened.set(self.opened.get() + self.mask.get().count_ones() as u64);
        true
    }

    fn open_page(&self, page: PageRef) {
        self.page.set(Some(page));
        self.word.set(0);
    }

    /// The next page that may have free slots.
    fn next_page(&self) -> Option<PageRef> {
        let page = self.pages.borrow().get(self.next.get()).copied()?;
        self.next.set(self.next.get() + 1);
        if page.is_unswept() {
            page.sweep();
        }
        Some(page)
    }

    /// Takes a slot of the open word whose free ones `mask` knows: the pool's `mask`, or `held`.
    #[inline(always)]
    fn take_from(&self, mask: &Cell<u64>, pool: PoolIndex) -> Option<NonNull<Header>> {
        let free = mask.get();
        if free == 0 {
            return None;
        }
        mask.set(free & (free - 1));
        let address = self.base.get() + free.trailing_zeros() as usize * pool.slot_bytes();
        // SAFETY: the open word's base is the address of a slot in a mapped region, which is not at zero.
        Some(unsafe { NonNull::new_unchecked(std::ptr::with_exposed_provenance_mut(address)) })
    }

    /// Slots ever allocated.
    fn allocated(&self) -> u64 {
        self.opened.get() - self.open_mask().count_ones() as u64
    }

    /// Counts what a marking has found live in a page, in place of what the one before had found there.
    pub(crate) fn count_live(&self, before: usize, live: usize) {
        self.live.set(self.live.get() - before + live);
    }

    /// From here on all that is allocated is new since the live ones were counted.
    pub(crate) fn restart(&self) {
        self.counted_at.set(self.allocated());
    }

    /// A page went back to its region.
    pub(crate) fn forget_page(&self) {
        self.page_count.set(self.page_count.get() - 1);
    }

    fn stats(&self, slot_bytes: usize) -> PoolStats {
        let pages = self.page_count.get();
        PoolStats {
            slot_bytes,
            pages,
            slots: pages * (PAGE_BYTES / slot_bytes),
            used: self.live.get() + (self.allocated() - self.counted_at.get()) as usize,
            allocated: self.allocated(),
        }
    }

    /// Free slots of the open word.
    fn open_mask(&self) -> u64 {
        self.mask.get() | self.held.get()
    }

    /// Puts what is left of the open word back into its page.
    pub(crate) fn close_word(&self) {
        let mask = self.mask.replace(0) | self.held.replace(0);
        if let Some(page) = self.page.replace(None) {
            page.set_free_word(self.word.get(), page.free_word(self.word.get()) | mask);
        }
        self.opened.set(self.opened.get() - mask.count_ones() as u64);
    }

    pub(crate) fn all_pages(&self) -> Vec<PageRef> {
        self.pages.borrow().iter().chain(&*self.full.borrow()).copied().collect()
    }

    /// The pages that hold young objects: those opened since the last collection, and those with aged ones.
    pub(crate) fn young_pages(&self) -> Vec<PageRef> {
        self.pages.borrow()[..self.next.get().max(self.with_aged.get())].to_vec()
    }

    /// The pages with aged objects.
    pub(crate) fn aged_pages(&self) -> Vec<PageRef> {
        self.pages.borrow()[..self.with_aged.get()].to_vec()
    }

    /// Puts pages with aged objects first, where the next minor collection looks at them.
    pub(crate) fn file_aged(&self, pages: Vec<PageRef>) {
        self.with_aged.set(pages.len());
        self.pages.borrow_mut().splice(0..0, pages);
    }

    /// Drops the first `count` pages, or all, which are about to be filed anew, and starts over with the first page.
    pub(crate) fn forget_pages(&self, count: usize, kind: crate::Collection) {
        match kind {
            crate::Collection::Full => {
                self.pages.borrow_mut().clear();
                self.full.borrow_mut().clear();
            }
            crate::Collection::Minor => drop(self.pages.borrow_mut().drain(..count)),
        }
        self.next.set(0);
        self.with_aged.set(0);
    }
}

impl Drop for Heap {
    /// Unmaps everything. What slots own has to be released before: [`Heap::release_all`].
    fn drop(&mut self) {
        for page in self.all_pages() {
            crate::side::drop_array(&page);
        }
        // SAFETY: the heap's references end here, and its objects with it.
        self.regions.borrow_mut().drain(..).for_each(|region| unsafe { region.unmap() });
    }
}
