//! What the executables share: from a command line to a program that runs, and to its end.
//!
//! # Code map
//! `options` reads the command line; `script` finds the source; `run` boots a VM on a thread with a large native stack.
//! `prompt` reads statements from a terminal instead.
//!
//! # Not here
//! Ruby: everything that runs is in `carat-builtins` and below. Only this crate and `loupe` print or exit on their own account.
#![forbid(unsafe_code)]

mod help;
mod library;
mod options;
mod prompt;
mod run;
mod script;

pub use carat_builtins::program::OtherTexts;
pub use run::{Ended, Observer, main, observed};

use carat_os::signal;
use std::process::ExitCode;

/// What executables take their memory from. (ThreadSanitizer knows the system's allocator only: to it, memory that mimalloc
/// hands on is shared.)
#[cfg(not(carat_tsan))]
pub type Allocator = carat_vm::Reserving<carat_os::Mimalloc>;
#[cfg(not(carat_tsan))]
pub const ALLOCATOR: Allocator = carat_vm::Reserving(carat_os::Mimalloc);

/// Native stack of the main program. It is reserved, not used: native methods that recurse find `SystemStackError` long
/// before its end.
const STACK_BYTES: usize = 256 << 20;

/// The main program's share of the address space, where that is limited.
pub fn stack_bytes() -> usize {
    carat_vm::address_space_limit().map_or(STACK_BYTES, |limit| (limit / 8).min(STACK_BYTES))
}

/// Runs `body` on a thread with a large native stack, and ends the process as it says.
pub fn on_main_thread(body: impl FnOnce() -> Ended + Send + 'static) -> ExitCode {
    signal::die_of_sent_faults();
    die_of_panics();
    carat_os::prepare_allocator();
    if carat_vm::address_space_limit().is_some() {
        carat_os::save_address_space();
    }
    // The thread ends the process itself: in a forked child it is the only one.
    let main = std::thread::Builder::new().name("main".into()).stack_size(stack_bytes()).spawn(move || end(body()));
    signal::block_signals();
    match main {
        Ok(main) => drop(main.join()),
        Err(error) => run::complain(&format!("cannot start a thread: {error}")),
    }
    ExitCode::FAILURE
}

/// From here on an interrupt or a request to end waits until [`asked_to_end`] is asked, so that its caller can put away what it
/// made and end by the signal.
pub fn wait_before_ending() {
    signal::note_ending();
}

/// The signal that asks the process to end, if one has come.
pub fn asked_to_end() -> Option<i32> {
    signal::take()
}

/// A panic is a mistake of Carat's, and its thread holds turns and locks that others wait for: the process says what
/// happened and ends, whichever thread it is.
fn die_of_panics() {
    let say = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        say(panic);
        std::process::abort();
    }));
}

fn end(ended: Ended) {
    let code = match ended {
        Ended::Code(code) => code & 0xff,
        Ended::Signal(number) => {
            signal::die_by(number);
            128 + number
        }
    };
    carat_os::process::exit(code)
}
