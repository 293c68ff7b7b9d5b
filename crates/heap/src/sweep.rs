//! After marking: dead owners are released, pages without live slots given up, the rest left to be swept by allocation.
//!
//! Releasing needs the client, so dead owners are found here, by masks alone: owning and not marked. The free masks of a
//! page wait until its pool gets to it, which spreads the work and leaves them in the cache where they are needed.
//!
//! # Invariants
//! Only pages that a pool has opened since the last collection, and those with aged objects, hold young ones. A minor collection
//! looks at no other page, and one still unswept stays so: its mark bits say the same as before. Pages with aged objects are the
//! first that their pool opens again.

use crate::collect::Collection;
use crate::heap::{Heap, Pool};
use crate::mark::Client;
use crate::region::{self, PageRef, RegionRef, bits_of};
use carat_layout::{Header, flags};
use std::ptr::NonNull;

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

    /// Before a minor collection: aged objects have to be reached once more.
    pub(crate) fn unmark_aged(&self) {
        for pool in self.pools() {
            pool.aged_pages().iter().filter(|page| page.is_unswept()).for_each(|page| page.sweep());
        }
        for object in self.aged.take() {
            // SAFETY: what the last collection found live is there until this one has ended.
            unsafe {
                if !object.as_ref().has(flags::OLD) {
                    region::clear_mark(object.as_ptr().expose_provenance());
                }
            }
        }
    }

    /// Notes what has become aged, and the pages that hold it; the bytes of all of it.
    pub(crate) fn set_aged(&self, mut aged: Vec<NonNull<Header>>) -> usize {
        // SAFETY: the objects are live.
        aged.retain(|object| !unsafe { object.as_ref() }.has(flags::OLD));
        let mut bytes = 0;
        for object in &aged {
            let address = object.as_ptr().addr();
            // SAFETY: the object lies in a page of a mapped region.
            let page = unsafe { RegionRef::around(address) }.page_at(address).expect("a page with objects is a pool's");
            page.has_aged.set(true);
            bytes += page.pool().slot_bytes();
        }
        self.aged.replace(aged);
        bytes
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
            let (aged, others): (Vec<_>, Vec<_>) = changed.into_iter().partition(|page| page.has_aged.replace(false));
            others.into_iter().for_each(|page| self.file_page(pool, page));
            for page in &aged {
                self.count_live(*page);
                page.set_unswept();
            }
            pool.file_aged(aged);
        }
    }

    /// Pages whose marks differ from those of the last collection: what stands first in the pool, or all.
    pub(crate) fn changed_pages(&self, pool: &Pool, kind: Collection) -> Vec<PageRef> {
        match kind {
            Collection::Full => pool.all_pages(),
            Collection::Minor => pool.young_pages(),
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
