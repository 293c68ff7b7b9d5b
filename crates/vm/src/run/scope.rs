//! Scopes that outlive the code that made them: what `binding`, `eval` and their kin work with.
//!
//! A [`Scope`] is an environment on the heap. Code evaluated in it is a block of that environment; the locals such code
//! defines form one more environment around which later code is a block in turn, so a binding grows outwards to inwards.
//!
//! # Not here
//! The compiler: callers compile with the iseqs that [`Scope::iseqs`] names.

use crate::ec::{Ec, Result};
use crate::model::class::Class;
use crate::model::cref::Cref;
use crate::model::method::MethodEntry;
use crate::run::code::{CodeData, CodeKind};
use crate::run::frame::{self, Fp};
use crate::run::link::{LinkedIseq, LinkedLocal};
use crate::run::proc::{BlockWord, Proc, env_object};
use crate::value::array::Array;
use carat_iseq::IseqRef;
use carat_layout::{SymbolId, Value};
use carat_text::encoding::EncodingIndex;
use std::ops::Range;
use std::sync::Arc;

/// Hidden field of the `main` of a wrapped script: the module around it.
const WRAPPER: &str = "__wrapper";

/// An environment on the heap. Whoever keeps one must report [`Scope::object`] to the collector.
#[derive(Clone, Copy)]
pub struct Scope {
    env: Fp,
    object: Value,
}

/// How code is evaluated in a scope.
#[derive(Clone, Copy, Default)]
pub struct EvalIn {
    /// Another `self`.
    pub receiver: Option<Value>,
    /// Another lexical scope.
    pub cref: Option<Value>,
}

impl Scope {
    pub fn object(&self) -> Value {
        self.object
    }

    fn code<'a>(&self) -> &'a CodeData {
        // SAFETY: environments store their code and live as long as their object, which the scope's owner keeps.
        unsafe { self.env.code() }
    }

    /// `self` in the scope.
    pub fn receiver(&self) -> Value {
        // SAFETY: as above.
        unsafe { self.env.reg(0) }
    }

    /// The `Cref` of the scope's code.
    pub fn cref(&self) -> Value {
        self.code().cref
    }

    /// How many of the scope's environments, the innermost first, code may name variables of: those around an isolated block
    /// are out of reach.
    pub fn reach(&self) -> usize {
        self.envs().position(|e| e.code().is_isolated.get()).map_or(usize::MAX, |isolated| isolated + 1)
    }

    /// The iseqs of the scope's environments, outermost first.
    pub fn iseqs(&self) -> Vec<IseqRef> {
        let mut found: Vec<IseqRef> = self.envs().filter_map(|e| e.iseq()).collect();
        found.reverse();
        found
    }

    /// The innermost local of this name within reach.
    pub fn find_local(&self, ec: &Ec, name: SymbolId) -> Option<FoundLocal> {
        let symbol = ec.vm().symbol_name(name);
        let name = match symbol.encoding {
            EncodingIndex::US_ASCII | EncodingIndex::UTF_8 => name,
            _ => ec.vm().intern_bytes(symbol.bytes, EncodingIndex::UTF_8),
        };
        // How far variables may be named is asked of one environment after the other: most are in the first.
        let mut is_within_reach = true;
        for scope in self.envs() {
            if !is_within_reach {
                return None;
            }
            let code = scope.code();
            is_within_reach = !code.is_isolated.get();
            let Some(linked) = &code.iseq else { continue };
            if let Some(local) = linked.locals(ec).list.iter().find(|local| local.name == name) {
                let params = &linked.iseq.params;
                let is_block_parameter = params.has_block && params.block_register() == local.register;
                return Some(FoundLocal { scope, local: *local, is_block_parameter });
            }
        }
        None
    }

    /// The names of the locals within reach, the innermost first; those without a name have an empty one.
    pub fn local_names(&self, ec: &Ec) -> impl Iterator<Item = SymbolId> {
        let iseqs = self.envs().take(self.reach()).filter_map(|scope| scope.code().iseq.as_ref());
        iseqs.flat_map(|linked| linked.locals(ec).list.iter().map(|local| local.name))
    }

    /// This environment and those around it.
    fn envs(&self) -> impl Iterator<Item = Scope> + use<> {
        std::iter::successors(Some(*self), Scope::parent)
    }

    fn parent(&self) -> Option<Scope> {
        if !self.code().kind.is_block() {
            return None;
        }
        // SAFETY: environments of block code store their parent, which escaped before them.
        let env = unsafe { self.env.parent() };
        (!env.is_null()).then(|| Scope { env, object: env_object(env) })
    }

    fn iseq(&self) -> Option<IseqRef> {
        self.code().iseq.as_ref().map(|l| l.iseq.clone())
    }

    /// Name of the code, as labels show it.
    pub fn name(&self) -> Box<[u8]> {
        self.iseq().map_or_else(Box::default, |i| i.name().into())
    }

    /// Whether the same refinements are active in both.
    pub fn sees_refinements_of(&self, other: &Scope) -> bool {
        Cref::have_same_refinements(self.code().cref, other.code().cref)
    }

    /// The register of a local in the environment `level` steps outwards.
    pub fn local(&self, _ec: &Ec, level: usize, register: u16) -> Value {
        let scope = self.envs().nth(level).expect("a level that `iseqs` named");
        // SAFETY: the register is one of the environment's locals.
        shown(unsafe { scope.env.reg(usize::from(register)) })
    }

    /// Registers of keyword parameters.
    fn keywords(&self) -> Range<usize> {
        let Some(linked) = &self.code().iseq else { return 0..0 };
        let params = &linked.iseq.params;
        let first = usize::from(params.keyword_register());
        first..first + params.keywords.len()
    }

    /// Locals that no block uses: the frame has them in its own registers, not in its environment.
    fn unshared<'a>(&self, ec: &Ec) -> impl Iterator<Item = usize> + use<'a> {
        let code: &'a CodeData = self.code();
        let locals = code.iseq.as_ref().map(|linked| linked.locals(ec)).filter(|locals| locals.has_unshared);
        let list = locals.map_or(&[][..], |locals| &locals.list);
        list.iter().filter(|local| !local.is_captured).map(|local| usize::from(local.register))
    }
}

/// A local that [`Scope::find_local`] found.
pub struct FoundLocal {
    /// That of its own environment.
    scope: Scope,
    local: LinkedLocal,
    pub is_block_parameter: bool,
}

impl FoundLocal {
    /// The value that the environment has: see [`Ec::catch_up`].
    pub fn value(&self) -> Value {
        // SAFETY: the register is one of the environment's locals.
        shown(unsafe { self.scope.env.reg(usize::from(self.local.register)) })
    }

    /// Assigns it in the environment: see [`Ec::write_back`].
    pub fn set(&self, ec: &mut Ec, value: Value) {
        // SAFETY: as above.
        unsafe { self.scope.env.set_reg(usize::from(self.local.register), value) };
        ec.heap().barrier(self.scope.object, value);
    }
}

/// What the program sees of a local: a keyword whose default was not evaluated yet (a tracer looks) is nil.
fn shown(value: Value) -> Value {
    if value.is_undef() { Value::NIL } else { value }
}

/// Of the locals that a frame does not share with its environment, a scope made of a block shows what they were when the block
/// became a Proc. While the frame lives both are brought together whenever the scope is used.
impl Ec {
    /// Shows the values that living frames have now.
    pub fn catch_up(&mut self, scope: Scope) {
        for scope in scope.envs() {
            let Some(frame) = self.frame_of(&scope) else { continue };
            let keywords = scope.keywords();
            for register in scope.unshared(self) {
                // SAFETY: frame and environment belong to the same code, which has that local.
                let value = unsafe { frame.reg(register) };
                let value = if keywords.contains(&register) { shown(value) } else { value };
                // SAFETY: as above.
                unsafe { scope.env.set_reg(register, value) };
                self.heap().barrier(scope.object, value);
            }
        }
    }

    /// Gives living frames the values that were assigned in the scope.
    pub fn write_back(&self, scope: Scope) {
        for scope in scope.envs() {
            let Some(frame) = self.frame_of(&scope) else { continue };
            let keywords = scope.keywords();
            for register in scope.unshared(self) {
                // SAFETY: as in `catch_up`; the frame waits for the call that runs now.
                unsafe {
                    let value = scope.env.reg(register);
                    // A default that was shown as nil is still to be evaluated.
                    let waits = keywords.contains(&register) && frame.reg(register).is_undef() && value.is_nil();
                    frame.set_reg(register, if waits { Value::UNDEF } else { value });
                }
            }
        }
    }

    /// The frame of the running stack that an environment left, if it has locals of its own.
    fn frame_of(&self, scope: &Scope) -> Option<Fp> {
        scope.unshared(self).next()?;
        let mut fp = self.fp;
        // SAFETY: live frames, walked down; code that has an iseq has an environment.
        unsafe {
            while !fp.is_null() {
                let code = fp.code();
                let is_ruby = !matches!(code.kind, CodeKind::Native | CodeKind::Boundary);
                if is_ruby && fp.env() == scope.env && std::ptr::eq(code, scope.code()) {
                    return Some(fp);
                }
                fp = fp.caller();
            }
        }
        None
    }
}

impl Ec {
    /// The scope of the nearest frame of the program's own code. It escapes to the heap.
    pub fn caller_scope(&mut self) -> Option<Scope> {
        let fp = self.ruby_frame()?;
        // SAFETY: a live Ruby frame has an environment.
        let env = unsafe { fp.env() };
        let (env, object) = self.escape(env);
        Some(Scope { env, object })
    }

    /// The scope of an environment, which escapes.
    pub(crate) fn scope_of_env(&mut self, env: Fp) -> Scope {
        let (env, object) = self.escape(env);
        Scope { env, object }
    }

    /// Where the calling program code is: its file and line.
    pub fn caller_place(&self) -> (Arc<str>, i32) {
        let (path, line) = self.caller_position();
        (path.unwrap_or_else(|| "(eval)".into()), line)
    }

    /// Runs an `Eval` iseq in a scope. The second result is the scope that also has the locals that the code defines.
    pub fn eval_iseq(&mut self, iseq: impl Into<IseqRef>, scope: Scope, how: EvalIn) -> (Result, Scope) {
        self.eval_iseq_noting(iseq, scope, how, &mut |_, _| {})
    }

    /// As [`Ec::eval_iseq`]; `note` is told of the scope with the new locals before the code runs.
    pub fn eval_iseq_noting(
        &mut self,
        iseq: impl Into<IseqRef>,
        scope: Scope,
        how: EvalIn,
        note: &mut dyn FnMut(&mut Ec, Scope),
    ) -> (Result, Scope) {
        let around = scope.code();
        let linked = LinkedIseq::new(iseq);
        let code = CodeData::new(self, linked, around.method, how.cref.unwrap_or(around.cref), around.name);
        if how.cref.is_none() {
            code.default_visibility.set(around.default_visibility.get());
            code.module_function.set(around.module_function.get());
        }
        let receiver = how.receiver.unwrap_or_else(|| scope.receiver());
        let mut noted = |ec: &mut Ec, env| note(ec, Scope { env, object: env_object(env) });
        self.catch_up(scope);
        let evaluated = self.run_eval(code, receiver, scope.env, &mut noted);
        self.write_back(scope);
        match evaluated {
            Ok((result, env)) => (result, Scope { env, object: env_object(env) }),
            Err(unwind) => (Err(unwind), scope),
        }
    }

    /// The scope of scripts, made by running an empty script whose locals are all captured.
    pub fn toplevel_scope(&mut self, iseq: impl Into<IseqRef>) -> Result<Scope> {
        let main = self.vm().main_object();
        self.scope_of_receiver(iseq, main, Value::NIL)
    }

    /// As [`Ec::toplevel_scope`], with another `self` and, unless that is nil, another lexical scope.
    pub fn scope_of_receiver(&mut self, iseq: impl Into<IseqRef>, receiver: Value, cref: Value) -> Result<Scope> {
        let linked = LinkedIseq::new(iseq);
        let cref = if cref.is_nil() { self.toplevel_cref() } else { cref };
        let code = CodeData::new(self, linked, Value::NIL, cref, None);
        code.default_visibility.set(crate::Visibility::Private);
        let (result, env) = self.run_eval(code, receiver, Fp::NULL, &mut |_, _| {})?;
        result?;
        Ok(Scope { env, object: env_object(env) })
    }

    /// The own name of the method around the calling program code.
    pub fn caller_method_name(&self) -> Option<SymbolId> {
        // SAFETY: a live Ruby frame.
        let (method, _) = unsafe { crate::run::interp::running_method(self.ruby_frame()?) };
        Some(MethodEntry::from_value(self, method)?.resolved(self).original_name)
    }

    /// The name by which the method around the calling program code was called.
    pub fn caller_method_callee(&self) -> Option<SymbolId> {
        let fp = self.ruby_frame()?;
        // SAFETY: a live Ruby frame.
        let (method, env) = unsafe { crate::run::interp::running_method(fp) };
        let entry = MethodEntry::from_value(self, method)?;
        // SAFETY: environments store their code.
        let named = unsafe { env.code() }.name.unwrap_or(entry.name);
        // SAFETY: a live Ruby frame.
        Some(unsafe { crate::run::interp::called_name(self, fp, env, method) }.unwrap_or(named))
    }

    /// The name by which the core method that runs a primitive was called.
    pub fn core_callee(&self) -> Option<SymbolId> {
        // SAFETY: a primitive runs in the frame of the Ruby code that uses it; environments store their code.
        let (method, name) = unsafe {
            let (method, env) = crate::run::interp::running_method(self.fp);
            (method, env.code().name)
        };
        name.or_else(|| Some(MethodEntry::from_value(self, method)?.name))
    }

    /// Arity of the block that the core method was given which runs a primitive, and whether it is a lambda. Makes no Proc of it.
    pub fn core_block(&self) -> Option<(i64, bool)> {
        // SAFETY: a primitive runs in the frame of the Ruby code that uses it; method environments store BLOCK.
        let block = unsafe { BlockWord::read(crate::run::interp::running_method(self.fp).1) };
        match block {
            BlockWord::None => None,
            BlockWord::Literal(code, _) => Some((code.linked().iseq.params.arity(false), false)),
            BlockWord::Proc(proc) => Some((proc.arity(self), proc.is_lambda())),
        }
    }

    /// The block that the core method was given which runs a primitive, if it is a lambda.
    pub fn core_lambda(&self) -> Option<Proc> {
        // SAFETY: as in `core_block`.
        match unsafe { BlockWord::read(crate::run::interp::running_method(self.fp).1) } {
            BlockWord::Proc(proc) => Some(proc).filter(|proc| proc.is_lambda()),
            BlockWord::None | BlockWord::Literal(..) => None,
        }
    }

    /// Whether the method around the calling program code was given a block: what `yield` there would call. A block that runs as
    /// a method has that of the place where it stands.
    pub fn is_caller_given_block(&self) -> bool {
        let Some(fp) = self.ruby_frame() else { return false };
        // SAFETY: a live Ruby frame; method environments store BLOCK.
        unsafe { fp.env().method_env().word(frame::BLOCK) != 0 }
    }

    /// The receiver of the calling program code.
    pub fn caller_self(&self) -> Value {
        // SAFETY: a live Ruby frame.
        self.ruby_frame().map_or(Value::NIL, |fp| unsafe { fp.reg(0) })
    }

    /// Names of all defined global variables, as symbols.
    pub fn global_variable_names(&self) -> Array {
        let names = Array::new(self, 0);
        self.vm().global_names().into_iter().for_each(|n| names.push(self, Value::symbol(n)));
        names
    }
}

impl Proc {
    /// The scope around a block; `None` for procs of the core.
    pub fn scope(self) -> Option<Scope> {
        self.code().filter(|code| !code.is_core)?;
        let env = self.env();
        (!env.is_null()).then(|| Scope { env, object: env_object(env) })
    }
}

impl Ec {
    /// Runs a file for `load(path, module)`: as a copy of `main` that has the module's methods, in the module's scope.
    pub fn run_script_in(&mut self, iseq: impl Into<IseqRef>, module: Class) -> Result {
        let linked = LinkedIseq::new(iseq);
        let outer = self.toplevel_cref();
        let cref = Cref::create(self, module, outer, false);
        let code = CodeData::new(self, linked, Value::NIL, cref, None);
        code.default_visibility.set(crate::Visibility::Private);
        let main = self.vm().main_object();
        let receiver = self.call(main, crate::model::symbol::sym::CLONE, &[])?;
        if let Some(singleton) = self.singleton_class_of(receiver) {
            singleton.include(self, module);
        }
        self.set_field(receiver, self.vm().intern(WRAPPER), module.value());
        self.run_toplevel(code, receiver, Fp::NULL)
    }

    /// The module that a wrapped script's `main` includes into.
    pub fn script_wrapper(&self, main: Value) -> Option<Class> {
        self.field(main, self.vm().intern(WRAPPER)).and_then(Class::from_value)
    }

    /// A lexical scope for `instance_eval` and `class_eval` with strings: unlike a block's, constants look there, too.
    /// Without a class nothing can be defined.
    pub fn eval_string_cref(&mut self, receiver: Value, class: Option<Class>) -> Value {
        let outer = self.current_cref();
        match class {
            Some(class) if !receiver.is_heap() => Cref::create_of_immediate(self, class, outer),
            Some(class) => Cref::create(self, class, outer, false),
            None => Cref::create_refusing(self, receiver, outer),
        }
    }
}
