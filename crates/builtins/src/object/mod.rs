//! Objects and the classes behind them: Kernel, modules, methods, procs, exceptions, and views of the heap.

pub(crate) mod any_object;
pub(crate) mod binding;
pub(crate) mod exception;
pub(crate) mod finalizers;
pub(crate) mod gc;
pub(crate) mod kernel;
pub(crate) mod marshal;
pub(crate) mod method;
pub(crate) mod module;
pub(crate) mod object_space;
pub(crate) mod parameters;
pub(crate) mod procs;
mod signatures;
pub(crate) mod syntax_error;
