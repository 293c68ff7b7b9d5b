//! Makes an archive that runs on a machine without Rust: both executables, stripped, with man pages and licences.
//!
//! Everything that the executables need is inside them. Licences are those of the packages that they are built from, as each
//! package has them.

use crate::args::Args;
use crate::carat::root;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const EXECUTABLES: [&str; 2] = ["carat", "loupe"];
const DOCUMENTS: [&str; 6] =
    ["LICENSE", "README.md", "CHANGELOG.md", "DESIGN.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];
/// How deep in a package the licences of the C sources that it carries lie, at most.
const LICENCE_DEPTH: usize = 4;

/// Builds, and prints the path of the archive.
pub(crate) fn run(_: &Args) -> Result<bool, String> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    output(cargo().args(["build", "--release", "--locked", "--package", "carat", "--package", "carat-loupe"]))?;
    let name = format!("carat-{}-{}-{}", env!("CARGO_PKG_VERSION"), std::env::consts::ARCH, std::env::consts::OS);
    let folder = target.join("dist").join(&name);
    let _ = fs::remove_dir_all(&folder);
    for executable in EXECUTABLES {
        let copied = copy(&target.join("release").join(executable), &folder.join("bin"))?;
        output(Command::new("strip").arg(&copied))?;
        copy(&root().join(format!("docs/man/{executable}.1")), &folder.join("share/man/man1"))?;
    }
    let documents = folder.join("share/doc/carat");
    for document in DOCUMENTS {
        copy(&root().join(document), &documents)?;
    }
    for page in pages()? {
        copy(&page, &documents.join("docs"))?;
    }
    write(&documents.join("LICENSES-OF-PACKAGES"), &licences()?)?;
    let archive = target.join("dist").join(format!("{name}.tar.gz"));
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "-C"]).arg(target.join("dist"));
    output(tar.arg("-czf").arg(&archive).arg(&name))?;
    println!("{}", archive.display());
    Ok(true)
}

/// What the documents refer to: the pages of `docs`.
fn pages() -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(root().join("docs")).map_err(|error| format!("docs: {error}"))?;
    let paths = entries.flatten().map(|entry| entry.path());
    Ok(paths.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect())
}

fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// Standard output of a command that must succeed.
fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stderr(std::process::Stdio::inherit()).output().map_err(|error| format!("{name}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{name} failed"));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn copy(file: &Path, folder: &Path) -> Result<PathBuf, String> {
    let copied = folder.join(file.file_name().expect("a file has a name"));
    let made = fs::create_dir_all(folder).and_then(|()| fs::copy(file, &copied));
    made.map(|_| copied).map_err(|error| format!("{}: {error}", file.display()))
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

/// The texts of the licences of all packages that are linked, each text once.
fn licences() -> Result<String, String> {
    let folders = package_folders()?;
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (package, licence) in packages()? {
        let folder = folders.get(&package).ok_or_else(|| format!("no sources of {package}"))?;
        let mut files = Vec::new();
        licence_files(folder, LICENCE_DEPTH, &mut files);
        files.sort();
        if files.is_empty() {
            texts.entry(format!("{licence}\n")).or_default().push(package.clone());
        }
        for file in files {
            let text = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            let below = file.strip_prefix(folder).expect("it was found there").display().to_string();
            texts.entry(String::from_utf8_lossy(&text).into_owned()).or_default().push(format!("{package}/{below}"));
        }
    }
    let mut all = String::from("Carat is built from these packages, besides its own code.\n");
    for (text, packages) in texts {
        let _ = write!(all, "\n{}\n{}\n{text}", "=".repeat(100), packages.join("\n"));
    }
    Ok(all)
}

/// Names with versions, as folders of packages are called, and the names of their licences.
fn packages() -> Result<BTreeMap<String, String>, String> {
    let mut tree = cargo();
    tree.args(["tree", "--locked", "--package", "carat", "--package", "carat-loupe", "--edges", "normal"]);
    let lines = output(tree.args(["--prefix", "none", "--format", "{p}|{l}"]))?;
    let external = lines.lines().filter(|line| !line.contains(" (/") && !line.contains("(proc-macro)"));
    let package = |line: &str| {
        let (package, licence) = line.split_once('|')?;
        Some((package.trim_end_matches(" (*)").replacen(" v", "-", 1), licence.trim_end_matches(" (*)").to_string()))
    };
    Ok(external.filter_map(package).collect())
}

/// Where the sources of each package are, by name and version.
fn package_folders() -> Result<BTreeMap<String, PathBuf>, String> {
    const KEY: &str = "\"manifest_path\":\"";
    let metadata = output(cargo().args(["metadata", "--locked", "--format-version", "1"]))?;
    let manifests = metadata.match_indices(KEY).filter_map(|(at, _)| metadata[at + KEY.len()..].split('"').next());
    let folder = |manifest: &str| {
        let folder = Path::new(manifest).parent()?;
        Some((folder.file_name()?.to_string_lossy().into_owned(), folder.to_path_buf()))
    };
    Ok(manifests.filter_map(folder).collect())
}

fn licence_files(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    const NAMES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE"];
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().to_ascii_uppercase());
        if path.is_dir() && depth > 1 {
            licence_files(&path, depth - 1, found);
        } else if path.is_file() && NAMES.iter().any(|start| name.starts_with(start)) {
            found.push(path);
        }
    }
}
