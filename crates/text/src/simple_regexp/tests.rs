//! What simple patterns find, and what is left to the engine.

use super::*;

const PLAIN: Options = Options { ignores_case: false, is_multiline: false, has_names: false };

fn read(source: &str) -> Option<SimpleRegexp> {
    SimpleRegexp::read(source.as_bytes(), PLAIN)
}

fn groups_of(source: &str, options: Options, text: &str, start: usize) -> Option<Vec<(i32, i32)>> {
    let regexp = SimpleRegexp::read(source.as_bytes(), options).expect("a simple pattern");
    let (mut begins, mut ends) = (vec![0; regexp.group_count()], vec![0; regexp.group_count()]);
    let mut groups = Groups { begins: &mut begins, ends: &mut ends };
    match regexp.search(text.as_bytes(), start, &mut groups, &mut Stack::default()) {
        Answer::Found => Some(begins.into_iter().zip(ends).collect()),
        Answer::Missing => None,
        Answer::GaveUp => panic!("gave up"),
    }
}

fn check(source: &str, text: &str, expected: &[&str]) {
    let found = groups_of(source, PLAIN, text, 0);
    let texts = found.map(|groups| {
        let part = |(begin, end): (i32, i32)| if begin < 0 { "-" } else { &text[begin as usize..end as usize] };
        groups.into_iter().map(part).collect::<Vec<_>>()
    });
    assert_eq!(texts.unwrap_or_default(), expected, "/{source}/ in {text:?}");
}

#[test]
fn literals_and_sets() {
    check("wor", "hello world", &["wor"]);
    check("[^ ]+", "  größe x", &["größe"]);
    check("\\d{2,3}", "1 1234", &["123"]);
    check("g.{2}e", "größe grüne gräe", &["gräe"]);
    check("gr.{2}e", "x größe", &["größe"]);
    check("[a-c\\-]+", "x-b-", &["-b-"]);
}

#[test]
fn what_was_taken_is_given_back() {
    check("\\w+b", "aabab c", &["aabab"]);
    check("(.*)=(.*)", "a=b=c", &["a=b=c", "a=b", "c"]);
    check("(.*?)=(.*)", "a=b=c", &["a=b=c", "a", "b=c"]);
    check("é.*é", "éaéß", &["éaé"]);
    check("(a+)+b", "aaac aab", &["aab", "aa"]);
    check("a*+a", "aaa", &[]);
}

#[test]
fn groups_of_another_way_are_forgotten() {
    check("(?:(a)b|(a)c)", "ac", &["ac", "-", "a"]);
    check("(?:(x)|y)+", "xy", &["xy", "x"]);
    check("(a)?b", "b", &["b", "-"]);
}

#[test]
fn anchors() {
    check("^b", "a\nb", &["b"]);
    check("^", "", &[""]);
    check("a$", "a\nb", &["a"]);
    check("\\Aab\\z", "ab", &["ab"]);
    check("b\\Z", "ab\n", &["b"]);
    check("\\bb\\w", "ab bc", &["bc"]);
    assert_eq!(groups_of("^", PLAIN, "a\n", 1), None, "no line begins at the end");
}

#[test]
fn cases() {
    let options = Options { ignores_case: true, ..PLAIN };
    assert_eq!(groups_of("h[t-z]+p", options, "HTTP", 0), Some(vec![(0, 4)]));
}

#[test]
fn what_is_not_simple_is_not_read() {
    let others = [
        "a**", "(?=a)", "(?i)a", "\\1", "(a", "a)", "[b-a]", "[[a]b]", "[a&&b]", "(a*)*", "\\x41", "é+", "a{2}+",
        "\\p{Han}", "\\z.*", "\\b(.+)",
    ];
    others.iter().for_each(|source| assert!(read(source).is_none(), "{source}"));
}

#[test]
fn long_searches_are_given_up() {
    let regexp = read("(a+)+c").unwrap();
    let text = "a".repeat(60);
    let mut groups = Groups { begins: &mut [0; 2], ends: &mut [0; 2] };
    assert_eq!(regexp.search(text.as_bytes(), 0, &mut groups, &mut Stack::default()), Answer::GaveUp);
}

#[test]
fn from_the_end() {
    let regexp = read("\\d+").unwrap();
    let mut groups = Groups { begins: &mut [0], ends: &mut [0] };
    let answer = regexp.search_back("12 345 é".as_bytes(), 5, &mut groups, &mut Stack::default());
    assert_eq!((answer, groups.begins[0], groups.ends[0]), (Answer::Found, 5, 6));
}
