//! Samples of what a program allocates, cheap enough to be taken in production: on average one for so many bytes.
//!
//! # How
//! A heap's bytes lie on a line in the order in which they are allocated. Marks are put on it at random, exponentially distributed
//! distances apart (a Poisson process), and each mark stands for the mean distance. So the sum of the marks of a place is an unbiased
//! estimate of its bytes, whatever the sizes of its objects. Of a slot of n bytes, each mark in it stands for as many slots as have
//! the mean distance together: that estimates objects. Memory outside the slots has no objects.
//!
//! Only the heap's slow path counts: bytes of slots when they are opened, a kilobyte at a time, and memory outside the slots when it
//! is accounted. When a mark is near, the heap asks for a poll, where allocations begin to be recorded as for a report: now every
//! object tells where it is made. The one that has the mark is the sample, and recording ends.
//!
//! # Limits
//! Where no poll comes before the mark does (a string of a megabyte), the sample is the stack at the next poll. That is the line
//! itself or a few instructions later.
//!
//! # Invariants
//! * Each Ractor samples its own heap.
//! * While nobody samples the heap's count never ends, and nothing is asked that was not asked before.

use super::context::{Context, ContextId, Contexts};
use super::site::{Site, Sites};
use crate::concurrency::ractor::Ractor;
use crate::ec::{Ec, interrupt};
use carat_layout::Value;
use std::sync::atomic::Ordering;

/// After a sample recording goes on if the next mark is no further away.
const NEAR_BYTES: u64 = 4096;
/// So much before the mark a poll is asked for: the program allocates little between two.
const LEAD_BYTES: u64 = 512;

/// What one Ractor has sampled.
pub struct Sampler {
    mean_bytes: u64,
    sites: Sites,
    contexts: Contexts,
    /// Objects, estimated, by number of the node.
    objects: Vec<f64>,
    /// State of a xorshift generator.
    random: u64,
    /// Where the next mark is, in bytes that the heap has allocated.
    mark: u64,
    /// Allocations are recorded until the mark is passed.
    is_waiting: bool,
    /// Where the object before was made.
    last: Option<ContextId>,
}

/// What was sampled: in a node's `allocated`, how many marks and the bytes that they stand for.
pub struct Samples {
    pub mean_bytes: u64,
    pub contexts: Vec<Context>,
    /// Objects, estimated, by number of the context.
    pub objects: Vec<f64>,
    pub sites: Vec<Site>,
}

impl Sampler {
    fn new(ractor: &Ractor, mean_bytes: u64) -> Sampler {
        let seed = std::collections::hash_map::RandomState::new();
        let random = std::hash::BuildHasher::hash_one(&seed, ractor.id) | 1;
        let (sites, contexts, objects) = (Sites::default(), Contexts::of_samples(), Vec::new());
        let mark = ractor.heap.total_allocated_bytes();
        let mut sampler = Sampler { mean_bytes, sites, contexts, objects, random, mark, is_waiting: false, last: None };
        sampler.mark += sampler.distance();
        sampler
    }

    /// To the next mark.
    fn distance(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        // In (0, 1]: 53 bits are what a float has.
        let uniform = ((self.random >> 11) + 1) as f64 / (1_u64 << 53) as f64;
        (-uniform.ln() * self.mean_bytes as f64) as u64 + 1
    }

    /// The bytes up to `at` were allocated: the marks among them belong to the context. `slot_bytes` if they are those of a slot.
    fn pass(&mut self, context: ContextId, at: u64, slot_bytes: Option<usize>) {
        while self.mark <= at {
            if let Some(bytes) = slot_bytes {
                self.add_objects(context, self.mean_bytes as f64 / bytes as f64);
            }
            let sum = &mut self.contexts.node(context).allocated;
            sum.objects += 1;
            sum.bytes += self.mean_bytes;
            self.mark += self.distance();
        }
    }

    fn add_objects(&mut self, context: ContextId, count: f64) {
        let at = context.0 as usize;
        if at >= self.objects.len() {
            self.objects.resize(at + 1, 0.0);
        }
        self.objects[at] += count;
    }

    pub(crate) fn references(&self, mark: &mut dyn FnMut(Value)) {
        self.sites.references(mark);
    }

    /// Takes over what the Ractor of an adopted heap has sampled.
    pub(crate) fn adopt(&mut self, other: Sampler) {
        let sites = self.sites.adopt(other.sites);
        let new = self.contexts.adopt(other.contexts, &sites);
        new.iter().zip(other.objects).for_each(|(context, count)| self.add_objects(*context, count));
    }

    /// The heap got bytes that another one allocated.
    pub(crate) fn skip(&mut self, bytes: u64) {
        self.mark += bytes;
    }
}

/// A poll that the heap asked for.
#[cold]
pub(crate) fn near(ec: &Ec) {
    let ractor = ec.ractor();
    let Ok(mut sampler) = ractor.sampler.try_borrow_mut() else { return };
    // What is passed while somebody waits calls for a poll too.
    let is_asked = |sampler: &&mut Sampler| !sampler.is_waiting && ractor.heap.until_sample() <= 0;
    let Some(sampler) = sampler.as_deref_mut().filter(is_asked) else { return };
    let at = ractor.heap.total_allocated_bytes();
    if at >= sampler.mark {
        sampler.contexts.forget_stack();
        let context = sampler.contexts.running(ec, &mut sampler.sites);
        sampler.pass(context, at, None);
    }
    sampler.wait_for_mark(ec, ractor, at);
}

/// An object is made whose slot is the last that the heap has counted.
#[inline(never)]
pub(crate) fn note(ec: &Ec, slot_bytes: usize) {
    let ractor = ec.ractor();
    let Ok(mut sampler) = ractor.sampler.try_borrow_mut() else { return };
    let Some(sampler) = sampler.as_deref_mut().filter(|sampler| sampler.is_waiting) else { return };
    let left = ractor.heap.until_sample();
    if left > 0 {
        sampler.last = Some(sampler.contexts.running(ec, &mut sampler.sites));
        return;
    }
    // Callers that are compiled do not report their frames: the sample's stack is walked as a whole.
    sampler.contexts.forget_stack();
    let context = sampler.contexts.running(ec, &mut sampler.sites);
    let at = sampler.mark.saturating_add_signed(-left);
    // What lies outside the slots belongs to the object before.
    let before = at.saturating_sub(slot_bytes as u64);
    sampler.pass(sampler.last.unwrap_or(context), before, None);
    sampler.pass(context, at, Some(slot_bytes));
    sampler.last = Some(context);
    sampler.wait_for_mark(ec, ractor, at);
}

impl Sampler {
    /// Records from here on, if the mark is near, or lets the heap count.
    fn wait_for_mark(&mut self, ec: &Ec, ractor: &Ractor, at: u64) {
        let left = self.mark - at;
        let ahead = LEAD_BYTES + ractor.heap.exposed_bytes();
        let is_near = left <= if self.is_waiting { NEAR_BYTES } else { ahead };
        if is_near != self.is_waiting {
            self.is_waiting = is_near;
            self.last = None;
            self.contexts.forget_stack();
            ractor.wait_for_sample(ec, is_near);
        }
        let until = if is_near { left } else { left.saturating_sub(ahead).max(1) };
        ractor.heap.set_until_sample(Some(i64::try_from(until).unwrap_or(i64::MAX)));
    }
}

impl Ractor {
    /// Begins to sample, if the VM does.
    pub(crate) fn join_sampling(&self, ec: &Ec) {
        let mean_bytes = ec.vm().sampling.load(Ordering::Acquire);
        if mean_bytes > 0 && self.sampler.borrow().is_none() {
            self.hear_of_samples();
            let mut sampler = Box::new(Sampler::new(self, mean_bytes));
            sampler.wait_for_mark(ec, self, self.heap.total_allocated_bytes());
            self.sampler.replace(Some(sampler));
        }
    }

    /// Has the heap tell this Ractor's threads when a mark is near.
    pub(crate) fn hear_of_samples(&self) {
        let shared = self.shared.clone();
        self.heap.set_sample_hook(Box::new(move || shared.arm_all(interrupt::SAMPLE)));
    }

    fn leave_sampling(&self, ec: &Ec) -> Option<Box<Sampler>> {
        let sampler = self.sampler.replace(None)?;
        self.heap.set_until_sample(None);
        self.wait_for_sample(ec, false);
        Some(sampler)
    }

    fn wait_for_sample(&self, ec: &Ec, waits: bool) {
        self.waits_for_sample.set(waits);
        // Whoever records for another reason goes on.
        if ec.vm().recordings.load(Ordering::Acquire) == 0 {
            self.heap.set_recording(waits);
            crate::run::interp::refresh_tables_of(self);
        }
    }
}

impl Ec {
    /// Begins to sample, a mark for each `mean_bytes` on average; false if somebody does already.
    pub fn start_sampling(&mut self, mean_bytes: u64) -> bool {
        let is_first =
            self.vm().sampling.compare_exchange(0, mean_bytes.max(1), Ordering::AcqRel, Ordering::Acquire).is_ok();
        if is_first {
            self.each_ractor(&mut |ec, ractor| ractor.join_sampling(ec));
        }
        is_first
    }

    pub fn is_sampling(&self) -> bool {
        self.vm().sampling.load(Ordering::Acquire) > 0
    }

    /// Ends sampling; what all Ractors have sampled.
    pub fn stop_sampling(&mut self) -> Option<Samples> {
        let mean_bytes = self.vm().sampling.swap(0, Ordering::AcqRel);
        let mut found: Option<Box<Sampler>> = None;
        self.each_ractor(&mut |ec, ractor| match (&mut found, ractor.leave_sampling(ec)) {
            (Some(ours), Some(theirs)) => ours.adopt(*theirs),
            (None, theirs) => found = theirs,
            _ => {}
        });
        let Sampler { sites, contexts, mut objects, .. } = *found?;
        let contexts = contexts.into_list();
        objects.resize(contexts.len(), 0.0);
        Some(Samples { mean_bytes, contexts, objects, sites: sites.into_list() })
    }
}
