//! Machine code for hot code: one template for each instruction, registers in the VM frame.
//!
//! # How
//! A piece of compiled code is a handler like those of the interpreter: it gets `pc`, `fp`, `ec` and the caches in the same machine
//! registers, calls nothing but stubs, and ends by a jump to a handler or to other compiled code. Frames are the
//! interpreter's, word by word. So it can be left before any instruction by a jump to that instruction's handler, and whatever
//! walks frames knows nothing of it.
//!
//! # Records
//! Behind the machine code lie *records*: copies of instructions, each followed by an `enter_compiled` word, which holds the
//! address of the code for what comes next, and a word with the code's caches. An instruction without template, or whose
//! template meets a case that it does not know, is run by its handler with `pc` in the record; the handler goes on behind it,
//! and so comes back. Calls leave the address of such a word as RET_PC; those made at the place have one in the code, with what
//! `leave` goes on with behind it. [`Compiled::word_of`] tells which word of the iseq such a word, or a place in the records, stands for.
//!
//! # Getting in
//! [`CodeData::start`] is where a call begins: while calls are counted, a `count_entry` word; then the iseq's first
//! instruction or an `enter_compiled` word. Loops that run in the interpreter are counted by the context, once for all code: one
//! back edge in a period asks whose loop it is.
//!
//! # Invariants
//! * Templates look at the same cells as the handlers, or at the counters that these are compared with, so nothing has to be invalidated when
//!   methods, shapes or constants change.
//! * While an operator is redefined, or somebody traces or records, `enter_compiled` leads back to the iseq.
//! * Machine code belongs to one Ractor's Code and dies with it, or before if it does not run and there is no room for others (`cold`).
//!   Frames keep their Code alive, and so what RET_PC leads to.
//!
//! # Not here
//! Encoding of instructions and executable memory: `asm`.

mod answers;
mod blocks;
mod calls;
mod cold;
mod counters;
mod emit;
mod enter;
mod helpers;
mod listing;
mod optimized;
mod runners;
mod stubs;
mod templates;

pub(crate) use cold::{Room, make_room};
pub(crate) use counters::Counters;
pub(crate) use enter::{count_entry, enter_compiled, handler_at, leave_compiled, start_behind, turn_counted};
pub(crate) use optimized::Unfinished;
pub(crate) use stubs::Stubs;

use crate::ec::Ec;
use crate::memory::code_pages::Tier;
use crate::run::code::{CodeData, CodeKind};
use carat_asm::{Assembler, CodeMemory, Placement};
use carat_iseq::Insn;
use carat_layout::{ShapeId, Value};
use carat_sync::Mutex;
use std::cell::{Cell, OnceCell, RefCell, UnsafeCell};
use std::sync::Arc;

/// What is compiled, and when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Jit {
    Off,
    /// What was called or has turned often.
    Hot,
    /// The same after so many calls, or one turn, and blocks that were reached later when they have been so many times.
    HotAfter(u32),
    /// Everything, when it first runs.
    Always,
    /// Everything, and one instruction in so many that run is left to its handler, though it has a template.
    Exits(u32),
    /// As `Hot`, and what was called or has turned so many times and `jit` has code for by that.
    Optimizing(u32),
    /// As `Always`, by `jit` first.
    OptimizingAlways,
    /// So many times as that, a guard of the optimizing compiler fails.
    OptimizingExits(u32),
}

impl Default for Jit {
    fn default() -> Jit {
        Jit::Optimizing(WARM_TIMES)
    }
}

impl Jit {
    /// Calls before code is compiled; a sampled turn of a loop counts as [`TURNS_AS_CALLS`].
    fn heat(self) -> i32 {
        match self {
            Jit::Hot | Jit::Optimizing(_) => HOT_CALLS,
            Jit::HotAfter(calls) => i32::try_from(calls).unwrap_or(NEVER),
            _ => 1,
        }
    }

    /// The same before the optimizing compiler is asked, below zero if it never is.
    fn warmth(self) -> i32 {
        match self {
            _ if !self.optimizes() => -1,
            Jit::Optimizing(times) => i32::try_from(times).unwrap_or(NEVER),
            _ => 1,
        }
    }

    /// Turns of a loop in machine code before it is asked for that.
    fn warm_turns(self) -> i32 {
        self.warmth().max(1)
    }

    /// Exits that are taken before a unit is compiled anew.
    fn most_exits(self) -> u32 {
        if self.waits() { 100 } else { 3 }
    }

    fn optimizes(self) -> bool {
        // Units keep values below the stack pointer.
        Assembler::RED_ZONE_BYTES != 0
            && (self.waits() || matches!(self, Jit::OptimizingAlways | Jit::OptimizingExits(_)))
    }

    /// Whether the optimizing compiler is asked for what runs often alone.
    fn waits(self) -> bool {
        matches!(self, Jit::Optimizing(_))
    }

    /// Whether blocks are compiled when they have been reached.
    fn waits_for_blocks(self) -> bool {
        matches!(self, Jit::Hot | Jit::HotAfter(_) | Jit::Optimizing(_))
    }

    /// How often the interpreter goes on at blocks that were not reached until they are compiled.
    fn unreached_times(self) -> u32 {
        if let Jit::HotAfter(times) = self { times } else { UNREACHED_TIMES }
    }

    /// Of so many back edges one asks whose it is.
    pub(crate) fn period(self) -> u32 {
        match self {
            Jit::Off => 0,
            Jit::Hot | Jit::Optimizing(_) => 100,
            _ => 1,
        }
    }
}

/// Calls of hot code. Compiling costs some 10 microseconds for two system calls and as many for 50 instructions, and gains a
/// fraction of a nanosecond for each instruction that runs.
const HOT_CALLS: i32 = 120;

/// The same of a block in a text that is evaluated. Templates of ERB are evaluated anew for each page: what is called as often as a
/// page has rows would be compiled in vain.
const HOT_CALLS_EVALUATED: i32 = 1000;

/// The same for the optimizing compiler, which takes some hundred microseconds for a method and gains some nanoseconds a call: what
/// runs less often does not bring in what its compilation costs. Programs on gems that end within a second lose 0.6 % of
/// their time after so many calls, 1.6 % after 30,000.
const WARM_TIMES: u32 = 100_000;

/// Whenever so many turns more were made in machine code of the first tier, it is asked whether there is a unit of the loop.
const TURNS_BETWEEN: i32 = 1000;

/// So many times, for each piece of machine code that there is, the interpreter goes on at blocks that were not compiled with the others, as
/// they had not been reached; then they are, in a piece of their own.
const UNREACHED_TIMES: u32 = 50;

/// So many calls are not made.
const NEVER: i32 = i32::MAX;

const TURNS_AS_CALLS: i32 = 50;

/// Machine code of one Ractor at most, unless its heap is large or the configuration says otherwise.
const LIMIT_BYTES: usize = 16 << 20;

/// The same as a part of its heap.
const LIMIT_SHARE: usize = 16;

/// The memory for a Ractor's machine code.
pub(crate) type Memory = Arc<Mutex<CodeMemory>>;

pub(crate) fn new_memory(config: &crate::vm::Config) -> Memory {
    Arc::new(Mutex::new(CodeMemory::new(config.machine_code_bytes.unwrap_or(LIMIT_BYTES))))
}

/// The machine code of the blocks of one piece of code that had been reached when it was compiled.
pub(crate) struct Compiled {
    memory: Memory,
    placement: Placement,
    records: *const Insn,
    /// The iseq's word for each word of the records.
    origins: Box<[u32]>,
    /// Words in the code that calls return to, ascending: how far from its beginning, and the iseq's words for them.
    returns: Box<[(u32, u32)]>,
    /// How far from its beginning a call goes on that has the receiver in rax; 0 if none may.
    own_entry: u32,
    /// Where calls are counted towards a unit, and what stood there before calls were led to one.
    counts_at: Option<u32>,
    counted: RefCell<Vec<u8>>,
    /// Words of the iseq that may be entered, ascending, and the record's word that does it.
    entries: Box<[(u32, u32)]>,
    /// Code of the methods that the machine code names. It keeps them.
    callees: Box<[Value]>,
    /// Shapes that it compares with. Their numbers are not given out again while it lives.
    shapes: Box<[ShapeId]>,
    /// Beginnings of blocks that are not compiled here, and how far from its beginning they are jumped to: words ascending.
    elsewhere: Box<[(u32, u32)]>,
    /// Those of blocks here that blocks lead to which are compiled elsewhere, and where they are.
    awaited: Box<[(u32, u32)]>,
    /// Of the first: those of blocks that are not compiled yet, ascending, and how often they were come to since the last were.
    unreached: RefCell<Vec<u32>>,
    times_unreached: Cell<u32>,
    /// The machine code of blocks that were reached after this was compiled.
    later: OnceCell<Box<Compiled>>,
    /// What the counter of its calls said when `cold` asked last.
    calls_left: Cell<i32>,
}

impl Compiled {
    /// Whether calls were counted since this was asked last.
    fn was_called(&self, calls_left: i32) -> bool {
        self.calls_left.replace(calls_left) != calls_left
    }

    /// This, and what was compiled later.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Compiled> {
        std::iter::successors(Some(self), |one| one.later.get().map(|later| &**later))
    }

    /// Whether the block that begins at a word is not compiled, in the first of all.
    fn is_unreached(&self, word: u32) -> bool {
        self.unreached.borrow().binary_search(&word).is_ok()
    }

    /// Where to go on to run from a word of the iseq.
    pub(crate) fn entry(&self, word: usize) -> Option<*const Insn> {
        self.all().filter(|one| one.has_block_at(word as u32)).find_map(|one| one.entry_here(word))
    }

    fn entry_here(&self, word: usize) -> Option<*const Insn> {
        let at = self.entries.binary_search_by_key(&(word as u32), |(word, _)| *word).ok()?;
        Some(self.records.wrapping_add(self.entries[at].1 as usize))
    }

    /// Whether what this one has leads to a word does not jump elsewhere.
    fn has_block_at(&self, word: u32) -> bool {
        self.elsewhere.binary_search_by_key(&word, |(word, _)| *word).is_err()
    }

    /// Where the block begins that begins at a word, if blocks that are not compiled with it lead there, or calls.
    fn place_of(&self, word: u32) -> Option<usize> {
        let awaited = |one: &Compiled| {
            let at = one.awaited.binary_search_by_key(&word, |(word, _)| *word).ok()?;
            Some(one.placement.address(one.awaited[at].1 as usize))
        };
        self.all().find_map(awaited).or_else(|| self.machine_entry(word as usize))
    }

    /// Jumps to blocks that begin at these words, which now lead to them.
    fn lead_on(&self, blocks: &[u32]) {
        let memory = self.memory.lock().unwrap_or_else(|e| e.into_inner());
        for one in self.all() {
            for (word, at) in one.elsewhere.iter().filter(|(word, _)| blocks.contains(word)) {
                let Some(to) = self.place_of(*word) else { continue };
                let mut a = Assembler::new();
                a.jump_out(to);
                let place = Placement::together(one.placement.address(*at as usize), a.position());
                let bytes = a.finish_at(place);
                // SAFETY: a jump out of this code, which is not longer than what is there, and no thread is in compiled code of the
                // Ractor. If it cannot be written, what was there goes on.
                let _ = unsafe { memory.write(place, bytes) };
            }
        }
    }

    /// Has calls go on in machine code elsewhere instead of being counted; 0: has them counted again.
    fn lead_calls_to(&self, address: usize) {
        let mut counted = self.counted.borrow_mut();
        let is_led = !counted.is_empty();
        let Some(counts_at) = self.counts_at.filter(|_| is_led || address != 0) else { return };
        let place = self.placement.address(counts_at as usize);
        let mut a = Assembler::new();
        a.jump_out(address);
        let placement = Placement::together(place, a.position());
        // SAFETY: what counts is code of this, and longer than the jump.
        let stands = || unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance(place), a.position()) };
        let original = if is_led { std::mem::take(&mut *counted) } else { stands().to_vec() };
        let bytes = if address == 0 { &*original } else { a.finish_at(placement) };
        let memory = self.memory.lock().unwrap_or_else(|e| e.into_inner());
        // SAFETY: no thread is in compiled code of the Ractor, and none goes on between the instructions that count.
        match unsafe { memory.write(placement, bytes) } {
            Ok(()) if address != 0 => *counted = original,
            Ok(()) => {}
            Err(error) if is_led => panic!("machine code leads to a unit that was given up: {error}"),
            Err(_) => {}
        }
    }

    /// The machine code for what comes from a word of the iseq on, if it may be entered.
    fn machine_entry(&self, word: usize) -> Option<usize> {
        // SAFETY: a word of the records.
        self.entry(word).map(|entry| unsafe { *entry.cast::<u64>() >> enter::ADDRESS_SHIFT } as usize)
    }

    /// Where a call goes on that has the receiver in rax.
    fn own_entry(&self) -> Option<usize> {
        (self.own_entry != 0).then(|| self.placement.address(self.own_entry as usize))
    }

    /// Code that has to live as long as this.
    pub(crate) fn callees(&self) -> impl Iterator<Item = Value> + '_ {
        self.all().flat_map(|one| one.callees.iter().copied())
    }

    pub(crate) fn shapes(&self) -> impl Iterator<Item = ShapeId> + '_ {
        self.all().flat_map(|one| one.shapes.iter().copied())
    }

    /// The word of the iseq that a place in the records stands for.
    pub(crate) fn word_of(&self, pc: *const Insn) -> Option<u32> {
        let word_of = |one: &Compiled| {
            let at = pc.addr().wrapping_sub(one.records.addr()) / size_of::<Insn>();
            one.origins.get(at).copied().or_else(|| one.word_returned_to(pc))
        };
        self.all().find_map(word_of)
    }

    /// The same of a place that a call returns to.
    fn word_returned_to(&self, pc: *const Insn) -> Option<u32> {
        let at = u32::try_from(pc.addr().checked_sub(self.placement.often.start)?).ok()?;
        let found = self.returns.binary_search_by_key(&at, |(at, _)| *at).ok()?;
        Some(self.returns[found].1)
    }

    /// The numbers of words of this one's records that lead into its code, with the words of the iseq that they stand for.
    fn enters(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.origins.iter().enumerate().filter_map(move |(at, origin)| {
            // SAFETY: a word of the records, which lie behind the code.
            let word = unsafe { *self.records.add(at).cast::<u64>() };
            // No address of data is so large when it is read like that.
            let is_enter = word as u8 == carat_iseq::Op::enter_compiled as u8
                && self.placement.contains((word >> enter::ADDRESS_SHIFT) as usize);
            is_enter.then_some((at, *origin))
        })
    }

    pub(crate) fn memsize(&self) -> usize {
        self.all().map(Compiled::own_memsize).sum()
    }

    fn own_memsize(&self) -> usize {
        let lists = size_of_val(&*self.origins) + size_of_val(&*self.returns) + size_of_val(&*self.entries);
        let blocks = size_of_val(&*self.elsewhere) + size_of_val(&*self.awaited);
        let unreached = self.unreached.borrow().capacity() * size_of::<u32>();
        size_of::<Compiled>()
            + lists
            + blocks
            + unreached
            + self.counted.borrow().capacity()
            + size_of_val(&*self.callees)
            + size_of_val(&*self.shapes)
    }
}

impl Drop for Compiled {
    fn drop(&mut self) {
        self.memory.lock().unwrap_or_else(|e| e.into_inner()).give_back(self.placement);
    }
}

/// The machine code of one code, if it has any.
#[derive(Default)]
pub(crate) struct CompiledCell(UnsafeCell<Option<Box<Compiled>>>);

impl CompiledCell {
    #[inline]
    pub(crate) fn get(&self) -> Option<&Compiled> {
        // SAFETY: it goes only by `take`, whose caller sees to it that nobody has it.
        unsafe { (*self.0.get()).as_deref() }
    }

    /// Once, until it is taken.
    fn set(&self, compiled: Compiled) {
        assert!(self.get().is_none(), "one machine code for one code");
        // SAFETY: there is nothing that anyone could have.
        unsafe { *self.0.get() = Some(Box::new(compiled)) }
    }

    /// # Safety
    /// Nobody holds on to what [`CompiledCell::get`] gave.
    unsafe fn take(&self) -> Option<Box<Compiled>> {
        // SAFETY: by contract.
        unsafe { (*self.0.get()).take() }
    }
}

/// What a Code knows of its compilation.
pub(crate) struct Compilation {
    /// Calls until it is compiled. Below zero it has been tried.
    heat: std::cell::Cell<i32>,
    /// The same until the optimizing compiler is asked, which machine code counts where calls enter it. Below zero it has been tried,
    /// and if there is a unit, calls go there. What has machine code has it among the counters of others.
    warmth: std::cell::Cell<i32>,
    counter: OnceCell<counters::Counter>,
    /// Turns of loops in machine code until it is asked for a unit of one.
    turns: std::cell::Cell<i32>,
    pub(crate) compiled: CompiledCell,
    pub(crate) units: optimized::Units,
    /// A frame of this code may be running machine code of that one, whose instructions are the same: see
    /// [`Ec::activate_refinements`]. Null for most.
    origin: std::cell::Cell<*const CodeData>,
    is_evaluated: std::cell::Cell<bool>,
}

impl Compilation {
    /// Where the address lies of the unit that begins at the beginning.
    fn first_unit(&self) -> *const u8 {
        (&raw const self.units).cast::<u8>().wrapping_add(optimized::Units::FIRST_OFFSET)
    }

    /// To be called when there are other units, or machine code of the first tier: calls go to the unit that begins at the beginning.
    pub(crate) fn lead_calls(&self) {
        self.units.look_for_first();
        self.compiled.get().into_iter().for_each(|compiled| compiled.lead_calls_to(self.units.first()));
    }

    pub(crate) fn new(jit: Jit) -> Compilation {
        Compilation {
            heat: std::cell::Cell::new(jit.heat()),
            warmth: std::cell::Cell::new(jit.warmth()),
            counter: OnceCell::new(),
            turns: std::cell::Cell::new(jit.warm_turns()),
            compiled: CompiledCell::default(),
            units: Default::default(),
            origin: std::cell::Cell::new(std::ptr::null()),
            is_evaluated: std::cell::Cell::new(false),
        }
    }

    /// Machine code will count the calls.
    fn counts_beside_others(&self, counters: &Arc<Mutex<Counters>>) {
        self.counter.get_or_init(|| counters::Counter::new(counters)).cell().set(self.warmth.get());
    }

    fn warmth(&self) -> &std::cell::Cell<i32> {
        self.counter.get().map_or(&self.warmth, |counter| counter.cell())
    }

    /// Where a frame that has this code now was running before it got it.
    pub(crate) fn origin(&self) -> Option<&CodeData> {
        // SAFETY: this code keeps it.
        unsafe { self.origin.get().as_ref() }
    }

    /// The code is a child of `parent`.
    pub(crate) fn is_child_of(&self, parent: &CodeData) {
        if parent.kind == CodeKind::Eval || parent.compilation.is_evaluated.get() {
            self.is_evaluated.set(true);
            if self.heat.get() > 1 {
                self.heat.set(HOT_CALLS_EVALUATED);
            }
        }
    }

    /// Whether it was tried to compile it.
    fn is_tried(&self) -> bool {
        self.heat.get() < 0
    }

    /// It is to be compiled again when it was called as often once more.
    fn heat_anew(&self, jit: Jit) {
        let is_late = self.is_evaluated.get() && jit.heat() > 1;
        self.heat.set(if is_late { HOT_CALLS_EVALUATED } else { jit.heat() });
    }

    /// Counts a call, unless it is one that code is due after.
    #[inline(always)]
    fn counts_call(&self) -> bool {
        let heat = self.heat.get();
        if heat > 1 {
            self.heat.set(heat - 1);
        }
        heat > 1
    }

    /// Counts calls; true once.
    fn is_due_after(&self, calls: i32) -> bool {
        count_down(&self.heat, calls)
    }

    /// Whether half of the calls have been made after which it is compiled; then it is to be compiled now. True once.
    fn is_due_soon(&self) -> bool {
        let left = self.heat.get();
        let is_soon = left > 0 && left <= HOT_CALLS / 2;
        if is_soon {
            self.heat.set(-1);
        }
        is_soon
    }

    /// The same for the optimizing compiler.
    fn is_warm_after(&self, calls: i32) -> bool {
        count_down(self.warmth(), calls)
    }

    /// The optimizing compiler is due at the next occasion, if it is ever.
    fn warm_up(&self) {
        self.warmth().set(1);
    }

    fn is_warming(&self) -> bool {
        self.warmth().get() > 0
    }

    /// The optimizing compiler is to be asked again.
    pub(crate) fn cool(&self, jit: Jit) {
        self.warmth().set(jit.warmth());
        self.turns.set(jit.warm_turns());
    }

    /// What counts towards a unit that begins at a word.
    fn counter_at(&self, word: usize) -> &std::cell::Cell<i32> {
        if word == 0 { self.warmth() } else { &self.turns }
    }
}

fn count_down(left: &std::cell::Cell<i32>, calls: i32) -> bool {
    let count = left.get();
    if count < 0 {
        return false;
    }
    left.set(if count <= calls { -1 } else { count - calls });
    count <= calls
}

/// How much processor time compiling took, in nanoseconds.
#[derive(Default)]
pub(crate) struct Times {
    all: std::cell::Cell<u64>,
    longest: std::cell::Cell<u64>,
}

impl Times {
    fn sum(&self) -> std::time::Duration {
        std::time::Duration::from_nanos(self.all.get())
    }

    /// Runs what compiles.
    fn measure<R>(&self, run: impl FnOnce() -> R) -> R {
        let start = carat_heap::thread_time();
        let result = run();
        let took = carat_heap::thread_time().saturating_sub(start);
        let took = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        self.all.set(self.all.get().saturating_add(took));
        self.longest.set(self.longest.get().max(took));
        result
    }
}

impl Ec {
    /// Figures of this Ractor's machine code, by the names that YJIT has for them.
    pub fn machine_code_figures(&self) -> [(&'static str, usize); 7] {
        let memory = self.ractor().machine_code.lock().unwrap_or_else(|e| e.into_inner());
        let mapped = memory.mappings().iter().map(|(_, len)| len).sum();
        // The stubs are one more.
        let compiled = memory.placements_in_use().saturating_sub(1);
        let (times, room) = (&self.ractor().compile_times, &self.ractor().machine_room);
        [
            ("compiled_iseq_count", compiled),
            ("code_region_size", mapped),
            ("inline_code_size", memory.bytes_in_use()),
            ("compile_time_ns", times.all.get() as usize),
            ("longest_compile_time_ns", times.longest.get() as usize),
            ("code_gc_count", room.times_made()),
            ("freed_code_size", room.bytes_made()),
        ]
    }
}

impl CodeData {
    /// A frame that runs `origin`, whose instructions are the same, goes on with this code.
    pub(crate) fn takes_over(&self, ec: &Ec, origin: &CodeData) {
        self.compilation.origin.set(origin);
        ec.heap().barrier(self.this, origin.this);
    }
}

/// Compiles code of this Ractor, if that is possible, and makes its calls begin there.
#[cold]
#[inline(never)]
fn compile(ec: &Ec, code: &CodeData) {
    ec.ractor().compile_times.measure(|| {
        ec.vm().fetch_compiler(Tier::First);
        compile_at(ec, code, 0);
    });
}

/// As [`compile`], for one that calls it, which is compiled for another, and so on so many times.
#[inline(never)]
fn compile_at(ec: &Ec, code: &CodeData, depth: u32) {
    if !carat_asm::RUNS_HERE || code.ractor != ec.ractor().id {
        return code.start.set(code.start_at(0));
    }
    if cold::has_room(ec)
        && let Some(compiled) = templates::compile(ec, code, depth, None)
    {
        compiled.callees().for_each(|callee| ec.heap().barrier(code.this, callee));
        code.compilation.compiled.set(compiled);
        code.compilation.lead_calls();
    }
    code.start.set(code.start_at(0));
}

/// Counts that the interpreter goes on at a block of a code that is compiled without it; so many times at once. Compiles it, and others that were
/// reached meanwhile, if it is time.
fn count_unreached(ec: &Ec, code: &CodeData, word: u32, times: u32) {
    let Some(compiled) = code.compilation.compiled.get().filter(|compiled| compiled.is_unreached(word)) else { return };
    let count = compiled.times_unreached.get().saturating_add(times);
    // A code that reaches one block after the other is to have few pieces.
    let pieces = u32::try_from(compiled.all().count()).unwrap_or(u32::MAX);
    let most = ec.vm().config.jit.unreached_times().saturating_mul(pieces);
    compiled.times_unreached.set(if count < most { count } else { 0 });
    if count >= most && !ec.is_compiled_off.get() && cold::has_room(ec) {
        ec.ractor().compile_times.measure(|| {
            ec.vm().fetch_compiler(Tier::First);
            compile_later(ec, code, compiled, word);
        });
    }
}

/// Compiles the block that begins at a word, and others that were reached since the code was compiled.
#[cold]
#[inline(never)]
fn compile_later(ec: &Ec, code: &CodeData, compiled: &Compiled, word: u32) {
    let Some(later) = templates::compile(ec, code, 0, Some(word)) else {
        if cold::has_room(ec) {
            // Nor will it be possible later.
            compiled.unreached.take();
        }
        return;
    };
    later.callees().for_each(|callee| ec.heap().barrier(code.this, callee));
    let left = later.unreached.take();
    let mut reached = compiled.unreached.replace(left.clone());
    reached.retain(|word| left.binary_search(word).is_err());
    let last = compiled.all().last().unwrap_or(compiled);
    assert!(last.later.set(Box::new(later)).is_ok(), "the last has none");
    compiled.lead_on(&reached);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_due_once() {
        let hot = Compilation::new(Jit::Hot);
        assert!((1..HOT_CALLS).all(|_| !hot.is_due_after(1)));
        assert!(hot.is_due_after(1));
        assert!(!hot.is_due_after(1));
        assert!(Compilation::new(Jit::Always).is_due_after(1));
        let hot = Compilation::new(Jit::Hot);
        assert!((1..HOT_CALLS).all(|_| hot.counts_call()));
        assert!(!hot.counts_call() && hot.is_due_after(1) && !hot.counts_call());
    }
}
