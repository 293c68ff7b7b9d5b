//! memory_profiler as Debian packages it, unmodified, counts what `loupe run` counts. Where it is not installed nothing is
//! compared, unless `CARAT_REQUIRE_TOOLS` is set: then that is a failure.

use std::path::PathBuf;
use std::process::Command;

const GEMS: &str = "/usr/share/rubygems-integration/all/gems";
/// The work is done while both look on; what the file itself makes, memory_profiler does not see. Its value is no object, as
/// one that was the last to be handed on may still be found on a stack.
const WORK: &str = r#"
class Thing
  def initialize(number)
    @number = number
    @name = "thing #{number}"
  end
end
KEEP = []
def work
  100.times { |i| thing = Thing.new(i); KEEP << thing if i % 10 == 0 }
  50.times { "never written" }
  table = {}
  200.times { |i| table[i] = [i, i.to_s] }
  "x" * 100_000
  1000.times { "0123456789" }
end
"#;

fn gem() -> Option<PathBuf> {
    let entries = std::fs::read_dir(GEMS).ok()?.flatten();
    let found = entries.map(|e| e.path()).find(|path| path.to_string_lossy().contains("/memory_profiler-"));
    Some(found?.join("lib"))
}

fn report(program: &str, options: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_loupe")).arg("run").args(options).arg(program).output();
    let output = output.expect("loupe runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("reports are UTF-8")
}

/// The lines of a section that are about what the work did.
fn about_work<'a>(report: &'a str, title: &str, wanted: &dyn Fn(&str) -> bool) -> Vec<&'a str> {
    let section = report.lines().skip_while(|line| *line != title).skip(2).take_while(|line| !line.is_empty());
    section.filter(|line| wanted(line)).collect()
}

#[test]
fn memory_profiler_agrees() {
    let Some(gem) = gem() else {
        assert!(std::env::var_os("CARAT_REQUIRE_TOOLS").is_none(), "no memory_profiler to compare with");
        return;
    };
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let file = |name: &str, text: &str| {
        let path = folder.join(name).to_string_lossy().into_owned();
        std::fs::write(&path, text).expect("the program can be written");
        path
    };
    let work = file("work.rb", WORK);
    let ours = file("ours.rb", "require_relative 'work'\nwork\n");
    let profiled = "require 'memory_profiler'\nrequire_relative 'work'\n\
        MemoryProfiler.report { work }.pretty_print($stdout, color_output: false)\n";
    let theirs = file("theirs.rb", profiled);
    let (ours, theirs) = (report(&ours, &[]), report(&theirs, &["--quiet", "-I", &gem.to_string_lossy()]));
    // The definitions ran before memory_profiler looked: only what methods do is in both.
    let first = WORK.lines().position(|line| line == "def work").expect("the method is there") + 2;
    let of_work = |line: &str| {
        let number = line.rsplit_once(&format!("{work}:")).and_then(|(_, number)| number.parse::<usize>().ok());
        number.is_some_and(|number| number == 5 || number >= first)
    };
    for title in ["allocated memory by location", "allocated objects by location", "retained objects by location"] {
        let found = about_work(&ours, title, &of_work);
        assert!(found.len() > 1, "{title}: {ours}");
        assert_eq!(found, about_work(&theirs, title, &of_work), "{title}");
    }
    let things = |line: &str| line.ends_with("  Thing");
    for title in ["allocated memory by class", "allocated objects by class"] {
        assert_eq!(about_work(&ours, title, &things), about_work(&theirs, title, &things), "{title}");
    }
}
