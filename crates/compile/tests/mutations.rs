//! Damaged Ruby: whatever the bytes, compiling them gives an error or code that passes the verifier, and never a panic.
//!
//! The project's own Ruby files are cut up, joined and sprinkled with tokens, from a seed: a failure says the seed and
//! prints the source. `CARAT_MUTATIONS` is the number of sources to try, `CARAT_MUTATION_SEED` where to begin.
//! `fuzz/fuzz_targets/iseq.rs` does the same without end, guided by coverage.

use carat_compile::{CommandLine, Options, drafts, verify};
use carat_iseq::IseqKind;
use std::path::{Path, PathBuf};

const DEFAULT_COUNT: u64 = 20_000;
/// Sources are cut to this length: more code is slower and no more wrong.
const LONGEST: usize = 3000;
/// The parser allows nesting of ten thousand levels, which takes some stack.
const STACK_BYTES: usize = 256 << 20;

/// What makes a difference to the grammar.
const TOKENS: &[&str] = &[
    "def ",
    "end",
    "class ",
    "module ",
    "do |a, (b, *c), d: 1, **e, &f|",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "...",
    "..",
    "=>",
    " in ",
    "case 1\n",
    "when ",
    "rescue",
    "ensure",
    "retry",
    "redo",
    "next ",
    "break ",
    "return ",
    "yield ",
    "super",
    "super()",
    "->(x) {",
    "&&=",
    "||=",
    "+=",
    "*",
    "**",
    "&",
    "&.",
    "::",
    ":",
    ";",
    "\n",
    "\\\n",
    "\"",
    "'",
    "`",
    "%w[",
    "%i(",
    "%q{",
    "#{",
    "#@x",
    "/",
    "/ox",
    "<<~A\n",
    "\nA\n",
    "?a",
    "__END__\n",
    "BEGIN {",
    "END {",
    "alias x y\n",
    "undef x\n",
    "it",
    "_1",
    "defined?(",
    "not ",
    "and ",
    "or ",
    "if ",
    "unless ",
    "while ",
    "until ",
    "for a, b in ",
    "begin",
    "then",
    "else",
    "elsif ",
    "self",
    "nil",
    "@a",
    "@@a",
    "$a",
    "$~",
    "$1",
    "A",
    "A::B ||= ",
    "a, b = ",
    "a[*b, k: 1] += ",
    "^x",
    "^(",
    "\0",
    "\u{4}",
    "\u{9F}",
    "=begin\n",
    "\n=end\n",
    "# encoding: euc-jp\n",
    "1r",
    "0x",
    "1e",
    "private def ",
    "def (x).y = ",
];

struct Random(u64);

impl Random {
    /// xorshift64*
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    /// A piece of some bytes.
    fn piece<'a>(&mut self, bytes: &'a [u8], longest: usize) -> &'a [u8] {
        let start = self.below(bytes.len() + 1);
        let len = self.below(longest.min(bytes.len() - start) + 1);
        &bytes[start..start + len]
    }
}

fn ruby_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|e| e.path()) {
        if path.is_dir() {
            ruby_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rb") {
            found.push(path);
        }
    }
}

fn corpus() -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in ["core", "lib", "bench", "examples", "tests/golden"] {
        ruby_files(&root.join(folder), &mut files);
    }
    files.sort();
    files.iter().filter_map(|f| std::fs::read(f).ok()).collect()
}

/// Some lines; whole files as far as they are short.
fn whole_lines<'a>(random: &mut Random, file: &'a [u8]) -> &'a [u8] {
    if file.len() <= LONGEST {
        return file;
    }
    let line_start = |at: usize| file[..at].iter().rposition(|b| *b == b'\n').map_or(0, |n| n + 1);
    let start = line_start(random.below(file.len()));
    &file[start..line_start((start + random.below(LONGEST)).min(file.len())).max(start)]
}

/// Changes some bytes in one way.
fn mutate(random: &mut Random, source: &mut Vec<u8>, other: &[u8]) {
    let at = random.below(source.len() + 1);
    match random.below(6) {
        0 if at < source.len() => source[at] ^= 1 << random.below(8),
        1 => drop(source.drain(at..(at + random.below(40)).min(source.len()))),
        2 => {
            let piece = random.piece(source, 60).to_vec();
            source.splice(at..at, piece);
        }
        3 => {
            let piece = random.piece(other, 200).to_vec();
            source.splice(at..at, piece);
        }
        4 => source.truncate(at),
        _ => {
            let token = TOKENS[random.below(TOKENS.len())];
            source.splice(at..at, token.bytes());
        }
    }
}

fn source(seed: u64, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let first = &corpus[random.below(corpus.len())];
    let mut source = whole_lines(&mut random, first).to_vec();
    // Few changes leave much that still compiles, many reach odd places of the parser.
    let changes = if seed.is_multiple_of(2) { random.below(3) } else { 1 + random.below(12) };
    for _ in 0..changes {
        let other = &corpus[random.below(corpus.len())];
        mutate(&mut random, &mut source, other);
    }
    source
}

fn options(seed: u64) -> Options<'static> {
    let is = |bit: u64| seed >> bit & 1 == 1;
    let command_line = CommandLine { a: is(0), e: is(1), l: is(2), n: is(3) && is(4), p: is(4) && is(5), x: false };
    let kind = if is(6) { IseqKind::Eval } else { IseqKind::Top };
    Options { kind, command_line, main_script: is(7), ..Options::file("mutated.rb") }
}

/// Whether a source compiles, or what is wrong with how it does.
fn try_source(source: &[u8], options: &Options<'_>) -> Result<bool, String> {
    let outcome = std::panic::catch_unwind(|| drafts(source, options).map(|drafts| drafts.iter().try_for_each(verify)));
    match outcome {
        Ok(Ok(verified)) => verified.map(|()| true),
        Ok(Err(_)) => Ok(false),
        Err(_) => Err("panic".into()),
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn run() {
    let corpus = corpus();
    assert!(corpus.len() > 50, "the project's own Ruby files");
    let first = number("CARAT_MUTATION_SEED").unwrap_or(1);
    let count = number("CARAT_MUTATIONS").unwrap_or(DEFAULT_COUNT);
    let mut compiled = 0;
    for seed in first..first + count {
        let source = source(seed, &corpus);
        match try_source(&source, &options(seed)) {
            Ok(is_valid) => compiled += u64::from(is_valid),
            Err(problem) => panic!("seed {seed}: {problem}\n{}", String::from_utf8_lossy(&source)),
        }
    }
    assert!(compiled * 20 > count, "only {compiled} of {count} sources get past the parser");
}

#[test]
fn no_bytes_break_the_compiler() {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(run).expect("a thread");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}
