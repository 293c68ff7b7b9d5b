//! Tests of `tr`.

use super::*;
use crate::encoding::EncodingIndex;

const UTF_8: EncodingIndex = EncodingIndex::UTF_8;

fn translate(text: &str, from: &str, to: &str, squeeze: bool) -> Result<String, String> {
    let mut out = Vec::new();
    Translation::new(Text::utf8(from), Text::utf8(to), UTF_8)
        .and_then(|translation| translation.apply(Text::utf8(text), squeeze, &mut out))
        .map(|_| String::from_utf8(out).unwrap())
        .map_err(|error| error.message(UTF_8))
}

use crate::text::Text;

fn tr(text: &str, from: &str, to: &str) -> String {
    translate(text, from, to, false).unwrap()
}

fn tr_s(text: &str, from: &str, to: &str) -> String {
    translate(text, from, to, true).unwrap()
}

fn sets(sets: &[&str]) -> CharSets {
    CharSets::parse(sets.iter().map(|set| Text::utf8(set))).unwrap()
}

fn delete(text: &str, from: &[&str]) -> String {
    let mut out = Vec::new();
    super::delete(Text::utf8(text), &sets(from), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn squeeze(text: &str, from: &[&str]) -> String {
    let mut out = Vec::new();
    super::squeeze(Text::utf8(text), &sets(from), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn count(text: &str, from: &[&str]) -> usize {
    super::count(Text::utf8(text), &sets(from)).unwrap()
}

#[test]
fn tr_pairs_characters_and_repeats_the_last() {
    assert_eq!(tr("hello", "el", "ip"), "hippo");
    assert_eq!(tr("hello", "a-y", "b-z"), "ifmmp");
    assert_eq!(tr("hello", "elo", "ab"), "habbb");
    assert_eq!(tr("abc", "a-c", "あ-う"), "あぃい");
    assert_eq!(tr("あい", "あ-う", "a-c"), "ac");
    assert_eq!(tr("héllo", "a-z", "A-Z"), "HéLLO");
    assert_eq!(tr("abab", "aa", "xy"), "ybyb");
}

#[test]
fn tr_negates_escapes_and_takes_stray_dashes() {
    assert_eq!(tr("hello", "^l", "ab"), "bbllb");
    assert_eq!(tr("héa", "^é", "xy"), "yéy");
    assert_eq!(tr("he-llo\\^", "\\-\\\\\\^", "abc"), "heallobc");
    assert_eq!(tr("hello", "a-e-x", "1"), "h1llo");
    assert_eq!(tr("abc", "a-", "xy"), "xbc");
    assert_eq!(tr("a-c", "-a", "xy"), "yxc");
    assert_eq!(tr("a^c", "a^", "xy"), "xyc");
    assert_eq!(tr("a^c", "^", "x"), "axc");
    assert_eq!(tr("\\", "\\", "x"), "x");
}

#[test]
fn tr_s_squeezes_what_it_replaced() {
    assert_eq!(tr_s("hello", "l", "r"), "hero");
    assert_eq!(tr_s("aabbcc", "ab", "x"), "xcc");
    assert_eq!(tr_s("hello", "^l", "-"), "-ll-");
    assert_eq!(tr_s("あああ", "あ", "い"), "い");
}

#[test]
fn a_backward_range_is_an_error() {
    let error = |from| translate("x", from, "y", false).unwrap_err();
    assert_eq!(error("z-a"), "invalid range \"z-a\" in string transliteration");
    assert_eq!(error("い-あ"), "invalid range in string transliteration");
}

#[test]
fn invalid_bytes_are_an_error() {
    let broken = Text::of(b"a\xFFb", UTF_8);
    let error = super::delete(broken, &sets(&["a"]), &mut Vec::new()).unwrap_err();
    assert_eq!(error.message(UTF_8), "invalid byte sequence in UTF-8");
    assert!(CharSet::parse(broken).is_err());
}

#[test]
fn a_character_that_becomes_itself_counts_as_modified() {
    let translation = Translation::new(Text::utf8("a"), Text::utf8("a"), UTF_8).unwrap();
    assert_eq!(translation.apply(Text::utf8("ba"), false, &mut Vec::new()), Ok(true));
    assert_eq!(translation.apply(Text::utf8("b"), false, &mut Vec::new()), Ok(false));
}

#[test]
fn sets_intersect() {
    assert_eq!(delete("hello", &["l", "lo"]), "heo");
    assert_eq!(delete("he-l-lo", &["a\\-z"]), "hello");
    assert_eq!(delete("あbあ", &["^あ"]), "ああ");
    assert_eq!(count("hello^", &["^l"]), 4);
    assert_eq!(count("hello^", &["^"]), 1);
    assert_eq!(count("hello^", &["l^"]), 3);
    assert_eq!(count("a-z", &["-z"]), 2);
    assert_eq!(squeeze("aaabbb", &[]), "ab");
    assert_eq!(squeeze("aaabbb", &["a"]), "abbb");
    assert_eq!(squeeze("あああ", &["あ"]), "あ");
}

#[test]
fn bytes_are_their_own_code_points_in_binary() {
    let binary = |bytes| Text::of(bytes, EncodingIndex::BINARY);
    let translation = Translation::new(binary(b"\x80-\xFF"), binary(b"?"), EncodingIndex::BINARY).unwrap();
    let mut out = Vec::new();
    assert_eq!(translation.apply(binary(b"a\xFFb\x80"), false, &mut out), Ok(true));
    assert_eq!(out, b"a?b?");
}

/// All texts of up to `longest` of these characters.
fn texts(characters: &str, longest: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..longest {
        last = last.iter().flat_map(|text| characters.chars().map(move |c| format!("{text}{c}"))).collect();
        all.extend(last.iter().cloned());
    }
    all
}

const EVERY: &str = "abcde-^ \0\x7f";

#[test]
fn ascii_sets_are_read_as_all_others() {
    let mut read = 0;
    for set in texts("abd-^\\", 4) {
        let Some(ascii) = AsciiSet::parse(set.as_bytes()) else { continue };
        read += 1;
        let other = sets(&[&set]);
        for character in EVERY.chars() {
            let count = super::count(Text::utf8(&character.to_string()), &other).unwrap();
            assert_eq!(ascii.has(character as u8), count == 1, "{character:?} in {set:?}");
        }
        let long = EVERY.repeat(20);
        assert_eq!(ascii.count(long.as_bytes()), super::count(Text::utf8(&long), &other).unwrap(), "in {set:?}");
    }
    assert!(read > 500);
}

#[test]
fn ascii_translates_as_all_others() {
    let mut read = 0;
    for (from, to) in texts("abd-^", 4).iter().flat_map(|from| texts("xz-", 3).into_iter().map(move |to| (from, to))) {
        let Some(ascii) = AsciiTranslation::parse(from.as_bytes(), to.as_bytes()) else { continue };
        read += 1;
        let mut out = Vec::new();
        let is_changed = ascii.apply(EVERY.as_bytes(), &mut out);
        let out = if is_changed { String::from_utf8(out).unwrap() } else { EVERY.into() };
        assert_eq!(out, tr(EVERY, from, &to), "{from:?} to {to:?}");
        assert_eq!(is_changed, super::count(Text::utf8(EVERY), &sets(&[from])).unwrap() > 0);
    }
    assert!(read > 5000);
}
