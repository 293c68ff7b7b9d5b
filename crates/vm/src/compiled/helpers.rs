//! Helpers: what instructions do in Rust, for machine code to call.
//!
//! # Contract
//! A helper gets the record of its instruction, the frame and the context. It does what the instruction's handler does and
//! returns the result, whose place is the caller's matter. Zero is none: of those that may raise, an error is pending and the frame is
//! published; of the others, nothing has happened, and the handler is to run.

use crate::ec::{Ec, Result};
use crate::run::code::CacheCell;
use crate::run::frame::Fp;
use crate::run::interp::ops::arith::typed;
use crate::run::interp::ops::{self, basic::reg, variables};
use crate::run::interp::{Handler, publish_all};
use crate::value::array::Array;
use crate::value::hash::Hash;
use crate::value::string::Str;
use carat_iseq::{Insn, hint};
use carat_layout::{HeapType, Value, flags};

type Address = unsafe extern "C-unwind" fn(*const Insn, *mut Value, *mut Ec) -> u64;

fn bits(result: Option<Value>) -> u64 {
    result.map_or(0, Value::bits)
}

macro_rules! helpers {
    ($($variant:ident $name:ident ($pc:ident, $fp:ident, $ec:ident) $raises:expr, $body:block)+) => {
        /// The helpers, by the instructions that they are for.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(usize)]
        pub(super) enum Helper { $($variant),+ }

        pub(super) const ALL: &[Helper] = &[$(Helper::$variant),+];

        impl Helper {
            pub(super) fn address(self) -> usize {
                let address: Address = match self { $(Helper::$variant => $name),+ };
                address as usize
            }

            /// Words of the instruction, if its helper may raise or run Ruby code.
            pub(super) fn words_if_it_may_raise(self) -> Option<i32> {
                match self { $(Helper::$variant => $raises),+ }
            }
        }

        $(
            #[allow(unused_variables, reason = "every helper gets the same")]
            unsafe extern "C-unwind" fn $name($pc: *const Insn, $fp: *mut Value, $ec: *mut Ec) -> u64 {
                // SAFETY: as for handlers: the operands are those of the running frame.
                unsafe {
                    let result: Option<Value> = $body;
                    bits(result)
                }
            }
        )+
    };
}

/// A literal of the running code.
unsafe fn literal(fp: *mut Value, index: usize) -> Value {
    // SAFETY: by the caller.
    unsafe { *Fp(fp).code().literals.add(index) }
}

/// The cell of an instruction whose site is its third operand.
unsafe fn cell(pc: *const Insn, fp: *mut Value) -> *mut CacheCell {
    // SAFETY: by the caller.
    unsafe { Fp(fp).code().caches.add(usize::from((*pc).c)) }
}

/// Publishes and runs what may raise.
unsafe fn published(
    pc: *const Insn,
    words: usize,
    fp: *mut Value,
    ec: *mut Ec,
    run: impl FnOnce(&mut Ec) -> Result,
) -> Option<Value> {
    // SAFETY: by the caller.
    unsafe {
        publish_all(ec, pc.add(words), fp);
        run(&mut *ec).ok()
    }
}

/// The code of the native method that a `send` or `public_send` leads to; the routine of its cell says which of the two it is. The
/// arguments behind the name have moved up by one then. Zero, with nothing done, if it leads to another kind of method.
///
/// # Safety
/// As for helpers; the instruction is such a call, with the name among its arguments.
pub(super) unsafe extern "C-unwind" fn sent(pc: *const Insn, fp: *mut Value, ec: *mut Ec, routine: u64) -> u64 {
    // SAFETY: by contract.
    unsafe {
        let is_public = routine == ops::handed_on::invoke_public_send as Handler as usize as u64;
        let (base, argc) = (Fp(fp.add(usize::from((*pc).b))), usize::from((*pc).n));
        let found = ops::handed_on::sent_native(&*ec, base, argc, is_public);
        found.map_or(0, |code| std::ptr::from_ref(code).expose_provenance() as u64)
    }
}

helpers! {
    Putstring putstring (pc, fp, ec) None, {
        let copy = Str::from_value_unchecked(literal(fp, (*pc).d() as usize)).duplicate(&*ec);
        Some(copy.value())
    }
    Putchilledstring putchilledstring (pc, fp, ec) None, {
        let copy = Str::from_value_unchecked(literal(fp, (*pc).d() as usize)).duplicate(&*ec);
        copy.set_chilled();
        Some(copy.value())
    }
    Newarray newarray (pc, fp, ec) None, {
        Some(ops::basic::array_of(&*ec, fp, (*pc).b, (*pc).c).value())
    }
    Duparray duparray (pc, fp, ec) None, {
        Some(Array::from_value_unchecked(literal(fp, (*pc).d() as usize)).duplicate(&*ec).value())
    }
    Arraysize arraysize (pc, fp, ec) None, {
        Some(Value::len(Array::from_value(reg!(fp, (*pc).b)).map_or(0, |array| array.len(&*ec))))
    }
    Arrayat arrayat (pc, fp, ec) None, {
        let index = reg!(fp, (*pc).c);
        let element = match Array::from_value(reg!(fp, (*pc).b)) {
            Some(array) if index.is_fixnum() => array.element(&*ec, index.fixnum_value() as usize),
            _ => None,
        };
        Some(element.unwrap_or(Value::NIL))
    }
    Getinstancevariable getinstancevariable (pc, fp, ec) None, { variables::known_field(*fp, cell(pc, fp)) }
    Getfield getfield (pc, fp, ec) None, { variables::known_field(reg!(fp, (*pc).b), cell(pc, fp)) }
    Setinstancevariable setinstancevariable (pc, fp, ec) None, {
        let is_done = variables::set_known_field(&*ec, *fp, reg!(fp, (*pc).a), cell(pc, fp), flags::FROZEN);
        is_done.then_some(Value::TRUE)
    }
    Setfield setfield (pc, fp, ec) None, {
        let is_done = variables::set_known_field(&*ec, reg!(fp, (*pc).b), reg!(fp, (*pc).a), cell(pc, fp), 0);
        is_done.then_some(Value::TRUE)
    }
    Aref opt_aref (pc, fp, ec) None, { typed::opt_aref(&mut *ec, reg!(fp, (*pc).b), reg!(fp, (*pc).c)) }
    ArefImm opt_aref_imm (pc, fp, ec) None, { typed::opt_aref(&mut *ec, reg!(fp, (*pc).b), ops::arith::imm(pc)) }
    ArefWith opt_aref_with (pc, fp, ec) None, {
        typed::hash_at_literal(&*ec, reg!(fp, (*pc).b), literal(fp, usize::from((*pc).c)))
    }
    Aset opt_aset (pc, fp, ec) None, {
        let is_done = typed::opt_aset(&mut *ec, reg!(fp, (*pc).a), reg!(fp, (*pc).b), reg!(fp, (*pc).c), (*pc).n);
        is_done.then_some(Value::TRUE)
    }
    Ltlt opt_ltlt (pc, fp, ec) None, {
        let (x, y) = (reg!(fp, (*pc).b), reg!(fp, (*pc).c));
        let is_copied = (*pc).n & hint::RIGHT_LITERAL != 0 && !x.is_type(HeapType::String);
        if is_copied { None } else { typed::opt_ltlt(&mut *ec, x, y) }
    }
    Length opt_length (pc, fp, ec) None, { typed::length(&*ec, reg!(fp, (*pc).b)) }
    IsEmpty opt_empty_p (pc, fp, ec) None, { typed::is_empty(&*ec, reg!(fp, (*pc).b)) }
    Compare compare (pc, fp, ec) None, { ops::compare::decided(&*ec, pc, fp).map(Value::bool) }
    Not opt_not (pc, fp, ec) None, {
        let x = reg!(fp, (*pc).b);
        ops::call::has_plain_not(&*ec, x).then(|| Value::bool(!x.truthy()))
    }
    IsNil opt_nil_p (pc, fp, ec) None, {
        let x = reg!(fp, (*pc).b);
        ops::call::has_plain_nil_p(&*ec, x).then_some(Value::FALSE)
    }
    Checkmatch checkmatch (pc, fp, ec) None, {
        let found = (*pc).n != 1;
        if found { (*ec).matches_at_once(reg!(fp, (*pc).b), reg!(fp, (*pc).c)).map(Value::bool) } else { None }
    }
    Casehas casehas (pc, fp, ec) None, {
        let table = ops::build::literal_hash(fp, usize::from((*pc).c));
        Some(Value::bool((*ec).case_may_have(table, reg!(fp, (*pc).b))))
    }
    Objtostring objtostring (pc, fp, ec) None, { ops::strings::at_once(&*ec, reg!(fp, (*pc).b)) }
    Anytostring anytostring (pc, fp, ec) None, { Some(ops::strings::any(&*ec, reg!(fp, (*pc).b), reg!(fp, (*pc).c))) }
    Concatstrings concatstrings (pc, fp, ec) Some(1), {
        published(pc, 1, fp, ec, |ec| ops::strings::concat_of(ec, Fp(fp), *pc))
    }
    Newhash newhash (pc, fp, ec) Some(1), {
        let insn = *pc;
        published(pc, 1, fp, ec, |ec| ops::build::hash_of(ec, Fp(fp), insn))
    }
    Splatarray splatarray (pc, fp, ec) Some(1), {
        published(pc, 1, fp, ec, |ec| ops::build::splat_of(ec, reg!(fp, (*pc).b), (*pc).n == 1))
    }
    Intern intern (pc, fp, ec) Some(1), {
        published(pc, 1, fp, ec, |ec| Str::expect(reg!(fp, (*pc).b)).to_symbol(ec).map(Value::symbol))
    }
    Checkrescue checkrescue (pc, fp, ec) Some(1), {
        let insn = *pc;
        published(pc, 1, fp, ec, |ec| ops::control::check_rescue(ec, reg!(fp, insn.b), reg!(fp, insn.c), insn.n == 1))
    }
    Defined defined (pc, fp, ec) Some(1), {
        published(pc, 1, fp, ec, |ec| ops::define::defined_of(ec, pc, Fp(fp)))
    }
    Pusharray pusharray (pc, fp, ec) None, {
        ops::build::push_at_once(&*ec, *pc, fp).then(|| reg!(fp, (*pc).a))
    }
    Concatarray concatarray (pc, fp, ec) Some(1), {
        let insn = *pc;
        published(pc, 1, fp, ec, |ec| {
            let array = reg!(fp, insn.a);
            ops::build::append_splat(ec, Array::from_value_unchecked(array), reg!(fp, insn.b)).map(|()| array)
        })
    }
    Hashset hashset (pc, fp, ec) Some(1), {
        let insn = *pc;
        published(pc, 1, fp, ec, |ec| {
            let hash = reg!(fp, insn.a);
            Hash::from_value_unchecked(hash).store(ec, reg!(fp, insn.b), reg!(fp, insn.c)).map(|()| hash)
        })
    }
    Concathash concathash (pc, fp, ec) Some(1), {
        let insn = *pc;
        published(pc, 1, fp, ec, |ec| {
            ops::build::merge(ec, Hash::from_value_unchecked(reg!(fp, insn.a)), reg!(fp, insn.b))
        })
    }
    Duphash duphash (pc, fp, ec) None, {
        Hash::from_value_unchecked(literal(fp, (*pc).d() as usize)).copy_embedded(&*ec).map(Hash::value)
    }
    // What a called stub stores where machine code may not run is what the register holds anyway.
    Expandarray expandarray (pc, fp, ec) Some(2), {
        published(pc, 2, fp, ec, |ec| ops::build::expand(ec, pc, Fp(fp)).map(|()| reg!(fp, (*pc).a)))
    }
    NewarraySend opt_newarray_send (pc, fp, ec) Some(2), {
        published(pc, 1, fp, ec, |ec| ops::literal_calls::result_of(ec, *pc, fp))
    }
    Newrange newrange (pc, fp, ec) None, {
        let (begin, end) = (reg!(fp, (*pc).b), reg!(fp, (*pc).c));
        begin.both_fixnum(end).then(|| (*ec).new_range(begin, end, (*pc).n == 1))
    }
    Getspecial getspecial (pc, fp, ec) Some(1), {
        published(pc, 1, fp, ec, |ec| ec.special_variable(Fp(fp), (*pc).d()))
    }
    Getglobal getglobal (pc, fp, ec) Some(1), {
        let name = Fp(fp).code().linked().symbols[usize::from((*pc).b)];
        published(pc, 1, fp, ec, |ec| ec.checked_global(name))
    }
    Getconstantfrom getconstantfrom (pc, fp, ec) Some(1), {
        let name = Fp(fp).code().linked().symbols[usize::from((*pc).c)];
        published(pc, 1, fp, ec, |ec| ec.constant_from_value(reg!(fp, (*pc).b), name))
    }
    Divide opt_div (pc, fp, ec) None, { ops::arith::quotient(&*ec, reg!(fp, (*pc).b), reg!(fp, (*pc).c)) }
    Negate opt_uminus (pc, fp, ec) None, { ops::arith::negative(reg!(fp, (*pc).b)) }
    Getclassvariable getclassvariable (pc, fp, ec) None, { variables::known_class_variable(cell(pc, fp)) }
    Once once (pc, fp, ec) None, { ops::control::known_once(cell(pc, fp)) }
    HashNext hash_next (pc, fp, ec) None, { Some(Value::bool(ops::call::take_entry(ec, *pc, fp))) }
}
