//! Benchmarks: the implementations take turns in one run, so that a busy machine slows them all alike.
//!
//! `bench/support/run.rb` loads a program and then says on standard error how many objects it allocated. Times are wall
//! time of the whole process, start-up included, and the median over the rounds; peak memory is the largest seen. The
//! first implementation is the reference: ratios are to it, below 1 is faster. An implementation that prints something
//! else than the reference fails the run. `--calls` measures single calls instead. With `OPTCARROT_DIR` set, optcarrot is one more row.

mod calls;
mod program;

use crate::args::Args;
use crate::carat;
use crate::process::{self, Outcome};
use program::{Program, programs};
use std::fmt::Write;
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(120);
const DEFAULT_ROUNDS: u64 = 5;

struct Implementation {
    name: String,
    words: Vec<String>,
}

#[derive(Default)]
struct Measured {
    seconds: Vec<f64>,
    objects: Option<u64>,
    peak_kib: u64,
    stdout: Vec<u8>,
    failure: Option<String>,
}

/// Measures every benchmark that matches and prints the table.
pub(crate) fn run(args: &Args) -> Result<bool, String> {
    if args.flag("calls") {
        return calls::run(args);
    }
    let root = carat::root();
    let implementations = implementations(args)?;
    let rounds = args.number("rounds")?.unwrap_or(DEFAULT_ROUNDS).max(1);
    let programs = programs(&root, args.positional().first().map(String::as_str))?;
    let mut rows = Vec::new();
    for program in &programs {
        eprintln!("{}", program.name);
        rows.push(measure(program, &implementations, rounds));
    }
    let names: Vec<&str> = programs.iter().map(|program| program.name.as_str()).collect();
    print!("{}", table(&names, &implementations, &rows));
    let failures = failures(&names, &implementations, &rows);
    print!("{failures}");
    Ok(failures.is_empty())
}

/// Those given by `--impl NAME=CMD`, or `ruby` as the reference and our own optimised build.
fn implementations(args: &Args) -> Result<Vec<Implementation>, String> {
    let given = args.values("impl");
    if given.is_empty() {
        let carat = carat::locate(true)?.display().to_string();
        let ruby = Implementation { name: "ruby".to_string(), words: vec!["ruby".to_string()] };
        return Ok(vec![ruby, Implementation { name: "carat".to_string(), words: vec![carat] }]);
    }
    given.into_iter().map(parse_implementation).collect()
}

fn parse_implementation(text: &str) -> Result<Implementation, String> {
    let (name, command) = text.split_once('=').ok_or_else(|| format!("--impl {text}: write NAME=CMD"))?;
    let mut words: Vec<String> = command.split_whitespace().map(str::to_string).collect();
    if words.is_empty() {
        return Err(format!("--impl {text}: the command is empty"));
    }
    if words[0].contains('/') {
        words[0] = carat::root().join(&words[0]).display().to_string();
    }
    Ok(Implementation { name: name.to_string(), words })
}

fn measure(program: &Program, implementations: &[Implementation], rounds: u64) -> Vec<Measured> {
    let mut row: Vec<Measured> = implementations.iter().map(|_| Measured::default()).collect();
    for _ in 0..rounds {
        for (implementation, measured) in implementations.iter().zip(&mut row) {
            if measured.failure.is_none() {
                measured.add(run_once(program, implementation));
            }
        }
    }
    let (reference, others) = row.split_first_mut().expect("there is at least one implementation");
    for other in others.iter_mut().filter(|other| other.failure.is_none()) {
        if program.comparable(&other.stdout) != program.comparable(&reference.stdout) {
            other.failure = Some("prints something else than the reference".to_string());
        }
    }
    row
}

fn run_once(program: &Program, implementation: &Implementation) -> Result<Outcome, String> {
    let (command, fixed) = implementation.words.split_first().expect("a command has a word");
    process::run(Command::new(command).args(fixed).args(&program.words).current_dir(&program.directory), LIMIT)
}

impl Measured {
    fn add(&mut self, outcome: Result<Outcome, String>) {
        match outcome {
            Err(message) => self.failure = Some(message),
            Ok(outcome) if outcome.timed_out => self.failure = Some(format!("takes over {} s", LIMIT.as_secs())),
            Ok(outcome) if !outcome.status.success() => {
                let stderr = String::from_utf8_lossy(&outcome.stderr);
                self.failure = Some(format!("{}: {}", outcome.status, stderr.lines().next().unwrap_or_default()));
            }
            Ok(outcome) => {
                self.seconds.push(outcome.elapsed.as_secs_f64());
                self.objects = objects(&outcome.stderr).or(self.objects);
                self.peak_kib = self.peak_kib.max(outcome.peak_kib);
                self.stdout = outcome.stdout;
            }
        }
    }

    fn median(&self) -> Option<f64> {
        let mut seconds = self.seconds.clone();
        seconds.sort_by(f64::total_cmp);
        let middle = seconds.len() / 2;
        match seconds.len() {
            0 => None,
            count if count % 2 == 0 => Some(f64::midpoint(seconds[middle - 1], seconds[middle])),
            _ => Some(seconds[middle]),
        }
    }

    /// The time as a multiple of the reference's, of a program that did what the reference did.
    fn ratio(&self, reference: &Measured) -> Option<f64> {
        Some(self.median()? / reference.median()?).filter(|_| self.failure.is_none())
    }
}

/// What `bench/support/run.rb` reports as its last word: `objects: N`.
fn objects(stderr: &[u8]) -> Option<u64> {
    let text = String::from_utf8_lossy(stderr);
    text.lines().rev().find_map(|line| line.strip_prefix("objects: ")).and_then(|count| count.trim().parse().ok())
}

fn table(names: &[&str], implementations: &[Implementation], rows: &[Vec<Measured>]) -> String {
    let mut text = header(implementations);
    for (name, row) in names.iter().zip(rows) {
        let _ = write!(text, "| {name} |");
        for measured in row {
            let _ = write!(text, " {} |", shown(measured.median(), 3));
        }
        for measured in &row[1..] {
            let _ = write!(text, " {} |", shown(measured.ratio(&row[0]), 2));
        }
        for measured in row {
            let _ = write!(text, " {} |", measured.objects.map_or("-".to_string(), |count| count.to_string()));
        }
        for measured in row {
            let _ = write!(text, " {:.1} |", measured.peak_kib as f64 / 1024.0);
        }
        text.push('\n');
    }
    text + &footer(implementations.len(), rows)
}

fn header(implementations: &[Implementation]) -> String {
    let names = || implementations.iter().map(|implementation| implementation.name.as_str());
    let mut columns = vec!["program".to_string()];
    columns.extend(names().map(|name| format!("{name} s")));
    columns.extend(names().skip(1).map(|name| format!("{name} / {}", implementations[0].name)));
    columns.extend(names().map(|name| format!("{name} objects")));
    columns.extend(names().map(|name| format!("{name} peak MiB")));
    let rule: String = std::iter::repeat_n("---:|", columns.len() - 1).collect();
    format!("| {} |\n|---|{rule}\n", columns.join(" | "))
}

fn footer(count: usize, rows: &[Vec<Measured>]) -> String {
    let mut text = format!("| geometric mean |{}", " |".repeat(count));
    for index in 1..count {
        let ratios: Vec<f64> = rows.iter().filter_map(|row| row[index].ratio(&row[0])).collect();
        let _ = write!(text, " {} |", shown(geometric_mean(&ratios), 2));
    }
    text + &" |".repeat(2 * count) + "\n"
}

fn shown(number: Option<f64>, digits: usize) -> String {
    number.map_or("-".to_string(), |number| format!("{number:.digits$}"))
}

fn geometric_mean(ratios: &[f64]) -> Option<f64> {
    let logarithms: f64 = ratios.iter().map(|ratio| ratio.ln()).sum();
    (!ratios.is_empty()).then(|| (logarithms / ratios.len() as f64).exp())
}

fn failures(names: &[&str], implementations: &[Implementation], rows: &[Vec<Measured>]) -> String {
    let mut text = String::new();
    for (name, row) in names.iter().zip(rows) {
        for (implementation, measured) in implementations.iter().zip(row) {
            if let Some(failure) = &measured.failure {
                let _ = writeln!(text, "FAIL {name} under {}: {failure}", implementation.name);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(seconds: &[f64]) -> Measured {
        Measured { seconds: seconds.to_vec(), objects: Some(7), peak_kib: 2048, ..Measured::default() }
    }

    #[test]
    fn median_takes_the_middle() {
        assert_eq!(measured(&[3.0, 1.0, 2.0]).median(), Some(2.0));
        assert_eq!(measured(&[4.0, 1.0, 2.0, 3.0]).median(), Some(2.5));
        assert_eq!(measured(&[]).median(), None);
    }

    #[test]
    fn table_compares_with_the_first() {
        let implementations = ["a=ruby", "b=ruby -W0"].map(|text| parse_implementation(text).unwrap());
        let rows = vec![vec![measured(&[2.0]), measured(&[1.0])], vec![measured(&[2.0]), measured(&[4.0])]];
        let text = table(&["x", "y"], &implementations, &rows);
        assert!(text.contains("| program | a s | b s | b / a | a objects | b objects | a peak MiB | b peak MiB |"));
        assert!(text.contains("| x | 2.000 | 1.000 | 0.50 | 7 | 7 | 2.0 | 2.0 |"));
        assert!(text.contains("| geometric mean | | | 1.00 | | | | |"), "{text}");
    }

    #[test]
    fn object_count_is_the_last_report() {
        assert_eq!(objects(b"warning: x\nobjects: 12\n"), Some(12));
        assert_eq!(objects(b"nothing\n"), None);
    }
}
