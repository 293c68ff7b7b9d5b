//! `loupe attach`, `loupe leaks` and `loupe top`, and the process that they ask.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};

struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A folder of the test's own for sockets; their paths must be short.
fn folder(name: &str) -> String {
    let folder = std::env::temp_dir().join(format!("la-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    folder.to_string_lossy().into_owned()
}

/// A program that listens and says that it runs.
fn listening(folder: &str, code: &str) -> Running {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loupe"));
    command.args(["run", "--unrecorded", "--quiet", "--disable=gems", "-rloupe/listen", "-e"]);
    command.arg(format!("$stdout.sync = true; puts 'runs'; {code}"));
    command.env("XDG_RUNTIME_DIR", folder).stdout(Stdio::piped());
    let mut running = Running(command.spawn().expect("loupe runs"));
    let mut line = String::new();
    BufReader::new(running.0.stdout.take().expect("piped")).read_line(&mut line).expect("it says something");
    assert_eq!(line, "runs\n");
    running
}

fn attach(folder: &str, words: &[&str]) -> Output {
    ask(folder, "attach", words)
}

fn ask(folder: &str, command: &str, words: &[&str]) -> Output {
    let mut loupe = Command::new(env!("CARGO_BIN_EXE_loupe"));
    loupe.arg(command).args(words).env("XDG_RUNTIME_DIR", folder).output().expect("loupe runs")
}

#[test]
fn a_process_that_runs_tells_where_it_allocates() {
    let folder = folder("runs");
    let running = listening(&folder, "def work = 1000.times { |i| $kept = [i, i, i, i] }\nloop { work }");
    let (process, json) = (running.0.id().to_string(), format!("{folder}/samples.json"));
    for _ in 0..2 {
        let output = attach(&folder, &["--seconds", "0.3", "--every", "16384", "--json", &json, &process]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        assert!(
            text.starts_with("-e: about ") && text.lines().nth(1).is_some_and(|line| line.ends_with("  -e:1")),
            "{text}"
        );
    }
    let folded = Command::new(env!("CARGO_BIN_EXE_loupe")).args(["export", "--format", "folded", &json]).output();
    let folded = String::from_utf8_lossy(&folded.expect("loupe runs").stdout).into_owned();
    assert!(folded.contains("Object#work (-e:1);Integer#times;block in Object#work (-e:1) "), "{folded}");
    drop(running);
    let output = attach(&folder, &[&process]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.code() == Some(2)
            && text.contains("does not run, or not here: start it with carat -r loupe/listen"),
        "{text}"
    );
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn a_process_listens_to_its_user_only_and_cleans_up() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("user");
    let mut running = listening(&folder, "sleep 0.5");
    let sockets = std::path::Path::new(&folder).join("loupe");
    let mode = |path: &std::path::Path| std::fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    assert_eq!(mode(&sockets), 0o700);
    let socket = sockets.join(format!("{}.sock", running.0.id()));
    assert_eq!(mode(&socket), 0o600);
    assert!(running.0.wait().expect("it ends").success());
    assert!(!socket.exists());
    let _ = std::fs::remove_dir_all(&folder);
}

/// A leak that a program plants: a hash that only a closure knows, written to in a method of the library.
const LEAKY: &str = "class Shop
  SEEN_BY = begin
    seen = {}
    lambda do |id|
      visit = [id, 'a' * 100]
      seen[\"visit #{id}\"] = visit
      Array.new(10) { |i| i.to_s }
    end
  end
  def serve(id) = SEEN_BY.(id)
end
shop = Shop.new
(1..).each { |id| shop.serve(id); sleep 0.002 }
";

#[test]
fn a_leak_of_a_process_that_runs_is_found() {
    let folder = folder("leak");
    let program = format!("{folder}/leaky.rb");
    std::fs::write(&program, LEAKY).expect("the program can be written");
    let running = listening(&folder, &format!("load {program:?}"));
    let process = running.0.id().to_string();
    for words in [&["--per", "Shop#serve"][..], &[]] {
        let json = format!("{folder}/leaks.json");
        let words = [&["--seconds", "2", "--top", "3", "--json", &json, &process], words].concat();
        let output = ask(&folder, "leaks", &words);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        let largest = text.split("\n\n").nth(1).unwrap_or_default();
        let unit = if words.contains(&"--per") {
            "1.00 objects more a request (R\u{b2} 1.00)"
        } else {
            "objects more a second"
        };
        for part in [
            "root: vm\n",
            "CLASS Shop",
            "IMEMO env",
            &format!("written at {program}:6 in block in <class:Shop>, "),
            "references: seen[\"visit #{id}\"] = visit\n",
            "grows without a bound, it seems: ",
            &format!("String {program}:5, "),
            unit,
        ] {
            assert!(largest.contains(part), "{part}\n{text}");
        }
        let figures = std::fs::read(&json).expect("the figures are there");
        let figures: serde_json::Value = serde_json::from_slice(&figures).expect("they are JSON");
        let leak = &figures["leaks"][0];
        assert!(leak["written"][0]["line"] == 6 && leak["written"][0]["stores"].as_u64() > Some(0), "{figures}");
        let stayed = leak["stayed"].as_array().expect("a list");
        assert!(
            stayed.iter().any(|one| one["line"] == 5 && one["growth"]["objects"].as_f64() > Some(0.5)),
            "{figures}"
        );
        assert_eq!(figures["process"]["moments"].as_array().map(Vec::len), Some(5));
    }
    let output = ask(&folder, "leaks", &["--seconds", "1", "--per", "Shop#sell", &process]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && text.contains("there is no method Shop#sell"), "{text}");
    drop(running);
    let left: Vec<_> = std::fs::read_dir(format!("{folder}/loupe")).expect("the folder is there").flatten().collect();
    assert!(!left.iter().any(|file| file.path().extension().is_some_and(|end| end == "dump")), "{left:?}");
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn top_shows_a_process_as_text() {
    let folder = folder("top");
    let running = listening(
        &folder,
        "def work = 1000.times { |i| $kept = [i, i, i, i] }\nKEEP = []; loop { work; KEEP << Object.new; sleep 0.001 }",
    );
    let process = running.0.id().to_string();
    let output = ask(&folder, "top", &["--interval", "0.3", "--count", "2", "--every", "4096", &process]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(text.matches("-e  process ").count(), 2, "{text}");
    assert!(
        text.contains("sites, of the last interval\n") && text.lines().any(|line| line.ends_with(" %  -e:1")),
        "{text}"
    );
    let output = ask(&folder, "top", &["--interval", "0.3", "--count", "1", "--view", "classes", &process]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.lines().any(|line| line.ends_with("  Object") && line.contains(" +")), "{text}");
    drop(running);
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn top_answers_keys_and_puts_the_terminal_back() {
    use std::io::{Read, Write};
    let folder = folder("keys");
    let running = listening(&folder, "loop { 1000.times { |i| $kept = [i, i] }; sleep 0.001 }");
    let pair = carat_os::terminal::Pair::open().expect("there are terminals");
    let end = || Stdio::from(pair.slave.try_clone().expect("one more"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_loupe"));
    command.args(["top", "--interval", "0.2", &running.0.id().to_string()]).env("XDG_RUNTIME_DIR", &folder);
    let mut top = Running(command.stdin(end()).stdout(end()).spawn().expect("loupe runs"));
    let mut master = std::fs::File::from(pair.master.try_clone().expect("one more"));
    let mut seen = String::new();
    let mut buffer = [0; 4096];
    for (part, key) in [("sites, of the last interval", "c"), ("class, of all living objects", "h"), ("q  quit", "q")] {
        while !seen.contains(part) {
            let count = master.read(&mut buffer).expect("a picture comes");
            seen += &String::from_utf8_lossy(&buffer[..count]);
        }
        master.write_all(key.as_bytes()).expect("keys can be pressed");
    }
    let fd = std::os::fd::AsRawFd::as_raw_fd(&pair.slave);
    assert!(top.0.wait().expect("it ends").success());
    assert!(carat_os::terminal::Settings::of(fd).expect("a terminal").has_echo());
    drop(running);
    let _ = std::fs::remove_dir_all(&folder);
}
