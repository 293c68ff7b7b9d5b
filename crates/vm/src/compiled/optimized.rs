//! Units of the optimizing compiler (`jit`): what they ask of the VM, and where they are entered.
//!
//! A unit is entered by an `enter_compiled` word at a call's beginning or a loop's head, and left into the iseq or the first tier. What it has
//! no code for, calls above all, is run as templates do it: with a record, which leads back. So frames return into units.
//!
//! # Invariants
//! * Units hold numbers of shapes, and are given up when one of them retires: records lead to the interpreter from then
//!   on, and code that native methods return to asks.
//! * What else they hold is kept alive by what their guards check.

use super::enter::{ADDRESS_SHIFT, leave_compiled};
use super::stubs::{Stub, Stubs};
use super::{Compiled, Jit, Memory, TURNS_BETWEEN, answers, cold, listing, runners};
use crate::ec::Ec;
use crate::model::class::{Class, Visibility};
use crate::model::method::{MethodEntry, MethodKind, OptimizedKind};
use crate::model::shape::{
    ROOT_FALSE, ROOT_FLOAT, ROOT_INTEGER, ROOT_MOVED, ROOT_NIL, ROOT_SYMBOL, ROOT_TRUE, ShapeTable,
};
use crate::model::symbol::sym;
use crate::run::code::{CacheCell, CodeData, CodeKind};
use crate::run::frame::{self, Fp};
use crate::run::interp::ops::bind::KeywordCall;
use crate::run::interp::ops::variables::class_field;
use crate::run::interp::{Handler, dispatch, invoke_bound, ops};
use crate::run::leaf;
use crate::run::link::CallSite;
use crate::run::polymorphic::{Entry, SEVERAL, places};
use crate::run::proc::BlockWord;
use crate::run::stack::VmStack;
use crate::value::array::Array;
use carat_asm::{Placement, Range};
use carat_iseq::{CallFlags, Insn, Iseq, Op};
use carat_jit::{
    Answer, Begun, Beside, BesideAt, Bound, Call, CodeId, Constant, Construction, Epoch, Field, Layout, Leaf, Members,
    OfShape, Place, Plain, Primitive, Runner, Sample, Sent, SentTo, Splat, Target, Unit, World,
};
use carat_layout::{
    BufHead, HeapType, RArrayEmbedded, RBufOnly, RFloat, RPair, RStringEmbedded, RView, ShapeId, SymbolId, Value,
    flags, pool_for,
};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::mem::offset_of;
use std::rc::{Rc, Weak};
use std::sync::atomic::Ordering;

/// The units of one code.
#[derive(Default)]
pub(crate) struct Units {
    units: RefCell<Vec<OneUnit>>,
    /// The machine code of the one that begins at the beginning; 0 if there is none.
    first: Cell<usize>,
    /// Those that are not entered any more. Frames may return into them, and native methods.
    retired: RefCell<Vec<OneUnit>>,
    /// Records that units of other codes have for frames of this one, which they inline.
    foreign: RefCell<Vec<Weak<Records>>>,
    /// Words where a unit was asked for.
    tried: RefCell<Vec<u32>>,
    /// How often the first tier came to the head of a loop to go on in a unit.
    times_asked: Cell<i32>,
    /// Where guesses of units of this code were wrong.
    notes: RefCell<Vec<Note>>,
    /// Units that were given up for that.
    wrong: Cell<u32>,
}

/// An instruction, or the head of a loop, at which exits were taken too often.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Note {
    code: CodeId,
    word: u32,
    kind: Kind,
    times: u32,
}

/// What was guessed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Operands,
    /// What the variables of a loop hold.
    Variables,
    /// The block that the unit's own frame was called with.
    Block,
}

impl Kind {
    /// As machine code has it: see `exits_counted`.
    fn of(number: u64) -> Kind {
        match number {
            0 => Kind::Operands,
            1 => Kind::Variables,
            _ => Kind::Block,
        }
    }
}

/// A guess that was wrong so often is not made again; a leaf that guesses nothing comes before that. Once it may be that the program
/// does something else now.
const MOST_TIMES: u32 = 3;
const MOST_TIMES_BEFORE_LEAF: u32 = 2;
/// Blocks that a loop is compiled for, one after the other; then for any. Each time, loops with others made a hundred ways out.
const MOST_BLOCKS: u32 = 16;
/// Units of a code that are compiled anew; then the templates have it.
const MOST_WRONG: u32 = 6;
/// The same where shapes retired: units that are given up take room until the code dies.
const MOST_RETIRED: usize = 16;
/// Arrays of so many elements, literal ones and those of rest parameters, need not be made.
const MOST_ELEMENTS: u16 = 8;
/// Machine code that processors have in their second cache, roughly. A program of 30,000 methods that call one another made 3.5 MB of it with
/// chains of calls inlined, 2.1 MB without, and took 1.3 times as long.
const NEAR_BYTES: usize = 1 << 20;
/// An inner loop of more turns is worth a unit of its own.
const MOST_TURNS_MORE: i32 = 64;

/// What a unit leaves to others: copies of instructions, each followed by words that lead back into the unit, as in
/// [`Compiled`](super::Compiled).
struct Records {
    words: Box<[Cell<u64>]>,
    /// The words of the iseqs that they stand for.
    origins: Box<[u32]>,
    /// Numbers of the words that lead back.
    enters: Box<[usize]>,
    /// Addresses of the words in the code that calls return to, in order, and the words of the iseqs that they stand for.
    returns: Box<[(usize, u32)]>,
}

impl Records {
    fn word_of(&self, pc: *const Insn) -> Option<u32> {
        let at = pc.addr().wrapping_sub(self.words.as_ptr().addr()) / size_of::<Insn>();
        let returned_to = || self.returns.binary_search_by_key(&pc.addr(), |(address, _)| *address).ok();
        self.origins.get(at).copied().or_else(|| returned_to().map(|found| self.returns[found].1))
    }

    /// Leads back to the interpreter instead. A native method that was called from the unit looks at the second byte, and code that
    /// a call returns to at the unit's own word.
    fn retire(&self) {
        self.words[carat_jit::GIVEN_UP].set(1);
        let handler: Handler = leave_compiled;
        let word = (handler as usize as u64) << ADDRESS_SHIFT | 1 << 8 | Op::enter_compiled as u64;
        self.enters.iter().for_each(|at| self.words[*at].set(word));
    }
}

struct OneUnit {
    memory: Memory,
    placement: Placement,
    word: u32,
    /// What leads into it.
    enter: Box<u64>,
    records: Rc<Records>,
    /// Those that its guards ask for.
    shapes: Box<[u32]>,
    /// Where machine code of the first tier begins that exits lead to.
    leads_to: Box<[usize]>,
    /// The block that frames are called with for whom the unit is: what a guard compares must not be another's meanwhile.
    block: Option<Value>,
}

/// A unit, for whoever asks whether it is needed.
pub(super) struct UnitInfo<'a> {
    pub(super) number: usize,
    /// Where everything lies that leads into it, or is it.
    pub(super) ranges: [Range; 4],
    pub(super) placement: Placement,
    /// Where machine code of the first tier begins that exits lead to.
    pub(super) leads_to: &'a [usize],
    /// False for one that was given up.
    pub(super) is_entered: bool,
}

impl OneUnit {
    fn enter(&self) -> *const Insn {
        (&raw const *self.enter).cast()
    }

    /// See [`UnitInfo`].
    fn ranges(&self) -> [Range; 4] {
        let Placement { often, seldom } = self.placement;
        let range = |start: usize, len| Range { start, len };
        let records = range(self.records.words.as_ptr().addr(), size_of_val(&*self.records.words));
        [often, seldom, records, range((&raw const *self.enter).addr(), size_of::<u64>())]
    }
}

impl Drop for OneUnit {
    fn drop(&mut self) {
        self.memory.lock().unwrap_or_else(|e| e.into_inner()).give_back(self.placement);
    }
}

impl Units {
    pub(super) const FIRST_OFFSET: usize = offset_of!(Units, first);

    /// The code of blocks that units are for.
    pub(crate) fn each_block(&self, visit: &mut dyn FnMut(Value)) {
        let (units, retired) = (self.units.borrow(), self.retired.borrow());
        units.iter().chain(retired.iter()).filter_map(|unit| unit.block).for_each(visit);
    }

    /// Where the machine code is of the one that begins at the beginning; 0 if there is none.
    pub(super) fn first(&self) -> usize {
        self.first.get()
    }

    /// To be called when there are others.
    pub(super) fn look_for_first(&self) {
        let units = self.units.borrow();
        self.first.set(units.iter().find(|unit| unit.word == 0).map_or(0, |unit| unit.placement.often.start));
    }

    /// Where the unit is entered that begins at a word.
    pub(crate) fn entry(&self, word: usize) -> Option<*const Insn> {
        self.units.borrow().iter().find(|unit| unit.word as usize == word).map(OneUnit::enter)
    }

    /// The word that an entry, or a place in the records, stands for.
    pub(crate) fn word_of(&self, pc: *const Insn) -> Option<u32> {
        let in_unit = |unit: &OneUnit| match unit.enter() == pc {
            true => Some(unit.word),
            false => unit.records.word_of(pc),
        };
        let of_others = || self.foreign.borrow().iter().find_map(|records| records.upgrade()?.word_of(pc));
        let retired = || self.retired.borrow().iter().find_map(in_unit);
        self.units.borrow().iter().find_map(in_unit).or_else(retired).or_else(of_others)
    }

    /// Gives up the units that know shapes which are retired. True if there was one: then calls are to be led anew.
    pub(crate) fn forget(&self, shapes: &ShapeTable) -> bool {
        let mut units = self.units.borrow_mut();
        let knows_retired = |unit: &OneUnit| unit.shapes.iter().any(|shape| !shapes.is_used(ShapeId(*shape)));
        let (given_up, left): (Vec<OneUnit>, Vec<OneUnit>) = units.drain(..).partition(knows_retired);
        *units = left;
        let is_any = !given_up.is_empty();
        given_up.iter().for_each(|unit| unit.records.retire());
        if self.retired.borrow().len() < MOST_RETIRED {
            self.tried.borrow_mut().retain(|word| given_up.iter().all(|unit| unit.word != *word));
        }
        self.retired.borrow_mut().extend(given_up);
        is_any
    }

    /// Guesses at an instruction, or a loop's variables, were wrong too often in the unit that begins at a word. Calls are to be led anew.
    fn note(&self, unit: u32, place: (CodeId, u32), kind: Kind) {
        let mut units = self.units.borrow_mut();
        let Some(at) = units.iter().position(|one| one.word == unit) else { return };
        let unit = units.swap_remove(at);
        drop(units);
        unit.records.retire();
        self.wrong.set(self.wrong.get() + u32::from(kind != Kind::Block));
        if self.wrong.get() < MOST_WRONG {
            self.tried.borrow_mut().retain(|word| *word != unit.word);
        }
        self.retired.borrow_mut().push(unit);
        let mut notes = self.notes.borrow_mut();
        match notes.iter_mut().find(|note| (note.code, note.word, note.kind) == (place.0, place.1, kind)) {
            Some(note) => note.times += 1,
            None => notes.push(Note { code: place.0, word: place.1, kind, times: 1 }),
        }
    }

    /// Turns after which the first tier asks again. They are not always as many: all loops of a code are counted by one number, and
    /// where an inner loop makes as many turns each time, the loop around would never be the one that asks.
    pub(super) fn turns_until_next(&self) -> i32 {
        let times = self.times_asked.get();
        self.times_asked.set((times + 1) % MOST_TURNS_MORE);
        TURNS_BETWEEN + times
    }

    /// Calls `f` with each unit.
    pub(super) fn each(&self, f: &mut dyn FnMut(UnitInfo<'_>)) {
        let (units, retired) = (self.units.borrow(), self.retired.borrow());
        for (number, unit) in units.iter().chain(retired.iter()).enumerate() {
            let (ranges, placement, leads_to) = (unit.ranges(), unit.placement, &*unit.leads_to);
            f(UnitInfo { number, ranges, placement, leads_to, is_entered: number < units.len() });
        }
    }

    /// Drops those that are not kept, by the numbers that [`Units::each`] gave. True if one of them could be entered: then calls are to be led
    /// anew.
    ///
    /// # Safety
    /// Nothing leads there.
    pub(super) unsafe fn drop_others(&self, is_kept: &dyn Fn(usize) -> bool) -> bool {
        let (mut units, mut retired) = (self.units.borrow_mut(), self.retired.borrow_mut());
        let (count, mut at) = (units.len(), 0..);
        let mut goes = |unit: &OneUnit| {
            let is_dropped = !is_kept(at.next().expect("numbers do not end"));
            if is_dropped {
                self.tried.borrow_mut().retain(|word| *word != unit.word);
            }
            !is_dropped
        };
        units.retain(&mut goes);
        retired.retain(&mut goes);
        units.len() < count
    }

    fn is_first_at(&self, word: u32) -> bool {
        let mut tried = self.tried.borrow_mut();
        let is_first = !tried.contains(&word);
        if is_first {
            tried.push(word);
        }
        is_first
    }
}

/// Units of one Ractor that were put off. A code that dies leaves its own here. If another one gets its address, that begins with
/// guesses which were made for the dead one: its machine code is less good for them, but right.
#[derive(Default)]
pub(crate) struct Unfinished(RefCell<Vec<(Unit, Begun)>>);

/// So many of them are kept. What is begun beyond that is not put off: if it took another one's place, units that are asked for in
/// turn would never be finished.
const MOST_UNFINISHED: usize = 64;

impl Unfinished {
    fn take(&self, unit: Unit) -> Option<Begun> {
        let mut all = self.0.borrow_mut();
        let at = all.iter().position(|(one, _)| *one == unit)?;
        Some(all.swap_remove(at).1)
    }

    fn has_room(&self) -> bool {
        self.0.borrow().len() < MOST_UNFINISHED
    }

    fn keep(&self, unit: Unit, begun: Begun) {
        self.0.borrow_mut().push((unit, begun));
    }
}

/// Compiles the unit that begins at a word, for a frame that is about to run it; once. True: it takes long, and is to be asked
/// for again soon.
///
/// # Safety
/// The frame is the running one, and the code is its.
#[cold]
#[inline(never)]
pub(super) unsafe fn compile(ec: &Ec, code: &CodeData, fp: Fp, word: u32) -> bool {
    let units = &code.compilation.units;
    if code.ractor != ec.ractor().id || ec.is_compiled_off.get() {
        return false;
    }
    if !cold::has_room(ec) {
        code.ask_again(ec.vm().config.jit);
        return false;
    }
    if !units.is_first_at(word) {
        return false;
    }
    let Some(stubs) = ec.ractor().machine_stubs.get_or_init(|| Stubs::new(ec)) else { return false };
    let (notes, records, places) = (units.notes.borrow().clone(), Cell::default(), RefCell::default());
    let shapes = RefCell::default();
    let leaves_cold = ec.vm().config.jit.waits() && units.wrong.get() < MOST_WRONG / 2;
    let leads_to = RefCell::default();
    let view = View {
        ec,
        fp,
        stubs,
        layout: layout(ec, stubs),
        notes,
        leaves_cold,
        shapes,
        records,
        places,
        leads_to,
        block: Cell::new(None),
    };
    let unit = Unit { code: id_of(code), word };
    let mut show = |graph: &carat_jit::Graph| {
        if let Some(show) = ec.vm().config.show_graph {
            show(&carat_jit::printed(graph));
        }
    };
    let unfinished = &ec.ractor().unfinished;
    let mut begun = unfinished.take(unit);
    let mut machine = loop {
        match carat_jit::compile(&view, unit, &mut begun, &mut show) {
            Ok(Some(machine)) => break machine,
            Ok(None) => {
                if let Some(begun) = begun.take_if(|_| unfinished.has_room()) {
                    unfinished.keep(unit, begun);
                    units.tried.borrow_mut().retain(|tried| *tried != word);
                    return true;
                }
            }
            Err(refusal) => {
                if let Some(show) = ec.vm().config.show_graph {
                    let name = String::from_utf8_lossy(code.linked().iseq.name());
                    show(&format!("== no unit: {name} from word {word}: {refusal:?}\n"));
                }
                return false;
            }
        }
    };
    let memory = ec.ractor().machine_code.clone();
    let Some(placement) = cold::take(ec, machine.assembler.parts()) else {
        if !cold::has_room(ec) {
            units.tried.borrow_mut().retain(|tried| *tried != word);
            code.ask_again(ec.vm().config.jit);
        }
        return false;
    };
    let address = |label| placement.address(machine.assembler.offset_of(label));
    let enters = machine.enters.iter().map(|(at, label)| (*at, address(*label)));
    let enters: Vec<(usize, usize)> = enters.collect();
    let marks: Vec<(usize, String)> =
        machine.blocks.iter().map(|(id, label)| (machine.assembler.offset_of(*label), format!("b{id}"))).collect();
    let return_words: Vec<(usize, usize)> = machine.return_words.iter().map(|one| (one.at, address(one.to))).collect();
    let returns = machine.return_words.iter().map(|one| (placement.address(one.at), one.stands_for)).collect();
    for (at, to) in return_words {
        machine.assembler.set_data(at, enter_word(to));
    }
    let bytes = machine.assembler.finish_at(placement);
    listing::show(ec, code, word, 2, placement, bytes, &marks);
    // SAFETY: the memory is this Ractor's, whose turn this thread has, and it is not in compiled code.
    let written = unsafe { memory.lock().unwrap_or_else(|e| e.into_inner()).write(placement, bytes) };
    let words = view.records.take();
    words.iter().zip(machine.records).for_each(|(place, word)| place.set(word));
    enters.iter().for_each(|(at, address)| words[*at].set(enter_word(*address)));
    let records = Rc::new(Records {
        words,
        origins: machine.origins.iter().map(|(_, word)| *word).collect(),
        enters: enters.into_iter().map(|(at, _)| at).collect(),
        returns,
    });
    let mut others: Vec<CodeId> = machine.origins.iter().map(|(id, _)| *id).filter(|id| *id != unit.code).collect();
    others.sort_unstable();
    others.dedup();
    for other in others {
        let mut foreign = view.code(other).compilation.units.foreign.borrow_mut();
        foreign.retain(|records| records.strong_count() > 0);
        foreign.push(Rc::downgrade(&records));
    }
    let mut shapes = view.shapes.take();
    shapes.sort_unstable();
    shapes.dedup();
    let mut leads_to = view.leads_to.take();
    leads_to.sort_unstable();
    leads_to.dedup();
    let (shapes, leads_to) = (shapes.into(), leads_to.into());
    let enter = Box::new(enter_word(placement.often.start));
    let block = view.block.get();
    let unit = OneUnit { memory, placement, word, enter, records, shapes, leads_to, block };
    if written.is_ok() {
        units.units.borrow_mut().push(unit);
        block.into_iter().for_each(|block| ec.heap().barrier(code.this, block));
        code.compilation.lead_calls();
        code.start.set(code.start_at(0));
        // If the code is called once more, it is to be one whole unit.
        if word != 0 && !units.tried.borrow().contains(&0) {
            code.compilation.warm_up();
            code.count_calls();
        }
    }
    false
}

/// Where an exit goes on that was taken too often. `unit` leads to the unit's code and word.
pub(super) unsafe extern "C-unwind" fn exits_counted(
    pc: *const Insn,
    fp: *mut Value,
    ec: *mut Ec,
    caches: *mut CacheCell,
    unit: *const u64,
    kind: u64,
) -> usize {
    // SAFETY: the frame that the exit was taken for, and words of the unit's records.
    unsafe {
        exit_often(&*ec, Fp(fp), pc, unit, Kind::of(kind));
        dispatch(pc, fp, ec, caches)
    }
}

#[inline(never)]
unsafe fn exit_often(ec: &Ec, fp: Fp, pc: *const Insn, unit: *const u64, kind: Kind) {
    // SAFETY: by the caller; a unit runs in a frame of its code, which is still there.
    unsafe {
        let code = &*std::ptr::with_exposed_provenance::<CodeData>(*unit as usize);
        let inner = fp.code();
        code.compilation.units.note(*unit.add(1) as u32, (id_of(inner), inner.word_of(pc)), kind);
        code.compilation.lead_calls();
        code.ask_again(ec.vm().config.jit);
    }
}

/// A word that leads to an address.
fn enter_word(address: usize) -> u64 {
    (address as u64) << ADDRESS_SHIFT | Op::enter_compiled as u64
}

fn id_of(code: &CodeData) -> CodeId {
    CodeId(std::ptr::from_ref(code).expose_provenance() as u64)
}

/// What leads to a word of an iseq from the records of the first tier: the number of the piece of machine code, and that of the word.
type Enters = HashMap<u32, Vec<(usize, usize)>>;

/// The VM for one compilation: nothing is collected meanwhile.
struct View<'a> {
    ec: &'a Ec,
    fp: Fp,
    stubs: &'a Stubs,
    layout: Layout,
    notes: Vec<Note>,
    /// Units are left where nobody came yet.
    leaves_cold: bool,
    /// Those that cells name which were looked at.
    shapes: RefCell<Vec<u32>>,
    /// Words of the unit's records.
    records: Cell<Box<[Cell<u64>]>>,
    /// Of each code: words of the first tier's records, by the words of the iseq where they go on.
    places: RefCell<HashMap<CodeId, Enters>>,
    /// Where the machine code begins whose records the unit leads to.
    leads_to: RefCell<Vec<usize>>,
    /// The block of the running frame, if somebody asked.
    block: Cell<Option<Value>>,
}

/// A local of the environment so many levels above one.
///
/// # Safety
/// There are so many environments, and the last has the local.
unsafe fn local_above(env: Fp, depth: u16, register: u16) -> Sample {
    // SAFETY: by contract.
    let home = (0..depth).fold(env, |env, _| unsafe { env.parent() });
    // SAFETY: by contract.
    Sample(unsafe { home.reg(usize::from(register)) }.bits())
}

fn machine_code_bytes(ec: &Ec) -> usize {
    ec.ractor().machine_code.lock().unwrap_or_else(|e| e.into_inner()).bytes_in_use()
}

fn leaf_of(leaf: &leaf::Leaf) -> Leaf {
    let leaf::Leaf { function, count, has_effects, is_total } = *leaf;
    Leaf { function: function as usize as u64, count, has_effects, is_total }
}

// Units find the buffer of an array without asking whether it has a view of it.
const _: () = assert!(offset_of!(RView, buf) == offset_of!(RBufOnly, buf));
// Contents begin at one place, whatever is not made.
const _: () = assert!(offset_of!(RPair, first) == offset_of!(RArrayEmbedded, elements));

fn layout(ec: &Ec, stubs: &Stubs) -> Layout {
    let failing_period = match ec.vm().config.jit {
        Jit::OptimizingExits(period) => period,
        _ => 0,
    };
    Layout {
        nil: Value::NIL.bits(),
        true_: Value::TRUE.bits(),
        false_: Value::FALSE.bits(),
        undef: Value::UNDEF.bits(),
        flonum_bias: 1 << 60,
        flonum_zero: Value::flonum(0.0).expect("zero is a flonum").bits(),
        special_tag: (Value::NIL.bits() & 7) as u8,
        symbol_tag: Value::symbol(SymbolId(0)).bits() as u8,
        integer_shape: ROOT_INTEGER.0,
        symbol_shape: ROOT_SYMBOL.0,
        special_shapes: [(ROOT_NIL, Value::NIL), (ROOT_TRUE, Value::TRUE), (ROOT_FALSE, Value::FALSE)]
            .map(|(shape, value)| (shape.0, value.bits())),
        float_shape: ROOT_FLOAT.0,
        array_shape: ec.array_shape.0,
        hash_shape: ec.hash_shape.0,
        string_shape: ec.string_shape.0,
        handlers: offset_of!(Ec, table) as i32,
        limit: Ec::LIMIT_OFFSET as i32,
        exits: offset_of!(Ec, exits) as i32,
        is_compiled_off: offset_of!(Ec, is_compiled_off) as i32,
        stack_base: (offset_of!(Ec, stack) + VmStack::OFFSETS.0) as i32,
        stack_words: (offset_of!(Ec, stack) + VmStack::OFFSETS.1) as i32,
        field_key: flags::FIELD_KEY,
        pool_mask: flags::POOL_MASK as u32,
        pool_shift: flags::POOL_SHIFT,
        type_mask: flags::TYPE_MASK as u32,
        array_type: HeapType::Array as u32,
        range_type: HeapType::Range as u32,
        range_excludes_end: flags::RANGE_EXCLUDE_END as u32,
        hash_type: HeapType::Hash as u32,
        hash_table: flags::HASH_TABLE as u32,
        hash_live_shift: flags::HASH_LIVE_MASK.trailing_zeros(),
        hash_live_mask: (flags::HASH_LIVE_MASK >> flags::HASH_LIVE_MASK.trailing_zeros()) as u32,
        hash_size: leaf::hash_size().function as usize as u64,
        same_text: leaf::same_text().function as usize as u64,
        float_type: HeapType::Float as u32,
        float_value: offset_of!(RFloat, value) as i32,
        new_float: leaf::new_float as unsafe extern "C" fn(_, _, _, _) -> _ as usize as u64,
        frozen: flags::FROZEN as u32,
        old: flags::OLD as u32,
        logged: flags::LOGGED as u32,
        storage_mask: flags::STORAGE_MASK as u32,
        storage_view: flags::STORAGE_VIEW as u32,
        storage_buf: flags::STORAGE_BUF as u32,
        embedded_len_shift: flags::EMBEDDED_LEN_SHIFT,
        embedded_len_mask: flags::EMBEDDED_LEN_MASK as u32,
        view_len: offset_of!(RView, len) as i32,
        view_ptr: offset_of!(RView, ptr) as i32,
        view_buf: offset_of!(RView, buf) as i32,
        buf_count: offset_of!(BufHead, count) as i32,
        buf_len: offset_of!(BufHead, len) as i32,
        buf_ptr: offset_of!(BufHead, ptr) as i32,
        buf_capacity: offset_of!(BufHead, capacity) as i32,
        buf_head: size_of::<BufHead>() as i32,
        embedded_elements: offset_of!(RArrayEmbedded, elements) as i32,
        range_parts: [offset_of!(RPair, first) as i32, offset_of!(RPair, second) as i32],
        embedded_string_len: offset_of!(RStringEmbedded, len) as i32,
        embedded_string_bytes: offset_of!(RStringEmbedded, bytes) as i32,
        code_caches: offset_of!(CodeData, caches) as i32,
        method_flags: frame::flags::LAMBDA | frame::flags::BMETHOD,
        address_shift: ADDRESS_SHIFT as u8,
        enter_compiled: Op::enter_compiled as u8,
        code_behind: frame::CODE_BEHIND as u8,
        leave_compiled: leave_compiled as Handler as usize as u64,
        most_exits: ec.vm().config.jit.most_exits(),
        exits_counted: exits_counted as unsafe extern "C-unwind" fn(_, _, _, _, _, _) -> _ as usize as u64,
        allocate: leaf::allocate as unsafe extern "C" fn(_, _, _, _) -> _ as usize as u64,
        leaf: stubs.of(Stub::Leaf) as u64,
        leaf_bare: stubs.of(Stub::LeafBare) as u64,
        attribute_beside: leaf::attribute_beside().function as usize as u64,
        is_choosy: ec.vm().config.jit.waits(),
        is_crowded: machine_code_bytes(ec) > NEAR_BYTES,
        near: ec.vm().near_epochs(),
        failing_period,
    }
}

impl View<'_> {
    /// How often guesses at the instruction at a word were wrong.
    fn times_wrong(&self, code: CodeId, word: u32, kind: Kind) -> u32 {
        let is_it = |note: &&Note| (note.code, note.word, note.kind) == (code, word, kind);
        self.notes.iter().find(is_it).map_or(0, |note| note.times)
    }

    fn code(&self, id: CodeId) -> &CodeData {
        // SAFETY: the running code, what its cells name, and children of these: all alive, and nothing is collected.
        unsafe { &*std::ptr::with_exposed_provenance::<CodeData>(id.0 as usize) }
    }

    fn cell(&self, id: CodeId, site: u16) -> &CacheCell {
        // SAFETY: the code has the cell, and its Ractor has its turn.
        unsafe { &*self.code(id).caches.add(usize::from(site)) }
    }

    fn epoch(&self, cell: &CacheCell) -> Option<Epoch> {
        // SAFETY: the counter of a name lives as long as the VM.
        let now = unsafe { cell.epoch_at.as_ref() }?.load(Ordering::Relaxed);
        let address = cell.epoch_at.expose_provenance() as u64;
        (now == cell.epoch).then_some(Epoch { address, value: cell.epoch })
    }

    /// Where words of the first tier's records lead to a word of the iseq.
    fn enters(&self, id: CodeId, word: u32) -> Vec<(&Compiled, usize)> {
        let Some(compiled) = self.code(id).compilation.compiled.get() else { return Vec::new() };
        let mut places = self.places.borrow_mut();
        let of_code = places.entry(id).or_insert_with(|| {
            let mut found = Enters::new();
            for (number, one) in compiled.all().enumerate() {
                one.enters().for_each(|(at, origin)| found.entry(origin).or_default().push((number, at)));
            }
            found
        });
        let numbers = of_code.get(&word).map(Vec::as_slice).unwrap_or_default();
        numbers.iter().filter_map(|(number, at)| Some((compiled.all().nth(*number)?, *at))).collect()
    }

    /// The address of a word of the first tier's records, which the unit will lead to.
    fn lead_to(&self, compiled: &Compiled, at: usize) -> u64 {
        self.leads_to.borrow_mut().push(compiled.placement.often.start);
        compiled.records.wrapping_add(at).addr() as u64
    }

    /// How a call of `new` gives a struct its members, if nobody has overridden `initialize`.
    fn members(&self, class: Class, kind: OptimizedKind, site: &CallSite) -> Option<Members> {
        let names = class.members(self.ec)?.slice_of(self.ec);
        let mut members = Members { sources: [Members::NOT_GIVEN; 8], count: u8::try_from(names.len()).ok()? };
        let sources = members.sources.get_mut(..names.len()).filter(|sources| !sources.is_empty())?;
        let known = self.ec.vm().known();
        let is_data = kind == OptimizedKind::NewData;
        if !class.initializes_as(self.ec, if is_data { known.data } else { known.struct_class }) {
            return None;
        }
        let given = usize::from(site.argc);
        let plain_flags = CallFlags(site.flags.0 & !CallFlags::KEYWORDS);
        match site.keywords.len() {
            0 if site.flags.is_simple() && (given == names.len() || !is_data && given <= names.len()) => {
                (0..).zip(&mut sources[..given]).for_each(|(at, source)| *source = at);
            }
            count if is_data && plain_flags.is_simple() && given == 0 && count == names.len() => {
                for (at, name) in (0..).zip(site.keywords.iter()) {
                    let place = names.iter().position(|member| member.as_symbol() == Some(*name))?;
                    sources[place] = at;
                }
                // A name that is given twice leaves another one out.
                if sources.contains(&Members::NOT_GIVEN) {
                    return None;
                }
            }
            _ => return None,
        }
        Some(members)
    }

    /// The first tier's record of the instruction at a word, by the word behind, which leads to what comes next.
    fn record(&self, id: CodeId, word: u32) -> Option<(&Compiled, usize)> {
        let words = self.code(id).linked().iseq.insns[word as usize].op.format().words();
        let behind = self.enters(id, word + words as u32);
        let entered = self.enters(id, word);
        let is_entered = |one: &Compiled, at| entered.iter().any(|(of, begin)| std::ptr::eq(*of, one) && *begin == at);
        let is_record = |(one, at): &(&Compiled, usize)| {
            *at >= words && one.origins[at - words] == word && !is_entered(one, at - words)
        };
        behind.into_iter().find(is_record)
    }

    /// Whether calls of a native method may have no frame.
    fn knows_native(&self, code: &CodeData, argc: u16) -> bool {
        answers::question(self.ec, code).is_some() || leaf::of_method(self.ec, code, usize::from(argc)).is_some()
    }

    /// What an entry of the cell of a call says. A method of the core library that is the only one called there may be a leaf.
    fn entry_of_call(&self, code: CodeId, site: u16, entry: Entry, is_only: bool) -> Option<Call> {
        if entry.shape == 0 || !self.ec.vm().shapes.is_used(ShapeId(entry.shape)) {
            return None;
        }
        // What it leads to is looked at only if that lives: the name means what it did, and the shape's class is not dead.
        let epoch = self.epoch(self.cell(code, site))?;
        let is = |handler: Handler| entry.key == handler as usize as u64;
        let (plain, with_block): (Handler, Handler) = (ops::invoke_iseq, ops::invoke_iseq_block);
        let (optional, optional_with_block): (Handler, Handler) = (ops::invoke_optional, ops::invoke_optional_block);
        let id = CodeId(entry.target);
        let argc = || self.code(code).linked().call_site(usize::from(site)).argc;
        let simple =
            |around| Target::Method(Plain { code: id, word: 0, locals_from: self.lead(id) + 1, undef: None, around });
        let has_leaf = || is_only && leaf::of_method(self.ec, self.code(id), usize::from(argc())).is_some();
        let target = if (is(plain) || is(optional)) && has_leaf() {
            Target::Native
        } else if is(plain) || is(with_block) {
            simple(None)
        } else if is(ops::invoke_block_method) {
            simple(Some(ops::block_method_parent(self.ec, self.code(id))))
        } else if is(optional) || is(optional_with_block) {
            let argc = argc();
            let places = ops::bind::Places::of(self.code(id), usize::from(argc), is(optional_with_block));
            Target::Method(Plain {
                code: id,
                word: places.entry as u32,
                locals_from: argc + 1,
                undef: places.undef,
                around: None,
            })
        } else if is(ops::invoke_rest) || is(ops::invoke_rest_block) {
            Target::Bound(self.bound(id, argc())?)
        } else if is(ops::invoke_splat) {
            let site = self.code(code).linked().call_site(usize::from(site));
            let (argc, params) = (site.argc, &self.code(id).linked().iseq.params);
            // The arguments are counted when the unit is built.
            if site.flags.has(CallFlags::KEYWORDS) || params.optional() != 0 || params.lead + 1 < argc {
                return None;
            }
            Target::Splat(Splat {
                code: id,
                word: 0,
                list: argc,
                count: (!params.has_rest).then(|| params.lead + 1 - argc),
                has_keywords: site.flags.has(CallFlags::KEYWORD_SPLAT),
                has_block: site.flags.has(CallFlags::BLOCK_ARG),
            })
        } else if is(ops::bind::invoke_passing) {
            let site = self.code(code).linked().call_site(usize::from(site));
            let (argc, method) = (site.argc, self.code(id));
            let is_plain = !site.flags.has(CallFlags::SPLAT | CallFlags::KEYWORDS | CallFlags::KEYWORD_SPLAT);
            if !is_plain || ops::bind::fit_of(method, usize::from(argc)) != Some(ops::bind::Fit::InPlace) {
                return None;
            }
            let places = ops::bind::Places::of(method, usize::from(argc), true);
            let (word, undef) = (places.entry as u32, places.undef);
            let method = Plain { code: id, word, locals_from: argc + 1, undef, around: None };
            Target::Passing { method, block: argc + 1 }
        } else if is(ops::invoke_reader) {
            Target::Reader { offset: u32::try_from(entry.target).ok()? }
        } else if is(ops::invoke_writer) || is(ops::invoke_writer_adding) {
            let next_shape = (entry.target >> 32) as u32;
            self.shapes.borrow_mut().extend((next_shape != 0).then_some(next_shape));
            Target::Writer { offset: entry.target as u32, next_shape }
        } else if is(ops::invoke_reader_absent) {
            Target::ReaderAbsent
        } else if is(ops::invoke_reader_beside) {
            Target::ReaderBeside { place: Value::len(entry.target as usize).bits() }
        } else if is(ops::bind::invoke_keywords) {
            // SAFETY: the cell leads to a plan, which its code keeps.
            let plan = unsafe { &*std::ptr::with_exposed_provenance::<KeywordCall>(entry.target as usize) };
            Target::Bound(plan.for_jit())
        } else if is(ops::invoke_native) && self.knows_native(self.code(id), argc()) {
            Target::Native
        } else {
            return None;
        };
        self.shapes.borrow_mut().push(entry.shape);
        Some(Call { shape: entry.shape, epoch, target })
    }

    /// What a `send` of so many arguments does that leads to a method, for receivers of a shape.
    fn sent_to(&self, entry: &MethodEntry, shape: ShapeId, argc: u16) -> Option<SentTo> {
        let plain = |code: &CodeData, word: usize, around| {
            let (code, word) = (id_of(code), word as u32);
            SentTo::Method(Plain { code, word, locals_from: argc + 1, undef: None, around })
        };
        match &entry.kind {
            MethodKind::Native(_) | MethodKind::Iseq(_) => {
                let code = entry.code(self.ec);
                if let Some(leaf) = leaf::of_method(self.ec, code, usize::from(argc)) {
                    return Some(SentTo::Leaf(leaf_of(leaf)));
                }
                if code.native.is_some() || ops::bind::fit_of(code, usize::from(argc))? != ops::bind::Fit::InPlace {
                    return None;
                }
                Some(plain(code, ops::bind::Places::of(code, usize::from(argc), false).entry, None))
            }
            MethodKind::Proc(proc) => {
                let code = ops::block_method_code(self.ec, entry, *proc, argc)?;
                Some(plain(code, 0, Some(ops::block_method_parent(self.ec, code))))
            }
            MethodKind::AttrReader(name) if argc == 0 => {
                let (shapes, class) = (&self.ec.vm().shapes, self.ec.vm().known().module);
                // Fields of classes change under a lock.
                let is_class = Class::expect(shapes.class_of(shape)).is_or_inherits(class);
                let index = shapes.find(shape, *name).filter(|_| !is_class)?;
                Some(SentTo::Reader { place: Value::len(index as usize).bits() })
            }
            _ => None,
        }
    }

    fn value(&self, sample: Sample) -> Value {
        // SAFETY: samples are values that registers, fields, elements and literals hold.
        unsafe { Value::from_bits(sample.0) }
    }
}

impl World for View<'_> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn iseq(&self, code: CodeId) -> &Iseq {
        &self.code(code).linked().iseq
    }

    fn is_block(&self, code: CodeId) -> bool {
        self.code(code).kind.is_block()
    }

    fn caches(&self, code: CodeId) -> u64 {
        self.code(code).caches.expose_provenance() as u64
    }

    fn literal(&self, code: CodeId, index: usize) -> u64 {
        // SAFETY: the iseq has the literal.
        unsafe { (*self.code(code).literals.add(index)).bits() }
    }

    fn field(&self, code: CodeId, site: u16) -> Option<Field> {
        let cell = self.cell(code, site);
        let (offset, next_shape) = (cell.target as u32, (cell.target >> 32) as u32);
        if cell.shape != places::IN_SLOT {
            return None;
        }
        self.shapes.borrow_mut().extend([(cell.key >> 32) as u32, next_shape].into_iter().filter(|shape| *shape != 0));
        Some(Field { key: cell.key, offset, next_shape })
    }

    fn field_beside(&self, code: CodeId, site: u16) -> Option<Beside> {
        let cell = self.cell(code, site);
        let at = match cell.shape {
            places::ABSENT => BesideAt::Nowhere,
            places::IN_SIDE_BLOCK => BesideAt::Block { find: leaf_of(leaf::side_block()), offset: cell.target as u32 },
            places::IN_CLASS => {
                let store = (!self.ec.vm().has_several_ractors()).then(|| leaf_of(leaf::set_field_in_class()));
                let place = Value::len(cell.target as usize).bits();
                BesideAt::Leaf { place, leaf: leaf_of(leaf::field_in_class()), store }
            }
            _ => return None,
        };
        self.shapes.borrow_mut().push((cell.key >> 32) as u32);
        Some(Beside { key: cell.key, at })
    }

    fn call(&self, code: CodeId, site: u16) -> Option<Call> {
        let cell = self.cell(code, site);
        if cell.shape == SEVERAL {
            return None;
        }
        self.entry_of_call(code, site, Entry::new(cell.shape, cell.key, cell.target), true)
    }

    fn calls(&self, code: CodeId, site: u16) -> Vec<Call> {
        let entries = self.cell(code, site).call_entries();
        let is_of_heap = |entry: &&Entry| entry.shape > ROOT_MOVED.0;
        let known = entries.iter().filter(|entry| entry.shape != 0);
        let calls = known.clone().filter(is_of_heap).filter_map(|entry| self.entry_of_call(code, site, *entry, false));
        let calls: Vec<Call> = calls.collect();
        if calls.len() == known.count() { calls } else { Vec::new() }
    }

    fn array_header(&self, count: u16) -> Option<u64> {
        (count <= MOST_ELEMENTS).then(|| Array::header_of(self.ec, usize::from(count)))
    }

    fn bound(&self, code: CodeId, argc: u16) -> Option<Bound> {
        let bound = KeywordCall::of_plain(self.code(code), usize::from(argc))?;
        bound.rest.is_none_or(|rest| rest.count <= MOST_ELEMENTS).then_some(bound)
    }

    fn literal_header(&self, code: CodeId, word: u32) -> Option<u64> {
        let insn = self.iseq(code).insns[word as usize];
        match insn.op {
            // An empty one is there to be filled.
            Op::newarray => self.array_header(insn.c).filter(|_| insn.c > 0),
            Op::newrange => Some(self.ec.range_header(insn.n == 1)),
            _ => None,
        }
    }

    fn construction(&self, code: CodeId, word: u32, class: u64) -> Option<Construction> {
        let site = self.code(code).linked().iseq.insns[word as usize].c;
        let cell = self.cell(code, site);
        let is = |handler: Handler| cell.key == handler as usize as u64;
        let forms: [Handler; 4] = [
            ops::bind::invoke_new,
            ops::bind::invoke_new_optional,
            ops::bind::invoke_new_keywords,
            ops::bind::invoke_new_rest,
        ];
        if cell.shape == 0 || cell.shape == SEVERAL || !self.ec.vm().shapes.is_used(ShapeId(cell.shape)) {
            return None;
        }
        let epoch = self.epoch(cell)?;
        let class = Class::from_value(self.value(Sample(class)))?;
        if class.value().header()?.shape() != ShapeId(cell.shape) {
            return None;
        }
        let site = self.code(code).linked().call_site(usize::from(site));
        let argc = site.argc;
        let counter = self.ec.vm().method_epoch(sym::INITIALIZE);
        let now = counter.load(Ordering::Relaxed);
        let mut members = Members::default();
        let target = if is(invoke_bound) {
            // SAFETY: the entry that the name still means.
            let entry = MethodEntry::from_value(self.ec, unsafe { Value::from_bits(cell.target) })?;
            let MethodKind::Optimized(kind) = entry.resolved(self.ec).kind else { return None };
            match kind {
                _ if site.block.is_some() => return None,
                OptimizedKind::New => {
                    let is_bare = site.flags.is_simple() && argc == 0 && class.initializes_nothing(self.ec);
                    is_bare.then_some(())?;
                }
                OptimizedKind::NewStruct | OptimizedKind::NewData => members = self.members(class, kind, site)?,
                _ => return None,
            }
            Target::Native
        } else if !forms.into_iter().any(is) {
            return None;
        } else if is(ops::bind::invoke_new_keywords) {
            // SAFETY: the cell leads to a plan, which its code keeps.
            let plan = unsafe { &*std::ptr::with_exposed_provenance::<KeywordCall>(cell.target as usize) };
            // SAFETY: a constructor's code lives as long as nothing is defined.
            let constructor = unsafe { class.constructor(self.ec).as_ref()? };
            if !plan.is_for(self.ec, constructor) {
                return None;
            }
            Target::Bound(plan.for_jit())
        } else {
            // SAFETY: as above.
            let constructor = unsafe { class.constructor(self.ec).as_ref()? };
            let (code, locals_from, count) = (id_of(constructor), argc + 1, usize::from(argc));
            let begins_at = |word| Target::Method(Plain { code, word, locals_from, undef: None, around: None });
            match ops::bind::fit_of(constructor, count)? {
                _ if constructor.is_simple => begins_at(0),
                ops::bind::Fit::InPlace => begins_at(ops::bind::Places::of(constructor, count, false).entry as u32),
                ops::bind::Fit::Rest => Target::Bound(self.bound(code, argc)?),
            }
        };
        self.shapes.borrow_mut().extend([cell.shape, class.root_shape().0]);
        Some(Construction {
            shape: cell.shape,
            epoch,
            initialize: Epoch { address: std::ptr::from_ref(counter).expose_provenance() as u64, value: now },
            header: if members.count > 0 { class.struct_header(self.ec)? } else { class.new_header() },
            target,
            members,
        })
    }

    fn answer(&self, code: CodeId, site: u16, arguments: &[Option<u64>]) -> Option<Answer> {
        let cell = self.cell(code, site);
        let question = answers::question(self.ec, self.code(CodeId(cell.target)))?;
        let arguments: Vec<_> = arguments.iter().map(|bits| bits.map(|bits| self.value(Sample(bits)))).collect();
        answers::answer(self.ec, question, cell.shape, &arguments)
    }

    fn is_nil_or_falsy(&self, op: Op, object: Sample) -> Option<OfShape> {
        let known = answers::is_nil_or_falsy(self.ec, op, self.value(object))?;
        self.shapes.borrow_mut().push(known.shape);
        Some(known)
    }

    fn is_identity(&self, op: Op, object: Sample) -> Option<OfShape> {
        let known = answers::is_identity(self.ec, op, self.value(object))?;
        self.shapes.borrow_mut().push(known.shape);
        Some(known)
    }

    fn class_match(&self, class: u64, value: Sample) -> Option<OfShape> {
        let known = answers::class_match(self.ec, self.value(Sample(class)), self.value(value))?;
        self.shapes.borrow_mut().push(known.shape);
        Some(known)
    }

    fn leaf(&self, code: CodeId, word: u32) -> Option<Leaf> {
        let code = self.code(code);
        let insn = code.linked().iseq.insns[word as usize];
        let leaf = match insn.op {
            Op::invokeprimitive => leaf::of_primitive(self.ec, code, insn),
            // An operator's call too.
            Op::send_simple | Op::send_self | Op::ext => {
                let cell = self.cell(id_of(code), insn.c);
                let argc = code.linked().call_site(usize::from(insn.c)).argc;
                leaf::of_method(self.ec, self.code(CodeId(cell.target)), usize::from(argc))
            }
            // Method objects that are called.
            op if op.format().has_ext() && runners::calls_method_object(code, word) => None,
            _ => leaf::of_operator(insn),
        };
        leaf.map(leaf_of)
    }

    fn sent(&self, code: CodeId, site: u16, name: u64) -> Option<Sent> {
        let (cell, vm) = (self.cell(code, site), self.ec.vm());
        let is = |handler: Handler| cell.key == handler as usize as u64;
        let is_public = is(ops::handed_on::invoke_public_send);
        let name = self.value(Sample(name)).as_symbol().filter(|name| !vm.may_be_refined(*name))?;
        if cell.shape == 0 || !(is_public || is(ops::handed_on::invoke_send)) || !vm.shapes.is_used(ShapeId(cell.shape))
        {
            return None;
        }
        let epoch = self.epoch(cell)?;
        let counter = vm.method_epoch(name);
        let value = counter.load(Ordering::Acquire);
        let of_name = Epoch { address: std::ptr::from_ref(counter).expose_provenance() as u64, value };
        let method = Class::expect(vm.shapes.class_of(ShapeId(cell.shape))).cached_method(self.ec, name)?;
        if is_public && method.visibility != Visibility::Public {
            return None;
        }
        let argc = self.code(code).linked().call_site(usize::from(site)).argc.checked_sub(1)?;
        let to = self.sent_to(method.resolved(self.ec), ShapeId(cell.shape), argc)?;
        self.shapes.borrow_mut().push(cell.shape);
        Some(Sent { shape: cell.shape, epochs: [epoch, of_name], to })
    }

    fn primitive(&self, code: CodeId, word: u32) -> Option<Primitive> {
        let code = self.code(code);
        let insn = code.linked().iseq.insns[word as usize];
        let symbol = *code.linked().symbols.get(usize::from(insn.c)).filter(|_| insn.op == Op::invokeprimitive)?;
        match &*self.ec.vm().symbol_text(symbol) {
            "undef?" => Some(Primitive::IsUndef),
            "same" => Some(Primitive::Same),
            "fixnum?" => Some(Primitive::IsFixnum),
            "range_begin" => Some(Primitive::RangeBegin),
            "range_end" => Some(Primitive::RangeEnd),
            "range_excl?" => Some(Primitive::RangeExcludesEnd),
            _ => None,
        }
    }

    fn reads_byte(&self, code: CodeId, site: u16) -> bool {
        answers::reads_byte(self.ec, self.code(CodeId(self.cell(code, site).target)))
    }

    fn asks_class(&self, code: CodeId, site: u16) -> bool {
        answers::asks_class(self.ec, self.code(CodeId(self.cell(code, site).target)))
    }

    fn text_of_numbers(&self) -> Option<Epoch> {
        let epoch = answers::epoch(self.ec.vm().method_epoch(sym::TO_S));
        // What is redefined after this has counted.
        self.ec.has_core_operator(sym::TO_S).then_some(epoch)
    }

    fn identity_match(&self) -> Option<Epoch> {
        let counter = self.ec.vm().method_epoch(sym::EQQ);
        let epoch =
            Epoch { address: counter.as_ptr().expose_provenance() as u64, value: counter.load(Ordering::Acquire) };
        // What is redefined after this has counted.
        self.ec.matches_by_identity().then_some(epoch)
    }

    fn is_plain_pattern(&self, pattern: u64) -> bool {
        let pattern = self.value(Sample(pattern));
        pattern.header().is_some_and(|header| header.is_type(HeapType::String) || header.is_type(HeapType::Range))
    }

    fn constant(&self, code: CodeId, site: u16) -> Option<Constant> {
        let cell = self.cell(code, site);
        if cell.shape != 1 || cell.key != self.code(code).cref.bits() {
            return None;
        }
        Some(Constant { value: cell.target, epoch: self.epoch(cell)? })
    }

    fn block(&self, code: CodeId, site: u16) -> Option<CodeId> {
        let code = self.code(code);
        let child = code.linked().call_site(usize::from(site)).block?;
        let place = std::ptr::with_exposed_provenance::<u64>(code.child_place(usize::from(child)));
        // SAFETY: the code's list of children.
        let child = unsafe { *place };
        (child != 0).then_some(CodeId(child))
    }

    fn yields_in_place(&self, block: CodeId, n: u8) -> bool {
        n < 8 && self.code(block).in_place >> n & 1 != 0
    }

    fn yields_keywords(&self, code: CodeId, site: u16, block: CodeId) -> Option<carat_jit::Bound> {
        let (site, block) = (self.code(code).linked().call_site(usize::from(site)), self.code(block));
        let is_block = block.kind == CodeKind::Block;
        is_block.then(|| KeywordCall::plan_of_block(self.ec, block, site)).flatten().map(|plan| plan.for_jit())
    }

    fn takes_apart(&self, block: CodeId) -> Option<u16> {
        let block = self.code(block);
        let is_fit = block.auto_splat && block.is_simple && block.kind == CodeKind::Block;
        is_fit.then_some(block.lead)
    }

    fn lead(&self, code: CodeId) -> u16 {
        self.code(code).lead
    }

    fn is_unlike(&self, code: CodeId, word: u32) -> bool {
        self.times_wrong(code, word, Kind::Operands) >= MOST_TIMES
    }

    fn was_wrong(&self, code: CodeId, word: u32) -> bool {
        self.times_wrong(code, word, Kind::Operands) > 0
    }

    fn takes_leaf(&self, code: CodeId, word: u32) -> bool {
        self.times_wrong(code, word, Kind::Operands) >= MOST_TIMES_BEFORE_LEAF
    }

    fn is_head_unlike(&self, code: CodeId, word: u32) -> bool {
        self.times_wrong(code, word, Kind::Variables) > 0
    }

    fn is_cold(&self, code: CodeId, word: u32, site: u16) -> bool {
        let is_noted = || self.notes.iter().any(|note| (note.code, note.word) == (code, word));
        // A new field comes once to an object that has no room for it in its slot.
        let is_seldom = [0, places::NEW_BEHIND].contains(&self.cell(code, site).shape);
        self.leaves_cold && is_seldom && !is_noted()
    }

    fn runner(&self, code: CodeId, word: u32) -> Runner {
        runners::runner(self.ec, self.stubs, self.code(code), word)
    }

    fn in_front(&self, code: CodeId, word: u32) -> u64 {
        runners::in_front(self.code(code), word)
    }

    fn entry(&self, id: CodeId) -> Option<u64> {
        let compiled = self.code(id).compilation.compiled.get()?;
        let entry = compiled.own_entry().or_else(|| compiled.machine_entry(0))?;
        self.leads_to.borrow_mut().push(entry);
        Some(entry as u64)
    }

    fn start(&self, code: CodeId) -> u64 {
        self.code(code).start.as_ptr().expose_provenance() as u64
    }

    fn records(&self, words: usize) -> u64 {
        let records: Box<[Cell<u64>]> = (0..words).map(|_| Cell::new(0)).collect();
        let address = records.as_ptr().expose_provenance() as u64;
        self.records.set(records);
        address
    }

    fn place(&self, id: CodeId, word: u32, interprets: bool) -> Place {
        let code = self.code(id);
        let op = code.linked().iseq.insns[word as usize].op;
        // The last one is behind what counts, which might lead back into the unit.
        let enters = self.enters(id, word).into_iter().filter(|(one, _)| !interprets && one.has_block_at(word));
        if let Some((one, at)) = enters.last() {
            return Place { address: self.lead_to(one, at), op: Op::enter_compiled };
        }
        if let Some((compiled, behind)) = self.record(id, word).filter(|_| !interprets) {
            let at = behind - op.format().words();
            return Place { address: self.lead_to(compiled, at), op };
        }
        Place { address: code.insns.wrapping_add(word as usize).addr() as u64, op }
    }

    fn place_behind(&self, id: CodeId, word: u32, interprets: bool) -> u64 {
        let code = self.code(id);
        let op = code.linked().iseq.insns[word as usize].op;
        // `initialize` returns to the second word of `opt_new`, which fetches the object, and operators to a fused comparison's branch.
        let is_last = op == Op::opt_new || op.format().is_fused();
        let back = usize::from(is_last);
        if let Some((compiled, behind)) = self.record(id, word).filter(|_| !interprets) {
            return self.lead_to(compiled, behind - back);
        }
        let words = op.format().words() - back;
        code.insns.wrapping_add(word as usize + words).addr() as u64
    }

    fn register(&self, register: u16) -> Sample {
        // SAFETY: self or a local of the running frame.
        Sample(unsafe { self.fp.reg(usize::from(register)) }.bits())
    }

    fn owns_environment(&self) -> bool {
        // SAFETY: the running frame.
        unsafe { self.fp.env() == self.fp }
    }

    fn outer(&self, depth: u16, register: u16) -> Sample {
        // SAFETY: the running frame, whose code has the local so many levels up.
        unsafe { local_above(self.fp.env(), depth, register) }
    }

    fn own_block(&self) -> Option<CodeId> {
        let wrong = self.notes.iter().filter(|note| note.kind == Kind::Block);
        if wrong.map(|note| note.times).sum::<u32>() >= MOST_BLOCKS {
            return None;
        }
        // SAFETY: the frame that is to run the unit.
        let BlockWord::Literal(block, _) = (unsafe { BlockWord::read(self.fp) }) else { return None };
        if block.kind != CodeKind::Block || block.ractor != self.ec.ractor().id {
            return None;
        }
        self.block.set(Some(block.this));
        Some(id_of(block))
    }

    fn block_word(&self, block: CodeId) -> u64 {
        block.0 | 1
    }

    fn outer_of_block(&self, depth: u16, register: u16) -> Sample {
        // SAFETY: the frame that is to run the unit; its block has so many environments around it, and the last has the local.
        unsafe {
            match BlockWord::read(self.fp) {
                BlockWord::Literal(_, home) => local_above(home, depth - 1, register),
                _ => Sample(self.layout.nil),
            }
        }
    }

    fn around(&self, address: u64, depth: u16, register: u16) -> Sample {
        let env = Fp(std::ptr::with_exposed_provenance_mut(address as usize));
        // SAFETY: the environment around a method that a block is, which has the local so many levels up.
        unsafe { local_above(env, depth, register) }
    }

    fn pool_for(&self, offset: u32) -> Option<u32> {
        pool_for(offset as usize + 8).map(|pool| u32::from(pool.0))
    }

    fn field_sample(&self, object: Sample, field: Field) -> Option<Sample> {
        let value = self.value(object);
        let header = value.header()?;
        let fits = header.bits() & flags::FIELD_KEY == field.key;
        if !fits || field.next_shape != 0 || field.offset as usize + 8 > header.slot_bytes() {
            return None;
        }
        // SAFETY: the field lies in the slot.
        let found = unsafe { *value.as_ptr::<u8>().add(field.offset as usize).cast::<Value>() };
        Some(Sample(found.bits()))
    }

    fn attribute_sample(&self, object: Sample, shape: u32, offset: u32) -> Option<Sample> {
        let value = self.value(object);
        let header = value.header()?;
        // Objects of other shapes have something else there, or nothing yet.
        if header.shape() != ShapeId(shape) || offset as usize + 8 > header.slot_bytes() {
            return None;
        }
        // SAFETY: objects of this shape have the field there, if it lies in the slot.
        let found = unsafe { *value.as_ptr::<u8>().add(offset as usize).cast::<Value>() };
        (!found.is_undef()).then(|| Sample(found.bits()))
    }

    fn beside_sample(&self, object: Sample, beside: Beside) -> Option<Sample> {
        let value = self.value(object);
        let header = value.header()?;
        if header.bits() & flags::FIELD_KEY != beside.key {
            return None;
        }
        let offset = match beside.at {
            BesideAt::Block { offset, .. } => offset,
            BesideAt::Leaf { place, .. } => {
                // SAFETY: a class's field, as the leaf is to read it.
                let found = unsafe { class_field(value, self.value(Sample(place)).as_fixnum()? as usize) };
                return found.map(|found| Sample(found.bits()));
            }
            BesideAt::Nowhere => return None,
        };
        let block = carat_heap::side::of(value.as_heap()?)?;
        // SAFETY: objects with this key have the field there.
        let found = unsafe { *block.as_ptr().byte_add(offset as usize) };
        Some(Sample(found.bits()))
    }

    fn float(&self, sample: Sample) -> Option<f64> {
        self.ec.float_of(self.value(sample))
    }

    fn element_sample(&self, array: Sample, index: usize) -> Option<Sample> {
        let array = Array::from_value(self.value(array))?;
        array.element(self.ec, index).map(|element| Sample(element.bits()))
    }

    fn shape_of(&self, object: Sample) -> Option<u32> {
        self.value(object).header().map(|header| header.shape().0)
    }

    fn is_plain_array(&self, sample: Sample) -> bool {
        self.value(sample).header().is_some_and(|header| header.shape() == self.ec.array_shape)
    }
}
