//! Tables that patterns share: most sets of characters are those of other patterns, too.

use rustc_hash::FxBuildHasher;
use std::collections::HashSet;
use std::hash::Hash;
use std::sync::{Arc, Mutex};

/// One of each kind of table that some pattern has, or had until lately.
pub(super) struct Shared<T>(Mutex<Known<T>>);

struct Known<T> {
    tables: HashSet<Arc<T>, FxBuildHasher>,
    /// With so many of them those are dropped that no pattern has any more.
    sweeps_at: usize,
}

const FIRST_SWEEP: usize = 64;

impl<T: Hash + Eq> Shared<T> {
    pub(super) const fn new() -> Shared<T> {
        Shared(Mutex::new(Known { tables: HashSet::with_hasher(FxBuildHasher), sweeps_at: FIRST_SWEEP }))
    }

    /// The table that is equal to this one. It is this one while another thread looks for its own, which may be a thread that a
    /// child process does not have.
    pub(super) fn of(&self, table: Arc<T>) -> Arc<T> {
        let Ok(mut known) = self.0.try_lock() else { return table };
        if let Some(same) = known.tables.get(&table) {
            return Arc::clone(same);
        }
        if known.tables.len() >= known.sweeps_at {
            known.tables.retain(|table| Arc::strong_count(table) > 1);
            known.sweeps_at = FIRST_SWEEP.max(2 * known.tables.len());
        }
        known.tables.insert(Arc::clone(&table));
        table
    }
}

/// Bytes of a table that belong to one of those who share it.
pub(super) fn part_of<T>(table: &Arc<T>, size_bytes: usize) -> usize {
    size_bytes / Arc::strong_count(table)
}
