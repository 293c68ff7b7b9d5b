//! After marking: dead owners are released, pages without live slots given up, the rest left to be swept by allocation.
//!
//! Only pages that own something are swept here, because releasing needs the client. Any other page is swept when its
//! pool gets to it, which spreads the work and leaves the free masks in the cache where they are needed.

use crate::heap::{Heap, Pool};
use crate::mark::Client;
use crate::region::{PageRef, RegionRef, bits_of};

/// What survived, as known from the mark bits alone.
#[derive(Default, Clone, Copy)]
pub(crate) struct Survivors {
    pub(crate) objects: u64,
    pub(crate) bytes: usize,
}

impl Heap {
    /// Sweeps what the last collection left, so that every free mask is exact.
    pub(crate) fn finish_sweep(&self) {
        for pool in self.pools() {
            pool.pages.borrow().iter().filter(|page| page.is_unswept()).for_each(|page| page.sweep());
            pool.retire();
        }
    }

    pub(crate) fn sweep_after_mark<C: Client + ?Sized>(&self, client: &mut C) -> Survivors {
        let mut survivors = Survivors::default();
        for pool in self.pools() {
            release_dead_owners(pool, client);
        }
        for pool in self.pools() {
            pool.pages.borrow_mut().retain(|page| keep_page(*page, &mut survivors));
        }
        survivors
    }

    /// Releases what any slot owns, whether its object is live or not. The heap is of no use afterwards.
    pub fn release_all<C: Client + ?Sized>(&self, client: &mut C) {
        self.finish_sweep();
        for page in self.all_pages().into_iter().filter(|page| page.owns_anything()) {
            (0..page.words()).for_each(|word| release_slots(page, word, page.owning_word(word), client));
        }
    }
}

fn release_dead_owners<C: Client + ?Sized>(pool: &Pool, client: &mut C) {
    for page in pool.pages.borrow().iter().filter(|page| page.owns_anything()) {
        for word in 0..page.words() {
            let owning = page.owning_word(word);
            if owning != 0 {
                release_slots(*page, word, owning & !page.marked_word(word), client);
            }
        }
    }
}

fn release_slots<C: Client + ?Sized>(page: PageRef, word: usize, dead: u64, client: &mut C) {
    page.clear_owning(word, dead);
    for bit in bits_of(dead) {
        let object = page.slot(word * 64 + bit);
        client.release(object);
        crate::side::set(object, std::ptr::null_mut());
    }
}

fn keep_page(page: PageRef, survivors: &mut Survivors) -> bool {
    let marked = page.marked_count();
    if marked == 0 {
        // SAFETY: the page lies in a mapped region.
        unsafe { RegionRef::around(page.slot(0).as_ptr().addr()) }.return_page(page);
        return false;
    }
    survivors.objects += marked as u64;
    survivors.bytes += marked * page.pool().slot_bytes();
    page.set_unswept();
    true
}
