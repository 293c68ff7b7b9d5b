//! Blocks and procs, and the environments that outlive their frames.
//!
//! # Escaping
//! A literal block costs nothing until somebody wants it as an object. Then the environment of its home frame, and
//! those around it, are copied to the heap, and every frame above that referred to the stack is redirected.

use crate::ec::{Ec, Result};
use crate::model::method::MethodEntry;
use crate::model::shape::ROOT_HIDDEN;
use crate::run::code::{CodeData, CodeKind};
use crate::run::frame::{self, Fp};
use crate::value::object::Mold;
use carat_layout::{HeapType, REnv, RProc, SymbolId, Value, flags, pool_for};

/// The block of a running native method: a place in its frame, valid while the method runs.
#[derive(Clone, Copy)]
pub struct Block(Fp);

/// A Proc.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct Proc(Value);

/// What the BLOCK word of a frame means.
#[derive(Clone, Copy)]
pub(crate) enum BlockWord {
    None,
    Literal(&'static CodeData, Fp),
    Proc(Proc),
}

impl BlockWord {
    /// # Safety
    /// `fp` is a live frame or environment of a kind that stores BLOCK.
    #[inline(always)]
    pub(crate) unsafe fn read(fp: Fp) -> BlockWord {
        // SAFETY: by contract.
        unsafe {
            match fp.word(frame::BLOCK) {
                0 => BlockWord::None,
                word if word & 1 == 1 => {
                    BlockWord::Literal(&*((word & !1) as *const CodeData), Fp(fp.word(frame::BLOCK_ENV) as *mut Value))
                }
                word => BlockWord::Proc(Proc(Value::from_bits(word))),
            }
        }
    }

    /// The two words to store in a frame that gets this block.
    pub(crate) fn words(&self) -> (u64, u64) {
        match self {
            BlockWord::None => (0, 0),
            BlockWord::Literal(code, env) => {
                (std::ptr::from_ref(*code).expose_provenance() as u64 | 1, env.0.expose_provenance() as u64)
            }
            BlockWord::Proc(proc) => (proc.0.bits(), 0),
        }
    }
}

impl Proc {
    pub fn from_value(value: Value) -> Option<Proc> {
        value.is_type(HeapType::Proc).then_some(Proc(value))
    }

    /// The handle of a value that is known to be a Proc. Another one is a mistake of ours, and ends the process.
    #[inline]
    #[track_caller]
    pub fn expect(value: Value) -> Proc {
        match Proc::from_value(value) {
            Some(handle) => handle,
            None => crate::bug::wrong_type(value, "a Proc"),
        }
    }

    /// As [`Proc::expect`], without a look at the value.
    ///
    /// # Safety
    /// It is a Proc.
    #[inline]
    pub(crate) unsafe fn from_value_unchecked(value: Value) -> Proc {
        debug_assert!(Proc::from_value(value).is_some(), "{value:?} is not a Proc");
        Proc(value)
    }

    pub fn value(self) -> Value {
        self.0
    }

    fn raw(self) -> *mut RProc {
        // SAFETY: a Proc is a live RProc.
        unsafe { self.0.as_ptr() }
    }

    pub fn is_lambda(self) -> bool {
        self.0.header().is_some_and(|h| h.has(flags::PROC_LAMBDA))
    }

    pub fn set_lambda(self) {
        self.0.header().expect("a proc is a heap object").set(flags::PROC_LAMBDA);
    }

    /// Code of a proc made of a block; `None` for procs of native origin.
    pub(crate) fn code<'a>(self) -> Option<&'a CodeData> {
        // SAFETY: a Proc is a live RProc that keeps its code alive.
        unsafe { CodeData::from_value((*self.raw()).code) }
    }

    /// What a proc of native origin calls: a Method object or a symbol.
    pub fn native_target(self) -> Option<Value> {
        // SAFETY: a Proc is a live RProc.
        self.code().is_none().then(|| unsafe { Value::from_bits((*self.raw()).env as u64) })
    }

    /// The environment; null for procs of native origin.
    pub(crate) fn env(self) -> Fp {
        // SAFETY: a Proc is a live RProc.
        if self.code().is_some() { Fp(unsafe { (*self.raw()).env }) } else { Fp::NULL }
    }

    /// The code or scope, and what keeps the environment or target alive.
    pub(crate) fn references(self) -> [Value; 2] {
        // SAFETY: a Proc is a live RProc.
        unsafe { [(*self.raw()).code, self.native_target().unwrap_or_else(|| env_object(self.env()))] }
    }

    fn allocate(ec: &Ec, extra: u64, code: Value, env: *mut Value) -> Proc {
        Proc::allocate_in(ec, ec.vm().known().proc.root_shape().into(), extra, code, env)
    }

    fn allocate_in(ec: &Ec, mold: Mold, extra: u64, code: Value, env: *mut Value) -> Proc {
        let pool = pool_for(size_of::<RProc>()).expect("fits a slot");
        let slot = ec.new_slot_in(HeapType::Proc, pool, mold, extra);
        // SAFETY: the slot is fresh and holds an RProc.
        unsafe {
            let proc = slot.cast::<RProc>().as_ptr();
            (*proc).code = code;
            (*proc).env = env;
        }
        // SAFETY: the slot is initialised.
        Proc(unsafe { Value::from_heap(slot) })
    }

    /// A lambda that calls `target` (a Method, UnboundMethod-bound object or symbol) through `builtins`.
    pub fn from_native(ec: &Ec, target: Value) -> Proc {
        Proc::from_symbol(ec, target, Value::NIL)
    }

    /// A proc, no lambda, that calls `target` likewise.
    pub fn from_native_block(ec: &Ec, target: Value) -> Proc {
        let target = std::ptr::with_exposed_provenance_mut(target.bits() as usize);
        Proc::allocate(ec, flags::PROC_FROM_METHOD, Value::NIL, target)
    }

    /// The proc that this Ractor has for a symbol, whose calls see no refinements: one for each, as long as the Ractor lives.
    pub fn of_symbol(ec: &mut Ec, symbol: SymbolId) -> Proc {
        let procs = ec.symbol_procs();
        if let Some(proc) = procs.get_symbol(ec, symbol).and_then(Proc::from_value) {
            return proc;
        }
        let proc = Proc::from_symbol(ec, Value::symbol(symbol), Value::NIL);
        procs.set_symbol(ec, symbol, proc.value());
        proc
    }

    /// The proc of a symbol; `cref` is the scope whose refinements its calls see, or nil.
    pub(crate) fn from_symbol(ec: &Ec, symbol: Value, cref: Value) -> Proc {
        let target = std::ptr::with_exposed_provenance_mut(symbol.bits() as usize);
        Proc::allocate(ec, flags::PROC_LAMBDA | flags::PROC_FROM_METHOD, cref, target)
    }

    /// A proc of a block literal's code and its home environment, which escapes.
    #[inline(never)]
    pub(crate) fn from_code(ec: &mut Ec, code: &CodeData, env: Fp) -> Proc {
        let (env, _) = ec.escape(env);
        let lambda = if code.kind == CodeKind::Lambda { flags::PROC_LAMBDA } else { 0 };
        Proc::allocate(ec, lambda, code.this, env.0)
    }

    /// The block that an environment's frame was given, as a Proc or nil.
    ///
    /// # Safety
    /// `env` is a live environment of a kind that stores BLOCK.
    #[inline(never)]
    pub(crate) unsafe fn from_block_of(ec: &mut Ec, env: Fp) -> Value {
        // SAFETY: by contract.
        match unsafe { BlockWord::read(env) } {
            BlockWord::None => Value::NIL,
            BlockWord::Proc(proc) => proc.value(),
            BlockWord::Literal(code, home) => Proc::from_code(ec, code, home).value(),
        }
    }

    /// Another proc object with the same code, environment and lambda-ness.
    pub fn duplicate(self, ec: &Ec) -> Proc {
        self.duplicate_in(ec, ec.vm().known().proc.root_shape().into())
    }

    fn duplicate_in(self, ec: &Ec, mold: Mold) -> Proc {
        // SAFETY: a Proc is a live RProc.
        unsafe {
            let bits = self.0.header().map_or(0, |h| h.bits()) & (flags::PROC_LAMBDA | flags::PROC_FROM_METHOD);
            Proc::allocate_in(ec, mold, bits, (*self.raw()).code, (*self.raw()).env)
        }
    }

    /// Takes on the code and environment of a shareable copy, and is shareable from here on.
    pub fn become_shareable(self, ec: &mut Ec, copy: Proc) {
        // SAFETY: both are live RProcs.
        unsafe {
            (*self.raw()).code = (*copy.raw()).code;
            (*self.raw()).env = (*copy.raw()).env;
        }
        ec.wrote(self.0);
        ec.freeze(self.0);
        ec.share(self.0);
    }

    /// As [`Proc::duplicate`], of another class.
    pub fn duplicate_of(self, ec: &Ec, class: crate::Class) -> Proc {
        self.duplicate_in(ec, Mold::of(class))
    }

    /// A number that two procs have in common if they are of one block in one environment.
    pub fn identity(self) -> u64 {
        // SAFETY: a Proc is a live RProc.
        unsafe { (*self.raw()).code.bits().rotate_left(17) ^ ((*self.raw()).env.addr() as u64).rotate_left(34) }
    }

    /// The lexical scope of the block; nil for procs of native origin, those of symbols in refined scopes excepted.
    pub(crate) fn cref(self) -> Value {
        // SAFETY: a Proc is a live RProc.
        self.code().map_or_else(|| unsafe { (*self.raw()).code }, |c| c.cref)
    }

    /// Two procs of one block in one environment.
    pub fn is_same_block(self, other: Proc) -> bool {
        // SAFETY: both are live RProcs.
        unsafe {
            (*self.raw()).code == (*other.raw()).code
                && (*self.raw()).env == (*other.raw()).env
                && self.is_lambda() == other.is_lambda()
        }
    }

    /// `self` inside the block.
    pub fn receiver(self) -> Value {
        if self.env().is_null() {
            return Value::NIL;
        }
        // SAFETY: the environment lives as long as the proc.
        unsafe { self.env().reg(0) }
    }

    pub fn iseq(self) -> Option<std::sync::Arc<crate::run::link::LinkedIseq>> {
        self.code().map(|c| c.linked().clone())
    }

    /// `Proc#arity`.
    pub fn arity(self, ec: &Ec) -> i64 {
        match self.code() {
            Some(code) => code.linked().iseq.params.arity(self.is_lambda()),
            None => native_arity(ec, self),
        }
    }

    pub(crate) fn arity_as_lambda(self, ec: &Ec) -> i64 {
        match self.code() {
            Some(code) => code.linked().iseq.params.arity(true),
            None => native_arity(ec, self),
        }
    }
}

fn native_arity(ec: &Ec, proc: Proc) -> i64 {
    let target = proc.native_target().unwrap_or(Value::NIL);
    if target.is_symbol() { -2 } else { ec.vm().hooks().method_arity.map_or(-1, |f| f(ec, target)) }
}

impl CodeData {
    pub(crate) fn from_value<'a>(value: Value) -> Option<&'a CodeData> {
        if !value.is_type(HeapType::Code) {
            return None;
        }
        // SAFETY: a code object's slot points at its CodeData until it is swept.
        unsafe { Some(&*(*value.as_ptr::<carat_layout::ROwner>()).native.cast::<CodeData>()) }
    }
}

/// The code of a method whose body is a proc.
pub(crate) fn method_code(ec: &Ec, proc: Value, entry: &MethodEntry) -> &'static CodeData {
    let proc = Proc::expect(proc);
    match proc.code() {
        Some(code) => code.with_method(ec, entry.this, code.cref, entry.name),
        None => CodeData::native(ec, crate::run::call::call_native_proc, 0, entry.this, Some(entry.name)),
    }
}

impl Ec {
    /// The block given to the running native method.
    #[inline]
    pub fn block(&self) -> Option<Block> {
        // SAFETY: a native method's frame stores BLOCK; so does the Ruby frame that runs a primitive.
        let has = unsafe { self.fp.word(frame::BLOCK) != 0 };
        has.then_some(Block(self.fp))
    }

    /// The block of a frame as a Proc, another one each time unless it was passed as one.
    ///
    /// # Safety
    /// `fp` is a live frame or environment that stores BLOCK.
    pub(crate) unsafe fn frame_block_to_proc(&mut self, fp: Fp) -> Option<Proc> {
        // SAFETY: by contract.
        unsafe {
            match BlockWord::read(fp) {
                BlockWord::None => None,
                BlockWord::Proc(proc) => Some(proc),
                BlockWord::Literal(code, env) => Some(Proc::from_code(self, code, env)),
            }
        }
    }

    /// Moves an environment, and those around it, to the heap if they are not there yet. Its new place and object.
    pub(crate) fn escape(&mut self, env: Fp) -> (Fp, Value) {
        if !self.stack.contains(env.0) {
            return (env, env_object(env));
        }
        // SAFETY: an environment on the stack is a live frame's.
        unsafe {
            if env.code().kind.is_block() {
                self.escape(env.parent());
            }
            // A literal block given to this frame is reachable from the copy: its home must outlive the stack too.
            if let BlockWord::Literal(_, home) = BlockWord::read(env) {
                self.escape(home);
            }
            let moved = self.copy_env(env);
            self.redirect(env, moved);
            (moved, env_object(moved))
        }
    }

    /// # Safety
    /// `env` is a live frame on the stack.
    unsafe fn copy_env(&self, env: Fp) -> Fp {
        // SAFETY: a frame has its header words below and `local_size` registers above its pointer.
        unsafe {
            let (header, locals) = (frame::env_header(env), usize::from(env.code().local_size));
            let moved = self.allocate_env(header, locals);
            let object = moved.word(frame::ENV);
            std::ptr::copy_nonoverlapping(env.0.sub(header), moved.0.sub(header), header + locals);
            moved.set_word(frame::ENV, object);
            env.code().has_escaped.set(true);
            // Beside no literal block that word is what another frame left there, and would keep alive what it leads to.
            if header >= -frame::BLOCK_ENV as usize && moved.word(frame::BLOCK) & 1 == 0 {
                moved.set_word(frame::BLOCK_ENV, 0);
            }
            moved
        }
    }

    /// An environment with `header` words below `self` and `locals` from there on. Its object is noted, the rest is the caller's
    /// to write before the next poll.
    pub(crate) fn allocate_env(&self, header: usize, locals: usize) -> Fp {
        let bytes = std::mem::offset_of!(REnv, words) + (header + locals) * 8;
        let bits = (header as u64) << flags::ENV_HEADER_SHIFT;
        let Some(pool) = pool_for(bytes) else { return self.allocate_large_env(header, locals, bits) };
        let slot = self.new_slot(HeapType::Env, pool, ROOT_HIDDEN, bits);
        // SAFETY: the slot is fresh and large enough.
        unsafe {
            let words = (&raw mut (*slot.cast::<REnv>().as_ptr()).words).cast::<Value>();
            let env = Fp(words.add(header));
            env.set_word(frame::ENV, slot.as_ptr().expose_provenance() as u64);
            env
        }
    }

    fn allocate_large_env(&self, header: usize, locals: usize, bits: u64) -> Fp {
        let words = header + locals;
        let block = Box::leak(vec![0u64; 1 + words].into_boxed_slice()).as_mut_ptr();
        self.heap().account(words as isize * 8);
        let pool = pool_for(size_of::<carat_layout::ROwner>()).expect("fits the smallest pool");
        let object = self.new_owner_with(HeapType::Env, pool, ROOT_HIDDEN, bits | flags::ENV_EXTERNAL, block.cast());
        // SAFETY: the block has that many words behind their number.
        unsafe {
            block.write(words as u64);
            let env = Fp(block.add(1 + header).cast());
            env.set_word(frame::ENV, object.bits());
            env
        }
    }

    /// Makes every frame that referred to the environment at `old` refer to `new`.
    ///
    /// # Safety
    /// `old` is a frame of the running stack.
    unsafe fn redirect(&self, old: Fp, new: Fp) {
        let (from, to) = (old.0.expose_provenance() as u64, new.0.expose_provenance() as u64);
        let mut fp = self.fp;
        // SAFETY: frames are walked from the top down to `old`; each stores the words that its kind has.
        unsafe {
            loop {
                let kind = fp.code().kind;
                if kind != CodeKind::Boundary {
                    if fp.word(frame::BLOCK) & 1 == 1 && fp.word(frame::BLOCK_ENV) == from {
                        fp.set_word(frame::BLOCK_ENV, to);
                    }
                    if kind.is_block() && fp.word(frame::PARENT) == from {
                        fp.set_word(frame::PARENT, to);
                    }
                }
                if fp == old || fp.caller().is_null() {
                    break;
                }
                fp = fp.caller();
            }
            old.set_word(frame::ENV, to);
        }
    }
}

impl Block {
    /// The block as a Proc object.
    pub fn to_proc(self, ec: &mut Ec) -> Proc {
        // SAFETY: the frame is alive while the native method runs.
        unsafe { ec.frame_block_to_proc(self.0).expect("a Block is only made of a frame that has one") }
    }

    /// It was passed as `&proc`, not written at the call.
    pub fn is_passed_on(self) -> bool {
        matches!(self.word(), BlockWord::Proc(_))
    }

    pub(crate) fn word(self) -> BlockWord {
        // SAFETY: the frame is alive while the native method runs.
        unsafe { BlockWord::read(self.0) }
    }

    /// A lambda of a literal block (`lambda { }`).
    pub fn to_lambda(self, ec: &mut Ec) -> Result<Proc> {
        let is_literal = matches!(self.word(), BlockWord::Literal(..));
        let proc = self.to_proc(ec);
        if is_literal {
            proc.set_lambda();
        }
        Ok(proc)
    }
}

/// The words of an environment's object: the first of them, and the environment itself.
///
/// # Safety
/// The object is a live environment.
pub(crate) unsafe fn env_words(object: std::ptr::NonNull<carat_layout::Header>) -> (*mut u64, Fp) {
    // SAFETY: by contract; the header says where the words are and how many come before `self`.
    unsafe {
        let bits = object.as_ref().bits();
        let first = match bits & flags::ENV_EXTERNAL {
            0 => (&raw mut (*object.cast::<REnv>().as_ptr()).words).cast(),
            _ => (*object.cast::<carat_layout::ROwner>().as_ptr()).native.cast::<u64>().add(1),
        };
        let header = (bits & flags::ENV_HEADER_MASK) >> flags::ENV_HEADER_SHIFT;
        (first, Fp(first.add(header as usize).cast()))
    }
}

/// Words of an environment on the heap, from the first on.
///
/// # Safety
/// As [`env_words`].
pub(crate) unsafe fn env_size(object: std::ptr::NonNull<carat_layout::Header>) -> usize {
    // SAFETY: by contract.
    unsafe {
        let (first, env) = env_words(object);
        (env.0.addr() - first.addr()) / 8 + usize::from(env.code().local_size)
    }
}

/// The object that holds an environment on the heap.
pub(crate) fn env_object(env: Fp) -> Value {
    // SAFETY: an environment that is not on a stack has its object's address in this word.
    unsafe { Value::from_bits(env.word(frame::ENV)) }
}
