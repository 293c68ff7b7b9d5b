//! Registers and pieces of code that templates and stubs have in common.

use crate::ec::Ec;
use crate::run::code::{CodeData, CodeKind};
use crate::run::frame::{CODE, ENV, PARENT};
use crate::run::interp::Handler;
use carat_asm::{Alu, Assembler, Condition as If, Label, Mem, Reg};
use carat_layout::{BufHead, RArrayEmbedded, RBufOnly, RView, Value, flags};
use std::mem::offset_of;

pub(super) const RAX: Reg = Reg::RAX;
pub(super) const RCX: Reg = Reg::RCX;
pub(super) const RDX: Reg = Reg::RDX;
pub(super) const RSP: Reg = Reg::RSP;
pub(super) const RDI: Reg = Reg::RDI;
pub(super) const R8: Reg = Reg::R8;
pub(super) const R9: Reg = Reg::R9;
pub(super) const R10: Reg = Reg::R10;
pub(super) const R11: Reg = Reg::R11;
pub(super) const FP: Reg = Reg::RSI;

pub(super) const NIL: i32 = Value::NIL.bits() as i32;

pub(super) fn frame_word(of: Reg, index: isize) -> Mem {
    Mem::at(of, index as i32 * 8)
}

pub(super) fn in_ec(offset: usize) -> Mem {
    debug_assert!(offset < size_of::<Ec>());
    Mem::at(RDX, offset as i32)
}

/// The lower half of a handler's address: all are in one text, which is smaller than 4 GB.
pub(super) fn low_half(handler: Handler) -> i32 {
    handler as usize as u32 as i32
}

/// Leaves if a value that is to be stored has to be noted; `header` is that of the object. r8 changes.
pub(super) fn barrier(a: &mut Assembler, header: Reg, value: Reg, exit: Label, store: Label) {
    a.test8(value, 7);
    a.jump_if(If::NotEqual, store);
    a.mov32(R8, header);
    a.alu_imm32(Alu::And, R8, (flags::OLD | flags::LOGGED) as i32);
    a.alu_imm32(Alu::Cmp, R8, flags::OLD as i32);
    a.jump_if(If::Equal, exit);
}

/// r10 = the lower half of the header of the object in rax; goes on at `exit` unless its class is Array itself. r8 changes.
pub(super) fn plain_array(a: &mut Assembler, exit: Label) {
    a.test8(RAX, 7);
    a.jump_if(If::NotEqual, exit);
    a.load32(R8, Mem::at(RAX, 4));
    a.alu_load32(Alu::Cmp, R8, in_ec(offset_of!(Ec, array_shape)));
    a.jump_if(If::NotEqual, exit);
    a.load32(R10, Mem::at(RAX, 0));
}

/// Goes on at `embedded` for an array whose header is in r10, at the next instruction for a view, and at `buffer` for one that has
/// its buffer alone. r8 changes.
fn storage(a: &mut Assembler, buffer: Label, embedded: Label) {
    a.mov32(R8, R10);
    a.alu_imm32(Alu::And, R8, flags::STORAGE_MASK as i32);
    a.jump_short_if(If::Equal, embedded);
    a.alu_imm32(Alu::Cmp, R8, flags::STORAGE_VIEW as i32);
    a.jump_short_if(If::NotEqual, buffer);
}

/// r8 = the length of an embedded array whose header is in r10.
fn embedded_length(a: &mut Assembler) {
    a.mov32(R8, R10);
    a.shr32(R8, flags::EMBEDDED_LEN_SHIFT as u8);
    a.alu_imm32(Alu::And, R8, (flags::EMBEDDED_LEN_MASK >> flags::EMBEDDED_LEN_SHIFT) as i32);
}

/// r8 = the length of the array in rax, whose header is in r10.
pub(super) fn length(a: &mut Assembler) {
    let (buffer, embedded, found) = (a.label(), a.label(), a.label());
    storage(a, buffer, embedded);
    a.load(R8, Mem::at(RAX, offset_of!(RView, len) as i32));
    a.jump_short(found);
    a.bind(buffer);
    a.load(R8, Mem::at(RAX, offset_of!(RBufOnly, buf) as i32));
    a.load(R8, Mem::at(R8, offset_of!(BufHead, len) as i32));
    a.jump_short(found);
    a.bind(embedded);
    embedded_length(a);
    a.bind(found);
}

/// r11 = where the elements of the array in rax begin, if r9 is the number of one; otherwise goes on at `outside`.
pub(super) fn elements(a: &mut Assembler, outside: Label) {
    let (buffer, embedded, found) = (a.label(), a.label(), a.label());
    storage(a, buffer, embedded);
    a.alu_load(Alu::Cmp, R9, Mem::at(RAX, offset_of!(RView, len) as i32));
    a.jump_if(If::AboveOrEqual, outside);
    a.load(R11, Mem::at(RAX, offset_of!(RView, ptr) as i32));
    a.jump_short(found);
    a.bind(buffer);
    a.load(R11, Mem::at(RAX, offset_of!(RBufOnly, buf) as i32));
    a.alu_load(Alu::Cmp, R9, Mem::at(R11, offset_of!(BufHead, len) as i32));
    a.jump_if(If::AboveOrEqual, outside);
    a.load(R11, Mem::at(R11, offset_of!(BufHead, ptr) as i32));
    a.jump_short(found);
    a.bind(embedded);
    embedded_length(a);
    a.alu(Alu::Cmp, R9, R8);
    a.jump_if(If::AboveOrEqual, outside);
    a.lea(R11, Mem::at(RAX, offset_of!(RArrayEmbedded, elements) as i32));
    a.bind(found);
}

/// The environment of the method around the running block. r8 changes.
pub(super) fn method_env(a: &mut Assembler, into: Reg) {
    let (turn, up, found) = (a.label(), a.label(), a.label());
    a.load(into, frame_word(FP, ENV));
    a.bind(turn);
    a.load(R8, frame_word(into, CODE));
    a.load8(R8, Mem::at(R8, offset_of!(CodeData, kind) as i32));
    for kind in [CodeKind::Block, CodeKind::Lambda, CodeKind::Eval] {
        a.alu_imm32(Alu::Cmp, R8, kind as i32);
        a.jump_short_if(If::Equal, up);
    }
    a.jump_short(found);
    a.bind(up);
    a.load(into, frame_word(into, PARENT));
    a.jump_short(turn);
    a.bind(found);
}
