//! What crates depend on: each edge is one that ARCHITECTURE shows, and each dependency one that the crate's source names.
//!
//! The crates and their dependencies are Cargo's own answer. ARCHITECTURE shows the edges between crates of the workspace in
//! a block that begins with [`BLOCK`], a crate a line. Dependencies of tests alone make no edge: tests may use what they like.

use super::Complaints;
use super::tokens::{Parsed, Token};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// The line before the first edge in ARCHITECTURE.
const BLOCK: &str = "```edges";
const ARROW: &str = "→";

/// A crate of the workspace. It is called like its folder.
#[derive(Debug)]
pub(super) struct Crate {
    pub(super) name: String,
    /// Relative to the root.
    folder: String,
    dependencies: Vec<Dependency>,
}

#[derive(Debug)]
struct Dependency {
    /// As the source names it.
    package: String,
    kind: Kind,
    /// The crate's name in the workspace, unless it comes from elsewhere.
    local: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Normal,
    Build,
    Tests,
}

/// Asks Cargo for the workspace's crates. It reads the manifests, and no network.
pub(super) fn read(root: &Path) -> Result<Vec<Crate>, String> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).current_dir(root);
    let output = cargo.output().map_err(|error| format!("cannot run cargo: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let answer: Value = serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))?;
    parse(&answer).ok_or_else(|| "cargo metadata answers in a form that is not known".to_string())
}

fn parse(answer: &Value) -> Option<Vec<Crate>> {
    let root = answer["workspace_root"].as_str()?;
    answer["packages"].as_array()?.iter().map(|package| parse_crate(package, root)).collect()
}

fn parse_crate(package: &Value, root: &str) -> Option<Crate> {
    let folder = package["manifest_path"].as_str()?.strip_suffix("/Cargo.toml")?;
    let dependencies = package["dependencies"].as_array()?.iter().map(parse_dependency).collect::<Option<_>>()?;
    let folder = folder.strip_prefix(root)?.trim_start_matches('/').to_string();
    Some(Crate { name: last_part(&folder).to_string(), folder, dependencies })
}

fn parse_dependency(dependency: &Value) -> Option<Dependency> {
    let kind = match dependency["kind"].as_str() {
        None => Kind::Normal,
        Some("build") => Kind::Build,
        Some(_) => Kind::Tests,
    };
    let package = dependency["rename"].as_str().or_else(|| dependency["name"].as_str())?.to_string();
    Some(Dependency { package, kind, local: dependency["path"].as_str().map(|path| last_part(path).to_string()) })
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Edges that ARCHITECTURE does not show, those that it shows and nobody made, and crates of which it knows nothing.
pub(super) fn check_edges(crates: &[Crate], architecture: &str) -> Complaints {
    let Some(shown) = shown_edges(architecture) else {
        return vec![format!("ARCHITECTURE.md:1: no block of edges; it begins with {BLOCK}")];
    };
    let none = BTreeSet::new();
    let mut complaints = Complaints::new();
    for one in crates {
        let Crate { name, folder, .. } = one;
        if !shown.contains_key(name.as_str()) {
            complaints.push(format!("{folder}/Cargo.toml:1: ARCHITECTURE shows no crate {name}"));
        }
        let (made, known) = (one.edges(), shown.get(name.as_str()).unwrap_or(&none));
        let say = |to: &&str| format!("{folder}/Cargo.toml:1: ARCHITECTURE shows no edge {name} {ARROW} {to}");
        complaints.extend(made.difference(known).map(say));
        let say =
            |to: &&str| format!("ARCHITECTURE.md:1: {name} {ARROW} {to} is shown, but {name} does not depend on {to}");
        complaints.extend(known.difference(&made).map(say));
    }
    let gone = shown.keys().filter(|name| crates.iter().all(|one| one.name != **name));
    complaints.extend(gone.map(|name| format!("ARCHITECTURE.md:1: there is no crate {name}")));
    complaints
}

/// The block's lines: `vm → heap layout` is a crate and those that it depends on.
fn shown_edges(architecture: &str) -> Option<BTreeMap<&str, BTreeSet<&str>>> {
    let mut lines = architecture.lines().skip_while(|line| line.trim() != BLOCK);
    lines.next()?;
    let lines = lines.take_while(|line| !line.starts_with("```"));
    let edges = lines.map(|line| {
        let (from, to) = line.split_once(ARROW).unwrap_or((line, ""));
        (from.trim(), to.split_whitespace().collect())
    });
    Some(edges.collect())
}

/// Dependencies that no source of their crate names.
pub(super) fn check_use(crates: &[Crate], files: &[Parsed<'_>]) -> Complaints {
    let mut complaints = Complaints::new();
    for one in crates {
        let mut named: BTreeMap<bool, BTreeSet<&str>> = BTreeMap::new();
        for (path, file) in files.iter().filter_map(|file| Some((one.own(file.path)?, file))) {
            named.entry(is_build_script(path)).or_default().extend(named_crates(&file.tokens));
        }
        let is_named = |dependency: &&Dependency| {
            let names = named.get(&(dependency.kind == Kind::Build));
            names.is_some_and(|names| dependency.names().iter().any(|name| names.contains(name.as_str())))
        };
        for Dependency { package, .. } in one.dependencies.iter().filter(|dependency| !is_named(dependency)) {
            complaints.push(format!("{}/Cargo.toml:1: no source of the crate uses {package}", one.folder));
        }
    }
    complaints
}

/// Names that may be those of crates: `name::`, `use name` and `extern crate name`.
fn named_crates<'a>(tokens: &[Token<'a>]) -> Vec<&'a str> {
    let is_crate = |at: usize| {
        tokens.get(at + 1).is_some_and(|next| next.text == "::")
            || at > 0 && matches!(tokens[at - 1].text, "use" | "crate")
    };
    (0..tokens.len()).filter(|at| is_crate(*at)).map(|at| tokens[at].text).collect()
}

fn is_build_script(path: &str) -> bool {
    path == "build.rs" || path.starts_with("build/")
}

impl Crate {
    fn edges(&self) -> BTreeSet<&str> {
        let ships = self.dependencies.iter().filter(|dependency| dependency.kind != Kind::Tests);
        ships.filter_map(|dependency| dependency.local.as_deref()).collect()
    }

    /// What is left of a path that leads into the crate.
    fn own<'a>(&self, path: &'a str) -> Option<&'a str> {
        path.strip_prefix(&self.folder)?.strip_prefix('/')
    }
}

impl Dependency {
    /// What sources may call it: a package's library has its name with other hyphens (`num-traits`), or none (`md-5`).
    fn names(&self) -> [String; 2] {
        [self.package.replace('-', "_"), self.package.replace('-', "")]
    }
}

#[cfg(test)]
mod tests {
    use super::super::Source;
    use super::super::tokens;
    use super::*;
    use serde_json::json;

    /// Two crates: `heap` depends on `layout`, and on what else is given.
    fn crates(dependency: Value) -> Vec<Crate> {
        let layout = json!({ "name": "p-layout", "path": "/p/crates/layout", "kind": null });
        let answer = json!({
            "workspace_root": "/p",
            "packages": [
                { "manifest_path": "/p/crates/heap/Cargo.toml", "dependencies": [layout, dependency] },
                { "manifest_path": "/p/crates/layout/Cargo.toml", "dependencies": [] },
            ],
        });
        parse(&answer).unwrap()
    }

    fn edges(block: &str) -> Complaints {
        let libc = json!({ "name": "libc", "kind": null });
        check_edges(&crates(libc), &format!("# Architecture\n{BLOCK}\n{block}```\n"))
    }

    fn unused(dependency: Value, path: &str, text: &str) -> Complaints {
        let source = |path: &str, text: &str| Source { path: path.to_string(), text: text.to_string() };
        let sources = [source("crates/heap/src/lib.rs", "use p_layout::Value;"), source(path, text)];
        check_use(&crates(dependency), &tokens::parse(&sources))
    }

    #[test]
    fn edges_are_those_of_architecture() {
        assert_eq!(edges("layout →\nheap → layout\n"), [""; 0]);
        assert_eq!(edges("layout\nheap\n"), ["crates/heap/Cargo.toml:1: ARCHITECTURE shows no edge heap → layout"]);
        assert_eq!(edges("heap → layout\n"), ["crates/layout/Cargo.toml:1: ARCHITECTURE shows no crate layout"]);
        let back = edges("layout → heap\nheap → layout\n");
        assert_eq!(back, ["ARCHITECTURE.md:1: layout → heap is shown, but layout does not depend on heap"]);
        assert_eq!(edges("layout\nheap → layout\njit\n"), ["ARCHITECTURE.md:1: there is no crate jit"]);
        assert!(check_edges(&[], "")[0].contains("no block"));
    }

    #[test]
    fn tests_make_no_edges() {
        let dev = json!({ "name": "p-vm", "path": "/p/crates/vm", "kind": "dev" });
        assert_eq!(crates(dev)[0].edges().into_iter().collect::<Vec<_>>(), ["layout"]);
    }

    #[test]
    fn a_dependency_is_used() {
        let swap = || json!({ "name": "arc-swap", "kind": null });
        assert_eq!(unused(swap(), "crates/heap/src/a.rs", "let x = arc_swap::ArcSwap::new();"), [""; 0]);
        let complaint = "crates/heap/Cargo.toml:1: no source of the crate uses arc-swap";
        assert_eq!(unused(swap(), "crates/heap/src/a.rs", "// arc_swap::ArcSwap\nlet arc_swap = 1;"), [complaint]);
        assert_eq!(unused(swap(), "crates/vm/src/a.rs", "use arc_swap as _;"), [complaint]);
        assert_eq!(unused(swap(), "crates/heap/build.rs", "use arc_swap::ArcSwap;"), [complaint]);
    }

    #[test]
    fn build_scripts_have_dependencies_of_their_own() {
        let flate = json!({ "name": "md-5", "kind": "build" });
        assert_eq!(unused(flate.clone(), "crates/heap/build.rs", "use md5::Md5;"), [""; 0]);
        assert_eq!(unused(flate, "crates/heap/src/a.rs", "use md5::Md5;").len(), 1);
    }
}
