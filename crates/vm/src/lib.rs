//! The virtual machine: classes, shapes, frames, dispatch, inline caches, unwinding, Ractors, threads and fibers.
//!
//! # Code map
//! * [`vm`], [`ec`], [`hooks`], `boot`: what all share, what a thread holds, what `builtins` lends to the VM, how both begin.
//! * `model`: classes, methods, shapes, symbols, constants and globals, and what defines and looks them up.
//! * `value`: typed handles for heap objects, and conversions between them.
//! * `run`: code, frames, calls, the interpreter, caches of sites, unwinding, errors. [`native`] makes methods of Rust functions.
//! * `compiled`: machine code for what runs often.
//! * `concurrency`: Ractors, threads, fibers, and what passes between them.
//! * `memory`: what a collection starts from, and what resident memory consists of.
//! * [`foreign`]: what code in C needs.
//! * `inspect`: what objects are made of, where they were made, events, coverage.
//! * [`prism`]: tokens and tree in the parser's own form, for `lib/ripper` and `lib/prism`.
//!
//! # Invariants
//! No mutable static: everything hangs off an [`Ec`]. Only `leave`, `raise` and `throw` end a frame.
//!
//! # Not here
//! Methods of core classes (`builtins`), the parser (`compile`), output of any kind.

mod boot;
mod bug;
mod compiled;
mod concurrency;
pub mod ec;
pub mod foreign;
pub mod hooks;
mod inspect;
mod memory;
mod model;
pub mod prism;
mod run;
mod value;
pub mod vm;

pub use boot::MainVm;
pub use carat_heap::{
    Counting, PAGE_BYTES, Phase, Reserving, Stats as HeapStats, address_space_limit, buf::Counters as BufferCounters,
    reserve,
};
pub use carat_layout::{HeapType, ShapeId, SymbolId, Value};
pub use compiled::Jit;
pub use concurrency::{fiber, port, ractor, ractor_object, scheduler, thread};
pub use ec::{Ec, Result, Unwind, interrupt};
pub use inspect::{anatomy, coverage, frames, recorder, trace};
pub use memory::footprint;
pub use model::class::{Class, Visibility};
pub use model::symbol::sym;
pub use model::{autoload, class, cref, method, shape, symbol};
pub use run::native::{Args, Int, Keywords, Name, Num, Rest};
pub use run::proc::{Block, Proc};
pub use run::{backtrace, call, define, eval, leaf, limits, link, native, proc, scope};
pub use value::array::Array;
pub use value::data::{Data, NativeData};
pub use value::hash::{Hash, hash_mix};
pub use value::numeric::float_modulo;
pub use value::string::{CodeRange, EncodingIndex, Str};
pub use value::string_buffer::StringBuffer;
pub use value::{array, data, hash, method_object, object, recursion, string};
pub use vm::{Config, Denied, Vm};
