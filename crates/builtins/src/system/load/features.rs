//! `$LOADED_FEATURES`, and an index by which one of many is found at once.
//!
//! # Index
//! A feature is found by the hash of its last name without extension; features whose hashes are equal form a chain. So an
//! entry of the index takes a few bytes however deep the file lies, and the paths stand in the list's own strings only. What `require` was
//! asked for before is found by the hash of all that it was given.
//!
//! # Invariants
//! * The index belongs to the list of which [`ListSnapshot`] holds a copy; the list's strings are frozen, so that nobody changes what is
//!   indexed. A list that changed otherwise than by [`Features::provide`] is indexed anew.
//! * Every hit is compared with the bytes themselves.
//!
//! # One file under two names
//! CRuby compares real paths. Each would cost a system call for each of its folders, so a file is known by device and inode, and
//! real paths are compared only when that was met before, or when the program itself has put paths on the list.

use super::folders::Folders;
use super::paths::{self, Opened, stem};
use super::{ListSnapshot, loaded_features};
use carat_vm::{Array, Ec, EncodingIndex, Result, Str, Value};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

/// Behind the last feature of a chain.
const NONE: u32 = u32::MAX;

#[derive(Default)]
pub(super) struct Features {
    seen: ListSnapshot,
    /// The last feature of each chain.
    heads: FxHashMap<u32, u32>,
    /// For each feature the one before it in its chain.
    before: Vec<u32>,
    /// Features by the identity of their file.
    files: FxHashMap<u64, u32>,
    /// The list has paths of files that were not loaded here.
    has_foreign: bool,
    /// Names that were asked for and found below `folders`, or without any.
    found: FxHashMap<u64, Found>,
    folders: Arc<Folders>,
}

/// A feature, and how long the folder is that stands before the name that was asked for.
#[derive(Clone, Copy)]
struct Found {
    index: u32,
    folder_len: u32,
}

pub(super) fn hash<T: Hash + ?Sized>(of: &T) -> u64 {
    FxBuildHasher.hash_one(of)
}

fn key(name: &[u8]) -> u32 {
    hash(name) as u32
}

fn has_extension(name: &[u8]) -> bool {
    stem(name).len() < name.len()
}

/// What stands before `name` in a listed feature that provides it. `.rb` may be left out, `.so` and `.o` by names without folders; what
/// is listed without extension may still be a file's name.
fn folder_before<'a>(listed: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let before = |extension: &[u8]| listed.strip_suffix(extension)?.strip_suffix(name);
    let is_named = before(b".rb")
        .or_else(|| before(b".so").or_else(|| before(b".o")).filter(|_| !name.contains(&b'/')))
        .or_else(|| before(b"").filter(|_| has_extension(name)));
    is_named.filter(|folder| folder.is_empty() || folder.ends_with(b"/"))
}

impl Features {
    /// Brings the index up to date with the list.
    pub(super) fn update(&mut self, ec: &Ec) {
        let list = loaded_features(ec);
        if !self.seen.is_current(ec, list) {
            self.rebuild(ec, list);
        }
    }

    fn rebuild(&mut self, ec: &Ec, list: Array) {
        let files: Vec<(u64, Value)> =
            self.files.drain().map(|(file, index)| (file, self.seen.at(ec, index))).collect();
        self.heads.clear();
        self.before.clear();
        self.found.clear();
        keep_strings(ec, list);
        self.seen.note(ec, list);
        for index in 0..list.len(ec) {
            self.index_last(ec);
            debug_assert_eq!(self.before.len(), index + 1);
        }
        for (file, path) in files {
            let known = Str::from_value(path).and_then(|path| self.position(ec, path.bytes(ec)));
            self.files.extend(known.map(|index| (file, index)));
        }
        let absolute = (0..self.before.len() as u32).filter(|index| self.path(ec, *index).starts_with(b"/")).count();
        self.has_foreign = absolute > self.files.len();
    }

    /// Enters the next feature of the list into the index.
    fn index_last(&mut self, ec: &Ec) {
        let index = self.before.len() as u32;
        let key = key(stem(paths::name(self.path(ec, index))));
        let before = self.heads.insert(key, index);
        self.before.push(before.unwrap_or(NONE));
    }

    /// A listed feature; empty for what is no string.
    fn path<'a>(&self, ec: &'a Ec, index: u32) -> &'a [u8] {
        Str::from_value(self.seen.at(ec, index)).map_or(b"", |path| path.bytes(ec))
    }

    /// Features whose last name without extension may be this one, the last first.
    fn chain(&self, stem: &[u8]) -> impl Iterator<Item = u32> {
        let mut next = self.heads.get(&key(stem)).copied();
        std::iter::from_fn(move || {
            let index = next.filter(|index| *index != NONE)?;
            next = Some(self.before[index as usize]);
            Some(index)
        })
    }

    fn position(&self, ec: &Ec, path: &[u8]) -> Option<u32> {
        self.chain(stem(paths::name(path))).find(|index| self.path(ec, *index) == path)
    }

    /// Whether exactly this is listed.
    pub(super) fn lists(&self, ec: &Ec, path: &[u8]) -> bool {
        self.position(ec, path).is_some()
    }

    /// Whether a feature provides the name: as it is, or below one of the folders.
    pub(super) fn provides(&mut self, ec: &Ec, name: &[u8], folders: Option<&Arc<Folders>>) -> bool {
        if let Some(folders) = folders.filter(|folders| !Arc::ptr_eq(folders, &self.folders)) {
            self.found.clear();
            self.folders = folders.clone();
        }
        let asked = hash(name);
        if self.found.get(&asked).is_some_and(|found| self.is_still(ec, *found, name)) {
            return true;
        }
        let found = self.search(ec, name, folders);
        self.found.extend(found.map(|found| (asked, found)));
        found.is_some()
    }

    fn is_still(&self, ec: &Ec, found: Found, name: &[u8]) -> bool {
        let folder = folder_before(self.path(ec, found.index), name);
        folder.is_some_and(|folder| folder.len() == found.folder_len as usize)
    }

    fn search(&self, ec: &Ec, name: &[u8], folders: Option<&Arc<Folders>>) -> Option<Found> {
        let last = paths::name(name);
        let is_reached = |folder: &[u8]| {
            folder.is_empty() || folders.is_some_and(|folders| folders.contains(&folder[..folder.len() - 1]))
        };
        // "a.rb" may be a.rb, and a.rb.rb.
        let names = [stem(last), last];
        let candidates = names[..if has_extension(last) { 2 } else { 1 }].iter().flat_map(|stem| self.chain(stem));
        candidates.into_iter().find_map(|index| {
            let folder = folder_before(self.path(ec, index), name).filter(|folder| is_reached(folder))?;
            Some(Found { index, folder_len: folder.len() as u32 })
        })
    }

    /// Whether a file is loaded, under this path or another one.
    pub(super) fn has(&self, ec: &Ec, opened: &Opened) -> bool {
        if self.lists(ec, &opened.path) {
            return true;
        }
        let same = self.files.get(&opened.identity()).map(|index| self.path(ec, *index));
        if same.is_none() && !self.has_foreign {
            return false;
        }
        let Some(real) = paths::real(&opened.path) else { return false };
        same.is_some_and(|same| paths::real(same).is_some_and(|same| same == real)) || self.lists(ec, &real)
    }

    /// Puts a file that ran to its end on the list.
    pub(super) fn provide(&mut self, ec: &mut Ec, path: &[u8], identity: Option<u64>) -> Result<()> {
        let list = loaded_features(ec);
        if ec.is_frozen(list.value()) {
            return Err(ec.runtime_error("$LOADED_FEATURES is frozen; cannot append feature"));
        }
        self.update(ec);
        let feature = ec.fstring(path, EncodingIndex::UTF_8);
        // The copy would have the whole list copied.
        self.seen.forget(ec);
        list.push(ec, feature.value());
        self.seen.note(ec, list);
        let index = self.before.len() as u32;
        self.index_last(ec);
        self.files.extend(identity.map(|identity| (identity, index)));
        Ok(())
    }
}

/// Puts frozen strings in the places of others, which the program might change.
fn keep_strings(ec: &Ec, list: Array) {
    if ec.is_frozen(list.value()) {
        return;
    }
    for index in 0..list.len(ec) {
        if let Some(string) = Str::from_value(list.at(ec, index)).filter(|string| !string.is_frozen()) {
            let frozen = ec.fstring(string.bytes(ec), string.encoding());
            list.set(ec, index, frozen.value());
        }
    }
}
