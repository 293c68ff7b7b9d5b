//! One Ractor's heap: pages of equal slots, allocation, marking, sweeping, barriers, and the buffers outside the slots.
//!
//! The crate knows no Ruby: what an object refers to, and what it owns outside its slot, a [`Client`] says.
//!
//! # Code map
//! * [`Heap`]: allocation, accounting, barriers, conservative lookup.
//! * `region`: 2 MiB regions, their pages, mark bits and free masks.
//! * [`Marker`], [`Client`], [`Liveness`]: marking.
//! * `collect` and `steps`: a collection in one go, and a full one in steps; `sweep` follows either, `pace` says when.
//! * `watch`: stores into a few objects, told of.
//! * [`reserve`]: what is left when the system has no more memory.
//! * [`buf`]: counted buffers. [`side`]: blocks of fields that found no room in their slot.
//!
//! # Invariants
//! Objects never move. Nothing is freed outside [`Heap::collect`] and [`Heap::step`], which only their caller starts: allocation just
//! reports, through the request hook, that a collection is due. A heap is used by one thread at a time.

pub mod buf;
mod collect;
mod heap;
mod mark;
mod os;
mod pace;
mod region;
pub mod reserve;
pub mod side;
mod stats;
mod steps;
mod sweep;
#[cfg(test)]
mod tests;
mod watch;

pub use collect::Collection;
pub use heap::Heap;
pub use mark::{Client, Liveness, Marker, prefetch_line};
pub use os::{address_space_limit, discard_spent, thread_time};
pub use region::PAGE_BYTES;
pub use reserve::{Counting, Reserving};
pub use stats::{PoolStats, Stats};
pub use steps::Phase;
