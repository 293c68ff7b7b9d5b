//! Definitions: methods, classes, aliases, and `defined?`.

use super::basic::reg;
use super::variables::{find_presence, known_presence};
use super::{conclude, conclude_unit, handler};
use crate::ec::{Ec, Result};
use crate::model::class::{Class, Visibility};
use crate::model::cref::Cref;
use crate::model::method::MethodKind;
use crate::model::symbol::sym;
use crate::run::code::{CacheCell, CodeData, CodeKind};
use crate::run::frame::{self, Fp};
use crate::run::interp::enter::{BlockFrame, Return, push_frame};
use crate::run::interp::{dispatch, publish, publish_all, slow};
use crate::run::link::LinkedSite;
use carat_iseq::Insn;
use carat_layout::{SymbolId, Value};
use std::sync::atomic::{AtomicU32, Ordering};

/// The lexical scope of a frame: its code's.
pub(crate) unsafe fn cref_of(fp: Fp) -> Value {
    // SAFETY: a live frame stores its code.
    unsafe { fp.code().cref }
}

/// Class that `def` and constants of a frame act on.
pub(crate) fn definition_target(ec: &mut Ec, fp: Fp) -> Result {
    // SAFETY: a live frame.
    let cref = unsafe { cref_of(fp) };
    match Cref::from_value(cref) {
        None => Ok(ec.vm().known().object.value()),
        Some(scope) => match scope.definition_class(ec) {
            Some(class) => Ok(class.value()),
            None => Err(ec.type_error("can't define singleton")),
        },
    }
}

handler!(definemethod(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    conclude(define_method(&mut *ec, pc, Fp(fp)), pc, 1, fp, ec, caches)
});

#[inline(never)]
unsafe fn define_method(ec: &mut Ec, pc: *const Insn, fp: Fp) -> Result {
    // SAFETY: the running frame.
    unsafe {
        let code = fp.code();
        let linked = code.linked().clone();
        let name = linked.symbols[usize::from((*pc).b)];
        let body = linked.child(usize::from((*pc).c));
        let class = Class::expect(definition_target(ec, fp)?);
        let scope = visibility_scope(fp);
        let mut visibility = scope.map_or(Visibility::Public, |s| s.default_visibility.get());
        if [sym::INITIALIZE, sym::INITIALIZE_COPY, sym::INITIALIZE_CLONE, sym::INITIALIZE_DUP, sym::RESPOND_TO_MISSING]
            .contains(&name)
        {
            visibility = Visibility::Private;
        }
        let is_module_function = scope.is_some_and(|s| s.module_function.get());
        if is_module_function {
            visibility = Visibility::Private;
        }
        class.define_method(ec, name, MethodKind::Iseq(body.clone()), visibility, code.cref)?;
        if is_module_function {
            let singleton = ec.singleton_class_of(class.value()).expect("modules have singleton classes");
            singleton.define_method(ec, name, MethodKind::Iseq(body), Visibility::Public, code.cref)?;
        }
        Ok(Value::symbol(name))
    }
}

/// The code whose default visibility a `def` in this frame follows: a class body's or script's, not a method's.
pub(crate) unsafe fn visibility_scope<'a>(fp: Fp) -> Option<&'a CodeData> {
    // SAFETY: environments of block code store their parent.
    unsafe {
        let own = fp.code();
        let mut env = fp.env();
        loop {
            let code = env.code();
            match code.kind {
                CodeKind::Class | CodeKind::Top => return Some(code),
                // A block that runs in another scope (class_eval) is a scope of its own; blocks inside of it are not.
                CodeKind::Block
                    if Cref::from_value(code.cref).is_some_and(|c| c.is_pushed_by_eval())
                        && (env.parent().is_null() || env.parent().code().cref != code.cref) =>
                {
                    return Some(code);
                }
                // So is a string that is evaluated: it begins with what holds around it and changes nothing there.
                CodeKind::Eval => return Some(code),
                kind if kind.is_block() && env.word(frame::FLAGS) & frame::flags::BMETHOD == 0 => {
                    if env.parent().is_null() {
                        return Some(own);
                    }
                    env = env.parent();
                }
                _ => return None,
            }
        }
    }
}

handler!(definesmethod(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    conclude(define_singleton_method(&mut *ec, pc, Fp(fp)), pc, 1, fp, ec, caches)
});

#[inline(never)]
unsafe fn define_singleton_method(ec: &mut Ec, pc: *const Insn, fp: Fp) -> Result {
    // SAFETY: the running frame.
    unsafe {
        let code = fp.code();
        let linked = code.linked().clone();
        let name = linked.symbols[usize::from((*pc).b)];
        let body = linked.child(usize::from((*pc).c));
        let receiver = fp.reg(usize::from((*pc).a));
        ec.reserve_for_class(ec.class_of(receiver))?;
        let Some(class) = ec.singleton_class_of(receiver) else {
            return Err(ec.type_error("can't define singleton"));
        };
        if ec.is_frozen(receiver) && receiver.is_heap() {
            return Err(ec.frozen_error(receiver));
        }
        class.define_method(ec, name, MethodKind::Iseq(body), Visibility::Public, code.cref)?;
        Ok(Value::symbol(name))
    }
}

handler!(defineclass(pc, fp, ec, caches) {
    slow::finish(define_class(&mut *ec, pc, Fp(fp)), ec)
});

#[inline(never)]
unsafe fn define_class(ec: &mut Ec, pc: *const Insn, fp: Fp) -> slow::Next {
    // SAFETY: the running frame; register a and the next hold base and superclass, the window starts at a + 2.
    unsafe {
        let insn = *pc;
        let first = usize::from(insn.a);
        let window = fp.0.add(first + 2 + frame::HEADER);
        publish(ec, pc.add(1), fp.0, fp.0.add(first + 2));
        let code = fp.code();
        let linked = code.linked().clone();
        let name = linked.symbols[usize::from(insn.b)];
        let class = match ec.open_class(fp, insn.n, name, fp.reg(first), fp.reg(first + 1)) {
            Ok(class) => class,
            Err(_) => return slow::Next::Unwind,
        };
        let cref = Cref::create(ec, class, code.cref, false);
        let child = linked.child(usize::from(insn.c));
        if !ec.vm().is_booted() {
            class.reserve_methods(child.iseq.child_count());
        }
        let body = CodeData::new(ec, child, Value::NIL, cref, None);
        let base = Fp(window);
        base.set_reg(0, class.value());
        ec.sp = window.add(1);
        let mut given = crate::run::args::Given {
            base,
            argc: 0,
            keywords: crate::run::args::GivenKeywords::None,
            block: crate::run::proc::BlockWord::None,
        };
        let ret = Return { pc: pc.add(1), fp };
        let pushed = push_frame(ec, body, &mut given, ret, None::<BlockFrame>, crate::run::args::Strictness::Exact);
        let begun = pushed.and_then(|_| crate::inspect::trace::report_class(ec));
        if begun.is_ok() { slow::Next::Resume } else { slow::Next::Unwind }
    }
}

handler!(aliasmethod(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    let insn = *pc;
    let (new, old) = (symbol(reg!(fp, insn.a)), symbol(reg!(fp, insn.b)));
    conclude_unit(alias(&mut *ec, Fp(fp), new, old), pc, 1, fp, ec, caches)
});

fn alias(ec: &mut Ec, fp: Fp, new: SymbolId, old: SymbolId) -> Result<()> {
    let class = Class::expect(definition_target(ec, fp)?);
    if ec.vm().is_booted() { class.alias_method(ec, new, old) } else { class.define_twin(ec, new, old) }
}

fn undef(ec: &mut Ec, fp: Fp, name: SymbolId) -> Result<()> {
    let class = Class::expect(definition_target(ec, fp)?);
    class.undef_method(ec, name)
}

fn symbol(value: Value) -> SymbolId {
    value.as_symbol().expect("the compiler gives symbols")
}

handler!(undefmethod(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    conclude_unit(undef(&mut *ec, Fp(fp), symbol(reg!(fp, (*pc).a))), pc, 1, fp, ec, caches)
});

/// Kind of `defined` that core code's `block_given?` is: true or false.
pub(crate) const BLOCK_GIVEN: u8 = 11;

handler!(defined(pc, fp, ec, caches) {
    if let Some(value) = defined_at_once(&*ec, pc, Fp(fp)) {
        reg!(fp, (*pc).a) = value;
        return dispatch(pc.add(1), fp, ec, caches);
    }
    publish_all(ec, pc.add(1), fp);
    conclude(is_defined(&mut *ec, pc, Fp(fp), caches), pc, 1, fp, ec, caches)
});

/// What `block_given?` says, and `defined?` of an instance variable or a constant whose cell knows.
#[inline(always)]
unsafe fn defined_at_once(ec: &Ec, pc: *const Insn, fp: Fp) -> Option<Value> {
    // SAFETY: the running frame.
    unsafe {
        if (*pc).n == BLOCK_GIVEN {
            return Some(Value::bool(fp.env().method_env().word(frame::BLOCK) != 0));
        }
        let cell = fp.code().caches.add(usize::from((*pc).c));
        let described = |kind: u8, is_there: bool| if is_there { defined_answer(ec, kind) } else { Value::NIL };
        if (*pc).n == INSTANCE_VARIABLE {
            return known_presence(fp.reg(0), cell).map(|is_there| described(INSTANCE_VARIABLE, is_there));
        }
        if (*pc).n != CONSTANT {
            return None;
        }
        let is_known = matches!((*cell).shape, 1 | IS_DEFINED | IS_UNDEFINED)
            && (*(*cell).epoch_at).load(Ordering::Relaxed) == (*cell).epoch
            && (*cell).key == fp.code().cref.bits();
        is_known.then(|| described(CONSTANT, (*cell).shape != IS_UNDEFINED))
    }
}

/// The result of a `defined`.
///
/// # Safety
/// An instruction of the running frame, which is published.
pub(crate) unsafe fn defined_of(ec: &mut Ec, pc: *const Insn, fp: Fp) -> Result {
    // SAFETY: by contract.
    unsafe {
        match defined_at_once(ec, pc, fp) {
            Some(value) => Ok(value),
            None => is_defined(ec, pc, fp, fp.code().caches),
        }
    }
}

/// The `n` of `defined?(@variable)`.
const INSTANCE_VARIABLE: u8 = 0;

/// The `n` of `defined?(CONSTANT)`.
const CONSTANT: u8 = 3;

/// What the cell of a constant says if only `defined?` asked for it; with 1 it has the constant's value, too.
const IS_DEFINED: u32 = 2;
const IS_UNDEFINED: u32 = 3;

/// What `defined?` answers, by the instruction's `n`.
const ANSWERS: [&str; 10] = [
    "instance-variable",
    "global-variable",
    "class variable",
    "constant",
    "constant",
    "method",
    "method",
    "yield",
    "super",
    "global-variable",
];

#[inline(never)]
fn defined_answer(ec: &Ec, kind: u8) -> Value {
    let fstring =
        |text: &str| ec.vm().keep(ec.fstring(text.as_bytes(), crate::value::string::EncodingIndex::US_ASCII).value());
    let answers = ec.vm().defined_answers.get_or_init(|| ANSWERS.map(fstring));
    answers.get(usize::from(kind)).copied().unwrap_or(answers[METHOD])
}

const METHOD: usize = 5;

#[inline(never)]
unsafe fn is_defined(ec: &mut Ec, pc: *const Insn, fp: Fp, caches: *mut CacheCell) -> Result {
    // SAFETY: the running frame.
    unsafe {
        let insn = *pc;
        let linked = fp.code().linked();
        let name = || linked.symbols[usize::from(insn.c)];
        let object = fp.reg(usize::from(insn.b));
        let is_defined = match insn.n {
            INSTANCE_VARIABLE => {
                let site = usize::from(insn.c);
                find_presence(ec, fp.reg(0), linked.variable(site), caches.add(site))
            }
            1 => ec.is_global_defined(name()),
            2 => ec.find_class_variable(cref_of(fp), name()).is_some(),
            CONSTANT => is_constant_defined(ec, fp, usize::from(insn.c), caches)?,
            4 => ec.is_constant_defined_in(object, name())?,
            6 => ec.is_method_defined_for(fp, fp.reg(0), name(), true)?,
            7 => fp.env().method_env().word(frame::BLOCK) != 0,
            8 => ec.is_super_defined(fp),
            9 => ec.is_special_defined(fp, i32::from(insn.c))?,
            _ => ec.is_method_defined_for(fp, object, name(), false)?,
        };
        Ok(if is_defined { defined_answer(ec, insn.n) } else { Value::NIL })
    }
}

/// `defined?(A)` and `defined?(A::B)`. The answer for a name alone says what tables hold, so it is good until the name changes.
unsafe fn is_constant_defined(ec: &mut Ec, fp: Fp, index: usize, caches: *mut CacheCell) -> Result<bool> {
    // SAFETY: the running frame; the cell of the site is one of its code.
    unsafe {
        let code = fp.code();
        let LinkedSite::Constant(path) = &code.linked().sites[index] else { return Ok(false) };
        let epoch_at: *const AtomicU32 = ec.vm().constant_epoch(path[path.len() - 1]);
        // Read first: what another Ractor defines during the lookup makes the cell stale.
        let epoch = (*epoch_at).load(Ordering::Acquire);
        let is_defined = ec.is_constant_path_defined(code.cref, path)?;
        if path.len() == 1 {
            let shape = if is_defined { IS_DEFINED } else { IS_UNDEFINED };
            *caches.add(index) = CacheCell { shape, epoch, key: code.cref.bits(), target: 0, epoch_at };
        }
        Ok(is_defined)
    }
}
