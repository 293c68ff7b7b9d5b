//! The prompt: statements from a terminal, each run in the same binding.
//!
//! A statement goes on over as many lines as the parser finds that it needs. What it gives is inspected behind `=>`; `_` is
//! the last result. History is kept in `$XDG_STATE_HOME/carat/history`.
//!
//! # Not here
//! Reading a script from standard input: a prompt is for terminals only.

use crate::options::Options as CommandLine;
use crate::run::{Ended, complain, print, with_vm};
use crate::script::Script;
use carat_builtins::program;
use carat_compile::{Completeness, Options, completeness};
use carat_os::signal;
use carat_vm::{Ec, Result, Value};
use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};

/// What backtraces call the prompt.
const NAME: &str = "(carat)";

/// `carat` alone, on a terminal.
pub(crate) fn is_wanted(options: &CommandLine) -> bool {
    let names_something = options.script.is_some() || options.code.is_some();
    let only_looks = options.check_syntax || options.dump.is_some() || options.flags.n || options.flags.p;
    !names_something && !only_looks && std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// The script that statements seem to come from.
pub(crate) fn script() -> Script {
    Script { name: NAME.into(), source: Vec::new(), is_file: false, first_line: 1 }
}

pub(crate) fn run(options: &CommandLine, stack_bytes: usize, set_up: impl FnOnce(&mut Ec) -> Result<()>) -> Ended {
    print(&crate::help::version_line());
    with_vm(options, stack_bytes, |ec| {
        set_up(ec)?;
        Session::new().run(ec)
    })
}

/// What the editor's thread is told.
enum Order {
    Read(String),
    /// A whole statement goes into the history.
    Remember(String),
}

/// What it tells.
enum Event {
    Line(String),
    Interrupted,
    End,
    /// Names that go on at the end of this text are wanted.
    Complete(String, Sender<(usize, Vec<String>)>),
}

/// The running thread's side of the editor. The VM belongs to this thread, so that it also answers what completion asks.
struct Session {
    orders: Sender<Order>,
    events: Receiver<Event>,
    line: i32,
}

impl Session {
    fn new() -> Session {
        let (orders, taken) = channel();
        let (told, events) = channel();
        let end = told.clone();
        let editor = std::thread::Builder::new().name("editor".into());
        if editor.spawn(move || edit(&taken, told)).is_err() {
            // Nobody is left to refuse it.
            let _ = end.send(Event::End);
        }
        Session { orders, events, line: 1 }
    }

    /// Reads and runs statements until the end of the input, or until one of them ends the program.
    fn run(&mut self, ec: &mut Ec) -> Result {
        while let Some(source) = self.read(ec) {
            if !source.trim().is_empty() {
                self.evaluate(ec, &source)?;
            }
        }
        Ok(Value::NIL)
    }

    /// A whole statement; nothing when one was given up, `None` at the end of the input.
    fn read(&mut self, ec: &mut Ec) -> Option<String> {
        let mut source = String::new();
        loop {
            let mark = if source.is_empty() { '>' } else { '*' };
            let order = Order::Read(format!("carat:{:03}{mark} ", self.line));
            self.orders.send(order).ok()?;
            match self.next_line(ec)? {
                Some(line) => source.push_str(&line),
                None => return Some(String::new()),
            }
            self.line += 1;
            source.push('\n');
            if completeness(source.as_bytes(), &Options::file(NAME)) != Completeness::Incomplete {
                let _ = self.orders.send(Order::Remember(source.trim_end().to_owned()));
                return Some(source);
            }
        }
    }

    /// A line, or nothing when it was given up. Other threads run meanwhile.
    fn next_line(&mut self, ec: &mut Ec) -> Option<Option<String>> {
        loop {
            match ec.without_turn(|| self.events.recv()) {
                Ok(Event::Line(line)) => return Some(Some(line)),
                Ok(Event::Interrupted) => return Some(None),
                Ok(Event::End) | Err(_) => return None,
                Ok(Event::Complete(text, answer)) => {
                    let _ = answer.send(program::complete(ec, &text));
                }
            }
        }
    }

    /// Runs a statement and shows what it gives. Only what ends the program is an error.
    fn evaluate(&mut self, ec: &mut Ec, source: &str) -> Result<()> {
        let first_line = self.line - source.lines().count() as i32;
        match program::evaluate_at_prompt(ec, source, NAME, first_line) {
            Ok(shown) => {
                print(&format!("=> {shown}\n"));
                Ok(())
            }
            Err(unwind) if program::ends_program(ec) => Err(unwind),
            Err(_) => {
                let report = program::take_report(ec);
                complain(&report);
                Ok(())
            }
        }
    }
}

/// Body of the editor's thread.
fn edit(orders: &Receiver<Order>, events: Sender<Event>) {
    signal::block_signals();
    let config = Config::builder().auto_add_history(false).build();
    let Ok(mut editor) = Editor::<Names, FileHistory>::with_history(config, FileHistory::new()) else {
        let _ = events.send(Event::End);
        return;
    };
    editor.set_helper(Some(Names(events.clone())));
    let file = history_file();
    // The first session has no history yet.
    let _ = file.as_ref().map(|f| editor.load_history(f));
    for order in orders {
        let event = match order {
            Order::Remember(source) => {
                let _ = editor.add_history_entry(source);
                // Without a place for it the history ends with the session.
                let _ = file.as_ref().and_then(|f| f.parent()).map(std::fs::create_dir_all);
                let _ = file.as_ref().map(|f| editor.save_history(f));
                continue;
            }
            Order::Read(prompt) => match editor.readline(&prompt) {
                Ok(line) => Event::Line(line),
                Err(ReadlineError::Interrupted) => Event::Interrupted,
                Err(_) => Event::End,
            },
        };
        if events.send(event).is_err() {
            return;
        }
    }
}

/// `$XDG_STATE_HOME/carat/history`, by default below `~/.local/state`.
fn history_file() -> Option<PathBuf> {
    let named = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|p| p.is_absolute());
    let folder = named.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".local/state")))?;
    Some(folder.join("carat/history"))
}

/// Completion of what the VM has names for.
struct Names(Sender<Event>);

impl Completer for Names {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (answer, answers) = channel();
        let asked = self.0.send(Event::Complete(line[..at].to_owned(), answer));
        let (start, names) = asked.ok().and_then(|()| answers.recv().ok()).unwrap_or_default();
        Ok((start, names.into_iter().map(|n| Pair { display: n.clone(), replacement: n }).collect()))
    }
}

impl Hinter for Names {
    type Hint = String;
}

impl Highlighter for Names {}
impl Validator for Names {}
impl Helper for Names {}
