//! Heap objects as typed handles: reading borrows the context, writing borrows it mutably.
//!
//! # Invariants
//! Nothing of `run` is imported: what a value may cause to run (a warning, an error, a conversion) is asked of the `Ec`.
//!
//! # Collection
//! Reading and writing a value never polls. What takes `&mut Ec` and calls Ruby (`convert`, hashing of keys) may.

pub mod array;
pub(crate) mod convert;
pub mod data;
pub(crate) mod fstrings;
pub mod hash;
pub mod method_object;
pub(crate) mod numeric;
pub mod object;
pub(crate) mod positions;
pub mod recursion;
pub mod string;
pub(crate) mod string_buffer;
