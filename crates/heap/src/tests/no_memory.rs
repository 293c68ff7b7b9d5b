//! Marking when the system has no memory for a longer stack.

use super::graphs::{Random, mutate, reachable};
use super::*;
use crate::mark::MOST_ENTRIES;

/// No stack at all, and one of the shortest length.
const LIMITS: [usize; 2] = [0, 8192];

/// Runs with a stack of `most` edges at most.
fn limited<R>(most: usize, run: impl FnOnce() -> R) -> R {
    MOST_ENTRIES.set(most);
    let result = run();
    MOST_ENTRIES.set(usize::MAX);
    result
}

/// An object with `len` fields beside it, each one a list of two objects.
fn wide(heap: &Heap, len: usize) -> Value {
    let holder = object(heap, 1);
    let block = side::allocate(len);
    heap.set_side_block(holder.as_heap().unwrap(), block.as_ptr());
    for i in 0..len {
        let (first, second) = (object(heap, 2), object(heap, 2));
        set(heap, first, 0, second);
        set(heap, second, 1, holder);
        // SAFETY: the block has that many fields.
        unsafe { block.add(i).write(first) };
    }
    holder
}

#[test]
fn a_collection_ends_without_memory_for_its_stack() {
    for most in LIMITS {
        let (heap, mut toy) = (Heap::new(), Toy::default());
        let root = wide(&heap, 20_000);
        wide(&heap, 20_000);
        toy.roots.push(root);
        limited(most, || heap.collect(&mut toy, Collection::Full, false));
        heap.verify(&mut toy, false).unwrap();
        assert_eq!((live_objects(&heap).len(), heap.stats().freed_objects), (40_001, 40_001));
    }
}

#[test]
fn many_roots_need_no_memory_either() {
    for most in LIMITS {
        let (heap, mut toy) = (Heap::new(), Toy::default());
        for _ in 0..20_000 {
            let root = object(&heap, 2);
            set(&heap, root, 1, object(&heap, 3));
            toy.roots.push(root);
        }
        limited(most, || heap.collect(&mut toy, Collection::Full, false));
        heap.verify(&mut toy, false).unwrap();
        assert_eq!(live_objects(&heap).len(), 40_000);
    }
}

#[test]
fn random_graphs_live_as_the_model_says_without_a_stack() {
    let (heap, mut toy, mut random) = (Heap::new(), Toy::default(), Random(77));
    for round in 0..12 {
        mutate(&heap, &mut toy, &mut random, 700);
        let kind = if round % 3 == 0 { Collection::Full } else { Collection::Minor };
        limited(0, || heap.collect(&mut toy, kind, false));
        heap.verify(&mut toy, false).unwrap();
        let wanted = reachable(&toy.roots);
        match kind {
            Collection::Full => assert_eq!(live_objects(&heap), wanted),
            Collection::Minor => assert!(wanted.is_subset(&live_objects(&heap))),
        }
    }
}

#[test]
fn objects_become_aged_and_old_without_memory_for_the_stack() {
    for most in LIMITS {
        let (heap, mut toy) = (Heap::new(), Toy::default());
        let root = object(&heap, 1);
        toy.roots.push(root);
        full(&heap, &mut toy);
        let others = || live_objects(&heap).len() - 1;
        let young = wide(&heap, 1000);
        toy.roots.push(young);
        limited(most, || heap.collect(&mut toy, Collection::Minor, false));
        heap.verify(&mut toy, false).unwrap();
        assert_eq!((others(), heap.stats().old_objects), (2001, 1));
        // From an old object that the log names, and from a root.
        set(&heap, root, 0, wide(&heap, 1000));
        limited(most, || heap.collect(&mut toy, Collection::Minor, false));
        heap.verify(&mut toy, false).unwrap();
        assert_eq!((others(), heap.stats().old_objects), (4002, 4003));
    }
}

#[test]
fn steps_end_without_memory_for_their_stack() {
    for most in LIMITS {
        let (heap, mut toy) = (Heap::new(), Toy::default());
        let root = wide(&heap, 20_000);
        wide(&heap, 100);
        toy.roots.push(root);
        limited(most, || {
            heap.step(&mut toy, 500);
            while heap.phase() != Phase::Idle {
                heap.step(&mut toy, 500);
            }
        });
        heap.verify(&mut toy, false).unwrap();
        assert_eq!(live_objects(&heap).len(), 40_001);
    }
}

#[test]
fn the_verifier_says_that_it_had_no_memory() {
    let (heap, mut toy) = (Heap::new(), Toy::default());
    let root = wide(&heap, 200);
    toy.roots.push(root);
    full(&heap, &mut toy);
    let fault = limited(0, || heap.verify(&mut toy, false));
    assert_eq!(fault, Err("no memory to look at all references".to_string()));
}
