//! Encoding of aarch64 instructions behind the calls of [`x64`](crate::x64), so that who puts templates together writes them once.
//!
//! # Registers
//! They bear x86-64's names and stand where the C ABIs put the same things: rdi, rsi, rdx, rcx, r8 and r9 are x0 to x5, the
//! arguments; r10 and r11 are x6 and x7; rax is x8; rbx, rbp and r12 to r15, which callees keep, are x19 to x24. Of doubles, all are
//! such that callees need not keep them: v0 to v7 and v16 to v23. x15, x16 and x17 belong to the assembler: immediates, addresses and
//! operands pass through them.
//!
//! # What means the same
//! Everything but what follows. An instruction with two operands becomes one with three, one with a place in memory a load, an
//! operation and perhaps a store; flags stay as they are across whatever sets none on x86-64.
//! * Conditions are asked of the instruction in front that sets flags, across other instructions but not across a label: what stands
//!   for "below" depends on what was done. One that has no counterpart, as "below" after an addition, is refused.
//! * Doubles that are not ordered are "below" and "parity" but not "equal": whoever asks for equality asks for parity first.
//! * Shifts set no flags, but whether the result is zero can be asked right behind one.
//! * The address that a call returns to is in the link register. Each call keeps its own around it, on the stack: so what is called finds
//!   that of its caller there, where x86-64 has the one that it returns to itself. Who does not return
//!   [forgets the call](Assembler::forget_call). A word that is pushed takes 16 bytes, because the stack pointer has to be a multiple of
//!   that wherever it is used. Nothing below the stack pointer is safe from signal handlers.
//! * What Rust functions return is in [`Reg::RESULT`], not in rax, until somebody [takes it](Assembler::take_result).
//! * Conditional jumps and addresses of labels reach 1 MiB: no more is put together.

use crate::code::{Code, Label};
use crate::memory::Placement;
use crate::names::{self, Alu, Condition, Sse, Xmm};
use crate::unwind::Stack;
use std::ops::{Deref, DerefMut};

/// A general register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reg(u8);

impl Reg {
    pub const RDI: Reg = Reg(0);
    pub const RSI: Reg = Reg(1);
    pub const RDX: Reg = Reg(2);
    pub const RCX: Reg = Reg(3);
    pub const R8: Reg = Reg(4);
    pub const R9: Reg = Reg(5);
    pub const R10: Reg = Reg(6);
    pub const R11: Reg = Reg(7);
    pub const RAX: Reg = Reg(8);
    pub const RBX: Reg = Reg(19);
    pub const RBP: Reg = Reg(20);
    pub const R12: Reg = Reg(21);
    pub const R13: Reg = Reg(22);
    pub const R14: Reg = Reg(23);
    pub const R15: Reg = Reg(24);
    pub const RSP: Reg = Reg(31);

    /// Where functions leave what they return.
    pub const RESULT: Reg = Reg(0);
    pub const LINK: Reg = Reg(30);
}

/// What calls has kept the address that it returns to itself, as the last thing.
pub const STACK: Stack = Stack { pointer: 31, return_address: 30, word_bytes: 16, is_pushed_by_caller: false };

/// Has instructions fetched anew that were written: first they leave the caches for data, then other caches forget what was there.
pub fn make_visible(start: *const u8, len: usize) {
    #[cfg(target_arch = "aarch64")]
    // SAFETY: instructions that write nothing, on addresses that the caller has written to.
    unsafe {
        use std::arch::asm;
        let kinds: usize;
        asm!("mrs {}, ctr_el0", out(reg) kinds, options(nomem, nostack, preserves_flags));
        let (start, end) = (start.addr(), start.addr() + len);
        let lines = |bits: usize| {
            let line = 4_usize << bits;
            (start & !(line - 1)..end).step_by(line)
        };
        lines(kinds >> 16 & 15).for_each(|line| asm!("dc cvau, {}", in(reg) line, options(nostack, preserves_flags)));
        asm!("dsb ish", options(nostack, preserves_flags));
        lines(kinds & 15).for_each(|line| asm!("ic ivau, {}", in(reg) line, options(nostack, preserves_flags)));
        asm!("dsb ish", "isb", options(nostack, preserves_flags));
    }
    #[cfg(not(target_arch = "aarch64"))]
    let _ = (start, len);
}

/// Has this processor forget instructions that it fetched before.
#[inline]
pub fn see_code_of_others() {
    #[cfg(target_arch = "aarch64")]
    // SAFETY: a barrier.
    unsafe {
        std::arch::asm!("isb", options(nostack, preserves_flags));
    }
}

const IMMEDIATE: Reg = Reg(15);
const ADDRESS: Reg = Reg(16);
const OPERAND: Reg = Reg(17);
/// As an operand of everything but addresses and additions of immediates, number 31 is a zero.
const ZERO: u32 = 31;

/// A place in memory.
pub type Mem = names::Mem<Reg>;

/// A place that one instruction can name.
#[derive(Clone, Copy)]
enum Place {
    /// A multiple of the width.
    Scaled(Reg, u32),
    Near(Reg, i32),
    /// The flag says that the index counts in units of the width.
    Indexed(Reg, Reg, bool),
}

/// What is loaded or stored: opcode, and the width's logarithm.
#[derive(Clone, Copy)]
struct Access {
    opcode: u32,
    shift: u8,
}

impl Access {
    const fn of(shift: u8, is_load: bool) -> Access {
        Access { opcode: (shift as u32) << 30 | 0x3800_0000 | (is_load as u32) << 22, shift }
    }

    const STORE_PAIR: Access = Access { opcode: 0x3C80_0000, shift: 4 };
    const PREFETCH: Access = Access { opcode: 0xF880_0000, shift: 3 };
}

/// What the flags say, by what has set them last.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Flags {
    /// Nothing here, or something in front of a label.
    #[default]
    Unknown,
    /// A subtraction or comparison.
    Difference,
    Sum,
    /// An operation on bits.
    Bits,
    /// A multiplication: "not equal" if it overflowed.
    Product,
    Doubles,
    /// "below" or not.
    Bit,
    /// A shift, whose result is in a register up to this place: nothing is set before somebody asks.
    Shift {
        result: Reg,
        is_wide: bool,
        end: usize,
    },
}

/// How an instruction leads to a label.
#[derive(Clone, Copy)]
enum Reach {
    /// 26 bits, in words.
    Jump,
    /// 19 bits, in words.
    Conditional,
    /// 21 bits, in bytes.
    Address,
}

/// How code leads to an address outside: each takes three words.
#[derive(Clone, Copy)]
enum Outward {
    Jump,
    Call,
    /// Loads 32 bits.
    Load,
}

/// Instructions being put together. What they refer to lies within the same list, so that it may be put anywhere; those that leave
/// it for a known address are the exception: see [`Assembler::finish_at`].
#[derive(Default)]
pub struct Assembler {
    code: Code,
    fixups: Vec<(u32, Label, Reach)>,
    outward: Vec<(u32, usize, Outward)>,
    flags: Flags,
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
    pub const PUSHED_BYTES: usize = 16;

    /// Bytes below the stack pointer that signal handlers leave alone.
    pub const RED_ZONE_BYTES: usize = 0;

    /// More bytes than that cannot be put together.
    pub const MOST_BYTES: usize = (1 << 20) - 8;

    pub fn new() -> Assembler {
        Assembler::default()
    }

    /// The label is here.
    pub fn bind(&mut self, label: Label) {
        self.flags = Flags::Unknown;
        self.code.bind_at(label, self.code.position());
    }

    /// What follows seldom runs. It lies behind the rest all the same, where conditional jumps reach it.
    pub fn cut(&mut self) {}

    /// As [`Assembler::finish`] for code that is put there, within 4 GB of all addresses it leaves for.
    pub fn finish_at(&mut self, placement: Placement) -> &mut [u8] {
        let base = placement.often.start;
        for (at, address, way) in std::mem::take(&mut self.outward) {
            let words = outward(base + at as usize, address, way);
            for (number, word) in words.into_iter().enumerate() {
                let from = at as usize + 4 * number;
                self.code.bytes[from..from + 4].copy_from_slice(&word.to_le_bytes());
            }
        }
        self.finish()
    }

    /// Everything, with all labels resolved.
    pub fn finish(&mut self) -> &mut [u8] {
        assert!(self.outward.is_empty(), "what leaves the code has to know where it is");
        for (at, label, reach) in std::mem::take(&mut self.fixups) {
            let distance = self.offset_of(label) as i64 - i64::from(at);
            let bits = match reach {
                Reach::Jump => signed(distance / 4, 26).expect("code is smaller than 128 MiB"),
                Reach::Conditional => signed(distance / 4, 19).expect("a condition is asked within 1 MiB") << 5,
                Reach::Address => halves(signed(distance, 21).expect("an address is taken within 1 MiB")),
            };
            let place = &mut self.code.bytes[at as usize..at as usize + 4];
            let word = u32::from_le_bytes(place.try_into().expect("four bytes")) | bits;
            place.copy_from_slice(&word.to_le_bytes());
        }
        &mut self.code.bytes
    }

    fn word(&mut self, word: u32) {
        self.code.bytes.extend_from_slice(&word.to_le_bytes());
    }

    fn refer_to(&mut self, word: u32, label: Label, reach: Reach) {
        self.fixups.push((self.code.bytes.len() as u32, label, reach));
        self.word(word);
    }

    fn refer_outward(&mut self, to: usize, way: Outward) {
        self.outward.push((self.code.bytes.len() as u32, to, way));
        (0..3).for_each(|_| self.word(NOP));
    }

    /// An operation on registers that are not the stack pointer: destination, first and second operand.
    fn three(&mut self, opcode: u32, to: u32, one: u32, other: u32) {
        self.word(opcode | other << 16 | one << 5 | to);
    }

    // ---- places ----

    /// Makes a place one that an access can name, with the help of the address register.
    fn place(&mut self, of: Mem, access: Access) -> Place {
        let Mem { base, index, displacement } = of;
        match index {
            None => self.displaced(base, displacement, access),
            Some((index, scale)) if displacement == 0 && (scale == 0 || scale == access.shift) => {
                Place::Indexed(base, index, scale != 0)
            }
            Some((index, scale)) => {
                self.add_scaled(ADDRESS, base, index, scale);
                self.displaced(ADDRESS, displacement, access)
            }
        }
    }

    fn displaced(&mut self, base: Reg, displacement: i32, access: Access) -> Place {
        let width = 1 << access.shift;
        if displacement >= 0 && displacement % width == 0 && displacement / width < 4096 {
            return Place::Scaled(base, (displacement / width) as u32);
        }
        if (-256..256).contains(&displacement) {
            return Place::Near(base, displacement);
        }
        if base == ADDRESS {
            self.move_imm(IMMEDIATE, i64::from(displacement) as u64);
            return Place::Indexed(base, IMMEDIATE, false);
        }
        self.move_imm(ADDRESS, i64::from(displacement) as u64);
        Place::Indexed(base, ADDRESS, false)
    }

    fn at(&mut self, access: Access, register: u32, place: Place) {
        let opcode = access.opcode | register;
        self.word(match place {
            Place::Scaled(base, offset) => opcode | 1 << 24 | offset << 10 | base.bits() << 5,
            Place::Near(base, offset) => opcode | (offset as u32 & 0x1FF) << 12 | base.bits() << 5,
            Place::Indexed(base, index, is_scaled) => {
                opcode | 0x0020_6800 | index.bits() << 16 | u32::from(is_scaled) << 12 | base.bits() << 5
            }
        });
    }

    fn access(&mut self, access: Access, register: u32, place: Mem) {
        let place = self.place(place, access);
        self.at(access, register, place);
    }

    /// `to = base + (index << scale)`, where `base` may be the stack pointer.
    fn add_scaled(&mut self, to: Reg, base: Reg, index: Reg, scale: u8) {
        self.three(0x8B20_6000 | u32::from(scale) << 10, to.bits(), base.bits(), index.bits());
    }

    /// `to = from + value` without flags, where both may be the stack pointer.
    fn add_to(&mut self, to: Reg, from: Reg, value: i64) {
        let magnitude = value.unsigned_abs();
        let opcode = if value < 0 { 0xD100_0000 } else { 0x9100_0000 };
        match addend(magnitude) {
            Some(bits) => self.word(opcode | bits | from.bits() << 5 | to.bits()),
            None => {
                self.move_imm(IMMEDIATE, value as u64);
                self.add_scaled(to, from, IMMEDIATE, 0);
            }
        }
    }

    // ---- moves ----

    pub fn mov(&mut self, to: Reg, from: Reg) {
        if to == Reg::RSP || from == Reg::RSP {
            self.add_to(to, from, 0);
        } else {
            self.three(0xAA00_0000, to.bits(), ZERO, from.bits());
        }
    }

    /// The upper half becomes zero.
    pub fn mov32(&mut self, to: Reg, from: Reg) {
        self.three(0x2A00_0000, to.bits(), ZERO, from.bits());
    }

    pub fn load(&mut self, to: Reg, from: Mem) {
        self.access(Access::of(3, true), to.bits(), from);
    }

    pub fn load32(&mut self, to: Reg, from: Mem) {
        self.access(Access::of(2, true), to.bits(), from);
    }

    pub fn load8(&mut self, to: Reg, from: Mem) {
        self.access(Access::of(0, true), to.bits(), from);
    }

    pub fn load16(&mut self, to: Reg, from: Mem) {
        self.access(Access::of(1, true), to.bits(), from);
    }

    pub fn store(&mut self, to: Mem, from: Reg) {
        self.access(Access::of(3, false), from.bits(), to);
    }

    pub fn store32(&mut self, to: Mem, from: Reg) {
        self.access(Access::of(2, false), from.bits(), to);
    }

    /// A word whose upper half repeats the sign of the lower.
    pub fn store_imm(&mut self, to: Mem, value: i32) {
        self.store_imm_of(3, to, i64::from(value) as u64);
    }

    pub fn store_imm32(&mut self, to: Mem, value: i32) {
        self.store_imm_of(2, to, u64::from(value as u32));
    }

    fn store_imm_of(&mut self, shift: u8, to: Mem, value: u64) {
        let register = if value == 0 { ZERO } else { OPERAND.bits() };
        if value != 0 {
            self.move_imm(OPERAND, value);
        }
        self.access(Access::of(shift, false), register, to);
    }

    pub fn lea(&mut self, to: Reg, place: Mem) {
        let Mem { base, index, displacement } = place;
        match index {
            None => self.add_to(to, base, displacement.into()),
            Some((index, scale)) if displacement == 0 => self.add_scaled(to, base, index, scale),
            Some((index, scale)) => {
                self.add_scaled(ADDRESS, base, index, scale);
                self.add_to(to, ADDRESS, displacement.into());
            }
        }
    }

    /// Fetches what lies at a place, which need not be readable.
    pub fn prefetch(&mut self, place: Mem) {
        self.access(Access::PREFETCH, 0, place);
    }

    /// The address of a label.
    pub fn lea_label(&mut self, to: Reg, label: Label) {
        self.refer_to(0x1000_0000 | to.bits(), label, Reach::Address);
    }

    pub fn mov_imm(&mut self, to: Reg, value: u64) {
        self.move_imm(to, value);
    }

    /// As few instructions as possible: quarters that are as the rest are left out.
    fn move_imm(&mut self, to: Reg, value: u64) {
        let quarters: [u16; 4] = std::array::from_fn(|i| (value >> (16 * i)) as u16);
        let count = |rest: u16| quarters.iter().filter(|quarter| **quarter != rest).count();
        let is_negative = count(0xFFFF) < count(0);
        let rest = if is_negative { 0xFFFF } else { 0 };
        if count(rest) > 1
            && let Some(bits) = bit_mask(value, true)
        {
            return self.word(0xB200_0000 | bits | ZERO << 5 | to.bits());
        }
        let mut is_first = true;
        for (number, quarter) in (0..).zip(quarters) {
            if quarter == rest && !(is_first && number == 3) {
                continue;
            }
            let (opcode, quarter) = match (is_first, is_negative) {
                (true, true) => (0x9280_0000, !quarter),
                (true, false) => (0xD280_0000, quarter),
                (false, _) => (0xF280_0000, quarter),
            };
            // All quarters are as the rest: the last one stands for them, and might as well be the first.
            let place = if quarter == 0 && is_first { 0 } else { number };
            self.word(opcode | place << 21 | u32::from(quarter) << 5 | to.bits());
            is_first = false;
        }
    }

    // ---- arithmetic ----

    pub fn alu(&mut self, op: Alu, to: Reg, from: Reg) {
        self.alu_of(true, op, to.bits(), to.bits(), from.bits());
    }

    pub fn alu32(&mut self, op: Alu, to: Reg, from: Reg) {
        self.alu_of(false, op, to.bits(), to.bits(), from.bits());
    }

    fn alu_of(&mut self, is_wide: bool, op: Alu, to: u32, one: u32, other: u32) {
        let wide = u32::from(is_wide) << 31;
        let opcode = match op {
            Alu::Add => 0x2B00_0000,
            Alu::Sub | Alu::Cmp => 0x6B00_0000,
            Alu::And => 0x6A00_0000,
            Alu::Or => 0x2A00_0000,
            Alu::Xor => 0x4A00_0000,
        };
        let to = if op == Alu::Cmp { ZERO } else { to };
        self.three(wide | opcode, to, one, other);
        self.set_flags_after(wide, op, to);
    }

    fn set_flags_after(&mut self, wide: u32, op: Alu, to: u32) {
        if matches!(op, Alu::Or | Alu::Xor) {
            self.three(wide | 0x6A00_0000, ZERO, to, to);
        }
        self.flags = match op {
            Alu::Add => Flags::Sum,
            Alu::Sub | Alu::Cmp => Flags::Difference,
            Alu::And | Alu::Or | Alu::Xor => Flags::Bits,
        };
    }

    pub fn alu_load(&mut self, op: Alu, to: Reg, from: Mem) {
        self.load(OPERAND, from);
        self.alu(op, to, OPERAND);
    }

    pub fn alu_load32(&mut self, op: Alu, to: Reg, from: Mem) {
        self.load32(OPERAND, from);
        self.alu32(op, to, OPERAND);
    }

    pub fn alu_imm(&mut self, op: Alu, to: Reg, value: i32) {
        self.alu_imm_of(true, op, to, value);
    }

    pub fn alu_imm32(&mut self, op: Alu, to: Reg, value: i32) {
        self.alu_imm_of(false, op, to, value);
    }

    fn alu_imm_of(&mut self, is_wide: bool, op: Alu, reg: Reg, value: i32) {
        if reg == Reg::RSP {
            let value = i64::from(value);
            return self.add_to(reg, reg, if op == Alu::Sub { -value } else { value });
        }
        let wide = u32::from(is_wide) << 31;
        let to = if op == Alu::Cmp { ZERO } else { reg.bits() };
        let number = if is_wide { i64::from(value) as u64 } else { u64::from(value as u32) };
        let word = match op {
            // To add a number is to subtract its negative, flags included; of zero alone that is not so.
            Alu::Add | Alu::Sub | Alu::Cmp => {
                let adds = (op == Alu::Add) == (value >= 0);
                let opcode = if adds { 0x3100_0000 } else { 0x7100_0000 };
                addend(u64::from(value.unsigned_abs())).map(|bits| opcode | bits)
            }
            Alu::And => bit_mask(number, is_wide).map(|bits| 0x7200_0000 | bits),
            Alu::Or => bit_mask(number, is_wide).map(|bits| 0x3200_0000 | bits),
            Alu::Xor => bit_mask(number, is_wide).map(|bits| 0x5200_0000 | bits),
        };
        match word {
            Some(word) => {
                self.word(wide | word | reg.bits() << 5 | to);
                self.set_flags_after(wide, op, to);
            }
            None => {
                self.move_imm(IMMEDIATE, number);
                self.alu_of(is_wide, op, reg.bits(), reg.bits(), IMMEDIATE.bits());
            }
        }
    }

    /// `op word at place, value`
    pub fn alu_at(&mut self, op: Alu, place: Mem, value: i32) {
        self.alu_at_of(3, op, place, value);
    }

    pub fn alu_at32(&mut self, op: Alu, place: Mem, value: i32) {
        self.alu_at_of(2, op, place, value);
    }

    fn alu_at_of(&mut self, shift: u8, op: Alu, place: Mem, value: i32) {
        let mut place = self.place(place, Access::of(shift, true));
        if let Place::Indexed(base, IMMEDIATE, _) = place {
            // The value may need the register.
            self.add_scaled(ADDRESS, base, IMMEDIATE, 0);
            place = Place::Scaled(ADDRESS, 0);
        }
        self.at(Access::of(shift, true), OPERAND.bits(), place);
        self.alu_imm_of(shift == 3, op, OPERAND, value);
        if op != Alu::Cmp {
            self.at(Access::of(shift, false), OPERAND.bits(), place);
        }
    }

    /// Compares a word that lies outside with a number, for [`Assembler::finish_at`].
    pub fn cmp_outside32(&mut self, word: usize, value: i32) {
        self.refer_outward(word, Outward::Load);
        self.alu_imm32(Alu::Cmp, OPERAND, value);
    }

    pub fn cmp_at8(&mut self, place: Mem, value: u8) {
        self.load8(OPERAND, place);
        self.alu_imm32(Alu::Cmp, OPERAND, value.into());
    }

    pub fn test_at8(&mut self, place: Mem, bits: u8) {
        self.load8(OPERAND, place);
        self.test32(OPERAND, bits.into());
    }

    pub fn test(&mut self, one: Reg, other: Reg) {
        self.three(0xEA00_0000, ZERO, one.bits(), other.bits());
        self.flags = Flags::Bits;
    }

    /// Bits of the lowest byte.
    pub fn test8(&mut self, reg: Reg, bits: u8) {
        self.test32(reg, bits.into());
    }

    /// The lowest byte, without a sign.
    pub fn cmp8(&mut self, reg: Reg, value: u8) {
        self.movzx8(OPERAND, reg);
        self.alu_imm32(Alu::Cmp, OPERAND, value.into());
    }

    pub fn test32(&mut self, reg: Reg, bits: u32) {
        match bit_mask(bits.into(), false) {
            Some(mask) => self.word(0x7200_0000 | mask | reg.bits() << 5 | ZERO),
            None => {
                self.move_imm(IMMEDIATE, bits.into());
                self.three(0x6A00_0000, ZERO, reg.bits(), IMMEDIATE.bits());
            }
        }
        self.flags = Flags::Bits;
    }

    pub fn sar(&mut self, reg: Reg, count: u8) {
        self.bit_field(0x9340_0000, reg, count.into(), 63);
    }

    pub fn shr(&mut self, reg: Reg, count: u8) {
        self.bit_field(0xD340_0000, reg, count.into(), 63);
    }

    pub fn shl(&mut self, reg: Reg, count: u8) {
        let count = u32::from(count);
        self.bit_field(0xD340_0000, reg, (64 - count) % 64, 63 - count);
    }

    pub fn shl32(&mut self, reg: Reg, count: u8) {
        let count = u32::from(count);
        self.bit_field(0x5300_0000, reg, (32 - count) % 32, 31 - count);
    }

    pub fn shr32(&mut self, reg: Reg, count: u8) {
        self.bit_field(0x5300_0000, reg, count.into(), 31);
    }

    fn bit_field(&mut self, opcode: u32, reg: Reg, rotation: u32, last: u32) {
        self.word(opcode | rotation << 16 | last << 10 | reg.bits() << 5 | reg.bits());
        self.flags = Flags::Shift { result: reg, is_wide: opcode >> 31 != 0, end: self.position() };
    }

    pub fn ror(&mut self, reg: Reg, count: u8) {
        self.three(0x93C0_0000 | u32::from(count) << 10, reg.bits(), reg.bits(), reg.bits());
    }

    pub fn rol(&mut self, reg: Reg, count: u8) {
        self.ror(reg, (64 - count) % 64);
    }

    /// By the number in the lowest six bits of rcx.
    pub fn sar_cl(&mut self, reg: Reg) {
        self.three(0x9AC0_2800, reg.bits(), reg.bits(), Reg::RCX.bits());
    }

    /// By the number in the lowest six bits of rcx.
    pub fn shl_cl(&mut self, reg: Reg) {
        self.three(0x9AC0_2000, reg.bits(), reg.bits(), Reg::RCX.bits());
    }

    /// The upper half of the product differs from the lower half's sign if there is overflow.
    pub fn imul(&mut self, to: Reg, from: Reg) {
        self.three(0x9B40_7C00, OPERAND.bits(), to.bits(), from.bits());
        self.three(0x9B00_7C00, to.bits(), to.bits(), from.bits());
        self.three(0xEB80_FC00, ZERO, OPERAND.bits(), to.bits());
        self.flags = Flags::Product;
    }

    /// rdx becomes the sign of rax.
    pub fn cqo(&mut self) {
        self.mov(Reg::RDX, Reg::RAX);
        self.sar(Reg::RDX, 63);
    }

    /// rax and rdx become quotient and remainder of rax, whose sign is in rdx. Nothing traps: division by zero is zero.
    pub fn idiv(&mut self, by: Reg) {
        self.three(0x9AC0_0C00, OPERAND.bits(), Reg::RAX.bits(), by.bits());
        self.remainder(by);
    }

    /// eax and edx become quotient and remainder of both together, without a sign.
    pub fn div32(&mut self, by: Reg) {
        let dividend = Reg::RAX;
        self.mov32(dividend, dividend);
        self.three(0xAA00_8000, dividend.bits(), dividend.bits(), Reg::RDX.bits());
        self.mov32(ADDRESS, by);
        self.three(0x9AC0_0800, OPERAND.bits(), dividend.bits(), ADDRESS.bits());
        self.remainder(ADDRESS);
    }

    /// The quotient is in the register for operands.
    fn remainder(&mut self, by: Reg) {
        self.three(0x9B00_8000 | Reg::RAX.bits() << 10, Reg::RDX.bits(), OPERAND.bits(), by.bits());
        self.mov(Reg::RAX, OPERAND);
    }

    pub fn movzx8(&mut self, to: Reg, from: Reg) {
        self.word(0x5300_1C00 | from.bits() << 5 | to.bits());
    }

    /// "Below" if the bit of a register whose number is in another one, modulo 32, is set.
    pub fn bit_test32(&mut self, bits: Reg, number: Reg) {
        self.three(0x1AC0_2400, OPERAND.bits(), bits.bits(), number.bits());
        self.word(0x1200_0000 | OPERAND.bits() << 5 | OPERAND.bits());
        // Zero is below one.
        self.three(0x6B00_0000, ZERO, ZERO, OPERAND.bits());
        self.flags = Flags::Bit;
    }

    pub fn cmov32(&mut self, condition: Condition, to: Reg, from: Reg) {
        let condition = self.asked(condition);
        self.three(0x1A80_0000 | condition << 12, to.bits(), from.bits(), to.bits());
    }

    // ---- doubles ----

    /// A double of the first two = the bits of a register.
    pub fn double_of(&mut self, to: u8, from: Reg) {
        self.double_of_bits(Xmm(to), from);
    }

    pub fn bits_of_double(&mut self, to: Reg, from: u8) {
        self.bits_of(to, Xmm(from));
    }

    /// The first one = the first one op the second one.
    pub fn sse(&mut self, op: Sse) {
        self.sse_with(op, Xmm(0), Xmm(1));
    }

    /// Compares two of the first; what is not ordered is "below" and "parity".
    pub fn compare_doubles(&mut self, one: u8, other: u8) {
        self.compare_xmm(Xmm(one), Xmm(other));
    }

    pub fn move_double(&mut self, to: Xmm, from: Xmm) {
        self.three(0x4EA0_1C00, double(to), double(from), double(from));
    }

    /// `to = to op from`
    pub fn sse_with(&mut self, op: Sse, to: Xmm, from: Xmm) {
        let opcode = match op {
            Sse::Add => 0x1E60_2800,
            Sse::Multiply => 0x1E60_0800,
            Sse::Subtract => 0x1E60_3800,
            Sse::Divide => 0x1E60_1800,
        };
        self.three(opcode, double(to), double(to), double(from));
    }

    /// All sixteen bytes become zero.
    pub fn clear_double(&mut self, of: Xmm) {
        self.word(0x6F00_E400 | double(of));
    }

    /// Stores all sixteen bytes, anywhere.
    pub fn store_pair(&mut self, to: Mem, from: Xmm) {
        self.access(Access::STORE_PAIR, double(from), to);
    }

    pub fn double_of_bits(&mut self, to: Xmm, from: Reg) {
        self.word(0x9E67_0000 | from.bits() << 5 | double(to));
    }

    pub fn bits_of(&mut self, to: Reg, from: Xmm) {
        self.word(0x9E66_0000 | double(from) << 5 | to.bits());
    }

    /// The double nearest to a whole number.
    pub fn double_of_integer(&mut self, to: Xmm, from: Reg) {
        self.word(0x9E62_0000 | from.bits() << 5 | double(to));
    }

    /// As [`compare_doubles`](Self::compare_doubles).
    pub fn compare_xmm(&mut self, one: Xmm, other: Xmm) {
        self.three(0x1E60_2000, 0, double(one), double(other));
        self.flags = Flags::Doubles;
    }

    // ---- jumps ----

    /// The condition's number, given what has set the flags.
    fn asked(&mut self, condition: Condition) -> u32 {
        use Condition as If;
        const EQ: u32 = 0;
        const NE: u32 = 1;
        const HS: u32 = 2;
        const LO: u32 = 3;
        const MI: u32 = 4;
        const PL: u32 = 5;
        const VS: u32 = 6;
        const VC: u32 = 7;
        const HI: u32 = 8;
        const LS: u32 = 9;
        const GE: u32 = 10;
        const LT: u32 = 11;
        const GT: u32 = 12;
        const LE: u32 = 13;
        if let Flags::Shift { result, is_wide, end } = self.flags
            && end == self.position()
            && matches!(condition, If::Equal | If::NotEqual)
        {
            self.three(u32::from(is_wide) << 31 | 0x6A00_0000, ZERO, result.bits(), result.bits());
            self.flags = Flags::Bits;
        }
        match (self.flags, condition) {
            (Flags::Doubles, If::Below) => LT,
            (Flags::Doubles, If::AboveOrEqual) => GE,
            (Flags::Doubles, If::BelowOrEqual) => LE,
            (Flags::Doubles, If::Above) => GT,
            (Flags::Doubles, If::Parity) => VS,
            (Flags::Doubles, If::NoParity) => VC,
            (Flags::Doubles | Flags::Difference | Flags::Sum | Flags::Bits, If::Equal) => EQ,
            (Flags::Doubles | Flags::Difference | Flags::Sum | Flags::Bits, If::NotEqual) => NE,
            (Flags::Difference | Flags::Bit, If::Below) => LO,
            (Flags::Difference | Flags::Bit, If::AboveOrEqual) => HS,
            (Flags::Difference, If::BelowOrEqual) => LS,
            (Flags::Difference, If::Above) => HI,
            (Flags::Difference | Flags::Sum, If::Overflow) => VS,
            (Flags::Product, If::Overflow) => NE,
            (Flags::Difference | Flags::Sum | Flags::Bits, If::Sign) => MI,
            (Flags::Difference | Flags::Sum | Flags::Bits, If::NoSign) => PL,
            (Flags::Difference | Flags::Sum | Flags::Bits, If::Less) => LT,
            (Flags::Difference | Flags::Sum | Flags::Bits, If::GreaterOrEqual) => GE,
            (Flags::Difference | Flags::Sum | Flags::Bits, If::LessOrEqual) => LE,
            (Flags::Difference | Flags::Sum | Flags::Bits, If::Greater) => GT,
            (flags, condition) => panic!("nothing means {condition:?} after {flags:?}"),
        }
    }

    pub fn jump(&mut self, to: Label) {
        self.refer_to(0x1400_0000, to, Reach::Jump);
    }

    pub fn jump_if(&mut self, condition: Condition, to: Label) {
        let condition = self.asked(condition);
        self.refer_to(0x5400_0000 | condition, to, Reach::Conditional);
    }

    /// As [`Assembler::jump`]: what is nearer takes no less room.
    pub fn jump_short(&mut self, to: Label) {
        self.jump(to);
    }

    /// As [`Assembler::jump_if`].
    pub fn jump_short_if(&mut self, condition: Condition, to: Label) {
        self.jump_if(condition, to);
    }

    /// To code outside, for [`Assembler::finish_at`].
    pub fn jump_out(&mut self, to: usize) {
        self.refer_outward(to, Outward::Jump);
    }

    /// Calls code outside, for [`Assembler::finish_at`].
    pub fn call_out(&mut self, to: usize) {
        self.push(Reg::LINK);
        self.refer_outward(to, Outward::Call);
        self.pop(Reg::LINK);
    }

    pub fn call(&mut self, to: Label) {
        self.push(Reg::LINK);
        self.refer_to(0x9400_0000, to, Reach::Jump);
        self.pop(Reg::LINK);
    }

    pub fn call_to(&mut self, reg: Reg) {
        self.push(Reg::LINK);
        self.word(CALL_TO | reg.bits() << 5);
        self.pop(Reg::LINK);
    }

    pub fn call_through(&mut self, place: Mem) {
        self.load(ADDRESS, place);
        self.call_to(ADDRESS);
    }

    /// What was called will not return, and goes on as if its caller did.
    pub fn forget_call(&mut self) {
        self.pop(Reg::LINK);
    }

    /// rax = what a function has returned.
    pub fn take_result(&mut self) {
        self.mov(Reg::RAX, Reg::RESULT);
    }

    /// To where the link register leads.
    pub fn ret(&mut self) {
        self.word(0xD65F_0000 | Reg::LINK.bits() << 5);
    }

    /// Takes 16 bytes of the stack.
    pub fn push(&mut self, reg: Reg) {
        self.word(0xF81F_0C00 | Reg::RSP.bits() << 5 | reg.bits());
    }

    pub fn pop(&mut self, reg: Reg) {
        self.word(0xF841_0400 | Reg::RSP.bits() << 5 | reg.bits());
    }

    pub fn jump_to(&mut self, reg: Reg) {
        self.word(JUMP_TO | reg.bits() << 5);
    }

    pub fn jump_through(&mut self, place: Mem) {
        self.load(ADDRESS, place);
        self.jump_to(ADDRESS);
    }
}

const NOP: u32 = 0xD503_201F;
const JUMP_TO: u32 = 0xD61F_0000;
const CALL_TO: u32 = 0xD63F_0000;

impl Reg {
    fn bits(self) -> u32 {
        self.0.into()
    }
}

/// The number of a register for doubles that callees need not keep.
fn double(register: Xmm) -> u32 {
    u32::from(register.0) + if register.0 < 8 { 0 } else { 8 }
}

/// The words of an instruction at `place` that leads to an address.
fn outward(place: usize, address: usize, way: Outward) -> [u32; 3] {
    let distance = |from: usize| signed(address.wrapping_sub(from) as i64 >> 2, 26);
    // A call comes last, so that it returns behind it.
    match (way, distance(place), distance(place + 8)) {
        (Outward::Jump, Some(words), _) => return [0x1400_0000 | words, NOP, NOP],
        (Outward::Call, _, Some(words)) => return [NOP, NOP, 0x9400_0000 | words],
        _ => {}
    }
    let pages = (address >> 12) as i64 - (place >> 12) as i64;
    let to = if matches!(way, Outward::Load) { OPERAND } else { ADDRESS }.bits();
    let page = 0x9000_0000 | halves(signed(pages, 21).expect("code lies near what it leaves for")) | to;
    let below = (address as u32 & 0xFFF) << 10 | to << 5 | to;
    let end = match way {
        Outward::Jump => JUMP_TO | to << 5,
        Outward::Call => CALL_TO | to << 5,
        // What is added to the page may be no multiple of four, so it is added first.
        Outward::Load => 0xB940_0000 | to << 5 | to,
    };
    [page, 0x9100_0000 | below, end]
}

/// The lowest bits of a number that they are enough for.
fn signed(number: i64, bits: u32) -> Option<u32> {
    let limit = 1 << (bits - 1);
    (-limit..limit).contains(&number).then_some(number as u32 & ((1 << bits) - 1))
}

/// 21 bits, as instructions that make addresses have them: the lowest two apart.
fn halves(bits: u32) -> u32 {
    (bits & 3) << 29 | bits >> 2 << 5
}

/// A number that can be added at once: twelve bits, or twelve followed by twelve zeroes.
fn addend(number: u64) -> Option<u32> {
    match number {
        0..=0xFFF => Some((number as u32) << 10),
        _ if number & 0xFFF == 0 && number >> 24 == 0 => Some(1 << 22 | (number as u32 >> 12) << 10),
        _ => None,
    }
}

/// A number as operations on bits have them: a run of ones, rotated within a piece of 2 to 64 bits that is repeated.
fn bit_mask(number: u64, is_wide: bool) -> Option<u32> {
    let number = if is_wide { number } else { number & 0xFFFF_FFFF | number << 32 };
    if number == 0 || number == u64::MAX {
        return None;
    }
    let mut size = 64;
    while size > 2 && number.rotate_right(size / 2) == number {
        size /= 2;
    }
    let piece = number & (u64::MAX >> (64 - size));
    let ones = piece.count_ones();
    // Repeated pieces rotate as one does.
    let run = |at: u32| number.rotate_left(at) & (u64::MAX >> (64 - size)) == u64::MAX >> (64 - ones);
    let rotation = (0..size).find(|at| run(*at))?;
    let is_whole = u32::from(size == 64);
    Some(is_whole << 22 | rotation << 16 | (size.wrapping_mul(2).wrapping_neg() & 0x3F | (ones - 1)) << 10)
}
