//! Inline caches of several entries, for sites that see receivers of several shapes.
//!
//! A site starts with its cell alone. When a second shape comes, the cell gets a list, which doubles up to [`MOST`] entries.
//! Calls with further shapes are remembered in a table of the Ractor ([`SiteCache`]); fields take each other's places in the list.
//!
//! # Layout
//! `shape` of a call's cell is then [`SEVERAL`], its `key` the address of the list, and all entries are of the cell's `epoch`.
//! Routines find their target in the cell, as with one shape: whoever chooses an entry copies the target there.
//! The cell of a field, whose `shape` is one of the [`places`], has its list at `epoch_at`, and is a copy of the entry used last:
//! objects of one class differ in where their fields are until the class has learned how many it needs.
//!
//! # Invariants
//! * A cell owns its list; nobody keeps the address of an entry while Ruby code runs.
//! * Entries that know a retired shape are emptied by a collection: see [`crate::shape`].

use crate::ec::Ec;
use crate::model::shape::ShapeTable;
use crate::run::code::CacheCell;
use crate::run::interp::Handler;
use carat_layout::{ShapeId, Value, flags};
use std::cell::{Cell, OnceCell};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};

/// The `shape` of a call's cell with a list. No shape has this number.
pub(crate) const SEVERAL: u32 = u32::MAX;

/// What stands in place of a shape in the cell of a field: where it lies. No shapes have these numbers either.
pub(crate) mod places {
    /// The field lies in the slot.
    pub(crate) const IN_SLOT: u32 = u32::MAX - 1;
    /// The field lies in the side block.
    pub(crate) const IN_SIDE_BLOCK: u32 = u32::MAX - 2;
    /// The field lies in the side block of a class or module, which other Ractors may be replacing; in cells of the main Ractor,
    /// which may read all of them.
    pub(crate) const IN_CLASS: u32 = u32::MAX - 3;
    /// The field is to be added behind the contents of the slot, where not every object with this key has room.
    pub(crate) const NEW_BEHIND: u32 = u32::MAX - 4;
    /// Objects with this key do not have the field.
    pub(crate) const ABSENT: u32 = u32::MAX - 5;
    /// A class variable: `key` is the class that has it, `target` the address of its value.
    pub(crate) const CLASS_VARIABLE: u32 = u32::MAX - 6;
}

/// Entries of a full list: a site that has seen more shapes is megamorphic.
const MOST: usize = 8;

/// What a cell says of one shape. An empty entry has shape 0.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(crate) struct Entry {
    /// As [`CacheCell::shape`].
    pub(crate) shape: u32,
    /// How many entries follow.
    behind: u32,
    /// As [`CacheCell::key`].
    pub(crate) key: u64,
    /// As [`CacheCell::target`].
    pub(crate) target: u64,
}

const _: () = assert!(size_of::<Entry>() == 24);

impl Entry {
    pub(crate) const BEHIND_OFFSET: usize = std::mem::offset_of!(Entry, behind);

    pub(crate) fn new(shape: u32, key: u64, target: u64) -> Entry {
        Entry { shape, behind: 0, key, target }
    }
}

/// The entries of a cell: an array whose first entry says how many follow.
#[derive(Clone, Copy)]
struct List(*mut Entry);

impl List {
    /// Begins with `first` and has room for `capacity` entries.
    fn new(first: &[Entry], capacity: usize) -> List {
        let entry = |at: usize| {
            let known = first.get(at).copied().unwrap_or_default();
            Entry { behind: (capacity - 1 - at) as u32, ..known }
        };
        let list: Box<[Entry]> = (0..capacity).map(entry).collect();
        List(Box::into_raw(list).cast())
    }

    /// # Safety
    /// The list is not freed while the slice lives, and nobody else refers to it.
    unsafe fn entries<'a>(self) -> &'a mut [Entry] {
        // SAFETY: by contract; the first entry knows how many follow.
        unsafe { std::slice::from_raw_parts_mut(self.0, (*self.0).behind as usize + 1) }
    }

    /// # Safety
    /// Nobody uses the list from now on.
    unsafe fn free(self) {
        // SAFETY: `new` made it of a box.
        drop(unsafe { Box::from_raw(std::ptr::from_mut(self.entries())) });
    }

    /// Puts an entry in the place of one that `replaced` says, into a free one, or into a longer list, which takes this one's
    /// place. `None` if it is full.
    ///
    /// # Safety
    /// As for [`List::entries`].
    unsafe fn add(self, entry: Entry, replaced: impl Fn(&Entry) -> bool) -> Option<List> {
        // SAFETY: by contract.
        let list = unsafe { self.entries() };
        let place = list.iter().position(replaced).or_else(|| list.iter().position(|known| known.shape == 0));
        match place {
            Some(at) => list[at] = Entry { behind: list[at].behind, ..entry },
            None if list.len() < MOST => {
                let longer = List::new(&[&*list, &[entry]].concat(), 2 * list.len());
                // SAFETY: the longer one takes its place.
                unsafe { self.free() };
                return Some(longer);
            }
            None => return None,
        }
        Some(self)
    }
}

impl CacheCell {
    pub(crate) fn has_several(&self) -> bool {
        self.shape == SEVERAL
    }

    fn is_of_field(&self) -> bool {
        (places::ABSENT..=places::IN_SLOT).contains(&self.shape)
    }

    fn list(&self) -> Option<List> {
        if self.has_several() {
            return Some(List(std::ptr::with_exposed_provenance_mut(self.key as usize)));
        }
        (self.is_of_field() && !self.epoch_at.is_null()).then(|| List(self.epoch_at.cast_mut().cast()))
    }

    /// The entries of a call's list.
    pub(crate) fn call_entries(&self) -> Vec<Entry> {
        // SAFETY: the list is the cell's.
        let list = self.list().filter(|_| self.has_several()).map(|list| unsafe { list.entries().to_vec() });
        list.unwrap_or_default()
    }

    /// The entry of a cell that has no list.
    fn only(&self) -> Entry {
        Entry::new(self.shape, self.key, self.target)
    }

    /// Frees the list. The cell is to be overwritten next.
    pub(crate) fn drop_list(&mut self) {
        if let Some(list) = self.list() {
            *self = CacheCell::EMPTY;
            // SAFETY: the cell owned it.
            unsafe { list.free() };
        }
    }

    /// A call's list with as many entries as it may have, all of them used.
    pub(crate) fn is_full(&self) -> bool {
        // SAFETY: the list is the cell's.
        let entries = self.list().map(|list| unsafe { list.entries() });
        entries.is_some_and(|list| list.len() == MOST && list.iter().all(|entry| entry.shape != 0))
    }

    /// Remembers what a call does for one shape, as found while the name's epoch was `epoch`. False if there is no room. All
    /// that was known before is forgotten if it is of another epoch.
    pub(crate) fn add_call(&mut self, entry: Entry, epoch: u32, epoch_at: *const AtomicU32) -> bool {
        let is_current = self.shape != 0 && self.epoch == epoch && self.epoch_at == epoch_at;
        if !is_current || self.shape == entry.shape {
            self.drop_list();
            *self = CacheCell { shape: entry.shape, epoch, key: entry.key, target: entry.target, epoch_at };
            return true;
        }
        let longer = match self.list() {
            // SAFETY: the list is the cell's, and the cell gets what takes its place.
            Some(list) => unsafe { list.add(entry, |known| known.shape == entry.shape) },
            None => Some(List::new(&[self.only(), entry], 2)),
        };
        let Some(list) = longer else { return false };
        (self.shape, self.key) = (SEVERAL, list.0.expose_provenance() as u64);
        true
    }

    /// What is known of calls with receivers of a shape, unless the name got another meaning since.
    #[inline]
    pub(crate) fn call_entry(&self, shape: u32) -> Option<Entry> {
        // SAFETY: a cell that knows a shape was filled for a name, and the list is the cell's.
        unsafe {
            if self.shape == 0 || (*self.epoch_at).load(Ordering::Relaxed) != self.epoch {
                return None;
            }
            match self.list() {
                Some(list) => list.entries().iter().find(|entry| entry.shape == shape).copied(),
                None => (self.shape == shape).then(|| self.only()),
            }
        }
    }

    /// Remembers where a field is in objects of one key.
    pub(crate) fn add_field(&mut self, entry: Entry) {
        let is_same = |known: &Entry| known.key == entry.key && known.shape != 0;
        let list = match self.list() {
            // SAFETY: the list is the cell's, and the cell gets what takes its place.
            Some(list) => Some(unsafe { list.add(entry, is_same).unwrap_or_else(|| list.replaced(entry)) }),
            None if self.shape == 0 || is_same(&self.only()) => None,
            None => Some(List::new(&[self.only(), entry], 2)),
        };
        let epoch_at = list.map_or(std::ptr::null(), |list| list.0.cast_const().cast());
        *self = CacheCell { shape: entry.shape, epoch: 0, key: entry.key, target: entry.target, epoch_at };
    }

    /// Empties entries that know a retired shape; `shape_in` says which an entry knows.
    pub(crate) fn forget_retired(&mut self, shapes: &ShapeTable, shape_in: fn(&Entry) -> u32) {
        if self.shape == places::CLASS_VARIABLE {
            return;
        }
        let is_retired = |entry: &Entry| entry.shape != 0 && !shapes.is_used(ShapeId(shape_in(entry)));
        if !self.has_several() && is_retired(&self.only()) {
            self.drop_list();
            *self = CacheCell::EMPTY;
        }
        if let Some(list) = self.list() {
            // SAFETY: the list is the cell's.
            unsafe { list.entries() }.iter_mut().filter(|entry| is_retired(entry)).for_each(|entry| entry.shape = 0);
        }
    }
}

impl List {
    /// The list with an entry in the place of another one.
    ///
    /// # Safety
    /// As for [`List::entries`].
    unsafe fn replaced(self, entry: Entry) -> List {
        // SAFETY: by contract.
        let list = unsafe { self.entries() };
        let at = (entry.key >> 32) as usize % list.len();
        list[at] = Entry { behind: list[at].behind, ..entry };
        self
    }
}

/// Makes the cell of a field one for objects of the receiver's key, if its list knows them and it was for others.
///
/// # Safety
/// A cell of a field, of the running code.
#[inline(always)]
pub(crate) unsafe fn turn_to(cell: *mut CacheCell, receiver: Value) -> bool {
    // SAFETY: by contract, the list is that of a field; it ends where its entries say.
    unsafe {
        let Some(header) = receiver.header() else { return false };
        let key = header.bits() & flags::FIELD_KEY;
        if (*cell).epoch_at.is_null() || (*cell).key == key {
            return false;
        }
        let mut entry: *const Entry = (*cell).epoch_at.cast();
        while (*entry).key != key || (*entry).shape == 0 {
            if (*entry).behind == 0 {
                return false;
            }
            entry = entry.add(1);
        }
        ((*cell).shape, (*cell).key, (*cell).target) = ((*entry).shape, key, (*entry).target);
        true
    }
}

/// The routine for a receiver of another shape than that of the cell, if it is known. Its target is in the cell then.
///
/// # Safety
/// A cell of a call, of the running code, that was filled for a name.
#[inline(always)]
pub(crate) unsafe fn other_handler(ec: *mut Ec, cell: *mut CacheCell, shape: u32) -> Option<Handler> {
    // SAFETY: by contract; a list ends where its entries say.
    unsafe {
        if (*cell).shape != SEVERAL || (*(*cell).epoch_at).load(Ordering::Relaxed) != (*cell).epoch {
            return None;
        }
        let mut entry = std::ptr::with_exposed_provenance::<Entry>((*cell).key as usize);
        loop {
            if (*entry).shape == shape {
                (*cell).target = (*entry).target;
                return Some(handler_of((*entry).key));
            }
            if (*entry).behind == 0 {
                return (*ec).ractor().site_cache.handler(cell, shape);
            }
            entry = entry.add(1);
        }
    }
}

/// # Safety
/// The key of an entry for a call.
#[inline(always)]
unsafe fn handler_of(key: u64) -> Handler {
    // SAFETY: by contract.
    unsafe { std::mem::transmute::<u64, Handler>(key) }
}

/// What megamorphic sites of a Ractor do for shapes that found no room in their lists.
#[derive(Default)]
pub(crate) struct SiteCache(OnceCell<Box<[Cell<SiteEntry>]>>);

#[derive(Clone, Copy)]
struct SiteEntry {
    cell: Option<NonNull<CacheCell>>,
    shape: u32,
    epoch: u32,
    key: u64,
    target: u64,
}

const NO_SITE: SiteEntry = SiteEntry { cell: None, shape: 0, epoch: 0, key: 0, target: 0 };

/// Entries of the table: 32 KB, once a program has a megamorphic site.
const SITE_ENTRIES: usize = 1024;

impl SiteCache {
    fn place(list: &[Cell<SiteEntry>], cell: *const CacheCell, shape: u32) -> &Cell<SiteEntry> {
        let hash = (cell.addr() / size_of::<CacheCell>()) as u32 ^ shape.wrapping_mul(0x9E37_79B1);
        &list[(hash.wrapping_mul(0x85EB_CA6B) >> 16) as usize % SITE_ENTRIES]
    }

    /// As [`other_handler`].
    ///
    /// # Safety
    /// The cell has a list of the current epoch.
    #[inline(never)]
    unsafe fn handler(&self, cell: *mut CacheCell, shape: u32) -> Option<Handler> {
        let known = SiteCache::place(self.0.get()?, cell, shape).get();
        // SAFETY: by contract; what was put here for this cell is of a call.
        unsafe {
            if known.cell != NonNull::new(cell) || known.shape != shape || known.epoch != (*cell).epoch {
                return None;
            }
            (*cell).target = known.target;
            Some(handler_of(known.key))
        }
    }

    pub(crate) fn add(&self, cell: *mut CacheCell, entry: Entry, epoch: u32) {
        let list = self.0.get_or_init(|| vec![Cell::new(NO_SITE); SITE_ENTRIES].into());
        let Entry { shape, key, target, .. } = entry;
        SiteCache::place(list, cell, shape).set(SiteEntry { cell: NonNull::new(cell), shape, epoch, key, target });
    }

    /// Forgets everything: a collection may free code with its cells, classes and method entries.
    pub(crate) fn clear(&self) {
        self.0.get().into_iter().flatten().for_each(|entry| entry.set(NO_SITE));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(shape: u32) -> Entry {
        Entry::new(shape, u64::from(shape) * 10, u64::from(shape) * 100)
    }

    fn known(cell: &CacheCell) -> Vec<u32> {
        // SAFETY: the list is the cell's.
        let list = cell.list().map(|list| unsafe { list.entries() });
        list.map_or(vec![cell.shape], |list| list.iter().map(|e| e.shape).collect())
    }

    #[test]
    fn a_list_grows_until_it_is_full() {
        let epoch_at = AtomicU32::new(1);
        let mut cell = CacheCell::EMPTY;
        assert!(cell.add_call(call(1), 1, &epoch_at));
        assert_eq!(known(&cell), [1]);
        (2..=8).for_each(|shape| assert!(cell.add_call(call(shape), 1, &epoch_at)));
        assert_eq!(known(&cell), [1, 2, 3, 4, 5, 6, 7, 8]);
        assert!(cell.is_full());
        assert!(!cell.add_call(call(9), 1, &epoch_at));
        assert!(cell.add_call(call(3), 1, &epoch_at), "a shape that is known is replaced");
        cell.drop_list();
    }

    #[test]
    fn another_epoch_forgets_all_shapes() {
        let epoch_at = AtomicU32::new(1);
        let mut cell = CacheCell::EMPTY;
        (1..=3).for_each(|shape| assert!(cell.add_call(call(shape), 1, &epoch_at)));
        assert!(cell.add_call(call(4), 2, &epoch_at));
        assert_eq!((known(&cell), cell.epoch), (vec![4], 2));
    }

    #[test]
    fn fields_beyond_a_full_list_replace_others() {
        let field = |shape: u64| Entry::new(places::IN_SLOT, shape << 32, shape);
        let mut cell = CacheCell::EMPTY;
        (1..=9).for_each(|shape| cell.add_field(field(shape)));
        // SAFETY: the list is the cell's.
        let list = unsafe { cell.list().expect("several").entries() };
        assert_eq!(list.iter().map(|e| e.key >> 32).collect::<Vec<_>>(), [1, 9, 3, 4, 5, 6, 7, 8]);
        assert_eq!(cell.target, 9, "the cell is for the last one");
        cell.drop_list();
    }
}
