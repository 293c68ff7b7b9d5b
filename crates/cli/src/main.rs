//! The `carat` executable: options, the script, and how the process ends.
//!
//! # Code map
//! `options` reads the command line; `script` finds the source; `run` boots a VM on a thread with a large native stack.
//! `prompt` reads statements from a terminal instead.
//!
//! # Not here
//! Ruby: everything that runs is in `carat-builtins` and below. Only this crate prints or exits on its own account.
#![forbid(unsafe_code)]

mod help;
mod options;
mod prompt;
mod run;
mod script;

use carat_vm::os::signal;
use std::process::ExitCode;

// ThreadSanitizer knows the system's allocator only: to it, memory that mimalloc hands on is shared.
#[cfg(not(carat_tsan))]
#[global_allocator]
static ALLOCATOR: carat_vm::Reserving<mimalloc::MiMalloc> = carat_vm::Reserving(mimalloc::MiMalloc);

/// Native stack of the main program. It is reserved, not used: native methods that recurse find `SystemStackError` long
/// before its end. Where address space is limited it is what one tries next, half as large each time.
const STACK_BYTES: usize = 256 << 20;
const LEAST_STACK_BYTES: usize = 4 << 20;

fn main() -> ExitCode {
    let arguments: Vec<std::ffi::OsString> = std::env::args_os().collect();
    let mut bytes = STACK_BYTES.min(carat_vm::address_space_limit().map_or(STACK_BYTES, |limit| limit / 8));
    loop {
        let arguments = arguments.clone();
        // The thread ends the process itself: in a forked child it is the only one.
        let main = std::thread::Builder::new()
            .name("main".into())
            .stack_size(bytes)
            .spawn(move || end(run::main(&arguments, bytes)));
        match main {
            Ok(main) => {
                signal::block_signals();
                // A panic has said what happened.
                drop(main.join());
                return ExitCode::FAILURE;
            }
            Err(_) if bytes / 2 >= LEAST_STACK_BYTES => bytes /= 2,
            Err(error) => {
                run::complain(&format!("cannot start a thread: {error}"));
                return ExitCode::FAILURE;
            }
        }
    }
}

fn end(ended: run::Ended) {
    let code = match ended {
        run::Ended::Code(code) => code & 0xff,
        run::Ended::Signal(number) => {
            signal::die_by(number);
            128 + number
        }
    };
    std::process::exit(code)
}
