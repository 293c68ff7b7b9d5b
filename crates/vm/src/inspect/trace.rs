//! Tracing: what a `TracePoint` is told of.
//!
//! # How
//! While nobody traces, nothing is asked: the instruction table holds the plain handlers. While somebody does, every entry
//! of the table is [`traced`], which reports what the instruction at hand begins or ends and then goes on in the plain
//! handler ([`Ec::plain`]). Inline caches of calls are stale from the start and not filled meanwhile, so that every call of
//! a native method passes the one place that reports it.
//!
//! # Entries and exits
//! A frame is new if it lies above the one that ran last, or in the place of one that was just left. Frames that unwind are
//! reported by [`crate::unwind`].
//!
//! # Ractors
//! A Ractor has trace points of its own and is told of what its threads do: see [`RactorTrace`]. Instruction tables belong to
//! contexts, Code with its inline caches and machine code to Ractors, so that the others go on as fast as before.
//!
//! # Invariants
//! * Nothing inside the core library is reported; its methods count as native ones.
//! * While an event is reported, its thread reports no other.

use crate::ec::{Ec, Result};
use crate::model::class::Class;
use crate::model::method::MethodEntry;
use crate::model::symbol::sym;
use crate::run::code::{CacheCell, CodeKind};
use crate::run::frame::{self, Fp};
use crate::run::interp::{publish_all, slow_unwind};
use crate::run::link::LinkedIseq;
use crate::run::scope::Scope;
use crate::value::array::Array;
use crate::value::hash::Hash;
use carat_iseq::{Insn, IseqKind, Op};
use carat_layout::{SymbolId, Value};
use std::cell::Cell;
use std::sync::Arc;

/// Kinds of events, as bits of masks.
pub mod event {
    pub const LINE: u32 = 1;
    pub const CLASS: u32 = 2;
    pub const END: u32 = 4;
    pub const CALL: u32 = 8;
    pub const RETURN: u32 = 16;
    pub const C_CALL: u32 = 32;
    pub const C_RETURN: u32 = 64;
    pub const RAISE: u32 = 128;
    pub const B_CALL: u32 = 256;
    pub const B_RETURN: u32 = 512;
    pub const THREAD_BEGIN: u32 = 1024;
    pub const THREAD_END: u32 = 2048;
    pub const FIBER_SWITCH: u32 = 4096;
    pub const SCRIPT_COMPILED: u32 = 8192;
    pub const RESCUE: u32 = 16384;
    pub const ALL: u32 = 32767;
    /// What shows without a look at every instruction.
    pub const SELDOM: u32 = CLASS | RAISE | THREAD_BEGIN | THREAD_END;
    /// Calls of native methods and their ends.
    pub const NATIVE: u32 = C_CALL | C_RETURN;
}

/// Something that happened, as the hook is told of it.
pub struct TraceEvent {
    pub kind: u32,
    pub path: Arc<str>,
    pub line: i32,
    /// Method entry, or nil outside of methods.
    pub method: Value,
    pub callee: Option<SymbolId>,
    pub receiver: Value,
    /// What was returned, raised, or compiled.
    pub value: Value,
    /// The code of the program that runs; none for native methods.
    pub iseq: Option<Arc<LinkedIseq>>,
    /// The frame takes its arguments as a method does.
    pub is_lambda: bool,
    frame: Fp,
}

/// What a Ractor's threads are told of. Touched by the thread whose turn it is.
pub(crate) struct RactorTrace {
    /// What its enabled trace points together want to know: bits of [`event`].
    mask: Cell<u32>,
    /// An array of the enabled trace points, or nil.
    points: Cell<Value>,
    /// A hash from threads, or nil for all, to the trace points behind their `set_trace_func`; or nil.
    functions: Cell<Value>,
}

impl Default for RactorTrace {
    fn default() -> RactorTrace {
        let nothing = || Cell::new(Value::NIL);
        RactorTrace { mask: Cell::new(0), points: nothing(), functions: nothing() }
    }
}

impl RactorTrace {
    pub(crate) fn references(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.points.get());
        mark(self.functions.get());
    }

    /// The Ractor ends: nothing of it runs any more.
    pub(crate) fn end(&self) {
        self.mask.set(0);
        self.points.set(Value::NIL);
        self.functions.set(Value::NIL);
    }
}

/// What a context remembers of the instruction before.
pub(crate) struct TraceState {
    /// Its frame, or null.
    last: Fp,
    /// It ended that frame.
    has_left: bool,
    /// An event is being reported.
    is_running: bool,
    /// What is pending was raised by `Kernel#raise`, and that is to be reported once the method has ended.
    is_raising: bool,
    /// The frame of the native method whose begin or end is being reported, or null. CRuby's has none then.
    unseen: Fp,
}

impl TraceState {
    pub(crate) const NEW: TraceState =
        TraceState { last: Fp::NULL, has_left: false, is_running: false, is_raising: false, unseen: Fp::NULL };

    /// Notes the running frame; whether it is a new one.
    fn enters(&mut self, fp: Fp, is_same_stack: bool, is_at_start: bool) -> bool {
        let (last, has_left) = (self.last, self.has_left);
        (self.last, self.has_left) = (fp, false);
        if last.is_null() {
            return false;
        }
        if !is_same_stack {
            return is_at_start;
        }
        if has_left { fp.0 >= last.0 } else { fp.0 > last.0 }
    }

    /// What the instruction before was, for who runs Ruby code in between.
    pub(crate) fn place(&self) -> (Fp, bool) {
        (self.last, self.has_left)
    }

    /// Native code goes on after Ruby code that it ran: a frame that it makes now is new, however high those frames were.
    pub(crate) fn returns_to(&mut self, (last, has_left): (Fp, bool)) {
        if !self.last.is_null() {
            (self.last, self.has_left) = (last, has_left);
        }
    }

    /// A handler of the frame goes on.
    pub(crate) fn resumes(&mut self, fp: Fp) {
        (self.last, self.has_left) = (fp, false);
    }
}

/// The routine of every instruction while somebody traces.
pub(crate) unsafe extern "C-unwind" fn traced(
    pc: *const Insn,
    fp: *mut Value,
    ec: *mut Ec,
    caches: *mut CacheCell,
) -> usize {
    // SAFETY: the running frame; the plain table has a routine for every operation.
    unsafe {
        // Recorded allocations want to know where they are: see `recorder`.
        (*ec).fp = Fp(fp);
        (*ec).pc = pc.add(1);
        crate::inspect::recorder::runs(&*ec, fp);
        if !step(&mut *ec, pc, Fp(fp)) {
            return slow_unwind(pc, fp, ec, caches);
        }
        let handler = (&(*ec).plain)[(*pc).op as usize].get();
        handler(pc, fp, ec, caches)
    }
}

/// Reports what the instruction at `pc` begins or ends. False: a hook raised.
#[inline(never)]
unsafe fn step(ec: &mut Ec, pc: *const Insn, fp: Fp) -> bool {
    if ec.trace.is_running {
        return true;
    }
    // SAFETY: the running frame.
    unsafe {
        let code = fp.code();
        // The place that a boundary frame is left from is no code.
        if code.iseq.is_none() {
            return true;
        }
        let word = code.word_of(pc);
        let is_same_stack = ec.stack.contains(ec.trace.last.0);
        let is_new = ec.trace.enters(fp, is_same_stack, word == 0);
        let mask = ec.trace_mask();
        let begins_line = mask & event::LINE != 0 && !code.is_core && code.linked().iseq.is_line_start(word);
        let ends = match (*pc).op {
            Op::leave => true,
            Op::return_from_block | Op::break_from_block => crate::run::unwind::leaves_plainly(fp),
            _ => false,
        };
        if !(is_new || begins_line || ends) {
            return true;
        }
        publish_all(ec, pc.add(1), fp.0);
        let mut result = if is_new { report_entry(ec, fp) } else { Ok(()) };
        if begins_line && result.is_ok() {
            let line = code.linked().iseq.line_at(word);
            result = report(ec, event::LINE, fp, line, Value::NIL);
        }
        if ends && result.is_ok() {
            let value = fp.reg(usize::from((*pc).a));
            let line = if code.is_core { 0 } else { code.linked().iseq.line_at(word) };
            result = report_exit(ec, fp, line, value);
            ec.trace.has_left = true;
        }
        result.is_ok()
    }
}

/// The kinds of events at the beginning and at the end of a frame, outermost first.
unsafe fn kinds_of(ec: &Ec, fp: Fp) -> [(u32, u32); 2] {
    const NONE: (u32, u32) = (0, 0);
    // SAFETY: a live Ruby frame.
    unsafe {
        let code = fp.code();
        let is_block = matches!(code.kind, CodeKind::Block | CodeKind::Lambda);
        match code.kind {
            CodeKind::Method if code.is_core && code.method.is_nil() => [NONE, NONE],
            CodeKind::Method if code.is_core && is_core_called(fp) => [NONE, NONE],
            CodeKind::Method if code.is_core && internal_file(ec, code.method).is_some() => {
                [(event::CALL, event::RETURN), NONE]
            }
            CodeKind::Method if code.is_core => [(event::C_CALL, event::C_RETURN), NONE],
            _ if code.is_core => [NONE, NONE],
            CodeKind::Method => [(event::CALL, event::RETURN), NONE],
            // CRuby 4.0 does not tell of these.
            CodeKind::Class if Class::from_value(fp.reg(0)).is_some_and(Class::is_singleton) => [NONE, NONE],
            CodeKind::Class => [(event::CLASS, event::END), NONE],
            _ if is_block && fp.word(frame::FLAGS) & frame::flags::BMETHOD != 0 => {
                [(event::CALL, event::RETURN), (event::B_CALL, event::B_RETURN)]
            }
            _ if is_block => [(event::B_CALL, event::B_RETURN), NONE],
            _ => [NONE, NONE],
        }
    }
}

/// Core methods that are Ruby code in CRuby, too: their calls are reported as such, from a file that only the name of is seen.
const INTERNAL_METHODS: &[(&str, &str, &[&str])] = &[
    ("Kernel", "<internal:kernel>", &["clone", "frozen?", "loop", "tap", "then", "yield_self", "Float", "Integer"]),
    ("Integer", "<internal:numeric>", &["times", "succ", "pred", "ceildiv"]),
    ("Array", "<internal:array>", &["fetch_values", "first", "last", "pack", "sample", "shuffle", "shuffle!"]),
    ("Hash", "<internal:hash>", &["initialize"]),
    ("Thread::Queue", "<internal:thread_sync>", &["pop", "deq", "shift"]),
    ("Thread::SizedQueue", "<internal:thread_sync>", &["pop", "deq", "shift", "push", "enq", "<<"]),
    ("TracePoint", "<internal:trace_point>", &["enable", "disable"]),
];

/// The file that a core method of a program's view is in, if it is not native.
fn internal_file(ec: &Ec, method: Value) -> Option<&'static str> {
    let entry = MethodEntry::from_value(ec, method)?;
    let name = ec.vm().symbol_name(entry.original_name).bytes;
    // Most names are none of those: the class's is a text to be made.
    let mut with_name =
        INTERNAL_METHODS.iter().filter(|(_, _, names)| names.iter().any(|one| one.as_bytes() == name)).peekable();
    with_name.peek()?;
    let owner = entry.owner(ec).to_text(ec);
    with_name.find(|(class, _, _)| *class == owner).map(|(_, file, _)| *file)
}

/// The nearest Ruby code below the frame belongs to the core library.
pub(crate) unsafe fn is_core_called(fp: Fp) -> bool {
    // SAFETY: live frames, walked down.
    unsafe {
        let mut caller = fp.caller();
        while !caller.is_null() {
            let code = caller.code();
            // Between `new` and `initialize` is a frame of no method.
            let is_between = code.is_core && code.kind == CodeKind::Method && code.method.is_nil();
            if code.iseq.is_some() && !is_between {
                return code.is_core;
            }
            caller = caller.caller();
        }
    }
    false
}

unsafe fn report_entry(ec: &mut Ec, fp: Fp) -> Result<()> {
    // SAFETY: the running frame.
    unsafe {
        for (kind, _) in kinds_of(ec, fp) {
            if kind & ec.trace_mask() != 0 {
                let line = fp.code().linked().iseq.first_line;
                report(ec, kind, fp, line, Value::NIL)?;
            }
        }
    }
    Ok(())
}

/// Reports that the body of a class, whose frame was pushed, begins, where instructions are not looked at.
///
/// # Safety
/// The context is about to go on in that frame.
pub(crate) unsafe fn report_class(ec: &mut Ec) -> Result<()> {
    if ec.trace_mask() & event::CLASS == 0 || ec.traces_steps() || ec.trace.is_running {
        return Ok(());
    }
    // SAFETY: by contract.
    unsafe {
        let resume = ec.resume;
        publish_all(ec, resume.0.add(1), resume.1);
        report_entry(ec, Fp(resume.1))?;
        ec.resume = resume;
    }
    Ok(())
}

unsafe fn report_exit(ec: &mut Ec, fp: Fp, line: i32, value: Value) -> Result<()> {
    // SAFETY: the running frame, or one that unwinds.
    unsafe {
        for (_, kind) in kinds_of(ec, fp).into_iter().rev() {
            if kind & ec.trace_mask() != 0 {
                report(ec, kind, fp, line, value)?;
            }
        }
    }
    Ok(())
}

/// A Ruby frame is given up while something unwinds. What a hook raises takes the place of what is pending.
pub(crate) unsafe fn report_unwinding(ec: &mut Ec, fp: Fp, pc: *const Insn, value: Value) {
    // SAFETY: by the caller.
    unsafe {
        let code = fp.code();
        if code.iseq.is_none() || ec.trace.is_running {
            return;
        }
        let line = if code.is_core { 0 } else { code.linked().iseq.line_at(code.word_of(pc).saturating_sub(1)) };
        let _ = report_exit(ec, fp, line, value);
        (ec.trace.last, ec.trace.has_left) = (fp, true);
    }
}

/// A native method begins (`C_CALL`) or ends (`C_RETURN`) in the published frame.
pub(crate) fn report_native(ec: &mut Ec, kind: u32, fp: Fp, value: Value) -> Result<()> {
    // SAFETY: the frame of the running native method.
    unsafe {
        let wanted = ec.trace_mask() & (kind | event::CALL | event::RETURN);
        if ec.trace.is_running || wanted == 0 || is_core_called(fp) {
            return Ok(());
        }
        let kind = match internal_file(ec, fp.code().method) {
            Some(_) if kind == event::C_CALL => event::CALL,
            Some(_) => event::RETURN,
            None => kind,
        };
        if wanted & kind == 0 {
            return Ok(());
        }
        report(ec, kind, fp, 0, value)
    }
}

/// A native method has ended with an exception. If it is `Kernel#raise`, the exception is reported now.
pub(crate) fn report_raised(ec: &mut Ec) -> Result<()> {
    if !std::mem::replace(&mut ec.trace.is_raising, false) {
        return Ok(());
    }
    let exception = ec.pending;
    ec.report_raise(exception)?;
    ec.pending = exception;
    Ok(())
}

/// Tells the hook. What is raised by a native method is raised in the code that called it. `line` is that of a program's own code; what looks native is where its caller is.
unsafe fn report(ec: &mut Ec, kind: u32, fp: Fp, line: i32, value: Value) -> Result<()> {
    // SAFETY: by the caller.
    unsafe {
        let place = if kind == event::RAISE { ec.ruby_frame().unwrap_or(fp) } else { fp };
        let code = place.code();
        let own = code.iseq.as_ref().filter(|_| !code.is_core).cloned();
        let (method, env) = crate::run::interp::running_method(fp);
        let is_call = kind & (event::CALL | event::RETURN) != 0;
        let internal = if is_call && own.is_none() { internal_file(ec, method) } else { None };
        let (path, line) = match (&own, internal) {
            (Some(linked), _) => (linked.iseq.path().clone(), line),
            (None, Some(file)) => (file.into(), 0),
            (None, None) => {
                let (path, line) = ec.caller_position();
                (path.unwrap_or_else(|| "".into()), line)
            }
        };
        let name = MethodEntry::from_value(ec, method).map(|entry| entry.name);
        let called = || crate::run::interp::called_name(ec, fp, env, method);
        let callee = if name.is_some() { called().or(env.code().name).or(name) } else { None };
        let receiver = if fp.code().iseq.is_some() { fp.env().reg(0) } else { fp.reg(0) };
        let is_lambda = code.iseq.is_some() && crate::run::unwind::is_lambda_frame(place);
        let unseen = if kind & event::NATIVE == 0 { ec.trace.unseen } else { fp };
        let before = std::mem::replace(&mut ec.trace.unseen, unseen);
        let event =
            TraceEvent { kind, path, line, method, callee, receiver, value, iseq: own, is_lambda, frame: place };
        let result = tell(ec, &event);
        ec.trace.unseen = before;
        result
    }
}

fn tell(ec: &mut Ec, event: &TraceEvent) -> Result<()> {
    let Some(hook) = ec.vm().hooks().trace else { return Ok(()) };
    let (pending, errinfo) = (ec.pending, ec.errinfo);
    let TraceState { last, has_left, is_raising, unseen, .. } = ec.trace;
    ec.errinfo = Value::NIL;
    ec.trace.is_running = true;
    let result = hook(ec, event);
    ec.trace = TraceState { last, has_left, is_running: false, is_raising, unseen };
    ec.errinfo = errinfo;
    if result.is_ok() {
        ec.pending = pending;
    }
    std::hint::black_box((pending, errinfo, event.value));
    result
}

impl Ec {
    /// What this Ractor's trace points want to be told of: bits of [`event`].
    #[inline]
    pub fn trace_mask(&self) -> u32 {
        self.ractor().trace.mask.get()
    }

    /// The trace points that this Ractor has enabled, in the order in which it did.
    pub fn enabled_trace_points(&mut self) -> Array {
        if let Some(points) = Array::from_value(self.ractor().trace.points.get()) {
            return points;
        }
        let points = Array::new(self, 4);
        self.ractor().trace.points.set(points.value());
        points
    }

    /// The trace points behind `set_trace_func`, by thread; by nil those of all threads of this Ractor.
    pub fn trace_functions(&mut self) -> Hash {
        if let Some(functions) = Hash::from_value(self.ractor().trace.functions.get()) {
            return functions;
        }
        let functions = Hash::new(self);
        self.ractor().trace.functions.set(functions.value());
        functions
    }

    /// Whether every instruction is looked at for what it begins or ends.
    #[inline]
    pub(crate) fn traces_steps(&self) -> bool {
        self.trace_mask() & !event::SELDOM != 0
    }

    /// Changes what is reported. This context knows at once, the others of its Ractor at their next poll.
    pub fn set_trace_mask(&mut self, mask: u32) {
        let before = self.ractor().trace.mask.replace(mask);
        let watches = |mask: u32| (mask & !event::SELDOM != 0, mask & event::NATIVE != 0);
        if watches(before) != watches(mask) {
            let TraceState { is_running, unseen, .. } = self.trace;
            self.trace = TraceState { is_running, unseen, ..TraceState::NEW };
            self.vm().ancestry_changed(self);
            self.refresh_ractor_tables();
        }
    }

    /// Whether backtraces leave the frame out.
    pub(crate) fn is_unseen(&self, fp: Fp) -> bool {
        fp == self.trace.unseen
    }

    pub fn is_tracing(&self) -> bool {
        self.trace.is_running
    }

    /// Runs Ruby code inside a hook with its events reported (`TracePoint.allow_reentry`). What was the case before.
    pub fn set_tracing(&mut self, is_running: bool) -> bool {
        std::mem::replace(&mut self.trace.is_running, is_running)
    }

    /// Reports something that no instruction shows: an exception, a thread, compiled source.
    pub fn report_event(&mut self, kind: u32, value: Value) -> Result<()> {
        if self.trace_mask() & kind == 0 || self.trace.is_running {
            return Ok(());
        }
        match self.ruby_frame() {
            Some(fp) => {
                let (_, line) = self.caller_position();
                // SAFETY: a live Ruby frame.
                unsafe { report(self, kind, fp, line, value) }
            }
            None => self.report_outside(kind, Value::NIL, value),
        }
    }

    /// Reports an exception that is raised, unless the running `Kernel#raise` ends first.
    pub(crate) fn begin_raise(&mut self, exception: Value) -> Result<()> {
        if self.trace.is_running {
            return Ok(());
        }
        // SAFETY: the published frame is live.
        let code = unsafe { self.fp.code() };
        let entry = MethodEntry::from_value(self, code.method).filter(|_| code.kind == CodeKind::Native);
        let is_raise = |m: &MethodEntry| m.original_name == sym::RAISE && m.owner(self) == self.vm().known().kernel;
        if self.traces_steps() && entry.is_some_and(is_raise) {
            self.trace.is_raising = true;
            return Ok(());
        }
        self.report_raise(exception)
    }

    /// Reports an exception that is raised. Whoever traces native methods sees that its backtrace is asked for.
    fn report_raise(&mut self, exception: Value) -> Result<()> {
        if self.traces_native_calls() {
            let _ = self.call(exception, sym::BACKTRACE, &[]);
        }
        if self.trace_mask() & event::RAISE == 0 || self.trace.is_running {
            return Ok(());
        }
        match self.raising_frame() {
            Some(fp) => {
                let (_, line) = self.caller_position();
                // SAFETY: a live frame.
                unsafe { report(self, event::RAISE, fp, line, exception) }
            }
            None => self.report_outside(event::RAISE, Value::NIL, exception),
        }
    }

    /// The frame in which an exception is raised: that of a method of the core that a program's code called, or else that code's.
    /// `raise`, `method_missing` and `const_missing` raise where they are called.
    fn raising_frame(&self) -> Option<Fp> {
        let own = self.ruby_frame()?;
        let (mut found, mut fp) = (own, self.fp);
        // SAFETY: live frames, walked down to one of them.
        unsafe {
            while fp != own {
                let code = fp.code();
                let is_method = code.kind == CodeKind::Native || code.is_core && code.kind == CodeKind::Method;
                let entry = MethodEntry::from_value(self, code.method).filter(|_| is_method);
                if entry.is_some_and(|entry| !self.raises_at_caller(entry)) {
                    found = fp;
                }
                fp = fp.caller();
            }
        }
        Some(found)
    }

    fn raises_at_caller(&self, entry: &MethodEntry) -> bool {
        let known = self.vm().known();
        match entry.original_name {
            sym::RAISE => entry.owner(self) == known.kernel,
            sym::METHOD_MISSING => entry.owner(self) == known.basic_object,
            sym::CONST_MISSING => entry.owner(self) == known.module,
            name => name == self.vm().intern("fail") && entry.owner(self) == known.kernel,
        }
    }

    /// Reports that an exception is rescued in the frame at `fp` by the handler at `body`.
    ///
    /// # Safety
    /// The frame is live, and the handler belongs to its code.
    pub(crate) unsafe fn report_rescue(&mut self, fp: Fp, body: *const Insn, exception: Value) -> Result<()> {
        if self.trace_mask() & event::RESCUE == 0 || self.trace.is_running {
            return Ok(());
        }
        // SAFETY: by contract.
        unsafe {
            let code = fp.code();
            let line = if code.is_core { 0 } else { code.linked().iseq.line_at(code.word_of(body)) };
            report(self, event::RESCUE, fp, line, exception)
        }
    }

    /// Reports what happens outside of any code.
    fn report_outside(&mut self, kind: u32, receiver: Value, value: Value) -> Result<()> {
        let (path, frame) = ("".into(), self.fp);
        let (method, callee, iseq, is_lambda) = (Value::NIL, None, None, false);
        tell(self, &TraceEvent { kind, path, line: 0, method, callee, receiver, value, iseq, is_lambda, frame })
    }

    /// Reports a call, or its end, of a method that has no frame: one that reads or writes an attribute.
    pub(crate) fn report_attribute(
        &mut self,
        kind: u32,
        method: Value,
        name: SymbolId,
        receiver: Value,
        value: Value,
    ) -> Result<()> {
        if self.trace_mask() & kind == 0 || self.trace.is_running {
            return Ok(());
        }
        let (path, line) = self.caller_position();
        let (path, frame) = (path.unwrap_or_else(|| "".into()), self.fp);
        let (callee, iseq, is_lambda) = (Some(name), None, false);
        tell(self, &TraceEvent { kind, path, line, method, callee, receiver, value, iseq, is_lambda, frame })
    }

    /// Somebody wants to be told of calls of native methods, so that none may be bypassed.
    pub(crate) fn traces_native_calls(&self) -> bool {
        self.trace_mask() & event::NATIVE != 0
    }

    /// A thread begins or ends.
    pub(crate) fn report_thread(&mut self, kind: u32) -> Result<()> {
        if self.trace_mask() & kind == 0 || self.trace.is_running {
            return Ok(());
        }
        let (pending, thread) = (self.pending, self.thread);
        self.report_outside(kind, thread, thread)?;
        self.pending = pending;
        Ok(())
    }

    /// The scope of the code that an event is about; only while it is reported.
    pub fn event_scope(&mut self, event: &TraceEvent) -> Option<Scope> {
        event.iseq.as_ref()?;
        // SAFETY: the frame lives as long as the event is reported.
        let env = unsafe { event.frame.env() };
        Some(self.scope_of_env(env))
    }

    /// The class of an event's method; for a method of a refinement the refinement.
    pub fn event_owner(&self, event: &TraceEvent) -> Option<Class> {
        MethodEntry::from_value(self, event.method).map(|entry| entry.owner(self))
    }
}

impl LinkedIseq {
    /// This code and the blocks in it.
    pub fn with_blocks(self: &Arc<LinkedIseq>, ec: &Ec) -> Vec<Arc<LinkedIseq>> {
        self.link(ec);
        let mut found = vec![self.clone()];
        for index in 0..self.iseq.child_count() {
            let child = self.child(index);
            if matches!(child.iseq.kind, IseqKind::Block | IseqKind::Lambda) {
                found.extend(child.with_blocks(ec));
            }
        }
        found
    }
}
