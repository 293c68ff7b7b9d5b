//! Compiles the part of the interface that only C can have: jumps and variable arguments.
#![forbid(unsafe_code)]

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

fn main() {
    let mut hasher = DefaultHasher::new();
    add(Path::new("include"), &mut hasher);
    println!("cargo:rustc-env=CARAT_HEADERS={:016x}", hasher.finish());
    println!("cargo:rerun-if-changed=shim");
    println!("cargo:rerun-if-changed=include");
    cc::Build::new()
        .files([
            "shim/jump.c",
            "shim/variadic.c",
            "shim/format.c",
            "shim/table.c",
            "shim/util.c",
            "shim/scheduler.c",
            "shim/transcode.c",
            "shim/view.c",
            "shim/digest.c",
        ])
        .include("include")
        .define("CARAT_SHIM", None)
        .warnings(true)
        .opt_level(2)
        .cargo_metadata(false)
        .compile("carat_shim");
    // Nothing in the executable calls most of it: extensions do.
    println!("cargo:rustc-link-search=native={}", std::env::var("OUT_DIR").expect("cargo sets it"));
    println!("cargo:rustc-link-lib=static:+whole-archive,-bundle=carat_shim");
}

/// Adds all files of a folder, in the order of their names.
fn add(folder: &Path, hasher: &mut DefaultHasher) {
    let mut paths: Vec<_> = std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            add(&path, hasher);
        } else {
            path.hash(hasher);
            std::fs::read(&path).expect("a header").hash(hasher);
        }
    }
}
