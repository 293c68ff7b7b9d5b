//! Bytes with an encoding: everything about text that needs no VM.
#![forbid(unsafe_code)]

/// Character positions, counting, walking.
pub mod chars;
/// What is known about the bytes of a string.
pub mod coderange;
/// Which encoding two strings can be combined in.
pub mod compat;
/// Character classes.
pub mod ctype;
/// The encodings and the characters they make.
pub mod encoding;
/// `center`, `ljust`, `rjust`.
pub mod justify;
/// Lines, `chomp` and `chop`.
pub mod lines;
/// Numbers to text and back.
pub mod number;
/// The single-byte code pages.
pub mod pages;
#[cfg(test)]
mod recorded;
/// Replacing what is not valid.
pub mod scrub;
/// Finding one string in another.
pub mod search;
/// Fields of a string.
pub mod split;
/// White space at the ends.
pub mod strip;
/// Sums of bytes.
pub mod sum;
/// A borrowed string with its encoding and code range.
pub mod text;
/// Character sets and transliteration.
pub mod tr;
