//! The library that the executable carries, as a folder that can be read: programs look for files in `$LOAD_PATH`, and show the
//! lines that a backtrace names.
//!
//! # Invariants
//! * Each function asks the file system first. So a folder of that name hides the library's, and a path that exists costs nothing.
//! * Nothing here polls or calls Ruby: these stand for system calls, and run without a turn.
//!
//! # Not here
//! Paths without a leading "/", changes, and the folders' own entries above the library's.

use crate::system::load::{Carried, all_carried};
use carat_os::{Stat, c};
use std::io::{Error, Result};

/// A part of the library.
enum Entry {
    File(Vec<u8>, usize),
    Folder,
}

/// The path below the library's folder; above it, how the folder goes on.
enum Place<'a> {
    Below(&'a [u8]),
    Above,
}

fn place<'a>(folder: &str, path: &'a [u8]) -> Option<Place<'a>> {
    let folder = folder.as_bytes();
    if let Some(below) = path.strip_prefix(folder) {
        return match below {
            [] => Some(Place::Below(b"")),
            [b'/', below @ ..] => Some(Place::Below(below)),
            _ => None,
        };
    }
    let rest = folder.strip_prefix(path)?;
    (path.len() > 1 && rest.starts_with(b"/")).then_some(Place::Above)
}

/// The path without what leads nowhere else, if it may lie in the library at all.
fn cleaned(library: &dyn Carried, path: &[u8]) -> Option<Vec<u8>> {
    let first = library.folder().split('/').nth(1)?;
    let is_near = path.strip_prefix(b"/")?.starts_with(first.as_bytes());
    is_near.then(|| super::path::normalise(b"/", path))
}

fn find(path: &[u8]) -> Option<Entry> {
    let library = all_carried()?;
    match place(library.folder(), &cleaned(library, path)?)? {
        Place::Above | Place::Below(b"") => Some(Entry::Folder),
        Place::Below(name) => match library.find(name) {
            Some(number) => Some(Entry::File(library.text(number), number)),
            None => {
                let prefix = [name, b"/"].concat();
                let is_folder = library.names().iter().any(|file| file.as_bytes().starts_with(&prefix));
                is_folder.then_some(Entry::Folder)
            }
        },
    }
}

fn is_missing(error: &Error) -> bool {
    matches!(error.raw_os_error(), Some(c::ENOENT))
}

/// Whether what a path names is a link; files of the library are none.
pub(super) fn is_link(path: &[u8]) -> Result<bool> {
    carat_os::is_link(path).or_else(|error| match is_missing(&error) && find(path).is_some() {
        true => Ok(false),
        false => Err(error),
    })
}

/// As [`stat`], with the time of birth if it is known.
pub(super) fn stat_and_birth(path: &[u8]) -> Result<(Stat, Option<(i64, i64)>)> {
    carat_os::stat_and_birth(path)
        .or_else(|error| if is_missing(&error) { Ok((stat(path, true)?, None)) } else { Err(error) })
}

/// As the system call; files and folders of the library have the times and the owner of the executable.
pub(super) fn stat(path: &[u8], follows: bool) -> Result<Stat> {
    carat_os::stat(path, follows).or_else(|error| {
        let entry = if is_missing(&error) { find(path) } else { None };
        let Some(entry) = entry else { return Err(error) };
        let executable = std::env::current_exe()?;
        let own = carat_os::stat(executable.as_os_str().as_encoded_bytes(), true)?;
        Ok(match entry {
            // Numbers of real files begin at the other end.
            Entry::File(text, number) => Stat {
                mode: c::S_IFREG | 0o444,
                ino: u64::MAX - number as u64,
                nlink: 1,
                size: text.len() as i64,
                ..own
            },
            Entry::Folder => Stat { mode: c::S_IFDIR | 0o555, ino: u64::MAX / 2, nlink: 2, size: 0, ..own },
        })
    })
}

/// As the system call; a file of the library is a copy in memory, and a folder an empty one.
pub(in crate::system) fn open(path: &[u8], flags: i32, permissions: u32) -> Result<i32> {
    carat_os::open(path, flags, permissions).or_else(|error| {
        let is_read = flags & (c::O_ACCMODE | c::O_CREAT) == c::O_RDONLY;
        match if is_read && is_missing(&error) { find(path) } else { None } {
            Some(Entry::File(text, _)) if flags & c::O_DIRECTORY == 0 => carat_os::memory_file(&text),
            Some(Entry::Folder) if flags & c::O_DIRECTORY != 0 => carat_os::memory_file(b""),
            _ => Err(error),
        }
    })
}

/// Names in a folder of the library, and which are folders themselves.
pub(super) fn names(path: &[u8]) -> Option<Vec<(Vec<u8>, bool)>> {
    let library = all_carried()?;
    let path = cleaned(library, path)?;
    let Place::Below(below) = place(library.folder(), &path)? else { return None };
    let prefix = if below.is_empty() { Vec::new() } else { [below, b"/"].concat() };
    let mut names: Vec<(Vec<u8>, bool)> = Vec::new();
    for name in library.names() {
        let Some(rest) = name.as_bytes().strip_prefix(prefix.as_slice()) else { continue };
        let end = rest.iter().position(|byte| *byte == b'/');
        names.push((rest[..end.unwrap_or(rest.len())].to_vec(), end.is_some()));
    }
    names.sort();
    names.dedup();
    (!names.is_empty()).then_some(names)
}
