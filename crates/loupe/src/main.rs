//! The `loupe` executable: where a Ruby program's memory goes.
//!
//! # Code map
//! `arguments` reads the command line, and `completion` makes shells complete it. `run` runs a program with its allocations recorded; `record` makes a `report` of what
//! the VM's recorder knows, with the `advice` that stands first in it; `text` and `html` show it, and its JSON is the struct as it
//! stands. `stacks` makes call stacks and the time line of it, which `export` writes for other tools;
//! `attach` and `top` ask a running process over its `channel`. `try_out` applies advice: `edit` makes the edits, `trial` runs the program with them, `patch` writes them down. `dump`
//! reads heap dumps, Carat's and CRuby's, a line at a time; `heap`, `path`, `leaks` and `diff` are the commands over them, `graph`
//! what they know of references, `dominators` and `retained` what goes with each object.
//!
//! # Not here
//! Recording itself: `carat_vm::recorder`. Writing dumps: `ObjectSpace.dump_all`.
#![forbid(unsafe_code)]

mod advice;
mod arguments;
mod attach;
mod channel;
mod completion;
mod diff;
mod dominators;
mod dump;
mod edit;
mod export;
mod failure;
mod findings;
mod gem;
mod graph;
mod heap;
mod heap_page;
mod html;
mod leaks;
mod patch;
mod path;
mod record;
mod report;
mod retained;
mod run;
mod stacks;
mod text;
mod top;
mod trial;
mod try_out;

use arguments::Command;
use carat::Ended;
#[cfg(not(carat_tsan))]
use carat_vm::Counting;
use failure::Failure;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

/// Counts what the program and the loupe itself hold.
#[cfg(not(carat_tsan))]
#[global_allocator]
static ALLOCATOR: Counting<carat::Allocator> = Counting::new(carat::ALLOCATOR);

/// Bytes that were handed out and not given back.
#[cfg(not(carat_tsan))]
fn allocated_bytes() -> usize {
    ALLOCATOR.live_bytes()
}

#[cfg(carat_tsan)]
fn allocated_bytes() -> usize {
    0
}

fn main() -> ExitCode {
    carat::on_main_thread(|| match words().and_then(|words| arguments::read(&words)).and_then(perform) {
        Ok(ended) => ended,
        Err(failure) => {
            failure.tell();
            failure.signal.map_or(Ended::Code(failure.status), Ended::Signal)
        }
    })
}

/// The command line's words behind the program's own name. One that is no text is refused: reports and their JSON could not name it.
fn words() -> Result<Vec<String>, Failure> {
    let refuse = |word: OsString| Failure::new(format!("argument is not UTF-8: {}", word.display()));
    std::env::args_os().skip(1).map(|word| word.into_string().map_err(refuse)).collect()
}

fn perform(command: Command) -> Result<Ended, Failure> {
    match command {
        Command::Help(command) => print(&arguments::usage(command.as_deref())),
        Command::Version => print(concat!("loupe ", env!("CARGO_PKG_VERSION"), "\n")),
        Command::Run(options) => run::run(&options),
        Command::Try(options) => try_out::run(&options),
        Command::Heap { dump, top } => print(&heap::summary(&dump, top)?),
        Command::Retained { dump, top, html } => print(&retained::explain(&dump, top, html.as_deref())?),
        Command::Leaks { dumps, top, json } => print(&leaks::explain(&dumps, top, json.as_deref())?),
        Command::LiveLeaks(options) => leaks::run(&options),
        Command::Path { dump, address } => print(&path::explain(&dump, address)?),
        Command::Diff(options) => diff::run(&options),
        Command::Export(options) => export::run(&options),
        Command::Attach(options) => attach::run(&options),
        Command::Top(options) => top::run(&options),
        Command::Completion(shell) => print(&completion::script(shell)),
    }
}

/// Prints to standard output. Whoever reads it may have had enough.
fn print(text: &str) -> Result<Ended, Failure> {
    print_bytes(text.as_bytes())
}

fn print_bytes(bytes: &[u8]) -> Result<Ended, Failure> {
    let mut out = std::io::stdout();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("standard output: {error}")))
        }
        _ => Ok(Ended::Code(0)),
    }
}

/// Prints to standard error.
fn complain(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}
