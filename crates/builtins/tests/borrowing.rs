//! Every method that a table calls `borrowing` is tried by a golden program, which shows that it keeps to what that means.

use std::fs;
use std::path::{Path, PathBuf};

const PROGRAM: &str = "tests/golden/core/literals_looked_at.rb";

#[test]
fn the_golden_program_tries_every_borrowing_method() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let program = fs::read_to_string(root.join(PROGRAM)).expect("the program is there");
    let rows = borrowing_rows(&root.join("crates"));
    assert!(!rows.is_empty(), "the tables are written in another way");
    let is_tried = |name: &str| program.lines().any(|line| line.starts_with("check(") && line.contains(&heading(name)));
    let missing: Vec<_> = rows.iter().filter(|(_, name)| !is_tried(name)).collect();
    assert!(missing.is_empty(), "{PROGRAM} does not try {missing:?}");
}

/// What the program writes before the case: the class is not known here.
fn heading(name: &str) -> String {
    format!("#{name}\")")
}

/// File and name of each row that begins with `borrowing`.
fn borrowing_rows(folder: &Path) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(folder).expect("sources can be read");
    let paths = entries.map(|entry| entry.expect("an entry can be read").path());
    let mut rows = Vec::new();
    for path in paths {
        if path.is_dir() {
            rows.extend(borrowing_rows(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("sources are UTF-8");
            rows.extend(text.lines().filter_map(row).map(|name| (path.clone(), name.to_string())));
        }
    }
    rows
}

fn row(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("borrowing ")?.split('"').nth(1)
}
