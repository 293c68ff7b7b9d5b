//! What simple patterns find, and what is left to the engine.

use super::program::Insn;
use super::*;

const PLAIN: Options = Options {
    ignores_case: false,
    is_multiline: false,
    is_extended: false,
    is_for_ascii: false,
    is_for_bytes: false,
    has_names: false,
};

fn read(source: &str) -> Option<SimpleRegexp> {
    SimpleRegexp::read(source.as_bytes(), PLAIN)
}

fn groups_of(source: &str, options: Options, text: &str, start: usize) -> Option<Vec<(i32, i32)>> {
    let regexp = SimpleRegexp::read(source.as_bytes(), options).expect("a simple pattern");
    let (mut begins, mut ends) = (vec![0; regexp.group_count()], vec![0; regexp.group_count()]);
    let mut groups = Groups { begins: &mut begins, ends: &mut ends };
    match regexp.search(text.as_bytes(), start, &mut groups, &mut Stack::default(), Effort::Brief) {
        Answer::Found => Some(begins.into_iter().zip(ends).collect()),
        Answer::Missing => None,
        Answer::GaveUp | Answer::Unknown => panic!("gave up"),
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
fn what_looks_around() {
    check("(?<=a|bc)\\d(?=(.))", "1 a2x", &["2", "x"]);
    check("(?<!\\\\)(?:\\\\\\\\)*\"", "\\\" \"", &["\""]);
    check("\\w+(?!\\w|\\()", "f(x)", &["x"]);
    check("(?!(a)b)a", "abac", &["a", "-"]);
    check("(?<=é)b", "aéb", &["b"]);
}

#[test]
fn parts_that_give_nothing_back() {
    check("(?>a|ab)c", "abc", &[]);
    check("(?>(a)b|.)c", "abc", &["abc", "a"]);
    check("(?:ab)++ab", "ababab", &[]);
}

#[test]
fn groups_once_more() {
    check("(['\"])(.*?)\\1", "say 'a\"b' it", &["'a\"b'", "'", "a\"b"]);
    check("(?<q>.)\\k<q>", "abccd", &["cc", "c"]);
    check("(a)?b\\1", "b", &[]);
}

#[test]
fn options_within() {
    check("a(?i)b|c", "AB aC", &["aC"]);
    check("(?x: a # one\n b )c", "abc", &["abc"]);
    check("(?m-i:.)b", "\nb", &["\nb"]);
    check("a{", "a{", &["a{"]);
    check("(a|b)(?:\\1|c)*", "xbbcb", &["bbcb", "b"]);
    check("(?<=([a-c]))d", "xcd", &["d", "c"]);
    check("a(?#of any kind)b", "ab", &["ab"]);
}

#[test]
fn sets_of_sets() {
    check("[a-z&&[^aeiou]]+", "aeixyz", &["xyz"]);
    check("[à-ü[0-9]]+", "a é1ß", &["é1"]);
    check("[^[:space:]\\u00e9]+", "é\u{A0}aßé", &["aß"]);
}

#[test]
fn groups_so_many_times() {
    check("(?:\\d{1,3}\\.){3}\\d+", "1.2 10.0.0.12", &["10.0.0.12"]);
    check("(a.){1,2}?b", "axayb", &["axayb", "ay"]);
    check("<(?:.)+?>", "<a><b>", &["<a>"]);
    check("(a*)*b", "aab", &["aab", ""]);
    check("(?:a*){2,}b", "aab", &["aab"]);
    check("(a*){2}", "aa", &["aa", ""]);
}

#[test]
fn where_the_search_began() {
    assert_eq!(groups_of("\\Gb", PLAIN, "abb", 1), Some(vec![(1, 2)]));
    assert_eq!(groups_of("\\Gb", PLAIN, "aab", 1), None);
}

#[test]
fn what_is_not_simple_is_not_read() {
    let others = [
        "a**",
        "\\1",
        "(a",
        "a)",
        "[b-a]",
        "\\xE9",
        "a{2}+",
        "\\p{Han}",
        "\\z.*",
        "\\b(.+)",
        "(?=a).*",
        "\\R",
        "\\X",
        "a\\Kb",
        "(?<a>b)\\g<a>",
        "(?<=a+)b",
        "(?~a)",
        "(a)?(?(1)b)",
        "(?i:é)",
        "(?u)a",
    ];
    others.iter().for_each(|source| assert!(read(source).is_none(), "{source}"));
}

#[test]
fn tables_are_the_engines() {
    for (source, text) in [("\\bx", "日x"), ("[[:alpha:]]x", "日x"), ("(?i:k)x", "\u{212A}x"), ("a\\p{Lu}*", "aé")] {
        let regexp = read(source).expect("a simple pattern");
        let mut groups = Groups { begins: &mut [0], ends: &mut [0] };
        let answer = regexp.search(text.as_bytes(), 0, &mut groups, &mut Stack::default(), Effort::Brief);
        assert_eq!(answer, Answer::Unknown, "{source}");
    }
    check("a\\b", "é a", &["a"]);
    check("\\b\\w\\b", "éa a", &["a"]);
    check("[[:alpha:]]+", "1größe", &["größe"]);
    check("\\p{^Upper}+", "ÄÖüß", &["üß"]);
}

#[test]
fn long_searches_are_given_up() {
    let regexp = read("(a+)+c").unwrap();
    let text = "a".repeat(60);
    let mut groups = Groups { begins: &mut [0; 2], ends: &mut [0; 2] };
    assert_eq!(regexp.search(text.as_bytes(), 0, &mut groups, &mut Stack::default(), Effort::Brief), Answer::GaveUp);
}

#[test]
fn what_is_remembered_is_not_tried_again() {
    let (len, asked) = (100_000, std::cell::Cell::new(0));
    let text = "a".repeat(len) + "x";
    let sources = [
        "^a*?(?=a*a*)$",
        "^a*b?a*$",
        "^a*?(?>a*a*)$",
        "^a*?(?!a*a*b)$",
        "^(?:a|a)*$",
        "^(?:a+)+$",
        "(?:(?=a*)a)*b",
        "a*a*a*a*b",
        "a*?a*?a*?b",
        "^a?a?a?a?a*$",
        "^a{0,5}a*a*z",
    ];
    for source in sources {
        let regexp = read(source).unwrap_or_else(|| panic!("{source}"));
        let mut groups = Groups { begins: &mut [0; 2], ends: &mut [0; 2] };
        asked.set(0);
        let ask = || {
            asked.set(asked.get() + 1);
            asked.get() < 200
        };
        let answer = regexp.search(text.as_bytes(), 0, &mut groups, &mut Stack::default(), Effort::Lasting(&ask));
        assert_eq!(answer, Answer::Missing, "{source}");
    }
}

#[test]
fn long_searches_end_when_they_are_told() {
    let regexp = read("^a*(?=(?:a|b)*c)*a{50}$").or_else(|| read("^a*(?=(?:a|b)*a)a{50}$")).unwrap();
    let text = "a".repeat(1_000_000) + "x";
    let mut groups = Groups { begins: &mut [0], ends: &mut [0] };
    let answer = regexp.search(text.as_bytes(), 0, &mut groups, &mut Stack::default(), Effort::Lasting(&|| false));
    assert_eq!(answer, Answer::GaveUp);
}

#[test]
fn from_the_end() {
    let regexp = read("\\d+").unwrap();
    let mut groups = Groups { begins: &mut [0], ends: &mut [0] };
    let answer = regexp.search_back("12 345 é".as_bytes(), 5, &mut groups, &mut Stack::default(), Effort::Brief);
    assert_eq!((answer, groups.begins[0], groups.ends[0]), (Answer::Found, 5, 6));
}

#[test]
fn text_is_looked_for_regardless_of_case() {
    let required = |source: &str| {
        let tree =
            super::read::read(source.as_bytes(), Options { ignores_case: true, ..PLAIN }).expect("a simple pattern");
        super::required::Required::of(&tree.root).map(|required| move |text: &str| required.is_in(text.as_bytes()))
    };
    let is_in = required("x?(?:SM-G960F)").expect("a text");
    assert!(is_in("… sm-g960") && !is_in("sm-g96"));
    // The first letter may be the end of a ligature, and `s` a long one.
    let is_in = required(".?stand").expect("a text");
    assert!(is_in("ﬆAND") && !is_in("stan"));
    assert!(required("a|b").is_none() && required(".?ks").is_none());
}

#[test]
fn equal_sets_of_patterns_are_one() {
    let set_of = |source: &str| match &read(source).expect("a simple pattern").program.insns[1] {
        Insn::Set(set) => std::sync::Arc::clone(set),
        other => panic!("{other:?}"),
    };
    let is_one = || std::sync::Arc::ptr_eq(&set_of("x[a-d]"), &set_of("y[dbca]"));
    // A thread that meets another at the table keeps its own.
    assert!((0..100).any(|_| is_one()));
}
