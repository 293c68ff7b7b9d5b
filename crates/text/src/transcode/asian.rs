//! The multi-byte encodings of East Asia, by way of the Web's tables.
//!
//! The Web's encodings are supersets of what CRuby knows under the same names: the rows vendors added are taken out
//! again, and the few characters that the Web maps to full-width forms get back the mappings of JIS.

use crate::encoding::EncodingIndex as E;
use encoding_rs::{DecoderResult, EncoderResult, Encoding};
use std::sync::LazyLock;

/// The Web's encoding that covers `encoding`.
fn web(encoding: E) -> Option<&'static Encoding> {
    Some(match encoding {
        E::EUC_JP | E::CP51932 => encoding_rs::EUC_JP,
        E::WINDOWS_31J | E::SHIFT_JIS => encoding_rs::SHIFT_JIS,
        E::BIG5 => encoding_rs::BIG5,
        E::CP949 | E::EUC_KR => encoding_rs::EUC_KR,
        E::GBK | E::GB2312 => encoding_rs::GBK,
        E::GB18030 => encoding_rs::GB18030,
        _ => return None,
    })
}

/// The character that exactly `bytes`, a structurally valid character, stand for.
pub(super) fn decode(encoding: E, bytes: &[u8]) -> Option<char> {
    if !is_in_repertoire(encoding, bytes) {
        return None;
    }
    jis_exception(encoding, bytes).or_else(|| web_decode(web(encoding)?, bytes))
}

fn web_decode(web: &'static Encoding, bytes: &[u8]) -> Option<char> {
    let mut utf8 = [0; 12];
    let (result, _, written) =
        web.new_decoder_without_bom_handling().decode_to_utf8_without_replacement(bytes, &mut utf8, true);
    let mut chars = std::str::from_utf8(&utf8[..written]).ok()?.chars();
    let char = chars.next().filter(|_| chars.next().is_none());
    char.filter(|_| result == DecoderResult::InputEmpty)
}

/// Whether CRuby's table has the bytes, as far as the rows tell.
fn is_in_repertoire(encoding: E, bytes: &[u8]) -> bool {
    let first = bytes[0];
    match encoding {
        // Row 13 and the rows from 89 on are NEC's and IBM's.
        E::EUC_JP => !matches!((bytes.len(), first), (2, 0xAD | 0xF9..=0xFC)),
        E::CP51932 => first != 0x8F,
        E::SHIFT_JIS => !matches!(first, 0x80 | 0x87 | 0xED..=0xFC),
        E::WINDOWS_31J => first != 0x80,
        E::EUC_KR => bytes.iter().all(|&byte| byte >= 0xA1),
        E::GB2312 => is_gb2312(bytes),
        E::GBK => bytes != b"\xFF",
        _ => true,
    }
}

fn is_gb2312(bytes: &[u8]) -> bool {
    let [lead, trail] = bytes else { return false };
    match lead {
        0xA2 => (0xB1..=0xE2).contains(trail) || (0xE5..=0xEE).contains(trail) || (0xF1..=0xFC).contains(trail),
        0xA4 => *trail <= 0xF3,
        0xA5 => *trail <= 0xF6,
        0xA6 => *trail <= 0xB8 || (0xC1..=0xD8).contains(trail),
        0xA7 => *trail <= 0xC1 || (0xD1..=0xF1).contains(trail),
        0xA8 => *trail <= 0xBA || (0xC5..=0xE9).contains(trail),
        0xA9 => (0xA4..=0xEF).contains(trail),
        0xD7 => *trail <= 0xF9,
        0xAA..=0xAF | 0xF8..=0xFF => false,
        _ => *trail >= 0xA1,
    }
}

/// (row and cell as EUC-JP writes them, as Shift_JIS writes them, what JIS makes of them)
const JIS_EXCEPTIONS: [(u16, u16, char); 7] = [
    (0xA1BD, 0x815C, '—'),
    (0xA1C1, 0x8160, '〜'),
    (0xA1C2, 0x8161, '‖'),
    (0xA1DD, 0x817C, '−'),
    (0xA1F1, 0x8191, '¢'),
    (0xA1F2, 0x8192, '£'),
    (0xA2CC, 0x81CA, '¬'),
];

fn jis_exception(encoding: E, bytes: &[u8]) -> Option<char> {
    if encoding == E::EUC_JP && bytes == b"\x8F\xA2\xB7" {
        return Some('~');
    }
    let code = u16::from_be_bytes(*bytes.first_chunk::<2>()?);
    let is_same = |(euc, sjis, _): &&(u16, u16, char)| match encoding {
        E::EUC_JP => *euc == code,
        E::SHIFT_JIS => *sjis == code,
        _ => false,
    };
    JIS_EXCEPTIONS.iter().find(is_same).map(|&(_, _, c)| c)
}

/// Appends the bytes for `c`; false if there are none. A character the Web's encoder writes differently, or not at all, is
/// looked up in what decodes to it.
pub(super) fn encode(encoding: E, c: char, out: &mut Vec<u8>) -> bool {
    let Some(web) = web(encoding) else { return false };
    let mut bytes = [0; 8];
    let len = web_encode(web, c, &mut bytes);
    let found = &bytes[..len];
    if !found.is_empty() && is_in_repertoire(encoding, found) && decode(encoding, found) == Some(c) {
        out.extend(found);
        return true;
    }
    encode_exception(encoding, c, out)
}

fn web_encode(web: &'static Encoding, c: char, bytes: &mut [u8; 8]) -> usize {
    let mut utf8 = [0; 4];
    let text: &str = c.encode_utf8(&mut utf8);
    let (result, _, written) = web.new_encoder().encode_from_utf8_without_replacement(text, bytes, true);
    if result == EncoderResult::InputEmpty { written } else { 0 }
}

fn encode_exception(encoding: E, c: char, out: &mut Vec<u8>) -> bool {
    let code = match (encoding, c) {
        (E::EUC_JP | E::SHIFT_JIS, _) if let Some(code) = encode_jis(encoding, c) => code,
        (E::GB2312, '―') => 0xA1AA,
        (E::GB2312, '・') => 0xA1A4,
        (E::WINDOWS_31J, '\u{E000}'..='\u{E757}') => user_defined(c),
        (E::EUC_JP, _) => return encode_supplement(c, out),
        _ => return false,
    };
    out.extend(code.to_be_bytes());
    true
}

/// The dash of two widths shares one code.
fn encode_jis(encoding: E, c: char) -> Option<u16> {
    let wanted = if c == '―' { '—' } else { c };
    let &(euc, sjis, _) = JIS_EXCEPTIONS.iter().find(|(_, _, char)| *char == wanted)?;
    Some(if encoding == E::EUC_JP { euc } else { sjis })
}

/// Windows gives the private characters the rows from F0 on, 188 to a row.
fn user_defined(c: char) -> u16 {
    let index = c as u16 - 0xE000;
    let cell = index % 188;
    let trail = cell + if cell < 63 { 0x40 } else { 0x41 };
    (0xF0 + index / 188) << 8 | trail
}

/// JIS X 0212, which the Web decodes but does not encode.
fn encode_supplement(c: char, out: &mut Vec<u8>) -> bool {
    static SUPPLEMENT: LazyLock<Vec<(char, [u8; 3])>> = LazyLock::new(|| {
        let cells = (0xA1..=0xFE).flat_map(|row| (0xA1..=0xFE).map(move |cell| [0x8F, row, cell]));
        let mut table: Vec<_> = cells.filter_map(|bytes| Some((decode(E::EUC_JP, &bytes)?, bytes))).collect();
        table.sort_unstable();
        table
    });
    let Ok(at) = SUPPLEMENT.binary_search_by_key(&c, |entry| entry.0) else { return false };
    out.extend(SUPPLEMENT[at].1);
    true
}
