//! Memory for machine code.
//!
//! # Layout
//! Pieces of address space, each reserved at once and made accessible page by page. They are filled from their ends: what calls is
//! made after what it calls, and so lies in front of that. Freed ranges are used again.
//!
//! # Invariants
//! * A page is writable or executable, never both. While something is written to it, none of its code may run: whoever owns the
//!   memory sees to that, so there is one for each Ractor.
//! * Nothing is mapped before the first code.
//! * Another thread that is to run what was written calls [`see_code_of_others`](crate::see_code_of_others) first.
//! * What calls Rust code has nothing but its return address on the stack, unless it lies in a piece of its own whose table says
//!   what else: so panics find their way through it.
//! * All of it lies within [`REACH`] of this crate's own code, so that machine code and compiled Rust reach each other by jumps of 32
//!   bits, and branch predictors, which keep few bits of an address, do well.
//!
//! # Why not two mappings of one file
//! They would be shared with the children of `fork`: what the parent frees and writes anew would change under the child. Private
//! memory is copied when it is written. The price is two system calls for each piece of code.

use crate::native::make_visible;
use crate::unwind::{Depth, Table};
use std::io::{Error, Result};
use std::ptr::NonNull;

const PIECE_BYTES: usize = 256 << 10;
/// Code begins at multiples of this.
const ALIGNMENT: usize = 16;

/// How far from this crate's code a piece may lie: two pieces and the executable between them are less than 2 GB apart.
const REACH: usize = 900 << 20;

/// Bytes of the system's pages.
fn page_bytes() -> usize {
    // SAFETY: a call without pointers.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).expect("every system has pages")
}

/// Where some code lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    pub start: usize,
    pub len: usize,
}

struct Piece {
    base: NonNull<u8>,
    len: usize,
    /// So many bytes at its end were. What lies in front was never used.
    used: usize,
    /// Holds one range only, which has a table of its own.
    is_described: bool,
    /// Dropped before the mapping goes.
    table: Option<Table>,
}

// SAFETY: a piece is address space, which belongs to no thread.
unsafe impl Send for Piece {}

/// See the module.
pub struct CodeMemory {
    pieces: Vec<Piece>,
    free: Vec<Range>,
    /// Bytes that are handed out, and in how many ranges.
    in_use: usize,
    count: usize,
    limit: usize,
}

impl CodeMemory {
    /// Hands out at most `limit` bytes.
    pub const fn new(limit: usize) -> CodeMemory {
        CodeMemory { pieces: Vec::new(), free: Vec::new(), in_use: 0, count: 0, limit }
    }

    pub fn bytes_in_use(&self) -> usize {
        self.in_use
    }

    /// Ranges that are handed out.
    pub fn ranges_in_use(&self) -> usize {
        self.count
    }

    /// Address and length of the mappings.
    pub fn mappings(&self) -> Vec<(usize, usize)> {
        self.pieces.iter().map(|piece| (piece.base.addr().get(), piece.len)).collect()
    }

    /// A range for `len` bytes, which lie in it once they were written. `None`: the limit is reached, or the system has no more.
    pub fn take(&mut self, len: usize) -> Option<Range> {
        let len = len.next_multiple_of(ALIGNMENT);
        if self.in_use + len > self.limit {
            return None;
        }
        let range = self.take_free(len).or_else(|| self.take_fresh(len).ok())?;
        self.in_use += range.len;
        self.count += 1;
        Some(range)
    }

    /// As [`CodeMemory::take`], a range for code that calls with more on the stack than its return address: how much from where on,
    /// ascending.
    pub fn take_described(&mut self, len: usize, depths: &[Depth]) -> Option<Range> {
        let len = len.next_multiple_of(page_bytes());
        if self.in_use + len > self.limit {
            return None;
        }
        let near = self.pieces.first().map(|piece| piece.base.addr().get());
        let mut piece = Piece::new(len, near, depths).ok()?;
        (piece.used, piece.is_described) = (len, true);
        let range = Range { start: piece.base.addr().get(), len };
        // In front, since the last one is the one that is being filled.
        self.pieces.insert(0, piece);
        self.in_use += len;
        self.count += 1;
        Some(range)
    }

    fn take_free(&mut self, len: usize) -> Option<Range> {
        let at = self.free.iter().position(|range| range.len >= len)?;
        let found = self.free[at];
        if found.len == len {
            self.free.swap_remove(at);
        } else {
            self.free[at] = Range { start: found.start + len, len: found.len - len };
        }
        Some(Range { start: found.start, len })
    }

    fn take_fresh(&mut self, len: usize) -> Result<Range> {
        if self.pieces.last().is_none_or(|piece| piece.len - piece.used < len) {
            let near = self.pieces.last().map(|piece| piece.base.addr().get());
            let piece = Piece::new(len.max(PIECE_BYTES).next_multiple_of(page_bytes()), near, &[])?;
            self.pieces.push(piece);
        }
        let piece = self.pieces.last_mut().expect("just made");
        piece.used += len;
        let start = piece.base.addr().get() + piece.len - piece.used;
        Ok(Range { start, len })
    }

    /// Nobody runs what lies there any more.
    pub fn give_back(&mut self, range: Range) {
        self.in_use -= range.len;
        self.count -= 1;
        if self.pieces.iter().any(|piece| piece.is_described && piece.base.addr().get() == range.start) {
            return;
        }
        let adjacent = self.free.iter_mut().find(|free| free.start + free.len == range.start);
        match adjacent {
            Some(free) => free.len += range.len,
            None => self.free.push(range),
        }
    }

    /// Puts code into a range. An error leaves it without.
    ///
    /// # Safety
    /// The range was taken from this memory and not given back, the bytes fit, and until this returns no thread runs code that
    /// lies in this memory.
    pub unsafe fn write(&self, range: Range, bytes: &[u8]) -> Result<()> {
        assert!(bytes.len() <= range.len, "code that fits its range");
        let page = page_bytes();
        let first = range.start / page * page;
        let pages = std::ptr::with_exposed_provenance_mut::<u8>(first);
        let len = (range.start + range.len).next_multiple_of(page) - first;
        // SAFETY: by contract, the pages are this memory's and nobody runs what they hold.
        unsafe {
            protect(pages, len, libc::PROT_READ | libc::PROT_WRITE)?;
            let place = pages.add(range.start - first);
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), place, bytes.len());
            make_visible(place, bytes.len());
            protect(pages, len, libc::PROT_READ | libc::PROT_EXEC)
        }
    }
}

/// # Safety
/// Pages of a mapping of this module's.
unsafe fn protect(pages: *mut u8, len: usize, access: i32) -> Result<()> {
    // SAFETY: by contract.
    if unsafe { libc::mprotect(pages.cast(), len, access) } == 0 { Ok(()) } else { Err(Error::last_os_error()) }
}

impl Piece {
    /// A piece that lies below another one if there is room, or anywhere near this crate's code.
    fn new(len: usize, other: Option<usize>, depths: &[Depth]) -> Result<Piece> {
        let own = std::hint::black_box(Piece::new as *const ()).addr() & !(page_bytes() - 1);
        let steps = (1..REACH / STEP).flat_map(|n| [own.wrapping_sub(n * STEP), own + n * STEP]);
        let places = other.map(|other| other.wrapping_sub(len)).into_iter().chain(steps);
        let found = places.filter(|place| place.abs_diff(own) < REACH).find_map(|place| map(place, len));
        let base = found.ok_or_else(|| Error::other("no room near the executable"))?;
        let table = Some(Table::new(base.addr().get(), len, depths));
        Ok(Piece { base, len, used: 0, is_described: false, table })
    }
}

/// Between places that are tried.
const STEP: usize = 32 << 20;

/// Address space at a place, if that is free.
fn map(place: usize, len: usize) -> Option<NonNull<u8>> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: an anonymous private mapping; without MAP_FIXED nothing that is there is replaced.
    let base = unsafe { libc::mmap(std::ptr::without_provenance_mut(place), len, libc::PROT_NONE, flags, -1, 0) };
    if base == libc::MAP_FAILED {
        return None;
    }
    if base.addr() != place {
        // SAFETY: what was just mapped, and nobody knows.
        unsafe { libc::munmap(base, len) };
        return None;
    }
    base.expose_provenance();
    NonNull::new(base.cast())
}

impl Drop for Piece {
    fn drop(&mut self) {
        self.table = None;
        // SAFETY: the mapping that `new` made, dropped once.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.len) };
    }
}
