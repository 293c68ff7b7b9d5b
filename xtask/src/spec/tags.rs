//! `spec/tags`: the failures that are known, each with its reason.
//!
//! The failures of `core/array/*_spec.rb` stand in `spec/tags/core/array.txt`, one a line:
//!
//! ```text
//! pack_spec.rb :: Array#pack with format 'p' packs a pointer :: we never hand out addresses
//! fork_spec.rb :: * :: no fork with several threads
//! ```
//!
//! `*` stands for every example of the file, for one that crashes or hangs. The list can only shrink: an example that
//! passes although it is tagged is a problem, and so is a tag whose example no longer exists.

use super::events::{End, FileRun, Verdict};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const SEPARATOR: &str = " :: ";

/// Descriptions with their reasons, by spec file.
#[derive(Default)]
pub(super) struct Tags {
    by_file: BTreeMap<String, BTreeMap<String, String>>,
}

impl Tags {
    /// Reads every file below `folder`; a folder that does not exist holds no tags.
    pub(super) fn read(folder: &Path) -> Result<Tags, String> {
        let mut tags = Tags::default();
        if folder.exists() {
            tags.read_folder(folder, "")?;
        }
        Ok(tags)
    }

    fn read_folder(&mut self, folder: &Path, prefix: &str) -> Result<(), String> {
        let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for entry in entries.flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() {
                self.read_folder(&path, &format!("{prefix}{name}/"))?;
            } else if let Some(stem) = name.strip_suffix(".txt") {
                let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
                self.parse(&format!("{prefix}{stem}"), &text)?;
            }
        }
        Ok(())
    }

    fn parse(&mut self, folder: &str, text: &str) -> Result<(), String> {
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let fields = line.split_once(SEPARATOR).and_then(|(file, rest)| Some((file, rest.rsplit_once(SEPARATOR)?)));
            let Some((file, (name, reason))) = fields.filter(|(_, (_, reason))| !reason.trim().is_empty()) else {
                return Err(format!("spec/tags/{folder}.txt: `{line}` is not `file :: description :: reason`"));
            };
            let tags = self.by_file.entry(format!("{folder}/{file}")).or_default();
            tags.insert(name.to_string(), reason.to_string());
        }
        Ok(())
    }

    /// Where the runs and the tags disagree, a line each.
    pub(super) fn problems(&self, runs: &[FileRun]) -> Vec<String> {
        let none = BTreeMap::new();
        runs.iter().flat_map(|run| problems_of(run, self.by_file.get(&run.file).unwrap_or(&none))).collect()
    }
}

fn problems_of(run: &FileRun, tags: &BTreeMap<String, String>) -> Vec<String> {
    if tags.contains_key("*") {
        let mends = run.end == End::Done && run.failing().next().is_none();
        return if mends { vec![format!("tagged, but passes: {} :: *", run.file)] } else { Vec::new() };
    }
    let mut problems = Vec::new();
    for example in &run.examples {
        let tagged = tags.contains_key(&example.name);
        match (example.verdict, tagged) {
            (Verdict::Pass, true) => problems.push(format!("tagged, but passes: {} :: {}", run.file, example.name)),
            (Verdict::Fail | Verdict::Error, false) => {
                problems.push(format!("fails: {} :: {} ({})", run.file, example.name, example.message));
            }
            _ => {}
        }
    }
    let exists = |name: &str| run.examples.iter().any(|example| example.name == name);
    let stale = tags.keys().filter(|name| run.end == End::Done && !exists(name));
    problems.extend(stale.map(|name| format!("tagged, but does not exist: {} :: {name}", run.file)));
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(tags: &str) -> Vec<String> {
        let mut read = Tags::default();
        read.parse("core/array", tags).unwrap();
        let events = "start\ta\npass\ta\t\nstart\tb :: c\nfail\tb :: c\tno\ndone\t2\n";
        read.problems(&[FileRun::parse("core/array/at_spec.rb", events, End::Done)])
    }

    #[test]
    fn exact_tags_agree() {
        assert_eq!(problems("# known\nat_spec.rb :: b :: c :: needs x\n"), [""; 0]);
        assert_eq!(problems("at_spec.rb :: * :: hangs\n"), [""; 0]);
    }

    #[test]
    fn disagreements_are_named() {
        assert!(problems("")[0].starts_with("fails: core/array/at_spec.rb :: b :: c"));
        let text = "at_spec.rb :: b :: c :: x\nat_spec.rb :: a :: x\nat_spec.rb :: gone :: x\n";
        let found = problems(text);
        assert_eq!(found.len(), 2);
        assert!(found[0].contains("passes") && found[1].contains("does not exist"), "{found:?}");
    }

    #[test]
    fn a_tag_needs_a_reason() {
        assert!(Tags::default().parse("core", "a_spec.rb :: b\n").is_err());
        assert!(Tags::default().parse("core", "a_spec.rb :: b :: \n").is_err());
    }
}
