//! What a running program shows of itself: contents, allocations, events, coverage.
//!
//! # Invariants
//! While nobody traces, records or measures, no instruction and no fast path asks.

pub mod anatomy;
pub mod coverage;
pub mod frames;
pub mod recorder;
pub mod trace;
