//! Native methods of the core classes, one file per class (a folder where a class is large).
//!
//! Each module has tables of methods (`methods!`) and primitives (`primitives!`) and an `init` that registers them. What yields
//! is written in Ruby: see `core/*.rb`.
//!
//! # Code map
//! `boot` brings everything together; `core_library` holds the Ruby half.
#![forbid(unsafe_code)]

mod array;
mod bigdecimal;
mod binding;
mod boot;
mod core_library;
mod coverage;
mod digest;
mod encoding;
mod escape_html;
mod etc;
mod exception;
mod fiber;
mod file;
mod float;
mod format;
mod gc;
mod generic;
mod hash;
mod instruction_sequence;
mod integer;
mod io;
mod io_buffer;
mod json;
mod kernel;
mod load;
mod marshal;
mod math;
mod method;
mod module;
mod msgpack;
mod object;
mod object_space;
mod oj;
mod openssl;
mod process;
mod procs;
pub mod program;
mod prompt;
mod psych;
mod ractor;
mod random;
mod range;
mod rational;
mod regexp;
mod ripper;
mod settings;
mod shown;
mod socket;
mod string;
mod stringio;
mod strscan;
mod structs;
mod symbol;
mod syntax_error;
mod thread;
mod time;
mod tracepoint;
pub mod version;
mod zlib;

pub use boot::boot;
pub use exception::describe_exception as describe;
pub use io::flush_all;
pub use regexp::check_regexp;
