//! Ractors, threads and fibers.

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
