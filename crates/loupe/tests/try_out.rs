//! `loupe try` as a user runs it: the table, the patch, and what is said of edits that change a program.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of the test's own with a program in it.
fn folder(name: &str, source: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    std::fs::write(folder.join("t.rb"), source).expect("the program can be written");
    folder
}

fn loupe(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_loupe")).args(words).current_dir(folder).output().expect("loupe runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("reports are UTF-8")
}

/// The lines of the table that are about a finding.
fn row<'a>(table: &'a str, name: &str) -> &'a str {
    let is_row = |line: &&str| line.split_whitespace().next() == Some(name);
    table.lines().find(is_row).unwrap_or_else(|| panic!("{name} is in {table}"))
}

/// The change of the bytes in a row.
fn bytes(row: &str) -> i64 {
    let figure = row.split_whitespace().nth(1).expect("a row has figures");
    figure.replace(',', "").parse().expect("bytes are a number")
}

/// Allocated bytes of a program as `loupe run` counts them.
fn allocated(folder: &Path) -> i64 {
    let report = text(&loupe(folder, &["run", "--disable=gems", "t.rb"]).stdout);
    let line = report.lines().find_map(|line| line.strip_prefix("Total allocated: ")).expect("the report has a total");
    line.split(' ').next().and_then(|figure| figure.parse().ok()).expect("a number")
}

/// Its folder of copies and reports goes, and the program that it runs.
#[test]
fn an_interrupted_trial_leaves_nothing() {
    use std::os::unix::process::ExitStatusExt;
    // Who is started by `nohup` goes on ignoring the last of them, and so does whom it starts.
    let ignored = std::fs::read_to_string("/proc/self/status").expect("the status of this process");
    let ignored = ignored.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("its signals").trim();
    let ignores_hangup = u64::from_str_radix(ignored, 16).expect("a mask") & 1 == 1;
    for signal in ["INT", "TERM", "HUP"].into_iter().take(if ignores_hangup { 2 } else { 3 }) {
        let folder = folder(&format!("try-{signal}"), "File.write('pid', $$.to_s); sleep 30\n");
        let temporary = folder.join("tmp");
        std::fs::create_dir(&temporary).expect("the folder can be made");
        let mut command = Command::new(env!("CARGO_BIN_EXE_loupe"));
        command.args(["try", "--all", "--", "t.rb"]).current_dir(&folder).env("TMPDIR", &temporary);
        let mut running = command.spawn().expect("loupe runs");
        let pid = || std::fs::read_to_string(folder.join("pid")).unwrap_or_default();
        let start = std::time::Instant::now();
        while pid().is_empty() {
            assert!(start.elapsed().as_secs() < 20, "the program was not started");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        assert!(temporary.read_dir().is_ok_and(|mut entries| entries.next().is_some()), "the trial has a folder");
        let program = pid();
        Command::new("kill").arg(format!("-{signal}")).arg(running.id().to_string()).status().expect("kill runs");
        let status = running.wait().expect("loupe ends");
        let number = [("INT", 2), ("TERM", 15), ("HUP", 1)].into_iter().find(|(name, _)| *name == signal);
        assert_eq!(status.signal(), number.map(|(_, number)| number));
        assert!(temporary.read_dir().is_ok_and(|mut entries| entries.next().is_none()), "{signal}: the folder is gone");
        assert!(!Path::new(&format!("/proc/{program}")).exists(), "{signal}: the program runs on");
    }
}

const PROGRAM: &str = "\
def tag(x) = x ? \"yes\" : \"no\"
seen = 0
2000.times { |i| seen += tag(i.odd?).size }
puts seen
list = %w[a b c]
900.times { seen += list.map { |word| [word, 1] }.flatten(1).size }
words = [\"a,b,c,d\"] * 10
300.times { |i| seen += words[i % 10].split(\",\").first.size }
puts seen
";

#[test]
fn all_findings_are_tried_alone_and_together() {
    let folder = folder("try-all", PROGRAM);
    let output = loupe(&folder, &["try", "--all", "--json", "table.json", "--", "--disable=gems", "t.rb"]);
    let table = text(&output.stdout);
    assert!(output.status.success(), "{table}{}", text(&output.stderr));
    assert!(table.starts_with("findings tried on --disable=gems t.rb\n"), "{table}");
    for (kind, edit) in [
        ("literal", "+def tag(x) = x ? \"yes\".freeze : \"no\".freeze"),
        ("flat-map", "+900.times { seen += list.flat_map { |word| [word, 1] }.size }"),
        ("one-part", "+300.times { |i| seen += words[i % 10].split(\",\", 2).first.size }"),
    ] {
        let line = table.lines().find(|line| line.ends_with(&format!("({kind})"))).expect("the kind is tried");
        assert!(line.contains("same output") && bytes(line) < 0, "{line}");
        assert!(table.contains(edit), "{edit} in {table}");
    }
    let alone: i64 = (1..=3).map(|number| bytes(row(&table, &number.to_string()))).sum();
    let together = bytes(row(&table, "all"));
    assert!((alone - together).abs() * 20 < -together, "{alone} and {together}: {table}");
    let json = std::fs::read(folder.join("table.json")).expect("the figures are there");
    let json: serde_json::Value = serde_json::from_slice(&json).expect("they are JSON");
    assert_eq!(json["loupe_try"], 1);
    assert_eq!(json["together"]["numbers"], serde_json::json!([1, 2, 3]));
}

/// What the table says is what the patch gains.
#[test]
fn the_patch_applies_and_gains_what_was_said() {
    let folder = folder("try-patch", PROGRAM);
    let before = allocated(&folder);
    let output = loupe(&folder, &["try", "--all", "--patch=changes.patch", "--", "--disable=gems", "t.rb"]);
    let said = bytes(row(&text(&output.stderr), "all"));
    assert!(output.stdout.is_empty() && output.status.success());
    // As outside of any repository, where git takes patches, too.
    let outside = folder.parent().expect("it is in a folder").to_path_buf();
    let apply = |program: &str, words: &[&str]| {
        Command::new(program).args(words).current_dir(&folder).env("GIT_CEILING_DIRECTORIES", &outside).output()
    };
    if let Ok(checked) = apply("git", &["apply", "--check", "--numstat", "changes.patch"]) {
        assert!(checked.status.success(), "{}", text(&checked.stderr));
        assert_eq!(text(&checked.stdout), "3\t3\tt.rb\n");
    }
    let Ok(applied) = apply("patch", &["-p1", "-i", "changes.patch"]) else {
        assert!(std::env::var_os("CARAT_REQUIRE_TOOLS").is_none(), "no patch to apply it with");
        return;
    };
    assert!(applied.status.success(), "{}", text(&applied.stdout));
    let gained = allocated(&folder) - before;
    assert!((gained - said).abs() * 50 <= said.abs(), "{said} was said and {gained} came of it");
    // What is applied is a finding no more.
    let again = text(&loupe(&folder, &["try", "--all", "--patch", "--", "--disable=gems", "t.rb"]).stdout);
    assert_eq!(again, "");
}

#[test]
fn an_edit_that_changes_the_output_is_named_and_left_out() {
    let source = "n = 0\n500.times { n += [1, 2].map { |a| [[a, a]] }.flatten.size }\nputs n\n\
                  300.times { |i| n += \"a,b,c,d\".split(\",\").first.size }\nputs n\n";
    let folder = folder("try-output", source);
    let output = loupe(&folder, &["try", "--all", "--patch=p", "--", "--disable=gems", "t.rb"]);
    let table = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{table}");
    let line = table.lines().find(|line| line.ends_with("(flat-map)")).expect("it is tried");
    assert!(line.contains("other output"), "{line}");
    let patch = std::fs::read_to_string(folder.join("p")).expect("the patch is there");
    assert!(patch.contains("split(\",\", 2)") && !patch.contains("flat_map"), "{patch}");
}

/// The first run of a line writes to nothing; a later one does.
#[test]
fn a_write_that_an_edit_refuses_is_named_with_its_line() {
    let source = "def options(a, b = {})\n  b[:x] = 1 if a == 499\n  b\nend\nn = 0\n\
                  500.times { |i| n += begin; options(i).size; rescue FrozenError; 1; end }\nputs n\n";
    let folder = folder("try-refused", source);
    let output = loupe(&folder, &["try", "1", "--patch=p", "--", "--disable=gems", "t.rb"]);
    let table = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{table}");
    assert!(row(&table, "1").contains("writes were refused"), "{table}");
    assert!(table.contains("t.rb:2 writes: can't modify frozen Hash: {} (FrozenError, 1 times)"), "{table}");
    assert_eq!(std::fs::read_to_string(folder.join("p")).expect("the patch is there"), "");
}

#[test]
fn a_kind_without_an_edit_says_so() {
    let folder = folder("try-none", "n = 0\n500.times { n += (1.0e300 * 2 > 1 ? 1 : 0) }\nputs n\n");
    let output = loupe(&folder, &["try", "1", "--", "--disable=gems", "t.rb"]);
    let table = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{table}");
    assert!(row(&table, "1").contains("not tried: a number cannot be made smaller"), "{table}");
    let output = loupe(&folder, &["try", "--all", "--", "--disable=gems", "t.rb"]);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn output_that_changes_by_itself_proves_nothing() {
    let folder = folder("try-unsteady", "def f(x) = x.to_s\n500.times { f(:abc) }\nputs Process.pid\n");
    let output = loupe(&folder, &["try", "--all", "--patch", "--", "--disable=gems", "t.rb"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("Its output changes from run to run"));
    assert!(output.stdout.is_empty());
    let words = ["try", "--all", "--status-only", "--patch", "--", "--disable=gems", "t.rb"];
    let output = loupe(&folder, &words);
    assert!(output.status.success() && text(&output.stderr).contains("same exit status"));
    assert!(text(&output.stdout).contains("+def f(x) = (::Symbol === x ? x.name : x.to_s)"));
}

#[test]
fn mistakes_are_told() {
    let folder = folder("try-mistakes", "puts gets\n");
    std::fs::write(folder.join("input"), "a line\n").expect("it can be written");
    let fails = |words: &[&str]| {
        let output = loupe(&folder, words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        text(&output.stderr)
    };
    assert!(fails(&["try", "1", "--", "--disable=gems", "t.rb"]).contains("there is no finding 1: the report has 0"));
    assert!(fails(&["try", "1", "--", "none.rb"]).contains("No such file"));
    assert!(fails(&["try", "--all", "t.rb"]).contains("try wants"));
    assert!(fails(&["try", "--all", "--input", "none", "--", "t.rb"]).contains("none: No such file"));
    let output = loupe(&folder, &["try", "--all", "--input", "input", "--", "--disable=gems", "t.rb"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn a_file_can_be_loaded_as_if_it_held_something_else() {
    let folder = folder("instead", "require_relative 'other'\nputs X\n");
    std::fs::write(folder.join("other.rb"), "X = 1\n").expect("it can be written");
    std::fs::write(folder.join("two"), "X = 2\n").expect("it can be written");
    std::fs::write(folder.join("main"), "require_relative 'other'\nputs X * 10\n").expect("it can be written");
    let other = folder.join("other.rb").canonicalize().expect("it is there");
    let other = other.to_str().expect("paths are UTF-8");
    let words = ["run", "--quiet", "--instead", other, "two", "--instead", "t.rb", "main", "--disable=gems", "t.rb"];
    assert_eq!(text(&loupe(&folder, &words).stdout), "20\n");
}

/// It has no findings, but that is not what is the matter.
#[test]
fn a_program_that_fails_is_told_of() {
    let folder = folder("try-fails", "def f(\n");
    for words in [&["try", "1", "--", "--disable=gems", "t.rb"][..], &["try", "--all", "--", "--disable=gems", "t.rb"]]
    {
        let output = loupe(&folder, words);
        let said = text(&output.stderr);
        let expected = "the program itself fails, before there is anything to try: ";
        assert!(said.contains(expected) && said.contains("syntax errors found (SyntaxError)"), "{said}");
        assert_eq!(output.status.code(), Some(2));
    }
}
