//! The heap with a toy client: objects whose user bits hold the number of their fields.

use crate::{Client, Collection, Heap, Liveness, Marker, buf, side};
use carat_layout::{Header, HeapType, POOL_SIZES, PoolIndex, ShapeId, Value, flags, pool_for};
use std::cell::Cell;
use std::ptr::NonNull;
use std::rc::Rc;

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
            marker.mark_range(object.cast::<Value>().add(1).as_ptr(), count);
            if let Some(block) = side::of(object) {
                marker.mark_range(block.as_ptr(), side::capacity(block));
            }
        }
    }

    fn after_mark(&mut self, live: &Liveness<'_>) {
        self.weak.retain(|value| live.is_live(*value));
    }

    fn release(&mut self, object: NonNull<Header>) {
        // SAFETY: the object is being released and its block with it.
        unsafe {
            self.released.push(Value::from_heap(object));
            if let Some(block) = side::of(object) {
                side::free(block);
            }
        }
    }
}

fn live_objects(heap: &Heap) -> usize {
    let mut count = 0;
    heap.each_object(&mut |_| count += 1);
    count
}

#[test]
fn unreachable_objects_are_freed() {
    let heap = Heap::new();
    let mut toy = Toy::default();
    let root = object(&heap, 3);
    set(&heap, root, 1, object(&heap, 10));
    (0..10_000).for_each(|i| drop(object(&heap, i % 100)));
    toy.roots.push(root);
    assert_eq!(live_objects(&heap), 10_002);
    heap.collect(&mut toy, Collection::Full, false);
    assert_eq!(live_objects(&heap), 2);
    assert_eq!(heap.stats().freed_objects, 10_000);
    assert_eq!(heap.total_allocated_objects(), 10_002);
}
