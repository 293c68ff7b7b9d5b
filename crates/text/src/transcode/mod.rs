//! `String#encode`: from one encoding to another.
//!
//! Every conversion decodes to Unicode characters and encodes those; what CRuby does in several steps (its conversion
//! path) shows in the error messages only, for which [`path`] names the steps.
//!
//! # Use
//! [`encode`] does a whole string. Where a fallback has to be called, or the input comes in pieces, a [`Converter`] stops at
//! each problem, and goes on after the caller has [`inserted`](Converter::insert) something or not.
//!
//! # Not here
//! EUC-TW, Emacs-Mule, UTF-7 and a few code pages, for which CRuby has no converter either.
//!
//! # References
//! CRuby `transcode.c`, `enc/trans/*.trans`.

mod asian;
mod converter;
mod decode;
mod direct;
mod encode;
mod error;
mod iso_2022_jp;
mod memo;
mod path;
mod recorded;
#[cfg(test)]
mod tests;

pub use converter::Converter;
pub use error::TranscodeError;
pub use path::path;

use crate::coderange::CodeRange;
use crate::encoding::EncodingIndex;
use crate::scrub;
use crate::text::Text;

/// What newlines become.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Newline {
    /// CR LF and CR become LF.
    Universal,
    Crlf,
    Cr,
    Lf,
}

/// Which characters are written as XML entities; with either, what the destination lacks becomes a character reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Xml {
    /// `&` only.
    Ampersand,
    Text,
    /// Quotes too.
    AttrContent,
    /// The whole is put between quotes.
    AttrQuote,
    /// Both.
    Attr,
}

/// The options of `String#encode`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// `invalid: :replace`
    pub replaces_invalid: bool,
    /// `undef: :replace`
    pub replaces_undefined: bool,
    /// `replace:`; without it U+FFFD or a question mark.
    pub replacement: Option<Text<'a>>,
    pub xml: Option<Xml>,
    /// What the destination lacks becomes a character reference, as it does with `xml`.
    pub has_references: bool,
    pub newline: Option<Newline>,
}

/// What [`encode`] did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The bytes stay as they are; only the encoding may change.
    Unchanged,
    /// The result was appended.
    Converted,
}

/// `text.encode(destination, **options)`: appends the result unless nothing has to change.
pub fn encode(
    text: Text<'_>,
    destination: EncodingIndex,
    options: &Options<'_>,
    out: &mut Vec<u8>,
) -> Result<Outcome, TranscodeError> {
    if options.xml.is_none() && options.newline.is_none() {
        if text.encoding == destination {
            return Ok(scrub_if_asked(text, options, out));
        }
        let are_compatible = text.encoding.is_ascii_compatible() && destination.is_ascii_compatible();
        if are_compatible && text.scanned().coderange == CodeRange::SevenBit {
            return Ok(Outcome::Unchanged);
        }
    }
    if encode_directly(text, destination, options, out) {
        return Ok(Outcome::Converted);
    }
    // A converter complains of decorations and replacements that do not fit. That a memo was kept says that there is a way, and that
    // neither encoding has states.
    let is_simple = options.xml.is_none() && options.newline.is_none() && options.replacement.is_none();
    let kept = if is_simple { memo::kept(text.encoding, destination) } else { None };
    let mut at = kept.map_or(0, |memo| memo.convert(text.encoding, destination, text.bytes, out));
    if kept.is_some() && at == text.bytes.len() {
        return Ok(Outcome::Converted);
    }
    let mut converter = Converter::new(text.encoding, destination, options)?;
    converter.start(out);
    while let Err(error) = converter.run(text.bytes, &mut at, false, out) {
        converter.recover(error, out)?;
    }
    converter.finish(out);
    Ok(Outcome::Converted)
}

/// What [`encode`] does first: converts a whole string at the speed of memory, or appends nothing and tells so.
pub fn encode_directly(text: Text<'_>, destination: EncodingIndex, options: &Options<'_>, out: &mut Vec<u8>) -> bool {
    options.xml.is_none() && options.newline.is_none() && direct::convert(text, destination, out)
}

/// Text for messages, which are UTF-8: converted where that is possible, else with what is no UTF-8 replaced.
pub fn to_message(text: Text<'_>) -> String {
    let is_utf8 = text.encoding.is_utf8() || matches!(text.encoding, EncodingIndex::US_ASCII | EncodingIndex::BINARY);
    let mut out = Vec::new();
    let converted = !is_utf8 && encode(text, EncodingIndex::UTF_8, &Options::default(), &mut out).is_ok();
    String::from_utf8_lossy(if converted && !out.is_empty() { &out } else { text.bytes }).into_owned()
}

fn scrub_if_asked(text: Text<'_>, options: &Options<'_>, out: &mut Vec<u8>) -> Outcome {
    if !options.replaces_invalid || !text.scanned().is_broken() {
        return Outcome::Unchanged;
    }
    let replacement = options.replacement.map_or(scrub::default_replacement(text.encoding), |text| text.bytes);
    scrub::scrub(text, replacement, out);
    Outcome::Converted
}
