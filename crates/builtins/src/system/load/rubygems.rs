//! RubyGems and Bundler, which are the machine's: which folder has them.
//!
//! They are looked for when somebody needs them, and once. Features below `rubygems` and `bundler` come from that folder after
//! `$LOAD_PATH` had none, so that what else lies there (another Ruby's library, say) stays out of the way. Where there is no such
//! folder, `gem_finder` of Carat's own library takes RubyGems' place for what programs ask of it while they run.

use super::{Opened, state};
use carat_vm::method::{MethodEntry, MethodKind};
use carat_vm::{Ec, Value};
use std::cmp::Reverse;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// The folder to use, or none if it is empty.
const VARIABLE: &str = "CARAT_RUBYGEMS";

pub(super) const RUBYGEMS: &[u8] = b"rubygems";
const BUNDLER: &[u8] = b"bundler";
pub(super) const FINDER: &[u8] = b"gem_finder";

/// Whether a feature, or the name of its file, belongs to RubyGems or Bundler.
pub(super) fn has_feature(name: &[u8]) -> bool {
    let first = name.split(|byte| matches!(byte, b'/' | b'.')).next().unwrap_or_default();
    first == RUBYGEMS || first == BUNDLER
}

/// The file of this name that the machine has; without RubyGems on the machine, the one that takes its place. None if the program
/// has put a RubyGems or a Bundler of its own on the load path.
pub(super) fn find_file(ec: &mut Ec, name: &[u8]) -> carat_vm::Result<Option<Opened>> {
    if let Some(slash) = name.iter().position(|byte| *byte == b'/')
        && super::find_below(ec, &[&name[..slash], b".rb"].concat())?.is_some()
    {
        return Ok(None);
    }
    match folder(ec) {
        Some(folder) => Ok(Opened::open(ec, super::paths::expand_in(&folder, name))),
        None => match name.strip_prefix(RUBYGEMS) {
            Some(rest) => super::find_below(ec, &[FINDER, rest].concat()),
            None => Ok(None),
        },
    }
}

/// The folder that has `rubygems.rb`.
pub(super) fn folder(ec: &Ec) -> Option<Vec<u8>> {
    state(ec).rubygems.get_or_init(|| find().map(|folder| folder.into_os_string().into_vec())).clone()
}

/// `Kernel#gem` as the program defined it before it needed RubyGems, if this is RubyGems' file: CRuby would have loaded that first.
pub(super) fn method_to_keep(ec: &Ec, path: &[u8]) -> Option<Value> {
    let is_late = state(ec).has_gems.load(Ordering::Relaxed)
        && path.ends_with(b"/rubygems.rb")
        && folder(ec).is_some_and(|folder| path.strip_prefix(&*folder) == Some(b"/rubygems.rb"));
    if !is_late {
        return None;
    }
    let entry = ec.vm().known().kernel.own_method(ec, ec.vm().intern("gem"))?;
    let is_native =
        MethodEntry::from_value(ec, entry).is_some_and(|method| matches!(method.kind, MethodKind::Native(..)));
    (!is_native).then_some(entry)
}

/// What a `LoadError` for one of their features adds where they are not installed.
pub(super) fn advice(ec: &Ec, feature: &[u8]) -> &'static str {
    if has_feature(feature) && folder(ec).is_none() {
        " (RubyGems is not installed where Carat looks for it; CARAT_RUBYGEMS names its folder)"
    } else {
        ""
    }
}

fn find() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(VARIABLE) {
        return Some(PathBuf::from(named)).filter(|folder| !folder.as_os_str().is_empty());
    }
    candidates().find(|folder| has_rubygems(folder))
}

fn has_rubygems(folder: &Path) -> bool {
    folder.join("rubygems.rb").is_file()
}

/// Carat's own site folder, the libraries of each `ruby` of the path, and where distributions put RubyGems.
fn candidates() -> impl Iterator<Item = PathBuf> {
    let own = std::env::current_exe().ok().and_then(|own| own.parent()?.parent().map(Path::to_path_buf));
    let site = own.map(|prefix| prefix.join("lib/carat/site_ruby").join(crate::version::LIBRARY_VERSION));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let programs: Vec<PathBuf> = std::env::split_paths(&path).filter(|folder| folder.join("ruby").is_file()).collect();
    let prefixes =
        programs.into_iter().filter_map(|folder| folder.canonicalize().ok()?.parent().map(Path::to_path_buf));
    let prefixes = prefixes.chain(["/usr/local".into(), "/usr".into()]);
    site.into_iter()
        .chain(prefixes.flat_map(|prefix| libraries(&prefix.join("lib/ruby"))))
        .chain(["/usr/share/rubygems".into()])
}

/// Where a Ruby that is installed below the folder keeps RubyGems: what `gem update --system` brought, what a distribution
/// packages, what came with it.
fn libraries(folder: &Path) -> Vec<PathBuf> {
    let newest = |folder: &Path| versions(folder).into_iter().next();
    let found = [newest(&folder.join("site_ruby")), Some(folder.join("vendor_ruby")), newest(folder)];
    found.into_iter().flatten().collect()
}

/// Folders that are named after a version of Ruby and have RubyGems, the newest first.
fn versions(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_version = |path: &PathBuf| path.file_name().is_some_and(|name| name.as_bytes()[0].is_ascii_digit());
    let mut found: Vec<PathBuf> = entries.filter(|path| is_version(path) && has_rubygems(path)).collect();
    found.sort_by_cached_key(|path| Reverse(numbers(path)));
    found
}

fn numbers(path: &Path) -> Vec<u32> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
}

/// Whether the standard library of another Ruby is in the folder. RubyGems puts the folder that it lies in in front of the load
/// path of the extensions that it builds, as Bundler does with that of its programs.
pub fn is_foreign_library(folder: &str) -> bool {
    let folder = Path::new(folder);
    has_rubygems(folder) && folder.join("mkmf.rb").is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_of_both_are_known_by_their_first_name() {
        for name in ["rubygems", "rubygems.rb", "rubygems/version", "bundler", "bundler/setup.rb"] {
            assert!(has_feature(name.as_bytes()), "{name}");
        }
        for name in ["rubygems_plugin", "bundler-audit", "gem", "x/rubygems", ""] {
            assert!(!has_feature(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn the_newest_version_comes_first() {
        let folder = std::env::temp_dir().join(format!("carat-rubygems-{}", std::process::id()));
        for version in ["3.1.0", "3.10.0", "4.1.0+4", "gems", "4.2.0"] {
            std::fs::create_dir_all(folder.join(version)).expect("a folder");
            if version != "4.2.0" {
                std::fs::write(folder.join(version).join("rubygems.rb"), "").expect("a file");
            }
        }
        let found: Vec<_> =
            versions(&folder).iter().map(|path| path.strip_prefix(&folder).unwrap().to_path_buf()).collect();
        std::fs::remove_dir_all(&folder).expect("it was made here");
        assert_eq!(found, ["4.1.0+4", "3.10.0", "3.1.0"].map(PathBuf::from));
    }
}
