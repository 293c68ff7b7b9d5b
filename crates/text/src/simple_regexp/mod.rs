//! Everyday patterns, matched without the regular expression engine.
//!
//! Most patterns of programs are made of literal text, sets of characters, repetitions of those, alternatives, groups, anchors
//! and what looks around. A call of the engine costs some hundred nanoseconds before it looks at the first byte (it keeps its stack of
//! several kilobytes from one attempt to the next), and it looks for one byte at a time. What is simple is read here into
//! a small program, whose beginning is searched by vector instructions and which keeps a stack only where it has to.
//!
//! # Limits
//! Whoever calls gives up the pattern to the engine in three cases: [`SimpleRegexp::read`] returns nothing for whatever it
//! does not know (calls of groups, loops that may take nothing, conditions); [`SimpleRegexp::suits`] says that a string is neither
//! in ASCII or UTF-8 nor, for a pattern that was read for those, binary; [`Answer::GaveUp`] that a search met a character beyond ASCII for which tables are needed (`\p{L}`,
//! some letters regardless of case), or takes many steps. A search of many steps is first made again with [`Effort::Lasting`],
//! which remembers and asks whether to go on. The engine does neither: it counts its retries, and is stopped and started
//! again to look after interrupts and time limits.
//!
//! # Invariants
//! Every answer is the engine's: a test in `builtins` throws random patterns at both.
//!
//! # Code map
//! `read`: source to tree. `set`: sets of characters. `program`: tree to instructions, and how a search begins. `required`: what
//! a string must have in it. `shared`: tables of several patterns. `run`: one attempt. `memory`: what a long search remembers.

mod memory;
mod program;
mod read;
mod required;
mod run;
mod set;
mod shared;
#[cfg(test)]
mod tests;

use crate::coderange::CodeRange;
use crate::encoding::EncodingIndex;
use memory::Memory;
use program::{Beginning, Program};
use run::Attempt;
pub use run::Stack;

/// A pattern that was read.
pub struct SimpleRegexp {
    program: Program,
    is_for_ascii: bool,
}

impl SimpleRegexp {
    pub fn memsize(&self) -> usize {
        size_of::<SimpleRegexp>() + self.program.memsize()
    }
}

/// What of a pattern is not in its source.
#[derive(Clone, Copy)]
pub struct Options {
    pub ignores_case: bool,
    /// `.` takes line ends.
    pub is_multiline: bool,
    /// Blanks and comments mean nothing.
    pub is_extended: bool,
    /// Only strings of ASCII will be searched: it does not matter which characters those beyond it are.
    pub is_for_ascii: bool,
    /// Only binary strings will be searched, whose characters are bytes. In the source a byte beyond ASCII is the character with its
    /// number.
    pub is_for_bytes: bool,
    /// Groups have names, so that those without are not counted.
    pub has_names: bool,
}

/// What a search found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    Found,
    Missing,
    /// The search takes too long to be brief, or was stopped.
    GaveUp,
    /// The search met what only the engine knows, or needs what only that does.
    Unknown,
}

/// How long a search may take.
pub enum Effort<'a> {
    /// A moment.
    Brief,
    /// As long as it takes: it remembers what failed, so that its time is in proportion to the text's length for most
    /// patterns, and asks every so many steps whether to go on.
    Lasting(&'a dyn Fn() -> bool),
}

/// Where the groups of a match begin and end, the whole match first; -1 for one that took no part.
pub struct Groups<'a> {
    pub begins: &'a mut [i32],
    pub ends: &'a mut [i32],
}

/// A search may take so many steps, and one more for every eight bytes.
const PATIENCE: usize = 1 << 13;

impl SimpleRegexp {
    /// Reads a source in ASCII or valid UTF-8. Nothing if it is not simple, or wrong.
    pub fn read(source: &[u8], options: Options) -> Option<SimpleRegexp> {
        let tree = read::read(source, options)?;
        let program = Program::new(&tree, options.is_for_bytes)?;
        Some(SimpleRegexp { program, is_for_ascii: options.is_for_ascii })
    }

    /// Number of groups, the whole match included.
    pub fn group_count(&self) -> usize {
        self.program.group_count
    }

    /// Whether strings of this kind can be searched.
    pub fn suits(&self, encoding: EncodingIndex, range: CodeRange) -> bool {
        if self.program.is_for_bytes {
            return encoding == EncodingIndex::BINARY;
        }
        match range {
            CodeRange::SevenBit => encoding.is_ascii_compatible(),
            CodeRange::Valid => encoding.is_utf8() && !self.is_for_ascii,
            _ => false,
        }
    }

    /// Whether the byte at a place is one that a match may begin with.
    #[inline]
    pub fn may_begin(&self, bytes: &[u8], at: usize) -> bool {
        self.program.may_begin(bytes, at)
    }

    /// The first match that begins at byte `start` or behind it. Fills as many groups as there are.
    pub fn search<'a>(
        &'a self,
        bytes: &'a [u8],
        start: usize,
        groups: &'a mut Groups<'_>,
        stack: &'a mut Stack,
        effort: Effort<'a>,
    ) -> Answer {
        if !self.program.is_searchable(bytes, start) {
            return Answer::Unknown;
        }
        let is_hopeless = match self.program.beginning {
            Beginning::String => start > 0 || !self.program.may_begin(bytes, 0),
            Beginning::Search => !self.program.may_begin(bytes, start),
            _ => self.program.required.as_ref().is_some_and(|text| !text.is_in(&bytes[start.min(bytes.len())..])),
        };
        if is_hopeless {
            return Answer::Missing;
        }
        let Some(mut search) = Search::new(self, bytes, start, groups, stack, effort) else { return Answer::Unknown };
        let mut at = start;
        while let Some(candidate) = self.program.find(bytes, at) {
            if !self.program.may_begin(bytes, candidate) {
                at = candidate + 1;
                continue;
            }
            match search.attempt.run(candidate) {
                Some(answer) => return answer,
                None if matches!(self.program.beginning, Beginning::Search) => break,
                None => at = search.next(candidate),
            }
        }
        Answer::Missing
    }

    /// The last match that begins at byte `start` or before it.
    pub fn search_back<'a>(
        &'a self,
        bytes: &'a [u8],
        start: usize,
        groups: &'a mut Groups<'_>,
        stack: &'a mut Stack,
        effort: Effort<'a>,
    ) -> Answer {
        // The engine alone knows where `\G` is then.
        if !self.program.is_searchable(bytes, start) || self.program.uses_search_start {
            return Answer::Unknown;
        }
        let Some(mut search) = Search::new(self, bytes, 0, groups, stack, effort) else { return Answer::Unknown };
        let mut end = start;
        while let Some(candidate) = self.program.find_back(bytes, end) {
            match search.attempt.run(candidate) {
                Some(answer) => return answer,
                None if candidate == 0 => break,
                None => end = candidate - 1,
            }
        }
        Answer::Missing
    }

    /// The match that begins at byte `start`.
    pub fn match_at<'a>(
        &'a self,
        bytes: &'a [u8],
        start: usize,
        groups: &'a mut Groups<'_>,
        stack: &'a mut Stack,
        effort: Effort<'a>,
    ) -> Answer {
        if !self.program.is_searchable(bytes, start) {
            return Answer::Unknown;
        }
        if !self.program.may_begin(bytes, start) {
            return Answer::Missing;
        }
        let Some(mut search) = Search::new(self, bytes, start, groups, stack, effort) else { return Answer::Unknown };
        search.attempt.run(start).unwrap_or(Answer::Missing)
    }
}

impl Program {
    /// Positions are within characters only where somebody asked for bytes; groups have 32 bits.
    fn is_searchable(&self, bytes: &[u8], start: usize) -> bool {
        i32::try_from(bytes.len()).is_ok() && bytes.get(start).is_none_or(|byte| self.is_head(*byte))
    }
}

struct Search<'a> {
    attempt: Attempt<'a>,
}

impl<'a> Search<'a> {
    fn new(
        regexp: &'a SimpleRegexp,
        bytes: &'a [u8],
        start: usize,
        groups: &'a mut Groups<'_>,
        stack: &'a mut Stack,
        effort: Effort<'a>,
    ) -> Option<Search<'a>> {
        let groups = Groups { begins: &mut *groups.begins, ends: &mut *groups.ends };
        let mut attempt = Attempt::new(&regexp.program, bytes, start, groups, stack);
        match effort {
            Effort::Brief => attempt.be_brief(PATIENCE + (bytes.len() - start) / 8),
            Effort::Lasting(ask) => attempt.remember_all(Memory::new(&regexp.program, bytes.len())?, ask),
        }
        Some(Search { attempt })
    }

    /// Where to look after an attempt that failed: a run of characters that the pattern begins with, and none of which it
    /// gives back, is followed by the same wherever in it one starts.
    fn next(&self, failed: usize) -> usize {
        self.attempt.end_of_first_run().filter(|end| *end > failed).unwrap_or(failed + 1)
    }
}

impl Program {
    /// As [`SimpleRegexp::may_begin`].
    #[inline]
    fn may_begin(&self, bytes: &[u8], at: usize) -> bool {
        match (&self.heads, bytes.get(at)) {
            (Some(heads), Some(byte)) => heads[usize::from(*byte)],
            (Some(_), None) => false,
            (None, _) => true,
        }
    }

    /// Whether a character begins with a byte.
    fn is_head(&self, byte: u8) -> bool {
        self.is_for_bytes || is_head(byte)
    }

    /// The next place from `from` on where a match may begin.
    fn find(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let rest = bytes.get(from..)?;
        let found = match &self.beginning {
            Beginning::String => return (from == 0).then_some(0),
            Beginning::Search => return Some(from),
            Beginning::Line if from == 0 || bytes[from - 1] == b'\n' => 0,
            Beginning::Line => memchr::memchr(b'\n', rest)? + 1,
            Beginning::Byte(byte) => memchr::memchr(*byte, rest)?,
            Beginning::TwoBytes([a, b]) => memchr::memchr2(*a, *b, rest)?,
            Beginning::ThreeBytes([a, b, c]) => memchr::memchr3(*a, *b, *c, rest)?,
            Beginning::Literal(finder) => finder.find(rest)?,
            Beginning::Heads => {
                let heads = self.heads.as_deref()?;
                rest.iter().position(|byte| heads[usize::from(*byte)])?
            }
            Beginning::Anywhere => rest.iter().position(|byte| self.is_head(*byte)).unwrap_or(rest.len()),
        };
        Some(from + found)
    }

    /// The last place up to `until` where a match may begin.
    fn find_back(&self, bytes: &[u8], until: usize) -> Option<usize> {
        let part = &bytes[..bytes.len().min(until + 1)];
        match &self.beginning {
            Beginning::String => Some(0),
            Beginning::Search => Some(until),
            Beginning::Byte(byte) => memchr::memrchr(*byte, part),
            Beginning::TwoBytes([a, b]) => memchr::memrchr2(*a, *b, part),
            Beginning::ThreeBytes([a, b, c]) => memchr::memrchr3(*a, *b, *c, part),
            Beginning::Literal(finder) => memchr::memrchr(finder.needle()[0], part),
            Beginning::Heads => {
                let heads = self.heads.as_deref()?;
                part.iter().rposition(|byte| heads[usize::from(*byte)])
            }
            Beginning::Line | Beginning::Anywhere if until == bytes.len() => Some(until),
            Beginning::Line | Beginning::Anywhere => part.iter().rposition(|byte| self.is_head(*byte)),
        }
    }
}

/// Whether a character begins with a byte.
fn is_head(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}
