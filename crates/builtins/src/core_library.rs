//! The Ruby half of the core library: `core/*.rb`, compiled into the executable.

use carat_compile::{Options, compile};
use carat_vm::Ec;

macro_rules! core_files {
    ($($name:literal)*) => { &[$((concat!("<internal:", $name, ">"), include_str!(concat!("../../../core/", $name, ".rb")))),*] };
}

/// In the order in which they depend on each other.
const FILES: &[(&str, &str)] = core_files! {
    

};

/// Defines the methods that are written in Ruby. A file that does not compile or run is a mistake of the build.
pub(crate) fn load(ec: &mut Ec, primitives: &[&str]) {
    for (path, source) in FILES {
        let options = Options { is_core: true, primitives: Some(primitives), frozen_string_literal: Some(true), ..Options::file(path) };
        let program = match compile(source.as_bytes(), &options) {
            Ok(program) => program,
            Err(error) => panic!("{path}: {error:?}"),
        };
        if ec.run_script(program.iseq).is_err() {
            let shown = ec.pending_exception().map(|e| crate::kernel::describe_exception(ec, e)).unwrap_or_default();
            panic!("{path}: {shown}");
        }
    }
}
