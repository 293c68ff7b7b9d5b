//! What patterns become.

use super::*;

fn text(source: &str) -> String {
    String::from_utf8(translate(source.as_bytes(), 0, EncodingIndex::UTF_8).unwrap().text).unwrap()
}

fn error(source: &str) -> String {
    translate(source.as_bytes(), 0, EncodingIndex::UTF_8).unwrap_err()
}

#[test]
fn shorthands_are_ascii_unless_unicode_is_asked_for() {
    assert_eq!(text(r"\d+[\h_]"), "[0-9]+[[0-9a-fA-F]_]");
    assert_eq!(text(r"(?u:\d)\d"), r"(?:\d)[0-9]");
    assert_eq!(text(r"a(?u)\w"), r"a(?-i)[\w\x{200C}\x{200D}]");
}

#[test]
fn escapes_become_what_they_mean() {
    assert_eq!(text(r"\u00e9\x41\u{61 3042}"), r"é\x41\x61あ");
    assert_eq!(text(r"\xE3\x81\x82"), "あ");
    assert_eq!(text(r"[\b]\N\cA"), r"[\x08]N\x01");
    assert_eq!(error(r"\xff"), "invalid multibyte escape");
    assert_eq!(error(r"\u{110000}"), "invalid Unicode range");
}

#[test]
fn groups_are_numbered_by_name() {
    let t = translate(b"(?<a>.)(?<b>.)(?'a'.)", 0, EncodingIndex::UTF_8).unwrap();
    assert_eq!(t.names, [((*b"a").into(), vec![1, 3]), ((*b"b").into(), vec![2])]);
    assert_eq!(text("(?<a b>x)"), "(?<a_x20b>x)");
}

#[test]
fn comments_disappear() {
    assert_eq!(text("a(?# b\\) )c"), "ac");
    assert_eq!(
        String::from_utf8(translate(b"a # b [\n c", EXTENDED, EncodingIndex::UTF_8).unwrap().text).unwrap(),
        "a \n c"
    );
}

#[test]
fn mistakes_are_named_as_ruby_names_them() {
    assert_eq!(error("[a"), "premature end of char-class");
    assert_eq!(error("[]"), "empty char-class");
    assert_eq!(error("a{2,1}"), "upper is smaller than lower in repeat range");
    assert_eq!(error("\\"), "too short escape sequence");
    assert_eq!(error("(?z)"), "undefined group option");
    assert_eq!(error("[a-\\d]"), "char-class value at end of range");
    assert_eq!(error("[a-c--\\d]"), "char-class value at end of range");
    assert_eq!(error("(?<=a*)b"), "invalid pattern in look-behind");
    assert_eq!(text("(?<=a{2}(?=b*))c*"), "(?<=a{2}(?=b*))c*");
    assert_eq!(error("(x)(?(1)a|b|c)"), "invalid conditional pattern");
    assert_eq!(error("[\\w-a]"), "unmatched range specifier in char-class");
}

#[test]
fn encodings_are_demanded_by_what_is_not_ascii() {
    let fixed = |source: &str| translate(source.as_bytes(), 0, EncodingIndex::UTF_8).unwrap().fixed;
    assert_eq!(fixed("abc\\x20"), None);
    assert_eq!(fixed("é"), Some(EncodingIndex::UTF_8));
    assert_eq!(fixed("\\p{Alpha}"), Some(EncodingIndex::UTF_8));
}

#[test]
fn absent_operators_end_within_an_occurrence() {
    const HEAD: &str = "(?:(*absent_start[a0])(?:(?!(?>(?:";
    const TAIL: &str = ")(*absent_found{a0}))(?!))(?m:.)(*absent_step{a0}))*(*absent_end{a0}))";
    assert_eq!(text("(?~ab)"), "(?:(?~ab)(?m:.{0,1}))");
    assert_eq!(text("(?~|ab)"), format!("{HEAD}|ab{TAIL}"));
    assert_eq!(text("(?~a|bc+)c"), format!("{HEAD}a|bc+{TAIL}c"));
}

#[test]
fn properties_that_the_engine_lacks_are_written_out() {
    assert_eq!(text(r"\p{Grapheme_Cluster_Break=ZWJ}"), r"[\x{200D}-\x{200D}]");
    assert!(text(r"[\P{age=1.1}a]").starts_with(r"[[^\x{0}-\x{1F5}"));
    assert_eq!(translate(br"\p{Lu}", IGNORE_CASE, EncodingIndex::UTF_8).unwrap().text, br"[\p{Lu}]");
}

#[test]
fn boundaries_of_words_count_joiners_where_there_may_be_some() {
    assert_eq!(text(r"\ba\B"), r"\ba\B");
    let joining = Spelling { joins_words: true, ..Spelling::default() };
    let spelt = translate_with(br"[\b](?a:\b)\b", 0, EncodingIndex::UTF_8, joining).unwrap();
    assert!(spelt.has_boundary);
    let text = String::from_utf8(spelt.text).unwrap();
    assert_eq!(text.matches("200D").count(), 6, "{text}");
}

#[test]
fn encodings_with_own_classes_keep_them() {
    let spell = |source: &[u8], options, encoding| {
        let spelling = Spelling { engine: Some(Engine::of(encoding)), ..Spelling::default() };
        String::from_utf8(translate_with(source, options, encoding, spelling).unwrap().text).unwrap()
    };
    let latin = EncodingIndex::ISO_8859_1;
    assert_eq!(spell(br"\s[\S]\w(?u)\W", 0, latin), r"[[:space:]][[[:^space:]]][a-zA-Z0-9_](?-i)\W");
    assert_eq!(spell(b"(?a:[[:punct:][:word:]])", 0, latin), r"(?:[[:punct:][[:word:]&&[\x00-\x7F]]])");
    assert_eq!(spell(b"[a][b-b][ac]", IGNORE_CASE, latin), "ab[ac]");
    assert_eq!(spell(br"\P{word}\p{upper}", IGNORE_CASE, latin), r"[^\w][\p{Upper}]");
    assert_eq!(spell(b"[[:^word:]]", 0, EncodingIndex::BIG5), r"[[:^word:][^\x00-\x7F]]");
    assert_eq!(spell(br"\p{Hiragana}", 0, EncodingIndex::SHIFT_JIS), r"[\x{829F}-\x{82F1}]");
    assert!(translate(br"\p{Greek}", 0, latin).is_err());
}

/// Runs on a stack that holds no recursion as deep as patterns may be.
fn on_a_small_stack(test: fn()) {
    std::thread::Builder::new().stack_size(256 << 10).spawn(test).unwrap().join().unwrap();
}

#[test]
fn nesting_has_a_limit_and_takes_no_stack() {
    on_a_small_stack(|| {
        for (open, close) in [("[", "]"), ("(", ")"), ("(?:", ")"), ("(?=", ")"), ("(?i:", ")"), ("(?<a>", ")")] {
            let nested = |depth: usize| format!("{}a{}", open.repeat(depth), close.repeat(depth));
            assert!(translate(nested(4095).as_bytes(), 0, EncodingIndex::UTF_8).is_ok(), "{open}");
            assert_eq!(error(&nested(4096)), "parse depth limit over", "{open}");
            assert_eq!(error(&nested(200_000)), "parse depth limit over", "{open}");
        }
        assert_eq!(error(&format!("{}{}", "(".repeat(4000), "[".repeat(96))), "parse depth limit over");
    });
}

#[test]
fn brackets_in_brackets_keep_what_was_around() {
    assert_eq!(text("[a-[b]c]"), "[a-[b]c]");
    assert_eq!(error("[[a-\\d]]"), "char-class value at end of range");
    assert_eq!(error("[[\\w-a]]"), "unmatched range specifier in char-class");
    assert_eq!(text("[\\w[a]-z]"), "[[a-zA-Z0-9_][a]-z]");
    assert_eq!(error("[[a]"), "premature end of char-class");
}
