//! Calls: the inline cache, and the routines it leads to.

use super::basic::reg;
use super::handler;
use crate::array::Array;
use crate::class::Visibility;
use crate::code::{CodeData, CodeKind};
use crate::ec::Ec;
use crate::frame::{self, Fp};
use crate::interp::enter::{Return, write_header};
use crate::interp::{Handler, dispatch, publish, slow};
use crate::link::CallSite;
use crate::method::{MethodEntry, MethodKind};
use crate::native::Args;
use crate::object::inline_capacity;
use crate::proc::BlockWord;
use crate::shape::shape_of;
use crate::symbol::sym;
use carat_iseq::Op;
use carat_layout::Value;
use std::sync::atomic::Ordering;

/// Jumps to the cached routine, or resolves anew.
macro_rules! through_cache {
    ($pc:ident, $fp:ident, $ec:ident, $caches:ident, $receiver:expr) => {{
        let cell = $caches.add(usize::from((*$pc).c));
        if (*cell).shape == shape_of($receiver).0 && (*(*cell).epoch_at).load(Ordering::Relaxed) == (*cell).epoch {
            let handler = (*cell).handler();
            return handler($pc, $fp, $ec, $caches);
        }
        slow::send_generic($pc, $fp, $ec, $caches)
    }};
}

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

handler!(invokesuper(pc, fp, ec, caches) {
    let cell = caches.add(usize::from((*pc).c));
    if (*cell).shape == shape_of(*fp).0 && (*(*cell).epoch_at).load(Ordering::Relaxed) == (*cell).epoch {
        return slow::invoke_bound(pc, fp, ec, caches);
    }
    slow::invokesuper(pc, fp, ec, caches)
});

/// The routine for a method at a site, and its target word.
pub(crate) fn cached_form(ec: &Ec, entry: &MethodEntry, site: &CallSite, op: Op, receiver: Value) -> (Handler, u64) {
    let plain = site.flags.is_simple() && op != Op::send;
    let form = if plain { fast_form(ec, entry, site, op, receiver) } else { None };
    form.unwrap_or((slow::invoke_bound, entry.value().bits()))
}

/// Routines for plain arguments that fit the method as they stand.
fn fast_form(ec: &Ec, entry: &MethodEntry, site: &CallSite, op: Op, receiver: Value) -> Option<(Handler, u64)> {
    let has_block = site.block.is_some();
    match &entry.kind {
        MethodKind::Iseq(iseq) if iseq.iseq.params.is_simple() && iseq.iseq.params.lead == site.argc => {
            let code = std::ptr::from_ref(entry.code(ec)).expose_provenance() as u64;
            Some((if has_block { invoke_iseq_block } else { invoke_iseq }, code))
        }
        MethodKind::Native(..) => {
            let code = std::ptr::from_ref(entry.code(ec)).expose_provenance() as u64;
            Some((if has_block { invoke_native_block } else { invoke_native }, code))
        }
        MethodKind::AttrReader(name) if site.argc == 0 && !has_block => {
            let header = receiver.header()?;
            let index = ec.find_field(header.shape(), *name)?;
            ((index as usize) < inline_capacity(header)).then_some((invoke_reader as Handler, 8 + 8 * u64::from(index)))
        }
        MethodKind::AttrWriter(name) if site.argc == 1 && !has_block && op != Op::ext => {
            let header = receiver.header()?;
            let index = ec.find_field(header.shape(), *name)?;
            ((index as usize) < inline_capacity(header)).then_some((invoke_writer as Handler, 8 + 8 * u64::from(index)))
        }
        _ => None,
    }
}

#[inline(always)]
unsafe fn target<'a>(pc: *const carat_iseq::Insn, caches: *mut crate::code::CacheCell) -> &'a CodeData {
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
        base.set_word(frame::CODE, std::ptr::from_ref(code) as u64);
        base.set_word(frame::BLOCK, $block);
        base.set_word(frame::BLOCK_ENV, $block_env);
        base.set_word(frame::ENV, base.0 as u64);
        base.set_word(frame::RET_PC, $pc.add(1) as u64);
        base.set_word(frame::CALLER, $fp as u64);
        let mut local = usize::from(code.lead) + 1;
        while local < usize::from(code.local_size) {
            base.set_reg(local, Value::NIL);
            local += 1;
        }
        dispatch(code.insns, base.0, $ec, code.caches)
    }};
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
unsafe fn literal_block_word(ec: *mut Ec, pc: *const carat_iseq::Insn, fp: *mut Value) -> u64 {
    // SAFETY: a `send_block` site has a literal block.
    unsafe {
        let code = Fp(fp).code();
        let index = code.linked().call_site(usize::from((*pc).c)).block.unwrap_or(0);
        std::ptr::from_ref(code.child(&*ec, usize::from(index))) as u64 | 1
    }
}

macro_rules! run_native {
    ($pc:ident, $fp:ident, $ec:ident, $caches:ident, $block:expr, $block_env:expr) => {{
        let base = Fp($fp.add(usize::from((*$pc).b)));
        if (*$ec).is_armed() {
            return slow::send_generic($pc, $fp, $ec, $caches);
        }
        let code = target($pc, $caches);
        let argc = Fp($fp).code().linked().call_site(usize::from((*$pc).c)).argc;
        write_header(base, code, Return { pc: $pc.add(1), fp: Fp($fp) }, $block, $block_env);
        publish($ec, $pc.add(1), base.0, base.0.add(1 + usize::from(argc)));
        let function = code.native.unwrap_unchecked();
        match function(&mut *$ec, Args::new(base, usize::from(argc), false)) {
            Ok(value) => {
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

handler!(invoke_native_block(pc, fp, ec, caches) {
    let block = literal_block_word(ec, pc, fp);
    run_native!(pc, fp, ec, caches, block, Fp(fp).word(frame::ENV))
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

// ---- yield ----

/// The frame of a block with required parameters only. Missing arguments and other locals become nil.
macro_rules! push_block {
    ($pc:ident, $fp:ident, $ec:ident, $caches:ident, $code:ident, $parent:expr, $flags:expr) => {{
        let base = Fp($fp.add(usize::from((*$pc).b)));
        if !(*$ec).may_enter(base.0.add(usize::from($code.frame_size))) {
            return slow::invokeblock_generic($pc, $fp, $ec, $caches);
        }
        let parent: u64 = $parent;
        base.set_word(frame::CODE, std::ptr::from_ref($code) as u64);
        base.set_word(frame::BLOCK, 0);
        base.set_word(frame::PARENT, parent);
        base.set_word(frame::FLAGS, $flags);
        base.set_word(frame::ENV, base.0 as u64);
        base.set_word(frame::RET_PC, $pc.add(1) as u64);
        base.set_word(frame::CALLER, $fp as u64);
        base.set_reg(0, Fp(parent as *mut Value).reg(0));
        let mut local = usize::from($code.lead.min(u16::from((*$pc).n))) + 1;
        while local < usize::from($code.local_size) {
            base.set_reg(local, Value::NIL);
            local += 1;
        }
        dispatch($code.insns, base.0, $ec, $code.caches)
    }};
}

handler!(invokeblock(pc, fp, ec, caches) {
    let own = Fp(fp);
    let home = if own.code().kind.is_block() { own.env().method_env() } else { own };
    let word = home.word(frame::BLOCK);
    if word & 1 == 0 {
        return invokeblock_proc(pc, fp, ec, caches);
    }
    let code = &*((word & !1) as *const CodeData);
    if !yields_in_place(code, (*pc).n, code.kind == CodeKind::Lambda) {
        return slow::invokeblock_generic(pc, fp, ec, caches);
    }
    push_block!(pc, fp, ec, caches, code, home.word(frame::BLOCK_ENV), 0)
});

// The block is a Proc that was passed on.
handler!(#[inline(never)] invokeblock_proc(pc, fp, ec, caches) {
    let home = Fp(fp).env().method_env();
    let BlockWord::Proc(proc) = BlockWord::read(home) else {
        return slow::invokeblock_generic(pc, fp, ec, caches);
    };
    let Some(code) = proc.code() else { return invokeblock_symbol(pc, fp, ec, caches) };
    if !yields_in_place(code, (*pc).n, proc.is_lambda()) {
        return slow::invokeblock_generic(pc, fp, ec, caches);
    }
    let flags = if proc.is_lambda() { frame::flags::LAMBDA } else { 0 };
    push_block!(pc, fp, ec, caches, code, proc.env().0 as u64, flags)
});

// The block came from `&:name`. A native method runs at once, in a window that begins at the first argument.
handler!(#[inline(never)] invokeblock_symbol(pc, fp, ec, caches) {
    let n = usize::from((*pc).n);
    let base = Fp(fp.add(usize::from((*pc).b) + 1));
    let code = match BlockWord::read(Fp(fp).env().method_env()) {
        BlockWord::Proc(proc) if n > 0 && n < usize::from(u8::MAX) && !(*ec).is_armed() => symbol_native(&*ec, proc, base.reg(0)),
        _ => std::ptr::null(),
    };
    if code.is_null() {
        return slow::invokeblock_generic(pc, fp, ec, caches);
    }
    write_header(base, &*code, Return { pc: pc.add(1), fp: Fp(fp) }, 0, 0);
    publish(ec, pc.add(1), base.0, base.0.add(n));
    let function = (*code).native.unwrap_unchecked();
    match function(&mut *ec, Args::new(base, n - 1, false)) {
        Ok(value) => {
            reg!(fp, (*pc).a) = value;
            dispatch(pc.add(1), fp, ec, caches)
        }
        Err(_) => {
            publish(ec, pc.add(1), fp, base.0);
            slow::unwind(pc, fp, ec, caches)
        }
    }
});

/// Code of the public native method that the proc of a symbol calls on a receiver; null for anything else.
#[inline(never)]
fn symbol_native(ec: &Ec, proc: crate::proc::Proc, receiver: Value) -> *const CodeData {
    let name = proc.native_target().and_then(Value::as_symbol).filter(|_| proc.cref().is_nil() && ec.trace_mask() == 0);
    let found = name.and_then(|name| ec.find_method(receiver, name)).filter(|m| m.visibility == Visibility::Public);
    match found.map(|method| method.resolved(ec)) {
        Some(method) if matches!(method.kind, MethodKind::Native(..)) => method.code(ec),
        _ => std::ptr::null(),
    }
}

/// The arguments of a `yield` are the block's parameters as they stand, but for surplus and missing ones.
#[inline(always)]
fn yields_in_place(code: &CodeData, n: u8, is_lambda: bool) -> bool {
    u16::from(n) < code.in_place_below && (!code.auto_splat || n > 1) && (code.lead == u16::from(n) || !is_lambda)
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
    let index = reg!(fp, (*pc).c).as_fixnum().and_then(|i| usize::try_from(i).ok());
    let element = match (Array::from_value(reg!(fp, (*pc).b)), index) {
        (Some(array), Some(index)) => array.at(&*ec, index),
        _ => Value::NIL,
    };
    reg!(fp, (*pc).a) = element;
    dispatch(pc.add(1), fp, ec, caches)
});

// ---- what operators ask ----

/// Nobody redefined `!` for this object.
#[inline(never)]
pub(crate) fn has_plain_not(ec: &Ec, value: Value) -> bool {
    ec.responds_with(value, sym::NOT, ec.vm().known().basic_object)
}

#[inline(never)]
pub(crate) fn has_plain_nil_p(ec: &Ec, value: Value) -> bool {
    ec.responds_with(value, sym::NIL_P, ec.vm().known().kernel)
}

impl Ec {
    /// What an `attr_reader` answers.
    pub(crate) fn read_attribute(&self, receiver: Value, name: carat_layout::SymbolId) -> Value {
        self.field(receiver, name).unwrap_or(Value::NIL)
    }
}
