//! The multi-byte encodings of East Asia, by way of the Web's tables.
//!
//! The Web's encodings are supersets of what CRuby knows under the same names: the rows vendors added are taken out
//! again, and the few characters that the Web maps to full-width forms get back the mappings of JIS. GB18030 is that of 2000:
//! what Unicode took in later is private there.

use super::decode::Decoded;
use super::recorded;
use crate::encoding::EncodingIndex as E;
use encoding_rs::{DecoderResult, EncoderResult, Encoding};
use std::sync::LazyLock;

/// The Web's encoding that covers `encoding`.
fn web(encoding: E) -> Option<&'static Encoding> {
    Some(match encoding {
        E::EUC_JP | E::CP51932 | E::EUCJP_MS => encoding_rs::EUC_JP,
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
    if let Some(table) = recorded::table(encoding) {
        return table.decode(bytes);
    }
    if !is_in_repertoire(encoding, bytes) {
        return None;
    }
    let own = match encoding {
        E::GB18030 => decode_gb18030(bytes),
        E::BIG5 => decode_big5(bytes),
        E::EUCJP_MS => decode_eucjp_ms(bytes),
        _ => jis_exception(encoding, bytes),
    };
    let found = own.or_else(|| web_decode(web(encoding)?, bytes));
    found.filter(|c| encoding != E::GBK || !is_private(*c))
}

fn is_private(c: char) -> bool {
    matches!(c, '\u{E000}'..='\u{F8FF}')
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
        E::GBK => is_gbk(bytes),
        E::BIG5 => is_big5(bytes),
        _ => true,
    }
}

/// GBK without what GB18030 added: vertical forms, two letters, the symbols that describe characters, rare radicals.
fn is_gbk(bytes: &[u8]) -> bool {
    let Some(code) = bytes.first_chunk().map(|pair| u16::from_be_bytes(*pair)) else { return bytes != b"\xFF" };
    !matches!(code, 0xA6D9..=0xA6DF | 0xA6EC..=0xA6ED | 0xA6F3 | 0xA8BC | 0xA8BF | 0xA989..=0xA995 | 0xA2E3 | 0xA3A0 | 0xFE50..)
}

/// Big5 without Hong Kong's characters before its first row and behind its last, and without pictures of controls.
fn is_big5(bytes: &[u8]) -> bool {
    let Some(code) = bytes.first_chunk().map(|pair| u16::from_be_bytes(*pair)) else { return true };
    matches!(code, 0xA140..=0xA3BF | 0xA3E1..=0xF9FF)
}

/// Leads from 0x81 on are those of Big5's users; a character that they begin is none that Unicode has.
pub(super) fn invalid_big5(bytes: &[u8]) -> Decoded {
    match bytes {
        [0x80 | 0xFF, ..] => Decoded::Invalid(1, 0),
        [_] => Decoded::Incomplete,
        [_, 0x40..=0x7E | 0xA1..=0xFE, ..] => Decoded::Undefined(2),
        _ => Decoded::Invalid(1, 1),
    }
}

/// What the set has no character for is a mistake, told at the byte that leads to none.
pub(super) fn decode_stateless_kddi(bytes: &[u8]) -> Decoded {
    let decoded = |row, cell| decode(E::STATELESS_ISO_2022_JP_KDDI, &[0x92, row, cell]);
    match *bytes {
        [0x92] => Decoded::Incomplete,
        [0x92, row, ..] if !(0xA1..=0xFE).any(|cell| decoded(row, cell).is_some()) => Decoded::Invalid(1, 1),
        [0x92, _] => Decoded::Incomplete,
        [0x92, row, cell, ..] => decoded(row, cell).map_or(Decoded::Invalid(2, 1), |c| Decoded::Char(c, 3)),
        _ => Decoded::Invalid(1, 0),
    }
}

/// Three rows are private, 157 characters each; the first of them begins in its middle.
fn decode_big5(bytes: &[u8]) -> Option<char> {
    let &[lead, trail] = bytes else { return None };
    match (lead, trail) {
        (0xC6, 0xA1..) | (0xC7..=0xC8, _) => {
            let cell = if trail < 0x80 { trail - 0x40 } else { trail - 0xA1 + 63 };
            char::from_u32(0xF6B1 + u32::from(lead - 0xC6) * 157 + u32::from(cell) - 63)
        }
        (0xF9, 0xFE) => Some('▓'),
        _ => None,
    }
}

fn encode_big5(c: char) -> Option<u16> {
    Some(match c {
        '\u{F6B1}'..='\u{F848}' => {
            let index = c as u16 - 0xF6B1 + 63;
            let cell = index % 157;
            (0xC6 + index / 157) << 8 | (cell + if cell < 63 { 0x40 } else { 0xA1 - 63 })
        }
        '▓' => 0xF9FE,
        // These lines stand twice, and this character in a private row once more.
        '═' => 0xA2A4,
        '╞' => 0xA2A5,
        '╪' => 0xA2A6,
        '╡' => 0xA2A7,
        '仝' => 0xC969,
        _ => return None,
    })
}

/// What is private in GB18030 of 2000.
const GB18030_PRIVATE: [(u16, char); 20] = [
    (0xA3A0, '\u{E5E5}'),
    (0xA6D9, '\u{E78D}'),
    (0xA6DA, '\u{E78E}'),
    (0xA6DB, '\u{E78F}'),
    (0xA6DC, '\u{E790}'),
    (0xA6DD, '\u{E791}'),
    (0xA6DE, '\u{E792}'),
    (0xA6DF, '\u{E793}'),
    (0xA6EC, '\u{E794}'),
    (0xA6ED, '\u{E795}'),
    (0xA6F3, '\u{E796}'),
    (0xA8BC, '\u{E7C7}'),
    (0xFE59, '\u{E81E}'),
    (0xFE61, '\u{E826}'),
    (0xFE66, '\u{E82B}'),
    (0xFE67, '\u{E82C}'),
    (0xFE6D, '\u{E832}'),
    (0xFE7E, '\u{E843}'),
    (0xFE90, '\u{E854}'),
    (0xFEA0, '\u{E864}'),
];

/// Characters that have four bytes there: the first of a run, and its bytes.
const GB18030_FOUR: [(std::ops::RangeInclusive<char>, [u8; 4]); 3] = [
    ('\u{1E3F}'..='\u{1E3F}', [0x81, 0x35, 0xF4, 0x37]),
    ('\u{9FB4}'..='\u{9FBB}', [0x82, 0x35, 0x90, 0x37]),
    ('\u{FE10}'..='\u{FE19}', [0x84, 0x31, 0x82, 0x36]),
];

fn decode_gb18030(bytes: &[u8]) -> Option<char> {
    if bytes == GB18030_FOUR[0].1 {
        return Some('\u{1E3F}');
    }
    let code = u16::from_be_bytes(bytes.try_into().ok()?);
    GB18030_PRIVATE.iter().find(|(known, _)| *known == code).map(|&(_, c)| c)
}

fn encode_gb18030(c: char, out: &mut Vec<u8>) -> bool {
    if let Some((code, _)) = GB18030_PRIVATE.iter().find(|(_, known)| *known == c) {
        out.extend(code.to_be_bytes());
        return true;
    }
    let Some((run, first)) = GB18030_FOUR.iter().find(|(run, _)| run.contains(&c)) else { return false };
    // The last byte counts tens.
    let last = first[3] - b'0' + (c as u32 - *run.start() as u32) as u8;
    out.extend([first[0], first[1], first[2] + last / 10, b'0' + last % 10]);
    true
}

/// eucJP-ms is CP51932 and JIS X 0212 with IBM's characters and two blocks of ten rows for users.
fn decode_eucjp_ms(bytes: &[u8]) -> Option<char> {
    let (is_supplement, cell) = match *bytes {
        [0x8F, row, cell] => (true, [row, cell]),
        [row, cell] => (false, [row, cell]),
        _ => return None,
    };
    let private = |first: u32| char::from_u32(first + u32::from(cell[0] - 0xF5) * 94 + u32::from(cell[1] - 0xA1));
    match (is_supplement, cell) {
        (true, [0xA2, 0xC3]) => Some('￤'),
        (true, [row @ 0xF3..=0xF4, cell]) => {
            let index = (usize::from(row - 0xF3) * 94 + usize::from(cell - 0xA1)).checked_sub(0x52)?;
            IBM.get(index).copied()
        }
        (true, [0xF5..=0xFE, _]) => private(0xE3AC),
        (false, [0xF5..=0xFE, _]) => private(0xE000),
        _ => None,
    }
}

/// IBM's characters in the order of eucJP-ms: those of Shift_JIS, without the ideographs that JIS X 0212 has.
static IBM: LazyLock<Vec<char>> = LazyLock::new(|| {
    let trails = || (0x40..=0x7E).chain(0x80..=0xFC);
    let cells = (0xFA..=0xFC).flat_map(|lead| trails().map(move |trail| [lead, trail]));
    let all = cells.filter_map(|cell| web_decode(encoding_rs::SHIFT_JIS, &cell));
    let is_ideograph = |c: char| matches!(c, '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}');
    let is_own = |c: &char| match c {
        '￢' | '￤' | '∵' => false,
        c => !is_ideograph(*c) || supplement(E::EUC_JP, *c).is_none(),
    };
    all.filter(is_own).collect()
});

fn is_gb2312(bytes: &[u8]) -> bool {
    let [lead, trail @ 0xA1..=0xFF] = bytes else { return false };
    match lead {
        0xA2 => (0xB1..=0xE2).contains(trail) || (0xE5..=0xEE).contains(trail) || (0xF1..=0xFC).contains(trail),
        0xA4 => *trail <= 0xF3,
        0xA5 => *trail <= 0xF6,
        0xA6 => *trail <= 0xB8 || (0xC1..=0xD8).contains(trail),
        0xA7 => *trail <= 0xC1 || (0xD1..=0xF1).contains(trail),
        0xA8 => *trail <= 0xBA || (0xC5..=0xE9).contains(trail),
        0xA9 => (0xA4..=0xEF).contains(trail),
        0xD7 => *trail <= 0xF9,
        0x00..=0xA0 | 0xAA..=0xAF | 0xF8..=0xFF => false,
        _ => true,
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
    if let Some(table) = recorded::table(encoding) {
        return table.encode(c, out);
    }
    let Some(web) = web(encoding) else { return false };
    let mut bytes = [0; 8];
    let len = web_encode(web, c, &mut bytes);
    let found = &bytes[..len];
    let is_other = encoding == E::BIG5 && encode_big5(c).is_some();
    if !found.is_empty() && !is_other && decode(encoding, found) == Some(c) {
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
        (E::EUCJP_MS, '\u{E000}'..='\u{E3AB}') => {
            let index = c as u16 - 0xE000;
            (0xF5 + index / 94) << 8 | (0xA1 + index % 94)
        }
        (E::EUC_JP | E::EUCJP_MS, _) => {
            let found = supplement(encoding, c);
            out.extend(found.into_iter().flatten());
            return found.is_some();
        }
        (E::GB18030, _) => return encode_gb18030(c, out),
        (E::BIG5, _) if let Some(code) = encode_big5(c) => code,
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

/// The bytes of a character of JIS X 0212, which the Web decodes but does not encode.
fn supplement(encoding: E, c: char) -> Option<[u8; 3]> {
    type Table = LazyLock<Vec<(char, [u8; 3])>>;
    static OF_EUC_JP: Table = LazyLock::new(|| supplement_of(E::EUC_JP));
    static OF_EUCJP_MS: Table = LazyLock::new(|| supplement_of(E::EUCJP_MS));
    let table = if encoding == E::EUC_JP { &OF_EUC_JP } else { &OF_EUCJP_MS };
    table.binary_search_by_key(&c, |entry| entry.0).ok().map(|at| table[at].1)
}

fn supplement_of(encoding: E) -> Vec<(char, [u8; 3])> {
    let cells = (0xA1..=0xFE).flat_map(|row| (0xA1..=0xFE).map(move |cell| [0x8F, row, cell]));
    let mut table: Vec<_> = cells.filter_map(|bytes| Some((decode(encoding, &bytes)?, bytes))).collect();
    table.sort_unstable();
    table
}
