//! Collections, and what the process's memory consists of.

pub mod footprint;
pub(crate) mod gc;
