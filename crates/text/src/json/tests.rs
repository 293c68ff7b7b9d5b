//! Tests of the JSON reader and writer.

use super::*;

#[test]
fn plain_prefix_agrees_with_looking_at_each_byte() {
    for special in 0..=255u8 {
        for at in 0..20 {
            let mut text = *b"abcdefgh\xe2\x80\xa8 klmnopqr";
            text[at] = special;
            let expected = text.iter().position(|b| is_special(*b)).unwrap_or(20);
            assert_eq!(plain_prefix(&text), expected, "{special} at {at}");
        }
    }
}

#[test]
fn strings_are_written_with_escapes() {
    let written = |text: &str, ascii_only, script_safe| {
        let mut out = Vec::new();
        push_string(text.as_bytes(), Escaping { ascii_only, script_safe }, &mut out);
        String::from_utf8(out).unwrap()
    };
    assert_eq!(written("a\"\\/\n\u{1}\u{7f}é", false, false), "\"a\\\"\\\\/\\n\\u0001\u{7f}é\"");
    assert_eq!(written("</\u{2028}é", false, true), "\"<\\/\\u2028é\"");
    assert_eq!(written("/é😀", true, false), "\"/\\u00e9\\ud83d\\ude00\"");
}

#[test]
fn floats_are_written_as_json_lays_them_out() {
    let cases = [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (100.0, "100.0"),
        (1e14, "100000000000000.0"),
        (1e15, "1e+15"),
        (-1.5e16, "-1.5e+16"),
        (1.5e-9, "0.0000000015"),
        (1e-10, "1e-10"),
        (12345678901.5, "12345678901.5"),
        (5e-324, "5e-324"),
    ];
    for (f, expected) in cases {
        let mut out = Vec::new();
        push_float(&mut out, f);
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}

fn unescaped(text: &[u8]) -> Result<Vec<u8>, Fault> {
    let mut out = Vec::new();
    unescape(text, string(text, 0)?, &mut out).map(|()| out)
}

#[test]
fn strings_are_read_with_escapes() {
    assert_eq!(unescaped(br#""a\n\"\u00e9\ud83d\ude00b""#).unwrap(), "a\n\"é😀b".as_bytes());
    assert_eq!(unescaped(br#""\udc00""#).unwrap(), b"\xed\xb0\x80");
    for (source, at) in
        [(&br#""a\u12""#[..], 1), (br#""a\u12zz""#, 2), (br#""x\ud800""#, 1), (b"\"a\nb\"", 2), (b"\"a\\", 4)]
    {
        assert_eq!(unescaped(source).unwrap_err().at, at, "{}", String::from_utf8_lossy(source));
    }
}

#[test]
fn numbers_end_where_they_end() {
    for (source, end, is_integer) in [("12,", 2, true), ("-0]", 2, true), ("1.5e+3x", 6, false), ("0e1", 3, false)] {
        assert_eq!(number(source.as_bytes(), 0), Ok(Number { end, is_integer }), "{source}");
    }
    for source in ["-", "01", "1.", "1e", "1e+", "-a"] {
        assert!(number(source.as_bytes(), 0).is_err(), "{source}");
    }
}

#[test]
fn places_and_fragments_are_those_of_json() {
    assert_eq!(place(b"[1,\n2,\n  x]", 9), (2, 3));
    assert_eq!(place(b"[1", 2), (1, 3));
    assert_eq!(place(b"\"a\\", 4), (1, 5));
    assert_eq!(shown(b"[1", 2), b"EOF");
    assert_eq!(shown("é".as_bytes(), 0), b"''");
    assert_eq!(shown(b"ab c", 0), b"'ab'");
}
