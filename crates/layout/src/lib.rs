//! Values, header words and the heap structs: every layout fact, written once. Allocates nothing.
//!
//! # Code map
//! * [`value`]: the 64-bit tagged word.
//! * [`header`]: type, flags and shape of a heap object.
//! * [`objects`]: the `repr(C)` structs behind each type.
//! * [`pools`]: the slot sizes.

pub mod header;
pub mod objects;
pub mod pools;
pub mod value;

pub use header::{Header, HeapType, ShapeId, flags};
pub use objects::*;
pub use pools::{MAX_FIELDS_INLINE, MAX_SLOT_BYTES, POOL_SIZES, PoolIndex, pool_for};
pub use value::{SymbolId, Value};
