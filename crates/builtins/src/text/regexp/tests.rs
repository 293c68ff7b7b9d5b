//! Simple patterns match the same with and without the engine.

use super::engine::Program;
use super::pattern::Pattern;
use carat_oniguruma::Region;
use carat_text::encoding::EncodingIndex;
use carat_text::simple_regexp::{Answer, Effort, Groups, SimpleRegexp, Stack};
use carat_vm::CodeRange;

const ATOMS: &[&str] = &[
    "a",
    "b",
    "c",
    "é",
    ".",
    "\\w",
    "\\s",
    "\\d",
    "\\W",
    "\\S",
    "[ab]",
    "[^a]",
    "[a-c]",
    "[^ab\\n]",
    "\\b",
    "\\B",
    "^",
    "$",
    "(a)",
    "(b|c)",
    "(?:ab)",
    "(?:a|é)",
    "\\A",
    "\\z",
    "\\Z",
    "x",
    "ab",
    "\\n",
    "([ab]+)",
    "(a|ab)",
    "(?:b|(c))",
    "[[:alpha:]]",
    "\\p{Lu}",
    "-",
    "[\\w-]",
    "(a.)",
    "[b-e]",
    "f",
    "i",
    "ss",
    "fi",
    "K",
    "ti",
    "st",
    "aj",
    " ",
    "S",
    "s",
    "\\G",
    "\\1",
    "\\2",
    "é*",
    "[é-ü]",
    "[^é]",
    "[a-é]",
    "[[a-c]&&[^b]]",
    "[a[\\d-]]",
    "[^\\w&&[^ ]]",
    "[[:^alpha:]]",
    "\\P{Lu}",
    "\\p{^Alpha}",
    "[[:space:][:punct:]]",
    "[[:ascii:]]",
    "[[:blank:]a]",
    "[[:space:]é]",
    "[[:alnum:]]",
    "[^[:upper:]]",
    "[[:lower:]é-日]",
    "[[:digit:]]",
    "\\p{Word}",
    "[^\\p{Word}a]",
    "\\p{Space}",
    "\\x41",
    "\\u00e9",
    "\\u{62}",
    "{",
    "}",
    "{x",
    "(?#b)",
    "#",
    "\\ ",
    "(?<!a)",
    "(?<=b|ab)",
    "(?<![\\wé]|^)",
    "(?<=\\bé)",
    "(?<=a{2})",
    "(?!)",
    "(?=\\W|$)",
    "(?![a-c]+)",
    "(?:ab|b)",
    "(?:\\w|-)",
    ".*",
    ".+?",
];
const OPENINGS: &[&str] = &[
    "(", "(", "(?:", "(?:", "(?>", "(?=", "(?!", "(?<=", "(?<!", "(?i:", "(?m:", "(?-mix:", "(?x: ", "(?mi-x:", "(?i)",
    "(?x)",
];
const QUANTIFIERS: &[&str] = &[
    "", "", "", "", "*", "+", "?", "{2}", "{1,2}", "{,2}", "{2,}", "*?", "+?", "??", "++", "*+", "?+", "{1,2}?",
    "{2,}?", "{3}", "{0,1}", " *",
];
const TEXTS: &[&str] = &[
    "",
    "a",
    "b",
    "abc",
    "aab abb",
    "cab\nabc\n",
    "a\n",
    "\n",
    "\n\n",
    "éa éb",
    "aéé\nb",
    "ab-ab x",
    "aaaa",
    "abababc",
    "xyz A1_",
    "日本語",
    "AbC bca",
    "b\nc\na",
    "ſ s K",
    "a\u{85}b\u{A0}c\u{2028} \u{2029}\u{200A}\u{200B}\u{3000}\u{180E}\u{1680}x\u{202F}\u{205F}",
    "ß ﬁ ﬀ ﬆ SS St FI",
    "İi ıI ǰj ẗT ẖ ẚA ŉ ʼn",
];

/// A generator of its own: failures can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    fn pattern(&mut self) -> String {
        let out = self.sequence(3);
        if self.below(6) == 0 { format!("({out})") } else { out }
    }

    fn sequence(&mut self, depth: usize) -> String {
        let count = 1 + self.below(4);
        let mut out = String::new();
        for _ in 0..count {
            if self.below(8) == 0 {
                out += &self.turns();
                continue;
            }
            out += &if depth > 0 && self.below(5) == 0 { self.group(depth) } else { self.pick(ATOMS).to_owned() };
            out += self.pick(QUANTIFIERS);
            out += if self.below(10) == 0 { "|" } else { "" };
        }
        out
    }

    /// A loop of alternatives, most of which take one character.
    fn turns(&mut self) -> String {
        let ways: Vec<String> = (0..2 + self.below(2))
            .map(|_| self.pick(ATOMS).to_owned() + if self.below(4) == 0 { self.pick(ATOMS) } else { "" })
            .collect();
        let opening = self.pick(&["(?:", "(?:", "(?:", "("]);
        format!("{opening}{}){}", ways.join("|"), self.pick(&["*", "+", "*?", "{2,}", "*+", "{,3}"]))
    }

    fn group(&mut self, depth: usize) -> String {
        let opening = self.pick(OPENINGS);
        let body = self.sequence(depth - 1);
        // Options alone hold up to the end of what is around.
        let is_closed = opening.ends_with(')');
        if is_closed { format!("(?:{opening}{body})") } else { format!("{opening}{body})") }
    }
}

type Found = Option<Vec<Option<(usize, usize)>>>;

fn groups(region: &Region) -> Vec<Option<(usize, usize)>> {
    (0..region.len()).map(|group| region.pos(group)).collect()
}

/// Nothing if it takes too long.
fn by_engine(program: &Program, text: &[u8], start: usize) -> Option<Found> {
    let mut region = Region::new();
    let found = program.search(text, start, &mut region, carat_oniguruma::FIRST_RETRIES);
    Some(found.ok()?.then(|| groups(&region)))
}

/// Nothing if it gave up.
fn simply(simple: &SimpleRegexp, text: &[u8], start: usize, effort: Effort<'_>) -> Option<Found> {
    let mut region = Region::new();
    let answer = {
        let [begins, ends] = region.make_room(simple.group_count());
        let (mut groups, mut stack) = (Groups { begins, ends }, Stack::default());
        simple.search(text, start, &mut groups, &mut stack, effort)
    };
    match answer {
        Answer::Found => Some(Some(groups(&region))),
        Answer::Missing => Some(None),
        Answer::GaveUp | Answer::Unknown => None,
    }
}

/// Number of searches that both made.
fn compare(source: &[u8], options: u8, encoding: EncodingIndex) -> usize {
    let Ok(pattern) = Pattern::read(source, options, encoding, Default::default()) else { return 0 };
    let Some(simple) = pattern.simple_for(encoding) else { return 0 };
    let range = |text: &str| if text.is_ascii() { CodeRange::SevenBit } else { CodeRange::Valid };
    let is_binary = encoding == EncodingIndex::BINARY;
    let mut count = 0;
    for text in TEXTS.iter().filter(|text| simple.suits(encoding, range(text))) {
        // What Ruby refuses in a look-behind is found when the pattern is made.
        let Ok(program) = pattern.program(pattern.edition(encoding, text.is_ascii())) else { return count };
        for start in (0..=text.len()).filter(|at| is_binary || text.is_char_boundary(*at)) {
            let Some(expected) = by_engine(program, text.as_bytes(), start) else { continue };
            let source = source.escape_ascii();
            if let Some(found) = simply(simple, text.as_bytes(), start, Effort::Brief) {
                assert_eq!(found, expected, "/{source}/ ({options}) in {text:?} from {start}");
                count += 1;
            }
            if let Some(found) = simply(simple, text.as_bytes(), start, Effort::Lasting(&|| true)) {
                assert_eq!(found, expected, "/{source}/ ({options}) in {text:?} from {start}, with memory");
                count += 1;
            }
        }
    }
    count
}

const OPTIONS: [u8; 5] = [0, 0, super::IGNORE_CASE, super::MULTI_LINE, super::EXTENDED];

#[test]
fn simple_patterns_match_as_the_engine_matches() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let rounds = if cfg!(miri) { 10 } else { 20_000 };
    let count: usize =
        (0..rounds).map(|_| compare(random.pattern().as_bytes(), OPTIONS[random.below(5)], EncodingIndex::UTF_8)).sum();
    assert!(count > rounds, "only {count} searches");
}

#[test]
fn simple_patterns_of_bytes_match_as_the_engine_matches() {
    let mut random = Random(0x6A09_E667_F3BC_C909);
    let rounds = if cfg!(miri) { 10 } else { 20_000 };
    let mut count = 0;
    for _ in 0..rounds {
        let (mut source, options) = (random.pattern(), OPTIONS[random.below(5)]);
        // Bytes of the characters of the texts, named and as they are.
        for (letter, others) in [("é", ["\\xC3", "\\xA9"]), ("日", ["\\xE6", "\\x97"])] {
            source = source.replace(letter, others[random.below(2)]);
        }
        let source = if random.below(2) == 0 { source.into_bytes() } else { raw_bytes(&source) };
        count += compare(&source, options | super::FIXED_ENCODING, EncodingIndex::BINARY);
    }
    assert!(count > rounds, "only {count} searches");
}

/// With the bytes that `\xC3` and the like stand for.
fn raw_bytes(source: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = source;
    while let Some(at) = rest.find("\\x") {
        let (before, behind) = rest.split_at(at);
        out.extend(before.as_bytes());
        match behind.get(2..4).and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|byte| *byte >= 0x80) {
            Some(byte) => out.push(byte),
            None => out.extend(behind.as_bytes().iter().take(4)),
        }
        rest = behind.get(4..).unwrap_or_default();
    }
    out.extend(rest.as_bytes());
    out
}

/// A pattern with some of its characters gone, doubled or replaced.
fn damaged(random: &mut Random) -> String {
    let mut text: Vec<char> = random.pattern().chars().collect();
    for _ in 0..=random.below(3) {
        let at = random.below(text.len().max(1));
        match random.below(3) {
            0 if at < text.len() => _ = text.remove(at),
            1 if at < text.len() => text.insert(at, text[at]),
            _ => text.insert(
                at.min(text.len()),
                "()[]{}|*+?\\^$.,-<=!:>#&1239kgbBpxuR".chars().nth(random.below(36)).unwrap_or('('),
            ),
        }
    }
    text.into_iter().collect()
}

#[test]
fn the_engine_takes_what_is_simple() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let rounds = if cfg!(miri) { 10 } else { 60_000 };
    let mut count = 0;
    for _ in 0..rounds {
        let (source, options) = (damaged(&mut random), OPTIONS[random.below(5)]);
        let Ok(pattern) = Pattern::read(source.as_bytes(), options, EncodingIndex::UTF_8, Default::default()) else {
            continue;
        };
        if pattern.is_surely_right() {
            let made = pattern.program(pattern.first_edition());
            assert!(made.is_ok(), "/{source}/ ({options}): {}", made.err().unwrap_or_default());
            count += 1;
        }
    }
    assert!(count > rounds / 10, "only {count} patterns");
}

#[test]
fn what_is_beyond_ascii_in_one_byte_is_not_found_in_ascii() {
    let latin = EncodingIndex::find_by_name(b"Windows-1252").expect("an encoding");
    let sources: [&[u8]; 6] =
        [b"[^ \t\xAD-]+\xAD|[^ \t]+", b"\xE9+|a", b"[a\xE9]b", b"[\x80-\xFF]|c", b"[^\x80-\xFF]+", b"(?<!\x93)b"];
    for encoding in [latin, EncodingIndex::BINARY] {
        for source in sources {
            assert!(compare(source, super::FIXED_ENCODING, encoding) > 0, "{}", source.escape_ascii());
        }
    }
}

#[test]
fn what_may_be_letters_of_ascii_regardless_of_case_is_not_simple() {
    let is_simple = |source: &[u8], options| {
        let read = Pattern::read(source, options, EncodingIndex::ISO_8859_1, Default::default());
        read.expect("a pattern").simple().is_some()
    };
    assert!(is_simple(b"a|\xDF", 0) && is_simple(b"(?:\xDF)", 0));
    assert!(!is_simple(b"a|\xDF", super::IGNORE_CASE) && !is_simple(b"(?i)\xDF", 0));
}

#[test]
fn letters_of_latin_greek_and_cyrillic_are_the_engines() {
    let sources =
        ["[[:alpha:]]", "[[:alnum:]]", "[[:upper:]]", "[[:lower:]]", "[[:digit:]]", "\\p{Word}", "[[:space:]]", "\\b"];
    for source in sources {
        let read = Pattern::read(source.as_bytes(), 0, EncodingIndex::UTF_8, Default::default());
        let pattern = read.expect("a pattern");
        let program = pattern.program(pattern.edition(EncodingIndex::UTF_8, false)).expect("a program");
        for character in (0x80..0x530).filter_map(char::from_u32) {
            let (text, other) = (format!(" {character}"), format!("{character}{character}"));
            for text in [text, other] {
                let simple = pattern.simple().expect("a simple pattern");
                let found = simply(simple, text.as_bytes(), 0, Effort::Brief).expect("an answer");
                assert_eq!(Some(found), by_engine(program, text.as_bytes(), 0), "/{source}/ in {text:?}");
            }
        }
    }
}
