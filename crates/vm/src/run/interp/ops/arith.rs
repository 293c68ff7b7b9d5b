//! Operators: fast for fixnums and flonums, then typed, then as method calls.

use super::basic::reg;
use super::handler;
use crate::ec::Ec;
use crate::model::symbol::sym;
use crate::run::frame::Fp;
use crate::run::interp::{Handler, dispatch};
use crate::value::array::Array;
use crate::value::hash::Hash;
use crate::value::string::Str;
use carat_iseq::{Insn, Op, hint};
use carat_layout::{HeapType, SymbolId, Value};

/// Which instructions bypass a method, and so change when it is redefined.
pub(crate) const WATCHED: &[(SymbolId, &[Op])] = &[
    (sym::PLUS, &[Op::opt_plus, Op::opt_plus_imm]),
    (sym::MINUS, &[Op::opt_minus, Op::opt_minus_imm]),
    (sym::MULT, &[Op::opt_mult]),
    (sym::DIV, &[Op::opt_div]),
    (sym::MOD, &[Op::opt_mod]),
    (sym::AND, &[Op::opt_and, Op::opt_and_imm]),
    (sym::OR, &[Op::opt_or]),
    (sym::XOR, &[Op::opt_xor]),
    (sym::LTLT, &[Op::opt_ltlt]),
    (sym::GTGT, &[Op::opt_gtgt]),
    (sym::LT, &[Op::opt_lt, Op::opt_lt_imm, Op::cmp_lt, Op::cmp_lt_imm]),
    (sym::LE, &[Op::opt_le, Op::cmp_le, Op::cmp_le_imm]),
    (sym::GT, &[Op::opt_gt, Op::cmp_gt, Op::cmp_gt_imm]),
    (sym::GE, &[Op::opt_ge, Op::cmp_ge, Op::cmp_ge_imm]),
    (sym::EQ, &[Op::opt_eq, Op::opt_neq, Op::opt_eq_imm, Op::cmp_eq, Op::cmp_neq, Op::cmp_eq_imm]),
    (sym::NEQ, &[Op::opt_neq, Op::cmp_neq]),
    (sym::AREF, &[Op::opt_aref, Op::opt_aref_imm, Op::opt_aref_with]),
    (sym::ASET, &[Op::opt_aset]),
    (sym::NOT, &[Op::opt_not]),
    (sym::UMINUS, &[Op::opt_uminus, Op::opt_freeze]),
    (sym::LENGTH, &[Op::opt_length]),
    (sym::SIZE, &[Op::opt_size]),
    (sym::EMPTY_P, &[Op::opt_empty_p]),
    (sym::NIL_P, &[Op::opt_nil_p]),
    (sym::SUCC, &[Op::opt_succ]),
    (sym::CALL, &[Op::branchblock]),
    (sym::MAX, &[Op::opt_newarray_send]),
    (sym::MIN, &[Op::opt_newarray_send]),
    (sym::INCLUDE_P, &[Op::opt_newarray_send]),
    (sym::HASH, &[Op::opt_newarray_send]),
    (sym::FREEZE, &[Op::opt_freeze]),
];

/// Of these the methods that instructions stand for even where calls of native methods are traced.
pub(crate) const SILENT: &[SymbolId] = &[sym::CALL, sym::FREEZE, sym::UMINUS];

/// The handler of an operator that somebody redefined.
pub(crate) fn generic(op: Op) -> Handler {
    match op {
        Op::opt_newarray_send | Op::opt_freeze | Op::branchblock | Op::opt_aref_with => called(op),
        _ => redefined,
    }
}

handler!(#[inline(never)] redefined(pc, fp, ec, caches) {
    let op = (*pc).op;
    let receiver = if op == Op::opt_aset { reg!(fp, (*pc).a) } else { reg!(fp, (*pc).b) };
    // What the core library counts with is its own matter: a program's `Integer#+` does not change how far `times` goes.
    // Strings are the program's.
    if Fp(fp).code().is_core && !receiver.is_type(HeapType::String) {
        return built_in(op)(pc, fp, ec, caches);
    }
    called(op)(pc, fp, ec, caches)
});

macro_rules! built_in {
    ($($name:ident)+) => {
        /// The handler of an operator that nobody redefined.
        fn built_in(op: Op) -> Handler {
            match op {
                $(Op::$name => super::$name,)+
                _ => called(op),
            }
        }
    };
}

built_in! {
    opt_plus opt_plus_imm opt_minus opt_minus_imm opt_mult opt_div opt_mod opt_and opt_and_imm opt_or opt_xor opt_ltlt opt_gtgt
    opt_lt opt_lt_imm opt_le opt_gt opt_ge opt_eq opt_neq opt_eq_imm opt_aref opt_aref_imm opt_aset opt_not opt_uminus
    opt_length opt_size opt_empty_p opt_nil_p opt_succ
    cmp_lt cmp_lt_imm cmp_le cmp_le_imm cmp_gt cmp_gt_imm cmp_ge cmp_ge_imm cmp_eq cmp_neq cmp_eq_imm
}

/// The handler of an operator without fast paths.
fn called(op: Op) -> Handler {
    match op {
        Op::opt_plus_imm
        | Op::opt_minus_imm
        | Op::opt_and_imm
        | Op::opt_eq_imm
        | Op::opt_lt_imm
        | Op::opt_aref_imm
        | Op::cmp_lt_imm
        | Op::cmp_le_imm
        | Op::cmp_gt_imm
        | Op::cmp_ge_imm
        | Op::cmp_eq_imm => call_imm,
        Op::opt_not
        | Op::opt_uminus
        | Op::opt_length
        | Op::opt_size
        | Op::opt_empty_p
        | Op::opt_nil_p
        | Op::opt_succ => call_unary,
        Op::opt_aset => call_aset,
        Op::opt_newarray_send => super::literal_calls::call_newarray_send,
        Op::opt_freeze => super::literal_calls::call_freeze,
        Op::branchblock => super::control::branchblock_never,
        Op::opt_aref_with => call_aref_with,
        _ => call_binary,
    }
}

/// Bits of an operator's `n` that are the numbers of its literal operands in the window, too.
pub(crate) const LITERALS: u8 = hint::LEFT_LITERAL | hint::RIGHT_LITERAL;

// ---- method calls in the window of the ext word ----

handler!(#[inline(never)] call_binary(pc, fp, ec, caches) {
    let base = fp.add(usize::from((*pc.add(1)).b));
    let (left, right) = (reg!(fp, (*pc).b), reg!(fp, (*pc).c));
    *base = left;
    *base.add(1) = right;
    if (*pc).n & LITERALS != 0 {
        let is_mutable = (*pc).n & hint::MUTABLE != 0;
        if super::literals::settle(&*ec, fp, pc.add(1), caches, (*pc).n & LITERALS, is_mutable) {
            return super::call::invoke_native_borrowing(pc.add(1), fp, ec, caches);
        }
    }
    super::call::send_ext(pc.add(1), fp, ec, caches)
});

handler!(#[inline(never)] call_imm(pc, fp, ec, caches) {
    let base = fp.add(usize::from((*pc.add(1)).b));
    *base = reg!(fp, (*pc).b);
    *base.add(1) = imm(pc);
    super::call::send_ext(pc.add(1), fp, ec, caches)
});

handler!(#[inline(never)] call_unary(pc, fp, ec, caches) {
    *fp.add(usize::from((*pc.add(1)).b)) = reg!(fp, (*pc).b);
    super::call::send_ext(pc.add(1), fp, ec, caches)
});

handler!(#[inline(never)] call_aset(pc, fp, ec, caches) {
    let base = fp.add(usize::from((*pc.add(1)).b));
    let (receiver, index, value) = (reg!(fp, (*pc).a), reg!(fp, (*pc).b), reg!(fp, (*pc).c));
    *base = receiver;
    *base.add(1) = index;
    *base.add(2) = value;
    if (*pc).n & hint::LEFT_LITERAL != 0 {
        // The key is the first argument: one behind the receiver.
        super::literals::copy(&*ec, base, hint::RIGHT_LITERAL, (*pc).n & hint::MUTABLE != 0);
    }
    super::call::send_ext(pc.add(1), fp, ec, caches)
});

/// The signed number in `c`, as a fixnum.
#[inline(always)]
pub(crate) unsafe fn imm(pc: *const Insn) -> Value {
    // SAFETY: the running instruction.
    Value::fixnum_unchecked(i64::from(unsafe { (*pc).c } as i16))
}

/// Stores a result and goes on behind the ext word.
macro_rules! done {
    ($pc:ident, $fp:ident, $ec:ident, $caches:ident, $value:expr) => {{
        let value = $value;
        reg!($fp, (*$pc).a) = value;
        return dispatch($pc.add(2), $fp, $ec, $caches);
    }};
}

macro_rules! arithmetic {
    ($name:ident, $slow:ident, $checked:expr, $float:expr) => {
        handler!($name(pc, fp, ec, caches) {
            let (x, y) = (reg!(fp, (*pc).b), reg!(fp, (*pc).c));
            if x.both_fixnum(y) {
                if let Some(v) = $checked(x, y) {
                    done!(pc, fp, ec, caches, v);
                }
            } else if x.both_flonum(y) {
                let f: fn(f64, f64) -> f64 = $float;
                if let Some(v) = Value::flonum(f(x.flonum_value(), y.flonum_value())) {
                    done!(pc, fp, ec, caches, v);
                }
            }
            $slow(pc, fp, ec, caches)
        });
    };
}

macro_rules! arithmetic_slow {
    ($name:ident, $slow:ident) => {
        handler!(#[inline(never)] $slow(pc, fp, ec, caches) {
            match typed::$name(&*ec, reg!(fp, (*pc).b), reg!(fp, (*pc).c)) {
                Some(v) => done!(pc, fp, ec, caches, v),
                None => call_binary(pc, fp, ec, caches),
            }
        });
    };
}

/// The sum, unless it leaves the fixnum range: one of the tags is taken off, so the result carries the other.
#[inline(always)]
fn add(x: Value, y: Value) -> Option<Value> {
    let sum = (x.bits() as i64 - 1).checked_add(y.bits() as i64)?;
    // SAFETY: the word keeps the fixnum tag.
    Some(unsafe { Value::from_bits(sum as u64) })
}

#[inline(always)]
fn subtract(x: Value, y: Value) -> Option<Value> {
    let difference = (x.bits() as i64).checked_sub(y.bits() as i64 - 1)?;
    // SAFETY: as in `add`.
    Some(unsafe { Value::from_bits(difference as u64) })
}

#[inline(always)]
fn multiply(x: Value, y: Value) -> Option<Value> {
    Value::fixnum(x.fixnum_value().checked_mul(y.fixnum_value())?)
}

#[inline(always)]
fn divide(x: Value, y: Value) -> Option<Value> {
    let (a, b) = (x.fixnum_value(), y.fixnum_value());
    if b == 0 {
        return None;
    }
    let quotient = a / b;
    Value::fixnum(if (a % b != 0) && ((a < 0) != (b < 0)) { quotient - 1 } else { quotient })
}

#[inline(always)]
fn modulo(x: Value, y: Value) -> Option<Value> {
    let (a, b) = (x.fixnum_value(), y.fixnum_value());
    if b == 0 {
        return None;
    }
    let remainder = a % b;
    Some(Value::fixnum_unchecked(if remainder != 0 && ((remainder < 0) != (b < 0)) {
        remainder + b
    } else {
        remainder
    }))
}

/// A NaN that no flonum holds, so that the slow path decides.
fn never(_: f64, _: f64) -> f64 {
    f64::NAN
}

arithmetic!(opt_plus, opt_plus_slow, add, |x, y| x + y);
arithmetic!(opt_minus, opt_minus_slow, subtract, |x, y| x - y);
arithmetic!(opt_mult, opt_mult_slow, multiply, |x, y| x * y);
arithmetic!(opt_div, opt_div_slow, divide, |x, y| x / y);
arithmetic!(opt_mod, opt_mod_slow, modulo, never);
arithmetic_slow!(opt_minus, opt_minus_slow);
arithmetic_slow!(opt_mult, opt_mult_slow);
arithmetic_slow!(opt_div, opt_div_slow);
arithmetic_slow!(opt_mod, opt_mod_slow);

/// `x / y` where no method has to be asked.
pub(crate) fn quotient(ec: &Ec, x: Value, y: Value) -> Option<Value> {
    if x.both_fixnum(y) { divide(x, y) } else { typed::opt_div(ec, x, y) }
}

/// `-x` of a number that needs no object.
pub(crate) fn negative(x: Value) -> Option<Value> {
    if x.is_fixnum() {
        return Value::fixnum(x.fixnum_value().checked_neg()?);
    }
    if x.is_flonum() { Value::flonum(-x.flonum_value()) } else { None }
}

handler!(#[inline(never)] opt_plus_slow(pc, fp, ec, caches) {
    if (*pc).n & hint::LINKED != 0 && let Some(next) = super::sum::join(&*ec, pc, fp) {
        return dispatch(next.as_ptr(), fp, ec, caches);
    }
    match typed::opt_plus(&*ec, reg!(fp, (*pc).b), reg!(fp, (*pc).c)) {
        Some(v) => done!(pc, fp, ec, caches, v),
        None => call_binary(pc, fp, ec, caches),
    }
});

macro_rules! immediate {
    ($name:ident, $op:expr, $float:expr) => {
        handler!($name(pc, fp, ec, caches) {
            let x = reg!(fp, (*pc).b);
            if x.is_fixnum() {
                if let Some(v) = $op(x, imm(pc)) {
                    done!(pc, fp, ec, caches, v);
                }
            } else if x.is_flonum() {
                let f: fn(f64, f64) -> f64 = $float;
                if let Some(v) = Value::flonum(f(x.flonum_value(), f64::from((*pc).c as i16))) {
                    done!(pc, fp, ec, caches, v);
                }
            }
            call_imm(pc, fp, ec, caches)
        });
    };
}

immediate!(opt_plus_imm, add, |x, y| x + y);
immediate!(opt_minus_imm, subtract, |x, y| x - y);
immediate!(opt_and_imm, |x: Value, y: Value| Some(Value::fixnum_unchecked(x.fixnum_value() & y.fixnum_value())), never);

macro_rules! bitwise {
    ($name:ident, $op:tt) => {
        handler!($name(pc, fp, ec, caches) {
            let (x, y) = (reg!(fp, (*pc).b), reg!(fp, (*pc).c));
            if x.both_fixnum(y) {
                done!(pc, fp, ec, caches, Value::fixnum_unchecked(x.fixnum_value() $op y.fixnum_value()));
            }
            call_binary(pc, fp, ec, caches)
        });
    };
}

bitwise!(opt_and, &);
bitwise!(opt_or, |);
bitwise!(opt_xor, ^);

handler!(opt_gtgt(pc, fp, ec, caches) {
    let (x, y) = (reg!(fp, (*pc).b), reg!(fp, (*pc).c));
    if x.both_fixnum(y) && (0..63).contains(&y.fixnum_value()) {
        done!(pc, fp, ec, caches, Value::fixnum_unchecked(x.fixnum_value() >> y.fixnum_value()));
    }
    call_binary(pc, fp, ec, caches)
});

handler!(opt_ltlt(pc, fp, ec, caches) {
    let (x, y) = (reg!(fp, (*pc).b), reg!(fp, (*pc).c));
    if let Some(array) = typed::plain_array(&*ec, x) && (*pc).n == 0 && array.append_in_place(&*ec, y) {
        done!(pc, fp, ec, caches, x);
    }
    if x.both_fixnum(y) && (0..62).contains(&y.fixnum_value()) {
        let (a, shift) = (x.fixnum_value(), y.fixnum_value());
        if (a << shift) >> shift == a && Value::fits_fixnum(a << shift) {
            done!(pc, fp, ec, caches, Value::fixnum_unchecked(a << shift));
        }
    }
    opt_ltlt_slow(pc, fp, ec, caches)
});

handler!(#[inline(never)] opt_ltlt_slow(pc, fp, ec, caches) {
    let x = reg!(fp, (*pc).b);
    let y = match (*pc).n & hint::RIGHT_LITERAL != 0 && !x.is_type(HeapType::String) {
        true => fresh_literal(&*ec, reg!(fp, (*pc).c), (*pc).n & hint::MUTABLE != 0),
        false => reg!(fp, (*pc).c),
    };
    match typed::opt_ltlt(&mut *ec, x, y) {
        Some(v) => done!(pc, fp, ec, caches, v),
        None => call_binary(pc, fp, ec, caches),
    }
});

handler!(opt_aref(pc, fp, ec, caches) {
    let (x, y) = (reg!(fp, (*pc).b), reg!(fp, (*pc).c));
    if let Some(v) = typed::element(&*ec, x, y) {
        done!(pc, fp, ec, caches, v);
    }
    opt_aref_slow(pc, fp, ec, caches)
});

handler!(#[inline(never)] opt_aref_slow(pc, fp, ec, caches) {
    match typed::opt_aref(&mut *ec, reg!(fp, (*pc).b), reg!(fp, (*pc).c)) {
        Some(v) => done!(pc, fp, ec, caches, v),
        None => call_binary(pc, fp, ec, caches),
    }
});

handler!(opt_aref_imm(pc, fp, ec, caches) {
    if let Some(v) = typed::element(&*ec, reg!(fp, (*pc).b), imm(pc)) {
        done!(pc, fp, ec, caches, v);
    }
    opt_aref_imm_slow(pc, fp, ec, caches)
});

handler!(#[inline(never)] opt_aref_imm_slow(pc, fp, ec, caches) {
    match typed::opt_aref(&mut *ec, reg!(fp, (*pc).b), imm(pc)) {
        Some(v) => done!(pc, fp, ec, caches, v),
        None => call_imm(pc, fp, ec, caches),
    }
});

handler!(opt_aref_with(pc, fp, ec, caches) {
    let key = *Fp(fp).code().literals.add(usize::from((*pc).c));
    match typed::hash_at_literal(&*ec, reg!(fp, (*pc).b), key) {
        Some(v) => done!(pc, fp, ec, caches, v),
        None => call_aref_with(pc, fp, ec, caches),
    }
});

handler!(#[inline(never)] call_aref_with(pc, fp, ec, caches) {
    let base = fp.add(usize::from((*pc.add(1)).b));
    *base = reg!(fp, (*pc).b);
    *base.add(1) = fresh_literal(&*ec, *Fp(fp).code().literals.add(usize::from((*pc).c)), (*pc).n == 1);
    super::call::send_ext(pc.add(1), fp, ec, caches)
});

pub(crate) fn fresh_literal(ec: &Ec, literal: Value, is_mutable: bool) -> Value {
    let copy = Str::expect(literal).duplicate(ec);
    if !is_mutable {
        copy.set_chilled();
    }
    copy.value()
}

handler!(opt_aset(pc, fp, ec, caches) {
    let (x, y) = (reg!(fp, (*pc).a), reg!(fp, (*pc).b));
    if let Some(array) = typed::plain_array(&*ec, x)
        && y.is_fixnum()
        && array.overwrite(&*ec, y.fixnum_value() as usize, reg!(fp, (*pc).c))
    {
        return dispatch(pc.add(2), fp, ec, caches);
    }
    opt_aset_slow(pc, fp, ec, caches)
});

handler!(#[inline(never)] opt_aset_slow(pc, fp, ec, caches) {
    if typed::opt_aset(&mut *ec, reg!(fp, (*pc).a), reg!(fp, (*pc).b), reg!(fp, (*pc).c), (*pc).n) {
        return dispatch(pc.add(2), fp, ec, caches);
    }
    call_aset(pc, fp, ec, caches)
});

handler!(opt_not(pc, fp, ec, caches) {
    let x = reg!(fp, (*pc).b);
    if !x.is_heap() || super::call::has_plain_not(&*ec, x) {
        done!(pc, fp, ec, caches, Value::bool(!x.truthy()));
    }
    call_unary(pc, fp, ec, caches)
});

handler!(opt_nil_p(pc, fp, ec, caches) {
    let x = reg!(fp, (*pc).b);
    if !x.is_heap() || super::call::has_plain_nil_p(&*ec, x) {
        done!(pc, fp, ec, caches, Value::bool(x.is_nil()));
    }
    call_unary(pc, fp, ec, caches)
});

handler!(opt_uminus(pc, fp, ec, caches) {
    let x = reg!(fp, (*pc).b);
    if let Some(v) = negative(x) {
        done!(pc, fp, ec, caches, v);
    }
    call_unary(pc, fp, ec, caches)
});

handler!(opt_succ(pc, fp, ec, caches) {
    let x = reg!(fp, (*pc).b);
    if x.is_fixnum() && let Some(v) = add(x, Value::fixnum_unchecked(1)) {
        done!(pc, fp, ec, caches, v);
    }
    call_unary(pc, fp, ec, caches)
});

macro_rules! sizing {
    ($name:ident, $slow:ident, $typed:ident, $of_array:expr) => {
        handler!($name(pc, fp, ec, caches) {
            if let Some(array) = typed::plain_array(&*ec, reg!(fp, (*pc).b)) {
                let of_array: fn(usize) -> Value = $of_array;
                done!(pc, fp, ec, caches, of_array(array.len(&*ec)));
            }
            $slow(pc, fp, ec, caches)
        });

        handler!(#[inline(never)] $slow(pc, fp, ec, caches) {
            match typed::$typed(&*ec, reg!(fp, (*pc).b)) {
                Some(v) => done!(pc, fp, ec, caches, v),
                None => call_unary(pc, fp, ec, caches),
            }
        });
    };
}

sizing!(opt_length, opt_length_slow, length, Value::len);
sizing!(opt_size, opt_size_slow, length, Value::len);
sizing!(opt_empty_p, opt_empty_p_slow, is_empty, |len| Value::bool(len == 0));

/// What operators do for core classes, method dispatch left out. `None`: call the method.
pub(crate) mod typed {
    use super::{Array, Ec, Hash, Str, Value, hint};
    use crate::value::hash::is_equal_by_identity;

    fn both_floats(ec: &Ec, x: Value, y: Value) -> Option<(f64, f64)> {
        let number = |v: Value| v.as_fixnum().map(|i| i as f64).or_else(|| ec.float_of(v));
        // Two integers are no business of floats. An integer beside a float is rounded to one, however big it is.
        if x.is_fixnum() && y.is_fixnum() {
            return None;
        }
        Some((number(x)?, number(y)?))
    }

    #[inline(never)]
    pub(crate) fn opt_plus(ec: &Ec, x: Value, y: Value) -> Option<Value> {
        if let Some((a, b)) = both_floats(ec, x, y) {
            return Some(ec.float(a + b));
        }
        if let (Some(a), Some(b)) = (x.as_fixnum(), y.as_fixnum()) {
            return Some(ec.int(a.checked_add(b)?));
        }
        let (left, right) = (Str::from_value(x)?, Str::from_value(y)?);
        if !ec.is_plain_core(x) {
            return None;
        }
        crate::run::interp::ops::strings::plus(ec, left, right)
    }

    #[inline(never)]
    pub(crate) fn opt_minus(ec: &Ec, x: Value, y: Value) -> Option<Value> {
        if let Some((a, b)) = both_floats(ec, x, y) {
            return Some(ec.float(a - b));
        }
        Some(ec.int(x.as_fixnum()?.checked_sub(y.as_fixnum()?)?))
    }

    #[inline(never)]
    pub(crate) fn opt_mult(ec: &Ec, x: Value, y: Value) -> Option<Value> {
        if let Some((a, b)) = both_floats(ec, x, y) {
            return Some(ec.float(a * b));
        }
        let product = i128::from(x.as_fixnum()?) * i128::from(y.as_fixnum()?);
        Some(ec.bigint(product.into()))
    }

    #[inline(never)]
    pub(crate) fn opt_div(ec: &Ec, x: Value, y: Value) -> Option<Value> {
        both_floats(ec, x, y).map(|(a, b)| ec.float(a / b))
    }

    #[inline(never)]
    pub(crate) fn opt_mod(ec: &Ec, x: Value, y: Value) -> Option<Value> {
        crate::value::numeric::float_modulo(both_floats(ec, x, y)?).map(|f| ec.float(f))
    }

    /// `array << value`, `string << string`, `set << value` and nothing else.
    #[inline(never)]
    pub(crate) fn opt_ltlt(ec: &mut Ec, x: Value, y: Value) -> Option<Value> {
        let header = x.header()?;
        if header.shape() == ec.string_shape
            && let (Some(string), Some(other)) = (Str::from_value(x), Str::from_value(y))
            && string.append_in_place(other)
        {
            return Some(x);
        }
        if header.has(carat_layout::flags::FROZEN) {
            return None;
        }
        if let Some(set) = plain_set(ec, x) {
            return set.add_at_once(ec, y).map(|_| x);
        }
        if !ec.is_plain_core(x) {
            return None;
        }
        if let Some(array) = Array::from_value(x) {
            if !array.append_in_place(ec, y) {
                if array.needs_much_room(ec) {
                    return None;
                }
                array.push(ec, y);
            }
            return Some(x);
        }
        crate::run::interp::ops::strings::append(ec, Str::from_value(x)?, Str::from_value(y)?)
    }

    /// An object of class Array itself.
    #[inline(always)]
    pub(crate) fn plain_array(ec: &Ec, x: Value) -> Option<Array> {
        // SAFETY: a shape is of one type of object as well as of one class.
        (x.header()?.shape() == ec.array_shape).then(|| unsafe { Array::from_value_unchecked(x) })
    }

    /// `array[index]` for the index of an element.
    #[inline(always)]
    pub(crate) fn element(ec: &Ec, x: Value, y: Value) -> Option<Value> {
        let array = plain_array(ec, x)?;
        array.element(ec, y.is_fixnum().then(|| y.fixnum_value() as usize)?)
    }

    #[inline(never)]
    pub(crate) fn opt_aref(ec: &mut Ec, x: Value, y: Value) -> Option<Value> {
        if let (Some(number), Some(index)) = (x.as_fixnum(), y.as_fixnum()) {
            return bit_at(number, index);
        }
        if let (Some(array), Some(index)) = (plain_array(ec, x), y.as_fixnum()) {
            let index = if index < 0 { index + array.len(ec) as i64 } else { index };
            return Some(usize::try_from(index).map_or(Value::NIL, |i| array.at(ec, i)));
        }
        hash_at(ec, x, y)
    }

    /// Bit number `index` of an integer in two's complement.
    fn bit_at(number: i64, index: i64) -> Option<Value> {
        (index >= 0).then(|| Value::fixnum_unchecked(number >> index.min(63) & 1))
    }

    /// An object of class Set itself.
    #[inline(always)]
    fn plain_set(ec: &Ec, x: Value) -> Option<Hash> {
        Hash::from_set(x).filter(|_| x.header().is_some_and(|header| header.shape() == ec.set_shape))
    }

    /// An object of class Hash itself.
    #[inline(always)]
    fn plain_hash(ec: &Ec, x: Value) -> Option<Hash> {
        // SAFETY: a shape is of one type of object as well as of one class.
        (x.header()?.shape() == ec.hash_shape).then(|| unsafe { Hash::from_value_unchecked(x) })
    }

    /// Whether a hash has nil where it has no value.
    #[inline(always)]
    fn misses_with_nil(ec: &Ec, hash: Hash) -> bool {
        hash.default(ec).is_nil()
            && !hash.has_default_proc()
            && !crate::model::redefinition::is_redefined(ec, crate::sym::DEFAULT)
    }

    /// `hash[key]` for keys that need no Ruby code and hashes whose default is nil or a value.
    #[inline(always)]
    fn hash_at(ec: &mut Ec, x: Value, y: Value) -> Option<Value> {
        let hash = plain_hash(ec, x)?;
        let found = hash.get_at_once(ec, y)?;
        found.or_else(|| misses_with_nil(ec, hash).then_some(Value::NIL))
    }

    /// As [`hash_at`]; a hash that compares by identity must not meet the literal itself, and is no matter of this.
    #[inline(never)]
    pub(crate) fn hash_at_literal(ec: &Ec, x: Value, literal: Value) -> Option<Value> {
        let hash = plain_hash(ec, x)?;
        let found = hash.get_string(ec, Str::expect(literal))?;
        found.or_else(|| misses_with_nil(ec, hash).then_some(Value::NIL))
    }

    #[inline(never)]
    pub(crate) fn opt_aset(ec: &mut Ec, x: Value, y: Value, value: Value, hints: u8) -> bool {
        array_set(ec, x, y, value) || hash_set(ec, x, y, value, hints)
    }

    fn array_set(ec: &Ec, x: Value, y: Value, value: Value) -> bool {
        let (Some(array), Some(index)) = (Array::from_value(x), y.as_fixnum()) else { return false };
        let is_frozen = x.header().is_none_or(|h| h.has(carat_layout::flags::FROZEN));
        if is_frozen || !ec.is_plain_core(x) || index < 0 || index as usize > array.len(ec) {
            return false;
        }
        if index as usize == array.len(ec) && array.needs_much_room(ec) {
            return false;
        }
        array.set(ec, index as usize, value);
        true
    }

    /// `hash[key] = value`. A literal is the key itself; so is what was made for this alone, frozen.
    fn hash_set(ec: &mut Ec, x: Value, y: Value, value: Value, hints: u8) -> bool {
        let Some(hash) = plain_hash(ec, x).filter(|_| !ec.is_frozen(x)) else { return false };
        if is_equal_by_identity(y) && hash.put_identical(ec, y, value).is_some() {
            return true;
        }
        let is_literal = hints & hint::LEFT_LITERAL != 0;
        if hash.is_iterating(ec) || is_literal && hash.compares_by_identity() {
            return false;
        }
        if hints & hint::LEFT_FRESH != 0 && !hash.compares_by_identity() {
            ec.freeze(y);
        }
        hash.store_at_once(ec, y, value).is_some_and(|done| done.is_ok())
    }

    #[inline(never)]
    pub(crate) fn length(ec: &Ec, x: Value) -> Option<Value> {
        if !ec.is_plain_core(x) {
            return plain_set(ec, x).map(|set| Value::len(set.len(ec)));
        }
        if let Some(array) = Array::from_value(x) {
            return Some(Value::len(array.len(ec)));
        }
        if let Some(hash) = Hash::from_value(x) {
            return Some(Value::len(hash.len(ec)));
        }
        Str::from_value(x).map(|s| Value::len(s.char_count(ec)))
    }

    #[inline(never)]
    pub(crate) fn is_empty(ec: &Ec, x: Value) -> Option<Value> {
        if !ec.is_plain_core(x) {
            return plain_set(ec, x).map(|set| Value::bool(set.is_empty(ec)));
        }
        if let Some(array) = Array::from_value(x) {
            return Some(Value::bool(array.is_empty(ec)));
        }
        if let Some(hash) = Hash::from_value(x) {
            return Some(Value::bool(hash.is_empty(ec)));
        }
        Str::from_value(x).map(|s| Value::bool(s.is_empty(ec)))
    }
}

impl Ec {
    /// The object's class is String itself, as for [`Ec::is_plain_core`].
    #[inline(always)]
    pub fn is_plain_string(&self, value: Value) -> bool {
        value.header().is_some_and(|header| header.shape() == self.string_shape)
    }

    /// The object's class is String, Array or Hash itself: no subclass and no singleton class can have redefined anything.
    #[inline(always)]
    pub fn is_plain_core(&self, value: Value) -> bool {
        let Some(header) = value.header() else { return false };
        let shape = header.shape();
        shape == self.array_shape || shape == self.hash_shape || shape == self.string_shape
    }
}
