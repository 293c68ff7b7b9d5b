//! Paths as bytes: absolute, real, and the files behind them.

use super::library::CarriedFile;
use carat_vm::Ec;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{ErrorKind, Read};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// An absolute path without `.`, `..` and doubled separators, links left as they are.
pub(super) fn expand(path: &[u8]) -> Vec<u8> {
    let home = match path {
        [b'~'] => Some(&path[1..]),
        [b'~', b'/', ..] => Some(&path[1..]),
        _ => None,
    };
    match home {
        Some(rest) => clean(&[std::env::var_os("HOME").unwrap_or_default().as_bytes(), rest].concat()),
        None if path.starts_with(b"/") => clean(path),
        None => expand_in(&working_directory(), path),
    }
}

/// A relative path below an absolute one that is clean.
pub(super) fn expand_in(folder: &[u8], path: &[u8]) -> Vec<u8> {
    let joined = [folder, path].join(&b'/');
    if is_clean(path) { joined } else { clean(&joined) }
}

pub(super) fn working_directory() -> Vec<u8> {
    std::env::current_dir().unwrap_or_default().into_os_string().into_vec()
}

/// Joining the relative path to an absolute one leaves nothing to tidy.
pub(super) fn is_clean(path: &[u8]) -> bool {
    path.split(|b| *b == b'/').all(|part| !matches!(part, b"" | b"." | b".."))
}

fn clean(path: &[u8]) -> Vec<u8> {
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in path.split(|b| *b == b'/') {
        match part {
            b"" | b"." => {}
            b".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    [b"/", parts.join(&b'/').as_slice()].concat()
}

/// The path with all links followed; `None` if nothing is there.
pub(super) fn real(path: &[u8]) -> Option<Vec<u8>> {
    std::fs::canonicalize(carat_os::os_str(path)).ok().map(|real| real.into_os_string().into_vec())
}

/// The same for a name in a folder whose path is real: one system call, unless the name is a link.
pub(super) fn real_in(folder: &[u8], name: &[u8]) -> Option<Vec<u8>> {
    let path = [folder.strip_suffix(b"/").unwrap_or(folder), b"/", name].concat();
    match std::fs::read_link(carat_os::os_str(&path)) {
        Ok(_) => real(&path),
        Err(error) if error.kind() == ErrorKind::InvalidInput => Some(path),
        Err(_) => None,
    }
}

/// An absolute path's folder, which is `/` for the uppermost ones, and its last name. `/` has none.
pub(super) fn split(path: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = memchr::memrchr(b'/', path)?;
    let name = &path[at + 1..];
    (!name.is_empty()).then(|| (&path[..at.max(1)], name))
}

pub(super) fn exists(path: &[u8]) -> bool {
    Path::new(carat_os::os_str(path)).exists()
}

pub(super) fn text(path: &[u8]) -> String {
    String::from_utf8_lossy(path).into_owned()
}

/// What follows the last separator.
pub(super) fn name(path: &[u8]) -> &[u8] {
    memchr::memrchr(b'/', path).map_or(path, |at| &path[at + 1..])
}

/// The name without the extension of what can be loaded.
pub(super) fn stem(name: &[u8]) -> &[u8] {
    [&b".rb"[..], b".so", b".o"].iter().find_map(|extension| name.strip_suffix(*extension)).unwrap_or(name)
}

/// A file that was found, and can be read.
pub(super) struct Opened {
    pub(super) path: Vec<u8>,
    /// The path's last name is a link.
    pub(super) is_link: bool,
    source: Source,
}

enum Source {
    Carried(CarriedFile),
    Disk(File, Metadata),
}

/// Opens for reading. A FIFO that nobody writes to would block.
fn open(path: &[u8], flags: i32) -> std::io::Result<File> {
    OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | flags).open(carat_os::os_str(path))
}

impl Opened {
    /// Opens what can be loaded: a file that the executable carries, or on the disk anything but a folder. Two system calls for
    /// that, one if there is nothing.
    pub(super) fn open(ec: &Ec, path: Vec<u8>) -> Option<Opened> {
        if let Some(carried) = CarriedFile::find(ec, &path) {
            return Some(Opened { path, is_link: false, source: Source::Carried(carried) });
        }
        if ec.vm().config.denied.files {
            return None;
        }
        let direct = open(&path, libc::O_NOFOLLOW);
        let is_link = direct.as_ref().is_err_and(|error| error.raw_os_error() == Some(libc::ELOOP));
        let file = if is_link { open(&path, 0) } else { direct }.ok()?;
        let metadata = file.metadata().ok()?;
        (!metadata.is_dir()).then_some(Opened { path, is_link, source: Source::Disk(file, metadata) })
    }

    /// A number that only this file has on its machine, nearly: see [`super::features`].
    pub(super) fn identity(&self) -> u64 {
        use std::os::unix::fs::MetadataExt;
        match &self.source {
            Source::Carried(_) => super::features::hash(&self.path),
            Source::Disk(_, metadata) => super::features::hash(&(metadata.dev(), metadata.ino())),
        }
    }

    pub(super) fn carried(&self) -> Option<CarriedFile> {
        match self.source {
            Source::Carried(carried) => Some(carried),
            Source::Disk(..) => None,
        }
    }

    /// The descriptor of a FIFO, of which nobody knows how much will come when: see [`Opened::read_some`].
    pub(super) fn fifo(&self) -> Option<i32> {
        use std::os::unix::fs::FileTypeExt;
        match &self.source {
            Source::Disk(file, metadata) if metadata.file_type().is_fifo() => Some(file.as_raw_fd()),
            _ => None,
        }
    }

    /// Appends what has come through a FIFO; false at its end.
    pub(super) fn read_some(&mut self, into: &mut Vec<u8>) -> std::io::Result<bool> {
        let Source::Disk(file, _) = &mut self.source else { return Ok(false) };
        let mut bytes = [0; 4096];
        match file.read(&mut bytes) {
            Ok(count) => {
                into.extend_from_slice(&bytes[..count]);
                Ok(count > 0)
            }
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => Ok(true),
            Err(error) => Err(error),
        }
    }

    /// All of it. A regular file whose size is known takes one system call.
    pub(super) fn read(&mut self) -> std::io::Result<Vec<u8>> {
        let (file, metadata) = match &mut self.source {
            Source::Carried(carried) => return Ok(carried.text()),
            Source::Disk(file, metadata) => (file, metadata),
        };
        let len = metadata.len() as usize;
        if !metadata.is_file() || len == 0 {
            return std::fs::read(carat_os::os_str(&self.path));
        }
        // A byte more than there should be: what fills less than this has ended.
        let mut bytes = vec![0; len + 1];
        let mut filled = 0;
        loop {
            match file.read(&mut bytes[filled..]) {
                Ok(count) => filled += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            }
            if filled < bytes.len() {
                bytes.truncate(filled);
                return Ok(bytes);
            }
            bytes.resize(filled * 2, 0);
        }
    }
}
