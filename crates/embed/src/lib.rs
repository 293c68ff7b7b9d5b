//! Carat inside other programs.
//!
//! ```
//! let mut vm = carat_embed::Vm::builder().max_bytes(64 << 20).fuel(1_000_000).build()?;
//! vm.define_function("twice", |scope, arguments| {
//!     let number: i64 = scope.get(&arguments[0])?;
//!     scope.value(number * 2)
//! })?;
//! let answer = vm.eval("twice(21)", "answer.rb")?;
//! assert_eq!(vm.get::<i64>(&answer)?, 42);
//! # Ok::<(), carat_embed::Error>(())
//! ```
//!
//! # Code map
//! * [`Builder`] and [`Vm`]: what a program may do, and one VM. [`Scope`]: what the host does with a VM that runs.
//! * [`Value`], [`FromRuby`], [`IntoRuby`]: objects that the host holds, and conversions.
//!   `Scope::serialize` and `Scope::deserialize` convert whatever serde can (feature `serde`, on by default).
//! * [`Error`]: an exception that nobody rescued, or a limit that was passed.
//!
//! # Invariants
//! * A VM stays on the thread that built it, which is its main thread. Its Ruby threads run only while the host is inside a call.
//! * Nothing of the process is touched that the host did not grant: `docs/embedding.md` has the list.
//! * No unwinding crosses into or out of a VM: panics of the host's functions become exceptions.
#![forbid(unsafe_code)]

mod builder;
mod convert;
#[cfg(feature = "serde")]
mod deserialize;
mod error;
mod host;
mod roots;
mod scope;
#[cfg(feature = "serde")]
mod serialize;
#[cfg(test)]
mod tests;
mod vm;
mod watchdog;

pub use builder::Builder;
pub use convert::{FromRuby, IntoRuby};
pub use error::{Error, Kind};
pub use roots::Value;
pub use scope::{ClassBuilder, Scope};
pub use vm::{StopHandle, Vm};
