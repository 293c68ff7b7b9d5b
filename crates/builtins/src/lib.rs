//! Native methods of the core classes: a folder a subject, in it a file a class (or a folder where a class is large).
//!
//! Each module has tables of methods (`methods!`) and primitives (`primitives!`) and an `init` that registers them. What yields
//! is written in Ruby: see `core/*.rb`.
//!
//! # Code map
//! * `boot` brings everything together.
//! * `text`: strings, symbols, encodings, formats, regexps. `number`: integers, floats, rationals, random numbers.
//! * `collection`: arrays, hashes, ranges, structs. `object`: Kernel, modules, methods, exceptions, ObjectSpace.
//! * `control`: threads, fibers, Ractors, TracePoint. `system`: streams, files, processes, time, `require`.
//!
//! # Invariants
//! `text`, `number` and `collection` use each other only, but for an `Errno` of the random numbers.
//!
//! # Not here
//! Native halves of libraries that need little of this: `carat_stdlib`.
#![forbid(unsafe_code)]

mod boot;
mod collection;
mod control;
mod number;
mod object;
mod system;
mod text;

/// What native halves of libraries need to work on streams.
pub mod streams {
    pub use crate::system::errno::errno;
    pub use crate::system::io::{IoRef, check_open, set_nonblock, wait_for};
    pub use crate::system::system_call::{opening, quick_system_call, system_call, system_call_on};
}

pub use boot::boot;
pub use object::exception::describe_exception as describe;
pub use system::io::flush_all;
pub use system::load::{Feature, register_features};
pub use system::{program, version};
pub use text::regexp::REGEXP_CHECKS;
