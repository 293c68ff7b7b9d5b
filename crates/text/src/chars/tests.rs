//! Tests of `chars`.

use super::*;
use crate::encoding::EncodingIndex;

fn long_text() -> String {
    (0..400).map(|i| ["a", "é", "あ", "😀"][i % 4]).collect()
}

#[test]
fn counting_agrees_with_the_standard_library() {
    let text = long_text();
    assert_eq!(count(Text::utf8(&text)), 400);
    assert_eq!(count(Text::of(b"\xE3\x81", EncodingIndex::UTF_8)), 2);
    assert_eq!(count(Text::of(b"a\xFFb", EncodingIndex::UTF_8)), 3);
    assert_eq!(count(Text::of(b"\x82\xA0a", EncodingIndex::SHIFT_JIS)), 2);
    assert_eq!(count(Text::of(b"a\0b\0c", EncodingIndex::UTF_16LE)), 3);
}

#[test]
fn offsets_agree_with_the_standard_library() {
    let text = long_text();
    let view = Text::utf8(&text);
    for (nth, (at, _)) in text.char_indices().enumerate() {
        assert_eq!(offset(view, nth), Some(at));
        assert_eq!(offset_from_end(view, 400 - nth), Some(at));
        assert_eq!(index_of_offset(view, at), nth);
    }
    assert_eq!(offset(view, 400), Some(text.len()));
    assert_eq!(offset(view, 401), None);
    assert_eq!(offset_from_end(view, 401), None);
}

#[test]
fn substring_takes_characters() {
    let view = Text::utf8("aéあ😀z");
    let sub = |start, len| substring(view, start, len).map(|range| std::str::from_utf8(&view.bytes[range]).unwrap());
    assert_eq!(sub(1, 2), Some("éあ"));
    assert_eq!(sub(-2, 5), Some("😀z"));
    assert_eq!(sub(5, 1), Some(""));
    assert_eq!(sub(6, 1), None);
    assert_eq!(sub(-6, 1), None);
    assert_eq!(sub(0, usize::MAX), Some("aéあ😀z"));
}

#[test]
fn adjusting_finds_character_starts() {
    let view = Text::utf8("aあb");
    assert_eq!((0..6).map(|at| left_adjust(view, at)).collect::<Vec<_>>(), [0, 1, 1, 1, 4, 5]);
    assert_eq!((0..6).map(|at| right_adjust(view, at)).collect::<Vec<_>>(), [0, 1, 4, 4, 4, 5]);
    let sjis = Text::of(b"\x83\x41\x83\x83\x41", EncodingIndex::SHIFT_JIS);
    assert_eq!((0..5).map(|at| left_adjust(sjis, at)).collect::<Vec<_>>(), [0, 0, 2, 2, 4]);
    let utf16 = Text::of(b"\x3D\xD8\x00\xDEa\0", EncodingIndex::UTF_16LE);
    assert_eq!((0..6).map(|at| left_adjust(utf16, at)).collect::<Vec<_>>(), [0, 0, 0, 0, 4, 4]);
}

/// Recorded from `String#chop` and `String#start_with?`.
#[test]
fn broken_text_is_adjusted_as_in_cruby() {
    let left = |bytes, encoding, at| left_adjust(Text::of(bytes, encoding), at);
    assert_eq!(left(b"\xE3\x81", EncodingIndex::EUC_JP, 1), 0);
    assert_eq!(left(b"\xE3\x81\x82", EncodingIndex::EUC_JP, 2), 1);
    assert_eq!(left(b"\xED\xA0\x80", EncodingIndex::SHIFT_JIS, 2), 1);
    assert_eq!(left(b"\xC0\x80", EncodingIndex::SHIFT_JIS, 1), 0);
    assert_eq!(left(b"\xF0\x9F\x98\x80", EncodingIndex::CP949, 3), 2);
    assert_eq!(right_adjust(Text::of(b"\xE3\x81", EncodingIndex::UTF_8), 1), 2);
    let mut clusters = Vec::new();
    grapheme_clusters(Text::of(b"a\xE3\x81", EncodingIndex::UTF_8), |len| clusters.push(len));
    assert_eq!(clusters, [1]);
}

#[test]
fn reverse_keeps_characters_whole() {
    let mut out = b"x".to_vec();
    reverse(Text::utf8("aéあ"), &mut out);
    assert_eq!(out, "xあéa".as_bytes());
}

#[test]
fn codepoints_stop_at_invalid_bytes() {
    let codes: Vec<_> = codepoints(Text::of(b"a\xC3\xA9\xFF", EncodingIndex::UTF_8)).collect();
    assert_eq!(codes, [Ok(0x61), Ok(0xE9), Err(InvalidByteSequence)]);
}

#[test]
fn grapheme_clusters_join_marks_and_flags() {
    let lens = |text: Text<'_>| {
        let mut lens = Vec::new();
        grapheme_clusters(text, |len| lens.push(len));
        lens
    };
    assert_eq!(lens(Text::utf8("e\u{301}🇯🇵\r\na")), [3, 8, 2, 1]);
    assert_eq!(lens(Text::of(b"a\xFFb", EncodingIndex::UTF_8)), [1, 1, 1]);
    assert_eq!(grapheme_count(Text::utf8("👨‍👩‍👧")), 1);
}
