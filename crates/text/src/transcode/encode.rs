//! Writing one character to the destination.

use super::asian;
use crate::encoding::{self, EncodingIndex as E};
use crate::pages;

/// The sets ISO-2022-JP switches between.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Charset {
    #[default]
    Ascii,
    /// JIS X 0201, the Latin half.
    Roman,
    /// JIS X 0208.
    Kanji,
    /// JIS X 0201, the Katakana half.
    Kana,
}

impl Charset {
    /// The escape sequence that switches to the set.
    pub(super) fn escape(self) -> &'static [u8] {
        match self {
            Charset::Ascii => b"\x1B(B",
            Charset::Roman => b"\x1B(J",
            Charset::Kanji => b"\x1B$B",
            Charset::Kana => b"\x1B(I",
        }
    }
}

/// Appends `c` to a stateless destination; false if it has no such character.
pub(super) fn encode(encoding: E, c: char, out: &mut Vec<u8>) -> bool {
    if c.is_ascii() && encoding.is_ascii_compatible() {
        out.push(c as u8);
        return true;
    }
    let byte = match encoding {
        E::BINARY | E::US_ASCII => None,
        E::ISO_8859_1 => u8::try_from(c as u32).ok(),
        E::IBM037 => pages::IBM037.iter().position(|&byte| byte as u32 == c as u32).map(|at| at as u8),
        _ => match pages::of(encoding) {
            Some(page) => pages::encode(page, c),
            None => return encode_structured(encoding, c, out),
        },
    };
    out.extend(byte);
    byte.is_some()
}

fn encode_structured(encoding: E, c: char, out: &mut Vec<u8>) -> bool {
    let as_unicode = match encoding {
        E::UTF_16 => E::UTF_16BE,
        E::UTF_32 => E::UTF_32BE,
        _ => encoding,
    };
    if as_unicode.is_unicode() {
        return encoding::encode_codepoint(as_unicode, c as u32, out).is_ok();
    }
    if encoding != E::STATELESS_ISO_2022_JP {
        return asian::encode(encoding, c, out);
    }
    let start = out.len();
    out.push(0x92);
    if asian::encode(E::EUC_JP, c, out) && out.len() == start + 3 && out[start + 1] != 0x8E {
        return true;
    }
    out.truncate(start);
    false
}

/// Appends `c` to an ISO-2022-JP destination, switching sets as needed; false if it has no such character.
pub(super) fn encode_iso_2022_jp(encoding: E, c: char, charset: &mut Charset, out: &mut Vec<u8>) -> bool {
    let table = match encoding {
        E::ISO_2022_JP => E::EUC_JP,
        E::ISO_2022_JP_KDDI => E::STATELESS_ISO_2022_JP_KDDI,
        _ => E::CP51932,
    };
    let c = if encoding == E::CP50220 { full_width(c) } else { c };
    let mut bytes = Vec::new();
    if !encode(table, c, &mut bytes) {
        return false;
    }
    let (wanted, seven_bit) = match *bytes {
        [byte] => (Charset::Ascii, vec![byte]),
        [0x8E, kana] if encoding != E::ISO_2022_JP => (Charset::Kana, vec![kana & 0x7F]),
        [lead @ 0xA1..=0xFE, trail] | [0x92, lead, trail] => (Charset::Kanji, vec![lead & 0x7F, trail & 0x7F]),
        _ => return false,
    };
    if wanted != *charset {
        out.extend(wanted.escape());
        *charset = wanted;
    }
    out.extend(seven_bit);
    true
}

/// The full-width form of half-width Katakana, marks standing alone.
pub(super) fn full_width(c: char) -> char {
    use unicode_normalization::UnicodeNormalization;
    match c {
        'ﾞ' => '゛',
        'ﾟ' => '゜',
        '｡'..='ﾝ' => std::iter::once(c).nfkc().next().unwrap_or(c),
        _ => c,
    }
}
