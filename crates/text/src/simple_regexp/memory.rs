//! What a search remembers of what it tried, so that it takes time in proportion to the text.
//!
//! Whether the rest of a pattern matches from an instruction on depends on the place alone, unless it refers to groups. So
//! what was tried there once and left without success need not be tried again, from whichever beginning. Every instruction
//! with a choice has a row of bits, one a place.
//!
//! # Invariants
//! A set bit says that what the row stands for failed there, or that the path under way goes through it. Paths never come
//! back to the same instruction at the same place: loops that take nothing are not read. What was noted within a part that
//! matched in the end (a look-around, an atomic group) is forgotten: only what failed stays.

use super::program::{Insn, Program};

/// More would be a strain for the system: the engine takes over.
const MOST_BYTES: usize = 256 << 20;

/// Which instructions have rows.
pub(super) struct Rows {
    /// By instruction.
    rows: Box<[u32]>,
    count: usize,
}

/// Instructions without a row.
const NONE: u32 = u32::MAX;

impl Rows {
    /// Nothing if what matches depends on more than the place.
    pub(super) fn new(insns: &[Insn]) -> Option<Rows> {
        let mut count = 0;
        let mut row_of = |insn: &Insn| {
            let has_row = match insn {
                Insn::Split(_) | Insn::SplitBack(_) => true,
                Insn::Repeat { times, .. } => !times.is_fixed(),
                Insn::Look { .. } | Insn::EndLook | Insn::Atomic { .. } => true,
                _ => false,
            };
            count += u32::from(has_row);
            if has_row { count - 1 } else { NONE }
        };
        let rows = insns.iter().map(&mut row_of).collect();
        let depends_on_groups = insns.iter().any(|insn| matches!(insn, Insn::Again(_)));
        (!depends_on_groups).then_some(Rows { rows, count: count as usize })
    }

    pub(super) fn memsize(&self) -> usize {
        size_of_val(&*self.rows)
    }
}

/// The last run of characters that a repetition took as far as it went.
#[derive(Clone, Copy)]
struct Run {
    begin: usize,
    end: usize,
    /// From here to the end everything that may follow the repetition was tried.
    tried_from: usize,
}

pub(super) struct Memory<'a> {
    rows: &'a Rows,
    bits: Vec<u64>,
    places: usize,
    runs: Vec<Option<Run>>,
    /// Bits that were set within a part, the parts around it included.
    noted: Vec<usize>,
}

impl<'a> Memory<'a> {
    /// Nothing if the pattern's matches depend on groups, or the text is too long.
    pub(super) fn new(program: &'a Program, len: usize) -> Option<Memory<'a>> {
        let rows = program.rows.as_ref()?;
        let places = len + 1;
        let words = rows.count.checked_mul(places)?.div_ceil(64);
        let mut bits = Vec::new();
        if words * size_of::<u64>() > MOST_BYTES || bits.try_reserve_exact(words).is_err() {
            return None;
        }
        bits.resize(words, 0);
        Some(Memory { rows, bits, places, runs: vec![None; rows.count], noted: Vec::new() })
    }

    fn row(&self, insn: usize) -> usize {
        self.rows.rows[insn] as usize
    }

    /// Notes a place of an instruction; whether it was noted before.
    pub(super) fn note(&mut self, insn: usize, at: usize, is_in_part: bool) -> bool {
        let bit = self.row(insn) * self.places + at;
        let (word, mask) = (bit / 64, 1 << (bit % 64));
        let was_noted = self.bits[word] & mask != 0;
        self.bits[word] |= mask;
        if is_in_part && !was_noted {
            self.noted.push(bit);
        }
        was_noted
    }

    pub(super) fn is_noted(&self, insn: usize, at: usize) -> bool {
        let bit = self.row(insn) * self.places + at;
        self.bits[bit / 64] & (1 << (bit % 64)) != 0
    }

    /// What is to be given to [`Memory::forget`] if the part that begins now matches.
    pub(super) fn mark(&self) -> usize {
        self.noted.len()
    }

    pub(super) fn forget(&mut self, mark: usize) {
        for bit in self.noted.drain(mark..) {
            self.bits[bit / 64] &= !(1 << (bit % 64));
        }
        // What was tried of a run is no longer known.
        self.runs.iter_mut().flatten().for_each(|run| run.tried_from = usize::MAX);
    }

    /// Where the last run of a repetition began and ended.
    pub(super) fn run(&self, insn: usize) -> Option<(usize, usize)> {
        self.runs[self.row(insn)].map(|run| (run.begin, run.end))
    }

    /// What was tried behind the same run, entered further on, stays known.
    pub(super) fn keep_run(&mut self, insn: usize, begin: usize, end: usize) {
        let row = self.row(insn);
        let tried_from = self.runs[row].filter(|run| run.end == end).map_or(usize::MAX, |run| run.tried_from);
        self.runs[row] = Some(Run { begin, end, tried_from });
    }

    /// The last place of a run, from `at` backwards, behind which what follows the repetition was not tried yet.
    pub(super) fn last_untried(&self, insn: usize, at: usize) -> usize {
        match self.runs[self.row(insn)] {
            Some(run) if run.tried_from <= at && at <= run.end => run.tried_from,
            _ => at,
        }
    }

    /// What follows was tried at a place, and everywhere from there to the run's end.
    pub(super) fn tried_down_to(&mut self, insn: usize, at: usize) {
        let row = self.row(insn);
        if let Some(run) = &mut self.runs[row]
            && run.begin <= at
            && (at == run.end || run.tried_from != usize::MAX)
        {
            run.tried_from = run.tried_from.min(at);
        }
    }
}
