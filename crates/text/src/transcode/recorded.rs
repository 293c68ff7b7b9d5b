//! The encodings whose tables no library has: variants of others, and the pictures of the Japanese mobile carriers.
//!
//! # Layout
//! `recorded/transcode.txt`, made under CRuby by the program beside it, says where each encoding differs from one that has
//! a converter. It stays text until an encoding is asked for: a program that converts nothing pays for none of it.
//!
//! # References
//! CRuby `enc/trans/big5.trans`, `japanese_euc.trans`, `chinese.trans`, `emoji*.trans`.

use super::asian;
use crate::encoding::EncodingIndex as E;
use std::sync::OnceLock;

const TEXT: &str = include_str!("../../recorded/transcode.txt");

/// Stands for characters without a meaning.
const NOTHING: char = '\u{FFFD}';

const BASES: [(E, E); 10] = [
    (E::EUC_JIS_2004, E::EUC_JP),
    (E::BIG5_HKSCS, E::BIG5),
    (E::BIG5_UAO, E::BIG5),
    (E::CP950, E::BIG5),
    (E::CP951, E::CP950),
    (E::GB12345, E::GB2312),
    (E::SJIS_DOCOMO, E::WINDOWS_31J),
    (E::SJIS_KDDI, E::WINDOWS_31J),
    (E::SJIS_SOFTBANK, E::WINDOWS_31J),
    (E::STATELESS_ISO_2022_JP_KDDI, E::CP51932),
];

/// Where an encoding differs from its base.
pub(super) struct Table {
    base: E,
    /// What the set without states has before each code.
    prefix: Option<u8>,
    /// By code.
    chars: Box<[(u32, char)]>,
    /// By character; the code 0 says that there is none.
    codes: Box<[(char, u32)]>,
}

/// The table of an encoding that has one.
pub(super) fn table(encoding: E) -> Option<&'static Table> {
    static TABLES: [OnceLock<Table>; BASES.len()] = [const { OnceLock::new() }; BASES.len()];
    let at = BASES.iter().position(|(own, _)| *own == encoding)?;
    Some(TABLES[at].get_or_init(|| Table::read(BASES[at].0, BASES[at].1)))
}

/// The lines below a heading.
fn section(heading: &str) -> impl Iterator<Item = &'static str> {
    let heading = format!("= {heading}\n");
    let start = TEXT.find(&heading).map_or(TEXT.len(), |at| at + heading.len());
    TEXT[start..].lines().take_while(|line| !line.starts_with('='))
}

fn hex(digits: &str) -> u32 {
    u32::from_str_radix(digits, 16).expect("a recorded number")
}

impl Table {
    fn read(encoding: E, base: E) -> Table {
        let (mut chars, mut codes, mut exceptions) = (Vec::new(), Vec::new(), Vec::new());
        for line in section(&format!("{} {}", encoding.name(), base.name())) {
            if let Some(exception) = line.strip_prefix('<') {
                exceptions.extend(encoded_run(exception));
            } else if let Some((start, run)) = line.split_once(' ') {
                chars.extend((hex(start)..).zip(run.chars()));
            }
        }
        codes.extend(chars.iter().filter(|(_, c)| *c != NOTHING).map(|&(code, c)| (c, code)));
        // Of several codes the first is written, and what is said of a character alone counts more.
        exceptions.append(&mut codes);
        exceptions.sort_by_key(|(c, _)| *c);
        exceptions.dedup_by_key(|(c, _)| *c);
        let prefix = (encoding == E::STATELESS_ISO_2022_JP_KDDI).then_some(0x92);
        Table { base, prefix, chars: chars.into(), codes: exceptions.into() }
    }

    /// The character that exactly `bytes` stand for.
    pub(super) fn decode(&self, bytes: &[u8]) -> Option<char> {
        let code = bytes.iter().fold(0, |code, &byte| code << 8 | u32::from(byte));
        match self.chars.binary_search_by_key(&code, |entry| entry.0) {
            Ok(at) => Some(self.chars[at].1).filter(|c| *c != NOTHING),
            Err(_) => match self.prefix {
                Some(prefix) => asian::decode(self.base, bytes.strip_prefix(&[prefix])?),
                None => asian::decode(self.base, bytes),
            },
        }
    }

    /// Appends the bytes for `c`, which is not ASCII; false if there are none.
    pub(super) fn encode(&self, c: char, out: &mut Vec<u8>) -> bool {
        let Ok(at) = self.codes.binary_search_by_key(&c, |entry| entry.0) else {
            let start = out.len();
            out.extend(self.prefix);
            let is_written = asian::encode(self.base, c, out);
            out.truncate(if is_written { out.len() } else { start });
            return is_written;
        };
        let code = self.codes[at].1.to_be_bytes();
        out.extend(code.iter().skip_while(|byte| **byte == 0));
        code != [0; 4]
    }
}

/// `CHAR CODE COUNT`: that many characters, in the order of their codes; without a code, none has one.
fn encoded_run(line: &str) -> impl Iterator<Item = (char, u32)> {
    let mut fields = line.split(' ');
    let mut next = || fields.next().expect("three fields");
    let (first, code, count) = (hex(next()), hex(next()), next().parse().expect("a count"));
    let step = u32::from(code != 0);
    (0..count).filter_map(move |at: u32| Some((char::from_u32(first + at)?, code + at * step)))
}

/// Whose pictures the private characters of Unicode are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Carrier {
    /// Nobody's: Unicode has pictures of its own.
    Unicode,
    Docomo,
    Kddi,
    Softbank,
}

impl Carrier {
    pub(super) fn of(encoding: E) -> Carrier {
        match encoding {
            E::UTF8_DOCOMO | E::SJIS_DOCOMO => Carrier::Docomo,
            E::UTF8_KDDI | E::SJIS_KDDI | E::STATELESS_ISO_2022_JP_KDDI | E::ISO_2022_JP_KDDI => Carrier::Kddi,
            E::UTF8_SOFTBANK | E::SJIS_SOFTBANK => Carrier::Softbank,
            _ => Carrier::Unicode,
        }
    }

    /// UTF-8 with the carrier's pictures, through which its encodings convert.
    pub(super) fn utf8(self) -> E {
        match self {
            Carrier::Unicode => E::UTF_8,
            Carrier::Docomo => E::UTF8_DOCOMO,
            Carrier::Kddi => E::UTF8_KDDI,
            Carrier::Softbank => E::UTF8_SOFTBANK,
        }
    }
}

/// What one carrier's character is to another.
pub(super) enum Exchanged {
    Same,
    Chars(&'static str),
    Nothing,
}

/// What the character `c` of `from` is to `to`.
pub(super) fn exchange(from: Carrier, to: Carrier, c: char) -> Exchanged {
    type Pictures = Box<[(char, &'static str)]>;
    static PICTURES: [OnceLock<Pictures>; 16] = [const { OnceLock::new() }; 16];
    let read = || pictures(&format!("{} > {}", from.utf8().name(), to.utf8().name()));
    let table = PICTURES[from as usize * 4 + to as usize].get_or_init(read);
    match table.binary_search_by_key(&c, |entry| entry.0) {
        Ok(at) if table[at].1.starts_with(NOTHING) => Exchanged::Nothing,
        Ok(at) => Exchanged::Chars(table[at].1),
        Err(_) => Exchanged::Same,
    }
}

fn pictures(heading: &str) -> Box<[(char, &'static str)]> {
    let mut table = Vec::new();
    let entry = |code: u32, chars| (char::from_u32(code).expect("a character"), chars);
    for line in section(heading) {
        if let Some((code, several)) = line.split_once('=') {
            table.push(entry(hex(code), several));
        } else if let Some((start, run)) = line.split_once(' ') {
            let single = |(at, c): (usize, char)| &run[at..at + c.len_utf8()];
            table.extend((hex(start)..).zip(run.char_indices().map(single)).map(|(code, c)| entry(code, c)));
        }
    }
    table.sort_unstable();
    table.into()
}
