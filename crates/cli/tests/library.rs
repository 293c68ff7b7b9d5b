//! Carat's own library as a whole.

use std::fs;
use std::path::Path;
use std::process::Command;

/// A program that runs with `-w` hears of its own faults only.
#[test]
fn libraries_give_no_warnings() {
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lib");
    for entry in fs::read_dir(library).expect("the library") {
        let path = entry.expect("an entry").path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".rb")) else { continue };
        let output = Command::new(env!("CARGO_BIN_EXE_carat")).args(["-w", "-r", name, "-e", ""]).output();
        assert_eq!(String::from_utf8_lossy(&output.expect("carat runs").stderr), "", "{name}");
    }
}
