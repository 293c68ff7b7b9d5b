//! Pushing frames for methods and blocks whose arguments need setting up.

use super::{dispatch, run};
use crate::ec::{Ec, Result};
use crate::model::method::{MethodEntry, MethodKind};
use crate::run::args::{Given, GivenKeywords, Strictness, set_up};
use crate::run::call::MissingReason;
use crate::run::code::{CodeData, CodeKind};
use crate::run::frame::{self, Fp};
use crate::run::native::Args;
use carat_iseq::Insn;
use carat_layout::{SymbolId, Value};

/// What a call did.
pub(crate) enum Entered {
    /// A native method ran to its end.
    Done(Value),
    /// A frame was pushed: go on with `ec.resume`.
    Frame,
}

/// Where a new frame returns to.
#[derive(Clone, Copy)]
pub(crate) struct Return {
    pub(crate) pc: *const Insn,
    pub(crate) fp: Fp,
}

/// Words that block frames have besides.
#[derive(Clone, Copy)]
pub(crate) struct BlockFrame {
    pub(crate) parent: Fp,
    pub(crate) flags: u64,
}

/// Binds arguments and pushes the frame of iseq code. `ec.resume` says where to go on.
///
/// # Safety
/// The window of `given` is at the top of the stack; `ret` is the running frame.
pub(crate) unsafe fn push_frame(
    ec: &mut Ec,
    code: &CodeData,
    given: &mut Given<'_>,
    ret: Return,
    block_frame: Option<BlockFrame>,
    strictness: Strictness,
) -> Result<()> {
    let base = given.base;
    let top = base.0.wrapping_add(usize::from(code.frame_size));
    if top.addr() > ec.stack.limit() {
        return Err(ec.stack_error());
    }
    // SAFETY: the window and the callee's registers lie within the stack.
    unsafe {
        let entry = match set_up(ec, code, given, strictness) {
            Ok(entry) => entry,
            Err(unwind) => {
                crate::run::backtrace::add_callee(ec, code);
                return Err(unwind);
            }
        };
        let (block, block_env) = given.block.words();
        write_header(base, code, ret, block, block_env);
        if let Some(b) = block_frame {
            base.set_word(frame::PARENT, b.parent.0.expose_provenance() as u64);
            base.set_word(frame::FLAGS, b.flags);
        }
        ec.resume = (code.start_from(ec, entry), base.0, code.caches);
    }
    // Binding arguments may run Ruby code, and until now nothing but this function referred to the code.
    std::hint::black_box(code.this);
    Ok(())
}

/// The words that every frame has.
#[inline(always)]
pub(crate) unsafe fn write_header(base: Fp, code: &CodeData, ret: Return, block: u64, block_env: u64) {
    // SAFETY: the window has its header words.
    unsafe {
        base.set_word(frame::CODE, std::ptr::from_ref(code).expose_provenance() as u64);
        base.set_word(frame::BLOCK, block);
        base.set_word(frame::BLOCK_ENV, block_env);
        base.set_word(frame::ENV, base.0.expose_provenance() as u64);
        base.set_word(frame::RET_PC, ret.pc.expose_provenance() as u64);
        base.set_word(frame::CALLER, ret.fp.0.expose_provenance() as u64);
    }
}

/// Calls a method entry with arguments in a window.
///
/// # Safety
/// As [`push_frame`].
pub(crate) unsafe fn enter_method(
    ec: &mut Ec,
    method: Value,
    name: SymbolId,
    given: &mut Given<'_>,
    ret: Return,
) -> Result<Entered> {
    let entry = MethodEntry::from_value(ec, method).expect("a method entry");
    // SAFETY: by contract.
    unsafe {
        match &entry.kind {
            MethodKind::Iseq(_) => {
                let code = entry.code(ec);
                push_frame(ec, code, given, ret, None, Strictness::Exact)?;
                Ok(Entered::Frame)
            }
            MethodKind::Native(..) => {
                let code = entry.code(ec);
                run_native(ec, code, given, ret).map(Entered::Done)
            }
            MethodKind::AttrReader(field) => {
                let field = *field;
                check_argc(ec, given, 0)?;
                let receiver = given.base.reg(0);
                if !ec.is_main_ractor() {
                    ec.instance_variable(receiver, field)?;
                }
                if ec.traces_native_calls() {
                    return traced_attribute(ec, method, name, receiver, |ec| Ok(ec.read_attribute(receiver, field)));
                }
                Ok(Entered::Done(ec.read_attribute(receiver, field)))
            }
            MethodKind::AttrWriter(field) => {
                let field = *field;
                check_argc(ec, given, 1)?;
                let (receiver, value) = (given.base.reg(0), given.base.reg(1));
                if ec.traces_native_calls() {
                    let assign = |ec: &mut Ec| ec.set_instance_variable(receiver, field, value).map(|_| value);
                    return traced_attribute(ec, method, name, receiver, assign);
                }
                ec.set_instance_variable(receiver, field, value)?;
                Ok(Entered::Done(value))
            }
            MethodKind::Proc(proc) => {
                let proc = crate::run::proc::Proc::expect(*proc);
                if !proc.runs_in(ec) {
                    return Err(ec.runtime_error("defined with an un-shareable Proc in a different Ractor"));
                }
                let code = entry.code(ec);
                if code.kind == CodeKind::Native {
                    return run_native(ec, code, given, ret).map(Entered::Done);
                }
                let flags = frame::flags::LAMBDA | frame::flags::BMETHOD;
                let block_frame = BlockFrame { parent: proc.env(), flags };
                push_frame(ec, code, given, ret, Some(block_frame), Strictness::Exact)?;
                Ok(Entered::Frame)
            }
            MethodKind::Alias(_) => {
                let target = entry.resolved(ec).value();
                enter_method(ec, target, name, given, ret)
            }
            MethodKind::Zsuper => match super::slow::super_method(ec, given.base.reg(0), entry) {
                Some(found) => enter_method(ec, found, name, given, ret),
                None => enter_missing(ec, name, given, ret, MissingReason::Undefined),
            },
            MethodKind::Optimized(kind) => super::slow::enter_optimized(ec, *kind, method, name, given, ret),
            MethodKind::Undefined => enter_missing(ec, name, given, ret, MissingReason::Undefined),
        }
    }
}

/// Reads or writes an attribute and reports that as a call of a native method.
#[cold]
fn traced_attribute(
    ec: &mut Ec,
    method: Value,
    name: SymbolId,
    receiver: Value,
    run: impl FnOnce(&mut Ec) -> Result,
) -> Result<Entered> {
    use crate::inspect::trace::event;
    ec.report_attribute(event::C_CALL, method, name, receiver, Value::NIL)?;
    let value = run(ec)?;
    ec.report_attribute(event::C_RETURN, method, name, receiver, value)?;
    Ok(Entered::Done(value))
}

unsafe fn check_argc(ec: &mut Ec, given: &mut Given<'_>, expected: usize) -> Result<()> {
    // SAFETY: the window has room for the keywords as one hash.
    unsafe { append_keywords(ec, given)? };
    if given.argc != expected {
        return Err(ec.arity_error(given.argc, expected, Some(expected)));
    }
    Ok(())
}

/// Makes keywords a last positional hash. Whether there were any.
unsafe fn append_keywords(ec: &mut Ec, given: &mut Given<'_>) -> Result<bool> {
    if let GivenKeywords::None = given.keywords {
        return Ok(false);
    }
    let Some(hash) = given.keyword_hash(ec)? else { return Ok(false) };
    given.argc += 1;
    // SAFETY: keywords took at least one register of the window, or the window is the topmost and has room.
    unsafe { given.base.set_reg(given.argc, hash.value()) };
    Ok(true)
}

/// Runs a native method in a frame of its own.
///
/// # Safety
/// As [`push_frame`].
pub(crate) unsafe fn run_native(ec: &mut Ec, code: &CodeData, given: &mut Given<'_>, ret: Return) -> Result {
    // SAFETY: by contract.
    unsafe {
        let has_keywords = append_keywords(ec, given)?;
        let (block, block_env) = given.block.words();
        write_header(given.base, code, ret, block, block_env);
        let (fp, pc, sp) = (ec.fp, ec.pc, ec.sp);
        ec.fp = given.base;
        ec.sp = given.base.0.add(1 + given.argc);
        let function = code.native.expect("a native method has a function");
        let args = Args::new(given.base, given.argc, has_keywords);
        let result = if !ec.traces_steps() { function(ec, args) } else { run_traced(ec, function, args, given.base) };
        (ec.fp, ec.pc, ec.sp) = (fp, pc, sp);
        result
    }
}

/// As [`run_native`], without keywords and block: for calls that native code makes itself.
///
/// # Safety
/// As [`push_frame`].
#[inline(always)]
pub(crate) unsafe fn run_native_plain(ec: &mut Ec, code: &CodeData, base: Fp, argc: usize) -> Result {
    // SAFETY: by contract.
    unsafe {
        let (fp, pc, sp) = (ec.fp, ec.pc, ec.sp);
        write_header(base, code, Return { pc, fp }, 0, 0);
        ec.fp = base;
        ec.sp = base.0.add(1 + argc);
        let function = code.native.expect("a native method has a function");
        let args = Args::new(base, argc, false);
        let result = if !ec.traces_steps() { function(ec, args) } else { run_traced(ec, function, args, base) };
        (ec.fp, ec.pc, ec.sp) = (fp, pc, sp);
        result
    }
}

#[cold]
fn run_traced(ec: &mut Ec, function: crate::model::method::NativeFn, args: Args, fp: Fp) -> Result {
    use crate::inspect::trace::{event, report_native, report_raised};
    report_native(ec, event::C_CALL, fp, Value::NIL)?;
    let result = function(ec, args);
    let value = *result.as_ref().unwrap_or(&Value::NIL);
    report_native(ec, event::C_RETURN, fp, value)?;
    if result.is_err() {
        report_raised(ec)?;
    }
    result
}

/// Calls `method_missing` with the name in front, or fails.
///
/// # Safety
/// As [`push_frame`].
pub(crate) unsafe fn enter_missing(
    ec: &mut Ec,
    name: SymbolId,
    given: &mut Given<'_>,
    ret: Return,
    reason: MissingReason,
) -> Result<Entered> {
    // SAFETY: by contract; one register more is within the reserve above the stack's limit.
    unsafe {
        let receiver = given.base.reg(0);
        let found =
            ec.find_method(receiver, crate::model::symbol::sym::METHOD_MISSING).map(|m| (m.value(), m.owner_value()));
        match found {
            Some((method, owner)) if owner != ec.vm().known().basic_object.value() || ec.traces_native_calls() => {
                ec.missing_reason = reason;
                given.gather_keywords(ec)?;
                for i in (1..=given.argc).rev() {
                    given.base.set_reg(i + 1, given.base.reg(i));
                }
                given.base.set_reg(1, Value::symbol(name));
                given.argc += 1;
                enter_method(ec, method, crate::model::symbol::sym::METHOD_MISSING, given, ret)
            }
            _ => {
                append_keywords(ec, given)?;
                let args: Vec<Value> = (1..=given.argc).map(|i| given.base.reg(i)).collect();
                Err(ec.missing_error(receiver, name, &args, reason))
            }
        }
    }
}

/// Calls a method from native code: the window lies above a boundary frame that is published.
///
/// # Safety
/// As said.
pub(crate) unsafe fn enter_method_from_native(
    ec: &mut Ec,
    method: Value,
    name: SymbolId,
    given: &mut Given<'_>,
) -> Result {
    let boundary = ec.fp;
    let ret = Return { pc: super::halt_pc(), fp: boundary };
    // SAFETY: by contract.
    unsafe {
        match enter_method(ec, method, name, given, ret)? {
            Entered::Done(value) => Ok(value),
            Entered::Frame => run_resume(ec, boundary),
        }
    }
}

/// Calls block, script or class code from native code.
///
/// # Safety
/// As [`enter_method_from_native`]; `parent` is the environment around the block, or null.
pub(crate) unsafe fn enter_block_from_native(
    ec: &mut Ec,
    code: &CodeData,
    parent: Fp,
    flags: u64,
    given: &mut Given<'_>,
    strictness: Strictness,
) -> Result {
    let boundary = ec.fp;
    let ret = Return { pc: super::halt_pc(), fp: boundary };
    // SAFETY: by contract.
    unsafe {
        push_frame(ec, code, given, ret, Some(BlockFrame { parent, flags }), strictness)?;
        run_resume(ec, boundary)
    }
}

/// Calls `eval`'s code, whose environment escapes before it runs; the result and that environment.
///
/// # Safety
/// As [`enter_block_from_native`].
pub(crate) unsafe fn enter_eval_from_native(
    ec: &mut Ec,
    code: &CodeData,
    parent: Fp,
    given: &mut Given<'_>,
    note: &mut dyn FnMut(&mut Ec, Fp),
) -> Result<(Result, Fp)> {
    let boundary = ec.fp;
    let base = given.base;
    let ret = Return { pc: super::halt_pc(), fp: boundary };
    // SAFETY: by contract; the new frame is published while its environment is copied.
    unsafe {
        push_frame(ec, code, given, ret, Some(BlockFrame { parent, flags: 0 }), Strictness::Exact)?;
        let resume = ec.resume;
        ec.fp = base;
        let (env, _) = ec.escape(base);
        note(ec, env);
        ec.fp = boundary;
        ec.resume = resume;
        Ok((run_resume(ec, boundary), env))
    }
}

unsafe fn run_resume(ec: &mut Ec, boundary: Fp) -> Result {
    let (pc, fp, caches) = ec.resume;
    // SAFETY: the frame was just pushed above the boundary. A poll first: native loops that call Ruby must be interruptible.
    unsafe {
        if ec.is_armed() {
            super::publish_all(ec, pc, fp);
            ec.poll()?;
        }
        run(ec, pc, fp, caches, boundary)
    }
}

/// Goes on in a frame that a slow path pushed.
///
/// # Safety
/// `ec.resume` is live.
#[inline(always)]
pub(crate) unsafe fn resume(ec: *mut Ec) -> usize {
    // SAFETY: by contract.
    unsafe {
        let (pc, fp, caches) = (*ec).resume;
        dispatch(pc, fp, ec, caches)
    }
}
