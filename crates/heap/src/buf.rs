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
use std::collections::HashMap;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicUsize, Ordering};

const HEAD: usize = size_of::<BufHead>();
/// Buffers of this many bytes, head included, have a mapping of their own, which grows without copying. The system makes and clears
/// its pages anew each time, which costs twice what the allocator takes that uses memory again.
pub const MAPPED_BYTES: usize = 256 << 10;
const SYSTEM_PAGE: usize = 4096;
const ALIGN: usize = 16;

/// What growing and writing to shared buffers has cost. Figures only: no behaviour depends on them.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counters {
    /// Contents that needed a larger buffer, or their first one.
    pub grown: u64,
    /// Those of them that changed their address.
    pub moved: u64,
    /// Shared buffers that somebody copied in order to write.
    pub copied_on_write: u64,
    /// Small views that a collection gave a buffer of their own.
    pub unshared: u64,
    /// Bytes copied for all of these; mappings move without.
    pub copied_bytes: u64,
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

/// Whether a buffer of this capacity is a mapping of its own. Smaller ones are memory of the allocator.
pub fn is_mapped(capacity: usize) -> bool {
    capacity + HEAD >= MAPPED_BYTES
}

/// In place of the head's pointer: the object that the buffer was made for has died or has taken another.
const OWNER_GONE: *mut u8 = ptr::without_provenance_mut(1);

/// An object keeps its pointer and length in the head, which otherwise says how many bytes are in use.
fn holds_window(head: &BufHead) -> bool {
    head.ptr.addr() > OWNER_GONE.addr()
}

/// How many objects refer to the buffer.
///
/// # Safety
/// The caller holds a count.
pub unsafe fn holders(buf: NonNull<BufHead>) -> usize {
    // SAFETY: the caller's count keeps the head alive.
    unsafe { buf.as_ref() }.count.load(Ordering::Relaxed)
}

/// Whether only slices are left of those that refer to the buffer.
///
/// # Safety
/// The caller holds a count.
pub unsafe fn is_owner_gone(buf: NonNull<BufHead>) -> bool {
    // SAFETY: by contract.
    unsafe { buf.as_ref() }.ptr == OWNER_GONE
}

/// To be called before the object that the buffer was made for gives up its count: slices may stay.
///
/// # Safety
/// The caller holds that object's count, and does not use the head's pointer and length again.
#[inline]
pub unsafe fn disown(buf: NonNull<BufHead>) {
    // SAFETY: by contract.
    unsafe {
        if holds_window(buf.as_ref()) {
            (*buf.as_ptr()).len = usize::MAX;
        }
        (*buf.as_ptr()).ptr = OWNER_GONE;
    }
}

/// To be called when a slice becomes the only object that refers to the buffer, and more than a slice of it.
///
/// # Safety
/// The caller holds the only count, and keeps its pointer and length itself.
#[inline]
pub unsafe fn adopt(buf: NonNull<BufHead>) {
    // SAFETY: by contract.
    unsafe {
        (*buf.as_ptr()).ptr = ptr::null_mut();
        (*buf.as_ptr()).len = usize::MAX;
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
        let capacity = buf.as_ref().capacity;
        let total = capacity + HEAD;
        if is_mapped(capacity) {
            crate::os::unmap(buf.cast(), total);
        } else {
            dealloc(buf.as_ptr().cast(), layout(total));
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

/// Whether the bytes up to an offset are known to be in use, so that nobody writes them while the buffer is shared.
///
/// # Safety
/// The caller holds a count.
pub unsafe fn is_used_to(buf: NonNull<BufHead>, end: usize) -> bool {
    // SAFETY: the count keeps the head alive.
    let head = unsafe { buf.as_ref() };
    !holds_window(head) && head.len >= end
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
    // SAFETY: the head was copied along and nobody else knows the buffer.
    let head = unsafe { grown.as_mut() };
    head.capacity = total - HEAD;
    if holds_window(head) {
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

/// What an object shows of a buffer of which it holds a count.
pub struct Window {
    pub buf: NonNull<BufHead>,
    pub start: *const u8,
    pub bytes: usize,
}

/// How many live objects the verifier has found to refer to each buffer. Native code and dead objects may hold more counts.
#[derive(Default)]
pub(crate) struct Holders(HashMap<NonNull<BufHead>, usize>);

impl Holders {
    /// A live object's window. `Ok(false)` if there was no memory to count it.
    pub(crate) fn add(&mut self, window: &Window) -> Result<bool, String> {
        let buf = window.buf;
        // SAFETY: the object holds a count.
        let (count, capacity) = unsafe { (holders(buf), self::capacity(buf)) };
        let first = data(buf).addr();
        if window.start.addr() < first || window.start.addr() + window.bytes > first + capacity {
            return Err(format!("shows {} bytes at {:?} of {buf:?}, which has {capacity}", window.bytes, window.start));
        }
        if self.0.try_reserve(1).is_err() {
            return Ok(false);
        }
        let found = self.0.entry(buf).or_default();
        *found += 1;
        if *found > count {
            Err(format!("is one of {found} that refer to {buf:?}, which counts {count}"))
        } else {
            Ok(true)
        }
    }
}

/// Buffers whose capacity counts towards the next collection, from the time they are made until the last count is given
/// up. If another heap does that, its books fall by what ours keep: the sum over all heaps stays right.
///
/// As long as no other thread has a heap that objects come from or go to, counts change without atomic operations.
impl Heap {
    /// As [`allocate`].
    #[inline]
    pub fn allocate_buffer(&self, capacity: usize) -> NonNull<BufHead> {
        let buf = allocate(capacity);
        // SAFETY: the count is ours.
        self.account(unsafe { self::capacity(buf) } as isize);
        buf
    }

    /// Counts in a buffer that was made outside of any heap.
    ///
    /// # Safety
    /// The caller holds its only count.
    pub unsafe fn take_in(&self, buf: NonNull<BufHead>) {
        // SAFETY: the caller's contract.
        self.account(unsafe { self::capacity(buf) } as isize);
    }

    /// As [`retain`], for a second object that shows some of the first `end` bytes, which are those in use if nobody shares
    /// the buffer yet.
    ///
    /// # Safety
    /// As for [`retain`]; what the object that holds the count shows ends there.
    #[inline]
    pub unsafe fn retain_buffer(&self, buf: NonNull<BufHead>, end: usize) {
        // SAFETY: the caller's contract.
        unsafe {
            if self.is_shared() {
                return retain(buf);
            }
            if is_unique(buf) && !holds_window(buf.as_ref()) {
                (*buf.as_ptr()).len = end;
            }
            self.change_alone(buf, 1);
        }
    }

    /// Adds a count for an object that shows `added` bytes more than one that ends at `end`: those behind it, which the
    /// caller then writes. `false`, and no count, if they are in use by others, or there is no such room.
    ///
    /// Other Ractors may be about to do the same, so this is for programs that never had any.
    ///
    /// # Safety
    /// The caller holds the count of an object whose contents end there.
    pub unsafe fn extend_buffer(&self, buf: NonNull<BufHead>, end: usize, added: usize) -> bool {
        // SAFETY: the caller's contract.
        unsafe {
            if self.was_shared() || holds_window(buf.as_ref()) || capacity(buf) - end < added {
                return false;
            }
            let is_free = is_unique(buf) || buf.as_ref().len == end;
            if is_free {
                (*buf.as_ptr()).len = end + added;
                self.change_alone(buf, 1);
            }
            is_free
        }
    }

    /// # Safety
    /// The caller holds a count, and no other thread uses the buffer.
    #[inline]
    unsafe fn change_alone(&self, buf: NonNull<BufHead>, by: isize) {
        // SAFETY: the caller's contract.
        let count = &unsafe { buf.as_ref() }.count;
        count.store(count.load(Ordering::Relaxed).wrapping_add_signed(by), Ordering::Relaxed);
    }

    /// As [`grow`].
    ///
    /// # Safety
    /// As for [`grow`].
    pub unsafe fn grow_buffer(&self, buf: NonNull<BufHead>, capacity: usize) -> NonNull<BufHead> {
        // SAFETY: the caller's contract.
        let (before, grown) = unsafe { (self::capacity(buf), grow(buf, capacity)) };
        // SAFETY: as above.
        let growth = unsafe { self::capacity(grown) } as isize - before as isize;
        if growth > 0 {
            self.account(growth);
            let (moved, is_mapped) = (grown != buf, before + HEAD >= MAPPED_BYTES);
            self.count(|c| {
                c.grown += 1;
                c.moved += u64::from(moved);
                c.copied_bytes += if moved && !is_mapped { before as u64 } else { 0 };
            });
        }
        grown
    }

    /// As [`release`].
    ///
    /// # Safety
    /// As for [`release`].
    #[inline]
    pub unsafe fn release_buffer(&self, buf: NonNull<BufHead>) {
        // SAFETY: the caller's contract.
        unsafe {
            if !self.is_shared() && buf.as_ref().count.load(Ordering::Relaxed) > 1 {
                return self.change_alone(buf, -1);
            }
            self.account(-(release_counting(buf) as isize));
        }
    }

    /// Notes that a writer copied `bytes` of a buffer to one of its own: because the buffer is shared, or, if it is not,
    /// because what is left of it behind the contents is too little.
    ///
    /// # Safety
    /// The caller holds a count.
    pub unsafe fn count_copy(&self, buf: NonNull<BufHead>, bytes: usize) {
        // SAFETY: the caller's contract.
        let is_unique = unsafe { is_unique(buf) };
        self.count(|c| {
            c.grown += u64::from(is_unique);
            c.moved += u64::from(is_unique);
            c.copied_on_write += u64::from(!is_unique);
            c.copied_bytes += bytes as u64;
        });
    }

    /// Notes that contents of `bytes` left a slot for a buffer.
    pub fn count_leaving_slot(&self, bytes: usize) {
        self.count(|c| {
            c.grown += 1;
            c.moved += 1;
            c.copied_bytes += bytes as u64;
        });
    }

    /// Notes that a collection copied `bytes` so that a view lets go of a large buffer.
    pub fn count_unsharing(&self, bytes: usize) {
        self.count(|c| {
            c.unshared += 1;
            c.copied_bytes += bytes as u64;
        });
    }
}

#[cfg(test)]
mod tests;
