//! Checks a binary's disassembly: every instruction handler hands over by a jump, never by a call.
//!
//! The interpreter relies on LLVM turning each handler's last call into a jump. It does so unless a local needs dropping or
//! a signature differs, and then the native stack would grow by a frame an instruction. Handlers are the symbols that
//! contain `::insn_`. A handler passes when it leaves through at least one jump out of itself (or never returns), and no
//! call is followed by nothing but an epilogue and `ret`: that would be the hand-over not made.

use crate::args::Args;
use crate::carat;
use crate::process;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(300);

#[derive(Debug, PartialEq, Eq)]
enum Step {
    /// A jump through a register or memory, or to another symbol.
    JumpOut,
    /// A call that may be a hand-over: indirect, or to another handler.
    HandOverCall,
    Return,
    /// What an epilogue is made of: pops, stack adjustment, moves.
    Epilogue,
    Padding,
    Other,
}

/// Disassembles the named binary and prints the handlers that fail.
pub(crate) fn run(args: &Args) -> Result<bool, String> {
    let [binary] = args.positional() else { return Err("tailcalls takes one binary".to_string()) };
    let text = disassemble(Path::new(binary))?;
    let (handlers, failures) = check(&text);
    for failure in &failures {
        println!("{failure}");
    }
    println!("tailcalls: {handlers} handlers, {} failed", failures.len());
    if handlers == 0 {
        return Err(format!("{binary} has no symbol with ::insn_; is it stripped?"));
    }
    Ok(failures.is_empty())
}

fn disassemble(binary: &Path) -> Result<String, String> {
    let path = carat::root().join(binary);
    let mut command = Command::new("objdump");
    command.args(["--disassemble", "--demangle", "--no-show-raw-insn"]).arg(&path);
    let outcome = process::run(&mut command, LIMIT)?;
    if !outcome.status.success() {
        return Err(format!("objdump: {}", String::from_utf8_lossy(&outcome.stderr)));
    }
    Ok(String::from_utf8_lossy(&outcome.stdout).into_owned())
}

/// How many handlers the disassembly holds, and a line for each that fails.
fn check(text: &str) -> (usize, Vec<String>) {
    let mut handlers = 0;
    let mut failures = Vec::new();
    for (name, body) in symbols(text).filter(|(name, _)| name.contains("::insn_")) {
        handlers += 1;
        let steps: Vec<Step> = body.iter().filter_map(|line| step(line, name)).collect();
        if let Some(why) = fault(&steps) {
            failures.push(format!("{name}: {why}"));
        }
    }
    (handlers, failures)
}

/// The symbols of a disassembly with their lines: `0000000000001234 <name>:` heads each.
fn symbols(text: &str) -> impl Iterator<Item = (&str, Vec<&str>)> {
    let mut lines = text.lines().peekable();
    std::iter::from_fn(move || {
        let name = lines.by_ref().find_map(symbol_name)?;
        let mut body = Vec::new();
        while let Some(line) = lines.next_if(|line| symbol_name(line).is_none()) {
            body.push(line);
        }
        Some((name, body))
    })
}

fn symbol_name(line: &str) -> Option<&str> {
    let (address, rest) = line.split_once(" <")?;
    let is_address = !address.is_empty() && address.bytes().all(|byte| byte.is_ascii_hexdigit());
    rest.strip_suffix(">:").filter(|_| is_address)
}

fn step(line: &str, symbol: &str) -> Option<Step> {
    let (_, code) = line.split_once(":\t").or_else(|| line.split_once(":  "))?;
    let code = code.trim().trim_start_matches("bnd ").trim_start_matches("notrack ");
    let (mnemonic, operands) = code.split_once(char::is_whitespace).unwrap_or((code, ""));
    let operands = operands.trim();
    Some(match mnemonic {
        "jmp" | "jmpq" | "b" if leaves(operands, symbol) => Step::JumpOut,
        "br" | "braa" => Step::JumpOut,
        "call" | "callq" if operands.starts_with('*') || operands.contains("::insn_") => Step::HandOverCall,
        "blr" => Step::HandOverCall,
        "bl" if operands.contains("::insn_") => Step::HandOverCall,
        "ret" | "retq" => Step::Return,
        "pop" | "popq" | "add" | "lea" | "mov" | "ldp" | "leave" | "vzeroupper" => Step::Epilogue,
        "nop" | "nopw" | "nopl" | "int3" | "ud2" | "cs" | "data16" | "xchg" => Step::Padding,
        _ => Step::Other,
    })
}

/// Whether a jump's target is computed or lies in another symbol: objdump writes a place inside one as `<symbol+0x12>`.
fn leaves(operands: &str, symbol: &str) -> bool {
    if operands.starts_with('*') {
        return true;
    }
    let Some((_, target)) = operands.split_once('<') else { return false };
    let target = target.strip_suffix('>').unwrap_or(target);
    let inside = target.strip_prefix(symbol).is_some_and(|rest| rest.is_empty() || rest.starts_with("+0x"));
    !inside
}

fn fault(steps: &[Step]) -> Option<&'static str> {
    let returns = steps.contains(&Step::Return);
    if returns && !steps.contains(&Step::JumpOut) {
        return Some("returns and never jumps on");
    }
    let calls = steps.iter().enumerate().filter(|(_, step)| **step == Step::HandOverCall);
    let mut tails = calls.map(|(index, _)| steps[index + 1..].iter().find(|step| !is_quiet(step)));
    tails.any(|next| next == Some(&Step::Return)).then_some("a call is followed by ret: the hand-over is no jump")
}

fn is_quiet(step: &Step) -> bool {
    matches!(step, Step::Epilogue | Step::Padding)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "
binary:     file format elf64-x86-64

0000000000001000 <carat_vm::interp::insn_putself>:
    1000:\tmov    (%rsi),%rax
    1003:\tmovzbl 0x8(%rdi),%r8d
    1008:\tjmp    *0x40(%rdx,%r8,8)
    100d:\tnopl   (%rax)

0000000000001010 <carat_vm::interp::insn_opt_plus>:
    1010:\tadd    %rax,%rcx
    1013:\tjo     1020 <carat_vm::interp::insn_opt_plus+0x10>
    1015:\tjmp    *0x40(%rdx,%r8,8)
    1020:\tjmp    2000 <carat_vm::interp::slow_plus>

0000000000001030 <carat_vm::interp::insn_send_native>:
    1030:\tpush   %rbx
    1031:\tcall   *0x18(%rax)
    1034:\ttest   %al,%al
    1036:\tjne    1040 <carat_vm::interp::insn_send_native+0x10>
    1038:\tpop    %rbx
    1039:\tjmp    *0x40(%rdx,%r8,8)
    1040:\tpop    %rbx
    1041:\tret

0000000000001050 <carat_vm::interp::insn_invalid>:
    1050:\tpush   %rax
    1051:\tcall   3000 <carat_vm::bug>
    1056:\tud2

0000000000002000 <carat_vm::interp::slow_plus>:
    2000:\tret
";

    fn failures_with(instructions: &str) -> Vec<String> {
        check(&format!("0000000000001000 <carat_vm::interp::insn_x>:\n{instructions}")).1
    }

    #[test]
    fn jumps_and_diverging_handlers_pass() {
        assert_eq!(check(GOOD), (4, vec![]));
    }

    #[test]
    fn call_before_the_epilogue_fails() {
        let text = "    1000:\tpush   %rbx\n    1001:\tjmp    *(%rax)\n    1003:\tcall   *0x40(%rdx,%r8,8)\n    1008:\tpop    %rbx\n    1009:\tret\n";
        assert!(failures_with(text)[0].contains("no jump"));
    }

    #[test]
    fn call_of_another_handler_fails() {
        let text = "    1000:\tjmp    *(%rax)\n    1001:\tcall   9000 <carat_vm::interp::insn_y>\n    1006:\tadd    $0x8,%rsp\n    1009:\tret\n";
        assert_eq!(failures_with(text).len(), 1);
    }

    #[test]
    fn handler_that_only_returns_fails() {
        assert!(failures_with("    1000:\txor    %eax,%eax\n    1002:\tret\n")[0].contains("never jumps"));
    }

    #[test]
    fn a_jump_inside_the_handler_is_no_way_out() {
        let text = "    1000:\tjmp    1004 <carat_vm::interp::insn_x+0x4>\n    1004:\tret\n";
        assert_eq!(failures_with(text).len(), 1);
        let recursive = "    1000:\tjmp    1000 <carat_vm::interp::insn_x>\n    1004:\tret\n";
        assert_eq!(failures_with(recursive).len(), 1);
    }

    #[test]
    fn arm_branches_are_known() {
        assert!(failures_with("    1000:\tldr x8, [x3, x8, lsl #3]\n    1004:\tbr\tx8\n").is_empty());
        assert_eq!(failures_with("    1000:\tblr\tx8\n    1004:\tldp x29, x30, [sp], #16\n    1008:\tret\n").len(), 1);
    }
}
