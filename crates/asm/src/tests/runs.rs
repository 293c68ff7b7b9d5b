//! The same calls make functions for either machine, and both compute what Rust does. Those for aarch64 run in a program of their own,
//! under an emulator where that is not the machine.

use super::*;

/// A function of two numbers, and what it is to answer.
struct Case {
    name: &'static str,
    bytes: Vec<u8>,
    calls: Vec<([u64; 2], u64)>,
}

const NUMBERS: [u64; 14] = [
    0,
    1,
    2,
    5,
    63,
    0x89,
    0x7FFF_FFFF,
    0x8000_0000,
    0xFFFF_FFFF,
    0x1234_5678_9ABC_DEF0,
    i64::MAX as u64,
    i64::MIN as u64,
    u64::MAX - 1,
    u64::MAX,
];

const DOUBLES: [f64; 8] = [0.0, -0.0, 1.5, -2.25, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];

fn with_all(answer: impl Fn(u64, u64) -> u64) -> Vec<([u64; 2], u64)> {
    let pairs = NUMBERS.into_iter().flat_map(|one| NUMBERS.map(|other| [one, other]));
    pairs.map(|pair| (pair, answer(pair[0], pair[1]))).collect()
}

/// The second one makes no difference.
fn with_each(answer: impl Fn(u64) -> u64) -> Vec<([u64; 2], u64)> {
    NUMBERS.map(|one| ([one, 0], answer(one))).into()
}

fn with_doubles(answer: impl Fn(f64, f64) -> u64) -> Vec<([u64; 2], u64)> {
    let pairs = DOUBLES.into_iter().flat_map(|one| DOUBLES.map(|other| [one, other]));
    pairs.map(|pair| (pair.map(f64::to_bits), answer(pair[0], pair[1]))).collect()
}

/// One bit for each condition that holds after the comparison of two numbers.
fn compared(one: i64, other: i64, has_overflow: bool) -> u64 {
    let (unsigned_one, unsigned_other) = (one as u64, other as u64);
    let mut holds = vec![
        unsigned_one < unsigned_other,
        unsigned_one >= unsigned_other,
        one == other,
        one != other,
        unsigned_one <= unsigned_other,
        unsigned_one > unsigned_other,
        one < other,
        one >= other,
        one <= other,
        one > other,
        one.wrapping_sub(other) < 0,
        one.wrapping_sub(other) >= 0,
    ];
    holds.push(has_overflow);
    bits(&holds)
}

fn bits(holds: &[bool]) -> u64 {
    holds.iter().enumerate().map(|(at, holds)| u64::from(*holds) << at).sum()
}

const CONDITIONS: [Condition; 13] = {
    use Condition::*;
    [
        Below,
        AboveOrEqual,
        Equal,
        NotEqual,
        BelowOrEqual,
        Above,
        Less,
        GreaterOrEqual,
        LessOrEqual,
        Greater,
        Sign,
        NoSign,
        Overflow,
    ]
};

/// `cases` by one of the assemblers.
macro_rules! cases {
    ($assembler:ident) => {
        mod $assembler {
            use super::*;
            use crate::$assembler::{Assembler, Mem, Reg as R};

            fn function(name: &'static str, calls: Vec<([u64; 2], u64)>, body: impl FnOnce(&mut Assembler)) -> Case {
                let mut a = Assembler::new();
                body(&mut a);
                a.ret();
                Case { name, bytes: a.finish().to_vec(), calls }
            }

            /// rax = a bit for each condition that holds after the comparison.
            fn asked(a: &mut Assembler, conditions: &[Condition], compare: impl Fn(&mut Assembler)) {
                a.mov_imm(R::R11, 0);
                for (number, condition) in conditions.iter().enumerate() {
                    let (holds, next) = (a.label(), a.label());
                    compare(a);
                    a.jump_if(*condition, holds);
                    a.jump_short(next);
                    a.bind(holds);
                    a.alu_imm(Alu::Or, R::R11, 1 << number);
                    a.bind(next);
                }
                a.mov(R::RAX, R::R11);
            }

            fn jumping(all: &mut Vec<Case>) {
                all.push(function("sum", vec![([10, 0], 55), ([0, 0], 0)], |a| {
                    let (back, end) = (a.label(), a.label());
                    a.mov_imm(R::RAX, 0);
                    a.bind(back);
                    a.test(R::RDI, R::RDI);
                    a.jump_short_if(Condition::Equal, end);
                    a.alu(Alu::Add, R::RAX, R::RDI);
                    a.alu_imm(Alu::Sub, R::RDI, 1);
                    a.jump(back);
                    a.bind(end);
                }));
                all.push(function("calls", with_all(|one, other| one.wrapping_mul(2).wrapping_add(other)), |a| {
                    let (add, end) = (a.label(), a.label());
                    a.mov(R::RAX, R::RSI);
                    a.call(add);
                    a.lea_label(R::R8, add);
                    a.call_to(R::R8);
                    a.jump(end);
                    a.bind(add);
                    a.alu(Alu::Add, R::RAX, R::RDI);
                    a.ret();
                    a.bind(end);
                }));
                all.push(function("forgotten", vec![([1, 2], 12), ([2, 2], 1)], |a| {
                    let (callee, returns, end) = (a.label(), a.label(), a.label());
                    a.mov_imm(R::RAX, 1);
                    a.call(callee);
                    a.jump(end);
                    a.bind(callee);
                    a.push(R::RAX);
                    a.pop(R::R8);
                    a.alu(Alu::Cmp, R::RDI, R::RSI);
                    a.jump_if(Condition::Equal, returns);
                    // As the function that called does.
                    a.forget_call();
                    a.mov_imm(R::RAX, 12);
                    a.bind(returns);
                    a.ret();
                    a.bind(end);
                }));
                all.push(function("shifted", with_all(|one, other| one >> 63 | other >> 63 << 1), |a| {
                    let [one, other, end] = std::array::from_fn(|_| a.label());
                    a.mov_imm(R::RAX, 3);
                    a.shr(R::RDI, 63);
                    a.jump_if(Condition::NotEqual, one);
                    a.mov_imm(R::RAX, 2);
                    a.bind(one);
                    a.shr32(R::RDI, 4);
                    a.sar(R::RSI, 63);
                    a.jump_if(Condition::NotEqual, end);
                    a.bind(other);
                    a.alu_imm(Alu::Sub, R::RAX, 2);
                    a.bind(end);
                }));
                all.push(function("ways", vec![([0, 0], 7), ([1, 0], 8), ([2, 0], 9)], |a| {
                    let (table, end) = (a.label(), a.label());
                    let ways = [7, 8, 9].map(|answer| (answer, a.label()));
                    a.lea_label(R::R8, table);
                    a.load(R::RAX, Mem::word(R::R8, R::RDI, 0));
                    a.alu(Alu::Add, R::RAX, R::R8);
                    a.jump_to(R::RAX);
                    a.align(8);
                    a.bind(table);
                    let at = a.position();
                    ways.iter().for_each(|_| a.data(0));
                    for (number, (answer, way)) in ways.into_iter().enumerate() {
                        a.bind(way);
                        let distance = a.position() - at;
                        a.set_data(at + 8 * number, distance as u64);
                        a.mov_imm(R::RAX, answer);
                        a.jump(end);
                    }
                    a.bind(end);
                }));
            }

            fn comparing(all: &mut Vec<Case>) {
                let wide = |one: u64, other: u64| {
                    let (one, other) = (one as i64, other as i64);
                    compared(one, other, one.checked_sub(other).is_none())
                };
                let narrow = |one: u64, other: u64| {
                    let (one, other) = (one as i32, other as i32);
                    // Widened with the sign, both orders stay what they are; the difference is a narrow one.
                    let all = compared(one.into(), other.into(), one.checked_sub(other).is_none());
                    let is_negative = one.wrapping_sub(other) < 0;
                    all & !(3 << 10) | u64::from(is_negative) << 10 | u64::from(!is_negative) << 11
                };
                all.push(function("cmp", with_all(wide), |a| {
                    asked(a, &CONDITIONS, |a| a.alu(Alu::Cmp, R::RDI, R::RSI));
                }));
                all.push(function("cmp32", with_all(narrow), |a| {
                    asked(a, &CONDITIONS, |a| a.alu32(Alu::Cmp, R::RDI, R::RSI));
                }));
                for number in [0, 1, -1, 5, 4095, -4096, 4097, i32::MAX, i32::MIN] {
                    let by = number as i64 as u64;
                    all.push(function("cmp with a number", with_each(|one| wide(one, by)), |a| {
                        asked(a, &CONDITIONS, |a| a.alu_imm(Alu::Cmp, R::RDI, number));
                    }));
                    all.push(function("cmp32 with a number", with_each(|one| narrow(one, by)), |a| {
                        asked(a, &CONDITIONS, |a| a.alu_imm32(Alu::Cmp, R::RDI, number));
                    }));
                    all.push(function("cmp in memory", with_each(|one| wide(one, by)), |a| {
                        a.alu_imm(Alu::Sub, R::RSP, 32);
                        a.store(Mem::at(R::RSP, 8), R::RDI);
                        asked(a, &CONDITIONS, |a| a.alu_at(Alu::Cmp, Mem::at(R::RSP, 8), number));
                        a.alu_imm(Alu::Add, R::RSP, 32);
                    }));
                    let overflows = |one: u64| {
                        let sum = (one as i64).overflowing_add(number.into());
                        let difference = (one as i64).overflowing_sub(number.into());
                        u64::from(sum.1) | u64::from(difference.1) << 1
                    };
                    all.push(function("overflow", with_each(overflows), |a| {
                        let over = [Condition::Overflow];
                        asked(a, &over, |a| {
                            a.mov(R::RDX, R::RDI);
                            a.alu_imm(Alu::Add, R::RDX, number);
                        });
                        a.mov(R::R8, R::RAX);
                        asked(a, &over, |a| {
                            a.mov(R::RDX, R::RDI);
                            a.alu_imm(Alu::Sub, R::RDX, number);
                        });
                        a.shl(R::RAX, 1);
                        a.alu(Alu::Or, R::RAX, R::R8);
                    }));
                }
                let product = |one: u64, other: u64| match (one as i64).checked_mul(other as i64) {
                    Some(product) => product as u64,
                    None => 42,
                };
                all.push(function("product", with_all(product), |a| {
                    let (over, end) = (a.label(), a.label());
                    a.mov(R::RAX, R::RDI);
                    a.imul(R::RAX, R::RSI);
                    a.jump_if(Condition::Overflow, over);
                    a.jump(end);
                    a.bind(over);
                    a.mov_imm(R::RAX, 42);
                    a.bind(end);
                }));
                let least = |one: u64, other: u64| u64::from((one as u32).min(other as u32));
                all.push(function("least", with_all(least), |a| {
                    a.mov(R::RAX, R::RDI);
                    a.alu32(Alu::Cmp, R::RAX, R::RSI);
                    a.cmov32(Condition::Above, R::RAX, R::RSI);
                }));
                all.push(function("a bit by its number", with_all(|one, other| one >> (other % 32) & 1), |a| {
                    asked(a, &[Condition::Below], |a| a.bit_test32(R::RDI, R::RSI));
                }));
                let bytes = |one: u64| {
                    let low = one & 0xFF;
                    bits(&[low == 0x89, one & 5 == 0, one & 0xC000 == 0, low < 0x89, low == 0, low & 6 != 0])
                };
                all.push(function("bytes", with_each(bytes), |a| {
                    use Condition::{Below, Equal, NotEqual};
                    a.mov_imm(R::R9, 0);
                    a.push(R::RDI);
                    let tests: [(Condition, fn(&mut Assembler)); 6] = [
                        (Equal, |a| a.cmp8(R::RDI, 0x89)),
                        (Equal, |a| a.test8(R::RDI, 5)),
                        (Equal, |a| a.test32(R::RDI, 0xC000)),
                        (Below, |a| a.cmp8(R::RDI, 0x89)),
                        (Equal, |a| a.cmp_at8(Mem::at(R::RSP, 0), 0)),
                        (NotEqual, |a| a.test_at8(Mem::at(R::RSP, 0), 6)),
                    ];
                    for (number, (condition, test)) in tests.into_iter().enumerate() {
                        asked(a, &[condition], test);
                        a.shl(R::RAX, number as u8);
                        a.alu(Alu::Or, R::R9, R::RAX);
                    }
                    a.pop(R::RAX);
                    a.mov(R::RAX, R::R9);
                }));
            }

            fn computing(all: &mut Vec<Case>) {
                let ops: [(Alu, fn(u64, u64) -> u64); 5] = [
                    (Alu::Add, u64::wrapping_add),
                    (Alu::Sub, u64::wrapping_sub),
                    (Alu::And, |one, other| one & other),
                    (Alu::Or, |one, other| one | other),
                    (Alu::Xor, |one, other| one ^ other),
                ];
                for (op, answer) in ops {
                    all.push(function("operation", with_all(answer), |a| {
                        a.mov(R::RAX, R::RDI);
                        a.alu(op, R::RAX, R::RSI);
                    }));
                    let narrow = |one: u64, other: u64| answer(one, other) & 0xFFFF_FFFF;
                    all.push(function("operation32", with_all(narrow), |a| {
                        a.mov(R::RAX, R::RDI);
                        a.alu32(op, R::RAX, R::RSI);
                    }));
                    for number in [1, -1, 5, -8, 0xC000, 0x1000, 4097, i32::MAX, i32::MIN] {
                        let by = number as i64 as u64;
                        all.push(function("operation with a number", with_each(|one| answer(one, by)), |a| {
                            a.mov(R::RAX, R::RDI);
                            a.alu_imm(op, R::RAX, number);
                        }));
                        let narrow = |one: u64| answer(one, by) & 0xFFFF_FFFF;
                        all.push(function("operation32 with a number", with_each(narrow), |a| {
                            a.mov(R::RAX, R::RDI);
                            a.alu_imm32(op, R::RAX, number);
                        }));
                        let far = 0x4000;
                        all.push(function("operation in memory", with_each(|one| answer(one, by)), |a| {
                            a.alu_imm(Alu::Sub, R::RSP, 2 * far);
                            a.lea(R::R8, Mem::at(R::RSP, 0));
                            a.store(Mem::at(R::RSP, far), R::RDI);
                            a.mov_imm(R::R9, 1);
                            a.alu_at(op, Mem::word(R::R8, R::R9, far - 8), number);
                            a.load(R::RAX, Mem::at(R::RSP, far));
                            a.alu_imm(Alu::Add, R::RSP, 2 * far);
                        }));
                        let half = |one: u64| one & !0xFFFF_FFFF | answer(one, by) & 0xFFFF_FFFF;
                        all.push(function("operation32 in memory", with_each(half), |a| {
                            a.push(R::RDI);
                            a.alu_at32(op, Mem::at(R::RSP, 0), number);
                            a.pop(R::RAX);
                        }));
                    }
                }
                let shifts: [(fn(&mut Assembler), fn(u64, u64) -> u64); 9] = [
                    (|a| a.sar(R::RAX, 3), |one, _| (one as i64 >> 3) as u64),
                    (|a| a.shr(R::RAX, 63), |one, _| one >> 63),
                    (|a| a.shl(R::RAX, 1), |one, _| one << 1),
                    (|a| a.shr32(R::RAX, 16), |one, _| u64::from(one as u32 >> 16)),
                    (|a| a.shl32(R::RAX, 5), |one, _| u64::from((one as u32) << 5)),
                    (|a| a.ror(R::RAX, 3), |one, _| one.rotate_right(3)),
                    (|a| a.rol(R::RAX, 3), |one, _| one.rotate_left(3)),
                    (|a| a.sar_cl(R::RAX), |one, other| (one as i64 >> (other & 63)) as u64),
                    (|a| a.shl_cl(R::RAX), |one, other| one << (other & 63)),
                ];
                for (shift, answer) in shifts {
                    all.push(function("shift", with_all(answer), |a| {
                        a.mov(R::RAX, R::RDI);
                        a.mov(R::RCX, R::RSI);
                        shift(a);
                    }));
                }
                all.push(function("narrowing", with_all(|one, other| (one & 0xFF) ^ (other & 0xFFFF_FFFF)), |a| {
                    a.movzx8(R::RAX, R::RDI);
                    a.mov32(R::R8, R::RSI);
                    a.alu(Alu::Xor, R::RAX, R::R8);
                }));
                let divided = |one: u64, other: u64| match (one as i64).checked_div(other as i64) {
                    Some(quotient) => (quotient ^ (one as i64 % other as i64)) as u64,
                    None => 0,
                };
                let may_trap = |calls: Vec<([u64; 2], u64)>| {
                    let is_defined = |[one, other]: [u64; 2]| (one as i64).checked_div(other as i64).is_some();
                    calls.into_iter().filter(|(pair, _)| is_defined(*pair)).collect()
                };
                all.push(function("quotient and remainder", may_trap(with_all(divided)), |a| {
                    a.mov(R::RAX, R::RDI);
                    a.cqo();
                    a.idiv(R::RSI);
                    a.alu(Alu::Xor, R::RAX, R::RDX);
                }));
                let narrow = [[7, 2], [u64::from(u32::MAX), 10], [0, 1], [0x8000_0001, 0x8000_0000]];
                let narrow = narrow.map(|[one, other]| ([one, other], (one / other) << 32 | one % other)).into();
                all.push(function("quotient and remainder of 32 bits", narrow, |a| {
                    a.mov32(R::RAX, R::RDI);
                    a.mov_imm(R::RDX, 0);
                    a.div32(R::RSI);
                    a.shl(R::RAX, 32);
                    a.alu(Alu::Or, R::RAX, R::RDX);
                }));
                for number in NUMBERS {
                    all.push(function("number", vec![([0, 0], number)], |a| a.mov_imm(R::RAX, number)));
                }
            }

            fn remembering(all: &mut Vec<Case>) {
                let sum = |one: u64, other: u64| {
                    let (low, high) = (other & 0xFFFF_FFFF, other >> 32);
                    one ^ low ^ high ^ (one >> 8 & 0xFF) ^ (one >> 16 & 0xFFFF)
                };
                all.push(function("widths", with_all(sum), |a| {
                    a.alu_imm(Alu::Sub, R::RSP, 64);
                    a.mov_imm(R::R8, 3);
                    a.store(Mem::word(R::RSP, R::R8, 0), R::RDI);
                    a.store32(Mem::at(R::RSP, 40), R::RSI);
                    a.shr(R::RSI, 32);
                    a.store32(Mem::at(R::RSP, 44), R::RSI);
                    a.load(R::RAX, Mem::at(R::RSP, 24));
                    a.load32(R::R9, Mem::word(R::RSP, R::R8, 16));
                    a.alu(Alu::Xor, R::RAX, R::R9);
                    a.mov_imm(R::R9, 0);
                    a.alu_load32(Alu::Xor, R::R9, Mem::at(R::RSP, 44));
                    a.alu(Alu::Xor, R::RAX, R::R9);
                    a.load8(R::R9, Mem::at(R::RSP, 25));
                    a.alu(Alu::Xor, R::RAX, R::R9);
                    a.lea(R::R10, Mem::word(R::RSP, R::R8, 0));
                    a.load16(R::R9, Mem::at(R::R10, 2));
                    a.alu(Alu::Xor, R::RAX, R::R9);
                    a.alu_imm(Alu::Add, R::RSP, 64);
                }));
                all.push(function("numbers in memory", with_each(|_| (-2_i64 as u64) ^ 0xFFFF_FFF9), |a| {
                    a.alu_imm(Alu::Sub, R::RSP, 32);
                    a.store_imm(Mem::at(R::RSP, 8), -2);
                    a.store_imm(Mem::at(R::RSP, 16), 0);
                    a.store_imm32(Mem::at(R::RSP, 16), -7);
                    a.load(R::RAX, Mem::at(R::RSP, 16));
                    a.alu_load(Alu::Xor, R::RAX, Mem::at(R::RSP, 8));
                    a.alu_imm(Alu::Add, R::RSP, 32);
                }));
                let address = |one: u64, other: u64| one.wrapping_add(other.wrapping_mul(8)).wrapping_add(4097);
                all.push(function("address", with_all(address), |a| {
                    a.lea(R::RAX, Mem::word(R::RDI, R::RSI, 4097));
                }));
                all.push(function("kept registers", with_all(|one, other| one.wrapping_sub(other)), |a| {
                    a.push(R::RBX);
                    a.push(R::R15);
                    a.mov(R::RBX, R::RDI);
                    a.mov(R::R15, R::RSI);
                    a.alu(Alu::Sub, R::RBX, R::R15);
                    a.mov(R::RAX, R::RBX);
                    a.pop(R::R15);
                    a.pop(R::RBX);
                }));
            }

            fn doubles(all: &mut Vec<Case>) {
                let ops: [(Sse, fn(f64, f64) -> f64); 4] = [
                    (Sse::Add, |one, other| one + other),
                    (Sse::Subtract, |one, other| one - other),
                    (Sse::Multiply, |one, other| one * other),
                    (Sse::Divide, |one, other| one / other),
                ];
                for (op, answer) in ops {
                    // Which NaN comes of it is the machine's own affair.
                    let mut calls = with_doubles(|one, other| answer(one, other).to_bits());
                    calls.retain(|(_, bits)| !f64::from_bits(*bits).is_nan());
                    all.push(function("doubles", calls.clone(), |a| {
                        a.double_of(0, R::RDI);
                        a.double_of(1, R::RSI);
                        a.sse(op);
                        a.bits_of_double(R::RAX, 0);
                    }));
                    all.push(function("doubles anywhere", calls, |a| {
                        a.double_of_bits(Xmm(9), R::RDI);
                        a.double_of_bits(Xmm(15), R::RSI);
                        a.move_double(Xmm(3), Xmm(9));
                        a.sse_with(op, Xmm(3), Xmm(15));
                        a.bits_of(R::RAX, Xmm(3));
                    }));
                }
                let order = |one: f64, other: f64| {
                    let is_ordered = !one.is_nan() && !other.is_nan();
                    bits(&[
                        !is_ordered || one < other,
                        one >= other,
                        !is_ordered || one <= other,
                        one > other,
                        !is_ordered,
                        is_ordered,
                    ])
                };
                all.push(function("order of doubles", with_doubles(order), |a| {
                    use Condition::{Above, AboveOrEqual, Below, BelowOrEqual, NoParity, Parity};
                    a.double_of(0, R::RDI);
                    a.double_of(1, R::RSI);
                    asked(a, &[Below, AboveOrEqual, BelowOrEqual, Above, Parity, NoParity], |a| {
                        a.compare_doubles(0, 1)
                    });
                }));
                all.push(function("equality of doubles", with_doubles(|one, other| u64::from(one == other)), |a| {
                    let end = a.label();
                    a.double_of_bits(Xmm(8), R::RDI);
                    a.double_of_bits(Xmm(2), R::RSI);
                    a.mov_imm(R::RAX, 0);
                    a.compare_xmm(Xmm(8), Xmm(2));
                    a.jump_if(Condition::Parity, end);
                    a.jump_if(Condition::NotEqual, end);
                    a.mov_imm(R::RAX, 1);
                    a.bind(end);
                }));
                all.push(function("double of an integer", with_each(|one| (one as i64 as f64).to_bits()), |a| {
                    a.double_of_integer(Xmm(1), R::RDI);
                    a.bits_of(R::RAX, Xmm(1));
                }));
                all.push(function("sixteen bytes", with_each(|one| one), |a| {
                    a.alu_imm(Alu::Sub, R::RSP, 48);
                    a.store_imm(Mem::at(R::RSP, 24), -1);
                    a.double_of_bits(Xmm(12), R::RDI);
                    a.store_pair(Mem::at(R::RSP, 16), Xmm(12));
                    a.load(R::RAX, Mem::at(R::RSP, 16));
                    a.alu_load(Alu::Or, R::RAX, Mem::at(R::RSP, 24));
                    a.clear_double(Xmm(12));
                    a.store_pair(Mem::at(R::RSP, 16), Xmm(12));
                    a.alu_load(Alu::Or, R::RAX, Mem::at(R::RSP, 16));
                    a.alu_imm(Alu::Add, R::RSP, 48);
                }));
            }

            pub(super) fn cases() -> Vec<Case> {
                let mut all = Vec::new();
                jumping(&mut all);
                comparing(&mut all);
                computing(&mut all);
                remembering(&mut all);
                doubles(&mut all);
                all
            }
        }
    };
}

cases!(x64);
cases!(a64);

fn check(case: &Case, [one, other]: [u64; 2], expected: u64, answer: u64) {
    assert_eq!(answer, expected, "{}({one:#x}, {other:#x}) is {answer:#x} and should be {expected:#x}", case.name);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn functions_for_x86_64_answer_as_rust_does() {
    for case in x64::cases() {
        let mut memory = CodeMemory::new(1 << 20);
        let place = memory.take(case.bytes.len(), 0).expect("room");
        // SAFETY: nothing runs yet.
        unsafe { memory.write(place, &case.bytes).expect("written") };
        let code = std::ptr::with_exposed_provenance::<u8>(place.often.start);
        // SAFETY: a function of two numbers, which the bytes are.
        let run: extern "C" fn(u64, u64) -> u64 = unsafe { std::mem::transmute(code) };
        for (pair, expected) in &case.calls {
            check(&case, *pair, *expected, run(pair[0], pair[1]));
        }
    }
}

/// Where the program of aarch64's functions lies.
const BASE: u64 = 0x40_0000;
const HEADERS: usize = 64 + 56;

#[test]
fn functions_for_aarch64_answer_as_rust_does() {
    let cases = a64::cases();
    let count: usize = cases.iter().map(|case| case.calls.len()).sum();
    let Some(answers) = answers_of(&program(&cases)) else { return };
    assert_eq!(answers.len(), count);
    let calls = cases.iter().flat_map(|case| case.calls.iter().map(move |call| (case, call)));
    for ((case, (pair, expected)), answer) in calls.zip(answers) {
        check(case, *pair, *expected, answer);
    }
}

/// A program for Linux that makes all calls and writes a record of three words of each to its output, the answer in the second.
fn program(cases: &[Case]) -> Vec<u8> {
    use crate::a64::{Assembler, Mem, Reg as R};
    const RECORD: i32 = 24;
    let mut a = Assembler::new();
    let (records, end, back) = (a.label(), a.label(), a.label());
    a.lea_label(R::R14, records);
    a.lea_label(R::R15, end);
    a.bind(back);
    a.load(R::RAX, Mem::at(R::R14, 0));
    a.load(R::RDI, Mem::at(R::R14, 8));
    a.load(R::RSI, Mem::at(R::R14, 16));
    a.call_to(R::RAX);
    a.store(Mem::at(R::R14, 8), R::RAX);
    a.alu_imm(Alu::Add, R::R14, RECORD);
    a.alu(Alu::Cmp, R::R14, R::R15);
    a.jump_if(Condition::NotEqual, back);
    // write(1, records, their bytes), exit(0); what follows each is no operation.
    const CALL_SYSTEM: u64 = 0xD503_201F_D400_0001;
    a.mov_imm(R::RDI, 1);
    a.lea_label(R::RSI, records);
    a.mov(R::RDX, R::R15);
    a.alu(Alu::Sub, R::RDX, R::RSI);
    a.mov_imm(R::RAX, 64);
    a.data(CALL_SYSTEM);
    a.mov_imm(R::RDI, 0);
    a.mov_imm(R::RAX, 93);
    a.data(CALL_SYSTEM);
    a.align(8);
    let mut functions = Vec::new();
    let mut list = Vec::new();
    for case in cases {
        let at = BASE + (HEADERS + a.position() + functions.len()) as u64;
        functions.extend_from_slice(&case.bytes);
        functions.resize(functions.len().next_multiple_of(8), 0);
        case.calls.iter().for_each(|([one, other], _)| list.extend([at, *one, *other]));
    }
    let at = a.position() + functions.len();
    a.bind_at(records, at);
    a.bind_at(end, at + 8 * list.len());
    let mut image = a.finish().to_vec();
    image.extend(functions);
    image.extend(list.into_iter().flat_map(u64::to_le_bytes));
    executable(&image)
}

/// A file of one segment that may be read, written and executed, and begins at its first byte.
fn executable(image: &[u8]) -> Vec<u8> {
    let len = (HEADERS + image.len()) as u64;
    let mut file = b"\x7FELF\x02\x01\x01".to_vec();
    file.resize(16, 0);
    let (kind, machine, version) = (2_u16, 183_u16, 1_u32);
    file.extend(kind.to_le_bytes());
    file.extend(machine.to_le_bytes());
    file.extend(version.to_le_bytes());
    for word in [BASE + HEADERS as u64, 64, 0] {
        file.extend(word.to_le_bytes());
    }
    file.extend(0_u32.to_le_bytes());
    for half in [64_u16, 56, 1, 64, 0, 0] {
        file.extend(half.to_le_bytes());
    }
    let (load, all_access) = (1_u32, 7_u32);
    file.extend(load.to_le_bytes());
    file.extend(all_access.to_le_bytes());
    for word in [0, BASE, BASE, len, len, 0x1_0000] {
        file.extend(word.to_le_bytes());
    }
    assert_eq!(file.len(), HEADERS);
    file.extend(image);
    file
}

/// The answers that a program for aarch64 writes; `None` where nothing can run it.
fn answers_of(program: &[u8]) -> Option<Vec<u64>> {
    use std::os::unix::fs::OpenOptionsExt;
    let path = std::env::temp_dir().join(format!("carat-asm-program-{}", std::process::id()));
    let mut file =
        std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o700).open(&path).expect("a file");
    file.write_all(program).expect("written");
    drop(file);
    let is_native = cfg!(all(target_arch = "aarch64", target_os = "linux"));
    let mut command = if is_native { Command::new(&path) } else { Command::new("qemu-aarch64") };
    if !is_native {
        command.arg(&path);
    }
    let output = command.output();
    let _ = std::fs::remove_file(&path);
    let Ok(output) = output else {
        assert!(std::env::var_os("CARAT_REQUIRE_TOOLS").is_none(), "no qemu-aarch64 to run functions for aarch64");
        say("no qemu-aarch64: functions for aarch64 were not run");
        return None;
    };
    assert!(output.status.success(), "{}: {}", output.status, String::from_utf8_lossy(&output.stderr));
    let answer = |record: &[u8]| u64::from_le_bytes(record[8..16].try_into().expect("eight bytes"));
    Some(output.stdout.chunks_exact(24).map(answer).collect())
}
