//! Sums of more than two strings, `a + "x" + b`, as one string.
//!
//! The compiler marks an `opt_plus` whose result nothing but the next one takes. If both of its operands are strings, the
//! instructions behind it are read ahead as long as they add strings: their operands are registers and literals, so that
//! nothing happens between the sums but allocation. What cannot be added is left to the instruction that would add it.

use super::basic::{env_at, reg};
use crate::ec::Ec;
use crate::run::frame::Fp;
use crate::value::string::{CodeRange, EncodingIndex, Str};
use carat_iseq::{Insn, Op, hint};
use carat_layout::Value;
use carat_text::text::Text;
use std::ptr::NonNull;

/// So many strings become one at most.
const MOST: usize = 16;

/// The strings to be joined, and what is known of them together.
struct Pieces {
    strings: [Str; MOST],
    count: usize,
    len: usize,
    encoding: EncodingIndex,
    range: CodeRange,
}

impl Pieces {
    fn of(ec: &Ec, first: Str) -> Pieces {
        let (len, encoding, range) = (first.len(ec), first.encoding(), first.range(ec));
        Pieces { strings: [first; MOST], count: 1, len, encoding, range }
    }

    /// The sum so far, as far as encodings look at it.
    fn as_text<'a>(&self, ec: &'a Ec) -> Text<'a> {
        let shown = self.strings[..self.count].iter().find(|s| !s.is_empty(ec)).unwrap_or(&self.strings[0]);
        Text { bytes: shown.bytes(ec), encoding: self.encoding, coderange: self.range }
    }

    /// False if the piece does not go with the others.
    fn add(&mut self, ec: &Ec, piece: Str) -> bool {
        let len = self.len + piece.len(ec);
        let encoding = carat_text::compat::compatible(self.as_text(ec), piece.as_text(ec));
        // The range of broken pieces depends on their bytes: then one step at a time.
        let range = match (self.len, piece.len(ec)) {
            (_, 0) => self.range,
            (0, _) => piece.range(ec),
            _ => self.range.combine(piece.range(ec)),
        };
        match encoding {
            Some(encoding) if range != CodeRange::Unknown && len < carat_os::SMALL_BYTES && self.count < MOST => {
                self.strings[self.count] = piece;
                (self.count, self.len, self.encoding, self.range) = (self.count + 1, len, encoding, range);
                true
            }
            _ => false,
        }
    }
}

/// Stores the sum that begins at `pc` and goes on behind it; where the program goes on, in one register, because a handler that
/// has a local for a result does not end in a jump. `None`: it adds no strings, or two alone.
///
/// # Safety
/// The running instruction, an `opt_plus` that is linked.
#[inline(never)]
pub(crate) unsafe fn join(ec: &Ec, pc: *const Insn, fp: *mut Value) -> Option<NonNull<Insn>> {
    // SAFETY: by contract; what is linked is followed by another sum, or by its right operand and that.
    unsafe {
        let (left, right) = (Str::from_value(reg!(fp, (*pc).b))?, Str::from_value(reg!(fp, (*pc).c))?);
        let mut pieces = Pieces::of(ec, left);
        if !ec.is_plain_core(left.value()) || !pieces.add(ec, right) {
            return None;
        }
        let mut sum = pc;
        while (*sum).n & hint::LINKED != 0 {
            let (next, right) = following(fp, sum.add(2));
            match Str::from_value(right) {
                Some(piece) if pieces.add(ec, piece) => sum = next,
                _ => break,
            }
        }
        if sum == pc {
            return None;
        }
        let [first, rest @ ..] = &pieces.strings[..pieces.count] else { return None };
        reg!(fp, (*sum).a) = Str::sum(ec, *first, rest, pieces.encoding, pieces.range).value();
        NonNull::new(sum.add(2).cast_mut())
    }
}

/// The sum at or one behind `at`, and its right operand.
unsafe fn following(fp: *mut Value, at: *const Insn) -> (*const Insn, Value) {
    // SAFETY: as in `join`.
    unsafe {
        match (*at).op {
            Op::putobject => (at.add(1), *Fp(fp).code().literals.add((*at).d() as usize)),
            Op::getlocal => (at.add(1), env_at(fp, (*at).c).reg(usize::from((*at).b))),
            _ => (at, reg!(fp, (*at).c)),
        }
    }
}
