//! What the instructions of one iseq read, write and lead to, and which registers are alive before each.
//!
//! # Liveness
//! A register is alive where some way from there reads it before it is written, the ways to the handlers of errors included.
//! Captured registers always are: closures and bindings look at them when they like. They are what is found through the
//! environment.

use crate::tables::{Bits, numbers};
use carat_iseq::{CatchEntry, FRAME_HEADER, Insn, Iseq, Op, SiteView, hint};
use std::cmp::Reverse;

/// What an instruction does with registers.
#[derive(Default, Debug)]
struct Effect {
    /// A run of registers, as the first and how many.
    run: (u16, u16),
    /// Others; 0 is none, as nobody asks whether self is alive.
    reads: [u16; 4],
    /// One, or 0.
    writes: u16,
    /// More of them.
    writes_run: (u16, u16),
}

impl Effect {
    fn reads(&mut self, register: u16) {
        if let Some(free) = self.reads.iter_mut().find(|free| **free == 0) {
            *free = register;
        }
    }
}

const NONE: u32 = u32::MAX;

/// One iseq.
pub(crate) struct Flow {
    pub(crate) insns: Box<[Insn]>,
    /// Whether something jumps to a word.
    pub(crate) is_target: Vec<bool>,
    /// The words where instructions begin.
    starts: Vec<u32>,
    /// Of each word where an instruction begins, the word with the offset of its jump, or [`NONE`].
    branches: Vec<u32>,
    /// Jumps backwards: where to, and the word with the offset.
    backward: Vec<(u32, u32)>,
    /// A set of registers for each word and the end, of so many words.
    live: Vec<u64>,
    stride: usize,
    /// The register that the instruction at a word writes, or 0.
    writes: Vec<u16>,
    pub(crate) captured: Bits,
    pub(crate) local_size: u16,
    pub(crate) frame_size: u16,
    /// Blocks in it may become Procs, whose bindings show all locals.
    pub(crate) has_children: bool,
}

impl Flow {
    pub(crate) fn new(iseq: &Iseq) -> Flow {
        let count = usize::from(iseq.frame_size);
        let mut captured = Bits::new(count);
        for local in iseq.locals().filter(|local| local.captured) {
            captured.insert(usize::from(local.register));
        }
        if let Some(first) = iseq.svar {
            captured.insert(usize::from(first));
            captured.insert(usize::from(first) + 1);
        }
        // The block parameter is not captured by anybody, but instructions look for it in the environment.
        let is_sought = |insn: &&Insn| {
            use Op::{getblockparam, getblockparamproxy, getlocal, setlocal};
            matches!(insn.op, getblockparam | getblockparamproxy | getlocal | setlocal) && insn.c == 0
        };
        let sought = iseq.insns.iter().filter(is_sought).filter(|insn| insn.b < iseq.frame_size);
        for insn in sought {
            captured.insert(usize::from(insn.b));
        }
        let stride = captured.words().len();
        let mut flow = Flow {
            insns: iseq.insns.clone(),
            is_target: vec![false; iseq.insns.len() + 1],
            starts: Vec::new(),
            branches: vec![NONE; iseq.insns.len()],
            backward: Vec::new(),
            live: vec![0; (iseq.insns.len() + 1) * stride],
            stride,
            writes: vec![0; iseq.insns.len()],
            captured,
            local_size: iseq.local_size,
            frame_size: iseq.frame_size,
            has_children: iseq.has_children(),
        };
        flow.find_targets(iseq);
        flow.find_live(iseq);
        flow
    }

    pub(crate) fn words_of(&self, word: u32) -> u32 {
        self.insns[word as usize].op.format().words() as u32
    }

    /// Where the branch in a word leads to.
    pub(crate) fn target(&self, word: u32) -> u32 {
        (i64::from(word) + 1 + i64::from(self.insns[word as usize].d())) as u32
    }

    /// The word with the offset of the instruction at a word that may jump.
    pub(crate) fn branch_word(&self, word: u32) -> Option<u32> {
        Some(self.branches[word as usize]).filter(|branch| *branch != NONE)
    }

    /// The word at which a method goes on that the instruction at a word calls. A fused comparison's is its branch.
    pub(crate) fn behind_call(&self, word: u32) -> u32 {
        let format = self.insns[word as usize].op.format();
        word + if format.is_fused() { format.words_before_return() } else { format.words() } as u32
    }

    /// Words that are run together where the instruction at a word is left to its handler: `copyliterals` runs the call behind it,
    /// and a sum of strings reads ahead as far as it is linked.
    pub(crate) fn run_of(&self, word: u32) -> u32 {
        let mut end = word + self.words_of(word);
        let mut insn = self.insns[word as usize];
        if insn.op == Op::copyliterals {
            return end + self.words_of(end) - word;
        }
        while insn.op == Op::opt_plus && insn.n & hint::LINKED != 0 {
            if matches!(self.insns[end as usize].op, Op::putobject | Op::getlocal) {
                end += 1;
            }
            insn = self.insns[end as usize];
            if insn.op != Op::opt_plus {
                break;
            }
            end += 2;
        }
        end - word
    }

    /// Registers that the instructions which are run at a word may write, those under the frames of what they call among them; some
    /// more do no harm.
    pub(crate) fn written_by(&self, word: u32) -> Vec<u16> {
        let end = word + self.run_of(word);
        let mut found = Vec::new();
        let mut at = word;
        while at < end {
            let insn = self.insns[at as usize];
            found.push(self.writes[at as usize]);
            found.push(insn.a);
            match insn.op {
                Op::expandarray => found.extend(insn.a..=insn.a + insn.c + self.insns[at as usize + 1].b + 1),
                Op::hash_next | Op::array_next => found.extend([insn.a, insn.a + 1, insn.c]),
                Op::opt_new | Op::opt_aset => found.push(self.insns[at as usize + 1].a),
                Op::getblockparam | Op::getblockparamproxy => found.push(insn.b),
                _ => {}
            }
            found.extend(
                self.window(at).into_iter().flat_map(|window| window.saturating_sub(FRAME_HEADER)..self.frame_size),
            );
            at += self.words_of(at);
        }
        found.retain(|register| *register != 0);
        found
    }

    /// Where the frame begins of what an instruction calls: its header lies in front of that.
    fn window(&self, word: u32) -> Option<u16> {
        let insn = self.insns[word as usize];
        let format = insn.op.format();
        match insn.op {
            Op::expandarray => None,
            _ if format.has_ext() => Some(self.insns[word as usize + 1].b),
            _ => (format.operands.starts_with("aBs") || format.operands.starts_with("naBs")).then_some(insn.b),
        }
    }

    /// The register for the result of the call at a word.
    pub(crate) fn result_of(&self, word: u32) -> u16 {
        let insn = self.insns[word as usize];
        let has_second = insn.op.format().has_ext() || insn.op == Op::opt_new;
        if has_second { self.insns[word as usize + 1].a } else { insn.a }
    }

    /// The last instruction in front of a word that writes a register, as the words stand.
    pub(crate) fn writer_before(&self, word: u32, register: u16) -> Option<u32> {
        let before = self.starts.partition_point(|start| *start < word);
        let writes = |start: &&u32| self.writes[**start as usize] == register;
        self.starts[..before].iter().rev().find(writes).copied()
    }

    /// Registers that are alive before the instruction at a word.
    pub(crate) fn live_at(&self, word: u32) -> impl Iterator<Item = u16> + '_ {
        numbers(self.live_words(word)).map(|register| register as u16)
    }

    fn live_words(&self, word: u32) -> &[u64] {
        &self.live[word as usize * self.stride..][..self.stride]
    }

    /// The outermost loop around a word, as the words from the head's to the last that goes back to it.
    pub(crate) fn loop_around(&self, word: u32) -> Option<(u32, u32)> {
        let around = self.backward.iter().filter(|(target, branch)| (*target..=*branch).contains(&word));
        around.copied().reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
    }

    /// All loops around a word, the outermost first.
    pub(crate) fn loops_around(&self, word: u32) -> Vec<(u32, u32)> {
        let around = self.backward.iter().filter(|(target, branch)| (*target..=*branch).contains(&word));
        let mut found: Vec<(u32, u32)> = around.copied().chain(self.loop_around(word)).collect();
        found.sort_unstable_by_key(|(head, last)| (*head, Reverse(*last)));
        found.dedup();
        found
    }

    /// The words where instructions begin.
    pub(crate) fn instructions(&self) -> &[u32] {
        &self.starts
    }

    fn find_targets(&mut self, iseq: &Iseq) {
        let mut word = 0;
        while (word as usize) < self.insns.len() {
            self.starts.push(word);
            let format = self.insns[word as usize].op.format();
            if let Some(branch) = format.branch_word().map(|behind| word + behind as u32) {
                self.branches[word as usize] = branch;
                let target = self.target(branch);
                self.is_target[target as usize] = true;
                self.is_target[(branch + 1) as usize] = true;
                if target <= word {
                    self.backward.push((target, branch));
                }
            }
            word += format.words() as u32;
        }
        iseq.catches.iter().for_each(|entry| self.is_target[entry.target as usize] = true);
        iseq.params.optional_entries.iter().for_each(|entry| self.is_target[*entry as usize] = true);
    }

    fn find_live(&mut self, iseq: &Iseq) {
        let sites: Vec<u16> = iseq.sites().map(argument_registers).collect();
        let starts = std::mem::take(&mut self.starts);
        let effects: Vec<Effect> = starts.iter().map(|word| self.effect(*word, &sites)).collect();
        for (word, effect) in starts.iter().zip(&effects) {
            self.writes[*word as usize] = effect.writes;
        }
        let (mut live, mut handler) = (self.captured.clone(), self.captured.clone());
        // A walk goes from the last word to the first, so the ranges around a word are among those that end behind it.
        let mut by_end: Vec<CatchEntry> = iseq.catches.to_vec();
        by_end.sort_by_key(|entry| std::cmp::Reverse(entry.end));
        loop {
            let mut has_changed = false;
            let mut ahead = by_end.iter().peekable();
            let mut around: Vec<&CatchEntry> = Vec::new();
            for (word, effect) in starts.iter().zip(&effects).rev() {
                live.clear();
                for next in self.successors(*word).into_iter().flatten() {
                    live.add(self.live_words(next));
                }
                live.remove(usize::from(effect.writes));
                let (first, count) = effect.writes_run;
                (first..first + count).for_each(|register| live.remove(usize::from(register)));
                let reads = effect.reads.into_iter().chain(effect.run.0..effect.run.0 + effect.run.1);
                for register in reads.filter(|register| *register < self.frame_size) {
                    live.insert(usize::from(register));
                }
                around.retain(|entry| *word >= entry.start);
                while let Some(entry) = ahead.next_if(|entry| *word < entry.end) {
                    around.extend((*word >= entry.start).then_some(entry));
                }
                for entry in &around {
                    handler.clear();
                    handler.add(self.live_words(entry.target));
                    handler.remove(usize::from(entry.register));
                    handler.remove(usize::from(entry.register) + 1);
                    live.add(handler.words());
                }
                live.remove(0);
                live.add(self.captured.words());
                let words = &mut self.live[*word as usize * self.stride..][..self.stride];
                has_changed |= words != live.words();
                words.copy_from_slice(live.words());
            }
            // Without a way back one walk finds all.
            if !has_changed || self.backward.is_empty() && iseq.catches.is_empty() {
                break;
            }
        }
        for word in &starts {
            self.find_live_at_branch(*word, !iseq.catches.is_empty());
        }
        self.starts = starts;
    }

    /// What is alive at the branch of a fused comparison, where a method goes on that is called in place of that.
    fn find_live_at_branch(&mut self, word: u32, has_handlers: bool) {
        if !self.insns[word as usize].op.format().is_fused() {
            return;
        }
        let branch = self.behind_call(word);
        let mut live = self.captured.clone();
        live.clear();
        live.insert(usize::from(self.insns[branch as usize].a));
        live.add(self.live_words(self.target(branch)));
        live.add(self.live_words(branch + 1));
        if has_handlers {
            live.add(self.live_words(word));
        }
        self.live[branch as usize * self.stride..][..self.stride].copy_from_slice(live.words());
    }

    /// Where control goes from an instruction inside of the iseq.
    fn successors(&self, word: u32) -> [Option<u32>; 2] {
        use Op::{break_from_block, jump, jump_back, leave, raise_nomatch, rethrow, return_from_block, throw_jump};
        let op = self.insns[word as usize].op;
        let target = self.branch_word(word).map(|branch| self.target(branch));
        let ends = [break_from_block, jump, jump_back, leave, raise_nomatch, rethrow, return_from_block, throw_jump];
        [target, (!ends.contains(&op)).then(|| word + self.words_of(word))]
    }

    /// As `compile`'s verifier has it, but for what a window's death writes.
    fn effect(&self, word: u32, sites: &[u16]) -> Effect {
        use Op::*;
        let insn = self.insns[word as usize];
        let mut effect = Effect { writes: insn.a, ..Effect::default() };
        match insn.op {
            send | send_simple | send_block | opt_new | invokesuper => {
                effect.run = (insn.b, 1 + sites[usize::from(insn.c)]);
                // What `initialize` of an `opt_new` gives spoils a register that nobody reads.
                effect.writes = self.result_of(word);
            }
            send_self | invokeblock => effect.run = (insn.b + 1, sites[usize::from(insn.c)]),
            copyliterals => effect.writes = 0,
            new_result | once => {}
            invokeblock_one => effect.reads(u16::from(insn.n)),
            array_next => {
                [insn.b, insn.c, insn.a].into_iter().for_each(|register| effect.reads(register));
                effect.writes = 0;
            }
            hash_next => {
                [insn.b, insn.c, insn.a, insn.a + 1].into_iter().for_each(|register| effect.reads(register));
                effect.writes = 0;
            }
            getlocal | getblockparam | getblockparamproxy => {
                if insn.c == 0 {
                    effect.reads(insn.b);
                }
            }
            setlocal | definesmethod => {
                effect.reads(insn.a);
                effect.writes = 0;
            }
            newarray | newhash | concatstrings | toregexp => effect.run = (insn.b, insn.c),
            opt_newarray_send => effect.run = (insn.b, insn.c + 1),
            setfield | raise_nomatch => {
                [insn.a, insn.b].into_iter().for_each(|register| effect.reads(register));
                effect.writes = 0;
            }
            invokeprimitive => effect.run = (insn.b, u16::from(insn.n)),
            defineclass => {
                [insn.a, insn.a + 1].into_iter().for_each(|register| effect.reads(register));
                effect.writes = 0;
            }
            defined => effect.reads(insn.b),
            expandarray => {
                effect.reads(insn.b);
                effect.writes = 0;
                effect.writes_run = (insn.a, insn.c);
            }
            jump_back | postexe => effect.writes = 0,
            _ => self.effect_of_letters(word, insn, &mut effect),
        }
        effect
    }

    fn effect_of_letters(&self, word: u32, insn: Insn, effect: &mut Effect) {
        let format = insn.op.format().operands;
        effect.writes = 0;
        for kind in format.chars() {
            match kind {
                'a' if insn.op.reads_first() => effect.reads(insn.a),
                'a' => effect.writes = insn.a,
                'b' => effect.reads(insn.b),
                'c' => effect.reads(insn.c),
                _ => {}
            }
        }
        // What an assignment's ext word spoils is a temporary that nobody reads.
        if insn.op.format().has_ext() && insn.op != Op::opt_aset {
            effect.writes = self.insns[word as usize + 1].a;
        }
    }
}

/// How many registers behind the receiver the arguments of a call take.
fn argument_registers(site: SiteView<'_>) -> u16 {
    use carat_iseq::CallFlags;
    let SiteView::Call(call) = site else { return 0 };
    let keywords = if call.flags.has(CallFlags::KEYWORDS) { call.keywords.len() as u16 } else { 0 };
    let splat = u16::from(call.flags.has(CallFlags::KEYWORD_SPLAT));
    call.argc + keywords + splat + u16::from(call.flags.has(CallFlags::BLOCK_ARG))
}
