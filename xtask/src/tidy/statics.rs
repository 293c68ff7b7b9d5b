//! State of the process: statics that change, which two VMs would share.
//!
//! Each stands in [`LISTED`] with the reason why it cannot belong to a VM. A static changes if it is `mut`, or if its type
//! names something that changes behind a shared reference: the standard library's cells, locks and atomics, and every
//! struct of the project that has one among its fields.

use super::Complaints;
use super::tokens::{Parsed, Token, is_name};
use std::collections::{BTreeMap, BTreeSet};

/// Where the list stands, for those who are told to change it.
const LIST: &str = "xtask/src/tidy/statics.rs";

/// File, name and reason.
const LISTED: &[(&str, &str, &str)] = &[
    ("crates/builtins/src/object/signatures.rs", "NAMES", "made once of a constant"),
    (
        "crates/builtins/src/system/load/library.rs",
        "CARRIED",
        "an executable carries one library, and a system call knows no VM",
    ),
    (
        "crates/builtins/src/system/time/calendar.rs",
        "LAST",
        "a thread's own: what a function of its argument alone gave last",
    ),
    ("crates/capi/src/block.rs", "CLASS", "one VM of a process loads extensions, whose C code knows no VM"),
    ("crates/capi/src/block.rs", "RUNNING", "a thread's own: C code is given no context"),
    ("crates/capi/src/boundary.rs", "CURRENT", "a thread's own: C code is given no context"),
    ("crates/capi/src/boundary.rs", "FIRST_UNKNOWN", "one VM of a process loads extensions, whose C code knows no VM"),
    ("crates/capi/src/boundary.rs", "NAME", "one VM of a process loads extensions, whose C code knows no VM"),
    (
        "crates/capi/src/buffer.rs",
        "RUBY_IO_BUFFER_PAGE_SIZE",
        "C code reads it under this name; the system's pages do not change",
    ),
    ("crates/capi/src/class.rs", "ALLOCATORS", "one VM of a process loads extensions, whose C code knows no VM"),
    ("crates/capi/src/class.rs", "LAST_NAME", "a thread's own: what it asked for last of `NAMES`"),
    ("crates/capi/src/class.rs", "NAMES", "one VM of a process loads extensions, whose C code knows no VM"),
    ("crates/capi/src/data.rs", "ARE_WAITING", "one VM of a process loads extensions, whose C code knows no VM"),
    ("crates/capi/src/data.rs", "SINK", "a thread's own: C code that marks is given no context"),
    ("crates/capi/src/data.rs", "WAITING", "one VM of a process loads extensions, whose C code knows no VM"),
    ("crates/capi/src/encoding.rs", "TABLE", "remembers what a function of its arguments alone gives"),
    ("crates/capi/src/frame.rs", "JOBS", "one VM of a process loads extensions, whose C code knows no VM"),
    ("crates/capi/src/frame.rs", "MAIN", "a signal handler is given no context"),
    ("crates/capi/src/frame.rs", "PROCESS", "a signal handler is given no context"),
    ("crates/capi/src/frame.rs", "WAITING", "a signal handler is given no context"),
    ("crates/capi/src/load.rs", "IS_RACTOR_SAFE", "one VM of a process loads extensions, whose C code knows no VM"),
    ("crates/capi/src/load.rs", "OWNER", "says which VM of a process loads extensions"),
    ("crates/capi/src/memory.rs", "TAKEN", "a thread's own: C code is given no context"),
    ("crates/capi/src/method.rs", "HAS_KEYWORDS", "a thread's own: C code is given no context"),
    ("crates/capi/src/symbol.rs", "TEXTS", "one VM of a process loads extensions, whose C code knows no VM"),
    ("crates/capi/src/thread_event.rs", "HOOKS", "one VM of a process loads extensions, whose C code knows no VM"),
    ("crates/capi/src/thread_event.rs", "KEPT", "one VM of a process loads extensions, whose C code knows no VM"),
    ("crates/capi/src/trace.rs", "ADDED", "one VM of a process loads extensions, whose C code knows no VM"),
    ("crates/capi/src/trace.rs", "COLLECTOR_POINTS", "one VM of a process loads extensions, whose C code knows no VM"),
    ("crates/capi/src/trace.rs", "EVENT", "a thread's own: C code is given no context"),
    ("crates/capi/src/trace.rs", "PATHS", "one VM of a process loads extensions, whose C code knows no VM"),
    ("crates/capi/src/variable.rs", "HOOKED", "one VM of a process loads extensions, whose C code knows no VM"),
    (
        "crates/embed-c/src/vm.rs",
        "SCOPES",
        "a thread's own: a function of the host's in C calls back with its VM alone",
    ),
    (
        "crates/heap/src/mark.rs",
        "MOST_ENTRIES",
        "a thread's own, and in tests only: stands for a system without memory",
    ),
    ("crates/heap/src/reserve.rs", "USERS", "counts the VMs for whose sake address space is put by"),
    ("crates/heap/src/reserve.rs", "CHUNKS", "address space is the process's, and an allocator knows no VM"),
    ("crates/heap/src/reserve.rs", "BYTES", "a chunk is unmapped as it was mapped, whatever the limit is by then"),
    ("crates/heap/src/reserve.rs", "SHORT", "an allocator that gave a chunk up knows no VM to tell"),
    ("crates/loupe/src/main.rs", "ALLOCATOR", "a program has one allocator, and this one counts"),
    ("crates/stdlib/src/prism/nodes.rs", "KINDS", "remembers what a function of its arguments alone gives"),
    ("crates/text/src/case/quick.rs", "TABLES", "remembers what a function of its arguments alone gives"),
    ("crates/text/src/letters/mod.rs", "TABLES", "remembers what a function of its arguments alone gives"),
    ("crates/text/src/simple_regexp/program.rs", "HEADS", "equal tables of patterns, which know no VM"),
    ("crates/text/src/simple_regexp/program.rs", "SETS", "equal tables of patterns, which know no VM"),
    ("crates/text/src/simple_regexp/set.rs", "LETTERS", "remembers what a function of its arguments alone gives"),
    ("crates/text/src/transcode/asian.rs", "IBM", "remembers what a function of its arguments alone gives"),
    ("crates/text/src/transcode/asian.rs", "OF_EUC_JP", "remembers what a function of its arguments alone gives"),
    ("crates/text/src/transcode/asian.rs", "OF_EUCJP_MS", "remembers what a function of its arguments alone gives"),
    ("crates/text/src/transcode/memo.rs", "KEPT", "remembers what a function of its arguments alone gives"),
    ("crates/text/src/transcode/recorded.rs", "PICTURES", "remembers what a function of its arguments alone gives"),
    ("crates/text/src/transcode/recorded.rs", "TABLES", "remembers what a function of its arguments alone gives"),
    ("crates/vm/src/model/class.rs", "NO_EXTRAS", "never changes: what is read of classes that have no extras"),
    (
        "crates/vm/src/model/epochs.rs",
        "NEAR",
        "one VM at a time has it, and machine code reaches what lies in the executable",
    ),
    ("crates/vm/src/model/epochs.rs", "IS_NEAR_TAKEN", "says whether a VM of the process has `NEAR`"),
    ("crates/vm/src/run/native.rs", "ROWS", "never changes: its functions are given what does"),
    ("crates/oniguruma/src/letters.rs", "TABLE", "never changes: functions that the engine calls"),
    ("crates/oniguruma/src/letters.rs", "TABLES", "never changes: functions that the engine calls"),
    ("crates/oniguruma/src/lib.rs", "SYNTAX", "the C library is initialised once in a process"),
    ("crates/os/src/process.rs", "FORKS", "a fork makes all VMs of a process another process's"),
    ("crates/os/src/process.rs", "PID", "the number is the process's"),
    ("crates/os/src/process.rs", "WATCH", "a fork makes all VMs of a process another process's"),
    ("crates/os/src/contact.rs", "CONTACTS", "what one VM does to the system another one learns of there"),
    ("crates/os/src/thread.rs", "CHANGING", "the allocator is the process's, and a fork takes all of it"),
    ("crates/os/src/thread.rs", "CHANGED", "the allocator is the process's, and a fork takes all of it"),
    ("crates/os/src/thread.rs", "KEY", "the system's destructors are the process's"),
    ("crates/os/src/signal.rs", "PENDING", "a signal handler gets no argument of ours"),
    ("crates/os/src/signal.rs", "WAKE", "a signal handler gets no argument of ours"),
    (
        "crates/os/src/signal.rs",
        "RECEIVER",
        "a process has one set of handlers: the last VM that asked gets the signals",
    ),
    ("crates/os/src/signal.rs", "INTERRUPTED_AT", "a signal handler gets no argument of ours"),
    ("crates/os/src/signal.rs", "INTERRUPT_RAISES", "a signal handler gets no argument of ours"),
    ("crates/os/src/signal.rs", "ON_FAULT", "a signal handler gets no argument of ours"),
    (
        "fuzz/fuzz_targets/vm.rs",
        "VM",
        "a fuzz target is a function of its input alone, and one boot an input is too slow",
    ),
];

/// What the standard library offers, beside `Atomic…`.
const CELLS: [&str; 12] = [
    "Cell",
    "RefCell",
    "UnsafeCell",
    "OnceCell",
    "LazyCell",
    "Once",
    "OnceLock",
    "LazyLock",
    "Mutex",
    "RwLock",
    "Condvar",
    "Barrier",
];

/// Complains of what is not listed, and of entries of the list that are no longer true.
pub(super) fn check(files: &[Parsed<'_>]) -> Complaints {
    check_against(files, LISTED)
}

fn check_against(files: &[Parsed<'_>], listed: &[(&str, &str, &str)]) -> Complaints {
    let structs = Structs::of(files);
    let mut complaints = Complaints::new();
    let mut found = BTreeSet::new();
    for Parsed { path, tokens } in files {
        for Token { text: name, line } in changing(path, tokens, &structs) {
            found.insert((*path, name));
            if !listed.iter().any(|(file, listed, _)| file == path && *listed == name) {
                complaints.push(format!(
                    "{path}:{line}: `{name}` is state of the process; let a VM own it, or list it: {LIST}"
                ));
            }
        }
    }
    let gone = listed.iter().filter(|(file, name, _)| !found.contains(&(*file, *name)));
    complaints.extend(gone.map(|(file, name, _)| format!("{LIST}:1: {file} has no static `{name}` that changes")));
    complaints
}

/// Names of structs by the crate that defines them.
type Name<'a> = (&'a str, &'a str);

/// The structs of all crates: which names stand in their fields, and which of them change behind a shared reference.
struct Structs<'a> {
    fields: BTreeMap<Name<'a>, Vec<&'a str>>,
    cells: BTreeSet<Name<'a>>,
}

impl<'a> Structs<'a> {
    fn of(files: &[Parsed<'a>]) -> Structs<'a> {
        let mut all = Structs { fields: BTreeMap::new(), cells: BTreeSet::new() };
        for Parsed { path, tokens } in files {
            structs(tokens)
                .into_iter()
                .for_each(|(name, fields)| all.fields.entry((folder(path), name)).or_default().extend(fields));
        }
        while let more = all.more_cells()
            && !more.is_empty()
        {
            all.cells.extend(more);
        }
        all
    }

    fn more_cells(&self) -> Vec<Name<'a>> {
        let is_new = |((from, name), fields): &(&Name<'a>, &Vec<&'a str>)| {
            !self.cells.contains(&(*from, *name)) && fields.iter().any(|field| self.changes(from, field))
        };
        self.fields.iter().filter(is_new).map(|(name, _)| *name).collect()
    }

    /// Whether a type that a crate names so changes. A crate's own struct goes before others of the same name.
    fn changes(&self, from: &str, name: &str) -> bool {
        if self.fields.contains_key(&(from, name)) {
            return self.cells.contains(&(from, name));
        }
        name.starts_with("Atomic") || CELLS.contains(&name) || self.cells.iter().any(|(_, cell)| *cell == name)
    }
}

/// The folder of a file's crate.
fn folder(path: &str) -> &str {
    path.split_once("/src/").map_or(path, |(folder, _)| folder)
}

/// Each struct's or alias's name, and the names in its definition.
fn structs<'a>(tokens: &[Token<'a>]) -> Vec<(&'a str, Vec<&'a str>)> {
    let starts = (0..tokens.len()).filter(|at| matches!(tokens[*at].text, "struct" | "type"));
    let parse = |at: usize| {
        let (name, rest) = tokens[at + 1..].split_first()?;
        Some((name.text, rest[..extent(rest)].iter().map(|token| token.text).filter(|text| is_name(text)).collect()))
    };
    starts.filter_map(parse).collect()
}

/// How many tokens an item takes from here: to its `;`, or to the end of its braces.
fn extent(tokens: &[Token<'_>]) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "{" | "(" | "[" => depth += 1,
            "}" if depth == 1 => return at + 1,
            "}" | ")" | "]" => depth -= 1,
            ";" if depth == 0 => return at,
            _ => {}
        }
    }
    tokens.len()
}

/// The statics of a file that change.
fn changing<'a>(path: &str, tokens: &[Token<'a>], structs: &Structs<'_>) -> Vec<Token<'a>> {
    let statics = (0..tokens.len()).filter(|at| tokens[*at].text == "static");
    let parse = |at: usize| {
        let is_mut = tokens.get(at + 1)?.text == "mut";
        let (name, rest) = tokens[at + 1 + usize::from(is_mut)..].split_first()?;
        let is_definition = is_name(name.text) && rest.first()?.text == ":";
        let mut of_type = rest.iter().take_while(|token| token.text != "=");
        (is_definition && (is_mut || of_type.any(|token| structs.changes(folder(path), token.text)))).then_some(*name)
    };
    statics.filter_map(parse).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Source;
    use super::super::tokens::parse;
    use super::*;

    const HEAP: &str = "crates/heap/src/a.rs";

    fn check_text(text: &str, listed: &[(&str, &str, &str)], expected: &[&str]) {
        let source = Source { path: HEAP.to_string(), text: text.to_string() };
        let found = check_against(&parse(&[source]), listed);
        assert_eq!(found.len(), expected.len(), "{found:?}");
        assert!(found.iter().zip(expected).all(|(found, part)| found.contains(part)), "{found:?}");
    }

    #[test]
    fn what_changes_is_listed() {
        check_text("static mut N: u8 = 0;", &[], &["`N` is state"]);
        check_text("\nfn f() { static ONCE: Once = Once::new(); }", &[], &["a.rs:2: `ONCE` is state"]);
        check_text("thread_local! { static V: RefCell<u8> = x; }", &[], &["`V` is state"]);
        check_text("static N: [AtomicU8; 2] = x;", &[(HEAP, "N", "why")], &[]);
        check_text("static N: [u8; 2] = [0; 2]; fn f(t: &'static Mutex<u8>) {}", &[], &[]);
    }

    #[test]
    fn structs_change_by_their_fields() {
        check_text("struct A(B); struct B { lock: Mutex<u8> } static S: A = x;", &[], &["`S` is state"]);
        check_text("struct A; struct B { lock: Mutex<u8> } static S: A = x;", &[], &[]);
    }

    #[test]
    fn the_list_names_nothing_else() {
        check_text("static N: u8 = 0;", &[(HEAP, "N", "why")], &["a.rs has no static `N`"]);
        check_text("", &[("crates/vm/src/gone.rs", "N", "why")], &["gone.rs has no static `N`"]);
    }
}
