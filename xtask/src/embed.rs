//! Installs `libcaratembed` for programs in C: header, both libraries, and what pkg-config reads.

use crate::args::Args;
use crate::carat::root;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds and copies to the folder that is named; with `--debug`, what the development profile makes.
pub(crate) fn run(args: &Args) -> Result<bool, String> {
    let [prefix] = args.positional() else { return Err("usage: cargo xtask install-embed [--debug] PREFIX".into()) };
    let prefix = std::path::absolute(prefix).map_err(|error| format!("{prefix}: {error}"))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    let profile = if args.flag("debug") { "dev" } else { "release" };
    cargo.current_dir(root()).args(["build", "--locked", "--package", "carat-embed-c", "--profile", profile]);
    if !cargo.status().map_err(|error| format!("cargo: {error}"))?.success() {
        return Err("cargo failed".into());
    }
    let built = target.join(if profile == "dev" { "debug" } else { "release" });
    for library in ["libcaratembed.so", "libcaratembed.a"] {
        copy(&built.join(library), &prefix.join("lib"))?;
    }
    copy(&root().join("crates/embed-c/include/carat.h"), &prefix.join("include"))?;
    let folder = prefix.join("lib/pkgconfig");
    let written =
        fs::create_dir_all(&folder).and_then(|()| fs::write(folder.join("carat-embed.pc"), description(&prefix)));
    written.map_err(|error| format!("{}: {error}", folder.display()))?;
    println!("{}", prefix.display());
    Ok(true)
}

fn copy(file: &Path, folder: &Path) -> Result<(), String> {
    let name = file.file_name().expect("a file has a name");
    let copied = fs::create_dir_all(folder).and_then(|()| fs::copy(file, folder.join(name)));
    copied.map(drop).map_err(|error| format!("{}: {error}", file.display()))
}

/// What pkg-config reads.
fn description(prefix: &Path) -> String {
    format!(
        "prefix={}\nlibdir=${{prefix}}/lib\nincludedir=${{prefix}}/include\n\n\
         Name: carat-embed\nDescription: Carat, an implementation of Ruby, inside other programs\nVersion: {}\n\
         Cflags: -I${{includedir}}\nLibs: -L${{libdir}} -lcaratembed\nLibs.private: -lpthread -ldl -lm\n",
        prefix.display(),
        env!("CARGO_PKG_VERSION")
    )
}
