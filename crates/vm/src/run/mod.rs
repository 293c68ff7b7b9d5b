//! Execution: code, frames, calls, the interpreter, unwinding and errors.
//!
//! # Invariants
//! Only `leave`, `raise` and `throw` end a frame. Where a frame stands is published before anything can ask.
//!
//! # Collection
//! `poll` has the only polls; whatever calls Ruby reaches them.

pub(crate) mod args;
pub mod backtrace;
pub mod call;
pub(crate) mod case;
pub(crate) mod code;
pub mod define;
pub(crate) mod defined;
pub mod eval;
pub(crate) mod field_estimate;
pub(crate) mod frame;
pub(crate) mod interp;
pub mod leaf;
pub mod limits;
pub mod link;
pub mod native;
pub(crate) mod poll;
pub(crate) mod polymorphic;
pub mod proc;
pub(crate) mod raise;
pub mod scope;
pub(crate) mod specials;
pub(crate) mod stack;
pub(crate) mod unwind;
pub(crate) mod warning;
