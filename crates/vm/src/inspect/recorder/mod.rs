//! Recording of allocations: where each object came from, as `ObjectSpace.trace_object_allocations` asks for it.
//!
//! # How
//! While nobody records, nothing is asked: the heap's fast path takes a slot or finds the open word used up. While somebody
//! does, the heap keeps the open word out of sight ([`carat_heap::Heap::set_recording`]), so that every allocation takes the
//! slow path and ends in [`note`]; and the instruction table is filled with [`recorded`], which says where the running frame
//! is, for plain handlers keep that to themselves. Instructions that never allocate ([`allocates`]) keep theirs.
//!
//! # Code map
//! `site`: places in programs. `context`: the calls that led there. `table`: which object came from which place. `ledger`: sums for
//! the loupe, of the dead too. `timeline`: what lived when. `sampler`: a few
//! allocations only, for production. `message`: what Ractors send each other. `share`: what each of them allocated and owns. `writers`: who stores references in a few objects. `strings`: how often each text was made. `event`: what happened to objects after they were made.
//!
//! # Invariants
//! * Each Ractor records for itself, what it allocates in its own heap. To look at another one's records stops the world.
//! * An object's record goes when it dies, at the latest before its slot is used again.

mod context;
mod event;
mod ledger;
mod message;
pub(crate) mod sampler;
mod share;
mod site;
mod strings;
mod table;
mod timeline;
pub(crate) mod writers;

pub use context::{Context, ContextId};
pub use event::{CopyReason, Event};
pub use ledger::{Copies, Count, LateFields, Ledger, Refused, SiteEvents, Tally};
pub use message::{Messages, MessagesBySite, Passing};
pub use sampler::{Sampler, Samples};
pub use share::Share;
pub use site::{Site, SiteId};
pub use strings::{Repeated, Strings};
pub use timeline::{Living, Point, Timeline};
pub use writers::Writers;

use crate::concurrency::ractor::Ractor;
use crate::concurrency::world::World;
use crate::ec::Ec;
use crate::model::class::Class;
use crate::run::code::CacheCell;
use crate::run::frame::Fp;
use crate::run::interp::Handler;
use carat_heap::Liveness;
use carat_iseq::{Insn, Op};
use carat_layout::{Header, Value, flags};
use context::Contexts;
use rustc_hash::FxHashMap;
use site::Sites;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use table::{Fate, PlaceId, Record, Table};
use timeline::LiveCount;

/// What one Ractor has recorded.
pub struct Recorder {
    sites: Sites,
    /// Where call stacks are kept; records then name their nodes.
    contexts: Option<Box<Contexts>>,
    table: Table,
    /// Number of the collection that comes next, as `GC.count` counts.
    generation: u32,
    ledger: Option<Box<Ledger>>,
    /// Objects that the heap had made at the last collection, or when recording began.
    made_before: u64,
    /// What the shares of Ractors account for that have recorded here: one may go on in the heap of another one.
    shared_out: Count,
    /// What the Ractor owned when the program ended.
    owned_at_end: Option<Count>,
}

/// What a ledger keeps besides its sums.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Detail {
    /// The calls that led to each object, and a time line.
    pub stacks: bool,
}

/// What is known of an object's birth.
#[derive(Clone)]
pub struct Allocation {
    pub site: Site,
    pub generation: u32,
}

/// The routine of every instruction while allocations are recorded.
pub(crate) unsafe extern "C-unwind" fn recorded(
    pc: *const Insn,
    fp: *mut Value,
    ec: *mut Ec,
    caches: *mut CacheCell,
) -> usize {
    // SAFETY: the running frame; the plain table has a routine for every operation.
    unsafe {
        runs_at(ec, pc, fp);
        let handler: Handler = (&(*ec).plain)[(*pc).op as usize].get();
        handler(pc, fp, ec, caches)
    }
}

/// Publishes the instruction that runs, which may make an object.
///
/// # Safety
/// An instruction of the running frame.
#[inline(always)]
pub(crate) unsafe fn runs_at(ec: *mut Ec, pc: *const Insn, fp: *mut Value) {
    // SAFETY: by contract.
    unsafe {
        (*ec).fp = Fp(fp);
        (*ec).pc = pc.add(1);
        runs(&*ec, fp);
    }
}

/// The frame at `fp` runs an instruction: see [`context`].
#[inline(always)]
pub(crate) fn runs(ec: &Ec, fp: *mut Value) {
    ec.lowest_frame.set(ec.lowest_frame.get().min(fp.addr()));
}

/// Whether a plain handler may make an object, or report an event, before it has published its frame: all may but those
/// that move words, compare and jump.
pub(crate) fn allocates(op: Op) -> bool {
    !matches!(
        op,
        Op::nop
            | Op::move_
            | Op::putnil
            | Op::puttrue
            | Op::putfalse
            | Op::putundef
            | Op::putfixnum
            | Op::putobject
            | Op::getlocal
            | Op::getinstancevariable
            | Op::branchif
            | Op::branchunless
            | Op::branchnil
            | Op::branchnotnil
            | Op::branchgiven
            | Op::cmp_lt
            | Op::cmp_le
            | Op::cmp_gt
            | Op::cmp_ge
            | Op::cmp_lt_imm
            | Op::cmp_le_imm
            | Op::cmp_gt_imm
            | Op::cmp_ge_imm
            | Op::cmp_eq_imm
            | Op::jump
            | Op::jump_back
            | Op::leave
    )
}

/// An object is about to be made in `slot`, while somebody records or waits for a sample.
pub(crate) fn note_new(ec: &Ec, slot: NonNull<Header>, slot_bytes: usize) {
    note(ec, slot);
    if ec.ractor().waits_for_sample.get() {
        sampler::note(ec, slot_bytes);
    }
}

/// Records the birth of the object that is about to be made in `slot`.
#[inline(never)]
fn note(ec: &Ec, slot: NonNull<Header>) {
    let Ok(mut recorder) = ec.ractor().recorder.try_borrow_mut() else { return };
    let Some(recorder) = recorder.as_deref_mut() else { return };
    let place = match &mut recorder.contexts {
        None => PlaceId(recorder.sites.running(ec).0),
        Some(contexts) => PlaceId(contexts.running(ec, &mut recorder.sites).0),
    };
    let generation = recorder.generation;
    recorder.table.set(slot.as_ptr().addr(), Record { place, generation });
}

/// Something happened to an object whose birth is recorded.
#[cold]
#[inline(never)]
pub(crate) fn event(ec: &Ec, object: Value, event: Event) {
    let Ok(mut recorder) = ec.ractor().recorder.try_borrow_mut() else { return };
    let Some(Recorder { sites, contexts, table, ledger: Some(ledger), .. }) = recorder.as_deref_mut() else { return };
    let Some(record) = object.as_heap().and_then(|o| table.get(o.as_ptr().addr())) else { return };
    let here = sites.running(ec);
    if let Event::FieldSpilled { name } = event {
        ledger.field_was_late(ec.class_of(object).real().name(), name, here);
    }
    ledger.happened(site_of(contexts.as_deref(), record.place), here, event);
}

/// Somebody was refused to write to a frozen object.
#[cold]
pub(crate) fn refused(ec: &Ec, message: &str) {
    let Ok(mut recorder) = ec.ractor().recorder.try_borrow_mut() else { return };
    let Some(Recorder { sites, ledger: Some(ledger), .. }) = recorder.as_deref_mut() else { return };
    ledger.refuse(sites.running(ec), message);
}

/// The site of a place in a record.
fn site_of(contexts: Option<&Contexts>, place: PlaceId) -> SiteId {
    contexts.map_or(SiteId(place.0), |contexts| contexts.site_of(ContextId(place.0)))
}

fn fate(object: Value, lives: bool) -> Fate {
    match object.header() {
        _ if !lives => Fate::Dead,
        Some(header) if !header.has(flags::OLD) => Fate::Young,
        _ => Fate::Old,
    }
}

/// Forgets the dead, counting them where a ledger is kept. After a minor collection only what was young can be dead.
pub(crate) fn after_mark(ec: &Ec, ractor: &Ractor, live: &Liveness<'_>) {
    let Ok(mut recorder) = ractor.recorder.try_borrow_mut() else { return };
    let Some(recorder) = recorder.as_deref_mut() else { return };
    if recorder.contexts.is_some() {
        return recorder.after_mark_with_contexts(ec, ractor, live);
    }
    let Recorder { sites, table, ledger, generation, .. } = recorder;
    *generation += 1;
    if let Some(ledger) = ledger {
        ledger.learn(sites.list());
    }
    table.retain(live.is_minor(), &mut |object, record| {
        let lives = live.is_live(object);
        if !lives {
            ec.tell_of_collector(crate::foreign::collector_event::FREED, object);
        }
        if !lives && let Some(ledger) = ledger {
            ledger.count(ec, object, SiteId(record.place.0));
        }
        fate(object, lives)
    });
    if let Some(ledger) = ledger {
        ledger.end_pass(ec);
    }
}

impl Recorder {
    fn new(ec: &Ec, ractor: &Ractor) -> Recorder {
        let detail = *ec.vm().ledger.lock().unwrap_or_else(|e| e.into_inner());
        let mut ledger: Option<Box<Ledger>> = detail.map(|_| Box::default());
        let mut contexts = None;
        if detail.is_some_and(|detail| detail.stacks)
            && let Some(ledger) = &mut ledger
        {
            ledger.timeline = Some(Timeline::new());
            contexts = Some(Box::default());
        }
        let generation = ractor.heap.stats().collections() as u32;
        let made_before = ractor.heap.total_allocated_objects();
        let (sites, table, shared_out) = (Sites::default(), Table::default(), Count::default());
        Recorder { sites, contexts, table, generation, ledger, made_before, shared_out, owned_at_end: None }
    }

    /// As [`after_mark`] does, by context, and with a point of the time line.
    fn after_mark_with_contexts(&mut self, ec: &Ec, ractor: &Ractor, live: &Liveness<'_>) {
        let Recorder { sites, contexts: Some(contexts), ledger: Some(ledger), table, generation, made_before, .. } =
            self
        else {
            return;
        };
        ledger.learn(sites.list());
        let mut timeline = ledger.timeline.take();
        let made = ractor.heap.total_allocated_objects();
        let wants_count = timeline.as_ref().is_some_and(|timeline| timeline.wants_count(made, !live.is_minor()));
        let mut living = wants_count.then(|| LiveCount::new(contexts.len()));
        table.retain(live.is_minor() && !wants_count, &mut |object, record| {
            let context = contexts.node(ContextId(record.place.0));
            let lives = live.is_live(object);
            if !lives {
                ec.tell_of_collector(crate::foreign::collector_event::FREED, object);
            }
            match &mut living {
                _ if !lives => {
                    let bytes = ledger.count(ec, object, context.site);
                    context.allocated.add_counted(bytes);
                    if record.generation == *generation {
                        context.temporary.add_counted(bytes);
                    }
                }
                None => {}
                Some(living) => {
                    if let Some((tally, bytes)) = ledger.weigh(ec, object, context.site) {
                        living.add(tally, record.place.0 as usize, bytes);
                    }
                }
            }
            fate(object, lives)
        });
        ledger.end_pass(ec);
        *generation += 1;
        if let Some(timeline) = &mut timeline {
            timeline.add_point(&ractor.heap, !live.is_minor(), made, made - *made_before);
            if let Some(living) = living
                && timeline.add_count(&living, ledger, made)
            {
                contexts.set_peak(&living.by_context);
            }
        }
        *made_before = made;
        ledger.timeline = timeline;
    }

    /// Takes over what the Ractor of an adopted heap has recorded.
    pub(crate) fn adopt(&mut self, other: Recorder) {
        let sites = self.sites.adopt(other.sites);
        let places: Vec<PlaceId> = match (&mut self.contexts, other.contexts) {
            (Some(ours), Some(theirs)) => ours.adopt(*theirs, &sites).into_iter().map(|id| PlaceId(id.0)).collect(),
            _ => sites.iter().map(|id| PlaceId(id.0)).collect(),
        };
        self.table.adopt(other.table, &places);
        if let (Some(ours), Some(theirs)) = (&mut self.ledger, other.ledger) {
            ours.adopt(*theirs, &sites);
        }
    }

    /// Keeps the method entries alive that sites are told apart by.
    pub(crate) fn references(&self, mark: &mut dyn FnMut(Value)) {
        self.sites.references(mark);
    }
}

/// What native code had in its frames may still lie where those will be that lead to the collector, which it looks through: this
/// writes over it. To be called before them.
#[inline(never)]
pub fn forget_native_stack() {
    std::hint::black_box([0_u64; 4096]);
}

impl Ractor {
    /// Begins to record, or goes on, if the VM does.
    pub(crate) fn join_recording(&self, ec: &Ec) {
        self.join_sampling(ec);
        if ec.vm().recordings.load(Ordering::Acquire) > 0 {
            self.recorder.borrow_mut().get_or_insert_with(|| Box::new(Recorder::new(ec, self)));
            self.heap.set_recording(true);
        }
    }
}

impl Ec {
    /// Runs `f` for every Ractor, while all of them stand still.
    pub(crate) fn each_ractor(&mut self, f: &mut dyn FnMut(&Ec, &Ractor)) {
        if !self.vm().has_several_ractors() {
            return f(self, self.ractor());
        }
        let world = self.stop_world();
        world.ractors(self).into_iter().for_each(|ractor| f(self, ractor));
    }

    /// Starts to record allocations, once more if they are recorded already.
    pub fn start_recording(&mut self) {
        if self.vm().recordings.fetch_add(1, Ordering::AcqRel) == 0 {
            self.each_ractor(&mut |ec, ractor| {
                ractor.join_recording(ec);
                crate::run::interp::refresh_tables_of(ractor);
            });
        }
    }

    /// Undoes one start. What was recorded stays.
    pub fn stop_recording(&mut self) {
        let undone =
            self.vm().recordings.fetch_update(Ordering::AcqRel, Ordering::Acquire, |count| count.checked_sub(1));
        if undone == Ok(1) {
            self.each_ractor(&mut |_, ractor| {
                ractor.heap.set_recording(ractor.waits_for_sample.get());
                crate::run::interp::refresh_tables_of(ractor);
            });
        }
    }

    /// Forgets what was recorded.
    pub fn clear_recording(&mut self) {
        self.each_ractor(&mut |ec, ractor| {
            let fresh = || Box::new(Recorder::new(ec, ractor));
            let is_recording = ractor.heap.is_recording();
            ractor.recorder.replace(is_recording.then(fresh));
        });
    }

    /// Runs `f`, whose objects are the implementation's and not the running code's, without recording.
    pub fn unrecorded<R>(&self, f: impl FnOnce() -> R) -> R {
        let was_recording = self.is_recording();
        self.heap().set_recording(false);
        let result = f();
        self.heap().set_recording(was_recording);
        result
    }

    /// Where the program is, while somebody records.
    pub fn recorded_place(&self) -> Option<Site> {
        let mut recorder = self.ractor().recorder.try_borrow_mut().ok()?;
        let recorder = recorder.as_deref_mut()?;
        let site = recorder.sites.running(self);
        recorder.sites.get(site).cloned()
    }

    pub fn is_recording(&self) -> bool {
        self.heap().is_recording()
    }

    /// Where and when an object was made, if that was recorded.
    pub fn allocation_of(&mut self, object: Value) -> Option<Allocation> {
        let object = object.as_heap()?;
        let mut found = own_allocation(self.ractor(), object);
        if found.is_none() && self.vm().has_several_ractors() {
            self.each_ractor(&mut |_, ractor| found = found.take().or_else(|| own_allocation(ractor, object)));
        }
        found
    }

    /// As [`Ec::allocation_of`], of what this Ractor allocated, for whoever walks the heap.
    pub fn own_allocation_of(&self, object: Value) -> Option<Allocation> {
        own_allocation(self.ractor(), object.as_heap()?)
    }

    /// What was recorded and still lives, by site and class. A collection that runs just before keeps the dead out.
    pub fn living(&mut self) -> Vec<(Site, Arc<str>, Count)> {
        let mut sums: FxHashMap<(SiteId, Value), Count> = FxHashMap::default();
        let mut found = Vec::new();
        self.each_ractor(&mut |ec, ractor| {
            let Ok(recorder) = ractor.recorder.try_borrow() else { return };
            let Some(Recorder { sites, contexts, table, .. }) = recorder.as_deref() else { return };
            table.each(&mut |object, record| {
                if ec.is_program_object(object) {
                    let site = site_of(contexts.as_deref(), record.place);
                    let class = ec.class_of(object).real().value();
                    sums.entry((site, class)).or_default().add(ec.memsize_of(object));
                }
            });
            for ((site, class), count) in sums.drain() {
                let name = Class::from_value(class).and_then(Class::name).unwrap_or_else(|| "<<Unknown>>".into());
                found.extend(sites.get(site).map(|site| (site.clone(), name, count)));
            }
        });
        found
    }

    /// From here on the dead are counted too, by site: to be called before recording starts.
    pub fn keep_ledger(&self, detail: Detail) {
        *self.vm().ledger.lock().unwrap_or_else(|e| e.into_inner()) = Some(detail);
    }

    /// Whether somebody keeps one.
    pub fn keeps_ledger(&self) -> bool {
        self.vm().ledger.lock().unwrap_or_else(|e| e.into_inner()).is_some()
    }

    /// Recorders that begin from here on keep none. What was counted stays to be taken.
    pub fn end_ledger(&self) {
        *self.vm().ledger.lock().unwrap_or_else(|e| e.into_inner()) = None;
    }

    /// The ledger of all Ractors, whose objects that still live are counted as retained, and the sites that it names. In the
    /// running Ractor recording goes on with empty books.
    pub fn take_ledger(&mut self) -> Option<(Ledger, Vec<Site>)> {
        // Others stand still until their objects are counted.
        let world = self.vm().has_several_ractors().then(|| self.stop_world());
        if let Some(world) = &world {
            self.gather_books(world);
        }
        let ractor = self.ractor();
        let mut recorder = ractor.recorder.replace(None)?;
        let mut ledger = *recorder.ledger.take()?;
        let mut contexts = recorder.contexts.take();
        ledger.learn(recorder.sites.list());
        recorder.table.retain(false, &mut |object, record| {
            let site = site_of(contexts.as_deref(), record.place);
            let allocated = ledger.count(self, object, site);
            let retained = ledger.retain(self, object, site);
            if let Some(contexts) = &mut contexts {
                let context = contexts.node(ContextId(record.place.0));
                context.allocated.add_counted(allocated);
                context.retained.add_counted(retained);
            }
            Fate::Dead
        });
        ledger.end_pass(self);
        ledger.contexts = contexts.map(|contexts| contexts.into_list()).unwrap_or_default();
        let sites = recorder.sites.into_list();
        if ractor.heap.is_recording() {
            ractor.recorder.replace(Some(Box::new(Recorder::new(self, ractor))));
        }
        Some((ledger, sites))
    }

    /// Adds the books of all other Ractors to the running one's, as if they had ended.
    fn gather_books(&self, world: &World) {
        let own = self.ractor();
        let others = world.ractors(self).into_iter().filter(|other| !std::ptr::eq(*other, own));
        let closed = |other: &Ractor| {
            let mut books = other.recorder.take()?;
            self.close_share_of(other, &mut books);
            Some(books)
        };
        let books: Vec<Box<Recorder>> = others.filter_map(closed).collect();
        if let Some(ours) = own.recorder.borrow_mut().as_deref_mut() {
            books.into_iter().for_each(|theirs| ours.adopt(*theirs));
        }
    }
}

fn own_allocation(ractor: &Ractor, object: NonNull<Header>) -> Option<Allocation> {
    let recorder = ractor.recorder.try_borrow().ok()?;
    let recorder = recorder.as_deref()?;
    let Record { place, generation } = recorder.table.get(object.as_ptr().addr())?;
    let site = site_of(recorder.contexts.as_deref(), place);
    Some(Allocation { site: recorder.sites.get(site)?.clone(), generation })
}
