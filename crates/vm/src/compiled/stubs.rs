//! Stubs: what templates of many places share, once for each Ractor. A place is then as small as a few instructions, and what
//! stays in the processor's caches is what all places use.
//!
//! # Contract
//! rdi = the record of the instruction at hand, whose operands the stub reads; rsi = fp, rdx = ec, rcx = the caches, as for handlers.
//! A stub that is *called* returns with the result in rax and keeps rsi, rdx and rcx. If it cannot do the work, it forgets
//! the return address and runs the instruction's handler; if an error comes of it, it unwinds; and if compiled code may not run
//! any more, it stores the result itself and goes on in the interpreter. A stub that is *jumped to* goes on wherever
//! that may be.
//!
//! # Native stack
//! Handlers and templates run with the stack pointer that [`interp::run`](crate::run::interp) called the first of them with. Only a
//! called stub has something on the stack: its return address, or that of the handler that it may go on as, where return addresses are in a
//! register; and registers while Rust code runs. A table tells the unwinder of them, so a panic of that code passes through.

use super::Memory;
use super::emit::*;
use super::enter::{ADDRESS_SHIFT, machine_counted};
use super::helpers::{self, Helper};
use crate::ec::Ec;
use crate::model::class::ClassData;
use crate::model::lookup::{KIND_FACTORS, KIND_SETS, KIND_WAYS, Kind};
use crate::model::redefinition;
use crate::model::shape::{ROOT_FALSE, ROOT_FLOAT, ROOT_HIDDEN, ROOT_INTEGER, ROOT_NIL, ROOT_SYMBOL, ROOT_TRUE};
use crate::model::symbol::sym;
use crate::run::code::{CacheCell, CodeData};
use crate::run::frame::{BLOCK, BLOCK_ENV, CALLER, CODE, ENV, FLAGS, PARENT, RET_PC};
use crate::run::interp::{Handler, ops, slow_unwind};
use crate::run::polymorphic::{Entry, SEVERAL, places};
use crate::run::stack::VmStack;
use carat_asm::{Alu, Assembler, Condition as If, Depth, Label, Mem, Placement, Reg, Sse};
use carat_iseq::{Insn, Op};
use carat_layout::{BufHead, HeapType, POOL_SIZES, ROwner, RView, Value, flags};
use std::mem::offset_of;

/// The stubs, by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub(super) enum Stub {
    // Jumped to: calls whose methods are written in Ruby, or unknown.
    Send,
    SendSelf,
    SendBlock,
    Super,
    New,
    Yield,
    YieldOne,
    BlockYield,
    BlockYieldOne,
    // Called: calls of native methods, readers and writers.
    Native,
    NativeSelf,
    NativeBlock,
    /// `send` and `public_send`: of what is native.
    Sent,
    SentSelf,
    Reader,
    ReaderSelf,
    Writer,
    Primitive,
    Constant,
    /// The next element is the result, zero if there is none.
    ArrayNext,
    /// Called with a native method's code in r8, the window in r9, the words of a block in r10 and r11, and the number of arguments in
    /// rax.
    NativeKnown,
    /// The same where nothing is pending. rdi leads to an ext word, which has no handler.
    NativeUnarmed,
    /// Called with an object in rax and a class in r9: whether the one is of the other, or zero if the Ractor does not remember. rdi is
    /// kept.
    KindOf,
    /// Called by units with a leaf in rax, its first two operands in rdi and rcx, and its third 128 bytes below the stack pointer. All
    /// of what lies there is kept, and so are all registers but these.
    Leaf,
    /// The same; r8 to r11 are lost too.
    LeafBare,
    /// Called by templates with a leaf in rax and the address of its operands in r9.
    LeafOfWindow,
    /// Jumped to: goes on with what rdi leads to.
    Go,
    /// The same in the interpreter, whose caches are not in their register yet.
    Interpret,
    /// Jumped to at the beginning of a code whose counter of calls, at rax, is over: goes on in its unit, if there is one's address
    /// where r8 leads to.
    Counted,
    /// Called with an environment in r8 and a value in rax, which both are kept: returns if the value may be stored there.
    SetLocal,
    /// Called with the operands in rax and r8.
    FlonumAdd,
    FlonumSubtract,
    FlonumMultiply,
    /// The first of those that call a [`Helper`].
    Helper,
}

/// See the module.
pub(crate) struct Stubs {
    memory: Memory,
    placement: Placement,
    at: Vec<usize>,
}

impl Stubs {
    /// The address of a stub.
    pub(super) fn of(&self, stub: Stub) -> usize {
        self.at[stub as usize]
    }

    pub(super) fn helper(&self, helper: Helper) -> usize {
        self.at[Stub::Helper as usize + helper as usize]
    }

    /// Stubs in a Ractor's memory; `None` if there is none near enough.
    pub(super) fn new(ec: &Ec) -> Option<Stubs> {
        let mut writer = Writer::new(ec);
        let labels = writer.stubs();
        let memory = ec.ractor().machine_code.clone();
        let mut locked = memory.lock().unwrap_or_else(|e| e.into_inner());
        let placement = locked.take_described(writer.a.position(), &writer.depths)?;
        drop(locked);
        let at = labels.into_iter().map(|label| placement.address(writer.a.offset_of(label))).collect();
        let bytes = writer.a.finish_at(placement);
        // SAFETY: the memory is this Ractor's, whose turn this thread has, and it is not in compiled code.
        let written = unsafe { memory.lock().unwrap_or_else(|e| e.into_inner()).write(placement, bytes) };
        let stubs = Stubs { memory, placement, at };
        written.ok().map(|()| stubs)
    }
}

impl Drop for Stubs {
    fn drop(&mut self) {
        self.memory.lock().unwrap_or_else(|e| e.into_inner()).give_back(self.placement);
    }
}

/// Where a call's receiver comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Receiver {
    Window,
    /// `self`, which goes into the window.
    Own,
    /// `self`, which is in the window already.
    OwnInWindow,
}

struct Writer<'a> {
    ec: &'a Ec,
    a: Assembler,
    /// Runs the handler of the instruction at hand; the second forgets a return address first.
    handle: Label,
    give_up: Label,
    /// Goes on at the `enter_compiled` word that rdi leads to, in the interpreter if that may not be.
    go_on: Label,
    /// Runs the native method of the cell in r8.
    native: Label,
    /// The same of the method whose code is in r8.
    native_known: Label,
    native_unarmed: Label,
    /// Pushes the frame of the method of the cell in r8.
    push: Label,
    /// Completes a frame.
    enter: Label,
    /// Goes on with what rdi leads to.
    go: Label,
    /// The same for what rdi leads to in the interpreter, with the caches of the frame.
    back: Label,
    /// After an error of what a called stub ran, whose frame is published or not.
    unwind: Label,
    failed: Label,
    /// Where calls go on whose routine is in r11: by their receivers, as the first four stubs.
    routines: [Label; 4],
    shapes: Label,
    pools: Label,
    lookups: Vec<LookUp>,
    /// What is on the stack, for panics of Rust code.
    depths: Vec<Depth>,
}

/// A look into a cell, and where it goes on.
struct LookUp {
    /// The receiver is no heap object.
    immediate: Label,
    /// With its shape in r10.
    known: Label,
    /// The cell is of another shape.
    several: Label,
    /// With the routine in r11, whose target is in the cell.
    found: Label,
    miss: Label,
}

impl<'a> Writer<'a> {
    fn new(ec: &'a Ec) -> Writer<'a> {
        let mut a = Assembler::new();
        let [
            handle,
            give_up,
            go_on,
            native,
            native_known,
            native_unarmed,
            push,
            enter,
            go,
            back,
            unwind,
            failed,
            shapes,
            pools,
        ] = std::array::from_fn(|_| a.label());
        let routines = std::array::from_fn(|_| a.label());
        let (lookups, depths) = (Vec::new(), Vec::new());
        Writer {
            ec,
            a,
            handle,
            give_up,
            go_on,
            native,
            native_known,
            native_unarmed,
            push,
            enter,
            go,
            back,
            unwind,
            failed,
            routines,
            shapes,
            pools,
            lookups,
            depths,
        }
    }

    fn here(&mut self) -> Label {
        self.a.align(16);
        let label = self.a.label();
        self.a.bind(label);
        label
    }

    /// All stubs, in the order of their names.
    fn stubs(&mut self) -> Vec<Label> {
        let mut labels = vec![
            self.send(Receiver::Window, Op::send_simple),
            self.send(Receiver::Own, Op::send_self),
            self.send(Receiver::Window, Op::send_block),
            self.send(Receiver::OwnInWindow, Op::invokesuper),
            self.new_object(),
            self.invoke_block(false, false),
            self.invoke_block(true, false),
            self.invoke_block(false, true),
            self.invoke_block(true, true),
            self.native_call(Receiver::Window, Op::send_simple),
            self.native_call(Receiver::Own, Op::send_self),
            self.native_call(Receiver::Window, Op::send_block),
            self.sent(Receiver::Window, Op::send_simple),
            self.sent(Receiver::Own, Op::send_self),
            self.reader(Receiver::Window),
            self.reader(Receiver::Own),
            self.writer(),
            self.primitive(),
            self.constant(),
            self.array_next(),
            self.native_known,
            self.native_unarmed,
            self.kind_of(),
            self.leaf(&[FP, RDX, R8, R9, R10, R11]),
            self.leaf(&[FP, RDX]),
            self.leaf_of_window(),
            self.go,
            self.back,
            self.counted(),
            self.set_local(),
            self.flonum(Sse::Add),
            self.flonum(Sse::Subtract),
            self.flonum(Sse::Multiply),
        ];
        debug_assert_eq!(labels.len(), Stub::Helper as usize);
        for helper in helpers::ALL {
            labels.push(self.helper(*helper));
        }
        self.common();
        self.less_frequent();
        labels
    }

    // ---- looking into a cell ----

    /// r8 = the cell, r9 = the window, rax = the receiver, r11 = the routine for it, whose target is in the cell. Goes on at `miss`
    /// if the cell does not know.
    fn look_up(&mut self, receiver: Receiver, miss: Label) {
        let a = &mut self.a;
        let [immediate, known, several, found] = std::array::from_fn(|_| a.label());
        a.load16(R8, operand(offset_of!(Insn, c)));
        a.load16(R9, operand(offset_of!(Insn, b)));
        a.shl32(R8, size_of::<CacheCell>().trailing_zeros() as u8);
        a.lea(R9, Mem::word(FP, R9, 0));
        a.alu(Alu::Add, R8, RCX);
        match receiver {
            Receiver::Window => a.load(RAX, Mem::at(R9, 0)),
            Receiver::Own | Receiver::OwnInWindow => a.load(RAX, Mem::at(FP, 0)),
        }
        a.test8(RAX, 7);
        a.jump_if(If::NotEqual, immediate);
        a.load32(R10, Mem::at(RAX, 4));
        a.bind(known);
        if receiver == Receiver::Own {
            a.store(Mem::at(R9, 0), RAX);
        }
        a.alu_load32(Alu::Cmp, R10, Mem::at(R8, offset_of!(CacheCell, shape) as i32));
        a.jump_if(If::NotEqual, several);
        self.check_epoch(miss);
        self.a.load(R11, Mem::at(R8, offset_of!(CacheCell, key) as i32));
        self.a.bind(found);
        self.lookups.push(LookUp { immediate, known, several, found, miss });
    }

    /// What calls with other receivers do, out of the way of the rest.
    fn less_frequent(&mut self) {
        for lookup in std::mem::take(&mut self.lookups) {
            self.other_receiver(lookup);
        }
    }

    fn other_receiver(&mut self, LookUp { immediate, known, several, found, miss }: LookUp) {
        let a = &mut self.a;
        let turn = a.label();
        a.bind(immediate);
        a.mov_imm(R10, u64::from(ROOT_INTEGER.0));
        a.test8(RAX, 1);
        a.jump_if(If::NotEqual, known);
        a.mov_imm(R10, u64::from(ROOT_FLOAT.0));
        a.mov32(R11, RAX);
        a.alu_imm32(Alu::And, R11, 3);
        a.alu_imm32(Alu::Cmp, R11, 2);
        a.jump_if(If::Equal, known);
        a.mov32(R10, RAX);
        a.shr32(R10, 3);
        a.alu_imm32(Alu::And, R10, 7);
        a.lea_label(R11, self.shapes);
        a.load(R10, Mem::word(R11, R10, 0));
        a.jump(known);
        a.bind(several);
        a.alu_at32(Alu::Cmp, Mem::at(R8, offset_of!(CacheCell, shape) as i32), SEVERAL as i32);
        a.jump_if(If::NotEqual, miss);
        self.check_epoch(miss);
        let a = &mut self.a;
        a.load(R11, Mem::at(R8, offset_of!(CacheCell, key) as i32));
        a.bind(turn);
        let this = a.label();
        a.alu_load32(Alu::Cmp, R10, Mem::at(R11, offset_of!(Entry, shape) as i32));
        a.jump_short_if(If::Equal, this);
        a.alu_at32(Alu::Cmp, Mem::at(R11, Entry::BEHIND_OFFSET as i32), 0);
        a.jump_if(If::Equal, miss);
        a.alu_imm(Alu::Add, R11, size_of::<Entry>() as i32);
        a.jump_short(turn);
        a.bind(this);
        a.load(R10, Mem::at(R11, offset_of!(Entry, target) as i32));
        a.store(Mem::at(R8, offset_of!(CacheCell, target) as i32), R10);
        a.load(R11, Mem::at(R11, offset_of!(Entry, key) as i32));
        a.jump(found);
    }

    /// Goes on at `miss` if the name of the cell in r8 does not mean what it did. r11 changes.
    fn check_epoch(&mut self, miss: Label) {
        let a = &mut self.a;
        a.load(R11, Mem::at(R8, offset_of!(CacheCell, epoch_at) as i32));
        a.load32(R11, Mem::at(R11, 0));
        a.alu_load32(Alu::Cmp, R11, Mem::at(R8, offset_of!(CacheCell, epoch) as i32));
        a.jump_if(If::NotEqual, miss);
    }

    fn is_routine(&mut self, handler: Handler, otherwise: Label) {
        self.a.alu_imm32(Alu::Cmp, R11, low_half(handler));
        self.a.jump_if(If::NotEqual, otherwise);
    }

    /// r10 and r11 = the words BLOCK and BLOCK_ENV of a call. The address of the block's place is in front of the record.
    fn block_words(&mut self, op: Op, is_unknown: Label) {
        let a = &mut self.a;
        match op {
            Op::send_block => {
                a.load(R10, Mem::at(RDI, -8));
                a.load(R10, Mem::at(R10, 0));
                a.test(R10, R10);
                a.jump_if(If::Equal, is_unknown);
                a.alu_imm(Alu::Or, R10, 1);
                a.load(R11, frame_word(FP, ENV));
            }
            Op::invokesuper => {
                a.load(R10, frame_word(FP, BLOCK));
                a.load(R11, frame_word(FP, BLOCK_ENV));
            }
            _ => {
                a.mov_imm(R10, 0);
                a.mov_imm(R11, 0);
            }
        }
    }

    // ---- calls ----

    fn send(&mut self, receiver: Receiver, op: Op) -> Label {
        let start = self.here();
        let (handle, native, push) = (self.handle, self.native, self.push);
        let (is_native, other) = (self.a.label(), self.a.label());
        let routine = self.routine_of(op);
        let (in_ruby, by_native) = routines_of(op);
        self.look_up(receiver, handle);
        self.a.bind(routine);
        self.is_routine(in_ruby, is_native);
        self.block_words(op, other);
        self.a.jump(push);
        self.a.bind(is_native);
        self.is_routine(by_native, other);
        self.block_words(op, other);
        self.a.call(native);
        self.store_result();
        self.a.alu_imm(Alu::Add, RDI, size_of::<Insn>() as i32);
        let go_on = self.go_on;
        self.a.jump(go_on);
        self.a.bind(other);
        self.a.jump_to(R11);
        start
    }

    /// As `send`, but of the two words of an `opt_new`: the second is the call.
    fn new_object(&mut self) -> Label {
        let start = self.here();
        let handle = self.handle;
        self.look_up(Receiver::Window, handle);
        self.a.alu_imm(Alu::Add, RDI, size_of::<Insn>() as i32);
        self.a.jump_to(R11);
        start
    }

    /// A call of a native method: called.
    fn native_call(&mut self, receiver: Receiver, op: Op) -> Label {
        let start = self.here();
        let (native, give_up) = (self.native, self.give_up);
        let (_, by_native) = routines_of(op);
        let other = self.a.label();
        self.look_up(receiver, give_up);
        self.is_routine(by_native, other);
        self.block_words(op, other);
        self.a.jump(native);
        self.other_routine(other, op);
        start
    }

    /// A call of `send` or `public_send`: called. What they lead to is called at once if it is native.
    fn sent(&mut self, receiver: Receiver, op: Op) -> Label {
        let start = self.here();
        let (native_unarmed, give_up) = (self.native_unarmed, self.give_up);
        let (other, is_sent) = (self.a.label(), self.a.label());
        self.look_up(receiver, give_up);
        self.a.alu_imm32(Alu::Cmp, R11, low_half(ops::handed_on::invoke_send));
        self.a.jump_short_if(If::Equal, is_sent);
        self.is_routine(ops::handed_on::invoke_public_send, other);
        self.a.bind(is_sent);
        // What follows changes the window: the handler cannot run the instruction any more.
        self.a.alu_at(Alu::Cmp, in_ec(Ec::LIMIT_OFFSET), 0);
        self.a.jump_if(If::Equal, give_up);
        self.keep();
        self.a.mov(RCX, R11);
        self.a.call_out(helpers::sent as *const () as usize);
        self.restore();
        let a = &mut self.a;
        a.test(RAX, RAX);
        a.jump_if(If::Equal, give_up);
        a.mov(R8, RAX);
        a.load16(R9, operand(offset_of!(Insn, b)));
        a.lea(R9, Mem::word(FP, R9, 0));
        a.load8(RAX, operand(offset_of!(Insn, n)));
        a.alu_imm(Alu::Sub, RAX, 1);
        a.alu32(Alu::Xor, R10, R10);
        a.alu32(Alu::Xor, R11, R11);
        a.jump(native_unarmed);
        self.other_routine(other, op);
        start
    }

    /// What is called finds another routine than it is for.
    fn other_routine(&mut self, other: Label, op: Op) {
        let routine = self.routine_of(op);
        self.a.bind(other);
        self.a.forget_call();
        self.a.jump(routine);
    }

    /// Where a call goes on whose routine is found.
    fn routine_of(&self, op: Op) -> Label {
        match op {
            Op::send_self => self.routines[1],
            Op::send_block => self.routines[2],
            Op::invokesuper => self.routines[3],
            _ => self.routines[0],
        }
    }

    /// Stores rax in the register that the instruction names for its result.
    fn store_result(&mut self) {
        self.a.load16(R9, operand(offset_of!(Insn, a)));
        self.a.store(Mem::word(FP, R9, 0), RAX);
    }

    fn reader(&mut self, receiver: Receiver) -> Label {
        let start = self.here();
        let give_up = self.give_up;
        let (is_given, other) = (self.a.label(), self.a.label());
        self.look_up(receiver, give_up);
        self.is_routine(ops::invoke_reader, other);
        self.field_in_slot(give_up);
        self.a.load(RAX, Mem::byte(RAX, R11, 0));
        self.a.alu_imm(Alu::Cmp, RAX, Value::UNDEF.bits() as i32);
        self.a.jump_short_if(If::NotEqual, is_given);
        self.a.mov_imm(RAX, Value::NIL.bits());
        self.a.bind(is_given);
        self.a.ret();
        self.other_routine(other, Op::send_simple);
        start
    }

    /// r11 = the offset in the cell at r8, r10 = the lower half of the header of the object in rax, whose slot has that.
    fn field_in_slot(&mut self, give_up: Label) {
        let pools = self.pools;
        let a = &mut self.a;
        a.load(R11, Mem::at(R8, offset_of!(CacheCell, target) as i32));
        a.load32(R10, Mem::at(RAX, 0));
        a.mov32(R8, R10);
        a.shr32(R8, flags::POOL_SHIFT as u8);
        a.alu_imm32(Alu::And, R8, (flags::POOL_MASK >> flags::POOL_SHIFT) as i32);
        a.push(RDI);
        a.lea_label(RDI, pools);
        a.load(R8, Mem::word(RDI, R8, 0));
        a.pop(RDI);
        a.alu_imm(Alu::Sub, R8, size_of::<Value>() as i32);
        a.alu(Alu::Cmp, R11, R8);
        a.jump_if(If::Above, give_up);
    }

    fn writer(&mut self) -> Label {
        let start = self.here();
        let give_up = self.give_up;
        let (store, other) = (self.a.label(), self.a.label());
        self.look_up(Receiver::Window, give_up);
        self.is_routine(ops::invoke_writer, other);
        self.field_in_slot(give_up);
        self.a.test32(R10, flags::FROZEN as u32);
        self.a.jump_if(If::NotEqual, give_up);
        self.a.load(R9, Mem::at(R9, 8));
        barrier(&mut self.a, R10, R9, give_up, store);
        self.a.bind(store);
        self.a.store(Mem::byte(RAX, R11, 0), R9);
        self.a.mov(RAX, R9);
        self.a.ret();
        self.other_routine(other, Op::send_simple);
        start
    }

    // ---- frames ----

    /// `yield` to a literal block that takes the arguments as they stand.
    fn invoke_block(&mut self, is_one: bool, in_block: bool) -> Label {
        let start = self.here();
        let (handle, enter) = (self.handle, self.enter);
        let home = if in_block { R11 } else { FP };
        if in_block {
            self.method_env();
        }
        let a = &mut self.a;
        a.load(R8, frame_word(home, BLOCK));
        a.test8(R8, 1);
        a.jump_if(If::Equal, handle);
        a.alu_imm(Alu::Sub, R8, 1);
        match is_one {
            true => a.mov_imm(RAX, 1),
            false => a.load8(RAX, operand(offset_of!(Insn, n))),
        }
        a.alu_imm32(Alu::Cmp, RAX, 7);
        a.jump_if(If::Above, handle);
        a.load8(R10, Mem::at(R8, offset_of!(CodeData, in_place) as i32));
        a.bit_test32(R10, RAX);
        a.jump_if(If::AboveOrEqual, handle);
        a.load(R11, frame_word(home, BLOCK_ENV));
        a.load16(R9, operand(offset_of!(Insn, b)));
        a.lea(R9, Mem::word(FP, R9, 0));
        frame_fits(a, handle);
        if is_one {
            a.load8(R10, operand(offset_of!(Insn, n)));
            a.load(R10, Mem::word(FP, R10, 0));
            a.store(Mem::at(R9, 8), R10);
            a.mov_imm(RAX, 1);
        } else {
            a.load8(RAX, operand(offset_of!(Insn, n)));
        }
        a.store(frame_word(R9, CODE), R8);
        a.store_imm(frame_word(R9, BLOCK), 0);
        a.store(frame_word(R9, PARENT), R11);
        a.store_imm(frame_word(R9, FLAGS), 0);
        a.load(R11, Mem::at(R11, 0));
        a.store(Mem::at(R9, 0), R11);
        // The smaller of what is given and what is taken.
        a.load16(R10, Mem::at(R8, offset_of!(CodeData, lead) as i32));
        a.alu32(Alu::Cmp, RAX, R10);
        a.cmov32(If::Above, RAX, R10);
        a.jump(enter);
        start
    }

    /// r11 = the environment of the method around the running block.
    fn method_env(&mut self) {
        method_env(&mut self.a, R11);
    }

    // ---- native code ----

    /// What is kept while Rust code runs. The stack is aligned then: each called stub has its return address on it.
    const KEPT: [Reg; 4] = [FP, RDX, RCX, RDI];

    fn keep(&mut self) {
        Self::KEPT.iter().for_each(|register| self.a.push(*register));
        self.note_depth(Assembler::PUSHED_BYTES * Self::KEPT.len());
    }

    /// Behind the call: what it answered is in rax.
    fn restore(&mut self) {
        self.a.take_result();
        Self::KEPT.iter().rev().for_each(|register| self.a.pop(*register));
        self.note_depth(0);
    }

    /// So many bytes are on the stack from here on, besides the return address.
    fn note_depth(&mut self, bytes: usize) {
        self.depths.push(Depth { offset: self.a.position(), bytes: bytes as u16 });
    }

    /// Returns with the result of Rust code that may have run Ruby code, of an instruction of so many words.
    fn return_result(&mut self, words: i32, failed: Label) {
        let go_on = self.go_on;
        let off = self.a.label();
        self.a.test(RAX, RAX);
        self.a.jump_if(If::Equal, failed);
        self.a.cmp_at8(in_ec(offset_of!(Ec, is_compiled_off)), 0);
        self.a.jump_short_if(If::NotEqual, off);
        self.a.ret();
        self.a.bind(off);
        self.a.forget_call();
        self.store_result();
        self.a.alu_imm(Alu::Add, RDI, words * size_of::<Insn>() as i32);
        self.a.jump(go_on);
    }

    /// Nothing is pushed: units have values below the stack pointer.
    fn leaf(&mut self, kept: &[Reg]) -> Label {
        /// Bytes below the stack pointer of the unit's, the return address aside.
        const RED_ZONE: i32 = 120;
        let start = self.here();
        let words = (RED_ZONE as usize / 8 + kept.len()).next_multiple_of(2);
        let bytes = 8 * words as i32;
        let a = &mut self.a;
        a.alu_imm(Alu::Sub, RSP, bytes);
        self.note_depth(bytes as usize);
        let a = &mut self.a;
        let places = kept.iter().zip(0..).map(|(register, at)| (*register, Mem::at(RSP, 8 * at)));
        places.clone().for_each(|(register, place)| a.store(place, register));
        a.mov(FP, RCX);
        a.load(RCX, Mem::at(RSP, bytes - RED_ZONE));
        a.call_to(RAX);
        a.take_result();
        places.for_each(|(register, place)| a.load(register, place));
        a.alu_imm(Alu::Add, RSP, bytes);
        self.note_depth(0);
        self.a.ret();
        start
    }

    fn leaf_of_window(&mut self) -> Label {
        let start = self.here();
        self.keep();
        let a = &mut self.a;
        a.load(RDI, Mem::at(R9, 0));
        a.load(FP, Mem::at(R9, 8));
        a.load(RCX, Mem::at(R9, 16));
        a.call_to(RAX);
        self.restore();
        self.a.ret();
        start
    }

    fn primitive(&mut self) -> Label {
        let start = self.here();
        let a = &mut self.a;
        a.load16(R9, operand(offset_of!(Insn, b)));
        a.load8(RAX, operand(offset_of!(Insn, n)));
        // A primitive reads its arguments behind a receiver's place: the register below the first one.
        a.lea(R9, Mem::word(FP, R9, -8));
        a.load(R8, Mem::at(RDI, -8));
        publish(a, FP, Mem::word(R9, RAX, 8));
        self.keep();
        let a = &mut self.a;
        a.mov(RDI, RDX);
        a.mov(FP, R9);
        a.mov32(RDX, RAX);
        a.call_to(R8);
        self.restore();
        let unwind = self.unwind;
        self.return_result(1, unwind);
        start
    }

    fn helper(&mut self, helper: Helper) -> Label {
        let start = self.here();
        let slow = self.a.label();
        match helper {
            Helper::Getinstancevariable | Helper::Getfield => self.field(slow),
            Helper::Setinstancevariable => self.set_field(flags::FROZEN, slow),
            Helper::Setfield => self.set_field(0, slow),
            Helper::Aref | Helper::ArefImm => self.element(slow),
            Helper::Aset => self.set_element(slow),
            Helper::Length | Helper::IsEmpty => self.length(helper, slow),
            Helper::IsNil => self.is_nil(slow),
            Helper::Checkmatch => self.matches(slow),
            _ => {}
        }
        self.a.bind(slow);
        self.keep();
        self.a.call_out(helper.address());
        self.restore();
        match helper.words_if_it_may_raise() {
            Some(words) => {
                let unwind = self.unwind;
                self.return_result(words, unwind);
            }
            None => {
                let give_up = self.give_up;
                self.a.test(RAX, RAX);
                self.a.jump_if(If::Equal, give_up);
                self.a.ret();
            }
        }
        start
    }

    // ---- `===` ----

    /// What a `checkmatch` asks of a symbol or a small integer, and of a class that Ractor has asked lately.
    fn matches(&mut self, slow: Label) {
        let [class, of_class, answer] = std::array::from_fn(|_| self.a.label());
        let (refined, refined_bit) = self.ec.vm().refined_flag(sym::EQQ);
        let (redefined, redefined_bit) = redefinition::flag_of(self.ec, sym::EQQ);
        let a = &mut self.a;
        a.cmp_at8(operand(offset_of!(Insn, n)), 1);
        a.jump_if(If::Equal, slow);
        a.load16(RAX, operand(offset_of!(Insn, b)));
        a.load16(R9, operand(offset_of!(Insn, c)));
        a.load(RAX, Mem::word(FP, RAX, 0));
        a.load(R9, Mem::word(FP, R9, 0));
        a.test8(RAX, 7);
        a.jump_short_if(If::Equal, class);
        // Both are fixnums, or the pattern is a symbol.
        a.mov_imm(R11, redefined as u64);
        a.test_at8(Mem::at(R11, 0), redefined_bit);
        a.jump_if(If::NotEqual, slow);
        a.mov(R10, RAX);
        a.alu(Alu::Sub, R10, R9);
        a.cmp8(RAX, Value::symbol(carat_layout::SymbolId(0)).bits() as u8);
        a.jump_short_if(If::Equal, answer);
        a.mov(R8, RAX);
        a.alu(Alu::And, R8, R9);
        a.test8(R8, 1);
        a.jump_if(If::Equal, slow);
        a.bind(answer);
        a.mov_imm(RAX, Value::FALSE.bits());
        a.mov_imm(R9, Value::TRUE.bits());
        a.test(R10, R10);
        a.cmov32(If::Equal, RAX, R9);
        a.ret();
        a.bind(class);
        a.load32(R10, Mem::at(RAX, 0));
        a.alu_imm32(Alu::And, R10, flags::TYPE_MASK as i32);
        a.alu_imm32(Alu::Cmp, R10, HeapType::Class as i32);
        a.jump_short_if(If::Equal, of_class);
        a.alu_imm32(Alu::Cmp, R10, HeapType::Module as i32);
        a.jump_if(If::NotEqual, slow);
        a.bind(of_class);
        a.mov_imm(R11, refined as u64);
        a.test_at8(Mem::at(R11, 0), refined_bit);
        a.jump_if(If::NotEqual, slow);
        a.load(R8, Mem::at(RAX, offset_of!(ROwner, native) as i32));
        a.load32(R8, Mem::at(R8, offset_of!(ClassData, plain_match_epoch) as i32));
        a.mov_imm(R11, std::ptr::from_ref(self.ec.vm().method_epoch(sym::EQQ)).addr() as u64);
        a.alu_load32(Alu::Cmp, R8, Mem::at(R11, 0));
        a.jump_if(If::NotEqual, slow);
        self.shape_of(R9);
        self.known_kind(slow);
        let a = &mut self.a;
        a.alu_imm(Alu::Xor, R10, 1);
        a.jump(answer);
    }

    /// `nil?` of a heap object: of those that have Kernel, as long as nobody defined a method of the name.
    fn is_nil(&mut self, slow: Label) {
        let Some(at_boot) = self.ec.vm().epoch_at_boot(sym::NIL_P) else { return };
        let a = &mut self.a;
        a.mov_imm(R11, std::ptr::from_ref(self.ec.vm().method_epoch(sym::NIL_P)).addr() as u64);
        a.alu_at32(Alu::Cmp, Mem::at(R11, 0), at_boot as i32);
        a.jump_if(If::NotEqual, slow);
        a.load16(RAX, operand(offset_of!(Insn, b)));
        a.load(RAX, Mem::word(FP, RAX, 0));
        a.load32(R10, Mem::at(RAX, 4));
        a.mov_imm(RAX, self.ec.vm().known().kernel.value().bits());
        self.known_kind(slow);
        let a = &mut self.a;
        a.test(R10, R10);
        a.jump_if(If::Equal, slow);
        a.mov_imm(RAX, Value::FALSE.bits());
        a.ret();
    }

    fn kind_of(&mut self) -> Label {
        let start = self.here();
        let unknown = self.a.label();
        self.a.mov(R8, RAX);
        self.a.mov(RAX, R9);
        self.a.test8(RAX, 7);
        self.a.jump_if(If::NotEqual, unknown);
        self.shape_of(R8);
        self.known_kind(unknown);
        let a = &mut self.a;
        a.mov_imm(RAX, Value::FALSE.bits());
        a.mov_imm(R9, Value::TRUE.bits());
        a.test(R10, R10);
        a.cmov32(If::NotEqual, RAX, R9);
        a.ret();
        a.bind(unknown);
        a.mov_imm(RAX, 0);
        a.ret();
        start
    }

    /// r10 = the shape of the value in a register. r11 changes.
    fn shape_of(&mut self, value: Reg) {
        let (immediate, found, shapes) = (self.a.label(), self.a.label(), self.shapes);
        let a = &mut self.a;
        a.test8(value, 7);
        a.jump_short_if(If::NotEqual, immediate);
        a.load32(R10, Mem::at(value, 4));
        a.jump_short(found);
        a.bind(immediate);
        a.mov_imm(R10, u64::from(ROOT_INTEGER.0));
        a.test8(value, 1);
        a.jump_short_if(If::NotEqual, found);
        a.mov_imm(R10, u64::from(ROOT_FLOAT.0));
        a.mov32(R11, value);
        a.alu_imm32(Alu::And, R11, 3);
        a.alu_imm32(Alu::Cmp, R11, 2);
        a.jump_short_if(If::Equal, found);
        a.mov32(R10, value);
        a.shr32(R10, 3);
        a.alu_imm32(Alu::And, R10, 7);
        a.lea_label(R11, shapes);
        a.load(R10, Mem::word(R11, R10, 0));
        a.bind(found);
    }

    /// r10 = 1 if objects of the shape in r10 are of the class in rax, 0 if not, as the Ractor remembers it. r8, r9 and r11 change.
    fn known_kind(&mut self, slow: Label) {
        const { assert!(size_of::<Kind>() == 16) };
        let (of_shape, of_class) = KIND_FACTORS;
        let a = &mut self.a;
        a.mov_imm(R8, u64::from(of_shape));
        a.imul(R8, R10);
        a.mov(R11, RAX);
        a.shr(R11, 4);
        a.mov_imm(R9, u64::from(of_class));
        a.imul(R11, R9);
        a.alu32(Alu::Xor, R8, R11);
        a.shr32(R8, 16);
        a.alu_imm32(Alu::And, R8, KIND_SETS as i32 - 1);
        a.shl32(R8, (KIND_WAYS * size_of::<Kind>()).trailing_zeros() as u8);
        a.mov_imm(R9, self.ec.ractor().kind_cache.address() as u64);
        a.alu(Alu::Add, R8, R9);
        a.mov_imm(R11, std::ptr::from_ref(&self.ec.vm().ancestry_epoch).addr() as u64);
        a.load32(R11, Mem::at(R11, 0));
        a.shl(R11, 32);
        a.alu(Alu::Or, R11, R10);
        let known = a.label();
        for way in (0..KIND_WAYS).map(|way| (way * size_of::<Kind>()) as i32) {
            let other = a.label();
            a.alu_load(Alu::Cmp, R11, Mem::at(R8, way + offset_of!(Kind, key) as i32));
            a.jump_short_if(If::NotEqual, other);
            a.load(R10, Mem::at(R8, way + offset_of!(Kind, answer) as i32));
            a.alu(Alu::Xor, R10, RAX);
            a.alu_imm(Alu::Cmp, R10, 1);
            a.jump_short_if(If::BelowOrEqual, known);
            a.bind(other);
        }
        a.jump(slow);
        a.bind(known);
    }

    // ---- fields: the object in rax ----

    /// r8 = the cell, r10 = the header of the object, which fits the cell of a field in the slot. Goes on at `several`, with the
    /// object's key in r11, if the cell is for others.
    fn object_of_cell(&mut self, refused: u64, several: Label, slow: Label) {
        let a = &mut self.a;
        a.load16(R8, operand(offset_of!(Insn, c)));
        a.shl32(R8, size_of::<CacheCell>().trailing_zeros() as u8);
        a.alu(Alu::Add, R8, RCX);
        a.test8(RAX, 7);
        a.jump_if(If::NotEqual, slow);
        a.load(R10, Mem::at(RAX, 0));
        a.mov_imm(R11, flags::FIELD_KEY | refused);
        a.alu(Alu::And, R11, R10);
        a.alu_load(Alu::Cmp, R11, Mem::at(R8, offset_of!(CacheCell, key) as i32));
        a.jump_if(If::NotEqual, several);
        a.alu_at32(Alu::Cmp, Mem::at(R8, offset_of!(CacheCell, shape) as i32), places::IN_SLOT as i32);
        a.jump_if(If::NotEqual, slow);
    }

    fn field(&mut self, slow: Label) {
        let (several, turn, this) = (self.a.label(), self.a.label(), self.a.label());
        self.object_of_cell(0, several, slow);
        let a = &mut self.a;
        a.load(R8, Mem::at(R8, offset_of!(CacheCell, target) as i32));
        a.load(RAX, Mem::byte(RAX, R8, 0));
        a.ret();
        // The list of the cell, which is left as it is.
        a.bind(several);
        a.load(R9, Mem::at(R8, offset_of!(CacheCell, epoch_at) as i32));
        a.test(R9, R9);
        a.jump_if(If::Equal, slow);
        a.bind(turn);
        a.alu_load(Alu::Cmp, R11, Mem::at(R9, offset_of!(Entry, key) as i32));
        a.jump_short_if(If::Equal, this);
        a.alu_at32(Alu::Cmp, Mem::at(R9, Entry::BEHIND_OFFSET as i32), 0);
        a.jump_if(If::Equal, slow);
        a.alu_imm(Alu::Add, R9, size_of::<Entry>() as i32);
        a.jump_short(turn);
        a.bind(this);
        a.alu_at32(Alu::Cmp, Mem::at(R9, offset_of!(Entry, shape) as i32), places::IN_SLOT as i32);
        a.jump_if(If::NotEqual, slow);
        a.load(R8, Mem::at(R9, offset_of!(Entry, target) as i32));
        a.load(RAX, Mem::byte(RAX, R8, 0));
        a.ret();
    }

    fn set_field(&mut self, refused: u64, slow: Label) {
        self.object_of_cell(refused, slow, slow);
        let a = &mut self.a;
        let (store, done) = (a.label(), a.label());
        a.load(R9, Mem::at(R8, offset_of!(CacheCell, target) as i32));
        a.load16(R11, operand(offset_of!(Insn, a)));
        a.load(R11, Mem::word(FP, R11, 0));
        barrier(a, R10, R11, slow, store);
        a.bind(store);
        a.mov32(R8, R9);
        a.store(Mem::byte(RAX, R8, 0), R11);
        // The upper half is the next shape, if the field is new.
        a.shr(R9, 32);
        a.jump_short_if(If::Equal, done);
        a.store32(Mem::at(RAX, 4), R9);
        a.bind(done);
        a.ret();
    }

    /// An environment on the heap has a barrier, unless the value is no heap object.
    /// Machine code jumps to the templates of a code, not to where its calls begin.
    fn counted(&mut self) -> Label {
        let here = self.here();
        let slow = self.a.label();
        let a = &mut self.a;
        a.load(R8, Mem::at(R8, 0));
        a.test(R8, R8);
        a.jump_short_if(If::Equal, slow);
        a.cmp_at8(in_ec(offset_of!(Ec, is_compiled_off)), 0);
        a.jump_short_if(If::NotEqual, slow);
        a.store_imm32(Mem::at(RAX, 0), 0);
        a.jump_to(R8);
        a.bind(slow);
        a.jump_out(machine_counted as Handler as usize);
        here
    }

    fn set_local(&mut self) -> Label {
        let start = self.here();
        let give_up = self.give_up;
        let a = &mut self.a;
        let done = a.label();
        let (base, words) = VmStack::OFFSETS;
        a.test8(RAX, 7);
        a.jump_short_if(If::NotEqual, done);
        a.mov(R9, R8);
        a.alu_load(Alu::Sub, R9, in_ec(offset_of!(Ec, stack) + base));
        a.shr(R9, 3);
        a.alu_load(Alu::Cmp, R9, in_ec(offset_of!(Ec, stack) + words));
        a.jump_if(If::AboveOrEqual, give_up);
        a.bind(done);
        a.ret();
        start
    }

    // ---- arrays: the object in rax, an index in r9 ----

    /// r9 = the number that r9 holds as a fixnum.
    fn index(&mut self, slow: Label) {
        self.a.test8(R9, 1);
        self.a.jump_if(If::Equal, slow);
        self.a.sar(R9, 1);
    }

    fn element(&mut self, slow: Label) {
        plain_array(&mut self.a, slow);
        self.index(slow);
        elements(&mut self.a, slow);
        self.a.load(RAX, Mem::word(R11, R9, 0));
        self.a.ret();
    }

    fn array_next(&mut self) -> Label {
        let start = self.here();
        let give_up = self.give_up;
        let a = &mut self.a;
        let end = a.label();
        a.load16(RAX, operand(offset_of!(Insn, b)));
        a.load16(R9, operand(offset_of!(Insn, c)));
        a.load(RAX, Mem::word(FP, RAX, 0));
        a.load(R9, Mem::word(FP, R9, 0));
        a.test8(RAX, 7);
        a.jump_if(If::NotEqual, give_up);
        a.load32(R10, Mem::at(RAX, 0));
        a.mov32(R8, R10);
        a.alu_imm32(Alu::And, R8, flags::TYPE_MASK as i32);
        a.alu_imm32(Alu::Cmp, R8, HeapType::Array as i32);
        a.jump_if(If::NotEqual, give_up);
        a.alu_at(Alu::Cmp, in_ec(Ec::LIMIT_OFFSET), 0);
        a.jump_if(If::Equal, give_up);
        self.index(give_up);
        let a = &mut self.a;
        elements(a, end);
        a.load(RAX, Mem::word(R11, R9, 0));
        a.lea(R9, Mem::byte(R9, R9, 3));
        a.load16(R8, operand(offset_of!(Insn, c)));
        a.store(Mem::word(FP, R8, 0), R9);
        a.ret();
        a.bind(end);
        a.mov_imm(RAX, 0);
        a.ret();
        start
    }

    /// Arithmetic of flonums.
    fn flonum(&mut self, op: Sse) -> Label {
        const BIAS: u64 = 1 << 60;
        let start = self.here();
        let zero = Value::flonum(0.0).expect("zero is a flonum").bits() as i32;
        let (a, give_up) = (&mut self.a, self.give_up);
        for register in [RAX, R8] {
            // Both end in 0b10. Zero is encoded in another way.
            a.mov(R9, register);
            a.alu_imm32(Alu::And, R9, 3);
            a.alu_imm32(Alu::Cmp, R9, 2);
            a.jump_if(If::NotEqual, give_up);
            a.alu_imm(Alu::Cmp, register, zero);
            a.jump_if(If::Equal, give_up);
        }
        a.mov_imm(R10, BIAS);
        for (number, register) in [(0, RAX), (1, R8)] {
            a.ror(register, 3);
            a.alu(Alu::Sub, register, R10);
            a.double_of(number, register);
        }
        a.sse(op);
        a.bits_of_double(RAX, 0);
        a.alu(Alu::Add, RAX, R10);
        a.rol(RAX, 3);
        // As `Value::flonum` tells which numbers fit.
        a.mov(R9, RAX);
        a.alu_imm(Alu::Xor, R9, zero);
        a.ror(R9, 2);
        a.alu_imm(Alu::Sub, R9, 1);
        a.mov_imm(R10, (1 << 62) - 1);
        a.alu(Alu::Cmp, R9, R10);
        a.jump_if(If::AboveOrEqual, give_up);
        a.ret();
        start
    }

    fn set_element(&mut self, slow: Label) {
        let (own, store) = (self.a.label(), self.a.label());
        plain_array(&mut self.a, slow);
        self.a.test32(R10, flags::FROZEN as u32);
        self.a.jump_if(If::NotEqual, slow);
        self.index(slow);
        elements(&mut self.a, slow);
        let a = &mut self.a;
        a.test32(R10, flags::STORAGE_MASK as u32);
        a.jump_short_if(If::Equal, own);
        a.load(R8, Mem::at(RAX, offset_of!(RView, buf) as i32));
        a.alu_at(Alu::Cmp, Mem::at(R8, offset_of!(BufHead, count) as i32), 1);
        a.jump_if(If::NotEqual, slow);
        a.bind(own);
        a.load16(RAX, operand(offset_of!(Insn, c)));
        a.load(RAX, Mem::word(FP, RAX, 0));
        barrier(a, R10, RAX, slow, store);
        a.bind(store);
        a.store(Mem::word(R11, R9, 0), RAX);
        a.ret();
    }

    fn length(&mut self, helper: Helper, slow: Label) {
        let (hash, found) = (self.a.label(), self.a.label());
        plain_array(&mut self.a, hash);
        length(&mut self.a);
        let a = &mut self.a;
        a.jump_short(found);
        a.bind(hash);
        a.test8(RAX, 7);
        a.jump_if(If::NotEqual, slow);
        a.load32(R8, Mem::at(RAX, 4));
        a.alu_load32(Alu::Cmp, R8, in_ec(offset_of!(Ec, hash_shape)));
        a.jump_if(If::NotEqual, slow);
        // A hash with a table has its size there.
        a.load32(R8, Mem::at(RAX, 0));
        a.mov32(R9, R8);
        a.alu_imm32(Alu::And, R9, flags::STORAGE_MASK as i32);
        a.alu_imm32(Alu::Cmp, R9, flags::HASH_TABLE as i32);
        a.jump_if(If::Equal, slow);
        a.shr32(R8, flags::HASH_LIVE_MASK.trailing_zeros() as u8);
        a.alu_imm32(Alu::And, R8, (flags::HASH_LIVE_MASK >> flags::HASH_LIVE_MASK.trailing_zeros()) as i32);
        a.bind(found);
        if helper == Helper::Length {
            a.lea(RAX, Mem::byte(R8, R8, 1));
        } else {
            a.mov_imm(RAX, Value::FALSE.bits());
            a.mov_imm(R9, Value::TRUE.bits());
            a.test(R8, R8);
            a.cmov32(If::Equal, RAX, R9);
        }
        a.ret();
    }

    fn constant(&mut self) -> Label {
        let start = self.here();
        let give_up = self.give_up;
        let a = &mut self.a;
        a.load16(R8, operand(offset_of!(Insn, c)));
        a.shl32(R8, size_of::<CacheCell>().trailing_zeros() as u8);
        a.alu(Alu::Add, R8, RCX);
        a.alu_at32(Alu::Cmp, Mem::at(R8, offset_of!(CacheCell, shape) as i32), 1);
        a.jump_if(If::NotEqual, give_up);
        self.check_epoch(give_up);
        let a = &mut self.a;
        a.load(R9, frame_word(FP, CODE));
        a.load(R9, Mem::at(R9, offset_of!(CodeData, cref) as i32));
        a.alu_load(Alu::Cmp, R9, Mem::at(R8, offset_of!(CacheCell, key) as i32));
        a.jump_if(If::NotEqual, give_up);
        a.load(RAX, Mem::at(R8, offset_of!(CacheCell, target) as i32));
        a.ret();
        start
    }

    // ---- what stubs share ----

    fn common(&mut self) {
        self.run_native();
        self.push_frame();
        let (handle, give_up, go_on, go, back) = (self.handle, self.give_up, self.go_on, self.go, self.back);
        let (unwind, failed) = (self.unwind, self.failed);
        let interpret = self.a.label();
        let a = &mut self.a;
        a.bind(go_on);
        a.load(RAX, Mem::at(RDI, 0));
        a.cmp8(RAX, Op::enter_compiled as u8);
        a.jump_short_if(If::NotEqual, interpret);
        // What ran meanwhile may have redefined an operator.
        a.cmp_at8(in_ec(offset_of!(Ec, is_compiled_off)), 0);
        a.jump_short_if(If::NotEqual, interpret);
        a.shr(RAX, ADDRESS_SHIFT as u8);
        a.jump_to(RAX);
        a.bind(back);
        a.load(RCX, frame_word(FP, CODE));
        a.load(RCX, Mem::at(RCX, offset_of!(CodeData, caches) as i32));
        a.bind(go);
        a.load(RAX, Mem::at(RDI, 0));
        a.cmp8(RAX, Op::enter_compiled as u8);
        a.jump_short_if(If::NotEqual, interpret);
        a.shr(RAX, ADDRESS_SHIFT as u8);
        a.jump_to(RAX);
        a.bind(give_up);
        a.forget_call();
        a.bind(handle);
        a.load(RAX, Mem::at(RDI, 0));
        a.bind(interpret);
        a.movzx8(RAX, RAX);
        a.jump_through(Mem::word(RDX, RAX, offset_of!(Ec, table) as i32));
        a.bind(failed);
        a.load16(R9, operand(offset_of!(Insn, b)));
        publish(a, FP, Mem::word(FP, R9, 0));
        a.bind(unwind);
        a.forget_call();
        let unwind: Handler = slow_unwind;
        a.jump_out(unwind as usize);
        self.tables();
    }

    /// r9 = the window, r10 and r11 = the block's words.
    fn run_native(&mut self) {
        let (native, native_known, native_unarmed, give_up) =
            (self.native, self.native_known, self.native_unarmed, self.give_up);
        self.a.align(16);
        let a = &mut self.a;
        a.bind(native);
        a.load(R8, Mem::at(R8, offset_of!(CacheCell, target) as i32));
        a.load8(RAX, operand(offset_of!(Insn, n)));
        a.bind(native_known);
        a.alu_at(Alu::Cmp, in_ec(Ec::LIMIT_OFFSET), 0);
        a.jump_if(If::Equal, give_up);
        a.bind(native_unarmed);
        a.store(frame_word(R9, BLOCK), R10);
        a.store(frame_word(R9, BLOCK_ENV), R11);
        a.store(frame_word(R9, CODE), R8);
        a.store(frame_word(R9, ENV), R9);
        a.store(frame_word(R9, CALLER), FP);
        publish(a, R9, Mem::word(R9, RAX, 8));
        a.store(frame_word(R9, RET_PC), R10);
        self.keep();
        let a = &mut self.a;
        a.mov(RDI, RDX);
        a.mov(FP, R9);
        a.mov32(RDX, RAX);
        a.call_through(Mem::at(R8, offset_of!(CodeData, native) as i32));
        self.restore();
        let failed = self.failed;
        self.return_result(1, failed);
    }

    /// r9 = the window, r10 and r11 = the block's words.
    fn push_frame(&mut self) {
        let (push, enter, handle, go) = (self.push, self.enter, self.handle, self.go);
        self.a.align(16);
        let a = &mut self.a;
        a.bind(push);
        a.load(R8, Mem::at(R8, offset_of!(CacheCell, target) as i32));
        frame_fits(a, handle);
        a.store(frame_word(R9, CODE), R8);
        a.store(frame_word(R9, BLOCK), R10);
        a.store(frame_word(R9, BLOCK_ENV), R11);
        a.load16(RAX, Mem::at(R8, offset_of!(CodeData, lead) as i32));
        a.bind(enter);
        let (turn, test) = (a.label(), a.label());
        a.load16(R10, Mem::at(R8, offset_of!(CodeData, local_size) as i32));
        a.alu_imm(Alu::Add, RDI, size_of::<Insn>() as i32);
        a.store(frame_word(R9, ENV), R9);
        a.store(frame_word(R9, RET_PC), RDI);
        a.store(frame_word(R9, CALLER), FP);
        a.load(RCX, Mem::at(R8, offset_of!(CodeData, caches) as i32));
        a.load(RDI, Mem::at(R8, offset_of!(CodeData, start) as i32));
        a.jump_short(test);
        a.bind(turn);
        a.store_imm(Mem::word(R9, RAX, 0), NIL);
        a.bind(test);
        a.alu_imm(Alu::Add, RAX, 1);
        a.alu32(Alu::Cmp, RAX, R10);
        a.jump_short_if(If::Below, turn);
        a.mov(FP, R9);
        a.jump(go);
    }

    fn tables(&mut self) {
        self.a.align(8);
        let (shapes, pools) = (self.shapes, self.pools);
        self.a.bind(shapes);
        for shape in [ROOT_NIL, ROOT_FALSE, ROOT_TRUE, ROOT_HIDDEN, ROOT_SYMBOL, ROOT_HIDDEN, ROOT_HIDDEN, ROOT_HIDDEN]
        {
            self.a.data(u64::from(shape.0));
        }
        self.a.bind(pools);
        for pool in 0..=(flags::POOL_MASK >> flags::POOL_SHIFT) as usize {
            self.a.data(POOL_SIZES.get(pool).map_or(8, |bytes| u64::from(*bytes)));
        }
    }
}

/// Routines in the cell of a call that runs code in Ruby, and a native method.
fn routines_of(op: Op) -> (Handler, Handler) {
    match op {
        Op::send_block => (ops::invoke_iseq_block, ops::invoke_native_block),
        // `super` to a native method: the number of its arguments is the site's.
        Op::invokesuper => (ops::invoke_super, ops::unknown),
        _ => (ops::invoke_iseq, ops::invoke_native),
    }
}

/// An operand of the instruction in whose record rdi is.
fn operand(offset: usize) -> Mem {
    Mem::at(RDI, offset as i32)
}

/// Goes on at `exit` unless the frame at r9 of the code in r8 fits. rax changes.
fn frame_fits(a: &mut Assembler, exit: Label) {
    a.load16(RAX, Mem::at(R8, offset_of!(CodeData, frame_size) as i32));
    a.lea(RAX, Mem::word(R9, RAX, 0));
    a.alu_load(Alu::Cmp, RAX, in_ec(Ec::LIMIT_OFFSET));
    a.jump_if(If::Above, exit);
}

/// Makes a frame visible to Rust code, whose registers end at `top`. r10 becomes the word behind the record's instruction.
fn publish(a: &mut Assembler, frame: Reg, top: Mem) {
    a.lea(R10, top);
    a.store(in_ec(offset_of!(Ec, sp)), R10);
    a.lea(R10, operand(size_of::<Insn>()));
    a.store(in_ec(offset_of!(Ec, pc)), R10);
    a.store(in_ec(offset_of!(Ec, fp)), frame);
}
