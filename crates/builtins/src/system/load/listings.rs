//! What is directly in the folders of `$LOAD_PATH`: a folder that lacks a file is then not asked for it.
//!
//! # When a listing holds
//! It is of a folder with a certain [`Status`], which changes with every name that comes. In each *span* the status is asked once,
//! when the listing is first used; after that the listing answers without a system call. A span ends with the first
//! contact with the outside ([`contact`]), by which the program may have learned that a file came, and in any case after
//! [`SPAN`]. So no program can tell an answer from that of a system call, but one that watches memory which another process writes to, and
//! that one not for longer than a span.
//!
//! # What is not listed
//! * A folder that was asked a few times only: to list it takes as many system calls.
//! * A folder that changed lately: two changes within a tick of the file system's clock leave the same status.
//! * A file system of which it is not known that folders' times change with their contents; large folders.
//! * Names that are not ASCII: file systems differ in which of them are the same. Of ASCII names the case is ignored, so that
//!   one may be looked for in vain.

use super::folders::Folders;
use super::{features, paths};
use carat_os::contact;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// How long a status is taken for granted at most.
const SPAN: Duration = Duration::from_millis(20);
/// A folder is listed when it lacked so many files.
const MISSES: u8 = 4;
/// Folders with more names are not listed.
const MOST_NAMES: usize = 2000;
/// How long ago a folder must have changed last: longer than the tick of any file system.
const SETTLED: Duration = Duration::from_secs(3);

#[derive(Default)]
pub(super) struct Listings {
    /// Those that the listings are of, in their order.
    folders: Arc<Folders>,
    of: Vec<Listing>,
    span: Span,
}

/// The first name of a file that is looked for below folders.
#[derive(Clone, Copy)]
pub(super) struct FirstName(Option<u32>);

impl FirstName {
    pub(super) fn of(path: &[u8]) -> FirstName {
        let first = path.split(|b| *b == b'/').next().unwrap_or_default();
        FirstName(key(first).filter(|_| paths::is_clean(path)))
    }
}

fn key(name: &[u8]) -> Option<u32> {
    name.is_ascii().then(|| features::hash(&name.to_ascii_lowercase()) as u32)
}

#[derive(Default)]
struct Span {
    number: u64,
    contacts: u64,
    began: Option<Instant>,
}

impl Span {
    /// Goes on, or ends and another begins.
    fn update(&mut self) {
        let (contacts, now) = (contact::number(), Instant::now());
        let goes_on = self.contacts == contacts && self.began.is_some_and(|began| now.duration_since(began) < SPAN);
        if !goes_on {
            *self = Span { number: self.number + 1, contacts, began: Some(now) };
        }
    }
}

#[derive(Default)]
struct Listing {
    state: State,
    /// In which span the state was last known to be true.
    span: u64,
}

enum State {
    /// Not listed; how many files it lacked.
    Unknown(u8),
    /// There is no such folder.
    Absent,
    Listed(Status, Box<[u32]>),
    /// Cannot be listed, or had better not be.
    Unlisted,
}

impl Default for State {
    fn default() -> State {
        State::Unknown(0)
    }
}

/// Which folder it is, and when it changed.
#[derive(Clone, Copy, PartialEq)]
struct Status {
    device: u64,
    inode: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Status {
    fn read(folder: &[u8]) -> std::io::Result<Status> {
        let data = std::fs::metadata(carat_os::os_str(folder))?;
        if !data.is_dir() {
            return Err(ErrorKind::NotADirectory.into());
        }
        let (modified, changed) = ((data.mtime(), data.mtime_nsec()), (data.ctime(), data.ctime_nsec()));
        Ok(Status { device: data.dev(), inode: data.ino(), modified, changed })
    }

    fn is_settled(&self) -> bool {
        let (seconds, nanoseconds) = self.modified.max(self.changed);
        let last =
            SystemTime::UNIX_EPOCH + Duration::new(seconds.max(0) as u64, nanoseconds.clamp(0, 999_999_999) as u32);
        last.elapsed().is_ok_and(|ago| ago > SETTLED)
    }
}

impl Listings {
    /// To be called before folders are asked for a file.
    pub(super) fn update(&mut self, folders: &Arc<Folders>) {
        self.span.update();
        if Arc::ptr_eq(&self.folders, folders) {
            return;
        }
        let before = std::mem::take(&mut self.of);
        let mut known: rustc_hash::FxHashMap<_, _> = self.folders.paths.iter().cloned().zip(before).collect();
        self.of = folders.paths.iter().map(|folder| known.remove(folder).unwrap_or_default()).collect();
        self.folders = folders.clone();
    }

    /// False if nothing in the folder has this name.
    pub(super) fn may_have(&mut self, index: usize, name: FirstName) -> bool {
        let (Some(name), Some(folder)) = (name.0, self.folders.paths.get(index)) else { return true };
        self.of[index].may_have(folder, name, self.span.number)
    }

    /// A file was looked for in the folder in vain.
    pub(super) fn note_miss(&mut self, index: usize) {
        if let Some(Listing { state: State::Unknown(misses), .. }) = self.of.get_mut(index) {
            *misses = misses.saturating_add(1);
        }
    }
}

impl Listing {
    fn may_have(&mut self, folder: &[u8], name: u32, span: u64) -> bool {
        match self.state {
            State::Unknown(misses) if misses >= MISSES => (self.state, self.span) = (list(folder), span),
            State::Unknown(_) | State::Unlisted => {}
            State::Absent | State::Listed(..) if self.span == span => {}
            State::Absent | State::Listed(..) => {
                self.span = span;
                if !self.is_true(folder) {
                    self.state = State::Unknown(0);
                }
            }
        }
        match &self.state {
            State::Unknown(_) | State::Unlisted => true,
            State::Absent => false,
            State::Listed(_, names) => names.binary_search(&name).is_ok(),
        }
    }

    fn is_true(&self, folder: &[u8]) -> bool {
        match (&self.state, Status::read(folder)) {
            (State::Listed(before, _), Ok(now)) => *before == now,
            (State::Absent, Err(error)) => is_absence(&error),
            _ => false,
        }
    }
}

fn is_absence(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn list(folder: &[u8]) -> State {
    let status = match Status::read(folder) {
        Ok(status) => status,
        Err(error) if is_absence(&error) => return State::Absent,
        Err(_) => return State::Unlisted,
    };
    if !status.is_settled() {
        return State::Unknown(0);
    }
    if !carat_os::folder_times_are_true(folder) {
        return State::Unlisted;
    }
    match names(folder) {
        Some(names) if Status::read(folder).is_ok_and(|after| after == status) => State::Listed(status, names),
        Some(_) => State::Unknown(0),
        None => State::Unlisted,
    }
}

fn names(folder: &[u8]) -> Option<Box<[u32]>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(carat_os::os_str(folder)).ok()? {
        // Names that are not ASCII are not looked for here.
        names.extend(key(entry.ok()?.file_name().as_bytes()));
        if names.len() > MOST_NAMES {
            return None;
        }
    }
    names.sort_unstable();
    Some(names.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_holds_for_a_span_and_answers_for_ascii_names_only() {
        let folder = std::env::temp_dir().join(format!("carat-listing-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("Sub")).expect("a folder");
        std::fs::write(folder.join("one.rb"), "").expect("a file");
        let folders = Arc::new(Folders::of(vec![folder.as_os_str().as_bytes().into()]));
        let mut listings = Listings::default();
        let mut may_have = |path: &str| {
            listings.update(&folders);
            let may_have = listings.may_have(0, FirstName::of(path.as_bytes()));
            listings.note_miss(0);
            may_have
        };
        for _ in 0..2 * MISSES {
            assert!(may_have("two.rb"), "a folder that has just changed is asked");
        }
        std::thread::sleep(SETTLED + Duration::from_millis(100));
        for _ in 0..MISSES {
            may_have("two.rb");
        }
        assert!(!may_have("two.rb") && !may_have("two/three.rb"));
        assert!(may_have("one.rb") && may_have("ONE.rb") && may_have("sub/three.rb"));
        assert!(may_have("zwei-ä.rb") && may_have("a/../one.rb") && may_have("./two.rb"));
        std::fs::write(folder.join("two.rb"), "").expect("a file");
        contact::count();
        assert!(may_have("two.rb"), "the folder's status is another one");
        std::fs::remove_dir_all(&folder).expect("the folder goes");
    }
}
