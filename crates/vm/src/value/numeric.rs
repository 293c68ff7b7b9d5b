//! Integers and floats as values: fixnum or bignum, flonum or heap float.

use crate::Unwind;
use crate::ec::{Ec, Result};
use crate::model::shape::{ROOT_FLOAT, ROOT_INTEGER};
use carat_layout::{HeapType, PoolIndex, RBignum, RFloat, Value, flags, pool_for};
use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;

const POOL: PoolIndex = pool_for(size_of::<RBignum>()).expect("fits a small pool");
const _: () = assert!(size_of::<BigInt>() <= size_of::<[usize; 4]>() && align_of::<BigInt>() <= align_of::<usize>());

/// What a large integer counts for beside its slot: its digits.
pub(crate) fn accounted_bytes(i: &BigInt) -> isize {
    (i.bits() / 8) as isize
}

impl Ec {
    /// An Integer of any machine number.
    #[inline]
    pub fn int(&self, i: i64) -> Value {
        match Value::fixnum(i) {
            Some(v) => v,
            None => self.new_bignum(BigInt::from(i)),
        }
    }

    pub fn uint(&self, i: u64) -> Value {
        match i64::try_from(i) {
            Ok(i) => self.int(i),
            Err(_) => self.new_bignum(BigInt::from(i)),
        }
    }

    /// An Integer, as a fixnum if it fits.
    pub fn bigint(&self, i: BigInt) -> Value {
        match i.to_i64() {
            Some(small) => self.int(small),
            None => self.new_bignum(i),
        }
    }

    /// The Integer of words of 32 bits, the lowest one first.
    pub fn integer_of_words(&self, is_negative: bool, words: &[u32]) -> Value {
        let sign = if is_negative { Sign::Minus } else { Sign::Plus };
        self.bigint(BigInt::from_slice(sign, words))
    }

    #[cold]
    fn new_bignum(&self, i: BigInt) -> Value {
        self.heap().account(accounted_bytes(&i));
        let slot = self.new_slot(HeapType::Bignum, POOL, ROOT_INTEGER, flags::FROZEN | flags::SHAREABLE);
        // SAFETY: the slot is fresh and has room for the number.
        unsafe { slot.cast::<RBignum>().as_mut().integer.as_mut_ptr().cast::<BigInt>().write(i) };
        self.heap().mark_owning(slot);
        // SAFETY: the slot is now initialised.
        unsafe { Value::from_heap(slot) }
    }

    /// The number behind a bignum (not a fixnum).
    #[inline]
    pub fn bignum_of(&self, value: Value) -> Option<&BigInt> {
        if !value.is_type(HeapType::Bignum) {
            return None;
        }
        // SAFETY: a Bignum's slot owns its BigInt, which never changes.
        unsafe { Some(&*(&raw const (*value.as_ptr::<RBignum>()).integer).cast::<BigInt>()) }
    }

    /// Any Integer as a big number.
    pub fn to_bigint(&self, value: Value) -> Option<BigInt> {
        match value.as_fixnum() {
            Some(i) => Some(BigInt::from(i)),
            None => self.bignum_of(value).cloned(),
        }
    }

    pub fn is_integer(&self, value: Value) -> bool {
        value.is_fixnum() || value.is_type(HeapType::Bignum)
    }

    pub fn is_float(&self, value: Value) -> bool {
        value.is_flonum() || value.is_type(HeapType::Float)
    }

    #[inline]
    pub fn float(&self, f: f64) -> Value {
        match Value::flonum(f) {
            Some(v) => v,
            None => self.new_float(f),
        }
    }

    #[cold]
    #[inline(never)]
    fn new_float(&self, f: f64) -> Value {
        let pool = pool_for(size_of::<RFloat>()).expect("fits the smallest pool");
        let slot = self.new_slot(HeapType::Float, pool, ROOT_FLOAT, flags::FROZEN | flags::SHAREABLE);
        // SAFETY: the slot is fresh and holds an RFloat.
        unsafe { (*slot.cast::<RFloat>().as_ptr()).value = f };
        // SAFETY: the slot is initialised.
        unsafe { Value::from_heap(slot) }
    }

    /// The double of a Float.
    #[inline]
    pub fn float_of(&self, value: Value) -> Option<f64> {
        if value.is_flonum() {
            return Some(value.flonum_value());
        }
        // SAFETY: checked to be a Float.
        value.is_type(HeapType::Float).then(|| unsafe { (*value.as_ptr::<RFloat>()).value })
    }

    /// An Integer's number if it fits 64 bits.
    pub fn integer_as_i64(&self, value: Value) -> Option<i64> {
        match value.as_fixnum() {
            Some(i) => Some(i),
            None => self.bignum_of(value)?.to_i64(),
        }
    }

    /// `to_int` and then 64 bits, as C's `NUM2LONG`.
    pub fn to_long(&mut self, value: Value) -> Result<i64> {
        if let Some(i) = value.as_fixnum() {
            return Ok(i);
        }
        if value.is_nil() {
            return Err(self.type_error("no implicit conversion from nil to integer"));
        }
        if let Some(f) = self.float_of(value) {
            return self.float_to_long(f);
        }
        let integer = self.to_int(value)?;
        match self.integer_as_i64(integer) {
            Some(i) => Ok(i),
            None => Err(self.range_error("bignum too big to convert into 'long'")),
        }
    }

    fn float_to_long(&mut self, f: f64) -> Result<i64> {
        if f < 9_223_372_036_854_775_808.0 && f > -9_223_372_036_854_775_809.0 {
            return Ok(f as i64);
        }
        Err(self.float_out_of_range(f))
    }

    /// "float 1e+20 out of range of integer": in ten digits at most, which is fewer than `to_s` has.
    pub fn float_out_of_range(&mut self, f: f64) -> Unwind {
        let text = crate::value::convert::short_float_text(f);
        self.range_error(&format!("float {text} out of range of integer"))
    }
}

/// `x % y` of doubles, which has the sign of `y`. `None` when `y` is zero.
pub fn float_modulo((x, y): (f64, f64)) -> Option<f64> {
    if y.is_nan() {
        return Some(y);
    }
    let rest = if y.is_infinite() && x.is_finite() { x } else { x % y };
    (y != 0.0).then_some(if y * rest < 0.0 { rest + y } else { rest })
}
