//! Blocks of a code, and which of them have run, as far as its cells tell.
//!
//! A block begins where something jumps to, and behind what jumps or ends. One whose first instruction with a cell has an empty cell has not
//! run yet, and neither has what only such blocks lead to. A cell may stay empty though its instruction runs: [`Blocks::reached`] is told
//! of blocks that somebody came to.

use crate::run::code::CodeData;
use carat_iseq::{Insn, Op};

/// One block.
pub(super) struct Block {
    /// Where it begins, and the word behind it.
    pub(super) first: usize,
    pub(super) end: usize,
    /// Whether it goes on behind itself, and where else.
    falls: bool,
    jumps: Option<usize>,
    is_cold: bool,
}

impl Block {
    /// Where it goes on.
    pub(super) fn successors(&self) -> impl Iterator<Item = usize> + use<> {
        self.falls.then_some(self.end).into_iter().chain(self.jumps)
    }
}

/// The blocks of a code, ascending.
pub(super) struct Blocks(Vec<Block>);

impl Blocks {
    /// `is_target` tells for each word whether anything but the instruction before leads there.
    pub(super) fn new(code: &CodeData, insns: &[Insn], is_target: &[bool]) -> Blocks {
        let mut all = Vec::new();
        let mut word = 0;
        while word < insns.len() {
            let first = word;
            let mut is_cold = None;
            let (falls, jumps) = loop {
                let insn = insns[word];
                let format = insn.op.format();
                if is_cold.is_none() && insn.op.fills_cell() {
                    // SAFETY: the code has the cell, and its Ractor has its turn.
                    is_cold = Some(unsafe { (*code.caches.add(usize::from(insn.c))).shape } == 0);
                }
                let jumps = format.branch_word().map(|behind| target(insns, word + behind));
                word += format.words();
                let falls = !ends(insn.op) && word < insns.len();
                if !falls || jumps.is_some() || is_target[word] {
                    break (falls, jumps);
                }
            };
            all.push(Block { first, end: word, falls, jumps, is_cold: is_cold == Some(true) });
        }
        Blocks(all)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Block> + Clone {
        self.0.iter()
    }

    pub(super) fn has_cold(&self) -> bool {
        self.0.iter().any(|block| block.is_cold)
    }

    fn at(&self, first: usize) -> &Block {
        let number = self.0.binary_search_by_key(&first, |block| block.first);
        &self.0[number.expect("a block begins there")]
    }

    /// For each word whether it is in a block that was reached: one of those that somebody came to, or one that such a block leads to
    /// and that is not cold. Heads of loops and handlers of errors may be reached by other ways.
    pub(super) fn reached(&self, code: &CodeData, came_to: impl Iterator<Item = usize>) -> Vec<bool> {
        let mut reached = vec![false; self.0.last().map_or(0, |last| last.end)];
        let is_warm = |first: &usize| !self.at(*first).is_cold;
        let handlers = code.linked().iseq.catches.iter().map(|entry| entry.target as usize);
        let heads = self.iter().filter_map(|block| block.jumps.filter(|to| *to <= block.first));
        let mut waiting: Vec<usize> = handlers.chain(heads).filter(is_warm).chain(came_to).collect();
        while let Some(first) = waiting.pop() {
            if !reached[first] {
                let block = self.at(first);
                reached[first..block.end].fill(true);
                waiting.extend(block.successors().filter(is_warm));
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
