//! Equality and hashes.

use crate::collection::generic::{hash_mix, hash_of, same_or_equal};
use carat_vm::{Array, Ec, Result, SymbolId, Value, sym};

pub(super) fn equal(ec: &mut Ec, this: Array, other: Value) -> Result<bool> {
    if this.value() == other {
        return Ok(true);
    }
    let Some(array) = Array::from_value(other) else {
        // Something that says it is like an array decides itself.
        return Ok(ec.respond_to(other, sym::TO_ARY, false)? && ec.call(other, sym::EQ, &[this.value()])?.truthy());
    };
    all_same(ec, this, array, &EQUALITY)
}

pub(super) fn eql(ec: &mut Ec, this: Array, other: Value) -> Result<bool> {
    match Array::from_value(other) {
        Some(array) => all_same(ec, this, array, &STRICT_EQUALITY),
        None => Ok(false),
    }
}

/// How elements are compared: as far as that needs no call, and with one.
struct Sameness {
    key: SymbolId,
    at_once: fn(&Ec, Value, Value) -> Option<bool>,
    asked: fn(&mut Ec, Value, Value) -> Result<bool>,
}

const EQUALITY: Sameness = Sameness { key: sym::EQ, at_once: Ec::equal_at_once, asked: same_or_equal };
const STRICT_EQUALITY: Sameness = Sameness { key: sym::EQL, at_once: Ec::eql_at_once, asked: Ec::eql };

/// What comparing pairs without a call came to.
enum Compared {
    Differ,
    Same,
    /// The pair at this index needs a call, or it is time to look for interrupts.
    Until(usize),
}

impl Sameness {
    fn compare(&self, ec: &Ec, a: Array, b: Array, from: usize) -> Compared {
        /// More pairs are compared between two looks for interrupts.
        const STRETCH: usize = 1 << 10;
        let (a, b) = (a.slice_of(ec), b.slice_of(ec));
        for (index, (x, y)) in a.iter().zip(b).enumerate().skip(from).take(STRETCH) {
            if x == y {
                continue;
            }
            match (self.at_once)(ec, *x, *y) {
                Some(true) => {}
                Some(false) => return Compared::Differ,
                None => return Compared::Until(index),
            }
        }
        if from + STRETCH < a.len().min(b.len()) { Compared::Until(from + STRETCH) } else { Compared::Same }
    }
}

/// Whether the arrays are of one length and the same pair for pair; two arrays that are being compared already are.
fn all_same(ec: &mut Ec, a: Array, b: Array, how: &Sameness) -> Result<bool> {
    if a.len(ec) != b.len(ec) {
        return Ok(false);
    }
    // What is the same object is the same for all, and takes no Ruby code; so is what lies in the same buffer.
    if std::ptr::eq(a.slice_of(ec), b.slice_of(ec)) {
        return Ok(true);
    }
    let mut index = match how.compare(ec, a, b, 0) {
        Compared::Differ => return Ok(false),
        Compared::Same => return Ok(true),
        Compared::Until(index) => index,
    };
    ec.check_native_stack()?;
    let answer = ec.guarded(how.key, a.value(), b.value(), |ec| {
        while let (Some(x), Some(y)) = (a.get(ec, index), b.get(ec, index)) {
            ec.check_ints()?;
            if !(how.asked)(ec, x, y)? {
                return Ok(false);
            }
            match how.compare(ec, a, b, index + 1) {
                Compared::Differ => return Ok(false),
                Compared::Same => break,
                Compared::Until(next) => index = next,
            }
        }
        Ok(a.len(ec) == b.len(ec))
    })?;
    Ok(answer.unwrap_or(true))
}

/// So many elements that run no Ruby code are gone through without a look for interrupts.
const PLAIN_PART: usize = 1 << 10;

pub(super) fn hash(ec: &mut Ec, this: Array) -> Result<i64> {
    ec.check_native_stack()?;
    let mut hash = i64::try_from(this.len(ec)).unwrap_or(0);
    let mut index = 0;
    loop {
        for value in this.slice_of(ec).iter().skip(index).take(PLAIN_PART) {
            let Some(next) = ec.plain_part_hash(*value) else { break };
            hash = carat_vm::hash_mix(hash, next);
            index += 1;
        }
        ec.check_ints()?;
        let Some(value) = this.get(ec, index) else { return Ok(hash) };
        let next = hash_of(ec, value)?;
        hash = hash_mix(ec, hash, next);
        index += 1;
    }
}
