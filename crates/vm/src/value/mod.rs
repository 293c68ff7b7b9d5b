//! Heap objects as typed handles: reading borrows the context, writing borrows it mutably.

pub mod array;
pub(crate) mod convert;
pub mod data;
pub(crate) mod fstrings;
pub mod hash;
pub mod method_object;
pub(crate) mod numeric;
pub mod object;
pub(crate) mod positions;
pub(crate) mod recursion;
pub mod string;
pub(crate) mod string_buffer;
