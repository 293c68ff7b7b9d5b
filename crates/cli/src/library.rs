//! Where the standard library comes from.

use carat_builtins::program::{self, Library};
use carat_library::File;

/// The folder that `CARAT_LIB` names, or what the executable carries.
pub(crate) fn find() -> Library {
    let named = std::env::var("CARAT_LIB").ok().filter(|folder| !folder.is_empty());
    match named {
        Some(folder) => Library::Folder(program::real_path(&folder)),
        None => Library::Carried(&Carried),
    }
}

/// `lib` as it was when the executable was built.
struct Carried;

impl program::Carried for Carried {
    fn folder(&self) -> &'static str {
        carat_library::FOLDER
    }

    fn find(&self, name: &[u8]) -> Option<usize> {
        File::find(name).map(|file| file.number)
    }

    fn names(&self) -> Vec<&'static str> {
        File::all().map(File::name).collect()
    }

    fn code(&self, number: usize) -> carat_iseq::IseqRef {
        File { number }.code()
    }

    fn text(&self, number: usize) -> Vec<u8> {
        File { number }.text()
    }
}
