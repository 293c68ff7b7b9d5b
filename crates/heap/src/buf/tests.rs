//! Tests of `buf`.

use super::*;

/// Fills the whole capacity with a pattern.
fn fill(buf: NonNull<BufHead>) -> usize {
    // SAFETY: the test holds the only count.
    unsafe {
        let capacity = capacity(buf);
        (0..capacity).for_each(|i| data(buf).add(i).write(i as u8 ^ (i >> 8) as u8));
        capacity
    }
}

fn check(buf: NonNull<BufHead>, bytes: usize) {
    for i in 0..bytes {
        // SAFETY: that many bytes have been written.
        assert_eq!(unsafe { data(buf).add(i).read() }, i as u8 ^ (i >> 8) as u8, "byte {i} of {bytes}");
    }
}

#[test]
fn capacity_is_at_least_what_was_asked_for() {
    for asked in [0, 1, 15, 16, 17, 1000, MAPPED_BYTES - HEAD - 1, MAPPED_BYTES - HEAD, MAPPED_BYTES, 1 << 20] {
        let buf = allocate(asked);
        let capacity = fill(buf);
        assert!(capacity >= asked && capacity < asked + SYSTEM_PAGE);
        check(buf, capacity);
        // SAFETY: the count is ours.
        unsafe { release(buf) };
    }
}

#[test]
fn growing_keeps_contents_across_all_kinds() {
    let mut buf = allocate(3);
    for asked in [40, 4000, MAPPED_BYTES - HEAD - 16, MAPPED_BYTES, 3 * MAPPED_BYTES, 64 * MAPPED_BYTES] {
        let filled = fill(buf);
        // SAFETY: the count is the only one.
        buf = unsafe { grow(buf, asked) };
        check(buf, filled);
        // SAFETY: as above.
        assert!(unsafe { capacity(buf) } >= asked);
    }
    // SAFETY: as above.
    unsafe {
        assert_eq!(grow(buf, 1), buf);
        release(buf);
    }
}

#[test]
fn the_heads_pointer_follows_its_buffer() {
    let mut buf = allocate(100);
    // SAFETY: the count is the only one.
    unsafe {
        buf.as_mut().ptr = data(buf).add(7);
        for asked in [5000, 100_000, 10_000_000] {
            buf = grow(buf, asked);
            assert_eq!(buf.as_ref().ptr, data(buf).add(7));
        }
        release(buf);
    }
}

#[test]
fn counts_say_who_may_write() {
    let buf = allocate(10);
    // SAFETY: each release gives up a count held here.
    unsafe {
        assert!(is_unique(buf));
        retain(buf);
        assert!(!is_unique(buf));
        release(buf);
        assert!(is_unique(buf));
        release(buf);
    }
}

#[test]
fn threads_share_a_buffer_by_counts() {
    let buf = allocate(1000);
    let bytes = fill(buf);
    let address = buf.as_ptr().expose_provenance();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            // SAFETY: the new thread gives up the count made for it.
            unsafe { retain(buf) };
            scope.spawn(move || {
                let buf = NonNull::new(ptr::with_exposed_provenance_mut(address)).unwrap();
                check(buf, bytes);
                // SAFETY: as above.
                unsafe { release(buf) };
            });
        }
    });
    // SAFETY: the scope has joined the threads, so one count is left.
    unsafe {
        assert!(is_unique(buf));
        release(buf);
    }
}

#[test]
fn impossible_sizes_are_refused() {
    for asked in [usize::MAX, usize::MAX - 40, isize::MAX as usize, 1 << 60] {
        assert_eq!(try_allocate(asked), None);
    }
    let buf = allocate(10);
    // SAFETY: the count is the only one, and a refused growth leaves the buffer.
    unsafe {
        assert_eq!(try_grow(buf, usize::MAX), None);
        assert_eq!(try_grow(buf, 1 << 60), None);
        release(buf);
    }
}

#[test]
fn growth_is_counted() {
    let heap = Heap::new();
    // SAFETY: the counts are those held here.
    unsafe {
        let buf = heap.grow_buffer(heap.grow_buffer(heap.allocate_buffer(10), 1000), 2 * MAPPED_BYTES);
        let counters = heap.buffer_counters();
        assert!(counters.grown == 2 && counters.moved >= 1 && counters.copied_bytes >= 1000);
        heap.retain_buffer(buf, 0);
        heap.count_copy(buf, 7);
        heap.release_buffer(buf);
        heap.release_buffer(buf);
        let copied = counters.copied_bytes + 7;
        assert_eq!(heap.buffer_counters(), Counters { copied_on_write: 1, copied_bytes: copied, ..counters });
    }
}

#[test]
fn a_heap_counts_its_buffers_until_they_are_freed() {
    let heap = Heap::new();
    let buf = heap.allocate_buffer(1000);
    // SAFETY: each release gives up a count held here.
    unsafe {
        assert_eq!(heap.stats().external_bytes, capacity(buf));
        let buf = heap.grow_buffer(buf, 100_000);
        assert_eq!(heap.stats().external_bytes, capacity(buf));
        retain(buf);
        heap.release_buffer(buf);
        assert_eq!(heap.stats().external_bytes, capacity(buf));
        heap.release_buffer(buf);
    }
    assert_eq!(heap.stats().external_bytes, 0);
}

#[test]
fn what_is_behind_a_window_is_given_out_once() {
    let heap = Heap::new();
    let buf = heap.allocate_buffer(100);
    // SAFETY: each release gives up a count held here.
    unsafe {
        adopt(buf);
        assert!(heap.extend_buffer(buf, 10, 5));
        assert!(!heap.extend_buffer(buf, 10, 5), "others have those bytes");
        assert!(heap.extend_buffer(buf, 15, 5) && !heap.extend_buffer(buf, 20, 1000));
        heap.release_buffer(buf);
        heap.release_buffer(buf);
        assert!(heap.extend_buffer(buf, 10, 5), "the only one may have all");
        heap.release_buffer(buf);
        heap.retain_buffer(buf, 50);
        assert!(!heap.extend_buffer(buf, 10, 5) && heap.extend_buffer(buf, 50, 5));
        heap.release_buffer(buf);
        heap.release_buffer(buf);
        heap.set_shared(true);
        assert!(!heap.extend_buffer(buf, 50, 5));
        heap.release_buffer(buf);
    }
}

#[test]
fn the_verifier_finds_windows_beside_their_buffer_and_counts_that_are_too_low() {
    let buf = allocate(64);
    let at = |from: usize, bytes| Window { buf, start: data(buf).wrapping_add(from), bytes };
    let mut holders = Holders::default();
    assert_eq!(holders.add(&at(0, 64)), Ok(true));
    assert!(holders.add(&at(64, 0)).unwrap_err().contains("is one of 2 that refer to"));
    for outside in [at(64, 1), at(usize::MAX, 4), at(0, 65)] {
        assert!(Holders::default().add(&outside).unwrap_err().contains("which has 64"));
    }
    // SAFETY: the count is ours.
    unsafe { retain(buf) };
    let mut holders = Holders::default();
    assert_eq!([holders.add(&at(10, 20)), holders.add(&at(40, 24))], [Ok(true), Ok(true)]);
    // SAFETY: both counts are ours.
    unsafe { (release(buf), release(buf)) };
}
