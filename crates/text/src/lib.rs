//! Bytes with an encoding: everything about text that needs no VM.
#![forbid(unsafe_code)]

/// Case mapping.
pub mod case;
/// Character positions, counting, walking.
pub mod chars;
/// What is known about the bytes of a string.
pub mod coderange;
/// Which encoding two strings can be combined in.
pub mod compat;
/// Character classes.
pub mod ctype;
/// `String#dump` and back.
pub mod dump;
/// The encodings and the characters they make.
pub mod encoding;
/// `String#inspect`.
pub mod inspect;
/// JSON: its tokens, read and written.
pub mod json;
/// `center`, `ljust`, `rjust`.
pub mod justify;
/// What regular expressions know of the bytes of single-byte encodings.
pub mod letters;
/// Lines, `chomp` and `chop`.
pub mod lines;
/// Ruby's random numbers.
pub mod mt19937;
/// Numbers to text and back.
pub mod number;
/// `Array#pack` and `String#unpack`.
pub mod pack;
/// The single-byte code pages.
pub mod pages;
#[cfg(test)]
mod recorded;
#[cfg(test)]
mod recorded_strings;
/// Replacing what is not valid.
pub mod scrub;
/// Finding one string in another.
pub mod search;
/// Everyday patterns, matched without the engine.
pub mod simple_regexp;
/// Fields of a string.
pub mod split;
/// `Kernel#format`.
pub mod sprintf;
/// `Time#strftime`.
pub mod strftime;
/// White space at the ends.
pub mod strip;
pub mod strptime;
/// The next string.
pub mod succ;
/// Sums of bytes.
pub mod sum;
/// Names of symbols.
pub mod symbol;
/// A borrowed string with its encoding and code range.
pub mod text;
/// Character sets and transliteration.
pub mod tr;
/// From one encoding to another.
pub mod transcode;
/// Unicode normalization.
pub mod unicode_normalize;
/// YAML: its events.
pub mod yaml;
