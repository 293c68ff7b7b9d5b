//! The `carat` executable: options, the script, and how the process ends.
//!
//! # Code map
//! `options` reads the command line; `script` finds the source; `run` boots a VM on a thread with a large native stack.
//!
//! # Not here
//! Ruby: everything that runs is in `carat-builtins` and below. Only this crate prints or exits on its own account.
#![forbid(unsafe_code)]

mod help;
mod options;
mod run;
mod script;

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Native stack of the main program. It is reserved, not used: native methods that recurse find `SystemStackError` long
/// before its end.
const STACK_BYTES: usize = 256 << 20;

fn main() -> ExitCode {
    let arguments: Vec<std::ffi::OsString> = std::env::args_os().collect();
    let main = std::thread::Builder::new()
        .name("main".into())
        .stack_size(STACK_BYTES)
        .spawn(move || run::main(&arguments, STACK_BYTES));
    let ended = match main.map(std::thread::JoinHandle::join) {
        Ok(Ok(ended)) => ended,
        // A panic has said what happened; without a thread there is nothing to say it with.
        Ok(Err(_)) | Err(_) => run::Ended::Code(1),
    };
    match ended {
        run::Ended::Code(code) => ExitCode::from((code & 0xff) as u8),
        run::Ended::Signal(number) => die_by(number),
    }
}

/// Ends the process by a signal, so that its parent sees that.
fn die_by(number: i32) -> ExitCode {
    use rustix::process::{Signal, getpid, kill_process};
    if let Some(signal) = Signal::from_named_raw(number) {
        let _ = kill_process(getpid(), signal);
    }
    ExitCode::from((128 + number) as u8)
}
