//! `loupe attach`, and the process that it asks.

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
    let mut command = Command::new(env!("CARGO_BIN_EXE_loupe"));
    command.arg("attach").args(words).env("XDG_RUNTIME_DIR", folder).output().expect("loupe runs")
}

#[test]
fn a_process_that_runs_tells_where_it_allocates() {
    let folder = folder("runs");
    let running = listening(&folder, "def work = 1000.times { |i| [i, i, i, i] }\nloop { work }");
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
        output.status.code() == Some(2) && text.contains("does not listen: start it with carat -r loupe/listen"),
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
