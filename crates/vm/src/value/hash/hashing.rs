//! The hash of a value, and whether two values are the same key.

use super::table::fold;
use crate::ec::{Ec, Result};
use crate::model::symbol::sym;
use crate::value::string::Str;
use carat_layout::{HeapType, Value};

const SPREAD: u64 = 0xFF51_AFD7_ED55_8CCD;

/// Hash of a value by its bits, for keys that compare by identity. The factor is the process's own (`Vm::hash_factor`), so that
/// nobody can choose numbers that collide.
#[inline]
pub(crate) fn identity_hash(ec: &Ec, value: Value) -> u64 {
    value.bits().wrapping_mul(ec.vm().hash_factor).rotate_left(32)
}

/// A key that is equal to no other object, however hashes compare: fixnums, symbols, nil and booleans.
#[inline]
pub(crate) fn is_equal_by_identity(key: Value) -> bool {
    !key.is_heap() && !key.is_flonum()
}

/// What a hash that compares by identity uses: floats are the same if their bits are.
pub(super) fn identity_hash_strict(ec: &Ec, value: Value) -> u64 {
    if value.is_type(HeapType::Float) {
        // SAFETY: checked just now.
        let f = unsafe { (*value.as_ptr::<carat_layout::RFloat>()).value };
        return f.to_bits().wrapping_mul(SPREAD);
    }
    identity_hash(ec, value)
}

/// A key whose hash and equality no Ruby code decides.
#[inline]
pub(super) fn is_plain(key: Value) -> bool {
    !key.is_heap() || Str::from_value(key).is_some() || key.is_type(HeapType::Float)
}

/// A plain key that never changes, so that its hash need not be kept.
#[inline]
pub(super) fn is_plain_and_frozen(key: Value) -> bool {
    is_plain(key) && Str::from_value(key).is_none_or(Str::is_frozen)
}

/// A string that keys are compared with, looked at once for all of them.
pub(super) struct StringKey<'a> {
    string: Str,
    bytes: &'a [u8],
}

impl<'a> StringKey<'a> {
    #[inline]
    pub(super) fn of(ec: &'a Ec, string: Str) -> StringKey<'a> {
        StringKey { string, bytes: string.bytes(ec) }
    }

    #[inline]
    pub(super) fn is(&self, ec: &Ec, stored: Value) -> bool {
        stored == self.string.value()
            || Str::from_value(stored).is_some_and(|s| {
                is_same_bytes(s.bytes(ec), self.bytes)
                    && (s.encoding() == self.string.encoding() || s.is_same_text_in_two_encodings(ec, self.string))
            })
    }
}

/// Equality of bytes without a call where they are few, as in most keys: two overlapping words are all of them.
#[inline]
fn is_same_bytes(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    match a.len() {
        0 => true,
        1..4 => a[0] == b[0] && a[a.len() / 2] == b[b.len() / 2] && a[a.len() - 1] == b[b.len() - 1],
        4..8 => ends::<4>(a) == ends::<4>(b),
        8..=16 => ends::<8>(a) == ends::<8>(b),
        _ => a == b,
    }
}

/// The first and the last `N` of as many bytes at least.
#[inline(always)]
fn ends<const N: usize>(bytes: &[u8]) -> (Option<&[u8; N]>, Option<&[u8; N]>) {
    (bytes.first_chunk(), bytes.last_chunk())
}

/// What the upper half of an answer of `hash` does to the lower.
fn spread_high(high: i64) -> u32 {
    (high as u32).wrapping_mul(0x85EB_CA6B)
}

/// 64 bits as a number that is always a fixnum. The bits that go are mixed into the others first: a program's own hashes may
/// differ in them alone.
#[inline]
fn folded(hash: u64) -> i64 {
    let mixed = hash.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ mixed >> 32).cast_signed() >> 2
}

/// Joins a hash and that of a further part; the order counts.
#[inline]
pub fn hash_mix(hash: i64, next: i64) -> i64 {
    folded((hash.cast_unsigned().rotate_left(5) ^ next.cast_unsigned()).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

impl Ec {
    /// The hash of a part of a structure, a fixnum. A structure that contains itself counts as 0, from wherever in it the
    /// question came: so equal structures of different nesting hash alike.
    pub fn part_hash(&mut self, value: Value) -> Result<i64> {
        let is_container = value.is_heap() && Str::from_value(value).is_none() && !self.is_float(value);
        if !is_container {
            return self.hash_value(value).map(folded);
        }
        let is_outermost = !self.is_visiting(sym::HASH_OF);
        let marker = Value::NIL;
        let outcome = self.guarded(sym::HASH_OF, value, marker, |ec| ec.hash_value(value));
        let has_met_itself = is_outermost && self.is_visiting(sym::HASH_OF);
        if has_met_itself {
            self.recursion_leave(sym::HASH_OF, marker, marker);
        }
        let Some(hash) = outcome? else {
            self.recursion_enter(sym::HASH_OF, marker, marker);
            return Ok(0);
        };
        Ok(if has_met_itself { 0 } else { folded(hash) })
    }

    /// As [`Ec::part_hash`], of what no Ruby code decides.
    #[inline]
    pub fn plain_part_hash(&self, value: Value) -> Option<i64> {
        self.plain_hash(value).map(folded)
    }

    /// `key.hash` as a hash table uses it; Ruby code runs only for types without a fast form.
    pub fn hash_value(&mut self, key: Value) -> Result<u64> {
        if let Some(hash) = self.plain_hash(key) {
            return Ok(hash);
        }
        let hash = self.call(key, sym::HASH, &[])?;
        let hash = if hash.as_fixnum().is_some() { hash } else { self.to_int(hash)? };
        Ok(self.hash_bits(hash))
    }

    /// The hash of a plain key.
    pub(super) fn plain_hash(&self, key: Value) -> Option<u64> {
        if is_equal_by_identity(key) {
            return Some(identity_hash(self, key));
        }
        if let Some(s) = Str::from_value(key) {
            return Some(s.hash_value(self));
        }
        let f = self.float_of(key)?;
        let bits = (if f == 0.0 { 0.0 } else { f }).to_bits() ^ self.vm().hash_seed;
        Some(bits.wrapping_mul(self.vm().hash_factor).rotate_left(17))
    }

    /// What `hash` of a plain key answers: an object that answers the same is found under the same bits.
    pub fn public_hash(&self, key: Value) -> Option<i64> {
        let hash = self.plain_hash(key)?;
        let high = hash.cast_signed() >> 34;
        let low = fold(hash) ^ spread_high(high);
        Some(high << 32 | i64::from(low))
    }

    fn hash_bits(&self, hash: Value) -> u64 {
        match hash.as_fixnum() {
            Some(i) => u64::from((i as u32) ^ spread_high(i >> 32)),
            None => self.bignum_of(hash).map_or(0, |b| b.iter_u64_digits().fold(0, |h, d| h ^ d)),
        }
    }

    /// `a.eql?(b)` with fast forms.
    pub fn eql(&mut self, a: Value, b: Value) -> Result<bool> {
        match self.eql_at_once(a, b) {
            Some(answer) => Ok(answer),
            None => Ok(self.call(a, sym::EQL, &[b])?.truthy()),
        }
    }

    /// `a.eql?(b)` if that needs no Ruby code.
    #[inline]
    pub fn eql_at_once(&self, a: Value, b: Value) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        if !a.is_heap() && !b.is_heap() {
            return Some(false);
        }
        if let (Some(a), Some(b)) = (Str::from_value(a), Str::from_value(b)) {
            return Some(a.eql(self, b));
        }
        None
    }

    /// Whether a stored plain key is another plain key: what [`Ec::eql_at_once`] says, and for the rest that types decide.
    #[inline]
    pub(super) fn is_same_plain_key(&self, stored: Value, key: Value) -> bool {
        self.eql_at_once(stored, key).unwrap_or_else(|| match (self.float_of(stored), self.float_of(key)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        })
    }

    /// Whether two keys are one for a hash that compares by identity.
    pub(super) fn is_identical_key(&self, stored: Value, key: Value) -> bool {
        stored == key
            || stored.is_type(HeapType::Float)
                && key.is_type(HeapType::Float)
                && self.float_of(stored).map(f64::to_bits) == self.float_of(key).map(f64::to_bits)
    }
}

impl Str {
    /// Same bytes in comparable encodings.
    #[inline]
    pub fn eql(self, ec: &Ec, b: Str) -> bool {
        if self == b {
            return true;
        }
        if self.is_fstring() && b.is_fstring() && self.encoding() == b.encoding() {
            return false;
        }
        self.bytes(ec) == b.bytes(ec) && (self.encoding() == b.encoding() || self.is_same_text_in_two_encodings(ec, b))
    }

    /// Whether strings of the same bytes and different encodings are equal.
    #[inline(never)]
    fn is_same_text_in_two_encodings(self, ec: &Ec, b: Str) -> bool {
        self.is_empty(ec) || (self.is_ascii(ec) && b.is_ascii(ec))
    }

    /// Hash of a string's bytes, seeded per process; strings that are `eql?` hash alike.
    #[inline]
    pub fn hash_value(self, ec: &Ec) -> u64 {
        ec.vm().bytes_hash.of(self.bytes(ec))
    }
}
