//! The collection cycle.
//!
//! # Generations
//! Mark bits are sticky: a minor collection leaves those of old objects, so that they count as marked and are not looked
//! at. What survives a full collection, or a second minor one, gets [`flags::OLD`]; the barrier logs an old object when
//! something is first stored into it, and a minor collection traces the log beside the roots. What survives a first minor
//! collection is aged ([`flags::AGED`]) and has to be reached once more: much of what lives through one nursery only
//! happened to be in use. The first collection is a full one; until then nothing is old and the barrier never logs.
//!
//! # Invariants
//! After a collection, each live object refers to live objects only, each old one to old ones only, and the log is empty. Live objects
//! show what lies within their buffers, which count them all.
//! [`Heap::verify`] checks it; builds with debug assertions do so after every minor collection, and after every full one
//! that was made in steps: both depend on barriers.

use crate::buf::Holders;
use crate::heap::{Heap, Pool};
use crate::mark::{Client, Liveness, Marker};
use crate::os::thread_time;
use crate::region::{self, PageRef};
use crate::steps::Phase;
use carat_layout::{Header, Value, flags};
use std::ptr::NonNull;

/// What a collection looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Collection {
    /// Everything.
    Full,
    /// What was allocated since the last collection, or the one before.
    Minor,
}

impl Heap {
    /// Frees every object that no root leads to, in one go. With `shareables_are_roots`, shareable objects survive,
    /// because other heaps may refer to them, and keep alive what they refer to.
    ///
    /// A minor collection runs as a full one if the heap is not ready for it: see the module.
    pub fn collect<C: Client + ?Sized>(&self, client: &mut C, kind: Collection, shareables_are_roots: bool) {
        let kind = if self.minor_possible.get() { kind } else { Collection::Full };
        cycle(&[self], client, kind, shareables_are_roots);
    }

    /// Collects all heaps of a VM as one, shareable objects included. Their threads are stopped. A minor collection runs as
    /// a full one if one of them is not ready for it. What dead objects own is left to each heap's own thread: see
    /// [`Heap::release_waiting`].
    pub fn collect_together<C: Client + ?Sized>(heaps: &[&Heap], client: &mut C, kind: Collection) {
        let is_ready = |heap: &&Heap| heap.minor_possible.get() && !heap.was_alone.get() || heap.is_fresh.get();
        let kind = if heaps.iter().all(is_ready) { kind } else { Collection::Full };
        cycle(heaps, client, kind, false);
    }

    /// Without it, only minor collections run by themselves.
    pub fn allow_full(&self, is_allowed: bool) {
        self.pace.allows_full.set(is_allowed);
    }

    pub fn allows_full(&self) -> bool {
        self.pace.allows_full.get()
    }

    /// The least collection that is enough for now.
    pub fn due_kind(&self) -> Collection {
        if self.pace.is_full_due() { Collection::Full } else { Collection::Minor }
    }
}

fn cycle<C: Client + ?Sized>(heaps: &[&Heap], client: &mut C, kind: Collection, shareables_are_roots: bool) {
    let start = thread_time();
    heaps.iter().for_each(|heap| heap.begin(client, kind));
    let ages = kind == Collection::Minor && heaps.len() == 1 && !shareables_are_roots && heaps[0].pace.wants_ages();
    let mut marker = if ages { Marker::with_ages(heaps) } else { Marker::new(heaps, shareables_are_roots) };
    for heap in heaps {
        heap.trace_log(&mut marker, client, shareables_are_roots);
        if shareables_are_roots {
            heap.mark_shareables(kind, &mut marker, client);
        }
    }
    if ages {
        // First what becomes old in any case, so that little is found aged before.
        marker.drain(client);
        marker.begin_roots();
    }
    client.roots(&mut marker);
    marker.drain(client);
    let aged = marker.into_aged();
    client.after_mark(&Liveness { heaps, kind, shareables_are_roots });
    let marked = thread_time();
    for heap in heaps {
        heap.was_alone.set(shareables_are_roots);
        if heaps.len() > 1 {
            heap.finish_but_release(kind);
        }
    }
    if let [heap] = heaps {
        heap.finish(client, kind, aged);
    }
    let end = thread_time();
    heaps.iter().for_each(|heap| heap.pace.record_pause(end - start, end - marked));
    if kind == Collection::Minor {
        check(heaps, client, shareables_are_roots);
    }
}

/// In builds with debug assertions, [`Heap::verify`], as far as there is memory for it.
pub(crate) fn check<C: Client + ?Sized>(heaps: &[&Heap], client: &mut C, shareables_are_roots: bool) {
    if cfg!(debug_assertions) {
        verify(heaps, client, shareables_are_roots).unwrap_or_else(|fault| panic!("{fault}"));
    }
}

impl Heap {
    fn begin<C: Client + ?Sized>(&self, client: &mut C, kind: Collection) {
        debug_assert!(!self.collecting.get(), "a collection within a collection");
        if kind == Collection::Full {
            self.leave_steps(client);
        }
        self.prepare_masks(kind);
        self.collecting.set(true);
        match kind {
            Collection::Full => {
                self.aged.take();
                self.all_regions().into_iter().for_each(|region| region.clear_marks());
            }
            Collection::Minor => self.unmark_aged(),
        }
    }

    /// Empties the log, and looks at what is marked in it; what is not will be looked at when it is marked, if it is.
    /// A heap that is collected alone leaves those of other heaps out: they refer to shareable objects, which are roots.
    pub(crate) fn trace_log<C: Client + ?Sized>(&self, marker: &mut Marker<'_>, client: &mut C, is_alone: bool) {
        self.watched_are_not_logged();
        for object in self.log.take() {
            // SAFETY: logged objects are old, and old objects are only freed by a full collection, which takes the logs.
            unsafe { object.as_ref() }.clear(flags::LOGGED);
            if is_alone && self.region_of(object.as_ptr().addr()).is_none() {
                continue;
            }
            // SAFETY: as above; the slot is one of a collecting heap's.
            if unsafe { region::is_marked(object.as_ptr().expose_provenance()) } {
                client.trace(object, marker);
            }
        }
        self.kept.take().into_iter().for_each(|value| marker.mark(value));
    }

    /// Those that are marked already were traced when they were, or logged since.
    fn mark_shareables<C: Client + ?Sized>(&self, kind: Collection, marker: &mut Marker<'_>, client: &mut C) {
        self.each_unmarked(kind, &mut |object| {
            // SAFETY: the slot is allocated and initialised.
            if unsafe { object.as_ref() }.has(flags::SHAREABLE) {
                marker.mark_shareable(object, client);
            }
        });
    }

    fn finish<C: Client + ?Sized>(&self, client: &mut C, kind: Collection, aged: Vec<NonNull<Header>>) {
        let aged_bytes = self.set_aged(aged);
        self.sweep_after_mark(client, kind);
        self.restart(kind, aged_bytes);
        self.pace.record(kind);
        if kind == Collection::Full {
            self.trim_to_allowance();
        }
        self.first_with_free_page.set(0);
        self.collecting.set(false);
    }

    /// The same, but pages with dead owners wait.
    fn finish_but_release(&self, kind: Collection) {
        if self.phase.get() == Phase::Preparing {
            // What waits was to be swept before steps that this collection makes too late; it is filed like any other page.
            self.waiting.borrow_mut().clear();
        }
        self.file_or_keep_waiting(kind);
        self.collecting.set(false);
        if self.phase.get() == Phase::Releasing {
            self.pace.request();
        }
    }

    /// Begins to count towards the next collection, now that what is live is known, and the bytes of it that are aged.
    pub(crate) fn restart(&self, kind: Collection, aged_bytes: usize) {
        self.pace.restart(kind, self.live_bytes.get() - aged_bytes, aged_bytes);
        self.pools().iter().for_each(Pool::restart);
        if self.phase.get() != Phase::Idle {
            self.pace.restart_step();
        }
        let aged = self.aged.borrow().len();
        self.pace.set_survivors(self.live_objects.get() as u64, aged as u64, self.total_allocated_objects());
        self.minor_possible.set(true);
        self.is_fresh.set(false);
    }

    /// Counts what a marking has found live in a page, instead of what the one before had found there.
    pub(crate) fn count_live(&self, page: PageRef) -> usize {
        let before = page.live();
        let live = page.count_live();
        self.pools()[page.pool().0 as usize].count_live(before, live);
        let bytes = page.pool().slot_bytes();
        self.live_objects.set(self.live_objects.get() - before + live);
        self.live_bytes.set(self.live_bytes.get() - before * bytes + live * bytes);
        live
    }

    /// Checks, right after a collection, that all that live objects refer to is live.
    pub fn verify<C: Client + ?Sized>(&self, client: &mut C, shareables_are_roots: bool) -> Result<(), String> {
        in_full(verify(&[self], client, shareables_are_roots))
    }

    /// The same, right after the heaps have been collected together.
    pub fn verify_together<C: Client + ?Sized>(heaps: &[&Heap], client: &mut C) -> Result<(), String> {
        in_full(verify(heaps, client, false))
    }
}

fn in_full(verified: Result<bool, String>) -> Result<(), String> {
    if verified? { Ok(()) } else { Err("no memory to look at all references".to_string()) }
}

/// True if there was memory to look at all references and buffers.
fn verify<C: Client + ?Sized>(heaps: &[&Heap], client: &mut C, shareables_are_roots: bool) -> Result<bool, String> {
    let live = Liveness { heaps, kind: Collection::Full, shareables_are_roots };
    let mut marker = Marker::for_verifier(heaps, shareables_are_roots);
    let mut holders = Holders::default();
    let (mut fault, mut all_counted) = (Ok(()), true);
    for heap in heaps {
        heap.each_object(&mut |object| {
            if fault.is_ok()
                && live.is_live(object)
                && let Some(holder) = object.as_heap()
            {
                client.trace(holder, &mut marker);
                let edges = marker.edges().try_for_each(|edge| check_edge(object, edge, &live));
                let counted = client.window(holder).map_or(Ok(true), |window| holders.add(&window));
                all_counted &= *counted.as_ref().unwrap_or(&true);
                fault = edges.and(counted.map(drop).map_err(|what| format!("{object:?} {what}")));
            }
        });
    }
    fault.map(|()| all_counted && !marker.has_lost_edges())
}

fn check_edge(holder: Value, edge: u64, live: &Liveness<'_>) -> Result<(), String> {
    let object = crate::mark::object_at(edge);
    // SAFETY: edges are words that the client gave as values.
    let value = unsafe { Value::from_heap(object) };
    let known = live.heaps.iter().any(|heap| heap.find(edge) == Some(object));
    // SAFETY: an unknown object is taken for one of another heap, whose pages are mapped while it lives.
    let foreign = !known && live.shareables_are_roots && unsafe { object.as_ref() }.has(flags::SHAREABLE);
    let lives = foreign || known && live.is_live(value);
    let is_young = |value: Value| value.header().is_some_and(|header| !header.has(flags::OLD));
    if lives && (foreign || is_young(holder) || !is_young(value)) {
        return Ok(());
    }
    let kind = |value: Value| value.header().map(|header| header.heap_type());
    let (from, to) = (kind(holder), if known { kind(value) } else { None });
    let (which, what) = if lives { ("old", "young") } else { ("live", "dead") };
    Err(format!("{which} {holder:?} ({from:?}) refers to {what} {value:?} ({to:?})"))
}
