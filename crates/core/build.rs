//! Compiles the Ruby half of the core library, `core/*.rb`, to iseqs that the executable carries.
//!
//! `core/load_order` names the files in the order in which they are loaded. The output in the build folder: `core.code`,
//! `core.names`, `core.apart.code` and `core.apart.names`, the bytes of all files; `core.rs`, a table of paths and positions.
#![forbid(unsafe_code)]

use carat_compile::{Options, compile_into};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let core = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("set by cargo")).join("../../core");
    let out = PathBuf::from(env::var("OUT_DIR").expect("set by cargo"));
    println!("cargo:rerun-if-changed={}", core.display());
    let order = fs::read_to_string(core.join("load_order")).expect("core/load_order");
    let names: Vec<&str> = order.lines().filter(|l| !l.is_empty() && !l.starts_with('#')).collect();
    let sources: Vec<(String, String)> = names.iter().map(|n| (format!("<internal:{n}>"), read(&core, n))).collect();
    let mut table = String::from("&[\n");
    let mut pack = carat_iseq::Pack::split();
    for ((path, source), name) in sources.iter().zip(&names) {
        let options = Options { is_core: true, frozen_string_literal: Some(true), ..Options::file(path) };
        let at =
            compile_into(source.as_bytes(), &options, &mut pack).unwrap_or_else(|e| panic!("core/{name}.rb: {e:?}"));
        let _ = writeln!(table, "({path:?}, {at}),");
    }
    table.push(']');
    let write = |name: &str, bytes: &[u8]| fs::write(out.join(name), bytes).expect("the build folder can be written");
    for (name, bytes) in
        ["core.code", "core.names", "core.apart.code", "core.apart.names"].iter().zip(pack.into_bytes())
    {
        write(name, &bytes);
    }
    write("core.rs", table.as_bytes());
}

fn read(core: &Path, name: &str) -> String {
    fs::read_to_string(core.join(format!("{name}.rb"))).unwrap_or_else(|e| panic!("core/{name}.rb: {e}"))
}
