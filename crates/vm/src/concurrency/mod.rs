//! Ractors, threads and fibers.
//!
//! # Invariants
//! Whoever touches what a Ractor owns has its turn, or the world stands still. Nobody holds a lock of the Vm across a poll.
//!
//! # Collection
//! Whoever waits gives up the turn and may find that a collection has run meanwhile.

pub(crate) mod blocking;
pub mod fiber;
pub(crate) mod fork;
pub(crate) mod isolation;
pub mod port;
pub mod ractor;
pub mod ractor_object;
pub(crate) mod requests;
pub mod scheduler;
pub(crate) mod shareable;
pub mod thread;
pub(crate) mod workers;
pub(crate) mod world;
