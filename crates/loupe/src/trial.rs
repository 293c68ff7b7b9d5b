//! One trial: a program run in processes of its own, with files that hold other texts, and what came of it.
//!
//! # How
//! The program runs twice: recorded, for bytes, objects and collections, and unrecorded, for the time. Both runs' output is kept.
//! Every run has the same file, or nothing, as its standard input.

use crate::arguments::TryOptions;
use crate::failure::Failure;
use crate::report::{Amount, Refused, Report};
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// A program, and what all its trials share.
pub(crate) struct Program {
    words: Vec<String>,
    only: Option<String>,
    folder: PathBuf,
    /// What it reads from standard input.
    input: Option<String>,
    limit: Duration,
    /// Only exit statuses are compared.
    status_only: bool,
}

/// What a program printed, as far as that is compared, and how it ended.
#[derive(PartialEq)]
struct Behaviour {
    output: Vec<u8>,
    errors: Vec<u8>,
    ending: String,
}

/// What a run left.
struct Run {
    report: Report,
    behaviour: Behaviour,
    /// All that it printed to standard error.
    messages: Vec<u8>,
}

pub(crate) struct Trial {
    pub(crate) report: Report,
    /// Of the run that was not recorded.
    pub(crate) seconds: f64,
    runs: [Behaviour; 2],
    messages: Vec<u8>,
}

/// How a trial differs from the program as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Difference {
    Output,
    /// What goes to standard error.
    Messages,
    Ending,
    TimeLimit,
}

impl Difference {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Difference::Output => "other output",
            Difference::Messages => "other messages",
            Difference::Ending => "other exit status",
            Difference::TimeLimit => "did not end",
        }
    }
}

impl Program {
    pub(crate) fn new(options: &TryOptions) -> Result<Program, Failure> {
        carat::wait_before_ending();
        let folder = new_folder()?;
        let TryOptions { program, only, input, status_only, .. } = options.clone();
        Ok(Program { words: program, only, folder, input, limit: Duration::MAX, status_only })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, Failure> {
        let path = self.path(name);
        std::fs::write(&path, bytes).map_err(|error| Failure::of_file(&path.to_string_lossy(), &error))?;
        Ok(path)
    }

    /// How long a run may take from now on: what the program needs as it is, with room.
    pub(crate) fn expect_seconds(&mut self, seconds: f64) {
        self.limit = Duration::from_secs_f64(10.0 + 10.0 * seconds.max(0.0));
    }

    /// Runs the program with files that hold other texts. `None` if it did not end in time.
    pub(crate) fn run(&self, texts: &[(String, Vec<u8>)]) -> Result<Option<Trial>, Failure> {
        let mut options = vec!["run".to_string(), "--quiet".into(), "--no-stacks".into()];
        options.extend(self.only.iter().flat_map(|part| ["--only".to_string(), part.clone()]));
        for (number, (file, text)) in texts.iter().enumerate() {
            let path = self.write(&format!("text{number}"), text)?;
            options.extend(["--instead".to_string(), file.clone(), path.to_string_lossy().into_owned()]);
        }
        let Some(recorded) = self.run_once(&options)? else { return Ok(None) };
        options.push("--unrecorded".into());
        let Some(plain) = self.run_once(&options)? else { return Ok(None) };
        let Run { report, behaviour, messages } = recorded;
        Ok(Some(Trial { report, seconds: plain.report.seconds, runs: [behaviour, plain.behaviour], messages }))
    }

    fn run_once(&self, options: &[String]) -> Result<Option<Run>, Failure> {
        let json = self.path("report");
        let _ = std::fs::remove_file(&json);
        let own = std::env::current_exe().map_err(|error| Failure::new(format!("the loupe itself: {error}")))?;
        let mut command = Command::new(own);
        command.args(options).arg("--json").arg(&json).args(&self.words);
        let create = |name: &str| {
            File::create(self.path(name)).map_err(|error| Failure::of_file(&self.path(name).to_string_lossy(), &error))
        };
        command.stdout(create("output")?).stderr(create("errors")?).stdin(self.input()?);
        let mut child = command.spawn().map_err(|error| Failure::new(format!("the loupe itself: {error}")))?;
        let Some(status) = self.wait(&mut child)? else { return Ok(None) };
        let read = |name: &str| std::fs::read(self.path(name)).unwrap_or_default();
        let (messages, ending) = (read("errors"), status.to_string());
        let (output, errors) = if self.status_only { Default::default() } else { (read("output"), messages.clone()) };
        match std::fs::read(&json).ok().and_then(|text| serde_json::from_slice::<Report>(&text).ok()) {
            Some(report) => Ok(Some(Run { report, behaviour: Behaviour { output, errors, ending }, messages })),
            None => Err(Failure::new(format!("the program left no report: {}", last_line(&messages)))),
        }
    }

    fn input(&self) -> Result<Stdio, Failure> {
        match &self.input {
            Some(path) => File::open(path).map(Stdio::from).map_err(|error| Failure::of_file(path, &error)),
            None => Ok(Stdio::null()),
        }
    }

    /// Nothing if the program does not end in time. Who asks us to end ends the program.
    fn wait(&self, child: &mut Child) -> Result<Option<ExitStatus>, Failure> {
        let start = Instant::now();
        let mut pause = Duration::from_millis(1);
        loop {
            if let Ok(Some(status)) = child.try_wait() {
                return Ok(Some(status));
            }
            let signal = carat::asked_to_end();
            if signal.is_some() || start.elapsed() > self.limit {
                let _ = child.kill();
                let _ = child.wait();
                return signal.map_or(Ok(None), |number| Err(Failure::of_signal(number)));
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(50));
        }
    }
}

/// A folder of our own, which nobody else can read.
fn new_folder() -> Result<PathBuf, Failure> {
    let mut number = 0;
    loop {
        let folder = std::env::temp_dir().join(format!("loupe-{}-{number}", std::process::id()));
        match std::fs::DirBuilder::new().mode(0o700).create(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && number < 1000 => number += 1,
            Err(error) => return Err(Failure::of_file(&folder.to_string_lossy(), &error)),
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// What a loupe or a program that fails says last.
fn last_line(errors: &[u8]) -> String {
    let text = String::from_utf8_lossy(errors);
    let line = text.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or("it said nothing");
    line.strip_prefix("loupe: ").unwrap_or(line).to_string()
}

impl Trial {
    /// Whether two runs of the same texts did the same.
    pub(crate) fn is_steady(&self) -> bool {
        self.runs[0] == self.runs[1]
    }

    /// The first way in which the program does something else than before.
    pub(crate) fn difference(&self, before: &Trial) -> Option<Difference> {
        let expected = &before.runs[0];
        let differs = |of: fn(&Behaviour, &Behaviour) -> bool| self.runs.iter().any(|run| of(run, expected));
        if differs(|run, expected| run.ending != expected.ending) {
            Some(Difference::Ending)
        } else if differs(|run, expected| run.output != expected.output) {
            Some(Difference::Output)
        } else if differs(|run, expected| run.errors != expected.errors) {
            Some(Difference::Messages)
        } else {
            None
        }
    }

    pub(crate) fn allocated(&self) -> Amount {
        self.report.allocated
    }

    /// Writes that were refused here and not before.
    pub(crate) fn newly_refused(&self, before: &Trial) -> Vec<Refused> {
        let known = &before.report.findings.refused;
        let is_new = |refused: &&Refused| {
            known.iter().all(|other| other.location != refused.location || other.count < refused.count)
        };
        self.report.findings.refused.iter().filter(is_new).cloned().collect()
    }

    /// How the program failed: the error that it printed, or else its exit status.
    pub(crate) fn failure(&self) -> Option<String> {
        let Behaviour { ending, .. } = &self.runs[0];
        let text = String::from_utf8_lossy(&self.messages);
        let error = text.lines().find(|line| line.contains("Error)")).map(str::trim);
        (ending != "exit status: 0").then(|| error.map_or_else(|| ending.clone(), String::from))
    }

    /// The error that the program ended with, in the words that it printed.
    pub(crate) fn error_line(&self, before: &Trial) -> Option<String> {
        let text = String::from_utf8_lossy(&self.messages);
        let expected = String::from_utf8_lossy(&before.messages);
        text.lines().find(|line| line.contains("Error)") && !expected.contains(*line)).map(String::from)
    }
}

/// Writes a patch or a table to a file.
pub(crate) fn write_file(path: &str, bytes: &[u8]) -> Result<(), Failure> {
    File::create(path).and_then(|mut file| file.write_all(bytes)).map_err(|error| Failure::of_file(path, &error))
}

/// The file's text, or why there is none to edit.
pub(crate) fn source_of(path: &str) -> Result<Vec<u8>, String> {
    match Path::new(path).is_file() {
        true => std::fs::read(path).map_err(|error| format!("the file cannot be read: {error}")),
        false => Err("its code is in no file".into()),
    }
}
