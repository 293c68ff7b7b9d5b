//! The executables' allocator, mimalloc, and what it is set to.

use libmimalloc_sys::{
    mi_free, mi_malloc, mi_malloc_aligned, mi_realloc, mi_realloc_aligned, mi_zalloc, mi_zalloc_aligned,
};
use std::alloc::{GlobalAlloc, Layout};
use std::ffi::{c_int, c_long};

/// mimalloc, asked for an alignment only where its blocks have not got it anyway. Where it is asked, it takes a block that is
/// larger by the alignment, unless the size is a power of two: of 80 bytes at a multiple of 8 it makes 96.
pub struct Mimalloc;

/// Every block whose size is at least this is aligned so.
const ALIGNED: usize = 16;

fn is_aligned_anyway(alignment: usize, size: usize) -> bool {
    alignment <= ALIGNED && alignment <= size
}

// SAFETY: mimalloc is an allocator, and a block that it was not asked to align is aligned to its size, or to `ALIGNED` bytes.
unsafe impl GlobalAlloc for Mimalloc {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: functions that take any size and any alignment of a layout.
        unsafe {
            match is_aligned_anyway(layout.align(), layout.size()) {
                true => mi_malloc(layout.size()).cast(),
                false => mi_malloc_aligned(layout.size(), layout.align()).cast(),
            }
        }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as in `alloc`.
        unsafe {
            match is_aligned_anyway(layout.align(), layout.size()) {
                true => mi_zalloc(layout.size()).cast(),
                false => mi_zalloc_aligned(layout.size(), layout.align()).cast(),
            }
        }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, _: Layout) {
        // SAFETY: the caller's: a block from here.
        unsafe { mi_free(block.cast()) };
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's: a block from here; the rest as in `alloc`.
        unsafe {
            match is_aligned_anyway(layout.align(), size) {
                true => mi_realloc(block.cast(), size).cast(),
                false => mi_realloc_aligned(block.cast(), size, layout.align()).cast(),
            }
        }
    }
}

unsafe extern "C" {
    fn mi_option_set(option: c_int, value: c_long);
    #[cfg(test)]
    fn mi_option_get(option: c_int) -> c_long;
    #[cfg(test)]
    fn mi_usable_size(block: *const std::ffi::c_void) -> usize;
    #[cfg(test)]
    fn mi_good_size(size: usize) -> usize;
}

/// `mi_option_purge_delay` of mimalloc's header, which the package does not name.
const PURGE_DELAY: c_int = 15;

/// After so long what nobody uses goes back to the system. mimalloc itself waits a second, in which a program that parses,
/// transforms and prints has come to its end and its peak.
const PURGE_DELAY_MILLISECONDS: c_long = 10;

/// Sets the allocator up, for the process as a whole, unless the environment says otherwise. To be called once, at its start.
pub fn prepare_allocator() {
    if std::env::var_os("MIMALLOC_PURGE_DELAY").is_some() {
        return;
    }
    // SAFETY: a setting of the library's own, of a number that it has.
    unsafe { mi_option_set(PURGE_DELAY, PURGE_DELAY_MILLISECONDS) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_aligned_and_no_larger_than_they_must_be() {
        for align in [1, 2, 4, 8, 16, 32, 64, 4096] {
            for size in (1..2100).chain([2560, 4000, 8192, 28_672, 100_000]) {
                let layout = Layout::from_size_align(size, align).unwrap();
                // SAFETY: blocks from here, of that layout, given back once.
                unsafe {
                    let (block, zeros) = (Mimalloc.alloc(layout), Mimalloc.alloc_zeroed(layout));
                    assert!(
                        block.addr().is_multiple_of(align) && zeros.addr().is_multiple_of(align),
                        "{size} at {align}"
                    );
                    assert!(std::slice::from_raw_parts(zeros, size).iter().all(|byte| *byte == 0));
                    let fits = align > 8 || mi_usable_size(block.cast()) == mi_good_size(size);
                    assert!(fits || size < align, "{size} at {align}");
                    block.write_bytes(7, size);
                    let longer = Mimalloc.realloc(block, layout, 2 * size + 1);
                    assert!(longer.addr().is_multiple_of(align), "{size} at {align}, made longer");
                    assert!(std::slice::from_raw_parts(longer, size).iter().all(|byte| *byte == 7));
                    Mimalloc.dealloc(longer, Layout::from_size_align(2 * size + 1, align).unwrap());
                    Mimalloc.dealloc(zeros, layout);
                }
            }
        }
    }

    #[test]
    fn the_delay_has_mimallocs_number() {
        // SAFETY: as above.
        let get = |option| unsafe { mi_option_get(option) };
        assert_eq!(get(PURGE_DELAY), 1000, "mimalloc's default: another option has this number now");
        prepare_allocator();
        assert_eq!(get(PURGE_DELAY), PURGE_DELAY_MILLISECONDS);
    }
}
