//! `examples/embed/host.c` compiled and run against both libraries. It needs `cc`.
#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder in which cargo puts what it builds for a test.
fn built() -> PathBuf {
    let own = std::env::current_exe().expect("a test has a file");
    own.parent().expect("in a folder").to_path_buf()
}

fn run(name: &str, link: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let program = built().join(name);
    let mut compiler = Command::new("cc");
    compiler.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-I"]).arg(root.join("crates/embed-c/include"));
    compiler.arg(root.join("examples/embed/host.c")).arg("-o").arg(&program).args(link);
    compiler.args(["-lpthread", "-ldl", "-lm"]);
    assert!(compiler.status().expect("cc").success(), "{compiler:?}");
    let output = Command::new(&program).env("LD_LIBRARY_PATH", built()).output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let expected = std::fs::read_to_string(root.join("examples/embed/host.out")).expect("the output");
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}

#[test]
fn a_c_program_runs_with_the_shared_library() {
    let folder = format!("-L{}", built().display());
    run("host-shared", &[&folder, "-lcaratembed"]);
}

#[test]
fn a_c_program_runs_with_the_static_library() {
    let archive = built().join("libcaratembed.a");
    run("host-static", &[archive.to_str().expect("a path")]);
}
