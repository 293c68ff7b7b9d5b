//! Assemblers for x86-64 and aarch64, and memory that machine code lies in.
//!
//! [`Assembler`] appends instructions to a list of bytes; places in it that are not known yet are [`Label`]s. [`CodeMemory`]
//! hands out ranges of executable memory, and tells the unwinder of them. The two know nothing of each other, and nothing of Ruby.
//!
//! [`x64`] and [`a64`] have the same calls. What the crate itself hands out is x86-64's: nothing runs what [`a64`] makes but tests.
//!
//! # Not here
//! A disassembler: tests compare with objdump's.

pub mod a64;
mod memory;
mod names;
#[cfg(test)]
mod tests;
mod unwind;
pub mod x64;

pub use memory::{CodeMemory, Range};
pub use names::{Alu, Condition, Label, Sse, Xmm};
pub use unwind::Depth;
pub use x64::{Assembler, Mem, Reg};
