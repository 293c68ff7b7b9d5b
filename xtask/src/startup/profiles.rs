//! Which functions run, as callgrind sees them: in starts, in the programs of `bench/apps` and in golden programs.

use crate::carat;
use crate::process;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// For all programs of `bench/apps` together.
const LIMIT: Duration = Duration::from_secs(3600);
/// Programs that run functions which those of `bench/apps` may not need.
const GOLDENS: [&str; 4] = ["tests/golden/core", "tests/golden/language", "tests/golden/lib", "tests/golden/carat"];

const CALLGRIND: [&str; 3] = ["--quiet", "--tool=callgrind", "--demangle=no"];
/// Ends a process's first profile and begins its second.
const START_OF_PROGRAM: &str = "--dump-before=*carat_builtins*run_main*";

/// The functions that run in `binary -e program`.
pub(super) fn functions_run(binary: &Path, program: &str) -> Result<BTreeSet<String>, String> {
    let profile = std::env::temp_dir().join(format!("carat-startup-{}", std::process::id()));
    let mut command = Command::new("valgrind");
    command.args(CALLGRIND).arg(format!("--callgrind-out-file={}", profile.display()));
    succeed(command.arg(binary).args(["-e", program]))?;
    let functions = functions_in(&profile, binary)?;
    std::fs::remove_file(&profile).map_err(|error| format!("{}: {error}", profile.display()))?;
    Ok(functions)
}

/// The functions that each process of the programs in `bench/apps` runs from the program's first line on.
pub(super) fn functions_of_programs(binary: &Path) -> Result<Vec<BTreeSet<String>>, String> {
    with_profiles(binary, |valgrind| {
        let valgrind = valgrind.join(" ");
        let runner = carat::root().join("bench/apps/run.py");
        succeed(Command::new(runner).args(["-r", "1"]).arg(format!("carat={valgrind} {}", binary.display())))
            .map(|_| ())
    })
}

/// The functions that each process of the golden programs runs from the program's first line on, however it ends.
pub(super) fn functions_of_goldens(binary: &Path) -> Result<Vec<BTreeSet<String>>, String> {
    let root = carat::root();
    let mut programs: Vec<PathBuf> = Vec::new();
    for folder in GOLDENS {
        let found = std::fs::read_dir(root.join(folder)).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
        programs.extend(found.map_err(|error| format!("{folder}: {error}"))?.iter().map(std::fs::DirEntry::path));
    }
    programs.retain(|path| path.extension().is_some_and(|extension| extension == "rb"));
    with_profiles(binary, |valgrind| {
        let run = |program: &PathBuf| {
            let mut command = Command::new(&valgrind[0]);
            process::run(command.args(&valgrind[1..]).arg(binary).arg(program).current_dir(&root), LIMIT).map(|_| ())
        };
        process::parallel(&programs, process::default_jobs(), run).into_iter().collect()
    })
}

/// The functions of each process that `run` starts by the words that it is given, once [`START_OF_PROGRAM`] runs.
fn with_profiles(
    binary: &Path,
    run: impl FnOnce(&[String]) -> Result<(), String>,
) -> Result<Vec<BTreeSet<String>>, String> {
    let folder = std::env::temp_dir().join(format!("carat-profiles-{}", std::process::id()));
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir(&folder).map_err(failed)?;
    let own =
        ["valgrind".to_string(), START_OF_PROGRAM.into(), format!("--callgrind-out-file={}/%p", folder.display())];
    let [valgrind, own @ ..] = own;
    let words: Vec<String> = [valgrind].into_iter().chain(CALLGRIND.map(String::from)).chain(own).collect();
    run(&words)?;
    let files = std::fs::read_dir(&folder).and_then(Iterator::collect::<std::io::Result<Vec<_>>>).map_err(failed)?;
    // With a number behind its name: what ran before.
    let profiles = files.iter().map(std::fs::DirEntry::path).filter(|path| path.extension().is_none());
    let functions = profiles.map(|path| functions_in(&path, binary)).collect();
    std::fs::remove_dir_all(&folder).map_err(failed)?;
    functions
}

fn functions_in(profile: &Path, binary: &Path) -> Result<BTreeSet<String>, String> {
    let text = std::fs::read_to_string(profile).map_err(|error| format!("{}: {error}", profile.display()))?;
    Ok(functions_named(&text, &binary.to_string_lossy()))
}

/// Runs a command that must succeed; its output.
pub(super) fn succeed(command: &mut Command) -> Result<String, String> {
    let outcome = process::run(command, LIMIT)?;
    if !outcome.status.success() {
        let text = [outcome.stdout, outcome.stderr].concat();
        return Err(format!("{}: {}", command.get_program().display(), String::from_utf8_lossy(&text)));
    }
    Ok(String::from_utf8_lossy(&outcome.stdout).into_owned())
}

/// The functions of one object file in a callgrind profile. A name stands behind its number at its first mention, in `fn=` or
/// `cfn=` lines; the object file is set by `ob=`, for a called function by `cob=`.
fn functions_named(profile: &str, object: &str) -> BTreeSet<String> {
    let mut objects = Objects::default();
    let mut functions = BTreeSet::new();
    for line in profile.lines() {
        let Some((key, value)) = line.split_once('=') else { continue };
        match key {
            "ob" => objects.current = objects.is(value, object),
            "cob" => objects.called = Some(objects.is(value, object)),
            "fn" if objects.current => functions.extend(name(value)),
            "cfn" if objects.called.take().unwrap_or(objects.current) => functions.extend(name(value)),
            _ => (),
        }
    }
    functions
}

/// Which object file the profile speaks of: `(3) /path` names number 3, `(3)` repeats it.
#[derive(Default)]
struct Objects {
    wanted: Option<String>,
    current: bool,
    called: Option<bool>,
}

impl Objects {
    fn is(&mut self, value: &str, object: &str) -> bool {
        let (number, path) = value.split_once(' ').unwrap_or((value, ""));
        if path == object {
            self.wanted = Some(number.to_string());
        }
        self.wanted.as_deref() == Some(number)
    }
}

/// The symbol in `(12) symbol`; recursion levels are marked `'2`, and a bare address has no symbol.
fn name(value: &str) -> Option<String> {
    let (_, symbol) = value.split_once(' ')?;
    let symbol = symbol.split('\'').next()?;
    let is_symbol = symbol.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    is_symbol.then(|| symbol.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_functions_of_the_program_itself_are_listed() {
        let profile = "ob=(1) /bin/carat\nfn=(1) main\n1 2\ncob=(2) /lib/libc.so\ncfn=(2) memcpy\ncfn=(3) boot'2\nob=(2)\nfn=(4) free\n";
        let expected = ["boot", "main"].map(String::from);
        assert_eq!(functions_named(profile, "/bin/carat"), expected.into());
    }
}
