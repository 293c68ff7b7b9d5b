//! Stacks: address space reserved once, committed by the system as frames reach it, and kept for the next thread or fiber.
//!
//! # Layout
//! A thread has a mapping for its VM stack; its native stack is the system's. A fiber has one mapping for both:
//! ```text
//! guard | native stack, growing down <- | -> VM stack, growing up
//! ```
//! What a fiber touches first of the two lies side by side, so that a small fiber commits few pages and one page table.
//!
//! # Spare stacks
//! Those given back last are used first, as they were left. Of all others only what nearly every fiber touches stays
//! committed, and those that no fiber needed from one full collection to the next are unmapped.

use carat_layout::Value;
use corosensei::stack::valgrind::ValgrindStackRegistration;
use corosensei::stack::{Stack, StackPointer};
use std::io::{Error, Result};
use std::mem::ManuallyDrop;

/// Words of a stack kept free above the limits, for the header and registers of natives and the handling of overflow.
const RESERVE_WORDS: usize = 4096 + RESERVE_FOR_FRAME;
/// So much of that is for the last frame that begins below the limit: machine code does not look where a smaller one ends.
pub(crate) const RESERVE_FOR_FRAME: usize = 256;

/// How large a stack is.
#[derive(Clone, Copy)]
pub(crate) struct StackSize {
    /// Bytes that frames may begin in.
    frames: usize,
    /// Bytes above that arguments alone may reach into: `f(*array)` puts the elements there.
    arguments: usize,
}

impl StackSize {
    /// Frames take about 16 words, so this is depth for some 16,000 calls, CRuby's order. What recurses without end takes
    /// memory for each level, often more with each: a deeper stack makes it run out of that.
    pub(crate) const THREAD: StackSize = StackSize { frames: 2 << 20, arguments: 9 << 20 };
    const FIBER: StackSize = StackSize { frames: 1 << 20, arguments: 1 << 20 };

    const fn bytes(self) -> usize {
        self.frames + self.arguments
    }
}

/// Address space of a fiber's native stack.
pub(crate) const FIBER_NATIVE_BYTES: usize = 512 << 10;
/// What runs over the end of a native stack faults here: a multiple of every page size.
const GUARD_BYTES: usize = 64 << 10;
pub(crate) const FIBER_BYTES: usize = GUARD_BYTES + FIBER_NATIVE_BYTES + StackSize::FIBER.bytes();
/// What stays committed of a spare thread's VM stack, and of either stack of a spare fiber.
const THREAD_KEPT_BYTES: usize = 16 << 10;
const FIBER_KEPT_BYTES: usize = 8 << 10;
/// Most stacks of ended fibers that wait for the next ones, and most of those that are as they were left.
const SPARE_FIBERS: usize = 1024;
const UNTRIMMED_FIBERS: usize = 32;
const SPARE_THREADS: usize = 128;
/// As many are unmapped in one pause.
const UNMAPPED_AT_ONCE: usize = 64;

fn map(bytes: usize) -> Result<*mut u8> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_STACK;
    // SAFETY: an anonymous private mapping at an address of the system's choice.
    let base = unsafe { libc::mmap(std::ptr::null_mut(), bytes, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) };
    if base == libc::MAP_FAILED { Err(Error::last_os_error()) } else { Ok(base.cast()) }
}

/// Gives pages back to the system; they read as zeros from then on.
///
/// # Safety
/// The bytes are whole pages of a mapping of this module's, and nobody needs what they hold.
unsafe fn decommit(first: *mut u8, bytes: usize) {
    // SAFETY: by contract.
    let result = unsafe { libc::madvise(first.cast(), bytes, libc::MADV_DONTNEED) };
    debug_assert_eq!(result, 0, "whole pages");
}

/// What stays committed where so many bytes are to: whole pages, of whatever size the system's are.
fn kept(bytes: usize) -> usize {
    bytes.next_multiple_of(carat_os::page_bytes())
}

/// Where a VM stack lies, whoever owns the memory.
#[derive(Clone, Copy)]
pub(crate) struct VmStack {
    base: *mut Value,
    words: usize,
    frame_words: usize,
}

impl VmStack {
    /// Where base and size in words lie.
    pub(crate) const OFFSETS: (usize, usize) =
        (std::mem::offset_of!(VmStack, base), std::mem::offset_of!(VmStack, words));

    fn at(base: *mut u8, size: StackSize) -> VmStack {
        let (words, frame_words) = (size.bytes() / size_of::<Value>(), size.frames / size_of::<Value>());
        VmStack { base: base.cast(), words, frame_words }
    }

    /// No stack: what stands in a fiber's place while its stack is the running one.
    pub(crate) fn none() -> VmStack {
        VmStack { base: std::ptr::null_mut(), words: 0, frame_words: 0 }
    }

    /// Address and length in bytes; zero if there is none.
    pub(crate) fn range(&self) -> (usize, usize) {
        (self.base.addr(), self.words * size_of::<Value>())
    }

    pub(crate) fn is_none(&self) -> bool {
        self.base.is_null()
    }

    /// Frame pointer of the lowest frame.
    pub(crate) fn first(&self) -> *mut Value {
        self.base.wrapping_add(crate::run::frame::HEADER)
    }

    /// Address that the registers of ordinary frames stay below.
    pub(crate) fn limit(&self) -> usize {
        self.base.addr() + (self.frame_words - RESERVE_WORDS) * size_of::<Value>()
    }

    /// Address that arguments stay below.
    pub(crate) fn argument_limit(&self) -> usize {
        self.base.addr() + (self.words - RESERVE_WORDS) * size_of::<Value>()
    }

    pub(crate) fn contains(&self, pointer: *const Value) -> bool {
        (self.base.addr()..self.base.addr() + self.words * size_of::<Value>()).contains(&pointer.addr())
    }
}

/// The memory of a thread's VM stack.
pub(crate) struct ThreadStack(*mut u8);

impl ThreadStack {
    fn new() -> Result<ThreadStack> {
        map(StackSize::THREAD.bytes()).map(ThreadStack)
    }

    pub(crate) fn vm(&self) -> VmStack {
        VmStack::at(self.0, StackSize::THREAD)
    }

    fn trim(&mut self) {
        // SAFETY: inside of the mapping; the thread that had the stack has ended.
        unsafe { decommit(self.0.add(kept(THREAD_KEPT_BYTES)), StackSize::THREAD.bytes() - kept(THREAD_KEPT_BYTES)) };
    }
}

impl Drop for ThreadStack {
    fn drop(&mut self) {
        // SAFETY: the mapping that `new` made, dropped once.
        unsafe { libc::munmap(self.0.cast(), StackSize::THREAD.bytes()) };
    }
}

/// The memory of both stacks of a fiber.
pub(crate) struct FiberStacks {
    mapping: *mut u8,
    valgrind: ManuallyDrop<ValgrindStackRegistration>,
}

impl FiberStacks {
    fn new() -> Result<FiberStacks> {
        let mapping = map(FIBER_BYTES)?;
        let valgrind = ManuallyDrop::new(ValgrindStackRegistration::new(mapping, GUARD_BYTES + FIBER_NATIVE_BYTES));
        let stacks = FiberStacks { mapping, valgrind };
        // SAFETY: the first bytes of the mapping, which nothing uses yet.
        match unsafe { libc::mprotect(mapping.cast(), GUARD_BYTES, libc::PROT_NONE) } {
            0 => Ok(stacks),
            _ => Err(Error::last_os_error()),
        }
    }

    /// Where the native stack begins, which grows down from here, and the VM stack, which grows up.
    fn middle(&self) -> *mut u8 {
        self.mapping.wrapping_add(GUARD_BYTES + FIBER_NATIVE_BYTES)
    }

    pub(crate) fn vm(&self) -> VmStack {
        VmStack::at(self.middle(), StackSize::FIBER)
    }

    fn trim(&mut self) {
        let kept = kept(FIBER_KEPT_BYTES);
        let (native, vm) = (FIBER_NATIVE_BYTES - kept, StackSize::FIBER.bytes() - kept);
        // SAFETY: inside of the mapping; the fiber that had the stacks has ended.
        unsafe {
            decommit(self.mapping.add(GUARD_BYTES), native);
            decommit(self.middle().add(kept), vm);
        }
    }
}

// SAFETY: `limit` includes the guard, and above that lies a native stack of more than the least size.
unsafe impl Stack for FiberStacks {
    fn base(&self) -> StackPointer {
        StackPointer::new(self.middle().expose_provenance()).expect("a mapping is not at 0")
    }

    fn limit(&self) -> StackPointer {
        StackPointer::new(self.mapping.addr()).expect("a mapping is not at 0")
    }
}

impl Drop for FiberStacks {
    fn drop(&mut self) {
        // SAFETY: the registration is dropped once, before the mapping that `new` made.
        unsafe {
            ManuallyDrop::drop(&mut self.valgrind);
            libc::munmap(self.mapping.cast(), FIBER_BYTES);
        }
    }
}

/// Stacks of ended threads and fibers of a Ractor, for those to come.
#[derive(Default)]
pub(crate) struct SpareStacks {
    threads: Vec<ThreadStack>,
    /// The first of them are trimmed.
    fibers: Vec<FiberStacks>,
    trimmed: usize,
    /// So many of them nobody has taken since the last full collection.
    idle: usize,
}

impl SpareStacks {
    pub(crate) fn take_thread(&mut self) -> Result<ThreadStack> {
        self.threads.pop().map_or_else(ThreadStack::new, Ok)
    }

    pub(crate) fn give_thread(&mut self, mut stack: ThreadStack) {
        if self.threads.len() < SPARE_THREADS {
            stack.trim();
            self.threads.push(stack);
        }
    }

    pub(crate) fn take_fiber(&mut self) -> Result<FiberStacks> {
        let Some(stacks) = self.fibers.pop() else { return FiberStacks::new() };
        let len = self.fibers.len();
        (self.trimmed, self.idle) = (self.trimmed.min(len), self.idle.min(len));
        Ok(stacks)
    }

    pub(crate) fn give_fiber(&mut self, stacks: FiberStacks) {
        if self.fibers.len() == SPARE_FIBERS {
            return;
        }
        self.fibers.push(stacks);
        self.trim_down_to(UNTRIMMED_FIBERS);
    }

    fn trim_down_to(&mut self, untrimmed: usize) {
        while self.fibers.len() - self.trimmed > untrimmed {
            self.fibers[self.trimmed].trim();
            self.trimmed += 1;
        }
    }

    /// After a full collection: unmaps what nobody has needed since the last one.
    pub(crate) fn release_idle(&mut self) {
        self.trim_down_to(0);
        self.fibers.drain(..self.idle.min(UNMAPPED_AT_ONCE));
        self.trimmed = self.fibers.len();
        self.idle = self.fibers.len();
        self.threads.truncate(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_committed(address: *mut u8) -> bool {
        let mut state = 0u8;
        let page = std::ptr::without_provenance_mut::<libc::c_void>(address.addr() & !(carat_os::page_bytes() - 1));
        // SAFETY: asks for one page's state, which takes one byte.
        let result = unsafe { libc::mincore(page, 1, &raw mut state) };
        assert_eq!(result, 0);
        state & 1 != 0
    }

    fn touch(stacks: &FiberStacks, offset: isize) -> *mut u8 {
        let address = stacks.middle().wrapping_offset(offset);
        // SAFETY: inside of the mapping, and above the guard.
        unsafe { address.write(1) };
        address
    }

    #[test]
    fn the_stacks_given_back_last_are_taken_first() {
        let mut spare = SpareStacks::default();
        let stacks = [spare.take_fiber().unwrap(), spare.take_fiber().unwrap()];
        let bases = stacks.each_ref().map(|s| s.base());
        stacks.into_iter().for_each(|s| spare.give_fiber(s));
        assert_eq!(spare.take_fiber().unwrap().base(), bases[1]);
        assert_eq!(spare.take_fiber().unwrap().base(), bases[0]);
    }

    #[test]
    fn trimming_keeps_what_every_fiber_touches() {
        let mut stacks = FiberStacks::new().unwrap();
        let deep = [touch(&stacks, -(100 << 10)), touch(&stacks, 100 << 10)];
        let shallow = [touch(&stacks, -8), touch(&stacks, 8)];
        stacks.trim();
        assert!(shallow.into_iter().all(is_committed));
        assert!(!deep.into_iter().any(is_committed));
    }

    #[test]
    fn what_no_fiber_needs_between_full_collections_is_unmapped() {
        let mut spare = SpareStacks::default();
        let stacks: Vec<_> = (0..40).map(|_| FiberStacks::new().unwrap()).collect();
        stacks.into_iter().for_each(|s| spare.give_fiber(s));
        assert_eq!(spare.trimmed, 40 - UNTRIMMED_FIBERS);
        spare.release_idle();
        assert_eq!((spare.fibers.len(), spare.trimmed), (40, 40));
        let taken = spare.take_fiber().unwrap();
        spare.give_fiber(taken);
        spare.release_idle();
        assert_eq!(spare.fibers.len(), 1);
    }
}
