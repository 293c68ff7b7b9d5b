//! A borrowed string: bytes with the encoding and the code range its header carries.

use crate::coderange::{self, CodeRange};
use crate::encoding::{EncodingIndex, mbclen};

/// What every operation of this crate takes: the bytes of a string and what its header says about them.
///
/// An unknown code range is correct everywhere but keeps operations off their fast paths; [`Text::scanned`] settles it.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    pub bytes: &'a [u8],
    pub encoding: EncodingIndex,
    pub coderange: CodeRange,
}

impl<'a> Text<'a> {
    /// A view whose code range is as known as the caller says.
    #[inline]
    pub fn new(bytes: &'a [u8], encoding: EncodingIndex, coderange: CodeRange) -> Text<'a> {
        Text { bytes, encoding, coderange }
    }

    /// A view whose code range is found by looking.
    pub fn of(bytes: &'a [u8], encoding: EncodingIndex) -> Text<'a> {
        Text::new(bytes, encoding, coderange::scan(encoding, bytes))
    }

    /// A view of UTF-8 text.
    pub fn utf8(text: &'a str) -> Text<'a> {
        Text::of(text.as_bytes(), EncodingIndex::UTF_8)
    }

    /// The same view with its code range known.
    #[inline]
    pub fn scanned(self) -> Text<'a> {
        if self.coderange == CodeRange::Unknown { Text::of(self.bytes, self.encoding) } else { self }
    }

    /// A part of this string, cut between characters.
    #[inline]
    pub fn part(self, range: std::ops::Range<usize>) -> Text<'a> {
        Text::new(&self.bytes[range], self.encoding, self.coderange.of_part())
    }

    /// Whether characters and bytes coincide.
    #[inline]
    pub fn is_single_byte(self) -> bool {
        self.coderange == CodeRange::SevenBit || self.encoding.is_single_byte()
    }

    /// Whether the bytes are known to be valid UTF-8, so that leads can be counted without looking at whole characters.
    #[inline]
    pub fn is_valid_utf8(self) -> bool {
        self.coderange.is_valid() && self.encoding.is_utf8()
    }

    /// Whether the bytes are known not to be valid in the encoding.
    #[inline]
    pub fn is_broken(self) -> bool {
        self.coderange == CodeRange::Broken
    }

    /// Whether only ASCII is in it, as `String#ascii_only?` means it.
    pub fn is_ascii_only(self) -> bool {
        self.scanned().coderange == CodeRange::SevenBit
    }

    /// Bytes from `at` to the next character.
    #[inline]
    pub(crate) fn step(self, at: usize) -> usize {
        if self.is_single_byte() { 1 } else { mbclen(self.encoding, &self.bytes[at..]) }
    }

    /// The code point and length at `at`; an invalid character is `None` with the step over it.
    #[inline]
    pub(crate) fn decode(self, at: usize) -> (Option<u32>, usize) {
        let rest = &self.bytes[at..];
        match crate::encoding::codepoint(self.encoding, rest) {
            Some((code, len)) => (Some(code), len),
            None => (None, self.encoding.min_len().min(rest.len())),
        }
    }
}
