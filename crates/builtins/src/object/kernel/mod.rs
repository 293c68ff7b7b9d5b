//! `Kernel`: what programs call without a receiver.
//!
//! # Code map
//! `output`: `puts`, `p` and their kin. `raising`: `raise`, `catch`, `throw`. `callers`: `caller`, `__method__`. `exiting`:
//! `exit`, `at_exit`. `convert`: `String()`, `Array()`, `Hash()`. `globals`: special global variables. `warnings`:
//! what `core/warning.rb` builds on.
//!
//! # Not here
//! What every object answers (`object`), numbers (`integer`, `float`), files and processes (`io`, `process`).

mod callers;
mod convert;
mod exiting;
mod globals;
mod lines;
mod output;
mod raising;
mod warnings;

pub(crate) use callers::part_of_backtrace;
pub use exiting::{ExitStatus, at_last, do_last, finish};
pub(crate) use exiting::{end_by_jump, report};
pub(crate) use globals::{read_only, store as store_global};
pub use lines::define_line_methods;
pub(crate) use raising::exception_to_deliver;
pub(crate) use warnings::{PRIMITIVES, switch as warning_switch};

use carat_vm::Ec;

pub(crate) fn init(ec: &mut Ec) {
    let kernel = ec.vm().known().kernel;
    for table in
        [output::METHODS, raising::METHODS, callers::METHODS, exiting::METHODS, convert::METHODS, globals::METHODS]
    {
        kernel.define_methods(ec, table);
    }
    globals::init(ec);
    warnings::init(ec);
}
