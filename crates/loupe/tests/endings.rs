//! However a program ends, its report is printed, and the status is the one that it would have had.

use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output, Stdio};

fn run(code: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_loupe")).args(["run", "--top", "3", "-e", code]).output().expect("loupe runs")
}

/// Exit status, or the negative number of the signal that ended the process.
fn ending(output: &Output) -> i32 {
    output.status.code().unwrap_or_else(|| -output.status.signal().unwrap_or(0))
}

#[test]
fn every_ending_has_its_report_and_its_status() {
    for (code, expected) in [
        ("exit 3", 3),
        ("exit! 3", 3),
        ("exit!", 0),
        ("begin; exit! 4; ensure; puts 'never'; end", 4),
        ("Thread.new { exit! 5 }.join", 5),
        ("abort 'over'", 1),
        ("raise 'on purpose'", 1),
        ("Process.kill(:TERM, $$); sleep 10", -15),
        ("Process.kill(:INT, $$); sleep 10", -2),
        ("Process.kill(:USR1, $$); sleep 10", -10),
        ("Process.kill(:ABRT, $$); sleep 10", -6),
        ("Process.kill(:SEGV, $$); sleep 10", -11),
        ("Process.kill(:KILL, $$)", -9),
        ("exec 'true'", 0),
        ("fork { exit! 7 }; Process.wait; exit $?.exitstatus", 7),
        ("trap(:ABRT) { exit 8 }; Process.kill(:ABRT, $$); sleep 10", 8),
    ] {
        let output = run(code);
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(ending(&output), expected, "{code}");
        assert_eq!(text.matches("Total allocated: ").count(), 1, "{code}: {text}");
        assert!(!text.contains("never"), "{code}");
    }
}

#[test]
fn a_fault_that_somebody_sends_is_not_swallowed() {
    let mut program = Command::new(env!("CARGO_BIN_EXE_loupe"));
    program.args(["run", "--quiet", "-e", "$stdout.sync = true; puts 1; sleep 20"]).stdout(Stdio::piped());
    let mut program = program.spawn().expect("loupe runs");
    let mut first = [0; 2];
    program.stdout.take().expect("piped").read_exact(&mut first).expect("the program says that it runs");
    let sent = Command::new("kill").args(["-SEGV", &program.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
    assert_eq!(program.wait().expect("the program ends").signal(), Some(11));
}

/// `script` gives the program a terminal.
#[test]
fn a_terminal_shows_progress_and_an_interrupt_the_report() {
    let command = format!("{} run --top 1 -e 'puts :begun; sleep 20'", env!("CARGO_BIN_EXE_loupe"));
    let mut terminal = Command::new("script");
    terminal.args(["-qefc", &command, "/dev/null"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut terminal = terminal.spawn().expect("script runs");
    let mut input = terminal.stdin.take().expect("piped");
    let mut output = terminal.stdout.take().expect("piped");
    let (mut seen, mut piece) = (String::new(), [0; 256]);
    while !seen.contains("loupe: 1 s") {
        let count = output.read(&mut piece).expect("the terminal can be read");
        assert!(count > 0, "the program ended: {seen}");
        seen.push_str(&String::from_utf8_lossy(&piece[..count]));
    }
    input.write_all(b"\x03").expect("the terminal takes keys");
    output.read_to_string(&mut seen).expect("the terminal can be read");
    terminal.wait().expect("the program ends");
    assert!(seen.contains("begun") && seen.contains("Interrupt") && seen.contains("Total allocated: "), "{seen}");
}
