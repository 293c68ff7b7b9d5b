//! Tests of `encoding`.

use super::*;

fn len(encoding: EncodingIndex, bytes: &[u8]) -> Char {
    char_len(encoding, bytes)
}

#[test]
fn names_and_aliases_are_found_in_any_case() {
    assert_eq!(EncodingIndex::find_by_name(b"utf-8"), Some(EncodingIndex::UTF_8));
    assert_eq!(EncodingIndex::find_by_name(b"binary"), Some(EncodingIndex::ASCII_8BIT));
    assert_eq!(EncodingIndex::find_by_name(b"cp932"), Some(EncodingIndex::WINDOWS_31J));
    assert_eq!(EncodingIndex::find_by_name(b"646"), Some(EncodingIndex::US_ASCII));
    assert_eq!(EncodingIndex::find_by_name(b"nope"), None);
}

#[test]
fn constants_name_their_rows() {
    assert_eq!(COUNT, 103);
    assert_eq!(EncodingIndex::SJIS_SOFTBANK.name(), "SJIS-SoftBank");
    assert_eq!(EncodingIndex::ISO_8859_16.name(), "ISO-8859-16");
    assert_eq!(EncodingIndex::UTF_7.name(), "UTF-7");
    assert_eq!(EncodingIndex::SHIFT_JIS.name(), "Shift_JIS");
}

#[test]
fn inspect_names_binary_first() {
    assert_eq!(EncodingIndex::BINARY.inspect(), "#<Encoding:BINARY (ASCII-8BIT)>");
    assert_eq!(EncodingIndex::UTF_8.inspect(), "#<Encoding:UTF-8>");
    assert_eq!(EncodingIndex::UTF_16.inspect(), "#<Encoding:UTF-16 (dummy)>");
}

#[test]
fn only_wide_and_dummy_encodings_are_ascii_incompatible() {
    let incompatible: Vec<_> = EncodingIndex::all().filter(|e| !e.is_ascii_compatible()).map(|e| e.name()).collect();
    assert_eq!(
        incompatible.join(" "),
        "UTF-16BE UTF-16LE UTF-32BE UTF-32LE UTF-16 UTF-32 IBM037 ISO-2022-JP ISO-2022-JP-2 CP50220 CP50221 UTF-7 \
         ISO-2022-JP-KDDI"
    );
}

#[test]
fn utf8_rejects_overlong_surrogate_and_out_of_range() {
    let utf8 = EncodingIndex::UTF_8;
    assert_eq!(len(utf8, "é".as_bytes()), Char::Valid(2));
    assert_eq!(len(utf8, "😀x".as_bytes()), Char::Valid(4));
    for bad in [&b"\x80"[..], b"\xC0\x80", b"\xE0\x80\x80", b"\xED\xA0\x80", b"\xF4\x90\x80\x80", b"\xE3\x81x", b"\xFF"]
    {
        assert_eq!(len(utf8, bad), Char::Invalid, "{bad:?}");
    }
    assert_eq!(len(utf8, b"\xE3"), Char::NeedMore(2));
    assert_eq!(len(utf8, b"\xF0\x9F\x98"), Char::NeedMore(1));
}

#[test]
fn utf16_steps_over_surrogate_pairs() {
    assert_eq!(len(EncodingIndex::UTF_16LE, b"\x3D\xD8\x00\xDE"), Char::Valid(4));
    assert_eq!(len(EncodingIndex::UTF_16BE, b"\xD8\x3D\xDE\x00"), Char::Valid(4));
    assert_eq!(len(EncodingIndex::UTF_16BE, b"\xD8\x3D"), Char::NeedMore(2));
    assert_eq!(len(EncodingIndex::UTF_16BE, b"\xDC\x3D"), Char::Invalid);
    assert_eq!(len(EncodingIndex::UTF_16BE, b"a"), Char::NeedMore(1));
    assert_eq!(mbclen(EncodingIndex::UTF_16BE, b"\xDC\x3Dab"), 2);
}

#[test]
fn asian_encodings_step_by_lead_and_trail() {
    assert_eq!(len(EncodingIndex::SHIFT_JIS, b"\x82\xA0"), Char::Valid(2));
    assert_eq!(len(EncodingIndex::SHIFT_JIS, b"\xB1"), Char::Valid(1));
    assert_eq!(len(EncodingIndex::SHIFT_JIS, b"\x80"), Char::Invalid);
    assert_eq!(len(EncodingIndex::EUC_JP, b"\x8F\xA1\xA1"), Char::Valid(3));
    assert_eq!(len(EncodingIndex::EUC_JP, b"\x8F\xA1"), Char::NeedMore(1));
    assert_eq!(len(EncodingIndex::GB18030, b"\x81\x30\x81\x30"), Char::Valid(4));
    assert_eq!(len(EncodingIndex::GB18030, b"\x81\x40"), Char::Valid(2));
    assert_eq!(len(EncodingIndex::GBK, b"\x80"), Char::Valid(1));
    assert_eq!(len(EncodingIndex::EUC_TW, b"\x8E\xA1\xA1\xA1"), Char::Valid(4));
    assert_eq!(len(EncodingIndex::BIG5, b"\xA1\x40"), Char::Valid(2));
}

#[test]
fn codepoints_round_trip() {
    for (encoding, code) in [
        (EncodingIndex::UTF_8, 0x1F600),
        (EncodingIndex::UTF_16LE, 0x1F600),
        (EncodingIndex::UTF_16BE, 0x3042),
        (EncodingIndex::UTF_32LE, 0x1F600),
        (EncodingIndex::UTF_32BE, 0x41),
        (EncodingIndex::CESU_8, 0x10000),
        (EncodingIndex::EUC_JP, 0x8FA1A1),
        (EncodingIndex::SHIFT_JIS, 0x8140),
        (EncodingIndex::GB18030, 0x8130_8130),
        (EncodingIndex::BINARY, 0),
        (EncodingIndex::BINARY, 0xFF),
    ] {
        let mut out = Vec::new();
        let written = encode_codepoint(encoding, code, &mut out).unwrap();
        assert_eq!(codepoint(encoding, &out), Some((code, written)), "{encoding:?} {code:x}");
    }
}

#[test]
fn numbers_without_a_character_are_refused_with_crubys_words() {
    let error = |encoding, code| encode_codepoint(encoding, code, &mut Vec::new()).unwrap_err().message(code, encoding);
    assert_eq!(error(EncodingIndex::UTF_8, 0xD800), "invalid codepoint 0xD800 in UTF-8");
    assert_eq!(error(EncodingIndex::UTF_8, 0x110000), "1114112 out of char range");
    assert_eq!(error(EncodingIndex::UTF_16LE, 0x110000), "invalid codepoint 0x110000 in UTF-16LE");
    assert_eq!(error(EncodingIndex::US_ASCII, 0x80), "invalid codepoint 0x80 in US-ASCII");
    assert_eq!(error(EncodingIndex::BINARY, 0x100), "256 out of char range");
    assert_eq!(error(EncodingIndex::EUC_JP, 0xD800), "invalid codepoint 0xD800 in EUC-JP");
}
