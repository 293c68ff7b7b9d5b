//! The collection cycle, and when the next one is due.
//!
//! # Pace
//! A full collection costs about as much as there are live bytes, whatever was allocated in between. Letting a heap
//! allocate [`GROWTH`] times its live bytes (slots and accounted memory alike) before the next one bounds the cost of
//! collecting per byte allocated, and with it the heap at `1 + GROWTH` times what is live. Below [`FLOOR_BYTES`] memory
//! costs less than the fixed part of a collection (roots, masks), so no program collects before it has allocated that.

use crate::heap::Heap;
use crate::mark::{Client, Liveness, Marker};
use crate::stats::Stats;
use carat_layout::flags;
use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

/// What a collection looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Collection {
    /// Everything.
    Full,
    /// What was allocated since the last collection.
    Minor,
}

/// Least number of bytes between two collections.
const FLOOR_BYTES: usize = 8 << 20;
/// Bytes between two full collections, as a multiple of the bytes that survived the last one.
const GROWTH: usize = 1;

/// Counts allocated bytes against the allowance, and keeps the totals.
pub(crate) struct Pace {
    allocated: Cell<usize>,
    allowance: Cell<usize>,
    external: Cell<isize>,
    due: Cell<bool>,
    hook: RefCell<Option<Box<dyn Fn()>>>,
    totals: Cell<Stats>,
}

impl Pace {
    pub(crate) fn new() -> Pace {
        Pace {
            allocated: Cell::new(0),
            allowance: Cell::new(FLOOR_BYTES),
            external: Cell::new(0),
            due: Cell::new(false),
            hook: RefCell::new(None),
            totals: Cell::default(),
        }
    }

    pub(crate) fn charge(&self, bytes: usize) {
        self.allocated.set(self.allocated.get() + bytes);
        if self.allocated.get() > self.allowance.get() {
            self.request();
        }
    }

    #[inline]
    pub(crate) fn account(&self, delta: isize) {
        self.external.set(self.external.get() + delta);
        if delta > 0 {
            self.charge(delta as usize);
        } else {
            self.allocated.set(self.allocated.get().saturating_sub(delta.unsigned_abs()));
        }
    }

    pub(crate) fn set_hook(&self, hook: Box<dyn Fn()>) {
        *self.hook.borrow_mut() = Some(hook);
    }

    #[inline]
    pub(crate) fn is_due(&self) -> bool {
        self.due.get()
    }

    pub(crate) fn request(&self) {
        if !self.due.replace(true)
            && let Some(hook) = &*self.hook.borrow()
        {
            hook();
        }
    }

    pub(crate) fn adopt(&self, other: &Pace) {
        self.external.set(self.external.get() + other.external.get());
        let (mut ours, theirs) = (self.totals.get(), other.totals.get());
        ours.freed_objects += theirs.freed_objects;
        self.totals.set(ours);
        self.charge(other.allocated.get());
    }

    pub(crate) fn stats(&self) -> Stats {
        let external_bytes = self.external.get().max(0) as usize;
        Stats {
            external_bytes,
            allowance_bytes: self.allowance.get(),
            allocated_bytes: self.allocated.get(),
            ..self.totals.get()
        }
    }

    /// Sets the next allowance; what is used now is what survived.
    fn restart(&self, live_slot_bytes: usize) {
        let live = live_slot_bytes + self.external.get().max(0) as usize;
        self.allowance.set(FLOOR_BYTES.max(live * GROWTH));
        self.allocated.set(0);
        self.due.set(false);
    }

    fn update(&self, f: impl FnOnce(&mut Stats)) {
        let mut totals = self.totals.get();
        f(&mut totals);
        self.totals.set(totals);
    }
}

impl Heap {
    /// Frees every object that no root leads to. With `shareables_are_roots`, shareable objects survive, because other
    /// heaps may refer to them.
    pub fn collect<C: Client + ?Sized>(&self, client: &mut C, kind: Collection, shareables_are_roots: bool) {
        collect_together(&[self], client, kind, shareables_are_roots);
    }
}

/// Collects several heaps as one; their threads are stopped.
pub fn collect_together<C: Client + ?Sized>(
    heaps: &[&Heap],
    client: &mut C,
    kind: Collection,
    shareables_are_roots: bool,
) {
    let start = Instant::now();
    heaps.iter().for_each(|heap| heap.begin(kind));
    let mut marker = Marker::new(heaps, shareables_are_roots, false);
    if shareables_are_roots {
        heaps.iter().for_each(|heap| heap.mark_shareables(&mut marker, client));
    }
    client.roots(&mut marker);
    marker.drain(client);
    client.after_mark(&Liveness { heaps, shareables_are_roots });
    heaps.iter().for_each(|heap| heap.finish(client));
    let time = start.elapsed();
    heaps.iter().for_each(|heap| heap.pace.update(|totals| record(totals, kind, time)));
}

fn record(totals: &mut Stats, kind: Collection, time: Duration) {
    match kind {
        Collection::Full => totals.full_collections += 1,
        Collection::Minor => totals.minor_collections += 1,
    }
    totals.time += time;
    totals.longest_pause = totals.longest_pause.max(time);
}

impl Heap {
    fn begin(&self, _kind: Collection) {
        self.finish_sweep();
        self.collecting.set(true);
        self.all_regions().into_iter().for_each(|region| region.clear_marks());
    }

    fn mark_shareables<C: Client + ?Sized>(&self, marker: &mut Marker<'_>, client: &mut C) {
        self.each_object(&mut |object| {
            if object.header().is_some_and(|header| header.has(flags::SHAREABLE))
                && let Some(object) = object.as_heap()
            {
                marker.mark_shareable(object, client);
            }
        });
    }

    fn finish<C: Client + ?Sized>(&self, client: &mut C) {
        let survivors = self.sweep_after_mark(client);
        self.pace.restart(survivors.bytes);
        let allocated = self.total_allocated_objects();
        self.pace.update(|totals| totals.freed_objects = allocated - survivors.objects);
        self.trim(self.pace.stats().allowance_bytes / crate::region::PAGE_BYTES);
        self.collecting.set(false);
    }
}
