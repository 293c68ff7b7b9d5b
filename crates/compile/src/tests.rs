//! Shapes of code, and invariants over whatever Ruby files are at hand.
#![expect(clippy::print_stdout, reason = "some tests are tools that print")]

use crate::{Options, compile};
use std::path::{Path, PathBuf};

fn listing(source: &str) -> String {
    let program = compile(source.as_bytes(), &Options { main_script: true, ..Options::file("t.rb") });
    let iseq = program.unwrap_or_else(|error| panic!("{error:?}")).iseq;
    assert_eq!(crate::verify(&iseq), Ok(()));
    carat_iseq::disassemble(&iseq)
}

/// Prints the code of `$CARAT_SOURCE`: `cargo test -p carat-compile print_listing -- --ignored --nocapture`.
#[test]
#[ignore = "a tool for the person at the keyboard"]
fn print_listing() {
    let source = std::env::var("CARAT_SOURCE").expect("CARAT_SOURCE");
    println!("{}", listing(&source));
}

fn ruby_files(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            ruby_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rb") {
            found.push(path);
        }
    }
}

/// Compiles every Ruby file below the directories in `$CARAT_CORPUS` (separated by colons).
#[test]
#[ignore = "needs a corpus"]
fn corpus_compiles_and_verifies() {
    let mut files = Vec::new();
    for directory in std::env::var("CARAT_CORPUS").expect("CARAT_CORPUS").split(':') {
        ruby_files(Path::new(directory), &mut files);
    }
    let mut failures = 0;
    for path in &files {
        let source = std::fs::read(path).expect("readable");
        let result = std::panic::catch_unwind(|| {
            let name = path.to_string_lossy();
            match compile(&source, &Options::file(&name)) {
                Ok(program) => crate::verify(&program.iseq),
                Err(error) => {
                    println!("syntax: {}: {}", path.display(), String::from_utf8_lossy(&error.diagnostics[0].message));
                    Ok(())
                }
            }
        });
        let problem = match result {
            Ok(Ok(())) => continue,
            Ok(Err(error)) => error,
            Err(_) => "panic".to_owned(),
        };
        println!("FAILED {}: {problem}", path.display());
        failures += 1;
    }
    println!("{} files", files.len());
    assert_eq!(failures, 0);
}
