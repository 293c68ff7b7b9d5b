//! Runs ruby/spec, one process a file, and says what passes.
//!
//! `spec/runner.rb` writes an event a line while it runs; `events` reads them back, so that a file which crashes or hangs
//! still counts what it did before. `tags` keeps the failures that are known. Both checkouts stay outside the project:
//! `RUBYSPEC_DIR` and `MSPEC_DIR` name them.

mod events;
mod tags;

use crate::args::Args;
use crate::carat;
use crate::process;
use events::{End, FileRun, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tags::Tags;

pub(crate) const VALUED: &[&str] = &["jobs", "timeout", "reference", "save", "compare"];
pub(crate) const FLAGS: &[&str] = &["check", "tag", "v", "release"];
const DEFAULT_LIMIT_SECONDS: u64 = 60;
const MESSAGE_WIDTH: usize = 160;

struct Setup {
    root: PathBuf,
    specs: PathBuf,
    mspec: PathBuf,
    limit: Duration,
    jobs: usize,
}

/// An example's file and description: what failures, tags and comparisons are keyed by.
type Key = (String, String);

/// Runs the named directories or files and prints the table.
pub(crate) fn run(args: &Args) -> Result<bool, String> {
    let setup = Setup::new(args)?;
    let files = setup.spec_files(args.positional())?;
    let carat = vec![carat::locate(args.flag("release"))?.display().to_string()];
    let runs = setup.run_all(&files, &carat)?;
    let reference = match args.value("reference") {
        Some(command) => Some(passes(&setup.run_all(&files, &command_words(command)?)?)),
        None => None,
    };
    if args.flag("v") {
        print!("{}", failure_list(&runs));
    }
    print!("{}", table(&runs, reference.as_ref()));
    if let Some(path) = args.value("compare") {
        print!("{}", compare(&fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?, &runs));
    }
    if let Some(path) = args.value("save") {
        fs::write(path, failing_lines(&runs).join("\n") + "\n").map_err(|error| format!("{path}: {error}"))?;
    }
    let folder = setup.root.join("spec/tags");
    let mut tags = Tags::read(&folder)?;
    if args.flag("tag") {
        tags.rewrite(&folder, &runs)?;
        tags = Tags::read(&folder)?;
    }
    let problems = tags.problems(&runs);
    if args.flag("check") {
        problems.iter().for_each(|problem| println!("{problem}"));
    }
    println!("spec: {} files, {} disagreements with spec/tags", runs.len(), problems.len());
    Ok(problems.is_empty() || !args.flag("check"))
}

fn command_words(command: &str) -> Result<Vec<String>, String> {
    let mut words: Vec<String> = command.split_whitespace().map(str::to_string).collect();
    let program = words.first().ok_or("--reference is empty")?;
    words[0] = carat::resolve(Path::new(program))?.display().to_string();
    Ok(words)
}

impl Setup {
    fn new(args: &Args) -> Result<Setup, String> {
        let folder = |name: &str| {
            let path = std::env::var_os(name).ok_or_else(|| format!("set {name} to a checkout"))?;
            PathBuf::from(path).canonicalize().map_err(|error| format!("{name}: {error}"))
        };
        let limit = Duration::from_secs(args.number("timeout")?.unwrap_or(DEFAULT_LIMIT_SECONDS));
        let jobs = args.number("jobs")?.map_or_else(process::default_jobs, |jobs| jobs.max(1) as usize);
        Ok(Setup { root: carat::root(), specs: folder("RUBYSPEC_DIR")?, mspec: folder("MSPEC_DIR")?, limit, jobs })
    }

    /// The spec files below the given folders, relative to the checkout.
    fn spec_files(&self, names: &[String]) -> Result<Vec<String>, String> {
        let mut files = BTreeSet::new();
        for name in names {
            let path = self.specs.join(name.trim_end_matches('/'));
            if !path.exists() {
                return Err(format!("{name} is not in {}", self.specs.display()));
            }
            self.add_files(&path, &mut files);
        }
        if files.is_empty() {
            Err("name folders or files of ruby/spec".to_string())
        } else {
            Ok(files.into_iter().collect())
        }
    }

    fn add_files(&self, path: &Path, files: &mut BTreeSet<String>) {
        if let Ok(entries) = fs::read_dir(path) {
            entries.flatten().for_each(|entry| self.add_files(&entry.path(), files));
        } else if path.to_string_lossy().ends_with("_spec.rb") {
            let relative = path.strip_prefix(&self.specs).unwrap_or(path);
            files.insert(relative.display().to_string());
        }
    }

    fn run_all(&self, files: &[String], words: &[String]) -> Result<Vec<FileRun>, String> {
        process::parallel(files, self.jobs, |file| self.run_file(file, words)).into_iter().collect()
    }

    fn run_file(&self, file: &str, words: &[String]) -> Result<FileRun, String> {
        let scratch = Scratch::new(file)?;
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).arg(self.root.join("spec/runner.rb")).arg(self.specs.join(file));
        command.current_dir(&self.specs).env("MSPEC_DIR", &self.mspec).env("SPEC_EVENTS", scratch.events());
        command.env("MSPEC_RUNNER", "1").env("SPEC_TEMP_DIR", scratch.folder.join("tmp"));
        command.env("RUBY_EXE", &words[0]).env("RUBY_FLAGS", words[1..].join(" ")).env_remove("RUBYOPT");
        let outcome = process::run(&mut command, self.limit)?;
        let events = fs::read(scratch.events()).unwrap_or_default();
        Ok(FileRun::new(file, &self.without_checkout(&String::from_utf8_lossy(&events)), &outcome))
    }

    /// Paths relative to the checkout: descriptions of files that do not load have one, and tags hold on every machine.
    fn without_checkout(&self, events: &str) -> String {
        events.replace(&format!("{}/", self.specs.display()), "")
    }
}

/// A folder for one process's events and temporary files, removed when dropped.
struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    fn new(file: &str) -> Result<Scratch, String> {
        let name = format!("carat-spec-{}-{}", std::process::id(), file.replace('/', "-"));
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Scratch { folder })
    }

    fn events(&self) -> PathBuf {
        self.folder.join("events")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A spec may leave a folder that cannot be removed; the system's temporary folder is cleared by others.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[derive(Default)]
struct Row {
    files: usize,
    examples: usize,
    passed: usize,
    failed: usize,
    errors: usize,
    crashed: usize,
    hung: usize,
    reference: usize,
    both: usize,
}

impl Row {
    fn add(&mut self, run: &FileRun, reference: Option<&BTreeSet<Key>>) {
        self.files += 1;
        self.crashed += usize::from(matches!(run.end, End::Crashed(_) | End::Aborted(_)));
        self.hung += usize::from(run.end == End::Hung);
        for example in &run.examples {
            self.examples += 1;
            match example.verdict {
                Verdict::Pass => self.passed += 1,
                Verdict::Fail => self.failed += 1,
                Verdict::Error => self.errors += 1,
            }
        }
        let Some(reference) = reference else { return };
        let from = (run.file.clone(), String::new());
        let theirs: Vec<_> = reference.range(from..).take_while(|(file, _)| *file == run.file).collect();
        let ours: BTreeSet<&str> = run.passing().collect();
        self.reference += theirs.len();
        self.both += theirs.iter().filter(|(_, name)| ours.contains(name.as_str())).count();
    }

    fn line(&self, name: &str, with_reference: bool) -> String {
        let Row { files, examples, passed, failed, errors, crashed, hung, reference, both } = self;
        let mut text =
            format!("{name:<36} {files:>5} {examples:>8} {passed:>8} {failed:>7} {errors:>7} {crashed:>7} {hung:>5}");
        if with_reference {
            let percent = if *reference == 0 { 100.0 } else { 100.0 * *both as f64 / *reference as f64 };
            let _ = write!(text, " {reference:>9} {percent:>7.1}%");
        }
        text + "\n"
    }
}

fn table(runs: &[FileRun], reference: Option<&BTreeSet<Key>>) -> String {
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    let mut total = Row::default();
    for run in runs {
        rows.entry(run.folder()).or_default().add(run, reference);
        total.add(run, reference);
    }
    let mut text = format!(
        "{:<36} {:>5} {:>8} {:>8} {:>7} {:>7} {:>7} {:>5}",
        "directory", "files", "examples", "passed", "failed", "errors", "crashed", "hung"
    );
    if reference.is_some() {
        let _ = write!(text, " {:>9} {:>8}", "reference", "of it");
    }
    text.push('\n');
    for (name, row) in &rows {
        text += &row.line(name, reference.is_some());
    }
    text + &total.line("total", reference.is_some())
}

fn passes(runs: &[FileRun]) -> BTreeSet<Key> {
    let keys = |run: &FileRun| run.passing().map(|name| (run.file.clone(), name.to_string())).collect::<Vec<_>>();
    runs.iter().flat_map(keys).collect()
}

fn failure_list(runs: &[FileRun]) -> String {
    let mut text = String::new();
    for run in runs {
        for example in run.examples.iter().filter(|example| example.verdict != Verdict::Pass) {
            let message: String = example.message.chars().take(MESSAGE_WIDTH).collect();
            let _ = writeln!(text, "{} :: {}\n    {message}", run.file, example.name);
        }
        if run.end != End::Done {
            let _ = writeln!(text, "{} :: {}", run.file, run.end);
        }
    }
    text
}

/// One line for each failing example, in the order of the files: the format of `--save` and `--compare`.
fn failing_lines(runs: &[FileRun]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for run in runs {
        lines.extend(run.failing().map(|name| format!("{} :: {name}", run.file)));
    }
    lines
}

fn compare(saved: &str, runs: &[FileRun]) -> String {
    let lines = failing_lines(runs);
    let now: BTreeSet<&str> = lines.iter().map(String::as_str).collect();
    let ran: BTreeSet<&str> = runs.iter().map(|run| run.file.as_str()).collect();
    let in_run = |line: &&str| line.split(" :: ").next().is_some_and(|file| ran.contains(file));
    let before: BTreeSet<&str> = saved.lines().filter(in_run).collect();
    let mut text = String::new();
    for line in now.difference(&before) {
        let _ = writeln!(text, "now fails: {line}");
    }
    for line in before.difference(&now) {
        let _ = writeln!(text, "no longer fails: {line}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs() -> Vec<FileRun> {
        let array = "start\tArray#at a\npass\tArray#at a\t\nstart\tArray#at b\nfail\tArray#at b\tExpected 1\ndone\t2\n";
        let hash = "start\tHash#[] a\nerror\tHash#[] a\tNoMethodError: x\nstart\tHash#[] b\n";
        vec![
            FileRun::parse("core/array/at_spec.rb", array, End::Done),
            FileRun::parse("core/hash/aref_spec.rb", hash, End::Crashed("signal: 11".to_string())),
        ]
    }

    #[test]
    fn table_counts_by_directory() {
        let text = table(&runs(), None);
        let words = |name: &str| {
            let line = text.lines().find(|line| line.starts_with(name)).unwrap();
            line.split_whitespace().skip(1).map(|word| word.parse::<usize>().unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(words("core/array"), [1, 2, 1, 1, 0, 0, 0]);
        assert_eq!(words("core/hash"), [1, 2, 0, 0, 2, 1, 0]);
        assert_eq!(words("total"), [2, 4, 1, 1, 2, 1, 0]);
    }

    #[test]
    fn reference_share_counts_what_both_pass() {
        let file = "core/array/at_spec.rb".to_string();
        let reference = [(file.clone(), "Array#at a".to_string()), (file, "Array#at b".to_string())].into();
        let text = table(&runs(), Some(&reference));
        assert!(text.lines().any(|line| line.starts_with("core/array ") && line.ends_with("2    50.0%")), "{text}");
    }

    #[test]
    fn comparison_tells_new_failures_from_mended_ones() {
        let saved = "core/array/at_spec.rb :: Array#at a\nlanguage/if_spec.rb :: not run\n";
        let text = compare(saved, &runs());
        assert!(text.contains("now fails: core/array/at_spec.rb :: Array#at b\n"));
        assert!(text.contains("no longer fails: core/array/at_spec.rb :: Array#at a\n"));
        assert!(!text.contains("not run"));
    }
}
