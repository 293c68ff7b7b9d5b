//! Encoding of x86-64 instructions: the few forms that templates need, 64 bits wide unless their names say otherwise.

use crate::code::{Code, Label};
use crate::memory::{ALIGNMENT, Placement};
use crate::names::{self, Alu, Condition, Sse, Xmm};
use crate::unwind::Stack;
use std::ops::{Deref, DerefMut};

/// A general register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reg(u8);

impl Reg {
    pub const RAX: Reg = Reg(0);
    pub const RCX: Reg = Reg(1);
    pub const RDX: Reg = Reg(2);
    pub const RBX: Reg = Reg(3);
    pub const RSP: Reg = Reg(4);
    pub const RBP: Reg = Reg(5);
    pub const RSI: Reg = Reg(6);
    pub const RDI: Reg = Reg(7);
    pub const R8: Reg = Reg(8);
    pub const R9: Reg = Reg(9);
    pub const R10: Reg = Reg(10);
    pub const R11: Reg = Reg(11);
    pub const R12: Reg = Reg(12);
    pub const R13: Reg = Reg(13);
    pub const R14: Reg = Reg(14);
    pub const R15: Reg = Reg(15);

    /// Where functions leave what they return.
    pub const RESULT: Reg = Reg::RAX;
}

/// Calls push the address that they return to.
pub const STACK: Stack = Stack { pointer: 7, return_address: 16, word_bytes: 8, is_pushed_by_caller: true };

/// Nothing to do: processors see to it that what was written is what runs.
pub fn make_visible(_: *const u8, _: usize) {}

/// Nothing to do before code runs that another thread wrote.
pub fn see_code_of_others() {}

/// A place in memory.
pub type Mem = names::Mem<Reg>;

/// Instructions being put together. What they refer to lies within the same list, so that it may be put anywhere; those that leave
/// it for a known address are the exception: see [`Assembler::finish_at`].
#[derive(Default)]
pub struct Assembler {
    code: Code,
    /// Places of 32 bits that are to lead to a label, from behind themselves.
    fixups: Vec<(u32, Label)>,
    /// The same of 8 bits.
    short_fixups: Vec<(u32, Label)>,
    /// Places of 32 bits that are to lead to an address.
    outward: Vec<(u32, usize)>,
}

impl Deref for Assembler {
    type Target = Code;

    fn deref(&self) -> &Code {
        &self.code
    }
}

impl DerefMut for Assembler {
    fn deref_mut(&mut self) -> &mut Code {
        &mut self.code
    }
}

impl Assembler {
    /// Bytes of the stack that a word takes that is pushed.
    pub const PUSHED_BYTES: usize = 8;

    /// Bytes below the stack pointer that signal handlers leave alone.
    pub const RED_ZONE_BYTES: usize = 128;

    /// More bytes than that cannot be put together.
    pub const MOST_BYTES: usize = i32::MAX as usize;

    pub fn new() -> Assembler {
        Assembler::default()
    }

    /// The label is here.
    pub fn bind(&mut self, label: Label) {
        self.code.bind_at(label, self.code.position());
    }

    /// What follows seldom runs and may lie elsewhere. No short jump leads there or back.
    pub fn cut(&mut self) {
        self.code.align(ALIGNMENT);
        self.code.cut = Some(self.code.position() as u32);
    }

    /// As [`Assembler::finish`] for code whose parts are put there, within 2 GB of all addresses it leaves for.
    pub fn finish_at(&mut self, placement: Placement) -> &mut [u8] {
        for (at, address) in std::mem::take(&mut self.outward) {
            self.lead(at, address.wrapping_sub(placement.address(at as usize)));
        }
        for (at, label) in std::mem::take(&mut self.fixups) {
            let address = placement.address(self.offset_of(label));
            self.lead(at, address.wrapping_sub(placement.address(at as usize)));
        }
        self.finish()
    }

    /// Everything, with all labels resolved, to lie together.
    pub fn finish(&mut self) -> &mut [u8] {
        assert!(self.outward.is_empty(), "what leaves the code has to know where it is");
        for (at, label) in std::mem::take(&mut self.short_fixups) {
            let distance = self.offset_of(label) as i64 - (i64::from(at) + 1);
            let distance = i8::try_from(distance).expect("a short jump is short");
            assert!(!self.is_cut_between(at as usize, self.offset_of(label)), "a short jump stays in its part");
            self.code.bytes[at as usize] = distance as u8;
        }
        for (at, label) in std::mem::take(&mut self.fixups) {
            self.lead(at, self.offset_of(label).wrapping_sub(at as usize));
        }
        &mut self.code.bytes
    }

    fn is_cut_between(&self, one: usize, other: usize) -> bool {
        self.code.cut.is_some_and(|cut| (one < cut as usize) != (other < cut as usize))
    }

    /// The 32 bits at `at` lead so far from their own place.
    fn lead(&mut self, at: u32, distance: usize) {
        let behind = i32::try_from((distance as i64) - 4).expect("code lies near what it leads to");
        self.code.bytes[at as usize..at as usize + 4].copy_from_slice(&behind.to_le_bytes());
    }

    fn byte(&mut self, byte: u8) {
        self.code.bytes.push(byte);
    }

    fn int(&mut self, value: i32) {
        self.code.bytes.extend_from_slice(&value.to_le_bytes());
    }

    fn refer_to(&mut self, label: Label) {
        self.fixups.push((self.code.bytes.len() as u32, label));
        self.int(0);
    }

    /// Prefixes and opcode of an instruction with a register and a place in memory, and the place. `wide`: 64 bits.
    fn memory(&mut self, wide: bool, opcode: &[u8], reg: u8, place: Mem) {
        let index = place.index.map_or(0, |(index, _)| index.0);
        self.rex(wide, reg, index, place.base.0);
        self.code.bytes.extend_from_slice(opcode);
        // Without displacement, the numbers of rbp and r13 mean something else.
        let mode = match place.displacement {
            0 if place.base.0 & 7 != 5 => 0,
            -128..=127 => 1,
            _ => 2,
        };
        match place.index {
            Some((index, scale)) => {
                self.byte(mode << 6 | (reg & 7) << 3 | 4);
                self.byte(scale << 6 | (index.0 & 7) << 3 | place.base.0 & 7);
            }
            None => {
                self.byte(mode << 6 | (reg & 7) << 3 | place.base.0 & 7);
                if place.base.0 & 7 == 4 {
                    self.byte(0x24);
                }
            }
        }
        match mode {
            0 => {}
            1 => self.byte(place.displacement as u8),
            _ => self.int(place.displacement),
        }
    }

    fn registers(&mut self, wide: bool, opcode: &[u8], reg: u8, other: u8) {
        self.rex(wide, reg, 0, other);
        self.code.bytes.extend_from_slice(opcode);
        self.byte(0xC0 | (reg & 7) << 3 | other & 7);
    }

    fn rex(&mut self, wide: bool, reg: u8, index: u8, base: u8) {
        let rex = 0x40 | u8::from(wide) << 3 | reg >> 3 << 2 | index >> 3 << 1 | base >> 3;
        if rex != 0x40 {
            self.byte(rex);
        }
    }

    // ---- moves ----

    pub fn mov(&mut self, to: Reg, from: Reg) {
        self.registers(true, &[0x8B], to.0, from.0);
    }

    /// The upper half becomes zero.
    pub fn mov32(&mut self, to: Reg, from: Reg) {
        self.registers(false, &[0x8B], to.0, from.0);
    }

    pub fn load(&mut self, to: Reg, from: Mem) {
        self.memory(true, &[0x8B], to.0, from);
    }

    pub fn load32(&mut self, to: Reg, from: Mem) {
        self.memory(false, &[0x8B], to.0, from);
    }

    pub fn load8(&mut self, to: Reg, from: Mem) {
        self.memory(false, &[0x0F, 0xB6], to.0, from);
    }

    pub fn load16(&mut self, to: Reg, from: Mem) {
        self.memory(false, &[0x0F, 0xB7], to.0, from);
    }

    pub fn store(&mut self, to: Mem, from: Reg) {
        self.memory(true, &[0x89], from.0, to);
    }

    pub fn store32(&mut self, to: Mem, from: Reg) {
        self.memory(false, &[0x89], from.0, to);
    }

    /// A word whose upper half repeats the sign of the lower.
    pub fn store_imm(&mut self, to: Mem, value: i32) {
        self.memory(true, &[0xC7], 0, to);
        self.int(value);
    }

    pub fn store_imm32(&mut self, to: Mem, value: i32) {
        self.memory(false, &[0xC7], 0, to);
        self.int(value);
    }

    pub fn lea(&mut self, to: Reg, place: Mem) {
        self.memory(true, &[0x8D], to.0, place);
    }

    /// Fetches what lies at a place, which need not be readable.
    pub fn prefetch(&mut self, place: Mem) {
        self.memory(false, &[0x0F, 0x18], 1, place);
    }

    /// The address of a label.
    pub fn lea_label(&mut self, to: Reg, label: Label) {
        self.rex(true, to.0, 0, 0);
        self.byte(0x8D);
        self.byte((to.0 & 7) << 3 | 5);
        self.refer_to(label);
    }

    pub fn mov_imm(&mut self, to: Reg, value: u64) {
        if let Ok(small) = u32::try_from(value) {
            self.rex(false, 0, 0, to.0);
            self.byte(0xB8 | to.0 & 7);
            self.int(small as i32);
        } else if let Ok(small) = i32::try_from(value as i64) {
            self.registers(true, &[0xC7], 0, to.0);
            self.int(small);
        } else {
            self.rex(true, 0, 0, to.0);
            self.byte(0xB8 | to.0 & 7);
            self.data(value);
        }
    }

    // ---- arithmetic ----

    pub fn alu(&mut self, op: Alu, to: Reg, from: Reg) {
        self.registers(true, &[(op as u8) << 3 | 3], to.0, from.0);
    }

    pub fn alu32(&mut self, op: Alu, to: Reg, from: Reg) {
        self.registers(false, &[(op as u8) << 3 | 3], to.0, from.0);
    }

    pub fn alu_load(&mut self, op: Alu, to: Reg, from: Mem) {
        self.memory(true, &[(op as u8) << 3 | 3], to.0, from);
    }

    pub fn alu_load32(&mut self, op: Alu, to: Reg, from: Mem) {
        self.memory(false, &[(op as u8) << 3 | 3], to.0, from);
    }

    pub fn alu_imm(&mut self, op: Alu, to: Reg, value: i32) {
        self.alu_imm_of(true, op, to, value);
    }

    pub fn alu_imm32(&mut self, op: Alu, to: Reg, value: i32) {
        self.alu_imm_of(false, op, to, value);
    }

    fn alu_imm_of(&mut self, wide: bool, op: Alu, to: Reg, value: i32) {
        if let Ok(small) = i8::try_from(value) {
            self.registers(wide, &[0x83], op as u8, to.0);
            self.byte(small as u8);
        } else if to == Reg::RAX {
            self.rex(wide, 0, 0, 0);
            self.byte((op as u8) << 3 | 5);
            self.int(value);
        } else {
            self.registers(wide, &[0x81], op as u8, to.0);
            self.int(value);
        }
    }

    /// `op word at place, value`
    pub fn alu_at(&mut self, op: Alu, place: Mem, value: i32) {
        self.alu_at_of(true, op, place, value);
    }

    pub fn alu_at32(&mut self, op: Alu, place: Mem, value: i32) {
        self.alu_at_of(false, op, place, value);
    }

    fn alu_at_of(&mut self, wide: bool, op: Alu, place: Mem, value: i32) {
        if let Ok(small) = i8::try_from(value) {
            self.memory(wide, &[0x83], op as u8, place);
            self.byte(small as u8);
        } else {
            self.memory(wide, &[0x81], op as u8, place);
            self.int(value);
        }
    }

    /// Compares a word that lies outside with a number, for [`Assembler::finish_at`].
    pub fn cmp_outside32(&mut self, word: usize, value: i32) {
        let small = i8::try_from(value);
        // Without a base, with a displacement from the end of the instruction, which the number stands before.
        self.code.bytes.extend_from_slice(&[if small.is_ok() { 0x83 } else { 0x81 }, (Alu::Cmp as u8) << 3 | 5]);
        match small {
            Ok(small) => {
                self.refer_outward(word.wrapping_sub(1));
                self.byte(small as u8);
            }
            Err(_) => {
                self.refer_outward(word.wrapping_sub(4));
                self.int(value);
            }
        }
    }

    pub fn cmp_at8(&mut self, place: Mem, value: u8) {
        self.memory(false, &[0x80], Alu::Cmp as u8, place);
        self.byte(value);
    }

    pub fn test_at8(&mut self, place: Mem, bits: u8) {
        self.memory(false, &[0xF6], 0, place);
        self.byte(bits);
    }

    pub fn test(&mut self, one: Reg, other: Reg) {
        self.registers(true, &[0x85], other.0, one.0);
    }

    /// Bits of the lowest byte.
    pub fn test8(&mut self, reg: Reg, bits: u8) {
        if reg == Reg::RAX {
            self.byte(0xA8);
        } else {
            self.low_byte_rex(reg);
            self.byte(0xF6);
            self.byte(0xC0 | reg.0 & 7);
        }
        self.byte(bits);
    }

    /// The lowest byte.
    pub fn cmp8(&mut self, reg: Reg, value: u8) {
        if reg == Reg::RAX {
            self.byte(0x3C);
        } else {
            self.low_byte_rex(reg);
            self.byte(0x80);
            self.byte(0xF8 | reg.0 & 7);
        }
        self.byte(value);
    }

    /// A prefix makes numbers 4 to 7 the low bytes of rsp to rdi.
    fn low_byte_rex(&mut self, reg: Reg) {
        if reg.0 > 3 {
            self.byte(0x40 | reg.0 >> 3);
        }
    }

    pub fn test32(&mut self, reg: Reg, bits: u32) {
        self.registers(false, &[0xF7], 0, reg.0);
        self.int(bits as i32);
    }

    pub fn sar(&mut self, reg: Reg, count: u8) {
        self.registers(true, &[0xC1], 7, reg.0);
        self.byte(count);
    }

    pub fn shr(&mut self, reg: Reg, count: u8) {
        self.registers(true, &[0xC1], 5, reg.0);
        self.byte(count);
    }

    pub fn shl(&mut self, reg: Reg, count: u8) {
        self.registers(true, &[0xC1], 4, reg.0);
        self.byte(count);
    }

    pub fn shl32(&mut self, reg: Reg, count: u8) {
        self.registers(false, &[0xC1], 4, reg.0);
        self.byte(count);
    }

    pub fn shr32(&mut self, reg: Reg, count: u8) {
        self.registers(false, &[0xC1], 5, reg.0);
        self.byte(count);
    }

    pub fn ror(&mut self, reg: Reg, count: u8) {
        self.registers(true, &[0xC1], 1, reg.0);
        self.byte(count);
    }

    pub fn rol(&mut self, reg: Reg, count: u8) {
        self.registers(true, &[0xC1], 0, reg.0);
        self.byte(count);
    }

    /// By the number in cl.
    pub fn sar_cl(&mut self, reg: Reg) {
        self.registers(true, &[0xD3], 7, reg.0);
    }

    /// By the number in cl.
    pub fn shl_cl(&mut self, reg: Reg) {
        self.registers(true, &[0xD3], 4, reg.0);
    }

    pub fn imul(&mut self, to: Reg, from: Reg) {
        self.registers(true, &[0x0F, 0xAF], to.0, from.0);
    }

    /// rdx becomes the sign of rax.
    pub fn cqo(&mut self) {
        self.code.bytes.extend_from_slice(&[0x48, 0x99]);
    }

    /// rax and rdx become quotient and remainder of both together.
    pub fn idiv(&mut self, by: Reg) {
        self.registers(true, &[0xF7], 7, by.0);
    }

    /// The same of the lower halves, without signs.
    pub fn div32(&mut self, by: Reg) {
        self.registers(false, &[0xF7], 6, by.0);
    }

    pub fn movzx8(&mut self, to: Reg, from: Reg) {
        // Without a prefix, numbers 4 to 7 are the second bytes of rax to rbx.
        match from.0 {
            4..=7 => self.byte(0x40 | to.0 >> 3 << 2),
            _ => self.rex(false, to.0, 0, from.0),
        }
        self.code.bytes.extend_from_slice(&[0x0F, 0xB6, 0xC0 | (to.0 & 7) << 3 | from.0 & 7]);
    }

    /// "Below" if the bit of a register whose number is in another one, modulo 32, is set.
    pub fn bit_test32(&mut self, bits: Reg, number: Reg) {
        self.registers(false, &[0x0F, 0xA3], number.0, bits.0);
    }

    pub fn cmov32(&mut self, condition: Condition, to: Reg, from: Reg) {
        self.registers(false, &[0x0F, 0x40 | condition as u8], to.0, from.0);
    }

    // ---- doubles: xmm0 and xmm1 ----

    /// `xmm0` or `xmm1` = the bits of a register.
    pub fn double_of(&mut self, to: u8, from: Reg) {
        self.byte(0x66);
        self.registers(true, &[0x0F, 0x6E], to, from.0);
    }

    pub fn bits_of_double(&mut self, to: Reg, from: u8) {
        self.byte(0x66);
        self.registers(true, &[0x0F, 0x7E], from, to.0);
    }

    /// `xmm0 = xmm0 op xmm1`
    pub fn sse(&mut self, op: Sse) {
        self.code.bytes.extend_from_slice(&[0xF2, 0x0F, op as u8, 0xC1]);
    }

    /// Compares `xmm`*one* with `xmm`*other*; what is not ordered is "below", "equal" and "parity".
    pub fn compare_doubles(&mut self, one: u8, other: u8) {
        self.code.bytes.extend_from_slice(&[0x66, 0x0F, 0x2E, 0xC0 | one << 3 | other]);
    }

    // ---- doubles: any of the sixteen ----

    pub fn move_double(&mut self, to: Xmm, from: Xmm) {
        self.registers(false, &[0x0F, 0x28], to.0, from.0);
    }

    /// `to = to op from`
    pub fn sse_with(&mut self, op: Sse, to: Xmm, from: Xmm) {
        self.byte(0xF2);
        self.registers(false, &[0x0F, op as u8], to.0, from.0);
    }

    /// All sixteen bytes become zero.
    pub fn clear_double(&mut self, of: Xmm) {
        self.registers(false, &[0x0F, 0x57], of.0, of.0);
    }

    /// Stores all sixteen bytes, anywhere.
    pub fn store_pair(&mut self, to: Mem, from: Xmm) {
        self.memory(false, &[0x0F, 0x11], from.0, to);
    }

    pub fn double_of_bits(&mut self, to: Xmm, from: Reg) {
        self.double_of(to.0, from);
    }

    pub fn bits_of(&mut self, to: Reg, from: Xmm) {
        self.bits_of_double(to, from.0);
    }

    /// The double nearest to a whole number.
    pub fn double_of_integer(&mut self, to: Xmm, from: Reg) {
        self.byte(0xF2);
        self.registers(true, &[0x0F, 0x2A], to.0, from.0);
    }

    /// As [`compare_doubles`](Self::compare_doubles).
    pub fn compare_xmm(&mut self, one: Xmm, other: Xmm) {
        self.byte(0x66);
        self.registers(false, &[0x0F, 0x2E], one.0, other.0);
    }

    // ---- jumps ----

    pub fn jump(&mut self, to: Label) {
        self.byte(0xE9);
        self.refer_to(to);
    }

    pub fn jump_if(&mut self, condition: Condition, to: Label) {
        self.byte(0x0F);
        self.byte(0x80 | condition as u8);
        self.refer_to(to);
    }

    /// As [`Assembler::jump`], to a label that is at most 127 bytes away.
    pub fn jump_short(&mut self, to: Label) {
        self.byte(0xEB);
        self.refer_shortly_to(to);
    }

    /// As [`Assembler::jump_if`], to a label that is at most 127 bytes away.
    pub fn jump_short_if(&mut self, condition: Condition, to: Label) {
        self.byte(0x70 | condition as u8);
        self.refer_shortly_to(to);
    }

    fn refer_shortly_to(&mut self, label: Label) {
        self.short_fixups.push((self.code.bytes.len() as u32, label));
        self.byte(0);
    }

    /// To code outside, for [`Assembler::finish_at`].
    pub fn jump_out(&mut self, to: usize) {
        self.byte(0xE9);
        self.refer_outward(to);
    }

    /// Calls code outside, for [`Assembler::finish_at`].
    pub fn call_out(&mut self, to: usize) {
        self.byte(0xE8);
        self.refer_outward(to);
    }

    fn refer_outward(&mut self, to: usize) {
        self.outward.push((self.code.bytes.len() as u32, to));
        self.int(0);
    }

    pub fn call(&mut self, to: Label) {
        self.byte(0xE8);
        self.refer_to(to);
    }

    pub fn call_to(&mut self, reg: Reg) {
        self.registers(false, &[0xFF], 2, reg.0);
    }

    pub fn call_through(&mut self, place: Mem) {
        self.memory(false, &[0xFF], 2, place);
    }

    /// What was called will not return, and goes on as if its caller did.
    pub fn forget_call(&mut self) {
        self.alu_imm(Alu::Add, Reg::RSP, 8);
    }

    /// rax = what a function has returned.
    pub fn take_result(&mut self) {}

    pub fn ret(&mut self) {
        self.byte(0xC3);
    }

    pub fn push(&mut self, reg: Reg) {
        self.rex(false, 0, 0, reg.0);
        self.byte(0x50 | reg.0 & 7);
    }

    pub fn pop(&mut self, reg: Reg) {
        self.rex(false, 0, 0, reg.0);
        self.byte(0x58 | reg.0 & 7);
    }

    pub fn jump_to(&mut self, reg: Reg) {
        self.registers(false, &[0xFF], 4, reg.0);
    }

    pub fn jump_through(&mut self, place: Mem) {
        self.memory(false, &[0xFF], 4, place);
    }
}
