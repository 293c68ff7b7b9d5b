//! The `repr(C)` structs behind each heap type.
//!
//! Each begins with its [`Header`]. Fields of plain objects follow the header directly: field i lies at `8 + 8 * i` while
//! that is inside the slot. What a native pointer field owns is released by the type's finaliser in `vm`.

use crate::header::Header;
use crate::value::Value;
use std::ffi::c_void;

/// A string whose contents are in its slot.
#[repr(C)]
pub struct RStringEmbedded {
    pub header: Header,
    pub len: u16,
    /// The first bytes; the rest follow to the end of the slot.
    pub bytes: [u8; 6],
}

/// Bytes of a slot that an embedded string cannot use: header and length.
pub const STRING_EMBEDDED_OVERHEAD: usize = 10;

/// A string or array whose contents are a window of a buffer.
#[repr(C)]
pub struct RView {
    pub header: Header,
    pub buf: *mut BufHead,
    pub ptr: *mut u8,
    /// Bytes of a string, elements of an array.
    pub len: usize,
}

/// A string or array in a slot too small for a view.
#[repr(C)]
pub struct RBufOnly {
    pub header: Header,
    pub buf: *mut BufHead,
}

/// The head of a buffer; its data follows directly.
#[repr(C)]
pub struct BufHead {
    /// Number of objects that refer to the buffer. Writing needs a count of one.
    pub count: std::sync::atomic::AtomicUsize,
    /// Bytes that fit behind the head.
    pub capacity: usize,
    /// Of an object with `STORAGE_BUF`, of which a buffer has one at most: where the contents begin and how long they are.
    /// Without one, no address, and how many bytes those that share the buffer use.
    pub ptr: *mut u8,
    pub len: usize,
}

/// An array whose elements are in its slot; their number is in the header.
#[repr(C)]
pub struct RArrayEmbedded {
    pub header: Header,
    pub elements: [Value; 1],
}

/// A double outside the flonum range.
#[repr(C)]
pub struct RFloat {
    pub header: Header,
    pub value: f64,
}

/// An Integer that no fixnum holds: the native number lies in the slot, its digits elsewhere.
#[repr(C)]
pub struct RBignum {
    pub header: Header,
    /// A `num_bigint::BigInt`.
    pub integer: [usize; 4],
}

/// An object that owns one native allocation: classes, hashes, regexps, matches and native data.
#[repr(C)]
pub struct ROwner {
    pub header: Header,
    pub native: *mut c_void,
}

/// A native Rust value with its type's table of operations.
#[repr(C)]
pub struct RData {
    pub header: Header,
    pub native: *mut c_void,
    /// `&'static vm::data::DataType`.
    pub data_type: *const c_void,
}

/// What a C extension wrapped: CRuby's `RData` and `RTypedData`, whose fields C code reads and writes.
#[repr(C)]
pub struct RCData {
    pub header: Header,
    /// `dmark`, or the `rb_data_type_t` of typed data.
    pub mark_or_type: *const c_void,
    /// `dfree`, or [`RCData::TYPED`] in its place.
    pub free_or_flag: usize,
    pub data: *mut c_void,
}

impl RCData {
    pub const TYPED: usize = 1;
}

#[repr(C)]
pub struct RHash {
    pub header: Header,
    /// Default value or default proc.
    pub default: Value,
    /// The entries, or the address of the memory that they are in; see `vm::hash`.
    pub tail: [Value; 1],
}

/// As a hash, without default.
#[repr(C)]
pub struct RSet {
    pub header: Header,
    pub tail: [Value; 1],
}

/// Two values: `Range`, `Rational`, `Complex`.
#[repr(C)]
pub struct RPair {
    pub header: Header,
    pub first: Value,
    pub second: Value,
}

/// Captured variables on the heap: a copy of a frame's header words, self and locals.
#[repr(C)]
pub struct REnv {
    pub header: Header,
    /// The frame's header words that this environment has (their number is in the header; one of them is this object's own
    /// address), then self and the locals. Frames too large for a slot lie in an allocation of their own, behind
    /// the number of words; the slot is then an [`ROwner`].
    pub words: [u64; 1],
}

#[repr(C)]
pub struct RProc {
    pub header: Header,
    /// `Code` of the block; nil, or a scope, for procs of native origin.
    pub code: Value,
    /// The environment's data (the word of `self`) inside an [`REnv`]; what to call for procs of native origin.
    pub env: *mut Value,
}

const _: () = assert!(size_of::<RView>() == 32);
const _: () = assert!(size_of::<RCData>() == 32);
const _: () = assert!(std::mem::offset_of!(RCData, data) == 24);
const _: () = assert!(size_of::<RHash>() == 24);
const _: () = assert!(size_of::<RSet>() == 16);
const _: () = assert!(size_of::<RProc>() == 24);
const _: () = assert!(std::mem::offset_of!(RStringEmbedded, bytes) == STRING_EMBEDDED_OVERHEAD);
const _: () = assert!(size_of::<BufHead>() == 32);
