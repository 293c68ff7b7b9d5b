//! Case mapping of valid UTF-8 where it is simple: ASCII, the alphabets below U+0590, and the scripts without case.
//!
//! What maps to several characters, or to a character elsewhere, is left to the general way.

use super::{CharMapping, unicode};
use std::sync::OnceLock;

/// The first code point behind Latin, Greek, Cyrillic and Armenian; none of those takes more than two bytes.
const END: u32 = 0x590;

/// What each character of two bytes below [`END`] becomes: its two bytes, or zeros if that is not so simple.
type Table = [[u8; 2]; END as usize];

fn table(how: CharMapping) -> &'static Table {
    static TABLES: [OnceLock<Box<Table>>; 5] = [const { OnceLock::new() }; 5];
    TABLES[how as usize].get_or_init(|| {
        let mut table = Box::new([[0; 2]; END as usize]);
        (0x80..END).for_each(|code| table[code as usize] = simple(code, how).unwrap_or_default());
        table
    })
}

/// The two bytes that a character of two bytes becomes.
fn simple(code: u32, how: CharMapping) -> Option<[u8; 2]> {
    let mut mapped = String::new();
    unicode::map(code, how, false, |c| mapped.push(c));
    mapped.as_bytes().try_into().ok().filter(|_| mapped.chars().count() == 1)
}

/// Whether all characters that begin with these two bytes of a three-byte form have no case: U+2E80 to U+9FFF (Han, kana
/// and their punctuation) and U+B000 to U+CFFF (Hangul).
fn is_caseless(lead: u8, second: u8) -> bool {
    match lead {
        0xE2 => second >= 0xBA,
        0xE3..=0xE9 | 0xEB | 0xEC => true,
        _ => false,
    }
}

/// Maps as many characters as it can from the front of `rest`, which is valid UTF-8.
pub(super) fn map_run(rest: &mut &[u8], how: CharMapping, out: &mut Vec<u8>) {
    let table = table(how);
    let bytes = *rest;
    let mut at = 0;
    while let Some(&lead) = bytes.get(at) {
        let step = match lead {
            0..=0x7F => {
                out.push(how.ascii(lead));
                1
            }
            0x80..=0xDF => {
                let code = u32::from(lead & 0x1F) << 6 | u32::from(bytes[at + 1] & 0x3F);
                match table.get(code as usize) {
                    Some(mapped) if *mapped != [0; 2] => out.extend_from_slice(mapped),
                    _ => break,
                }
                2
            }
            _ if is_caseless(lead, bytes[at + 1]) => {
                out.extend_from_slice(&bytes[at..at + 3]);
                3
            }
            _ => break,
        };
        at += step;
    }
    *rest = &bytes[at..];
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [CharMapping; 5] =
        [CharMapping::Up, CharMapping::Down, CharMapping::Title, CharMapping::Swap, CharMapping::Fold];

    #[test]
    fn every_character_maps_as_it_does_in_general() {
        for how in ALL {
            for c in ('\u{80}'..='\u{FFFF}').filter(|c| *c as u32 >= 0x80) {
                let text = c.to_string();
                let (mut rest, mut out, mut expected) = (text.as_bytes(), Vec::new(), String::new());
                map_run(&mut rest, how, &mut out);
                unicode::map(c as u32, how, false, |c| expected.push(c));
                assert!(!rest.is_empty() && out.is_empty() || out == expected.as_bytes(), "{c:?} {how:?}");
            }
        }
    }

    #[test]
    fn what_it_cannot_map_is_left() {
        let (mut rest, mut out) = ("aßb".as_bytes(), Vec::new());
        map_run(&mut rest, CharMapping::Up, &mut out);
        assert_eq!((rest, &out[..]), ("ßb".as_bytes(), &b"A"[..]));
    }
}
