//! `$LOAD_PATH` with its folders expanded and their links followed, as long as nothing changes them.
//!
//! # What changes them
//! * The list, by any method: a copy shares its elements, and they are the same as long as nobody wrote to either.
//!   Its strings are frozen. Other objects are asked for their path each time.
//! * The working directory, if a folder is relative, and `HOME`, if one begins with `~`: both are asked for each time.
//! * Links and folders that this process makes, renames or removes, and processes that it starts: [`paths_changed`]. What another
//!   process does to a link is not noticed, as in CRuby.

use super::{ListSnapshot, global_array, lock, path_argument, paths, state};
use carat_sync::Mutex;
use carat_vm::{Ec, Result, Str};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The folders, in order. A new one is made for each change.
#[derive(Default)]
pub(super) struct Folders {
    pub(super) paths: Vec<Arc<[u8]>>,
    set: FxHashSet<Arc<[u8]>>,
}

impl Folders {
    pub(super) fn of(paths: Vec<Arc<[u8]>>) -> Folders {
        Folders { set: paths.iter().cloned().collect(), paths }
    }

    pub(super) fn contains(&self, folder: &[u8]) -> bool {
        self.set.contains(folder)
    }
}

#[derive(Default)]
pub(super) struct LoadPath {
    known: Mutex<Known>,
    changes: AtomicU64,
    last_hit: AtomicUsize,
}

impl LoadPath {
    /// Index of the folder that had the last file that was found.
    pub(super) fn last_hit(&self) -> usize {
        self.last_hit.load(Ordering::Relaxed)
    }

    pub(super) fn note_hit(&self, index: usize) {
        self.last_hit.store(index, Ordering::Relaxed);
    }
}

#[derive(Default)]
struct Known {
    seen: ListSnapshot,
    folders: Arc<Folders>,
    /// What [`LoadPath::changes`] was.
    changes: u64,
    /// Where relative folders started from.
    directory: Option<Vec<u8>>,
    /// A folder is known for one call only.
    is_volatile: bool,
    /// The real paths of expanded ones, until something changes on the disk.
    real: FxHashMap<Vec<u8>, Arc<[u8]>>,
    above: RealFolders,
}

/// Real paths of the folders in which libraries lie, which many of them share: the ones above a library's own folder.
#[derive(Default)]
struct RealFolders(FxHashMap<Vec<u8>, Option<Vec<u8>>>);

impl RealFolders {
    /// The real path of a library's folder, such as `gems/name-1.0/lib`; `None` if nothing is there.
    fn real(&mut self, path: &[u8]) -> Option<Vec<u8>> {
        let (own, name) = paths::split(path)?;
        let own = match paths::split(own) {
            Some((above, name)) => paths::real_in(&self.known(above)?, name)?,
            None => own.to_vec(),
        };
        paths::real_in(&own, name)
    }

    fn known(&mut self, folder: &[u8]) -> Option<Vec<u8>> {
        self.0.entry(folder.to_vec()).or_insert_with(|| paths::real(folder)).clone()
    }
}

impl Known {
    fn is_current(&self, ec: &Ec, changes: u64) -> bool {
        !self.is_volatile
            && self.changes == changes
            && self.seen.is_current(ec, global_array(ec, "$LOAD_PATH"))
            && self.directory.as_ref().is_none_or(|directory| *directory == paths::working_directory())
    }

    fn real(&mut self, path: Vec<u8>) -> Arc<[u8]> {
        if let Some(real) = self.real.get(&path) {
            return real.clone();
        }
        let real: Arc<[u8]> = self.above.real(&path).unwrap_or_else(|| path.clone()).into();
        self.real.insert(path, real.clone());
        real
    }
}

/// This process changed a link or a folder, or another one may have for it.
pub(crate) fn paths_changed(ec: &Ec) {
    carat_os::contact::count();
    state(ec).load_path.changes.fetch_add(1, Ordering::Relaxed);
}

/// The folders of `$LOAD_PATH`. Calls Ruby only for elements that are no strings.
pub(super) fn current(ec: &mut Ec) -> Result<Arc<Folders>> {
    let state = state(ec);
    let changes = state.load_path.changes.load(Ordering::Relaxed);
    {
        let known = lock(&state.load_path.known);
        if known.is_current(ec, changes) {
            return Ok(known.folders.clone());
        }
    }
    let expanded = Expanded::read(ec)?;
    let mut known = lock(&state.load_path.known);
    if known.changes != changes {
        known.real.clear();
        known.above = RealFolders::default();
    }
    let paths: Vec<Arc<[u8]>> = expanded.paths.into_iter().map(|path| known.real(path)).collect();
    if paths != known.folders.paths {
        known.folders = Arc::new(Folders::of(paths));
    }
    (known.changes, known.directory, known.is_volatile) = (changes, expanded.directory, expanded.is_volatile);
    known.seen.note(ec, global_array(ec, "$LOAD_PATH"));
    Ok(known.folders.clone())
}

/// `$LOAD_PATH` with its folders expanded.
#[derive(Default)]
struct Expanded {
    paths: Vec<Vec<u8>>,
    /// Holds for this once only.
    is_volatile: bool,
    /// The directory that relative folders are below.
    directory: Option<Vec<u8>>,
}

impl Expanded {
    fn read(ec: &mut Ec) -> Result<Expanded> {
        let list = global_array(ec, "$LOAD_PATH").duplicate(ec);
        let mut read = Expanded::default();
        for index in 0..list.len(ec) {
            let element = list.at(ec, index);
            let path = path_argument(ec, element)?;
            match Str::from_value(element) {
                Some(string) => ec.freeze(string.value()),
                None => read.is_volatile = true,
            }
            read.add(&path);
        }
        Ok(read)
    }

    fn add(&mut self, path: &[u8]) {
        match path.first() {
            Some(b'/') => {}
            Some(b'~') => self.is_volatile = true,
            _ => drop(self.directory.get_or_insert_with(paths::working_directory)),
        }
        self.paths.push(paths::expand(path));
    }
}
