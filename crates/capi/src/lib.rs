//! The C interface: loads extensions that were compiled against our `ruby.h`, and is what that header declares.
//!
//! # Code map
//! * `boundary`: how words become values and back, how C is called and how it raises. Start here.
//! * `load`: shared libraries and their `Init_` functions. `globals`: `rb_cObject` and its like.
//! * One module a topic: what `include/carat` declares. What takes variable arguments is C (`shim`), on top of these.
//!
//! # Invariants
//! * False is 0 in C and [`Value::FALSE`] here: only `boundary` translates, arguments, results and lists.
//! * A jump goes from an exported function, none of whose locals has a destructor, to the innermost call into C: it never
//!   crosses another Rust frame.
//! * One VM of a process loads extensions: C code keeps symbols and classes in its static variables.
//! * C code holds values on the native stack, where the collector looks, or at addresses that it registered.
//!
//! # Collection
//! What makes objects collects first if a collection is due, and whatever calls Ruby polls.
//!
//! [`Value::FALSE`]: carat_vm::Value::FALSE

#[macro_use]
mod boundary;
mod array;
mod block;
mod buffer;
mod class;
mod constant;
mod data;
mod encoding;
mod error;
mod file;
mod frame;
mod globals;
mod hash;
mod header;
mod load;
mod memory;
mod method;
mod number;
mod object;
mod pack;
mod process;
mod ractor;
mod range;
mod regexp;
mod string;
mod structs;
mod symbol;
mod thread;
mod thread_event;
mod time;
mod trace;
mod variable;

use carat_vm::Ec;
use carat_vm::foreign::ForeignHooks;

pub use header::{header_folder, init as init_headers};

/// From now on this VM loads extensions.
pub fn register(ec: &Ec) {
    ec.set_foreign_hooks(ForeignHooks {
        mark: data::mark,
        free: data::free,
        sharing: data::sharing,
        memsize: data::memsize,
        after_collection: data::free_waiting,
        load: load::load,
        run_jobs: frame::run_jobs,
        thread_event: thread_event::tell,
        collector_event: trace::tell,
        opened: file::opened,
    });
}
