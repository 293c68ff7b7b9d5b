//! Which encoding two strings can be combined in.
//!
//! # References
//! CRuby `enc_compatible_latter`.

use crate::coderange::CodeRange;
use crate::encoding::EncodingIndex;
use crate::text::Text;

/// The encoding that holds both strings, or `None`, for which CRuby raises `Encoding::CompatibilityError`
/// ([`incompatible_message`]).
pub fn compatible(left: Text<'_>, right: Text<'_>) -> Option<EncodingIndex> {
    if left.encoding == right.encoding || right.bytes.is_empty() {
        return Some(left.encoding);
    }
    if left.bytes.is_empty() {
        let keeps_left = left.encoding.is_ascii_compatible() && right.is_ascii_only();
        return Some(if keeps_left { left.encoding } else { right.encoding });
    }
    if !left.encoding.is_ascii_compatible() || !right.encoding.is_ascii_compatible() {
        None
    } else if right.scanned().coderange == CodeRange::SevenBit {
        Some(left.encoding)
    } else {
        (left.scanned().coderange == CodeRange::SevenBit).then_some(right.encoding)
    }
}

/// The same for a string and something that has an encoding but no bytes that matter: a regexp, an IO, an encoding.
pub fn compatible_with_encoding(text: Text<'_>, other: EncodingIndex) -> Option<EncodingIndex> {
    if text.encoding == other {
        return Some(other);
    }
    if !text.encoding.is_ascii_compatible() || !other.is_ascii_compatible() {
        None
    } else if other == EncodingIndex::US_ASCII {
        Some(text.encoding)
    } else {
        text.is_ascii_only().then_some(other)
    }
}

/// The message of the `Encoding::CompatibilityError`.
pub fn incompatible_message(left: EncodingIndex, right: EncodingIndex) -> String {
    format!("incompatible character encodings: {} and {}", left.inspect_name(), right.inspect_name())
}

#[cfg(test)]
mod tests {
    use super::*;

    const UTF_8: EncodingIndex = EncodingIndex::UTF_8;
    const BINARY: EncodingIndex = EncodingIndex::BINARY;
    const UTF_16: EncodingIndex = EncodingIndex::UTF_16LE;

    fn check(left: (&[u8], EncodingIndex), right: (&[u8], EncodingIndex), expect: Option<EncodingIndex>) {
        assert_eq!(compatible(Text::of(left.0, left.1), Text::of(right.0, right.1)), expect, "{left:?} {right:?}");
    }

    #[test]
    fn ascii_gives_way() {
        check((b"a", UTF_8), (b"b", BINARY), Some(UTF_8));
        check((b"a", UTF_8), (b"\xFF", BINARY), Some(BINARY));
        check((b"\xC3\xA9", UTF_8), (b"b", BINARY), Some(UTF_8));
        check((b"\xC3\xA9", UTF_8), (b"\xFF", BINARY), None);
    }

    #[test]
    fn empty_strings_give_way() {
        check((b"", UTF_8), (b"\xFF", BINARY), Some(BINARY));
        check((b"", UTF_8), (b"a", BINARY), Some(UTF_8));
        check((b"\xC3\xA9", UTF_8), (b"", BINARY), Some(UTF_8));
        check((b"", UTF_16), (b"a", UTF_8), Some(UTF_8));
        check((b"a", UTF_8), (b"a\0", UTF_16), None);
    }

    #[test]
    fn messages_name_both_encodings() {
        let message = incompatible_message(BINARY, UTF_8);
        assert_eq!(message, "incompatible character encodings: BINARY (ASCII-8BIT) and UTF-8");
    }

    #[test]
    fn a_string_takes_the_encoding_of_a_regexp_when_ascii() {
        assert_eq!(compatible_with_encoding(Text::utf8("a"), EncodingIndex::EUC_JP), Some(EncodingIndex::EUC_JP));
        assert_eq!(compatible_with_encoding(Text::utf8("é"), EncodingIndex::EUC_JP), None);
        assert_eq!(compatible_with_encoding(Text::utf8("é"), EncodingIndex::US_ASCII), Some(UTF_8));
    }
}
