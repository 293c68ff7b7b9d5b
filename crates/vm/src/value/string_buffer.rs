//! Contents that the system writes where they are to stay.
//!
//! # Invariants
//! The buffer belongs to nobody else until it becomes a string's, so it may be written while Ruby code runs, and while other
//! threads have their turn.

use crate::ec::{Ec, Result};
use crate::value::string::{CodeRange, EncodingIndex, Str};
use carat_heap::buf;
use carat_layout::BufHead;
use std::ptr::NonNull;

/// Room that a string may keep behind its contents when it takes over a buffer: a page, as in CRuby's `io_shrink_read_string`.
const MOST_WASTE: usize = 4096;

/// A buffer that is being filled from its beginning.
pub struct StringBuffer {
    buffer: NonNull<BufHead>,
    len: usize,
    /// Bytes that may be read: they were written, or came as zeros from the system. At least `len`.
    initialized: usize,
}

impl StringBuffer {
    /// Room for `capacity` bytes, or `NoMemoryError`.
    pub fn new(ec: &mut Ec, capacity: usize) -> Result<StringBuffer> {
        StringBuffer::unwritten(ec, capacity).map(StringBuffer::with_zeros)
    }

    /// As [`StringBuffer::new`], of which nothing is cleared: for [`StringBuffer::read`].
    pub fn unwritten(ec: &mut Ec, capacity: usize) -> Result<StringBuffer> {
        match ec.would_allocate(capacity).then(|| buf::try_allocate(capacity)).flatten() {
            Some(buffer) => Ok(StringBuffer { buffer, len: 0, initialized: 0 }),
            None => Err(ec.no_memory()),
        }
    }

    /// So much room is left that a copy is better kept.
    pub(crate) fn is_wasteful(&self) -> bool {
        self.capacity() - self.len > MOST_WASTE
    }

    /// Takes over a buffer's only count.
    ///
    /// # Safety
    /// The caller holds it; the first `initialized` bytes were written.
    pub(crate) unsafe fn of_buffer(buffer: NonNull<BufHead>, initialized: usize) -> StringBuffer {
        StringBuffer { buffer, len: 0, initialized }
    }

    fn capacity(&self) -> usize {
        // SAFETY: the count is ours.
        unsafe { buf::capacity(self.buffer) }
    }

    /// Zeros for all that was never written. Buffers with a mapping of their own come zeroed.
    fn with_zeros(mut self) -> StringBuffer {
        let capacity = self.capacity();
        if capacity < buf::MAPPED_BYTES {
            self.clear_to(capacity);
        }
        self.initialized = capacity;
        self
    }

    /// Zeros up to `end`, which is within the capacity, for what was never written.
    fn clear_to(&mut self, end: usize) {
        if end > self.initialized {
            // SAFETY: the buffer is ours and has that many bytes.
            unsafe { buf::data(self.buffer).add(self.initialized).write_bytes(0, end - self.initialized) };
            self.initialized = end;
        }
    }

    /// Makes room for more if there is none.
    pub fn make_room(&mut self, ec: &mut Ec) -> Result<()> {
        if self.len < self.capacity() {
            return Ok(());
        }
        let mut larger = StringBuffer::new(ec, self.len.saturating_mul(2).max(buf::MAPPED_BYTES))?;
        larger.push(self.bytes());
        *self = larger;
        Ok(())
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn bytes(&self) -> &[u8] {
        // SAFETY: so many bytes were written.
        unsafe { std::slice::from_raw_parts(buf::data(self.buffer), self.len) }
    }

    /// Where the next bytes go.
    pub fn room(&mut self) -> &mut [u8] {
        // SAFETY: the buffer is ours alone, and has been initialised that far.
        unsafe { std::slice::from_raw_parts_mut(buf::data(self.buffer).add(self.len), self.initialized - self.len) }
    }

    /// The next `most` bytes of room, or as many as there are, to be written and told by [`StringBuffer::advance`].
    pub fn cleared_room(&mut self, most: usize) -> &mut [u8] {
        let end = self.capacity().min(self.len.saturating_add(most));
        self.clear_to(end);
        let len = end - self.len;
        &mut self.room()[..len]
    }

    /// Reads from a descriptor behind what is there, at most `most` bytes. 0 is the end of the file, or says that there is no room.
    pub fn read(&mut self, fd: i32, most: usize) -> std::io::Result<usize> {
        let room = most.min(self.capacity() - self.len);
        // SAFETY: the buffer is ours alone and has that many bytes behind the first `len`.
        let into = unsafe { std::slice::from_raw_parts_mut(buf::data(self.buffer).add(self.len).cast(), room) };
        let read = carat_os::read_uninit(fd, into)?;
        self.len += read;
        self.initialized = self.initialized.max(self.len);
        Ok(read)
    }

    /// So many bytes of the room were written.
    pub fn advance(&mut self, count: usize) {
        assert!(count <= self.initialized - self.len, "bytes of the room");
        self.len += count;
    }

    /// Appends bytes that there is room for.
    pub fn push(&mut self, bytes: &[u8]) {
        assert!(bytes.len() <= self.capacity() - self.len, "room for the bytes");
        // SAFETY: the buffer is ours alone and has room for them.
        unsafe { buf::data(self.buffer).add(self.len).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        self.len += bytes.len();
        self.initialized = self.initialized.max(self.len);
    }

    /// A string of what was written; it keeps the buffer unless it fits a slot.
    pub fn into_str(self, ec: &Ec, encoding: EncodingIndex) -> Str {
        Str::of_filling(ec, self, encoding, CodeRange::Unknown)
    }

    /// The buffer, with its count, and how much of it is filled.
    pub(crate) fn into_parts(self) -> (NonNull<BufHead>, usize) {
        let parts = (self.buffer, self.len);
        std::mem::forget(self);
        parts
    }
}

impl Drop for StringBuffer {
    fn drop(&mut self) {
        // SAFETY: the count is ours, and nobody uses the buffer any more.
        unsafe { buf::release(self.buffer) };
    }
}
