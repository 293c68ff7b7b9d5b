//! What the instructions of one iseq read, write and lead to, and which registers are alive before each.
//!
//! # Liveness
//! A register is alive where some way from there reads it before it is written, the ways to the handlers of errors included.
//! Captured registers always are: closures and bindings look at them when they like. They are what is found through the
//! environment.

use carat_iseq::{Insn, Iseq, Op, SiteView, hint};

/// A set of registers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Registers(Vec<u64>);

impl Registers {
    fn new(count: usize) -> Registers {
        Registers(vec![0; count.div_ceil(64)])
    }

    pub(crate) fn has(&self, register: u16) -> bool {
        self.0.get(usize::from(register) / 64).is_some_and(|word| word >> (register % 64) & 1 != 0)
    }

    fn insert(&mut self, register: u16) {
        if let Some(word) = self.0.get_mut(usize::from(register) / 64) {
            *word |= 1 << (register % 64);
        }
    }

    fn remove(&mut self, register: u16) {
        if let Some(word) = self.0.get_mut(usize::from(register) / 64) {
            *word &= !(1 << (register % 64));
        }
    }

    fn add(&mut self, other: &Registers) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        (0..self.0.len() as u16 * 64).filter(|register| self.has(*register))
    }
}

/// What an instruction does with registers.
#[derive(Default, Debug)]
pub(crate) struct Effect {
    pub(crate) reads: Vec<u16>,
    pub(crate) writes: Vec<u16>,
}

/// One iseq.
pub(crate) struct Flow {
    pub(crate) insns: Box<[Insn]>,
    /// Whether something jumps to a word.
    pub(crate) is_target: Vec<bool>,
    live: Vec<Registers>,
    writes: Vec<Vec<u16>>,
    pub(crate) captured: Registers,
    pub(crate) local_size: u16,
    pub(crate) frame_size: u16,
    pub(crate) has_handlers: bool,
    /// Blocks in it may become Procs, whose bindings show all locals.
    pub(crate) has_children: bool,
}

impl Flow {
    pub(crate) fn new(iseq: &Iseq) -> Flow {
        let count = usize::from(iseq.frame_size);
        let mut captured = Registers::new(count);
        iseq.locals().filter(|local| local.captured).for_each(|local| captured.insert(local.register));
        if let Some(first) = iseq.svar {
            captured.insert(first);
            captured.insert(first + 1);
        }
        // The block parameter is not captured by anybody, but instructions look for it in the environment.
        let is_sought = |insn: &&Insn| {
            use Op::{getblockparam, getblockparamproxy, getlocal, setlocal};
            matches!(insn.op, getblockparam | getblockparamproxy | getlocal | setlocal) && insn.c == 0
        };
        iseq.insns.iter().filter(is_sought).for_each(|insn| captured.insert(insn.b));
        let mut flow = Flow {
            insns: iseq.insns.clone(),
            is_target: vec![false; iseq.insns.len() + 1],
            live: vec![Registers::new(count); iseq.insns.len() + 1],
            writes: vec![Vec::new(); iseq.insns.len()],
            captured,
            local_size: iseq.local_size,
            frame_size: iseq.frame_size,
            has_handlers: !iseq.catches.is_empty(),
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
        let format = self.insns[word as usize].op.format().operands;
        if format.ends_with(['f', 'k']) {
            return Some(word + 1);
        }
        format.contains('o').then_some(word)
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

    /// Registers that the instructions which are run at a word may write; some more do no harm.
    pub(crate) fn written_by(&self, word: u32) -> Vec<u16> {
        let end = word + self.run_of(word);
        let mut found = Vec::new();
        let mut at = word;
        while at < end {
            let insn = self.insns[at as usize];
            found.extend(&self.writes[at as usize]);
            found.push(insn.a);
            match insn.op {
                Op::expandarray => found.extend(insn.a..=insn.a + insn.c + self.insns[at as usize + 1].b + 1),
                Op::hash_next | Op::array_next => found.extend([insn.a, insn.a + 1, insn.c]),
                Op::opt_new | Op::opt_aset => found.push(self.insns[at as usize + 1].a),
                Op::getblockparam | Op::getblockparamproxy => found.push(insn.b),
                _ => {}
            }
            at += self.words_of(at);
        }
        found.retain(|register| *register != 0);
        found
    }

    pub(crate) fn live_at(&self, word: u32) -> &Registers {
        &self.live[word as usize]
    }

    /// The loops around a word, as the words from the head's to the last that goes back to it; the outermost alone.
    pub(crate) fn loop_around(&self, word: u32) -> Option<(u32, u32)> {
        let mut found: Option<(u32, u32)> = None;
        for at in self.instructions() {
            let Some(branch) = self.branch_word(at) else { continue };
            let target = self.target(branch);
            if target <= at && target <= word && word <= branch {
                let (first, last) = found.unwrap_or((target, branch));
                found = Some((first.min(target), last.max(branch)));
            }
        }
        found
    }

    /// The words where instructions begin.
    pub(crate) fn instructions(&self) -> Vec<u32> {
        let mut found = Vec::new();
        let mut word = 0;
        while (word as usize) < self.insns.len() {
            found.push(word);
            word += self.words_of(word);
        }
        found
    }

    fn find_targets(&mut self, iseq: &Iseq) {
        for word in self.instructions() {
            if let Some(branch) = self.branch_word(word) {
                let target = self.target(branch);
                self.is_target[target as usize] = true;
                self.is_target[(branch + 1) as usize] = true;
            }
        }
        iseq.catches.iter().for_each(|entry| self.is_target[entry.target as usize] = true);
        iseq.params.optional_entries.iter().for_each(|entry| self.is_target[*entry as usize] = true);
    }

    fn find_live(&mut self, iseq: &Iseq) {
        let instructions = self.instructions();
        let sites: Vec<u16> = iseq.sites().map(argument_registers).collect();
        let effects: Vec<Effect> = instructions.iter().map(|word| self.effect(*word, &sites)).collect();
        for (word, effect) in instructions.iter().zip(&effects) {
            self.writes[*word as usize].clone_from(&effect.writes);
        }
        loop {
            let mut has_changed = false;
            for (word, effect) in instructions.iter().zip(&effects).rev() {
                let mut live = self.captured.clone();
                for next in self.successors(*word) {
                    live.add(&self.live[next as usize]);
                }
                effect.writes.iter().for_each(|register| live.remove(*register));
                effect.reads.iter().for_each(|register| live.insert(*register));
                for entry in iseq.catches.iter().filter(|entry| (entry.start..entry.end).contains(word)) {
                    let mut handler = self.live[entry.target as usize].clone();
                    handler.remove(entry.register);
                    handler.remove(entry.register + 1);
                    live.add(&handler);
                }
                live.add(&self.captured);
                has_changed |= self.live[*word as usize] != live;
                self.live[*word as usize] = live;
            }
            if !has_changed {
                return;
            }
        }
    }

    /// Where control goes from an instruction inside of the iseq.
    fn successors(&self, word: u32) -> Vec<u32> {
        use Op::{break_from_block, jump, jump_back, leave, raise_nomatch, rethrow, return_from_block, throw_jump};
        let op = self.insns[word as usize].op;
        let mut found = Vec::new();
        if let Some(branch) = self.branch_word(word) {
            found.push(self.target(branch));
        }
        let ends = [break_from_block, jump, jump_back, leave, raise_nomatch, rethrow, return_from_block, throw_jump];
        if !ends.contains(&op) {
            found.push(word + self.words_of(word));
        }
        found
    }

    /// As `compile`'s verifier has it, but for what a window's death writes.
    fn effect(&self, word: u32, sites: &[u16]) -> Effect {
        use Op::*;
        let insn = self.insns[word as usize];
        let mut effect = Effect::default();
        let run = |first: u16, count: u16| first..first + count;
        match insn.op {
            send | send_simple | send_block | opt_new | invokesuper => {
                effect.reads.extend(run(insn.b, 1 + sites[usize::from(insn.c)]));
                effect.writes.push(insn.a);
            }
            send_self | invokeblock => {
                effect.reads.extend(run(insn.b + 1, sites[usize::from(insn.c)]));
                effect.writes.push(insn.a);
            }
            copyliterals => {}
            new_result => effect.writes.push(insn.a),
            invokeblock_one => {
                effect.reads.push(u16::from(insn.n));
                effect.writes.push(insn.a);
            }
            array_next => {
                effect.reads.extend([insn.b, insn.c, insn.a]);
            }
            hash_next => {
                effect.reads.extend([insn.b, insn.c, insn.a, insn.a + 1]);
            }
            once => effect.writes.push(insn.a),
            getlocal | getblockparam | getblockparamproxy => {
                if insn.c == 0 {
                    effect.reads.push(insn.b);
                }
                effect.writes.push(insn.a);
            }
            setlocal => effect.reads.push(insn.a),
            newarray | newhash | concatstrings | toregexp => {
                effect.reads.extend(run(insn.b, insn.c));
                effect.writes.push(insn.a);
            }
            opt_newarray_send => {
                effect.reads.extend(run(insn.b, insn.c + 1));
                effect.writes.push(insn.a);
            }
            setfield | raise_nomatch => effect.reads.extend([insn.a, insn.b]),
            invokeprimitive => {
                effect.reads.extend(run(insn.b, u16::from(insn.n)));
                effect.writes.push(insn.a);
            }
            definesmethod => effect.reads.push(insn.a),
            defineclass => effect.reads.extend([insn.a, insn.a + 1]),
            defined => {
                effect.reads.push(insn.b);
                effect.writes.push(insn.a);
            }
            expandarray => {
                effect.reads.push(insn.b);
            }
            jump_back | postexe => {}
            _ => self.effect_of_letters(word, insn, &mut effect),
        }
        effect
    }

    fn effect_of_letters(&self, word: u32, insn: Insn, effect: &mut Effect) {
        let format = insn.op.format().operands;
        for kind in format.chars() {
            match kind {
                'a' if insn.op.reads_first() => effect.reads.push(insn.a),
                'a' => effect.writes.push(insn.a),
                'b' => effect.reads.push(insn.b),
                'c' => effect.reads.push(insn.c),
                _ => {}
            }
        }
        // What an assignment's ext word spoils is a temporary that nobody reads.
        if format.ends_with('x') && insn.op != Op::opt_aset {
            effect.writes = vec![self.insns[word as usize + 1].a];
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
