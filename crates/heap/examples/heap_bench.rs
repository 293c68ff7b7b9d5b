//! Nanoseconds per object for allocation, marking and sweeping, and the pause of a minor collection.
//!
//! `cargo run --release -p carat-heap --example heap_bench [objects]`; four million by default. Objects have a header
//! and four fields (40 bytes). "In order" is a list in address order, "shuffled" a binary tree over shuffled slots.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

use carat_heap::buf::{self, Window};
use carat_heap::{Client, Collection, Heap, Liveness, Marker};
use carat_layout::{Header, HeapType, PoolIndex, ShapeId, Value, pool_for};
use std::hint::black_box;
use std::ptr::NonNull;
use std::time::{Duration, Instant};

const FIELDS: usize = 4;
const POOL: PoolIndex = pool_for(8 + 8 * FIELDS).expect("an object of four fields fits a slot");

struct Roots(Vec<Value>);

impl Client for Roots {
    fn roots(&mut self, marker: &mut Marker<'_>) {
        marker.mark_slice(&self.0);
    }
    #[inline]
    fn trace(&mut self, object: NonNull<Header>, marker: &mut Marker<'_>) {
        // SAFETY: every object of the bench has that many fields.
        unsafe { marker.mark_range(object, object.cast::<Value>().add(1).as_ptr(), FIELDS) }
    }
    fn contents(&self, object: NonNull<Header>) -> (*const Value, usize) {
        // SAFETY: as above.
        (unsafe { object.cast::<Value>().add(1).as_ptr() }, FIELDS)
    }
    fn window(&self, _object: NonNull<Header>) -> Option<Window> {
        None
    }

    fn after_mark(&mut self, _live: &Liveness<'_>) {}
    fn release(&mut self, _: &Heap, object: NonNull<Header>) {
        black_box(object);
    }
}

#[inline]
fn object(heap: &Heap) -> Value {
    let slot = heap.allocate(POOL);
    // SAFETY: the pool's slots have room for header and fields.
    unsafe {
        slot.write(Header::new(HeapType::Object, POOL, ShapeId(1), 0));
        (0..FIELDS).for_each(|i| slot.cast::<Value>().add(1 + i).write(Value::NIL));
        Value::from_heap(slot)
    }
}

fn ignore<T>(value: T) {
    black_box(value);
}

fn set(heap: &Heap, object: Value, index: usize, value: Value) {
    heap.barrier(object, value);
    // SAFETY: the bench stays below the number of fields.
    unsafe { object.as_ptr::<Value>().add(1 + index).write(value) }
}

/// Runs `f` and prints how long it took per one of `count`.
fn timed(what: &str, count: usize, f: impl FnOnce()) {
    let start = Instant::now();
    f();
    print(what, count, start.elapsed());
}

/// The same for the fastest of seven runs.
fn best(what: &str, count: usize, mut f: impl FnMut()) {
    let run = |_| {
        let start = Instant::now();
        f();
        start.elapsed()
    };
    print(what, count, (0..7).map(run).min().unwrap_or_default());
}

fn print(what: &str, count: usize, time: Duration) {
    println!("{what:44} {:8.2} ns each {:9.3} ms", time.as_nanos() as f64 / count as f64, time.as_secs_f64() * 1e3);
}

fn shuffle(values: &mut [Value]) {
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    for i in (1..values.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        values.swap(i, (state >> 33) as usize % (i + 1));
    }
}

fn allocation(count: usize) {
    let heap = Heap::new();
    timed("allocate and initialise, fresh pages", count, || (0..count).for_each(|_| ignore(object(&heap))));
    timed("collect, all dead", count, || heap.collect(&mut Roots(vec![]), Collection::Full, false));
    let (rounds, few) = (20, 100_000);
    timed("the same with 100,000 at a time", rounds * few, || {
        for _ in 0..rounds {
            (0..few).for_each(|_| ignore(object(&heap)));
            heap.collect(&mut Roots(vec![]), Collection::Full, false);
        }
    });
}

fn in_order(count: usize) {
    let heap = Heap::new();
    let mut roots = Roots(vec![object(&heap)]);
    let mut last = roots.0[0];
    for i in 1..2 * count {
        let next = object(&heap);
        if i % 2 == 0 {
            set(&heap, last, 0, next);
            last = next;
        }
    }
    best("mark a list in order, every second slot", count, || heap.collect(&mut roots, Collection::Full, false));
    timed("sweep lazily, allocate and initialise", count, || (0..count).for_each(|_| ignore(object(&heap))));
}

fn shuffled(count: usize) {
    let heap = Heap::new();
    let mut objects: Vec<Value> = (0..count).map(|_| object(&heap)).collect();
    shuffle(&mut objects);
    for i in 1..count {
        set(&heap, objects[(i - 1) / 2], (i - 1) % 2, objects[i]);
    }
    let mut roots = Roots(vec![objects[0]]);
    best("mark a shuffled tree", count, || heap.collect(&mut roots, Collection::Full, false));
    best("the same through dyn Client", count, || {
        heap.collect(&mut roots as &mut dyn Client, Collection::Full, false);
    });
    let words: Vec<u64> = objects.iter().take(1 << 20).map(|object| object.bits() + 11).collect();
    timed("look a word up, hit", words.len(), || words.iter().for_each(|word| ignore(heap.find(*word))));
    timed("look a word up, miss", words.len(), || words.iter().for_each(|word| ignore(heap.find(word << 20))));
}

/// A million old objects, 100,000 young ones of which one in ten survives, 1,000 old ones written to.
fn generations() {
    let heap = Heap::new();
    let mut objects: Vec<Value> = (0..1_000_000).map(|_| object(&heap)).collect();
    shuffle(&mut objects);
    let mut roots = Roots(vec![object(&heap)]);
    for i in 1..objects.len() {
        set(&heap, objects[(i - 1) / 2], (i - 1) % 2, objects[i]);
    }
    roots.0.push(objects[0]);
    heap.collect(&mut roots, Collection::Minor, false);
    for round in 0..3 {
        for i in 0..100_000 {
            let young = object(&heap);
            if i % 10 == 0 {
                set(&heap, objects[i / 100 * 997], 2, young);
            }
        }
        timed(&format!("minor collection, round {round}"), 100_000, || {
            heap.collect(&mut roots, Collection::Minor, false);
        });
    }
}

fn buffers() {
    timed("buffer of 200 bytes, made and released", 1_000_000, || {
        // SAFETY: the count is given up once.
        (0..1_000_000).for_each(|_| unsafe { buf::release(black_box(buf::allocate(200))) });
    });
    let total = 64 << 20;
    timed("doubling a buffer to 64 MiB, per byte", total, || {
        let mut buf = buf::allocate(64);
        let (mut filled, mut capacity) = (0, 64);
        while capacity < total {
            // SAFETY: the only count; what is written fits.
            unsafe {
                buf::data(buf).add(filled).write_bytes(1, capacity - filled);
                filled = capacity;
                capacity *= 2;
                buf = buf::grow(buf, capacity);
            }
        }
        // SAFETY: as above.
        unsafe { buf::release(buf) };
    });
}

/// Resident memory of a heap with one object in each pool.
#[cfg(target_os = "linux")]
fn smallest_heap() {
    let resident_pages = || -> usize {
        let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
        statm.split(' ').nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0)
    };
    let before = resident_pages();
    let heap = Heap::new();
    (0..carat_layout::POOL_SIZES.len() as u8).for_each(|pool| {
        // SAFETY: the smallest slot holds two words.
        unsafe { heap.allocate(PoolIndex(pool)).cast::<[u64; 2]>().write([1, 2]) };
    });
    println!("{:44} {:8} KiB", "a heap with one object in each pool", (resident_pages() - before) * 4);
}

#[cfg(not(target_os = "linux"))]
fn smallest_heap() {}

fn main() {
    smallest_heap();
    let count = std::env::args().nth(1).and_then(|arg| arg.parse().ok()).unwrap_or(4_000_000);
    allocation(count);
    in_order(count);
    shuffled(count);
    generations();
    buffers();
}
