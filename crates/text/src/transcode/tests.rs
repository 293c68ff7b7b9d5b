//! Tests of `transcode`.

use super::*;
use crate::encoding::EncodingIndex as E;

fn run(bytes: &[u8], from: E, to: E, options: &Options<'_>) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    match encode(Text::of(bytes, from), to, options, &mut out) {
        Ok(Outcome::Converted) => Ok(out),
        Ok(Outcome::Unchanged) => Ok(bytes.to_vec()),
        Err(error) => Err(error.message()),
    }
}

fn plain(bytes: &[u8], from: E, to: E) -> Result<Vec<u8>, String> {
    run(bytes, from, to, &Options::default())
}

#[track_caller]
fn check(text: &str, encoding: E, bytes: &[u8]) {
    assert_eq!(plain(text.as_bytes(), E::UTF_8, encoding).as_deref(), Ok(bytes));
    assert_eq!(plain(bytes, encoding, E::UTF_8).as_deref(), Ok(text.as_bytes()));
}

#[track_caller]
fn fails(bytes: &[u8], from: E, to: E, message: &str) {
    assert_eq!(plain(bytes, from, to), Err(message.to_owned()));
}

#[test]
fn encodings_round_trip() {
    check("😀", E::UTF_16BE, b"\xD8\x3D\xDE\x00");
    check("aé", E::UTF_16LE, b"a\0\xE9\0");
    check("a", E::UTF_16, b"\xFE\xFF\x00a");
    check("a", E::UTF_32, b"\x00\x00\xFE\xFF\x00\x00\x00a");
    check("😀", E::CESU_8, b"\xED\xA0\xBD\xED\xB8\x80");
    check("é€", E::ISO_8859_15, b"\xE9\xA4");
    check("é", E::IBM037, b"Q");
    check("яa", E::KOI8_R, b"\xD1a");
    check("あ亜—〜", E::EUC_JP, b"\xA4\xA2\xB0\xA1\xA1\xBD\xA1\xC1");
    check("é", E::EUC_JP, b"\x8F\xAB\xB1");
    check("あｱ〜", E::SHIFT_JIS, b"\x82\xA0\xB1\x81\x60");
    check("あ①～\u{E000}\u{E757}", E::WINDOWS_31J, b"\x82\xA0\x87\x40\x81\x60\xF0\x40\xF9\xFC");
    check("가", E::EUC_KR, b"\xB0\xA1");
    check("똠", E::CP949, b"\x8C\x63");
    check("中€", E::GBK, b"\xD6\xD0\x80");
    check("😀", E::GB18030, b"\x94\x39\xFC\x36");
    check("一", E::BIG5, b"\xA4\x40");
    check("aあb", E::ISO_2022_JP, b"a\x1B$B$\"\x1B(Bb");
    check("あｱ", E::CP50221, b"\x1B$B$\"\x1B(I1\x1B(B");
    check("あa", E::STATELESS_ISO_2022_JP, b"\x92\xA4\xA2a");
    check("あ", E::EUC_JIS_2004, b"\xA4\xA2");
    check("À一", E::BIG5_HKSCS, b"\x88\x59\xA4\x40");
    check("あ", E::BIG5_UAO, b"\xC6\xE8");
    check("あ", E::SJIS_KDDI, b"\x82\xA0");
    check("aあ", E::ISO_2022_JP_KDDI, b"a\x1B$B$\"\x1B(B");
}

#[test]
fn pictures_of_carriers_are_exchanged() {
    check("☀", E::SJIS_DOCOMO, b"\xF8\x9F");
    let docomo = "\u{E63E}".as_bytes();
    assert_eq!(plain("☀".as_bytes(), E::UTF_8, E::UTF8_DOCOMO).as_deref(), Ok(docomo));
    assert_eq!(plain(docomo, E::UTF8_DOCOMO, E::UTF8_KDDI).as_deref(), Ok("\u{E488}".as_bytes()));
    fails(
        docomo,
        E::UTF8_DOCOMO,
        E::WINDOWS_31J,
        "U+2600 to Windows-31J in conversion from UTF8-DoCoMo to UTF-8 to Windows-31J",
    );
}

#[test]
fn byte_order_marks_decide() {
    assert_eq!(plain(b"\xFF\xFEa\0", E::UTF_16, E::UTF_8).unwrap(), b"a");
    fails(b"\x00a", E::UTF_16, E::UTF_8, "\"\\x00a\" on UTF-16");
}

#[test]
fn the_mac_form_is_composed() {
    assert_eq!(plain("e\u{301}".as_bytes(), E::UTF8_MAC, E::UTF_8).unwrap(), "é".as_bytes());
}

#[test]
fn invalid_bytes_are_told_with_what_follows() {
    let utf8 = |bytes, message| fails(bytes, E::UTF_8, E::UTF_16LE, message);
    utf8(b"a\xFF", r#""\xFF" on UTF-8"#);
    utf8(b"\xE3", r#"incomplete "\xE3" on UTF-8"#);
    utf8(b"\xE3\x81x", r#""\xE3\x81" followed by "x" on UTF-8"#);
    utf8(b"\xED\xA0\x80", r#""\xED" followed by "\xA0" on UTF-8"#);
    utf8(b"\xC0\x80", r#""\xC0" on UTF-8"#);
    fails(b"\xD8\x00", E::UTF_16BE, E::UTF_8, r#"incomplete "\xD8\x00" on UTF-16BE"#);
    fails(b"\xDC\x00\x00a", E::UTF_16BE, E::UTF_8, r#""\xDC\x00" on UTF-16BE"#);
    fails(b"\xD8\x00\x00a", E::UTF_16BE, E::UTF_8, r#""\xD8\x00" followed by "\x00" on UTF-16BE"#);
    fails(b"\x00\xD8a\x00", E::UTF_16LE, E::UTF_8, r#""\x00\xD8" followed by "a\x00" on UTF-16LE"#);
    fails(b"\x00\x11\x00\x00", E::UTF_32BE, E::UTF_8, r#""\x00\x11\x00\x00" on UTF-32BE"#);
    fails(b"a\xFF", E::US_ASCII, E::UTF_8, r#""\xFF" on US-ASCII"#);
    fails(b"\xA4\xFF", E::EUC_JP, E::SHIFT_JIS, r#""\xA4" followed by "\xFF" on EUC-JP"#);
    fails(b"\x81\x20", E::SHIFT_JIS, E::UTF_8, r#""\x81" followed by " " on Shift_JIS"#);
    fails(b"\x81\x30\x81", E::GB18030, E::UTF_8, r#"incomplete "\x810\x81" on GB18030"#);
}

#[test]
fn undefined_characters_are_told_with_the_way() {
    fails(b"\xE9", E::BINARY, E::UTF_8, r#""\xE9" from ASCII-8BIT to UTF-8"#);
    fails("あ".as_bytes(), E::UTF_8, E::US_ASCII, "U+3042 from UTF-8 to US-ASCII");
    fails(b"\xE9", E::BINARY, E::UTF_16LE, r#""\xE9" to UTF-8 in conversion from ASCII-8BIT to UTF-8 to UTF-16LE"#);
    fails(b"\x81", E::WINDOWS_1252, E::UTF_8, r#""\x81" to UTF-8 in conversion from Windows-1252 to UTF-8"#);
    fails(b"\x8F\xAB\xB1", E::EUC_JP, E::SHIFT_JIS, r#""\x8F\xAB\xB1" from EUC-JP to Shift_JIS"#);
    fails(b"\xA9\xA1", E::EUC_JP, E::UTF_8, r#""\xA9\xA1" from EUC-JP to UTF-8"#);
    let way = "in conversion from UTF-8 to ISO-8859-1 to IBM037";
    fails("あ".as_bytes(), E::UTF_8, E::IBM037, &format!("U+3042 to ISO-8859-1 {way}"));
    let way = "in conversion from UTF-8 to EUC-JP to stateless-ISO-2022-JP to ISO-2022-JP";
    fails("ｱ".as_bytes(), E::UTF_8, E::ISO_2022_JP, &format!(r#""\x8E\xB1" to stateless-ISO-2022-JP {way}"#));
    fails("①".as_bytes(), E::UTF_8, E::ISO_2022_JP, &format!("U+2460 to EUC-JP {way}"));
}

#[test]
fn missing_converters_are_told() {
    fails("あ".as_bytes(), E::UTF_8, E::EUC_TW, "code converter not found (UTF-8 to EUC-TW)");
    fails("あ".as_bytes(), E::UTF_8, E::UTF_7, "code converter not found (UTF-8 to UTF-7)");
}

#[test]
fn replacing_keeps_the_rest() {
    let both = Options { replaces_invalid: true, replaces_undefined: true, ..Default::default() };
    assert_eq!(run(b"a\xFFb", E::UTF_8, E::UTF_16LE, &both).unwrap(), b"a\0\xFD\xFFb\0");
    assert_eq!(run(b"\xED\xA0\x80", E::UTF_8, E::UTF_16BE, &both).unwrap(), b"\xFF\xFD\xFF\xFD\xFF\xFD");
    assert_eq!(run("aあb".as_bytes(), E::UTF_8, E::US_ASCII, &both).unwrap(), b"a?b");
    assert_eq!(run(b"a\xFFb", E::UTF_8, E::UTF_8, &both).unwrap(), "a\u{FFFD}b".as_bytes());
    let own = Options { replacement: Some(Text::utf8("é")), ..both };
    assert_eq!(run("あ".as_bytes(), E::UTF_8, E::WINDOWS_1252, &own).unwrap(), b"\xE9");
    let unfit = Options { replacement: Some(Text::utf8("あ")), ..both };
    let message = "code converter not found (UTF-8 to ISO-8859-1)";
    assert_eq!(run("い".as_bytes(), E::UTF_8, E::ISO_8859_1, &unfit), Err(message.to_owned()));
}

#[test]
fn xml_escapes_and_refers() {
    let text = Options { xml: Some(Xml::Text), ..Default::default() };
    let attr = Options { xml: Some(Xml::Attr), ..Default::default() };
    assert_eq!(run("a<&>\"あ".as_bytes(), E::UTF_8, E::US_ASCII, &text).unwrap(), b"a&lt;&amp;&gt;\"&#x3042;");
    assert_eq!(run("<\"'あ".as_bytes(), E::UTF_8, E::US_ASCII, &attr).unwrap(), b"\"&lt;&quot;&apos;&#x3042;\"");
    assert_eq!(run(b"\xFF\n<", E::UTF_8, E::UTF_8, &text).unwrap(), b"\xFF\n&lt;");
}

#[test]
fn newlines_convert() {
    let newline = |newline| Options { newline: Some(newline), ..Default::default() };
    let same = |kind| run(b"a\nb\r\nc\r", E::UTF_8, E::UTF_8, &newline(kind)).unwrap();
    assert_eq!(same(Newline::Universal), b"a\nb\nc\n");
    assert_eq!(same(Newline::Crlf), b"a\r\nb\r\r\nc\r");
    assert_eq!(same(Newline::Cr), b"a\rb\r\rc\r");
    assert_eq!(run(b"a\nb", E::UTF_8, E::UTF_16LE, &newline(Newline::Crlf)).unwrap(), b"a\0\r\0\n\0b\0");
}

#[test]
fn a_converter_stops_and_goes_on() {
    let mut converter = Converter::new(E::UTF_8, E::US_ASCII, &Options::default()).unwrap();
    let (mut out, mut at) = (Vec::new(), 0);
    assert!(converter.run("aあb".as_bytes(), &mut at, false, &mut out).is_err());
    assert!(converter.insert(Text::utf8("い"), &mut out).is_err());
    assert!(converter.insert(Text::utf8("[a]"), &mut out).is_ok());
    assert_eq!(converter.run("aあb".as_bytes(), &mut at, false, &mut out), Ok(()));
    assert_eq!((out.as_slice(), at), (&b"a[a]b"[..], 5));
}

#[test]
fn partial_input_waits_for_the_rest() {
    let mut converter = Converter::new(E::UTF_8, E::UTF_16BE, &Options::default()).unwrap();
    let (mut out, mut at) = (Vec::new(), 0);
    assert_eq!(converter.run(b"a\xE3\x81", &mut at, true, &mut out), Ok(()));
    assert_eq!(at, 1);
}

#[test]
fn paths_are_crubys() {
    assert_eq!(path(E::UTF_16LE, E::UTF_8), Some(vec![E::UTF_16LE, E::UTF_8]));
    assert_eq!(path(E::ISO_2022_JP, E::EUC_JP), Some(vec![E::ISO_2022_JP, E::STATELESS_ISO_2022_JP, E::EUC_JP]));
    let through_shift_jis = vec![E::SHIFT_JIS, E::EUC_JP, E::STATELESS_ISO_2022_JP, E::ISO_2022_JP];
    assert_eq!(path(E::SHIFT_JIS, E::ISO_2022_JP), Some(through_shift_jis));
    assert_eq!(path(E::IBM037, E::ISO_8859_1), Some(vec![E::IBM037, E::ISO_8859_1]));
    assert_eq!(path(E::SHIFT_JIS, E::EUC_JP), Some(vec![E::SHIFT_JIS, E::EUC_JP]));
    assert_eq!(path(E::WINDOWS_31J, E::EUC_JP), Some(vec![E::WINDOWS_31J, E::UTF_8, E::EUC_JP]));
    assert_eq!(path(E::UTF_8, E::EUC_TW), None);
}

#[test]
fn direct_conversions_are_those_of_the_converter() {
    let slowly = |bytes: &[u8], from: E, to: E| {
        let (mut converter, mut out, mut at) = (Converter::new(from, to, &Options::default()).ok()?, Vec::new(), 0);
        converter.start(&mut out);
        converter.run(bytes, &mut at, false, &mut out).ok()?;
        converter.finish(&mut out);
        Some(out)
    };
    let all: String = ('\0'..=char::MAX).step_by(13).chain("\u{FEFF}\u{FFFE}".chars()).collect();
    let latin: String = ('\0'..='\u{FF}').collect();
    for form in [E::UTF_16LE, E::UTF_16BE, E::UTF_32LE, E::UTF_32BE, E::ISO_8859_1] {
        for text in [&all, &latin] {
            let there = slowly(text.as_bytes(), E::UTF_8, form);
            assert_eq!(there, plain(text.as_bytes(), E::UTF_8, form).ok(), "{form:?}");
            let Some(bytes) = there else { continue };
            assert_eq!(slowly(&bytes, form, E::UTF_8), plain(&bytes, form, E::UTF_8).ok(), "{form:?}");
            let cut = &bytes[..bytes.len() - 1];
            assert_eq!(slowly(cut, form, E::UTF_8), plain(cut, form, E::UTF_8).ok(), "{form:?}");
        }
    }
}
