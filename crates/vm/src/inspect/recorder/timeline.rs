//! What lived when: a point for each collection, and now and then what the living consists of.
//!
//! # How
//! Each collection leaves a point. Of some it is also counted what lives, by class and by site: of all full ones, and of minor
//! ones when at least as much was allocated since the last count as that went through. So counting costs each object a bounded
//! number of looks. The count with most bytes is the peak, which the [contexts](super::Context) know by stack.
//!
//! # Limits
//! What became large and died between two counts is not seen. When there are too many points or counts, every second one goes.

use super::ledger::{Count, Ledger, Tally};
use super::site::SiteId;
use carat_heap::Heap;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

const MAX_POINTS: usize = 2048;
const MAX_COUNTS: usize = 256;
/// Classes and sites of one count, those with most bytes.
const MAX_PARTS: usize = 40;
/// Fewer allocations since the last count are not worth one.
const LEAST: u64 = 10_000;

/// A collection.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    pub time: Duration,
    pub is_full: bool,
    /// Objects made until then.
    pub allocated_objects: u64,
    /// Slots in use and memory outside them, as the collection left them.
    pub heap_bytes: u64,
    /// Of the process; zero where the system does not tell.
    pub resident_bytes: u64,
}

/// What lived after a collection.
#[derive(Clone, Debug)]
pub struct Living {
    pub time: Duration,
    pub live: Count,
    pub by_class: Vec<(Arc<str>, Count)>,
    pub by_site: Vec<(SiteId, Count)>,
}

pub struct Timeline {
    start: Instant,
    pub points: Vec<Point>,
    pub living: Vec<Living>,
    /// The one with most bytes; it may have gone from the list.
    pub peak: Option<Living>,
    /// Most objects that were made between two collections.
    pub longest_interval: u64,
    /// Objects made when something was counted last, and how much that went through.
    counted_at: u64,
    counted: u64,
    /// One in so many is kept.
    point_step: u32,
    living_step: u32,
    points_seen: u32,
    living_seen: u32,
}

impl Timeline {
    pub(crate) fn new() -> Timeline {
        Timeline {
            start: Instant::now(),
            points: Vec::new(),
            living: Vec::new(),
            peak: None,
            longest_interval: 0,
            counted_at: 0,
            counted: 0,
            point_step: 1,
            living_step: 1,
            points_seen: 0,
            living_seen: 0,
        }
    }

    /// Whether it is time to count what lives, when `made` objects were.
    pub(crate) fn wants_count(&self, made: u64, is_full: bool) -> bool {
        is_full || made - self.counted_at >= self.counted.max(LEAST)
    }

    pub(crate) fn add_point(&mut self, heap: &Heap, is_full: bool, made: u64, made_since: u64) {
        self.longest_interval = self.longest_interval.max(made_since);
        if keeps(&mut self.points_seen, self.point_step) {
            let stats = heap.stats();
            self.points.push(Point {
                time: self.start.elapsed(),
                is_full,
                allocated_objects: made,
                heap_bytes: (stats.used_bytes + stats.external_bytes) as u64,
                resident_bytes: carat_os::resident().map_or(0, |resident| resident.bytes),
            });
            thin(&mut self.points, MAX_POINTS, &mut self.point_step);
        }
    }

    /// Files a count; true if it is the new peak.
    pub(crate) fn add_count(&mut self, count: &LiveCount, ledger: &Ledger, made: u64) -> bool {
        (self.counted_at, self.counted) = (made, count.total.objects);
        let is_peak = self.peak.as_ref().is_none_or(|peak| peak.live.bytes < count.total.bytes);
        let is_kept = keeps(&mut self.living_seen, self.living_step);
        if is_peak || is_kept {
            let living = count.parts(self.start.elapsed(), &ledger.tallies);
            if is_kept {
                self.living.push(living.clone());
                thin(&mut self.living, MAX_COUNTS, &mut self.living_step);
            }
            if is_peak {
                self.peak = Some(living);
            }
        }
        is_peak
    }
}

fn keeps(seen: &mut u32, step: u32) -> bool {
    *seen = seen.wrapping_add(1);
    seen.is_multiple_of(step)
}

fn thin<T>(list: &mut Vec<T>, most: usize, step: &mut u32) {
    if list.len() >= most {
        let mut number = 0;
        list.retain(|_| {
            number += 1;
            number % 2 == 0
        });
        *step *= 2;
    }
}

/// What a collection finds living, while it is counted.
#[derive(Default)]
pub(crate) struct LiveCount {
    total: Count,
    by_tally: Vec<Count>,
    pub(crate) by_context: Vec<Count>,
}

impl LiveCount {
    pub(crate) fn new(contexts: usize) -> LiveCount {
        LiveCount { by_context: vec![Count::default(); contexts], ..LiveCount::default() }
    }

    pub(crate) fn add(&mut self, tally: u32, context: usize, bytes: usize) {
        let at = tally as usize;
        if at >= self.by_tally.len() {
            self.by_tally.resize(at + 1, Count::default());
        }
        self.by_tally[at].add(bytes);
        self.by_context[context].add(bytes);
        self.total.add(bytes);
    }

    fn parts(&self, time: Duration, tallies: &[Tally]) -> Living {
        let (mut classes, mut sites): (FxHashMap<&Arc<str>, Count>, FxHashMap<SiteId, Count>) = Default::default();
        for (tally, live) in tallies.iter().zip(&self.by_tally).filter(|(_, live)| live.objects > 0) {
            classes.entry(&tally.class).or_default().merge(*live);
            sites.entry(tally.site).or_default().merge(*live);
        }
        let by_class = largest(classes).into_iter().map(|(class, count)| (class.clone(), count)).collect();
        Living { time, live: self.total, by_class, by_site: largest(sites) }
    }
}

fn largest<K: Ord>(sums: FxHashMap<K, Count>) -> Vec<(K, Count)> {
    let mut list: Vec<(K, Count)> = sums.into_iter().collect();
    list.sort_unstable_by(|a, b| b.1.bytes.cmp(&a.1.bytes).then_with(|| a.0.cmp(&b.0)));
    list.truncate(MAX_PARTS);
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_keeps_points_from_all_of_it() {
        let (mut list, mut step, mut seen) = (Vec::new(), 1, 0);
        for number in 1..=100_000_u32 {
            if keeps(&mut seen, step) {
                list.push(number);
                thin(&mut list, 64, &mut step);
            }
        }
        assert!(list.len() < 64 && list.len() >= 16, "{}", list.len());
        let gaps: Vec<u32> = list.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(gaps.iter().all(|gap| *gap == gaps[0]), "{gaps:?}");
    }

    #[test]
    fn counting_what_lives_is_paid_for_by_what_was_made() {
        let mut timeline = Timeline::new();
        let mut count = LiveCount::new(1);
        (0..50_000).for_each(|_| count.add(0, 0, 40));
        assert!(timeline.add_count(&count, &Ledger::default(), 100_000));
        assert!(!timeline.wants_count(149_999, false));
        assert!(timeline.wants_count(150_000, false) && timeline.wants_count(100_001, true));
        // As many bytes are no new peak.
        assert!(!timeline.add_count(&count, &Ledger::default(), 200_000));
        assert_eq!(timeline.peak.map(|peak| peak.live.objects), Some(50_000));
    }
}
