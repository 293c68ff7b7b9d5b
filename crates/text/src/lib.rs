//! Bytes with an encoding: everything about text that needs no VM.
#![forbid(unsafe_code)]

/// Character positions, counting, walking.
pub mod chars;
/// What is known about the bytes of a string.
pub mod coderange;
/// The encodings and the characters they make.
pub mod encoding;
/// A borrowed string with its encoding and code range.
pub mod text;
