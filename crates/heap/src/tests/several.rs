//! Two heaps that share objects, all kinds of collections, side blocks and owners, against a model.

use super::graphs::{Random, random_size};
use super::*;

/// A heap, its roots, and what a model knows about both.
struct Side {
    heap: Heap,
    toy: Toy,
}

fn is_shareable(value: &Value) -> bool {
    value.header().is_some_and(|header| header.has(flags::SHAREABLE))
}

fn references(object: Value) -> Vec<Value> {
    let count = object.header().unwrap().shape().0 as usize;
    let mut references: Vec<Value> = (0..count).map(|i| get(object, i)).collect();
    if let Some(block) = side::of(object.as_heap().unwrap()) {
        // SAFETY: the object is alive, so its block is.
        references.extend((0..unsafe { side::capacity(block) }).map(|i| unsafe { block.add(i).read() }));
    }
    references
}

/// What the roots lead to, going no further than `stop`.
fn reached(roots: impl IntoIterator<Item = Value>, stop: impl Fn(&Value) -> bool) -> HashSet<Value> {
    let mut seen = HashSet::new();
    let mut waiting: Vec<Value> = roots.into_iter().collect();
    while let Some(value) = waiting.pop() {
        if value.is_heap() && !stop(&value) && seen.insert(value) {
            waiting.extend(references(value));
        }
    }
    seen
}

impl Side {
    fn new() -> Side {
        Side { heap: Heap::new(), toy: Toy::default() }
    }

    fn shareables(&self) -> Vec<Value> {
        live_objects(&self.heap).into_iter().filter(is_shareable).collect()
    }

    /// What has to survive a collection of this heap alone.
    fn alone(&self) -> HashSet<Value> {
        let own = live_objects(&self.heap);
        reached(self.toy.roots.iter().copied().chain(self.shareables()), |value| !own.contains(value))
    }

    fn make(&self, random: &mut Random) -> Value {
        let shareable = if random.below(30) == 0 { flags::SHAREABLE } else { 0 };
        let fresh = object_with(&self.heap, random_size(random), shareable);
        let slot = fresh.as_heap().unwrap();
        match random.below(6) {
            0 => self.heap.mark_owning(slot),
            1 => self.heap.set_side_block(slot, side::allocate(random.below(4)).as_ptr()),
            _ => {}
        }
        fresh
    }

    /// Makes objects, and stores own ones or `foreign` shareable ones into own ones; shareable ones are only read.
    fn mutate(&mut self, random: &mut Random, foreign: &[Value]) {
        let mut known: Vec<Value> = reached(self.toy.roots.iter().copied(), is_shareable).into_iter().collect();
        known.sort_by_key(|value| value.bits());
        for _ in 0..400 {
            let fresh = self.make(random);
            if is_shareable(&fresh) {
                continue;
            }
            known.push(fresh);
            let from = known[random.below(known.len())];
            let to = if random.below(5) == 0 && !foreign.is_empty() { foreign } else { &known };
            let to = to[random.below(to.len())];
            self.store(from, to, random);
            if random.below(30) == 0 {
                self.toy.roots.push(fresh);
            }
        }
        while self.toy.roots.len() > 20 {
            self.toy.roots.swap_remove(random.below(self.toy.roots.len()));
        }
    }

    fn store(&self, from: Value, to: Value, random: &mut Random) {
        set(&self.heap, from, random.below(from.header().unwrap().shape().0 as usize), to);
        let Some(block) = side::of(from.as_heap().unwrap()) else { return };
        // SAFETY: the object is alive, so its block is; the index is below its capacity.
        unsafe {
            if side::capacity(block) > 0 {
                self.heap.barrier_many(from);
                block.add(random.below(side::capacity(block))).write(to);
            }
        }
    }

    fn collect_alone(&mut self, kind: Collection) {
        let wanted = self.alone();
        self.heap.collect(&mut self.toy, kind, true);
        self.heap.verify(&mut self.toy, true).unwrap();
        let live = live_objects(&self.heap);
        assert!(wanted.is_subset(&live));
        assert!(kind == Collection::Minor || wanted == live);
        assert_eq!(self.heap.stats().live_objects() as usize, live.len());
    }
}

fn collect_both(first: &mut Side, second: &Side, kind: Collection) {
    let own = first.toy.roots.len();
    first.toy.roots.extend(&second.toy.roots);
    let wanted = reached(first.toy.roots.iter().copied(), |_| false);
    Heap::collect_together(&[&first.heap, &second.heap], &mut first.toy, kind);
    first.toy.roots.truncate(own);
    let live = live_objects(&first.heap).union(&live_objects(&second.heap)).copied().collect::<HashSet<_>>();
    assert!(wanted.is_subset(&live));
    assert!(kind == Collection::Minor || wanted == live);
    // One heap's thread may be late.
    second.heap.release_waiting(&mut Toy::default());
    if kind == Collection::Minor {
        first.heap.release_waiting(&mut first.toy);
    }
}

/// Keeps some foreign shareable objects in sight, but none that `collect_both` may have freed.
fn some_shareables(side: &Side) -> Vec<Value> {
    let mut found = side.shareables();
    found.sort_by_key(|value| value.bits());
    found
}

#[test]
fn each_heap_releases_what_its_dead_objects_owned() {
    let (mut first, mut second) = (Side::new(), Side::new());
    let dead = [&first, &second].map(|side| {
        let owner = object(&side.heap, 1);
        side.heap.mark_owning(owner.as_heap().unwrap());
        owner
    });
    Heap::collect_together(&[&first.heap, &second.heap], &mut first.toy, Collection::Minor);
    assert!(first.toy.released.is_empty() && first.heap.collection_due() && second.heap.collection_due());
    assert!(live_objects(&second.heap).is_empty());
    second.heap.release_waiting(&mut second.toy);
    assert_eq!(second.toy.released, [dead[1]]);
    // A heap whose thread comes too late is collected once more as it is.
    Heap::collect_together(&[&first.heap, &second.heap], &mut second.toy, Collection::Minor);
    first.heap.release_waiting(&mut first.toy);
    assert_eq!(first.toy.released, [dead[0]]);
    assert!(!first.heap.collection_due() && first.heap.phase() == crate::Phase::Idle);
}

#[test]
fn pages_that_wait_to_be_swept_are_not_released() {
    let mut toy = Toy::default();
    let (heap, other) = (Heap::new(), Heap::new());
    toy.roots.extend((0..100_000).map(|_| object(&heap, 1)));
    Heap::collect_together(&[&heap, &other], &mut toy, Collection::Full);
    let owner = object(&heap, 1);
    heap.mark_owning(owner.as_heap().unwrap());
    heap.step(&mut toy, 0);
    assert_eq!(heap.phase(), crate::Phase::Preparing);
    Heap::collect_together(&[&heap, &other], &mut toy, Collection::Minor);
    heap.release_waiting(&mut toy);
    let mut pages: Vec<_> = heap.pools().iter().flat_map(|pool| pool.all_pages()).map(|page| page.slot(0)).collect();
    let count = pages.len();
    pages.sort_unstable();
    pages.dedup();
    assert_eq!((pages.len(), toy.released.len()), (count, 1));
}

#[test]
fn minor_collections_of_two_heaps_together_keep_what_lives() {
    for seed in 1..4 {
        let mut random = Random(seed * 0x0DDB_A115);
        let (mut first, mut second) = (Side::new(), Side::new());
        for round in 0..30 {
            let shared = some_shareables(&second);
            first.mutate(&mut random, &shared);
            let shared = some_shareables(&first);
            second.mutate(&mut random, &shared);
            collect_both(&mut first, &second, if round % 9 == 8 { Collection::Full } else { Collection::Minor });
        }
        let stats = (first.heap.stats(), second.heap.stats());
        assert!(stats.0.minor_collections > 20 && stats.1.minor_collections > 20);
        [&first, &second].into_iter().for_each(|side| side.heap.release_all(&mut Toy::default()));
    }
}

#[test]
fn heaps_that_share_objects_live_as_the_model_says() {
    for seed in 1..4 {
        let mut random = Random(seed * 0x5851_F42D);
        let (mut first, mut second) = (Side::new(), Side::new());
        for _ in 0..25 {
            first.mutate(&mut random, &some_shareables(&second));
            second.mutate(&mut random, &some_shareables(&first));
            match random.below(8) {
                0 => collect_both(&mut first, &second, Collection::Full),
                1 => first.collect_alone(Collection::Full),
                2 => second.collect_alone(Collection::Full),
                3..6 => first.collect_alone(Collection::Minor),
                _ => second.collect_alone(Collection::Minor),
            }
        }
        let Side { heap, toy } = second;
        first.heap.adopt(heap);
        first.toy.roots.extend(toy.roots);
        for round in 0..20 {
            first.mutate(&mut random, &[]);
            first.collect_alone(if round % 5 == 4 { Collection::Full } else { Collection::Minor });
        }
        first.toy.roots.clear();
        first.heap.release_all(&mut first.toy);
    }
}
