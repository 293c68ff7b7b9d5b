//! Figures about a heap.

use carat_layout::POOL_SIZES;
use std::time::Duration;

/// One pool.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct PoolStats {
    pub slot_bytes: usize,
    pub pages: usize,
    pub slots: usize,
    /// Allocated slots; those that the last marking found dead do not count.
    pub used: usize,
    /// Objects since the heap was made.
    pub allocated: u64,
}

/// A heap as a whole.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Stats {
    pub pools: [PoolStats; POOL_SIZES.len()],
    /// Since the heap was made.
    pub allocated_objects: u64,
    /// Since the heap was made.
    pub freed_objects: u64,
    pub full_collections: u64,
    pub minor_collections: u64,
    pub regions: usize,
    /// Pages that no pool has.
    pub free_pages: usize,
    /// Bytes of all slots in pages that pools have.
    pub slot_bytes: usize,
    /// Bytes of the allocated slots.
    pub used_bytes: usize,
    /// Memory outside the slots, as told to [`crate::Heap::account`].
    pub external_bytes: usize,
    /// Bytes to be allocated between the last collection and the next.
    pub allowance_bytes: usize,
    /// Bytes allocated since the last collection.
    pub allocated_bytes: usize,
    /// What the last collection found live, and so made old.
    pub old_objects: u64,
    pub last_was_full: bool,
    /// The next collection that is due will be a full one, if that is allowed.
    pub full_is_next: bool,
    /// Processor time spent collecting; sweeping is part of it as far as allocation does not do it.
    pub time: Duration,
    pub sweeping_time: Duration,
    pub longest_pause: Duration,
}

impl Stats {
    pub fn collections(&self) -> u64 {
        self.full_collections + self.minor_collections
    }

    pub fn live_objects(&self) -> u64 {
        self.allocated_objects - self.freed_objects
    }
}
