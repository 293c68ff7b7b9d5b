//! The 64-bit tagged word that every Ruby value is.
//!
//! # Layout
//! ```text
//! …xxxxx1  fixnum, 63 bits
//! …xxxx10  flonum: a double whose exponent is in the common range, biased and rotated
//! …xxx000  pointer to a heap slot
//! …  0x04  nil       …0x0C  false      (one mask and compare finds both)
//! …  0x14  true      …0x1C  undef      (never visible to Ruby)
//! id<<8 | 0x24       symbol
//! ```
//! The word is never zero, so `Option<Value>` and `Result<Value, Unwind>` are one word too.

use crate::header::{Header, HeapType};
use std::num::NonZeroU64;
use std::ptr::NonNull;

/// Index of a symbol in its VM's table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(transparent)]
pub struct SymbolId(pub u32);

/// A Ruby value. Copying it neither roots nor retains anything: see `vm` for what keeps objects alive.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Value(NonZeroU64);

const _: () = assert!(size_of::<Option<Value>>() == 8);

const NIL: u64 = 0x04;
const FALSE: u64 = 0x0C;
const TRUE: u64 = 0x14;
const UNDEF: u64 = 0x1C;
const SYMBOL_TAG: u64 = 0x24;
/// Added to a double's bits, it makes the upper two bits of the exponents 0b011… and 0b100… both 0b10: rotated to the end of
/// the word they are the tag. Undoing that takes two instructions.
const FLONUM_BIAS: u64 = 1 << 60;
/// +0.0, in the place of 2^-255, which goes to the heap.
const FLONUM_ZERO: u64 = 0x02;

impl Value {
    pub const NIL: Value = Value::of(NIL);
    pub const FALSE: Value = Value::of(FALSE);
    pub const TRUE: Value = Value::of(TRUE);
    /// Marks what was not given or not found; no Ruby program sees it.
    pub const UNDEF: Value = Value::of(UNDEF);

    pub const FIXNUM_MAX: i64 = i64::MAX >> 1;
    pub const FIXNUM_MIN: i64 = i64::MIN >> 1;

    const fn of(bits: u64) -> Value {
        match NonZeroU64::new(bits) {
            Some(bits) => Value(bits),
            None => panic!("the zero word is no value"),
        }
    }

    #[inline]
    pub const fn bits(self) -> u64 {
        self.0.get()
    }

    /// # Safety
    /// `bits` came from [`Value::bits`], or is the address of an initialised slot.
    #[inline]
    pub const unsafe fn from_bits(bits: u64) -> Value {
        // SAFETY: the caller's word is a valid value, and no valid value is zero.
        Value(unsafe { NonZeroU64::new_unchecked(bits) })
    }

    /// # Safety
    /// `header` is the start of a slot that is, or is about to be, initialised.
    #[inline]
    pub unsafe fn from_heap<T>(object: NonNull<T>) -> Value {
        // SAFETY: a slot's address is aligned to 8 and not null, hence a valid pointer word.
        unsafe { Value::from_bits(object.as_ptr().expose_provenance() as u64) }
    }

    #[inline]
    pub const fn bool(b: bool) -> Value {
        if b { Value::TRUE } else { Value::FALSE }
    }

    #[inline]
    pub const fn is_nil(self) -> bool {
        self.bits() == NIL
    }

    #[inline]
    pub const fn is_undef(self) -> bool {
        self.bits() == UNDEF
    }

    #[inline]
    pub const fn is_true(self) -> bool {
        self.bits() == TRUE
    }

    #[inline]
    pub const fn is_false(self) -> bool {
        self.bits() == FALSE
    }

    /// Neither nil nor false.
    #[inline]
    pub const fn truthy(self) -> bool {
        self.bits() & !(NIL ^ FALSE) != NIL
    }

    #[inline]
    pub const fn is_fixnum(self) -> bool {
        self.bits() & 1 != 0
    }

    /// Both are fixnums.
    #[inline]
    pub const fn both_fixnum(self, other: Value) -> bool {
        self.bits() & other.bits() & 1 != 0
    }

    #[inline]
    pub const fn fits_fixnum(i: i64) -> bool {
        i >= Value::FIXNUM_MIN && i <= Value::FIXNUM_MAX
    }

    /// `i` as a fixnum; its top bit is lost if it does not fit.
    #[inline]
    pub const fn fixnum_unchecked(i: i64) -> Value {
        Value::of((i as u64) << 1 | 1)
    }

    #[inline]
    pub const fn fixnum(i: i64) -> Option<Value> {
        if Value::fits_fixnum(i) { Some(Value::fixnum_unchecked(i)) } else { None }
    }

    /// A length or other number that cannot leave the fixnum range.
    #[inline]
    pub const fn len(n: usize) -> Value {
        Value::fixnum_unchecked(n as i64)
    }

    #[inline]
    pub const fn as_fixnum(self) -> Option<i64> {
        if self.is_fixnum() { Some(self.fixnum_value()) } else { None }
    }

    /// The number of a word known to be a fixnum; any other word gives a meaningless number.
    #[inline]
    pub const fn fixnum_value(self) -> i64 {
        self.bits() as i64 >> 1
    }

    #[inline]
    pub const fn symbol(id: SymbolId) -> Value {
        Value::of((id.0 as u64) << 8 | SYMBOL_TAG)
    }

    #[inline]
    pub const fn is_symbol(self) -> bool {
        self.bits() & 0xFF == SYMBOL_TAG
    }

    #[inline]
    pub const fn as_symbol(self) -> Option<SymbolId> {
        if self.is_symbol() { Some(SymbolId((self.bits() >> 8) as u32)) } else { None }
    }

    #[inline]
    pub const fn is_flonum(self) -> bool {
        self.bits() & 3 == 2
    }

    /// Both are flonums.
    #[inline]
    pub const fn both_flonum(self, other: Value) -> bool {
        ((self.bits() ^ 2) | (other.bits() ^ 2)) & 3 == 0
    }

    /// `f` as a flonum, unless its exponent is outside the range that fits (about 1e-77 to 1e77, and +0.0).
    #[inline]
    pub fn flonum(f: f64) -> Option<Value> {
        let word = f.to_bits().wrapping_add(FLONUM_BIAS).rotate_left(3);
        // The tag taken off and rotated to the top, what has one is below 2^62, and what is no other flonum's is not 0.
        if (word ^ FLONUM_ZERO).rotate_right(2).wrapping_sub(1) < (1 << 62) - 1 {
            return Some(Value::of(word));
        }
        if f.to_bits() == 0 { Some(Value::of(FLONUM_ZERO)) } else { None }
    }

    #[inline]
    pub fn as_flonum(self) -> Option<f64> {
        if self.is_flonum() { Some(self.flonum_value()) } else { None }
    }

    /// The number of a word known to be a flonum.
    #[inline]
    pub fn flonum_value(self) -> f64 {
        if self.bits() == FLONUM_ZERO {
            return 0.0;
        }
        f64::from_bits(self.bits().rotate_right(3).wrapping_sub(FLONUM_BIAS))
    }

    /// A pointer to a heap slot.
    #[inline]
    pub const fn is_heap(self) -> bool {
        self.bits() & 7 == 0
    }

    #[inline]
    pub fn as_heap(self) -> Option<NonNull<Header>> {
        if !self.is_heap() {
            return None;
        }
        NonNull::new(std::ptr::with_exposed_provenance_mut(self.bits() as usize))
    }

    /// The header of a heap object.
    ///
    /// Sound for every value that the VM handed out: what it refers to is alive as long as a root reaches it, which is the
    /// collector's contract and not this function's.
    #[inline]
    pub fn header(&self) -> Option<&Header> {
        // SAFETY: a pointer word always addresses an initialised slot of a live heap.
        self.as_heap().map(|p| unsafe { p.as_ref() })
    }

    #[inline]
    pub fn is_type(self, kind: HeapType) -> bool {
        self.header().is_some_and(|h| h.is_type(kind))
    }

    /// Pointer to the struct behind a heap value.
    ///
    /// # Safety
    /// The value is a heap object of the type that `T` describes.
    #[inline]
    pub unsafe fn as_ptr<T>(self) -> *mut T {
        std::ptr::with_exposed_provenance_mut(self.bits() as usize)
    }
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(i) = self.as_fixnum() {
            return write!(f, "{i}");
        }
        if let Some(x) = self.as_flonum() {
            return write!(f, "{x}");
        }
        match self.bits() {
            NIL => f.write_str("nil"),
            FALSE => f.write_str("false"),
            TRUE => f.write_str("true"),
            UNDEF => f.write_str("undef"),
            bits if self.is_symbol() => write!(f, "symbol {}", bits >> 8),
            bits => write!(f, "0x{bits:x}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixnums_round_trip() {
        for i in [0, 1, -1, 42, Value::FIXNUM_MAX, Value::FIXNUM_MIN] {
            assert_eq!(Value::fixnum(i).unwrap().as_fixnum(), Some(i));
        }
        assert_eq!(Value::fixnum(Value::FIXNUM_MAX + 1), None);
        assert_eq!(Value::fixnum(Value::FIXNUM_MIN - 1), None);
    }

    #[test]
    fn flonums_round_trip_exactly() {
        for f in [0.0, 1.0, -1.0, 0.1, -2.5, 1e76, 1e-76, std::f64::consts::PI, f64::EPSILON] {
            let v = Value::flonum(f).unwrap();
            assert!(v.is_flonum() && !v.is_fixnum());
            assert_eq!(v.flonum_value().to_bits(), f.to_bits());
        }
    }

    #[test]
    fn numbers_beyond_the_flonum_range_stay_out() {
        for f in [-0.0, 2f64.powi(-255), 1e300, 1e-300, f64::INFINITY, f64::NAN, f64::MIN_POSITIVE] {
            assert_eq!(Value::flonum(f), None, "{f}");
        }
    }

    #[test]
    fn only_nil_and_false_are_falsy() {
        assert!(!Value::NIL.truthy() && !Value::FALSE.truthy());
        let truthy = [Value::TRUE, Value::fixnum_unchecked(0), Value::flonum(0.0).unwrap(), Value::symbol(SymbolId(0))];
        assert!(truthy.iter().all(|v| v.truthy() && !v.is_heap()));
    }
}
