//! Tests of `case`.

use super::*;

fn mapped(text: &str, mapping: Mapping, options: CaseOptions) -> String {
    let mut out = Vec::new();
    map(Text::utf8(text), mapping, options, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn check(text: &str, mapping: Mapping, expect: &str) {
    assert_eq!(mapped(text, mapping, CaseOptions::default()), expect, "{text} {mapping:?}");
}

fn bytes(text: &[u8], encoding: EncodingIndex, mapping: Mapping) -> Vec<u8> {
    let mut out = Vec::new();
    map(Text::of(text, encoding), mapping, CaseOptions::default(), &mut out).unwrap();
    out
}

use Mapping::*;

#[test]
fn ascii_letters_change() {
    check("aB1é", Upcase, "AB1É");
    check("aB1", Downcase, "ab1");
    check("aB1", Swapcase, "Ab1");
    check("aBC d", Capitalize, "Abc d");
}

#[test]
fn one_letter_may_become_several() {
    check("ß", Upcase, "SS");
    check("ß", Capitalize, "Ss");
    check("ﬁ", Upcase, "FI");
    check("ﬃa", Capitalize, "Ffia");
    check("ŉ", Swapcase, "ʼN");
    check("ŉ", Capitalize, "ʼN");
    check("İ", Downcase, "i̇");
    check("և", Capitalize, "Եւ");
}

#[test]
fn sigma_ignores_its_place() {
    check("ΑΣ", Downcase, "ασ");
    check("Αας ΑΣ", Swapcase, "αΑΣ ασ");
}

#[test]
fn title_case_letters_have_three_forms() {
    check("ǆ", Capitalize, "ǅ");
    check("Ǆ", Capitalize, "ǅ");
    check("ǅ", Swapcase, "dŽ");
    check("ᾀ", Capitalize, "ᾈ");
    check("ᾈ", Swapcase, "ἀΙ");
    check("ᾳ", Capitalize, "ᾼ");
    check("ᾲ", Capitalize, "Ὰ\u{345}");
    check("ა", Capitalize, "ა");
    check("Ა", Capitalize, "ა");
}

#[test]
fn folding_knows_its_exceptions() {
    check("ßİẞ", Fold, "ssi̇ss");
    check("ı", Fold, "ı");
    check("Ꭰꭰ", Fold, "ᎠᎠ");
    check("ᏸ", Fold, "Ᏸ");
    check("ς", Fold, "σ");
}

#[test]
fn turkic_keeps_dots() {
    let turkic = CaseOptions { is_turkic: true, ..Default::default() };
    assert_eq!(mapped("iıİI", Upcase, turkic), "İIİI");
    assert_eq!(mapped("iıİI", Downcase, turkic), "iıiı");
    assert_eq!(mapped("iıİI", Swapcase, turkic), "İIiı");
    assert_eq!(mapped("iıİI", Capitalize, turkic), "İıiı");
}

#[test]
fn ascii_option_leaves_the_rest() {
    let ascii = CaseOptions { is_ascii: true, ..Default::default() };
    assert_eq!(mapped("aé", Upcase, ascii), "Aé");
}

#[test]
fn pages_map_within_themselves() {
    assert_eq!(bytes(b"\xE9\xC9\xDFa", EncodingIndex::ISO_8859_1, Upcase), b"\xC9\xC9SSA");
    assert_eq!(bytes(b"\xFF\xB5", EncodingIndex::ISO_8859_1, Upcase), b"\xFF\xB5");
    assert_eq!(bytes(b"\xEF", EncodingIndex::ISO_8859_5, Upcase), b"\xCF");
    assert_eq!(bytes(b"\xD1", EncodingIndex::KOI8_R, Upcase), b"\xD1");
    assert_eq!(bytes(b"\xFF\xDF", EncodingIndex::WINDOWS_1252, Upcase), b"\x9FSS");
}

#[test]
fn other_encodings_map_ascii() {
    assert_eq!(bytes(b"\xA3\xE1a", EncodingIndex::EUC_JP, Upcase), b"\xA3\xE1A");
    assert_eq!(bytes(b"\x83a", EncodingIndex::SHIFT_JIS, Upcase), b"\x83a");
    assert_eq!(bytes(b"\xC3\xA9a\xFF", EncodingIndex::BINARY, Upcase), b"\xC3\xA9A\xFF");
    assert_eq!(bytes(b"\xE9\0a\0", EncodingIndex::UTF_16LE, Upcase), b"\xC9\0A\0");
}

#[test]
fn invalid_bytes_are_refused() {
    let broken = Text::of(b"a\xFF", EncodingIndex::UTF_8);
    assert_eq!(map(broken, Upcase, CaseOptions::default(), &mut Vec::new()), Err(InvalidInput));
}

#[test]
fn change_is_reported() {
    let is_changed = |text, mapping| map(Text::utf8(text), mapping, CaseOptions::default(), &mut Vec::new()).unwrap();
    assert!(is_changed("aé", Upcase) && !is_changed("AÉ", Upcase) && !is_changed("", Capitalize));
    let mut bytes = *b"hello";
    assert!(map_ascii_in_place(&mut bytes, Capitalize) && bytes == *b"Hello");
    assert!(!map_ascii_in_place(&mut bytes, Capitalize));
}

#[test]
fn options_are_checked() {
    let parse = |arguments: &[&str], mapping| {
        let arguments: Vec<_> = arguments.iter().map(|&name| Some(name)).collect();
        CaseOptions::parse(&arguments, mapping).map_err(|error| error.0)
    };
    let turkic = CaseOptions { is_turkic: true, is_ascii: false };
    assert_eq!(parse(&["ascii"], Upcase), Ok((Upcase, CaseOptions { is_turkic: false, is_ascii: true })));
    assert_eq!(parse(&["lithuanian", "turkic"], Upcase), Ok((Upcase, turkic)));
    assert_eq!(parse(&["turkic", "lithuanian"], Upcase), Ok((Upcase, turkic)));
    assert_eq!(parse(&["fold"], Downcase), Ok((Fold, CaseOptions::default())));
    assert_eq!(parse(&["fold"], Upcase), Err("option :fold only allowed for downcasing"));
    assert_eq!(parse(&["foo"], Upcase), Err("invalid option"));
    assert_eq!(parse(&["ascii", "turkic"], Upcase), Err("too many options"));
    assert_eq!(parse(&["fold", "turkic"], Downcase), Err("too many options"));
    assert_eq!(parse(&["turkic", "foo"], Upcase), Err("invalid second option"));
    assert_eq!(parse(&["turkic", "turkic"], Upcase), Err("invalid second option"));
    assert_eq!(parse(&["turkic", "lithuanian", "ascii"], Upcase), Err("too many options"));
    assert_eq!(CaseOptions::parse(&[None], Upcase), Err(OptionError("invalid option")));
}

/// The answer for one mapping as the recording writes it: an equals sign, or numbers in hexadecimal.
fn answer(encoding: EncodingIndex, char: &[u8], mapping: Mapping) -> String {
    let out = bytes(char, encoding, mapping);
    if out == char {
        return "=".to_owned();
    }
    let codes = crate::chars::codepoints(Text::of(&out, encoding)).map(|code| format!("{:x}", code.unwrap()));
    codes.collect::<Vec<_>>().join("_")
}

fn answers(encoding: EncodingIndex, code: u32) -> String {
    let mut char = Vec::new();
    encode_codepoint(encoding, code, &mut char).unwrap();
    let folded = encoding.is_unicode().then_some(Fold);
    let mappings = [Upcase, Downcase, Capitalize, Swapcase].into_iter().chain(folded);
    mappings.map(|mapping| answer(encoding, &char, mapping)).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_character_maps_as_recorded() {
    let text = |field: &[u8]| String::from_utf8(field.to_vec()).unwrap();
    let recorded: std::collections::HashMap<_, _> = crate::recorded::cases(include_str!("../../recorded/case.tsv"))
        .map(|(_, fields)| {
            let encoding = EncodingIndex::find_by_name(&fields[0]).unwrap();
            ((encoding, u32::from_str_radix(&text(&fields[1]), 16).unwrap()), text(&fields[2]))
        })
        .collect();
    assert!(recorded.len() > 4000);
    let unicode =
        (0..=0x10FFFF).filter(|&code| char::from_u32(code).is_some()).map(|code| (EncodingIndex::UTF_8, code));
    let pages = EncodingIndex::all().filter(|encoding| encoding.kind() == crate::encoding::Kind::SingleByte);
    for case in unicode.chain(pages.flat_map(|encoding| (0x80..=0xFF).map(move |code| (encoding, code)))) {
        let actual = answers(case.0, case.1);
        match recorded.get(&case) {
            Some(expected) => assert_eq!(&actual, expected, "{case:x?}"),
            None => assert!(actual.bytes().all(|byte| b"= ".contains(&byte)), "{case:x?} {actual}"),
        }
    }
}
