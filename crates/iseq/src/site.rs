//! Sites: the places in code that own an inline cache cell.

/// How a call passes its arguments.
///
/// # Layout of the window behind the receiver
/// * plain: the positional arguments;
/// * `SPLAT`: one array with all positional arguments;
/// * then, with `KEYWORDS`, one register for each of `keyword_names`; with `KEYWORD_SPLAT` instead, one hash
///   (or nil for `**nil`) with all keywords. A call with `SPLAT` uses `KEYWORD_SPLAT` for any keywords;
/// * then, with `BLOCK_ARG`, the block: nil, a Proc or anything with `to_proc`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub struct CallFlags(pub u16);

impl CallFlags {
    pub const SPLAT: u16 = 1;
    pub const KEYWORDS: u16 = 2;
    pub const KEYWORD_SPLAT: u16 = 4;
    pub const BLOCK_ARG: u16 = 8;
    /// Receiver is an implicit or literal `self`: private methods may be called.
    pub const FCALL: u16 = 16;
    /// An identifier alone: `NameError` instead of `NoMethodError`.
    pub const VCALL: u16 = 32;
    pub const SUPER: u16 = 64;
    /// `super` without argument list: the compiler passes the method's parameters on itself.
    pub const ZSUPER: u16 = 128;
    /// The `KEYWORD_SPLAT` hash was built for this call and may be taken over.
    pub const KEYWORD_SPLAT_FRESH: u16 = 256;
    /// The `SPLAT` array was built for this call and may be taken over as the rest parameter.
    pub const SPLAT_FRESH: u16 = 512;
    /// `a.b = c` or `a[i] = c`: the value of the expression is not the method's result.
    pub const ATTRIBUTE_ASSIGN: u16 = 1024;
    /// The arguments come from `...`.
    pub const FORWARDING: u16 = 2048;

    pub fn has(self, flag: u16) -> bool {
        self.0 & flag != 0
    }

    /// Positional arguments and `&block`.
    pub fn passes_block_alone(self) -> bool {
        self.0 & (Self::SPLAT | Self::KEYWORDS | Self::KEYWORD_SPLAT | Self::BLOCK_ARG) == Self::BLOCK_ARG
    }

    /// Positional arguments, the last of which are the elements of a list, and at most `**hash` and `&block` besides.
    pub fn is_splat(self) -> bool {
        self.0 & (Self::SPLAT | Self::KEYWORDS) == Self::SPLAT
    }

    /// No keywords are written, not even a `**hash` that may be empty.
    pub fn gives_no_keywords(self) -> bool {
        self.0 & (Self::KEYWORDS | Self::KEYWORD_SPLAT) == 0
    }

    /// Positional arguments alone, at most a literal block besides.
    pub fn is_simple(self) -> bool {
        self.0 & (Self::SPLAT | Self::KEYWORDS | Self::KEYWORD_SPLAT | Self::BLOCK_ARG) == 0
    }
}

/// A call site.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct CallInfo {
    /// Method name; empty for `yield`.
    pub name: Box<[u8]>,
    /// Registers behind the receiver that hold positional arguments (1 with `SPLAT`).
    pub argc: u16,
    pub flags: CallFlags,
    pub keyword_names: Vec<Box<[u8]>>,
    /// Index into `Iseq::children` of a literal block.
    pub block: Option<u16>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Site {
    Call(CallInfo),
    /// `@name`
    InstanceVariable(Box<[u8]>),
    /// `@@name`
    ClassVariable(Box<[u8]>),
    /// `A::B::C` looked up from the lexical scope; a leading empty name stands for `::A`.
    Constant(Vec<Box<[u8]>>),
    /// Code run once; index into `Iseq::children`.
    Once(u16),
}
