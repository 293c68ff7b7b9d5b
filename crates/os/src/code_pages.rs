//! Memory that the executable and its libraries take: their code and constants, which the system can read again from their
//! files at any time.
//!
//! The kernel counts a page of a file as this process's memory from the first time that it is touched, with its fifteen
//! neighbours, until the process ends: those of a boot, too, and of a parser that has read everything. Neighbours of another
//! mapping it leaves out, and code of which one function in eight runs has few pages whose neighbours are used. So mappings
//! are [cut](Cuts) where they are used.

use std::collections::BTreeSet;
use std::ffi::{CStr, c_int, c_void};
use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;

/// Bytes that the kernel maps together, aligned, and of the pieces that they are cut into.
const GROUP: usize = 64 << 10;
const PIECE: usize = 16 << 10;

/// The groups of pages whose mapping has been cut.
#[derive(Default)]
pub struct Cuts(BTreeSet<usize>);

impl Cuts {
    /// Cuts the group of an address, as far as it belongs to a mapping. Mappings that lie side by side are one unless their
    /// advice differs; this one says that a core dump needs no copy of what the file holds.
    fn cut(&mut self, address: usize, mapping: &Range<usize>) {
        let group = address / GROUP * GROUP;
        if self.0.insert(group) {
            for piece in (group + PIECE..group + GROUP).step_by(2 * PIECE) {
                if mapping.start <= piece && piece + PIECE <= mapping.end {
                    let start = std::ptr::with_exposed_provenance_mut(piece);
                    // SAFETY: what is in memory stays as it is.
                    unsafe { libc::madvise(start, PIECE, libc::MADV_DONTDUMP) };
                }
            }
        }
    }
}

/// Gives the pages of code and constants back to the system. Those that are used again return one by one, from its cache, and
/// with them fewer neighbours where the mapping is cut. What differs from the file, such as where a debugger stops, stays.
pub fn give_back(mut cuts: Option<&mut Cuts>) {
    let Ok(page_map) = File::open("/proc/self/pagemap") else { return };
    let mut parts: Vec<Range<usize>> = Vec::new();
    // SAFETY: `read_only_parts` is called during this call only, and gets the vector.
    unsafe { libc::dl_iterate_phdr(Some(read_only_parts), (&raw mut parts).cast()) };
    for part in parts {
        let mapping = pages_around(&part);
        let Ok(entries) = entries(&page_map, &mapping) else { continue };
        if let Some(cuts) = cuts.as_deref_mut() {
            let in_memory = entries.iter().enumerate().filter(|(_, entry)| entry.is_there && entry.is_of_file);
            in_memory.for_each(|(i, _)| cuts.cut(mapping.start + i * crate::page_bytes(), &mapping));
        }
        // SAFETY: nobody can write to these pages.
        unsafe { give_back_of_file(&mapping, &entries) };
    }
}

/// As [`give_back`], of some code of the executable alone.
pub fn give_back_code(code: Range<usize>) {
    let mapping = pages_around(&code);
    let entries = File::open("/proc/self/pagemap").and_then(|page_map| entries(&page_map, &mapping));
    if let Ok(entries) = entries {
        // SAFETY: nobody can write to code.
        unsafe { give_back_of_file(&mapping, &entries) };
    }
}

/// Gives pages back that are their file's, or not in memory.
///
/// # Safety
/// They are mapped from a file, and nobody can write to them.
unsafe fn give_back_of_file(mapping: &Range<usize>, entries: &[Entry]) {
    let page = crate::page_bytes();
    for same in runs_of_file(entries) {
        let start = std::ptr::with_exposed_provenance_mut(mapping.start + same.start * page);
        // SAFETY: the pages hold what the file holds, and are read from it again.
        unsafe { libc::madvise(start, same.len() * page, libc::MADV_DONTNEED) };
    }
}

fn pages_around(part: &Range<usize>) -> Range<usize> {
    let page = crate::page_bytes();
    part.start / page * page..part.end.next_multiple_of(page)
}

/// Maps the pages of some code at once, which takes less than when each is touched: code that will run from one end to the other.
pub fn fetch(code: Range<usize>) {
    let pages = pages_around(&code);
    let start = std::ptr::with_exposed_provenance_mut(pages.start);
    // SAFETY: pages that are there are read; of others an error says so, and whoever runs what lies there maps it himself.
    unsafe { libc::madvise(start, pages.len(), libc::MADV_POPULATE_READ) };
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

/// What the kernel says of a page.
struct Entry {
    is_there: bool,
    is_of_file: bool,
}

/// The entries of a mapping's pages.
fn entries(page_map: &File, mapping: &Range<usize>) -> std::io::Result<Vec<Entry>> {
    const IS_THERE: u64 = 0b11 << 62;
    const IS_OF_FILE: u64 = 1 << 61;
    let page = crate::page_bytes();
    let mut bytes = vec![0; mapping.len() / page * size_of::<u64>()];
    page_map.read_exact_at(&mut bytes, (mapping.start / page * size_of::<u64>()) as u64)?;
    let entries = bytes.as_chunks().0.iter().map(|bytes| u64::from_ne_bytes(*bytes));
    Ok(entries.map(|bits| Entry { is_there: bits & IS_THERE != 0, is_of_file: bits & IS_OF_FILE != 0 }).collect())
}

/// The runs of pages that are the file's, or not in memory.
fn runs_of_file(entries: &[Entry]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (page, entry) in entries.iter().enumerate() {
        if !entry.is_there || entry.is_of_file {
            match runs.last_mut() {
                Some(run) if run.end == page => run.end += 1,
                _ => runs.push(page..page + 1),
            }
        }
    }
    runs
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

    /// Reads a byte in the middle of the constants; its address, and how many bytes of its group are in memory then.
    fn touch_constants() -> (usize, usize) {
        let middle = &raw const std::hint::black_box(&CONSTANTS)[CONSTANTS.len() / 2];
        // SAFETY: a byte of the array.
        assert_eq!(unsafe { middle.read_volatile() }, 1);
        let group = middle.addr() / GROUP * GROUP;
        let pages = (group..group + GROUP).step_by(crate::page_bytes()).filter(|page| is_resident(*page));
        (middle.addr(), pages.count() * crate::page_bytes())
    }

    #[test]
    fn what_was_written_to_stays_and_the_rest_goes_and_returns_in_pieces() {
        let (page, code) = (crate::page_bytes(), (function as *const ()).addr());
        let changed = std::ptr::with_exposed_provenance_mut::<c_void>(code / page * page);
        let mut parts: Vec<Range<usize>> = Vec::new();
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
        let (middle, _) = touch_constants();
        assert!(is_resident(middle));
        give_back(Some(&mut Cuts::default()));
        assert!(is_resident(changed.addr()) && !is_resident(middle));
        let (_, piece) = touch_constants();
        assert!(is_resident(middle) && piece <= PIECE, "{piece}");
        let constants = (&raw const CONSTANTS).addr();
        let all = || (constants..constants + CONSTANTS.len()).step_by(page).all(is_resident);
        assert!(!all());
        fetch(constants..constants + CONSTANTS.len());
        assert!(all());
        give_back_code(constants..constants + CONSTANTS.len());
        assert!(!is_resident(middle) && is_resident(changed.addr()));
    }
}
