//! Blocks of a code, and which of them have run, as far as its cells tell.
//!
//! A block begins where something jumps to, and behind what jumps or ends. One whose first instruction with a cell has an empty cell has not
//! run yet, and neither has what only such blocks lead to. A cell may stay empty though its instruction runs: [`reached`] is told
//! of blocks that somebody came to.

use crate::run::code::CodeData;
use carat_iseq::{Insn, Op};

/// Where the blocks of a code begin.
pub(super) struct Blocks<'a> {
    insns: &'a [Insn],
    /// For each word and the end, whether a block begins there.
    is_first: Vec<bool>,
}

impl<'a> Blocks<'a> {
    /// `is_target` tells for each word whether anything but the instruction before leads there.
    pub(super) fn new(insns: &'a [Insn], is_target: &[bool]) -> Blocks<'a> {
        let mut is_first = is_target.to_vec();
        is_first.push(false);
        let mut word = 0;
        while word < insns.len() {
            let insn = insns[word];
            word += insn.op.format().words();
            is_first[word] |= insn.op.format().branch_word().is_some() || ends(insn.op);
        }
        Blocks { insns, is_first }
    }

    /// The words where blocks begin, ascending.
    pub(super) fn all(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.insns.len()).filter(|word| self.is_first[*word])
    }

    /// The words where instructions of the block begin that begins at a word.
    fn words(&self, first: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(first), |word| {
            let next = word + self.insns[*word].op.format().words();
            (next < self.insns.len() && !self.is_first[next]).then_some(next)
        })
    }

    /// The words behind the block that begins at a word.
    pub(super) fn end(&self, first: usize) -> usize {
        let last = self.words(first).last().unwrap_or(first);
        last + self.insns[last].op.format().words()
    }

    /// Where the block goes on that begins at a word.
    pub(super) fn successors(&self, first: usize) -> impl Iterator<Item = usize> + '_ {
        let last = self.words(first).last().unwrap_or(first);
        let insn = self.insns[last];
        let next = last + insn.op.format().words();
        let falls = (!ends(insn.op) && next < self.insns.len()).then_some(next);
        let jumps = insn.op.format().branch_word().map(|behind| target(self.insns, last + behind));
        falls.into_iter().chain(jumps)
    }

    /// Whether the first instruction with a cell has an empty one.
    fn is_cold(&self, code: &CodeData, first: usize) -> bool {
        let with_cell = self.words(first).map(|word| self.insns[word]).find(|insn| insn.op.fills_cell());
        // SAFETY: the code has the cell, and its Ractor has its turn.
        with_cell.is_some_and(|insn| unsafe { (*code.caches.add(usize::from(insn.c))).shape == 0 })
    }

    /// For each word whether it is in a block that was reached: one of those that somebody came to, or one that such a block leads to
    /// and that is not cold. Heads of loops and handlers of errors may be reached by other ways.
    pub(super) fn reached(&self, code: &CodeData, came_to: impl Iterator<Item = usize>) -> Vec<bool> {
        let mut reached = vec![false; self.insns.len()];
        let is_warm = |block: &usize| !self.is_cold(code, *block);
        let handlers = code.linked().iseq.catches.iter().map(|entry| entry.target as usize);
        let heads = self.all().flat_map(|block| self.successors(block).filter(move |next| *next <= block));
        let mut waiting: Vec<usize> = handlers.chain(heads).filter(is_warm).chain(came_to).collect();
        while let Some(block) = waiting.pop() {
            if !reached[block] {
                reached[block..self.end(block)].fill(true);
                waiting.extend(self.successors(block).filter(is_warm));
            }
        }
        reached
    }
}

/// Where the branch at a word leads to: the word that holds the offset, and its target.
pub(super) fn target(insns: &[Insn], branch: usize) -> usize {
    (branch as i64 + 1 + i64::from(insns[branch].d())) as usize
}

/// Whether an instruction never goes on behind itself.
pub(super) fn ends(op: Op) -> bool {
    use Op::*;
    matches!(op, jump | jump_back | leave | return_from_block | break_from_block | throw_jump | rethrow | raise_nomatch)
}
