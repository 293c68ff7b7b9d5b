//! Development tasks, run as `cargo xtask TASK`.
//!
//! Each task is one module with a `run` that returns whether all was well; only this file decides on the exit status.
//! Besides the standard library it needs the table of instructions and a reader of JSON, so that it builds in seconds.
#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line program talks through its streams")]

mod args;
mod bench;
mod carat;
mod dist;
mod embed;
mod golden;
mod process;
mod spec;
mod startup;
mod tailcalls;
mod tidy;

use args::Args;
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask TASK

  tidy                          checks that the compiler does not make: docs, dependencies, public items, statics, sources
  golden [--bless] [--gc-stress SEED] [--one-in N] [--release] [FILTER]
                                runs tests/golden and compares outputs; --bless records them from $ORACLE
  spec [--jobs N] [--timeout S] [--reference CMD] [--save FILE] [--compare FILE] [--check] [--tag] [-v] [--release] DIR…
                                runs ruby/spec from $RUBYSPEC_DIR with mspec from $MSPEC_DIR
  bench [--impl NAME=CMD]… [--rounds N] [--calls] [FILTER]
                                alternates implementations over bench/*.rb, and optcarrot if $OPTCARROT_DIR has it, and
                                prints a Markdown table; --calls: single calls of core methods instead, the slowest rows
  dist                          writes target/dist/carat-VERSION-MACHINE.tar.gz: stripped executables, man pages, licences
  install-embed PREFIX          [--debug] installs the libraries for programs in C, their header and carat-embed.pc below a folder
  startup BINARY                writes crates/cli/startup.ld: the functions that BINARY runs at its start, in bench/apps and in goldens
  tailcalls BINARY              checks that every instruction handler of BINARY ends in a jump

CARAT=path names the executable under test; otherwise cargo builds it (--release: optimised).";

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let task = words.next().unwrap_or_default();
    match dispatch(&task, words.collect()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::from(2)
        }
    }
}

fn dispatch(task: &str, words: Vec<String>) -> Result<bool, String> {
    match task {
        "tidy" => tidy::run(),
        "golden" => golden_task(&Args::parse(words, &["gc-stress", "one-in"], &["bless", "release"])?),
        "spec" => spec::run(&Args::parse(words, spec::VALUED, spec::FLAGS)?),
        "bench" => bench::run(&Args::parse(words, &["impl", "rounds"], &["calls", "release"])?),
        "dist" => dist::run(&Args::parse(words, &[], &[])?),
        "install-embed" => embed::run(&Args::parse(words, &[], &["debug"])?),
        "startup" => startup::run(&Args::parse(words, &[], &[])?),
        "tailcalls" => tailcalls::run(&Args::parse(words, &[], &[])?),
        "" | "help" | "--help" => {
            println!("{USAGE}");
            Ok(true)
        }
        _ => Err(format!("no task {task}\n{USAGE}")),
    }
}

fn golden_task(args: &Args) -> Result<bool, String> {
    let root = carat::root();
    let mut options = golden::Options { filter: args.positional().first().cloned(), ..golden::Options::default() };
    if let Some(seed) = args.value("gc-stress") {
        let one_in = args.number("one-in")?.unwrap_or(golden::STRESS_ONE_IN);
        options.gc_stress = Some(format!("{seed}:{one_in}"));
    }
    let bless = args.flag("bless") || std::env::var("BLESS").is_ok_and(|value| value == "1");
    let locate = || carat::locate(args.flag("release"));
    let report =
        if bless { golden::bless(&root, locate, &options)? } else { golden::check(&root, &locate()?, &options)? };
    print!("{}", report.text);
    Ok(report.failures == 0)
}
