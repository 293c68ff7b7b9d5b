//! Blocks with another `self` (`instance_exec`, `class_eval`), and what methods learn of the scope they are called from.
//!
//! # Invariants
//! A scope is only pushed for a block that could notice: one that defines methods or asks for its binding.

use crate::ec::{Ec, Result};
use crate::model::class::{Class, Visibility};
use crate::model::cref::Cref;
use crate::model::method::MethodEntry;
use crate::run::call::{BlockCall, Passing};
use crate::run::code::{CodeData, CodeKind};
use crate::run::frame::Fp;
use crate::run::interp::ops::define::visibility_scope;
use crate::run::link::LinkedIseq;
use crate::run::proc::{Block, BlockWord, Proc};
use carat_iseq::{IseqKind, Op};
use carat_layout::{SymbolId, Value};

/// Where `def` in an evaluated block goes.
#[derive(Clone, Copy)]
pub enum EvalScope {
    /// To a class or module.
    Class(Class),
    /// To the singleton class of an object, which is only made if need be.
    SingletonOf(Value),
}

impl EvalScope {
    fn push(self, ec: &Ec, outer: Value) -> Value {
        match self {
            EvalScope::Class(class) => Cref::create(ec, class, outer, true),
            EvalScope::SingletonOf(object) => Cref::create_singleton(ec, object, outer),
        }
    }
}

/// Whether code behaves differently in another scope. Constants and class variables do not look at pushed scopes.
fn notices_scope(iseq: &carat_iseq::Iseq) -> bool {
    let defines = |op: Op| matches!(op, Op::definemethod | Op::aliasmethod | Op::undefmethod | Op::defineclass);
    iseq.flags.uses_binding
        || iseq.insns.iter().any(|i| defines(i.op))
        || iseq.children().any(|c| matches!(c.kind, IseqKind::Block | IseqKind::Lambda) && notices_scope(&c))
}

impl Ec {
    /// Runs the running native method's block with another `self` and scope.
    pub fn eval_block(
        &mut self,
        block: Block,
        receiver: Value,
        scope: EvalScope,
        args: &[Value],
        passing: Passing,
    ) -> Result {
        let code = match block.word() {
            BlockWord::Literal(code, _) => Some(code),
            BlockWord::Proc(proc) => proc.code_in(self),
            BlockWord::None => None,
        };
        let cref = code.and_then(|code| self.scope_for(code, scope));
        self.yield_block_with(block, args, BlockCall { receiver: Some(receiver), cref, passing, as_lambda: false })
    }

    fn scope_for(&self, code: &CodeData, scope: EvalScope) -> Option<Value> {
        if let EvalScope::Class(class) = scope {
            let known = self.ractor().spare_variants.scope_of(code, class);
            return Some(known.unwrap_or_else(|| scope.push(self, code.cref)));
        }
        let is_needed = code.linked().iseq.notes.notices_scope.get_or_init(|| notices_scope(&code.linked().iseq));
        is_needed.then(|| scope.push(self, code.cref))
    }

    /// The block that `module` gives to `refine`: in its scope all refinements of the module are active.
    pub fn eval_refinement(&mut self, block: Block, refinement: Class, module: Class) -> Result {
        let proc = block.to_proc(self);
        let cref = Cref::create_refining(self, refinement, module, proc.cref());
        self.call_proc_with(
            proc,
            &[],
            BlockCall { receiver: Some(refinement.value()), cref: Some(cref), ..BlockCall::default() },
        )
    }

    /// The Ruby frame that called the running native method.
    fn calling_frame(&self) -> Option<Fp> {
        let mut fp = self.fp;
        // SAFETY: live frames, walked down.
        unsafe {
            while !fp.is_null() {
                if !matches!(fp.code().kind, CodeKind::Native | CodeKind::Boundary) {
                    return Some(fp);
                }
                fp = fp.caller();
            }
        }
        None
    }

    /// The visibility that a definition in `class` gets by the `private` and the like before it in the caller's body, and
    /// whether `module_function` is on.
    pub fn caller_visibility(&self, class: Class) -> (Visibility, bool) {
        let public = (Visibility::Public, false);
        let Some(fp) = self.calling_frame() else { return public };
        // SAFETY: a live frame.
        let Some(scope) = (unsafe { visibility_scope(fp) }) else { return public };
        let is_own = Cref::from_value(scope.cref).is_some_and(|c| c.is_scope_of(class));
        if is_own { (scope.default_visibility.get(), scope.module_function.get()) } else { public }
    }

    /// `private` without arguments: sets the visibility of what the caller's body defines from here on. False if the caller
    /// is no such body.
    pub fn set_caller_visibility(&mut self, visibility: Visibility, module_function: bool) -> bool {
        let Some(fp) = self.calling_frame() else { return false };
        // SAFETY: a live frame.
        let Some(scope) = (unsafe { visibility_scope(fp) }) else { return false };
        scope.default_visibility.set(visibility);
        scope.module_function.set(module_function);
        true
    }

    /// The lexical scopes of the calling Ruby code from the inside out, the outermost excepted (`Module.nesting`).
    pub fn caller_nesting(&self) -> crate::Array {
        let list = crate::Array::new(self, 4);
        let mut scope = Cref::from_value(self.current_cref());
        while let Some(c) = scope {
            if c.outer().is_some() && !c.is_pushed_by_eval() {
                list.push(self, c.class().value());
            }
            scope = c.outer();
        }
        list
    }

    /// Refinements that are active in the calling Ruby code, as pairs of refined class and refinement, innermost last.
    pub fn caller_refinements(&self) -> crate::Array {
        let list = crate::Array::new(self, 4);
        for (refined, refinement) in
            Cref::from_value(self.current_cref()).map(|c| c.active_refinements(self)).unwrap_or_default()
        {
            list.push(self, crate::Array::pair(self, refined, refinement).value());
        }
        list
    }

    /// `using`: activates refinements, pairs of refined class and refinement, in the calling Ruby code from here on. Its
    /// frame goes on in a scope of its own, so that methods and blocks that were made before do not see them.
    pub fn activate_refinements(&mut self, pairs: &[(Class, Class)]) {
        let Some(fp) = self.calling_frame() else { return };
        // SAFETY: a live Ruby frame; its variant has the same instructions and registers.
        unsafe {
            let code = fp.code();
            let Some(scope) = Cref::from_value(code.cref) else { return };
            let cref = scope.duplicate(self);
            let scope = Cref::from_value(cref).expect("just made");
            for (refined, refinement) in pairs {
                scope.add_refinement(*refined, *refinement);
                self.vm().refinement_activated(*refinement);
            }
            let variant = code.with_cref(self, cref);
            variant.default_visibility.set(code.default_visibility.get());
            variant.module_function.set(code.module_function.get());
            variant.takes_over(self, code);
            let env = fp.env();
            for frame in [fp, env] {
                frame.set_word(crate::run::frame::CODE, std::ptr::from_ref(variant).expose_provenance() as u64);
            }
            if !self.stack.contains(env.0) {
                self.heap().barrier(crate::run::proc::env_object(env), variant.this);
            }
        }
    }

    /// As [`find_method_for_caller`](Ec::find_method_for_caller), for a receiver.
    #[inline]
    pub fn find_method_of_for_caller(
        &self,
        receiver: Value,
        name: SymbolId,
    ) -> Option<&crate::model::method::MethodEntry> {
        if self.vm().may_be_refined(name) {
            return self.find_method_for_caller(self.class_of(receiver), name);
        }
        self.find_method(receiver, name)
    }

    /// What `receiver.name` finds where the running native method is called: active refinements included.
    pub fn find_method_for_caller(&self, class: Class, name: SymbolId) -> Option<&crate::model::method::MethodEntry> {
        match crate::run::interp::refined_method(self, self.current_cref(), class, name) {
            Some(found) => MethodEntry::from_value(self, found),
            None => class.cached_method(self, name),
        }
    }

    /// The running method's frame belongs to a `def`: where `using` is not permitted.
    pub fn is_called_from_method(&self) -> bool {
        // SAFETY: a live frame.
        self.calling_frame().is_some_and(|fp| unsafe { fp.env().method_env().code().kind == CodeKind::Method })
    }

    /// A new object of a class, as `allocate` makes it.
    pub fn allocate(&mut self, class: Class) -> Result {
        if !class.data().has_learned.load(std::sync::atomic::Ordering::Relaxed) {
            class.estimate_fields(self);
        }
        if let Some(allocator) = class.allocator()
            && !class.is_singleton()
            && class.superclass().is_some()
        {
            return allocator(self, class);
        }
        if class.is_singleton() {
            return Err(self.type_error("can't create instance of singleton class"));
        }
        if class == self.vm().known().basic_object {
            return Ok(self.new_object(class));
        }
        if class.superclass().is_none() {
            return Err(self.type_error("can't instantiate uninitialized class"));
        }
        let text = format!("allocator undefined for {}", class.to_text(self));
        Err(self.type_error(&text))
    }

    /// What `super` in a method would call on instances of a class.
    pub fn super_method_of(&self, class: Class, entry: &MethodEntry) -> Option<&MethodEntry> {
        MethodEntry::from_value(self, crate::run::interp::super_method_seen(self, class, entry)?)
    }

    /// The method that an entry which only changes a visibility stands for, in a class; the entry itself if it is a method.
    pub fn behind_zsuper<'a>(&'a self, class: Class, mut entry: &'a MethodEntry) -> Option<&'a MethodEntry> {
        while let crate::model::method::MethodKind::Zsuper = entry.kind {
            let found = crate::run::interp::super_method_of(self, class, entry)?;
            entry = MethodEntry::from_value(self, found)?.resolved(self);
        }
        Some(entry)
    }
}

impl Class {
    /// The entry that a call of `name` on a receiver runs: changed visibilities followed to what they stand for.
    pub fn runnable_method(self, ec: &Ec, name: SymbolId) -> Option<Value> {
        let mut entry = ec.find_method_for_caller(self, name)?;
        while let crate::model::method::MethodKind::Zsuper = entry.kind {
            let found = crate::run::interp::super_method_of(ec, self, entry)?;
            entry = MethodEntry::from_value(ec, found)?;
        }
        Some(entry.value())
    }
}

/// The code of a method's or block's definition, for `parameters` and `source_location`.
pub fn iseq_of_entry(ec: &Ec, entry: &crate::model::method::MethodEntry) -> Option<std::sync::Arc<LinkedIseq>> {
    match &entry.resolved(ec).kind {
        crate::model::method::MethodKind::Iseq(iseq) => Some(iseq.clone()),
        crate::model::method::MethodKind::Proc(proc) => Proc::from_value(*proc).and_then(Proc::iseq),
        _ => None,
    }
}
