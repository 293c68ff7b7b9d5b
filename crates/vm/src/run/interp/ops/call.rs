//! Calls: the inline cache, and the routines it leads to.

use super::basic::reg;
use super::{bind, handed_on, handler, variables};
use crate::ec::Ec;
use crate::model::class::{Class, Visibility};
use crate::model::method::{MethodEntry, MethodKind, OptimizedKind};
use crate::model::shape::shape_of;
use crate::model::symbol::sym;
use crate::run::args::pack;
use crate::run::code::{CacheCell, CodeData, CodeKind};
use crate::run::frame::{self, Fp};
use crate::run::interp::enter::{Return, write_header};
use crate::run::interp::{Handler, dispatch, publish, slow, turn};
use crate::run::link::CallSite;
use crate::run::native::Args;
use crate::run::polymorphic::other_handler;
use crate::run::proc::{BlockWord, Proc};
use crate::value::array::Array;
use crate::value::hash::Hash;
use crate::value::object::{FieldPlace, is_all_fields, offset_in_slot, place_of};
use carat_iseq::{CallFlags, Insn, Op};
use carat_layout::{Header, HeapType, ShapeId, SymbolId, Value, flags};
use std::sync::atomic::{Ordering, fence};

/// Jumps to the cached routine, or resolves anew.
macro_rules! through_cache {
    ($pc:ident, $fp:ident, $ec:ident, $caches:ident, $receiver:expr) => {{
        let cell = $caches.add(usize::from((*$pc).c));
        if (*cell).shape == shape_of($receiver).0 && (*(*cell).epoch_at).load(Ordering::Relaxed) == (*cell).epoch {
            let handler = (*cell).handler();
            return handler($pc, $fp, $ec, $caches);
        }
        send_other($pc, $fp, $ec, $caches)
    }};
}

// The cell is for another shape, or for several.
handler!(#[inline(never)] send_other(pc, fp, ec, caches) {
    let shape = shape_of(reg!(fp, (*pc).b)).0;
    match other_handler(ec, caches.add(usize::from((*pc).c)), shape) {
        Some(handler) => handler(pc, fp, ec, caches),
        None => slow::send_generic(pc, fp, ec, caches),
    }
});

handler!(send(pc, fp, ec, caches) {
    through_cache!(pc, fp, ec, caches, reg!(fp, (*pc).b))
});

handler!(send_simple(pc, fp, ec, caches) {
    through_cache!(pc, fp, ec, caches, reg!(fp, (*pc).b))
});

handler!(send_block(pc, fp, ec, caches) {
    through_cache!(pc, fp, ec, caches, reg!(fp, (*pc).b))
});

handler!(send_self(pc, fp, ec, caches) {
    let receiver = *fp;
    reg!(fp, (*pc).b) = receiver;
    through_cache!(pc, fp, ec, caches, receiver)
});

// An operator that became a call: `pc` is its ext word, the window is filled.
handler!(#[inline(never)] send_ext(pc, fp, ec, caches) {
    through_cache!(pc, fp, ec, caches, reg!(fp, (*pc).b))
});

// What the site calls returns to behind `new_result`, whose word says as much as that of any other call.
handler!(opt_new(pc, fp, ec, caches) {
    let call = pc.add(1);
    through_cache!(call, fp, ec, caches, reg!(fp, (*pc).b))
});

handler!(invokesuper(pc, fp, ec, caches) {
    let cell = caches.add(usize::from((*pc).c));
    if (*cell).shape == shape_of(*fp).0 && (*(*cell).epoch_at).load(Ordering::Relaxed) == (*cell).epoch {
        let handler = (*cell).handler();
        return handler(pc, fp, ec, caches);
    }
    super_other(pc, fp, ec, caches)
});

handler!(#[inline(never)] super_other(pc, fp, ec, caches) {
    match other_handler(ec, caches.add(usize::from((*pc).c)), shape_of(*fp).0) {
        Some(handler) => handler(pc, fp, ec, caches),
        None => slow::invokesuper(pc, fp, ec, caches),
    }
});

/// The routine for `super` to a method, and its target word. The block is the one that the running method got.
pub(crate) fn super_form(ec: &Ec, entry: &MethodEntry, site: &CallSite) -> (Handler, u64) {
    let resolved = entry.resolved(ec);
    let passes_on = site.flags.is_simple() && site.block.is_none();
    let handler = match &resolved.kind {
        MethodKind::Iseq(iseq) if passes_on && iseq.iseq.params.is_simple() && iseq.iseq.params.lead == site.argc => {
            Some(invoke_super as Handler)
        }
        MethodKind::Iseq(_) if passes_on => match bind::fit_of(resolved.code(ec), usize::from(site.argc)) {
            Some(bind::Fit::InPlace) => Some(bind::invoke_super_optional as Handler),
            Some(bind::Fit::Rest) => Some(bind::invoke_super_rest as Handler),
            None => None,
        },
        MethodKind::Iseq(_) if site.flags.is_splat() && site.block.is_none() => {
            Some(bind::invoke_super_splat as Handler)
        }
        MethodKind::Native(..) if passes_on => Some(invoke_super_native as Handler),
        _ => None,
    };
    match handler {
        Some(handler) => (handler, std::ptr::from_ref(resolved.code(ec)).expose_provenance() as u64),
        None => (slow::invoke_bound, entry.value().bits()),
    }
}

handler!(invoke_super(pc, fp, ec, caches) {
    let code = target(pc, caches);
    let base = Fp(fp.add(usize::from((*pc).b)));
    if !(*ec).may_enter(base.0.add(usize::from(code.frame_size))) {
        return slow::invokesuper(pc, fp, ec, caches);
    }
    let own = Fp(fp);
    let (block, block_env) = (own.word(frame::BLOCK), own.word(frame::BLOCK_ENV));
    push_frame_words(code, base, pc.add(1), fp, block, block_env, usize::from(code.lead) + 1);
    dispatch(code.start.get(), base.0, ec, code.caches)
});

/// Where a call stands: the calling code, the cell of the site in it, and the instruction.
#[derive(Clone, Copy)]
pub(crate) struct CallPlace<'a> {
    pub(crate) code: &'a CodeData,
    pub(crate) cell: *const CacheCell,
    pub(crate) op: Op,
    /// What it passes with `&` is a block as it stands.
    pub(crate) is_passing: bool,
}

/// The routine for a method at a site, and its target word.
pub(crate) fn cached_form(
    ec: &Ec,
    entry: &MethodEntry,
    site: &CallSite,
    place: CallPlace<'_>,
    receiver: Value,
) -> (Handler, u64) {
    let plain = site.flags.is_simple() && place.op != Op::send;
    let form = match &entry.kind {
        MethodKind::Optimized(OptimizedKind::New) if place.op == Op::new_result => new_form(ec, site, place, receiver),
        _ if plain => fast_form(ec, entry, site, place.op, receiver),
        _ if place.is_passing && site.flags.passes_block_alone() => passing_form(ec, entry, site),
        _ if site.flags.is_splat() && site.block.is_none() => splat_form(ec, entry, site),
        MethodKind::Iseq(_) => keyword_form(ec, entry, site, place, shape_of(receiver))
            .or_else(|| keyword_hash_form(ec, entry, site, place)),
        _ => None,
    };
    form.unwrap_or((slow::invoke_bound, entry.value().bits()))
}

fn new_form(ec: &Ec, site: &CallSite, place: CallPlace<'_>, receiver: Value) -> Option<(Handler, u64)> {
    let class = Class::from_value(receiver)?;
    // SAFETY: a constructor's code lives as long as nothing is defined.
    let code = unsafe { class.constructor(ec).as_ref()? };
    if !site.flags.is_simple() {
        return match keep_keyword_plan(ec, code, site, place, shape_of(receiver)) {
            Some(plan) => Some((bind::invoke_new_keywords, plan)),
            None => bind::takes_keyword_hash(code, site).then_some((bind::invoke_new_keyword_hash as Handler, 0)),
        };
    }
    let handler: Handler = match bind::fit_of(code, usize::from(site.argc))? {
        _ if code.is_simple => bind::invoke_new,
        bind::Fit::InPlace => bind::invoke_new_optional,
        bind::Fit::Rest => bind::invoke_new_rest,
    };
    Some((handler, u64::from(site.argc)))
}

fn keyword_form(
    ec: &Ec,
    entry: &MethodEntry,
    site: &CallSite,
    place: CallPlace<'_>,
    shape: ShapeId,
) -> Option<(Handler, u64)> {
    let plan = keep_keyword_plan(ec, entry.code(ec), site, place, shape).filter(|_| place.op == Op::send)?;
    Some((bind::invoke_keywords, plan))
}

/// The routine for keywords that the method takes as one hash: the last argument, or `**rest`.
fn keyword_hash_form(ec: &Ec, entry: &MethodEntry, site: &CallSite, place: CallPlace<'_>) -> Option<(Handler, u64)> {
    let code = entry.code(ec);
    let is_fit = place.op == Op::send && bind::takes_keyword_hash(code, site);
    is_fit.then(|| (bind::invoke_keyword_hash as Handler, std::ptr::from_ref(code).expose_provenance() as u64))
}

/// The address of a plan for a keyword call of `code`. Plans are kept for as many shapes as the cell has room for.
fn keep_keyword_plan(ec: &Ec, code: &CodeData, site: &CallSite, place: CallPlace<'_>, shape: ShapeId) -> Option<u64> {
    // SAFETY: the cell belongs to the running code.
    let (is_full, index) = unsafe { ((*place.cell).is_full(), place.cell.offset_from(place.code.caches) as usize) };
    let plan = bind::KeywordCall::plan(ec, code, site).filter(|_| !is_full)?;
    let plan: *const bind::KeywordCall = place.code.keep_plan(index, shape, plan);
    Some(plan.expose_provenance() as u64)
}

/// Routines for plain arguments that fit the method as they stand.
fn fast_form(ec: &Ec, entry: &MethodEntry, site: &CallSite, op: Op, receiver: Value) -> Option<(Handler, u64)> {
    let has_block = site.block.is_some();
    match &entry.kind {
        MethodKind::Iseq(iseq) if iseq.iseq.params.is_simple() && iseq.iseq.params.lead == site.argc => {
            let code = std::ptr::from_ref(entry.code(ec)).expose_provenance() as u64;
            Some((if has_block { invoke_iseq_block } else { invoke_iseq }, code))
        }
        MethodKind::Iseq(_) => {
            let code = entry.code(ec);
            let handler: Handler = match (bind::fit_of(code, usize::from(site.argc))?, has_block) {
                (bind::Fit::InPlace, false) => bind::invoke_optional,
                (bind::Fit::InPlace, true) => bind::invoke_optional_block,
                (bind::Fit::Rest, false) => bind::invoke_rest,
                (bind::Fit::Rest, true) => bind::invoke_rest_block,
            };
            Some((handler, std::ptr::from_ref(code).expose_provenance() as u64))
        }
        MethodKind::Native(..) => {
            let code = std::ptr::from_ref(entry.code(ec)).expose_provenance() as u64;
            Some((if has_block { invoke_native_block } else { invoke_native }, code))
        }
        MethodKind::Optimized(OptimizedKind::ProcCall) if !has_block => Some((invoke_proc, 0)),
        MethodKind::Optimized(kind) if !has_block => {
            let handler: Handler = match kind {
                OptimizedKind::Send if site.argc > 0 => handed_on::invoke_send,
                OptimizedKind::PublicSend if site.argc > 0 => handed_on::invoke_public_send,
                OptimizedKind::MethodCall => handed_on::invoke_method_object,
                _ => return None,
            };
            Some((handler, entry.value().bits()))
        }
        MethodKind::Proc(proc) if !has_block => block_method_form(ec, entry, *proc, site),
        MethodKind::AttrReader(name) if site.argc == 0 && !has_block => {
            attribute_form(ec, receiver, *name, invoke_reader, invoke_reader_beside)
                .or_else(|| variables::lacks_field(ec, receiver, *name).then_some((invoke_reader_absent, 0)))
        }
        MethodKind::AttrWriter(name) if site.argc == 1 && !has_block && op != Op::ext => {
            attribute_form(ec, receiver, *name, invoke_writer, invoke_writer_beside)
                .or_else(|| adding_form(ec, receiver, *name))
        }
        _ => None,
    }
}

/// The routine for a method that `define_method` made of a block which takes the arguments as they stand.
fn block_method_form(ec: &Ec, entry: &MethodEntry, proc: Value, site: &CallSite) -> Option<(Handler, u64)> {
    let code = block_method_code(ec, entry, proc, site.argc)?;
    Some((invoke_block_method as Handler, std::ptr::from_ref(code).expose_provenance() as u64))
}

/// The code of such a method, made of a Proc, that takes so many arguments.
pub(crate) fn block_method_code<'a>(
    ec: &'a Ec,
    entry: &'a MethodEntry,
    proc: Value,
    argc: u16,
) -> Option<&'a CodeData> {
    let is_ours = Proc::expect(proc).runs_in(ec);
    let code = is_ours.then(|| entry.code(ec)).filter(|code| code.kind != CodeKind::Native)?;
    (code.is_simple && code.lead == argc).then_some(code)
}

/// Routines for `f(a, *list)`, with `&block` perhaps.
fn splat_form(ec: &Ec, entry: &MethodEntry, site: &CallSite) -> Option<(Handler, u64)> {
    let handler: Handler = match &entry.kind {
        MethodKind::Iseq(_) => bind::invoke_splat,
        MethodKind::Native(..) if site.name != sym::LAMBDA => invoke_native_splat,
        MethodKind::Optimized(OptimizedKind::Send) => {
            return Some((handed_on::invoke_send_splat, entry.value().bits()));
        }
        MethodKind::Optimized(OptimizedKind::PublicSend) => {
            return Some((handed_on::invoke_public_send_splat, entry.value().bits()));
        }
        _ => return None,
    };
    Some((handler, std::ptr::from_ref(entry.code(ec)).expose_provenance() as u64))
}

/// Routines for plain arguments and `&block`. Those of `lambda` matter: it is to see that a block is no literal.
fn passing_form(ec: &Ec, entry: &MethodEntry, site: &CallSite) -> Option<(Handler, u64)> {
    let handler: Handler = match &entry.kind {
        MethodKind::Iseq(_) => {
            bind::fit_of(entry.code(ec), usize::from(site.argc)).map(|_| bind::invoke_passing as Handler)?
        }
        MethodKind::Native(..) if site.name != sym::LAMBDA => invoke_native_passing,
        _ => return None,
    };
    Some((handler, std::ptr::from_ref(entry.code(ec)).expose_provenance() as u64))
}

/// `in_slot` with the field's offset for an object of fields alone that has it there, otherwise `beside` with its number.
fn attribute_form(
    ec: &Ec,
    receiver: Value,
    name: carat_layout::SymbolId,
    in_slot: Handler,
    beside: Handler,
) -> Option<(Handler, u64)> {
    let header = receiver.header()?;
    let index = ec.find_field(header.shape(), name)?;
    if let (true, FieldPlace::InSlot(offset)) = (is_all_fields(header), place_of(header, index as usize)) {
        return Some((in_slot, offset as u64));
    }
    // Not every Ractor may read fields of classes.
    (!variables::is_class(header) || ec.is_main_ractor()).then_some((beside, u64::from(index)))
}

/// The form of a writer that adds a field where a slot has room for it, with the field's offset, and the shape that has the field
/// above that.
fn adding_form(ec: &Ec, receiver: Value, name: SymbolId) -> Option<(Handler, u64)> {
    let header = receiver.header().filter(|header| is_all_fields(header) && !header.has(flags::SHAREABLE))?;
    let shapes = &ec.vm().shapes;
    let next = shapes.known_transition(header.shape(), name).filter(|_| !ec.has_field_table(receiver))?;
    let offset = offset_in_slot(shapes.get(next).count() as usize - 1);
    Some((invoke_writer_adding, offset as u64 | u64::from(next.0) << 32))
}

/// Whether an attribute's writer is about to make the shape that has its field: the next call will know that.
pub(crate) fn makes_shape(ec: &Ec, entry: &MethodEntry, receiver: Value) -> bool {
    let (MethodKind::AttrWriter(name), Some(header)) = (&entry.kind, receiver.header()) else { return false };
    let is_new = ec.find_field(header.shape(), *name).is_none();
    is_new && is_all_fields(header) && ec.vm().shapes.known_transition(header.shape(), *name).is_none()
}

#[inline(always)]
unsafe fn target<'a>(pc: *const carat_iseq::Insn, caches: *mut crate::run::code::CacheCell) -> &'a CodeData {
    // SAFETY: the cell just hit.
    unsafe { &*((*caches.add(usize::from((*pc).c))).target as *const CodeData) }
}

/// The frame of a method with required parameters only: six words, then the locals that are not parameters.
macro_rules! push_plain {
    ($pc:ident, $fp:ident, $ec:ident, $caches:ident, $block:expr, $block_env:expr) => {{
        let code = target($pc, $caches);
        let base = Fp($fp.add(usize::from((*$pc).b)));
        if !(*$ec).may_enter(base.0.add(usize::from(code.frame_size))) {
            return slow::send_generic($pc, $fp, $ec, $caches);
        }
        push_frame_words(code, base, $pc.add(1), $fp, $block, $block_env, usize::from(code.lead) + 1);
        dispatch(code.start.get(), base.0, $ec, code.caches)
    }};
}

/// The header of a method's frame; registers from `locals_from` on that are locals become nil.
#[inline(always)]
pub(crate) unsafe fn push_frame_words(
    code: &CodeData,
    base: Fp,
    ret_pc: *const carat_iseq::Insn,
    caller: *mut Value,
    block: u64,
    block_env: u64,
    locals_from: usize,
) {
    // SAFETY: the window has its header words, and the frame was found to fit.
    unsafe {
        base.set_word(frame::CODE, std::ptr::from_ref(code) as u64);
        base.set_word(frame::BLOCK, block);
        base.set_word(frame::BLOCK_ENV, block_env);
        base.set_word(frame::ENV, base.0 as u64);
        base.set_word(frame::RET_PC, ret_pc as u64);
        base.set_word(frame::CALLER, caller as u64);
        let mut local = locals_from;
        while local < usize::from(code.local_size) {
            base.set_reg(local, Value::NIL);
            local += 1;
        }
    }
}

handler!(invoke_iseq(pc, fp, ec, caches) {
    push_plain!(pc, fp, ec, caches, 0, 0)
});

handler!(invoke_iseq_block(pc, fp, ec, caches) {
    let block = literal_block_word(ec, pc, fp);
    push_plain!(pc, fp, ec, caches, block, Fp(fp).word(frame::ENV))
});

/// The BLOCK word for a site's literal block.
#[inline(always)]
pub(super) unsafe fn literal_block_word(ec: *mut Ec, pc: *const carat_iseq::Insn, fp: *mut Value) -> u64 {
    // SAFETY: a `send_block` site has a literal block.
    unsafe {
        let code = Fp(fp).code();
        let index = code.linked().call_site(usize::from((*pc).c)).block.unwrap_or(0);
        std::ptr::from_ref(code.child(&*ec, usize::from(index))) as u64 | 1
    }
}

macro_rules! run_native {
    ($pc:ident, $fp:ident, $ec:ident, $caches:ident, $block:expr, $block_env:expr) => {
        run_native!($pc, $fp, $ec, $caches, $block, $block_env, send_generic)
    };
    ($pc:ident, $fp:ident, $ec:ident, $caches:ident, $block:expr, $block_env:expr, $slow:ident) => {{
        let argc = Fp($fp).code().linked().call_site(usize::from((*$pc).c)).argc;
        if (*$ec).is_armed() {
            return slow::$slow($pc, $fp, $ec, $caches);
        }
        run_native!(@at_once $pc, $fp, $ec, $caches, $block, $block_env, argc)
    }};
    (@at_once $pc:ident, $fp:ident, $ec:ident, $caches:ident, $block:expr, $block_env:expr, $argc:expr) => {{
        let base = Fp($fp.add(usize::from((*$pc).b)));
        let code = target($pc, $caches);
        let argc = $argc;
        write_header(base, code, Return { pc: $pc.add(1), fp: Fp($fp) }, $block, $block_env);
        publish($ec, $pc.add(1), base.0, base.0.add(1 + usize::from(argc)));
        let function = code.native.unwrap_unchecked();
        match function(&mut *$ec, Args::new(base, usize::from(argc), false)) {
            Ok(value) => {
                debug_assert!(!super::literals::gives_operand(&*$ec, value, code.borrows, base, usize::from(argc)), "a borrowing method keeps its operands to itself");
                reg!($fp, (*$pc).a) = value;
                dispatch($pc.add(1), $fp, $ec, $caches)
            }
            Err(_) => {
                publish($ec, $pc.add(1), $fp, base.0);
                slow::unwind($pc, $fp, $ec, $caches)
            }
        }
    }};
}

handler!(invoke_native(pc, fp, ec, caches) {
    run_native!(pc, fp, ec, caches, 0, 0)
});

// What `settle` chose: it saw in the same moment that nothing is armed.
handler!(invoke_native_borrowing(pc, fp, ec, caches) {
    let argc = Fp(fp).code().linked().call_site(usize::from((*pc).c)).argc;
    run_native!(@at_once pc, fp, ec, caches, 0, 0, argc)
});

handler!(invoke_super_native(pc, fp, ec, caches) {
    let own = Fp(fp);
    run_native!(pc, fp, ec, caches, own.word(frame::BLOCK), own.word(frame::BLOCK_ENV), invokesuper)
});

handler!(invoke_native_block(pc, fp, ec, caches) {
    let block = literal_block_word(ec, pc, fp);
    run_native!(pc, fp, ec, caches, block, Fp(fp).word(frame::ENV))
});

handler!(invoke_native_passing(pc, fp, ec, caches) {
    let (block, block_env) = bind::passed_words(&*ec, pc, fp);
    if block == bind::NOT_AS_IS {
        return slow::send_generic(pc, fp, ec, caches);
    }
    run_native!(pc, fp, ec, caches, block, block_env)
});

handler!(invoke_native_splat(pc, fp, ec, caches) {
    let (block, block_env) = bind::passed_words(&*ec, pc, fp);
    let argc = bind::splat_size(&*ec, pc, fp);
    if block == bind::NOT_AS_IS || argc == bind::NOT_PLAIN || (*ec).is_armed() {
        return slow::invoke_code_bound(pc, fp, ec, caches);
    }
    // From here on the window no longer holds the list, so the call may not be made anew: whatever is pending by then waits.
    bind::spread(&*ec, pc, fp);
    run_native!(@at_once pc, fp, ec, caches, block, block_env, argc)
});

handler!(invoke_reader(pc, fp, ec, caches) {
    let receiver = reg!(fp, (*pc).b);
    let offset = (*caches.add(usize::from((*pc).c))).target as usize;
    let header = receiver.as_ptr::<carat_layout::Header>();
    if offset + 8 > (*header).slot_bytes() {
        return slow::send_generic(pc, fp, ec, caches);
    }
    let value = *header.cast::<u8>().add(offset).cast::<Value>();
    reg!(fp, (*pc).a) = if value.is_undef() { Value::NIL } else { value };
    dispatch(pc.add(1), fp, ec, caches)
});

handler!(invoke_writer(pc, fp, ec, caches) {
    let receiver = reg!(fp, (*pc).b);
    let offset = (*caches.add(usize::from((*pc).c))).target as usize;
    let header = receiver.as_ptr::<carat_layout::Header>();
    if offset + 8 > (*header).slot_bytes() || (*header).has(carat_layout::flags::FROZEN) {
        return slow::send_generic(pc, fp, ec, caches);
    }
    let value = *fp.add(usize::from((*pc).b) + 1);
    *header.cast::<u8>().add(offset).cast::<Value>() = value;
    (*ec).heap().barrier(receiver, value);
    reg!(fp, (*pc).a) = value;
    dispatch(pc.add(1), fp, ec, caches)
});

// A writer that adds a field: in the upper half of the target is the shape of the object afterwards.
handler!(invoke_writer_adding(pc, fp, ec, caches) {
    let receiver = reg!(fp, (*pc).b);
    let target = (*caches.add(usize::from((*pc).c))).target;
    let offset = (target & 0xFFFF_FFFF) as usize;
    let header = receiver.as_ptr::<carat_layout::Header>();
    if offset + 8 > (*header).slot_bytes() || (*header).has(flags::FROZEN) {
        return slow::send_generic(pc, fp, ec, caches);
    }
    let value = *fp.add(usize::from((*pc).b) + 1);
    header.cast::<u8>().add(offset).cast::<Value>().write(value);
    (*header).set_shape(ShapeId((target >> 32) as u32));
    (*ec).heap().barrier(receiver, value);
    reg!(fp, (*pc).a) = value;
    dispatch(pc.add(1), fp, ec, caches)
});

// A reader of a field that objects of the shape do not have.
handler!(invoke_reader_absent(pc, fp, ec, caches) {
    reg!(fp, (*pc).a) = Value::NIL;
    dispatch(pc.add(1), fp, ec, caches)
});

handler!(#[inline(never)] invoke_reader_beside(pc, fp, ec, caches) {
    let receiver = reg!(fp, (*pc).b);
    // The shape is the cell's, so the object has the field, in the block that is there now: another Ractor may be replacing a class's.
    fence(Ordering::Acquire);
    let value = (*ec).field_at(receiver, (*caches.add(usize::from((*pc).c))).target as usize);
    reg!(fp, (*pc).a) = if value.is_undef() { Value::NIL } else { value };
    dispatch(pc.add(1), fp, ec, caches)
});

handler!(#[inline(never)] invoke_writer_beside(pc, fp, ec, caches) {
    let receiver = reg!(fp, (*pc).b);
    let header = receiver.as_ptr::<carat_layout::Header>();
    let chilled = if (*header).is_type(HeapType::String) { carat_layout::flags::CHILLED_MASK } else { 0 };
    let is_contended = variables::is_class(&*header) && (*ec).vm().has_several_ractors();
    if (*header).has(carat_layout::flags::FROZEN | chilled) || is_contended {
        return slow::send_generic(pc, fp, ec, caches);
    }
    let value = *fp.add(usize::from((*pc).b) + 1);
    (*ec).set_field_at(receiver, (*caches.add(usize::from((*pc).c))).target as usize, value);
    reg!(fp, (*pc).a) = value;
    dispatch(pc.add(1), fp, ec, caches)
});

// ---- yield ----

/// The frame of a block with required parameters only. Missing arguments and other locals become nil.
macro_rules! push_block {
    ($pc:ident, $fp:ident, $ec:ident, $caches:ident, $code:ident, $n:expr, $parent:expr, $flags:expr) => {{
        let base = Fp($fp.add(usize::from((*$pc).b)));
        if !(*$ec).may_enter(base.0.add(usize::from($code.frame_size))) {
            return slow::invokeblock_generic($pc, $fp, $ec, $caches);
        }
        push_block!(@at_once $pc, $fp, $ec, $caches, $code, $n, $parent, $flags)
    }};
    (@at_once $pc:ident, $fp:ident, $ec:ident, $caches:ident, $code:ident, $n:expr, $parent:expr, $flags:expr) => {{
        push_block!(@from $pc, $fp, $ec, $caches, $code, usize::from($code.lead.min(u16::from($n))) + 1, $parent, $flags)
    }};
    (@from $pc:ident, $fp:ident, $ec:ident, $caches:ident, $code:ident, $locals:expr, $parent:expr, $flags:expr) => {
        push_block!(@begin $pc, $fp, $ec, $caches, $code, $locals, $parent, $flags, $code.start.get())
    };
    // All registers are filled, and the block begins at a word.
    (@filled $pc:ident, $fp:ident, $ec:ident, $caches:ident, $code:ident, $word:ident, $parent:expr, $flags:expr) => {{
        let filled = usize::from($code.local_size);
        push_block!(@begin $pc, $fp, $ec, $caches, $code, filled, $parent, $flags, $code.start_from(&*$ec, $word))
    }};
    (@begin $pc:ident, $fp:ident, $ec:ident, $caches:ident, $code:ident, $locals:expr, $parent:expr, $flags:expr, $start:expr) => {{
        let base = Fp($fp.add(usize::from((*$pc).b)));
        let parent: u64 = $parent;
        base.set_word(frame::CODE, std::ptr::from_ref($code) as u64);
        base.set_word(frame::BLOCK, 0);
        base.set_word(frame::PARENT, parent);
        base.set_word(frame::FLAGS, $flags);
        base.set_word(frame::ENV, base.0 as u64);
        base.set_word(frame::RET_PC, $pc.add(1) as u64);
        base.set_word(frame::CALLER, $fp as u64);
        base.set_reg(0, Fp(parent as *mut Value).reg(0));
        let mut local: usize = $locals;
        while local < usize::from($code.local_size) {
            base.set_reg(local, Value::NIL);
            local += 1;
        }
        dispatch($start, base.0, $ec, $code.caches)
    }};
}

macro_rules! yield_to_literal {
    ($pc:ident, $fp:ident, $ec:ident, $caches:ident, $n:expr) => {{
        let own = Fp($fp);
        let home = if own.code().kind.is_block() { own.env().method_env() } else { own };
        let word = home.word(frame::BLOCK);
        if word & 1 == 0 {
            return invokeblock_proc($pc, $fp, $ec, $caches);
        }
        let code = &*((word & !1) as *const CodeData);
        let n: u8 = $n;
        if n > 7 || code.in_place >> n & 1 == 0 {
            return invokeblock_inexact($pc, $fp, $ec, $caches);
        }
        push_block!($pc, $fp, $ec, $caches, code, n, home.word(frame::BLOCK_ENV), 0)
    }};
}

handler!(invokeblock(pc, fp, ec, caches) {
    yield_to_literal!(pc, fp, ec, caches, (*pc).n)
});

handler!(invokeblock_one(pc, fp, ec, caches) {
    *fp.add(usize::from((*pc).b) + 1) = reg!(fp, (*pc).n);
    yield_to_literal!(pc, fp, ec, caches, 1)
});

// A literal block that takes more or fewer arguments, takes an array apart or makes one, or a `yield` of a splat.
handler!(#[inline(never)] invokeblock_inexact(pc, fp, ec, caches) {
    let home = Fp(fp).env().method_env();
    let code = &*((home.word(frame::BLOCK) & !1) as *const CodeData);
    let n = arrange_yielded(ec, pc, fp, code, code.kind == CodeKind::Lambda);
    if n == NOT_IN_PLACE {
        return invokeblock_placed(pc, fp, ec, caches, code, home.word(frame::BLOCK_ENV), 0);
    }
    push_block!(@at_once pc, fp, ec, caches, code, n, home.word(frame::BLOCK_ENV), 0)
});

/// Yields to a block that takes more than required parameters, or keywords that the site names, as far as that needs no setting up.
#[inline(always)]
unsafe fn invokeblock_placed(
    pc: *const Insn,
    fp: *mut Value,
    ec: *mut Ec,
    caches: *mut CacheCell,
    code: &CodeData,
    parent: u64,
    flags: u64,
) -> usize {
    // SAFETY: the running instruction and its window.
    unsafe {
        let (base, n) = (Fp(fp.add(usize::from((*pc).b))), yielded(pc));
        let word = bind::place_in_block(ec, code, base, n, flags != 0 || code.kind == CodeKind::Lambda);
        if word != bind::NOT_PLAIN {
            return push_block!(@filled pc, fp, ec, caches, code, word, parent, flags);
        }
        let locals_from = bind::place_yielded_keywords(&*ec, pc, fp, code);
        if locals_from == 0 {
            return slow::invokeblock_generic(pc, fp, ec, caches);
        }
        push_block!(@from pc, fp, ec, caches, code, locals_from, parent, flags)
    }
}

/// No number of arguments: see [`arrange`].
const NOT_IN_PLACE: u8 = u8::MAX;

/// As [`arrange`], for what a `yield` gives, the elements of a splat included.
unsafe fn arrange_yielded(ec: *mut Ec, pc: *const Insn, fp: *mut Value, code: &CodeData, is_lambda: bool) -> u8 {
    // SAFETY: the running instruction and its window.
    unsafe {
        let base = Fp(fp.add(usize::from((*pc).b)));
        let n = yielded(pc);
        if n != u8::MAX {
            return arrange(&*ec, code, base, n, is_lambda);
        }
        if !(*ec).may_enter(base.0.add(usize::from(code.frame_size))) {
            return NOT_IN_PLACE;
        }
        let site = Fp(fp).code().linked().call_site(usize::from((*pc).c));
        let is_list = site.flags.is_splat() && !site.flags.has(CallFlags::BLOCK_ARG);
        let count = if is_list { bind::splat_size(&*ec, pc, fp) } else { bind::NOT_PLAIN };
        let fits = |n: u8| code.takes_rest_alone || code.packs_values || yields_in_place(code, n, is_lambda);
        match u8::try_from(count) {
            Ok(n) if n < NOT_IN_PLACE && fits(n) => {
                bind::spread(&*ec, pc, fp);
                arrange_in_frame(&*ec, code, base, n, is_lambda)
            }
            _ => NOT_IN_PLACE,
        }
    }
}

/// Makes `n` arguments in a window the parameters of a block whose frame begins there, if that takes little; how many of its
/// registers they fill, or [`NOT_IN_PLACE`] with nothing done.
///
/// A block that may not be entered at once has to find the arguments as they were, and what is arranged has to be entered,
/// whatever is pending by then: an array that was made may have asked for a collection.
unsafe fn arrange(ec: &Ec, code: &CodeData, base: Fp, n: u8, is_lambda: bool) -> u8 {
    // SAFETY: by the caller.
    unsafe {
        if n == NOT_IN_PLACE || !ec.may_enter(base.0.add(usize::from(code.frame_size))) {
            return NOT_IN_PLACE;
        }
        arrange_in_frame(ec, code, base, n, is_lambda)
    }
}

/// As [`arrange`], for a frame that was found to fit.
unsafe fn arrange_in_frame(ec: &Ec, code: &CodeData, base: Fp, n: u8, is_lambda: bool) -> u8 {
    if yields_in_place(code, n, is_lambda) {
        return n;
    }
    // SAFETY: the window holds `n` arguments.
    unsafe {
        if code.takes_rest_alone {
            let rest = Array::from_slice(ec, std::slice::from_raw_parts(base.0.add(1), usize::from(n)));
            base.set_reg(1, rest.value());
            return 1;
        }
        if code.packs_values {
            pack(ec, code, base, usize::from(n));
            return code.lead as u8;
        }
        let is_fit = n == 1 && code.auto_splat && code.is_simple && !is_lambda && code.lead < u16::from(u8::MAX);
        if is_fit && base.reg(1).is_type(HeapType::Array) {
            spread(ec, code, base);
            return code.lead as u8;
        }
        if is_fit && code.in_place_from <= 1 && ec.never_responds(base.reg(1), sym::TO_ARY) {
            return 1;
        }
    }
    NOT_IN_PLACE
}

unsafe fn spread(ec: &Ec, code: &CodeData, base: Fp) {
    // SAFETY: the parameters are registers of the block's frame, which was found to fit.
    unsafe {
        let array = Array::from_value_unchecked(base.reg(1));
        for index in 0..usize::from(code.lead) {
            base.set_reg(1 + index, array.element(ec, index).unwrap_or(Value::NIL));
        }
    }
}

/// How many plain arguments a `yield` has; 255: as its site says.
#[inline(always)]
unsafe fn yielded(pc: *const carat_iseq::Insn) -> u8 {
    // SAFETY: the running instruction.
    unsafe { if (*pc).op as u8 == Op::invokeblock_one as u8 { 1 } else { (*pc).n } }
}

// The block is a Proc that was passed on.
handler!(#[inline(never)] invokeblock_proc(pc, fp, ec, caches) {
    let home = Fp(fp).env().method_env();
    let BlockWord::Proc(proc) = BlockWord::read(home) else {
        return slow::invokeblock_generic(pc, fp, ec, caches);
    };
    let Some(code) = proc.code() else { return invokeblock_symbol(pc, fp, ec, caches) };
    let n = arrange_yielded(ec, pc, fp, code, proc.is_lambda());
    let flags = if proc.is_lambda() { frame::flags::LAMBDA } else { 0 };
    if n == NOT_IN_PLACE {
        return invokeblock_placed(pc, fp, ec, caches, code, proc.env().0 as u64, flags);
    }
    push_block!(@at_once pc, fp, ec, caches, code, n, proc.env().0 as u64, flags)
});

/// Runs native code in a block's stead, whose window begins at `$base`, and goes on with its value. Ends the handler.
macro_rules! run_native_block {
    ($pc:ident, $fp:ident, $ec:ident, $caches:ident, $code:ident, $args:expr, $base:ident) => {{
        let function = (*$code).native.unwrap_unchecked();
        match function(&mut *$ec, $args) {
            Ok(value) => {
                reg!($fp, (*$pc).a) = value;
                dispatch($pc.add(1), $fp, $ec, $caches)
            }
            Err(_) => {
                publish($ec, $pc.add(1), $fp, $base.0);
                slow::unwind($pc, $fp, $ec, $caches)
            }
        }
    }};
}

// The block came from `&:name`. A native method runs at once, in a window that begins at the first argument; a method in Ruby that
// takes the arguments as they stand gets its frame there; a field is read.
handler!(#[inline(never)] invokeblock_symbol(pc, fp, ec, caches) {
    let n = usize::from(yielded(pc));
    let base = Fp(fp.add(usize::from((*pc).b) + 1));
    let called = match BlockWord::read(Fp(fp).env().method_env()) {
        BlockWord::Proc(proc) if n > 0 && n < usize::from(u8::MAX) && !(*ec).is_armed() => {
            symbol_call(&*ec, proc, base.reg(0), n - 1)
        }
        _ => SymbolCall::Other,
    };
    match called {
        SymbolCall::Native(code) => {
            write_header(base, code, Return { pc: pc.add(1), fp: Fp(fp) }, 0, 0);
            publish(ec, pc.add(1), base.0, base.0.add(n));
            run_native_block!(pc, fp, ec, caches, code, Args::new(base, n - 1, false), base)
        }
        SymbolCall::Plain(code) if (*ec).may_enter(base.0.add(usize::from(code.frame_size))) => {
            push_frame_words(code, base, pc.add(1), fp, 0, 0, n);
            dispatch(code.start.get(), base.0, ec, code.caches)
        }
        SymbolCall::Field(value) => {
            reg!(fp, (*pc).a) = value;
            dispatch(pc.add(1), fp, ec, caches)
        }
        SymbolCall::Plain(_) => slow::invokeblock_generic(pc, fp, ec, caches),
        SymbolCall::Other => invokeblock_object(pc, fp, ec, caches),
    }
});

// The block is an object with a native `call`, such as a block function of C code: it takes the receiver's place in the window.
handler!(#[inline(never)] invokeblock_object(pc, fp, ec, caches) {
    let n = yielded(pc);
    let base = Fp(fp.add(usize::from((*pc).b)));
    let code = match BlockWord::read(Fp(fp).env().method_env()) {
        BlockWord::Proc(proc) if n < u8::MAX && !(*ec).is_armed() => object_native(&*ec, proc, base),
        _ => std::ptr::null(),
    };
    if code.is_null() {
        return slow::invokeblock_generic(pc, fp, ec, caches);
    }
    let n = usize::from(n);
    write_header(base, &*code, Return { pc: pc.add(1), fp: Fp(fp) }, 0, 0);
    publish(ec, pc.add(1), base.0, base.0.add(n + 1));
    run_native_block!(pc, fp, ec, caches, code, Args::new(base, n, false), base)
});

/// Code of the native `call` of the object that a proc calls, which becomes the window's receiver; null for anything else.
#[inline(never)]
fn object_native(ec: &Ec, proc: crate::run::proc::Proc, base: Fp) -> *const CodeData {
    let Some(target) = proc.native_target().filter(|target| target.as_symbol().is_none() && !ec.traces_steps()) else {
        return std::ptr::null();
    };
    match ec.find_method(target, crate::model::symbol::sym::CALL).map(|method| method.resolved(ec)) {
        Some(method) if matches!(method.kind, MethodKind::Native(..)) => {
            // SAFETY: the window of the running instruction has a register for the receiver.
            unsafe { base.set_reg(0, target) };
            method.code(ec)
        }
        _ => std::ptr::null(),
    }
}

/// How a `yield` to the proc of a symbol can be done at once.
enum SymbolCall {
    Native(&'static CodeData),
    /// A method in Ruby that takes the arguments as they stand.
    Plain(&'static CodeData),
    /// An attribute, and its value.
    Field(Value),
    /// Not at once.
    Other,
}

/// What the proc of a symbol calls on a receiver with `argc` arguments: public methods alone.
#[inline(never)]
fn symbol_call(ec: &Ec, proc: crate::run::proc::Proc, receiver: Value, argc: usize) -> SymbolCall {
    let sees_refinements = |name: &SymbolId| !proc.cref().is_nil() && ec.vm().may_be_refined(*name);
    let name = proc.native_target().and_then(Value::as_symbol);
    let name = name.filter(|name| !sees_refinements(name) && !ec.traces_steps());
    let found = name.and_then(|name| ec.find_method(receiver, name)).filter(|m| m.visibility == Visibility::Public);
    let Some(method) = found.map(|method| method.resolved(ec)) else { return SymbolCall::Other };
    match &method.kind {
        MethodKind::Native(..) => SymbolCall::Native(method.code(ec)),
        MethodKind::Iseq(_) => handed_on::plain_code(ec, method, argc).map_or(SymbolCall::Other, SymbolCall::Plain),
        MethodKind::AttrReader(field) if argc == 0 && ec.is_main_ractor() => {
            SymbolCall::Field(ec.read_attribute(receiver, *field))
        }
        _ => SymbolCall::Other,
    }
}

/// The arguments of a `yield` are the block's parameters as they stand, but for surplus and missing ones.
#[inline(always)]
fn yields_in_place(code: &CodeData, n: u8, is_lambda: bool) -> bool {
    let fits = n >= code.in_place_from && u16::from(n) < code.in_place_below;
    fits && (!code.auto_splat || n > 1) && (code.lead == u16::from(n) || !is_lambda)
}

// `proc.call`: as `yield` to it.
handler!(#[inline(never)] invoke_proc(pc, fp, ec, caches) {
    let Some(proc) = Proc::from_value(reg!(fp, (*pc).b)) else {
        return slow::send_generic(pc, fp, ec, caches);
    };
    let argc = Fp(fp).code().linked().call_site(usize::from((*pc).c)).argc;
    let code = match proc.code() {
        Some(code) if argc < u16::from(u8::MAX) && code.ractor == (*ec).ractor().id => code,
        _ => return slow::send_generic(pc, fp, ec, caches),
    };
    let is_lambda = proc.is_lambda() || code.kind == CodeKind::Lambda;
    let base = Fp(fp.add(usize::from((*pc).b)));
    let n = arrange(&*ec, code, base, argc as u8, is_lambda);
    let flags = if proc.is_lambda() { frame::flags::LAMBDA } else { 0 };
    if n == NOT_IN_PLACE {
        let word = bind::place_in_block(ec, code, base, argc as u8, is_lambda);
        if word == bind::NOT_PLAIN {
            return slow::send_generic(pc, fp, ec, caches);
        }
        return push_block!(@filled pc, fp, ec, caches, code, word, proc.env().0 as u64, flags);
    }
    push_block!(@at_once pc, fp, ec, caches, code, n, proc.env().0 as u64, flags)
});

// A method that `define_method` made: a block with the receiver as `self`.
handler!(invoke_block_method(pc, fp, ec, caches) {
    let code = target(pc, caches);
    let parent = block_method_parent(&*ec, code);
    let base = Fp(fp.add(usize::from((*pc).b)));
    if !(*ec).may_enter(base.0.add(usize::from(code.frame_size))) {
        return slow::send_generic(pc, fp, ec, caches);
    }
    push_frame_words(code, base, pc.add(1), fp, 0, 0, usize::from(code.lead) + 1);
    base.set_word(frame::PARENT, parent);
    base.set_word(frame::FLAGS, frame::flags::LAMBDA | frame::flags::BMETHOD);
    dispatch(code.start.get(), base.0, ec, code.caches)
});

/// The environment around the block that a method was made of.
#[inline(always)]
pub(crate) fn block_method_parent(ec: &Ec, code: &CodeData) -> u64 {
    match MethodEntry::from_value(ec, code.method).map(|entry| &entry.kind) {
        // SAFETY: a method of this kind holds a Proc.
        Some(MethodKind::Proc(proc)) => unsafe { Proc::from_value_unchecked(*proc).env().0 as u64 },
        _ => 0,
    }
}

// ---- primitives ----

handler!(invokeprimitive(pc, fp, ec, caches) {
    let insn = *pc;
    let first = fp.add(usize::from(insn.b));
    let argc = usize::from(insn.n);
    let Some(function) = *Fp(fp).code().linked().primitives.get_unchecked(usize::from(insn.c)) else {
        publish(ec, pc.add(1), fp, first);
        crate::bug::missing_primitive(&mut *ec, usize::from(insn.c));
    };
    publish(ec, pc.add(1), fp, first.add(argc));
    // A primitive reads its arguments behind a receiver's place: the register below the first one.
    match function(&mut *ec, Args::new(Fp(first.sub(1)), argc, false)) {
        Ok(value) => {
            reg!(fp, insn.a) = value;
            dispatch(pc.add(1), fp, ec, caches)
        }
        Err(_) => slow::unwind(pc, fp, ec, caches),
    }
});

handler!(arraysize(pc, fp, ec, caches) {
    let size = Array::from_value(reg!(fp, (*pc).b)).map_or(0, |array| array.len(&*ec));
    reg!(fp, (*pc).a) = Value::len(size);
    dispatch(pc.add(1), fp, ec, caches)
});

handler!(arrayat(pc, fp, ec, caches) {
    let index = reg!(fp, (*pc).c);
    let element = match Array::from_value(reg!(fp, (*pc).b)) {
        Some(array) if index.is_fixnum() => array.element(&*ec, index.fixnum_value() as usize),
        _ => None,
    };
    reg!(fp, (*pc).a) = element.unwrap_or(Value::NIL);
    dispatch(pc.add(1), fp, ec, caches)
});

handler!(array_next(pc, fp, ec, caches) {
    let (x, index) = (reg!(fp, (*pc).b), reg!(fp, (*pc).c));
    if let Some(array) = Array::from_value(x)
        && index.is_fixnum()
        && let Some(element) = array.element(&*ec, index.fixnum_value() as usize)
    {
        reg!(fp, (*pc).a) = element;
        reg!(fp, (*pc).c) = Value::fixnum_unchecked(index.fixnum_value() + 1);
        let back = pc.add(1);
        if (*ec).is_armed() {
            return slow::poll_jump(back, fp, ec, caches);
        }
        return turn(pc.add(2).offset((*back).d() as isize), fp, ec, caches);
    }
    dispatch(pc.add(2), fp, ec, caches)
});

handler!(hash_next(pc, fp, ec, caches) {
    if !take_entry(ec, *pc, fp) {
        return dispatch(pc.add(2), fp, ec, caches);
    }
    let back = pc.add(1);
    if (*ec).is_armed() {
        return slow::poll_jump(back, fp, ec, caches);
    }
    turn(pc.add(2).offset((*back).d() as isize), fp, ec, caches)
});

/// Puts the entry behind a position into the registers of a `hash_next`; false if there is none.
///
/// # Safety
/// An instruction of the running frame.
#[inline(never)]
pub(crate) unsafe fn take_entry(ec: *mut Ec, insn: Insn, fp: *mut Value) -> bool {
    // SAFETY: the running frame, whose registers the verifier has checked.
    unsafe {
        let (x, position) = (reg!(fp, insn.b), reg!(fp, insn.c));
        let Some(hash) = Hash::from_value(x).or_else(|| Hash::from_set(x)) else { return false };
        let Some(next) = position.as_fixnum().and_then(|p| hash.next(&*ec, p as usize)) else { return false };
        reg!(fp, insn.a) = hash.key_at(&*ec, next - 1);
        reg!(fp, insn.a + 1) = hash.value_at(&*ec, next - 1);
        reg!(fp, insn.c) = Value::fixnum_unchecked(next as i64);
        true
    }
}

// ---- what operators ask ----

/// Nobody redefined `!` for this object.
#[inline(never)]
pub(crate) fn has_plain_not(ec: &Ec, value: Value) -> bool {
    ec.vm().is_as_booted(sym::NOT) || ec.responds_with(value, sym::NOT, ec.vm().known().basic_object)
}

#[inline(never)]
pub(crate) fn has_plain_nil_p(ec: &Ec, value: Value) -> bool {
    // Objects of a class of the program's may lack what Kernel has.
    let has_kernel = || value.is_heap() && ec.is_a(value, ec.vm().known().kernel);
    ec.vm().is_as_booted(sym::NIL_P) && has_kernel() || ec.responds_with(value, sym::NIL_P, ec.vm().known().kernel)
}

impl Ec {
    /// What an `attr_reader` answers.
    pub(crate) fn read_attribute(&self, receiver: Value, name: carat_layout::SymbolId) -> Value {
        self.field(receiver, name).unwrap_or(Value::NIL)
    }

    /// What an `attr_writer` does to an object of fields alone that has the field, or that others of its shape have got it before; false
    /// with any other.
    pub(crate) fn write_attribute_at_once(&self, receiver: Value, name: SymbolId, value: Value) -> bool {
        let is_plain = |header: &&Header| is_all_fields(header) && !header.has(flags::FROZEN | flags::SHAREABLE);
        let Some(header) = receiver.header().filter(is_plain) else { return false };
        let (shapes, shape) = (&self.vm().shapes, header.shape());
        let is_known = shapes.find(shape, name).is_some() || shapes.known_transition(shape, name).is_some();
        if is_known && !self.has_field_table(receiver) {
            self.set_field(receiver, name, value);
            return true;
        }
        false
    }
}
