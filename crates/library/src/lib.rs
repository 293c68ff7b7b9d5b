//! The standard library, `lib/**/*.rb`, inside the executable: compiled when it is built, with its text for messages.
//!
//! A file that is loaded from here is neither read nor parsed. Its path is below [`FOLDER`], where nothing lies on the disk.
//! An edit of `lib` recompiles this crate alone.
#![forbid(unsafe_code)]

use carat_iseq::{IseqRef, Packed, Unit};
use flate2::read::DeflateDecoder;
use std::io::Read;

/// A file. What it has ends here, and begins where the one before it ends; without pointers, which a start would relocate.
struct Entry {
    name_end: u32,
    code: u32,
    text_end: u32,
}

include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// A file of the build as a static of its own, so that the linker script can name it.
macro_rules! embedded {
    ($name:ident, $file:literal) => {
        static $name: [u8; include_bytes!(concat!(env!("OUT_DIR"), $file)).len()] =
            *include_bytes!(concat!(env!("OUT_DIR"), $file));
    };
}

embedded!(TEXTS, "/library.texts");
embedded!(CODE, "/library.code");
embedded!(CODE_NAMES, "/library.names");
static PACKED: Packed<'static> = Packed::embedded([&CODE, &CODE_NAMES, &[], &[]]);

/// A file of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File {
    pub number: usize,
}

impl File {
    /// By its name below the folder: `json/common.rb`.
    pub fn find(name: &[u8]) -> Option<File> {
        File::all().find(|file| file.name().as_bytes() == name)
    }

    pub fn all() -> impl Iterator<Item = File> {
        (0..ENTRIES.len()).map(|number| File { number })
    }

    fn before(self) -> Option<&'static Entry> {
        self.number.checked_sub(1).map(|index| &ENTRIES[index])
    }

    pub fn name(self) -> &'static str {
        let start = self.before().map_or(0, |entry| entry.name_end);
        &NAMES[start as usize..ENTRIES[self.number].name_end as usize]
    }

    pub fn path(self) -> String {
        format!("{FOLDER}/{}", self.name())
    }

    pub fn code(self) -> IseqRef {
        IseqRef::packed(Unit::embedded(&self.path(), PACKED), ENTRIES[self.number].code)
    }

    pub fn text(self) -> Vec<u8> {
        let start = self.before().map_or(0, |entry| entry.text_end);
        let mut text = Vec::new();
        let packed = &TEXTS[start as usize..ENTRIES[self.number].text_end as usize];
        DeflateDecoder::new(packed).read_to_end(&mut text).expect("the build compressed it");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_found_with_its_text() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lib");
        assert!(File::all().count() > 200);
        for file in File::all() {
            assert_eq!(File::find(file.name().as_bytes()), Some(file));
            assert_eq!(file.text(), std::fs::read(folder.join(file.name())).unwrap(), "{}", file.name());
        }
        assert_eq!(File::find(b"json"), None);
        assert_eq!(File::find(b""), None);
    }
}
