//! What `Coverage` counts in the code of a file.
//!
//! While coverage is on, the compiler puts a `coverage` instruction wherever something is to be counted and lists the places
//! ([`Places`]); the loader gives the unit counters for them ([`Counts`]). Code that was compiled at other times has neither.

use carat_sync::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};

/// What is counted.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Targets {
    pub lines: bool,
    pub branches: bool,
    pub methods: bool,
}

/// What a `coverage` instruction is for: its `n`.
pub mod counted {
    /// `d` is the number of a place in [`Places::lines`](super::Places::lines).
    pub const LINE: u8 = 0;
    /// `d` is the number of the branch.
    pub const BRANCH: u8 = 1;
    /// The method that runs.
    pub const METHOD: u8 = 2;
}

/// A part of the source: columns count bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Extent {
    pub first_line: i32,
    pub first_column: u32,
    pub last_line: i32,
    pub last_column: u32,
}

/// A place where the program goes one of several ways.
#[derive(Clone, Debug)]
pub struct Fork {
    /// `if`, `case`, `while`, `&.`
    pub kind: &'static str,
    pub extent: Extent,
    pub branches: Vec<Branch>,
}

#[derive(Clone, Debug)]
pub struct Branch {
    /// `then`, `else`, `when`, `in`, `body`
    pub kind: &'static str,
    pub extent: Extent,
    /// Its number among all branches of the unit.
    pub number: u32,
}

/// What the compiler found to count.
#[derive(Clone, Default, Debug)]
pub struct Places {
    /// The line of each place where a statement begins.
    pub lines: Vec<i32>,
    pub forks: Vec<Fork>,
    /// How many branches the forks have together.
    pub branches: u32,
    /// Where the code of methods and blocks is in the pack, and in the source.
    pub methods: Vec<(u32, Extent)>,
}

/// Counters of the lines of a path; what is evaluated under the path of a file counts there too.
pub struct LineCounts {
    /// Of each line, or [`LineCounts::NOTHING`].
    counts: Box<[AtomicI64]>,
    /// If only the first run of a place counts: the lines of those that ran, in order.
    ran: Option<Mutex<Vec<i32>>>,
}

impl LineCounts {
    /// Stands for a line where nothing begins.
    const NOTHING: i64 = -1;

    pub fn new(lines: usize, once: bool) -> LineCounts {
        let counts = (0..lines).map(|_| AtomicI64::new(LineCounts::NOTHING)).collect();
        LineCounts { counts, ran: once.then(Mutex::default) }
    }

    fn of(&self, line: i32) -> Option<&AtomicI64> {
        self.counts.get(usize::try_from(line).ok()?.checked_sub(1)?)
    }

    /// A statement begins on the line.
    fn add(&self, line: i32) {
        self.of(line).into_iter().for_each(|count| count.store(0, Ordering::Relaxed));
    }

    fn count(&self, place: &LinePlace) {
        match &self.ran {
            None => self.of(place.line).into_iter().for_each(|count| {
                count.fetch_add(1, Ordering::Relaxed);
            }),
            Some(ran) if place.line > 0 && !place.has_run.swap(true, Ordering::Relaxed) => {
                ran.lock().unwrap_or_else(|e| e.into_inner()).push(place.line);
            }
            Some(_) => {}
        }
    }

    /// How often each line ran; `None` where nothing begins.
    pub fn counts(&self) -> impl Iterator<Item = Option<i64>> {
        self.counts.iter().map(|count| Some(count.load(Ordering::Relaxed)).filter(|n| *n != LineCounts::NOTHING))
    }

    /// The lines that ran, if only the first run counts.
    pub fn ran(&self) -> Option<Vec<i32>> {
        self.ran.as_ref().map(|ran| ran.lock().unwrap_or_else(|e| e.into_inner()).clone())
    }

    pub fn clear(&self) {
        for count in self.counts.iter().filter(|count| count.load(Ordering::Relaxed) != LineCounts::NOTHING) {
            count.store(0, Ordering::Relaxed);
        }
        if let Some(ran) = &self.ran {
            ran.lock().unwrap_or_else(|e| e.into_inner()).clear();
        }
    }
}

/// A place that counts a line.
struct LinePlace {
    line: i32,
    has_run: AtomicBool,
}

/// The counters of a unit.
pub struct Counts {
    pub targets: Targets,
    pub lines: Arc<LineCounts>,
    places: Box<[LinePlace]>,
    pub forks: Vec<Fork>,
    branches: Box<[AtomicU64]>,
    methods: Vec<(u32, Extent)>,
}

impl Counts {
    pub fn new(targets: Targets, lines: Arc<LineCounts>, places: Places) -> Counts {
        places.lines.iter().for_each(|line| lines.add(*line));
        let branches = (0..places.branches).map(|_| AtomicU64::new(0)).collect();
        let line_place = |line| LinePlace { line, has_run: AtomicBool::new(false) };
        let line_places = places.lines.into_iter().map(line_place).collect();
        Counts { targets, lines, places: line_places, forks: places.forks, branches, methods: places.methods }
    }

    /// Counts a line or a branch.
    pub fn count(&self, kind: u8, number: i32) {
        let Ok(number) = usize::try_from(number) else { return };
        match kind {
            counted::LINE => self.places.get(number).into_iter().for_each(|place| self.lines.count(place)),
            _ => self.branches.get(number).into_iter().for_each(|count| {
                count.fetch_add(1, Ordering::Relaxed);
            }),
        }
    }

    pub fn branch(&self, number: u32) -> u64 {
        self.branches[number as usize].load(Ordering::Relaxed)
    }

    pub fn clear(&self) {
        self.lines.clear();
        self.branches.iter().for_each(|count| count.store(0, Ordering::Relaxed));
    }

    /// Where the code at a place of the pack is in the source.
    pub(crate) fn extent(&self, at: u32) -> Option<Extent> {
        self.methods.iter().find(|(place, _)| *place == at).map(|(_, extent)| *extent)
    }
}
