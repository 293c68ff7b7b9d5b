//! Calls in templates: what the cell of a site says when its code is compiled becomes machine code at the place.
//!
//! # How
//! The place compares the receiver's shape and the counter of the name with what its cell said when it was compiled. If both are the same, all
//! that a call needs of the method is a constant, and the frame is pushed by stores of constants; machine code of the method is jumped
//! to directly. Everything else is the stub's. `super`, places that see several shapes, and all places of a VM whose counters are far from the
//! code ([`MethodEpochs`](crate::model::epochs)) look into the cell as a handler does: shape, epoch, and whether the target is still the one that was there.
//!
//! # Invariants
//! * Whoever changes what a name means for a shape counts up the name's counter before going on. A shape stands for one class while machine
//!   code lives that compares with it ([`Compiled::shapes`](super::Compiled)).
//! * The machine code refers to the methods' Code that it names ([`Compiled::callees`](super::Compiled)), so no other code comes to their
//!   addresses, and their machine code stays.
//! * Nothing else of a cell is believed that is not compared again, but for what follows from the target.

use super::answers::{self, Question};
use super::emit::*;
use super::stubs::Stub;
use super::templates::{Compiler, cell, fixnum, reg};
use crate::ec::Ec;
use crate::model::method::MethodEntry;
use crate::model::shape::{ROOT_FALSE, ROOT_FLOAT, ROOT_HIDDEN, ROOT_INTEGER, ROOT_NIL, ROOT_SYMBOL, ROOT_TRUE};
use crate::model::symbol::sym;
use crate::run::code::{CacheCell, CodeData, CodeKind};
use crate::run::frame::{
    BLOCK, BLOCK_ENV, CALLER, CODE, CODE_BEHIND, ENV, FLAGS, PARENT, RET_PC, flags as flags_of_frame,
};
use crate::run::interp::ops::bind::Places;
use crate::run::interp::{Handler, ops};
use crate::run::leaf::{self, Leaf};
use crate::run::polymorphic::{Entry, SEVERAL};
use crate::run::stack::RESERVE_FOR_FRAME;
use carat_asm::{Alu, Condition as If, Label, Mem, Xmm};
use carat_iseq::{Insn, Op};
use carat_jit::InPlace;
use carat_layout::{POOL_SIZES, ShapeId, SymbolId, Value, flags};
use std::mem::offset_of;
use std::sync::atomic::Ordering;

/// Locals that a place makes nil. A method with more is called by the stub, which has a loop for that.
const MOST_LOCALS: usize = 8;

/// Shapes that a place with several looks for.
const MOST_SHAPES: usize = 3;

/// What a place calls a method with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    None,
    /// The literal block of the site.
    Literal(u64),
    /// The running method's.
    Own,
}

/// Where a call stands.
struct Site {
    /// The word whose operands are window, cell and destination.
    insn: Insn,
    /// How many bytes it lies behind the record of the instruction at hand.
    skipped: i32,
    receiver: Receiver,
    argc: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Receiver {
    Register(u16),
    /// `self`, which goes into the window, or is there.
    Own,
    OwnInWindow,
}

/// A call's frame, as far as it does not depend on the receiver.
#[derive(Clone, Copy)]
struct Callee<'a> {
    code: &'a CodeData,
    block: Block,
    /// Registers from here on that are no parameters with an argument become nil.
    locals_from: usize,
    /// A register that becomes undef: that of a block parameter.
    undef: Option<u16>,
    /// The word of the iseq where the call begins.
    entry: usize,
    /// Of a block that became a method: the environment around.
    around: Option<u64>,
}

/// What the cell of a site knows.
#[derive(Clone, Copy)]
enum Known<'a> {
    /// An attribute, by the offset of its field in the slot.
    Reader(u64),
    Native(&'a CodeData, Block),
    /// Where its machine code begins, if that is known.
    Ruby(Callee<'a>, Option<usize>),
    /// What a method object calls.
    MethodObject,
}

impl<'a> Compiler<'a> {
    /// A call of a method whose cell says what it is.
    pub(super) fn send(&mut self, insn: Insn) {
        let is_own = insn.op == Op::send_self;
        let native: Handler = if insn.op == Op::send_block { ops::invoke_native_block } else { ops::invoke_native };
        let (stub, is_called) = match insn.op {
            Op::send_block if self.calls(insn, native) => (Stub::NativeBlock, true),
            Op::send_block => (Stub::SendBlock, false),
            _ if self.calls(insn, native) && is_own => (Stub::NativeSelf, true),
            _ if self.calls(insn, native) => (Stub::Native, true),
            _ if self.calls(insn, ops::handed_on::invoke_send)
                || self.calls(insn, ops::handed_on::invoke_public_send) =>
            {
                (if is_own { Stub::SentSelf } else { Stub::Sent }, true)
            }
            _ if self.calls(insn, ops::invoke_reader) && is_own => (Stub::ReaderSelf, true),
            _ if self.calls(insn, ops::invoke_reader) => (Stub::Reader, true),
            _ if self.calls(insn, ops::invoke_writer) && !is_own => (Stub::Writer, true),
            _ => (if is_own { Stub::SendSelf } else { Stub::Send }, false),
        };
        let receiver = if is_own { Receiver::Own } else { Receiver::Register(insn.b) };
        let site = Site { insn, skipped: 0, receiver, argc: usize::from(insn.n) };
        if let Some(known) = self.known(&site) {
            return self.call_known(&site, known, stub, is_called);
        }
        if self.cell_of(insn).has_several() {
            return self.send_several(&site, stub);
        }
        if is_called { self.call_stub(stub, Some(insn.a)) } else { self.jump_to_stub(stub) }
    }

    /// `super` with the arguments of the site.
    pub(super) fn invoke_super(&mut self, insn: Insn) {
        let site = Site { insn, skipped: 0, receiver: Receiver::OwnInWindow, argc: 0 };
        match self.known(&site) {
            Some(known) => self.call_known(&site, known, Stub::Super, false),
            None => self.jump_to_stub(Stub::Super),
        }
    }

    /// A call at a place that sees several shapes: what the first entries of its list know is called there, all else by the stub.
    fn send_several(&mut self, site: &Site, stub: Stub) {
        let several = self.several(site);
        let Some((last, _)) = several.last() else { return self.jump_to_stub(stub) };
        let (other, done) = (self.jump_later(stub), self.a.label());
        let (shape, key) = (offset_of!(CacheCell, shape), offset_of!(CacheCell, key));
        self.load_receiver(site);
        let a = &mut self.a;
        a.test8(RAX, 7);
        a.jump_if(If::NotEqual, other);
        a.load32(R10, Mem::at(RAX, 4));
        a.alu_at32(Alu::Cmp, cell(site.insn.c, shape), SEVERAL as i32);
        a.jump_if(If::NotEqual, other);
        self.check_epoch(site.insn.c, other);
        let a = &mut self.a;
        a.load(RDI, cell(site.insn.c, key));
        // Another list may have come to its place.
        a.alu_at32(Alu::Cmp, Mem::at(RDI, Entry::BEHIND_OFFSET as i32), *last as i32);
        a.jump_if(If::Below, other);
        for (at, known) in several {
            let next = self.a.label();
            let entry = |offset: usize| Mem::at(RDI, (at * size_of::<Entry>() + offset) as i32);
            self.a.alu_load32(Alu::Cmp, R10, entry(offset_of!(Entry, shape)));
            self.a.jump_if(If::NotEqual, next);
            match known {
                Known::Native(code, block) => {
                    self.check_code(code, entry(offset_of!(Entry, target)), other);
                    self.call_native(site, block);
                    self.a.store(reg(site.insn.a), RAX);
                    self.a.jump(done);
                }
                Known::Ruby(callee, start) => {
                    self.check_code(callee.code, entry(offset_of!(Entry, target)), other);
                    self.push(site, callee, start, other);
                }
                Known::Reader(_) | Known::MethodObject => unreachable!("no entry of several is one"),
            }
            self.a.bind(next);
        }
        self.a.jump(other);
        self.returns_here(site.insn, Some(done), None);
        self.a.bind(done);
    }

    fn call_known(&mut self, site: &Site, known: Known<'a>, stub: Stub, is_called: bool) {
        if is_called {
            let (other, then) = self.call_later(stub);
            self.emit(site, known, other);
            self.a.bind(then);
            self.a.store(reg(site.insn.a), RAX);
        } else if let Known::Ruby(..) = known {
            self.emit_last(site, known, stub);
        } else {
            let other = self.jump_later(stub);
            self.emit(site, known, other);
            self.a.store(reg(site.insn.a), RAX);
        }
    }

    /// An operator that was a call of a method so far: machine code for that call, in front of what the operator's template is for
    /// other receivers. Where the call goes on; it is to be bound behind that, or at the branch of a fused comparison.
    pub(super) fn operator(&mut self, insn: Insn) -> Option<Label> {
        use Op::*;
        let (receiver, arguments) = match insn.op {
            opt_aref | opt_plus | opt_minus | opt_mult | opt_mod | opt_lt | opt_le | opt_gt | opt_ge | opt_eq
            | opt_neq | opt_ltlt | cmp_lt | cmp_le | cmp_gt | cmp_ge | cmp_eq | cmp_neq | checkmatch => {
                (insn.b, [Some(insn.c), None])
            }
            opt_aref_imm | opt_plus_imm | opt_minus_imm | opt_length | opt_size | opt_empty_p | opt_not | opt_nil_p => {
                (insn.b, [None, None])
            }
            opt_aset => (insn.a, [Some(insn.b), Some(insn.c)]),
            _ => return None,
        };
        let is_imm = matches!(insn.op, opt_aref_imm | opt_plus_imm | opt_minus_imm);
        let call = self.ext_word();
        let argc = arguments.iter().flatten().count() + usize::from(is_imm);
        let site = Site { insn: call, skipped: 8, receiver: Receiver::Register(receiver), argc };
        let shape = ShapeId(self.cell_of(call).shape);
        // What core classes have templates for is seldom a call, though it was one once.
        let is_core = [self.ec.array_shape, self.ec.hash_shape].contains(&shape)
            || shape == self.ec.string_shape && !matches!(insn.op, opt_aref | opt_aref_imm);
        // Templates have code of their own for the other operators of numbers and symbols.
        let is_for_all = matches!(insn.op, opt_aref | opt_aref_imm | opt_length | opt_size | opt_empty_p);
        if insn.n != 0 || is_core || !is_for_all && is_immediate(shape) {
            return None;
        }
        let known = self.known(&site)?;
        let done = if insn.op.format().is_fused() { self.start(self.word + 2) } else { self.a.label() };
        let (plain, exit) = (self.a.label(), self.exit());
        // What the handler does not find changed is left as it is until nothing leads there any more.
        self.check_cell(&site, plain);
        self.a.alu_at(Alu::Cmp, in_ec(Ec::LIMIT_OFFSET), 0);
        self.a.jump_if(If::Equal, exit);
        self.a.store(reg(call.b), RAX);
        for (at, register) in arguments.iter().flatten().enumerate() {
            self.a.load(RAX, reg(*register));
            self.a.store(reg(call.b + 1 + at as u16), RAX);
        }
        if is_imm {
            let value = Value::fixnum_unchecked(i64::from(insn.c as i16));
            self.a.store_imm(reg(call.b + 1), value.bits() as i32);
        }
        if matches!(known, Known::Reader(_)) {
            self.a.load(RAX, reg(call.b));
        }
        let answered = self.emit_checked(&site, known, plain);
        if !matches!(known, Known::Ruby(..) | Known::MethodObject) {
            self.a.store(reg(call.a), RAX);
            self.a.jump(done);
        }
        self.returns_here(call, Some(done), answered);
        self.a.bind(plain);
        Some(done)
    }

    fn cell_of(&self, insn: Insn) -> &'a CacheCell {
        // SAFETY: the code has the cell, and its Ractor has its turn.
        unsafe { &*self.code.caches.add(usize::from(insn.c)) }
    }

    fn calls(&self, insn: Insn, handler: Handler) -> bool {
        self.cell_of(insn).key == handler as usize as u64
    }

    /// Whether what the cell knows is still so.
    fn is_current(&self, site: &Site) -> bool {
        let cell = self.cell_of(site.insn);
        // SAFETY: a cell that is for a shape was filled for a name.
        cell.shape != 0 && unsafe { (*cell.epoch_at).load(Ordering::Relaxed) } == cell.epoch
    }

    /// Whether the class of a shape lives. If not, its methods may have died with it: no count of their names tells.
    fn lives(&self, shape: u32) -> bool {
        self.ec.vm().shapes.is_used(ShapeId(shape))
    }

    /// What the cell knows; `None` if it knows nothing, or several shapes, or what handlers alone can call.
    fn known(&mut self, site: &Site) -> Option<Known<'a>> {
        let cell = self.cell_of(site.insn);
        let is_hidden = ShapeId(cell.shape) == ROOT_HIDDEN;
        if !self.is_current(site) || cell.has_several() || is_hidden || !self.lives(cell.shape) {
            return None;
        }
        self.known_as(site, cell.key, cell.target)
    }

    /// What a place can call that sees several shapes, with the entries of the cell's list.
    fn several(&mut self, site: &Site) -> Vec<(usize, Known<'a>)> {
        if !self.is_current(site) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (at, entry) in self.cell_of(site.insn).call_entries().into_iter().enumerate() {
            let is_heap = !is_immediate(ShapeId(entry.shape)) && entry.shape > ROOT_HIDDEN.0;
            if !is_heap || !self.lives(entry.shape) {
                continue;
            }
            match self.known_as(site, entry.key, entry.target) {
                Some(known) if !matches!(known, Known::Reader(_) | Known::MethodObject) => found.push((at, known)),
                _ => {}
            }
            if found.len() == MOST_SHAPES {
                break;
            }
        }
        found
    }

    /// What a routine and its target stand for.
    fn known_as(&mut self, site: &Site, key: u64, target: u64) -> Option<Known<'a>> {
        let insn = site.insn;
        let calls = |handler: Handler| key == handler as usize as u64;
        let has_block = insn.op == Op::send_block;
        if !has_block && insn.op != Op::invokesuper && calls(ops::invoke_reader) {
            return Some(Known::Reader(target));
        }
        if insn.op == Op::ext && calls(ops::handed_on::invoke_method_object) {
            return Some(Known::MethodObject);
        }
        let native: Handler = if has_block { ops::invoke_native_block } else { ops::invoke_native };
        let block = self.block_of(insn)?;
        // SAFETY: the target of such a routine is the code of a method, which lives while the cell is current and the shape's class lives.
        let code = |target: u64| -> &'a CodeData { unsafe { &*std::ptr::with_exposed_provenance(target as usize) } };
        if insn.op != Op::invokesuper && calls(native) {
            return Some(Known::Native(code(target), block));
        }
        let simple: Handler = match insn.op {
            Op::invokesuper => ops::invoke_super,
            Op::send_block => ops::invoke_iseq_block,
            _ => ops::invoke_iseq,
        };
        let optional: Handler = if has_block { ops::invoke_optional_block } else { ops::invoke_optional };
        let (is_simple, is_block) = (calls(simple), block == Block::None && calls(ops::invoke_block_method));
        if !is_simple && !is_block && !calls(optional) {
            return None;
        }
        let mut callee = callee(code(target), site.argc, block, is_simple || is_block)?;
        callee.around = is_block.then(|| ops::block_method_parent(self.ec, callee.code));
        // Code that is not compiled yet begins where its beginning is, which a machine word says.
        let entry = self.machine_entry(callee.code, callee.entry);
        (entry.is_some() || callee.entry == 0).then_some(Known::Ruby(callee, entry))
    }

    fn block_of(&mut self, insn: Insn) -> Option<Block> {
        match insn.op {
            Op::send_block => {
                let index = self.code.linked().call_site(usize::from(insn.c)).block?;
                let code = self.code.child(self.ec, usize::from(index));
                Some(Block::Literal(std::ptr::from_ref(code).expose_provenance() as u64 | 1))
            }
            Op::invokesuper => Some(Block::Own),
            _ => Some(Block::None),
        }
    }

    /// Machine code of a method for its beginning or a word with an entry of its own, compiled now if that is due soon.
    fn machine_entry(&mut self, callee: &CodeData, word: usize) -> Option<usize> {
        if std::ptr::eq(callee, self.code) {
            return None;
        }
        self.compile_callee(callee);
        callee.compilation.compiled.get()?.machine_entry(word)
    }

    /// Refers to the code of a method as long as this machine code lives.
    fn keep(&mut self, code: &CodeData) {
        if !self.callees.contains(&code.this) {
            self.callees.push(code.this);
        }
    }

    // ---- looking into the cell ----

    /// rax = the receiver, which is in the window.
    fn load_receiver(&mut self, site: &Site) {
        let a = &mut self.a;
        match site.receiver {
            Receiver::Own => {
                if !self.has_own {
                    a.load(RAX, Mem::at(FP, 0));
                }
                a.store(reg(site.insn.b), RAX);
            }
            Receiver::OwnInWindow => a.load(RAX, Mem::at(FP, 0)),
            Receiver::Register(register) => a.load(RAX, reg(register)),
        }
    }

    /// rax = the receiver, whose shape the cell is for now, as it was when this was compiled. Goes on at `other` with any other.
    fn check_cell(&mut self, site: &Site, other: Label) {
        let CacheCell { shape: known, epoch, epoch_at, .. } = *self.cell_of(site.insn);
        let known = ShapeId(known);
        let is_lasting = self.is_lasting(site);
        let shape = cell(site.insn.c, offset_of!(CacheCell, shape));
        self.load_receiver(site);
        let is_immediate = is_immediate(known);
        match known {
            ROOT_INTEGER => {
                self.a.test8(RAX, 1);
                self.unless(If::Equal, other);
            }
            // One that is no object.
            ROOT_FLOAT => {
                self.a.mov32(R10, RAX);
                self.a.alu_imm32(Alu::And, R10, 3);
                self.a.alu_imm32(Alu::Cmp, R10, 2);
                self.unless(If::NotEqual, other);
            }
            ROOT_NIL | ROOT_TRUE | ROOT_FALSE => {
                let value = if known == ROOT_NIL { Value::NIL } else { Value::bool(known == ROOT_TRUE) };
                self.a.alu_imm(Alu::Cmp, RAX, value.bits() as i32);
                self.unless(If::NotEqual, other);
            }
            ROOT_SYMBOL => {
                self.a.cmp8(RAX, Value::symbol(SymbolId(0)).bits() as u8);
                self.unless(If::NotEqual, other);
            }
            _ => {
                self.a.test8(RAX, 7);
                self.unless(If::NotEqual, other);
                if is_lasting {
                    self.shapes.push(known);
                    self.a.alu_at32(Alu::Cmp, Mem::at(RAX, 4), known.0 as i32);
                } else {
                    self.a.load32(R10, Mem::at(RAX, 4));
                    self.a.alu_load32(Alu::Cmp, R10, shape);
                }
                self.unless(If::NotEqual, other);
            }
        }
        if is_lasting {
            // What the cell knew then, not what the counter says now.
            self.a.cmp_outside32(epoch_at.addr(), epoch as i32);
            return self.unless(If::NotEqual, other);
        }
        if is_immediate {
            self.a.alu_at32(Alu::Cmp, shape, known.0 as i32);
            self.unless(If::NotEqual, other);
        }
        self.check_epoch(site.insn.c, other);
    }

    /// Whether the place looks at its cell no more: what shape and name lead to is a constant as long as the name's counter stands.
    /// What `super` leads to depends on the running method too.
    fn is_lasting(&self, site: &Site) -> bool {
        site.insn.op != Op::invokesuper && self.ec.vm().has_near_epochs()
    }

    /// Goes on at `other` if the name of a cell does not mean what it did. r11 changes.
    pub(super) fn check_epoch(&mut self, site: u16, other: Label) {
        let a = &mut self.a;
        a.load(R11, cell(site, offset_of!(CacheCell, epoch_at)));
        a.load32(R11, Mem::at(R11, 0));
        a.alu_load32(Alu::Cmp, R11, cell(site, offset_of!(CacheCell, epoch)));
        self.unless(If::NotEqual, other);
    }

    /// r8 = the code of the method, which the cell leads to now as it did then.
    fn check_target(&mut self, site: &Site, code: &CodeData, other: Label) {
        if self.is_lasting(site) {
            return self.load_code(code);
        }
        self.check_code(code, cell(site.insn.c, offset_of!(CacheCell, target)), other);
    }

    /// r8 = the code of a method, which is what a place in memory says too.
    fn check_code(&mut self, code: &CodeData, target: Mem, other: Label) {
        self.load_code(code);
        self.a.alu_load(Alu::Cmp, R8, target);
        self.unless(If::NotEqual, other);
    }

    /// r8 = a code.
    fn load_code(&mut self, code: &CodeData) {
        self.keep(code);
        let address = std::ptr::from_ref(code).expose_provenance();
        match i32::try_from(address as i64 - self.code.caches.expose_provenance() as i64) {
            Ok(distance) => self.a.lea(R8, Mem::at(RCX, distance)),
            Err(_) => self.a.mov_imm(R8, address as u64),
        }
    }

    /// Goes on at `other` where a condition holds: with a short jump if all that a call does lies between.
    fn unless(&mut self, condition: If, other: Label) {
        if self.is_near { self.a.jump_short_if(condition, other) } else { self.a.jump_if(condition, other) }
    }

    // ---- what is called ----

    /// Calls what the cell knows, with the result in rax behind what is no Ruby code; goes on at `other` if it says something else. Gives
    /// the label for the answer of a leaf that is asked in place of a method in Ruby, if one is.
    fn emit(&mut self, site: &Site, known: Known<'a>, other: Label) -> Option<Label> {
        self.check_cell(site, other);
        self.emit_checked(site, known, other)
    }

    fn emit_checked(&mut self, site: &Site, known: Known<'a>, other: Label) -> Option<Label> {
        match known {
            Known::Reader(offset) => self.reader(site, offset, other),
            Known::Native(code, block) => self.native(site, code, block, other),
            Known::Ruby(callee, entry) => {
                self.check_target(site, callee.code, other);
                // It goes on where the method would return to.
                let leaf = self.leaf_for(site, &known).filter(|_| self.returned().is_some());
                let answered = leaf.map(|leaf| self.call_leaf(leaf, site.insn.b));
                if answered.is_some() {
                    self.load_code(callee.code);
                }
                self.push(site, callee, entry, other);
                return answered;
            }
            Known::MethodObject => {
                let (record, _) = self.record();
                self.a.lea_label(RDI, record);
                self.a.alu_imm(Alu::Add, RDI, site.skipped);
                self.a.jump_out(ops::handed_on::invoke_method_object as Handler as usize);
            }
        }
        None
    }

    /// The leaf of what a call without a block leads to.
    fn leaf_for(&self, site: &Site, known: &Known<'_>) -> Option<&'static Leaf> {
        let (Known::Native(code, Block::None) | Known::Ruby(Callee { code, block: Block::None, .. }, _)) = known else {
            return None;
        };
        if site.insn.op == Op::invokesuper { None } else { leaf::of_method(self.ec, code, site.argc) }
    }

    /// The same where nothing comes behind, in as few bytes as possible: large programs run each place seldom, and what they wait for is
    /// the code itself.
    fn emit_last(&mut self, site: &Site, known: Known<'a>, stub: Stub) {
        let far = self.jump_later(stub);
        self.is_near = is_short(&known) && self.leaf_for(site, &known).is_none();
        let other = if self.is_near { self.a.label() } else { far };
        let answered = self.emit(site, known, other);
        if self.is_near {
            self.a.bind(other);
            self.a.jump(far);
        }
        self.is_near = false;
        self.returns_here(site.insn, None, answered);
    }

    /// r10 and r11 = the words BLOCK and BLOCK_ENV.
    fn block_words(&mut self, block: Block) {
        let a = &mut self.a;
        match block {
            Block::None => {
                a.alu32(Alu::Xor, R10, R10);
                a.alu32(Alu::Xor, R11, R11);
            }
            Block::Literal(word) => {
                a.mov_imm(R10, word);
                a.load(R11, frame_word(FP, ENV));
            }
            Block::Own => {
                a.load(R10, frame_word(FP, BLOCK));
                a.load(R11, frame_word(FP, BLOCK_ENV));
            }
        }
    }

    /// Whether a native method is `is_a?` of the core.
    fn is_kind_of(&self, code: &CodeData) -> bool {
        let entry = MethodEntry::from_value(self.ec, code.method);
        let kernel = self.ec.vm().known().kernel.value();
        let is_named = |entry: &MethodEntry| [sym::IS_A, sym::KIND_OF].contains(&entry.original_name);
        entry.is_some_and(|entry| is_named(entry) && entry.owner_value() == kernel && entry.is_core(self.ec))
    }

    fn native(&mut self, site: &Site, code: &CodeData, block: Block, other: Label) {
        self.check_target(site, code, other);
        if site.argc == 1 && block == Block::None && self.is_kind_of(code) {
            return self.kind_of(site, 0);
        }
        if site.argc == 1 && block == Block::None && answers::asks_class(self.ec, code) {
            return self.kind_of(site, 1);
        }
        if block == Block::None && site.insn.op != Op::invokesuper && self.in_place(site, code, other) {
            return;
        }
        let Some(leaf) = self.leaf_for(site, &Known::Native(code, block)) else { return self.call_native(site, block) };
        let answered = self.call_leaf(leaf, site.insn.b);
        self.a.mov_imm(R8, std::ptr::from_ref(code).expose_provenance() as u64);
        self.call_native(site, block);
        self.a.bind(answered);
    }

    /// Does what a native method does, with the result in rax; goes on at `other` with a receiver that this is not for. False if there is no
    /// code for that.
    fn in_place(&mut self, site: &Site, code: &CodeData, other: Label) -> bool {
        let Some(question) = answers::question(self.ec, code) else { return false };
        let wanted = if let Question::InPlace(what) = question { what.argument_count() } else { 0 };
        if site.argc != wanted {
            return false;
        }
        let number = match question {
            Question::Itself => None,
            Question::IsNil(is) => {
                self.a.mov_imm(RAX, Value::bool(is).bits());
                return true;
            }
            Question::ItselfIfPlain if self.is_plain_core(site) => None,
            Question::InPlace(InPlace::IsBlockGiven) if self.code.kind == CodeKind::Method => {
                self.a.alu_at(Alu::Cmp, frame_word(FP, BLOCK), 0);
                self.bool_of(If::NotEqual);
                return true;
            }
            Question::InPlace(InPlace::IsSame) => {
                self.a.load(RAX, reg(site.insn.b));
                self.a.alu_load(Alu::Cmp, RAX, reg(site.insn.b + 1));
                self.bool_of(If::Equal);
                return true;
            }
            Question::InPlace(what) => Some(what),
            _ => return false,
        };
        let is_covered = |what| {
            use InPlace::*;
            matches!(what, IsEven | IsOdd | IsZero | Next | Previous)
        };
        if !number.is_none_or(is_covered) {
            return false;
        }
        self.a.load(RAX, reg(site.insn.b));
        let Some(what) = number else { return true };
        self.a.test8(RAX, 1);
        self.unless(If::Equal, other);
        match what {
            InPlace::Next | InPlace::Previous => {
                self.a.alu_imm(if what == InPlace::Next { Alu::Add } else { Alu::Sub }, RAX, 2);
                self.unless(If::Overflow, other);
            }
            InPlace::IsZero => {
                self.a.alu_imm(Alu::Cmp, RAX, fixnum(0));
                self.bool_of(If::Equal);
            }
            _ => {
                self.a.test8(RAX, 2);
                self.bool_of(if what == InPlace::IsEven { If::Equal } else { If::NotEqual });
            }
        }
        true
    }

    /// Whether the cell of a site is for strings, arrays or hashes of the core's own class, and stays so.
    fn is_plain_core(&self, site: &Site) -> bool {
        let shape = ShapeId(self.cell_of(site.insn).shape);
        let known = [self.ec.string_shape, self.ec.array_shape, self.ec.hash_shape];
        self.is_lasting(site) && known.contains(&shape)
    }

    /// Calls a leaf with operands from a register on. Where it answers, the code goes on at the label, with the answer in rax.
    pub(super) fn call_leaf(&mut self, leaf: &Leaf, first: u16) -> Label {
        let answered = self.a.label();
        self.a.lea(R9, reg(first));
        self.a.mov_imm(RAX, leaf.function as usize as u64);
        self.a.call_out(self.stubs.of(Stub::LeafOfWindow));
        self.a.test(RAX, RAX);
        self.a.jump_if(If::NotEqual, answered);
        answered
    }

    /// `is_a?`, or `Module#===`, as the Ractor remembers what it answered; the method itself where it does not. The method is in r8, the
    /// object in the window's register of this number, and the class in the other one.
    fn kind_of(&mut self, site: &Site, object: u16) {
        let known = self.a.label();
        self.a.load(RAX, reg(site.insn.b + object));
        self.a.load(R9, reg(site.insn.b + 1 - object));
        self.a.mov(RDI, R8);
        self.a.call_out(self.stubs.of(Stub::KindOf));
        self.a.test(RAX, RAX);
        self.a.jump_if(If::NotEqual, known);
        self.a.mov(R8, RDI);
        self.call_native(site, Block::None);
        self.a.bind(known);
    }

    /// Calls the native method whose code is in r8.
    fn call_native(&mut self, site: &Site, block: Block) {
        self.block_words(block);
        let (record, _) = self.record();
        let stub = if site.skipped == 0 { Stub::NativeKnown } else { Stub::NativeUnarmed };
        let a = &mut self.a;
        a.lea(R9, reg(site.insn.b));
        a.mov_imm(RAX, site.argc as u64);
        a.lea_label(RDI, record);
        if site.skipped != 0 {
            a.alu_imm(Alu::Add, RDI, site.skipped);
        }
        a.call_out(self.stubs.of(stub));
    }

    /// The cell's target is the offset of a field. The receiver is in rax.
    fn reader(&mut self, site: &Site, offset: u64, other: Label) {
        let routine: Handler = ops::invoke_reader;
        let is_lasting = self.is_lasting(site);
        let site = site.insn.c;
        let a = &mut self.a;
        let given = a.label();
        if !is_lasting {
            a.alu_at32(Alu::Cmp, cell(site, offset_of!(CacheCell, key)), low_half(routine));
            a.jump_if(If::NotEqual, other);
            a.alu_at(Alu::Cmp, cell(site, offset_of!(CacheCell, target)), offset as i32);
            a.jump_if(If::NotEqual, other);
        }
        let bytes = offset as usize + size_of::<Value>();
        let pool = POOL_SIZES.iter().position(|size| usize::from(*size) >= bytes).unwrap_or(POOL_SIZES.len());
        // What the smallest slots have room for, all have.
        if pool > 0 {
            a.load32(R10, Mem::at(RAX, 0));
            a.alu_imm32(Alu::And, R10, flags::POOL_MASK as i32);
            a.alu_imm32(Alu::Cmp, R10, (pool << flags::POOL_SHIFT) as i32);
            a.jump_if(If::Below, other);
        }
        a.load(RAX, Mem::at(RAX, offset as i32));
        a.alu_imm(Alu::Cmp, RAX, Value::UNDEF.bits() as i32);
        a.jump_short_if(If::NotEqual, given);
        a.mov_imm(RAX, Value::NIL.bits());
        a.bind(given);
    }

    /// Pushes the frame of the method whose code is in r8 and goes on at its beginning, or at `entry` in its machine code.
    fn push(&mut self, site: &Site, callee: Callee<'_>, entry: Option<usize>, other: Label) {
        let Callee { code, block, .. } = callee;
        self.a.lea(R9, reg(site.insn.b));
        if usize::from(code.frame_size) <= RESERVE_FOR_FRAME {
            self.a.alu_load(Alu::Cmp, R9, in_ec(Ec::LIMIT_OFFSET));
        } else {
            self.a.lea(R10, Mem::at(R9, i32::from(code.frame_size) * 8));
            self.a.alu_load(Alu::Cmp, R10, in_ec(Ec::LIMIT_OFFSET));
        }
        self.unless(If::Above, other);
        let (_, behind) = self.record();
        let behind = self.returned().unwrap_or(behind);
        if block == Block::None {
            self.a.clear_double(Xmm(0));
            self.a.store_pair(frame_word(R9, BLOCK_ENV), Xmm(0));
        } else {
            self.block_words(block);
            self.a.store(frame_word(R9, BLOCK), R10);
            self.a.store(frame_word(R9, BLOCK_ENV), R11);
        }
        let a = &mut self.a;
        a.lea_label(RDI, behind);
        a.store(frame_word(R9, CODE), R8);
        a.store(frame_word(R9, ENV), R9);
        if let Some(around) = callee.around {
            a.mov_imm(R10, around);
            a.store(frame_word(R9, PARENT), R10);
            a.store_imm(frame_word(R9, FLAGS), (flags_of_frame::LAMBDA | flags_of_frame::BMETHOD) as i32);
        }
        a.store(frame_word(R9, RET_PC), RDI);
        a.store(frame_word(R9, CALLER), FP);
        let (caches, code_at) = (code.caches.expose_provenance(), std::ptr::from_ref(code).expose_provenance());
        match i32::try_from(caches as i64 - code_at as i64) {
            Ok(distance) => a.lea(RCX, Mem::at(R8, distance)),
            Err(_) => a.mov_imm(RCX, caches as u64),
        }
        for local in callee.locals_from..usize::from(code.local_size) {
            let is_undef = callee.undef.is_some_and(|register| usize::from(register) == local);
            let value = if is_undef { Value::UNDEF } else { Value::NIL };
            a.store_imm(Mem::at(R9, local as i32 * 8), value.bits() as i32);
        }
        a.mov(FP, R9);
        // An operator's receiver went into the window before the arguments.
        let has_receiver = callee.entry == 0 && site.skipped == 0;
        match entry {
            Some(address) => {
                let own = code.compilation.compiled.get().and_then(|compiled| compiled.own_entry());
                a.jump_out(own.filter(|_| has_receiver).unwrap_or(address));
            }
            None if std::ptr::eq(code, self.code) => {
                let start = self.own_start().filter(|_| has_receiver).unwrap_or_else(|| self.start(callee.entry));
                self.a.jump(start);
            }
            None => {
                // As in `leave`, a jump of its own for each place.
                let interpret = *self.goes.get_or_insert_with(|| a.label());
                a.load(RDI, Mem::at(R8, offset_of!(CodeData, start) as i32));
                a.load(RAX, Mem::at(RDI, 0));
                a.cmp8(RAX, Op::enter_compiled as u8);
                a.jump_if(If::NotEqual, interpret);
                a.shr(RAX, super::enter::ADDRESS_SHIFT as u8);
                a.jump_to(RAX);
            }
        }
    }

    /// Returns to the caller, whichever code that runs, with the value of a register. A jump that all returns shared would lead to too
    /// many places to be predicted.
    pub(super) fn leave(&mut self, register: u16) {
        self.a.load(RAX, reg(register));
        self.leave_with_result();
    }

    /// The same with what is in rax. Nothing is read of where a direct call returns to: it is code, whose line is another cache's.
    pub(super) fn leave_with_result(&mut self) {
        let gives = *self.gives.get_or_insert_with(|| self.a.label());
        let a = &mut self.a;
        a.load(RDI, frame_word(FP, RET_PC));
        a.test8(RDI, CODE_BEHIND as u8);
        a.jump_if(If::Equal, gives);
        a.alu_imm(Alu::Add, RDI, (size_of::<Insn>() as u64 - CODE_BEHIND) as i32);
        a.jump_to(RDI);
    }

    /// Returns to a record, or to the interpreter.
    pub(super) fn give(&mut self) {
        let Some(gives) = self.gives else { return };
        let a = &mut self.a;
        let interpret = a.label();
        a.bind(gives);
        a.load(FP, frame_word(FP, CALLER));
        // The word before names the register for the result.
        a.load16(R9, Mem::at(RDI, offset_of!(Insn, a) as i32 - size_of::<Insn>() as i32));
        a.store(Mem::word(FP, R9, 0), RAX);
        a.load(RAX, Mem::at(RDI, 0));
        a.cmp8(RAX, Op::enter_compiled as u8);
        a.jump_short_if(If::NotEqual, interpret);
        a.load(RCX, Mem::at(RDI, size_of::<Insn>() as i32));
        a.shr(RAX, super::enter::ADDRESS_SHIFT as u8);
        a.jump_to(RAX);
        a.bind(interpret);
        a.jump_out(self.stubs.of(Stub::Interpret));
    }
}

/// Whether a shape is that of values which are no objects, or need not be.
fn is_immediate(shape: ShapeId) -> bool {
    [ROOT_INTEGER, ROOT_FLOAT, ROOT_SYMBOL, ROOT_NIL, ROOT_TRUE, ROOT_FALSE].contains(&shape)
}

/// Whether a call is so short that a jump of 8 bits leads over it: at most 123 bytes behind the first check.
fn is_short(known: &Known<'_>) -> bool {
    let Known::Ruby(callee, Some(_)) = known else { return false };
    let has_locals = callee.locals_from < usize::from(callee.code.local_size);
    callee.block == Block::None && callee.around.is_none() && !has_locals
}

/// The frame of a method whose routine is one for arguments that need no setting up.
fn callee(code: &CodeData, argc: usize, block: Block, is_simple: bool) -> Option<Callee<'_>> {
    let (mut places, mut locals_from) = (Places::default(), usize::from(code.lead) + 1);
    if !is_simple {
        places = Places::of(code, argc, block != Block::None);
        locals_from = argc + 1;
    }
    let Places { entry, undef } = places;
    let locals = usize::from(code.local_size).saturating_sub(locals_from);
    (locals <= MOST_LOCALS).then_some(Callee { code, block, locals_from, undef, entry, around: None })
}
