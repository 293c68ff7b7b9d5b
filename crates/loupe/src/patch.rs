//! Unified diffs of edited files, as `patch -p1` and `git apply` take them.

use crate::edit::{self, Change};
use crate::report::Advice;
use crate::trial;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Lines shown around a change.
const CONTEXT: usize = 3;

/// A file with the changes that are made in it.
pub(crate) struct EditedFile {
    pub(crate) path: String,
    pub(crate) source: Vec<u8>,
    /// In order, none overlapping another.
    pub(crate) changes: Vec<Change>,
}

impl EditedFile {
    pub(crate) fn text(&self) -> Vec<u8> {
        edit::apply(&self.source, &self.changes)
    }
}

/// The folder in which the patch applies, and the patch: the working folder if all files are below it, or else the root.
pub(crate) fn of(files: &[EditedFile]) -> (PathBuf, Vec<u8>) {
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default();
    let whole = |file: &EditedFile| Path::new(&file.path).canonicalize().unwrap_or_else(|_| file.path.clone().into());
    let is_below = files.iter().all(|file| whole(file).starts_with(&here));
    let folder = if is_below { here } else { PathBuf::from("/") };
    let mut patch = Vec::new();
    for file in files {
        let path = whole(file);
        write_file(&mut patch, path.strip_prefix(&folder).unwrap_or(&path), file);
    }
    (folder, patch)
}

/// The edit of a finding, if it has one.
pub(crate) fn of_finding(advice: &Advice) -> Option<String> {
    let source = trial::source_of(&advice.file).ok()?;
    let changes = edit::of(advice, &source).ok()?;
    let (_, patch) = of(&[EditedFile { path: advice.file.clone(), source, changes }]);
    String::from_utf8(patch).ok()
}

fn write_file(patch: &mut Vec<u8>, path: &Path, file: &EditedFile) {
    let path = path.display();
    patch.extend_from_slice(format!("--- a/{path}\n+++ b/{path}\n").as_bytes());
    let lines: Vec<&[u8]> = file.source.split_inclusive(|byte| *byte == b'\n').collect();
    let starts: Vec<usize> = lines.iter().scan(0, |at, line| Some(std::mem::replace(at, *at + line.len()))).collect();
    let mut added: isize = 0;
    for hunk in hunks(regions(&file.changes, &starts, file.source.len())) {
        added += write_hunk(patch, file, (&lines, &starts), &hunk, added);
    }
}

/// Lines, and the numbers of the changes in them.
type Region = (Range<usize>, Range<usize>);

/// The lines that changes touch, those that touch the same ones together.
fn regions(changes: &[Change], starts: &[usize], source_len: usize) -> Vec<Region> {
    let line_of = |at: usize| starts.partition_point(|start| *start <= at).saturating_sub(1);
    let mut regions: Vec<Region> = Vec::new();
    for (number, change) in changes.iter().enumerate() {
        let is_insertion_of_lines = change.range.is_empty()
            && change.text.ends_with(b"\n")
            && (starts.contains(&change.range.start) || change.range.start == source_len);
        let first = line_of(change.range.start);
        // Lines that are put between two lines touch neither.
        let end = if is_insertion_of_lines { first } else { line_of(change.range.end) + 1 };
        match regions.last_mut() {
            Some((lines, numbers)) if first < lines.end => {
                lines.end = lines.end.max(end);
                numbers.end = number + 1;
            }
            _ => regions.push((first..end, number..number + 1)),
        }
    }
    regions
}

/// Regions that are shown together, as their contexts meet.
type Hunk = Vec<Region>;

fn hunks(regions: Vec<Region>) -> Vec<Hunk> {
    let mut hunks: Vec<Hunk> = Vec::new();
    for region in regions {
        match hunks.last_mut() {
            Some(hunk) if hunk.last().is_some_and(|last| region.0.start <= last.0.end + 2 * CONTEXT) => {
                hunk.push(region)
            }
            _ => hunks.push(vec![region]),
        }
    }
    hunks
}

/// Writes a hunk, and returns how many lines it adds.
fn write_hunk(
    patch: &mut Vec<u8>,
    file: &EditedFile,
    (lines, starts): (&[&[u8]], &[usize]),
    hunk: &Hunk,
    added_before: isize,
) -> isize {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { return 0 };
    let shown = first.0.start.saturating_sub(CONTEXT)..(last.0.end + CONTEXT).min(lines.len());
    let (mut body, mut at, mut new_lines) = (Vec::new(), shown.start, 0);
    for (region, numbers) in hunk {
        lines[at..region.start].iter().for_each(|line| write_line(&mut body, b' ', line));
        new_lines += region.start - at;
        lines[region.clone()].iter().for_each(|line| write_line(&mut body, b'-', line));
        let new = region_text(file, starts, region, numbers);
        for line in new.split_inclusive(|byte| *byte == b'\n') {
            write_line(&mut body, b'+', line);
            new_lines += 1;
        }
        at = region.end;
    }
    lines[at..shown.end].iter().for_each(|line| write_line(&mut body, b' ', line));
    new_lines += shown.end - at;
    let side = |start: usize, count: usize| format!("{},{count}", if count == 0 { start } else { start + 1 });
    let new_start = shown.start.saturating_add_signed(added_before);
    let mut head = String::new();
    let _ = writeln!(head, "@@ -{} +{} @@", side(shown.start, shown.len()), side(new_start, new_lines));
    patch.extend_from_slice(head.as_bytes());
    patch.append(&mut body);
    new_lines as isize - shown.len() as isize
}

/// The lines of a region with their changes.
fn region_text(file: &EditedFile, starts: &[usize], region: &Range<usize>, numbers: &Range<usize>) -> Vec<u8> {
    let start_of = |line: usize| starts.get(line).copied().unwrap_or(file.source.len());
    let (start, end) = (start_of(region.start), start_of(region.end));
    let moved = |change: &Change| Change {
        range: change.range.start - start..change.range.end - start,
        text: change.text.clone(),
    };
    let changes: Vec<Change> = file.changes[numbers.clone()].iter().map(moved).collect();
    edit::apply(&file.source[start..end], &changes)
}

fn write_line(body: &mut Vec<u8>, mark: u8, line: &[u8]) {
    body.push(mark);
    body.extend_from_slice(line);
    if !line.ends_with(b"\n") {
        body.extend_from_slice(b"\n\\ No newline at end of file\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patch_of(source: &str, changes: &[(Range<usize>, &str)]) -> String {
        let changes = changes.iter().map(|(range, text)| Change { range: range.clone(), text: text.as_bytes().into() });
        let file = EditedFile { path: "/none/t.rb".into(), source: source.into(), changes: changes.collect() };
        let mut patch = Vec::new();
        write_file(&mut patch, Path::new("t.rb"), &file);
        String::from_utf8(patch).expect("it is text")
    }

    #[test]
    fn a_change_stands_between_three_lines_of_context() {
        let source = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let expected = "--- a/t.rb\n+++ b/t.rb\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n";
        assert_eq!(patch_of(source, &[(8..9, "five")]), expected);
    }

    #[test]
    fn a_line_put_in_front_and_a_last_line_without_an_end() {
        let expected = "--- a/t.rb\n+++ b/t.rb\n@@ -1,2 +1,3 @@\n+# first\n a\n-b\n\\ No newline at end of file\n+bc\n\\ No newline at end of file\n";
        assert_eq!(patch_of("a\nb", &[(0..0, "# first\n"), (3..3, "c")]), expected);
    }

    #[test]
    fn changes_of_one_line_are_one_and_distant_ones_two_hunks() {
        let source: String = (1..=30).map(|n| format!("line {n}\n")).collect();
        let patch = patch_of(&source, &[(0..4, "x"), (5..6, "y"), (source.len() - 2..source.len() - 1, "z")]);
        assert_eq!(patch.matches("@@ -").count(), 2, "{patch}");
        assert!(patch.contains("-line 1\n+x y\n"), "{patch}");
        assert!(patch.contains("@@ -27,4 +27,4 @@"), "{patch}");
    }
}
