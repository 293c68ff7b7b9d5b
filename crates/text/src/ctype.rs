//! Character classes: space, digit, letter, printable.
//!
//! Unicode's own properties decide for its encodings, their tables for single-byte ones ([`letters`]); characters of the
//! Asian encodings count as printable when they are valid.
//!
//! # References
//! CRuby `rb_enc_isctype`; printable is what Oniguruma calls `Print`: everything assigned but controls and the two
//! separators U+2028 and U+2029.

use crate::encoding::{EncodingIndex, codepoint};
use crate::letters::{self, Class};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// ASCII white space as `isspace` has it: with the vertical tab.
#[inline]
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}

/// Whether a byte beyond ASCII is in a class; `None` where no table of bytes decides.
fn of_byte(encoding: EncodingIndex, code: u32, class: Class) -> Option<bool> {
    let is_byte = encoding.is_single_byte() && code >= 0x80;
    let family = || letters::family(encoding).zip(u8::try_from(code).ok());
    is_byte.then(|| family().is_some_and(|(family, byte)| letters::of_family(family).is_in(byte, class as u32)))
}

/// The Unicode character a code point of `encoding` stands for, if it is one or ASCII.
fn to_unicode(encoding: EncodingIndex, code: u32) -> Option<char> {
    if code < 0x80 || encoding.is_unicode() { char::from_u32(code) } else { None }
}

/// Whether the character is shown as it is.
pub fn is_print(encoding: EncodingIndex, code: u32) -> bool {
    match (to_unicode(encoding, code), of_byte(encoding, code, Class::Print)) {
        (Some(c), _) => is_print_char(c),
        (None, Some(is_print)) => is_print,
        (None, None) => true,
    }
}

/// As [`is_print`], of Unicode.
pub(crate) fn is_print_char(c: char) -> bool {
    if c.is_ascii() {
        return matches!(c, ' '..='~');
    }
    if is_known_printable(c) {
        return true;
    }
    let category = c.general_category();
    !matches!(category, GeneralCategory::Control | GeneralCategory::Unassigned) && !matches!(c, '\u{2028}' | '\u{2029}')
}

/// Blocks of everyday text without a gap, for which no table has to be searched.
fn is_known_printable(c: char) -> bool {
    matches!(c,
        '\u{A0}'..='\u{377}' | '\u{400}'..='\u{52F}' | '\u{2010}'..='\u{2027}' | '\u{2190}'..='\u{2426}'
        | '\u{3000}'..='\u{303F}' | '\u{3041}'..='\u{3096}' | '\u{3099}'..='\u{30FF}' | '\u{3400}'..='\u{A48C}'
        | '\u{AC00}'..='\u{D7A3}' | '\u{FF01}'..='\u{FFBE}' | '\u{1F300}'..='\u{1F64F}')
}

/// Whether the character is a letter.
pub fn is_alpha(encoding: EncodingIndex, code: u32) -> bool {
    let by_table = of_byte(encoding, code, Class::Alpha);
    by_table.unwrap_or_else(|| to_unicode(encoding, code).is_some_and(char::is_alphabetic))
}

/// Whether the character is a decimal digit.
pub fn is_digit(encoding: EncodingIndex, code: u32) -> bool {
    match to_unicode(encoding, code) {
        Some(c) if c.is_ascii() => c.is_ascii_digit(),
        Some(c) => c.general_category() == GeneralCategory::DecimalNumber,
        None => of_byte(encoding, code, Class::Digit).unwrap_or(false),
    }
}

/// Whether a name that begins with these bytes is a constant's: an upper- or title-case letter stands first, or what is no small
/// letter and becomes another character where case does not matter.
pub fn starts_constant(encoding: EncodingIndex, name: &[u8]) -> bool {
    if let Some(first) = name.first()
        && first.is_ascii()
        && encoding.is_ascii_compatible()
    {
        return first.is_ascii_uppercase();
    }
    let Some((code, _)) = codepoint(encoding, name) else { return false };
    if let Some(family) = letters::family(encoding).filter(|_| code >= 0x80) {
        let table = letters::of_family(family);
        let is = |class: Class| table.is_in(name[0], class as u32);
        return is(Class::Upper) || !is(Class::Lower) && table.fold(name[0]) != name[0];
    }
    let first = to_unicode(encoding, code);
    first.is_some_and(|c| c.is_uppercase() || c.general_category() == GeneralCategory::TitlecaseLetter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_to_be_printable_is_assigned() {
        for c in ('\u{80}'..=char::MAX).filter(|c| is_known_printable(*c)) {
            let category = c.general_category();
            assert!(!matches!(category, GeneralCategory::Control | GeneralCategory::Unassigned), "{c:?}");
            assert!(!matches!(c, '\u{2028}' | '\u{2029}'));
        }
    }

    #[test]
    fn printable_follows_unicode() {
        let utf8 = |c: char| is_print(EncodingIndex::UTF_8, c as u32);
        assert!(utf8('a') && utf8('é') && utf8('\u{AD}') && utf8('\u{200B}') && utf8('\u{E000}') && utf8('\u{3000}'));
        assert!(!utf8('\u{7F}') && !utf8('\u{85}') && !utf8('\u{2028}') && !utf8('\u{378}') && !utf8('\u{FFFF}'));
        assert!(!is_print(EncodingIndex::BINARY, 0xE9));
        assert!(is_print(EncodingIndex::ISO_8859_1, 0xE9));
        assert!(is_print(EncodingIndex::EUC_JP, 0xA4A2));
    }

    #[test]
    fn constants_start_with_an_upper_or_title_case_letter() {
        let starts = |name: &str| starts_constant(EncodingIndex::UTF_8, name.as_bytes());
        assert!(starts("Foo") && starts("Éa") && starts("ǅa"));
        assert!(!starts("foo") && !starts("あ") && !starts("_A") && !starts(""));
    }

    #[test]
    fn digits_of_every_script_count() {
        assert!(is_digit(EncodingIndex::UTF_8, '٣' as u32));
        assert!(!is_digit(EncodingIndex::UTF_8, '½' as u32));
        assert!(is_alpha(EncodingIndex::ISO_8859_1, 0xE9));
        assert!(!is_alpha(EncodingIndex::BINARY, 0xE9));
    }
}
