//! Runs every golden program under the `carat` that cargo built for this test: see `xtask/src/golden.rs`.
#![expect(clippy::print_stderr, reason = "a failing test says what differed")]

#[path = "../../../xtask/src/golden.rs"]
#[allow(dead_code, reason = "recording outputs is xtask's half of the file")]
mod golden;
#[path = "../../../xtask/src/process.rs"]
#[allow(dead_code, reason = "times and memory are for xtask's benchmarks")]
mod process;

use std::path::Path;

#[test]
fn golden_programs_print_what_was_recorded() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let options = golden::Options { filter: std::env::var("GOLDEN").ok(), ..golden::Options::default() };
    let report =
        golden::check(&root, Path::new(env!("CARGO_BIN_EXE_carat")), &options).expect("the programs can be run");
    eprint!("{}", report.text);
    assert_eq!(report.failures, 0, "outputs differ; they are listed above");
}
