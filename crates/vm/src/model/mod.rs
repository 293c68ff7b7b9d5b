//! The object model: classes, methods, shapes, names, constants and what defines them.
//!
//! # Invariants
//! Of `run` only a method's code is named. Tables that running code reads need no lock; whoever changes them does.
//!
//! # Collection
//! Lookups do not poll. Constants and autoloads may call Ruby, and so may poll.

pub(crate) mod append_only;
pub mod autoload;
pub mod class;
pub(crate) mod constants;
pub mod cref;
pub(crate) mod epochs;
pub(crate) mod globals;
pub(crate) mod lookup;
pub mod method;
pub(crate) mod redefinition;
pub mod shape;
pub(crate) mod struct_members;
pub mod symbol;
pub(crate) mod table;
