//! `Code`: a piece of code made ready to run in one Ractor, with its inline caches.
//!
//! A linked iseq is shared by all Ractors; a code object joins it with a method entry, a lexical scope and a cache array.
//! Code objects are collected: frames, procs, environments and the Ractor's method table keep them alive.
//!
//! # Invariants
//! * A block's code is made once for each code of the scope around it, by [`CodeData::child`].
//! * A variant for another scope (`instance_eval`) shares the original's caches; cells that depend on the scope compare it.

use crate::compiled::{Compilation, Jit};
use crate::ec::Ec;
use crate::model::class::{Class, Visibility};
use crate::model::cref::Cref;
use crate::model::method::NativeFn;
use crate::model::shape::ShapeTable;
use crate::run::interp::Handler;
use crate::run::interp::ops::bind::KeywordCall;
use crate::run::link::{LinkedIseq, LinkedSite};
use crate::run::polymorphic;
use carat_iseq::{GROUP_LOCALS, Insn, IseqKind, Op};
use carat_layout::{HeapType, ROwner, ShapeId, SymbolId, Value, pool_for};
use std::cell::{Cell, UnsafeCell};
use std::sync::Arc;

/// One inline cache.
#[repr(C)]
pub(crate) struct CacheCell {
    /// Shape that the cell is for; 0 is no shape, so a fresh cell never hits. [`SEVERAL`](crate::run::polymorphic::SEVERAL): see there.
    pub(crate) shape: u32,
    /// What `*epoch_at` was when the cell was filled.
    pub(crate) epoch: u32,
    /// Calls: the routine that invokes the target. Fields: `header & FIELD_KEY`. Constants: the cref.
    pub(crate) key: u64,
    /// Calls: `*const CodeData`. Fields: byte offset or index, next shape. Constants: the value.
    pub(crate) target: u64,
    /// Epoch counter of the name this cell was resolved by.
    pub(crate) epoch_at: *const std::sync::atomic::AtomicU32,
}

const _: () = assert!(size_of::<CacheCell>() == 32);

impl CacheCell {
    pub(crate) const EMPTY: CacheCell = CacheCell { shape: 0, epoch: 0, key: 0, target: 0, epoch_at: std::ptr::null() };

    #[inline(always)]
    pub(crate) fn handler(&self) -> Handler {
        // SAFETY: a cell of a call site whose shape matched was filled with a handler's address.
        unsafe { std::mem::transmute::<u64, Handler>(self.key) }
    }
}

/// What kind of frame a code makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum CodeKind {
    Top,
    Method,
    Block,
    Lambda,
    Class,
    Eval,
    /// A native method.
    Native,
    /// Separates a native caller from the Ruby code it calls.
    Boundary,
}

impl CodeKind {
    /// Frames of this kind have PARENT and FLAGS words.
    #[inline(always)]
    pub(crate) fn is_block(self) -> bool {
        matches!(self, CodeKind::Block | CodeKind::Lambda | CodeKind::Eval)
    }

    fn of(kind: IseqKind) -> CodeKind {
        match kind {
            IseqKind::Top => CodeKind::Top,
            IseqKind::Method => CodeKind::Method,
            IseqKind::Block => CodeKind::Block,
            IseqKind::Lambda => CodeKind::Lambda,
            IseqKind::Class => CodeKind::Class,
            IseqKind::Eval => CodeKind::Eval,
        }
    }
}

const SPARE_VARIANTS: usize = 16;

/// Variants that blocks ran as in the scope of a class (`class_eval`) and that nothing refers to since, for the next time: those whose
/// locals stayed on the stack and that left definitions public. A collection forgets them.
#[derive(Default)]
pub(crate) struct SpareVariants([Cell<Option<Spare>>; SPARE_VARIANTS]);

#[derive(Clone, Copy)]
struct Spare {
    origin: *const CodeData,
    variant: &'static CodeData,
}

impl SpareVariants {
    pub(crate) fn clear(&self) {
        self.0.iter().for_each(|place| place.set(None));
    }

    fn place(&self, origin: &CodeData) -> &Cell<Option<Spare>> {
        &self.0[std::ptr::from_ref(origin).addr() / 64 % SPARE_VARIANTS]
    }

    fn of(&self, origin: &CodeData) -> Option<&'static CodeData> {
        let spare = self.place(origin).get()?;
        std::ptr::eq(spare.origin, origin).then_some(spare.variant)
    }

    /// The scope of the block's spare variant, if that is the one which `class_eval` of a class pushes.
    pub(crate) fn scope_of(&self, origin: &CodeData, class: Class) -> Option<Value> {
        let cref = self.of(origin)?.cref;
        Cref::from_value(cref).is_some_and(|scope| scope.is_pushed_for(class)).then_some(cref)
    }

    /// A variant for a scope.
    pub(crate) fn take(&self, origin: &CodeData, cref: Value) -> Option<&'static CodeData> {
        let variant = self.of(origin).filter(|variant| variant.cref == cref)?;
        self.place(origin).set(None);
        Some(variant)
    }

    /// Keeps a variant that has run.
    pub(crate) fn put(&self, origin: &CodeData, variant: &'static CodeData) {
        let is_of_class = Cref::from_value(variant.cref).is_some_and(Cref::is_pushed_for_some_class);
        if is_of_class && variant.leaves_no_trace() {
            self.place(origin).set(Some(Spare { origin, variant }));
        }
    }
}

/// See the module.
pub(crate) struct CodeData {
    /// The heap object that owns this.
    pub(crate) this: Value,
    pub(crate) kind: CodeKind,
    /// All arguments are required positionals; `lead` of them. A block of `*rest` alone, packed or not, counts as having one.
    pub(crate) is_simple: bool,
    /// A `yield` of fewer plain arguments than this needs no setting up; 0: any does. At most 255, the number of an
    /// `invokeblock` whose arguments are not all plain.
    pub(crate) in_place_below: u16,
    /// One of fewer does.
    pub(crate) in_place_from: u8,
    /// Bit n: a `yield` of n plain arguments to the block as a literal needs no setting up.
    pub(crate) in_place: u8,
    pub(crate) auto_splat: bool,
    /// A block's only parameter is `*rest`.
    pub(crate) takes_rest_alone: bool,
    /// See [`IseqFlags::packs_values`](carat_iseq::IseqFlags::packs_values).
    pub(crate) packs_values: bool,
    pub(crate) is_core: bool,
    pub(crate) lead: u16,
    pub(crate) frame_size: u16,
    pub(crate) local_size: u16,
    pub(crate) insns: *const Insn,
    /// Where a call begins: see [`crate::compiled`].
    pub(crate) start: Cell<*const Insn>,
    /// What `start` leads to while calls are counted.
    count_entry: Insn,
    pub(crate) compilation: Compilation,
    pub(crate) literals: *const Value,
    pub(crate) caches: *mut CacheCell,
    pub(crate) iseq: Option<Arc<LinkedIseq>>,
    pub(crate) native: Option<NativeFn>,
    /// See [`MethodDef::borrows`](crate::model::method::MethodDef::borrows).
    pub(crate) borrows: u8,
    /// Method entry, or nil for scripts and class bodies.
    pub(crate) method: Value,
    /// `Cref`.
    pub(crate) cref: Value,
    /// Name of the method as it was called or defined, for backtraces and `__method__`.
    pub(crate) name: Option<SymbolId>,
    pub(crate) default_visibility: Cell<Visibility>,
    pub(crate) module_function: Cell<bool>,
    /// The Ractor that runs it and whose caches these are.
    pub(crate) ractor: u32,
    /// The block of a Ractor or of a shareable proc: code inside reaches no variable around it by name.
    pub(crate) is_isolated: Cell<bool>,
    /// An environment of its went to the heap.
    pub(crate) has_escaped: Cell<bool>,
    /// Shares the cells of other code.
    is_variant: bool,
    children: Box<[Cell<*const CodeData>]>,
    cells: Arc<Cells>,
}

const COUNT_ENTRY: Insn = Insn::abc(Op::count_entry, 0, 0, 0);

/// See [`CodeData::takes_rest_alone`].
fn takes_rest_alone(iseq: &carat_iseq::Iseq) -> bool {
    let params = &iseq.params;
    let is_block = matches!(iseq.kind, IseqKind::Block | IseqKind::Lambda);
    let others = params.lead + params.optional() + params.post;
    let is_alone = others == 0 && !params.takes_keywords() && !params.accepts_no_keywords && !params.has_block;
    is_block && params.has_rest && is_alone && !iseq.flags.packs_values
}

/// See [`CodeData::in_place`].
fn in_place(iseq: &carat_iseq::Iseq) -> u8 {
    let params = &iseq.params;
    let fits = |n: u16| match iseq.kind {
        _ if iseq.flags.packs_values => n < 2 && n >= u16::from(iseq.flags.tells_groups),
        _ if !params.is_simple() => false,
        IseqKind::Lambda => n == params.lead,
        _ => !iseq.flags.auto_splat || n > 1,
    };
    (0..8).filter(|n| fits(*n)).fold(0, |bits, n| bits | 1 << n)
}

/// The cache array of one code and its variants, and the plans that cells of keyword calls lead to, with their sites.
struct Cells {
    cells: Box<[UnsafeCell<CacheCell>]>,
    plans: UnsafeCell<Vec<Plan>>,
    /// Variants of the code run with different refinements.
    has_several_scopes: Cell<bool>,
}

impl Cells {
    fn new(count: usize) -> Arc<Cells> {
        let cells = (0..count).map(|_| UnsafeCell::new(CacheCell::EMPTY)).collect();
        Arc::new(Cells { cells, plans: UnsafeCell::default(), has_several_scopes: Cell::new(false) })
    }
}

/// What a keyword call at site `index` does with receivers of a shape.
struct Plan {
    index: usize,
    shape: u32,
    call: Box<KeywordCall>,
}

impl Drop for Cells {
    fn drop(&mut self) {
        self.cells.iter_mut().for_each(|cell| cell.get_mut().drop_list());
    }
}

// SAFETY: only the threads of one Ractor touch what is inside, one at a time; the Arc itself may be dropped elsewhere.
unsafe impl Send for Cells {}
// SAFETY: as above.
unsafe impl Sync for Cells {}

/// Code that a library evaluates under such a name hides its frames as the core does: RubyGems' `Kernel#require`, say.
const INTERNAL: &str = "<internal:";

impl CodeData {
    /// Makes the code of a linked iseq. Allocates; does not poll.
    pub(crate) fn new(
        ec: &Ec,
        iseq: Arc<LinkedIseq>,
        method: Value,
        cref: Value,
        name: Option<SymbolId>,
    ) -> &'static CodeData {
        iseq.link(ec);
        let runs_once = matches!(iseq.iseq.kind, IseqKind::Top | IseqKind::Class);
        if runs_once && !iseq.iseq.flags.is_core {
            ec.heap().hurry(size_of::<CodeData>() + size_of::<CacheCell>() * iseq.sites.len() + iseq.memsize());
        }
        if matches!(iseq.iseq.kind, IseqKind::Top | IseqKind::Eval) && !iseq.iseq.flags.is_core {
            crate::run::warning::note_block_users(ec, &iseq.iseq);
        }
        let cells = Cells::new(iseq.sites.len());
        CodeData::with_cells(ec, iseq, method, cref, name, cells)
    }

    fn with_cells(
        ec: &Ec,
        iseq: Arc<LinkedIseq>,
        method: Value,
        cref: Value,
        name: Option<SymbolId>,
        cells: Arc<Cells>,
    ) -> &'static CodeData {
        let source = &iseq.iseq;
        let takes_rest_alone = takes_rest_alone(source);
        let data = CodeData {
            this: Value::NIL,
            kind: CodeKind::of(source.kind),
            is_simple: source.params.is_simple(),
            in_place_below: match source {
                _ if source.params.is_simple() => u16::from(u8::MAX),
                _ if source.flags.packs_values => 2,
                _ => 0,
            },
            in_place_from: u8::from(source.flags.tells_groups),
            in_place: in_place(source),
            auto_splat: source.flags.auto_splat,
            is_core: source.flags.is_core || source.path().starts_with(INTERNAL),
            takes_rest_alone,
            packs_values: source.flags.packs_values,
            lead: match source {
                _ if source.flags.tells_groups => 1 + GROUP_LOCALS.len() as u16,
                _ => source.params.lead + u16::from(source.flags.packs_values || takes_rest_alone),
            },
            frame_size: source.frame_size,
            local_size: source.local_size,
            insns: source.insns.as_ptr(),
            start: Cell::new(source.insns.as_ptr()),
            count_entry: COUNT_ENTRY,
            compilation: Compilation::new(ec.vm().config.jit),
            literals: iseq.literals.as_ptr(),
            caches: cells.cells.as_ptr().cast_mut().cast(),
            children: (0..source.child_count()).map(|_| Cell::new(std::ptr::null())).collect(),
            iseq: Some(iseq.clone()),
            native: None,
            borrows: 0,
            method,
            cref,
            name,
            default_visibility: Cell::new(Visibility::Public),
            module_function: Cell::new(false),
            ractor: ec.ractor().id,
            is_isolated: Cell::new(false),
            has_escaped: Cell::new(false),
            is_variant: Arc::strong_count(&cells) > 1,
            cells,
        };
        let code = data.into_heap(ec);
        // Code that is made during a marking is not traced by it, and its cells may be those of code that dies.
        if ec.vm().shapes.has_retired() {
            code.forget_retired(&ec.vm().shapes, ec.vm().config.jit);
        }
        code
    }

    /// The code of a native method.
    pub(crate) fn native(
        ec: &Ec,
        function: NativeFn,
        borrows: u8,
        method: Value,
        name: Option<SymbolId>,
    ) -> &'static CodeData {
        let data =
            CodeData { kind: CodeKind::Native, native: Some(function), borrows, method, name, ..CodeData::boundary() };
        data.into_heap(ec)
    }

    /// The code of boundary frames. It is no heap object: it belongs to a context.
    pub(crate) fn boundary() -> CodeData {
        CodeData {
            this: Value::NIL,
            kind: CodeKind::Boundary,
            is_simple: false,
            in_place_below: 0,
            in_place_from: 0,
            in_place: 0,
            auto_splat: false,
            takes_rest_alone: false,
            packs_values: false,
            is_core: false,
            lead: 0,
            frame_size: 1,
            local_size: 1,
            insns: std::ptr::null(),
            start: Cell::new(std::ptr::null()),
            count_entry: COUNT_ENTRY,
            compilation: Compilation::new(Jit::Off),
            literals: std::ptr::null(),
            caches: std::ptr::null_mut(),
            iseq: None,
            native: None,
            borrows: 0,
            method: Value::NIL,
            cref: Value::NIL,
            name: None,
            default_visibility: Cell::new(Visibility::Public),
            module_function: Cell::new(false),
            ractor: 0,
            is_isolated: Cell::new(false),
            has_escaped: Cell::new(false),
            is_variant: false,
            children: Box::new([]),
            cells: Cells::new(0),
        }
    }

    fn into_heap(self, ec: &Ec) -> &'static CodeData {
        let pool = pool_for(size_of::<ROwner>()).expect("fits the smallest pool");
        let boxed = Box::leak(Box::new(self));
        let this =
            ec.new_owner(HeapType::Code, pool, crate::model::shape::ROOT_HIDDEN, std::ptr::from_mut(boxed).cast());
        boxed.this = this;
        let is_counted = matches!(boxed.kind, CodeKind::Method | CodeKind::Block | CodeKind::Lambda);
        if is_counted && ec.vm().config.jit != Jit::Off {
            boxed.start.set(&raw const boxed.count_entry);
        }
        boxed
    }

    /// The code of block or method number `index` inside this code, in the same scope.
    pub(crate) fn child(&self, ec: &Ec, index: usize) -> &'static CodeData {
        let cached = self.children[index].get();
        if !cached.is_null() {
            // SAFETY: children are kept alive by this code's trace.
            return unsafe { &*cached };
        }
        let linked = self.linked().child(index);
        let code = CodeData::new(ec, linked, self.method, self.cref, self.name);
        code.compilation.is_child_of(self);
        self.children[index].set(code);
        ec.heap().barrier(self.this, code.this);
        code
    }

    /// The same code in another scope, for `instance_eval` and its kin.
    pub(crate) fn with_cref(&self, ec: &Ec, cref: Value) -> &'static CodeData {
        if !self.has_several_scopes() && !Cref::have_same_refinements(self.cref, cref) {
            self.forget_calls();
        }
        CodeData::with_cells(ec, self.linked().clone(), self.method, cref, self.name, self.cells.clone())
    }

    /// Nothing refers to an environment of the code once it has run, and what it defines next is public.
    fn leaves_no_trace(&self) -> bool {
        let is_public = self.default_visibility.get() == Visibility::Public && !self.module_function.get();
        is_public && !self.has_escaped.get()
    }

    /// Whether the cells serve code that runs with different refinements: those of names that are refined stay empty then.
    pub(crate) fn has_several_scopes(&self) -> bool {
        self.cells.has_several_scopes.get()
    }

    #[cold]
    fn forget_calls(&self) {
        self.cells.has_several_scopes.set(true);
        for (site, cell) in self.linked().sites.iter().zip(&self.cells.cells) {
            if matches!(site, LinkedSite::Call(_)) {
                // SAFETY: one thread at a time runs code of a Ractor, and nothing holds on to cells.
                let cell = unsafe { &mut *cell.get() };
                cell.drop_list();
                *cell = CacheCell::EMPTY;
            }
        }
    }

    /// The same block as the body of a method (`define_method`).
    pub(crate) fn with_method(&self, ec: &Ec, method: Value, cref: Value, name: SymbolId) -> &'static CodeData {
        if self.ractor != ec.ractor().id {
            return CodeData::new(ec, self.linked().clone(), method, cref, Some(name));
        }
        CodeData::with_cells(ec, self.linked().clone(), method, cref, Some(name), self.cells.clone())
    }

    /// Empties the cells that know shapes which are retired. The cells of constants and of what runs once know none.
    pub(crate) fn forget_retired(&self, shapes: &ShapeTable, jit: Jit) {
        let Some(linked) = &self.iseq else { return };
        if self.compilation.units.forget(shapes) {
            self.compilation.lead_calls();
            self.ask_again(jit);
        }
        if let Some(compiled) = self.compilation.compiled.get() {
            compiled.shapes().filter(|shape| !shapes.is_used(*shape)).for_each(|shape| shapes.is_known_to_code(shape));
        }
        for (site, cell) in linked.sites.iter().zip(&self.cells.cells) {
            // SAFETY: during a collection no code of the Ractor runs.
            let cell = unsafe { &mut *cell.get() };
            match site {
                LinkedSite::Call(_) => cell.forget_retired(shapes, |entry| entry.shape),
                LinkedSite::Variable(_) => cell.forget_retired(shapes, |entry| (entry.key >> 32) as u32),
                LinkedSite::Constant(_) | LinkedSite::Once(_) => {}
            }
        }
    }

    /// Units were given up: calls are counted until the optimizing compiler is asked again.
    pub(crate) fn ask_again(&self, jit: Jit) {
        self.compilation.cool(jit);
        self.count_calls();
    }

    /// Calls are counted from here on: machine code does that itself.
    pub(crate) fn count_calls(&self) {
        match self.compilation.compiled.get() {
            Some(_) => self.start.set(self.start_at(0)),
            None => self.start.set(&raw const self.count_entry),
        }
    }

    /// Keeps the plan of a keyword call for receivers of a shape at site `index`, instead of an earlier one.
    pub(crate) fn keep_plan(&self, index: usize, shape: ShapeId, call: KeywordCall) -> *const KeywordCall {
        // SAFETY: one thread at a time runs code of a Ractor, and nothing holds on to the list.
        let plans = unsafe { &mut *self.cells.plans.get() };
        plans.retain(|plan| plan.index != index || plan.shape != shape.0);
        plans.push(Plan { index, shape: shape.0, call: Box::new(call) });
        &raw const *plans[plans.len() - 1].call
    }

    /// Remembers what a call of `name` does with receivers of the entry's shape, as found while the name's epoch was `epoch`.
    ///
    /// # Safety
    /// The cell is one of this code, which belongs to the running Ractor.
    pub(crate) unsafe fn remember_call(
        &self,
        ec: &Ec,
        cell: *mut CacheCell,
        name: SymbolId,
        epoch: u32,
        entry: polymorphic::Entry,
    ) {
        // SAFETY: by contract: one thread at a time runs code of a Ractor, and nothing holds on to cells or plans.
        unsafe {
            if !(*cell).add_call(entry, epoch, ec.vm().method_epoch(name)) {
                ec.ractor().site_cache.add(cell, entry, epoch);
            } else if !(*cell).has_several() {
                let index = cell.offset_from(self.caches) as usize;
                (*self.cells.plans.get()).retain(|plan| plan.index != index || plan.shape == entry.shape);
            }
        }
    }

    /// The data of a heap object of type Code.
    pub(crate) fn of<'a>(object: Value) -> &'a CodeData {
        assert!(object.is_type(HeapType::Code), "code");
        // SAFETY: checked to be code, whose slot leads to its data as long as it lives.
        unsafe { &*(*object.as_ptr::<ROwner>()).native.cast::<CodeData>() }
    }

    /// Bytes outside the slot. A variant's cells and iseq are counted by the code that it is one of.
    pub(crate) fn memsize(&self) -> usize {
        let (own, cells) = self.memsizes();
        let iseq = self.iseq.as_ref().map_or(0, |iseq| iseq.memsize());
        if self.is_variant { own } else { own + cells + iseq }
    }

    /// Bytes of the data itself, and of the cells, which variants share.
    pub(crate) fn memsizes(&self) -> (usize, usize) {
        // SAFETY: nothing runs and holds on to the list.
        let plans = unsafe { &*self.cells.plans.get() };
        let plans = plans.capacity() * size_of::<(usize, Box<KeywordCall>)>() + plans.len() * size_of::<KeywordCall>();
        let cells = size_of::<Cells>() + size_of_val(&*self.cells.cells) + plans;
        let compiled = self.compilation.compiled.get().map_or(0, |compiled| compiled.memsize());
        (size_of::<CodeData>() + size_of_val(&*self.children) + compiled, cells)
    }

    pub(crate) fn linked(&self) -> &Arc<LinkedIseq> {
        self.iseq.as_ref().expect("only code of an iseq has instructions")
    }

    /// The word of the iseq that a place in it, or in the records of its machine code, stands for.
    pub(crate) fn word_of(&self, pc: *const Insn) -> u32 {
        let word = pc.addr().wrapping_sub(self.insns.addr()) / size_of::<Insn>();
        if self.iseq.as_ref().is_some_and(|linked| word < linked.iseq.insns.len()) {
            return word as u32;
        }
        if let Some(word) = self.compilation.units.word_of(pc) {
            return word;
        }
        if let Some(word) = self.compilation.compiled.get().and_then(|compiled| compiled.word_of(pc)) {
            return word;
        }
        if pc.addr() == (&raw const self.count_entry).addr() {
            return 0;
        }
        if let Some(origin) = self.compilation.origin() {
            return origin.word_of(pc);
        }
        word as u32
    }

    /// Where a call begins whose arguments lead to a word of the iseq. It counts as a call.
    #[inline(always)]
    pub(crate) fn start_from(&self, ec: &Ec, entry: usize) -> *const Insn {
        if entry == 0 { self.start.get() } else { crate::compiled::start_behind(ec, self, entry) }
    }

    /// Where to go on to run from a word of the iseq.
    #[inline(always)]
    pub(crate) fn start_at(&self, word: usize) -> *const Insn {
        if let Some(entry) = self.compilation.units.entry(word) {
            return entry;
        }
        let compiled = self.compilation.compiled.get().and_then(|compiled| compiled.entry(word));
        compiled.unwrap_or(self.insns.wrapping_add(word))
    }

    /// Where the address of a child is kept, null until it is made.
    pub(crate) fn child_place(&self, index: usize) -> usize {
        std::ptr::from_ref(&self.children[index]).expose_provenance()
    }

    pub(crate) fn existing_children(&self) -> impl Iterator<Item = Value> {
        // SAFETY: children are kept alive by this code's trace.
        self.children.iter().filter(|c| !c.get().is_null()).map(|c| unsafe { (*c.get()).this })
    }
}
