//! Writes the linker script that puts the functions of a start side by side, and behind them those that programs run; constants
//! likewise.
//!
//! The kernel maps the program's pages in aligned groups of 16 around each one that is touched. Half a megabyte of functions runs
//! before the first line of Ruby, and a program runs one to two of the six megabytes; spread over the whole text
//! they would make nearly all of it resident, and each group is a page fault. So they stand first in the text, listed by name
//! in `crates/cli/startup.ld`: what a start runs and programs seldom run, whose pages go back to the system before the first
//! line; then what the programs of `bench/apps` run, most of them first, then what the golden programs run.
//!
//! Of the constants, what is large and read in one place stands apart: the libraries' code and texts, conversion tables. The
//! jump tables of functions follow the functions' order.
//!
//! # Invariants
//! The list may be stale: a name that no longer exists matches nothing, a function that is missing stands where it would have
//! stood. Hashes in mangled names are wildcards, so another compiler or another version of a dependency finds the same functions.

use crate::args::Args;
use crate::carat;
use crate::process;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(900);
const SCRIPT: &str = "crates/cli/startup.ld";
/// Programs that run functions which those of `bench/apps` may not need.
const GOLDENS: [&str; 2] = ["tests/golden/core", "tests/golden/language"];

/// Constants that are large and of which a program reads one or none, in front of all others.
const APART: [&str; 7] = [
    ".rodata._RNv*13carat_library*",
    ".rodata._RNv*10carat_core*",
    ".rodata._RNv*11encoding_rs4data*",
    ".rodata._RNv*7zlib_rs*",
    ".rodata.CR_*",
    ".rodata.*_RANGES",
    ".rodata.wordlist*",
];

const CALLGRIND: [&str; 3] = ["--quiet", "--tool=callgrind", "--demangle=no"];
/// Ends a process's first profile and begins its second.
const START_OF_PROGRAM: &str = "--dump-before=*carat_builtins*run_main*";
/// A function of a start that fewer than one program in so many runs is not theirs.
const SELDOM: usize = 10;

/// What starts look like: a bare one, one that prints, one that defines and calls.
const PROGRAMS: [&str; 3] = ["1", "puts \"#{1}\"", "class A; def b(c) = [c].each { |d| d }; end; A.new.b(:e)"];

/// Runs the named binary, an optimised one with its symbols, under callgrind and rewrites the script.
pub(crate) fn run(args: &Args) -> Result<bool, String> {
    let [binary] = args.positional() else { return Err("startup takes one binary".to_string()) };
    // As callgrind names it.
    let binary = carat::root().join(binary).canonicalize().map_err(|error| format!("{binary}: {error}"))?;
    let mut start = BTreeSet::new();
    for program in PROGRAMS {
        start.extend(functions_run(&binary, program)?);
    }
    if start.is_empty() {
        return Err(format!("{}: no function of it is named in its profile", binary.display()));
    }
    let programs = functions_of_programs(&binary)?;
    let goldens = functions_of_goldens(&binary)?;
    let defined = functions_defined(&binary)?;
    let order = in_order(&start, &programs, &goldens, &defined);
    std::fs::write(carat::root().join(SCRIPT), script(&order)).map_err(|error| format!("{SCRIPT}: {error}"))?;
    println!("startup: {} functions in {SCRIPT}", order.len());
    Ok(true)
}

/// The patterns of what runs: first those of a start that programs seldom run, then those of most programs, then those of most
/// golden programs. Those that the same programs run are neighbours, so that a program touches few pages of what others need.
fn in_order(
    start: &BTreeSet<String>,
    programs: &[BTreeSet<String>],
    goldens: &[BTreeSet<String>],
    defined: &[String],
) -> Vec<String> {
    let mut places = BTreeMap::new();
    let all: BTreeSet<String> = programs.iter().chain(goldens).flatten().cloned().collect();
    let count = |sets: &[BTreeSet<String>], function| Reverse(sets.iter().filter(|set| set.contains(function)).count());
    for function in &all {
        let runs: Vec<bool> = programs.iter().map(|program| program.contains(function)).collect();
        let place = (count(programs, function), runs, count(goldens, function));
        let known: &mut (_, _, _) = places.entry(pattern(function)).or_insert_with(|| place.clone());
        *known = place.min(known.clone());
    }
    let is_seldom =
        |function: &String| programs.iter().filter(|set| set.contains(function)).count() * SELDOM < programs.len();
    let at_start = selective(&start.iter().filter(|function| is_seldom(function)).cloned().collect(), defined);
    let mut later: Vec<String> = selective(&all, defined).into_iter().filter(|p| !at_start.contains(p)).collect();
    later.sort_by_cached_key(|pattern| places.get(pattern).cloned());
    at_start.into_iter().chain(later).collect()
}

/// The patterns that match at least as many functions that run as functions that do not: a thousand instances of one generic
/// function share a name.
fn selective(run: &BTreeSet<String>, defined: &[String]) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for function in defined {
        let (hits, total) = counts.entry(pattern(function)).or_default();
        *total += 1;
        *hits += usize::from(run.contains(function));
    }
    counts.into_iter().filter(|(_, (hits, total))| hits * 2 >= *total).map(|(pattern, _)| pattern).collect()
}

/// The symbols of a binary's functions.
fn functions_defined(binary: &Path) -> Result<Vec<String>, String> {
    let text = succeed(Command::new("nm").arg("--defined-only").arg(binary))?;
    let symbols = text.lines().filter_map(|line| line.split_once(" t ").or_else(|| line.split_once(" T ")));
    Ok(symbols.map(|(_, symbol)| symbol.to_string()).collect())
}

/// The functions that run in `binary -e program`.
fn functions_run(binary: &Path, program: &str) -> Result<BTreeSet<String>, String> {
    let profile = std::env::temp_dir().join(format!("carat-startup-{}", std::process::id()));
    let mut command = Command::new("valgrind");
    command.args(CALLGRIND).arg(format!("--callgrind-out-file={}", profile.display()));
    succeed(command.arg(binary).args(["-e", program]))?;
    let functions = functions_in(&profile, binary)?;
    std::fs::remove_file(&profile).map_err(|error| format!("{}: {error}", profile.display()))?;
    Ok(functions)
}

/// The functions that each process of the programs in `bench/apps` runs from the program's first line on.
fn functions_of_programs(binary: &Path) -> Result<Vec<BTreeSet<String>>, String> {
    with_profiles(binary, |valgrind| {
        let valgrind = valgrind.join(" ");
        let runner = carat::root().join("bench/apps/run.py");
        succeed(Command::new(runner).args(["-r", "1"]).arg(format!("carat={valgrind} {}", binary.display())))
            .map(|_| ())
    })
}

/// The functions that each process of the golden programs runs from the program's first line on, however it ends.
fn functions_of_goldens(binary: &Path) -> Result<Vec<BTreeSet<String>>, String> {
    let root = carat::root();
    with_profiles(binary, |valgrind| {
        for folder in GOLDENS {
            let found = std::fs::read_dir(root.join(folder)).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
            for entry in found.map_err(|error| format!("{folder}: {error}"))? {
                if entry.path().extension().is_some_and(|extension| extension == "rb") {
                    let mut command = Command::new(&valgrind[0]);
                    command.args(&valgrind[1..]).arg(binary).arg(entry.path()).current_dir(&root);
                    process::run(&mut command, LIMIT)?;
                }
            }
        }
        Ok(())
    })
}

/// The functions of each process that `run` starts by the words that it is given, once [`START_OF_PROGRAM`] runs.
fn with_profiles(
    binary: &Path,
    run: impl FnOnce(&[String]) -> Result<(), String>,
) -> Result<Vec<BTreeSet<String>>, String> {
    let folder = std::env::temp_dir().join(format!("carat-profiles-{}", std::process::id()));
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir(&folder).map_err(failed)?;
    let own =
        ["valgrind".to_string(), START_OF_PROGRAM.into(), format!("--callgrind-out-file={}/%p", folder.display())];
    let [valgrind, own @ ..] = own;
    let words: Vec<String> = [valgrind].into_iter().chain(CALLGRIND.map(String::from)).chain(own).collect();
    run(&words)?;
    let files = std::fs::read_dir(&folder).and_then(Iterator::collect::<std::io::Result<Vec<_>>>).map_err(failed)?;
    // With a number behind its name: what ran before.
    let profiles = files.iter().map(std::fs::DirEntry::path).filter(|path| path.extension().is_none());
    let functions = profiles.map(|path| functions_in(&path, binary)).collect();
    std::fs::remove_dir_all(&folder).map_err(failed)?;
    functions
}

fn functions_in(profile: &Path, binary: &Path) -> Result<BTreeSet<String>, String> {
    let text = std::fs::read_to_string(profile).map_err(|error| format!("{}: {error}", profile.display()))?;
    Ok(functions_named(&text, &binary.to_string_lossy()))
}

/// Runs a command that must succeed; its output.
fn succeed(command: &mut Command) -> Result<String, String> {
    let outcome = process::run(command, LIMIT)?;
    if !outcome.status.success() {
        let text = [outcome.stdout, outcome.stderr].concat();
        return Err(format!("{}: {}", command.get_program().display(), String::from_utf8_lossy(&text)));
    }
    Ok(String::from_utf8_lossy(&outcome.stdout).into_owned())
}

/// The functions of one object file in a callgrind profile. A name stands behind its number at its first mention, in `fn=` or
/// `cfn=` lines; the object file is set by `ob=`, for a called function by `cob=`.
fn functions_named(profile: &str, object: &str) -> BTreeSet<String> {
    let mut objects = Objects::default();
    let mut functions = BTreeSet::new();
    for line in profile.lines() {
        let Some((key, value)) = line.split_once('=') else { continue };
        match key {
            "ob" => objects.current = objects.is(value, object),
            "cob" => objects.called = Some(objects.is(value, object)),
            "fn" if objects.current => functions.extend(name(value)),
            "cfn" if objects.called.take().unwrap_or(objects.current) => functions.extend(name(value)),
            _ => (),
        }
    }
    functions
}

/// Which object file the profile speaks of: `(3) /path` names number 3, `(3)` repeats it.
#[derive(Default)]
struct Objects {
    wanted: Option<String>,
    current: bool,
    called: Option<bool>,
}

impl Objects {
    fn is(&mut self, value: &str, object: &str) -> bool {
        let (number, path) = value.split_once(' ').unwrap_or((value, ""));
        if path == object {
            self.wanted = Some(number.to_string());
        }
        self.wanted.as_deref() == Some(number)
    }
}

/// The symbol in `(12) symbol`; recursion levels are marked `'2`, and a bare address has no symbol.
fn name(value: &str) -> Option<String> {
    let (_, symbol) = value.split_once(' ')?;
    let symbol = symbol.split('\'').next()?;
    let is_symbol = symbol.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    is_symbol.then(|| symbol.to_string())
}

/// A symbol with its hashes as wildcards: `17h` and 16 digits in the old mangling, `Cs…_` in the new, `.llvm.` and a number in both.
/// In the new mangling `B…_` names a place in the symbol, which moves with the length of the hashes in front: a wildcard too.
fn pattern(symbol: &str) -> String {
    let symbol = symbol.split(".llvm.").next().unwrap_or(symbol);
    if let Some(stem) = symbol.strip_suffix('E').and_then(|name| name.len().checked_sub(19).map(|cut| &name[..cut])) {
        return format!("{stem}17h*");
    }
    let mut parts = symbol.split("Cs");
    let mut result = parts.next().unwrap_or_default().to_string();
    for part in parts {
        result.push_str("Cs*");
        result.push_str(part.find('_').map_or("", |end| &part[end..]));
    }
    without_places(&result)
}

fn without_places(symbol: &str) -> String {
    let mut parts = symbol.split('B');
    let mut result = parts.next().unwrap_or_default().to_string();
    for part in parts {
        result.push('B');
        let digits = part.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(part.len());
        let is_place = (1..=3).contains(&digits) && part[digits..].starts_with('_');
        result.push_str(if is_place { "*" } else { &part[..digits] });
        result.push_str(&part[digits..]);
    }
    result
}

fn script(functions: &[String]) -> String {
    let mut text = String::from(
        "/* The functions that run before the first line of Ruby, side by side, and those that programs run; constants that are\n   \
         large and seldom read, apart. Written by `cargo xtask startup BINARY`. */\nSECTIONS\n{\n  .rodata :\n  {\n",
    );
    for constants in APART {
        text.push_str(&format!("    *({constants})\n"));
    }
    for function in functions {
        text.push_str(&format!("    *(.rodata.{function})\n"));
    }
    text.push_str("    *(.rodata .rodata.*)\n  }\n}\nINSERT AFTER .gcc_except_table;\nSECTIONS\n{\n  .text :\n  {\n");
    for function in functions {
        text.push_str(&format!("    *(.text.{function} .text.unlikely.{function})\n"));
    }
    text.push_str("    *(.text.startup .text.startup.* .text.exit .text.exit.*)\n    *(.text .text.*)\n  }\n}\nINSERT AFTER .init;\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_become_wildcards() {
        assert_eq!(pattern("_ZN5carat3run5start17h25e495e901b13f6fE"), "_ZN5carat3run5start17h*");
        assert_eq!(pattern("_RNvNtCsjrHSEGnQ3l9_3std3sys"), "_RNvNtCs*_3std3sys");
        assert_eq!(pattern("_RNvMNtCsabc_3vmNtB3_2VmNtB1a_3getB_"), "_RNvMNtCs*_3vmNtB*_2VmNtB*_3getB_");
        assert_eq!(pattern("parser_lex"), "parser_lex");
    }

    #[test]
    fn names_that_mostly_do_not_run_are_left_out() {
        let run = ["_ZN1a17h0000000000000001E", "_ZN1b17h0000000000000001E"].map(String::from).into();
        let defined = [1, 2, 3].map(|n| format!("_ZN1a17h000000000000000{n}E"));
        let defined: Vec<_> = defined.into_iter().chain(["_ZN1b17h0000000000000001E".to_string()]).collect();
        assert_eq!(selective(&run, &defined), ["_ZN1b17h*".to_string()].into());
    }

    #[test]
    fn what_most_programs_run_comes_first_and_what_the_same_ones_run_together() {
        let set = |names: &[&str]| names.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
        let programs = [set(&["a", "b", "x"]), set(&["a", "c", "x", "start"]), set(&["a", "d", "e", "start"])];
        let goldens = [set(&["f", "a"]), set(&["g", "f", "boot"])];
        let defined: Vec<_> =
            ["a", "b", "c", "d", "e", "f", "g", "x", "start", "boot", "never"].map(str::to_string).into();
        let order = ["boot", "a", "start", "x", "d", "e", "c", "b", "f", "g"];
        assert_eq!(in_order(&set(&["start", "boot"]), &programs, &goldens, &defined), order);
    }

    #[test]
    fn only_functions_of_the_program_itself_are_listed() {
        let profile = "ob=(1) /bin/carat\nfn=(1) main\n1 2\ncob=(2) /lib/libc.so\ncfn=(2) memcpy\ncfn=(3) boot'2\nob=(2)\nfn=(4) free\n";
        let expected = ["boot", "main"].map(String::from);
        assert_eq!(functions_named(profile, "/bin/carat"), expected.into());
    }
}
