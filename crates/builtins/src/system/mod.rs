//! The world outside: streams, files, processes, time, loading, and the program as a whole.

pub(crate) mod errno;
pub(crate) mod etc;
pub(crate) mod file;
pub(crate) mod io;
pub(crate) mod io_buffer;
pub(crate) mod load;
pub(crate) mod process;
pub mod program;
pub(crate) mod prompt;
pub(crate) mod pty;
pub(crate) mod settings;
pub(crate) mod system_call;
pub(crate) mod time;
pub mod version;
