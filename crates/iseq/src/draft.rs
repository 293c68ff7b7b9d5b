//! `Draft`: code as the compiler leaves it, and as the disassembler and the verifier read it.

use crate::{CatchEntry, Insn, IseqFlags, IseqKind, Literal, Local, Params, PendingWindow, Site};

/// Compiled code with everything it refers to, spelled out. [`Pack::add`](crate::Pack::add) makes bytes of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Draft {
    pub kind: IseqKind,
    /// Method or class name, `<main>`, `<top (required)>`, `block in foo`.
    pub name: Box<[u8]>,
    pub first_line: i32,
    pub insns: Vec<Insn>,
    pub literals: Vec<Literal>,
    /// Names used by instructions directly (`definemethod`, `getglobal`).
    pub symbols: Vec<Box<[u8]>>,
    /// Call sites, variable sites, constant sites: one inline cache cell each.
    pub sites: Vec<Site>,
    /// Where the code of blocks, methods and class bodies is, in the same pack.
    pub children: Vec<u32>,
    pub params: Params,
    /// Names as `parameters` reports them; empty names are anonymous (`*`, `**`, `&`) or destructured.
    pub parameter_names: Vec<Box<[u8]>>,
    pub locals: Vec<Local>,
    /// Two adjacent captured registers for `$~` and `$_`, in method-level iseqs that need them.
    pub svar: Option<u16>,
    pub catches: Vec<CatchEntry>,
    /// Holes in the stack of temporaries; windows inside others are listed first. For the verifier: they are not packed.
    pub pending_windows: Vec<PendingWindow>,
    /// `(first word, line)` in ascending order of words.
    ///
    /// Words where the first statement of a line begins carry [`LINE_EVENT`](crate::LINE_EVENT).
    pub lines: Vec<(u32, i32)>,
    /// Registers of a frame: self, parameters, locals and the deepest temporary, windows included.
    pub frame_size: u16,
    /// Registers that are self, parameters or locals (the temporaries start here).
    pub local_size: u16,
    pub flags: IseqFlags,
}
