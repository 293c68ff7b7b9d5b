//! The heap with a toy client: objects whose shape is the number of their fields.

use crate::buf::Window;
use crate::{Client, Collection, Heap, Liveness, Marker, Phase, side};
use carat_layout::{Header, HeapType, ShapeId, Value, flags, pool_for};
use std::cell::Cell;
use std::collections::HashSet;
use std::ptr::NonNull;
use std::rc::Rc;

mod generations;
mod graphs;
mod lookup;
mod no_memory;
mod several;
mod steps;

/// An object of type `Object` whose slot is all fields.
fn object(heap: &Heap, fields: usize) -> Value {
    object_with(heap, fields, 0)
}

fn object_with(heap: &Heap, fields: usize, extra: u64) -> Value {
    let pool = pool_for(8 + 8 * fields).unwrap();
    let slot = heap.allocate(pool);
    // SAFETY: the slot has room for header and fields.
    unsafe {
        slot.write(Header::new(HeapType::Object, pool, ShapeId(fields as u32), extra));
        (0..fields).for_each(|i| slot.cast::<Value>().add(1 + i).write(Value::NIL));
        Value::from_heap(slot)
    }
}

fn field_at(object: Value, index: usize) -> *mut Value {
    assert!(index < object.header().unwrap().shape().0 as usize);
    // SAFETY: the object has that many fields.
    unsafe { object.as_ptr::<Value>().add(1 + index) }
}

fn set(heap: &Heap, object: Value, index: usize, value: Value) {
    heap.barrier(object, value);
    // SAFETY: `field_at` checks the index.
    unsafe { field_at(object, index).write(value) }
}

fn get(object: Value, index: usize) -> Value {
    // SAFETY: `field_at` checks the index.
    unsafe { field_at(object, index).read() }
}

#[derive(Default)]
struct Toy {
    roots: Vec<Value>,
    words: Vec<u64>,
    weak: Vec<Value>,
    released: Vec<Value>,
}

impl Client for Toy {
    fn roots(&mut self, marker: &mut Marker<'_>) {
        marker.mark_slice(&self.roots);
        self.words.iter().for_each(|word| marker.mark_conservative(*word));
    }

    fn trace(&mut self, object: NonNull<Header>, marker: &mut Marker<'_>) {
        // SAFETY: toy objects have as many fields as their shape says, and side blocks hold initialised values.
        unsafe {
            let count = object.as_ref().shape().0 as usize;
            marker.mark_range(object, object.cast::<Value>().add(1).as_ptr(), count);
            if let Some(block) = side::of(object) {
                marker.mark_range(object, block.as_ptr(), side::capacity(block));
            }
        }
    }

    /// Slots are too small for a range that waits.
    fn contents(&self, object: NonNull<Header>) -> (*const Value, usize) {
        let block = side::of(object).expect("a large object has a side block");
        // SAFETY: the block is the object's.
        (block.as_ptr(), unsafe { side::capacity(block) })
    }

    fn window(&self, _object: NonNull<Header>) -> Option<Window> {
        None
    }

    fn after_mark(&mut self, live: &Liveness<'_>) {
        self.weak.retain(|value| live.is_live(*value));
    }

    fn release(&mut self, _heap: &Heap, object: NonNull<Header>) {
        // SAFETY: the object is being released and its block with it.
        unsafe {
            self.released.push(Value::from_heap(object));
            if let Some(block) = side::of(object) {
                side::free(block);
            }
        }
    }
}

fn live_objects(heap: &Heap) -> HashSet<Value> {
    let mut objects = HashSet::new();
    heap.each_object(&mut |object| assert!(objects.insert(object)));
    objects
}

fn full(heap: &Heap, toy: &mut Toy) {
    heap.collect(toy, Collection::Full, false);
    heap.verify(toy, false).unwrap();
}

#[test]
fn unreachable_objects_are_freed() {
    let heap = Heap::new();
    let mut toy = Toy::default();
    let root = object(&heap, 3);
    set(&heap, root, 1, object(&heap, 10));
    for i in 0..10_000 {
        object(&heap, i % 100);
    }
    toy.roots.push(root);
    assert_eq!(live_objects(&heap).len(), 10_002);
    full(&heap, &mut toy);
    assert_eq!(live_objects(&heap), HashSet::from([root, get(root, 1)]));
    assert_eq!(heap.stats().freed_objects, 10_000);
    assert_eq!(heap.total_allocated_objects(), 10_002);
}

#[test]
fn freed_slots_are_used_again_and_live_ones_are_not() {
    let heap = Heap::new();
    let mut toy = Toy::default();
    let objects: Vec<Value> = (0..5000).map(|_| object(&heap, 4)).collect();
    toy.roots = objects.iter().copied().step_by(2).collect();
    full(&heap, &mut toy);
    let again: HashSet<Value> = (0..2500).map(|_| object(&heap, 4)).collect();
    assert!(toy.roots.iter().all(|root| !again.contains(root)));
    let freed: HashSet<Value> = objects.iter().copied().skip(1).step_by(2).collect();
    assert!(again.iter().filter(|object| freed.contains(object)).count() > 2400);
}

#[test]
fn a_new_heap_touches_little_and_maps_nothing() {
    let heap = Heap::new();
    assert_eq!(heap.stats().regions, 0);
    object(&heap, 1);
    let stats = heap.stats();
    assert_eq!((stats.regions, stats.pools[0].pages, stats.pools[0].used, stats.used_bytes), (1, 1, 1, 16));
    assert!(stats.pools[1..].iter().all(|pool| pool.pages == 0));
}

#[test]
fn empty_pages_serve_other_pools() {
    let heap = Heap::new();
    let mut toy = Toy::default();
    for _ in 0..31 * 4096 {
        object(&heap, 1);
    }
    assert_eq!(heap.stats().free_pages, 0);
    full(&heap, &mut toy);
    assert_eq!(heap.stats().free_pages, 31);
    for _ in 0..31 * 64 {
        object(&heap, 127);
    }
    assert_eq!((heap.stats().regions, heap.stats().free_pages), (1, 0));
}

#[test]
fn surplus_regions_go_back_to_the_system() {
    let heap = Heap::new();
    let mut toy = Toy::default();
    let keep = object(&heap, 100);
    toy.roots.push(keep);
    for _ in 0..40_000 {
        object(&heap, 127);
    }
    assert!(heap.stats().regions > 19);
    full(&heap, &mut toy);
    assert!(heap.stats().regions < 8);
    assert_eq!(live_objects(&heap), HashSet::from([keep]));
    for _ in 0..40_000 {
        set(&heap, object(&heap, 127), 126, keep);
    }
}

#[test]
fn dead_owners_are_released_once() {
    let heap = Heap::new();
    let mut toy = Toy::default();
    let owners: Vec<Value> = (0..1000).map(|i| object(&heap, i % 7)).collect();
    owners.iter().for_each(|owner| heap.mark_owning(owner.as_heap().unwrap()));
    toy.roots = owners[..10].to_vec();
    full(&heap, &mut toy);
    assert_eq!(toy.released.drain(..).collect::<HashSet<_>>(), owners[10..].iter().copied().collect());
    for i in 0..2000 {
        object(&heap, i % 7);
    }
    full(&heap, &mut toy);
    assert_eq!(toy.released, []);
    heap.release_all(&mut toy);
    assert_eq!(toy.released.len(), 10);
}

#[test]
fn side_blocks_keep_values_alive_and_go_with_their_object() {
    let heap = Heap::new();
    let mut toy = Toy::default();
    let objects: Vec<Value> = (0..300).map(|_| object(&heap, 2)).collect();
    for object in &objects {
        let block = side::allocate(3);
        // SAFETY: the block has three fields.
        unsafe { block.add(2).write(self::object(&heap, 0)) };
        heap.set_side_block(object.as_heap().unwrap(), block.as_ptr());
    }
    toy.roots = objects[..100].to_vec();
    full(&heap, &mut toy);
    assert_eq!(toy.released.len(), 200);
    assert_eq!(live_objects(&heap).len(), 200);
    let block = heap.side_block(objects[7].as_heap().unwrap()).unwrap();
    // SAFETY: the object lives and so does its block.
    assert_eq!(unsafe { side::capacity(block) }, 3);
    let fresh: Vec<Value> = (0..300).map(|_| object(&heap, 2)).collect();
    assert!(fresh.iter().all(|object| heap.side_block(object.as_heap().unwrap()).is_none()));
    toy.roots.clear();
    full(&heap, &mut toy);
    assert_eq!(toy.released.len(), 300);
}

#[test]
fn side_blocks_can_be_replaced() {
    let heap = Heap::new();
    let mut toy = Toy::default();
    let slot = object(&heap, 2).as_heap().unwrap();
    let (small, large) = (side::allocate(1), side::allocate(9));
    heap.set_side_block(slot, small.as_ptr());
    heap.set_side_block(slot, large.as_ptr());
    // SAFETY: no slot leads to the small block any more.
    unsafe { side::free(small) };
    assert_eq!(side::of(slot), Some(large));
    heap.collect(&mut toy, Collection::Full, false);
    assert_eq!(toy.released.len(), 1);
}

#[test]
fn weak_references_see_what_died() {
    let heap = Heap::new();
    let (kept, lost) = (object(&heap, 0), object(&heap, 0));
    let weak = vec![kept, lost, Value::NIL, Value::len(3)];
    let mut toy = Toy { roots: vec![kept], weak, ..Toy::default() };
    full(&heap, &mut toy);
    assert_eq!(toy.weak, [kept, Value::NIL, Value::len(3)]);
}

#[test]
fn a_collection_is_requested_once_when_the_allowance_is_used_up() {
    let heap = Heap::new();
    let requests = Rc::new(Cell::new(0));
    let counter = requests.clone();
    heap.set_request_hook(Box::new(move || counter.set(counter.get() + 1)));
    let allowance = heap.stats().allowance_bytes;
    for _ in 0..allowance / 1024 - 64 {
        object(&heap, 127);
    }
    assert!(!heap.collection_due());
    for _ in 0..200 {
        object(&heap, 127);
    }
    assert!(heap.collection_due());
    assert_eq!(requests.get(), 1);
    full(&heap, &mut Toy::default());
    assert!(!heap.collection_due());
    heap.request_collection();
    assert!(heap.collection_due());
    assert_eq!(requests.get(), 2);
}

#[test]
fn external_memory_counts_half() {
    let heap = Heap::new();
    let allowance = heap.stats().allowance_bytes as isize;
    heap.account(2 * allowance - 20);
    heap.account(-40);
    heap.account(50);
    assert!(!heap.collection_due());
    heap.account(200);
    assert!(heap.collection_due());
    heap.account(8 * allowance);
    full(&heap, &mut Toy::default());
    let stats = heap.stats();
    assert_eq!(stats.external_bytes, (10 * allowance + 190) as usize);
    assert_eq!(stats.allowance_bytes, stats.external_bytes / 8);
    assert_eq!((stats.full_collections, stats.minor_collections), (1, 0));
}

#[test]
fn figures_of_the_pools_add_up() {
    let heap = Heap::new();
    let mut toy = Toy::default();
    for i in 0..3000 {
        let object = object(&heap, i % 128);
        if i % 3 == 0 {
            toy.roots.push(object);
        }
    }
    full(&heap, &mut toy);
    let stats = heap.stats();
    let bytes: usize = toy.roots.iter().map(|root| root.header().unwrap().slot_bytes()).sum();
    assert_eq!(stats.used_bytes, bytes);
    assert_eq!(stats.pools.iter().map(|pool| pool.used).sum::<usize>(), 1000);
    assert_eq!((stats.allocated_objects, stats.freed_objects, stats.live_objects()), (3000, 2000, 1000));
    for i in 0..500 {
        object(&heap, i % 128);
    }
    assert_eq!(heap.stats().pools.iter().map(|pool| pool.used).sum::<usize>(), 1500);
}

#[test]
fn nearly_full_pages_wait_for_the_next_full_collection() {
    let heap = Heap::new();
    let mut toy = Toy::default();
    let mut objects: Vec<Value> = (0..4 * 1365).map(|_| object(&heap, 5)).collect();
    let lost = objects.remove(700);
    toy.roots = objects.clone();
    full(&heap, &mut toy);
    assert_eq!(heap.find(lost.bits()), None);
    let fresh = object(&heap, 5);
    assert_ne!(fresh, lost);
    toy.roots = objects.drain(1365..).collect();
    full(&heap, &mut toy);
    assert_eq!(live_objects(&heap), toy.roots.iter().copied().collect());
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "where no object is")]
fn a_reference_to_a_freed_object_is_noticed() {
    let heap = Heap::new();
    let (root, lost) = (object(&heap, 1), object(&heap, 1));
    let mut toy = Toy { roots: vec![root], ..Toy::default() };
    full(&heap, &mut toy);
    set(&heap, root, 0, lost);
    full(&heap, &mut toy);
}

/// A heap with one private and two shareable objects, the first of which refers to another private one.
fn heap_with_shareables(toy: &mut Toy) -> (Heap, [Value; 2]) {
    let heap = Heap::new();
    let (private, shareable) = (object(&heap, 1), object_with(&heap, 1, flags::SHAREABLE));
    set(&heap, shareable, 0, object(&heap, 0));
    let other = object_with(&heap, 1, flags::SHAREABLE);
    toy.roots.push(private);
    (heap, [shareable, other])
}

#[test]
fn shareable_objects_survive_a_collection_of_one_heap() {
    let mut toy = Toy::default();
    let (heap, shareables) = heap_with_shareables(&mut toy);
    toy.weak = shareables.to_vec();
    for _ in 0..3 {
        object(&heap, 1);
        heap.collect(&mut toy, Collection::Full, true);
        heap.verify(&mut toy, true).unwrap();
        assert_eq!(live_objects(&heap).len(), 4);
    }
    assert_eq!(toy.weak, shareables);
}

#[test]
fn a_heap_leaves_the_objects_of_others_alone() {
    let (mut ours, mut theirs) = (Toy::default(), Toy::default());
    let (other, shareables) = heap_with_shareables(&mut theirs);
    let heap = Heap::new();
    let root = object(&heap, 2);
    set(&heap, root, 1, shareables[1]);
    ours.roots.push(root);
    heap.collect(&mut ours, Collection::Full, true);
    heap.verify(&mut ours, true).unwrap();
    assert_eq!(live_objects(&heap).len(), 1);
    // SAFETY: the address is a slot's, and this thread uses both heaps.
    assert!(!unsafe { crate::region::is_marked(shareables[1].bits() as usize) });
    let mut together = Toy { roots: vec![root], weak: shareables.to_vec(), ..Toy::default() };
    Heap::collect_together(&[&heap, &other], &mut together, Collection::Full);
    assert_eq!(together.weak, [shareables[1]]);
    assert_eq!(live_objects(&other), HashSet::from([shareables[1]]));
}

#[test]
fn an_adopted_heap_lives_on() {
    let mut toy = Toy::default();
    let (heap, other) = (Heap::new(), Heap::new());
    for i in 0..5000 {
        let pair = [object(&heap, i % 20), object(&other, i % 20 + 1)];
        set(&other, pair[1], 0, object(&other, 0));
        if i % 5 == 0 {
            toy.roots.extend(pair);
        }
    }
    other.account(1000);
    other.mark_owning(toy.roots[1].as_heap().unwrap());
    heap.adopt(other);
    assert_eq!(live_objects(&heap).len(), 15_000);
    assert_eq!(heap.total_allocated_objects(), 15_000);
    full(&heap, &mut toy);
    assert_eq!(live_objects(&heap).len(), 3000);
    assert_eq!(heap.stats().external_bytes, 1000);
    let before = toy.roots.clone();
    let fresh: HashSet<Value> = (0..9000).map(|i| object(&heap, i % 20)).collect();
    assert!(before.iter().all(|root| !fresh.contains(root)));
    toy.roots.clear();
    full(&heap, &mut toy);
    assert_eq!(toy.released, [before[1]]);
}
