//! What can go wrong, and in which words CRuby says so.

use super::path::converter_name;
use crate::dump::dump;
use crate::encoding::EncodingIndex;
use crate::text::Text;

/// The three exceptions of conversion, with what their methods return.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TranscodeError {
    /// `Encoding::ConverterNotFoundError`; the names are as the caller gave them.
    ConverterNotFound { source: String, destination: String },
    /// `Encoding::InvalidByteSequenceError`: `error_bytes` are wrong, `readagain_bytes` told so and are still to be read.
    Invalid {
        source: EncodingIndex,
        destination: EncodingIndex,
        error_bytes: Vec<u8>,
        readagain_bytes: Vec<u8>,
        is_incomplete: bool,
    },
    /// `Encoding::UndefinedConversionError`: the step from `source` to `destination` has nothing for `error_bytes`, which
    /// are in `source`. `path` is the whole way.
    Undefined { source: EncodingIndex, destination: EncodingIndex, error_bytes: Vec<u8>, path: Vec<EncodingIndex> },
}

impl TranscodeError {
    /// The error for encodings (or names of none) between which there is no way.
    pub fn not_found(source: &str, destination: &str) -> TranscodeError {
        TranscodeError::ConverterNotFound { source: source.to_owned(), destination: destination.to_owned() }
    }

    /// The exception's message.
    pub fn message(&self) -> String {
        match self {
            TranscodeError::ConverterNotFound { source, destination } => {
                format!("code converter not found ({source} to {destination})")
            }
            TranscodeError::Invalid { source, error_bytes, readagain_bytes, is_incomplete, .. } => {
                let (bytes, name) = (dumped(error_bytes), converter_name(*source));
                match readagain_bytes.as_slice() {
                    _ if *is_incomplete => format!("incomplete {bytes} on {name}"),
                    [] => format!("{bytes} on {name}"),
                    readagain => format!("{bytes} followed by {} on {name}", dumped(readagain)),
                }
            }
            TranscodeError::Undefined { source, destination, error_bytes, path } => {
                let character = shown(*source, error_bytes);
                format!("{character} {}", way(*source, *destination, path))
            }
        }
    }
}

fn dumped(bytes: &[u8]) -> String {
    let mut out = Vec::new();
    dump(Text::of(bytes, EncodingIndex::BINARY), &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// By its Unicode number where it came from UTF-8, else by its bytes.
fn shown(source: EncodingIndex, bytes: &[u8]) -> String {
    match crate::encoding::codepoint(source, bytes) {
        Some((code, _)) if source == EncodingIndex::UTF_8 => format!("U+{code:04X}"),
        _ => dumped(bytes),
    }
}

/// A single step is told by its ends; otherwise the step that failed, then the whole way by the converters' own names.
fn way(source: EncodingIndex, destination: EncodingIndex, path: &[EncodingIndex]) -> String {
    let [first, steps @ ..] = path else { return String::new() };
    let is_own_name = |encoding: EncodingIndex| converter_name(encoding) == encoding.name();
    let is_whole = path == [source, destination] && is_own_name(source) && is_own_name(destination);
    if is_whole {
        return format!("from {} to {}", source.name(), destination.name());
    }
    // The converter from SJIS-DoCoMo has a spelling of its own for what it makes.
    let name_after = |from: EncodingIndex, to: EncodingIndex| match from {
        EncodingIndex::SJIS_DOCOMO => converter_name(to).to_ascii_uppercase(),
        _ => converter_name(to),
    };
    let steps: String = path.iter().zip(steps).map(|(&from, &to)| format!(" to {}", name_after(from, to))).collect();
    format!("to {} in conversion from {}{steps}", name_after(source, destination), first.name())
}
