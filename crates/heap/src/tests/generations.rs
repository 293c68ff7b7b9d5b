//! Minor collections.

use super::graphs::{Random, mutate, reachable};
use super::*;

fn minor(heap: &Heap, toy: &mut Toy) {
    heap.collect(toy, Collection::Minor, false);
}

fn is_old(value: Value) -> bool {
    value.header().unwrap().has(flags::OLD)
}

/// A heap that has had its first collection, and its old root.
fn heap_with_old_root(toy: &mut Toy) -> (Heap, Value) {
    let heap = Heap::new();
    let root = object(&heap, 5);
    toy.roots.push(root);
    minor(&heap, toy);
    (heap, root)
}

#[test]
fn the_first_collection_is_a_full_one_and_makes_survivors_old() {
    let mut toy = Toy::default();
    let heap = Heap::new();
    let root = object(&heap, 1);
    toy.roots.push(root);
    assert!(!is_old(root));
    minor(&heap, &mut toy);
    assert!(is_old(root));
    assert_eq!((heap.stats().full_collections, heap.stats().minor_collections), (1, 0));
    minor(&heap, &mut toy);
    assert_eq!((heap.stats().full_collections, heap.stats().minor_collections), (1, 1));
}

#[test]
fn the_log_keeps_young_objects_alive() {
    let mut toy = Toy::default();
    let (heap, root) = heap_with_old_root(&mut toy);
    let young = object(&heap, 1);
    set(&heap, young, 0, object(&heap, 0));
    set(&heap, root, 2, young);
    set(&heap, root, 3, young);
    assert!(root.header().unwrap().has(flags::LOGGED));
    assert_eq!(heap.log.borrow().len(), 1);
    object(&heap, 1);
    minor(&heap, &mut toy);
    assert!(!root.header().unwrap().has(flags::LOGGED));
    assert_eq!(live_objects(&heap), reachable(&[root]));
    assert!(is_old(young) && is_old(get(young, 0)));
}

#[test]
fn each_store_into_a_watched_object_is_told_of() {
    let mut toy = Toy::default();
    let (heap, root) = heap_with_old_root(&mut toy);
    let told = std::rc::Rc::new(std::cell::Cell::new(0));
    let count = told.clone();
    set(&heap, root, 1, object(&heap, 0));
    heap.watch(&[root], Box::new(move |at| count.set(count.get() + 1 + at)));
    set(&heap, root, 0, Value::len(3));
    for round in 1..=3 {
        set(&heap, root, 2, object(&heap, 0));
        set(&heap, root, 3, object(&heap, 0));
        assert_eq!(told.get(), 2 * round);
        minor(&heap, &mut toy);
        assert!(reachable(&[root]).is_subset(&live_objects(&heap)));
    }
    set(&heap, root, 2, object(&heap, 0));
    heap.end_watch();
    set(&heap, root, 3, object(&heap, 0));
    assert_eq!(told.get(), 7);
    minor(&heap, &mut toy);
    assert!(reachable(&[root]).is_subset(&live_objects(&heap)));
}

#[test]
fn immediates_and_young_containers_are_not_logged() {
    let mut toy = Toy::default();
    let (heap, root) = heap_with_old_root(&mut toy);
    set(&heap, root, 0, Value::len(3));
    let young = object(&heap, 1);
    set(&heap, young, 0, root);
    assert_eq!(heap.log.borrow().len(), 0);
    heap.barrier_many(young);
    assert_eq!(heap.log.borrow().len(), 0);
    heap.barrier_many(root);
    assert_eq!(heap.log.borrow().len(), 1);
}

#[test]
fn old_garbage_waits_for_a_full_collection() {
    let mut toy = Toy::default();
    let (heap, root) = heap_with_old_root(&mut toy);
    let child = object(&heap, 0);
    set(&heap, root, 0, child);
    minor(&heap, &mut toy);
    set(&heap, root, 0, Value::NIL);
    minor(&heap, &mut toy);
    assert!(live_objects(&heap).contains(&child));
    full(&heap, &mut toy);
    assert!(!live_objects(&heap).contains(&child));
}

#[test]
#[cfg(debug_assertions)]
fn the_verifier_finds_a_missing_barrier() {
    let mut toy = Toy::default();
    let (heap, root) = heap_with_old_root(&mut toy);
    let young = object(&heap, 0);
    toy.roots.push(young);
    // SAFETY: as below.
    unsafe { field_at(root, 4).write(young) };
    let collect = std::panic::AssertUnwindSafe(|| minor(&heap, &mut toy));
    let message = std::panic::catch_unwind(collect).unwrap_err();
    assert!(message.downcast_ref::<String>().unwrap().contains("refers to young"));
    finds_what_is_dead();
}

#[cfg(debug_assertions)]
fn finds_what_is_dead() {
    let mut toy = Toy::default();
    let (heap, root) = heap_with_old_root(&mut toy);
    // SAFETY: the object has five fields; leaving the barrier out is the point.
    unsafe { field_at(root, 4).write(object(&heap, 0)) };
    let collect = std::panic::AssertUnwindSafe(|| minor(&heap, &mut toy));
    let message = std::panic::catch_unwind(collect).unwrap_err();
    assert!(message.downcast_ref::<String>().unwrap().contains("refers to dead"));
}

#[test]
fn young_owners_are_released_by_a_minor_collection() {
    let mut toy = Toy::default();
    let (heap, root) = heap_with_old_root(&mut toy);
    let owners: Vec<Value> = (0..5000).map(|i| object(&heap, i % 20)).collect();
    owners.iter().for_each(|owner| heap.mark_owning(owner.as_heap().unwrap()));
    set(&heap, root, 0, owners[0]);
    minor(&heap, &mut toy);
    assert_eq!(toy.released.iter().copied().collect::<HashSet<_>>(), owners[1..].iter().copied().collect());
    assert_eq!(live_objects(&heap).len(), 2);
    assert_eq!(heap.stats().freed_objects, 4999);
}

#[test]
fn pages_emptied_by_a_minor_collection_are_taken_before_new_regions() {
    let mut toy = Toy::default();
    let (heap, _) = heap_with_old_root(&mut toy);
    for fields in [127, 63, 31] {
        for _ in 0..(3 << 20) / (8 + 8 * fields) {
            object(&heap, fields);
        }
        minor(&heap, &mut toy);
    }
    assert_eq!(heap.stats().regions, 2);
}

#[test]
fn random_graphs_survive_minor_collections() {
    let mut aged = 0;
    for seed in 1..7 {
        let (heap, mut toy, mut random) = (Heap::new(), Toy::default(), Random(seed * 0xDEAD_BEEF));
        let mut survivors = HashSet::new();
        for round in 0..30 {
            mutate(&heap, &mut toy, &mut random, 300);
            if round % 7 == 6 {
                full(&heap, &mut toy);
                assert_eq!(live_objects(&heap), reachable(&toy.roots));
            } else {
                let young: HashSet<Value> = live_objects(&heap).into_iter().filter(|object| !is_old(*object)).collect();
                minor(&heap, &mut toy);
                let (live, wanted) = (live_objects(&heap), reachable(&toy.roots));
                assert!(wanted.is_subset(&live));
                assert!(live.intersection(&survivors).all(|object| is_old(*object)));
                aged += live.iter().filter(|object| !is_old(**object)).count();
                assert!(live.len() <= wanted.len() + 30 * 300 && young.iter().any(|object| !live.contains(object)));
            }
            let stats = heap.stats();
            survivors = live_objects(&heap);
            assert_eq!(stats.live_objects() as usize, survivors.len());
            assert_eq!(stats.old_objects as usize, survivors.iter().filter(|object| is_old(**object)).count());
        }
    }
    assert_ne!(aged, 0);
}

#[test]
fn what_lives_through_one_minor_collection_may_die_in_the_next() {
    let mut toy = Toy::default();
    let (heap, root) = heap_with_old_root(&mut toy);
    let young = object(&heap, 1);
    set(&heap, young, 0, object(&heap, 0));
    toy.roots.push(young);
    minor(&heap, &mut toy);
    assert!(!is_old(young) && !is_old(get(young, 0)));
    toy.roots.pop();
    minor(&heap, &mut toy);
    assert_eq!(live_objects(&heap), reachable(&[root]));
}

#[test]
fn what_lives_through_two_minor_collections_is_old() {
    let mut toy = Toy::default();
    let (heap, _) = heap_with_old_root(&mut toy);
    let parent = object(&heap, 2);
    toy.roots.push(parent);
    set(&heap, parent, 0, object(&heap, 0));
    minor(&heap, &mut toy);
    // What it refers to by then becomes old with it.
    set(&heap, parent, 1, object(&heap, 0));
    assert!(heap.log.borrow().is_empty());
    minor(&heap, &mut toy);
    assert!([parent, get(parent, 0), get(parent, 1)].into_iter().all(is_old));
    assert_eq!(heap.stats().old_objects as usize, live_objects(&heap).len());
}

#[test]
fn what_an_old_object_refers_to_is_old_whichever_way_is_found_first() {
    let mut toy = Toy::default();
    let (heap, root) = heap_with_old_root(&mut toy);
    let (first, second) = (object(&heap, 1), object(&heap, 1));
    set(&heap, first, 0, second);
    set(&heap, second, 0, first);
    toy.roots.extend([first, second]);
    set(&heap, root, 0, second);
    let elder = object(&heap, 1);
    toy.roots.push(elder);
    minor(&heap, &mut toy);
    assert!(is_old(first) && is_old(second) && !is_old(elder));
    let child = object(&heap, 1);
    set(&heap, child, 0, object(&heap, 0));
    toy.roots.insert(0, child);
    set(&heap, elder, 0, child);
    minor(&heap, &mut toy);
    assert!([elder, child, get(child, 0)].into_iter().all(is_old));
}

#[test]
fn collections_of_several_heaps_leave_nothing_aged() {
    let mut toy = Toy::default();
    let (heap, _) = heap_with_old_root(&mut toy);
    let (kept, dropped) = (object(&heap, 0), object(&heap, 0));
    toy.roots.extend([kept, dropped]);
    minor(&heap, &mut toy);
    assert!(!is_old(kept));
    toy.roots.pop();
    let other = Heap::new();
    Heap::collect_together(&[&heap, &other], &mut toy, Collection::Minor);
    assert!(is_old(kept) && !live_objects(&heap).contains(&dropped));
    assert_eq!((heap.stats().full_collections, heap.stats().minor_collections), (1, 2));
}

#[test]
fn young_shareable_objects_survive_minor_collections() {
    let mut toy = Toy::default();
    let (heap, _) = heap_with_old_root(&mut toy);
    for expected in 2..6 {
        object(&heap, 2);
        object_with(&heap, 1, flags::SHAREABLE);
        heap.collect(&mut toy, Collection::Minor, true);
        assert_eq!(live_objects(&heap).len(), expected);
    }
}

#[test]
fn adopting_makes_the_next_collection_a_full_one() {
    let mut toy = Toy::default();
    let (heap, root) = heap_with_old_root(&mut toy);
    let other = Heap::new();
    let foreign = object_with(&other, 0, flags::SHAREABLE);
    set(&heap, root, 0, foreign);
    heap.collect(&mut toy, Collection::Minor, true);
    heap.adopt(other);
    minor(&heap, &mut toy);
    assert!(live_objects(&heap).contains(&foreign));
    assert_eq!((heap.stats().full_collections, heap.stats().minor_collections), (2, 1));
}

#[test]
fn a_full_collection_is_due_when_much_became_old() {
    let mut toy = Toy::default();
    let (heap, root) = heap_with_old_root(&mut toy);
    let mut list = root;
    for _ in 0..4 << 10 {
        let next = object(&heap, 127);
        set(&heap, list, 0, next);
        list = next;
    }
    heap.advance(&mut toy);
    assert_eq!((heap.stats().minor_collections, heap.phase()), (1, Phase::Idle));
    heap.advance(&mut toy);
    assert_ne!(heap.phase(), Phase::Idle);
}

#[test]
fn a_nursery_grows_when_what_became_old_dies_and_shrinks_again() {
    let mut toy = Toy::default();
    let (heap, root) = heap_with_old_root(&mut toy);
    let first = heap.stats().allowance_bytes;
    let keep_for_a_while = |toy: &mut Toy| {
        let mut list = root;
        for _ in 0..2 << 10 {
            let next = object(&heap, 127);
            set(&heap, list, 0, next);
            list = next;
        }
        minor(&heap, toy);
    };
    for times in [2, 4] {
        keep_for_a_while(&mut toy);
        set(&heap, root, 0, Value::NIL);
        heap.collect(&mut toy, Collection::Full, false);
        assert_eq!(heap.stats().allowance_bytes, times * first);
    }
    keep_for_a_while(&mut toy);
    heap.collect(&mut toy, Collection::Full, false);
    assert_eq!(heap.stats().allowance_bytes, 2 * first);
}
