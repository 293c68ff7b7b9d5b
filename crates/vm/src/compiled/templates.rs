//! The templates.
//!
//! # Registers
//! At the beginning of each: rsi = fp, rdx = ec, rcx = the code's caches, as handlers get them. All other registers that calls
//! need not keep are for the template: rax, rdi, r8 to r11.
//!
//! # Invariant
//! A template that leaves for its handler has changed nothing that the handler would find: no register of the frame, no object.

use super::blocks::{Block, Blocks, ends, target};
use super::emit::*;
use super::enter::{ADDRESS_SHIFT, machine_counted, unreached};
use super::helpers::Helper;
use super::stubs::{Stub, Stubs};
use super::{Compiled, Jit, listing};
use crate::ec::Ec;
use crate::model::symbol::sym;
use crate::run::code::{CacheCell, CodeData};
use crate::run::frame::{BLOCK, CODE_BEHIND, ENV, PARENT};
use crate::run::interp::Handler;
use crate::run::interp::ops::BLOCK_GIVEN;
use crate::run::leaf;
use crate::run::link::LinkedSite;
use crate::run::polymorphic::places;
use carat_asm::{Alu, Assembler, Condition as If, Label, Mem, Reg};
use carat_iseq::{Insn, Op, hint};
use carat_layout::{HeapType, ShapeId, Value, flags};
use std::cell::{Cell, OnceCell, RefCell};
use std::mem::offset_of;

/// Longer code is left to the interpreter.
const MOST_WORDS: usize = 20_000;

/// What one instruction needs besides its template.
struct Place {
    /// Where its template begins.
    start: Label,
    /// Where it is left to its handler.
    exit: Option<Label>,
    /// Its record, and the word behind that.
    record: Option<(Label, Label)>,
    /// Where what it calls directly returns to.
    returned: Option<Label>,
}

/// What an operator goes on with where its operands are not what it has machine code for: a helper, and what becomes of its result.
struct Cold {
    here: Label,
    record: Label,
    helper: Helper,
    then: Then,
}

enum Then {
    /// It is in rax there.
    Result(Label),
    /// The branch to `to` is taken if it is what `wanted` says, after a poll if that may leave, and `next` comes otherwise.
    Branch { wanted: Value, to: Label, poll: Option<Label>, next: Label },
}

/// A local whose environment may be on the heap: where the stub is asked, and where the value in rax is stored in that in r8.
struct Local {
    here: Label,
    record: Label,
    store: Label,
}

/// A word of the records.
enum Word {
    Insn(Insn),
    /// What the stub that an instruction calls has to know, in front of it.
    Data(u64),
    /// Leads to the template of a word of the iseq.
    Enter(u32),
    /// Leads behind what counts at the beginning of a template.
    Behind(Label),
    /// The code's caches, behind each word that leads into the code: what returns there finds them without looking at the Code.
    Caches,
}

/// Where the words come from that stand for no word of the iseq.
const NOWHERE: u32 = u32::MAX;

/// What lies behind the code, as [`Compiled`] knows it.
struct Records {
    words: Vec<Word>,
    origins: Box<[u32]>,
    entries: Box<[(u32, u32)]>,
}

pub(super) struct Compiler<'a> {
    pub(super) ec: &'a Ec,
    pub(super) code: &'a CodeData,
    insns: &'a [Insn],
    pub(super) a: Assembler,
    places: Vec<Option<Place>>,
    /// The instruction at hand.
    pub(super) word: usize,
    /// Words that `enter_compiled` words of their own lead to.
    entries: Vec<u32>,
    /// Whether anything but the instruction before leads to a word.
    is_target: Vec<bool>,
    /// Whether a word is compiled here: not if it was not reached, or was compiled before.
    is_own: Vec<bool>,
    /// What the code had compiled before.
    before: Option<&'a Compiled>,
    /// Beginnings of blocks that are not reached yet.
    unreached: Vec<u32>,
    /// Beginnings of blocks that such ones lead to, or that others were compiled without.
    awaited: Vec<u32>,
    /// Beginnings of blocks that are not compiled here, where words of this code jump to for them.
    elsewhere: Vec<u32>,
    /// Whether the instruction that was compiled last goes on behind itself.
    falls: bool,
    /// Whether a word is in a loop, and whether one begins there.
    is_repeated: Vec<bool>,
    is_head: Vec<bool>,
    cold: Vec<Cold>,
    locals: Vec<Local>,
    later: Vec<Later>,
    counts: Vec<Count>,
    /// Where what returns to a record goes on, with the result in rax and that place in rdi.
    pub(super) gives: Option<Label>,
    /// Words that calls return to: where they lie in the code, and what they stand for.
    returns: Vec<(u32, u32)>,
    counts_at: Option<u32>,
    /// Fused comparisons whose branches are to be made, as methods return to them.
    branches: Vec<usize>,
    /// The register whose value is in rax at the end of the instruction at hand, if only a return leads there.
    pub(super) has_result: Option<u16>,
    /// `leave` behind such an end: its beginning for others, its register, and where it goes on.
    leaves: Vec<(Label, u16, Label)>,
    /// Where a call goes on that has the receiver in rax, and whether it is there now.
    own_entry: Option<Label>,
    pub(super) has_own: bool,
    /// Where calls go on whose method is not compiled.
    pub(super) goes: Option<Label>,
    pub(super) stubs: &'a Stubs,
    /// Code of the methods that the machine code names.
    pub(super) callees: Vec<Value>,
    /// Shapes that it compares with.
    pub(super) shapes: Vec<ShapeId>,
    /// What a call does where its cell says something else is near.
    pub(super) is_near: bool,
    /// How many are being compiled, this one for the one before.
    depth: u32,
}

/// A place where calls or turns are counted towards the optimizing compiler: where the count is over, and what comes otherwise.
struct Count {
    here: Label,
    record: Label,
    word: usize,
    next: Label,
}

/// A place that goes on in a stub, which it calls if `then` says what comes next.
struct Later {
    here: Label,
    record: Label,
    stub: usize,
    then: Option<Label>,
}

/// Callees that are compiled first, one for the other, while so many bytes of native stack are left. In a chain of calls whose counts
/// are the same all are called directly then, and each lies in front of what it calls, where the processor looks for code next.
const MOST_DEPTH: u32 = 32;
const LEAST_STACK: usize = 128 << 10;

/// Machine code for a code, or `None` if there is no room for it, or it would be too long. Where that waits for what runs often, it is
/// for the blocks that were reached; `came_to` is the word of one that was reached after the others had been compiled.
pub(super) fn compile(ec: &Ec, code: &CodeData, depth: u32, came_to: Option<u32>) -> Option<Compiled> {
    let iseq = &code.linked().iseq;
    if iseq.insns.len() > MOST_WORDS || ec.is_compiled_off.get() || activates_refinements(code) {
        return None;
    }
    let before = code.compilation.compiled.get();
    if ec.vm().config.jit.optimizes() && before.is_none() {
        code.compilation.counts_beside_others(&ec.ractor().call_counters);
    }
    let mut a = Assembler::new();
    let places = places_of(&iseq.insns, &mut a);
    let (is_target, is_repeated) = (vec![false; iseq.insns.len()], vec![false; iseq.insns.len()]);
    let insns = &iseq.insns;
    let stubs = ec.ractor().machine_stubs.get_or_init(|| Stubs::new(ec)).as_ref()?;
    let mut compiler = Compiler {
        ec,
        code,
        insns,
        a,
        places,
        word: 0,
        entries: Vec::new(),
        is_target,
        is_own: Vec::new(),
        before,
        unreached: Vec::new(),
        awaited: Vec::new(),
        elsewhere: Vec::new(),
        falls: false,
        is_repeated,
        is_head: vec![false; iseq.insns.len()],
        cold: Vec::new(),
        locals: Vec::new(),
        later: Vec::new(),
        counts: Vec::new(),
        gives: None,
        returns: Vec::new(),
        counts_at: None,
        branches: Vec::new(),
        has_result: None,
        leaves: Vec::new(),
        own_entry: None,
        has_own: false,
        goes: None,
        stubs,
        callees: Vec::new(),
        shapes: Vec::new(),
        is_near: false,
        depth,
    };
    compiler.find_entries();
    compiler.find_own(came_to);
    compiler.templates();
    compiler.a.cut();
    compiler.branches();
    compiler.elsewhere();
    compiler.cold();
    compiler.exits();
    compiler.finish()
}

/// Whether the code may get another scope while it runs: blocks that machine code names would be of the one that it had.
fn activates_refinements(code: &CodeData) -> bool {
    let is_using = |site: &LinkedSite| matches!(site, LinkedSite::Call(call) if call.name == sym::USING);
    code.linked().sites.iter().any(is_using)
}

fn places_of(insns: &[Insn], a: &mut Assembler) -> Vec<Option<Place>> {
    let mut places: Vec<_> = insns.iter().map(|_| None).collect();
    let mut word = 0;
    while word < insns.len() {
        let format = insns[word].op.format();
        // The branch of a fused comparison is one that methods return to.
        for start in [Some(0), format.branch_word().filter(|_| format.is_fused())].into_iter().flatten() {
            places[word + start] = Some(Place { start: a.label(), exit: None, record: None, returned: None });
        }
        word += format.words();
    }
    places
}

pub(super) fn cell(site: u16, offset: usize) -> Mem {
    Mem::at(RCX, i32::from(site) * size_of::<CacheCell>() as i32 + offset as i32)
}

pub(super) fn reg(register: u16) -> Mem {
    Mem::at(FP, i32::from(register) * 8)
}

pub(super) fn fixnum(value: i64) -> i32 {
    Value::fixnum_unchecked(value).bits() as i32
}

impl Compiler<'_> {
    fn words_of(&self, word: usize) -> usize {
        self.insns[word].op.format().words()
    }

    /// Where the branch at a word leads to: the word that holds the offset, and its target.
    fn target(&self, branch: usize) -> usize {
        target(self.insns, branch)
    }

    /// The word that holds the offset of the instruction at a word, if it is one that may jump.
    fn branch_word(&self, word: usize) -> Option<usize> {
        self.insns[word].op.format().branch_word().map(|behind| word + behind)
    }

    /// Beginnings of calls, loops and handlers. What a record's copy may jump to is added when the record is made.
    fn find_entries(&mut self) {
        let iseq = &self.code.linked().iseq;
        self.entries.push(0);
        self.entries.extend(&iseq.params.optional_entries);
        self.entries.extend(iseq.catches.iter().map(|entry| entry.target));
        let mut word = 0;
        while word < self.insns.len() {
            if let Some(target) = self.branch_word(word).map(|branch| self.target(branch)) {
                self.is_target[target] = true;
                if target <= word {
                    self.entries.push(target as u32);
                    self.is_head[target] = true;
                    self.is_repeated[target..=word].fill(true);
                }
            }
            word += self.words_of(word);
        }
        self.entries.iter().for_each(|entry| self.is_target[*entry as usize] = true);
    }

    /// Which words are to be compiled, and where others are jumped to.
    fn find_own(&mut self, came_to: Option<u32>) {
        self.is_own = vec![true; self.insns.len()];
        if !self.ec.vm().config.jit.waits_for_blocks() {
            return;
        }
        let blocks = Blocks::new(self.code, self.insns, &self.is_target);
        if self.before.is_none() && !blocks.has_cold() {
            return;
        }
        let compiled_before = |block: &Block| self.before.is_some_and(|one| !one.is_unreached(block.first as u32));
        let optional = self.code.linked().iseq.params.optional_entries.iter();
        let called = std::iter::once(0).chain(optional.map(|word| *word as usize));
        let known = blocks.iter().filter(|block| compiled_before(block)).map(|block| block.first);
        let came_to = came_to.map(|word| word as usize);
        let reached = blocks.reached(self.code, called.clone().chain(came_to).chain(known));
        for block in blocks.iter() {
            let (is_known, is_reached) = (compiled_before(block), reached[block.first]);
            self.is_own[block.first..block.end].fill(is_reached && !is_known);
            if !is_reached {
                self.unreached.push(block.first as u32);
                self.awaited.extend(block.successors().filter(|next| reached[*next]).map(|next| next as u32));
            } else if self.before.is_some() && !is_known {
                self.awaited.push(block.first as u32);
            }
        }
        let own = blocks.iter().filter(|block| self.is_own[block.first]);
        // The code may call itself.
        let led_to = own.flat_map(Block::successors).chain(called);
        self.elsewhere = led_to.filter(|word| !self.is_own[*word]).map(|word| word as u32).collect();
        for list in [&mut self.awaited, &mut self.elsewhere] {
            list.sort_unstable();
            list.dedup();
        }
        let is_own = &self.is_own;
        self.entries.retain(|entry| is_own[*entry as usize]);
    }

    /// The word behind the instruction at hand.
    pub(super) fn ext_word(&self) -> Insn {
        self.insns[self.word + 1]
    }

    pub(super) fn start(&self, word: usize) -> Label {
        self.places[word].as_ref().expect("an instruction begins here").start
    }

    /// Where the instruction at hand is left to its handler.
    pub(super) fn exit(&mut self) -> Label {
        let word = self.word;
        self.record();
        if let Some(exit) = self.places[word].as_ref().and_then(|place| place.exit) {
            return exit;
        }
        let exit = self.a.label();
        self.places[word].as_mut().expect("the instruction at hand").exit = Some(exit);
        exit
    }

    /// The record of the instruction at hand, and the word behind.
    pub(super) fn record(&mut self) -> (Label, Label) {
        let word = self.word;
        if let Some(record) = self.places[word].as_ref().and_then(|place| place.record) {
            return record;
        }
        let record = (self.a.label(), self.a.label());
        self.places[word].as_mut().expect("the instruction at hand").record = Some(record);
        record
    }

    /// RET_PC of what the instruction at hand calls directly.
    pub(super) fn returned(&mut self) -> Option<Label> {
        let word = self.word;
        if word + self.words_of(word) >= self.insns.len() {
            return None;
        }
        let place = self.places[word].as_mut().expect("the instruction at hand");
        Some(*place.returned.get_or_insert_with(|| self.a.label()))
    }

    /// What calls of this site return to: a word for whoever looks at the frame or returns by the interpreter, and the code for
    /// [`Compiler::leave`], which has the result in rax and the caller's frame below the window. It goes on at a label, or here. What a
    /// leaf answered in place of the method goes on at `answered`.
    pub(super) fn returns_here(&mut self, call: Insn, then: Option<Label>, answered: Option<Label>) {
        let (word, next) = (self.word, self.word + self.insns[self.word].op.format().words_before_return());
        let Some(returned) = self.places[word].as_ref().and_then(|place| place.returned) else { return };
        self.a.align(8);
        self.a.data(bits_of(call));
        let behind = self.a.position() + CODE_BEHIND as usize;
        self.a.bind_at(returned, behind);
        self.returns.push((self.a.position() as u32, next as u32));
        self.a.data(0);
        self.a.alu_imm(Alu::Sub, FP, i32::from(call.b) * 8);
        answered.into_iter().for_each(|answered| self.a.bind(answered));
        let is_exiting = matches!(self.ec.vm().config.jit, Jit::Exits(_));
        if then.is_none()
            && self.is_own[next]
            && self.insns[next].op == Op::leave
            && self.insns[next].a == call.a
            && !is_exiting
        {
            self.has_result = Some(call.a);
            return;
        }
        self.a.store(reg(call.a), RAX);
        self.a.mov_imm(RCX, self.code.caches.expose_provenance() as u64);
        then.into_iter().for_each(|then| self.a.jump(then));
    }

    /// Where calls of this code go on that have the receiver in rax.
    pub(super) fn own_start(&self) -> Option<Label> {
        self.own_entry
    }

    /// Has `self` in rax if the first instruction wants it there: its caller had it, and would wait for its own store otherwise.
    fn begin(&mut self) {
        let wants_own = matches!(self.insns[0].op, Op::send_self | Op::getinstancevariable);
        let keeps_rax = !self.ec.vm().config.jit.optimizes() || self.counter_near(0).is_some();
        self.has_own = wants_own && keeps_rax;
        if self.has_own {
            self.a.load(RAX, Mem::at(FP, 0));
            let entry = self.a.label();
            self.a.bind(entry);
            self.own_entry = Some(entry);
        }
    }

    fn templates(&mut self) {
        let mut word = 0;
        while word < self.insns.len() {
            self.word = word;
            let start = self.start(word);
            if !self.is_own[word] {
                if std::mem::take(&mut self.falls) {
                    self.a.jump(start);
                }
                word += self.words_of(word);
                continue;
            }
            self.falls = !ends(self.insns[word].op) && !self.is_left(word);
            if let Some(register) = self.has_result.take() {
                let body = self.a.label();
                self.a.bind(body);
                self.leaves.push((start, register, body));
                self.leave_with_result();
                word += self.words_of(word);
                continue;
            }
            self.a.bind(start);
            if word == 0 {
                self.begin();
            }
            self.count_towards_units();
            if self.is_left(word) {
                self.has_own = false;
                let (record, _) = self.record();
                self.a.lea_label(RDI, record);
                self.jump_to_handler(word);
                word += self.run_of(word);
                continue;
            }
            self.count_exit();
            let insn = self.insns[word];
            let called = self.operator(insn);
            self.template(insn);
            self.has_own = false;
            match called {
                Some(_) if insn.op.format().is_fused() => self.branches.push(word),
                called => called.into_iter().for_each(|label| self.a.bind(label)),
            }
            word += self.words_of(word);
        }
    }

    /// The branches of fused comparisons that were calls of methods. The calls have polled.
    fn branches(&mut self) {
        for word in std::mem::take(&mut self.branches) {
            let branch = word + 2;
            let (start, to, next) = (self.start(branch), self.start(self.target(branch)), self.start(word + 3));
            self.a.bind(start);
            self.a.load(RAX, reg(self.insns[branch].a));
            self.compare_falsy();
            self.a.jump_if(if self.insns[branch].op == Op::branchif { If::NotEqual } else { If::Equal }, to);
            self.a.jump(next);
        }
    }

    /// Runs the handler of the instruction at a word. While machine code runs, no other handlers stand in for any.
    fn jump_to_handler(&mut self, word: usize) {
        let handler = self.ec.plain[self.insns[word].op as usize].get();
        self.a.jump_out(handler as usize);
    }

    /// At the beginning and at the heads of loops.
    fn count_towards_units(&mut self) {
        if !self.ec.vm().config.jit.optimizes() || self.word != 0 && !self.is_head[self.word] {
            return;
        }
        let [here, record, next] = std::array::from_fn(|_| self.a.label());
        if self.word == 0 {
            self.counts_at = Some(self.a.position() as u32);
        }
        let counter = self.counter(self.word);
        self.a.alu_at32(Alu::Sub, counter, 1);
        self.a.jump_if(If::Sign, here);
        if self.has_own {
            let then = self.a.label();
            self.a.bind(then);
            self.leaves.push((next, 0, then));
        } else {
            self.a.bind(next);
        }
        self.counts.push(Count { here, record, word: self.word, next });
    }

    /// What counts at a word; rax leads to it unless it is so near the cells that their register does.
    fn counter(&mut self, word: usize) -> Mem {
        match self.counter_near(word) {
            Some(near) => near,
            None => {
                let counter = self.code.compilation.counter_at(word).as_ptr().expose_provenance();
                self.a.mov_imm(RAX, counter as u64);
                Mem::at(RAX, 0)
            }
        }
    }

    /// The same if it is near the cells.
    fn counter_near(&self, word: usize) -> Option<Mem> {
        let counter = self.code.compilation.counter_at(word).as_ptr().expose_provenance();
        let distance = counter as i64 - self.code.caches.expose_provenance() as i64;
        i32::try_from(distance).ok().map(|distance| Mem::at(RCX, distance))
    }

    /// Leaves one instruction in so many to its handler.
    fn count_exit(&mut self) {
        let Jit::Exits(period) = self.ec.vm().config.jit else { return };
        let (go, exit) = (self.a.label(), self.exit());
        self.a.alu_at32(Alu::Sub, in_ec(offset_of!(Ec, exits)), 1);
        self.a.jump_if(If::NoSign, go);
        self.a.store_imm32(in_ec(offset_of!(Ec, exits)), period.min(i32::MAX as u32) as i32 - 1);
        self.a.jump(exit);
        self.a.bind(go);
    }

    fn exits(&mut self) {
        for word in 0..self.insns.len() {
            let Some(Place { exit: Some(exit), record: Some((record, _)), .. }) = self.places[word] else { continue };
            self.a.bind(exit);
            self.a.lea_label(RDI, record);
            self.jump_to_handler(word);
        }
    }

    /// Where blocks are jumped to that are not compiled here: those that are not reached yet begin in the interpreter, which is counted.
    fn elsewhere(&mut self) {
        for word in self.elsewhere.clone() {
            let start = self.start(word as usize);
            self.a.bind(start);
            match self.before.and_then(|before| before.place_of(word)) {
                Some(address) => self.a.jump_out(address),
                None => {
                    let pc = self.code.insns.wrapping_add(word as usize);
                    self.a.mov_imm(RDI, pc.expose_provenance() as u64);
                    self.a.jump_out(unreached as Handler as usize);
                }
            }
        }
    }

    fn cold(&mut self) {
        for Cold { here, record, helper, then } in std::mem::take(&mut self.cold) {
            self.a.bind(here);
            self.a.lea_label(RDI, record);
            self.a.call_out(self.stubs.helper(helper));
            match then {
                Then::Result(then) => self.a.jump(then),
                Then::Branch { wanted, to, poll, next } => {
                    self.a.alu_imm(Alu::Cmp, RAX, wanted.bits() as i32);
                    self.a.jump_if(If::NotEqual, next);
                    if let Some(exit) = poll {
                        self.poll(exit);
                    }
                    self.a.jump(to);
                }
            }
        }
        let counted: Vec<_> = self.counts.iter().map(|count| (count.here, count.record, count.word)).collect();
        for (here, record, word) in counted {
            self.a.bind(here);
            self.a.lea_label(RDI, record);
            if word != 0 {
                self.a.jump_out(machine_counted as Handler as usize);
                continue;
            }
            let counter = self.counter(0);
            self.a.lea(RAX, counter);
            self.a.mov_imm(R8, self.code.compilation.first_unit().expose_provenance() as u64);
            self.a.jump_out(self.stubs.of(Stub::Counted));
        }
        for (here, register, then) in std::mem::take(&mut self.leaves) {
            self.a.bind(here);
            self.a.load(RAX, reg(register));
            self.a.jump(then);
        }
        self.give();
        if let Some(here) = self.goes {
            self.a.bind(here);
            self.a.jump_out(self.stubs.of(Stub::Go));
        }
        for Later { here, record, stub, then } in std::mem::take(&mut self.later) {
            self.a.bind(here);
            self.a.lea_label(RDI, record);
            match then {
                None => self.a.jump_out(stub),
                Some(then) => {
                    self.a.call_out(stub);
                    self.a.jump(then);
                }
            }
        }
        for Local { here, record, store } in std::mem::take(&mut self.locals) {
            self.a.bind(here);
            self.a.lea_label(RDI, record);
            self.a.call_out(self.stubs.of(Stub::SetLocal));
            self.a.jump(store);
        }
    }

    /// Lays out the records behind the code and puts everything in its place.
    fn finish(mut self) -> Option<Compiled> {
        let Records { words, origins, entries } = self.records();
        self.a.align(8);
        let records = self.a.position();
        let mut enters = Vec::new();
        for (at, word) in words.iter().enumerate() {
            match word {
                Word::Insn(insn) => self.a.data(bits_of(*insn)),
                Word::Data(data) => self.a.data(*data),
                Word::Enter(to) => {
                    enters.push((records + at * 8, self.start(*to as usize)));
                    self.a.data(0);
                }
                Word::Behind(label) => {
                    enters.push((records + at * 8, *label));
                    self.a.data(0);
                }
                Word::Caches => self.a.data(self.code.caches.expose_provenance() as u64),
            }
        }
        enters.extend(self.returns.iter().map(|(at, word)| (*at as usize, self.start(*word as usize))));
        if self.a.position() > Assembler::MOST_BYTES {
            return None;
        }
        let memory = self.ec.ractor().machine_code.clone();
        let placement = super::cold::take(self.ec, self.a.parts())?;
        for (at, to) in enters {
            let address = placement.address(self.a.offset_of(to)) as u64;
            self.a.set_data(at, address << ADDRESS_SHIFT | Op::enter_compiled as u64);
        }
        let marks = self.marks(records);
        let own_entry = self.own_entry.map_or(0, |entry| self.a.offset_of(entry) as u32);
        let offset = |word: &u32| Some((*word, self.a.bound(self.start(*word as usize))? as u32));
        let elsewhere = self.elsewhere.iter().filter_map(offset).collect();
        let awaited = self.awaited.iter().filter(|word| self.is_own[**word as usize]).filter_map(offset).collect();
        let bytes = self.a.finish_at(placement);
        listing::show(self.ec, self.code, 0, 1, placement, bytes, &marks);
        let compiled = Compiled {
            memory: memory.clone(),
            placement,
            records: std::ptr::with_exposed_provenance(placement.address(records)),
            origins,
            returns: self.returns.into(),
            own_entry,
            counts_at: self.counts_at,
            counted: RefCell::default(),
            entries,
            callees: self.callees.into(),
            shapes: self.shapes.into(),
            elsewhere,
            awaited,
            unreached: RefCell::new(self.unreached),
            times_unreached: Cell::new(0),
            later: OnceCell::new(),
            // No counter says so: what is new counts as called.
            calls_left: Cell::new(-1),
        };
        // SAFETY: the memory is this Ractor's, whose turn this thread has, and it is not in compiled code.
        let written = unsafe { memory.lock().unwrap_or_else(|e| e.into_inner()).write(placement, bytes) };
        written.ok().map(|()| compiled)
    }

    /// Where templates begin, for whoever wants to see them.
    fn marks(&self, records: usize) -> Vec<(usize, String)> {
        if self.ec.vm().config.show_machine_code.is_none() {
            return Vec::new();
        }
        // What a record takes along has no template.
        let begin = |place: &Option<Place>| self.a.bound(place.as_ref()?.start);
        let begun = self.places.iter().enumerate().filter_map(|(word, place)| Some((word, begin(place)?)));
        let mark = |(word, at): (usize, usize)| (at, format!("{word} {:?}", self.insns[word].op));
        // A `leave` behind a call begins for others behind all templates.
        let mut marks: Vec<_> =
            begun.map(mark).chain([(records, "records".into()), (self.a.parts().0, "apart".into())]).collect();
        marks.sort();
        marks
    }

    /// The words of the records with where they come from, and the entries. The labels of records are bound.
    fn records(&mut self) -> Records {
        self.a.align(8);
        let base = self.a.position();
        let recorded: Vec<usize> = (0..self.insns.len())
            .filter(|word| self.places[*word].as_ref().is_some_and(|place| place.record.is_some()))
            .collect();
        let mut forward = Vec::new();
        for word in &recorded {
            if let Some(branch) = self.branch_word(*word) {
                let target = self.target(branch) as u32;
                if target as usize <= *word { self.entries.push(target) } else { forward.push(target) }
            }
        }
        for list in [&mut self.entries, &mut forward] {
            list.sort_unstable();
            list.dedup();
        }
        let (mut words, mut origins) = (Vec::new(), Vec::new());
        let entries: Box<[(u32, u32)]> =
            self.entries.iter().enumerate().map(|(at, word)| (*word, 2 * at as u32)).collect();
        for (word, _) in &entries {
            words.extend([Word::Enter(*word), Word::Caches]);
            origins.extend([*word, NOWHERE]);
        }
        let copied: Vec<usize> = recorded.iter().map(|word| self.run_of(*word)).collect();
        let data = |word: usize| self.data_of(word);
        let in_front = recorded.iter().filter(|word| data(**word).is_some()).count();
        let behind = 2 * entries.len() + in_front + copied.iter().map(|words| words + 2).sum::<usize>();
        for (word, count) in recorded.into_iter().zip(copied) {
            if let Some(data) = self.data_of(word) {
                words.push(Word::Data(data));
                origins.push(word as u32);
            }
            let (record, next) = self.places[word].as_ref().and_then(|place| place.record).expect("recorded");
            self.a.bind_at(record, base + words.len() * 8);
            let branch = self.branch_word(word);
            for from in word..word + count {
                let mut insn = self.insns[from];
                if branch == Some(from) {
                    let target = self.target(from) as u32;
                    let to = match entries.binary_search_by_key(&target, |(word, _)| *word) {
                        Ok(at) if target as usize <= word => 2 * at,
                        _ => behind + 2 * forward.binary_search(&target).expect("a target that was found before"),
                    };
                    insn.set_d(to as i32 - (words.len() as i32 + 1));
                }
                words.push(Word::Insn(insn));
                origins.push(from as u32);
            }
            self.a.bind_at(next, base + words.len() * 8);
            // Behind what never goes on nothing is reached.
            let following = (word + count) as u32;
            let goes_on = self.insns.len() > word + count
                && (self.is_own[word + count] || self.elsewhere.binary_search(&following).is_ok());
            words.extend([Word::Enter(if goes_on { following } else { word as u32 }), Word::Caches]);
            origins.extend([(word + count) as u32, NOWHERE]);
        }
        for target in forward {
            words.extend([Word::Enter(target), Word::Caches]);
            origins.extend([target, NOWHERE]);
        }
        for Count { record, word, next, .. } in std::mem::take(&mut self.counts) {
            self.a.bind_at(record, base + words.len() * 8);
            words.extend([Word::Behind(next), Word::Caches]);
            origins.extend([word as u32, NOWHERE]);
        }
        Records { words, origins: origins.into(), entries }
    }

    /// Words of the record of an instruction. One that is always left takes along what follows, as far as only moves stand between
    /// it and others that are left, and nothing jumps there: the interpreter runs them at one go. A sum of strings reads ahead as far
    /// as it is linked, and `copyliterals` asks and runs the call behind it.
    fn run_of(&self, word: usize) -> usize {
        if !self.is_left(word) {
            return self.sum_from(word) - word;
        }
        let mut end = word + self.words_of(word);
        if self.insns[word].op == Op::copyliterals {
            end += self.words_of(end);
        }
        if self.branch_word(word).is_some() {
            return end - word;
        }
        let mut next = end;
        while next < self.insns.len() && self.places[next].is_some() && !self.is_target[next] && self.is_own[next] {
            let behind = next + self.words_of(next);
            if self.is_left(next) && self.branch_word(next).is_none() {
                let call = self.insns[next].op == Op::copyliterals;
                end = if call { behind + self.words_of(behind) } else { behind };
                next = end;
            } else if is_move(self.insns[next].op) && next - end < 3 {
                next = behind;
            } else {
                break;
            }
        }
        end - word
    }

    /// The word in front of a record: where the block of a call is kept, or a primitive's function.
    fn data_of(&self, word: usize) -> Option<u64> {
        let insn = self.insns[word];
        match insn.op {
            Op::send_block => {
                let block = self.code.linked().call_site(usize::from(insn.c)).block.unwrap_or(0);
                Some(self.code.child_place(usize::from(block)) as u64)
            }
            Op::invokeprimitive => self.primitive(insn).map(|function| function as u64),
            _ => None,
        }
    }

    fn primitive(&self, insn: Insn) -> Option<usize> {
        self.code.linked().primitives.get(usize::from(insn.c)).copied().flatten().map(|function| function as usize)
    }

    /// Where the sums end that a sum of strings reads ahead.
    fn sum_from(&self, word: usize) -> usize {
        let mut end = word + self.words_of(word);
        let mut insn = self.insns[word];
        while insn.op == Op::opt_plus && insn.n & hint::LINKED != 0 {
            if matches!(self.insns[end].op, Op::putobject | Op::getlocal) {
                end += 1;
            }
            if self.insns[end].op != Op::opt_plus {
                break;
            }
            insn = self.insns[end];
            end += 2;
        }
        end
    }

    /// Whether the instruction at a word is run by its handler whatever comes.
    fn is_left(&self, word: usize) -> bool {
        let insn = self.insns[word];
        match insn.op {
            Op::invokeprimitive => self.primitive(insn).is_none(),
            op => !has_template(op) && helper_of(op).is_none(),
        }
    }

    // ---- templates ----

    fn template(&mut self, insn: Insn) {
        let Insn { op, a, b, c, .. } = insn;
        match op {
            Op::nop => {}
            Op::move_ => {
                self.a.load(RAX, reg(b));
                self.a.store(reg(a), RAX);
            }
            Op::putnil => self.a.store_imm(reg(a), NIL),
            Op::puttrue => self.a.store_imm(reg(a), Value::TRUE.bits() as i32),
            Op::putfalse => self.a.store_imm(reg(a), Value::FALSE.bits() as i32),
            Op::putundef => self.a.store_imm(reg(a), Value::UNDEF.bits() as i32),
            Op::putfixnum => self.put(a, Value::fixnum_unchecked(i64::from(insn.d()))),
            Op::putobject => {
                // SAFETY: the iseq has the literal.
                let literal = unsafe { *self.code.literals.add(insn.d() as usize) };
                self.put(a, literal);
            }
            Op::getlocal | Op::getblockparamproxy => {
                self.environment(R8, c);
                self.a.load(RAX, Mem::at(R8, i32::from(b) * 8));
                self.a.store(reg(a), RAX);
            }
            Op::setlocal => self.set_local(insn),
            Op::getblockparam => {
                let exit = self.exit();
                self.environment(R8, c);
                self.a.load(RAX, Mem::at(R8, i32::from(b) * 8));
                self.a.alu_imm(Alu::Cmp, RAX, Value::UNDEF.bits() as i32);
                self.a.jump_if(If::Equal, exit);
                self.a.store(reg(a), RAX);
            }
            Op::getinstancevariable => self.get_field(Mem::at(FP, 0), a, c, Helper::Getinstancevariable),
            Op::getfield => self.get_field(reg(b), a, c, Helper::Getfield),
            Op::setinstancevariable => self.set_field(Mem::at(FP, 0), a, c, Helper::Setinstancevariable),
            Op::setfield => self.set_field(reg(b), a, c, Helper::Setfield),
            Op::getconstant => self.constant(a, c),
            Op::opt_plus => self.arithmetic_of_numbers(insn, Stub::FlonumAdd),
            Op::opt_minus => self.arithmetic_of_numbers(insn, Stub::FlonumSubtract),
            Op::opt_mult => self.arithmetic_of_numbers(insn, Stub::FlonumMultiply),
            Op::opt_and | Op::opt_or | Op::opt_xor => {
                self.both_fixnums(b, c);
                self.arithmetic(op);
                self.a.store(reg(a), RAX);
            }
            Op::opt_plus_imm | Op::opt_minus_imm | Op::opt_and_imm | Op::opt_succ => {
                self.one_fixnum(b);
                let immediate = if op == Op::opt_succ { 1 } else { i64::from(c as i16) };
                self.arithmetic_imm(op, immediate);
                self.a.store(reg(a), RAX);
            }
            Op::opt_mod => self.modulo(a, b, c),
            Op::opt_gtgt => self.shift_right(a, b, c),
            op if op.compares() => {
                let (here, then) = self.otherwise(Helper::Compare);
                self.compare(insn, here);
                self.bool_of(condition_of(op));
                self.a.bind(then);
                self.a.store(reg(a), RAX);
            }
            Op::cmp_lt | Op::cmp_le | Op::cmp_gt | Op::cmp_ge | Op::cmp_eq | Op::cmp_neq => self.branch_on(insn),
            Op::cmp_lt_imm | Op::cmp_le_imm | Op::cmp_gt_imm | Op::cmp_ge_imm | Op::cmp_eq_imm => self.branch_on(insn),
            Op::opt_not | Op::opt_nil_p => {
                let helper = if op == Op::opt_not { Helper::Not } else { Helper::IsNil };
                let (here, then) = self.otherwise(helper);
                self.a.load(RAX, reg(b));
                self.a.test8(RAX, 7);
                self.a.jump_if(If::Equal, here);
                if op == Op::opt_not {
                    self.compare_falsy();
                } else {
                    self.a.alu_imm(Alu::Cmp, RAX, NIL);
                }
                self.bool_of(If::Equal);
                self.a.bind(then);
                self.a.store(reg(a), RAX);
            }
            Op::opt_length | Op::opt_size | Op::opt_empty_p => {
                let helper = if op == Op::opt_empty_p { Helper::IsEmpty } else { Helper::Length };
                self.a.load(RAX, reg(b));
                self.call_helper(helper, Some(a));
            }
            Op::opt_aref => {
                self.a.load(RAX, reg(b));
                self.a.load(R9, reg(c));
                self.call_helper(Helper::Aref, Some(a));
            }
            Op::opt_aref_imm => {
                self.a.load(RAX, reg(b));
                self.a.mov_imm(R9, Value::fixnum_unchecked(i64::from(c as i16)).bits());
                self.call_helper(Helper::ArefImm, Some(a));
            }
            Op::opt_aset => {
                self.a.load(RAX, reg(a));
                self.a.load(R9, reg(b));
                self.call_helper(Helper::Aset, None);
            }
            Op::array_next => self.array_next(a),
            Op::hash_next => self.hash_next(),
            Op::opt_freeze => {
                // SAFETY: the iseq has the literal.
                let literal = unsafe { *self.code.literals.add(insn.d() as usize) };
                self.put(a, literal);
            }
            Op::defined if insn.n == BLOCK_GIVEN => self.block_given(a),
            Op::splatarray if insn.n == 0 => self.splat(a, b),
            Op::pusharray | Op::concatarray | Op::hashset | Op::expandarray => {
                self.call_helper(helper_of(op).expect("it has one"), None);
            }
            // Another hash may take the place of one that is empty.
            Op::concathash => self.call_helper(Helper::Concathash, Some(a)),
            Op::jump => {
                let to = self.start(self.target(self.word));
                self.a.jump(to);
            }
            Op::jump_back => {
                let (to, exit) = (self.start(self.target(self.word)), self.exit());
                self.poll(exit);
                self.a.jump(to);
            }
            Op::branchif | Op::branchunless => {
                self.a.load(RAX, reg(a));
                self.compare_falsy();
                self.jump_to_target(if op == Op::branchif { If::NotEqual } else { If::Equal });
            }
            Op::branchnil | Op::branchnotnil | Op::branchgiven => {
                let value = if op == Op::branchgiven { Value::UNDEF } else { Value::NIL };
                self.a.alu_at(Alu::Cmp, reg(a), value.bits() as i32);
                self.jump_to_target(if op == Op::branchnil { If::Equal } else { If::NotEqual });
            }
            Op::send_simple | Op::send_self | Op::send_block => self.send(insn),
            Op::send => self.jump_to_stub(Stub::Send),
            Op::invokesuper => self.invoke_super(insn),
            Op::opt_new => self.jump_to_stub(Stub::New),
            Op::invokeblock | Op::invokeblock_one => self.invoke_block(insn),
            Op::invokeprimitive => match leaf::of_primitive(self.ec, self.code, insn) {
                Some(leaf) if leaf.count == insn.n => {
                    let answered = self.call_leaf(leaf, b);
                    self.call_stub(Stub::Primitive, None);
                    self.a.bind(answered);
                    self.a.store(reg(a), RAX);
                }
                _ => self.call_stub(Stub::Primitive, Some(a)),
            },
            Op::leave => self.leave(a),
            op => match helper_of(op) {
                Some(helper) => self.call_helper(helper, Some(a)),
                None => unreachable!("{op:?} has no template"),
            },
        }
    }

    /// `block_given?` in the method's own frame.
    fn block_given(&mut self, to: u16) {
        match self.code.kind.is_block() {
            true => method_env(&mut self.a, R9),
            false => self.a.load(R9, frame_word(FP, ENV)),
        }
        self.a.mov_imm(RAX, Value::FALSE.bits());
        self.a.mov_imm(R8, Value::TRUE.bits());
        self.a.alu_at(Alu::Cmp, frame_word(R9, BLOCK), 0);
        self.a.cmov32(If::NotEqual, RAX, R8);
        self.a.store(reg(to), RAX);
    }

    fn hash_next(&mut self) {
        let (start, exit) = (self.start(self.target(self.word + 1)), self.exit());
        self.poll(exit);
        self.call_helper(Helper::HashNext, None);
        self.a.alu_imm(Alu::Cmp, RAX, Value::TRUE.bits() as i32);
        self.a.jump_if(If::Equal, start);
    }

    fn put(&mut self, register: u16, value: Value) {
        match i32::try_from(value.bits() as i64) {
            Ok(small) => self.a.store_imm(reg(register), small),
            Err(_) => {
                self.a.mov_imm(RAX, value.bits());
                self.a.store(reg(register), RAX);
            }
        }
    }

    /// rax = true where the condition holds, false elsewhere.
    pub(super) fn bool_of(&mut self, condition: If) {
        self.a.mov_imm(RAX, Value::FALSE.bits());
        self.a.mov_imm(R8, Value::TRUE.bits());
        self.a.cmov32(condition, RAX, R8);
    }

    // ---- stubs ----

    pub(super) fn call_stub(&mut self, stub: Stub, to: Option<u16>) {
        self.call_address(self.stubs.of(stub), to);
    }

    fn call_helper(&mut self, helper: Helper, to: Option<u16>) {
        self.call_address(self.stubs.helper(helper), to);
    }

    /// Calls a stub for the instruction at hand; the register for its result.
    fn call_address(&mut self, address: usize, to: Option<u16>) {
        let (record, _) = self.record();
        self.a.lea_label(RDI, record);
        self.a.call_out(address);
        if let Some(register) = to {
            self.a.store(reg(register), RAX);
        }
    }

    /// Where the instruction at hand goes to have a stub called, and where that comes back to.
    pub(super) fn call_later(&mut self, stub: Stub) -> (Label, Label) {
        self.call_address_later(self.stubs.of(stub))
    }

    fn call_address_later(&mut self, stub: usize) -> (Label, Label) {
        let (here, then, (record, _)) = (self.a.label(), self.a.label(), self.record());
        self.later.push(Later { here, record, stub, then: Some(then) });
        (here, then)
    }

    /// Where the instruction at hand goes to go on in a stub.
    pub(super) fn jump_later(&mut self, stub: Stub) -> Label {
        let (here, (record, _)) = (self.a.label(), self.record());
        self.later.push(Later { here, record, stub: self.stubs.of(stub), then: None });
        here
    }

    pub(super) fn jump_to_stub(&mut self, stub: Stub) {
        let (record, _) = self.record();
        self.a.lea_label(RDI, record);
        self.a.jump_out(self.stubs.of(stub));
    }

    /// Where the instruction at hand goes for a helper's result, and where it goes on with that in rax.
    fn otherwise(&mut self, helper: Helper) -> (Label, Label) {
        let (here, then) = (self.a.label(), self.a.label());
        let (record, _) = self.record();
        self.cold.push(Cold { here, record, helper, then: Then::Result(then) });
        (here, then)
    }

    /// "Equal" if rax is nil or false. rax changes.
    fn compare_falsy(&mut self) {
        let difference = Value::NIL.bits() ^ Value::FALSE.bits();
        self.a.alu_imm(Alu::And, RAX, !(difference as i32));
        self.a.alu_imm(Alu::Cmp, RAX, NIL);
    }

    fn jump_to_target(&mut self, condition: If) {
        let (to, next) = (self.target(self.word), self.word + self.words_of(self.word));
        if self.is_own[next] {
            let to = self.start(to);
            self.a.jump_if(condition, to);
        } else {
            let next = self.start(next);
            self.a.jump_if(condition.negated(), next);
            self.go_on_at(to);
        }
    }

    fn poll(&mut self, exit: Label) {
        self.a.alu_at(Alu::Cmp, in_ec(Ec::LIMIT_OFFSET), 0);
        self.a.jump_if(If::Equal, exit);
    }

    /// rax = the fixnum in a register.
    fn one_fixnum(&mut self, register: u16) {
        let exit = self.exit();
        self.a.load(RAX, reg(register));
        self.a.test8(RAX, 1);
        self.a.jump_if(If::Equal, exit);
    }

    /// rax and r8 = the fixnums in two registers.
    fn both_fixnums(&mut self, left: u16, right: u16) {
        let exit = self.exit();
        self.both_fixnums_or(left, right, exit);
    }

    fn both_fixnums_or(&mut self, left: u16, right: u16, exit: Label) {
        self.a.load(RAX, reg(left));
        self.a.load(R8, reg(right));
        self.a.mov(R9, RAX);
        self.a.alu(Alu::And, R9, R8);
        self.a.test8(R9, 1);
        self.a.jump_if(If::Equal, exit);
    }

    /// rax and r8 = two registers, which are equal if they are identical: fixnums, or a left one that is nil, true, false or a
    /// symbol. Goes on at `otherwise` with others.
    fn both_identical(&mut self, left: u16, right: u16, otherwise: Label) {
        let found = self.a.label();
        self.a.load(RAX, reg(left));
        self.a.load(R8, reg(right));
        self.a.mov(R9, RAX);
        self.a.alu(Alu::And, R9, R8);
        self.a.test8(R9, 1);
        self.a.jump_short_if(If::NotEqual, found);
        self.a.mov(R9, RAX);
        self.a.alu_imm32(Alu::And, R9, 7);
        self.a.alu_imm32(Alu::Cmp, R9, NIL & 7);
        self.a.jump_if(If::NotEqual, otherwise);
        self.a.bind(found);
        self.a.alu(Alu::Cmp, RAX, R8);
    }

    /// `flonums` does it where the operands are no fixnums.
    fn arithmetic_of_numbers(&mut self, insn: Insn, flonums: Stub) {
        let (others, done) = self.call_later(flonums);
        self.both_fixnums_or(insn.b, insn.c, others);
        self.arithmetic(insn.op);
        self.a.bind(done);
        self.a.store(reg(insn.a), RAX);
    }

    /// rax = rax op r8.
    fn arithmetic(&mut self, op: Op) {
        let exit = self.exit();
        match op {
            Op::opt_plus => {
                self.a.alu_imm(Alu::Sub, RAX, 1);
                self.a.alu(Alu::Add, RAX, R8);
                self.a.jump_if(If::Overflow, exit);
            }
            Op::opt_minus => {
                self.a.alu_imm(Alu::Sub, R8, 1);
                self.a.alu(Alu::Sub, RAX, R8);
                self.a.jump_if(If::Overflow, exit);
            }
            Op::opt_mult => {
                self.a.sar(RAX, 1);
                self.a.alu_imm(Alu::Sub, R8, 1);
                self.a.imul(RAX, R8);
                self.a.jump_if(If::Overflow, exit);
                self.a.alu_imm(Alu::Add, RAX, 1);
            }
            Op::opt_and => self.a.alu(Alu::And, RAX, R8),
            Op::opt_or => self.a.alu(Alu::Or, RAX, R8),
            _ => {
                self.a.alu(Alu::Xor, RAX, R8);
                self.a.alu_imm(Alu::Or, RAX, 1);
            }
        }
    }

    /// rax = rax op a small number.
    fn arithmetic_imm(&mut self, op: Op, immediate: i64) {
        let exit = self.exit();
        match op {
            Op::opt_and_imm => return self.a.alu_imm(Alu::And, RAX, fixnum(immediate)),
            Op::opt_minus_imm => self.a.alu_imm(Alu::Sub, RAX, fixnum(immediate) - 1),
            _ => self.a.alu_imm(Alu::Add, RAX, fixnum(immediate) - 1),
        }
        self.a.jump_if(If::Overflow, exit);
    }

    fn modulo(&mut self, a: u16, b: u16, c: u16) {
        self.both_fixnums(b, c);
        let (exit, done) = (self.exit(), self.a.label());
        self.a.sar(R8, 1);
        self.a.jump_if(If::Equal, exit);
        self.a.sar(RAX, 1);
        self.a.mov(R10, RDX);
        self.a.cqo();
        self.a.idiv(R8);
        self.a.mov(RAX, RDX);
        self.a.mov(RDX, R10);
        // A remainder has the sign of the divisor.
        self.a.test(RAX, RAX);
        self.a.jump_if(If::Equal, done);
        self.a.mov(R9, RAX);
        self.a.alu(Alu::Xor, R9, R8);
        self.a.jump_if(If::NoSign, done);
        self.a.alu(Alu::Add, RAX, R8);
        self.a.bind(done);
        self.a.lea(RAX, Mem::byte(RAX, RAX, 1));
        self.a.store(reg(a), RAX);
    }

    fn shift_right(&mut self, a: u16, b: u16, c: u16) {
        self.both_fixnums(b, c);
        let exit = self.exit();
        self.a.sar(R8, 1);
        self.a.alu_imm(Alu::Cmp, R8, 62);
        self.a.jump_if(If::Above, exit);
        self.a.sar(RAX, 1);
        self.a.mov(R10, RCX);
        self.a.mov(RCX, R8);
        self.a.sar_cl(RAX);
        self.a.mov(RCX, R10);
        self.a.lea(RAX, Mem::byte(RAX, RAX, 1));
        self.a.store(reg(a), RAX);
    }

    /// Compares the operands of a comparison, of which `condition_of` tells what it asks; goes on at `otherwise` with operands that
    /// cannot be compared as they are.
    fn compare(&mut self, Insn { op, b, c, .. }: Insn, otherwise: Label) {
        use Op::*;
        match op {
            opt_eq | opt_neq | cmp_eq | cmp_neq => self.both_identical(b, c, otherwise),
            opt_lt | opt_le | opt_gt | opt_ge | cmp_lt | cmp_le | cmp_gt | cmp_ge => {
                self.both_fixnums_or(b, c, otherwise);
                self.a.alu(Alu::Cmp, RAX, R8);
            }
            _ => {
                self.a.load(RAX, reg(b));
                self.a.test8(RAX, 1);
                self.a.jump_if(If::Equal, otherwise);
                self.a.alu_imm(Alu::Cmp, RAX, fixnum(i64::from(c as i16)));
            }
        }
    }

    /// A comparison with its branch.
    fn branch_on(&mut self, insn: Insn) {
        let branch = self.word + 2;
        let wanted = Value::bool(self.insns[branch].op == Op::branchif);
        let to = self.start(self.target(branch));
        let poll = (self.insns[branch].d() < 0).then(|| self.exit());
        let falls = self.is_own[self.word + 3];
        let next = if falls { self.a.label() } else { self.start(self.word + 3) };
        let (here, (record, _)) = (self.a.label(), self.record());
        let then = Then::Branch { wanted, to, poll, next };
        self.cold.push(Cold { here, record, helper: Helper::Compare, then });
        self.compare(insn, here);
        let condition = condition_of(insn.op);
        let condition = if wanted.is_true() { condition } else { condition.negated() };
        if poll.is_none() && falls {
            self.a.jump_if(condition, to);
        } else {
            self.a.jump_if(condition.negated(), next);
            poll.into_iter().for_each(|exit| self.poll(exit));
            self.go_on_at(self.target(branch));
        }
        if falls {
            self.a.bind(next);
            self.falls = true;
        }
    }

    /// The instruction at hand goes on at a word only, or at places that it has jumped to.
    fn go_on_at(&mut self, word: usize) {
        let next = (self.word + self.words_of(self.word)..self.insns.len()).find(|next| self.is_own[*next]);
        if next != Some(word) {
            let start = self.start(word);
            self.a.jump(start);
        }
        self.falls = false;
    }

    /// The environment so many levels up.
    fn environment(&mut self, to: Reg, depth: u16) {
        if depth == 0 {
            return self.a.load(to, frame_word(FP, ENV));
        }
        self.a.load(to, frame_word(FP, PARENT));
        for _ in 1..depth {
            self.a.load(to, frame_word(to, PARENT));
        }
    }

    fn set_local(&mut self, insn: Insn) {
        let (here, store, (record, _)) = (self.a.label(), self.a.label(), self.record());
        self.environment(R8, insn.c);
        self.a.load(RAX, reg(insn.a));
        // Its own frame is on the stack, where stores need no barrier; neither do values that are no heap objects.
        if insn.c == 0 {
            self.a.alu(Alu::Cmp, R8, FP);
            self.a.jump_if(If::NotEqual, here);
        } else {
            self.a.test8(RAX, 7);
            self.a.jump_if(If::Equal, here);
        }
        self.locals.push(Local { here, record, store });
        self.a.bind(store);
        self.a.store(Mem::at(R8, i32::from(insn.b) * 8), RAX);
    }

    /// r10 = the header of the object in rax, which fits the cell of a field in the slot. Goes on at `other` with any other. r8 changes.
    fn field_of_cell(&mut self, site: u16, mask: u64, other: Label) {
        self.a.test8(RAX, 7);
        self.a.jump_if(If::NotEqual, other);
        self.a.load(R10, Mem::at(RAX, 0));
        self.a.mov_imm(R8, mask);
        self.a.alu(Alu::And, R8, R10);
        self.a.alu_load(Alu::Cmp, R8, cell(site, offset_of!(CacheCell, key)));
        self.a.jump_if(If::NotEqual, other);
        self.a.alu_at32(Alu::Cmp, cell(site, offset_of!(CacheCell, shape)), places::IN_SLOT as i32);
        self.a.jump_if(If::NotEqual, other);
    }

    /// Whether a field is worth machine code of its own: if it lies in the slot.
    fn is_inline(&self, site: u16) -> bool {
        // SAFETY: the code has the cell, and its Ractor has its turn.
        unsafe { (*self.code.caches.add(usize::from(site))).shape == places::IN_SLOT }
    }

    fn get_field(&mut self, object: Mem, to: u16, site: u16, helper: Helper) {
        if !self.is_inline(site) {
            self.a.load(RAX, object);
            return self.call_helper(helper, Some(to));
        }
        let (other, then) = self.call_address_later(self.stubs.helper(helper));
        if !self.has_own {
            self.a.load(RAX, object);
        }
        self.field_of_cell(site, flags::FIELD_KEY, other);
        self.a.load(R8, cell(site, offset_of!(CacheCell, target)));
        self.a.load(RAX, Mem::byte(RAX, R8, 0));
        self.a.bind(then);
        self.a.store(reg(to), RAX);
    }

    fn set_field(&mut self, object: Mem, from: u16, site: u16, helper: Helper) {
        if !self.is_inline(site) || !self.is_repeated[self.word] {
            self.a.load(RAX, object);
            return self.call_helper(helper, None);
        }
        let refused = if helper == Helper::Setinstancevariable { flags::FROZEN } else { 0 };
        let ((other, done), store) = (self.call_address_later(self.stubs.helper(helper)), self.a.label());
        self.a.load(RAX, object);
        self.field_of_cell(site, flags::FIELD_KEY | refused, other);
        self.a.load(R11, reg(from));
        barrier(&mut self.a, R10, R11, other, store);
        self.a.bind(store);
        self.a.load(R8, cell(site, offset_of!(CacheCell, target)));
        self.a.mov32(R9, R8);
        self.a.store(Mem::byte(RAX, R9, 0), R11);
        // The upper half is the next shape, if the field is new.
        self.a.shr(R8, 32);
        self.a.jump_if(If::Equal, done);
        self.a.store32(Mem::at(RAX, 4), R8);
        self.a.bind(done);
    }

    /// A cell that is for a cref has the value of a constant, or says whether there is one: `defined?` is another instruction.
    fn constant(&mut self, to: u16, site: u16) {
        // SAFETY: the code has the cell, and its Ractor has its turn.
        let known = unsafe { &*self.code.caches.add(usize::from(site)) };
        if known.shape != 1 || known.key != self.code.cref.bits() {
            return self.call_stub(Stub::Constant, Some(to));
        }
        let (other, then) = self.call_later(Stub::Constant);
        self.a.mov_imm(RAX, self.code.cref.bits());
        self.a.alu_load(Alu::Cmp, RAX, cell(site, offset_of!(CacheCell, key)));
        self.a.jump_if(If::NotEqual, other);
        self.check_epoch(site, other);
        self.a.load(RAX, cell(site, offset_of!(CacheCell, target)));
        self.a.bind(then);
        self.a.store(reg(to), RAX);
    }

    /// Compiles a callee now if its calls so far say that it will be soon.
    pub(super) fn compile_callee(&self, callee: &CodeData) {
        let has_room = self.depth < MOST_DEPTH && self.ec.native_stack_left() > LEAST_STACK;
        if has_room && callee.compilation.is_due_soon() {
            super::compile_at(self.ec, callee, self.depth + 1);
        }
    }

    // ---- arrays ----

    fn array_next(&mut self, to: u16) {
        let (start, end) = (self.start(self.target(self.word + 1)), self.a.label());
        self.call_stub(Stub::ArrayNext, None);
        self.a.test(RAX, RAX);
        self.a.jump_short_if(If::Equal, end);
        self.a.store(reg(to), RAX);
        self.a.jump(start);
        self.a.bind(end);
    }

    /// `*value` for a call: an array is what it is.
    fn splat(&mut self, to: u16, from: u16) {
        let (other, then) = self.call_address_later(self.stubs.helper(Helper::Splatarray));
        let a = &mut self.a;
        a.load(RAX, reg(from));
        a.test8(RAX, 7);
        a.jump_if(If::NotEqual, other);
        a.load32(R10, Mem::at(RAX, 0));
        a.alu_imm32(Alu::And, R10, flags::TYPE_MASK as i32);
        a.alu_imm32(Alu::Cmp, R10, HeapType::Array as i32);
        a.jump_if(If::NotEqual, other);
        a.bind(then);
        a.store(reg(to), RAX);
    }

    // ---- calls ----

    /// `yield` to a literal block that takes the arguments as they stand.
    fn invoke_block(&mut self, insn: Insn) {
        let is_one = insn.op == Op::invokeblock_one;
        self.jump_to_stub(match (self.code.kind.is_block(), is_one) {
            (false, false) => Stub::Yield,
            (false, true) => Stub::YieldOne,
            (true, false) => Stub::BlockYield,
            (true, true) => Stub::BlockYieldOne,
        });
    }
}

/// The helper for an instruction that has one and no other template.
pub(super) fn helper_of(op: Op) -> Option<Helper> {
    Some(match op {
        Op::putstring => Helper::Putstring,
        Op::putchilledstring => Helper::Putchilledstring,
        Op::newarray => Helper::Newarray,
        Op::duparray => Helper::Duparray,
        Op::arraysize => Helper::Arraysize,
        Op::arrayat => Helper::Arrayat,
        Op::opt_aref_with => Helper::ArefWith,
        Op::opt_ltlt => Helper::Ltlt,
        Op::checkmatch => Helper::Checkmatch,
        Op::casehas => Helper::Casehas,
        Op::objtostring => Helper::Objtostring,
        Op::anytostring => Helper::Anytostring,
        Op::concatstrings => Helper::Concatstrings,
        Op::newhash => Helper::Newhash,
        Op::splatarray => Helper::Splatarray,
        Op::intern => Helper::Intern,
        Op::checkrescue => Helper::Checkrescue,
        Op::defined => Helper::Defined,
        Op::pusharray => Helper::Pusharray,
        Op::concatarray => Helper::Concatarray,
        Op::hashset => Helper::Hashset,
        Op::concathash => Helper::Concathash,
        Op::duphash => Helper::Duphash,
        Op::expandarray => Helper::Expandarray,
        Op::opt_newarray_send => Helper::NewarraySend,
        Op::newrange => Helper::Newrange,
        Op::getspecial => Helper::Getspecial,
        Op::getglobal => Helper::Getglobal,
        Op::getconstantfrom => Helper::Getconstantfrom,
        Op::opt_div => Helper::Divide,
        Op::opt_uminus => Helper::Negate,
        Op::getclassvariable => Helper::Getclassvariable,
        Op::once => Helper::Once,
        _ => return None,
    })
}

fn bits_of(insn: Insn) -> u64 {
    let Insn { op, n, a, b, c } = insn;
    op as u64 | u64::from(n) << 8 | u64::from(a) << 16 | u64::from(b) << 32 | u64::from(c) << 48
}

/// What the comparison of fixnums asks.
fn condition_of(op: Op) -> If {
    match op {
        Op::opt_lt | Op::cmp_lt | Op::opt_lt_imm | Op::cmp_lt_imm => If::Less,
        Op::opt_le | Op::cmp_le | Op::cmp_le_imm => If::LessOrEqual,
        Op::opt_gt | Op::cmp_gt | Op::cmp_gt_imm => If::Greater,
        Op::opt_ge | Op::cmp_ge | Op::cmp_ge_imm => If::GreaterOrEqual,
        Op::opt_neq | Op::cmp_neq => If::NotEqual,
        _ => If::Equal,
    }
}

/// What costs the interpreter less than a way out and back.
fn is_move(op: Op) -> bool {
    matches!(op, Op::move_ | Op::putnil | Op::puttrue | Op::putfalse | Op::putfixnum | Op::putobject | Op::getlocal)
}

fn has_template(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        nop | move_
            | putnil
            | puttrue
            | putfalse
            | putundef
            | putfixnum
            | putobject
            | getlocal
            | getblockparamproxy
            | setlocal
            | getblockparam
            | getinstancevariable
            | getfield
            | setinstancevariable
            | setfield
            | getconstant
            | opt_plus
            | opt_minus
            | opt_mult
            | opt_and
            | opt_or
            | opt_xor
            | opt_plus_imm
            | opt_minus_imm
            | opt_and_imm
            | opt_succ
            | opt_mod
            | opt_gtgt
            | opt_lt
            | opt_le
            | opt_gt
            | opt_ge
            | opt_eq
            | opt_neq
            | opt_lt_imm
            | opt_eq_imm
            | cmp_lt
            | cmp_le
            | cmp_gt
            | cmp_ge
            | cmp_eq
            | cmp_neq
            | cmp_lt_imm
            | cmp_le_imm
            | cmp_gt_imm
            | cmp_ge_imm
            | cmp_eq_imm
            | opt_not
            | opt_nil_p
            | opt_length
            | opt_size
            | opt_empty_p
            | opt_aref
            | opt_aref_imm
            | opt_aset
            | array_next
            | hash_next
            | opt_freeze
            | jump
            | jump_back
            | branchif
            | branchunless
            | branchnil
            | branchnotnil
            | branchgiven
            | send
            | send_simple
            | send_self
            | send_block
            | invokesuper
            | opt_new
            | invokeprimitive
            | invokeblock
            | invokeblock_one
            | leave
    )
}
