//! Who stores references in a few old objects: the places in the program, counted.
//!
//! # How
//! The heap tells of each store into a watched object ([`carat_heap::Heap::watch`]), but not of the thread that does it. So the
//! instruction table is filled with [`watched`], which says whose instruction runs. It publishes the frame as the recorder's does.
//!
//! # Limits
//! Stores into objects of the running Ractor by its own threads.

use super::site::{Site, SiteId, Sites};
use crate::concurrency::ractor::Ractor;
use crate::ec::Ec;
use crate::run::code::CacheCell;
use carat_iseq::Insn;
use carat_layout::{HeapType, Value};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// What is watched, and what was seen.
pub(crate) struct Watch {
    /// The context whose instruction began last; null when it is gone.
    running: Cell<*const Ec>,
    sites: RefCell<Sites>,
    /// How often a site stored in the object of that number.
    stores: RefCell<FxHashMap<(usize, SiteId), u64>>,
}

/// Places that stored something in an object, and how often.
pub type Writers = Vec<(Site, u64)>;

/// The routine of every instruction while somebody watches objects.
pub(crate) unsafe extern "C-unwind" fn watched(
    pc: *const Insn,
    fp: *mut Value,
    ec: *mut Ec,
    caches: *mut CacheCell,
) -> usize {
    // SAFETY: as for `recorded`, which goes on.
    unsafe {
        (*ec).ractor().runs(ec);
        super::recorded(pc, fp, ec, caches)
    }
}

impl Watch {
    fn store(&self, at: usize) {
        let running = self.running.get();
        if running.is_null() {
            return;
        }
        // SAFETY: it began an instruction, and did not leave its Ractor since: see `Ractor::forget_context`.
        let site = self.sites.borrow_mut().running(unsafe { &*running });
        *self.stores.borrow_mut().entry((at, site)).or_default() += 1;
    }

    pub(crate) fn references(&self, mark: &mut dyn FnMut(Value)) {
        self.sites.borrow().references(mark);
    }
}

impl Ractor {
    #[inline(always)]
    fn runs(&self, ec: *const Ec) {
        if let Some(watch) = &*self.watch.borrow() {
            watch.running.set(ec);
        }
    }

    /// A context leaves the list.
    pub(crate) fn forget_context(&self, context: *mut Ec) {
        self.contexts.borrow_mut().retain(|known| *known != context);
        if let Some(watch) = &*self.watch.borrow() {
            watch.running.set(std::ptr::null());
        }
    }
}

impl Ec {
    /// Counts who stores references in the objects at the addresses from here on, in this Ractor; the objects that were found. Young
    /// ones are not counted before they are old.
    pub fn watch_writers(&mut self, addresses: &[u64]) -> Vec<Option<Value>> {
        let found: Vec<Option<Value>> = addresses
            .iter()
            .map(|address| self.heap().find(*address).filter(|slot| slot.as_ptr().addr() as u64 == *address))
            // SAFETY: an allocated, initialised slot of this heap.
            .map(|slot| slot.map(|slot| unsafe { Value::from_heap(slot) }))
            .collect();
        let numbers: Vec<usize> = (0..found.len()).filter(|at| found[*at].is_some()).collect();
        let objects: Vec<Value> = found.iter().flatten().copied().collect();
        let running = Cell::new(std::ptr::null());
        let watch = Rc::new(Watch { running, sites: RefCell::default(), stores: RefCell::default() });
        self.ractor().watch.replace(Some(watch.clone()));
        self.heap().watch(&objects, Box::new(move |at| watch.store(numbers[at])));
        crate::run::interp::refresh_tables_of(self.ractor());
        found
    }

    /// Ends that: for each of the `count` addresses, who stored something there, most often first.
    pub fn take_writers(&mut self, count: usize) -> Vec<Writers> {
        let mut writers: Vec<Writers> = vec![Vec::new(); count];
        self.heap().end_watch();
        let Some(watch) = self.ractor().watch.replace(None) else { return writers };
        crate::run::interp::refresh_tables_of(self.ractor());
        let sites = watch.sites.take().into_list();
        for ((at, site), stores) in watch.stores.take() {
            writers.get_mut(at).into_iter().for_each(|list| list.push((sites[site.0 as usize].clone(), stores)));
        }
        writers.iter_mut().for_each(|list| list.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.line.cmp(&b.0.line))));
        writers
    }

    /// Entries of a hash, an array or a set.
    pub fn entries_of(&self, object: Value) -> Option<usize> {
        match object.header()?.heap_type() {
            HeapType::Hash | HeapType::Set => Some(crate::Hash::expect(object).len(self)),
            HeapType::Array => Some(self.contents_of(object)?.used_bytes / 8),
            _ => None,
        }
    }
}
