//! Dropping machine code that does not run any more, once there is no room for other code.
//!
//! # How
//! Memory for machine code is refused at the limit. The next poll then notes what each code's counter of calls says. At the first
//! collection after a pause, [`make_room`] looks at *pieces*: each code's machine code of the first tier is one, and so is each of its units.
//! It keeps
//! * every piece of a code that has a frame, and every piece that some word on a stack points into;
//! * code of the first tier whose counter moved during the pause;
//! * units, because they count nothing, unless dropping all else gives back less than an eighth of the limit;
//! * the pieces that a kept piece jumps to.
//!
//! It drops the others. Calls of the codes that lost machine code, or that were refused memory, are counted from the start again.
//!
//! # Invariants
//! Addresses of machine code and of records lie nowhere else than
//! * in frames (RET_PC), on native stacks, and where contexts, resting fibers and `Throw`s go on: [`gc::mark_context`] and its kind report all;
//! * in [`CodeData::start`], and in what is asked each time it is needed;
//! * in machine code that names the code among [`Compiled::callees`](super::Compiled), and units that say where they lead to.
//!
//! Nothing here polls.

use super::{Compiled, Jit, LIMIT_BYTES, LIMIT_SHARE};
use crate::concurrency::fiber::Fiber;
use crate::concurrency::ractor::Ractor;
use crate::ec::Ec;
use crate::memory::gc::{self, Sink};
use crate::run::code::CodeData;
use crate::run::unwind::Throw;
use crate::value::data::Data;
use carat_asm::{Placement, Range};
use carat_layout::{Header, HeapType, Value};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::ptr::NonNull;
use std::time::{Duration, Instant};

/// What is not called for so long does not run.
const WHILE: Duration = Duration::from_millis(100);

/// The least pause after a pass that gave little back, and so many times what the pass took. Where the code that runs does not fit,
/// each further pass would be in vain.
const WHILE_AFTER_LITTLE: Duration = Duration::from_secs(1);
const LOOKING_TIMES: u32 = 100;

/// What is dropped may have to be compiled again. So the pause is at least so many times what compiling took since the last pass.
const COMPILE_TIMES: u32 = 8;

/// Rust code may hold an address so many bytes behind the one where it goes on.
const BEHIND: usize = 2 * size_of::<u64>();

/// Who waits for room in a Ractor's memory for machine code, and how much was made.
#[derive(Default)]
pub(crate) struct Room {
    is_wanted: Cell<bool>,
    /// When something may be dropped; none before the counters were read.
    earliest: Cell<Option<Instant>>,
    compiled_until_then: Cell<Duration>,
    times_made: Cell<usize>,
    bytes_made: Cell<usize>,
}

impl Room {
    pub(crate) fn is_wanted(&self) -> bool {
        self.is_wanted.get()
    }

    pub(super) fn times_made(&self) -> usize {
        self.times_made.get()
    }

    pub(super) fn bytes_made(&self) -> usize {
        self.bytes_made.get()
    }

    /// Whether it is time to ask for what does not run, or to read the counters for the first time.
    fn is_due(&self) -> bool {
        self.is_wanted.get() && self.earliest.get().is_none_or(|earliest| Instant::now() >= earliest)
    }

    /// Counters were read by whoever began to look then, and what was given back is much or little.
    fn wait(&self, ec: &Ec, began: Instant, is_little: bool) {
        let compiled = ec.ractor().compile_times.sum();
        let compiling = compiled.saturating_sub(self.compiled_until_then.replace(compiled));
        let looking = began.elapsed();
        let pause = match ec.vm().config.jit {
            Jit::Hot | Jit::Optimizing(_) if is_little => WHILE_AFTER_LITTLE.max(looking * LOOKING_TIMES),
            Jit::Hot | Jit::Optimizing(_) => WHILE.max(compiling * COMPILE_TIMES),
            // For tests: as often as may be.
            _ => looking * 3,
        };
        self.earliest.set(Some(Instant::now() + pause));
    }
}

/// Whether something can be compiled; if not, there will be a time to make room.
pub(super) fn has_room(ec: &Ec) -> bool {
    let is_full = ec.ractor().machine_code.lock().unwrap_or_else(|e| e.into_inner()).is_full();
    if is_full && ec.ractor().machine_room.is_due() {
        ec.heap().request_collection();
    }
    !is_full
}

/// Memory for machine code that has two parts of so many bytes.
pub(super) fn take(ec: &Ec, (often, seldom): (usize, usize)) -> Option<Placement> {
    let taken = ec.ractor().machine_code.lock().unwrap_or_else(|e| e.into_inner()).take(often, seldom);
    let room = &ec.ractor().machine_room;
    // What is so large that it was refused for that alone waits for no room.
    if taken.is_none() && !has_room(ec) && !room.is_wanted.replace(true) {
        room.earliest.set(None);
        ec.heap().request_collection();
    }
    taken
}

/// One that is dropped or kept as a whole.
struct Piece<'a> {
    code: &'a CodeData,
    /// The number of the unit, or none for the first tier's code.
    unit: Option<usize>,
    placements: Vec<Placement>,
    leads_to: Vec<usize>,
    is_unit_in_use: bool,
    was_called: bool,
}

/// A set of pages, some of which may be taken for others.
#[derive(Default)]
struct Pages(Vec<u64>);

impl Pages {
    const SHIFT: u32 = 12;
    const WORDS: usize = 1024;

    fn add(&mut self, first: usize, last: usize) {
        self.0.resize(Pages::WORDS, 0);
        for page in first >> Pages::SHIFT..=last >> Pages::SHIFT {
            self.0[page / 64 % Pages::WORDS] |= 1 << (page % 64);
        }
    }

    fn has(&self, address: usize) -> bool {
        let page = address >> Pages::SHIFT;
        self.0.get(page / 64 % Pages::WORDS).is_some_and(|word| word >> (page % 64) & 1 != 0)
    }
}

/// Finds the pieces that something on a stack leads to.
#[derive(Default)]
struct Finder<'a> {
    /// By their addresses.
    codes: FxHashMap<usize, &'a CodeData>,
    pieces: Vec<Piece<'a>>,
    /// First and last address of what belongs to a piece, by the first one.
    ranges: Vec<(usize, usize, usize)>,
    /// In which pages of addresses something lies, so that most words on stacks are known to be none.
    pages: Pages,
    of_code: FxHashMap<Value, std::ops::Range<usize>>,
    /// Codes without machine code for which it was tried.
    tried: Vec<&'a CodeData>,
    is_kept: Vec<bool>,
    /// Those that are kept, and were not asked yet where they lead to.
    waiting: Vec<usize>,
}

impl<'a> Finder<'a> {
    fn add(&mut self, code: &'a CodeData) {
        let first = self.pieces.len();
        if let Some(compiled) = code.compilation.compiled.get() {
            let was_called = compiled.was_called(code.compilation.warmth().get());
            let placements: Vec<Placement> = compiled.all().map(|one| one.placement).collect();
            placements.iter().flat_map(|one| [one.often, one.seldom]).for_each(|range| self.add_range(range));
            let (unit, leads_to, is_unit_in_use) = (None, Vec::new(), false);
            self.pieces.push(Piece { code, unit, placements, leads_to, is_unit_in_use, was_called });
        }
        code.compilation.units.each(&mut |known| {
            known.ranges.into_iter().for_each(|range| self.add_range(range));
            let (unit, leads_to) = (Some(known.number), known.leads_to.to_vec());
            let (placements, is_unit_in_use, was_called) = (vec![known.placement], known.is_entered, false);
            self.pieces.push(Piece { code, unit, placements, leads_to, is_unit_in_use, was_called });
        });
        if first < self.pieces.len() {
            self.of_code.insert(code.this, first..self.pieces.len());
        } else if code.compilation.is_tried() {
            self.tried.push(code);
        }
        if first < self.pieces.len() || code.compilation.origin().is_some() {
            let address = std::ptr::from_ref(code).addr();
            self.codes.insert(address, code);
            self.pages.add(address, address);
        }
    }

    /// A range of the piece that is added next.
    fn add_range(&mut self, range: Range) {
        if range.len > 0 {
            let end = range.start + range.len;
            self.ranges.push((range.start, end, self.pieces.len()));
            self.pages.add(range.start, end + BEHIND);
        }
    }

    fn keep(&mut self, piece: usize) {
        if !std::mem::replace(&mut self.is_kept[piece], true) {
            self.waiting.push(piece);
        }
    }

    fn keep_at(&mut self, address: usize) {
        let behind = self.ranges.partition_point(|(start, ..)| *start <= address);
        if let Some((_, end, piece)) = behind.checked_sub(1).map(|at| self.ranges[at])
            && address < end
        {
            self.keep(piece);
        }
    }

    fn keep_code(&mut self, code: &CodeData) {
        for piece in self.of_code.get(&code.this).cloned().unwrap_or_default() {
            self.keep(piece);
        }
        // Whose instructions a frame of it may run.
        if let Some(origin) = code.compilation.origin() {
            self.keep_code(origin);
        }
    }

    /// Keeps what those that are kept lead to.
    fn follow(&mut self) {
        while let Some(piece) = self.waiting.pop() {
            let Piece { code, unit, .. } = self.pieces[piece];
            std::mem::take(&mut self.pieces[piece].leads_to).into_iter().for_each(|address| self.keep_at(address));
            let compiled = code.compilation.compiled.get().filter(|_| unit.is_none());
            for callee in compiled.into_iter().flat_map(Compiled::callees) {
                let first = self.of_code.get(&callee).map(|pieces| pieces.start);
                first.filter(|first| self.pieces[*first].unit.is_none()).into_iter().for_each(|first| self.keep(first));
            }
        }
    }

    fn keep_all_that(&mut self, is_kept: impl Fn(&Piece<'_>) -> bool) {
        (0..self.pieces.len()).for_each(|piece| {
            if is_kept(&self.pieces[piece]) {
                self.keep(piece);
            }
        });
        self.follow();
    }

    fn dropped_bytes(&self) -> usize {
        let dropped = self.pieces.iter().zip(&self.is_kept).filter(|(_, is_kept)| !**is_kept);
        dropped.flat_map(|(piece, _)| &piece.placements).map(Placement::bytes).sum()
    }
}

impl Sink for Finder<'_> {
    fn mark(&mut self, value: Value) {
        if value.is_type(HeapType::Code) {
            self.keep_code(CodeData::of(value));
        }
    }

    fn mark_conservative(&mut self, word: u64) {
        let address = word as usize;
        if !self.pages.has(address) {
            return;
        }
        // The lowest bit of a block's code says that it is one.
        if let Some(code) = self.codes.get(&(address & !1)).copied() {
            self.keep_code(code);
        }
        (0..=BEHIND).step_by(size_of::<u64>()).for_each(|distance| self.keep_at(address.wrapping_sub(distance)));
    }

    unsafe fn mark_range(&mut self, _owner: NonNull<Header>, _first: *const Value, _len: usize) {}
}

/// Drops machine code of the running Ractor that does not run, if it is time. Its calls are counted from one time to the next.
///
/// # Safety
/// The running thread is at a poll, and its context knows where its native stack ends.
pub(crate) unsafe fn make_room(ec: &Ec) {
    let (ractor, room) = (ec.ractor(), &ec.ractor().machine_room);
    if !room.is_due() {
        return;
    }
    let began = Instant::now();
    let (is_full, limit) = {
        let mut memory = ractor.machine_code.lock().unwrap_or_else(|e| e.into_inner());
        if ec.vm().config.machine_code_bytes.is_none() {
            let stats = ractor.heap.stats();
            memory.set_limit(LIMIT_BYTES.max((stats.slot_bytes + stats.external_bytes) / LIMIT_SHARE));
        }
        (memory.is_full(), memory.limit())
    };
    let mut finder = Finder::default();
    let (mut fibers, mut throws) = (Vec::new(), Vec::new());
    ractor.heap.each_object(&mut |value| match value.header().map(|header| header.heap_type()) {
        Some(HeapType::Code) if CodeData::of(value).ractor == ractor.id => finder.add(CodeData::of(value)),
        Some(HeapType::Data) => fibers.extend(Data::<Fiber>::from_value(value)),
        Some(HeapType::Throw) => throws.extend(Throw::from_value(value)),
        _ => {}
    });
    if is_full && room.earliest.get().is_none() {
        return room.wait(ec, began, false);
    }
    let mut is_little = false;
    if is_full {
        finder.ranges.sort_unstable();
        finder.is_kept = vec![false; finder.pieces.len()];
        for context in ractor.contexts.borrow().iter() {
            // SAFETY: contexts in the list are alive, and their threads wait for their turn.
            unsafe { gc::mark_context(&**context, &mut finder) };
        }
        // Code of a fiber that is dead may be gone, so its frames are not walked.
        fibers.iter().for_each(|fiber| fiber.get(ec).trace_words(&mut finder));
        throws.iter().filter_map(|throw| throw.goes_on()).for_each(|pc| finder.mark_conservative(pc.addr() as u64));
        finder.keep_all_that(|piece| piece.was_called);
        let without_units = finder.is_kept.clone();
        finder.keep_all_that(|piece| piece.is_unit_in_use);
        if finder.dropped_bytes() < limit / 8 {
            finder.is_kept = without_units;
        }
        let dropped = finder.dropped_bytes();
        is_little = dropped < limit / 8;
        room.times_made.set(room.times_made.get() + 1);
        room.bytes_made.set(room.bytes_made.get() + dropped);
        for pieces in finder.of_code.values() {
            // SAFETY: what something leads to is kept, by the module's invariants.
            unsafe { drop_others(ec, &finder, pieces.clone()) };
        }
        ractor.machine_code.lock().unwrap_or_else(|e| e.into_inner()).tidy();
    }
    if !is_little {
        room.is_wanted.set(false);
        finder.tried.iter().for_each(|code| count_anew(ec, code));
    }
    room.wait(ec, began, is_little);
}

/// Counts calls of code without machine code of the first tier as if it were new.
fn count_anew(ec: &Ec, code: &CodeData) {
    code.compilation.heat_anew(ec.vm().config.jit);
    match code.compilation.units.entry(0) {
        Some(_) => code.start.set(code.start_at(0)),
        None => code.count_calls(),
    }
}

/// Drops those of the pieces of one code that are not kept.
///
/// # Safety
/// Nothing leads there.
unsafe fn drop_others(ec: &Ec, finder: &Finder<'_>, of_code: std::ops::Range<usize>) {
    if finder.is_kept[of_code.clone()].iter().all(|is_kept| *is_kept) {
        return;
    }
    let code = finder.pieces[of_code.start].code;
    if cfg!(debug_assertions) || ec.vm().config.gc_stress.is_some() {
        let dropped = of_code.clone().filter(|piece| !finder.is_kept[*piece]);
        let placements = dropped.flat_map(|piece| &finder.pieces[piece].placements);
        // SAFETY: by contract nobody runs it, nor anything else of this memory.
        placements.for_each(|placement| unsafe { spoil(ec.ractor(), *placement) });
    }
    let first_unit = of_code.start + usize::from(finder.pieces[of_code.start].unit.is_none());
    // SAFETY: by contract.
    let lost_unit = unsafe { code.compilation.units.drop_others(&|unit| finder.is_kept[first_unit + unit]) };
    if lost_unit {
        code.compilation.lead_calls();
        code.compilation.cool(ec.vm().config.jit);
    }
    if first_unit > of_code.start && !finder.is_kept[of_code.start] {
        // SAFETY: by contract, and nothing of the VM's holds on to it at a poll.
        drop(unsafe { code.compilation.compiled.take() });
    }
    match code.compilation.compiled.get() {
        Some(_) => code.start.set(code.start_at(0)),
        None => count_anew(ec, code),
    }
}

/// Sees to it that whoever runs what was dropped is noticed.
///
/// # Safety
/// As for [`CodeMemory::write`](carat_asm::CodeMemory::write).
unsafe fn spoil(ractor: &Ractor, placement: Placement) {
    const TRAP: u8 = 0xCC;
    let memory = ractor.machine_code.lock().unwrap_or_else(|e| e.into_inner());
    // SAFETY: by contract. What cannot be written stays as it is.
    let _ = unsafe { memory.write(placement, &vec![TRAP; placement.bytes()]) };
}
