//! Parts of files in memory.

use std::io::{Error, Result};
use std::ptr::NonNull;

/// A part of a file that is in memory as long as this lives.
///
/// # Invariants
/// Nothing here reads or writes the bytes: code in C does, and a file that somebody cuts short ends its process.
pub struct Mapping {
    bytes: NonNull<u8>,
    size: usize,
}

// SAFETY: an address that nothing here follows.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// What is stored there goes to the file if it is writable. The offset is a page's edge.
    pub fn new(fd: i32, offset: i64, size: usize, is_writable: bool) -> Result<Mapping> {
        let access = libc::PROT_READ | if is_writable { libc::PROT_WRITE } else { 0 };
        // SAFETY: a mapping at an address of the system's choice.
        let bytes = unsafe { libc::mmap(std::ptr::null_mut(), size, access, libc::MAP_SHARED, fd, offset) };
        match NonNull::new(bytes.cast::<u8>()) {
            Some(start) if bytes != libc::MAP_FAILED => Ok(Mapping { bytes: start, size }),
            _ => Err(Error::last_os_error()),
        }
    }

    pub fn address(&self) -> *mut u8 {
        self.bytes.as_ptr()
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: `new` mapped so many bytes there.
        unsafe { libc::munmap(self.bytes.as_ptr().cast(), self.size) };
    }
}
