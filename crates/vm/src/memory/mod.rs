//! Collections, and what the process's memory consists of.
//!
//! # Invariants
//! A collection runs at a poll, with all Ractors standing still.

pub(crate) mod code_pages;
pub mod footprint;
pub(crate) mod gc;
