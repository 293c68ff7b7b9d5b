//! The virtual machine: classes, shapes, frames, dispatch, inline caches, unwinding, Ractors, threads and fibers.
//!
//! # Code map
//! * [`vm`], [`ractor`], [`ec`]: what all share, what a Ractor owns, what a thread holds.
//! * [`class`], [`method`], [`shape`], [`symbol`], `cref`, `constants`, `define`: the object model.
//! * `frame`, `stack`, `code`, `link`, `interp`, `args`, `call`, `unwind`, `trace`: execution.
//! * `code`, `polymorphic`, `lookup`: what sites remember, of one shape and of several, and what a Ractor does for calls without a site.
//! * [`string`], [`array`], [`hash`], [`proc`], [`object`], [`data`], `numeric`: handles for heap objects.
//! * [`native`]: how Rust functions become methods. [`hooks`]: what the classes above lend to the VM.
//! * [`anatomy`]: what objects are made of, as `ObjectSpace` tells it. [`recorder`]: where they were made.
//! * `learn`: how many fields instances will get. `members`: those of structs. `append_only`: lists that are read without a lock.
//! * `gc`, `poll`: what a collection starts from, and when it runs.
//!
//! # Invariants
//! No mutable static: everything hangs off an [`Ec`]. Only `leave`, `raise` and `throw` end a frame.
//!
//! # Not here
//! Methods of core classes (`builtins`), the parser (`compile`), output of any kind.

pub mod anatomy;
mod append_only;
pub(crate) mod args;
pub mod array;
pub mod autoload;
pub mod backtrace;
mod blocking;
mod boot;
mod bug;
pub mod call;
pub mod class;
mod code;
mod constants;
mod convert;
pub mod coverage;
pub mod cref;
pub mod data;
pub mod define;
pub mod ec;
pub mod eval;
pub mod fiber;
mod filling;
pub mod footprint;
mod fork;
mod frame;
mod fstrings;
mod gc;
mod globals;
pub mod hash;
pub mod hooks;
mod interp;
mod isolation;
mod learn;
pub mod life;
pub mod link;
mod lookup;
mod members;
pub mod method;
pub mod method_object;
pub mod native;
mod numeric;
pub mod object;
mod poll;
mod polymorphic;
pub mod port;
mod positions;
pub mod prism;
pub mod proc;
pub mod ractor;
mod raise;
pub mod recorder;
mod recursion;
mod redefinition;
mod requests;
pub mod scheduler;
pub mod scope;
pub mod shape;
mod shareable;
mod stack;
pub mod string;
pub mod symbol;
pub mod thread;
pub mod trace;
mod unwind;
pub mod vm;
mod warning;
mod workers;
mod world;

pub use array::Array;
pub use boot::MainVm;
pub use carat_heap::{Counting, Phase, Reserving, address_space_limit, reserve};
pub use carat_layout::{HeapType, ShapeId, SymbolId, Value};
pub use class::{Class, Visibility};
pub use data::{Data, NativeData};
pub use ec::{Ec, Result, Unwind, interrupt};
pub use filling::Filling;
pub use hash::{Hash, hash_mix};
pub use native::{Args, Int, Keywords, Name, Num, Rest};
pub use numeric::float_modulo;
pub use proc::{Block, Proc};
pub use string::{CodeRange, EncodingIndex, Str};
pub use symbol::sym;
pub use vm::{Config, Vm};
