//! Full collections in steps.

use super::graphs::{Random, mutate, reachable};
use super::*;

/// Takes the collection in progress to its end, or a new one through all of its steps.
fn finish(heap: &Heap, toy: &mut Toy, budget: usize) {
    heap.step(toy, budget);
    while heap.phase() != Phase::Idle {
        heap.step(toy, budget);
    }
}

/// Steps until the heap is in `phase`.
fn step_to(heap: &Heap, toy: &mut Toy, phase: Phase, budget: usize) {
    while heap.phase() != phase {
        heap.step(toy, budget);
    }
}

/// A list of `len` objects, each with a reference to the next one.
fn list(heap: &Heap, len: usize) -> Value {
    (0..len).fold(Value::NIL, |rest, _| {
        let head = object(heap, 2);
        set(heap, head, 0, rest);
        head
    })
}

#[test]
fn steps_free_what_one_full_collection_frees() {
    let (heap, mut toy) = (Heap::new(), Toy::default());
    let root = list(&heap, 3000);
    list(&heap, 3000);
    toy.roots.push(root);
    finish(&heap, &mut toy, 50);
    assert_eq!(live_objects(&heap), reachable(&[root]));
    assert_eq!((heap.stats().full_collections, heap.stats().freed_objects), (1, 3000));
    heap.verify(&mut toy, false).unwrap();
}

#[test]
fn what_is_stored_into_marked_objects_meanwhile_lives() {
    let (heap, mut toy) = (Heap::new(), Toy::default());
    let root = list(&heap, 1000);
    toy.roots.push(root);
    step_to(&heap, &mut toy, Phase::Marking, 10);
    heap.step(&mut toy, 10);
    let mut stored = 0;
    while heap.phase() == Phase::Marking && stored < 200 {
        let young = list(&heap, 3);
        set(&heap, young, 1, get(root, 1));
        set(&heap, root, 1, young);
        stored += 1;
        heap.step(&mut toy, 10);
    }
    assert!(stored > 3);
    finish(&heap, &mut toy, 10);
    let wanted = reachable(&[root]);
    assert!(wanted.len() > 1000 && wanted.is_subset(&live_objects(&heap)));
}

/// An object with a side block of `len` fields, all undef.
fn large(heap: &Heap, len: usize) -> Value {
    let holder = object(heap, 0);
    heap.set_side_block(holder.as_heap().unwrap(), side::allocate(len).as_ptr());
    holder
}

/// The fields of a large object.
fn fields(holder: Value) -> &'static mut [Value] {
    let block = side::of(holder.as_heap().unwrap()).unwrap();
    // SAFETY: the block lives as long as the test looks, and is borrowed for one statement.
    unsafe { std::slice::from_raw_parts_mut(block.as_ptr(), side::capacity(block)) }
}

#[test]
fn a_large_object_is_looked_at_in_several_steps() {
    let (heap, mut toy) = (Heap::new(), Toy::default());
    let root = large(&heap, 20_000);
    (0..20_000).for_each(|i| fields(root)[i] = object(&heap, 1));
    toy.roots.push(root);
    step_to(&heap, &mut toy, Phase::Marking, 500);
    let mut steps = 0;
    while heap.phase() == Phase::Marking {
        heap.step(&mut toy, 500);
        steps += 1;
    }
    assert!(steps > 5);
    finish(&heap, &mut toy, 500);
    assert_eq!(live_objects(&heap).len(), 20_001);
}

#[test]
fn immediates_cost_a_step_something() {
    let (heap, mut toy) = (Heap::new(), Toy::default());
    toy.roots.push(large(&heap, 200_000));
    step_to(&heap, &mut toy, Phase::Marking, 100);
    heap.step(&mut toy, 100);
    heap.step(&mut toy, 100);
    assert_eq!(heap.phase(), Phase::Marking);
    finish(&heap, &mut toy, 100);
}

/// What arrays do without a barrier: elements leave at the front and at the end, immediates come to the end, and the
/// contents move.
#[test]
fn a_large_object_that_moves_and_shrinks_between_steps_keeps_its_elements() {
    for (taken, appended) in [(0, 0), (700, 0), (0, 5000), (300, 300), (9000, 10), (10_000, 0)] {
        let (heap, mut toy) = (Heap::new(), Toy::default());
        let root = large(&heap, 10_000);
        (0..10_000).for_each(|i| fields(root)[i] = object(&heap, 1));
        toy.roots.push(root);
        step_to(&heap, &mut toy, Phase::Marking, 100);
        (0..20).for_each(|_| heap.step(&mut toy, 100));
        assert_eq!(heap.phase(), Phase::Marking);
        let block = side::allocate((10_000 - taken + appended).max(1));
        let kept = fields(root)[taken / 2..10_000 - taken / 2].to_vec();
        let old = side::of(root.as_heap().unwrap()).unwrap();
        heap.set_side_block(root.as_heap().unwrap(), block.as_ptr());
        // SAFETY: the object has another block.
        unsafe { side::free(old) };
        fields(root)[..kept.len()].copy_from_slice(&kept);
        finish(&heap, &mut toy, 100);
        let live = live_objects(&heap);
        assert!(kept.iter().all(|value| live.contains(value)));
        full(&heap, &mut toy);
    }
}

#[test]
fn objects_that_died_while_marking_went_on_are_not_kept_for_being_new() {
    let (heap, mut toy) = (Heap::new(), Toy::default());
    let root = list(&heap, 1000);
    toy.roots.push(root);
    step_to(&heap, &mut toy, Phase::Marking, 10);
    list(&heap, 500);
    step_to(&heap, &mut toy, Phase::Idle, 10);
    assert_eq!(live_objects(&heap), reachable(&[root]));
}

#[test]
fn marking_ends_however_much_is_stored_meanwhile() {
    let (heap, mut toy) = (Heap::new(), Toy::default());
    let root = object(&heap, 127);
    toy.roots.push(root);
    step_to(&heap, &mut toy, Phase::Marking, 1);
    for round in 0.. {
        assert!(round < 2000);
        (0..127).for_each(|i| set(&heap, root, i, list(&heap, 2)));
        heap.step(&mut toy, 1);
        if heap.phase() != Phase::Marking {
            break;
        }
    }
    finish(&heap, &mut toy, 1);
    assert!(reachable(&[root]).is_subset(&live_objects(&heap)));
}

#[test]
fn dead_owners_are_gone_at_once_and_released_by_and_by() {
    let (heap, mut toy) = (Heap::new(), Toy::default());
    let root = object(&heap, 1);
    toy.roots.push(root);
    for i in 0..20_000 {
        heap.mark_owning(object(&heap, i % 30).as_heap().unwrap());
    }
    step_to(&heap, &mut toy, Phase::Releasing, 1000);
    assert_eq!(live_objects(&heap), HashSet::from([root]));
    heap.step(&mut toy, 1000);
    let released = toy.released.len();
    assert!(released > 0 && released < 20_000);
    // New objects take no slot that is still to be released.
    let fresh: Vec<Value> = (0..5000).map(|i| object(&heap, i % 30)).collect();
    toy.roots.extend(&fresh);
    heap.collect(&mut toy, Collection::Minor, false);
    step_to(&heap, &mut toy, Phase::Idle, 1000);
    assert_eq!(toy.released.len(), 20_000);
    assert_eq!(live_objects(&heap).len(), 5001);
}

#[test]
fn a_heap_that_advances_when_asked_stays_small() {
    let (heap, mut toy) = (Heap::new(), Toy::default());
    let asked = Rc::new(Cell::new(false));
    let flag = asked.clone();
    heap.set_request_hook(Box::new(move || flag.set(true)));
    let mut most = 0;
    for i in 0..200_000 {
        let fresh = object(&heap, 50);
        heap.mark_owning(fresh.as_heap().unwrap());
        // A window of live objects moves along: all become old, and die old.
        toy.roots.push(fresh);
        if toy.roots.len() == 20_000 {
            toy.roots.clear();
        }
        if asked.take() {
            heap.advance(&mut toy);
        }
        if i % 1000 == 0 {
            most = most.max(heap.stats().used_bytes);
        }
    }
    let stats = heap.stats();
    assert!(stats.full_collections >= 3 && stats.minor_collections >= 3);
    assert!(most < 50 << 20, "{most}");
}

#[test]
fn a_collection_in_one_go_ends_the_steps() {
    for phase in [Phase::Preparing, Phase::Marking, Phase::Releasing] {
        let (heap, mut toy) = (Heap::new(), Toy::default());
        let root = list(&heap, 5000);
        toy.roots.push(root);
        full(&heap, &mut toy);
        (0..3000).for_each(|_| heap.mark_owning(list(&heap, 1).as_heap().unwrap()));
        step_to(&heap, &mut toy, phase, 20);
        full(&heap, &mut toy);
        assert_eq!(heap.phase(), Phase::Idle);
        assert_eq!(live_objects(&heap), reachable(&[root]));
        assert_eq!(toy.released.len(), 3000);
    }
}

#[test]
fn adopting_ends_a_marking_and_takes_over_what_waits_for_release() {
    let (heap, other, mut toy) = (Heap::new(), Heap::new(), Toy::default());
    toy.roots.push(list(&heap, 100));
    step_to(&heap, &mut toy, Phase::Marking, 10);
    (0..5000).for_each(|_| other.mark_owning(list(&other, 1).as_heap().unwrap()));
    step_to(&other, &mut Toy::default(), Phase::Releasing, 10);
    heap.adopt(other);
    full(&heap, &mut toy);
    assert_eq!((toy.released.len(), live_objects(&heap).len()), (5000, 100));
}

#[test]
#[cfg(debug_assertions)]
fn the_verifier_finds_a_missing_barrier_after_steps() {
    let (heap, mut toy) = (Heap::new(), Toy::default());
    let root = object(&heap, 5);
    toy.roots.extend([list(&heap, 100), root]);
    step_to(&heap, &mut toy, Phase::Marking, 1);
    heap.step(&mut toy, 40);
    assert_eq!(heap.phase(), Phase::Marking);
    // SAFETY: the object has five fields; leaving the barrier out is the point.
    unsafe { field_at(root, 4).write(object(&heap, 0)) };
    let collect = std::panic::AssertUnwindSafe(|| finish(&heap, &mut toy, 40));
    let message = std::panic::catch_unwind(collect).unwrap_err();
    assert!(message.downcast_ref::<String>().unwrap().contains("refers to dead"));
}

#[test]
fn random_graphs_survive_steps() {
    for seed in 1..7 {
        let (heap, mut toy, mut random) = (Heap::new(), Toy::default(), Random(seed * 0xBAD_CAFE));
        for round in 0..400 {
            mutate(&heap, &mut toy, &mut random, 40);
            match random.below(12) {
                0 if round % 50 == 0 => full(&heap, &mut toy),
                1 | 2 if heap.phase() != Phase::Marking => heap.collect(&mut toy, Collection::Minor, false),
                _ => heap.step(&mut toy, random.below(200)),
            }
            let live = live_objects(&heap);
            assert!(reachable(&toy.roots).is_subset(&live));
            assert_eq!(heap.stats().pools.iter().map(|pool| pool.used).sum::<usize>(), live.len());
        }
        finish(&heap, &mut toy, 1000);
        full(&heap, &mut toy);
        assert_eq!(live_objects(&heap), reachable(&toy.roots));
        assert!(heap.stats().full_collections > 3 && heap.stats().minor_collections > 3);
    }
}
