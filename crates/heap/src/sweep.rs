//! After marking: dead owners are released, pages without live slots given up, the rest left to be swept by allocation.
//!
//! Releasing needs the client, so dead owners are found here, by masks alone: owning and not marked. The free masks of a
//! page wait until its pool gets to it, which spreads the work and leaves them in the cache where they are needed.
//!
//! # Invariants
//! Only pages that a pool has opened since the last collection hold objects allocated since then. A minor collection
//! looks at no other page, and one still unswept stays so: its mark bits say the same as before.

use crate::collect::Collection;
use crate::heap::{Heap, Pool};
use crate::mark::Client;
use crate::region::{PageRef, RegionRef, bits_of};

impl Heap {
    /// Closes the open words, and before the mark bits are cleared sweeps what still depends on them.
    pub(crate) fn prepare_masks(&self, kind: Collection) {
        for pool in self.pools() {
            pool.close_word();
            if kind == Collection::Full {
                pool.all_pages().iter().filter(|page| page.is_unswept()).for_each(|page| page.sweep());
            }
        }
    }

    /// Releases dead owners and sorts the pages that may have changed.
    pub(crate) fn sweep_after_mark<C: Client + ?Sized>(&self, client: &mut C, kind: Collection) {
        for pool in self.pools() {
            for page in self.changed_pages(pool, kind) {
                self.release_dead_owners(page, client);
            }
        }
        for pool in self.pools() {
            let changed = self.changed_pages(pool, kind);
            pool.forget_pages(changed.len(), kind);
            changed.into_iter().for_each(|page| self.file_page(pool, page));
        }
    }

    /// Pages whose marks differ from those of the last collection: what stands first in the pool, or all.
    pub(crate) fn changed_pages(&self, pool: &Pool, kind: Collection) -> Vec<PageRef> {
        match kind {
            Collection::Full => pool.all_pages(),
            Collection::Minor => pool.visited_pages(),
        }
    }

    /// Releases what any slot owns, whether its object is live or not. The heap is of no use afterwards.
    pub fn release_all<C: Client + ?Sized>(&self, client: &mut C) {
        for page in self.all_pages().into_iter().filter(|page| page.owns_anything()) {
            (0..page.words()).for_each(|word| self.release_slots(page, word, page.owning_word(word), client));
        }
    }

    /// The number of objects released.
    pub(crate) fn release_dead_owners<C: Client + ?Sized>(&self, page: PageRef, client: &mut C) -> usize {
        let mut released = 0;
        for word in 0..page.words() {
            let owning = page.owning_word(word);
            if owning != 0 {
                let dead = owning & !page.marked_word(word);
                self.release_slots(page, word, dead, client);
                released += dead.count_ones() as usize;
            }
        }
        released
    }

    fn release_slots<C: Client + ?Sized>(&self, page: PageRef, word: usize, dead: u64, client: &mut C) {
        page.clear_owning(word, dead, self.is_shared());
        for bit in bits_of(dead) {
            let object = page.slot(word * 64 + bit);
            client.release(self, object);
            crate::side::set(object, std::ptr::null_mut());
        }
    }
}

/// A page with fewer free slots than one in this many is left alone until the next full collection: opening it costs as
/// much as for a page with many.
const WORTHWHILE: usize = 32;

impl Heap {
    /// Puts a page where the pool looks for free slots, or where it does not, or gives it up.
    pub(crate) fn file_page(&self, pool: &Pool, page: PageRef) {
        let live = self.count_live(page);
        if live == 0 {
            // SAFETY: the page lies in a mapped region.
            unsafe { RegionRef::around(page.slot(0).as_ptr().addr()) }.return_page(page);
            pool.forget_page();
            return;
        }
        page.set_unswept();
        let worthwhile = (page.slot_count() - live) * WORTHWHILE >= page.slot_count();
        if worthwhile { &pool.pages } else { &pool.full }.borrow_mut().push(page);
    }
}
