//! Carat's own library: inside the executable, or a folder.

use super::{lock, paths, state};
use carat_compile::CORE_MARK;
use carat_iseq::IseqRef;
use carat_sync::OnceLock;
use carat_vm::Ec;

/// The library that an executable carries. Files are known by number.
pub trait Carried: Sync {
    /// The folder in which its files seem to lie.
    fn folder(&self) -> &'static str;
    fn find(&self, name: &[u8]) -> Option<usize>;
    /// Names of all files, with the folders before them.
    fn names(&self) -> Vec<&'static str>;
    fn code(&self, file: usize) -> IseqRef;
    fn text(&self, file: usize) -> Vec<u8>;
}

/// Where the library is.
#[derive(Clone)]
pub enum Library {
    Folder(String),
    Carried(&'static dyn Carried),
}

impl Library {
    pub fn folder(&self) -> &str {
        match self {
            Library::Folder(folder) => folder,
            Library::Carried(carried) => carried.folder(),
        }
    }

    fn carried(&self, path: &[u8]) -> Option<CarriedFile> {
        let Library::Carried(carried) = self else { return None };
        let name = path.strip_prefix(carried.folder().as_bytes())?.strip_prefix(b"/")?;
        Some(CarriedFile { library: *carried, number: carried.find(name)? })
    }
}

/// A file of the library that the executable carries.
#[derive(Clone, Copy)]
pub(super) struct CarriedFile {
    library: &'static dyn Carried,
    number: usize,
}

impl CarriedFile {
    /// By its whole path.
    pub(super) fn find(ec: &Ec, path: &[u8]) -> Option<CarriedFile> {
        lock(&state(ec).library).as_ref()?.carried(path)
    }

    pub(super) fn code(self) -> IseqRef {
        self.library.code(self.number)
    }

    pub(super) fn text(self) -> Vec<u8> {
        self.library.text(self.number)
    }
}

/// The library that the executable carries, for system calls, which know no VM. All VMs of a process carry the same one.
static CARRIED: OnceLock<&'static dyn Carried> = OnceLock::new();

pub(in crate::system) fn all_carried() -> Option<&'static dyn Carried> {
    CARRIED.get().copied()
}

/// Tells where Carat's own library is, and puts it at the end of `$LOAD_PATH`.
pub fn set_library(ec: &Ec, library: Library) {
    super::add_load_path(ec, library.folder(), false);
    if let Library::Carried(carried) = library {
        let _ = CARRIED.set(carried);
    }
    *lock(&state(ec).library) = Some(library);
}

/// Whether a file that was read is one of the library's that belong to the core.
pub(super) fn is_core_file(ec: &Ec, path: &str, source: &[u8]) -> bool {
    let is_in = |library: &Library| path.strip_prefix(library.folder()).is_some_and(|rest| rest.starts_with('/'));
    source.starts_with(CORE_MARK) && lock(&state(ec).library).as_ref().is_some_and(is_in)
}

/// The text of a file: the library's, or what lies on the disk.
pub(crate) fn text_of(ec: &Ec, path: &str) -> Option<Vec<u8>> {
    let carried = CarriedFile::find(ec, path.as_bytes());
    if carried.is_none() && ec.vm().config.denied.files {
        return None;
    }
    carried.map(CarriedFile::text).or_else(|| std::fs::read(carat_os::os_str(path.as_bytes())).ok())
}

/// Whether this is the folder in which the files seem to lie that the executable carries.
pub(super) fn is_folder(ec: &Ec, path: &[u8]) -> bool {
    matches!(&*lock(&state(ec).library), Some(Library::Carried(carried)) if carried.folder().as_bytes() == path)
}

/// Where the library would have a file of this name.
pub(super) fn path_of(ec: &Ec, name: &[u8]) -> Option<Vec<u8>> {
    lock(&state(ec).library).as_ref().map(|library| paths::expand_in(library.folder().as_bytes(), name))
}

/// Whether something can be loaded from the path, most likely.
pub(super) fn may_have(ec: &Ec, path: &[u8]) -> bool {
    CarriedFile::find(ec, path).is_some() || (!ec.vm().config.denied.files && paths::exists(path))
}
