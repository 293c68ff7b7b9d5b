//! The templates.
//!
//! # Registers
//! At the beginning of each: rsi = fp, rdx = ec, rcx = the code's caches, as handlers get them. All other registers that calls
//! need not keep are for the template: rax, rdi, r8 to r11.
//!
//! # Invariant
//! A template that leaves for its handler has changed nothing that the handler would find: no register of the frame, no object.

use super::enter::ADDRESS_SHIFT;
use super::{Compiled, Jit};
use crate::ec::Ec;
use crate::model::shape::ROOT_INTEGER;
use crate::run::code::{CacheCell, CodeData};
use crate::run::frame::{BLOCK, BLOCK_ENV, CALLER, CODE, ENV, FLAGS, PARENT, RET_PC};
use crate::run::interp::{Handler, ops};
use crate::run::polymorphic::places;
use crate::run::stack::VmStack;
use carat_asm::{Alu, Assembler, Condition as If, Label, Mem, Reg, Sse};
use carat_iseq::{Insn, Op, hint};
use carat_layout::{BufHead, HeapType, RArrayEmbedded, RView, Value, flags, pool_for};
use std::mem::offset_of;

const RAX: Reg = Reg::RAX;
const RCX: Reg = Reg::RCX;
const RDX: Reg = Reg::RDX;
const RDI: Reg = Reg::RDI;
const R8: Reg = Reg::R8;
const R9: Reg = Reg::R9;
const R10: Reg = Reg::R10;
const R11: Reg = Reg::R11;
const FP: Reg = Reg::RSI;

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
}

/// Where arithmetic goes on whose operands, in rax and r8, are no fixnums; where with a result in rax, and where without one.
struct Floats {
    here: Label,
    op: Sse,
    done: Label,
    exit: Label,
}

/// A word of the records.
enum Word {
    Insn(Insn),
    /// Leads to the template of a word of the iseq.
    Enter(u32),
}

/// What lies behind the code, as [`Compiled`] knows it.
struct Records {
    words: Vec<Word>,
    origins: Box<[u32]>,
    entries: Box<[(u32, u32)]>,
}

struct Compiler<'a> {
    ec: &'a Ec,
    code: &'a CodeData,
    insns: &'a [Insn],
    a: Assembler,
    places: Vec<Option<Place>>,
    /// The instruction at hand.
    word: usize,
    /// Words that `enter_compiled` words of their own lead to.
    entries: Vec<u32>,
    /// Whether anything but the instruction before leads to a word.
    is_target: Vec<bool>,
    /// Arithmetic whose operands are no fixnums.
    floats: Vec<Floats>,
    /// Where code goes on in the interpreter, with `pc` in rdi and its word in rax.
    interpret: Label,
}

/// Machine code for a code, or `None` if there is no room for it.
pub(super) fn compile(ec: &Ec, code: &CodeData) -> Option<Compiled> {
    let iseq = &code.linked().iseq;
    if iseq.insns.len() > MOST_WORDS || ec.is_compiled_off.get() {
        return None;
    }
    let mut a = Assembler::new();
    let places = places_of(&iseq.insns, &mut a);
    let interpret = a.label();
    let is_target = vec![false; iseq.insns.len()];
    let insns = &iseq.insns;
    let mut compiler =
        Compiler { ec, code, insns, a, places, word: 0, entries: Vec::new(), is_target, floats: Vec::new(), interpret };
    compiler.find_entries();
    compiler.templates();
    compiler.flonums();
    compiler.exits();
    compiler.finish()
}

fn places_of(insns: &[Insn], a: &mut Assembler) -> Vec<Option<Place>> {
    let mut places: Vec<_> = insns.iter().map(|_| None).collect();
    let mut word = 0;
    while word < insns.len() {
        places[word] = Some(Place { start: a.label(), exit: None, record: None });
        word += insns[word].op.format().words();
    }
    places
}

fn field<T>(offset: usize) -> i32 {
    debug_assert!(offset < size_of::<T>());
    offset as i32
}

fn cell(site: u16, offset: usize) -> Mem {
    Mem::at(RCX, i32::from(site) * size_of::<CacheCell>() as i32 + offset as i32)
}

fn reg(register: u16) -> Mem {
    Mem::at(FP, i32::from(register) * 8)
}

fn frame_word(of: Reg, index: isize) -> Mem {
    Mem::at(of, index as i32 * 8)
}

fn in_ec(offset: usize) -> Mem {
    Mem::at(RDX, field::<Ec>(offset))
}

fn fixnum(value: i64) -> i32 {
    Value::fixnum_unchecked(value).bits() as i32
}

const NIL: i32 = Value::NIL.bits() as i32;

/// The lower half of a handler's address: all are in one text, which is smaller than 4 GB.
fn low_half(handler: Handler) -> i32 {
    handler as usize as u32 as i32
}

impl Compiler<'_> {
    fn words_of(&self, word: usize) -> usize {
        self.insns[word].op.format().words()
    }

    /// Where the branch at a word leads to: the word that holds the offset, and its target.
    fn target(&self, branch: usize) -> usize {
        (branch as i64 + 1 + i64::from(self.insns[branch].d())) as usize
    }

    /// The word that holds the offset of the instruction at a word, if it is one that may jump.
    fn branch_word(&self, word: usize) -> Option<usize> {
        let format = self.insns[word].op.format().operands;
        if format.ends_with(['f', 'k']) {
            return Some(word + 1);
        }
        format.contains('o').then_some(word)
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
                }
            }
            word += self.words_of(word);
        }
        self.entries.iter().for_each(|entry| self.is_target[*entry as usize] = true);
    }

    fn start(&self, word: usize) -> Label {
        self.places[word].as_ref().expect("an instruction begins here").start
    }

    /// Where the instruction at hand is left to its handler.
    fn exit(&mut self) -> Label {
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
    fn record(&mut self) -> (Label, Label) {
        let word = self.word;
        if let Some(record) = self.places[word].as_ref().and_then(|place| place.record) {
            return record;
        }
        let record = (self.a.label(), self.a.label());
        self.places[word].as_mut().expect("the instruction at hand").record = Some(record);
        record
    }

    fn templates(&mut self) {
        let mut word = 0;
        while word < self.insns.len() {
            self.word = word;
            let start = self.start(word);
            self.a.bind(start);
            if self.is_left(word) {
                let exit = self.exit();
                self.a.jump(exit);
                word += self.run_of(word);
                continue;
            }
            self.count_exit();
            self.template(self.insns[word]);
            word += self.words_of(word);
        }
        // Nothing runs over the end: the last instruction leaves.
        let interpret = self.interpret;
        self.a.bind(interpret);
        self.a.movzx8(RAX, RAX);
        self.a.jump_through(Mem::word(RDX, RAX, 0));
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
            self.a.jump_through(Mem::at(RDX, self.insns[word].op as i32 * 8));
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
                Word::Enter(to) => {
                    enters.push((records + at * 8, self.start(*to as usize)));
                    self.a.data(0);
                }
            }
        }
        let memory = self.ec.ractor().machine_code.clone();
        let range = memory.lock().unwrap_or_else(|e| e.into_inner()).take(self.a.position())?;
        for (at, to) in enters {
            let address = (range.start + self.a.offset_of(to)) as u64;
            self.a.set_data(at, address << ADDRESS_SHIFT | Op::enter_compiled as u64);
        }
        let bytes = self.a.finish();
        let compiled = Compiled {
            memory: memory.clone(),
            range,
            records: std::ptr::with_exposed_provenance(range.start + records),
            origins,
            entries,
        };
        // SAFETY: the memory is this Ractor's, whose turn this thread has, and it is not in compiled code.
        let written = unsafe { memory.lock().unwrap_or_else(|e| e.into_inner()).write(range, bytes) };
        written.ok().map(|()| compiled)
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
        let entries: Box<[(u32, u32)]> = self.entries.iter().enumerate().map(|(at, word)| (*word, at as u32)).collect();
        for (word, _) in &entries {
            words.push(Word::Enter(*word));
            origins.push(*word);
        }
        let copied: Vec<usize> = recorded.iter().map(|word| self.run_of(*word)).collect();
        let behind = entries.len() + copied.iter().map(|words| words + 1).sum::<usize>();
        for (word, count) in recorded.into_iter().zip(copied) {
            let (record, next) = self.places[word].as_ref().and_then(|place| place.record).expect("recorded");
            self.a.bind_at(record, base + words.len() * 8);
            let branch = self.branch_word(word);
            for from in word..word + count {
                let mut insn = self.insns[from];
                if branch == Some(from) {
                    let target = self.target(from) as u32;
                    let to = match entries.binary_search_by_key(&target, |(word, _)| *word) {
                        Ok(at) if target as usize <= word => at,
                        _ => behind + forward.binary_search(&target).expect("a target that was found before"),
                    };
                    insn.set_d(to as i32 - (words.len() as i32 + 1));
                }
                words.push(Word::Insn(insn));
                origins.push(from as u32);
            }
            self.a.bind_at(next, base + words.len() * 8);
            // Behind what never goes on nothing is reached.
            let following = if word + count < self.insns.len() { word + count } else { word };
            words.push(Word::Enter(following as u32));
            origins.push((word + count) as u32);
        }
        for target in forward {
            words.push(Word::Enter(target));
            origins.push(target);
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
        while next < self.insns.len() && self.places[next].is_some() && !self.is_target[next] {
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

    /// Whether the instruction at a word is run by its handler whatever comes: those without template, and calls of native methods.
    fn is_left(&self, word: usize) -> bool {
        let insn = self.insns[word];
        match insn.op {
            Op::send_simple | Op::send_self | Op::send_block => self.calls_native(insn.c),
            Op::invokeblock | Op::invokeblock_one => self.code.kind.is_block(),
            op => !has_template(op),
        }
    }

    fn calls_native(&self, site: u16) -> bool {
        // SAFETY: the code has the cell, and its Ractor has its turn.
        let key = unsafe { (*self.code.caches.add(usize::from(site))).key };
        let (plain, with_block): (Handler, Handler) = (ops::invoke_native, ops::invoke_native_block);
        [plain, with_block].iter().any(|handler| key == *handler as usize as u64)
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
            Op::getinstancevariable => self.get_field(Mem::at(FP, 0), a, c),
            Op::getfield => self.get_field(reg(b), a, c),
            Op::setinstancevariable => self.set_field(Mem::at(FP, 0), a, c, flags::FROZEN),
            Op::setfield => self.set_field(reg(b), a, c, 0),
            Op::getconstant => self.get_constant(a, c),
            Op::opt_plus => self.arithmetic_of_numbers(insn, Sse::Add),
            Op::opt_minus => self.arithmetic_of_numbers(insn, Sse::Subtract),
            Op::opt_mult => self.arithmetic_of_numbers(insn, Sse::Multiply),
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
            Op::opt_lt | Op::opt_le | Op::opt_gt | Op::opt_ge => {
                self.both_fixnums(b, c);
                self.a.alu(Alu::Cmp, RAX, R8);
                self.put_bool(a, condition_of(op));
            }
            Op::opt_eq | Op::opt_neq => {
                self.both_identical(b, c);
                self.a.alu(Alu::Cmp, RAX, R8);
                self.put_bool(a, condition_of(op));
            }
            Op::opt_lt_imm | Op::opt_eq_imm => {
                self.one_fixnum(b);
                self.a.alu_imm(Alu::Cmp, RAX, fixnum(i64::from(c as i16)));
                self.put_bool(a, condition_of(op));
            }
            Op::cmp_lt | Op::cmp_le | Op::cmp_gt | Op::cmp_ge => {
                self.both_fixnums(b, c);
                self.a.alu(Alu::Cmp, RAX, R8);
                self.branch_on(condition_of(op));
            }
            Op::cmp_eq | Op::cmp_neq => {
                self.both_identical(b, c);
                self.a.alu(Alu::Cmp, RAX, R8);
                self.branch_on(condition_of(op));
            }
            Op::cmp_lt_imm | Op::cmp_le_imm | Op::cmp_gt_imm | Op::cmp_ge_imm | Op::cmp_eq_imm => {
                self.one_fixnum(b);
                self.a.alu_imm(Alu::Cmp, RAX, fixnum(i64::from(c as i16)));
                self.branch_on(condition_of(op));
            }
            Op::opt_not | Op::opt_nil_p => {
                let exit = self.exit();
                self.a.load(RAX, reg(b));
                self.a.test8(RAX, 7);
                self.a.jump_if(If::Equal, exit);
                if op == Op::opt_not {
                    self.compare_falsy();
                } else {
                    self.a.alu_imm(Alu::Cmp, RAX, NIL);
                }
                self.put_bool(a, If::Equal);
            }
            Op::opt_length | Op::opt_size | Op::opt_empty_p => self.length(op, a, b),
            Op::opt_aref => self.element(a, b, Some(c), 0),
            Op::opt_aref_imm => self.element(a, b, None, c as i16),
            Op::opt_aset => self.set_element(a, b, c),
            Op::array_next => self.array_next(a, b, c),
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
            Op::invokeblock | Op::invokeblock_one => self.invoke_block(insn),
            Op::leave => self.leave(a),
            op => unreachable!("{op:?} has no template"),
        }
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

    /// True where the condition holds, false elsewhere.
    fn put_bool(&mut self, register: u16, condition: If) {
        self.a.mov_imm(RAX, Value::FALSE.bits());
        self.a.mov_imm(R8, Value::TRUE.bits());
        self.a.cmov32(condition, RAX, R8);
        self.a.store(reg(register), RAX);
    }

    /// "Equal" if rax is nil or false. rax changes.
    fn compare_falsy(&mut self) {
        let difference = Value::NIL.bits() ^ Value::FALSE.bits();
        self.a.alu_imm(Alu::And, RAX, !(difference as i32));
        self.a.alu_imm(Alu::Cmp, RAX, NIL);
    }

    fn jump_to_target(&mut self, condition: If) {
        let to = self.start(self.target(self.word));
        self.a.jump_if(condition, to);
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
    /// symbol.
    fn both_identical(&mut self, left: u16, right: u16) {
        let (exit, found) = (self.exit(), self.a.label());
        self.a.load(RAX, reg(left));
        self.a.load(R8, reg(right));
        self.a.mov(R9, RAX);
        self.a.alu(Alu::And, R9, R8);
        self.a.test8(R9, 1);
        self.a.jump_if(If::NotEqual, found);
        self.a.mov(R9, RAX);
        self.a.alu_imm32(Alu::And, R9, 7);
        self.a.alu_imm32(Alu::Cmp, R9, NIL & 7);
        self.a.jump_if(If::NotEqual, exit);
        self.a.bind(found);
    }

    fn arithmetic_of_numbers(&mut self, insn: Insn, op: Sse) {
        let (exit, here, done) = (self.exit(), self.a.label(), self.a.label());
        self.both_fixnums_or(insn.b, insn.c, here);
        self.arithmetic(insn.op);
        self.a.bind(done);
        self.a.store(reg(insn.a), RAX);
        self.floats.push(Floats { here, op, done, exit });
    }

    /// The arithmetic of flonums: one piece of code for each operation.
    fn flonums(&mut self) {
        for op in [Sse::Add, Sse::Subtract, Sse::Multiply] {
            let places: Vec<_> = std::mem::take(&mut self.floats);
            let (places, others): (Vec<_>, Vec<_>) = places.into_iter().partition(|place| place.op == op);
            self.floats = others;
            if places.is_empty() {
                continue;
            }
            let common = self.a.label();
            for place in places {
                self.a.bind(place.here);
                self.a.lea_label(R11, place.done);
                self.a.lea_label(RDI, place.exit);
                self.a.jump(common);
            }
            self.a.bind(common);
            self.flonum(op);
        }
    }

    /// Goes on at r11 with rax = rax op r8, or at rdi with nothing done.
    fn flonum(&mut self, op: Sse) {
        const BIAS: u64 = 1 << 60;
        let zero = Value::flonum(0.0).expect("zero is a flonum").bits() as i32;
        let fail = self.a.label();
        for register in [RAX, R8] {
            // Both end in 0b10. Zero is encoded in another way.
            self.a.mov(R9, register);
            self.a.alu_imm32(Alu::And, R9, 3);
            self.a.alu_imm32(Alu::Cmp, R9, 2);
            self.a.jump_if(If::NotEqual, fail);
            self.a.alu_imm(Alu::Cmp, register, zero);
            self.a.jump_if(If::Equal, fail);
        }
        self.a.mov_imm(R10, BIAS);
        for (number, register) in [(0, RAX), (1, R8)] {
            self.a.ror(register, 3);
            self.a.alu(Alu::Sub, register, R10);
            self.a.double_of(number, register);
        }
        self.a.sse(op);
        self.a.bits_of_double(RAX, 0);
        self.a.alu(Alu::Add, RAX, R10);
        self.a.rol(RAX, 3);
        // As `Value::flonum` tells which numbers fit.
        self.a.mov(R9, RAX);
        self.a.alu_imm(Alu::Xor, R9, zero);
        self.a.ror(R9, 2);
        self.a.alu_imm(Alu::Sub, R9, 1);
        self.a.mov_imm(R10, (1 << 62) - 1);
        self.a.alu(Alu::Cmp, R9, R10);
        self.a.jump_if(If::AboveOrEqual, fail);
        self.a.jump_to(R11);
        self.a.bind(fail);
        self.a.jump_to(RDI);
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

    /// Takes the branch word behind where the condition holds, as that word wants it.
    fn branch_on(&mut self, condition: If) {
        let branch = self.word + 1;
        let condition = if self.insns[branch].op == Op::branchif { condition } else { condition.negated() };
        let to = self.start(self.target(branch));
        if self.insns[branch].d() >= 0 {
            return self.a.jump_if(condition, to);
        }
        let (exit, fall) = (self.exit(), self.a.label());
        self.a.jump_if(condition.negated(), fall);
        self.poll(exit);
        self.a.jump(to);
        self.a.bind(fall);
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
        let (exit, store) = (self.exit(), self.a.label());
        self.environment(R8, insn.c);
        self.a.load(RAX, reg(insn.a));
        self.a.test8(RAX, 7);
        self.a.jump_if(If::NotEqual, store);
        // An environment on the heap has a barrier.
        let (base, words) = VmStack::OFFSETS;
        self.a.mov(R9, R8);
        self.a.alu_load(Alu::Sub, R9, in_ec(offset_of!(Ec, stack) + base));
        self.a.shr(R9, 3);
        self.a.alu_load(Alu::Cmp, R9, in_ec(offset_of!(Ec, stack) + words));
        self.a.jump_if(If::AboveOrEqual, exit);
        self.a.bind(store);
        self.a.store(Mem::at(R8, i32::from(insn.b) * 8), RAX);
    }

    /// rax = a heap object, r10 = its header, which fits the cell of a field in the slot.
    fn object_of_cell(&mut self, object: Mem, site: u16, mask: u64) {
        let exit = self.exit();
        self.a.load(RAX, object);
        self.a.test8(RAX, 7);
        self.a.jump_if(If::NotEqual, exit);
        self.a.load(R10, Mem::at(RAX, 0));
        self.a.mov_imm(R8, mask);
        self.a.alu(Alu::And, R8, R10);
        self.a.alu_load(Alu::Cmp, R8, cell(site, offset_of!(CacheCell, key)));
        self.a.jump_if(If::NotEqual, exit);
        self.a.alu_at32(Alu::Cmp, cell(site, offset_of!(CacheCell, shape)), places::IN_SLOT as i32);
        self.a.jump_if(If::NotEqual, exit);
    }

    fn get_field(&mut self, object: Mem, to: u16, site: u16) {
        self.object_of_cell(object, site, flags::FIELD_KEY);
        self.a.load(R8, cell(site, offset_of!(CacheCell, target)));
        self.a.load(RAX, Mem::byte(RAX, R8, 0));
        self.a.store(reg(to), RAX);
    }

    fn set_field(&mut self, object: Mem, from: u16, site: u16, refused: u64) {
        let (exit, store, done) = (self.exit(), self.a.label(), self.a.label());
        self.object_of_cell(object, site, flags::FIELD_KEY | refused);
        self.a.load(R11, reg(from));
        self.barrier(R10, R11, exit, store);
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

    /// Leaves if a value that is to be stored has to be noted; `header` is that of the object. r8 changes.
    fn barrier(&mut self, header: Reg, value: Reg, exit: Label, store: Label) {
        self.a.test8(value, 7);
        self.a.jump_if(If::NotEqual, store);
        self.a.mov32(R8, header);
        self.a.alu_imm32(Alu::And, R8, (flags::OLD | flags::LOGGED) as i32);
        self.a.alu_imm32(Alu::Cmp, R8, flags::OLD as i32);
        self.a.jump_if(If::Equal, exit);
    }

    /// Leaves unless the name of a cell means what it meant when the cell was filled. r8 changes.
    fn check_epoch(&mut self, site: u16, exit: Label) {
        self.a.load(R8, cell(site, offset_of!(CacheCell, epoch_at)));
        self.a.load32(R8, Mem::at(R8, 0));
        self.a.alu_load32(Alu::Cmp, R8, cell(site, offset_of!(CacheCell, epoch)));
        self.a.jump_if(If::NotEqual, exit);
    }

    fn get_constant(&mut self, to: u16, site: u16) {
        let exit = self.exit();
        self.a.alu_at32(Alu::Cmp, cell(site, offset_of!(CacheCell, shape)), 1);
        self.a.jump_if(If::NotEqual, exit);
        self.check_epoch(site, exit);
        self.a.mov_imm(R8, self.code.cref.bits());
        self.a.alu_load(Alu::Cmp, R8, cell(site, offset_of!(CacheCell, key)));
        self.a.jump_if(If::NotEqual, exit);
        self.a.load(RAX, cell(site, offset_of!(CacheCell, target)));
        self.a.store(reg(to), RAX);
    }

    // ---- arrays ----

    /// rax = an object of class Array itself, r10 = the lower half of its header.
    fn plain_array(&mut self, register: u16) {
        let exit = self.exit();
        self.a.load(RAX, reg(register));
        self.a.test8(RAX, 7);
        self.a.jump_if(If::NotEqual, exit);
        self.a.load32(R8, Mem::at(RAX, 4));
        self.a.alu_load32(Alu::Cmp, R8, in_ec(offset_of!(Ec, array_shape)));
        self.a.jump_if(If::NotEqual, exit);
        self.a.load32(R10, Mem::at(RAX, 0));
    }

    /// Goes on at `embedded` with r8 = 0, at the next instruction for a view, and leaves for other arrays.
    fn storage(&mut self, embedded: Label) {
        let exit = self.exit();
        self.a.mov32(R8, R10);
        self.a.alu_imm32(Alu::And, R8, flags::STORAGE_MASK as i32);
        self.a.jump_if(If::Equal, embedded);
        self.a.alu_imm32(Alu::Cmp, R8, flags::STORAGE_VIEW as i32);
        self.a.jump_if(If::NotEqual, exit);
    }

    /// r8 = the length of an embedded array whose header is in r10.
    fn embedded_length(&mut self) {
        self.a.mov32(R8, R10);
        self.a.shr32(R8, flags::EMBEDDED_LEN_SHIFT as u8);
        self.a.alu_imm32(Alu::And, R8, (flags::EMBEDDED_LEN_MASK >> flags::EMBEDDED_LEN_SHIFT) as i32);
    }

    fn length(&mut self, op: Op, a: u16, b: u16) {
        self.plain_array(b);
        let (embedded, found) = (self.a.label(), self.a.label());
        self.storage(embedded);
        self.a.load(R8, Mem::at(RAX, field::<RView>(offset_of!(RView, len))));
        self.a.jump(found);
        self.a.bind(embedded);
        self.embedded_length();
        self.a.bind(found);
        if op == Op::opt_empty_p {
            self.a.test(R8, R8);
            return self.put_bool(a, If::Equal);
        }
        self.a.lea(RAX, Mem::byte(R8, R8, 1));
        self.a.store(reg(a), RAX);
    }

    /// r11 = where the elements begin, if r9 is the number of one; otherwise goes on at `outside`.
    fn elements(&mut self, outside: Label) {
        let (embedded, found) = (self.a.label(), self.a.label());
        self.storage(embedded);
        self.a.alu_load(Alu::Cmp, R9, Mem::at(RAX, field::<RView>(offset_of!(RView, len))));
        self.a.jump_if(If::AboveOrEqual, outside);
        self.a.load(R11, Mem::at(RAX, field::<RView>(offset_of!(RView, ptr))));
        self.a.jump(found);
        self.a.bind(embedded);
        self.embedded_length();
        self.a.alu(Alu::Cmp, R9, R8);
        self.a.jump_if(If::AboveOrEqual, outside);
        self.a.lea(R11, Mem::at(RAX, field::<RArrayEmbedded>(offset_of!(RArrayEmbedded, elements))));
        self.a.bind(found);
    }

    /// r9 = the number in a register, which is a fixnum.
    fn index(&mut self, register: u16) {
        let exit = self.exit();
        self.a.load(R9, reg(register));
        self.a.test8(R9, 1);
        self.a.jump_if(If::Equal, exit);
        self.a.sar(R9, 1);
    }

    fn element(&mut self, a: u16, b: u16, index: Option<u16>, immediate: i16) {
        let exit = self.exit();
        self.plain_array(b);
        match index {
            Some(register) => self.index(register),
            None => self.a.mov_imm(R9, i64::from(immediate) as u64),
        }
        self.elements(exit);
        self.a.load(RAX, Mem::word(R11, R9, 0));
        self.a.store(reg(a), RAX);
    }

    fn set_element(&mut self, a: u16, b: u16, c: u16) {
        let (exit, own, store) = (self.exit(), self.a.label(), self.a.label());
        self.plain_array(a);
        self.a.test32(R10, flags::FROZEN as u32);
        self.a.jump_if(If::NotEqual, exit);
        self.index(b);
        self.elements(exit);
        self.a.test32(R10, flags::STORAGE_MASK as u32);
        self.a.jump_if(If::Equal, own);
        self.a.load(R8, Mem::at(RAX, field::<RView>(offset_of!(RView, buf))));
        self.a.alu_at(Alu::Cmp, Mem::at(R8, field::<BufHead>(offset_of!(BufHead, count))), 1);
        self.a.jump_if(If::NotEqual, exit);
        self.a.bind(own);
        self.a.load(RAX, reg(c));
        self.barrier(R10, RAX, exit, store);
        self.a.bind(store);
        self.a.store(Mem::word(R11, R9, 0), RAX);
    }

    fn array_next(&mut self, a: u16, b: u16, c: u16) {
        let (exit, end) = (self.exit(), self.a.label());
        self.a.load(RAX, reg(b));
        self.a.test8(RAX, 7);
        self.a.jump_if(If::NotEqual, exit);
        self.a.load32(R10, Mem::at(RAX, 0));
        self.a.mov32(R8, R10);
        self.a.alu_imm32(Alu::And, R8, flags::TYPE_MASK as i32);
        self.a.alu_imm32(Alu::Cmp, R8, HeapType::Array as i32);
        self.a.jump_if(If::NotEqual, exit);
        self.index(c);
        self.poll(exit);
        self.elements(end);
        self.a.load(RAX, Mem::word(R11, R9, 0));
        self.a.store(reg(a), RAX);
        self.a.lea(R9, Mem::byte(R9, R9, 3));
        self.a.store(reg(c), R9);
        let to = self.start(self.target(self.word + 1));
        self.a.jump(to);
        self.a.bind(end);
    }

    // ---- calls ----

    /// A call of a method whose cell says what it is. What it said when this was compiled decides which template there is.
    fn send(&mut self, insn: Insn) {
        let Insn { op, a, b, c, .. } = insn;
        let exit = self.exit();
        // SAFETY: the code has the cell, and its Ractor has its turn.
        let (shape, key, target) = unsafe {
            let cell = &*self.code.caches.add(usize::from(c));
            (cell.shape, cell.key, cell.target)
        };
        if op == Op::send_self {
            self.a.load(RAX, Mem::at(FP, 0));
            self.a.store(reg(b), RAX);
        } else {
            self.a.load(RAX, reg(b));
        }
        if shape == ROOT_INTEGER.0 {
            self.a.test8(RAX, 1);
            self.a.jump_if(If::Equal, exit);
            self.a.alu_at32(Alu::Cmp, cell(c, offset_of!(CacheCell, shape)), ROOT_INTEGER.0 as i32);
        } else {
            self.a.test8(RAX, 7);
            self.a.jump_if(If::NotEqual, exit);
            self.a.load32(R8, Mem::at(RAX, 4));
            self.a.alu_load32(Alu::Cmp, R8, cell(c, offset_of!(CacheCell, shape)));
        }
        self.a.jump_if(If::NotEqual, exit);
        self.check_epoch(c, exit);
        let is_method = |handler: Handler| key == handler as usize as u64;
        let is_unknown = shape == 0 || shape == crate::run::polymorphic::SEVERAL;
        let (plain, with_block): (Handler, Handler) = (ops::invoke_iseq, ops::invoke_iseq_block);
        let reader: Handler = ops::invoke_reader;
        let through = self.a.label();
        if op == Op::send_block && (is_method(with_block) || is_unknown) {
            self.check_routine(c, with_block, through);
            if let Some(child) = self.code.linked().call_site(usize::from(c)).block {
                self.a.mov_imm(R9, self.code.child_place(usize::from(child)) as u64);
                self.a.load(R9, Mem::at(R9, 0));
                self.a.test(R9, R9);
                self.a.jump_if(If::Equal, through);
                self.a.alu_imm(Alu::Or, R9, 1);
                self.invoke(insn, true);
            }
        } else if op != Op::send_block && (is_method(plain) || is_unknown) {
            self.check_routine(c, plain, through);
            self.invoke(insn, false);
        } else if op != Op::send_block && is_method(reader) {
            self.read_attribute(a, c, target, through);
        }
        self.a.bind(through);
        let (record, _) = self.record();
        self.a.lea_label(RDI, record);
        self.a.jump_through(cell(c, offset_of!(CacheCell, key)));
    }

    fn check_routine(&mut self, site: u16, handler: Handler, otherwise: Label) {
        self.a.alu_at32(Alu::Cmp, cell(site, offset_of!(CacheCell, key)), low_half(handler));
        self.a.jump_if(If::NotEqual, otherwise);
    }

    /// Pushes the frame of the method in the cell and goes there. r9 = the block's word.
    fn invoke(&mut self, insn: Insn, has_block: bool) {
        self.a.load(R8, cell(insn.c, offset_of!(CacheCell, target)));
        self.window(insn.b);
        self.a.store(frame_word(RDI, CODE), R8);
        if has_block {
            self.a.load(RAX, frame_word(FP, ENV));
            self.a.store(frame_word(RDI, BLOCK), R9);
            self.a.store(frame_word(RDI, BLOCK_ENV), RAX);
        } else {
            self.a.store_imm(frame_word(RDI, BLOCK), 0);
            self.a.store_imm(frame_word(RDI, BLOCK_ENV), 0);
        }
        self.a.load16(RAX, Mem::at(R8, field::<CodeData>(offset_of!(CodeData, lead))));
        self.enter();
    }

    /// rdi = the window's receiver, if the frame of the code in r8 may begin there. rax changes.
    fn window(&mut self, base: u16) {
        let exit = self.exit();
        self.a.load16(RAX, Mem::at(R8, field::<CodeData>(offset_of!(CodeData, frame_size))));
        self.a.lea(RDI, reg(base));
        self.a.lea(RAX, Mem::word(RDI, RAX, 0));
        self.a.alu_load(Alu::Cmp, RAX, in_ec(Ec::LIMIT_OFFSET));
        self.a.jump_if(If::Above, exit);
    }

    /// Completes the frame at rdi of the code in r8, of whose locals rax are filled, and goes there.
    fn enter(&mut self) {
        let (turn, test) = (self.a.label(), self.a.label());
        let (_, behind) = self.record();
        self.a.load16(R9, Mem::at(R8, field::<CodeData>(offset_of!(CodeData, local_size))));
        self.a.store(frame_word(RDI, ENV), RDI);
        self.a.lea_label(R10, behind);
        self.a.store(frame_word(RDI, RET_PC), R10);
        self.a.store(frame_word(RDI, CALLER), FP);
        self.a.jump(test);
        self.a.bind(turn);
        self.a.store_imm(Mem::word(RDI, RAX, 0), NIL);
        self.a.bind(test);
        self.a.alu_imm(Alu::Add, RAX, 1);
        self.a.alu32(Alu::Cmp, RAX, R9);
        self.a.jump_if(If::Below, turn);
        self.a.mov(FP, RDI);
        self.a.load(RCX, Mem::at(R8, field::<CodeData>(offset_of!(CodeData, caches))));
        self.a.load(RDI, Mem::at(R8, field::<CodeData>(offset_of!(CodeData, start))));
        self.go();
    }

    /// Goes on at the instruction that rdi leads to: in machine code at once, if that is where it leads.
    fn go(&mut self) {
        let interpret = self.interpret;
        self.a.load(RAX, Mem::at(RDI, 0));
        self.a.cmp8(RAX, Op::enter_compiled as u8);
        self.a.jump_if(If::NotEqual, interpret);
        self.a.shr(RAX, ADDRESS_SHIFT as u8);
        self.a.jump_to(RAX);
    }

    /// An attribute in the slot of the object in rax.
    fn read_attribute(&mut self, to: u16, site: u16, offset: u64, otherwise: Label) {
        let is_given = self.a.label();
        let (Ok(offset), Some(pool)) = (i32::try_from(offset), pool_for(offset as usize + 8)) else { return };
        self.check_routine(site, ops::invoke_reader, otherwise);
        self.a.alu_at(Alu::Cmp, cell(site, offset_of!(CacheCell, target)), offset);
        self.a.jump_if(If::NotEqual, otherwise);
        // Pools grow with their numbers.
        self.a.load32(R8, Mem::at(RAX, 0));
        self.a.alu_imm32(Alu::And, R8, flags::POOL_MASK as i32);
        self.a.alu_imm32(Alu::Cmp, R8, i32::from(pool.0) << flags::POOL_SHIFT);
        self.a.jump_if(If::Below, otherwise);
        self.a.load(RAX, Mem::at(RAX, offset));
        self.a.alu_imm(Alu::Cmp, RAX, Value::UNDEF.bits() as i32);
        self.a.jump_if(If::NotEqual, is_given);
        self.a.mov_imm(RAX, Value::NIL.bits());
        self.a.bind(is_given);
        self.a.store(reg(to), RAX);
        let next = self.start(self.word + 1);
        self.a.jump(next);
    }

    /// `yield` in a method's own frame to a literal block that takes the arguments as they stand.
    fn invoke_block(&mut self, insn: Insn) {
        let n = if insn.op == Op::invokeblock_one { 1 } else { insn.n };
        let exit = self.exit();
        if n > 7 {
            return self.a.jump(exit);
        }
        self.a.load(R8, frame_word(FP, BLOCK));
        self.a.test8(R8, 1);
        self.a.jump_if(If::Equal, exit);
        self.a.alu_imm(Alu::Sub, R8, 1);
        self.a.test_at8(Mem::at(R8, field::<CodeData>(offset_of!(CodeData, in_place))), 1 << n);
        self.a.jump_if(If::Equal, exit);
        self.window(insn.b);
        if insn.op == Op::invokeblock_one {
            self.a.load(RAX, reg(u16::from(insn.n)));
            self.a.store(Mem::at(RDI, 8), RAX);
        }
        self.a.load(R9, frame_word(FP, BLOCK_ENV));
        self.a.store(frame_word(RDI, CODE), R8);
        self.a.store_imm(frame_word(RDI, BLOCK), 0);
        self.a.store(frame_word(RDI, PARENT), R9);
        self.a.store_imm(frame_word(RDI, FLAGS), 0);
        self.a.load(RAX, Mem::at(R9, 0));
        self.a.store(Mem::at(RDI, 0), RAX);
        // The smaller of what is given and what is taken.
        self.a.load16(RAX, Mem::at(R8, field::<CodeData>(offset_of!(CodeData, lead))));
        self.a.mov_imm(R9, u64::from(n));
        self.a.alu32(Alu::Cmp, RAX, R9);
        self.a.cmov32(If::Above, RAX, R9);
        self.enter();
    }

    fn leave(&mut self, from: u16) {
        let interpret = self.a.label();
        self.a.load(RAX, reg(from));
        self.a.load(RDI, frame_word(FP, RET_PC));
        self.a.load(FP, frame_word(FP, CALLER));
        // The word before names the register for the result.
        self.a.load16(R9, Mem::at(RDI, offset_of!(Insn, a) as i32 - size_of::<Insn>() as i32));
        self.a.store(Mem::word(FP, R9, 0), RAX);
        self.a.load(RCX, frame_word(FP, CODE));
        self.a.load(RCX, Mem::at(RCX, field::<CodeData>(offset_of!(CodeData, caches))));
        self.a.load(RAX, Mem::at(RDI, 0));
        self.a.cmp8(RAX, Op::enter_compiled as u8);
        self.a.jump_if(If::NotEqual, interpret);
        // What ran meanwhile may have redefined an operator.
        self.a.cmp_at8(in_ec(offset_of!(Ec, is_compiled_off)), 0);
        self.a.jump_if(If::NotEqual, interpret);
        self.a.shr(RAX, ADDRESS_SHIFT as u8);
        self.a.jump_to(RAX);
        self.a.bind(interpret);
        let interpret = self.interpret;
        self.a.jump(interpret);
    }
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
            | jump
            | jump_back
            | branchif
            | branchunless
            | branchnil
            | branchnotnil
            | branchgiven
            | send_simple
            | send_self
            | send_block
            | invokeblock
            | invokeblock_one
            | leave
    )
}
