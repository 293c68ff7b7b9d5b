//! The compiled form of Ruby code: instructions, literals, sites, parameters and tables.
//!
//! The compiler writes a [`Draft`] of each piece of code and packs it ([`binary`]): a file is a [`Unit`] of bytes. What is to
//! run is read from them as an [`Iseq`]. All of this is plain data that names symbols as bytes and literals as descriptions, so
//! that the compiler never touches a heap and one iseq serves any number of VMs and Ractors; `vm` links it before it runs.
//!
//! # Frames
//! Code addresses registers relative to the frame pointer: register 0 is `self`, then the parameters in declaration
//! order, then the other locals, then temporaries used as a stack. A call is built in a *window* of temporaries:
//! [`FRAME_HEADER`] words that the VM fills, then the receiver, then the arguments. `base` is the receiver's register.
//! The window becomes the callee's frame in place: arguments are never copied.
//!
//! # Invariants
//! * Temporaries are used strictly as a stack: at any call, every register below the window that is a temporary has been
//!   written since the frame began, except the headers of windows that are being filled: see [`PendingWindow`]. This lets
//!   the collector scan frames precisely without clearing them.
//! * Everything at or above `base - FRAME_HEADER` is dead after the call.
//! * The word before a return address holds the destination register in its `a` field.
#![forbid(unsafe_code)]

pub mod binary;
pub mod coverage;
mod disasm;
mod draft;
mod insn;
mod literal;
mod params;
mod shared;
mod site;
mod view;

pub use binary::{Pack, Packed, Unit};
pub use disasm::disassemble;
pub use draft::Draft;
pub use insn::{Insn, Op, OpFormat, hint, newarray_send};
pub use literal::{EncodingName, Literal, SOURCE_ENCODINGS};
pub use params::{KeywordParam, Params};
pub use shared::{Iseq, IseqRef, Notes};
pub use site::{CallFlags, CallInfo, Site};
pub use view::{CallView, LiteralList, LiteralView, LocalView, NameList, SiteView};

/// Words below the receiver of a call window; see `vm::run::frame` for their meaning.
pub const FRAME_HEADER: u16 = 8;

/// What a piece of code was in the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IseqKind {
    /// The main script, or a file that is required or loaded.
    Top,
    Method,
    Block,
    /// `-> { }`: a block whose frames are lambdas from birth.
    Lambda,
    /// The body of `class`, `module` or `class <<`.
    Class,
    /// A string given to `eval`; its locals that persist are those of the binding's last scope.
    Eval,
}

/// A local variable and where it lives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Local {
    /// Empty for hidden locals (destructured parameters, flip-flop state, anonymous rest).
    pub name: Box<[u8]>,
    pub register: u16,
    /// True if a child scope (or `binding`/`eval`) may reach it: every access goes through the frame's environment.
    pub captured: bool,
    /// True if more than one place in the code gives it a value, a parameter's included.
    pub reassigned: bool,
}

/// Code that takes over when something unwinds through a range of instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CatchEntry {
    /// First covered word.
    pub start: u32,
    /// First word behind the covered range.
    pub end: u32,
    /// Where to continue.
    pub target: u32,
    /// Receives what is unwinding (an exception, or an opaque token for `break`, `throw` and the like); the register
    /// behind it receives the previous `$!`. Registers above `register + 1` are dead at `target`.
    pub register: u16,
    pub kind: CatchKind,
}

impl CatchEntry {
    /// Whether a frame that goes on at a word is inside.
    pub fn is_around(&self, return_word: u32) -> bool {
        self.start < return_word && return_word <= self.end
    }

    /// Whether it runs when such a frame is left by `break` or `return`.
    pub fn runs_on_leaving(&self, return_word: u32) -> bool {
        self.kind == CatchKind::Ensure && self.is_around(return_word)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CatchKind {
    /// Catches exceptions only. The code at the target tests the class and rethrows what it does not want.
    Rescue,
    /// Catches everything that unwinds; the code ends in `rethrow`.
    Ensure,
}

/// A call window whose header words are not written yet, because its receiver and arguments are being evaluated.
///
/// While a frame's return address lies in `start < ra <= end`, `words` registers from `register` up hold leftovers of
/// earlier calls, which are no values: the [`FRAME_HEADER`], and the receiver if the call itself fills it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PendingWindow {
    pub start: u32,
    pub end: u32,
    pub register: u16,
    pub words: u16,
}

/// Facts that the VM needs before it runs the code.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct IseqFlags {
    /// Some code here, or in a block below, reads `$~` or `$_`; `Iseq::svar` is then present in the method-level iseq.
    pub uses_svar: bool,
    /// Calls `binding`, `eval` or the like by name: every local is captured.
    pub uses_binding: bool,
    /// A block that takes one array apart into its parameters, as procs with several parameters do.
    pub auto_splat: bool,
    /// Contains `yield`, or passes its block on (`super`, `&`): a method that ignores its block may be warned about.
    pub uses_block: bool,
    /// Calls `__callee__`, here or in a block below: each alias of such a method is a method of its own.
    pub uses_callee: bool,
    /// Contains `super`, here or in a block below.
    pub calls_super: bool,
    /// Code of the core library: its frames are hidden from backtraces and `$~` goes to the frame above.
    pub is_core: bool,
    /// A method whose body ignores or passes `**nil`-style keywords; see `Params::accepts_no_keywords`.
    pub ruby2_keywords: bool,
    /// A block of core code whose only parameter is `*packed`: one argument stands there as it is, none as nil, several as
    /// an array.
    pub packs_values: bool,
    /// Such a block whose next local variables are [`GROUP_LOCALS`]. One argument stands in the first register, and these are
    /// nil. Of two, the first stands there and the other is `second`, and `paired` is true. Otherwise `grouped` is true, and all
    /// arguments are an array.
    pub tells_groups: bool,
    /// A program's code that calls primitives nevertheless: string literals that remember where they were made.
    pub marks_strings: bool,
    /// Where in [`SOURCE_ENCODINGS`] the encoding of names beyond ASCII is; UTF-8 is 0.
    pub encoding: u8,
}

impl IseqFlags {
    /// The encoding of names beyond ASCII.
    pub fn encoding_name(self) -> EncodingName {
        SOURCE_ENCODINGS[usize::from(self.encoding)]
    }

    /// The flags with the encoding of a source.
    #[must_use]
    pub fn in_encoding(self, name: &str) -> IseqFlags {
        let at = SOURCE_ENCODINGS.iter().position(|encoding| *encoding == name);
        IseqFlags { encoding: at.map_or(0, |at| at as u8), ..self }
    }
}

/// Names of the registers from 2 up: see [`IseqFlags::tells_groups`].
pub const GROUP_LOCALS: [&str; 3] = ["grouped", "paired", "second"];

/// See [`Draft::lines`].
pub const LINE_EVENT: u32 = 1 << 31;
