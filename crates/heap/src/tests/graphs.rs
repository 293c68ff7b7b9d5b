//! Random graphs against a model, and graphs of extreme shapes.

use super::*;

/// A small generator with a fixed seed: failures have to repeat.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// What a model without a heap says is reachable.
pub(super) fn reachable(roots: &[Value]) -> HashSet<Value> {
    let mut seen = HashSet::new();
    let mut waiting = roots.to_vec();
    while let Some(value) = waiting.pop() {
        if value.is_heap() && seen.insert(value) {
            waiting.extend((0..value.header().unwrap().shape().0 as usize).map(|i| get(value, i)));
        }
    }
    seen
}

pub(super) fn random_size(random: &mut Random) -> usize {
    [1, 2, 3, 4, 5, 7, 9, 11, 15, 30, 60, 127][random.below(12)]
}

/// Makes objects and rewires live ones.
pub(super) fn mutate(heap: &Heap, toy: &mut Toy, random: &mut Random, steps: usize) {
    let mut known: Vec<Value> = reachable(&toy.roots).into_iter().collect();
    known.sort_by_key(|value| value.bits());
    for _ in 0..steps {
        let fresh = object(heap, random_size(random));
        if random.below(4) == 0 {
            heap.mark_owning(fresh.as_heap().unwrap());
        }
        known.push(fresh);
        let (from, to) = (known[random.below(known.len())], known[random.below(known.len())]);
        set(heap, from, random.below(from.header().unwrap().shape().0 as usize), to);
        if random.below(40) == 0 {
            toy.roots.push(fresh);
        }
    }
    while toy.roots.len() > 30 {
        toy.roots.swap_remove(random.below(toy.roots.len()));
    }
}

#[test]
fn random_graphs_live_as_the_model_says() {
    for seed in 1..9 {
        let (heap, mut toy, mut random) = (Heap::new(), Toy::default(), Random(seed * 0x9E37_79B9));
        for _ in 0..12 {
            mutate(&heap, &mut toy, &mut random, 700);
            full(&heap, &mut toy);
            assert_eq!(live_objects(&heap), reachable(&toy.roots));
        }
    }
}

#[test]
fn sweeping_is_exact_in_pages_of_every_size() {
    for bytes in carat_layout::POOL_SIZES {
        let (heap, mut toy, mut random) = (Heap::new(), Toy::default(), Random(bytes as u64));
        for share in [2, 10, 3] {
            let page = (64 << 10) / bytes as usize;
            let fresh = (0..2 * page + 7).map(|_| object(&heap, bytes as usize / 8 - 1));
            toy.roots.extend(fresh.filter(|_| random.below(share) == 0));
            full(&heap, &mut toy);
            assert_eq!(live_objects(&heap), toy.roots.iter().copied().collect());
        }
    }
}

#[test]
fn releases_match_what_died() {
    let (heap, mut toy, mut random) = (Heap::new(), Toy::default(), Random(77));
    for _ in 0..10 {
        mutate(&heap, &mut toy, &mut random, 500);
        let before = live_objects(&heap);
        let kept = reachable(&toy.roots);
        toy.released.clear();
        full(&heap, &mut toy);
        assert!(toy.released.iter().all(|object| before.contains(object) && !kept.contains(object)));
        assert_eq!(toy.released.iter().collect::<HashSet<_>>().len(), toy.released.len());
    }
}

#[test]
fn long_chains_need_no_recursion() {
    let heap = Heap::new();
    let mut head = object(&heap, 1);
    for _ in 0..200_000 {
        let next = object(&heap, 1);
        set(&heap, next, 0, head);
        head = next;
    }
    let mut toy = Toy { roots: vec![head], ..Toy::default() };
    full(&heap, &mut toy);
    assert_eq!(live_objects(&heap).len(), 200_001);
}

/// Marks elements of a vector, some words of which are zero, as one range.
struct Ranged(Vec<Option<Value>>, Toy);

impl Client for Ranged {
    fn roots(&mut self, marker: &mut Marker<'_>) {
        let owner = self.0.iter().flatten().next().and_then(|v| v.as_heap()).expect("a value is a heap object");
        // SAFETY: the vector stays as it is during the collection, and `None` is a zero word.
        unsafe { marker.mark_range(owner, self.0.as_ptr().cast(), self.0.len()) }
    }
    fn contents(&self, _owner: NonNull<Header>) -> (*const Value, usize) {
        (self.0.as_ptr().cast(), self.0.len())
    }
    fn trace(&mut self, object: NonNull<Header>, marker: &mut Marker<'_>) {
        self.1.trace(object, marker);
    }
    fn window(&self, _object: NonNull<Header>) -> Option<Window> {
        None
    }

    fn after_mark(&mut self, live: &Liveness<'_>) {
        self.1.after_mark(live);
    }
    fn release(&mut self, heap: &Heap, object: NonNull<Header>) {
        self.1.release(heap, object);
    }
}

#[test]
fn long_ranges_are_marked_whole() {
    let heap = Heap::new();
    let values = (0..10_001).map(|i| (i % 10 != 0).then(|| object(&heap, i % 3))).collect();
    let mut client = Ranged(values, Toy::default());
    let live = client.0.iter().flatten().copied().collect::<HashSet<_>>();
    object(&heap, 3);
    heap.collect(&mut client as &mut dyn Client, Collection::Full, false);
    assert_eq!(live_objects(&heap), live);
}
