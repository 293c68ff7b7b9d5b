//! A list that only grows and is read without a lock: its entries never move.
//!
//! # Layout
//! Chunks, each twice as large as the one before. A small program touches one small chunk, and no number is out of reach.

use std::alloc::{Layout, handle_alloc_error};
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

const FIRST_CHUNK: usize = 256;
/// Together they hold 2^32 entries less the first chunk.
const CHUNKS: usize = 24;

pub(crate) struct AppendOnly<T> {
    chunks: [AtomicPtr<T>; CHUNKS],
    len: AtomicU32,
}

// SAFETY: entries are moved in and dropped with the list by whoever owns it.
unsafe impl<T: Send> Send for AppendOnly<T> {}
// SAFETY: readers share entries; an entry is written once, before its number is published.
unsafe impl<T: Send + Sync> Sync for AppendOnly<T> {}

/// The chunk of a number, and the number's place in it.
#[inline(always)]
fn place_of(number: usize) -> (usize, usize) {
    let position = number + FIRST_CHUNK;
    let chunk = (position / FIRST_CHUNK).ilog2() as usize;
    (chunk, position - (FIRST_CHUNK << chunk))
}

impl<T> AppendOnly<T> {
    pub(crate) fn new() -> AppendOnly<T> {
        AppendOnly { chunks: [const { AtomicPtr::new(std::ptr::null_mut()) }; CHUNKS], len: AtomicU32::new(0) }
    }

    /// Bytes of the chunks that there are.
    pub(crate) fn memsize(&self) -> usize {
        let has = |chunk: &usize| !self.chunks[*chunk].load(Ordering::Acquire).is_null();
        (0..CHUNKS).filter(has).map(|chunk| (FIRST_CHUNK << chunk) * size_of::<T>()).sum()
    }

    pub(crate) fn len(&self) -> u32 {
        self.len.load(Ordering::Acquire)
    }

    /// The entry of a number that `push` gave out.
    #[inline(always)]
    pub(crate) fn get(&self, number: u32) -> &T {
        let (chunk, offset) = place_of(number as usize);
        let entries = self.chunks[chunk].load(Ordering::Acquire);
        debug_assert!(number < self.len() && !entries.is_null());
        // SAFETY: the number was handed out after its entry was written, and entries never move.
        unsafe { &*entries.add(offset) }
    }

    /// Whether there is memory for so many entries.
    pub(crate) fn has_room(&self, count: usize) -> bool {
        let (chunk, _) = place_of(count.max(1) - 1);
        !self.chunks[chunk].load(Ordering::Acquire).is_null()
    }

    /// Makes room for so many entries, at most a chunk more than there are; `false` if there is no memory for that. Callers hold
    /// the lock under which they push.
    pub(crate) fn make_room(&self, count: usize) -> bool {
        if self.has_room(count) {
            return true;
        }
        let (chunk, _) = place_of(count - 1);
        let mut entries: Vec<MaybeUninit<T>> = Vec::new();
        if entries.try_reserve_exact(FIRST_CHUNK << chunk).is_err() {
            return false;
        }
        // SAFETY: as many were reserved, and none needs to be initialised.
        unsafe { entries.set_len(FIRST_CHUNK << chunk) };
        self.chunks[chunk].store(Box::leak(entries.into_boxed_slice()).as_mut_ptr().cast(), Ordering::Release);
        true
    }

    /// Appends an entry and returns its number. Callers hold a lock of their own: one writer at a time.
    pub(crate) fn push(&self, entry: T) -> u32 {
        let number = self.len.load(Ordering::Relaxed);
        let (chunk, offset) = place_of(number as usize);
        if !self.make_room(number as usize + 1) {
            handle_alloc_error(Layout::new::<T>());
        }
        // SAFETY: `place_of` stays within the chunk, and no reader looks at this entry before its number is published.
        unsafe { self.chunks[chunk].load(Ordering::Acquire).add(offset).write(entry) };
        self.len.store(number + 1, Ordering::Release);
        number
    }
}

impl<T> Drop for AppendOnly<T> {
    fn drop(&mut self) {
        for number in 0..self.len() {
            let (chunk, offset) = place_of(number as usize);
            // SAFETY: the list is borrowed mutably, and every number below the length has an entry.
            unsafe { self.chunks[chunk].get_mut().add(offset).drop_in_place() };
        }
        for (chunk, entries) in self.chunks.iter_mut().map(AtomicPtr::get_mut).enumerate() {
            if !entries.is_null() {
                let entries =
                    std::ptr::slice_from_raw_parts_mut(entries.cast::<MaybeUninit<T>>(), FIRST_CHUNK << chunk);
                // SAFETY: `push` leaked a box of this size.
                drop(unsafe { Box::from_raw(entries) });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn entries_keep_their_place_over_many_chunks() {
        let list = AppendOnly::new();
        let first: *const String = {
            list.push("0".to_owned());
            list.get(0)
        };
        (1..10_000u32).for_each(|i| assert_eq!(list.push(i.to_string()), i));
        assert!(std::ptr::eq(first, list.get(0)));
        (0..10_000u32).for_each(|i| assert_eq!(list.get(i), &i.to_string()));
    }

    #[test]
    fn a_chunk_ends_where_the_next_begins() {
        assert_eq!(place_of(0), (0, 0));
        assert_eq!(place_of(FIRST_CHUNK - 1), (0, FIRST_CHUNK - 1));
        assert_eq!(place_of(FIRST_CHUNK), (1, 0));
        assert_eq!(place_of(3 * FIRST_CHUNK), (2, 0));
        assert!(place_of(u32::MAX as usize - FIRST_CHUNK).0 < CHUNKS);
    }

    #[test]
    fn readers_see_what_a_writer_has_published() {
        let list = Arc::new(AppendOnly::new());
        let writer = list.clone();
        let thread = std::thread::spawn(move || (0..5_000u32).for_each(|i| assert_eq!(writer.push(i * 3), i)));
        while list.len() < 5_000 {
            let len = list.len();
            (0..len).for_each(|i| assert_eq!(*list.get(i), i * 3));
        }
        thread.join().expect("the writer ends");
    }
}
