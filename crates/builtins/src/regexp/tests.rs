//! Simple patterns match the same with and without the engine.

use super::engine::Program;
use super::pattern::Pattern;
use carat_text::encoding::EncodingIndex;
use carat_text::simple_regexp::{Answer, Groups, Stack};
use carat_vm::{CodeRange, Region};

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
];
const QUANTIFIERS: &[&str] =
    &["", "", "", "", "*", "+", "?", "{2}", "{1,2}", "{,2}", "{2,}", "*?", "+?", "??", "++", "*+", "?+"];
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
        let count = 1 + self.below(5);
        let mut out = String::new();
        for _ in 0..count {
            out += self.pick(ATOMS);
            out += self.pick(QUANTIFIERS);
            out += if self.below(10) == 0 { "|" } else { "" };
        }
        if self.below(6) == 0 { format!("({out})") } else { out }
    }
}

type Found = Option<Vec<Option<(usize, usize)>>>;

fn groups(region: &Region) -> Vec<Option<(usize, usize)>> {
    (0..region.len()).map(|group| region.pos(group)).collect()
}

fn by_engine(program: &Program, text: &str, start: usize) -> Found {
    let mut region = Region::new();
    let found = program.search(text.as_bytes(), start, &mut region, carat_vm::FIRST_RETRIES);
    found.ok().expect("a short search").then(|| groups(&region))
}

fn simply(pattern: &Pattern, text: &str, start: usize) -> Found {
    let simple = pattern.simple().expect("a simple pattern");
    let mut region = Region::new();
    let [begins, ends] = region.make_room(simple.group_count());
    let answer = simple.search(text.as_bytes(), start, &mut Groups { begins, ends }, &mut Stack::default());
    assert_ne!(answer, Answer::GaveUp);
    (answer == Answer::Found).then(|| groups(&region))
}

/// Number of searches that both made.
fn compare(source: &str, options: u8) -> usize {
    let read = Pattern::read(source.as_bytes(), options, EncodingIndex::UTF_8, Default::default());
    let Ok(pattern) = read else { return 0 };
    let Some(simple) = pattern.simple() else { return 0 };
    let program = |text: &str| pattern.program(pattern.edition(EncodingIndex::UTF_8, text.is_ascii()));
    let range = |text: &str| if text.is_ascii() { CodeRange::SevenBit } else { CodeRange::Valid };
    let mut count = 0;
    for text in TEXTS.iter().filter(|text| simple.suits(EncodingIndex::UTF_8, range(text))) {
        let program = program(text).unwrap_or_else(|e| panic!("/{source}/ is refused: {e}"));
        for start in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
            let (expected, found) = (by_engine(program, text, start), simply(&pattern, text, start));
            assert_eq!(found, expected, "/{source}/ ({options}) in {text:?} from {start}");
            count += 1;
        }
    }
    count
}

#[test]
fn simple_patterns_match_as_the_engine_matches() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let rounds = if cfg!(miri) { 10 } else { 20_000 };
    let count: usize = (0..rounds)
        .map(|_| compare(&random.pattern(), [0, 0, super::IGNORE_CASE, super::MULTI_LINE][random.below(4)]))
        .sum();
    assert!(count > rounds, "only {count} searches");
}
