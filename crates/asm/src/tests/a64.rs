//! What is assembled for aarch64, as objdump reads it.

use super::{disassembled_by, say};
use crate::a64::{Assembler, Mem, Reg as R};
use crate::{Alu, Condition as If, Sse, Xmm};

/// What objdump makes of the instructions; `None` where there is none that knows them.
fn disassembled(bytes: &[u8]) -> Option<Vec<String>> {
    let args = ["-D", "-b", "binary", "-m", "aarch64", "--no-show-raw-insn"];
    let lines = disassembled_by("aarch64-linux-gnu-objdump", &args, bytes);
    // A comment repeats numbers.
    Some(lines?.into_iter().map(|line| line.split(" //").next().unwrap_or_default().to_string()).collect())
}

#[test]
fn there_is_something_to_compare_with() {
    if disassembled(&[0; 4]).is_none() {
        say("no aarch64-linux-gnu-objdump: nothing that is assembled for aarch64 was read");
    }
}

/// Compares what is assembled with what it is to read: instructions, separated by semicolons.
fn check(expected: &str, assemble: impl FnOnce(&mut Assembler)) {
    let mut a = Assembler::new();
    assemble(&mut a);
    if let Some(read) = disassembled(a.finish_at(crate::Placement::together(0, a.position()))) {
        assert_eq!(read.join("; "), expected);
    }
}

#[test]
fn moves() {
    check("mov x8, x7; mov w5, w4; mov x8, sp; mov sp, x3", |a| {
        a.mov(R::RAX, R::R11);
        a.mov32(R::R9, R::R8);
        a.mov(R::RAX, R::RSP);
        a.mov(R::RSP, R::RCX);
    });
    check(
        "mov x5, #0xc; mov x8, #0xffffffffffffffff; mov x3, #0x9abc; movk x3, #0x5678, lsl #16; movk x3, #0x1234, lsl #32",
        |a| {
            a.mov_imm(R::R9, 12);
            a.mov_imm(R::RAX, u64::MAX);
            a.mov_imm(R::RCX, 0x1234_5678_9ABC);
        },
    );
    check("mov x0, #0x0; mov x0, #0x1000000000000; mov x0, #0xfffffffffffeffff; mov x0, #0xff00ff00ff00ff00", |a| {
        a.mov_imm(R::RDI, 0);
        a.mov_imm(R::RDI, 1 << 48);
        a.mov_imm(R::RDI, !0x1_0000);
        a.mov_imm(R::RDI, 0xFF00_FF00_FF00_FF00);
    });
    check("uxtb w8, w8; cmp x8, x5; csel w8, w5, w8, hi", |a| {
        a.movzx8(R::RAX, R::RAX);
        a.alu(Alu::Cmp, R::RAX, R::R9);
        a.cmov32(If::Above, R::RAX, R::R9);
    });
}

#[test]
fn places() {
    check("ldur x4, [x1, #-56]; ldr x4, [x1, #800]; str x8, [x1, #1024]; str w4, [x8, #4]; ldrb w8, [x0, #1]", |a| {
        a.load(R::R8, Mem::at(R::RSI, -56));
        a.load(R::R8, Mem::at(R::RSI, 800));
        a.store(Mem::at(R::RSI, 1024), R::RAX);
        a.store32(Mem::at(R::RAX, 4), R::R8);
        a.load8(R::RAX, Mem::at(R::RDI, 1));
    });
    check("ldurh w5, [x0, #-6]; ldr w4, [x8, #4]; ldur x4, [sp, #12]; ldr x21, [sp, #8]", |a| {
        a.load16(R::R9, Mem::at(R::RDI, -6));
        a.load32(R::R8, Mem::at(R::RAX, 4));
        a.load(R::R8, Mem::at(R::RSP, 12));
        a.load(R::R12, Mem::at(R::RSP, 8));
    });
    check("mov x16, #0x8000; ldr x4, [x1, x16]; mov x16, #0xfffffffffffffc00; ldr w4, [x1, x16]", |a| {
        a.load(R::R8, Mem::at(R::RSI, 0x8000));
        a.load32(R::R8, Mem::at(R::RSI, -1024));
    });
    check("ldr x19, [x22, x20, lsl #3]; ldr x8, [x8, x4]; ldrb w8, [x0, x4]; ldr x8, [sp, x4, lsl #3]", |a| {
        a.load(R::RBX, Mem::word(R::R13, R::RBP, 0));
        a.load(R::RAX, Mem::byte(R::RAX, R::R8, 0));
        a.load8(R::RAX, Mem::byte(R::RDI, R::R8, 0));
        a.load(R::RAX, Mem::word(R::RSP, R::R8, 0));
    });
    check(
        "add x16, x4, x5, uxtx #3; ldr x8, [x16, #8]; add x16, x4, x5, uxtx #3; ldr w8, [x16]; add x16, sp, x5; mov x15, #0x4567; movk x15, #0x123, lsl #16; ldrb w8, [x16, x15]",
        |a| {
            a.load(R::RAX, Mem::word(R::R8, R::R9, 8));
            a.load32(R::RAX, Mem::word(R::R8, R::R9, 0));
            a.load8(R::RAX, Mem::byte(R::RSP, R::R9, 0x0123_4567));
        },
    );
    check(
        "mov x17, #0x4; stur x17, [x0, #-24]; mov x17, #0x7; stur w17, [x2, #2]; str xzr, [x2]; mov x17, #0xfffffffffffffffe; str x17, [x2]; mov x17, #0xfffffffe; str w17, [x2]",
        |a| {
            a.store_imm(Mem::at(R::RDI, -24), 4);
            a.store_imm32(Mem::at(R::RDX, 2), 7);
            a.store_imm(Mem::at(R::RDX, 0), 0);
            a.store_imm(Mem::at(R::RDX, 0), -2);
            a.store_imm32(Mem::at(R::RDX, 0), -2);
        },
    );
    check(
        "add x8, x0, x8, uxtx #3; sub x8, x1, #0x28; add x16, x3, x8, uxtx; add x8, x16, #0x10; mov x15, #0x1001; add x0, x1, x15, uxtx",
        |a| {
            a.lea(R::RAX, Mem::word(R::RDI, R::RAX, 0));
            a.lea(R::RAX, Mem::at(R::RSI, -40));
            a.lea(R::RAX, Mem::byte(R::RCX, R::RAX, 16));
            a.lea(R::RDI, Mem::at(R::RSI, 4097));
        },
    );
    check("prfm pldl1keep, [x3]; prfum pldl1keep, [x3, #-8]; prfm pldl1keep, [x3, x4, lsl #3]", |a| {
        a.prefetch(Mem::at(R::RCX, 0));
        a.prefetch(Mem::at(R::RCX, -8));
        a.prefetch(Mem::word(R::RCX, R::R8, 0));
    });
}

#[test]
fn arithmetic() {
    check(
        "ands x5, x5, x4; cmp w8, w5; adds x8, x8, x0; subs w8, w8, w0; orr x8, x8, x1; tst x8, x8; eor w8, w8, w1; tst w8, w8",
        |a| {
            a.alu(Alu::And, R::R9, R::R8);
            a.alu32(Alu::Cmp, R::RAX, R::R9);
            a.alu(Alu::Add, R::RAX, R::RDI);
            a.alu32(Alu::Sub, R::RAX, R::RDI);
            a.alu(Alu::Or, R::RAX, R::RSI);
            a.alu32(Alu::Xor, R::RAX, R::RSI);
        },
    );
    check("ldr x17, [x3, #8]; cmp x4, x17; ldr w17, [x3, #256]; subs w4, w4, w17", |a| {
        a.alu_load(Alu::Cmp, R::R8, Mem::at(R::RCX, 8));
        a.alu_load32(Alu::Sub, R::R8, Mem::at(R::RCX, 256));
    });
    check(
        "subs x8, x8, #0x1; adds x6, x6, #0x3e8; adds x6, x6, #0x1, lsl #12; subs x6, x6, #0x2; adds x6, x6, #0x2; cmn x6, #0x2; cmp w6, #0x0",
        |a| {
            a.alu_imm(Alu::Sub, R::RAX, 1);
            a.alu_imm(Alu::Add, R::R10, 1000);
            a.alu_imm(Alu::Add, R::R10, 4096);
            a.alu_imm(Alu::Add, R::R10, -2);
            a.alu_imm(Alu::Sub, R::R10, -2);
            a.alu_imm(Alu::Cmp, R::R10, -2);
            a.alu_imm32(Alu::Cmp, R::R10, 0);
        },
    );
    check(
        "mov x15, #0x1001; cmp x8, x15; mov x15, #0xffffffff80000000; adds x8, x8, x15; mov x15, #0x80000000; cmp w8, w15",
        |a| {
            a.alu_imm(Alu::Cmp, R::RAX, 4097);
            a.alu_imm(Alu::Add, R::RAX, i32::MIN);
            a.alu_imm32(Alu::Cmp, R::RAX, i32::MIN);
        },
    );
    check(
        "ands w6, w6, #0xc000; ands x6, x6, #0xfffffffffffffff8; orr x6, x6, #0x1; tst x6, x6; mov x15, #0x5; eor x6, x6, x15; tst x6, x6",
        |a| {
            a.alu_imm32(Alu::And, R::R10, 0xC000);
            a.alu_imm(Alu::And, R::R10, -8);
            a.alu_imm(Alu::Or, R::R10, 1);
            a.alu_imm(Alu::Xor, R::R10, 5);
        },
    );
    check("sub sp, sp, #0x40; add sp, sp, #0x40", |a| {
        a.alu_imm(Alu::Sub, R::RSP, 64);
        a.alu_imm(Alu::Add, R::RSP, 64);
    });
    check(
        "ldr x17, [x2, #4096]; cmp x17, #0x0; ldr w17, [x3]; cmn w17, #0x2; ldr w17, [x3, #4]; subs w17, w17, #0x1; str w17, [x3, #4]",
        |a| {
            a.alu_at(Alu::Cmp, Mem::at(R::RDX, 4096), 0);
            a.alu_at32(Alu::Cmp, Mem::at(R::RCX, 0), -2);
            a.alu_at32(Alu::Sub, Mem::at(R::RCX, 4), 1);
        },
    );
    check(
        "add x16, x3, x4, uxtx #3; mov x15, #0x5678; movk x15, #0x1234, lsl #16; add x16, x16, x15, uxtx; ldr x17, [x16]; mov x15, #0x1001; adds x17, x17, x15; str x17, [x16]",
        |a| a.alu_at(Alu::Add, Mem::word(R::RCX, R::R8, 0x1234_5678), 4097),
    );
}

#[test]
fn bits_and_numbers() {
    check(
        "ldrb w17, [x2, #16]; cmp w17, #0x0; ldrb w17, [x4, #16]; tst w17, #0x2; tst x5, x5; tst w5, #0x1; tst w4, #0xc000; mov x15, #0x5; tst w4, w15",
        |a| {
            a.cmp_at8(Mem::at(R::RDX, 16), 0);
            a.test_at8(Mem::at(R::R8, 16), 2);
            a.test(R::R9, R::R9);
            a.test8(R::R9, 1);
            a.test32(R::R8, 0xC000);
            a.test32(R::R8, 5);
        },
    );
    check("uxtb w17, w8; cmp w17, #0x89", |a| a.cmp8(R::RAX, 137));
    check(
        "asr x5, x5, #1; lsr x8, x8, #16; lsr w4, w4, #16; ror x8, x8, #3; ror x4, x4, #61; lsl x5, x5, #5; lsl w4, w4, #5; asr x8, x8, x3; lsl x7, x7, x3",
        |a| {
            a.sar(R::R9, 1);
            a.shr(R::RAX, 16);
            a.shr32(R::R8, 16);
            a.ror(R::RAX, 3);
            a.rol(R::R8, 3);
            a.shl(R::R9, 5);
            a.shl32(R::R8, 5);
            a.sar_cl(R::RAX);
            a.shl_cl(R::R11);
        },
    );
    check("lsr x8, x8, #32; tst x8, x8; b.eq 0x18; lsr w4, w4, #2; tst w4, w4; b.ne 0x18", |a| {
        let next = a.label();
        a.shr(R::RAX, 32);
        a.jump_if(If::Equal, next);
        a.shr32(R::R8, 2);
        a.jump_if(If::NotEqual, next);
        a.bind(next);
    });
    check("smulh x17, x8, x4; mul x8, x8, x4; cmp x17, x8, asr #63", |a| a.imul(R::RAX, R::R8));
    check("mov x2, x8; asr x2, x2, #63; sdiv x17, x8, x4; msub x2, x17, x4, x8; mov x8, x17", |a| {
        a.cqo();
        a.idiv(R::R8);
    });
    check(
        "mov w8, w8; orr x8, x8, x2, lsl #32; mov w16, w3; udiv x17, x8, x16; msub x2, x17, x16, x8; mov x8, x17",
        |a| {
            a.div32(R::RCX);
        },
    );
    check("lsr w17, w6, w8; and w17, w17, #0x1; cmp wzr, w17; b.cc 0x10", |a| {
        a.bit_test32(R::R10, R::RAX);
        let next = a.label();
        a.jump_if(If::Below, next);
        a.bind(next);
    });
}

#[test]
fn doubles() {
    check(
        "fmov d1, x4; fmov x4, d0; fmul d0, d0, d1; fcmp d1, d0; mov v17.16b, v2.16b; fdiv d1, d1, d20; fmov d23, x4; fmov x8, d18",
        |a| {
            a.double_of(1, R::R8);
            a.bits_of_double(R::R8, 0);
            a.sse(Sse::Multiply);
            a.compare_doubles(1, 0);
            a.move_double(Xmm(9), Xmm(2));
            a.sse_with(Sse::Divide, Xmm(1), Xmm(12));
            a.double_of_bits(Xmm(15), R::R8);
            a.bits_of(R::RAX, Xmm(10));
        },
    );
    check(
        "scvtf d3, x24; fcmp d2, d19; fadd d0, d0, d7; fsub d0, d0, d16; movi v16.2d, #0x0; str q16, [x1, #16]; stur q0, [x1, #-8]; str q0, [x1, x4]",
        |a| {
            a.double_of_integer(Xmm(3), R::R15);
            a.compare_xmm(Xmm(2), Xmm(11));
            a.sse_with(Sse::Add, Xmm(0), Xmm(7));
            a.sse_with(Sse::Subtract, Xmm(0), Xmm(8));
            a.clear_double(Xmm(8));
            a.store_pair(Mem::at(R::RSI, 16), Xmm(8));
            a.store_pair(Mem::at(R::RSI, -8), Xmm(0));
            a.store_pair(Mem::byte(R::RSI, R::R8, 0), Xmm(0));
        },
    );
}

#[test]
fn jumps() {
    check(
        "b 0x10; str x30, [sp, #-16]!; bl 0x10; ldr x30, [sp], #16; adr x0, 0x0; str x30, [sp, #-16]!; blr x4; ldr x30, [sp], #16; br x8; ret; str x1, [sp, #-16]!; ldr x7, [sp], #16; ldr x30, [sp], #16; mov x8, x0",
        |a| {
            let (start, next) = (a.label(), a.label());
            a.bind(start);
            a.jump(next);
            a.call(next);
            a.bind(next);
            a.lea_label(R::RDI, start);
            a.call_to(R::R8);
            a.jump_to(R::RAX);
            a.ret();
            a.push(R::RSI);
            a.pop(R::R11);
            a.forget_call();
            a.take_result();
        },
    );
    check(
        "ldr x16, [x2, x8, lsl #3]; br x16; ldr x16, [x4, #64]; str x30, [sp, #-16]!; blr x16; ldr x30, [sp], #16",
        |a| {
            a.jump_through(Mem::word(R::RDX, R::RAX, 0));
            a.call_through(Mem::at(R::R8, 64));
        },
    );
    check(
        "b 0x1000; nop; nop; str x30, [sp, #-16]!; nop; nop; bl 0x10000; ldr x30, [sp], #16; adrp x16, 0x40000000; add x16, x16, #0x124; br x16; str x30, [sp, #-16]!; adrp x16, 0x40000000; add x16, x16, #0x124; blr x16; ldr x30, [sp], #16",
        |a| {
            a.jump_out(0x1000);
            a.call_out(0x1_0000);
            a.jump_out(0x4000_0124);
            a.call_out(0x4000_0124);
        },
    );
    check("adrp x17, 0x2000; add x17, x17, #0x4; ldr w17, [x17]; cmp w17, #0x5", |a| a.cmp_outside32(0x2004, 5));
}

/// Each condition after each instruction that it may be asked of.
#[test]
fn conditions_depend_on_what_set_the_flags() {
    let names = |set: fn(&mut Assembler), conditions: &[If]| {
        let mut a = Assembler::new();
        let end = a.label();
        for condition in conditions {
            set(&mut a);
            a.jump_if(*condition, end);
        }
        a.bind(end);
        let read = disassembled(a.finish())?;
        let jumps = read.iter().filter_map(|line| line.strip_prefix("b.")?.split(' ').next().map(str::to_string));
        Some(jumps.collect::<Vec<_>>().join(" "))
    };
    let check = |set: fn(&mut Assembler), conditions: &[If], expected: &str| {
        if let Some(read) = names(set, conditions) {
            assert_eq!(read, expected);
        }
    };
    let unsigned = [If::Below, If::AboveOrEqual, If::BelowOrEqual, If::Above];
    let signed = [If::Less, If::GreaterOrEqual, If::LessOrEqual, If::Greater];
    let plain = [If::Equal, If::NotEqual, If::Sign, If::NoSign];
    let compare: fn(&mut Assembler) = |a| a.alu(Alu::Cmp, R::RAX, R::R8);
    check(compare, &unsigned, "cc cs ls hi");
    check(compare, &signed, "lt ge le gt");
    check(compare, &plain, "eq ne mi pl");
    check(compare, &[If::Overflow], "vs");
    check(|a| a.alu(Alu::Add, R::RAX, R::R8), &[If::Overflow, If::Equal, If::Sign], "vs eq mi");
    check(|a| a.imul(R::RAX, R::R8), &[If::Overflow], "ne");
    check(|a| a.test(R::RAX, R::R8), &plain, "eq ne mi pl");
    let doubles: fn(&mut Assembler) = |a| a.compare_doubles(0, 1);
    check(doubles, &unsigned, "lt ge le gt");
    check(doubles, &[If::Equal, If::NotEqual, If::Parity, If::NoParity], "eq ne vs vc");
}

#[test]
#[should_panic(expected = "nothing means Below after Sum")]
fn a_condition_that_would_mean_something_else_is_refused() {
    let mut a = Assembler::new();
    let end = a.label();
    a.alu(Alu::Add, R::RAX, R::R8);
    a.jump_if(If::Below, end);
}

#[test]
#[should_panic(expected = "nothing means Equal after Unknown")]
fn a_condition_is_not_asked_across_a_label() {
    let mut a = Assembler::new();
    let here = a.label();
    a.alu(Alu::Cmp, R::RAX, R::R8);
    a.bind(here);
    a.jump_if(If::Equal, here);
}

#[test]
#[should_panic(expected = "nothing means Equal after Shift")]
fn a_shift_is_asked_for_its_result_at_once() {
    let mut a = Assembler::new();
    let here = a.label();
    a.shr(R::RAX, 1);
    a.mov_imm(R::RAX, 1);
    a.jump_if(If::Equal, here);
}

/// All numbers of some bits that an instruction can have at once: objdump reads the number that was asked for.
#[test]
fn runs_of_ones_are_immediates() {
    let (mut a, mut expected) = (Assembler::new(), Vec::new());
    for size in [2, 4, 8, 16, 32, 64] {
        for ones in 1..size {
            for rotation in [0, 1, ones, size - 1] {
                let mut piece = u64::MAX >> (64 - ones);
                for _ in 0..rotation % size {
                    piece = (piece << 1 | piece >> (size - 1)) & u64::MAX >> (64 - size);
                }
                let number = (0..64 / size).fold(0, |all, at| all | piece << (at * size));
                let at = a.position();
                a.mov_imm(R::RAX, number);
                assert_eq!(a.position() - at, 4, "{number:#x} takes one instruction");
                expected.push(format!("mov x8, #{number:#x}"));
            }
        }
    }
    if let Some(read) = disassembled(a.finish()) {
        assert_eq!(read, expected);
    }
}
