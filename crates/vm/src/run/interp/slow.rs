//! The parts of calls that do not fit a fast path: resolution, generic argument forms, `super`, `yield`, polls.
//!
//! Handlers here have the signature of instructions and are tail-called by them. Whatever has a destructor happens in
//! functions that return plain words.

use super::enter::{BlockFrame, Entered, Return, enter_method, enter_missing, push_frame, resume};
use super::{EXIT_UNWIND, Handler, dispatch, publish};
use crate::ec::{Ec, Result};
use crate::model::class::{Class, Visibility, head_of};
use crate::model::cref::Cref;
use crate::model::method::{MethodEntry, MethodKind, OptimizedKind};
use crate::model::shape::shape_of;
use crate::run::args::{Given, Strictness};
use crate::run::call::MissingReason;
use crate::run::code::{CacheCell, CodeData, CodeKind};
use crate::run::frame::{self, Fp};
use crate::run::link::CallSite;
use crate::run::polymorphic::Entry;
use crate::run::proc::{BlockWord, Proc};
use carat_iseq::{CallFlags, Insn, Op};
use carat_layout::{HeapType, SymbolId, Value};
use std::sync::atomic::Ordering;

/// How a slow path ended, as one word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// `ec.resume` says where to go on.
    Resume,
    Unwind,
}

/// Ends a handler with the outcome of a slow path.
#[inline(always)]
pub(crate) unsafe fn finish(next: Next, ec: *mut Ec) -> usize {
    // SAFETY: slow paths leave either a live resume state or something pending with the frame published.
    unsafe {
        if next == Next::Resume {
            resume(ec)
        } else {
            unwind(std::ptr::null(), std::ptr::null_mut(), ec, std::ptr::null_mut())
        }
    }
}

/// Looks for who catches what is pending, from the published frame down.
#[cold]
#[inline(never)]
pub(crate) unsafe extern "C-unwind" fn unwind(
    _pc: *const Insn,
    _fp: *mut Value,
    ec: *mut Ec,
    _caches: *mut CacheCell,
) -> usize {
    // SAFETY: the running frame is published.
    unsafe { if crate::run::unwind::find_handler(&mut *ec) { resume(ec) } else { EXIT_UNWIND } }
}

/// Register for the result of the call that ends before `pc`.
#[inline(always)]
unsafe fn deliver(ec: &mut Ec, ret: Return, value: Value) {
    // SAFETY: the word before a return address names the destination.
    unsafe {
        let dst = usize::from((*ret.pc.sub(1)).a);
        ret.fp.set_reg(dst, value);
        ec.resume = (ret.pc, ret.fp.0, ret.fp.code().caches);
    }
}

#[inline(never)]
fn settle(ec: &mut Ec, ret: Return, entered: Result<Entered>) -> Next {
    match entered {
        Ok(Entered::Frame) => Next::Resume,
        Ok(Entered::Done(value)) => {
            // SAFETY: `ret` is the running frame.
            unsafe { deliver(ec, ret, value) };
            Next::Resume
        }
        Err(_) => Next::Unwind,
    }
}

// ---- send ----

/// Any call: the instruction at `pc` (or the ext word of an operator) names window and site.
#[inline(never)]
pub(crate) unsafe extern "C-unwind" fn send_generic(
    pc: *const Insn,
    fp: *mut Value,
    ec: *mut Ec,
    caches: *mut CacheCell,
) -> usize {
    // SAFETY: the running frame.
    unsafe { finish(send_slow(&mut *ec, pc, Fp(fp), caches), ec) }
}

#[inline(never)]
unsafe fn send_slow(ec: &mut Ec, pc: *const Insn, fp: Fp, caches: *mut CacheCell) -> Next {
    // SAFETY: the instruction's operands belong to the running frame.
    unsafe {
        let insn = *pc;
        let base = Fp(fp.0.add(usize::from(insn.b)));
        let code = fp.code();
        let site = code.linked().call_site(usize::from(insn.c));
        if insn.op == Op::send_self {
            base.set_reg(0, fp.reg(0));
        }
        let ret = Return { pc: pc.add(1), fp };
        publish(ec, pc.add(1), fp.0, top_of_window(base, site));
        if ec.is_armed() && ec.poll().is_err() {
            return Next::Unwind;
        }
        let entered = send_site(ec, code, base, site, ret, caches.add(usize::from(insn.c)), insn.op);
        settle(ec, ret, entered)
    }
}

/// First register above what a site put in its window.
pub(crate) unsafe fn top_of_window(base: Fp, site: &CallSite) -> *mut Value {
    let extra = site.keywords.len()
        + usize::from(site.flags.has(CallFlags::KEYWORD_SPLAT))
        + usize::from(site.flags.has(CallFlags::BLOCK_ARG));
    // SAFETY: the window lies within the frame.
    unsafe { base.0.add(1 + usize::from(site.argc) + extra) }
}

unsafe fn send_site(
    ec: &mut Ec,
    code: &CodeData,
    base: Fp,
    site: &CallSite,
    ret: Return,
    cell: *mut CacheCell,
    op: Op,
) -> Result<Entered> {
    // SAFETY: by the caller.
    unsafe {
        let mut given = Given::of_site(base, site, literal_block(ec, code, ret.fp, site));
        given.complete(ec, site)?;
        let receiver = base.reg(0);
        // Read first: what another Ractor defines during the lookup makes the cell stale.
        let epoch = ec.vm().method_epoch(site.name).load(Ordering::Acquire);
        match resolve(ec, code.cref, receiver, site.name, site.flags, ret.fp) {
            Resolved::Method(method) => {
                if !matches!(given.block, BlockWord::None) {
                    ec.warn_unused_block(method, matches!(given.block, BlockWord::Literal(..)))?;
                }
                let entry = MethodEntry::from_value(ec, method).expect("a method entry");
                if sees_all(ec, code, site.name) && !super::ops::call::makes_shape(ec, entry.resolved(ec), receiver) {
                    let (handler, target) = if needs_own_check(ec, code, site.flags, entry) {
                        (invoke_protected as Handler, method.bits())
                    } else {
                        let is_passing = site.flags.has(CallFlags::BLOCK_ARG)
                            && super::ops::bind::is_passed_as_is(base.reg(1 + usize::from(site.argc)));
                        let place = super::ops::call::CallPlace { code, cell, op, is_passing };
                        super::ops::call::cached_form(ec, entry.resolved(ec), site, place, receiver)
                    };
                    code.remember_call(ec, cell, site.name, epoch, call_entry(receiver, handler, target));
                }
                enter_method(ec, method, site.name, &mut given, ret)
            }
            Resolved::Missing(reason) => {
                if let Some(number) = missing_number(reason).filter(|_| sees_all(ec, code, site.name)) {
                    code.remember_call(ec, cell, site.name, epoch, call_entry(receiver, invoke_missing, number));
                }
                enter_missing(ec, site.name, &mut given, ret, reason)
            }
        }
    }
}

/// The reasons why no method of a name is there at all: cells remember them by number.
const MISSING_REASONS: [MissingReason; 3] =
    [MissingReason::Undefined, MissingReason::Function, MissingReason::Variable];

fn missing_number(reason: MissingReason) -> Option<u64> {
    MISSING_REASONS.iter().position(|r| *r == reason).map(|number| number as u64)
}

/// A cached call of a method that is not there: the cell's target is the reason's number.
#[inline(never)]
unsafe extern "C-unwind" fn invoke_missing(
    pc: *const Insn,
    fp: *mut Value,
    ec: *mut Ec,
    caches: *mut CacheCell,
) -> usize {
    // SAFETY: the running frame.
    unsafe {
        if (*ec).is_armed() {
            return send_generic(pc, fp, ec, caches);
        }
        let reason = MISSING_REASONS[(*caches.add(usize::from((*pc).c))).target as usize];
        finish(send_missing(&mut *ec, pc, Fp(fp), reason), ec)
    }
}

#[inline(never)]
unsafe fn send_missing(ec: &mut Ec, pc: *const Insn, fp: Fp, reason: MissingReason) -> Next {
    // SAFETY: the instruction's operands belong to the running frame.
    unsafe {
        let insn = *pc;
        let base = Fp(fp.0.add(usize::from(insn.b)));
        let code = fp.code();
        let site = code.linked().call_site(usize::from(insn.c));
        let ret = Return { pc: pc.add(1), fp };
        publish(ec, pc.add(1), fp.0, top_of_window(base, site));
        let mut given = Given::of_site(base, site, literal_block(ec, code, fp, site));
        let entered = match given.complete(ec, site) {
            Ok(()) => enter_missing(ec, site.name, &mut given, ret, reason),
            Err(unwind) => Err(unwind),
        };
        settle(ec, ret, entered)
    }
}

unsafe fn literal_block(ec: &Ec, code: &CodeData, fp: Fp, site: &CallSite) -> BlockWord {
    match site.block {
        // SAFETY: frames with literal blocks store their environment.
        Some(index) => BlockWord::Literal(code.child(ec, usize::from(index)), unsafe { fp.env() }),
        None => BlockWord::None,
    }
}

pub(crate) enum Resolved {
    Method(Value),
    Missing(MissingReason),
}

/// What `receiver.name` calls at a site: refinements and visibility included.
unsafe fn resolve(ec: &mut Ec, cref: Value, receiver: Value, name: SymbolId, flags: CallFlags, fp: Fp) -> Resolved {
    let found =
        refined_for(ec, cref, receiver, name).or_else(|| ec.find_method(receiver, name).map(MethodEntry::value));
    let Some(method) = found else {
        return Resolved::Missing(if flags.has(CallFlags::VCALL) {
            MissingReason::Variable
        } else if flags.has(CallFlags::FCALL) {
            MissingReason::Function
        } else {
            MissingReason::Undefined
        });
    };
    let entry = MethodEntry::from_value(ec, method).expect("a method entry");
    match entry.visibility {
        Visibility::Public => Resolved::Method(method),
        _ if flags.has(CallFlags::FCALL) => Resolved::Method(method),
        Visibility::Private => Resolved::Missing(MissingReason::Visibility(Visibility::Private)),
        Visibility::Protected => {
            // SAFETY: the running frame.
            let own = unsafe { fp.reg(0) };
            if ec.is_a(own, defining_class(ec, entry)) {
                Resolved::Method(method)
            } else {
                Resolved::Missing(MissingReason::Visibility(Visibility::Protected))
            }
        }
    }
}

fn is_protected(ec: &Ec, method: Value) -> bool {
    MethodEntry::from_value(ec, method).is_some_and(|m| m.visibility == Visibility::Protected)
}

fn defining_class(ec: &Ec, entry: &MethodEntry) -> Class {
    let owner = entry.owner(ec);
    owner.refined().unwrap_or(owner)
}

/// As [`refined_method`], for a receiver.
pub(crate) fn refined_for(ec: &Ec, cref: Value, receiver: Value, name: SymbolId) -> Option<Value> {
    if !ec.vm().may_be_refined(name) {
        return None;
    }
    refined_method(ec, cref, ec.class_of(receiver), name)
}

/// The method of a refinement of one of the class's ancestors that is active in a scope, unless something nearer hides it.
pub(crate) fn refined_method(ec: &Ec, cref: Value, class: Class, name: SymbolId) -> Option<Value> {
    Cref::from_value(cref).filter(|scope| scope.has_refinements())?;
    refined_among(ec, cref, &class.mro(), 0, name)
}

/// As [`refined_method`], in the search order from a place on. The refinements of a class come before what is prepended to it.
fn refined_among(ec: &Ec, cref: Value, order: &[Value], from: usize, name: SymbolId) -> Option<Value> {
    let scope = Cref::from_value(cref).filter(|scope| scope.has_refinements())?;
    let active = scope.active_refinements(ec);
    let heads: Vec<_> = active.iter().map(|(refined, _)| head_of(order, *refined)).collect();
    for (index, ancestor) in order.iter().enumerate().skip(from) {
        for (head, (_, refinement)) in heads.iter().zip(&active).rev() {
            if *head == Some(index)
                && let Some(found) = Class::expect(*refinement).find_method(ec, name)
            {
                return Some(found.value());
            }
        }
        if let Some(own) = Class::expect(*ancestor).own_method(ec, name) {
            return Some(own).filter(|m| MethodEntry::from_value(ec, *m).is_some_and(|m| !m.is_undefined()));
        }
    }
    None
}

/// Whether calls of a name in this code depend on refinements. Whatever a refinement is given later, it is given under a
/// name, and so invalidates the cells of that name.
fn is_refined(ec: &Ec, code: &CodeData, name: SymbolId) -> bool {
    let scope = Cref::from_value(code.cref).filter(|scope| ec.vm().may_be_refined(name) && scope.has_refinements());
    let Some(scope) = scope else { return false };
    scope.active_refinements(ec).iter().any(|(_, refinement)| {
        let mro = Class::expect(*refinement).mro();
        mro.iter().any(|module| Class::expect(*module).own_method(ec, name).is_some())
    })
}

/// Whether each call of a method by this site has to look at the running `self`: a protected one may be called where `self` is of
/// the class that defines it. In a method of that class it always is, but in a block it is what `instance_exec` says.
fn needs_own_check(ec: &Ec, code: &CodeData, flags: CallFlags, entry: &MethodEntry) -> bool {
    if entry.visibility != Visibility::Protected || flags.has(CallFlags::FCALL) {
        return false;
    }
    let running = MethodEntry::from_value(ec, code.method).filter(|_| code.kind == CodeKind::Method);
    let owner = running.map(|running| running.owner(ec)).filter(|owner| !owner.is_module());
    !owner.is_some_and(|owner| owner.mro().contains(&defining_class(ec, entry).value()))
}

/// Whether all scopes in which this code runs see the same methods of a name, and nobody traces.
fn sees_all(ec: &Ec, code: &CodeData, name: SymbolId) -> bool {
    !ec.traces_steps() && (!code.has_several_scopes() || !is_refined(ec, code, name))
}

/// What a cell is to know of a call with a receiver like this one.
fn call_entry(receiver: Value, handler: Handler, target: u64) -> Entry {
    Entry::new(shape_of(receiver).0, handler as usize as u64, target)
}

/// A cached call whose arguments have to be set up: the cell's target is the method entry.
#[inline(never)]
pub(crate) unsafe extern "C-unwind" fn invoke_bound(
    pc: *const Insn,
    fp: *mut Value,
    ec: *mut Ec,
    caches: *mut CacheCell,
) -> usize {
    // SAFETY: the cell just hit.
    unsafe {
        let method = Value::from_bits((*caches.add(usize::from((*pc).c))).target);
        call_bound(pc, fp, ec, caches, method)
    }
}

/// As [`invoke_bound`], for a protected method.
#[inline(never)]
unsafe extern "C-unwind" fn invoke_protected(
    pc: *const Insn,
    fp: *mut Value,
    ec: *mut Ec,
    caches: *mut CacheCell,
) -> usize {
    // SAFETY: the cell just hit; the running frame.
    unsafe {
        let method = Value::from_bits((*caches.add(usize::from((*pc).c))).target);
        let entry = MethodEntry::from_value(&*ec, method).expect("a method entry");
        if !(*ec).is_a(*fp, defining_class(&*ec, entry)) {
            return send_generic(pc, fp, ec, caches);
        }
        call_bound(pc, fp, ec, caches, method)
    }
}

/// As [`invoke_bound`], for cells whose target is the code of the method.
#[inline(never)]
pub(crate) unsafe extern "C-unwind" fn invoke_code_bound(
    pc: *const Insn,
    fp: *mut Value,
    ec: *mut Ec,
    caches: *mut CacheCell,
) -> usize {
    // SAFETY: the cell just hit, and a method's code says whose it is.
    unsafe {
        let code = (*caches.add(usize::from((*pc).c))).target as *const CodeData;
        call_bound(pc, fp, ec, caches, (*code).method)
    }
}

#[inline(always)]
unsafe fn call_bound(pc: *const Insn, fp: *mut Value, ec: *mut Ec, caches: *mut CacheCell, method: Value) -> usize {
    // SAFETY: the running frame.
    unsafe {
        if (*ec).is_armed() {
            return if (*pc).op == Op::invokesuper {
                invokesuper(pc, fp, ec, caches)
            } else {
                send_generic(pc, fp, ec, caches)
            };
        }
        finish(send_bound(&mut *ec, pc, Fp(fp), method), ec)
    }
}

#[inline(never)]
unsafe fn send_bound(ec: &mut Ec, pc: *const Insn, fp: Fp, method: Value) -> Next {
    // SAFETY: the instruction's operands belong to the running frame.
    unsafe {
        let insn = *pc;
        let base = Fp(fp.0.add(usize::from(insn.b)));
        let code = fp.code();
        let site = code.linked().call_site(usize::from(insn.c));
        let ret = Return { pc: pc.add(1), fp };
        publish(ec, pc.add(1), fp.0, top_of_window(base, site));
        let block = match insn.op {
            Op::invokesuper => super_block(ec, code, fp, fp.env(), site),
            _ => literal_block(ec, code, fp, site),
        };
        let mut given = Given::of_site(base, site, block);
        let entered = match given.complete(ec, site) {
            Ok(()) => enter_method(ec, method, asked_name(ec, code, site, insn.op), &mut given, ret),
            Err(unwind) => Err(unwind),
        };
        settle(ec, ret, entered)
    }
}

/// The name that a call asks for: `super` asks for that of the running method.
fn asked_name(ec: &Ec, code: &CodeData, site: &CallSite, op: Op) -> SymbolId {
    let running = if op == Op::invokesuper { MethodEntry::from_value(ec, code.method) } else { None };
    running.map_or(site.name, |entry| entry.original_name)
}

// ---- super ----

#[inline(never)]
pub(crate) unsafe extern "C-unwind" fn invokesuper(
    pc: *const Insn,
    fp: *mut Value,
    ec: *mut Ec,
    caches: *mut CacheCell,
) -> usize {
    // SAFETY: the running frame.
    unsafe { finish(super_slow(&mut *ec, pc, Fp(fp), caches), ec) }
}

#[inline(never)]
unsafe fn super_slow(ec: &mut Ec, pc: *const Insn, fp: Fp, caches: *mut CacheCell) -> Next {
    // SAFETY: the instruction's operands belong to the running frame.
    unsafe {
        let insn = *pc;
        let base = Fp(fp.0.add(usize::from(insn.b)));
        let code = fp.code();
        let site = code.linked().call_site(usize::from(insn.c));
        let ret = Return { pc: pc.add(1), fp };
        publish(ec, pc.add(1), fp.0, top_of_window(base, site));
        if ec.is_armed() && ec.poll().is_err() {
            return Next::Unwind;
        }
        let entered = super_site(ec, code, fp, base, site, ret, caches.add(usize::from(insn.c)));
        settle(ec, ret, entered)
    }
}

unsafe fn super_site(
    ec: &mut Ec,
    code: &CodeData,
    fp: Fp,
    base: Fp,
    site: &CallSite,
    ret: Return,
    cell: *mut CacheCell,
) -> Result<Entered> {
    // SAFETY: by the caller.
    unsafe {
        let (method, home) = running_method(fp);
        let Some(entry) = MethodEntry::from_value(ec, method) else {
            return Err(ec.runtime_error("super called outside of method"));
        };
        let (owner, name) = (entry.owner(ec), entry.original_name);
        if site.flags.has(CallFlags::ZSUPER) && matches!(entry.kind, MethodKind::Proc(_)) {
            let text = "implicit argument passing of super from method defined by define_method() is not supported. Specify all arguments explicitly.";
            return Err(ec.runtime_error(text));
        }
        // The block of `define_method` may have been given another object by `instance_eval` in it.
        let is_own_code =
            code.kind == CodeKind::Method || matches!(entry.kind, MethodKind::Proc(_)) && owner.is_module();
        let block = super_block(ec, code, fp, home, site);
        let mut given = Given::of_site(base, site, block);
        given.complete(ec, site)?;
        let receiver = base.reg(0);
        if !is_own_code && !owner.is_refinement() && !ec.is_a(receiver, owner) {
            // A module's method is one of the class that includes it.
            let expected = if owner.is_module() { ec.class_of(home.reg(0)).real() } else { owner };
            let (class, owner) = (ec.class_shown(ec.class_of(receiver).real())?, ec.class_shown(expected)?);
            let text = format!("self has wrong type to call super in this context: {class} (expected {owner})");
            return Err(ec.type_error(&text));
        }
        let epoch = ec.vm().method_epoch(name).load(Ordering::Acquire);
        let found = refined_super(ec, code.cref, ec.class_of(receiver), owner, name)
            .or_else(|| super_method(ec, receiver, MethodEntry::from_value(ec, method)?));
        match found {
            Some(found) => {
                // The cells of a method's own code serve one method entry; those of blocks may serve several.
                let is_own = code.kind == CodeKind::Method && !owner.is_refinement();
                if is_own && !is_refined(ec, code, name) && !ec.traces_steps() {
                    let entry = MethodEntry::from_value(ec, found).expect("a method entry");
                    let (handler, target) = super::ops::call::super_form(ec, entry, site);
                    code.remember_call(ec, cell, name, epoch, call_entry(receiver, handler, target));
                }
                enter_method(ec, found, name, &mut given, ret)
            }
            None => enter_missing(ec, name, &mut given, ret, MissingReason::Super),
        }
    }
}

/// The block that `super` gives: its own, or the one that the running method got.
unsafe fn super_block(ec: &Ec, code: &CodeData, fp: Fp, home: Fp, site: &CallSite) -> BlockWord {
    let passes_on = site.block.is_none() && !site.flags.has(CallFlags::BLOCK_ARG);
    // SAFETY: the running frame and its method's environment.
    unsafe { if passes_on { BlockWord::read(home) } else { literal_block(ec, code, fp, site) } }
}

/// What `super` in a method of `owner` calls if refinements are active in the scope of the call.
fn refined_super(ec: &Ec, cref: Value, class: Class, owner: Class, name: SymbolId) -> Option<Value> {
    if !ec.vm().may_be_refined(name) {
        return None;
    }
    let mro = class.mro();
    let Some(refined) = owner.refined().filter(|_| owner.is_refinement()) else {
        let position = mro.iter().position(|m| *m == owner.value())?;
        return refined_among(ec, cref, &mro, position + 1, name);
    };
    // Another refinement of the class comes first if it is active in this one, then the class itself.
    let active = Cref::from_value(cref).map(|scope| scope.active_refinements(ec)).unwrap_or_default();
    let others = active.iter().rev().filter(|(class, other)| *class == refined.value() && *other != owner.value());
    if let Some(found) = others.filter_map(|(_, other)| Class::expect(*other).find_method(ec, name)).next() {
        return Some(found.value());
    }
    let position = mro.iter().position(|m| *m == refined.value())?;
    match behind_refinement(ec, &mro, owner, refined, name) {
        Some(_) => None,
        None => refined_among(ec, cref, &mro, position + 1, name),
    }
}

/// What a refinement's method finds first, or that it is undefined: a method of what the refinement has imported, then one of the refined class or of
/// what is prepended to it.
fn behind_refinement(ec: &Ec, order: &[Value], refinement: Class, refined: Class, name: SymbolId) -> Option<Value> {
    let behind = refinement.mro().iter().skip(1).find_map(|m| Class::expect(*m).own_method(ec, name));
    let own = position_and_head(order, refined);
    let group = own.map_or(&[][..], |(head, at)| &order[head..=at]);
    behind.or_else(|| group.iter().find_map(|m| Class::expect(*m).own_method(ec, name)))
}

fn position_and_head(order: &[Value], class: Class) -> Option<(usize, usize)> {
    let at = order.iter().position(|ancestor| *ancestor == class.value())?;
    Some((head_of(order, class.value())?, at))
}

/// What `super` in a method calls on instances of a class, with the refinements that are active where the method is written.
pub(crate) fn super_method_seen(ec: &Ec, class: Class, entry: &MethodEntry) -> Option<Value> {
    let cref = match entry.kind {
        MethodKind::Proc(proc) => crate::run::proc::Proc::from_value(proc).and_then(|p| p.code()).map(|code| code.cref),
        _ => Some(entry.scope()),
    };
    refined_super(ec, cref.unwrap_or(Value::NIL), class, entry.owner(ec), entry.original_name)
        .or_else(|| super_method_of(ec, class, entry))
}

/// What `super` in a method calls.
pub(crate) fn super_method(ec: &Ec, receiver: Value, entry: &MethodEntry) -> Option<Value> {
    super_method_of(ec, ec.class_of(receiver), entry)
}

/// What `super` in a method calls on instances of a class.
pub(crate) fn super_method_of(ec: &Ec, class: Class, entry: &MethodEntry) -> Option<Value> {
    let (owner, name) = (entry.owner(ec), entry.original_name);
    if let Some(refined) = owner.refined() {
        return match behind_refinement(ec, &class.mro(), owner, refined, name) {
            Some(found) => Some(found).filter(|m| MethodEntry::from_value(ec, *m).is_some_and(|m| !m.is_undefined())),
            None => class.find_method_behind(ec, refined, 0, name).map(MethodEntry::value),
        };
    }
    class.find_super_method(ec, entry).map(MethodEntry::value)
}

/// The method entry that the code of a frame belongs to, and the environment whose block it passes on.
pub(crate) unsafe fn running_method(fp: Fp) -> (Value, Fp) {
    // SAFETY: environments of block code store their parent; frames store what their kind has.
    unsafe {
        let mut env = if fp.code().kind == CodeKind::Native { fp } else { fp.env() };
        loop {
            let code = env.code();
            if !code.kind.is_block() || env.word(frame::FLAGS) & frame::flags::BMETHOD != 0 {
                return (code.method, env);
            }
            env = env.parent();
        }
    }
}

/// The alias that the method around the frame `above` was called by, if the call says so itself.
pub(crate) unsafe fn called_name(ec: &Ec, above: Fp, home: Fp, method: Value) -> Option<SymbolId> {
    // SAFETY: live frames, walked down; the word before a return address is the call.
    unsafe {
        let mut fp = above;
        while fp.0 != home.0 && fp.code().iseq.is_none() || fp.env() != home {
            fp = fp.caller();
            if fp.is_null() {
                return None;
            }
        }
        let caller = fp.caller();
        if caller.is_null() || caller.code().iseq.is_none() {
            return None;
        }
        let insn = *fp.ret_pc().sub(1);
        let is_call =
            matches!(insn.op, Op::send | Op::send_simple | Op::send_self | Op::send_block | Op::new_result | Op::ext);
        let name = match caller.code().linked().sites.get(usize::from(insn.c)) {
            Some(crate::run::link::LinkedSite::Call(site)) if is_call => site.name,
            _ => return None,
        };
        let receiver = if fp.code().iseq.is_some() { fp.env().reg(0) } else { fp.reg(0) };
        let found = ec.find_method(receiver, name)?;
        (found.resolved(ec).value() == method).then_some(name)
    }
}

// ---- yield ----

#[inline(never)]
pub(crate) unsafe extern "C-unwind" fn invokeblock_generic(
    pc: *const Insn,
    fp: *mut Value,
    ec: *mut Ec,
    _caches: *mut CacheCell,
) -> usize {
    // SAFETY: the running frame.
    unsafe { finish(yield_slow(&mut *ec, pc, Fp(fp)), ec) }
}

#[inline(never)]
unsafe fn yield_slow(ec: &mut Ec, pc: *const Insn, fp: Fp) -> Next {
    // SAFETY: the instruction's operands belong to the running frame.
    unsafe {
        let insn = *pc;
        let base = Fp(fp.0.add(usize::from(insn.b)));
        let code = fp.code();
        let site = code.linked().call_site(usize::from(insn.c));
        let ret = Return { pc: pc.add(1), fp };
        base.set_reg(0, Value::NIL);
        publish(ec, pc.add(1), fp.0, top_of_window(base, site));
        if ec.is_armed() && ec.poll().is_err() {
            return Next::Unwind;
        }
        let block = BlockWord::read(fp.env().method_env());
        let mut given = Given::of_site(base, site, BlockWord::None);
        let entered = match given.complete(ec, site) {
            Ok(()) => enter_block(ec, block, &mut given, ret),
            Err(unwind) => Err(unwind),
        };
        settle(ec, ret, entered)
    }
}

/// Calls a block or proc with arguments in a window.
pub(crate) unsafe fn enter_block(ec: &mut Ec, block: BlockWord, given: &mut Given<'_>, ret: Return) -> Result<Entered> {
    // SAFETY: by the caller.
    unsafe {
        match block {
            BlockWord::None => Err(ec.local_jump_error("no block given (yield)", "noreason", Value::NIL)),
            BlockWord::Literal(code, env) => {
                let is_lambda = code.kind == CodeKind::Lambda;
                enter_code(ec, code, env, is_lambda, given, ret)
            }
            BlockWord::Proc(proc) => match proc.code_in(ec) {
                Some(code) => enter_code(ec, code, proc.env(), proc.is_lambda(), given, ret),
                None => enter_native_target(ec, proc, given, ret),
            },
        }
    }
}

unsafe fn enter_code(
    ec: &mut Ec,
    code: &CodeData,
    env: Fp,
    is_lambda: bool,
    given: &mut Given<'_>,
    ret: Return,
) -> Result<Entered> {
    // SAFETY: by the caller.
    unsafe {
        given.base.set_reg(0, env.reg(0));
        let flags = if is_lambda { frame::flags::LAMBDA } else { 0 };
        push_frame(ec, code, given, ret, Some(BlockFrame { parent: env, flags }), Strictness::of(code, is_lambda))?;
        Ok(Entered::Frame)
    }
}

/// A proc of a symbol or method object: a call on its first argument, or of the method.
unsafe fn enter_native_target(ec: &mut Ec, proc: Proc, given: &mut Given<'_>, ret: Return) -> Result<Entered> {
    let target = proc.native_target().unwrap_or(Value::NIL);
    // SAFETY: by the caller.
    unsafe {
        if let Some(name) = target.as_symbol() {
            if given.argc == 0 {
                return Err(ec.argument_error("no receiver given"));
            }
            // The first argument is the receiver of a window that begins one register further up.
            given.base = Fp(given.base.0.add(1));
            given.argc -= 1;
            // Public methods alone, wherever the symbol stands.
            let receiver = given.base.reg(0);
            let found = refined_for(ec, proc.cref(), receiver, name)
                .or_else(|| ec.find_method(receiver, name).map(MethodEntry::value));
            let visibility = found.and_then(|m| MethodEntry::from_value(ec, m)).map(|m| m.visibility);
            return match (found, visibility) {
                (Some(method), Some(Visibility::Public)) => enter_method(ec, method, name, given, ret),
                (_, Some(other)) => enter_missing(ec, name, given, ret, MissingReason::Visibility(other)),
                _ => enter_missing(ec, name, given, ret, MissingReason::Undefined),
            };
        }
        given.base.set_reg(0, target);
        let call = crate::model::symbol::sym::CALL;
        let method = ec.find_method(target, call).map(MethodEntry::value).expect("a Method object responds to call");
        enter_method(ec, method, call, given, ret)
    }
}

/// Methods that only hand their arguments on: no native frame stands between caller and callee.
pub(crate) unsafe fn enter_optimized(
    ec: &mut Ec,
    kind: OptimizedKind,
    _method: Value,
    _name: SymbolId,
    given: &mut Given<'_>,
    ret: Return,
) -> Result<Entered> {
    // SAFETY: by the caller.
    unsafe {
        match kind {
            OptimizedKind::ProcCall => {
                let proc = given.base.reg(0);
                if !proc.is_type(HeapType::Proc) {
                    return Err(ec.wrong_type(proc, "Proc"));
                }
                enter_block(ec, BlockWord::Proc(Proc::expect(proc)), given, ret)
            }
            OptimizedKind::New => super::construct::enter_new(ec, given, ret),
            OptimizedKind::NewStruct => super::construct::enter_new_struct(ec, given, ret),
            OptimizedKind::NewData => super::construct::enter_new_data(ec, given, ret),
            OptimizedKind::MethodCall => {
                let object = given.base.reg(0);
                let Some(object) = crate::Data::<crate::value::method_object::MethodObject>::from_value(object) else {
                    return Err(ec.wrong_type(object, "Method"));
                };
                let (receiver, entry, name) = object.get(ec).target();
                given.base.set_reg(0, receiver);
                if entry.is_nil() {
                    enter_missing(ec, name, given, ret, MissingReason::Undefined)
                } else {
                    enter_method(ec, entry, name, given, ret)
                }
            }
            OptimizedKind::Send | OptimizedKind::PublicSend => {
                if given.argc == 0 {
                    return Err(ec.argument_error("no method name given"));
                }
                let name = given.base.reg(1);
                given.gather_keywords(ec)?;
                let name = match name.as_symbol() {
                    Some(name) => name,
                    None => {
                        // A method or block in front may have put more into the window than the site did.
                        ec.sp = given.base.0.add(1 + given.argc);
                        ec.to_name(name)?
                    }
                };
                for i in 2..=given.argc {
                    given.base.set_reg(i - 1, given.base.reg(i));
                }
                given.argc -= 1;
                let flags = CallFlags(if kind == OptimizedKind::Send { CallFlags::FCALL } else { 0 });
                match resolve(ec, ret.fp.code().cref, given.base.reg(0), name, flags, ret.fp) {
                    Resolved::Method(method) if kind == OptimizedKind::PublicSend && is_protected(ec, method) => {
                        enter_missing(ec, name, given, ret, MissingReason::Visibility(Visibility::Protected))
                    }
                    Resolved::Method(method) => enter_method(ec, method, name, given, ret),
                    Resolved::Missing(reason) => enter_missing(ec, name, given, ret, reason),
                }
            }
        }
    }
}

// ---- polls ----

/// A back edge with something pending: polls, then jumps.
#[cold]
#[inline(never)]
pub(crate) unsafe extern "C-unwind" fn poll_jump(
    pc: *const Insn,
    fp: *mut Value,
    ec: *mut Ec,
    caches: *mut CacheCell,
) -> usize {
    // SAFETY: the running frame; `a` is its first dead register.
    unsafe {
        publish(ec, pc.add(1), fp, fp.add(usize::from((*pc).a)));
        if (*ec).poll().is_err() {
            return unwind(pc, fp, ec, caches);
        }
        dispatch(pc.add(1).offset((*pc).d() as isize), fp, ec, caches)
    }
}

/// As [`poll_jump`], for a fused comparison that goes back: its destination is the first dead register.
#[cold]
#[inline(never)]
pub(crate) unsafe extern "C-unwind" fn poll_branch(
    pc: *const Insn,
    fp: *mut Value,
    ec: *mut Ec,
    caches: *mut CacheCell,
) -> usize {
    // SAFETY: the running frame; the branch word is the third of the instruction at `pc`.
    unsafe {
        publish(ec, pc.add(3), fp, fp.add(usize::from((*pc).a)));
        if (*ec).poll().is_err() {
            return unwind(pc, fp, ec, caches);
        }
        dispatch(pc.add(3).offset((*pc.add(2)).d() as isize), fp, ec, caches)
    }
}
