//! Threads, fibers, Ractors, and what watches code run.

pub(crate) mod compile_options;
pub(crate) mod coverage;
pub(crate) mod fiber;
pub(crate) mod instruction_sequence;
pub(crate) mod ractor;
pub(crate) mod thread;
pub(crate) mod tracepoint;
pub(crate) mod yjit;
