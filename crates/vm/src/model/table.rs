//! Tables by name, in the order in which the names came.
//!
//! # Invariants
//! Whoever shares a table has a lock around it. Nothing here runs Ruby or polls.

use carat_layout::SymbolId;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

pub(crate) type Table<T> = IndexMap<SymbolId, T, FxBuildHasher>;

/// A table that most owners have nothing in: a word as long as it is empty.
pub(crate) struct SparseTable<T>(Option<Box<Table<T>>>);

impl<T> SparseTable<T> {
    pub(crate) const fn new() -> SparseTable<T> {
        SparseTable(None)
    }

    pub(crate) fn get(&self, name: SymbolId) -> Option<&T> {
        self.0.as_ref()?.get(&name)
    }

    pub(crate) fn get_mut(&mut self, name: SymbolId) -> Option<&mut T> {
        self.0.as_mut()?.get_mut(&name)
    }

    pub(crate) fn insert(&mut self, name: SymbolId, value: T) {
        self.0.get_or_insert_default().insert(name, value);
    }

    /// The order of the others stays.
    pub(crate) fn remove(&mut self, name: SymbolId) -> Option<T> {
        self.0.as_mut()?.shift_remove(&name)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (SymbolId, &T)> {
        self.0.iter().flat_map(|table| table.iter().map(|(name, value)| (*name, value)))
    }

    pub(crate) fn memsize(&self) -> usize {
        self.0.as_ref().map_or(0, |table| size_of::<Table<T>>() + memsize(table))
    }
}

/// Bytes of a table: its entries, each with a hash, and an index of numbers, with a byte for each, at most seven eighths full.
pub(crate) fn memsize<T>(table: &Table<T>) -> usize {
    let capacity = table.capacity();
    let index = if capacity == 0 { 0 } else { (capacity * 8 / 7).next_power_of_two().max(4) };
    capacity * size_of::<(usize, SymbolId, T)>() + index * (size_of::<usize>() + 1)
}
