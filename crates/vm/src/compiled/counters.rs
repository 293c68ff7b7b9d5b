//! Counters of calls of machine code, next to each other: a program of many small methods writes to few lines of the processor's
//! caches then. A counter stays at its place until it is dropped. Nothing here polls.

use carat_sync::Mutex;
use std::cell::Cell;
use std::ptr::NonNull;
use std::sync::Arc;

/// Counters that are made at once.
const BLOCK: usize = 64;

/// Those of a Ractor.
#[derive(Default)]
pub(crate) struct Counters {
    blocks: Vec<Box<[Cell<i32>]>>,
    free: Vec<NonNull<Cell<i32>>>,
}

// SAFETY: the blocks are this list's, and only code of one Ractor counts, a thread at a time; a code may be dropped elsewhere.
unsafe impl Send for Counters {}

/// One of them, until it is dropped.
pub(super) struct Counter {
    of: Arc<Mutex<Counters>>,
    place: NonNull<Cell<i32>>,
}

impl Counter {
    pub(super) fn new(of: &Arc<Mutex<Counters>>) -> Counter {
        let place = of.lock().unwrap_or_else(|e| e.into_inner()).take();
        Counter { of: of.clone(), place }
    }

    pub(super) fn cell(&self) -> &Cell<i32> {
        // SAFETY: a place in a block, which lives as long as the list.
        unsafe { self.place.as_ref() }
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        self.of.lock().unwrap_or_else(|e| e.into_inner()).free.push(self.place);
    }
}

impl Counters {
    fn take(&mut self) -> NonNull<Cell<i32>> {
        if let Some(place) = self.free.pop() {
            return place;
        }
        let block: Box<[Cell<i32>]> = (0..BLOCK).map(|_| Cell::new(0)).collect();
        // The first is taken first.
        self.free.extend(block.iter().rev().map(NonNull::from));
        self.blocks.push(block);
        self.free.pop().expect("a block has some")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_is_dropped_is_handed_out_again() {
        let counters: Arc<Mutex<Counters>> = Arc::default();
        let mut all: Vec<Counter> = (0..BLOCK + 1).map(|_| Counter::new(&counters)).collect();
        all[3].cell().set(7);
        assert!(all[0].cell().get() == 0 && all[3].cell().get() == 7);
        let dropped = all.remove(3).place;
        assert!(all.iter().all(|counter| counter.place != dropped));
        assert!(Counter::new(&counters).place == dropped);
    }
}
