//! Character sets as `tr`, `delete`, `squeeze` and `count` write them, and what these methods do with them.
//!
//! A set is read once into ranges, with a table for code points below 256. Code points are those of the encoding both the
//! string and the set are compatible with, which the caller passes.
//!
//! # References
//! CRuby `trnext`, `tr_setup_table`, `tr_trans`.

mod ascii;
mod parse;
mod set;
#[cfg(test)]
mod tests;
mod translate;

pub use ascii::{AsciiSet, AsciiTranslation};
pub use set::{CharSet, CharSets, Run, count, delete, keep_bytes, squeeze, squeeze_part};
pub use translate::Translation;

/// Why a set cannot be read or a string not be gone through; both are `ArgumentError`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TrError {
    /// A range whose end comes before its start.
    InvalidRange(u32, u32),
    /// A character was needed where invalid bytes stand.
    InvalidByteSequence,
}

impl TrError {
    /// The message of the `ArgumentError`.
    pub fn message(&self, encoding: crate::encoding::EncodingIndex) -> String {
        match self {
            TrError::InvalidRange(from @ 0..0x80, to @ 0..0x80) => {
                let (from, to) = (*from as u8 as char, *to as u8 as char);
                format!("invalid range \"{from}-{to}\" in string transliteration")
            }
            TrError::InvalidRange(..) => "invalid range in string transliteration".to_owned(),
            TrError::InvalidByteSequence => format!("invalid byte sequence in {}", encoding.name()),
        }
    }
}
