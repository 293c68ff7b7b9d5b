//! Address space from the system.

use std::ptr::NonNull;
use std::time::Duration;

/// Maps `bytes` of zeroes, or `None` if the system refuses.
pub(crate) fn map(bytes: usize) -> Option<NonNull<u8>> {
    map_with(bytes, libc::PROT_READ | libc::PROT_WRITE, 0)
}

/// Takes `bytes` of address space that nothing can use.
pub(crate) fn map_unusable(bytes: usize) -> Option<NonNull<u8>> {
    map_with(bytes, libc::PROT_NONE, libc::MAP_NORESERVE)
}

fn map_with(bytes: usize, protection: i32, flags: i32) -> Option<NonNull<u8>> {
    let flags = flags | libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: an anonymous mapping at an address of the system's choice touches no existing memory.
    let base = unsafe { libc::mmap(std::ptr::null_mut(), bytes, protection, flags, -1, 0) };
    if base == libc::MAP_FAILED { None } else { NonNull::new(base.cast()) }
}

/// The bytes of address space that the process may have (`ulimit -v`), if they are limited.
pub fn address_space_limit() -> Option<usize> {
    let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: the system fills the struct, or leaves it as it is.
    unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut limit) };
    (limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur as usize)
}

/// Maps `bytes` of zeroes aligned to `bytes`, a power of two: twice as much address space, and cuts off the rest.
pub(crate) fn map_aligned(bytes: usize) -> Option<NonNull<u8>> {
    let whole = map(bytes * 2)?;
    let before = whole.as_ptr().addr().next_multiple_of(bytes) - whole.as_ptr().addr();
    // SAFETY: head, middle and tail partition the fresh mapping; head and tail are unused.
    unsafe {
        let middle = whole.add(before);
        unmap(whole, before);
        unmap(middle.add(bytes), bytes - before);
        Some(middle)
    }
}

/// Says whether huge pages may back the range. Without the advice a system set to use them always would give a program
/// that needs ten slots two megabytes.
///
/// # Safety
/// The range is a mapping.
pub(crate) unsafe fn advise_huge(base: NonNull<u8>, bytes: usize, huge: bool) {
    #[cfg(target_os = "linux")]
    // SAFETY: advice changes no contents; a system without huge pages refuses it, which is fine.
    unsafe {
        libc::madvise(base.as_ptr().cast(), bytes, if huge { libc::MADV_HUGEPAGE } else { libc::MADV_NOHUGEPAGE });
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (base, bytes, huge);
}

/// # Safety
/// The range is (part of) a mapping that nothing uses any more.
pub(crate) unsafe fn unmap(base: NonNull<u8>, bytes: usize) {
    if bytes != 0 {
        // SAFETY: the caller's contract.
        unsafe { libc::munmap(base.as_ptr().cast(), bytes) };
    }
}

/// Gives memory back but keeps the address space; it reads as zeroes afterwards.
///
/// # Safety
/// The range is part of an anonymous mapping whose contents are no longer needed.
pub(crate) unsafe fn discard(base: *mut u8, bytes: usize) {
    // SAFETY: the caller's contract.
    unsafe { libc::madvise(base.cast(), bytes, libc::MADV_DONTNEED) };
}

/// Gives back the memory of bytes that nobody reads again: what lies in whole pages, which reads as zeroes or as in the beginning
/// afterwards.
pub fn discard_spent(bytes: &mut [u8]) {
    // The largest there are; the system rounds a length up to its own.
    const SYSTEM_PAGE: usize = 64 << 10;
    let start = bytes.as_ptr().align_offset(SYSTEM_PAGE);
    let whole = bytes.len().saturating_sub(start) & !(SYSTEM_PAGE - 1);
    if whole > 0 {
        let pages = &mut bytes[start..start + whole];
        // SAFETY: the bytes are borrowed for writing, and any byte is one.
        unsafe { libc::madvise(pages.as_mut_ptr().cast(), whole, libc::MADV_DONTNEED) };
    }
}

/// Makes a mapping larger; it may move.
///
/// # Safety
/// The range is a whole mapping that only the caller knows.
#[cfg(target_os = "linux")]
pub(crate) unsafe fn remap(base: NonNull<u8>, old: usize, new: usize) -> Option<NonNull<u8>> {
    // SAFETY: the caller's contract.
    let moved = unsafe { libc::mremap(base.as_ptr().cast(), old, new, libc::MREMAP_MAYMOVE) };
    if moved == libc::MAP_FAILED { None } else { NonNull::new(moved.cast()) }
}

/// Makes a mapping larger; it may move.
///
/// # Safety
/// The range is a whole mapping that only the caller knows.
#[cfg(not(target_os = "linux"))]
pub(crate) unsafe fn remap(base: NonNull<u8>, old: usize, new: usize) -> Option<NonNull<u8>> {
    let moved = map(new)?;
    // SAFETY: the new mapping is fresh and longer.
    unsafe {
        moved.copy_from_nonoverlapping(base, old);
        unmap(base, old);
    }
    Some(moved)
}

/// Processor time that this thread has used: what a collection costs, however busy the machine is.
pub fn thread_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the argument is valid for writing.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
