//! The part of [`verify`](crate::verify) that follows registers: what an instruction reads was written on every way there
//! and lives; below a call window nothing is unwritten but the pending windows that are listed.

use carat_iseq::{CallFlags, CallInfo, Draft, FRAME_HEADER, Insn, Op, Site};
use std::collections::BTreeSet;

/// Temporaries that hold a value, as bits from `local_size`.
#[derive(Clone, PartialEq, Eq)]
struct LiveTemporaries(Vec<u64>);

impl LiveTemporaries {
    fn get(&self, bit: usize) -> bool {
        self.0[bit / 64] >> (bit % 64) & 1 != 0
    }

    fn set(&mut self, bit: usize, value: bool) {
        let mask = 1 << (bit % 64);
        if value { self.0[bit / 64] |= mask } else { self.0[bit / 64] &= !mask }
    }

    fn clear_from(&mut self, bit: usize) {
        if let Some((first, rest)) = self.0.get_mut(bit / 64..).and_then(<[u64]>::split_first_mut) {
            *first &= (1 << (bit % 64)) - 1;
            rest.fill(0);
        }
    }

    /// Keeps what both have; true if that is less than before.
    fn meet(&mut self, other: &LiveTemporaries) -> bool {
        let before = self.clone();
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= b);
        *self != before
    }
}

/// Registers read and written by an instruction, and the window that dies with it.
#[derive(Default)]
struct Effect {
    reads: Vec<u16>,
    writes: Vec<u16>,
    /// First register that is dead afterwards, if control may leave the frame.
    dead_from: Option<u16>,
}

struct Flow<'a> {
    iseq: &'a Draft,
    states: Vec<Option<LiveTemporaries>>,
    /// Words to be looked at; the first one comes first, so that most are looked at once.
    work: BTreeSet<usize>,
}

pub(crate) fn check(iseq: &Draft) -> Result<(), String> {
    let bits = usize::from(iseq.frame_size - iseq.local_size).div_ceil(64);
    let mut flow = Flow { iseq, states: vec![None; iseq.insns.len() + 1], work: BTreeSet::new() };
    flow.reach(0, &LiveTemporaries(vec![0; bits]));
    for &entry in &iseq.params.optional_entries {
        flow.reach(entry as usize, &LiveTemporaries(vec![0; bits]));
    }
    flow.run()
}

impl Flow<'_> {
    fn run(&mut self) -> Result<(), String> {
        while let Some(word) = self.work.pop_first() {
            let state = self.states[word].clone().expect("reached");
            self.step(word, state).map_err(|error| format!("{word:04} {:?}: {error}", self.iseq.insns[word].op))?;
        }
        Ok(())
    }

    fn reach(&mut self, word: usize, state: &LiveTemporaries) {
        match &mut self.states[word] {
            Some(known) => {
                if !known.meet(state) {
                    return;
                }
            }
            unknown => *unknown = Some(state.clone()),
        }
        self.work.insert(word);
    }

    fn bit(&self, register: u16) -> Option<usize> {
        register.checked_sub(self.iseq.local_size).map(usize::from)
    }

    fn step(&mut self, word: usize, mut state: LiveTemporaries) -> Result<(), String> {
        let insn = self.iseq.insns[word];
        let words = insn.op.format().words();
        let effect = self.effect(word, insn);
        self.reach_handlers(word, &state);
        for &register in &effect.reads {
            if self.bit(register).is_some_and(|bit| !state.get(bit)) {
                return Err(format!("r{register} holds nothing"));
            }
        }
        if let Some(dead_from) = effect.dead_from {
            self.check_below(word + insn.op.format().words_before_return(), dead_from, &state)?;
            self.bit(dead_from).inspect(|&bit| state.clear_from(bit));
        }
        for &register in &effect.writes {
            self.bit(register).inspect(|&bit| state.set(bit, true));
        }
        self.reach_handlers(word, &state);
        self.reach_next(word, words, insn, &state);
        Ok(())
    }

    fn reach_next(&mut self, word: usize, words: usize, insn: Insn, state: &LiveTemporaries) {
        use Op::{
            array_next, break_from_block, hash_next, jump, jump_back, leave, raise_nomatch, rethrow, return_from_block,
            throw_jump,
        };
        // The last word of these is returned to, and an instruction itself.
        let next = word + if insn.op.format().operands.ends_with(['f', 'r']) { words - 1 } else { words };
        let ends = [break_from_block, jump, jump_back, leave, raise_nomatch, rethrow, return_from_block, throw_jump];
        if insn.op.format().operands.ends_with('o') {
            let target = (word as i64 + 1 + i64::from(insn.d())) as usize;
            self.reach(target, state);
        }
        if matches!(insn.op, array_next | hash_next) {
            self.reach(word + 1, state);
        }
        if !ends.contains(&insn.op) {
            self.reach(next, state);
        }
    }

    /// An instruction may unwind to the entries that cover it.
    fn reach_handlers(&mut self, word: usize, state: &LiveTemporaries) {
        for catch in &self.iseq.catches {
            if (catch.start..catch.end).contains(&(word as u32)) {
                let mut state = state.clone();
                let bit = self.bit(catch.register).expect("a temporary");
                state.clear_from(bit);
                state.set(bit, true);
                state.set(bit + 1, true);
                self.reach(catch.target as usize, &state);
            }
        }
    }

    fn check_below(&self, return_address: usize, limit: u16, state: &LiveTemporaries) -> Result<(), String> {
        let mut written = state.clone();
        for window in &self.iseq.pending_windows {
            if window.start < return_address as u32 && return_address as u32 <= window.end {
                let pending = window.register..window.register + window.words;
                pending.filter_map(|register| self.bit(register)).for_each(|bit| written.set(bit, true));
            }
        }
        let unwritten =
            (self.iseq.local_size..limit).find(|register| !self.bit(*register).is_some_and(|bit| written.get(bit)));
        match unwritten {
            None => Ok(()),
            Some(register) => Err(format!("r{register} below the window at {limit} was never written")),
        }
    }

    fn effect(&self, word: usize, insn: Insn) -> Effect {
        let mut effect = Effect::default();
        if !self.special(word, insn, &mut effect) {
            for kind in insn.op.format().operands.chars() {
                match kind {
                    'a' => effect.writes.push(insn.a),
                    'b' => effect.reads.push(insn.b),
                    'c' => effect.reads.push(insn.c),
                    _ => {}
                }
            }
            if insn.op.reads_first() {
                effect.reads.append(&mut effect.writes);
            }
        }
        if insn.op.format().has_ext() && insn.op != Op::expandarray {
            let ext = self.iseq.insns[word + 1];
            effect.dead_from = Some(ext.b - FRAME_HEADER);
            effect.writes = vec![ext.a];
        } else if insn.op == Op::jump_back {
            effect.dead_from = Some(insn.a);
        }
        effect
    }

    /// Instructions whose operands are more than their letters say.
    fn special(&self, word: usize, insn: Insn, effect: &mut Effect) -> bool {
        use Op::*;
        let run = |first: u16, count: u16| first..first + count;
        match insn.op {
            send | send_simple | send_self | send_block | invokesuper | invokeblock => self.call(insn, effect),
            invokeblock_one => {
                effect.reads.push(u16::from(insn.n));
                effect.dead_from = Some(insn.b - FRAME_HEADER);
                effect.writes.push(insn.a);
            }
            // The object stays in the receiver's register.
            opt_new => {
                self.call(insn, effect);
                effect.writes = vec![insn.b];
            }
            // Here the call returns to that is none of Class#new.
            new_result => {
                effect.reads.push(insn.b);
                effect.dead_from = Some(insn.b - FRAME_HEADER);
                effect.writes.push(insn.a);
            }
            array_next => {
                effect.reads.extend([insn.b, insn.c]);
                effect.writes.push(insn.a);
            }
            hash_next => {
                effect.reads.extend([insn.b, insn.c]);
                effect.writes.extend([insn.a, insn.a + 1]);
            }
            once => {
                effect.dead_from = Some(insn.b - FRAME_HEADER);
                effect.writes.push(insn.a);
            }
            getlocal | getblockparam | getblockparamproxy => effect.writes.push(insn.a),
            setlocal => effect.reads.push(insn.a),
            newarray | newhash | concatstrings | toregexp => {
                effect.reads.extend(run(insn.b, insn.c));
                effect.writes.push(insn.a);
            }
            opt_newarray_send => {
                let has_argument = carat_iseq::newarray_send::has_argument(insn.n);
                effect.reads.extend(run(insn.b, insn.c + u16::from(has_argument)));
            }
            setfield => effect.reads.extend([insn.a, insn.b]),
            invokeprimitive => {
                effect.reads.extend(run(insn.b, u16::from(insn.n)));
                effect.writes.push(insn.a);
            }
            definesmethod => {
                effect.reads.push(insn.a);
                effect.writes.push(insn.a);
            }
            defineclass => {
                effect.reads.extend([insn.a, insn.a + 1]);
                effect.dead_from = Some(insn.a + 2);
                effect.writes.push(insn.a);
            }
            defined => {
                if matches!(insn.n, 4 | 5 | 10) {
                    effect.reads.push(insn.b);
                }
                effect.writes.push(insn.a);
            }
            raise_nomatch => effect.reads.extend([insn.a, insn.b]),
            expandarray => {
                effect.reads.push(insn.b);
                let posts = self.iseq.insns[word + 1].b;
                effect.writes.extend(run(insn.a, insn.c + u16::from(insn.n & 1) + posts));
            }
            jump_back | postexe => {}
            _ => return false,
        }
        true
    }

    fn call(&self, insn: Insn, effect: &mut Effect) {
        let Site::Call(info) = &self.iseq.sites[usize::from(insn.c)] else { unreachable!("verified before") };
        let fills_receiver = matches!(insn.op, Op::send_self | Op::invokeblock);
        let first = insn.b + u16::from(fills_receiver);
        effect.reads.extend(first..insn.b + 1 + argument_registers(info));
        effect.dead_from = Some(insn.b - FRAME_HEADER);
        effect.writes.push(insn.a);
    }
}

/// How many registers behind the receiver the arguments take.
pub(crate) fn argument_registers(info: &CallInfo) -> u16 {
    let keywords = if info.flags.has(CallFlags::KEYWORDS) { info.keyword_names.len() as u16 } else { 0 };
    let splat = u16::from(info.flags.has(CallFlags::KEYWORD_SPLAT));
    info.argc + keywords + splat + u16::from(info.flags.has(CallFlags::BLOCK_ARG))
}
