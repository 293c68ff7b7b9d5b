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
//!
//! `--tag` writes these files anew for the folders that were run. A tag that stays keeps its reason; a new one takes the first
//! in `spec/tags/reasons` that fits, where a line is `path :: text :: reason`: the spec file's path begins with the first,
//! the example's description or message contains the second, and `*` fits everything. Failing that, its message is the reason.

use super::events::{End, Example, FileRun, Verdict};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const SEPARATOR: &str = " :: ";
const MESSAGE_WIDTH: usize = 120;

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

    /// Writes the tags of the folders that were run, so that they agree with the runs.
    pub(super) fn rewrite(&self, folder: &Path, runs: &[FileRun]) -> Result<(), String> {
        let reasons = Reasons::read(&folder.join("reasons"))?;
        for (name, lines) in self.rewritten(runs, &reasons) {
            let path = folder.join(format!("{name}.txt"));
            let fail = |error: std::io::Error| format!("{}: {error}", path.display());
            if !lines.is_empty() {
                fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(fail)?;
                fs::write(&path, lines.join("\n") + "\n").map_err(fail)?;
            } else if path.exists() {
                fs::remove_file(&path).map_err(fail)?;
            }
        }
        Ok(())
    }

    /// Lines by folder. Files beside those that were run keep their tags.
    fn rewritten(&self, runs: &[FileRun], reasons: &Reasons) -> BTreeMap<String, Vec<String>> {
        let mut folders: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for run in runs {
            folders.entry(run.folder().to_string()).or_default();
        }
        let none = BTreeMap::new();
        for run in runs {
            let known = self.by_file.get(&run.file).unwrap_or(&none);
            folders.entry(run.folder().to_string()).or_default().extend(tag_lines(run, known, reasons));
        }
        for (file, tags) in &self.by_file {
            let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
            if let Some(lines) = folders.get_mut(folder).filter(|_| runs.iter().all(|run| run.file != *file)) {
                lines.extend(tags.iter().map(|(example, reason)| [name, example, reason].join(SEPARATOR)));
            }
        }
        folders.values_mut().for_each(|lines| lines.sort());
        folders
    }

    /// Where the runs and the tags disagree, a line each.
    pub(super) fn problems(&self, runs: &[FileRun]) -> Vec<String> {
        let none = BTreeMap::new();
        runs.iter().flat_map(|run| problems_of(run, self.by_file.get(&run.file).unwrap_or(&none))).collect()
    }
}

fn tag_lines(run: &FileRun, known: &BTreeMap<String, String>, reasons: &Reasons) -> Vec<String> {
    let file = run.file.rsplit('/').next().unwrap_or(&run.file);
    if run.end != End::Done {
        let reason = known.get("*").cloned().unwrap_or_else(|| run.end.to_string());
        return vec![[file, "*", &reason].join(SEPARATOR)];
    }
    let failing = run.examples.iter().filter(|example| example.verdict != Verdict::Pass);
    let line = |example: &Example| {
        let reason = known.get(&example.name).cloned().unwrap_or_else(|| reasons.of(&run.file, example));
        [file, &example.name, &reason].join(SEPARATOR)
    };
    failing.map(line).collect()
}

/// Why groups of examples fail.
#[derive(Default)]
struct Reasons(Vec<[String; 3]>);

impl Reasons {
    fn read(path: &Path) -> Result<Reasons, String> {
        if !path.exists() {
            return Ok(Reasons::default());
        }
        let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Reasons::parse(&text).map_err(|line| format!("{}: `{line}` is not `path :: text :: reason`", path.display()))
    }

    fn parse(text: &str) -> Result<Reasons, String> {
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let fields = |line: &str| {
            let fields: Vec<String> = line.split(SEPARATOR).map(str::to_string).collect();
            fields.try_into().map_err(|_| line.to_string())
        };
        Ok(Reasons(lines.map(fields).collect::<Result<_, String>>()?))
    }

    fn of(&self, file: &str, example: &Example) -> String {
        let fits = |[path, text, _]: &&[String; 3]| {
            (path == "*" || file.starts_with(path.as_str()))
                && (text == "*" || example.name.contains(text.as_str()) || example.message.contains(text.as_str()))
        };
        match self.0.iter().find(fits) {
            Some([_, _, reason]) => reason.clone(),
            None => said(&example.message),
        }
    }
}

/// What a message says without where and by which object: paths and addresses are another's on another machine.
fn said(message: &str) -> String {
    let text = message.rsplit_once(" [/").map_or(message, |(text, _)| text);
    let text = text.strip_suffix(" to be truthy but was false").unwrap_or(text).replace(SEPARATOR, " : ");
    let is_ours = |word: &&str| {
        !word.contains("0x")
            && word.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '/').matches('/').count() < 2
    };
    let words: Vec<&str> = text.split_whitespace().map(|word| if is_ours(&word) { word } else { "…" }).collect();
    let said: String = words.join(" ").chars().take(MESSAGE_WIDTH).collect();
    if !said.contains(char::is_alphanumeric) { "no message".to_string() } else { said.trim().to_string() }
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
    fn rewritten_tags_keep_their_reasons() {
        let mut tags = Tags::default();
        tags.parse("core/array", "at_spec.rb :: old :: known\nat_spec.rb :: fine :: mended\nbe_spec.rb :: x :: y\n")
            .unwrap();
        let events =
            "start\told\nfail\told\tno\nstart\tfine\npass\tfine\t\nstart\tnew\nerror\tnew\tno socket\ndone\t3\n";
        let runs = [FileRun::parse("core/array/at_spec.rb", events, End::Done)];
        let reasons = Reasons::parse("core/hash :: * :: no\n* :: socket :: sockets are missing\n").unwrap();
        let lines = &tags.rewritten(&runs, &reasons)["core/array"];
        assert_eq!(
            *lines,
            ["at_spec.rb :: new :: sockets are missing", "at_spec.rb :: old :: known", "be_spec.rb :: x :: y"]
        );
    }

    #[test]
    fn a_message_names_no_machine() {
        let message =
            "Expected \"/tmp/a/b\" == #<Object:0x00007f1e> to be truthy but was false [/spec/a_spec.rb:1:in 'x']";
        assert_eq!(said(message), "Expected … == …");
        assert_eq!(said(" :: "), "no message");
    }

    #[test]
    fn a_tag_needs_a_reason() {
        assert!(Tags::default().parse("core", "a_spec.rb :: b\n").is_err());
        assert!(Tags::default().parse("core", "a_spec.rb :: b :: \n").is_err());
    }
}
