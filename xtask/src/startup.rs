//! Writes the linker script that puts the functions of a start side by side, and behind them those that programs run; constants
//! likewise.
//!
//! The kernel maps the program's pages in aligned groups of 16 around each one that is touched. Half a megabyte of functions runs
//! before the first line of Ruby, and a program runs one to two and a half of the eight megabytes; spread over the whole text
//! they would make nearly all of it resident, and each group is a page fault. So they stand first in the text, listed by name
//! in `crates/cli/startup.ld`: what a start runs and programs seldom run, whose pages go back to the system before the first
//! line; then what the programs of `bench/apps` run, then what the golden programs run, each so that a program finds what it
//! runs [together](order).
//!
//! Of the constants, what is large and read in one place stands apart: the libraries' code and texts, conversion tables. The
//! jump tables of functions follow the functions' order.
//!
//! # Invariants
//! The list may be stale: a name that no longer exists matches nothing, a function that is missing stands where it would have
//! stood. What moves in mangled names is a [wildcard](names), so another compiler, another version of a dependency or one more
//! `impl` finds the same functions.

use crate::args::Args;
use crate::carat;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

mod names;
mod order;
mod profiles;

const SCRIPT: &str = "crates/cli/startup.ld";

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

/// Names in those of functions that stand together whether a recorded program ran them or not: the compiler's, of which a program runs
/// nearly all or none. What a bisection takes for rare would be spread over the text. Functions that each start runs are not among them:
/// where the linker has one function for several that are alike, its name may be that of the compiler's.
/// The symbols say where each begins, and where the last ends: see `vm/memory/code_pages`.
const TOGETHER: [(&str, &str); 2] =
    [("9carat_jit", "carat_code_of_jit"), ("8carat_vm8compiled", "carat_code_of_compiled")];
const TOGETHER_END: &str = "carat_code_of_compiled_end";

/// What starts look like: a bare one, one that prints, one that defines and calls.
const PROGRAMS: [&str; 3] = ["1", "puts \"#{1}\"", "class A; def b(c) = [c].each { |d| d }; end; A.new.b(:e)"];

/// Runs the named binary, an optimised one with its symbols, under callgrind and rewrites the script.
pub(crate) fn run(args: &Args) -> Result<bool, String> {
    let [binary] = args.positional() else { return Err("startup takes one binary".to_string()) };
    // As callgrind names it.
    let binary = carat::root().join(binary).canonicalize().map_err(|error| format!("{binary}: {error}"))?;
    let mut start = BTreeSet::new();
    for program in PROGRAMS {
        start.extend(profiles::functions_run(&binary, program)?);
    }
    if start.is_empty() {
        return Err(format!("{}: no function of it is named in its profile", binary.display()));
    }
    let programs = profiles::functions_of_programs(&binary)?;
    let goldens = profiles::functions_of_goldens(&binary)?;
    let defined = functions_defined(&binary)?;
    let order = order::in_order(&start, &programs, &goldens, &defined);
    std::fs::write(carat::root().join(SCRIPT), script(&order, &start)).map_err(|error| format!("{SCRIPT}: {error}"))?;
    println!("startup: {} functions in {SCRIPT}", order.len());
    Ok(true)
}

/// The symbols of a binary's functions, and the bytes of each.
fn functions_defined(binary: &Path) -> Result<Vec<(String, u64)>, String> {
    let text = profiles::succeed(Command::new("nm").args(["--defined-only", "--print-size"]).arg(binary))?;
    let symbol = |line: &str| {
        let [_, size, kind, name] = line.split(' ').collect::<Vec<_>>()[..] else { return None };
        let size = u64::from_str_radix(size, 16).ok()?;
        matches!(kind, "t" | "T").then(|| (name.to_string(), size))
    };
    Ok(text.lines().filter_map(symbol).collect())
}

fn script(functions: &[String], start: &BTreeSet<String>) -> String {
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
    let start: BTreeSet<String> = start.iter().map(|function| names::pattern(function)).collect();
    let is_together =
        |function: &String| TOGETHER.iter().any(|(name, _)| function.contains(name)) && !start.contains(function);
    for function in functions.iter().filter(|function| !is_together(function)) {
        text.push_str(&format!("    *(.text.{function} .text.unlikely.{function})\n"));
    }
    for (name, symbol) in TOGETHER {
        text.push_str(&format!("    HIDDEN({symbol} = .);\n    *(.text.*{name}* .text.unlikely.*{name}*)\n"));
    }
    text.push_str(&format!("    HIDDEN({TOGETHER_END} = .);\n"));
    text.push_str("    *(.text.startup .text.startup.* .text.exit .text.exit.*)\n    *(.text .text.*)\n  }\n}\nINSERT AFTER .init;\n");
    text
}
