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

/// A buffer that is being filled from its beginning.
pub struct StringBuffer {
    buffer: NonNull<BufHead>,
    len: usize,
    /// Bytes that may be read: they were written, or came as zeros from the system.
    initialized: usize,
}

impl StringBuffer {
    /// Room for `capacity` bytes, or `NoMemoryError`.
    pub fn new(ec: &mut Ec, capacity: usize) -> Result<StringBuffer> {
        match ec.would_allocate(capacity).then(|| buf::try_allocate(capacity)).flatten() {
            Some(buffer) => Ok(StringBuffer { buffer, len: 0, initialized: 0 }.with_zeros()),
            None => Err(ec.no_memory()),
        }
    }

    fn capacity(&self) -> usize {
        // SAFETY: the count is ours.
        unsafe { buf::capacity(self.buffer) }
    }

    /// Zeros for all that was never written. Buffers with a mapping of their own come zeroed.
    fn with_zeros(mut self) -> StringBuffer {
        let capacity = self.capacity();
        if capacity < buf::MAPPED_BYTES {
            // SAFETY: the buffer is ours and has that many bytes.
            unsafe { buf::data(self.buffer).add(self.initialized).write_bytes(0, capacity - self.initialized) };
        }
        self.initialized = capacity;
        self
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

    pub fn bytes(&self) -> &[u8] {
        // SAFETY: so many bytes were written.
        unsafe { std::slice::from_raw_parts(buf::data(self.buffer), self.len) }
    }

    /// Where the next bytes go.
    pub fn room(&mut self) -> &mut [u8] {
        // SAFETY: the buffer is ours alone, and has been initialised that far.
        unsafe { std::slice::from_raw_parts_mut(buf::data(self.buffer).add(self.len), self.initialized - self.len) }
    }

    /// So many bytes of the room were written.
    pub fn advance(&mut self, count: usize) {
        assert!(count <= self.initialized - self.len, "bytes of the room");
        self.len += count;
    }

    /// Appends bytes that there is room for.
    pub fn push(&mut self, bytes: &[u8]) {
        self.room()[..bytes.len()].copy_from_slice(bytes);
        self.advance(bytes.len());
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
