//! `String#unicode_normalize` for the Unicode encodings.
//!
//! # References
//! Unicode Standard Annex 15; CRuby `lib/unicode_normalize/normalize.rb`.

use crate::chars::InvalidByteSequence;
use crate::encoding::{codepoint, encode_codepoint};
use crate::text::Text;
use unicode_normalization::UnicodeNormalization;

/// The four normalization forms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Nfc,
    Nfd,
    Nfkc,
    Nfkd,
}

impl Form {
    /// The form a symbol names; otherwise CRuby raises "Invalid normalization form NAME."
    pub fn find_by_name(name: &str) -> Option<Form> {
        Some(match name {
            "nfc" => Form::Nfc,
            "nfd" => Form::Nfd,
            "nfkc" => Form::Nfkc,
            "nfkd" => Form::Nfkd,
            _ => return None,
        })
    }
}

/// Appends the normalized string. `text` is in a Unicode encoding or ASCII, which is normal as it is.
pub fn normalize(text: Text<'_>, form: Form, out: &mut Vec<u8>) -> Result<(), InvalidByteSequence> {
    if text.is_ascii_only() {
        out.extend(text.bytes);
        return Ok(());
    }
    let source = decode(text)?;
    let mut push = |c: char| {
        let _ = encode_codepoint(text.encoding, c as u32, out);
    };
    match form {
        Form::Nfc => source.nfc().for_each(&mut push),
        Form::Nfd => source.nfd().for_each(&mut push),
        Form::Nfkc => source.nfkc().for_each(&mut push),
        Form::Nfkd => source.nfkd().for_each(&mut push),
    }
    Ok(())
}

/// `String#unicode_normalized?`.
pub fn is_normalized(text: Text<'_>, form: Form) -> Result<bool, InvalidByteSequence> {
    let mut normal = Vec::new();
    normalize(text, form, &mut normal)?;
    Ok(normal == text.bytes)
}

fn decode(text: Text<'_>) -> Result<String, InvalidByteSequence> {
    let mut decoded = String::with_capacity(text.bytes.len());
    let mut rest = text.bytes;
    while !rest.is_empty() {
        let (code, len) = codepoint(text.encoding, rest).ok_or(InvalidByteSequence)?;
        decoded.push(char::from_u32(code).ok_or(InvalidByteSequence)?);
        rest = &rest[len..];
    }
    Ok(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::EncodingIndex;

    fn check(text: &str, form: Form, expect: &str) {
        let mut out = Vec::new();
        normalize(Text::utf8(text), form, &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), expect);
    }

    #[test]
    fn forms_compose_and_decompose() {
        check("e\u{301}ﬁ", Form::Nfc, "éﬁ");
        check("é", Form::Nfd, "e\u{301}");
        check("ﬁ①", Form::Nfkc, "fi1");
        check("가", Form::Nfkd, "\u{1100}\u{1161}");
    }

    #[test]
    fn every_unicode_encoding_is_normalized() {
        let mut out = Vec::new();
        normalize(Text::of(b"e\0\x01\x03", EncodingIndex::UTF_16LE), Form::Nfc, &mut out).unwrap();
        assert_eq!(out, b"\xE9\0");
        assert_eq!(is_normalized(Text::utf8("é"), Form::Nfc), Ok(true));
        assert_eq!(is_normalized(Text::utf8("é"), Form::Nfd), Ok(false));
        assert_eq!(is_normalized(Text::of(b"\xFF", EncodingIndex::UTF_8), Form::Nfd), Err(InvalidByteSequence));
    }
}
