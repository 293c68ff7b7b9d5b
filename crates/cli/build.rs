//! How optimised executables for Linux are linked: so that a start touches few pages.
#![forbid(unsafe_code)]

use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=startup.ld");
    println!("cargo:rerun-if-changed=exports.ld");
    if is("CARGO_CFG_TARGET_OS", "linux") {
        let directory = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
        println!("cargo:rustc-link-arg-bins=-Wl,--dynamic-list={directory}/exports.ld");
    }
    if !is("PROFILE", "release") || !is("CARGO_CFG_TARGET_OS", "linux") {
        return;
    }
    let directory = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    println!("cargo:rustc-link-arg-bins=-Wl,-T,{directory}/startup.ld");
    // What follows asks the machine that builds, which says nothing of another.
    if env::var("HOST") == env::var("TARGET") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        link_unwinder_statically();
        pack_relocations();
    }
}

fn is(name: &str, value: &str) -> bool {
    env::var(name).is_ok_and(|found| found == value)
}

/// A shared libgcc_s costs 100 KiB of resident memory, for functions that only a Rust panic calls.
fn link_unwinder_statically() {
    let Some(found) = output("cc", &["-print-file-name=libgcc_eh.a"]) else { return };
    // A compiler that does not have the file prints its bare name.
    let Ok(path) = fs::canonicalize(&found) else { return };
    if let Some(directory) = path.parent().filter(|_| Path::new(&found).is_absolute()) {
        println!("cargo:rustc-link-search=native={}", directory.display());
        println!("cargo:rustc-link-lib=static:-bundle=gcc_eh");
    }
}

/// Tables of methods hold 9,000 addresses. Relocating them one by one reads 220 KiB, as a bitmap 3; glibc reads bitmaps
/// since 2.36, and whoever links against a glibc needs that one or a later one anyway.
fn pack_relocations() {
    let version = output("getconf", &["GNU_LIBC_VERSION"]).unwrap_or_default();
    let mut numbers = version.trim_start_matches("glibc ").split('.').map(|n| n.parse::<u32>().unwrap_or(0));
    if (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= (2, 36) {
        println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

fn output(program: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(program).args(args).output().ok().filter(|o| o.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_string())
}
