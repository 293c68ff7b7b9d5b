//! Calling Ruby from native code: the interpreter is entered anew above a boundary frame.
//!
//! # Collection
//! Everything here may poll.

use crate::ec::{Ec, Result};
use crate::model::class::{Class, Visibility};
use crate::model::method::{MethodEntry, MethodKind};
use crate::model::symbol::sym;
use crate::run::args::{Given, GivenKeywords, Strictness};
use crate::run::code::{CodeData, CodeKind};
use crate::run::frame::{self, Fp};
use crate::run::interp;
use crate::run::native::Args;
use crate::run::proc::{Block, BlockWord, Proc};
use crate::value::array::Array;
use crate::value::hash::Hash;
use carat_layout::{SymbolId, Value};

/// A call from native code: what to pass besides the positional arguments.
#[derive(Default, Clone, Copy)]
pub struct Passing {
    pub keywords: Option<Hash>,
    pub block: Option<Proc>,
}

/// How a block is run.
#[derive(Clone, Copy, Default)]
pub struct BlockCall {
    /// Another `self` (`instance_exec`).
    pub receiver: Option<Value>,
    /// Another lexical scope.
    pub cref: Option<Value>,
    pub passing: Passing,
    /// Run as a method: arguments strictly, `return` leaves the block.
    pub as_lambda: bool,
}

/// Restores the caller's frame when a nested run ends.
struct Saved {
    fp: Fp,
    pc: *const carat_iseq::Insn,
    sp: *mut Value,
}

impl Ec {
    /// `receiver.name(*args)`, private methods included.
    pub fn call(&mut self, receiver: Value, name: SymbolId, args: &[Value]) -> Result {
        self.call_with(receiver, name, args, Passing::default())
    }

    pub fn call_with(&mut self, receiver: Value, name: SymbolId, args: &[Value], passing: Passing) -> Result {
        let Some(entry) = self.find_method(receiver, name) else {
            return self.call_missing(receiver, name, args, passing, MissingReason::Undefined);
        };
        if let MethodKind::Native(..) = &entry.kind {
            // The common case of native code; `call_method` would find out once more what the entry is.
            let code = entry.code(self);
            self.collect_in_c();
            return self.run_native(receiver, code, args, passing);
        }
        let method = entry.value();
        self.call_method(receiver, method, name, args, passing)
    }

    /// `receiver.name(*args)` for arguments that C code has in its own words: those of a native method are put where it looks for
    /// them. `others` calls any other method, or none that was found, and has the arguments itself. With `is_public`, as
    /// [`Ec::call_public`].
    #[inline(always)]
    pub fn call_from_c(
        &mut self,
        receiver: Value,
        name: SymbolId,
        argc: usize,
        argument: impl Fn(usize) -> Value,
        is_public: bool,
        others: impl FnOnce(&mut Ec, Option<Value>) -> Result,
    ) -> Result {
        let Some(entry) = self.find_method(receiver, name) else { return others(self, None) };
        if is_public && entry.visibility != Visibility::Public {
            return others(self, None);
        }
        if !matches!(&entry.kind, MethodKind::Native(..)) {
            let method = entry.value();
            return others(self, Some(method));
        }
        let code = entry.code(self);
        self.collect_in_c();
        let base = Fp(self.sp.wrapping_add(frame::HEADER));
        self.check_room(base.0.wrapping_add(1 + argc))?;
        // SAFETY: the words lie within the stack, above everything in use.
        unsafe {
            base.set_reg(0, receiver);
            let mut index = 0;
            while index < argc {
                base.set_reg(1 + index, argument(index));
                index += 1;
            }
            interp::run_native_plain(self, code, base, argc)
        }
    }

    /// A loop of C code may call nothing but native methods, none of which polls.
    #[inline(always)]
    fn collect_in_c(&mut self) {
        if self.foreign.is_in_c.get() {
            self.collect_if_due();
        }
    }

    /// As `Object#public_send`: private and protected methods are refused.
    pub fn call_public(&mut self, receiver: Value, name: SymbolId, args: &[Value], passing: Passing) -> Result {
        let found = self.find_method(receiver, name).map(|m| (m.value(), m.visibility));
        match found {
            Some((method, Visibility::Public)) => self.call_method(receiver, method, name, args, passing),
            Some((_, visibility)) => {
                self.call_missing(receiver, name, args, passing, MissingReason::Visibility(visibility))
            }
            None => self.call_missing(receiver, name, args, passing, MissingReason::Undefined),
        }
    }

    /// Calls the method if the object responds to it: `respond_to?`, `respond_to_missing?` and `method_missing` are asked as
    /// Ruby's implicit conversions do. An object that was moved away converts to nothing.
    pub fn call_if_responds(&mut self, receiver: Value, name: SymbolId, args: &[Value]) -> Result<Option<Value>> {
        if self.class_of(receiver) == self.vm().known().ractor_moved_object {
            return Ok(None);
        }
        let has_own_respond_to = !self.has_default_respond_to(receiver);
        if has_own_respond_to && !self.respond_to(receiver, name, true)? {
            return Ok(None);
        }
        if self.find_method(receiver, name).is_some() {
            return self.call(receiver, name, args).map(Some);
        }
        let is_claimed = match self.responds_by_missing(receiver, name)? {
            Some(false) => return Ok(None),
            answer => has_own_respond_to || answer.is_some(),
        };
        let has_missing = !self.responds_with(receiver, sym::METHOD_MISSING, self.vm().known().basic_object);
        if !has_missing {
            return Ok(None);
        }
        match self.call(receiver, name, args) {
            Ok(value) => Ok(Some(value)),
            Err(_) if !is_claimed && self.is_unwinding_with(self.vm().known().no_method_error) => Ok(None),
            Err(unwind) => Err(unwind),
        }
    }

    /// Whether [`Ec::call_if_responds`] gives nothing for any object of this one's class, and calls nothing to see that.
    pub fn never_responds(&self, receiver: Value, name: SymbolId) -> bool {
        self.class_of(receiver) != self.vm().known().ractor_moved_object
            && self.has_default_respond_to(receiver)
            && self.find_method(receiver, name).is_none()
            && self.has_default_respond_to_missing(receiver)
            && self.responds_with(receiver, sym::METHOD_MISSING, self.vm().known().basic_object)
    }

    fn has_default_respond_to_missing(&self, receiver: Value) -> bool {
        let known = self.vm().known();
        self.lacks_own(receiver, sym::RESPOND_TO_MISSING, &[known.object, known.kernel])
    }

    /// What `respond_to_missing?` says; `None` if nobody redefined it.
    fn responds_by_missing(&mut self, receiver: Value, name: SymbolId) -> Result<Option<bool>> {
        if self.has_default_respond_to_missing(receiver) {
            return Ok(None);
        }
        let answer = self.call(receiver, sym::RESPOND_TO_MISSING, &[Value::symbol(name), Value::TRUE])?;
        Ok(Some(answer.truthy()))
    }

    fn has_default_respond_to(&self, receiver: Value) -> bool {
        self.lacks_own(receiver, sym::RESPOND_TO, &[self.vm().known().kernel])
    }

    /// Whether an object has no method of a name but one that these classes came with.
    fn lacks_own(&self, receiver: Value, name: SymbolId, owners: &[Class]) -> bool {
        self.find_method(receiver, name).is_none_or(|method| {
            method.is_core(self) && owners.iter().any(|owner| method.owner_value() == owner.value())
        })
    }

    /// `receiver.respond_to?(name, include_all)`, a redefined `respond_to?` included.
    pub fn respond_to(&mut self, receiver: Value, name: SymbolId, include_all: bool) -> Result<bool> {
        if !self.has_default_respond_to(receiver) {
            let arity = self.find_method(receiver, sym::RESPOND_TO).map_or(-1, |m| m.arity(self));
            if arity > 2 {
                let text = format!("respond_to? must accept 1 or 2 arguments (requires {arity})");
                return Err(self.argument_error(&text));
            }
            if arity == 1 && include_all {
                self.warn_short_respond_to(receiver, name)?;
            }
            let args = [Value::symbol(name), Value::bool(include_all)];
            let args = if arity == 1 || !include_all { &args[..1] } else { &args[..] };
            return Ok(self.call(receiver, sym::RESPOND_TO, args)?.truthy());
        }
        if let Some(method) = self.find_method(receiver, name)
            && (include_all || method.visibility == Visibility::Public)
        {
            return Ok(method.is_implemented(self));
        }
        if self.find_method(receiver, sym::RESPOND_TO_MISSING).is_none() {
            return Ok(false);
        }
        Ok(self.call(receiver, sym::RESPOND_TO_MISSING, &[Value::symbol(name), Value::bool(include_all)])?.truthy())
    }

    /// Runs a method entry on a receiver.
    pub fn call_method(
        &mut self,
        receiver: Value,
        method: Value,
        name: SymbolId,
        args: &[Value],
        passing: Passing,
    ) -> Result {
        self.collect_in_c();
        if let Some(entry) = MethodEntry::from_value(self, method)
            && let MethodKind::Native(..) = &entry.kind
        {
            let code = entry.code(self);
            return self.run_native(receiver, code, args, passing);
        }
        let saved = self.save();
        let result = self.run_method(receiver, method, name, args, passing);
        self.restore(saved);
        result
    }

    /// Runs a native method right above what runs: it needs no boundary, as no instruction returns from it.
    #[inline]
    fn run_native(&mut self, receiver: Value, code: &CodeData, args: &[Value], passing: Passing) -> Result {
        let base = Fp(self.sp.wrapping_add(frame::HEADER));
        self.check_room(base.0.wrapping_add(1 + args.len()))?;
        let keywords = passing.keywords.map_or(GivenKeywords::None, |hash| GivenKeywords::Hash(hash, false));
        let block = passing.block.map_or(BlockWord::None, BlockWord::Proc);
        // SAFETY: the words lie within the stack, above everything in use.
        unsafe {
            set_window(base, receiver, args);
            let mut given = Given { base, argc: args.len(), keywords, block };
            let ret = interp::Return { pc: self.pc, fp: self.fp };
            interp::run_native(self, code, &mut given, ret)
        }
    }

    fn run_method(
        &mut self,
        receiver: Value,
        method: Value,
        name: SymbolId,
        args: &[Value],
        passing: Passing,
    ) -> Result {
        let base = self.push_boundary(receiver, args)?;
        let mut given = Given { base, argc: args.len(), keywords: GivenKeywords::None, block: BlockWord::None };
        if let Some(keywords) = passing.keywords {
            given.keywords = GivenKeywords::Hash(keywords, false);
        }
        if let Some(block) = passing.block {
            given.block = BlockWord::Proc(block);
        }
        // SAFETY: the window was just pushed above a boundary frame.
        unsafe { interp::enter_method_from_native(self, method, name, &mut given) }
    }

    /// Calls `method_missing`, or raises what its default raises.
    pub fn call_missing(
        &mut self,
        receiver: Value,
        name: SymbolId,
        args: &[Value],
        passing: Passing,
        reason: MissingReason,
    ) -> Result {
        let found = self.find_method(receiver, sym::METHOD_MISSING).map(|m| (m.value(), m.owner_value()));
        match found {
            Some((method, owner)) if owner != self.vm().known().basic_object.value() => {
                self.missing_reason = reason;
                let mut full = smallvec(Value::symbol(name), args);
                let result = self.call_method(receiver, method, sym::METHOD_MISSING, full.as_slice(), passing);
                full.clear();
                result
            }
            _ => Err(self.missing_error(receiver, name, args, reason)),
        }
    }

    /// The error of a method that is not there or not allowed.
    pub fn missing_error(
        &mut self,
        receiver: Value,
        name: SymbolId,
        args: &[Value],
        reason: MissingReason,
    ) -> crate::Unwind {
        let is_undefined = name == sym::METHOD_MISSING && self.find_method(receiver, name).is_none();
        if is_undefined && args.is_empty() {
            return self.argument_error("no method name given");
        }
        let method = self.vm().symbol_text(name);
        let what = self.describe_receiver_by_name(receiver);
        match reason {
            MissingReason::Variable => {
                self.name_error(&format!("undefined local variable or method '{method}' for {what}"), receiver, name)
            }
            MissingReason::Super => {
                let list = Array::from_slice(self, args);
                self.no_method_error(
                    &format!("super: no superclass method '{method}' for {what}"),
                    receiver,
                    name,
                    list,
                )
            }
            MissingReason::Undefined | MissingReason::Function => {
                let list = Array::from_slice(self, args);
                let message = format!("undefined method '{method}' for {what}");
                let unwind = self.no_method_error(&message, receiver, name, list);
                if matches!(reason, MissingReason::Function) {
                    let is_private = self.vm().intern("__private_call");
                    self.set_field(self.pending, is_private, Value::TRUE);
                }
                unwind
            }
            MissingReason::Visibility(visibility) => {
                let list = Array::from_slice(self, args);
                let kind = if visibility == Visibility::Private { "private" } else { "protected" };
                self.no_method_error(&format!("{kind} method '{method}' called for {what}"), receiver, name, list)
            }
        }
    }

    /// Yields to the running native method's block.
    pub fn yield_block(&mut self, block: Block, args: &[Value]) -> Result {
        match block.word() {
            BlockWord::Literal(code, env) => self.call_code(code, env, args, BlockCall::default(), false),
            BlockWord::Proc(proc) => self.call_block_proc(proc, args),
            BlockWord::None => Err(self.local_jump_error("no block given (yield)", "noreason", Value::NIL)),
        }
    }

    /// Yields with another `self`, scope, block or strictness.
    pub fn yield_block_with(&mut self, block: Block, args: &[Value], how: BlockCall) -> Result {
        match block.word() {
            BlockWord::Literal(code, env) => self.call_code(code, env, args, how, false),
            BlockWord::Proc(proc) => self.call_proc_with(proc, args, how),
            BlockWord::None => Err(self.local_jump_error("no block given (yield)", "noreason", Value::NIL)),
        }
    }

    /// A proc as the target of `yield`: lambdas take a single array apart as procs do not.
    fn call_block_proc(&mut self, proc: Proc, args: &[Value]) -> Result {
        self.call_proc(proc, args)
    }

    /// `proc.call(*args)`
    pub fn call_proc(&mut self, proc: Proc, args: &[Value]) -> Result {
        self.call_proc_with(proc, args, BlockCall::default())
    }

    pub fn call_proc_with(&mut self, proc: Proc, args: &[Value], how: BlockCall) -> Result {
        match proc.code_in(self) {
            Some(code) => self.call_code(code, proc.env(), args, how, proc.is_lambda()),
            None => self.call_native_target(proc, args, how),
        }
    }

    /// Calls a proc with the elements of an array that nobody else knows.
    pub fn call_proc_with_array(&mut self, proc: Proc, args: Array, keywords: Option<Hash>) -> Result {
        let (first, len) = (args.slice_of(self).as_ptr(), args.len(self));
        let how = BlockCall { passing: Passing { keywords, block: None }, ..BlockCall::default() };
        // SAFETY: only this call knows the array, so its elements stay where they are until the new frame has them.
        self.call_proc_with(proc, unsafe { std::slice::from_raw_parts(first, len) }, how)
    }

    /// Calls a method with the elements of an array that nobody else knows.
    pub fn call_with_array(&mut self, receiver: Value, name: SymbolId, args: Array, passing: Passing) -> Result {
        let (first, len) = (args.slice_of(self).as_ptr(), args.len(self));
        // SAFETY: as above.
        self.call_with(receiver, name, unsafe { std::slice::from_raw_parts(first, len) }, passing)
    }

    /// As [`Ec::call_with_array`], for an array that what is called may change.
    pub fn call_with_shared_array(&mut self, receiver: Value, name: SymbolId, list: Array, passing: Passing) -> Result {
        let mut few = [Value::NIL; 16];
        let count = list.len(self);
        if count <= few.len() {
            few[..count].copy_from_slice(list.slice_of(self));
            return self.call_with(receiver, name, &few[..count], passing);
        }
        let many: Box<[Value]> = list.slice_of(self).into();
        let result = self.call_with(receiver, name, &many, passing);
        // Keeps the elements alive.
        std::hint::black_box(list);
        result
    }

    fn call_native_target(&mut self, proc: Proc, args: &[Value], how: BlockCall) -> Result {
        let target = proc.native_target().unwrap_or(Value::NIL);
        if let Some(name) = target.as_symbol() {
            let Some((receiver, rest)) = args.split_first() else {
                return Err(self.argument_error("no receiver given"));
            };
            let refined = crate::run::interp::refined_for(self, proc.cref(), *receiver, name);
            return match refined {
                Some(method) => self.call_method(*receiver, method, name, rest, how.passing),
                None => self.call_public(*receiver, name, rest, how.passing),
            };
        }
        self.call_with(target, sym::CALL, args, how.passing)
    }

    fn call_code(&mut self, code: &CodeData, env: Fp, args: &[Value], how: BlockCall, is_lambda: bool) -> Result {
        let saved = self.save();
        let result = self.run_code(code, env, args, how, is_lambda);
        self.restore(saved);
        result
    }

    fn run_code(&mut self, code: &CodeData, env: Fp, args: &[Value], how: BlockCall, is_lambda: bool) -> Result {
        // SAFETY: the environment of a block is alive while the block can be called.
        let receiver = how.receiver.unwrap_or_else(|| unsafe { env.reg(0) });
        if let Some(cref) = how.cref {
            let spares = &self.ractor().spare_variants;
            let variant = spares.take(code, cref).unwrap_or_else(|| code.with_cref(self, cref));
            let result = self.run_code_as(variant, env, args, receiver, how, is_lambda);
            // Who leaves by another way may have left a trace that refers to it.
            if result.is_ok() {
                self.ractor().spare_variants.put(code, variant);
            }
            return result;
        }
        self.run_code_as(code, env, args, receiver, how, is_lambda)
    }

    fn run_code_as(
        &mut self,
        code: &CodeData,
        env: Fp,
        args: &[Value],
        receiver: Value,
        how: BlockCall,
        is_lambda: bool,
    ) -> Result {
        let base = self.push_boundary(receiver, args)?;
        let keywords = how.passing.keywords.map_or(GivenKeywords::None, |h| GivenKeywords::Hash(h, false));
        let block = how.passing.block.map_or(BlockWord::None, BlockWord::Proc);
        let mut given = Given { base, argc: args.len(), keywords, block };
        let is_lambda = is_lambda || how.as_lambda || code.kind == CodeKind::Lambda;
        let flags = if is_lambda { frame::flags::LAMBDA } else { 0 };
        // SAFETY: the window was just pushed above a boundary frame; the environment is alive.
        unsafe { interp::enter_block_from_native(self, code, env, flags, &mut given, Strictness::of(code, is_lambda)) }
    }

    /// Runs code that takes no arguments (scripts, class bodies, `eval`) with a receiver; `parent` is null but for `eval`.
    pub(crate) fn run_toplevel(&mut self, code: &CodeData, receiver: Value, parent: Fp) -> Result {
        let saved = self.save();
        let result = self.push_boundary(receiver, &[]).and_then(|base| {
            let mut given = Given { base, argc: 0, keywords: GivenKeywords::None, block: BlockWord::None };
            // SAFETY: as in `run_code`.
            unsafe { interp::enter_block_from_native(self, code, parent, 0, &mut given, Strictness::Exact) }
        });
        self.restore(saved);
        result
    }

    /// Runs `eval`'s code as a block of `parent`. Its environment is on the heap from the start, so that the locals it
    /// defines outlive it however it ends. `note` is told of it before the code runs.
    pub(crate) fn run_eval(
        &mut self,
        code: &CodeData,
        receiver: Value,
        parent: Fp,
        note: &mut dyn FnMut(&mut Ec, Fp),
    ) -> Result<(Result, Fp)> {
        let saved = self.save();
        let result = self.push_boundary(receiver, &[]).and_then(|base| {
            let mut given = Given { base, argc: 0, keywords: GivenKeywords::None, block: BlockWord::None };
            // SAFETY: as in `run_code`.
            unsafe { interp::enter_eval_from_native(self, code, parent, &mut given, note) }
        });
        self.restore(saved);
        result
    }

    // ---- frames ----

    fn save(&self) -> Saved {
        Saved { fp: self.fp, pc: self.pc, sp: self.sp }
    }

    fn restore(&mut self, saved: Saved) {
        self.fp = saved.fp;
        self.pc = saved.pc;
        self.sp = saved.sp;
    }

    /// Fails if a window that ends at `top` leaves too little of either stack.
    #[inline]
    fn check_room(&mut self, top: *mut Value) -> Result<()> {
        let is_low = top.addr() + 1024 > self.stack.argument_limit() || self.is_native_stack_low();
        if is_low { Err(self.stack_error()) } else { Ok(()) }
    }

    /// Pushes a boundary frame and above it a window with receiver and arguments; the window's base.
    fn push_boundary(&mut self, receiver: Value, args: &[Value]) -> Result<Fp> {
        let boundary = Fp(self.sp.wrapping_add(frame::HEADER));
        let base = Fp(boundary.0.wrapping_add(1 + frame::HEADER));
        let top = base.0.wrapping_add(1 + args.len());
        self.check_room(top)?;
        // SAFETY: the words lie within the stack, above everything in use.
        unsafe {
            boundary.set_word(frame::CODE, std::ptr::from_ref(&*self.boundary).expose_provenance() as u64);
            boundary.set_word(frame::BLOCK, 0);
            boundary.set_word(frame::ENV, boundary.0.expose_provenance() as u64);
            boundary.set_word(frame::CALLER, self.fp.0.expose_provenance() as u64);
            boundary.set_word(frame::RET_PC, self.pc.expose_provenance() as u64);
            boundary.set_reg(0, Value::NIL);
            set_window(base, receiver, args);
        }
        self.fp = boundary;
        self.pc = interp::halt_pc();
        self.sp = top;
        Ok(base)
    }

    #[inline(always)]
    fn is_native_stack_low(&self) -> bool {
        let marker = 0u8;
        std::ptr::from_ref(&marker).addr() < self.native_limit
    }

    /// Bytes of native stack that may still be used.
    pub fn native_stack_left(&self) -> usize {
        let marker = 0u8;
        std::ptr::from_ref(&marker).addr().saturating_sub(self.native_limit)
    }

    /// Fails with `SystemStackError` when native recursion has come near the end of its stack. Native methods that
    /// recurse without calling Ruby (`inspect`, `flatten`, `Marshal`) call this at each level.
    pub fn check_native_stack(&mut self) -> Result<()> {
        if self.is_native_stack_low() { Err(self.stack_error()) } else { Ok(()) }
    }
}

/// Writes receiver and arguments.
///
/// # Safety
/// The window lies within the stack.
#[inline(always)]
unsafe fn set_window(base: Fp, receiver: Value, args: &[Value]) {
    // SAFETY: by contract.
    unsafe {
        base.set_reg(0, receiver);
        // A plain loop: a call to copy two words costs more than they do.
        let mut index = 0;
        while index < args.len() {
            base.set_reg(1 + index, args[index]);
            index += 1;
        }
    }
}

/// Why a call found no method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MissingReason {
    Undefined,
    /// As that, in a call without receiver or of `self`: a private method would have done.
    Function,
    /// An identifier alone.
    Variable,
    Super,
    Visibility(Visibility),
}

/// A few values in front of others, on the native stack where the collector sees them.
pub(crate) struct Few {
    values: [Value; 32],
    many: Option<Box<[Value]>>,
    len: usize,
}

impl Few {
    pub(crate) fn as_slice(&self) -> &[Value] {
        match &self.many {
            Some(many) => many,
            None => &self.values[..self.len],
        }
    }

    fn clear(&mut self) {
        self.len = 0;
    }
}

/// `first` and then `rest`. The originals stay alive in the caller's window.
pub(crate) fn smallvec(first: Value, rest: &[Value]) -> Few {
    let mut values = [Value::NIL; 32];
    values[0] = first;
    let len = rest.len() + 1;
    if len > values.len() {
        return Few { values, many: Some(std::iter::once(first).chain(rest.iter().copied()).collect()), len };
    }
    values[1..len].copy_from_slice(rest);
    Few { values, many: None, len }
}

/// Body of methods defined by `define_method` with a method object or symbol proc.
pub(crate) fn call_native_proc(ec: &mut Ec, args: Args) -> Result {
    // SAFETY: the running frame is this native method's.
    let method = unsafe { ec.fp.code().method };
    let Some(entry) = MethodEntry::from_value(ec, method) else { return Ok(Value::NIL) };
    let MethodKind::Proc(proc) = entry.kind else { return Ok(Value::NIL) };
    let list = Array::new(ec, args.len());
    (0..args.len()).filter_map(|i| args.get(i)).for_each(|v| list.push(ec, v));
    let block = ec.block().map(|b| b.to_proc(ec));
    let copy = smallvec(Value::NIL, list.slice_of(ec));
    ec.call_proc_with(
        Proc::expect(proc),
        &copy.as_slice()[1..],
        BlockCall { passing: Passing { keywords: None, block }, ..BlockCall::default() },
    )
}
