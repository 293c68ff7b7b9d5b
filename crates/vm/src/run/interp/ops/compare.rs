//! Comparisons: as values (`opt_lt`) and fused with the branch behind (`cmp_lt`).

use super::arith::{call_binary, call_imm, imm};
use super::basic::reg;
use super::handler;
use crate::ec::Ec;
use crate::model::redefinition::is_redefined;
use crate::model::shape::shape_of;
use crate::model::symbol::sym;
use crate::run::code::CacheCell;
use crate::run::frame::Fp;
use crate::run::interp::{dispatch, slow, turn};
use crate::value::array::Array;
use crate::value::hash::Hash;
use crate::value::string::Str;
use carat_iseq::{Insn, Op};
use carat_layout::Value;

macro_rules! done {
    ($pc:ident, $fp:ident, $ec:ident, $caches:ident, $value:expr) => {{
        let value = Value::bool($value);
        reg!($fp, (*$pc).a) = value;
        return dispatch($pc.add(2), $fp, $ec, $caches);
    }};
}

/// Takes the branch word of a fused comparison. Backwards it closes a loop, so it polls.
macro_rules! take {
    ($pc:ident, $fp:ident, $ec:ident, $caches:ident, $truth:expr) => {{
        let branch = $pc.add(2);
        let is_true: bool = $truth;
        if is_true != ((*branch).op as u8 == Op::branchif as u8) {
            return dispatch($pc.add(3), $fp, $ec, $caches);
        }
        let offset = (*branch).d() as isize;
        if offset < 0 && (*$ec).is_armed() {
            return slow::poll_branch($pc, $fp, $ec, $caches);
        }
        let target = $pc.add(3).offset(offset);
        if offset < 0 {
            return turn(target, $fp, $ec, $caches);
        }
        return dispatch(target, $fp, $ec, $caches);
    }};
}

/// An Integer and a Float, or two Floats, as doubles that say the same: only fixnums of up to 53 bits take part.
pub(crate) fn exact_doubles(ec: &Ec, x: Value, y: Value) -> Option<(f64, f64)> {
    let double = |v: Value| match v.as_fixnum() {
        Some(i) => (i.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS).then_some(i as f64),
        None => ec.float_of(v),
    };
    if x.both_fixnum(y) { None } else { Some((double(x)?, double(y)?)) }
}

macro_rules! ordering {
    ($value:ident, $value_slow:ident, $fused:ident, $fused_slow:ident, $m:ident) => {
        handler!($value(pc, fp, ec, caches) {
            let (x, y) = (reg!(fp, (*pc).b), reg!(fp, (*pc).c));
            if x.both_fixnum(y) {
                done!(pc, fp, ec, caches, std::cmp::PartialOrd::$m(&(x.bits() as i64), &(y.bits() as i64)));
            }
            if x.both_flonum(y) {
                done!(pc, fp, ec, caches, std::cmp::PartialOrd::$m(&x.flonum_value(), &y.flonum_value()));
            }
            $value_slow(pc, fp, ec, caches)
        });

        handler!(#[inline(never)] $value_slow(pc, fp, ec, caches) {
            match exact_doubles(&*ec, reg!(fp, (*pc).b), reg!(fp, (*pc).c)) {
                Some((x, y)) => done!(pc, fp, ec, caches, std::cmp::PartialOrd::$m(&x, &y)),
                None => call_binary(pc, fp, ec, caches),
            }
        });

        handler!($fused(pc, fp, ec, caches) {
            let (x, y) = (reg!(fp, (*pc).b), reg!(fp, (*pc).c));
            if x.both_fixnum(y) {
                take!(pc, fp, ec, caches, std::cmp::PartialOrd::$m(&(x.bits() as i64), &(y.bits() as i64)));
            }
            if x.both_flonum(y) {
                take!(pc, fp, ec, caches, std::cmp::PartialOrd::$m(&x.flonum_value(), &y.flonum_value()));
            }
            $fused_slow(pc, fp, ec, caches)
        });

        handler!(#[inline(never)] $fused_slow(pc, fp, ec, caches) {
            match exact_doubles(&*ec, reg!(fp, (*pc).b), reg!(fp, (*pc).c)) {
                Some((x, y)) => take!(pc, fp, ec, caches, std::cmp::PartialOrd::$m(&x, &y)),
                None => call_binary(pc, fp, ec, caches),
            }
        });
    };
}

ordering!(opt_lt, opt_lt_slow, cmp_lt, cmp_lt_slow, lt);
ordering!(opt_le, opt_le_slow, cmp_le, cmp_le_slow, le);
ordering!(opt_gt, opt_gt_slow, cmp_gt, cmp_gt_slow, gt);
ordering!(opt_ge, opt_ge_slow, cmp_ge, cmp_ge_slow, ge);

macro_rules! ordering_imm {
    ($fused:ident, $test:path) => {
        handler!($fused(pc, fp, ec, caches) {
            let x = reg!(fp, (*pc).b);
            if x.is_fixnum() {
                take!(pc, fp, ec, caches, $test(&x.fixnum_value(), &i64::from((*pc).c as i16)));
            }
            if x.is_flonum() {
                take!(pc, fp, ec, caches, $test(&x.flonum_value(), &f64::from((*pc).c as i16)));
            }
            call_imm(pc, fp, ec, caches)
        });
    };
}

ordering_imm!(cmp_lt_imm, PartialOrd::lt);
ordering_imm!(cmp_le_imm, PartialOrd::le);
ordering_imm!(cmp_gt_imm, PartialOrd::gt);
ordering_imm!(cmp_ge_imm, PartialOrd::ge);
ordering_imm!(cmp_eq_imm, PartialEq::eq);

handler!(opt_lt_imm(pc, fp, ec, caches) {
    let x = reg!(fp, (*pc).b);
    if x.is_fixnum() {
        done!(pc, fp, ec, caches, x.fixnum_value() < i64::from((*pc).c as i16));
    }
    if x.is_flonum() {
        done!(pc, fp, ec, caches, x.flonum_value() < f64::from((*pc).c as i16));
    }
    call_imm(pc, fp, ec, caches)
});

handler!(opt_eq_imm(pc, fp, ec, caches) {
    let x = reg!(fp, (*pc).b);
    if x.is_fixnum() {
        done!(pc, fp, ec, caches, x == imm(pc));
    }
    if x.is_flonum() {
        done!(pc, fp, ec, caches, x.flonum_value() == f64::from((*pc).c as i16));
    }
    call_imm(pc, fp, ec, caches)
});

/// `x == y` where no method call can tell otherwise.
#[inline(always)]
pub(crate) fn equal(ec: &Ec, x: Value, y: Value) -> Option<bool> {
    if x.both_fixnum(y) || x.is_symbol() || matches!(x, Value::NIL | Value::TRUE | Value::FALSE) {
        return Some(x == y);
    }
    if x.both_flonum(y) {
        return Some(x.flonum_value() == y.flonum_value());
    }
    equal_strings(ec, x, y)
}

/// A string is equal to no immediate; another object would be asked for `to_str`.
#[inline(never)]
fn equal_strings(ec: &Ec, x: Value, y: Value) -> Option<bool> {
    let a = Str::from_value(x).filter(|_| ec.is_plain_string(x))?;
    match Str::from_value(y) {
        Some(b) => Some(a.eql(ec, b)),
        None => (!y.is_heap()).then_some(false),
    }
}

/// `x == y` of two arrays whose lengths or elements tell, and of two hashes that are one or differ in size.
#[inline(never)]
fn equal_containers(ec: &Ec, x: Value, y: Value) -> Option<bool> {
    /// Longer arrays are left to a method that looks for interrupts.
    const LONGEST: usize = 1 << 8;
    let shape = x.header()?.shape();
    if is_redefined(ec, sym::EQ) {
        return None;
    }
    if shape == ec.hash_shape {
        let (a, b) = (Hash::from_value(x)?, Hash::from_value(y)?);
        return if a == b { Some(true) } else { (a.len(ec) != b.len(ec)).then_some(false) };
    }
    let (a, b) = (Array::from_value(x).filter(|_| shape == ec.array_shape)?, Array::from_value(y)?);
    let (a, b) = (a.slice_of(ec), b.slice_of(ec));
    if a.len() != b.len() {
        return Some(false);
    }
    if a.len() > LONGEST {
        return None;
    }
    for (x, y) in a.iter().zip(b) {
        if x != y && !equal(ec, *x, *y).or_else(|| ec.equal_floats(*x, *y))? {
            return Some(false);
        }
    }
    Some(true)
}

/// `x == y` where [`equal`] does not know: of containers, and of objects that are equal to themselves alone.
#[inline(never)]
fn equal_objects(ec: &Ec, x: Value, y: Value) -> Option<bool> {
    if ec.is_plain_core(x) { equal_containers(ec, x, y) } else { identical(ec, x, y) }
}

/// `x != y` of objects that are equal to themselves alone.
#[inline(never)]
fn not_identical(ec: &Ec, x: Value, y: Value) -> Option<bool> {
    if ec.is_plain_core(x) || !x.is_heap() || ec.vm().may_be_refined(sym::NEQ) {
        return None;
    }
    let is_plain = ec.responds_with(x, sym::NEQ, ec.vm().known().basic_object);
    identical(ec, x, y).filter(|_| is_plain).map(|same| !same)
}

/// `x == y` of objects that are equal to themselves alone.
fn identical(ec: &Ec, x: Value, y: Value) -> Option<bool> {
    if !x.is_heap() || ec.vm().may_be_refined(sym::EQ) {
        return None;
    }
    let known = ec.vm().known();
    let method = ec.find_method(x, sym::EQ).filter(|method| method.is_core(ec))?;
    let is_plain = [known.basic_object, known.module].iter().any(|owner| method.owner_value() == owner.value());
    is_plain.then_some(x == y)
}

impl Ec {
    /// As [`Ec::equal`], as far as that needs no call.
    pub fn equal_at_once(&self, x: Value, y: Value) -> Option<bool> {
        equal(self, x, y).or_else(|| self.equal_floats(x, y)).or_else(|| identical(self, x, y))
    }

    /// `x == y` of two Floats, of which at least one is an object, or of a Float and a small Integer.
    fn equal_floats(&self, x: Value, y: Value) -> Option<bool> {
        let answer = match (x.as_fixnum(), y.as_fixnum()) {
            (Some(integer), None) => is_integer(self.float_of(y)?, integer),
            (None, Some(integer)) => is_integer(self.float_of(x)?, integer),
            _ => self.float_of(x)? == self.float_of(y)?,
        };
        (!is_redefined(self, sym::EQ)).then_some(answer)
    }
}

/// Whether a float is this integer exactly: several integers above 2 to the 53 become one float.
fn is_integer(float: f64, integer: i64) -> bool {
    float == integer as f64 && float as i64 == integer
}

/// Whether the cell behind a comparison knows the method for an object: those that are equal to themselves alone are not called.
///
/// # Safety
/// An instruction with a word for its call behind it, and the cells of its code.
#[inline(always)]
unsafe fn asks_method(pc: *const Insn, caches: *const CacheCell, x: Value) -> bool {
    // SAFETY: by contract.
    unsafe { (*caches.add(usize::from((*pc.add(1)).c))).shape == shape_of(x).0 }
}

/// `x == y`, as far as that needs no call.
pub(crate) fn same(ec: &Ec, x: Value, y: Value) -> Option<bool> {
    equal(ec, x, y).or_else(|| equal_objects(ec, x, y))
}

/// The same for an instruction, whose cell may know that a method is to be asked.
///
/// # Safety
/// As for [`asks_method`].
#[inline(always)]
unsafe fn same_at(ec: &Ec, pc: *const Insn, caches: *const CacheCell, x: Value, y: Value) -> Option<bool> {
    // SAFETY: by contract.
    equal(ec, x, y).or_else(|| unsafe { equal_objects_at(ec, pc, caches, x, y) })
}

/// As [`equal_objects`], for an instruction.
///
/// # Safety
/// As for [`asks_method`].
#[inline(always)]
unsafe fn equal_objects_at(ec: &Ec, pc: *const Insn, caches: *const CacheCell, x: Value, y: Value) -> Option<bool> {
    // SAFETY: by contract.
    if unsafe { asks_method(pc, caches, x) } { equal_containers(ec, x, y) } else { equal_objects(ec, x, y) }
}

/// `x != y`, as far as that needs no call.
pub(crate) fn different(ec: &Ec, x: Value, y: Value) -> Option<bool> {
    let known = equal(ec, x, y).or_else(|| equal_containers(ec, x, y));
    known.map(|same| !same).or_else(|| not_identical(ec, x, y))
}

/// `x != y` at an instruction, as far as that needs no call.
///
/// # Safety
/// As for [`asks_method`].
#[inline(always)]
unsafe fn different_at(ec: &Ec, pc: *const Insn, caches: *const CacheCell, x: Value, y: Value) -> Option<bool> {
    let known = equal(ec, x, y).or_else(|| equal_containers(ec, x, y)).map(|same| !same);
    // SAFETY: by contract.
    known.or_else(|| if unsafe { asks_method(pc, caches, x) } { None } else { not_identical(ec, x, y) })
}

handler!(opt_eq(pc, fp, ec, caches) {
    match same_at(&*ec, pc, caches, reg!(fp, (*pc).b), reg!(fp, (*pc).c)) {
        Some(same) => done!(pc, fp, ec, caches, same),
        None => call_binary(pc, fp, ec, caches),
    }
});

handler!(opt_neq(pc, fp, ec, caches) {
    match different_at(&*ec, pc, caches, reg!(fp, (*pc).b), reg!(fp, (*pc).c)) {
        Some(differ) => done!(pc, fp, ec, caches, differ),
        None => call_binary(pc, fp, ec, caches),
    }
});

handler!(cmp_eq(pc, fp, ec, caches) {
    match equal(&*ec, reg!(fp, (*pc).b), reg!(fp, (*pc).c)) {
        Some(same) => take!(pc, fp, ec, caches, same),
        None => cmp_eq_slow(pc, fp, ec, caches),
    }
});

handler!(#[inline(never)] cmp_eq_slow(pc, fp, ec, caches) {
    match equal_objects_at(&*ec, pc, caches, reg!(fp, (*pc).b), reg!(fp, (*pc).c)) {
        Some(same) => take!(pc, fp, ec, caches, same),
        None => call_binary(pc, fp, ec, caches),
    }
});

handler!(cmp_neq(pc, fp, ec, caches) {
    match different_at(&*ec, pc, caches, reg!(fp, (*pc).b), reg!(fp, (*pc).c)) {
        Some(differ) => take!(pc, fp, ec, caches, differ),
        None => call_binary(pc, fp, ec, caches),
    }
});

/// What the comparison at `pc` says, whether it has a branch behind it or not, if no method has to be asked. Two fixnums are the
/// templates' matter.
///
/// # Safety
/// An instruction of the running frame.
pub(crate) unsafe fn decided(ec: &Ec, pc: *const Insn, fp: *mut Value) -> Option<bool> {
    use Op::*;
    // SAFETY: by contract.
    let (op, x, other) = unsafe { ((*pc).op, reg!(fp, (*pc).b), (*pc).c) };
    let y = match op {
        // SAFETY: by contract.
        opt_lt_imm | opt_eq_imm | cmp_lt_imm | cmp_le_imm | cmp_gt_imm | cmp_ge_imm | cmp_eq_imm => unsafe { imm(pc) },
        // SAFETY: by contract, a register.
        _ => unsafe { reg!(fp, other) },
    };
    match op {
        // SAFETY: by contract, the running code's cells.
        opt_eq | cmp_eq => return unsafe { same_at(ec, pc, Fp(fp).code().caches, x, y) },
        // SAFETY: as above.
        opt_neq | cmp_neq => return unsafe { different_at(ec, pc, Fp(fp).code().caches, x, y) },
        _ => {}
    }
    let (x, y) = exact_doubles(ec, x, y)?;
    Some(match op {
        opt_lt | cmp_lt | opt_lt_imm | cmp_lt_imm => x < y,
        opt_le | cmp_le | cmp_le_imm => x <= y,
        opt_gt | cmp_gt | cmp_gt_imm => x > y,
        opt_ge | cmp_ge | cmp_ge_imm => x >= y,
        _ => x == y,
    })
}
