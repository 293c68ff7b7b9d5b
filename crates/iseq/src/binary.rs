//! Iseqs as bytes: what code costs until it runs.
//!
//! The compiler packs each iseq as soon as it is complete. A file that was loaded, and the core library in the executable,
//! are a [`Unit`] of such bytes; an [`Iseq`](crate::Iseq) is read from them when somebody first looks at it.
//!
//! # Layout
//! A unit has one part, or two: in the core library's, methods and blocks lie apart from the class bodies that run when it is
//! loaded, so that a start reads few pages. A part is code and names. An iseq's position counts bytes of its part's code;
//! the highest bit names the second part.
//!
//! Numbers are LEB128 (signed ones zigzag), lists stand behind their length. A name is a position among the part's names,
//! where each stands once, behind its length. Of an iseq stand in this order: name, facts, parameters, instructions,
//! catch entries, children; then the *tables*, of which each of the first two is preceded by its number of bytes, so that
//! they can be skipped: lines (as differences), locals with the parameters' names, then symbols, literals, sites.
//! An instruction is its operation, a byte that tells how many bytes each operand takes, and the operands.
//!
//! # Invariants
//! * Bytes are read by the build that wrote them: there is no version, and damaged ones are a bug that panics.
//! * Children are packed before what they are in.

mod names;
pub(crate) mod reader;
mod writer;

pub use reader::is_equal;
pub use writer::Pack;

use crate::coverage::Counts;
use carat_sync::OnceLock;
use std::sync::Arc;

/// The bit of a position that stands for the second part.
const APART: u32 = 1 << 31;

#[derive(Clone, Copy)]
struct Part<'a> {
    code: &'a [u8],
    names: &'a [u8],
}

/// The bytes of a unit.
#[derive(Clone, Copy)]
pub struct Packed<'a>([Part<'a>; 2]);

impl Packed<'static> {
    /// What [`Pack::into_bytes`] gave, from the executable.
    pub const fn embedded(bytes: [&'static [u8]; 4]) -> Packed<'static> {
        let [code, names, code_apart, names_apart] = bytes;
        Packed([Part { code, names }, Part { code: code_apart, names: names_apart }])
    }
}

/// The code of one file.
pub struct Unit {
    pub(crate) path: Arc<str>,
    bytes: Bytes,
    /// Where the code is that has everything else in it; not known of the executable's own units.
    pub(crate) outermost: Option<u32>,
    /// Set by the loader before the code runs, if `Coverage` asks for it.
    counts: OnceLock<Box<Counts>>,
}

enum Bytes {
    Embedded(Packed<'static>),
    Own { code: Box<[u8]>, names: Box<[u8]> },
}

impl Unit {
    pub fn embedded(path: &str, packed: Packed<'static>) -> Arc<Unit> {
        Arc::new(Unit { path: path.into(), bytes: Bytes::Embedded(packed), outermost: None, counts: OnceLock::new() })
    }

    pub(crate) fn packed(&self) -> Packed<'_> {
        match &self.bytes {
            Bytes::Embedded(packed) => *packed,
            Bytes::Own { code, names } => Packed([Part { code, names }, Part { code: &[], names: &[] }]),
        }
    }

    pub fn path(&self) -> &Arc<str> {
        &self.path
    }

    /// What counts how often the code runs.
    pub fn counts(&self) -> Option<&Counts> {
        self.counts.get().map(|counts| &**counts)
    }

    pub fn set_counts(&self, counts: Counts) {
        let _ = self.counts.set(Box::new(counts));
    }

    /// Bytes outside the executable: of the code and of its names, with what surrounds them.
    pub fn memsize(&self) -> usize {
        let own = match &self.bytes {
            Bytes::Embedded(_) => 0,
            Bytes::Own { code, names } => code.len() + names.len(),
        };
        size_of::<Unit>() + self.path.len() + own
    }
}

#[cfg(test)]
mod tests;
