//! Reading ISO-2022-JP and its Windows variants.

use super::asian;
use super::decode::Decoded;
use super::encode::Charset;
use crate::encoding::EncodingIndex as E;

/// The character or escape sequence at the start of `rest`, which is not empty.
pub(super) fn read(source: E, set: &mut Charset, rest: &[u8]) -> Decoded {
    let is_windows = matches!(source, E::CP50220 | E::CP50221);
    match rest[0] {
        0x1B => escape(is_windows, set, rest),
        0x0E if is_windows => shift(set, Charset::Kana),
        0x0F if is_windows => shift(set, Charset::Ascii),
        0x0E | 0x0F => Decoded::Invalid(1, 0),
        kana @ 0xA1..=0xDF if is_windows => character(E::CP51932, &[0x8E, kana], 1),
        0x80.. => Decoded::Invalid(1, 0),
        // These sets hold no control characters, and the lesser one has nothing behind its last letter.
        0x00..0x21 | 0x7F if matches!(set, Charset::Kanji | Charset::Kana) => Decoded::Invalid(1, 0),
        0x60.. if *set == Charset::Kana => Decoded::Invalid(1, 0),
        byte if byte < 0x21 => Decoded::Char(byte as char, 1),
        byte => graphic(source, *set, byte, rest),
    }
}

fn shift(set: &mut Charset, to: Charset) -> Decoded {
    *set = to;
    Decoded::Skip(1)
}

fn escape(is_windows: bool, set: &mut Charset, rest: &[u8]) -> Decoded {
    *set = match rest {
        [_] | [_, b'(' | b'$'] => return Decoded::Incomplete,
        [_, b'(', b'B', ..] => Charset::Ascii,
        [_, b'(', b'J', ..] => Charset::Roman,
        [_, b'(', b'I', ..] if is_windows => Charset::Kana,
        [_, b'$', b'B' | b'@', ..] => Charset::Kanji,
        [_, b'(' | b'$', ..] => return Decoded::Invalid(2, 1),
        _ => return Decoded::Invalid(1, 1),
    };
    Decoded::Skip(3)
}

fn graphic(source: E, set: Charset, byte: u8, rest: &[u8]) -> Decoded {
    let table = if source == E::ISO_2022_JP { E::EUC_JP } else { E::CP51932 };
    match (set, rest.get(1)) {
        (Charset::Ascii | Charset::Roman, _) => Decoded::Char(byte as char, 1),
        (Charset::Kana, _) => character(table, &[0x8E, byte | 0x80], 1),
        (Charset::Kanji, None) => Decoded::Incomplete,
        (Charset::Kanji, Some(&trail @ 0x21..=0x7E)) if source == E::ISO_2022_JP_KDDI => {
            character(E::STATELESS_ISO_2022_JP_KDDI, &[0x92, byte | 0x80, trail | 0x80], 2)
        }
        (Charset::Kanji, Some(&trail @ 0x21..=0x7E)) => character(table, &[byte | 0x80, trail | 0x80], 2),
        (Charset::Kanji, Some(_)) => Decoded::Invalid(1, 1),
    }
}

fn character(table: E, bytes: &[u8], len: usize) -> Decoded {
    asian::decode(table, bytes).map_or(Decoded::Undefined(len), |c| Decoded::Char(c, len))
}
