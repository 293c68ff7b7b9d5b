//! Counted memory outside the slots, for the contents of strings and arrays.
//!
//! # Layout
//! `BufHead` (count, capacity, and pointer and length of an only owner), then `capacity` bytes. Below
//! [`MAPPED_BYTES`] in all it comes from the global allocator; from there on it is a mapping of its own, which grows by
//! moving page tables instead of bytes.
//!
//! # Invariants
//! Who writes holds the only count. The capacity tells which kind a buffer is, so it never changes without its memory.

use crate::{Heap, reserve};
use carat_layout::BufHead;
use std::alloc::{Layout, alloc, dealloc, handle_alloc_error, realloc};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

const HEAD: usize = size_of::<BufHead>();
/// Buffers of this many bytes, head included, have a mapping of their own: copying 64 KiB costs more than `mremap`.
pub const MAPPED_BYTES: usize = 64 << 10;
const SYSTEM_PAGE: usize = 4096;
const ALIGN: usize = 16;

static GROWN: AtomicU64 = AtomicU64::new(0);
static MOVED: AtomicU64 = AtomicU64::new(0);
static COPIED_BYTES: AtomicU64 = AtomicU64::new(0);

/// What growing has cost in this process. Figures only: no behaviour depends on them.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counters {
    /// Buffers that were made larger.
    pub grown: u64,
    /// Those of them that changed their address.
    pub moved: u64,
    /// Bytes copied for it; mappings move without.
    pub copied_bytes: u64,
}

pub fn counters() -> Counters {
    let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    Counters { grown: read(&GROWN), moved: read(&MOVED), copied_bytes: read(&COPIED_BYTES) }
}

/// Bytes to ask for so that `capacity` fit behind the head, or `None` if no address space has them.
fn total_bytes(capacity: usize) -> Option<usize> {
    let total = capacity.checked_add(HEAD)?;
    let unit = if total < MAPPED_BYTES { ALIGN } else { SYSTEM_PAGE };
    total.checked_next_multiple_of(unit).filter(|total| *total <= isize::MAX as usize)
}

fn layout(total: usize) -> Layout {
    Layout::from_size_align(total, ALIGN).expect("total_bytes checked the size")
}

/// The reserve did not help either: a request that large should have been made with a function that may fail.
fn out_of_memory(capacity: usize) -> ! {
    handle_alloc_error(layout(total_bytes(capacity).unwrap_or(isize::MAX as usize - ALIGN)))
}

/// A buffer with a count of one for at least `capacity` bytes, which are not initialised.
pub fn allocate(capacity: usize) -> NonNull<BufHead> {
    reserve::insist(|| try_allocate(capacity)).unwrap_or_else(|| out_of_memory(capacity))
}

/// As [`allocate`], or `None` if there is not that much memory.
pub fn try_allocate(capacity: usize) -> Option<NonNull<BufHead>> {
    let total = total_bytes(capacity)?;
    let memory = if total < MAPPED_BYTES {
        // SAFETY: the layout is not empty.
        NonNull::new(unsafe { alloc(layout(total)) })
    } else {
        crate::os::map(total)
    };
    let buf = memory?.cast::<BufHead>();
    let head = BufHead { count: AtomicUsize::new(1), capacity: total - HEAD, ptr: ptr::null_mut(), len: 0 };
    // SAFETY: the memory is fresh and large enough for a head.
    unsafe { buf.write(head) };
    Some(buf)
}

/// Where the contents begin.
#[inline]
pub fn data(buf: NonNull<BufHead>) -> *mut u8 {
    buf.as_ptr().wrapping_add(1).cast()
}

/// Bytes behind the head.
///
/// # Safety
/// The caller holds a count.
#[inline]
pub unsafe fn capacity(buf: NonNull<BufHead>) -> usize {
    // SAFETY: the caller's count keeps the head alive.
    unsafe { buf.as_ref() }.capacity
}

/// [`owner`] of a buffer that was never shared.
pub const NO_OWNER: usize = 0;
/// [`owner`] of a buffer whose owner has died, or has taken another.
pub const OWNER_GONE: usize = 1;

/// The word in the head of a buffer held by views that names its owner: views keep pointer and length themselves.
///
/// # Safety
/// The caller holds a count, and the head's own pointer and length are not in use.
unsafe fn owner_word<'a>(buf: NonNull<BufHead>) -> &'a AtomicUsize {
    // SAFETY: the head is alive, and once there are several holders the word is touched atomically only.
    unsafe { AtomicUsize::from_ptr(&raw mut (*buf.as_ptr()).len) }
}

/// Address of the object that shared the buffer first, or one of the two constants.
///
/// # Safety
/// The caller is a view that holds a count.
pub unsafe fn owner(buf: NonNull<BufHead>) -> usize {
    // SAFETY: by contract.
    unsafe { owner_word(buf) }.load(Ordering::Relaxed)
}

/// How many objects refer to the buffer.
///
/// # Safety
/// The caller holds a count.
pub unsafe fn holders(buf: NonNull<BufHead>) -> usize {
    // SAFETY: the caller's count keeps the head alive.
    unsafe { buf.as_ref() }.count.load(Ordering::Relaxed)
}

/// Adds a count for a view of what `holder` has. Who shares a buffer that nobody else has is its owner from here on.
///
/// # Safety
/// `holder` is the address of a view that holds a count.
#[inline]
pub unsafe fn share(buf: NonNull<BufHead>, holder: usize) {
    // SAFETY: by contract.
    unsafe {
        if buf.as_ref().count.fetch_add(1, Ordering::Relaxed) == 1 {
            owner_word(buf).store(holder, Ordering::Relaxed);
        }
    }
}

/// To be called before a view gives up its count: if it is the owner, the buffer has none from here on.
///
/// # Safety
/// `holder` is the address of a view that holds a count.
#[inline]
pub unsafe fn disown(buf: NonNull<BufHead>, holder: usize) {
    // SAFETY: by contract.
    let owner = unsafe { owner_word(buf) };
    if owner.load(Ordering::Relaxed) == holder {
        owner.store(OWNER_GONE, Ordering::Relaxed);
    }
}

/// Adds a count.
///
/// # Safety
/// The caller holds a count.
#[inline]
pub unsafe fn retain(buf: NonNull<BufHead>) {
    // SAFETY: the caller's count keeps the head alive. A new reference needs no order: one exists already.
    unsafe { buf.as_ref() }.count.fetch_add(1, Ordering::Relaxed);
}

/// Gives up a count; the last one frees the buffer.
///
/// # Safety
/// The caller holds a count, and does not use the buffer through it again.
#[inline]
pub unsafe fn release(buf: NonNull<BufHead>) {
    // SAFETY: the caller's contract.
    unsafe { release_counting(buf) };
}

/// Gives up a count as [`release`] does, and says how many bytes that freed: none unless it was the last one.
///
/// # Safety
/// As for [`release`].
#[inline]
pub unsafe fn release_counting(buf: NonNull<BufHead>) -> usize {
    // SAFETY: the caller's count keeps the head alive. Release and acquire put all uses before the freeing.
    unsafe {
        let capacity = buf.as_ref().capacity;
        if buf.as_ref().count.fetch_sub(1, Ordering::Release) != 1 {
            return 0;
        }
        // A load and no fence: ThreadSanitizer does not know fences.
        buf.as_ref().count.load(Ordering::Acquire);
        free(buf);
        capacity
    }
}

/// # Safety
/// Nobody holds a count.
unsafe fn free(buf: NonNull<BufHead>) {
    // SAFETY: the caller's contract; the capacity tells size and kind of the memory.
    unsafe {
        let total = buf.as_ref().capacity + HEAD;
        if total < MAPPED_BYTES {
            dealloc(buf.as_ptr().cast(), layout(total));
        } else {
            crate::os::unmap(buf.cast(), total);
        }
    }
}

/// The caller's count is the only one, so it may write.
///
/// # Safety
/// The caller holds a count.
#[inline]
pub unsafe fn is_unique(buf: NonNull<BufHead>) -> bool {
    // SAFETY: the caller's count keeps the head alive.
    unsafe { buf.as_ref() }.count.load(Ordering::Acquire) == 1
}

/// Makes room for `capacity` bytes; contents are kept, the buffer may move, and the head's own pointer follows.
///
/// # Safety
/// The caller holds the only count, and forgets `buf` and pointers into it.
pub unsafe fn grow(buf: NonNull<BufHead>, capacity: usize) -> NonNull<BufHead> {
    // SAFETY: the caller's contract; a failed attempt leaves the buffer as it was.
    reserve::insist(|| unsafe { try_grow(buf, capacity) }).unwrap_or_else(|| out_of_memory(capacity))
}

/// As [`grow`], or `None`, with the buffer as it was, if there is not that much memory.
///
/// # Safety
/// As for [`grow`], if it succeeds.
pub unsafe fn try_grow(buf: NonNull<BufHead>, capacity: usize) -> Option<NonNull<BufHead>> {
    // SAFETY: the caller holds the only count.
    let old_total = unsafe { buf.as_ref() }.capacity + HEAD;
    let total = total_bytes(capacity)?;
    if total <= old_total {
        return Some(buf);
    }
    // SAFETY: the size is that of the buffer, and larger ones are asked for.
    let mut grown = unsafe { resize(buf, old_total, total) }?;
    let moved = grown != buf;
    GROWN.fetch_add(1, Ordering::Relaxed);
    MOVED.fetch_add(moved as u64, Ordering::Relaxed);
    COPIED_BYTES.fetch_add(if moved && old_total < MAPPED_BYTES { old_total as u64 } else { 0 }, Ordering::Relaxed);
    // SAFETY: the head was copied along and nobody else knows the buffer.
    let head = unsafe { grown.as_mut() };
    head.capacity = total - HEAD;
    if !head.ptr.is_null() {
        head.ptr = data(grown).wrapping_add(head.ptr.addr() - data(buf).addr());
    }
    Some(grown)
}

/// # Safety
/// `buf` has `old` bytes in all and one owner, who asks for `new`, which is more.
unsafe fn resize(buf: NonNull<BufHead>, old: usize, new: usize) -> Option<NonNull<BufHead>> {
    let memory = buf.cast::<u8>();
    if new < MAPPED_BYTES {
        // SAFETY: the buffer came from the global allocator with this layout.
        return NonNull::new(unsafe { realloc(memory.as_ptr(), layout(old), new) }).map(NonNull::cast);
    }
    if old >= MAPPED_BYTES {
        // SAFETY: the buffer is a mapping of this size.
        return unsafe { crate::os::remap(memory, old, new) }.map(NonNull::cast);
    }
    let mapped = crate::os::map(new)?;
    // SAFETY: both are that long and apart; the old one is the caller's alone.
    unsafe {
        mapped.copy_from_nonoverlapping(memory, old);
        dealloc(memory.as_ptr(), layout(old));
    }
    Some(mapped.cast())
}

/// Buffers whose capacity counts towards the next collection, from the time they are made until the last count is given
/// up. If another heap does that, its books fall by what ours keep: the sum over all heaps stays right.
impl Heap {
    /// As [`allocate`].
    pub fn allocate_buffer(&self, capacity: usize) -> NonNull<BufHead> {
        let buf = allocate(capacity);
        // SAFETY: the count is ours.
        self.account(unsafe { self::capacity(buf) } as isize);
        buf
    }

    /// As [`grow`].
    ///
    /// # Safety
    /// As for [`grow`].
    pub unsafe fn grow_buffer(&self, buf: NonNull<BufHead>, capacity: usize) -> NonNull<BufHead> {
        // SAFETY: the caller's contract.
        let (before, grown) = unsafe { (self::capacity(buf), grow(buf, capacity)) };
        // SAFETY: as above.
        self.account(unsafe { self::capacity(grown) } as isize - before as isize);
        grown
    }

    /// As [`release`].
    ///
    /// # Safety
    /// As for [`release`].
    pub unsafe fn release_buffer(&self, buf: NonNull<BufHead>) {
        // SAFETY: the caller's contract.
        self.account(-(unsafe { release_counting(buf) } as isize));
    }
}

#[cfg(test)]
mod tests;
