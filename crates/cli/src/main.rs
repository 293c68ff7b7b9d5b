//! The `carat` executable: see the library beside it.
#![forbid(unsafe_code)]

use std::process::ExitCode;

#[cfg(not(carat_tsan))]
#[global_allocator]
static ALLOCATOR: carat::Allocator = carat::ALLOCATOR;

fn main() -> ExitCode {
    let arguments: Vec<std::ffi::OsString> = std::env::args_os().collect();
    carat::on_main_thread(move || carat::main(&arguments, carat::stack_bytes()))
}
