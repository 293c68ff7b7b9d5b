//! One attempt to match, at one place.
//!
//! Where there is a choice, what is left to try is put on a stack, with the groups that changed since, and taken off again
//! when an instruction fails. Most attempts put nothing there.

use super::program::{Insn, Program};
use super::read::{Assertion, Kind, Times};
use super::set::Set;
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
    groups: Groups<'a>,
    stack: &'a mut Stack,
    /// Steps that are left for the whole search.
    patience: usize,
    end_of_first_run: Option<usize>,
}

/// Bytes of a repetition that count as a step.
const STEP: usize = 64;

impl<'a> Attempt<'a> {
    pub(super) fn new(
        program: &'a Program,
        bytes: &'a [u8],
        groups: Groups<'a>,
        stack: &'a mut Stack,
        patience: usize,
    ) -> Attempt<'a> {
        Attempt { program, bytes, groups, stack, patience, end_of_first_run: None }
    }

    /// Where the run of characters ended that the last attempt began with.
    pub(super) fn end_of_first_run(&self) -> Option<usize> {
        self.end_of_first_run
    }

    /// Tries to match at a place; nothing if there is no match there.
    pub(super) fn run(&mut self, start: usize) -> Option<Answer> {
        self.stack.0.clear();
        self.groups.begins.fill(-1);
        self.groups.ends.fill(-1);
        if self.patience == 0 {
            return Some(Answer::GaveUp);
        }
        self.patience -= 1;
        let (mut insn, mut at) = (0, start);
        loop {
            match self.step(insn, at) {
                Next::Go(next, to) => (insn, at) = (next, to),
                Next::Done => {
                    (self.groups.begins[0], self.groups.ends[0]) = (start as i32, at as i32);
                    return Some(Answer::Found);
                }
                Next::Failed => {
                    if self.patience == 0 {
                        return Some(Answer::GaveUp);
                    }
                    (insn, at) = self.another_way()?;
                }
            }
        }
    }

    fn step(&mut self, insn: usize, at: usize) -> Next {
        let (program, next) = (self.program, insn + 1);
        match &program.insns[insn] {
            Insn::Byte(byte) if self.bytes.get(at) == Some(byte) => Next::Go(next, at + 1),
            Insn::Bytes(text) if self.bytes[at..].starts_with(text) => Next::Go(next, at + text.len()),
            Insn::Byte(_) | Insn::Bytes(_) => Next::Failed,
            Insn::Set(set) => self.taken(set, at).map_or(Next::Failed, |to| Next::Go(next, to)),
            Insn::Repeat { set, times } => self.repeat(insn, set, *times, at),
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
            Insn::Match => Next::Done,
        }
    }

    fn split(&mut self, first: usize, second: usize, at: usize) -> Next {
        self.stack.0.push(Frame::Resume { insn: second, at });
        Next::Go(first, at)
    }

    /// Only what is tried later sees how a group was before.
    fn remember(&mut self, group: u16) {
        if !self.stack.0.is_empty() {
            let (begin, end) = (self.groups.begins[usize::from(group)], self.groups.ends[usize::from(group)]);
            self.stack.0.push(Frame::Restore { group, begin, end });
        }
    }

    /// Behind the character at a place, if that is in a set.
    #[inline]
    fn taken(&self, set: &Set, at: usize) -> Option<usize> {
        let byte = *self.bytes.get(at)?;
        set.contains(byte).then(|| self.bytes.len().min(at + char_len(byte)))
    }

    fn repeat(&mut self, insn: usize, set: &Set, times: Times, at: usize) -> Next {
        let Some(low) = self.taken_times(set, times.min, at) else { return Next::Failed };
        if times.kind == Kind::Lazy {
            self.stack.0.push(Frame::TakeMore { insn, at: low, left: times.max - times.min });
            return Next::Go(insn + 1, low);
        }
        let end = self.end_of_run(set, times.max - times.min, low);
        self.patience = self.patience.saturating_sub((end - at) / STEP);
        if times.kind == Kind::Greedy && end > low {
            self.stack.0.push(Frame::GiveBack { insn, low, at: end });
        }
        if self.program.first_run == Some(insn as u16) {
            self.end_of_first_run = Some(end);
        }
        Next::Go(insn + 1, end)
    }

    /// Behind so many characters of a set.
    fn taken_times(&self, set: &Set, count: u32, mut at: usize) -> Option<usize> {
        for _ in 0..count {
            at = self.taken(set, at)?;
        }
        Some(at)
    }

    /// Behind as many characters of a set as there are.
    fn end_of_run(&self, set: &Set, most: u32, mut at: usize) -> usize {
        if most >= u32::MAX - 1 {
            let rest = &self.bytes[at..];
            return at + rest.iter().position(|byte| !set.contains(*byte)).unwrap_or(rest.len());
        }
        for _ in 0..most {
            let Some(behind) = self.taken(set, at) else { break };
            at = behind;
        }
        at
    }

    /// Takes up what was left to try last.
    fn another_way(&mut self) -> Option<(usize, usize)> {
        loop {
            self.patience = self.patience.saturating_sub(1);
            match self.stack.0.pop()? {
                Frame::Resume { insn, at } => return Some((insn, at)),
                Frame::GiveBack { insn, low, at } => {
                    let at = self.before(at);
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
                Frame::Restore { group, begin, end } => {
                    (self.groups.begins[usize::from(group)], self.groups.ends[usize::from(group)]) = (begin, end);
                }
            }
        }
    }

    /// One character more for a repetition that takes few.
    fn one_more(&mut self, insn: usize, at: usize, left: u32) -> Option<usize> {
        let program = self.program;
        let Insn::Repeat { set, .. } = &program.insns[insn] else { return None };
        if left == 0 {
            return None;
        }
        let at = self.taken(set, at)?;
        self.stack.0.push(Frame::TakeMore { insn, at, left: left - 1 });
        Some(at)
    }

    /// Where the character before a place begins.
    fn before(&self, at: usize) -> usize {
        let part = &self.bytes[..at];
        part.iter().rposition(|byte| super::is_head(*byte)).unwrap_or(0)
    }

    fn holds(&self, assertion: Assertion, at: usize) -> bool {
        let (bytes, end) = (self.bytes, self.bytes.len());
        match assertion {
            Assertion::BeginningOfString => at == 0,
            Assertion::BeginningOfLine => at == 0 || (bytes[at - 1] == b'\n' && at < end),
            Assertion::EndOfString => at == end,
            Assertion::NearEndOfString => at == end || (at + 1 == end && bytes[at] == b'\n'),
            Assertion::EndOfLine => at == end || bytes[at] == b'\n',
            Assertion::WordBoundary => self.is_between_words(at),
            Assertion::NoWordBoundary => !self.is_between_words(at),
        }
    }

    fn is_between_words(&self, at: usize) -> bool {
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        self.bytes[..at].last().is_some_and(is_word) != self.bytes.get(at).is_some_and(is_word)
    }
}

/// How an instruction ended.
enum Next {
    Go(usize, usize),
    Done,
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
