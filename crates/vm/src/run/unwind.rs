//! Unwinding: exceptions, and jumps out of blocks.
//!
//! What unwinds is one value: an exception, or a `Throw` object that says which frame a `break`, `return` or `throw` is
//! on its way to. Frames are searched from the top; each may have catch entries. A boundary frame ends the search in
//! this run of the interpreter: native code gets an `Err` and passes it on.

use crate::compiled::handler_at;
use crate::ec::{Ec, Unwind};
use crate::model::shape::ROOT_HIDDEN;
use crate::run::code::CodeKind;
use crate::run::frame::{self, Fp};
use carat_iseq::{CatchKind, Insn, Op};
use carat_layout::{HeapType, ROwner, Value, pool_for};

/// A jump on its way.
pub(crate) struct Throw {
    pub(crate) kind: ThrowKind,
    pub(crate) value: Value,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ThrowKind {
    /// To the frame with this pointer, going on where its call returns.
    Break { to: Fp, resume: *const Insn },
    /// To a place in the frame with this pointer, by way of the handlers that do not serve that place.
    Jump { to: Fp, target: *const Insn },
    /// Makes the frame with this pointer return.
    Return { from: Fp },
    /// `throw tag`: caught by native code.
    Tag(Value),
    /// The thread ends (`Thread#kill`).
    Kill,
    /// The host stops the program: no handler is entered. See [`crate::limits`].
    Stop,
}

impl Throw {
    pub(crate) fn from_value<'a>(value: Value) -> Option<&'a Throw> {
        if !value.is_type(HeapType::Throw) {
            return None;
        }
        // SAFETY: a Throw's slot owns its Throw until it is swept; whoever unwinds keeps it alive through `pending`.
        unsafe { Some(&*(*value.as_ptr::<ROwner>()).native.cast::<Throw>()) }
    }

    /// Where the frame goes on that it leads to, if that is known.
    pub(crate) fn goes_on(&self) -> Option<*const Insn> {
        match self.kind {
            ThrowKind::Break { resume: pc, .. } | ThrowKind::Jump { target: pc, .. } => Some(pc),
            _ => None,
        }
    }

    pub(crate) fn references(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.value);
        if let ThrowKind::Tag(tag) = self.kind {
            mark(tag);
        }
    }
}

fn start(ec: &mut Ec, kind: ThrowKind, value: Value) -> Unwind {
    let pool = pool_for(size_of::<ROwner>()).expect("fits the smallest pool");
    let native = Box::into_raw(Box::new(Throw { kind, value })).cast();
    let throw = ec.new_owner(HeapType::Throw, pool, ROOT_HIDDEN, native);
    ec.unwind(throw)
}

/// See [`crate::limits`].
pub(crate) fn start_stop(ec: &mut Ec) -> Unwind {
    start(ec, ThrowKind::Stop, Value::NIL)
}

/// What is pending enters no handler.
fn is_stop(ec: &Ec) -> bool {
    Throw::from_value(ec.pending).is_some_and(|t| t.kind == ThrowKind::Stop)
}

impl Ec {
    /// `throw tag, value`; the caller knows that somebody catches it.
    pub fn throw_tag(&mut self, tag: Value, value: Value) -> Unwind {
        start(self, ThrowKind::Tag(tag), value)
    }

    /// The value of a `throw` to `tag` that is unwinding.
    pub fn caught_tag(&self, tag: Value) -> Option<Value> {
        let throw = Throw::from_value(self.pending)?;
        matches!(throw.kind, ThrowKind::Tag(t) if t == tag).then_some(throw.value)
    }

    /// Ends the running thread.
    pub fn throw_kill(&mut self) -> Unwind {
        start(self, ThrowKind::Kill, Value::NIL)
    }

    /// What unwinds if it is a jump out of a block: `break`, `return` or `throw`.
    pub fn pending_jump(&self) -> Option<&'static str> {
        match Throw::from_value(self.pending)?.kind {
            ThrowKind::Break { .. } | ThrowKind::Jump { .. } => Some("break"),
            ThrowKind::Return { .. } => Some("return"),
            ThrowKind::Tag(_) => Some("throw"),
            ThrowKind::Kill | ThrowKind::Stop => None,
        }
    }

    pub fn is_killed(&self) -> bool {
        Throw::from_value(self.pending).is_some_and(|t| t.kind == ThrowKind::Kill)
    }
}

/// The frame belongs to a lambda, or to a block that runs as a method.
pub(crate) unsafe fn is_lambda_frame(fp: Fp) -> bool {
    // SAFETY: a live frame.
    unsafe { fp.code().kind.is_block() && fp.word(frame::FLAGS) & frame::flags::LAMBDA != 0 }
}

/// `return` and `break` end this frame alone, and nothing in it runs on the way out.
pub(crate) unsafe fn leaves_plainly(fp: Fp) -> bool {
    // SAFETY: a live Ruby frame.
    unsafe { is_lambda_frame(fp) && fp.code().linked().iseq.catches.is_empty() }
}

/// Nothing runs when this frame ends at `pc`, and nobody wants to know.
unsafe fn ends_plainly(ec: &Ec, fp: Fp, pc: *const Insn) -> bool {
    // SAFETY: a live frame, and where it goes on.
    unsafe {
        if !is_ruby(fp) || ec.traces_steps() {
            return false;
        }
        let (code, catches) = (fp.code(), &fp.code().linked().iseq.catches);
        let runs = |word: u32| catches.iter().any(|entry| entry.runs_on_leaving(word));
        catches.is_empty() || !runs(code.word_of(pc))
    }
}

/// The frame that `return` in front of `pc` in the block at `fp` leaves, if nothing runs in it and those above on the way out; otherwise null.
pub(crate) unsafe fn plainly_returning(ec: &Ec, fp: Fp, pc: *const Insn) -> Fp {
    // SAFETY: the running block frame, and live ones below.
    unsafe {
        let mut env = fp.env();
        while env.code().kind.is_block()
            && env.word(frame::FLAGS) & frame::flags::LAMBDA == 0
            && !env.parent().is_null()
        {
            env = env.parent();
        }
        if matches!(env.code().kind, CodeKind::Class | CodeKind::Top | CodeKind::Eval) {
            return Fp::NULL;
        }
        let (mut frame, mut resume) = (fp, pc);
        while ends_plainly(ec, frame, resume) {
            if frame.env() == env {
                return frame;
            }
            (frame, resume) = (frame.caller(), frame.ret_pc());
        }
        Fp::NULL
    }
}

/// The frame whose call `break` in front of `pc` in the block at `fp` ends, and where it goes on, if nothing runs in the frames above on the way
/// out; otherwise null.
pub(crate) unsafe fn plainly_broken(ec: &Ec, fp: Fp, pc: *const Insn) -> (Fp, *const Insn) {
    // SAFETY: the running block frame, and live ones below.
    unsafe {
        let (home, mut callee, mut at) = (fp.parent(), fp, pc);
        if !is_lambda_frame(fp) {
            while ends_plainly(ec, callee, at) {
                let (caller, resume) = (callee.caller(), callee.ret_pc());
                if is_ruby(caller) && caller.env() == home {
                    let is_its_own = has_block(caller, resume, fp.code());
                    return if is_its_own { (caller, resume) } else { (Fp::NULL, resume) };
                }
                (callee, at) = (caller, resume);
            }
        }
        (Fp::NULL, std::ptr::null())
    }
}

/// `return value` in a block: from the method around it, or from a lambda on the way there.
#[inline(never)]
pub(crate) unsafe fn throw_return(ec: &mut Ec, fp: Fp, value: Value) {
    // SAFETY: the running block frame.
    unsafe {
        let _ = match returning_frame(ec, fp) {
            Some(from) => start(ec, ThrowKind::Return { from }, value),
            // A block of the core library stands for one that CRuby leaves by a break.
            None if fp.code().is_core => ec.local_jump_error("unexpected break", "break", value),
            None => ec.local_jump_error("unexpected return", "return", value),
        };
    }
}

/// The live frame that `return` in the block or singleton class body at `fp` leaves.
unsafe fn returning_frame(ec: &Ec, mut fp: Fp) -> Option<Fp> {
    // SAFETY: by the caller.
    unsafe {
        let (running, mut leaves_class) = (fp, false);
        loop {
            let mut env = fp.env();
            while env.code().kind.is_block()
                && env.word(frame::FLAGS) & frame::flags::LAMBDA == 0
                && !env.parent().is_null()
            {
                env = env.parent();
            }
            let found = frame_of_env(ec, env)?;
            match env.code().kind {
                CodeKind::Class => leaves_class = true,
                // A script does not end because a class body in it returns, or a proc that a lambda of the script calls, or
                // what a block of it evaluates.
                CodeKind::Top if leaves_class || is_kept_from_ending(running, found) => return None,
                _ => return Some(found),
            }
            fp = found.caller();
            if !is_ruby(fp) {
                return None;
            }
        }
    }
}

/// A lambda that was written in the script at `top`, outside of its methods and classes, or an `eval` in a block of it, runs
/// between `fp` and it.
unsafe fn is_kept_from_ending(mut fp: Fp, top: Fp) -> bool {
    // SAFETY: live frames, walked down; environments outlive the frames of blocks in them.
    unsafe {
        while fp != top {
            if is_ruby(fp) && scope_of(fp) == top.env() && (is_lambda_frame(fp) || is_eval_in_block(fp)) {
                return true;
            }
            fp = fp.caller();
        }
        false
    }
}

/// The frame at `fp` runs an `eval`, perhaps within others, that stands in a block.
unsafe fn is_eval_in_block(fp: Fp) -> bool {
    // SAFETY: as above.
    unsafe {
        let mut env = fp.env();
        if env.code().kind != CodeKind::Eval {
            return false;
        }
        while env.code().kind == CodeKind::Eval && !env.parent().is_null() {
            env = env.parent();
        }
        env.code().kind == CodeKind::Block
    }
}

/// The environment of the method, class body or script that the code of the frame at `fp` stands in.
unsafe fn scope_of(fp: Fp) -> Fp {
    // SAFETY: by the caller.
    unsafe {
        let mut env = fp.env();
        while env.code().kind.is_block() && !env.parent().is_null() {
            env = env.parent();
        }
        env
    }
}

/// `break value` in a block: from the call that the block was given to.
#[inline(never)]
pub(crate) unsafe fn throw_break(ec: &mut Ec, fp: Fp, value: Value) {
    // SAFETY: the running block frame.
    unsafe {
        if is_lambda_frame(fp) {
            let _ = start(ec, ThrowKind::Return { from: fp }, value);
            return;
        }
        let home = fp.parent();
        let code = std::ptr::from_ref(fp.code());
        let mut callee = fp;
        let mut found = None;
        while !callee.caller().is_null() {
            let caller = callee.caller();
            if is_ruby(caller) && caller.env() == home {
                if callee.code().kind != CodeKind::Boundary && has_block(caller, callee.ret_pc(), &*code) {
                    found = Some((caller, callee.ret_pc()));
                }
                break;
            }
            callee = caller;
        }
        let _ = match found {
            Some((to, resume)) => start(ec, ThrowKind::Break { to, resume }, value),
            None => ec.local_jump_error("break from proc-closure", "break", value),
        };
    }
}

/// A jump within the frame at `fp` past handlers that are to run.
#[inline(never)]
pub(crate) fn throw_jump(ec: &mut Ec, fp: Fp, target: *const Insn) {
    let _ = start(ec, ThrowKind::Jump { to: fp, target }, Value::NIL);
}

/// The call before `resume` has this block literally. A proc that was made elsewhere and passed on as `&proc` is none
/// whose `break` could end the call.
unsafe fn has_block(home: Fp, resume: *const Insn, block: &crate::run::code::CodeData) -> bool {
    // SAFETY: a live frame and where it goes on.
    unsafe {
        let (linked, insn) = (home.code().linked(), *resume.sub(1));
        matches!(insn.op, Op::send | Op::send_block | Op::invokesuper)
            && linked
                .call_site(usize::from(insn.c))
                .block
                .is_some_and(|index| std::sync::Arc::ptr_eq(&linked.child(usize::from(index)), block.linked()))
    }
}

unsafe fn is_ruby(fp: Fp) -> bool {
    // SAFETY: a live frame.
    unsafe { !matches!(fp.code().kind, CodeKind::Native | CodeKind::Boundary) }
}

/// The live frame whose environment this is.
unsafe fn frame_of_env(ec: &Ec, env: Fp) -> Option<Fp> {
    let mut fp = ec.fp;
    // SAFETY: live frames, walked down.
    unsafe {
        while !fp.is_null() {
            if is_ruby(fp) && fp.env() == env {
                return Some(fp);
            }
            fp = fp.caller();
        }
    }
    None
}

/// Finds who goes on with what is pending, starting at the published frame. True: `ec.resume` says where. False: a
/// boundary was reached and is now the published frame.
#[inline(never)]
pub(crate) fn find_handler(ec: &mut Ec) -> bool {
    // SAFETY: live frames, walked down; every place written belongs to the frame that goes on.
    unsafe {
        let (mut fp, mut pc) = (ec.fp, ec.pc);
        loop {
            let code = fp.code();
            if code.kind == CodeKind::Boundary {
                ec.fp = fp;
                return false;
            }
            if code.iseq.is_some() && !is_stop(ec) && (finish_jump(ec, fp) || enter_catch(ec, fp, pc)) {
                ec.trace.resumes(Fp(ec.resume.1));
                return true;
            }
            if ec.traces_steps() {
                let value = broken_value(ec, fp);
                crate::inspect::trace::report_unwinding(ec, fp, pc, value);
            }
            pc = fp.ret_pc();
            fp = fp.caller();
        }
    }
}

/// What the frame at `fp` gives to `break`, if that is what ends it; nil for frames between the block and its call.
unsafe fn broken_value(ec: &Ec, fp: Fp) -> Value {
    let Some(throw) = Throw::from_value(ec.pending) else { return Value::NIL };
    // SAFETY: a live frame; `to` is live until the jump ends there.
    unsafe {
        match throw.kind {
            ThrowKind::Break { to, .. } if fp.code().kind.is_block() && fp.parent() == to.env() => throw.value,
            _ => Value::NIL,
        }
    }
}

/// A jump that ends at this frame.
unsafe fn finish_jump(ec: &mut Ec, fp: Fp) -> bool {
    let Some(throw) = Throw::from_value(ec.pending) else { return false };
    // SAFETY: by the caller.
    unsafe {
        match throw.kind {
            ThrowKind::Break { to, resume } if to == fp => {
                fp.set_reg(usize::from((*resume.sub(1)).a), throw.value);
                ec.resume = (resume, fp.0, fp.code().caches);
                true
            }
            _ => false,
        }
    }
}

/// Enters the innermost catch entry that covers the return address, or makes the frame return if that is the goal.
unsafe fn enter_catch(ec: &mut Ec, fp: Fp, pc: *const Insn) -> bool {
    // SAFETY: by the caller.
    unsafe {
        let code = fp.code();
        let linked = code.linked().clone();
        let word = code.word_of(pc);
        let is_exception = Throw::from_value(ec.pending).is_none();
        let target = jump_target(ec, fp);
        let target_word = target.map(|target| code.word_of(target));
        // The ranges that one handler serves lie side by side.
        for ranges in linked.iseq.catches.chunk_by(|one, next| one.target == next.target) {
            let Some(entry) = ranges.iter().find(|entry| entry.is_around(word)) else { continue };
            let serves_target =
                target_word.is_some_and(|at| ranges.iter().any(|entry| entry.start <= at && at < entry.end));
            if (entry.kind == CatchKind::Rescue && !is_exception) || serves_target {
                continue;
            }
            let register = usize::from(entry.register);
            fp.set_reg(register, ec.pending);
            fp.set_reg(register + 1, ec.errinfo);
            if is_exception {
                ec.errinfo = ec.pending;
            }
            ec.fp = fp;
            ec.resume = (handler_at(ec, code, entry.target as usize), fp.0, code.caches);
            return true;
        }
        match target {
            Some(target) => {
                ec.fp = fp;
                ec.resume = (target, fp.0, code.caches);
                true
            }
            None => return_here(ec, fp),
        }
    }
}

/// Where what is pending jumps to within this frame.
fn jump_target(ec: &Ec, fp: Fp) -> Option<*const Insn> {
    match Throw::from_value(ec.pending)?.kind {
        ThrowKind::Jump { to, target } if to == fp => Some(target),
        _ => None,
    }
}

unsafe fn return_here(ec: &mut Ec, fp: Fp) -> bool {
    let Some(throw) = Throw::from_value(ec.pending) else { return false };
    // SAFETY: by the caller.
    unsafe {
        if throw.kind != (ThrowKind::Return { from: fp }) {
            return false;
        }
        if ec.traces_steps() {
            crate::inspect::trace::report_unwinding(ec, fp, ec.pc, throw.value);
        }
        let (caller, ret) = (fp.caller(), fp.ret_pc());
        caller.set_reg(usize::from((*ret.sub(1)).a), throw.value);
        ec.fp = caller;
        ec.resume = (ret, caller.0, caller.code().caches);
        true
    }
}
