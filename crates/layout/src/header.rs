//! The header word: what every heap object begins with.
//!
//! # Layout
//! ```text
//! 63            32 31        16 15 14 13 12 11 10  9 8..5  4..0
//! [   ShapeId    ] [ per type ] [ generic flags     ][pool][type]
//! ```
//! The shape names the class as well as the layout. Shape, pool and side-fields flag together fix where each field
//! lies, so an inline cache compares `header & FIELD_KEY` with one instruction.
//!
//! # Invariants
//! Type and pool never change while an object lives. The pool is the one that is large enough for the object without the
//! fields behind its contents: the slot may be one of a larger pool. Only the owning Ractor writes the header of an object that is not
//! shareable; the loads are relaxed atomics so that reading a shareable object's shape elsewhere is no data race.

use crate::pools::PoolIndex;
use std::sync::atomic::{
    AtomicU64,
    Ordering::{Relaxed, Release},
};

/// Index of a shape in its VM's table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ShapeId(pub u32);

/// What a slot holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum HeapType {
    /// A slot that was never initialised or has been swept.
    Free = 0,
    Object,
    Class,
    Module,
    /// A module's place in a class's ancestry.
    IClass,
    Float,
    String,
    Regexp,
    Array,
    Hash,
    Struct,
    Bignum,
    /// A native Rust value; see [`crate::RData`].
    Data,
    Match,
    Complex,
    Rational,
    Range,
    Proc,
    /// Captured variables that outlive their frame.
    Env,
    /// A method as found in a class's table.
    MethodEntry,
    /// A method or block made ready to run in one Ractor.
    Code,
    /// The lexical scope of a piece of code.
    Cref,
    /// What travels in an unwinding `break`, `throw` or `return`.
    Throw,
    Set,
    /// What a C extension wrapped; see [`crate::RCData`].
    CData,
}

impl HeapType {
    pub const ALL: [HeapType; 25] = [
        HeapType::Free,
        HeapType::Object,
        HeapType::Class,
        HeapType::Module,
        HeapType::IClass,
        HeapType::Float,
        HeapType::String,
        HeapType::Regexp,
        HeapType::Array,
        HeapType::Hash,
        HeapType::Struct,
        HeapType::Bignum,
        HeapType::Data,
        HeapType::Match,
        HeapType::Complex,
        HeapType::Rational,
        HeapType::Range,
        HeapType::Proc,
        HeapType::Env,
        HeapType::MethodEntry,
        HeapType::Code,
        HeapType::Cref,
        HeapType::Throw,
        HeapType::Set,
        HeapType::CData,
    ];
}

/// Bits of the low half of the header.
pub mod flags {
    pub const TYPE_MASK: u64 = 0x1F;
    pub const POOL_SHIFT: u32 = 5;
    pub const POOL_MASK: u64 = 0xF << POOL_SHIFT;
    pub const FROZEN: u64 = 1 << 9;
    /// May be reached from several Ractors; only a global collection frees it.
    pub const SHAREABLE: u64 = 1 << 10;
    /// Survived a full collection or two minor ones: stores of young objects into it are logged.
    pub const OLD: u64 = 1 << 11;
    /// Of an old object: already in the log of those to look at again.
    pub const LOGGED: u64 = 1 << 12;
    /// Of a young object: survived one minor collection. The bit means something else in old ones.
    pub const AGED: u64 = LOGGED;
    /// Some fields live in a side block reached through the page.
    pub const SIDE_FIELDS: u64 = 1 << 13;

    // Strings and arrays: how the contents are held.
    pub const STORAGE_MASK: u64 = 3 << 14;
    /// In the slot itself.
    pub const STORAGE_EMBEDDED: u64 = 0;
    /// The slot holds buffer, pointer and length.
    pub const STORAGE_VIEW: u64 = 1 << 14;
    /// The slot holds the buffer only, whose head holds pointer and length; never shared.
    pub const STORAGE_BUF: u64 = 2 << 14;

    // Strings.
    pub const ENCODING_SHIFT: u32 = 16;
    pub const ENCODING_MASK: u64 = 0x7F << ENCODING_SHIFT;
    pub const CODERANGE_SHIFT: u32 = 23;
    pub const CODERANGE_MASK: u64 = 3 << CODERANGE_SHIFT;
    /// A literal that warns when it is first mutated.
    pub const CHILLED: u64 = 1 << 25;
    /// In the table of unique frozen strings.
    pub const FSTRING: u64 = 1 << 26;
    /// A chilled string that came from `Symbol#to_s`. Of a string that is not chilled: a copy of a literal that the loupe wants
    /// to hear of when it is first mutated; nobody is warned.
    pub const CHILLED_SYMBOL: u64 = 1 << 27;
    /// The first mutation of the string is to be noticed.
    pub const CHILLED_MASK: u64 = CHILLED | CHILLED_SYMBOL;
    /// A view that was made as a slice of something else: what its buffer has besides was never reserved for it. Of strings
    /// and arrays.
    pub const SLICE: u64 = 1 << 28;
    /// A string that `+` made: the next one made of it may well continue it.
    pub const SUM: u64 = 1 << 29;
    /// An `IO::Buffer` writes its bytes: nobody else may.
    pub const STRING_LOCKED: u64 = 1 << 30;
    /// C code was given the address of the bytes or elements: they stay where they are while nobody writes. Of strings and
    /// arrays.
    pub const EXPOSED: u64 = 1 << 31;
    /// A hash (`**opts` collected by `ruby2_keywords`) to be passed on as keywords.
    pub const RUBY2_KEYWORDS: u64 = 1 << 20;

    /// C code was given the address of an array's elements to write to them.
    pub const ARRAY_WRITTEN: u64 = 1 << 30;

    // Arrays: the number of embedded elements (at most 127).
    pub const EMBEDDED_LEN_SHIFT: u32 = 16;
    pub const EMBEDDED_LEN_MASK: u64 = 0x7F << EMBEDDED_LEN_SHIFT;

    // Hashes and sets: how the entries are held, under `STORAGE_MASK`.
    /// In the slot itself.
    pub const HASH_EMBEDDED: u64 = 0;
    /// In a block of a few entries.
    pub const HASH_LINEAR: u64 = 1 << 14;
    /// In a table with hashes.
    pub const HASH_TABLE: u64 = 2 << 14;
    /// There are none, and no place for them.
    pub const HASH_NONE: u64 = 3 << 14;
    pub const HASH_PROC_DEFAULT: u64 = 1 << 16;
    pub const HASH_BY_IDENTITY: u64 = 1 << 17;
    /// A block has room for two to the power of this plus one entries.
    pub const HASH_SIZE_MASK: u64 = 3 << 18;
    /// Entries in the slot or block, deleted ones included, and live ones: eight at most.
    pub const HASH_USED_MASK: u64 = 0xF << 21;
    pub const HASH_LIVE_MASK: u64 = 0xF << 25;
    /// Iterations under way over entries in the slot or block.
    pub const HASH_ITERATING_MASK: u64 = 7 << 29;

    // Classes.
    pub const CLASS_SINGLETON: u64 = 1 << 16;
    pub const CLASS_REFINEMENT: u64 = 1 << 17;

    // Ranges.
    pub const RANGE_EXCLUDE_END: u64 = 1 << 16;

    // Procs.
    pub const PROC_LAMBDA: u64 = 1 << 16;
    /// Made from a method (`Method#to_proc`) or a symbol.
    pub const PROC_FROM_METHOD: u64 = 1 << 17;

    // Environments: too large for a slot.
    pub const ENV_EXTERNAL: u64 = 1 << 16;
    /// How many words there are below that of `self`.
    pub const ENV_HEADER_SHIFT: u32 = 17;
    pub const ENV_HEADER_MASK: u64 = 7 << ENV_HEADER_SHIFT;

    /// What an inline cache for fields compares.
    pub const FIELD_KEY: u64 = 0xFFFF_FFFF_0000_0000 | POOL_MASK | SIDE_FIELDS;
}

/// The header word itself.
#[repr(transparent)]
pub struct Header(AtomicU64);

const _: () = assert!(size_of::<Header>() == 8);

impl Header {
    /// A header that another one's bits make.
    #[inline]
    pub const fn of_bits(bits: u64) -> Header {
        Header(AtomicU64::new(bits))
    }

    #[inline]
    pub const fn new(kind: HeapType, pool: PoolIndex, shape: ShapeId, flags: u64) -> Header {
        Header(AtomicU64::new(kind as u64 | (pool.0 as u64) << flags::POOL_SHIFT | flags | (shape.0 as u64) << 32))
    }

    #[inline]
    pub fn bits(&self) -> u64 {
        self.0.load(Relaxed)
    }

    #[inline]
    pub fn set_bits(&self, bits: u64) {
        self.0.store(bits, Relaxed);
    }

    #[inline]
    pub fn heap_type(&self) -> HeapType {
        HeapType::ALL[(self.bits() & flags::TYPE_MASK) as usize]
    }

    #[inline]
    pub fn is_type(&self, kind: HeapType) -> bool {
        self.bits() & flags::TYPE_MASK == kind as u64
    }

    #[inline]
    pub fn pool(&self) -> PoolIndex {
        PoolIndex(((self.bits() & flags::POOL_MASK) >> flags::POOL_SHIFT) as u8)
    }

    /// Bytes of the slot, but for those that an object that is more than fields has behind its contents for fields.
    #[inline]
    pub fn slot_bytes(&self) -> usize {
        self.pool().slot_bytes()
    }

    #[inline]
    pub fn shape(&self) -> ShapeId {
        ShapeId((self.bits() >> 32) as u32)
    }

    #[inline]
    pub fn set_shape(&self, shape: ShapeId) {
        self.change(0xFFFF_FFFF << 32, (shape.0 as u64) << 32);
    }

    /// Replaces bits. Several Ractors may change the header of a shareable object: what they know of a frozen string's bytes, say.
    /// The operands are words and no closure, which handlers of instructions would have to keep in a frame of their own.
    #[inline]
    fn change(&self, mask: u64, value: u64) {
        let bits = self.bits();
        if bits & flags::SHAREABLE == 0 {
            self.set_bits(bits & !mask | value);
        } else {
            self.change_shared(mask, value);
        }
    }

    /// Publishes what was written before: who sees a class's new shape sees its fields.
    #[cold]
    #[inline(never)]
    fn change_shared(&self, mask: u64, value: u64) {
        let _ = self.0.fetch_update(Release, Relaxed, |bits| Some(bits & !mask | value));
    }

    /// As [`Header::set`], of an object that another Ractor may be changing.
    pub fn set_atomically(&self, flag: u64) {
        self.0.fetch_or(flag, Release);
    }

    #[inline]
    pub fn has(&self, flag: u64) -> bool {
        self.bits() & flag != 0
    }

    #[inline]
    pub fn set(&self, flag: u64) {
        self.change(0, flag);
    }

    #[inline]
    pub fn clear(&self, flag: u64) {
        self.change(flag, 0);
    }

    /// Replaces the bits under `mask` by `value`, which is already in place.
    #[inline]
    pub fn replace(&self, mask: u64, value: u64) {
        self.change(mask, value);
    }
}
