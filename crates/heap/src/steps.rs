//! A full collection in steps, so that pauses do not grow with the number of objects, nor with the length of an array. Only
//! whoever polls takes steps: nothing here does.
//!
//! # Phases
//! *Preparing*: what is still unswept is swept, for marking is about to overwrite the mark bits that it depends on. New
//! objects get the slots of the free masks, whatever the mark bits say from here on.
//!
//! *Marking*: each step follows a number of edges. What is marked is old, so the barrier logs an object that was looked
//! at when something is stored into it afterwards, and it is looked at again. When the work list is empty, roots and log
//! are looked at once more; marking ends with the step that empties the list after that. Objects made meanwhile are
//! found the same way or not at all: none of them is kept for being new. Of a large container some steps may have seen the
//! end: the rest is found again, and may have become shorter, as elements go from either end without a barrier.
//!
//! *Releasing*: pages with nothing to release are filed at once, the others a number at a time. Until then their dead
//! objects count as gone and their free slots are not used. Collections of several heaps together end with this phase too, minor
//! ones included: each heap's thread releases what its own objects owned, where the memory came from, while the others run.
//!
//! # Invariants
//! No minor collection runs between the first and the last step of marking: the mark bits say something else then. One
//! may run while pages wait to be released, because they hold old objects and dead ones only: neither a full collection nor one of
//! several heaps leaves aged ones.

use crate::Collection;
use crate::collect::check;
use crate::heap::{Heap, Pool};
use crate::mark::{Client, Liveness, Marker, WorkList};
use crate::os::thread_time;
use crate::region::PageRef;
use std::time::Duration;

/// How far a full collection in steps has come.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Phase {
    #[default]
    Idle,
    Preparing,
    Marking,
    Releasing,
}

/// Edges that one step follows: about a third of a millisecond.
const MARK_STEP: usize = 10_000;
/// A budget is doubled no more often than this.
const MOST_DOUBLINGS: u32 = 30;
/// A page weighs as much in a step as this many edges.
const PAGE_WEIGHT: usize = 100;

impl Heap {
    /// Does what is due: a minor collection, or a step of a full one.
    pub fn advance<C: Client + ?Sized>(&self, client: &mut C) {
        let minor_is_enough = self.minor_possible.get() && !self.pace.is_full_due();
        match self.phase.get() {
            Phase::Idle if minor_is_enough => self.collect(client, Collection::Minor, false),
            Phase::Releasing if self.pace.is_nursery_full() => self.collect(client, Collection::Minor, false),
            _ => self.step(client, MARK_STEP),
        }
    }

    pub fn phase(&self) -> Phase {
        self.phase.get()
    }

    /// The next step of a full collection, the first one if none is in progress. `budget` is in edges.
    pub fn step<C: Client + ?Sized>(&self, client: &mut C, budget: usize) {
        let start = thread_time();
        self.collecting.set(true);
        let phase = self.phase.get();
        match phase {
            Phase::Idle => self.begin_preparing(budget),
            Phase::Preparing => self.prepare_some(budget),
            Phase::Marking => self.mark_some(client, budget),
            Phase::Releasing => self.release_some(client, budget),
        }
        self.collecting.set(false);
        let time = thread_time() - start;
        self.pace.record_pause(time, if phase == Phase::Releasing { time } else { Duration::ZERO });
        if self.phase.get() != Phase::Idle {
            self.pace.restart_step();
        }
    }

    fn begin_preparing(&self, budget: usize) {
        self.waiting.replace(self.unswept_pages());
        self.phase.set(Phase::Preparing);
        self.prepare_some(budget);
    }

    fn unswept_pages(&self) -> Vec<PageRef> {
        self.all_pages().into_iter().filter(|page| page.is_unswept()).collect()
    }

    /// Pools sweep the pages that they open, and a minor collection leaves others unswept, so the list is only a hint.
    fn prepare_some(&self, budget: usize) {
        for _ in 0..=budget / PAGE_WEIGHT {
            let next = self.waiting.borrow_mut().pop();
            match next {
                Some(page) if page.is_unswept() => page.sweep(),
                Some(_) => {}
                None => {
                    let left = self.unswept_pages();
                    if left.is_empty() {
                        return self.begin_marking();
                    }
                    self.waiting.replace(left);
                }
            }
        }
    }

    fn begin_marking(&self) {
        self.rounds.set(0);
        self.is_fresh.set(false);
        self.minor_possible.set(false);
        self.aged.take();
        self.all_regions().into_iter().for_each(|region| region.clear_marks());
        self.phase.set(Phase::Marking);
    }

    /// What the mutator makes in one step's time may be more than a step's budget, forever: each round allows twice as much
    /// as the one before.
    fn mark_some<C: Client + ?Sized>(&self, client: &mut C, budget: usize) {
        let budget = budget << self.rounds.get().min(MOST_DOUBLINGS);
        let heaps = [self];
        let mut marker = Marker::resume(&heaps, self.work.take(), client);
        let mut is_done = false;
        if marker.drain_some(client, budget) {
            self.trace_log(&mut marker, client, false);
            client.roots(&mut marker);
            is_done = marker.drain_some(client, budget);
            self.rounds.set(self.rounds.get() + 1);
        }
        self.work.replace(marker.into_work());
        if is_done {
            self.end_marking(client);
        }
    }

    fn end_marking<C: Client + ?Sized>(&self, client: &mut C) {
        self.work.replace(WorkList::default());
        client.after_mark(&Liveness { heaps: &[self], kind: Collection::Full, shareables_are_roots: false });
        self.pools().iter().for_each(Pool::close_word);
        self.file_or_keep_waiting(Collection::Full);
        check(&[self], client, false);
    }

    /// Sorts the pages that may have changed, when marking has ended: those that own something wait.
    pub(crate) fn file_or_keep_waiting(&self, kind: Collection) {
        for pool in self.pools() {
            let changed = self.changed_pages(pool, kind);
            pool.forget_pages(changed.len(), kind);
            changed.into_iter().for_each(|page| self.file_page_or_wait(pool, page));
        }
        self.phase.set(Phase::Releasing);
        self.releases_full.set(self.releases_full.get() || kind == Collection::Full);
        self.restart(kind, 0);
        self.pace.record(kind);
        if self.waiting.borrow().is_empty() {
            self.end_releasing();
        }
    }

    fn file_page_or_wait(&self, pool: &Pool, page: PageRef) {
        self.count_live(page);
        if page.owns_anything() {
            page.set_unswept();
            self.waiting.borrow_mut().push(page);
        } else {
            self.file_page(pool, page);
        }
    }

    /// Releases what a collection together with other heaps has left: all of it after a minor one, as much as a step may do
    /// after a full one. The other heaps' threads may run meanwhile.
    pub fn release_waiting<C: Client + ?Sized>(&self, client: &mut C) {
        if self.phase.get() == Phase::Releasing {
            self.step(client, if self.releases_full.get() { MARK_STEP } else { usize::MAX });
        }
    }

    fn release_some<C: Client + ?Sized>(&self, client: &mut C, budget: usize) {
        let allocated = self.pace.allocated_bytes();
        let mut spent = 0;
        while spent <= budget && !self.waiting.borrow().is_empty() {
            let page = self.waiting.borrow_mut().pop().expect("a page is waiting");
            spent += PAGE_WEIGHT + self.release_dead_owners(page, client);
            self.file_page(&self.pools()[page.pool().0 as usize], page);
        }
        // What is freed here was old: the nursery gets no credit for it.
        self.pace.set_allocated_bytes(allocated);
        if self.waiting.borrow().is_empty() {
            self.end_releasing();
        }
    }

    fn end_releasing(&self) {
        self.phase.set(Phase::Idle);
        self.first_with_free_page.set(0);
        if self.releases_full.replace(false) {
            self.pace.end_steps(Collection::Full);
            self.trim_to_allowance();
        } else {
            self.pace.end_steps(Collection::Minor);
        }
    }

    /// Gets ready for a full collection in one go: releases what waits for it, and forgets a marking that is in progress.
    pub(crate) fn leave_steps<C: Client + ?Sized>(&self, client: &mut C) {
        match self.phase.get() {
            Phase::Idle => {}
            Phase::Releasing => {
                while self.phase.get() == Phase::Releasing {
                    self.release_some(client, usize::MAX);
                }
            }
            Phase::Preparing | Phase::Marking => self.forget_marking(),
        }
    }

    /// The next collection has to be a full one: the mark bits say nothing now.
    pub(crate) fn forget_marking(&self) {
        if matches!(self.phase.get(), Phase::Preparing | Phase::Marking) {
            self.work.replace(WorkList::default());
            self.waiting.borrow_mut().clear();
            self.phase.set(Phase::Idle);
            self.minor_possible.set(false);
        }
    }
}
