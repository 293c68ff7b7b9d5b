//! Moves, literals and locals.

use super::handler;
use crate::ec::Ec;
use crate::run::frame::{self, Fp};
use crate::run::interp::{dispatch, publish_all};
use crate::value::array::Array;
use crate::value::string::Str;
use carat_layout::Value;

macro_rules! reg {
    ($fp:ident, $index:expr) => {
        *$fp.add(usize::from($index))
    };
}
pub(crate) use reg;

handler!(unknown(pc, fp, ec, caches) {
    crate::bug::stop("an instruction without handler ran", ec)
});

handler!(ext(pc, fp, ec, caches) {
    crate::bug::stop("the second word of an instruction ran", ec)
});

// The boundary's halt is the only `nop` that runs: the compiler emits none.
handler!(nop(pc, fp, ec, caches) {
    if pc == crate::run::interp::halt_pc() {
        return crate::run::interp::EXIT_VALUE;
    }
    dispatch(pc.add(1), fp, ec, caches)
});

handler!(move_(pc, fp, ec, caches) {
    reg!(fp, (*pc).a) = reg!(fp, (*pc).b);
    dispatch(pc.add(1), fp, ec, caches)
});

handler!(putnil(pc, fp, ec, caches) {
    reg!(fp, (*pc).a) = Value::NIL;
    dispatch(pc.add(1), fp, ec, caches)
});

handler!(puttrue(pc, fp, ec, caches) {
    reg!(fp, (*pc).a) = Value::TRUE;
    dispatch(pc.add(1), fp, ec, caches)
});

handler!(putfalse(pc, fp, ec, caches) {
    reg!(fp, (*pc).a) = Value::FALSE;
    dispatch(pc.add(1), fp, ec, caches)
});

handler!(putundef(pc, fp, ec, caches) {
    reg!(fp, (*pc).a) = Value::UNDEF;
    dispatch(pc.add(1), fp, ec, caches)
});

handler!(putfixnum(pc, fp, ec, caches) {
    reg!(fp, (*pc).a) = Value::fixnum_unchecked(i64::from((*pc).d()));
    dispatch(pc.add(1), fp, ec, caches)
});

handler!(putobject(pc, fp, ec, caches) {
    reg!(fp, (*pc).a) = *Fp(fp).code().literals.add((*pc).d() as usize);
    dispatch(pc.add(1), fp, ec, caches)
});

handler!(putstring(pc, fp, ec, caches) {
    let literal = Str::from_value_unchecked(*Fp(fp).code().literals.add((*pc).d() as usize));
    reg!(fp, (*pc).a) = literal.duplicate(&*ec).value();
    dispatch(pc.add(1), fp, ec, caches)
});

// While allocations are recorded: the copy tells who writes to it first. Where the program asks for a mutable one it need not.
handler!(#[inline(never)] putstring_recorded(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    crate::inspect::recorder::runs(&*ec, fp);
    let literal = Str::from_value_unchecked(*Fp(fp).code().literals.add((*pc).d() as usize));
    let copy = literal.duplicate(&*ec);
    if (*pc).n == 0 {
        copy.set_watched();
    }
    reg!(fp, (*pc).a) = copy.value();
    dispatch(pc.add(1), fp, ec, caches)
});

handler!(putchilledstring(pc, fp, ec, caches) {
    let literal = Str::from_value_unchecked(*Fp(fp).code().literals.add((*pc).d() as usize));
    let copy = literal.duplicate(&*ec);
    copy.set_chilled();
    reg!(fp, (*pc).a) = copy.value();
    dispatch(pc.add(1), fp, ec, caches)
});

handler!(putcbase(pc, fp, ec, caches) {
    reg!(fp, (*pc).a) = crate::model::cref::constant_base(&*ec, super::define::cref_of(Fp(fp)));
    dispatch(pc.add(1), fp, ec, caches)
});

/// The environment `depth` levels up from a frame.
#[inline(always)]
pub(crate) unsafe fn env_at(fp: *mut Value, depth: u16) -> Fp {
    // SAFETY: frames that reach out of themselves are block frames. They and their environments store their parents, and
    // both are told when a parent moves.
    unsafe {
        if depth == 0 {
            return Fp(fp).env();
        }
        let mut env = Fp(fp).parent();
        for _ in 1..depth {
            env = env.parent();
        }
        env
    }
}

handler!(getlocal(pc, fp, ec, caches) {
    reg!(fp, (*pc).a) = env_at(fp, (*pc).c).reg(usize::from((*pc).b));
    dispatch(pc.add(1), fp, ec, caches)
});

handler!(setlocal(pc, fp, ec, caches) {
    let env = env_at(fp, (*pc).c);
    let value = reg!(fp, (*pc).a);
    env.set_reg(usize::from((*pc).b), value);
    if value.is_heap() && !(*ec).stack.contains(env.0) {
        (*ec).heap().barrier(crate::run::proc::env_object(env), value);
    }
    dispatch(pc.add(1), fp, ec, caches)
});

handler!(getblockparam(pc, fp, ec, caches) {
    let value = env_at(fp, (*pc).c).reg(usize::from((*pc).b));
    if value.is_undef() {
        return getblockparam_slow(pc, fp, ec, caches);
    }
    reg!(fp, (*pc).a) = value;
    dispatch(pc.add(1), fp, ec, caches)
});

// The literal block becomes a Proc, which the register keeps.
handler!(#[inline(never)] getblockparam_slow(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    let proc = crate::run::proc::Proc::from_block_of(&mut *ec, env_at(fp, (*pc).c));
    let env = env_at(fp, (*pc).c);
    env.set_reg(usize::from((*pc).b), proc);
    if !(*ec).stack.contains(env.0) {
        (*ec).heap().barrier(crate::run::proc::env_object(env), proc);
    }
    reg!(fp, (*pc).a) = proc;
    dispatch(pc.add(1), fp, ec, caches)
});

handler!(getblockparamproxy(pc, fp, ec, caches) {
    reg!(fp, (*pc).a) = env_at(fp, (*pc).c).reg(usize::from((*pc).b));
    dispatch(pc.add(1), fp, ec, caches)
});

handler!(putlambda(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    reg!(fp, (*pc).a) = lambda_of(&mut *ec, fp, (*pc).c);
    dispatch(pc.add(1), fp, ec, caches)
});

/// The lambda of a literal block.
///
/// # Safety
/// The running frame, whose code has that child.
#[inline(never)]
unsafe fn lambda_of(ec: &mut Ec, fp: *mut Value, child: u16) -> Value {
    // SAFETY: by contract.
    let (code, env) = unsafe { (Fp(fp).code().child(ec, usize::from(child)), Fp(fp).env()) };
    let proc = crate::run::proc::Proc::from_code(ec, code, env);
    proc.set_lambda();
    proc.value()
}

handler!(seterrinfo(pc, fp, ec, caches) {
    (*ec).errinfo = reg!(fp, (*pc).a);
    dispatch(pc.add(1), fp, ec, caches)
});

handler!(checktype(pc, fp, ec, caches) {
    use carat_layout::HeapType;
    let value = reg!(fp, (*pc).b);
    reg!(fp, (*pc).a) = Value::bool(match (*pc).n {
        0 => value.is_type(HeapType::Array),
        1 => value.is_type(HeapType::Hash),
        2 => value.is_type(HeapType::String),
        _ => value.is_symbol(),
    });
    dispatch(pc.add(1), fp, ec, caches)
});

/// Registers `first .. first + count` of a frame as a new array.
pub(crate) unsafe fn array_of(ec: &crate::Ec, fp: *mut Value, first: u16, count: u16) -> Array {
    // SAFETY: the registers belong to the frame.
    unsafe { Array::from_slice(ec, std::slice::from_raw_parts(fp.add(usize::from(first)), usize::from(count))) }
}

const _: () = assert!(frame::HEADER == 8);
