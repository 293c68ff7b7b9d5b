//! Memory for machine code.
//!
//! # Layout
//! Pieces of address space, each reserved at once. What runs often fills them from their ends: what calls is made after what it
//! calls, and so lies in front of that. What seldom runs fills them from their beginnings, so that it takes no room between what the
//! processor has in its caches. Freed ranges are used again for the same.
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
//! memory is copied when it is written. The price is two system calls whenever code is written.

use crate::native::make_visible;
use crate::unwind::{Depth, Table};
use std::io::{Error, Result};
use std::ptr::NonNull;

/// Whoever writes changes the access of a whole piece, twice, which takes 5 microseconds. Changing a page at each of its ends takes 10. A
/// piece of half the size takes 8: it has so few pages that Linux makes the processor forget them one by one.
const PIECE_BYTES: usize = 256 << 10;
/// Code begins at multiples of this.
pub(crate) const ALIGNMENT: usize = 16;

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

impl Range {
    pub const EMPTY: Range = Range { start: 0, len: 0 };

    pub fn contains(&self, address: usize) -> bool {
        address.wrapping_sub(self.start) < self.len
    }
}

/// Where the two parts of some code lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement {
    pub often: Range,
    /// Empty if all lies together.
    pub seldom: Range,
}

impl Placement {
    /// All of it lies at one place.
    pub const fn together(start: usize, len: usize) -> Placement {
        Placement { often: Range { start, len }, seldom: Range::EMPTY }
    }

    /// The address of what was put together so many bytes from the beginning.
    pub fn address(&self, offset: usize) -> usize {
        match offset.checked_sub(self.often.len) {
            Some(behind) if self.seldom.len != 0 => self.seldom.start + behind,
            _ => self.often.start + offset,
        }
    }

    pub fn contains(&self, address: usize) -> bool {
        self.often.contains(address) || self.seldom.contains(address)
    }

    /// Bytes of both.
    pub fn bytes(&self) -> usize {
        self.often.len + self.seldom.len
    }
}

struct Piece {
    base: NonNull<u8>,
    len: usize,
    /// So many bytes at its end were handed out, and so many at its beginning. Those in between were never used.
    often: usize,
    seldom: usize,
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
    free_often: Vec<Range>,
    free_seldom: Vec<Range>,
    /// Bytes that are handed out, and in how many placements.
    in_use: usize,
    count: usize,
    limit: usize,
    /// How many were handed out when a request was refused, until much was given back.
    refused_at: Option<usize>,
}

impl CodeMemory {
    /// Hands out at most `limit` bytes.
    pub const fn new(limit: usize) -> CodeMemory {
        CodeMemory {
            pieces: Vec::new(),
            free_often: Vec::new(),
            free_seldom: Vec::new(),
            in_use: 0,
            count: 0,
            limit,
            refused_at: None,
        }
    }

    pub fn limit(&self) -> usize {
        self.limit
    }

    pub fn set_limit(&mut self, limit: usize) {
        if limit > self.limit {
            self.refused_at = None;
        }
        self.limit = limit;
    }

    /// Whether a request was refused, and less than an eighth of the limit was given back since.
    pub fn is_full(&self) -> bool {
        self.refused_at.is_some()
    }

    pub fn bytes_in_use(&self) -> usize {
        self.in_use
    }

    /// Placements that are handed out.
    pub fn placements_in_use(&self) -> usize {
        self.count
    }

    /// Address and length of the mappings.
    pub fn mappings(&self) -> Vec<(usize, usize)> {
        self.pieces.iter().map(|piece| (piece.base.addr().get(), piece.len)).collect()
    }

    /// Ranges for so many bytes that run often and so many that seldom run, which lie in them once they were written. `None`: the
    /// limit is reached, or the system has no more.
    pub fn take(&mut self, often: usize, seldom: usize) -> Option<Placement> {
        let placement = self.take_within(often, seldom);
        // Others may find room where one that is very large does not.
        if placement.is_none() && often + seldom <= self.limit / 8 {
            self.refused_at = Some(self.in_use);
        }
        placement
    }

    fn take_within(&mut self, often: usize, seldom: usize) -> Option<Placement> {
        let [often, seldom] = [often, seldom].map(|len| len.next_multiple_of(ALIGNMENT));
        if self.in_use + often + seldom > self.limit {
            return None;
        }
        let [free_often, free_seldom] = [(often, &self.free_often), (seldom, &self.free_seldom)]
            .map(|(len, free)| free.iter().position(|range| range.len >= len));
        let fresh =
            [(often, free_often), (seldom, free_seldom)].map(|(len, free)| if free.is_none() { len } else { 0 });
        self.make_room(fresh[0] + fresh[1]).ok()?;
        let often = match free_often {
            Some(at) => take_free(&mut self.free_often, at, often),
            None => self.pieces.last_mut()?.take_often(often),
        };
        let seldom = match free_seldom {
            _ if seldom == 0 => Range::EMPTY,
            Some(at) => take_free(&mut self.free_seldom, at, seldom),
            None => self.pieces.last_mut()?.take_seldom(seldom),
        };
        let placement = Placement { often, seldom };
        self.in_use += placement.bytes();
        self.count += 1;
        Some(placement)
    }

    /// As [`CodeMemory::take`], a range for code that calls with more on the stack than its return address: how much from where on,
    /// ascending.
    pub fn take_described(&mut self, len: usize, depths: &[Depth]) -> Option<Placement> {
        let len = len.next_multiple_of(page_bytes());
        if self.in_use + len > self.limit {
            return None;
        }
        let near = self.pieces.first().map(|piece| piece.base.addr().get());
        let mut piece = Piece::new(len, near, depths).ok()?;
        piece.is_described = true;
        let often = piece.take_often(len);
        // In front, since the last one is the one that is being filled.
        self.pieces.insert(0, piece);
        self.in_use += len;
        self.count += 1;
        Some(Placement::together(often.start, often.len))
    }

    /// So many bytes in the last piece were never used.
    fn make_room(&mut self, len: usize) -> Result<()> {
        if len > 0 && self.pieces.last().is_none_or(|piece| piece.unused() < len) {
            let near = self.pieces.last().map(|piece| piece.base.addr().get());
            let piece = Piece::new(len.max(PIECE_BYTES).next_multiple_of(page_bytes()), near, &[])?;
            self.pieces.push(piece);
        }
        Ok(())
    }

    /// Nobody runs what lies there any more.
    pub fn give_back(&mut self, placement: Placement) {
        self.in_use -= placement.bytes();
        self.count -= 1;
        self.refused_at = self.refused_at.filter(|then| self.in_use + self.limit / 8 > *then);
        let Placement { often, seldom } = placement;
        if self.pieces.iter().any(|piece| piece.is_described && piece.range().contains(often.start)) {
            return;
        }
        for (range, free) in [(often, &mut self.free_often), (seldom, &mut self.free_seldom)] {
            let adjacent = free.iter_mut().find(|free| are_adjacent(&self.pieces, **free, range));
            match adjacent {
                Some(free) => free.len += range.len,
                None if range.len == 0 => {}
                None => free.push(range),
            }
        }
    }

    /// To be called when much was given back: joins what lies side by side, and gives the system the pages that are free as a whole.
    pub fn tidy(&mut self) {
        for free in [&mut self.free_often, &mut self.free_seldom] {
            free.sort_unstable_by_key(|range| range.start);
            free.dedup_by(|range, before| {
                let is_adjacent = are_adjacent(&self.pieces, *before, *range);
                before.len += if is_adjacent { range.len } else { 0 };
                is_adjacent
            });
            free.iter().for_each(|range| give_pages_back(&self.pieces, *range));
        }
    }

    /// Puts code into its place. An error leaves it without.
    ///
    /// # Safety
    /// The placement was taken from this memory and not given back, the bytes fit, and until this returns no thread runs code that
    /// lies in this memory.
    pub unsafe fn write(&self, placement: Placement, bytes: &[u8]) -> Result<()> {
        assert!(bytes.len() <= placement.bytes(), "code that fits its place");
        let (often, seldom) = bytes.split_at(placement.often.len.min(bytes.len()));
        let parts = [(placement.often, often), (placement.seldom, seldom)];
        for piece in &self.pieces {
            let here = parts.iter().filter(|(range, bytes)| !bytes.is_empty() && piece.range().contains(range.start));
            let mut here = here.peekable();
            if here.peek().is_none() {
                continue;
            }
            // SAFETY: by contract, the pages are this memory's and nobody runs what they hold.
            unsafe {
                protect(piece.base.as_ptr(), piece.len, libc::PROT_READ | libc::PROT_WRITE)?;
                for (range, bytes) in here {
                    let place = piece.base.as_ptr().add(range.start - piece.base.addr().get());
                    std::ptr::copy_nonoverlapping(bytes.as_ptr(), place, bytes.len());
                    make_visible(place, bytes.len());
                }
                protect(piece.base.as_ptr(), piece.len, libc::PROT_READ | libc::PROT_EXEC)?;
            }
        }
        Ok(())
    }
}

/// A range of so many bytes at the beginning of the one at `at`, which is long enough.
fn take_free(free: &mut Vec<Range>, at: usize, len: usize) -> Range {
    let found = free[at];
    if found.len == len {
        free.swap_remove(at);
    } else {
        free[at] = Range { start: found.start + len, len: found.len - len };
    }
    Range { start: found.start, len }
}

/// Whether two ranges lie side by side in one piece: access changes by pieces.
fn are_adjacent(pieces: &[Piece], before: Range, range: Range) -> bool {
    before.start + before.len == range.start && pieces.iter().all(|piece| piece.range().start != range.start)
}

/// What the pages hold is lost; they are there again, empty, when they are written to.
fn give_pages_back(pieces: &[Piece], range: Range) {
    let page = page_bytes();
    let (start, end) = (range.start.next_multiple_of(page), (range.start + range.len) & !(page - 1));
    let piece = pieces.iter().find(|piece| piece.range().contains(start));
    if let Some(piece) = piece.filter(|_| start < end) {
        // SAFETY: pages of the mapping that no code lies in.
        unsafe {
            let pages = piece.base.as_ptr().add(start - piece.base.addr().get());
            libc::madvise(pages.cast(), end - start, libc::MADV_DONTNEED);
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
        Ok(Piece { base, len, often: 0, seldom: 0, is_described: false, table })
    }

    fn range(&self) -> Range {
        Range { start: self.base.addr().get(), len: self.len }
    }

    fn unused(&self) -> usize {
        self.len - self.often - self.seldom
    }

    fn take_often(&mut self, len: usize) -> Range {
        self.often += len;
        Range { start: self.range().start + self.len - self.often, len }
    }

    fn take_seldom(&mut self, len: usize) -> Range {
        self.seldom += len;
        Range { start: self.range().start + self.seldom - len, len }
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
