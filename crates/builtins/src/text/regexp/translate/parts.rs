//! A part of an interpolated pattern by itself: its characters and escapes, which no other part may go on with.
//!
//! # References
//! CRuby `rb_reg_preprocess_dstr`, `rb_reg_check_preprocess`.

use super::{Parsed, Spelling, Translator};
use carat_text::encoding::EncodingIndex;

/// The encoding that a part demands of the pattern, or what is wrong with the part.
pub(crate) fn part_encoding(
    source: &[u8],
    options: u8,
    encoding: EncodingIndex,
) -> Result<Option<EncodingIndex>, String> {
    // UTF-16 and UTF-32 have no bytes that are ASCII.
    if !encoding.is_ascii_compatible() || !source.iter().any(|byte| *byte == b'\\' || *byte >= 0x80) {
        return Ok(None);
    }
    let mut part = Translator::new(source, options, encoding, Spelling::default());
    let mut is_in_set = false;
    while let Some(byte) = part.peek() {
        match byte {
            b'\\' => part.part_escape()?,
            b'(' if !is_in_set && part.rest().starts_with(b"(?#") => part.part_comment(b')')?,
            b'#' if !is_in_set && part.state.is_extended => part.part_comment(b'\n')?,
            _ if byte >= 0x80 => part.character()?,
            _ => {
                is_in_set = byte == b'[' || is_in_set && byte != b']';
                part.at += 1;
            }
        }
    }
    let by_property = part.has_property.then_some(encoding);
    Ok(part.out.fixed.or(by_property))
}

impl Translator<'_> {
    /// A comment, which may go on in the next part: its characters count, its escapes do not.
    fn part_comment(&mut self, end: u8) -> Parsed {
        let mut is_escaped = false;
        while let Some(byte) = self.peek() {
            if byte >= 0x80 {
                self.character()?;
                continue;
            }
            self.at += 1;
            if byte == end && !is_escaped {
                break;
            }
            is_escaped = byte == b'\\' && !is_escaped && end == b')';
        }
        Ok(())
    }

    fn part_escape(&mut self) -> Parsed {
        match self.source.get(self.at + 1) {
            None => return Err("too short escape sequence".into()),
            Some(b'1'..=b'9') if !self.octal_escape() => self.at += 2,
            Some(b'0'..=b'9' | b'x' | b'c' | b'C' | b'M') => return self.byte_escape(),
            Some(b'u') => return self.unicode_escape(),
            Some(byte) if *byte >= 0x80 => self.at += 1,
            Some(letter) => {
                self.has_property |= matches!(letter, b'p' | b'P');
                self.at += 2;
            }
        }
        Ok(())
    }
}
