//! Memory that the executable and its libraries take: their code and constants, which the system can read again from their
//! files at any time.
//!
//! The kernel counts a page of a file as this process's memory from the first time that it is touched, with its fifteen
//! neighbours, until the process ends: those of a boot, too, and of a parser that has read everything.

use std::ffi::{CStr, c_int, c_void};
use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;

/// Gives the pages of code and constants back to the system. Those that are used again return one by one, from its cache. What
/// differs from the file, such as where a debugger stops, stays.
pub fn give_back() {
    let Ok(page_map) = File::open("/proc/self/pagemap") else { return };
    let mut parts: Vec<Range<usize>> = Vec::new();
    // SAFETY: `read_only_parts` is called during this call only, and gets the vector.
    unsafe { libc::dl_iterate_phdr(Some(read_only_parts), (&raw mut parts).cast()) };
    let page = crate::page_bytes();
    for part in parts {
        let pages = part.start / page..part.end.div_ceil(page);
        for same in pages_of_file(&page_map, pages).unwrap_or_default() {
            let start = std::ptr::with_exposed_provenance_mut(same.start * page);
            // SAFETY: nobody can write to these pages, and they hold what the file holds.
            unsafe { libc::madvise(start, same.len() * page, libc::MADV_DONTNEED) };
        }
    }
}

/// Adds the parts of an object that nobody may write to. The executable has no name, the kernel's own object no path.
unsafe extern "C" fn read_only_parts(object: *mut libc::dl_phdr_info, _: usize, parts: *mut c_void) -> c_int {
    // SAFETY: what `give_back` and the loader pass lives during the call.
    let (object, parts) = unsafe { (&*object, &mut *parts.cast::<Vec<Range<usize>>>()) };
    // SAFETY: as above.
    let (name, headers) = unsafe {
        (CStr::from_ptr(object.dlpi_name), std::slice::from_raw_parts(object.dlpi_phdr, object.dlpi_phnum.into()))
    };
    if name.is_empty() || name.to_bytes().starts_with(b"/") {
        let is_read_only =
            |header: &&libc::Elf64_Phdr| header.p_type == libc::PT_LOAD && header.p_flags & libc::PF_W == 0;
        for header in headers.iter().filter(is_read_only) {
            let start = (object.dlpi_addr + header.p_vaddr) as usize;
            parts.push(start..start + header.p_memsz as usize);
        }
    }
    0
}

/// Of pages by number, the runs of those that are the file's, or not in memory.
fn pages_of_file(page_map: &File, pages: Range<usize>) -> std::io::Result<Vec<Range<usize>>> {
    const IS_THERE: u64 = 0b11 << 62;
    const IS_OF_FILE: u64 = 1 << 61;
    let mut entries = vec![0; pages.len() * size_of::<u64>()];
    page_map.read_exact_at(&mut entries, (pages.start * size_of::<u64>()) as u64)?;
    let entries = entries.as_chunks().0.iter().map(|bytes| u64::from_ne_bytes(*bytes));
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (page, entry) in pages.zip(entries) {
        if entry & IS_THERE == 0 || entry & IS_OF_FILE != 0 {
            match runs.last_mut() {
                Some(run) if run.end == page => run.end += 1,
                _ => runs.push(page..page + 1),
            }
        }
    }
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Constants that a page of nobody else's lies within, neighbours included.
    static CONSTANTS: [u8; 256 << 10] = [1; 256 << 10];

    extern "C" fn function() {}

    fn is_resident(address: usize) -> bool {
        let (page, mut entry) = (crate::page_bytes(), [0; 8]);
        let page_map = File::open("/proc/self/pagemap").unwrap();
        page_map.read_exact_at(&mut entry, (address / page * 8) as u64).unwrap();
        u64::from_ne_bytes(entry) >> 63 != 0
    }

    #[test]
    fn what_was_written_to_stays_and_the_rest_goes() {
        let (page, code) = (crate::page_bytes(), (function as *const ()).addr());
        let changed = std::ptr::with_exposed_provenance_mut::<c_void>(code / page * page);
        let (mut parts, passed) = (Vec::<Range<usize>>::new(), std::hint::black_box(&CONSTANTS));
        // SAFETY: as above.
        unsafe { libc::dl_iterate_phdr(Some(read_only_parts), (&raw mut parts).cast()) };
        assert!(parts.iter().any(|part| part.contains(&code)));
        // SAFETY: the page's own first byte is stored once more, which makes the page the process's own, as a debugger does.
        unsafe {
            assert_eq!(libc::mprotect(changed, page, libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC), 0);
            let byte = changed.cast::<u8>();
            byte.write_volatile(byte.read_volatile());
            assert_eq!(libc::mprotect(changed, page, libc::PROT_READ | libc::PROT_EXEC), 0);
        }
        let middle = &raw const passed[CONSTANTS.len() / 2];
        // SAFETY: a byte of the array.
        assert_eq!(unsafe { middle.read_volatile() }, 1);
        assert!(is_resident(middle.addr()));
        give_back();
        assert!(is_resident(changed.addr()) && !is_resident(middle.addr()));
        // SAFETY: as above.
        assert_eq!(unsafe { middle.read_volatile() }, 1);
    }
}
