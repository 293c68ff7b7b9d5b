//! Address space put by for the time when the system has no more to give.
//!
//! Allocation cannot fail in the middle of a native method, and only polls raise. So an allocation that the system
//! refuses gives up one chunk of the reserve and is tried again; the heap then asks for a collection, and the poll that
//! collects raises `NoMemoryError` unless the chunk can be had back. Two chunks let a program that rescues the error run
//! into it once more. A request larger than a chunk has to be asked for with a function that may fail.
//!
//! # Invariants
//! The chunks are the process's, as address space is: whoever allocates gives them up, any VM fills them again.

use std::alloc::{GlobalAlloc, Layout};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

/// Most that one chunk holds: an allocator takes memory from the system in steps of up to 32 MiB.
const CHUNK_BYTES: usize = 48 << 20;
/// Share of a limited address space that one chunk may take.
const SHARE: usize = 8;

static CHUNKS: [AtomicPtr<u8>; 2] = [const { AtomicPtr::new(ptr::null_mut()) }; 2];
static BYTES: AtomicUsize = AtomicUsize::new(0);
static SHORT: AtomicBool = AtomicBool::new(false);

/// Puts by what is missing; whether all of it is there now. Nothing is used: the chunks are addresses without memory.
pub fn fill() -> bool {
    let bytes = chunk_bytes();
    let is_full = CHUNKS.iter().all(|chunk| {
        if !chunk.load(Ordering::Acquire).is_null() {
            return true;
        }
        let Some(mapped) = crate::os::map_unusable(bytes) else { return false };
        if chunk.compare_exchange(ptr::null_mut(), mapped.as_ptr(), Ordering::AcqRel, Ordering::Relaxed).is_err() {
            // SAFETY: the mapping is fresh, and another thread's was put in its place.
            unsafe { crate::os::unmap(mapped, bytes) };
        }
        true
    });
    SHORT.store(false, Ordering::Release);
    is_full
}

/// VMs of the process, for whose sake there is a reserve.
static USERS: AtomicUsize = AtomicUsize::new(0);

/// A VM begins: its memory is put by.
pub fn enter() {
    USERS.fetch_add(1, Ordering::AcqRel);
    fill();
}

/// A VM has ended; the last one takes the reserve with it.
pub fn leave() {
    if USERS.fetch_sub(1, Ordering::AcqRel) == 1 {
        while give() {}
    }
}

/// The same at every call: chunks are unmapped as they were mapped.
fn chunk_bytes() -> usize {
    let known = BYTES.load(Ordering::Relaxed);
    if known != 0 {
        return known;
    }
    let limit = crate::os::address_space_limit().map_or(CHUNK_BYTES, |limit| limit / SHARE);
    let bytes = limit.min(CHUNK_BYTES) & !0xffff;
    match BYTES.compare_exchange(0, bytes.max(1 << 16), Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => bytes.max(1 << 16),
        Err(other) => other,
    }
}

/// Gives a chunk back to the system, after it refused something; false if there is none left.
#[cold]
pub fn give() -> bool {
    SHORT.store(true, Ordering::Release);
    CHUNKS.iter().any(|chunk| match NonNull::new(chunk.swap(ptr::null_mut(), Ordering::AcqRel)) {
        // SAFETY: `fill` mapped it, and nobody else has it any more.
        Some(mapped) => unsafe {
            crate::os::unmap(mapped, chunk_bytes());
            true
        },
        None => false,
    })
}

/// Runs something that needs much address space for a while, with the reserve's given up.
pub fn lend<R>(borrower: impl FnOnce() -> R) -> R {
    while give() {}
    let result = borrower();
    fill();
    result
}

/// Part of the reserve was given up since it was last filled, or not quite filled.
#[inline]
pub fn is_short() -> bool {
    SHORT.load(Ordering::Relaxed)
}

/// What `attempt` gets, once it does not fail; `None` when the reserve is used up.
pub(crate) fn insist<T>(attempt: impl Fn() -> Option<T>) -> Option<T> {
    loop {
        let got = attempt();
        if got.is_some() || !give() {
            return got;
        }
    }
}

/// An allocator that uses the reserve before it refuses.
pub struct Reserving<A>(pub A);

// SAFETY: memory and layouts are those of the allocator inside; a refused request is only repeated.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Reserving<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract.
        let memory = unsafe { self.0.alloc(layout) };
        // SAFETY: as above.
        if memory.is_null() { insisted(|| unsafe { self.0.alloc(layout) }, layout.size()) } else { memory }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract.
        let memory = unsafe { self.0.alloc_zeroed(layout) };
        // SAFETY: as above.
        if memory.is_null() { insisted(|| unsafe { self.0.alloc_zeroed(layout) }, layout.size()) } else { memory }
    }

    #[inline]
    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's contract; a refused request leaves the old memory as it was.
        let memory = unsafe { self.0.realloc(old, layout, size) };
        // SAFETY: as above.
        if memory.is_null() { insisted(|| unsafe { self.0.realloc(old, layout, size) }, size) } else { memory }
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract.
        unsafe { self.0.dealloc(memory, layout) };
    }
}

/// An allocator that knows how many bytes it handed out and did not get back, as they were asked for.
pub struct Counting<A> {
    inner: A,
    live: AtomicUsize,
}

impl<A> Counting<A> {
    pub const fn new(inner: A) -> Counting<A> {
        Counting { inner, live: AtomicUsize::new(0) }
    }

    pub fn live_bytes(&self) -> usize {
        self.live.load(Ordering::Relaxed)
    }

    fn count(&self, memory: *mut u8, bytes: usize) -> *mut u8 {
        if !memory.is_null() {
            self.live.fetch_add(bytes, Ordering::Relaxed);
        }
        memory
    }
}

// SAFETY: memory and layouts are those of the allocator inside.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Counting<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract.
        self.count(unsafe { self.inner.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract.
        self.count(unsafe { self.inner.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's contract.
        let memory = unsafe { self.inner.realloc(old, layout, size) };
        // The sum wraps around when something shrinks.
        self.count(memory, size.wrapping_sub(layout.size()))
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        self.live.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's contract.
        unsafe { self.inner.dealloc(memory, layout) };
    }
}

/// A request that a chunk cannot help is refused at once: `try_reserve` asks that way.
#[cold]
#[inline(never)]
fn insisted(attempt: impl Fn() -> *mut u8, bytes: usize) -> *mut u8 {
    while bytes <= chunk_bytes() && give() {
        let memory = attempt();
        if !memory.is_null() {
            return memory;
        }
    }
    ptr::null_mut()
}
