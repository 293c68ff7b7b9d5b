//! Programs under limits and signals, which golden programs cannot have.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn carat(program: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carat"));
    command.args(["-W0", "-e", program]);
    command
}

/// What a program prints with 400 MB of address space.
fn under_a_limit(program: &str) -> String {
    let mut shell = Command::new("sh");
    let limited = "ulimit -v 400000; exec \"$0\" \"$@\" 2>&1";
    let output = shell.args(["-c", limited]).arg(env!("CARGO_BIN_EXE_carat")).args(["-W0", "-e", program]).output();
    String::from_utf8_lossy(&output.expect("a shell").stdout).into_owned()
}

#[test]
fn exhausted_memory_is_an_error_that_can_be_rescued() {
    let growing = [
        "a = []; loop { a << 'x' * 100 }",
        "a = []; loop { a << Object.new }",
        "a = []; loop { a << 1 }",
        "a = [1]; loop { a.concat(a) }",
        "a = [1]; loop { a += a }",
        "s = +'x'; loop { s << s }",
        "s = +'x'; loop { s << 'y' * 1000 }",
        "s = 'x'; loop { s = \"#{s}#{s}\" }",
        "h = {}; i = 0; loop { h[i += 1] = 1 }",
        "a = nil; loop { a = [a] }",
        "a = []; i = 0; loop { a << \"sym#{i += 1}\".to_sym }",
        "a = []; loop { a << proc { a } }",
        "a = (1..Float::INFINITY).to_a",
        "a = [*1..1000]; a.product(a, a, a)",
        "a = []; loop { a << 2**200 }",
        "i = 0; loop { ENV[\"A#{i += 1}\"] = 'x' * 10000 }",
        "File.open('/dev/zero').gets",
        "File.binread('/dev/zero', 1 << 33)",
        "'%1000000000d' % 1",
        "Fiber.new { a = []; loop { a << 'x' * 100 } }.resume",
        "2.times { a = []; begin; loop { a << 'x' * 100 }; rescue NoMemoryError; end }; raise NoMemoryError",
    ];
    for program in growing {
        let source =
            format!("begin; {program}; rescue NoMemoryError; puts :rescued; end; puts [*1..999].map(&:to_s).size");
        assert_eq!(under_a_limit(&source), "rescued\n999\n", "{program}");
    }
}

/// How long a program goes on after SIGINT, and what it prints then.
fn interrupted(setup: &str, operation: &str) -> (Duration, String) {
    let program = format!(
        "{setup}\n$stdout.sync = true\nputs 'begun'\nbegin\n{operation}\nputs 'ended'\nrescue Interrupt\nputs 'interrupted'\nend"
    );
    let mut child = carat(&program).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut text = String::new();
    output.read_line(&mut text).expect("text");
    std::thread::sleep(Duration::from_millis(300));
    let began = Instant::now();
    let number = child.id().to_string();
    Command::new("kill").args(["-INT", &number]).status().expect("kill");
    text.clear();
    output.read_to_string(&mut text).expect("text");
    child.wait().expect("its end");
    (began.elapsed(), text)
}

#[test]
fn large_integers_can_be_interrupted() {
    let operations = [
        ("s = '1' * 30_000_000", "Integer(s)"),
        ("s = '2' * 30_000_000", "s.to_i(7)"),
        ("x = 1 << 60_000_000", "x.to_s"),
        ("x = (1 << 60_000_000) + 1", "x * x * x * x * x"),
        ("", "7**400_000_000"),
        ("x = (1 << 60_000_000) + 1; y = (1 << 25_000_000) - 1", "x.divmod(y)"),
        ("x = (1 << 1_000_000) + 1", "x.pow(x, x + 2)"),
        ("x = (1 << 20_000_000) + 1; y = (1 << 15_000_000) - 1", "x.gcd(y)"),
        ("x = (1 << 100_000_000) + 1", "Integer.sqrt(x)"),
        ("x = 1 << 60_000_000", "Thread.new { x.to_s }.join"),
    ];
    for (setup, operation) in operations {
        // However fast the machine, it is at work when the signal comes.
        let (took, text) = interrupted(setup, &format!("loop do\n{operation}\nend"));
        assert_eq!(text, "interrupted\n", "{operation}");
        // Unoptimised, and on a busy machine.
        assert!(took < Duration::from_secs(5), "{operation}: {took:?}");
    }
}

#[test]
fn a_handler_that_returns_lets_a_computation_go_on() {
    let (_, text) = interrupted("x = 1 << 3_000_000; trap('INT') { puts 'handled' }", "puts x.to_s.size");
    assert_eq!(text, "handled\n903090\nended\n");
}
