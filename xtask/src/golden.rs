//! Golden programs: `tests/golden/**/*.rb` and what they must print.
//!
//! Beside `name.rb` stand `name.out` (standard output), `name.err` (standard error, compared when the file exists) and
//! `name.status` (exit status, 0 when the file does not exist). Programs run from the project's root by their relative
//! path, so no recorded output holds a machine's paths. Folders called `fixtures` hold files that programs load.
//!
//! The expected files come from an oracle, never from Carat, except below `tests/golden/carat`, which holds output that
//! only Carat has (disassembly, dumps). Comments at the head of a program may say
//! * `# flags: --dump=insns`: put these before the file's name (Carat only);
//! * `# oracle: native`: record with `$ORACLE_NATIVE`, since the WebAssembly oracle has no threads or processes;
//! * `# gc_stress: REASON`: what it prints depends on when collections run, so under stress only a crash of it counts.
//!
//! `tests/golden/known_failures` lists programs that do not print what they must yet, one a line with the reason behind
//! `::`. Such a program must fail: one that passes has to leave the list, which so can only shrink. Under the collector's
//! stress a listed program runs too, but only a crash of it counts.
//!
//! Where the output of a program differs, the program runs once more and notes which of its lines prints what, so that the
//! message can name the one at fault.
//!
//! This file is also compiled into the integration test of the `carat` package, so it neither prints nor exits.

#[path = "golden/difference.rs"]
mod difference;
#[path = "golden/notes.rs"]
mod notes;

use crate::process;
use difference::compare;
use notes::Notes;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// One poll in this many collects under `--gc-stress` unless `--one-in` says otherwise.
pub(crate) const STRESS_ONE_IN: u64 = 64;
const LIMIT: Duration = Duration::from_secs(60);
/// Collecting at every few polls costs two orders of magnitude.
const STRESS_LIMIT: Duration = Duration::from_secs(600);
const SHOWN_LINES: usize = 12;

/// What to run and how.
#[derive(Default)]
pub(crate) struct Options {
    /// Run only programs whose path contains this.
    pub(crate) filter: Option<String>,
    /// The value of `CARAT_GC_STRESS`, as `SEED:N`.
    pub(crate) gc_stress: Option<String>,
}

/// The text for the user, and how many programs failed.
pub(crate) struct Report {
    pub(crate) text: String,
    pub(crate) failures: usize,
}

struct Case {
    /// Relative to the root, as the program sees it.
    path: PathBuf,
    flags: Vec<String>,
    native_oracle: bool,
    stress_shows: bool,
}

struct Ran {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    status: String,
}

/// Runs every program under `carat` and compares.
pub(crate) fn check(root: &Path, carat: &Path, options: &Options) -> Result<Report, String> {
    let cases = discover(root, options)?;
    let verdicts = process::parallel(&cases, process::default_jobs(), |case| check_one(root, carat, case, options));
    let mut report = Report { text: String::new(), failures: 0 };
    let known = known_failures(root)?;
    let mut expected_failures = 0;
    for (case, verdict) in cases.iter().zip(verdicts) {
        let path = case.path.display().to_string();
        let message = match (verdict, known.contains(&path)) {
            (Ok(()), false) => continue,
            (Ok(()), true) if options.gc_stress.is_some() => continue,
            (Ok(()), true) => "  passes, but is listed in tests/golden/known_failures\n".to_string(),
            (Err(message), true) if !message.contains(CRASHED) => {
                expected_failures += 1;
                continue;
            }
            (Err(message), _) if case.stress_shows && options.gc_stress.is_some() && !message.contains(CRASHED) => {
                continue;
            }
            (Err(message), _) => message,
        };
        report.failures += 1;
        let _ = writeln!(report.text, "FAIL {path}\n{message}");
    }
    let (all, failed) = (cases.len(), report.failures);
    let _ = writeln!(report.text, "golden: {all} programs, {failed} failed, {expected_failures} known to fail");
    Ok(report)
}

/// What a verdict says of a program that a signal ended.
const CRASHED: &str = "signal";

/// Paths of the programs listed as failing.
fn known_failures(root: &Path) -> Result<Vec<String>, String> {
    let path = root.join("tests/golden/known_failures");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| known_failure(line).ok_or_else(|| format!("no reason given: {line}"))).collect()
}

fn known_failure(line: &str) -> Option<String> {
    let (path, reason) = line.split_once(" :: ")?;
    (!reason.trim().is_empty()).then(|| path.trim().to_string())
}

/// Rewrites the expected files: from the oracle, and below `tests/golden/carat` from the executable that `locate` finds.
pub(crate) fn bless(
    root: &Path,
    locate: impl FnOnce() -> Result<PathBuf, String>,
    options: &Options,
) -> Result<Report, String> {
    let cases = discover(root, options)?;
    let oracle = command_words("ORACLE");
    let native = command_words("ORACLE_NATIVE");
    if cases.iter().any(|case| !case.is_own_output() && !case.native_oracle) {
        require_version(root, &oracle)?;
    }
    let carat = if cases.iter().any(Case::is_own_output) { locate()? } else { PathBuf::new() };
    let mut report = Report { text: String::new(), failures: 0 };
    let blessed = process::parallel(&cases, process::default_jobs(), |case| {
        let command = if case.is_own_output() {
            vec![carat.display().to_string()]
        } else if case.native_oracle {
            native.clone()
        } else {
            oracle.clone()
        };
        record(root, case, &run_case(root, &command, case, LIMIT, None)?)
    });
    for (case, result) in cases.iter().zip(blessed) {
        let line = match result {
            Ok(true) => format!("blessed {}", case.path.display()),
            Ok(false) => continue,
            Err(message) => {
                report.failures += 1;
                format!("FAIL {}: {message}", case.path.display())
            }
        };
        let _ = writeln!(report.text, "{line}");
    }
    let _ = writeln!(report.text, "golden: {} programs recorded, {} failed", cases.len(), report.failures);
    Ok(report)
}

impl Case {
    fn is_own_output(&self) -> bool {
        self.path.starts_with("tests/golden/carat")
    }
}

fn discover(root: &Path, options: &Options) -> Result<Vec<Case>, String> {
    let mut paths = Vec::new();
    programs(root, Path::new("tests/golden"), &mut paths)?;
    paths.retain(|path| options.filter.as_ref().is_none_or(|filter| path.to_string_lossy().contains(filter)));
    paths.sort();
    if paths.is_empty() {
        return Err("no golden program matches".to_string());
    }
    paths.into_iter().map(|path| read_case(root, path)).collect()
}

fn programs(root: &Path, folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = fs::read_dir(root.join(folder)).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries.flatten() {
        let path = folder.join(entry.file_name());
        if entry.path().is_dir() {
            if entry.file_name() != "fixtures" {
                programs(root, &path, found)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "rb") {
            found.push(path);
        }
    }
    Ok(())
}

fn read_case(root: &Path, path: PathBuf) -> Result<Case, String> {
    let source = fs::read(root.join(&path)).map_err(|error| format!("{}: {error}", path.display()))?;
    let source = String::from_utf8_lossy(&source);
    let head: Vec<&str> = source.lines().take_while(|line| line.starts_with('#')).collect();
    let directive = |name: &str| head.iter().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let flags = directive("# flags:").unwrap_or_default().split_whitespace().map(str::to_string).collect();
    let native_oracle = directive("# oracle:") == Some("native");
    let stress_shows = directive("# gc_stress:").is_some();
    Ok(Case { path, flags, native_oracle, stress_shows })
}

fn check_one(root: &Path, carat: &Path, case: &Case, options: &Options) -> Result<(), String> {
    let limit = if options.gc_stress.is_some() { STRESS_LIMIT } else { LIMIT };
    let command = [carat.display().to_string()];
    let ran = run_case(root, &command, case, limit, options.gc_stress.as_deref())?;
    let beside = root.join(&case.path);
    let expected = fs::read(beside.with_extension("out")).map_err(|_| "  has no .out file; record it with --bless")?;
    let status = fs::read_to_string(beside.with_extension("status")).unwrap_or_else(|_| "0".to_string());
    let printer = |line| printer(root, &command, case, &ran.stdout, line);
    let mut differences = compare("standard output", &expected, &ran.stdout, printer);
    let expected_error = fs::read(beside.with_extension("err")).ok();
    if let Some(expected) = &expected_error {
        differences += &compare("standard error", expected, &ran.stderr, |_| None);
    }
    if status.trim() != ran.status {
        let _ = writeln!(differences, "  exit status: expected {}, got {}", status.trim(), ran.status);
    }
    if differences.is_empty() {
        return Ok(());
    }
    if expected_error.is_none() && !ran.stderr.is_empty() {
        differences += &excerpt("standard error (not compared)", &ran.stderr);
    }
    Err(differences)
}

/// Which line of the program printed a line of its output, if a second run tells.
fn printer(root: &Path, carat: &[String; 1], case: &Case, output: &[u8], line: usize) -> Option<String> {
    let name = format!("carat-golden-{}-{}", std::process::id(), case.path.display().to_string().replace('/', "-"));
    let file = std::env::temp_dir().join(name);
    let mut command = command(root, carat, case).ok()?;
    command.arg("-r./tests/golden/fixtures/whose_line.rb").arg(&case.path).env("CARAT_NOTES", &file);
    let ran = process::run(&mut command, LIMIT);
    let notes = fs::read(&file).ok();
    let _ = fs::remove_file(&file);
    ran.ok()?;
    let program = fs::read(root.join(&case.path)).ok()?;
    Notes::parse(&notes?).printer(&String::from_utf8_lossy(&program), output, line)
}

fn run_case(root: &Path, words: &[String], case: &Case, limit: Duration, stress: Option<&str>) -> Result<Ran, String> {
    let mut command = command(root, words, case)?;
    command.arg(&case.path);
    if let Some(stress) = stress {
        command.env("CARAT_GC_STRESS", stress);
    }
    let outcome = process::run(&mut command, limit)?;
    if outcome.timed_out {
        return Err(format!("  still running after {} s", limit.as_secs()));
    }
    let status = outcome.status.code().map_or_else(|| outcome.status.to_string(), |code| code.to_string());
    Ok(Ran { stdout: outcome.stdout, stderr: outcome.stderr, status })
}

/// What runs a case, but for the program's path.
fn command(root: &Path, words: &[String], case: &Case) -> Result<Command, String> {
    let (program, fixed) = words.split_first().ok_or("an empty command")?;
    let mut command = Command::new(program);
    command.args(fixed);
    if words.len() == 1 {
        // The oracle has no gems, so nothing is added to its messages.
        command.arg("--disable=gems").args(&case.flags);
    }
    command.current_dir(root).env("LC_ALL", "C.UTF-8").env("TZ", "UTC").env("NO_COLOR", "1");
    // Not the machine's RubyGems.
    command.env("CARAT_RUBYGEMS", "");
    command.env_remove("RUBYOPT").env_remove("RUBYLIB").env_remove("CARAT_GC_STRESS");
    Ok(command)
}

fn record(root: &Path, case: &Case, ran: &Ran) -> Result<bool, String> {
    if ran.status.parse::<i32>().is_err() {
        return Err(format!("died of {}", ran.status));
    }
    let beside = root.join(&case.path);
    let status = if ran.status == "0" { Vec::new() } else { format!("{}\n", ran.status).into_bytes() };
    let mut changed = write_if_changed(&beside.with_extension("out"), &ran.stdout)?;
    for (extension, bytes) in [("err", &ran.stderr), ("status", &status)] {
        let path = beside.with_extension(extension);
        if !bytes.is_empty() {
            changed |= write_if_changed(&path, bytes)?;
        } else if path.exists() {
            changed = true;
            fs::remove_file(&path).map_err(|error| error.to_string())?;
        }
    }
    Ok(changed)
}

fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<bool, String> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(false);
    }
    fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(true)
}

fn command_words(variable: &str) -> Vec<String> {
    let text = std::env::var(variable).unwrap_or_else(|_| "ruby".to_string());
    text.split_whitespace().map(str::to_string).collect()
}

/// Refuses an oracle of another version, which would record yesterday's Ruby without a word.
fn require_version(root: &Path, oracle: &[String]) -> Result<(), String> {
    let (program, fixed) = oracle.split_first().ok_or("ORACLE is empty")?;
    let path = "tests/golden/fixtures/version.rb";
    let outcome = process::run(Command::new(program).args(fixed).arg(path).current_dir(root), LIMIT)?;
    let version = String::from_utf8_lossy(&outcome.stdout).trim().to_string();
    if version.starts_with("4.0.") {
        return Ok(());
    }
    let complaint = excerpt("it says", &outcome.stderr);
    Err(format!("the oracle `{}` is Ruby {version:?}; set ORACLE to a CRuby 4.0\n{complaint}", oracle.join(" ")))
}

fn excerpt(what: &str, bytes: &[u8]) -> String {
    let mut text = format!("  {what}:\n");
    for line in String::from_utf8_lossy(bytes).lines().take(SHOWN_LINES) {
        let _ = writeln!(text, "      {line}");
    }
    text
}
