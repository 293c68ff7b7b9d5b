//! What patterns are warned of; recorded from Ruby 4.0.

use super::warnings;
use carat_text::encoding::EncodingIndex;

fn found(source: &str) -> Vec<String> {
    let is_ascii = source.is_ascii() && !source.contains("\\u");
    let encoding = if is_ascii { EncodingIndex::US_ASCII } else { EncodingIndex::UTF_8 };
    warnings(source.as_bytes(), 0, encoding).into_iter().map(|warning| warning.text.into()).collect()
}

fn check(source: &str, messages: &[&str]) {
    let expected: Vec<String> = messages.iter().map(|message| format!("{message}: /{source}/")).collect();
    assert_eq!(found(source), expected, "{source}");
}

const REDUNDANT: &str = "regular expression has redundant nested repeat operator";
const DUPLICATE: &str = "character class has duplicated range";
const SIGN: &str = "character class has '-' without escape";
const BRACKET: &str = "regular expression has ']' without escape";

#[test]
fn repetitions_of_repetitions() {
    check("(?:a*)+", &[&format!("{REDUNDANT} '*'")]);
    check("a+??", &[]);
    check("a{0,}*", &[&format!("{REDUNDANT} '*'")]);
    check("a*{1}*", &[&format!("{REDUNDANT} '*'")]);
    check("(?:a?)+", &["nested repeat operator '?' and '+' was replaced with '*' in regular expression"]);
    check("a{1}?*", &["nested repeat operator '?' and '*' was replaced with '*' in regular expression"]);
    check("(?:a*)*?", &["nested repeat operator '*' and '*?' was replaced with '+ and ??' in regular expression"]);
    for source in ["(a*)*", "(?:a*){2}", "(?:ab*)*", "(?:a*|b)*", "(?i:a*)*", "(?>a*)*", "a*+*", "a{2}{3}", "(?:a?)+?"]
    {
        check(source, &[]);
    }
}

#[test]
fn signs_that_stand_for_themselves() {
    for source in ["[a-b-c]", "[a&&-x]", "[--x]", "[a-&&b]", "[!--x]", "[+--]"] {
        check(source, &[SIGN]);
    }
    check("[---]", &[SIGN, SIGN]);
    check("a]", &[BRACKET]);
    check("[]a]", &["character class has ']' without escape"]);
    check("\\ka", &["invalid back reference"]);
    check("[\\pL]", &["invalid Unicode Property \\p"]);
    check("\\q", &["Unknown escape \\q is ignored"]);
    for source in ["]", "[-a]", "[a-]", "[a-c-]", "\\]", "[a\\-b]"] {
        check(source, &[]);
    }
}

#[test]
fn members_that_stand_there_twice() {
    for source in
        ["[aa]", "[a-cb]", "[\\wa]", "[\\w\\d]", "[a[a]]", "[[:alpha:]a]", "[ \\s]", "[\\D\\W]", "[é-ëê]", "[あ[あ]]"]
    {
        check(source, &[DUPLICATE]);
    }
    for source in ["[a-ce]", "[[a][a]]", "[a-c[b]]", "[\\d\\D]", "[é\\w]", "[あ-うえ]", "[a&&b&&b]"] {
        check(source, &[]);
    }
}

#[test]
fn the_pattern_is_shown_as_the_engine_gets_it() {
    assert_eq!(found("\\u3042]\n/"), [format!("{BRACKET}: /あ]\\x0a\\//")]);
    assert_eq!(found("a(?# c)]"), [format!("{BRACKET}: /a]/")]);
    assert_eq!(found(&format!("a]{}", "x".repeat(60))), [BRACKET]);
}
