//! What is assembled, as objdump reads it; and code that runs.

use super::x64::{Assembler, Mem, Reg};
use super::*;
use std::io::Write;
use std::process::Command;

mod a64;
mod runs;

/// Tells what was not looked at, whether or not the test's own output is shown.
fn say(what: &str) {
    _ = writeln!(std::io::stderr(), "{what}");
}

/// What a program that disassembles makes of the bytes; `None` where there is none.
fn disassembled_by(objdump: &str, args: &[&str], bytes: &[u8]) -> Option<Vec<String>> {
    // Tests run on threads of their own.
    let thread = std::thread::current().id();
    let file = std::env::temp_dir().join(format!("carat-asm-{}-{thread:?}", std::process::id()));
    std::fs::write(&file, bytes).expect("a file in the temporary folder");
    let output = Command::new(objdump).args(args).arg(&file).output();
    let _ = std::fs::remove_file(&file);
    let Ok(output) = output else {
        assert!(std::env::var_os("CARAT_REQUIRE_TOOLS").is_none(), "no {objdump} to compare with");
        return None;
    };
    let text = String::from_utf8(output.stdout).expect("text");
    let lines = text.lines().filter_map(|line| line.trim_start().split_once(":\t"));
    Some(lines.map(|(_, insn)| insn.split_whitespace().collect::<Vec<_>>().join(" ")).collect())
}

fn disassembled(bytes: &[u8]) -> Option<Vec<String>> {
    let args = ["-D", "-b", "binary", "-m", "i386:x86-64", "-M", "intel", "--no-show-raw-insn"];
    disassembled_by("objdump", &args, bytes)
}

#[test]
fn objdump_reads_what_was_meant() {
    use Reg as R;
    let mut a = Assembler::new();
    let here = a.label();
    a.bind(here);
    let mut expected = Vec::new();
    let mut is = |text: &'static str| expected.push(text);
    a.mov(R::RAX, R::R11);
    is("mov rax,r11");
    a.mov32(R::R9, R::R8);
    is("mov r9d,r8d");
    a.load(R::R8, Mem::at(R::RSI, -56));
    is("mov r8,QWORD PTR [rsi-0x38]");
    a.load(R::RAX, Mem::word(R::R8, R::R9, 8));
    is("mov rax,QWORD PTR [r8+r9*8+0x8]");
    a.load(R::RAX, Mem::byte(R::RAX, R::R8, 0));
    is("mov rax,QWORD PTR [rax+r8*1]");
    a.load32(R::R8, Mem::at(R::RAX, 4));
    is("mov r8d,DWORD PTR [rax+0x4]");
    a.load16(R::R9, Mem::at(R::RDI, -6));
    is("movzx r9d,WORD PTR [rdi-0x6]");
    a.store(Mem::at(R::RSI, 1024), R::RAX);
    is("mov QWORD PTR [rsi+0x400],rax");
    a.store32(Mem::at(R::RAX, 4), R::R8);
    is("mov DWORD PTR [rax+0x4],r8d");
    a.store_imm(Mem::at(R::RDI, -24), 4);
    is("mov QWORD PTR [rdi-0x18],0x4");
    a.store_imm32(Mem::at(R::RDX, 2), 7);
    is("mov DWORD PTR [rdx+0x2],0x7");
    a.lea(R::RAX, Mem::word(R::RDI, R::RAX, 0));
    is("lea rax,[rdi+rax*8]");
    a.lea_label(R::RDI, here);
    is("lea rdi,[rip+0xffffffffffffffbf] # 0x0");
    a.mov_imm(R::R9, 12);
    is("mov r9d,0xc");
    a.mov_imm(R::RAX, u64::MAX);
    is("mov rax,0xffffffffffffffff");
    a.mov_imm(R::RCX, 0x1234_5678_9ABC);
    is("movabs rcx,0x123456789abc");
    a.alu(Alu::And, R::R9, R::R8);
    is("and r9,r8");
    a.alu32(Alu::Cmp, R::RAX, R::R9);
    is("cmp eax,r9d");
    a.alu_load(Alu::Cmp, R::R8, Mem::at(R::RCX, 8));
    is("cmp r8,QWORD PTR [rcx+0x8]");
    a.alu_load32(Alu::Cmp, R::R8, Mem::at(R::RCX, 256));
    is("cmp r8d,DWORD PTR [rcx+0x100]");
    a.alu_imm(Alu::Sub, R::RAX, 1);
    is("sub rax,0x1");
    a.alu_imm(Alu::Add, R::R10, 1000);
    is("add r10,0x3e8");
    a.alu_imm32(Alu::And, R::R10, 0xC000);
    is("and r10d,0xc000");
    a.alu_at(Alu::Cmp, Mem::at(R::RDX, 4096), 0);
    is("cmp QWORD PTR [rdx+0x1000],0x0");
    a.alu_at32(Alu::Cmp, Mem::at(R::RCX, 0), -2);
    is("cmp DWORD PTR [rcx],0xfffffffe");
    a.cmp_at8(Mem::at(R::RDX, 16), 0);
    is("cmp BYTE PTR [rdx+0x10],0x0");
    a.test_at8(Mem::at(R::R8, 16), 2);
    is("test BYTE PTR [r8+0x10],0x2");
    a.test(R::R9, R::R9);
    is("test r9,r9");
    a.test8(R::R9, 1);
    is("test r9b,0x1");
    a.cmp8(R::RAX, 137);
    is("cmp al,0x89");
    a.test32(R::R8, 0xC000);
    is("test r8d,0xc000");
    a.sar(R::R9, 1);
    is("sar r9,0x1");
    a.shr(R::RAX, 16);
    is("shr rax,0x10");
    a.shr32(R::R8, 16);
    is("shr r8d,0x10");
    a.ror(R::RAX, 3);
    is("ror rax,0x3");
    a.rol(R::R8, 3);
    is("rol r8,0x3");
    a.shl(R::R9, 5);
    is("shl r9,0x5");
    a.div32(R::RCX);
    is("div ecx");
    a.sar_cl(R::RAX);
    is("sar rax,cl");
    a.shl_cl(R::R11);
    is("shl r11,cl");
    a.imul(R::RAX, R::R8);
    is("imul rax,r8");
    a.cqo();
    is("cqo");
    a.idiv(R::R8);
    is("idiv r8");
    a.movzx8(R::RAX, R::RAX);
    is("movzx eax,al");
    a.movzx8(R::RAX, R::RDI);
    is("movzx eax,dil");
    a.movzx8(R::R9, R::RSI);
    is("movzx r9d,sil");
    a.cmov32(Condition::Above, R::RAX, R::R9);
    is("cmova eax,r9d");
    a.double_of(1, R::R8);
    is("movq xmm1,r8");
    a.bits_of_double(R::R8, 0);
    is("movq r8,xmm0");
    a.sse(Sse::Multiply);
    is("mulsd xmm0,xmm1");
    a.compare_doubles(1, 0);
    is("ucomisd xmm1,xmm0");
    a.load(R::R12, Mem::at(R::RSP, -8));
    is("mov r12,QWORD PTR [rsp-0x8]");
    a.store(Mem::at(R::R12, 0), R::R13);
    is("mov QWORD PTR [r12],r13");
    a.load(R::RBX, Mem::word(R::R13, R::RBP, 0));
    is("mov rbx,QWORD PTR [r13+rbp*8+0x0]");
    a.test8(R::R14, 1);
    is("test r14b,0x1");
    a.move_double(Xmm(9), Xmm(2));
    is("movaps xmm9,xmm2");
    a.sse_with(Sse::Divide, Xmm(1), Xmm(12));
    is("divsd xmm1,xmm12");
    a.double_of_bits(Xmm(15), R::R8);
    is("movq xmm15,r8");
    a.bits_of(R::RAX, Xmm(10));
    is("movq rax,xmm10");
    a.double_of_integer(Xmm(3), R::R15);
    is("cvtsi2sd xmm3,r15");
    a.compare_xmm(Xmm(2), Xmm(11));
    is("ucomisd xmm2,xmm11");
    a.jump_to(R::RAX);
    is("jmp rax");
    a.jump_through(Mem::word(R::RDX, R::RAX, 0));
    is("jmp QWORD PTR [rdx+rax*8]");
    a.jump_through(Mem::at(R::RDX, 800));
    is("jmp QWORD PTR [rdx+0x320]");
    a.load8(R::RAX, Mem::at(R::RDI, 1));
    is("movzx eax,BYTE PTR [rdi+0x1]");
    a.shl32(R::R8, 5);
    is("shl r8d,0x5");
    a.bit_test32(R::R10, R::RAX);
    is("bt r10d,eax");
    a.call_to(R::R8);
    is("call r8");
    a.push(R::RSI);
    is("push rsi");
    a.pop(R::R11);
    is("pop r11");
    a.load(R::RAX, Mem::at(R::RSP, 8));
    is("mov rax,QWORD PTR [rsp+0x8]");
    a.call_through(Mem::at(R::R8, 64));
    is("call QWORD PTR [r8+0x40]");
    a.prefetch(Mem::at(R::RCX, 0));
    is("prefetcht0 BYTE PTR [rcx]");
    let end = a.label();
    a.jump_short_if(Condition::NotEqual, end);
    a.jump_short(end);
    a.call(end);
    a.bind(end);
    a.ret();
    a.jump_out(0x1000);
    a.call_out(0x1_0000);
    let before = a.position();
    a.cmp_outside32(0x2000, 5);
    a.cmp_outside32(0x3000, 500);
    let (at, end) = (before, a.position());
    let lines = [
        format!("jne {:#x}", at - 11),
        format!("jmp {:#x}", at - 11),
        format!("call {:#x}", at - 11),
        "ret".into(),
        "jmp 0x1000".into(),
        "call 0x10000".into(),
        format!("cmp DWORD PTR [rip+{:#x}],0x5 # 0x2000", 0x2000 - (before + 7)),
        format!("cmp DWORD PTR [rip+{:#x}],0x1f4 # 0x3000", 0x3000 - end),
    ];
    if let Some(read) = disassembled(a.finish_at(Placement::together(0, end))) {
        let expected: Vec<_> = expected.into_iter().map(String::from).chain(lines).collect();
        assert_eq!(read, expected);
    }
}

#[test]
fn code_runs_where_it_was_put_and_its_place_is_used_again() {
    if !RUNS_HERE {
        return;
    }
    let mut memory = CodeMemory::new(1 << 20);
    assert!(memory.mappings().is_empty(), "nothing is mapped before the first code");
    // Other code at the same place each time.
    let mut starts = std::collections::BTreeSet::new();
    for factor in 1..100 {
        let mut a = native::Assembler::new();
        let (back, end) = (a.label(), a.label());
        a.mov_imm(native::Reg::R8, 0);
        a.bind(back);
        a.test(native::Reg::RDI, native::Reg::RDI);
        a.jump_if(Condition::Equal, end);
        (0..factor).for_each(|_| a.alu(Alu::Add, native::Reg::R8, native::Reg::RDI));
        a.alu_imm(Alu::Sub, native::Reg::RDI, 1);
        a.jump(back);
        a.bind(end);
        a.mov(native::Reg::RESULT, native::Reg::R8);
        a.ret();
        let place = memory.take(4096, 0).expect("room");
        // SAFETY: nothing runs yet.
        unsafe { memory.write(place, a.finish()).expect("written") };
        let code = std::ptr::with_exposed_provenance::<u8>(place.often.start);
        // SAFETY: a function of one number, which the bytes are.
        let sum: extern "C" fn(u64) -> u64 = unsafe { std::mem::transmute(code) };
        assert_eq!(sum(10), 55 * factor);
        memory.give_back(place);
        assert_eq!(memory.bytes_in_use(), 0);
        starts.insert(place.often.start);
    }
    assert_eq!(starts.len(), 1);
}

#[test]
fn no_more_than_the_limit_is_handed_out() {
    let mut memory = CodeMemory::new(100);
    assert!(memory.take(64, 0).is_some());
    assert!(memory.take(32, 32).is_none());
    assert!(memory.take(16, 16).is_some());
}

#[test]
fn memory_is_full_until_an_eighth_was_given_back() {
    let mut memory = CodeMemory::new(1 << 20);
    let taken: Vec<_> = std::iter::from_fn(|| memory.take(1024, 1024)).collect();
    assert_eq!(taken.len(), 512);
    assert!(memory.is_full());
    let (first, others) = taken.split_at(63);
    first.iter().for_each(|place| memory.give_back(*place));
    assert!(memory.is_full());
    memory.give_back(others[0]);
    assert!(!memory.is_full());
    // What lies side by side is one range again, and one that is too large for all others fills nothing.
    memory.tidy();
    assert!(memory.take(32 << 10, 0).is_some() && memory.take(1 << 20, 0).is_none() && !memory.is_full());
    while memory.take(1024, 1024).is_some() {}
    memory.set_limit(2 << 20);
    assert!(!memory.is_full() && memory.take(1024, 1024).is_some());
}

#[test]
fn the_two_parts_lead_to_each_other_wherever_they_lie() {
    use native::{Assembler, Reg};
    if !RUNS_HERE {
        return;
    }
    let mut memory = CodeMemory::new(8 << 20);
    let mut placements = Vec::new();
    for number in 0..5000 {
        let mut a = Assembler::new();
        let (seldom, back) = (a.label(), a.label());
        a.mov_imm(Reg::R8, number);
        a.test(Reg::RDI, Reg::RDI);
        a.jump_if(Condition::NotEqual, seldom);
        a.bind(back);
        a.mov(Reg::RESULT, Reg::R8);
        a.ret();
        a.cut();
        a.bind(seldom);
        a.alu(Alu::Add, Reg::R8, Reg::RDI);
        a.jump(back);
        let (often, rest) = a.parts();
        let place = memory.take(often, rest).expect("room");
        assert!(a.parts().1 == 0 || !place.often.contains(place.address(often)), "apart");
        // SAFETY: nothing runs.
        unsafe { memory.write(place, a.finish_at(place)).expect("written") };
        placements.push((number, place));
        // Every third is made anew where another was.
        if number % 3 == 2 {
            memory.give_back(placements.swap_remove(placements.len() / 2).1);
        }
    }
    for (number, place) in &placements {
        // SAFETY: a function of one number, which the bytes are.
        let sum: extern "C" fn(u64) -> u64 =
            unsafe { std::mem::transmute(std::ptr::with_exposed_provenance::<u8>(place.often.start)) };
        assert_eq!((sum(0), sum(5)), (*number, number + 5));
    }
    placements.into_iter().for_each(|(_, place)| memory.give_back(place));
    assert_eq!(memory.bytes_in_use(), 0);
}

extern "C-unwind" fn panics() {
    std::panic::resume_unwind(Box::new("through machine code"));
}

#[test]
fn panics_pass_through_code_with_registers_on_the_stack_and_code_without() {
    // As many words as two registers, and more than a byte of the table can count.
    if RUNS_HERE {
        [2, 24].into_iter().for_each(panics_pass_below);
    }
}

fn panics_pass_below(words: u16) {
    use native::{Assembler, Reg};
    let mut memory = CodeMemory::new(1 << 20);
    // As stubs do: registers are on the stack during the call.
    let mut stub = Assembler::new();
    let kept = || [Reg::RBX, Reg::RDI].into_iter().cycle().take(usize::from(words));
    kept().for_each(|register| stub.push(register));
    let before = Depth { offset: stub.position(), bytes: words * Assembler::PUSHED_BYTES as u16 };
    stub.mov_imm(Reg::RAX, panics as extern "C-unwind" fn() as usize as u64);
    stub.call_to(Reg::RAX);
    [Reg::RDI, Reg::RBX].into_iter().cycle().take(usize::from(words)).for_each(|register| stub.pop(register));
    let behind = Depth { offset: stub.position(), bytes: 0 };
    stub.ret();
    let at = memory.take_described(stub.position(), &[before, behind]).expect("room");
    // SAFETY: nothing runs yet.
    unsafe { memory.write(at, stub.finish()).expect("written") };
    // As templates do: only the return address is.
    let mut code = Assembler::new();
    code.call_out(at.often.start);
    code.ret();
    let place = memory.take(code.position(), 0).expect("room");
    assert!(!at.contains(place.often.start) && !place.contains(at.often.start), "a piece of its own");
    // SAFETY: nothing runs yet.
    unsafe { memory.write(place, code.finish_at(place)).expect("written") };
    let code = std::ptr::with_exposed_provenance::<u8>(place.often.start);
    // SAFETY: a function without arguments, which the bytes are.
    let run: extern "C-unwind" fn() = unsafe { std::mem::transmute(code) };
    for _ in 0..3 {
        let panic = std::panic::catch_unwind(|| run()).expect_err("it panics");
        assert_eq!(panic.downcast_ref(), Some(&"through machine code"));
    }
    memory.give_back(at);
    assert_ne!(memory.take(8, 0).map(|next| next.often.start), Some(at.often.start), "its table is for what was there");
}
