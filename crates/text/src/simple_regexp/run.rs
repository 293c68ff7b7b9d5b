//! One attempt to match, at one place.
//!
//! Where there is a choice, what is left to try is put on a stack, with the groups that changed since, and taken off again
//! when an instruction fails. Most attempts put nothing there.

use super::memory::Memory;
use super::program::{Insn, Program};
use super::read::{Assertion, Kind, Times};
use super::set::{Membership, Set, code_point, is_word_letter};
use super::{Answer, Groups};

/// What is left to try.
enum Frame {
    /// Another way to go on.
    Resume { insn: usize, at: usize },
    /// A repetition that took as many as it could, and may give back what is behind `low`.
    GiveBack { insn: usize, low: usize, at: usize },
    /// A repetition that took as few as it could, and may take more.
    TakeMore { insn: usize, at: usize, left: u32 },
    /// Where a group began or ended before.
    Restore { group: u16, begin: i32, end: i32 },
}

/// The stack of attempts, kept from one to the next.
#[derive(Default)]
pub struct Stack(Vec<Frame>);

impl Stack {
    pub fn heap_bytes(&self) -> usize {
        self.0.capacity() * size_of::<Frame>()
    }
}

pub(super) struct Attempt<'a> {
    program: &'a Program,
    bytes: &'a [u8],
    search_start: usize,
    groups: Groups<'a>,
    stack: &'a mut Stack,
    /// Steps that are left, for the whole search or until it asks. None are after it was stopped, or met what is unknown.
    patience: usize,
    /// Something was met that only the engine knows.
    is_unknown: bool,
    memory: Option<Memory<'a>>,
    /// Says whether to go on when patience ends.
    ask: Option<&'a dyn Fn() -> bool>,
    /// Parts within which something is run on its own.
    depth: usize,
    end_of_first_run: Option<usize>,
}

/// A repetition without end has so many at least, and no more.
const MOST_LEAST: u32 = 1000;

/// Steps between two questions whether to go on: some milliseconds.
const SLICE: usize = 1 << 17;

/// Bytes of a repetition that count as a step.
const STEP: usize = 64;

impl<'a> Attempt<'a> {
    pub(super) fn new(
        program: &'a Program,
        bytes: &'a [u8],
        search_start: usize,
        groups: Groups<'a>,
        stack: &'a mut Stack,
    ) -> Attempt<'a> {
        Attempt {
            program,
            bytes,
            search_start,
            groups,
            stack,
            patience: 0,
            is_unknown: false,
            memory: None,
            ask: None,
            depth: 0,
            end_of_first_run: None,
        }
    }

    /// Gives up after so many steps.
    pub(super) fn be_brief(&mut self, patience: usize) {
        self.patience = patience;
    }

    /// Goes on as long as it is told to.
    pub(super) fn remember_all(&mut self, memory: Memory<'a>, ask: &'a dyn Fn() -> bool) {
        (self.patience, self.memory, self.ask) = (SLICE, Some(memory), Some(ask));
    }

    fn spend(&mut self, steps: usize) {
        self.patience = self.patience.saturating_sub(steps);
        if self.patience == 0
            && !self.is_unknown
            && let Some(ask) = self.ask
            && ask()
        {
            self.patience = SLICE;
        }
    }

    /// Where the run of characters ended that the last attempt began with.
    pub(super) fn end_of_first_run(&self) -> Option<usize> {
        self.end_of_first_run
    }

    /// Tries to match at a place; nothing if there is no match there.
    pub(super) fn run(&mut self, start: usize) -> Option<Answer> {
        self.stack.0.clear();
        self.end_of_first_run = None;
        self.groups.begins.fill(-1);
        self.groups.ends.fill(-1);
        if self.patience == 0 {
            return Some(self.without_answer());
        }
        self.spend(1);
        let end = self.run_from(0, start);
        if self.patience == 0 {
            return Some(self.without_answer());
        }
        (self.groups.begins[0], self.groups.ends[0]) = (start as i32, end? as i32);
        Some(Answer::Found)
    }

    fn without_answer(&self) -> Answer {
        if self.is_unknown { Answer::Unknown } else { Answer::GaveUp }
    }

    /// Runs up to an end: where that is. Leaves what is left to try on the stack.
    fn run_from(&mut self, mut insn: usize, mut at: usize) -> Option<usize> {
        let floor = self.stack.0.len();
        loop {
            match self.step(insn, at) {
                Next::Go(next, to) => (insn, at) = (next, to),
                Next::Done(at) => return Some(at),
                Next::Failed if self.patience == 0 => return None,
                Next::Failed => (insn, at) = self.another_way(floor)?,
            }
        }
    }

    /// Runs a part that gives nothing back. Groups stay as it left them if it matches, unless that is not wanted.
    fn run_part(&mut self, insn: usize, at: usize, keeps_groups: bool) -> Option<usize> {
        let floor = self.stack.0.len();
        let mark = self.memory.as_ref().map(Memory::mark);
        self.depth += 1;
        let end = self.run_from(insn, at);
        self.depth -= 1;
        if let (Some(_), Some(memory), Some(mark)) = (end, &mut self.memory, mark) {
            memory.forget(mark);
        }
        if keeps_groups {
            self.keep_groups(floor);
        } else {
            self.restore_groups(floor);
        }
        end
    }

    /// Drops what is left to try, but not what groups were before.
    fn keep_groups(&mut self, floor: usize) {
        let frames = &mut self.stack.0;
        let mut kept = floor;
        for index in floor..frames.len() {
            if matches!(frames[index], Frame::Restore { .. }) {
                frames.swap(kept, index);
                kept += 1;
            }
        }
        frames.truncate(kept);
    }

    fn restore_groups(&mut self, floor: usize) {
        while self.stack.0.len() > floor {
            if let Some(Frame::Restore { group, begin, end }) = self.stack.0.pop() {
                self.restore(group, begin, end);
            }
        }
    }

    fn restore(&mut self, group: u16, begin: i32, end: i32) {
        (self.groups.begins[usize::from(group)], self.groups.ends[usize::from(group)]) = (begin, end);
    }

    fn step(&mut self, insn: usize, at: usize) -> Next {
        let (program, next) = (self.program, insn + 1);
        match &program.insns[insn] {
            Insn::Byte(byte) if self.bytes.get(at) == Some(byte) => Next::Go(next, at + 1),
            Insn::Bytes(text) if self.bytes[at..].starts_with(text) => Next::Go(next, at + text.len()),
            Insn::Byte(_) | Insn::Bytes(_) => Next::Failed,
            Insn::Set(set) => self.taken(set, at).map_or(Next::Failed, |to| Next::Go(next, to)),
            Insn::Repeat { set, times } => self.repeat(insn, set, *times, at),
            Insn::Split(_) | Insn::SplitBack(_) if self.was_tried(insn, at) => Next::Failed,
            Insn::Split(other) => self.split(next, usize::from(*other), at),
            Insn::SplitBack(other) => self.split(usize::from(*other), next, at),
            Insn::Jump(other) => Next::Go(usize::from(*other), at),
            Insn::Open(group) => {
                self.remember(*group);
                self.groups.begins[usize::from(*group)] = at as i32;
                Next::Go(next, at)
            }
            Insn::Close(group) => {
                self.remember(*group);
                self.groups.ends[usize::from(*group)] = at as i32;
                Next::Go(next, at)
            }
            Insn::Assert(assertion) if self.holds(*assertion, at) => Next::Go(next, at),
            Insn::Assert(_) => Next::Failed,
            Insn::Again(group) => self.again(*group, at).map_or(Next::Failed, |to| Next::Go(next, to)),
            // Where all of them match nothing ever fails, and each may go over the rest of the text.
            Insn::Look { .. } if self.patience == 0 => Next::Failed,
            Insn::Look { behind, is_negative, end } => {
                let end = usize::from(*end);
                let has_matched = self.known_look(insn, end, at).unwrap_or_else(|| {
                    let has_matched = self.looks_like(next, *behind, *is_negative, at);
                    self.remember_look(insn, end, at, has_matched, *is_negative);
                    has_matched
                });
                if has_matched == *is_negative { Next::Failed } else { Next::Go(end + 1, at) }
            }
            Insn::Atomic { .. } if self.is_noted(insn, at) => Next::Failed,
            Insn::Atomic { end } => match self.run_part(next, at, true) {
                Some(to) => Next::Go(usize::from(*end) + 1, to),
                None => {
                    self.note_fact(insn, at);
                    Next::Failed
                }
            },
            Insn::EndLook | Insn::EndAtomic | Insn::Match => Next::Done(at),
        }
    }

    // ---- memory ----

    /// Notes that an instruction is tried at a place; whether it was before, without success.
    #[inline]
    fn was_tried(&mut self, insn: usize, at: usize) -> bool {
        match &mut self.memory {
            Some(_) => self.note_try(insn, at),
            None => false,
        }
    }

    fn note_try(&mut self, insn: usize, at: usize) -> bool {
        self.spend(1);
        let is_in_part = self.depth > 0;
        self.memory.as_mut().is_some_and(|memory| memory.note(insn, at, is_in_part))
    }

    fn is_noted(&self, insn: usize, at: usize) -> bool {
        self.memory.as_ref().is_some_and(|memory| memory.is_noted(insn, at))
    }

    /// Notes what is so whichever path leads there; nothing is after the search was stopped.
    fn note_fact(&mut self, insn: usize, at: usize) {
        if self.patience > 0
            && let Some(memory) = &mut self.memory
        {
            memory.note(insn, at, false);
        }
    }

    /// Whether what a look-around looks for is there, if that was found out before.
    fn known_look(&self, insn: usize, end: usize, at: usize) -> Option<bool> {
        self.is_noted(insn, at).then(|| self.is_noted(end, at))
    }

    /// One that matched is run again where its groups count.
    fn remember_look(&mut self, insn: usize, end: usize, at: usize, has_matched: bool, is_negative: bool) {
        let has_groups = || self.program.insns[insn..end].iter().any(|insn| matches!(insn, Insn::Open(_)));
        if self.memory.is_none() || (has_matched && !is_negative && has_groups()) {
            return;
        }
        self.note_fact(insn, at);
        if has_matched {
            self.note_fact(end, at);
        }
    }

    /// Ways that fail at their first instruction are not put on the stack.
    fn split(&mut self, first: usize, second: usize, at: usize) -> Next {
        if self.fails_at_once(first, at) {
            return Next::Go(second, at);
        }
        if !self.fails_at_once(second, at) {
            self.stack.0.push(Frame::Resume { insn: second, at });
        }
        Next::Go(first, at)
    }

    #[inline]
    fn fails_at_once(&self, insn: usize, at: usize) -> bool {
        let byte = self.bytes.get(at);
        match &self.program.insns[insn] {
            Insn::Byte(expected) => byte != Some(expected),
            Insn::Bytes(text) => byte != text.first(),
            Insn::Set(set) | Insn::Repeat { set, times: Times { min: 1.., .. } } => {
                byte.is_none_or(|byte| !set.contains(*byte))
            }
            _ => false,
        }
    }

    /// Whether what is from an instruction on is here, or so many characters before.
    fn looks_like(&mut self, insn: usize, behind: Option<u32>, is_negative: bool, mut at: usize) -> bool {
        for _ in 0..behind.unwrap_or(0) {
            if at == 0 {
                return false;
            }
            at = self.before(at);
        }
        self.run_part(insn, at, !is_negative).is_some()
    }

    /// Behind what a group took, if that is here once more.
    fn again(&self, group: u16, at: usize) -> Option<usize> {
        let begin = usize::try_from(self.groups.begins[usize::from(group)]).ok()?;
        let end = usize::try_from(self.groups.ends[usize::from(group)]).ok()?;
        let text = self.bytes.get(begin..end)?;
        self.bytes[at..].starts_with(text).then_some(at + text.len())
    }

    /// Only what is tried later sees how a group was before.
    fn remember(&mut self, group: u16) {
        if self.depth > 0 || !self.stack.0.is_empty() {
            let (begin, end) = (self.groups.begins[usize::from(group)], self.groups.ends[usize::from(group)]);
            self.stack.0.push(Frame::Restore { group, begin, end });
        }
    }

    /// Behind the character at a place, if that is in a set.
    #[inline]
    fn taken(&mut self, set: &Set, at: usize) -> Option<usize> {
        let byte = *self.bytes.get(at)?;
        if byte < 0x80 || set.is_plain() {
            let len = if self.program.is_for_bytes { 1 } else { char_len(byte) };
            return set.contains(byte).then(|| self.bytes.len().min(at + len));
        }
        match set.has_foreign(&self.bytes[at..]) {
            Membership::Yes => Some(self.bytes.len().min(at + char_len(byte))),
            Membership::No => None,
            Membership::Unknown => self.give_up(),
        }
    }

    /// What is here has to be looked up in tables that only the engine has.
    #[cold]
    fn give_up<T>(&mut self) -> Option<T> {
        (self.patience, self.is_unknown) = (0, true);
        None
    }

    fn repeat(&mut self, insn: usize, set: &Set, times: Times, at: usize) -> Next {
        let Some(low) = self.taken_times(set, times.min, at) else { return Next::Failed };
        if times.is_fixed() {
            return Next::Go(insn + 1, low);
        }
        if times.kind == Kind::Lazy {
            if is_endless(times.max) && self.was_tried(insn, low) {
                return Next::Failed;
            }
            self.stack.0.push(Frame::TakeMore { insn, at: low, left: times.max - times.min });
            return Next::Go(insn + 1, low);
        }
        let end = self.run_taken(insn, set, times.max - times.min, low);
        if self.program.first_run == Some(insn as u16) {
            // A loop may come here again.
            self.end_of_first_run.get_or_insert(end);
        }
        if times.kind != Kind::Greedy {
            return Next::Go(insn + 1, end);
        }
        let Some(end) = self.untried(insn, low, end) else { return Next::Failed };
        if end > low {
            self.stack.0.push(Frame::GiveBack { insn, low, at: end });
        }
        Next::Go(insn + 1, end)
    }

    /// As [`Attempt::end_of_run`]; a run is gone through once, if the search remembers.
    fn run_taken(&mut self, insn: usize, set: &Set, most: u32, at: usize) -> usize {
        let known = self.memory.as_ref().filter(|_| is_endless(most)).and_then(|memory| memory.run(insn));
        let Some((begin, known_end)) = known.filter(|(_, end)| at <= *end) else {
            let end = self.end_of_run(set, most, at, self.bytes.len());
            self.spend((end - at) / STEP);
            self.keep_run(insn, most, at, end);
            return end;
        };
        if at >= begin {
            return known_end;
        }
        let end = self.end_of_run(set, most, at, begin);
        self.spend((end - at) / STEP);
        let end = if end == begin { known_end } else { end };
        self.keep_run(insn, most, at, end);
        end
    }

    fn keep_run(&mut self, insn: usize, most: u32, begin: usize, end: usize) {
        if is_endless(most)
            && let Some(memory) = &mut self.memory
        {
            memory.keep_run(insn, begin, end);
        }
    }

    /// The last place from `at` back to `low` from which what follows a repetition was not tried, which it is now.
    fn untried(&mut self, insn: usize, low: usize, mut at: usize) -> Option<usize> {
        if self.memory.is_none() {
            return Some(at);
        }
        loop {
            at = self.memory.as_ref().map_or(at, |memory| memory.last_untried(insn, at));
            if at < low {
                return None;
            }
            let was_tried = self.was_tried(insn, at);
            if let Some(memory) = &mut self.memory {
                memory.tried_down_to(insn, at);
            }
            if !was_tried {
                return Some(at);
            }
            if at == low {
                return None;
            }
            at = self.before(at);
        }
    }

    /// Behind so many characters of a set.
    fn taken_times(&mut self, set: &Set, count: u32, at: usize) -> Option<usize> {
        match count {
            0 => Some(at),
            1 => self.taken(set, at),
            _ => self.taken_run(set, count as usize, at),
        }
    }

    /// The same; characters of one byte are looked at without asking how long each is.
    fn taken_run(&mut self, set: &Set, count: usize, begin: usize) -> Option<usize> {
        let rest = &self.bytes[begin..];
        let has_one_byte = |byte: u8| byte < 0x80 || self.program.is_for_bytes && set.is_plain();
        let is_taken = |byte: &u8| set.contains(*byte) && has_one_byte(*byte);
        let short = rest.iter().take(count).take_while(|byte| is_taken(byte)).count();
        let (mut at, mut left) = (begin + short, count - short);
        while left > 0
            && let Some(to) = self.taken(set, at)
        {
            (at, left) = (to, left - 1);
        }
        self.spend((at - begin) / STEP);
        (left == 0).then_some(at)
    }

    /// Behind as many characters of a set as there are before a place.
    fn end_of_run(&mut self, set: &Set, most: u32, mut at: usize, until: usize) -> usize {
        if is_endless(most) {
            let (rest, is_plain) = (&self.bytes[at..until], set.is_plain());
            let is_end = |byte: &u8| !set.contains(*byte) || (*byte >= 0x80 && !is_plain);
            at += rest.iter().position(is_end).unwrap_or(rest.len());
            if is_plain || at == until || self.bytes.get(at).is_none_or(|byte| *byte < 0x80) {
                return at;
            }
        }
        for _ in 0..most {
            match self.taken(set, at).filter(|_| at < until) {
                Some(behind) => at = behind,
                None => break,
            }
        }
        at
    }

    /// Takes up what was left to try last.
    fn another_way(&mut self, floor: usize) -> Option<(usize, usize)> {
        while self.stack.0.len() > floor {
            self.spend(1);
            match self.stack.0.pop()? {
                Frame::Resume { insn, at } => return Some((insn, at)),
                Frame::GiveBack { insn, low, at } => {
                    let at = self.before(at);
                    let Some(at) = self.untried(insn, low, at) else { continue };
                    if at > low {
                        self.stack.0.push(Frame::GiveBack { insn, low, at });
                    }
                    return Some((insn + 1, at));
                }
                Frame::TakeMore { insn, at, left } => {
                    if let Some(at) = self.one_more(insn, at, left) {
                        return Some((insn + 1, at));
                    }
                }
                Frame::Restore { group, begin, end } => self.restore(group, begin, end),
            }
        }
        None
    }

    /// One character more for a repetition that takes few.
    fn one_more(&mut self, insn: usize, at: usize, left: u32) -> Option<usize> {
        let program = self.program;
        let Insn::Repeat { set, .. } = &program.insns[insn] else { return None };
        if left == 0 {
            return None;
        }
        let at = self.taken(set, at)?;
        if is_endless(left) && self.was_tried(insn, at) {
            return None;
        }
        let left = if is_endless(left) { left } else { left - 1 };
        self.stack.0.push(Frame::TakeMore { insn, at, left });
        Some(at)
    }

    /// Where the character before a place begins.
    fn before(&self, at: usize) -> usize {
        let part = &self.bytes[..at];
        part.iter().rposition(|byte| self.program.is_head(*byte)).unwrap_or(0)
    }

    fn holds(&mut self, assertion: Assertion, at: usize) -> bool {
        let (bytes, end) = (self.bytes, self.bytes.len());
        match assertion {
            Assertion::BeginningOfString => at == 0,
            Assertion::BeginningOfLine => at == 0 || (bytes[at - 1] == b'\n' && at < end),
            Assertion::EndOfString => at == end,
            Assertion::NearEndOfString => at == end || (at + 1 == end && bytes[at] == b'\n'),
            Assertion::EndOfLine => at == end || bytes[at] == b'\n',
            Assertion::WordBoundary => self.is_between_words(at),
            Assertion::NoWordBoundary => !self.is_between_words(at),
            Assertion::StartOfSearch => at == self.search_start,
        }
    }

    fn is_between_words(&mut self, at: usize) -> bool {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let (before, behind) = (self.bytes[..at].last().copied(), self.bytes.get(at).copied());
        if before.max(behind) >= Some(0x80) && !self.program.is_for_bytes {
            return self.is_between_letters(at).or_else(|| self.give_up()).unwrap_or(false);
        }
        before.is_some_and(is_word) != behind.is_some_and(is_word)
    }

    /// Nothing for what only the engine knows.
    fn is_between_letters(&self, at: usize) -> Option<bool> {
        let is_word = |at: usize| match self.bytes.get(at) {
            None => Some(false),
            Some(byte @ ..0x80) => Some(byte.is_ascii_alphanumeric() || *byte == b'_'),
            Some(_) => is_word_letter(code_point(&self.bytes[at..])?),
        };
        let before = if at == 0 { false } else { is_word(self.before(at))? };
        Some(before != is_word(at)?)
    }
}

/// Whether a repetition takes as many as there are, whatever it has taken.
fn is_endless(most: u32) -> bool {
    most >= u32::MAX - MOST_LEAST
}

/// How an instruction ended.
enum Next {
    Go(usize, usize),
    /// At an end, here.
    Done(usize),
    Failed,
}

/// Bytes of a character of valid UTF-8, from its first one.
fn char_len(head: u8) -> usize {
    match head {
        ..0xC0 => 1,
        0xC0..0xE0 => 2,
        0xE0..0xF0 => 3,
        0xF0.. => 4,
    }
}
