//! Marking: from the roots along every reference, without recursion.
//!
//! # Algorithm
//! Edges wait on a stack. One taken from it first passes through a queue of sixteen, where its mark word and its object
//! are prefetched, so that most cache misses overlap. Long ranges wait whole, so an array of a million elements does not
//! fill the stack, and is looked at in as many steps as it takes.
//!
//! The system may refuse a longer stack, and a collection that cannot end frees nothing. From then on an object that finds
//! no room is marked without being traced, and when the stack is empty all that is marked is traced again, until no
//! object is left over: each pass marks more, so there is a last one.
//!
//! # Ages
//! In a minor collection of one heap a young object becomes aged when it is reached, and old when it is reached in a later one. What
//! an old object refers to is old: edges have a tag that says whether their holder is, and one from an old object makes an aged
//! one old, which then is traced once more. Any other collection makes all that it reaches old.
//!
//! # Invariants
//! With shareable objects as roots, mark bits of other heaps are neither read nor written: an edge to a shareable object
//! is dropped after a look at its header. The heap's own shareable objects are found by a scan instead.

use crate::buf::Window;
use crate::collect::Collection;
use crate::heap::Heap;
use crate::region;
use crate::{os, reserve};
use carat_layout::{Header, Value, flags};
use std::ptr::NonNull;

/// What the heap has to ask the VM.
pub trait Client {
    /// Marks everything that the VM refers to.
    fn roots(&mut self, marker: &mut Marker<'_>);
    /// Marks everything that one object refers to. Called once for an object that is found live, and again for one in the
    /// log, for one that a minor collection makes old, and by the verifier.
    fn trace(&mut self, object: NonNull<Header>, marker: &mut Marker<'_>);
    /// The words that `trace` reports of this object with [`Marker::mark_range`], where they are now: a later step goes on
    /// with them. Elements may have gone from either end, and immediates been appended; what changed them in any other way
    /// has logged the object.
    fn contents(&self, object: NonNull<Header>) -> (*const Value, usize);
    /// What a live object shows of a buffer, if it has one: for the verifier.
    fn window(&self, object: NonNull<Header>) -> Option<Window>;
    /// Called when all that is live is marked and nothing freed: weak tables and finalizers. Must not allocate.
    fn after_mark(&mut self, live: &Liveness<'_>);
    /// Frees what a dead owning slot of `heap` owns. Other dead objects may be gone already. Must not allocate.
    fn release(&mut self, heap: &Heap, object: NonNull<Header>);
}

/// Edges that are being prefetched.
const QUEUE: usize = 16;
/// Elements of a range that are put on the stack at a time.
const RANGE_STEP: usize = 256;
/// Looking at as many elements, immediates perhaps, takes as long as following this many edges.
const RANGE_STEP_EDGES: usize = 8;

/// Edges that were reported and not followed yet, in a mapping of their own, which the system has back as soon as the list
/// goes; and the rests of large objects.
pub(crate) struct WorkList {
    edges: NonNull<u64>,
    len: usize,
    capacity: usize,
    ranges: Vec<Range>,
    /// The system has refused a longer list. It is not asked again before this one goes.
    is_stuck: bool,
    /// Some objects found no room, and were marked but not traced.
    has_untraced: bool,
}

/// The tag of an edge whose holder is old.
const FROM_OLD: u64 = 1;

/// The first `len` words of an object's contents, which were not looked at yet. The last ones come first: what is appended
/// meanwhile is logged or refers to nothing, and what is taken from either end leaves no more to look at.
struct Range {
    owner: NonNull<Header>,
    first: *const u64,
    len: usize,
    /// The tag of its edges.
    holder: u64,
}

/// Edges that the shortest list has room for.
const LEAST_EDGES: usize = 8192;

#[cfg(not(test))]
fn is_within_limit(_entries: usize) -> bool {
    true
}

#[cfg(test)]
thread_local! {
    /// Stands for a system that has no memory for a longer list.
    pub(crate) static MOST_ENTRIES: std::cell::Cell<usize> = const { std::cell::Cell::new(usize::MAX) };
}

#[cfg(test)]
fn is_within_limit(entries: usize) -> bool {
    entries <= MOST_ENTRIES.get()
}

impl Default for WorkList {
    /// An empty list, which takes no memory before it is used.
    fn default() -> WorkList {
        WorkList {
            edges: NonNull::dangling(),
            len: 0,
            capacity: 0,
            ranges: Vec::new(),
            is_stuck: false,
            has_untraced: false,
        }
    }
}

impl WorkList {
    /// False if there is no room and none can be had.
    #[inline]
    #[must_use]
    fn push(&mut self, edge: u64) -> bool {
        if self.len == self.capacity && !self.grow() {
            return false;
        }
        // SAFETY: there is room for one more.
        unsafe { self.edges.add(self.len).write(edge) };
        self.len += 1;
        true
    }

    /// As [`WorkList::push`].
    #[must_use]
    fn push_range(&mut self, range: Range) -> bool {
        let has_room = is_within_limit(self.ranges.len() + 1) && self.ranges.try_reserve(1).is_ok();
        if has_room {
            self.ranges.push(range);
        }
        has_room
    }

    #[inline]
    fn pop(&mut self) -> Option<u64> {
        self.len = self.len.checked_sub(1)?;
        // SAFETY: what lies below the length was written.
        Some(unsafe { self.edges.add(self.len).read() })
    }

    /// Whether there is more room now.
    #[cold]
    fn grow(&mut self) -> bool {
        let capacity = LEAST_EDGES.max(2 * self.capacity);
        if self.is_stuck || !is_within_limit(capacity) {
            return false;
        }
        match reserve::insist(|| self.mapped(capacity)) {
            Some(edges) => self.install(edges, capacity),
            None => self.is_stuck = true,
        }
        !self.is_stuck
    }

    fn is_empty(&self) -> bool {
        self.len == 0 && self.ranges.is_empty()
    }

    /// Finds the rests of ranges again, after the program has run.
    fn find_ranges<C: Client + ?Sized>(&mut self, client: &C) {
        for range in &mut self.ranges {
            let (first, len) = client.contents(range.owner);
            (range.first, range.len) = (first.cast(), range.len.min(len));
        }
    }

    /// The list's memory, with room for `capacity` edges.
    fn mapped(&self, capacity: usize) -> Option<NonNull<u8>> {
        let bytes = |edges: usize| edges * size_of::<u64>();
        if self.capacity == 0 {
            return os::map(bytes(capacity));
        }
        // SAFETY: the list is a mapping of this size.
        unsafe { os::remap(self.edges.cast(), bytes(self.capacity), bytes(capacity)) }
    }

    fn install(&mut self, edges: NonNull<u8>, capacity: usize) {
        (self.edges, self.capacity) = (edges.cast(), capacity);
    }
}

impl Drop for WorkList {
    fn drop(&mut self) {
        if self.capacity != 0 {
            // SAFETY: the list is a mapping of this size, and its owner gives it up.
            unsafe { os::unmap(self.edges.cast(), self.capacity * size_of::<u64>()) }
        }
    }
}

/// Collects the references that a [`Client`] reports.
pub struct Marker<'a> {
    heaps: &'a [&'a Heap],
    work: WorkList,
    queue: [u64; QUEUE],
    /// Position of the oldest edge in the queue, counted without end.
    first: usize,
    queued: usize,
    shareables_are_roots: bool,
    /// What survived one collection becomes aged: see the module.
    ages: bool,
    /// The tag of the edges that are reported now.
    holder: u64,
    aged: Vec<NonNull<Header>>,
    /// The verifier looks at edges itself, and must not mark what finds no room.
    verifies: bool,
    /// The verifier was not given all edges.
    has_lost: bool,
}

impl<'a> Marker<'a> {
    pub(crate) fn new(heaps: &'a [&'a Heap], shareables_are_roots: bool) -> Marker<'a> {
        Marker {
            heaps,
            work: WorkList::default(),
            queue: [0; QUEUE],
            first: 0,
            queued: 0,
            shareables_are_roots,
            ages: false,
            holder: FROM_OLD,
            aged: Vec::new(),
            verifies: false,
            has_lost: false,
        }
    }

    /// One whose [`Marker::edges`] are looked at instead of being followed.
    pub(crate) fn for_verifier(heaps: &'a [&'a Heap], shareables_are_roots: bool) -> Marker<'a> {
        Marker { verifies: true, holder: 0, ..Marker::new(heaps, shareables_are_roots) }
    }

    /// One for a minor collection of one heap.
    pub(crate) fn with_ages(heaps: &'a [&'a Heap]) -> Marker<'a> {
        Marker { ages: true, ..Marker::new(heaps, false) }
    }

    /// From here on roots are reported, which make nothing old by themselves. For a marker with ages.
    pub(crate) fn begin_roots(&mut self) {
        self.holder = 0;
    }

    /// What became aged; some of it was made old afterwards.
    pub(crate) fn into_aged(self) -> Vec<NonNull<Header>> {
        self.aged
    }

    /// Goes on where an earlier step ended.
    pub(crate) fn resume<C: Client + ?Sized>(heaps: &'a [&'a Heap], mut work: WorkList, client: &C) -> Marker<'a> {
        work.find_ranges(client);
        Marker { work, ..Marker::new(heaps, false) }
    }

    /// What a later step goes on with.
    pub(crate) fn into_work(self) -> WorkList {
        self.work
    }

    /// Marks a value; immediates are skipped.
    #[inline]
    pub fn mark(&mut self, value: Value) {
        self.mark_word(value.bits());
    }

    #[inline]
    pub fn mark_slice(&mut self, values: &[Value]) {
        values.iter().for_each(|value| self.mark(*value));
    }

    #[inline]
    pub fn mark_object(&mut self, object: NonNull<Header>) {
        self.push(object.as_ptr().expose_provenance() as u64);
    }

    #[inline]
    fn push(&mut self, address: u64) {
        let edge = address | self.holder;
        if !self.work.push(edge) {
            self.push_elsewhere(edge);
        }
    }

    /// The queue is as long as a list of linked objects needs, even if there is no stack at all.
    #[cold]
    fn push_elsewhere(&mut self, edge: u64) {
        if self.verifies {
            self.has_lost = true;
        } else if self.queued < QUEUE {
            self.enqueue(edge);
        } else {
            self.mark_untraced(edge);
        }
    }

    #[cold]
    fn mark_untraced(&mut self, edge: u64) {
        // What is traced now has more edges to report.
        let holder = self.holder;
        if self.reach(edge).is_some() {
            self.work.has_untraced = true;
        }
        self.holder = holder;
    }

    /// Whether it looks at references for the verifier, which wants those alone that barriers stand for.
    pub fn is_verifying(&self) -> bool {
        self.verifies
    }

    /// Marks the object that contains the address `word`, if one does.
    #[inline]
    pub fn mark_conservative(&mut self, word: u64) {
        if let Some(object) = self.heaps.iter().find_map(|heap| heap.find(word)) {
            self.mark_object(object);
        }
    }

    /// Marks `len` words, which are values or zero: what [`Client::contents`] says of the owner.
    ///
    /// # Safety
    /// The words are initialised and stay where and what they are until the collection or its step ends.
    #[inline]
    pub unsafe fn mark_range(&mut self, owner: NonNull<Header>, first: *const Value, len: usize) {
        let holder = self.holder;
        if len > RANGE_STEP && self.work.push_range(Range { owner, first: first.cast(), len, holder }) {
            return;
        }
        // SAFETY: the caller's contract.
        unsafe { self.mark_words(first.cast(), len) };
    }

    /// # Safety
    /// As for [`Marker::mark_range`].
    #[inline]
    unsafe fn mark_words(&mut self, first: *const u64, len: usize) {
        for i in 0..len {
            // SAFETY: the caller's contract.
            self.mark_word(unsafe { first.add(i).read() });
        }
    }

    #[inline]
    fn mark_word(&mut self, word: u64) {
        if word & 7 == 0 && word != 0 {
            self.push(word);
        }
    }

    /// Marks what the collected references lead to.
    pub(crate) fn drain<C: Client + ?Sized>(&mut self, client: &mut C) {
        while !self.drain_some(client, usize::MAX) {}
    }

    /// As [`Marker::drain`], but follows `budget` edges at most, unless memory ran out; true if none are left.
    pub(crate) fn drain_some<C: Client + ?Sized>(&mut self, client: &mut C, budget: usize) -> bool {
        let mut is_done = self.follow(client, budget);
        while is_done && std::mem::take(&mut self.work.has_untraced) {
            is_done = self.trace_marked(client);
        }
        is_done
    }

    /// Traces all that is marked, and so what was marked untraced.
    #[cold]
    fn trace_marked<C: Client + ?Sized>(&mut self, client: &mut C) -> bool {
        let heaps = self.heaps;
        for heap in heaps {
            heap.each_marked(&mut |object| {
                // SAFETY: a marked slot is initialised.
                let is_old = !self.ages || unsafe { object.as_ref() }.has(flags::OLD);
                self.holder = if is_old { FROM_OLD } else { 0 };
                client.trace(object, self);
                while !self.follow(client, usize::MAX) {}
            });
        }
        self.work.is_empty()
    }

    /// Follows edges from the stack and the queue; true if none are left there.
    fn follow<C: Client + ?Sized>(&mut self, client: &mut C, mut budget: usize) -> bool {
        while budget > 0 {
            while self.queued < QUEUE {
                match self.next_edge(&mut budget) {
                    0 => break,
                    edge => self.enqueue(edge),
                }
            }
            if self.queued == 0 {
                break;
            }
            let edge = self.dequeue();
            self.visit(edge, client);
            budget = budget.saturating_sub(1);
        }
        while self.queued > 0 {
            let edge = self.dequeue();
            if !self.work.push(edge) {
                self.mark_untraced(edge);
            }
        }
        self.work.is_empty()
    }

    #[inline]
    fn dequeue(&mut self) -> u64 {
        let edge = self.queue[self.first % QUEUE];
        self.first = self.first.wrapping_add(1);
        self.queued -= 1;
        edge
    }

    #[inline]
    fn enqueue(&mut self, edge: u64) {
        prefetch(edge);
        self.queue[self.first.wrapping_add(self.queued) % QUEUE] = edge;
        self.queued += 1;
    }

    /// An edge from the stack, or zero if there is none, or none for this budget.
    #[inline]
    fn next_edge(&mut self, budget: &mut usize) -> u64 {
        match self.work.pop() {
            Some(edge) => edge,
            None if self.work.ranges.is_empty() => 0,
            None => self.next_edge_of_range(budget),
        }
    }

    #[cold]
    fn next_edge_of_range(&mut self, budget: &mut usize) -> u64 {
        while *budget > 0
            && let Some(Range { owner, first, len, holder }) = self.work.ranges.pop()
        {
            let step = len.min(RANGE_STEP);
            if len > step {
                // There is room: one was taken.
                self.work.ranges.push(Range { owner, first, len: len - step, holder });
            }
            self.holder = holder;
            // SAFETY: whoever gave the range vouched for its words until the collection or its step ends.
            unsafe { self.mark_words(first.add(len - step), step) };
            *budget = budget.saturating_sub(RANGE_STEP_EDGES);
            if let Some(edge) = self.work.pop() {
                return edge;
            }
        }
        0
    }

    #[inline]
    fn visit<C: Client + ?Sized>(&mut self, edge: u64, client: &mut C) {
        if let Some(object) = self.reach(edge) {
            client.trace(object, self);
        }
    }

    /// Marks the object at the end of an edge; `None` if it need not be traced, or is not this marking's.
    #[inline]
    fn reach(&mut self, edge: u64) -> Option<NonNull<Header>> {
        let object = object_at(edge);
        debug_assert!(self.is_plausible(object), "a live object refers to {edge:x}, where no object is");
        // SAFETY: edges are addresses of initialised slots.
        let header = unsafe { object.as_ref() };
        if self.shareables_are_roots && header.has(flags::SHAREABLE) {
            return None;
        }
        // SAFETY: an object that is not shareable, or any one in a collection of all heaps, is this thread's to mark.
        let is_first = unsafe { region::set_mark(object.as_ptr().expose_provenance()) };
        if self.ages {
            return self.age(object, edge & FROM_OLD != 0, is_first);
        }
        if !is_first {
            return None;
        }
        promote(header);
        Some(object)
    }

    /// Makes a young object that was reached aged or old; `None` if it is what it would become. `is_first`: for the first time.
    #[inline]
    fn age(&mut self, object: NonNull<Header>, from_old: bool, is_first: bool) -> Option<NonNull<Header>> {
        // SAFETY: the caller found an initialised slot at the end of an edge.
        let header = unsafe { object.as_ref() };
        if !is_first && (!from_old || header.has(flags::OLD)) {
            return None;
        }
        if from_old || header.has(flags::AGED) || self.aged.try_reserve(1).is_err() {
            header.clear(flags::AGED);
            header.set(flags::OLD);
            self.holder = FROM_OLD;
        } else {
            header.set(flags::AGED);
            self.aged.push(object);
            self.holder = 0;
        }
        Some(object)
    }

    /// Another heap's object cannot be told from garbage here.
    fn is_plausible(&self, object: NonNull<Header>) -> bool {
        let edge = object.as_ptr().addr() as u64;
        self.shareables_are_roots || self.heaps.iter().any(|heap| heap.find(edge) == Some(object))
    }

    /// Marks an own shareable object that is alive for other heaps' sake.
    pub(crate) fn mark_shareable<C: Client + ?Sized>(&mut self, object: NonNull<Header>, client: &mut C) {
        // SAFETY: the slot belongs to the collecting heap and is initialised.
        unsafe {
            if region::set_mark(object.as_ptr().expose_provenance()) {
                promote(object.as_ref());
                client.trace(object, self);
            }
        }
    }

    /// Takes what was reported and not yet looked at; the verifier's way to see references.
    pub(crate) fn edges(&mut self) -> impl Iterator<Item = u64> {
        let mut budget = usize::MAX;
        std::iter::from_fn(move || Some(self.next_edge(&mut budget)).filter(|&edge| edge != 0))
    }

    /// Some edges are not among those that [`Marker::edges`] gave: there was no memory for them.
    pub(crate) fn has_lost_edges(&self) -> bool {
        self.has_lost
    }
}

/// Makes a survivor old. What is old already is not written again: that would dirty every line of the heap.
#[inline]
fn promote(header: &Header) {
    if !header.has(flags::OLD) {
        header.clear(flags::AGED);
        header.set(flags::OLD);
    }
}

#[inline]
pub(crate) fn object_at(edge: u64) -> NonNull<Header> {
    // SAFETY: the stack never holds the address zero.
    unsafe { NonNull::new_unchecked(std::ptr::with_exposed_provenance_mut((edge & !FROM_OLD) as usize)) }
}

/// Asks for the cache lines of an object and its mark bit. Half of the objects of 40 bytes reach into a second line;
/// asking for that too took marking a shuffled tree of them from 34 to 22 ns an object.
#[inline]
fn prefetch(edge: u64) {
    let address = edge as usize;
    // SAFETY: the address is a slot's, whose mark word lies in the same region.
    let (word, _) = unsafe { region::mark_word(address) };
    prefetch_line(word.addr());
    prefetch_line(address);
    prefetch_line(address + 32);
}

/// A hint that the cache line with this address is about to be read.
#[inline]
pub fn prefetch_line(address: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: prefetching is a hint that faults at no address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch(std::ptr::without_provenance(address), _MM_HINT_T0);
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: as above.
    unsafe {
        std::arch::asm!("prfm pldl1keep, [{}]", in(reg) address, options(nostack, readonly, preserves_flags));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = address;
}

/// Tells which objects the marking has reached.
pub struct Liveness<'a> {
    pub(crate) heaps: &'a [&'a Heap],
    pub(crate) kind: Collection,
    pub(crate) shareables_are_roots: bool,
}

impl Liveness<'_> {
    /// What is old counts as live: only what was young has to be asked about. What is young still has to be asked about next time.
    pub fn is_minor(&self) -> bool {
        self.kind == Collection::Minor
    }

    /// False if the value is an object about to be freed.
    pub fn is_live(&self, value: Value) -> bool {
        let Some(header) = value.header() else { return true };
        if self.shareables_are_roots && header.has(flags::SHAREABLE) {
            return true;
        }
        // SAFETY: a heap value is a slot, and one that is not shareable belongs to a collecting heap.
        unsafe { region::is_marked(value.bits() as usize) }
    }

    /// The heaps that are being collected.
    pub fn heaps(&self) -> &[&Heap] {
        self.heaps
    }
}
