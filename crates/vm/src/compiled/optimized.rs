//! Units of the optimizing compiler (`jit`): what they ask of the VM, and where they are entered.
//!
//! A unit is entered by an `enter_compiled` word at a call's beginning or a loop's head, and left into the iseq. While one runs nothing
//! else does, and no frame knows of it: it may be dropped whenever the interpreter runs.
//!
//! # Invariants
//! * Units hold numbers of shapes, so those of a code go when shapes retire.
//! * What else they hold is kept alive by what their guards check.

use super::enter::ADDRESS_SHIFT;
use super::{Jit, Memory};
use crate::ec::Ec;
use crate::model::shape::ROOT_INTEGER;
use crate::run::code::{CacheCell, CodeData};
use crate::run::frame::Fp;
use crate::run::interp::{Handler, ops};
use crate::run::polymorphic::{SEVERAL, places};
use crate::value::array::Array;
use carat_asm::Range;
use carat_iseq::{Insn, Iseq, Op};
use carat_jit::{Call, CodeId, Constant, Epoch, Field, Layout, Sample, Target, Unit, World};
use carat_layout::{BufHead, HeapType, RArrayEmbedded, RView, Value, flags, pool_for};
use std::cell::RefCell;
use std::mem::offset_of;
use std::sync::atomic::Ordering;

/// The units of one code.
#[derive(Default)]
pub(crate) struct Units {
    units: RefCell<Vec<OneUnit>>,
    /// Words where a unit was asked for.
    tried: RefCell<Vec<u32>>,
}

struct OneUnit {
    memory: Memory,
    range: Range,
    word: u32,
    /// What leads into it.
    enter: Box<u64>,
}

impl OneUnit {
    fn enter(&self) -> *const Insn {
        (&raw const *self.enter).cast()
    }
}

impl Drop for OneUnit {
    fn drop(&mut self) {
        self.memory.lock().unwrap_or_else(|e| e.into_inner()).give_back(self.range);
    }
}

impl Units {
    /// Where the unit is entered that begins at a word.
    pub(crate) fn entry(&self, word: usize) -> Option<*const Insn> {
        self.units.borrow().iter().find(|unit| unit.word as usize == word).map(OneUnit::enter)
    }

    /// The word that an entry stands for.
    pub(crate) fn word_of(&self, pc: *const Insn) -> Option<u32> {
        self.units.borrow().iter().find(|unit| unit.enter() == pc).map(|unit| unit.word)
    }

    /// Shapes are used again. True if there was anything.
    pub(crate) fn forget(&self) -> bool {
        self.tried.borrow_mut().clear();
        !std::mem::take(&mut *self.units.borrow_mut()).is_empty()
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

/// Compiles the unit that begins at a word, for a frame that is about to run it; once.
///
/// # Safety
/// The frame is the running one, and the code is its.
#[cold]
#[inline(never)]
pub(super) unsafe fn compile(ec: &Ec, code: &CodeData, fp: Fp, word: u32) {
    let units = &code.compilation.units;
    if code.ractor != ec.ractor().id || ec.is_compiled_off.get() || !units.is_first_at(word) {
        return;
    }
    let view = View { ec, fp, layout: layout(ec) };
    let unit = Unit { code: id_of(code), word };
    let mut show = |graph: &carat_jit::Graph| {
        if let Some(show) = ec.vm().config.show_graph {
            show(&carat_jit::printed(graph));
        }
    };
    let Ok(bytes) = carat_jit::compile(&view, unit, &mut show) else { return };
    let memory = ec.ractor().machine_code.clone();
    let Some(range) = memory.lock().unwrap_or_else(|e| e.into_inner()).take(bytes.len()) else { return };
    // SAFETY: the memory is this Ractor's, whose turn this thread has, and it is not in compiled code.
    let written = unsafe { memory.lock().unwrap_or_else(|e| e.into_inner()).write(range, &bytes) };
    let enter = Box::new((range.start as u64) << ADDRESS_SHIFT | Op::enter_compiled as u64);
    let unit = OneUnit { memory, range, word, enter };
    if written.is_ok() {
        units.units.borrow_mut().push(unit);
        code.start.set(code.start_at(0));
    }
}

fn id_of(code: &CodeData) -> CodeId {
    CodeId(std::ptr::from_ref(code).expose_provenance() as u64)
}

/// The VM for one compilation: nothing is collected meanwhile.
struct View<'a> {
    ec: &'a Ec,
    fp: Fp,
    layout: Layout,
}

fn layout(ec: &Ec) -> Layout {
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
        integer_shape: ROOT_INTEGER.0,
        array_shape: ec.array_shape.0,
        limit: Ec::LIMIT_OFFSET as i32,
        exits: offset_of!(Ec, exits) as i32,
        is_compiled_off: offset_of!(Ec, is_compiled_off) as i32,
        field_key: flags::FIELD_KEY,
        pool_mask: flags::POOL_MASK as u32,
        pool_shift: flags::POOL_SHIFT,
        type_mask: flags::TYPE_MASK as u32,
        array_type: HeapType::Array as u32,
        frozen: flags::FROZEN as u32,
        old: flags::OLD as u32,
        logged: flags::LOGGED as u32,
        storage_mask: flags::STORAGE_MASK as u32,
        storage_view: flags::STORAGE_VIEW as u32,
        embedded_len_shift: flags::EMBEDDED_LEN_SHIFT,
        embedded_len_mask: flags::EMBEDDED_LEN_MASK as u32,
        view_len: offset_of!(RView, len) as i32,
        view_ptr: offset_of!(RView, ptr) as i32,
        view_buf: offset_of!(RView, buf) as i32,
        buf_count: offset_of!(BufHead, count) as i32,
        embedded_elements: offset_of!(RArrayEmbedded, elements) as i32,
        code_caches: offset_of!(CodeData, caches) as i32,
        address_shift: ADDRESS_SHIFT as u8,
        enter_compiled: Op::enter_compiled as u8,
        failing_period,
    }
}

impl View<'_> {
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
        (cell.shape == places::IN_SLOT).then_some(Field { key: cell.key, offset, next_shape })
    }

    fn call(&self, code: CodeId, site: u16) -> Option<Call> {
        let cell = self.cell(code, site);
        if cell.shape == 0 || cell.shape == SEVERAL {
            return None;
        }
        let is = |handler: Handler| cell.key == handler as usize as u64;
        let (plain, with_block): (Handler, Handler) = (ops::invoke_iseq, ops::invoke_iseq_block);
        let target = if is(plain) || is(with_block) {
            Target::Method(CodeId(cell.target))
        } else if is(ops::invoke_reader) {
            Target::Reader { offset: u32::try_from(cell.target).ok()? }
        } else {
            return None;
        };
        Some(Call { shape: cell.shape, epoch: self.epoch(cell)?, target })
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

    fn lead(&self, code: CodeId) -> u16 {
        self.code(code).lead
    }

    fn register(&self, register: u16) -> Sample {
        // SAFETY: self or a local of the running frame.
        Sample(unsafe { self.fp.reg(usize::from(register)) }.bits())
    }

    fn pool_for(&self, offset: u32) -> Option<u32> {
        pool_for(offset as usize + 8).map(|pool| u32::from(pool.0))
    }

    fn field_sample(&self, object: Sample, field: Field) -> Option<Sample> {
        let value = self.value(object);
        let header = value.header()?;
        let fits = field.key == 0 || header.bits() & flags::FIELD_KEY == field.key;
        if !fits || field.next_shape != 0 || field.offset as usize + 8 > header.slot_bytes() {
            return None;
        }
        // SAFETY: the field lies in the slot.
        let found = unsafe { *value.as_ptr::<u8>().add(field.offset as usize).cast::<Value>() };
        Some(Sample(found.bits()))
    }

    fn element_sample(&self, array: Sample) -> Option<Sample> {
        let array = Array::from_value(self.value(array))?;
        array.element(self.ec, 0).map(|element| Sample(element.bits()))
    }

    fn is_plain_array(&self, sample: Sample) -> bool {
        let is_plain = |header: &carat_layout::Header| {
            header.shape() == self.ec.array_shape && header.bits() & flags::STORAGE_MASK != flags::STORAGE_BUF
        };
        self.value(sample).header().is_some_and(is_plain)
    }
}
