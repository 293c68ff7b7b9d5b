//! Single calls of core methods, the rows of `bench/support/calls.rb`: each in a process of its own, the implementations alternating.
//!
//! Figures are nanoseconds a call, the least over the rounds. The table has the slowest rows; the mean is of all.

use super::{Implementation, geometric_mean, implementations, shown};
use crate::args::Args;
use crate::carat;
use crate::process;
use std::fmt::Write;
use std::process::Command;
use std::time::Duration;

const PROGRAM: &str = "bench/support/calls.rb";
const LIMIT: Duration = Duration::from_secs(60);
const DEFAULT_ROUNDS: u64 = 1;
/// Rows of the table.
const MOST_SHOWN: usize = 40;
/// A row counts as slower above this ratio.
const SLOWER: f64 = 1.2;

struct Row {
    name: String,
    /// Of each implementation.
    nanoseconds: Vec<f64>,
}

impl Row {
    fn ratio(&self, implementation: usize) -> f64 {
        self.nanoseconds[implementation] / self.nanoseconds[0]
    }

    /// The largest of the implementations behind the first.
    fn worst(&self) -> f64 {
        (1..self.nanoseconds.len()).map(|at| self.ratio(at)).fold(0.0, f64::max)
    }
}

/// Measures every row that contains the filter, and prints what is slowest.
pub(super) fn run(args: &Args) -> Result<bool, String> {
    let implementations = implementations(args)?;
    let rounds = args.number("rounds")?.unwrap_or(DEFAULT_ROUNDS).max(1);
    let filter = args.positional().first().map_or("", String::as_str);
    let names = call(&implementations[0], None)?;
    let (mut rows, mut failures) = (Vec::new(), Vec::new());
    for (number, name) in names.lines().enumerate().filter(|(_, name)| name.contains(filter)) {
        eprintln!("{name}");
        match measure(&implementations, number, rounds) {
            Ok(nanoseconds) => rows.push(Row { name: name.to_string(), nanoseconds }),
            Err(message) => failures.push(format!("FAIL {name}: {message}\n")),
        }
    }
    print!("{}{}", table(&implementations, rows), failures.concat());
    Ok(failures.is_empty())
}

fn measure(implementations: &[Implementation], row: usize, rounds: u64) -> Result<Vec<f64>, String> {
    let mut least = vec![f64::INFINITY; implementations.len()];
    for _ in 0..rounds {
        for (implementation, least) in implementations.iter().zip(&mut least) {
            let text = call(implementation, Some(row))?;
            let number = text.split_whitespace().next().and_then(|word| word.parse().ok());
            let number: f64 = number.ok_or_else(|| format!("{} prints {text:?}", implementation.name))?;
            // What is less than the clock tells has no ratio.
            *least = least.min(number.max(0.01));
        }
    }
    Ok(least)
}

/// What the program prints under an implementation: the names of all rows, or the figure of one.
fn call(implementation: &Implementation, row: Option<usize>) -> Result<String, String> {
    let (command, fixed) = implementation.words.split_first().expect("a command has a word");
    let mut command = Command::new(command);
    command.args(fixed).arg(PROGRAM).args(row.map(|row| row.to_string())).current_dir(carat::root());
    let outcome = process::run(&mut command, LIMIT)?;
    if outcome.timed_out || !outcome.status.success() {
        let stderr = String::from_utf8_lossy(&outcome.stderr);
        let first = stderr.lines().next().unwrap_or("takes too long").to_string();
        return Err(format!("{}: {first}", implementation.name));
    }
    String::from_utf8(outcome.stdout).map_err(|_| format!("{} prints no text", implementation.name))
}

fn table(implementations: &[Implementation], mut rows: Vec<Row>) -> String {
    rows.sort_by(|one, other| other.worst().total_cmp(&one.worst()));
    let mut text = header(implementations);
    for row in rows.iter().take(MOST_SHOWN) {
        let _ = write!(text, "| `{}` |", row.name.replace('|', "\\|"));
        row.nanoseconds.iter().for_each(|figure| _ = write!(text, " {figure:.1} |"));
        (1..implementations.len()).for_each(|at| _ = write!(text, " {:.2} |", row.ratio(at)));
        text.push('\n');
    }
    for at in 1..implementations.len() {
        let ratios: Vec<f64> = rows.iter().map(|row| row.ratio(at)).collect();
        let count = |is: &dyn Fn(f64) -> bool| ratios.iter().filter(|ratio| is(**ratio)).count();
        let _ = writeln!(
            text,
            "\n{} / {}: geometric mean {} of {} rows; {} above {SLOWER}, {} below 1",
            implementations[at].name,
            implementations[0].name,
            shown(geometric_mean(&ratios), 2),
            ratios.len(),
            count(&|ratio| ratio > SLOWER),
            count(&|ratio| ratio < 1.0),
        );
    }
    text
}

fn header(implementations: &[Implementation]) -> String {
    let names = || implementations.iter().map(|implementation| implementation.name.as_str());
    let mut columns = vec!["call".to_string()];
    columns.extend(names().map(|name| format!("{name} ns")));
    columns.extend(names().skip(1).map(|name| format!("{name} / {}", implementations[0].name)));
    let rule: String = std::iter::repeat_n("---:|", columns.len() - 1).collect();
    format!("| {} |\n|---|{rule}\n", columns.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slowest_rows_come_first_and_all_count() {
        let implementations =
            ["ruby", "carat"].map(|name| Implementation { name: name.into(), words: vec![name.into()] });
        let row = |name: &str, nanoseconds: [f64; 2]| Row { name: name.into(), nanoseconds: nanoseconds.into() };
        let text = table(&implementations, vec![row("a | b", [4.0, 2.0]), row("s.nil?", [1.0, 2.0])]);
        assert!(text.contains("| call | ruby ns | carat ns | carat / ruby |"), "{text}");
        let (slow, fast) =
            (text.find("| `s.nil?` | 1.0 | 2.0 | 2.00 |"), text.find("| `a \\| b` | 4.0 | 2.0 | 0.50 |"));
        assert!(slow.is_some() && slow < fast, "{text}");
        assert!(text.contains("carat / ruby: geometric mean 1.00 of 2 rows; 1 above 1.2, 1 below 1"), "{text}");
    }
}
