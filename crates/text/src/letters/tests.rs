//! Tests of `letters`.

use super::*;

fn letters(encoding: EncodingIndex) -> &'static Letters {
    of_family(family(encoding).expect("a family"))
}

fn members(encoding: EncodingIndex, class: Class) -> Vec<u8> {
    (0x80..=0xFF).filter(|byte| letters(encoding).is_in(*byte, class as u32)).collect()
}

#[test]
fn every_exception_is_read() {
    for (encoding, text) in EXCEPTIONS {
        let read = Exceptions::of(*encoding);
        let items = text.split_ascii_whitespace().flat_map(|item| item.split(',')).count();
        assert_eq!(read.classes.len() + read.cases.len() + usize::from(read.has_sharp_s), items, "{}", encoding.name());
    }
}

#[test]
fn cases_are_those_of_the_page_and_the_exceptions() {
    let others = |encoding, byte| letters(encoding).others(byte).collect::<Vec<u8>>();
    assert_eq!(others(EncodingIndex::ISO_8859_5, 0xB0), [0xD0]);
    assert_eq!(others(EncodingIndex::KOI8_U, 0xA4), [0xB4]);
    assert_eq!(others(EncodingIndex::WINDOWS_1252, 0x8A), [0x9A]);
    assert_eq!(others(EncodingIndex::ISO_8859_9, 0xDD), [b'I', b'i']);
    assert_eq!(others(EncodingIndex::ISO_8859_7, 0xF2), []);
    assert_eq!(others(EncodingIndex::WINDOWS_1253, 0xB5), [0xCC, 0xEC]);
    assert_eq!(letters(EncodingIndex::ISO_8859_1).sharp_s(), Some(0xDF));
    assert_eq!(letters(EncodingIndex::ISO_8859_5).sharp_s(), None);
    assert_eq!(others(EncodingIndex::WINDOWS_1251, 0x80), [0x90]);
    let paired = |encoding, small, capital| letters(encoding).pairs().contains(&Pair { small, capital });
    assert!(paired(EncodingIndex::WINDOWS_1251, 0xE0, 0xC0) && !paired(EncodingIndex::WINDOWS_1251, 0x90, 0x80));
    assert!(!paired(EncodingIndex::ISO_8859_9, b'i', 0xDD) && paired(EncodingIndex::ISO_8859_7, 0xF2, 0xD2));
    assert!(paired(EncodingIndex::WINDOWS_1257, 0xB8, 0xA8) && paired(EncodingIndex::WINDOWS_1257, b'a', b'A'));
}

#[test]
fn encodings_share_tables() {
    assert_eq!(family(EncodingIndex::WINDOWS_874), family(EncodingIndex::ISO_8859_11));
    assert_eq!(family(EncodingIndex::IBM437), None);
    assert_eq!(family(EncodingIndex::WINDOWS_1258), None);
}

#[test]
fn classes_follow_unicode_and_the_exceptions() {
    assert_eq!(members(EncodingIndex::ISO_8859_1, Class::Punct), [0xA1, 0xAB, 0xAD, 0xB7, 0xBB, 0xBF]);
    assert_eq!(members(EncodingIndex::WINDOWS_1251, Class::Space), [0xA0]);
    assert_eq!(members(EncodingIndex::WINDOWS_1251, Class::Blank), []);
    assert_eq!(members(EncodingIndex::ISO_8859_11, Class::Digit), []);
    assert!(letters(EncodingIndex::WINDOWS_1251).is_in(b'\t', Class::Print as u32));
    assert!(!letters(EncodingIndex::ISO_8859_1).is_in(b'a', 15));
}
