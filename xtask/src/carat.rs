//! Where the project and the executable under test are.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().expect("xtask stands in the workspace's root").to_path_buf()
}

/// The executable named by `CARAT`, or the one that cargo builds in the wanted profile.
pub(crate) fn locate(release: bool) -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os("CARAT") {
        return resolve(Path::new(&path));
    }
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "--package", "carat", "--bin", "carat"]).current_dir(root());
    if release {
        cargo.arg("--release");
    }
    let status = cargo.status().map_err(|error| format!("cannot run cargo: {error}"))?;
    if !status.success() {
        return Err("cargo could not build carat".to_string());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    Ok(target.join(if release { "release" } else { "debug" }).join("carat"))
}

/// An absolute path for a command's name, since the tests change directory.
pub(crate) fn resolve(command: &Path) -> Result<PathBuf, String> {
    if command.components().count() > 1 {
        return command.canonicalize().map_err(|error| format!("{}: {error}", command.display()));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|folder| folder.join(command))
        .find(|candidate| candidate.is_file())
        .ok_or_else(|| format!("no command {}", command.display()))
}
