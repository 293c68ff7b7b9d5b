//! Checks a binary's disassembly: every instruction handler hands over by a jump, never by a call.
//!
//! The interpreter relies on LLVM turning each handler's last call into a jump. It does so unless a local needs dropping,
//! its address escapes, or a signature differs, and then the native stack would grow by a frame an instruction. Handlers are
//! the functions below `interp::ops` that bear an instruction's name, alone or with `_slow`, or begin with `invoke_`, and
//! those of `compiled::enter`. None of them may contain a return; the halt, `nop`, is the exception. What cells and slow paths
//! lead to has other names: nothing in `carat_vm` but the loop's beginning, `interp::run`, and what of `interp::enter` it may be
//! inlined into, may call through the table of handlers. Binaries for aarch64 are read by a cross objdump where the machine is another.

use crate::args::Args;
use crate::carat;
use crate::process;
use carat_iseq::Op;
use std::collections::HashSet;
use std::io::Read;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(300);

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
        return Err(format!("{binary} has no instruction handlers; is it stripped?"));
    }
    Ok(failures.is_empty())
}

fn disassemble(binary: &Path) -> Result<String, String> {
    let path = carat::root().join(binary);
    let is_foreign = is_for_aarch64(&path)? && cfg!(not(target_arch = "aarch64"));
    let mut command = Command::new(if is_foreign { "aarch64-linux-gnu-objdump" } else { "objdump" });
    command.args(["--disassemble", "--demangle", "--no-show-raw-insn"]).arg(&path);
    let outcome = process::run(&mut command, LIMIT)?;
    if !outcome.status.success() {
        return Err(format!("objdump: {}", String::from_utf8_lossy(&outcome.stderr)));
    }
    Ok(String::from_utf8_lossy(&outcome.stdout).into_owned())
}

/// By the machine's number in an ELF file's header.
fn is_for_aarch64(binary: &Path) -> Result<bool, String> {
    let mut header = [0; 20];
    let read = std::fs::File::open(binary).and_then(|mut file| file.read_exact(&mut header));
    read.map_err(|error| format!("{}: {error}", binary.display()))?;
    Ok(header.starts_with(b"\x7FELF") && header[18..] == [183, 0])
}

/// How many handlers the disassembly holds, and a line for each that fails.
fn check(text: &str) -> (usize, Vec<String>) {
    let mut handlers = 0;
    let mut failures = Vec::new();
    for (name, body) in symbols(text) {
        let is_handler = is_handler(name);
        handlers += usize::from(is_handler);
        if is_handler && body.iter().any(|line| returns(line)) {
            failures.push(format!("{name}: returns instead of jumping on"));
        } else if jumps_on(name) && calls_by_table(&body) {
            failures.push(format!("{name}: calls the next handler instead of jumping to it"));
        }
    }
    (handlers, failures)
}

fn is_handler(symbol: &str) -> bool {
    let Some((path, name)) = symbol.rsplit_once("::") else { return false };
    let name = name.strip_suffix("_slow").unwrap_or(name);
    let is_op = name.starts_with("invoke_") || Op::ALL.iter().any(|op| op.format().name == name);
    if path.ends_with("compiled::enter") {
        return is_op || matches!(name, "leave_compiled" | "turn_counted");
    }
    path.contains("interp::ops::") && !path.ends_with("::typed") && name != "nop" && is_op
}

fn jumps_on(symbol: &str) -> bool {
    let begins_loop =
        symbol.ends_with("interp::run") || symbol.contains("interp::enter::") && symbol.ends_with("_from_native");
    symbol.starts_with("carat_vm::") && !begins_loop
}

/// Whether some line is `call *(%base,%index,8)`, or `blr register` behind `ldr register, [base, index, lsl #3]`.
fn calls_by_table(body: &[&str]) -> bool {
    let mut from_table = HashSet::new();
    body.iter().filter_map(|line| Some(line.split_once(":\t")?.1.trim())).any(|code| {
        let (mnemonic, operands) = code.split_once(['\t', ' ']).unwrap_or((code, ""));
        let operands = operands.trim();
        let written = operands.split(',').next().unwrap_or("");
        match mnemonic {
            "blr" => return from_table.contains(operands),
            "ldr" if operands.ends_with(", lsl #3]") => _ = from_table.insert(written),
            "call" | "callq" => return operands.starts_with("*(") && operands.ends_with(",8)"),
            _ => _ = from_table.remove(written),
        }
        false
    })
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

fn returns(line: &str) -> bool {
    let Some((_, code)) = line.split_once(":\t") else { return false };
    let mnemonic = code.trim().trim_start_matches("bnd ").split_whitespace().next().unwrap_or("");
    matches!(mnemonic, "ret" | "retq")
}

#[cfg(test)]
mod tests {
    use super::check;

    const PATH: &str = "carat_vm::interp::ops::arith";

    fn failures(name: &str, instructions: &str) -> (usize, usize) {
        let (handlers, failures) = check(&format!("0000000000001000 <{PATH}::{name}>:\n{instructions}"));
        (handlers, failures.len())
    }

    #[test]
    fn a_handler_that_jumps_on_passes() {
        assert_eq!(failures("opt_plus", "    1000:\tjo     1020 <x>\n    1001:\tjmp    *%rax\n"), (1, 0));
        assert_eq!(failures("opt_plus_slow", "    1000:\tcall   9000 <y>\n    1001:\tjmp    9100 <z>\n"), (1, 0));
    }

    #[test]
    fn a_handler_that_returns_fails() {
        assert_eq!(failures("opt_plus", "    1000:\tcall   *%rax\n    1001:\tret\n"), (1, 1));
    }

    #[test]
    fn what_calls_by_the_table_of_handlers_fails() {
        const CALL: &str = "    1000:\tcall   *(%rdx,%rax,8)\n    1003:\tret\n";
        let of = |name: &str| check(&format!("0000000000001000 <{name}>:\n{CALL}")).1.len();
        assert_eq!(of("carat_vm::run::interp::slow::invoke_missing"), 1);
        assert_eq!(of("carat_vm::run::interp::run"), 0);
        assert_eq!(of("carat_builtins::table::ask"), 0);
    }

    #[test]
    fn what_calls_by_the_table_of_handlers_on_aarch64_fails() {
        let of =
            |body: &str| check(&format!("0000000000001000 <carat_vm::run::interp::slow::unwind>:\n{body}")).1.len();
        assert_eq!(of("    1000:\tldr\tx8, [x9, x8, lsl #3]\n    1004:\tmov\tx0, x19\n    1008:\tblr\tx8\n"), 1);
        assert_eq!(of("    1000:\tldr\tx8, [x9, x8, lsl #3]\n    1004:\tbr\tx8\n"), 0);
        assert_eq!(of("    1000:\tldr\tx8, [x9, x8, lsl #3]\n    1004:\tldr\tx8, [x8, #16]\n    1008:\tblr\tx8\n"), 0);
    }

    #[test]
    fn other_functions_may_return() {
        assert_eq!(failures("concat", "    1000:\tret\n"), (0, 0));
        assert_eq!(failures("nop", "    1000:\tret\n"), (0, 0));
    }
}
