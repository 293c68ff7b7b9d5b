//! An assembler for x86-64, and memory that machine code lies in.
//!
//! [`Assembler`] appends instructions to a list of bytes; places in it that are not known yet are [`Label`]s. [`CodeMemory`]
//! hands out ranges of executable memory, and tells the unwinder of them. The two know nothing of each other, and nothing of Ruby.
//!
//! # Not here
//! A disassembler: tests compare with objdump's.

mod memory;
#[cfg(test)]
mod tests;
mod unwind;
mod x64;

pub use memory::{CodeMemory, Range};
pub use unwind::Depth;
pub use x64::{Alu, Assembler, Condition, Label, Mem, Reg, Sse, Xmm};
