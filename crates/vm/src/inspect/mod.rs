//! What a running program shows of itself: contents, allocations, events, coverage.

pub mod anatomy;
pub mod coverage;
pub mod recorder;
pub mod trace;
