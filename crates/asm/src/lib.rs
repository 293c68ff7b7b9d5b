//! Assemblers for x86-64 and aarch64, and memory that machine code lies in.
//!
//! [`Assembler`] appends instructions to a list of bytes; places in it that are not known yet are [`Label`]s. [`CodeMemory`]
//! hands out ranges of executable memory, and tells the unwinder of them. The two know nothing of each other, and nothing of Ruby.
//!
//! [`x64`] and [`a64`] have the same calls, and what differs between the two processors is behind them; [`native`] is the one for what
//! runs here.
//!
//! # Not here
//! A disassembler: tests compare with objdump's.

pub mod a64;
mod code;
mod memory;
mod names;
#[cfg(test)]
mod tests;
mod unwind;
pub mod x64;

/// The assembler for the processor that runs this; x86-64's where there is none, for nobody to run.
#[cfg(target_arch = "aarch64")]
pub use a64 as native;
#[cfg(not(target_arch = "aarch64"))]
pub use x64 as native;

pub use code::{Code, Label};
pub use memory::{CodeMemory, Placement, Range};
pub use names::{Alu, Condition, Sse, Xmm};
pub use native::{Assembler, Mem, Reg};
pub use unwind::{Depth, Stack};

/// Whether what [`native`] makes runs here.
pub const RUNS_HERE: bool =
    cfg!(any(all(target_arch = "x86_64", unix), all(target_arch = "aarch64", target_os = "linux")));

/// To be called by a thread before it runs code that others may have written since it ran any.
#[inline]
pub fn see_code_of_others() {
    native::see_code_of_others();
}
