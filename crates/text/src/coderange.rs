//! Code ranges: what is known about the bytes of a string, so that nothing has to be scanned twice.
//!
//! # Invariants
//! `SevenBit` is possible in ASCII-compatible encodings only and implies that bytes and characters coincide.
//!
//! # References
//! CRuby `rb_enc_str_coderange`, `rb_enc_cr_str_buf_cat`.

use crate::encoding::{Char, EncodingIndex, Kind, char_len};

/// What is known of a string's bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
#[repr(u8)]
pub enum CodeRange {
    /// Not looked at yet.
    #[default]
    Unknown = 0,
    /// ASCII bytes only, in an ASCII-compatible encoding.
    SevenBit = 1,
    /// Valid characters, not all of them ASCII.
    Valid = 2,
    /// Something invalid is in it.
    Broken = 3,
}

impl CodeRange {
    /// The code range of a string of this range with one of `other` appended, both of the same encoding or compatible.
    ///
    /// Two broken halves may join into something valid, and a valid text may complete no character of a broken one,
    /// so anything broken before the seam has to be scanned again.
    #[inline]
    pub fn combine(self, other: CodeRange) -> CodeRange {
        use CodeRange::{Broken, Unknown, Valid};
        // Mostly so, and told without a table of jumps.
        if self == other && self != Broken {
            return self;
        }
        match (self, other) {
            (Unknown, _) | (_, Unknown) | (Broken, _) => Unknown,
            (_, Broken) => Broken,
            _ => Valid,
        }
    }

    /// The code range of a part of a string of this range, cut between characters: only the ends of the scale carry over.
    #[inline]
    pub fn of_part(self) -> CodeRange {
        if self == CodeRange::SevenBit { self } else { CodeRange::Unknown }
    }

    /// Whether all that is known says the characters are good.
    #[inline]
    pub fn is_valid(self) -> bool {
        matches!(self, CodeRange::SevenBit | CodeRange::Valid)
    }
}

/// Looks at all of `bytes`; never `Unknown`.
pub fn scan(encoding: EncodingIndex, bytes: &[u8]) -> CodeRange {
    if encoding.is_ascii_compatible() && bytes.is_ascii() {
        return CodeRange::SevenBit;
    }
    let is_valid = match encoding.kind() {
        Kind::SingleByte => true,
        Kind::UsAscii => false,
        Kind::Utf8 => simdutf8::basic::from_utf8(bytes).is_ok(),
        _ => are_valid_chars(encoding, bytes),
    };
    if is_valid { CodeRange::Valid } else { CodeRange::Broken }
}

fn are_valid_chars(encoding: EncodingIndex, mut bytes: &[u8]) -> bool {
    while !bytes.is_empty() {
        let Char::Valid(len) = char_len(encoding, bytes) else { return false };
        bytes = &bytes[len as usize..];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scanning_tells_the_four_cases_apart() {
        let utf8 = EncodingIndex::UTF_8;
        assert_eq!(scan(utf8, b""), CodeRange::SevenBit);
        assert_eq!(scan(utf8, b"abc"), CodeRange::SevenBit);
        assert_eq!(scan(utf8, "é".as_bytes()), CodeRange::Valid);
        assert_eq!(scan(utf8, b"\xFF"), CodeRange::Broken);
        assert_eq!(scan(EncodingIndex::BINARY, b"\xFF"), CodeRange::Valid);
        assert_eq!(scan(EncodingIndex::US_ASCII, b"\xFF"), CodeRange::Broken);
        assert_eq!(scan(EncodingIndex::UTF_16LE, b"a\0"), CodeRange::Valid);
        assert_eq!(scan(EncodingIndex::UTF_16LE, b"a"), CodeRange::Broken);
        assert_eq!(scan(EncodingIndex::UTF_16LE, b""), CodeRange::Valid);
        assert_eq!(scan(EncodingIndex::EUC_JP, b"\xA4\xA2x"), CodeRange::Valid);
    }

    #[test]
    fn a_broken_left_half_is_scanned_again() {
        use CodeRange::*;
        assert_eq!(SevenBit.combine(SevenBit), SevenBit);
        assert_eq!(SevenBit.combine(Valid), Valid);
        assert_eq!(Valid.combine(SevenBit), Valid);
        assert_eq!(Valid.combine(Broken), Broken);
        assert_eq!(Broken.combine(Broken), Unknown);
        assert_eq!(Unknown.combine(SevenBit), Unknown);
    }
}
