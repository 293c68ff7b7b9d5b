//! When the next collection is due, and of which kind.
//!
//! # Full collections
//! One costs about as much as there are live bytes, whatever was allocated in between. Letting a heap allocate
//! [`GROWTH`] times its live bytes (slots and accounted memory alike) before the next one bounds the cost of collecting
//! per byte allocated, and with it the heap at `1 + GROWTH` times what is live. Below [`FULL_FLOOR`] memory costs less
//! than the fixed part of a collection (roots, masks).
//!
//! # Minor collections
//! One costs what the survivors among the young objects and the log cost, and a fixed part of about 20 microseconds. A program that
//! keeps little of what it makes pays 1 to 2 % of its time for a nursery of [`NURSERY_FLOOR`], which stays in the processor's cache. In a
//! large heap it is an eighth of what is live. What survives two becomes old, and old objects that die wait for a full collection; that
//! one is due when the live bytes have grown by the share that a full collection would have been allowed. If it finds that most of
//! what had become old is dead, the nursery was too small for what the program keeps for a while, and is made twice as large;
//! if it finds little, half as large.

use crate::Collection;
use crate::stats::Stats;
use std::cell::{Cell, RefCell};
use std::time::Duration;

/// Least number of bytes between two collections.
const NURSERY_FLOOR: usize = 512 << 10;
/// The largest nursery of a small heap.
const NURSERY_CEILING: usize = 2 << 20;
/// Least number of bytes that become old between two full collections.
const FULL_FLOOR: usize = 2 << 20;
/// Bytes between two full collections, as a multiple of the bytes that survived the last one.
const GROWTH: usize = 1;
/// A byte outside the slots counts for one in this many: it costs nothing to mark, and what is freed early is used again.
const EXTERNAL_SHARE: usize = 2;
/// A byte that is garbage as soon as what runs now has ended counts for so many.
const PASSING_WEIGHT: usize = 16;
/// Bytes between two steps of a full collection: the heap grows by as many while a step's edges are followed.
const STEP_BYTES: usize = 128 << 10;
/// Objects are aged while less survives than one of this many parts of the nursery.
const AGING_SHARE: usize = 4;
/// The nursery is at least one of this many parts of the live bytes.
const NURSERY_SHARE: usize = 8;

/// Counts allocated bytes against the allowance, and keeps the totals.
pub(crate) struct Pace {
    allocated: Cell<usize>,
    /// Bytes until the next collection or step.
    allowance: Cell<usize>,
    /// Bytes from one collection to the next.
    nursery: Cell<usize>,
    external: Cell<isize>,
    /// Bytes of the slots that were old after the last collection.
    old_slots: Cell<usize>,
    /// The same with accounted memory.
    live: Cell<usize>,
    /// Bytes of the slots that were old after the last full collection.
    old_slots_at_full: Cell<usize>,
    /// Bytes of the slots that the last minor collection found live and not old yet when it began.
    survived: Cell<usize>,
    /// The nursery of a small heap.
    base: Cell<usize>,
    /// Live bytes from which on the next collection should be a full one.
    full_limit: Cell<usize>,
    /// See [`crate::Heap::allow_full`].
    pub(crate) allows_full: Cell<bool>,
    due: Cell<bool>,
    hook: RefCell<Option<Box<dyn Fn()>>>,
    totals: Cell<Stats>,
}

impl Pace {
    pub(crate) fn new() -> Pace {
        Pace {
            allocated: Cell::new(0),
            allowance: Cell::new(NURSERY_FLOOR),
            nursery: Cell::new(NURSERY_FLOOR),
            external: Cell::new(0),
            old_slots: Cell::new(0),
            live: Cell::new(0),
            old_slots_at_full: Cell::new(0),
            survived: Cell::new(0),
            base: Cell::new(NURSERY_FLOOR),
            full_limit: Cell::new(FULL_FLOOR),
            allows_full: Cell::new(true),
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
        let share = delta.unsigned_abs() / EXTERNAL_SHARE;
        if delta > 0 {
            self.charge(share);
        } else {
            self.allocated.set(self.allocated.get().saturating_sub(share));
        }
    }

    pub(crate) fn hurry(&self, bytes: usize) {
        self.charge(bytes * PASSING_WEIGHT);
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
            full_is_next: self.wants_full(),
            allowance_bytes: self.nursery.get(),
            allocated_bytes: self.allocated.get(),
            ..self.totals.get()
        }
    }

    /// Sets the next allowance, from what is old and what is aged.
    pub(crate) fn restart(&self, kind: Collection, old_slot_bytes: usize, aged_bytes: usize) {
        let before = self.old_slots.replace(old_slot_bytes);
        match kind {
            Collection::Full => self.adjust_base(before, old_slot_bytes),
            Collection::Minor => self.survived.set((old_slot_bytes + aged_bytes).saturating_sub(before)),
        }
        self.set_limits(kind);
        self.allowance.set(self.nursery.get());
        self.allocated.set(0);
        self.due.set(false);
    }

    /// Whether the next minor collection should wait for another before it makes objects old. Where much survives something large
    /// is being made, which would only be looked at twice.
    pub(crate) fn wants_ages(&self) -> bool {
        self.survived.get() < self.nursery.get() / AGING_SHARE
    }

    /// Judges the nursery by how much of what had become old since the last full collection this one found dead.
    fn adjust_base(&self, before: usize, after: usize) {
        let became_old = before.saturating_sub(self.old_slots_at_full.replace(after));
        let died = before.saturating_sub(after);
        // Less says nothing: programs collect when they like.
        if became_old < FULL_FLOOR / 2 {
            return;
        }
        let base = self.base.get();
        if died > became_old / 2 {
            self.base.set((base * 2).min(NURSERY_CEILING));
        } else if died < became_old / 4 {
            self.base.set((base / 2).max(NURSERY_FLOOR));
        }
    }

    fn set_limits(&self, kind: Collection) {
        let live = self.old_slots.get() + self.external.get().max(0) as usize;
        self.live.set(live);
        if kind == Collection::Full {
            self.full_limit.set(live + FULL_FLOOR.max(live * GROWTH));
        }
        self.nursery.set(self.base.get().max(live / NURSERY_SHARE));
    }

    /// Allows a little until the next step.
    pub(crate) fn restart_step(&self) {
        self.allowance.set(self.allocated.get() + STEP_BYTES);
        self.due.set(false);
    }

    /// All that died is released, so what is left outside the slots is known; no more steps until the nursery is full.
    pub(crate) fn end_steps(&self, kind: Collection) {
        self.set_limits(kind);
        self.allowance.set(self.nursery.get());
        self.due.set(false);
        if self.is_nursery_full() {
            self.request();
        }
    }

    pub(crate) fn allocated_bytes(&self) -> usize {
        self.allocated.get()
    }

    pub(crate) fn set_allocated_bytes(&self, bytes: usize) {
        self.allocated.set(bytes);
    }

    pub(crate) fn is_nursery_full(&self) -> bool {
        self.allocated.get() > self.nursery.get()
    }

    /// Enough has become old since the last full collection for another, and the program does not forbid it.
    pub(crate) fn is_full_due(&self) -> bool {
        self.wants_full() && self.allows_full.get()
    }

    fn wants_full(&self) -> bool {
        self.live.get() > self.full_limit.get()
    }

    /// What has survived, of all that was ever allocated.
    pub(crate) fn set_survivors(&self, survivors: u64, aged: u64, allocated: u64) {
        self.update(|totals| {
            totals.old_objects = survivors - aged;
            totals.freed_objects = allocated - survivors;
        });
    }

    /// Counts a collection that has ended.
    pub(crate) fn record(&self, kind: Collection) {
        self.update(|totals| {
            totals.last_was_full = kind == Collection::Full;
            match kind {
                Collection::Full => totals.full_collections += 1,
                Collection::Minor => totals.minor_collections += 1,
            }
        });
    }

    /// Counts the time of one collection or step, of which some was spent behind the marking.
    pub(crate) fn record_pause(&self, time: Duration, sweeping: Duration) {
        self.update(|totals| {
            totals.time += time;
            totals.sweeping_time += sweeping;
            totals.longest_pause = totals.longest_pause.max(time);
        });
    }

    fn update(&self, f: impl FnOnce(&mut Stats)) {
        let mut totals = self.totals.get();
        f(&mut totals);
        self.totals.set(totals);
    }
}
